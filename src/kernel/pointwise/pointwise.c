/* kernel/pointwise/pointwise.c - functions of elements, over arrays that
 * broadcast. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/pointwise/pointwise.h"

#include <assert.h>
#include <string.h>

#include "array/array.h"
#include "array/cast.h"
#include "array/copy.h"
#include "base/attributes.h"
#include "kernel/pointwise/facts.h"
#include "kernel/pointwise/pointwise_level.h"
#include "work/work.h"

/*
 * Loops know neighbours of one dtype, and single elements.  Arrays of which no
 * more than this is asked go straight to the loop; that is the way of small
 * ones.  For the others, dimensions that all operands pass through in one
 * stride are joined, and the two innermost are cut into tiles.  Of each tile,
 * what is not neighbours of the right dtype is brought into a buffer first, and
 * the result leaves through one likewise.
 */

enum {
    MAX_INPUTS = DTI_POINTWISE_MAX_INPUTS,
    MAX_NUMBERS = DTI_POINTWISE_MAX_NUMBERS,
    TILE = 512, /* elements; buffers of all operands fit the nearest cache */
    TURNED_COLUMNS = 32, /* elements of a tile of something transposed */
    LONG_ROW = 32, /* elements, from which on rows go to the loop one by one */
    MAX_ITEM = 8   /* bytes */
};

typedef dti_pointwise_facts facts;

static const facts *facts_of(dti_pointwise function)
{
    return &dti_pointwise_known[function];
}

int dti_pointwise_inputs(dti_pointwise function)
{
    return facts_of(function)->inputs + facts_of(function)->numbers;
}

/* ---- Loops --------------------------------------------------------------- */

static const dti_pointwise_loops *const levels[DTI_CPU_LEVELS][DTI_ACTIVATION +
                                                               1] = {
    [DTI_CPU_PORTABLE] = {[DTI_BASIC] = &dti_pointwise_portable,
                          [DTI_REAL] = &dti_pointwise_real_portable,
                          [DTI_ACTIVATION] =
                              &dti_pointwise_activation_portable},
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = {[DTI_BASIC] = &dti_pointwise_avx2,
                      [DTI_REAL] = &dti_pointwise_real_avx2,
                      [DTI_ACTIVATION] = &dti_pointwise_activation_avx2},
    [DTI_CPU_AVX512] = {[DTI_BASIC] = &dti_pointwise_avx512,
                        [DTI_REAL] = &dti_pointwise_real_avx512,
                        [DTI_ACTIVATION] = &dti_pointwise_activation_avx512},
#endif
};

dti_pointwise_loop dti_pointwise_loop_of(dti_cpu_level level,
                                         dti_pointwise function, dt_dtype dtype)
{
    return (*levels[level][facts_of(function)->family])[dtype];
}

/* The dtype of the loop: half types are computed in f32, and what is only moved
 * is an integer of its size. */
static dt_dtype carrier_of(dti_pointwise function, dt_dtype dtype)
{
    static const dt_dtype computed[DT_DTYPE_COUNT] = {
        [DT_F32] = DT_F32,   [DT_F64] = DT_F64, [DT_F16] = DT_F32,
        [DT_BF16] = DT_F32,  [DT_I8] = DT_I8,   [DT_I16] = DT_I16,
        [DT_I32] = DT_I32,   [DT_I64] = DT_I64, [DT_U8] = DT_U8,
        [DT_BOOL] = DT_BOOL, [DT_C64] = DT_C64,
    };
    static const dt_dtype moved[DT_DTYPE_COUNT] = {
        [DT_F32] = DT_I32,  [DT_F64] = DT_I64, [DT_F16] = DT_I16,
        [DT_BF16] = DT_I16, [DT_I8] = DT_I8,   [DT_I16] = DT_I16,
        [DT_I32] = DT_I32,  [DT_I64] = DT_I64, [DT_U8] = DT_U8,
        [DT_BOOL] = DT_U8,  [DT_C64] = DT_C64,
    };
    return function == DTI_WHERE ? moved[dtype] : computed[dtype];
}

