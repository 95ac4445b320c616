/* examples/06-operators.c - operators: where they compute, what they send. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <dtensor/sys/op.h>
#include <stdio.h>

/* Print how a product is decided, on rank 0. */
static dt_status explain(dt_tensor *a, dt_tensor *b)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = a},
        {.kind = DT_ARG_TENSOR, .as.tensor = b},
    };
    char text[4096];
    size_t length;
    if (!a || !b)
        return DT_ERR_INVALID;
    dt_world *world = dt_tensor_world(a);
    DT_TRY(
        dt_explain(world, "matmul", arguments, 2, text, sizeof text, &length));
    if (dt_world_rank(world) == 0)
        printf("%s\n", text);
    return DT_OK;
}

/* Two layers: the first sharded by columns, the second by rows. */
static dt_status compute(dt_world *world, dt_mesh *mesh)
{
    dt_scope_options silent = DT_SCOPE_OPTIONS_INIT;
    silent.budget = "calls<=0";
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = dt_randn(mesh, "R", DT_F32, DT_SHAPE(3, 8));
    dt_tensor *w = dt_randn(mesh, "S(1)", DT_F32, DT_SHAPE(8, 12));
    dt_tensor *v = dt_randn(mesh, "S(0)", DT_F32, DT_SHAPE(12, 2));

    /* Communication in here would be an error. */
    dt_scope *inside = dt_scope_open_with(world, &silent);
    dt_tensor *y = dt_relu(dt_matmul(x, w)); /* S(1): columns of w */
    dt_tensor *z = dt_matmul(y, v);          /* P(sum): partial sums */
    explain(y, v);
    dt_scope_keep(z);
    dt_status status = dt_scope_close(inside);

    dt_tensor_print(dt_redistribute(z, "R")); /* one all-reduce */
    dt_status rest = dt_scope_close(scope);
    return status != DT_OK ? status : rest;
}

static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    dt_mesh *mesh = NULL;
    /* A mesh with one dimension, tp, that has all ranks. */
    DT_TRY(dt_mesh_create(world, "tp", &mesh));
    dt_status status = compute(world, mesh);
    dt_mesh_release(mesh);
    return status;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
