/* trace/trace.h - where rooms report what they did. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TRACE_TRACE_H
#define DTI_TRACE_TRACE_H

#include <dtensor/trace.h>

/* Give a world counters and a place for events. */
dt_status dti_trace_open(dt_world *world, dt_error *error);

/* Count a call between ranks. */
void dti_trace_call(dt_world *world, dt_collective kind, size_t bytes_sent,
                    size_t bytes_received);

/* Tell whether events are kept. */
bool dti_trace_is_recording(const dt_world *world);

/* Keep the event of a call.  Without memory it is lost, and a warning says so
 * once. */
void dti_trace_keep(dt_world *world, const dt_trace_event *event);

#endif
