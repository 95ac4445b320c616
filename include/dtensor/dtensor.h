/* dtensor/dtensor.h - distributed tensors for C: everything but MPI. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_DTENSOR_H
#define DTENSOR_DTENSOR_H

#include <dtensor/array.h>
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
