/* array/copy_kernels.h - the parts of a copy that instruction sets speed up. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_COPY_KERNELS_H
#define DTI_ARRAY_COPY_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/machine/cpu.h"

/* Bytes that a non-temporal store should write as one. */
#define DTI_COPY_LINE 64

/*
 * Transpose a tile: element (row, column) of the source goes to (column, row)
 * of the destination.  Rows lie `_row` bytes apart.
 */
typedef void (*dti_copy_tile)(char *to, int64_t to_row, const char *from,
                              int64_t from_row);

/* How elements of one size are transposed. */
typedef struct dti_copy_transpose {
    int rows;             /* of the source; a line of the destination */
    int columns;          /* of the source */
    dti_copy_tile tile;   /* NULL: there is none */
    dti_copy_tile stream; /* stores non-temporally; `to` and `to_row` are
                             multiples of DTI_COPY_LINE; NULL: there is none */
} dti_copy_transpose;

/* Sizes of elements that have tiles: 1, 2, 4, 8 and 16 bytes. */
#define DTI_COPY_SIZES 5

typedef struct dti_copy_kernels {
    /* Copy whole lines past the cache; `to` is aligned to a line. */
    void (*stream_lines)(char *to, const char *from, size_t lines);
    /* Make non-temporal stores visible before later ones. */
    void (*fence)(void);
    dti_copy_transpose transpose[DTI_COPY_SIZES];
} dti_copy_kernels;

/* The kernels of a level. */
const dti_copy_kernels *dti_copy_kernels_of(dti_cpu_level level);

extern const dti_copy_kernels dti_copy_kernels_avx2;
extern const dti_copy_kernels dti_copy_kernels_avx512;

/* The tile of 16-byte elements, the same for all levels. */
void dti_copy_tile_16(char *to, int64_t to_row, const char *from,
                      int64_t from_row);

/* The tiles that both vector levels share. */
void dti_copy_tile_1_avx2(char *to, int64_t to_row, const char *from,
                          int64_t from_row);
void dti_copy_tile_2_avx2(char *to, int64_t to_row, const char *from,
                          int64_t from_row);
void dti_copy_stream_1_avx2(char *to, int64_t to_row, const char *from,
                            int64_t from_row);
void dti_copy_stream_2_avx2(char *to, int64_t to_row, const char *from,
                            int64_t from_row);

/* dti_copy_stream with given kernels and without the fence. */
void dti_copy_stream_with(const dti_copy_kernels *kernels, char *to,
                          const char *from, size_t bytes);

/* Copy neighbours, past the cache or not; by the threads of the rank if there
 * are many. */
void dti_copy_run(const dti_copy_kernels *kernels, void *destination,
                  const void *source, size_t bytes, bool streams);

/* dti_copy_strided with given kernels, streaming from `threshold` bytes. */
void dti_copy_strided_with(const dti_copy_kernels *kernels, size_t threshold,
                           void *destination,
                           const int64_t *destination_strides,
                           const void *source, const int64_t *source_strides,
                           const int64_t *dims, int ndim, size_t item);

#endif
