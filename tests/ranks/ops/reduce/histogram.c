/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/reduce/histogram.c - how often elements occur; rows that are
 * masked whole. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tensors.h"

enum { COUNT = 41, BINS = 6 };

static dt_tensor *histogram(dt_tensor *x, int64_t bins, double low, double high)
{
    dt_histc_options options = DT_HISTC_OPTIONS_INIT;
    options.bins = bins;
    options.min = dt_real(low);
    options.max = dt_real(high);
    return dt_histc_with(x, &options);
}

/* A failure that all ranks saw leaves nothing behind. */
static void check_usable(fixture *f)
{
    const double ones[] = {1, 1, 1, 1, 1};
    dt_tensor *x = dt_ones(f->mesh, "S(0)", DT_F32, DT_SHAPE(5));
    check_values(dt_redistribute(x, "R"), ones, 5);
}

static void expect(double low, double high, double *wanted)
{
    memset(wanted, 0, BINS * sizeof *wanted);
    for (int i = 0; i < COUNT; i++) {
        const double x = value_at(i);
        if (x < low || x > high)
            continue;
        const int bin = (int)((x - low) * BINS / (high - low));
        wanted[bin < BINS ? bin : BINS - 1]++;
    }
}

/* Every rank counts its part: nothing is sent, and counts are partial. */
static void bins_of_known_bounds(dt_world *world)
{
    fixture f = open_fixture(world);
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
    double wanted[BINS];
    expect(-3, 9, wanted);
    for (int i = 0; i < 4; i++) {
        dt_tensor *x = make_tensor(&f, "S(0)", dtypes[i], DT_SHAPE(COUNT));
        dt_tensor *found = histogram(x, BINS, -3, 9);
        check_silent(&f);
        check_layout(found, "P(sum)");
        check_dtype(found, dtypes[i]);
        check_values(found, wanted, BINS);
    }
    close_fixture(&f);
}

/* Equal bounds: the least and the greatest are asked for first. */
static void bins_of_all_elements(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[BINS], low = value_at(0), high = low;
    for (int i = 0; i < COUNT; i++) {
        low = fmin(low, value_at(i));
        high = fmax(high, value_at(i));
    }
    expect(low, high, wanted);
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F64, DT_SHAPE(COUNT));
    start_counting(&f);
    dt_tensor *found = histogram(x, BINS, 0, 0);
    CHECK(calls_counted(&f) <= 2);
    check_values(found, wanted, BINS);
    const double same[] = {5, 5}, middle[] = {0, 2, 0}, none[] = {0, 0, 0};
    check_values(histogram(tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(2), same),
                           3, 0, 0),
                 middle, 3);
    check_values(
        histogram(tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(0), same), 3, 0, 0),
        none, 3);
    close_fixture(&f);
}

/* Bounds are what elements can be compared with: f32 does not tell these
 * apart, and what is between the least and the greatest element is counted. */
static void bounds_of_the_dtype(dt_world *world)
{
    fixture f = open_fixture(world);
    const double same[] = {1, 1}, large[] = {16777216, 16777216};
    const double first[] = {2, 0, 0}, middle[] = {0, 2, 0}, last[] = {0, 0, 2};
    static const dt_dtype dtypes[] = {DT_F64, DT_F32, DT_F16, DT_BF16};
    for (int i = 0; i < 4; i++)
        check_values(
            histogram(tensor_of(f.mesh, "S(0)", dtypes[i], DT_SHAPE(2), same),
                      3, 1, 1 + 1e-12),
            i == 0 ? first : middle, 3);
    check_values(
        histogram(tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(2), large), 3, 0,
                  0),
        last, 3);
    close_fixture(&f);
}

static void large_bounds(dt_world *world)
{
    fixture f = open_fixture(world);
    const double x[] = {-3e38, -1e38, 0, 1.9e38, 3e38};
    const double wide[] = {1, 1, 1, 2}, half[] = {1, 0, 0, 1};
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_BF16};
    for (int i = 0; i < 3; i++) {
        dt_tensor *self = tensor_of(f.mesh, "S(0)", dtypes[i], DT_SHAPE(5), x);
        check_values(histogram(self, 4, -3.2e38, 3.2e38), wide, 4);
        check_values(histogram(self, 4, 0, 2e38), half, 4);
    }
    close_fixture(&f);
}

/* Elements that one more and one less are not different from. */
static void bounds_that_stay_equal(dt_world *world)
{
    fixture f = open_fixture(world);
    const double x[] = {INFINITY, 1e20, 18014398509481984.0};
    static const dt_dtype dtypes[] = {DT_F32, DT_F32, DT_F64};
    static const char *const said[] = {"histc: min is inf and max is inf; ",
                                       "histc: min is 1e+20 and max is 1e+20; ",
                                       "histc: min is 1.80144e+16 and max is "};
    for (int i = 0; i < 3; i++) {
        dt_tensor *same = dt_full(f.mesh, "S(0)", dtypes[i], DT_SHAPE(5), x[i]);
        CHECK_FAILS(world, status_of(world, dt_histc(same)), DT_ERR_INVALID,
                    said[i]);
    }
    check_usable(&f);
    close_fixture(&f);
}

