/* array/cast_tmpl.h - converting runs of one dtype to any other. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Included once per source dtype with
 *
 *     NAME       the function to define
 *     FROM       how an element is stored
 *     WIDEN(x)   an element's value as its carrier (array/number.h)
 *     IS_SET(x)  whether an element is anything but zero
 *     IMAGINARY(x)  its imaginary part
 */
static void NAME(const void *source, void *destination, dt_dtype dtype,
                 int64_t count)
{
    const FROM *DTI_RESTRICT from = source;
    switch (dtype) {
    case DT_F32: {
        float *DTI_RESTRICT to = destination;
        for (int64_t i = 0; i < count; i++)
            to[i] = (float)WIDEN(from[i]);
        return;
    }
    case DT_F64: {
        double *DTI_RESTRICT to = destination;
        for (int64_t i = 0; i < count; i++)
            to[i] = (double)WIDEN(from[i]);
        return;
    }
    case DT_F16: {
        uint16_t *DTI_RESTRICT to = destination;
        for (int64_t i = 0; i < count; i++)
            to[i] = DTI_TO_F16(WIDEN(from[i]));
        return;
    }
    case DT_BF16: {
        uint16_t *DTI_RESTRICT to = destination;
        for (int64_t i = 0; i < count; i++)
            to[i] = DTI_TO_BF16(WIDEN(from[i]));
        return;
    }
    case DT_I8: {
        int8_t *DTI_RESTRICT to = destination;
        for (int64_t i = 0; i < count; i++)
            to[i] = (int8_t)DTI_TO_I32(WIDEN(from[i]), INT8_MIN, INT8_MAX);
        return;
    }
    case DT_I16: {
        int16_t *DTI_RESTRICT to = destination;
        for (int64_t i = 0; i < count; i++)
            to[i] = (int16_t)DTI_TO_I32(WIDEN(from[i]), INT16_MIN, INT16_MAX);
        return;
    }
    case DT_I32: {
        int32_t *DTI_RESTRICT to = destination;
        for (int64_t i = 0; i < count; i++)
            to[i] = (int32_t)DTI_TO_I32(WIDEN(from[i]), INT32_MIN, INT32_MAX);
        return;
    }
    case DT_I64: {
        /* There are instructions for vectors of i32 everywhere, and numbers are
         * mostly small. */
        int64_t *DTI_RESTRICT to = destination;
        for (int64_t first = 0; first < count; first += DTI_CAST_BLOCK) {
            const int64_t left = count - first;
            const int64_t end =
                first + (left < DTI_CAST_BLOCK ? left : DTI_CAST_BLOCK);
            int large = 0;
            for (int64_t i = first; i < end; i++)
                large |= !DTI_IS_SMALL(WIDEN(from[i]));
            if (large)
                for (int64_t i = first; i < end; i++)
                    to[i] = DTI_TO_I64(WIDEN(from[i]), INT64_MIN, INT64_MAX);
            else
                for (int64_t i = first; i < end; i++)
                    to[i] = (int32_t)WIDEN(from[i]);
        }
        return;
    }
    case DT_U8: {
        uint8_t *DTI_RESTRICT to = destination;
        for (int64_t i = 0; i < count; i++)
            to[i] = (uint8_t)DTI_TO_I32(WIDEN(from[i]), 0, UINT8_MAX);
        return;
    }
    case DT_BOOL: {
        uint8_t *DTI_RESTRICT to = destination;
        for (int64_t i = 0; i < count; i++)
            to[i] = IS_SET(from[i]);
        return;
    }
    case DT_C64: {
        dti_c64 *DTI_RESTRICT to = destination;
        for (int64_t i = 0; i < count; i++)
            to[i] = (dti_c64){(float)WIDEN(from[i]), IMAGINARY(from[i])};
        return;
    }
    case DT_DTYPE_COUNT:
        return;
    }
}

#undef NAME
#undef FROM
#undef WIDEN
#undef IS_SET
#undef IMAGINARY
