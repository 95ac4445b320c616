/* nn/train/data_parallel.c - gradients reduced in buckets. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/data_parallel.h>
#include <stdlib.h>

#include <dtensor/autograd.h>
#include <dtensor/scope.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "nn/module.h"
#include "nn/train/bucket.h"

enum { BUCKETS_MAX = 64 }; /* kinds of gradients at a time */

static const size_t default_bytes = (size_t)4 << 20;

struct dt_data_parallel {
    dt_world *world;
    size_t bucket_bytes;
    int count;
    dt_tensor **leaves; /* whose gradients it takes; retained */
    /* Those that are filled, each of its own kind; then those under way. */
    dti_bucket filling[BUCKETS_MAX];
    int filling_count;
    dti_bucket *started;
    int started_count, started_capacity;
};

/* ---- Taking gradients --------------------------------------------------- */

/* The bucket for gradients like this one; NULL if there are too many kinds. */
static dti_bucket *find_bucket(dt_data_parallel *parallel,
                               const dt_tensor *grad, const dt_layout *partial)
{
    dt_mesh *mesh = dt_tensor_mesh(grad);
    const dt_dtype dtype = dt_tensor_dtype(grad);
    for (int i = 0; i < parallel->filling_count; i++) {
        dti_bucket *bucket = &parallel->filling[i];
        if (bucket->mesh == mesh && bucket->dtype == dtype &&
            dt_layout_equal(&bucket->partial, partial))
            return bucket;
    }
    if (parallel->filling_count == BUCKETS_MAX)
        return NULL;
    dti_bucket *bucket = &parallel->filling[parallel->filling_count++];
    *bucket = (dti_bucket){
        .mesh = dt_mesh_retain(mesh), .dtype = dtype, .partial = *partial};
    return bucket;
}

/* Begin to reduce a bucket, and leave an empty one of its kind. */
static dt_status start(dt_data_parallel *parallel, dti_bucket *bucket)
{
    if (parallel->started_count == parallel->started_capacity) {
        const int capacity = 2 * parallel->started_capacity + 8;
        const size_t bytes = (size_t)capacity * sizeof *parallel->started;
        dti_bucket *list = realloc(parallel->started, bytes);
        if (!list)
            return dti_fail_memory(parallel->world, bytes,
                                   "buckets of gradients");
        parallel->started = list;
        parallel->started_capacity = capacity;
    }
    DTI_TRY(dti_bucket_start(bucket));
    parallel->started[parallel->started_count++] = *bucket;
    dt_mesh_retain(bucket->mesh);
    dt_mesh_retain(bucket->sub);
    bucket->items = NULL;
    bucket->reduced = NULL;
    bucket->count = 0;
    bucket->capacity = 0;
    bucket->bytes = 0;
    return DT_OK;
}

static dt_status take(dt_tensor *grad, void *leaf, void *arg)
{
    dt_data_parallel *parallel = arg;
    dt_layout partial;
    dti_bucket *bucket = NULL;
    if (dti_bucket_accepts(leaf, grad, &partial))
        bucket = find_bucket(parallel, grad, &partial);
    if (!bucket)
        return dt_tensor_add_grad(leaf, grad);
    DTI_TRY(dti_bucket_add(bucket, leaf, grad));
    return bucket->bytes >= parallel->bucket_bytes ? start(parallel, bucket)
                                                   : DT_OK;
}

static void drop(dti_bucket *bucket)
{
    dti_bucket_clear(bucket);
    free(bucket->items);
    dt_mesh_release(bucket->mesh);
    dt_mesh_release(bucket->sub);
}

static dt_status finish(dt_status status, void *arg)
{
    dt_data_parallel *parallel = arg;
    for (int i = 0; i < parallel->filling_count && status == DT_OK; i++)
        if (parallel->filling[i].count)
            status = start(parallel, &parallel->filling[i]);
    for (int i = 0; i < parallel->started_count && status == DT_OK; i++)
        status = dti_bucket_finish(&parallel->started[i]);
    for (int i = 0; i < parallel->started_count; i++)
        drop(&parallel->started[i]);
    parallel->started_count = 0;
    for (int i = 0; i < parallel->filling_count; i++)
        dti_bucket_clear(&parallel->filling[i]);
    return status;
}

/* ---- Creating and releasing --------------------------------------------- */

void dt_data_parallel_release(dt_data_parallel *parallel)
{
    DTI_ENTRY();
    if (!dti_handle_usable(parallel, __func__) || !parallel)
        return;
    dti_handle_gone(parallel);
    for (int i = 0; i < parallel->count; i++) {
        DT_IGNORE(dt_tensor_set_reducer(parallel->leaves[i], NULL, NULL));
        dt_tensor_release(parallel->leaves[i]);
    }
    for (int i = 0; i < parallel->filling_count; i++)
        drop(&parallel->filling[i]);
    free(parallel->started);
    free(parallel->leaves);
    dti_handle_free(parallel);
    dti_live_add(DTI_LIVE_DATA_PARALLEL, -1);
}

static dt_status take_over(dt_data_parallel *parallel, dt_module *module)
{
    dt_reducer reducer = DT_REDUCER_INIT;
    reducer.take = take;
    reducer.finish = finish;
    reducer.arg = parallel;
    const dti_name_list *list = NULL;
    DTI_TRY(dti_module_list(module, false, &list));
    const size_t bytes = (size_t)list->count * sizeof *parallel->leaves;
    parallel->leaves = malloc(bytes ? bytes : 1);
    if (!parallel->leaves)
        return dti_fail_memory(parallel->world, bytes, "a list of parameters");
    for (int i = 0; i < list->count; i++) {
        dt_tensor *leaf = dt_parameter_tensor(list->items[i].parameter);
        if (!dt_tensor_is_leaf(leaf))
            continue;
        DTI_TRY(dt_tensor_set_reducer(leaf, &reducer, leaf));
        parallel->leaves[parallel->count++] = dt_tensor_retain(leaf);
    }
    return DT_OK;
}

dt_status dt_data_parallel_create(dt_module *module,
                                  const dt_data_parallel_options *options,
                                  dt_data_parallel **out)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(module, __func__, "module"));
    dt_world *world = dt_module_world(module);
    dt_data_parallel_options usual = DT_DATA_PARALLEL_OPTIONS_INIT;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_DATA_PARALLEL_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    dt_data_parallel *parallel = calloc(1, sizeof *parallel);
    if (!parallel)
        return dti_fail_memory(world, sizeof *parallel, "buckets of gradients");
    parallel->world = world;
    parallel->bucket_bytes =
        options->bucket_bytes ? options->bucket_bytes : default_bytes;
    dti_live_add(DTI_LIVE_DATA_PARALLEL, 1);
    dti_handle_made(world, DTI_LIVE_DATA_PARALLEL, parallel);
    const dt_status status = take_over(parallel, module);
    if (status == DT_OK)
        *out = parallel;
    else
        dt_data_parallel_release(parallel);
    return status;
}
