/* trace/timeline.h - when things happened, as other programs read it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TRACE_TIMELINE_H
#define DTI_TRACE_TIMELINE_H

#include <stdio.h>

#include <dtensor/sys/file.h>
#include <dtensor/trace.h>

/* Write this rank's part of a timeline: JSON objects with commas between them,
 * at least one. */
void dti_timeline_write(const dt_world *world, FILE *stream);

/* Begin a file and its timeline; fails with a message that names the path. */
dt_status dti_timeline_create(dt_world *world, const char *path, dt_file **out);

/* End the timeline and the file, as dti_timeline_create. */
dt_status dti_timeline_commit(dt_world *world, dt_file *file);

#endif
