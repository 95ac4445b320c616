/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/nn/embedding.c - rows of a table that lies on several ranks.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

/* Number i of the indexes below an extent; others for another salt. */
static int64_t index_at(uint64_t salt, int64_t i, int64_t extent)
{
    return (int64_t)(word_of(salt, 0, i) % (uint64_t)extent);
}

static sample make_indexes(dt_mesh *mesh, const char *layout, dt_shape shape,
                           uint64_t salt, int64_t extent)
{
    sample made;
    made.global = new_array(dt_mesh_world(mesh), DT_I64, shape);
    int64_t *data = dt_array_data(made.global);
    for (int64_t i = 0; i < dt_array_count(made.global); i++)
        data[i] = index_at(salt, i, extent);
    made.tensor =
        dt_distribute(mesh, layout, DT_I64, shape, made.global, DT_EVERYWHERE);
    CHECK(made.tensor != NULL);
    return made;
}

/* The rows that indexes name. */
static dt_array *looked_up(dt_world *world, const dt_array *table,
                           const dt_array *by)
{
    dt_shape shape = dt_array_shape(by);
    shape.dims[shape.ndim++] = dt_array_extent(table, 1);
    dt_array *out = new_array(world, dt_array_dtype(table), shape);
    size_t row = dt_array_bytes(table) / (size_t)dt_array_extent(table, 0);
    const int64_t *indexes = dt_array_const_data(by);
    const char *from = dt_array_const_data(table);
    char *to = dt_array_data(out);
    for (int64_t i = 0; to && i < dt_array_count(by); i++)
        memcpy(to + (size_t)i * row, from + (size_t)indexes[i] * row, row);
    return out;
}

static uint64_t all_reduces(const dt_world *world)
{
    return dt_trace_count(world, DT_ALL_REDUCE).calls;
}

/* ---- One mesh dimension ------------------------------------------------- */

typedef struct lookup_case {
    const char *table, *indexes, *gives;
    dt_shape size, by;
} lookup_case;

static void check_lookup(dt_world *world, const lookup_case *of, dt_dtype dtype)
{
    fixture f = open_fixture(world);
    sample table = make_sample(f.mesh, of->table, dtype, of->size);
    sample by = make_indexes(f.mesh, of->indexes, of->by, 5, of->size.dims[0]);
    start_counting(&f);
    dt_tensor *out = dt_embedding(table.tensor, by.tensor);
    check_silent(&f);
    check_layout(out, of->gives);
    uint64_t before = all_reduces(world);
    dt_tensor *whole = out ? dt_redistribute(out, "R") : NULL;
    bool masked = strcmp(of->gives, "MaskP(sum)") == 0;
    if (f.ranks > 1 && masked)
        CHECK_INT((long long)(all_reduces(world) - before), 1);
    check_equals(whole, looked_up(world, table.global, by.global));
    dt_array_release(table.global);
    dt_array_release(by.global);
    close_fixture(&f);
}

