/* op/call/scratch.h - arrays that a kernel makes for itself. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_CALL_SCRATCH_H
#define DTI_OP_CALL_SCRATCH_H

#include <dtensor/sys/op.h>

/*
 * Arrays that a kernel needs besides its results, such as a dense copy of an
 * input, belong to the call: they are released when the kernel returns, however
 * it returns.  So a kernel that makes several can use DTI_TRY throughout.  None
 * of the functions below is collective; a call that computes nothing (meta
 * inputs) gets arrays without storage.
 */
typedef struct dt_scratch {
    dt_array **arrays;
    int count;
    int capacity;
} dti_scratch;

/* Let the call own an array that was made with a status: returns that status.
 * For example dti_scratch_own(operation, dt_array_slice(..., &view), &view). */
dt_status dti_scratch_own(const dt_operation *operation, dt_status made,
                          dt_array **array);

/* Create an array, not initialised. */
dt_status dti_scratch_create(const dt_operation *operation, dt_dtype dtype,
                             dt_shape shape, dt_array **out);

/* Return a contiguous copy in a dtype, which may be written to. */
dt_status dti_scratch_copy(const dt_operation *operation, const dt_array *array,
                           dt_dtype dtype, dt_array **out);

/* Return an array's elements in a dtype, or in their own, contiguous: the array
 * itself where it is so. */
dt_status dti_scratch_cast(const dt_operation *operation, dt_array *array,
                           dt_dtype dtype, dt_array **out);
dt_status dti_scratch_contiguous(const dt_operation *operation, dt_array *array,
                                 dt_array **out);

/* Return an array broadcast to a shape, as a view. */
dt_status dti_scratch_expand(const dt_operation *operation, dt_array *array,
                             dt_shape shape, dt_array **out);

/* Return an array in another shape, as a view. */
dt_status dti_scratch_reshape(const dt_operation *operation, dt_array *array,
                              dt_shape shape, dt_array **out);

/* Return a view of an array from its first element on. */
dt_status dti_scratch_view(const dt_operation *operation, dt_array *array,
                           dt_shape shape, const int64_t *strides,
                           dt_array **out);

/* Return an array with its dimensions in the order in which another one has
 * them in memory, as a view. */
dt_status dti_scratch_in_order(const dt_operation *operation, dt_array *array,
                               const dt_array *like, dt_array **out);

/* Return memory for a kernel's own use, aligned as elements are. */
dt_status dti_scratch_memory(const dt_operation *operation, size_t bytes,
                             void **out);

/* Release all arrays of a call. */
void dti_scratch_close(dti_scratch *scratch);

#endif
