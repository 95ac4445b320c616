/* checkpoint/save.c - saving a state, at once or in the background. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/save.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dtensor/comm.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/log.h"
#include "base/options.h"
#include "base/world.h"
#include "checkpoint/agree.h"
#include "checkpoint/open.h"
#include "checkpoint/sum.h"
#include "checkpoint/values.h"
#include "tensor/tensor.h"

enum { values_unit = 4096 }; /* numbers and texts get a multiple of this */

static const uint64_t usual_file_bytes = UINT64_C(5000000000);

/* ---- What a world keeps
 * --------------------------------------------------------------------- */

/* The plan of the latest save, and a save that is under way; either may be
 * NULL. */
typedef struct saves {
    dti_save_plan *plan;
    dti_save *under_way;
} saves;

static void free_save(dti_save *save);

/* Leave a save that is under way uncommitted. */
static void drop_save(dt_world *world, saves *kept)
{
    if (!kept->under_way)
        return;
    dti_log(world, DT_LOG_WARNING,
            "a save was under way in %s; it is left incomplete and will be "
            "removed by the next save. Call dt_save_wait before the end",
            kept->under_way->path);
    free_save(kept->under_way);
    kept->under_way = NULL;
}

static void close_saves(dt_world *world, void *state)
{
    saves *kept = state;
    drop_save(world, kept);
    dti_save_plan_free(kept->plan);
    free(kept);
}

static void reset_saves(dt_world *world, void *state)
{
    drop_save(world, state);
}

static dt_status clear_saves(dt_world *world, void *state)
{
    saves *kept = state;
    (void)world;
    dti_save_plan_free(kept->plan);
    kept->plan = NULL;
    return DT_OK;
}

static dt_cache_counter count_saves(const void *state)
{
    const saves *kept = state;
    return (dt_cache_counter){.entries = kept->plan != NULL};
}

static const dti_room_functions room_functions = {
    .close = close_saves,
    .reset = reset_saves,
    .count = count_saves,
    .clear = clear_saves,
};

static dt_status open_saves(dt_world *world, saves **out)
{
    *out = dti_world_room(world, DTI_ROOM_CHECKPOINT);
    if (*out)
        return DT_OK;
    saves *kept = calloc(1, sizeof *kept);
    if (!kept)
        return dti_fail_memory(world, sizeof *kept, "a save");
    dti_world_attach(world, DTI_ROOM_CHECKPOINT, kept, &room_functions);
    *out = kept;
    return DT_OK;
}

/* ---- A save
 * ------------------------------------------------------------------------------------
 */

static void free_save(dti_save *save)
{
    if (!save)
        return;
    dti_output_free(&save->output);
    for (size_t i = 0; save->headers && i < save->plan->file_count; i++)
        free(save->headers[i].bytes);
    if (save->began)
        dti_folder_end(&save->folder);
    if (save->memory.data)
        dti_pool_give(save->world->pool, save->memory);
    dti_save_plan_free(save->plan);
    free(save->headers);
    free(save->files);
    free(save->tensors);
    free(save);
}

/* End a save; its plan is kept for the next one. */
static void end_save(saves *kept, dti_save *save)
{
    if (save->plan) {
        dti_save_plan_free(kept->plan);
        kept->plan = save->plan;
    }
    /* Headers are counted by the plan. */
    for (size_t i = 0; save->headers && i < save->plan->file_count; i++)
        free(save->headers[i].bytes);
    free(save->headers);
    save->headers = NULL;
    save->plan = NULL;
    free_save(save);
}

/* Write the numbers and texts of a state. */
static bool write_values(const dt_state *state, char **out, size_t *size)
{
    dti_values_text values;
    if (!dti_values_begin(&values))
        return false;
    for (int64_t i = 0; i < dt_state_count(state); i++) {
        const dt_state_entry *entry = dt_state_at(state, i);
        if (entry->kind != DT_STATE_TENSOR && entry->kind != DT_STATE_ARRAY)
            dti_values_add(&values, entry);
    }
    return dti_values_end(&values, out, size);
}

/* Find the plan of an earlier save, or make one. */
static dt_status find_plan(saves *kept, dti_save *save, const dt_state *state,
                           const dt_save_options *options, size_t values)
{
    dt_world *world = save->world;
    const dti_plan_request request = {
        .state = state,
        .rank = world->rank,
        .file_bytes =
            options->file_bytes ? options->file_bytes : usual_file_bytes,
        .values = (values + values_unit) / values_unit * values_unit};
    if (kept->plan && kept->plan->key == dti_save_plan_key(world, &request) &&
        dti_save_plan_fits(kept->plan, world, state)) {
        save->plan = kept->plan;
        kept->plan = NULL;
        return DT_OK;
    }
    return dti_save_plan_create(world, &request, &save->plan);
}

