/* dtensor/dtensor.h - distributed tensors for C: everything but MPI. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_DTENSOR_H
#define DTENSOR_DTENSOR_H

/*
 * Where a pointer may be NULL.
 *
 * - Tensors: everywhere.  Functions that failed give NULL, and those that take
 *   it give NULL or DT_ERR_INVALID and leave the first error as it is.
 * - What a tensor, a spec, an array or a mesh is can be asked of NULL too: it
 *   has nothing of anything (0, false, NULL, "", no dimension), and its dtype
 *   is DT_DTYPE_COUNT, called "invalid".  So a program that looks at the result
 *   of an operator that failed goes on to where it looks for errors.
 * - Where more than that is asked of a NULL spec, array or mesh, and where a
 *   text is NULL, the answer is DT_ERR_INVALID, with a sentence if there is a
 *   world.
 * - What is released or retained may be NULL.
 * - Worlds, groups, lists, options and places for results may not, unless a
 *   comment says so.
 */

#include <dtensor/array.h>
#include <dtensor/blas.h>
#include <dtensor/comm.h>
#include <dtensor/cpu.h>
#include <dtensor/create.h>
#include <dtensor/dlpack.h>
#include <dtensor/dtype.h>
#include <dtensor/launch.h>
#include <dtensor/layout.h>
#include <dtensor/local_map.h>
#include <dtensor/log.h>
#include <dtensor/memory.h>
#include <dtensor/mesh.h>
#include <dtensor/number.h>
#include <dtensor/ops.h>
#include <dtensor/plan.h>
#include <dtensor/random.h>
#include <dtensor/redistribute.h>
#include <dtensor/scope.h>
#include <dtensor/settings.h>
#include <dtensor/shape.h>
#include <dtensor/spec.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>
#include <dtensor/trace.h>
#include <dtensor/version.h>
#include <dtensor/world.h>

#endif
