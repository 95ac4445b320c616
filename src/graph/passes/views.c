/* graph/passes/views.c - leaving out views that change nothing. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/passes/passes.h"

/* An output stays a tensor of its own: one that is an input or a buffer would
 * have to be made one. */
static dt_status run(dt_graph_edit *edit)
{
    for (int i = 0; i < dt_edit_node_count(edit); i++) {
        bool same = false;
        DT_TRY(dt_edit_is_same(edit, i, &same));
        if (!same)
            continue;
        const int result = dt_edit_result(edit, i, 0);
        if (dt_edit_outputs(edit, result) > 0)
            continue;
        DT_TRY(dt_edit_replace(edit, result, dt_edit_input(edit, i, 0)));
        DT_TRY(dt_edit_drop(edit, i));
    }
    return DT_OK;
}

const dt_pass dti_pass_views = {
    .size = sizeof(dt_pass),
    .name = "views",
    .about = "Leave out views that have the same elements at the same indexes.",
    .run = run,
};
