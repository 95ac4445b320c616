/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/shape/shape.c - dimensions repeated, cut to triangles,
 * rolled, turned round and padded. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: alias repeat shift triangle */
#include "support/tensors.h"

/* Where the element at an index comes from; false: it is zero.  The offset is
 * that of a diagonal or a roll. */
typedef bool (*origin)(const int64_t *index, dt_shape from, int64_t offset,
                       int64_t *source);

/* What an operator that moves elements should make. */
static dt_array *moved(dt_world *world, const dt_array *from, dt_shape shape,
                       origin find, int64_t offset)
{
    dt_array *out = new_array(world, dt_array_dtype(from), shape);
    int64_t index[DT_MAX_NDIM] = {0}, source[DT_MAX_NDIM];
    if (dt_array_count(out) == 0)
        return out;
    do {
        bool there = find(index, dt_array_shape(from), offset, source);
        write_bits(out, index, there ? read_bits(from, source) : 0);
    } while (next_index(index, shape));
    return out;
}

static bool from_repeated(const int64_t *index, dt_shape from, int64_t offset,
                          int64_t *source)
{
    (void)offset;
    for (int i = 0; i < from.ndim; i++)
        source[i] = index[i] % from.dims[i];
    return true;
}

static bool from_lower(const int64_t *index, dt_shape from, int64_t offset,
                       int64_t *source)
{
    memcpy(source, index, sizeof(int64_t) * (size_t)from.ndim);
    return index[1] <= index[0] + offset;
}

static bool from_upper(const int64_t *index, dt_shape from, int64_t offset,
                       int64_t *source)
{
    memcpy(source, index, sizeof(int64_t) * (size_t)from.ndim);
    return index[1] >= index[0] + offset;
}

static bool from_rolled(const int64_t *index, dt_shape from, int64_t offset,
                        int64_t *source)
{
    source[0] = index[0];
    source[1] = (index[1] - offset + 10 * from.dims[1]) % from.dims[1];
    return true;
}

static bool from_turned(const int64_t *index, dt_shape from, int64_t offset,
                        int64_t *source)
{
    (void)offset;
    source[0] = index[0];
    source[1] = from.dims[1] - 1 - index[1];
    return true;
}

/* ---- repeat ------------------------------------------------------------- */

static void repeats(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    const int64_t down[] = {2, 1}, both[] = {3, 2}, none[] = {1, 0};
    sample made = make_f32(&f, "S(0)", DT_SHAPE(2 * n + 1, 3));
    dt_tensor *out = dt_repeat(made.tensor, down, 2);
    check_silent(&f);
    check_layout(out, "_S(0,2)");
    check_equals(out, moved(world, made.global, DT_SHAPE(4 * n + 2, 3),
                            from_repeated, 0));
    start_counting(&f);
    out = dt_tile(made.tensor, both, 2);
    check_silent(&f);
    check_equals(out, moved(world, made.global, DT_SHAPE(6 * n + 3, 6),
                            from_repeated, 0));
    out = dt_repeat(made.tensor, none, 2);
    CHECK(out && dt_tensor_count(out) == 0);
    dt_array_release(made.global);
    made = make_f32(&f, "P", DT_SHAPE(n, 3));
    out = dt_repeat(made.tensor, down, 2);
    check_silent(&f);
    check_layout(out, "P(sum)");
    check_equals(
        out, moved(world, made.global, DT_SHAPE(2 * n, 3), from_repeated, 0));
    dt_array_release(made.global);
    close_fixture(&f);
}

/* ---- Triangles ---------------------------------------------------------- */

static void cuts_triangles_where_they_lie(dt_world *world)
{
    static const char *const layouts[] = {"R",       "S(0)",    "S(1)",
                                          "_S(0,2)", "_S(1,3)", "P"};
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    dt_shape shape = DT_SHAPE(4 * n + 1, 5 * n + 2);
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (int64_t offset = -9; offset < 10; offset += 3) {
            sample made = make_f32(&f, layouts[i], shape);
            dt_tensor *lower = dt_tril(made.tensor, offset);
            dt_tensor *upper = dt_triu(made.tensor, offset);
            CHECK(dt_tensor_spec(lower) == dt_tensor_spec(made.tensor));
            check_silent(&f);
            check_equals(lower,
                         moved(world, made.global, shape, from_lower, offset));
            check_equals(upper,
                         moved(world, made.global, shape, from_upper, offset));
            start_counting(&f);
            CHECK(dt_tril_(made.tensor, offset) == made.tensor);
            check_silent(&f);
            check_equals(made.tensor,
                         moved(world, made.global, shape, from_lower, offset));
            dt_array_release(made.global);
        }
    close_fixture(&f);
}

