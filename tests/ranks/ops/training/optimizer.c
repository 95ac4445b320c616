/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/training/optimizer.c - steps of optimisers over lists, and
 * scaled gradients. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: amp fused */
#include <dtensor/sys/ops_training.h>

#include "op/registry.h"
#include "support/tensors.h"

enum { LISTS = 5, ROWS = 7, COLUMNS = 3, SIZE = ROWS * COLUMNS };

/* What one parameter has: itself, gradient, mean, square, largest square. */
typedef struct state {
    double values[LISTS][SIZE];
} state;

static void fill_state(state *out, int salt)
{
    for (int t = 0; t < LISTS; t++)
        for (int i = 0; i < SIZE; i++) {
            out->values[t][i] = value_at(i * 3 + t * 5 + salt) / 8 + 0.0625;
            if (t > 2)
                out->values[t][i] = fabs(out->values[t][i]);
        }
}

/* Parameters on several meshes, in several layouts. */
typedef struct parameters {
    int count;
    dt_tensor *lists[LISTS][8];
    dt_tensor *steps[8];
    state states[8];
} parameters;

static void add_parameter(parameters *to, dt_mesh *mesh, const char *layout,
                          dt_dtype dtype, dt_tensor *step)
{
    const int at = to->count++;
    fill_state(&to->states[at], at);
    for (int t = 0; t < LISTS; t++)
        to->lists[t][at] =
            tensor_of(mesh, layout, dtype, DT_SHAPE(ROWS, COLUMNS),
                      to->states[at].values[t]);
    to->steps[at] = step;
}

/* All ranks but the last; all of one. */
static dt_mesh *inner_mesh(dt_world *world)
{
    int ranks[64], size = dt_world_size(world);
    int count = size > 1 ? size - 1 : 1;
    dt_mesh *mesh = NULL;
    for (int i = 0; i < count; i++)
        ranks[i] = i;
    CHECK_OK(world, dt_mesh_create_from(world, "y", ranks, count, &mesh));
    return mesh;
}

static dt_tensor *one_of(dt_mesh *mesh, double value)
{
    return dt_full(mesh, "R", DT_F32, DT_SHAPE(), value);
}

static void check_state(dt_tensor *tensor, const double *wanted)
{
    double found[SIZE];
    if (!dt_mesh_is_member(dt_tensor_mesh(tensor)) ||
        !read_tensor(tensor, found))
        return;
    for (int i = 0; i < SIZE; i++)
        if (!CHECKF(fabs(found[i] - wanted[i]) <= 2e-6 * (fabs(wanted[i]) + 1),
                    "element %d: %.9g, not %.9g", i, found[i], wanted[i]))
            return;
}

/* ---- By hand ------------------------------------------------------------ */

static void adam_by_hand(state *of, const dt_fused_adamw_options *how,
                         bool decoupled, double step)
{
    for (int i = 0; i < SIZE; i++) {
        double *p = &of->values[0][i], *m = &of->values[2][i];
        double *v = &of->values[3][i], *x = &of->values[4][i];
        double g = how->maximize ? -of->values[1][i] : of->values[1][i];
        if (decoupled)
            *p *= 1 - how->lr * how->weight_decay;
        else
            g += *p * how->weight_decay;
        *m = how->beta1 * *m + (1 - how->beta1) * g;
        *v = how->beta2 * *v + (1 - how->beta2) * g * g;
        *x = how->amsgrad && *x > *v ? *x : how->amsgrad ? *v : *x;
        const double root =
            sqrt((how->amsgrad ? *x : *v) / (1 - pow(how->beta2, step)));
        *p -= how->lr * (*m / (1 - pow(how->beta1, step))) / (root + how->eps);
    }
}

static void sgd_by_hand(state *of, const dt_fused_sgd_options *how)
{
    for (int i = 0; i < SIZE; i++) {
        double *p = &of->values[0][i], *b = &of->values[2][i];
        double g = how->maximize ? -of->values[1][i] : of->values[1][i];
        g += *p * how->weight_decay;
        if (how->momentum != 0) {
            *b = how->is_first_step
                     ? g
                     : how->momentum * *b + (1 - how->dampening) * g;
            g = how->nesterov ? g + how->momentum * *b : *b;
        }
        *p -= how->lr * g;
    }
}

/* ---- Steps -------------------------------------------------------------- */

static dt_status step_adamw(const parameters *of,
                            const dt_fused_adamw_options *options)
{
    return dt_fused_adamw_with_(
        of->lists[0], of->count, of->lists[1], of->count, of->lists[2],
        of->count, of->lists[3], of->count, of->lists[4],
        options->amsgrad ? of->count : 0, of->steps, of->count, options);
}

