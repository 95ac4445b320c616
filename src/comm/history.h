/* comm/history.h - the calls that a rank made on a mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_HISTORY_H
#define DTI_COMM_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/world.h>

#include "base/hash.h"

/*
 * The ranks of a mesh make the same calls on it: operators, factories,
 * redistributions, with the same arguments.  Each rank folds what it calls into
 * a word per mesh; every collective that serves the mesh, over whichever of its
 * groups, carries the word in its fingerprint.  So two ranks that called
 * `mul(x, 2)` and `mul(x, 3)` have different words from then on, and learn of
 * it when they next communicate.
 *
 * The latest calls are remembered as they were made, and put into text only
 * when the words of two ranks differ: a page, which other ranks may read.
 */

/* Calls that are remembered. */
#define DTI_HISTORY_CALLS 32
/* Words that a call may keep of its arguments. */
#define DTI_PAST_WORDS 56

/* What a program was doing when it made a call. */
typedef struct dti_doing {
    const char *module; /* that runs, kept by the world; NULL: none */
    /* The operator whose gradient is computed, which lives as long as the
     * world; NULL outside backward passes. */
    const char *gradient_of;
} dti_doing;

typedef struct dti_past_call dti_past_call;
struct dti_history_line;

/* Put a remembered call into text: fill the line but for its word. */
typedef void (*dti_past_describe)(dt_world *world, const dti_past_call *call,
                                  struct dti_history_line *out);

/* A call as its maker remembers it; `describe` knows what the rest means. */
struct dti_past_call {
    uint64_t word; /* of the history, after this call */
    dti_past_describe describe;
    const void *subject; /* such as the operator; lives as long as the world */
    dti_doing doing;
    int form;
    int count;     /* of words */
    bool cut;      /* not all arguments fit */
    uint64_t hash; /* of all that must agree */
    uint64_t words[DTI_PAST_WORDS];
};

/* What a rank called on a mesh. */
typedef struct dti_history {
    dt_world *world;
    uint64_t id;            /* of the mesh: the same on all of its ranks */
    int size;               /* ranks of the mesh */
    bool member;            /* this rank is one of them */
    char mesh[48];          /* the mesh in text */
    uint64_t word;          /* of all calls so far; `id` before the first */
    uint64_t number;        /* of the latest call, from 1 */
    const dti_doing *doing; /* where the world has that */
    dti_past_call calls[DTI_HISTORY_CALLS];
} dti_history;

/* The slot of the next call, for its maker to fill: `doing` is set, and no
 * argument is kept yet.  It is that of the oldest call, so that no page may be
 * written before dti_history_add. */
static inline dti_past_call *dti_history_next(dti_history *history)
{
    dti_past_call *call =
        &history->calls[(history->number + 1) % DTI_HISTORY_CALLS];
    call->doing = *history->doing;
    call->count = 0;
    call->cut = false;
    return call;
}

/* Add the call to the history: `hash` is of all that must agree. */
static inline void dti_history_add(dti_history *history, dti_past_call *call,
                                   uint64_t hash)
{
    history->number++;
    call->hash = hash;
    call->word = history->word = dti_hash_mix(history->word, hash);
}

/* ---- Pages -------------------------------------------------------------- */

/* A call in text.  Arguments are separated by '\n': "dim=1\nkeepdim=false". */
typedef struct dti_history_line {
    uint64_t word;
    char name[48];
    char doing[96]; /* " in layers.0, the gradient of mul"; or "" */
    char arguments[384];
} dti_history_line;

/*
 * A history in text, for other ranks: flat, so that it may lie in memory shared
 * between processes, or be sent.  The latest call has number `number`, and is
 * the last line.
 */
typedef struct dti_history_page {
    uint64_t id; /* of the mesh; 0: an empty page */
    uint64_t number;
    int32_t size; /* ranks of the mesh */
    int32_t count;
    char mesh[48];
    dti_history_line lines[DTI_HISTORY_CALLS];
} dti_history_page;

/* Write the page of a history; an empty one for NULL. */
void dti_history_write(const dti_history *history, dti_history_page *out);

/* Tell whether two pages are of one mesh and differ. */
bool dti_history_differ(const dti_history_page *a, const dti_history_page *b);

/*
 * Record that two ranks made different calls on a mesh, as their pages show:
 * DT_ERR_DIVERGED.  `latest` are the numbers of the calls that the ranks were
 * in, and `where` which collective noticed it.
 */
dt_status dti_history_fail(dt_world *world, const int *ranks,
                           const dti_history_page *const *pages,
                           const uint64_t *latest, const char *where);

/* The number of the call after which a history had a word; 0 if the page does
 * not have it. */
uint64_t dti_history_find(const dti_history_page *page, uint64_t word);

/* ---- Those of a world --------------------------------------------------- */

/*
 * Give the history of a mesh, by its id; made if there is none.  `size` is the
 * number of its ranks, `mesh` a text for messages.
 *
 * Not collective.  Borrowed from the world.
 */
dt_status dti_history_open(dt_world *world, uint64_t id, int size, bool member,
                           const char *mesh, dti_history **out);

/* The history of a mesh by its id; NULL if there is none. */
dti_history *dti_history_of(const dt_world *world, uint64_t id);

/* Begin all histories anew. */
void dti_history_restart(dt_world *world);

/* Forget all histories, as the world closes. */
void dti_history_close_all(dt_world *world);

#endif
