/* kernel/fold/arg_portable.c - the loops that find extremes, for any processor.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_arg_portable
#include "kernel/fold/arg_tmpl.h"
