/* checkpoint/open.h - what a checkpoint that is open for reading is made of. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_OPEN_H
#define DTI_CHECKPOINT_OPEN_H

#include <dtensor/sys/checkpoint.h>

#include "base/map.h"
#include "checkpoint/header.h"
#include "checkpoint/manifest.h"

/* A file with elements. */
typedef struct dti_open_file {
    char *path;
    const char *name; /* the end of the path */
    uint64_t bytes;   /* of the file */
    uint64_t data;    /* where elements begin */
    int descriptor;   /* -1 until something is read */
    const char *map;  /* the file in memory; NULL until something is read */
} dti_open_file;

/* A block of a tensor in a file. */
typedef struct dti_open_chunk {
    dt_box box;
    size_t file;
    uint64_t offset; /* from the beginning of the file */
} dti_open_chunk;

typedef struct dti_open_tensor {
    dt_saved_tensor face; /* what programs see; texts are owned */
    size_t first_chunk, chunk_count;
    const dti_manifest_tensor *sums; /* NULL: none */
} dti_open_tensor;

struct dt_saved {
    char *path;
    dti_open_file *files;
    size_t file_count, file_capacity;
    dti_open_tensor *tensors; /* by name */
    size_t count, capacity;
    dti_open_chunk *chunks;
    size_t chunk_count, chunk_capacity;
    dt_state_entry *values; /* names and texts are owned */
    size_t value_count, value_capacity;
    dti_map names; /* of tensors */
    bool has_manifest;
    dti_manifest manifest;
    char *scratch; /* for what is not in memory; NULL until it is needed */
};

/*
 * Find the folder or file that a path means: that of the latest checkpoint if
 * it is a folder of checkpoints.  The caller frees the result.
 */
dt_status dti_checkpoint_resolve(const char *path, char **out, dt_error *error);

/* Open what dti_checkpoint_resolve gave. */
dt_status dti_checkpoint_open_at(const char *path, dt_saved **out,
                                 dt_error *error);

/* Find a tensor, or the one that a name is another name of. */
const dti_open_tensor *dti_checkpoint_tensor(const dt_saved *checkpoint,
                                             const char *name);

/* Read a small file whole; the caller frees the text.  At most `limit` bytes.
 */
dt_status dti_read_file(const char *path, size_t limit, char **out,
                        size_t *size, dt_error *error);

/* Fail because of errno. */
dt_status dti_fail_file(dt_error *error, const char *path, const char *doing);

/* Read a safetensors header from a descriptor; the file has `*bytes`.  `hash`,
 * which may be NULL, receives the sum of the bytes before the elements. */
dt_status dti_read_header(int descriptor, const char *path, uint64_t *bytes,
                          uint64_t *hash, dti_header *out, dt_error *error);

#endif
