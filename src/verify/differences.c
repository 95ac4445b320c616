/* verify/differences.c - gradients on one rank, against finite differences. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/autograd.h>

#include "base/error.h"
#include "base/hash.h"
#include "verify/gradient.h"
#include "verify/verifier.h"

/* Elements of one variable that are tried, at most. */
#define MOST_ELEMENTS 48
#define VARIABLES (DTI_TRIAL_INPUTS + DTI_TRIAL_RESULTS)

/* A function of variables: a call of its inputs, or the gradients of a call as
 * a function of its inputs and of the gradients of its results. */
typedef struct function {
    dti_trial *trial;
    int order; /* 1: the call; 2: its gradients */
    int count;
    dti_trial_input variables[VARIABLES];
} function;

/* Values of a function, and what each element counts. */
typedef struct values {
    int count;
    bool finite; /* all of them are */
    dti_elements of[VARIABLES];
    dti_elements weights[VARIABLES]; /* 0 where a value is not finite */
} values;

typedef struct check {
    const dti_verifier *with;
    dti_operator *op;
    dti_report_row *row;
    dti_sample sample;
    dti_trial trial;
    unsigned long long random;
    function at;
    double step;     /* of a difference */
    double rounding; /* of the dtypes */
} check;

/* ---- Functions ---------------------------------------------------------- */

/* Tell whether differences can be taken of a dtype. */
static bool has_step(dt_dtype dtype)
{
    return dtype == DT_F64 || dtype == DT_F32 || dtype == DT_C64;
}

static function function_of(dti_trial *trial, int order)
{
    function out = {
        .trial = trial, .order = order, .count = trial->input_count};
    memcpy(out.variables, trial->inputs,
           (size_t)trial->input_count * sizeof *trial->inputs);
    for (int i = 0; order == 2 && i < trial->result_count; i++)
        out.variables[out.count++] = dti_trial_seed(&trial->results[i], i);
    return out;
}

static dt_status make_variables(const function *of, dt_tensor **out)
{
    for (int i = 0; i < of->count; i++) {
        out[i] = dti_trial_own_tensor(of->trial->world, &of->variables[i]);
        if (!out[i] && of->variables[i].present)
            return dt_world_error(of->trial->world)->code;
    }
    return DT_OK;
}

/* Make variables leaves: the first `count` of them. */
static void make_leaves(const function *of, int count, dt_tensor **variables)
{
    for (int i = 0; i < count; i++)
        if (dti_input_has_gradient(&of->variables[i]))
            dt_requires_grad(variables[i]);
}

/* Compute the values of a function, NULL among them if it has fewer. */
static dt_status compute(const function *of, dt_tensor *const *variables,
                         dt_tensor **out, int *count)
{
    dt_tensor *results[DTI_TRIAL_RESULTS];
    dti_trial *trial = of->trial;
    if (of->order == 1)
        return dti_trial_call(trial, DT_VARIANT_NEW, variables, out, count);
    int result_count = 0;
    DT_TRY(dti_trial_call(trial, DT_VARIANT_NEW, variables, results,
                          &result_count));
    const dti_gradient_call call = {.world = trial->world,
                                    .output_count = result_count,
                                    .outputs = results,
                                    .seeds = variables + trial->input_count,
                                    .leaf_count = trial->input_count,
                                    .leaves = variables,
                                    .differentiable = true};
    *count = trial->input_count;
    return dti_gradient_compute(&call, out);
}

/* ---- Values ------------------------------------------------------------- */

static void free_values(values *of)
{
    for (int i = 0; i < of->count; i++) {
        dti_elements_free(&of->of[i]);
        dti_elements_free(&of->weights[i]);
    }
    of->count = 0;
}

static dti_trial_input weight_of(const dt_tensor *tensor, int number)
{
    return dti_trial_seed(dt_spec_meta(dt_tensor_spec(tensor)), number + 20);
}

