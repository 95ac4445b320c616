/* kernel/scan/scan_avx2.c - running sums and products, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_scan_avx2
#include "kernel/scan/scan_tmpl.h"
