/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/random/random.c - the same elements are dropped in every
 * layout. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fenv.h>
#include <math.h>
#include <stdlib.h>

#include <dtensor/sys/ops_internal.h>

#include "base/hash.h"
#include "support/tensors.h"

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
        dt_array *whole = read_global(out);
        sums[i] = sum_bits(whole);
        dt_array_release(whole);
    }
    CHECK(dt_shape_count(shape) < 20 || !dt_mesh_is_member(mesh) ||
          sums[0] != sums[1]);
    dt_array_release(made.global);
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
    fixture f = open_fixture(world);
    for (size_t i = 0; i < COUNT_OF(floats); i++) {
        dt_tensor *ones =
            dt_ones(f.mesh, "S(0)", floats[i], DT_SHAPE(100, 100));
        start_counting(&f);
        dt_tensor *out = dt_dropout(ones, 0.75, true);
        check_silent(&f);
        check_layout(out, "S(0)");
        if (!CHECK(out != NULL))
            continue;
        dt_array *whole = read_global(out), *wide = NULL;
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
    close_fixture(&f);
}

static void drops_all_or_none(dt_world *world)
{
    fixture f = open_fixture(world);
    sample made = make_f32(&f, "S(0)", DT_SHAPE(5, 3));
    check_equals(dt_dropout(made.tensor, 0, true),
                 dt_array_retain(made.global));
    check_equals(dt_dropout(made.tensor, 0.5, false),
                 dt_array_retain(made.global));
    dt_tensor *out = dt_dropout(made.tensor, 1, true);
    dt_array *whole = read_global(out);
    const float *data = dt_array_const_data(whole);
    for (int i = 0; i < 15; i++)
        CHECK(data[i] == 0);
    dt_array_release(whole);
    /* NaN is dropped by no multiplication. */
    dt_tensor *nan = dt_full(f.mesh, "S(0)", DT_F32, DT_SHAPE(4), NAN);
    whole = read_global(dt_dropout(nan, 1, true));
    data = dt_array_const_data(whole);
    for (int i = 0; i < 4; i++)
        CHECK(isnan(data[i]));
    dt_array_release(whole);
    dt_array_release(made.global);
    close_fixture(&f);
}

/* By the index in the tensor, whatever the strides. */
static void drops_by_index(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    CHECK_OK(world, dt_seed(world, 5));
    dt_tensor *plain = dt_dropout(
        dt_ones(f.mesh, "S(1)", DT_F32, DT_SHAPE(40, 3 * n)), 0.5, true);
    dt_array *whole = read_global(plain);
    CHECK_OK(world, dt_seed(world, 5));
    dt_tensor *turned = dt_dropout(
        dt_t(dt_ones(f.mesh, "S(1)", DT_F32, DT_SHAPE(3 * n, 40))), 0.5, true);
    check_layout(turned, "S(0)");
    check_equals(turned, dt_array_retain(whole));
    /* In place, too. */
    CHECK_OK(world, dt_seed(world, 5));
    dt_tensor *x = dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(40, 3 * n));
    const void *data = dt_array_const_data(dt_tensor_local(x));
    CHECK(dt_dropout_(x, 0.5, true) == x);
    CHECK(dt_array_const_data(dt_tensor_local(x)) == data);
    check_equals(x, dt_array_retain(whole));
    CHECK_OK(world, dt_seed(world, 5));
    dt_tensor *y = dt_t(dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(3 * n, 40)));
    CHECK(dt_dropout_(y, 0.5, true) == y);
    check_equals(y, dt_array_retain(whole));
    dt_array_release(whole);
    close_fixture(&f);
}

