/* op/rule/equation.h - equations of sums of products, as einsum has them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_RULE_EQUATION_H
#define DTI_OP_RULE_EQUATION_H

#include <dtensor/shape.h>
#include <dtensor/status.h>

/* The letters of one tensor, a dimension each. */
typedef struct dti_letters {
    int count;
    char letters[DT_MAX_NDIM];
} dti_letters;

/*
 * Read an equation, such as "bij,bjk->bik", of `count` tensors with so many
 * dimensions.  Letters are a to z and A to Z; space does not count; "..." are
 * dimensions that are aligned from the right, for which letters are taken that
 * the equation does not have.  NULL is an empty one.  Without "->", the result
 * has the dimensions of
 * "..." and then the letters that stand once, in the order of ASCII.
 *
 * A letter that a tensor has twice stands for its diagonal.
 *
 * On failure nothing is put out, and `error` says what is wrong and where:
 * DT_ERR_INVALID; DT_ERR_UNSUPPORTED for too many dimensions.
 */
dt_status dti_equation_parse(const char *text, const int *ndims, int count,
                             dti_letters *operands, dti_letters *result,
                             dt_error *error);

/* The first place of a letter; -1 if there is none. */
int dti_letters_find(const dti_letters *in, char letter);

/*
 * Give the extent of each letter: indexes are characters, letters that no
 * tensor has get 1.  A dimension of extent 1 is broadcast.  DT_ERR_INVALID if
 * two others differ, or those of a diagonal.
 */
dt_status dti_equation_extents(const dti_letters *operands,
                               const dt_shape *shapes, int count,
                               int64_t extents[128], dt_error *error);

#endif
