/* redistribute/predict.c - how long a call between ranks is taken to last. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/trace.h>

#include "redistribute/cost.h"

/* Of what comes from others, what is combined: an all-reduce combines, then
 * spreads. */
static size_t count_combined(const dt_trace_event *event)
{
    if (event->kind == DT_ALL_REDUCE)
        return event->bytes_received / 2;
    return event->kind == DT_REDUCE_SCATTER ? event->bytes_received : 0;
}

double dt_trace_predict(const char *transport, const dt_trace_event *event)
{
    /* Plans count what comes in; a rank that only sends waits for that. */
    size_t bytes =
        event->bytes_received ? event->bytes_received : event->bytes_sent;
    dti_volume volume = {.remote = (int64_t)bytes,
                         .messages = event->peers,
                         .combined = (int64_t)count_combined(event)};
    /* No mesh is asked for: usual prices are those of no dimension. */
    return dti_cost_of(dti_costs_of(transport ? transport : "shm"), NULL,
                       &volume);
}
