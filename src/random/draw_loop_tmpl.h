/* random/draw_loop_tmpl.h - a run of blocks, a step of several at a time. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: NAME of the function; STEP, which writes what
 * comes of BLOCKS blocks; ITEM, the type of that, of which a block gives PER.
 */
static void NAME(const dti_draw *draw, uint64_t block, uint64_t stride,
                 int64_t blocks, void *out)
{
    ITEM *to = out;
    const steady state = begin(draw, stride);
    uint64_t counter = draw->key.offset + block;
    for (; blocks >= BLOCKS; blocks -= BLOCKS) {
        STEP(&state, counter, to);
        counter += BLOCKS * stride;
        to += PER * BLOCKS;
    }
    if (blocks > 0) {
        ITEM part[PER * BLOCKS];
        STEP(&state, counter, part);
        memcpy(to, part, (size_t)blocks * PER * sizeof *part);
    }
}

#undef NAME
#undef STEP
#undef ITEM
#undef PER
#undef BLOCKS
