/* 03-divergence.c - ranks that call different things are told, and recover. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <stdio.h>

/* The last rank has the size wrong. */
static dt_status add_up(dt_world *world, int64_t wrong_by)
{
    bool is_last = dt_world_rank(world) == dt_world_size(world) - 1;
    int64_t count = 4 + (is_last ? wrong_by : 0);
    dt_array *array = NULL;
    dt_status status = dt_array_create(world, DT_F32, DT_SHAPE(count), &array);
    if (status == DT_OK)
        status = dt_array_fill(world, array, 1);
    if (status == DT_OK)
        status =
            dt_group_all_reduce(dt_world_group(world), DT_SUM, array, array);
    dt_array_release(array);
    return status;
}

static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    dt_status status = add_up(world, 1);
    if (dt_world_rank(world) == 0 && status != DT_OK)
        printf("%s: %s\n", dt_status_name(status),
               dt_world_error(world)->message);
    /* All ranks live, so the world can be used again. */
    DT_TRY(dt_world_recover(world));
    DT_TRY(add_up(world, 0));
    if (dt_world_rank(world) == 0)
        printf("recovered\n");
    return DT_OK;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
