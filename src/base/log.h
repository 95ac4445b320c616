/* base/log.h - remarks of the library. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_LOG_H
#define DTI_BASE_LOG_H

#include <dtensor/log.h>
#include <dtensor/world.h>

#include "base/attributes.h"

/* Pass a remark to the world's log function, if it wants that level. */
void dti_log(dt_world *world, dt_log_level level, const char *format, ...)
    DT_PRINTF(3, 4);

#endif
