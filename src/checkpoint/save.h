/* checkpoint/save.h - a save that is under way. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_SAVE_H
#define DTI_CHECKPOINT_SAVE_H

#include <dtensor/checkpoint.h>

#include "base/pool.h"
#include "checkpoint/folder.h"
#include "checkpoint/output.h"
#include "checkpoint/plan.h"

/* The bytes of a file before its elements. */
typedef struct dti_save_header {
    char *bytes; /* as many as `data` of the file in the plan */
    uint64_t hash;
} dti_save_header;

typedef struct dti_save {
    dt_world *world;
    int64_t step;
    dti_save_plan *plan;
    bool copies; /* everything, so that the state may change */
    bool staged; /* bytes go to slots first, to be aligned like the file */
    char path[PATH_MAX];      /* of the folder in which it is made */
    dti_folder folder;        /* of rank 0 */
    bool began;               /* the folder is locked */
    dti_save_header *headers; /* of rank 0: one for each file */
    const char **files;       /* names */
    const char **tensors;     /* names */
    dti_block memory;         /* slots, or the copy; data is NULL: none */
    dti_output output;
    dt_error failed; /* what went wrong on this rank before the output ended */
} dti_save;

/*
 * Hand all bytes that this rank writes to the output, whose slots are there.
 *
 * Collective over the meshes of tensors whose shards are not consecutive.  What
 * goes wrong on this rank alone does not keep it from serving the others.
 */
dt_status dti_save_fill(dti_save *save, const dt_state *state);

/* The memory that a copy of all these bytes needs. */
size_t dti_save_measure(const dti_save *save);

/*
 * Complete a save whose bytes are on disk: gather sums on rank 0, which writes
 * index and manifest and commits.
 *
 * Collective over the world.  The same status on all ranks, but that others
 * than the one that failed have DT_ERR_PEER.
 */
dt_status dti_save_complete(dti_save *save);

#endif
