/* tools/ops/main.c - write what is written from the rows of operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "op/registry.h"
#include "ops/rows.h"

extern const char *const dti_op_families[];

/* clang-format off */
static const char usage[] =
    "usage: write-ops [--check | --options] ROOT\n"
    "\n"
    "Write include/dtensor/ops.h, src/ops/calls.c and docs/ops.md below ROOT from\n"
    "the rows in src/ops; a row with faults has no functions there.  --check\n"
    "changes nothing, and fails where the files are not what would be written.\n"
    "--options prints a program that uses the options of all operators.\n";
/* clang-format on */

static const struct {
    const char *path;
    void (*write)(FILE *to, const op_rows *rows);
} files[] = {
    {"include/dtensor/ops.h", write_header},
    {"src/ops/calls.c", write_calls},
    {"docs/ops.md", write_manual},
};

/* ---- Rows --------------------------------------------------------------- */

/* Read a row; gives false, and says why, if its schema cannot be read.  Then
 * only its name is known. */
static bool read_row(const char *family, const dt_op *op, op_row *out)
{
    dt_error error;
    size_t length = strcspn(op->schema, "(");
    *out = (op_row){.family = family, .op = op};
    if (dti_schema_parse(op->schema, &out->schema, &error) == DT_OK)
        return true;
    fprintf(stderr, "src/ops/%s.c: %s\n", family, error.message);
    if (length >= DTI_NAME_SIZE)
        length = DTI_NAME_SIZE - 1;
    out->schema = (dti_schema){0};
    memcpy(out->schema.name, op->schema, length);
    out->faulty = true;
    return false;
}

/* Read all rows of all tables; gives how many cannot be read. */
static int read_rows(op_rows *out)
{
    int count = 0, wrong = 0;
    for (int i = 0; dti_op_tables[i]; i++)
        for (const dt_op *op = dti_op_tables[i]; op->schema; op++)
            count++;
    out->list = calloc((size_t)count + 1, sizeof *out->list);
    out->count = 0;
    if (!out->list)
        abort();
    for (int i = 0; dti_op_tables[i]; i++)
        for (const dt_op *op = dti_op_tables[i]; op->schema; op++)
            wrong +=
                !read_row(dti_op_families[i], op, &out->list[out->count++]);
    return wrong;
}

/* Tables end with a row that says so, or they go on where they should not;
 * gives how many do not.  Their sources say it. */
static int check_ends(const char *root)
{
    static const char end[] = "{0},\n};\n";
    int wrong = 0;
    for (int i = 0; dti_op_families[i]; i++) {
        char path[4000];
        snprintf(path, sizeof path, "%s/src/ops/%s.c", root,
                 dti_op_families[i]);
        char *text = read_file(path);
        const size_t length = text ? strlen(text) : 0;
        if (text && (length < sizeof end ||
                     strcmp(text + length - (sizeof end - 1), end) != 0)) {
            fprintf(stderr,
                    "src/ops/%s.c: its table, which comes last, does not end "
                    "with the row {0}\n",
                    dti_op_families[i]);
            wrong++;
        }
        free(text);
    }
    return wrong;
}

/* ---- Files -------------------------------------------------------------- */

/* Write beside the file and rename, so that nobody reads half of it. */
static int write_file(const char *path, const char *text)
{
    char beside[4096];
    snprintf(beside, sizeof beside, "%s.part", path);
    FILE *to = fopen(beside, "wb");
    bool good = to && fputs(text, to) >= 0;
    if (to && fclose(to) != 0)
        good = false;
    if (!good || rename(beside, path) != 0) {
        perror(path);
        return 1;
    }
    printf("%s\n", path);
    return 0;
}

/* Write or check one file.  One that is right is not touched: what is built
 * from it stays as it is.  Gives how many faults there are. */
static int settle_file(const char *root, int index, const op_rows *rows,
                       bool check)
{
    char path[4000];
    char *wanted = NULL;
    size_t length = 0;
    int wrong = 0;
    FILE *to = open_memstream(&wanted, &length);
    if (!to)
        abort();
    files[index].write(to, rows);
    if (fclose(to) != 0)
        abort();
    snprintf(path, sizeof path, "%s/%s", root, files[index].path);
    char *found = read_file(path);
    if (!found || strcmp(found, wanted) != 0) {
        if (check)
            fprintf(stderr, "%s is stale: `make ops` writes it\n",
                    files[index].path);
        wrong = check ? 1 : write_file(path, wanted);
    }
    free(found);
    free(wanted);
    return wrong;
}

static int settle_files(const char *root, const op_rows *rows, bool check)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        wrong += settle_file(root, (int)i, rows, check);
    return wrong;
}

int main(int argc, char **argv)
{
    op_rows rows;
    bool options = argc == 3 && strcmp(argv[1], "--options") == 0;
    bool check = argc == 3 && strcmp(argv[1], "--check") == 0;
    if (!options && !check && (argc != 2 || argv[1][0] == '-')) {
        fputs(usage, stderr);
        return 2;
    }
    const char *root = argv[argc - 1];
    if (check_ends(root) > 0)
        return 1;
    int wrong = read_rows(&rows);
    wrong += check_rows(&rows, root);
    if (options)
        write_options(stdout, &rows);
    else
        wrong += settle_files(root, &rows, check);
    free(rows.list);
    return wrong != 0;
}
