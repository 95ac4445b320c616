/* tests/conformance/values.h - elements of inputs, as a rank has them, and
 * whether results are right. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_VALUES_H
#define DT_TESTS_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtensor.h>

#include "conformance/sample.h"

/* Which elements are no usual numbers. */
typedef enum specials {
    SPECIALS_NONE,
    SPECIALS_NAN, /* one is NaN */
    SPECIALS_ALL  /* some are inf, -inf, NaN and 0; such an input is not partial
                     in calls */
} specials;

/* What an input is, as a whole. */
typedef struct input_facts {
    bool present;
    int number; /* of the input: others have other values */
    dt_meta meta;
    sample_range range;
    int64_t below;
    bool finite;
    specials special;
    uint64_t salt;     /* which elements these are */
    bool proportional; /* a rank's part of a sum is the same fraction of every
                          element, so that linear functions of it are the same
                          fraction of their result, infinite ones included */
} input_facts;

/* What the last bit of 1 is. */
double epsilon_of(dt_dtype dtype);

/* Tell whether a dtype has a reduction. */
bool has_reduction(dt_reduce op, dt_dtype dtype);

/*
 * Make the part of an input that a world rank has.  Parts of partial inputs
 * combine to the value exactly, and no rank has what another has.
 *
 * Not collective.  The caller releases it.  NULL without memory.
 */
dt_array *input_part(const input_facts *input, const dt_spec *spec, int rank);

/* How near results have to be. */
typedef struct nearness {
    bool exact;
    int64_t length;  /* elements that are summed, at most */
    double rounding; /* of inputs that may be rounded: a bit of 1; or 0 */
} nearness;

/* The elements of an array, in row-major order, as C reads them. */
typedef struct elements {
    dt_dtype dtype;
    dt_shape shape;
    int64_t count;
    int width;         /* numbers for each element: two if complex */
    double *reals;     /* NULL unless floats or complex */
    int64_t *integers; /* NULL unless integers or bool */
} elements;

/* Read an array; false without memory.  Not collective. */
bool elements_read(dt_world *world, const dt_array *array, elements *out);
void elements_free(elements *of);

/*
 * Tell whether elements are the part of a whole that a world rank has by a spec
 * that is not partial; all of it if there is no spec.
 *
 * Not collective.
 */
bool is_part(const elements *part, const elements *whole, const dt_spec *spec,
             int rank, nearness how);

/* Where the latest part differed, and by what. */
const char *last_difference(void);

/*
 * Tell whether the parts of some ranks combine to a whole.
 *
 * Not collective.
 */
bool combines(const elements *parts, int count, dt_reduce op,
              const elements *whole, nearness how);

#endif
