/* examples/07-transformer.c - a block of a transformer, cut by heads. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <stdio.h>

enum { BATCH = 2, TIME = 16, WIDTH = 96, HEADS = 12, HIDDEN = 256 };

/* Rows of the first matrices and columns of the last ones are cut: what is
 * between needs nothing from other ranks. */
typedef struct weights {
    dt_tensor *norm1, *qkv, *out, *norm2, *up, *down;
} weights;

static dt_tensor *draw(dt_mesh *mesh, const char *layout, int64_t rows,
                       int64_t columns)
{
    return dt_mul_scalar_(
        dt_randn(mesh, layout, DT_F32, DT_SHAPE(rows, columns)),
        DT_NUMBER(0.1));
}

static weights make_weights(dt_mesh *mesh)
{
    return (weights){
        .norm1 = dt_ones(mesh, "R", DT_F32, DT_SHAPE(WIDTH)),
        .qkv = draw(mesh, "S(0)", 3 * WIDTH, WIDTH), /* head by head */
        .out = draw(mesh, "S(1)", WIDTH, WIDTH),
        .norm2 = dt_ones(mesh, "R", DT_F32, DT_SHAPE(WIDTH)),
        .up = draw(mesh, "S(0)", HIDDEN, WIDTH),
        .down = draw(mesh, "S(1)", WIDTH, HIDDEN),
    };
}

static dt_tensor *norm(dt_tensor *x, dt_tensor *weight)
{
    dt_tensor *y = NULL;
    DT_IGNORE(dt_rms_norm(x, DT_SHAPE(WIDTH), weight, 1e-5, &y, NULL));
    return y;
}

/* x is (BATCH, TIME, WIDTH); so is what comes back, as addends of the ranks. */
static dt_tensor *attend(dt_tensor *x, const weights *w)
{
    dt_scaled_dot_product_attention_options causal =
        DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT;
    dt_tensor *parts[3] = {NULL};
    int count;
    causal.is_causal = true;
    dt_tensor *all = dt_unflatten(dt_linear(x, w->qkv, NULL), -1,
                                  DT_SHAPE(HEADS, 3 * WIDTH / HEADS));
    DT_IGNORE(
        dt_split(dt_transpose(all, 1, 2), WIDTH / HEADS, -1, parts, 3, &count));
    dt_tensor *y = dt_scaled_dot_product_attention_with(parts[0], parts[1],
                                                        parts[2], &causal);
    return dt_linear(dt_flatten(dt_transpose(y, 1, 2), 2, 3), w->out, NULL);
}

static dt_tensor *feed(dt_tensor *x, const weights *w)
{
    return dt_linear(dt_gelu(dt_linear(x, w->up, NULL)), w->down, NULL);
}

/* The only two places where ranks talk. */
static dt_tensor *block(dt_tensor *x, const weights *w)
{
    x = dt_add(x, dt_redistribute(attend(norm(x, w->norm1), w), "R"));
    return dt_add(x, dt_redistribute(feed(norm(x, w->norm2), w), "R"));
}

static dt_status compute(dt_world *world, dt_mesh *mesh)
{
    /* What is not written down is an error, and so is a third all-reduce. */
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.mode = DT_SCOPE_STRICT;
    options.budget = "all_reduce<=2, calls<=2";
    dt_scope *scope = dt_scope_open(world);
    weights w = make_weights(mesh);
    dt_tensor *x = dt_randn(mesh, "R", DT_F32, DT_SHAPE(BATCH, TIME, WIDTH));

    dt_scope *inside = dt_scope_open_with(world, &options);
    dt_tensor *y = dt_scope_keep(block(x, &w));
    dt_status status = dt_scope_close(inside);

    dt_tensor *sizes = dt_norm(y, 2, DT_DIMS(-1), false);
    if (dt_world_rank(world) == 0)
        dt_tensor_print(sizes);
    dt_status rest = dt_scope_close(scope);
    return status != DT_OK ? status : rest;
}

static dt_status program(dt_world *world, void *unused)
{
    (void)unused;
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "tp", &mesh));
    dt_status status = compute(world, mesh);
    dt_mesh_release(mesh);
    return status;
}

int main(int argc, char **argv)
{
    return dt_main(argc, argv, program, NULL);
}
