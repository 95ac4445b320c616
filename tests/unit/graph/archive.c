/* unit/graph/archive.c - zip archives, whole and broken. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/archive.h"
#include "graph/crc.h"
#include "support/zip.h"

/* Three records, one of them empty. */
static zip make_archive(void)
{
    zip made = {0};
    zip_add_text(&made, "m/data/a", "hello");
    zip_add(&made, "m/empty", "", 0);
    zip_add_text(&made, "m/archive_format", "pt2");
    zip_finish(&made);
    return made;
}

static dt_status read_bytes(const void *bytes, size_t size, dt_error *error)
{
    dti_archive *archive = NULL;
    /* Memory of exactly this size: a sanitizer sees who reads beyond it. */
    void *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, bytes, size);
    dt_status status = dti_archive_read(copy, size, &archive, error);
    if (status == DT_OK)
        dti_archive_release(archive);
    free(copy);
    return status;
}

static void check_refused(const zip *broken, dt_status code, const char *text)
{
    dt_error error;
    CHECK_ERROR(&error, read_bytes(broken->bytes, broken->size, &error), code,
                text);
}

static void reads_records(dt_world *world)
{
    zip made = make_archive();
    dt_error error = {DT_OK, ""};
    dti_archive *archive = NULL;
    (void)world;
    if (!CHECK(dti_archive_read(made.bytes, made.size, &archive, &error) ==
               DT_OK))
        return;
    CHECK_INT(archive->count, 3);
    const dti_archive_record *a = dti_archive_find(archive, "data/a");
    if (CHECK(a != NULL)) {
        CHECK_INT((long long)a->size, 5);
        CHECK(memcmp(a->data, "hello", 5) == 0);
        CHECK_INT((long long)(a->offset % 64), 0);
        CHECK(dti_archive_intact(a));
        made.bytes[a->offset] ^= 1;
        CHECK(!dti_archive_intact(a));
    }
    const dti_archive_record *empty = dti_archive_find(archive, "empty");
    CHECK(empty && empty->size == 0 && dti_archive_intact(empty));
    CHECK(!dti_archive_find(archive, "data"));
    CHECK(!dti_archive_find(archive, "m/data/a"));
    dti_archive_release(archive);
    zip_free(&made);
}

static void sums_as_zlib(dt_world *world)
{
    char text[1000];
    (void)world;
    CHECK_INT(dti_crc32("123456789", 9), 0xCBF43926);
    CHECK_INT(dti_crc32("", 0), 0);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 7);
    CHECK_INT(dti_crc32(text, sizeof text), 0x114AD5FF);
}

/* A comment after the end, and an archive without the parts of zip64. */
static void reads_other_writers(dt_world *world)
{
    zip made = make_archive();
    dt_error error;
    (void)world;
    const size_t end = made.size - 22;
    uint8_t *bytes = malloc(made.size + 5);
    memcpy(bytes, made.bytes, made.size);
    memcpy(bytes + made.size, "hello", 5);
    bytes[made.size - 2] = 5;
    CHECK_ERROR(&error, read_bytes(bytes, made.size + 5, &error), DT_OK, NULL);
    /* Leave out the 56 bytes of the end and the 20 of the locator. */
    memmove(bytes + end - 76, bytes + end, 22 + 5);
    CHECK_ERROR(&error, read_bytes(bytes, made.size + 5 - 76, &error), DT_OK,
                NULL);
    free(bytes);
    zip_free(&made);
}

/* ---- What is refused ---------------------------------------------------- */

/* A change of an archive, at an offset from one of its parts. */
typedef enum part { LOCAL, ENTRY, END64, LOCATOR } part;

typedef struct fault {
    part part;
    size_t at;
    uint8_t value;
    const char *text;
} fault;

static const fault faults[] = {
    {ENTRY, 0, 'Q', "expected an entry"},
    {ENTRY, 8, 9, "record m/data/a is encrypted"},
    {ENTRY, 10, 8,
     "record m/data/a is compressed (method 8); save it again with "
     "torch.export.save"},
    {ENTRY, 20, 6, "has two sizes, 6 and 5"},
    {ENTRY, 28, 0, "a record's name has 0 bytes"},
    {ENTRY, 28, 7, "the record here is not m/data/"},
    {ENTRY, 30, 0xff, "ends after the central directory"},
    {ENTRY, 33, 0xff, "ends after the central directory"},
    {ENTRY, 43, 0x7f, "where no record begins"},
    {ENTRY, 42, 1, "where no record begins"},
    {ENTRY, 46, '/', "absolute path"},
    {ENTRY, 46, 0x80, "not valid UTF-8"},
    {ENTRY, 46, 0, "not valid UTF-8"},
    {ENTRY, 47, 'x', "the record here is not mxdata/a"},
    {LOCAL, 0, 'Q', "where no record begins"},
    {LOCAL, 26, 9, "the record here is not m/data/a"},
    {LOCAL, 29, 0xff, "the record here is not m/data/a"},
    {LOCAL, 30, 'n', "the record here is not m/data/a"},
    {END64, 0, 'Q', "the zip64 locator points to"},
    {END64, 32, 9, "no room for 9 records"},
    {END64, 39, 0xff, "no room for"},
    {END64, 32, 2, "more than its 2 entries"},
    {END64, 40, 1, "does not end here"},
    {END64, 55, 0x7f, "does not end here"},
    {LOCATOR, 15, 0xff, "the zip64 locator points to"},
};

