/* graph/passes/passes.h - the passes of the library. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_PASSES_PASSES_H
#define DTI_GRAPH_PASSES_PASSES_H

#include <dtensor/sys/pass.h>

extern const dt_pass dti_pass_constants, dti_pass_views, dti_pass_dead_code;

#endif
