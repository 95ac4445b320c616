/* plugins/mpi/reduce.c - all-reduce and reduce-scatter. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "mpi/plugin.h"
#include "mpi/split.h"

/*
 * Three ways to reduce, chosen by operation and dtype:
 *
 * - MPI's own operation, where it means the same: most of integers, bool (as
 * MPI's logical operations on bytes), sums and products of f32, f64 and
 * complex. MPI decides in which order ranks are combined.
 * - An operation of ours that MPI calls: min and max of floats, where NaN wins
 *   and -0 is below 0; sums of short integers, which wrap here and saturate
 *   in Open MPI where it uses AVX (its issue 8045).  Exact, so that the order
 *   does not matter.
 * - In order: ranks exchange blocks, each combines one block of all ranks by
 *   the library's kernel, and all gather the results.  It sends no more than
 *   MPI does.  For sums and products of f16 and bf16, which accumulate in f32
 *   and round once; and, if the setting asks, for those of all floats: then the
 *   bits are those of the other transports.
 *
 * An average is the sum, divided; in order the kernel does it.
 */

static size_t item_of(const dti_mpi_job *job)
{
    return dti_mpi_item(job->call->dtype);
}

static const char *input_at(const dti_mpi_job *job, int64_t element)
{
    return (const char *)job->call->input + (size_t)element * item_of(job);
}

static char *output_at(const dti_mpi_job *job, int64_t element)
{
    return (char *)job->call->output + (size_t)element * item_of(job);
}

/* ---- Operations that MPI calls ------------------------------------------ */

static void combine(dt_reduce op, dt_dtype dtype, const void *in, void *inout,
                    int count)
{
    const void *inputs[2] = {in, inout};
    dti_mpi_services->reduce(op, dtype, inputs, 2, &inout, 1, count, false);
}

static void min_f32(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_MIN, DT_F32, in, inout, *count);
}

static void min_f64(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_MIN, DT_F64, in, inout, *count);
}

static void min_f16(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_MIN, DT_F16, in, inout, *count);
}

static void min_bf16(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_MIN, DT_BF16, in, inout, *count);
}

static void max_f32(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_MAX, DT_F32, in, inout, *count);
}

static void max_f64(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_MAX, DT_F64, in, inout, *count);
}

static void max_f16(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_MAX, DT_F16, in, inout, *count);
}

static void max_bf16(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_MAX, DT_BF16, in, inout, *count);
}

static void sum_i8(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_SUM, DT_I8, in, inout, *count);
}

static void sum_i16(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_SUM, DT_I16, in, inout, *count);
}

static void sum_u8(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    combine(DT_SUM, DT_U8, in, inout, *count);
}

static const struct {
    dt_reduce op;
    dt_dtype dtype;
    MPI_User_function *function;
} own[] = {
    {DT_MIN, DT_F32, min_f32},   {DT_MAX, DT_F32, max_f32},
    {DT_MIN, DT_F64, min_f64},   {DT_MAX, DT_F64, max_f64},
    {DT_MIN, DT_F16, min_f16},   {DT_MAX, DT_F16, max_f16},
    {DT_MIN, DT_BF16, min_bf16}, {DT_MAX, DT_BF16, max_bf16},
    {DT_SUM, DT_I8, sum_i8},     {DT_SUM, DT_I16, sum_i16},
    {DT_SUM, DT_U8, sum_u8},
};
enum { OWN_COUNT = sizeof own / sizeof *own };

/* ---- Operations --------------------------------------------------------- */

/* What MPI is asked to do, for each operation and dtype; made once per
 * process. */
static MPI_Op operations[DT_REDUCE_COUNT][DT_DTYPE_COUNT];
static bool operations_made;

/* True values are all bytes but 0, and 0 or 1 comes out. */
static MPI_Op logical_operation(int op)
{
    switch (op) {
    case DT_PRODUCT:
    case DT_MIN:
    case DT_BAND:
        return MPI_LAND;
    case DT_BXOR:
        return MPI_LXOR;
    default:
        return MPI_LOR;
    }
}

