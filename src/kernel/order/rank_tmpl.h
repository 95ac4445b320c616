/* kernel/order/rank_tmpl.h - few entries, each compared with all. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the function.  The file
 * that includes this is compiled for the instruction set.
 *
 * As many entries as are less than one is where it belongs.  More is compared
 * than has to be, but nothing waits for what a comparison gives.
 */
#include <assert.h>
#include <string.h>

#include "base/attributes.h"
#include "kernel/order/order_level.h"

enum { WIDTH = 4 };

typedef int64_t lanes DTI_VECTOR(WIDTH * 8);

static DTI_INLINE lanes load(const int64_t *from)
{
    lanes out;
    memcpy(&out, from, sizeof out);
    return out;
}

/* How many are less than each of 2 * WIDTH entries. */
static DTI_INLINE void rank_few(const int64_t *all, int count,
                                const int64_t *few, int64_t *ranks)
{
    const lanes a = load(few), b = load(few + WIDTH);
    lanes of_a = {0}, of_b = {0};
    for (int i = 0; i < count; i++) {
        const int64_t e = all[i];
        const lanes other = {e, e, e, e};
        of_a -= other < a;
        of_b -= other < b;
    }
    memcpy(ranks, &of_a, sizeof of_a);
    memcpy(ranks + WIDTH, &of_b, sizeof of_b);
}

void LOOPS(const uint64_t *entries, uint64_t *sorted, int count)
{
    int64_t all[DTI_RANKED + 2 * WIDTH], ranks[DTI_RANKED + 2 * WIDTH];
    assert(count <= DTI_RANKED);
    for (int i = 0; i < count; i++) /* compared as signed numbers */
        all[i] = (int64_t)(entries[i] ^ UINT64_C(1) << 63);
    for (int i = 0; i < 2 * WIDTH; i++)
        all[count + i] = 0; /* compared, and not asked about */
    for (int i = 0; i < count; i += 2 * WIDTH)
        rank_few(all, count, all + i, ranks + i);
    for (int i = 0; i < count; i++)
        sorted[ranks[i]] = entries[i];
}

#undef LOOPS
