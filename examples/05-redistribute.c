/* examples/05-redistribute.c - a tensor changes hands. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <stdio.h>

/* Print the plan of a redistribution, on rank 0. */
static dt_status explain(dt_tensor *from, dt_tensor *to)
{
    char text[1024];
    dt_plan *plan = NULL;
    if (!from || !to)
        return DT_ERR_INVALID;
    DT_TRY(
        dt_plan_create(dt_tensor_spec(from), dt_tensor_spec(to), NULL, &plan));
    dt_plan_format(plan, text, sizeof text);
    if (dt_world_rank(dt_tensor_world(from)) == 0)
        printf("%s\n", text);
    dt_plan_release(plan);
    return DT_OK;
}

static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    dt_mesh *mesh = NULL;
    /* A mesh with one dimension, tp, that has all ranks. */
    DT_TRY(dt_mesh_create(world, "tp", &mesh));

    dt_scope *scope = dt_scope_open(world);
    dt_tensor *rows = dt_randn(mesh, "S(0)", DT_F32, DT_SHAPE(5, 6));
    dt_tensor *columns = dt_redistribute(rows, "S(1)"); /* one all-to-all */
    dt_tensor_print(columns);
    explain(rows, columns);
    dt_status status = dt_scope_close(scope); /* the first error, if any */

    dt_mesh_release(mesh);
    return status;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
