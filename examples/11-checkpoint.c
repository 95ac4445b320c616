/* examples/11-checkpoint.c - saved in one layout, loaded in another. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <stdio.h>

/* A weight in a layout, and a step, as a state. */
static dt_status make_state(dt_mesh *mesh, const char *layout, int64_t step,
                            dt_state **out)
{
    dt_shape shape = DT_SHAPE(6, 4);
    dt_tensor *weight =
        dt_reshape(dt_arange(mesh, "R", DT_F32, 0, 24, 1), shape);
    if (step == 0) /* not known yet */
        weight = dt_zeros(mesh, layout, DT_F32, shape);
    weight = dt_redistribute(weight, layout);
    DT_TRY(dt_state_create(dt_mesh_world(mesh), out));
    DT_TRY(dt_state_set_tensor(*out, "layers.0.weight", weight));
    return dt_state_set_integer(*out, "step", step);
}

static dt_status save(dt_mesh *mesh, const char *folder)
{
    dt_save_options options = DT_SAVE_OPTIONS_INIT;
    dt_state *state = NULL;
    options.overwrite = true; /* the example may run again */
    options.keep = 3;
    dt_status status = make_state(mesh, "S(0)", 1000, &state);
    if (status == DT_OK)
        status = dt_save(dt_mesh_world(mesh), folder, 1000, state, &options);
    dt_state_release(state);
    return status;
}

static dt_status load(dt_mesh *mesh, const char *folder)
{
    dt_state *state = NULL;
    int64_t step = 0;
    dt_number sum = dt_real(0);
    dt_status status = make_state(mesh, "S(1)", 0, &state);
    if (status == DT_OK)
        status = dt_load(dt_mesh_world(mesh), folder, state, NULL);
    if (status == DT_OK)
        status = dt_state_integer(state, "step", &step);
    if (status == DT_OK)
        status = dt_tensor_item(
            dt_sum(dt_state_tensor(state, "layers.0.weight"), DT_DIMS(), false),
            &sum);
    if (status == DT_OK && dt_world_rank(dt_mesh_world(mesh)) == 0)
        printf("loaded step %d, the sum is %g\n", (int)step, sum.as.real);
    dt_state_release(state);
    return status;
}

static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    char folder[64];
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    snprintf(folder, sizeof folder, "checkpoints-%s",
             dt_world_transport(world));
    dt_scope *scope = dt_scope_open(world);
    dt_status status = save(mesh, folder);
    if (status == DT_OK)
        status = load(mesh, folder);
    dt_status closed = dt_scope_close(scope);
    dt_mesh_release(mesh);
    return status != DT_OK ? status : closed;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
