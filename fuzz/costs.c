/* fuzz/costs.c - texts that may be costs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

#include "redistribute/cost.h"

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

static void check_prices(const dti_prices *prices)
{
    const double all[] = {prices->call, prices->message, prices->remote,
                          prices->local, prices->combine};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(all[i] >= 0) || !isfinite(all[i]))
            abort();
}

/* What can be read has prices that can be paid; a failure leaves a sentence and
 * changes nothing. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dt_world *world = open_world();
    const dti_costs before = *dti_costs_of("shm");
    dti_costs costs = before;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (dti_costs_parse(world, text, &costs) != DT_OK &&
        (!dt_world_error(world)->message[0] ||
         memcmp(&costs, &before, sizeof costs) != 0))
        abort();
    free(text);
    if (costs.count < 0 || costs.count > DTI_PRICED_DIMS)
        abort();
    check_prices(&costs.usual);
    for (int i = 0; i < costs.count; i++)
        check_prices(&costs.dims[i].prices);
    dti_prices lowest = dti_costs_lowest(&costs);
    check_prices(&lowest);
    return 0;
}
