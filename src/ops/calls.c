/* ops/calls.c - operators as functions of C; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

#include <dtensor/sys/op.h>

#include "base/error.h"
#include "op/dispatch.h"
#include "op/registry.h"

/* clang-format off */

/* The numbers of rows, through all tables. */
enum {
    OP_ALIAS = 0,
    OP_DETACH = 1,
    OP_CONTIGUOUS = 2,
    OP_VIEW_AS = 3,
    OP_EXPAND_AS = 4,
    OP_MOVEDIM = 5,
    OP_DIAGONAL = 6,
    OP_VIEW_AS_REAL = 7,
    OP_VIEW_AS_COMPLEX = 8,
    OP_MAX_DIM = 9,
    OP_MIN_DIM = 10,
    OP_ARGMAX = 11,
    OP_ARGMIN = 12,
    OP_ARGMAX_ALL = 13,
    OP_ARGMIN_ALL = 14,
    OP_SCALED_DOT_PRODUCT_ATTENTION = 15,
    OP_SCALED_DOT_PRODUCT_ATTENTION_FORWARD = 16,
    OP_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD = 17,
    OP_CLONE = 22,
    OP_CAST = 23,
    OP_EQ = 24,
    OP_NE = 25,
    OP_LT = 26,
    OP_LE = 27,
    OP_GT = 28,
    OP_GE = 29,
    OP_EQ_SCALAR = 30,
    OP_NE_SCALAR = 31,
    OP_LT_SCALAR = 32,
    OP_LE_SCALAR = 33,
    OP_GT_SCALAR = 34,
    OP_GE_SCALAR = 35,
    OP_LOGICAL_AND = 36,
    OP_LOGICAL_OR = 37,
    OP_LOGICAL_NOT = 38,
    OP_CONTRACT = 39,
    OP_NEW_EMPTY = 47,
    OP_NEW_ZEROS = 48,
    OP_NEW_ONES = 49,
    OP_NEW_FULL = 50,
    OP_EINSUM = 51,
    OP_EMBEDDING = 52,
    OP_EQUAL = 53,
    OP_FILL_SCALAR = 54,
    OP_FILL = 55,
    OP_ZERO = 56,
    OP_COPY = 57,
    OP_FOREACH_ADD = 58,
    OP_FOREACH_MUL_SCALAR = 59,
    OP_GATHER = 60,
    OP_INDEX_SELECT = 61,
    OP_INDEX_ADD = 62,
    OP_INDEX_COPY = 63,
    OP_INDEX_FILL_SCALAR = 64,
    OP_INDEX_FILL = 65,
    OP_CAT = 66,
    OP_STACK = 67,
    OP_SPLIT = 68,
    OP_SPLIT_SIZES = 69,
    OP_CHUNKS = 70,
    OP_UNBIND = 71,
    OP_LOGSUMEXP = 72,
    OP_MATMUL = 73,
    OP_MM = 74,
    OP_MV = 75,
    OP_DOT = 76,
    OP_BMM = 77,
    OP_ADDMM = 78,
    OP_BADDBMM = 79,
    OP_LINEAR = 80,
    OP_LAYER_NORM = 81,
    OP_RMS_NORM = 82,
    OP_ADD = 83,
    OP_SUB = 84,
    OP_MUL = 85,
    OP_DIV = 86,
    OP_ADD_SCALAR = 87,
    OP_SUB_SCALAR = 88,
    OP_MUL_SCALAR = 89,
    OP_DIV_SCALAR = 90,
    OP_RSUB_SCALAR = 91,
    OP_POW_SCALAR = 92,
    OP_MAXIMUM = 93,
    OP_MINIMUM = 94,
    OP_NEG = 95,
    OP_ABS = 96,
    OP_RECIPROCAL = 97,
    OP_EXP = 98,
    OP_LOG = 99,
    OP_SQRT = 100,
    OP_RSQRT = 101,
    OP_SQUARE = 102,
    OP_TANH = 103,
    OP_SIGMOID = 104,
    OP_SILU = 105,
    OP_GELU = 106,
    OP_RELU = 107,
    OP_WHERE = 108,
    OP_DROPOUT = 109,
    OP_SUM = 110,
    OP_MEAN = 111,
    OP_NANSUM = 112,
    OP_NANMEAN = 113,
    OP_COUNT_NONZERO = 114,
    OP_PROD = 115,
    OP_AMAX = 116,
    OP_AMIN = 117,
    OP_AMINMAX = 118,
    OP_ALL = 119,
    OP_ANY = 120,
    OP_POWSUM = 121,
    OP_AMAX_ABS = 122,
    OP_AMIN_ABS = 123,
    OP_NORM = 124,
    OP_REPEAT = 125,
    OP_TILE = 126,
    OP_REPEAT_INTERLEAVE = 127,
    OP_SCATTER = 128,
    OP_SCATTER_VALUE = 129,
    OP_SCATTER_ADD = 130,
    OP_SCATTER_REDUCE = 131,
    OP_SLICE = 132,
    OP_NARROW = 133,
    OP_SELECT = 134,
    OP_SOFTMAX = 135,
    OP_LOG_SOFTMAX = 136,
    OP_SOFTMAX_BACKWARD = 137,
    OP_LOG_SOFTMAX_BACKWARD = 138,
    OP_TOPK = 139,
    OP_TRIL = 140,
    OP_TRIU = 141,
    OP_VAR = 142,
    OP_STD = 143,
    OP_VAR_MEAN = 144,
    OP_STD_MEAN = 145,
    OP_VIEW = 146,
    OP_RESHAPE = 147,
    OP_FLATTEN = 148,
    OP_UNFLATTEN = 149,
    OP_SQUEEZE = 150,
    OP_UNSQUEEZE = 151,
    OP_PERMUTE = 152,
    OP_TRANSPOSE = 153,
    OP_T = 154,
    OP_EXPAND = 155,
    OP_COUNT = 156
};

/* A world compares these with its rows when it opens. */
const char *const dti_op_names[OP_COUNT + 1] = {
    "alias",
    "detach",
    "contiguous",
    "view_as",
    "expand_as",
    "movedim",
    "diagonal",
    "view_as_real",
    "view_as_complex",
    "max_dim",
    "min_dim",
    "argmax",
    "argmin",
    "argmax_all",
    "argmin_all",
    "scaled_dot_product_attention",
    "scaled_dot_product_attention_forward",
    "scaled_dot_product_attention_backward",
    "redistribute",
    "to_local",
    "full_tensor",
    "from_local",
    "clone",
    "cast",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "eq_scalar",
    "ne_scalar",
    "lt_scalar",
    "le_scalar",
    "gt_scalar",
    "ge_scalar",
    "logical_and",
    "logical_or",
    "logical_not",
    "contract",
    "empty_like",
    "zeros_like",
    "ones_like",
    "full_like",
    "rand_like",
    "randn_like",
    "randint_like",
    "new_empty",
    "new_zeros",
    "new_ones",
    "new_full",
    "einsum",
    "embedding",
    "equal",
    "fill_scalar",
    "fill",
    "zero",
    "copy",
    "foreach_add",
    "foreach_mul_scalar",
    "gather",
    "index_select",
    "index_add",
    "index_copy",
    "index_fill_scalar",
    "index_fill",
    "cat",
    "stack",
    "split",
    "split_sizes",
    "chunks",
    "unbind",
    "logsumexp",
    "matmul",
    "mm",
    "mv",
    "dot",
    "bmm",
    "addmm",
    "baddbmm",
    "linear",
    "layer_norm",
    "rms_norm",
    "add",
    "sub",
    "mul",
    "div",
    "add_scalar",
    "sub_scalar",
    "mul_scalar",
    "div_scalar",
    "rsub_scalar",
    "pow_scalar",
    "maximum",
    "minimum",
    "neg",
    "abs",
    "reciprocal",
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "square",
    "tanh",
    "sigmoid",
    "silu",
    "gelu",
    "relu",
    "where",
    "dropout",
    "sum",
    "mean",
    "nansum",
    "nanmean",
    "count_nonzero",
    "prod",
    "amax",
    "amin",
    "aminmax",
    "all",
    "any",
    "powsum",
    "amax_abs",
    "amin_abs",
    "norm",
    "repeat",
    "tile",
    "repeat_interleave",
    "scatter",
    "scatter_value",
    "scatter_add",
    "scatter_reduce",
    "slice",
    "narrow",
    "select",
    "softmax",
    "log_softmax",
    "softmax_backward",
    "log_softmax_backward",
    "topk",
    "tril",
    "triu",
    "var",
    "std",
    "var_mean",
    "std_mean",
    "view",
    "reshape",
    "flatten",
    "unflatten",
    "squeeze",
    "unsqueeze",
    "permute",
    "transpose",
    "t",
    "expand",
    NULL,
};
const int dti_op_name_count = OP_COUNT;

/* A shape may say that it has more extents than it has room for; these stand
 * for it, which are too many too. */
static const int64_t too_many[DT_MAX_NDIM + 1];

static inline const int64_t *list_of(const dt_shape *shape)
{
    return (unsigned)shape->ndim <= DT_MAX_NDIM ? shape->dims : too_many;
}

static inline int list_count(const dt_shape *shape)
{
    return (unsigned)shape->ndim <= DT_MAX_NDIM ? shape->ndim
                                                : DT_MAX_NDIM + 1;
}

/* Options say another size than they have: tell the world of a tensor. */
static dt_status refuse_size(const dt_tensor *tensor, size_t given,
                             size_t expected, const char *initialiser)
{
    if (!tensor)
        return DT_ERR_INVALID;
    return dti_fail_size(dt_tensor_world(tensor), given, expected,
                         initialiser);
}

static inline dt_tensor *call_alias(dt_form form, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ALIAS, form, arguments, 1, out);
}

dt_tensor *dt_alias(dt_tensor *self)
{
    return call_alias(DT_FORM_NEW, self, NULL);
}

static inline dt_tensor *call_detach(dt_form form, dt_tensor *self,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_DETACH, form, arguments, 1, out);
}

dt_tensor *dt_detach(dt_tensor *self)
{
    return call_detach(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_detach_(dt_tensor *self)
{
    return call_detach(DT_FORM_IN_PLACE, self, NULL);
}

static inline dt_tensor *call_contiguous(dt_form form, dt_tensor *self,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_CONTIGUOUS, form, arguments, 1, out);
}

dt_tensor *dt_contiguous(dt_tensor *self)
{
    return call_contiguous(DT_FORM_NEW, self, NULL);
}

static inline dt_tensor *call_view_as(dt_form form, dt_tensor *self,
                                      dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_VIEW_AS, form, arguments, 2, out);
}

dt_tensor *dt_view_as(dt_tensor *self, dt_tensor *other)
{
    return call_view_as(DT_FORM_NEW, self, other, NULL);
}

static inline dt_tensor *call_expand_as(dt_form form, dt_tensor *self,
                                        dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_EXPAND_AS, form, arguments, 2, out);
}

dt_tensor *dt_expand_as(dt_tensor *self, dt_tensor *other)
{
    return call_expand_as(DT_FORM_NEW, self, other, NULL);
}

static inline dt_tensor *call_movedim(dt_form form, dt_tensor *self,
                                      dt_dims source, dt_dims destination,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&source),
         .as.integers = list_of(&source)},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&destination),
         .as.integers = list_of(&destination)},
    };
    return dti_op_call_one(OP_MOVEDIM, form, arguments, 3, out);
}

dt_tensor *dt_movedim(dt_tensor *self, dt_dims source, dt_dims destination)
{
    return call_movedim(DT_FORM_NEW, self, source, destination, NULL);
}

static inline dt_tensor *call_diagonal(dt_form form, dt_tensor *self,
                                       int64_t offset, int dim1, int dim2,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = offset},
        {.kind = DT_ARG_INTEGER, .as.integer = dim1},
        {.kind = DT_ARG_INTEGER, .as.integer = dim2},
    };
    return dti_op_call_one(OP_DIAGONAL, form, arguments, 4, out);
}

dt_tensor *dt_diagonal(dt_tensor *self, int64_t offset, int dim1, int dim2)
{
    return call_diagonal(DT_FORM_NEW, self, offset, dim1, dim2, NULL);
}

static inline dt_tensor *call_view_as_real(dt_form form, dt_tensor *self,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_VIEW_AS_REAL, form, arguments, 1, out);
}

dt_tensor *dt_view_as_real(dt_tensor *self)
{
    return call_view_as_real(DT_FORM_NEW, self, NULL);
}

static inline dt_tensor *call_view_as_complex(dt_form form, dt_tensor *self,
                                              dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_VIEW_AS_COMPLEX, form, arguments, 1, out);
}

dt_tensor *dt_view_as_complex(dt_tensor *self)
{
    return call_view_as_complex(DT_FORM_NEW, self, NULL);
}