static void combines_partial_values_first(dt_world *world)
{
    fixture f = open_fixture(world);
    sample made = make_f32(&f, "P", DT_SHAPE(20, 3));
    dt_tensor *out = dt_dropout(made.tensor, 0.5, true);
    CHECK(out && (f.ranks == 1 || !dt_spec_is_partial(dt_tensor_spec(out))));
    check_sent(&f);
    CHECK_OK(world, dt_seed(world, 5));
    out = dt_dropout(made.tensor, 0.5, true);
    dt_array *whole = read_global(out);
    CHECK_OK(world, dt_seed(world, 5));
    check_equals(dt_dropout(dt_redistribute(made.tensor, "S(0)"), 0.5, true),
                 whole);
    /* They pass where nothing is dropped. */
    start_counting(&f);
    out = dt_dropout(made.tensor, 0.5, false);
    check_silent(&f);
    check_layout(out, "P(sum)");
    check_equals(out, dt_array_retain(made.global));
    CHECK_FAILS(world, status_of(world, dt_dropout_(made.tensor, 0.5, true)),
                DT_ERR_INVALID, "dropout");
    dt_array_release(made.global);
    close_fixture(&f);
}

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(4));
    dt_tensor *i = dt_ones(f.mesh, "S(0)", DT_I32, DT_SHAPE(4));
    CHECK_FAILS(world, status_of(world, dt_dropout(i, 0.5, true)),
                DT_ERR_UNSUPPORTED, "dropout: self is i32");
    CHECK(dt_dropout(i, 0.5, false) != NULL);
    CHECK(dt_dropout(x, 0.5, true) != NULL);
    CHECK_FAILS(world, status_of(world, dt_dropout(x, 1.5, true)),
                DT_ERR_INVALID, "dropout: p is 1.5");
    close_fixture(&f);
}

/* ---- Every distribution ------------------------------------------------- */

/* Draw over a tensor by one of the operators. */
static dt_tensor *draw_over(int kind, dt_tensor *x)
{
    switch (kind) {
    case 0:
        return dt_normal_(x, 1, 2);
    case 1:
        return dt_uniform_(x, -1, 3);
    case 2:
        return dt_bernoulli_scalar_(x, 0.25);
    case 3:
        return dt_exponential_(x, 2);
    case 4:
        return dt_log_normal_(x, 0, 0.5);
    case 5:
        return dt_geometric_(x, 0.25);
    case 6:
        return dt_cauchy_(x, 0, 1);
    case 7:
        return dt_random_(x, -3, 8);
    case 8:
        return dt_trunc_normal_(x, 0, 1, -1, 2);
    default: /* each element has the same probability */
        return dt_bernoulli_tensor_(
            x, dt_full(dt_world_own_mesh(dt_tensor_world(x)), "R", DT_F32,
                       DT_SHAPE(), 0.5));
    }
}

enum { KINDS = 10 };

/* Element by element the same in every layout and on every mesh, in place and
 * with gaps; and nothing is sent. */
static void draws_the_same_everywhere(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_list grids = make_meshes(world);
    for (int kind = 0; kind < KINDS; kind++)
        for (int round = 0; round < 12; round++) {
            dt_mesh *mesh = grids.meshes[round % grids.count];
            dt_dtype dtype = round % 2 ? DT_F32 : DT_F64;
            dt_shape shape = round % 3 ? DT_SHAPE(7, 5) : DT_SHAPE(3, 2, 41);
            dt_layout layout =
                draw_layout(mesh, shape.ndim, dtype, &state, DRAW_STRIDED);
            bool partial = false;
            for (int i = 0; i < layout.ndim; i++)
                partial |= layout.placements[i].kind == DT_PARTIAL;
            dt_scope *scope = dt_scope_open(world);
            dt_tensor *x =
                dt_zeros(mesh, dt_layout_text(world, &layout), dtype, shape);
            dt_tensor *one =
                dt_zeros(dt_world_own_mesh(world), "R", dtype, shape);
            uint64_t calls = calls_so_far(world);
            CHECK_OK(world, dt_seed(world, SEED));
            dt_tensor *drawn = draw_over(kind, x);
            CHECK_INT((long long)(calls_so_far(world) - calls), 0);
            if (partial && dt_mesh_size(mesh) > 1) {
                CHECK(drawn == NULL);
                DT_IGNORE(dt_scope_close(scope));
                continue;
            }
            CHECK(drawn == x);
            /* A smaller mesh has a generator of its own, with this seed. */
            CHECK_OK(world, dt_seed(world, SEED));
            CHECK(draw_over(kind, one) == one);
            if (dt_mesh_is_member(mesh) && drawn) {
                dt_array *whole = read_global(drawn);
                CHECKF(sum_bits(whole) == sum_bits(dt_tensor_local(one)),
                       "operator %d as %s", kind,
                       dt_layout_text(world, &layout));
                dt_array_release(whole);
            }
            CHECK_OK(world, dt_scope_close(scope));
        }
    release_meshes(&grids);
}

