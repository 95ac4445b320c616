/* ops/reduce/logsumexp.c - logarithms of sums of exponentials over dimensions.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>
#include <dtensor/sys/op.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/dtype.h"
#include "base/error.h"
#include "kernel/softmax/logsumexp.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/chain.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/dims.h"
#include "ops/helpers/tables.h"

/*
 * Where a dimension is cut, every rank finds the largest of its part and the
 * sum of exp(x - largest).  These two numbers are gathered among the ranks that
 * have the other parts.
 */

static dt_status logsumexp_meta(dt_operation *operation)
{
    return dti_dims_add_reduced(operation,
                                dti_promote_float(operation->metas[0]->dtype));
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
    dt_array *in = operation->in[0];
    if (!dti_is_float(dt_array_dtype(in)))
        DTI_TRY(dti_scratch_cast(operation, in, DT_F32, &in));
    dti_exponentials_array(in, dims, results, list_at(list, results, 0));
    return DT_OK;
}

/* Merge what all ranks have into a list that begins with it. */
static dt_status merge_all(const dt_operation *operation, dt_group *group,
                           int64_t results, dt_array **list)
{
    DTI_TRY(dti_comm_gather(operation, group, *list, list));
    for (int i = 1; !dt_array_is_meta(*list) && i < dt_group_size(group); i++)
        dti_exponentials_merge(list_at(*list, results, 0),
                               list_at(*list, results, i), results);
    return DT_OK;
}

static dt_status logsumexp_kernel(dt_operation *operation)
{
    const unsigned dims = dti_dims_of(operation);
    const bool meta = dt_array_is_meta(operation->in[0]);
    dt_array *out = operation->out[0], *list = NULL;
    const int64_t results = dt_array_count(out);
    dt_group *group = NULL;
    if (results == 0)
        return DT_OK; /* on all ranks that have the other parts */
    DTI_TRY(dti_comm_group(operation->in_specs[0], dims, &group));
    DTI_TRY(dti_comm_numbers(operation, 2 * results, &list));
    if (!meta)
        DTI_TRY(find_here(operation, dims, results, list));
    if (group)
        DTI_TRY(merge_all(operation, group, results, &list));
    if (!meta) {
        const dti_exponentials found = list_at(list, results, 0);
        dti_exponentials_end(found, results);
        dti_cast(found.most, DT_F64, dt_array_data(out), dt_array_dtype(out),
                 results);
    }
    return DT_OK;
}

/* ---- Complex numbers ---------------------------------------------------- */

static bool is_complex(const dt_operation *operation)
{
    return dt_tensor_dtype(operation->inputs[0]) == DT_C64;
}

/* The largest real parts, 0 where they are infinite. */
static dt_tensor *largest_real(dt_tensor *self, dt_dims dims)
{
    dt_tensor *parts = dt_real_part(self);
    dt_tensor *most = dti_chain(dt_amax(parts, dims, true), parts);
    dt_tensor *infinite = dt_isinf(most);
    dt_tensor *out = dt_masked_fill(most, infinite, dt_integer(0));
    dt_tensor_release_early(infinite);
    return dti_chain(out, most);
}

static dt_tensor *log_of_sum(dt_tensor *terms, dt_dims dims, bool keepdim)
{
    dt_tensor *sum = dti_chain(dt_sum(terms, dims, keepdim), terms);
    return dti_chain(dt_log(sum), sum);
}

/* The largest real part is taken out of the sum, where it is finite; of no
 * elements there is none. */
static dt_status logsumexp_complex(dt_operation *operation)
{
    dt_tensor *self = operation->inputs[0];
    const dt_argument *list = dti_argument(operation, "dims");
    const bool keepdim = dti_argument_bool(operation, "keepdim");
    unsigned bits;
    dt_dims dims = DT_DIMS();
    DTI_TRY(dti_dims_read(operation, dt_tensor_ndim(self), &bits));
    for (int i = 0; i < list->count; i++)
        dims.dims[dims.ndim++] = list->as.integers[i];
    if (dt_tensor_count(self) == 0) {
        operation->outputs[0] = log_of_sum(dt_exp(self), dims, keepdim);
        return DT_OK;
    }
    dt_tensor *most = largest_real(self, dims);
    dt_tensor *out = dt_sub(self, most);
    out = log_of_sum(dti_chain(dt_exp(out), out), dims, keepdim);
    if (!keepdim)
        most = dti_chain(dt_amax(most, dims, false), most);
    operation->outputs[0] = dti_chain(dti_chain(dt_add(out, most), out), most);
    return DT_OK;
}

const dt_op dti_ops_logsumexp[] = {
    {
        .schema = "logsumexp(Tensor self, Dims dims, bool keepdim) -> Tensor",
        .about = "log(sum(exp(x))) over dimensions, without overflow.  Sharded "
                 "dimensions need one collective with two numbers per rank.",
        .rule = "...->...; dims inside",
        .flags = DT_OP_OUT | DT_OP_COMMUNICATES,
        .meta = logsumexp_meta,
        .kernel = logsumexp_kernel,
        .compose = logsumexp_complex,
        .composes = is_complex,
        .gradient = "self: expand_reduced(grad, shape(self), dims, keepdim) * "
                    "conj(exp(self - expand_reduced(result, shape(self), dims, "
                    "keepdim)))",
        .samples = "(T[m,n], [0], false); (T[m,n], [-1], true); "
                   "(T[m,3,n], [0,-1], false); (T[m,n], [], false); "
                   "(T[], [], false)",
        .dtypes = "float int bool",
    },
    {0},
};
