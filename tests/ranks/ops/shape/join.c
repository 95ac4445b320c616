/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/shape/join.c - tensors joined and divided. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tensors.h"

enum { MANY = 1000, PIECES_MAX = 16 };

/* ---- Joining ------------------------------------------------------------ */

/* The array that cat should make. */
static dt_array *joined(dt_world *world, dt_array *const *parts, int count,
                        int dim, dt_shape shape)
{
    int64_t first = 0;
    dt_array *whole = new_array(world, dt_array_dtype(parts[0]), shape);
    for (int i = 0; i < count; i++) {
        int64_t extent = dt_array_extent(parts[i], dim);
        dt_array *at = sliced(world, whole, dim, first, first + extent, 1);
        CHECK_OK(world, dt_array_copy(world, parts[i], at));
        dt_array_release(at);
        first += extent;
    }
    return whole;
}

static void joins_what_is_cut_elsewhere(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    sample a = make_f32(&f, "S(0)", DT_SHAPE(n + 1, 3));
    sample b = make_f32(&f, "S(0)", DT_SHAPE(n + 1, 2));
    dt_tensor *tensors[] = {a.tensor, b.tensor, a.tensor};
    dt_array *arrays[] = {a.global, b.global, a.global};
    dt_tensor *out = dt_cat(tensors, 3, -1);
    check_silent(&f);
    check_layout(out, "S(0)");
    check_equals(out, joined(world, arrays, 3, 1, DT_SHAPE(n + 1, 8)));
    /* Along what is cut, it is moved first. */
    tensors[1] = tensors[0];
    arrays[1] = arrays[0];
    check_equals(dt_cat(tensors, 2, 0),
                 joined(world, arrays, 2, 0, DT_SHAPE(2 * n + 2, 3)));
    check_sent(&f);
    /* Unless there is nothing to join it with. */
    start_counting(&f);
    check_layout(dt_cat(tensors, 1, 0), "S(0)");
    check_silent(&f);
    dt_array_release(a.global);
    dt_array_release(b.global);
    close_fixture(&f);
}

static void promotes_and_keeps_kinds(dt_world *world)
{
    fixture f = open_fixture(world);
    sample a = make_f32(&f, "P", DT_SHAPE(2, 3));
    sample b = make_f32(&f, "P", DT_SHAPE(2, 3));
    dt_array *wide = NULL;
    dt_tensor *tensors[] = {a.tensor, b.tensor};
    dt_array *arrays[] = {a.global, b.global};
    dt_tensor *out = dt_cat(tensors, 2, 0);
    check_silent(&f);
    check_layout(out, "P(sum)");
    check_equals(out, joined(world, arrays, 2, 0, DT_SHAPE(4, 3)));
    start_counting(&f);
    check_layout(dt_stack(tensors, 2, 1), "P(sum)");
    check_silent(&f);
    /* Converted values may not add up to what is converted. */
    sample c = make_sample(f.mesh, "P", DT_I32, DT_SHAPE(2, 3));
    CHECK_OK(world, dt_array_cast(world, c.global, DT_F32, &wide));
    tensors[0] = c.tensor;
    arrays[0] = wide;
    out = dt_cat(tensors, 2, 0);
    CHECK(out && (f.ranks == 1 || !dt_spec_is_partial(dt_tensor_spec(out))));
    check_equals(out, joined(world, arrays, 2, 0, DT_SHAPE(4, 3)));
    dt_array_release(wide);
    dt_array_release(a.global);
    dt_array_release(b.global);
    dt_array_release(c.global);
    close_fixture(&f);
}

static void stacks(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    static const char *const layouts[] = {"S(1)", "S(0)", "S(0)"};
    sample a = make_f32(&f, "S(0)", DT_SHAPE(n + 1, 3));
    const dt_shape shapes[] = {DT_SHAPE(1, n + 1, 3), DT_SHAPE(n + 1, 1, 3),
                               DT_SHAPE(n + 1, 3, 1)};
    const dt_shape twice[] = {DT_SHAPE(2, n + 1, 3), DT_SHAPE(n + 1, 2, 3),
                              DT_SHAPE(n + 1, 3, 2)};
    dt_tensor *tensors[] = {a.tensor, a.tensor};
    for (int dim = 0; dim < 3; dim++) {
        dt_array *thin = reshaped(world, a.global, shapes[dim]);
        dt_array *arrays[] = {thin, thin};
        start_counting(&f);
        dt_tensor *out = dt_stack(tensors, 2, dim - 3);
        check_silent(&f);
        check_layout(out, layouts[dim]);
        check_equals(out, joined(world, arrays, 2, dim, twice[dim]));
        dt_array_release(thin);
    }
    dt_array_release(a.global);
    close_fixture(&f);
}

