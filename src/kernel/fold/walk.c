/* kernel/fold/walk.c - dimensions that are kept, and those that are reduced. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/walk.h"

#include "work/work.h"

static void add_reduced(dti_walk *walk, const int64_t *extents,
                        const int64_t *strides, int count)
{
    bool done[DT_MAX_NDIM + 1] = {false};
    for (int i = 0; i < count; i++) {
        int next = -1;
        for (int d = 0; d < count; d++)
            if (!done[d] && (next < 0 || strides[d] > strides[next]))
                next = d;
        done[next] = true;
        dti_walk_add(walk, extents[next], strides[next], 0);
    }
}

void dti_walk_sort(const dt_array *in, unsigned dims, dti_parts parts,
                   dti_walk *kept, dti_walk *reduced)
{
    const int ndim = dt_array_ndim(in);
    int64_t extents[DT_MAX_NDIM + 1], strides[DT_MAX_NDIM + 1];
    int64_t out[DT_MAX_NDIM], out_stride = parts == DTI_PARTS_KEPT ? 2 : 1;
    int count = 0;
    for (int d = ndim - 1; d >= 0; d--) {
        out[d] = out_stride;
        if (!(dims >> d & 1))
            out_stride *= dt_array_extent(in, d);
    }
    for (int d = 0; d < ndim; d++) {
        const int64_t stride =
            dt_array_stride(in, d) * (parts == DTI_WHOLE ? 1 : 2);
        if (dims >> d & 1) {
            extents[count] = dt_array_extent(in, d);
            strides[count++] = stride;
        } else {
            dti_walk_add(kept, dt_array_extent(in, d), stride, out[d]);
        }
    }
    if (parts == DTI_PARTS_KEPT)
        dti_walk_add(kept, 2, 1, 1);
    if (parts == DTI_PARTS_REDUCED) {
        extents[count] = 2;
        strides[count++] = 1;
    }
    add_reduced(reduced, extents, strides, count);
}

/* ---- By the threads of the rank ------------------------------------------ */

typedef struct shared_walk {
    const dti_walk *walk;
    int cut; /* dimension */
    dti_walk_part function;
    void *context;
} shared_walk;

static void take_range(void *context, int64_t begin, int64_t end, int slot)
{
    const shared_walk *shared = context;
    dti_walk part = *shared->walk;
    (void)slot;
    part.extent[shared->cut] = end - begin;
    part.in_at += begin * part.in[shared->cut];
    part.out_at += begin * part.out[shared->cut];
    shared->function(shared->context, &part);
}

/* Outer dimensions are cut rather than inner ones, if they are long. */
void dti_walk_share(const dti_walk *walk, int64_t bytes, dti_walk_part function,
                    void *context)
{
    const int64_t enough = 32, unit = 64;
    shared_walk shared = {walk, 0, function, context};
    for (int i = 1; i < walk->ndim; i++)
        if (walk->extent[shared.cut] < enough &&
            walk->extent[i] > walk->extent[shared.cut])
            shared.cut = i;
    const int64_t places = dti_walk_count(walk);
    if (walk->ndim == 0 || places * bytes < DTI_WORK_LEAST) {
        dti_walk all = *walk;
        function(context, &all);
        return;
    }
    const int64_t extent = walk->extent[shared.cut];
    const bool inner = shared.cut == walk->ndim - 1;
    dti_work_ranges(extent, inner && extent >= 16 * unit ? unit : 1,
                    places / extent * bytes, take_range, &shared);
}
