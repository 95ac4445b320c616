/* cli/commands/ckpt.c - `dtensor ckpt`: what checkpoints have. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <dtensor/sys/checkpoint.h>

#include "base/text/message.h"
#include "cli/ckpt/compare.h"
#include "cli/ckpt/progress.h"
#include "cli/ckpt/show.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/units.h"

static int fail(const dt_error *error)
{
    dti_message_print(stderr, "dtensor ckpt: %s\n", error->message);
    return DTI_EXIT_FAILED;
}

/* What an action is given: one checkpoint, open, and what follows its path. */
typedef struct request {
    dt_saved *saved;
    const char *more; /* NULL: nothing follows */
    bool json;
} request;

static int list(const request *asked)
{
    dti_ckpt_list(asked->saved, asked->json);
    return DTI_EXIT_OK;
}

static int show(const request *asked)
{
    if (!asked->more) {
        dti_ckpt_describe(asked->saved);
        return DTI_EXIT_OK;
    }
    if (dti_ckpt_describe_tensor(asked->saved, asked->more))
        return DTI_EXIT_OK;
    dti_message_print(stderr,
                      "dtensor ckpt: %s: no tensor is named \"%s\"; dtensor "
                      "ckpt ls lists them\n",
                      dt_saved_path(asked->saved), asked->more);
    return DTI_EXIT_FAILED;
}

static int verify(const request *asked)
{
    dti_progress progress = {.what = "verify"};
    dt_error error;
    uint64_t checked = 0;
    const dt_status status = dt_saved_verify(asked->saved, dti_progress_show,
                                             &progress, &checked, &error);
    dti_progress_end(&progress);
    if (status != DT_OK)
        return fail(&error);
    if (checked)
        printf("good: %s have their checksums\n",
               dti_bytes((int64_t)checked).text);
    else
        printf("readable: the files have no checksums\n");
    return DTI_EXIT_OK;
}

static int compare(const request *asked)
{
    dt_saved *other = NULL;
    dt_error error = {DT_OK, ""};
    if (dt_saved_open(asked->more, &other, &error) != DT_OK)
        return fail(&error);
    const int64_t different = dti_ckpt_compare(asked->saved, other, &error);
    dt_saved_close(other);
    if (different < 0)
        return fail(&error);
    if (different == 0)
        puts("no difference");
    return different ? DTI_EXIT_FAILED : DTI_EXIT_OK;
}

static int merge(const request *asked)
{
    dti_progress progress = {.what = "merge"};
    dt_error error;
    const dt_status status = dt_saved_merge(
        asked->saved, asked->more, dti_progress_show, &progress, &error);
    dti_progress_end(&progress);
    return status == DT_OK ? DTI_EXIT_OK : fail(&error);
}

static const struct {
    const char *name;
    int least, most; /* operands, the path of the checkpoint included */
    int (*run)(const request *asked);
} actions[] = {
    {"ls", 1, 1, list},      {"show", 1, 2, show},   {"verify", 1, 1, verify},
    {"diff", 2, 2, compare}, {"merge", 2, 2, merge},
};

static int run_action(size_t action, int operands, char **argv, bool json)
{
    request asked = {.more = operands > 1 ? argv[3] : NULL, .json = json};
    dt_error error = {DT_OK, ""};
    if (dt_saved_open(argv[2], &asked.saved, &error) != DT_OK)
        return fail(&error);
    const int code = actions[action].run(&asked);
    dt_saved_close(asked.saved);
    return code;
}

static int ckpt(int argc, char **argv)
{
    bool json = false;
    int operands = 0;
    const dti_option options[] = {{.name = "--json", .flag = &json}};
    if (!dti_options_read(argc, argv, options, 1, &operands))
        return DTI_EXIT_USAGE;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (operands < 1 || strcmp(argv[1], actions[i].name) != 0)
            continue;
        if (operands - 1 < actions[i].least || operands - 1 > actions[i].most ||
            (json && actions[i].run != list))
            break;
        return run_action(i, operands - 1, argv, json);
    }
    fputs("dtensor ckpt: usage: dtensor ckpt ls|show|verify|diff|merge PATH "
          "[...]; dtensor help ckpt says more\n",
          stderr);
    return DTI_EXIT_USAGE;
}

const dti_command dti_command_ckpt = {
    .name = "ckpt",
    .usage = "ls|show|verify|diff|merge PATH [...] [--json]",
    .summary = "look into checkpoints, verify and merge them",
    .help =
        "PATH is a folder that dt_save wrote to (its latest checkpoint is\n"
        "meant), a folder of one checkpoint or of Hugging Face's files, or a\n"
        "safetensors file.\n"
        "\n"
        "  ls PATH           list tensors, numbers and texts\n"
        "  show PATH [NAME]  describe the checkpoint, or one tensor\n"
        "  verify PATH       compare all bytes with their checksums\n"
        "  diff PATH PATH    compare two; exit status 1 if they differ\n"
        "  merge PATH FILE   write one safetensors file\n"
        "  --json            ls: write one JSON object per line\n",
    .run = ckpt,
};
