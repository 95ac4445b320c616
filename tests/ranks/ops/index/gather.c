/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/index/gather.c - elements named by tensors of indexes. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: equal */
#include <math.h>

#include "support/tensors.h"

/* ---- Indexes ------------------------------------------------------------ */

/* Number i of the indexes below an extent. */
static int64_t index_at(int64_t i, int64_t extent)
{
    return (int64_t)(word_of(3, 0, i) % (uint64_t)extent);
}

/* Indexes below an extent, as an array and as a tensor. */
static sample make_indexes(fixture *f, const char *layout, dt_dtype dtype,
                           dt_shape shape, int64_t extent)
{
    sample made;
    made.global = new_array(f->world, dtype, shape);
    for (int64_t i = 0; i < dt_array_count(made.global); i++) {
        int64_t index = index_at(i, extent);
        if (dtype == DT_I64)
            ((int64_t *)dt_array_data(made.global))[i] = index;
        else
            ((int32_t *)dt_array_data(made.global))[i] = (int32_t)index;
    }
    made.tensor = dt_distribute(f->mesh, layout, dtype, shape, made.global,
                                DT_EVERYWHERE);
    CHECK(made.tensor != NULL);
    start_counting(f);
    return made;
}

static int64_t read_index(const dt_array *indexes, const int64_t *index)
{
    uint64_t bits = read_bits(indexes, index);
    return dt_array_dtype(indexes) == DT_I64 ? (int64_t)bits : (int32_t)bits;
}

/* What gather should make, by its definition. */
static dt_array *gathered(dt_world *world, const dt_array *from, int dim,
                          const dt_array *by)
{
    dt_shape shape = dt_array_shape(by);
    dt_array *out = new_array(world, dt_array_dtype(from), shape);
    int64_t index[DT_MAX_NDIM] = {0};
    if (dt_array_count(out) == 0)
        return out;
    do {
        int64_t source[DT_MAX_NDIM];
        memcpy(source, index, sizeof source);
        source[dim] = read_index(by, index);
        write_bits(out, index, read_bits(from, source));
    } while (next_index(index, shape));
    return out;
}

/* And index_select. */
static dt_array *taken(dt_world *world, const dt_array *from, int dim,
                       const dt_array *by)
{
    dt_shape shape = dt_array_shape(from);
    shape.dims[dim] = dt_array_count(by);
    dt_array *out = new_array(world, dt_array_dtype(from), shape);
    int64_t index[DT_MAX_NDIM] = {0};
    if (dt_array_count(out) == 0)
        return out;
    do {
        int64_t source[DT_MAX_NDIM];
        memcpy(source, index, sizeof source);
        source[dim] = read_index(by, &index[dim]);
        write_bits(out, index, read_bits(from, source));
    } while (next_index(index, shape));
    return out;
}

/* ---- gather ------------------------------------------------------------- */

/* How a tensor and its indexes lie, and what the result is. */
typedef struct gather_case {
    const char *self, *index;
    int dim;
    dt_shape from, by;
    const char *gives; /* NULL: something must be moved */
} gather_case;

static void check_gather(dt_world *world, const gather_case *of)
{
    fixture f = open_fixture(world);
    sample self = make_f32(&f, of->self, of->from);
    sample by =
        make_indexes(&f, of->index, DT_I64, of->by, of->from.dims[of->dim]);
    dt_tensor *out = dt_gather(self.tensor, of->dim, by.tensor);
    if (of->gives) {
        check_silent(&f);
        check_layout(out, of->gives);
    } else {
        check_sent(&f);
    }
    check_equals(out, gathered(world, self.global, of->dim, by.global));
    dt_array_release(self.global);
    dt_array_release(by.global);
    close_fixture(&f);
}

