/* 01-ranks.c - four ranks form a mesh, hold arrays and add them up. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <stdio.h>

/* Print the arrays of all ranks: row r is that of rank r. */
static dt_status show(dt_world *world, const char *title, dt_array *array)
{
    char text[1024];
    dt_array *all = NULL;
    dt_shape shape = DT_SHAPE(dt_world_size(world), dt_array_count(array));
    dt_status status = dt_array_create(world, DT_F32, shape, &all);
    if (status == DT_OK)
        status = dt_group_gather(dt_world_group(world), 0, array, NULL, all);
    if (status == DT_OK && dt_world_rank(world) == 0) {
        dt_array_format(all, text, sizeof text);
        printf("%s\n%s\n", title, text);
    }
    dt_array_release(all);
    return status;
}

static dt_status add_up(dt_world *world, dt_mesh *mesh, dt_array *array)
{
    dt_group *tp;
    float *data = dt_array_data(array);
    for (int i = 0; i < 4; i++)
        data[i] = (float)(10 * dt_world_rank(world) + i);
    DT_TRY(show(world, "local arrays:", array));
    DT_TRY(dt_mesh_group(mesh, dt_mesh_find_dim(mesh, "tp"), &tp));
    DT_TRY(dt_group_all_reduce(tp, DT_SUM, array, array));
    return show(world, "after an all-reduce along tp:", array);
}

static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    char text[128];
    dt_mesh *mesh = NULL;
    dt_array *array = NULL;
    bool even = dt_world_size(world) % 2 == 0;
    const char *grid = even ? "dp,tp=2" : "dp,tp=1"; /* dp takes the rest */
    dt_status status = dt_mesh_create(world, grid, &mesh);
    if (status == DT_OK && dt_world_rank(world) == 0) {
        dt_mesh_format(mesh, text, sizeof text);
        printf("%s\n", text);
    }
    if (status == DT_OK)
        status = dt_array_create(world, DT_F32, DT_SHAPE(4), &array);
    if (status == DT_OK)
        status = add_up(world, mesh, array);
    dt_array_release(array);
    dt_mesh_release(mesh);
    return status;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
