/* dtensor/world.h - worlds: opening and running the ranks of a program. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_WORLD_H
#define DTENSOR_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include <dtensor/log.h>
#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/*
 * The ranks of one run, as seen by one rank.  A world is used by one thread at
 * a time; several worlds may exist.
 *
 * A NULL mesh or tensor argument is an error, DT_ERR_INVALID, except if the
 * world or an open scope has an error already: then the NULL results from that
 * error, which is kept.  If no argument of a call identifies a world, the error
 * is recorded in the world of the calling thread: the one whose program the
 * thread executes, or otherwise the open world that it opened last.
 */
typedef struct dt_world dt_world;

/* The function that every rank runs. */
typedef dt_status (*dt_program)(dt_world *world, void *arg);

/* An option that is on, off or inherited. */
typedef enum dt_tristate {
    DT_TRISTATE_INHERIT, /* as the enclosing scope or the environment */
    DT_TRISTATE_ON,      /* on */
    DT_TRISTATE_OFF      /* off */
} dt_tristate;

/*
 * Options of a world.  A zero means: use the environment variable, or its
 * default.  Start from DT_WORLD_OPTIONS_INIT.
 */
typedef struct dt_world_options {
    size_t size;           /* sizeof(dt_world_options) */
    const char *transport; /* a name that `dtensor info` lists (DT_TRANSPORT) */
    int ranks;             /* number of ranks (DT_RANKS) */
    int rank;              /* this rank; only for sim (DT_RANK) */
    double timeout;        /* seconds to wait for a stalled peer (DT_TIMEOUT) */
    size_t memory_limit;   /* bytes of storage per rank (DT_MEMORY_LIMIT) */
    dt_log_function log;   /* log callback; NULL disables logging */
    void *log_arg;         /* passed to log */
    dt_log_level log_level; /* most verbose level to log (DT_LOG) */
    int threads;            /* threads that compute for a rank (DT_THREADS) */
    /* Pin the ranks of a team to cores (DT_PIN).  By default ranks are pinned
     * that dt_main or `dtensor run` starts, and those of teams are not. */
    dt_tristate pin;
} dt_world_options;

#define DT_WORLD_OPTIONS_INIT                                                  \
    {                                                                          \
        sizeof(dt_world_options), 0, 0, 0, 0, 0, 0, 0, DT_LOG_UNSET, 0,        \
            DT_TRISTATE_INHERIT                                                \
    }

/*
 * Run `program` on the ranks that the environment requests, and return the exit
 * status of the process.
 *
 * Not collective.  By default there is one rank.  DT_RANKS=4 runs four ranks as
 * threads; `dtensor run -n 4` starts four processes, and this process is one of
 * them.  Call it only from main(): it writes log messages and the error of the
 * run to stderr.
 */
DT_API int dt_main(int argc, char **argv, dt_program program, void *arg);

/*
 * Open the world of a program that has its own main().
 *
 * Collective over the ranks if they are processes (shm, mpi); not collective
 * with one rank or on sim.  For several ranks in one process use dt_world_run
 * or a team.  A process that `dtensor run` started can open one world over shm,
 * once.  `options` may be NULL.  On failure `error`, which may be NULL,
 * receives the error.
 */
DT_API DT_MUST_USE dt_status dt_world_open(const dt_world_options *options,
                                           dt_world **out, dt_error *error);

/*
 * Close a world with its scopes, groups and all objects it owns.
 *
 * Not collective.  Asynchronous collectives are abandoned.  Arrays may outlive
 * the world.  Returns the code of the first error that the program has neither
 * read nor cleared (see dt_world_error); its message is logged as a warning.
 * The world is closed in any case.
 */
DT_API DT_MUST_USE dt_status dt_world_close(dt_world *world);

/*
 * Run `program` once on ranks that are threads of this process.
 *
 * Not collective.  Returns DT_OK if the program did so on all ranks.  Otherwise
 * it returns the error of the rank that failed first by itself, or of the
 * lowest rank.
 */
DT_API DT_MUST_USE dt_status dt_world_run(const dt_world_options *options,
                                          dt_program program, void *arg,
                                          dt_error *error);

/*
 * Return this rank's number, from 0.
 *
 * Not collective.
 */
DT_API int dt_world_rank(const dt_world *world);

/*
 * Return the number of ranks.
 *
 * Not collective.
 */
DT_API int dt_world_size(const dt_world *world);

/*
 * Return the name of the transport of a world.
 *
 * Not collective.  Borrowed from the world.
 */
DT_API const char *dt_world_transport(const dt_world *world);