/* Let values that are not finite count nothing. */
static void leave_out(values *of, int number, dt_tensor *weight)
{
    const dti_elements *from = &of->of[number];
    void *data = dt_array_data(dt_tensor_local(weight));
    for (int64_t i = 0; i < from->count * from->width; i++) {
        if (isfinite(from->reals[i]))
            continue;
        of->finite = false;
        if (from->dtype == DT_F64)
            ((double *)data)[i] = 0;
        else
            ((float *)data)[i] = 0;
    }
}

/* Tell whether a result counts: one that its row computes no gradient of,
 * beside others, such as the mean of a norm, does not. */
static bool counts(dt_tensor *const *tensors, int count, int number)
{
    bool some = false;
    if (!tensors[number] || !has_step(dt_tensor_dtype(tensors[number])))
        return false;
    for (int i = 0; i < count; i++)
        some |= dt_tensor_requires_grad(tensors[i]);
    return !some || dt_tensor_requires_grad(tensors[number]);
}

/* Read values, and make the weights of those that have a gradient. */
static dt_status read_values(dt_world *world, dt_tensor *const *tensors,
                             int count, values *out, dt_tensor **weights)
{
    out->count = count;
    out->finite = true;
    for (int i = 0; i < count; i++) {
        weights[i] = NULL;
        if (!counts(tensors, count, i))
            continue;
        const dti_trial_input facts = weight_of(tensors[i], i);
        weights[i] = dti_trial_own_tensor(world, &facts);
        if (!weights[i] ||
            !dti_elements_read(world, dt_tensor_local(tensors[i]), &out->of[i]))
            return DT_ERR_NO_MEMORY;
        leave_out(out, i, weights[i]);
        if (!dti_elements_read(world, dt_tensor_local(weights[i]),
                               &out->weights[i]))
            return DT_ERR_NO_MEMORY;
    }
    return DT_OK;
}

/* The inner product of the weights and of the difference to a tensor. */
static double inner_product(dt_world *world, const values *base,
                            dt_tensor *const *tensors)
{
    double sum = 0;
    for (int i = 0; i < base->count; i++) {
        dti_elements now;
        if (!base->of[i].reals || !tensors[i])
            continue;
        if (!dti_elements_read(world, dt_tensor_local(tensors[i]), &now))
            return NAN;
        for (int64_t k = 0; k < now.count * now.width; k++)
            if (base->weights[i].reals[k] != 0)
                sum += base->weights[i].reals[k] *
                       (now.reals[k] - base->of[i].reals[k]);
        dti_elements_free(&now);
    }
    return sum;
}

/* The size of what is summed in an inner product. */
static double magnitude_of(const values *base)
{
    double out = 0;
    for (int i = 0; i < base->count; i++)
        for (int64_t k = 0;
             base->of[i].reals && k < base->of[i].count * base->of[i].width;
             k++)
            if (isfinite(base->of[i].reals[k]))
                out += fabs(base->weights[i].reals[k] * base->of[i].reals[k]);
    return out;
}

/* ---- Differences -------------------------------------------------------- */

/* Add to a number of a tensor that nothing else reads. */
static void add_to_number(dt_tensor *tensor, int64_t number, double step)
{
    void *data = dt_array_data(dt_tensor_local(tensor));
    if (dt_tensor_dtype(tensor) == DT_F64)
        ((double *)data)[number] += step;
    else
        ((float *)data)[number] += (float)step;
}

/* How far the inner product is from that of the base if one number of a
 * variable is changed. */
static double moved(check *on, const values *base, int variable, int64_t number,
                    double step)
{
    dt_tensor *variables[VARIABLES], *out[VARIABLES] = {NULL};
    dt_world *world = on->with->world;
    int count = 0;
    double sum = NAN;
    dt_scope *scope = dt_scope_open(world);
    if (make_variables(&on->at, variables) == DT_OK) {
        add_to_number(variables[variable], number, step);
        if (on->at.order == 2)
            make_leaves(&on->at, on->trial.input_count, variables);
        if (compute(&on->at, variables, out, &count) == DT_OK)
            sum = inner_product(world, base, out);
    }
    DT_IGNORE(dt_scope_close(scope));
    return sum;
}

