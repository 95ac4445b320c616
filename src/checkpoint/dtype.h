/* checkpoint/dtype.h - element types as safetensors files name them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_DTYPE_H
#define DTI_CHECKPOINT_DTYPE_H

#include <stddef.h>

#include <dtensor/dtype.h>

/* A dtype of files; those that the library has none for can be listed and
 * verified, but not loaded. */
typedef struct dti_file_dtype {
    const char *name; /* "BF16" */
    int bits;         /* of an element */
    dt_dtype dtype;   /* DT_DTYPE_COUNT: none */
} dti_file_dtype;

/* Find a dtype by its name, not zero-terminated; NULL if there is none. */
const dti_file_dtype *dti_file_dtype_find(const char *name, size_t size);

/* The dtype of files for one of the library. */
const dti_file_dtype *dti_file_dtype_of(dt_dtype dtype);

/* Compare as the reference writer orders tensors: large elements first. */
int dti_file_dtype_compare(const dti_file_dtype *a, const dti_file_dtype *b);

#endif
