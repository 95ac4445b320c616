/* random/draw.h - random numbers by the index of the element they are for. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_RANDOM_DRAW_H
#define DTI_RANDOM_DRAW_H

#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/world.h>

#include "random/key.h"

/*
 * What is drawn, and the fields of dti_draw that say more.
 *
 * Floats are f32, f64, f16 and bf16.  f16 and bf16 are drawn in f32 and
 * rounded.  c64 is two numbers of f32 after one another; of a normal variable
 * each has half of the variance, and both have the mean.
 */
typedef enum dti_distribution {
    DTI_UNIFORM,          /* [low, high); floats, c64 */
    DTI_NORMAL,           /* mean, std; floats, c64 */
    DTI_LOG_NORMAL,       /* exp of DTI_NORMAL; floats */
    DTI_TRUNCATED_NORMAL, /* mean, std within [low, high]; floats */
    DTI_EXPONENTIAL,      /* rate; floats; never 0 in f32 and f64 */
    DTI_CAUCHY,           /* mean (the median), std (the scale); floats */
    DTI_GEOMETRIC,        /* p: trials up to the first success, from 1; floats,
                             integers */
    DTI_BERNOULLI,        /* p: 1 with this probability, else 0; all but c64 */
    DTI_RANDINT,          /* [least, end); all but c64 */
    DTI_DISTRIBUTION_COUNT
} dti_distribution;

/* How a draw is made, and the numbers for that; worked out once. */
typedef struct dti_draw_made {
    int source;               /* dti_draw_source */
    int form;                 /* dti_draw_form */
    dt_dtype dtype;           /* of what these give; cast to the one wanted */
    double center, scale;     /* of a standard variable; scale divides where the
                                 variable is a logarithm */
    double smallest, largest; /* what is beyond is set to these */
    double below, inside;     /* probabilities of a truncated normal variable */
    uint64_t base, range;     /* of integers */
} dti_draw_made;

/*
 * A sequence of random numbers, one for each element of a tensor.  Start from
 * zeros, set what the distribution needs, then have it checked; after that only
 * the key may change.
 */
typedef struct dti_draw {
    dti_random_key key;
    dti_distribution kind;
    dt_dtype dtype;
    double mean, std;
    double low, high;
    double rate;
    double p;
    int64_t least, end;
    dti_draw_made made; /* set by dti_draw_check */
} dti_draw;

/* Check the parameters, and get ready.  DT_ERR_INVALID for values that make no
 * sense, DT_ERR_UNSUPPORTED for a dtype that the distribution has not. */
dt_status dti_draw_check(dt_world *world, dti_draw *draw);

/*
 * Write the elements with global row-major index first to first + count - 1,
 * side by side, in draw->dtype.
 *
 * An element depends on the key, the distribution, its parameters, the dtype
 * and its index; never on where a run begins or ends, on alignment or on the
 * instruction set.
 */
void dti_draw_run(const dti_draw *draw, int64_t first, int64_t count,
                  void *out);

/*
 * Write `rows` runs of `count` elements, side by side; the first elements of
 * two neighbouring runs are `stride` >= 0 apart.
 *
 * The same as dti_draw_run for each, and much faster where runs are short: for
 * tensors that are cut along their last dimension.
 */
void dti_draw_rows(const dti_draw *draw, int64_t first, int64_t count,
                   int64_t stride, int64_t rows, void *out);

/* "uniform", "truncated normal". */
const char *dti_distribution_name(dti_distribution kind);

/*
 * Write a random order of 0 to count - 1: sorted by 64 random bits each, and by
 * number where these are equal.
 */
dt_status dti_random_permutation(dt_world *world, dti_random_key key,
                                 int64_t count, int64_t *out);

#endif
