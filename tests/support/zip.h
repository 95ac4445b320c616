/* tests/support/zip.h - zip archives in memory, as PyTorch writes them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_ZIP_H
#define DT_TESTS_ZIP_H

#include <stddef.h>
#include <stdint.h>

/* An archive that is being written.  Start from zeros. */
typedef struct zip {
    uint8_t *bytes;
    size_t size, capacity;
    uint8_t *directory; /* entries so far */
    size_t directory_size, directory_capacity;
    int count;
    size_t directory_begin; /* after zip_finish */
} zip;

/* Add a record: its data begins at a multiple of 64 bytes. */
void zip_add(zip *to, const char *name, const void *data, size_t size);
void zip_add_text(zip *to, const char *name, const char *text);

/* Write the central directory and the ends, that of zip64 too. */
void zip_finish(zip *to);

void zip_free(zip *archive);

#endif
