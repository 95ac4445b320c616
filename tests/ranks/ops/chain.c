/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/chain.c - operators one after another, in any layouts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Every tensor is there twice: distributed, and whole on this rank's own mesh.
 * A chain takes tensors from those it has made, applies the same operator to
 * both, lets the distributed one lie elsewhere now and then, and compares.
 * Everything follows from DT_TEST_SEED; DT_TEST_ROUNDS chains are tried (40),
 * ten times as many with DT_TEST_FULL=1.
 */

enum { LEAST_STEPS = 3, MOST_STEPS = 8, POOL = MOST_STEPS + 2, MOST = 600 };

typedef struct pair {
    dt_tensor *spread; /* on the mesh */
    dt_tensor *whole;  /* on the rank's own mesh */
} pair;

typedef struct chain {
    dt_world *world;
    dt_mesh *mesh;
    unsigned long long state;
    unsigned long long seed;
    int count;
    pair pool[POOL];
    char text[512]; /* what was done */
} chain;

static int below(chain *of, int limit)
{
    return (int)(dt_test_random(&of->state) % (unsigned)limit);
}

static void say(chain *of, const char *word, int number)
{
    size_t length = strlen(of->text);
    snprintf(of->text + length, sizeof of->text - length, " %s(%d)", word,
             number);
}

/* ---- Operators ---------------------------------------------------------- */

/* An operator with its numbers, which depend on the shape of the whole. */
typedef struct step {
    int kind;
    dt_shape shape; /* of the first tensor */
    int dim, other;
    int64_t start, length;
    bool keepdim;
} step;

static dt_tensor *do_relu(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)by, (void)b;
    return dt_relu(a);
}

static dt_tensor *do_tanh(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)by, (void)b;
    return dt_tanh(a);
}

static dt_tensor *do_neg(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)by, (void)b;
    return dt_neg(a);
}

static dt_tensor *do_scale(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)by, (void)b;
    return dt_mul_scalar(a, dt_real(-0.5));
}

static dt_tensor *do_shift(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)by, (void)b;
    return dt_add_scalar(a, dt_real(0.25));
}

static dt_tensor *do_add(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)by;
    return dt_add(a, b);
}

static dt_tensor *do_sub(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)by;
    return dt_sub(a, b);
}

static dt_tensor *do_mul(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)by;
    return dt_mul(a, b);
}

static dt_tensor *do_maximum(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)by;
    return dt_maximum(a, b);
}

/* What is broadcast: less its mean along a dimension. */
static dt_tensor *do_centre(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)b;
    return dt_sub(a, dt_mean(a, DT_DIMS(by->dim), true));
}

static dt_tensor *do_sum(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)b;
    return dt_sum(a, DT_DIMS(by->dim), by->keepdim);
}

static dt_tensor *do_mean(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)b;
    return dt_mean(a, DT_DIMS(by->dim), by->keepdim);
}

static dt_tensor *do_amax(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)b;
    return dt_amax(a, DT_DIMS(by->dim), by->keepdim);
}

static dt_tensor *do_softmax(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)b;
    return dt_softmax(a, by->dim);
}

static dt_tensor *do_transpose(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)b;
    return dt_transpose(a, by->dim, by->other);
}

/* With itself, turned: always of matching sizes. */
static dt_tensor *do_matmul(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)by, (void)b;
    return dt_tanh(dt_matmul(a, dt_transpose(a, -2, -1)));
}

static dt_tensor *do_flatten(const step *by, dt_tensor *a, dt_tensor *b)
{
    int first = by->dim < by->other ? by->dim : by->other;
    int last = by->dim < by->other ? by->other : by->dim;
    int64_t count = 1;
    dt_shape shape = {.ndim = 0};
    (void)b;
    for (int i = 0; i < by->shape.ndim; i++) {
        count *= by->shape.dims[i];
        if (i < first || i >= last) {
            shape.dims[shape.ndim++] = count;
            count = 1;
        }
    }
    return dt_reshape(a, shape);
}

/* Take a dimension apart, if it can be. */
static dt_tensor *do_split_dim(const step *by, dt_tensor *a, dt_tensor *b)
{
    dt_shape shape = {.ndim = by->shape.ndim + 1};
    int64_t extent = by->shape.dims[by->dim];
    int64_t part = extent && extent % 2 == 0 ? 2 : 1;
    (void)b;
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = by->shape.dims[i <= by->dim ? i : i - 1];
    shape.dims[by->dim] = part;
    shape.dims[by->dim + 1] = extent / part;
    return dt_reshape(a, shape);
}

static dt_tensor *do_narrow(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)b;
    return dt_narrow(a, by->dim, by->start, by->length);
}

static dt_tensor *do_cat(const step *by, dt_tensor *a, dt_tensor *b)
{
    dt_tensor *list[] = {a, b};
    return dt_cat(list, 2, by->dim);
}

