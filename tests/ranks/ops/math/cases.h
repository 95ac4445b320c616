/* tests/ranks/ops/math/cases.h - tables of calls of one tensor, or two, that
 * work element by element. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_OPS_MATH_CASES_H
#define DT_TESTS_OPS_MATH_CASES_H

#include <math.h>

#include "support/tensors.h"

/* Check the elements of a tensor against a function of those of operands 1 and
 * 2, of the same shape. */
static inline void check_elements(dt_tensor *tensor,
                                  double (*expected)(double, double))
{
    double found[ELEMENTS_MAX];
    if (!read_tensor(tensor, found))
        return;
    for (int64_t i = 0; i < dt_tensor_count(tensor); i++) {
        const double wanted = expected(operand_at(1, i), operand_at(2, i));
        if (!CHECKF(fabs(found[i] - wanted) <= 2e-6 * fabs(wanted),
                    "element %lld is %.9g, not %.9g", (long long)i, found[i],
                    wanted))
            return;
    }
}

/* Check that a result has a layout and took no communication; that it took
 * some, if there is no layout. */
static inline void check_result(const fixture *f, const dt_tensor *out,
                                const char *layout)
{
    if (!layout) {
        check_sent(f);
        return;
    }
    check_silent(f);
    check_layout(out, layout);
}

typedef struct pair_case {
    dt_tensor *(*op)(dt_tensor *, dt_tensor *);
    double (*expected)(double, double);
    const char *self, *other;
    const char *layout; /* of the result; NULL: it takes communication */
    dt_dtype dtype;
} pair_case;

static inline void check_pair(dt_world *world, const pair_case *of)
{
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(2 * f.ranks + 1, 3);
    dt_tensor *self = make_operand(&f, of->self, of->dtype, shape, 1);
    dt_tensor *other = make_operand(&f, of->other, of->dtype, shape, 2);
    dt_tensor *out = of->op(self, other);
    check_result(&f, out, of->layout);
    check_elements(out, of->expected);
    close_fixture(&f);
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
    const char *layout; /* of the result; NULL: it takes communication */
    dt_dtype dtype;
} single_case;

static inline void check_single(dt_world *world, const single_case *of)
{
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(3, f.ranks - 1, 4);
    dt_tensor *self =
        make_operand(&f, of->self, of->dtype, DT_SHAPE(2 * f.ranks + 1, 3), 1);
    dt_tensor *out = of->op(self);
    check_result(&f, out, of->layout);
    check_elements(out, of->expected);
    /* Fewer indexes than ranks, none on one rank. */
    out = of->op(make_operand(&f,
                              strcmp(of->self, "S(0)") == 0 ? "S(1)" : of->self,
                              of->dtype, shape, 1));
    check_elements(out, of->expected);
    close_fixture(&f);
}

#define CHECK_SINGLES(world, cases)                                            \
    do {                                                                       \
        for (size_t i_ = 0; i_ < COUNT_OF(cases); i_++)                        \
            check_single(world, &(cases)[i_]);                                 \
    } while (0)

#endif
