/* base/text/writer.h - text that is cut where its room ends. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_TEXT_WRITER_H
#define DTI_BASE_TEXT_WRITER_H

#include <stddef.h>

#include <dtensor/export.h>

/* Where text goes, and the length that the whole would have.  Start from
 * {text, size, 0}; `text` may be NULL if `size` is 0. */
typedef struct dti_writer {
    char *text;
    size_t size;
    size_t length;
} dti_writer;

void dti_put(dti_writer *to, const char *format, ...) DT_PRINTF(2, 3);

#endif
