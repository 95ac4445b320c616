/* cli/commands/dryrun.c - `dtensor dryrun`: a program as one rank of many. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/message.h"
#include "cli/command.h"
#include "cli/dryrun/report.h"
#include "cli/options.h"
#include "cli/program.h"
#include "cli/units.h"

extern const dti_command dti_command_dryrun;

/* What is asked for. */
typedef struct request {
    int ranks, rank;
    const char *transport, *flops, *bandwidth;
    bool json;
    char **argv; /* of the program; ends with NULL */
} request;

/* ---- Running ------------------------------------------------------------ */

static void set_number(const char *name, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    setenv(name, text, 1);
}

/* Let the program be a rank of sim. */
static void prepare(const void *arg)
{
    const request *asked = arg;
    /* What it prints is not what the command has to say. */
    if (asked->json)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    setenv("DT_TRANSPORT", "sim", 1);
    set_number("DT_RANKS", asked->ranks);
    set_number("DT_RANK", asked->rank);
}

/* ---- Reporting ---------------------------------------------------------- */

static bool read_rate(const char *option, const char *text, double *out)
{
    size_t number;
    if (dti_bytes_read(text, &number) && number > 0) {
        *out = (double)number;
        return true;
    }
    dti_message_print(
        stderr,
        "dtensor dryrun: %s takes a number per second, such as 50G, not "
        "\"%s\"\n",
        option, text);
    return false;
}

static bool read_rates(const request *asked, dti_dry_rates *out)
{
    out->transport = asked->transport;
    if (strcmp(asked->transport, "shm") != 0 &&
        strcmp(asked->transport, "mpi") != 0 &&
        strcmp(asked->transport, "threads") != 0) {
        dti_message_print(
            stderr,
            "dtensor dryrun: --transport takes shm, mpi or threads, not "
            "\"%s\"\n",
            asked->transport);
        return false;
    }
    return read_rate("--flops", asked->flops, &out->flops) &&
           read_rate("--bandwidth", asked->bandwidth, &out->bandwidth);
}

static void print_worlds(const request *asked, const dti_dry_report *report,
                         const dti_dry_rates *rates)
{
    for (int i = 0; i < report->count; i++) {
        if (asked->json) {
            dti_dry_print_json(&report->worlds[i], rates, stdout);
            continue;
        }
        if (i > 0)
            putchar('\n');
        dti_dry_print(&report->worlds[i], rates, stdout);
    }
}

/* Say why a program ended whose last step was to ask for elements. */
static void explain_end(const dti_dry_report *report, int status)
{
    if (status == 0 || !report->worlds[report->count - 1].asked)
        return;
    fputs("dtensor dryrun: the report ends where the program asked for the "
          "elements of an array, which has none in a dry run: dt_array_data "
          "and dt_array_const_data return NULL. Test the pointer, or make "
          "values by operators.\n",
          stderr);
}

/* Print what the program left; gives the exit status. */
static int print_report(const request *asked, const dti_dry_rates *rates,
                        FILE *stream, int status)
{
    dti_dry_report report;
    bool valid = dti_dry_read(stream, &report);
    if (valid && report.count > 0) {
        dti_dry_reckon(&report, rates);
        print_worlds(asked, &report, rates);
        explain_end(&report, status);
    } else if (!valid) {
        fputs("dtensor dryrun: the report of the program is malformed\n",
              stderr);
    } else if (status == 0) {
        dti_message_print(
            stderr,
            "dtensor dryrun: %s closed no world; does it use dt_main or "
            "dt_world_open?\n",
            asked->argv[0]);
    }
    if (status == 0 && (!valid || report.count == 0))
        status = DTI_EXIT_FAILED;
    dti_dry_free(&report);
    return status;
}

static int dry_run(const request *asked, const dti_dry_rates *rates)
{
    const dti_program program = {.command = "dryrun",
                                 .argv = asked->argv,
                                 .variable = "DT_DRY_RUN",
                                 .prepare = prepare,
                                 .arg = asked};
    FILE *report = NULL;
    int status = dti_program_run(&program, &report);
    if (!report)
        return status;
    status = print_report(asked, rates, report, status);
    fclose(report);
    return status;
}

/* ---- Arguments ---------------------------------------------------------- */

static const char *find_missing(const request *asked, bool has_program)
{
    if (asked->ranks == 0)
        return "the number of ranks is required: -n RANKS";
    if (!has_program)
        return "a program is required";
    return asked->rank < asked->ranks ? NULL : "--rank must be less than -n";
}

static int dryrun(int argc, char **argv)
{
    request asked = {.transport = "shm",
                     .flops = DTI_DRY_FLOPS,
                     .bandwidth = DTI_DRY_BANDWIDTH};
    dti_dry_rates rates;
    bool help = false;
    int operands;
    const dti_option known[] = {
        {.name = "-n", .number = &asked.ranks},
        {.name = "-np", .number = &asked.ranks},
        {.name = "--rank", .index = &asked.rank},
        {.name = "--transport", .text = &asked.transport},
        {.name = "--flops", .text = &asked.flops},
        {.name = "--bandwidth", .text = &asked.bandwidth},
        {.name = "--json", .flag = &asked.json},
        {.name = "--help", .flag = &help},
        {.name = "-h", .flag = &help},
    };
    const size_t count = sizeof known / sizeof *known;
    int program = dti_options_find_program(argc, argv, known, count);
    if (!dti_options_read(program, argv, known, count, &operands) ||
        !read_rates(&asked, &rates))
        return DTI_EXIT_USAGE;
    if (help) {
        dti_command_describe(&dti_command_dryrun);
        return DTI_EXIT_OK;
    }
    const char *missing = find_missing(&asked, program < argc);
    if (missing) {
        dti_message_print(stderr, "dtensor dryrun: %s\n", missing);
        return DTI_EXIT_USAGE;
    }
    asked.argv = argv + program;
    return dry_run(&asked, &rates);
}

const dti_command dti_command_dryrun = {
    .name = "dryrun",
    .usage = "-n RANKS [--rank RANK] [--transport NAME] [--flops NUMBER] "
             "[--bandwidth BYTES] [--json] [--] PROGRAM [ARGUMENTS]",
    .summary = "predict what a program does on any number of ranks",
    .help =
        "  -n RANKS           number of ranks of the world\n"
        "  --rank RANK        rank to run as (0)\n"
        "  --transport NAME   transport to predict: shm (default), mpi, "
        "threads\n"
        "  --flops NUMBER     arithmetic operations per second of a rank "
        "(" DTI_DRY_FLOPS ")\n"
        "  --bandwidth BYTES  memory bandwidth of a rank per "
        "second (" DTI_DRY_BANDWIDTH ")\n"
        "  --json             write one JSON object; what the program prints "
        "goes to\n"
        "                     stderr\n"
        "\n"
        "The program runs with meta tensors: nothing is computed or sent, but "
        "layouts,\n"
        "bytes and memory are those of a real run.  The exit status is the "
        "program's.\n",
    .takes_program = true,
    .run = dryrun,
};
