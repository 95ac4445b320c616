/* tests/conformance/main.c - every operator in many layouts, against one rank.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verify/verifier.h"

#define DEFAULT_SEED 20260101ULL

/* What the command line asks for. */
typedef struct options {
    const char *op;
    const char *mesh; /* NULL: all meshes */
    unsigned long long seed;
    bool verbose;
    bool full;
    bool gradients; /* on one rank, against finite differences */
} options;

/* The meshes to try on, as --mesh and as dt_mesh_create name them. */
static const struct {
    const char *name;
    const char *dims;
    int ranks;
} meshes[] = {
    {"2", "x=2", 2},       {"3", "x=3", 3},       {"4", "x=4", 4},
    {"2x2", "x=2,y=2", 4}, {"2x3", "x=2,y=3", 6}, {"2x2x2", "x=2,y=2,z=2", 8},
};

#define MESH_COUNT (sizeof meshes / sizeof *meshes)

/* One run of ranks on one mesh: some rows. */
typedef struct job {
    const options *asked;
    dti_report *report; /* of rank 0 */
    const char *mesh;
    int count;
    const dt_op *rows[DTI_VERIFY_AT_ONCE];
} job;

/* ---- Running ------------------------------------------------------------ */

typedef struct row_name {
    char text[DTI_NAME_SIZE];
} row_name;

static row_name name_of(const dt_op *row)
{
    row_name out;
    snprintf(out.text, sizeof out.text, "%.*s", (int)strcspn(row->schema, "("),
             row->schema);
    return out;
}

/* The case that this thread tries, for a message if it aborts. */
static _Thread_local char current_case[DTI_VERIFY_CURRENT];

static dt_status verify_on(dt_world *world, const job *of, dti_report *to)
{
    row_name rows[DTI_VERIFY_AT_ONCE];
    const char *names[DTI_VERIFY_AT_ONCE];
    dt_mesh *mesh = NULL;
    const dti_verifier with = {.world = world,
                               .report = to,
                               .seed = of->asked->seed,
                               .full = of->asked->full,
                               .counts_objects = true,
                               .current = current_case};
    for (int i = 0; i < of->count; i++) {
        rows[i] = name_of(of->rows[i]);
        names[i] = rows[i].text;
    }
    DT_TRY(dt_mesh_create(world, of->mesh, &mesh));
    dt_status status = dti_verify_operators(&with, names, of->count, mesh);
    dt_mesh_release(mesh);
    return status;
}

/* Gradients of rows on one rank. */
static dt_status verify_gradients(dt_world *world, const job *of,
                                  dti_report *to)
{
    const dti_verifier with = {
        .world = world, .report = to, .seed = of->asked->seed};
    for (int i = 0; i < of->count; i++)
        DT_TRY(dti_verify_gradients(&with, name_of(of->rows[i]).text));
    return DT_OK;
}

/* Reports are the same on all ranks: that of rank 0 is kept. */
static dt_status check_on_rank(dt_world *world, void *arg)
{
    const job *of = arg;
    if (of->asked->gradients)
        return verify_gradients(world, of, of->report);
    dti_report own = DTI_REPORT_INIT;
    dt_status status =
        verify_on(world, of, dt_world_rank(world) == 0 ? of->report : &own);
    dti_report_free(&own);
    return status;
}

/* Run a job, and empty it; gives whether it failed. */
static int run(job *of, int ranks)
{
    dt_world_options how = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    how.transport = "threads";
    how.ranks = ranks;
    how.timeout = 600;
    dt_status status = DT_OK;
    if (of->count)
        status = dt_world_run(&how, check_on_rank, of, &error);
    if (status != DT_OK)
        printf("wrong    %d ranks on %s: %s: %s\n", ranks, of->mesh,
               dt_status_name(status), error.message);
    of->count = 0;
    return status != DT_OK;
}

/* Check all rows on one mesh; gives how many runs failed. */
static int run_rows(const options *asked, dti_report *found, int ranks,
                    const char *mesh)
{
    job at = {.asked = asked, .report = found, .mesh = mesh};
    int failed = 0;
    for (int t = 0; dti_op_tables[t]; t++)
        for (const dt_op *row = dti_op_tables[t]; row->schema; row++) {
            if (asked->op && strcmp(asked->op, name_of(row).text) != 0)
                continue;
            at.rows[at.count++] = row;
            if (at.count == DTI_VERIFY_AT_ONCE)
                failed += run(&at, ranks);
        }
    return failed + run(&at, ranks);
}

/* ---- The command line --------------------------------------------------- */

/* An assertion that fails ends everything: say in which case. */
static void tell_case(int number)
{
    (void)number;
    static const char before[] = "aborted in ";
    ssize_t written = write(STDERR_FILENO, before, sizeof before - 1);
    written += write(STDERR_FILENO, current_case, strlen(current_case));
    written += write(STDERR_FILENO, "\n", 1);
    (void)written;
    _Exit(1);
}

