/* op/call/results.h - the parts that a kernel reads and writes, and what
 * becomes of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_CALL_RESULTS_H
#define DTI_OP_CALL_RESULTS_H

#include "op/propagate/decision.h"

/* Inputs of most calls; more take memory from the heap. */
#define DTI_FEW_INPUTS 8

/* What a kernel reads and writes. */
typedef struct dti_parts {
    dt_array **in;
    bool *owned;    /* inputs that were made for the call */
    int arranged;   /* inputs up to this one are set */
    dt_array **out; /* behind the inputs */
    dt_array **masks;
    dt_array *copy; /* of a view's input, if the kernel had to make one */
    bool meta;      /* some input has no storage: nothing is computed */
    dt_array *few[3 * DTI_FEW_INPUTS + 2];
    bool few_owned[DTI_FEW_INPUTS];
    void *heap;
} dti_parts;

dt_status dti_parts_open(dt_world *world, const dti_decision *decision,
                         dti_parts *at);
void dti_parts_close(const dti_decision *decision, dti_parts *at);

/* ---- Calls that overwrite tensors (dti_request_writes) --------------------
 */

/* Check that no tensor is to be overwritten twice, nor one that has an element
 * in several places; the same on every rank. */
dt_status dti_results_check_tensors(const dti_request *request,
                                    const dti_decision *decision);

/* Check that the memory of tensors that are to be overwritten can be, which
 * this rank alone may know. */
dt_status dti_results_check(const dti_request *request,
                            const dti_decision *decision);

/* Read masked partial tensors that are to be overwritten as the sums that they
 * are; also outside the mesh. */
dt_status dti_results_unmask(const dti_request *request,
                             const dti_decision *decision);

/* Bring copied views that are to be overwritten up to date, and count the
 * write, on every rank that calls. */
dt_status dti_results_begin(const dti_request *request,
                            const dti_decision *decision);

/* ---- All calls ------------------------------------------------------------
 */

/* Make the arrays that the kernel writes to: new ones, or those of the tensors
 * that are to be overwritten where nothing is read of them after. */
dt_status dti_results_create(const dti_request *request,
                             const dti_decision *decision, dti_parts *at);

/* Check the masks that a kernel made for results, and set what they cover to
 * zero, unless the kernel does that. */
dt_status dti_results_mask(const dt_operation *operation);

/* Give what was computed: as new tensors, or put where it was to go, and from
 * a copied view into the tensor that it views. */
dt_status dti_results_give(const dti_request *request,
                           const dti_decision *decision, dti_parts *at,
                           dt_tensor **results, int room);

#endif
