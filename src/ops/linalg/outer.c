/* ops/linalg/outer.c - products along some dimensions, or none. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/pointwise/pointwise.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/chain.h"
#include "ops/helpers/tables.h"

/* ---- outer -------------------------------------------------------------- */

static dt_status outer_meta(dt_operation *operation)
{
    const dt_shape a = operation->metas[0]->shape,
                   b = operation->metas[1]->shape;
    dt_dtype dtype;
    if (a.ndim != 1 || b.ndim != 1)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "expected two 1-d tensors, got a %d-d and a %d-d tensor", a.ndim,
            b.ndim);
    DTI_TRY(dti_promote(operation, &dtype));
    return dti_meta_add(operation, dtype, DT_SHAPE(a.dims[0], b.dims[0]));
}

/* The first vector is a column, and multiplication broadcasts. */
static dt_status outer_kernel(dt_operation *operation)
{
    dt_array *out = operation->out[0], *in = operation->in[0], *column = NULL;
    const int64_t strides[] = {in->strides[0], 1};
    DTI_TRY(dti_scratch_view(operation, in, DT_SHAPE(in->count, 1), strides,
                             &column));
    const dti_pointwise_input inputs[] = {{.array = column},
                                          {.array = operation->in[1]}};
    dti_pointwise_apply(DTI_MUL, dt_array_dtype(out), inputs, out);
    return DT_OK;
}

/* ---- Compositions ------------------------------------------------------- */

static dt_status call_two(dt_operation *operation, const char *name)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = operation->inputs[0]},
        {.kind = DT_ARG_TENSOR, .as.tensor = operation->inputs[1]}};
    return dt_op_call(operation->world, name, DT_VARIANT_NEW, arguments, 2,
                      operation->outputs, 1, NULL);
}

static dt_status contract(dt_operation *operation, const char *equation)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = operation->inputs[0]},
        {.kind = DT_ARG_TENSOR, .as.tensor = operation->inputs[1]},
        {.kind = DT_ARG_TEXT, .as.text = equation}};
    return dt_op_call(operation->world, "contract", DT_VARIANT_NEW, arguments,
                      3, operation->outputs, 1, NULL);
}

/* Letters of the dimensions of two tensors: at most 2 * DT_MAX_NDIM. */
typedef struct lettering {
    int ndim[2];
    char letters[2][DT_MAX_NDIM + 1];
    bool summed[2][DT_MAX_NDIM];
} lettering;

static lettering begin_letters(const dt_operation *operation)
{
    lettering out;
    memset(&out, 0, sizeof out);
    for (int i = 0; i < 2; i++) {
        out.ndim[i] = dt_tensor_ndim(operation->inputs[i]);
        for (int d = 0; d < out.ndim[i]; d++)
            out.letters[i][d] = (char)('a' + i * DT_MAX_NDIM + d);
    }
    return out;
}

static dt_status sum_over(const dt_operation *operation, lettering *of, int a,
                          int b)
{
    const int64_t x = dt_tensor_extent(operation->inputs[0], a),
                  y = dt_tensor_extent(operation->inputs[1], b);
    if (x != y)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "dimension %d of self has extent %lld, but "
                                 "dimension %d of other has extent %lld",
                                 a, (long long)x, b, (long long)y);
    of->letters[1][b] = of->letters[0][a];
    of->summed[0][a] = of->summed[1][b] = true;
    return DT_OK;
}

/* Sum over a pair of dimensions; an index that is alone is repeated, so that
 * the other dimension is summed by itself. */
static dt_status sum_over_pair(const dt_operation *operation, lettering *of,
                               int a, int b)
{
    const bool one = dt_tensor_extent(operation->inputs[0], a) == 1,
               other = dt_tensor_extent(operation->inputs[1], b) == 1;
    if (one == other)
        return sum_over(operation, of, a, b);
    of->summed[0][a] = of->summed[1][b] = true;
    return DT_OK;
}

