/* op/promote.c - the dtype that several dtypes and numbers give. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/meta.h"

#include <stdbool.h>

#include "base/error.h"
#include "op/schema.h"

/* No dtype yet, or none that there is. */
#define NONE DT_DTYPE_COUNT

typedef enum category {
    CATEGORY_BOOL,
    CATEGORY_INTEGER,
    CATEGORY_FLOAT,
    CATEGORY_COMPLEX
} category;

static category category_of(dt_dtype dtype)
{
    static const category categories[] = {
        [DT_KIND_BOOLEAN] = CATEGORY_BOOL,
        [DT_KIND_SIGNED] = CATEGORY_INTEGER,
        [DT_KIND_UNSIGNED] = CATEGORY_INTEGER,
        [DT_KIND_FLOAT] = CATEGORY_FLOAT,
        [DT_KIND_COMPLEX] = CATEGORY_COMPLEX,
    };
    return categories[dt_dtype_kind_of(dtype)];
}

/* Two different integers: the longer one, which must be signed unless both
 * are not. */
static dt_dtype promote_integers(dt_dtype a, dt_dtype b)
{
    if (dt_dtype_size(a) == dt_dtype_size(b))
        return DT_I16; /* i8 and u8 */
    return dt_dtype_size(a) > dt_dtype_size(b) ? a : b;
}

static dt_dtype promote_floats(dt_dtype a, dt_dtype b)
{
    if (dt_dtype_size(a) == dt_dtype_size(b))
        return DT_F32; /* f16 and bf16: neither holds the other */
    return dt_dtype_size(a) > dt_dtype_size(b) ? a : b;
}

dt_dtype dti_promote_types(dt_dtype a, dt_dtype b)
{
    if (a == b)
        return a;
    if (category_of(a) < category_of(b)) {
        const dt_dtype other = a;
        a = b;
        b = other;
    }
    if (category_of(a) == CATEGORY_COMPLEX)
        return b == DT_F64 ? NONE : a;
    if (category_of(a) != category_of(b))
        return a;
    return category_of(a) == CATEGORY_FLOAT ? promote_floats(a, b)
                                            : promote_integers(a, b);
}

dt_dtype dti_promote_float(dt_dtype dtype)
{
    return category_of(dtype) < CATEGORY_FLOAT ? DT_F32 : dtype;
}

/* The dtypes of the three groups of operands, each NONE while there are none;
 * the first two that no dtype holds, if `failed`. */
typedef struct groups {
    dt_dtype with_dims, without_dims, numbers;
    bool failed;
    dt_dtype first, second;
} groups;

static void add_to_group(groups *all, dt_dtype *group, dt_dtype dtype)
{
    const dt_dtype both =
        *group == NONE ? dtype : dti_promote_types(*group, dtype);
    if (both == NONE && !all->failed) {
        all->failed = true;
        all->first = *group;
        all->second = dtype;
    }
    *group = both;
}

static void add_tensors(groups *all, const dt_operation *operation, int first,
                        int last)
{
    for (int i = first; i <= last; i++) {
        const dt_meta *meta = operation->metas[i];
        if (meta)
            add_to_group(all,
                         meta->shape.ndim > 0 ? &all->with_dims
                                              : &all->without_dims,
                         meta->dtype);
    }
}

/* A real Number is an f32, unless something else is longer. */
static dt_dtype dtype_of_number(dt_number number)
{
    if (number.kind == DT_KIND_COMPLEX)
        return DT_C64;
    if (number.kind == DT_KIND_FLOAT)
        return DT_F32;
    return number.kind == DT_KIND_BOOLEAN ? DT_BOOL : DT_I64;
}

/* Options, such as a factor for the other operand, do not count. */
static dt_status add_numbers(groups *all, const dt_operation *operation)
{
    const dti_schema *schema = operation->schema;
    for (int i = 0; i < schema->count; i++) {
        const dt_argument *argument = &operation->arguments[i];
        if (argument->kind == DT_ARG_NUMBER && !schema->parameters[i].option)
            add_to_group(all, &all->numbers,
                         dtype_of_number(argument->as.number));
    }
    return DT_OK;
}

/* The complex dtype whose parts are of this float. */
static dt_dtype complex_of(dt_dtype dtype)
{
    return dtype == DT_F32 || dtype == DT_BF16 ? DT_C64 : NONE;
}

/* What the higher group makes of the lower one. */
static dt_dtype combine(dt_dtype higher, dt_dtype lower)
{
    if (higher == NONE || lower == NONE)
        return higher == NONE ? lower : higher;
    if (category_of(higher) >= category_of(lower))
        return higher;
    if (category_of(higher) == CATEGORY_FLOAT)
        return complex_of(higher);
    return dti_promote_types(higher, lower);
}

static dt_status combine_groups(const dt_operation *operation, groups *all,
                                dt_dtype *out)
{
    const dt_dtype low = combine(all->without_dims, all->numbers);
    const dt_dtype dtype = all->failed ? NONE : combine(all->with_dims, low);
    if (!all->failed) {
        all->first = all->with_dims;
        all->second = low;
    }
    if (dtype == NONE)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "no dtype can represent both %s and %s; cast one of the tensors",
            dt_dtype_name(all->first), dt_dtype_name(all->second));
    *out = dtype;
    return DT_OK;
}

dt_status dti_promote_tensors(const dt_operation *operation, int first,
                              int last, dt_dtype *out)
{
    groups all = {.with_dims = NONE, .without_dims = NONE, .numbers = NONE};
    add_tensors(&all, operation, first, last);
    return combine_groups(operation, &all, out);
}

dt_status dti_promote(const dt_operation *operation, dt_dtype *out)
{
    groups all = {.with_dims = NONE, .without_dims = NONE, .numbers = NONE};
    add_tensors(&all, operation, 0, operation->input_count - 1);
    DTI_TRY(add_numbers(&all, operation));
    return combine_groups(operation, &all, out);
}

dt_dtype dti_promote_number(dt_dtype dtype, dt_number number)
{
    return combine(dtype, dtype_of_number(number));
}