static void numbers_are_counted(dt_world *world)
{
    fixture f = open_fixture(world);
    double values[COUNT], weights[COUNT], counts[24] = {0}, sums[24] = {0};
    for (int i = 0; i < COUNT; i++) {
        values[i] = value_at(i) + 9;
        weights[i] = 0.5 * i;
        counts[(int)values[i]]++;
        sums[(int)values[i]] += weights[i];
    }
    dt_bincount_options options = DT_BINCOUNT_OPTIONS_INIT;
    options.minlength = 24;
    for (int cut = 0; cut < 2; cut++) {
        const char *layout = cut ? "S(0)" : "R";
        dt_tensor *x =
            tensor_of(f.mesh, layout, DT_I32, DT_SHAPE(COUNT), values);
        dt_tensor *w =
            tensor_of(f.mesh, layout, DT_F64, DT_SHAPE(COUNT), weights);
        dt_tensor *found = dt_bincount(x, NULL);
        check_dtype(found, DT_I64);
        check_values(found, counts, 23);
        start_counting(&f);
        found = dt_bincount_with(x, w, &options);
        CHECK(calls_counted(&f) <= 2);
        check_layout(found, cut ? "P(sum)" : "R");
        check_values(found, sums, 24);
    }
    close_fixture(&f);
}

/* A lookup in a table that is cut: ranks have zeros for what others have. */
static dt_tensor *look_up(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                          const double *table, dt_tensor *index, bool gathers)
{
    dt_tensor *rows = tensor_of(mesh, layout, dtype, DT_SHAPE(8), table);
    dt_tensor *found =
        gathers ? dt_gather(rows, 0, index) : dt_index_select(rows, 0, index);
    CHECK(found && (dt_mesh_size(mesh) == 1 ||
                    dt_spec_is_partial(dt_tensor_spec(found))));
    return found;
}

static void check_lookups(dt_mesh *mesh, const char *rows, const char *index)
{
    const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const double values[] = {3, 1, 4, 1, 5, 2, 6, 5, 3};
    const double halves[] = {0, 1, 2, 3, 0.5, 1.5, 2.5, 4};
    const double counts[] = {0, 0, 2, 1, 2, 1, 2, 1};
    const double sums[] = {0, 0, 2, 2, 6, 0.5, 3, 2.5};
    dt_tensor *by = tensor_of(mesh, index, DT_I64, DT_SHAPE(9), values);
    for (int gathers = 0; gathers < 2; gathers++) {
        dt_tensor *x = look_up(mesh, rows, DT_I64, numbers, by, gathers);
        dt_tensor *w = look_up(mesh, rows, DT_F32, halves, by, gathers);
        dt_tensor *whole = dt_redistribute(w, index);
        dt_tensor *plain = dt_redistribute(x, index);
        check_values(dt_bincount(x, NULL), counts, 8);
        check_values(dt_bincount(x, w), sums, 8);
        check_values(dt_bincount(x, whole), sums, 8);
        check_values(dt_bincount(plain, w), sums, 8);
    }
}

static void lookups_are_counted(dt_world *world)
{
    fixture f = open_fixture(world);
    check_lookups(f.mesh, "S(0)", "R");
    if (f.ranks == 4) {
        dt_mesh *mesh = NULL;
        CHECK_OK(world, dt_mesh_create(world, "a=2,b=2", &mesh));
        check_lookups(mesh, "S(0)R", "RR");
        check_lookups(mesh, "S(0)R", "RS(0)");
        check_lookups(mesh, "S(0)S(0)", "RR");
        dt_mesh_release(mesh);
    }
    close_fixture(&f);
}

