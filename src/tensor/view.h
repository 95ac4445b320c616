/* tensor/view.h - views that had to be copied, and the tensors they view. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TENSOR_VIEW_H
#define DTI_TENSOR_VIEW_H

#include "redistribute/plan.h"
#include "tensor/tensor.h"
#include "tensor/version.h"

/*
 * A view shares memory with the tensor that it views, its base, where every
 * rank has what it needs.  Elsewhere elements are copied, and the copy
 * remembers where they came from, so that a program means the same on any
 * number of ranks.  For example, with v sharded as S(0) over two ranks,
 *
 *     h = dt_slice(v, 0, 1, -1, 1);  copies: shards begin at other indexes
 *     dt_add_(h, one);               writes to the copy, then into v
 *     dt_zero_(v);                   raises the version that v and h share
 *     dt_sum(h, ...);                h is stale: it is read from v again
 *
 * Copies form chains: a copied view of a copied view has that as its parent.
 * Views that share the copy's memory share the copy; a tensor points to the
 * copy in whose memory it lies.  A write goes through the chain from there to
 * the memory that no copy made; reading makes the chain fresh from the other
 * end.  What one copy holds is always read and written as a whole.
 *
 * All ranks of the mesh agree about what is stale, so they read and write at
 * the same calls.  Copies of one rank alone (dti_copied_alone) communicate with
 * nobody; other ranks may have none in their place.
 *
 * A copy holds its source's array and its parent, never a tensor, and nothing
 * points from a source to its copies: there are no cycles, and a scope may
 * release the base.
 */
typedef struct dti_copied dti_copied;

/* How elements get into a copy and back.  Both are collective over the mesh,
 * unless the copy is one rank's alone. */
typedef struct dti_copied_kind {
    dt_status (*read)(const dti_copied *copied);  /* source to copy */
    dt_status (*write)(const dti_copied *copied); /* copy to source */
    /* Fail if the copy cannot be written back, with a message that begins with
     * `what`.  The same on all ranks; nothing is sent.  May be NULL. */
    dt_status (*check)(const dti_copied *copied, const char *what);
    bool alone; /* of one rank, which communicates with nobody */
} dti_copied_kind;

struct dti_copied {
    dti_reference reference;
    const dti_copied_kind *kind;
    const char *op;       /* the operator that copied; for messages */
    dt_spec *spec;        /* of the copy; retained, as all pointers below */
    dt_array *local;      /* this rank's part of it */
    dt_spec *source_spec; /* a mask is read as a sum */
    dt_array *source;     /* this rank's part of the base */
    dti_copied *parent;   /* the copy whose memory the source is; or NULL */
    dti_copied *reader;   /* while a chain is read: the copy that this one is
                             the parent of; not retained */
    dti_version *version; /* of the base */
    dt_plan *plan;        /* from source to copy, if it was redistributed */
    int dim;       /* of a piece: the dimension that it is sliced along */
    int64_t first; /* and its first index there */
    /* When the copy was last read or written: */
    uint64_t seen;       /* the count of the version, */
    uint64_t seen_alone; /* its count of this rank's own writes, */
    uint64_t recoveries; /* and how often the world had recovered */
};

/* A base that was redistributed: `plan` says how.  Its views share the copy. */
extern const dti_copied_kind dti_copied_moved;

/* A part of one rank whose strides do not allow the view, copied densely. */
extern const dti_copied_kind dti_copied_alone;

/*
 * Make a copy of a base, which is not stale: kind, op, spec, local and what the
 * kind needs are given in `form`, and retained; the rest is the base's.
 *
 * Not collective.  The caller releases it.
 */
dt_status dti_copied_create(dt_tensor *base, const dti_copied *form,
                            dti_copied **out);

/* NULL is allowed. */
void dti_copied_release(dti_copied *copied);

/* Make a tensor a view of a base: of its memory, or of a copy of it if that is
 * not NULL.  Not collective. */
dt_status dti_tensor_relate(dt_tensor *view, dt_tensor *base,
                            dti_copied *copied);

/* Give a tensor another spec and local array, a view of the same memory; it has
 * no mask then.  Not collective. */
dt_status dti_tensor_turn(dt_tensor *tensor, dt_spec *spec, dt_array *local);

/* Read a stale copy again; see dti_tensor_read. */
dt_status dti_copied_refresh(const dt_tensor *tensor);

/*
 * Let the elements of a tensor be read: if it lies in a copy that is stale,
 * that is read again.
 *
 * Collective over the mesh of the tensor; nothing is sent otherwise.
 */
static inline dt_status dti_tensor_read(const dt_tensor *tensor)
{
    return tensor->copied ? dti_copied_refresh(tensor) : DT_OK;
}

/*
 * Writing takes six steps.  Check what is the same on all ranks, with the
 * function's name and the argument's for the message; check this rank's memory;
 * begin, which is told whether all elements are overwritten unread; raise the
 * version (dti_version_raise), after all inputs were read; write; and end.
 * Between raising and ending, a copy is stale: a call that fails leaves it so.
 *
 * The checks are not collective, the others are over the mesh of the tensor.
 */
dt_status dti_write_check(const dt_tensor *tensor, const char *function,
                          const char *argument);
dt_status dti_write_check_memory(const dt_tensor *tensor);
dt_status dti_write_begin(const dt_tensor *tensor, bool blind);
dt_status dti_write_end(const dt_tensor *tensor);

/* Tell whether two tensors may have elements in common that at least one of
 * them has a copy of; the same on all ranks. */
bool dti_copies_overlap(const dt_tensor *a, const dt_tensor *b);

/*
 * Give this rank's part to the program: read-only if it is a copy, because what
 * is written there would not reach the base.
 *
 * Not collective: NULL, and an error that names the function, if it is stale.
 * Borrowed from the tensor.
 */
dt_array *dti_tensor_show(const dt_tensor *tensor, const char *function);

#endif
