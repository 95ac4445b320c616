/* kernel/order/order.h - elements of a dimension in order. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_ORDER_ORDER_H
#define DTI_KERNEL_ORDER_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/array.h>

/*
 * NaN is larger than every number, -0 and 0 are the same; equal elements stay
 * in the order of their indexes, whichever way the others go.  Not of complex
 * numbers.
 */

/* Bytes that these functions need beside their results. */
size_t dti_order_room(const dt_array *in, int dim);

/* Sort along a dimension.  The first `results` values and indexes, of which one
 * may be NULL, are put into row-major arrays that have so many along it. */
void dti_sort_array(const dt_array *in, int dim, bool descending,
                    int64_t results, void *values, int64_t *indexes,
                    void *room);

typedef enum dti_choice {
    DTI_CHOOSE_KTH,       /* number k, from 0, of the elements in order */
    DTI_CHOOSE_MEDIAN,    /* the first NaN, or the lower of the middle ones */
    DTI_CHOOSE_NANMEDIAN, /* that of the numbers, NaN if there are none */
    DTI_CHOOSE_MODE       /* the most frequent, of these the least */
} dti_choice;

/* Choose one element of a dimension, which has some.  Values and indexes lie in
 * row-major order of the other dimensions; of equal elements, the index of the
 * first is given, and of number k its own. */
void dti_choose_array(dti_choice choice, const dt_array *in, int dim, int64_t k,
                      void *values, int64_t *indexes, void *room);

#endif
