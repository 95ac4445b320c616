/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/loss/loss.c - losses, their gradients, and what they send. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: cross_entropy nll_loss */
#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

enum { ITEMS = 7, CLASSES = 10, LOGITS = ITEMS * CLASSES };

/* ---- What is expected --------------------------------------------------- */

/* Cross-entropy of 7 items and 10 classes, and its gradient. */
typedef struct entropy {
    dt_reduction reduction;
    int64_t ignored;
    double smoothing;
    bool weighted;
} entropy;

typedef struct expected {
    double losses[ITEMS];
    double loss;
    double total;
    double lse[ITEMS];
    double grads[LOGITS]; /* of a gradient of 2, or of 2 + i of item i */
} expected;

static double logit_at(int i, int c)
{
    return value_at(i * CLASSES + c) / 4;
}

static int64_t class_at(int i)
{
    return (i * 3 + 1) % CLASSES;
}

static double weight_at(int c)
{
    return 0.5 + c % 4;
}

static expected expect(const entropy *of)
{
    expected out = {.loss = 0};
    double all = 0, weights[CLASSES];
    for (int c = 0; c < CLASSES; c++)
        all += weights[c] = of->weighted ? weight_at(c) : 1;
    for (int i = 0; i < ITEMS; i++) {
        double sum = 0, smooth = 0;
        const int64_t t = class_at(i);
        for (int c = 0; c < CLASSES; c++)
            sum += exp(logit_at(i, c));
        out.lse[i] = log(sum);
        for (int c = 0; c < CLASSES; c++)
            smooth += weights[c] * (out.lse[i] - logit_at(i, c)) / CLASSES;
        if (t == of->ignored)
            continue;
        out.losses[i] = (1 - of->smoothing) * weights[t] *
                            (out.lse[i] - logit_at(i, (int)t)) +
                        of->smoothing * smooth;
        out.loss += out.losses[i];
        out.total += weights[t];
    }
    const double divisor = of->reduction == DT_REDUCTION_MEAN ? out.total : 1;
    out.loss /= divisor;
    for (int i = 0; i < ITEMS; i++)
        for (int c = 0; c < CLASSES; c++) {
            const int64_t t = class_at(i);
            const double grad =
                of->reduction == DT_REDUCTION_NONE ? 2 + i : 2 / divisor;
            const double softmax = exp(logit_at(i, c) - out.lse[i]);
            const double share = of->smoothing / CLASSES;
            const double picked = (1 - of->smoothing) * weights[t];
            if (t != of->ignored)
                out.grads[i * CLASSES + c] =
                    grad * (softmax * (picked + share * all) -
                            share * weights[c] - (t == c ? picked : 0));
        }
    return out;
}

/* ---- Tensors ------------------------------------------------------------ */

typedef struct batch {
    dt_tensor *self, *target, *weight;
} batch;

static batch make_batch(dt_mesh *mesh, const char *logits, const char *targets,
                        const char *weights)
{
    double values[LOGITS], classes[ITEMS], weight[CLASSES];
    for (int i = 0; i < ITEMS; i++) {
        classes[i] = (double)class_at(i);
        for (int c = 0; c < CLASSES; c++)
            values[i * CLASSES + c] = logit_at(i, c);
    }
    for (int c = 0; c < CLASSES; c++)
        weight[c] = weight_at(c);
    return (batch){
        tensor_of(mesh, logits, DT_F64, DT_SHAPE(ITEMS, CLASSES), values),
        tensor_of(mesh, targets, DT_I64, DT_SHAPE(ITEMS), classes),
        tensor_of(mesh, weights, DT_F64, DT_SHAPE(CLASSES), weight)};
}

static uint64_t reduces(const dt_world *world)
{
    return dt_trace_count(world, DT_ALL_REDUCE).calls;
}

static const entropy entropies[] = {
    {DT_REDUCTION_MEAN, -100, 0, false}, {DT_REDUCTION_MEAN, 4, 0.25, true},
    {DT_REDUCTION_SUM, 4, 0.5, true},    {DT_REDUCTION_SUM, -100, 0, false},
    {DT_REDUCTION_NONE, 7, 0.125, true}, {DT_REDUCTION_NONE, -100, 0, false},
};

