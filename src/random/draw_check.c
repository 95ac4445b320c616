/* random/draw_check.c - what a draw may be asked for, and getting it ready. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "array/cast.h"
#include "base/error.h"
#include "base/machine/float.h"
#include "random/draw_kernels.h"
#include "random/lanes_portable.h"
#include "random/math_tmpl.h"

/* ---- Numbers of a dtype ------------------------------------------------- */

/* The nearest number of a float dtype. */
static double nearest(dt_dtype dtype, double value)
{
    uint64_t room;
    double back;
    dti_cast(&value, DT_F64, &room, dtype, 1);
    dti_cast(&room, dtype, &back, DT_F64, 1);
    return back;
}

/* The number before one of a float dtype. */
static double before(dt_dtype dtype, double value)
{
    uint16_t half;
    if (dtype == DT_F64)
        return nextafter(value, -INFINITY);
    if (dtype == DT_F32)
        return (double)nextafterf((float)value, -INFINITY);
    dti_cast(&value, DT_F64, &half, dtype, 1);
    if (value == 0)
        half = 0x8001;
    else
        half = (uint16_t)(half + (value < 0 ? 1 : -1));
    dti_cast(&half, dtype, &value, DT_F64, 1);
    return value;
}

static double largest_up_to(dt_dtype dtype, double bound)
{
    const double near = nearest(dtype, bound);
    return near > bound ? before(dtype, near) : near;
}

/* ---- Refusing ----------------------------------------------------------- */

static const char *const names[DTI_DISTRIBUTION_COUNT] = {
    [DTI_UNIFORM] = "uniform",
    [DTI_NORMAL] = "normal",
    [DTI_LOG_NORMAL] = "log-normal",
    [DTI_TRUNCATED_NORMAL] = "truncated normal",
    [DTI_EXPONENTIAL] = "exponential",
    [DTI_CAUCHY] = "Cauchy",
    [DTI_GEOMETRIC] = "geometric",
    [DTI_BERNOULLI] = "Bernoulli",
    [DTI_RANDINT] = "randint",
};

const char *dti_distribution_name(dti_distribution kind)
{
    return (unsigned)kind < DTI_DISTRIBUTION_COUNT ? names[kind] : "invalid";
}

static dt_status refuse_dtype(dt_world *world, const dti_draw *draw,
                              const char *takes)
{
    return dti_fail(world, DT_ERR_UNSUPPORTED,
                    "%s: not supported for dtype %s; expected %s",
                    names[draw->kind], dt_dtype_name(draw->dtype), takes);
}

/* What a draw of this dtype is computed in. */
static dt_dtype carrier_of(dt_dtype dtype)
{
    return dtype == DT_F64 ? DT_F64 : DT_F32;
}

static dt_status check_float(dt_world *world, const dti_draw *draw,
                             bool complex)
{
    if (dt_dtype_kind_of(draw->dtype) == DT_KIND_FLOAT ||
        (complex && draw->dtype == DT_C64))
        return DT_OK;
    return refuse_dtype(world, draw,
                        complex ? "f32, f64, f16, bf16 and c64"
                                : "f32, f64, f16 and bf16");
}

/* Check that a parameter is a number that the dtype can be drawn with. */
static dt_status check_finite(dt_world *world, const dti_draw *draw,
                              const char *parameter, double value)
{
    const dt_dtype carrier = carrier_of(draw->dtype);
    if (isfinite(value) && isfinite(nearest(carrier, value)))
        return DT_OK;
    return dti_fail(world, DT_ERR_INVALID,
                    "%s for dtype %s: %s %g cannot be represented in %s",
                    names[draw->kind], dt_dtype_name(draw->dtype), parameter,
                    value, dt_dtype_name(carrier));
}