static void cuts_triangles_on_grids(dt_world *world)
{
    if (dt_world_size(world) != 4)
        return;
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=2", &mesh));
    dt_shape shape = DT_SHAPE(5, 7);
    const int64_t offset = 1;
    sample made = make_sample(mesh, "S(1)S(0)", DT_F32, shape);
    check_equals(dt_tril(made.tensor, 1),
                 moved(world, made.global, shape, from_lower, offset));
    dt_array_release(made.global);
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* ---- Rolled and turned -------------------------------------------------- */

static void moves_along_what_is_whole(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    static const char *const layouts[] = {"S(0)", "R", "P(max)", "S(1)"};
    const int64_t last = -1;
    dt_shape shape = DT_SHAPE(2 * n + 1, n + 3);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        bool cut = i == 3;
        const int64_t offset = cut ? -2 : 5;
        sample made = make_f32(&f, layouts[i], shape);
        dt_tensor *out = dt_roll(made.tensor, &offset, 1, DT_DIMS(1));
        if (cut)
            check_sent(&f);
        else
            check_silent(&f);
        check_equals(out,
                     moved(world, made.global, shape, from_rolled, offset));
        start_counting(&f);
        out = dt_flip(made.tensor, &last, 1);
        if (cut)
            check_sent(&f);
        else
            check_silent(&f);
        check_equals(out, moved(world, made.global, shape, from_turned, 0));
        dt_array_release(made.global);
    }
    close_fixture(&f);
}

/* ---- Padded ------------------------------------------------------------- */

/* Every rank of a sum would add the number; one does. */
static void pads_partial_values(dt_world *world)
{
    static const char *const layouts[] = {"P",      "P(avg)",     "P(max)",
                                          "P(min)", "P(product)", "S(0)"};
    fixture f = open_fixture(world);
    const int64_t pad[] = {1, 2};
    dt_constant_pad_nd_options options = DT_CONSTANT_PAD_ND_OPTIONS_INIT;
    options.value = dt_real(4);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *of = dt_full(f.mesh, layouts[i], DT_F32, DT_SHAPE(5, 2), 8);
        start_counting(&f);
        dt_tensor *out = dt_constant_pad_nd_with(of, pad, 2, &options);
        check_silent(&f);
        CHECK(out &&
              dt_layout_equal(dt_tensor_layout(out), dt_tensor_layout(of)));
        dt_array *whole = out ? read_global(out) : NULL;
        const float *data = whole ? dt_array_const_data(whole) : NULL;
        for (int k = 0; data && k < 25; k++)
            CHECK(data[k] == (k % 5 == 1 || k % 5 == 2 ? 8 : 4));
        dt_array_release(whole);
    }
    close_fixture(&f);
}

/* ---- The same elements -------------------------------------------------- */

static void copies_only_what_lies_apart(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    const int swapped[] = {1, 0};
    sample made = make_f32(&f, "S(0)", DT_SHAPE(2 * n, 3));
    check_shares_memory(dt_contiguous(made.tensor), made.tensor);
    check_shares_memory(dt_detach(made.tensor), made.tensor);
    check_shares_memory(dt_alias(made.tensor), made.tensor);
    dt_tensor *turned = dt_t(made.tensor);
    dt_tensor *out = dt_contiguous(turned);
    check_layout(out, "S(1)");
    CHECK(dt_array_is_contiguous(dt_tensor_local(out)));
    CHECK_INT(dt_tensor_stride(out, 0), 2 * n);
    check_silent(&f);
    check_equals(out, permuted(world, made.global, swapped));
    CHECK(dt_detach_(made.tensor) == made.tensor);
    check_layout(dt_movedim(made.tensor, DT_DIMS(0), DT_DIMS(-1)), "S(1)");
    check_layout(dt_view_as(made.tensor, made.tensor), "S(0)");
    check_layout(dt_expand_as(made.tensor, made.tensor), "S(0)");
    dt_array_release(made.global);
    close_fixture(&f);
}