static void print_line(void *arg, const char *line)
{
    (void)arg;
    puts(line);
    fflush(stdout);
}

/* Read explained.txt; false, with a message, if it cannot be. */
static bool read_explained(dti_report *to, const char *path)
{
    char line[1024];
    int number = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return false;
    }
    bool good = true;
    while (good && fgets(line, sizeof line, file)) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        good = dti_report_explain(to, line) == DT_OK;
        if (!good)
            fprintf(stderr, "%s:%d: not \"operator: placements: reason\"\n",
                    path, number);
    }
    fclose(file);
    return good;
}

static int compare_rows(const void *a, const void *b)
{
    return strcmp((*(dti_report_row *const *)a)->name,
                  (*(dti_report_row *const *)b)->name);
}

static void print_row(const dti_report_row *row)
{
    char text[DTI_REPORT_LINE];
    dti_report_show(row, text, sizeof text);
    puts(text);
}

/* Print a line for each operator and one for all; returns how many operators
 * have something wrong or missing. */
static int print_rows(dti_report *of)
{
    dti_report_row all = {.name = "total"};
    int failed = 0;
    if (of->count)
        qsort(of->rows, (size_t)of->count, sizeof *of->rows, compare_rows);
    for (int i = 0; i < of->count; i++) {
        const dti_report_row *row = of->rows[i];
        print_row(row);
        all.cases += row->cases;
        all.candidates.count += row->candidates.count;
        all.wrong += row->wrong;
        all.unexplained += row->unexplained;
        all.explained += row->explained;
        failed += row->wrong > 0 || row->unexplained > 0;
    }
    print_row(&all);
    return failed;
}

static int usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--op NAME] [--mesh 2|3|4|2x2|2x3|2x2x2] [--seed N] "
            "[--gradients] [--full] [--verbose] EXPLAINED\n",
            program);
    return 2;
}

static bool read_number(const char *text, unsigned long long *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return *text && !*end && errno == 0;
}

static bool is_mesh(const char *name)
{
    for (size_t i = 0; i < MESH_COUNT; i++)
        if (strcmp(name, meshes[i].name) == 0)
            return true;
    return false;
}

static bool read_options(int argc, char **argv, options *out,
                         const char **explained)
{
    for (int i = 1; i < argc; i++) {
        unsigned long long number = 0;
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--verbose") == 0)
            out->verbose = true;
        else if (strcmp(argv[i], "--full") == 0)
            out->full = true;
        else if (strcmp(argv[i], "--gradients") == 0)
            out->gradients = true;
        else if (strcmp(argv[i], "--op") == 0 && more)
            out->op = argv[++i];
        else if (strcmp(argv[i], "--seed") == 0 && more &&
                 read_number(argv[++i], &number))
            out->seed = number;
        else if (strcmp(argv[i], "--mesh") == 0 && more && is_mesh(argv[++i]))
            out->mesh = argv[i];
        else if (argv[i][0] != '-' && !*explained)
            *explained = argv[i];
        else
            return false;
    }
    return *explained;
}

/* What the environment says, as for other tests. */
static options defaults(void)
{
    options out = {.seed = DEFAULT_SEED,
                   .full = getenv("DT_TEST_FULL") != NULL};
    const char *seed = getenv("DT_TEST_SEED");
    if (seed && *seed && !read_number(seed, &out.seed)) {
        fprintf(stderr, "DT_TEST_SEED is not a number: %s\n", seed);
        exit(2);
    }
    return out;
}

int main(int argc, char **argv)
{
    options asked = defaults();
    dti_report found = DTI_REPORT_INIT;
    const char *explained = NULL;
    int broken = 0;
    if (!read_options(argc, argv, &asked, &explained))
        return usage(argv[0]);
    if (!read_explained(&found, explained))
        return 2;
    found.tell = print_line;
    if (asked.verbose)
        found.shown = 1 << 20;
    signal(SIGABRT, tell_case);
    signal(SIGSEGV, tell_case);
    signal(SIGFPE, tell_case);
    printf("seed %llu\n", asked.seed);
    if (asked.gradients)
        broken += run_rows(&asked, &found, 1, "x=1");
    for (size_t i = 0; !asked.gradients && i < MESH_COUNT; i++) {
        if (asked.mesh && strcmp(asked.mesh, meshes[i].name) != 0)
            continue;
        printf("on %s\n", meshes[i].dims);
        fflush(stdout);
        broken += run_rows(&asked, &found, meshes[i].ranks, meshes[i].dims);
    }
    if (asked.op && found.count == 0)
        fprintf(stderr, "no operator is named %s\n", asked.op);
    int failed = print_rows(&found) + broken;
    /* Other seeds may not need all of explained.txt. */
    if (asked.seed == DEFAULT_SEED)
        failed += dti_report_unused(&found);
    printf("%d passed, %d failed\n",
           found.count > failed ? found.count - failed : 0, failed);
    bool good = failed == 0 && found.count > 0;
    dti_report_free(&found);
    return good ? 0 : 1;
}
