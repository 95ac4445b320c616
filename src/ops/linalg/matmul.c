/* ops/linalg/matmul.c - products of matrices and vectors. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "kernel/pointwise/pointwise.h"
#include "layout/spec.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "ops/linalg/product.h"

/* ---- Shapes ------------------------------------------------------------- */

/* A product as `matmul` reads two shapes: vectors are a row and a column, whose
 * extent of 1 no result has; what stands before is a batch. */
typedef struct reading {
    bool a_vector, b_vector;
    int64_t m, n, k;
    int batch_ndim; /* of the result */
} reading;

static int batch_ndim_of(dt_shape shape)
{
    return shape.ndim > 2 ? shape.ndim - 2 : 0;
}

static reading read_shapes(dt_shape a, dt_shape b)
{
    const int a_batch = batch_ndim_of(a), b_batch = batch_ndim_of(b);
    return (reading){.a_vector = a.ndim == 1,
                     .b_vector = b.ndim == 1,
                     .m = a.ndim == 1 ? 1 : a.dims[a.ndim - 2],
                     .n = b.ndim == 1 ? 1 : b.dims[b.ndim - 1],
                     .k = a.dims[a.ndim - 1],
                     .batch_ndim = a_batch > b_batch ? a_batch : b_batch};
}

static dt_status fail_shapes(const dt_operation *operation, int a, int b)
{
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "shapes %s and %s cannot be multiplied: inner "
                             "dimensions or batch dimensions differ",
                             dti_shape_show(operation->metas[a]->shape).text,
                             dti_shape_show(operation->metas[b]->shape).text);
}

/* The extent of a batch dimension of the result; false if they differ. */
static bool join_batch(dt_shape a, dt_shape b, int dim, int ndim, int64_t *out)
{
    const int64_t from_a = dim - (ndim - batch_ndim_of(a)),
                  from_b = dim - (ndim - batch_ndim_of(b));
    const int64_t x = from_a < 0 ? 1 : a.dims[from_a];
    const int64_t y = from_b < 0 ? 1 : b.dims[from_b];
    *out = x == 1 ? y : x;
    return x == 1 || y == 1 || x == y;
}

static dt_status check_ndim(const dt_operation *operation, int input, int ndim,
                            const char *name)
{
    if (operation->metas[input]->shape.ndim == ndim)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID, "%s has shape %s; expected %d dimension%s",
        name, dti_shape_show(operation->metas[input]->shape).text, ndim,
        ndim == 1 ? "" : "s");
}

/* ---- matmul ------------------------------------------------------------- */

static dt_status matmul_meta(dt_operation *operation)
{
    const dt_shape a = operation->metas[0]->shape,
                   b = operation->metas[1]->shape;
    dt_shape out = {0, {0}};
    DTI_TRY(dti_product_check(operation));
    if (a.ndim == 0 || b.ndim == 0)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "one of the tensors is 0-d; expected at least 1 dimension");
    const reading r = read_shapes(a, b);
    if (r.k != b.dims[b.ndim == 1 ? 0 : b.ndim - 2])
        return fail_shapes(operation, 0, 1);
    for (; out.ndim < r.batch_ndim; out.ndim++)
        if (!join_batch(a, b, out.ndim, r.batch_ndim, &out.dims[out.ndim]))
            return fail_shapes(operation, 0, 1);
    if (!r.a_vector)
        out.dims[out.ndim++] = r.m;
    if (!r.b_vector)
        out.dims[out.ndim++] = r.n;
    return dti_meta_add(operation, operation->metas[0]->dtype, out);
}

static void stride_batch(const dt_array *array, int ndim, int64_t *out)
{
    const int own = batch_ndim_of(array->shape);
    for (int d = 0; d < ndim; d++)
        out[d] = d < ndim - own ? 0 : dti_product_stride(array, d - ndim + own);
}

/* Describe a product of parts, as `matmul` reads them, into a part of the
 * result. */
