/* dtensor/sys/plugin.h - transports in libraries that are loaded when needed.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_PLUGIN_H
#define DTENSOR_SYS_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/log.h>
#include <dtensor/sys/transport.h>

DT_EXTERN_C_BEGIN

/* Changed whenever anything that a plug-in and the library share changes. */
#define DT_PLUGIN_VERSION 2

/* What a member says of its call to others; `page` may be NULL. */
typedef struct dt_call_side {
    const void *record;
    const void *page;
} dt_call_side;

/*
 * What the library does for a plug-in.  It may be part of a program that shows
 * no symbols, so a plug-in calls it through this table and links nothing of it.
 */
typedef struct dt_services {
    unsigned version; /* DT_PLUGIN_VERSION of the library */

    /* Sizes of what both sides use, to notice what the version forgot. */
    size_t services_size;
    size_t transport_size;
    size_t line_size;
    size_t call_size;

    /* Record a failure in the world; gives the code. */
    dt_status (*fail)(dt_world *world, dt_status code, const char *format, ...)
        DT_PRINTF(3, 4);

    /* Fill an error where there is no world yet; gives the code. */
    dt_status (*error_set)(dt_error *error, dt_status code, const char *format,
                           ...) DT_PRINTF(3, 4);

    /* Pass a remark to the world's log. */
    void (*log)(dt_world *world, dt_log_level level, const char *format, ...)
        DT_PRINTF(3, 4);

    /* Combine `inputs[0] op inputs[1] op ...`, in this order, and write the
     * result to every output.  An output may be one of the inputs.  f16 and
     * bf16 accumulate in f32 and round once; DT_AVG divides by the number of
     * inputs; `stream` stores past the cache. */
    void (*reduce)(dt_reduce op, dt_dtype dtype, const void *const *inputs,
                   int input_count, void *const *outputs, int output_count,
                   int64_t count, bool stream);

    /* The communicator that the program gave to the world that this thread is
     * opening, as the address of the handle; NULL if it gave none. */
    const void *(*communicator)(void);

    /* The settings of a world: DT_TIMEOUT in seconds, 0 for none; DT_CHECK. */
    double (*timeout)(const dt_world *world);
    bool (*check)(const dt_world *world);

    /* A call as `record_bytes` bytes that other ranks can read.  `size` is the
     * number of members of its line. */
    size_t record_bytes;
    void (*write_record)(const dt_call *call, int size, void *record);

    /* Put a record into words: "all-reduce(sum) of 4 f32 for matmul". */
    void (*describe_record)(const void *record, char *text, size_t size);

    /* The mesh that a call serves, by a number that is the same on all ranks;
     * 0: none. */
    uint64_t (*mesh_of)(const dt_call *call);

    /* What this rank called on a mesh, as `page_bytes` bytes that other ranks
     * can read. */
    size_t page_bytes;
    void (*write_page)(const dt_world *world, uint64_t mesh, void *page);

    /* Record in the world that a member made another call than this rank, by
     * records and pages; pages may be NULL.  Returns DT_ERR_DIVERGED. */
    dt_status (*diverge)(const dt_channel *line, const dt_call *call,
                         const dt_call_side *mine, int member,
                         const dt_call_side *theirs);

    /* The same of an all-to-all with counts: member `from` sends `sent`
     * elements to member `to`, which expects another number. */
    dt_status (*diverge_counts)(const dt_channel *line, const dt_call *call,
                                int from, int64_t sent, int to,
                                int64_t expected);
} dt_services;

/*
 * The one function that a plug-in exports: its transport.  NULL if it was built
 * for another version; dt_services_match tells.  The services live as long as
 * the process.
 */
typedef const dt_transport *(*dt_plugin_function)(const dt_services *services);

#define DT_PLUGIN_SYMBOL "dt_plugin_transport"

/* Tell whether the library that offers these services was built with the same
 * headers. */
static inline bool dt_services_match(const dt_services *services)
{
    return services->version == DT_PLUGIN_VERSION &&
           services->services_size == sizeof(dt_services) &&
           services->transport_size == sizeof(dt_transport) &&
           services->line_size == sizeof(dt_channel) &&
           services->call_size == sizeof(dt_call);
}

/*
 * Open a world on a communicator of an MPI library; what dtensor/mpi.h calls.
 *
 * Collective over the communicator.  `mpi` names the library ("openmpi"),
 * `communicator` is the address of the handle, which is copied by MPI's means:
 * the program may free its own.
 */
DT_API DT_MUST_USE dt_status dt_world_open_on(const dt_world_options *options,
                                              const char *mpi,
                                              const void *communicator,
                                              dt_world **out, dt_error *error);

DT_EXTERN_C_END

#endif
