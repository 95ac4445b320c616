/* kernel/scan/scan_avx512.c - running sums and products, for AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_scan_avx512
#include "kernel/scan/scan_tmpl.h"
