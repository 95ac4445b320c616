/* tests/install/consumer.c - a small program that uses the installed library.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include <dtensor/dtensor.h>

/* Sum 1, 2, 3, ... over the ranks. */
static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    dt_array *array = NULL;
    DT_TRY(dt_array_create(world, DT_I32, DT_SHAPE(5), &array));
    dt_status status =
        dt_array_fill_int(world, array, dt_world_rank(world) + 1);
    if (status == DT_OK)
        status =
            dt_group_all_reduce(dt_world_group(world), DT_SUM, array, array);
    if (status == DT_OK && dt_world_rank(world) == 0)
        printf("%d on every one of %d ranks\n",
               *(const int *)dt_array_const_data(array), dt_world_size(world));
    dt_array_release(array);
    return status;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