/* The dtype of results. */
static dt_dtype result_of(dti_pointwise function, dt_dtype dtype)
{
    if (facts_of(function)->truth)
        return DT_BOOL;
    const bool real = function == DTI_ABS || function == DTI_ANGLE;
    return real && dtype == DT_C64 ? DT_F32 : dtype;
}

bool dti_pointwise_supports(dti_pointwise function, dt_dtype dtype)
{
    const void *in[MAX_INPUTS + MAX_NUMBERS] = {NULL};
    const int steps[MAX_INPUTS] = {1, 1, 1};
    const dti_pointwise_loop loop = dti_pointwise_loop_of(
        DTI_CPU_PORTABLE, function, carrier_of(function, dtype));
    return loop && loop(function, NULL, in, steps, 0);
}

/* ---- Converting ---------------------------------------------------------- */

/* An operand, whose elements the loop wants as `dtype` or as an integer of its
 * size. */
typedef struct operand {
    char *data;
    dt_dtype stored;            /* as they lie there */
    dt_dtype rounded;           /* what they are made first */
    dt_dtype wanted;            /* what the loop takes or gives */
    int64_t steps[DT_MAX_NDIM]; /* in elements */
} operand;

/* Convert neighbours from one dtype to another by way of a third. */
static void convert(const void *from, dt_dtype stored, dt_dtype rounded,
                    dt_dtype wanted, void *to, int64_t count)
{
    char between[TILE * MAX_ITEM];
    if (rounded == stored || rounded == wanted) {
        dti_cast(from, stored, to, wanted, count);
        return;
    }
    dti_cast(from, stored, between, rounded, count);
    dti_cast(between, rounded, to, wanted, count);
}

/* Write a number as the loop wants it. */
static DTI_NOINLINE void convert_number(dt_number number, dt_dtype rounded,
                                        dt_dtype wanted, void *to)
{
    if (number.kind == DT_KIND_COMPLEX) {
        const float parts[] = {(float)number.as.real, (float)number.imaginary};
        convert(parts, DT_C64, rounded, wanted, to, 1);
    } else if (wanted == DT_F32 && rounded == DT_F32) {
        const float value = number.kind == DT_KIND_FLOAT
                                ? (float)number.as.real
                                : (float)number.as.integer;
        memcpy(to, &value, sizeof value);
    } else if (number.kind == DT_KIND_FLOAT) {
        convert(&number.as.real, DT_F64, rounded, wanted, to, 1);
    } else {
        convert(&number.as.integer, DT_I64, rounded, wanted, to, 1);
    }
}

/* ---- One call ------------------------------------------------------------ */

typedef struct job {
    dti_pointwise function;
    const facts *facts;
    dti_pointwise_loop loop;
    int input_count;
    operand operands[1 + MAX_INPUTS]; /* the result first */
    int ndim; /* at least 1 once dimensions are joined */
    int64_t dims[DT_MAX_NDIM];
    char inputs[MAX_INPUTS][MAX_ITEM];   /* numbers in place of arrays */
    char numbers[MAX_NUMBERS][MAX_ITEM]; /* behind the inputs */
} job;

/* The dtype that an input is made, and the one that the loop takes.  What the
 * loop only moves, it takes as it is: the integer is another name for it. */
static void set_dtypes(operand *o, const job *j, dt_dtype dtype, bool condition,
                       bool wide)
{
    const dt_dtype carrier = carrier_of(j->function, dtype);
    const bool moved = j->function == DTI_WHERE;
    o->rounded = condition ? DT_BOOL : wide ? carrier : dtype;
    o->wanted = condition ? DT_BOOL : moved ? dtype : carrier;
}

/* Give the steps of an array that is broadcast to the result. */
static void set_array(operand *o, const job *j, const dt_array *array)
{
    const int front = j->ndim - array->shape.ndim;
    assert(front >= 0);
    o->stored = array->dtype;
    for (int i = 0; i < j->ndim; i++) {
        o->steps[i] = 0;
        if (i < front || array->shape.dims[i - front] == 1)
            continue;
        assert(array->shape.dims[i - front] == j->dims[i]);
        o->steps[i] = array->strides[i - front];
    }
}

