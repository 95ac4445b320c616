/* cli/command.c - finding and describing subcommands. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/nearest.h"

const dti_command *dti_command_find(const char *name)
{
    const char *nearest = NULL;
    for (const dti_command *const *row = dti_commands; *row; row++) {
        if (strcmp((*row)->name, name) == 0)
            return *row;
        nearest = dti_nearer(name, nearest, (*row)->name);
    }
    dti_message_print(stderr, "dtensor: there is no command \"%s\"", name);
    if (nearest)
        dti_message_print(stderr, "; did you mean \"%s\"?\n", nearest);
    else
        fputs("; dtensor --help lists them\n", stderr);
    return NULL;
}

void dti_command_describe(const dti_command *command)
{
    printf("usage: dtensor %s%s%s\n\n%s\n", command->name,
           *command->usage ? " " : "", command->usage, command->summary);
    if (*command->help)
        printf("\n%s", command->help);
}

void dti_command_list(void)
{
    puts("usage: dtensor COMMAND [ARGUMENTS]\n"
         "\n"
         "Distributed tensors for C: the command-line tool.\n"
         "\n"
         "Commands:");
    for (const dti_command *const *row = dti_commands; *row; row++)
        printf("  %-10s %s\n", (*row)->name, (*row)->summary);
    puts("\n"
         "Options:\n"
         "  --help     show this help, or that of a command\n"
         "  --version  show the version\n"
         "\n"
         "See dtensor help COMMAND and dtensor(1) for details.");
}
