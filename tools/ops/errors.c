/* tools/ops/errors.c - base/error.h for a program that has no worlds. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/error.h"
#include "base/text/message.h"

/* What these are for the analyzer. */
#undef dti_fail
#undef dti_error_set

dt_status dti_error_set(dt_error *error, dt_status code, const char *format,
                        ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (error) {
        error->code = code;
        dti_message_write(error->message, sizeof error->message, format,
                          arguments);
    }
    va_end(arguments);
    return code;
}

dt_status dti_fail(dt_world *world, dt_status code, const char *format, ...)
{
    va_list arguments;
    (void)world;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return code;
}
