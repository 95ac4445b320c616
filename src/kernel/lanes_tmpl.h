/* kernel/lanes_tmpl.h - lanes that elements were dealt to, added up. */
/* SPDX-License-Identifier: Apache-2.0 */

/* To be defined before inclusion: T, the type; LANES, 32 of them. */
#include "base/attributes.h"

/* Halve the lanes; called with constants, so that no loop is left. */
static DTI_INLINE void halve(T *lanes, int half)
{
    for (int j = 0; j < half; j++)
        lanes[j] += lanes[j + half];
}

static DTI_INLINE T across(T *lanes)
{
    halve(lanes, LANES / 2);
    halve(lanes, LANES / 4);
    halve(lanes, LANES / 8);
    halve(lanes, LANES / 16);
    return lanes[0] + lanes[1];
}
