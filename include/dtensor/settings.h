/* dtensor/settings.h - what can be set from outside, and what is in force. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SETTINGS_H
#define DTENSOR_SETTINGS_H

#include <stddef.h>

#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

typedef enum dt_setting_origin {
    DT_FROM_DEFAULT,
    DT_FROM_ENVIRONMENT,
    DT_FROM_OPTIONS
} dt_setting_origin;

/* One setting: its environment variable, what it does, what is in force. */
typedef struct dt_setting {
    const char *name;
    const char *summary;
    const char *value;
    dt_setting_origin origin;
} dt_setting;

/*
 * List the settings in force in a world.
 *
 * Not collective.  Borrowed from the world.
 */
DT_API const dt_setting *dt_world_settings(const dt_world *world,
                                           size_t *count);

DT_EXTERN_C_END

#endif
