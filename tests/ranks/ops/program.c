/* ranks: 1 2 3 4 6 7 */
/* tests/ranks/ops/program.c - programs that write: in place, through views,
 * into given tensors, while something is under way. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Every tensor is there twice, distributed and whole on this rank's own mesh,
 * as in ops_chain.c; what is done to the one is done to the other.  A program
 * changes the tensors that it has, of which some are views of others.  Views
 * share memory on one rank; of a distributed tensor some are copies, which must
 * not show.  Elements are small integers, so that they are the same and not
 * only near.  What cannot be written as it lies is refused and must be
 * unchanged.
 *
 * Everything follows from DT_TEST_SEED; DT_TEST_ROUNDS programs are run (25),
 * ten times as many with DT_TEST_FULL=1.
 */

enum { POOL = 12, LEAST_STEPS = 5, MOST_STEPS = 25, MOST = 300, PIECES = 16 };

typedef struct pair {
    dt_tensor *spread; /* on the mesh */
    dt_tensor *whole;  /* on the rank's own mesh */
} pair;

typedef struct program {
    dt_world *world;
    dt_mesh *mesh;
    unsigned long long state;
    dt_generator *generators[2]; /* for the one and the other */
    int count;
    pair pool[POOL];
    char text[4096]; /* what was done */
} program;

static int below(program *of, int limit)
{
    return (int)(dt_test_random(&of->state) % (unsigned)limit);
}

static void say(program *of, const char *format, ...) DT_PRINTF(2, 3);

static void say(program *of, const char *format, ...)
{
    size_t length = strlen(of->text);
    va_list list;
    va_start(list, format);
    vsnprintf(of->text + length, sizeof of->text - length, format, list);
    va_end(list);
}

/* ---- What can be done --------------------------------------------------- */

/* The numbers of a step, which depend on the shape of the whole. */
typedef struct step {
    dt_shape shape; /* of the first tensor */
    int dim, other;
    int64_t start, length, number;
    bool flag;
    dt_generator *generator;
} step;

static dt_tensor *tame(dt_tensor *a)
{
    return dt_clamp(a, dt_integer(-9), dt_integer(9));
}

static dt_tensor *cat(const step *by, dt_tensor *a, dt_tensor *b)
{
    dt_tensor *list[] = {a, b, a};
    return dt_cat(list, by->flag ? 3 : 2, by->dim);
}

static dt_tensor *sort(const step *by, dt_tensor *a)
{
    dt_tensor *values = NULL, *indices = NULL;
    DT_IGNORE(dt_sort(a, by->dim, by->flag, &values, &indices));
    return values;
}

static dt_tensor *max_dim(const step *by, dt_tensor *a)
{
    dt_tensor *values = NULL, *indices = NULL;
    DT_IGNORE(dt_max_dim(a, by->dim, by->flag, &values, &indices));
    return indices;
}

/* The same elements are dropped wherever they lie. */
static dt_tensor *dropout(const step *by, dt_tensor *a)
{
    dt_dropout_options options = DT_DROPOUT_OPTIONS_INIT;
    options.generator = by->generator;
    return dt_dropout_with(a, 0.5, true, &options);
}

static dt_tensor *flatten(const step *by, dt_tensor *a)
{
    return by->dim < by->other ? dt_flatten(a, by->dim, by->other)
                               : dt_flatten(a, by->other, by->dim);
}

static dt_tensor *expand(const step *by, dt_tensor *a)
{
    dt_shape shape = by->shape;
    for (int i = 0; i < shape.ndim; i++)
        if (shape.dims[i] == 1)
            shape.dims[i] = 1 + by->number;
    return dt_expand(a, shape);
}

static dt_tensor *split(const step *by, dt_tensor *a)
{
    dt_tensor *pieces[PIECES] = {NULL};
    int count = 0;
    DT_IGNORE(dt_split(a, 1 + by->number, by->dim, pieces, PIECES, &count));
    return pieces[count > PIECES ? 0 : by->start % (count ? count : 1)];
}

