/* examples/09-gradients.c - two layers with sharded weights learn. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <stdio.h>

typedef struct layers {
    dt_tensor *up, *down; /* sharded by columns, and by rows */
} layers;

/* A tensor of random numbers whose gradient is wanted. */
static dt_tensor *parameter(dt_mesh *mesh, const char *layout, dt_shape shape)
{
    return dt_requires_grad(
        dt_mul_scalar(dt_randn(mesh, layout, DT_F32, shape), dt_real(0.3)));
}

/* The second product is a partial sum on each rank: one all-reduce. */
static dt_tensor *predict(const layers *net, dt_tensor *input)
{
    dt_tensor *hidden = dt_relu(dt_matmul(input, net->up));
    return dt_redistribute(dt_matmul(hidden, net->down), "R");
}

/* Go a step down the gradient, which is not recorded, and clear it. */
static dt_status step(dt_tensor *weight)
{
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.gradients = DT_TRISTATE_OFF;
    dt_scope *scope = dt_scope_open_with(dt_tensor_world(weight), &options);
    dt_sub_(weight, dt_mul_scalar(dt_tensor_grad(weight), dt_real(0.1)));
    DT_TRY(dt_scope_close(scope));
    return dt_tensor_set_grad(weight, NULL);
}

static dt_status learn(const layers *net, dt_tensor *input, dt_tensor *wanted)
{
    dt_world *world = dt_tensor_world(input);
    for (int i = 0; i < 5; i++) {
        dt_number value;
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *loss = dt_mse_loss(predict(net, input), wanted);
        DT_TRY(dt_backward(loss));
        DT_TRY(step(net->up));
        DT_TRY(step(net->down));
        DT_TRY(dt_tensor_item(loss, &value));
        if (dt_world_rank(world) == 0)
            printf("step %d: loss %.5f\n", i, dt_number_real(value));
        DT_TRY(dt_scope_close(scope));
    }
    return DT_OK;
}

static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "tp", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *input = dt_randn(mesh, "R", DT_F32, DT_SHAPE(32, 6));
    dt_tensor *wanted = dt_randn(mesh, "R", DT_F32, DT_SHAPE(32, 2));
    layers net = {parameter(mesh, "S(1)", DT_SHAPE(6, 16)),
                  parameter(mesh, "S(0)", DT_SHAPE(16, 2))};
    dt_status status = learn(&net, input, wanted);
    dt_status closed = dt_scope_close(scope);
    dt_mesh_release(mesh);
    return status != DT_OK ? status : closed;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
