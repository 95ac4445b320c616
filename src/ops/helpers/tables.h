/* ops/helpers/tables.h - the tables of operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_TABLES_H
#define DTI_OPS_HELPERS_TABLES_H

#include <dtensor/sys/op.h>

/*
 * A file src/ops/<folder>/<family>.c ends with one table,
 *
 *     const dt_op dti_ops_<family>[] = {{.schema = "..."}, {0}};
 *
 * The build lists them by the names of the files, which differ in all folders.
 *
 * Rows that share a function and differ in one constant have it as `data`:
 *
 *     {.schema = "amax(...)", .kernel = fold, .data = DTI_KIND(DTI_FOLD_MAX)}
 *
 * and the function reads it with dti_kind.
 */
#define DTI_KIND(constant) (&(const int){constant})

static inline int dti_kind(const dt_operation *operation)
{
    return *(const int *)operation->op->data;
}

#endif
