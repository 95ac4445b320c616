/* dtensor/data.h - reading training data. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_DATA_H
#define DTENSOR_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/mesh.h>
#include <dtensor/state.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/*
 * A loader reads batches of sequences from a file of tokens: unsigned integers
 * of 1, 2, 4 or 8 bytes, little-endian, one after another.  A text file is a
 * file of tokens of one byte.
 *
 *     dt_loader_options options = DT_LOADER_OPTIONS_INIT;
 *     options.batch = 8;
 *     options.length = 256;
 *     dt_loader *loader = NULL;
 *     DT_TRY(dt_loader_open(mesh, "S(0)R", "text.bin", &options, &loader));
 *     dt_tensor *tokens = NULL, *targets = NULL;
 *     DT_TRY(dt_loader_next(loader, &tokens, &targets));
 *
 * The file is divided into sequences, which an epoch takes once each, in random
 * order; the next epoch has another order and another beginning of the first
 * sequence.  The order depends on seed and epoch only: batches are the same on
 * any mesh, and every rank reads only the sequences of its shard.
 */
typedef struct dt_loader dt_loader;

/* Options of dt_loader_open. */
typedef struct dt_loader_options {
    size_t size;     /* sizeof(dt_loader_options) */
    int64_t batch;   /* sequences in a batch, over all ranks */
    int64_t length;  /* tokens in a sequence */
    int token_bytes; /* bytes of a token in the file: 1, 2, 4 or 8 */
    uint64_t seed;   /* of the order */
    bool in_order;   /* take sequences in the order of the file */
    int64_t skip;    /* bytes at the beginning of the file that are no tokens */
} dt_loader_options;

#define DT_LOADER_OPTIONS_INIT                                                 \
    {                                                                          \
        sizeof(dt_loader_options), 1, 128, 1, 0, false, 0                      \
    }

/*
 * Open a file of tokens.  Batches are on the mesh, in the layout, for example
 * "S(0)R": sequences are sharded along the first mesh dimension and replicated
 * along the second.  A NULL layout means replicated along every mesh dimension.
 *
 * Collective over the mesh.  The file is mapped, not read, and must not change
 * while it is open.  The caller closes the loader.  DT_ERR_IO if the file
 * cannot be read, DT_ERR_FORMAT if its size does not fit the tokens,
 * DT_ERR_INVALID if it is too short for one sequence or an option is invalid.
 */
DT_API DT_MUST_USE dt_status dt_loader_open(dt_mesh *mesh, const char *layout,
                                            const char *path,
                                            const dt_loader_options *options,
                                            dt_loader **out);

/* Close a loader.  Not collective.  NULL is allowed; tensors stay valid. */
DT_API void dt_loader_close(dt_loader *loader);

/*
 * Read the next batch: `tokens` and, one token later, `targets`, both i64
 * (batch, length).
 *
 * Not collective, but all ranks of the mesh must do the same.  Both belong to
 * the innermost scope.
 */
DT_API DT_MUST_USE dt_status dt_loader_next(dt_loader *loader,
                                            dt_tensor **tokens,
                                            dt_tensor **targets);

/* Return the number of sequences in an epoch, and how many were read since the
 * first epoch began.  Not collective. */
DT_API int64_t dt_loader_sequences(const dt_loader *loader);
DT_API int64_t dt_loader_position(const dt_loader *loader);

/*
 * Add the position of a loader to a state, as the integer "position", and
 * return to one.
 *
 * Not collective, but all ranks of the mesh must do the same.
 */
DT_API DT_MUST_USE dt_status dt_loader_get_state(const dt_loader *loader,
                                                 dt_state *state);
DT_API DT_MUST_USE dt_status dt_loader_set_state(dt_loader *loader,
                                                 const dt_state *state);

DT_EXTERN_C_END

#endif
