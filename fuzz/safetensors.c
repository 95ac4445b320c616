/* fuzz/safetensors.c - the header of a safetensors file, from any bytes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>

#include "checkpoint/header.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* The input is the JSON; the file is as long as it should be, or a bit off. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    dti_header header = {0};
    dt_error error = {DT_OK, ""};
    size_t length = 0;
    if (dti_header_length(bytes, size, size, &length, &error) == DT_OK)
        require(length + DTI_HEADER_PREFIX <= size);
    for (uint64_t data = 0; data <= 48; data += 8) {
        error = (dt_error){DT_OK, ""};
        const dt_status status = dti_header_parse(
            bytes, size, DTI_HEADER_PREFIX + size + data, &header, &error);
        require(status == error.code);
        if (status != DT_OK) {
            require(error.message[0] != '\0');
            continue;
        }
        uint64_t end = 0;
        for (size_t i = 0; i < header.count; i++) {
            const dti_file_tensor *tensor = &header.tensors[i];
            require(tensor->begin == end && tensor->end >= end);
            end = tensor->end;
            require(dt_shape_count(tensor->shape) >= 0);
        }
        require(end == data);
        dti_header_free(&header);
    }
    return 0;
}
