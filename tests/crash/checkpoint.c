/* tests/crash/checkpoint.c - checkpoints survive whatever ends or fails a save.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crash/calls.h"
#include "crash/disk.h"
#include "support/check.h"
#include "support/folders.h"

/*
 * A program of two ranks saves steps 1 to 3 of a state whose every element is
 * the step, overwrites step 3, keeps two, half of the saves in the background.
 * It is killed before each of its calls that change files; it is run with each
 * of them failing; and its calls are recorded, to see what a disk would have if
 * the power had gone after each.  Whatever happens, the folder has the last
 * checkpoint whose save returned, or a later one, complete, and the next save
 * works and leaves nothing behind.
 */

enum { RANKS = 2, STEPS = 4 };

/* ---- The program that saves
 * -------------------------------------------------------- */

/* A run of the program. */
typedef struct run {
    const char *folder;
    int report;      /* a pipe that is told of every step saved; -1: none */
    bool background; /* all saves, or none */
    bool may_fail;   /* a save that fails is tried again */
    int failures;
    int saved; /* the last step */
    int64_t first;
} run;

static dt_state *make_state(dt_world *world, dt_mesh *mesh, int64_t step)
{
    dt_state *state = NULL;
    const dt_shape shape = DT_SHAPE(37, 50);
    CHECK_OK(world, dt_state_create(world, &state));
    CHECK_OK(world, dt_state_set_tensor(
                        state, "rows",
                        dt_full(mesh, "S(0)", DT_F32, shape, (double)step)));
    CHECK_OK(world, dt_state_set_tensor(
                        state, "columns",
                        dt_full(mesh, "S(1)", DT_I16, shape, (double)step)));
    CHECK_OK(world, dt_state_set_tensor(
                        state, "same",
                        dt_full(mesh, "R", DT_F64, shape, (double)step)));
    CHECK_OK(world, dt_state_set_integer(state, "step", step));
    return state;
}

static dt_status save_one(dt_world *world, const run *of, const dt_state *state,
                          int64_t step)
{
    dt_save_options options = DT_SAVE_OPTIONS_INIT;
    options.keep = 2;
    options.overwrite = true;
    options.file_bytes = 10000;
    if (!of->background)
        return dt_save(world, of->folder, step, state, &options);
    DT_TRY(dt_save_begin(world, of->folder, step, state, &options));
    return dt_save_wait(world);
}

static dt_status program(dt_world *world, void *arg)
{
    run *of = arg;
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    for (int64_t i = 0; i < STEPS; i++) {
        /* The last one is saved again, over itself. */
        const int64_t step = of->first + (i < 3 ? i : 2);
        dt_scope *scope = dt_scope_open(world);
        dt_state *state = make_state(world, mesh, step);
        dt_status status = save_one(world, of, state, step);
        if (status != DT_OK && of->may_fail) {
            CHECK(dt_world_error(world)->message[0] != '\0');
            dt_world_clear_error(world);
            if (dt_world_rank(world) == 0)
                of->failures++;
        } else {
            CHECK_OK(world, status);
        }
        if (status == DT_OK && dt_world_rank(world) == 0) {
            const char told = (char)step;
            of->saved = (int)step;
            if (of->report >= 0 && write(of->report, &told, 1) != 1)
                CHECK(false);
        }
        dt_state_release(state);
        /* Its error was looked at above. */
        DT_IGNORE(dt_scope_close(scope));
        dt_world_clear_error(world);
    }
    dt_mesh_release(mesh);
    return DT_OK;
}

static void run_program(run *of)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error;
    options.ranks = RANKS;
    options.transport = "threads";
    CHECK_ERROR(&error, dt_world_run(&options, program, of, &error), DT_OK,
                NULL);
}

/* ---- What is left
 * --------------------------------------------------------------------- */

/* What is looked for in a folder. */
typedef struct look {
    const char *folder;
    int64_t found; /* the step that was loaded; 0: none */
} look;

