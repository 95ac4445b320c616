/* checkpoint/header.h - the header of a safetensors file. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_HEADER_H
#define DTI_CHECKPOINT_HEADER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <dtensor/shape.h>
#include <dtensor/status.h>

#include "checkpoint/dtype.h"

/*
 * A safetensors file is eight bytes that give the length N of the header, least
 * significant first, N bytes of JSON, and the elements of all tensors without
 * gaps, row-major and little-endian:
 *
 *     {"__metadata__": {"format": "pt"},
 *      "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
 *
 * Offsets count from the end of the header.  Spaces may follow the JSON; files
 * that are written here have as many as make the elements begin at a multiple
 * of DTI_HEADER_ALIGNMENT.
 */

enum {
    DTI_HEADER_PREFIX = 8,         /* bytes before the JSON */
    DTI_HEADER_ALIGNMENT = 4096,   /* of elements in files written here */
    DTI_HEADER_MOST = 100000000,   /* bytes of JSON at most */
    DTI_HEADER_NAME_MOST = 1 << 16 /* bytes of a name at most */
};

/* A tensor of a file. */
typedef struct dti_file_tensor {
    char *name;
    const dti_file_dtype *dtype;
    dt_shape shape;
    uint64_t begin, end; /* bytes, from the end of the header */
} dti_file_tensor;

/* A text of the metadata. */
typedef struct dti_file_text {
    char *key, *value;
} dti_file_text;

/* What a header says; tensors in the order of their bytes. */
typedef struct dti_header {
    dti_file_tensor *tensors;
    size_t count, capacity;
    dti_file_text *texts;
    size_t text_count, text_capacity;
    uint64_t data; /* where elements begin in the file */
} dti_header;

/* Read the length of the JSON from the first bytes of a file, of which `size`
 * are there and DTI_HEADER_PREFIX are needed. */
dt_status dti_header_length(const void *bytes, size_t size, uint64_t file_size,
                            size_t *out, dt_error *error);

/* Read the JSON of the header of a file of `file_size` bytes.  The caller frees
 * the result by dti_header_free.  Every rule of the format is checked. */
dt_status dti_header_parse(const void *text, size_t size, uint64_t file_size,
                           dti_header *out, dt_error *error);

void dti_header_free(dti_header *header);

/* Find a text of the metadata; NULL if there is none. */
const char *dti_header_text(const dti_header *header, const char *key);

/*
 * Writing.  A header has metadata, numbers and texts (members of the object
 * __metadata__, the latter with a comma before them), and tensors (each with a
 * comma before it).
 */
typedef struct dti_header_text_part {
    const char *text;
    size_t size;
} dti_header_text_part;

/* Write a tensor as a member of the JSON object, with a comma before it. */
void dti_header_put_tensor(FILE *stream, const dti_file_tensor *tensor);

/* The size in the file of a header whose three parts have these bytes. */
uint64_t dti_header_size(size_t parts);

/* Put the three parts together; spaces fill up to the size. */
void dti_header_build(const dti_header_text_part *parts, char *out,
                      uint64_t size);

#endif
