/* base/inline.c - symbols for functions that public headers define inline. */
/* SPDX-License-Identifier: Apache-2.0 */

/* A binding without a C compiler looks functions up by name.  Here the headers
 * define what is inline elsewhere; tests/tree/symbols.txt lists it. */
#define DT_INLINE_ DT_API

#include <dtensor/layout.h>
#include <dtensor/number.h>
#include <dtensor/shape.h>