/* Two meshes, every layout, steps on another mesh: nothing is sent, and one
 * decision serves all steps (behaviour 79). */
static void steps_adamw_over_lists(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_mesh *inner = inner_mesh(world), *own = dt_world_own_mesh(world);
    for (int amsgrad = 0; amsgrad < 2; amsgrad++) {
        parameters of = {.count = 0};
        dt_fused_adamw_options options = DT_FUSED_ADAMW_OPTIONS_INIT;
        options.amsgrad = amsgrad;
        options.lr = 0.0625;
        options.weight_decay = 0.25;
        options.maximize = amsgrad;
        dt_tensor *step = one_of(f.mesh, 0), *local = one_of(own, 0);
        add_parameter(&of, f.mesh, "S(0)", DT_F32, step);
        add_parameter(&of, f.mesh, "S(1)", DT_F64, step);
        add_parameter(&of, f.mesh, "R", DT_F32, local);
        add_parameter(&of, inner, "S(0)", DT_F32, step);
        size_t known = 0;
        for (int k = 1; k <= 3; k++) {
            CHECK(dt_add_scalar_(step, dt_integer(1)) == step);
            CHECK(dt_add_scalar_(local, dt_integer(1)) == local);
            start_counting(&f);
            CHECK_OK(world, step_adamw(&of, &options));
            check_silent(&f);
            if (k > 1)
                CHECK_INT((long long)dti_operators_of(world)->decisions.count,
                          (long long)known);
            known = dti_operators_of(world)->decisions.count;
            for (int i = 0; i < of.count; i++)
                adam_by_hand(&of.states[i], &options, true, k);
        }
        for (int i = 0; i < of.count; i++)
            for (int t = 0; t < LISTS; t++)
                check_state(of.lists[t][i], of.states[i].values[t]);
    }
    dt_mesh_release(inner);
    close_fixture(&f);
}

/* Weight decay of the gradient, a rate that is a tensor, options left out. */
static void steps_adam(dt_world *world)
{
    fixture f = open_fixture(world);
    parameters of = {.count = 0};
    dt_fused_adam_options options = DT_FUSED_ADAM_OPTIONS_INIT;
    dt_fused_adamw_options same = DT_FUSED_ADAMW_OPTIONS_INIT;
    options.tensor_lr = one_of(f.mesh, 0.5);
    options.weight_decay = same.weight_decay = 0.125;
    same.lr = 0.5;
    add_parameter(&of, f.mesh, "S(0)", DT_F32, one_of(f.mesh, 2));
    CHECK_OK(world, dt_fused_adam_with_(of.lists[0], 1, of.lists[1], 1,
                                        of.lists[2], 1, of.lists[3], 1, NULL, 0,
                                        of.steps, 1, &options));
    adam_by_hand(&of.states[0], &same, false, 2);
    for (int t = 0; t < LISTS; t++)
        check_state(of.lists[t][0], of.states[0].values[t]);
    CHECK_OK(world, dt_fused_adam_(of.lists[0], 1, of.lists[1], 1, of.lists[2],
                                   1, of.lists[3], 1, NULL, 0, of.steps, 1));
    close_fixture(&f);
}

static void steps_sgd_over_lists(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_mesh *inner = inner_mesh(world);
    for (int moves = 0; moves < 3; moves++) {
        parameters of = {.count = 0};
        dt_fused_sgd_options options = DT_FUSED_SGD_OPTIONS_INIT;
        options.lr = 0.25;
        options.weight_decay = 0.5;
        options.momentum = moves ? 0.75 : 0;
        options.dampening = moves == 1 ? 0.5 : 0;
        options.nesterov = moves == 2;
        options.is_first_step = true;
        add_parameter(&of, f.mesh, "S(0)", DT_F32, NULL);
        add_parameter(&of, inner, "R", DT_F32, NULL);
        for (int k = 0; k < 3; k++) {
            start_counting(&f);
            CHECK_OK(world,
                     dt_fused_sgd_with_(of.lists[0], 2, of.lists[1], 2,
                                        of.lists[2], moves ? 2 : 0, &options));
            check_silent(&f);
            for (int i = 0; i < of.count; i++)
                sgd_by_hand(&of.states[i], &options);
            options.is_first_step = false;
        }
        for (int i = 0; i < of.count; i++)
            for (int t = 0; t < 3; t++)
                check_state(of.lists[t][i], of.states[i].values[t]);
    }
    dt_mesh_release(inner);
    close_fixture(&f);
}

