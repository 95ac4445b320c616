/* kernel/scan/scan.h - running sums, products and extremes along a dimension.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SCAN_SCAN_H
#define DTI_KERNEL_SCAN_SCAN_H

#include <stdint.h>

#include <dtensor/array.h>

#include "base/machine/cpu.h"

typedef enum dti_scan_kind {
    DTI_SCAN_SUM,
    DTI_SCAN_PRODUCT,
    DTI_SCAN_MAX, /* and where it lies: of equal ones the last; NaN wins */
    DTI_SCAN_MIN,
    DTI_SCAN_LOGSUMEXP, /* log(sum(exp(x))), of floats */
    DTI_SCAN_KINDS
} dti_scan_kind;

/*
 * All that is known of the elements before a place.  Sums and products of
 * floats are f64, those of integers i64, of complex numbers both parts f64.
 * Extremes have a value and an index, -1 if there is none; logsumexp has the
 * largest element and the sum of exp(x - largest).
 */
typedef struct dti_scan_state {
    union {
        double f64;
        int64_t i64;
    } value;
    union {
        double f64;
        int64_t i64;
    } more;
} dti_scan_state;

/* The dtype that tells how a kind is scanned: f64, i64 or c64. */
dt_dtype dti_scan_carrier(dt_dtype dtype);

/* What is known of no elements. */
dti_scan_state dti_scan_begin(dti_scan_kind kind, dt_dtype carrier);

/* Add what is known of later elements. */
void dti_scan_merge(dti_scan_kind kind, dt_dtype carrier, dti_scan_state *to,
                    const dti_scan_state *later);

/*
 * Scan along a dimension.  There is a state for each place of the others, in
 * row-major order: what came before, and then what came up to the end.  Results
 * go to `out`, of the shape of the array, converted from the carrier; extremes
 * have their indexes, counted from `first`, in `indexes`.  Both may be NULL.
 * `out` may be the array.
 *
 * A result depends on the state, and on the elements before it, not on the
 * address, the other dimensions or the instruction set.
 */
typedef struct dti_scan {
    dti_scan_kind kind;
    const dt_array *in;
    int dim;
    dti_scan_state *states;
    dt_array *out;
    dt_array *indexes;
    int64_t first;
} dti_scan;

void dti_scan_array(const dti_scan *scan);

/* The same with an instruction set, which the processor must have. */
void dti_scan_array_at(dti_cpu_level level, const dti_scan *scan);

#endif