static dt_status load_program(dt_world *world, void *arg)
{
    look *at = arg;
    dt_load_options options = DT_LOAD_OPTIONS_INIT;
    dt_mesh *mesh = dt_world_own_mesh(world);
    dt_scope *scope = dt_scope_open(world);
    dt_state *state = make_state(world, mesh, -1);
    options.verify = true;
    const dt_status status = dt_load(world, at->folder, state, &options);
    at->found = 0;
    if (status == DT_ERR_NOT_FOUND) {
        dt_world_clear_error(world);
    } else if (CHECK_OK(world, status)) {
        CHECK_OK(world, dt_state_integer(state, "step", &at->found));
        dt_state *wanted = make_state(world, mesh, at->found);
        for (int64_t i = 0; i < 3; i++)
            CHECK(dt_array_equal(
                dt_tensor_local(dt_state_at(state, i)->tensor),
                dt_tensor_local(dt_state_at(wanted, i)->tensor)));
        dt_state_release(wanted);
    }
    dt_state_release(state);
    DT_IGNORE(dt_scope_close(scope));
    dt_world_clear_error(world);
    return DT_OK;
}

/* Load what a folder has; its step, 0 if it has none. */
static int64_t load_folder(const char *folder)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    look at = {.folder = folder};
    dt_error error;
    options.ranks = 1;
    options.transport = "threads";
    CHECK_ERROR(&error, dt_world_run(&options, load_program, &at, &error),
                DT_OK, NULL);
    return at.found;
}

/* Check that a save works in a folder, and that nothing else is left there. */
static void check_next(const char *folder)
{
    run next = {.folder = folder, .report = -1, .first = 20};
    run_program(&next);
    CHECK_INT(load_folder(folder), 22);
    CHECK_INT(count_names(folder, ""), 3); /* two steps and latest */
}

/* ---- Killing
 * ----------------------------------------------------------------------------
 */

/* Run the program in a process that ends before call `at`; the last step that
 * it told of.  `ended` receives whether it was killed. */
static int run_killed(const char *folder, bool background, long at, bool *ended)
{
    int ends[2], status = 0, last = 0;
    char step;
    if (!CHECK(pipe(ends) == 0))
        return 0;
    const pid_t child = fork();
    if (child == 0) {
        run of = {.folder = folder,
                  .report = ends[1],
                  .background = background,
                  .first = 1};
        close(ends[0]);
        watch_calls(folder);
        act_at(at, ACT_KILL, 0);
        run_program(&of);
        _exit(0);
    }
    close(ends[1]);
    while (read(ends[0], &step, 1) == 1)
        last = step;
    close(ends[0]);
    CHECK(waitpid(child, &status, 0) == child);
    *ended = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    return last;
}

static void killed_at_every_call(dt_world *world)
{
    int points = 0;
    for (int background = 0; background < 2; background++) {
        bool ended = true;
        for (long at = 0; ended; at++) {
            char folder[FOLDER_SIZE];
            make_folder(world, folder);
            const int last = run_killed(folder, background, at, &ended);
            const int64_t found = load_folder(folder);
            CHECKF(found >= last && (last > 0 || found <= 3),
                   "killed at call %ld: saved %d, loaded %lld", at, last,
                   (long long)found);
            if (at % 21 == 0)
                check_next(folder);
            remove_tree(folder);
            points++;
        }
    }
    CHECK(points > 200);
}

/* ---- Failing
 * ------------------------------------------------------------------------------
 */

/* Run the program with a call that fails; false if there is no such call. */
static bool run_failing(dt_world *world, bool background, long at,
                        call_action action, int reason)
{
    char folder[FOLDER_SIZE];
    run of = {.folder = folder,
              .report = -1,
              .background = background,
              .may_fail = true,
              .first = 1};
    make_folder(world, folder);
    watch_calls(folder);
    act_at(at, action, reason);
    run_program(&of);
    const bool reached = calls_seen() > at;
    watch_calls(NULL);
    CHECKF(of.failures <= 1 && (action != ACT_SHORT || of.failures == 0),
           "call %ld: %d saves failed", at, of.failures);
    CHECKF(of.saved > 0 && load_folder(folder) >= of.saved,
           "call %ld: saved %d", at, of.saved);
    if (at % 21 == 0)
        check_next(folder);
    remove_tree(folder);
    return reached;
}

