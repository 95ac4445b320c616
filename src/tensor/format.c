/* tensor/format.c - printing tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text/writer.h"
#include "layout/part.h"
#include "tensor/view.h"

/* Put the indexes that this rank has of each dimension: "[0:4, 2:6]". */
static void put_part(dti_writer *to, const dt_spec *spec)
{
    dti_part part;
    dti_part_set(&part, spec, spec->mesh->place);
    dti_put(to, "[");
    for (int i = 0; i < part.ndim; i++) {
        const dti_indexes *indexes = &part.dims[i];
        int64_t first = dti_indexes_offset(indexes);
        dti_put(to, "%s", i ? ", " : "");
        if (dti_indexes_are_range(indexes))
            dti_put(to, "%" PRId64 ":%" PRId64, first, first + indexes->size);
        else
            dti_put(to, "%" PRId64 " of %" PRId64 " from %" PRId64,
                    indexes->size, indexes->extent, first);
    }
    dti_put(to, "]");
}

size_t dt_tensor_format(const dt_tensor *tensor, char *text, size_t size)
{
    dti_writer to = {text, size, 0};
    dti_put(&to, "%s", "");
    if (!tensor || !dti_tensor_show(tensor, "dt_tensor_format"))
        return 0;
    const dt_spec *spec = tensor->spec;
    char spec_text[sizeof(dti_spec_text) + 256];
    dt_spec_format(spec, spec_text, sizeof spec_text);
    dti_put(&to, "%s\nrank %d ", spec_text, tensor->world->rank);
    if (!spec->member) {
        dti_put(&to, "is not in the mesh");
        return to.length;
    }
    dti_put(&to, "has ");
    put_part(&to, spec);
    if (dt_array_is_meta(tensor->local)) {
        dti_put(&to, ", without elements");
        return to.length;
    }
    dti_put(&to, "\n");
    size_t used = to.length < size ? to.length : size;
    return to.length + dt_array_format(tensor->local, size ? text + used : NULL,
                                       size - used);
}

void dt_tensor_print(const dt_tensor *tensor)
{
    if (!tensor)
        return;
    size_t length = dt_tensor_format(tensor, NULL, 0);
    if (length == 0)
        return; /* an error was recorded */
    char *text = malloc(length + 2);
    if (!text)
        return;
    dt_tensor_format(tensor, text, length + 1);
    text[length] = '\n';
    fwrite(text, 1, length + 1, stdout);
    free(text);
}
