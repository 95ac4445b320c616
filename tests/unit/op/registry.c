/* tests/unit/op/registry.c - the operators of a world, by their numbers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <dtensor/sys/op.h>

#include "op/registry.h"
#include "support/check.h"

static dt_status no_meta(dt_operation *operation)
{
    return dt_operation_add_result(operation, operation->metas[0]);
}

static dt_status no_kernel(dt_operation *operation)
{
    (void)operation;
    return DT_OK;
}

static const dt_op added = {
    .schema = "tests_added(Tensor self) -> Tensor",
    .meta = no_meta,
    .kernel = no_kernel,
};

static int count_rows(dt_world *world)
{
    int count = 0;
    while (dt_op_at(world, count))
        count++;
    return count;
}

static void numbers_the_rows_of_the_library(dt_world *world)
{
    int count = count_rows(world);
    CHECK_INT(count, dti_op_name_count);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(dti_op_names[i]);
        const dt_op *op = dt_op_at(world, i);
        CHECKF(strncmp(op->schema, dti_op_names[i], length) == 0 &&
                   op->schema[length] == '(',
               "number %d is %s", i, op->schema);
    }
    CHECK(!dt_op_at(world, -1));
    CHECK(!dt_op_at(world, count + 1));
}

static void numbers_added_rows_last(dt_world *world)
{
    int count = count_rows(world);
    CHECK_OK(world, dt_op_register(world, &added));
    CHECK(dt_op_at(world, count) == &added);
    CHECK_INT(count_rows(world), count + 1);
}

const dt_test dt_tests[] = {
    {"numbers the rows of the library", numbers_the_rows_of_the_library},
    {"numbers added rows last", numbers_added_rows_last},
    {NULL, NULL},
};
