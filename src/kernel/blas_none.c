/* kernel/blas_none.c - a build without BLAS. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/blas.h"

#include <assert.h>

bool dti_blas_exists(void)
{
    return false;
}

const char *dti_blas_name(void)
{
    return "";
}

void dti_blas_multiply(const dti_blas_product *product)
{
    (void)product;
    assert(dti_blas_exists());
}

void dti_blas_apply(const dti_blas_image *image)
{
    (void)image;
    assert(dti_blas_exists());
}