static dt_status check_normal(dt_world *world, const dti_draw *draw,
                              const char *center, const char *scale)
{
    DTI_TRY(check_finite(world, draw, center, draw->mean));
    DTI_TRY(check_finite(world, draw, scale, draw->std));
    const bool positive =
        draw->kind == DTI_LOG_NORMAL || draw->kind == DTI_CAUCHY;
    if (draw->std > 0 || (draw->std == 0 && !positive))
        return DT_OK;
    return dti_fail(world, DT_ERR_INVALID, "%s: %s is %g; it %s",
                    names[draw->kind], scale, draw->std,
                    positive ? "must be positive" : "must not be negative");
}

static dt_status refuse_interval(dt_world *world, const dti_draw *draw,
                                 const char *why)
{
    return dti_fail(world, DT_ERR_INVALID, "%s for dtype %s from %g to %g: %s",
                    names[draw->kind], dt_dtype_name(draw->dtype), draw->low,
                    draw->high, why);
}

/* ---- Distributions ------------------------------------------------------ */

static dt_status make_uniform(dt_world *world, dti_draw *draw)
{
    DTI_TRY(check_float(world, draw, true));
    const dt_dtype dtype = draw->dtype == DT_C64 ? DT_F32 : draw->dtype;
    const dt_dtype carrier = carrier_of(dtype);
    if (!isfinite(draw->low) || !isfinite(draw->high) || draw->low > draw->high)
        return refuse_interval(
            world, draw,
            "the bounds must be finite numbers in ascending order");
    const double low = nearest(dtype, draw->low);
    const double high = nearest(dtype, draw->high);
    const double span = nearest(carrier, high - low);
    if (!isfinite(low) || !isfinite(high) || !isfinite(span))
        return refuse_interval(world, draw, "the range exceeds the dtype");
    draw->made = (dti_draw_made){
        .source =
            carrier == DT_F64 ? DTI_SOURCE_UNIFORM64 : DTI_SOURCE_UNIFORM32,
        .dtype = carrier,
        .center = low,
        .scale = span,
        .largest = high > low ? before(dtype, high) : low,
    };
    return DT_OK;
}

static dt_status make_normal(dt_world *world, dti_draw *draw)
{
    DTI_TRY(check_float(world, draw, draw->kind == DTI_NORMAL));
    DTI_TRY(check_normal(world, draw, "mean", "standard deviation"));
    const dt_dtype carrier = carrier_of(draw->dtype);
    const double share = draw->dtype == DT_C64 ? 0.70710678118654752440 : 1;
    draw->made = (dti_draw_made){
        .source = carrier == DT_F64 ? DTI_SOURCE_NORMAL64 : DTI_SOURCE_NORMAL32,
        .dtype = carrier,
        .center = nearest(carrier, draw->mean),
        .scale = nearest(carrier, draw->std * share),
    };
    if (draw->kind == DTI_LOG_NORMAL) {
        draw->made.form = DTI_FORM_EXP;
        draw->made.dtype = DT_F64;
    }
    return DT_OK;
}

/* Words of as many bits as the dtype has use for, then a form. */
static void make_form(dti_draw *draw, dti_draw_form form)
{
    const bool wide = draw->dtype == DT_F64 || draw->dtype == DT_I64;
    draw->made = (dti_draw_made){
        .source = wide ? DTI_SOURCE_WORDS64 : DTI_SOURCE_WORDS32,
        .form = form,
        .dtype = DT_F64,
    };
}

static dt_status make_exponential(dt_world *world, dti_draw *draw)
{
    DTI_TRY(check_float(world, draw, false));
    if (!isfinite(draw->rate) || draw->rate <= 0)
        return dti_fail(world, DT_ERR_INVALID,
                        "exponential: rate is %g; must be positive",
                        draw->rate);
    make_form(draw, DTI_FORM_EXPONENTIAL);
    draw->made.scale = -draw->rate;
    return DT_OK;
}

