/* kernel/shape/triangle.h - rows of which a part is zero. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SHAPE_TRIANGLE_H
#define DTI_KERNEL_SHAPE_TRIANGLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Dense matrices one after another, and how many elements at the beginning of
 * each of their rows are below the diagonal or on it. */
typedef struct dti_triangle {
    size_t item; /* bytes of an element */
    int64_t matrices, rows, columns;
    const int64_t *limits; /* `rows` numbers, from 0 to `columns` */
    bool lower;            /* these stay and the others are zero; or these are
                              zero and the others stay */
} dti_triangle;

/* Copy what stays and set the rest to zero.  `from` may be `to`: then nothing
 * is copied. */
void dti_triangle_copy(const dti_triangle *how, const void *from, void *to);

#endif
