/* base/log.c - remarks of the library. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <stdarg.h>

#include "base/text/message.h"
#include "base/world.h"

void dti_log(dt_world *world, dt_log_level level, const char *format, ...)
{
    if (!world->log || level > world->settings.log_level)
        return;
    char message[DT_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    dti_message_write(message, sizeof message, format, arguments);
    va_end(arguments);
    world->log(world->log_arg, level, world->rank, message);
}