static void failing_at_every_call(dt_world *world)
{
    static const struct {
        call_action action;
        int reason;
    } ways[] = {{ACT_FAIL, EIO}, {ACT_FAIL, ENOSPC}, {ACT_SHORT, 0}};
    for (size_t i = 0; i < 3; i++)
        for (int background = 0; background < 2; background++) {
            long at = (long)i;
            while (run_failing(world, background, at, ways[i].action,
                               ways[i].reason))
                at++;
        }
}

/* ---- Loss of power
 * -------------------------------------------------------------------------- */

/* Record the calls of a run; steps that were saved are marked in the report. */
static void record_run(dt_world *world, bool background, const char *folder)
{
    (void)world;
    run of = {
        .folder = folder, .report = -1, .background = background, .first = 1};
    watch_calls(folder);
    record_calls();
    run_program(&of);
    watch_calls(NULL);
}

/* The step that `latest` names for certain: it was renamed, and the folder
 * was synced. */
static int committed_by(const call *calls, size_t count)
{
    int last = 0, step = 0, named = 0;
    for (size_t i = 0; i < count; i++) {
        const bool renames =
            calls[i].kind == CALL_RENAME || calls[i].kind == CALL_EXCHANGE;
        if (renames && strncmp(calls[i].to, "step_", 5) == 0 &&
            !strstr(calls[i].to, ".tmp"))
            step = atoi(calls[i].to + 5);
        if (renames && strcmp(calls[i].to, "latest") == 0)
            named = step;
        if (calls[i].kind == CALL_SYNC && !*calls[i].path)
            last = named;
    }
    return last;
}

static void every_prefix_of_calls(dt_world *world)
{
    for (int background = 0; background < 2; background++) {
        char folder[FOLDER_SIZE], copy[FOLDER_SIZE];
        size_t count = 0;
        make_folder(world, folder);
        record_run(world, background, folder);
        const call *calls = recorded_calls(&count);
        disk *model = new_disk();
        CHECKF(count > 60, "%zu calls", count);
        for (size_t i = 0; i <= count; i++) {
            const int last = committed_by(calls, i);
            for (int names = 0; names < 2; names++) {
                make_folder(world, copy);
                write_disk(model, names, copy);
                const int64_t found = load_folder(copy);
                CHECKF(found >= last,
                       "after %zu calls%s: saved %d, loaded "
                       "%lld",
                       i, names ? ", all names" : "", last, (long long)found);
                remove_tree(copy);
            }
            if (i < count)
                apply_call(model, &calls[i]);
        }
        free_disk(model);
        forget_calls();
        remove_tree(folder);
    }
}

/* ---- A full disk
 * -----------------------------------------------------------------------------
 */

static void on_a_full_disk(dt_world *world)
{
    char folder[FOLDER_SIZE];
    make_folder(world, folder);
    if (mount("none", folder, "tmpfs", 0, "size=128k") != 0) {
        printf("skipped: a small tmpfs cannot be mounted: %s\n",
               strerror(errno));
        remove_tree(folder);
        return;
    }
    run of = {.folder = folder, .report = -1, .may_fail = true, .first = 1};
    run_program(&of);
    CHECK(of.failures > 0);
    CHECK_INT(load_folder(folder), of.saved);
    CHECK(of.saved > 0 && count_names(folder, "step_") <= 2);
    CHECK(umount(folder) == 0);
    remove_tree(folder);
}

const dt_test dt_tests[] = {
    {"killed at every call", killed_at_every_call},
    {"failing at every call", failing_at_every_call},
    {"every prefix of calls", every_prefix_of_calls},
    {"on a full disk", on_a_full_disk},
    {NULL, NULL},
};
