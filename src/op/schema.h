/* op/schema.h - what an operator takes and gives, read from its schema. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_SCHEMA_H
#define DTI_OP_SCHEMA_H

#include <dtensor/sys/op.h>

#define DTI_MAX_ARGUMENTS 16
#define DTI_MAX_RESULTS 8
#define DTI_NAME_SIZE 48

/* The types of a schema; dti_types in schema.c says how each is written, what
 * it is in C and which kind of argument holds it. */
typedef enum dti_type {
    DTI_TYPE_TENSOR,
    DTI_TYPE_OPTIONAL_TENSOR,
    DTI_TYPE_TENSORS,
    DTI_TYPE_OPTIONAL_TENSORS,
    DTI_TYPE_NUMBER,
    DTI_TYPE_NUMBERS,
    DTI_TYPE_INT,
    DTI_TYPE_FLOAT,
    DTI_TYPE_BOOL,
    DTI_TYPE_DIM,
    DTI_TYPE_DIMS,
    DTI_TYPE_INTS,
    DTI_TYPE_SHAPE,
    DTI_TYPE_DTYPE,
    DTI_TYPE_OPTIONAL_DTYPE,
    DTI_TYPE_TEXT,
    DTI_TYPE_REDUCTION,
    DTI_TYPE_SCATTER_REDUCTION,
    DTI_TYPE_ROUNDING,
    DTI_TYPE_APPROXIMATE,
    DTI_TYPE_GENERATOR,
    DTI_TYPE_MESH,
    DTI_TYPE_OPTIONAL_MESH,
    DTI_TYPE_LAYOUT,
    DTI_TYPE_OPTIONAL_LAYOUT,
    DTI_TYPE_OPTIONAL_ARRAY,
    DTI_TYPE_FUNCTION,
    DTI_TYPE_COUNT
} dti_type;

typedef struct dti_type_facts {
    const char *name;      /* "Tensor?" */
    const char *c_type;    /* "dt_tensor *" */
    dt_argument_kind kind; /* that holds it */
    bool decides;          /* its value is part of the key of a decision */
    const char *values;    /* of an enum: ATen's names of its values, by number,
                              "none mean sum"; NULL: no enum */
} dti_type_facts;

extern const dti_type_facts dti_types[DTI_TYPE_COUNT];

typedef struct dti_parameter {
    char name[DTI_NAME_SIZE];
    dti_type type;
    bool decides;      /* its value is part of the key of a decision */
    bool option;       /* after "*" */
    char text[24];     /* of the default, without quotes; "" if there is none */
    dt_argument usual; /* the default; DT_ARG_NONE for "None" */
} dti_parameter;

/* How results are given. */
typedef enum dti_results {
    DTI_RESULT_ONE,    /* Tensor */
    DTI_RESULTS_NONE,  /* (): it works in place alone */
    DTI_RESULTS_NAMED, /* (Tensor values, Tensor indices) */
    DTI_RESULT_LIST    /* Tensor[] */
} dti_results;

typedef struct dt_schema {
    char name[DTI_NAME_SIZE];
    int count;
    dti_parameter parameters[DTI_MAX_ARGUMENTS];
    int tensor_count; /* parameters that are tensors, optional ones or lists */
    int tensors[DTI_MAX_ARGUMENTS]; /* which parameters these are */
    bool lists;                     /* some of them are lists */
    dti_results results;
    int result_count; /* of one or several; 0 for a list */
    char result_names[DTI_MAX_RESULTS][DTI_NAME_SIZE];
    int overwrites[DTI_MAX_RESULTS]; /* in place: which of the tensors each
                                        result goes to; -1: a new one */
} dti_schema;

/*
 * Read a schema.  Defaults that are texts lie in it: it is not to be copied.
 * On failure DT_ERR_FORMAT, and `error` says what is wrong and where.
 */
dt_status dti_schema_parse(const char *text, dti_schema *out, dt_error *error);

/* Tell whether an operator that works in place works so alone: no result of it
 * is what an argument becomes. */
bool dti_schema_only_in_place(const dti_schema *schema);

/* The number of a value of an enum by its name; -1 if there is none. */
int dti_type_value(dti_type type, const char *name, size_t length);

/* The name of a value of an enum by its number, and its length; NULL if there
 * is none. */
const char *dti_type_value_name(dti_type type, int64_t value, size_t *length);

/* Find a parameter by name; -1 if there is none. */
int dti_schema_find(const dti_schema *schema, const char *name, size_t length);

#endif
