/* dtensor/dtensor.h - distributed tensors for C: all headers except mpi.h. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_DTENSOR_H
#define DTENSOR_DTENSOR_H

/*
 * NULL arguments.
 *
 * - A tensor may be NULL everywhere.  Functions return NULL on failure, and a
 *   function that takes NULL returns NULL or DT_ERR_INVALID and keeps the first
 *   error.
 * - Properties of a NULL tensor, spec, array or mesh are 0, false, NULL or "",
 *   and its dtype is DT_DTYPE_COUNT, named "invalid".  So a program can inspect
 *   the result of a failed operator and check for errors later.
 * - Other functions fail with DT_ERR_INVALID for a NULL spec, array, mesh or
 *   text, with a message if there is a world to record it in.
 * - Retain and release functions accept NULL.
 * - Worlds, groups, lists, options and pointers to results must not be NULL
 *   unless a comment says so.
 */

#include <dtensor/array.h>
#include <dtensor/autograd.h>
#include <dtensor/blas.h>
#include <dtensor/checkpoint.h>
#include <dtensor/comm.h>
#include <dtensor/cpu.h>
#include <dtensor/create.h>
#include <dtensor/data.h>
#include <dtensor/data_parallel.h>
#include <dtensor/dlpack.h>
#include <dtensor/dtype.h>
#include <dtensor/graph.h>
#include <dtensor/launch.h>
#include <dtensor/layout.h>
#include <dtensor/local_map.h>
#include <dtensor/log.h>
#include <dtensor/memory.h>
#include <dtensor/mesh.h>
#include <dtensor/module.h>
#include <dtensor/nn.h>
#include <dtensor/number.h>
#include <dtensor/ops.h>
#include <dtensor/optim.h>
#include <dtensor/parallel.h>
#include <dtensor/plan.h>
#include <dtensor/random.h>
#include <dtensor/redistribute.h>
#include <dtensor/scope.h>
#include <dtensor/settings.h>
#include <dtensor/shape.h>
#include <dtensor/spec.h>
#include <dtensor/state.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>
#include <dtensor/trace.h>
#include <dtensor/version.h>
#include <dtensor/world.h>

#endif
