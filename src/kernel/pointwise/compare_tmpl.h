/* kernel/pointwise/compare_tmpl.h - the cases of comparisons. */
/* SPDX-License-Identifier: Apache-2.0 */

/* To be defined before inclusion: T.  Inside a switch on the function. */
#define R uint8_t
case DTI_EQ:
#define APPLY(x, y) ((x) == (y))
#include "kernel/pointwise/two_tmpl.h"
return true;
case DTI_NE:
#define APPLY(x, y) ((x) != (y))
#include "kernel/pointwise/two_tmpl.h"
return true;
case DTI_LT:
#define APPLY(x, y) ((x) < (y))
#include "kernel/pointwise/two_tmpl.h"
return true;
case DTI_LE:
#define APPLY(x, y) ((x) <= (y))
#include "kernel/pointwise/two_tmpl.h"
return true;
case DTI_GT:
#define APPLY(x, y) ((x) > (y))
#include "kernel/pointwise/two_tmpl.h"
return true;
case DTI_GE:
#define APPLY(x, y) ((x) >= (y))
#include "kernel/pointwise/two_tmpl.h"
return true;
#undef R