/* A gradient that is partial is reduced first, and stays as it is; in strict
 * scopes that is an error. */
static void reduces_partial_gradients(dt_world *world)
{
    fixture f = open_fixture(world);
    parameters of = {.count = 0};
    dt_fused_adamw_options options = DT_FUSED_ADAMW_OPTIONS_INIT;
    add_parameter(&of, f.mesh, "R", DT_F32, one_of(f.mesh, 1));
    of.lists[1][0] = dt_redistribute(of.lists[1][0], "P");
    start_counting(&f);
    CHECK_OK(world, step_adamw(&of, &options));
    if (f.ranks > 1)
        CHECK_INT(calls_counted(&f), 1);
    check_layout(of.lists[1][0], "P(sum)");
    adam_by_hand(&of.states[0], &options, true, 1);
    for (int t = 0; t < LISTS; t++)
        check_state(of.lists[t][0], of.states[0].values[t]);
    if (f.ranks > 1) {
        dt_scope_options mode = DT_SCOPE_OPTIONS_INIT;
        mode.mode = DT_SCOPE_STRICT;
        dt_scope *strict = dt_scope_open_with(world, &mode);
        CHECK_FAILS(world, step_adamw(&of, &options), DT_ERR_INVALID,
                    "adam_step: grad, ");
        DT_IGNORE(dt_scope_close(strict));
    }
    close_fixture(&f);
}

/* Gradients are divided in place; nothing happens if some were infinite. */
static void heeds_scales(dt_world *world)
{
    fixture f = open_fixture(world);
    parameters of = {.count = 0};
    dt_fused_adamw_options options = DT_FUSED_ADAMW_OPTIONS_INIT;
    add_parameter(&of, f.mesh, "S(0)", DT_F32, one_of(f.mesh, 1));
    options.grad_scale = one_of(f.mesh, 4);
    options.found_inf = one_of(f.mesh, 1);
    CHECK_OK(world, step_adamw(&of, &options));
    for (int t = 0; t < LISTS; t++)
        check_state(of.lists[t][0], of.states[0].values[t]);
    options.found_inf = one_of(f.mesh, 0);
    CHECK_OK(world, step_adamw(&of, &options));
    for (int i = 0; i < SIZE; i++)
        of.states[0].values[1][i] /= 4;
    adam_by_hand(&of.states[0], &options, true, 1);
    for (int t = 0; t < LISTS; t++)
        check_state(of.lists[t][0], of.states[0].values[t]);
    close_fixture(&f);
}

/* ---- What is wrong ------------------------------------------------------ */

/* Check that a step fails, and that no list was written. */
static void check_refused(dt_world *world, const parameters *of,
                          const char *why)
{
    dt_fused_adamw_options options = DT_FUSED_ADAMW_OPTIONS_INIT;
    CHECK_FAILS(world, step_adamw(of, &options), DT_ERR_INVALID, why);
    check_state(of->lists[0][0], of->states[0].values[0]);
    check_state(of->lists[2][0], of->states[0].values[2]);
}

