/* autograd/hook.h - functions that see gradients. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_HOOK_H
#define DTI_AUTOGRAD_HOOK_H

#include <dtensor/autograd.h>

/* A list of hooks, in the order in which they were added. */
typedef struct dti_hook {
    struct dti_hook *next;
    dt_grad_hook function;
    void *arg;
    uint64_t number; /* by which it is removed */
} dti_hook;

/* Add a hook at the end of a list. */
dt_status dti_hook_add(dt_world *world, dti_hook **list, dt_grad_hook function,
                       void *arg, uint64_t number);

/* Remove a hook by number; false if the list does not have it. */
bool dti_hook_remove(dti_hook **list, uint64_t number);

void dti_hooks_free(dti_hook *list);

/* Pass a gradient through hooks; each may replace it. */
dt_status dti_hooks_run(const dti_hook *list, dt_tensor **gradient);

#endif
