/* tensor/version.h - how often the elements of a tensor were written. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TENSOR_VERSION_H
#define DTI_TENSOR_VERSION_H

#include <stdint.h>

#include <dtensor/tensor.h>

#include "base/reference.h"

/*
 * A tensor and all its views share one counter: those that share its memory and
 * those that had to be copied.  Whatever writes elements raises it, on every
 * rank that makes the call, ranks with an empty shard and ranks outside the
 * mesh included, so that `count` is the same on all of them and each comes to
 * the same verdict about what is stale.
 *
 * What a rank writes through dt_to_local it writes alone, and the others do not
 * know of it: such writes are counted apart, in `alone`.  Writes through
 * dt_array_data are not seen.
 *
 * Used by the thread of one world at a time.  Holds nothing.
 */
typedef struct dti_version {
    dti_reference reference;
    uint64_t count;
    uint64_t alone;
    int tensors;        /* that have it, those of this rank alone left out */
    const char *writer; /* the operator that wrote last; or NULL */
} dti_version;

/* The counter of a tensor, made when it is first asked for.  Borrowed; NULL
 * without memory. */
dti_version *dti_version_of(dt_tensor *tensor);

dti_version *dti_version_retain(dti_version *version);

/* NULL is allowed. */
void dti_version_release(dti_version *version);

/* Let a tensor that has none have a counter, as a view of those that have it.
 */
void dti_version_share(dt_tensor *tensor, dti_version *version);

/* Let go of the counter of a tensor, if it has one. */
void dti_version_leave(dt_tensor *tensor);

/* Count a write to a tensor by an operator, whose name stays valid; nothing to
 * do if nobody shares it. */
void dti_version_raise(const dt_tensor *tensor, const char *writer);

#endif
