/* dtensor/settings.h - the settings of a world and where they come from. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SETTINGS_H
#define DTENSOR_SETTINGS_H

#include <stddef.h>

#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/* Where the value of a setting comes from. */
typedef enum dt_setting_origin {
    DT_FROM_DEFAULT,     /* built in */
    DT_FROM_ENVIRONMENT, /* the environment variable */
    DT_FROM_OPTIONS      /* dt_world_options */
} dt_setting_origin;

/* One setting. */
typedef struct dt_setting {
    const char *name;    /* environment variable, for example "DT_TIMEOUT" */
    const char *summary; /* one line that describes it */
    const char *value;   /* value in effect */
    dt_setting_origin origin; /* where the value comes from */
} dt_setting;

/*
 * List the settings in effect in a world.
 *
 * Not collective.  Borrowed from the world.
 */
DT_API const dt_setting *dt_world_settings(const dt_world *world,
                                           size_t *count);

DT_EXTERN_C_END

#endif
