/* kernel/pointwise/pair_tmpl.h - a loop over two inputs that are arrays. */
/* SPDX-License-Identifier: Apache-2.0 */

/* To be defined before inclusion: T and R, the types of elements and results;
 * APPLY(x, y).  Inside a function with `out`, `in` and `count`. */
{
    R *to = out;
    const T *left = in[0];
    const T *right = in[1];
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] = APPLY(left[i], right[i]);
}

#undef APPLY
