/* state/generator.c - generators as values of a state. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/error.h"
#include "base/handles.h"
#include "state/state.h"

enum { fields = 4 };
static const char *const field_names[fields] = {"seed", "offset", "stream",
                                                "count"};

/* Write the name of a field; one that is too long is rejected when it is set.
 */
static void name_field(const char *name, int field, char *out, size_t size)
{
    snprintf(out, size, "%.*s.%s", DT_STATE_NAME_MAX + 1, name,
             field_names[field]);
}

dt_status dt_state_set_generator(dt_state *state, const char *name,
                                 const dt_generator *generator)
{
    DTI_TRY(dti_given(state, __func__, "state"));
    DTI_TRY(dti_given(generator, __func__, "generator"));
    DTI_TRY(dti_given(name, __func__, "name"));
    const dt_generator_state from = dt_generator_get_state(generator);
    const uint64_t values[fields] = {from.seed, from.offset, from.stream,
                                     from.count};
    char full[DT_STATE_NAME_MAX + 16];
    for (int i = 0; i < fields; i++) {
        name_field(name, i, full, sizeof full);
        DTI_TRY(dt_state_set_integer(state, full, (int64_t)values[i]));
    }
    return DT_OK;
}

dt_status dt_state_get_generator(const dt_state *state, const char *name,
                                 dt_generator *generator)
{
    DTI_TRY(dti_given(state, __func__, "state"));
    DTI_TRY(dti_given(generator, __func__, "generator"));
    DTI_TRY(dti_given(name, __func__, "name"));
    int64_t values[fields];
    char full[DT_STATE_NAME_MAX + 16];
    for (int i = 0; i < fields; i++) {
        name_field(name, i, full, sizeof full);
        DTI_TRY(dt_state_integer(state, full, &values[i]));
    }
    dt_generator_set_state(generator, (dt_generator_state){
                                          .seed = (uint64_t)values[0],
                                          .offset = (uint64_t)values[1],
                                          .stream = (uint64_t)values[2],
                                          .count = (uint64_t)values[3],
                                      });
    return DT_OK;
}