/* A list costs what its tensors cost, not their square: this takes long if it
 * does. */
static void joins_many(dt_world *world)
{
    fixture f = open_fixture(world);
    static dt_tensor *tensors_of[8][MANY];
    dt_tensor **tensors = tensors_of[dt_world_rank(world)];
    sample a = make_f32(&f, "S(0)", DT_SHAPE(4, 2));
    for (int i = 0; i < MANY; i++)
        tensors[i] = a.tensor;
    dt_tensor *cat = dt_cat(tensors, MANY, 1);
    dt_tensor *stack = dt_stack(tensors, MANY, 0);
    check_silent(&f);
    check_layout(cat, "S(0)");
    check_layout(stack, "S(1)");
    dt_array *view = NULL, *thin = reshaped(world, a.global, DT_SHAPE(1, 4, 2));
    CHECK_OK(world, dt_array_expand(world, thin, DT_SHAPE(MANY, 4, 2), &view));
    check_equals(stack, dt_array_retain(view));
    const int order[] = {1, 0, 2};
    dt_array *turned = permuted(world, view, order);
    check_equals(cat, reshaped(world, turned, DT_SHAPE(4, 2 * MANY)));
    dt_array_release(turned);
    dt_array_release(view);
    dt_array_release(thin);
    dt_array_release(a.global);
    close_fixture(&f);
}

/* Tensors of shape (0,) are passed over, whatever the others are. */
static void passes_over_nothing(dt_world *world)
{
    fixture f = open_fixture(world);
    static const char *const layouts[] = {"R", "S(0)", "S(1)", "P"};
    int64_t n = f.ranks;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            sample none = make_f32(&f, k ? "S(0)" : "R", DT_SHAPE(0));
            sample a = make_f32(&f, layouts[i], DT_SHAPE(n + 1, 3));
            dt_tensor *tensors[] = {none.tensor, a.tensor, none.tensor,
                                    a.tensor, none.tensor};
            dt_array *arrays[] = {a.global, a.global};
            check_equals(dt_cat(tensors, 5, 0),
                         joined(world, arrays, 2, 0, DT_SHAPE(2 * n + 2, 3)));
            check_equals(dt_cat(tensors, 4, -1),
                         joined(world, arrays, 2, 1, DT_SHAPE(n + 1, 6)));
            check_equals(dt_cat(tensors, 3, 0), dt_array_retain(a.global));
            check_equals(dt_cat(tensors + 1, 2, 1), dt_array_retain(a.global));
            check_equals(dt_cat(tensors, 1, 0), dt_array_retain(none.global));
            dt_array_release(a.global);
            dt_array_release(none.global);
        }
    /* They do not keep others from lying as they do, but do promote. */
    sample none = make_sample(f.mesh, "R", DT_F64, DT_SHAPE(0));
    sample a = make_f32(&f, "S(0)", DT_SHAPE(n + 1, 3));
    dt_tensor *tensors[] = {none.tensor, a.tensor, a.tensor};
    dt_tensor *out = dt_cat(tensors, 3, 1);
    check_silent(&f);
    check_layout(out, "S(0)");
    CHECK(out && dt_tensor_dtype(out) == DT_F64);
    out = dt_cat(tensors, 2, 0);
    check_silent(&f);
    check_layout(out, "S(0)");
    dt_array_release(a.global);
    dt_array_release(none.global);
    close_fixture(&f);
}

/* ---- Dividing ----------------------------------------------------------- */

static void check_pieces(dt_world *world, const sample *made, int dim,
                         dt_tensor **pieces, int count, const int64_t *sizes,
                         const char *layout)
{
    int64_t first = 0;
    for (int i = 0; i < count; i++) {
        if (layout)
            check_layout(pieces[i], layout);
        check_equals(pieces[i], sliced(world, made->global, dim, first,
                                       first + sizes[i], 1));
        first += sizes[i];
    }
    CHECK_INT(first, dt_array_extent(made->global, dim));
}

