/* tensor/create.c - tensors with every element the same, and how any are made.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/create.h"

#include <dtensor/create.h>

#include "base/error.h"
#include "base/handles.h"
#include "redistribute/partial.h"
#include "tensor/order.h"
#include "tensor/remember.h"

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

/* Note in the history of the mesh what is made from what. */
static void remember(const dt_spec *spec, const dti_recipe *recipe)
{
    dti_history *history = spec->mesh->history;
    if (!history)
        return;
    dti_remembering at = dti_remember_begin(history, recipe->name, 0,
                                            dti_hash_text(recipe->name));
    dti_remember_spec(&at, "result", spec);
    for (int i = 0; i < DTI_RECIPE_NUMBERS && recipe->numbers[i].name; i++)
        dti_remember_number(&at, recipe->numbers[i].name,
                            recipe->numbers[i].value);
    dti_remember_end(&at);
}

dt_tensor *dti_create(dt_mesh *mesh, const char *layout, const dt_meta *meta,
                      const dti_recipe *recipe)
{
    const dt_layout *read;
    dt_spec *spec = NULL;
    if (dti_layout_read_on(mesh, layout, &read) != DT_OK ||
        dt_spec_create_with(mesh, read, meta, &spec) != DT_OK)
        return NULL;
    remember(spec, recipe);
    dt_tensor *tensor = dti_create_with(spec, recipe->fill, recipe->arg);
    dt_spec_release(spec);
    return tensor;
}

/* A tensor with the layout given and the meta of another, without its gaps and
 * repetitions. */
static dt_tensor *create_in(const dt_tensor *tensor, const dt_layout *layout,
                            const dti_recipe *recipe)
{
    dt_spec *spec = NULL;
    dt_meta meta = tensor->spec->meta;
    dti_meta_keep_order(&meta);
    if (dt_spec_create_with(tensor->spec->mesh, layout, &meta, &spec) != DT_OK)
        return NULL;
    remember(spec, recipe);
    dt_tensor *result = dti_create_with(spec, recipe->fill, recipe->arg);
    dt_spec_release(spec);
    return result;
}

dt_tensor *dti_create_like(const dt_tensor *tensor, const dti_recipe *recipe)
{
    dt_layout layout = tensor->spec->layout;
    for (int i = 0; i < layout.ndim; i++)
        if (dti_is_partial(&layout.placements[i]))
            layout.placements[i] = dt_replicate();
    return create_in(tensor, &layout, recipe);
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

/* ---- Every element the same --------------------------------------------- */

static dt_status fill_double(const dt_spec *spec, dt_array *local,
                             const void *arg)
{
    return dt_array_fill(spec->mesh->world, local, *(const double *)arg);
}

static dt_status fill_int(const dt_spec *spec, dt_array *local, const void *arg)
{
    return dt_array_fill_int(spec->mesh->world, local, *(const int64_t *)arg);
}

static const dti_recipe empty = {.name = "empty"};

static dti_recipe full(const double *value)
{
    return (dti_recipe){.name = "full",
                        .fill = fill_double,
                        .arg = value,
                        .numbers = {{"value", dt_real(*value)}}};
}

static dti_recipe full_int(const int64_t *value)
{
    return (dti_recipe){.name = "full_int",
                        .fill = fill_int,
                        .arg = value,
                        .numbers = {{"value", dt_integer(*value)}}};
}

dt_tensor *dt_empty(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                    dt_shape shape)
{
    DTI_ENTRY();
    dt_meta meta = dt_meta_of(dtype, shape);
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    return dti_create(mesh, layout, &meta, &empty);
}

dt_tensor *dt_full(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                   dt_shape shape, double value)
{
    DTI_ENTRY();
    dt_meta meta = dt_meta_of(dtype, shape);
    const dti_recipe recipe = full(&value);
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    return dti_create(mesh, layout, &meta, &recipe);
}

/* A tensor of one integer, by the public function that is named. */
static dt_tensor *create_full_int(const char *function, dt_mesh *mesh,
                                  const char *layout, const dt_meta *meta,
                                  int64_t value)
{
    const dti_recipe recipe = full_int(&value);
    if (dti_given(mesh, function, "mesh") != DT_OK)
        return NULL;
    return dti_create(mesh, layout, meta, &recipe);
}

dt_tensor *dt_full_int(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                       dt_shape shape, int64_t value)
{
    DTI_ENTRY();
    dt_meta meta = dt_meta_of(dtype, shape);
    return create_full_int(__func__, mesh, layout, &meta, value);
}

dt_tensor *dt_zeros(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                    dt_shape shape)
{
    DTI_ENTRY();
    dt_meta meta = dt_meta_of(dtype, shape);
    return create_full_int(__func__, mesh, layout, &meta, 0);
}

dt_tensor *dt_ones(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                   dt_shape shape)
{
    DTI_ENTRY();
    dt_meta meta = dt_meta_of(dtype, shape);
    return create_full_int(__func__, mesh, layout, &meta, 1);
}

dt_tensor *dt_empty_like(dt_tensor *tensor)
{
    DTI_ENTRY();
    if (dti_given(tensor, __func__, "tensor") != DT_OK)
        return NULL;
    const dt_layout layout = dti_layout_unmasked(&tensor->spec->layout);
    return create_in(tensor, &layout, &empty);
}

dt_tensor *dt_full_like(dt_tensor *tensor, double value)
{
    DTI_ENTRY();
    const dti_recipe recipe = full(&value);
    if (dti_given(tensor, __func__, "tensor") != DT_OK)
        return NULL;
    return dti_create_like(tensor, &recipe);
}

static dt_tensor *create_full_int_like(const char *function,
                                       const dt_tensor *tensor, int64_t value)
{
    const dti_recipe recipe = full_int(&value);
    if (dti_given(tensor, function, "tensor") != DT_OK)
        return NULL;
    return dti_create_like(tensor, &recipe);
}

dt_tensor *dt_full_int_like(dt_tensor *tensor, int64_t value)
{
    DTI_ENTRY();
    return create_full_int_like(__func__, tensor, value);
}

dt_tensor *dt_zeros_like(dt_tensor *tensor)
{
    DTI_ENTRY();
    return create_full_int_like(__func__, tensor, 0);
}

dt_tensor *dt_ones_like(dt_tensor *tensor)
{
    DTI_ENTRY();
    return create_full_int_like(__func__, tensor, 1);
}