/* What functions of the library draw operators draw too. */
static void draws_as_new_tensors_are_drawn(dt_world *world)
{
    fixture f = open_fixture(world);
    CHECK_OK(world, dt_seed(world, 3));
    dt_array *normal =
        read_global(dt_randn(f.mesh, "S(0)", DT_F32, DT_SHAPE(9, 4)));
    CHECK_OK(world, dt_seed(world, 3));
    dt_tensor *x = dt_zeros(f.mesh, "S(1)", DT_F32, DT_SHAPE(9, 4));
    check_equals(dt_normal_(x, 0, 1), normal);
    dt_tensor *turned = dt_t(dt_zeros(f.mesh, "S(0)", DT_F32, DT_SHAPE(4, 9)));
    CHECK_OK(world, dt_seed(world, 3));
    dt_array *again = read_global(x);
    check_equals(dt_normal_(turned, 0, 1), again);
    close_fixture(&f);
}

/* Means and deviations are about what they are to be. */
static void draws_what_is_asked_for(dt_world *world)
{
    static const double means[] = {1, 1, 0.25, 0.5, 1.1331485, 4, 0, 2};
    static const double deviations[] = {2,      1.1547, 0.433, 0.5,
                                        0.6039, 3.4641, 0,     3.1623};
    fixture f = open_fixture(world);
    for (int kind = 0; kind < 8; kind++) {
        double sum = 0, squares = 0;
        dt_tensor *x = dt_zeros(f.mesh, "S(0)", DT_F64, DT_SHAPE(200, 100));
        dt_array *whole = read_global(draw_over(kind, x));
        const double *data = dt_array_const_data(whole);
        for (int i = 0; i < 20000 && kind != 6; i++) {
            sum += data[i] / 20000;
            squares += data[i] * data[i] / 20000;
        }
        CHECKF(fabs(sum - means[kind]) <= 6 * deviations[kind] / 141,
               "operator %d: a mean of %g", kind, sum);
        CHECKF(fabs(sqrt(squares - sum * sum) - deviations[kind]) <=
                   0.1 * deviations[kind],
               "operator %d: a deviation of %g", kind,
               sqrt(squares - sum * sum));
        dt_array_release(whole);
    }
    close_fixture(&f);
}

/* Each element with a probability of its own, in any layouts of both. */
static void takes_probabilities(dt_world *world)
{
    fixture f = open_fixture(world);
    double chances[300];
    for (int i = 0; i < 300; i++)
        chances[i] = i % 3 / 2.0;
    dt_tensor *p = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(100, 3), chances);
    CHECK_OK(world, dt_seed(world, 3));
    dt_tensor *drawn = dt_bernoulli(p);
    check_layout(drawn, "S(0)");
    double found[300];
    int ones = 0;
    if (read_tensor(drawn, found))
        for (int i = 0; i < 300; i++) {
            CHECK(i % 3 == 1 ? found[i] == 0 || found[i] == 1
                             : found[i] == i % 3 / 2);
            ones += i % 3 == 1 && found[i] == 1;
        }
    CHECKF(abs(ones - 50) < 26, "%d are 1", ones);
    CHECK_OK(world, dt_seed(world, 3));
    dt_tensor *x = dt_zeros(f.mesh, "S(1)", DT_I64, DT_SHAPE(100, 3));
    CHECK(dt_bernoulli_tensor_(x, p) == x);
    check_layout(x, "S(1)");
    check_values(x, found, 300);
    close_fixture(&f);
}

