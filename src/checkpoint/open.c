/* checkpoint/open.c - opening a checkpoint: files, headers, indexes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/open.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text/reader.h"
#include "checkpoint/index.h"
#include "checkpoint/list.h"
#include "checkpoint/sum.h"
#include "checkpoint/values.h"

enum { most_text = 1 << 30 }; /* bytes of an index or a manifest */

static const char index_end[] = ".safetensors.index.json";
static const char usual_file[] = "model.safetensors";
static const char usual_index[] = "model.safetensors.index.json";

/* ---- Reading small files
 * ------------------------------------------------------ */

dt_status dti_fail_file(dt_error *error, const char *path, const char *doing)
{
    const int reason = errno;
    return dti_error_set(error, reason == ENOMEM ? DT_ERR_NO_MEMORY : DT_ERR_IO,
                         "%s: %s while %s", path, strerror(reason), doing);
}

static dt_status fail_memory(dt_error *error)
{
    return dti_error_set(error, DT_ERR_NO_MEMORY,
                         "out of memory for a checkpoint");
}

/* Read bytes of a file; fewer than `size` only at its end.  -1 on errors. */
static int64_t read_at(int descriptor, void *out, size_t size, uint64_t offset)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t part = pread(descriptor, (char *)out + done, size - done,
                                   (off_t)(offset + done));
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return -1;
        if (part == 0)
            break;
        done += (size_t)part;
    }
    return (int64_t)done;
}

dt_status dti_read_file(const char *path, size_t limit, char **out,
                        size_t *size, dt_error *error)
{
    struct stat found;
    char *text = NULL;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return dti_fail_file(error, path, "opening it");
    dt_status status = DT_OK;
    if (fstat(descriptor, &found) != 0)
        status = dti_fail_file(error, path, "reading its size");
    else if ((uint64_t)found.st_size > limit)
        status =
            dti_error_set(error, DT_ERR_FORMAT,
                          "%s: the file has more than %zu bytes", path, limit);
    else if (!(text = malloc((size_t)found.st_size + 1)))
        status = fail_memory(error);
    const int64_t got =
        text ? read_at(descriptor, text, (size_t)found.st_size, 0) : 0;
    if (got < 0)
        status = dti_fail_file(error, path, "reading it");
    close(descriptor);
    if (status != DT_OK) {
        free(text);
        return status;
    }
    text[got] = '\0';
    *out = text;
    *size = (size_t)got;
    return DT_OK;
}

/* ---- Headers
 * ------------------------------------------------------------------- */

/* Name the file in a failure of a parser. */
static dt_status name_file(dt_error *error, const char *path,
                           const dt_error *found)
{
    return dti_error_set(error, found->code, "%s: %s", path, found->message);
}

dt_status dti_read_header(int descriptor, const char *path, uint64_t *bytes,
                          uint64_t *hash, dti_header *out, dt_error *error)
{
    char prefix[DTI_HEADER_PREFIX];
    dt_error found = {DT_OK, ""};
    struct stat info;
    size_t length = 0;
    if (fstat(descriptor, &info) != 0)
        return dti_fail_file(error, path, "reading its size");
    *bytes = (uint64_t)info.st_size;
    int64_t got = read_at(descriptor, prefix, sizeof prefix, 0);
    if (got < 0)
        return dti_fail_file(error, path, "reading its header");
    if (dti_header_length(prefix, (size_t)got, *bytes, &length, &found))
        return name_file(error, path, &found);
    char *text = malloc(sizeof prefix + length);
    if (!text)
        return fail_memory(error);
    memcpy(text, prefix, sizeof prefix);
    dt_status status = DT_OK;
    got = read_at(descriptor, text + sizeof prefix, length, sizeof prefix);
    if (got < 0)
        status = dti_fail_file(error, path, "reading its header");
    else if (dti_header_parse(text + sizeof prefix, (size_t)got, *bytes, out,
                              &found) != DT_OK)
        status = name_file(error, path, &found);
    if (status == DT_OK && hash)
        *hash = dti_sum_of(text, sizeof prefix + length);
    free(text);
    return status;
}

/* ---- What a checkpoint has
 * ------------------------------------------------------ */

static bool has_name(const void *value, const void *key)
{
    return strcmp(((const dti_open_tensor *)value)->face.name, key) == 0;
}

