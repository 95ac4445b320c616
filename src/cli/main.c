/* cli/main.c - the command `dtensor`. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <dtensor/version.h>

#include "cli/command.h"

static bool is_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: dtensor COMMAND [ARGUMENTS]; "
              "dtensor --help lists the commands\n",
              stderr);
        return DTI_EXIT_USAGE;
    }
    if (is_help(argv[1])) {
        dti_command_list();
        return DTI_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("dtensor %s\n", dt_version());
        return DTI_EXIT_OK;
    }
    const dti_command *command = dti_command_find(argv[1]);
    if (!command)
        return DTI_EXIT_USAGE;
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (!command->takes_program && is_help(argv[i])) {
            dti_command_describe(command);
            return DTI_EXIT_OK;
        }
    }
    return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    int status = dispatch(argc, argv);
    /* What was not written, because a disk is full, must not look well. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("dtensor: cannot write");
        return status ? status : DTI_EXIT_FAILED;
    }
    return status;
}
