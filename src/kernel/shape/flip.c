/* kernel/shape/flip.c - copies with indexes in reverse order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/shape/flip.h"

#include <assert.h>
#include <string.h>

#include "base/attributes.h"

/* ---- One row ------------------------------------------------------------ */

/* Elements of a size and a stride that the compiler may know. */
static inline void copy_items(char *DTI_RESTRICT out,
                              const char *DTI_RESTRICT from, int64_t count,
                              int64_t stride, int64_t item)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(out + i * item, from + i * stride * item, (size_t)item);
}

static inline void copy_row_of(char *out, const char *from, int64_t count,
                               int64_t stride, int64_t item)
{
    if (stride == 1)
        memcpy(out, from, (size_t)(count * item));
    else
        copy_items(out, from, count, stride, item);
}

/* Rows are turned eight bytes at a time. */
static uint64_t turn_halves(uint64_t word)
{
    word = (word >> 16 & UINT64_C(0x0000ffff0000ffff)) |
           (word & UINT64_C(0x0000ffff0000ffff)) << 16;
    return word >> 32 | word << 32;
}

/* Elements of a size that the compiler knows; `from` is the last one in
 * memory. */
static inline void reverse_items(char *DTI_RESTRICT out,
                                 const char *DTI_RESTRICT from, int64_t count,
                                 int64_t item)
{
    int64_t each = 8 / item, words = count / each;
    const char *last = from + item - 8;
    for (int64_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, last - 8 * i, 8);
        if (item == 1)
            word = DTI_SWAP_BYTES(word);
        else if (item == 2)
            word = turn_halves(word);
        else if (item == 4)
            word = word >> 32 | word << 32;
        memcpy(out + 8 * i, &word, 8);
    }
    copy_items(out + 8 * words, from - words * each * item,
               count - words * each, -1, item);
}

static void reverse_row(char *out, const char *from, int64_t count,
                        int64_t item)
{
    switch (item) {
    case 1:
        reverse_items(out, from, count, 1);
        break;
    case 2:
        reverse_items(out, from, count, 2);
        break;
    case 4:
        reverse_items(out, from, count, 4);
        break;
    default:
        reverse_items(out, from, count, 8);
        break;
    }
}

static void copy_row(const dti_flip *how, char *out, const char *from,
                     int64_t count, int64_t stride)
{
    int64_t item = (int64_t)how->item;
    if (stride == -1) {
        reverse_row(out, from, count, item);
        return;
    }
    switch (item) {
    case 1:
        copy_row_of(out, from, count, stride, 1);
        break;
    case 2:
        copy_row_of(out, from, count, stride, 2);
        break;
    case 4:
        copy_row_of(out, from, count, stride, 4);
        break;
    default:
        assert(item == 8);
        copy_row_of(out, from, count, stride, 8);
        break;
    }
}

/* ---- All rows ----------------------------------------------------------- */

void dti_flip_copy(const dti_flip *how, void *out)
{
    int64_t index[DT_MAX_NDIM] = {0}, item = (int64_t)how->item;
    int last = how->ndim - 1, dim;
    int64_t count = last < 0 ? 1 : how->dims[last];
    int64_t stride = last < 0 ? 1 : how->strides[last];
    const char *from = how->from;
    char *to = out;
    for (int i = 0; i < how->ndim; i++)
        if (how->dims[i] == 0)
            return;
    while (last > 0 && how->strides[last - 1] == count * stride)
        count *= how->dims[--last];
    do {
        copy_row(how, to, from, count, stride);
        to += count * item;
        for (dim = last - 1; dim >= 0; dim--) {
            from += how->strides[dim] * item;
            if (++index[dim] < how->dims[dim])
                break;
            from -= index[dim] * how->strides[dim] * item;
            index[dim] = 0;
        }
    } while (dim >= 0);
}
