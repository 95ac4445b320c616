/* base/text/pattern.h - patterns of qualified names. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_TEXT_PATTERN_H
#define DTI_BASE_TEXT_PATTERN_H

#include <stdbool.h>

/*
 * Tell whether a pattern matches all of a name, whose parts are separated by
 * dots, for example "layers.0.attn.wq":
 *
 *     *        any characters but dots, or none:   layers.*.attn.w?
 *     **       any characters, or none:            layers.**
 *     ?        one character that is no dot
 *     [0-3x]   one of these characters; [!0-3] one that is none of them and no
 *              dot; a bracket without an end is a plain character
 *
 * Other characters match themselves.  Many stars do not take exponential time.
 */
bool dti_pattern_matches(const char *pattern, const char *name);

#endif
