/* graph/passes/constants.c - computing what every run would compute alike. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/passes/passes.h"

/* Results that are larger are cheaper to compute than to keep. */
#define LIMIT ((size_t)1 << 20)

static dt_status run(dt_graph_edit *edit)
{
    for (int i = 0; i < dt_edit_node_count(edit); i++)
        if (dt_edit_is_constant(edit, i))
            DT_TRY(dt_edit_compute(edit, i, LIMIT));
    return DT_OK;
}

const dt_pass dti_pass_constants = {
    .size = sizeof(dt_pass),
    .name = "constants",
    .about = "Compute nodes that read constants only.",
    .run = run,
};
