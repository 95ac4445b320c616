/* cli/ops/verify.c - verifying the operators and rules of a program. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ops/verify.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text/message.h"
#include "cli/command.h"
#include "cli/json_line.h"
#include "cli/program.h"

/* What the report says, over all worlds of the program. */
typedef struct totals {
    int64_t worlds, operators, wrong, missing;
    bool failed; /* something could not be verified */
} totals;

/* What the program prints is not what the command has to say. */
static void move_output(const void *unused)
{
    (void)unused;
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* Add the last line about a world. */
static void add_world(char *line, totals *to)
{
    dti_json_object object;
    int64_t verified = 0, operators = 0, wrong = 0, missing = 0;
    to->worlds++;
    if (!dti_json_read(line, &object) ||
        !dti_json_get_integer(&object, "verify", &verified) || !verified ||
        !dti_json_get_integer(&object, "operators", &operators) ||
        !dti_json_get_integer(&object, "wrong", &wrong) ||
        !dti_json_get_integer(&object, "missing", &missing))
        to->failed = true;
    to->operators += operators;
    to->wrong += wrong;
    to->missing += missing;
}

static totals print_report(FILE *report)
{
    char line[4096];
    totals out = {0};
    while (fgets(line, sizeof line, report))
        if (line[0] == '{')
            add_world(line, &out);
        else
            dti_message_print(stdout, "%.*s\n", (int)strcspn(line, "\n"), line);
    return out;
}

static int judge(const char *program, int status, const totals *found)
{
    if (found->worlds)
        printf("%" PRId64 " operators verified, %" PRId64 " wrong, %" PRId64
               " missing rules\n",
               found->operators, found->wrong, found->missing);
    else
        dti_message_print(
            stderr,
            "dtensor ops: %s closed no world that had operators; does it use "
            "dt_main or dt_world_close?\n",
            program);
    if (status != 0)
        dti_message_print(stderr, "dtensor ops: %s ended with status %d\n",
                          program, status);
    return status != 0 || found->worlds == 0 || found->failed || found->wrong
               ? DTI_EXIT_FAILED
               : DTI_EXIT_OK;
}

int dti_ops_verify(char **argv)
{
    const dti_program program = {.command = "ops",
                                 .argv = argv,
                                 .variable = "DT_VERIFY",
                                 .prepare = move_output};
    FILE *report = NULL;
    int status = dti_program_run(&program, &report);
    if (!report)
        return status;
    const totals found = print_report(report);
    fclose(report);
    return judge(argv[0], status, &found);
}
