/* tests/ranks/ops/linalg/products.h - products, against sums by the definition.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_OPS_LINALG_PRODUCTS_H
#define DT_TESTS_OPS_LINALG_PRODUCTS_H

#include <stdio.h>
#include <stdlib.h>

#include "support/tensors.h"

/* ---- Known numbers ------------------------------------------------------- */

enum { OPERANDS_MAX = 10 };

/* A tensor, and its elements in row-major order: small integers, so that sums
 * are exact whatever their order. */
typedef struct known {
    dt_shape shape;
    dt_tensor *tensor;
    double *values;
} known;

static inline known make_known(dt_mesh *mesh, const char *layout,
                               dt_dtype dtype, dt_shape shape, int salt)
{
    const int64_t count = dt_shape_count(shape);
    known out = {.shape = shape,
                 .values = calloc((size_t)count + 1, sizeof(double))};
    for (int64_t i = 0; i < count; i++)
        out.values[i] = operand_at(salt, i);
    out.tensor = tensor_of(mesh, layout, dtype, shape, out.values);
    return out;
}

static inline known known_f32(const fixture *f, const char *layout,
                              dt_shape shape, int salt)
{
    return make_known(f->mesh, layout, DT_F32, shape, salt);
}

static inline void forget(known *operands, int count)
{
    for (int i = 0; i < count; i++)
        free(operands[i].values);
}

/* ---- Sums by the definition ---------------------------------------------- */

/* Letters of an equation without "...": operands, then the result. */
typedef struct terms {
    int count;
    char letters[OPERANDS_MAX + 1][DT_MAX_NDIM + 1];
    char all[64]; /* every letter once */
    int64_t extents[64], index[64];
} terms;

static inline int place_of(const terms *t, char letter)
{
    const char *found = strchr(t->all, letter);
    return found ? (int)(found - t->all) : -1;
}

static inline void read_terms(terms *t, const char *equation,
                              const known *operands)
{
    memset(t, 0, sizeof *t);
    int item = 0, at = 0;
    for (const char *c = equation; *c; c++) {
        if (*c == ',' || *c == '-') {
            item++;
            at = 0;
            c += *c == '-';
            continue;
        }
        t->letters[item][at++] = *c;
        if (place_of(t, *c) < 0) {
            t->all[strlen(t->all)] = *c;
            t->extents[place_of(t, *c)] = 1;
        }
    }
    t->count = item;
    for (int i = 0; i < item; i++)
        for (int d = 0; t->letters[i][d]; d++) {
            int64_t *extent = &t->extents[place_of(t, t->letters[i][d])];
            if (operands[i].shape.dims[d] != 1)
                *extent = operands[i].shape.dims[d];
        }
}

/* The place of an element in a tensor whose dimensions have these letters; of
 * extent 1, they are broadcast. */
static inline int64_t offset_of(const terms *t, const char *letters,
                                dt_shape shape)
{
    int64_t offset = 0;
    for (int d = 0; letters[d]; d++)
        offset = offset * shape.dims[d] +
                 (shape.dims[d] == 1 ? 0 : t->index[place_of(t, letters[d])]);
    return offset;
}

static inline bool next_term(terms *t)
{
    for (int i = (int)strlen(t->all) - 1; i >= 0; i--) {
        if (++t->index[i] < t->extents[i])
            return true;
        t->index[i] = 0;
    }
    return false;
}

/* Give the result; the caller frees it. */
static inline double *sum_terms(const char *equation, const known *operands,
                                dt_shape *shape)
{
    terms t;
    read_terms(&t, equation, operands);
    const char *result = t.letters[t.count];
    *shape = (dt_shape){.ndim = (int)strlen(result)};
    bool empty = false;
    for (int d = 0; d < shape->ndim; d++)
        shape->dims[d] = t.extents[place_of(&t, result[d])];
    for (size_t i = 0; i < strlen(t.all); i++)
        empty |= t.extents[i] == 0;
    double *out = calloc((size_t)dt_shape_count(*shape) + 1, sizeof *out);
    if (empty)
        return out;
    do {
        double product = 1;
        for (int i = 0; i < t.count; i++)
            product *=
                operands[i]
                    .values[offset_of(&t, t.letters[i], operands[i].shape)];
        out[offset_of(&t, result, *shape)] += product;
    } while (next_term(&t));
    return out;
}

/* Check the shape and the elements of a tensor, without rounding. */
static inline bool check_exactly(dt_tensor *tensor, dt_shape shape,
                                 const double *values, const char *what)
{
    if (!CHECKF(tensor != NULL, "%s failed", what) ||
        !CHECKF(dt_shape_equal(dt_tensor_shape(tensor), shape),
                "%s has another shape", what))
        return false;
    const int64_t count = dt_shape_count(shape);
    double *found = calloc((size_t)count + 1, sizeof *found);
    bool right = read_tensor(tensor, found);
    for (int64_t i = 0; right && i < count; i++)
        right = CHECKF(found[i] == values[i], "%s: element %lld is %g, not %g",
                       what, (long long)i, found[i], values[i]);
    free(found);
    return right;
}

/* Check a result of operands by the equation that says what it is. */
static inline bool check_sum(dt_tensor *tensor, const char *equation,
                             const known *operands, const char *what)
{
    dt_shape shape;
    double *values = sum_terms(equation, operands, &shape);
    const bool right = check_exactly(tensor, shape, values, what);
    free(values);
    return right;
}

/* ---- Errors -------------------------------------------------------------- */

static inline void check_refused(fixture *f, dt_tensor *result, dt_status code,
                                 const char *text)
{
    const dt_error *error = dt_world_error(f->world);
    CHECK(result == NULL);
    CHECKF(error->code == code && strstr(error->message, text),
           "\"%s\" does not say \"%s\"", error->message, text);
    DT_IGNORE(dt_scope_close(f->scope));
    f->scope = dt_scope_open(f->world);
    dt_check_forget(f->world);
}

#endif
