/* autograd/pack.h - saved tensors in another form until they are read. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_PACK_H
#define DTI_AUTOGRAD_PACK_H

#include <dtensor/autograd.h>

#include "autograd/node.h"

/*
 * What a packing made of a saved tensor.  Calls that save the same tensor
 * one after another, such as three products with one input, share it: a tape
 * lists what is packed, the latest first, and a few of the latest are looked
 * at.
 *
 * It holds no tensor that leads to a node: `pack` gets a tensor of its own
 * with the saved elements.  So there are no cycles.
 */
typedef struct dti_packed {
    dti_reference reference;
    dt_world *world;
    dt_packing packing; /* a copy */
    void *data;         /* what `pack` returned */
    /* Of what: */
    dt_spec *spec;        /* retained */
    dti_version *version; /* retained; NULL: nobody shares it */
    uint64_t count, alone;
    dt_array form; /* shape, strides and offset */
    /* In the list of the tape: */
    struct dti_packed *next;
    struct dti_packed **place;
} dti_packed;

/* Pack what is saved if the scope has a packing: its elements are released.
 * `whole` tells that the memory is the tensor's own and its views', so that its
 * version tells what it is.  Collective over the mesh if `pack` is. */
dt_status dti_saved_pack(dti_saved *saved, dt_world *world, bool whole);

/* Make a tensor of what is saved; the scope owns it.  Collective over the mesh
 * if it is packed. */
dt_status dti_saved_read(const dti_saved *saved, dt_tensor **out);

/* NULL is allowed. */
void dti_packed_release(dti_packed *packed);

#endif