static dt_status make_cauchy(dt_world *world, dti_draw *draw)
{
    DTI_TRY(check_float(world, draw, false));
    DTI_TRY(check_normal(world, draw, "median", "scale"));
    make_form(draw, DTI_FORM_CAUCHY);
    draw->made.center = draw->mean;
    draw->made.scale = draw->std;
    return DT_OK;
}

static dt_status check_probability(dt_world *world, const dti_draw *draw,
                                   bool zero)
{
    if (draw->p >= 0 && draw->p <= 1 && (zero || draw->p > 0))
        return DT_OK;
    return dti_fail(world, DT_ERR_INVALID,
                    "%s: probability is %g; expected a number %s",
                    names[draw->kind], draw->p,
                    zero ? "from 0 to 1" : "above 0 and up to 1");
}

/* log(1 - p) also where 1 - p is rounded: what the rounding moved p by is taken
 * back, in proportion. */
static double log_of_rest(double p)
{
    const double rest = 1 - p;
    if (rest == 1)
        return -p;
    if (rest == 0)
        return -INFINITY;
    return log64(rest) * (p / (1 - rest));
}

static dt_status make_geometric(dt_world *world, dti_draw *draw)
{
    if (draw->dtype == DT_BOOL || draw->dtype == DT_C64)
        return refuse_dtype(world, draw, "floats and integers");
    DTI_TRY(check_probability(world, draw, false));
    make_form(draw, DTI_FORM_GEOMETRIC);
    draw->made.scale = log_of_rest(draw->p);
    return DT_OK;
}

static dt_status make_bernoulli(dt_world *world, dti_draw *draw)
{
    if (draw->dtype == DT_C64)
        return refuse_dtype(world, draw, "any dtype but c64");
    DTI_TRY(check_probability(world, draw, true));
    /* Of 2^32 words, so many count; if none do, integers from 0 to 0 are it. */
    const uint64_t hits = (uint64_t)(draw->p * 0x1p32 + 0.5);
    draw->made = (dti_draw_made){
        .source = hits ? DTI_SOURCE_CHANCE : DTI_SOURCE_INTEGER,
        .dtype = hits ? DT_I32 : DT_I64,
        .range = hits ? hits - 1 : 0,
    };
    return DT_OK;
}

static dt_status make_randint(dt_world *world, dti_draw *draw)
{
    static const struct {
        int64_t least, most;
    } limits[DT_DTYPE_COUNT] = {
        [DT_F32] = {-(1 << 24), 1 << 24},
        [DT_F64] = {-(INT64_C(1) << 53), INT64_C(1) << 53},
        [DT_F16] = {-(1 << 11), 1 << 11},
        [DT_BF16] = {-(1 << 8), 1 << 8},
        [DT_I8] = {INT8_MIN, INT8_MAX},
        [DT_I16] = {INT16_MIN, INT16_MAX},
        [DT_I32] = {INT32_MIN, INT32_MAX},
        [DT_I64] = {INT64_MIN, INT64_MAX},
        [DT_U8] = {0, UINT8_MAX},
        [DT_BOOL] = {0, 1},
    };
    const uint64_t count = (uint64_t)draw->end - (uint64_t)draw->least;
    if (draw->dtype == DT_C64)
        return refuse_dtype(world, draw, "any dtype but c64");
    if (draw->least >= draw->end)
        return dti_fail(world, DT_ERR_INVALID,
                        "randint: low is %" PRId64 " and high is %" PRId64
                        "; expected low < high",
                        draw->least, draw->end);
    if (draw->least < limits[draw->dtype].least ||
        draw->end - 1 > limits[draw->dtype].most)
        return dti_fail(world, DT_ERR_INVALID,
                        "randint: the range from %" PRId64 " to %" PRId64
                        " exclusive exceeds dtype %s",
                        draw->least, draw->end, dt_dtype_name(draw->dtype));
    const bool wide = count > UINT64_C(1) << 32;
    draw->made = (dti_draw_made){
        .source = wide ? DTI_SOURCE_WIDE : DTI_SOURCE_INTEGER,
        .dtype = DT_I64,
        .base = (uint64_t)draw->least,
        .range = wide ? count : count - 1,
    };
    return DT_OK;
}

