/* kernel/reduce/loop_tmpl.h - a loop that combines two arrays of one type. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: NAME, the function; T, the type of elements;
 * COMBINE(a, b), what becomes of two of them.  The output may be an input.
 * Elements are at any address, hence memcpy.
 */
static void NAME(void *out, const void *left, const void *right, int64_t count)
{
    unsigned char *to = out;
    const unsigned char *first = left;
    const unsigned char *second = right;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = i * (int64_t)sizeof(T);
        T a, b;
        memcpy(&a, first + at, sizeof a);
        memcpy(&b, second + at, sizeof b);
        const T result = (T)COMBINE(a, b);
        memcpy(to + at, &result, sizeof result);
    }
}

#undef NAME
#undef COMBINE
