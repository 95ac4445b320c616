/* dtensor/export.h - compiler attributes for the other headers. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_EXPORT_H
#define DTENSOR_EXPORT_H

/* DT_MUST_USE marks functions whose result must not be ignored; compilers that
 * support the attribute warn.  Every function that returns a dt_status has
 * it. */

#if defined(__GNUC__)
#define DT_API __attribute__((visibility("default")))
#define DT_MUST_USE __attribute__((__warn_unused_result__))
#define DT_PRINTF(text, first)                                                 \
    __attribute__((__format__(__printf__, text, first)))
#else
#define DT_API
#define DT_MUST_USE
#define DT_PRINTF(text, first)
#endif

/* Small functions are inline in C and C++.  The library exports them as well,
 * for languages that read no headers: one of its files defines this macro
 * differently (src/base/inline.c). */
#ifndef DT_INLINE_
#define DT_INLINE_ static inline
#endif

#ifdef __cplusplus
#define DT_EXTERN_C_BEGIN extern "C" {
#define DT_EXTERN_C_END }
#else
#define DT_EXTERN_C_BEGIN
#define DT_EXTERN_C_END
#endif

#endif
