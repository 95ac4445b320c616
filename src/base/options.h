/* base/options.h - reading options of older and newer callers. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_OPTIONS_H
#define DTI_BASE_OPTIONS_H

#include <stddef.h>

#include <dtensor/status.h>
#include <dtensor/world.h>

#include "base/attributes.h"

/*
 * A structure that programs fill begins with its size, a size_t.  New fields
 * are added at the end, so that a program compiled against an older header
 * passes a smaller structure, and one compiled against a newer header a larger
 * one.  For example, with fields a, b and c, of which c is new:
 *
 *     size 24: a, b from the caller, c its default
 *     size 32: a, b, c from the caller
 *     size 40: the same, if bytes 32 to 39 are zero; else the caller asks for
 *              something that this library does not know, which is an error
 *     size 28: an error, since no header has such a structure: half of c would
 *              be read
 */

/*
 * Read `options`, which may have another size than `usual`.  The caller
 * initialises `usual` with the defaults and its own size; fields that `options`
 * has are copied there.  `initialiser` is the macro for the error message.  On
 * failure DT_ERR_INVALID, and `usual` is unchanged.
 */
dt_status dti_options_copy(const void *options, void *usual, size_t size,
                           const char *initialiser, dt_error *error) DTI_COLD;

/* The same with an error of the world, or of the world that this thread runs if
 * that is NULL.  Returns `usual`, or NULL on failure. */
const void *dti_options_adapt(dt_world *world, const void *options, void *usual,
                              size_t size, const char *initialiser) DTI_COLD;

/*
 * Return the options to use: `options` if they have the current size, `usual`
 * with what `options` has if they are older or newer, `usual` as it is if
 * `options` is NULL.  NULL on failure.  For example:
 *
 *     dt_plan_options usual = DT_PLAN_OPTIONS_INIT;
 *     options = dti_options_read(world, options, &usual, sizeof usual,
 *                                "DT_PLAN_OPTIONS_INIT");
 *     if (!options)
 *         return DT_ERR_INVALID;
 */
static inline const void *dti_options_read(dt_world *world, const void *options,
                                           void *usual, size_t size,
                                           const char *initialiser)
{
    if (!options)
        return usual;
    if (DTI_LIKELY(*(const size_t *)options == size))
        return options;
    return dti_options_adapt(world, options, usual, size, initialiser);
}

#endif