static inline dt_status call_max_dim(dt_form form, dt_tensor *self, int dim,
                                     bool keepdim, dt_tensor **values,
                                     dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_MAX_DIM, form, arguments,
                                        3, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_max_dim(dt_tensor *self, int dim, bool keepdim, dt_tensor **values,
                     dt_tensor **indices)
{
    return call_max_dim(DT_FORM_NEW, self, dim, keepdim, values, indices);
}

static inline dt_status call_min_dim(dt_form form, dt_tensor *self, int dim,
                                     bool keepdim, dt_tensor **values,
                                     dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_MIN_DIM, form, arguments,
                                        3, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_min_dim(dt_tensor *self, int dim, bool keepdim, dt_tensor **values,
                     dt_tensor **indices)
{
    return call_min_dim(DT_FORM_NEW, self, dim, keepdim, values, indices);
}

static inline dt_tensor *call_argmax(dt_form form, dt_tensor *self, int dim,
                                     bool keepdim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_ARGMAX, form, arguments, 3, out);
}

dt_tensor *dt_argmax(dt_tensor *self, int dim, bool keepdim)
{
    return call_argmax(DT_FORM_NEW, self, dim, keepdim, NULL);
}

static inline dt_tensor *call_argmin(dt_form form, dt_tensor *self, int dim,
                                     bool keepdim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_ARGMIN, form, arguments, 3, out);
}

dt_tensor *dt_argmin(dt_tensor *self, int dim, bool keepdim)
{
    return call_argmin(DT_FORM_NEW, self, dim, keepdim, NULL);
}

static inline dt_tensor *call_argmax_all(dt_form form, dt_tensor *self,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ARGMAX_ALL, form, arguments, 1, out);
}

dt_tensor *dt_argmax_all(dt_tensor *self)
{
    return call_argmax_all(DT_FORM_NEW, self, NULL);
}

static inline dt_tensor *call_argmin_all(dt_form form, dt_tensor *self,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ARGMIN_ALL, form, arguments, 1, out);
}

dt_tensor *dt_argmin_all(dt_tensor *self)
{
    return call_argmin_all(DT_FORM_NEW, self, NULL);
}

static inline dt_tensor *call_scaled_dot_product_attention(dt_form form,
                                                           dt_tensor *query,
                                                           dt_tensor *key,
                                                           dt_tensor *value,
                                                           dt_tensor *attn_mask,
                                                           double dropout_p,
                                                           bool is_causal,
                                                           double scale,
                                                           bool enable_gqa,
                                                           dt_generator *generator,
                                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = query},
        {.kind = DT_ARG_TENSOR, .as.tensor = key},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
        {.kind = attn_mask ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = attn_mask},
        {.kind = DT_ARG_REAL, .as.real = dropout_p},
        {.kind = DT_ARG_INTEGER, .as.integer = is_causal},
        {.kind = DT_ARG_REAL, .as.real = scale},
        {.kind = DT_ARG_INTEGER, .as.integer = enable_gqa},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_SCALED_DOT_PRODUCT_ATTENTION, form, arguments, 9, out);
}

dt_tensor *dt_scaled_dot_product_attention(dt_tensor *query, dt_tensor *key,
                                           dt_tensor *value)
{
    return call_scaled_dot_product_attention(DT_FORM_NEW, query, key, value, 0,
                                             0, false, HUGE_VAL, false, 0,
                                             NULL);
}

dt_tensor *dt_scaled_dot_product_attention_with(dt_tensor *query,
                                                dt_tensor *key,
                                                dt_tensor *value,
                                                const dt_scaled_dot_product_attention_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(query, options->size, sizeof *options,
                    "DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT");
        return NULL;
    }
    return call_scaled_dot_product_attention(DT_FORM_NEW, query, key, value,
                                             options->attn_mask,
                                             options->dropout_p,
                                             options->is_causal, options->scale,
                                             options->enable_gqa,
                                             options->generator, NULL);
}

static inline dt_status call_scaled_dot_product_attention_forward(dt_form form,
                                                                  dt_tensor *query,
                                                                  dt_tensor *key,
                                                                  dt_tensor *value,
                                                                  dt_tensor *attn_mask,
                                                                  double dropout_p,
                                                                  bool is_causal,
                                                                  double scale,
                                                                  bool enable_gqa,
                                                                  dt_generator *generator,
                                                                  dt_tensor **output,
                                                                  dt_tensor **logsumexp,
                                                                  dt_tensor **dropout_key)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = query},
        {.kind = DT_ARG_TENSOR, .as.tensor = key},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
        {.kind = attn_mask ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = attn_mask},
        {.kind = DT_ARG_REAL, .as.real = dropout_p},
        {.kind = DT_ARG_INTEGER, .as.integer = is_causal},
        {.kind = DT_ARG_REAL, .as.real = scale},
        {.kind = DT_ARG_INTEGER, .as.integer = enable_gqa},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    dt_tensor *results[3] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_SCALED_DOT_PRODUCT_ATTENTION_FORWARD, form, arguments,
                                        9, results, 3, &count);
    if (status != DT_OK)
        return status;
    if (output)
        *output = results[0];
    if (logsumexp)
        *logsumexp = results[1];
    if (dropout_key)
        *dropout_key = results[2];
    return DT_OK;
}

dt_status dt_scaled_dot_product_attention_forward(dt_tensor *query,
                                                  dt_tensor *key,
                                                  dt_tensor *value,
                                                  dt_tensor **output,
                                                  dt_tensor **logsumexp,
                                                  dt_tensor **dropout_key)
{
    return call_scaled_dot_product_attention_forward(DT_FORM_NEW, query, key,
                                                     value, 0, 0, false,
                                                     HUGE_VAL, false, 0, output,
                                                     logsumexp, dropout_key);
}

dt_status dt_scaled_dot_product_attention_forward_with(dt_tensor *query,
                                                       dt_tensor *key,
                                                       dt_tensor *value,
                                                       const dt_scaled_dot_product_attention_forward_options *options,
                                                       dt_tensor **output,
                                                       dt_tensor **logsumexp,
                                                       dt_tensor **dropout_key)
{
    if (options->size != sizeof *options)
        return refuse_size(query, options->size, sizeof *options,
                           "DT_SCALED_DOT_PRODUCT_ATTENTION_FORWARD_OPTIONS_INIT");
    return call_scaled_dot_product_attention_forward(DT_FORM_NEW, query, key,
                                                     value, options->attn_mask,
                                                     options->dropout_p,
                                                     options->is_causal,
                                                     options->scale,
                                                     options->enable_gqa,
                                                     options->generator, output,
                                                     logsumexp, dropout_key);
}

static inline dt_status call_scaled_dot_product_attention_backward(dt_form form,
                                                                   dt_tensor *grad_out,
                                                                   dt_tensor *query,
                                                                   dt_tensor *key,
                                                                   dt_tensor *value,
                                                                   dt_tensor *out,
                                                                   dt_tensor *logsumexp,
                                                                   dt_tensor *dropout_key,
                                                                   dt_tensor *attn_mask,
                                                                   double dropout_p,
                                                                   bool is_causal,
                                                                   double scale,
                                                                   bool enable_gqa,
                                                                   dt_tensor **grad_query,
                                                                   dt_tensor **grad_key,
                                                                   dt_tensor **grad_value)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_out},
        {.kind = DT_ARG_TENSOR, .as.tensor = query},
        {.kind = DT_ARG_TENSOR, .as.tensor = key},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
        {.kind = DT_ARG_TENSOR, .as.tensor = out},
        {.kind = DT_ARG_TENSOR, .as.tensor = logsumexp},
        {.kind = dropout_key ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = dropout_key},
        {.kind = attn_mask ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = attn_mask},
        {.kind = DT_ARG_REAL, .as.real = dropout_p},
        {.kind = DT_ARG_INTEGER, .as.integer = is_causal},
        {.kind = DT_ARG_REAL, .as.real = scale},
        {.kind = DT_ARG_INTEGER, .as.integer = enable_gqa},
    };
    dt_tensor *results[3] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD, form, arguments,
                                        12, results, 3, &count);
    if (status != DT_OK)
        return status;
    if (grad_query)
        *grad_query = results[0];
    if (grad_key)
        *grad_key = results[1];
    if (grad_value)
        *grad_value = results[2];
    return DT_OK;
}

dt_status dt_scaled_dot_product_attention_backward(dt_tensor *grad_out,
                                                   dt_tensor *query,
                                                   dt_tensor *key,
                                                   dt_tensor *value,
                                                   dt_tensor *out,
                                                   dt_tensor *logsumexp,
                                                   dt_tensor *dropout_key,
                                                   dt_tensor **grad_query,
                                                   dt_tensor **grad_key,
                                                   dt_tensor **grad_value)
{
    return call_scaled_dot_product_attention_backward(DT_FORM_NEW, grad_out,
                                                      query, key, value, out,
                                                      logsumexp, dropout_key, 0,
                                                      0, false, HUGE_VAL, false,
                                                      grad_query, grad_key,
                                                      grad_value);
}

dt_status dt_scaled_dot_product_attention_backward_with(dt_tensor *grad_out,
                                                        dt_tensor *query,
                                                        dt_tensor *key,
                                                        dt_tensor *value,
                                                        dt_tensor *out,
                                                        dt_tensor *logsumexp,
                                                        dt_tensor *dropout_key,
                                                        const dt_scaled_dot_product_attention_backward_options *options,
                                                        dt_tensor **grad_query,
                                                        dt_tensor **grad_key,
                                                        dt_tensor **grad_value)
{
    if (options->size != sizeof *options)
        return refuse_size(grad_out, options->size, sizeof *options,
                           "DT_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD_OPTIONS_INIT");
    return call_scaled_dot_product_attention_backward(DT_FORM_NEW, grad_out,
                                                      query, key, value, out,
                                                      logsumexp, dropout_key,
                                                      options->attn_mask,
                                                      options->dropout_p,
                                                      options->is_causal,
                                                      options->scale,
                                                      options->enable_gqa,
                                                      grad_query, grad_key,
                                                      grad_value);
}

static inline dt_tensor *call_clone(dt_form form, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_CLONE, form, arguments, 1, out);
}

