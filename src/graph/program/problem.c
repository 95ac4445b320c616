/* graph/program/problem.c - what keeps a program from being run. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/program/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* "node n (torch.ops.aten.x.default, module m): text" */
static void describe(const dti_raw_node *node, const char *text, char *out,
                     size_t size)
{
    if (!node)
        snprintf(out, size, "%s", text);
    else
        snprintf(out, size, "node %s (%s, module %s): %s", node->name,
                 node->target, *node->module ? node->module : "of the root",
                 text);
}

static void keep(dti_problems *problems, const char *text)
{
    const size_t room = sizeof problems->text - problems->length;
    const int length = snprintf(problems->text + problems->length, room, "%s%s",
                                problems->length > 0 ? "; " : "", text);
    /* One that does not fit is left out; the count tells. */
    if (length < 0 || (size_t)length >= room)
        problems->text[problems->length] = '\0';
    else
        problems->length += (size_t)length;
}

void dti_problem_add(dti_problems *problems, dt_status code,
                     const dti_raw_node *node, const char *format, ...)
{
    char text[400], all[560];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    describe(node, text, all, sizeof all);
    if (problems->count++ == 0)
        problems->code = code;
    keep(problems, all);
    const dt_graph_problem problem = {.code = code,
                                      .node = node ? node->name : "",
                                      .target = node ? node->target : "",
                                      .module = node ? node->module : "",
                                      .message = all};
    if (problems->function)
        problems->function(problems->arg, &problem);
}

dt_status dti_problems_end(const dti_problems *problems)
{
    if (problems->count == 0)
        return DT_OK;
    if (problems->count == 1)
        return dti_fail(problems->world, problems->code, "%s: %s",
                        problems->path, problems->text);
    return dti_fail(problems->world, problems->code, "%s: %d problems: %s",
                    problems->path, problems->count, problems->text);
}
