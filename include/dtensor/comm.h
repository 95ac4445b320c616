/* dtensor/comm.h - groups of ranks, and what they do together. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_COMM_H
#define DTENSOR_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/array.h>
#include <dtensor/status.h>
#include <dtensor/world.h>

/*
 * The rules that hold for every call below.
 *
 * - All members of the group call the same functions in the same order, with
 *   the same dtype, operation, root and counts.  Where they do not, all of them
 *   get DT_ERR_DIVERGED with a sentence that names both sides.
 * - `rank`, `root`, `to` and `from` are numbers within the group.
 * - Arrays are contiguous; their shapes do not matter, only how many elements
 *   they have.  Extents may be zero.  An output shares no memory with an input,
 *   except that they may be the same array in dt_group_all_reduce.
 * - `counts` gives the elements of each rank's block and is the same on all
 *   members; NULL cuts evenly.  Blocks lie in the order of ranks.
 * - Reductions combine ranks in order 0, 1, 2, ...: the same bits every run.
 *   On mpi that takes DT_MPI_ORDER=ranks; without, MPI chooses the order.
 *   f16 and bf16 accumulate in f32 and round once.
 * - A call returns when its output is complete and its input may be changed.
 *   The `_async` form returns a handle at once; it holds on to both arrays.
 *   The order of issue is what must agree, not the order of waiting.
 */

DT_EXTERN_C_BEGIN

/* Ranks of a world that call each other; owned by the world, never released. */
typedef struct dt_group dt_group;

/* A call under way. */
typedef struct dt_handle dt_handle;

typedef enum dt_reduce {
    DT_SUM,
    DT_AVG, /* the sum divided by the number of ranks; floats, complex */
    DT_PRODUCT,
    DT_MIN,  /* not for complex; NaN wins */
    DT_MAX,  /* not for complex; NaN wins */
    DT_BAND, /* integers and bool */
    DT_BOR,  /* integers and bool */
    DT_BXOR, /* integers and bool */
    DT_REDUCE_COUNT
} dt_reduce;

/*
 * Give the name of a reduction, such as "sum"; "invalid" for anything else.
 *
 * Not collective.  Static.
 */
DT_API const char *dt_reduce_name(dt_reduce op);

/* ---- Groups ------------------------------------------------------------- */

/*
 * Give the group of all ranks, in their order.
 *
 * Not collective.  Borrowed.
 */
DT_API dt_group *dt_world_group(dt_world *world);

/*
 * Give the group of the named world ranks, in this order.
 *
 * Collective over the named ranks; others need not call it and get
 * DT_ERR_INVALID.  The same ranks in the same order are one group, which costs
 * nothing the second time.  Borrowed from the world, which keeps it.
 */
DT_API DT_MUST_USE dt_status dt_group_create(dt_world *world, const int *ranks,
                                             int count, dt_group **out);

/*
 * Split a group: ranks that give the same colour become a group, in the order
 * of their keys, then of their ranks.
 *
 * Collective over the group.  A negative colour joins none and gets NULL.
 * Borrowed from the world.  On sim, DT_ERR_UNSUPPORTED: nobody knows what the
 * other ranks would give.
 */
DT_API DT_MUST_USE dt_status dt_group_split(dt_group *group, int colour,
                                            int key, dt_group **out);

/* What a group is.  Not collective; borrowed.  NULL has no ranks, and rank -1
 * in it. */
DT_API int dt_group_rank(const dt_group *group);
DT_API int dt_group_size(const dt_group *group);
DT_API const int *dt_group_ranks(const dt_group *group); /* world ranks */
DT_API dt_world *dt_group_world(const dt_group *group);

/* ---- Calls -------------------------------------------------------------- */

/*
 * Wait until all members have called.
 *
 * Collective over the group.
 */
DT_API DT_MUST_USE dt_status dt_group_barrier(dt_group *group);

/*
 * Combine the inputs of all ranks, element by element, on every rank.
 *
 * Collective over the group.  Input and output may be the same array.
 */
DT_API DT_MUST_USE dt_status dt_group_all_reduce(dt_group *group, dt_reduce op,
                                                 const dt_array *input,
                                                 dt_array *output);

/*
 * Put the blocks of all ranks one after another, on every rank.
 *
 * Collective over the group.
 */
DT_API DT_MUST_USE dt_status dt_group_all_gather(dt_group *group,
                                                 const dt_array *input,
                                                 const int64_t *counts,
                                                 dt_array *output);

/*
 * Combine the inputs of all ranks and leave each rank its block.
 *
 * Collective over the group.
 */
DT_API DT_MUST_USE dt_status dt_group_reduce_scatter(dt_group *group,
                                                     dt_reduce op,
                                                     const dt_array *input,
                                                     const int64_t *counts,
                                                     dt_array *output);