/*
 * Return the latest error in this world; its code is DT_OK if there is none.
 *
 * Not collective.  Borrowed; the next error overwrites it.  All errors so far
 * count as read.
 *
 * An error outside all scopes, or in a scope that is still open at the end,
 * must be read (with dt_world_error, dt_scope_error, dt_scope_close or
 * dt_world_recover) or cleared (dt_world_clear_error).  Otherwise dt_main,
 * dt_world_run and dt_team_run return it even if the program returns DT_OK, and
 * so does dt_world_close.
 */
DT_API const dt_error *dt_world_error(const dt_world *world);

/*
 * Clear the errors outside all scopes: dt_world_error returns DT_OK until the
 * next error.
 *
 * Not collective.  For a program that handles an error and continues.  Open
 * scopes keep their errors, and a poisoned world stays poisoned: see
 * dt_world_recover.
 */
DT_API void dt_world_clear_error(dt_world *world);

/*
 * Tell the other ranks that this rank cannot continue.
 *
 * Not collective.  All groups of this rank are poisoned: their members fail
 * with DT_ERR_PEER and the latest error message of this rank in their next
 * collective.  For an error on one rank between collectives, for example in a
 * file that only this rank reads.
 */
DT_API void dt_world_poison(dt_world *world);

/*
 * Make a world usable again after an error, provided that all its ranks are
 * alive.
 *
 * Collective over the world.  Pending collectives are abandoned and poison is
 * cleared.  Arrays keep their contents, except that outputs of failed
 * asynchronous collectives are undefined (dt_array_wait).  DT_ERR_PEER if a
 * rank has ended: the world can then only be inspected and closed.
 */
DT_API DT_MUST_USE dt_status dt_world_recover(dt_world *world);

/*
 * Compare what the ranks have called on their meshes so far: operators with
 * their arguments, factories and redistributions.
 *
 * Collective over the world.  Every collective on a mesh compares the calls of
 * its members anyway; this function is for programs that communicate rarely,
 * and for ranks that never communicate on a mesh, such as replicas before the
 * first gradient.  DT_ERR_DIVERGED on all ranks, with a message that names two
 * ranks and the first call that differs.  Nothing is lost and the world is
 * usable, but collectives on the mesh that diverged fail until
 * dt_world_recover.
 */
DT_API DT_MUST_USE dt_status dt_world_check(dt_world *world);

/*
 * Name the part of the program that runs from here on, for example
 * "encoder.3.attention", for messages about diverged ranks; NULL: no name.
 * Returns the previous name, for restoring it.
 *
 * Not collective.  The name is copied.  The previous name is borrowed from the
 * world.
 */
DT_API const char *dt_world_set_module(dt_world *world, const char *name);

/* What a world caches, so that a call like an earlier one costs little. */
typedef enum dt_cache {
    DT_CACHE_DECISIONS, /* the layouts that an operator runs in, by its inputs
                         */
    DT_CACHE_PLANS,     /* the steps of a redistribution */
    DT_CACHE_SPECS,     /* specs; those in use stay cached */
    DT_CACHE_COUNT
} dt_cache;

/* The state of a cache on this rank. */
typedef struct dt_cache_counter {
    size_t entries;  /* cached now */
    uint64_t hits;   /* lookups that found an entry */
    uint64_t misses; /* lookups that found none */
} dt_cache_counter;

/*
 * Return the entries, hits and misses of a cache of a world.
 *
 * Not collective.
 */
DT_API dt_cache_counter dt_world_cache(const dt_world *world, dt_cache cache);

/*
 * Empty the caches of a world and set their hits and misses to zero.  Specs and
 * plans that are in use stay.
 *
 * Not collective; results do not depend on what is cached.  DT_ERR_INVALID in a
 * function that an operator calls, such as a kernel.
 */
DT_API DT_MUST_USE dt_status dt_world_clear_caches(dt_world *world);

/* A team: ranks that are threads of a server and wait for programs. */
typedef struct dt_team dt_team;

/*
 * Start a team of ranks as threads.
 *
 * Not collective.  The caller closes the team.
 */
DT_API DT_MUST_USE dt_status dt_team_open(const dt_world_options *options,
                                          dt_team **out, dt_error *error);

/*
 * Run a program on every rank of a team and wait until all have returned.
 *
 * Not collective.  May be called from any thread that is not a rank of the
 * team; programs are queued and run one after another.  Worlds, meshes and
 * retained objects persist between runs.  A failed run leaves the team usable.
 */
DT_API DT_MUST_USE dt_status dt_team_run(dt_team *team, dt_program program,
                                         void *arg, dt_error *error);

/*
 * End a team after all queued programs have run.
 *
 * Not collective.  No other thread may use the team any more.
 */
DT_API void dt_team_close(dt_team *team);

DT_EXTERN_C_END

#endif
