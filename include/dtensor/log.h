/* dtensor/log.h - where the library's remarks go. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_LOG_H
#define DTENSOR_LOG_H

#include <dtensor/export.h>

DT_EXTERN_C_BEGIN

typedef enum dt_log_level {
    DT_LOG_UNSET = 0, /* as the setting DT_LOG says; warnings by default */
    DT_LOG_OFF,
    DT_LOG_WARNING,
    DT_LOG_INFO,
    DT_LOG_DEBUG
} dt_log_level;

/*
 * Receives one remark, without a newline, of world rank `rank`.  Ranks that are
 * threads call it at the same time.
 */
typedef void (*dt_log_function)(void *arg, dt_log_level level, int rank,
                                const char *message);

DT_EXTERN_C_END

#endif
