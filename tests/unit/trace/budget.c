/* tests/unit/trace/budget.c - limits: read, held, refused. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/budget.h"

#include <stdint.h>

#include "support/check.h"
#include "trace/trace.h"

static dt_scope *open_with(dt_world *world, const char *budget)
{
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.budget = budget;
    return dt_scope_open_with(world, &options);
}

static bool open_trace(dt_world *world)
{
    dt_error error;
    return CHECK_ERROR(&error, dti_trace_open(world, &error), DT_OK, NULL);
}

/* What opening a scope with a budget gives. */
static dt_status status_of(dt_world *world, const char *budget)
{
    dt_scope *scope = open_with(world, budget);
    return scope ? dt_scope_close(scope) : dt_world_error(world)->code;
}

static void refuses_texts(dt_world *world)
{
    static const struct {
        const char *text;
        const char *sentence;
    } bad[] = {
        {"", "\"\": expected what is limited"},
        {"  ", "at the end"},
        {"all_reduce", "expected \"<=\" at the end"},
        {"all_reduce<1", "expected \"<=\" before \"<1\""},
        {"all_reduce=1", "expected \"<=\" before \"=1\""},
        {"all-reduce<=1", "what is limited"},
        {"all_reduces<=1", "what is limited"},
        {"all<=1", "what is limited"},
        {"ALL_REDUCE<=1", "what is limited"},
        {"invalid<=1", "what is limited"},
        {"bytes<=", "expected a number at the end"},
        {"bytes<=-1", "expected a number before \"-1\""},
        {"bytes<=x", "expected a number before \"x\""},
        {"bytes<=4M", "expected a comma before \"M\""},
        {"bytes<=4MiB", "expected a comma before \"B\""},
        {"bytes<=4Mi calls<=1", "expected a comma before \"calls<=1\""},
        {"bytes<=4,", "what is limited"},
        {",bytes<=4", "what is limited"},
        {"bytes<=4,,calls<=1", "what is limited"},
        {"bytes<=4, bytes<=5", "bytes is limited twice"},
        {"bytes<=9223372036854775808", "exceeds 9223372036854775807"},
        {"bytes<=9007199254740992Ki", "exceed 63 bits"},
        {"bytes<=8589934592Gi", "exceed 63 bits"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const dt_scope *outer = world->scope;
        CHECK_FAILS(world, status_of(world, bad[i].text), DT_ERR_INVALID,
                    bad[i].sentence);
        CHECK(world->scope == outer);
    }
}

static void holds_its_limits(dt_world *world)
{
    if (!open_trace(world))
        return;
    dt_scope *scope =
        open_with(world, " all_reduce <= 2 ,bytes<=1Ki,\tcalls<=4");
    if (!CHECK(scope != NULL))
        return;
    CHECK(dti_budget_holds(world));
    CHECK_OK(world, dti_budget_spend(world, DT_ALL_REDUCE, 1000, NULL));
    CHECK_FAILS(world, dti_budget_spend(world, DT_ALL_REDUCE, 25, NULL),
                DT_ERR_INVALID, "allows bytes<=1024; 1000 were received");
    /* What was refused is not counted. */
    CHECK_OK(world, dti_budget_spend(world, DT_ALL_REDUCE, 24, NULL));
    CHECK_FAILS(world, dti_budget_spend(world, DT_ALL_REDUCE, 0, NULL),
                DT_ERR_INVALID, "allows all_reduce<=2; 2 were made before");
    CHECK_FAILS(world, dti_budget_spend(world, DT_SEND, 1, NULL),
                DT_ERR_INVALID, "bytes");
    CHECK_OK(world, dti_budget_spend(world, DT_SEND, 0, NULL));
    CHECK_OK(world, dti_budget_spend(world, DT_BARRIER, 0, NULL));
    CHECK_FAILS(world, dti_budget_spend(world, DT_BARRIER, 0, NULL),
                DT_ERR_INVALID, "allows calls<=4; 4 were made before");
    DT_IGNORE(dt_scope_close(scope));
    CHECK(!dti_budget_holds(world));
}

static void holds_outside_and_inside(dt_world *world)
{
    if (!open_trace(world))
        return;
    dt_scope *outer = open_with(world, "gather<=2");
    dt_scope *plain = dt_scope_open(world);
    CHECK_OK(world, dti_budget_spend(world, DT_GATHER, 0, NULL));
    dt_scope *inner = open_with(world, "bytes<=8, gather<=5");
    CHECK_FAILS(world, dti_budget_spend(world, DT_GATHER, 9, NULL),
                DT_ERR_INVALID, "bytes<=8");
    CHECK_OK(world, dti_budget_spend(world, DT_GATHER, 8, NULL));
    CHECK_FAILS(world, dti_budget_spend(world, DT_GATHER, 0, NULL),
                DT_ERR_INVALID, "the budget \"gather<=2\" of the scope");
    DT_IGNORE(dt_scope_close(inner));
    /* The inner limit is gone, the outer one is not. */
    CHECK_OK(world, dti_budget_spend(world, DT_SEND, 9, NULL));
    CHECK_FAILS(world, dti_budget_spend(world, DT_GATHER, 0, NULL),
                DT_ERR_INVALID, "gather<=2; 2 were made");
    DT_IGNORE(dt_scope_close(plain));
    DT_IGNORE(dt_scope_close(outer));
    CHECK(!dti_budget_holds(world));
}

static void names_who_asked(dt_world *world)
{
    if (!open_trace(world))
        return;
    dt_scope *scope = open_with(world, "all_to_all<=0");
    CHECK_FAILS(world, dti_budget_spend(world, DT_ALL_TO_ALL, 4, NULL),
                DT_ERR_INVALID, "all-to-all: the budget");
    dti_trace_op_begin(world, "softmax");
    CHECK_FAILS(world, dti_budget_spend(world, DT_ALL_TO_ALL, 4, NULL),
                DT_ERR_INVALID, "all-to-all in softmax: the budget");
    CHECK_FAILS(
        world, dti_budget_spend(world, DT_ALL_TO_ALL, 4, "S(0) -> S(1)"),
        DT_ERR_INVALID, "all-to-all for S(0) -> S(1) in softmax: the budget");
    dti_trace_op_end(world);
    DT_IGNORE(dt_scope_close(scope));
}

/* Sums that have no limit, or a very high one, do not overflow. */
static void counts_far(dt_world *world)
{
    if (!open_trace(world))
        return;
    dt_scope *scope = open_with(world, "bytes<=9223372036854775807, send<=9Gi");
    CHECK_OK(world, dti_budget_spend(world, DT_SEND, INT64_MAX - 1, NULL));
    CHECK_OK(world, dti_budget_spend(world, DT_SEND, 1, NULL));
    CHECK_FAILS(world, dti_budget_spend(world, DT_SEND, 1, NULL),
                DT_ERR_INVALID, "bytes<=9223372036854775807");
    CHECK_FAILS(world, dti_budget_spend(world, DT_SEND, SIZE_MAX, NULL),
                DT_ERR_INVALID, "bytes<=9223372036854775807");
    DT_IGNORE(dt_scope_close(scope));
    scope = open_with(world, "send<=9Gi");
    for (int i = 0; i < 3; i++)
        CHECK_OK(world, dti_budget_spend(world, DT_SEND, SIZE_MAX, NULL));
    DT_IGNORE(dt_scope_close(scope));
}

const dt_test dt_tests[] = {
    {"refuses texts", refuses_texts},
    {"holds its limits", holds_its_limits},
    {"holds outside and inside", holds_outside_and_inside},
    {"names who asked", names_who_asked},
    {"counts far", counts_far},
    {NULL, NULL},
};
