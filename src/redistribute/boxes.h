/* redistribute/boxes.h - copying what two parts of a tensor share. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_BOXES_H
#define DTI_REDISTRIBUTE_BOXES_H

#include "layout/part.h"

/* The elements of a part in memory; strides in bytes. */
typedef struct dti_block_view {
    char *data;
    int64_t strides[DT_MAX_NDIM];
} dti_block_view;

/* An array's elements.  Waits for calls under way that write it, and for those
 * that read it if it is to be written. */
dti_block_view dti_view_array(const dt_array *array, bool to_write);

/* Dense, row-major memory for a part. */
dti_block_view dti_view_dense(void *data, const dti_part *part, size_t item);

/* Copy what two parts share from where the one lies to where the other does. */
void dti_copy_shared(const dti_part *from, const dti_block_view *source,
                     const dti_part *to, const dti_block_view *destination,
                     size_t item);

/* Copy what two parts share, box by box, from where the first one lies to
 * dense memory; gives the bytes written. */
size_t dti_pack_shared(const dti_part *from, const dti_block_view *source,
                       const dti_part *to, char *packed, size_t item);

/* The other way: from what was packed to where the second one lies. */
size_t dti_unpack_shared(const dti_part *from, const char *packed,
                         const dti_part *to, const dti_block_view *destination,
                         size_t item);

#endif
