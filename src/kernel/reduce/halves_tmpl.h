/* kernel/reduce/halves_tmpl.h - what is done with arrays of a half type. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOAD and STORE, as reduce_half_tmpl.h says;
 * SUM, AVERAGE, PRODUCT, MINIMUM and MAXIMUM, names of the functions.
 */

#define NAME SUM
#define COMBINE vector_add
#define FINISH(a) (a)
#include "kernel/reduce/half_tmpl.h"

#define NAME AVERAGE
#define COMBINE vector_add
#define FINISH(a) vector_divide(a, divisor)
#include "kernel/reduce/half_tmpl.h"

#define NAME PRODUCT
#define COMBINE vector_multiply
#define FINISH(a) (a)
#include "kernel/reduce/half_tmpl.h"

#define NAME MINIMUM
#define COMBINE vector_lesser
#define FINISH(a) (a)
#include "kernel/reduce/half_tmpl.h"

#define NAME MAXIMUM
#define COMBINE vector_greater
#define FINISH(a) (a)
#include "kernel/reduce/half_tmpl.h"

#undef LOAD
#undef STORE
#undef SUM
#undef AVERAGE
#undef PRODUCT
#undef MINIMUM
#undef MAXIMUM
