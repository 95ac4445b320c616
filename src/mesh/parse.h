/* mesh/parse.h - the text form of a mesh's dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_MESH_PARSE_H
#define DTI_MESH_PARSE_H

#include <dtensor/mesh.h>

/* Names and sizes of the dimensions of a grid, slowest first. */
typedef struct dti_dims {
    int ndim;
    int sizes[DT_MAX_NDIM]; /* 0 while none was given */
    char names[DT_MAX_NDIM][DT_MESH_NAME_SIZE];
} dti_dims;

/* Read "dp=2,tp" or "2x4" into dimensions for this many ranks: a dimension
 * without a size takes what is left. */
dt_status dti_dims_read(dt_world *world, const char *text, int ranks,
                        dti_dims *out);

/* Read "dp,tp", names without sizes; at least one, no two the same. */
dt_status dti_names_read(dt_world *world, const char *text, dti_dims *out);

/* The dimension with a name; -1 if there is none. */
int dti_dims_find(const dti_dims *dims, const char *name);

#endif
