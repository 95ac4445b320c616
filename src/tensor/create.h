/* tensor/create.h - making a tensor whose elements every rank can compute. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TENSOR_CREATE_H
#define DTI_TENSOR_CREATE_H

#include "layout/part.h"
#include "tensor/tensor.h"

/* Sets this rank's elements: a dense array, its part of the value.  Not called
 * if there are none. */
typedef dt_status (*dti_fill_function)(const dt_spec *spec, dt_array *local,
                                       const void *arg);

/* Make a tensor with a spec and set its elements; nothing is set without a
 * function. */
dt_tensor *dti_create_with(dt_spec *spec, dti_fill_function fill,
                           const void *arg);

/* Sets the elements of some rows, one after another from `out` on. */
typedef void (*dti_rows_filler)(const void *arg, const dti_rows *rows,
                                void *out);

/* Set this rank's elements by rows, in row-major order of the whole, whatever
 * the order of the strides. */
dt_status dti_fill_by_rows(const dt_spec *spec, dt_array *local,
                           dti_rows_filler filler, const void *arg);

/* Sets `count` elements from the one with global index `first` on. */
typedef void (*dti_run_filler)(const void *arg, int64_t first, int64_t count,
                               void *out);

/* The same run by run. */
dt_status dti_fill_runs(const dt_spec *spec, dt_array *local,
                        dti_run_filler filler, const void *arg);

/* Set this rank's elements to random numbers; `arg` is a dti_draw. */
dt_status dti_fill_drawn(const dt_spec *spec, dt_array *local, const void *arg);

#endif
