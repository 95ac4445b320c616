/* examples/10-modules.c - a model of modules, sharded by a plan. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <stdio.h>

/* The first layer is sharded by columns, the second by rows. */
static const dt_parallel_rule plan[] = {
    {.pattern = "0", .style = &dt_colwise},
    {.pattern = "2", .style = &dt_rowwise},
};

static dt_module *build(dt_world *world)
{
    dt_module *layers[] = {
        dt_nn_linear(world, 6, 16, NULL),
        dt_nn_function(world, "ReLU", dt_relu),
        dt_nn_linear(world, 16, 2, NULL),
    };
    return dt_nn_sequential(world, layers, 3);
}

static dt_status learn(dt_module *model, dt_tensor *input, dt_tensor *wanted)
{
    dt_world *world = dt_module_world(model);
    dt_optimizer *adam = NULL;
    DT_TRY(dt_adamw_create(model, NULL, &adam));
    for (int i = 0; i < 5; i++) {
        dt_number value;
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *loss = dt_mse_loss(dt_module_call(model, input), wanted);
        DT_TRY(dt_backward(loss));
        DT_TRY(dt_optimizer_step(adam));
        DT_TRY(dt_optimizer_zero_grad(adam));
        DT_TRY(dt_tensor_item(loss, &value));
        if (dt_world_rank(world) == 0)
            printf("step %d: loss %.5f\n", i, dt_number_real(value));
        DT_TRY(dt_scope_close(scope));
    }
    dt_optimizer_release(adam);
    return DT_OK;
}

static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    dt_mesh *mesh = NULL;
    int count;
    DT_TRY(dt_mesh_create(world, "tp", &mesh));
    dt_scope *scope = dt_scope_open(world); /* owns the model */
    dt_tensor *input = dt_randn(mesh, "R", DT_F32, DT_SHAPE(32, 6));
    dt_tensor *wanted = dt_randn(mesh, "R", DT_F32, DT_SHAPE(32, 2));
    dt_module *model = build(world); /* parameters have no elements yet */
    dt_status status = dt_parallelize(model, mesh, plan, 2, NULL);
    const dt_named_parameter *all = dt_module_parameters(model, &count);
    for (int i = 0; i < count && dt_world_rank(world) == 0; i++) {
        char text[80];
        dt_spec_format(dt_tensor_spec(dt_parameter_tensor(all[i].parameter)),
                       text, sizeof text);
        printf("%s: %s\n", all[i].name, text);
    }
    if (status == DT_OK)
        status = learn(model, input, wanted);
    dt_status closed = dt_scope_close(scope);
    dt_mesh_release(mesh);
    return status != DT_OK ? status : closed;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
