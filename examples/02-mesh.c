/* examples/02-mesh.c - ranks in a grid, and sums along its dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include <dtensor/dtensor.h>

/*
 * Run it on four ranks: DT_RANKS=4 ./02-mesh
 *
 * They form two rows, "dp", of two columns, "tp".  Every rank adds its number
 * to those of its row, and to those of its column.
 */
static dt_status sum_along(dt_mesh *mesh, const char *name, int64_t *sum)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_group *group = NULL;
    dt_array *array = NULL;
    DT_TRY(dt_mesh_group(mesh, dt_mesh_find_dim(mesh, name), &group));
    DT_TRY(dt_array_create(world, DT_I64, DT_SHAPE(1), &array));
    *(int64_t *)dt_array_data(array) = dt_world_rank(world);
    dt_status status = dt_group_all_reduce(group, DT_SUM, array, array);
    if (status == DT_OK)
        *sum = *(const int64_t *)dt_array_const_data(array);
    dt_array_release(array);
    return status;
}

static dt_status show(dt_world *world, dt_mesh *mesh)
{
    char text[256];
    int64_t row = 0;
    int64_t column = 0;
    DT_TRY(sum_along(mesh, "tp", &row));
    DT_TRY(sum_along(mesh, "dp", &column));
    dt_mesh_format(mesh, text, sizeof text);
    printf("rank %d is at (%d, %d) of %s: its row adds up to %lld, its column "
           "to %lld\n",
           dt_world_rank(world), dt_mesh_coordinate(mesh, 0),
           dt_mesh_coordinate(mesh, 1), text, (long long)row,
           (long long)column);
    return DT_OK;
}

static dt_status program(dt_world *world, void *unused)
{
    dt_mesh *mesh = NULL;
    (void)unused;
    /* "dp" has no size: it takes the ranks that are left. */
    bool even = dt_world_size(world) % 2 == 0;
    DT_TRY(dt_mesh_create(world, even ? "dp,tp=2" : "dp,tp=1", &mesh));
    dt_status status = show(world, mesh);
    dt_mesh_release(mesh);
    return status;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
