/* graph/passes/passes.c - the passes of the library, in order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/passes/passes.h"

#include <string.h>

#include "base/attributes.h"
#include "base/error.h"
#include "base/handles.h"
#include "graph/graph.h"

static const dt_pass *const passes[] = {
    &dti_pass_constants,
    &dti_pass_views,
    &dti_pass_dead_code,
};

const dt_pass *dt_pass_at(int number)
{
    return number >= 0 && (size_t)number < DTI_COUNT_OF(passes) ? passes[number]
                                                                : NULL;
}

static const dt_pass *find_pass(const char *name, size_t length)
{
    for (size_t i = 0; i < DTI_COUNT_OF(passes); i++)
        if (strncmp(passes[i]->name, name, length) == 0 &&
            !passes[i]->name[length])
            return passes[i];
    return NULL;
}

/* Apply a pass to a graph, which is replaced. */
static dt_status apply(dt_graph **graph, const dt_pass *pass)
{
    dt_graph *next = NULL;
    dt_status status = dt_graph_apply(*graph, pass, &next);
    if (status != DT_OK)
        return status;
    dt_graph_release(*graph);
    *graph = next;
    return DT_OK;
}

static dt_status apply_named(dt_graph **graph, const char *names)
{
    for (names += strspn(names, " "); *names; names += strspn(names, " ")) {
        const size_t length = strcspn(names, " ");
        const dt_pass *pass = find_pass(names, length);
        if (!pass)
            return dti_fail((*graph)->world, DT_ERR_NOT_FOUND,
                            "dt_graph_optimize: no pass is named \"%.*s\"; the "
                            "passes are constants, views and dead_code",
                            (int)(length < 80 ? length : 80), names);
        DTI_TRY(apply(graph, pass));
        names += length;
    }
    return DT_OK;
}

dt_status dt_graph_optimize(dt_graph *graph, const char *names, dt_graph **out)
{
    DTI_ENTRY();
    if (!dti_handle_usable(graph, __func__))
        return DT_ERR_INVALID;
    if (!graph)
        return dti_fail_null(NULL, __func__, "graph");
    dt_graph *made = dt_graph_retain(graph);
    dt_status status = DT_OK;
    if (names)
        status = apply_named(&made, names);
    for (size_t i = 0; !names && status == DT_OK && i < DTI_COUNT_OF(passes);
         i++)
        status = apply(&made, passes[i]);
    if (status == DT_OK)
        *out = made;
    else
        dt_graph_release(made);
    return status;
}
