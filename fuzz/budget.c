/* fuzz/budget.c - texts that may be budgets. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

#include "base/world.h"
#include "trace/budget.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static dt_world *open_world(void)
{
    static dt_world *world;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "sim";
    if (!world && dt_world_open(&options, &world, NULL) != DT_OK)
        abort();
    return world;
}

/* What holds refuses with a sentence and, once it has, refuses again. */
static void spend(dt_world *world)
{
    for (int i = 0; i < 2 * DT_COLLECTIVE_COUNT; i++) {
        dt_collective kind = (dt_collective)(i % DT_COLLECTIVE_COUNT);
        size_t bytes = (size_t)1 << (3 * i);
        if (dti_budget_spend(world, kind, bytes, NULL) == DT_OK)
            continue;
        if (!dt_world_error(world)->message[0] ||
            dti_budget_spend(world, kind, bytes, NULL) != DT_ERR_INVALID)
            abort();
    }
}

/* What can be read holds in its scope and not after it; a failure leaves a
 * sentence and the scope that was open. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dt_world *world = open_world();
    const dt_scope *outer = world->scope;
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    options.budget = text;
    world->latest.message[0] = '\0';
    dt_scope *scope = dt_scope_open_with(world, &options);
    free(text);
    if (scope ? !dti_budget_holds(world)
              : dt_world_error(world)->code != DT_ERR_INVALID ||
                    !dt_world_error(world)->message[0])
        abort();
    if (scope) {
        spend(world);
        DT_IGNORE(dt_scope_close(scope));
    }
    if (world->scope != outer || dti_budget_holds(world))
        abort();
    return 0;
}
