/* ops/create/sequence.c - tensors whose elements follow from their index. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/create.h>

#include <inttypes.h>
#include <math.h>

#include "array/cast.h"
#include "base/handles.h"
#include "base/options.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/factory.h"
#include "ops/helpers/place.h"
#include "ops/helpers/tables.h"
#include "ops/numbers.h"

/* Elements that are computed in f64 or i64 before they are cast. */
enum { piece = 256 };

/* ---- Evenly spaced numbers ---------------------------------------------- */

/*
 * Numbers from both ends: the first half counts up from `start`, the second
 * down from `end`, so that both are hit exactly.  A range has no end.
 */
typedef struct progression {
    dt_dtype dtype;
    double start;
    double end;
    double step;
    int64_t turn; /* from here on counted from the end */
    int64_t count;
    double base; /* of powers; 0: the numbers themselves */
} progression;

static double number_at(const progression *of, int64_t i)
{
    double number = i < of->turn
                        ? of->start + of->step * (double)i
                        : of->end - of->step * (double)(of->count - 1 - i);
    return of->base != 0 ? pow(of->base, number) : number;
}

static void fill_progression(const void *arg, int64_t first, int64_t count,
                             void *out)
{
    const progression *of = arg;
    double numbers[piece];
    size_t item = dt_dtype_size(of->dtype);
    for (int64_t done = 0; done < count; done += piece) {
        int64_t part = count - done < piece ? count - done : piece;
        for (int64_t i = 0; i < part; i++)
            numbers[i] = number_at(of, first + done + i);
        dti_cast(numbers, DT_F64, (char *)out + (size_t)done * item, of->dtype,
                 part);
    }
}

static dt_status fill_spaced(const dt_spec *spec, dt_array *local,
                             const void *arg)
{
    return dti_fill_runs(spec, local, fill_progression, arg);
}

/* ---- Integers ----------------------------------------------------------- */

typedef struct integers {
    dt_dtype dtype;
    int64_t start;
    int64_t step;
} integers;

/* The number is between start and end, but its distance from start may not fit
 * 63 bits. */
static int64_t integer_at(const integers *of, int64_t i)
{
    return (int64_t)((uint64_t)of->start + (uint64_t)of->step * (uint64_t)i);
}

static void fill_integers(const void *arg, int64_t first, int64_t count,
                          void *out)
{
    const integers *of = arg;
    int64_t numbers[piece];
    size_t item = dt_dtype_size(of->dtype);
    for (int64_t done = 0; done < count; done += piece) {
        int64_t part = count - done < piece ? count - done : piece;
        for (int64_t i = 0; i < part; i++)
            numbers[i] = integer_at(of, first + done + i);
        dti_cast(numbers, DT_I64, (char *)out + (size_t)done * item, of->dtype,
                 part);
    }
}

static dt_status fill_integer_runs(const dt_spec *spec, dt_array *local,
                                   const void *arg)
{
    return dti_fill_runs(spec, local, fill_integers, arg);
}

/* ---- Ranges ------------------------------------------------------------- */

/* The numbers that a range is made of. */
typedef struct range {
    dt_number start, end, step;
} range;

static double real_of(dt_number number)
{
    return number.kind == DT_KIND_FLOAT ? number.as.real
                                        : (double)number.as.integer;
}

static dt_status refuse_range(const dt_operation *operation, const range *from)
{
    return dt_operation_fail(
        operation, DT_ERR_INVALID, "no steps of %g lead from %g to %g",
        real_of(from->step), real_of(from->start), real_of(from->end));
}

static dt_status range_of_reals(dt_operation *operation, dt_dtype dtype,
                                const range *from)
{
    const double start = real_of(from->start), end = real_of(from->end);
    const double step = real_of(from->step);
    const bool leads = step > 0 ? end >= start : step < 0 && end <= start;
    const double count = ceil((end - start) / step);
    if (!leads || !(count < 9.2e18))
        return refuse_range(operation, from);
    const progression of = {.dtype = dtype,
                            .start = start,
                            .step = step,
                            .count = (int64_t)count,
                            .turn = (int64_t)count};
    const dti_recipe recipe = {.fill = fill_spaced, .arg = &of};
    return dti_factory_make(operation, DT_SHAPE(of.count), &recipe);
}

