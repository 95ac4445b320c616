/* tensor/sequence.c - tensors whose elements follow from their index. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/create.h>

#include <inttypes.h>
#include <math.h>

#include "array/cast.h"
#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "tensor/create.h"

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

/* ---- The calls ---------------------------------------------------------- */

static dt_tensor *refuse_range(dt_mesh *mesh, double start, double end,
                               double step)
{
    dti_fail(mesh->world, DT_ERR_INVALID,
             "dt_arange: no steps of %g lead from %g to %g", step, start, end);
    return NULL;
}

dt_tensor *dt_arange(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                     double start, double end, double step)
{
    DTI_ENTRY();
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    bool leads = step > 0 ? end >= start : step < 0 && end <= start;
    double count = ceil((end - start) / step);
    if (!leads || !(count < 9.2e18))
        return refuse_range(mesh, start, end, step);
    progression of = {.dtype = dtype,
                      .start = start,
                      .step = step,
                      .count = (int64_t)count,
                      .turn = (int64_t)count};
    dt_meta meta = dt_meta_of(dtype, DT_SHAPE(of.count));
    const dti_recipe recipe = {.name = "arange",
                               .fill = fill_spaced,
                               .arg = &of,
                               .numbers = {{"start", dt_real(start)},
                                           {"end", dt_real(end)},
                                           {"step", dt_real(step)}}};
    return dti_create(mesh, layout, &meta, &recipe);
}

dt_tensor *dt_arange_int(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                         int64_t start, int64_t end, int64_t step)
{
    DTI_ENTRY();
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    if (step == 0 || (step > 0 ? end < start : end > start))
        return refuse_range(mesh, (double)start, (double)end, (double)step);
    uint64_t distance = step > 0 ? (uint64_t)end - (uint64_t)start
                                 : (uint64_t)start - (uint64_t)end;
    uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    uint64_t count = distance / stride + (distance % stride != 0);
    integers of = {.dtype = dtype, .start = start, .step = step};
    dt_meta meta = dt_meta_of(dtype, DT_SHAPE((int64_t)count));
    const dti_recipe recipe = {.name = "arange_int",
                               .fill = fill_integer_runs,
                               .arg = &of,
                               .numbers = {{"start", dt_integer(start)},
                                           {"end", dt_integer(end)},
                                           {"step", dt_integer(step)}}};
    return dti_create(mesh, layout, &meta, &recipe);
}

/* Check how many numbers are wanted, and space them. */
static bool space(dt_mesh *mesh, const char *what, int64_t steps,
                  progression *of)
{
    if (steps < 0) {
        dti_fail(mesh->world, DT_ERR_INVALID,
                 "%s: %" PRId64 " elements; must not be negative", what, steps);
        return false;
    }
    of->count = steps;
    of->turn = steps == 1 ? 1 : steps / 2;
    of->step = steps > 1 ? (of->end - of->start) / (double)(steps - 1) : 0;
    return true;
}

dt_tensor *dt_linspace(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                       double start, double end, int64_t steps)
{
    DTI_ENTRY();
    progression of = {.dtype = dtype, .start = start, .end = end};
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    if (!space(mesh, "dt_linspace", steps, &of))
        return NULL;
    dt_meta meta = dt_meta_of(dtype, DT_SHAPE(steps));
    const dti_recipe recipe = {
        .name = "linspace",
        .fill = fill_spaced,
        .arg = &of,
        .numbers = {{"start", dt_real(start)}, {"end", dt_real(end)}}};
    return dti_create(mesh, layout, &meta, &recipe);
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
    progression of = {.dtype = dtype,
                      .start = options->start,
                      .end = options->end,
                      .base = options->base != 0 ? options->base : 10};
    if (!space(mesh, "dt_logspace", options->steps, &of))
        return NULL;
    dt_meta meta = dt_meta_of(dtype, DT_SHAPE(options->steps));
    const dti_recipe recipe = {.name = "logspace",
                               .fill = fill_spaced,
                               .arg = &of,
                               .numbers = {{"start", dt_real(of.start)},
                                           {"end", dt_real(of.end)},
                                           {"base", dt_real(of.base)}}};
    return dti_create(mesh, layout, &meta, &recipe);
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

dt_tensor *dt_eye(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                  int64_t rows, int64_t columns)
{
    DTI_ENTRY();
    diagonal of = {.dtype = dtype, .columns = columns};
    dt_meta meta = dt_meta_of(dtype, DT_SHAPE(rows, columns));
    const dti_recipe recipe = {.name = "eye", .fill = fill_eye, .arg = &of};
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    return dti_create(mesh, layout, &meta, &recipe);
}
