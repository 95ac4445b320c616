/* layout/part.h - what a rank has of a tensor, and what two ranks share. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_LAYOUT_PART_H
#define DTI_LAYOUT_PART_H

#include "layout/indexes.h"
#include "layout/spec.h"

/* A rank's part of a tensor: every combination of the indexes it has along each
 * dimension.  Nothing of the tensor if some dimension has none. */
typedef struct dti_part {
    int ndim;
    dti_indexes dims[DT_MAX_NDIM];
} dti_part;

/* The part of the rank at a place of the mesh. */
void dti_part_set(dti_part *out, const dt_spec *spec, int place);

/* A box of a tensor with this shape, as a part. */
void dti_part_set_box(dti_part *out, dt_shape shape, const int64_t *offset,
                      const int64_t *size);

int64_t dti_part_count(const dti_part *part);

dt_shape dti_part_shape(const dti_part *part);

/* Indexes that two parts have, neighbours in the tensor and in both parts. */
typedef struct dti_shared_run {
    int64_t global; /* the first index, in the tensor */
    int64_t a;      /* where it lies in the one part */
    int64_t b;      /* and in the other */
    int64_t length;
} dti_shared_run;

/*
 * The boxes that two parts of one tensor share, one at a time; they are
 * disjoint and in row-major order.
 */
typedef struct dti_overlap {
    const dti_part *a;
    const dti_part *b;
    bool started;
    dti_shared_run runs[DT_MAX_NDIM]; /* the box, one run for each dimension */
} dti_overlap;

/* Begin; both parts must outlive the overlap. */
void dti_overlap_begin(dti_overlap *overlap, const dti_part *a,
                       const dti_part *b);

/* Give the next box in `runs`; false if there is none. */
bool dti_overlap_next(dti_overlap *overlap);

/* Count the elements that two parts share. */
int64_t dti_overlap_count(const dti_part *a, const dti_part *b);

/* Runs of elements of a part, evenly spaced in the tensor and one after another
 * on the rank, both in row-major order. */
typedef struct dti_rows {
    int64_t global; /* where the first run begins in the tensor */
    int64_t local;  /* and on the rank */
    int64_t count;  /* elements of a run, neighbours in both */
    int64_t stride; /* from one run to the next in the tensor */
    int64_t rows;   /* runs */
} dti_rows;

typedef void (*dti_rows_function)(void *arg, const dti_rows *rows);

/* Go through a part in row-major order. */
void dti_part_each_rows(const dti_part *part, dti_rows_function function,
                        void *arg);

#endif
