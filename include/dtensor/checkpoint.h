/* dtensor/checkpoint.h - saving and loading states. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_CHECKPOINT_H
#define DTENSOR_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/state.h>
#include <dtensor/status.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * A checkpoint is a folder of safetensors files with global tensors, which
 * other programs read too:
 *
 *     runs/step_00001000/model.safetensors
 *     runs/step_00001000/meta.json          layouts and checksums
 *     runs/latest                           the text "step_00001000"
 *
 * Larger ones have files model-00001-of-00003.safetensors and so on, and
 * model.safetensors.index.json, as Hugging Face writes them.  All ranks write
 * at the same time, every byte is written once, and replicas share the work.
 *
 * A folder step_N appears complete or not at all: whatever ends the processes,
 * and whenever, the checkpoints that were saved before stay, and can be loaded.
 * That includes loss of power where the file system honours fsync.
 *
 * In a dry run nothing is written, and nothing is read.
 */

/* Options of dt_save and dt_save_begin.  Zeros are the defaults. */
typedef struct dt_save_options {
    size_t size;    /* sizeof(dt_save_options) */
    bool overwrite; /* replace a checkpoint of the same step */
    int keep; /* after saving, remove all but the `keep` checkpoints of the
                 highest steps; 0: none is removed.  The one just saved is
                 never removed */
    uint64_t file_bytes; /* begin another file once one has this many bytes of
                            elements; 0: 5 GB.  A tensor is never split */
    bool buffered; /* write through the page cache even where the file system
                      allows to write past it */
} dt_save_options;

#define DT_SAVE_OPTIONS_INIT                                                   \
    {                                                                          \
        sizeof(dt_save_options), false, 0, 0, false                            \
    }

/*
 * Save a state as a checkpoint: folder/step_N, with N of eight digits.
 *
 * Collective over the world.  All ranks pass the same names, in the same order,
 * and the same options; `options` may be NULL.  The folder is created if its
 * parent exists, and must be shared by all ranks.  Tensors may have any layout
 * on any mesh, but must not be partial; arrays, and tensors on a rank's own
 * mesh, are those of rank 0, and so are numbers and texts.  A tensor that is
 * listed under several names is saved once.
 *
 * DT_ERR_INVALID if the step exists and is not to be overwritten, if a tensor
 * is partial, if states differ between ranks, or if another save is under way
 * in the folder; DT_ERR_IO if a rank cannot write.  If it fails on one rank it
 * fails on all.  If it failed before the checkpoint had its name, the folder
 * has the checkpoints that it had, and the next save removes what is left of
 * this one; if it failed later (`latest` cannot be written, or an old
 * checkpoint cannot be removed), step_N is the new checkpoint, complete.
 */
DT_API DT_MUST_USE dt_status dt_save(dt_world *world, const char *folder,
                                     int64_t step, const dt_state *state,
                                     const dt_save_options *options);

/*
 * Start to save a state, like dt_save, in the background.
 *
 * Collective over the world.  This rank's share of the state is copied, and a
 * thread writes the copy; the state may be changed when this function returns.
 * The checkpoint does not exist before dt_save_poll or dt_save_wait completes
 * it.  DT_ERR_INVALID if a save of this world is under way.
 */
DT_API DT_MUST_USE dt_status dt_save_begin(dt_world *world, const char *folder,
                                           int64_t step, const dt_state *state,
                                           const dt_save_options *options);

/*
 * Complete the save that is under way if all ranks have written their share.
 * Call it once per step of a training loop.
 *
 * Collective over the world: one small all-reduce, none if no save is under
 * way.  `done`, which may be NULL, receives whether no save is under way any
 * more.  A failure of the save is returned here, on all ranks, and ends it.
 */
DT_API DT_MUST_USE dt_status dt_save_poll(dt_world *world, bool *done);

/*
 * Wait until the save that is under way is complete.
 *
 * Collective over the world.  Returns what dt_save would.  A world that is
 * closed before leaves the checkpoint incomplete, and says so in the log.
 */
DT_API DT_MUST_USE dt_status dt_save_wait(dt_world *world);

/* A rule that renames: a name of the checkpoint that matches `from` is taken as
 * `to`.  Each may have one "*", which stands for any text. */
typedef struct dt_rename {
    const char *from; /* for example "model.*" */
    const char *to;   /* for example "*" */
} dt_rename;

/* Options of dt_load.  Zeros are the defaults. */
typedef struct dt_load_options {
    size_t size;           /* sizeof(dt_load_options) */
    bool allow_missing;    /* leave values unchanged that the checkpoint does
                              not have */
    bool allow_unexpected; /* ignore what the state does not list */
    bool cast;   /* convert elements, and integers to real numbers, where the
                    checkpoint has another dtype or kind of number */
    bool verify; /* compare the files with their checksums first */
    const dt_rename *renames; /* the first rule that matches a name renames it
                               */
    int rename_count;         /* number of rules */
} dt_load_options;

#define DT_LOAD_OPTIONS_INIT                                                   \
    {                                                                          \
        sizeof(dt_load_options), false, false, false, false, 0, 0              \
    }

/*
 * Load a checkpoint into the tensors and arrays that a state lists, and set its
 * numbers and texts.
 *
 * Collective over the world.  All ranks pass the same names, in the same order;
 * `options` may be NULL.  The layouts, the mesh and the number of ranks may
 * differ from those of the save: each rank reads the bytes that it needs.
 * Tensors must not be partial.
 *
 * `path` is a folder that dt_save was given (its latest checkpoint is loaded),
 * a folder of one checkpoint, a folder of safetensors files with or without an
 * index of Hugging Face, or one safetensors file.
 *
 * DT_ERR_NOT_FOUND if there is no checkpoint; DT_ERR_INVALID if names are
 * missing or unexpected, or shapes or dtypes differ, all of which the message
 * lists, and nothing was loaded; DT_ERR_FORMAT if a file is malformed or does
 * not have its checksums; DT_ERR_IO if a rank cannot read, and tensors may be
 * loaded in part.  If it fails on one rank it fails on all.
 */
DT_API DT_MUST_USE dt_status dt_load(dt_world *world, const char *path,
                                     dt_state *state,
                                     const dt_load_options *options);

DT_EXTERN_C_END

#endif
