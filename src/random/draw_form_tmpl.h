/* random/draw_form_tmpl.h - a run of numbers, changed in place. */
/* SPDX-License-Identifier: Apache-2.0 */

/* To be defined before inclusion: NAME of the function; FORM, what is done. */
static void NAME(const dti_draw *draw, void *numbers, int64_t count)
{
    const dti_draw_made made = draw->made;
    uint64_t *at = numbers;
    for (int64_t i = 0; i < count; i += LANES64)
        store64(at + i, FORM(&made, load64(at + i)));
}

#undef NAME
#undef FORM
