/* ops/random/random.c - operators that draw random numbers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <dtensor/ops.h>
#include <dtensor/sys/ops_internal.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "base/scope.h"
#include "base/shape.h"
#include "kernel/random/dropout.h"
#include "kernel/random/multinomial.h"
#include "op/call/scratch.h"
#include "op/fail.h"
#include "op/meta.h"
#include "op/schema.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/gradient.h"
#include "ops/helpers/tables.h"
#include "random/draw.h"
#include "tensor/create.h"
#include "tensor/tensor.h"

/* ---- Piece by piece ----------------------------------------------------- */

/* Elements that are drawn at a time. */
enum { block = 1024 };

static dti_random_key key_of(const dt_operation *operation)
{
    return (dti_random_key){operation->random_seed, operation->random_offset};
}

/* What is done with elements that were drawn: `count` of them, the first of
 * which has a local index and is the `done`-th of its rows. */
typedef void (*block_user)(const void *arg, int64_t local, int64_t done,
                           int64_t count);

/* Draw rows: short runs many at a time, long ones piece by piece. */
static void draw_blocks(const dti_draw *draw, const dti_rows *rows, void *drawn,
                        block_user use, const void *arg)
{
    int64_t length = rows->count < block ? rows->count : block;
    int64_t together = block / length;
    for (int64_t row = 0; row < rows->rows; row += together) {
        int64_t left = rows->rows - row;
        int64_t taken = left < together ? left : together;
        for (int64_t at = 0; at < rows->count; at += length) {
            int64_t rest = rows->count - at;
            int64_t count = rest < length ? rest : length;
            int64_t done = row * rows->count + at;
            dti_draw_rows(draw, rows->global + row * rows->stride + at, count,
                          rows->stride, taken, drawn);
            use(arg, rows->local + done, done, count * taken);
        }
    }
}

/* Elements from a local index on, in row-major order: where they lie, or
 * brought together in `room`. */
static const void *elements_of(const dt_array *in, int64_t first, int64_t count,
                               void *room)
{
    if (in->contiguous)
        return (const char *)dti_array_address(in) +
               (size_t)first * dt_dtype_size(in->dtype);
    dti_array_gather(in, first, count, room);
    return room;
}

/* ---- dropout ------------------------------------------------------------ */

static bool is_training(const dt_operation *operation)
{
    return dti_argument_bool(operation, "train");
}

static dt_status dropout_meta(dt_operation *operation)
{
    dt_dtype dtype = operation->metas[0]->dtype;
    if (is_training(operation) && dt_dtype_kind_of(dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "self is %s; expected a floating-point dtype",
                                 dt_dtype_name(dtype));
    return dti_meta_keep_first(operation);
}

/* Drop elements of an array by what is drawn for each. */
typedef struct dropping {
    dti_draw draw;
    const dt_array *in;
    unsigned char *mask; /* of what is kept; NULL: nobody asks */
    double kept;
} dropping;

/* The same with what was drawn, and where the results of these rows go. */
typedef struct dropping_rows {
    const dropping *how;
    unsigned char keep[block];
    char *out;
} dropping_rows;

static void drop_some(const void *arg, int64_t local, int64_t done,
                      int64_t count)
{
    _Alignas(8) char room[block * 8];
    const dropping_rows *at = arg;
    const dt_array *in = at->how->in;
    const size_t item = dt_dtype_size(in->dtype);
    dti_dropout(in->dtype, elements_of(in, local, count, room), at->keep,
                at->how->kept, at->out + (size_t)done * item, count);
    if (at->how->mask)
        memcpy(at->how->mask + local, at->keep, (size_t)count);
}

static void drop_rows(const void *arg, const dti_rows *rows, void *out)
{
    dropping_rows at = {.how = arg, .out = out};
    draw_blocks(&at.how->draw, rows, at.keep, drop_some, &at);
}

static dt_status check_probability(const dt_operation *operation)
{
    const double p = dti_argument_real(operation, "p");
    if (p >= 0 && p <= 1)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "p is %g; expected a probability from 0 to 1", p);
}