static void set_input(job *j, int index, dt_dtype dtype,
                      const dti_pointwise_input *input)
{
    operand *o = &j->operands[1 + index];
    const bool wide =
        j->facts->wide && (!input->array || input->array->shape.ndim == 0);
    set_dtypes(o, j, dtype, j->function == DTI_WHERE && index == 0, wide);
    if (input->array) {
        set_array(o, j, input->array);
        /* Never written through. */
        dti_array_wait(input->array, false);
        o->data = dti_array_address(input->array);
        return;
    }
    convert_number(input->number, o->rounded, o->wanted, j->inputs[index]);
    o->data = j->inputs[index];
    o->stored = o->rounded = o->wanted;
    memset(o->steps, 0, sizeof o->steps);
}

static void set_number(job *j, int index, dt_dtype dtype, dt_number number)
{
    const dt_dtype carrier = carrier_of(j->function, dtype);
    convert_number(number, carrier, carrier, j->numbers[index]);
}

static void set_output(job *j, dt_dtype dtype, dt_array *out)
{
    operand *o = &j->operands[0];
    const dt_dtype result = result_of(j->function, dtype);
    set_array(o, j, out);
    o->data = dt_array_data(out);
    o->rounded = result;
    o->wanted =
        j->function == DTI_WHERE ? result : carrier_of(j->function, result);
}

/* ---- Dimensions ---------------------------------------------------------- */

static void swap_dims(job *j, int a, int b)
{
    const int64_t extent = j->dims[a];
    j->dims[a] = j->dims[b];
    j->dims[b] = extent;
    for (int k = 0; k <= j->input_count; k++) {
        int64_t *steps = j->operands[k].steps;
        const int64_t step = steps[a];
        steps[a] = steps[b];
        steps[b] = step;
    }
}

/* Put the dimensions into the order of the result's strides: elements do not
 * depend on each other. */
static void sort_dims(job *j)
{
    const int64_t *steps = j->operands[0].steps;
    for (int i = 1; i < j->ndim; i++)
        for (int k = i; k > 0 && steps[k - 1] < steps[k]; k--)
            swap_dims(j, k - 1, k);
}

/* Tell whether all operands pass through two dimensions in one stride. */
static bool joins(const job *j, int outer, int inner)
{
    for (int k = 0; k <= j->input_count; k++) {
        const int64_t *steps = j->operands[k].steps;
        if (steps[outer] != steps[inner] * j->dims[inner])
            return false;
    }
    return true;
}

/* Move a dimension to another place, over what is there. */
static void move_dim(job *j, int from, int to)
{
    j->dims[to] = j->dims[from];
    for (int k = 0; k <= j->input_count; k++)
        j->operands[k].steps[to] = j->operands[k].steps[from];
}

/* Leave out extents of 1 and join what can be joined; one dimension at least
 * is left. */
static void join_dims(job *j)
{
    int last = -1;
    for (int i = 0; i < j->ndim; i++) {
        if (j->dims[i] == 1)
            continue;
        if (last >= 0 && joins(j, last, i)) {
            const int64_t extent = j->dims[last] * j->dims[i];
            move_dim(j, i, last);
            j->dims[last] = extent;
        } else {
            move_dim(j, i, ++last);
        }
    }
    j->ndim = last + 1;
    if (j->ndim == 0) {
        j->ndim = 1;
        j->dims[0] = 1;
        for (int k = 0; k <= j->input_count; k++)
            j->operands[k].steps[0] = 1;
    }
}

/* ---- Tiles --------------------------------------------------------------- */

/* Rows and columns of a tile, and how an operand steps through them. */
typedef struct tile {
    int64_t rows, columns;
    int outer, inner; /* their dimensions; `outer` is -1 for a single row */
} tile;

typedef struct buffers {
    char taken[MAX_INPUTS][TILE * MAX_ITEM];
    char result[TILE * MAX_ITEM];
    char stored[TILE * MAX_ITEM]; /* as they lie in an array */
} buffers;

