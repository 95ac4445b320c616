/* dtensor/log.h - logging. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_LOG_H
#define DTENSOR_LOG_H

#include <dtensor/export.h>

DT_EXTERN_C_BEGIN

/* Log levels, from least to most verbose. */
typedef enum dt_log_level {
    DT_LOG_UNSET = 0, /* the setting DT_LOG, or warnings by default */
    DT_LOG_OFF,       /* no messages */
    DT_LOG_WARNING,   /* likely mistakes and lost performance */
    DT_LOG_INFO,      /* and decisions about the configuration */
    DT_LOG_DEBUG      /* and details */
} dt_log_level;

/*
 * Receives one log message of world rank `rank`, without a newline.  Ranks that
 * are threads call it concurrently.
 */
typedef void (*dt_log_function)(void *arg, dt_log_level level, int rank,
                                const char *message);

DT_EXTERN_C_END

#endif
