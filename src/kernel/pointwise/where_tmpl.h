/* kernel/pointwise/where_tmpl.h - loops that choose between two inputs. */
/* SPDX-License-Identifier: Apache-2.0 */

/* To be defined before inclusion: T, the type of elements.  Inside a function
 * with `out`, `in`, `steps` and `count`. */
{
    T *to = out;
    const uint8_t *condition = in[0];
    const T *left = in[1];
    const T *right = in[2];
    if (steps[0] && steps[1] && steps[2]) {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = condition[i] ? left[i] : right[i];
    } else if (steps[0] && steps[2]) {
        const T x = left[0];
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = condition[i] ? x : right[i];
    } else if (steps[0] && steps[1]) {
        const T y = right[0];
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = condition[i] ? left[i] : y;
    } else {
        for (int64_t i = 0; i < count; i++)
            to[i] = condition[i * steps[0]] ? left[i * steps[1]]
                                            : right[i * steps[2]];
    }
}