static dt_status contract_letters(dt_operation *operation, const lettering *of)
{
    char text[4 * DT_MAX_NDIM + 4], *end = text;
    for (int i = 0; i < 2; i++) {
        memcpy(end, of->letters[i], (size_t)of->ndim[i]);
        end += of->ndim[i];
        *end++ = i ? '-' : ',';
    }
    *end++ = '>';
    for (int i = 0; i < 2; i++)
        for (int d = 0; d < of->ndim[i]; d++)
            if (!of->summed[i][d])
                *end++ = of->letters[i][d];
    *end = '\0';
    return contract(operation, text);
}

static dt_status inner(dt_operation *operation)
{
    lettering of = begin_letters(operation);
    if (of.ndim[0] == 0 || of.ndim[1] == 0)
        return call_two(operation, "mul");
    DTI_TRY(sum_over(operation, &of, of.ndim[0] - 1, of.ndim[1] - 1));
    return contract_letters(operation, &of);
}

static dt_status tensordot(dt_operation *operation)
{
    const dt_argument *a = dti_argument(operation, "dims_self"),
                      *b = dti_argument(operation, "dims_other");
    lettering of = begin_letters(operation);
    if (a->count != b->count)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "dims_self has %d dimensions but dims_other "
                                 "has %d; they must be pairs",
                                 a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        int x, y;
        DTI_TRY(dt_operation_dim(operation, a->as.integers[i], of.ndim[0], &x));
        DTI_TRY(dt_operation_dim(operation, b->as.integers[i], of.ndim[1], &y));
        if (of.ndim[0] == 0 || of.ndim[1] == 0 || of.summed[0][x] ||
            of.summed[1][y])
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "dimension %d of self or %d of other is "
                                     "listed twice or out of range",
                                     x, y);
        DTI_TRY(sum_over_pair(operation, &of, x, y));
    }
    return contract_letters(operation, &of);
}

static dt_status vdot(dt_operation *operation)
{
    dt_tensor *self = operation->inputs[0];
    if (dt_tensor_dtype(self) != DT_C64)
        return call_two(operation, "dot");
    dt_tensor *conjugate = dt_conj_physical(self);
    operation->outputs[0] =
        dti_chain(dt_dot(conjugate, operation->inputs[1]), conjugate);
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_outer[] = {
    {
        .schema = "outer(Tensor self, Tensor vec2) -> Tensor",
        .aten = "outer ger",
        .about = "Outer product of two vectors.",
        .rule = "m,n->mn",
        .linear = "self*vec2",
        .flags = DT_OP_OUT,
        .meta = outer_meta,
        .kernel = outer_kernel,
        .gradient = "self: contract(grad, conj(cast(vec2, dtype(result))), "
                    "'mn,n->m'); vec2: contract(conj(cast(self, "
                    "dtype(result))), grad, 'm,mn->n')",
        .samples = "(T[m], T[n]); (f32[m], i64[n])",
    },
    {
        .schema = "inner(Tensor self, Tensor other) -> Tensor",
        .about = "Sum of products over the last dimension of both tensors; a "
                 "0-d tensor multiplies every element.",
        .compose = inner,
        .samples = "(T[m,k], T[n,k]); (T[k], T[k]); (T[m,2,k], T[k]); "
                   "(T[m,k], T[])",
        .dtypes = "float int complex",
    },
    {
        .schema = "vdot(Tensor self, Tensor other) -> Tensor",
        .about = "Dot product of two vectors, the first one conjugated.",
        .compose = vdot,
        .samples = "(T[k], T[k])",
        .dtypes = "float int complex",
    },
    {
        .schema = "tensordot(Tensor self, Tensor other, int[] dims_self, "
                  "int[] dims_other) -> Tensor",
        .about = "Sum of products over pairs of dimensions; the result has the "
                 "remaining dimensions of the first tensor, then those of the "
                 "second.",
        .compose = tensordot,
        .samples =
            "(T[m,k,n], T[k,2], [1], [0]); "
            "(T[m,k,n], T[n,3,m], [0,-1], [-1,0]); (T[m], T[n], [], []); "
            "(T[1,m], T[k,2], [0], [0])",
        .dtypes = "float int complex",
    },
    {0},
};
