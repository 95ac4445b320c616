/* tests/support/mistakes.h - collectives that one rank gets wrong. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_MISTAKES_H
#define DT_TESTS_MISTAKES_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtensor.h>

#include "support/ones.h"

/* A call that one rank gets wrong, and how a message shows both. */
typedef struct mistake {
    const char *name;
    dt_status (*call)(dt_group *group, bool wrong);
    const char *right; /* what the others called */
    const char *wrong; /* what the rank called that got it wrong */
} mistake;

static inline dt_status reduce(dt_group *group, dt_reduce op, dt_dtype dtype,
                               int64_t count)
{
    dt_array *array = ones(dt_group_world(group), dtype, count);
    dt_status status = dt_group_all_reduce(group, op, array, array);
    dt_array_release(array);
    return status;
}

static inline dt_status a_barrier(dt_group *group, bool wrong)
{
    return wrong ? dt_group_barrier(group) : reduce(group, DT_MAX, DT_I8, 5000);
}

static inline dt_status another_count(dt_group *group, bool wrong)
{
    return reduce(group, DT_SUM, DT_F32, wrong ? 5 : 4);
}

static inline dt_status another_dtype(dt_group *group, bool wrong)
{
    return reduce(group, DT_SUM, wrong ? DT_I32 : DT_F32, 4);
}

static inline dt_status another_operation(dt_group *group, bool wrong)
{
    return reduce(group, wrong ? DT_MAX : DT_SUM, DT_F32, 30000);
}

static inline dt_status another_root(dt_group *group, bool wrong)
{
    dt_array *array = ones(dt_group_world(group), DT_F64, 7);
    dt_status status = dt_group_broadcast(group, wrong ? 0 : 1, array);
    dt_array_release(array);
    return status;
}

/* Those that every transport tells all ranks of. */
static const mistake common_mistakes[] = {
    {"a barrier", a_barrier, "called all-reduce(max) of 5000 i8",
     "called barrier"},
    {"another count", another_count, "called all-reduce(sum) of 4 f32",
     "called all-reduce(sum) of 5 f32"},
    {"another dtype", another_dtype, "called all-reduce(sum) of 4 f32",
     "called all-reduce(sum) of 4 i32"},
    {"another operation", another_operation,
     "called all-reduce(sum) of 30000 f32",
     "called all-reduce(max) of 30000 f32"},
    {"another root", another_root, "called broadcast of 7 f64 with root 1",
     "called broadcast of 7 f64 with root 0"},
};
enum { COMMON_MISTAKES = sizeof common_mistakes / sizeof *common_mistakes };

#endif
