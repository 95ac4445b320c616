/* ops/training/foreach.c - the same operator for every tensor of a list. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/error.h"
#include "op/registry.h"
#include "ops/helpers/tables.h"

/*
 * Each tensor has a call of its own, so that tensors may lie on different
 * meshes; all ranks of all of them make all the calls.  The operator that
 * foreach_x calls is x, with the same arguments in the same order: of each list
 * one element, of everything else the same.
 */

/* What is called where the name does not say it. */
static const struct {
    const char *name;
    const char *called;
} others[] = {
    {"add_tensor", "add"},
    {"mul_tensor", "mul"},
    {"div_tensor", "div"},
    {"add_scalars", "add_scalar"},
    {"sub_scalars", "sub_scalar"},
    {"mul_scalars", "mul_scalar"},
    {"div_scalars", "div_scalar"},
    {"pow_scalars", "pow_scalar"},
    {"lerp_scalars", "lerp_scalar"},
    {"addcmul_scalars", "addcmul"},
    {"addcdiv_scalars", "addcdiv"},
    {"clamp_min_scalars", "clamp_min"},
    {"clamp_max_scalars", "clamp_max"},
};

static const char *called_by(const dt_operation *operation)
{
    const char *name = operation->schema->name + strlen("foreach_");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].name, name) == 0)
            return others[i].called;
    return name;
}

/* ---- Arguments ---------------------------------------------------------- */

static bool is_list(const dt_argument *argument)
{
    return argument->kind == DT_ARG_TENSORS || argument->kind == DT_ARG_NUMBERS;
}

/* The argument of a call for one tensor. */
static dt_argument pick(const dt_argument *from, int index)
{
    if (from->kind == DT_ARG_TENSORS)
        return (dt_argument){.kind = DT_ARG_TENSOR,
                             .as.tensor = from->as.tensors[index]};
    if (from->kind == DT_ARG_NUMBERS)
        return (dt_argument){.kind = DT_ARG_NUMBER,
                             .as.number = from->as.numbers[index]};
    return *from;
}

/* The list that tensors are counted by. */
static int first_list(const dt_operation *operation)
{
    return operation->schema->tensors[0];
}

static dt_status check_counts(const dt_operation *operation)
{
    const dti_schema *schema = operation->schema;
    const int first = first_list(operation);
    const int count = operation->arguments[first].count;
    for (int i = first + 1; i < schema->count; i++)
        if (is_list(&operation->arguments[i]) &&
            operation->arguments[i].count != count)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "%s has %d elements but %s has %d; they must be equal",
                schema->parameters[first].name, count,
                schema->parameters[i].name, operation->arguments[i].count);
    return DT_OK;
}

/* ---- Calls -------------------------------------------------------------- */

/* Check one of the calls, or make it if there is a place for its result. */
static dt_status call_one(const dt_operation *operation, int index,
                          dt_tensor **result)
{
    const int count = operation->schema->count;
    const char *name = called_by(operation);
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    for (int i = 0; i < count; i++)
        arguments[i] = pick(&operation->arguments[i], index);
    if (!result)
        return dt_op_check(operation->world, name, operation->variant,
                           arguments, count, NULL);
    *result = NULL;
    return dt_op_call(operation->world, name, operation->variant, arguments,
                      count, result, 1, NULL);
}

/* In place nothing is written unless everything can be; one call alone sees to
 * that itself. */
