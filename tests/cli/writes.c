/* tests/cli/writes.c - a program that writes to elements of a tensor; with
 * --look, if there are any. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/dtensor.h>

static dt_status add_up(dt_world *world, void *arg)
{
    const bool *looks = arg;
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "2x2", &mesh));
    dt_tensor *x = dt_ones(mesh, "Shard(0), Replicate()", DT_F32, DT_SHAPE(8));
    dt_redistribute(dt_sum(x, DT_DIMS(0), false), "RR");
    float *elements = dt_array_data(dt_tensor_local(x));
    if (elements || !*looks)
        elements[0] = 2;
    dt_redistribute(dt_sum(x, DT_DIMS(0), false), "RR");
    dt_mesh_release(mesh);
    return dt_world_error(world)->code;
}

int main(int argc, char **argv)
{
    bool looks = argc > 1 && strcmp(argv[1], "--look") == 0;
    return dt_main(argc, argv, add_up, &looks);
}