static void looks_up(dt_world *world)
{
    static const dt_dtype dtypes[] = {DT_F32, DT_BF16, DT_F64};
    int64_t n = dt_world_size(world);
    dt_shape even = DT_SHAPE(4 * n, 3), uneven = DT_SHAPE(4 * n + 1, 3);
    const lookup_case cases[] = {
        {"R", "R", "R", even, DT_SHAPE(5)},
        /* By columns nothing is sent, not even later. */
        {"S(1)", "R", "S(1)", DT_SHAPE(7, 2 * n + 1), DT_SHAPE(5)},
        {"S(1)", "R", "S(2)", DT_SHAPE(7, 2 * n), DT_SHAPE(2, 3)},
        {"S(1)", "R", "S(0)", DT_SHAPE(7, 2 * n), DT_SHAPE()},
        /* By rows others are masked. */
        {"S(0)", "R", "MaskP(sum)", even, DT_SHAPE(5)},
        {"S(0)", "R", "MaskP(sum)", uneven, DT_SHAPE(2, 3)},
        {"S(0)", "R", "MaskP(sum)", uneven, DT_SHAPE()},
        {"_S(0,2)", "R", "MaskP(sum)", even, DT_SHAPE(9)},
        {"S(0)", "R", "MaskP(sum)", DT_SHAPE(1, 3), DT_SHAPE(4)},
        {"S(0)", "R", "MaskP(sum)", even, DT_SHAPE(0)},
        /* By indexes each part is looked up by itself. */
        {"R", "S(0)", "S(0)", even, DT_SHAPE(2 * n + 1)},
        {"R", "S(1)", "S(1)", even, DT_SHAPE(2, 2 * n + 1)},
        /* A table of partial values. */
        {"P", "R", "P(sum)", even, DT_SHAPE(5)},
        {"P(max)", "R", "P(max)", even, DT_SHAPE(5)},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_lookup(world, &cases[i], dtypes[i % COUNT_OF(dtypes)]);
}

/* Two tables of one shape share all that was decided, but not their masks. */
static void reduces_both_of_two(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t rows = 3 * f.ranks + 1;
    sample a = make_sample(f.mesh, "S(0)", DT_F32, DT_SHAPE(rows, 4));
    sample b = make_sample(f.mesh, "S(0)", DT_F32, DT_SHAPE(rows, 4));
    sample c = make_sample(f.mesh, "S(0)", DT_F32, DT_SHAPE(rows, 2));
    sample first = make_indexes(f.mesh, "R", DT_SHAPE(6), 1, rows);
    sample other = make_indexes(f.mesh, "R", DT_SHAPE(6), 2, rows);
    dt_tensor *x = dt_embedding(a.tensor, first.tensor);
    dt_tensor *y = dt_embedding(b.tensor, other.tensor);
    dt_tensor *z = dt_embedding(c.tensor, other.tensor);
    CHECK(x && y && dt_tensor_spec(x) == dt_tensor_spec(y));
    if (f.ranks > 1)
        CHECK(x && y && dt_tensor_mask(x) && dt_tensor_mask(y) &&
              dt_tensor_mask(x) != dt_tensor_mask(y));
    check_equals(x, looked_up(world, a.global, first.global));
    check_equals(dt_redistribute(y, "R"),
                 looked_up(world, b.global, other.global));
    check_equals(dt_redistribute(x, "S(0)"),
                 looked_up(world, a.global, first.global));
    check_equals(z, looked_up(world, c.global, other.global));
    dt_array_release(a.global);
    dt_array_release(b.global);
    dt_array_release(c.global);
    dt_array_release(first.global);
    dt_array_release(other.global);
    close_fixture(&f);
}

/* Columns of a table that lie one behind another, and what padding does. */
static void reads_a_turned_table(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    const int order[] = {1, 0};
    dt_embedding_options options = DT_EMBEDDING_OPTIONS_INIT;
    sample table = make_sample(f.mesh, "S(1)", DT_F32, DT_SHAPE(3, 2 * n + 1));
    sample by = make_indexes(f.mesh, "R", DT_SHAPE(7), 9, 2 * n + 1);
    dt_array *view = permuted(world, table.global, order), *turned = NULL;
    CHECK_OK(world, dt_array_clone(world, view, &turned));
    dt_tensor *out = dt_embedding(dt_t(table.tensor), by.tensor);
    check_layout(out, "MaskP(sum)");
    check_equals(out, looked_up(world, turned, by.global));
    options.padding_idx = 1;
    check_equals(dt_embedding_with(dt_t(table.tensor), by.tensor, &options),
                 looked_up(world, turned, by.global));
    dt_array_release(view);
    dt_array_release(turned);
    dt_array_release(table.global);
    dt_array_release(by.global);
    close_fixture(&f);
}

/* ---- Two mesh dimensions ------------------------------------------------ */

static void looks_up_on_a_grid(dt_world *world)
{
    static const struct {
        const char *table, *indexes, *gives;
    } cases[] = {
        {"RS(0)", "S(0)R", "S(0)MaskP(sum)"},
        {"RS(1)", "S(0)R", "S(0)S(2)"},
        {"S(0)S(0)", "RR", "MaskP(sum)MaskP(sum)"},
        {"S(0)S(1)", "RR", "MaskP(sum)S(2)"},
        {"PS(0)", "RR", "P(sum)MaskP(sum)"},
    };
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) != 4)
        return;
    CHECK_OK(world, dt_mesh_create(world, "dp=2,tp=2", &mesh));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dt_scope *scope = dt_scope_open(world);
        sample table =
            make_sample(mesh, cases[i].table, DT_F32, DT_SHAPE(9, 5));
        sample by = make_indexes(mesh, cases[i].indexes, DT_SHAPE(3, 4), 4, 9);
        uint64_t calls = calls_so_far(world);
        dt_tensor *out = dt_embedding(table.tensor, by.tensor);
        CHECK_INT((long long)(calls_so_far(world) - calls), 0);
        check_layout(out, cases[i].gives);
        check_equals(out, looked_up(world, table.global, by.global));
        dt_array_release(table.global);
        dt_array_release(by.global);
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
}

