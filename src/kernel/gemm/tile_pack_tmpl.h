/* kernel/gemm/tile_pack_tmpl.h - packing of elements of one dtype. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: TYPE, of elements; LOAD, of a vector of them;
 * WIDEN, one to f32; the names of the functions.  Undefined
 * at the end.
 *
 * Blocks of WIDTH x WIDTH elements are transposed in registers where lines have
 * neighbours in memory: in that case a vector holds one line, and is to hold
 * the same element of all lines.
 */

/* Load a block of lines that have neighbours, and turn it. */
static DTI_INLINE void TURNED(const TYPE *from, int64_t line, int lines,
                              int count, vector *block)
{
#pragma GCC unroll 16
    for (int i = 0; i < WIDTH; i++)
        block[i] = i < lines ? LOAD(from + i * line, count) : spread(0);
    turn(block);
}

static void PACK_TURNED(const dti_tile_lines *l, float *to)
{
    const TYPE *from = l->from;
    for (int64_t p = 0; p < l->count; p += WIDTH) {
        ask_ahead(l, p, sizeof(TYPE));
        const int count = l->count - p < WIDTH ? (int)(l->count - p) : WIDTH;
        for (int64_t i = 0; i < l->apart; i += WIDTH) {
            const int64_t rest = l->lines - i;
            /* What is written further is written again, if not behind others.
             */
            const int part =
                i > 0 && l->apart - i < WIDTH ? (int)(l->apart - i) : WIDTH;
            vector block[WIDTH];
            if (rest >= WIDTH && count == WIDTH)
                TURNED(from + i * l->line + p, l->line, WIDTH, WIDTH, block);
            else
                TURNED(from + i * l->line + p, l->line,
                       rest < WIDTH ? (int)rest : WIDTH, count, block);
            for (int q = 0; q < count; q++)
                store_f32(to + (p + q) * l->apart + i, block[q], part);
        }
    }
}

static void PACK_ALONG(const dti_tile_lines *l, float *to)
{
    const TYPE *from = l->from;
    for (int64_t p = 0; p < l->count; p++)
        for (int64_t i = 0; i < l->apart; i += WIDTH) {
            const int64_t rest = l->lines - i;
            vector values = spread(0);
            if (rest >= WIDTH)
                values = LOAD(from + p * l->step + i, WIDTH);
            else if (rest > 0)
                values = LOAD(from + p * l->step + i, (int)rest);
            store_f32(to + p * l->apart + i, values, WIDTH);
        }
}

static void PACK_APART(const dti_tile_lines *l, float *to)
{
    const TYPE *from = l->from;
    for (int64_t p = 0; p < l->count; p++)
        for (int64_t i = 0; i < l->apart; i++)
            to[p * l->apart + i] =
                i < l->lines ? WIDEN(from[i * l->line + p * l->step]) : 0.0f;
}

static void PACK(const dti_tile_lines *l, float *to)
{
    if (l->line == 1)
        PACK_ALONG(l, to);
    else if (l->step == 1)
        PACK_TURNED(l, to);
    else
        PACK_APART(l, to);
}

/* Add the products of neighbours of `lines` lines and a row to lanes: element p
 * to lane p % LANES. */
static DTI_INLINE void ADD_LANES(const TYPE *const *from, const int lines,
                                 int64_t p, const int part, const float *row,
                                 vector (*sums)[LANE_VECTORS])
{
    const TYPE *line[DOT_LINES];
#pragma GCC unroll 4
    for (int i = 0; i < lines; i++)
        line[i] = from[i] + p;
#pragma GCC unroll 8
    for (int v = 0; v < LANE_VECTORS; v++) {
        const int count = part_of(part, v);
        vector by = spread(0);
        if (count > 0)
            by = load_f32(row + p + v * WIDTH, count);
#pragma GCC unroll 4
        for (int i = 0; i < lines; i++) {
            vector values = spread(0);
            if (count > 0)
                values = LOAD(line[i] + v * WIDTH, count);
            sums[i][v] = fused(by, values, sums[i][v]);
        }
    }
}

