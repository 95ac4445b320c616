/* cli/ops/row.h - what a row of an operator says, in words. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_OPS_ROW_H
#define DTI_CLI_OPS_ROW_H

#include <dtensor/sys/op.h>

#define DTI_ROW_TEXT 256

/* The name of the function in C, without dt_. */
void dti_row_name(const dt_op *op, char text[DTI_ROW_TEXT]);

/* Its ATen names, separated by spaces. */
void dti_row_aten(const dt_op *op, char text[DTI_ROW_TEXT]);

/* Which dimensions may be sharded. */
void dti_row_rule(const dt_op *op, char text[DTI_ROW_TEXT]);

/* Which partial values pass: "linear self; monotone self". */
void dti_row_passes(const dt_op *op, char text[DTI_ROW_TEXT]);

/* Forms and what else is special: "in place, out". */
void dti_row_forms(const dt_op *op, char text[DTI_ROW_TEXT]);

/* The dtypes that it is tested with. */
const char *dti_row_dtypes(const dt_op *op);

/* Write all that a row says, over several lines. */
void dti_row_show(const dt_op *op);

/* Write it as one JSON object on a line. */
void dti_row_write(const dt_op *op);

/* Write all rows of a world as a table. */
void dti_rows_show(dt_world *world);

#endif
