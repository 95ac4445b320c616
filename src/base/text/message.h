/* base/text/message.h - messages that quote what somebody else wrote. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_TEXT_MESSAGE_H
#define DTI_BASE_TEXT_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <dtensor/status.h>

/*
 * Write a message as vsnprintf does, with control characters escaped: a
 * terminal or a log shows what an argument holds, and does not obey it.  Bytes
 * that are no UTF-8 are escaped too.  A line end stays where the format has it:
 * as the last character, or anywhere if the format has one elsewhere.
 */
void dti_message_write(char *out, size_t size, const char *format, va_list list)
    DT_PRINTF(3, 0);

/* Print such a message. */
void dti_message_print(FILE *stream, const char *format, ...) DT_PRINTF(2, 3);

#endif
