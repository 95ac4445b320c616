/* cli/plan/report.h - the steps of a redistribution and what they cost. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_PLAN_REPORT_H
#define DTI_CLI_PLAN_REPORT_H

#include <stdio.h>

#include <dtensor/plan.h>

/* A plan, what it was asked for, and the one that PyTorch would take. */
typedef struct dti_planned {
    const dt_plan *plan;
    const dt_plan *usual; /* PyTorch's; NULL if it has none */
    const char *reason;   /* why it has none */
    dt_objective objective;
    size_t memory_cap; /* 0: none was given */
    const char *transport;
} dti_planned;

/* Write the steps of both as tables, then one beside the other. */
void dti_plan_print(const dti_planned *planned, FILE *stream);

/* Write one JSON object in a line. */
void dti_plan_print_json(const dti_planned *planned, FILE *stream);

#endif
