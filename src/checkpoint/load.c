/* checkpoint/load.c - loading a checkpoint into tensors of any layout. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "base/text/reader.h"
#include "base/world.h"
#include "checkpoint/agree.h"
#include "checkpoint/match.h"
#include "checkpoint/place.h"
#include "checkpoint/plan.h"
#include "checkpoint/verify.h"
#include "tensor/tensor.h"
#include "tensor/version.h"
#include "tensor/view.h"

/* A load under way. */
typedef struct load {
    dt_world *world;
    const dt_load_options *options;
    dt_state *state;
    dt_saved *checkpoint;
    dti_match *matches; /* one for each value of the state */
} load;

/* ---- Finding the checkpoint
 * ----------------------------------------------------------------- */

/* Let rank 0 find out which folder or file is meant, so that all ranks open the
 * same. */
static dt_status resolve(load *at, const char *path, char *out)
{
    dt_error error = {DT_OK, ""};
    dt_status status = DT_OK;
    memset(out, 0, PATH_MAX);
    if (at->world->rank == 0) {
        char *found = NULL;
        status = dti_checkpoint_resolve(path, &found, &error);
        if (status == DT_OK)
            snprintf(out, PATH_MAX, "%s", found);
        free(found);
    }
    DTI_TRY(dti_agree(at->world, status, &error));
    return dti_share_text(at->world, out, PATH_MAX);
}

static dt_status open_checkpoint(load *at, const char *path)
{
    char found[PATH_MAX];
    dt_error error = {DT_OK, ""};
    DTI_TRY(resolve(at, path, found));
    const dt_status status =
        dti_checkpoint_open_at(found, &at->checkpoint, &error);
    return dti_agree(at->world, status, &error);
}

static dt_status verify(load *at)
{
    const dti_share share = {at->world->rank, at->world->size};
    dt_error error = {DT_OK, ""};
    if (!at->options->verify)
        return DT_OK;
    const dt_status status =
        dti_checkpoint_verify(at->checkpoint, share, NULL, NULL, NULL, &error);
    return dti_agree(at->world, status, &error);
}

/* ---- Loading
 * ---------------------------------------------------------------------------------
 */

/* Load the boxes of a tensor that this rank stores. */
static dt_status load_boxes(load *at, const dti_open_tensor *from,
                            const dt_tensor *tensor)
{
    int64_t count = 0, capacity = 0;
    dt_shard_box *boxes = NULL;
    DTI_TRY(dt_tensor_shard_boxes(tensor, NULL, 0, &capacity));
    if (!capacity)
        return DT_OK;
    boxes = malloc((size_t)capacity * sizeof *boxes);
    if (!boxes)
        return dti_fail_memory(at->world, (size_t)capacity * sizeof *boxes,
                               "a list of boxes");
    dt_status status = dt_tensor_shard_boxes(tensor, boxes, capacity, &count);
    for (int64_t i = 0; i < count && status == DT_OK; i++)
        status = dti_place_box(at->world, at->checkpoint, from, &boxes[i].box,
                               tensor->local, boxes[i].local);
    free(boxes);
    return status;
}

/* Load a tensor.  A copied view is written through to its base, which is
 * collective: a failure of this rank alone does not keep it from that. */
static dt_status load_tensor(load *at, const dti_open_tensor *from,
                             const dt_state_entry *entry, dt_status *failure)
{
    dt_tensor *tensor = entry->tensor;
    DTI_TRY(dti_write_begin(tensor, true));
    dti_version_raise(tensor, "load");
    const dt_status status = load_boxes(at, from, tensor);
    if (*failure == DT_OK)
        *failure = status;
    return dti_write_end(tensor);
}

/* Load an array, all of it. */
static dt_status load_array(load *at, const dti_open_tensor *from,
                            dt_array *array)
{
    const int64_t local[DT_MAX_NDIM] = {0};
    const dt_shape shape = dt_array_shape(array);
    dt_box box = {.ndim = shape.ndim};
    memcpy(box.size, shape.dims, sizeof box.size);
    return dti_place_box(at->world, at->checkpoint, from, &box, array, local);
}

