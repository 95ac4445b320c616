/* redistribute/gaps.h - what a step leaves of its output, and filling it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_GAPS_H
#define DTI_REDISTRIBUTE_GAPS_H

#include <dtensor/sys/transport.h>

/* A box of a dense output: where it starts, in bytes, and runs of bytes that
 * lie evenly, slowest dimension first. */
typedef struct dti_gap {
    int64_t start;
    int64_t row; /* bytes */
    int ndim;    /* of the rows */
    int64_t dims[DT_MAX_NDIM];
    int64_t strides[DT_MAX_NDIM];
} dti_gap;

/* The elements that tiles do not cover, and what they are set to. */
typedef struct dti_gaps {
    int64_t count;
    dti_gap *list;
    char *pattern; /* elements that change nothing, one after another */
    size_t pattern_bytes;
    size_t output_bytes;
} dti_gaps;

/* Find what tiles leave of a dense output of this shape, to be filled with what
 * changes nothing. */
dt_status dti_gaps_open(dti_gaps *gaps, dt_world *world, dt_dtype dtype,
                        dt_shape shape, const dt_tiling *tiling,
                        double neutral);
void dti_gaps_close(dti_gaps *gaps);

void dti_gaps_fill(const dti_gaps *gaps, char *output);

#endif
