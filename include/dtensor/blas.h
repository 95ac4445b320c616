/* dtensor/blas.h - the BLAS library used for matrix products. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_BLAS_H
#define DTENSOR_BLAS_H

#include <dtensor/export.h>

DT_EXTERN_C_BEGIN

/* Describes the BLAS library.  Texts are never NULL; an unknown one is "". */
typedef struct dt_blas {
    const char *library; /* file name; "" if no library is used */
    const char *version; /* for example "OpenBLAS 0.3.21" */
    const char
        *core;   /* processor type it is optimised for, for example "Haswell" */
    int threads; /* threads per product; 0 if unknown */
    const char *reason; /* why no library is used, or a note */
} dt_blas;

/*
 * Return the BLAS library of this process.
 *
 * The library is loaded when the first world is opened: OpenBLAS, or the
 * library named by the setting DT_BLAS.  Before that, `library` is "".
 *
 * Not collective.  The description is static.
 */
DT_API const dt_blas *dt_blas_used(void);

DT_EXTERN_C_END

#endif