/* The derivative by one number, by four values around it. */
static double derivative(check *on, const values *base, int variable,
                         int64_t number)
{
    const double h = on->step;
    const double near = moved(on, base, variable, number, h) -
                        moved(on, base, variable, number, -h);
    const double far = moved(on, base, variable, number, 2 * h) -
                       moved(on, base, variable, number, -2 * h);
    return (8 * near - far) / (12 * h);
}

/* The step for the dtypes of all variables and values.  Elements are odd
 * multiples of 1/512: no step reaches 0, a whole number or another element. */
static void choose_step(check *on, const values *base)
{
    on->step = ldexp(1, -16);
    on->rounding = DBL_EPSILON;
    for (int i = 0; i < on->at.count + base->count; i++) {
        const bool variable = i < on->at.count;
        const dt_dtype dtype = variable ? on->at.variables[i].meta.dtype
                                        : base->of[i - on->at.count].dtype;
        const bool counts = variable
                                ? dti_input_has_gradient(&on->at.variables[i])
                                : base->of[i - on->at.count].reals != NULL;
        if (counts && dtype != DT_F64) {
            on->step = ldexp(1, -11);
            on->rounding = FLT_EPSILON;
        }
    }
}

/* Tell whether all that has gradients has bits enough for differences. */
static bool is_fine(const dti_trial *at)
{
    for (int i = 0; i < at->input_count; i++)
        if (dti_input_has_gradient(&at->inputs[i]) &&
            !has_step(at->inputs[i].meta.dtype))
            return false;
    for (int i = 0; i < at->result_count; i++)
        if (dti_dtype_has_gradient(at->results[i].dtype) &&
            !has_step(at->results[i].dtype))
            return false;
    return true;
}

/* ---- Comparing ---------------------------------------------------------- */

static const char *name_of(const check *on, int variable)
{
    const dti_schema *schema = &on->op->schema;
    const int last = schema->tensor_count - 1;
    if (variable >= on->trial.input_count)
        return "grad";
    return schema
        ->parameters[schema->tensors[variable < last ? variable : last]]
        .name;
}

static bool is_near(const check *on, double wanted, double found,
                    double magnitude)
{
    const double scale = fmax(1, fmax(fabs(wanted), fabs(found)));
    const double relative = on->rounding == DBL_EPSILON ? 1e-6 : 5e-3;
    return fabs(wanted - found) <=
           relative * scale + 16 * on->rounding * magnitude / on->step;
}

/* Tell what is wrong with one element, unless it is explained: by "src" if the
 * gradient is another number, by "src=0" if it is 0 and should not be, by
 * "src!=0" the other way round. */
static void tell(check *on, int variable, int64_t number, double wanted,
                 double found)
{
    char text[DTI_REPORT_LINE], what[DTI_REPORT_TEXT];
    dti_writer to = {text, sizeof text, 0};
    const char *kind = found == 0 ? "=0" : fabs(wanted) < 1e-6 ? "!=0" : "";
    snprintf(what, sizeof what, "%s%s%s", name_of(on, variable), kind,
             on->at.order == 2 ? ", second" : "");
    dti_trial_show(&on->trial, NULL, NULL, &to);
    dti_put(&to,
            ": input %d, number %lld: the gradient is %.9g, but "
            "differences give %.9g",
            variable, (long long)number, found, wanted);
    dti_report_gradient(on->with->world, on->with->report, on->row, what, text);
}

/* Compare the gradient by one variable with differences. */
static void check_variable(check *on, const values *base, int variable,
                           const dti_elements *gradient)
{
    const dt_meta *meta = &on->at.variables[variable].meta;
    const int64_t count =
        dt_shape_count(meta->shape) * (meta->dtype == DT_C64 ? 2 : 1);
    const int64_t stride = 1 + count / MOST_ELEMENTS;
    const double magnitude = magnitude_of(base);
    for (int64_t i = 0; i < count; i += stride) {
        const double found = gradient->reals ? gradient->reals[i] : 0;
        const double wanted = derivative(on, base, variable, i);
        /* Beside values that are not finite, 0 times infinity. */
        if (!base->finite && !isfinite(found))
            continue;
        if (!is_near(on, wanted, found, magnitude))
            tell(on, variable, i, wanted, found);
    }
}

