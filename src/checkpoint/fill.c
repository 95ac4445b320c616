/* checkpoint/fill.c - what a rank hands to the thread that writes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/comm.h>

#include "array/array.h"
#include "array/copy.h"
#include "base/error.h"
#include "base/world.h"
#include "checkpoint/save.h"

enum { most_parts = 256 }; /* of a job */

/*
 * Where bytes come from: an array whose elements in row-major order are those
 * of the tensor from byte `first` on.  `data` is its first element if it is
 * contiguous, NULL otherwise.
 */
typedef struct source {
    size_t tensor;
    uint64_t first;
    const dt_array *array;
    const char *data;
    bool brief; /* the array is released before its bytes are written */
} source;

/* The job that is being filled. */
typedef struct filling {
    dti_save *save;
    bool open;
    dti_job job;
    char *memory; /* of the job's first byte */
    dti_part parts[most_parts];
    char *free;       /* of the copy: what is not used yet */
    dt_status status; /* the first failure */
} filling;

static void keep_failure(filling *to, dt_status status)
{
    if (to->status == DT_OK)
        to->status = status;
}

/* Hand over the job. */
static void submit(filling *to)
{
    if (!to->open)
        return;
    to->open = false;
    if (dti_output_add(&to->save->output, to->job, to->parts) != DT_OK)
        keep_failure(
            to, dti_fail_memory(to->save->world, sizeof(dti_job), "a save"));
}

/* Where in a copy the bytes of a job go: as far into a page as in the file. */
static char *place_copy(char *from, uint64_t offset)
{
    const uintptr_t wanted = (uintptr_t)(offset % DTI_PAGE);
    const uintptr_t at = (uintptr_t)from % DTI_PAGE;
    return from + (wanted + DTI_PAGE - at) % DTI_PAGE;
}

/* Tell whether bytes at an offset of a file are part of the job. */
static bool continues(const filling *to, size_t file, uint64_t offset)
{
    return to->open && to->job.file == file &&
           to->job.offset + to->job.bytes == offset &&
           offset % DTI_BLOCK != 0 && to->job.part_count < most_parts;
}

/* Begin a job whose bytes are copied. */
static void begin(filling *to, size_t file, uint64_t offset)
{
    dti_save *save = to->save;
    submit(to);
    to->job = (dti_job){.file = file, .offset = offset, .slot = -1};
    if (save->copies) {
        to->memory = place_copy(to->free, offset);
    } else {
        to->job.slot = dti_output_take(&save->output);
        to->memory = save->output.slots[to->job.slot] + offset % DTI_BLOCK;
    }
    to->job.data = to->memory;
    to->open = true;
}

/* Copy bytes of a source, from byte `from` of its array on. */
static void copy(const source *in, uint64_t from, char *out, size_t bytes)
{
    const uint64_t item = dti_dtype_size(in->array->dtype);
    if (in->data)
        dti_copy_stream(out, in->data + from, bytes);
    else
        dti_array_gather(in->array, (int64_t)(from / item),
                         (int64_t)(bytes / item), out);
}

/* Put bytes that do not cross a block: refer to them, or copy them. */
static void put_part(filling *to, const source *in, dti_part part)
{
    dti_save *save = to->save;
    const dti_plan_tensor *tensor = &save->plan->tensors[in->tensor];
    const uint64_t offset =
        save->plan->files[tensor->file].data + tensor->form.begin + part.first;
    const uint64_t from = part.first - in->first;
    if (!save->copies && !save->staged && in->data && !in->brief) {
        submit(to);
        to->job = (dti_job){.file = tensor->file,
                            .offset = offset,
                            .data = in->data + from,
                            .bytes = (size_t)part.bytes,
                            .part_count = 1,
                            .slot = -1};
        to->parts[0] = part;
        to->open = true;
        submit(to);
        return;
    }
    if (!continues(to, tensor->file, offset))
        begin(to, tensor->file, offset);
    copy(in, from, to->memory + to->job.bytes, (size_t)part.bytes);
    to->job.bytes += (size_t)part.bytes;
    to->parts[to->job.part_count++] = part;
    to->free = to->memory + to->job.bytes;
}

/* Put a range of a tensor's bytes. */
static void put(filling *to, const source *in, uint64_t first, uint64_t bytes)
{
    const dti_save_plan *plan = to->save->plan;
    const dti_plan_tensor *tensor = &plan->tensors[in->tensor];
    const uint64_t begins = plan->files[tensor->file].data + tensor->form.begin;
    while (bytes > 0) {
        const uint64_t left = DTI_BLOCK - (begins + first) % DTI_BLOCK;
        const uint64_t part = bytes < left ? bytes : left;
        put_part(
            to, in,
            (dti_part){.tensor = in->tensor, .first = first, .bytes = part});
        first += part;
        bytes -= part;
    }
}

/* ---- Tensors
 * -------------------------------------------------------------------------- */

