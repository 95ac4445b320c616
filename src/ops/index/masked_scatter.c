/* ops/index/masked_scatter.c - elements put where a mask is true, in their
 * order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/index/compact.h"
#include "layout/indexes.h"
#include "layout/spec.h"
#include "mesh/mesh.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/tables.h"

/*
 * Which element of the source goes to a place depends on how often the mask is
 * true before it, in row-major order.  What a rank has comes in pieces of
 * neighbours: for each index of the dimensions before the last one that is cut,
 * its indexes of that one and all that is behind.  Ranks tell each other how
 * often the mask is true in their pieces, and each takes what its own begin
 * with.
 *
 * Where the last dimensions are those of the source too, and the mask is the
 * same for all their indexes, rows are put instead of elements; rows may be cut
 * with those of the source, which is whole otherwise.
 */

enum { SELF, MASK, SOURCE };

/* ---- Checks and rules --------------------------------------------------- */

static dt_status scatter_meta(dt_operation *operation)
{
    dt_shape shape;
    dt_dtype mask = operation->metas[MASK]->dtype;
    dt_dtype self = operation->metas[SELF]->dtype;
    dt_dtype source = operation->metas[SOURCE]->dtype;
    if (mask != DT_BOOL)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "mask is %s; expected bool",
                                 dt_dtype_name(mask));
    if (self != source)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "self is %s but source is %s; the dtypes must be equal",
            dt_dtype_name(self), dt_dtype_name(source));
    DTI_TRY(dti_meta_broadcast(operation, SELF, MASK, &shape));
    return dti_meta_add(operation, self, shape);
}

/* The extent of a dimension of an input that counts from the last one of the
 * result; 1 if it has none such. */
static int64_t extent_of(const dt_operation *operation, int input, int dim)
{
    dt_shape own = operation->metas[input]->shape;
    int at = dim - (operation->results[0].shape.ndim - own.ndim);
    return at < 0 ? 1 : own.dims[at];
}

/* How many dimensions are before those that make a row. */
static int count_leading(const dt_operation *operation)
{
    dt_shape shape = operation->results[0].shape;
    dt_shape source = operation->metas[SOURCE]->shape;
    int leading = shape.ndim;
    while (leading > 0 && shape.ndim - leading < source.ndim &&
           extent_of(operation, MASK, leading - 1) == 1 &&
           extent_of(operation, SOURCE, leading - 1) == shape.dims[leading - 1])
        leading--;
    return leading;
}

/* Let a dimension of the result be cut, and those of two inputs that are not
 * broadcast to it. */
static void cut_dim(const dt_operation *operation, int dim, dt_factor_kind kind,
                    int other, dt_factors *out)
{
    const int inputs[] = {SELF, other};
    dt_shape shape = operation->results[0].shape;
    int factor = dti_factor_add(out, kind, shape.dims[dim]);
    dti_factor_put(&out->out[0].dims[dim], factor);
    for (int i = 0; i < 2; i++) {
        int at = dim - (shape.ndim - operation->metas[inputs[i]]->shape.ndim);
        if (at >= 0 && extent_of(operation, inputs[i], dim) == shape.dims[dim])
            dti_factor_put(&out->in[inputs[i]].dims[at], factor);
    }
}

/* All dimensions may be cut, but the last of several if there are no rows:
 * pieces would be too many. */
static dt_status scatter_factors(const dt_operation *operation, dt_factors *out)
{
    int ndim = operation->results[0].shape.ndim;
    int leading = count_leading(operation);
    *out = (dt_factors){.in_count = 3, .out_count = 1};
    for (int i = 0; i < ndim; i++) {
        if (i >= leading)
            cut_dim(operation, i, DT_FACTOR_FREE, SOURCE, out);
        else if (i < ndim - 1 || ndim == 1)
            cut_dim(operation, i, DT_FACTOR_INSIDE, MASK, out);
    }
    return DT_OK;
}

/* ---- Pieces ------------------------------------------------------------- */

typedef struct pieces {
    const dt_spec *spec;
    int last;      /* the last dimension that is cut; -1: none is */
    int64_t outer; /* indexes of the dimensions before it, of all ranks */
    int64_t slots; /* pieces of all ranks for each of these */
    bool blocks;   /* a rank has one block of the last dimension */
    dti_indexes indexes[DT_MAX_NDIM]; /* of this rank */
    int64_t length;                   /* elements of a piece */
} pieces;

/* Tell whether each rank has neighbours of a dimension, ranks one behind
 * another; gives how many there are, and which one this is. */
static bool count_blocks(const dt_spec *spec, int dim, int64_t *count,
                         int64_t *number)
{
    const dti_cuts *cuts = &spec->cuts[dim];
    bool plain = true;
    *count = 1;
    *number = 0;
    for (int i = 0; i < cuts->count; i++) {
        const dti_cut *cut = &cuts->list[i];
        plain = plain && cut->factor == 1;
        *count *= cut->parts;
        *number = *number * cut->parts + spec->mesh->coordinate[cut->mesh_dim];
    }
    return plain;
}

