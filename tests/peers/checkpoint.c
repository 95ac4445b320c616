/* tests/peers/checkpoint.c - saves and loads what checkpoint.py compares.
 *
 * usage: peer_checkpoint save|load PATH       (on any number of ranks)
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <dtensor/dtensor.h>

static const char *const layouts[] = {"S(0)", "S(1)", "R"};

/* An array of a dtype whose element i is i % 13 - 5, or i % 13 or i % 2 where
 * that cannot be said. */
static dt_status make_array(dt_world *world, dt_dtype dtype, dt_array **out)
{
    dt_array *numbers = NULL;
    DT_TRY(dt_array_create(world, DT_F64, DT_SHAPE(7, 5), &numbers));
    double *data = dt_array_data(numbers);
    for (int i = 0; i < 35; i++)
        data[i] = dtype == DT_BOOL ? i % 2
                  : dtype == DT_U8 ? i % 13
                                   : i % 13 - 5;
    const dt_status status = dt_array_cast(world, numbers, dtype, out);
    dt_array_release(numbers);
    return status;
}

/* Add a tensor of every dtype, with elements or zeros, in one of the layouts.
 */
static dt_status fill(dt_mesh *mesh, dt_state *state, int shift, bool zeros)
{
    dt_world *world = dt_mesh_world(mesh);
    for (int i = 0; i < DT_DTYPE_COUNT; i++) {
        const char *layout = layouts[(i + shift) % 3];
        dt_array *array = NULL;
        char name[64];
        DT_TRY(make_array(world, (dt_dtype)i, &array));
        dt_tensor *tensor =
            zeros ? dt_zeros(mesh, layout, (dt_dtype)i, DT_SHAPE(7, 5))
                  : dt_distribute(mesh, layout, (dt_dtype)i, DT_SHAPE(7, 5),
                                  array, DT_EVERYWHERE);
        dt_array_release(array);
        snprintf(name, sizeof name, "model.%s", dt_dtype_name((dt_dtype)i));
        DT_TRY(dt_state_set_tensor(state, name, tensor));
    }
    return DT_OK;
}

/* Compare all tensors with those that were to be loaded. */
static dt_status check(dt_mesh *mesh, const dt_state *state)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_state *wanted = NULL;
    DT_TRY(dt_state_create(world, &wanted));
    dt_status status = fill(mesh, wanted, 0, false);
    for (int64_t i = 0; i < dt_state_count(state) && status == DT_OK; i++) {
        const dt_state_entry *entry = dt_state_at(state, i);
        bool equal = false;
        status = dt_tensor_equal(entry->tensor, dt_state_at(wanted, i)->tensor,
                                 &equal);
        if (!equal)
            printf("%s differs\n", entry->name);
    }
    dt_state_release(wanted);
    return status;
}

static dt_status program(dt_world *world, void *arg)
{
    char **argv = arg;
    const bool save = strcmp(argv[1], "save") == 0;
    dt_mesh *mesh = NULL;
    dt_state *state = NULL;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    dt_status status = dt_state_create(world, &state);
    if (status == DT_OK)
        status = fill(mesh, state, save ? 0 : 1, !save);
    if (status == DT_OK && save) {
        dt_save_options options = DT_SAVE_OPTIONS_INIT;
        options.file_bytes = 400;
        status = dt_state_set_integer(state, "step", 12);
        if (status == DT_OK)
            status = dt_save(world, argv[2], 12, state, &options);
    } else if (status == DT_OK) {
        status = dt_load(world, argv[2], state, NULL);
        if (status == DT_OK)
            status = check(mesh, state);
    }
    dt_state_release(state);
    dt_mesh_release(mesh);
    return status;
}

int main(int argc, char **argv)
{
    return argc == 3 ? dt_main(argc, argv, program, argv) : 2;
}
