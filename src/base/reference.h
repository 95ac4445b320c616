/* base/reference.h - atomic reference counts, and counts of live objects. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_REFERENCE_H
#define DTI_BASE_REFERENCE_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Kinds of objects whose number is watched in debug builds. */
typedef enum dti_live_kind {
    DTI_LIVE_WORLD,
    DTI_LIVE_SCOPE,
    DTI_LIVE_POOL,
    DTI_LIVE_STORAGE,
    DTI_LIVE_ARRAY,
    DTI_LIVE_GROUP,
    DTI_LIVE_HANDLE,
    DTI_LIVE_MESH,
    DTI_LIVE_GENERATOR,
    DTI_LIVE_SPEC,
    DTI_LIVE_PLAN,
    DTI_LIVE_TENSOR,
    DTI_LIVE_VERSION,
    DTI_LIVE_VIEW,
    DTI_LIVE_NODE,
    DTI_LIVE_STATE,
    DTI_LIVE_MODULE,
    DTI_LIVE_PARAMETER,
    DTI_LIVE_OPTIMIZER,
    DTI_LIVE_LOADER,
    DTI_LIVE_DATA_PARALLEL,
    DTI_LIVE_GRAPH,
    DTI_LIVE_EXECUTOR,
    DTI_LIVE_COUNT
} dti_live_kind;

/* Count an object; nothing in release builds. */
#ifdef NDEBUG
static inline void dti_live_add(dti_live_kind kind, int change)
{
    (void)kind;
    (void)change;
}
#else
void dti_live_add(dti_live_kind kind, int change);
#endif

/* How many objects of a kind exist; -1 where they are not counted. */
int64_t dti_live_count(dti_live_kind kind);

const char *dti_live_name(dti_live_kind kind);

typedef struct dti_reference {
    atomic_int count;
} dti_reference;

static inline void dti_reference_init(dti_reference *reference)
{
    atomic_init(&reference->count, 1);
}

static inline void dti_reference_retain(dti_reference *reference)
{
    int before =
        atomic_fetch_add_explicit(&reference->count, 1, memory_order_relaxed);
    assert(before > 0);
    (void)before;
}

/* Tell whether there is one reference only. */
static inline bool dti_reference_is_last(const dti_reference *reference)
{
    return atomic_load_explicit(&reference->count, memory_order_acquire) == 1;
}

/* How many references there are, for whoever holds one. */
static inline int dti_reference_count(const dti_reference *reference)
{
    return atomic_load_explicit(&reference->count, memory_order_acquire);
}

/* Drop a reference; true if it was the last, and the object is the caller's to
 * free.  Who holds the only one needs no atomic change: nobody else can add to
 * it. */
static inline bool dti_reference_release(dti_reference *reference)
{
    if (dti_reference_is_last(reference))
        return true;
    int before =
        atomic_fetch_sub_explicit(&reference->count, 1, memory_order_acq_rel);
    assert(before > 0);
    return before == 1;
}

#endif
