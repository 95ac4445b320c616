/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/shape/pieces.c - indexes of a dimension that ranks share. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: join slice */
#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

/*
 * What is taken of a dimension that is cut, or put into one, goes from who has
 * it to who shall, in one call, and the result is cut in the same way.
 */

/* Check the layout, the elements and that one call was made, or none where one
 * rank has all. */
static void check_one_call(fixture *f, dt_tensor *tensor, const char *layout,
                           dt_array *view)
{
    CHECK_INT(calls_counted(f), f->ranks > 1);
    check_layout(tensor, layout);
    check_equals(tensor, view);
    start_counting(f);
}

static void takes_pieces(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = 3 * f.ranks + 2;
    sample a = make_f32(&f, "S(0)", DT_SHAPE(n, 3));
    check_one_call(&f, dt_slice(a.tensor, 0, 1, n, 1), "S(0)",
                   sliced(world, a.global, 0, 1, n, 1));
    check_one_call(&f, dt_narrow(a.tensor, 0, n - 3, 2), "S(0)",
                   sliced(world, a.global, 0, n - 3, n - 1, 1));
    check_one_call(&f, dt_slice(a.tensor, 0, 2, 2, 1), "S(0)",
                   sliced(world, a.global, 0, 2, 2, 1));
    check_one_call(&f, dt_select(a.tensor, 0, -1), "R",
                   selected(world, a.global, 0, n - 1));
    /* All of it is seen where it lies. */
    dt_tensor *all = dt_slice(a.tensor, 0, 0, n, 1);
    check_shares_memory(all, a.tensor);
    check_silent(&f);
    dt_array_release(a.global);
    close_fixture(&f);
}

static void takes_along_a_last_dimension(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = 2 * f.ranks + 1;
    sample a = make_f32(&f, "S(2)", DT_SHAPE(2, 3, n));
    check_one_call(&f, dt_narrow(a.tensor, -1, 1, n - 1), "S(2)",
                   sliced(world, a.global, 2, 1, n, 1));
    check_one_call(&f, dt_select(a.tensor, 2, 1), "R",
                   selected(world, a.global, 2, 1));
    /* Also of what lies otherwise than in rows. */
    const int order[] = {2, 0, 1};
    dt_tensor *turned = dt_permute(a.tensor, DT_DIMS(2, 0, 1));
    dt_array *view = permuted(world, a.global, order);
    check_one_call(&f, dt_narrow(turned, 0, 1, n - 1), "S(0)",
                   sliced(world, view, 0, 1, n, 1));
    dt_array_release(view);
    dt_array_release(a.global);
    close_fixture(&f);
}

static void check_pieces(fixture *f, sample a, dt_tensor *const *pieces,
                         const int64_t *sizes, int count)
{
    int64_t first = 0;
    CHECK_INT(calls_counted(f), f->ranks > 1);
    for (int i = 0; i < count; i++) {
        check_layout(pieces[i], "S(1)");
        check_equals(pieces[i],
                     sliced(f->world, a.global, 1, first, first + sizes[i], 1));
        first += sizes[i];
    }
    start_counting(f);
}

static void divides(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = 6 * f.ranks + 1;
    sample a = make_f32(&f, "S(1)", DT_SHAPE(2, n));
    const int64_t thirds = (n - 1) / 3 + 1;
    const int64_t equal[] = {thirds, thirds, n - 2 * thirds};
    const int64_t others[] = {1, n - 3, 0, 2};
    dt_tensor *pieces[4] = {NULL};
    int count = 0;
    CHECK_OK(world, dt_chunk(a.tensor, 3, 1, pieces, 4, &count));
    CHECK_INT(count, 3);
    check_pieces(&f, a, pieces, equal, 3);
    CHECK_OK(world, dt_split(a.tensor, thirds, -1, pieces, 4, &count));
    CHECK_INT(count, 3);
    check_pieces(&f, a, pieces, equal, 3);
    CHECK_OK(world, dt_split_sizes(a.tensor, others, 4, 1, pieces, 4, &count));
    CHECK_INT(count, 4);
    check_pieces(&f, a, pieces, others, 4);
    /* Without room for all, all are counted. */
    CHECK_OK(world, dt_split(a.tensor, 1, 1, pieces, 2, &count));
    CHECK_INT(count, n);
    check_equals(pieces[1], sliced(world, a.global, 1, 1, 2, 1));
    dt_array_release(a.global);
    close_fixture(&f);
}

