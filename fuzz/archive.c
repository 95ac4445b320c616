/* fuzz/archive.c - the records of a zip archive, from any bytes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>

#include "graph/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Fail in a way that every fuzzer notices. */
static void require(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    dti_archive *archive = NULL;
    dt_error error = {DT_OK, ""};
    dt_status status = dti_archive_read(bytes, size, &archive, &error);
    require(status == error.code);
    if (status != DT_OK) {
        require(error.message[0] != '\0');
        return 0;
    }
    for (int i = 0; i < archive->count; i++) {
        const dti_archive_record *record = &archive->records[i];
        require(record->data >= bytes && record->data <= bytes + size);
        require(record->size <= (size_t)(bytes + size - record->data));
        require(dti_archive_find(archive, record->name) == record);
        (void)dti_archive_intact(record);
    }
    dti_archive_release(archive);
    return 0;
}
