/* kernel/optimizer/optimizer_loops_tmpl.h - the loops of optimisers, for one
 * dtype. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the type of numbers; NAME(x), the name of
 * a function; SQRT.
 */

/* ---- Adam --------------------------------------------------------------- */

/* The numbers of a step, worked out once in f64. */
typedef struct NAME(adam_numbers) {
    T sign, decay, kept; /* kept: of a parameter, after decay */
    T beta1, near1;      /* near1: 1 - beta1 */
    T beta2, near2;
    T root_correction, eps;
    T size;
} NAME(adam_numbers);

static NAME(adam_numbers) NAME(adam_prepare)(const dti_adam *how)
{
    const double correction1 = 1 - pow(how->beta1, how->step);
    const double correction2 = 1 - pow(how->beta2, how->step);
    return (NAME(adam_numbers)){
        .sign = how->maximize ? -1 : 1,
        .decay = (T)how->weight_decay,
        .kept = (T)(1 - how->lr * how->weight_decay),
        .beta1 = (T)how->beta1,
        .near1 = (T)(1 - how->beta1),
        .beta2 = (T)how->beta2,
        .near2 = (T)(1 - how->beta2),
        .root_correction = (T)sqrt(correction2),
        .eps = (T)how->eps,
        .size = (T)(how->lr / correction1),
    };
}

/* The larger one; NaN wins. */
static inline T NAME(larger)(T a, T b)
{
    return b > a || b != b ? b : a;
}

/* `decay`, `amsgrad` and `slow` are constants where this is called.  The mean
 * moves from what it is nearer to: exact if the gradient stays the same. */
static inline void NAME(adam_loop)(const NAME(adam_numbers) k,
                                   const dti_adam_data *data, int64_t count,
                                   const int decay, const bool amsgrad,
                                   const bool slow)
{
    const T *p = data->self, *g = data->grad, *m = data->mean;
    const T *v = data->square, *x = data->max_square;
    T *p_out = data->self_out, *m_out = data->mean_out;
    T *v_out = data->square_out, *x_out = data->max_square_out;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++) {
        T self = p[i], grad = g[i] * k.sign;
        if (decay == DECAY_GRADIENT)
            grad += self * k.decay;
        if (decay == DECAY_PARAMETER)
            self *= k.kept;
        const T change = grad - m[i];
        const T mean = slow ? m[i] + k.near1 * change : grad - k.beta1 * change;
        const T square = v[i] * k.beta2 + k.near2 * grad * grad;
        const T bound = amsgrad ? NAME(larger)(x[i], square) : square;
        const T scale = SQRT(bound) / k.root_correction + k.eps;
        p_out[i] = self - k.size * mean / scale;
        m_out[i] = mean;
        v_out[i] = square;
        if (amsgrad)
            x_out[i] = bound;
    }
}

static void NAME(adam)(const dti_adam *how, const dti_adam_data *data,
                       int64_t count)
{
    const NAME(adam_numbers) k = NAME(adam_prepare)(how);
    const bool amsgrad = data->max_square;
    const int decay = how->weight_decay == 0 ? DECAY_NONE
                      : how->decoupled       ? DECAY_PARAMETER
                                             : DECAY_GRADIENT;
    if (how->beta1 <= 0.5) /* slow learning is the rule, this is not */
        NAME(adam_loop)(k, data, count, decay, amsgrad, false);
    else if (amsgrad)
        NAME(adam_loop)(k, data, count, decay, true, true);
    else if (decay == DECAY_NONE)
        NAME(adam_loop)(k, data, count, DECAY_NONE, false, true);
    else if (decay == DECAY_GRADIENT)
        NAME(adam_loop)(k, data, count, DECAY_GRADIENT, false, true);
    else
        NAME(adam_loop)(k, data, count, DECAY_PARAMETER, false, true);
}

/* ---- Gradient descent --------------------------------------------------- */

typedef struct NAME(sgd_numbers) {
    T sign, decay, momentum, share, lr;
} NAME(sgd_numbers);

/* `decays`, `kind` and `nesterov` are constants where this is called. */
static inline void NAME(sgd_loop)(const NAME(sgd_numbers) k,
                                  const dti_sgd_data *data, int64_t count,
                                  const bool decays, const int kind,
                                  const bool nesterov)
{
    const T *p = data->self, *g = data->grad, *b = data->momentum;
    T *p_out = data->self_out, *b_out = data->momentum_out;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++) {
        T grad = g[i] * k.sign;
        if (decays)
            grad += p[i] * k.decay;
        if (kind != MOMENTUM_NONE) {
            const T moved = kind == MOMENTUM_FIRST
                                ? grad
                                : b[i] * k.momentum + grad * k.share;
            b_out[i] = moved;
            grad = nesterov ? grad + moved * k.momentum : moved;
        }
        p_out[i] = p[i] - grad * k.lr;
    }
}

static void NAME(sgd)(const dti_sgd *how, const dti_sgd_data *data,
                      int64_t count)
{
    const NAME(sgd_numbers) k = {
        .sign = how->maximize ? -1 : 1,
        .decay = (T)how->weight_decay,
        .momentum = (T)how->momentum,
        .share = (T)(1 - how->dampening),
        .lr = (T)how->lr,
    };
    const bool decays = how->weight_decay != 0;
    if (!data->momentum_out && decays)
        NAME(sgd_loop)(k, data, count, true, MOMENTUM_NONE, false);
    else if (!data->momentum_out)
        NAME(sgd_loop)(k, data, count, false, MOMENTUM_NONE, false);
    else if (how->first)
        NAME(sgd_loop)(k, data, count, decays, MOMENTUM_FIRST, how->nesterov);
    else if (how->nesterov)
        NAME(sgd_loop)(k, data, count, decays, MOMENTUM_MORE, true);
    else if (decays)
        NAME(sgd_loop)(k, data, count, true, MOMENTUM_MORE, false);
    else
        NAME(sgd_loop)(k, data, count, false, MOMENTUM_MORE, false);
}

/* ---- Scaled gradients --------------------------------------------------- */

/* What is infinite or NaN differs from itself by something else than 0. */
static bool NAME(unscale)(const T *in, double factor, T *out, int64_t count)
{
    const T by = (T)factor;
    int found = 0;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++) {
        const T value = in[i];
        found |= value - value != 0;
        out[i] = value * by;
    }
    return found != 0;
}

#undef T
#undef NAME
#undef SQRT