static dt_status range_of_integers(dt_operation *operation, dt_dtype dtype,
                                   const range *from)
{
    const int64_t start = from->start.as.integer, end = from->end.as.integer;
    const int64_t step = from->step.as.integer;
    if (step == 0 || (step > 0 ? end < start : end > start))
        return refuse_range(operation, from);
    const uint64_t distance = step > 0 ? (uint64_t)end - (uint64_t)start
                                       : (uint64_t)start - (uint64_t)end;
    const uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    const uint64_t count = distance / stride + (distance % stride != 0);
    const integers of = {.dtype = dtype, .start = start, .step = step};
    const dti_recipe recipe = {.fill = fill_integer_runs, .arg = &of};
    return dti_factory_make(operation, DT_SHAPE((int64_t)count), &recipe);
}

static bool has_kind(const range *of, dt_dtype_kind kind)
{
    return of->start.kind == kind || of->end.kind == kind ||
           of->step.kind == kind;
}

/* Computed in integers if all three numbers are. */
static dt_status arange(dt_operation *operation)
{
    const range from = {.start = dti_argument_number(operation, "start"),
                        .end = dti_argument_number(operation, "end"),
                        .step = dti_argument_number(operation, "step")};
    dt_dtype dtype;
    DTI_TRY(dti_place_dtype(operation, &dtype));
    if (has_kind(&from, DT_KIND_COMPLEX))
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "start, end and step must not be complex");
    return has_kind(&from, DT_KIND_FLOAT)
               ? range_of_reals(operation, dtype, &from)
               : range_of_integers(operation, dtype, &from);
}

/* ---- A number of steps -------------------------------------------------- */

/* Make evenly spaced numbers, or powers of a base if it is not 0. */
static dt_status make_spaced(dt_operation *operation, double base)
{
    const int64_t steps = dti_argument_int(operation, "steps");
    progression of = {.start = dti_argument_real(operation, "start"),
                      .end = dti_argument_real(operation, "end"),
                      .count = steps,
                      .turn = steps == 1 ? 1 : steps / 2,
                      .base = base};
    DTI_TRY(dti_place_dtype(operation, &of.dtype));
    if (steps < 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "%" PRId64 " elements; must not be negative",
                                 steps);
    if (steps > 1)
        of.step = (of.end - of.start) / (double)(steps - 1);
    const dti_recipe recipe = {.fill = fill_spaced, .arg = &of};
    return dti_factory_make(operation, DT_SHAPE(steps), &recipe);
}

static dt_status linspace(dt_operation *operation)
{
    return make_spaced(operation, 0);
}

static dt_status logspace(dt_operation *operation)
{
    return make_spaced(operation, dti_argument_real(operation, "base"));
}

/* ---- The diagonal ------------------------------------------------------- */

typedef struct diagonal {
    dt_dtype dtype;
    int64_t columns;
} diagonal;

/* Every columns + 1 elements, from the first on, there is a one. */
static void fill_diagonal(const void *arg, int64_t first, int64_t count,
                          void *out)
{
    const diagonal *of = arg;
    size_t item = dt_dtype_size(of->dtype);
    int64_t one = 1, zero = 0;
    char *to = out;
    _Alignas(8) char ones[8], zeros[8];
    dti_cast(&one, DT_I64, ones, of->dtype, 1);
    dti_cast(&zero, DT_I64, zeros, of->dtype, 1);
    for (int64_t i = 0; i < count; i++) {
        bool on = (first + i) % of->columns == (first + i) / of->columns;
        for (size_t j = 0; j < item; j++)
            *to++ = on ? ones[j] : zeros[j];
    }
}

static dt_status fill_eye(const dt_spec *spec, dt_array *local, const void *arg)
{
    return dti_fill_runs(spec, local, fill_diagonal, arg);
}

