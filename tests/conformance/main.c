/* tests/conformance/main.c - every operator in many layouts, against one rank.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/engine.h"

#define DEFAULT_SEED 20260101ULL

/* What the command line asks for. */
typedef struct options {
    const char *op;
    const char *mesh; /* NULL: all meshes */
    unsigned long long seed;
    bool verbose;
    bool full;
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

/* Rows that share a world; more, and it would remember too much. */
#define ROWS 12

/* One run of ranks on one mesh: some rows. */
typedef struct job {
    const options *asked;
    report *report;
    const char *mesh;
    int count;
    const dt_op *rows[ROWS];
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

/* Ranks share the search for rules that are missing, which runs on each alone.
 * Collective over the world, of three ranks. */
static dt_status search_rows(const engine *on, const job *of, dt_mesh *three)
{
    dt_mesh *both[2] = {NULL, three};
    DT_TRY(dt_mesh_create_from(on->world, "x=2", (int[]){0, 1}, 2, &both[0]));
    for (int i = dt_world_rank(on->world); i < of->count; i += 3)
        find_missing(on, name_of(of->rows[i]).text, both);
    dt_mesh_release(both[0]);
    return DT_OK;
}

static dt_status check_on_rank(dt_world *world, void *arg)
{
    const job *of = arg;
    dt_mesh *mesh = NULL;
    dt_status status = DT_OK;
    engine on = {.world = world,
                 .report = of->report,
                 .seed = of->asked->seed,
                 .full = of->asked->full};
    DT_TRY(dt_mesh_create(world, of->mesh, &mesh));
    for (int i = 0; i < of->count; i++)
        check_operator(&on, name_of(of->rows[i]).text, mesh);
    if (dt_mesh_ndim(mesh) == 1 && dt_mesh_size(mesh) == 3)
        status = search_rows(&on, of, mesh);
    dt_mesh_release(mesh);
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
static int run_rows(const options *asked, report *found, int ranks,
                    const char *mesh)
{
    job at = {.asked = asked, .report = found, .mesh = mesh};
    int failed = 0;
    for (int t = 0; dti_op_tables[t]; t++)
        for (const dt_op *row = dti_op_tables[t]; row->schema; row++) {
            if (asked->op && strcmp(asked->op, name_of(row).text) != 0)
                continue;
            at.rows[at.count++] = row;
            if (at.count == ROWS)
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

static int usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--op NAME] [--mesh 2|3|4|2x2|2x3|2x2x2] [--seed N] "
            "[--full] [--verbose] EXPLAINED\n",
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
    report found = REPORT_INIT;
    const char *explained = NULL;
    int broken = 0;
    if (!read_options(argc, argv, &asked, &explained))
        return usage(argv[0]);
    if (!report_read_explanations(&found, explained))
        return 2;
    found.draws_others = asked.seed != DEFAULT_SEED;
    if (asked.verbose)
        found.shown = 1 << 20;
    signal(SIGABRT, tell_case);
    signal(SIGSEGV, tell_case);
    signal(SIGFPE, tell_case);
    printf("seed %llu\n", asked.seed);
    for (size_t i = 0; i < MESH_COUNT; i++) {
        if (asked.mesh && strcmp(asked.mesh, meshes[i].name) != 0)
            continue;
        printf("on %s\n", meshes[i].dims);
        fflush(stdout);
        broken += run_rows(&asked, &found, meshes[i].ranks, meshes[i].dims);
    }
    if (asked.op && found.count == 0)
        fprintf(stderr, "no operator is named %s\n", asked.op);
    int failed = report_print(&found) + broken;
    printf("%d passed, %d failed\n",
           found.count > failed ? found.count - failed : 0, failed);
    bool good = failed == 0 && found.count > 0;
    report_free(&found);
    return good ? 0 : 1;
}
