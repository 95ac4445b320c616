/* kernel/optimizer/optimizer.c - steps of optimisers: which loops, and halves.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/optimizer/optimizer.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#include "array/cast.h"
#include "base/dtype.h"
#include "kernel/optimizer/optimizer_level.h"
#include "work/work.h"

/* Halves that are widened at a time. */
enum { BLOCK = 512 };

static const dti_optimizer_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_optimizer_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_optimizer_avx2,
    [DTI_CPU_AVX512] = &dti_optimizer_avx512,
#endif
};

/* ---- By the threads of the rank ----------------------------------------- */

/* Elements `by` bytes further on, of what may be missing. */
static const void *past(const void *from, int64_t by)
{
    return from ? (const char *)from + by : NULL;
}

static void *past_out(void *to, int64_t by)
{
    return to ? (char *)to + by : NULL;
}

/* ---- Halves ------------------------------------------------------------- */

/* The loops of f32, and how halves of a dtype become f32 and back. */
typedef struct halves {
    const dti_optimizer_loops *loops;
    dt_dtype dtype;
    dti_cast_run widen, narrow;
} halves;

static halves halves_of(dti_cpu_level level, dt_dtype dtype)
{
    const dti_cast_run *runs = dti_cast_runs_of(level);
    assert(dtype == DT_F16 || dtype == DT_BF16);
    return (halves){tables[level], dtype, runs[dtype], runs[DT_F32]};
}

static void widen(const halves *of, const void *from, int64_t first,
                  int64_t count, float *to)
{
    if (from)
        of->widen((const uint16_t *)from + first, to, DT_F32, count);
}

