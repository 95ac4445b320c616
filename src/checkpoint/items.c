/* checkpoint/items.c - what a rank writes, for programs that write other
 * formats. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/checkpoint.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/world.h"
#include "checkpoint/plan.h"

/* A list that is being written. */
typedef struct items {
    const dt_state *state;
    int rank;
    dt_write_item *list;
    int64_t capacity, count;
} items;

static void add(items *to, const dti_plan_tensor *tensor, uint64_t first,
                uint64_t bytes)
{
    if (to->count < to->capacity)
        to->list[to->count] =
            (dt_write_item){.name = dt_state_at(to->state, tensor->entry)->name,
                            .rank = to->rank,
                            .first = first,
                            .bytes = bytes,
                            .local = !tensor->exchanged};
    to->count++;
}

/* Add the pieces of a tensor that a rank writes. */
static void add_pieces(items *to, const dti_plan_tensor *tensor)
{
    const dt_mesh *mesh = dt_spec_mesh(tensor->spec);
    const int *ranks = dt_mesh_ranks(mesh);
    for (int64_t i = 0; i < tensor->pieces.count; i++) {
        uint64_t first;
        if (ranks[(i + tensor->pieces.turn) % dt_mesh_size(mesh)] != to->rank)
            continue;
        const dt_box box = dti_piece_box(tensor, i, &first);
        add(to, tensor, first,
            (uint64_t)dt_shape_count(dt_shape_make(box.ndim, box.size)) *
                (uint64_t)tensor->form.dtype->bits / 8);
    }
}

dt_status dt_save_items(dt_world *world, const dt_state *state, int rank,
                        dt_write_item *list, int64_t capacity, int64_t *count)
{
    dti_save_plan *plan = NULL;
    items to = {.state = state,
                .rank = rank,
                .list = list,
                .capacity = list ? capacity : 0};
    const dti_plan_request request = {
        .state = state, .rank = rank, .file_bytes = UINT64_MAX / 2};
    DTI_TRY(dti_given(state, __func__, "state"));
    if (rank < 0 || rank >= world->size)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_save_items: rank %d of a world of %d ranks", rank,
                        world->size);
    DTI_TRY(dti_save_check(world, state, __func__));
    DTI_TRY(dti_save_plan_create(world, &request, &plan));
    for (size_t i = 0; i < plan->count; i++) {
        const dti_plan_tensor *tensor = &plan->tensors[i];
        if (tensor->exchanged)
            add_pieces(&to, tensor);
        else if (tensor->bytes)
            add(&to, tensor, tensor->first, tensor->bytes);
    }
    dti_save_plan_free(plan);
    *count = to.count;
    return DT_OK;
}