static void sees_diagonals(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    sample made = make_f32(&f, "S(0)", DT_SHAPE(n + 1, 4, 3));
    dt_tensor *out = dt_diagonal(made.tensor, -1, 1, 2);
    check_silent(&f);
    check_layout(out, "S(0)");
    CHECK(out && dt_shape_equal(dt_tensor_shape(out), DT_SHAPE(n + 1, 3)));
    dt_array *want = new_array(world, DT_F32, DT_SHAPE(n + 1, 3));
    int64_t index[2] = {0, 0};
    do {
        const int64_t source[] = {index[0], index[1] + 1, index[1]};
        write_bits(want, index, read_bits(made.global, source));
    } while (next_index(index, DT_SHAPE(n + 1, 3)));
    check_equals(out, want);
    dt_array_release(made.global);
    close_fixture(&f);
}

/* Sums of both parts are the parts of the sum; there is no largest. */
static void sees_pairs_as_complex_numbers(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *sum = dt_ones(f.mesh, "P", DT_F32, DT_SHAPE(3, 2));
    dt_tensor *most = dt_ones(f.mesh, "P(max)", DT_F32, DT_SHAPE(3, 2));
    start_counting(&f);
    dt_tensor *out = dt_view_as_complex(sum);
    check_layout(out, "P(sum)");
    check_shares_memory(out, sum);
    check_layout(dt_view_as_real(out), "P(sum)");
    check_silent(&f);
    out = dt_view_as_complex(most);
    check_sent(&f);
    CHECK(out && dt_tensor_dtype(out) == DT_C64);
    dt_array *whole = out ? read_global(out) : NULL;
    const float *data = whole ? dt_array_const_data(whole) : NULL;
    for (int i = 0; data && i < 6; i++)
        CHECK(data[i] == 1);
    dt_array_release(whole);
    close_fixture(&f);
}

/* ---- What is wrong ------------------------------------------------------ */

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t one[] = {1, -1}, dims[] = {0, 0};
    sample made = make_f32(&f, "S(0)", DT_SHAPE(3, 4));
    CHECK_FAILS(world, status_of(world, dt_repeat(made.tensor, one, 1)),
                DT_ERR_INVALID,
                "repeat: repeats has 1 elements for a tensor of 2");
    CHECK_FAILS(world, status_of(world, dt_repeat(made.tensor, one, 2)),
                DT_ERR_INVALID, "repeat: repeats has the element -1");
    CHECK_FAILS(world,
                status_of(world, dt_tril(dt_select(made.tensor, 1, 0), 0)),
                DT_ERR_INVALID,
                "tril: self is a 1-d tensor; expected at least 2 dimensions");
    CHECK_FAILS(world,
                status_of(world, dt_roll(made.tensor, one, 2, DT_DIMS(0))),
                DT_ERR_INVALID, "roll: shifts has 2 elements for 1 dims");
    CHECK_FAILS(world, status_of(world, dt_flip(made.tensor, dims, 2)),
                DT_ERR_INVALID, "flip: dim 0 is listed twice");
    CHECK_FAILS(world,
                status_of(world, dt_constant_pad_nd(made.tensor, one, 1)),
                DT_ERR_INVALID, "constant_pad_nd: pad has 1 elements");
    CHECK_FAILS(world, status_of(world, dt_diagonal(made.tensor, 0, 1, -1)),
                DT_ERR_INVALID,
                "diagonal: dim1 and dim2 are both 1; they must differ");
    CHECK_FAILS(world, status_of(world, dt_view_as_complex(made.tensor)),
                DT_ERR_INVALID, "view_as_complex: self has shape (3, 4)");
    CHECK_FAILS(
        world,
        status_of(world, dt_movedim(made.tensor, DT_DIMS(0), DT_DIMS(0, 1))),
        DT_ERR_INVALID, "movedim: source has 1 dims but destination has 2");
    dt_array_release(made.global);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"52: a cut dimension that is repeated becomes a strided shard", repeats},
    {"triangles are cut where matrices lie", cuts_triangles_where_they_lie},
    {"triangles of matrices on a grid", cuts_triangles_on_grids},
    {"roll and flip send nothing along what is whole",
     moves_along_what_is_whole},
    {"padding of partial values reads back as the number", pads_partial_values},
    {"only what lies apart is copied", copies_only_what_lies_apart},
    {"a diagonal is seen of what is whole", sees_diagonals},
    {"55: complex numbers are seen of sums, not of maxima",
     sees_pairs_as_complex_numbers},
    {"errors name what is wrong", says_what_is_wrong},
    {NULL, NULL},
};
