/* kernel/reduce/half_tmpl.h - a loop that combines arrays of a half type. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: NAME, the function; LOAD, which widens up to
 * WIDTH elements into a vector of floats, and STORE, which narrows them;
 * COMBINE(a, b), what becomes of two vectors; FINISH(a), of the last one.
 *
 * All inputs meet in a register, so that there is one rounding and nothing goes
 * through memory in between.  The output may be an input.
 */
static void NAME(void *out, const void *const *inputs, int input_count,
                 int64_t start, int64_t count)
{
    const float divisor = (float)input_count;
    (void)divisor;
    for (int64_t i = 0; i < count; i += WIDTH) {
        const int64_t at = 2 * (start + i);
        const int part = count - i < WIDTH ? (int)(count - i) : WIDTH;
        vector result = LOAD((const char *)inputs[0] + at, part);
        for (int k = 1; k < input_count; k++)
            result = COMBINE(result, LOAD((const char *)inputs[k] + at, part));
        STORE((char *)out + 2 * i, vector_canonical(FINISH(result)), part);
    }
}

#undef NAME
#undef COMBINE
#undef FINISH