static void check_backward(dt_mesh *mesh, const batch *in, const entropy *of,
                           const expected *wanted, const char *scalars,
                           dt_tensor *lse, dt_tensor *total)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_cross_entropy_backward_options options =
        DT_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT;
    const bool each = of->reduction == DT_REDUCTION_NONE;
    double grads[ITEMS] = {2};
    for (int i = 0; each && i < ITEMS; i++)
        grads[i] = 2 + i;
    dt_tensor *grad = tensor_of(mesh, scalars, DT_F64,
                                each ? DT_SHAPE(ITEMS) : DT_SHAPE(), grads);
    options.reduction = of->reduction;
    options.ignore_index = of->ignored;
    options.label_smoothing = of->smoothing;
    const uint64_t calls = calls_so_far(world);
    dt_tensor *back = dt_cross_entropy_backward_with(
        grad, in->self, in->target, of->weighted ? in->weight : NULL, lse,
        total, &options);
    CHECK_INT((long long)(calls_so_far(world) - calls), 0);
    check_values(back, wanted->grads, LOGITS);
}

/* Forward and back; `budget` all-reduces and nothing else are made forward. */
static void check_entropy(dt_mesh *mesh, const batch *in, const entropy *of,
                          long long budget)
{
    dt_world *world = dt_mesh_world(mesh);
    const expected wanted = expect(of);
    dt_cross_entropy_forward_options options =
        DT_CROSS_ENTROPY_FORWARD_OPTIONS_INIT;
    dt_tensor *loss = NULL, *lse = NULL, *total = NULL;
    const bool each = of->reduction == DT_REDUCTION_NONE;
    options.reduction = of->reduction;
    options.ignore_index = of->ignored;
    options.label_smoothing = of->smoothing;
    const uint64_t calls = calls_so_far(world), before = reduces(world);
    CHECK_OK(world, dt_cross_entropy_forward_with(
                        in->self, in->target, of->weighted ? in->weight : NULL,
                        &options, &loss, &lse, &total));
    CHECK_INT((long long)(reduces(world) - before), budget);
    CHECK_INT((long long)(calls_so_far(world) - calls), budget);
    check_values(loss, each ? wanted.losses : &wanted.loss, each ? ITEMS : 1);
    check_values(lse, wanted.lse, ITEMS);
    check_values(total, &wanted.total, 1);
    check_backward(mesh, in, of, &wanted, each ? "R" : "R", lse, total);
}

/* ---- Cross-entropy ------------------------------------------------------ */

/* Logits that are cut along the classes: three small all-reduces. */
static void parallel_losses(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(entropies); i++) {
        fixture f = open_fixture(world);
        const batch in = make_batch(f.mesh, "S(1)", "R", "R");
        check_entropy(f.mesh, &in, &entropies[i], f.ranks > 1 ? 3 : 0);
        close_fixture(&f);
    }
}

/* Items that are cut: one all-reduce of two numbers for a mean. */
static void spread_losses(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(entropies); i++) {
        fixture f = open_fixture(world);
        const bool mean = entropies[i].reduction == DT_REDUCTION_MEAN;
        const batch in = make_batch(f.mesh, "S(0)", "S(0)", "R");
        check_entropy(f.mesh, &in, &entropies[i], mean && f.ranks > 1 ? 1 : 0);
        close_fixture(&f);
    }
}

