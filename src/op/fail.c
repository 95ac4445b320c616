/* op/fail.c - failures of operators, and which ranks know of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/fail.h"

#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "layout/spec.h"

#undef dti_fail_value

static dt_status fail(const dt_operation *operation, dt_status code,
                      const char *format, va_list list, const char *advice)
{
    dt_error error = {code, ""};
    char *text = error.message;
    const size_t size = sizeof error.message;
    snprintf(text, size, "%.*s: ", (int)strcspn(operation->op->schema, "("),
             operation->op->schema);
    const size_t named = strlen(text);
    dti_message_write(text + named, size - named, format, list);
    const size_t written = strlen(text);
    snprintf(text + written, size - written, "%s", advice);
    return dti_fail_with(operation->world, &error);
}

dt_status dt_operation_fail(const dt_operation *operation, dt_status code,
                            const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const dt_status status = fail(operation, code, format, list, "");
    va_end(list);
    return status;
}

static void mark_everywhere(const dt_operation *operation)
{
    if (operation->failed_everywhere)
        *operation->failed_everywhere = true;
}

dt_status dt_operation_fail_everywhere(const dt_operation *operation,
                                       dt_status code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const dt_status status = fail(operation, code, format, list, "");
    va_end(list);
    mark_everywhere(operation);
    return status;
}

dt_status dti_fail_value(const dt_operation *operation, bool everywhere,
                         const char *format, ...)
{
    const char *advice =
        everywhere ? ""
                   : "; only ranks that hold this shard can tell: all ranks go "
                     "on with dt_world_recover, on mpi the job ends";
    va_list list;
    va_start(list, format);
    const dt_status status =
        fail(operation, DT_ERR_INVALID, format, list, advice);
    va_end(list);
    if (everywhere)
        mark_everywhere(operation);
    return status;
}

bool dti_input_is_everywhere(const dt_operation *operation, int input)
{
    const dt_spec *spec = operation->in_specs[input];
    return dt_mesh_size(spec->mesh) == 1 || dt_spec_is_replicated(spec);
}

bool dti_inputs_are_everywhere(const dt_operation *operation)
{
    for (int i = 0; i < operation->input_count; i++)
        if (operation->in_specs[i] && !dti_input_is_everywhere(operation, i))
            return false;
    return true;
}

dt_status dti_fail_dtype(const dt_operation *operation, dt_dtype dtype)
{
    return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                             "not supported for dtype %s",
                             dt_dtype_name(dtype));
}
