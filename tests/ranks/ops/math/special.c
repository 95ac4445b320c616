/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/math/special.c - the gamma function and its kin, and
 * inverses. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tensors.h"

static const char *const layouts[] = {"R", "S(0)"};

#define EULER 0.57721566490153286061
#define PI 3.14159265358979323846
#define ZETA_3 1.20205690315959428540

typedef dt_tensor *(*function)(dt_tensor *self);

static dt_tensor *trigamma(dt_tensor *self)
{
    return dt_polygamma(1, self);
}

static dt_tensor *tetragamma(dt_tensor *self)
{
    return dt_polygamma(2, self);
}

/* Numbers that are known, and what functions of them are. */
typedef struct known {
    function apply;
    int count;
    double x[8], y[8];
} known;

static void knows_values(dt_world *world)
{
    static const double inf = INFINITY;
    const known all[] = {
        {dt_lgamma,
         8,
         {1, 2, 0.5, 4, -0.5, 0, -3, -inf},
         {0, 0, log(sqrt(PI)), log(6), log(2 * sqrt(PI)), inf, inf, inf}},
        {dt_digamma,
         8,
         {1, 2, 0.5, -0.5, 0, -2, inf, NAN},
         {-EULER, 1 - EULER, -EULER - 2 * log(2), 2 - EULER - 2 * log(2), -inf,
          NAN, inf, NAN}},
        {trigamma,
         6,
         {1, 2, 0.5, -0.5, -1, inf},
         {PI * PI / 6, PI * PI / 6 - 1, PI * PI / 2, PI * PI / 2 + 4, inf, 0}},
        {tetragamma,
         4,
         {1, 2, 0.5, 0},
         {-2 * ZETA_3, 2 - 2 * ZETA_3, -14 * ZETA_3, -inf}},
        {dt_erfinv,
         6,
         {0, 1, -1, 1.5, 0.5, -0.9375},
         {0, inf, -inf, NAN, 0.47693627620446987, -1.3171503349861307}},
        {dt_special_ndtr,
         4,
         {0, -inf, inf, -1},
         {0.5, 0, 1, erfc(sqrt(0.5)) / 2}},
        {dt_special_entr,
         5,
         {0, 1, 0.5, -1, NAN},
         {0, 0, log(2) / 2, -inf, NAN}},
    };
    static const dt_dtype dtypes[] = {DT_F32, DT_F64};
    fixture f = open_fixture(world);
    for (size_t i = 0; i < COUNT_OF(all); i++)
        for (size_t l = 0; l < COUNT_OF(layouts); l++)
            for (size_t d = 0; d < COUNT_OF(dtypes); d++) {
                dt_tensor *x = tensor_of(f.mesh, layouts[l], dtypes[d],
                                         DT_SHAPE(all[i].count), all[i].x);
                start_counting(&f);
                dt_tensor *y = all[i].apply(x);
                check_silent(&f);
                check_layout(y, layouts[l]);
                check_dtype(y, dtypes[d]);
                check_values(y, all[i].y, all[i].count);
            }
    close_fixture(&f);
}

/* The largest of parts has the largest place in a distribution. */
static void passes_partial_values(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[6];
    dt_tensor *x = make_tensor(&f, "P(max)", DT_F32, DT_SHAPE(6));
    for (int i = 0; i < 6; i++)
        wanted[i] = erfc(-value_at(i) * sqrt(0.5)) / 2;
    dt_tensor *y = dt_special_ndtr(x);
    check_silent(&f);
    check_layout(y, "P(max)");
    check_values(y, wanted, 6);
    close_fixture(&f);
}

static void counts_integers_as_floats(dt_world *world)
{
    fixture f = open_fixture(world);
    const double x[] = {0, 3, 1}, y[] = {-1, 0, NAN};
    const double gamma[] = {INFINITY, log(2), 0}, product[] = {0, 0, NAN};
    dt_tensor *whole = tensor_of(f.mesh, "S(0)", DT_I16, DT_SHAPE(3), x);
    dt_tensor *other = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(3), y);
    check_dtype(dt_lgamma(whole), DT_F32);
    check_values(dt_lgamma(whole), gamma, 3);
    check_values(dt_special_xlog1py(whole, other), product, 3);
    CHECK_FAILS(world, status_of(world, dt_polygamma(-1, other)),
                DT_ERR_INVALID, "polygamma: n is -1; must not be negative");
    CHECK_FAILS(
        world,
        status_of(world, dt_erfinv(dt_zeros(f.mesh, "R", DT_C64, DT_SHAPE(2)))),
        DT_ERR_UNSUPPORTED, "erfinv: not supported for dtype c64");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"values that are known", knows_values},
    {"the greatest of parts stay so", passes_partial_values},
    {"integers become floats, and errors", counts_integers_as_floats},
    {NULL, NULL},
};