static void find_pieces(const dt_spec *spec, int leading, pieces *out)
{
    dt_shape shape = spec->meta.shape;
    int64_t number;
    *out = (pieces){.spec = spec, .last = -1, .outer = 1, .slots = 1};
    for (int i = 0; i < leading; i++) {
        dti_indexes_set(&out->indexes[i], shape.dims[i], &spec->cuts[i],
                        spec->mesh->coordinate);
        if (spec->cuts[i].count > 0)
            out->last = i;
    }
    out->blocks = true;
    out->length = 1;
    for (int i = out->last + 1; i < leading; i++)
        out->length *= shape.dims[i];
    for (int i = 0; i < out->last; i++)
        out->outer *= shape.dims[i];
    if (out->last < 0)
        return;
    out->blocks = count_blocks(spec, out->last, &out->slots, &number);
    if (out->blocks)
        out->length *= out->indexes[out->last].size;
    else
        out->slots = shape.dims[out->last];
}

/* Where the count of a piece of this rank is among those of all; pieces of a
 * rank are numbered as they lie. */
static int64_t place_of(const pieces *in, int64_t piece)
{
    int64_t run, slot = 0, count, at = 0, scale = 1;
    if (in->last < 0)
        return 0;
    if (in->blocks) {
        count_blocks(in->spec, in->last, &count, &slot);
    } else {
        slot = dti_indexes_at(&in->indexes[in->last],
                              piece % in->indexes[in->last].size, &run);
        piece /= in->indexes[in->last].size;
    }
    for (int i = in->last - 1; i >= 0; i--) {
        const dti_indexes *own = &in->indexes[i];
        at += scale * dti_indexes_at(own, piece % own->size, &run);
        scale *= own->extent;
        piece /= own->size;
    }
    return at * in->slots + slot;
}

/* Put what all pieces before a piece come to in place of how many it has; gives
 * the sum of all. */
static int64_t sum_before(int64_t *counts, int64_t count)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t own = counts[i];
        counts[i] = sum;
        sum += own;
    }
    return sum;
}

/* ---- The kernel --------------------------------------------------------- */

/* This rank's parts, as they are worked on. */
typedef struct work {
    dt_operation *operation;
    pieces pieces;
    int leading;
    int64_t piece_count; /* of this rank */
    int64_t row;         /* elements that one of the mask is for */
    dt_array *mask;      /* dense, an element for each row */
    dt_array *source;    /* dense */
    dt_array *counts;
} work;

static dt_status bring_mask(work *w)
{
    const dt_operation *operation = w->operation;
    dt_array *wide = NULL;
    dt_shape shape = operation->out[0]->shape;
    for (int i = w->leading; i < shape.ndim; i++)
        shape.dims[i] = 1;
    DTI_TRY(dti_scratch_expand(operation, operation->in[MASK], shape, &wide));
    DTI_TRY(dti_scratch_contiguous(operation, wide, &w->mask));
    if (w->mask->count > 0)
        w->piece_count = w->mask->count / w->pieces.length;
    return DT_OK;
}

/* Let the result begin as self, unless it is that. */
static dt_status begin_result(const work *w)
{
    dt_array *wide = NULL, *out = w->operation->out[0];
    dt_array *self = w->operation->in[SELF];
    if (dti_array_address(self) == dti_array_address(out))
        return DT_OK;
    DTI_TRY(dti_scratch_expand(w->operation, self, out->shape, &wide));
    return dt_array_copy(w->operation->world, wide, out);
}

static void count_pieces(const work *w)
{
    const unsigned char *mask = dt_array_const_data(w->mask);
    int64_t *counts = dt_array_data(w->counts);
    for (int64_t i = 0; i < w->pieces.outer * w->pieces.slots; i++)
        counts[i] = 0;
    for (int64_t i = 0; i < w->piece_count; i++)
        counts[place_of(&w->pieces, i)] =
            dti_compact_count(mask + i * w->pieces.length, w->pieces.length);
}

static void put_piece(const work *w, int64_t piece, int64_t first)
{
    dt_array *out = w->operation->out[0];
    const size_t item = dt_dtype_size(out->dtype) * (size_t)w->row;
    const int64_t begin = piece * w->pieces.length;
    const unsigned char *mask = dt_array_const_data(w->mask);
    const int64_t kept = dti_compact_count(mask + begin, w->pieces.length);
    if (kept > 0 && item > 0)
        dti_compact_undo((const char *)dt_array_const_data(w->source) +
                             (size_t)first * item,
                         item, mask + begin, kept,
                         (char *)dt_array_data(out) + (size_t)begin * item);
}