static dt_tensor *unbind(const step *by, dt_tensor *a)
{
    dt_tensor *rows[PIECES] = {NULL};
    int count = 0;
    DT_IGNORE(dt_unbind(a, by->dim, rows, PIECES, &count));
    return rows[count > PIECES ? 0 : by->start % (count ? count : 1)];
}

/* The extents in the other order. */
static dt_tensor *reshape(const step *by, dt_tensor *a)
{
    dt_shape shape = by->shape;
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = by->shape.dims[shape.ndim - 1 - i];
    return dt_reshape(a, shape);
}

typedef enum what {
    ADD,
    MUL,
    SUM,
    AMAX,
    CUMSUM,
    WHERE,
    CLONE,
    CAST,
    TRIL,
    CAT,
    SORT,
    MAX_DIM,
    DROPOUT,
    CONTIGUOUS,
    TRANSPOSE,
    NARROW,
    SLICE,
    UNSQUEEZE,
    SQUEEZE,
    FLATTEN,
    ALIAS,
    EXPAND,
    SPLIT,
    SELECT,
    UNBIND,
    DIAGONAL,
    RESHAPE,
    ADD_,
    DOUBLE_,
    MUL_,
    NEGATE_,
    CLAMP_,
    COPY_,
    FILL_,
    MASKED_FILL_,
    CUMSUM_,
    TRIL_,
    TRANSPOSE_,
    SQUEEZE_,
    ADD_OUT,
    MAXIMUM_OUT,
    NEG_OUT,
    CUMSUM_OUT,
} what;

/* Make a tensor of one, or of two of one shape. */
static dt_tensor *make(what kind, const step *by, dt_tensor *a, dt_tensor *b)
{
    switch (kind) {
    case ADD:
        return tame(dt_add(a, b));
    case MUL:
        return tame(dt_mul(a, b));
    case SUM:
        return dt_sum(a, DT_DIMS(by->dim), by->flag);
    case AMAX:
        return dt_amax(a, DT_DIMS(by->dim), by->flag);
    case CUMSUM:
        return tame(dt_cumsum(a, by->dim));
    case WHERE:
        return dt_where(dt_gt_scalar(a, dt_integer(1)), a, b);
    case CLONE:
        return dt_clone(a);
    case CAST:
        return dt_cast(a, by->flag ? DT_F64 : DT_F32);
    case TRIL:
        return dt_tril(a, by->number - 2);
    case CAT:
        return cat(by, a, b);
    case SORT:
        return sort(by, a);
    case MAX_DIM:
        return max_dim(by, a);
    case DROPOUT:
        return dropout(by, a);
    case CONTIGUOUS:
        return dt_contiguous(a);
    case TRANSPOSE:
        return dt_transpose(a, by->dim, by->other);
    case NARROW:
        return dt_narrow(a, by->dim, by->start, by->length);
    case SLICE:
        return dt_slice(a, by->dim, by->start, INT64_MAX, 1 + by->number % 3);
    case UNSQUEEZE:
        return dt_unsqueeze(a, by->dim);
    case SQUEEZE:
        return dt_squeeze(a, DT_DIMS(by->dim));
    case FLATTEN:
        return flatten(by, a);
    case ALIAS:
        return dt_alias(a);
    case EXPAND:
        return expand(by, a);
    case SPLIT:
        return split(by, a);
    case SELECT:
        return dt_select(a, by->dim, by->start - 1);
    case UNBIND:
        return unbind(by, a);
    case DIAGONAL:
        return dt_diagonal(a, by->number - 2, 0, 1);
    case RESHAPE:
        return reshape(by, a);
    default:
        return NULL;
    }
}

