/* verify/values.c - elements of inputs, and comparing. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/values.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/shape.h"
#include "base/text/writer.h"

/* ---- Which elements a rank has ------------------------------------------- */

/* A walk over the elements of a rank, in row-major order of its local shard.
 * `runs` holds the run of each dimension that the walk is in. */
typedef struct walk {
    const dt_spec *spec;
    int rank;
    dt_shape global, local;
    dt_run runs[DT_MAX_NDIM];
    int64_t at[DT_MAX_NDIM];
    bool more;
} walk;

/* Go to a local index of a dimension. */
static void walk_move(walk *of, int dim, int64_t local)
{
    const dt_run *run = &of->runs[dim];
    of->at[dim] = local;
    if (local < run->local || local >= run->local + run->length)
        dt_spec_run(of->spec, of->rank, dim, local, &of->runs[dim]);
}

static walk walk_begin(const dt_spec *spec, int rank)
{
    walk out = {.spec = spec,
                .rank = rank,
                .global = dt_spec_shape(spec),
                .local = dt_spec_local_shape(spec, rank)};
    out.more = dt_shape_count(out.local) > 0;
    for (int i = 0; out.more && i < out.local.ndim; i++)
        walk_move(&out, i, 0);
    return out;
}

static void walk_next(walk *of)
{
    for (int i = of->local.ndim - 1; i >= 0; i--) {
        if (of->at[i] + 1 < of->local.dims[i]) {
            walk_move(of, i, of->at[i] + 1);
            return;
        }
        walk_move(of, i, 0);
    }
    of->more = false;
}

/* The index of the element in the global tensor, in row-major order. */
static int64_t walk_index(const walk *of)
{
    int64_t index = 0;
    for (int i = 0; i < of->local.ndim; i++)
        index = index * of->global.dims[i] + of->runs[i].global + of->at[i] -
                of->runs[i].local;
    return index;
}

/* ---- Values ------------------------------------------------------------- */

/*
 * Elements are a whole number of quanta, few enough that sums of them are exact
 * in the dtype; as many different ones as there is room for.
 */
typedef struct scale {
    int64_t modulus; /* a prime: how many there are */
    double quantum;
} scale;

