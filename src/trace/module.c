/* trace/module.c - which modules communicated, and how much. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/state.h"

#include <stdlib.h>
#include <string.h>

/* The totals of a module; NULL without memory.  Names stay where they are while
 * a world runs, so that most are found by their address; the same name twice in
 * a row at once. */
static dt_trace_module *find_module(dt_world *world, dti_trace *trace,
                                    const char *name)
{
    if (trace->module_at < trace->module_count &&
        trace->module_names[trace->module_at] == name)
        return &trace->modules[trace->module_at];
    for (size_t i = 0; i < trace->module_count; i++)
        if (trace->module_names[i] == name) {
            trace->module_at = i;
            return &trace->modules[i];
        }
    void *list = trace->modules, *names = trace->module_names;
    size_t room = trace->module_room;
    if (!dti_trace_make_room(world, &list, trace->module_count, &room,
                             sizeof *trace->modules))
        return NULL;
    trace->modules = list;
    if (!dti_trace_make_room(world, &names, trace->module_count,
                             &trace->module_room, sizeof name))
        return NULL;
    trace->module_names = names;
    char *copy = strdup(name); /* the name is gone when a dry run reports */
    if (!copy)
        return NULL;
    trace->module_at = trace->module_count++;
    trace->module_names[trace->module_at] = name;
    trace->modules[trace->module_at] = (dt_trace_module){.name = copy};
    return &trace->modules[trace->module_at];
}

void dti_trace_module_call(dt_world *world, const char *module, bool backward,
                           dt_collective kind, size_t bytes_sent,
                           size_t bytes_received)
{
    dt_trace_module *totals = find_module(world, dti_trace_of(world), module);
    if (!totals)
        return;
    dt_trace_counter *counter =
        backward ? &totals->backward[kind] : &totals->forward[kind];
    counter->calls++;
    counter->bytes_sent += bytes_sent;
    counter->bytes_received += bytes_received;
}

const dt_trace_module *dt_trace_modules(const dt_world *world, size_t *count)
{
    const dti_trace *trace = dti_trace_of(world);
    *count = trace->module_count;
    return trace->modules;
}

void dti_trace_forget_modules(dti_trace *trace)
{
    /* They were made here; others only read them. */
    for (size_t i = 0; i < trace->module_count; i++)
        free((void *)(uintptr_t)trace->modules[i].name);
    trace->module_count = 0;
}