/* Add a tensor with one chunk, which is all of it; its name is taken over. */
static dt_status add_tensor(dt_saved *checkpoint, size_t file,
                            dti_file_tensor *from, dt_error *error)
{
    if (!dti_list_reserve(&checkpoint->tensors, checkpoint->count,
                          &checkpoint->capacity, sizeof *checkpoint->tensors) ||
        !dti_list_reserve(&checkpoint->chunks, checkpoint->chunk_count,
                          &checkpoint->chunk_capacity,
                          sizeof *checkpoint->chunks))
        return fail_memory(error);
    dti_open_chunk *chunk = &checkpoint->chunks[checkpoint->chunk_count];
    *chunk = (dti_open_chunk){
        .file = file, .offset = checkpoint->files[file].data + from->begin};
    chunk->box.ndim = from->shape.ndim;
    memcpy(chunk->box.size, from->shape.dims, sizeof chunk->box.size);
    checkpoint->tensors[checkpoint->count++] = (dti_open_tensor){
        .face = {.name = from->name,
                 .dtype_name = from->dtype->name,
                 .dtype = from->dtype->dtype,
                 .shape = from->shape,
                 .bytes = from->end - from->begin},
        .first_chunk = checkpoint->chunk_count++,
        .chunk_count = 1,
    };
    from->name = NULL;
    return DT_OK;
}

/* Read the numbers and texts of a state, if the metadata has any. */
static dt_status add_values(dt_saved *checkpoint, const dti_header *header,
                            const char *path, dt_error *error)
{
    const char *text = dti_header_text(header, DTI_VALUES_KEY);
    dt_error found = {DT_OK, ""};
    if (!text || checkpoint->values)
        return DT_OK;
    if (dti_values_parse(text, strlen(text), &checkpoint->values,
                         &checkpoint->value_count, &found) != DT_OK)
        return dti_error_set(error, found.code, "%s: metadata %s, %s", path,
                             DTI_VALUES_KEY, found.message);
    return DT_OK;
}

/* Add names under which the metadata lists tensors of the same file again, as
 * Python's safetensors does for tensors that share memory. */
static dt_status add_aliases(dt_saved *checkpoint, dti_header *header,
                             size_t first, dt_error *error)
{
    const size_t end = checkpoint->count;
    for (size_t t = 0; t < header->text_count; t++) {
        const dti_file_text *text = &header->texts[t];
        if (strcmp(text->key, "format") == 0 ||
            strcmp(text->key, DTI_VALUES_KEY) == 0)
            continue;
        for (size_t i = first; i < end; i++) {
            const dti_open_tensor *kept = &checkpoint->tensors[i];
            if (strcmp(kept->face.name, text->value) != 0)
                continue;
            if (!dti_list_reserve(&checkpoint->tensors, checkpoint->count,
                                  &checkpoint->capacity,
                                  sizeof *checkpoint->tensors))
                return fail_memory(error);
            dti_open_tensor alias = checkpoint->tensors[i];
            char *name = strdup(text->key), *same = strdup(text->value);
            if (!name || !same) {
                free(name);
                free(same);
                return fail_memory(error);
            }
            alias.face.name = name;
            alias.face.same = same;
            checkpoint->tensors[checkpoint->count++] = alias;
            break;
        }
    }
    return DT_OK;
}

/* Open a file and add what it has. */
static dt_status add_file(dt_saved *checkpoint, const char *path,
                          dt_error *error)
{
    dti_header header = {0};
    if (!dti_list_reserve(&checkpoint->files, checkpoint->file_count,
                          &checkpoint->file_capacity,
                          sizeof *checkpoint->files))
        return fail_memory(error);
    char *copy = strdup(path);
    if (!copy)
        return fail_memory(error);
    const size_t number = checkpoint->file_count++;
    dti_open_file *file = &checkpoint->files[number];
    const char *slash = strrchr(copy, '/');
    *file = (dti_open_file){.path = copy,
                            .name = slash ? slash + 1 : copy,
                            .descriptor = open(path, O_RDONLY | O_CLOEXEC)};
    if (file->descriptor < 0)
        return dti_fail_file(error, path, "opening it");
    DTI_TRY(dti_read_header(file->descriptor, path, &file->bytes, NULL, &header,
                            error));
    file->data = header.data;
    const size_t first = checkpoint->count;
    dt_status status = DT_OK;
    for (size_t i = 0; i < header.count && status == DT_OK; i++)
        status = add_tensor(checkpoint, number, &header.tensors[i], error);
    if (status == DT_OK)
        status = add_aliases(checkpoint, &header, first, error);
    if (status == DT_OK)
        status = add_values(checkpoint, &header, path, error);
    dti_header_free(&header);
    return status;
}

