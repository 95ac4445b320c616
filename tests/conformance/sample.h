/* tests/conformance/sample.h - calls to try an operator with, as rows write
 * them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_SAMPLE_H
#define DT_TESTS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "op/schema.h"

/* The language is in README.md. */

#define SAMPLE_LETTERS 26
#define SAMPLE_LIST 8
#define SAMPLE_TEXT 24

/* A number times letters: "-1", "m", "m*3", "m*n". */
typedef struct sample_size {
    int64_t factor;
    unsigned char powers[SAMPLE_LETTERS]; /* how often each letter occurs */
} sample_size;

/* What the elements of a tensor may be. */
typedef enum sample_range {
    SAMPLE_ANY,
    SAMPLE_BELOW,    /* integers from 0, below a size */
    SAMPLE_POSITIVE, /* above 0 */
    SAMPLE_FRACTION  /* floats above 0, below 1 */
} sample_range;

typedef struct sample_tensor {
    bool present;
    bool varied; /* "T" */
    dt_dtype dtype;
    int ndim;
    sample_size extents[DT_MAX_NDIM];
    sample_range range;
    sample_size below;
    bool finite; /* "~": no element is infinite or NaN */
} sample_tensor;

/* One argument.  Which field counts, the type of its parameter says. */
typedef struct sample_value {
    bool absent; /* "None" */
    bool varied; /* a dtype that is "T" */
    dt_dtype dtype;
    dt_dtype_kind kind; /* of a Number */
    double real;
    sample_size size;
    char text[SAMPLE_TEXT];
    int count;                        /* of numbers, sizes or tensors */
    dt_dtype_kind kinds[SAMPLE_LIST]; /* of a list of Numbers */
    double reals[SAMPLE_LIST];
    sample_size sizes[SAMPLE_LIST];
    sample_tensor tensors[SAMPLE_LIST];
} sample_value;

/* One call: a value for each parameter of the schema that is given. */
typedef struct sample {
    const char *text; /* where it stands; borrowed */
    int length;
    bool given[DTI_MAX_ARGUMENTS];
    sample_value values[DTI_MAX_ARGUMENTS];
} sample;

/*
 * Read the next sample of a text, and move on behind it; false at the end.
 * `status` is DT_ERR_FORMAT if it cannot be read, and `error` says why.
 */
bool sample_next(const char **text, const dti_schema *schema, sample *out,
                 dt_status *status, dt_error *error);

/* The value of a size, with these values of letters. */
int64_t sample_size_of(const sample_size *size, const int64_t *letters);

/* The letters that a sample uses, as bits. */
unsigned sample_letters(const sample *of, const dti_schema *schema);

/*
 * Read which dtypes T stands for: "float int bool complex" and names of
 * dtypes; all if it is NULL.  As bits; 0 if it cannot be read.
 */
unsigned sample_dtypes(const char *text);

#endif