static dt_status put_pieces(const work *w)
{
    int64_t *counts = dt_array_data(w->counts);
    const int64_t most = dt_shape_count(w->operation->metas[SOURCE]->shape);
    const int64_t total = sum_before(counts, w->pieces.outer * w->pieces.slots);
    int64_t row = 1;
    for (int i = w->leading; i < w->operation->results[0].shape.ndim; i++)
        row *= w->operation->results[0].shape.dims[i];
    if (row > 0 && total > most / row)
        return dt_operation_fail_everywhere(
            w->operation, DT_ERR_INVALID,
            "the mask selects %lld elements, but source has %lld",
            (long long)(total * row), (long long)most);
    for (int64_t i = 0; i < w->piece_count; i++)
        put_piece(w, i, counts[place_of(&w->pieces, i)]);
    return DT_OK;
}

static dt_status run_scatter(work *w)
{
    dt_operation *operation = w->operation;
    const bool meta = dt_array_is_meta(operation->in[MASK]);
    dt_group *group = NULL;
    DTI_TRY(dti_scratch_create(operation, DT_I64,
                               DT_SHAPE(w->pieces.outer * w->pieces.slots),
                               &w->counts));
    if (!meta) {
        DTI_TRY(begin_result(w));
        DTI_TRY(bring_mask(w));
        DTI_TRY(dti_scratch_contiguous(operation, operation->in[SOURCE],
                                       &w->source));
        count_pieces(w);
    }
    DTI_TRY(dti_comm_group(operation->out_specs[0], (1u << w->leading) - 1,
                           &group));
    DTI_TRY(dti_comm_combine(group, DT_SUM, w->counts));
    return meta ? DT_OK : put_pieces(w);
}

static dt_status scatter_kernel(dt_operation *operation)
{
    work w = {
        .operation = operation, .leading = count_leading(operation), .row = 1};
    dt_shape shape = operation->out[0]->shape;
    find_pieces(operation->out_specs[0], w.leading, &w.pieces);
    for (int i = w.leading; i < shape.ndim; i++)
        w.row *= shape.dims[i];
    return run_scatter(&w);
}

/* ---- Backward ----------------------------------------------------------- */

/* Elements that were not used have a gradient of 0. */
static dt_status scatter_backward(dt_operation *operation)
{
    dt_shape shape;
    DTI_TRY(dti_meta_shape(operation, 2, &shape));
    dt_tensor *used =
        dt_masked_select(operation->inputs[0], operation->inputs[1]);
    if (!used)
        return dti_failure_of(operation->world);
    int64_t pad[] = {0, dt_shape_count(shape) - dt_tensor_count(used)};
    dt_status status = DT_OK;
    if (pad[1] < 0) {
        status = dt_operation_fail(operation, DT_ERR_INVALID,
                                   "the mask selects %lld elements, but "
                                   "source, of shape %s, has fewer",
                                   (long long)dt_tensor_count(used),
                                   dti_shape_show(shape).text);
    } else {
        dt_tensor *all = dt_constant_pad_nd(used, pad, 2);
        operation->outputs[0] = dt_reshape(all, shape);
        dt_tensor_release_early(all);
    }
    dt_tensor_release_early(used);
    return status;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_masked_scatter[] = {
    {
        .schema = "masked_scatter(Tensor self, Tensor mask, Tensor source) -> "
                  "Tensor",
        .about = "Copy elements of source, in row-major order, to the elements "
                 "where a mask is true; the mask is broadcast.  A source that "
                 "is too short is an error on all ranks.",
        .linear = "self + source",
        .permutes = "self source",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = scatter_meta,
        .factors = scatter_factors,
        .kernel = scatter_kernel,
        .gradient = "self: masked_fill(grad, mask, 0); mask: none; source: "
                    "masked_scatter_backward(grad, expand(mask, "
                    "shape(result)), shape(source))",
        .samples = "(T[m,n], bool[m,n], T[m*n]); (T[m,3,n], bool[m,3,1], "
                   "T[m*3,n]); (T[m,3,n], bool[m,1,1], T[m,3,n]); (T[n], "
                   "bool[m,n], T[m,n]); "
                   "(T[m], bool[m], T[m]); (T[], bool[], T[1])",
    },
    {
        .schema = "masked_scatter_backward(Tensor grad_output, Tensor mask, "
                  "Shape sizes) -> Tensor",
        .about = "Gradient of masked_scatter for a source of this shape: the "
                 "elements where the mask is true, followed by zeros.",
        .compose = scatter_backward,
        .gradient = "grad_output: masked_scatter(zeros(grad_output), mask, "
                    "grad); mask: none",
        .samples = "(T[m,n], bool[m,n], [m*n]); (T[m,n], bool[m,n], [m,n])",
    },
    {0},
};
