/* autograd/arrival.h - complete gradients on their way to leaves. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_ARRIVAL_H
#define DTI_AUTOGRAD_ARRIVAL_H

#include "autograd/leaf.h"

/*
 * A gradient that is complete is redistributed and added to that of its leaf.
 * The redistribution is started at once, and the pass goes on; the gradient is
 * added when the pass ends, or when too much is under way:
 *
 *     visit mul      w1 complete: start its all-reduce
 *     visit tanh
 *     visit mul      w2 complete: start its all-reduce
 *     end            wait for that of w1, add; wait for that of w2, add
 *
 * All ranks start in the same order, and wait in the same order, which depends
 * on no time: hooks of leaves, which may communicate, are called alike.
 *
 * A gradient that a reducer takes over is that one's affair.
 */
typedef struct dti_arrivals {
    dt_world *world;
    bool synchronous, unreduced; /* as in dt_backward_options */
    dti_node *first, *last;      /* leaves whose gradients are under way */
    int64_t bytes;               /* of the global tensors of these */
    dti_node *taken;             /* leaves of which a reducer took all */
    const dti_node *failed; /* whose gradient did not arrive, if that is why the
                               pass failed; or NULL */
    dt_reducer *reducers;   /* that took something, in the order of the first */
    int reducer_count;
} dti_arrivals;

/* Pass the complete gradient of a leaf on.  Collective over its mesh. */
dt_status dti_arrive(dti_arrivals *at, dti_node *leaf, dt_tensor *gradient);

/*
 * End a pass, which may have failed: gradients under way are added if they
 * arrive, and reducers finish.  Gives the status of the pass, or what went
 * wrong here.
 */
dt_status dti_arrivals_end(dti_arrivals *at, dt_status status);

#endif