static void narrow(const halves *of, const float *from, void *to, int64_t first,
                   int64_t count)
{
    if (to)
        of->narrow(from, (uint16_t *)to + first, of->dtype, count);
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- Adam --------------------------------------------------------------- */

static void adam_halves(const halves *of, const dti_adam *how,
                        const dti_adam_data *data, int64_t count)
{
    float self[BLOCK], grad[BLOCK], mean[BLOCK], square[BLOCK];
    float max_square[BLOCK];
    dti_adam_data here = {self, grad, mean,   square, NULL,
                          self, mean, square, NULL};
    if (data->max_square)
        here.max_square = here.max_square_out = max_square;
    for (int64_t at = 0; at < count; at += BLOCK) {
        const int64_t some = lesser(BLOCK, count - at);
        widen(of, data->self, at, some, self);
        widen(of, data->grad, at, some, grad);
        widen(of, data->mean, at, some, mean);
        widen(of, data->square, at, some, square);
        widen(of, data->max_square, at, some, max_square);
        of->loops->adam_f32(how, &here, some);
        narrow(of, self, data->self_out, at, some);
        narrow(of, mean, data->mean_out, at, some);
        narrow(of, square, data->square_out, at, some);
        narrow(of, max_square, data->max_square_out, at, some);
    }
}

static void adam_some(dti_cpu_level level, dt_dtype dtype, const dti_adam *how,
                      const dti_adam_data *data, int64_t count)
{
    if (dtype == DT_F32) {
        tables[level]->adam_f32(how, data, count);
    } else if (dtype == DT_F64) {
        tables[level]->adam_f64(how, data, count);
    } else {
        const halves of = halves_of(level, dtype);
        adam_halves(&of, how, data, count);
    }
}

typedef struct adam_job {
    dti_cpu_level level;
    dt_dtype dtype;
    const dti_adam *how;
    const dti_adam_data *data;
} adam_job;

static void adam_range(void *context, int64_t begin, int64_t end, int slot)
{
    const adam_job *job = context;
    const dti_adam_data *all = job->data;
    const int64_t by = begin * (int64_t)dti_dtype_size(job->dtype);
    const dti_adam_data data = {past(all->self, by),
                                past(all->grad, by),
                                past(all->mean, by),
                                past(all->square, by),
                                past(all->max_square, by),
                                past_out(all->self_out, by),
                                past_out(all->mean_out, by),
                                past_out(all->square_out, by),
                                past_out(all->max_square_out, by)};
    (void)slot;
    adam_some(job->level, job->dtype, job->how, &data, end - begin);
}

void dti_adam_step_at(dti_cpu_level level, dt_dtype dtype, const dti_adam *how,
                      const dti_adam_data *data, int64_t count)
{
    adam_job job = {level, dtype, how, data};
    dti_work_ranges(count, BLOCK, 7 * (int64_t)dti_dtype_size(dtype),
                    adam_range, &job);
}

void dti_adam_step(dt_dtype dtype, const dti_adam *how,
                   const dti_adam_data *data, int64_t count)
{
    dti_adam_step_at(dti_cpu_level_used(), dtype, how, data, count);
}

/* ---- Gradient descent --------------------------------------------------- */

static void sgd_halves(const halves *of, const dti_sgd *how,
                       const dti_sgd_data *data, int64_t count)
{
    float self[BLOCK], grad[BLOCK], momentum[BLOCK];
    dti_sgd_data here = {self, grad, NULL, self, NULL};
    if (data->momentum_out)
        here.momentum = here.momentum_out = momentum;
    for (int64_t at = 0; at < count; at += BLOCK) {
        const int64_t some = lesser(BLOCK, count - at);
        widen(of, data->self, at, some, self);
        widen(of, data->grad, at, some, grad);
        widen(of, data->momentum, at, some, momentum);
        of->loops->sgd_f32(how, &here, some);
        narrow(of, self, data->self_out, at, some);
        narrow(of, momentum, data->momentum_out, at, some);
    }
}

static void sgd_some(dti_cpu_level level, dt_dtype dtype, const dti_sgd *how,
                     const dti_sgd_data *data, int64_t count)
{
    if (dtype == DT_F32) {
        tables[level]->sgd_f32(how, data, count);
    } else if (dtype == DT_F64) {
        tables[level]->sgd_f64(how, data, count);
    } else {
        const halves of = halves_of(level, dtype);
        sgd_halves(&of, how, data, count);
    }
}

typedef struct sgd_job {
    dti_cpu_level level;
    dt_dtype dtype;
    const dti_sgd *how;
    const dti_sgd_data *data;
} sgd_job;

static void sgd_range(void *context, int64_t begin, int64_t end, int slot)
{
    const sgd_job *job = context;
    const dti_sgd_data *all = job->data;
    const int64_t by = begin * (int64_t)dti_dtype_size(job->dtype);
    const dti_sgd_data data = {
        past(all->self, by), past(all->grad, by), past(all->momentum, by),
        past_out(all->self_out, by), past_out(all->momentum_out, by)};
    (void)slot;
    sgd_some(job->level, job->dtype, job->how, &data, end - begin);
}

void dti_sgd_step_at(dti_cpu_level level, dt_dtype dtype, const dti_sgd *how,
                     const dti_sgd_data *data, int64_t count)
{
    sgd_job job = {level, dtype, how, data};
    dti_work_ranges(count, BLOCK, 5 * (int64_t)dti_dtype_size(dtype), sgd_range,
                    &job);
}

void dti_sgd_step(dt_dtype dtype, const dti_sgd *how, const dti_sgd_data *data,
                  int64_t count)
{
    dti_sgd_step_at(dti_cpu_level_used(), dtype, how, data, count);
}

/* ---- Scaled gradients --------------------------------------------------- */

static bool unscale_halves(const halves *of, const void *in, double factor,
                           void *out, int64_t count)
{
    float values[BLOCK];
    bool found = false;
    for (int64_t at = 0; at < count; at += BLOCK) {
        const int64_t some = lesser(BLOCK, count - at);
        widen(of, in, at, some, values);
        found |= of->loops->unscale_f32(values, factor, values, some);
        narrow(of, values, out, at, some);
    }
    return found;
}

static bool unscale_some(dti_cpu_level level, dt_dtype dtype, const void *in,
                         double factor, void *out, int64_t count)
{
    if (dtype == DT_F32)
        return tables[level]->unscale_f32(in, factor, out, count);
    if (dtype == DT_F64)
        return tables[level]->unscale_f64(in, factor, out, count);
    const halves of = halves_of(level, dtype);
    return unscale_halves(&of, in, factor, out, count);
}

typedef struct unscale_job {
    dti_cpu_level level;
    dt_dtype dtype;
    const void *in;
    double factor;
    void *out;
    atomic_bool found;
} unscale_job;

static void unscale_range(void *context, int64_t begin, int64_t end, int slot)
{
    unscale_job *job = context;
    const int64_t by = begin * (int64_t)dti_dtype_size(job->dtype);
    (void)slot;
    if (unscale_some(job->level, job->dtype, past(job->in, by), job->factor,
                     past_out(job->out, by), end - begin))
        atomic_store(&job->found, true);
}

bool dti_unscale_at(dti_cpu_level level, dt_dtype dtype, const void *in,
                    double factor, void *out, int64_t count)
{
    unscale_job job = {level, dtype, in, factor, out, false};
    dti_work_ranges(count, BLOCK, 2 * (int64_t)dti_dtype_size(dtype),
                    unscale_range, &job);
    return job.found;
}

bool dti_unscale(dt_dtype dtype, const void *in, double factor, void *out,
                 int64_t count)
{
    return dti_unscale_at(dti_cpu_level_used(), dtype, in, factor, out, count);
}
