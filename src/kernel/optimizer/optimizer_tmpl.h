/* kernel/optimizer/optimizer_tmpl.h - the loops of optimisers, for one
 * instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set.
 */
#include <math.h>
#include <stddef.h>

#include "base/attributes.h"
#include "kernel/independent.h"
#include "kernel/optimizer/optimizer_level.h"

/* What weight decay is taken from. */
enum { DECAY_NONE, DECAY_GRADIENT, DECAY_PARAMETER };

/* What there is of momentum. */
enum { MOMENTUM_NONE, MOMENTUM_FIRST, MOMENTUM_MORE };

#define T float
#define NAME(x) x##_f32
#define SQRT sqrtf
#include "kernel/optimizer/optimizer_loops_tmpl.h"

#define T double
#define NAME(x) x##_f64
#define SQRT sqrt
#include "kernel/optimizer/optimizer_loops_tmpl.h"

const dti_optimizer_loops LOOPS = {
    .adam_f32 = adam_f32,
    .adam_f64 = adam_f64,
    .sgd_f32 = sgd_f32,
    .sgd_f64 = sgd_f64,
    .unscale_f32 = unscale_f32,
    .unscale_f64 = unscale_f64,
};

#undef LOOPS
