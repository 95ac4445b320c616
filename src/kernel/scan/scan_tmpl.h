/* kernel/scan/scan_tmpl.h - running sums and products, for one instruction set.
 */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set; loops are plain, and the
 * compiler makes vectors of them.
 */
#include "kernel/independent.h"
#include "kernel/scan/scan_level.h"

#define COMBINE(a, b) ((a) + (b))
#define RUN sum_run
#define ROWS sum_rows
#include "kernel/scan/scan_loops_tmpl.h"

#define COMBINE(a, b) ((a) * (b))
#define RUN product_run
#define ROWS product_rows
#include "kernel/scan/scan_loops_tmpl.h"

const dti_scan_loops LOOPS[2] = {
    {sum_run, sum_rows},
    {product_run, product_rows},
};

#undef LOOPS
