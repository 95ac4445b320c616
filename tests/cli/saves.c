/* tests/cli/saves.c - a program that saves a checkpoint, for the scripts.
 *
 * usage: saves FOLDER STEP VALUE    (on any number of ranks)
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <dtensor/dtensor.h>

static const char *folder;
static int64_t step;
static double value;

static dt_status fill(dt_world *world, dt_mesh *mesh, dt_state *state)
{
    dt_tensor *w = dt_full(mesh, "S(0)", DT_F32, DT_SHAPE(6, 4), value);
    DT_TRY(dt_state_set_tensor(state, "layers.0.weight", w));
    DT_TRY(dt_state_set_tensor(state, "head.weight", w));
    DT_TRY(dt_state_set_tensor(state, "layers.0.bias",
                               dt_full(mesh, "R", DT_BF16, DT_SHAPE(3), 1)));
    DT_TRY(dt_state_set_integer(state, "step", step));
    DT_TRY(dt_state_set_text(state, "note", "two\nlines"));
    dt_save_options options = DT_SAVE_OPTIONS_INIT;
    options.file_bytes = 90;
    return dt_save(world, folder, step, state, &options);
}

static dt_status program(dt_world *world, void *unused)
{
    dt_mesh *mesh = NULL;
    dt_state *state = NULL;
    (void)unused;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    dt_status status = dt_state_create(world, &state);
    if (status == DT_OK)
        status = fill(world, mesh, state);
    dt_state_release(state);
    dt_mesh_release(mesh);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    folder = argv[1];
    step = atoll(argv[2]);
    value = atof(argv[3]);
    return dt_main(argc, argv, program, NULL);
}
