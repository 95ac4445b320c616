/* ops/linalg/contract.c - sums of products of two tensors, as an equation says.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <string.h>

#include "layout/spec.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "op/rule/equation.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/tables.h"
#include "ops/linalg/product.h"

/* ---- One contraction ---------------------------------------------------- */

enum { A, B, EQUATION };

/* An equation of one tensor or two, with the whole extents of its letters. */
typedef struct contraction {
    int count;
    dti_letters operands[2];
    dti_letters result;
    int64_t extents[128];
} contraction;

static dt_status parse(const char *text, const dt_shape *shapes,
                       contraction *out, dt_error *error)
{
    const int ndims[] = {shapes[A].ndim, shapes[B].ndim};
    DTI_TRY(dti_equation_parse(text, ndims, out->count, out->operands,
                               &out->result, error));
    return dti_equation_extents(out->operands, shapes, out->count, out->extents,
                                error);
}

static dt_status read_contraction(const dt_operation *operation,
                                  contraction *out)
{
    dt_shape shapes[2] = {operation->metas[A]->shape};
    dt_error error = {0};
    out->count = operation->metas[B] ? 2 : 1;
    if (operation->metas[B])
        shapes[B] = operation->metas[B]->shape;
    const dt_status status =
        parse(dti_argument_text(operation, "equation"), shapes, out, &error);
    if (status != DT_OK)
        return dt_operation_fail(operation, status, "%s", error.message);
    return DT_OK;
}

static bool has(const dti_letters *in, char letter)
{
    return dti_letters_find(in, letter) >= 0;
}

static dt_status contract_meta(dt_operation *operation)
{
    contraction c;
    dt_shape out = {0, {0}};
    DTI_TRY(dti_product_check(operation));
    DTI_TRY(read_contraction(operation, &c));
    for (; out.ndim < c.result.count; out.ndim++)
        out.dims[out.ndim] = c.extents[(int)c.result.letters[out.ndim]];
    return dti_meta_add(operation, operation->metas[A]->dtype, out);
}

/* Tell whether some operand has a letter twice. */
static bool is_diagonal(const contraction *c, char letter)
{
    for (int i = 0; i < c->count; i++) {
        int uses = 0;
        for (int d = 0; d < c->operands[i].count; d++)
            uses += c->operands[i].letters[d] == letter;
        if (uses > 1)
            return true;
    }
    return false;
}

/* A factor for each letter; dimensions that are broadcast have none, and those
 * of diagonals are whole. */
static dt_status contract_factors(const dt_operation *operation,
                                  dt_factors *out)
{
    contraction c;
    int factors[128];
    memset(factors, -1, sizeof factors);
    memset(out, 0, sizeof *out);
    DTI_TRY(read_contraction(operation, &c));
    out->in_count = 2;
    out->out_count = 1;
    for (int i = 0; i < c.count; i++)
        for (int d = 0; d < c.operands[i].count; d++) {
            const char letter = c.operands[i].letters[d];
            const int64_t extent = c.extents[(int)letter];
            if (is_diagonal(&c, letter))
                continue;
            if (factors[(int)letter] < 0)
                factors[(int)letter] = dti_factor_add(
                    out,
                    has(&c.result, letter) ? DT_FACTOR_FREE : DT_FACTOR_REDUCED,
                    extent);
            if (operation->metas[i]->shape.dims[d] == extent)
                dti_factor_put(&out->in[i].dims[d], factors[(int)letter]);
        }
    for (int d = 0; d < c.result.count; d++)
        if (factors[(int)c.result.letters[d]] >= 0)
            dti_factor_put(&out->out[0].dims[d],
                           factors[(int)c.result.letters[d]]);
    return DT_OK;
}

/* ---- Of this rank's parts ----------------------------------------------- */

/* The extents of letters in the parts: those of dimensions that are not
 * broadcast. */
static void part_extents(const dt_operation *operation, const contraction *c,
                         int64_t *out)
{
    for (int i = 0; i < 128; i++)
        out[i] = 1;
    for (int i = 0; i < c->count; i++)
        for (int d = 0; d < c->operands[i].count; d++) {
            const int letter = c->operands[i].letters[d];
            if (operation->metas[i]->shape.dims[d] == c->extents[letter])
                out[letter] = operation->in[i]->shape.dims[d];
        }
}

/* View an array, whose dimensions have these letters, with others in their
 * order: dimensions that are missing or short are repeated. */