static int64_t row_step(const operand *o, const tile *t)
{
    return t->outer < 0 ? 0 : o->steps[t->outer];
}

static bool is_dense(const operand *o, const tile *t)
{
    return (o->steps[t->inner] == 1 || t->columns == 1) &&
           (t->rows == 1 || row_step(o, t) == t->columns);
}

static bool is_constant(const operand *o, const tile *t)
{
    return (o->steps[t->inner] == 0 || t->columns == 1) &&
           (t->rows == 1 || row_step(o, t) == 0);
}

static bool is_plain(const operand *o)
{
    return o->stored == o->wanted && o->rounded == o->wanted;
}

/* Copy the elements of a tile between an array and a buffer. */
static void copy_tile(const operand *o, const tile *t, char *array,
                      char *buffer, bool gather)
{
    const int64_t item = (int64_t)dti_dtype_size(o->stored);
    const int64_t dims[2] = {t->rows, t->columns};
    const int64_t dense[2] = {t->columns * item, item};
    const int64_t steps[2] = {row_step(o, t) * item, o->steps[t->inner] * item};
    if (gather)
        dti_copy_strided(buffer, dense, array, steps, dims, 2, (size_t)item);
    else
        dti_copy_strided(array, steps, buffer, dense, dims, 2, (size_t)item);
}

/* Give the address of a tile's elements as the loop wants them. */
static const void *take(const operand *o, const tile *t, char *at, bool spread,
                        char *buffer, char *stored, int *step)
{
    const int64_t count = t->rows * t->columns;
    if (is_constant(o, t) && !spread) {
        *step = 0;
        if (is_plain(o))
            return at;
        convert(at, o->stored, o->rounded, o->wanted, buffer, 1);
        return buffer;
    }
    *step = 1;
    if (is_plain(o)) {
        if (is_dense(o, t))
            return at;
        copy_tile(o, t, at, buffer, true);
        return buffer;
    }
    if (!is_dense(o, t)) {
        copy_tile(o, t, at, stored, true);
        at = stored;
    }
    convert(at, o->stored, o->rounded, o->wanted, buffer, count);
    return buffer;
}

/* Bring a tile's results from a buffer to where they belong. */
static void put(const operand *o, const tile *t, char *at, char *result,
                char *stored)
{
    if (is_dense(o, t)) {
        convert(result, o->wanted, o->rounded, o->stored, at,
                t->rows * t->columns);
        return;
    }
    if (!is_plain(o)) {
        convert(result, o->wanted, o->rounded, o->stored, stored,
                t->rows * t->columns);
        result = stored;
    }
    copy_tile(o, t, at, result, false);
}

/* Work on a tile whose operands begin at these addresses. */
static void run_tile(const job *j, const tile *t, char *const *at, buffers *b)
{
    const void *in[MAX_INPUTS + MAX_NUMBERS] = {NULL};
    int steps[MAX_INPUTS] = {0};
    const operand *out = &j->operands[0];
    const bool direct = is_plain(out) && is_dense(out, t);
    bool constant = true; /* all inputs: loops need one that is not */
    for (int k = 0; k < j->input_count; k++)
        constant = constant && is_constant(&j->operands[1 + k], t);
    for (int k = 0; k < j->input_count; k++)
        in[k] = take(&j->operands[1 + k], t, at[1 + k],
                     j->facts->dense || (constant && k == 0), b->taken[k],
                     b->stored, &steps[k]);
    for (int k = 0; k < j->facts->numbers; k++)
        in[j->input_count + k] = j->numbers[k];
    j->loop(j->function, direct ? at[0] : b->result, in, steps,
            t->rows * t->columns);
    if (!direct)
        put(out, t, at[0], b->result, b->stored);
}

