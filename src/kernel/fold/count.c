/* kernel/fold/count.c - how many elements are not 0, or not NaN. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/count.h"

#include <stdbool.h>
#include <string.h>

#include "kernel/fold/blocks.h"

/* ---- Bool: bytes of 0 and 1 ---------------------------------------------- */

static void take_run(void *context, const dti_block *b)
{
    int64_t *out = context;
    const uint8_t *x = b->x;
    uint32_t count = 0;
    for (int64_t i = 0; i < b->width; i++)
        count += x[i];
    out[b->to] += count;
}

static void take_columns(void *context, const dti_block *b)
{
    int64_t *out = context;
    uint8_t counts[DTI_BLOCK_WIDTH] = {0}; /* of few rows */
    const uint8_t *x = b->x;
    for (int64_t row = 0; row < b->rows; row++, x += b->stride)
        for (int64_t i = 0; i < b->width; i++)
            counts[i] = (uint8_t)(counts[i] + x[i]);
    for (int64_t i = 0; i < b->width; i++)
        out[b->to + i * b->step] += counts[i];
}

/* ---- Floats -------------------------------------------------------------- */

static void take_floats(void *context, const dti_block *b)
{
    int64_t *out = context;
    const float *x = b->x;
    uint32_t count = 0;
    for (int64_t i = 0; i < b->width; i++)
        count += x[i] == x[i];
    out[b->to] += count;
}

static void take_doubles(void *context, const dti_block *b)
{
    int64_t *out = context;
    const double *x = b->x;
    uint64_t count = 0;
    for (int64_t i = 0; i < b->width; i++)
        count += x[i] == x[i];
    out[b->to] += (int64_t)count;
}

static void take_float_columns(void *context, const dti_block *b)
{
    int64_t *out = context;
    uint32_t counts[DTI_BLOCK_WIDTH] = {0};
    const float *x = b->x;
    for (int64_t row = 0; row < b->rows; row++, x += b->stride)
        for (int64_t i = 0; i < b->width; i++)
            counts[i] += x[i] == x[i];
    for (int64_t i = 0; i < b->width; i++)
        out[b->to + i * b->step] += counts[i];
}

static void take_double_columns(void *context, const dti_block *b)
{
    int64_t *out = context;
    const double *x = b->x;
    for (int64_t row = 0; row < b->rows; row++, x += b->stride)
        for (int64_t i = 0; i < b->width; i++)
            out[b->to + i * b->step] += x[i] == x[i];
}

/* ---- Arrays -------------------------------------------------------------- */

void dti_count_array(const dt_array *in, unsigned dims, int64_t results,
                     int64_t *out)
{
    const dti_blocks blocks = {.carrier = DT_BOOL,
                               .context = out,
                               .run = take_run,
                               .columns = take_columns};
    memset(out, 0, (size_t)results * sizeof *out);
    dti_blocks_take(&blocks, in, dims);
}

void dti_count_numbers(const dt_array *in, unsigned dims, int64_t results,
                       int64_t *out)
{
    const bool wide = dt_array_dtype(in) == DT_F64;
    const dti_blocks blocks = {.carrier = wide ? DT_F64 : DT_F32,
                               .context = out,
                               .run = wide ? take_doubles : take_floats,
                               .columns = wide ? take_double_columns
                                               : take_float_columns};
    memset(out, 0, (size_t)results * sizeof *out);
    dti_blocks_take(&blocks, in, dims);
}
