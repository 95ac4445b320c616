/* dtensor/ops.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_H
#define DTENSOR_OPS_H

/*
 * ops/math.h          Arithmetic and functions of elements
 * ops/reduce.h        Reductions, scans and sorting
 * ops/linalg.h        Linear algebra
 * ops/shape.h         Shapes, views and joining
 * ops/index.h         Indexing, gathering and scattering
 * ops/nn.h            Layers of neural networks
 * ops/loss.h          Losses
 * ops/random.h        Random numbers
 * ops/create.h        Creating and filling
 * sys/ops_training.h  Lists of tensors and optimizers
 * sys/ops_internal.h  Gradients, and parts of operators
 *
 * Those in sys/ are for gradients, optimizers and graphs, and are not included
 * here.
 *
 * All tensors of a call are on one mesh.  A call that fails returns NULL or a
 * status and records an error.  A NULL tensor fails with DT_ERR_INVALID; if an
 * earlier error led to it, that one stays recorded, so that calls nest and are
 * checked once.  Arguments that may be NULL say so.
 *
 * Results belong to the innermost scope.  An output parameter may be NULL if
 * its result is not wanted.  A list of results is written to `results`, which
 * has `capacity` slots; `count` receives their number.
 *
 * dt_x_ writes in place: it overwrites its first tensor and returns it.  If the
 * first argument is a list, it overwrites the tensors of the list; if there are
 * several results, result x_out overwrites the tensor x.  dt_x_out writes to
 * `out` and returns it.  Both keep the layout of what they write to, or fail.
 *
 * dt_x_with takes options; dt_x, and NULL options, use those of
 * DT_X_OPTIONS_INIT, which dt_op_default returns one by one.  Fields that an
 * older program does not have are defaults.
 */

#include <dtensor/ops/create.h>
#include <dtensor/ops/index.h>
#include <dtensor/ops/linalg.h>
#include <dtensor/ops/loss.h>
#include <dtensor/ops/math.h>
#include <dtensor/ops/nn.h>
#include <dtensor/ops/random.h>
#include <dtensor/ops/reduce.h>
#include <dtensor/ops/shape.h>

#endif
