/* ops/create/create.c - tensors made like others. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/create.h>

#include <string.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/reduce/reduce.h"
#include "layout/layout.h"
#include "op/meta.h"
#include "ops/create/value.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "random/draw.h"
#include "random/generator.h"
#include "tensor/create.h"
#include "tensor/order.h"

/*
 * Nothing is read of the tensors that are given but what they are, so that
 * nothing is sent, whatever their layout.
 */

/* ---- What is made ------------------------------------------------------- */

/* The dtype that an argument names, or that of a tensor. */
static dt_status read_dtype(const dt_operation *operation, int argument,
                            dt_dtype *out)
{
    const dt_argument *given = &operation->arguments[argument];
    *out = dt_tensor_dtype(operation->inputs[0]);
    if (given->kind == DT_ARG_NONE)
        return DT_OK;
    if (given->as.integer < 0 || given->as.integer >= DT_DTYPE_COUNT)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "invalid dtype %lld",
                                 (long long)given->as.integer);
    *out = (dt_dtype)given->as.integer;
    return DT_OK;
}

/* What a tensor like the first one is, of a dtype: dense, with its strides in
 * the same order. */
static dt_meta meta_like(const dt_operation *operation, dt_dtype dtype)
{
    dt_meta meta = operation->inputs[0]->spec->meta;
    meta.dtype = dtype;
    dti_meta_keep_order(&meta);
    return meta;
}

/* The layout of the first tensor; replicated where that is partial, unless it
 * is to stay so and the dtype can be. */
static dt_layout layout_like(const dt_operation *operation, dt_dtype dtype,
                             bool stays)
{
    dt_layout layout = dti_layout_unmasked(&operation->inputs[0]->spec->layout);
    for (int i = 0; i < layout.ndim; i++)
        if (dti_is_partial(&layout.placements[i]) &&
            (!stays || !dti_reduce_supports(layout.placements[i].op, dtype)))
            layout.placements[i] = dt_replicate();
    return layout;
}

static dt_layout replicated(const dt_operation *operation)
{
    dt_layout layout = operation->inputs[0]->spec->layout;
    for (int i = 0; i < layout.ndim; i++) {
        layout.placements[i] = dt_replicate();
        layout.order[i] = 0;
    }
    return layout;
}

static dt_status make(dt_operation *operation, const dt_layout *layout,
                      const dt_meta *meta, dti_fill_function fill,
                      const void *arg)
{
    dt_spec *spec = NULL;
    dt_mesh *mesh = operation->inputs[0]->spec->mesh;
    DTI_TRY(dt_spec_create_with(mesh, layout, meta, &spec));
    operation->outputs[0] = dti_create_with(spec, fill, arg);
    dt_spec_release(spec);
    return operation->outputs[0] ? DT_OK : dti_failure_of(operation->world);
}

static dt_status fill_number(const dt_spec *spec, dt_array *local,
                             const void *arg)
{
    const dt_number *value = arg;
    return dti_array_fill_number(spec->mesh->world, local, *value);
}

/* ---- Like --------------------------------------------------------------- */

static dt_status fill_like(dt_operation *operation, int dtype_argument,
                           dt_number value)
{
    dt_dtype dtype;
    DTI_TRY(read_dtype(operation, dtype_argument, &dtype));
    DTI_TRY(dti_value_check(operation, value, dtype));
    dt_meta meta = meta_like(operation, dtype);
    dt_layout layout = layout_like(operation, dtype, false);
    return make(operation, &layout, &meta, fill_number, &value);
}

static dt_status empty_like(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(read_dtype(operation, 1, &dtype));
    dt_meta meta = meta_like(operation, dtype);
    dt_layout layout = layout_like(operation, dtype, true);
    return make(operation, &layout, &meta, NULL, NULL);
}

static dt_status zeros_like(dt_operation *operation)
{
    return fill_like(operation, 1, dt_integer(0));
}

static dt_status ones_like(dt_operation *operation)
{
    return fill_like(operation, 1, dt_integer(1));
}

static dt_status full_like(dt_operation *operation)
{
    return fill_like(operation, 2, dti_argument_number(operation, "value"));
}

