/* checkpoint/complete.c - the end of a save: sums, index, manifest, commit. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/array.h>
#include <dtensor/comm.h>

#include "base/error.h"
#include "base/text/json.h"
#include "base/text/reader.h"
#include "base/world.h"
#include "checkpoint/agree.h"
#include "checkpoint/manifest.h"
#include "checkpoint/save.h"
#include "tensor/tensor.h"

/* ---- Sums
 * --------------------------------------------------------------------------------
 */

enum { words = sizeof(dti_part) / sizeof(uint64_t) };

/* Gather how many parts each rank has, times the words of a part. */
static dt_status gather_counts(dt_world *world, size_t parts, int64_t *counts)
{
    dt_array *own = NULL, *all = NULL;
    dt_status status = dt_array_create(world, DT_I64, DT_SHAPE(1), &own);
    if (status == DT_OK)
        status = dt_array_create(world, DT_I64, DT_SHAPE(world->size), &all);
    if (status == DT_OK) {
        *(int64_t *)dt_array_data(own) = (int64_t)parts * words;
        status = dt_group_all_gather(dt_world_group(world), own, NULL, all);
    }
    if (status == DT_OK)
        memcpy(counts, dt_array_const_data(all),
               (size_t)world->size * sizeof *counts);
    dt_array_release(own);
    dt_array_release(all);
    return status;
}

/* Gather the parts of all ranks on rank 0. */
static dt_status gather_parts(dti_save *save, dti_part **out, size_t *count)
{
    dt_world *world = save->world;
    const dti_output *output = &save->output;
    dt_array *own = NULL, *all = NULL;
    int64_t *counts = malloc((size_t)world->size * sizeof *counts);
    if (!counts)
        return dti_fail_memory(world, (size_t)world->size * sizeof *counts,
                               "a save");
    int64_t total = 0;
    dt_status status = gather_counts(world, output->part_count, counts);
    for (int i = 0; status == DT_OK && i < world->size; i++)
        total += counts[i];
    if (status == DT_OK)
        status = dt_array_create(
            world, DT_I64, DT_SHAPE((int64_t)output->part_count * words), &own);
    if (status == DT_OK)
        status = dt_array_create(world, DT_I64,
                                 DT_SHAPE(world->rank == 0 ? total : 0), &all);
    if (status == DT_OK && output->part_count)
        memcpy(dt_array_data(own), output->parts,
               output->part_count * sizeof *output->parts);
    if (status == DT_OK)
        status = dt_group_gather(dt_world_group(world), 0, own, counts, all);
    if (status == DT_OK && world->rank == 0) {
        *count = (size_t)(total / words);
        *out = malloc(*count * sizeof **out + 1);
        if (!*out)
            status = dti_fail_memory(world, *count * sizeof **out, "a save");
        else if (*count)
            memcpy(*out, dt_array_const_data(all), *count * sizeof **out);
    }
    dt_array_release(own);
    dt_array_release(all);
    free(counts);
    return status;
}

