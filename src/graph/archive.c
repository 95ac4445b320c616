/* graph/archive.c - the records of a .pt2 file, which is a zip archive. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text/utf8.h"
#include "graph/crc.h"

/*
 * A zip archive is read from its end:
 *
 *     record ... record          local header, name, padding, data
 *     central directory          one entry per record: name, size, CRC, place
 *     zip64 end of directory     both only if numbers need 64 bits; PyTorch
 *     zip64 locator                always writes them
 *     end of directory           where the directory begins, how many entries
 *
 * PyTorch leaves sizes in local headers at zero, so they are read from the
 * central directory alone; the local header only tells where the data begins.
 * An archive comes from anywhere: nothing is believed that was not compared
 * with the size of the file.
 */
enum {
    end_size = 22,
    locator_size = 20,
    end64_size = 56,
    entry_size = 46,
    local_size = 30,
    comment_max = 65535,
    name_max = 4096
};

/* The most that an archive may list. */
#define RECORDS_MAX 4000000

/* The file, and where its central directory is. */
typedef struct directory {
    const uint8_t *bytes;
    uint64_t size;
    uint64_t begin, end; /* of the entries */
    uint64_t count;
    dt_error *error;
} directory;

/* ---- Numbers ------------------------------------------------------------ */

static uint64_t number_at(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

#define u16_at(at) ((uint32_t)number_at((at), 2))
#define u32_at(at) ((uint32_t)number_at((at), 4))
#define u64_at(at) number_at((at), 8)

static bool has_mark(const directory *in, uint64_t offset, const char *mark)
{
    return offset <= in->size && in->size - offset >= 4 &&
           memcmp(in->bytes + offset, mark, 4) == 0;
}

#define FAIL(in, offset, ...) fail((in)->error, (uint64_t)(offset), __VA_ARGS__)

DT_PRINTF(3, 4)
static dt_status fail(dt_error *error, uint64_t offset, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return dti_error_set(error, DT_ERR_FORMAT, "offset %llu: %s",
                         (unsigned long long)offset, text);
}

/* ---- The end ------------------------------------------------------------ */

/* Find the end record: its comment, if it has one, ends with the file. */
static dt_status find_end(const directory *in, uint64_t *out)
{
    if (in->size < end_size)
        return dti_error_set(in->error, DT_ERR_FORMAT,
                             "not a PT2 archive: %llu bytes are too few for a "
                             "zip archive",
                             (unsigned long long)in->size);
    for (uint64_t comment = 0;
         comment <= comment_max && comment <= in->size - end_size; comment++) {
        const uint64_t offset = in->size - end_size - comment;
        if (!has_mark(in, offset, "PK\5\6") ||
            u16_at(in->bytes + offset + 20) != comment)
            continue;
        *out = offset;
        return DT_OK;
    }
    return dti_error_set(in->error, DT_ERR_FORMAT,
                         "not a PT2 archive: it is no zip archive, or it is "
                         "truncated (no end of the central directory)");
}

/* Read the 64-bit end record if a locator for one precedes the end. */
static dt_status read_end64(directory *in, uint64_t end, bool *found)
{
    *found = end >= locator_size && has_mark(in, end - locator_size, "PK\6\7");
    if (!*found)
        return DT_OK;
    const uint64_t locator = end - locator_size;
    const uint64_t offset = u64_at(in->bytes + locator + 8);
    if (offset > locator || locator - offset < end64_size ||
        !has_mark(in, offset, "PK\6\6"))
        return FAIL(in, locator,
                    "the zip64 locator points to offset %llu, where no zip64 "
                    "end of the central directory is",
                    (unsigned long long)offset);
    const uint8_t *at = in->bytes + offset;
    in->count = u64_at(at + 32);
    in->begin = u64_at(at + 48);
    in->end = offset;
    const uint64_t length = u64_at(at + 40);
    if (in->begin > in->end || length != in->end - in->begin)
        return FAIL(in, offset,
                    "a central directory of %llu bytes at offset %llu does not "
                    "end here",
                    (unsigned long long)length, (unsigned long long)in->begin);
    return DT_OK;
}

static dt_status locate(directory *in)
{
    uint64_t end = 0;
    bool found = false;
    DTI_TRY(find_end(in, &end));
    DTI_TRY(read_end64(in, end, &found));
    if (!found) {
        const uint8_t *at = in->bytes + end;
        const uint64_t length = u32_at(at + 12);
        in->count = u16_at(at + 10);
        in->begin = u32_at(at + 16);
        in->end = end;
        if (in->begin > end || length != end - in->begin)
            return FAIL(in, end,
                        "a central directory of %llu bytes at offset %llu does "
                        "not end here",
                        (unsigned long long)length,
                        (unsigned long long)in->begin);
    }
    if (in->count > RECORDS_MAX ||
        in->count > (in->end - in->begin) / entry_size)
        return FAIL(in, in->begin,
                    "the central directory has no room for %llu records",
                    (unsigned long long)in->count);
    return DT_OK;
}

/* ---- One entry ---------------------------------------------------------- */

/* Replace the numbers of an entry that did not fit 32 bits. */
static dt_status widen(const directory *in, uint64_t offset,
                       const uint8_t *extra, uint64_t length, uint64_t **wide,
                       int count)
{
    int done = 0;
    while (length >= 4) {
        const uint32_t id = u16_at(extra), size = u16_at(extra + 2);
        extra += 4;
        length -= 4;
        if (size > length)
            return FAIL(in, offset, "an extra field is longer than its entry");
        for (uint32_t at = 0; id == 1 && done < count && at + 8 <= size;
             at += 8)
            *wide[done++] = u64_at(extra + at);
        extra += size;
        length -= size;
    }
    if (done < count)
        return FAIL(in, offset, "the zip64 sizes of a record are missing");
    return DT_OK;
}

/* Names are used in messages and to look records up, never to open files; one
 * that a writer of models would not write is still refused. */
static dt_status check_name(const directory *in, uint64_t offset,
                            const char *name, size_t length)
{
    if (length == 0 || length > name_max)
        return FAIL(in, offset, "a record's name has %zu bytes", length);
    if (memchr(name, 0, length) || dti_utf8_check(name, length) < length)
        return FAIL(in, offset, "a record's name is not valid UTF-8");
    if (name[0] == '/')
        return FAIL(in, offset, "the record %.*s has an absolute path",
                    (int)length, name);
    for (size_t at = 0; at < length; at++) {
        const size_t rest = length - at;
        if ((at == 0 || name[at - 1] == '/') && rest >= 2 &&
            memcmp(name + at, "..", 2) == 0 &&
            (rest == 2 || name[at + 2] == '/'))
            return FAIL(in, offset, "the record %.*s has \"..\" in its name",
                        (int)length, name);
    }
    return DT_OK;
}

static dt_status check_stored(const directory *in, uint64_t offset,
                              const uint8_t *entry,
                              const dti_archive_record *record,
                              uint64_t compressed)
{
    const uint32_t method = u16_at(entry + 10);
    if (u16_at(entry + 8) & 1)
        return FAIL(in, offset, "record %s is encrypted", record->name);
    if (method != 0)
        return FAIL(in, offset,
                    "record %s is compressed (method %u); save it again with "
                    "torch.export.save",
                    record->name, method);
    if (compressed != record->size)
        return FAIL(in, offset, "record %s has two sizes, %llu and %zu",
                    record->name, (unsigned long long)compressed, record->size);
    return DT_OK;
}

/* Find the data of a record by its local header. */
static dt_status find_data(const directory *in, uint64_t offset,
                           dti_archive_record *record)
{
    const uint64_t begin = record->begin;
    if (begin >= in->begin || in->begin - begin < local_size ||
        !has_mark(in, begin, "PK\3\4"))
        return FAIL(in, offset,
                    "record %s is said to be at offset %llu, where no record "
                    "begins",
                    record->name, (unsigned long long)begin);
    const uint8_t *local = in->bytes + begin;
    const uint64_t length = u16_at(local + 26);
    record->offset = begin + local_size + length + u16_at(local + 28);
    if (length != strlen(record->name) || record->offset > in->begin ||
        memcmp(local + local_size, record->name, (size_t)length) != 0)
        return FAIL(in, begin,
                    "the record here is not %s, as the central "
                    "directory says",
                    record->name);
    if (record->size > in->begin - record->offset)
        return FAIL(in, begin,
                    "record %s has %zu bytes, but only %llu bytes precede the "
                    "central directory",
                    record->name, record->size,
                    (unsigned long long)(in->begin - record->offset));
    record->data = in->bytes + record->offset;
    return DT_OK;
}

/* Read the entry at an offset, which is moved to the next one. */
static dt_status read_entry(const directory *in, uint64_t *offset,
                            dti_archive_record *out)
{
    const uint64_t at = *offset;
    const uint8_t *entry = in->bytes + at;
    if (in->end - at < entry_size || !has_mark(in, at, "PK\1\2"))
        return FAIL(in, at, "expected an entry of the central directory");
    const uint64_t length = u16_at(entry + 28), extra = u16_at(entry + 30);
    const uint64_t all = entry_size + length + extra + u16_at(entry + 32);
    if (all > in->end - at)
        return FAIL(in, at, "an entry ends after the central directory");
    const char *name = (const char *)entry + entry_size;
    DTI_TRY(check_name(in, at, name, (size_t)length));
    uint64_t compressed = u32_at(entry + 20), size = u32_at(entry + 24);
    out->begin = u32_at(entry + 42);
    uint64_t *numbers[] = {&size, &compressed, &out->begin}, *wide[3];
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (*numbers[i] == UINT32_MAX)
            wide[count++] = numbers[i];
    if (count > 0)
        DTI_TRY(widen(in, at, entry + entry_size + length, extra, wide, count));
    out->name = strndup(name, (size_t)length);
    if (!out->name)
        return dti_error_set(in->error, DT_ERR_NO_MEMORY,
                             "no memory for the name of a record");
    out->size = (size_t)size;
    out->sum = u32_at(entry + 16);
    *offset = at + all;
    DTI_TRY(check_stored(in, at, entry, out, compressed));
    return find_data(in, at, out);
}

/* ---- All entries -------------------------------------------------------- */

static bool is_named(const void *value, const void *key)
{
    const dti_archive_record *record = value;
    return strcmp(record->name, key) == 0;
}

static int by_place(const void *a, const void *b)
{
    const dti_archive_record *const *x = a, *const *y = b;
    return ((*x)->begin > (*y)->begin) - ((*x)->begin < (*y)->begin);
}

/* No byte belongs to two records. */
static dt_status check_apart(const directory *in, const dti_archive *archive)
{
    const size_t count = (size_t)archive->count;
    const dti_archive_record **sorted = malloc((count + 1) * sizeof *sorted);
    dt_status status = DT_OK;
    if (!sorted)
        return dti_error_set(in->error, DT_ERR_NO_MEMORY,
                             "no memory for %zu records", count);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &archive->records[i];
    qsort(sorted, count, sizeof *sorted, by_place);
    for (size_t i = 1; status == DT_OK && i < count; i++)
        if (sorted[i - 1]->offset + sorted[i - 1]->size > sorted[i]->begin)
            status = FAIL(in, sorted[i]->begin, "records %s and %s overlap",
                          sorted[i - 1]->name, sorted[i]->name);
    free(sorted);
    return status;
}

/* Take the folder that all records are in off their names. */
static dt_status drop_root(const directory *in, dti_archive *archive)
{
    const dti_archive_record *first = &archive->records[0];
    const char *slash = archive->count > 0 ? strchr(first->name, '/') : NULL;
    const size_t root = slash ? (size_t)(slash - first->name) + 1 : 0;
    for (int i = 0; i < archive->count; i++)
        if (strcmp(archive->records[i].name,
                   "serialized_exported_program.json") == 0)
            return dti_error_set(in->error, DT_ERR_UNSUPPORTED,
                                 "archive of torch 2.7 or earlier; save it "
                                 "again with torch 2.9 or later");
    if (!slash)
        return dti_error_set(in->error, DT_ERR_FORMAT,
                             "not a PT2 archive: its records are in no folder");
    for (int i = archive->count - 1; i >= 0; i--) {
        char *name = archive->records[i].name;
        if (strncmp(name, first->name, root) != 0)
            return FAIL(in, archive->records[i].begin,
                        "record %s is not in the folder %.*s", name, (int)root,
                        first->name);
        memmove(name, name + root, strlen(name + root) + 1);
    }
    return DT_OK;
}

static dt_status index_names(const directory *in, dti_archive *archive)
{
    for (int i = 0; i < archive->count; i++) {
        dti_archive_record *record = &archive->records[i];
        if (dti_archive_find(archive, record->name))
            return FAIL(in, record->begin, "two records have the name %s",
                        record->name);
        if (dti_map_add(&archive->names, dti_hash_text(record->name), record) !=
            DT_OK)
            return dti_error_set(in->error, DT_ERR_NO_MEMORY,
                                 "no memory for %d records", archive->count);
    }
    return DT_OK;
}

static dt_status read_all(directory *in, dti_archive *archive)
{
    DTI_TRY(locate(in));
    archive->records = calloc((size_t)in->count + 1, sizeof *archive->records);
    if (!archive->records)
        return dti_error_set(in->error, DT_ERR_NO_MEMORY,
                             "no memory for %llu records",
                             (unsigned long long)in->count);
    uint64_t offset = in->begin;
    for (uint64_t i = 0; i < in->count; i++) {
        archive->count++;
        DTI_TRY(read_entry(in, &offset, &archive->records[i]));
    }
    if (offset != in->end)
        return FAIL(in, offset,
                    "the central directory has more than its %llu entries",
                    (unsigned long long)in->count);
    DTI_TRY(check_apart(in, archive));
    DTI_TRY(drop_root(in, archive));
    return index_names(in, archive);
}

/* ---- Archives ----------------------------------------------------------- */

dt_status dti_archive_read(const void *bytes, size_t size, dti_archive **out,
                           dt_error *error)
{
    directory in = {.bytes = bytes, .size = size, .error = error};
    dti_archive *archive = calloc(1, sizeof *archive);
    if (!archive)
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "no memory for an archive");
    dti_reference_init(&archive->reference);
    archive->bytes = bytes;
    archive->size = size;
    dt_status status = read_all(&in, archive);
    if (status == DT_OK)
        *out = archive;
    else
        dti_archive_release(archive);
    return status;
}

