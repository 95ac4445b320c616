/* ops/helpers/call.h - calling an operator by its number, as the functions do
 * that the build writes from rows. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_CALL_H
#define DTI_OPS_HELPERS_CALL_H

#include <dtensor/tensor.h>

#include "base/error.h"
#include "base/options.h"
#include "op/call/dispatch.h"
#include "op/schema.h"

/*
 * ops/numbers.h, which the build writes, has the number of every operator:
 *
 *     dti_op_call_one(OP_ADD, DT_VARIANT_NEW,
 *                     (const dt_argument[]){dti_arg_tensor(self),
 *                                           dti_arg_tensor(other),
 *                                           dti_arg_number(alpha)},
 *                     3, NULL)
 */

/* ---- Arguments ---------------------------------------------------------- */

/* Functions rather than initialisers: from these GCC clears all arguments at
 * once by a string instruction, which takes longer to begin than these stores.
 */

static inline dt_argument dti_arg_none(void)
{
    return (dt_argument){.kind = DT_ARG_NONE};
}

static inline dt_argument dti_arg_tensor(dt_tensor *x)
{
    return (dt_argument){.kind = DT_ARG_TENSOR, .as.tensor = x};
}

static inline dt_argument dti_arg_tensors(dt_tensor *const *x, int count)
{
    return (dt_argument){
        .kind = DT_ARG_TENSORS, .count = count, .as.tensors = x};
}

static inline dt_argument dti_arg_number(dt_number x)
{
    return (dt_argument){.kind = DT_ARG_NUMBER, .as.number = x};
}

static inline dt_argument dti_arg_numbers(const dt_number *x, int count)
{
    return (dt_argument){
        .kind = DT_ARG_NUMBERS, .count = count, .as.numbers = x};
}

static inline dt_argument dti_arg_integer(int64_t x)
{
    return (dt_argument){.kind = DT_ARG_INTEGER, .as.integer = x};
}

static inline dt_argument dti_arg_integers(const int64_t *x, int count)
{
    return (dt_argument){
        .kind = DT_ARG_INTEGERS, .count = count, .as.integers = x};
}

static inline dt_argument dti_arg_real(double x)
{
    return (dt_argument){.kind = DT_ARG_REAL, .as.real = x};
}

static inline dt_argument dti_arg_text(const char *x)
{
    return (dt_argument){.kind = DT_ARG_TEXT, .as.text = x};
}

/* A shape may claim more dimensions than it has room for; it is passed on as a
 * list of too many. */
static inline dt_argument dti_arg_shape(const dt_shape *x)
{
    static const int64_t too_many[DT_MAX_NDIM + 1];
    bool fits = (unsigned)x->ndim <= DT_MAX_NDIM;
    return dti_arg_integers(fits ? x->dims : too_many,
                            fits ? x->ndim : DT_MAX_NDIM + 1);
}

/* DT_NO_DIMS differs from an empty list. */
static inline dt_argument dti_arg_dims(const dt_dims *x)
{
    return x->ndim == -1 ? dti_arg_integers(x->dims, -1) : dti_arg_shape(x);
}

/* Absent if NULL. */
static inline dt_argument dti_arg_optional_tensor(dt_tensor *x)
{
    return x ? dti_arg_tensor(x) : dti_arg_none();
}

static inline dt_argument dti_arg_optional_dtype(const dt_dtype *x)
{
    return x ? dti_arg_integer(*x) : dti_arg_none();
}

static inline dt_argument dti_arg_generator(dt_generator *x)
{
    return x ? (dt_argument){.kind = DT_ARG_GENERATOR, .as.generator = x}
             : dti_arg_none();
}

static inline dt_argument dti_arg_mesh(dt_mesh *x)
{
    return (dt_argument){.kind = x ? DT_ARG_MESH : DT_ARG_NONE, .as.mesh = x};
}

static inline dt_argument dti_arg_layout(const char *x)
{
    return (dt_argument){.kind = x ? DT_ARG_TEXT : DT_ARG_NONE, .as.text = x};
}

static inline dt_argument dti_arg_array(dt_array *x)
{
    return (dt_argument){.kind = x ? DT_ARG_ARRAY : DT_ARG_NONE, .as.array = x};
}

/* ---- Options ------------------------------------------------------------ */

/*
 * The options of a call: those that the caller passed, or `usual`, which has
 * the defaults, completed by what an older or newer caller passed
 * (base/options.h).  NULL on failure; the error is recorded in the world of
 * `tensor`, the first of the call, which may be NULL.  For example, in
 * dt_gelu_with:
 *
 *     dt_gelu_options usual = DT_GELU_OPTIONS_INIT;
 *     options = dti_op_options(self, options, &usual, sizeof usual,
 *                              "DT_GELU_OPTIONS_INIT");
 *     if (!options)
 *         return NULL;
 */
static inline const void *dti_op_options(const dt_tensor *tensor,
                                         const void *options, void *usual,
                                         size_t size, const char *initialiser)
{
    if (DTI_LIKELY(options && *(const size_t *)options == size))
        return options;
    return dti_options_read(tensor ? dt_tensor_world(tensor) : NULL, options,
                            usual, size, initialiser);
}

/* ---- Results ------------------------------------------------------------ */

/*
 * Call the operator with a number that returns several tensors, each to its own
 * place; a place may be NULL if the result is not wanted.
 *
 * Collective over the mesh of its tensors.
 */
static inline dt_status dti_op_call_named(int number, dt_variant variant,
                                          const dt_argument *arguments,
                                          int count, dt_tensor **const *places,
                                          int place_count)
{
    dt_tensor *results[DTI_MAX_RESULTS] = {NULL};
    int given = 0;
    DTI_TRY(dti_op_call_many(number, variant, arguments, count, results,
                             place_count, &given));
    for (int i = 0; i < place_count; i++)
        if (places[i])
            *places[i] = results[i];
    return DT_OK;
}

#endif