/* How many counts there are is not known outside the mesh. */
static void others_count_nothing(dt_world *world)
{
    dt_mesh *mesh = mesh_without_last(world);
    if (!mesh)
        return;
    dt_scope *scope = dt_scope_open(world);
    const bool inside = dt_mesh_is_member(mesh);
    dt_bincount_options options = DT_BINCOUNT_OPTIONS_INIT;
    options.minlength = 6;
    dt_tensor *x = dt_arange_int(mesh, "S(0)", DT_I64, 0, 5, 1);
    dt_tensor *w = dt_ones(mesh, "R", DT_F32, DT_SHAPE(5));
    dt_tensor *none = dt_zeros(mesh, "S(0)", DT_I64, DT_SHAPE(0));
    CHECK_INT(dt_tensor_count(dt_bincount(x, NULL)), inside ? 5 : 0);
    CHECK_INT(dt_tensor_count(dt_bincount(x, w)), inside ? 5 : 0);
    CHECK_INT(dt_tensor_count(dt_bincount_with(x, w, &options)),
              inside ? 6 : 0);
    CHECK_INT(dt_tensor_count(dt_bincount_with(none, NULL, &options)), 6);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* What is wrong on all ranks is said before anything is sent. */
static void strict_scopes_stay_usable(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    dt_tensor *x = dt_ones(f.mesh, "S(0)", DT_I64, DT_SHAPE(6));
    dt_tensor *w = dt_ones(f.mesh, "R", DT_F32, DT_SHAPE(6));
    options.mode = DT_SCOPE_STRICT;
    dt_scope *strict = dt_scope_open_with(world, &options);
    start_counting(&f);
    CHECK_FAILS(
        world, status_of(world, dt_bincount(x, w)), DT_ERR_INVALID,
        "bincount: f32[6] R would be redistributed implicitly, which this "
        "scope does not allow; write dt_redistribute(tensor, \"S(0)\")");
    check_silent(&f);
    DT_IGNORE(dt_scope_close(strict));
    check_usable(&f);
    close_fixture(&f);
}

static void too_many_counts(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_bincount_options options = DT_BINCOUNT_OPTIONS_INIT;
    options.minlength = INT64_MAX;
    dt_tensor *x = dt_full_int(f.mesh, "S(0)", DT_I64, DT_SHAPE(4), INT64_MAX);
    CHECK_FAILS(world, status_of(world, dt_bincount(x, NULL)), DT_ERR_INVALID,
                "bincount: self has the element 9223372036854775807; the "
                "result can have at most");
    CHECK_FAILS(world, status_of(world, dt_bincount_with(x, NULL, &options)),
                DT_ERR_INVALID,
                "bincount: minlength is 9223372036854775807; the maximum is");
    check_usable(&f);
    close_fixture(&f);
}

static void refused(dt_world *world)
{
    fixture f = open_fixture(world);
    const double below[] = {3, -1}, unknown[] = {NAN, 1};
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_I64, DT_SHAPE(2), below);
    dt_tensor *u = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(2), unknown);
    dt_tensor *w = make_tensor(&f, "R", DT_F32, DT_SHAPE(3));
    CHECK_FAILS(world, status_of(world, dt_bincount(x, NULL)), DT_ERR_INVALID,
                "bincount: self has the element -1; expected no negative ones");
    CHECK_FAILS(world, status_of(world, dt_bincount(w, NULL)),
                DT_ERR_UNSUPPORTED, "bincount: not supported for dtype f32");
    CHECK_FAILS(world, status_of(world, dt_bincount(x, w)), DT_ERR_INVALID,
                "bincount: weights has shape (3,), but self has shape (2,)");
    dt_tensor *own =
        dt_ones(dt_world_own_mesh(world), "R", DT_F32, DT_SHAPE(2));
    if (f.ranks > 1)
        CHECK_FAILS(world, status_of(world, dt_bincount(x, own)),
                    DT_ERR_INVALID,
                    "bincount: weights, f32[2] R, is on a different mesh");
    CHECK_FAILS(world, status_of(world, dt_histc(x)), DT_ERR_UNSUPPORTED,
                "histc: not supported for dtype i64");
    CHECK_FAILS(world, status_of(world, dt_histc(u)), DT_ERR_INVALID,
                "histc: min is nan and max is nan; expected finite numbers");
    CHECK_FAILS(world, status_of(world, histogram(w, 3, 2, 1)), DT_ERR_INVALID,
                "histc: min is 2 and max is 1");
    CHECK_FAILS(world, status_of(world, histogram(w, 3, -1e300, 1e300)),
                DT_ERR_INVALID, "histc: min is -inf and max is inf");
    CHECK_FAILS(world, status_of(world, histogram(w, 0, 0, 1)), DT_ERR_INVALID,
                "histc: bins is 0");
    close_fixture(&f);
}

/* As softmax, and zeros where that divides nothing by nothing. */
static void masked_rows_are_zero(dt_world *world)
{
    fixture f = open_fixture(world);
    const double low = -INFINITY;
    const double values[] = {low, low, low, low, 0, 0, low, low, 1, 1, 1, 1};
    const double wanted[] = {0, 0, 0,    0,    0.5,  0.5,
                             0, 0, 0.25, 0.25, 0.25, 0.25};
    static const char *const layouts[] = {"R", "S(0)", "S(1)"};
    for (int i = 0; i < 3; i++) {
        dt_tensor *x =
            tensor_of(f.mesh, layouts[i], DT_F32, DT_SHAPE(3, 4), values);
        dt_tensor *y = dt_safe_softmax(x, -1);
        check_layout(y, layouts[i]);
        check_values(y, wanted, 12);
    }
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"bins of known bounds", bins_of_known_bounds},
    {"bins of all elements", bins_of_all_elements},
    {"bounds of the dtype", bounds_of_the_dtype},
    {"large bounds", large_bounds},
    {"bounds that stay equal", bounds_that_stay_equal},
    {"numbers are counted", numbers_are_counted},
    {"lookups are counted", lookups_are_counted},
    {"others count nothing", others_count_nothing},
    {"strict scopes stay usable", strict_scopes_stay_usable},
    {"too many counts", too_many_counts},
    {"refused", refused},
    {"masked rows are zero", masked_rows_are_zero},
    {NULL, NULL},
};
