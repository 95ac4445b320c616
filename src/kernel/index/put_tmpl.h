/* kernel/index/put_tmpl.h - putting elements of one dtype. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the type of elements; WIDE, the type in
 * which they are combined, with GET(element) and PUT(wide) between the two; and
 * the functions of WIDE: SUM, TIMES, LARGER, SMALLER and QUOTIENT(a, count).
 * ROW and DIVIDE are the names of the functions that are made.  Undefined at
 * the end, but for the functions of WIDE.
 */

#define COMBINED(function)                                                     \
    for (int64_t i = 0; i < count; i++) {                                      \
        int64_t position = positions ? positions[i * position_stride] : 0;     \
        if (position < 0)                                                      \
            continue;                                                          \
        T *at = to + i * stride + position * step;                             \
        WIDE old = GET(*at), new = GET(from[i * from_stride]);                 \
        *at = PUT(function(old, new));                                         \
    }

static void ROW(const put_row *row, dti_put_mode mode)
{
    T *to = row->to;
    const T *from = row->from;
    const int64_t count = row->count, stride = row->stride, step = row->step;
    const int64_t *positions = row->positions;
    const int64_t position_stride = row->position_stride;
    const int64_t from_stride = row->from_stride;
    switch (mode) {
    case DTI_PUT_MULTIPLY:
        COMBINED(TIMES)
        break;
    case DTI_PUT_MAX:
        COMBINED(LARGER)
        break;
    case DTI_PUT_MIN:
        COMBINED(SMALLER)
        break;
    default:
        if (is_plain(row)) {
            for (int64_t i = 0; i < count; i++)
                if (positions[i] >= 0) {
                    T *at = to + positions[i];
                    *at = PUT(SUM(GET(*at), GET(from[i])));
                }
            break;
        }
        if (positions || stride != 1 || from_stride != 1) {
            COMBINED(SUM)
            break;
        }
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = PUT(SUM(GET(to[i]), GET(from[i])));
        break;
    }
}

static void DIVIDE(void *elements, const int64_t *counts, int64_t count)
{
    T *at = elements;
    for (int64_t i = 0; i < count; i++)
        if (counts[i] > 0)
            at[i] = PUT(QUOTIENT(GET(at[i]), counts[i]));
}

#undef COMBINED
#undef T
#undef WIDE
#undef GET
#undef PUT
#undef ROW
#undef DIVIDE
