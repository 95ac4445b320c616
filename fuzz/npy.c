/* fuzz/npy.c - the header of a .npy file, from any bytes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Fail in a way that every fuzzer notices. */
static void require(int condition)
{
    if (!condition)
        abort();
}

/* What was read must survive being written and read again. */
static void check_round_trip(const dti_npy_header *header)
{
    char text[512];
    dti_npy_header again;
    size_t length =
        dti_npy_write_header(header->dtype, header->shape, text, sizeof text);
    require(length % 64 == 0);
    require(dti_npy_parse(text, length, &again, NULL) == DT_OK);
    require(again.dtype == header->dtype);
    require(dt_shape_equal(again.shape, header->shape));
    require(again.data_offset == length);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    dti_npy_header header;
    dt_error error = {DT_OK, ""};
    dt_status status = dti_npy_parse(bytes, size, &header, &error);
    require(status == error.code);
    if (status != DT_OK) {
        require(error.message[0] != '\0');
        return 0;
    }
    require(dt_shape_count(header.shape) >= 0);
    require(header.data_offset <= size);
    check_round_trip(&header);
    return 0;
}
