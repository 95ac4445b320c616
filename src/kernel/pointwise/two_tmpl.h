/* kernel/pointwise/two_tmpl.h - loops over two inputs, one may be a number. */
/* SPDX-License-Identifier: Apache-2.0 */

/* To be defined before inclusion: T and R, the types of elements and results;
 * APPLY(x, y).  Inside a function with `out`, `in`, `steps` and `count`. */
{
    R *to = out;
    const T *left = in[0];
    const T *right = in[1];
    if (steps[0] && steps[1]) {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = APPLY(left[i], right[i]);
    } else if (steps[0]) {
        const T y = right[0];
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = APPLY(left[i], y);
    } else {
        const T x = left[0];
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = APPLY(x, right[i]);
    }
}

#undef APPLY
