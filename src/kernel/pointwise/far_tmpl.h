/* kernel/pointwise/far_tmpl.h - a loop over one input, some of which are rare.
 */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T and R, the types of elements and results;
 * APPLY(x), which has branches; FAR(x), whether it takes the rare one; NEAR(x),
 * the same as APPLY for all others.  Inside a function with `out`, `in` and
 * `count`.
 */
{
    enum { BLOCK = 512 };
    R *to = out;
    const T *from = in[0];
    for (int64_t begin = 0; begin < count; begin += BLOCK) {
        const int64_t end = count - begin < BLOCK ? count : begin + BLOCK;
        int far = 0;
        for (int64_t i = begin; i < end; i++)
            far |= FAR(from[i]);
        if (far) {
            for (int64_t i = begin; i < end; i++)
                to[i] = APPLY(from[i]);
            continue;
        }
        DTI_INDEPENDENT
        for (int64_t i = begin; i < end; i++)
            to[i] = NEAR(from[i]);
    }
}

#undef APPLY
#undef FAR
#undef NEAR
