/* cli/dryrun/report.h - what a dry run reports: read, reckoned, printed. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_DRYRUN_REPORT_H
#define DTI_CLI_DRYRUN_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <dtensor/trace.h>

/* What times are reckoned by. */
typedef struct dti_dry_rates {
    const char *transport; /* whose cost table prices calls between ranks */
    double flops;          /* arithmetic operations of a rank in a second */
    double bandwidth;      /* bytes that a rank reads and writes in a second */
} dti_dry_rates;

/* Of a usual core; the one place that says so. */
#define DTI_DRY_FLOPS "50G"
#define DTI_DRY_BANDWIDTH "10G"

/* Calls of one kind among so many ranks. */
typedef struct dti_dry_calls {
    dt_collective kind;
    int ranks;
    int64_t calls, peers, sent, received; /* peers added up over calls */
    double seconds;                       /* of all of them, reckoned */
} dti_dry_calls;

typedef struct dti_dry_operator {
    char *name; /* NULL: outside operators */
    int64_t calls;
    double flops, bytes;
    dti_dry_calls *collectives;
    int count;
    int64_t received;     /* by all of them */
    double communication; /* seconds, reckoned */
    double computation;
} dti_dry_operator;

/* One world that the program opened. */
typedef struct dti_dry_world {
    int ranks, rank;
    int64_t peak;  /* bytes */
    bool complete; /* nothing was lost for lack of memory */
    bool asked;    /* the last thing it did was to ask for elements */
    dti_dry_operator *operators;
    int count;
} dti_dry_world;

typedef struct dti_dry_report {
    dti_dry_world *worlds;
    int count;
} dti_dry_report;

/* Read a report, line by line; false if it makes no sense.  The caller frees it
 * in any case. */
bool dti_dry_read(FILE *stream, dti_dry_report *out);
void dti_dry_free(dti_dry_report *report);

/* Work out times. */
void dti_dry_reckon(dti_dry_report *report, const dti_dry_rates *rates);

void dti_dry_print(const dti_dry_world *world, const dti_dry_rates *rates,
                   FILE *stream);
void dti_dry_print_json(const dti_dry_world *world, const dti_dry_rates *rates,
                        FILE *stream);

#endif
