/* tensor/tensor.h - what a tensor is made of. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TENSOR_TENSOR_H
#define DTI_TENSOR_TENSOR_H

#include <dtensor/tensor.h>

#include "array/array.h"
#include "base/reference.h"
#include "base/scope.h"
#include "layout/spec.h"

/* What a room above keeps with a tensor, which releases it. */
typedef struct dti_attached {
    void (*release)(struct dti_attached *attached);
} dti_attached;

/*
 * One reference is the scope's while `owned.scope` is set; the others are the
 * user's.  The local array has the spec's dtype and this rank's shape.  What a
 * mask covers is zero in it: the array alone is this rank's addend, and nobody
 * has to look at the mask.
 */
struct dt_tensor {
    dti_owned owned;
    dti_reference reference;
    bool alone; /* it comes from dt_to_local: what is written to it, this rank
                   alone writes */
    uint32_t born; /* number of the call on its mesh that made it, times
                      DTI_BORN_RESULTS, plus which of its results it is; 0 if
                      ranks need not have made it alike */
    dt_world *world;
    dt_spec *spec;               /* retained */
    dt_array *local;             /* retained */
    dt_array *mask;              /* retained; NULL unless masked partial */
    struct dti_version *version; /* retained; NULL until somebody shares it */
    struct dti_copied *copied;   /* retained: the copied view in whose memory it
                                    lies (tensor/view.h); NULL: in none */
    dt_array *shown; /* retained: what the program sees of a copy; or NULL */
    dti_attached *gradient; /* of the room autograd: where its gradient goes;
                               NULL: it needs none */
};

#define DTI_BORN_RESULTS 256

/*
 * Make a tensor that the innermost scope owns; the spec and the array are
 * retained and fit each other.  NULL without memory.
 */
dt_tensor *dti_tensor_make(dt_spec *spec, dt_array *local);

/* The same, but the reference to the array is taken over; not on failure. */
dt_tensor *dti_tensor_adopt(dt_spec *spec, dt_array *local);

/* Let the innermost scope own a tensor that no scope owns. */
void dti_tensor_enter(dt_tensor *tensor);

/* Read a masked partial tensor as the sum that it is, before some of its
 * elements are overwritten. */
dt_status dti_tensor_unmask(dt_tensor *tensor);

/* Make this rank's array for a spec, not set, of the form that dti_spec_form
 * gives. */
dt_status dti_tensor_create_local(const dt_spec *spec, dt_array **out);

/*
 * End the checks with which a collective function begins: what is wrong is
 * wrong on all ranks, but memory may be short on one.  Gives the status.
 */
dt_status dti_collective_begin(const dt_mesh *mesh, dt_status status);

/*
 * End a collective function: tell the others of a failure that only this rank
 * knows of.  Gives the status.
 */
dt_status dti_collective_end(dt_world *world, dt_status status);

/* The same of one over a mesh; nobody is told of what goes wrong on a mesh of
 * this rank alone. */
dt_status dti_collective_end_on(const dt_mesh *mesh, dt_status status);

#endif