/* ---- Backward ----------------------------------------------------------- */

enum { INDEXES = 11, WIDTH = 5, WEIGHTS = 8 };

/* The gradient of a table of 8 rows, from value i % 13 of element i. */
static void expect_backward(int64_t padding, bool scaled, double *out)
{
    int64_t times[WEIGHTS] = {0};
    memset(out, 0, WEIGHTS * WIDTH * sizeof *out);
    for (int i = 0; i < INDEXES; i++)
        times[index_at(3, i, WEIGHTS)]++;
    for (int i = 0; i < INDEXES * WIDTH; i++) {
        const int64_t row = index_at(3, i / WIDTH, WEIGHTS);
        if (row != padding)
            out[row * WIDTH + i % WIDTH] +=
                (double)(i % 13) / (scaled ? (double)times[row] : 1);
    }
}

typedef struct backward_case {
    const char *grad, *indexes, *gives;
    int64_t padding;
    bool scaled;
    bool sends;
} backward_case;

static void check_back(dt_world *world, const backward_case *of)
{
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(INDEXES, WIDTH);
    double wanted[WEIGHTS * WIDTH];
    dt_array *values = new_array(world, DT_F64, shape), *found = NULL;
    double *data = dt_array_data(values);
    for (int i = 0; i < INDEXES * WIDTH; i++)
        data[i] = i % 13;
    dt_tensor *grad =
        dt_distribute(f.mesh, of->grad, DT_F64, shape, values, DT_EVERYWHERE);
    sample by =
        make_indexes(f.mesh, of->indexes, DT_SHAPE(INDEXES), 3, WEIGHTS);
    start_counting(&f);
    dt_tensor *out = dt_embedding_dense_backward(grad, by.tensor, WEIGHTS,
                                                 of->padding, of->scaled);
    if (!of->sends)
        check_silent(&f);
    check_layout(out, of->gives);
    expect_backward(of->padding, of->scaled, wanted);
    found = out ? read_global(out) : NULL;
    const double *numbers = found ? dt_array_const_data(found) : NULL;
    for (int i = 0; numbers && i < WEIGHTS * WIDTH; i++)
        CHECKF(fabs(numbers[i] - wanted[i]) < 1e-12, "element %d: %g, not %g",
               i, numbers[i], wanted[i]);
    dt_array_release(found);
    dt_array_release(values);
    dt_array_release(by.global);
    close_fixture(&f);
}

/* By columns nothing is sent, not even later; by indexes sums are partial; all
 * indexes are counted where that matters. */
