/* tests/cli/backward.c - a program that computes gradients. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>

/* Multiply by a leaf that is sharded by columns and one that is sharded by
 * rows, and add up: one all-reduce in forward and, of the input's gradient, one
 * in backward. */
static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "tp", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x =
        dt_requires_grad(dt_ones(mesh, "R", DT_F32, DT_SHAPE(8, 16)));
    dt_tensor *up =
        dt_requires_grad(dt_ones(mesh, "S(1)", DT_F32, DT_SHAPE(16, 64)));
    dt_tensor *down =
        dt_requires_grad(dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(64, 16)));
    dt_tensor *hidden = dt_tanh(dt_matmul(x, up));
    dt_tensor *y = dt_redistribute(dt_matmul(hidden, down), "R");
    dt_status status = dt_backward(dt_sum(y, DT_DIMS(), false));
    dt_status closed = dt_scope_close(scope);
    dt_mesh_release(mesh);
    return status != DT_OK ? status : closed;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