/* Write to the first tensor, or to the one that is given for it. */
static dt_tensor *overwrite(what kind, const step *by, dt_tensor *a,
                            dt_tensor *b, dt_tensor *out)
{
    switch (kind) {
    case ADD_:
        return dt_add_(a, tame(b));
    case DOUBLE_:
        return dt_add_(a, a);
    case MUL_:
        return dt_mul_(a, b);
    case NEGATE_:
        return dt_mul_scalar_(a, dt_integer(-1));
    case CLAMP_:
        return dt_clamp_(a, dt_integer(-3), dt_integer(5));
    case COPY_:
        return dt_copy_(a, b);
    case FILL_:
        return dt_fill_scalar_(a, dt_integer(by->number));
    case MASKED_FILL_:
        return dt_masked_fill_(a, dt_gt_scalar(b, dt_integer(0)),
                               dt_integer(7));
    case CUMSUM_:
        return dt_cumsum_(a, by->dim);
    case TRIL_:
        return dt_tril_(a, by->number - 2);
    case TRANSPOSE_:
        return dt_transpose_(a, by->dim, by->other);
    case SQUEEZE_:
        return dt_squeeze_(a, DT_DIMS(by->dim));
    case ADD_OUT:
        return dt_add_out(a, b, out);
    case MAXIMUM_OUT:
        return dt_maximum_out(a, b, out);
    case NEG_OUT:
        return dt_neg_out(a, out);
    case CUMSUM_OUT:
        return dt_cumsum_out(a, by->dim, out);
    default:
        return NULL;
    }
}

/* What a step is called, and how many dimensions it needs. */
static const struct {
    const char *name;
    int least, most;
} kinds[] = {
    [ADD] = {"add", 0, 4},
    [MUL] = {"mul", 0, 4},
    [SUM] = {"sum", 1, 4},
    [AMAX] = {"amax", 1, 4},
    [CUMSUM] = {"cumsum", 1, 4},
    [WHERE] = {"where", 0, 4},
    [CLONE] = {"clone", 0, 4},
    [CAST] = {"cast", 0, 4},
    [TRIL] = {"tril", 2, 4},
    [CAT] = {"cat", 1, 4},
    [SORT] = {"sort", 1, 4},
    [MAX_DIM] = {"max_dim", 1, 4},
    [DROPOUT] = {"dropout", 0, 4},
    [CONTIGUOUS] = {"contiguous", 0, 4},
    [TRANSPOSE] = {"transpose", 1, 4},
    [NARROW] = {"narrow", 1, 4},
    [SLICE] = {"slice", 1, 4},
    [UNSQUEEZE] = {"unsqueeze", 1, 3},
    [SQUEEZE] = {"squeeze", 1, 4},
    [FLATTEN] = {"flatten", 1, 4},
    [ALIAS] = {"alias", 0, 4},
    [EXPAND] = {"expand", 0, 4},
    [SPLIT] = {"split", 1, 4},
    [SELECT] = {"select", 1, 4},
    [UNBIND] = {"unbind", 1, 4},
    [DIAGONAL] = {"diagonal", 2, 4},
    [RESHAPE] = {"reshape", 1, 4},
    [ADD_] = {"add_", 0, 4},
    [DOUBLE_] = {"add_ to itself", 0, 4},
    [MUL_] = {"mul_", 0, 4},
    [NEGATE_] = {"mul_ by -1", 0, 4},
    [CLAMP_] = {"clamp_", 0, 4},
    [COPY_] = {"copy_", 0, 4},
    [FILL_] = {"fill_", 0, 4},
    [MASKED_FILL_] = {"masked_fill_", 0, 4},
    [CUMSUM_] = {"cumsum_", 1, 4},
    [TRIL_] = {"tril_", 2, 4},
    [TRANSPOSE_] = {"transpose_", 1, 4},
    [SQUEEZE_] = {"squeeze_", 1, 4},
    [ADD_OUT] = {"add_out", 0, 4},
    [MAXIMUM_OUT] = {"maximum_out", 0, 4},
    [NEG_OUT] = {"neg_out", 0, 4},
    [CUMSUM_OUT] = {"cumsum_out", 1, 4},
};

#define KINDS ((int)(sizeof kinds / sizeof *kinds))

/* ---- Layouts ------------------------------------------------------------ */