static dt_status drop(dt_operation *operation, unsigned char *mask)
{
    const double p = dti_argument_real(operation, "p");
    const dt_array *in = operation->in[0];
    dropping how = {.draw = {.key = key_of(operation),
                             .kind = DTI_BERNOULLI,
                             .dtype = DT_BOOL,
                             .p = 1 - p},
                    .in = in,
                    .mask = mask,
                    .kept = 1 - p};
    DTI_TRY(dti_draw_check(operation->world, &how.draw));
    if (in->count == 0)
        return DT_OK;
    dti_array_wait(in, false);
    return dti_fill_by_rows(operation->out_specs[0], operation->out[0],
                            drop_rows, &how);
}

static dt_status dropout_kernel(dt_operation *operation)
{
    if (is_training(operation))
        return drop(operation, NULL);
    return dt_array_copy(operation->world, operation->in[0], operation->out[0]);
}

/* ---- dropout with its mask ---------------------------------------------- */

static dt_status native_dropout_meta(dt_operation *operation)
{
    DTI_TRY(dropout_meta(operation));
    return dti_meta_add(operation, DT_BOOL, operation->metas[0]->shape);
}

static dt_status native_dropout_kernel(dt_operation *operation)
{
    dt_array *mask = operation->out[1];
    if (is_training(operation))
        return drop(operation, dt_array_data(mask));
    DTI_TRY(
        dt_array_copy(operation->world, operation->in[0], operation->out[0]));
    return dt_array_fill_int(operation->world, mask, 1);
}

static dt_status dropout_backward_meta(dt_operation *operation)
{
    const dt_meta *grad = operation->metas[0], *mask = operation->metas[1];
    if (dt_dtype_kind_of(grad->dtype) != DT_KIND_FLOAT ||
        mask->dtype != DT_BOOL)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "grad_output is %s and mask is %s; expected a "
                                 "floating-point dtype and bool",
                                 dt_dtype_name(grad->dtype),
                                 dt_dtype_name(mask->dtype));
    if (!dt_shape_equal(grad->shape, mask->shape))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "grad_output has shape %s but mask has shape "
                                 "%s; they must be equal",
                                 dti_shape_show(grad->shape).text,
                                 dti_shape_show(mask->shape).text);
    return dti_meta_keep_first(operation);
}

/* Both arrays are in the order in which the results lie, from `out` on. */
static void drop_gradient(const dt_array *grad, const dt_array *mask,
                          double scale, char *out)
{
    _Alignas(8) char room[block * 8];
    unsigned char mask_room[block];
    const size_t item = dt_dtype_size(grad->dtype);
    dti_array_wait(grad, false);
    dti_array_wait(mask, false);
    for (int64_t at = 0; at < grad->count; at += block) {
        const int64_t left = grad->count - at;
        const int64_t count = left < block ? left : block;
        const void *values = elements_of(grad, at, count, room);
        const void *keep = elements_of(mask, at, count, mask_room);
        dti_dropout_backward(grad->dtype, values, keep, scale,
                             out + (size_t)at * item, count);
    }
}

static dt_status dropout_backward_kernel(dt_operation *operation)
{
    dt_array *out = operation->out[0], *grad = NULL, *mask = NULL;
    DTI_TRY(dti_scratch_in_order(operation, operation->in[0], out, &grad));
    DTI_TRY(dti_scratch_in_order(operation, operation->in[1], out, &mask));
    drop_gradient(grad, mask, dti_argument_real(operation, "scale"),
                  dt_array_data(out));
    return DT_OK;
}

static dt_status native_dropout_gradient(dt_backward_call *call)
{
    const double p = call->arguments[1].as.real;
    const bool train = call->arguments[2].as.integer != 0;
    const double scale = !train ? 1 : p == 1 ? 0 : 1 / (1 - p);
    return dti_give_gradient(
        call, 0,
        dt_native_dropout_backward(call->grads[0], call->results[1], scale));
}

/* ---- dropout with a gradient -------------------------------------------- */

/* A gradient needs to know which elements were kept. */
static bool dropout_needs_mask(const dt_operation *operation)
{
    return operation->inputs[0]->gradient &&
           dti_scope_records(operation->world);
}