static void goes_back(dt_world *world)
{
    static const backward_case cases[] = {
        {"R", "R", "R", -1, false, false},
        {"S(1)", "R", "S(1)", -1, false, false},
        {"S(1)", "R", "S(1)", 2, true, false},
        {"S(0)", "S(0)", "P(sum)", -1, false, false},
        {"S(0)", "R", "P(sum)", 3, false, false},
        {"S(0)", "S(0)", "R", -1, true, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (i == 5 && dt_world_size(world) > 1)
            continue; /* where it goes depends on what it costs */
        check_back(world, &cases[i]);
    }
}

/* Calls that differ in nothing but num_weights are decided by themselves. */
static void counts_weights(dt_world *world)
{
    fixture f = open_fixture(world);
    sample grad = make_sample(f.mesh, "R", DT_F32, DT_SHAPE(4, 3));
    sample by = make_indexes(f.mesh, "R", DT_SHAPE(4), 1, 4);
    for (int64_t rows = 4; rows < 7; rows++) {
        dt_tensor *out = dt_embedding_dense_backward(grad.tensor, by.tensor,
                                                     rows, -1, false);
        CHECK(out && dt_shape_equal(dt_tensor_shape(out), DT_SHAPE(rows, 3)));
    }
    CHECK_FAILS(world,
                status_of(world, dt_embedding_dense_backward(
                                     by.tensor, by.tensor, 4, -1, false)),
                DT_ERR_UNSUPPORTED, "grad_output is i64");
    CHECK_FAILS(world,
                status_of(world, dt_embedding_dense_backward(
                                     grad.tensor, by.tensor, -4, -1, false)),
                DT_ERR_INVALID, "num_weights is -4; must not be negative");
    dt_array_release(grad.global);
    dt_array_release(by.global);
    close_fixture(&f);
}

/* ---- What is wrong ------------------------------------------------------ */

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_embedding_options options = DT_EMBEDDING_OPTIONS_INIT;
    sample table = make_sample(f.mesh, "S(0)", DT_F32, DT_SHAPE(4, 6));
    sample by = make_indexes(f.mesh, "R", DT_SHAPE(3), 1, 4);
    CHECK_FAILS(world,
                status_of(world, dt_embedding(table.tensor, table.tensor)),
                DT_ERR_UNSUPPORTED, "embedding: the indexes are f32");
    CHECK_FAILS(world, status_of(world, dt_embedding(by.tensor, by.tensor)),
                DT_ERR_INVALID, "embedding: weight has shape (3,)");
    options.padding_idx = 4;
    CHECK_FAILS(
        world,
        status_of(world, dt_embedding_with(table.tensor, by.tensor, &options)),
        DT_ERR_INVALID, "padding_idx 4 is out of range for a weight of 4 rows");
    dt_array_release(table.global);
    dt_array_release(by.global);
    /* An index outside is outside on every rank that sees it. */
    table = make_sample(f.mesh, "S(0)", DT_F32, DT_SHAPE(4, 6));
    by = make_indexes(f.mesh, "R", DT_SHAPE(3), 1, 4);
    dt_tensor *far = dt_full_int(f.mesh, "R", DT_I64, DT_SHAPE(3), 4);
    CHECK(dt_embedding(table.tensor, far) == NULL);
    CHECK(strstr(
        dt_world_error(world)->message,
        "embedding: index 4 is out of range for dimension 0 of extent 4"));
    check_equals(dt_embedding(table.tensor, by.tensor),
                 looked_up(world, table.global, by.global));
    dt_array_release(table.global);
    dt_array_release(by.global);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"86: a table cut by columns, by rows, or looked up in parts", looks_up},
    {"87: two tables of one shape are both reduced right", reduces_both_of_two},
    {"a table of any strides; padding changes nothing here",
     reads_a_turned_table},
    {"a table on two mesh dimensions", looks_up_on_a_grid},
    {"errors name what is wrong", says_what_is_wrong},
    {"goes back", goes_back},
    {"counts weights", counts_weights},
    {NULL, NULL},
};
