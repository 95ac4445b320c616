/* kernel/attention/attention_tmpl.h - the loops of attention, for one
 * instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set.
 */
#include <math.h>

#include "base/attributes.h"
#include "kernel/attention/attention_level.h"
#include "kernel/independent.h"
#include "kernel/math/f32.h"
#include "kernel/math/f64.h"

enum {
    LANES = 16 /* sums that elements are dealt to, by turns */
};

/* Halve the lanes; called with constants, so that no loop is left. */
static DTI_INLINE void halve(double *lanes, int half)
{
    for (int j = 0; j < half; j++)
        lanes[j] += lanes[j + half];
}

#define T float
#define EXP exp_f32
#define MOST most_f32
#define WEIGH weigh_f32
#define SCALE scale_run_f32
#define ADD add_f32
#define HIDE hide_f32
#define DROP drop_f32
#define SLOPE slope_f32
#define NOUGHT nought_f32
#define DOT dot_f32
#define TOTAL total_f32
#define GREATER greater_f32
#include "kernel/attention/attention_loops_tmpl.h"

#define T double
#define EXP exp_f64
#define MOST most_f64
#define WEIGH weigh_f64
#define SCALE scale_run_f64
#define ADD add_f64
#define HIDE hide_f64
#define DROP drop_f64
#define SLOPE slope_f64
#define NOUGHT nought_f64
#define DOT dot_f64
#define TOTAL total_f64
#define GREATER greater_f64
#include "kernel/attention/attention_loops_tmpl.h"

const dti_attention_loops LOOPS[2] = {
    {
        .most = most_f32,
        .weigh = weigh_f32,
        .scale = scale_run_f32,
        .add = add_f32,
        .hide = hide_f32,
        .drop = drop_f32,
        .slope = slope_f32,
        .nought = nought_f32,
        .dot = dot_f32,
    },
    {
        .most = most_f64,
        .weigh = weigh_f64,
        .scale = scale_run_f64,
        .add = add_f64,
        .hide = hide_f64,
        .drop = drop_f64,
        .slope = slope_f64,
        .nought = nought_f64,
        .dot = dot_f64,
    },
};

#undef LOOPS
