/* trace/timeline.h - when things happened, as other programs read it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TRACE_TIMELINE_H
#define DTI_TRACE_TIMELINE_H

#include <stdio.h>

#include <dtensor/trace.h>

/* Write this rank's part of a timeline: JSON objects with commas between them,
 * at least one. */
void dti_timeline_write(const dt_world *world, FILE *stream);

/* Write a whole file in one function call for each part: the beginning, parts
 * with commas between them, the end. */
void dti_timeline_begin(const dt_world *world, FILE *stream);
void dti_timeline_comma(FILE *stream);
void dti_timeline_end(FILE *stream);

/* Close a file that was written; fails, with a sentence that names the path, if
 * `stream` is NULL or something could not be written.  To be called with errno
 * as fopen left it. */
dt_status dti_timeline_close(dt_world *world, FILE *stream, const char *path);

#endif