/* ---- Folders
 * ---------------------------------------------------------------------- */

static dt_status join(const char *folder, const char *name, char *out,
                      dt_error *error)
{
    const int length = snprintf(out, PATH_MAX, "%s/%s", folder, name);
    return length > 0 && length < PATH_MAX
               ? DT_OK
               : dti_error_set(error, DT_ERR_INVALID,
                               "the path of " DTI_QUOTED " is too long", name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of files, which are owned. */
typedef struct name_list {
    char **names;
    size_t count, capacity;
} name_list;

static void free_names(name_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
}

/* List the files of a folder whose names end so, in order. */
static dt_status list_files(const char *path, const char *end, name_list *out,
                            dt_error *error)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    dt_status status = DT_OK;
    if (!folder)
        return dti_fail_file(error, path, "opening it");
    while (status == DT_OK && (entry = readdir(folder))) {
        const size_t length = strlen(entry->d_name), tail = strlen(end);
        if (length <= tail || entry->d_name[0] == '.' ||
            strcmp(entry->d_name + length - tail, end) != 0)
            continue;
        char *copy = strdup(entry->d_name);
        if (copy && dti_list_reserve(&out->names, out->count, &out->capacity,
                                     sizeof *out->names)) {
            out->names[out->count++] = copy;
        } else {
            free(copy);
            status = fail_memory(error);
        }
    }
    closedir(folder);
    if (out->count)
        qsort(out->names, out->count, sizeof *out->names, compare_names);
    return status;
}

/* Keep one of several equal names, which are sorted. */
static void drop_duplicates(name_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (kept && strcmp(list->names[kept - 1], list->names[i]) == 0)
            free(list->names[i]);
        else
            list->names[kept++] = list->names[i];
    list->count = kept;
}

/* Check that the tensors of an index are in the files that it says. */
static dt_status check_index(const dt_saved *checkpoint, const dti_index *index,
                             const char *path, dt_error *error)
{
    for (size_t i = 0; i < index->count; i++) {
        const dti_index_entry *entry = &index->entries[i];
        const dti_open_tensor *tensor =
            dti_map_find(&checkpoint->names, dti_hash_text(entry->name),
                         entry->name, has_name);
        const char *file =
            tensor ? checkpoint
                         ->files[checkpoint->chunks[tensor->first_chunk].file]
                         .name
                   : NULL;
        if (!file || strcmp(file, entry->file) != 0)
            return dti_error_set(error, DT_ERR_FORMAT,
                                 "%s: tensor " DTI_QUOTED
                                 " is said to be in %s, which does not "
                                 "have it",
                                 path, entry->name, entry->file);
    }
    return DT_OK;
}

/* Find tensors by name; two of one name are an error. */
static dt_status index_names(dt_saved *checkpoint, dt_error *error)
{
    for (size_t i = 0; i < checkpoint->count; i++) {
        dti_open_tensor *tensor = &checkpoint->tensors[i];
        const char *name = tensor->face.name;
        const uint64_t hash = dti_hash_text(name);
        if (dti_map_find(&checkpoint->names, hash, name, has_name))
            return dti_error_set(
                error, DT_ERR_FORMAT,
                "%s: two files have a tensor named " DTI_QUOTED,
                checkpoint->path, name);
        if (dti_map_add(&checkpoint->names, hash, tensor) != DT_OK)
            return fail_memory(error);
    }
    return DT_OK;
}

static int compare_tensors(const void *a, const void *b)
{
    const dti_open_tensor *x = a, *y = b;
    return strcmp(x->face.name, y->face.name);
}

/* Open the files of a list, and make tensors known by their names. */
static dt_status add_files(dt_saved *checkpoint, const char *folder,
                           const name_list *files, dt_error *error)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < files->count; i++) {
        DTI_TRY(join(folder, files->names[i], path, error));
        DTI_TRY(add_file(checkpoint, path, error));
    }
    if (checkpoint->count)
        qsort(checkpoint->tensors, checkpoint->count,
              sizeof *checkpoint->tensors, compare_tensors);
    return index_names(checkpoint, error);
}

