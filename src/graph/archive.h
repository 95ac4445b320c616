/* graph/archive.h - the records of a .pt2 file, which is a zip archive. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_ARCHIVE_H
#define DTI_GRAPH_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/status.h>
#include <dtensor/world.h>

#include "base/map.h"
#include "base/reference.h"

/* A record: a name and bytes inside the file, which are not compressed. */
typedef struct dti_archive_record {
    char *name; /* without the folder that all records are in */
    const uint8_t *data;
    size_t size;
    uint64_t offset; /* of the data in the file, for messages */
    uint32_t sum;    /* CRC-32 */
    uint64_t begin;  /* where its local header begins */
} dti_archive_record;

/*
 * An archive, mapped into memory.  Records are read in place.  References may
 * be dropped by any thread: arrays that lie in the file hold one.
 */
typedef struct dti_archive {
    dti_reference reference;
    const uint8_t *bytes;
    size_t size;
    bool mapped; /* by dti_archive_open */
    int count;
    dti_archive_record *records;
    dti_map names;
} dti_archive;

/*
 * Read the central directory of an archive in memory, which is borrowed.  Every
 * record is checked to lie inside of it, to share no byte with another one and
 * to be stored as it is.  The error has the offset of what is wrong.
 */
dt_status dti_archive_read(const void *bytes, size_t size, dti_archive **out,
                           dt_error *error);

/* Map a file and read it.  Errors begin with the path. */
dt_status dti_archive_open(dt_world *world, const char *path,
                           dti_archive **out);

void dti_archive_retain(dti_archive *archive);
void dti_archive_release(dti_archive *archive); /* NULL is allowed */

/* Find a record; NULL if there is none. */
const dti_archive_record *dti_archive_find(const dti_archive *archive,
                                           const char *name);

/* Compare the bytes of a record with their CRC-32. */
bool dti_archive_intact(const dti_archive_record *record);

#endif
