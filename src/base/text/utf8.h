/* base/text/utf8.h - characters in UTF-8. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_TEXT_UTF8_H
#define DTI_BASE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Decode the character that a text begins with.  Returns its length in bytes, 0
 * if the bytes are no character: overlong, a surrogate, beyond U+10FFFF, or cut
 * off after `size` bytes.  A byte that does not continue the character, such as
 * a terminating zero, ends it: bytes after that are not read.
 */
size_t dti_utf8_decode(const void *text, size_t size, unsigned *code);

/* Find the first byte of a text that is not valid UTF-8; `size` if all is. */
size_t dti_utf8_check(const void *text, size_t size);

/* Write a character, a valid code point, in 1 to 4 bytes.  Returns how many. */
size_t dti_utf8_encode(unsigned code, char *out);

#endif
