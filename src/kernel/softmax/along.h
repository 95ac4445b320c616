/* kernel/softmax/along.h - statistics of runs, and what is made of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SOFTMAX_ALONG_H
#define DTI_KERNEL_SOFTMAX_ALONG_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtype.h>

#include "base/machine/cpu.h"

/*
 * Runs of neighbours that lie one behind another: `rows` of them, of `count`
 * elements, f32 or f64.  A run may be the part that one rank has of a longer
 * one; its statistics, in f64, are combined by whoever calls.
 */
typedef struct dti_along {
    dt_dtype dtype;
    int64_t rows;
    int64_t count;
    dti_cpu_level level;
} dti_along;

static inline dti_along dti_along_make(dt_dtype dtype, int64_t rows,
                                       int64_t count)
{
    return (dti_along){dtype, rows, count, dti_cpu_level_used()};
}

/* The largest element of each run, or NaN; -infinity if it is empty. */
void dti_along_most(const dti_along *runs, const void *x, double *most);

/* The sum of exp(x - most) of each run. */
void dti_along_exp_sum(const dti_along *runs, const void *x, const double *most,
                       double *sums);

/* most + log(sum of exp(x - most)) of each run, most being its largest. */
void dti_along_logsumexp(const dti_along *runs, const void *x, double *out);

/* The softmax of each run, or its logarithm. */
void dti_along_softmax_whole(const dti_along *runs, bool logarithm,
                             const void *x, void *out);

/* The same with statistics that are known: exp(x - most) / sum. */
void dti_along_softmax(const dti_along *runs, bool logarithm, const void *x,
                       const double *most, const double *sums, void *out);

/* The sum of a b, or of a if b is NULL. */
void dti_along_dot(const dti_along *runs, const void *a, const void *b,
                   double *sums);

/* What comes back through a softmax, or its logarithm, that gave y: y (g - sum
 * of g y), or g - exp(y) sum of g. */
void dti_along_softmax_grad(const dti_along *runs, bool logarithm,
                            const void *g, const void *y, const double *sums,
                            void *out);

/* ---- Sums of runs -------------------------------------------------------- */

/* Add each run to the one of `out` whose number is `places`, if that is not
 * negative, times `scales`, which may be NULL: 1. */
void dti_along_gather(const dti_along *runs, const void *x,
                      const int64_t *places, const double *scales, void *out);

/* ---- Cross-entropy ------------------------------------------------------- */

/*
 * Runs are parts of logits, one for each item.  An item has a class, whose
 * place in the run is `places`: DTI_ALONG_ELSEWHERE if another rank
 * has it, DTI_ALONG_IGNORED if the item does not count.
 */
enum { DTI_ALONG_ELSEWHERE = -1, DTI_ALONG_IGNORED = -2 };

typedef struct dti_entropy {
    dti_along runs;
    const int64_t *places;
    const void *weights; /* of the classes of the part; NULL: 1 */
    double smoothing;    /* how much of a target all classes share */
    int64_t classes;     /* of all parts */
} dti_entropy;

/* What the part adds to the loss of each item, and to its weight. */
void dti_entropy_losses(const dti_entropy *entropy, const void *x,
                        const double *logsumexps, double *losses,
                        double *weights);

/*
 * The gradient of the part: of item i the one that its loss has is grads[i].
 * weights[i] is what its class weighs, `all_weights` what all classes do.
 */
void dti_entropy_grad(const dti_entropy *entropy, const void *x,
                      const double *logsumexps, const double *grads,
                      const double *weights, double all_weights, void *out);

#endif
