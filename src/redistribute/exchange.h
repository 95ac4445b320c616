/* redistribute/exchange.h - boxes that go from every rank to every other. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_EXCHANGE_H
#define DTI_REDISTRIBUTE_EXCHANGE_H

#include "array/array.h"
#include "redistribute/tiles.h"

/* What one member has to give and what another takes: they exchange what the
 * two parts share. */
typedef struct dti_meeting {
    dti_part given;  /* how the giver's array lies */
    dti_part taken;  /* how the taker's array lies, from `skipped` on */
    int64_t skipped; /* bytes; used by the taker alone */
} dti_meeting;

/*
 * One exchange.  All members find the same meetings.
 */
typedef struct dti_exchange {
    dt_world *world;
    dt_group *group; /* NULL: this rank alone */
    dt_dtype dtype;
    /* Find a meeting of two members, by number; false if it does not come
     * about. */
    bool (*meet)(const void *arg, int number, int from, int to,
                 dti_meeting *out);
    const void *arg;
    int more;   /* meetings of two members, besides the first */
    bool dense; /* what is taken lies densely in the output, from `skipped` on,
                   and not as that lies */
    const double *instead; /* what changes nothing, written in place of what
                              came; NULL: what came */
} dti_exchange;

/*
 * Pack, send and unpack.
 *
 * Collective over the group.  `input` is not read where this rank gives nothing
 * and may be NULL then; so may `output`.
 */
dt_status dti_exchange_run(const dti_exchange *exchange, const dt_array *input,
                           dt_array *output);

/*
 * List what this rank takes, as it lies densely on every member, and count what
 * comes and goes.
 *
 * Not collective.
 */
dt_status dti_exchange_list(const dti_exchange *exchange, dti_tiles *tiles,
                            dt_tiling *tiling);

/*
 * The same as dti_exchange_run with arrays that are dense on every member,
 * which are read where they lie if the transport can.  Ranks that mean the same
 * give the same tag.
 *
 * Collective over the group.
 */
dt_status dti_exchange_dense(const dti_exchange *exchange, uint64_t tag,
                             const dt_array *input, dt_array *output);

/*
 * Pack, combine and unpack: every member takes its part of what all of them
 * give to it.
 *
 * Collective over the group.
 */
dt_status dti_exchange_combine(const dti_exchange *exchange, dt_reduce op,
                               const dt_array *input, dt_array *output);

#endif