static void refuses_what_is_no_probability(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_mesh *own = dt_world_own_mesh(world);
    const double chances[] = {0.5, 1.5};
    dt_tensor *p = tensor_of(own, "R", DT_F64, DT_SHAPE(2), chances);
    CHECK_FAILS(world, status_of(world, dt_bernoulli(p)), DT_ERR_INVALID,
                "bernoulli: p is 1.5; expected a probability from 0 to 1");
    dt_tensor *nan = dt_full(own, "R", DT_F32, DT_SHAPE(2), NAN);
    CHECK_FAILS(world, status_of(world, dt_bernoulli(nan)), DT_ERR_INVALID,
                "p is nan; expected a probability");
    dt_tensor *wide = dt_zeros(own, "R", DT_F32, DT_SHAPE(2, 2));
    dt_tensor *row = dt_zeros(own, "R", DT_F32, DT_SHAPE(2));
    CHECK_FAILS(world, status_of(world, dt_bernoulli_tensor_(row, wide)),
                DT_ERR_INVALID,
                "p of shape (2, 2) cannot be broadcast to self, of shape (2,)");
    dt_tensor *whole = dt_zeros(own, "R", DT_I32, DT_SHAPE(2));
    CHECK_FAILS(world, status_of(world, dt_bernoulli(whole)),
                DT_ERR_UNSUPPORTED, "p is i32");
    CHECK_FAILS(world, status_of(world, dt_normal_(whole, 0, 1)),
                DT_ERR_UNSUPPORTED, "normal: not supported for dtype i32");
    CHECK_FAILS(world, status_of(world, dt_normal_(row, 0, -1)), DT_ERR_INVALID,
                "-1");
    CHECK_FAILS(world, status_of(world, dt_random_(row, 3, 3)), DT_ERR_INVALID,
                "3");
    DT_IGNORE(dt_scope_close(scope));
}

/* As often as weights say, never where they are 0, the same in every layout. */
static void picks_by_weights(dt_world *world)
{
    fixture f = open_fixture(world);
    double found[1600], more[1600];
    double weights[40];
    for (int i = 0; i < 40; i++)
        weights[i] = i % 4;
    for (int again = 0; again < 2; again++) {
        dt_tensor *w =
            tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(10, 4), weights);
        const int64_t picks = again ? 160 : 3;
        CHECK_OK(world, dt_seed(world, 3));
        start_counting(&f);
        dt_tensor *places = dt_multinomial(w, picks, again);
        check_silent(&f);
        check_layout(places, "S(0)");
        check_dtype(places, DT_I64);
        if (!read_tensor(places, found))
            continue;
        int counts[4] = {0};
        for (int i = 0; i < 10 * picks; i++)
            counts[(int)found[i] & 3]++;
        CHECK(counts[0] == 0);
        for (int i = 0; !again && i < 10; i++)
            CHECK(found[3 * i] + found[3 * i + 1] + found[3 * i + 2] == 6);
        const int often = again ? 800 : 10;
        CHECKF(abs(counts[3] - often) <= (again ? 100 : 0),
               "%d times the heaviest", counts[3]);
        CHECK_OK(world, dt_seed(world, 3));
        w = tensor_of(f.mesh, "S(1)", DT_F32, DT_SHAPE(10, 4), weights);
        if (read_tensor(dt_multinomial(w, picks, again), more))
            for (int i = 0; i < 10 * picks; i++)
                CHECK(found[i] == more[i]);
    }
    dt_mesh *own = dt_world_own_mesh(world);
    dt_tensor *zeros = dt_zeros(own, "R", DT_F32, DT_SHAPE(3));
    CHECK_FAILS(world, status_of(world, dt_multinomial(zeros, 1, true)),
                DT_ERR_INVALID, "too few positive ones");
    CHECK_FAILS(world, status_of(world, dt_multinomial(zeros, 4, false)),
                DT_ERR_INVALID, "4 of 3 categories");
    close_fixture(&f);
}

