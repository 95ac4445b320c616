/* op/call/recorder.h - whoever is told of every call. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_CALL_RECORDER_H
#define DTI_OP_CALL_RECORDER_H

#include "op/propagate/decision.h"

/*
 * A call that has succeeded.  Everything is borrowed during the call of
 * `record`; tensors tell their layouts.
 */
typedef struct dti_record {
    dt_world *world;
    dti_operator *op;
    dt_variant variant;
    const dt_argument *arguments; /* all of the schema */
    int input_count;
    dt_tensor *const *inputs; /* NULL where one is absent */
    dt_tensor *out;           /* of DT_VARIANT_OUT; else NULL */
    int result_count;
    dt_tensor *const *results; /* those that the caller takes */
    dt_spec *before; /* of a view in place: what the tensor was; else NULL */
} dti_record;

/*
 * A recorder sees every call of a world that succeeds, in order: operators,
 * redistributions, local tensors made and taken apart.  Gradients and the
 * capture of graphs are recorders.
 *
 * A composition is told as one call or by its parts, as the recorder wants it:
 * with full_tensor as parts, a program that calls dt_full_tensor is told of
 * redistribute and to_local.
 */
typedef struct dti_recorder {
    /* Tell whether a composition is one call; otherwise its parts are told. */
    bool (*takes_whole)(void *arg, const dti_operator *op);
    /* A failure, which has an error message, becomes that of the call. */
    dt_status (*record)(void *arg, const dti_record *record);
    void *arg;
    /* Called before a call overwrites tensors, without results; a failure
     * prevents it.  May be NULL. */
    dt_status (*check)(void *arg, const dti_record *record);
} dti_recorder;

/* Set the recorder of a world, borrowed; NULL: none.  Returns the one before.
 * DT_ERR_NO_MEMORY leaves all as it was. */
dt_status dti_recorder_set(dt_world *world, const dti_recorder *recorder,
                           const dti_recorder **before);

/* Tell a recorder of a call that has succeeded, with the first `room` of the
 * `given` results.  `before`: what a tensor was that a view replaced; or NULL.
 */
dt_status dti_record_call(const dti_request *request,
                          const dti_recorder *recorder, dt_spec *before,
                          dt_tensor **results, int room, int given);

/* Ask a recorder whether a call may overwrite tensors. */
dt_status dti_record_check(const dti_request *request,
                           const dti_recorder *recorder);

#endif