static dt_placement draw_placement(program *of, int ndim, dt_dtype dtype)
{
    static const dt_reduce reductions[] = {DT_SUM, DT_MAX, DT_MIN, DT_PRODUCT,
                                           DT_AVG};
    const int drawn = below(of, 9);
    const bool integers = dt_dtype_kind_of(dtype) != DT_KIND_FLOAT;
    if (drawn == 0)
        return dt_partial(reductions[below(of, integers ? 4 : 5)]);
    if (drawn < 3 || ndim == 0)
        return dt_replicate();
    if (drawn == 3)
        return dt_strided_shard(below(of, ndim), 2 + below(of, 2));
    return dt_shard(below(of, ndim));
}

/* The text of some layout that the tensor may have; two cuts of a dimension may
 * come in either order. */
static const char *draw_layout(program *of, int ndim, dt_dtype dtype)
{
    dt_layout layout;
    dt_status status;
    dt_scope *scope = dt_scope_open(of->world);
    do {
        dt_placement placements[DT_MAX_NDIM];
        const int count = dt_mesh_ndim(of->mesh);
        for (int i = 0; i < count; i++)
            placements[i] = draw_placement(of, ndim, dtype);
        layout = dt_layout_of(placements, count);
        if (count == 2 && below(of, 2) &&
            dt_placement_equal(placements[0], placements[1]) &&
            placements[0].kind == DT_SHARD)
            CHECK_OK(of->world,
                     dt_layout_set_order(of->world, &layout, placements[0].dim,
                                         (const int[]){1, 0}, 2));
        status = dt_layout_check(of->mesh, ndim, &layout);
    } while (status != DT_OK);
    DT_IGNORE(dt_scope_close(scope));
    return dt_layout_text(of->world, &layout);
}

static pair draw_source(program *of)
{
    const dt_dtype dtype = below(of, 3) ? DT_F64 : DT_I64;
    dt_shape shape = {.ndim = 1 + below(of, 3)};
    dt_array *numbers = NULL, *array = NULL;
    pair out;
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = 1 + below(of, 7);
    CHECK_OK(of->world, dt_array_create(of->world, DT_F64, shape, &numbers));
    for (int64_t i = 0; i < dt_array_count(numbers); i++)
        ((double *)dt_array_data(numbers))[i] = below(of, 19) - 9;
    CHECK_OK(of->world, dt_array_cast(of->world, numbers, dtype, &array));
    const char *layout = draw_layout(of, shape.ndim, dtype);
    out.spread =
        dt_distribute(of->mesh, layout, dtype, shape, array, DT_EVERYWHERE);
    out.whole = dt_from_local(dt_world_own_mesh(of->world), "R", array);
    CHECKF(out.spread && out.whole, "%s", dt_world_error(of->world)->message);
    dt_array_release(numbers);
    dt_array_release(array);
    say(of, "\n  %d: %s of %d dimensions", of->count, layout, shape.ndim);
    return out;
}

/* ---- Comparing ---------------------------------------------------------- */

static bool check_array(program *of, int index, dt_array *spread,
                        dt_array *whole)
{
    dt_array *x = NULL, *y = NULL;
    bool good =
        CHECK(dt_array_dtype(spread) == dt_array_dtype(whole)) &&
        CHECK(dt_shape_equal(dt_array_shape(spread), dt_array_shape(whole)));
    CHECK_OK(of->world, dt_array_cast(of->world, spread, DT_F64, &x));
    CHECK_OK(of->world, dt_array_cast(of->world, whole, DT_F64, &y));
    const double *a = dt_array_const_data(x), *b = dt_array_const_data(y);
    for (int64_t i = 0; good && i < dt_array_count(x); i++)
        good = CHECKF(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])) ||
                          fabs(a[i] - b[i]) < 1e-6 * fabs(b[i]) - 1,
                      "tensor %d: element %lld is %g, not %g", index,
                      (long long)i, a[i], b[i]);
    dt_array_release(x);
    dt_array_release(y);
    return good;
}

/* All tensors against their wholes.  Collective. */
static bool check_all(program *of)
{
    bool good = true;
    for (int i = 0; good && i < of->count; i++) {
        dt_tensor *full = dt_full_tensor(of->pool[i].spread);
        good = CHECKF(full, "%s", dt_world_error(of->world)->message);
        if (good && dt_mesh_is_member(of->mesh))
            good = check_array(of, i, dt_tensor_local(full),
                               dt_tensor_local(of->pool[i].whole));
        dt_tensor_release_early(full);
    }
    return good;
}