static void splits(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    dt_tensor *pieces[PIECES_MAX];
    const int64_t sizes[] = {3, 3, 1}, given[] = {1, 0, 6};
    const int64_t chunks[] = {2, 2, 2, 1};
    int count = 0;
    sample made = make_f32(&f, "S(0)", DT_SHAPE(n + 1, 7));
    const float *base = dt_array_const_data(dt_tensor_local(made.tensor));
    CHECK_OK(world, dt_split(made.tensor, 3, 1, pieces, PIECES_MAX, &count));
    CHECK_INT(count, 3);
    check_silent(&f);
    CHECK(!base || dt_array_const_data(dt_tensor_local(pieces[1])) == base + 3);
    check_pieces(world, &made, 1, pieces, count, sizes, "S(0)");
    CHECK_OK(world, dt_split_sizes(made.tensor, given, 3, -1, pieces,
                                   PIECES_MAX, &count));
    CHECK_INT(count, 3);
    check_pieces(world, &made, 1, pieces, count, given, "S(0)");
    CHECK_OK(world, dt_chunk(made.tensor, 4, 1, pieces, PIECES_MAX, &count));
    CHECK_INT(count, 4);
    check_pieces(world, &made, 1, pieces, count, chunks, "S(0)");
    dt_array_release(made.global);
    close_fixture(&f);
}

static void splits_what_is_cut(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *pieces[PIECES_MAX];
    const int64_t sizes[] = {3, 3, 1}, all[] = {7};
    int count = 0;
    sample made = make_f32(&f, "S(0)", DT_SHAPE(7, 2));
    CHECK_OK(world, dt_split(made.tensor, 9, 0, pieces, PIECES_MAX, &count));
    check_silent(&f);
    check_pieces(world, &made, 0, pieces, count, all, "S(0)");
    CHECK_OK(world, dt_split(made.tensor, 3, 0, pieces, PIECES_MAX, &count));
    check_sent(&f);
    check_pieces(world, &made, 0, pieces, count, sizes, NULL);
    dt_array_release(made.global);
    /* Nothing can be divided too. */
    made = make_f32(&f, "S(1)", DT_SHAPE(0, 3));
    CHECK_OK(world, dt_split(made.tensor, 0, 0, pieces, PIECES_MAX, &count));
    CHECK_INT(count, 1);
    CHECK_OK(world, dt_chunk(made.tensor, 3, 0, pieces, PIECES_MAX, &count));
    CHECK_INT(count, 3);
    check_silent(&f);
    dt_array_release(made.global);
    close_fixture(&f);
}

static void unbinds(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *pieces[PIECES_MAX] = {NULL};
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    int count = 0;
    sample made = make_f32(&f, "S(0)", DT_SHAPE(5, 3));
    CHECK_OK(world, dt_unbind(made.tensor, -1, pieces, PIECES_MAX, &count));
    CHECK_INT(count, 3);
    check_silent(&f);
    for (int i = 0; i < 3; i++) {
        check_layout(pieces[i], "S(0)");
        check_equals(pieces[i], selected(world, made.global, 1, i));
    }
    options.mode = DT_SCOPE_STRICT;
    start_counting(&f);
    dt_scope *strict = dt_scope_open_with(world, &options);
    if (f.ranks > 1)
        CHECK_FAILS(world,
                    dt_unbind(made.tensor, 0, pieces, PIECES_MAX, &count),
                    DT_ERR_INVALID, "dt_redistribute(self");
    DT_IGNORE(dt_scope_close(strict));
    check_silent(&f);
    CHECK_OK(world, dt_unbind(made.tensor, 0, pieces, PIECES_MAX, &count));
    CHECK_INT(count, 5);
    check_sent(&f);
    for (int i = 0; i < 5; i++)
        check_equals(pieces[i], selected(world, made.global, 0, i));
    dt_array_release(made.global);
    close_fixture(&f);
}