/* ---- Of any shape ------------------------------------------------------- */

/* Shape and layout of a new tensor: laid out as the first one if it has its
 * shape, else replicated. */
static dt_status make_new(dt_operation *operation, int dtype_argument,
                          bool stays, const dt_number *value)
{
    dt_dtype dtype;
    dt_shape shape;
    DTI_TRY(read_dtype(operation, dtype_argument, &dtype));
    DTI_TRY(dti_meta_shape(operation, 1, &shape));
    dt_meta meta = dt_meta_of(dtype, shape);
    bool same = dt_shape_equal(shape, dt_tensor_shape(operation->inputs[0]));
    dt_layout layout =
        same ? layout_like(operation, dtype, stays) : replicated(operation);
    if (!value)
        return make(operation, &layout, &meta, NULL, NULL);
    DTI_TRY(dti_value_check(operation, *value, dtype));
    return make(operation, &layout, &meta, fill_number, value);
}

static dt_status new_empty(dt_operation *operation)
{
    return make_new(operation, 2, true, NULL);
}

static dt_status new_zeros(dt_operation *operation)
{
    dt_number zero = dt_integer(0);
    return make_new(operation, 2, false, &zero);
}

static dt_status new_ones(dt_operation *operation)
{
    dt_number one = dt_integer(1);
    return make_new(operation, 2, false, &one);
}

static dt_status new_full(dt_operation *operation)
{
    return make_new(operation, 3, false,
                    &dti_argument(operation, "value")->as.number);
}

/* ---- Random ------------------------------------------------------------- */

static void draw_rows(const void *arg, const dti_rows *rows, void *out)
{
    if (rows->rows == 1)
        dti_draw_run(arg, rows->global, rows->count, out);
    else
        dti_draw_rows(arg, rows->global, rows->count, rows->stride, rows->rows,
                      out);
}

static dt_status fill_drawn(const dt_spec *spec, dt_array *local,
                            const void *arg)
{
    return dti_fill_by_rows(spec, local, draw_rows, arg);
}

/* Draw a tensor like the first one; dtype and generator are the last two
 * arguments, from `first` on. */
static dt_status draw_like(dt_operation *operation, int first, dti_draw draw)
{
    const dt_argument *given = &operation->arguments[first + 1];
    dt_generator *generator =
        given->kind == DT_ARG_GENERATOR ? given->as.generator : NULL;
    DTI_TRY(read_dtype(operation, first, &draw.dtype));
    DTI_TRY(dti_draw_check(operation->world, &draw));
    if (!generator)
        generator = dt_mesh_generator(dt_tensor_mesh(operation->inputs[0]));
    if (!generator)
        return DT_ERR_NO_MEMORY;
    draw.key = dti_generator_next(generator);
    dt_meta meta = meta_like(operation, draw.dtype);
    dt_layout layout = layout_like(operation, draw.dtype, false);
    return make(operation, &layout, &meta, fill_drawn, &draw);
}

static dt_status rand_like(dt_operation *operation)
{
    return draw_like(operation, 1, (dti_draw){.kind = DTI_UNIFORM, .high = 1});
}

static dt_status randn_like(dt_operation *operation)
{
    return draw_like(operation, 1, (dti_draw){.kind = DTI_NORMAL, .std = 1});
}

