/* ops/helpers/arguments.h - reading the arguments of a call by their names. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_ARGUMENTS_H
#define DTI_OPS_HELPERS_ARGUMENTS_H

#include <string.h>

#include "base/error.h"
#include "op/schema.h"

/*
 * A function that several rows share finds an argument wherever the schema of
 * the row has it.  Names are literals: they are compared by a few instructions,
 * and tools/ops fails on a name that no row of the family has.
 */

/* Return the argument of a name; NULL if the schema does not have it. */
static inline const dt_argument *dti_argument(const dt_operation *operation,
                                              const char *name)
{
    const dti_schema *schema = operation->schema;
    const size_t size = strlen(name) + 1;
    for (int i = 0; i < schema->count; i++)
        if (memcmp(schema->parameters[i].name, name, size) == 0)
            return &operation->arguments[i];
    return NULL;
}

/* ---- Values, of an argument that the schema has ---------------------------
 */

/* An int, Dim or Dtype. */
static inline int64_t dti_argument_int(const dt_operation *operation,
                                       const char *name)
{
    return dti_argument(operation, name)->as.integer;
}

static inline bool dti_argument_bool(const dt_operation *operation,
                                     const char *name)
{
    return dti_argument(operation, name)->as.integer != 0;
}

static inline double dti_argument_real(const dt_operation *operation,
                                       const char *name)
{
    return dti_argument(operation, name)->as.real;
}

static inline dt_number dti_argument_number(const dt_operation *operation,
                                            const char *name)
{
    return dti_argument(operation, name)->as.number;
}

static inline const char *dti_argument_text(const dt_operation *operation,
                                            const char *name)
{
    return dti_argument(operation, name)->as.text;
}

/* A Dtype?, or another one if it is absent. */
static inline dt_dtype dti_argument_dtype(const dt_operation *operation,
                                          const char *name, dt_dtype other)
{
    const dt_argument *argument = dti_argument(operation, name);
    return argument->kind == DT_ARG_NONE ? other
                                         : (dt_dtype)argument->as.integer;
}

/* A Dim of a tensor with so many dimensions, counted from the front. */
static inline dt_status dti_argument_dim(const dt_operation *operation,
                                         const char *name, int ndim, int *out)
{
    return dt_operation_dim(operation, dti_argument_int(operation, name), ndim,
                            out);
}

/* The same of a call that was checked, of the first tensor. */
static inline int dti_argument_dim_of_first(const dt_operation *operation,
                                            const char *name)
{
    const int ndim = operation->metas[0]->shape.ndim;
    const int64_t dim = dti_argument_int(operation, name);
    return (int)(dim < 0 ? dim + (ndim ? ndim : 1) : dim);
}

#endif
