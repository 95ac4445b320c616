/* tensor/create.c - making a tensor whose elements every rank can compute. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/create.h"

#include "base/error.h"
#include "random/draw.h"
#include "redistribute/partial.h"

/* ---- Making ------------------------------------------------------------- */

static dt_status make_local(const dt_spec *spec, dti_fill_function fill,
                            const void *arg, dt_array **out)
{
    dt_array *local = NULL;
    DTI_TRY(dti_partial_check(spec));
    DTI_TRY(dti_tensor_create_local(spec, &local));
    dt_status status = DT_OK;
    if (fill && spec->member && local->count > 0 && local->storage)
        status = fill(spec, local, arg);
    if (status == DT_OK && fill && local->storage)
        status = dti_partial_apply(spec, local);
    if (status == DT_OK)
        *out = local;
    else
        dt_array_release(local);
    return status;
}

dt_tensor *dti_create_with(dt_spec *spec, dti_fill_function fill,
                           const void *arg)
{
    dt_array *local = NULL;
    dt_tensor *tensor = NULL;
    if (make_local(spec, fill, arg, &local) == DT_OK)
        tensor = dti_tensor_make(spec, local);
    dt_array_release(local);
    return tensor;
}

/* ---- Runs --------------------------------------------------------------- */

typedef struct rows_target {
    dti_rows_filler filler;
    const void *arg;
    char *data;
    size_t item;
} rows_target;

static void fill_rows(void *arg, const dti_rows *rows)
{
    const rows_target *to = arg;
    to->filler(to->arg, rows, to->data + (size_t)rows->local * to->item);
}

/* Set the elements of an array that is row-major. */
static void fill_dense(const dt_spec *spec, dt_array *local,
                       dti_rows_filler filler, const void *arg)
{
    dti_part part;
    rows_target to = {.filler = filler,
                      .arg = arg,
                      .data = dt_array_data(local),
                      .item = dt_dtype_size(local->dtype)};
    dti_array_prepare(local);
    dti_part_set(&part, spec, spec->mesh->place);
    dti_part_each_rows(&part, fill_rows, &to);
}

dt_status dti_fill_by_rows(const dt_spec *spec, dt_array *local,
                           dti_rows_filler filler, const void *arg)
{
    dt_world *world = spec->mesh->world;
    dt_array *dense = NULL;
    if (local->contiguous) {
        fill_dense(spec, local, filler, arg);
        return DT_OK;
    }
    DTI_TRY(dt_array_create(world, local->dtype, local->shape, &dense));
    fill_dense(spec, dense, filler, arg);
    dt_status status = dt_array_copy(world, dense, local);
    dt_array_release(dense);
    return status;
}

/* A filler of runs, and what it is given. */
typedef struct run_filling {
    dti_run_filler filler;
    const void *arg;
    size_t item;
} run_filling;

static void fill_each_run(const void *arg, const dti_rows *rows, void *out)
{
    const run_filling *of = arg;
    char *to = out;
    for (int64_t i = 0; i < rows->rows; i++) {
        of->filler(of->arg, rows->global + i * rows->stride, rows->count, to);
        to += (size_t)rows->count * of->item;
    }
}

dt_status dti_fill_runs(const dt_spec *spec, dt_array *local,
                        dti_run_filler filler, const void *arg)
{
    run_filling of = {filler, arg, dt_dtype_size(local->dtype)};
    return dti_fill_by_rows(spec, local, fill_each_run, &of);
}

/* ---- Random numbers ----------------------------------------------------- */

static void draw_rows(const void *arg, const dti_rows *rows, void *out)
{
    if (rows->rows == 1)
        dti_draw_run(arg, rows->global, rows->count, out);
    else
        dti_draw_rows(arg, rows->global, rows->count, rows->stride, rows->rows,
                      out);
}

dt_status dti_fill_drawn(const dt_spec *spec, dt_array *local, const void *arg)
{
    return dti_fill_by_rows(spec, local, draw_rows, arg);
}
