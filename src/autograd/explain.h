/* autograd/explain.h - a backward pass that says what it does. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_EXPLAIN_H
#define DTI_AUTOGRAD_EXPLAIN_H

#include <dtensor/trace.h>

#include "autograd/node.h"
#include "base/text/writer.h"
#include "op/call/recorder.h"

/* A pass that is explained is carried out: what it would decide depends on
 * the layouts that it finds.  Until it ends, this is the recorder of the world,
 * which is told of every call, and tells the tape. */
typedef struct dti_explanation {
    dti_writer to;
    dt_world *world;
    dti_recorder recorder;
    const dti_recorder *before;
    dt_trace_counter counts[DT_COLLECTIVE_COUNT]; /* that were explained */
} dti_explanation;

dt_status dti_explain_begin(dti_explanation *at, dt_tensor *tensor, char *text,
                            size_t size);

/* Name the node whose gradients the next calls compute. */
void dti_explain_node(dti_explanation *at, const dti_node *node);

void dti_explain_end(dti_explanation *at);

#endif
