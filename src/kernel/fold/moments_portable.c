/* kernel/fold/moments_portable.c - the loops of moments, for any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_moments_portable
#include "kernel/fold/moments_tmpl.h"