static MPI_Op operation_of_mpi(int op)
{
    switch (op) {
    case DT_PRODUCT:
        return MPI_PROD;
    case DT_MIN:
        return MPI_MIN;
    case DT_MAX:
        return MPI_MAX;
    case DT_BAND:
        return MPI_BAND;
    case DT_BOR:
        return MPI_BOR;
    case DT_BXOR:
        return MPI_BXOR;
    default: /* an average begins with the sum */
        return MPI_SUM;
    }
}

dt_status dti_mpi_reduce_begin(dt_error *error)
{
    if (operations_made)
        return DT_OK;
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
            operations[op][dtype] =
                dtype == DT_BOOL ? logical_operation(op) : operation_of_mpi(op);
    for (int i = 0; i < OWN_COUNT; i++)
        if (MPI_Op_create(own[i].function, true,
                          &operations[own[i].op][own[i].dtype]) != MPI_SUCCESS)
            return dti_mpi_services->error_set(error, DT_ERR_COMM,
                                               "MPI_Op_create failed");
    operations_made = true;
    return DT_OK;
}

void dti_mpi_reduce_end(void)
{
    for (int i = 0; i < OWN_COUNT && operations_made; i++)
        MPI_Op_free(&operations[own[i].op][own[i].dtype]);
    operations_made = false;
}

/* ---- Which way ---------------------------------------------------------- */

static bool is_half(dt_dtype dtype)
{
    return dtype == DT_F16 || dtype == DT_BF16;
}

static bool is_float(dt_dtype dtype)
{
    return dtype == DT_F32 || dtype == DT_F64 || is_half(dtype);
}

/* Tell whether the order of ranks can be seen in the result. */
static bool rounds(dt_reduce op, dt_dtype dtype)
{
    return (is_float(dtype) || dtype == DT_C64) &&
           (op == DT_SUM || op == DT_AVG || op == DT_PRODUCT);
}

void dti_mpi_reduce_choose(dti_mpi *mpi, bool all_in_order)
{
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
            mpi->reductions[op][dtype] = (dti_mpi_reduction){
                .op = operations[op][dtype],
                .in_order = rounds((dt_reduce)op, (dt_dtype)dtype) &&
                            (all_in_order || is_half((dt_dtype)dtype))};
}

static const dti_mpi_reduction *reduction_of(const dti_mpi_job *job)
{
    return &job->mpi->reductions[job->call->op][job->call->dtype];
}

/* ---- By MPI ------------------------------------------------------------- */

/* Divide what was added up; half types do not come here. */
static void divide(const dti_mpi_job *job, void *data, int64_t count)
{
    int size = job->line->size;
    if (job->call->dtype == DT_F64) {
        double *values = data;
        for (int64_t i = 0; i < count; i++)
            values[i] /= (double)size;
        return;
    }
    float *values = data;
    int64_t parts = job->call->dtype == DT_C64 ? 2 * count : count;
    for (int64_t i = 0; i < parts; i++)
        values[i] /= (float)size;
}

/* All-reduce elements that fit one call. */
static inline dt_status all_reduce_piece(const dti_mpi_job *job, int64_t from,
                                         int count)
{
    const dt_call *call = job->call;
    bool in_place = call->input == call->output;
    return dti_mpi_check(
        job->line->world,
        MPI_Allreduce(in_place ? MPI_IN_PLACE : input_at(job, from),
                      output_at(job, from), count, job->type,
                      reduction_of(job)->op, job->comm),
        "MPI_Allreduce");
}

static dt_status all_reduce(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    int piece;
    if (call->count <= job->mpi->limit && call->op != DT_AVG)
        return all_reduce_piece(job, 0, (int)call->count);
    for (int64_t done = 0; done < call->count; done += piece) {
        piece = dti_split_next(call->count - done, job->mpi->limit);
        DT_TRY(all_reduce_piece(job, done, piece));
    }
    if (call->op == DT_AVG)
        divide(job, call->output, call->count);
    return DT_OK;
}

/* Reduce each member's block to it, in pieces: of blocks that are too large
 * for one call. */
static dt_status reduce_to_members(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    MPI_Op op = reduction_of(job)->op;
    int64_t offset = 0;
    for (int member = 0; member < job->line->size; member++) {
        int64_t block =
            dt_call_block(call->counts, call->count, job->line->size, member);
        int piece;
        for (int64_t done = 0; done < block; done += piece) {
            piece = dti_split_next(block - done, job->mpi->limit);
            bool mine = member == job->line->rank;
            DT_TRY(dti_mpi_check(job->line->world,
                                 MPI_Reduce(input_at(job, offset + done),
                                            mine ? output_at(job, done) : NULL,
                                            piece, job->type, op, member,
                                            job->comm),
                                 "MPI_Reduce"));
        }
        offset += block;
    }
    return DT_OK;
}

