/* ops/logsumexp.c - logarithms of sums of exponentials over dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/op.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "kernel/logsumexp.h"
#include "op/meta.h"
#include "op/talk.h"
#include "ops/dims.h"
#include "ops/tables.h"

/*
 * Where a dimension is cut, every rank finds the largest of its part and the
 * sum of exp(x - largest).  These two numbers are gathered among the ranks that
 * have the other parts.
 */

static dt_status logsumexp_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    unsigned dims = 0;
    if (in->dtype == DT_C64)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED, "not of c64");
    DTI_TRY(dti_dims_read(operation, &operation->arguments[1], in->shape.ndim,
                          &dims));
    return dti_meta_add(
        operation, dti_promote_float(in->dtype),
        dti_dims_reduce(in->shape, dims, operation->arguments[2].as.integer));
}

/* Number `number` of the lists that lie one after another. */
static dti_exponentials list_at(dt_array *lists, int64_t results, int number)
{
    double *first = dt_array_data(lists);
    first += 2 * results * number;
    return (dti_exponentials){first, first + results};
}

/* Integers are converted first, to what the result is. */
static dt_status find_here(const dt_operation *operation, unsigned dims,
                           int64_t results, dt_array *list)
{
    dt_array *in = operation->in[0], *cast = NULL;
    if (dt_dtype_kind_of(dt_array_dtype(in)) != DT_KIND_FLOAT) {
        DTI_TRY(dt_array_cast(operation->world, in, DT_F32, &cast));
        in = cast;
    }
    dti_exponentials_array(in, dims, results, list_at(list, results, 0));
    dt_array_release(cast);
    return DT_OK;
}

/* Merge what all ranks have into a list that begins with it. */
static dt_status merge_all(const dt_operation *operation, dt_group *group,
                           int64_t results, dt_array **list)
{
    dt_array *all = NULL;
    DTI_TRY(dti_talk_gather(operation->world, group, *list, &all));
    dt_array_release(*list);
    *list = all;
    for (int i = 1; !dt_array_is_meta(all) && i < dt_group_size(group); i++)
        dti_exponentials_merge(list_at(all, results, 0),
                               list_at(all, results, i), results);
    return DT_OK;
}

static dt_status logsumexp_kernel(dt_operation *operation)
{
    const unsigned dims = dti_dims_of(operation, 1);
    const bool meta = dt_array_is_meta(operation->in[0]);
    dt_array *out = operation->out[0], *list = NULL;
    const int64_t results = dt_array_count(out);
    dt_group *group = NULL;
    if (results == 0)
        return DT_OK; /* on all ranks that have the other parts */
    DTI_TRY(dti_talk_group(operation->in_specs[0], dims, &group));
    DTI_TRY(dti_talk_list(operation->world, meta, DT_F64, 2 * results, &list));
    dt_status status = meta ? DT_OK : find_here(operation, dims, results, list);
    if (status == DT_OK && group)
        status = merge_all(operation, group, results, &list);
    if (status == DT_OK && !meta) {
        const dti_exponentials found = list_at(list, results, 0);
        dti_exponentials_end(found, results);
        dti_cast(found.most, DT_F64, dt_array_data(out), dt_array_dtype(out),
                 results);
    }
    dt_array_release(list);
    return status;
}

const dt_op dti_ops_logsumexp[] = {
    {
        .schema = "logsumexp(Tensor self, Dims dims, bool keepdim) -> Tensor",
        .aten = "logsumexp",
        .about = "Give log(sum(exp(x))) over dimensions, without overflow.  "
                 "Over shards, two numbers of each rank are exchanged in one "
                 "call.",
        .rule = "...->...; dims inside",
        .flags = DT_OP_OUT | DT_OP_TALKS,
        .meta = logsumexp_meta,
        .kernel = logsumexp_kernel,
        .samples = "(T[m,n], [0], false); (T[m,n], [-1], true); "
                   "(T[m,3,n], [0,-1], false); (T[m,n], [], false); "
                   "(T[], [], false)",
        .dtypes = "float int bool",
    },
    {0},
};
