/* redistribute/exchange.h - boxes that go from every rank to every other. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_EXCHANGE_H
#define DTI_REDISTRIBUTE_EXCHANGE_H

#include "array/array.h"
#include "layout/part.h"

/* What one member has to give and what another takes: they exchange what the
 * two parts share. */
typedef struct dti_meeting {
    dti_part given;  /* how the giver's array lies */
    dti_part taken;  /* how the taker's array lies, from `skipped` on */
    int64_t skipped; /* bytes */
} dti_meeting;

/*
 * One exchange.  All members find the same meetings.
 */
typedef struct dti_exchange {
    dt_world *world;
    dt_group *group;
    dt_dtype dtype;
    /* Find the meeting of two members; false if they have none. */
    bool (*meet)(const void *arg, int from, int to, dti_meeting *out);
    const void *arg;
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
 * Pack, combine and unpack: every member takes its part of what all of them
 * give to it.
 *
 * Collective over the group.
 */
dt_status dti_exchange_combine(const dti_exchange *exchange, dt_reduce op,
                               const dt_array *input, dt_array *output);

#endif
