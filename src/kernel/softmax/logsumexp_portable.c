/* kernel/softmax/logsumexp_portable.c - sums of exponentials, for any
 * processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_logsumexp_portable
#include "kernel/softmax/logsumexp_tmpl.h"