/* An array with rows of a number before and behind it. */
static dt_array *padded(dt_world *world, dt_array *whole, int64_t before,
                        int64_t behind, double value)
{
    int64_t extent = dt_array_extent(whole, 0);
    dt_array *at = NULL;
    dt_array *out = new_array(
        world, DT_F32,
        DT_SHAPE(before + extent + behind, dt_array_extent(whole, 1)));
    CHECK_OK(world, dt_array_fill(world, out, value));
    at = sliced(world, out, 0, before, before + extent, 1);
    CHECK_OK(world, dt_array_copy(world, whole, at));
    dt_array_release(at);
    return out;
}

static void pads_and_joins(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = 2 * f.ranks + 1;
    const int64_t pad[] = {0, 0, 2, n};
    dt_constant_pad_nd_options seven = DT_CONSTANT_PAD_ND_OPTIONS_INIT;
    seven.value = dt_real(7);
    sample a = make_f32(&f, "S(0)", DT_SHAPE(n, 3));
    check_one_call(&f, dt_constant_pad_nd_with(a.tensor, pad, 4, &seven),
                   "S(0)", padded(world, a.global, 2, n, 7));
    /* What comes back to where a slice was taken. */
    check_one_call(
        &f, dt_slice_backward(a.tensor, DT_SHAPE(n + 4, 3), 0, 1, n + 1, 1),
        "S(0)", padded(world, a.global, 1, 3, 0));
    dt_tensor *both[] = {a.tensor, a.tensor};
    dt_tensor *out = dt_cat(both, 2, 0);
    CHECK_INT(calls_counted(&f), f.ranks > 1 ? 2 : 0);
    check_layout(out, "S(0)");
    dt_array *twice = padded(world, a.global, 0, n, 0);
    dt_array *second = sliced(world, twice, 0, n, 2 * n, 1);
    CHECK_OK(world, dt_array_copy(world, a.global, second));
    dt_array_release(second);
    check_equals(out, twice);
    dt_array_release(a.global);
    close_fixture(&f);
}

/* A gradient that fills the whole is a copy however it is cut: who adds to it
 * does not change what it came from. */
static void gradients_are_copies(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R"};
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(2 * f.ranks, 3);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        sample a = make_f32(&f, layouts[i], shape);
        dt_tensor *back =
            dt_slice_backward(a.tensor, shape, 0, 0, shape.dims[0], 1);
        check_layout(back, layouts[i]);
        check_silent(&f);
        CHECK(dt_zero_(back) == back);
        check_equals(a.tensor, a.global);
    }
    close_fixture(&f);
}

/* Into memory of which rows are not neighbours. */
static void pads_into_a_given_tensor(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks + 1;
    const int64_t pad[] = {0, 0, 1, -1};
    sample a = make_f32(&f, "S(0)", DT_SHAPE(n, 2));
    dt_tensor *wide = dt_zeros(f.mesh, "S(1)", DT_F32, DT_SHAPE(2, n));
    dt_tensor *out = dt_t(wide);
    CHECK(dt_constant_pad_nd_out(a.tensor, pad, 4, out) != NULL);
    dt_array *first = sliced(world, a.global, 0, 0, n - 1, 1);
    check_equals(out, padded(world, first, 1, 0, 0));
    dt_array_release(first);
    dt_array_release(a.global);
    close_fixture(&f);
}