static dt_status view_as(const dt_operation *operation, dt_array *array,
                         const dti_letters *has_letters,
                         const dti_letters *wanted, const int64_t *extents,
                         dt_array **out)
{
    dt_shape shape = {.ndim = wanted->count};
    int64_t strides[DT_MAX_NDIM] = {0};
    for (int d = 0; d < wanted->count; d++) {
        const int from = dti_letters_find(has_letters, wanted->letters[d]);
        shape.dims[d] = extents[(int)wanted->letters[d]];
        if (from >= 0)
            strides[d] = dti_product_stride(array, from);
    }
    return dti_scratch_view(operation, array, shape, strides, out);
}

/* View the diagonals that letters stand for twice; each is left once. */
static dt_status take_diagonals(const dt_operation *operation, dt_array *array,
                                dti_letters *letters, dt_array **out)
{
    const dti_letters before = *letters;
    dt_shape shape = {0, {0}};
    int64_t strides[DT_MAX_NDIM] = {0};
    letters->count = 0;
    for (int d = 0; d < before.count; d++) {
        const int same = dti_letters_find(letters, before.letters[d]);
        const int to = same < 0 ? shape.ndim++ : same;
        letters->letters[to] = before.letters[d];
        letters->count = shape.ndim;
        shape.dims[to] = array->shape.dims[d];
        strides[to] += array->strides[d];
    }
    return dti_scratch_view(operation, array, shape, strides, out);
}

/* Letters of `from` that the others have, or have not. */
typedef enum choice { WITHOUT, WITH } choice;

static void append(dti_letters *to, const dti_letters *from,
                   const dti_letters *first, choice by_first,
                   const dti_letters *second, choice by_second)
{
    for (int i = 0; i < from->count; i++) {
        const char letter = from->letters[i];
        if (has(first, letter) == (by_first == WITH) &&
            has(second, letter) == (by_second == WITH))
            to->letters[to->count++] = letter;
    }
}

/* Dimensions `first` to `last` as one, if they lie as one does; without
 * elements they always do. */
static bool merge(const dt_array *array, int first, int last, int64_t *extent,
                  int64_t *stride)
{
    bool begun = false;
    *extent = *stride = 1;
    for (int d = last - 1; d >= first; d--) {
        const int64_t this = array->strides[d];
        if (array->shape.dims[d] == 1)
            continue;
        if (begun && array->count > 0 && this != *stride * *extent)
            return false;
        if (!begun)
            *stride = this;
        begun = true;
        *extent *= array->shape.dims[d];
    }
    return true;
}

/* Dimensions of an operand or the result: a batch, then two groups that are
 * the rows and the columns of matrices. */
typedef struct grouping {
    dti_letters letters;
    int batch, rows; /* how many letters; the rest are columns */
} grouping;

static bool group_strides(const dt_array *array, const grouping *g,
                          dti_gemm_strides *out, int64_t *rows,
                          int64_t *columns)
{
    const int middle = g->batch + g->rows;
    for (int d = 0; d < g->batch; d++)
        out->batch[d] = dti_product_stride(array, d);
    return merge(array, g->batch, middle, rows, &out->row) &&
           merge(array, middle, g->letters.count, columns, &out->column);
}

/* See an operand as a batch of matrices; copied if it does not lie so. */
static dt_status group_operand(const dt_operation *operation, dt_array *array,
                               const dti_letters *letters, const grouping *g,
                               const int64_t *extents,
                               dti_gemm_strides *strides, int64_t *rows,
                               int64_t *columns, dt_array **out)
{
    DTI_TRY(view_as(operation, array, letters, &g->letters, extents, out));
    if (group_strides(*out, g, strides, rows, columns))
        return DT_OK;
    DTI_TRY(dti_scratch_contiguous(operation, *out, out));
    bool grouped = group_strides(*out, g, strides, rows, columns);
    assert(grouped);
    (void)grouped;
    return DT_OK;
}

/* ---- Letters that are summed in one operand alone ------------------------ */

/* Sum up over letters that neither the result nor the other operand has: a
 * product with ones.  `letters` gets what is left. */
