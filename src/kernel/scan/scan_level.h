/* kernel/scan/scan_level.h - the loops of running sums and products, by level.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SCAN_SCAN_LEVEL_H
#define DTI_KERNEL_SCAN_SCAN_LEVEL_H

#include <stdint.h>

/* Rows of elements, and where their results go, which may be the same. */
typedef struct dti_scan_rows {
    const float *in;
    float *out;
    int64_t rows;
    int64_t width;
    int64_t in_stride; /* from row to row, in elements */
    int64_t out_stride;
} dti_scan_rows;

/* Loops over f32, worked out in f64.  All levels give the same bits. */
typedef struct dti_scan_loops {
    /* Scan neighbours from a value on; give the last one. */
    double (*run)(const float *in, float *out, int64_t count, double value);

    /* Scan columns from values on, which become the last ones. */
    void (*rows)(const dti_scan_rows *rows, double *values);
} dti_scan_loops;

extern const dti_scan_loops dti_scan_portable[2]; /* sums, products */
extern const dti_scan_loops dti_scan_avx2[2];
extern const dti_scan_loops dti_scan_avx512[2];

#endif
