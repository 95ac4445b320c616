/* kernel/count.c - how many elements are not 0. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/count.h"

#include <string.h>

#include "kernel/blocks.h"

/* Elements are brought as bool, bytes of 0 and 1. */

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