static void fail(check *on, const char *why)
{
    char text[DTI_REPORT_LINE];
    dti_writer to = {text, sizeof text, 0};
    dti_trial_show(&on->trial, NULL, NULL, &to);
    dti_put(&to, ": %s: %s", why, dt_world_error(on->with->world)->message);
    dti_report_gradient(on->with->world, on->with->report, on->row,
                        on->at.order == 2 ? "second" : "failure", text);
}

/* Tell whether a gradient has the shape and dtype of its variable. */
static bool is_like(const dt_tensor *gradient, const dti_trial_input *variable)
{
    return dt_tensor_dtype(gradient) == variable->meta.dtype &&
           dt_shape_equal(dt_tensor_shape(gradient), variable->meta.shape);
}

/* Tell whether all values are numbers: others have no differences. */
static bool has_differences(const values *base)
{
    for (int i = 0; i < base->count; i++)
        for (int64_t k = 0;
             base->of[i].reals && k < base->of[i].count * base->of[i].width;
             k++)
            if (isnan(base->of[i].reals[k]))
                return false;
    return true;
}

static void check_variables(check *on, const values *base,
                            dt_tensor *const *gradients)
{
    if (!has_differences(base))
        return;
    for (int i = 0; i < on->at.count; i++) {
        dti_elements elements = {0};
        if (!dti_input_has_gradient(&on->at.variables[i]))
            continue;
        if (gradients[i] && !is_like(gradients[i], &on->at.variables[i]))
            fail(on, "a gradient has another shape or dtype than its input");
        else if (!gradients[i] ||
                 dti_elements_read(on->with->world,
                                   dt_tensor_local(gradients[i]), &elements))
            check_variable(on, base, i, &elements);
        dti_elements_free(&elements);
    }
}

/* The gradients of a function, weighted, by its variables. */
static dt_status differentiate(check *on, values *base, dt_tensor **gradients)
{
    dt_tensor *variables[VARIABLES], *out[VARIABLES], *weights[VARIABLES];
    dt_world *world = on->with->world;
    int count = 0;
    DT_TRY(make_variables(&on->at, variables));
    make_leaves(&on->at, on->at.count, variables);
    DT_TRY(compute(&on->at, variables, out, &count));
    DT_TRY(read_values(world, out, count, base, weights));
    const dti_gradient_call call = {.world = world,
                                    .output_count = count,
                                    .outputs = out,
                                    .seeds = weights,
                                    .leaf_count = on->at.count,
                                    .leaves = variables};
    return dti_gradient_compute(&call, gradients);
}

/* Compare the gradients of an order; false if there are none. */
static bool check_order(check *on, int order)
{
    dt_tensor *gradients[VARIABLES];
    values *base = calloc(1, sizeof *base);
    on->at = function_of(&on->trial, order);
    dt_scope *scope = dt_scope_open(on->with->world);
    on->row->cases++;
    const bool good = base && differentiate(on, base, gradients) == DT_OK;
    if (!good)
        fail(on, "no gradient");
    if (good) {
        choose_step(on, base);
        check_variables(on, base, gradients);
    }
    DT_IGNORE(dt_scope_close(scope));
    if (base)
        free_values(base);
    free(base);
    return good;
}

/* ---- Samples ------------------------------------------------------------ */

