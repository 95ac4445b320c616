/* examples/00-outer.c - the shortest program: a sharded tensor, an operator. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>

static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    dt_mesh *mesh = NULL;
    /* A mesh with one dimension, tp, that has all ranks. */
    DT_TRY(dt_mesh_create(world, "tp", &mesh));
    dt_scope *scope = dt_scope_open(world); /* owns the tensors */
    dt_tensor *x = dt_arange(mesh, "S(0)", DT_F32, 1, 5, 1); /* 1 2 3 4 */
    dt_tensor_print(dt_outer(x, x)); /* the second x is gathered first */
    dt_mesh_release(mesh);
    return dt_scope_close(scope);
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
