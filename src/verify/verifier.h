/* verify/verifier.h - trying operators in many layouts, against one rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_VERIFY_VERIFIER_H
#define DTI_VERIFY_VERIFIER_H

#include "verify/report.h"
#include "verify/trial.h"

/* Operators that are verified in one call: a world remembers decisions, and
 * more would be too many. */
#define DTI_VERIFY_AT_ONCE 12

/* Size of the text in `current`. */
#define DTI_VERIFY_CURRENT 1024

/* How to try operators; the same on every rank, except for what is the rank's
 * own. */
typedef struct dti_verifier {
    dt_world *world;    /* of this rank, used for nothing else */
    dti_report *report; /* of this rank */
    uint64_t seed;      /* draws sizes, dtypes and layouts */
    bool full;          /* try all layouts, not a few */
    /* In debug builds, count objects before and after.  Only if no other thread
     * of the process creates any. */
    bool counts_objects;
    /* Receives the case that this rank tries, for a message if it aborts; may
     * be NULL. */
    char *current;
} dti_verifier;

/*
 * Verify operators of the world on a mesh of all its ranks: what calls return
 * for inputs in any layouts, and every candidate of their rules, against one
 * rank.  On a mesh of three ranks in one dimension, also search for rules that
 * are missing.  `count` is at most DTI_VERIFY_AT_ONCE.
 *
 * Collective over the world.  Fails only if it cannot go on, for example
 * without memory; what is wrong with an operator goes into the report.
 */
dt_status dti_verify_operators(const dti_verifier *with,
                               const char *const *names, int count,
                               dt_mesh *mesh);

/* ---- Its two halves, one operator at a time ----------------------------- */

/* Try calls and candidates.  Collective over the world. */
dt_status dti_verify_operator(const dti_verifier *with, const char *name,
                              dt_mesh *mesh);

/*
 * Search for layouts along a mesh dimension of two and of three ranks in which
 * an operator could run without communication, but which its rule does not
 * allow.  `meshes` are two such meshes.  `out` receives for each of them its
 * placements and the call that shows it, each with a terminating zero.
 *
 * Not collective.
 */
dt_status dti_verify_missing(const dti_verifier *with, const char *name,
                             dt_mesh *const *meshes, dti_text *out);

/* Add the findings of such a search to the report.  DT_ERR_NO_MEMORY. */
dt_status dti_verify_add_missing(const dti_verifier *with, const char *name,
                                 const dti_text *found);

/*
 * Compare the gradients of an operator's samples on this rank alone with finite
 * differences, and the gradients of these gradients.  Explanations name what is
 * wrong: the input ("self", or "self, second" for gradients of gradients),
 * "failure" or "second" if they cannot be computed, "gradient" if the row says
 * nothing of gradients.
 *
 * Not collective.
 */
dt_status dti_verify_gradients(const dti_verifier *with, const char *name);

/* ---- For both ----------------------------------------------------------- */

#define DTI_TRIAL_PLACEMENTS 40

/* List the placements that an input may have along a mesh dimension: replicate,
 * shard, strided shard if wanted, partial by these reductions (bits).  Returns
 * how many there are. */
int dti_trial_placements(const dti_trial_input *input, bool strided,
                         unsigned reductions, dt_placement *out);

/* The dtype to try first, of these (bits). */
dt_dtype dti_main_dtype(unsigned dtypes);

#endif
