/* kernel/pointwise/one_tmpl.h - a loop over one input. */
/* SPDX-License-Identifier: Apache-2.0 */

/* To be defined before inclusion: T and R, the types of elements and results;
 * APPLY(x).  Inside a function with `out`, `in` and `count`. */
{
    R *to = out;
    const T *from = in[0];
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] = APPLY(from[i]);
}

#undef APPLY