static void rolls(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = 2 * f.ranks + 1;
    const int64_t shift[] = {2};
    sample a = make_f32(&f, "S(0)", DT_SHAPE(n, 3));
    dt_array *whole = padded(world, a.global, 2, 0, 0);
    dt_array *round = sliced(world, whole, 0, n, n + 2, 1);
    dt_array *front = sliced(world, whole, 0, 0, 2, 1);
    CHECK_OK(world, dt_array_copy(world, round, front));
    check_one_call(&f, dt_roll(a.tensor, shift, 1, DT_DIMS(0)), "S(0)",
                   sliced(world, whole, 0, 0, n, 1));
    dt_array_release(front);
    dt_array_release(round);
    dt_array_release(whole);
    dt_array_release(a.global);
    close_fixture(&f);
}

/* A mesh of two dimensions, both or one of which cut, in every order; partial
 * values along the other. */
static void on_grids(dt_world *world)
{
    static const char *const layouts[] = {"S(0)S(0)",    "S(0)[1]S(0)[0]",
                                          "S(0)S(1)",    "P(sum)S(0)",
                                          "_S(0,2)S(0)", "S(1)P(max)"};
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    if (dt_world_size(world) % 2 == 0) {
        CHECK_OK(world, dt_mesh_create(world, "x,y=2", &mesh));
        for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
            sample a = make_sample(mesh, layouts[i], DT_F32, DT_SHAPE(11, 5));
            dt_tensor *pieces[3] = {NULL};
            int count = 0;
            check_equals(dt_narrow(a.tensor, 0, 3, 7),
                         sliced(world, a.global, 0, 3, 10, 1));
            check_equals(dt_select(a.tensor, 0, 6),
                         selected(world, a.global, 0, 6));
            CHECK_OK(world, dt_split(a.tensor, 5, 0, pieces, 3, &count));
            for (int j = 0; j < count; j++)
                check_equals(pieces[j], sliced(world, a.global, 0, 5 * j,
                                               j < 2 ? 5 * j + 5 : 11, 1));
            dt_array_release(a.global);
        }
        dt_mesh_release(mesh);
    }
    CHECK_OK(world, dt_scope_close(scope));
}

/* A rank outside the mesh calls as the others do, and has nothing. */
static void outside_the_mesh(dt_world *world)
{
    int ranks[64], count = 0, size = dt_world_size(world);
    dt_tensor *pieces[2] = {NULL};
    dt_mesh *mesh = NULL;
    if (size == 1)
        return;
    for (int i = 0; i < size - 1; i++)
        ranks[i] = i;
    CHECK_OK(world, dt_mesh_create_from(world, "x", ranks, size - 1, &mesh));
    dt_scope *scope = dt_scope_open(world);
    sample a = make_sample(mesh, "S(0)", DT_F32, DT_SHAPE(9, 2));
    dt_tensor *both[] = {a.tensor, a.tensor};
    dt_tensor *rest = dt_narrow(a.tensor, 0, 1, 8);
    dt_tensor *one = dt_select(a.tensor, 0, 4);
    dt_tensor *joined = dt_cat(both, 2, 0);
    CHECK_OK(world, dt_split(a.tensor, 5, 0, pieces, 2, &count));
    CHECK_INT(count, 2);
    CHECK(rest && one && joined && pieces[0] && pieces[1]);
    if (dt_mesh_is_member(mesh)) {
        check_equals(rest, sliced(world, a.global, 0, 1, 9, 1));
        check_equals(one, selected(world, a.global, 0, 4));
        check_equals(pieces[1], sliced(world, a.global, 0, 5, 9, 1));
        check_equals(dt_narrow(joined, 0, 9, 9),
                     sliced(world, a.global, 0, 0, 9, 1));
    } else {
        CHECK(dt_array_count(dt_tensor_local(one)) == 0);
        CHECK(dt_array_count(dt_tensor_local(pieces[1])) == 0);
        CHECK(dt_shape_equal(dt_tensor_shape(rest), DT_SHAPE(8, 2)));
    }
    dt_array_release(a.global);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Check that this rank has every element of a value that all ranks share: what
 * gathers a tensor reads one replica. */
static void check_each_rank(dt_tensor *tensor, const dt_array *whole)
{
    const float *wanted = dt_array_const_data(whole);
    if (!CHECK(tensor != NULL))
        return;
    const dt_array *local = dt_tensor_local(tensor);
    const float *data = dt_array_const_data(local);
    CHECK_INT(dt_array_count(local), dt_array_count(whole));
    for (int64_t i = 0; data && i < dt_array_count(local); i++)
        CHECKF(data[i] == wanted[i], "element %lld is %g, not %g", (long long)i,
               (double)data[i], (double)wanted[i]);
}

/* The only index of a dimension that is cut lies on one rank, and goes to all
 * though it does not move. */
static void shares_an_only_index(dt_world *world)
{
    static const char *const layouts[] = {"S(0)S(0)", "S(0)[1]S(0)[0]", "S(0)R",
                                          "RS(0)"};
    fixture f = open_fixture(world);
    dt_mesh *grid = NULL;
    sample a = make_f32(&f, "S(0)", DT_SHAPE(1, 4));
    dt_tensor *one = dt_select(a.tensor, 0, 0);
    check_each_rank(one, a.global);
    check_one_call(&f, one, "R", selected(world, a.global, 0, 0));
    sample last = make_f32(&f, "S(2)", DT_SHAPE(2, 3, 1));
    check_each_rank(dt_select(last.tensor, 2, 0), last.global);
    CHECK_OK(world,
             dt_mesh_create(world, f.ranks % 2 ? "x,y=1" : "x,y=2", &grid));
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        sample b = make_sample(grid, layouts[i], DT_F32, DT_SHAPE(1, 4));
        check_each_rank(dt_select(b.tensor, 0, 0), b.global);
        dt_array_release(b.global);
    }
    dt_array_release(a.global);
    dt_array_release(last.global);
    dt_mesh_release(grid);
    close_fixture(&f);
}

