/* kernel/shape/triangle.c - rows of which a part is zero. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/shape/triangle.h"

#include <string.h>

static void copy_row(const dti_triangle *how, size_t limit, const char *from,
                     char *to)
{
    size_t bytes = how->item * (size_t)how->columns;
    size_t kept = how->lower ? 0 : limit, zero = how->lower ? limit : 0;
    size_t kept_bytes = how->lower ? limit : bytes - limit;
    if (from != to)
        memcpy(to + kept, from + kept, kept_bytes);
    memset(to + zero, 0, bytes - kept_bytes);
}

void dti_triangle_copy(const dti_triangle *how, const void *from, void *to)
{
    const char *in = from;
    char *out = to;
    size_t bytes = how->item * (size_t)how->columns;
    for (int64_t i = 0; i < how->matrices; i++)
        for (int64_t row = 0; row < how->rows; row++) {
            copy_row(how, (size_t)how->limits[row] * how->item, in, out);
            in += bytes;
            out += bytes;
        }
}
