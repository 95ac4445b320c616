/* dtensor/world.h - opening and running the ranks of a program. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_WORLD_H
#define DTENSOR_WORLD_H

#include <stddef.h>

#include <dtensor/log.h>
#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/*
 * The ranks of one run, as one rank sees them.  One thread uses a world at a
 * time; several worlds may exist.
 *
 * A mesh or tensor that is NULL is an error, DT_ERR_INVALID, unless the world
 * or an open scope has an error already: then NULL follows from that one. Where
 * no argument of a call leads to a world, the world that the calling thread
 * runs has the error: the one whose program it executes, or else the one that
 * it opened last and that is still open.
 */
typedef struct dt_world dt_world;

/* What every rank runs. */
typedef dt_status (*dt_program)(dt_world *world, void *arg);

/*
 * How a world is opened.  Zeros mean: take the setting from the environment,
 * or its default.  Start from DT_WORLD_OPTIONS_INIT.
 */
typedef struct dt_world_options {
    size_t size;           /* sizeof(dt_world_options) */
    const char *transport; /* one that `dtensor info` lists (DT_TRANSPORT) */
    int ranks;             /* number of ranks (DT_RANKS) */
    int rank;              /* which rank this is; for sim alone (DT_RANK) */
    double timeout;        /* seconds that a peer may stall (DT_TIMEOUT) */
    size_t
        memory_limit; /* bytes of storage a rank may hold (DT_MEMORY_LIMIT) */
    dt_log_function log;    /* who is told; nobody if NULL */
    void *log_arg;          /* passed to log */
    dt_log_level log_level; /* least important level wanted (DT_LOG) */
} dt_world_options;

#define DT_WORLD_OPTIONS_INIT                                                  \
    {                                                                          \
        sizeof(dt_world_options), 0, 0, 0, 0, 0, 0, 0, DT_LOG_UNSET            \
    }

/*
 * Run `program` as the ranks that the command line asked for, and give the
 * exit status of the process.
 *
 * Not collective.  Without any request there is one rank; DT_RANKS=4 runs four
 * as threads; `dtensor run -n 4` starts four processes, of which this is one.
 * It is for main() alone: it writes what the library reports, and the error of
 * the run, to stderr.
 */
DT_API int dt_main(int argc, char **argv, dt_program program, void *arg);

/*
 * Open the world of a program that has its own main().
 *
 * Collective over the ranks where they are processes (shm, mpi); not collective
 * with one rank or on sim.  To get several ranks in one process use
 * dt_world_run or a team.  A process that `dtensor run` started opens one world
 * over shm, once.  `options` may be NULL.  On failure `error`, which may be
 * NULL, has the sentence.
 */
DT_API DT_MUST_USE dt_status dt_world_open(const dt_world_options *options,
                                           dt_world **out, dt_error *error);

/*
 * Close a world: its scopes, groups and everything that hangs off it.
 *
 * Not collective.  Calls still under way are abandoned.  Arrays may outlive it.
 * Returns the code of the first failure that the program has neither read nor
 * cleared, as dt_world_error says; its message goes to the log as a warning.
 * The world is closed in any case.
 */
DT_API DT_MUST_USE dt_status dt_world_close(dt_world *world);

/*
 * Run `program` once on ranks that are threads of this process.
 *
 * Not collective.  Gives DT_OK if all ranks did; otherwise the failure of the
 * rank that failed by itself, or of the lowest rank.
 */
DT_API DT_MUST_USE dt_status dt_world_run(const dt_world_options *options,
                                          dt_program program, void *arg,
                                          dt_error *error);

/*
 * Give this rank's number, from 0.
 *
 * Not collective.
 */
DT_API int dt_world_rank(const dt_world *world);

/*
 * Give the number of ranks.
 *
 * Not collective.
 */
DT_API int dt_world_size(const dt_world *world);

/*
 * Give the name of the transport that carries this world.
 *
 * Not collective.  Borrowed.
 */
DT_API const char *dt_world_transport(const dt_world *world);

/*
 * Return the latest failure in this world; its code is DT_OK if there was none.
 *
 * Not collective.  Borrowed; the next failure overwrites it.  The failures
 * until then count as read.  A failure outside all scopes, or in a scope that
 * is still open at the end, which the program has not read (with
 * dt_world_error, dt_scope_error, dt_scope_close or dt_world_recover) or
 * cleared (dt_world_clear_error) is returned by dt_main, dt_world_run and
 * dt_team_run even if the program returns DT_OK, and by dt_world_close.
 */
DT_API const dt_error *dt_world_error(const dt_world *world);

/*
 * Forget the failures outside all scopes: dt_world_error returns DT_OK until
 * the next one.
 *
 * Not collective.  For a program that goes on after a failure it has dealt
 * with. Open scopes keep theirs.  A world that was poisoned stays so: see
 * dt_world_recover.
 */
DT_API void dt_world_clear_error(dt_world *world);

/*
 * Tell the other ranks that this one cannot go on.
 *
 * Not collective.  Every group of this rank is poisoned: its members get
 * DT_ERR_PEER, with the latest error of this rank, at their next collective.
 * For a failure of one rank alone between collectives, such as a file that
 * only this rank reads.
 */
DT_API void dt_world_poison(dt_world *world);

/*
 * Make a world usable again after a failure, while all its ranks live.
 *
 * Collective over the world.  Calls under way are abandoned, poison is cleared;
 * arrays keep their contents, except outputs of calls that failed: those of
 * asynchronous calls cannot be read (dt_array_wait).  DT_ERR_PEER if a rank is
 * gone, for then a world can only be inspected and closed.
 */
DT_API DT_MUST_USE dt_status dt_world_recover(dt_world *world);

/*
 * Compare what the ranks have called on their meshes so far: operators with
 * their arguments, factories, redistributions.
 *
 * Collective over the world.  Every collective that serves a mesh compares that
 * of its members anyway; this is for programs that communicate rarely, and for
 * ranks of a mesh that never do, such as replicas before the first gradient.
 * DT_ERR_DIVERGED, on all ranks and with a message that names two of them and
 * the first call that differs; nothing was lost and the world is usable, though
 * collectives over a mesh that differs fail until dt_world_recover.
 */
DT_API DT_MUST_USE dt_status dt_world_check(dt_world *world);

/*
 * Name the part of the program that runs from here on, such as
 * "encoder.3.attention", for messages about ranks that diverged; NULL: none.
 * Gives the name before, to be set again.
 *
 * Not collective.  The name is copied; the one given is borrowed from the
 * world.
 */
DT_API const char *dt_world_set_module(dt_world *world, const char *name);

/* A team of ranks that are threads of a server and wait for programs. */
typedef struct dt_team dt_team;

/*
 * Start a team of thread ranks.
 *
 * Not collective.  The caller closes the team.
 */
DT_API DT_MUST_USE dt_status dt_team_open(const dt_world_options *options,
                                          dt_team **out, dt_error *error);

/*
 * Run a program on every rank of a team and wait until all have returned.
 *
 * Not collective; may be called from any thread that is not a rank of the
 * team: programs are queued and run one after another.  Worlds, meshes and what
 * was retained live on between runs; a failed run leaves the team usable.
 */
DT_API DT_MUST_USE dt_status dt_team_run(dt_team *team, dt_program program,
                                         void *arg, dt_error *error);

/*
 * End a team once the programs that are queued have run.
 *
 * Not collective.  No other thread may use the team any more.
 */
DT_API void dt_team_close(dt_team *team);

DT_EXTERN_C_END

#endif
