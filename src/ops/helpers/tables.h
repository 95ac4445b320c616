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
 */

#endif
