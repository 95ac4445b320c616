/* cli/program.c - running the program that a subcommand is asked about. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text/message.h"
#include "cli/command.h"

/* Become the program. */
static void become(const dti_program *program, int report)
{
    char text[16];
    snprintf(text, sizeof text, "%d", report);
    setenv(program->variable, text, 1);
    if (program->prepare)
        program->prepare(program->arg);
    execvp(program->argv[0], program->argv);
    dti_message_print(stderr, "dtensor %s: %s: %s\n", program->command,
                      program->argv[0], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

static int run(const dti_program *program, int report)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        become(program, report);
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            child = -1;
    if (child < 0) {
        dti_message_print(stderr, "dtensor %s: cannot start a process: %s\n",
                          program->command, strerror(errno));
        return DTI_EXIT_FAILED;
    }
    if (WIFSIGNALED(status)) {
        dti_message_print(stderr, "dtensor %s: %s was ended by signal %d\n",
                          program->command, program->argv[0], WTERMSIG(status));
        return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status);
}

int dti_program_run(const dti_program *program, FILE **report)
{
    /* It outlives the program and has no name. */
    int descriptor = memfd_create("report", 0);
    *report = descriptor < 0 ? NULL : fdopen(descriptor, "r+");
    if (!*report) {
        dti_message_print(
            stderr, "dtensor %s: cannot create a file for the report: %s\n",
            program->command, strerror(errno));
        return DTI_EXIT_FAILED;
    }
    int status = run(program, descriptor);
    rewind(*report);
    return status;
}