/* Take what was made among the tensors. */
static bool take(program *of, pair made)
{
    const int place = of->count < POOL ? of->count++ : below(of, POOL);
    if (!CHECK(made.whole && made.spread))
        return false;
    of->pool[place] = made;
    say(of, " is %d, %s", place,
        dt_layout_text(of->world, dt_tensor_layout(made.spread)));
    return true;
}

/* ---- Steps -------------------------------------------------------------- */

static step draw_step(program *of, const dt_tensor *a)
{
    step out = {.shape = dt_tensor_shape(a), .flag = below(of, 2)};
    out.number = below(of, 5);
    if (out.shape.ndim > 0) {
        out.dim = below(of, out.shape.ndim);
        out.other = below(of, out.shape.ndim);
        const int64_t extent = out.shape.dims[out.dim];
        out.start = below(of, (int)extent + 1);
        out.length = below(of, (int)(extent - out.start) + 1);
    }
    return out;
}

static what draw_kind(program *of, bool writes, const dt_tensor *a)
{
    const int first = writes ? ADD_ : 0, count = writes ? KINDS - ADD_ : ADD_;
    const int ndim = dt_tensor_ndim(a);
    what kind;
    do
        kind = (what)(first + below(of, count));
    while (ndim < kinds[kind].least || ndim > kinds[kind].most ||
           (dt_tensor_count(a) > MOST && (kind == CAT || kind == EXPAND)));
    return kind;
}

/* A tensor of the shape given, if there is one at hand; else the one given. */
static int draw_partner(program *of, int given)
{
    const dt_shape shape = dt_tensor_shape(of->pool[given].whole);
    for (int i = 0; i < 6; i++) {
        const int drawn = below(of, of->count);
        if (dt_shape_equal(shape, dt_tensor_shape(of->pool[drawn].whole)))
            return drawn;
    }
    return given;
}

/* Do a step to one side; gives the status of its scope. */
static dt_status run(program *of, what kind, step by, const pair *pairs,
                     bool spread, dt_tensor **made)
{
    dt_tensor *at[3];
    for (int i = 0; i < 3; i++)
        at[i] = spread ? pairs[i].spread : pairs[i].whole;
    by.generator = of->generators[spread];
    dt_scope *scope = dt_scope_open(of->world);
    *made =
        dt_scope_keep(kind < ADD_ ? make(kind, &by, at[0], at[1])
                                  : overwrite(kind, &by, at[0], at[1], at[2]));
    return dt_scope_close(scope);
}

static bool take_step(program *of, bool writes)
{
    int at[3] = {below(of, of->count)};
    at[1] = draw_partner(of, at[0]);
    at[2] = draw_partner(of, at[0]);
    const pair pairs[3] = {of->pool[at[0]], of->pool[at[1]], of->pool[at[2]]};
    const what kind = draw_kind(of, writes, pairs[0].whole);
    step by = draw_step(of, pairs[0].whole);
    pair made;
    say(of, "\n  %s %d, %d, %d, dim %d", kinds[kind].name, at[0], at[1], at[2],
        by.dim);
    dt_status together = run(of, kind, by, pairs, true, &made.spread);
    if (writes && together != DT_OK) {
        say(of, ": %s", dt_world_error(of->world)->message);
        return CHECKF(together == DT_ERR_INVALID, "%s: %s",
                      dt_status_name(together),
                      dt_world_error(of->world)->message) &&
               check_all(of);
    }
    dt_status alone = run(of, kind, by, pairs, false, &made.whole);
    dt_generator_set_state(of->generators[0],
                           dt_generator_get_state(of->generators[1]));
    if (!CHECKF(alone == together, "%s on one rank, %s together: %s",
                dt_status_name(alone), dt_status_name(together),
                dt_world_error(of->world)->message))
        return false;
    return writes || !made.whole || take(of, made);
}

/* Tell whether a redistribution leaves elements where they are: then the result
 * shares memory. */