static void gathers(dt_world *world)
{
    int64_t n = dt_world_size(world);
    dt_shape tall = DT_SHAPE(2 * n + 1, 5), wide = DT_SHAPE(3, 5);
    const gather_case cases[] = {
        /* The same dimension of both is cut. */
        {"S(0)", "S(0)", 1, tall, DT_SHAPE(2 * n + 1, 2), "S(0)"},
        /* Indexes are cut, each part finds its own. */
        {"R", "S(0)", 0, tall, DT_SHAPE(2 * n + 1, 5), "S(0)"},
        {"R", "S(1)", 1, wide, DT_SHAPE(3, 2 * n + 1), "S(1)"},
        /* What is looked into is cut. */
        {"S(0)", "R", 0, tall, DT_SHAPE(1, 5), "MaskP(sum)"},
        {"S(0)", "R", 0, tall, DT_SHAPE(7, 5), "MaskP(sum)"},
        {"S(1)", "R", 1, wide, DT_SHAPE(3, 4), "MaskP(sum)"},
        {"_S(0,2)", "R", 0, DT_SHAPE(4 * n, 5), DT_SHAPE(9, 5), "MaskP(sum)"},
        {"_S(0,3)", "R", 0, DT_SHAPE(4 * n + 1, 5), DT_SHAPE(9, 5),
         "MaskP(sum)"},
        {"S(0)", "R", 0, DT_SHAPE(1, 2), DT_SHAPE(4, 2), "MaskP(sum)"},
        /* There are fewer indexes than places for them. */
        {"R", "R", 0, tall, DT_SHAPE(4, 3), "R"},
        {"S(1)", "R", 0, DT_SHAPE(4, 2 * n), DT_SHAPE(4, n), NULL},
        /* None at all. */
        {"S(0)", "R", 0, tall, DT_SHAPE(0, 5), "MaskP(sum)"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_gather(world, &cases[i]);
}

static void gathers_partial_values(dt_world *world)
{
    static const char *const layouts[] = {"P(sum)", "P(avg)", "P(max)"};
    fixture f = open_fixture(world);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        sample self = make_f32(&f, layouts[i], DT_SHAPE(5, 3));
        sample by = make_indexes(&f, "R", DT_I32, DT_SHAPE(4, 3), 5);
        sample few = make_indexes(&f, "R", DT_I32, DT_SHAPE(4), 5);
        dt_tensor *out = dt_gather(self.tensor, 0, by.tensor);
        dt_tensor *rows = dt_index_select(self.tensor, 0, few.tensor);
        check_silent(&f);
        check_layout(out, layouts[i]);
        check_layout(rows, layouts[i]);
        check_equals(out, gathered(world, self.global, 0, by.global));
        check_equals(rows, taken(world, self.global, 0, few.global));
        dt_array_release(self.global);
        dt_array_release(by.global);
        dt_array_release(few.global);
    }
    close_fixture(&f);
}

/* A mask covers what others have, and the sum is what was asked for. */
static void masks_what_others_have(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    sample self = make_f32(&f, "S(0)", DT_SHAPE(2 * n, 3));
    sample by = make_indexes(&f, "R", DT_I64, DT_SHAPE(7), 2 * n);
    dt_tensor *out = dt_index_select(self.tensor, 0, by.tensor);
    const dt_array *mask = out ? dt_tensor_mask(out) : NULL;
    if (n > 1 && CHECK(mask != NULL)) {
        CHECK(dt_shape_equal(dt_array_shape(mask), DT_SHAPE(7)));
        const unsigned char *covered = dt_array_const_data(mask);
        const float *data = dt_array_const_data(dt_tensor_local(out));
        for (int64_t i = 0; i < 7; i++) {
            int64_t index = index_at(i, 2 * n);
            bool here = index / 2 == dt_mesh_coordinate(f.mesh, 0);
            CHECK_INT(covered[i], !here);
            for (int k = 0; !here && k < 3; k++)
                CHECK(data[3 * i + k] == 0);
        }
    }
    dt_trace_counter before = dt_trace_count(world, DT_ALL_REDUCE);
    dt_tensor *whole = dt_redistribute(out, "R");
    if (n > 1)
        CHECK_INT((long long)(dt_trace_count(world, DT_ALL_REDUCE).calls -
                              before.calls),
                  1);
    check_equals(whole, taken(world, self.global, 0, by.global));
    dt_array_release(self.global);
    dt_array_release(by.global);
    close_fixture(&f);
}

/* A view of it is a sum. */
static void sees_masked_values(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    const int order[] = {1, 0};
    sample self = make_f32(&f, "S(0)", DT_SHAPE(2 * n, 3));
    sample by = make_indexes(&f, "R", DT_I64, DT_SHAPE(7), 2 * n);
    dt_tensor *out = dt_index_select(self.tensor, 0, by.tensor);
    dt_tensor *turned = dt_t(out);
    check_silent(&f);
    check_layout(turned, "P(sum)");
    dt_array *rows = taken(world, self.global, 0, by.global);
    check_equals(turned, permuted(world, rows, order));
    /* In place it is one as well. */
    CHECK(dt_t_(out) == out);
    check_layout(out, "P(sum)");
    CHECK(out && dt_tensor_mask(out) == NULL);
    check_equals(out, permuted(world, rows, order));
    dt_array_release(rows);
    dt_array_release(self.global);
    dt_array_release(by.global);
    close_fixture(&f);
}

/* ---- Any layout --------------------------------------------------------- */

static void takes_from_any_layout(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_list grids = make_meshes(world);
    for (int round = 0; round < 240; round++) {
        fixture f = {.world = world,
                     .mesh = grids.meshes[round % grids.count],
                     .scope = dt_scope_open(world)};
        dt_shape from = {.ndim = 1 + below(&state, 3)}, by;
        dt_dtype dtype = draw_dtype(&state);
        int dim = below(&state, from.ndim);
        for (int i = 0; i < from.ndim; i++)
            from.dims[i] = 1 + below(&state, 9);
        bool selects = round % 2;
        by = selects ? DT_SHAPE(below(&state, 9)) : from;
        if (!selects)
            for (int i = 0; i < by.ndim; i++)
                if (i == dim || below(&state, 3) == 0)
                    by.dims[i] = i == dim ? below(&state, 9)
                                          : 1 + below(&state, (int)by.dims[i]);
        dt_layout layout = draw_layout(f.mesh, from.ndim, dtype, &state,
                                       DRAW_PARTIAL | DRAW_STRIDED);
        dt_layout index =
            draw_layout(f.mesh, by.ndim, DT_I64, &state, DRAW_STRIDED);
        sample self =
            make_sample(f.mesh, dt_layout_text(world, &layout), dtype, from);
        sample chosen = make_indexes(&f, dt_layout_text(world, &index),
                                     below(&state, 2) ? DT_I64 : DT_I32, by,
                                     from.dims[dim]);
        bool good =
            selects
                ? check_equals(dt_index_select(self.tensor, dim, chosen.tensor),
                               taken(world, self.global, dim, chosen.global))
                : check_equals(
                      dt_gather(self.tensor, dim, chosen.tensor),
                      gathered(world, self.global, dim, chosen.global));
        check_case(good, f.mesh, dt_layout_text(world, &layout), dtype, from);
        dt_array_release(self.global);
        dt_array_release(chosen.global);
        CHECK_OK(world, dt_scope_close(f.scope));
    }
    release_meshes(&grids);
}

static void takes_from_no_dimensions(dt_world *world)
{
    fixture f = open_fixture(world);
    sample self = make_f32(&f, "R", DT_SHAPE());
    sample none = make_indexes(&f, "R", DT_I64, DT_SHAPE(), 1);
    sample two = make_indexes(&f, "R", DT_I64, DT_SHAPE(2), 1);
    dt_array *pair = NULL;
    check_equals(dt_gather(self.tensor, 0, none.tensor),
                 dt_array_retain(self.global));
    check_equals(dt_index_select(self.tensor, -1, none.tensor),
                 dt_array_retain(self.global));
    CHECK_OK(world, dt_array_expand(world, self.global, DT_SHAPE(2), &pair));
    check_equals(dt_gather(self.tensor, 0, two.tensor), pair);
    CHECK_FAILS(world,
                status_of(world, dt_index_select(self.tensor, 0, two.tensor)),
                DT_ERR_INVALID, "index has shape (2,) for a 0-d tensor");
    dt_array_release(self.global);
    dt_array_release(none.global);
    dt_array_release(two.global);
    close_fixture(&f);
}

/* ---- equal -------------------------------------------------------------- */

static bool ask_equal(dt_tensor *a, dt_tensor *b)
{
    bool equal = false;
    CHECK_OK(dt_tensor_world(a), dt_tensor_equal(a, b, &equal));
    return equal;
}

static void compares_layouts(dt_world *world)
{
    static const char *const layouts[] = {"R", "S(0)", "S(1)", "_S(0,2)", "P"};
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (size_t k = 0; k < COUNT_OF(layouts); k++) {
            sample a = make_f32(&f, layouts[i], DT_SHAPE(2 * n + 1, 3));
            sample b = make_f32(&f, layouts[k], DT_SHAPE(2 * n + 1, 3));
            CHECK(ask_equal(a.tensor, b.tensor));
            /* One element differs, on one rank. */
            dt_array *other = NULL;
            CHECK_OK(world, dt_array_clone(world, a.global, &other));
            ((float *)dt_array_data(other))[6 * n + 2] += 1;
            dt_tensor *c =
                dt_distribute(f.mesh, layouts[k], DT_F32,
                              DT_SHAPE(2 * n + 1, 3), other, DT_EVERYWHERE);
            CHECK(!ask_equal(a.tensor, c));
            dt_array_release(other);
            dt_array_release(a.global);
            dt_array_release(b.global);
        }
    close_fixture(&f);
}

static void compares_parts(dt_world *world)
{
    fixture f = open_fixture(world);
    sample a = make_f32(&f, "S(0)", DT_SHAPE(5, 3));
    sample b = make_f32(&f, "S(0)", DT_SHAPE(5, 3));
    sample c = make_f32(&f, "S(0)", DT_SHAPE(3, 5));
    dt_tensor *answer = dt_equal(a.tensor, b.tensor);
    check_silent(&f);
    check_layout(answer, "P(band)");
    CHECK(answer && dt_tensor_dtype(answer) == DT_BOOL &&
          dt_tensor_ndim(answer) == 0);
    dt_trace_counter before = dt_trace_count(world, DT_ALL_REDUCE);
    CHECK(ask_equal(a.tensor, b.tensor));
    CHECK_INT(
        (long long)(dt_trace_count(world, DT_ALL_REDUCE).calls - before.calls),
        f.ranks > 1);
    CHECK(!ask_equal(a.tensor, c.tensor));
    dt_array_release(a.global);
    dt_array_release(b.global);
    dt_array_release(c.global);
    close_fixture(&f);
}

/* Values of different dtypes are compared as numbers; NaN equals nothing, and
 * a rank outside has nothing to say. */
static void compares_values(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *nan = dt_full(f.mesh, "R", DT_F32, DT_SHAPE(2), NAN);
    dt_tensor *one = dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(4));
    dt_tensor *two = dt_ones(f.mesh, "S(0)", DT_I32, DT_SHAPE(4));
    dt_tensor *half = dt_full(f.mesh, "R", DT_F32, DT_SHAPE(4), 1.5);
    CHECK(!ask_equal(nan, nan));
    CHECK(ask_equal(one, two));
    CHECK(!ask_equal(two, half));
    CHECK(ask_equal(dt_zeros(f.mesh, "S(0)", DT_F32, DT_SHAPE(0, 2)),
                    dt_zeros(f.mesh, "R", DT_F32, DT_SHAPE(0, 2))));
    if (f.ranks > 1) {
        dt_mesh *less = reversed_mesh(world, "a", (int)f.ranks - 1);
        dt_tensor *x = dt_ones(less, "S(0)", DT_F32, DT_SHAPE(4));
        dt_tensor *y = dt_zeros(less, "R", DT_F32, DT_SHAPE(4));
        CHECK(ask_equal(x, x));
        CHECK(ask_equal(x, y) == !dt_mesh_is_member(less));
        dt_mesh_release(less);
    }
    CHECK_FAILS(world, dt_tensor_equal(one, NULL, &(bool){false}),
                DT_ERR_INVALID, "dt_tensor_equal: b is NULL");
    close_fixture(&f);
}

