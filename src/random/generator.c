/* random/generator.c - counting operations, and a key for each. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/generator.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/handles.h"

dt_status dt_generator_create(dt_world *world, uint64_t seed, uint64_t stream,
                              dt_generator **out)
{
    DTI_ENTRY();
    dt_generator *generator = calloc(1, sizeof *generator);
    if (!generator)
        return dti_fail_memory(world, sizeof *generator, "a generator");
    dti_reference_init(&generator->reference);
    generator->state = (dt_generator_state){.seed = seed, .stream = stream};
    dti_live_add(DTI_LIVE_GENERATOR, 1);
    dti_handle_made(world, DTI_LIVE_GENERATOR, generator);
    *out = generator;
    return DT_OK;
}

dt_generator *dt_generator_retain(dt_generator *generator)
{
    if (!dti_handle_usable(generator, __func__))
        return NULL;
    if (generator)
        dti_reference_retain(&generator->reference);
    return generator;
}

void dt_generator_release(dt_generator *generator)
{
    DTI_ENTRY();
    if (!dti_handle_usable(generator, __func__) || !generator ||
        !dti_reference_release(&generator->reference))
        return;
    dti_handle_gone(generator);
    dti_handle_free(generator);
    dti_live_add(DTI_LIVE_GENERATOR, -1);
}

void dt_generator_seed(dt_generator *generator, uint64_t seed)
{
    if (!dti_handle_usable(generator, __func__))
        return;
    generator->state =
        (dt_generator_state){.seed = seed, .stream = generator->state.stream};
}

dt_generator_state dt_generator_get_state(const dt_generator *generator)
{
    return generator->state;
}

void dt_generator_set_state(dt_generator *generator, dt_generator_state state)
{
    generator->state = state;
}

dti_random_key dti_generator_next(dt_generator *generator)
{
    dt_generator_state *state = &generator->state;
    const dti_random_key key = {state->seed, state->offset};
    return dti_random_fold(key, state->count++, state->stream);
}
