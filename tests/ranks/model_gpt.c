/* ranks: 1 2 3 4 7 */
/* tests/ranks/model_gpt.c - a gpt-like model, cut in every way. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "model_forward.h"

static void replicates_activations(dt_world *world)
{
    check_meshes(world, &model_gpt, DT_F32, false);
    check_meshes(world, &model_gpt, DT_F64, false);
}

static void cuts_activations_by_time(dt_world *world)
{
    check_meshes(world, &model_gpt, DT_F32, true);
    check_meshes(world, &model_gpt, DT_F64, true);
}

static void sends_what_is_written_down(dt_world *world)
{
    check_calls(world, &model_gpt, 2);
}

const dt_test dt_tests[] = {
    {"sends what is written down", sends_what_is_written_down},
    {"replicates activations", replicates_activations},
    {"cuts activations by time", cuts_activations_by_time},
    {NULL, NULL},
};
