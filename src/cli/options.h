/* cli/options.h - reading the arguments of a subcommand. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_OPTIONS_H
#define DTI_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* An option and where its value goes: exactly one of the four is set. */
typedef struct dti_option {
    const char *name;  /* with its dashes */
    bool *flag;        /* set to true; the option takes no value */
    const char **text; /* borrowed from argv */
    int *number;       /* a whole number from 1 */
    int *index;        /* a whole number from 0 */
} dti_option;

/*
 * Read options, as "--name value" or "--name=value", a number also as "-n4",
 * from argv[1] on; what is
 * no option moves to the front of argv, from argv[1], and `operands` is how
 * many there are.  After "--" nothing is an option.  False if an argument makes
 * no sense, which stderr then says.
 */
bool dti_options_read(int argc, char **argv, const dti_option *options,
                      size_t count, int *operands);

/*
 * Find the program that a subcommand runs: options before it are ours, all
 * after it is its own.  Gives its place in argv, behind a "--"; argc if there
 * is none.
 */
int dti_options_find_program(int argc, char **argv, const dti_option *options,
                             size_t count);

#endif
