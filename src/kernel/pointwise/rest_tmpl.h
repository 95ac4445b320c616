/* kernel/pointwise/rest_tmpl.h - loops over what divisions leave over. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the type of elements; APPLY(x, y), with
 * calls, and NEAR(x, y), without, for quotients that are less than NEAR_LIMIT.
 * Inside a function with `out`, `in` and `count`.  Blocks of which all
 * quotients are near become vectors.
 */
{
    enum { BLOCK = 256 };
    T *to = out;
    const T *left = in[0];
    const T *right = in[1];
    for (int64_t first = 0; first < count; first += BLOCK) {
        const int64_t end = count - first < BLOCK ? count : first + BLOCK;
        int far = 0;
        for (int64_t i = first; i < end; i++)
            far |= !(FABS(left[i]) < FABS(right[i]) * (T)NEAR_LIMIT);
        if (far) {
            for (int64_t i = first; i < end; i++)
                to[i] = APPLY(left[i], right[i]);
        } else {
            DTI_INDEPENDENT
            for (int64_t i = first; i < end; i++)
                to[i] = NEAR(left[i], right[i]);
        }
    }
}

#undef APPLY
#undef NEAR
