/* base/text/writer.c - text that is cut where its room ends. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/writer.h"

#include <stdarg.h>
#include <stdio.h>

void dti_put(dti_writer *to, const char *format, ...)
{
    va_list arguments;
    size_t used = to->length < to->size ? to->length : to->size;
    va_start(arguments, format);
    int length = vsnprintf(to->size ? to->text + used : NULL, to->size - used,
                           format, arguments);
    va_end(arguments);
    to->length += (size_t)(length > 0 ? length : 0);
}