static dti_gemm describe(const dt_array *a, const dt_array *b,
                         const dt_array *out)
{
    const reading r = read_shapes(a->shape, b->shape);
    const int last_a = a->shape.ndim - 1, last_b = b->shape.ndim - 1;
    dti_gemm g = {.m = r.m,
                  .n = r.n,
                  .k = r.k,
                  .alpha = dt_integer(1),
                  .beta = dt_integer(0),
                  .batch_ndim = r.batch_ndim};
    g.a_strides.column = a->strides[last_a];
    g.a_strides.row = r.a_vector ? 0 : a->strides[last_a - 1];
    g.b_strides.column = r.b_vector ? 0 : b->strides[last_b];
    g.b_strides.row = b->strides[r.b_vector ? 0 : last_b - 1];
    g.c_strides.row = r.n;
    g.c_strides.column = 1;
    stride_batch(a, r.batch_ndim, g.a_strides.batch);
    stride_batch(b, r.batch_ndim, g.b_strides.batch);
    for (int d = 0; d < r.batch_ndim; d++) {
        g.batch[d] = out->shape.dims[d];
        g.c_strides.batch[d] = out->strides[d];
    }
    return g;
}

static dt_status matmul_kernel(dt_operation *operation)
{
    const dt_array *a = operation->in[0], *b = operation->in[1];
    dti_gemm g = describe(a, b, operation->out[0]);
    return dti_product_run(operation, &g, a, b, NULL);
}

/* Twice the terms that are added: a multiplication and an addition each. */
static double matmul_work(const dt_operation *operation)
{
    const dt_shape a = operation->in[0]->shape;
    return 2 * (double)operation->out[0]->count * (double)a.dims[a.ndim - 1];
}

/* The letters of a tensor of a product: of a vector one, before two "..." for
 * a batch. */
static void write_letters(char *out, int ndim, const char *matrix,
                          const char *vector)
{
    strcat(out, ndim > 2 ? "..." : "");
    strcat(out, ndim > 1 ? matrix : vector);
}

/* Each gradient is a sum of products of the other tensor and that of the
 * result, over the dimensions that the tensor has not. */
static dt_status matmul_backward(dt_backward_call *call)
{
    const int a = call->in_specs[0]->meta.shape.ndim,
              b = call->in_specs[1]->meta.shape.ndim;
    for (int i = 0; i < 2; i++) {
        char equation[32] = "";
        if (!call->wanted[i])
            continue;
        strcat(equation, a > 2 || b > 2 ? "..." : "");
        strcat(equation, a > 1 ? "m" : "");
        strcat(equation, b > 1 ? "n" : "");
        strcat(equation, ",");
        write_letters(equation, i == 0 ? b : a, i == 0 ? "kn" : "mk", "k");
        strcat(equation, "->");
        write_letters(equation, i == 0 ? a : b, i == 0 ? "mk" : "kn", "k");
        DTI_TRY(dti_product_gradient(call, i, call->inputs[!i], equation));
    }
    return DT_OK;
}

/* ---- mm, mv, dot, bmm --------------------------------------------------- */

/* As matmul, of so many dimensions. */
static dt_status fixed_meta(dt_operation *operation, int a, int b,
                            const char *name)
{
    DTI_TRY(check_ndim(operation, 0, a, "self"));
    DTI_TRY(check_ndim(operation, 1, b, name));
    return matmul_meta(operation);
}

static dt_status mm_meta(dt_operation *operation)
{
    return fixed_meta(operation, 2, 2, "mat2");
}

static dt_status mv_meta(dt_operation *operation)
{
    return fixed_meta(operation, 2, 1, "vec");
}

static dt_status dot_meta(dt_operation *operation)
{
    return fixed_meta(operation, 1, 1, "other");
}

/* Nothing is broadcast. */
static dt_status bmm_meta(dt_operation *operation)
{
    DTI_TRY(check_ndim(operation, 0, 3, "self"));
    DTI_TRY(check_ndim(operation, 1, 3, "mat2"));
    if (operation->metas[0]->shape.dims[0] !=
        operation->metas[1]->shape.dims[0])
        return fail_shapes(operation, 0, 1);
    return matmul_meta(operation);
}

