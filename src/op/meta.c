/* op/meta.c - what results are: shapes that broadcast, and rows' usual metas.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/meta.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/shape.h"
#include "op/schema.h"
#include "tensor/order.h"

/* Widen `shape` by another one; false if they do not match. */
static bool broadcast(dt_shape *shape, dt_shape other)
{
    if (other.ndim > shape->ndim) {
        const dt_shape shorter = *shape;
        *shape = other;
        other = shorter;
    }
    const int front = shape->ndim - other.ndim;
    for (int i = 0; i < other.ndim; i++) {
        int64_t *extent = &shape->dims[front + i];
        if (*extent == 1)
            *extent = other.dims[i];
        else if (other.dims[i] != *extent && other.dims[i] != 1)
            return false;
    }
    return true;
}

dt_status dti_meta_broadcast(const dt_operation *operation, int first, int last,
                             dt_shape *out)
{
    dt_shape shape = DT_SHAPE();
    for (int i = first; i <= last; i++) {
        const dt_meta *meta = operation->metas[i];
        dt_shape both = shape;
        if (meta && !broadcast(&both, meta->shape))
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "shapes %s and %s cannot be broadcast: "
                                     "extents differ and neither is 1",
                                     dti_shape_show(shape).text,
                                     dti_shape_show(meta->shape).text);
        shape = both;
    }
    *out = shape;
    return DT_OK;
}

dt_status dti_meta_shape(const dt_operation *operation, int argument,
                         dt_shape *out)
{
    const dt_argument *given = &operation->arguments[argument];
    if (given->count > DT_MAX_NDIM)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "a shape of %d dimensions; the maximum is %d",
                                 given->count, DT_MAX_NDIM);
    *out = dt_shape_make(given->count, given->as.integers);
    return DT_OK;
}

dt_status dti_meta_add(dt_operation *operation, dt_dtype dtype, dt_shape shape)
{
    const dt_meta meta = dt_meta_of(dtype, shape);
    return dt_operation_add_result(operation, &meta);
}

/* More than any pointwise operator has. */
enum { MAX_OPERANDS = 8 };

dt_status dti_meta_add_pointwise(dt_operation *operation, dt_dtype dtype,
                                 dt_shape shape, dt_dtype computed, int first)
{
    dt_meta meta = {.dtype = dtype, .shape = shape};
    dt_meta converted[MAX_OPERANDS];
    const dt_meta *operands[MAX_OPERANDS];
    const int count = operation->input_count;
    assert(count <= MAX_OPERANDS);
    for (int i = 0; i < count; i++) {
        operands[i] = operation->metas[i];
        if (!operands[i] || i < first || operands[i]->dtype == computed)
            continue;
        converted[i] = *operands[i];
        dti_meta_keep_order(&converted[i]);
        operands[i] = &converted[i];
    }
    dti_meta_order(&meta, operands, count);
    return dt_operation_add_result(operation, &meta);
}

dt_status dti_meta_compare(dt_operation *operation)
{
    dt_dtype dtype;
    dt_shape shape = {0};
    DTI_TRY(dti_promote(operation, &dtype));
    DTI_TRY(
        dti_meta_broadcast(operation, 0, operation->input_count - 1, &shape));
    return dti_meta_add_pointwise(operation, DT_BOOL, shape, dtype, 0);
}

dt_status dti_meta_like_first(dt_operation *operation)
{
    const dt_meta *first = operation->metas[0];
    return dti_meta_add(operation, first->dtype, first->shape);
}

dt_status dti_meta_copy_first(dt_operation *operation, dt_dtype dtype)
{
    dt_meta meta = *operation->metas[0];
    meta.dtype = dtype;
    dti_meta_keep_order(&meta);
    return dt_operation_add_result(operation, &meta);
}

dt_status dti_meta_keep_first(dt_operation *operation)
{
    return dti_meta_copy_first(operation, operation->metas[0]->dtype);
}

/* "0 (none), 1 (mean) or 2 (sum)" */
static void list_values(dti_type type, char *out, size_t size)
{
    size_t length = 0, next = 0, used = 0;
    const char *name = dti_type_value_name(type, 0, &length);
    for (int i = 0; name && used < size; i++) {
        const char *after = dti_type_value_name(type, i + 1, &next);
        used += (size_t)snprintf(out + used, size - used, "%s%d (%.*s)",
                                 i == 0  ? ""
                                 : after ? ", "
                                         : " or ",
                                 i, (int)length, name);
        name = after;
        length = next;
    }
}

dt_status dti_check_value(const dt_operation *operation, const char *name)
{
    const dti_schema *schema = operation->schema;
    const int place = dti_schema_find(schema, name, strlen(name));
    const dti_type type = schema->parameters[place].type;
    const int64_t value = operation->arguments[place].as.integer;
    char values[120] = "";
    size_t length = 0;
    if (value >= 0 && dti_type_value_name(type, value, &length))
        return DT_OK;
    list_values(type, values, sizeof values);
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "%s is %lld; expected %s", name, (long long)value,
                             values);
}