static DTI_INLINE void DOT_SOME(const dti_tile_lines *l, const int lines,
                                int64_t first, const float *row, float *sums)
{
    vector lanes_of[DOT_LINES][LANE_VECTORS];
    const TYPE *from[DOT_LINES];
#pragma GCC unroll 4
    for (int i = 0; i < lines; i++) {
        from[i] = (const TYPE *)l->from + (first + i) * l->line;
#pragma GCC unroll 8
        for (int v = 0; v < LANE_VECTORS; v++)
            lanes_of[i][v] = spread(0);
    }
    int64_t p = 0;
    for (; p + LANES <= l->count; p += LANES)
        ADD_LANES(from, lines, p, LANES, row, lanes_of);
    if (p < l->count)
        ADD_LANES(from, lines, p, (int)(l->count - p), row, lanes_of);
#pragma GCC unroll 4
    for (int i = 0; i < lines; i++)
        sums[first + i] = total_of(lanes_of[i]);
}

static void DOTS(const dti_tile_lines *l, const float *row, float *sums)
{
    int64_t i = 0;
    for (; i + DOT_LINES <= l->lines; i += DOT_LINES)
        DOT_SOME(l, DOT_LINES, i, row, sums);
    for (; i < l->lines; i++)
        DOT_SOME(l, 1, i, row, sums);
}

static DTI_INLINE void ONE_VECTOR(const TYPE *from, int64_t step,
                                  const int terms, const int rows,
                                  vector (*by)[AT_ONCE], float *sums,
                                  int64_t sums_row, const int part)
{
    vector b[AT_ONCE];
#pragma GCC unroll 4
    for (int q = 0; q < terms; q++)
        b[q] = LOAD(from + q * step, part);
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++) {
        vector sum = load_f32(sums + i * sums_row, part);
#pragma GCC unroll 4
        for (int q = 0; q < terms; q++)
            sum = fused(by[i][q], b[q], sum);
        store_f32(sums + i * sums_row, sum, part);
    }
}

/* Some terms at a time, so that sums are loaded and stored less often, and few,
 * so that the processor reads ahead on its own. */
static DTI_INLINE void SOME_TERMS(const dti_tile_lines *l, const int terms,
                                  const int rows, int64_t p, const float *a,
                                  float *sums, int64_t sums_row)
{
    const TYPE *from = (const TYPE *)l->from + p * l->step;
    vector by[DTI_TILE_FEW][AT_ONCE];
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (int q = 0; q < terms; q++)
            by[i][q] = spread(a[(p + q) * rows + i]);
    int64_t j = 0;
    for (; j + WIDTH <= l->lines; j += WIDTH)
        ONE_VECTOR(from + j, l->step, terms, rows, by, sums + j, sums_row,
                   WIDTH);
    if (j < l->lines)
        ONE_VECTOR(from + j, l->step, terms, rows, by, sums + j, sums_row,
                   (int)(l->lines - j));
}

static DTI_INLINE void ALL_TERMS(const dti_tile_lines *l, const int rows,
                                 const float *a, float *sums, int64_t sums_row)
{
    int64_t p = 0;
    for (; p + AT_ONCE <= l->count; p += AT_ONCE)
        SOME_TERMS(l, AT_ONCE, rows, p, a, sums, sums_row);
    for (; p < l->count; p++)
        SOME_TERMS(l, 1, rows, p, a, sums, sums_row);
}

static void BY_TERMS(const dti_tile_lines *l, int rows, const float *a,
                     float *sums, int64_t sums_row)
{
    if (rows == 1)
        ALL_TERMS(l, 1, a, sums, sums_row);
    else if (rows == 2)
        ALL_TERMS(l, 2, a, sums, sums_row);
    else if (rows == 3)
        ALL_TERMS(l, 3, a, sums, sums_row);
    else
        ALL_TERMS(l, 4, a, sums, sums_row);
}

#undef LOAD
#undef TYPE
#undef WIDEN
#undef PACK
#undef ADD_LANES
#undef DOT_SOME
#undef DOTS
#undef PACK_TURNED
#undef PACK_ALONG
#undef PACK_APART
#undef TURNED
#undef SOME_TERMS
#undef ONE_VECTOR
#undef ALL_TERMS
#undef BY_TERMS