/* Tell whether all values of the call are finite. */
static bool is_finite(check *on)
{
    dt_tensor *inputs[VARIABLES], *results[DTI_TRIAL_RESULTS];
    dt_tensor *weights[DTI_TRIAL_RESULTS];
    values *found = calloc(1, sizeof *found);
    int count = 0;
    dt_scope *scope = dt_scope_open(on->with->world);
    on->at = function_of(&on->trial, 1);
    bool good =
        found && make_variables(&on->at, inputs) == DT_OK &&
        compute(&on->at, inputs, results, &count) == DT_OK &&
        read_values(on->with->world, results, count, found, weights) == DT_OK &&
        found->finite;
    DT_IGNORE(dt_scope_close(scope));
    if (found)
        free_values(found);
    free(found);
    return good;
}

/* Choose elements for which the call is finite: any, between 0 and 1, or
 * positive ones, which some calls may not be finite for either. */
static void find_domain(check *on)
{
    static const dti_sample_range ranges[] = {DTI_SAMPLE_FRACTION,
                                              DTI_SAMPLE_POSITIVE};
    bool any[DTI_TRIAL_INPUTS];
    for (int i = 0; i < on->trial.input_count; i++)
        any[i] = on->trial.inputs[i].range == DTI_SAMPLE_ANY;
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges && !is_finite(on);
         r++)
        for (int i = 0; i < on->trial.input_count; i++)
            if (any[i])
                on->trial.inputs[i].range = ranges[r];
}

static bool has_elements(const dti_trial *at)
{
    for (int i = 0; i < at->input_count; i++)
        if (dti_input_has_gradient(&at->inputs[i]) &&
            dt_shape_count(at->inputs[i].meta.shape) == 0)
            return false;
    return true;
}

static void try_sizes(check *on, dt_dtype dtype, dti_draw kind)
{
    int64_t letters[DTI_SAMPLE_LETTERS];
    bool any = false;
    dti_draw_letters(kind, dti_sample_letters(&on->sample, &on->op->schema), 2,
                     &on->random, letters);
    const dti_trial_options with = {.dtype = dtype, .letters = letters};
    bool made =
        dti_trial_make(on->with->world, on->op, &on->sample, &with, &on->trial);
    for (int i = 0; i < on->trial.input_count; i++)
        any |= dti_input_has_gradient(&on->trial.inputs[i]);
    if (made && any && on->trial.status == DT_OK && is_fine(&on->trial)) {
        find_domain(on);
        /* Of no elements, gradients of means are 0/0. */
        if (check_order(on, 1) && has_elements(&on->trial))
            check_order(on, 2);
    }
    dti_trial_free(&on->trial);
}

static void try_samples(check *on)
{
    const dt_op *row = on->op->op;
    const char *text = row->samples;
    const unsigned dtypes = dti_sample_dtypes(row->dtypes);
    dt_status status = DT_OK;
    dt_error error;
    while (
        text &&
        dti_sample_next(&text, &on->op->schema, &on->sample, &status, &error) &&
        status == DT_OK) {
        try_sizes(on, dti_main_dtype(dtypes), DTI_DRAW_UNEVEN);
        try_sizes(on, dti_main_dtype(dtypes), DTI_DRAW_ONE);
        try_sizes(on, dti_main_dtype(dtypes), DTI_DRAW_ZERO);
        if (dtypes >> DT_C64 & 1)
            try_sizes(on, DT_C64, DTI_DRAW_UNEVEN);
    }
}

dt_status dti_verify_gradients(const dti_verifier *with, const char *name)
{
    check *on = calloc(1, sizeof *on);
    if (!on)
        return dti_fail_memory(with->world, sizeof *on, "a verification");
    on->with = with;
    on->random = with->seed + dti_hash_text(name);
    on->row = dti_report_row_of(with->report, name);
    dt_status status = dti_operator_find(with->world, name, &on->op);
    if (status == DT_OK && on->row) {
        on->row->searched = true;
        if (!on->op->row.gradient && on->op->row.kernel && !on->op->row.compose)
            dti_report_gradient(with->world, with->report, on->row, "gradient",
                                "the row says nothing of gradients");
        else if (!(on->op->row.flags & DT_OP_IN_PLACE) ||
                 !dti_schema_only_in_place(&on->op->schema))
            try_samples(on);
    }
    free(on);
    return status;
}
