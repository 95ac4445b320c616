/* cli/command.h - what a subcommand is. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_COMMAND_H
#define DTI_CLI_COMMAND_H

#include <stdbool.h>

/* How the command ends. */
enum {
    DTI_EXIT_OK = 0,
    DTI_EXIT_FAILED = 1, /* it could not be done */
    DTI_EXIT_USAGE = 2   /* it was asked wrongly */
};

/*
 * A subcommand: a row at the end of its file in cli/commands/, named
 * dti_command_<file>.
 */
typedef struct dti_command {
    const char *name;
    const char *usage;   /* what follows the name, such as "[--json]" */
    const char *summary; /* a line for the list */
    const char *help;    /* what the options do, ends with a newline */
    /* What follows is another program's: it looks for --help by itself. */
    bool takes_program;
    /* argv[0] is the name of the subcommand.  Gives the exit status. */
    int (*run)(int argc, char **argv);
} dti_command;

/* All of them, NULL after the last; the build writes it from file names. */
extern const dti_command *const dti_commands[];

/* Find a subcommand; NULL if there is none, which stderr then says. */
const dti_command *dti_command_find(const char *name);

/* Write to stdout how a subcommand is called and what it does. */
void dti_command_describe(const dti_command *command);

/* Write to stdout what the whole command does. */
void dti_command_list(void);

#endif