static scale scale_of(dt_dtype dtype)
{
    switch (dtype) {
    case DT_F32:
    case DT_F64:
    case DT_C64:
        return (scale){1999, 1.0 / 512};
    case DT_F16:
        return (scale){251, 1.0 / 64};
    case DT_BF16:
        return (scale){31, 1.0 / 8};
    case DT_I8:
    case DT_U8:
        return (scale){61, 1};
    default:
        return (scale){199, 1};
    }
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = a * UINT64_C(0x9E3779B97F4A7C15) + b;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Numbers below a modulus in an order that looks like none: seventh powers are
 * all different where the modulus less 1 is no multiple of 7. */
static int64_t scramble(int64_t number, int64_t modulus)
{
    int64_t x = number % modulus, square = x * x % modulus;
    int64_t cube = square * x % modulus;
    return cube * cube % modulus * x % modulus;
}

/* Whether elements are odd numbers of quanta: none is 0 then, of which parts of
 * a sum make something else than the sum if they divide. */
static bool is_odd(dt_dtype dtype)
{
    dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    return kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX;
}

/* Element `index`, in row-major order, in quanta. */
static int64_t quanta_of(const dti_trial_input *input, int64_t index)
{
    dt_dtype dtype = input->meta.dtype;
    scale at = scale_of(dtype);
    int64_t step = index + 2 + input->number * 17;
    if (input->range == DTI_SAMPLE_BELOW)
        return input->below > 0 ? scramble(step, 1999) % input->below *
                                      (int64_t)(1 / at.quantum)
                                : 0;
    if (dtype == DT_BOOL)
        return input->range == DTI_SAMPLE_POSITIVE ||
               (mix((uint64_t)input->number, (uint64_t)index) & 1);
    int64_t number = scramble(step, at.modulus);
    if (input->range == DTI_SAMPLE_FRACTION && is_odd(dtype))
        return 2 * (number % (int64_t)(0.5 / at.quantum)) + 1;
    if (input->range == DTI_SAMPLE_POSITIVE)
        return is_odd(dtype) ? 2 * number + 1 : number + 1;
    number -= dtype == DT_U8 ? 0 : at.modulus / 2;
    return is_odd(dtype) ? 2 * number + 1 : number;
}

/* ---- Parts of partial values -------------------------------------------- */

bool dti_has_reduction(dt_reduce op, dt_dtype dtype)
{
    dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    switch (op) {
    case DT_SUM:
    case DT_PRODUCT:
        return true;
    case DT_AVG:
        return kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX;
    case DT_MIN:
    case DT_MAX:
        return kind != DT_KIND_COMPLEX;
    default:
        return kind == DT_KIND_SIGNED || kind == DT_KIND_UNSIGNED ||
               kind == DT_KIND_BOOLEAN;
    }
}

/* Which part this is of how many, and how they combine. */
typedef struct share {
    dt_dtype dtype;
    dt_reduce op;
    int part;
    int parts;
    int64_t averaged; /* parts that an average is taken over */
    double fraction;  /* of a sum, if parts are in proportion; or 0 */
} share;

/* The part that makes the value what it is, whatever the others have. */
static int owner_of(const share *of, uint64_t key)
{
    return (int)(key % (uint64_t)of->parts);
}

static bool owns(const share *of, uint64_t key)
{
    return of->part == owner_of(of, key);
}

/* From 1 to `limit`, other for every element and part. */
static int64_t noise(uint64_t key, int part, int64_t limit)
{
    return 1 + (int64_t)(mix(key, (uint64_t)part) % (uint64_t)limit);
}

/* Not so large that sums of a few are no longer exact. */
static int64_t most_noise(dt_dtype dtype)
{
    return scale_of(dtype).modulus / (is_odd(dtype) ? 4 : 8);
}

static int64_t signed_noise(const share *of, uint64_t key, int part)
{
    int64_t size = noise(key, part, most_noise(of->dtype));
    return mix(key, (uint64_t)part + 77) & 1 ? size : -size;
}

/* One part takes what the others leave; none is 0. */
static int64_t share_of_sum(const share *of, int64_t quanta, uint64_t key)
{
    int owner = owner_of(of, key);
    int64_t rest = quanta * of->averaged, bump = 0;
    for (int i = 0; i < of->parts; i++)
        rest -= i == owner ? 0 : signed_noise(of, key, i);
    if (rest == 0)
        bump = signed_noise(of, key, (owner + 1) % of->parts) > 0 ? 1 : -1;
    if (of->part == owner)
        return rest - bump;
    bool bumped = of->part == (owner + 1) % of->parts;
    return signed_noise(of, key, of->part) + (bumped ? bump : 0);
}

/* One part has the value, others are beyond it; unsigned ones end at 0. */
static int64_t share_of_order(const share *of, int64_t quanta, uint64_t key)
{
    int owner = owner_of(of, key);
    int64_t limit = scale_of(of->dtype).modulus * (1 + is_odd(of->dtype));
    int64_t away = of->part == owner ? 0 : noise(key, of->part, limit);
    int64_t out = of->op == DT_MAX ? quanta - away : quanta + away;
    return of->dtype == DT_U8 && out < 0 ? 0 : out;
}

/* Others are powers of two, or signs; one part has what makes the value. */
static double share_of_product(const share *of, double value, uint64_t key)
{
    int owner = owner_of(of, key);
    dt_dtype_kind kind = dt_dtype_kind_of(of->dtype);
    double rest = value, own = value;
    if (kind == DT_KIND_UNSIGNED)
        return of->part == owner ? value : 1;
    for (int i = 0; i < of->parts; i++) {
        int64_t bits = noise(key, i, 8);
        double other = bits & 1 ? 1 : -1;
        if (kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX)
            other *= bits & 2 ? 2 : 0.5;
        if (i != owner)
            rest /= other;
        if (i == of->part)
            own = other;
    }
    return of->part == owner ? rest : own;
}

static int64_t share_of_bits(const share *of, int64_t quanta, uint64_t key)
{
    int owner = owner_of(of, key);
    int64_t random = noise(key, of->part, 127), all = quanta;
    if (of->op == DT_BAND)
        return of->part == owner ? quanta : quanta | random;
    if (of->op == DT_BOR)
        return of->part == owner ? quanta : quanta & random;
    for (int i = 0; i < of->parts; i++)
        all ^= i == owner ? 0 : noise(key, i, 127);
    return of->part == owner ? all : random;
}

/* Sums of truth values are "or", products "and". */
static int64_t share_of_truth(const share *of, int64_t truth, uint64_t key)
{
    int owner = owner_of(of, key);
    int64_t random = noise(key, of->part, 2) - 1, all = truth;
    bool any = of->op == DT_SUM || of->op == DT_MAX || of->op == DT_BOR;
    for (int i = 0; i < of->parts; i++)
        all ^= i == owner ? 0 : noise(key, i, 2) - 1;
    if (of->op == DT_BXOR)
        return of->part == owner ? all : random;
    return of->part == owner || truth != any ? truth : random;
}

static double value_of_share(const share *of, int64_t quanta, uint64_t key)
{
    double quantum = scale_of(of->dtype).quantum;
    if (of->parts == 1)
        return (double)quanta * quantum;
    if (of->dtype == DT_BOOL)
        return (double)share_of_truth(of, quanta, key);
    switch (of->op) {
    case DT_SUM:
    case DT_AVG:
        if (of->fraction > 0 && is_odd(of->dtype))
            return (double)quanta * quantum * of->fraction;
        quanta = share_of_sum(of, quanta, key);
        /* Sums of unsigned integers wrap. */
        quanta = of->dtype == DT_U8 ? quanta & 255 : quanta;
        return (double)quanta * quantum;
    case DT_MIN:
    case DT_MAX:
        return (double)share_of_order(of, quanta, key) * quantum;
    case DT_PRODUCT:
        return share_of_product(of, (double)quanta * quantum, key);
    default:
        return (double)share_of_bits(of, quanta, key);
    }
}

/* Factors of a product are real, but for one. */
static double imaginary_of_share(const share *of, int64_t quanta, uint64_t key)
{
    bool product = of->op == DT_PRODUCT && of->parts > 1;
    if (product && !owns(of, key))
        return 0;
    return value_of_share(of, quanta, product ? key : key + 1);
}

/* A half, a quarter and so on, and the last one again: exact in floats. */
static double fraction_of(int rank, int ranks)
{
    return ldexp(1, -(rank < ranks - 1 ? rank + 1 : ranks - 1));
}

/* The part that a rank has along all mesh dimensions that are partial. */
static share share_of_rank(const dt_spec *spec, int rank, bool proportional)
{
    const dt_layout *layout = dt_spec_layout(spec);
    const dt_mesh *mesh = dt_spec_mesh(spec);
    share out = {.dtype = dt_spec_dtype(spec),
                 .parts = 1,
                 .averaged = 1,
                 .fraction = proportional ? 1 : 0};
    int at[DT_MAX_NDIM] = {0};
    dt_mesh_coordinate_of(mesh, rank, at);
    for (int i = 0; i < layout->ndim; i++) {
        int ranks = dt_mesh_dim_size(mesh, i);
        if (layout->placements[i].kind != DT_PARTIAL)
            continue;
        out.op = layout->placements[i].op;
        out.part = out.part * ranks + at[i];
        out.parts *= ranks;
        out.averaged *= out.op == DT_AVG ? ranks : 1;
        out.fraction *= out.op == DT_AVG ? 1 : fraction_of(at[i], ranks);
    }
    return out;
}

/* ---- Arrays ------------------------------------------------------------- */

/* Some elements of all kinds; of positive ones only those that are. */
static bool is_any_special(const dti_trial_input *input, int64_t index,
                           double *out)
{
    static const double list[] = {INFINITY, NAN, -INFINITY, 0};
    const uint64_t which = mix(input->salt, (uint64_t)index) % 24;
    if (which >= (input->range == DTI_SAMPLE_POSITIVE ? 2 : 4))
        return false;
    *out = list[which];
    return true;
}

/* Tell whether an element is special, and what it is. */
static bool is_special(const dti_trial_input *input, int64_t index, double *out)
{
    if (dt_dtype_kind_of(input->meta.dtype) != DT_KIND_FLOAT)
        return false;
    if (input->special == DTI_SPECIALS_ALL)
        return (input->range == DTI_SAMPLE_ANY ||
                input->range == DTI_SAMPLE_POSITIVE) &&
               is_any_special(input, index, out);
    *out = NAN;
    return input->special == DTI_SPECIALS_NAN &&
           input->range == DTI_SAMPLE_ANY &&
           index == (input->number * 5 + 3) % dt_shape_count(input->meta.shape);
}

/* The part of a special element, which is `usual` otherwise: added to what is
 * finite it stays what it is. */
static double special_of_share(const share *of, double special, uint64_t key,
                               double usual)
{
    const bool sums = of->op == DT_SUM || of->op == DT_AVG;
    if (of->parts == 1 || owns(of, key))
        return special;
    if (of->op == DT_PRODUCT)
        return 1;
    return sums && special != 0 ? usual : special;
}

/* Real numbers, or the two of each complex one, for a rank's elements. */
static void fill_reals(const dti_trial_input *input, const dt_spec *spec,
                       int rank, double *out)
{
    share part = share_of_rank(spec, rank, input->proportional);
    bool complex = input->meta.dtype == DT_C64;
    double special = 0;
    walk at = walk_begin(spec, rank);
    for (; at.more; walk_next(&at)) {
        int64_t index = walk_index(&at);
        uint64_t key = mix((uint64_t)input->number + 5, (uint64_t)index);
        *out = value_of_share(&part, quanta_of(input, index), key);
        if (is_special(input, index, &special))
            *out = special_of_share(&part, special, key, *out);
        out++;
        if (complex)
            *out++ =
                imaginary_of_share(&part, quanta_of(input, index + 500), key);
    }
}

/* Make an array of real numbers from those. */
static dt_array *array_of_reals(dt_world *world, dt_dtype dtype, dt_shape shape,
                                double *reals)
{
    dt_array *wide = NULL, *out = NULL;
    dt_wrap_options wrap = DT_WRAP_OPTIONS_INIT;
    wrap.data = reals;
    wrap.dtype = DT_F64;
    wrap.shape = shape;
    if (dt_array_wrap(world, &wrap, &wide) == DT_OK)
        DT_IGNORE(dt_array_cast(world, wide, dtype, &out));
    dt_array_release(wide);
    return out;
}

static dt_array *array_of_complex(dt_world *world, dt_shape shape,
                                  const double *reals)
{
    dt_array *out = NULL;
    if (dt_array_create(world, DT_C64, shape, &out) != DT_OK)
        return NULL;
    float *to = dt_array_data(out);
    for (int64_t i = 0; i < 2 * dt_array_count(out); i++)
        to[i] = (float)reals[i];
    return out;
}

dt_array *dti_trial_input_part(const dti_trial_input *input,
                               const dt_spec *spec, int rank)
{
    dt_world *world = dt_mesh_world(dt_spec_mesh(spec));
    dt_shape shape = dt_spec_local_shape(spec, rank);
    int64_t count = dt_shape_count(shape);
    double *reals = calloc((size_t)count * 2 + 1, sizeof *reals);
    if (!reals) {
        dti_fail_memory(world, (size_t)count * 2 * sizeof *reals, "elements");
        return NULL;
    }
    fill_reals(input, spec, rank, reals);
    dt_array *out =
        input->meta.dtype == DT_C64
            ? array_of_complex(world, shape, reals)
            : array_of_reals(world, input->meta.dtype, shape, reals);
    free(reals);
    return out;
}

/* ---- Comparing ---------------------------------------------------------- */

double dti_epsilon_of(dt_dtype dtype)
{
    switch (dtype) {
    case DT_F64:
        return DBL_EPSILON;
    case DT_F16:
        return 1.0 / 1024;
    case DT_BF16:
        return 1.0 / 128;
    default:
        return FLT_EPSILON;
    }
}

static dt_array *convert(dt_world *world, const dt_array *array)
{
    dt_array *out = NULL;
    dt_dtype_kind kind = dt_dtype_kind_of(dt_array_dtype(array));
    if (kind == DT_KIND_COMPLEX)
        DT_IGNORE(dt_array_clone(world, array, &out));
    else
        DT_IGNORE(dt_array_cast(world, array,
                                kind == DT_KIND_FLOAT ? DT_F64 : DT_I64, &out));
    return out;
}

bool dti_elements_read(dt_world *world, const dt_array *array,
                       dti_elements *out)
{
    dt_array *wide = convert(world, array);
    *out = (dti_elements){.dtype = dt_array_dtype(array),
                          .shape = dt_array_shape(array),
                          .count = dt_array_count(array),
                          .width = 1 + (dt_array_dtype(array) == DT_C64)};
    if (!wide)
        return false;
    int64_t count = out->count * out->width;
    const void *from = dt_array_const_data(wide);
    void *to = calloc((size_t)count + 1, sizeof(double));
    if (!to) {
        dt_array_release(wide);
        dti_fail_memory(world, (size_t)count * sizeof(double), "elements");
        return false;
    }
    if (out->width == 2)
        for (int64_t i = 0; i < count; i++)
            ((double *)to)[i] = (double)((const float *)from)[i];
    else if (count)
        memcpy(to, from, (size_t)count * sizeof(double));
    if (dt_array_dtype(wide) == DT_I64)
        out->integers = to;
    else
        out->reals = to;
    dt_array_release(wide);
    return true;
}

void dti_elements_free(dti_elements *of)
{
    free(of->reals);
    free(of->integers);
    *of = (dti_elements){0};
}

double dti_trial_input_excess(const dti_trial_input *input, int ranks)
{
    int64_t largest = 1;
    const int64_t count = dt_shape_count(input->meta.shape);
    for (int64_t i = 0; i < count; i++) {
        const int64_t quanta = quanta_of(input, i);
        largest = quanta > largest    ? quanta
                  : -quanta > largest ? -quanta
                                      : largest;
    }
    return 1 + (double)ranks * (double)most_noise(input->meta.dtype) /
                   (double)largest;
}

/* What a wrong bit more or less in each of the summed elements makes. */
static double tolerance_of(const dti_elements *whole, dti_nearness how)
{
    double largest = 1;
    for (int64_t i = 0; i < whole->count * whole->width; i++)
        if (isfinite(whole->reals[i]))
            largest = fmax(largest, fabs(whole->reals[i]));
    double bit = fmax(dti_epsilon_of(whole->dtype), how.rounding);
    return how.exact
               ? 0
               : bit * largest * (double)(8 + how.length) * fmax(1, how.excess);
}

static bool is_near(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= tolerance;
}

/* Compare element i of a part with element k of the whole. */
static bool is_element(const dti_elements *part, int64_t i,
                       const dti_elements *whole, int64_t k, double tolerance)
{
    if (part->integers)
        return part->integers[i] == whole->integers[k];
    for (int w = 0; w < part->width; w++)
        if (!is_near(part->reals[i * part->width + w],
                     whole->reals[k * part->width + w], tolerance))
            return false;
    return true;
}

/* Write the index of an element, for example [0, 3]. */
static void put_index(dti_writer *to, dt_shape shape, int64_t number)
{
    int64_t index[DT_MAX_NDIM] = {0};
    for (int i = shape.ndim - 1; i >= 0; i--) {
        index[i] = number % shape.dims[i];
        number /= shape.dims[i];
    }
    dti_put(to, "[");
    for (int i = 0; i < shape.ndim; i++)
        dti_put(to, "%s%lld", i ? ", " : "", (long long)index[i]);
    dti_put(to, "]");
}

static void put_element(dti_writer *to, const dti_elements *of, int64_t i)
{
    if (of->integers)
        dti_put(to, "%lld", (long long)of->integers[i]);
    else if (of->width == 1)
        dti_put(to, "%.17g", of->reals[i]);
    else
        dti_put(to, "%.9g%+.9gi", of->reals[2 * i], of->reals[2 * i + 1]);
}

/* Describe how an element differs; returns false. */
static bool differ(const dti_elements *part, int64_t i,
                   const dti_elements *whole, int64_t k, dti_difference *out)
{
    if (!out)
        return false;
    dti_writer to = {out->text, sizeof out->text, 0};
    dti_put(&to, "element ");
    put_index(&to, whole->shape, k);
    dti_put(&to, " is ");
    put_element(&to, part, i);
    dti_put(&to, " instead of ");
    put_element(&to, whole, k);
    return false;
}

/* Describe that dtype or shape differ; returns false. */
static bool differ_in_form(const dti_elements *part, dt_dtype dtype,
                           dt_shape shape, dti_difference *out)
{
    if (!out)
        return false;
    dti_writer to = {out->text, sizeof out->text, 0};
    dti_put(&to, "local tensor is %s%s instead of %s%s",
            dt_dtype_name(part->dtype), dti_shape_show(part->shape).text,
            dt_dtype_name(dtype), dti_shape_show(shape).text);
    return false;
}

bool dti_elements_match(const dti_elements *part, const dti_elements *whole,
                        const dt_spec *spec, int rank, dti_nearness how,
                        dti_difference *out)
{
    const double tolerance = whole->reals ? tolerance_of(whole, how) : 0;
    const dt_shape local =
        spec ? dt_spec_local_shape(spec, rank) : whole->shape;
    if (part->dtype != whole->dtype || !dt_shape_equal(part->shape, local))
        return differ_in_form(part, whole->dtype, local, out);
    if (!spec) {
        for (int64_t i = 0; i < part->count; i++)
            if (!is_element(part, i, whole, i, tolerance))
                return differ(part, i, whole, i, out);
        return true;
    }
    walk at = walk_begin(spec, rank);
    for (int64_t i = 0; at.more; walk_next(&at), i++)
        if (!is_element(part, i, whole, walk_index(&at), tolerance))
            return differ(part, i, whole, walk_index(&at), out);
    return true;
}

static double combine_reals(double a, double b, dt_reduce op)
{
    if (isnan(a) || isnan(b))
        return NAN;
    switch (op) {
    case DT_MIN:
        return fmin(a, b);
    case DT_MAX:
        return fmax(a, b);
    case DT_PRODUCT:
        return a * b;
    default:
        return a + b;
    }
}

static int64_t combine_integers(int64_t a, int64_t b, dt_reduce op)
{
    switch (op) {
    case DT_MIN:
        return a < b ? a : b;
    case DT_MAX:
        return a > b ? a : b;
    case DT_PRODUCT:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case DT_BAND:
        return a & b;
    case DT_BOR:
        return a | b;
    case DT_BXOR:
        return a ^ b;
    default:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    }
}

static int64_t combine_truths(int64_t a, int64_t b, dt_reduce op)
{
    if (op == DT_BXOR)
        return a != b;
    return op == DT_MIN || op == DT_PRODUCT || op == DT_BAND ? a && b : a || b;
}

/* Element i of all parts together. */
static double combined_real(const dti_elements *parts, int count, dt_reduce op,
                            int64_t i)
{
    double out = parts[0].reals[i];
    for (int k = 1; k < count; k++)
        out = combine_reals(out, parts[k].reals[i], op);
    return op == DT_AVG ? out / count : out;
}

static int64_t combined_integer(const dti_elements *parts, int count,
                                dt_reduce op, int64_t i)
{
    const bool truth = parts[0].dtype == DT_BOOL;
    int64_t out = parts[0].integers[i];
    for (int k = 1; k < count; k++)
        out = truth ? combine_truths(out, parts[k].integers[i], op)
                    : combine_integers(out, parts[k].integers[i], op);
    return out;
}

bool dti_elements_combine(const dti_elements *parts, int count, dt_reduce op,
                          const dti_elements *whole, dti_nearness how)
{
    for (int i = 0; i < count; i++)
        if (parts[i].dtype != whole->dtype ||
            !dt_shape_equal(parts[i].shape, whole->shape))
            return false;
    const double tolerance = whole->reals ? tolerance_of(whole, how) : 0;
    for (int64_t i = 0; i < whole->count * whole->width; i++)
        if (whole->reals
                ? !is_near(combined_real(parts, count, op, i), whole->reals[i],
                           tolerance)
                : combined_integer(parts, count, op, i) != whole->integers[i])
            return false;
    return true;
}
