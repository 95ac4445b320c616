/* ops/helpers/settle.h - inputs that a composition redistributes before it
 * calls others. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_SETTLE_H
#define DTI_OPS_HELPERS_SETTLE_H

#include <dtensor/sys/op.h>

/* Fail in strict mode if a tensor has another layout: nothing is sent then that
 * is not written down.  Not collective. */
dt_status dti_settle_mode(const dt_operation *operation,
                          const dt_tensor *tensor, const char *layout);

/* What becomes replicated; the rest stays as it is. */
typedef enum dti_settling {
    DTI_SETTLE_SUMS,    /* partial values, but those of max and min */
    DTI_SETTLE_PARTIAL, /* all partial values */
    DTI_SETTLE_ALL      /* shards, too */
} dti_settling;

/*
 * Redistribute an input once, for several operators or because they would
 * redistribute it twice.
 *
 * Collective over its mesh.  The result is the tensor itself if it lies so;
 * release it with dti_settle_end.
 */
dt_status dti_settle(const dt_operation *operation, dt_tensor *tensor,
                     dti_settling which, dt_tensor **out);
void dti_settle_end(dt_tensor *settled, const dt_tensor *tensor);

/*
 * Tell whether to reduce a partial tensor at once costs no more than to reduce
 * shards of it, and then a partial result of `bytes` that comes of these.
 *
 * Not collective; the same on every rank.
 */
bool dti_settle_pays(const dt_tensor *tensor, int64_t bytes);

#endif