/* Take the names of files out of an index. */
static dt_status files_of(dti_index *index, name_list *out, dt_error *error)
{
    for (size_t i = 0; i < index->count; i++) {
        char *copy = strdup(index->entries[i].file);
        if (!copy || !dti_list_reserve(&out->names, out->count, &out->capacity,
                                       sizeof *out->names)) {
            free(copy);
            return fail_memory(error);
        }
        out->names[out->count++] = copy;
    }
    if (out->count)
        qsort(out->names, out->count, sizeof *out->names, compare_names);
    drop_duplicates(out);
    return DT_OK;
}

/* Open the files that an index names. */
static dt_status open_indexed(dt_saved *checkpoint, const char *name,
                              dt_error *error)
{
    char path[PATH_MAX];
    char *text = NULL;
    size_t size = 0;
    dti_index index = {0};
    dt_error found = {DT_OK, ""};
    name_list files = {0};
    DTI_TRY(join(checkpoint->path, name, path, error));
    DTI_TRY(dti_read_file(path, most_text, &text, &size, error));
    dt_status status = dti_index_parse(text, size, &index, &found);
    if (status != DT_OK)
        name_file(error, path, &found);
    free(text);
    if (status == DT_OK)
        status = files_of(&index, &files, error);
    if (status == DT_OK)
        status = add_files(checkpoint, checkpoint->path, &files, error);
    if (status == DT_OK)
        status = check_index(checkpoint, &index, path, error);
    free_names(&files);
    dti_index_free(&index);
    return status;
}

/* Open the safetensors files of a folder that has no index: the usual one, or
 * all if there is none of that name. */
static dt_status open_listed(dt_saved *checkpoint, dt_error *error)
{
    name_list files = {0}, usual = {0};
    dt_status status =
        list_files(checkpoint->path, ".safetensors", &files, error);
    for (size_t i = 0; i < files.count; i++)
        if (strcmp(files.names[i], usual_file) == 0)
            usual = (name_list){.names = &files.names[i], .count = 1};
    if (status == DT_OK)
        status = add_files(checkpoint, checkpoint->path,
                           usual.count ? &usual : &files, error);
    free_names(&files);
    return status;
}

static dt_status open_folder(dt_saved *checkpoint, dt_error *error)
{
    name_list indexes = {0};
    dt_status status = list_files(checkpoint->path, index_end, &indexes, error);
    const char *chosen = indexes.count == 1 ? indexes.names[0] : NULL;
    for (size_t i = 0; i < indexes.count; i++)
        if (strcmp(indexes.names[i], usual_index) == 0)
            chosen = indexes.names[i];
    if (status == DT_OK && indexes.count && !chosen)
        status = dti_error_set(error, DT_ERR_INVALID,
                               "%s: the folder has several indexes, none of "
                               "which is %s; pass the path of a file",
                               checkpoint->path, usual_index);
    else if (status == DT_OK)
        status = chosen ? open_indexed(checkpoint, chosen, error)
                        : open_listed(checkpoint, error);
    free_names(&indexes);
    return status;
}

/* ---- The manifest
 * ------------------------------------------------------------------ */

/* Check that a tensor has as many bytes as its sums. */
static dt_status attach_sums(dt_saved *checkpoint, const char *path,
                             const dti_manifest_tensor *sums, dt_error *error)
{
    dti_open_tensor *tensor = dti_map_find(
        &checkpoint->names, dti_hash_text(sums->name), sums->name, has_name);
    uint64_t bytes = 0;
    for (size_t i = 0; i < sums->count; i++)
        if (__builtin_add_overflow(bytes, sums->sums[i].bytes, &bytes))
            return dti_error_set(error, DT_ERR_FORMAT,
                                 "%s: tensor " DTI_QUOTED
                                 " has sums of too many bytes",
                                 path, sums->name);
    if (!tensor || bytes != tensor->face.bytes)
        return dti_error_set(
            error, DT_ERR_FORMAT,
            "%s: tensor " DTI_QUOTED " should have %" PRIu64 " bytes, but %s",
            path, sums->name, bytes,
            tensor ? "has another size in its file" : "no file has it");
    tensor->sums = sums;
    tensor->face.layout = sums->layout;
    return DT_OK;
}

