/* ops/random.c - operators that draw random numbers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "kernel/dropout.h"
#include "op/meta.h"
#include "ops/tables.h"
#include "random/draw.h"
#include "tensor/create.h"

/* ---- dropout ------------------------------------------------------------ */

/* Elements that are dropped or kept at a time. */
enum { block = 1024 };

static bool is_training(const dt_operation *operation)
{
    return operation->arguments[2].as.integer != 0;
}

static dt_status dropout_meta(dt_operation *operation)
{
    dt_dtype dtype = operation->metas[0]->dtype;
    if (is_training(operation) && dt_dtype_kind_of(dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "%s; only floats can be trained with",
                                 dt_dtype_name(dtype));
    return dti_meta_like_first(operation);
}

/* Partial values are combined before elements are dropped, and pass where none
 * are. */
static dt_status dropout_factors(const dt_operation *operation, dt_factors *out)
{
    out->no_moves = is_training(operation);
    return DT_OK;
}

/* Drop elements of an array by what is drawn for each. */
typedef struct dropping {
    dti_draw draw;
    const dt_array *in;
    double kept;
} dropping;

/* Elements from a local index on, in row-major order. */
static void drop_some(const dropping *how, int64_t first, int64_t count,
                      const unsigned char *keep, void *out)
{
    _Alignas(8) char values[block * 8];
    const dt_array *in = how->in;
    const void *from = values;
    if (in->contiguous)
        from = (const char *)dti_array_address(in) +
               (size_t)first * dt_dtype_size(in->dtype);
    else
        dti_array_gather(in, first, count, values);
    dti_dropout(in->dtype, from, keep, how->kept, out, count);
}

/* Short runs are drawn many at a time, long ones piece by piece. */
static void drop_rows(const void *arg, const dti_rows *rows, void *out)
{
    const dropping *how = arg;
    unsigned char keep[block];
    int64_t item = (int64_t)dt_dtype_size(how->in->dtype);
    int64_t length = rows->count < block ? rows->count : block;
    int64_t together = block / length;
    for (int64_t row = 0; row < rows->rows; row += together) {
        int64_t left = rows->rows - row;
        int64_t taken = left < together ? left : together;
        for (int64_t at = 0; at < rows->count; at += length) {
            int64_t rest = rows->count - at;
            int64_t count = rest < length ? rest : length;
            int64_t done = row * rows->count + at;
            dti_draw_rows(&how->draw, rows->global + row * rows->stride + at,
                          count, rows->stride, taken, keep);
            drop_some(how, rows->local + done, count * taken, keep,
                      (char *)out + done * item);
        }
    }
}

static dt_status check_probability(const dt_operation *operation)
{
    const double p = operation->arguments[1].as.real;
    if (p >= 0 && p <= 1)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "p is %g; a probability lies between 0 and 1", p);
}

static dt_status dropout_kernel(dt_operation *operation)
{
    double p = operation->arguments[1].as.real;
    const dt_array *in = operation->in[0];
    dt_array *to = operation->out[0];
    dropping how = {
        .draw = {.key = {operation->random_seed, operation->random_offset},
                 .kind = DTI_BERNOULLI,
                 .dtype = DT_BOOL,
                 .p = 1 - p},
        .in = in,
        .kept = 1 - p};
    if (!is_training(operation))
        return dt_array_copy(operation->world, in, to);
    DTI_TRY(dti_draw_check(operation->world, &how.draw));
    if (in->count == 0)
        return DT_OK;
    dti_array_wait(in, false);
    return dti_fill_by_rows(operation->out_specs[0], to, drop_rows, &how);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_random[] = {
    {
        .schema = "dropout(Tensor self, float p, bool train, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "dropout",
        .about = "Set elements to 0 with probability `p` and divide the others "
                 "by 1 - p, if `train` is set; the same ones in every layout.",
        .rule = "...->...",
        .moves = "self",
        .flags = DT_OP_RANDOM | DT_OP_IN_PLACE,
        .meta = dropout_meta,
        .factors = dropout_factors,
        .check = check_probability,
        .kernel = dropout_kernel,
        .samples = "(T[m,n], 0.5, true); (T[m,n], 0.25, false); "
                   "(T[m,3,n], 0.9, true); (T[], 0.5, true)",
        .dtypes = "float",
    },
    {0},
};
