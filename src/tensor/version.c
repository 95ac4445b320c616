/* tensor/version.c - how often the elements of a tensor were written. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/version.h"

#include <stdlib.h>

#include "base/error.h"
#include "tensor/tensor.h"

dti_version *dti_version_of(dt_tensor *tensor)
{
    if (tensor->version)
        return tensor->version;
    dti_version *version = malloc(sizeof *version);
    if (!version) {
        dti_fail_memory(tensor->world, sizeof *version, "a version");
        return NULL;
    }
    dti_reference_init(&version->reference);
    version->count = version->alone = 0;
    version->tensors = !tensor->alone;
    version->writer = NULL;
    dti_live_add(DTI_LIVE_VERSION, 1);
    return tensor->version = version;
}

dti_version *dti_version_retain(dti_version *version)
{
    if (version)
        dti_reference_retain(&version->reference);
    return version;
}

void dti_version_release(dti_version *version)
{
    if (!version || !dti_reference_release(&version->reference))
        return;
    free(version);
    dti_live_add(DTI_LIVE_VERSION, -1);
}

void dti_version_share(dt_tensor *tensor, dti_version *version)
{
    tensor->version = dti_version_retain(version);
    version->tensors += !tensor->alone;
}

void dti_version_leave(dt_tensor *tensor)
{
    if (!tensor->version)
        return;
    tensor->version->tensors -= !tensor->alone;
    dti_version_release(tensor->version);
    tensor->version = NULL;
}

void dti_version_raise(const dt_tensor *tensor, const char *writer)
{
    if (!tensor->version)
        return;
    tensor->version->writer = writer;
    if (tensor->alone)
        tensor->version->alone++;
    else
        tensor->version->count++;
}
