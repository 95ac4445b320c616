/* tests/ranks/ops/elements.h - tensors of small numbers, for operators that
 * work element by element. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_OPS_ELEMENTS_H
#define DT_TESTS_OPS_ELEMENTS_H

#include <math.h>

#include "ranks/ops/moves.h"

/* ---- Tensors whose values are known -------------------------------------- */

/* Element i of the tensor with a salt: small whole numbers, never 0. */
static inline double value_at(int salt, int64_t i)
{
    const int64_t number = (i * 7 + salt * 5) % 11 - 5;
    return (double)(number ? number : 6);
}

/* What a rank holds of it: parts that are all different and combine to it. */
static inline double part_at(double value, const char *layout, int rank,
                             int ranks, int64_t i)
{
    const bool here = i % ranks == rank;
    if (strcmp(layout, "P(max)") == 0)
        return here ? value : value - 1 - rank;
    if (strcmp(layout, "P(min)") == 0)
        return here ? value : value + 1 + rank;
    if (strcmp(layout, "P(avg)") == 0)
        return value + 2 * rank - (ranks - 1);
    return rank == 0 ? value - ranks * (ranks - 1) / 2.0 : (double)rank;
}

static inline dt_array *array_of(dt_world *world, dt_dtype dtype,
                                 dt_shape shape, const double *values)
{
    dt_array *wide = new_array(world, DT_F64, shape), *array = NULL;
    if (dt_array_count(wide) > 0)
        memcpy(dt_array_data(wide), values, dt_array_bytes(wide));
    CHECK_OK(world, dt_array_cast(world, wide, dtype, &array));
    dt_array_release(wide);
    return array;
}

enum { MOST = 400 };

/* A tensor of one layout on a mesh of one dimension; the scope's. */
static inline dt_tensor *make_tensor(line *at, const char *layout,
                                     dt_dtype dtype, dt_shape shape, int salt)
{
    double values[MOST];
    const bool partial = layout[0] == 'P';
    const int rank = dt_world_rank(at->world);
    for (int64_t i = 0; i < dt_shape_count(shape); i++) {
        values[i] = value_at(salt, i);
        if (partial)
            values[i] = part_at(values[i], layout, rank, (int)at->ranks, i);
    }
    dt_array *array = array_of(at->world, dtype, shape, values);
    dt_tensor *tensor = partial ? dt_from_local(at->mesh, layout, array)
                                : dt_distribute(at->mesh, layout, dtype, shape,
                                                array, DT_EVERYWHERE);
    CHECKF(tensor != NULL, "%s", dt_world_error(at->world)->message);
    dt_array_release(array);
    at->calls = calls_so_far(at->world);
    return tensor;
}

/* The elements of a whole tensor as doubles. */
static inline bool read_tensor(dt_tensor *tensor, double *values)
{
    if (!CHECK(tensor != NULL))
        return false;
    dt_world *world = dt_tensor_world(tensor);
    dt_array *whole = read_whole(tensor), *wide = NULL;
    CHECK_OK(world, dt_array_cast(world, whole, DT_F64, &wide));
    if (dt_array_count(wide) > 0)
        memcpy(values, dt_array_const_data(wide), dt_array_bytes(wide));
    dt_array_release(whole);
    dt_array_release(wide);
    return true;
}

/* Check the elements of a tensor of one shape against a function of those of
 * two tensors of that shape. */
static inline void check_values(dt_tensor *tensor,
                                double (*expected)(double, double))
{
    double found[MOST];
    if (!read_tensor(tensor, found))
        return;
    for (int64_t i = 0; i < dt_tensor_count(tensor); i++) {
        const double wanted = expected(value_at(1, i), value_at(2, i));
        if (!CHECKF(fabs(found[i] - wanted) <= 2e-6 * fabs(wanted),
                    "element %lld is %.9g, not %.9g", (long long)i, found[i],
                    wanted))
            return;
    }
}

/* ---- Calls of one tensor, or two ------------------------------------------
 */

typedef struct pair_case {
    dt_tensor *(*op)(dt_tensor *, dt_tensor *);
    double (*expected)(double, double);
    const char *self, *other;
    const char *gives; /* NULL: something must be sent */
    dt_dtype dtype;
} pair_case;

static inline void check_pair(dt_world *world, const pair_case *of)
{
    line at = open_line(world);
    const dt_shape shape = DT_SHAPE(2 * at.ranks + 1, 3);
    dt_tensor *self = make_tensor(&at, of->self, of->dtype, shape, 1);
    dt_tensor *other = make_tensor(&at, of->other, of->dtype, shape, 2);
    dt_tensor *out = of->op(self, other);
    if (of->gives) {
        check_silent(&at);
        check_layout(out, of->gives);
    } else {
        check_sent(&at);
    }
    check_values(out, of->expected);
    close_line(&at);
}

#define CHECK_PAIRS(world, cases)                                              \
    do {                                                                       \
        for (size_t i_ = 0; i_ < COUNT_OF(cases); i_++)                        \
            check_pair(world, &(cases)[i_]);                                   \
    } while (0)

typedef struct single_case {
    dt_tensor *(*op)(dt_tensor *);
    double (*expected)(double, double);
    const char *self;
    const char *gives; /* NULL: something must be sent */
    dt_dtype dtype;
} single_case;

static inline void check_single(dt_world *world, const single_case *of)
{
    line at = open_line(world);
    const dt_shape shape = DT_SHAPE(3, at.ranks - 1, 4);
    dt_tensor *self =
        make_tensor(&at, of->self, of->dtype, DT_SHAPE(2 * at.ranks + 1, 3), 1);
    dt_tensor *out = of->op(self);
    if (of->gives) {
        check_silent(&at);
        check_layout(out, of->gives);
    } else {
        check_sent(&at);
    }
    check_values(out, of->expected);
    /* Fewer indexes than ranks, none on one rank. */
    out = of->op(make_tensor(&at,
                             strcmp(of->self, "S(0)") == 0 ? "S(1)" : of->self,
                             of->dtype, shape, 1));
    check_values(out, of->expected);
    close_line(&at);
}

#define CHECK_SINGLES(world, cases)                                            \
    do {                                                                       \
        for (size_t i_ = 0; i_ < COUNT_OF(cases); i_++)                        \
            check_single(world, &(cases)[i_]);                                 \
    } while (0)

#endif
