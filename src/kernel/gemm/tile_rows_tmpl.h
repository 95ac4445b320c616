/* kernel/gemm/tile_rows_tmpl.h - tiles with one number of rows. */
/* SPDX-License-Identifier: Apache-2.0 */

/* To be defined before inclusion: TILE_ROWS, the number, and TILE_NAME, of the
 * function.  Undefined at the end. */
static DTI_NOINLINE void TILE_NAME(const dti_tile_terms *terms)
{
    multiply_rows(terms, TILE_ROWS);
}

#undef TILE_ROWS
#undef TILE_NAME