/* The mask says what was kept, and the gradient goes the same way. */
static void gives_its_mask(dt_world *world)
{
    fixture f = open_fixture(world);
    sample made = make_f32(&f, "S(0)", DT_SHAPE(20, 7));
    dt_tensor *out = NULL, *mask = NULL;
    CHECK_OK(world, dt_seed(world, 3));
    CHECK_OK(world, dt_native_dropout(made.tensor, 0.5, true, &out, &mask));
    check_silent(&f);
    check_layout(mask, "S(0)");
    CHECK_OK(world, dt_seed(world, 3));
    check_equals(dt_dropout(made.tensor, 0.5, true), read_global(out));
    start_counting(&f);
    dt_tensor *back = dt_native_dropout_backward(made.tensor, mask, 2);
    check_layout(back, "S(0)");
    check_silent(&f);
    check_equals(back, read_global(out));
    CHECK_OK(world, dt_native_dropout(made.tensor, 0.5, false, &out, &mask));
    check_equals(out, dt_array_retain(made.global));
    double ones[140];
    read_tensor(mask, ones);
    for (int i = 0; i < 140; i++)
        CHECK(ones[i] == 1);
    CHECK_FAILS(world,
                status_of(world, dt_native_dropout_backward(out, out, 2)),
                DT_ERR_INVALID, "mask is f32");
    dt_array_release(made.global);
    close_fixture(&f);
}

/* Draw by operators that compute with what they draw; the sum of all bits. */
static uint64_t draw_by_operators(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_mesh *own = dt_world_own_mesh(world);
    const dt_shape shape = DT_SHAPE(7, 11);
    uint64_t sum = 1;
    CHECK_OK(world, dt_seed(world, SEED));
    dt_tensor *x = dt_randn(own, "R", DT_F32, shape);
    dt_tensor *weights = dt_rand(own, "R", DT_F32, shape);
    dt_tensor *made[] = {x,
                         weights,
                         dt_bernoulli(weights),
                         dt_multinomial(weights, 5, true),
                         dt_multinomial(weights, 5, false),
                         dt_dropout(x, 0.3, true),
                         dt_normal_(dt_zeros_like(x), 0.1, 0.3),
                         dt_exponential_(dt_zeros_like(x), 0.7)};
    for (size_t i = 0; i < COUNT_OF(made); i++)
        if (CHECK(made[i] != NULL))
            sum = dti_hash_mix(sum, sum_bits(dt_tensor_local(made[i])));
    CHECK_OK(world, dt_scope_close(scope));
    return sum;
}

static void keeps_its_bits_in_every_rounding_mode(dt_world *world)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const uint64_t usual = draw_by_operators(world);
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        fesetround(modes[i]);
        const uint64_t found = draw_by_operators(world);
        CHECK_INT(fegetround(), modes[i]);
        fesetround(FE_TONEAREST);
        CHECKF(found == usual, "mode %zu", i);
    }
}

const dt_test dt_tests[] = {
    {"the same elements are dropped in every layout",
     drops_the_same_everywhere},
    {"what is kept is divided", divides_what_is_kept},
    {"all, or none", drops_all_or_none},
    {"elements are dropped by their index, in place too", drops_by_index},
    {"67: partial values are combined before", combines_partial_values_first},
    {"errors name what is wrong", says_what_is_wrong},
    {"draws the same everywhere", draws_the_same_everywhere},
    {"draws as new tensors are drawn", draws_as_new_tensors_are_drawn},
    {"draws what is asked for", draws_what_is_asked_for},
    {"takes probabilities", takes_probabilities},
    {"refuses what is no probability", refuses_what_is_no_probability},
    {"picks by weights", picks_by_weights},
    {"gives its mask", gives_its_mask},
    {"the same bits in every rounding mode",
     keeps_its_bits_in_every_rounding_mode},
    {NULL, NULL},
};
