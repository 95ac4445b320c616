/* kernel/scan/scan_loops_tmpl.h - the loops of one running combination of f32.
 */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: COMBINE(a, b), of doubles; RUN and ROWS,
 * names of the functions.  All are undefined afterwards.
 */

/* Four at a time are combined among themselves first, so that each waits only
 * once for the four before. */
static double RUN(const float *in, float *out, int64_t count, double value)
{
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const double a = (double)in[i], c = (double)in[i + 2];
        const double ab = COMBINE(a, (double)in[i + 1]);
        const double cd = COMBINE(c, (double)in[i + 3]);
        const double abc = COMBINE(ab, c), abcd = COMBINE(ab, cd);
        out[i] = (float)COMBINE(value, a);
        out[i + 1] = (float)COMBINE(value, ab);
        out[i + 2] = (float)COMBINE(value, abc);
        value = COMBINE(value, abcd);
        out[i + 3] = (float)value;
    }
    for (; i < count; i++) {
        value = COMBINE(value, (double)in[i]);
        out[i] = (float)value;
    }
    return value;
}

static void ROWS(const dti_scan_rows *rows, double *values)
{
    const float *in = rows->in;
    float *out = rows->out;
    for (int64_t row = 0; row < rows->rows; row++) {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < rows->width; i++) {
            values[i] = COMBINE(values[i], (double)in[i]);
            out[i] = (float)values[i];
        }
        in += rows->in_stride;
        out += rows->out_stride;
    }
}

#undef COMBINE
#undef RUN
#undef ROWS
