/* graph/passes/dead_code.c - leaving out what nobody reads. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/passes/passes.h"

static bool is_read(const dt_graph_edit *edit, int node)
{
    for (int i = 0; i < dt_edit_result_count(edit, node); i++) {
        const int value = dt_edit_result(edit, node, i);
        if (value >= 0 && (dt_edit_readers(edit, value) > 0 ||
                           dt_edit_outputs(edit, value) > 0))
            return true;
    }
    return false;
}

/* The last node first, so that what only dropped nodes read is seen.  A random
 * operator stays: later ones would draw other numbers. */
static dt_status run(dt_graph_edit *edit)
{
    for (int i = dt_edit_node_count(edit) - 1; i >= 0; i--) {
        const dt_op *op = dt_edit_op(edit, i);
        if (op && !(op->flags & DT_OP_RANDOM) && !is_read(edit, i))
            DT_TRY(dt_edit_drop(edit, i));
    }
    return DT_OK;
}

const dt_pass dti_pass_dead_code = {
    .size = sizeof(dt_pass),
    .name = "dead_code",
    .about = "Leave out nodes whose results are not read.",
    .run = run,
};
