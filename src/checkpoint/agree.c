/* checkpoint/agree.c - what fails on one rank fails on all. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/agree.h"

#include <stdbool.h>
#include <string.h>

#include <dtensor/array.h>
#include <dtensor/comm.h>

#include "base/error.h"
#include "base/world.h"
#include "tensor/tensor.h"

/* Reduce a number over all ranks. */
static dt_status reduce(dt_world *world, dt_reduce op, int64_t *value)
{
    dt_array *array = NULL;
    DTI_TRY(dti_collective_end(
        world, dt_array_create(world, DT_I64, DT_SHAPE(1), &array)));
    int64_t *data = dt_array_data(array);
    *data = *value;
    const dt_status status =
        dt_group_all_reduce(dt_world_group(world), op, array, array);
    if (status == DT_OK)
        *value = *(const int64_t *)dt_array_const_data(array);
    dt_array_release(array);
    return status;
}

/* Let all ranks have the bytes of one. */
static dt_status share(dt_world *world, int root, char *text, size_t size)
{
    dt_array *array = NULL;
    DTI_TRY(dti_collective_end(
        world, dt_array_create(world, DT_U8, DT_SHAPE((int64_t)size), &array)));
    memcpy(dt_array_data(array), text, size);
    const dt_status status =
        dt_group_broadcast(dt_world_group(world), root, array);
    if (status == DT_OK)
        memcpy(text, dt_array_const_data(array), size);
    dt_array_release(array);
    return status;
}

dt_status dti_share_text(dt_world *world, char *text, size_t size)
{
    return world->size == 1 ? DT_OK : share(world, 0, text, size);
}

/* Tell whether a failure is about files that all ranks share, rather than about
 * one rank. */
static bool is_shared(dt_status code)
{
    return code == DT_ERR_NOT_FOUND || code == DT_ERR_INVALID ||
           code == DT_ERR_FORMAT;
}

dt_status dti_agree(dt_world *world, dt_status status, const dt_error *error)
{
    dt_error own = {status, ""};
    if (status != DT_OK)
        own = error ? *error : world->latest;
    if (world->size == 1)
        return status == DT_OK || !error ? status : dti_fail_with(world, error);
    int64_t first = status == DT_OK ? world->size : world->rank;
    DTI_TRY(reduce(world, DT_MIN, &first));
    if (first == world->size)
        return DT_OK;
    char theirs[sizeof own];
    memcpy(theirs, &own, sizeof own);
    DTI_TRY(share(world, (int)first, theirs, sizeof theirs));
    if (status == DT_OK) {
        memcpy(&own, theirs, sizeof own);
        own.message[sizeof own.message - 1] = '\0';
    }
    if (status != DT_OK || is_shared(own.code))
        return dti_fail_with(world, &own);
    return dti_fail(world, DT_ERR_PEER, "rank %d: %.900s", (int)first,
                    own.message);
}

dt_status dti_words_agree(dt_world *world, uint64_t word, bool *out)
{
    int64_t most = (int64_t)(word >> 1), least = most;
    if (world->size > 1) {
        DTI_TRY(reduce(world, DT_MAX, &most));
        DTI_TRY(reduce(world, DT_MIN, &least));
    }
    *out = most == least;
    return DT_OK;
}

dt_status dti_all(dt_world *world, bool here, bool *out)
{
    int64_t least = here;
    if (world->size > 1)
        DTI_TRY(reduce(world, DT_MIN, &least));
    *out = least;
    return DT_OK;
}