static dt_status reduce_scatter_blocks(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    for (int i = 0; i < job->line->size; i++)
        job->state->lengths[i] = (int)call->counts[i];
    return dti_mpi_check(job->line->world,
                         MPI_Reduce_scatter(call->input, call->output,
                                            job->state->lengths, job->type,
                                            reduction_of(job)->op, job->comm),
                         "MPI_Reduce_scatter");
}

static dt_status reduce_scatter(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    int size = job->line->size;
    dt_status status;
    if (call->count > job->mpi->limit)
        status = reduce_to_members(job);
    else if (!call->counts)
        status = dti_mpi_check(
            job->line->world,
            MPI_Reduce_scatter_block(call->input, call->output,
                                     (int)call->count / size, job->type,
                                     reduction_of(job)->op, job->comm),
            "MPI_Reduce_scatter_block");
    else
        status = reduce_scatter_blocks(job);
    if (status == DT_OK && call->op == DT_AVG)
        divide(job, call->output,
               dt_call_block(call->counts, call->count, size, job->line->rank));
    return status;
}

/* ---- In order ----------------------------------------------------------- */

enum {
    SCRATCH_BYTES = 4 << 20, /* of the inputs that a rank combines at once */
    GATHER_BYTES = 16 << 10  /* inputs of all ranks that each rank combines */
};

/* Have scratch for one element of each member at least. */
static dt_status take_scratch(const dti_mpi_job *job)
{
    dti_mpi *mpi = job->mpi;
    if (mpi->scratch)
        return DT_OK;
    size_t least = (size_t)mpi->size * sizeof(double);
    mpi->scratch_bytes = least > SCRATCH_BYTES ? least : SCRATCH_BYTES;
    mpi->scratch = malloc(mpi->scratch_bytes);
    if (mpi->scratch)
        return DT_OK;
    dt_error error;
    dti_mpi_services->error_set(
        &error, DT_ERR_NO_MEMORY,
        "out of memory: cannot allocate %zu bytes for an ordered reduction",
        mpi->scratch_bytes);
    dti_mpi_end_job(mpi, &error);
    return error.code;
}

/* Combine `count` elements of each member, one after another in scratch. */
static void combine_scratch(const dti_mpi_job *job, int count, void *output)
{
    for (int i = 0; i < job->line->size; i++)
        job->state->inputs[i] = (const char *)job->mpi->scratch +
                                (size_t)i * (size_t)count * item_of(job);
    dti_mpi_services->reduce(job->call->op, job->call->dtype,
                             job->state->inputs, job->line->size, &output, 1,
                             count, false);
}

/* Reduce elements that are few: everyone gets and combines all. */
static dt_status gather_and_combine(const dti_mpi_job *job, int64_t from,
                                    int count)
{
    DT_TRY(dti_mpi_check(job->line->world,
                         MPI_Allgather(input_at(job, from), count, job->type,
                                       job->mpi->scratch, count, job->type,
                                       job->comm),
                         "MPI_Allgather"));
    combine_scratch(job, count, output_at(job, from));
    return DT_OK;
}

/* Expect `mine` elements of every member, one after another in scratch. */
static void expect_blocks(const dti_mpi_job *job, int mine)
{
    for (int i = 0; i < job->line->size; i++) {
        job->state->receive_lengths[i] = mine;
        job->state->receive_offsets[i] = i * mine;
    }
}

/* Send what the state says from `input`, and receive into scratch. */
static dt_status exchange_blocks(const dti_mpi_job *job, const void *input)
{
    const dti_mpi_line *state = job->state;
    return dti_mpi_check(
        job->line->world,
        MPI_Alltoallv(input, state->lengths, state->offsets, job->type,
                      job->mpi->scratch, state->receive_lengths,
                      state->receive_offsets, job->type, job->comm),
        "MPI_Alltoallv");
}

