/* cli/show/report.h - what each rank has of a tensor. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_SHOW_REPORT_H
#define DTI_CLI_SHOW_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <dtensor/spec.h>

/* Write a table with a row for each rank; of many ranks the first and the last
 * ones unless all are wanted.  Then the whole in a line. */
void dti_report_table(const dt_spec *spec, bool all, FILE *stream);

/* Write the table of one rank, with everything that it has. */
void dti_report_rank(const dt_spec *spec, int rank, FILE *stream);

/* Write a JSON object in a line: rank, coordinate, shape, offset, runs,
 * elements, bytes. */
void dti_report_json(const dt_spec *spec, int rank, FILE *stream);

#endif