/* Both on a grid: a mean of PyTorch's DTensor is not possible there. */
static void losses_on_a_grid(dt_world *world)
{
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) != 4)
        return;
    CHECK_OK(world, dt_mesh_create(world, "dp=2,tp=2", &mesh));
    for (size_t i = 0; i < COUNT_OF(entropies); i++) {
        dt_scope *scope = dt_scope_open(world);
        const expected wanted = expect(&entropies[i]);
        const batch in = make_batch(mesh, "S(0)S(1)", "S(0)R", "RR");
        dt_cross_entropy_loss_options options =
            DT_CROSS_ENTROPY_LOSS_OPTIONS_INIT;
        const bool each = entropies[i].reduction == DT_REDUCTION_NONE;
        options.reduction = entropies[i].reduction;
        options.ignore_index = entropies[i].ignored;
        options.label_smoothing = entropies[i].smoothing;
        const uint64_t calls = calls_so_far(world);
        dt_tensor *loss = dt_cross_entropy_loss_with(
            in.self, in.target, entropies[i].weighted ? in.weight : NULL,
            &options);
        CHECK_INT((long long)(calls_so_far(world) - calls), 3);
        check_layout(loss, each                                    ? "S(0)R"
                           : options.reduction == DT_REDUCTION_SUM ? "P(sum)R"
                                                                   : "RR");
        check_values(loss, each ? wanted.losses : &wanted.loss,
                     each ? ITEMS : 1);
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
}

/* What nothing weighs has no mean; NaN of one item stays its own. */
static void empty_and_nan(dt_world *world)
{
    fixture f = open_fixture(world);
    const double unknown = NAN, nothing = 0;
    double values[LOGITS] = {0}, classes[ITEMS], wanted[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        classes[i] = 3;
        wanted[i] = log(CLASSES);
    }
    values[2 * CLASSES + 9] = NAN;
    wanted[2] = NAN;
    dt_tensor *self =
        tensor_of(f.mesh, "S(1)", DT_F64, DT_SHAPE(ITEMS, CLASSES), values);
    dt_tensor *target =
        tensor_of(f.mesh, "R", DT_I64, DT_SHAPE(ITEMS), classes);
    dt_cross_entropy_loss_options options = DT_CROSS_ENTROPY_LOSS_OPTIONS_INIT;
    options.reduction = DT_REDUCTION_NONE;
    check_values(dt_cross_entropy_loss_with(self, target, NULL, &options),
                 wanted, ITEMS);
    options.reduction = DT_REDUCTION_MEAN;
    options.ignore_index = 3;
    check_values(dt_cross_entropy_loss_with(self, target, NULL, &options),
                 &unknown, 1);
    options.reduction = DT_REDUCTION_SUM;
    check_values(dt_cross_entropy_loss_with(self, target, NULL, &options),
                 &nothing, 1);
    close_fixture(&f);
}

/* Probabilities in place of classes: as a class if one of them is 1. */
static void probabilities(dt_world *world)
{
    const entropy of = {DT_REDUCTION_MEAN, -100, 0.25, false};
    const expected wanted = expect(&of);
    static const char *const layouts[] = {"R", "S(0)", "S(1)"};
    for (size_t k = 0; k < COUNT_OF(layouts); k++) {
        fixture f = open_fixture(world);
        double values[LOGITS] = {0};
        const batch in = make_batch(f.mesh, layouts[k], "R", "R");
        for (int i = 0; i < ITEMS; i++)
            values[i * CLASSES + class_at(i)] = 1;
        dt_tensor *target = tensor_of(f.mesh, layouts[k], DT_F64,
                                      DT_SHAPE(ITEMS, CLASSES), values);
        dt_cross_entropy_loss_options options =
            DT_CROSS_ENTROPY_LOSS_OPTIONS_INIT;
        options.label_smoothing = of.smoothing;
        check_values(
            dt_cross_entropy_loss_with(in.self, target, NULL, &options),
            &wanted.loss, 1);
        close_fixture(&f);
    }
}

/* ---- nll_loss ----------------------------------------------------------- */

