/* kernel/gemm/vector_loops_tmpl.h - the loops over halves of one dtype. */
/* SPDX-License-Identifier: Apache-2.0 */

/* To be defined before inclusion: LOAD, of a vector of halves; BY_ROWS and
 * BY_COLUMNS, the names of the functions.  Undefined at the end. */
static void BY_ROWS(const uint16_t *matrix, int64_t step, int64_t rows,
                    int64_t columns, const float *x, float *out)
{
    const int64_t whole = columns - columns % LANES;
    for (int64_t i = 0; i < rows; i++) {
        const uint16_t *row = matrix + i * step;
        vector sums[VECTORS];
        for (int v = 0; v < VECTORS; v++)
            sums[v] = spread(0.0f);
        for (int64_t p = 0; p < whole; p += LANES)
            for (int v = 0; v < VECTORS; v++)
                sums[v] += LOAD(row + p + v * WIDTH, WIDTH) *
                           load_f32(x + p + v * WIDTH, WIDTH);
        for (int v = 0; whole + v * WIDTH < columns; v++) {
            const int64_t p = whole + v * WIDTH;
            const int part = part_of(columns - p);
            sums[v] += LOAD(row + p, part) * load_f32(x + p, part);
        }
        out[i] = total_of(sums);
    }
}

static void BY_COLUMNS(const uint16_t *matrix, int64_t step, int64_t rows,
                       int64_t columns, const float *x, float *out)
{
    for (int64_t j = 0; j < columns; j++)
        out[j] = 0;
    int64_t i = 0;
    for (; i + ROWS <= rows; i += ROWS) {
        const uint16_t *row = matrix + i * step;
        const vector x0 = spread(x[i]), x1 = spread(x[i + 1]),
                     x2 = spread(x[i + 2]), x3 = spread(x[i + 3]);
        for (int64_t j = 0; j < columns; j += WIDTH) {
            const int part = part_of(columns - j);
            vector sum = load_f32(out + j, part);
            sum += x0 * LOAD(row + j, part);
            sum += x1 * LOAD(row + step + j, part);
            sum += x2 * LOAD(row + 2 * step + j, part);
            sum += x3 * LOAD(row + 3 * step + j, part);
            store_f32(out + j, sum, part);
        }
    }
    for (; i < rows; i++) {
        const vector by = spread(x[i]);
        for (int64_t j = 0; j < columns; j += WIDTH) {
            const int part = part_of(columns - j);
            const vector sum = load_f32(out + j, part) +
                               by * LOAD(matrix + i * step + j, part);
            store_f32(out + j, sum, part);
        }
    }
}

#undef LOAD
#undef BY_ROWS
#undef BY_COLUMNS
