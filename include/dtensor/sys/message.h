/* dtensor/sys/message.h - messages that quote what somebody else wrote. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_MESSAGE_H
#define DTENSOR_SYS_MESSAGE_H

#include <stdio.h>

#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/*
 * Print a message as fprintf does, with control characters escaped as the
 * library's own messages have them: "\n", "\x1b".  Characters in UTF-8 stay,
 * and so do line ends that the format itself has.
 *
 * Not collective.
 */
DT_API void dt_message_print(FILE *stream, const char *format, ...)
    DT_PRINTF(2, 3);

DT_EXTERN_C_END

#endif