/* Means of parts that weigh different amounts are not averaged. */
static void nll_losses(dt_world *world)
{
    static const char *const layouts[][2] = {
        {"R", "R"}, {"S(0)", "S(0)"}, {"S(1)", "R"}, {"S(0)", "R"}};
    for (size_t k = 0; k < COUNT_OF(layouts); k++) {
        fixture f = open_fixture(world);
        const batch in = make_batch(f.mesh, layouts[k][0], layouts[k][1], "R");
        double sum = 0, total = 0, grads[LOGITS] = {0};
        for (int i = 0; i < ITEMS; i++) {
            const int c = (int)class_at(i);
            sum -= weight_at(c) * logit_at(i, c);
            total += weight_at(c);
        }
        const double mean = sum / total, two = 2;
        dt_tensor *loss = NULL, *weighs = NULL;
        const uint64_t calls = calls_so_far(world);
        CHECK_OK(world,
                 dt_nll_loss(in.self, in.target, in.weight, &loss, &weighs));
        CHECK_INT((long long)(calls_so_far(world) - calls),
                  f.ranks > 1 && k > 0);
        check_values(loss, &mean, 1);
        check_values(weighs, &total, 1);
        for (int i = 0; i < ITEMS; i++)
            grads[i * CLASSES + class_at(i)] =
                -2 * weight_at((int)class_at(i)) / total;
        dt_tensor *grad = tensor_of(f.mesh, "R", DT_F64, DT_SHAPE(), &two);
        start_counting(&f);
        dt_tensor *back =
            dt_nll_loss_backward(grad, in.self, in.target, in.weight,
                                 DT_REDUCTION_MEAN, -100, weighs);
        check_silent(&f);
        check_layout(back, layouts[k][0]);
        check_values(back, grads, LOGITS);
        close_fixture(&f);
    }
}

/* ---- Losses of elements ------------------------------------------------- */

/* Nothing is sent for a mean of shards that are uneven. */
static void element_losses(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t count = 3 * f.ranks + 1;
    double a[ELEMENTS_MAX], b[ELEMENTS_MAX], squares = 0, absolute = 0;
    for (int64_t i = 0; i < count; i++) {
        a[i] = value_at(i);
        b[i] = value_at(i + 5);
        squares += (a[i] - b[i]) * (a[i] - b[i]) / (double)count;
        absolute += fabs(a[i] - b[i]) / (double)count;
    }
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F64, DT_SHAPE(count), a);
    dt_tensor *y = tensor_of(f.mesh, "S(0)", DT_F64, DT_SHAPE(count), b);
    start_counting(&f);
    dt_tensor *mse = dt_mse_loss(x, y), *l1 = dt_l1_loss(x, y);
    check_silent(&f);
    check_layout(mse, "P(sum)");
    check_layout(l1, "P(sum)");
    check_values(mse, &squares, 1);
    check_values(l1, &absolute, 1);
    const double one = 1;
    dt_tensor *grad = tensor_of(f.mesh, "R", DT_F64, DT_SHAPE(), &one);
    start_counting(&f);
    dt_tensor *back = dt_mse_loss_backward(grad, x, y, DT_REDUCTION_MEAN);
    check_silent(&f);
    check_layout(back, "S(0)");
    for (int64_t i = 0; i < count; i++)
        a[i] = 2 * (a[i] - b[i]) / (double)count;
    check_values(back, a, count);
    close_fixture(&f);
}

