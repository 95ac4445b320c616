/* base/options.c - reading options of older and newer callers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"

#include <string.h>

#include "base/error.h"
#include "base/running.h"

/* A larger size is no size but a value that was never set; its bytes are not
 * read. */
#define LARGEST 4096

/* Tell whether a structure of some header may have a size: all have whole
 * words, the first of which is the size itself. */
static bool is_size(size_t given)
{
    return given >= sizeof given && given <= LARGEST &&
           given % sizeof given == 0;
}

static bool is_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i])
            return false;
    return true;
}

dt_status dti_options_copy(const void *options, void *usual, size_t size,
                           const char *initialiser, dt_error *error)
{
    size_t given;
    memcpy(&given, options, sizeof given);
    if (!is_size(given))
        return dti_error_set(error, DT_ERR_INVALID,
                             "size is %zu, expected %zu; initialise the "
                             "structure with %s",
                             given, size, initialiser);
    if (given > size &&
        !is_zero((const unsigned char *)options + size, given - size))
        return dti_error_set(error, DT_ERR_INVALID,
                             "size is %zu, expected %zu, and fields are set "
                             "that this version of the library does not have; "
                             "initialise the structure with %s of its headers",
                             given, size, initialiser);
    memcpy(usual, options, given < size ? given : size);
    memcpy(usual, &size, sizeof size);
    return DT_OK;
}

const void *dti_options_adapt(dt_world *world, const void *options, void *usual,
                              size_t size, const char *initialiser)
{
    dt_world *told = world ? world : dti_world_running();
    dt_error error;
    if (dti_options_copy(options, usual, size, initialiser, &error) == DT_OK)
        return usual;
    if (told)
        dti_fail_with(told, &error);
    return NULL;
}