static void writes_nothing_if_something_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    parameters of = {.count = 0};
    dt_tensor *step = one_of(f.mesh, 1);
    add_parameter(&of, f.mesh, "S(0)", DT_F32, step);
    add_parameter(&of, f.mesh, "S(0)", DT_F32, step);

    /* Of NULL nothing is said where an error may have led to it. */
    parameters bad = of;
    bad.lists[2][1] = NULL;
    check_refused(world, &bad, "fused_adamw: exp_avgs[1] is NULL");
    bad = of;
    bad.lists[1][1] = dt_ones(f.mesh, "R", DT_F32, DT_SHAPE(COLUMNS, ROWS));
    check_refused(
        world, &bad,
        "adam_step: self is (7, 3) but grad is (3, 7); they must match");
    bad = of;
    bad.lists[3][1] = dt_ones(f.mesh, "R", DT_F64, DT_SHAPE(ROWS, COLUMNS));
    check_refused(world, &bad,
                  "self is f32 but exp_avg_sq is f64; they must match");
    bad = of;
    bad.lists[2][1] = bad.lists[0][1];
    check_refused(world, &bad,
                  "self and exp_avg are both overwritten but share memory");
    bad = of;
    bad.steps[1] = one_of(f.mesh, 0);
    check_refused(world, &bad, "step is 0; steps are counted from 1");
    bad = of;
    bad.steps[1] = dt_ones(f.mesh, "R", DT_F32, DT_SHAPE(2));
    check_refused(world, &bad, "state_steps[1] is f32");
    if (f.ranks > 1) {
        bad = of;
        bad.lists[0][1] = dt_redistribute(of.lists[0][1], "P");
        check_refused(world, &bad, "the result would have layout ");
        bad = of;
        bad.lists[3][1] = dt_redistribute(of.lists[3][1], "S(1)");
        check_refused(world, &bad, "the result would have layout ");
        bad = of;
        bad.steps[1] = dt_full(f.mesh, "P", DT_F32, DT_SHAPE(), 1);
        check_refused(world, &bad, "must be replicated");
        dt_mesh *inner = inner_mesh(world);
        bad = of;
        bad.steps[1] = one_of(inner, 1);
        check_refused(world, &bad, "is on a mesh that lacks some of the ranks");
        dt_mesh_release(inner);
    }
    bad = of;
    bad.count = 1;
    CHECK_FAILS(world,
                dt_fused_adamw_(of.lists[0], 2, of.lists[1], 1, of.lists[2], 2,
                                of.lists[3], 2, NULL, 0, of.steps, 2),
                DT_ERR_INVALID, "self has 2 tensors, but grads has 1");
    CHECK_FAILS(world,
                dt_fused_adamw_(of.lists[0], 1, of.lists[1], 1, of.lists[2], 1,
                                of.lists[3], 1, of.lists[4], 1, of.steps, 1),
                DT_ERR_INVALID, "max_exp_avg_sqs has 1; expected 0");
    close_fixture(&f);
}

static void says_what_is_wrong_with_one_step(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(5));
    dt_tensor *y = dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(5));
    dt_tensor *i = dt_ones(f.mesh, "S(0)", DT_I32, DT_SHAPE(5));
    dt_sgd_step_options options = DT_SGD_STEP_OPTIONS_INIT;
    options.momentum = 0.5;
    CHECK_FAILS(world, dt_sgd_step_with_(x, y, NULL, &options), DT_ERR_INVALID,
                "momentum is 0.5, but momentum_buffer is absent");
    CHECK_FAILS(world, dt_sgd_step_(x, x, y), DT_ERR_INVALID,
                "momentum is 0, but momentum_buffer is given");
    CHECK_FAILS(world, dt_sgd_step_(i, i, NULL), DT_ERR_UNSUPPORTED,
                "expected a floating-point dtype");
    CHECK_FAILS(world,
                dt_op_call(world, "fused_sgd", DT_VARIANT_NEW,
                           &(dt_argument){.kind = DT_ARG_NONE}, 0, NULL, 0,
                           NULL),
                DT_ERR_UNSUPPORTED, "fused_sgd: has only an in-place variant");
    /* A gradient that is the parameter itself is read before it is written. */
    CHECK_OK(world, dt_sgd_step_(x, x, NULL));
    double wanted[5];
    for (int k = 0; k < 5; k++)
        wanted[k] = 0.999;
    check_values(x, wanted, 5);
    close_fixture(&f);
}

/* Parts of one storage, side by side and with gaps. */
static void steps_parts_of_one_storage(dt_world *world)
{
    fixture f = open_fixture(world);
    double values[40], wanted[10];
    for (int k = 0; k < 40; k++)
        values[k] = value_at(k);
    /* What only one rank knows it tells the others, which ends a mesh. */
    dt_tensor *all = tensor_of(dt_world_own_mesh(world), "R", DT_F32,
                               DT_SHAPE(4, 10), values);
    dt_tensor *self = dt_select(all, 0, 0), *grad = dt_select(all, 0, 1);
    CHECK_OK(world, dt_sgd_step_(self, grad, NULL));
    for (int k = 0; k < 10; k++)
        wanted[k] = values[k] - 0.001 * values[10 + k];
    check_values(self, wanted, 10);
    dt_tensor *gaps = dt_select(all, 1, 3), *other = dt_select(all, 1, 4);
    dt_tensor *buffer = dt_select(all, 1, 5);
    dt_sgd_step_options options = DT_SGD_STEP_OPTIONS_INIT;
    options.momentum = 0.5;
    double before[4], after[4], moved[4];
    read_tensor(gaps, before);
    read_tensor(other, wanted);
    read_tensor(buffer, moved);
    CHECK_OK(world, dt_sgd_step_with_(gaps, other, buffer, &options));
    read_tensor(gaps, after);
    for (int k = 0; k < 4; k++) {
        moved[k] = 0.5 * moved[k] + wanted[k];
        CHECK(is_close(after[k], before[k] - 0.001 * moved[k]));
    }
    check_values(buffer, moved, 4);
    /* Columns side by side, and others that share one. */
    dt_tensor *left = dt_slice(all, 1, 0, 4, 1);
    dt_tensor *right = dt_slice(all, 1, 4, 8, 1);
    dt_tensor *middle = dt_slice(all, 1, 3, 7, 1);
    CHECK_OK(world, dt_sgd_step_with_(left, left, right, &options));
    CHECK_FAILS(world, dt_sgd_step_with_(left, left, middle, &options),
                DT_ERR_INVALID, "share memory");
    close_fixture(&f);
}

