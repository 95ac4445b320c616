/* cli/commands/help.c - `dtensor help`: what a command does. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/options.h"

static int help(int argc, char **argv)
{
    int operands;
    if (!dti_options_read(argc, argv, NULL, 0, &operands))
        return DTI_EXIT_USAGE;
    if (operands == 0)
        dti_command_list();
    for (int i = 1; i <= operands; i++) {
        const dti_command *command = dti_command_find(argv[i]);
        if (!command)
            return DTI_EXIT_USAGE;
        if (i > 1)
            putchar('\n');
        dti_command_describe(command);
    }
    return DTI_EXIT_OK;
}

const dti_command dti_command_help = {
    .name = "help",
    .usage = "[COMMAND...]",
    .summary = "describe a command",
    .help = "",
    .run = help,
};
