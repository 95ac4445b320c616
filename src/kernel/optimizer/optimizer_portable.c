/* kernel/optimizer/optimizer_portable.c - the loops of optimisers, for any
 * processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_optimizer_portable
#include "kernel/optimizer/optimizer_tmpl.h"