/* ---- addmm, baddbmm ----------------------------------------------------- */

/* self, the matrices, and the options beta and alpha. */
enum { SELF, MAT1, MAT2, BETA, ALPHA };

static dt_status check_factor(const dt_operation *operation, int argument,
                              const char *name)
{
    const dt_dtype dtype = operation->metas[SELF]->dtype;
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    const bool whole = kind == DT_KIND_SIGNED || kind == DT_KIND_UNSIGNED;
    if (!whole ||
        operation->arguments[argument].as.number.kind != DT_KIND_FLOAT)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "%s is not an integer, but the tensors are %s",
                             name, dt_dtype_name(dtype));
}

/* Tell whether one shape can be broadcast to another. */
static bool spreads_to(dt_shape from, dt_shape to)
{
    if (from.ndim > to.ndim)
        return false;
    for (int d = 0; d < from.ndim; d++)
        if (from.dims[d] != 1 &&
            from.dims[d] != to.dims[to.ndim - from.ndim + d])
            return false;
    return true;
}

static dt_status add_meta(dt_operation *operation, int ndim)
{
    const dt_shape a = operation->metas[MAT1]->shape,
                   b = operation->metas[MAT2]->shape;
    dt_shape out = a;
    DTI_TRY(check_ndim(operation, MAT1, ndim, ndim == 2 ? "mat1" : "batch1"));
    DTI_TRY(check_ndim(operation, MAT2, ndim, ndim == 2 ? "mat2" : "batch2"));
    DTI_TRY(dti_product_check(operation));
    DTI_TRY(check_factor(operation, BETA, "beta"));
    DTI_TRY(check_factor(operation, ALPHA, "alpha"));
    if (a.dims[ndim - 1] != b.dims[ndim - 2] ||
        (ndim == 3 && a.dims[0] != b.dims[0]))
        return fail_shapes(operation, MAT1, MAT2);
    out.dims[ndim - 1] = b.dims[ndim - 1];
    if (!spreads_to(operation->metas[SELF]->shape, out))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "self of shape %s cannot be broadcast to the result, %s",
            dti_shape_show(operation->metas[SELF]->shape).text,
            dti_shape_show(out).text);
    return dti_meta_add(operation, operation->metas[SELF]->dtype, out);
}

static dt_status addmm_meta(dt_operation *operation)
{
    return add_meta(operation, 2);
}

static dt_status baddbmm_meta(dt_operation *operation)
{
    return add_meta(operation, 3);
}

static dt_status add_kernel(dt_operation *operation)
{
    const dt_array *a = operation->in[MAT1], *b = operation->in[MAT2];
    dti_gemm g = describe(a, b, operation->out[0]);
    g.beta = dti_argument_number(operation, "beta");
    g.alpha = dti_argument_number(operation, "alpha");
    return dti_product_run(operation, &g, a, b, operation->in[SELF]);
}

/*
 * Give the first matrix of baddbmm and addr, and the factor of the product.
 * Where alpha is 0, BLAS does not look at matrices; these operators do, as
 * PyTorch's: 0 times NaN or infinity is NaN.  So the matrix is multiplied by 0,
 * and the product by 1.
 */
static dt_status scale_first(const dt_operation *operation, dt_array **out,
                             dt_number *alpha)
{
    dt_array *first = operation->in[MAT1];
    *alpha = dti_argument_number(operation, "alpha");
    if (!dt_number_is(*alpha, 0)) {
        *out = dt_array_retain(first);
        return DT_OK;
    }
    const dti_pointwise_input inputs[] = {{.array = first}, {.number = *alpha}};
    DTI_TRY(dt_array_create(operation->world, first->dtype, first->shape, out));
    if (first->count > 0)
        dti_pointwise_apply(DTI_MUL, first->dtype, inputs, *out);
    *alpha = dt_integer(1);
    return DT_OK;
}