/* ---- What is wrong ------------------------------------------------------ */

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    sample self = make_f32(&f, "R", DT_SHAPE(4, 6));
    sample by = make_indexes(&f, "R", DT_I64, DT_SHAPE(5, 6), 4);
    sample one = make_indexes(&f, "R", DT_I64, DT_SHAPE(4), 4);
    CHECK_FAILS(world, status_of(world, dt_gather(self.tensor, 1, by.tensor)),
                DT_ERR_INVALID,
                "gather: index has shape (5, 6), which exceeds (4, 6)");
    CHECK_FAILS(world, status_of(world, dt_gather(self.tensor, 0, one.tensor)),
                DT_ERR_INVALID, "gather: index has shape (4,)");
    CHECK_FAILS(world, status_of(world, dt_gather(self.tensor, 2, by.tensor)),
                DT_ERR_INVALID,
                "gather: dimension 2 is out of range for a 2-d tensor");
    CHECK_FAILS(world, status_of(world, dt_gather(self.tensor, 0, self.tensor)),
                DT_ERR_UNSUPPORTED, "gather: the indexes are f32");
    CHECK_FAILS(world,
                status_of(world, dt_index_select(self.tensor, 0, by.tensor)),
                DT_ERR_INVALID, "index_select: index has shape (5, 6)");
    /* Ranks without an index know too that there is nothing to take. */
    dt_tensor *nothing = dt_zeros(f.mesh, "R", DT_F32, DT_SHAPE(4, 0));
    dt_tensor *first = dt_zeros(f.mesh, "S(0)", DT_I64, DT_SHAPE(1));
    dt_tensor *value = dt_zeros(f.mesh, "S(0)", DT_F32, DT_SHAPE(1));
    CHECK_FAILS(world, status_of(world, dt_take(nothing, first)),
                DT_ERR_INVALID, "take: self, f32[4, 0] R, is empty");
    CHECK_FAILS(world, status_of(world, dt_put(nothing, first, value, false)),
                DT_ERR_INVALID, "put: self, f32[4, 0] R, is empty");
    dt_array_release(self.global);
    dt_array_release(by.global);
    dt_array_release(one.global);
    close_fixture(&f);
}

