/* dtensor/sys/message.h - printing messages that quote untrusted text. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_MESSAGE_H
#define DTENSOR_SYS_MESSAGE_H

#include <stdio.h>

#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/*
 * Print a message like fprintf, with control characters of the arguments
 * escaped as in error messages: "\n", "\x1b".  UTF-8 characters and newlines of
 * the format itself are printed unchanged.
 *
 * Not collective.
 */
DT_API void dt_message_print(FILE *stream, const char *format, ...)
    DT_PRINTF(2, 3);

DT_EXTERN_C_END

#endif
