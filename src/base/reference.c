/* base/reference.c - counts of live objects, in debug builds. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/reference.h"

static const char *const names[DTI_LIVE_COUNT] = {
    [DTI_LIVE_WORLD] = "world",
    [DTI_LIVE_SCOPE] = "scope",
    [DTI_LIVE_POOL] = "pool",
    [DTI_LIVE_STORAGE] = "storage",
    [DTI_LIVE_ARRAY] = "array",
    [DTI_LIVE_GROUP] = "group",
    [DTI_LIVE_HANDLE] = "handle",
    [DTI_LIVE_MESH] = "mesh",
    [DTI_LIVE_GENERATOR] = "generator",
    [DTI_LIVE_SPEC] = "spec",
    [DTI_LIVE_PLAN] = "plan",
    [DTI_LIVE_TENSOR] = "tensor",
    [DTI_LIVE_VERSION] = "version",
    [DTI_LIVE_VIEW] = "view",
    [DTI_LIVE_NODE] = "recorded call",
    [DTI_LIVE_STATE] = "state",
    [DTI_LIVE_MODULE] = "module",
    [DTI_LIVE_PARAMETER] = "parameter",
    [DTI_LIVE_OPTIMIZER] = "optimizer",
    [DTI_LIVE_LOADER] = "loader",
    [DTI_LIVE_DATA_PARALLEL] = "data_parallel",
    [DTI_LIVE_GRAPH] = "graph",
    [DTI_LIVE_EXECUTOR] = "executor",
};

const char *dti_live_name(dti_live_kind kind)
{
    return names[kind];
}

#ifdef NDEBUG

int64_t dti_live_count(dti_live_kind kind)
{
    (void)kind;
    return -1;
}

#else

/* The one mutable global: it exists in debug builds only, for tests. */
static atomic_int_fast64_t live[DTI_LIVE_COUNT];

void dti_live_add(dti_live_kind kind, int change)
{
    atomic_fetch_add_explicit(&live[kind], change, memory_order_relaxed);
}

int64_t dti_live_count(dti_live_kind kind)
{
    return atomic_load_explicit(&live[kind], memory_order_relaxed);
}

#endif