/* Slopes against what losses differ by. */
static void slopes(dt_world *world)
{
    fixture f = open_fixture(world);
    enum { COUNT = 12 };
    const double step = 1e-6, one = 1;
    double x[COUNT], y[COUNT], up[COUNT], down[COUNT];
    for (int i = 0; i < COUNT; i++) {
        x[i] = 0.05 + 0.07 * i;
        y[i] = 0.9 - 0.06 * i;
        up[i] = x[i] + step;
        down[i] = x[i] - step;
    }
    dt_tensor *t[3];
    const double *values[] = {x, up, down};
    for (int i = 0; i < 3; i++)
        t[i] = tensor_of(f.mesh, "S(0)", DT_F64, DT_SHAPE(COUNT), values[i]);
    dt_tensor *target = tensor_of(f.mesh, "S(0)", DT_F64, DT_SHAPE(COUNT), y);
    dt_tensor *grad = tensor_of(f.mesh, "R", DT_F64, DT_SHAPE(), &one);
    for (int kind = 0; kind < 6; kind++) {
        dt_tensor *made[3], *slope = NULL;
        double high[COUNT], low[COUNT], wanted[COUNT];
        for (int i = 0; i < 3; i++) {
            dt_mse_loss_options mse = DT_MSE_LOSS_OPTIONS_INIT;
            dt_smooth_l1_loss_options smooth = DT_SMOOTH_L1_LOSS_OPTIONS_INIT;
            dt_huber_loss_options huber = DT_HUBER_LOSS_OPTIONS_INIT;
            dt_binary_cross_entropy_options bce =
                DT_BINARY_CROSS_ENTROPY_OPTIONS_INIT;
            dt_binary_cross_entropy_with_logits_options logits =
                DT_BINARY_CROSS_ENTROPY_WITH_LOGITS_OPTIONS_INIT;
            dt_kl_div_options kl = DT_KL_DIV_OPTIONS_INIT;
            mse.reduction = smooth.reduction = huber.reduction = bce.reduction =
                logits.reduction = kl.reduction = DT_REDUCTION_NONE;
            smooth.beta = huber.delta = 0.3;
            made[i] =
                kind == 0   ? dt_mse_loss_with(t[i], target, &mse)
                : kind == 1 ? dt_smooth_l1_loss_with(t[i], target, &smooth)
                : kind == 2 ? dt_huber_loss_with(t[i], target, &huber)
                : kind == 3
                    ? dt_binary_cross_entropy_with(t[i], target, NULL, &bce)
                : kind == 4 ? dt_binary_cross_entropy_with_logits_with(
                                  t[i], target, NULL, target, &logits)
                            : dt_kl_div_with(t[i], target, &kl);
        }
        dt_binary_cross_entropy_backward_options bce =
            DT_BINARY_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT;
        dt_binary_cross_entropy_logits_backward_options logits =
            DT_BINARY_CROSS_ENTROPY_LOGITS_BACKWARD_OPTIONS_INIT;
        dt_kl_div_backward_options kl = DT_KL_DIV_BACKWARD_OPTIONS_INIT;
        bce.reduction = logits.reduction = kl.reduction = DT_REDUCTION_SUM;
        slope = kind == 0 ? dt_mse_loss_backward(grad, t[0], target, 2)
                : kind == 1
                    ? dt_smooth_l1_loss_backward(grad, t[0], target, 2, 0.3)
                : kind == 2 ? dt_huber_loss_backward(grad, t[0], target, 2, 0.3)
                : kind == 3 ? dt_binary_cross_entropy_backward_with(
                                  grad, t[0], target, NULL, &bce)
                : kind == 4 ? dt_binary_cross_entropy_logits_backward_with(
                                  grad, t[0], target, NULL, target, &logits)
                            : dt_kl_div_backward_with(grad, t[0], target, &kl);
        if (!read_tensor(made[1], high) || !read_tensor(made[2], low))
            continue;
        for (int i = 0; i < COUNT; i++)
            wanted[i] = (high[i] - low[i]) / (2 * step);
        double found[COUNT];
        if (read_tensor(slope, found))
            for (int i = 0; i < COUNT; i++)
                CHECKF(fabs(found[i] - wanted[i]) <=
                           1e-6 * (1 + fabs(wanted[i])),
                       "loss %d, element %d: %.9g, not %.9g", kind, i, found[i],
                       wanted[i]);
    }
    close_fixture(&f);
}

/* ---- What is wrong ------------------------------------------------------ */