static dt_status randint_like(dt_operation *operation)
{
    return draw_like(operation, 3,
                     (dti_draw){.kind = DTI_RANDINT,
                                .least = dti_argument_int(operation, "low"),
                                .end = dti_argument_int(operation, "high")});
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_create[] = {
    {
        .schema = "empty_like(Tensor self, *, Dtype? dtype=None) -> Tensor",
        .aten = "empty_like",
        .about = "Make a tensor like another, not set; partial if that is.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND,
        .compose = empty_like,
    },
    {
        .schema = "zeros_like(Tensor self, *, Dtype? dtype=None) -> Tensor",
        .aten = "zeros_like",
        .about = "Make a tensor of zeros like another; replicated where that "
                 "is partial.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND,
        .compose = zeros_like,
        .samples = "(T[m,n]); (T[m,3], dtype=f16); (T[])",
    },
    {
        .schema = "ones_like(Tensor self, *, Dtype? dtype=None) -> Tensor",
        .aten = "ones_like",
        .about = "Make a tensor of ones like another; replicated where that is "
                 "partial.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND,
        .compose = ones_like,
        .samples = "(T[m,n]); (T[m,3], dtype=f16); (T[])",
    },
    {
        .schema = "full_like(Tensor self, Number value, *, Dtype? dtype=None) "
                  "-> Tensor",
        .aten = "full_like",
        .about = "Make a tensor with every element the same, like another; "
                 "replicated where that is partial.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND,
        .compose = full_like,
        .samples = "(T[m,n], 3); (T[m,3], 2.5, dtype=f16); (T[], true)",
    },
    {
        .schema = "rand_like(Tensor self, *, Dtype? dtype=None, "
                  "Generator? generator=None) -> Tensor",
        .aten = "rand_like",
        .about = "Make a tensor of numbers uniform on [0, 1), like another; "
                 "the same ones in every layout.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND | DT_OP_RANDOM,
        .compose = rand_like,
        .samples = "(T[m,n]); (T[m,3], dtype=f16); (T[])",
        .dtypes = "float",
    },
    {
        .schema = "randn_like(Tensor self, *, Dtype? dtype=None, "
                  "Generator? generator=None) -> Tensor",
        .aten = "randn_like",
        .about = "Make a tensor of normal numbers of mean 0 and variance 1, "
                 "like another; the same ones in every layout.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND | DT_OP_RANDOM,
        .compose = randn_like,
        .samples = "(T[m,n]); (T[m,3], dtype=f16); (T[])",
        .dtypes = "float",
    },
    {
        .schema = "randint_like(Tensor self, int low, int high, *, "
                  "Dtype? dtype=None, Generator? generator=None) -> Tensor",
        .aten = "randint_like.low_dtype",
        .about = "Make a tensor of integers from `low` to below `high`, like "
                 "another; the same ones in every layout.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND | DT_OP_RANDOM,
        .compose = randint_like,
        .samples = "(T[m,n], 0, 9); (T[m,3], 1, 5, dtype=i64); (T[], 0, 2)",
        .dtypes = "float int",
    },
    {
        .schema = "new_empty(Tensor self, Shape size, *, Dtype? dtype=None) -> "
                  "Tensor",
        .aten = "new_empty",
        .about = "Make a tensor of any shape on the mesh of another, not set; "
                 "laid out as that if it has its shape, else replicated.",
        .flags = DT_OP_NO_READ,
        .compose = new_empty,
        .samples = "(T[m,n], [0,n]); (T[m,0], [m,0], dtype=f16)",
    },
    {
        .schema = "new_zeros(Tensor self, Shape size, *, Dtype? dtype=None) -> "
                  "Tensor",
        .aten = "new_zeros",
        .about = "Make a tensor of zeros of any shape on the mesh of another; "
                 "laid out as that if it has its shape, but never partial.",
        .flags = DT_OP_NO_READ,
        .compose = new_zeros,
        .samples = "(T[m,n], [m,n]); (T[m], [3,n], dtype=f16); (T[m], [])",
    },
    {
        .schema = "new_ones(Tensor self, Shape size, *, Dtype? dtype=None) -> "
                  "Tensor",
        .aten = "new_ones",
        .about = "The same, of ones.",
        .flags = DT_OP_NO_READ,
        .compose = new_ones,
        .samples = "(T[m,n], [m,n]); (T[m], [3,n], dtype=f16); (T[m], [])",
    },
    {
        .schema = "new_full(Tensor self, Shape size, Number value, *, "
                  "Dtype? dtype=None) -> Tensor",
        .aten = "new_full",
        .about = "The same, with every element a number.",
        .flags = DT_OP_NO_READ,
        .compose = new_full,
        .samples = "(T[m,n], [m,n], 3); (T[m], [3,n], 2.5, dtype=f16); "
                   "(T[m], [], true)",
    },
    {0},
};