static dt_status eye(dt_operation *operation)
{
    const int64_t rows = dti_argument_int(operation, "rows");
    diagonal of = {.columns = dti_argument_int(operation, "columns")};
    const dti_recipe recipe = {.fill = fill_eye, .arg = &of};
    DTI_TRY(dti_place_dtype(operation, &of.dtype));
    return dti_factory_make(operation, DT_SHAPE(rows, of.columns), &recipe);
}

/* ---- Functions ---------------------------------------------------------- */

dt_tensor *dt_arange(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                     double start, double end, double step)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {
        dti_arg_mesh(mesh),           dti_arg_layout(layout),
        dti_arg_integer(dtype),       dti_arg_number(dt_real(start)),
        dti_arg_number(dt_real(end)), dti_arg_number(dt_real(step))};
    return dti_factory_call(__func__, OP_ARANGE, arguments);
}

dt_tensor *dt_arange_int(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                         int64_t start, int64_t end, int64_t step)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_mesh(mesh),
                                     dti_arg_layout(layout),
                                     dti_arg_integer(dtype),
                                     dti_arg_number(dt_integer(start)),
                                     dti_arg_number(dt_integer(end)),
                                     dti_arg_number(dt_integer(step))};
    return dti_factory_call(__func__, OP_ARANGE, arguments);
}

dt_tensor *dt_linspace(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                       double start, double end, int64_t steps)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {
        dti_arg_mesh(mesh),  dti_arg_layout(layout), dti_arg_integer(dtype),
        dti_arg_real(start), dti_arg_real(end),      dti_arg_integer(steps)};
    return dti_factory_call(__func__, OP_LINSPACE, arguments);
}

dt_tensor *dt_logspace(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                       const dt_logspace_options *options)
{
    DTI_ENTRY();
    dt_logspace_options usual = DT_LOGSPACE_OPTIONS_INIT;
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    options = dti_options_read(mesh->world, options, &usual, sizeof usual,
                               "DT_LOGSPACE_OPTIONS_INIT");
    if (!options)
        return NULL;
    const dt_argument arguments[] = {
        dti_arg_mesh(mesh),
        dti_arg_layout(layout),
        dti_arg_integer(dtype),
        dti_arg_real(options->start),
        dti_arg_real(options->end),
        dti_arg_integer(options->steps),
        dti_arg_real(options->base != 0 ? options->base : 10)};
    return dti_factory_call(__func__, OP_LOGSPACE, arguments);
}

dt_tensor *dt_eye(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                  int64_t rows, int64_t columns)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {
        dti_arg_mesh(mesh), dti_arg_layout(layout), dti_arg_integer(dtype),
        dti_arg_integer(rows), dti_arg_integer(columns)};
    return dti_factory_call(__func__, OP_EYE, arguments);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_sequence[] = {
    {
        .schema = "arange(Mesh mesh, Layout? layout, Dtype dtype, "
                  "Number start, Number end, Number step) -> Tensor",
        .aten = "arange.start_step",
        .about = "The numbers start, start + step, ... below `end`.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = arange,
        .gradient = "none",
    },
    {
        .schema = "linspace(Mesh mesh, Layout? layout, Dtype dtype, "
                  "float start, float end, int steps) -> Tensor",
        .about = "Evenly spaced numbers from `start` to `end`, both included.",
        .arguments = "start: first element; end: last element; steps: number "
                     "of elements",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = linspace,
        .gradient = "none",
    },
    {
        .schema = "logspace(Mesh mesh, Layout? layout, Dtype dtype, "
                  "float start, float end, int steps, *, float base=10) -> "
                  "Tensor",
        .about = "Powers of a base with exponents evenly spaced from `start` "
                 "to `end`.",
        .arguments = "start: first exponent; end: last exponent; steps: number "
                     "of elements; base: the base of the powers",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = logspace,
        .gradient = "none",
    },
    {
        .schema = "eye(Mesh mesh, Layout? layout, Dtype dtype, int rows, "
                  "int columns) -> Tensor",
        .aten = "eye.m",
        .about =
            "Create a matrix with ones on the diagonal and zeros elsewhere.",
        .arguments = "rows: number of rows; columns: number of columns",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = eye,
        .gradient = "none",
    },
    {0},
};
