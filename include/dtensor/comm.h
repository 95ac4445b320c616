/* dtensor/comm.h - groups of ranks and their collectives. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_COMM_H
#define DTENSOR_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/array.h>
#include <dtensor/status.h>
#include <dtensor/world.h>

/*
 * Rules for all collectives of this header.
 *
 * - All members of the group make the same calls in the same order, with the
 *   same dtype, operation, root and counts.  If they do not, all of them fail
 *   with DT_ERR_DIVERGED and a message that names both calls.
 * - `rank`, `root`, `to` and `from` are ranks within the group.
 * - Arrays are contiguous.  Only their number of elements matters, not their
 *   shape; it may be 0.  An output must not overlap an input, except that both
 *   may be the same array in dt_group_all_reduce.
 * - `counts` has the number of elements of each rank's block and is the same on
 *   all members; NULL: blocks of equal size.  Blocks are stored in rank order.
 * - Reductions combine the ranks in the order 0, 1, 2, ...: results have the
 *   same bits in every run.  On mpi this needs DT_MPI_ORDER=ranks; otherwise
 *   MPI chooses the order. f16 and bf16 accumulate in f32 and round once.
 * - A function returns when its output is complete and its input may be
 *   modified.  The `_async` variant returns a handle immediately and retains
 *   both arrays.  Ranks must agree on the order in which collectives are
 *   started, not on the order in which they are waited for.
 */

DT_EXTERN_C_BEGIN

/* Ranks of a world that communicate.  Owned by the world, never released. */
typedef struct dt_group dt_group;

/* An asynchronous collective. */
typedef struct dt_handle dt_handle;

typedef enum dt_reduce {
    DT_SUM,         /* sum over the ranks */
    DT_AVG,         /* sum divided by the number of ranks; float and complex */
    DT_PRODUCT,     /* product over the ranks */
    DT_MIN,         /* not complex; NaN propagates */
    DT_MAX,         /* not complex; NaN propagates */
    DT_BAND,        /* bitwise and; integers and bool */
    DT_BOR,         /* bitwise or; integers and bool */
    DT_BXOR,        /* bitwise xor; integers and bool */
    DT_REDUCE_COUNT /* number of reductions */
} dt_reduce;

/*
 * Return the name of a reduction, for example "sum"; "invalid" for other
 * values.
 *
 * Not collective.  The text is static.
 */
DT_API const char *dt_reduce_name(dt_reduce op);

/* ---- Groups ------------------------------------------------------------- */

/*
 * Return the group of all ranks, in rank order.
 *
 * Not collective.  Borrowed from the world.
 */
DT_API dt_group *dt_world_group(dt_world *world);

/*
 * Return the group of the listed world ranks, in this order.
 *
 * Collective over the listed ranks.  Other ranks need not call it; if they do,
 * they fail with DT_ERR_INVALID.  The same ranks in the same order are the same
 * group, and only the first call communicates.  Borrowed from the world.
 */
DT_API DT_MUST_USE dt_status dt_group_create(dt_world *world, const int *ranks,
                                             int count, dt_group **out);

/*
 * Split a group.  Ranks with the same colour form a new group, ordered by key,
 * then by rank.
 *
 * Collective over the group.  A rank with a negative colour joins no group and
 * receives NULL.  Borrowed from the world.  On sim, DT_ERR_UNSUPPORTED: the
 * colours of the other ranks are unknown.
 */
DT_API DT_MUST_USE dt_status dt_group_split(dt_group *group, int colour,
                                            int key, dt_group **out);

/* Properties of a group.  Not collective.  Returned pointers are borrowed.  A
 * NULL group returns rank -1, 0 or NULL. */
DT_API int dt_group_rank(const dt_group *group);
DT_API int dt_group_size(const dt_group *group);
DT_API const int *dt_group_ranks(const dt_group *group); /* world ranks */
DT_API dt_world *dt_group_world(const dt_group *group);

/* ---- Collectives --------------------------------------------------------- */

/*
 * Wait until all members have called this function.
 *
 * Collective over the group.
 */