/* Put what this rank stores of a tensor. */
static void put_local(filling *to, size_t number, const dt_array *array)
{
    const dti_plan_tensor *tensor = &to->save->plan->tensors[number];
    dt_world *world = to->save->world;
    if (!tensor->bytes)
        return;
    const dt_status status = dti_array_settle(world, array);
    if (status != DT_OK) {
        keep_failure(to, status);
        return;
    }
    const source in = {.tensor = number,
                       .first = tensor->first - tensor->local,
                       .array = array,
                       .data =
                           array->contiguous ? dti_array_address(array) : NULL};
    put(to, &in, tensor->first, tensor->bytes);
}

/* Read a piece of a tensor, which may be none, from whoever stores it. */
static dt_status read_piece(filling *to, dt_tensor *tensor, const dt_box *box,
                            dt_array **out)
{
    dt_array *piece = NULL;
    if (box) {
        const dt_status made =
            dt_array_create(to->save->world, dt_tensor_dtype(tensor),
                            dt_shape_make(box->ndim, box->size), &piece);
        if (made != DT_OK)
            keep_failure(to, made);
    }
    const dt_status status = dt_tensor_get(tensor, piece ? box : NULL, piece);
    if (status == DT_OK)
        *out = piece;
    else
        dt_array_release(piece);
    return status;
}

/* Put the pieces of a tensor that are this rank's; each round, every rank of
 * the mesh reads one. */
static dt_status put_pieces(filling *to, size_t number, dt_tensor *from)
{
    const dti_plan_tensor *tensor = &to->save->plan->tensors[number];
    const dt_mesh *mesh = dt_spec_mesh(tensor->spec);
    const int *ranks = dt_mesh_ranks(mesh);
    const int64_t size = dt_mesh_size(mesh);
    int64_t place = 0;
    if (!dt_mesh_is_member(mesh))
        return DT_OK;
    while (ranks[place] != to->save->world->rank)
        place++;
    place = (place + size - tensor->pieces.turn % size) % size;
    for (int64_t first = 0; first < tensor->pieces.count; first += size) {
        const int64_t piece = first + place;
        const bool mine = piece < tensor->pieces.count;
        uint64_t byte = 0;
        dt_box box = {0};
        dt_array *array = NULL;
        if (mine)
            box = dti_piece_box(tensor, piece, &byte);
        DTI_TRY(read_piece(to, from, mine ? &box : NULL, &array));
        if (array) {
            const source in = {.tensor = number,
                               .first = byte,
                               .array = array,
                               .data = dti_array_address(array),
                               .brief = true};
            put(to, &in, byte, dt_array_bytes(array));
        }
        dt_array_release(array);
    }
    return DT_OK;
}

/* Put the header of a file, which has no parts. */
static void put_header(filling *to, size_t file)
{
    dti_save *save = to->save;
    submit(to);
    to->job = (dti_job){.file = file,
                        .data = save->headers[file].bytes,
                        .bytes = (size_t)save->plan->files[file].data,
                        .slot = -1};
    to->open = true;
    submit(to);
}

dt_status dti_save_fill(dti_save *save, const dt_state *state)
{
    dt_world *world = save->world;
    filling to = {.save = save, .free = save->memory.data};
    for (size_t f = 0; f < save->plan->file_count; f++) {
        const dti_plan_file *file = &save->plan->files[f];
        if (world->rank == 0)
            put_header(&to, f);
        for (size_t i = file->first; i < file->first + file->count; i++) {
            const dti_plan_tensor *tensor = &save->plan->tensors[i];
            const dt_state_entry *entry = dt_state_at(state, tensor->entry);
            if (tensor->exchanged) {
                DTI_TRY(put_pieces(&to, i, entry->tensor));
                continue;
            }
            const dt_array *array = dti_lone_array(world, entry);
            put_local(&to, i, array ? array : dt_tensor_local(entry->tensor));
        }
    }
    submit(&to);
    return to.status;
}

size_t dti_save_measure(const dti_save *save)
{
    const dti_save_plan *plan = save->plan;
    uint64_t bytes = DTI_PAGE;
    for (size_t i = 0; i < plan->count; i++) {
        const dti_plan_tensor *tensor = &plan->tensors[i];
        uint64_t own = tensor->bytes, ranges = own > 0;
        if (tensor->exchanged) {
            const int64_t size = dt_mesh_size(dt_spec_mesh(tensor->spec));
            const uint64_t all = tensor->form.end - tensor->form.begin;
            ranges = (uint64_t)((tensor->pieces.count + size - 1) / size);
            uint64_t byte;
            const dt_box box = dti_piece_box(tensor, 0, &byte);
            const uint64_t piece =
                (uint64_t)dt_shape_count(dt_shape_make(box.ndim, box.size)) *
                (uint64_t)tensor->form.dtype->bits / 8;
            own = ranges * piece < all ? ranges * piece : all;
        }
        /* Every range may begin a job, and so may every block in it; each
         * begins as far into a page as in the file. */
        bytes += own + (ranges + own / DTI_BLOCK + ranges) * DTI_PAGE;
    }
    return (size_t)bytes;
}
