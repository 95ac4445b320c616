/* redistribute/exchange.c - boxes that go from every rank to every other. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/exchange.h"

#include <stdlib.h>

#include "base/error.h"
#include "comm/comm.h"
#include "redistribute/boxes.h"
#include "redistribute/partial.h"

/* What goes through a buffer: elements for each member. */
typedef struct parcel {
    dt_array *counts;
    dt_array *packed;
} parcel;

static void free_parcel(parcel *p)
{
    dt_array_release(p->counts);
    dt_array_release(p->packed);
}

/* Count what goes from a member to another. */
static int64_t count_between(const dti_exchange *e, int from, int to)
{
    int64_t count = 0;
    dti_meeting at;
    for (int i = 0; i <= e->more; i++)
        if (e->meet(e->arg, i, from, to, &at))
            count += dti_overlap_count(&at.given, &at.taken);
    return count;
}

/* Count what goes from this rank to each member, or comes from it. */
static dt_status open_parcel(const dti_exchange *e, bool sends, parcel *p)
{
    int size = dt_group_size(e->group), own = dt_group_rank(e->group);
    int64_t total = 0;
    DTI_TRY(dt_array_create(e->world, DT_I64, DT_SHAPE(size), &p->counts));
    int64_t *counts = dt_array_data(p->counts);
    for (int i = 0; i < size; i++) {
        counts[i] = count_between(e, sends ? own : i, sends ? i : own);
        total += counts[i];
    }
    return dt_array_create(e->world, e->dtype, DT_SHAPE(total), &p->packed);
}

/* A rank may have no input. */
static dt_status settle_input(const dti_exchange *e, const dt_array *input)
{
    return input ? dti_array_settle(e->world, input) : DT_OK;
}

static void pack(const dti_exchange *e, const dt_array *input, parcel *p)
{
    dti_meeting at;
    char *packed = dt_array_data(p->packed);
    if (!packed)
        return;
    dti_block_view view = dti_view_array(input, false);
    for (int i = 0; i < dt_group_size(e->group); i++)
        for (int j = 0; j <= e->more; j++)
            if (e->meet(e->arg, j, dt_group_rank(e->group), i, &at))
                packed += dti_pack_shared(&at.given, &view, &at.taken, packed,
                                          dt_dtype_size(e->dtype));
}

/* Unpack what came from one member; gives the bytes. */
static size_t unpack_from(const dti_exchange *e, int member, const char *packed,
                          dt_array *output)
{
    dti_meeting at;
    size_t bytes = 0;
    for (int i = 0; i <= e->more; i++) {
        if (!e->meet(e->arg, i, member, dt_group_rank(e->group), &at))
            continue;
        dti_block_view view = dti_view_array(output, true);
        view.data += at.skipped;
        if (e->dense)
            view =
                dti_view_dense(view.data, &at.taken, dt_dtype_size(e->dtype));
        bytes += dti_unpack_shared(&at.given, packed + bytes, &at.taken, &view,
                                   dt_dtype_size(e->dtype));
    }
    return bytes;
}

static dt_status unpack(const dti_exchange *e, const parcel *p,
                        dt_array *output)
{
    if (e->instead)
        DTI_TRY(dti_partial_fill(e->world, *e->instead, p->packed));
    const char *packed = dt_array_const_data(p->packed);
    for (int i = 0; packed && i < dt_group_size(e->group); i++)
        packed += unpack_from(e, i, packed, output);
    return DT_OK;
}

dt_status dti_exchange_run(const dti_exchange *e, const dt_array *input,
                           dt_array *output)
{
    parcel sent = {0}, received = {0};
    DTI_TRY(settle_input(e, input));
    dt_status status = open_parcel(e, true, &sent);
    if (status == DT_OK)
        status = open_parcel(e, false, &received);
    if (status == DT_OK) {
        pack(e, input, &sent);
        status = dt_group_all_to_all(
            e->group, sent.packed, dt_array_const_data(sent.counts),
            dt_array_const_data(received.counts), received.packed);
    }
    if (status == DT_OK)
        status = unpack(e, &received, output);
    free_parcel(&sent);
    free_parcel(&received);
    return status;
}

static dt_status list_from(const dti_exchange *e, int member, int own,
                           dti_tiles *tiles)
{
    dti_meeting at;
    int64_t item = (int64_t)dt_dtype_size(e->dtype);
    for (int i = 0; i <= e->more; i++)
        if (e->meet(e->arg, i, member, own, &at))
            DTI_TRY(dti_tiles_add(tiles, member, &at.given, &at.taken, item,
                                  at.skipped));
    return DT_OK;
}

/* Members are gone through from the one behind this rank, so that they do not
 * all read from one. */
dt_status dti_exchange_list(const dti_exchange *e, dti_tiles *tiles,
                            dt_tiling *tiling)
{
    int size = e->group ? dt_group_size(e->group) : 1;
    int own = e->group ? dt_group_rank(e->group) : 0;
    for (int i = 1; i <= size; i++) {
        int member = (own + i) % size;
        DTI_TRY(list_from(e, member, own, tiles));
        if (member == own)
            continue;
        tiling->received += count_between(e, member, own);
        tiling->sent += count_between(e, own, member);
    }
    tiling->tiles = tiles->list;
    tiling->count = tiles->count;
    return DT_OK;
}

dt_status dti_exchange_dense(const dti_exchange *e, uint64_t tag,
                             const dt_array *input, dt_array *output)
{
    dti_tiles tiles = {.world = e->world};
    dt_tiling tiling = {.tag = tag};
    dti_exchange dense = *e;
    dense.dense = true;
    if (!dti_comm_of(e->world)->transport->takes_tiles)
        return dti_exchange_run(&dense, input, output);
    dt_status status = dti_exchange_list(e, &tiles, &tiling);
    if (status == DT_OK)
        status = dti_group_tiles(e->group, DT_ALL_TO_ALL, DT_SUM, &tiling,
                                 input, output, NULL);
    free(tiles.list);
    return status;
}

dt_status dti_exchange_combine(const dti_exchange *e, dt_reduce op,
                               const dt_array *input, dt_array *output)
{
    parcel sent = {0};
    dt_array *kept = NULL;
    int own = dt_group_rank(e->group);
    DTI_TRY(settle_input(e, input));
    dt_status status = open_parcel(e, true, &sent);
    if (status == DT_OK) {
        const int64_t *counts = dt_array_const_data(sent.counts);
        status =
            dt_array_create(e->world, e->dtype, DT_SHAPE(counts[own]), &kept);
    }
    if (status == DT_OK) {
        pack(e, input, &sent);
        status = dt_group_reduce_scatter(
            e->group, op, sent.packed, dt_array_const_data(sent.counts), kept);
    }
    if (status == DT_OK && kept->count > 0)
        unpack_from(e, own, dt_array_const_data(kept), output);
    dt_array_release(kept);
    free_parcel(&sent);
    return status;
}
