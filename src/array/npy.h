/* array/npy.h - the header of a .npy file. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_NPY_H
#define DTI_ARRAY_NPY_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/dtype.h>
#include <dtensor/shape.h>

/* Enough of a file to see how long its header is. */
#define DTI_NPY_PREFIX 12

/* Longer headers are refused: with 8 dimensions none comes near. */
#define DTI_NPY_MOST_HEADER 65536

typedef struct dti_npy_header {
    dt_dtype dtype;
    bool swapped; /* the bytes of elements are in the other order */
    bool fortran; /* the first dimension is the fastest */
    dt_shape shape;
    size_t data_offset; /* in the file */
} dti_npy_header;

/*
 * Find out from the first DTI_NPY_PREFIX bytes of a file where its header
 * begins and ends.  DT_ERR_FORMAT, DT_ERR_UNSUPPORTED.
 */
dt_status dti_npy_locate(const void *bytes, size_t size, size_t *start,
                         size_t *end, dt_error *error);

/*
 * Read the header at the beginning of `size` bytes of a file.  Its shape has
 * been checked to fit memory addresses, not the file.
 */
dt_status dti_npy_parse(const void *bytes, size_t size, dti_npy_header *out,
                        dt_error *error);

/* Write a header of version 1, padded to a multiple of 64 bytes; gives its
 * length.  `size` must be at least 512. */
size_t dti_npy_write_header(dt_dtype dtype, dt_shape shape, char *out,
                            size_t size);

#endif
