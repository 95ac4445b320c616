/* cli/tensor.h - the tensor that a command is asked about. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_TENSOR_H
#define DTI_CLI_TENSOR_H

#include <stdbool.h>

#include <dtensor/dtype.h>
#include <dtensor/shape.h>
#include <dtensor/status.h>

/* A mesh lists its ranks; beyond this the list alone fills a machine. */
#define DTI_MOST_RANKS (1 << 26)

/*
 * Read a shape, "7x10", "7,10" or "(7, 10)", "()" or "scalar" without
 * dimensions; and the name of a dtype.  False if there is none, which stderr
 * then says for the command.  What the numbers may be is for the library to
 * say.
 */
bool dti_read_shape(const char *command, const char *text, dt_shape *out);
bool dti_read_dtype(const char *command, const char *text, dt_dtype *out);

/*
 * Count the places of a mesh, so that a world of as many ranks can be opened;
 * 0 if they are more than DTI_MOST_RANKS, which stderr then says.  What the
 * text should look like is for the library to say: where it makes no sense, any
 * number does.
 */
int dti_count_places(const char *command, const char *text);

/* Tell whether each dimension of a mesh has a size, as nobody else says how
 * many ranks there are; where one has none, stderr says so. */
bool dti_mesh_is_sized(const char *command, const char *text);

/* Write to stderr what the library says, and give the exit status. */
int dti_fail_asked(const char *command, const dt_error *error);

#endif