static dt_status baddbmm_kernel(dt_operation *operation)
{
    const dt_array *b = operation->in[MAT2];
    dt_number alpha;
    dt_array *a = NULL;
    DTI_TRY(scale_first(operation, &a, &alpha));
    dti_gemm g = describe(a, b, operation->out[0]);
    g.beta = dti_argument_number(operation, "beta");
    g.alpha = alpha;
    dt_status status =
        dti_product_run(operation, &g, a, b, operation->in[SELF]);
    dt_array_release(a);
    return status;
}

static double add_work(const dt_operation *operation)
{
    const dt_shape a = operation->in[MAT1]->shape;
    return 2 * (double)operation->out[0]->count *
           ((double)a.dims[a.ndim - 1] + 1);
}

/* ---- addmv, addr, addbmm ------------------------------------------------ */

/* Check what all of them ask for, and that self can be broadcast to a result
 * of this shape, which is added. */
static dt_status add_result(dt_operation *operation, dt_shape out)
{
    DTI_TRY(dti_product_check(operation));
    DTI_TRY(check_factor(operation, BETA, "beta"));
    DTI_TRY(check_factor(operation, ALPHA, "alpha"));
    if (!spreads_to(operation->metas[SELF]->shape, out))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "self of shape %s cannot be broadcast to the result, %s",
            dti_shape_show(operation->metas[SELF]->shape).text,
            dti_shape_show(out).text);
    return dti_meta_add(operation, operation->metas[SELF]->dtype, out);
}

static dt_status addmv_meta(dt_operation *operation)
{
    const dt_shape mat = operation->metas[MAT1]->shape,
                   vec = operation->metas[MAT2]->shape;
    DTI_TRY(check_ndim(operation, MAT1, 2, "mat"));
    DTI_TRY(check_ndim(operation, MAT2, 1, "vec"));
    if (mat.dims[1] != vec.dims[0])
        return fail_shapes(operation, MAT1, MAT2);
    return add_result(operation, DT_SHAPE(mat.dims[0]));
}

static dt_status addr_meta(dt_operation *operation)
{
    DTI_TRY(check_ndim(operation, MAT1, 1, "vec1"));
    DTI_TRY(check_ndim(operation, MAT2, 1, "vec2"));
    return add_result(operation,
                      DT_SHAPE(operation->metas[MAT1]->shape.dims[0],
                               operation->metas[MAT2]->shape.dims[0]));
}

static dt_status addbmm_meta(dt_operation *operation)
{
    const dt_shape a = operation->metas[MAT1]->shape,
                   b = operation->metas[MAT2]->shape;
    DTI_TRY(check_ndim(operation, MAT1, 3, "batch1"));
    DTI_TRY(check_ndim(operation, MAT2, 3, "batch2"));
    if (a.dims[0] != b.dims[0] || a.dims[2] != b.dims[1])
        return fail_shapes(operation, MAT1, MAT2);
    return add_result(operation, DT_SHAPE(a.dims[1], b.dims[2]));
}

/* The vectors are a column and a row. */
static dt_status addr_kernel(dt_operation *operation)
{
    const dt_array *b = operation->in[MAT2];
    dt_number alpha;
    dt_array *a = NULL;
    DTI_TRY(scale_first(operation, &a, &alpha));
    dti_gemm g = {.m = a->count,
                  .n = b->count,
                  .k = 1,
                  .alpha = alpha,
                  .beta = dti_argument_number(operation, "beta"),
                  .a_strides = {.row = a->strides[0], .column = 1},
                  .b_strides = {.row = 1, .column = b->strides[0]},
                  .c_strides = {.row = b->count, .column = 1}};
    dt_status status =
        dti_product_run(operation, &g, a, b, operation->in[SELF]);
    dt_array_release(a);
    return status;
}

/* The sum over a batch is one product: rows of a, one batch after another, by
 * columns of b. */