static dt_status call_each(dt_operation *operation)
{
    const int count = operation->arguments[first_list(operation)].count;
    const bool checks = operation->variant != DT_VARIANT_NEW && count > 1;
    DTI_TRY(check_counts(operation));
    for (int i = 0; checks && i < count; i++)
        DTI_TRY(call_one(operation, i, NULL));
    for (int i = 0; i < count; i++)
        DTI_TRY(call_one(operation, i, &operation->outputs[i]));
    operation->result_count = count;
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

#define EACH .flags = DT_OP_IN_PLACE, .compose = call_each

/* Of one list, by the names of the operators and of ATen. */
#define OF_ONE(name, types, does)                                              \
    {                                                                          \
        .schema = "foreach_" name "(Tensor[] self) -> Tensor[]",               \
        .aten = "_foreach_" name, .about = does, EACH,                         \
        .samples = "([T[m,n], T[n]]); ([T[]])", .dtypes = types                \
    }

/* Of one list and one number. */
#define OF_SCALAR(name, parameter, overloads, types, does)                     \
    {                                                                          \
        .schema = "foreach_" name "(Tensor[] self, Number " parameter          \
                  ") -> Tensor[]",                                             \
        .aten = overloads, .about = does, EACH,                                \
        .samples = "([T[m,n], T[n]], 2); ([T[]], 3)", .dtypes = types          \
    }

/* Of one list and as many numbers. */
#define OF_SCALARS(name, overloads, types, does)                               \
    {                                                                          \
        .schema =                                                              \
            "foreach_" name "(Tensor[] self, Number[] scalars) -> Tensor[]",   \
        .aten = overloads, .about = does, EACH,                                \
        .samples = "([T[m,n], T[n]], [2, 3]); ([T[]], [1])", .dtypes = types   \
    }

/* Of two lists. */
#define OF_TWO(name, parameter, overloads, types, does)                        \
    {                                                                          \
        .schema = "foreach_" name "(Tensor[] self, Tensor[] " parameter        \
                  ") -> Tensor[]",                                             \
        .aten = overloads, .about = does, EACH,                                \
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]]); ([T[m]], [T[m]])",       \
        .dtypes = types                                                        \
    }

/* Of three lists, and what follows them in the schema and in the samples. */
#define OF_THREE(name, second, third, more, two, one, overloads, does, means)  \
    {                                                                          \
        .schema = "foreach_" name "(Tensor[] self, Tensor[] " second           \
                  ", Tensor[] " third more ") -> Tensor[]",                    \
        .aten = overloads, .about = does, .arguments = means, EACH,            \
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]], [T[m,n], T[n]]" two "); " \
                   "([T[m]], [T[m]], [T[m]]" one ")",                          \
        .dtypes = "float"                                                      \
    }

