/* dtensor/sys/checkpoint.h - looking into checkpoints, and writing others. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_CHECKPOINT_H
#define DTENSOR_SYS_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/checkpoint.h>
#include <dtensor/dtype.h>
#include <dtensor/shape.h>
#include <dtensor/state.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/* ---- Reading --------------------------------------------------------------
 */

/* A checkpoint that is open for reading: what it has is known, elements are
 * read on demand.  Used by one thread at a time; it needs no world. */
typedef struct dt_saved dt_saved;

/* A tensor of a checkpoint. */
typedef struct dt_saved_tensor {
    const char *name;       /* as in the files */
    const char *dtype_name; /* as in the files: "BF16" */
    dt_dtype dtype;     /* DT_DTYPE_COUNT if the library has no such dtype */
    dt_shape shape;     /* global */
    uint64_t bytes;     /* of all elements */
    const char *layout; /* spec when it was saved; NULL if not known */
    const char *same;   /* the tensor that this name is another name of; NULL:
                           none */
} dt_saved_tensor;

/* A box of a tensor that a file stores as one block, row-major. */
typedef struct dt_saved_chunk {
    dt_box box;       /* in the global tensor */
    const char *path; /* of the file */
    uint64_t offset;  /* of its first byte in the file */
} dt_saved_chunk;

/*
 * Open a checkpoint; `path` is as in dt_load.
 *
 * Not collective.  The caller closes it.  Headers are read and checked, no
 * elements.  `error` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_saved_open(const char *path, dt_saved **out,
                                           dt_error *error);

/* Close a checkpoint.  Not collective.  NULL is allowed. */
DT_API void dt_saved_close(dt_saved *saved);

/*
 * Properties of a checkpoint: the folder or file that was opened, its step and
 * the number of ranks that saved it (-1 if not known), and the number and names
 * of its files.
 *
 * Not collective.  Borrowed from the checkpoint.
 */
DT_API const char *dt_saved_path(const dt_saved *saved);
DT_API int64_t dt_saved_step(const dt_saved *saved);
DT_API int64_t dt_saved_ranks(const dt_saved *saved);
DT_API int dt_saved_file_count(const dt_saved *saved);
DT_API const char *dt_saved_file(const dt_saved *saved, int index);

/*
 * Return the number of tensors; the tensor with an index, in the order of
 * names; the tensor with a name, NULL if there is none.
 *
 * Not collective.  Borrowed from the checkpoint.
 */
DT_API int64_t dt_saved_count(const dt_saved *saved);
DT_API const dt_saved_tensor *dt_saved_at(const dt_saved *saved, int64_t index);
DT_API const dt_saved_tensor *dt_saved_find(const dt_saved *saved,
                                            const char *name);

/*
 * Return the number of numbers and texts, and the one with an index.
 *
 * Not collective.  Borrowed from the checkpoint.
 */
DT_API int64_t dt_saved_value_count(const dt_saved *saved);
DT_API const dt_state_entry *dt_saved_value_at(const dt_saved *saved,
                                               int64_t index);

/*
 * List the chunks of a tensor.  At most `capacity` of them are written to
 * `chunks`.  Returns how many there are.
 *
 * Not collective.  Paths are borrowed from the checkpoint.
 */
DT_API int64_t dt_saved_chunks(const dt_saved *saved,
                               const dt_saved_tensor *tensor,
                               dt_saved_chunk *chunks, int64_t capacity);

/*
 * Find the chunk that has an element of a tensor, by name and index.
 *
 * Not collective.  DT_ERR_NOT_FOUND if no tensor has this name, or if no chunk
 * has the element; `error` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_saved_find_chunk(const dt_saved *saved,
                                                 const char *name,
                                                 const int64_t *index,
                                                 dt_saved_chunk *out,
                                                 dt_error *error);

/*
 * Read consecutive bytes of a tensor, of its elements in row-major order.
 *
 * Not collective.  DT_ERR_INVALID if the range is beyond the tensor; `error`
 * may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_saved_read(dt_saved *saved,
                                           const dt_saved_tensor *tensor,
                                           uint64_t first, size_t bytes,
                                           void *out, dt_error *error);

/* Told how far something is; returns false to end it. */
typedef bool (*dt_saved_progress)(void *arg, uint64_t done, uint64_t total);

/*
 * Compare all bytes of a checkpoint with their checksums.  `checked` receives
 * how many bytes have one: none in files that other programs wrote, which are
 * read all the same.
 *
 * Not collective.  DT_ERR_FORMAT names the file, the tensor and the bytes that
 * differ.  `progress` may be NULL.  `error` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_saved_verify(dt_saved *saved,
                                             dt_saved_progress progress,
                                             void *arg, uint64_t *checked,
                                             dt_error *error);

/*
 * Write a checkpoint as one safetensors file.
 *
 * Not collective.  An existing file is replaced when all is written.
 * `progress` may be NULL.  `error` may be NULL.
 */
DT_API DT_MUST_USE dt_status dt_saved_merge(dt_saved *saved, const char *path,
                                            dt_saved_progress progress,
                                            void *arg, dt_error *error);

/* ---- Writing other formats -------------------------------------------------
 */

/* Bytes that one rank writes in a save: a consecutive range of the elements of
 * a tensor in row-major order. */
typedef struct dt_write_item {
    const char *name; /* of the tensor */
    int rank;         /* who writes it */
    uint64_t first;   /* first byte */
    uint64_t bytes;   /* number of bytes */
    bool local; /* the rank stores all of them; otherwise it reads them from
                   others (dt_tensor_get) */
} dt_write_item;

/*
 * List what a rank writes when a state is saved, in order.  At most `capacity`
 * of them are written to `items`; `count` receives how many there are.  The
 * items of all ranks together are all bytes of all tensors, each once.
 *
 * Not collective.  Names are borrowed from the state.  DT_ERR_INVALID if a
 * tensor is partial.  dt_tensor_shard_boxes lists what a rank stores.
 */
DT_API DT_MUST_USE dt_status dt_save_items(dt_world *world,
                                           const dt_state *state, int rank,
                                           dt_write_item *items,
                                           int64_t capacity, int64_t *count);

DT_EXTERN_C_END

#endif
