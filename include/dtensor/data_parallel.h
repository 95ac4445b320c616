/* dtensor/data_parallel.h - reducing gradients in buckets. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_DATA_PARALLEL_H
#define DTENSOR_DATA_PARALLEL_H

#include <stddef.h>

#include <dtensor/module.h>
#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/*
 * If a batch is sharded along a mesh dimension along which parameters are
 * replicated, every rank computes an addend of each gradient, and the backward
 * pass reduces them, one collective per parameter.  With this, gradients are
 * collected in buckets, and each bucket is reduced by one asynchronous
 * collective while the backward pass computes the next:
 *
 *     dt_data_parallel *buckets = NULL;
 *     DT_TRY(dt_data_parallel_create(model, NULL, &buckets));
 *     ... train as before ...
 *     dt_data_parallel_release(buckets);
 *
 * Any number of mesh dimensions may be sharded by the batch, and parameters may
 * be sharded along the others (tensor parallel).  Gradients have the same
 * values as without buckets, but for rounding where more than two ranks add. To
 * accumulate gradients without communication, set `unreduced` in
 * dt_backward_options for all passes but the last.
 */
typedef struct dt_data_parallel dt_data_parallel;

/* Options of dt_data_parallel_create.  Zeros are the defaults. */
typedef struct dt_data_parallel_options {
    size_t size;         /* sizeof(dt_data_parallel_options) */
    size_t bucket_bytes; /* gradients in a bucket; 0: 4 MiB */
} dt_data_parallel_options;

#define DT_DATA_PARALLEL_OPTIONS_INIT                                          \
    {                                                                          \
        sizeof(dt_data_parallel_options), 0                                    \
    }

/*
 * Reduce the gradients of a module's parameters in buckets, until the object is
 * released.
 *
 * Not collective, but all ranks must do the same.  Call it after the parameters
 * were created.  `options` may be NULL.  The caller releases the object, before
 * the module or after it.
 */
DT_API DT_MUST_USE dt_status dt_data_parallel_create(
    dt_module *module, const dt_data_parallel_options *options,
    dt_data_parallel **out);

/* Reduce gradients one by one again.  Not collective, but all ranks must do the
 * same, outside of a backward pass.  NULL is allowed. */
DT_API void dt_data_parallel_release(dt_data_parallel *parallel);

DT_EXTERN_C_END

#endif
