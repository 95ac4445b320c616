/* cli/commands/run.c - `dtensor run`: a program as ranks that are processes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/launch.h>

#include "base/text/message.h"
#include "cli/command.h"
#include "cli/options.h"

extern const dti_command dti_command_run;

static bool read_grace(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end != text && !*end && *out > 0 && *out <= 1e9)
        return true;
    dti_message_print(
        stderr, "dtensor run: --grace takes seconds above 0, not \"%s\"\n",
        text);
    return false;
}

static void print_remark(void *arg, dt_log_level level, int rank,
                         const char *message)
{
    (void)arg;
    (void)level;
    (void)rank;
    dti_message_print(stderr, "dtensor run: %s\n", message);
}

static int launch(const dt_launch_options *options)
{
    dt_error error = {DT_OK, ""};
    int code = DTI_EXIT_FAILED;
    dt_status status = dt_launch(options, &code, &error);
    if (status == DT_OK)
        return code;
    dti_message_print(stderr, "dtensor run: %s: %s\n", dt_status_name(status),
                      error.message);
    /* As shells have it. */
    return status == DT_ERR_NOT_FOUND ? 127 : DTI_EXIT_FAILED;
}

static int run(int argc, char **argv)
{
    dt_launch_options options = DT_LAUNCH_OPTIONS_INIT;
    const char *grace = "5";
    bool help = false;
    int operands;
    const dti_option known[] = {
        {.name = "-n", .number = &options.ranks},
        {.name = "-np", .number = &options.ranks},
        {.name = "--tag", .flag = &options.tag},
        {.name = "--grace", .text = &grace},
        {.name = "--help", .flag = &help},
        {.name = "-h", .flag = &help},
    };
    const size_t count = sizeof known / sizeof *known;
    int program = dti_options_find_program(argc, argv, known, count);
    if (!dti_options_read(program, argv, known, count, &operands) ||
        !read_grace(grace, &options.grace))
        return DTI_EXIT_USAGE;
    if (help) {
        dti_command_describe(&dti_command_run);
        return DTI_EXIT_OK;
    }
    if (options.ranks == 0 || program == argc) {
        dti_message_print(stderr, "dtensor run: %s\n",
                          options.ranks == 0
                              ? "the number of ranks is required: -n RANKS"
                              : "a program is required");
        return DTI_EXIT_USAGE;
    }
    options.argv = argv + program;
    options.log = print_remark;
    fflush(stdout);
    return launch(&options);
}

const dti_command dti_command_run = {
    .name = "run",
    .usage = "-n RANKS [--tag] [--grace SECONDS] [--] PROGRAM [ARGUMENTS]",
    .summary = "run a program as ranks that are processes",
    .help = "  -n RANKS         number of processes; they share memory; "
            "also\n"
            "                   -nRANKS and -np RANKS\n"
            "  --tag            prefix each line of output with the rank that "
            "wrote it\n"
            "  --grace SECONDS  time until the other ranks are terminated "
            "after\n"
            "                   a rank has failed (5)\n"
            "\n"
            "The exit status is the highest of the ranks', 128 + n for signal "
            "n.\n",
    .takes_program = true,
    .run = run,
};
