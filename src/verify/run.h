/* verify/run.h - one operator on one mesh: its cases, and what is wrong with
 * them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_VERIFY_RUN_H
#define DTI_VERIFY_RUN_H

#include "verify/gradient.h"
#include "verify/verifier.h"

/* Placements of all inputs on a mesh of one dimension. */
typedef struct dti_choices {
    int counts[DTI_TRIAL_INPUTS];
    dt_placement lists[DTI_TRIAL_INPUTS][DTI_TRIAL_PLACEMENTS];
    unsigned long long total; /* ways to choose one for each input */
} dti_choices;

/*
 * The run of one operator on one mesh; the same on every rank, except for
 * faults.
 *
 * All ranks go through the same cases.  A rank that finds something wrong goes
 * on, and dti_run_settle ends the case for all.  A rank that cannot go on, for
 * want of memory, sets `status`, poisons the world and returns; the others then
 * cannot settle, and return too.
 */
typedef struct dti_run {
    const dti_verifier *with;
    const dti_operator *op;
    dti_report_row *row;
    dt_mesh *mesh;
    dt_array *flag; /* for agreeing */
    dt_array *line; /* for telling the other ranks */
    unsigned long long random;
    bool full;               /* try all layouts */
    dti_text_set forced;     /* candidates of the trial that were tried */
    dti_sample sample;       /* the sample that is tried */
    int succeeded;           /* its calls that did so on one rank */
    dti_trial trial;         /* and its trial */
    dti_gradients gradients; /* of the trial on one rank, once they were asked
                                for */
    dti_choices choices;     /* of layouts for the trial */
    dti_propagation found;   /* candidates for one of them */
    dti_nearness how;
    char why[512];    /* what is wrong with the case; empty: nothing yet */
    dt_status status; /* not DT_OK: the run has ended */
} dti_run;

/* End the run on this rank; the others notice. */
void dti_run_end(dti_run *on, dt_status status);

/* Tell whether the run has ended.  It ends here if this rank is out of memory.
 */
bool dti_run_ended(dti_run *on);

/* A random number below a limit, the same on every rank. */
unsigned long long dti_run_draw(dti_run *on, unsigned long long limit);

/* Keep why a case is wrong, the first time; returns false. */
bool dti_run_fault(dti_run *on, const char *format, ...) DT_PRINTF(2, 3);

/* Remember the case that begins, for a message if the process aborts. */
void dti_run_begin(dti_run *on, const dt_layout *layouts, const char *kind);

/* End a case: the rank that knows why it is wrong tells all ranks, which then
 * can go on.  Collective over the world. */
void dti_run_settle(dti_run *on, bool good, const dt_layout *layouts,
                    const char *kind);

/* Report that the operator is wrong whatever the case.  Every rank calls it. */
void dti_run_wrong(dti_run *on, const char *format, ...) DT_PRINTF(2, 3);

/* Wait for all ranks.  Collective over the world. */
void dti_run_meet(dti_run *on);

/* Test that all ranks have the same number.  Collective over the world. */
bool dti_run_agrees(dti_run *on, uint64_t number);

/* An input in a layout, its memory contiguous or not.  Not collective.  It
 * belongs to the innermost scope; NULL if it is absent, or with a fault. */
dt_tensor *dti_run_place(dti_run *on, const dti_trial_input *facts,
                         const dt_layout *layout, bool spread);

#define DTI_ALL_REDUCTIONS ((1u << DT_REDUCE_COUNT) - 1)

/* A layout of such placements, on a mesh of any number of dimensions. */
void dti_run_draw_layout(dti_run *on, const dt_placement *list, int count,
                         int tensor_ndim, dt_layout *out);

/* What a tensor must be, as on one rank. */
typedef struct dti_expected {
    const char *what; /* "result", and its number, for messages */
    int number;
    const dt_meta *meta;
    const dti_elements *whole;
} dti_expected;

/* Compare a tensor with what it must be.  Collective over the mesh. */
bool dti_run_check_tensor(dti_run *on, dt_tensor *tensor,
                          const dti_expected *wanted);

/* Compare results with those of one rank.  Collective over the mesh. */
bool dti_run_check_results(dti_run *on, dt_tensor *const *results, int count);

/*
 * Write to the views that a call returns and to the tensor that they are views
 * of, and compare with one rank; nothing if the operator returns none.
 *
 * Collective over the world.
 */
void dti_run_check_views(dti_run *on, const dt_layout *layouts);

/*
 * Compute the gradients of a call for inputs in these layouts, and compare
 * them with those of one rank; nothing if there are none.
 *
 * Collective over the world.
 */
void dti_run_check_gradients(dti_run *on, const dt_layout *layouts);

/*
 * Run candidates of the rule for inputs in these layouts without dispatch: all
 * of them on a mesh of one dimension, one for each dimension otherwise.
 *
 * Collective over the world.
 */
void dti_run_candidates(dti_run *on, const dt_layout *layouts);

#endif
