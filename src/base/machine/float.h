/* base/machine/float.h - arithmetic in the default rounding mode. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_MACHINE_FLOAT_H
#define DTI_BASE_MACHINE_FLOAT_H

#include "base/attributes.h"

/*
 * A caller may have set another rounding mode (fesetround), or that small
 * numbers are taken for zero, as -ffast-math does for a whole program.  What
 * must give the same bits everywhere is computed between dti_float_begin and
 * dti_float_end, in functions that are called through a pointer or are not
 * inlined: compilers do not know that arithmetic depends on the mode.
 */

#if defined(__x86_64__)

#include <xmmintrin.h>

typedef unsigned dti_float_state;

/* All exceptions masked, to nearest, small numbers as they are. */
#define DTI_FLOAT_USUAL 0x1f80U
#define DTI_FLOAT_RAISED 0x3fU /* bits that say what happened, not how */

/* Set the usual mode; gives what was set before. */
static inline dti_float_state dti_float_begin(void)
{
    const dti_float_state before = _mm_getcsr();
    if (DTI_UNLIKELY((before & ~DTI_FLOAT_RAISED) != DTI_FLOAT_USUAL))
        _mm_setcsr(DTI_FLOAT_USUAL);
    return before;
}

static inline void dti_float_end(dti_float_state before)
{
    if (DTI_UNLIKELY((before & ~DTI_FLOAT_RAISED) != DTI_FLOAT_USUAL))
        _mm_setcsr(before);
}

/* The mode of this thread, for a thread that computes in its place. */
static inline dti_float_state dti_float_read(void)
{
    return _mm_getcsr();
}

/* Set a mode that was read; gives what was set before. */
static inline dti_float_state dti_float_set(dti_float_state mode)
{
    const dti_float_state before = _mm_getcsr();
    if (DTI_UNLIKELY(((before ^ mode) & ~DTI_FLOAT_RAISED) != 0))
        _mm_setcsr(mode);
    return before;
}

#else

#include <fenv.h>

typedef fenv_t dti_float_state;

static inline dti_float_state dti_float_begin(void)
{
    fenv_t before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    return before;
}

static inline void dti_float_end(dti_float_state before)
{
    fesetenv(&before);
}

static inline dti_float_state dti_float_read(void)
{
    fenv_t mode;
    fegetenv(&mode);
    return mode;
}

static inline dti_float_state dti_float_set(dti_float_state mode)
{
    fenv_t before;
    fegetenv(&before);
    fesetenv(&mode);
    return before;
}

#endif

#endif
