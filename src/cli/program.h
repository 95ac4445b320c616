/* cli/program.h - running the program that a subcommand is asked about. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_PROGRAM_H
#define DTI_CLI_PROGRAM_H

#include <stdio.h>

/* A program, and what it is told. */
typedef struct dti_program {
    const char *command;  /* the subcommand, for messages */
    char **argv;          /* ends with NULL */
    const char *variable; /* receives the descriptor of the report */
    /* Sets other variables and files in the new process; may be NULL. */
    void (*prepare)(const void *arg);
    const void *arg;
} dti_program;

/*
 * Run a program to its end.  Returns its exit status as shells have it, 128 + n
 * for signal n, which stderr then says.  `report` is what it wrote to the
 * descriptor, from the beginning; the caller closes it.  NULL, with a message
 * and the status of a failure, if there is none.
 */
int dti_program_run(const dti_program *program, FILE **report);

#endif
