/* kernel/scan/scan_portable.c - running sums and products, for any processor.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#define TABLE dti_scan_portable
#include "kernel/scan/scan_tmpl.h"