/* Parts of one element are multiplied in the order that others are. */
static void slopes_of_single_elements(dt_world *world)
{
    fixture f = open_fixture(world);
    enum { SINGLES = 7 };
    dt_binary_cross_entropy_backward_options options =
        DT_BINARY_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT;
    const char *const layouts[] = {"R", "S(0)"};
    const double none = 0;
    double grads[SINGLES], x[SINGLES], y[SINGLES], weights[SINGLES];
    dt_tensor *made[2];
    for (int i = 0; i < SINGLES; i++) {
        grads[i] = 1.1 + i / 3.0;
        x[i] = (i + 1) / 9.0;
        y[i] = i / 7.0;
        weights[i] = 0.3 + i / 11.0;
    }
    options.reduction = DT_REDUCTION_NONE;
    for (int i = 0; i < 2; i++) {
        const dt_shape shape = DT_SHAPE(SINGLES);
        made[i] = dt_binary_cross_entropy_backward_with(
            tensor_of(f.mesh, layouts[i], DT_F32, shape, grads),
            tensor_of(f.mesh, layouts[i], DT_F32, shape, x),
            tensor_of(f.mesh, layouts[i], DT_F32, shape, y),
            tensor_of(f.mesh, layouts[i], DT_F32, shape, weights), &options);
    }
    check_values(dt_count_nonzero(dt_ne(made[0], made[1]), DT_DIMS()), &none,
                 1);
    close_fixture(&f);
}

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    const batch in = make_batch(f.mesh, "R", "R", "R");
    dt_tensor *loss = NULL, *total = NULL;
    dt_nll_loss_options nll = DT_NLL_LOSS_OPTIONS_INIT;
    dt_cross_entropy_loss_options options = DT_CROSS_ENTROPY_LOSS_OPTIONS_INIT;
    CHECK_FAILS(world, dt_nll_loss(in.target, in.target, NULL, &loss, &total),
                DT_ERR_UNSUPPORTED, "nll_loss: self is i64");
    CHECK_FAILS(world, dt_nll_loss(in.weight, in.target, NULL, &loss, &total),
                DT_ERR_INVALID,
                "nll_loss: target has shape (7,), which does not match self, "
                "of shape (10,)");
    nll.reduction = 3;
    CHECK_FAILS(world,
                dt_nll_loss_with(in.self, in.target, NULL, &nll, &loss, &total),
                DT_ERR_INVALID, "nll_loss: reduction is 3");
    options.label_smoothing = 1.5;
    CHECK_FAILS(world,
                status_of(world, dt_cross_entropy_loss_with(in.self, in.target,
                                                            NULL, &options)),
                DT_ERR_INVALID, "label_smoothing is 1.5");
    CHECK_FAILS(world, status_of(world, dt_mse_loss(in.target, in.target)),
                DT_ERR_UNSUPPORTED, "mse_loss: not supported for dtype i64");
    dt_huber_loss_options huber = DT_HUBER_LOSS_OPTIONS_INIT;
    huber.delta = 0;
    CHECK_FAILS(world,
                status_of(world, dt_huber_loss_with(in.self, in.self, &huber)),
                DT_ERR_INVALID, "huber_loss: delta is 0");
    close_fixture(&f);
}

static void says_which_value_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    const double classes[] = {0, 4, 2}, numbers[] = {0.5, 1.5, 0.25};
    dt_tensor *self = make_tensor(&f, "R", DT_F32, DT_SHAPE(3, 4));
    dt_tensor *target = tensor_of(f.mesh, "R", DT_I64, DT_SHAPE(3), classes);
    dt_tensor *x = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(3), numbers);
    CHECK_FAILS(world,
                status_of(world, dt_cross_entropy_loss(self, target, NULL)),
                DT_ERR_INVALID, "index 4 is out of range for dimension 1");
    CHECK_FAILS(world, status_of(world, dt_binary_cross_entropy(x, x, NULL)),
                DT_ERR_INVALID,
                "self has the element 1.5; expected a probability from 0 to 1");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"100: loss-parallel cross-entropy is three all-reduces", parallel_losses},
    {"73: means of items that are spread gather nothing", spread_losses},
    {"cross-entropy on a grid", losses_on_a_grid},
    {"nothing that weighs, and NaN", empty_and_nan},
    {"probabilities of classes", probabilities},
    {"nll_loss", nll_losses},
    {"losses of elements", element_losses},
    {"slopes of losses", slopes},
    {"slopes of single elements", slopes_of_single_elements},
    {"says what is wrong", says_what_is_wrong},
    {"says which value is wrong", says_which_value_is_wrong},
    {NULL, NULL},
};
