/* tests/unit/verify/verify.c - verifying rows and rules of a program. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/verify.h>

#include <stdio.h>
#include <string.h>

#include "support/check.h"

/* ---- Rows ---------------------------------------------------------------- */

/* Each element of a f64 tensor doubled. */
static dt_status twice_kernel(dt_operation *operation)
{
    dt_array *dense = NULL;
    DT_TRY(dt_array_clone(operation->world, operation->in[0], &dense));
    const double *from = dt_array_const_data(dense);
    double *to = dt_array_data(operation->out[0]);
    for (int64_t i = 0; i < dt_array_count(operation->out[0]); i++)
        to[i] = 2 * from[i];
    dt_array_release(dense);
    return DT_OK;
}

static dt_status same_meta(dt_operation *operation)
{
    return dt_operation_add_result(operation, operation->metas[0]);
}

/* Another shape on each rank. */
static dt_status ranked_meta(dt_operation *operation)
{
    const dt_meta other =
        dt_meta_of(DT_F64, DT_SHAPE(2 + dt_world_rank(operation->world), 1));
    return dt_operation_add_result(operation, &other);
}

static dt_status failing_kernel(dt_operation *operation)
{
    return dt_operation_fail(operation, DT_ERR_UNSUPPORTED, "on purpose");
}

/* Fails on one rank of several. */
static dt_status lame_kernel(dt_operation *operation)
{
    if (dt_world_rank(operation->world) == 1 &&
        dt_mesh_size(dt_spec_mesh(operation->in_specs[0])) > 1)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED, "on rank 1");
    return twice_kernel(operation);
}

static dt_status lazy_kernel(dt_operation *operation)
{
    (void)operation;
    return DT_OK;
}

static dt_op twice(void)
{
    dt_op row = DT_OP_INIT;
    row.schema = "twice(Tensor self) -> Tensor";
    row.rule = "...->...";
    row.linear = "self";
    row.monotone = "self";
    row.meta = same_meta;
    row.kernel = twice_kernel;
    row.samples = "(T[m,n])";
    row.dtypes = "f64";
    return row;
}

/* ---- Verifying ----------------------------------------------------------- */

typedef struct lines {
    int wrong;
    int missing;
    char text[16384];
} lines;

static void add_line(void *arg, const char *line)
{
    lines *to = arg;
    size_t length = strlen(to->text);
    to->wrong += strncmp(line, "wrong ", 6) == 0;
    to->missing += strncmp(line, "missing ", 8) == 0;
    snprintf(to->text + length, sizeof to->text - length, "%s\n", line);
}

static dt_status verify(dt_world *world, const char *name, lines *out)
{
    dt_verify_options options = DT_VERIFY_OPTIONS_INIT;
    *out = (lines){.text = ""};
    options.report = add_line;
    options.arg = out;
    return dt_op_verify(world, name, &options);
}

/* Register a row that is wrong, and expect a message and lines. */
static void expect_wrong(dt_world *world, const dt_op *row, const char *message)
{
    static const char *const expected = "dt_op_verify: wrong: ";
    lines found;
    CHECK_OK(world, dt_op_register(world, row));
    CHECK_INT(verify(world, NULL, &found), DT_ERR_INVALID);
    const char *said = dt_world_error(world)->message;
    CHECKF(strncmp(said, expected, strlen(expected)) == 0 &&
               strstr(said, message),
           "\"%s\" is not in \"%s\"", message, said);
    CHECK(found.wrong > 0);
}

/* ---- Tests --------------------------------------------------------------- */

static void finds_a_wrong_rule(dt_world *world)
{
    lines found;
    CHECK_OK(world, dt_op_set_rule(world, "flip", "...->..."));
    CHECK_INT(verify(world, NULL, &found), DT_ERR_INVALID);
    const char *said = dt_world_error(world)->message;
    CHECKF(strstr(said, "wrong: flip(T[m,n], [0]) with T=f64") &&
               strstr(said, "f64[3, 5]") && strstr(said, "element [0, 0] is "),
           "%s", said);
    CHECK_INT(found.wrong, 5);
    CHECK(strstr(found.text, "candidate S(0) -> S(0)"));
    CHECK_OK(world, dt_op_set_rule(world, "flip", "...->...; dims whole"));
    CHECK_OK(world, verify(world, NULL, &found));
    CHECK_INT(found.wrong, 0);
}

static void accepts_a_right_row(dt_world *world)
{
    const dt_op row = twice();
    lines found;
    CHECK_OK(world, dt_op_register(world, &row));
    CHECK_OK(world, verify(world, "twice", &found));
    CHECK_INT(found.wrong + found.missing, 0);
    CHECK(strncmp(found.text, "twice ", 6) == 0);
    CHECK_OK(world, dt_op_verify(world, NULL, NULL));
    /* One of the library, which nobody changed. */
    CHECK_OK(world, dt_op_verify(world, "softmax", NULL));
}