static dt_status addbmm_kernel(dt_operation *operation)
{
    const int order[] = {1, 0, 2};
    dt_world *world = operation->world;
    dt_array *turned = NULL, *a = NULL, *b = NULL;
    dt_status status =
        dt_array_permute(world, operation->in[MAT1], order, &turned);
    if (status == DT_OK)
        status = dt_array_contiguous(world, turned, &a);
    if (status == DT_OK)
        status = dt_array_contiguous(world, operation->in[MAT2], &b);
    if (status == DT_OK) {
        const int64_t k = a->shape.dims[1] * a->shape.dims[2];
        dti_gemm g = {.m = a->shape.dims[0],
                      .n = b->shape.dims[2],
                      .k = k,
                      .alpha = dti_argument_number(operation, "alpha"),
                      .beta = dti_argument_number(operation, "beta"),
                      .a_strides = {.row = k, .column = 1},
                      .b_strides = {.row = b->shape.dims[2], .column = 1},
                      .c_strides = {.row = b->shape.dims[2], .column = 1}};
        status = dti_product_run(operation, &g, a, b, operation->in[SELF]);
    }
    dt_array_release(turned);
    dt_array_release(a);
    dt_array_release(b);
    return status;
}

static double addbmm_work(const dt_operation *operation)
{
    const dt_shape a = operation->in[MAT1]->shape;
    return 2 * (double)operation->out[0]->count * (double)a.dims[0] *
           (double)a.dims[2];
}

/* ---- linear ------------------------------------------------------------- */

static dt_status linear_meta(dt_operation *operation)
{
    dt_shape out = operation->metas[0]->shape;
    const dt_meta *bias = operation->metas[2];
    DTI_TRY(check_ndim(operation, 1, 2, "weight"));
    DTI_TRY(dti_product_check(operation));
    const dt_shape weight = operation->metas[1]->shape;
    if (out.ndim == 0 || out.dims[out.ndim - 1] != weight.dims[1])
        return fail_shapes(operation, 0, 1);
    out.dims[out.ndim - 1] = weight.dims[0];
    if (bias &&
        (bias->shape.ndim != 1 || bias->shape.dims[0] != weight.dims[0]))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "bias has shape %s, which does not match weight, of shape %s",
            dti_shape_show(bias->shape).text, dti_shape_show(weight).text);
    return dti_meta_add(operation, operation->metas[0]->dtype, out);
}

/* All dimensions of the input but the last are rows: they are a batch of
 * vectors, which gemm makes one matrix of where it can. */
static dt_status linear_kernel(dt_operation *operation)
{
    const dt_array *input = operation->in[0], *weight = operation->in[1],
                   *bias = operation->in[2], *out = operation->out[0];
    const int last = input->shape.ndim - 1;
    dti_gemm g = {.m = 1,
                  .n = weight->shape.dims[0],
                  .k = weight->shape.dims[1],
                  .alpha = dt_integer(1),
                  .beta = dt_integer(bias != NULL),
                  .batch_ndim = last};
    g.a_strides.column = input->strides[last];
    g.b_strides.row = weight->strides[1];
    g.b_strides.column = weight->strides[0];
    g.c_strides.column = 1;
    for (int d = 0; d < last; d++) {
        g.batch[d] = input->shape.dims[d];
        g.a_strides.batch[d] = input->strides[d];
        g.c_strides.batch[d] = out->strides[d];
    }
    return dti_product_run(operation, &g, input, weight, bias);
}

/* ---- Rows --------------------------------------------------------------- */

#define NUMBERS "float int complex"