static int compare_parts(const void *a, const void *b)
{
    const dti_part *x = a, *y = b;
    if (x->tensor != y->tensor)
        return x->tensor < y->tensor ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Check that parts, which are sorted, are every byte of every tensor once. */
static dt_status check_parts(const dti_save *save, const dti_part *parts,
                             size_t count, dt_error *error)
{
    size_t at = 0;
    for (size_t i = 0; i < save->plan->count; i++) {
        const dti_file_tensor *form = &save->plan->tensors[i].form;
        uint64_t done = 0;
        for (; at < count && parts[at].tensor == i && parts[at].first == done;
             at++)
            done += parts[at].bytes;
        if (done != form->end - form->begin)
            return dti_error_set(
                error, DT_ERR_INVALID,
                "tensor " DTI_QUOTED ": %" PRIu64 " of %" PRIu64
                " bytes were written; the ranks do not agree about its layout",
                form->name, done, form->end - form->begin);
    }
    return at == count ? DT_OK
                       : dti_error_set(error, DT_ERR_INVALID,
                                       "bytes were written twice; the ranks do "
                                       "not agree about layouts");
}

/* ---- Index and manifest
 * -------------------------------------------------------------------- */

/* Write the index, for readers of several files. */
static void put_index(const dti_save *save, FILE *stream)
{
    const dti_save_plan *plan = save->plan;
    fprintf(stream,
            "{\"metadata\": {\"total_size\": %" PRIu64 "},\n\"weight_map\": {",
            plan->bytes);
    for (size_t i = 0; i < plan->count; i++) {
        fputs(i ? ",\n" : "\n", stream);
        dti_json_quote(stream, plan->tensors[i].form.name);
        fputs(": ", stream);
        dti_json_quote(stream, plan->files[plan->tensors[i].file].name);
    }
    fputs("}}\n", stream);
}

/* Describe a tensor with its parts, from `at` on. */
static bool describe(const dti_save *save, size_t number, const dti_part *parts,
                     size_t count, size_t *at, dti_manifest_tensor *out)
{
    const dti_plan_tensor *tensor = &save->plan->tensors[number];
    size_t end = *at;
    while (end < count && parts[end].tensor == number)
        end++;
    *out = (dti_manifest_tensor){.name = tensor->form.name, .count = end - *at};
    out->sums = malloc((out->count + 1) * sizeof *out->sums);
    for (size_t i = 0; out->sums && i < out->count; i++)
        out->sums[i] = (dti_sum){parts[*at + i].bytes, parts[*at + i].hash};
    *at = end;
    if (!tensor->spec)
        return out->sums;
    const size_t size = dt_spec_format(tensor->spec, NULL, 0) + 1;
    out->layout = malloc(size);
    if (out->layout)
        dt_spec_format(tensor->spec, out->layout, size);
    return out->sums && out->layout;
}

static void put_manifest(const dti_save *save, const dti_part *parts,
                         size_t count, FILE *stream, bool *good)
{
    const dti_save_plan *plan = save->plan;
    dti_manifest manifest = {.step = save->step,
                             .ranks = save->world->size,
                             .file_count = plan->file_count};
    size_t at = 0;
    manifest.files = calloc(plan->file_count + 1, sizeof *manifest.files);
    manifest.tensors = calloc(plan->count + 1, sizeof *manifest.tensors);
    *good = manifest.files && manifest.tensors;
    for (size_t i = 0; *good && i < plan->file_count; i++)
        manifest.files[i] =
            (dti_manifest_file){.name = plan->files[i].name,
                                .bytes = plan->files[i].bytes,
                                .header = save->headers[i].hash};
    for (size_t i = 0; *good && i < plan->count; i++) {
        *good = describe(save, i, parts, count, &at, &manifest.tensors[i]);
        manifest.tensor_count++;
    }
    if (*good)
        dti_manifest_write(&manifest, stream);
    /* Names are the plan's. */
    for (size_t i = 0; i < manifest.tensor_count; i++) {
        free(manifest.tensors[i].layout);
        free(manifest.tensors[i].sums);
    }
    free(manifest.files);
    free(manifest.tensors);
}

/* Write a text that is made in memory as a file. */
static dt_status write_texts(dti_save *save, const dti_part *parts,
                             size_t count, dt_error *error)
{
    for (int i = 0; i < 2; i++) {
        char *text = NULL;
        size_t size = 0;
        bool good = true;
        if (i == 0 && save->plan->file_count == 1)
            continue;
        FILE *stream = open_memstream(&text, &size);
        if (stream && i == 0)
            put_index(save, stream);
        else if (stream)
            put_manifest(save, parts, count, stream, &good);
        good = stream && good && !ferror(stream);
        if (stream && fclose(stream) != 0)
            good = false;
        const dt_status status =
            good ? dti_folder_write_file(&save->folder,
                                         i == 0 ? "model.safetensors.index.json"
                                                : DTI_MANIFEST_NAME,
                                         text, size, error)
                 : dti_error_set(error, DT_ERR_NO_MEMORY,
                                 "out of memory for a manifest");
        free(text);
        DTI_TRY(status);
    }
    return DT_OK;
}

static dt_status commit(dti_save *save, dti_part *parts, size_t count,
                        dt_error *error)
{
    if (count)
        qsort(parts, count, sizeof *parts, compare_parts);
    DTI_TRY(check_parts(save, parts, count, error));
    DTI_TRY(write_texts(save, parts, count, error));
    return dti_folder_commit(&save->folder, error);
}

dt_status dti_save_complete(dti_save *save)
{
    dt_world *world = save->world;
    dti_part *parts = NULL;
    size_t count = 0;
    dt_error error = {DT_OK, ""};
    dt_status status = dti_output_wait(&save->output, &error);
    if (status == DT_OK && save->failed.code != DT_OK) {
        error = save->failed;
        status = error.code;
    }
    status = dti_agree(world, status, &error);
    if (status != DT_OK)
        return status;
    status = dti_collective_end(world, gather_parts(save, &parts, &count));
    if (status == DT_OK) {
        if (world->rank == 0)
            status = commit(save, parts, count, &error);
        status = dti_agree(world, status, &error);
    }
    free(parts);
    return status;
}
