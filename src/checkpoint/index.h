/* checkpoint/index.h - which file has which tensor, as Hugging Face writes it.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_INDEX_H
#define DTI_CHECKPOINT_INDEX_H

#include <stddef.h>

#include <dtensor/status.h>

/*
 * model.safetensors.index.json:
 *
 *     {"metadata": {"total_size": 123}, "weight_map": {"w":
 * "model-1.safetensors"}}
 */
typedef struct dti_index_entry {
    char *name; /* of the tensor */
    char *file; /* in the folder of the index */
} dti_index_entry;

typedef struct dti_index {
    dti_index_entry *entries;
    size_t count, capacity;
} dti_index;

/* Read an index.  The caller frees the result.  Names of files that lead out of
 * the folder are rejected. */
dt_status dti_index_parse(const void *text, size_t size, dti_index *out,
                          dt_error *error);

void dti_index_free(dti_index *index);

#endif
