/* examples/04-tensor.c - tensors that are spread over ranks and read as one. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <stdio.h>

/* Spread what rank 0 has over all ranks, by rows. */
static dt_tensor *spread(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *table = NULL;
    dt_shape shape = DT_SHAPE(5, 3);
    if (dt_world_rank(world) == 0) {
        if (dt_array_create(world, DT_F32, shape, &table) != DT_OK)
            return NULL;
        float *data = dt_array_data(table);
        for (int i = 0; i < 15; i++)
            data[i] = (float)i;
    }
    dt_tensor *tensor = dt_distribute(mesh, "S(0)", DT_F32, shape, table, 0);
    dt_array_release(table);
    return tensor;
}

/* Read the middle column of a tensor, wherever its rows are. */
static dt_status show_column(dt_world *world, dt_tensor *tensor)
{
    char text[128];
    dt_array *column = NULL;
    dt_box box = {.ndim = 2, .offset = {0, 1}, .size = {5, 1}};
    bool is_first = dt_world_rank(world) == 0; /* the others only give */
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(5, 1), &column));
    dt_status status = dt_tensor_get(tensor, is_first ? &box : NULL, column);
    if (status == DT_OK && is_first) {
        dt_array_format(column, text, sizeof text);
        printf("the middle column, read by rank 0:\n%s\n", text);
    }
    dt_array_release(column);
    return status;
}

/* Random numbers belong to elements, not to ranks: every layout has the same,
 * on any number of ranks. */
static dt_status show_random(dt_world *world, dt_mesh *mesh, const char *layout)
{
    char text[128];
    dt_array *out = NULL;
    dt_box box = {.ndim = 1, .size = {6}};
    DT_TRY(dt_seed(world, 42));
    dt_tensor *tensor = dt_rand(mesh, layout, DT_F32, DT_SHAPE(6));
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(6), &out));
    dt_status status = dt_tensor_get(tensor, &box, out);
    if (status == DT_OK && dt_world_rank(world) == 0) {
        dt_array_format(out, text, sizeof text);
        printf("%-4s %s\n", layout, text);
    }
    dt_array_release(out);
    return status;
}

static dt_status show(dt_world *world, dt_mesh *mesh)
{
    dt_tensor *table = spread(mesh);
    dt_tensor_print(table); /* every rank prints what it has */
    dt_tensor_print(dt_arange_int(mesh, "S(0)", DT_I32, 0, 6, 1));
    dt_tensor_print(dt_full(mesh, "P", DT_F32, DT_SHAPE(2), 7)); /* a sum */
    DT_TRY(show_column(world, table));
    DT_TRY(show_random(world, mesh, "R"));
    return show_random(world, mesh, "S(0)");
}

static dt_status program(dt_world *world, void *unused)
{
    dt_mesh *mesh = NULL;
    (void)unused;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    /* Tensors belong to the scope in which they were made. */
    dt_scope *scope = dt_scope_open(world);
    dt_status status = show(world, mesh);
    dt_status first = dt_scope_close(scope); /* the first error inside */
    dt_mesh_release(mesh);
    return first != DT_OK ? first : status;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
