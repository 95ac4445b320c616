/* ranks: 1 2 3 4 */
/* tests/ranks/ops_random.c - the same elements are dropped in every layout. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/ops_moves.h"

#include <math.h>
#include <stdlib.h>

enum { SEED = 20240917 };

static const dt_dtype floats[] = {DT_F32, DT_F64, DT_F16, DT_BF16};

static uint64_t sum_bits(const dt_array *array)
{
    uint64_t sum = 1;
    const unsigned char *data = dt_array_const_data(array);
    for (size_t i = 0; i < dt_array_bytes(array); i++)
        sum = dti_hash_mix(sum, data[i]);
    return sum;
}

/* The sum of what two calls after one another make of a sample. */
static uint64_t drop_twice(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                           dt_shape shape)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_scope *scope = dt_scope_open(world);
    uint64_t sums[2];
    dt_generator *generator = NULL;
    dt_dropout_options options = DT_DROPOUT_OPTIONS_INIT;
    CHECK_OK(world, dt_generator_create(world, SEED, 0, &generator));
    options.generator = generator;
    sample made = make_sample(mesh, layout, dtype, shape);
    for (int i = 0; i < 2; i++) {
        dt_tensor *out = dt_dropout_with(made.tensor, 0.4, true, &options);
        sums[i] = 0;
        if (!CHECKF(out != NULL, "%s", dt_world_error(world)->message))
            continue;
        dt_array *whole = read_whole(out);
        sums[i] = sum_bits(whole);
        dt_array_release(whole);
    }
    CHECK(dt_shape_count(shape) < 20 || !dt_mesh_is_member(mesh) ||
          sums[0] != sums[1]);
    dt_array_release(made.whole);
    dt_generator_release(generator);
    CHECK_OK(world, dt_scope_close(scope));
    return dti_hash_mix(sums[0], sums[1]);
}

/* Sums that were found on one rank. */
static const struct {
    dt_dtype dtype;
    dt_shape shape;
    uint64_t sum;
} wanted[] = {
    {DT_F32, {2, {7, 5}}, 0x63aacc80d7beec9d},
    {DT_F64, {3, {3, 4, 5}}, 0xee2fd3bf566af77f},
    {DT_F16, {2, {13, 3}}, 0x24fc4d5e91ce4fb7},
    {DT_BF16, {1, {41}}, 0xe6d9e9fd2a8b8012},
    {DT_F32, {2, {3, 2500}}, 0x1152abaf77fa4726},
    {DT_F32, {0, {0}}, 0x6d1780d14b471934},
    {DT_F32, {2, {0, 3}}, 0},
};

static void drops_the_same_everywhere(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_list grids = make_meshes(world);
    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        for (int round = 0; round < 12; round++) {
            dt_mesh *mesh = grids.meshes[round % grids.count];
            dt_layout layout =
                draw_layout(mesh, wanted[i].shape.ndim, wanted[i].dtype, &state,
                            DRAW_STRIDED);
            const char *text = dt_layout_text(world, &layout);
            uint64_t sum =
                drop_twice(mesh, text, wanted[i].dtype, wanted[i].shape);
            if (dt_mesh_is_member(mesh))
                CHECKF(sum == wanted[i].sum, "%s of case %d: 0x%016llx", text,
                       (int)i, (unsigned long long)sum);
        }
    release_meshes(&grids);
}

/* What is kept is divided, about as much as the probability says. */
static void divides_what_is_kept(dt_world *world)
{
    line at = open_line(world);
    for (size_t i = 0; i < COUNT_OF(floats); i++) {
        dt_tensor *ones =
            dt_ones(at.mesh, "S(0)", floats[i], DT_SHAPE(100, 100));
        at.calls = calls_so_far(world);
        dt_tensor *out = dt_dropout(ones, 0.75, true);
        check_silent(&at);
        check_layout(out, "S(0)");
        if (!CHECK(out != NULL))
            continue;
        dt_array *whole = read_whole(out), *wide = NULL;
        CHECK_OK(world, dt_array_cast(world, whole, DT_F64, &wide));
        const double *data = dt_array_const_data(wide);
        int kept = 0;
        for (int k = 0; k < 10000; k++) {
            CHECK(data[k] == 0 || data[k] == 4);
            kept += data[k] != 0;
        }
        /* Five standard deviations. */
        CHECKF(abs(kept - 2500) < 217, "%d are kept", kept);
        dt_array_release(wide);
        dt_array_release(whole);
    }
    close_line(&at);
}