static size_t place_of(const zip *made, part of)
{
    const size_t places[] = {
        [LOCAL] = 0,
        [ENTRY] = made->directory_begin,
        [END64] = made->directory_begin + made->directory_size,
        [LOCATOR] = made->directory_begin + made->directory_size + 56};
    return places[of];
}

static void refuses_faults(dt_world *world)
{
    (void)world;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        zip made = make_archive();
        made.bytes[place_of(&made, faults[i].part) + faults[i].at] =
            faults[i].value;
        check_refused(&made, DT_ERR_FORMAT, faults[i].text);
        zip_free(&made);
    }
}

static void says_where(dt_world *world)
{
    zip made = make_archive();
    char text[64];
    (void)world;
    snprintf(text, sizeof text, "offset %zu: record m/data/a is compressed",
             made.directory_begin);
    made.bytes[made.directory_begin + 10] = 8;
    check_refused(&made, DT_ERR_FORMAT, text);
    zip_free(&made);
}

static void refuses_names(dt_world *world)
{
    static const struct {
        const char *first, *second, *text;
        dt_status code;
    } rows[] = {
        {"m/a", "m/a", "two records have the name a", DT_ERR_FORMAT},
        {"m/a", "n/b", "record n/b is not in the folder m/", DT_ERR_FORMAT},
        {"m/a", "m/../b", "\"..\" in its name", DT_ERR_FORMAT},
        {"m/a", "m/..", "\"..\" in its name", DT_ERR_FORMAT},
        {"a", "b", "in no folder", DT_ERR_FORMAT},
        {"version", "serialized_exported_program.json",
         "archive of torch 2.7 or earlier; save it again with torch 2.9 or "
         "later",
         DT_ERR_UNSUPPORTED},
    };
    (void)world;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        zip made = {0};
        zip_add_text(&made, rows[i].first, "1");
        zip_add_text(&made, rows[i].second, "2");
        zip_finish(&made);
        check_refused(&made, rows[i].code, rows[i].text);
        zip_free(&made);
    }
}

/* A record whose data is said to reach into the next one. */
static void refuses_overlaps(dt_world *world)
{
    zip made = {0};
    (void)world;
    zip_add_text(&made, "m/a", "1");
    zip_add_text(&made, "m/b", "2");
    zip_finish(&made);
    uint8_t *entry = made.bytes + made.directory_begin;
    entry[20] = entry[24] = 30;
    check_refused(&made, DT_ERR_FORMAT, "records m/a and m/b overlap");
    zip_free(&made);
}

/* Sizes that need 64 bits are in an extra field, which is missing here. */
static void refuses_missing_sizes(dt_world *world)
{
    zip made = make_archive();
    (void)world;
    memset(made.bytes + made.directory_begin + 20, 0xff, 4);
    check_refused(&made, DT_ERR_FORMAT, "zip64 sizes of a record are missing");
    zip_free(&made);
}

/* Every beginning of an archive, and every byte set to all ones. */
static void survives_damage(dt_world *world)
{
    zip made = make_archive();
    dt_error error;
    (void)world;
    for (size_t size = 0; size < made.size; size++) {
        error = (dt_error){DT_OK, ""};
        CHECKF(read_bytes(made.bytes, size, &error) != DT_OK &&
                   error.message[0],
               "%zu bytes are no archive", size);
    }
    for (size_t at = 0; at < made.size; at++) {
        const uint8_t before = made.bytes[at];
        made.bytes[at] = 0xff;
        error = (dt_error){DT_OK, ""};
        dt_status status = read_bytes(made.bytes, made.size, &error);
        CHECK(status == error.code);
        made.bytes[at] = before;
    }
    zip_free(&made);
}

/* ---- Files -------------------------------------------------------------- */

static void opens_files(dt_world *world)
{
    zip made = make_archive();
    char path[] = "/tmp/dt-archive-XXXXXX";
    dti_archive *archive = NULL;
    const int file = mkstemp(path);
    if (!CHECK(file >= 0))
        return;
    CHECK_FAILS(world, dti_archive_open(world, path, &archive), DT_ERR_FORMAT,
                "the file is empty");
    CHECK(write(file, made.bytes, made.size) == (ssize_t)made.size);
    close(file);
    if (CHECK_OK(world, dti_archive_open(world, path, &archive))) {
        CHECK(dti_archive_find(archive, "data/a") != NULL);
        dti_archive_retain(archive);
        dti_archive_release(archive);
        dti_archive_release(archive);
    }
    CHECK(truncate(path, 100) == 0);
    CHECK_FAILS(world, dti_archive_open(world, path, &archive), DT_ERR_FORMAT,
                path);
    unlink(path);
    CHECK_FAILS(world, dti_archive_open(world, path, &archive),
                DT_ERR_NOT_FOUND, path);
    CHECK_FAILS(world, dti_archive_open(world, "/tmp", &archive), DT_ERR_FORMAT,
                "not a regular file");
    zip_free(&made);
}

const dt_test dt_tests[] = {
    {"reads records", reads_records},
    {"sums as zlib does", sums_as_zlib},
    {"reads archives of other writers", reads_other_writers},
    {"refuses faults", refuses_faults},
    {"says where a fault is", says_where},
    {"refuses names", refuses_names},
    {"refuses overlapping records", refuses_overlaps},
    {"refuses missing sizes", refuses_missing_sizes},
    {"survives damage", survives_damage},
    {"opens files", opens_files},
    {NULL, NULL},
};