/* Fewer tensors are put out than there are, if there is no more room. */
static void gives_what_there_is_room_for(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *pieces[2] = {NULL, NULL};
    int count = 0;
    sample made = make_f32(&f, "S(0)", DT_SHAPE(5, 3));
    CHECK_OK(world, dt_split(made.tensor, 1, 1, pieces, 1, &count));
    CHECK_INT(count, 3);
    CHECK(pieces[0] && !pieces[1]);
    dt_array_release(made.global);
    close_fixture(&f);
}

/* ---- What is wrong ------------------------------------------------------ */

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *out[PIECES_MAX];
    int count;
    sample a = make_f32(&f, "S(0)", DT_SHAPE(4, 6));
    sample b = make_f32(&f, "S(0)", DT_SHAPE(5, 7));
    sample c = make_f32(&f, "R", DT_SHAPE());
    dt_tensor *tensors[] = {a.tensor, b.tensor}, *zeros[] = {c.tensor};
    const int64_t less[] = {1, 2}, more[] = {3, 2};
    CHECK_FAILS(
        world, status_of(world, dt_cat(tensors, 2, 0)), DT_ERR_INVALID,
        "cat: tensors[1] has shape (5, 7), tensors[0] has shape (4, 6)");
    CHECK_FAILS(world, status_of(world, dt_cat(tensors, 2, 2)), DT_ERR_INVALID,
                "cat: dimension 2 is out of range for a 2-d tensor");
    CHECK_FAILS(world, status_of(world, dt_cat(zeros, 1, 0)), DT_ERR_INVALID,
                "cat: tensors[0] is 0-d");
    sample none = make_f32(&f, "R", DT_SHAPE(0));
    dt_tensor *mixed[] = {none.tensor, a.tensor, none.tensor, b.tensor};
    CHECK_FAILS(
        world, status_of(world, dt_cat(mixed, 4, 0)), DT_ERR_INVALID,
        "cat: tensors[3] has shape (5, 7), tensors[1] has shape (4, 6)");
    CHECK_FAILS(world, status_of(world, dt_cat(mixed, 3, 2)), DT_ERR_INVALID,
                "cat: dimension 2 is out of range for a 2-d tensor");
    mixed[1] = c.tensor;
    CHECK_FAILS(world, status_of(world, dt_cat(mixed, 2, 0)), DT_ERR_INVALID,
                "cat: tensors[1] is 0-d");
    dt_array_release(none.global);
    CHECK_FAILS(world, status_of(world, dt_stack(tensors, 2, 0)),
                DT_ERR_INVALID,
                "stack: tensors[1] has shape (5, 7) but tensors[0] has shape "
                "(4, 6); they must be equal");
    CHECK_FAILS(world, dt_split(a.tensor, 0, 0, out, PIECES_MAX, &count),
                DT_ERR_INVALID, "split: size is 0, which is invalid for dim 0");
    CHECK_FAILS(world, dt_split(c.tensor, 1, 0, out, PIECES_MAX, &count),
                DT_ERR_INVALID, "split: self is 0-d");
    CHECK_FAILS(world,
                dt_split_sizes(a.tensor, less, 2, 0, out, PIECES_MAX, &count),
                DT_ERR_INVALID,
                "split_sizes: sizes leave 1 indexes of dim 0 over; they must "
                "sum to its extent");
    CHECK_FAILS(world,
                dt_split_sizes(a.tensor, more, 2, 0, out, PIECES_MAX, &count),
                DT_ERR_INVALID, "sizes[1] is 2, but dim 0 has 1 indexes left");
    CHECK_FAILS(world, dt_chunk(a.tensor, 0, 0, out, PIECES_MAX, &count),
                DT_ERR_INVALID, "chunk: pieces is 0");
    dt_array_release(a.global);
    dt_array_release(b.global);
    dt_array_release(c.global);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"cat joins along what is whole", joins_what_is_cut_elsewhere},
    {"partial values of one kind are joined as they are",
     promotes_and_keeps_kinds},
    {"tensors of shape (0,) are passed over", passes_over_nothing},
    {"stack joins along a dimension of its own", stacks},
    {"a thousand tensors are joined in no time", joins_many},
    {"pieces are views", splits},
    {"what is cut is moved before it is divided", splits_what_is_cut},
    {"58: unbind of a cut dimension moves it, not silently", unbinds},
    {"a list is cut to the room there is", gives_what_there_is_room_for},
    {"errors name what is wrong", says_what_is_wrong},
    {NULL, NULL},
};
