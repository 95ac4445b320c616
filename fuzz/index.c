/* fuzz/index.c - an index of safetensors files, from any bytes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint/index.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    dti_index index = {0};
    dt_error error = {DT_OK, ""};
    const dt_status status = dti_index_parse(bytes, size, &index, &error);
    require(status == error.code && (status == DT_OK) == !error.message[0]);
    if (status != DT_OK)
        return 0;
    for (size_t i = 0; i < index.count; i++)
        require(!strchr(index.entries[i].file, '/') &&
                index.entries[i].file[0] != '.');
    dti_index_free(&index);
    return 0;
}
