/* tests/ranks/ops/products.h - products, against sums by the definition. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_OPS_PRODUCTS_H
#define DT_TESTS_OPS_PRODUCTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

#include "support/check.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- Known numbers ------------------------------------------------------- */

enum { MOST = 4096, MOST_OPERANDS = 10 };

/* A tensor, and its elements in row-major order: small integers, so that sums
 * are exact whatever their order. */
typedef struct known {
    dt_shape shape;
    dt_tensor *tensor;
    double *values;
} known;

static inline double number_at(int salt, int64_t index)
{
    unsigned long long state = (unsigned long long)(index * 97 + salt + 1);
    return (double)(dt_test_random(&state) % 5) - 2;
}

/* What this rank adds to a partial value: something on every rank. */
static inline double addend_of(double value, int salt, int64_t index, int rank,
                               int ranks)
{
    double others = 0;
    if (rank > 0)
        return number_at(salt + rank, index);
    for (int i = 1; i < ranks; i++)
        others += number_at(salt + i, index);
    return value - others;
}

static inline dt_array *array_of(dt_world *world, dt_dtype dtype,
                                 dt_shape shape, const double *values)
{
    dt_array *wide = NULL, *out = NULL;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    double *copy = malloc(((size_t)dt_shape_count(shape) + 1) * sizeof *copy);
    memcpy(copy, values, (size_t)dt_shape_count(shape) * sizeof *copy);
    options.data = copy;
    options.dtype = DT_F64;
    options.shape = shape;
    CHECK_OK(world, dt_array_wrap(world, &options, &wide));
    CHECK_OK(world, dt_array_cast(world, wide, dtype, &out));
    dt_array_release(wide);
    free(copy);
    return out;
}

/* Make a tensor.  Partial ones on a mesh of one dimension have something on
 * every rank. */
static inline known make(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                         dt_shape shape, int salt)
{
    dt_world *world = dt_mesh_world(mesh);
    const int64_t count = dt_shape_count(shape);
    known out = {.shape = shape,
                 .values = calloc((size_t)count + 1, sizeof(double))};
    const bool partial = strcmp(layout, "P(sum)") == 0;
    double *mine = calloc((size_t)count + 1, sizeof *mine);
    for (int64_t i = 0; i < count; i++) {
        out.values[i] = number_at(salt, i);
        mine[i] = addend_of(out.values[i], salt, i, dt_world_rank(world),
                            dt_world_size(world));
    }
    dt_array *array =
        array_of(world, dtype, shape, partial ? mine : out.values);
    out.tensor = partial ? dt_from_local(mesh, layout, array)
                         : dt_distribute(mesh, layout, dtype, shape, array,
                                         DT_EVERYWHERE);
    CHECKF(out.tensor != NULL, "%s", dt_world_error(world)->message);
    dt_array_release(array);
    free(mine);
    return out;
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
    char letters[MOST_OPERANDS + 1][DT_MAX_NDIM + 1];
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

/* Check the elements of a tensor, wherever they lie. */
static inline bool check_values(dt_tensor *tensor, dt_shape shape,
                                const double *values, const char *what)
{
    if (!CHECKF(tensor != NULL, "%s failed", what))
        return false;
    dt_world *world = dt_tensor_world(tensor);
    char layout[64] = "";
    for (int i = 0; i < dt_mesh_ndim(dt_tensor_mesh(tensor)); i++)
        strcat(layout, "R");
    dt_tensor *whole = dt_redistribute(tensor, layout);
    dt_array *wide = NULL;
    if (!CHECKF(whole != NULL, "%s: %s", what, dt_world_error(world)->message))
        return false;
    CHECK_OK(world,
             dt_array_cast(world, dt_tensor_local(whole), DT_F64, &wide));
    bool right = CHECKF(dt_shape_equal(dt_tensor_shape(tensor), shape),
                        "%s has another shape", what);
    const double *found = dt_array_const_data(wide);
    for (int64_t i = 0; right && i < dt_shape_count(shape); i++)
        right = CHECKF(found[i] == values[i], "%s: element %lld is %g, not %g",
                       what, (long long)i, found[i], values[i]);
    dt_array_release(wide);
    return right;
}

/* Check a result of operands by the equation that says what it is. */
static inline bool check_sum(dt_tensor *tensor, const char *equation,
                             const known *operands, const char *what)
{
    dt_shape shape;
    double *values = sum_terms(equation, operands, &shape);
    const bool right = check_values(tensor, shape, values, what);
    free(values);
    return right;
}

/* ---- One mesh dimension -------------------------------------------------- */

typedef struct line {
    dt_world *world;
    dt_mesh *mesh;
    dt_scope *scope;
    int64_t n; /* ranks */
} line;

static inline line open_line(dt_world *world)
{
    line at = {.world = world, .n = dt_world_size(world)};
    CHECK_OK(world, dt_mesh_create(world, "x", &at.mesh));
    at.scope = dt_scope_open(world);
    return at;
}

static inline void close_line(line *at)
{
    CHECK_OK(at->world, dt_scope_close(at->scope));
    dt_mesh_release(at->mesh);
}

static inline known f32(const line *at, const char *layout, dt_shape shape,
                        int salt)
{
    return make(at->mesh, layout, DT_F32, shape, salt);
}

/* Check the layout of a result; on one rank there is but one. */
static inline void check_layout(const line *at, const dt_tensor *tensor,
                                const char *layout)
{
    char text[64];
    if (!CHECKF(tensor != NULL, "%s", dt_world_error(at->world)->message) ||
        at->n == 1)
        return;
    dt_layout_format(dt_tensor_layout(tensor), text, sizeof text);
    CHECK_TEXT(text, layout);
}

/* Check what was sent since the counters were cleared: so many calls of a kind,
 * and none of another. */
static inline void check_sent(const line *at, dt_collective kind, int calls)
{
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++) {
        const dt_collective one = (dt_collective)i;
        const long long wanted = at->n > 1 && one == kind ? calls : 0;
        CHECKF((long long)dt_trace_count(at->world, one).calls == wanted,
               "%llu calls of %s, not %lld",
               (unsigned long long)dt_trace_count(at->world, one).calls,
               dt_collective_name(one), wanted);
    }
}

static inline void check_silent(const line *at)
{
    check_sent(at, DT_BARRIER, 0);
}

/* ---- What is refused ----------------------------------------------------- */

static inline void check_refused(line *at, dt_tensor *result, dt_status code,
                                 const char *text)
{
    const dt_error *error = dt_world_error(at->world);
    CHECK(result == NULL);
    CHECKF(error->code == code && strstr(error->message, text),
           "\"%s\" does not say \"%s\"", error->message, text);
    DT_IGNORE(dt_scope_close(at->scope));
    at->scope = dt_scope_open(at->world);
    dt_check_forget(at->world);
}

#endif
