/* base/error.c - recording failures. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

#include "base/running.h"
#include "base/scope.h"
#include "base/text/message.h"
#include "base/world.h"

/* What these are for the analyzer. */
#undef dti_fail
#undef dti_fail_with
#undef dti_error_set
#undef dti_fail_memory
#undef dti_fail_null
#undef dti_failure_of

static const char *const status_names[] = {
    [DT_OK] = "DT_OK",
    [DT_ERR_INVALID] = "DT_ERR_INVALID",
    [DT_ERR_NO_MEMORY] = "DT_ERR_NO_MEMORY",
    [DT_ERR_UNSUPPORTED] = "DT_ERR_UNSUPPORTED",
    [DT_ERR_NOT_FOUND] = "DT_ERR_NOT_FOUND",
    [DT_ERR_COMM] = "DT_ERR_COMM",
    [DT_ERR_PEER] = "DT_ERR_PEER",
    [DT_ERR_DIVERGED] = "DT_ERR_DIVERGED",
    [DT_ERR_IO] = "DT_ERR_IO",
    [DT_ERR_FORMAT] = "DT_ERR_FORMAT",
};

const char *dt_status_name(dt_status status)
{
    if ((size_t)status >= DTI_COUNT_OF(status_names))
        return "unknown status";
    return status_names[status];
}

/* Copy an error without the unused end of its buffer. */
static void copy_error(dt_error *to, const dt_error *from)
{
    to->code = from->code;
    size_t length = strnlen(from->message, sizeof from->message - 1);
    memmove(to->message, from->message, length);
    to->message[length] = '\0';
}

/* Make the latest error also the first of the innermost scope.  The world's own
 * scope never closes, so there one that was read makes way. */
static dt_status record_latest(dt_world *world)
{
    dt_scope *scope = world->scope;
    if (scope->first.code == DT_OK ||
        (scope == world->root && !scope->unread)) {
        copy_error(&scope->first, &world->latest);
        scope->unread = true;
    }
    return world->latest.code;
}

dt_status dti_fail(dt_world *world, dt_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    world->latest.code = code;
    dti_message_write(world->latest.message, sizeof world->latest.message,
                      format, arguments);
    va_end(arguments);
    return record_latest(world);
}

dt_status dti_fail_with(dt_world *world, const dt_error *error)
{
    copy_error(&world->latest, error);
    return record_latest(world);
}

void dti_fail_in(dt_world *world, const char *format, ...)
{
    dt_error *first = &world->scope->first;
    dt_error *latest = &world->latest;
    va_list arguments;
    if (first->code == DT_OK)
        return;
    va_start(arguments, format);
    dti_message_write(latest->message, sizeof latest->message, format,
                      arguments);
    va_end(arguments);
    const size_t length = strlen(latest->message);
    snprintf(latest->message + length, sizeof latest->message - length, ": %s",
             first->message);
    latest->code = first->code;
    copy_error(first, latest);
}

dt_status dti_error_set(dt_error *error, dt_status code, const char *format,
                        ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->code = code;
        dti_message_write(error->message, sizeof error->message, format,
                          arguments);
        va_end(arguments);
    }
    return code;
}

/* Tell whether a scope that is open has an error. */
static bool has_error(const dt_world *world)
{
    for (const dt_scope *open = world->scope; open; open = open->parent)
        if (open->first.code != DT_OK)
            return true;
    return false;
}

dt_status dti_fail_null(dt_world *world, const char *function,
                        const char *argument)
{
    dt_world *told = world ? world : dti_world_running();
    if (!told || has_error(told))
        return DT_ERR_INVALID;
    return dti_fail(told, DT_ERR_INVALID, "%s: %s is NULL", function, argument);
}

dt_status dti_failure_of(const dt_world *world)
{
    return world->latest.code;
}

dt_status dti_fail_memory(dt_world *world, size_t bytes, const char *what)
{
    dt_memory_stats memory;
    dti_pool_read(world->pool, &memory);
    /* Blocks are rounded up by a quarter at most. */
    const size_t block = bytes + bytes / 4 + DTI_POOL_ALIGNMENT;
    if (memory.limit == 0 ||
        (block <= memory.limit && memory.used <= memory.limit - block))
        return dti_fail(
            world, DT_ERR_NO_MEMORY,
            "out of memory: cannot allocate %zu bytes for %s; %zu bytes of "
            "storage are in use and %zu are cached (dt_memory_trim frees them)",
            bytes, what, memory.used, memory.kept);
    return dti_fail(
        world, DT_ERR_NO_MEMORY,
        "out of memory: cannot allocate %zu bytes for %s; %zu of the %zu bytes "
        "of the memory limit (DT_MEMORY_LIMIT or memory_limit) are in use",
        bytes, what, memory.used, memory.limit);
}