/* Load all elements; what fails on this rank alone is in `failure`. */
static dt_status load_elements(load *at, dt_status *failure)
{
    for (int64_t i = 0; i < dt_state_count(at->state); i++) {
        const dti_open_tensor *from = at->matches[i].tensor;
        const dt_state_entry *entry = dt_state_at(at->state, i);
        if (!from)
            continue;
        if (entry->kind == DT_STATE_TENSOR) {
            DTI_TRY(load_tensor(at, from, entry, failure));
            continue;
        }
        const dt_status status = load_array(at, from, entry->array);
        if (*failure == DT_OK)
            *failure = status;
    }
    return DT_OK;
}

/* Set numbers and texts. */
static dt_status set_values(load *at)
{
    for (int64_t i = 0; i < dt_state_count(at->state); i++) {
        const dt_state_entry *from = at->matches[i].value;
        const dt_state_entry *to = dt_state_at(at->state, i);
        if (!from)
            continue;
        if (to->kind == DT_STATE_TEXT)
            DTI_TRY(dt_state_set_text(at->state, to->name, from->text));
        else if (to->kind == DT_STATE_INTEGER)
            DTI_TRY(dt_state_set_integer(at->state, to->name, from->integer));
        else
            DTI_TRY(dt_state_set_real(at->state, to->name,
                                      from->kind == DT_STATE_REAL
                                          ? from->real
                                          : (double)from->integer));
    }
    return DT_OK;
}

/* Check what may be wrong on this rank alone: memory that cannot be written. */
static dt_status check_memory(const load *at)
{
    for (int64_t i = 0; i < dt_state_count(at->state); i++) {
        const dt_state_entry *entry = dt_state_at(at->state, i);
        if (entry->kind == DT_STATE_ARRAY)
            DTI_TRY(dti_array_check_writable(at->world, entry->array));
        else if (entry->kind == DT_STATE_TENSOR &&
                 dt_mesh_is_member(dt_tensor_mesh(entry->tensor)))
            DTI_TRY(dti_write_check_memory(entry->tensor));
    }
    return DT_OK;
}

static dt_status run(load *at, const char *path)
{
    dt_status failure = DT_OK;
    DTI_TRY(open_checkpoint(at, path));
    dt_status status = dti_match_state(at->world, at->checkpoint, at->state,
                                       at->options, &at->matches);
    if (status == DT_OK)
        status = check_memory(at);
    DTI_TRY(dti_agree(at->world, status, NULL));
    DTI_TRY(verify(at));
    DTI_TRY(dti_collective_end(at->world, load_elements(at, &failure)));
    if (failure == DT_OK)
        failure = set_values(at);
    return dti_agree(at->world, failure, NULL);
}

/* ---- The public function
 * ---------------------------------------------------------------------- */

/* Check what is the same on all ranks. */
static dt_status check(dt_world *world, const char *path, const dt_state *state,
                       const dt_load_options *options)
{
    if (!path || !*path)
        return dti_fail(world, DT_ERR_INVALID, "dt_load: path is %s",
                        path ? "empty" : "NULL");
    for (int i = 0; i < options->rename_count; i++)
        if (!options->renames || !options->renames[i].from ||
            !options->renames[i].to)
            return dti_fail(world, DT_ERR_INVALID,
                            "dt_load: rule %d that renames is NULL", i);
    for (int64_t i = 0; i < dt_state_count(state); i++) {
        const dt_state_entry *entry = dt_state_at(state, i);
        if (entry->kind != DT_STATE_TENSOR)
            continue;
        if (dt_spec_is_partial(dt_tensor_spec(entry->tensor)))
            return dti_fail(world, DT_ERR_INVALID,
                            "dt_load: tensor " DTI_QUOTED
                            " is partial; redistribute it first",
                            entry->name);
        DTI_TRY(dti_write_check(entry->tensor, "dt_load", entry->name));
    }
    return DT_OK;
}

dt_status dt_load(dt_world *world, const char *path, dt_state *state,
                  const dt_load_options *options)
{
    DTI_ENTRY();
    dt_load_options usual = DT_LOAD_OPTIONS_INIT;
    DTI_TRY(dti_given(state, __func__, "state"));
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_LOAD_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    DTI_TRY(check(world, path, state, options));
    if (world->settings.dry_run)
        return DT_OK;
    load at = {.world = world, .options = options, .state = state};
    const dt_status status = run(&at, path);
    free(at.matches);
    dt_saved_close(at.checkpoint);
    return status;
}
