/* tools/ops/main.c - write what is written from the rows of operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "ops/groups.h"

/* clang-format off */
static const char usage[] =
    "usage: write-ops [--check] ROWS ROOT\n"
    "       write-ops --build INTO ROWS ROOT\n"
    "\n"
    "Read the rows of operators and write what is in git below ROOT:\n"
    "include/dtensor/ops.h, the headers that it includes, those in sys/ and\n"
    "docs/ops.md; a row with faults has no functions.\n"
    "ROWS is a folder with the families of src/ops after the preprocessor, as\n"
    "nn/softmax.i, and with the names of all of them in `list`.  --check changes\n"
    "nothing, and fails where the files are not what would be written.  --build\n"
    "writes what is not in git below INTO: functions, numbers and ops.json; it only\n"
    "says so where files in git are not what would be written.\n";
/* clang-format on */

typedef struct written {
    const char *path; /* for each group if its name, %n, or its header, %h,
                         is in it */
    write_rows *write;
} written;

static const written kept[] = {
    {"include/dtensor/ops.h", write_umbrella},
    {"include/dtensor/%h", write_header},
    {"docs/ops.md", write_manual},
};

static const written built[] = {
    {"ops/numbers.h", write_numbers}, {"ops/names.inc", write_names},
    {"ops/options.c", write_options}, {"ops/calls_%n.c", write_calls},
    {"ops/older.inc", write_older},   {"ops.json", write_json},
};

/* ---- Rows --------------------------------------------------------------- */

void add_row(op_rows *rows, const char *family, const dt_op *op)
{
    size_t size = ((size_t)rows->count + 1) * sizeof *rows->list;
    rows->list = realloc(rows->list, size);
    if (!rows->list)
        abort();
    rows->list[rows->count++] = (op_row){.family = family, .op = op};
}

/* Read the schema of a row; returns false, and says why, if it cannot be read.
 * Then only its name is known. */
static bool read_schema(op_row *row)
{
    dt_error error;
    size_t length = strcspn(row->op->schema, "(");
    if (dti_schema_parse(row->op->schema, &row->schema, &error) == DT_OK)
        return true;
    fprintf(stderr, "src/ops/%s.c: %s\n", row->family, error.message);
    if (length >= DTI_NAME_SIZE)
        length = DTI_NAME_SIZE - 1;
    row->schema = (dti_schema){0};
    memcpy(row->schema.name, row->op->schema, length);
    row->faulty = true;
    return false;
}

/* Read all rows; returns how many faults there are.  The names of families stay
 * until the program ends. */
static int read_rows(const char *folder, op_rows *out)
{
    char path[4096];
    int wrong = 0;
    snprintf(path, sizeof path, "%s/list", folder);
    char *list = read_file(path);
    if (!list) {
        perror(path);
        exit(1);
    }
    for (char *name = strtok(list, "\n"); name; name = strtok(NULL, "\n"))
        wrong += read_family(folder, name, out);
    if (wrong)
        exit(1); /* without all tables nothing has its number */
    for (int i = 0; i < out->count; i++)
        wrong += !read_schema(&out->list[i]);
    return wrong;
}

/* ---- Files -------------------------------------------------------------- */

/* Put the name of a group into a path. */
static void fill_in(char *out, size_t size, const char *path,
                    const op_group *group)
{
    const char *hole = strchr(path, '%');
    if (!hole)
        snprintf(out, size, "%s", path);
    else
        snprintf(out, size, "%.*s%s%s", (int)(hole - path), path,
                 hole[1] == 'h' ? group->header : group->name, hole + 2);
}

/* Write beside the file and rename, so that nobody reads half of it. */
static int write_file(const char *path, const char *text)
{
    char beside[4200];
    snprintf(beside, sizeof beside, "%s.part", path);
    FILE *to = fopen(beside, "wb");
    bool good = to && fputs(text, to) >= 0;
    if (to && fclose(to) != 0)
        good = false;
    if (!good || rename(beside, path) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}

/* Write or check one file.  One that is right is not touched: what is built
 * from it stays as it is.  Returns how many faults there are. */
static int settle_file(const char *root, const written *file,
                       const op_group *group, const op_rows *rows, bool check)
{
    char name[256], path[4096];
    char *wanted = NULL;
    size_t length = 0;
    int wrong = 0;
    FILE *to = open_memstream(&wanted, &length);
    if (!to)
        abort();
    file->write(to, rows, group);
    if (fclose(to) != 0)
        abort();
    fill_in(name, sizeof name, file->path, group);
    snprintf(path, sizeof path, "%s/%s", root, name);
    char *found = read_file(path);
    if (!found || strcmp(found, wanted) != 0) {
        if (check)
            fprintf(stderr, "%s is stale: `make ops` writes it\n", name);
        wrong = check ? 1 : write_file(path, wanted);
    }
    free(found);
    free(wanted);
    return wrong;
}

static int settle_files(const char *root, const written *files, size_t count,
                        const op_rows *rows, bool check)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++)
        if (!strchr(files[i].path, '%'))
            wrong += settle_file(root, &files[i], NULL, rows, check);
        else
            for (const op_group *group = groups; group->name; group++)
                if (group->header)
                    wrong += settle_file(root, &files[i], group, rows, check);
    return wrong;
}

/* Write what is in git, or tell whether it is what would be written. */
static int settle_kept(const char *root, const op_rows *rows, bool check)
{
    return settle_files(root, kept, sizeof kept / sizeof *kept, rows, check);
}

int main(int argc, char **argv)
{
    static op_rows rows; /* what was read stays until the end */
    const bool check = argc == 4 && strcmp(argv[1], "--check") == 0;
    const bool build = argc == 5 && strcmp(argv[1], "--build") == 0;
    if (!build && !check && (argc != 3 || argv[1][0] == '-')) {
        fputs(usage, stderr);
        return 2;
    }
    const char *root = argv[argc - 1];
    int wrong = read_rows(argv[argc - 2], &rows);
    wrong += check_rows(&rows, root);
    wrong += check_reads(&rows, root);
    if (!build)
        wrong += settle_kept(root, &rows, check);
    else if (wrong == 0) {
        settle_kept(root, &rows, true);
        wrong = settle_files(argv[2], built, sizeof built / sizeof *built,
                             &rows, false);
    }
    return wrong != 0;
}