/* Tell whether rows can go to the loop whole, however long: no buffers. */
static bool takes_rows(const job *j)
{
    const int inner = j->ndim - 1;
    bool moves = false;
    if (j->ndim > 1 && j->dims[inner] < LONG_ROW)
        return false;
    for (int k = 0; k <= j->input_count; k++) {
        const operand *o = &j->operands[k];
        const int64_t step = o->steps[inner];
        if (!is_plain(o) || step > 1 ||
            (step != 1 && (k == 0 || j->facts->dense)))
            return false;
        moves = moves || (k > 0 && step == 1);
    }
    return moves;
}

/* Tell whether an operand has its neighbours along the outer dimension: tiles
 * as high as a cache line is long then use what they fetch. */
static bool is_turned(const job *j, const tile *t)
{
    for (int k = 0; k <= j->input_count; k++) {
        const operand *o = &j->operands[k];
        if (o->steps[t->inner] > 1 && row_step(o, t) > 0 &&
            row_step(o, t) < o->steps[t->inner])
            return true;
    }
    return false;
}

/* Choose the size of tiles. */
static tile choose_tile(const job *j)
{
    tile t = {.rows = 1,
              .columns = j->dims[j->ndim - 1],
              .outer = j->ndim - 2,
              .inner = j->ndim - 1};
    const int64_t widest = is_turned(j, &t) ? TURNED_COLUMNS : TILE;
    if (t.columns > widest)
        t.columns = widest;
    if (t.outer >= 0) {
        t.rows = TILE / t.columns;
        if (t.rows > j->dims[t.outer])
            t.rows = j->dims[t.outer];
    }
    return t;
}

/* Step all addresses along a dimension. */
static void advance(const job *j, char **at, int dim, int64_t count)
{
    for (int k = 0; k <= j->input_count; k++) {
        const operand *o = &j->operands[k];
        at[k] += count * o->steps[dim] * (int64_t)dti_dtype_size(o->stored);
    }
}

/* Work on the columns of a band of rows; the addresses come back. */
static void run_band(const job *j, tile t, char **at, buffers *b)
{
    const int64_t extent = j->dims[t.inner], full = t.columns;
    for (int64_t column = 0; column < extent; column += full) {
        t.columns = extent - column < full ? extent - column : full;
        run_tile(j, &t, at, b);
        advance(j, at, t.inner, t.columns);
    }
    advance(j, at, t.inner, -extent);
}

/* Work on the two innermost dimensions; the addresses come back. */
static void run_plane(const job *j, tile t, char **at, buffers *b)
{
    if (t.outer < 0) {
        run_band(j, t, at, b);
        return;
    }
    const int64_t extent = j->dims[t.outer], full = t.rows;
    for (int64_t row = 0; row < extent; row += full) {
        t.rows = extent - row < full ? extent - row : full;
        run_band(j, t, at, b);
        advance(j, at, t.outer, t.rows);
    }
    advance(j, at, t.outer, -extent);
}

/* Step to the next place of the outer dimensions, all but the last `inner`
 * ones; false after the last. */
static bool next_place(const job *j, int inner, int64_t *index, char **at)
{
    for (int dim = j->ndim - 1 - inner; dim >= 0; dim--) {
        advance(j, at, dim, 1);
        if (++index[dim] < j->dims[dim])
            return true;
        advance(j, at, dim, -index[dim]);
        index[dim] = 0;
    }
    return false;
}

static void run_tiles(const job *j, char **at)
{
    buffers b;
    int64_t index[DT_MAX_NDIM] = {0};
    const tile t = choose_tile(j);
    do
        run_plane(j, t, at, &b);
    while (next_place(j, 2, index, at));
}

/* Give whole rows to the loop: nothing changes but addresses. */
static void run_rows(const job *j, char *const *at)
{
    const int inner = j->ndim - 1, outer = inner - 1;
    const int64_t rows = outer < 0 ? 1 : j->dims[outer];
    const void *in[MAX_INPUTS + MAX_NUMBERS] = {NULL};
    int64_t bytes[1 + MAX_INPUTS] = {0}; /* from row to row */
    int steps[MAX_INPUTS] = {0};
    char *out = at[0];
    for (int k = 0; outer >= 0 && k <= j->input_count; k++)
        bytes[k] = j->operands[k].steps[outer] *
                   (int64_t)dti_dtype_size(j->operands[k].stored);
    for (int k = 0; k < j->input_count; k++) {
        in[k] = at[1 + k];
        steps[k] = (int)j->operands[1 + k].steps[inner];
    }
    for (int k = 0; k < j->facts->numbers; k++)
        in[j->input_count + k] = j->numbers[k];
    for (int64_t row = 0; row < rows; row++, out += bytes[0]) {
        j->loop(j->function, out, in, steps, j->dims[inner]);
        for (int k = 0; k < j->input_count; k++)
            in[k] = (const char *)in[k] + bytes[1 + k];
    }
}