static dt_status sum_alone(const dt_operation *operation, dt_array *array,
                           dti_letters *letters, const dti_letters *other,
                           const dti_letters *result, dt_array **out)
{
    const dti_letters before = *letters;
    dti_letters kept = {0}, none = {0};
    grouping g = {.batch = 0};
    dti_gemm sum = {.n = 1, .alpha = dt_integer(1), .beta = dt_integer(0)};
    dt_array *ones = NULL, *matrix = NULL;
    dt_shape shape = {0, {0}};
    int64_t extents[128];
    for (int d = 0; d < before.count; d++)
        extents[(int)before.letters[d]] = array->shape.dims[d];
    for (int d = 0; d < before.count; d++)
        if (has(other, before.letters[d]) || has(result, before.letters[d]))
            kept.letters[kept.count++] = before.letters[d];
    if (kept.count == before.count) {
        *out = array;
        return DT_OK;
    }
    g.letters = kept;
    g.rows = kept.count;
    append(&g.letters, &before, &kept, WITHOUT, &none, WITHOUT);
    for (; shape.ndim < kept.count; shape.ndim++)
        shape.dims[shape.ndim] = extents[(int)kept.letters[shape.ndim]];
    DTI_TRY(group_operand(operation, array, &before, &g, extents,
                          &sum.a_strides, &sum.m, &sum.k, &matrix));
    sum.b_strides = (dti_gemm_strides){.row = 1, .column = 1};
    sum.c_strides = (dti_gemm_strides){.row = 1, .column = 1};
    DTI_TRY(dti_scratch_create(operation, array->dtype, shape, out));
    DTI_TRY(
        dti_scratch_create(operation, array->dtype, DT_SHAPE(sum.k), &ones));
    DTI_TRY(dt_array_fill_int(operation->world, ones, 1));
    *letters = kept;
    if ((*out)->count == 0)
        return DT_OK;
    return dti_product_compute(operation->world, &sum, matrix, ones, *out);
}

/* ---- Two operands as matrices -------------------------------------------- */

/* How letters are grouped: those of a batch, of rows and of columns for a, b
 * and the result. */
typedef struct groups {
    grouping a, b, c;
} groups;

static groups group_letters(const dti_letters *a, const dti_letters *b,
                            const dti_letters *result)
{
    dti_letters batch = {0}, m = {0}, n = {0}, k = {0};
    groups g;
    append(&batch, result, a, WITH, b, WITH);
    append(&m, result, a, WITH, b, WITHOUT);
    append(&n, result, a, WITHOUT, b, WITH);
    append(&k, a, b, WITH, result, WITHOUT);
    const dti_letters none = {0};
    const struct {
        grouping *to;
        const dti_letters *rows, *columns;
    } all[] = {{&g.a, &m, &k}, {&g.b, &k, &n}, {&g.c, &m, &n}};
    for (int i = 0; i < 3; i++) {
        *all[i].to = (grouping){
            .letters = batch, .batch = batch.count, .rows = all[i].rows->count};
        append(&all[i].to->letters, all[i].rows, &none, WITHOUT, &none,
               WITHOUT);
        append(&all[i].to->letters, all[i].columns, &none, WITHOUT, &none,
               WITHOUT);
    }
    return g;
}

/* Tell whether results can be written where they belong, at full speed. */
static bool is_direct(dt_array *out, const grouping *g, dti_gemm *product)
{
    int64_t m, n;
    return group_strides(out, g, &product->c_strides, &m, &n) &&
           (product->c_strides.row == 1 || product->c_strides.column == 1 ||
            m * n == 1);
}

static void take_batch(const dt_array *out, const grouping *g,
                       dti_gemm *product)
{
    product->batch_ndim = g->batch;
    for (int d = 0; d < g->batch; d++)
        product->batch[d] = out->shape.dims[d];
}

/* Compute into an array that lies as the groups say, then move it. */
static dt_status compute_aside(const dt_operation *operation, dti_gemm *product,
                               const dt_array *a, const dt_array *b,
                               const grouping *g, dt_array *view)
{
    dt_array *aside = NULL;
    int64_t m, n;
    DTI_TRY(dti_scratch_create(operation, view->dtype, view->shape, &aside));
    bool grouped = group_strides(aside, g, &product->c_strides, &m, &n);
    assert(grouped);
    (void)grouped;
    DTI_TRY(dti_product_compute(operation->world, product, a, b, aside));
    return dt_array_copy(operation->world, aside, view);
}

