/* dtensor/blas.h - the BLAS library that multiplies matrices. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_BLAS_H
#define DTENSOR_BLAS_H

#include <dtensor/export.h>

DT_EXTERN_C_BEGIN

/* What was loaded.  No text is NULL; what is not known is "". */
typedef struct dt_blas {
    const char *library; /* its file; "" if products are plain loops */
    const char *version; /* for example "OpenBLAS 0.3.21" */
    const char *core;    /* the processor it computes for: "Haswell" */
    int threads;         /* that a product runs on; 0 if not known */
    const char *reason;  /* why no library is used, or a remark */
} dt_blas;

/*
 * Return the BLAS library of this process.
 *
 * It is loaded when the first world is opened: OpenBLAS, or the library that
 * the setting DT_BLAS names.  Before that, library is "".
 *
 * Not collective.  The description is static.
 */
DT_API const dt_blas *dt_blas_used(void);

DT_EXTERN_C_END

#endif
