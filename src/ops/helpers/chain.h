/* ops/helpers/chain.h - operators of a composition that are applied one to
 * another. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_CHAIN_H
#define DTI_OPS_HELPERS_CHAIN_H

#include <dtensor/tensor.h>

/* Give a tensor that was made of another one, which nobody needs any more:
 * x = dti_chain(dt_exp(x), x). */
static inline dt_tensor *dti_chain(dt_tensor *made, dt_tensor *spent)
{
    dt_tensor_release_early(spent);
    return made;
}

#endif
