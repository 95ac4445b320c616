/* tests/unit/trace/operator.c - what each operator did. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/trace.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"

enum { MANY = 300, DEEP = 200 };

static bool open_trace(dt_world *world)
{
    dt_error error;
    return CHECK_ERROR(&error, dti_trace_open(world, &error), DT_OK, NULL);
}

static const dt_trace_operator *find(const dt_world *world, const char *name)
{
    size_t count;
    const dt_trace_operator *operators = dt_trace_operators(world, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(operators[i].name, name) == 0)
            return &operators[i];
    return NULL;
}

static void counts_for_the_innermost(dt_world *world)
{
    size_t count = 9;
    if (!open_trace(world))
        return;
    (void)dt_trace_operators(world, &count);
    CHECK_INT(count, 0);
    CHECK(dti_trace_operator(world) == NULL);
    dti_trace_call(world, DT_SEND, 1, 2);
    for (int i = 0; i < 3; i++) {
        dti_trace_op_begin(world, "outer");
        CHECK_TEXT(dti_trace_operator(world), "outer");
        dti_trace_call(world, DT_SEND, 10, 20);
        dti_trace_op_work(world, 5, 7);
        dti_trace_op_begin(world, "inner");
        dti_trace_call(world, DT_SEND, 100, 200);
        dti_trace_call(world, DT_GATHER, 1000, 2000);
        dti_trace_op_end(world);
        CHECK_TEXT(dti_trace_operator(world), "outer");
        dti_trace_call(world, DT_BARRIER, 0, 0);
        dti_trace_op_end(world);
    }
    CHECK(dti_trace_operator(world) == NULL);
    const dt_trace_operator *all = dt_trace_operators(world, &count);
    if (!CHECK_INT(count, 2))
        return;
    CHECK_TEXT(all[0].name, "outer");
    CHECK_INT(all[0].calls, 3);
    CHECK_INT(all[0].collectives[DT_SEND].calls, 3);
    CHECK_INT(all[0].collectives[DT_SEND].bytes_sent, 30);
    CHECK_INT(all[0].collectives[DT_SEND].bytes_received, 60);
    CHECK_INT(all[0].collectives[DT_BARRIER].calls, 3);
    CHECK_INT(all[0].collectives[DT_GATHER].calls, 0);
    CHECK(all[0].flops == 15 && all[0].bytes == 21);
    CHECK_TEXT(all[1].name, "inner");
    CHECK_INT(all[1].collectives[DT_SEND].bytes_received, 600);
    CHECK_INT(all[1].collectives[DT_GATHER].bytes_sent, 3000);
    CHECK(all[1].flops == 0);
    /* Outside and inside together. */
    CHECK_INT(dt_trace_count(world, DT_SEND).calls, 7);
    CHECK_INT(dt_trace_count(world, DT_SEND).bytes_sent, 331);
}

/* One operator, though its name lies at two addresses. */
static void compares_texts(dt_world *world)
{
    static const char one[] = "same", other[] = "same";
    size_t count = 0;
    if (!open_trace(world))
        return;
    for (int i = 0; i < 4; i++) {
        dti_trace_op_begin(world, i % 2 ? one : other);
        dti_trace_op_end(world);
    }
    const dt_trace_operator *all = dt_trace_operators(world, &count);
    CHECK_INT(count, 1);
    CHECK_INT(all[0].calls, 4);
}

/* A name may be gone when the operators are read: the room that has it closes
 * before this one. */
static void keeps_names(dt_world *world)
{
    char name[] = "matmul";
    dt_trace_event event = {.kind = DT_SEND};
    size_t count = 0;
    if (!open_trace(world))
        return;
    dti_trace_op_begin(world, name);
    dti_trace_keep(world, &event);
    dti_trace_op_end(world);
    memset(name, 'x', sizeof name - 1);
    CHECK_TEXT(dt_trace_operators(world, &count)->name, "matmul");
    CHECK_TEXT(dt_trace_events(world, &count)->operator_name, "matmul");
}

