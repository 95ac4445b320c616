/* kernel/independent.h - loops of which compilers may make vectors. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_INDEPENDENT_H
#define DTI_KERNEL_INDEPENDENT_H

/* Iterations do not depend on each other, although the output may be an input:
 * each reads its own element before it writes it.  Sanitizers keep clang from
 * making vectors, which is no reason to warn. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define DTI_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define DTI_INDEPENDENT _Pragma("GCC ivdep")
#else
#define DTI_INDEPENDENT
#endif

#endif
