/* dtensor/local_map.h - functions of local tensors, on tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_LOCAL_MAP_H
#define DTENSOR_LOCAL_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/*
 * A function of this rank's parts, tensors on its own mesh: sets all of
 * `outputs`.  What it makes belongs to the innermost scope.
 */
typedef dt_status (*dt_local_function)(dt_world *world,
                                       dt_tensor *const *inputs,
                                       int input_count, dt_tensor **outputs,
                                       int output_count, void *arg);

/* How inputs lie, and outputs.  Zeros are defaults. */
typedef struct dt_local_map_options {
    size_t size;                    /* sizeof(dt_local_map_options) */
    const char *const *in_layouts;  /* of each input, in which NULL is: as it
                                       lies; NULL: all as they lie */
    const char *const *out_layouts; /* of each output; needed */
    const dt_shape *out_shapes;     /* of wholes; NULL: as many equal parts */
    bool redistribute; /* inputs that lie otherwise; without it, an error */
    void *arg;         /* for the function */
} dt_local_map_options;

#define DT_LOCAL_MAP_OPTIONS_INIT                                              \
    {                                                                          \
        sizeof(dt_local_map_options), 0, 0, 0, false, 0                        \
    }

/*
 * Call a function with this rank's parts of tensors, and take what it gives as
 * parts of new ones.
 *
 * Collective over the mesh of the inputs, which is one.  Partial values are
 * given as they are.  A rank outside the mesh does not call the function, and
 * gets empty tensors.  Outputs belong to the innermost scope.  A failure of the
 * function on one rank is DT_ERR_PEER on the others.
 */
DT_API DT_MUST_USE dt_status dt_local_map(dt_local_function function,
                                          dt_tensor *const *inputs,
                                          int input_count, dt_tensor **outputs,
                                          int output_count,
                                          const dt_local_map_options *options);

DT_EXTERN_C_END

#endif