static dt_tensor *do_unsqueeze(const step *by, dt_tensor *a, dt_tensor *b)
{
    (void)b;
    return dt_unsqueeze(a, by->dim);
}

/* In place, on a copy. */
static dt_tensor *do_in_place(const step *by, dt_tensor *a, dt_tensor *b)
{
    dt_tensor *copy = dt_mul_scalar(a, dt_integer(1));
    (void)by, (void)b;
    return dt_mul_scalar_(copy, dt_real(0.5));
}

/* What an operator needs of the first tensor. */
static const struct {
    const char *name;
    dt_tensor *(*apply)(const step *by, dt_tensor *a, dt_tensor *b);
    int least, most; /* dimensions */
} kinds[] = {
    {"relu", do_relu, 0, 4},
    {"tanh", do_tanh, 0, 4},
    {"neg", do_neg, 0, 4},
    {"scale", do_scale, 0, 4},
    {"shift", do_shift, 0, 4},
    {"add", do_add, 0, 4},
    {"sub", do_sub, 0, 4},
    {"mul", do_mul, 0, 4},
    {"maximum", do_maximum, 0, 4},
    {"centre", do_centre, 1, 4},
    {"sum", do_sum, 1, 4},
    {"mean", do_mean, 1, 4},
    {"amax", do_amax, 1, 4},
    {"softmax", do_softmax, 1, 4},
    {"transpose", do_transpose, 1, 4},
    {"matmul", do_matmul, 2, 3},
    {"flatten", do_flatten, 1, 4},
    {"split_dim", do_split_dim, 1, 3},
    {"narrow", do_narrow, 1, 4},
    {"cat", do_cat, 1, 4},
    {"unsqueeze", do_unsqueeze, 1, 3},
    {"in_place", do_in_place, 0, 4},
};

#define KINDS ((int)(sizeof kinds / sizeof *kinds))

/* ---- Layouts ------------------------------------------------------------ */

static dt_placement draw_placement(chain *of, int ndim)
{
    static const dt_reduce reductions[] = {DT_SUM, DT_AVG, DT_MAX, DT_MIN};
    int kind = below(of, 8);
    if (kind == 0)
        return dt_partial(reductions[below(of, 4)]);
    if (kind < 3 || ndim == 0)
        return dt_replicate();
    if (kind == 3)
        return dt_strided_shard(below(of, ndim), 2);
    return dt_shard(below(of, ndim));
}

/* The text of some layout that the tensor may have. */
static const char *draw_layout(chain *of, int ndim)
{
    dt_layout layout;
    dt_status status;
    dt_scope *scope = dt_scope_open(of->world);
    do {
        dt_placement placements[DT_MAX_NDIM];
        int count = dt_mesh_ndim(of->mesh);
        for (int i = 0; i < count; i++)
            placements[i] = draw_placement(of, ndim);
        layout = dt_layout_of(placements, count);
        status = dt_layout_check(of->mesh, ndim, &layout);
    } while (status != DT_OK);
    DT_IGNORE(dt_scope_close(scope));
    return dt_layout_text(of->world, &layout);
}

/* ---- Comparing ---------------------------------------------------------- */

/* The distributed tensor, whole, against the other.  Collective. */
static bool check_pair(chain *of, const pair *at)
{
    dt_tensor *full = dt_full_tensor(at->spread);
    if (!CHECKF(full, "%s", dt_world_error(of->world)->message))
        return false;
    dt_array *a = NULL, *b = NULL;
    CHECK_OK(of->world,
             dt_array_contiguous(of->world, dt_tensor_local(full), &a));
    CHECK_OK(of->world,
             dt_array_contiguous(of->world, dt_tensor_local(at->whole), &b));
    bool good = CHECK(dt_shape_equal(dt_array_shape(a), dt_array_shape(b))) &&
                CHECK(dt_array_dtype(a) == dt_array_dtype(b));
    const double *x = dt_array_const_data(a), *y = dt_array_const_data(b);
    double largest = 1;
    for (int64_t i = 0; good && i < dt_array_count(a); i++)
        largest = isfinite(y[i]) ? fmax(largest, fabs(y[i])) : largest;
    for (int64_t i = 0; good && i < dt_array_count(a); i++)
        good = CHECKF(
            fabs(x[i] - y[i]) <= 1e-9 * largest || (isnan(x[i]) && isnan(y[i])),
            "element %lld is %.17g, not %.17g", (long long)i, x[i], y[i]);
    dt_array_release(a);
    dt_array_release(b);
    return good;
}

/* ---- Chains ------------------------------------------------------------- */

