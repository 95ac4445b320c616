/* kernel/loss/loss.c - losses of single elements, and their slopes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/loss/loss.h"

#include <assert.h>

#include "kernel/loss/loss_level.h"

static const dti_loss_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_loss_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_loss_avx2,
    [DTI_CPU_AVX512] = &dti_loss_avx512,
#endif
};

static const dti_loss_loops *loops_of(const dti_loss *loss)
{
    assert(loss->dtype == DT_F32 || loss->dtype == DT_F64);
    return loss->dtype == DT_F64 ? &dti_loss_f64 : tables[loss->level];
}

void dti_loss_each(const dti_loss *loss, void *out)
{
    loops_of(loss)->each(loss, out);
}

double dti_loss_sum(const dti_loss *loss)
{
    return loops_of(loss)->sum(loss);
}

void dti_loss_slope(const dti_loss *loss, const void *grad, double scale,
                    void *out)
{
    loops_of(loss)->slope(loss, grad, scale, out);
}

int64_t dti_loss_find_wrong(const dti_loss *loss)
{
    const float *f32 = loss->x;
    const double *f64 = loss->x;
    int wrong = 0;
    for (int64_t i = 0; loss->dtype == DT_F32 && i < loss->count; i++)
        wrong |= (f32[i] < 0) | (f32[i] > 1);
    for (int64_t i = 0; loss->dtype == DT_F64 && i < loss->count; i++)
        wrong |= (f64[i] < 0) | (f64[i] > 1);
    for (int64_t i = 0; wrong && i < loss->count; i++) {
        const double x = loss->dtype == DT_F32 ? (double)f32[i] : f64[i];
        if (x < 0 || x > 1)
            return i;
    }
    return -1;
}
