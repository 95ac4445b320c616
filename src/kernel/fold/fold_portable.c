/* kernel/fold/fold_portable.c - the loops of reductions, for any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_fold_portable
#include "kernel/fold/fold_tmpl.h"
