/* comm/timeline.c - the timelines of all ranks in one file. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"
#include "trace/timeline.h"

/* This rank's part, as an array of bytes. */
static dt_status write_part(dt_world *world, dt_array **out)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return dti_fail_memory(world, BUFSIZ, "a timeline");
    dti_timeline_write(world, stream);
    bool failed = ferror(stream);
    failed |= fclose(stream) != 0;
    dt_status status = DT_OK;
    if (failed)
        status = dti_fail_memory(world, length, "a timeline");
    else
        status = dt_array_create(world, DT_U8, DT_SHAPE((int64_t)length), out);
    if (status == DT_OK)
        memcpy(dt_array_data(*out), text, length);
    free(text);
    return status;
}

/* Tell all ranks how long each part is. */
static dt_status gather_lengths(dt_world *world, const dt_array *part,
                                dt_array **out)
{
    dt_array *own = NULL;
    DTI_TRY(dt_array_create(world, DT_I64, DT_SHAPE(world->size), out));
    DTI_TRY(dt_array_create(world, DT_I64, DT_SHAPE(1), &own));
    *(int64_t *)dt_array_data(own) = part->count;
    dt_status status =
        dt_group_all_gather(dt_world_group(world), own, NULL, *out);
    dt_array_release(own);
    return status;
}

/* Bring all parts to rank 0, one behind the other; NULL on the others. */
static dt_status gather_parts(dt_world *world, const dt_array *part,
                              const int64_t *lengths, dt_array **out)
{
    int64_t total = 0;
    for (int i = 0; i < world->size; i++)
        total += lengths[i];
    if (world->rank == 0)
        DTI_TRY(dt_array_create(world, DT_U8, DT_SHAPE(total), out));
    return dt_group_gather(dt_world_group(world), 0, part, lengths, *out);
}

static dt_status write_file(dt_world *world, const dt_array *parts,
                            const int64_t *lengths, const char *path)
{
    const char *text = dt_array_const_data(parts);
    dt_file *file = NULL;
    DTI_TRY(dti_timeline_create(world, path, &file));
    FILE *stream = dt_file_stream(file);
    for (int i = 0; stream && i < world->size; i++) {
        if (i > 0)
            fputs(",\n", stream);
        fwrite(text, 1, (size_t)lengths[i], stream);
        text += lengths[i];
    }
    return dti_timeline_commit(world, file);
}

/* Let all ranks know how rank 0 fared. */
static dt_status share_status(dt_world *world, dt_status status)
{
    dt_array *word = NULL;
    dt_error own = world->latest;
    DTI_TRY(dt_array_create(world, DT_I32, DT_SHAPE(1), &word));
    int32_t *code = dt_array_data(word);
    *code = (int32_t)status;
    dt_status told = dt_group_broadcast(dt_world_group(world), 0, word);
    status = (dt_status)*code;
    dt_array_release(word);
    if (told != DT_OK || status == DT_OK)
        return told;
    if (world->rank == 0)
        return dti_fail_with(world, &own);
    return dti_fail(world, status,
                    "dt_trace_save_all: rank 0 could not write the file; see "
                    "the error of rank 0");
}

static dt_status save(dt_world *world, const char *path, dt_array **part,
                      dt_array **lengths, dt_array **all)
{
    DTI_TRY(write_part(world, part));
    DTI_TRY(gather_lengths(world, *part, lengths));
    const int64_t *counts = dt_array_const_data(*lengths);
    DTI_TRY(gather_parts(world, *part, counts, all));
    dt_status status =
        world->rank == 0 ? write_file(world, *all, counts, path) : DT_OK;
    return share_status(world, status);
}

dt_status dt_trace_save_all(dt_world *world, const char *path)
{
    dt_array *part = NULL, *lengths = NULL, *all = NULL;
    if (!dti_comm_of(world)->transport->moves_data)
        return dt_trace_save(world, path);
    dt_status status = save(world, path, &part, &lengths, &all);
    /* Memory is short on this rank alone. */
    if (status == DT_ERR_NO_MEMORY)
        dt_world_poison(world);
    dt_array_release(part);
    dt_array_release(lengths);
    dt_array_release(all);
    return status;
}