const dt_op dti_ops_foreach[] = {
    {
        .schema = "foreach_add(Tensor[] self, Tensor[] other, *, "
                  "Number alpha=1) -> Tensor[]",
        .aten = "_foreach_add.List",
        .about = "Add tensors of two lists, the second multiplied by alpha.",
        EACH,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]]); ([T[m]], [T[m]])",
    },
    {
        .schema = "foreach_add_tensor(Tensor[] self, Tensor other, *, "
                  "Number alpha=1) -> Tensor[]",
        .aten = "_foreach_add.Tensor",
        .about = "Add a 0-d tensor, multiplied by alpha, to every tensor.",
        EACH,
        .samples = "([T[m,n], T[n]], T[]); ([T[m]], T[])",
    },
    {
        .schema = "foreach_add_scalar(Tensor[] self, Number other) -> Tensor[]",
        .aten = "_foreach_add.Scalar",
        .about = "Add a number to every tensor of a list.",
        EACH,
        .samples = "([T[m,n], T[n]], 2); ([T[]], 3)",
    },
    OF_SCALARS("add_scalars", "_foreach_add.ScalarList", NULL,
               "Add to every tensor of a list its number."),
    {
        .schema = "foreach_sub(Tensor[] self, Tensor[] other, *, "
                  "Number alpha=1) -> Tensor[]",
        .aten = "_foreach_sub.List",
        .about = "Subtract tensors of a list, multiplied by alpha.",
        EACH,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]]); ([T[m]], [T[m]])",
        .dtypes = "float int complex",
    },
    OF_SCALAR("sub_scalar", "other", "_foreach_sub.Scalar", "float int complex",
              "Subtract a number from every tensor of a list."),
    OF_SCALARS("sub_scalars", "_foreach_sub.ScalarList", "float int complex",
               "Subtract from every tensor of a list its number."),
    OF_TWO("mul", "other", "_foreach_mul.List", NULL,
           "Multiply tensors of two lists."),
    {
        .schema = "foreach_mul_tensor(Tensor[] self, Tensor other) -> Tensor[]",
        .aten = "_foreach_mul.Tensor",
        .about = "Multiply every tensor of a list by a 0-d tensor.",
        EACH,
        .samples = "([T[m,n], T[n]], T[]); ([T[m]], T[])",
    },
    OF_SCALAR("mul_scalar", "other", "_foreach_mul.Scalar", NULL,
              "Multiply every tensor of a list by a number."),
    OF_SCALARS("mul_scalars", "_foreach_mul.ScalarList", NULL,
               "Multiply every tensor of a list by its number."),
    OF_TWO("div", "other", "_foreach_div.List", "float complex",
           "Divide by the tensors of a second list."),
    {
        .schema = "foreach_div_tensor(Tensor[] self, Tensor other) -> Tensor[]",
        .aten = "_foreach_div.Tensor",
        .about = "Divide every tensor of a list by a 0-d tensor.",
        EACH,
        .samples = "([T[m,n], T[n]], T[]); ([T[m]], T[])",
        .dtypes = "float complex",
    },
    OF_SCALAR("div_scalar", "other", "_foreach_div.Scalar", "float complex",
              "Divide every tensor of a list by a number."),
    OF_SCALARS("div_scalars", "_foreach_div.ScalarList", "float complex",
               "Divide every tensor of a list by its number."),
    OF_TWO("maximum", "other", "_foreach_maximum.List _foreach_clamp_min.List",
           "float int",
           "The larger of the elements of two lists; NaN if one is."),
    OF_TWO("minimum", "other", "_foreach_minimum.List _foreach_clamp_max.List",
           "float int",
           "The smaller of the elements of two lists; NaN if one is."),
    OF_SCALAR("pow_scalar", "exponent", "_foreach_pow.Scalar", "float",
              "Raise every tensor of a list to a power."),
    OF_SCALARS("pow_scalars", "_foreach_pow.ScalarList", "float",
               "Raise every tensor of a list to its power."),
    OF_TWO("pow", "exponent", "_foreach_pow.List", "float",
           "Raise every tensor of a list to the powers of a second one."),
    {
        .schema = "foreach_pow_base(Number self, Tensor[] exponent) -> "
                  "Tensor[]",
        .aten = "_foreach_pow.ScalarAndTensor",
        .about = "Raise a number to the powers of every tensor of a list.",
        .compose = call_each,
        .samples = "(2, [T[m,n], T[n]]); (0.5, [T[]])",
        .dtypes = "float",
    },
    OF_SCALAR("clamp_min", "min",
              "_foreach_clamp_min.Scalar _foreach_maximum.Scalar", "float int",
              "max(x, min)."),
    OF_SCALARS("clamp_min_scalars",
               "_foreach_clamp_min.ScalarList _foreach_maximum.ScalarList",
               "float int",
               "Replace what is less than the number of its tensor by it."),
    OF_SCALAR("clamp_max", "max",
              "_foreach_clamp_max.Scalar _foreach_minimum.Scalar", "float int",
              "min(x, max)."),
    OF_SCALARS("clamp_max_scalars",
               "_foreach_clamp_max.ScalarList _foreach_minimum.ScalarList",
               "float int",
               "Replace what is more than the number of its tensor by it."),
    OF_THREE("addcmul", "tensor1", "tensor2", ", *, Number value=1", "", "",
             "_foreach_addcmul.Scalar",
             "Add products of two lists, multiplied by a number.",
             "value: multiplier of the products"),
    OF_THREE("addcmul_scalars", "tensor1", "tensor2", ", Number[] scalars",
             ", [2, 0.5]", ", [3]", "_foreach_addcmul.ScalarList",
             "Add products of two lists, each multiplied by its number.", NULL),
    OF_THREE("addcdiv", "tensor1", "tensor2", ", *, Number value=1", "", "",
             "_foreach_addcdiv.Scalar",
             "Add quotients of two lists, multiplied by a number.",
             "value: multiplier of the quotients"),
    OF_THREE("addcdiv_scalars", "tensor1", "tensor2", ", Number[] scalars",
             ", [2, 0.5]", ", [3]", "_foreach_addcdiv.ScalarList",
             "Add quotients of two lists, each multiplied by its number.",
             NULL),
    OF_THREE("lerp", "tensors1", "weights", "", "", "", "_foreach_lerp.List",
             "Go from tensors of one list to those of a second, a part of the "
             "way that elements of a third say.",
             NULL),
    {
        .schema = "foreach_lerp_scalar(Tensor[] self, Tensor[] tensors1, "
                  "Number weight) -> Tensor[]",
        .aten = "_foreach_lerp.Scalar",
        .about = "Interpolate between the tensors of two lists.",
        EACH,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]], 0.25); "
                   "([T[m]], [T[m]], 0.75)",
        .dtypes = "float",
    },
    {
        .schema = "foreach_lerp_scalars(Tensor[] self, Tensor[] tensors1, "
                  "Number[] weight) -> Tensor[]",
        .aten = "_foreach_lerp.ScalarList",
        .about = "Interpolate between the tensors of two lists, with one "
                 "weight for each.",
        EACH,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]], [0.25, 0.5]); "
                   "([T[m]], [T[m]], [0.75])",
        .dtypes = "float",
    },
    {
        .schema = "foreach_copy(Tensor[] self, Tensor[] src) -> Tensor[]",
        .aten = "_foreach_copy_ _foreach_copy",
        .about = "Copy the tensors of a second list, as the dtypes of the "
                 "first.",
        EACH,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]]); "
                   "([f32[m], i64[m,n]], [T[m], T[n]])",
        .dtypes = "float int bool",
    },
    OF_ONE("zero", NULL, "Set every element to 0."),
    OF_ONE("neg", "float int complex", "Negate every tensor of a list."),
    OF_ONE("abs", "float int", "The absolute values of a list."),
    OF_ONE("sqrt", "float", "The square roots of a list."),
    OF_ONE("rsqrt", "float", "One over the square roots of a list."),
    OF_ONE("reciprocal", "float", "One over every element of a list."),
    OF_ONE("exp", "float", "The exponential function of a list."),
    OF_ONE("log", "float", "The natural logarithms of a list."),
    OF_ONE("tanh", "float", "The hyperbolic tangents of a list."),
    OF_ONE("sigmoid", "float", "The logistic function of a list."),
    OF_ONE("sign", "float int", "The signs of a list: -1, 0 or 1."),
    OF_ONE("floor", "float int", "The largest integers that are not larger."),
    OF_ONE("ceil", "float int", "The least integers that are not less."),
    OF_ONE("round", "float int", "The nearest integers, ties to even."),
    OF_ONE("trunc", "float int", "What is left without fractions."),
    OF_ONE("frac", "float", "The fractions of a list."),
    OF_ONE("expm1", "float", "The exponential function less 1."),
    OF_ONE("log1p", "float", "The natural logarithms of 1 more."),
    OF_ONE("log2", "float", "The logarithms to base 2 of a list."),
    OF_ONE("log10", "float", "The logarithms to base 10 of a list."),
    OF_ONE("sin", "float", "The sines of a list."),
    OF_ONE("cos", "float", "The cosines of a list."),
    OF_ONE("tan", "float", "The tangents of a list."),
    OF_ONE("asin", "float", "The angles of sines."),
    OF_ONE("acos", "float", "The angles of cosines."),
    OF_ONE("atan", "float", "The angles of tangents."),
    OF_ONE("sinh", "float", "The hyperbolic sines of a list."),
    OF_ONE("cosh", "float", "The hyperbolic cosines of a list."),
    OF_ONE("erf", "float", "The error function of a list."),
    OF_ONE("erfc", "float", "One less the error function of a list."),
    {0},
};
