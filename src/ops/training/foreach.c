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
#define OF_ONE(name, types)                                                    \
    {                                                                          \
        .schema = "foreach_" name "(Tensor[] self) -> Tensor[]",               \
        .aten = "_foreach_" name,                                              \
        .about = "dt_" name " of each tensor of a list.", EACH,                \
        .samples = "([T[m,n], T[n]]); ([T[]])", .dtypes = types                \
    }

/* Of one list and one number. */
#define OF_SCALAR(name, parameter, overloads, types)                           \
    {                                                                          \
        .schema = "foreach_" name "(Tensor[] self, Number " parameter          \
                  ") -> Tensor[]",                                             \
        .aten = overloads,                                                     \
        .about = "dt_" name " of each tensor of a list and a number.", EACH,   \
        .samples = "([T[m,n], T[n]], 2); ([T[]], 3)", .dtypes = types          \
    }

/* Of one list and as many numbers. */
#define OF_SCALARS(name, one, overloads, types)                                \
    {                                                                          \
        .schema =                                                              \
            "foreach_" name "(Tensor[] self, Number[] scalars) -> Tensor[]",   \
        .aten = overloads,                                                     \
        .about = "dt_" one " of each tensor of a list and its own number.",    \
        EACH, .samples = "([T[m,n], T[n]], [2, 3]); ([T[]], [1])",             \
        .dtypes = types                                                        \
    }

