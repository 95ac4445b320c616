/* fuzz/arguments.c - shapes, meshes and amounts that the command is given. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The command is no library: what it reads with is compiled in here. */
#include "cli/tensor.c"
#include "cli/units.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* What was read must survive being written and read again. */
static void check_shape(dt_shape shape)
{
    char text[32 * DT_MAX_NDIM] = "()";
    dt_shape again;
    int length = 0;
    if (shape.ndim > DT_MAX_NDIM)
        return;
    require(shape.ndim >= 0);
    for (int i = 0; i < shape.ndim; i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "%s%" PRId64, i ? "x" : "", shape.dims[i]);
    require(dti_read_shape("test", text, &again));
    require(dt_shape_equal(shape, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    dt_shape shape;
    dt_dtype dtype;
    size_t bytes;
    /* What they say is not looked at. */
    static FILE *nowhere;
    if (!nowhere)
        stderr = nowhere = fopen("/dev/null", "w");
    require(text && nowhere);
    memcpy(text, data, size);
    text[size] = '\0';
    if (dti_read_shape("test", text, &shape))
        check_shape(shape);
    if (dti_read_dtype("test", text, &dtype))
        require(dt_dtype_name(dtype) != NULL);
    int places = dti_count_places("test", text);
    require(places >= 0 && places <= DTI_MOST_RANKS);
    dti_mesh_is_sized("test", text);
    if (dti_bytes_read(text, &bytes) && bytes <= INT64_MAX)
        require(dti_bytes((int64_t)bytes).text[0] != '\0');
    free(text);
    return 0;
}