/* List names for the thread that writes. */
static dt_status list_names(dti_save *save)
{
    const dti_save_plan *plan = save->plan;
    save->files = calloc(plan->file_count + 1, sizeof *save->files);
    save->tensors = calloc(plan->count + 1, sizeof *save->tensors);
    if (!save->files || !save->tensors)
        return dti_fail_memory(save->world, plan->count * sizeof(char *),
                               "a save");
    for (size_t i = 0; i < plan->file_count; i++)
        save->files[i] = plan->files[i].name;
    for (size_t i = 0; i < plan->count; i++)
        save->tensors[i] = plan->tensors[i].form.name;
    save->output.folder = save->path;
    save->output.files = save->files;
    save->output.names = save->tensors;
    return DT_OK;
}

/* Make the bytes of a file before its elements. */
static dt_status make_header(dti_save *save, size_t number, const char *values,
                             size_t values_size)
{
    const dti_plan_file *file = &save->plan->files[number];
    dti_save_header *header = &save->headers[number];
    header->bytes = malloc((size_t)file->data);
    if (!header->bytes)
        return dti_fail_memory(save->world, (size_t)file->data, "a header");
    const dti_header_text_part parts[] = {
        {file->metadata, file->metadata_size},
        {values, number == 0 ? values_size : 0},
        {file->json, file->json_size}};
    dti_header_build(parts, header->bytes, file->data);
    header->hash = dti_sum_of(header->bytes, (size_t)file->data);
    return DT_OK;
}

static dt_status make_headers(dti_save *save, const char *values, size_t size)
{
    if (save->world->rank != 0)
        return DT_OK;
    save->headers = calloc(save->plan->file_count, sizeof *save->headers);
    if (!save->headers)
        return dti_fail_memory(save->world,
                               save->plan->file_count * sizeof *save->headers,
                               "a save");
    for (size_t i = 0; i < save->plan->file_count; i++)
        DTI_TRY(make_header(save, i, values, size));
    return DT_OK;
}

/* Prepare a save: its plan, names and headers.  Collective over the world. */
static dt_status prepare(saves *kept, dti_save *save, const char *folder,
                         const dt_state *state, const dt_save_options *options)
{
    dt_world *world = save->world;
    dt_error error;
    char *values = NULL;
    size_t size = 0;
    if (dti_folder_path(folder, save->step, save->path, sizeof save->path,
                        &error) != DT_OK)
        return dti_fail_with(world, &error);
    dt_status status = write_values(state, &values, &size)
                           ? DT_OK
                           : dti_fail_memory(world, size, "a save");
    /* Numbers and texts are those of rank 0, and so is their size. */
    size_t space = size;
    status = dti_agree(world, status, NULL);
    if (status == DT_OK)
        status = dti_share_text(world, (char *)&space, sizeof space);
    if (status == DT_OK)
        status = find_plan(kept, save, state, options, space);
    if (status == DT_OK)
        status = list_names(save);
    if (status == DT_OK)
        status = make_headers(save, values, size);
    free(values);
    return status;
}

/* Make the folder and the files; rank 0 alone. */
static dt_status make_files(dti_save *save, const char *folder,
                            const dt_save_options *options, dt_error *error)
{
    DTI_TRY(dti_folder_begin(&save->folder, folder, save->step,
                             options->overwrite, options->keep, error));
    save->began = true;
    for (size_t i = 0; i < save->plan->file_count; i++)
        DTI_TRY(dti_folder_make_file(&save->folder, save->plan->files[i].name,
                                     save->plan->files[i].bytes, error));
    return DT_OK;
}

/* Tell whether files of the folder can be written past the page cache, and are
 * not in memory anyway. */
static bool can_write_past(const dti_save *save)
{
    char path[PATH_MAX + 64];
    if (dti_is_in_memory(save->path))
        return false;
    snprintf(path, sizeof path, "%s/%s", save->path, save->files[0]);
    const int opened = open(path, O_WRONLY | O_DIRECT | O_CLOEXEC);
    if (opened >= 0)
        close(opened);
    return opened >= 0;
}

/* Take the memory that bytes are copied to, and start the thread. */
static dt_status start_output(dti_save *save, bool buffered)
{
    dt_world *world = save->world;
    dt_error error;
    const size_t bytes = save->copies
                             ? dti_save_measure(save)
                             : (size_t)DTI_SLOTS * DTI_BLOCK + DTI_PAGE;
    save->staged = !buffered && can_write_past(save);
    save->output.direct = save->staged;
    save->output.held = save->copies;
    if (dti_pool_take(world->pool, bytes, &save->memory) != DT_OK) {
        save->memory.data = NULL;
        return dti_fail_memory(world, bytes, "a save");
    }
    if (save->copies)
        dti_pool_prepare(world->pool, save->memory.data, bytes);
    const uintptr_t into = (uintptr_t)save->memory.data % DTI_PAGE;
    char *aligned = (char *)save->memory.data + (into ? DTI_PAGE - into : 0);
    for (int i = 0; i < DTI_SLOTS && !save->copies; i++)
        save->output.slots[i] = aligned + (size_t)i * DTI_BLOCK;
    if (dti_output_start(&save->output, &error) != DT_OK)
        return dti_fail_with(world, &error);
    return DT_OK;
}

