/* tools/ops/describe.c - what arguments mean. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/describe.h"

#include <string.h>

/*
 * What an argument means in most operators, by name, or by type and name where
 * a name has several meanings.  An operator in which it means something else
 * says so in its row, in `arguments`.
 */
static const struct {
    const char *argument;
    const char *text;
} glossary[] = {
    {"a", "lower end of the interval"},
    {"accumulate", "add to the elements instead of replacing them"},
    {"float alpha", "factor of the exponential part, for negative elements"},
    {"Number alpha", "multiplier of other"},
    {"amsgrad", "divide by the largest second moment so far"},
    {"approximate", "how the normal distribution function is computed"},
    {"asynchronous", "return early; the first use of the result waits"},
    {"atol", "absolute tolerance"},
    {"attn_mask", "bool: true where a key takes part; other dtypes are added "
                  "to the scores; NULL: no mask"},
    {"float b", "upper end of the interval"},
    {"Number beta", "multiplier of self; if 0, self is not read"},
    {"beta1", "decay rate of the first moment"},
    {"beta2", "decay rate of the second moment"},
    {"bins", "number of bins"},
    {"c", "number of channels"},
    {"check", "compare across the ranks, which makes the call collective"},
    {"correction", "subtracted from the count before dividing by it"},
    {"dampening", "the gradient counts 1 - dampening in the momentum"},
    {"decimals", "number of decimals to round to; negative: before the point"},
    {"decoupled", "subtract the weight decay from the parameter, as AdamW"},
    {"delta", "difference above which the loss is linear"},
    {"descending", "the largest element comes first"},
    {"destination", "new positions of these dimensions"},
    {"diagonal", "number of the diagonal; 0: the main one, positive: above"},
    {"dim", "dimension; negative numbers count from the end"},
    {"dim0", "dimension to exchange"},
    {"dim1", "dimension of the rows of the diagonal"},
    {"dim2", "dimension of the columns of the diagonal"},
    {"dimension", "dimension; negative numbers count from the end"},
    {"Dims dims", "dimensions to reduce; empty: all"},
    {"dims_other", "dimensions of other to sum over, in pairs with dims_self"},
    {"dims_self", "dimensions of self to sum over"},
    {"dropout_key", "random key from the forward operator"},
    {"dropout_p", "probability that a weight is dropped"},
    {"Dtype dtype", "dtype of the result"},
    {"Dtype? dtype", "dtype of the result; NULL: that of self"},
    {"enable_gqa",
     "each head of keys and values serves a group of query heads"},
    {"Dim end", "last dimension, included"},
    {"eps", "added to a denominator, so that it is not 0"},
    {"equal_nan", "NaN equals NaN"},
    {"equation", "subscripts, for example \"bij,bjk->bik\""},
    {"error_if_nonfinite", "fail if the norm is infinite or NaN"},
    {"exp_avg", "first moment"},
    {"exp_avg_sq", "second moment"},
    {"exp_avg_sqs", "second moments"},
    {"exp_avgs", "first moments"},
    {"forward_dtype", "dtype of the result; NULL: that of self"},
    {"backward_dtype",
     "dtype in which the gradient is sent back; NULL: that of self"},
    {"Tensor? found_inf", "1 if a gradient was infinite or NaN: no step is "
                          "made; NULL: none was"},
    {"from", "lower bound, included"},
    {"function", "C function to call with local tensors"},
    {"grad_layout", "layout of the gradient, NULL for that of the tensor "
                    "without partial placements"},
    {"generator", "random number generator; NULL: that of the mesh"},
    {"grad_scale", "divisor of the gradients; NULL: 1"},
    {"group", "number of groups of channels"},
    {"growth_interval", "steps without infinite gradients before the scale "
                        "grows"},
    {"high", "upper bound, excluded"},
    {"hxw", "product of the extents after batch and channels"},
    {"ignore_index", "class whose items are ignored"},
    {"include_self", "elements of self take part in the reduction"},
    {"int index", "index along the dimension; negative: from the end"},
    {"input_dtype", "dtype of the input of the forward operator"},
    {"input_scale", "factor of x inside the exponential"},
    {"input_sizes", "shape of the input of the forward operator"},
    {"inv_scale", "reciprocal of the scale of the gradients"},
    {"is_causal", "a query attends to keys up to its own position only"},
    {"is_first_step", "set the momentum to the gradient"},
    {"is_result", "self_or_result is the result of the forward operator"},
    {"k", "number of elements"},
    {"keepdim", "keep reduced dimensions, with extent 1"},
    {"label_smoothing", "part of the target that is spread over all classes"},
    {"lambd", "half the width of the interval that is set to 0"},
    {"largest", "take the largest elements, otherwise the smallest"},
    {"layout", "placements, for example \"RS(1)\""},
    {"length", "number of indexes"},
    {"log_target", "target contains log-probabilities"},
    {"low", "lower bound, included"},
    {"lr", "learning rate"},
    {"max", "upper bound"},
    {"max_exp_avg_sq", "largest second moment so far"},
    {"max_exp_avg_sqs", "largest second moments so far; empty without amsgrad"},
    {"max_norm", "norm to clip to"},
    {"max_val", "upper bound"},
    {"maximize", "ascend along the gradient"},
    {"float mean", "mean of the normal distribution"},
    {"float median", "location of the maximum"},
    {"memory_cap", "bytes that a rank may allocate in addition to source and "
                   "target; 0: the larger of the two"},
    {"Mesh mesh", "mesh of the result"},
    {"Mesh? mesh", "target mesh; NULL: the mesh of the tensor"},
    {"min", "lower bound"},
    {"min_val", "lower bound"},
    {"minlength", "least number of elements of the result"},
    {"momentum", "factor of the previous momentum"},
    {"momentum_buffer", "momentum"},
    {"momentum_buffer_list", "momenta; empty without momentum"},
    {"n", "batch size"},
    {"nan", "replaces NaN"},
    {"negative_slope", "multiplier of negative elements"},
    {"neginf", "replaces -infinity; -infinity: the least finite number"},
    {"nesterov", "use Nesterov momentum"},
    {"norm_type", "order of the norm"},
    {"normalized_shape", "extents of the last dimensions, which are "
                         "normalised together"},
    {"num_classes", "extent of the new dimension; -1: from the largest index"},
    {"num_samples", "number of samples for each row"},
    {"num_weights", "rows of the table"},
    {"objective", "what the plan minimises"},
    {"offset", "number of the diagonal; 0: the main one, positive: above"},
    {"ord", "order of the norm"},
    {"out_int32", "the result is i32 instead of i64"},
    {"output_mask", "for each result, 0 if it is not wanted"},
    {"float p", "probability that an element is set to 0"},
    {"pad", "elements to add before and after, in pairs from the last "
            "dimension"},
    {"padding_idx", "row whose gradient is 0; -1: no row"},
    {"pieces", "number of pieces"},
    {"planner", "planning algorithm"},
    {"pos_weight", "weight of positive targets"},
    {"posinf", "replaces infinity; infinity: the largest finite number"},
    {"reduce", "how elements with the same index are reduced"},
    {"reduction", "whether losses are returned, averaged or summed"},
    {"int repeats", "repetitions of each index"},
    {"int[] repeats", "repetitions along each dimension"},
    {"replacement", "an index may be drawn several times"},
    {"right", "count elements that are not larger, instead of smaller ones"},
    {"rounding_mode", "direction of rounding"},
    {"rstd", "reciprocal of the standard deviation"},
    {"rtol", "relative tolerance"},
    {"scalars", "one number for each tensor"},
    {"float scale", "factor of the scores; infinity: 1 / sqrt(head width)"},
    {"scale_backoff_factor", "multiplier after infinite gradients"},
    {"scale_grad_by_freq", "divide the gradient of a row by its frequency"},
    {"scale_growth_factor", "multiplier after growth_interval steps"},
    {"self_is_result", "self is the result of the forward operator"},
    {"Shape shape", "extents of the result; -1: what remains"},
    {"int[] shape", "global shape; empty: all shards have the same shape"},
    {"shifts", "number of positions to move, for each of dims"},
    {"sigma", "half width at half maximum"},
    {"int size", "extent of a window"},
    {"Shape size", "shape of the result"},
    {"int[] sizes", "extent of each piece"},
    {"Shape sizes", "shape of the result"},
    {"sorted", "has no effect: results are always sorted"},
    {"Dims source", "dimensions to move"},
    {"stable", "has no effect: equal elements always keep their order"},
    {"Dim start", "first dimension"},
    {"int start", "first index; negative: from the end"},
    {"state_steps", "number of this step, from 1, for each tensor"},
    {"std", "standard deviation of the normal distribution"},
    {"float step", "number of this step, from 1"},
    {"int step", "distance from one to the next"},
    {"stop", "index after the last one; negative: from the end"},
    {"strides", "global strides, required if shape is set"},
    {"tensor_lr", "learning rate, instead of lr; NULL: lr"},
    {"float threshold", "value of beta x above which the result is x"},
    {"Number threshold", "largest element that is replaced"},
    {"to", "upper bound, excluded"},
    {"total_weight", "sum of the weights of all items"},
    {"train", "drop elements; otherwise return them unchanged"},
    {"Number value", "value of the elements that are set"},
    {"weight_decay", "multiplier of the parameter in its gradient"},
};
enum { GLOSSARY = sizeof glossary / sizeof *glossary };

