/* bench/checkpoint.c - saving and loading, against plain writes and copies. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dtensor/dtensor.h>

#include "base/machine/clock.h"
#include "bench/bench.h"

/*
 * A state of 64 tensors, sharded by rows over thread ranks, is saved and loaded
 * in turns with the same ranks doing the plain thing: writing as many bytes to
 * files of their own, or copying them from the file that was saved.  The time
 * of a turn is that of its slowest rank; the best of five turns counts, because
 * writes vary several times over on disks that others use.
 */
#define STATE_BYTES ((size_t)1 << 30)
#define REQUEST ((size_t)8 << 20)
enum { TENSORS = 64, ROUNDS = 5, COLUMNS = 1024 };

/* What is timed. */
typedef enum subject {
    SAVE,           /* dt_save */
    WRITE_DIRECT,   /* plain: O_DIRECT, allocated first */
    WRITE_BUFFERED, /* plain: through the page cache */
    LOAD,           /* dt_load, as it was saved */
    LOAD_RESHARDED, /* dt_load, sharded by columns */
    COPY_MAPPED,    /* plain: mmap and memcpy */
    READ_PLAIN,     /* plain: pread */
    PAUSE,          /* dt_save_begin */
    COPY_MEMORY,    /* plain: memcpy */
    SUBJECTS
} subject;

/* A world of ranks that time. */
typedef struct timing {
    const char *place; /* a folder for files */
    double best[SUBJECTS];
    double first_pause;
} timing;

/* One of its ranks. */
typedef struct worker {
    dt_world *world;
    timing *times;
    char folder[512]; /* of checkpoints */
    char plain[512];  /* this rank's plain file */
    size_t bytes;     /* of this rank's share */
    char *source, *target;
    dt_state *rows, *columns;
    int64_t step;
    int64_t saved; /* the step that is read */
} worker;

/* ---- Plain ways -------------------------------------------------------------
 */

static dt_status fail(const worker *at, const char *doing)
{
    bench_note("%s: %s while %s", at->plain, strerror(errno), doing);
    return DT_ERR_IO;
}

static dt_status write_plain(worker *at, bool direct)
{
    unlink(at->plain);
    const int file =
        open(at->plain,
             O_WRONLY | O_CREAT | O_CLOEXEC | (direct ? O_DIRECT : 0), 0666);
    if (file < 0)
        return fail(at, "creating it");
    if (direct && posix_fallocate(file, 0, (off_t)at->bytes) != 0)
        return close(file), fail(at, "allocating it");
    for (size_t done = 0; done < at->bytes;) {
        const size_t left = at->bytes - done;
        const ssize_t part =
            write(file, at->source + done, left < REQUEST ? left : REQUEST);
        if (part <= 0)
            return close(file), fail(at, "writing it");
        done += (size_t)part;
    }
    const bool good = fsync(file) == 0;
    close(file);
    return good ? DT_OK : fail(at, "syncing it");
}

/* Read as many bytes of the file that was saved: what the cache has of it is
 * the same for both. */
static dt_status read_plain(worker *at, bool mapped)
{
    char path[600];
    const off_t first = (off_t)(at->bytes * (size_t)dt_world_rank(at->world));
    snprintf(path, sizeof path, "%s/step_%08d/model.safetensors", at->folder,
             (int)at->saved);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(at, "opening what was saved");
    bool good = true;
    if (mapped) {
        void *map = mmap(NULL, at->bytes, PROT_READ, MAP_SHARED, file, first);
        good = map != MAP_FAILED;
        if (good) {
            memcpy(at->target, map, at->bytes);
            munmap(map, at->bytes);
        }
    }
    for (size_t done = 0; !mapped && good && done < at->bytes;) {
        const size_t left = at->bytes - done;
        const ssize_t part =
            pread(file, at->target + done, left < REQUEST ? left : REQUEST,
                  first + (off_t)done);
        good = part > 0;
        done += (size_t)(part > 0 ? part : 0);
    }
    close(file);
    return good ? DT_OK : fail(at, "reading what was saved");
}

/* ---- Turns
 * ------------------------------------------------------------------- */