/* Views that had to be copied are read again if they are stale. */
static dt_status refresh(const dt_state *state)
{
    for (int64_t i = 0; i < dt_state_count(state); i++) {
        const dt_state_entry *entry = dt_state_at(state, i);
        if (entry->kind == DT_STATE_TENSOR)
            DTI_TRY(dt_tensor_refresh(entry->tensor));
    }
    return DT_OK;
}

/* Fail if the states of ranks differ. */
static dt_status compare_states(dt_world *world, const dti_save *save,
                                const dt_state *state)
{
    bool same = false;
    DTI_TRY(dti_words_agree(world, save->plan->key, &same));
    if (same)
        return DT_OK;
    return dti_fail(world, DT_ERR_INVALID,
                    "dt_save: the states of ranks differ in names, order, "
                    "shapes or layouts; rank %d has %lld values",
                    world->rank, (long long)dt_state_count(state));
}

/* Begin a save: everything up to the point where all bytes are handed over. */
static dt_status begin(saves *kept, dti_save *save, const char *folder,
                       const dt_state *state, const dt_save_options *options)
{
    dt_world *world = save->world;
    dt_error error = {DT_OK, ""};
    DTI_TRY(refresh(state));
    dt_status status = prepare(kept, save, folder, state, options);
    DTI_TRY(dti_agree(world, status, NULL));
    DTI_TRY(compare_states(world, save, state));
    if (world->rank == 0)
        status = make_files(save, folder, options, &error);
    DTI_TRY(dti_agree(world, status, &error));
    status = start_output(save, options->buffered);
    DTI_TRY(dti_agree(world, status, NULL));
    status = dti_save_fill(save, state);
    dti_output_close(&save->output);
    /* A failure that others do not know of is told at the end. */
    if (status != DT_OK)
        save->failed = world->latest;
    return DT_OK;
}

/* ---- The public functions
 * -------------------------------------------------------------------------- */

/* Check what is the same on all ranks. */
static dt_status check(dt_world *world, const char *folder, int64_t step,
                       const dt_state *state, const char *function)
{
    DTI_TRY(dti_given(state, function, "state"));
    if (!folder || !*folder)
        return dti_fail(world, DT_ERR_INVALID, "%s: folder is %s", function,
                        folder ? "empty" : "NULL");
    if (step < 0)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: step is %lld; expected 0 or more", function,
                        (long long)step);
    return dti_save_check(world, state, function);
}

/* Start a save, and keep it as the one that is under way. */
static dt_status start(dt_world *world, const char *folder, int64_t step,
                       const dt_state *state, const dt_save_options *given,
                       bool copies)
{
    const char *function = copies ? "dt_save_begin" : "dt_save";
    dt_save_options usual = DT_SAVE_OPTIONS_INIT;
    saves *kept = NULL;
    DTI_TRY(check(world, folder, step, state, function));
    const dt_save_options *options = dti_options_read(
        world, given, &usual, sizeof usual, "DT_SAVE_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    if (world->settings.dry_run)
        return DT_OK;
    DTI_TRY(dti_collective_end(world, open_saves(world, &kept)));
    if (kept->under_way)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: a save is under way; call dt_save_wait first",
                        function);
    dti_save *save = calloc(1, sizeof *save);
    if (!save)
        return dti_collective_end(
            world, dti_fail_memory(world, sizeof *save, "a save"));
    save->world = world;
    save->step = step;
    save->copies = copies;
    save->folder.root = -1;
    const dt_status status = begin(kept, save, folder, state, options);
    if (status == DT_OK)
        kept->under_way = save;
    else
        end_save(kept, save);
    return status;
}

/* Complete the save that is under way. */
static dt_status complete(dt_world *world, saves *kept)
{
    dti_save *save = kept->under_way;
    (void)world;
    const dt_status status = dti_save_complete(save);
    kept->under_way = NULL;
    end_save(kept, save);
    return status;
}

dt_status dt_save(dt_world *world, const char *folder, int64_t step,
                  const dt_state *state, const dt_save_options *options)
{
    DTI_ENTRY();
    DTI_TRY(start(world, folder, step, state, options, false));
    return dt_save_wait(world);
}

dt_status dt_save_begin(dt_world *world, const char *folder, int64_t step,
                        const dt_state *state, const dt_save_options *options)
{
    DTI_ENTRY();
    return start(world, folder, step, state, options, true);
}

dt_status dt_save_poll(dt_world *world, bool *done)
{
    saves *kept = dti_world_room(world, DTI_ROOM_CHECKPOINT);
    bool all = true;
    if (kept && kept->under_way)
        DTI_TRY(dti_all(world, dti_output_finished(&kept->under_way->output),
                        &all));
    if (done)
        *done = all;
    return kept && kept->under_way && all ? complete(world, kept) : DT_OK;
}

dt_status dt_save_wait(dt_world *world)
{
    saves *kept = dti_world_room(world, DTI_ROOM_CHECKPOINT);
    return kept && kept->under_way ? complete(world, kept) : DT_OK;
}
