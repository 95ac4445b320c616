/* verify/trial.c - a sample with sizes and a dtype. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/trial.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "mesh/mesh.h"

/* Elements that an input usually may have. */
#define MAX_ELEMENTS 6000
#define MAX_LENGTH 64

/* splitmix64 */
unsigned long long dti_draw_number(unsigned long long *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* ---- Sizes -------------------------------------------------------------- */

/* The nth number above the ranks that they do not divide. */
static int64_t uneven(int ranks, int nth)
{
    int64_t out = ranks;
    for (int i = 0; i <= nth; i++)
        do
            out++;
        while (ranks > 1 && out % ranks == 0);
    return out;
}

static int64_t draw_size(dti_draw kind, int nth, int ranks,
                         unsigned long long *random)
{
    unsigned long long number = dti_draw_number(random);
    switch (kind) {
    case DTI_DRAW_EVEN:
        return ranks * (1 + nth % 2);
    case DTI_DRAW_SMALLER:
        return ranks > 2 ? ranks - 1 - nth % 2 : 1;
    case DTI_DRAW_RANDOM:
        return (int64_t)(number % (unsigned)(2 * ranks + 2));
    default:
        return uneven(ranks, nth % 3);
    }
}

void dti_draw_letters(dti_draw kind, unsigned letters, int ranks,
                      unsigned long long *random, int64_t *out)
{
    int used[DTI_SAMPLE_LETTERS], count = 0;
    for (int i = 0; i < DTI_SAMPLE_LETTERS; i++) {
        out[i] = 1;
        if (!(letters >> i & 1))
            continue;
        out[i] = draw_size(kind, count, ranks, random);
        used[count++] = i;
    }
    unsigned long long number = dti_draw_number(random);
    if (count && (kind == DTI_DRAW_ZERO || kind == DTI_DRAW_ONE))
        out[used[number % (unsigned)count]] = kind == DTI_DRAW_ONE;
}

/* ---- Arguments ---------------------------------------------------------- */

static bool add_input(dti_trial *out, const dti_sample_tensor *from)
{
    if (out->input_count == DTI_TRIAL_INPUTS)
        return false;
    dti_trial_input *input = &out->inputs[out->input_count];
    dt_shape shape = {.ndim = from ? from->ndim : 0};
    *input = (dti_trial_input){.number = out->input_count++};
    if (!from)
        return true;
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = dti_sample_size_of(&from->extents[i], out->letters);
    input->present = true;
    input->meta = dt_meta_of(from->varied ? out->dtype : from->dtype, shape);
    input->range = from->range;
    input->finite = from->finite;
    input->below = dti_sample_size_of(&from->below, out->letters);
    int64_t count = dt_shape_count(shape);
    return count >= 0 && count <= out->most &&
           (count == 0 || from->range != DTI_SAMPLE_BELOW || input->below > 0);
}

static bool add_tensors(dti_trial *out, int number,
                        const dti_sample_value *from)
{
    dt_argument *to = &out->arguments[number];
    int first = out->input_count;
    bool good = true;
    if (from->count == 0)
        good = add_input(out, NULL);
    for (int i = 0; i < from->count; i++)
        good =
            good &&
            add_input(out, from->tensors[i].present ? &from->tensors[i] : NULL);
    if (dti_types[out->op->schema.parameters[number].type].kind ==
        DT_ARG_TENSORS)
        *to = (dt_argument){.kind = DT_ARG_TENSORS,
                            .count = from->count,
                            .as.tensors = out->tensors + first};
    else if (from->count)
        *to = (dt_argument){.kind = DT_ARG_TENSOR};
    return good;
}

static void add_list(dti_trial *out, int number, const dti_sample_value *from)
{
    for (int i = 0; i < from->count; i++)
        out->integers[number][i] =
            dti_sample_size_of(&from->sizes[i], out->letters);
    out->arguments[number] =
        (dt_argument){.kind = DT_ARG_INTEGERS,
                      .count = from->count,
                      .as.integers = out->integers[number]};
}

static dt_number number_of(const dti_trial *of, dt_dtype_kind kind, double real,
                           const dti_sample_size *size)
{
    int64_t integer = dti_sample_size_of(size, of->letters);
    if (kind == DT_KIND_FLOAT)
        return dt_real(real);
    return kind == DT_KIND_BOOLEAN ? dt_truth(integer) : dt_integer(integer);
}

static void add_numbers(dti_trial *out, int number,
                        const dti_sample_value *from)
{
    for (int i = 0; i < from->count; i++)
        out->numbers[number][i] =
            number_of(out, from->kinds[i], from->reals[i], &from->sizes[i]);
    out->arguments[number].count = from->count;
    out->arguments[number].as.numbers = out->numbers[number];
}

static void add_value(dti_trial *out, int number, const dti_sample_value *from)
{
    dt_argument *to = &out->arguments[number];
    dt_argument_kind kind =
        dti_types[out->op->schema.parameters[number].type].kind;
    *to = (dt_argument){.kind = from->absent ? DT_ARG_NONE : kind};
    switch (to->kind) {
    case DT_ARG_NUMBER:
        to->as.number = number_of(out, from->kind, from->real, &from->size);
        break;
    case DT_ARG_NUMBERS:
        add_numbers(out, number, from);
        break;
    case DT_ARG_REAL:
        to->as.real = from->real;
        break;
    case DT_ARG_TEXT:
        to->as.text = from->text;
        break;
    case DT_ARG_INTEGERS:
        add_list(out, number, from);
        break;
    case DT_ARG_INTEGER:
        to->as.integer = dti_sample_size_of(&from->size, out->letters);
        if (out->op->schema.parameters[number].type == DTI_TYPE_DTYPE ||
            out->op->schema.parameters[number].type == DTI_TYPE_OPTIONAL_DTYPE)
            to->as.integer = from->varied ? out->dtype : from->dtype;
        break;
    default:
        break;
    }
}

/* Let some inputs have all specials, one at least; the parts of the others are
 * such that infinite results stay what they are. */
static void draw_specials(dti_trial *at)
{
    unsigned long long having = at->salt % (1ULL << at->input_count);
    for (int i = 0; i < at->input_count; i++) {
        dti_trial_input *input = &at->inputs[i];
        input->special = at->special;
        input->salt = at->salt + (unsigned)i;
        input->proportional = at->special == DTI_SPECIALS_ALL;
        if (input->finite || (at->special == DTI_SPECIALS_ALL &&
                              !((having ? having : 1) >> i & 1)))
            input->special = DTI_SPECIALS_NONE;
    }
}

static bool is_tensor_type(dti_type type)
{
    return type == DTI_TYPE_TENSOR || type == DTI_TYPE_OPTIONAL_TENSOR ||
           type == DTI_TYPE_TENSORS || type == DTI_TYPE_OPTIONAL_TENSORS;
}

static bool add_arguments(dti_trial *out)
{
    const dti_schema *schema = &out->op->schema;
    for (int i = 0; i < schema->count; i++) {
        const dti_parameter *parameter = &schema->parameters[i];
        const dti_sample_value *value = &out->from->values[i];
        if (is_tensor_type(parameter->type)) {
            if (!add_tensors(out, i, value))
                return false;
        } else if (parameter->type == DTI_TYPE_GENERATOR) {
            out->arguments[i] = (dt_argument){.kind = DT_ARG_GENERATOR,
                                              .as.generator = out->generator};
        } else if (out->from->given[i]) {
            add_value(out, i, value);
        } else {
            out->arguments[i] = parameter->usual;
        }
    }
    return true;
}

/* ---- Calling ------------------------------------------------------------ */

/* The same random numbers in every call. */
static void rewind_generators(dti_trial *of)
{
    dt_generator_seed(of->generator, 17);
    DT_IGNORE(dt_seed(of->world, 17));
}

dt_status dti_trial_call(dti_trial *of, dt_variant form,
                         dt_tensor *const *inputs, dt_tensor **results,
                         int *count)
{
    const dti_schema *schema = &of->op->schema;
    int next = 0;
    for (int i = 0; i < of->input_count; i++)
        of->tensors[i] = inputs[i];
    for (int i = 0; i < schema->tensor_count; i++) {
        dt_argument *to = &of->arguments[schema->tensors[i]];
        if (to->kind == DT_ARG_TENSORS) {
            next += to->count;
            continue;
        }
        if (to->kind == DT_ARG_TENSOR)
            to->as.tensor = inputs[next];
        next++;
    }
    rewind_generators(of);
    return dt_op_call(of->world, schema->name, form, of->arguments,
                      schema->count, results, DTI_TRIAL_RESULTS, count);
}

/* ---- On one rank -------------------------------------------------------- */

static void keep_results(dti_trial *of, dt_tensor *const *results, int count)
{
    of->result_count = count;
    for (int i = 0; i < count; i++) {
        of->results[i] = *dt_spec_meta(dt_tensor_spec(results[i]));
        if (!dti_elements_read(of->world, dt_tensor_local(results[i]),
                               &of->wholes[i]))
            of->status = DT_ERR_NO_MEMORY;
    }
}

dt_tensor *dti_trial_own_tensor(dt_world *world, const dti_trial_input *input)
{
    dt_mesh *own = dt_world_own_mesh(world);
    dt_spec *spec = NULL;
    dt_array *array = NULL;
    dt_tensor *out = NULL;
    dt_layout layout =
        dt_layout_of(&(dt_placement){DT_REPLICATE, 0, DT_SUM, 0}, 1);
    if (!input->present)
        return NULL;
    if (dt_spec_create_with(own, &layout, &input->meta, &spec) == DT_OK)
        array = dti_trial_input_part(input, spec, dt_world_rank(world));
    if (array)
        out = dt_tensor_assemble(spec, array);
    dt_array_release(array);
    dt_spec_release(spec);
    return out;
}

/* What the rule says of this call. */
static void find_factors(dti_trial *of)
{
    dt_operation operation;
    const dt_meta *metas[DTI_TRIAL_INPUTS];
    dti_trial_question(of, NULL, NULL, &operation, metas);
    if (dti_operator_factors(of->op, &operation, &of->factors,
                             &of->has_factors) != DT_OK)
        of->has_factors = false;
}

static void refer(dti_trial *of)
{
    dt_tensor *inputs[DTI_TRIAL_INPUTS], *results[DTI_TRIAL_RESULTS];
    int count = 0;
    dt_scope *scope = dt_scope_open(of->world);
    for (int i = 0; i < of->input_count; i++)
        inputs[i] = dti_trial_own_tensor(of->world, &of->inputs[i]);
    of->status = dti_trial_call(of, DT_VARIANT_NEW, inputs, results, &count);
    if (of->status == DT_OK && count > DTI_TRIAL_RESULTS)
        of->status = dti_fail(of->world, DT_ERR_UNSUPPORTED,
                              "%s: %d results; at most %d can be verified",
                              of->op->schema.name, count, DTI_TRIAL_RESULTS);
    if (of->status == DT_OK)
        keep_results(of, results, count);
    if (of->status == DT_OK)
        find_factors(of);
    else
        of->error = *dt_world_error(of->world);
    DT_IGNORE(dt_scope_close(scope));
}

bool dti_trial_describe(dt_world *world, const dti_operator *op,
                        const dti_sample *from, const dti_trial_options *with,
                        dti_trial *out)
{
    memset(out, 0, sizeof *out);
    out->world = world;
    out->op = op;
    out->from = from;
    out->dtype = with->dtype;
    out->special = with->special;
    out->salt = with->salt;
    out->most = with->most ? with->most : MAX_ELEMENTS;
    memcpy(out->letters, with->letters, sizeof out->letters);
    return dt_generator_create(world, 17, 0, &out->generator) == DT_OK &&
           add_arguments(out);
}

bool dti_trial_make(dt_world *world, const dti_operator *op,
                    const dti_sample *from, const dti_trial_options *with,
                    dti_trial *out)
{
    if (!dti_trial_describe(world, op, from, with, out))
        return false;
    draw_specials(out);
    refer(out);
    return true;
}

void dti_trial_free(dti_trial *of)
{
    for (int i = 0; i < of->result_count; i++)
        dti_elements_free(&of->wholes[i]);
    dt_generator_release(of->generator);
}

/* ---- Rules -------------------------------------------------------------- */

dti_question dti_trial_question(const dti_trial *of, const dt_mesh *mesh,
                                const dt_layout *layouts,
                                dt_operation *operation, const dt_meta **metas)
{
    for (int i = 0; i < of->input_count; i++)
        metas[i] = of->inputs[i].present ? &of->inputs[i].meta : NULL;
    *operation = (dt_operation){.world = of->world,
                                .op = of->op->op,
                                .schema = &of->op->schema,
                                .arguments = of->arguments,
                                .input_count = of->input_count,
                                .metas = metas,
                                .result_count = of->result_count,
                                .results = of->results};
    return (dti_question){.passes = &of->op->passes,
                          .operation = operation,
                          .factors = of->has_factors ? &of->factors : NULL,
                          .tensor_count = of->op->schema.tensor_count,
                          .mesh = mesh,
                          .layouts = layouts};
}

/* Elements that are summed into one, as far as the rule says. */
static int64_t summed_length(const dti_trial *of)
{
    int64_t out = 1;
    if (!of->has_factors || of->factors.near_only)
        return MAX_LENGTH;
    for (int i = 0; i < of->factors.count; i++)
        if (of->factors.factors[i].kind == DT_FACTOR_REDUCED ||
            of->factors.factors[i].kind == DT_FACTOR_INSIDE)
            out *= of->factors.factors[i].size;
    return out < MAX_LENGTH ? out : MAX_LENGTH;
}

dti_nearness dti_trial_nearness(const dti_trial *of, const dt_layout *layouts)
{
    dti_nearness out = {.exact = of->has_factors && !of->factors.near_only,
                        .length = summed_length(of)};
    for (int i = 0; of->has_factors && i < of->factors.count; i++)
        if (of->factors.factors[i].kind != DT_FACTOR_FREE &&
            of->factors.factors[i].kind != DT_FACTOR_WHOLE)
            out.exact = false;
    for (int i = 0; layouts && i < of->input_count; i++)
        for (int k = 0; of->inputs[i].present && k < layouts[i].ndim; k++)
            if (dt_placement_is_partial(layouts[i].placements[k])) {
                dt_dtype dtype = of->inputs[i].meta.dtype;
                out.exact = false;
                out.rounding = fmax(out.rounding, dti_epsilon_of(dtype));
                out.excess = fmax(
                    out.excess, dti_trial_input_excess(
                                    &of->inputs[i], dt_world_size(of->world)));
            }
    return out;
}

/* ---- Text --------------------------------------------------------------- */

static void put_input(dti_writer *to, const dti_trial_input *input,
                      const dt_layout *layout)
{
    const dt_shape shape = input->meta.shape;
    if (!input->present) {
        dti_put(to, "None");
        return;
    }
    dti_put(to, "%s[", dt_dtype_name(input->meta.dtype));
    for (int i = 0; i < shape.ndim; i++)
        dti_put(to, "%s%lld", i ? ", " : "", (long long)shape.dims[i]);
    dti_put(to, "] %s", dti_layout_show(layout).text);
}

void dti_trial_show(const dti_trial *of, const dt_mesh *mesh,
                    const dt_layout *layouts, dti_writer *to)
{
    dti_put(to, "%s%.*s with T=%s", of->op->schema.name, of->from->length,
            of->from->text, dt_dtype_name(of->dtype));
    unsigned letters = dti_sample_letters(of->from, &of->op->schema);
    for (int i = 0; i < DTI_SAMPLE_LETTERS; i++)
        if (letters >> i & 1)
            dti_put(to, " %c=%lld", 'a' + i, (long long)of->letters[i]);
    dti_put(to, "%s", of->special == DTI_SPECIALS_NAN ? ", one NaN" : "");
    for (int i = 0; of->special == DTI_SPECIALS_ALL && i < of->input_count; i++)
        if (of->inputs[i].special)
            dti_put(to, ", inf and NaN in input %d", i);
    for (int i = 0; mesh && i < mesh->dims.ndim; i++)
        dti_put(to, "%s%d", i ? "x" : " on ", mesh->dims.sizes[i]);
    dti_put(to, "%s", mesh ? " ranks" : "");
    for (int i = 0; layouts && i < of->input_count; i++) {
        dti_put(to, i ? ", " : ": ");
        put_input(to, &of->inputs[i], &layouts[i]);
    }
}

/* ---- Forms -------------------------------------------------------------- */

int dti_trial_overwritten(const dti_trial *at, int result)
{
    const dti_schema *schema = &at->op->schema;
    return schema->results == DTI_RESULT_LIST ? result
                                              : schema->overwrites[result];
}

static bool is_as_result(const dti_trial *at, int input, int result)
{
    const dti_trial_input *one = &at->inputs[input];
    return one->present && one->meta.dtype == at->results[result].dtype &&
           dt_shape_equal(one->meta.shape, at->results[result].shape);
}

bool dti_trial_has_form(const dti_trial *at, dt_variant form)
{
    unsigned flags = at->op->op->flags;
    if (at->status != DT_OK || flags & DT_OP_VIEW)
        return false;
    if (form == DT_VARIANT_OUT)
        return flags & DT_OP_OUT && at->result_count == 1;
    for (int i = 0; i < at->result_count; i++)
        if (dti_trial_overwritten(at, i) >= 0 &&
            !is_as_result(at, dti_trial_overwritten(at, i), i))
            return false;
    return flags & DT_OP_IN_PLACE;
}
