/* kernel/gemm/loops_tmpl.h - a product of matrices of one dtype by loops. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the type of elements; SUM, the type in
 * which they are multiplied and added; FACTOR, that of alpha and beta, of which
 * FACTOR_OF(number) makes one; MULTIPLY, the name of the function.  Undefined
 * at the end.
 *
 * A block of results at a time is summed up in SUMs; blocks of b are copied
 * first, so that the innermost loop walks along rows, whatever the strides.
 * Each result adds its terms in the order of k, so it does not depend on the
 * block it lies in.
 */
static void MULTIPLY(const dti_gemm *g)
{
    const T *a = g->a, *b = g->b;
    T *c = g->c;
    const FACTOR alpha = FACTOR_OF(g->alpha), beta = FACTOR_OF(g->beta);
    const bool keeps = dt_number_real(g->beta) != 0;
    const dti_gemm_strides *as = &g->a_strides, *bs = &g->b_strides,
                           *cs = &g->c_strides;
    SUM sums[BLOCK_M][BLOCK_N], rows[BLOCK_K][BLOCK_N];
    for (int64_t j0 = 0; j0 < g->n; j0 += BLOCK_N) {
        const int64_t nj = least(BLOCK_N, g->n - j0);
        for (int64_t i0 = 0; i0 < g->m; i0 += BLOCK_M) {
            const int64_t ni = least(BLOCK_M, g->m - i0);
            for (int64_t i = 0; i < ni; i++)
                memset(sums[i], 0, (size_t)nj * sizeof(SUM));
            for (int64_t p0 = 0; p0 < g->k; p0 += BLOCK_K) {
                const int64_t np = least(BLOCK_K, g->k - p0);
                for (int64_t p = 0; p < np; p++)
                    for (int64_t j = 0; j < nj; j++)
                        rows[p][j] =
                            (SUM)b[(p0 + p) * bs->row + (j0 + j) * bs->column];
                for (int64_t i = 0; i < ni; i++)
                    for (int64_t p = 0; p < np; p++) {
                        const SUM factor =
                            (SUM)a[(i0 + i) * as->row + (p0 + p) * as->column];
                        for (int64_t j = 0; j < nj; j++)
                            sums[i][j] += factor * rows[p][j];
                    }
            }
            for (int64_t i = 0; i < ni; i++)
                for (int64_t j = 0; j < nj; j++) {
                    T *out = &c[(i0 + i) * cs->row + (j0 + j) * cs->column];
                    SUM value = alpha * sums[i][j];
                    if (keeps)
                        value += beta * (SUM)*out;
                    *out = (T)value;
                }
        }
    }
}

#undef T
#undef SUM
#undef MULTIPLY
#undef FACTOR
#undef FACTOR_OF
