/* kernel/reduce/reduce_level.h - the kernels that reductions are made of, by
 * level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_REDUCE_REDUCE_LEVEL_H
#define DTI_KERNEL_REDUCE_REDUCE_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/comm.h>
#include <dtensor/dtype.h>

#include "base/machine/cpu.h"

/* Combine two arrays; the output may be one of them.  Any alignment. */
typedef void (*dti_reduce_combine)(void *out, const void *left,
                                   const void *right, int64_t count);

/*
 * Combine elements `start` to `start + count` of several arrays of a half type,
 * in f32, and round.  `out` is where the first of them goes.
 */
typedef void (*dti_reduce_half)(void *out, const void *const *inputs,
                                int input_count, int64_t start, int64_t count);

/* Divide elements in place. */
typedef void (*dti_reduce_divide)(void *array, int64_t count, int divisor);

/*
 * Copy bytes past the cache, where the level can.  They are sure to be seen
 * before later stores of this thread only after the fence of the level: one for
 * each block would halve the speed.
 */
typedef void (*dti_reduce_store)(void *out, const void *block, size_t bytes);
typedef void (*dti_reduce_fence)(void);

/*
 * What an instruction set offers.  A reduction that is defined for a dtype is
 * in `combine` or, for half types, in `half`.  DT_AVG combines as DT_SUM does,
 * then divides.
 */
typedef struct dti_reduce_kernels {
    dti_reduce_combine combine[DT_REDUCE_COUNT][DT_DTYPE_COUNT];
    dti_reduce_half half[DT_REDUCE_COUNT][DT_DTYPE_COUNT];
    dti_reduce_divide divide[DT_DTYPE_COUNT];
    dti_reduce_store store;
    dti_reduce_fence fence;
} dti_reduce_kernels;

extern const dti_reduce_kernels dti_reduce_portable;
extern const dti_reduce_kernels dti_reduce_avx2;
extern const dti_reduce_kernels dti_reduce_avx512;

/* dti_reduce with an instruction set, which the processor must have. */
void dti_reduce_at(dti_cpu_level level, dt_reduce op, dt_dtype dtype,
                   const void *const *inputs, int input_count,
                   void *const *outputs, int output_count, int64_t count,
                   bool stream);

#endif
