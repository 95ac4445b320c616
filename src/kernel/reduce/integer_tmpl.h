/* kernel/reduce/integer_tmpl.h - what is done with two arrays of integers. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the type of elements; U, an unsigned type
 * to wrap around in, at least as wide as T and as int; SUM, PRODUCT, MINIMUM,
 * MAXIMUM, AND, OR and XOR, names of the functions.
 */

#define NAME SUM
#define COMBINE(a, b) ((U)(a) + (U)(b))
#include "kernel/reduce/loop_tmpl.h"

#define NAME PRODUCT
#define COMBINE(a, b) ((U)(a) * (U)(b))
#include "kernel/reduce/loop_tmpl.h"

#define NAME MINIMUM
#define COMBINE(a, b) ((a) < (b) ? (a) : (b))
#include "kernel/reduce/loop_tmpl.h"

#define NAME MAXIMUM
#define COMBINE(a, b) ((a) > (b) ? (a) : (b))
#include "kernel/reduce/loop_tmpl.h"

#define NAME AND
#define COMBINE(a, b) ((a) & (b))
#include "kernel/reduce/loop_tmpl.h"

#define NAME OR
#define COMBINE(a, b) ((a) | (b))
#include "kernel/reduce/loop_tmpl.h"

#define NAME XOR
#define COMBINE(a, b) ((a) ^ (b))
#include "kernel/reduce/loop_tmpl.h"

#undef T
#undef U
#undef SUM
#undef PRODUCT
#undef MINIMUM
#undef MAXIMUM
#undef AND
#undef OR
#undef XOR
