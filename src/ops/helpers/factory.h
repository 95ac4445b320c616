/* ops/helpers/factory.h - making tensors whose elements every rank computes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_FACTORY_H
#define DTI_OPS_HELPERS_FACTORY_H

#include "ops/helpers/call.h"
#include "tensor/create.h"

/*
 * Operators that make a tensor from a mesh, or like another tensor.  Each rank
 * computes its own shard and nothing is sent, whatever the layout; nothing is
 * read of a tensor that is given but its spec.
 *
 * An operator decides how elements are set, a dti_recipe; where they go is
 * decided here:
 *
 *     static dt_status eye(dt_operation *operation)
 *     {
 *         diagonal of = {...};
 *         const dti_recipe recipe = {.fill = fill_eye, .arg = &of};
 *         return dti_factory_make(operation, DT_SHAPE(rows, columns), &recipe);
 *     }
 */

/* How elements are set. */
typedef struct dti_recipe {
    dti_fill_function fill; /* NULL: elements are not set */
    const void *arg;
    /* Where the generator stood whose numbers are drawn; NULL if none are. */
    const dt_generator_state *drawn;
} dti_recipe;

/* Make the result of a factory with the arguments `mesh`, `layout` and `dtype`,
 * of a shape. */
dt_status dti_factory_make(dt_operation *operation, dt_shape shape,
                           const dti_recipe *recipe);

/*
 * Make a tensor like the first one, of another dtype: dense, with its strides
 * in the same order, and with its layout; replicated where that is partial,
 * unless `stays` is true and the dtype can be partial.
 */
dt_status dti_factory_make_like(dt_operation *operation, dt_dtype dtype,
                                bool stays, const dti_recipe *recipe);

/* The same of any shape; replicated if it is not the shape of the first one. */
dt_status dti_factory_make_new(dt_operation *operation, dt_dtype dtype,
                               dt_shape shape, bool stays,
                               const dti_recipe *recipe);

/* Return the argument `dtype`, or the dtype of the first tensor if it is
 * absent.
 */
dt_status dti_factory_dtype_like(const dt_operation *operation, dt_dtype *out);

/* Set every element to the dt_number that `arg` is. */
dt_status dti_fill_number(const dt_spec *spec, dt_array *local,
                          const void *arg);

/* Numbers for `data` of rows. */
extern const dt_number dti_zero, dti_one;

/* Call an operator for its C function, which is named in errors; the first
 * argument is the mesh or the tensor that was passed to it, or absent. */
dt_tensor *dti_factory_call(const char *function, int number,
                            const dt_argument *arguments);

#endif