static dt_status do_subject(worker *at, subject what)
{
    dt_save_options options = DT_SAVE_OPTIONS_INIT;
    options.keep = 1;
    options.overwrite = true;
    switch (what) {
    case SAVE:
        return dt_save(at->world, at->folder, at->step, at->rows, &options);
    case WRITE_DIRECT:
    case WRITE_BUFFERED:
        return write_plain(at, what == WRITE_DIRECT);
    case LOAD:
        return dt_load(at->world, at->folder, at->rows, NULL);
    case LOAD_RESHARDED:
        return dt_load(at->world, at->folder, at->columns, NULL);
    case COPY_MAPPED:
    case READ_PLAIN:
        return read_plain(at, what == COPY_MAPPED);
    case PAUSE:
        return dt_save_begin(at->world, at->folder, at->step, at->rows,
                             &options);
    default:
        memcpy(at->target, at->source, at->bytes);
        return DT_OK;
    }
}

/* Time one turn: from a barrier to the slowest rank's end. */
static dt_status take_turn(worker *at, subject what, double *seconds)
{
    dt_group *group = dt_world_group(at->world);
    dt_array *slowest = NULL;
    DT_TRY(dt_array_create(at->world, DT_F64, DT_SHAPE(1), &slowest));
    dt_status status = dt_group_barrier(group);
    const int64_t begin = dti_clock_now();
    if (status == DT_OK)
        status = do_subject(at, what);
    *(double *)dt_array_data(slowest) =
        (double)(dti_clock_now() - begin) * 1e-9;
    if (status == DT_OK)
        status = dt_group_all_reduce(group, DT_MAX, slowest, slowest);
    if (status == DT_OK)
        *seconds = *(const double *)dt_array_const_data(slowest);
    dt_array_release(slowest);
    if (status == DT_OK && what == PAUSE)
        status = dt_save_wait(at->world);
    return status;
}

static dt_status take_round(worker *at, int round)
{
    static const subject order[] = {
        PAUSE, COPY_MEMORY, SAVE,       WRITE_DIRECT,  WRITE_BUFFERED,
        LOAD,  COPY_MAPPED, READ_PLAIN, LOAD_RESHARDED};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        double seconds = 0;
        at->step = round * 2 + (order[i] == SAVE);
        dt_status status = take_turn(at, order[i], &seconds);
        /* A file system without O_DIRECT has only the other way. */
        if (order[i] == WRITE_DIRECT && status == DT_ERR_IO)
            continue;
        DT_TRY(status);
        if (order[i] == SAVE) { /* what went past the cache is read once */
            at->saved = at->step;
            DT_TRY(dt_load(at->world, at->folder, at->rows, NULL));
        }
        if (dt_world_rank(at->world) != 0)
            continue;
        double *best = &at->times->best[order[i]];
        if (round == 0 && order[i] == PAUSE)
            at->times->first_pause = seconds;
        else if (*best == 0 || seconds < *best)
            *best = seconds;
    }
    return DT_OK;
}

/* ---- Ranks
 * -------------------------------------------------------------------- */

static dt_status make_state(worker *at, dt_mesh *mesh, const char *layout,
                            dt_state **out)
{
    const int64_t rows =
        (int64_t)(STATE_BYTES / TENSORS / COLUMNS / sizeof(float));
    DT_TRY(dt_state_create(at->world, out));
    for (int i = 0; i < TENSORS; i++) {
        char name[32];
        snprintf(name, sizeof name, "layers.%d.weight", i);
        DT_TRY(dt_state_set_tensor(
            *out, name,
            dt_full(mesh, layout, DT_F32, DT_SHAPE(rows, COLUMNS), i)));
    }
    return DT_OK;
}

static char *map_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static dt_status run_rounds(worker *at, dt_mesh *mesh)
{
    dt_status status = make_state(at, mesh, "S(0)", &at->rows);
    if (status == DT_OK)
        status = make_state(at, mesh, "S(1)", &at->columns);
    for (int round = 0; round < ROUNDS && status == DT_OK; round++)
        status = take_round(at, round);
    dt_state_release(at->rows);
    dt_state_release(at->columns);
    return status;
}