/* ---- Looking up --------------------------------------------------------- */

/* Tell whether an entry is "name" or "type name" of a parameter. */
static bool is_entry(const char *entry, const dti_parameter *parameter)
{
    const char *space = strchr(entry, ' ');
    const char *type = dti_types[parameter->type].name;
    return strcmp(space ? space + 1 : entry, parameter->name) == 0 &&
           (!space || (strlen(type) == (size_t)(space - entry) &&
                       strncmp(type, entry, (size_t)(space - entry)) == 0));
}

static const char *look_up(const dti_parameter *parameter)
{
    for (int i = 0; i < GLOSSARY; i++)
        if (is_entry(glossary[i].argument, parameter))
            return glossary[i].text;
    return NULL;
}

/* Split "name: text; name: text" at its first item; returns the rest, NULL if
 * there is no item. */
static const char *next_item(const char *text, description *out)
{
    const size_t end = strcspn(text, ";"), name = strcspn(text, ":;");
    *out = (description){text, name, NULL, 0};
    if (!*text)
        return NULL;
    if (text[name] == ':') {
        const char *start = text + name + 1 + strspn(text + name + 1, " ");
        out->text = start;
        out->length = (size_t)(text + end - start);
    }
    text += end + (text[end] == ';');
    return text + strspn(text, " ");
}

description describe(const op_row *row, const dti_parameter *parameter)
{
    description found;
    const char *rest = row->op->arguments ? row->op->arguments : "";
    while ((rest = next_item(rest, &found)) != NULL)
        if (strlen(parameter->name) == found.name_length &&
            strncmp(found.name, parameter->name, found.name_length) == 0)
            return found;
    const char *text = look_up(parameter);
    return (description){parameter->name, strlen(parameter->name), text,
                         text ? strlen(text) : 0};
}

/* ---- Checking ----------------------------------------------------------- */

bool needs_description(const dti_parameter *parameter)
{
    const dt_argument_kind kind = dti_types[parameter->type].kind;
    return parameter->option ||
           !(kind == DT_ARG_TENSOR || kind == DT_ARG_TENSORS ||
             kind == DT_ARG_NUMBER || kind == DT_ARG_NUMBERS ||
             kind == DT_ARG_ARRAY);
}

bool next_stray(const op_row *row, const char **rest, description *out)
{
    while ((*rest = next_item(*rest, out)) != NULL)
        if (!out->text ||
            dti_schema_find(&row->schema, out->name, out->name_length) < 0)
            return true;
    return false;
}
