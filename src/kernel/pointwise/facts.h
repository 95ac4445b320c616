/* kernel/pointwise/facts.h - what there is to know of pointwise functions. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_POINTWISE_FACTS_H
#define DTI_KERNEL_POINTWISE_FACTS_H

#include <stdbool.h>

#include "kernel/pointwise/pointwise.h"

enum { DTI_POINTWISE_MAX_INPUTS = 3, DTI_POINTWISE_MAX_NUMBERS = 3 };

/* Where the loops of a function are. */
typedef enum dti_pointwise_family {
    DTI_BASIC = 1, /* 0 is that of a function whose facts were forgotten */
    DTI_REAL,
    DTI_ACTIVATION
} dti_pointwise_family;

typedef struct dti_pointwise_facts {
    dti_pointwise_family family;
    int inputs;  /* arrays, or numbers in place of them */
    int numbers; /* behind these */
    bool truth;  /* the result is bool */
    bool wide;   /* numbers and 0-d arrays beside half types stay f32 */
    bool dense;  /* loops take arrays alone: constants are spread for them */
} dti_pointwise_facts;

extern const dti_pointwise_facts dti_pointwise_known[DTI_POINTWISE_COUNT];

#endif
