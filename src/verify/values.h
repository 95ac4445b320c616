/* verify/values.h - elements of inputs, as a rank has them, and
 * whether results are right. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_VERIFY_VALUES_H
#define DTI_VERIFY_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtensor.h>

#include "verify/sample.h"

/* Which elements are no usual numbers. */
typedef enum dti_specials {
    DTI_SPECIALS_NONE,
    DTI_SPECIALS_NAN, /* one is NaN */
    DTI_SPECIALS_ALL  /* some are inf, -inf, NaN and 0; such an input is not
                     partial  in calls */
} dti_specials;

/* What an input is, as a whole. */
typedef struct dti_trial_input {
    bool present;
    int number; /* of the input: others have other values */
    dt_meta meta;
    dti_sample_range range;
    int64_t below;
    bool finite;
    dti_specials special;
    uint64_t salt;     /* which elements these are */
    bool proportional; /* a rank's part of a sum is the same fraction of every
                          element, so that linear functions of it are the same
                          fraction of their result, infinite ones included */
} dti_trial_input;

/* What the last bit of 1 is. */
double dti_epsilon_of(dt_dtype dtype);

/* Tell whether a dtype has a reduction. */
bool dti_has_reduction(dt_reduce op, dt_dtype dtype);

/*
 * Make the part of an input that a world rank has.  Parts of partial inputs
 * combine to the value exactly, and no rank has what another has.
 *
 * Not collective.  The caller releases it.  NULL without memory.
 */
dt_array *dti_trial_input_part(const dti_trial_input *input,
                               const dt_spec *spec, int rank);

/*
 * How many times the largest element of an input the addends of a partial sum
 * are at most, on this many ranks.  What ranks compute of addends is rounded by
 * the size of these: if an operator multiplies by s, and g = 0.1 is the sum of
 * 1 and -0.9, then s and -0.9 s are rounded, not 0.1 s.
 */
double dti_trial_input_excess(const dti_trial_input *input, int ranks);

/* How near results have to be. */
typedef struct dti_nearness {
    bool exact;
    int64_t length;  /* elements that are summed, at most */
    double rounding; /* of inputs that may be rounded: a bit of 1; or 0 */
    double excess;   /* how many times the elements partial addends are; or 0 */
} dti_nearness;

/* The elements of an array, in row-major order, as C reads them. */
typedef struct dti_elements {
    dt_dtype dtype;
    dt_shape shape;
    int64_t count;
    int width;         /* numbers for each element: two if complex */
    double *reals;     /* NULL unless floats or complex */
    int64_t *integers; /* NULL unless integers or bool */
} dti_elements;

/* Read an array; false with an error of the world, without memory.  Not
 * collective. */
bool dti_elements_read(dt_world *world, const dt_array *array,
                       dti_elements *out);
void dti_elements_free(dti_elements *of);

/* How the first element that differs does, for messages. */
typedef struct dti_difference {
    char text[256];
} dti_difference;

/*
 * Tell whether elements are the local shard that a world rank has of a global
 * tensor by a spec that is not partial; without a spec, all of the tensor.  The
 * spec has the global tensor's shape.  `out`, which may be NULL, receives the
 * difference.
 *
 * Not collective.
 */
bool dti_elements_match(const dti_elements *part, const dti_elements *whole,
                        const dt_spec *spec, int rank, dti_nearness how,
                        dti_difference *out);

/*
 * Tell whether the parts of some ranks combine to a whole.
 *
 * Not collective.
 */
bool dti_elements_combine(const dti_elements *parts, int count, dt_reduce op,
                          const dti_elements *whole, dti_nearness how);

#endif