static bool moves_nothing(const dt_tensor *from, const dt_tensor *to)
{
    dt_plan *plan = NULL;
    CHECK_OK(
        dt_tensor_world(from),
        dt_plan_create(dt_tensor_spec(from), dt_tensor_spec(to), NULL, &plan));
    const bool nothing = plan && dt_plan_steps(plan) == 0;
    dt_plan_release(plan);
    return nothing;
}

/* Let a tensor lie elsewhere too, and do not wait for it. */
static bool move(program *of)
{
    const int at = below(of, of->count);
    const pair from = of->pool[at];
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.layout = draw_layout(of, dt_tensor_ndim(from.whole),
                                 dt_tensor_dtype(from.whole));
    options.asynchronous = below(of, 2);
    options.planner = (dt_planner)below(of, 2);
    say(of, "\n  redistribute %d to %s", at, options.layout);
    pair made = {.spread = dt_redistribute_with(from.spread, &options)};
    if (!CHECKF(made.spread, "%s", dt_world_error(of->world)->message))
        return false;
    made.whole = moves_nothing(from.spread, made.spread) ? dt_alias(from.whole)
                                                         : dt_clone(from.whole);
    return take(of, made);
}

static bool run_program(dt_world *world, dt_mesh *mesh, unsigned long long seed)
{
    program of = {.world = world, .mesh = mesh, .state = seed};
    dt_scope *scope = dt_scope_open(world);
    bool good = true;
    for (int i = 0; i < 2; i++)
        CHECK_OK(world, dt_generator_create(world, seed, 0, &of.generators[i]));
    for (int i = 0; i < 3; i++) {
        const pair source = draw_source(&of);
        of.pool[of.count++] = source;
    }
    int steps = LEAST_STEPS + below(&of, MOST_STEPS - LEAST_STEPS + 1);
    for (int i = 0; good && i < steps; i++) {
        const int drawn = below(&of, 5);
        good = drawn == 0 ? move(&of) : take_step(&of, drawn > 2);
        if (good && below(&of, 3) == 0)
            good = check_all(&of);
    }
    good = good && check_all(&of);
    CHECK_OK(world, dt_scope_close(scope));
    for (int i = 0; i < 2; i++)
        dt_generator_release(of.generators[i]);
    return CHECKF(good, "program %llu:%s", seed, of.text);
}

static unsigned long long rounds(void)
{
    const char *text = getenv("DT_TEST_ROUNDS");
    if (text && *text)
        return strtoull(text, NULL, 10);
    return getenv("DT_TEST_FULL") ? 250 : 25;
}

/* A failure ends the programs of a mesh: ranks may differ in how far they are.
 */
static void run_programs(dt_world *world, dt_mesh *mesh)
{
    unsigned long long state = dt_test_seed();
    bool good = mesh != NULL;
    for (unsigned long long i = 0; good && i < rounds(); i++)
        good = run_program(world, mesh, dt_test_random(&state));
    dt_mesh_release(mesh);
}

static void programs_on_a_line(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    run_programs(world, mesh);
}

static void programs_on_a_grid(dt_world *world)
{
    dt_mesh *mesh = NULL;
    const bool even = dt_world_size(world) % 2 == 0;
    CHECK_OK(world, dt_mesh_create(world, even ? "x=2,y" : "x,y=1", &mesh));
    run_programs(world, mesh);
}

/* The first rank is no member. */
static void programs_on_a_part(dt_world *world)
{
    dt_mesh *mesh = NULL;
    enum { OTHERS = 6 };
    const int ranks[OTHERS] = {6, 5, 4, 3, 2, 1};
    const int count = dt_world_size(world) - 1;
    if (count < 1)
        return;
    CHECK_OK(world, dt_mesh_create_from(world, "x", ranks + OTHERS - count,
                                        count, &mesh));
    run_programs(world, mesh);
}

const dt_test dt_tests[] = {
    {"programs on a line", programs_on_a_line},
    {"programs on a grid", programs_on_a_grid},
    {"programs on a part of the world", programs_on_a_part},
    {NULL, NULL},
};
