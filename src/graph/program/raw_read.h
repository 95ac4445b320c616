/* graph/program/raw_read.h - what the files that read programs share. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_PROGRAM_RAW_READ_H
#define DTI_GRAPH_PROGRAM_RAW_READ_H

#include "base/attributes.h"
#include "graph/program/raw.h"

/* All functions return false after a failure, which the JSON reader keeps. */

bool dti_raw_fail_memory(dti_raw_program *program);

/* Make room for an item; `items` is the address of the list. */
bool dti_raw_grow(dti_raw_program *program, void *items, int count,
                  int *capacity, size_t size);

/* Read a text; one or null, which becomes NULL; {"name": text}; the type of a
 * device. */
bool dti_raw_read_text(dti_raw_program *program, const char **out);
bool dti_raw_read_optional_text(dti_raw_program *program, const char **out);
bool dti_raw_read_name(dti_raw_program *program, const char **out);
bool dti_raw_read_device(dti_raw_program *program, const char **out);

/* Enter a union, an object with one key, its tag; and leave it. */
bool dti_raw_begin_union(dti_raw_program *program, dti_json_string *tag);
bool dti_raw_end_union(dti_raw_program *program);

/* Tell that nothing has failed. */
static inline bool dti_raw_good(const dti_raw_program *program)
{
    return program->json.error.code == DT_OK;
}

/* Read a list of arguments, each with a name if `named`. */
bool dti_raw_read_arguments(dti_raw_program *program, dti_raw_arguments *out,
                            bool named);

/* Read a size; `fault` gets why one cannot be computed. */
bool dti_raw_read_size(dti_raw_program *program, dti_size *out,
                       const char **fault);

#endif
