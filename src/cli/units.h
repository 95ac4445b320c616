/* cli/units.h - bytes and seconds, as people write them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_UNITS_H
#define DTI_CLI_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A figure in words. */
typedef struct dti_figure {
    char text[32];
} dti_figure;

/* Three digits and a unit: "0 B", "1.5 KiB", "128 MiB". */
dti_figure dti_bytes(int64_t bytes);

/* Three digits and a unit: "0 s", "0.114 us", "7.12 ms". */
dti_figure dti_seconds(double seconds);

/* How many times: "1.00x", "512x". */
dti_figure dti_times(double ratio);

/* Read bytes, such as "4096", "64Mi", "64 MiB", "4G"; false if they make no
 * sense. */
bool dti_bytes_read(const char *text, size_t *out);

#endif