static void run_job(const job *j)
{
    char *at[1 + MAX_INPUTS] = {NULL};
    int64_t index[DT_MAX_NDIM] = {0};
    for (int k = 0; k <= j->input_count; k++)
        at[k] = j->operands[k].data;
    if (!takes_rows(j)) {
        run_tiles(j, at);
        return;
    }
    do
        run_rows(j, at);
    while (next_place(j, 2, index, at));
}

/* ---- By the threads of the rank ------------------------------------------ */

/* A job, whose dimension `cut` threads take in ranges. */
typedef struct shared_job {
    const job *job;
    int cut;
} shared_job;

static void run_job_range(void *context, int64_t begin, int64_t end, int slot)
{
    const shared_job *shared = context;
    job j = *shared->job;
    (void)slot;
    for (int k = 0; k <= j.input_count; k++) {
        operand *o = &j.operands[k];
        o->data +=
            begin * o->steps[shared->cut] * (int64_t)dti_dtype_size(o->stored);
    }
    j.dims[shared->cut] = end - begin;
    run_job(&j);
}

/* Bytes that a result and its inputs take; functions of reals take as long as
 * moving them twice. */
static int64_t bytes_of(const facts *of, size_t item)
{
    return (int64_t)item * (1 + of->inputs) * (of->family == DTI_BASIC ? 1 : 2);
}

/* Outer dimensions are cut rather than inner ones, if they are long. */
static void share_job(const job *j)
{
    const int64_t enough = 64;
    shared_job shared = {j, 0};
    int64_t count = 1;
    for (int i = 0; i < j->ndim; i++) {
        count *= j->dims[i];
        if (j->dims[shared.cut] < enough && j->dims[i] > j->dims[shared.cut])
            shared.cut = i;
    }
    const int64_t bytes =
        bytes_of(j->facts, dti_dtype_size(j->operands[0].stored)) * count;
    const int64_t extent = j->dims[shared.cut];
    dti_work_ranges(extent, extent >= 4 * TILE ? TILE : 1, bytes / extent,
                    run_job_range, &shared);
}

/* Neighbours that go straight to the loop. */
typedef struct direct_job {
    dti_pointwise_loop loop;
    dti_pointwise function;
    char *out;
    const void *const *in;
    const int *steps;
    int inputs;
    int64_t out_item, items[MAX_INPUTS]; /* bytes */
} direct_job;

static void run_direct_range(void *context, int64_t begin, int64_t end,
                             int slot)
{
    const direct_job *d = context;
    const void *in[MAX_INPUTS + MAX_NUMBERS];
    (void)slot;
    memcpy(in, d->in, sizeof in);
    for (int k = 0; k < d->inputs; k++)
        if (d->steps[k])
            in[k] = (const char *)in[k] + begin * d->items[k];
    d->loop(d->function, d->out + begin * d->out_item, in, d->steps,
            end - begin);
}

/* ---- The short way ------------------------------------------------------- */

/* Give the address of an input that lies as the loop wants it; NULL if none
 * does. */
static const void *take_directly(const dti_pointwise_input *input,
                                 dt_dtype wanted, int64_t count, char *number,
                                 int *step)
{
    const dt_array *array = input->array;
    *step = 0;
    if (!array) {
        convert_number(input->number, wanted, wanted, number);
        return number;
    }
    if (array->dtype != wanted || !array->contiguous ||
        (array->count != count && array->count != 1))
        return NULL;
    *step = array->count == count;
    return dti_array_elements(array);
}