static void finds_a_missing_rule(dt_world *world)
{
    dt_verify_options options = DT_VERIFY_OPTIONS_INIT;
    dt_op row = twice();
    lines found;
    row.rule = "mn->mn; n whole";
    CHECK_OK(world, dt_op_register(world, &row));
    CHECK_OK(world, verify(world, NULL, &found));
    CHECK_INT(found.missing, 1);
    CHECKF(strstr(found.text, "missing  twice: S(1) -> S(1): "), "%s",
           found.text);
    options.fail_missing = true;
    CHECK_FAILS(world, dt_op_verify(world, NULL, &options), DT_ERR_NOT_FOUND,
                "dt_op_verify: the rule of twice does not allow 1 layouts that "
                "need no communication");
    options.explained = "# why\ntwice: S(1) -> S(1): on purpose\n";
    CHECK_OK(world, dt_op_verify(world, NULL, &options));
    options.explained = "twice\n";
    CHECK_FAILS(world, dt_op_verify(world, NULL, &options), DT_ERR_INVALID,
                "dt_op_verify: line 1 of `explained` is not \"operator: "
                "placements: reason\"");
}

static void leaves_the_world_alone(dt_world *world)
{
    dt_op row = twice();
    lines found;
    CHECK_OK(world, verify(world, NULL, &found));
    CHECK_TEXT(found.text, "this world was given no operators or rules\n");
    CHECK_OK(world, dt_op_register(world, &row));
    row.schema = "thrice(Tensor self) -> Tensor";
    CHECK_OK(world, dt_op_register(world, &row));
    CHECK_OK(world, verify(world, NULL, &found));
    CHECK(strstr(found.text, "twice ") && strstr(found.text, "thrice "));
    CHECK_FAILS(world, dt_op_verify(world, "no_such", NULL), DT_ERR_NOT_FOUND,
                "no operator is named no_such");
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
}

/* Rows that are wrong in ways that could end or stall a program.  Each is the
 * only one of its world. */
static void finds_a_failing_kernel(dt_world *world)
{
    dt_op row = twice();
    row.kernel = failing_kernel;
    expect_wrong(world, &row, "twice: on purpose");
}

static void finds_a_kernel_that_fails_on_one_rank(dt_world *world)
{
    dt_op row = twice();
    row.kernel = lame_kernel;
    expect_wrong(world, &row, "twice: on rank 1");
}

static void finds_a_view_without_a_result(dt_world *world)
{
    dt_op row = twice();
    row.flags = DT_OP_VIEW;
    row.kernel = lazy_kernel;
    expect_wrong(world, &row, "twice: the kernel did not set result 0");
}

static void finds_shapes_that_differ(dt_world *world)
{
    dt_op row = twice();
    row.meta = ranked_meta;
    row.kernel = lazy_kernel;
    expect_wrong(world, &row, "ranks that make this call alone");
}

static void asks_for_samples(dt_world *world)
{
    dt_op row = twice();
    row.schema = "twice(Tensor self, Dim dim, *, bool flag=false) -> Tensor";
    row.samples = NULL;
    expect_wrong(world, &row,
                 "twice: the row has no samples; add for example .samples = "
                 "\"(T[m,n], 0)\"");
}

static void finds_malformed_samples(dt_world *world)
{
    dt_op row = twice();
    row.samples = "(T[m,n]";
    expect_wrong(world, &row, "twice: a comma or \")\" is missing");
    row.schema = "large(Tensor self) -> Tensor";
    row.samples = "(T[m*m*m*n*n*n,1000000,k*k*k*999999])";
    CHECK_OK(world, dt_op_register(world, &row));
    CHECK_INT(dt_op_verify(world, "large", NULL), DT_ERR_INVALID);
    row.schema = "never(Tensor self) -> Tensor";
    row.samples = "(T[m,n])";
    row.meta = failing_kernel;
    CHECK_OK(world, dt_op_register(world, &row));
    CHECK_FAILS(world, dt_op_verify(world, "never", NULL), DT_ERR_INVALID,
                "never: on purpose");
    row.meta = same_meta;
    row.schema = "strange(Tensor self) -> Tensor";
    row.samples = "(T[m,n])";
    row.dtypes = "f64 f63";
    CHECK_OK(world, dt_op_register(world, &row));
    CHECK_FAILS(world, dt_op_verify(world, "strange", NULL), DT_ERR_INVALID,
                "dt_op_verify: wrong: strange: unknown dtype in .dtypes = "
                "\"f64 f63\"");
}

const dt_test dt_tests[] = {
    {"finds a wrong rule", finds_a_wrong_rule},
    {"accepts a right row", accepts_a_right_row},
    {"finds a missing rule", finds_a_missing_rule},
    {"leaves the caller's world alone", leaves_the_world_alone},
    {"finds a kernel that fails", finds_a_failing_kernel},
    {"finds a kernel that fails on one rank",
     finds_a_kernel_that_fails_on_one_rank},
    {"finds a view without a result", finds_a_view_without_a_result},
    {"finds shapes that differ among ranks", finds_shapes_that_differ},
    {"asks for samples", asks_for_samples},
    {"finds malformed samples", finds_malformed_samples},
    {NULL, NULL},
};
