/* verify/sample.h - calls to try an operator with, as rows write
 * them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_VERIFY_SAMPLE_H
#define DTI_VERIFY_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "op/schema.h"

/* The language is in README.md. */

#define DTI_SAMPLE_LETTERS 26
#define DTI_SAMPLE_LIST 8
#define DTI_SAMPLE_TEXT 24
#define DTI_SAMPLE_LARGEST (INT64_C(1) << 40) /* no size is larger */

/* A number times letters: "-1", "m", "m*3", "m*n". */
typedef struct dti_sample_size {
    int64_t factor;
    unsigned char powers[DTI_SAMPLE_LETTERS]; /* how often each letter occurs */
} dti_sample_size;

/* What the elements of a tensor may be. */
typedef enum dti_sample_range {
    DTI_SAMPLE_ANY,
    DTI_SAMPLE_BELOW,    /* integers from 0, below a size */
    DTI_SAMPLE_POSITIVE, /* above 0 */
    DTI_SAMPLE_FRACTION  /* floats above 0, below 1 */
} dti_sample_range;

typedef struct dti_sample_tensor {
    bool present;
    bool varied; /* "T" */
    dt_dtype dtype;
    int ndim;
    dti_sample_size extents[DT_MAX_NDIM];
    dti_sample_range range;
    dti_sample_size below;
    bool finite; /* "~": no element is infinite or NaN */
} dti_sample_tensor;

/* One argument.  Which field counts, the type of its parameter says. */
typedef struct dti_sample_value {
    bool absent; /* "None" */
    bool varied; /* a dtype that is "T" */
    dt_dtype dtype;
    dt_dtype_kind kind; /* of a Number */
    double real;
    dti_sample_size size;
    char text[DTI_SAMPLE_TEXT];
    int count;                            /* of numbers, sizes or tensors */
    dt_dtype_kind kinds[DTI_SAMPLE_LIST]; /* of a list of Numbers */
    double reals[DTI_SAMPLE_LIST];
    dti_sample_size sizes[DTI_SAMPLE_LIST];
    dti_sample_tensor tensors[DTI_SAMPLE_LIST];
} dti_sample_value;

/* One call: a value for each parameter of the schema that is given. */
typedef struct dti_sample {
    const char *text; /* where it stands; borrowed */
    int length;
    bool given[DTI_MAX_ARGUMENTS];
    dti_sample_value values[DTI_MAX_ARGUMENTS];
} dti_sample;

/*
 * Read the next sample of a text, and move on behind it; false at the end.
 * `status` is DT_ERR_FORMAT if it cannot be read, and `error` says why.
 */
bool dti_sample_next(const char **text, const dti_schema *schema,
                     dti_sample *out, dt_status *status, dt_error *error);

/* The value of a size, with these values of letters, none of which is negative.
 */
int64_t dti_sample_size_of(const dti_sample_size *size, const int64_t *letters);

/* The letters that a sample uses, as bits. */
unsigned dti_sample_letters(const dti_sample *of, const dti_schema *schema);

/* Write a sample of a schema, for a message: "(T[m,n], 0)". */
typedef struct dti_sample_example {
    char text[256];
} dti_sample_example;
const char *dti_sample_example_of(const dti_schema *schema,
                                  dti_sample_example *out);

/*
 * Read which dtypes T stands for: "float int bool complex" and names of
 * dtypes; all if it is NULL.  As bits; 0 if it cannot be read.
 */
unsigned dti_sample_dtypes(const char *text);

#endif