static dt_status attach_manifest(dt_saved *checkpoint, const char *path,
                                 dt_error *error)
{
    const dti_manifest *manifest = &checkpoint->manifest;
    for (size_t i = 0; i < manifest->file_count; i++) {
        bool found = false;
        for (size_t k = 0; k < checkpoint->file_count; k++) {
            const dti_open_file *file = &checkpoint->files[k];
            found =
                found || (strcmp(file->name, manifest->files[i].name) == 0 &&
                          file->bytes == manifest->files[i].bytes);
        }
        if (!found)
            return dti_error_set(error, DT_ERR_FORMAT,
                                 "%s: file %s of %" PRIu64
                                 " bytes is missing or has another size",
                                 path, manifest->files[i].name,
                                 manifest->files[i].bytes);
    }
    for (size_t i = 0; i < manifest->tensor_count; i++)
        DTI_TRY(attach_sums(checkpoint, path, &manifest->tensors[i], error));
    return DT_OK;
}

static dt_status open_manifest(dt_saved *checkpoint, dt_error *error)
{
    char path[PATH_MAX];
    char *text = NULL;
    size_t size = 0;
    struct stat info;
    dt_error found = {DT_OK, ""};
    DTI_TRY(join(checkpoint->path, DTI_MANIFEST_NAME, path, error));
    if (stat(path, &info) != 0 && errno == ENOENT)
        return DT_OK;
    DTI_TRY(dti_read_file(path, most_text, &text, &size, error));
    const dt_status status =
        dti_manifest_parse(text, size, &checkpoint->manifest, &found);
    free(text);
    if (status != DT_OK)
        return name_file(error, path, &found);
    checkpoint->has_manifest = true;
    return attach_manifest(checkpoint, path, error);
}

/* ---- Opening and closing
 * ------------------------------------------------------------- */

static dt_status open_path(dt_saved *checkpoint, dt_error *error)
{
    struct stat info;
    if (stat(checkpoint->path, &info) != 0)
        return dti_fail_file(error, checkpoint->path, "opening it");
    if (S_ISDIR(info.st_mode)) {
        DTI_TRY(open_folder(checkpoint, error));
        return open_manifest(checkpoint, error);
    }
    DTI_TRY(add_file(checkpoint, checkpoint->path, error));
    return add_files(checkpoint, "", &(name_list){0}, error);
}

dt_status dti_checkpoint_open_at(const char *path, dt_saved **out,
                                 dt_error *error)
{
    dt_saved *checkpoint = calloc(1, sizeof *checkpoint);
    if (!checkpoint || !(checkpoint->path = strdup(path))) {
        free(checkpoint);
        return fail_memory(error);
    }
    const dt_status status = open_path(checkpoint, error);
    if (status == DT_OK)
        *out = checkpoint;
    else
        dt_saved_close(checkpoint);
    return status;
}

dt_status dt_saved_open(const char *path, dt_saved **out, dt_error *error)
{
    char *resolved = NULL;
    if (!path)
        return dti_error_set(error, DT_ERR_INVALID,
                             "dt_saved_open: path is NULL");
    DTI_TRY(dti_checkpoint_resolve(path, &resolved, error));
    const dt_status status = dti_checkpoint_open_at(resolved, out, error);
    free(resolved);
    return status;
}

static void free_text(const char *text)
{
    union {
        const char *text;
        char *memory;
    } own = {.text = text};
    free(own.memory);
}

void dt_saved_close(dt_saved *checkpoint)
{
    if (!checkpoint)
        return;
    for (size_t i = 0; i < checkpoint->file_count; i++) {
        dti_open_file *file = &checkpoint->files[i];
        union {
            const char *bytes;
            char *memory;
        } map = {.bytes = file->map};
        if (file->map)
            munmap(map.memory, file->bytes);
        if (file->descriptor >= 0)
            close(file->descriptor);
        free(file->path);
    }
    for (size_t i = 0; i < checkpoint->count; i++) {
        free_text(checkpoint->tensors[i].face.name);
        free_text(checkpoint->tensors[i].face.same);
    }
    dti_values_free(checkpoint->values, checkpoint->value_count);
    dti_manifest_free(&checkpoint->manifest);
    dti_map_clear(&checkpoint->names);
    free(checkpoint->files);
    free(checkpoint->tensors);
    free(checkpoint->chunks);
    free(checkpoint->scratch);
    free(checkpoint->path);
    free(checkpoint);
}

const dti_open_tensor *dti_checkpoint_tensor(const dt_saved *checkpoint,
                                             const char *name)
{
    return dti_map_find(&checkpoint->names, dti_hash_text(name), name,
                        has_name);
}