/* Reduce elements that are many: each member combines a part of them. */
static dt_status share_and_combine(const dti_mpi_job *job, int64_t from,
                                   int count)
{
    const dti_mpi_line *state = job->state;
    int rank = job->line->rank;
    dti_split_even(count, job->line->size, state->lengths, state->offsets);
    int mine = state->lengths[rank];
    expect_blocks(job, mine);
    DT_TRY(exchange_blocks(job, input_at(job, from)));
    combine_scratch(job, mine, output_at(job, from + state->offsets[rank]));
    return dti_mpi_check(job->line->world,
                         MPI_Allgatherv(MPI_IN_PLACE, 0, job->type,
                                        output_at(job, from), state->lengths,
                                        state->offsets, job->type, job->comm),
                         "MPI_Allgatherv");
}

static dt_status all_reduce_in_order(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    size_t size = (size_t)job->line->size;
    DT_TRY(take_scratch(job));
    /* Shares are rounded up to whole elements. */
    int64_t most = (int64_t)(job->mpi->scratch_bytes / item_of(job) - size + 1);
    int limit = dti_split_next(most, job->mpi->limit);
    int piece;
    for (int64_t done = 0; done < call->count; done += piece) {
        piece = dti_split_next(call->count - done, limit);
        bool few = (size_t)piece * size * item_of(job) <= GATHER_BYTES;
        DT_TRY(few ? gather_and_combine(job, done, piece)
                   : share_and_combine(job, done, piece));
    }
    return DT_OK;
}

/* Combine the elements from `from` on of each block, `width` at most. */
static dt_status combine_window(const dti_mpi_job *job, int64_t from, int width)
{
    const dt_call *call = job->call;
    const dti_mpi_line *state = job->state;
    int size = job->line->size;
    int offset = 0;
    for (int i = 0; i < size; i++) {
        int64_t block = dt_call_block(call->counts, call->count, size, i);
        state->lengths[i] = dti_split_window(block, from, width);
        state->offsets[i] = state->lengths[i] ? offset + (int)from : 0;
        offset += (int)block;
    }
    int mine = state->lengths[job->line->rank];
    expect_blocks(job, mine);
    DT_TRY(exchange_blocks(job, call->input));
    if (mine > 0)
        combine_scratch(job, mine, output_at(job, from));
    return DT_OK;
}

/* The same where offsets do not fit: one member after the other gathers. */
static dt_status gather_window(const dti_mpi_job *job, int64_t from, int width)
{
    const dt_call *call = job->call;
    int64_t offset = 0;
    for (int i = 0; i < job->line->size; i++) {
        int64_t block =
            dt_call_block(call->counts, call->count, job->line->size, i);
        int length = dti_split_window(block, from, width);
        if (length > 0)
            DT_TRY(dti_mpi_check(
                job->line->world,
                MPI_Gather(input_at(job, offset + from), length, job->type,
                           job->mpi->scratch, length, job->type, i, job->comm),
                "MPI_Gather"));
        if (length > 0 && i == job->line->rank)
            combine_scratch(job, length, output_at(job, from));
        offset += block;
    }
    return DT_OK;
}

static dt_status reduce_scatter_in_order(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    int size = job->line->size;
    int64_t longest = 0;
    for (int i = 0; i < size; i++) {
        int64_t block = dt_call_block(call->counts, call->count, size, i);
        longest = block > longest ? block : longest;
    }
    DT_TRY(take_scratch(job));
    int64_t most =
        (int64_t)(job->mpi->scratch_bytes / item_of(job) / (size_t)size);
    int width = dti_split_next(most, job->mpi->limit);
    bool fits = call->count <= job->mpi->limit;
    for (int64_t from = 0; from < longest; from += width)
        DT_TRY(fits ? combine_window(job, from, width)
                    : gather_window(job, from, width));
    return DT_OK;
}

dt_status dti_mpi_all_reduce(const dti_mpi_job *job)
{
    if (job->call->count == 0)
        return DT_OK;
    return reduction_of(job)->in_order ? all_reduce_in_order(job)
                                       : all_reduce(job);
}

dt_status dti_mpi_reduce_scatter(const dti_mpi_job *job)
{
    if (job->call->count == 0)
        return DT_OK;
    return reduction_of(job)->in_order ? reduce_scatter_in_order(job)
                                       : reduce_scatter(job);
}