dt_tensor *dt_clone(dt_tensor *self)
{
    return call_clone(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_clone_out(dt_tensor *self, dt_tensor *out)
{
    return call_clone(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_cast(dt_form form, dt_tensor *self,
                                   dt_dtype dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dtype},
    };
    return dti_op_call_one(OP_CAST, form, arguments, 2, out);
}

dt_tensor *dt_cast(dt_tensor *self, dt_dtype dtype)
{
    return call_cast(DT_FORM_NEW, self, dtype, NULL);
}

static inline dt_tensor *call_eq(dt_form form, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_EQ, form, arguments, 2, out);
}

dt_tensor *dt_eq(dt_tensor *self, dt_tensor *other)
{
    return call_eq(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_eq_(dt_tensor *self, dt_tensor *other)
{
    return call_eq(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_eq_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_eq(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_ne(dt_form form, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_NE, form, arguments, 2, out);
}

dt_tensor *dt_ne(dt_tensor *self, dt_tensor *other)
{
    return call_ne(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_ne_(dt_tensor *self, dt_tensor *other)
{
    return call_ne(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_ne_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_ne(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_lt(dt_form form, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LT, form, arguments, 2, out);
}

dt_tensor *dt_lt(dt_tensor *self, dt_tensor *other)
{
    return call_lt(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_lt_(dt_tensor *self, dt_tensor *other)
{
    return call_lt(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_lt_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_lt(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_le(dt_form form, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LE, form, arguments, 2, out);
}

dt_tensor *dt_le(dt_tensor *self, dt_tensor *other)
{
    return call_le(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_le_(dt_tensor *self, dt_tensor *other)
{
    return call_le(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_le_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_le(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_gt(dt_form form, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_GT, form, arguments, 2, out);
}

dt_tensor *dt_gt(dt_tensor *self, dt_tensor *other)
{
    return call_gt(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_gt_(dt_tensor *self, dt_tensor *other)
{
    return call_gt(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_gt_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_gt(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_ge(dt_form form, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_GE, form, arguments, 2, out);
}

dt_tensor *dt_ge(dt_tensor *self, dt_tensor *other)
{
    return call_ge(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_ge_(dt_tensor *self, dt_tensor *other)
{
    return call_ge(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_ge_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_ge(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_eq_scalar(dt_form form, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_EQ_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_eq_scalar(dt_tensor *self, dt_number other)
{
    return call_eq_scalar(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_eq_scalar_(dt_tensor *self, dt_number other)
{
    return call_eq_scalar(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_eq_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_eq_scalar(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_ne_scalar(dt_form form, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_NE_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_ne_scalar(dt_tensor *self, dt_number other)
{
    return call_ne_scalar(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_ne_scalar_(dt_tensor *self, dt_number other)
{
    return call_ne_scalar(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_ne_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_ne_scalar(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_lt_scalar(dt_form form, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_LT_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_lt_scalar(dt_tensor *self, dt_number other)
{
    return call_lt_scalar(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_lt_scalar_(dt_tensor *self, dt_number other)
{
    return call_lt_scalar(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_lt_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_lt_scalar(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_le_scalar(dt_form form, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_LE_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_le_scalar(dt_tensor *self, dt_number other)
{
    return call_le_scalar(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_le_scalar_(dt_tensor *self, dt_number other)
{
    return call_le_scalar(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_le_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_le_scalar(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_gt_scalar(dt_form form, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_GT_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_gt_scalar(dt_tensor *self, dt_number other)
{
    return call_gt_scalar(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_gt_scalar_(dt_tensor *self, dt_number other)
{
    return call_gt_scalar(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_gt_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_gt_scalar(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_ge_scalar(dt_form form, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_GE_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_ge_scalar(dt_tensor *self, dt_number other)
{
    return call_ge_scalar(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_ge_scalar_(dt_tensor *self, dt_number other)
{
    return call_ge_scalar(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_ge_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_ge_scalar(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_logical_and(dt_form form, dt_tensor *self,
                                          dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LOGICAL_AND, form, arguments, 2, out);
}

dt_tensor *dt_logical_and(dt_tensor *self, dt_tensor *other)
{
    return call_logical_and(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_logical_and_(dt_tensor *self, dt_tensor *other)
{
    return call_logical_and(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_logical_and_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out)
{
    return call_logical_and(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_logical_or(dt_form form, dt_tensor *self,
                                         dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LOGICAL_OR, form, arguments, 2, out);
}

dt_tensor *dt_logical_or(dt_tensor *self, dt_tensor *other)
{
    return call_logical_or(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_logical_or_(dt_tensor *self, dt_tensor *other)
{
    return call_logical_or(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_logical_or_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out)
{
    return call_logical_or(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_logical_not(dt_form form, dt_tensor *self,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_LOGICAL_NOT, form, arguments, 1, out);
}

dt_tensor *dt_logical_not(dt_tensor *self)
{
    return call_logical_not(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_logical_not_(dt_tensor *self)
{
    return call_logical_not(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_logical_not_out(dt_tensor *self, dt_tensor *out)
{
    return call_logical_not(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_contract(dt_form form, dt_tensor *a, dt_tensor *b,
                                       const char *equation, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = a},
        {.kind = b ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = b},
        {.kind = DT_ARG_TEXT, .as.text = equation},
    };
    return dti_op_call_one(OP_CONTRACT, form, arguments, 3, out);
}

dt_tensor *dt_contract(dt_tensor *a, dt_tensor *b, const char *equation)
{
    return call_contract(DT_FORM_NEW, a, b, equation, NULL);
}

static inline dt_tensor *call_new_empty(dt_form form, dt_tensor *self,
                                        dt_shape size, const dt_dtype *dtype,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&size),
         .as.integers = list_of(&size)},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NEW_EMPTY, form, arguments, 3, out);
}

dt_tensor *dt_new_empty(dt_tensor *self, dt_shape size)
{
    return call_new_empty(DT_FORM_NEW, self, size, 0, NULL);
}

dt_tensor *dt_new_empty_with(dt_tensor *self, dt_shape size,
                             const dt_new_empty_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NEW_EMPTY_OPTIONS_INIT");
        return NULL;
    }
    return call_new_empty(DT_FORM_NEW, self, size, options->dtype, NULL);
}

static inline dt_tensor *call_new_zeros(dt_form form, dt_tensor *self,
                                        dt_shape size, const dt_dtype *dtype,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&size),
         .as.integers = list_of(&size)},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NEW_ZEROS, form, arguments, 3, out);
}

dt_tensor *dt_new_zeros(dt_tensor *self, dt_shape size)
{
    return call_new_zeros(DT_FORM_NEW, self, size, 0, NULL);
}

dt_tensor *dt_new_zeros_with(dt_tensor *self, dt_shape size,
                             const dt_new_zeros_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NEW_ZEROS_OPTIONS_INIT");
        return NULL;
    }
    return call_new_zeros(DT_FORM_NEW, self, size, options->dtype, NULL);
}

static inline dt_tensor *call_new_ones(dt_form form, dt_tensor *self,
                                       dt_shape size, const dt_dtype *dtype,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&size),
         .as.integers = list_of(&size)},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NEW_ONES, form, arguments, 3, out);
}

dt_tensor *dt_new_ones(dt_tensor *self, dt_shape size)
{
    return call_new_ones(DT_FORM_NEW, self, size, 0, NULL);
}

dt_tensor *dt_new_ones_with(dt_tensor *self, dt_shape size,
                            const dt_new_ones_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NEW_ONES_OPTIONS_INIT");
        return NULL;
    }
    return call_new_ones(DT_FORM_NEW, self, size, options->dtype, NULL);
}

static inline dt_tensor *call_new_full(dt_form form, dt_tensor *self,
                                       dt_shape size, dt_number value,
                                       const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&size),
         .as.integers = list_of(&size)},
        {.kind = DT_ARG_NUMBER, .as.number = value},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NEW_FULL, form, arguments, 4, out);
}

dt_tensor *dt_new_full(dt_tensor *self, dt_shape size, dt_number value)
{
    return call_new_full(DT_FORM_NEW, self, size, value, 0, NULL);
}

dt_tensor *dt_new_full_with(dt_tensor *self, dt_shape size, dt_number value,
                            const dt_new_full_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NEW_FULL_OPTIONS_INIT");
        return NULL;
    }
    return call_new_full(DT_FORM_NEW, self, size, value, options->dtype,
                         NULL);
}

static inline dt_tensor *call_einsum(dt_form form, const char *equation,
                                     dt_tensor *const *operands,
                                     int operands_count, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TEXT, .as.text = equation},
        {.kind = DT_ARG_TENSORS, .count = operands_count,
         .as.tensors = operands},
    };
    return dti_op_call_one(OP_EINSUM, form, arguments, 2, out);
}

dt_tensor *dt_einsum(const char *equation, dt_tensor *const *operands,
                     int operands_count)
{
    return call_einsum(DT_FORM_NEW, equation, operands, operands_count,
                       NULL);
}

static inline dt_tensor *call_embedding(dt_form form, dt_tensor *weight,
                                        dt_tensor *indices, int64_t padding_idx,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = weight},
        {.kind = DT_ARG_TENSOR, .as.tensor = indices},
        {.kind = DT_ARG_INTEGER, .as.integer = padding_idx},
    };
    return dti_op_call_one(OP_EMBEDDING, form, arguments, 3, out);
}

dt_tensor *dt_embedding(dt_tensor *weight, dt_tensor *indices)
{
    return call_embedding(DT_FORM_NEW, weight, indices, -1, NULL);
}

dt_tensor *dt_embedding_with(dt_tensor *weight, dt_tensor *indices,
                             const dt_embedding_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(weight, options->size, sizeof *options,
                    "DT_EMBEDDING_OPTIONS_INIT");
        return NULL;
    }
    return call_embedding(DT_FORM_NEW, weight, indices, options->padding_idx,
                          NULL);
}

static inline dt_tensor *call_equal(dt_form form, dt_tensor *self,
                                    dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_EQUAL, form, arguments, 2, out);
}

dt_tensor *dt_equal(dt_tensor *self, dt_tensor *other)
{
    return call_equal(DT_FORM_NEW, self, other, NULL);
}

static inline dt_tensor *call_fill_scalar(dt_form form, dt_tensor *self,
                                          dt_number value, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_FILL_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_fill_scalar(dt_tensor *self, dt_number value)
{
    return call_fill_scalar(DT_FORM_NEW, self, value, NULL);
}

dt_tensor *dt_fill_scalar_(dt_tensor *self, dt_number value)
{
    return call_fill_scalar(DT_FORM_IN_PLACE, self, value, NULL);
}

dt_tensor *dt_fill_scalar_out(dt_tensor *self, dt_number value,
                              dt_tensor *out)
{
    return call_fill_scalar(DT_FORM_OUT, self, value, out);
}

static inline dt_tensor *call_fill(dt_form form, dt_tensor *self,
                                   dt_tensor *value, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
    };
    return dti_op_call_one(OP_FILL, form, arguments, 2, out);
}

dt_tensor *dt_fill(dt_tensor *self, dt_tensor *value)
{
    return call_fill(DT_FORM_NEW, self, value, NULL);
}

dt_tensor *dt_fill_(dt_tensor *self, dt_tensor *value)
{
    return call_fill(DT_FORM_IN_PLACE, self, value, NULL);
}

dt_tensor *dt_fill_out(dt_tensor *self, dt_tensor *value, dt_tensor *out)
{
    return call_fill(DT_FORM_OUT, self, value, out);
}

static inline dt_tensor *call_zero(dt_form form, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ZERO, form, arguments, 1, out);
}

dt_tensor *dt_zero(dt_tensor *self)
{
    return call_zero(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_zero_(dt_tensor *self)
{
    return call_zero(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_zero_out(dt_tensor *self, dt_tensor *out)
{
    return call_zero(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_copy(dt_form form, dt_tensor *self,
                                   dt_tensor *src, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
    };
    return dti_op_call_one(OP_COPY, form, arguments, 2, out);
}

dt_tensor *dt_copy(dt_tensor *self, dt_tensor *src)
{
    return call_copy(DT_FORM_NEW, self, src, NULL);
}

dt_tensor *dt_copy_(dt_tensor *self, dt_tensor *src)
{
    return call_copy(DT_FORM_IN_PLACE, self, src, NULL);
}

dt_tensor *dt_copy_out(dt_tensor *self, dt_tensor *src, dt_tensor *out)
{
    return call_copy(DT_FORM_OUT, self, src, out);
}

static inline dt_status call_foreach_add(dt_form form, dt_tensor *const *self,
                                         int self_count,
                                         dt_tensor *const *other,
                                         int other_count, dt_number alpha,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = other_count, .as.tensors = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_many(OP_FOREACH_ADD, form, arguments, 3, results,
                            room, count);
}

dt_status dt_foreach_add(dt_tensor *const *self, int self_count,
                         dt_tensor *const *other, int other_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_add(DT_FORM_NEW, self, self_count, other, other_count,
                            (dt_number){DT_KIND_SIGNED, {1}},
                            results, room, count);
}

dt_status dt_foreach_add_with(dt_tensor *const *self, int self_count,
                              dt_tensor *const *other, int other_count,
                              const dt_foreach_add_options *options,
                              dt_tensor **results, int room, int *count)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_ADD_OPTIONS_INIT");
    return call_foreach_add(DT_FORM_NEW, self, self_count, other, other_count,
                            options->alpha, results, room, count);
}

dt_status dt_foreach_add_(dt_tensor *const *self, int self_count,
                          dt_tensor *const *other, int other_count)
{
    return call_foreach_add(DT_FORM_IN_PLACE, self, self_count, other,
                            other_count, (dt_number){DT_KIND_SIGNED, {1}},
                            NULL, 0, NULL);
}

dt_status dt_foreach_add_with_(dt_tensor *const *self, int self_count,
                               dt_tensor *const *other, int other_count,
                               const dt_foreach_add_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_ADD_OPTIONS_INIT");
    return call_foreach_add(DT_FORM_IN_PLACE, self, self_count, other,
                            other_count, options->alpha, NULL, 0, NULL);
}

static inline dt_status call_foreach_mul_scalar(dt_form form,
                                                dt_tensor *const *self,
                                                int self_count, dt_number other,
                                                dt_tensor **results, int room,
                                                int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_many(OP_FOREACH_MUL_SCALAR, form, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_mul_scalar(dt_tensor *const *self, int self_count,
                                dt_number other, dt_tensor **results, int room,
                                int *count)
{
    return call_foreach_mul_scalar(DT_FORM_NEW, self, self_count, other,
                                   results, room, count);
}

dt_status dt_foreach_mul_scalar_(dt_tensor *const *self, int self_count,
                                 dt_number other)
{
    return call_foreach_mul_scalar(DT_FORM_IN_PLACE, self, self_count, other,
                                   NULL, 0, NULL);
}

static inline dt_tensor *call_gather(dt_form form, dt_tensor *self, int dim,
                                     dt_tensor *index, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
    };
    return dti_op_call_one(OP_GATHER, form, arguments, 3, out);
}

dt_tensor *dt_gather(dt_tensor *self, int dim, dt_tensor *index)
{
    return call_gather(DT_FORM_NEW, self, dim, index, NULL);
}

dt_tensor *dt_gather_out(dt_tensor *self, int dim, dt_tensor *index,
                         dt_tensor *out)
{
    return call_gather(DT_FORM_OUT, self, dim, index, out);
}

static inline dt_tensor *call_index_select(dt_form form, dt_tensor *self,
                                           int dim, dt_tensor *index,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
    };
    return dti_op_call_one(OP_INDEX_SELECT, form, arguments, 3, out);
}

dt_tensor *dt_index_select(dt_tensor *self, int dim, dt_tensor *index)
{
    return call_index_select(DT_FORM_NEW, self, dim, index, NULL);
}

dt_tensor *dt_index_select_out(dt_tensor *self, int dim, dt_tensor *index,
                               dt_tensor *out)
{
    return call_index_select(DT_FORM_OUT, self, dim, index, out);
}

static inline dt_tensor *call_index_add(dt_form form, dt_tensor *self, int dim,
                                        dt_tensor *index, dt_tensor *source,
                                        dt_number alpha, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = source},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_INDEX_ADD, form, arguments, 5, out);
}

dt_tensor *dt_index_add(dt_tensor *self, int dim, dt_tensor *index,
                        dt_tensor *source)
{
    return call_index_add(DT_FORM_NEW, self, dim, index, source,
                          (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_index_add_with(dt_tensor *self, int dim, dt_tensor *index,
                             dt_tensor *source,
                             const dt_index_add_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_INDEX_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_index_add(DT_FORM_NEW, self, dim, index, source, options->alpha,
                          NULL);
}

dt_tensor *dt_index_add_(dt_tensor *self, int dim, dt_tensor *index,
                         dt_tensor *source)
{
    return call_index_add(DT_FORM_IN_PLACE, self, dim, index, source,
                          (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_index_add_with_(dt_tensor *self, int dim, dt_tensor *index,
                              dt_tensor *source,
                              const dt_index_add_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_INDEX_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_index_add(DT_FORM_IN_PLACE, self, dim, index, source,
                          options->alpha, NULL);
}

dt_tensor *dt_index_add_out(dt_tensor *self, int dim, dt_tensor *index,
                            dt_tensor *source, dt_tensor *out)
{
    return call_index_add(DT_FORM_OUT, self, dim, index, source,
                          (dt_number){DT_KIND_SIGNED, {1}}, out);
}

dt_tensor *dt_index_add_with_out(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *source,
                                 const dt_index_add_options *options,
                                 dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_INDEX_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_index_add(DT_FORM_OUT, self, dim, index, source, options->alpha,
                          out);
}

static inline dt_tensor *call_index_copy(dt_form form, dt_tensor *self, int dim,
                                         dt_tensor *index, dt_tensor *source,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = source},
    };
    return dti_op_call_one(OP_INDEX_COPY, form, arguments, 4, out);
}

dt_tensor *dt_index_copy(dt_tensor *self, int dim, dt_tensor *index,
                         dt_tensor *source)
{
    return call_index_copy(DT_FORM_NEW, self, dim, index, source, NULL);
}

dt_tensor *dt_index_copy_(dt_tensor *self, int dim, dt_tensor *index,
                          dt_tensor *source)
{
    return call_index_copy(DT_FORM_IN_PLACE, self, dim, index, source, NULL);
}

dt_tensor *dt_index_copy_out(dt_tensor *self, int dim, dt_tensor *index,
                             dt_tensor *source, dt_tensor *out)
{
    return call_index_copy(DT_FORM_OUT, self, dim, index, source, out);
}

static inline dt_tensor *call_index_fill_scalar(dt_form form, dt_tensor *self,
                                                int dim, dt_tensor *index,
                                                dt_number value,
                                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_INDEX_FILL_SCALAR, form, arguments, 4, out);
}

dt_tensor *dt_index_fill_scalar(dt_tensor *self, int dim, dt_tensor *index,
                                dt_number value)
{
    return call_index_fill_scalar(DT_FORM_NEW, self, dim, index, value,
                                  NULL);
}

dt_tensor *dt_index_fill_scalar_(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_number value)
{
    return call_index_fill_scalar(DT_FORM_IN_PLACE, self, dim, index, value,
                                  NULL);
}

dt_tensor *dt_index_fill_scalar_out(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_number value, dt_tensor *out)
{
    return call_index_fill_scalar(DT_FORM_OUT, self, dim, index, value, out);
}

static inline dt_tensor *call_index_fill(dt_form form, dt_tensor *self, int dim,
                                         dt_tensor *index, dt_tensor *value,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
    };
    return dti_op_call_one(OP_INDEX_FILL, form, arguments, 4, out);
}

dt_tensor *dt_index_fill(dt_tensor *self, int dim, dt_tensor *index,
                         dt_tensor *value)
{
    return call_index_fill(DT_FORM_NEW, self, dim, index, value, NULL);
}

dt_tensor *dt_index_fill_(dt_tensor *self, int dim, dt_tensor *index,
                          dt_tensor *value)
{
    return call_index_fill(DT_FORM_IN_PLACE, self, dim, index, value, NULL);
}

dt_tensor *dt_index_fill_out(dt_tensor *self, int dim, dt_tensor *index,
                             dt_tensor *value, dt_tensor *out)
{
    return call_index_fill(DT_FORM_OUT, self, dim, index, value, out);
}

static inline dt_tensor *call_cat(dt_form form, dt_tensor *const *tensors,
                                  int tensors_count, int dim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = tensors_count, .as.tensors = tensors},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_CAT, form, arguments, 2, out);
}

dt_tensor *dt_cat(dt_tensor *const *tensors, int tensors_count, int dim)
{
    return call_cat(DT_FORM_NEW, tensors, tensors_count, dim, NULL);
}

dt_tensor *dt_cat_out(dt_tensor *const *tensors, int tensors_count, int dim,
                      dt_tensor *out)
{
    return call_cat(DT_FORM_OUT, tensors, tensors_count, dim, out);
}

static inline dt_tensor *call_stack(dt_form form, dt_tensor *const *tensors,
                                    int tensors_count, int dim,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = tensors_count, .as.tensors = tensors},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_STACK, form, arguments, 2, out);
}

dt_tensor *dt_stack(dt_tensor *const *tensors, int tensors_count, int dim)
{
    return call_stack(DT_FORM_NEW, tensors, tensors_count, dim, NULL);
}

dt_tensor *dt_stack_out(dt_tensor *const *tensors, int tensors_count, int dim,
                        dt_tensor *out)
{
    return call_stack(DT_FORM_OUT, tensors, tensors_count, dim, out);
}

static inline dt_status call_split(dt_form form, dt_tensor *self, int64_t size,
                                   int dim, dt_tensor **results, int room,
                                   int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = size},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_many(OP_SPLIT, form, arguments, 3, results,
                            room, count);
}

dt_status dt_split(dt_tensor *self, int64_t size, int dim, dt_tensor **results,
                   int room, int *count)
{
    return call_split(DT_FORM_NEW, self, size, dim, results, room, count);
}

static inline dt_status call_split_sizes(dt_form form, dt_tensor *self,
                                         const int64_t *sizes, int sizes_count,
                                         int dim, dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = sizes_count, .as.integers = sizes},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_many(OP_SPLIT_SIZES, form, arguments, 3, results,
                            room, count);
}

dt_status dt_split_sizes(dt_tensor *self, const int64_t *sizes, int sizes_count,
                         int dim, dt_tensor **results, int room, int *count)
{
    return call_split_sizes(DT_FORM_NEW, self, sizes, sizes_count, dim,
                            results, room, count);
}

static inline dt_status call_chunks(dt_form form, dt_tensor *self,
                                    int64_t pieces, int dim,
                                    dt_tensor **results, int room,
                                    int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = pieces},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_many(OP_CHUNKS, form, arguments, 3, results,
                            room, count);
}

dt_status dt_chunks(dt_tensor *self, int64_t pieces, int dim,
                    dt_tensor **results, int room, int *count)
{
    return call_chunks(DT_FORM_NEW, self, pieces, dim, results, room, count);
}

static inline dt_status call_unbind(dt_form form, dt_tensor *self, int dim,
                                    dt_tensor **results, int room,
                                    int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_many(OP_UNBIND, form, arguments, 2, results,
                            room, count);
}

dt_status dt_unbind(dt_tensor *self, int dim, dt_tensor **results, int room,
                    int *count)
{
    return call_unbind(DT_FORM_NEW, self, dim, results, room, count);
}

static inline dt_tensor *call_logsumexp(dt_form form, dt_tensor *self,
                                        dt_dims dims, bool keepdim,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_LOGSUMEXP, form, arguments, 3, out);
}

dt_tensor *dt_logsumexp(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_logsumexp(DT_FORM_NEW, self, dims, keepdim, NULL);
}

dt_tensor *dt_logsumexp_out(dt_tensor *self, dt_dims dims, bool keepdim,
                            dt_tensor *out)
{
    return call_logsumexp(DT_FORM_OUT, self, dims, keepdim, out);
}

static inline dt_tensor *call_matmul(dt_form form, dt_tensor *self,
                                     dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_MATMUL, form, arguments, 2, out);
}

dt_tensor *dt_matmul(dt_tensor *self, dt_tensor *other)
{
    return call_matmul(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_matmul_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_matmul(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_mm(dt_form form, dt_tensor *self, dt_tensor *mat2,
                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mat2},
    };
    return dti_op_call_one(OP_MM, form, arguments, 2, out);
}

dt_tensor *dt_mm(dt_tensor *self, dt_tensor *mat2)
{
    return call_mm(DT_FORM_NEW, self, mat2, NULL);
}

dt_tensor *dt_mm_out(dt_tensor *self, dt_tensor *mat2, dt_tensor *out)
{
    return call_mm(DT_FORM_OUT, self, mat2, out);
}

static inline dt_tensor *call_mv(dt_form form, dt_tensor *self, dt_tensor *vec,
                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = vec},
    };
    return dti_op_call_one(OP_MV, form, arguments, 2, out);
}

dt_tensor *dt_mv(dt_tensor *self, dt_tensor *vec)
{
    return call_mv(DT_FORM_NEW, self, vec, NULL);
}

dt_tensor *dt_mv_out(dt_tensor *self, dt_tensor *vec, dt_tensor *out)
{
    return call_mv(DT_FORM_OUT, self, vec, out);
}

static inline dt_tensor *call_dot(dt_form form, dt_tensor *self,
                                  dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_DOT, form, arguments, 2, out);
}

dt_tensor *dt_dot(dt_tensor *self, dt_tensor *other)
{
    return call_dot(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_dot_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_dot(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_bmm(dt_form form, dt_tensor *self,
                                  dt_tensor *mat2, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mat2},
    };
    return dti_op_call_one(OP_BMM, form, arguments, 2, out);
}

dt_tensor *dt_bmm(dt_tensor *self, dt_tensor *mat2)
{
    return call_bmm(DT_FORM_NEW, self, mat2, NULL);
}

dt_tensor *dt_bmm_out(dt_tensor *self, dt_tensor *mat2, dt_tensor *out)
{
    return call_bmm(DT_FORM_OUT, self, mat2, out);
}

static inline dt_tensor *call_addmm(dt_form form, dt_tensor *self,
                                    dt_tensor *mat1, dt_tensor *mat2,
                                    dt_number beta, dt_number alpha,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mat1},
        {.kind = DT_ARG_TENSOR, .as.tensor = mat2},
        {.kind = DT_ARG_NUMBER, .as.number = beta},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_ADDMM, form, arguments, 5, out);
}

dt_tensor *dt_addmm(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2)
{
    return call_addmm(DT_FORM_NEW, self, mat1, mat2,
                      (dt_number){DT_KIND_SIGNED, {1}},
                      (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_addmm_with(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2,
                         const dt_addmm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDMM_OPTIONS_INIT");
        return NULL;
    }
    return call_addmm(DT_FORM_NEW, self, mat1, mat2, options->beta,
                      options->alpha, NULL);
}

dt_tensor *dt_addmm_(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2)
{
    return call_addmm(DT_FORM_IN_PLACE, self, mat1, mat2,
                      (dt_number){DT_KIND_SIGNED, {1}},
                      (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_addmm_with_(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2,
                          const dt_addmm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDMM_OPTIONS_INIT");
        return NULL;
    }
    return call_addmm(DT_FORM_IN_PLACE, self, mat1, mat2, options->beta,
                      options->alpha, NULL);
}

dt_tensor *dt_addmm_out(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2,
                        dt_tensor *out)
{
    return call_addmm(DT_FORM_OUT, self, mat1, mat2,
                      (dt_number){DT_KIND_SIGNED, {1}},
                      (dt_number){DT_KIND_SIGNED, {1}}, out);
}

dt_tensor *dt_addmm_with_out(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2,
                             const dt_addmm_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDMM_OPTIONS_INIT");
        return NULL;
    }
    return call_addmm(DT_FORM_OUT, self, mat1, mat2, options->beta,
                      options->alpha, out);
}

static inline dt_tensor *call_baddbmm(dt_form form, dt_tensor *self,
                                      dt_tensor *batch1, dt_tensor *batch2,
                                      dt_number beta, dt_number alpha,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = batch1},
        {.kind = DT_ARG_TENSOR, .as.tensor = batch2},
        {.kind = DT_ARG_NUMBER, .as.number = beta},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_BADDBMM, form, arguments, 5, out);
}

dt_tensor *dt_baddbmm(dt_tensor *self, dt_tensor *batch1, dt_tensor *batch2)
{
    return call_baddbmm(DT_FORM_NEW, self, batch1, batch2,
                        (dt_number){DT_KIND_SIGNED, {1}},
                        (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_baddbmm_with(dt_tensor *self, dt_tensor *batch1,
                           dt_tensor *batch2,
                           const dt_baddbmm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BADDBMM_OPTIONS_INIT");
        return NULL;
    }
    return call_baddbmm(DT_FORM_NEW, self, batch1, batch2, options->beta,
                        options->alpha, NULL);
}

dt_tensor *dt_baddbmm_(dt_tensor *self, dt_tensor *batch1, dt_tensor *batch2)
{
    return call_baddbmm(DT_FORM_IN_PLACE, self, batch1, batch2,
                        (dt_number){DT_KIND_SIGNED, {1}},
                        (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_baddbmm_with_(dt_tensor *self, dt_tensor *batch1,
                            dt_tensor *batch2,
                            const dt_baddbmm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BADDBMM_OPTIONS_INIT");
        return NULL;
    }
    return call_baddbmm(DT_FORM_IN_PLACE, self, batch1, batch2, options->beta,
                        options->alpha, NULL);
}

dt_tensor *dt_baddbmm_out(dt_tensor *self, dt_tensor *batch1, dt_tensor *batch2,
                          dt_tensor *out)
{
    return call_baddbmm(DT_FORM_OUT, self, batch1, batch2,
                        (dt_number){DT_KIND_SIGNED, {1}},
                        (dt_number){DT_KIND_SIGNED, {1}}, out);
}

dt_tensor *dt_baddbmm_with_out(dt_tensor *self, dt_tensor *batch1,
                               dt_tensor *batch2,
                               const dt_baddbmm_options *options,
                               dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BADDBMM_OPTIONS_INIT");
        return NULL;
    }
    return call_baddbmm(DT_FORM_OUT, self, batch1, batch2, options->beta,
                        options->alpha, out);
}

static inline dt_tensor *call_linear(dt_form form, dt_tensor *input,
                                     dt_tensor *weight, dt_tensor *bias,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = DT_ARG_TENSOR, .as.tensor = weight},
        {.kind = bias ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = bias},
    };
    return dti_op_call_one(OP_LINEAR, form, arguments, 3, out);
}

dt_tensor *dt_linear(dt_tensor *input, dt_tensor *weight, dt_tensor *bias)
{
    return call_linear(DT_FORM_NEW, input, weight, bias, NULL);
}

dt_tensor *dt_linear_out(dt_tensor *input, dt_tensor *weight, dt_tensor *bias,
                         dt_tensor *out)
{
    return call_linear(DT_FORM_OUT, input, weight, bias, out);
}

static inline dt_status call_layer_norm(dt_form form, dt_tensor *input,
                                        dt_shape normalized_shape,
                                        dt_tensor *weight, dt_tensor *bias,
                                        double eps, dt_tensor **out,
                                        dt_tensor **mean, dt_tensor **rstd)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&normalized_shape),
         .as.integers = list_of(&normalized_shape)},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = bias ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = bias},
        {.kind = DT_ARG_REAL, .as.real = eps},
    };
    dt_tensor *results[3] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_LAYER_NORM, form, arguments,
                                        5, results, 3, &count);
    if (status != DT_OK)
        return status;
    if (out)
        *out = results[0];
    if (mean)
        *mean = results[1];
    if (rstd)
        *rstd = results[2];
    return DT_OK;
}

dt_status dt_layer_norm(dt_tensor *input, dt_shape normalized_shape,
                        dt_tensor *weight, dt_tensor *bias, double eps,
                        dt_tensor **out, dt_tensor **mean, dt_tensor **rstd)
{
    return call_layer_norm(DT_FORM_NEW, input, normalized_shape, weight, bias,
                           eps, out, mean, rstd);
}

static inline dt_status call_rms_norm(dt_form form, dt_tensor *input,
                                      dt_shape normalized_shape,
                                      dt_tensor *weight, double eps,
                                      dt_tensor **out, dt_tensor **rstd)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&normalized_shape),
         .as.integers = list_of(&normalized_shape)},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_REAL, .as.real = eps},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_RMS_NORM, form, arguments,
                                        4, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (out)
        *out = results[0];
    if (rstd)
        *rstd = results[1];
    return DT_OK;
}

dt_status dt_rms_norm(dt_tensor *input, dt_shape normalized_shape,
                      dt_tensor *weight, double eps, dt_tensor **out,
                      dt_tensor **rstd)
{
    return call_rms_norm(DT_FORM_NEW, input, normalized_shape, weight, eps, out,
                         rstd);
}

static inline dt_tensor *call_add(dt_form form, dt_tensor *self,
                                  dt_tensor *other, dt_number alpha,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_ADD, form, arguments, 3, out);
}

dt_tensor *dt_add(dt_tensor *self, dt_tensor *other)
{
    return call_add(DT_FORM_NEW, self, other, (dt_number){DT_KIND_SIGNED, {1}},
                    NULL);
}

dt_tensor *dt_add_with(dt_tensor *self, dt_tensor *other,
                       const dt_add_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_add(DT_FORM_NEW, self, other, options->alpha, NULL);
}

dt_tensor *dt_add_(dt_tensor *self, dt_tensor *other)
{
    return call_add(DT_FORM_IN_PLACE, self, other,
                    (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_add_with_(dt_tensor *self, dt_tensor *other,
                        const dt_add_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_add(DT_FORM_IN_PLACE, self, other, options->alpha, NULL);
}

dt_tensor *dt_add_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_add(DT_FORM_OUT, self, other, (dt_number){DT_KIND_SIGNED, {1}},
                    out);
}

dt_tensor *dt_add_with_out(dt_tensor *self, dt_tensor *other,
                           const dt_add_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_add(DT_FORM_OUT, self, other, options->alpha, out);
}

static inline dt_tensor *call_sub(dt_form form, dt_tensor *self,
                                  dt_tensor *other, dt_number alpha,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_SUB, form, arguments, 3, out);
}

dt_tensor *dt_sub(dt_tensor *self, dt_tensor *other)
{
    return call_sub(DT_FORM_NEW, self, other, (dt_number){DT_KIND_SIGNED, {1}},
                    NULL);
}

dt_tensor *dt_sub_with(dt_tensor *self, dt_tensor *other,
                       const dt_sub_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_OPTIONS_INIT");
        return NULL;
    }
    return call_sub(DT_FORM_NEW, self, other, options->alpha, NULL);
}

dt_tensor *dt_sub_(dt_tensor *self, dt_tensor *other)
{
    return call_sub(DT_FORM_IN_PLACE, self, other,
                    (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_sub_with_(dt_tensor *self, dt_tensor *other,
                        const dt_sub_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_OPTIONS_INIT");
        return NULL;
    }
    return call_sub(DT_FORM_IN_PLACE, self, other, options->alpha, NULL);
}

dt_tensor *dt_sub_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_sub(DT_FORM_OUT, self, other, (dt_number){DT_KIND_SIGNED, {1}},
                    out);
}

dt_tensor *dt_sub_with_out(dt_tensor *self, dt_tensor *other,
                           const dt_sub_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_OPTIONS_INIT");
        return NULL;
    }
    return call_sub(DT_FORM_OUT, self, other, options->alpha, out);
}

static inline dt_tensor *call_mul(dt_form form, dt_tensor *self,
                                  dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_MUL, form, arguments, 2, out);
}

dt_tensor *dt_mul(dt_tensor *self, dt_tensor *other)
{
    return call_mul(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_mul_(dt_tensor *self, dt_tensor *other)
{
    return call_mul(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_mul_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_mul(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_div(dt_form form, dt_tensor *self,
                                  dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_DIV, form, arguments, 2, out);
}

dt_tensor *dt_div(dt_tensor *self, dt_tensor *other)
{
    return call_div(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_div_(dt_tensor *self, dt_tensor *other)
{
    return call_div(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_div_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_div(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_add_scalar(dt_form form, dt_tensor *self,
                                         dt_number other, dt_number alpha,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_ADD_SCALAR, form, arguments, 3, out);
}

dt_tensor *dt_add_scalar(dt_tensor *self, dt_number other)
{
    return call_add_scalar(DT_FORM_NEW, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_add_scalar_with(dt_tensor *self, dt_number other,
                              const dt_add_scalar_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_add_scalar(DT_FORM_NEW, self, other, options->alpha, NULL);
}

dt_tensor *dt_add_scalar_(dt_tensor *self, dt_number other)
{
    return call_add_scalar(DT_FORM_IN_PLACE, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_add_scalar_with_(dt_tensor *self, dt_number other,
                               const dt_add_scalar_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_add_scalar(DT_FORM_IN_PLACE, self, other, options->alpha,
                           NULL);
}

dt_tensor *dt_add_scalar_out(dt_tensor *self, dt_number other,
                             dt_tensor *out)
{
    return call_add_scalar(DT_FORM_OUT, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}}, out);
}

dt_tensor *dt_add_scalar_with_out(dt_tensor *self, dt_number other,
                                  const dt_add_scalar_options *options,
                                  dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_add_scalar(DT_FORM_OUT, self, other, options->alpha, out);
}

static inline dt_tensor *call_sub_scalar(dt_form form, dt_tensor *self,
                                         dt_number other, dt_number alpha,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_SUB_SCALAR, form, arguments, 3, out);
}

dt_tensor *dt_sub_scalar(dt_tensor *self, dt_number other)
{
    return call_sub_scalar(DT_FORM_NEW, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_sub_scalar_with(dt_tensor *self, dt_number other,
                              const dt_sub_scalar_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_sub_scalar(DT_FORM_NEW, self, other, options->alpha, NULL);
}

dt_tensor *dt_sub_scalar_(dt_tensor *self, dt_number other)
{
    return call_sub_scalar(DT_FORM_IN_PLACE, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}}, NULL);
}

dt_tensor *dt_sub_scalar_with_(dt_tensor *self, dt_number other,
                               const dt_sub_scalar_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_sub_scalar(DT_FORM_IN_PLACE, self, other, options->alpha,
                           NULL);
}

dt_tensor *dt_sub_scalar_out(dt_tensor *self, dt_number other,
                             dt_tensor *out)
{
    return call_sub_scalar(DT_FORM_OUT, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}}, out);
}

dt_tensor *dt_sub_scalar_with_out(dt_tensor *self, dt_number other,
                                  const dt_sub_scalar_options *options,
                                  dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_sub_scalar(DT_FORM_OUT, self, other, options->alpha, out);
}

static inline dt_tensor *call_mul_scalar(dt_form form, dt_tensor *self,
                                         dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_MUL_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_mul_scalar(dt_tensor *self, dt_number other)
{
    return call_mul_scalar(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_mul_scalar_(dt_tensor *self, dt_number other)
{
    return call_mul_scalar(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_mul_scalar_out(dt_tensor *self, dt_number other,
                             dt_tensor *out)
{
    return call_mul_scalar(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_div_scalar(dt_form form, dt_tensor *self,
                                         dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_DIV_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_div_scalar(dt_tensor *self, dt_number other)
{
    return call_div_scalar(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_div_scalar_(dt_tensor *self, dt_number other)
{
    return call_div_scalar(DT_FORM_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_div_scalar_out(dt_tensor *self, dt_number other,
                             dt_tensor *out)
{
    return call_div_scalar(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_rsub_scalar(dt_form form, dt_tensor *self,
                                          dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_RSUB_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_rsub_scalar(dt_tensor *self, dt_number other)
{
    return call_rsub_scalar(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_rsub_scalar_out(dt_tensor *self, dt_number other,
                              dt_tensor *out)
{
    return call_rsub_scalar(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_pow_scalar(dt_form form, dt_tensor *self,
                                         dt_number exponent, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = exponent},
    };
    return dti_op_call_one(OP_POW_SCALAR, form, arguments, 2, out);
}

dt_tensor *dt_pow_scalar(dt_tensor *self, dt_number exponent)
{
    return call_pow_scalar(DT_FORM_NEW, self, exponent, NULL);
}

dt_tensor *dt_pow_scalar_(dt_tensor *self, dt_number exponent)
{
    return call_pow_scalar(DT_FORM_IN_PLACE, self, exponent, NULL);
}

dt_tensor *dt_pow_scalar_out(dt_tensor *self, dt_number exponent,
                             dt_tensor *out)
{
    return call_pow_scalar(DT_FORM_OUT, self, exponent, out);
}

static inline dt_tensor *call_maximum(dt_form form, dt_tensor *self,
                                      dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_MAXIMUM, form, arguments, 2, out);
}

dt_tensor *dt_maximum(dt_tensor *self, dt_tensor *other)
{
    return call_maximum(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_maximum_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_maximum(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_minimum(dt_form form, dt_tensor *self,
                                      dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_MINIMUM, form, arguments, 2, out);
}

dt_tensor *dt_minimum(dt_tensor *self, dt_tensor *other)
{
    return call_minimum(DT_FORM_NEW, self, other, NULL);
}

dt_tensor *dt_minimum_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_minimum(DT_FORM_OUT, self, other, out);
}

static inline dt_tensor *call_neg(dt_form form, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_NEG, form, arguments, 1, out);
}

dt_tensor *dt_neg(dt_tensor *self)
{
    return call_neg(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_neg_(dt_tensor *self)
{
    return call_neg(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_neg_out(dt_tensor *self, dt_tensor *out)
{
    return call_neg(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_abs(dt_form form, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ABS, form, arguments, 1, out);
}

dt_tensor *dt_abs(dt_tensor *self)
{
    return call_abs(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_abs_(dt_tensor *self)
{
    return call_abs(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_abs_out(dt_tensor *self, dt_tensor *out)
{
    return call_abs(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_reciprocal(dt_form form, dt_tensor *self,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_RECIPROCAL, form, arguments, 1, out);
}

dt_tensor *dt_reciprocal(dt_tensor *self)
{
    return call_reciprocal(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_reciprocal_(dt_tensor *self)
{
    return call_reciprocal(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_reciprocal_out(dt_tensor *self, dt_tensor *out)
{
    return call_reciprocal(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_exp(dt_form form, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_EXP, form, arguments, 1, out);
}

dt_tensor *dt_exp(dt_tensor *self)
{
    return call_exp(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_exp_(dt_tensor *self)
{
    return call_exp(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_exp_out(dt_tensor *self, dt_tensor *out)
{
    return call_exp(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_log(dt_form form, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_LOG, form, arguments, 1, out);
}

dt_tensor *dt_log(dt_tensor *self)
{
    return call_log(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_log_(dt_tensor *self)
{
    return call_log(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_log_out(dt_tensor *self, dt_tensor *out)
{
    return call_log(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_sqrt(dt_form form, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SQRT, form, arguments, 1, out);
}

dt_tensor *dt_sqrt(dt_tensor *self)
{
    return call_sqrt(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_sqrt_(dt_tensor *self)
{
    return call_sqrt(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_sqrt_out(dt_tensor *self, dt_tensor *out)
{
    return call_sqrt(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_rsqrt(dt_form form, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_RSQRT, form, arguments, 1, out);
}

dt_tensor *dt_rsqrt(dt_tensor *self)
{
    return call_rsqrt(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_rsqrt_(dt_tensor *self)
{
    return call_rsqrt(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_rsqrt_out(dt_tensor *self, dt_tensor *out)
{
    return call_rsqrt(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_square(dt_form form, dt_tensor *self,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SQUARE, form, arguments, 1, out);
}

dt_tensor *dt_square(dt_tensor *self)
{
    return call_square(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_square_(dt_tensor *self)
{
    return call_square(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_square_out(dt_tensor *self, dt_tensor *out)
{
    return call_square(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_tanh(dt_form form, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_TANH, form, arguments, 1, out);
}

dt_tensor *dt_tanh(dt_tensor *self)
{
    return call_tanh(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_tanh_(dt_tensor *self)
{
    return call_tanh(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_tanh_out(dt_tensor *self, dt_tensor *out)
{
    return call_tanh(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_sigmoid(dt_form form, dt_tensor *self,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SIGMOID, form, arguments, 1, out);
}

dt_tensor *dt_sigmoid(dt_tensor *self)
{
    return call_sigmoid(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_sigmoid_(dt_tensor *self)
{
    return call_sigmoid(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_sigmoid_out(dt_tensor *self, dt_tensor *out)
{
    return call_sigmoid(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_silu(dt_form form, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SILU, form, arguments, 1, out);
}

dt_tensor *dt_silu(dt_tensor *self)
{
    return call_silu(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_silu_(dt_tensor *self)
{
    return call_silu(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_silu_out(dt_tensor *self, dt_tensor *out)
{
    return call_silu(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_gelu(dt_form form, dt_tensor *self,
                                   const char *approximate, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TEXT, .as.text = approximate},
    };
    return dti_op_call_one(OP_GELU, form, arguments, 2, out);
}

dt_tensor *dt_gelu(dt_tensor *self)
{
    return call_gelu(DT_FORM_NEW, self, "none", NULL);
}

dt_tensor *dt_gelu_with(dt_tensor *self, const dt_gelu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_GELU_OPTIONS_INIT");
        return NULL;
    }
    return call_gelu(DT_FORM_NEW, self, options->approximate, NULL);
}

dt_tensor *dt_gelu_(dt_tensor *self)
{
    return call_gelu(DT_FORM_IN_PLACE, self, "none", NULL);
}

dt_tensor *dt_gelu_with_(dt_tensor *self, const dt_gelu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_GELU_OPTIONS_INIT");
        return NULL;
    }
    return call_gelu(DT_FORM_IN_PLACE, self, options->approximate, NULL);
}

dt_tensor *dt_gelu_out(dt_tensor *self, dt_tensor *out)
{
    return call_gelu(DT_FORM_OUT, self, "none", out);
}

dt_tensor *dt_gelu_with_out(dt_tensor *self, const dt_gelu_options *options,
                            dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_GELU_OPTIONS_INIT");
        return NULL;
    }
    return call_gelu(DT_FORM_OUT, self, options->approximate, out);
}

static inline dt_tensor *call_relu(dt_form form, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_RELU, form, arguments, 1, out);
}

dt_tensor *dt_relu(dt_tensor *self)
{
    return call_relu(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_relu_(dt_tensor *self)
{
    return call_relu(DT_FORM_IN_PLACE, self, NULL);
}

dt_tensor *dt_relu_out(dt_tensor *self, dt_tensor *out)
{
    return call_relu(DT_FORM_OUT, self, out);
}

static inline dt_tensor *call_where(dt_form form, dt_tensor *condition,
                                    dt_tensor *self, dt_tensor *other,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = condition},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_WHERE, form, arguments, 3, out);
}

dt_tensor *dt_where(dt_tensor *condition, dt_tensor *self, dt_tensor *other)
{
    return call_where(DT_FORM_NEW, condition, self, other, NULL);
}

dt_tensor *dt_where_out(dt_tensor *condition, dt_tensor *self, dt_tensor *other,
                        dt_tensor *out)
{
    return call_where(DT_FORM_OUT, condition, self, other, out);
}

static inline dt_tensor *call_dropout(dt_form form, dt_tensor *self, double p,
                                      bool train, dt_generator *generator,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = p},
        {.kind = DT_ARG_INTEGER, .as.integer = train},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_DROPOUT, form, arguments, 4, out);
}

dt_tensor *dt_dropout(dt_tensor *self, double p, bool train)
{
    return call_dropout(DT_FORM_NEW, self, p, train, 0, NULL);
}

dt_tensor *dt_dropout_with(dt_tensor *self, double p, bool train,
                           const dt_dropout_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_DROPOUT_OPTIONS_INIT");
        return NULL;
    }
    return call_dropout(DT_FORM_NEW, self, p, train, options->generator,
                        NULL);
}

dt_tensor *dt_dropout_(dt_tensor *self, double p, bool train)
{
    return call_dropout(DT_FORM_IN_PLACE, self, p, train, 0, NULL);
}

dt_tensor *dt_dropout_with_(dt_tensor *self, double p, bool train,
                            const dt_dropout_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_DROPOUT_OPTIONS_INIT");
        return NULL;
    }
    return call_dropout(DT_FORM_IN_PLACE, self, p, train, options->generator,
                        NULL);
}

static inline dt_tensor *call_sum(dt_form form, dt_tensor *self, dt_dims dims,
                                  bool keepdim, const dt_dtype *dtype,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_SUM, form, arguments, 4, out);
}

dt_tensor *dt_sum(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_sum(DT_FORM_NEW, self, dims, keepdim, 0, NULL);
}

dt_tensor *dt_sum_with(dt_tensor *self, dt_dims dims, bool keepdim,
                       const dt_sum_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUM_OPTIONS_INIT");
        return NULL;
    }
    return call_sum(DT_FORM_NEW, self, dims, keepdim, options->dtype, NULL);
}

dt_tensor *dt_sum_out(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor *out)
{
    return call_sum(DT_FORM_OUT, self, dims, keepdim, 0, out);
}

dt_tensor *dt_sum_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_sum_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUM_OPTIONS_INIT");
        return NULL;
    }
    return call_sum(DT_FORM_OUT, self, dims, keepdim, options->dtype, out);
}

static inline dt_tensor *call_mean(dt_form form, dt_tensor *self, dt_dims dims,
                                   bool keepdim, const dt_dtype *dtype,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_MEAN, form, arguments, 4, out);
}

dt_tensor *dt_mean(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_mean(DT_FORM_NEW, self, dims, keepdim, 0, NULL);
}

dt_tensor *dt_mean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                        const dt_mean_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_MEAN_OPTIONS_INIT");
        return NULL;
    }
    return call_mean(DT_FORM_NEW, self, dims, keepdim, options->dtype, NULL);
}

dt_tensor *dt_mean_out(dt_tensor *self, dt_dims dims, bool keepdim,
                       dt_tensor *out)
{
    return call_mean(DT_FORM_OUT, self, dims, keepdim, 0, out);
}

dt_tensor *dt_mean_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                            const dt_mean_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_MEAN_OPTIONS_INIT");
        return NULL;
    }
    return call_mean(DT_FORM_OUT, self, dims, keepdim, options->dtype, out);
}

static inline dt_tensor *call_nansum(dt_form form, dt_tensor *self,
                                     dt_dims dims, bool keepdim,
                                     const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NANSUM, form, arguments, 4, out);
}

dt_tensor *dt_nansum(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_nansum(DT_FORM_NEW, self, dims, keepdim, 0, NULL);
}

dt_tensor *dt_nansum_with(dt_tensor *self, dt_dims dims, bool keepdim,
                          const dt_nansum_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NANSUM_OPTIONS_INIT");
        return NULL;
    }
    return call_nansum(DT_FORM_NEW, self, dims, keepdim, options->dtype,
                       NULL);
}

dt_tensor *dt_nansum_out(dt_tensor *self, dt_dims dims, bool keepdim,
                         dt_tensor *out)
{
    return call_nansum(DT_FORM_OUT, self, dims, keepdim, 0, out);
}

dt_tensor *dt_nansum_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              const dt_nansum_options *options,
                              dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NANSUM_OPTIONS_INIT");
        return NULL;
    }
    return call_nansum(DT_FORM_OUT, self, dims, keepdim, options->dtype,
                       out);
}

static inline dt_tensor *call_nanmean(dt_form form, dt_tensor *self,
                                      dt_dims dims, bool keepdim,
                                      const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NANMEAN, form, arguments, 4, out);
}

dt_tensor *dt_nanmean(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_nanmean(DT_FORM_NEW, self, dims, keepdim, 0, NULL);
}

dt_tensor *dt_nanmean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_nanmean_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NANMEAN_OPTIONS_INIT");
        return NULL;
    }
    return call_nanmean(DT_FORM_NEW, self, dims, keepdim, options->dtype,
                        NULL);
}

static inline dt_tensor *call_count_nonzero(dt_form form, dt_tensor *self,
                                            dt_dims dims, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
    };
    return dti_op_call_one(OP_COUNT_NONZERO, form, arguments, 2, out);
}

dt_tensor *dt_count_nonzero(dt_tensor *self, dt_dims dims)
{
    return call_count_nonzero(DT_FORM_NEW, self, dims, NULL);
}

dt_tensor *dt_count_nonzero_out(dt_tensor *self, dt_dims dims,
                                dt_tensor *out)
{
    return call_count_nonzero(DT_FORM_OUT, self, dims, out);
}

static inline dt_tensor *call_prod(dt_form form, dt_tensor *self, dt_dims dims,
                                   bool keepdim, const dt_dtype *dtype,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_PROD, form, arguments, 4, out);
}

dt_tensor *dt_prod(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_prod(DT_FORM_NEW, self, dims, keepdim, 0, NULL);
}

dt_tensor *dt_prod_with(dt_tensor *self, dt_dims dims, bool keepdim,
                        const dt_prod_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_PROD_OPTIONS_INIT");
        return NULL;
    }
    return call_prod(DT_FORM_NEW, self, dims, keepdim, options->dtype, NULL);
}

dt_tensor *dt_prod_out(dt_tensor *self, dt_dims dims, bool keepdim,
                       dt_tensor *out)
{
    return call_prod(DT_FORM_OUT, self, dims, keepdim, 0, out);
}

dt_tensor *dt_prod_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                            const dt_prod_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_PROD_OPTIONS_INIT");
        return NULL;
    }
    return call_prod(DT_FORM_OUT, self, dims, keepdim, options->dtype, out);
}

static inline dt_tensor *call_amax(dt_form form, dt_tensor *self, dt_dims dims,
                                   bool keepdim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_AMAX, form, arguments, 3, out);
}

dt_tensor *dt_amax(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_amax(DT_FORM_NEW, self, dims, keepdim, NULL);
}

dt_tensor *dt_amax_out(dt_tensor *self, dt_dims dims, bool keepdim,
                       dt_tensor *out)
{
    return call_amax(DT_FORM_OUT, self, dims, keepdim, out);
}

static inline dt_tensor *call_amin(dt_form form, dt_tensor *self, dt_dims dims,
                                   bool keepdim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_AMIN, form, arguments, 3, out);
}

dt_tensor *dt_amin(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_amin(DT_FORM_NEW, self, dims, keepdim, NULL);
}

dt_tensor *dt_amin_out(dt_tensor *self, dt_dims dims, bool keepdim,
                       dt_tensor *out)
{
    return call_amin(DT_FORM_OUT, self, dims, keepdim, out);
}

static inline dt_status call_aminmax(dt_form form, dt_tensor *self,
                                     dt_dims dims, bool keepdim,
                                     dt_tensor **min, dt_tensor **max)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_AMINMAX, form, arguments,
                                        3, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (min)
        *min = results[0];
    if (max)
        *max = results[1];
    return DT_OK;
}

dt_status dt_aminmax(dt_tensor *self, dt_dims dims, bool keepdim,
                     dt_tensor **min, dt_tensor **max)
{
    return call_aminmax(DT_FORM_NEW, self, dims, keepdim, min, max);
}

static inline dt_tensor *call_all(dt_form form, dt_tensor *self, dt_dims dims,
                                  bool keepdim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_ALL, form, arguments, 3, out);
}

dt_tensor *dt_all(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_all(DT_FORM_NEW, self, dims, keepdim, NULL);
}

dt_tensor *dt_all_out(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor *out)
{
    return call_all(DT_FORM_OUT, self, dims, keepdim, out);
}

static inline dt_tensor *call_any(dt_form form, dt_tensor *self, dt_dims dims,
                                  bool keepdim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_ANY, form, arguments, 3, out);
}

dt_tensor *dt_any(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_any(DT_FORM_NEW, self, dims, keepdim, NULL);
}

dt_tensor *dt_any_out(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor *out)
{
    return call_any(DT_FORM_OUT, self, dims, keepdim, out);
}

static inline dt_tensor *call_powsum(dt_form form, dt_tensor *self, double p,
                                     dt_dims dims, bool keepdim,
                                     const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = p},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_POWSUM, form, arguments, 5, out);
}

dt_tensor *dt_powsum(dt_tensor *self, double p, dt_dims dims, bool keepdim)
{
    return call_powsum(DT_FORM_NEW, self, p, dims, keepdim, 0, NULL);
}

dt_tensor *dt_powsum_with(dt_tensor *self, double p, dt_dims dims, bool keepdim,
                          const dt_powsum_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_POWSUM_OPTIONS_INIT");
        return NULL;
    }
    return call_powsum(DT_FORM_NEW, self, p, dims, keepdim, options->dtype,
                       NULL);
}

static inline dt_tensor *call_amax_abs(dt_form form, dt_tensor *self,
                                       dt_dims dims, bool keepdim,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_AMAX_ABS, form, arguments, 3, out);
}

dt_tensor *dt_amax_abs(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_amax_abs(DT_FORM_NEW, self, dims, keepdim, NULL);
}

static inline dt_tensor *call_amin_abs(dt_form form, dt_tensor *self,
                                       dt_dims dims, bool keepdim,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_AMIN_ABS, form, arguments, 3, out);
}

dt_tensor *dt_amin_abs(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_amin_abs(DT_FORM_NEW, self, dims, keepdim, NULL);
}

static inline dt_tensor *call_norm(dt_form form, dt_tensor *self, double p,
                                   dt_dims dims, bool keepdim,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = p},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_NORM, form, arguments, 4, out);
}

dt_tensor *dt_norm(dt_tensor *self, double p, dt_dims dims, bool keepdim)
{
    return call_norm(DT_FORM_NEW, self, p, dims, keepdim, NULL);
}

static inline dt_tensor *call_repeat(dt_form form, dt_tensor *self,
                                     const int64_t *repeats, int repeats_count,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = repeats_count,
         .as.integers = repeats},
    };
    return dti_op_call_one(OP_REPEAT, form, arguments, 2, out);
}

dt_tensor *dt_repeat(dt_tensor *self, const int64_t *repeats,
                     int repeats_count)
{
    return call_repeat(DT_FORM_NEW, self, repeats, repeats_count, NULL);
}

static inline dt_tensor *call_tile(dt_form form, dt_tensor *self,
                                   const int64_t *dims, int dims_count,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count, .as.integers = dims},
    };
    return dti_op_call_one(OP_TILE, form, arguments, 2, out);
}

dt_tensor *dt_tile(dt_tensor *self, const int64_t *dims, int dims_count)
{
    return call_tile(DT_FORM_NEW, self, dims, dims_count, NULL);
}

static inline dt_tensor *call_repeat_interleave(dt_form form, dt_tensor *self,
                                                int64_t repeats, int dim,
                                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = repeats},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_REPEAT_INTERLEAVE, form, arguments, 3, out);
}

dt_tensor *dt_repeat_interleave(dt_tensor *self, int64_t repeats, int dim)
{
    return call_repeat_interleave(DT_FORM_NEW, self, repeats, dim, NULL);
}

static inline dt_tensor *call_scatter(dt_form form, dt_tensor *self, int dim,
                                      dt_tensor *index, dt_tensor *src,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
    };
    return dti_op_call_one(OP_SCATTER, form, arguments, 4, out);
}

dt_tensor *dt_scatter(dt_tensor *self, int dim, dt_tensor *index,
                      dt_tensor *src)
{
    return call_scatter(DT_FORM_NEW, self, dim, index, src, NULL);
}

dt_tensor *dt_scatter_(dt_tensor *self, int dim, dt_tensor *index,
                       dt_tensor *src)
{
    return call_scatter(DT_FORM_IN_PLACE, self, dim, index, src, NULL);
}

dt_tensor *dt_scatter_out(dt_tensor *self, int dim, dt_tensor *index,
                          dt_tensor *src, dt_tensor *out)
{
    return call_scatter(DT_FORM_OUT, self, dim, index, src, out);
}

static inline dt_tensor *call_scatter_value(dt_form form, dt_tensor *self,
                                            int dim, dt_tensor *index,
                                            dt_number value, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_SCATTER_VALUE, form, arguments, 4, out);
}

dt_tensor *dt_scatter_value(dt_tensor *self, int dim, dt_tensor *index,
                            dt_number value)
{
    return call_scatter_value(DT_FORM_NEW, self, dim, index, value, NULL);
}

dt_tensor *dt_scatter_value_(dt_tensor *self, int dim, dt_tensor *index,
                             dt_number value)
{
    return call_scatter_value(DT_FORM_IN_PLACE, self, dim, index, value,
                              NULL);
}

dt_tensor *dt_scatter_value_out(dt_tensor *self, int dim, dt_tensor *index,
                                dt_number value, dt_tensor *out)
{
    return call_scatter_value(DT_FORM_OUT, self, dim, index, value, out);
}

static inline dt_tensor *call_scatter_add(dt_form form, dt_tensor *self,
                                          int dim, dt_tensor *index,
                                          dt_tensor *src, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
    };
    return dti_op_call_one(OP_SCATTER_ADD, form, arguments, 4, out);
}

dt_tensor *dt_scatter_add(dt_tensor *self, int dim, dt_tensor *index,
                          dt_tensor *src)
{
    return call_scatter_add(DT_FORM_NEW, self, dim, index, src, NULL);
}

dt_tensor *dt_scatter_add_(dt_tensor *self, int dim, dt_tensor *index,
                           dt_tensor *src)
{
    return call_scatter_add(DT_FORM_IN_PLACE, self, dim, index, src, NULL);
}

dt_tensor *dt_scatter_add_out(dt_tensor *self, int dim, dt_tensor *index,
                              dt_tensor *src, dt_tensor *out)
{
    return call_scatter_add(DT_FORM_OUT, self, dim, index, src, out);
}

static inline dt_tensor *call_scatter_reduce(dt_form form, dt_tensor *self,
                                             int dim, dt_tensor *index,
                                             dt_tensor *src, const char *reduce,
                                             bool include_self,
                                             dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
        {.kind = DT_ARG_TEXT, .as.text = reduce},
        {.kind = DT_ARG_INTEGER, .as.integer = include_self},
    };
    return dti_op_call_one(OP_SCATTER_REDUCE, form, arguments, 6, out);
}

dt_tensor *dt_scatter_reduce(dt_tensor *self, int dim, dt_tensor *index,
                             dt_tensor *src, const char *reduce)
{
    return call_scatter_reduce(DT_FORM_NEW, self, dim, index, src, reduce, true,
                               NULL);
}

dt_tensor *dt_scatter_reduce_with(dt_tensor *self, int dim, dt_tensor *index,
                                  dt_tensor *src, const char *reduce,
                                  const dt_scatter_reduce_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SCATTER_REDUCE_OPTIONS_INIT");
        return NULL;
    }
    return call_scatter_reduce(DT_FORM_NEW, self, dim, index, src, reduce,
                               options->include_self, NULL);
}

dt_tensor *dt_scatter_reduce_(dt_tensor *self, int dim, dt_tensor *index,
                              dt_tensor *src, const char *reduce)
{
    return call_scatter_reduce(DT_FORM_IN_PLACE, self, dim, index, src, reduce,
                               true, NULL);
}

dt_tensor *dt_scatter_reduce_with_(dt_tensor *self, int dim, dt_tensor *index,
                                   dt_tensor *src, const char *reduce,
                                   const dt_scatter_reduce_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SCATTER_REDUCE_OPTIONS_INIT");
        return NULL;
    }
    return call_scatter_reduce(DT_FORM_IN_PLACE, self, dim, index, src, reduce,
                               options->include_self, NULL);
}

dt_tensor *dt_scatter_reduce_out(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *src, const char *reduce,
                                 dt_tensor *out)
{
    return call_scatter_reduce(DT_FORM_OUT, self, dim, index, src, reduce, true,
                               out);
}

dt_tensor *dt_scatter_reduce_with_out(dt_tensor *self, int dim,
                                      dt_tensor *index, dt_tensor *src,
                                      const char *reduce,
                                      const dt_scatter_reduce_options *options,
                                      dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SCATTER_REDUCE_OPTIONS_INIT");
        return NULL;
    }
    return call_scatter_reduce(DT_FORM_OUT, self, dim, index, src, reduce,
                               options->include_self, out);
}

static inline dt_tensor *call_slice(dt_form form, dt_tensor *self, int dim,
                                    int64_t start, int64_t stop, int64_t step,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = start},
        {.kind = DT_ARG_INTEGER, .as.integer = stop},
        {.kind = DT_ARG_INTEGER, .as.integer = step},
    };
    return dti_op_call_one(OP_SLICE, form, arguments, 5, out);
}

dt_tensor *dt_slice(dt_tensor *self, int dim, int64_t start, int64_t stop,
                    int64_t step)
{
    return call_slice(DT_FORM_NEW, self, dim, start, stop, step, NULL);
}

static inline dt_tensor *call_narrow(dt_form form, dt_tensor *self, int dim,
                                     int64_t start, int64_t length,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = start},
        {.kind = DT_ARG_INTEGER, .as.integer = length},
    };
    return dti_op_call_one(OP_NARROW, form, arguments, 4, out);
}

dt_tensor *dt_narrow(dt_tensor *self, int dim, int64_t start, int64_t length)
{
    return call_narrow(DT_FORM_NEW, self, dim, start, length, NULL);
}

static inline dt_tensor *call_select(dt_form form, dt_tensor *self, int dim,
                                     int64_t index, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = index},
    };
    return dti_op_call_one(OP_SELECT, form, arguments, 3, out);
}

dt_tensor *dt_select(dt_tensor *self, int dim, int64_t index)
{
    return call_select(DT_FORM_NEW, self, dim, index, NULL);
}

static inline dt_tensor *call_softmax(dt_form form, dt_tensor *self, int dim,
                                      const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_SOFTMAX, form, arguments, 3, out);
}

dt_tensor *dt_softmax(dt_tensor *self, int dim)
{
    return call_softmax(DT_FORM_NEW, self, dim, 0, NULL);
}

dt_tensor *dt_softmax_with(dt_tensor *self, int dim,
                           const dt_softmax_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SOFTMAX_OPTIONS_INIT");
        return NULL;
    }
    return call_softmax(DT_FORM_NEW, self, dim, options->dtype, NULL);
}

static inline dt_tensor *call_log_softmax(dt_form form, dt_tensor *self,
                                          int dim, const dt_dtype *dtype,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_LOG_SOFTMAX, form, arguments, 3, out);
}

dt_tensor *dt_log_softmax(dt_tensor *self, int dim)
{
    return call_log_softmax(DT_FORM_NEW, self, dim, 0, NULL);
}

dt_tensor *dt_log_softmax_with(dt_tensor *self, int dim,
                               const dt_log_softmax_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_LOG_SOFTMAX_OPTIONS_INIT");
        return NULL;
    }
    return call_log_softmax(DT_FORM_NEW, self, dim, options->dtype, NULL);
}

static inline dt_tensor *call_softmax_backward(dt_form form,
                                               dt_tensor *grad_output,
                                               dt_tensor *output, int dim,
                                               dt_dtype input_dtype,
                                               dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = output},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = input_dtype},
    };
    return dti_op_call_one(OP_SOFTMAX_BACKWARD, form, arguments, 4, out);
}

dt_tensor *dt_softmax_backward(dt_tensor *grad_output, dt_tensor *output,
                               int dim, dt_dtype input_dtype)
{
    return call_softmax_backward(DT_FORM_NEW, grad_output, output, dim,
                                 input_dtype, NULL);
}

static inline dt_tensor *call_log_softmax_backward(dt_form form,
                                                   dt_tensor *grad_output,
                                                   dt_tensor *output, int dim,
                                                   dt_dtype input_dtype,
                                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = output},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = input_dtype},
    };
    return dti_op_call_one(OP_LOG_SOFTMAX_BACKWARD, form, arguments, 4, out);
}

dt_tensor *dt_log_softmax_backward(dt_tensor *grad_output, dt_tensor *output,
                                   int dim, dt_dtype input_dtype)
{
    return call_log_softmax_backward(DT_FORM_NEW, grad_output, output, dim,
                                     input_dtype, NULL);
}

static inline dt_status call_topk(dt_form form, dt_tensor *self, int64_t k,
                                  int dim, bool largest, bool sorted,
                                  dt_tensor **values, dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = k},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = largest},
        {.kind = DT_ARG_INTEGER, .as.integer = sorted},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_TOPK, form, arguments,
                                        5, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_topk(dt_tensor *self, int64_t k, int dim, bool largest,
                  bool sorted, dt_tensor **values, dt_tensor **indices)
{
    return call_topk(DT_FORM_NEW, self, k, dim, largest, sorted, values,
                     indices);
}

static inline dt_tensor *call_tril(dt_form form, dt_tensor *self,
                                   int64_t diagonal, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = diagonal},
    };
    return dti_op_call_one(OP_TRIL, form, arguments, 2, out);
}

dt_tensor *dt_tril(dt_tensor *self, int64_t diagonal)
{
    return call_tril(DT_FORM_NEW, self, diagonal, NULL);
}

dt_tensor *dt_tril_(dt_tensor *self, int64_t diagonal)
{
    return call_tril(DT_FORM_IN_PLACE, self, diagonal, NULL);
}

dt_tensor *dt_tril_out(dt_tensor *self, int64_t diagonal, dt_tensor *out)
{
    return call_tril(DT_FORM_OUT, self, diagonal, out);
}

static inline dt_tensor *call_triu(dt_form form, dt_tensor *self,
                                   int64_t diagonal, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = diagonal},
    };
    return dti_op_call_one(OP_TRIU, form, arguments, 2, out);
}

dt_tensor *dt_triu(dt_tensor *self, int64_t diagonal)
{
    return call_triu(DT_FORM_NEW, self, diagonal, NULL);
}

dt_tensor *dt_triu_(dt_tensor *self, int64_t diagonal)
{
    return call_triu(DT_FORM_IN_PLACE, self, diagonal, NULL);
}

dt_tensor *dt_triu_out(dt_tensor *self, int64_t diagonal, dt_tensor *out)
{
    return call_triu(DT_FORM_OUT, self, diagonal, out);
}

static inline dt_tensor *call_var(dt_form form, dt_tensor *self, dt_dims dims,
                                  bool keepdim, double correction,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = DT_ARG_REAL, .as.real = correction},
    };
    return dti_op_call_one(OP_VAR, form, arguments, 4, out);
}

dt_tensor *dt_var(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_var(DT_FORM_NEW, self, dims, keepdim, 1, NULL);
}

dt_tensor *dt_var_with(dt_tensor *self, dt_dims dims, bool keepdim,
                       const dt_var_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_VAR_OPTIONS_INIT");
        return NULL;
    }
    return call_var(DT_FORM_NEW, self, dims, keepdim, options->correction,
                    NULL);
}

dt_tensor *dt_var_out(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor *out)
{
    return call_var(DT_FORM_OUT, self, dims, keepdim, 1, out);
}

dt_tensor *dt_var_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_var_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_VAR_OPTIONS_INIT");
        return NULL;
    }
    return call_var(DT_FORM_OUT, self, dims, keepdim, options->correction,
                    out);
}

static inline dt_tensor *call_std(dt_form form, dt_tensor *self, dt_dims dims,
                                  bool keepdim, double correction,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = DT_ARG_REAL, .as.real = correction},
    };
    return dti_op_call_one(OP_STD, form, arguments, 4, out);
}

dt_tensor *dt_std(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_std(DT_FORM_NEW, self, dims, keepdim, 1, NULL);
}

dt_tensor *dt_std_with(dt_tensor *self, dt_dims dims, bool keepdim,
                       const dt_std_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_STD_OPTIONS_INIT");
        return NULL;
    }
    return call_std(DT_FORM_NEW, self, dims, keepdim, options->correction,
                    NULL);
}

dt_tensor *dt_std_out(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor *out)
{
    return call_std(DT_FORM_OUT, self, dims, keepdim, 1, out);
}

dt_tensor *dt_std_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_std_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_STD_OPTIONS_INIT");
        return NULL;
    }
    return call_std(DT_FORM_OUT, self, dims, keepdim, options->correction,
                    out);
}

static inline dt_status call_var_mean(dt_form form, dt_tensor *self,
                                      dt_dims dims, bool keepdim,
                                      double correction, dt_tensor **var,
                                      dt_tensor **mean)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = DT_ARG_REAL, .as.real = correction},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_VAR_MEAN, form, arguments,
                                        4, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (var)
        *var = results[0];
    if (mean)
        *mean = results[1];
    return DT_OK;
}

dt_status dt_var_mean(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor **var, dt_tensor **mean)
{
    return call_var_mean(DT_FORM_NEW, self, dims, keepdim, 1, var, mean);
}

dt_status dt_var_mean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_var_mean_options *options, dt_tensor **var,
                           dt_tensor **mean)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_VAR_MEAN_OPTIONS_INIT");
    return call_var_mean(DT_FORM_NEW, self, dims, keepdim, options->correction,
                         var, mean);
}

static inline dt_status call_std_mean(dt_form form, dt_tensor *self,
                                      dt_dims dims, bool keepdim,
                                      double correction, dt_tensor **std,
                                      dt_tensor **mean)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = DT_ARG_REAL, .as.real = correction},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_STD_MEAN, form, arguments,
                                        4, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (std)
        *std = results[0];
    if (mean)
        *mean = results[1];
    return DT_OK;
}

dt_status dt_std_mean(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor **std, dt_tensor **mean)
{
    return call_std_mean(DT_FORM_NEW, self, dims, keepdim, 1, std, mean);
}

dt_status dt_std_mean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_std_mean_options *options, dt_tensor **std,
                           dt_tensor **mean)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_STD_MEAN_OPTIONS_INIT");
    return call_std_mean(DT_FORM_NEW, self, dims, keepdim, options->correction,
                         std, mean);
}

static inline dt_tensor *call_view(dt_form form, dt_tensor *self,
                                   dt_shape shape, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&shape),
         .as.integers = list_of(&shape)},
    };
    return dti_op_call_one(OP_VIEW, form, arguments, 2, out);
}

dt_tensor *dt_view(dt_tensor *self, dt_shape shape)
{
    return call_view(DT_FORM_NEW, self, shape, NULL);
}

static inline dt_tensor *call_reshape(dt_form form, dt_tensor *self,
                                      dt_shape shape, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&shape),
         .as.integers = list_of(&shape)},
    };
    return dti_op_call_one(OP_RESHAPE, form, arguments, 2, out);
}

dt_tensor *dt_reshape(dt_tensor *self, dt_shape shape)
{
    return call_reshape(DT_FORM_NEW, self, shape, NULL);
}

static inline dt_tensor *call_flatten(dt_form form, dt_tensor *self, int start,
                                      int end, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = start},
        {.kind = DT_ARG_INTEGER, .as.integer = end},
    };
    return dti_op_call_one(OP_FLATTEN, form, arguments, 3, out);
}

dt_tensor *dt_flatten(dt_tensor *self, int start, int end)
{
    return call_flatten(DT_FORM_NEW, self, start, end, NULL);
}

static inline dt_tensor *call_unflatten(dt_form form, dt_tensor *self, int dim,
                                        dt_shape sizes, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&sizes),
         .as.integers = list_of(&sizes)},
    };
    return dti_op_call_one(OP_UNFLATTEN, form, arguments, 3, out);
}

dt_tensor *dt_unflatten(dt_tensor *self, int dim, dt_shape sizes)
{
    return call_unflatten(DT_FORM_NEW, self, dim, sizes, NULL);
}

static inline dt_tensor *call_squeeze(dt_form form, dt_tensor *self,
                                      dt_dims dims, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
    };
    return dti_op_call_one(OP_SQUEEZE, form, arguments, 2, out);
}

dt_tensor *dt_squeeze(dt_tensor *self, dt_dims dims)
{
    return call_squeeze(DT_FORM_NEW, self, dims, NULL);
}

dt_tensor *dt_squeeze_(dt_tensor *self, dt_dims dims)
{
    return call_squeeze(DT_FORM_IN_PLACE, self, dims, NULL);
}

static inline dt_tensor *call_unsqueeze(dt_form form, dt_tensor *self, int dim,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_UNSQUEEZE, form, arguments, 2, out);
}

dt_tensor *dt_unsqueeze(dt_tensor *self, int dim)
{
    return call_unsqueeze(DT_FORM_NEW, self, dim, NULL);
}

dt_tensor *dt_unsqueeze_(dt_tensor *self, int dim)
{
    return call_unsqueeze(DT_FORM_IN_PLACE, self, dim, NULL);
}

static inline dt_tensor *call_permute(dt_form form, dt_tensor *self,
                                      dt_dims dims, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&dims),
         .as.integers = list_of(&dims)},
    };
    return dti_op_call_one(OP_PERMUTE, form, arguments, 2, out);
}

