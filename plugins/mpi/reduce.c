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

/* What the functions below have in hand. */
typedef struct reduction {
    dti_mpi *mpi;
    const dt_line *line;
    const dt_call *call;
    dti_mpi_line *state;
    MPI_Comm comm;
    MPI_Datatype type;
    size_t item;
} reduction;

static dt_status check(const reduction *r, int code, const char *function)
{
    return dti_mpi_check(r->line->world, code, function);
}

static const char *input_at(const reduction *r, int64_t element)
{
    return (const char *)r->call->input + (size_t)element * r->item;
}

static char *output_at(const reduction *r, int64_t element)
{
    return (char *)r->call->output + (size_t)element * r->item;
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
            return dti_mpi_services->error_set(
                error, DT_ERR_COMM, "MPI_Op_create: MPI makes no operations");
    operations_made = true;
    return DT_OK;
}

void dti_mpi_reduce_end(void)
{
    for (int i = 0; i < OWN_COUNT && operations_made; i++)
        MPI_Op_free(&operations[own[i].op][own[i].dtype]);
    operations_made = false;
}

static MPI_Op operation_of(const dt_call *call)
{
    return operations[call->op][call->dtype];
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
static bool rounds(const dt_call *call)
{
    return (is_float(call->dtype) || call->dtype == DT_C64) &&
           (call->op == DT_SUM || call->op == DT_AVG || call->op == DT_PRODUCT);
}

/* ---- By MPI ------------------------------------------------------------- */

/* Divide what was added up; half types do not come here. */
static void divide(const reduction *r, void *data, int64_t count)
{
    int size = r->line->size;
    if (r->call->dtype == DT_F64) {
        double *values = data;
        for (int64_t i = 0; i < count; i++)
            values[i] /= (double)size;
        return;
    }
    float *values = data;
    int64_t parts = r->call->dtype == DT_C64 ? 2 * count : count;
    for (int64_t i = 0; i < parts; i++)
        values[i] /= (float)size;
}

static dt_status all_reduce(const reduction *r)
{
    const dt_call *call = r->call;
    bool in_place = call->input == call->output;
    MPI_Op op = operation_of(call);
    int piece;
    for (int64_t done = 0; done < call->count; done += piece) {
        piece = dti_split_next(call->count - done, r->mpi->limit);
        DT_TRY(check(r,
                     MPI_Allreduce(in_place ? MPI_IN_PLACE : input_at(r, done),
                                   output_at(r, done), piece, r->type, op,
                                   r->comm),
                     "MPI_Allreduce"));
    }
    if (call->op == DT_AVG)
        divide(r, call->output, call->count);
    return DT_OK;
}

/* Reduce each member's block to it, in pieces: of blocks that are too large
 * for one call. */
static dt_status reduce_to_members(const reduction *r)
{
    const dt_call *call = r->call;
    MPI_Op op = operation_of(call);
    int64_t offset = 0;
    for (int member = 0; member < r->line->size; member++) {
        int64_t block =
            dt_call_block(call->counts, call->count, r->line->size, member);
        int piece;
        for (int64_t done = 0; done < block; done += piece) {
            piece = dti_split_next(block - done, r->mpi->limit);
            bool mine = member == r->line->rank;
            DT_TRY(check(r,
                         MPI_Reduce(input_at(r, offset + done),
                                    mine ? output_at(r, done) : NULL, piece,
                                    r->type, op, member, r->comm),
                         "MPI_Reduce"));
        }
        offset += block;
    }
    return DT_OK;
}

static dt_status reduce_scatter_blocks(const reduction *r)
{
    const dt_call *call = r->call;
    for (int i = 0; i < r->line->size; i++)
        r->state->lengths[i] = (int)call->counts[i];
    return check(r,
                 MPI_Reduce_scatter(call->input, call->output,
                                    r->state->lengths, r->type,
                                    operation_of(call), r->comm),
                 "MPI_Reduce_scatter");
}

static dt_status reduce_scatter(const reduction *r)
{
    const dt_call *call = r->call;
    int size = r->line->size;
    dt_status status;
    if (call->count > r->mpi->limit)
        status = reduce_to_members(r);
    else if (!call->counts)
        status = check(r,
                       MPI_Reduce_scatter_block(
                           call->input, call->output, (int)call->count / size,
                           r->type, operation_of(call), r->comm),
                       "MPI_Reduce_scatter_block");
    else
        status = reduce_scatter_blocks(r);
    if (status == DT_OK && call->op == DT_AVG)
        divide(r, call->output,
               dt_call_block(call->counts, call->count, size, r->line->rank));
    return status;
}

/* ---- In order ----------------------------------------------------------- */

enum {
    SCRATCH_BYTES = 4 << 20, /* of the inputs that a rank combines at once */
    GATHER_BYTES = 16 << 10  /* inputs of all ranks that each rank combines */
};

/* Have scratch for one element of each member at least. */
static dt_status take_scratch(const reduction *r)
{
    dti_mpi *mpi = r->mpi;
    if (mpi->scratch)
        return DT_OK;
    size_t least = (size_t)mpi->size * sizeof(double);
    mpi->scratch_bytes = least > SCRATCH_BYTES ? least : SCRATCH_BYTES;
    mpi->scratch = malloc(mpi->scratch_bytes);
    if (mpi->scratch)
        return DT_OK;
    dt_error error;
    dti_mpi_services->error_set(&error, DT_ERR_NO_MEMORY,
                                "no memory: %zu bytes to reduce in order",
                                mpi->scratch_bytes);
    dti_mpi_end_job(mpi, &error);
    return error.code;
}

/* Combine `count` elements of each member, one after another in scratch. */
static void combine_scratch(const reduction *r, int count, void *output)
{
    for (int i = 0; i < r->line->size; i++)
        r->state->inputs[i] =
            (const char *)r->mpi->scratch + (size_t)i * (size_t)count * r->item;
    dti_mpi_services->reduce(r->call->op, r->call->dtype, r->state->inputs,
                             r->line->size, &output, 1, count, false);
}

/* Reduce elements that are few: everyone gets and combines all. */
static dt_status gather_and_combine(const reduction *r, int64_t from, int count)
{
    DT_TRY(check(r,
                 MPI_Allgather(input_at(r, from), count, r->type,
                               r->mpi->scratch, count, r->type, r->comm),
                 "MPI_Allgather"));
    combine_scratch(r, count, output_at(r, from));
    return DT_OK;
}

/* Expect `mine` elements of every member, one after another in scratch. */
static void expect_blocks(const reduction *r, int mine)
{
    for (int i = 0; i < r->line->size; i++) {
        r->state->receive_lengths[i] = mine;
        r->state->receive_offsets[i] = i * mine;
    }
}

/* Send what the state says from `input`, and receive into scratch. */
static dt_status exchange_blocks(const reduction *r, const void *input)
{
    const dti_mpi_line *state = r->state;
    return check(r,
                 MPI_Alltoallv(input, state->lengths, state->offsets, r->type,
                               r->mpi->scratch, state->receive_lengths,
                               state->receive_offsets, r->type, r->comm),
                 "MPI_Alltoallv");
}

/* Reduce elements that are many: each member combines a part of them. */
static dt_status share_and_combine(const reduction *r, int64_t from, int count)
{
    const dti_mpi_line *state = r->state;
    int rank = r->line->rank;
    dti_split_even(count, r->line->size, state->lengths, state->offsets);
    int mine = state->lengths[rank];
    expect_blocks(r, mine);
    DT_TRY(exchange_blocks(r, input_at(r, from)));
    combine_scratch(r, mine, output_at(r, from + state->offsets[rank]));
    return check(r,
                 MPI_Allgatherv(MPI_IN_PLACE, 0, r->type, output_at(r, from),
                                state->lengths, state->offsets, r->type,
                                r->comm),
                 "MPI_Allgatherv");
}

static dt_status all_reduce_in_order(const reduction *r)
{
    const dt_call *call = r->call;
    size_t size = (size_t)r->line->size;
    DT_TRY(take_scratch(r));
    /* Shares are rounded up to whole elements. */
    int64_t most = (int64_t)(r->mpi->scratch_bytes / r->item - size + 1);
    int limit = dti_split_next(most, r->mpi->limit);
    int piece;
    for (int64_t done = 0; done < call->count; done += piece) {
        piece = dti_split_next(call->count - done, limit);
        bool few = (size_t)piece * size * r->item <= GATHER_BYTES;
        DT_TRY(few ? gather_and_combine(r, done, piece)
                   : share_and_combine(r, done, piece));
    }
    return DT_OK;
}

/* Combine the elements from `from` on of each block, `width` at most. */
static dt_status combine_window(const reduction *r, int64_t from, int width)
{
    const dt_call *call = r->call;
    const dti_mpi_line *state = r->state;
    int size = r->line->size;
    int offset = 0;
    for (int i = 0; i < size; i++) {
        int64_t block = dt_call_block(call->counts, call->count, size, i);
        state->lengths[i] = dti_split_window(block, from, width);
        state->offsets[i] = state->lengths[i] ? offset + (int)from : 0;
        offset += (int)block;
    }
    int mine = state->lengths[r->line->rank];
    expect_blocks(r, mine);
    DT_TRY(exchange_blocks(r, call->input));
    if (mine > 0)
        combine_scratch(r, mine, output_at(r, from));
    return DT_OK;
}

/* The same where offsets do not fit: one member after the other gathers. */
static dt_status gather_window(const reduction *r, int64_t from, int width)
{
    const dt_call *call = r->call;
    int64_t offset = 0;
    for (int i = 0; i < r->line->size; i++) {
        int64_t block =
            dt_call_block(call->counts, call->count, r->line->size, i);
        int length = dti_split_window(block, from, width);
        if (length > 0)
            DT_TRY(
                check(r,
                      MPI_Gather(input_at(r, offset + from), length, r->type,
                                 r->mpi->scratch, length, r->type, i, r->comm),
                      "MPI_Gather"));
        if (length > 0 && i == r->line->rank)
            combine_scratch(r, length, output_at(r, from));
        offset += block;
    }
    return DT_OK;
}

static dt_status reduce_scatter_in_order(const reduction *r)
{
    const dt_call *call = r->call;
    int size = r->line->size;
    int64_t longest = 0;
    for (int i = 0; i < size; i++) {
        int64_t block = dt_call_block(call->counts, call->count, size, i);
        longest = block > longest ? block : longest;
    }
    DT_TRY(take_scratch(r));
    int64_t most = (int64_t)(r->mpi->scratch_bytes / r->item / (size_t)size);
    int width = dti_split_next(most, r->mpi->limit);
    bool fits = call->count <= r->mpi->limit;
    for (int64_t from = 0; from < longest; from += width)
        DT_TRY(fits ? combine_window(r, from, width)
                    : gather_window(r, from, width));
    return DT_OK;
}

dt_status dti_mpi_reduce(dti_mpi *mpi, const dt_line *line, const dt_call *call)
{
    const reduction r = {.mpi = mpi,
                         .line = line,
                         .call = call,
                         .state = line->state,
                         .comm = dti_mpi_line_of(line)->comm,
                         .type = dti_mpi_type(call->dtype),
                         .item = dti_mpi_item(call->dtype)};
    bool in_order = rounds(call) && (mpi->in_order || is_half(call->dtype));
    if (call->count == 0)
        return DT_OK;
    if (call->kind == DT_ALL_REDUCE)
        return in_order ? all_reduce_in_order(&r) : all_reduce(&r);
    return in_order ? reduce_scatter_in_order(&r) : reduce_scatter(&r);
}