/* Of two lists. */
#define OF_TWO(name, parameter, overloads, types)                              \
    {                                                                          \
        .schema = "foreach_" name "(Tensor[] self, Tensor[] " parameter        \
                  ") -> Tensor[]",                                             \
        .aten = overloads,                                                     \
        .about = "dt_" name " of each pair of tensors of two lists.", EACH,    \
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
        .about = "dt_add of each pair of tensors of two lists.",
        EACH,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]]); ([T[m]], [T[m]])",
    },
    {
        .schema = "foreach_add_tensor(Tensor[] self, Tensor other, *, "
                  "Number alpha=1) -> Tensor[]",
        .aten = "_foreach_add.Tensor",
        .about = "dt_add of each tensor of a list and a 0-d tensor.",
        EACH,
        .samples = "([T[m,n], T[n]], T[]); ([T[m]], T[])",
    },
    {
        .schema = "foreach_add_scalar(Tensor[] self, Number other) -> Tensor[]",
        .aten = "_foreach_add.Scalar",
        .about = "dt_add_scalar of each tensor of a list and a number.",
        EACH,
        .samples = "([T[m,n], T[n]], 2); ([T[]], 3)",
    },
    OF_SCALARS("add_scalars", "add_scalar", "_foreach_add.ScalarList", NULL),
    {
        .schema = "foreach_sub(Tensor[] self, Tensor[] other, *, "
                  "Number alpha=1) -> Tensor[]",
        .aten = "_foreach_sub.List",
        .about = "dt_sub of each pair of tensors of two lists.",
        EACH,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]]); ([T[m]], [T[m]])",
        .dtypes = "float int complex",
    },
    OF_SCALAR("sub_scalar", "other", "_foreach_sub.Scalar",
              "float int complex"),
    OF_SCALARS("sub_scalars", "sub_scalar", "_foreach_sub.ScalarList",
               "float int complex"),
    OF_TWO("mul", "other", "_foreach_mul.List", NULL),
    {
        .schema = "foreach_mul_tensor(Tensor[] self, Tensor other) -> Tensor[]",
        .aten = "_foreach_mul.Tensor",
        .about = "dt_mul of each tensor of a list and a 0-d tensor.",
        EACH,
        .samples = "([T[m,n], T[n]], T[]); ([T[m]], T[])",
    },
    OF_SCALAR("mul_scalar", "other", "_foreach_mul.Scalar", NULL),
    OF_SCALARS("mul_scalars", "mul_scalar", "_foreach_mul.ScalarList", NULL),
    OF_TWO("div", "other", "_foreach_div.List", "float complex"),
    {
        .schema = "foreach_div_tensor(Tensor[] self, Tensor other) -> Tensor[]",
        .aten = "_foreach_div.Tensor",
        .about = "dt_div of each tensor of a list and a 0-d tensor.",
        EACH,
        .samples = "([T[m,n], T[n]], T[]); ([T[m]], T[])",
        .dtypes = "float complex",
    },
    OF_SCALAR("div_scalar", "other", "_foreach_div.Scalar", "float complex"),
    OF_SCALARS("div_scalars", "div_scalar", "_foreach_div.ScalarList",
               "float complex"),
    OF_TWO("maximum", "other", "_foreach_maximum.List _foreach_clamp_min.List",
           "float int"),
    OF_TWO("minimum", "other", "_foreach_minimum.List _foreach_clamp_max.List",
           "float int"),
    OF_SCALAR("pow_scalar", "exponent", "_foreach_pow.Scalar", "float"),
    OF_SCALARS("pow_scalars", "pow_scalar", "_foreach_pow.ScalarList", "float"),
    OF_TWO("pow", "exponent", "_foreach_pow.List", "float"),
    {
        .schema = "foreach_pow_base(Number self, Tensor[] exponent) -> "
                  "Tensor[]",
        .aten = "_foreach_pow.ScalarAndTensor",
        .about = "dt_pow_base of a number and each tensor of a list.",
        .compose = call_each,
        .samples = "(2, [T[m,n], T[n]]); (0.5, [T[]])",
        .dtypes = "float",
    },
    OF_SCALAR("clamp_min", "min",
              "_foreach_clamp_min.Scalar _foreach_maximum.Scalar", "float int"),
    OF_SCALARS("clamp_min_scalars", "clamp_min",
               "_foreach_clamp_min.ScalarList _foreach_maximum.ScalarList",
               "float int"),
    OF_SCALAR("clamp_max", "max",
              "_foreach_clamp_max.Scalar _foreach_minimum.Scalar", "float int"),
    OF_SCALARS("clamp_max_scalars", "clamp_max",
               "_foreach_clamp_max.ScalarList _foreach_minimum.ScalarList",
               "float int"),
    OF_THREE("addcmul", "tensor1", "tensor2", ", *, Number value=1", "", "",
             "_foreach_addcmul.Scalar",
             "dt_addcmul of the tensors of three lists.",
             "value: multiplier of the products"),
    OF_THREE(
        "addcmul_scalars", "tensor1", "tensor2", ", Number[] scalars",
        ", [2, 0.5]", ", [3]", "_foreach_addcmul.ScalarList",
        "dt_addcmul of the tensors of three lists, each with its own number.",
        NULL),
    OF_THREE("addcdiv", "tensor1", "tensor2", ", *, Number value=1", "", "",
             "_foreach_addcdiv.Scalar",
             "dt_addcdiv of the tensors of three lists.",
             "value: multiplier of the quotients"),
    OF_THREE(
        "addcdiv_scalars", "tensor1", "tensor2", ", Number[] scalars",
        ", [2, 0.5]", ", [3]", "_foreach_addcdiv.ScalarList",
        "dt_addcdiv of the tensors of three lists, each with its own number.",
        NULL),
    OF_THREE("lerp", "tensors1", "weights", "", "", "", "_foreach_lerp.List",
             "dt_lerp of the tensors of three lists.", NULL),
    {
        .schema = "foreach_lerp_scalar(Tensor[] self, Tensor[] tensors1, "
                  "Number weight) -> Tensor[]",
        .aten = "_foreach_lerp.Scalar",
        .about = "dt_lerp_scalar of each pair of tensors of two lists.",
        EACH,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]], 0.25); "
                   "([T[m]], [T[m]], 0.75)",
        .dtypes = "float",
    },
    {
        .schema = "foreach_lerp_scalars(Tensor[] self, Tensor[] tensors1, "
                  "Number[] weight) -> Tensor[]",
        .aten = "_foreach_lerp.ScalarList",
        .about = "dt_lerp_scalar of each pair of tensors of two lists, with "
                 "its own weight.",
        EACH,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]], [0.25, 0.5]); "
                   "([T[m]], [T[m]], [0.75])",
        .dtypes = "float",
    },
    {
        .schema = "foreach_copy(Tensor[] self, Tensor[] src) -> Tensor[]",
        .aten = "_foreach_copy_ _foreach_copy",
        .about = "Copy the tensors of a second list, converted to the dtypes "
                 "of the first.",
        EACH,
        .samples = "([T[m,n], T[n]], [T[m,n], T[n]]); "
                   "([f32[m], i64[m,n]], [T[m], T[n]])",
        .dtypes = "float int bool",
    },
    OF_ONE("zero", NULL),
    OF_ONE("neg", "float int complex"),
    OF_ONE("abs", "float int"),
    OF_ONE("sqrt", "float"),
    OF_ONE("rsqrt", "float"),
    OF_ONE("reciprocal", "float"),
    OF_ONE("exp", "float"),
    OF_ONE("log", "float"),
    OF_ONE("tanh", "float"),
    OF_ONE("sigmoid", "float"),
    OF_ONE("sign", "float int"),
    OF_ONE("floor", "float int"),
    OF_ONE("ceil", "float int"),
    OF_ONE("round", "float int"),
    OF_ONE("trunc", "float int"),
    OF_ONE("frac", "float"),
    OF_ONE("expm1", "float"),
    OF_ONE("log1p", "float"),
    OF_ONE("log2", "float"),
    OF_ONE("log10", "float"),
    OF_ONE("sin", "float"),
    OF_ONE("cos", "float"),
    OF_ONE("tan", "float"),
    OF_ONE("asin", "float"),
    OF_ONE("acos", "float"),
    OF_ONE("atan", "float"),
    OF_ONE("sinh", "float"),
    OF_ONE("cosh", "float"),
    OF_ONE("erf", "float"),
    OF_ONE("erfc", "float"),
    {0},
};
