/* fuzz/manifest.c - manifests and values of checkpoints, from any bytes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "checkpoint/manifest.h"
#include "checkpoint/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* What was read must survive being written and read again. */
static void check_round_trip(const dti_manifest *manifest)
{
    dti_manifest again = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    dti_manifest_write(manifest, stream);
    require(fclose(stream) == 0);
    require(dti_manifest_parse(text, size, &again, NULL) == DT_OK);
    require(again.file_count == manifest->file_count &&
            again.tensor_count == manifest->tensor_count &&
            again.step == manifest->step);
    dti_manifest_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    dti_manifest manifest = {0};
    dt_state_entry *values = NULL;
    size_t count = 0;
    dt_error error = {DT_OK, ""};
    dt_status status = dti_manifest_parse(bytes, size, &manifest, &error);
    require(status == error.code && (status == DT_OK) == !error.message[0]);
    if (status == DT_OK)
        check_round_trip(&manifest);
    dti_manifest_free(&manifest);
    error = (dt_error){DT_OK, ""};
    status =
        dti_values_parse((const char *)bytes, size, &values, &count, &error);
    require(status == error.code && (status == DT_OK) == !error.message[0]);
    if (status == DT_OK)
        dti_values_free(values, count);
    return 0;
}