DT_API DT_MUST_USE dt_status dt_group_barrier(dt_group *group);

/*
 * Reduce the inputs of all ranks element by element, with the result on every
 * rank.
 *
 * Collective over the group.  Input and output may be the same array.
 */
DT_API DT_MUST_USE dt_status dt_group_all_reduce(dt_group *group, dt_reduce op,
                                                 const dt_array *input,
                                                 dt_array *output);

/*
 * Concatenate the blocks of all ranks, with the result on every rank.
 *
 * Collective over the group.
 */
DT_API DT_MUST_USE dt_status dt_group_all_gather(dt_group *group,
                                                 const dt_array *input,
                                                 const int64_t *counts,
                                                 dt_array *output);

/*
 * Reduce the inputs of all ranks element by element; each rank receives its
 * block of the result.
 *
 * Collective over the group.
 */
DT_API DT_MUST_USE dt_status dt_group_reduce_scatter(dt_group *group,
                                                     dt_reduce op,
                                                     const dt_array *input,
                                                     const int64_t *counts,
                                                     dt_array *output);

/*
 * Send block i of the input to rank i and receive one block from each rank.
 *
 * Collective over the group.  `send_counts` and `receive_counts` are those of
 * this rank: the number that rank i sends to rank j must equal the number that
 * j receives from i.  Either both are NULL or neither is.
 */
DT_API DT_MUST_USE dt_status dt_group_all_to_all(dt_group *group,
                                                 const dt_array *input,
                                                 const int64_t *send_counts,
                                                 const int64_t *receive_counts,
                                                 dt_array *output);

/*
 * Copy the array of the root to all ranks.
 *
 * Collective over the group.
 */
DT_API DT_MUST_USE dt_status dt_group_broadcast(dt_group *group, int root,
                                                dt_array *array);

/*
 * Split the input of the root into blocks; each rank receives one.
 *
 * Collective over the group.  The input of other ranks is ignored and may be
 * NULL.
 */
DT_API DT_MUST_USE dt_status dt_group_scatter(dt_group *group, int root,
                                              const dt_array *input,
                                              const int64_t *counts,
                                              dt_array *output);

/*
 * Concatenate the blocks of all ranks on the root.
 *
 * Collective over the group.  The output of other ranks is ignored and may be
 * NULL.
 */
DT_API DT_MUST_USE dt_status dt_group_gather(dt_group *group, int root,
                                             const dt_array *input,
                                             const int64_t *counts,
                                             dt_array *output);

/*
 * Send an array to one other rank, which must receive the same number of
 * elements.
 *
 * Collective over the two ranks.  May wait for the receiver.  Messages between
 * two ranks arrive in the order in which they were sent.  DT_ERR_INVALID if
 * `to` is this rank.
 */
DT_API DT_MUST_USE dt_status dt_group_send(dt_group *group, int to,
                                           const dt_array *input);

/*
 * Receive an array from one other rank.
 *
 * Collective over the two ranks.
 */
DT_API DT_MUST_USE dt_status dt_group_receive(dt_group *group, int from,
                                              dt_array *output);

/* ---- Asynchronous collectives -------------------------------------------- */

/*
 * Start a collective without waiting for it.  Collective over the
 * group, like the functions above.  The caller releases the handle; releasing
 * it does not cancel the collective.
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
 * Wait until a collective is complete and return its status.  May be called
 * again and returns the same status.
 *
 * Not collective, but it waits for other ranks.  DT_ERR_INVALID for NULL.
 */
DT_API DT_MUST_USE dt_status dt_handle_wait(dt_handle *handle);

/*
 * Make progress without waiting, and return whether a collective has completed
 * or failed.
 *
 * Not collective.  True for NULL, the handle of a collective that could not be
 * started.
 */
DT_API bool dt_handle_test(dt_handle *handle);

/*
 * Release a handle.  NULL is allowed.
 *
 * Not collective.
 */
DT_API void dt_handle_release(dt_handle *handle);

DT_EXTERN_C_END

#endif