static dt_status dropout_with_mask(dt_operation *operation)
{
    dt_tensor *self = operation->inputs[0], *mask = NULL;
    const dt_argument *generator = dti_argument(operation, "generator");
    dt_native_dropout_options options = DT_NATIVE_DROPOUT_OPTIONS_INIT;
    options.generator =
        generator->kind == DT_ARG_GENERATOR ? generator->as.generator : NULL;
    DTI_TRY(dt_native_dropout_with(self, dti_argument_real(operation, "p"),
                                   is_training(operation), &options,
                                   &operation->outputs[0], &mask));
    dt_tensor_release_early(mask);
    if (operation->variant != DT_VARIANT_IN_PLACE)
        return DT_OK;
    dt_tensor *dropped = operation->outputs[0];
    operation->outputs[0] = dt_copy_(self, dropped);
    dt_tensor_release_early(dropped);
    return DT_OK;
}

/* ---- Distributions ------------------------------------------------------ */

/* What a row draws with its arguments: its `data`. */
typedef struct drawer {
    void (*set)(const dt_operation *operation, dti_draw *out);
} drawer;

static void set_uniform(const dt_operation *operation, dti_draw *out)
{
    out->kind = DTI_UNIFORM;
    out->low = dti_argument_real(operation, "from");
    out->high = dti_argument_real(operation, "to");
}

static void set_normal(const dt_operation *operation, dti_draw *out)
{
    out->kind = DTI_NORMAL;
    out->mean = dti_argument_real(operation, "mean");
    out->std = dti_argument_real(operation, "std");
}

static void set_log_normal(const dt_operation *operation, dti_draw *out)
{
    set_normal(operation, out);
    out->kind = DTI_LOG_NORMAL;
}

static void set_cauchy(const dt_operation *operation, dti_draw *out)
{
    out->kind = DTI_CAUCHY;
    out->mean = dti_argument_real(operation, "median");
    out->std = dti_argument_real(operation, "sigma");
}

static void set_trunc_normal(const dt_operation *operation, dti_draw *out)
{
    set_normal(operation, out);
    out->kind = DTI_TRUNCATED_NORMAL;
    out->low = dti_argument_real(operation, "a");
    out->high = dti_argument_real(operation, "b");
}

static void set_exponential(const dt_operation *operation, dti_draw *out)
{
    out->kind = DTI_EXPONENTIAL;
    out->rate = dti_argument_real(operation, "lambd");
}

static void set_geometric(const dt_operation *operation, dti_draw *out)
{
    out->kind = DTI_GEOMETRIC;
    out->p = dti_argument_real(operation, "p");
}

static void set_bernoulli(const dt_operation *operation, dti_draw *out)
{
    out->kind = DTI_BERNOULLI;
    out->p = dti_argument_real(operation, "p");
}

static void set_random(const dt_operation *operation, dti_draw *out)
{
    out->kind = DTI_RANDINT;
    out->least = dti_argument_int(operation, "from");
    out->end = dti_argument_int(operation, "to");
}

static dt_status make_draw(const dt_operation *operation, dti_draw *out)
{
    const drawer *by = operation->op->data;
    *out = (dti_draw){.key = key_of(operation),
                      .dtype = operation->metas[0]->dtype};
    by->set(operation, out);
    return dti_draw_check(operation->world, out);
}

static dt_status draw_check(const dt_operation *operation)
{
    dti_draw draw;
    return make_draw(operation, &draw);
}

/* What was there is not read. */
static dt_status draw_kernel(dt_operation *operation)
{
    dti_draw draw;
    DTI_TRY(make_draw(operation, &draw));
    if (operation->out[0]->count == 0)
        return DT_OK;
    return dti_fill_drawn(operation->out_specs[0], operation->out[0], &draw);
}

/* ---- Bernoulli, each element with its own probability ------------------- */

