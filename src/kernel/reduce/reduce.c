/* kernel/reduce/reduce.c - combining arrays of several ranks element by
 * element. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/reduce/reduce.h"

#include <assert.h>
#include <string.h>

#include "base/attributes.h"
#include "kernel/reduce/reduce_level.h"

/*
 * The range is cut into blocks whose intermediate results stay in the nearest
 * cache.  Each block passes through all inputs, in order, before the next: an
 * input is read once, an output written once.
 *
 *     in0 op in1 -> scratch;  scratch op in2 -> scratch;  ...  -> result
 *
 * Half types do the same in registers.  The last combination writes straight
 * into the first output, unless that is to be stored past the cache.  This is
 * right in place too: an output that is an input has, at that moment, been read
 * up to here by all but this step.
 */

/* Short blocks, as eight and more streams are read and written at once: of 512
 * bytes a reduction of four inputs into four outputs past the cache takes a
 * sixth less time than of 1024. */
enum {
    BLOCK_BYTES = 512,
    SHORT_COUNT = 64 /* elements, of any type, that take one short path */
};

static const dti_reduce_kernels *const levels[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_reduce_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_reduce_avx2,
    [DTI_CPU_AVX512] = &dti_reduce_avx512,
#endif
};

static const char *const names[DT_REDUCE_COUNT] = {
    [DT_SUM] = "sum", [DT_AVG] = "avg",   [DT_PRODUCT] = "product",
    [DT_MIN] = "min", [DT_MAX] = "max",   [DT_BAND] = "band",
    [DT_BOR] = "bor", [DT_BXOR] = "bxor",
};

const char *dt_reduce_name(dt_reduce op)
{
    return (unsigned)op < DT_REDUCE_COUNT ? names[op] : "invalid";
}

bool dti_reduce_supports(dt_reduce op, dt_dtype dtype)
{
    return (unsigned)op < DT_REDUCE_COUNT && (unsigned)dtype < DT_DTYPE_COUNT &&
           (dti_reduce_portable.combine[op][dtype] ||
            dti_reduce_portable.half[op][dtype]);
}

/* A reduction under way. */
typedef struct work {
    dti_reduce_half half;       /* NULL unless of a half type */
    dti_reduce_combine combine; /* NULL if of a half type */
    dti_reduce_divide divide;   /* NULL unless an average */
    dti_reduce_store store;     /* NULL unless past the cache */
    const void *const *inputs;
    int input_count;
    void *const *outputs;
    int output_count;
    size_t item; /* bytes of an element */
} work;

static const void *input_at(const work *w, int i, int64_t start)
{
    return (const char *)w->inputs[i] + (size_t)start * w->item;
}

static void *output_at(const work *w, int i, int64_t start)
{
    return (char *)w->outputs[i] + (size_t)start * w->item;
}

/* Write a finished block to the outputs from `first` on. */
static void write_outputs(const work *w, int first, const void *block,
                          int64_t start, int64_t count)
{
    const size_t bytes = (size_t)count * w->item;
    for (int i = first; i < w->output_count; i++) {
        void *output = output_at(w, i, start);
        if (output == block)
            continue;
        if (w->store)
            w->store(output, block, bytes);
        else
            memcpy(output, block, bytes);
    }
}

/* Combine a block, step by step. */
static void fold_block(const work *w, void *scratch, void *result,
                       int64_t start, int64_t count)
{
    const void *left = input_at(w, 0, start);
    for (int i = 1; i < w->input_count; i++) {
        void *out = i + 1 < w->input_count ? scratch : result;
        w->combine(out, left, input_at(w, i, start), count);
        left = out;
    }
    if (w->divide)
        w->divide(result, count, w->input_count);
}

/* Elements of the first block, so that later ones start on a cache line of the
 * first output; a full block where they do already or never can. */
static int64_t first_block(const work *w, int64_t full)
{
    const size_t past = (uintptr_t)w->outputs[0] % DTI_CACHE_LINE;
    if (!w->store || past == 0 || past % w->item != 0)
        return full;
    return (int64_t)((DTI_CACHE_LINE - past) / w->item);
}

/* Ask for the next block while this one is stored; past the end it is only a
 * wish.  What lies beyond the cache comes in bursts otherwise. */
static void fetch_block(const work *w, int64_t start, int64_t count)
{
    const size_t bytes = (size_t)count * w->item;
    for (int i = 0; i < w->input_count; i++)
        for (size_t at = 0; at < bytes; at += DTI_CACHE_LINE)
            DTI_PREFETCH((uintptr_t)w->inputs[i] + (size_t)start * w->item +
                         at);
}

/* Reduce the range, block by block; two inputs or more. */
static void reduce_blocks(const work *w, int64_t count)
{
    _Alignas(DTI_CACHE_LINE) unsigned char scratch[BLOCK_BYTES];
    const int64_t full = (int64_t)(BLOCK_BYTES / w->item);
    int64_t size = first_block(w, full);
    for (int64_t start = 0; start < count; start += size, size = full) {
        if (size > count - start)
            size = count - start;
        void *result = w->store ? scratch : output_at(w, 0, start);
        if (w->store)
            fetch_block(w, start + size, full);
        if (w->half)
            w->half(result, w->inputs, w->input_count, start, size);
        else
            fold_block(w, scratch, result, start, size);
        write_outputs(w, w->store ? 0 : 1, result, start, size);
    }
}

void dti_reduce_at(dti_cpu_level level, dt_reduce op, dt_dtype dtype,
                   const void *const *inputs, int input_count,
                   void *const *outputs, int output_count, int64_t count,
                   bool stream)
{
    const dti_reduce_kernels *kernels = levels[level];
    dti_reduce_combine combine = kernels->combine[op][dtype];
    assert(dti_reduce_supports(op, dtype));
    assert(input_count > 0 && output_count >= 0 && count >= 0);
    if (count == 0 || output_count == 0)
        return;
    if (input_count == 2 && combine && op != DT_AVG && !stream &&
        (output_count == 1 || count <= SHORT_COUNT)) {
        combine(outputs[0], inputs[0], inputs[1], count);
        for (int i = 1; i < output_count; i++)
            memcpy(outputs[i], outputs[0], count * dt_dtype_size(dtype));
        return;
    }
    const work w = {
        .half = kernels->half[op][dtype],
        .combine = combine,
        .divide = op == DT_AVG ? kernels->divide[dtype] : NULL,
        .store = stream ? kernels->store : NULL,
        .inputs = inputs,
        .input_count = input_count,
        .outputs = outputs,
        .output_count = output_count,
        .item = dt_dtype_size(dtype),
    };
    if (input_count == 1)
        write_outputs(&w, 0, inputs[0], 0, count);
    else
        reduce_blocks(&w, count);
    if (stream)
        kernels->fence();
}

void dti_reduce(dt_reduce op, dt_dtype dtype, const void *const *inputs,
                int input_count, void *const *outputs, int output_count,
                int64_t count, bool stream)
{
    dti_reduce_at(dti_cpu_level_used(), op, dtype, inputs, input_count, outputs,
                  output_count, count, stream);
}

bool dti_reduce_divides(dt_dtype dtype)
{
    return dti_reduce_portable.divide[dtype] != NULL;
}

void dti_reduce_scale(dt_dtype dtype, void *array, int64_t count, int divisor)
{
    assert(dti_reduce_divides(dtype));
    levels[dti_cpu_level_used()]->divide[dtype](array, count, divisor);
}
