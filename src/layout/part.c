/* layout/part.c - what a rank has of a tensor, and what two ranks share. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/part.h"

#include <assert.h>

void dti_part_set(dti_part *out, const dt_spec *spec, int place)
{
    int coordinate[DT_MAX_NDIM];
    dti_mesh_coordinate_at(spec->mesh, place, coordinate);
    out->ndim = spec->meta.shape.ndim;
    for (int i = 0; i < out->ndim; i++)
        dti_indexes_set(&out->dims[i], spec->meta.shape.dims[i], &spec->cuts[i],
                        coordinate);
}

void dti_part_set_box(dti_part *out, dt_shape shape, const int64_t *offset,
                      const int64_t *size)
{
    out->ndim = shape.ndim;
    for (int i = 0; i < shape.ndim; i++)
        dti_indexes_set_range(&out->dims[i], shape.dims[i], offset[i], size[i]);
}

dt_shape dti_part_shape(const dti_part *part)
{
    dt_shape shape = {.ndim = part->ndim};
    for (int i = 0; i < part->ndim; i++)
        shape.dims[i] = part->dims[i].size;
    return shape;
}

int64_t dti_part_count(const dti_part *part)
{
    int64_t count = 1;
    for (int i = 0; i < part->ndim; i++)
        count *= part->dims[i].size;
    return count;
}

/* ---- Overlaps ----------------------------------------------------------- */

/*
 * Find the next indexes that both have, from positions `run->a` and `run->b`
 * on.  Both go up, so the one that is behind moves on.
 */
static bool find_shared(const dti_indexes *a, const dti_indexes *b,
                        dti_shared_run *run)
{
    while (run->a < a->size && run->b < b->size) {
        int64_t length_a, length_b;
        int64_t at_a = dti_indexes_at(a, run->a, &length_a);
        int64_t at_b = dti_indexes_at(b, run->b, &length_b);
        int64_t behind = at_b - at_a;
        if (behind >= length_a) {
            run->a += length_a;
        } else if (-behind >= length_b) {
            run->b += length_b;
        } else {
            int64_t skip_a = behind > 0 ? behind : 0;
            int64_t skip_b = behind < 0 ? -behind : 0;
            run->a += skip_a;
            run->b += skip_b;
            run->global = at_a + skip_a;
            run->length = length_a - skip_a < length_b - skip_b
                              ? length_a - skip_a
                              : length_b - skip_b;
            return true;
        }
    }
    return false;
}

static bool first_run(dti_overlap *overlap, int dim)
{
    overlap->runs[dim] = (dti_shared_run){0};
    return find_shared(&overlap->a->dims[dim], &overlap->b->dims[dim],
                       &overlap->runs[dim]);
}

static bool next_run(dti_overlap *overlap, int dim)
{
    dti_shared_run *run = &overlap->runs[dim];
    run->a += run->length;
    run->b += run->length;
    return find_shared(&overlap->a->dims[dim], &overlap->b->dims[dim], run);
}

void dti_overlap_begin(dti_overlap *overlap, const dti_part *a,
                       const dti_part *b)
{
    assert(a->ndim == b->ndim);
    overlap->a = a;
    overlap->b = b;
    overlap->started = false;
}

bool dti_overlap_next(dti_overlap *overlap)
{
    int ndim = overlap->a->ndim;
    if (!overlap->started) {
        overlap->started = true;
        for (int i = 0; i < ndim; i++)
            if (!first_run(overlap, i))
                return false;
        return true;
    }
    for (int i = ndim - 1; i >= 0; i--) {
        if (next_run(overlap, i))
            return true;
        bool again = first_run(overlap, i);
        assert(again);
        (void)again;
    }
    return false;
}

int64_t dti_overlap_count(const dti_part *a, const dti_part *b)
{
    int64_t count = 1;
    for (int i = 0; i < a->ndim && count > 0; i++) {
        int64_t shared = 0;
        dti_shared_run run = {0};
        while (find_shared(&a->dims[i], &b->dims[i], &run)) {
            shared += run.length;
            run.a += run.length;
            run.b += run.length;
        }
        count *= shared;
    }
    return count;
}
