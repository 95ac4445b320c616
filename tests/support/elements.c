/* tests/support/elements.c - arrays of which every element is known by its
 * bits.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/elements.h"

#include "array/cast.h"
#include "base/hash.h"

/* ---- Bits of one element ------------------------------------------------ */

uint64_t word_of(uint64_t salt, int rank, int64_t index)
{
    return dti_hash_mix(dti_hash_mix(salt, (uint64_t)rank), (uint64_t)index);
}

uint64_t bits_of(dt_dtype dtype, uint64_t word)
{
    if (dtype == DT_BOOL)
        return word & 1;
    size_t item = dt_dtype_size(dtype);
    return item == 8 ? word : word & ((UINT64_C(1) << 8 * item) - 1);
}

uint64_t bits_of_number(dt_dtype dtype, double real, double imaginary)
{
    uint64_t bits = 0;
    if (dtype == DT_C64) {
        dti_c64 number = {(float)real, (float)imaginary};
        memcpy(&bits, &number, sizeof number);
    } else {
        dti_cast(&real, DT_F64, &bits, dtype, 1);
    }
    return bits;
}

uint64_t element_bits(element_rule rule, dt_dtype dtype, int64_t index)
{
    uint64_t word = word_of(rule.salt, 0, index);
    if (!rule.tame)
        return bits_of(dtype, word);
    bool negative = dtype != DT_U8 && dtype != DT_BOOL;
    double low = negative ? -60 : 0;
    uint64_t range = dtype == DT_BOOL ? 2 : 121;
    return bits_of_number(dtype, low + (double)(word % range),
                          low + (double)((word >> 32) % range));
}

/* ---- Indexes ------------------------------------------------------------ */

bool next_index(int64_t *index, dt_shape shape)
{
    for (int i = shape.ndim - 1; i >= 0; i--) {
        if (++index[i] < shape.dims[i])
            return true;
        index[i] = 0;
    }
    return false;
}

int64_t row_major(const int64_t *index, dt_shape shape)
{
    int64_t number = 0;
    for (int i = 0; i < shape.ndim; i++)
        number = number * shape.dims[i] + index[i];
    return number;
}

/* The distance of an element from the first, in bytes. */
static size_t distance_of(const dt_array *array, const int64_t *index)
{
    int64_t elements = 0;
    for (int i = 0; i < dt_array_ndim(array); i++)
        elements += index[i] * dt_array_stride(array, i);
    return (size_t)elements * dt_dtype_size(dt_array_dtype(array));
}

uint64_t read_bits(const dt_array *array, const int64_t *index)
{
    uint64_t bits = 0;
    const char *data = dt_array_const_data(array);
    memcpy(&bits, data + distance_of(array, index),
           dt_dtype_size(dt_array_dtype(array)));
    return bits;
}

void write_bits(dt_array *array, const int64_t *index, uint64_t bits)
{
    char *data = dt_array_data(array);
    memcpy(data + distance_of(array, index), &bits,
           dt_dtype_size(dt_array_dtype(array)));
}

/* ---- Arrays ------------------------------------------------------------- */

dt_array *new_array(dt_world *world, dt_dtype dtype, dt_shape shape)
{
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, dtype, shape, &array));
    return array;
}

void wipe(dt_array *array, int byte)
{
    if (dt_array_count(array) > 0)
        memset(dt_array_data(array), byte, dt_array_bytes(array));
}

dt_array *new_array_in(dt_world *world, dt_dtype dtype, dt_shape shape,
                       array_form form)
{
    dt_array *larger = NULL, *view = NULL;
    dt_shape outer = shape;
    int order[DT_MAX_NDIM];
    int last = shape.ndim - 1;
    if (form == FORM_DENSE || shape.ndim == 0)
        return new_array(world, dtype, shape);
    for (int i = 0; i <= last; i++) {
        order[i] = last - i;
        if (form == FORM_REVERSED)
            outer.dims[i] = shape.dims[last - i];
    }
    if (form == FORM_STRIDED)
        outer.dims[last] = 2 * shape.dims[last] + 1;
    larger = new_array(world, dtype, outer);
    wipe(larger, 0x5a);
    if (form == FORM_REVERSED)
        CHECK_OK(world, dt_array_permute(world, larger, order, &view));
    else
        CHECK_OK(world, dt_array_slice(world, larger, last, 1,
                                       2 * shape.dims[last] + 1, 2, &view));
    dt_array_release(larger);
    return view;
}

dt_array *global_array(dt_world *world, dt_dtype dtype, dt_shape shape,
                       array_form form, element_rule rule)
{
    dt_array *array = new_array_in(world, dtype, shape, form);
    fill_box(array, shape, NULL, rule);
    return array;
}

/* The number of the element of a tensor that an index of a box stands for. */
static int64_t number_in(dt_shape global, const int64_t *offset,
                         const int64_t *index)
{
    int64_t place[DT_MAX_NDIM];
    for (int i = 0; i < global.ndim; i++)
        place[i] = index[i] + (offset ? offset[i] : 0);
    return row_major(place, global);
}

void fill_box(dt_array *array, dt_shape global, const int64_t *offset,
              element_rule rule)
{
    int64_t index[DT_MAX_NDIM] = {0};
    const dt_dtype dtype = dt_array_dtype(array);
    if (dt_array_count(array) == 0)
        return;
    do
        write_bits(array, index,
                   element_bits(rule, dtype, number_in(global, offset, index)));
    while (next_index(index, dt_array_shape(array)));
}

bool check_box(const dt_array *array, dt_shape global, const int64_t *offset,
               element_rule rule)
{
    int64_t index[DT_MAX_NDIM] = {0};
    const dt_dtype dtype = dt_array_dtype(array);
    if (dt_array_count(array) == 0)
        return true;
    do {
        const int64_t number = number_in(global, offset, index);
        const uint64_t bits = read_bits(array, index);
        const uint64_t wanted = element_bits(rule, dtype, number);
        if (bits != wanted)
            return CHECKF(false, "element %lld of %s is %llx, not %llx",
                          (long long)number, dt_dtype_name(dtype),
                          (unsigned long long)bits, (unsigned long long)wanted);
    } while (next_index(index, dt_array_shape(array)));
    return true;
}