/* The last tensor has the probabilities. */
static dt_status chances_meta(dt_operation *operation)
{
    const dt_meta *self = operation->metas[0];
    const dt_meta *p = operation->metas[operation->input_count - 1];
    dt_shape shape;
    if (dt_dtype_kind_of(p->dtype) != DT_KIND_FLOAT ||
        dt_dtype_kind_of(self->dtype) == DT_KIND_COMPLEX)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "p is %s and self is %s; expected a floating-point p and a self "
            "that is not complex",
            dt_dtype_name(p->dtype), dt_dtype_name(self->dtype));
    DTI_TRY(
        dti_meta_broadcast(operation, 0, operation->input_count - 1, &shape));
    if (!dt_shape_equal(shape, self->shape))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "p of shape %s cannot be broadcast to self, of shape %s",
            dti_shape_show(p->shape).text, dti_shape_show(self->shape).text);
    return dti_meta_keep_first(operation);
}

/* Uniform numbers are drawn, and compared with probabilities. */
typedef struct chances {
    dti_draw draw;
    const dt_array *p; /* of the shape of the results */
    dt_dtype dtype;    /* of the results */
    double *wrong;     /* a probability that is none */
} chances;

typedef struct chance_rows {
    const chances *how;
    double drawn[block];
    char *out;
} chance_rows;

static void take_chances(const void *arg, int64_t local, int64_t done,
                         int64_t count)
{
    _Alignas(8) char room[block * 8];
    const chance_rows *at = arg;
    const dt_array *p = at->how->p;
    const size_t item = dt_dtype_size(at->how->dtype);
    double chance[block];
    unsigned char happens[block];
    dti_cast(elements_of(p, local, count, room), p->dtype, chance, DT_F64,
             count);
    for (int64_t i = 0; i < count; i++) {
        happens[i] = at->drawn[i] < chance[i];
        if (!(chance[i] >= 0 && chance[i] <= 1))
            *at->how->wrong = chance[i];
    }
    dti_cast(happens, DT_BOOL, at->out + (size_t)done * item, at->how->dtype,
             count);
}

static void chance_by_rows(const void *arg, const dti_rows *rows, void *out)
{
    chance_rows at = {.how = arg, .out = out};
    draw_blocks(&at.how->draw, rows, at.drawn, take_chances, &at);
}

static dt_status run_chances(dt_operation *operation, const dt_array *p)
{
    dt_array *out = operation->out[0];
    double wrong = 0;
    chances how = {.draw = {.key = key_of(operation),
                            .kind = DTI_UNIFORM,
                            .dtype = DT_F64,
                            .high = 1},
                   .p = p,
                   .dtype = out->dtype,
                   .wrong = &wrong};
    DTI_TRY(dti_draw_check(operation->world, &how.draw));
    dti_array_wait(p, false);
    DTI_TRY(
        dti_fill_by_rows(operation->out_specs[0], out, chance_by_rows, &how));
    if (wrong == 0)
        return DT_OK;
    return dti_fail_value(operation, dti_inputs_are_everywhere(operation),
                          "p is %g; expected a probability from 0 to 1", wrong);
}

static dt_status chances_kernel(dt_operation *operation)
{
    dt_array *p = operation->in[operation->input_count - 1], *wide = NULL;
    if (operation->out[0]->count == 0)
        return DT_OK;
    DTI_TRY(dti_scratch_expand(operation, p, operation->out[0]->shape, &wide));
    return run_chances(operation, wide);
}

/* ---- Places drawn by weights -------------------------------------------- */

static dt_status multinomial_meta(dt_operation *operation)
{
    const dt_meta *self = operation->metas[0];
    const int64_t picks = dti_argument_int(operation, "num_samples");
    const bool again = dti_argument_bool(operation, "replacement");
    const int ndim = self->shape.ndim;
    if (dt_dtype_kind_of(self->dtype) != DT_KIND_FLOAT || ndim < 1 || ndim > 2)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self is a %s tensor of shape %s; expected a "
                                 "floating-point tensor of 1 or 2 dimensions",
                                 dt_dtype_name(self->dtype),
                                 dti_shape_show(self->shape).text);
    const int64_t places = self->shape.dims[ndim - 1];
    if (places == 0 || picks <= 0 || (!again && picks > places))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "cannot draw %lld of %lld categories%s",
                                 (long long)picks, (long long)places,
                                 again ? "" : " without replacement");
    dt_shape shape = self->shape;
    shape.dims[ndim - 1] = picks;
    return dti_meta_add(operation, DT_I64, shape);
}