static pair draw_source(chain *of)
{
    dt_shape shape = {.ndim = 1 + below(of, 3)};
    dt_array *array = NULL;
    pair out;
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = 1 + below(of, 7);
    CHECK_OK(of->world, dt_array_create(of->world, DT_F64, shape, &array));
    double *to = dt_array_data(array);
    for (int64_t i = 0; i < dt_array_count(array); i++)
        to[i] = (below(of, 2001) - 1000) / 256.0;
    const char *layout = draw_layout(of, shape.ndim);
    out.spread =
        dt_distribute(of->mesh, layout, DT_F64, shape, array, DT_EVERYWHERE);
    out.whole = dt_from_local(dt_world_own_mesh(of->world), "R", array);
    CHECKF(out.spread && out.whole, "%s", dt_world_error(of->world)->message);
    dt_array_release(array);
    say(of, layout, shape.ndim);
    return out;
}

static step draw_step(chain *of, const dt_tensor *a)
{
    step out = {.shape = dt_tensor_shape(a), .keepdim = below(of, 2)};
    int ndim = out.shape.ndim;
    do
        out.kind = below(of, KINDS);
    while (ndim < kinds[out.kind].least || ndim > kinds[out.kind].most ||
           (dt_tensor_count(a) > MOST && kinds[out.kind].apply == do_cat));
    if (ndim > 0) {
        out.dim = below(of, ndim);
        out.other = below(of, ndim);
        int64_t extent = out.shape.dims[out.dim];
        out.start = below(of, (int)extent + 1);
        out.length = below(of, (int)(extent - out.start) + 1);
    }
    return out;
}

/* A tensor of the same shape, or the tensor itself. */
static pair draw_partner(chain *of, const pair *a)
{
    pair out = of->pool[below(of, of->count)];
    return dt_shape_equal(dt_tensor_shape(out.whole), dt_tensor_shape(a->whole))
               ? out
               : *a;
}

/* Apply an operator to both; what one refuses, so does the other. */
static bool take_step(chain *of)
{
    pair a = of->pool[below(of, of->count)], b = draw_partner(of, &a), out;
    step by = draw_step(of, a.whole);
    say(of, kinds[by.kind].name, by.dim);
    dt_scope *scope = dt_scope_open(of->world);
    out.whole = dt_scope_keep(kinds[by.kind].apply(&by, a.whole, b.whole));
    dt_status alone = dt_scope_close(scope);
    scope = dt_scope_open(of->world);
    out.spread = dt_scope_keep(kinds[by.kind].apply(&by, a.spread, b.spread));
    dt_status together = dt_scope_close(scope);
    if (!CHECKF(alone == together, "%s on one rank, %s: %s",
                dt_status_name(alone), dt_status_name(together),
                dt_world_error(of->world)->message))
        return false;
    if (!out.whole)
        return true;
    if (below(of, 3) == 0) {
        const char *layout = draw_layout(of, dt_tensor_ndim(out.whole));
        say(of, layout, 0);
        out.spread = dt_redistribute(out.spread, layout);
        if (!CHECKF(out.spread, "%s", dt_world_error(of->world)->message))
            return false;
    }
    of->pool[of->count++] = out;
    return check_pair(of, &out);
}

static bool run_chain(dt_world *world, dt_mesh *mesh, unsigned long long seed)
{
    chain of = {.world = world, .mesh = mesh, .state = seed, .seed = seed};
    dt_scope *scope = dt_scope_open(world);
    bool good = true;
    for (int i = 0; i < 2; i++)
        of.pool[of.count++] = draw_source(&of);
    int steps = LEAST_STEPS + below(&of, MOST_STEPS - LEAST_STEPS + 1);
    for (int i = 0; good && i < steps; i++)
        good = take_step(&of);
    CHECK_OK(world, dt_scope_close(scope));
    return CHECKF(good, "chain %llu on %d-d mesh:%s", seed, dt_mesh_ndim(mesh),
                  of.text);
}

static unsigned long long rounds(void)
{
    const char *text = getenv("DT_TEST_ROUNDS");
    if (text && *text)
        return strtoull(text, NULL, 10);
    return getenv("DT_TEST_FULL") ? 400 : 40;
}

/* A failure ends the chains of a mesh: ranks may differ in how far they are. */
static void run_chains(dt_world *world, const char *text)
{
    dt_mesh *mesh = NULL;
    unsigned long long state = dt_test_seed();
    CHECK_OK(world, dt_mesh_create(world, text, &mesh));
    bool good = mesh != NULL;
    for (unsigned long long i = 0; good && i < rounds(); i++)
        good = run_chain(world, mesh, dt_test_random(&state));
    dt_mesh_release(mesh);
}

static void chains_on_a_line(dt_world *world)
{
    run_chains(world, "x");
}

static void chains_on_a_grid(dt_world *world)
{
    run_chains(world, dt_world_size(world) % 2 == 0 ? "x=2,y" : "x=1,y");
}

const dt_test dt_tests[] = {
    {"chains of operators on a line", chains_on_a_line},
    {"chains of operators on a grid", chains_on_a_grid},
    {NULL, NULL},
};