/* Bytes: a gather would bring all of it to every rank. */
static void sends_what_changes_ranks(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = 100 * f.ranks;
    dt_scope_options little = DT_SCOPE_OPTIONS_INIT;
    little.budget = "bytes<=24";
    sample a = make_f32(&f, "S(0)", DT_SHAPE(n, 3));
    dt_scope *scope = dt_scope_open_with(world, &little);
    dt_tensor *rest = dt_scope_keep(dt_narrow(a.tensor, 0, 1, n - 1));
    CHECK_OK(world, dt_scope_close(scope));
    check_equals(rest, sliced(world, a.global, 0, 1, n, 1));
    dt_array_release(a.global);
    close_fixture(&f);
}

static void wrong_calls(dt_world *world)
{
    fixture f = open_fixture(world);
    sample a = make_f32(&f, "S(0)", DT_SHAPE(5, 3));
    CHECK_FAILS(world, dt_narrow(a.tensor, 0, 4, 2) ? DT_OK : DT_ERR_INVALID,
                DT_ERR_INVALID,
                "narrow: length 2 from start 4 is out of range for dim 0");
    CHECK_FAILS(world, dt_select(a.tensor, 0, 5) ? DT_OK : DT_ERR_INVALID,
                DT_ERR_INVALID, "select: index 5 is out of range for dim 0");
    CHECK(!dt_narrow(NULL, 0, 0, 1) && !dt_select(NULL, 0, 0));
    check_silent(&f);
    dt_array_release(a.global);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"pieces of what is cut are taken in one call", takes_pieces},
    {"along a last dimension, and of other strides",
     takes_along_a_last_dimension},
    {"all pieces are taken in one call", divides},
    {"numbers are put before and behind, and tensors", pads_and_joins},
    {"gradients are copies", gradients_are_copies},
    {"a given tensor may have any strides", pads_into_a_given_tensor},
    {"what comes round comes in the same call", rolls},
    {"several mesh dimensions cut", on_grids},
    {"an only index goes to every rank", shares_an_only_index},
    {"a rank outside the mesh has nothing", outside_the_mesh},
    {"only what changes ranks is sent", sends_what_changes_ranks},
    {"what is wrong is said before anything is sent", wrong_calls},
    {NULL, NULL},
};
