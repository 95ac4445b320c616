/* kernel/attention/attention_portable.c - the loops of attention, for any
 * processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_attention_portable
#include "kernel/attention/attention_tmpl.h"
