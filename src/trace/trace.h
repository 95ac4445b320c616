/* trace/trace.h - where rooms report what they did. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TRACE_TRACE_H
#define DTI_TRACE_TRACE_H

#include <dtensor/trace.h>

/* Give a world counters and a place for events. */
dt_status dti_trace_open(dt_world *world, dt_error *error);

/* Report a call between ranks.  Without memory, the event is counted but not
 * kept, and a warning says so once. */
void dti_trace_call(dt_world *world, const dt_trace_event *event);

#endif