const dt_op dti_ops_matmul[] = {
    {
        .schema = "matmul(Tensor self, Tensor other) -> Tensor",
        .about = "Matrix product.  A vector is a row on the left, a column on "
                 "the right; dimensions before the last two are a batch and "
                 "are broadcast.",
        .rule = "...m?k,...kn?->...m?n?",
        .linear = "self*other",
        .flags = DT_OP_OUT,
        .meta = matmul_meta,
        .kernel = matmul_kernel,
        .work = matmul_work,
        .gradient = "self: function(other); other: function(self)",
        .backward = matmul_backward,
        .samples = "(T[m,k], T[k,n]); (T[k], T[k]); (T[m,k], T[k]); "
                   "(T[k], T[k,n]); (T[b,m,k], T[b,k,n]); (T[b,m,k], T[k,2]); "
                   "(T[b,1,3,k], T[2,k,n]); (T[k], T[b,k,2])",
        .dtypes = NUMBERS,
    },
    {
        .schema = "mm(Tensor self, Tensor mat2) -> Tensor",
        .about = "Multiply two matrices.",
        .rule = "mk,kn->mn",
        .linear = "self*mat2",
        .flags = DT_OP_OUT,
        .meta = mm_meta,
        .kernel = matmul_kernel,
        .work = matmul_work,
        .gradient = "self: contract(grad, conj(mat2), 'mn,kn->mk'); mat2: "
                    "contract(conj(self), grad, 'mk,mn->kn')",
        .samples = "(T[m,k], T[k,n]); (T[m,1], T[1,n]); (T[1,k], T[k,1])",
        .dtypes = NUMBERS,
    },
    {
        .schema = "mv(Tensor self, Tensor vec) -> Tensor",
        .about = "Multiply a matrix by a vector.",
        .rule = "mk,k->m",
        .linear = "self*vec",
        .flags = DT_OP_OUT,
        .meta = mv_meta,
        .kernel = matmul_kernel,
        .work = matmul_work,
        .gradient = "self: outer(grad, conj(vec)); vec: contract(conj(self), "
                    "grad, 'mk,m->k')",
        .samples = "(T[m,k], T[k])",
        .dtypes = NUMBERS,
    },
    {
        .schema = "dot(Tensor self, Tensor other) -> Tensor",
        .about = "Dot product of two vectors.",
        .rule = "k,k->",
        .linear = "self*other",
        .flags = DT_OP_OUT,
        .meta = dot_meta,
        .kernel = matmul_kernel,
        .work = matmul_work,
        .gradient = "self: grad * conj(other); other: grad * conj(self)",
        .samples = "(T[k], T[k])",
        .dtypes = NUMBERS,
    },
    {
        .schema = "bmm(Tensor self, Tensor mat2) -> Tensor",
        .about = "Multiply two batches of matrices.",
        .rule = "bmk,bkn->bmn",
        .linear = "self*mat2",
        .flags = DT_OP_OUT,
        .meta = bmm_meta,
        .kernel = matmul_kernel,
        .work = matmul_work,
        .gradient = "self: contract(grad, conj(mat2), 'bmn,bkn->bmk'); mat2: "
                    "contract(conj(self), grad, 'bmk,bmn->bkn')",
        .samples = "(T[b,m,k], T[b,k,n]); (T[b,1,k], T[b,k,2])",
        .dtypes = NUMBERS,
    },
    {
        .schema = "addmm(Tensor self, Tensor mat1, Tensor mat2, *, "
                  "Number beta=1, Number alpha=1) -> Tensor",
        .about = "beta * self + alpha * (mat1 @ mat2); self is broadcast, and "
                 "not read if beta is 0.",
        .arguments = "alpha: multiplier of the product",
        .rule = "m?n?,mk,kn->mn",
        .linear = "self + mat1*mat2",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = addmm_meta,
        .kernel = add_kernel,
        .work = add_work,
        .gradient = "self: grad * conj(beta); mat1: contract(grad, conj(mat2), "
                    "'mn,kn->mk') * conj(alpha); mat2: contract(conj(mat1), "
                    "grad, 'mk,mn->kn') * conj(alpha)",
        .samples = "(T[m,n], T[m,k], T[k,n]); (T[n], T[m,k], T[k,n]); "
                   "(T[m,1], T[m,k], T[k,n], beta=2, alpha=-1); "
                   "(T[], T[m,k], T[k,n])",
        .dtypes = NUMBERS,
    },
    {
        .schema = "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, "
                  "Number beta=1, Number alpha=1) -> Tensor",
        .about =
            "beta * self + alpha * (batch1 @ batch2) for batches of matrices.",
        .arguments = "alpha: multiplier of the product",
        .rule = "b?m?n?,bmk,bkn->bmn",
        .linear = "self + batch1*batch2",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = baddbmm_meta,
        .kernel = baddbmm_kernel,
        .work = add_work,
        .gradient = "self: grad * conj(beta); batch1: contract(grad, "
                    "conj(batch2), 'bmn,bkn->bmk') * conj(alpha); batch2: "
                    "contract(conj(batch1), grad, 'bmk,bmn->bkn') * "
                    "conj(alpha)",
        .samples = "(T[b,m,n], T[b,m,k], T[b,k,n]); "
                   "(T[n], T[b,m,k], T[b,k,n], beta=2, alpha=-1); "
                   "(T[b,1,1], T[b,m,k], T[b,k,n])",
        .dtypes = NUMBERS,
    },
    {
        .schema = "addmv(Tensor self, Tensor mat, Tensor vec, *, "
                  "Number beta=1, Number alpha=1) -> Tensor",
        .about = "beta * self + alpha * (mat @ vec).",
        .arguments = "alpha: multiplier of the product",
        .rule = "m?,mk,k->m",
        .linear = "self + mat*vec",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = addmv_meta,
        .kernel = add_kernel,
        .work = add_work,
        .gradient = "self: grad * conj(beta); mat: outer(grad, conj(vec)) * "
                    "conj(alpha); vec: contract(conj(mat), grad, 'mk,m->k') * "
                    "conj(alpha)",
        .samples = "(T[m], T[m,k], T[k]); (T[1], T[m,k], T[k], beta=2, "
                   "alpha=-1); (T[], T[m,k], T[k])",
        .dtypes = NUMBERS,
    },
    {
        .schema = "addr(Tensor self, Tensor vec1, Tensor vec2, *, "
                  "Number beta=1, Number alpha=1) -> Tensor",
        .about = "beta * self + alpha * outer(vec1, vec2).",
        .arguments = "alpha: multiplier of the outer product",
        .rule = "m?n?,m,n->mn",
        .linear = "self + vec1*vec2",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = addr_meta,
        .kernel = addr_kernel,
        .gradient = "self: grad * conj(beta); vec1: contract(grad, conj(vec2), "
                    "'mn,n->m') * conj(alpha); vec2: contract(conj(vec1), "
                    "grad, 'm,mn->n') * conj(alpha)",
        .samples = "(T[m,n], T[m], T[n]); (T[n], T[m], T[n], beta=2, "
                   "alpha=-1); (T[m,1], T[m], T[n])",
        .dtypes = NUMBERS,
    },
    {
        .schema = "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, "
                  "Number beta=1, Number alpha=1) -> Tensor",
        .about = "beta * self + alpha * sum over the batch of batch1 @ batch2.",
        .arguments = "alpha: multiplier of the product",
        .rule = "m?n?,bmk,bkn->mn",
        .linear = "self + batch1*batch2",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = addbmm_meta,
        .kernel = addbmm_kernel,
        .work = addbmm_work,
        .gradient = "self: grad * conj(beta); batch1: contract(grad, "
                    "conj(batch2), 'mn,bkn->bmk') * conj(alpha); batch2: "
                    "contract(conj(batch1), grad, 'bmk,mn->bkn') * conj(alpha)",
        .samples = "(T[m,n], T[b,m,k], T[b,k,n]); "
                   "(T[n], T[b,m,k], T[b,k,n], beta=2, alpha=-1)",
        .dtypes = NUMBERS,
    },
    {
        .schema = "linear(Tensor input, Tensor weight, Tensor? bias) -> Tensor",
        .about = "input @ weight^T + bias.",
        .rule = "...k,nk,n->...n",
        .linear = "input*weight + bias",
        .flags = DT_OP_OUT,
        .meta = linear_meta,
        .kernel = linear_kernel,
        .work = matmul_work,
        .gradient = "input: contract(grad, conj(weight), '...n,nk->...k'); "
                    "weight: contract(grad, conj(input), '...n,...k->nk'); "
                    "bias: grad",
        .samples = "(T[m,k], T[n,k], T[n]); (T[b,m,k], T[n,k], None); "
                   "(T[k], T[n,k], T[n]); (T[b,3,k], T[2,k], T[2])",
        .dtypes = NUMBERS,
    },
    {0},
};