static void drops_all_or_none(dt_world *world)
{
    line at = open_line(world);
    sample made = line_sample(&at, "S(0)", DT_SHAPE(5, 3));
    check_moved(dt_dropout(made.tensor, 0, true), dt_array_retain(made.whole));
    check_moved(dt_dropout(made.tensor, 0.5, false),
                dt_array_retain(made.whole));
    dt_tensor *out = dt_dropout(made.tensor, 1, true);
    dt_array *whole = read_whole(out);
    const float *data = dt_array_const_data(whole);
    for (int i = 0; i < 15; i++)
        CHECK(data[i] == 0);
    dt_array_release(whole);
    /* NaN is dropped by no multiplication. */
    dt_tensor *nan = dt_full(at.mesh, "S(0)", DT_F32, DT_SHAPE(4), NAN);
    whole = read_whole(dt_dropout(nan, 1, true));
    data = dt_array_const_data(whole);
    for (int i = 0; i < 4; i++)
        CHECK(isnan(data[i]));
    dt_array_release(whole);
    dt_array_release(made.whole);
    close_line(&at);
}

/* By the index in the tensor, whatever the strides. */
static void drops_by_index(dt_world *world)
{
    line at = open_line(world);
    int64_t n = at.ranks;
    CHECK_OK(world, dt_seed(world, 5));
    dt_tensor *plain = dt_dropout(
        dt_ones(at.mesh, "S(1)", DT_F32, DT_SHAPE(40, 3 * n)), 0.5, true);
    dt_array *whole = read_whole(plain);
    CHECK_OK(world, dt_seed(world, 5));
    dt_tensor *turned = dt_dropout(
        dt_t(dt_ones(at.mesh, "S(1)", DT_F32, DT_SHAPE(3 * n, 40))), 0.5, true);
    check_layout(turned, "S(0)");
    check_moved(turned, dt_array_retain(whole));
    /* In place, too. */
    CHECK_OK(world, dt_seed(world, 5));
    dt_tensor *x = dt_ones(at.mesh, "S(0)", DT_F32, DT_SHAPE(40, 3 * n));
    const void *data = dt_array_const_data(dt_tensor_local(x));
    CHECK(dt_dropout_(x, 0.5, true) == x);
    CHECK(dt_array_const_data(dt_tensor_local(x)) == data);
    check_moved(x, dt_array_retain(whole));
    CHECK_OK(world, dt_seed(world, 5));
    dt_tensor *y = dt_t(dt_ones(at.mesh, "S(0)", DT_F32, DT_SHAPE(3 * n, 40)));
    CHECK(dt_dropout_(y, 0.5, true) == y);
    check_moved(y, dt_array_retain(whole));
    dt_array_release(whole);
    close_line(&at);
}

static void combines_partial_values_first(dt_world *world)
{
    line at = open_line(world);
    sample made = line_sample(&at, "P", DT_SHAPE(20, 3));
    dt_tensor *out = dt_dropout(made.tensor, 0.5, true);
    CHECK(out && (at.ranks == 1 || !dt_spec_is_partial(dt_tensor_spec(out))));
    check_sent(&at);
    CHECK_OK(world, dt_seed(world, 5));
    out = dt_dropout(made.tensor, 0.5, true);
    dt_array *whole = read_whole(out);
    CHECK_OK(world, dt_seed(world, 5));
    check_moved(dt_dropout(dt_redistribute(made.tensor, "S(0)"), 0.5, true),
                whole);
    /* They pass where nothing is dropped. */
    at.calls = calls_so_far(world);
    out = dt_dropout(made.tensor, 0.5, false);
    check_silent(&at);
    check_layout(out, "P(sum)");
    check_moved(out, dt_array_retain(made.whole));
    CHECK_FAILS(world, status_of(world, dt_dropout_(made.tensor, 0.5, true)),
                DT_ERR_INVALID, "dropout");
    dt_array_release(made.whole);
    close_line(&at);
}

static void says_what_is_wrong(dt_world *world)
{
    line at = open_line(world);
    dt_tensor *x = dt_ones(at.mesh, "S(0)", DT_F32, DT_SHAPE(4));
    dt_tensor *i = dt_ones(at.mesh, "S(0)", DT_I32, DT_SHAPE(4));
    CHECK_FAILS(world, status_of(world, dt_dropout(i, 0.5, true)),
                DT_ERR_UNSUPPORTED, "dropout: i32");
    CHECK(dt_dropout(i, 0.5, false) != NULL);
    CHECK(dt_dropout(x, 0.5, true) != NULL);
    CHECK_FAILS(world, status_of(world, dt_dropout(x, 1.5, true)),
                DT_ERR_INVALID, "dropout: p is 1.5");
    close_line(&at);
}

const dt_test dt_tests[] = {
    {"the same elements are dropped in every layout",
     drops_the_same_everywhere},
    {"what is kept is divided", divides_what_is_kept},
    {"all, or none", drops_all_or_none},
    {"elements are dropped by their index, in place too", drops_by_index},
    {"67: partial values are combined before", combines_partial_values_first},
    {"errors name what is wrong", says_what_is_wrong},
    {NULL, NULL},
};
