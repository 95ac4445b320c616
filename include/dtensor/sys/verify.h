/* dtensor/sys/verify.h - checking the operators and rules of a program. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_VERIFY_H
#define DTENSOR_SYS_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/sys/op.h>

DT_EXTERN_C_BEGIN

/*
 * Samples: the calls that an operator is tried with, `samples` of its row.
 *
 * Calls are separated by ";".  A call is a list of arguments in parentheses, in
 * the order of the schema; options follow with their names:
 *
 *     (T[m,k], T[k,n]); (T[5,n], [0,-1], keepdim=true)
 *
 * - Tensor: a dtype and extents, "f32[4,n]", "T[]"; T is each of the row's
 *   `dtypes` in turn.  "i64[m]<n" has integers from 0 below n, "T[m]>0"
 *   positive elements, "T[m]>0<1" floats between; "T[m]~" is always finite.
 * - Tensor?, Dtype?, Generator?: the same, or None; a generator is always None
 *   here, and one is passed.
 * - Tensor[], Tensor?[]: "[T[m,n], T[m,3]]", at least one; "[None, i64[m]<5]".
 * - int, Dim: a size.
 * - int[], Dims, Shape: sizes in brackets, "[m*3,-1]", "[]".
 * - Number: a size, a number with a point, true or false; Number[]: "[2,0.5]".
 * - float: "0.5", "2", "inf", "-inf".  bool: true or false.
 * - Dtype: a dtype or T.  Text: in quotes, "mn,nk->mk".
 * - Reduction, Rounding, Approximate: the name of a value, mean, floor, tanh.
 *
 * A size is a number, a small letter or a product, "7", "m", "m*3", "m*n"; one
 * that is no extent may begin with "-".  Each letter is tried with sizes that
 * the ranks divide, that they do not divide, less than the ranks, 1 and 0, and
 * has the same value in all of a call.  A number stays as it is: let a
 * dimension that the rule is about be a letter in one sample at least.  A
 * tensor has at most 6000 elements; letters are up to 16.
 */

/* Options of dt_op_verify.  Start from DT_VERIFY_OPTIONS_INIT. */
typedef struct dt_verify_options {
    size_t size; /* sizeof(dt_verify_options) */
    /* Try all layouts, sizes and dtypes, also on 2x3 and 2x2x2 ranks, instead
     * of some of them on 2, 3, 4 and 2x2 ranks.  Takes ten to a hundred times
     * as long. */
    bool full;
    /* Fail with DT_ERR_NOT_FOUND if rules are missing; otherwise they are only
     * reported. */
    bool fail_missing;
    uint64_t seed; /* selects the sizes, dtypes and layouts that are tried */
    /* Layouts that rules leave out on purpose, which are not reported as
     * missing: lines such as "flip: S(0) -> S(0): too slow", where a placement
     * may be "*" for any.  May be NULL. */
    const char *explained;
    /* Receives the report line by line, without line ends; called by the thread
     * that calls dt_op_verify.  May be NULL. */
    void (*report)(void *arg, const char *line);
    void *arg; /* passed to report */
} dt_verify_options;

#define DT_VERIFY_OPTIONS_INIT                                                 \
    {                                                                          \
        sizeof(dt_verify_options), 0, 0, 0, 0, 0, 0                            \
    }

/*
 * Verify an operator, or with a NULL name every row and rule that this world
 * was given with dt_op_register and dt_op_set_rule, against one rank.
 *
 * Not collective: one rank is enough.  The calls are made in worlds of thread
 * ranks that this function opens, with copies of the rows and rules; the
 * caller's world is only read.  So kernels must be thread-safe.  `options` may
 * be NULL.
 *
 * The samples of each row are called with inputs in many layouts, and every
 * layout that its rule allows is tried by itself.  DT_ERR_INVALID if a result
 * differs from that of one rank, or if a row has no valid samples; the message
 * has the call, its shapes and layouts and the first element that differs.
 * Layouts in which the operator would need no communication, but which its rule
 * does not allow, are reported as missing.
 *
 * A rule can only be as right as its samples show.  An error of the kernel that
 * also occurs on one rank is not found.
 */
DT_API DT_MUST_USE dt_status dt_op_verify(dt_world *world, const char *name,
                                          const dt_verify_options *options);

DT_EXTERN_C_END

#endif
