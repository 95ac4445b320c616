/* autograd/hook.c - functions that see gradients. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/hook.h"

#include <stdlib.h>

#include "base/error.h"
#include "tensor/tensor.h"

dt_status dti_hook_add(dt_world *world, dti_hook **list, dt_grad_hook function,
                       void *arg, uint64_t number)
{
    dti_hook *hook = malloc(sizeof *hook);
    if (!hook)
        return dti_fail_memory(world, sizeof *hook, "a hook");
    *hook = (dti_hook){.function = function, .arg = arg, .number = number};
    while (*list)
        list = &(*list)->next;
    *list = hook;
    return DT_OK;
}

bool dti_hook_remove(dti_hook **list, uint64_t number)
{
    while (*list && (*list)->number != number)
        list = &(*list)->next;
    dti_hook *found = *list;
    if (!found)
        return false;
    *list = found->next;
    free(found);
    return true;
}

void dti_hooks_free(dti_hook *list)
{
    while (list) {
        dti_hook *next = list->next;
        free(list);
        list = next;
    }
}

static dt_status check_replacement(const dt_tensor *before, dt_tensor *after)
{
    dt_world *world = before->world;
    if (!after)
        return dti_fail_null(world, "a hook", "the gradient that it returned");
    if (dt_shape_equal(before->spec->meta.shape, after->spec->meta.shape) &&
        before->spec->meta.dtype == after->spec->meta.dtype)
        return DT_OK;
    return dti_fail(
        world, DT_ERR_INVALID, "a hook returned %s for a gradient that is %s",
        dti_spec_show(after->spec).text, dti_spec_show(before->spec).text);
}

dt_status dti_hooks_run(const dti_hook *list, dt_tensor **gradient)
{
    for (const dti_hook *hook = list; hook; hook = hook->next) {
        dt_tensor *after = hook->function(*gradient, hook->arg);
        DTI_TRY(check_replacement(*gradient, after));
        *gradient = after;
    }
    return DT_OK;
}