static void keeps_many(dt_world *world)
{
    static char names[MANY][16];
    size_t count = 0;
    if (!open_trace(world))
        return;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < MANY; i++) {
            snprintf(names[i], sizeof names[i], "op%d", i);
            dti_trace_op_begin(world, names[i]);
            dti_trace_call(world, DT_RECEIVE, 0, (size_t)i);
            dti_trace_op_end(world);
        }
    const dt_trace_operator *all = dt_trace_operators(world, &count);
    if (!CHECK_INT(count, MANY))
        return;
    for (int i = 0; i < MANY; i++)
        CHECK(strcmp(all[i].name, names[i]) == 0 && all[i].calls == 2 &&
              all[i].collectives[DT_RECEIVE].bytes_received == 2 * (size_t)i);
}

/* What lies too deep counts as the deepest that is told apart. */
static void survives_depth(dt_world *world)
{
    if (!open_trace(world))
        return;
    dti_trace_op_begin(world, "first");
    for (int i = 0; i < DEEP; i++)
        dti_trace_op_begin(world, "deep");
    dti_trace_call(world, DT_SEND, 1, 0);
    for (int i = 0; i < DEEP; i++)
        dti_trace_op_end(world);
    CHECK_TEXT(dti_trace_operator(world), "first");
    dti_trace_call(world, DT_SEND, 10, 0);
    dti_trace_op_end(world);
    CHECK(dti_trace_operator(world) == NULL);
    dti_trace_op_end(world); /* one too many does nothing */
    CHECK(dti_trace_operator(world) == NULL);
    CHECK_INT(find(world, "first")->collectives[DT_SEND].bytes_sent, 10);
    CHECK_INT(find(world, "deep")->collectives[DT_SEND].bytes_sent, 1);
}

static void clears_operators(dt_world *world)
{
    size_t count = 0;
    if (!open_trace(world))
        return;
    dti_trace_op_begin(world, "before");
    dti_trace_op_end(world);
    dti_trace_op_begin(world, "during");
    dti_trace_call(world, DT_SEND, 1, 1);
    dt_trace_clear(world);
    CHECK_TEXT(dti_trace_operator(world), "during");
    dti_trace_call(world, DT_SEND, 5, 5);
    dti_trace_op_end(world);
    CHECK_INT(find(world, "during")->collectives[DT_SEND].bytes_sent, 5);
    dt_trace_clear(world);
    (void)dt_trace_operators(world, &count);
    CHECK_INT(count, 0);
    dti_trace_op_begin(world, "during");
    dti_trace_op_end(world);
    CHECK_INT(find(world, "during")->calls, 1);
}

static void names_the_operator_of_events(dt_world *world)
{
    dt_trace_event event = {.kind = DT_SEND};
    size_t count = 0;
    if (!open_trace(world))
        return;
    CHECK_INT(dti_trace_keep(world, &event), 1);
    dti_trace_op_begin(world, "matmul");
    CHECK_INT(dti_trace_keep(world, &event), 2);
    dti_trace_op_end(world);
    const dt_trace_event *events = dt_trace_events(world, &count);
    if (!CHECK_INT(count, 2))
        return;
    CHECK(events[0].operator_name == NULL);
    CHECK_TEXT(events[1].operator_name, "matmul");
    /* Numbers go on when events are forgotten; old ones are nobody's. */
    dt_trace_clear(world);
    event.began = 1;
    CHECK_INT(dti_trace_keep(world, &event), 3);
    dti_trace_ended(world, 2);
    events = dt_trace_events(world, &count);
    CHECK(events[0].ended == 0);
    dti_trace_ended(world, 3);
    CHECK(events[0].ended > 1);
}

const dt_test dt_tests[] = {
    {"counts for the innermost", counts_for_the_innermost},
    {"compares texts", compares_texts},
    {"keeps names", keeps_names},
    {"keeps many", keeps_many},
    {"survives depth", survives_depth},
    {"clears operators", clears_operators},
    {"names the operator of events", names_the_operator_of_events},
    {NULL, NULL},
};