/* ---- Scaled gradients --------------------------------------------------- */

/* An infinite element of one part is found by all, by one all-reduce. */
static void finds_infinite_gradients(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_mesh *inner = inner_mesh(world);
    for (int where = 0; where < 3; where++) {
        double values[SIZE], wanted[SIZE];
        for (int i = 0; i < SIZE; i++) {
            values[i] = value_at(i);
            wanted[i] = values[i] / 4;
        }
        if (where > 0)
            values[SIZE - 1] = wanted[SIZE - 1] = where == 1 ? HUGE_VAL : NAN;
        dt_tensor *found = one_of(f.mesh, 0), *inverse = one_of(f.mesh, 0.25);
        dt_tensor *grads[] = {
            make_tensor(&f, "S(1)", DT_BF16, DT_SHAPE(4, 3)),
            tensor_of(inner, "S(0)", DT_F32, DT_SHAPE(ROWS, COLUMNS), values),
            make_tensor(&f, "R", DT_F64, DT_SHAPE(2))};
        start_counting(&f);
        CHECK_OK(world, dt_amp_foreach_non_finite_check_and_unscale_(
                            grads, 3, found, inverse));
        if (f.ranks > 1)
            CHECK_INT(calls_counted(&f), 1);
        const double one = where > 0;
        check_values(found, &one, 1);
        if (dt_mesh_is_member(inner))
            check_values(grads[1], wanted, SIZE);
    }
    dt_tensor *found = one_of(inner, 0), *inverse = one_of(f.mesh, 0.25);
    dt_tensor *grads[] = {make_tensor(&f, "R", DT_F32, DT_SHAPE(2))};
    if (f.ranks > 1)
        CHECK_FAILS(world,
                    dt_amp_foreach_non_finite_check_and_unscale_(
                        grads, 1, found, inverse),
                    DT_ERR_INVALID, "self[0] is on ranks");
    dt_mesh_release(inner);
    close_fixture(&f);
}

static void moves_the_scale(dt_world *world)
{
    static const struct {
        double scale, found, scale_after;
        int tracker, tracker_after;
    } cases[] = {
        {8, 0, 8, 0, 1},
        {8, 0, 16, 2, 0},
        {8, 1, 4, 2, 0},
        {8, 2, 4, 0, 0},
        {0x1p127, 0, 0x1p127, 2, 0},
    };
    fixture f = open_fixture(world);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dt_tensor *scale = one_of(f.mesh, cases[i].scale);
        dt_tensor *found = one_of(f.mesh, cases[i].found);
        dt_tensor *tracker =
            dt_full_int(f.mesh, "R", DT_I32, DT_SHAPE(), cases[i].tracker);
        CHECK_OK(world, dt_amp_update_scale_(scale, tracker, found, 2, 0.5, 3));
        check_values(scale, &cases[i].scale_after, 1);
        const double after = cases[i].tracker_after;
        check_values(tracker, &after, 1);
    }
    CHECK_FAILS(world,
                dt_amp_update_scale_(one_of(f.mesh, 1), one_of(f.mesh, 1),
                                     one_of(f.mesh, 1), 2, 0.5, 3),
                DT_ERR_INVALID, "growth_tracker is a f32 tensor of shape ()");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"steps AdamW over lists", steps_adamw_over_lists},
    {"steps Adam", steps_adam},
    {"steps gradient descent over lists", steps_sgd_over_lists},
    {"reduces partial gradients", reduces_partial_gradients},
    {"heeds scales", heeds_scales},
    {"writes nothing if something is wrong",
     writes_nothing_if_something_is_wrong},
    {"says what is wrong with one step", says_what_is_wrong_with_one_step},
    {"steps parts of one storage", steps_parts_of_one_storage},
    {"finds infinite gradients", finds_infinite_gradients},
    {"moves the scale", moves_the_scale},
    {NULL, NULL},
};
