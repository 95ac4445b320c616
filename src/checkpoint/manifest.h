/* checkpoint/manifest.h - what was saved, and the sums of its bytes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_MANIFEST_H
#define DTI_CHECKPOINT_MANIFEST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <dtensor/status.h>

/*
 * meta.json, beside the files of a checkpoint:
 *
 *     {"format": "dtensor", "version": 1, "library": "0.1.0", "step": 1000,
 *      "ranks": 4,
 *      "files": [{"name": "model.safetensors", "bytes": 8192,
 *                 "header": "0123456789abcdef"}],
 *      "tensors": {"w": {"layout": "f32[4, 6] S(0) on dp=4",
 *                        "sums": [[96, "0123456789abcdef"]]}}}
 *
 * Sums are XXH3-64.  Those of a tensor are of consecutive ranges of its bytes:
 * one for each range that a rank wrote at once.  Unknown names are ignored.
 */

#define DTI_MANIFEST_NAME "meta.json"

/* Consecutive bytes and their sum. */
typedef struct dti_sum {
    uint64_t bytes;
    uint64_t hash;
} dti_sum;

typedef struct dti_manifest_file {
    char *name;
    uint64_t bytes;  /* of the file */
    uint64_t header; /* sum of the bytes before the elements */
} dti_manifest_file;

typedef struct dti_manifest_tensor {
    char *name;
    char *layout; /* spec when it was saved; NULL for an array */
    dti_sum *sums;
    size_t count, capacity;
} dti_manifest_tensor;

typedef struct dti_manifest {
    int64_t step;
    int64_t ranks;
    dti_manifest_file *files;
    size_t file_count, file_capacity;
    dti_manifest_tensor *tensors;
    size_t tensor_count, tensor_capacity;
} dti_manifest;

/* Read a manifest.  The caller frees the result.  DT_ERR_UNSUPPORTED if its
 * version is not known. */
dt_status dti_manifest_parse(const void *text, size_t size, dti_manifest *out,
                             dt_error *error);

void dti_manifest_free(dti_manifest *manifest);

/* Write a manifest; whether that went well, the stream knows. */
void dti_manifest_write(const dti_manifest *manifest, FILE *stream);

#endif
