/* ops/helpers/settle.c - inputs that a composition redistributes before it
 * calls others. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/settle.h"

#include <string.h>

#include <dtensor/layout.h>
#include <dtensor/redistribute.h>

#include "base/error.h"
#include "base/scope.h"
#include "layout/spec.h"
#include "redistribute/cost.h"
#include "tensor/tensor.h"

dt_status dti_settle_mode(const dt_operation *operation,
                          const dt_tensor *tensor, const char *layout)
{
    const char *lies = dt_layout_text(tensor->world, &tensor->spec->layout);
    if (!lies)
        return dti_failure_of(tensor->world);
    if (dti_scope_mode(tensor->world) != DT_SCOPE_STRICT ||
        strcmp(lies, layout) == 0)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "%s would be redistributed implicitly, which this scope does not "
        "allow; write dt_redistribute(tensor, \"%s\")",
        dti_spec_show(tensor->spec).text, layout);
}

static bool becomes_replicated(const dt_placement *placement,
                               dti_settling which)
{
    if (!dti_is_partial(placement))
        return which == DTI_SETTLE_ALL && placement->kind != DT_REPLICATE;
    return which != DTI_SETTLE_SUMS ||
           (placement->op != DT_MAX && placement->op != DT_MIN);
}

dt_status dti_settle(const dt_operation *operation, dt_tensor *tensor,
                     dti_settling which, dt_tensor **out)
{
    dt_layout layout = tensor->spec->layout;
    bool changes = false;
    *out = tensor;
    for (int i = 0; i < layout.ndim; i++)
        if (becomes_replicated(&layout.placements[i], which)) {
            layout.placements[i] = dt_replicate();
            changes = true;
        }
    if (!changes)
        return DT_OK;
    if (which == DTI_SETTLE_ALL)
        dti_layout_default_order(&layout);
    const char *text = dt_layout_text(tensor->world, &layout);
    if (!text)
        return dti_failure_of(tensor->world);
    DTI_TRY(dti_settle_mode(operation, tensor, text));
    *out = dt_redistribute(tensor, text);
    return *out ? DT_OK : dti_failure_of(tensor->world);
}

void dti_settle_end(dt_tensor *settled, const dt_tensor *tensor)
{
    if (settled != tensor)
        dt_tensor_release_early(settled);
}

/* What it costs to reduce so many bytes along a mesh dimension, to shards or to
 * replicas. */
static double reduction_cost(const dt_mesh *mesh, int mesh_dim, int64_t bytes,
                             bool to_shards)
{
    const int ranks = mesh->dims.sizes[mesh_dim];
    const int64_t others = bytes - bytes / ranks;
    const dti_volume volume = {.remote = to_shards ? others : 2 * others,
                               .combined = others,
                               .messages = ranks - 1,
                               .dims = 1u << mesh_dim};
    return dti_cost_of(dti_costs_of_world(mesh->world), mesh, &volume);
}

bool dti_settle_pays(const dt_tensor *tensor, int64_t bytes)
{
    const dt_spec *spec = tensor->spec;
    double at_once = 0, by_shards = 0;
    int64_t had = dt_shape_count(dt_spec_shape(spec)) *
                  (int64_t)dt_dtype_size(dt_spec_dtype(spec));
    for (int i = 0; i < spec->layout.ndim; i++)
        if (dti_is_shard(&spec->layout.placements[i]))
            had /= spec->mesh->dims.sizes[i];
    for (int i = 0; i < spec->layout.ndim; i++) {
        if (!dti_is_partial(&spec->layout.placements[i]) ||
            spec->mesh->dims.sizes[i] == 1)
            continue;
        at_once += reduction_cost(spec->mesh, i, had, false);
        by_shards += reduction_cost(spec->mesh, i, had, true) +
                     reduction_cost(spec->mesh, i, bytes, false);
    }
    return at_once > 0 && at_once <= by_shards;
}