static dt_status multiply(const dt_operation *operation,
                          dt_array *const *arrays, const dti_letters *letters,
                          const dti_letters *result, const int64_t *extents,
                          dt_array *out)
{
    const groups g = group_letters(&letters[A], &letters[B], result);
    dti_gemm product = {.alpha = dt_integer(1), .beta = dt_integer(0)};
    dt_array *a = NULL, *b = NULL, *c = NULL;
    int64_t k;
    DTI_TRY(group_operand(operation, arrays[A], &letters[A], &g.a, extents,
                          &product.a_strides, &product.m, &product.k, &a));
    DTI_TRY(group_operand(operation, arrays[B], &letters[B], &g.b, extents,
                          &product.b_strides, &k, &product.n, &b));
    DTI_TRY(view_as(operation, out, result, &g.c.letters, extents, &c));
    take_batch(c, &g.c, &product);
    return is_direct(c, &g.c, &product)
               ? dti_product_compute(operation->world, &product, a, b, c)
               : compute_aside(operation, &product, a, b, &g.c, c);
}

/* What is left of one operand, in the order of the result. */
static dt_status reorder(const dt_operation *operation, dt_array *array,
                         const dti_letters *letters, const dti_letters *result,
                         const int64_t *extents, dt_array *out)
{
    dt_array *view = NULL;
    DTI_TRY(view_as(operation, array, letters, result, extents, &view));
    return dt_array_copy(operation->world, view, out);
}

static dt_status contract_kernel(dt_operation *operation)
{
    dt_array *views[2] = {NULL, NULL}, *arrays[2] = {NULL, NULL};
    dt_array *out = operation->out[0];
    const dti_letters none = {0};
    contraction c;
    int64_t extents[128];
    if (out->count == 0)
        return DT_OK;
    DTI_TRY(read_contraction(operation, &c));
    assert(c.count > 0);
    part_extents(operation, &c, extents);
    const dti_letters others[2] = {c.count == 2 ? c.operands[B] : none,
                                   c.operands[A]};
    for (int i = 0; i < c.count; i++)
        DTI_TRY(take_diagonals(operation, operation->in[i], &c.operands[i],
                               &views[i]));
    for (int i = 0; i < c.count; i++)
        DTI_TRY(sum_alone(operation, views[i], &c.operands[i], &others[i],
                          &c.result, &arrays[i]));
    return c.count == 2 ? multiply(operation, arrays, c.operands, &c.result,
                                   extents, out)
                        : reorder(operation, arrays[A], &c.operands[A],
                                  &c.result, extents, out);
}

/* Two operations for each combination of the letters' values. */
static double contract_work(const dt_operation *operation)
{
    contraction c;
    int64_t extents[128];
    double terms = 2;
    if (read_contraction(operation, &c) != DT_OK)
        return 0;
    part_extents(operation, &c, extents);
    for (int i = 0; i < 128; i++)
        terms *= (double)extents[i];
    return terms;
}

/* ---- Gradients ---------------------------------------------------------- */

/* The equation of a call that was recorded. */
static dt_status read_recorded(const dt_backward_call *call, contraction *out)
{
    dt_shape shapes[2] = {call->in_specs[A]->meta.shape};
    dt_error error = {0};
    out->count = call->in_specs[B] ? 2 : 1;
    if (call->in_specs[B])
        shapes[B] = call->in_specs[B]->meta.shape;
    return parse(call->arguments[EQUATION].as.text, shapes, out, &error);
}

static char *write_letters(char *end, const dti_letters *letters)
{
    memcpy(end, letters->letters, (size_t)letters->count);
    return end + letters->count;
}

/* Write "result,other->own", where `own` are letters of the operand that some
 * other tensor has, each once. */
static dti_letters invert(const contraction *c, int operand, char *text)
{
    const dti_letters none = {0};
    const dti_letters *other = c->count == 2 ? &c->operands[!operand] : &none;
    const dti_letters *from = &c->operands[operand];
    dti_letters own = {0};
    for (int i = 0; i < from->count; i++) {
        const char letter = from->letters[i];
        if (!has(&own, letter) &&
            (has(&c->result, letter) || has(other, letter)))
            own.letters[own.count++] = letter;
    }
    text = write_letters(text, &c->result);
    if (c->count == 2) {
        *text++ = ',';
        text = write_letters(text, other);
    }
    *text++ = '-';
    *text++ = '>';
    *write_letters(text, &own) = '\0';
    return own;
}

/* Repeat a tensor along letters of an operand that it has not, or has with
 * extent 1; each letter of the operand is left once. */
