/* kernel/shape/repeat.h - dimensions repeated as wholes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_SHAPE_REPEAT_H
#define DTI_KERNEL_SHAPE_REPEAT_H

#include <stddef.h>
#include <stdint.h>

#include <dtensor/shape.h>

/*
 * Repeat what lies at the beginning of every dimension of a dense block:
 * `dims[i]` indexes of dimension i are there, and come to be there `times[i]`
 * times.  No extent is 0.
 */
void dti_repeat(void *data, size_t item, int ndim, const int64_t *dims,
                const int64_t *times);

#endif
