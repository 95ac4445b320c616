/* kernel/order/lines.c - the lines of elements along a dimension, brought and
 * put. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/order/lines.h"

#include <string.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/fold/bring.h"

enum { ITEM = 8 };

void dti_lines_open(dti_lines *lines, const dt_array *in, int dim,
                    int64_t results)
{
    const dt_shape shape = dt_array_shape(in);
    int64_t out = 1, outs[DT_MAX_NDIM];
    *lines = (dti_lines){.dtype = dt_array_dtype(in),
                         .count = 1,
                         .stride = 1,
                         .to_stride = 1,
                         .extent = 1,
                         .done = dt_array_count(in) == 0 || results == 0};
    lines->item = (int64_t)dti_dtype_size(lines->dtype);
    lines->in = dt_array_const_data(in);
    for (int d = shape.ndim - 1; d >= 0; d--) {
        outs[d] = out;
        out *= d == dim ? results : shape.dims[d];
    }
    for (int d = 0; d < shape.ndim; d++)
        if (d != dim)
            dti_walk_add(&lines->kept, shape.dims[d], dt_array_stride(in, d),
                         outs[d]);
    if (shape.ndim) {
        lines->count = shape.dims[dim];
        lines->stride = dt_array_stride(in, dim);
        lines->to_stride = outs[dim];
    }
    const int last = lines->kept.ndim - 1;
    if (last < 0 || lines->stride <= lines->kept.in[last])
        return;
    lines->extent = lines->kept.extent[last];
    lines->apart = lines->kept.in[last];
    lines->to_apart = lines->kept.out[last];
    dti_walk_remove(&lines->kept, last);
}

bool dti_lines_next(dti_lines *lines, int most, dti_line_batch *out)
{
    if (lines->done)
        return false;
    const int64_t left = lines->extent - lines->start;
    out->lines = left < most ? (int)left : most;
    out->from = lines->in +
                (lines->kept.in_at + lines->start * lines->apart) * lines->item;
    out->to = lines->kept.out_at + lines->start * lines->to_apart;
    lines->start += out->lines;
    if (lines->start == lines->extent) {
        lines->start = 0;
        lines->done = !dti_walk_next(&lines->kept);
    }
    return true;
}

/* Elements of rows, side by side, become lines. */
static void rows_to_lines(const char *from, char *to, int64_t count, int lines,
                          int64_t item)
{
    for (int64_t i = 0; i < count; i++)
        for (int j = 0; j < lines; j++)
            memcpy(to + (j * DTI_LINES_PIECE + i) * item,
                   from + (i * lines + j) * item, (size_t)item);
}

void dti_lines_bring(const dti_lines *lines, const dti_line_batch *batch,
                     int64_t start, int64_t count, dt_dtype as, void *out)
{
    _Alignas(DTI_CACHE_LINE) char rows[DTI_LINES * DTI_LINES_PIECE * ITEM];
    const int64_t item = (int64_t)dti_dtype_size(as);
    const int64_t step = lines->stride * lines->item;
    const char *from = batch->from + start * step;
    if (batch->lines == 1) {
        dti_bring(from, lines->dtype, lines->stride, out, as, count);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        dti_bring(from + i * step, lines->dtype, lines->apart,
                  rows + i * batch->lines * item, as, batch->lines);
    if (item == 4)
        rows_to_lines(rows, out, count, batch->lines, 4);
    else
        rows_to_lines(rows, out, count, batch->lines, 8);
}

static void lines_to_rows(const char *from, char *to, int64_t count, int lines,
                          int64_t item)
{
    for (int64_t i = 0; i < count; i++)
        for (int j = 0; j < lines; j++)
            memcpy(to + (i * lines + j) * item,
                   from + (j * DTI_LINES_PIECE + i) * item, (size_t)item);
}

void dti_lines_put(const dti_lines *lines, const dti_line_batch *batch,
                   int64_t start, int64_t count, const void *values,
                   dt_dtype as, void *out, dt_dtype dtype)
{
    _Alignas(DTI_CACHE_LINE) char rows[DTI_LINES * DTI_LINES_PIECE * ITEM];
    const int64_t item = (int64_t)dti_dtype_size(as);
    const int64_t step = lines->to_stride * (int64_t)dti_dtype_size(dtype);
    char *to =
        (char *)out + batch->to * (int64_t)dti_dtype_size(dtype) + start * step;
    if (batch->lines == 1) {
        dti_spread(values, as, to, dtype, lines->to_stride, count);
        return;
    }
    if (item == 4)
        lines_to_rows(values, rows, count, batch->lines, 4);
    else
        lines_to_rows(values, rows, count, batch->lines, 8);
    for (int64_t i = 0; i < count; i++)
        dti_spread(rows + i * batch->lines * item, as, to + i * step, dtype,
                   lines->to_apart, batch->lines);
}