static dt_tensor *repeat(dt_tensor *tensor, dti_letters *letters,
                         const dti_letters *operand, dt_shape shape)
{
    const dt_shape before = dt_tensor_shape(tensor);
    dt_shape apart = {0, {0}}, wide = {0, {0}};
    dti_letters once = {0};
    for (int d = 0; d < operand->count; d++) {
        const char letter = operand->letters[d];
        const int from = dti_letters_find(letters, letter);
        if (has(&once, letter))
            continue;
        const int64_t extent = from < 0 ? 1 : before.dims[from];
        once.letters[once.count++] = letter;
        apart.dims[apart.ndim++] = extent;
        wide.dims[wide.ndim++] = extent == 1 ? shape.dims[d] : extent;
    }
    *letters = once;
    if (!dt_shape_equal(before, apart))
        tensor = dt_reshape(tensor, apart);
    return dt_shape_equal(apart, wide) ? tensor : dt_expand(tensor, wide);
}

/* Make a dimension the diagonal of itself and a new one, with zeros beside it.
 */
static dt_tensor *put_diagonal(dt_tensor *tensor, int dim, int new_dim)
{
    const dt_shape before = dt_tensor_shape(tensor);
    dt_shape shape = {.ndim = before.ndim + 1};
    dt_dims order = {0, {0}};
    for (int d = 0, from = 0; d < shape.ndim; d++)
        shape.dims[d] = d == new_dim ? before.dims[dim] : before.dims[from++];
    for (int d = 0; d < before.ndim; d++)
        if (d != dim)
            order.dims[order.ndim++] = d;
    order.dims[order.ndim++] = dim;
    return dt_diagonal_backward(dt_permute(tensor, order), shape, 0, dim,
                                new_dim);
}

/* The gradient of an operand is the same sum of products with the gradient of
 * the result in its place.  What the operand alone summed is repeated, and what
 * it has beside a diagonal is zero. */
static dt_status find_gradient(const dt_backward_call *call,
                               const contraction *c, int operand)
{
    char equation[4 * DT_MAX_NDIM];
    const dti_letters *letters = &c->operands[operand];
    dti_letters own = invert(c, operand, equation);
    DTI_TRY(dti_product_gradient(call, operand,
                                 c->count == 2 ? call->inputs[!operand] : NULL,
                                 equation));
    dt_tensor *tensor = repeat(call->gradients[operand], &own, letters,
                               call->in_specs[operand]->meta.shape);
    for (int d = 0; d < letters->count && tensor; d++) {
        const int first = dti_letters_find(letters, letters->letters[d]);
        if (first < d)
            tensor = put_diagonal(tensor, first, d);
    }
    call->gradients[operand] = tensor;
    return tensor ? DT_OK : dti_failure_of(call->world);
}

static dt_status contract_backward(dt_backward_call *call)
{
    contraction c;
    DTI_TRY(read_recorded(call, &c));
    for (int i = 0; i < c.count; i++)
        if (call->wanted[i])
            DTI_TRY(find_gradient(call, &c, i));
    return DT_OK;
}

/* ---- The row ------------------------------------------------------------ */

/* What one tensor alone sums is summed before it is multiplied; sums of shards
 * are multiplied each, which is another result if the other is infinite. */
const dt_op dti_ops_contract[] = {
    {
        .schema = "contract(Tensor a, Tensor? b, Text equation) -> Tensor",
        .aten = "",
        .about = "Sum products of one or two tensors by an equation such as "
                 "\"bij,bjk->bik\": letters absent from the result are summed, "
                 "letters repeated in a tensor select a diagonal.",
        .linear = "a*b",
        .flags = DT_OP_HELPER,
        .meta = contract_meta,
        .factors = contract_factors,
        .kernel = contract_kernel,
        .work = contract_work,
        .gradient = "a: function(b); b: function(a)",
        .backward = contract_backward,
        .samples = "(T[m,k], T[k,n], \"mk,kn->mn\"); "
                   "(T[b,m,k], T[n,k,b], \"bmk,nkb->nbm\"); "
                   "(T[m,n], T[n,m], \"mn,nm->\"); "
                   "(T[m,2,n], T[n,3]~, \"msn,nt->tm\"); "
                   "(T[m,1], T[m,n], \"mn,mn->n\"); "
                   "(T[m,3,n], None, \"mkn->nm\"); "
                   "(T[m,n,m], T[n,k], \"mnm,nk->mk\"); "
                   "(T[n,n,m], None, \"nnm->m\")",
        .dtypes = "float int complex",
    },
    {0},
};