/* Map a file, which is regular and not empty. */
static dt_status map_file(dt_world *world, const char *path, int file,
                          const uint8_t **out, size_t *size)
{
    struct stat found;
    if (fstat(file, &found) != 0)
        return dti_fail(world, DT_ERR_IO, "%s: %s while reading its size", path,
                        strerror(errno));
    if (!S_ISREG(found.st_mode) || found.st_size == 0)
        return dti_fail(world, DT_ERR_FORMAT, "%s: not a PT2 archive: %s", path,
                        S_ISREG(found.st_mode) ? "the file is empty"
                                               : "it is not a regular file");
    *size = (size_t)found.st_size;
    void *bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED)
        return dti_fail(world, DT_ERR_IO, "%s: %s while mapping it", path,
                        strerror(errno));
    *out = bytes;
    return DT_OK;
}

dt_status dti_archive_open(dt_world *world, const char *path, dti_archive **out)
{
    const uint8_t *bytes = NULL;
    size_t size = 0;
    dt_error error = {DT_OK, ""};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return dti_fail(world, errno == ENOENT ? DT_ERR_NOT_FOUND : DT_ERR_IO,
                        "%s: %s", path, strerror(errno));
    dt_status status = map_file(world, path, file, &bytes, &size);
    close(file);
    if (status != DT_OK)
        return status;
    dti_archive *archive = NULL;
    status = dti_archive_read(bytes, size, &archive, &error);
    if (status != DT_OK) {
        munmap((void *)(uintptr_t)bytes, size);
        return dti_fail(world, error.code, "%s: %s", path, error.message);
    }
    archive->mapped = true;
    *out = archive;
    return DT_OK;
}

void dti_archive_retain(dti_archive *archive)
{
    dti_reference_retain(&archive->reference);
}

void dti_archive_release(dti_archive *archive)
{
    if (!archive || !dti_reference_release(&archive->reference))
        return;
    for (int i = 0; i < archive->count; i++)
        free(archive->records[i].name);
    free(archive->records);
    dti_map_clear(&archive->names);
    if (archive->mapped)
        munmap((void *)(uintptr_t)archive->bytes, archive->size);
    free(archive);
}

const dti_archive_record *dti_archive_find(const dti_archive *archive,
                                           const char *name)
{
    return dti_map_find(&archive->names, dti_hash_text(name), name, is_named);
}

bool dti_archive_intact(const dti_archive_record *record)
{
    return dti_crc32(record->data, record->size) == record->sum;
}