/*
 * Send block i of the input to rank i; receive one block from each rank.
 *
 * Collective over the group.  `send_counts` and `receive_counts` belong to this
 * rank: what i sends to j, j must expect of i.  Both are NULL, or neither is.
 */
DT_API DT_MUST_USE dt_status dt_group_all_to_all(dt_group *group,
                                                 const dt_array *input,
                                                 const int64_t *send_counts,
                                                 const int64_t *receive_counts,
                                                 dt_array *output);

/*
 * Copy the root's array to all ranks.
 *
 * Collective over the group.
 */
DT_API DT_MUST_USE dt_status dt_group_broadcast(dt_group *group, int root,
                                                dt_array *array);

/*
 * Cut the root's input into blocks, one for each rank.
 *
 * Collective over the group.  The input of other ranks is ignored; may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_group_scatter(dt_group *group, int root,
                                              const dt_array *input,
                                              const int64_t *counts,
                                              dt_array *output);

/*
 * Put the blocks of all ranks one after another on the root.
 *
 * Collective over the group.  The output of other ranks is ignored; may be
 * NULL.
 */
DT_API DT_MUST_USE dt_status dt_group_gather(dt_group *group, int root,
                                             const dt_array *input,
                                             const int64_t *counts,
                                             dt_array *output);

/*
 * Send an array to one rank, which must receive as many elements.
 *
 * Collective over the two ranks.  May wait for the receiver.  What two ranks
 * send each other arrives in order.  Not to itself.
 */
DT_API DT_MUST_USE dt_status dt_group_send(dt_group *group, int to,
                                           const dt_array *input);

/*
 * Receive an array from one rank.
 *
 * Collective over the two ranks.
 */
DT_API DT_MUST_USE dt_status dt_group_receive(dt_group *group, int from,
                                              dt_array *output);

/* ---- Calls that do not wait --------------------------------------------- */

/*
 * The same calls, begun.  Collective as their namesakes.  The handle is the
 * caller's to release; releasing it does not stop the call.
 */
DT_API DT_MUST_USE dt_status dt_group_barrier_async(dt_group *group,
                                                    dt_handle **out);
DT_API DT_MUST_USE dt_status dt_group_all_reduce_async(dt_group *group,
                                                       dt_reduce op,
                                                       const dt_array *input,
                                                       dt_array *output,
                                                       dt_handle **out);
DT_API DT_MUST_USE dt_status dt_group_all_gather_async(dt_group *group,
                                                       const dt_array *input,
                                                       const int64_t *counts,
                                                       dt_array *output,
                                                       dt_handle **out);
DT_API DT_MUST_USE dt_status dt_group_reduce_scatter_async(
    dt_group *group, dt_reduce op, const dt_array *input, const int64_t *counts,
    dt_array *output, dt_handle **out);
DT_API DT_MUST_USE dt_status dt_group_all_to_all_async(
    dt_group *group, const dt_array *input, const int64_t *send_counts,
    const int64_t *receive_counts, dt_array *output, dt_handle **out);
DT_API DT_MUST_USE dt_status dt_group_broadcast_async(dt_group *group, int root,
                                                      dt_array *array,
                                                      dt_handle **out);
DT_API DT_MUST_USE dt_status dt_group_scatter_async(dt_group *group, int root,
                                                    const dt_array *input,
                                                    const int64_t *counts,
                                                    dt_array *output,
                                                    dt_handle **out);
DT_API DT_MUST_USE dt_status dt_group_gather_async(dt_group *group, int root,
                                                   const dt_array *input,
                                                   const int64_t *counts,
                                                   dt_array *output,
                                                   dt_handle **out);
DT_API DT_MUST_USE dt_status dt_group_send_async(dt_group *group, int to,
                                                 const dt_array *input,
                                                 dt_handle **out);
DT_API DT_MUST_USE dt_status dt_group_receive_async(dt_group *group, int from,
                                                    dt_array *output,
                                                    dt_handle **out);

/*
 * Wait until a call is complete and give its status; again, if called again.
 *
 * Not collective, but it waits for what other ranks do.  DT_ERR_INVALID for
 * NULL.
 */
DT_API DT_MUST_USE dt_status dt_handle_wait(dt_handle *handle);

/*
 * Make progress without waiting and tell whether a call is complete, well or
 * not.
 *
 * Not collective.  A call that could not be begun, NULL, is over.
 */
DT_API bool dt_handle_test(dt_handle *handle);

/*
 * Drop the caller's reference.  NULL is allowed.
 *
 * Not collective.
 */
DT_API void dt_handle_release(dt_handle *handle);

DT_EXTERN_C_END

#endif
