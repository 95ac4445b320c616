/* ranks: 1 2 3 4 7 */
/* tests/ranks/nn_report.c - what each module communicated. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <dtensor/autograd.h>
#include <dtensor/nn.h>
#include <dtensor/parallel.h>
#include <dtensor/trace.h>

#include "support/tensors.h"

enum { TEXT_SIZE = 4000 };

/* Two layers, tensor parallel: one all-reduce forward, in the second, and one
 * backward, in the first. */
static dt_module *make_pair(fixture *f)
{
    static const dt_parallel_rule rules[] = {
        {.pattern = "0", .style = &dt_colwise},
        {.pattern = "2", .style = &dt_rowwise},
    };
    dt_world *world = f->world;
    dt_module *parts[] = {dt_nn_linear(world, 4, 6, NULL),
                          dt_nn_function(world, "Tanh", dt_tanh),
                          dt_nn_linear(world, 6, 4, NULL)};
    dt_module *module = dt_nn_sequential(world, parts, 3);
    CHECK_OK(world, dt_parallelize(module, f->mesh, rules, 2, NULL));
    return module;
}

static void go(fixture *f, dt_module *module)
{
    dt_tensor *x = make_operand(f, "R", DT_F32, DT_SHAPE(2, 4), 1);
    dt_tensor *y = dt_module_call(module, dt_requires_grad(x));
    dt_trace_record(f->world, true);
    CHECK_OK(f->world, dt_backward(dt_sum(y, DT_DIMS(), false)));
}

static const dt_trace_module *find(const dt_world *world, const char *name)
{
    size_t count = 0;
    const dt_trace_module *modules = dt_trace_modules(world, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(modules[i].name, name) == 0)
            return &modules[i];
    return NULL;
}

static void counts_by_module(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_module *module = make_pair(&f);
    dt_trace_clear(world);
    go(&f, module);
    const dt_trace_module *first = find(world, "0"), *last = find(world, "2");
    if (f.ranks > 1 && CHECK(first && last)) {
        CHECK_INT(first->forward[DT_ALL_REDUCE].calls, 0);
        CHECK_INT(first->backward[DT_ALL_REDUCE].calls, 1);
        CHECK_INT(last->forward[DT_ALL_REDUCE].calls, 1);
        CHECK_INT(last->backward[DT_ALL_REDUCE].calls, 0);
        CHECK(last->forward[DT_ALL_REDUCE].bytes_received > 0);
    }
    dt_trace_clear(world);
    CHECK(find(world, "2") == NULL);
    close_without_errors(&f);
}

static void writes_a_table(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_module *module = make_pair(&f);
    char text[TEXT_SIZE], start[20];
    size_t length = 0;
    dt_trace_clear(world);
    go(&f, module);
    CHECK_OK(world, dt_module_report(module, DT_REPORT_TEXT, text, TEXT_SIZE,
                                     &length));
    CHECK_INT(length, strlen(text));
    CHECK(strncmp(text, "module      parameters", 22) == 0);
    CHECK(strstr(text, "\nSequential  -") != NULL);
    CHECK(strstr(text, "\n0           weight S(0), bias S(0)  -") != NULL);
    if (f.ranks > 1)
        CHECKF(strstr(text, "weight S(1), bias R     1 all-reduce ") != NULL,
               "%s", text);
    size_t whole = 0;
    CHECK_OK(world, dt_module_report(module, DT_REPORT_TEXT, start,
                                     sizeof start, &whole));
    CHECK(whole == length && strncmp(start, text, sizeof start - 1) == 0);
    close_without_errors(&f);
}

static void writes_json(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_module *module = make_pair(&f);
    char text[TEXT_SIZE];
    dt_trace_clear(world);
    go(&f, module);
    CHECK_OK(world,
             dt_module_report(module, DT_REPORT_JSON, text, TEXT_SIZE, NULL));
    CHECK(strstr(text, "[{\"module\": \"Sequential\", \"parameters\": {}") ==
          text);
    CHECK(strstr(text, "{\"weight\": \"S(1)\", \"bias\": \"R\"}") != NULL);
    if (f.ranks > 1)
        CHECKF(strstr(text, "\"forward\": {\"all-reduce\": {\"calls\": 1, ") !=
                   NULL,
               "%s", text);
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"collectives by module, forward and backward", counts_by_module},
    {"a table", writes_a_table},
    {"JSON", writes_json},
    {0},
};
