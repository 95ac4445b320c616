/* cli/commands/ops.c - `dtensor ops`: the operators and their rules. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <dtensor/sys/op.h>
#include <dtensor/world.h>

#include "base/text/message.h"
#include "base/text/nearest.h"
#include "cli/command.h"
#include "cli/ops/coverage.h"
#include "cli/ops/name.h"
#include "cli/ops/row.h"
#include "cli/ops/verify.h"
#include "cli/options.h"
#include "cli/tensor.h"

static const char name[] = "ops";

typedef struct request {
    bool json;
    bool verify;
    const char *coverage;
    int count;
    char **names;
} request;

/* Tell whether a row is asked for by our name, or if not `own` by ATen's. */
static bool is_named(const dt_op *op, const char *wanted, bool own)
{
    char text[DTI_ROW_TEXT];
    dti_aten_name aten;
    if (!own)
        return dti_aten_read(wanted, strlen(wanted), &aten) == DTI_ATEN_NAME &&
               dti_aten_match_row(&aten, op) >= DTI_ATEN_HAS_OUT;
    dti_row_name(op, text);
    return strcmp(text, wanted) == 0;
}

/* Show the rows of a name; gives how many there are. */
static int show_rows(dt_world *world, const char *wanted, bool own, bool json)
{
    const dt_op *op;
    int found = 0;
    for (int i = 0; (op = dt_op_at(world, i)); i++) {
        if (!is_named(op, wanted, own))
            continue;
        if (found++ && !json)
            putchar('\n');
        if (json)
            dti_row_write(op);
        else
            dti_row_show(op);
    }
    return found;
}

static void say_unknown(dt_world *world, const char *wanted)
{
    char own[DTI_ROW_TEXT], nearest[DTI_ROW_TEXT] = "";
    const dt_op *op;
    for (int i = 0; (op = dt_op_at(world, i)); i++) {
        dti_row_name(op, own);
        if (dti_nearer(wanted, *nearest ? nearest : NULL, own) == own)
            memcpy(nearest, own, sizeof nearest);
    }
    dti_message_print(stderr, "dtensor ops: there is no operator \"%s\"; ",
                      wanted);
    if (*nearest)
        dti_message_print(stderr, "did you mean \"%s\"?\n", nearest);
    else
        fputs("dtensor ops lists them\n", stderr);
}

static int show(dt_world *world, const request *asked)
{
    const dt_op *op;
    if (asked->coverage)
        return dti_coverage_show(world, asked->coverage, asked->json);
    for (int i = 0; i < asked->count; i++) {
        if (i > 0 && !asked->json)
            putchar('\n');
        if (!show_rows(world, asked->names[i], true, asked->json) &&
            !show_rows(world, asked->names[i], false, asked->json)) {
            say_unknown(world, asked->names[i]);
            return DTI_EXIT_USAGE;
        }
    }
    if (asked->count)
        return DTI_EXIT_OK;
    for (int i = 0; asked->json && (op = dt_op_at(world, i)); i++)
        dti_row_write(op);
    if (!asked->json)
        dti_rows_show(world);
    return DTI_EXIT_OK;
}

/* Show rows, from a world of one rank. */
static int show_in_world(const request *asked)
{
    dt_world_options world_options = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    dt_world *world;
    world_options.transport = "sim";
    world_options.ranks = 1;
    if (dt_world_open(&world_options, &world, &error) != DT_OK)
        return dti_fail_asked(name, &error);
    int code = show(world, asked);
    DT_IGNORE(dt_world_close(world));
    return code;
}

/* Verify the program that follows the options; NULL: there is none. */
static int verify(const request *asked, char **program)
{
    if (program && !asked->json && !asked->coverage)
        return dti_ops_verify(program);
    fputs("dtensor ops: --verify needs a program, and no other option\n",
          stderr);
    return DTI_EXIT_USAGE;
}

/* Tell whether --verify is among the options before a program: what follows is
 * the program's own. */
static bool is_verify(int program, char **argv)
{
    for (int i = 1; i < program; i++)
        if (strcmp(argv[i], "--verify") == 0)
            return true;
    return false;
}

static int ops(int argc, char **argv)
{
    request asked = {.names = argv + 1};
    const dti_option options[] = {
        {.name = "--json", .flag = &asked.json},
        {.name = "--coverage", .text = &asked.coverage},
        {.name = "--verify", .flag = &asked.verify},
    };
    const size_t count = sizeof options / sizeof *options;
    int program = dti_options_find_program(argc, argv, options, count);
    int end = is_verify(program, argv) ? program : argc;
    if (!dti_options_read(end, argv, options, count, &asked.count))
        return DTI_EXIT_USAGE;
    if (asked.verify)
        return verify(&asked, end < argc ? argv + end : NULL);
    if (asked.coverage && asked.count) {
        dti_message_print(stderr, "dtensor ops: unexpected argument \"%s\"\n",
                          argv[1]);
        return DTI_EXIT_USAGE;
    }
    return show_in_world(&asked);
}

const dti_command dti_command_ops = {
    .name = "ops",
    .usage = "[NAME...] [--json] | --coverage FILE [--json] | --verify [--] "
             "PROGRAM [ARGUMENTS]",
    .summary = "list the operators and their sharding rules",
    .help =
        "  --coverage FILE  check which PyTorch operators of a list, one per "
        "line,\n"
        "                   are covered; - is standard input\n"
        "  --verify         run a program and verify the operators and rules "
        "that it\n"
        "                   adds, on 2, 3, 4 and 2x2 ranks\n"
        "  --json           print one JSON object per line, for each operator "
        "or name\n"
        "\n"
        "With names, of dtensor or ATen, show the details of these operators.\n"
        "Lines of a list are aten::add.Tensor, aten.add.Tensor, add.Tensor or "
        "add;\n"
        "# begins a comment.  The exit status is 1 if one is missing.\n"
        "\n"
        "Of a program, what dt_op_register and dt_op_set_rule were given is "
        "verified when\n"
        "its world closes.  Wrong: a result differs from that of one rank.  "
        "Missing: a\n"
        "layout needs no communication, but the rule does not allow it.  The "
        "exit status\n"
        "is 1 if something is wrong or the program fails.  What it prints goes "
        "to stderr.\n",
    .run = ops,
};
