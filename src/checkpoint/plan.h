/* checkpoint/plan.h - which bytes of which file a rank writes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_PLAN_H
#define DTI_CHECKPOINT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/state.h>

#include "checkpoint/dtype.h"
#include "checkpoint/header.h"

/*
 * All ranks make the same plan of a state, without communicating: tensors in
 * the order of the reference writer of safetensors, large elements first, then
 * by name, one after another in files.  So every tensor begins at a multiple of
 * the size of its elements.
 *
 * Every rank writes consecutive bytes of a tensor.  If the shard of every rank
 * is consecutive in the file, it writes those, or its share if there are
 * replicas.  For example, four rows sharded as S(0)R over 2x2 ranks: ranks 0
 * and 1 store rows 0 and 1, and each writes one of them.  If shards are not
 * consecutive, for example those of S(1), the tensor is cut into pieces of
 * rows, which ranks take in turn and read from each other (dt_tensor_get).
 */

/* Pieces of a tensor whose shards are not consecutive: piece i is written by
 * the rank at place (i + turn) modulo the ranks of the mesh. */
typedef struct dti_pieces {
    int dim;       /* which is cut; all dimensions before it have one index */
    int64_t rows;  /* indexes of that dimension in a piece */
    int64_t inner; /* pieces for one index of the dimensions before */
    int64_t count; /* of all pieces */
    int turn;
} dti_pieces;

typedef struct dti_plan_tensor {
    dti_file_tensor form; /* the name is owned; offsets count from the end of
                             the header */
    int64_t entry;        /* in the state */
    size_t file;
    dt_spec *spec;  /* retained; NULL: an array, or of rank 0's own mesh */
    bool exchanged; /* in pieces */
    dti_pieces pieces;
    uint64_t first, bytes; /* otherwise: what this rank writes */
    uint64_t local; /* and where that is in the rank's shard, row-major */
} dti_plan_tensor;

typedef struct dti_plan_file {
    char *name;
    size_t first, count; /* tensors */
    uint64_t data;       /* where elements begin */
    uint64_t bytes;      /* of the file */
    char *metadata;      /* in the header: members of the object __metadata__ */
    size_t metadata_size;
    char *json; /* in the header: tensors, as dti_header_put_tensor writes */
    size_t json_size;
} dti_plan_file;

/* A name under which a tensor is listed again. */
typedef struct dti_plan_alias {
    char *name;
    size_t tensor;
} dti_plan_alias;

typedef struct dti_save_plan {
    uint64_t key; /* of what it was made for; see dti_save_plan_key */
    dti_plan_tensor *tensors;
    size_t count, capacity;
    dti_plan_file *files;
    size_t file_count, file_capacity;
    dti_plan_alias *aliases;
    size_t alias_count, alias_capacity;
    uint64_t bytes; /* of all tensors */
} dti_save_plan;

/* What a plan is made for. */
typedef struct dti_plan_request {
    const dt_state *state;
    int rank;            /* whose part of the work */
    uint64_t file_bytes; /* elements of a file; at least one tensor */
    size_t values; /* capacity for numbers and texts in the header of the first
                      file, in bytes */
} dti_plan_request;

/* A hash of all that a plan depends on.  It is the same on all ranks if they
 * pass the same state. */
uint64_t dti_save_plan_key(dt_world *world, const dti_plan_request *request);

/* Check that all values can be saved: the same on all ranks. */
dt_status dti_save_check(dt_world *world, const dt_state *state,
                         const char *function);

/* Tell whether a plan is one for a state: names, specs, and which of them are
 * the same tensor. */
bool dti_save_plan_fits(const dti_save_plan *plan, dt_world *world,
                        const dt_state *state);

/* Make a plan.  The caller frees it. */
dt_status dti_save_plan_create(dt_world *world, const dti_plan_request *request,
                               dti_save_plan **out);

/* NULL is allowed. */
void dti_save_plan_free(dti_save_plan *plan);

/* Tell which box a piece is, and at which byte of the tensor it begins. */
dt_box dti_piece_box(const dti_plan_tensor *tensor, int64_t piece,
                     uint64_t *first);

/* The array of a value that rank 0 saves alone; NULL: it is a tensor that is
 * distributed. */
dt_array *dti_lone_array(dt_world *world, const dt_state_entry *entry);

#endif
