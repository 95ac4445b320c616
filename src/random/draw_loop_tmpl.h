/* random/draw_loop_tmpl.h - a run of blocks, a step of several at a time. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: NAME of the function; STEP, which writes what
 * comes of BLOCKS blocks; ITEM, the type of that, of which a block gives PER.
 */
static void NAME(const dti_draw *draw, uint64_t block, int64_t blocks,
                 void *out)
{
    ITEM *to = out;
    const steady state = begin(draw);
    block += draw->key.offset;
    for (; blocks >= BLOCKS; blocks -= BLOCKS) {
        STEP(&state, block, to);
        block += BLOCKS;
        to += PER * BLOCKS;
    }
    if (blocks > 0) {
        ITEM part[PER * BLOCKS];
        STEP(&state, block, part);
        memcpy(to, part, (size_t)blocks * PER * sizeof *part);
    }
}

#undef NAME
#undef STEP
#undef ITEM
#undef PER
#undef BLOCKS