/* ---- Truncated normal --------------------------------------------------- */

/* The probability that a standard normal variable is above x >= 0: the density
 * times a series near the middle, times a continued fraction further out. */
static double tail_above(double x)
{
    const double density = exp64(-0.5 * x * x) * 0.39894228040143267794;
    if (x < 3) {
        double sum = x, term = x;
        for (int n = 3; n < 200; n += 2) {
            term *= x * x / n;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    double fraction = x;
    for (int n = 100; n > 0; n--)
        fraction = x + n / fraction;
    return density / fraction;
}

static double normal_below(double x)
{
    return x < 0 ? tail_above(-x) : 1 - tail_above(x);
}

/* Work in the lower tail, where small probabilities are exact: an interval that
 * lies above the mean is turned over. */
static dt_status make_inside(dt_world *world, dti_draw *draw)
{
    double low = (draw->low - draw->mean) / draw->std;
    double high = (draw->high - draw->mean) / draw->std;
    const bool turned = low + high > 0;
    if (turned) {
        const double old_low = low;
        low = -high;
        high = -old_low;
    }
    draw->made.center = draw->mean;
    draw->made.scale = turned ? -draw->std : draw->std;
    draw->made.below = normal_below(low);
    draw->made.inside = normal_below(high) - draw->made.below;
    /* Quantiles of less are not all numbers. */
    if (draw->made.inside < 1e-290)
        return refuse_interval(
            world, draw,
            "the interval is too far from the mean to have any probability");
    return DT_OK;
}

static dt_status make_truncated(dt_world *world, dti_draw *draw)
{
    DTI_TRY(check_float(world, draw, false));
    DTI_TRY(check_normal(world, draw, "mean", "standard deviation"));
    if (!(draw->low <= draw->high))
        return refuse_interval(world, draw,
                               "the bounds must be in ascending order");
    const double largest = largest_up_to(draw->dtype, draw->high);
    const double smallest = -largest_up_to(draw->dtype, -draw->low);
    if (smallest > largest)
        return refuse_interval(world, draw,
                               "no number of the dtype is in the interval");
    make_form(draw, DTI_FORM_TRUNCATED);
    draw->made.smallest = smallest;
    draw->made.largest = largest;
    draw->made.below = 0.5; /* for those that are always the same */
    draw->made.center = draw->mean;
    if (draw->std == 0 || draw->low == draw->high)
        return DT_OK;
    return make_inside(world, draw);
}

dt_status dti_draw_check(dt_world *world, dti_draw *draw)
{
    static dt_status (*const makers[DTI_DISTRIBUTION_COUNT])(dt_world *,
                                                             dti_draw *) = {
        [DTI_UNIFORM] = make_uniform,
        [DTI_NORMAL] = make_normal,
        [DTI_LOG_NORMAL] = make_normal,
        [DTI_TRUNCATED_NORMAL] = make_truncated,
        [DTI_EXPONENTIAL] = make_exponential,
        [DTI_CAUCHY] = make_cauchy,
        [DTI_GEOMETRIC] = make_geometric,
        [DTI_BERNOULLI] = make_bernoulli,
        [DTI_RANDINT] = make_randint,
    };
    if ((unsigned)draw->kind >= DTI_DISTRIBUTION_COUNT)
        return dti_fail(world, DT_ERR_INVALID, "invalid distribution %d",
                        (int)draw->kind);
    if ((unsigned)draw->dtype >= DT_DTYPE_COUNT)
        return dti_fail(world, DT_ERR_INVALID, "invalid dtype %d",
                        (int)draw->dtype);
    const dti_float_state before = dti_float_begin();
    const dt_status status = makers[draw->kind](world, draw);
    dti_float_end(before);
    return status;
}