/* Places are picked row by row. */
typedef struct picking {
    dti_draw draw;
    const dt_array *weights;
    int64_t count, picks;
    bool again;
    double *row;     /* the weights of one row */
    double *numbers; /* that are drawn for it */
    bool *wrong;     /* there are no such weights */
} picking;

/* Numbers are those of the results, or of the weights, by their index. */
static void pick_row(const picking *how, int64_t local, int64_t global,
                     int64_t *out)
{
    _Alignas(8) char room[block * 8];
    const dt_dtype dtype = how->weights->dtype;
    for (int64_t at = 0; at < how->count; at += block) {
        const int64_t left = how->count - at,
                      count = left < block ? left : block;
        const void *from =
            elements_of(how->weights, local * how->count + at, count, room);
        dti_cast(from, dtype, how->row + at, DT_F64, count);
    }
    const int64_t above = dti_weights_count(how->row, how->count);
    const int64_t each = how->again ? how->picks : how->count;
    memset(out, 0, (size_t)how->picks * sizeof *out);
    *how->wrong |= above < (how->again ? 1 : how->picks);
    if (*how->wrong)
        return;
    dti_draw_run(&how->draw, global * each, each, how->numbers);
    if (how->again)
        dti_pick_by_sums(how->row, how->count, how->numbers, out, how->picks);
    else
        dti_pick_by_times(how->row, how->numbers, how->count, out, how->picks);
}

/* Runs are whole rows: the last dimension is not cut. */
static void pick_rows(const void *arg, const dti_rows *rows, void *out)
{
    const picking *how = arg;
    const int64_t picks = how->picks;
    int64_t *to = out;
    for (int64_t r = 0; r < rows->rows; r++)
        for (int64_t at = 0; at < rows->count; at += picks, to += picks)
            pick_row(how, (rows->local + r * rows->count + at) / picks,
                     (rows->global + r * rows->stride + at) / picks, to);
}

static dt_status multinomial_kernel(dt_operation *operation)
{
    const dt_array *in = operation->in[0];
    const int64_t count = in->shape.dims[in->shape.ndim - 1];
    const int64_t picks = dti_argument_int(operation, "num_samples");
    const bool again = dti_argument_bool(operation, "replacement");
    const size_t bytes = (size_t)(count + (again ? picks : count)) * 8;
    bool wrong = false;
    if (in->count == 0)
        return DT_OK;
    picking how = {.draw = {.key = key_of(operation),
                            .kind = again ? DTI_UNIFORM : DTI_EXPONENTIAL,
                            .dtype = DT_F64,
                            .high = 1,
                            .rate = 1},
                   .weights = in,
                   .count = count,
                   .picks = picks,
                   .again = again,
                   .row = malloc(bytes),
                   .wrong = &wrong};
    if (!how.row)
        return dti_fail_memory(operation->world, bytes, "weights");
    how.numbers = how.row + count;
    dti_array_wait(in, false);
    dt_status status = dti_draw_check(operation->world, &how.draw);
    if (status == DT_OK)
        status = dti_fill_by_rows(operation->out_specs[0], operation->out[0],
                                  pick_rows, &how);
    free(how.row);
    if (status != DT_OK || !wrong)
        return status;
    return dti_fail_value(operation, dti_input_is_everywhere(operation, 0),
                          "a row of self has weights that are negative, "
                          "infinite or NaN, or too few positive ones");
}

/* ---- Rows --------------------------------------------------------------- */

/* All operators that overwrite their first tensor by what they draw. */
#define DRAWS(by)                                                              \
    .rule = "...->...",                                                        \
    .flags = DT_OP_RANDOM | DT_OP_IN_PLACE | DT_OP_NO_READ,                    \
    .meta = dti_meta_keep_first, .check = draw_check, .kernel = draw_kernel,   \
    .gradient = "none", .data = &(const drawer)                                \
    {                                                                          \
        by                                                                     \
    }

