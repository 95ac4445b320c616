/* dtensor/sys/plugin.h - transports in shared libraries that are loaded on
 * demand. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_PLUGIN_H
#define DTENSOR_SYS_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/log.h>
#include <dtensor/sys/transport.h>

DT_EXTERN_C_BEGIN

/* Incremented when a structure shared by plug-ins and the library changes. */
#define DT_PLUGIN_VERSION 2

/* How a member describes its call to other ranks. */
typedef struct dt_call_side {
    const void *record; /* written by write_record */
    const void *page;   /* written by write_page; may be NULL */
} dt_call_side;

/*
 * Functions of the library for a plug-in.  The library may be part of a program
 * that exports no symbols, so a plug-in calls it through this table and does
 * not link with it.
 */
typedef struct dt_services {
    unsigned version; /* DT_PLUGIN_VERSION of the library */

    /* Sizes of the shared structures, to detect a missing version change. */
    size_t services_size;
    size_t transport_size;
    size_t line_size;
    size_t call_size;

    /* Record an error in a world; returns the code. */
    dt_status (*fail)(dt_world *world, dt_status code, const char *format, ...)
        DT_PRINTF(3, 4);

    /* Set an error when there is no world yet; returns the code. */
    dt_status (*error_set)(dt_error *error, dt_status code, const char *format,
                           ...) DT_PRINTF(3, 4);

    /* Log a message. */
    void (*log)(dt_world *world, dt_log_level level, const char *format, ...)
        DT_PRINTF(3, 4);

    /* Reduce `inputs[0] op inputs[1] op ...`, in this order, and write the
     * result to every output.  An output may be one of the inputs. f16 and bf16
     * accumulate in f32 and round once; DT_AVG divides by the number of inputs;
     * `stream` requests non-temporal stores. */
    void (*reduce)(dt_reduce op, dt_dtype dtype, const void *const *inputs,
                   int input_count, void *const *outputs, int output_count,
                   int64_t count, bool stream);

    /* Return the address of the communicator handle for the world that this
     * thread is opening; NULL if the program supplied none. */
    const void *(*communicator)(void);

    /* Settings of a world: DT_TIMEOUT in seconds, 0: none; and DT_CHECK. */
    double (*timeout)(const dt_world *world);
    bool (*check)(const dt_world *world);

    /* Serialise a call as `record_bytes` bytes for other ranks.  `size` is the
     * number of members of its channel. */
    size_t record_bytes;
    void (*write_record)(const dt_call *call, int size, void *record);

    /* Describe a record as text: "all-reduce(sum) of 4 f32 for matmul". */
    void (*describe_record)(const void *record, char *text, size_t size);

    /* Return the number of the mesh that a call is for, which is the same on
     * all ranks; 0: none. */
    uint64_t (*mesh_of)(const dt_call *call);

    /* Serialise what this rank has called on a mesh as `page_bytes` bytes for
     * other ranks. */
    size_t page_bytes;
    void (*write_page)(const dt_world *world, uint64_t mesh, void *page);

    /* Record in the world that a member made a different call than this rank,
     * from records and pages; pages may be NULL.  Returns DT_ERR_DIVERGED. */
    dt_status (*diverge)(const dt_channel *line, const dt_call *call,
                         const dt_call_side *mine, int member,
                         const dt_call_side *theirs);

    /* Record that member `from` of an all-to-all sends `sent` elements to
     * member `to`, which expects another number.  Returns DT_ERR_DIVERGED. */
    dt_status (*diverge_counts)(const dt_channel *line, const dt_call *call,
                                int from, int64_t sent, int to,
                                int64_t expected);
} dt_services;

/*
 * The function that a plug-in exports.  Returns its transport, or NULL if it
 * was built for another version (see dt_services_match).  The services stay
 * valid as long as the process.
 */
typedef const dt_transport *(*dt_plugin_function)(const dt_services *services);

/* The name of that function. */
#define DT_PLUGIN_SYMBOL "dt_plugin_transport"

/* Test whether a plug-in and the library were built with the same headers.
 * Not collective. */
static inline bool dt_services_match(const dt_services *services)
{
    return services->version == DT_PLUGIN_VERSION &&
           services->services_size == sizeof(dt_services) &&
           services->transport_size == sizeof(dt_transport) &&
           services->line_size == sizeof(dt_channel) &&
           services->call_size == sizeof(dt_call);
}

/*
 * Open a world on a communicator of an MPI library.  Called by dtensor/mpi.h.
 *
 * Collective over the communicator.  `mpi` names the library ("openmpi").
 * `communicator` is the address of the handle; the communicator is duplicated,
 * so the program may free its own.
 */
DT_API DT_MUST_USE dt_status dt_world_open_on(const dt_world_options *options,
                                              const char *mpi,
                                              const void *communicator,
                                              dt_world **out, dt_error *error);

DT_EXTERN_C_END

#endif