/* Give ranges of many neighbours to the loop, by the threads of the rank. */
static DTI_NOINLINE void share_directly(dti_pointwise_loop loop,
                                        dti_pointwise function, dt_dtype dtype,
                                        const void *const *in, const int *steps,
                                        dt_array *out)
{
    const facts *of = facts_of(function);
    const int64_t item = (int64_t)dti_dtype_size(dtype);
    direct_job d = {.loop = loop,
                    .function = function,
                    .out = dt_array_data(out),
                    .in = in,
                    .steps = steps,
                    .inputs = of->inputs,
                    .out_item = (int64_t)dti_dtype_size(out->dtype),
                    .items = {item, item, item}};
    if (function == DTI_WHERE)
        d.items[0] = 1;
    dti_work_ranges(out->count, TILE, bytes_of(of, (size_t)item),
                    run_direct_range, &d);
}

/* Tell whether a call needs nothing but the loop, and run it. */
static bool run_directly(dti_pointwise_loop loop, dti_pointwise function,
                         dt_dtype dtype, const dti_pointwise_input *inputs,
                         dt_array *out)
{
    const facts *of = facts_of(function);
    char numbers[MAX_INPUTS + MAX_NUMBERS][MAX_ITEM];
    const void *in[MAX_INPUTS + MAX_NUMBERS] = {NULL};
    int steps[MAX_INPUTS + MAX_NUMBERS] = {0};
    bool moves = out->count == 1;
    if (dtype == DT_F16 || dtype == DT_BF16 || !out->contiguous ||
        out->dtype != result_of(function, dtype))
        return false;
    for (int k = 0; k < of->inputs + of->numbers; k++) {
        const dt_dtype wanted =
            k == 0 && function == DTI_WHERE ? DT_BOOL : dtype;
        in[k] = take_directly(&inputs[k], wanted, out->count, numbers[k],
                              &steps[k]);
        if (!in[k] ||
            (of->dense && k < of->inputs && !steps[k] && out->count > 1))
            return false;
        moves = moves || steps[k];
    }
    if (!moves)
        return false;
    const int64_t bytes = bytes_of(of, dti_dtype_size(dtype));
    if (out->count * bytes < DTI_WORK_LEAST)
        loop(function, dt_array_data(out), in, steps, out->count);
    else
        share_directly(loop, function, dtype, in, steps, out);
    return true;
}

/* The long way: operands of any strides and dtypes. */
static DTI_NOINLINE void run_any(dti_pointwise_loop loop,
                                 dti_pointwise function, dt_dtype dtype,
                                 const dti_pointwise_input *inputs,
                                 dt_array *out)
{
    const facts *of = facts_of(function);
    assert(dti_pointwise_supports(function, dtype));
    job j = {.function = function,
             .facts = of,
             .loop = loop,
             .input_count = of->inputs,
             .ndim = out->shape.ndim};
    memcpy(j.dims, out->shape.dims, sizeof j.dims);
    set_output(&j, dtype, out);
    for (int k = 0; k < of->inputs; k++)
        set_input(&j, k, dtype, &inputs[k]);
    for (int k = 0; k < of->numbers; k++)
        set_number(&j, k, dtype, inputs[of->inputs + k].number);
    sort_dims(&j);
    join_dims(&j);
    share_job(&j);
}

void dti_pointwise_at(dti_cpu_level level, dti_pointwise function,
                      dt_dtype dtype, const dti_pointwise_input *inputs,
                      dt_array *out)
{
    const dti_pointwise_loop loop =
        dti_pointwise_loop_of(level, function, carrier_of(function, dtype));
    if (out->count > 0 && !run_directly(loop, function, dtype, inputs, out))
        run_any(loop, function, dtype, inputs, out);
}

void dti_pointwise_apply(dti_pointwise function, dt_dtype dtype,
                         const dti_pointwise_input *inputs, dt_array *out)
{
    dti_pointwise_at(dti_cpu_level_used(), function, dtype, inputs, out);
}
