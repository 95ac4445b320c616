/* kernel/pointwise/three_tmpl.h - a loop over three inputs that are arrays. */
/* SPDX-License-Identifier: Apache-2.0 */

/* To be defined before inclusion: T and R, the types of elements and results;
 * APPLY(x, y, z).  Inside a function with `out`, `in` and `count`. */
{
    R *to = out;
    const T *first = in[0];
    const T *second = in[1];
    const T *third = in[2];
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] = APPLY(first[i], second[i], third[i]);
}

#undef APPLY
