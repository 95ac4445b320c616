/* kernel/softmax/softmax_portable.c - the loops of softmax, for any processor.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_softmax_portable
#include "kernel/softmax/softmax_tmpl.h"
