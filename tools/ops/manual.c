/* tools/ops/manual.c - docs/ops.md. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "ops/face.h"
#include "ops/groups.h"

static const char top[] =
    "# Operators\n"
    "\n"
    "Written from the rows of `src/ops` by `make ops`, in the order of the "
    "headers.\n"
    "`dtensor/ops.h` includes all of them but those in `sys/`; `dt_op_call` "
    "takes any\n"
    "operator by its name.\n"
    "\n"
    "- **operator**: its schema; what follows `*` are options, with their\n"
    "  defaults. `dt_explain` says what a call would do.\n"
    "- **sharding rule**: which dimensions may be sharded, and what becomes of "
    "it:\n"
    "  `mk,kn->mn` names dimensions by letters; one that no result has is "
    "summed,\n"
    "  so that results are partial; `...` are all other dimensions. "
    "`dtensor/sys/op.h`\n"
    "  has all of it.\n"
    "- **partial inputs**: partial inputs need not be reduced first. "
    "Linear:\n"
    "  sums and averages; monotone: maxima and minima, exchanged after `-`; "
    "permutes:\n"
    "  every kind.\n"
    "- **variants**: `dt_x_` overwrites its first tensor, the tensors of its "
    "first "
    "list,\n"
    "  or with several results, named `y_out`, the tensors `y`; `dt_x_out` a "
    "given\n"
    "  one. A view shares memory with its first tensor, on every rank; if "
    "that\n"
    "  had to be redistributed first, or masked elements of it became zeros, "
    "it\n"
    "  shares that of a copy: what is written there is not seen in the "
    "tensor.\n"
    "- **gradient**: how gradients of the arguments are computed from `grad`, "
    "that "
    "of\n"
    "  the result, by other operators; what it names is saved. \"none\": not\n"
    "  differentiable; \"of its parts\": that of the operators it calls. "
    "`function(...)`\n"
    "  is one in C. `dtensor/sys/op.h` has the language.\n"
    "- **dtypes**: those that it is tested with.\n";

/* A text in a cell of a table, where "|" would end it. */
static void put_cell(FILE *to, const char *text)
{
    for (; *text; text++)
        fprintf(to, *text == '|' ? "\\|" : "%c", *text);
}

static void put_code(FILE *to, const char *text)
{
    fputc('`', to);
    put_cell(to, text);
    fputc('`', to);
}

static void put_rule(FILE *to, const dt_op *op)
{
    if (!op->kernel)
        fputs("composition", to);
    else if (op->rule)
        put_code(to, op->rule);
    else
        fputs(op->factors ? "depends on the call" : "nothing", to);
    fputs(op->rule && op->factors ? ", in most calls" : "", to);
}

static void put_passes(FILE *to, const dt_op *op)
{
    const struct {
        const char *word;
        const char *text;
    } all[] = {{"linear", op->linear},
               {"monotone", op->monotone},
               {"permutes", op->permutes}};
    bool any = false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].text) {
            fprintf(to, "%s%s ", any ? "; " : "", all[i].word);
            put_code(to, all[i].text);
            any = true;
        }
}

static void put_forms(FILE *to, const op_row *row)
{
    const dt_op *op = row->op;
    static const struct {
        unsigned flag;
        const char *word;
    } all[] = {
        {DT_OP_IN_PLACE, "in place"}, {DT_OP_OUT, "out"},
        {DT_OP_VIEW, "view"},         {DT_OP_STRICT, "strict"},
        {DT_OP_RANDOM, "random"},     {DT_OP_BY_HAND, "in another header"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (op->flags & all[i].flag) {
            fprintf(to, "%s%s", any ? ", " : "", all[i].word);
            any = true;
        }
    if (op->flags & DT_OP_IN_PLACE && dti_schema_only_in_place(&row->schema))
        fputs(" alone", to);
}

static void put_gradient(FILE *to, const dt_op *op)
{
    if (op->gradient && strcmp(op->gradient, "none") != 0)
        put_code(to, op->gradient);
    else if (op->gradient)
        fputs("none", to);
    else
        fputs(op->compose && !op->kernel ? "of its parts" : "", to);
}

/* ATen's names, each as code. */
static void put_aten(FILE *to, const char *names)
{
    for (bool first = true; names && *names; first = false) {
        size_t length = strcspn(names, " ");
        fprintf(to, "%s`%.*s`", first ? "" : " ", (int)length, names);
        names += length;
        names += strspn(names, " ");
    }
}

static void put_row(FILE *to, const op_row *row)
{
    fputs("| ", to);
    put_code(to, row->op->schema);
    fputs("<br>", to);
    put_cell(to, row->op->about ? row->op->about : "");
    fputs(" | ", to);
    put_rule(to, row->op);
    fputs(" | ", to);
    put_passes(to, row->op);
    fputs(" | ", to);
    put_gradient(to, row->op);
    fputs(" | ", to);
    put_forms(to, row);
    fprintf(to, " | %s | ", row->op->dtypes ? row->op->dtypes : "all");
    put_aten(to, row->op->aten);
    fputs(" |\n", to);
}

static void put_group(FILE *to, const op_rows *rows, const op_group *group)
{
    const char *family = NULL;
    const op_row *row = NULL;
    char scratch[DTI_NAME_SIZE];
    fprintf(to, "\n## %s\n", group->title);
    if (group->header)
        fprintf(to, "\nDeclared in `dtensor/%s`.\n", group->header);
    while ((row = next_in_group(rows, group, row)) != NULL) {
        if (family != row->family)
            fprintf(to,
                    "\n### %s\n\n"
                    "| operator | sharding rule | partial inputs | gradient | "
                    "variants | dtypes | ATen |\n"
                    "|---|---|---|---|---|---|---|\n",
                    section_title(row->family, scratch));
        family = row->family;
        put_row(to, row);
    }
}

void write_manual(FILE *to, const op_rows *rows, const op_group *group)
{
    fputs(top, to);
    for (group = groups; group->name; group++)
        put_group(to, rows, group);
}