const dt_op dti_ops_random[] = {
    {
        .schema = "dropout(Tensor self, float p, bool train, *, "
                  "Generator? generator=None) -> Tensor",
        .about =
            "Set elements to 0 with probability `p` and divide the others by 1 "
            "- p, if `train` is set; the same elements in every layout.",
        .rule = "...->...",
        .permutes = "self unless train",
        .flags = DT_OP_RANDOM | DT_OP_IN_PLACE,
        .meta = dropout_meta,
        .check = check_probability,
        .kernel = dropout_kernel,
        .compose = dropout_with_mask,
        .composes = dropout_needs_mask,
        .samples = "(T[m,n], 0.5, true); (T[m,n], 0.25, false); "
                   "(T[m,3,n], 0.9, true); (T[], 0.5, true)",
        .dtypes = "float",
    },
    {
        .schema = "native_dropout(Tensor input, float p, bool train, *, "
                  "Generator? generator=None) -> (Tensor output, Tensor mask)",
        .about = "Like dropout; also returns the mask of the elements that "
                 "were kept.",
        .rule = "...->...,...",
        .flags = DT_OP_HELPER | DT_OP_RANDOM,
        .meta = native_dropout_meta,
        .check = check_probability,
        .kernel = native_dropout_kernel,
        .gradient = "input: function(mask)",
        .backward = native_dropout_gradient,
        .samples = "(T[m,n], 0.5, true); (T[m,n], 0.25, false); "
                   "(T[m,3,n], 0.9, true); (T[], 0.5, true)",
        .dtypes = "float",
    },
    {
        .schema = "native_dropout_backward(Tensor grad_output, Tensor mask, "
                  "float scale) -> Tensor",
        .about = "Gradient of native_dropout: grad_output * mask * scale.",
        .arguments = "scale: multiplier of the elements that were kept",
        .rule = "...,...->...",
        .linear = "grad_output",
        .flags = DT_OP_OUT,
        .meta = dropout_backward_meta,
        .kernel = dropout_backward_kernel,
        .gradient =
            "grad_output: native_dropout_backward(grad, mask, scale); mask: "
            "none",
        .samples = "(T[m,n], bool[m,n], 2); (T[m], bool[m], -0.5); "
                   "(T[], bool[], 4)",
        .dtypes = "float",
    },
    {
        .schema = "normal(Tensor self, float mean, float std, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "normal_ normal_functional",
        .about = "Draw normal numbers for each element of `self`.",
        DRAWS(set_normal),
        .samples = "(T[m,n], 0, 1); (T[m,3,n], -2, 0.5); (T[], 1, 2)",
        .dtypes = "float complex",
    },
    {
        .schema = "uniform(Tensor self, float from, float to, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "uniform_ uniform",
        .about = "Draw uniform numbers from `from` to below `to` for each "
                 "element of `self`.",
        DRAWS(set_uniform),
        .samples = "(T[m,n], 0, 1); (T[m,3,n], -2, 0.5); (T[], 1, 2)",
        .dtypes = "float complex",
    },
    {
        .schema = "bernoulli(Tensor self, *, Generator? generator=None) -> "
                  "Tensor",
        .about =
            "Draw 1 with the probability given by each element, otherwise 0.",
        .rule = "...->...",
        .flags = DT_OP_RANDOM | DT_OP_OUT,
        .meta = chances_meta,
        .kernel = chances_kernel,
        .gradient = "none",
        .samples = "(T[m,n]<2); (T[m,3,n]<2); (T[]<2)",
        .dtypes = "float",
    },
    {
        .schema = "bernoulli_tensor(Tensor self, Tensor p, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "bernoulli_.Tensor bernoulli.Tensor",
        .about = "Draw 1 with the probability given by each element of `p`, "
                 "otherwise 0, for each element of `self`.",
        .rule = "...,...->...",
        .flags = DT_OP_RANDOM | DT_OP_IN_PLACE | DT_OP_NO_READ,
        .meta = chances_meta,
        .kernel = chances_kernel,
        .gradient = "none",
        .samples = "(T[m,n], f32[m,n]<2); (T[m,3,n], f64[n]<2); "
                   "(T[m], f32[]<2); (T[], bf16[]<2)",
        .dtypes = "float int bool",
    },
    {
        .schema = "bernoulli_scalar(Tensor self, float p, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "bernoulli_.float bernoulli.p",
        .about = "Draw 1 with probability `p`, otherwise 0, for each element "
                 "of `self`.",
        .arguments = "p: probability of 1",
        DRAWS(set_bernoulli),
        .samples = "(T[m,n], 0.5); (T[m,3,n], 0.9); (T[], 0.5)",
        .dtypes = "float int bool",
    },
    {
        .schema = "exponential(Tensor self, float lambd, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "exponential_ exponential",
        .about = "Draw exponentially distributed numbers of rate `lambd` for "
                 "each element of `self`.",
        .arguments = "lambd: rate",
        DRAWS(set_exponential),
        .samples = "(T[m,n], 1); (T[m,3,n], 0.25); (T[], 2)",
        .dtypes = "float",
    },
    {
        .schema = "log_normal(Tensor self, float mean, float std, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "log_normal_ log_normal",
        .about = "Draw log-normal numbers with the given mean and standard "
                 "deviation of the logarithm for each element of `self`.",
        .arguments = "mean: mean of the logarithm; std: standard deviation of "
                     "the logarithm",
        DRAWS(set_log_normal),
        .samples = "(T[m,n], 0, 1); (T[m,3,n], -2, 0.5); (T[], 1, 2)",
        .dtypes = "float",
    },
    {
        .schema = "geometric(Tensor self, float p, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "geometric_ geometric",
        .about = "Draw the number of trials up to the first success, at least "
                 "1, for each element of `self`.",
        .arguments = "p: probability of success",
        DRAWS(set_geometric),
        .samples = "(T[m,n], 0.5); (T[m,3,n], 0.1); (T[], 0.9)",
        .dtypes = "float int",
    },
    {
        .schema = "cauchy(Tensor self, float median, float sigma, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "cauchy_ cauchy",
        .about =
            "Draw numbers of a Cauchy distribution for each element of `self`.",
        DRAWS(set_cauchy),
        .samples = "(T[m,n], 0, 1); (T[m,3,n], -2, 0.5); (T[], 1, 2)",
        .dtypes = "float",
    },
    {
        .schema = "random(Tensor self, int~ from, int~ to, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "random_.from random_.to random.from random.to",
        .about = "Draw integers from `from` to below `to` for each element of "
                 "`self`.",
        DRAWS(set_random),
        .samples = "(T[m,n], 0, 2); (T[m,3,n], 0, 1); (f32[m], -5, 100); "
                   "(i64[m], -1000000, 1000000)",
        .dtypes = "float int bool",
    },
    {
        .schema = "multinomial(Tensor self, int num_samples, bool replacement, "
                  "*, Generator? generator=None) -> Tensor",
        .about = "Draw indexes of each row with its elements as weights; "
                 "without `replacement` they are distinct.",
        .rule = "...n->...s; n whole, s whole",
        .flags = DT_OP_RANDOM | DT_OP_OUT,
        .meta = multinomial_meta,
        .kernel = multinomial_kernel,
        .gradient = "none",
        /* Weights that are not finite fail on the ranks that have them. */
        .samples = "(T[m,4]>0~, 2, false); (T[m,n]>0~, 5, true); "
                   "(T[7]>0~, 7, false)",
        .dtypes = "float",
    },
    {
        .schema = "trunc_normal(Tensor self, float mean, float std, float a, "
                  "float b, *, Generator? generator=None) -> Tensor",
        .aten = "",
        .about = "Fill with normal numbers, truncated to the interval from `a` "
                 "to `b`.",
        DRAWS(set_trunc_normal),
        .samples = "(T[m,n], 0, 1, -2, 2); (T[m,3,n], 1, 0.5, 0, 4); "
                   "(T[], 0, 0.5, -1, 1)",
        .dtypes = "float",
    },
    {0},
};