static dt_status program(dt_world *world, void *arg)
{
    worker at = {.world = world, .times = arg};
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    at.bytes = STATE_BYTES / (size_t)dt_world_size(world);
    at.source = map_memory(at.bytes);
    at.target = map_memory(at.bytes);
    snprintf(at.folder, sizeof at.folder, "%s/checkpoints", at.times->place);
    snprintf(at.plain, sizeof at.plain, "%s/plain%d", at.times->place,
             dt_world_rank(world));
    dt_scope *scope = dt_scope_open(world);
    dt_status status =
        at.source && at.target ? run_rounds(&at, mesh) : DT_ERR_NO_MEMORY;
    const dt_status closed = dt_scope_close(scope);
    if (at.source)
        munmap(at.source, at.bytes);
    if (at.target)
        munmap(at.target, at.bytes);
    unlink(at.plain);
    dt_mesh_release(mesh);
    return status != DT_OK ? status : closed;
}

/* ---- Results
 * -------------------------------------------------------------------- */

static double better(double a, double b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

static void report(bench_run *run, const char *name, double ours,
                   double reference, const char *reference_name, double bar)
{
    const bench_result result = {.name = name,
                                 .ours = ours,
                                 .reference = reference,
                                 .reference_name = reference_name,
                                 .unit = BENCH_SECONDS,
                                 .bar = bar};
    bench_report(run, &result);
}

/* Cases of a place: disk or memory. */
typedef struct place {
    const char *name, *path;
} place;

/* The cases of a place. */
enum { SAVING, LOADING, RESHARDING, PAUSING, PAUSING_FIRST, CASES };
static const char *const case_names[CASES] = {"save", "load", "load resharded",
                                              "pause of a save",
                                              "pause of the first save"};

static void name_case(int number, const char *tail, char *out, size_t size)
{
    snprintf(out, size, "%s %s", case_names[number], tail);
}

static void report_all(bench_run *run, const timing *times, const char *tail,
                       const bool *wanted)
{
    const double *best = times->best;
    const struct {
        double ours, reference;
        const char *reference_name;
        double bar;
    } cases[CASES] = {
        {best[SAVE], better(best[WRITE_DIRECT], best[WRITE_BUFFERED]),
         "plain write", 0.9},
        {best[LOAD], better(best[COPY_MAPPED], best[READ_PLAIN]), "plain read",
         0.85},
        {best[LOAD_RESHARDED], best[LOAD], "load", 0.6},
        {best[PAUSE], best[COPY_MEMORY], "memory copy", 1 / 1.15},
        {times->first_pause, best[COPY_MEMORY], "memory copy", 1 / 2.5},
    };
    for (int i = 0; i < CASES; i++) {
        char name[128];
        name_case(i, tail, name, sizeof name);
        if (wanted[i])
            report(run, name, cases[i].ours, cases[i].reference,
                   cases[i].reference_name, cases[i].bar);
    }
}

/* Find out which cases are wanted; false if none is. */
static bool find_wanted(bench_run *run, const char *tail, bool *wanted)
{
    bool any = false;
    for (int i = 0; i < CASES; i++) {
        char name[128];
        name_case(i, tail, name, sizeof name);
        wanted[i] = bench_wanted(run, name);
        any = any || wanted[i];
    }
    return any;
}

static dt_status time_place(bench_run *run, const place *where, int ranks)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    char tail[64], path[256], command[300];
    timing times = {.place = path};
    bool wanted[CASES];
    snprintf(tail, sizeof tail, "1 GiB %d ranks threads %s", ranks,
             where->name);
    if (!find_wanted(run, tail, wanted))
        return DT_OK;
    snprintf(path, sizeof path, "%s/bench-dtensor-XXXXXX", where->path);
    if (!mkdtemp(path)) {
        bench_note("%s: %s; left out", path, strerror(errno));
        return DT_OK;
    }
    bench_progress(tail);
    options.ranks = ranks;
    options.transport = "threads";
    const dt_status status =
        dt_world_run(&options, program, &times, &run->error);
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    if (system(command) != 0)
        bench_note("%s could not be removed", path);
    if (status == DT_OK)
        report_all(run, &times, tail, wanted);
    return status;
}

static dt_status run_suite(bench_run *run)
{
    const char *disk = getenv("TMPDIR");
    const place places[] = {{"disk", disk ? disk : "."},
                            {"memory", "/dev/shm"}};
    const int counts[] = {2, 4};
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; i < 2; i++)
            if (!run->ranks || run->ranks == counts[i])
                DT_TRY(time_place(run, &places[p], counts[i]));
    return DT_OK;
}

const bench_suite bench_suite_checkpoint = {
    .name = "checkpoint",
    .summary = "saving and loading 1 GiB, against plain writes and copies",
    .run = run_suite,
};