/* What lies outside is named on the rank that sees it; the others are told. */
static void refuses_indexes_outside(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    fixture f = open_fixture(world);
    int64_t n = f.ranks, last = -1;
    sample self = make_f32(&f, "R", DT_SHAPE(4, 6));
    for (int round = 0; round < 2; round++) {
        dt_array *whole = new_array(world, DT_I64, DT_SHAPE(2 * n));
        int64_t *data = dt_array_data(whole);
        memset(data, 0, dt_array_bytes(whole));
        data[2 * n - 1] = round ? 4 : last;
        dt_tensor *by = dt_distribute(f.mesh, "S(0)", DT_I64, DT_SHAPE(2 * n),
                                      whole, DT_EVERYWHERE);
        dt_tensor *out = dt_index_select(self.tensor, 0, by);
        bool sees = dt_mesh_coordinate(f.mesh, 0) == n - 1;
        if (sees) {
            CHECK(out == NULL);
            CHECK(strstr(dt_world_error(world)->message,
                         round ? "index_select: index 4 is out of range for "
                                 "dimension 0 of extent 4"
                               : "index -1 is out of range"));
        }
        dt_status status = out ? dt_group_barrier(dt_world_group(world))
                               : dt_world_error(world)->code;
        CHECK(n == 1 || status == (sees ? DT_ERR_INVALID : DT_ERR_PEER));
        if (n > 1)
            CHECK_OK(world, dt_world_recover(world));
        dt_array_release(whole);
    }
    dt_array_release(self.global);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"76: gather of what is cut, by what is cut", gathers},
    {"partial values of every kind are gathered", gathers_partial_values},
    {"76: what other ranks have is masked", masks_what_others_have},
    {"a view of masked values is a sum", sees_masked_values},
    {"any layout can be taken from", takes_from_any_layout},
    {"0-d tensors count as one element", takes_from_no_dimensions},
    {"75: equal compares tensors of any two layouts", compares_layouts},
    {"75: parts are compared, and the verdict reduced once", compares_parts},
    {"equal compares numbers", compares_values},
    {"errors name what is wrong", says_what_is_wrong},
    {"indexes outside are refused on all ranks", refuses_indexes_outside},
    {NULL, NULL},
};