dt_tensor *dt_permute(dt_tensor *self, dt_dims dims)
{
    return call_permute(DT_FORM_NEW, self, dims, NULL);
}

static inline dt_tensor *call_transpose(dt_form form, dt_tensor *self, int dim0,
                                        int dim1, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim0},
        {.kind = DT_ARG_INTEGER, .as.integer = dim1},
    };
    return dti_op_call_one(OP_TRANSPOSE, form, arguments, 3, out);
}

dt_tensor *dt_transpose(dt_tensor *self, int dim0, int dim1)
{
    return call_transpose(DT_FORM_NEW, self, dim0, dim1, NULL);
}

dt_tensor *dt_transpose_(dt_tensor *self, int dim0, int dim1)
{
    return call_transpose(DT_FORM_IN_PLACE, self, dim0, dim1, NULL);
}

static inline dt_tensor *call_t(dt_form form, dt_tensor *self,
                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_T, form, arguments, 1, out);
}

dt_tensor *dt_t(dt_tensor *self)
{
    return call_t(DT_FORM_NEW, self, NULL);
}

dt_tensor *dt_t_(dt_tensor *self)
{
    return call_t(DT_FORM_IN_PLACE, self, NULL);
}

static inline dt_tensor *call_expand(dt_form form, dt_tensor *self,
                                     dt_shape shape, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&shape),
         .as.integers = list_of(&shape)},
    };
    return dti_op_call_one(OP_EXPAND, form, arguments, 2, out);
}

dt_tensor *dt_expand(dt_tensor *self, dt_shape shape)
{
    return call_expand(DT_FORM_NEW, self, shape, NULL);
}

/* clang-format on */
