/* tests/peers/ops.c - calls operators by name and writes their results or
 * gradients, for ops.py, ops_layouts.py and gradients.py to compare. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>
#include <dtensor/sys/op.h>

/*
 * usage: peer_ops RANKS CASES DATA OUT
 *
 * A case of CASES is words: ID OPERATOR FORM MESH COUNT and as many arguments;
 * FORM is new, in_place or out, with one more tensor; or gradient or
 * gradient_in_place, with COUNT and as many tensors or "-", the gradients of
 * the results.  An argument is
 *
 * -                           none
 * t LAYOUT DTYPE AT NDIM EXTENTS STRIDES
 *                             a tensor whose first element is at byte AT of
 *                             DATA.  On several ranks, partial ones are copied,
 *                             and in every second case row-major ones, too;
 *                             other local arrays have the strides of the
 *                             global tensor
 * g and the same              a tensor that requires a gradient
 * l COUNT and tensors         a list of them
 * n KIND VALUE                a number: b, i, f, or c and two values
 * i, r, s, d and VALUE        an integer, a real number, a text, a dtype
 * v COUNT VALUES              integers; DT_NO_DIMS if COUNT is -1
 *
 * Rank 0 writes to OUT a line for each case: "ID error CODE SENTENCE", or
 * "ID ok CALLS BYTES COUNT" and for each result "DTYPE LAYOUT NDIM EXTENTS
 * STRIDES".  CALLS are those between ranks that the operator made, as
 * KIND:COUNT with "," between, or "-".  OUT.bin has the elements of all
 * results, one after another.  Of a gradient, the results are the gradients of
 * the leaves, "-" for one that there is none of, and CALLS those of the
 * backward pass.
 */

#define MOST_TENSORS 64
#define MOST_ARGUMENTS 20
#define MOST_RESULTS 1100
#define WORD_SIZE 256

typedef struct run_arguments {
    int ranks;
    const char *cases;
    const char *data; /* all bytes of DATA: each rank has a copy of its own */
    const char *out;
} run_arguments;

/* One rank at work. */
typedef struct runner {
    dt_world *world;
    dt_mesh *mesh;
    FILE *cases;
    char *data;
    bool shares;            /* row-major tensors share memory with `data` */
    FILE *lines, *elements; /* of rank 0; NULL elsewhere */
} runner;

/* One call, and all that its arguments point to. */
typedef struct one_call {
    int id;
    char name[WORD_SIZE];
    dt_variant variant;
    int count;
    dt_argument arguments[MOST_ARGUMENTS];
    dt_tensor *lists[MOST_ARGUMENTS][MOST_TENSORS];
    int64_t integers[MOST_ARGUMENTS][MOST_TENSORS];
    dt_number numbers[MOST_ARGUMENTS][MOST_TENSORS];
    char texts[MOST_ARGUMENTS][WORD_SIZE];
    dt_tensor *out;
    bool differentiates;
    int leaf_count;
    dt_tensor *leaves[MOST_ARGUMENTS + MOST_TENSORS];
    int grad_count;
    dt_tensor *grads[MOST_RESULTS]; /* of the results; NULL for none */
} one_call;

/* ---- Reading ------------------------------------------------------------ */

static bool read_word(runner *at, char *word)
{
    return fscanf(at->cases, "%255s", word) == 1;
}

/* The file was written by a program: a word that is missing ends it. */
static void need_word(runner *at, char *word)
{
    if (read_word(at, word))
        return;
    fprintf(stderr, "peer_ops: the cases end too early\n");
    exit(2);
}

static int64_t read_integer(runner *at)
{
    char word[WORD_SIZE];
    need_word(at, word);
    return strtoll(word, NULL, 10);
}

static double read_real(runner *at)
{
    char word[WORD_SIZE];
    need_word(at, word);
    return strtod(word, NULL);
}

static dt_dtype read_dtype(runner *at)
{
    char word[WORD_SIZE];
    dt_dtype dtype = DT_DTYPE_COUNT;
    need_word(at, word);
    if (dt_dtype_parse(word, &dtype) != DT_OK) {
        fprintf(stderr, "peer_ops: %s is no dtype\n", word);
        exit(2);
    }
    return dtype;
}

/* See this rank's part of an array that all ranks have. */
static dt_status slice_part(runner *at, dt_spec *spec, dt_array *array,
                            dt_array **out)
{
    const int rank = dt_world_rank(at->world);
    const dt_shape shape = dt_spec_local_shape(spec, rank);
    int64_t first[DT_MAX_NDIM];
    dt_array *part = dt_array_retain(array);
    dt_status status = DT_OK;
    dt_spec_offset(spec, rank, first);
    for (int i = 0; i < shape.ndim && status == DT_OK; i++) {
        dt_array *shorter = NULL;
        status = dt_array_slice(at->world, part, i, first[i],
                                first[i] + shape.dims[i], 1, &shorter);
        dt_array_release(part);
        part = shorter;
    }
    *out = part;
    return status;
}

/* Let each rank have its part of an array, with the array's strides. */
static dt_tensor *share(runner *at, dt_spec *spec, const char *layout,
                        dt_array *array)
{
    const dt_meta *meta = dt_spec_meta(spec);
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    dt_array *part = NULL;
    options.shape = &meta->shape;
    options.strides = meta->strides;
    if (slice_part(at, spec, array, &part) != DT_OK)
        return NULL;
    dt_tensor *tensor = dt_from_local_with(at->mesh, layout, part, &options);
    dt_array_release(part);
    return tensor;
}

/* Spread an array; where its strides cannot be kept, in row-major order. */
static dt_tensor *spread(runner *at, const char *layout, dt_array *array)
{
    dt_spec *spec = NULL;
    const dt_shape shape = dt_array_shape(array);
    dt_meta meta = dt_meta_of(dt_array_dtype(array), shape);
    for (int i = 0; i < shape.ndim; i++)
        meta.strides[i] = dt_array_stride(array, i);
    if (dt_spec_create(at->mesh, layout, meta.dtype, shape, &spec) != DT_OK)
        return NULL;
    const bool plain = !dt_spec_is_partial(spec) && !dt_spec_is_strided(spec);
    dt_spec *like = NULL;
    dt_tensor *tensor = NULL;
    if (!plain)
        tensor = dt_distribute(at->mesh, layout, meta.dtype, shape, array,
                               DT_EVERYWHERE);
    else if (dt_spec_with_meta(spec, &meta, &like) == DT_OK)
        tensor = share(at, like, layout, array);
    dt_spec_release(like);
    dt_spec_release(spec);
    return tensor;
}

/* Tell whether strides are those of a new tensor, also where extents are 1. */
static bool has_usual_strides(const dt_array *array)
{
    const dt_meta usual =
        dt_meta_of(dt_array_dtype(array), dt_array_shape(array));
    for (int i = 0; i < usual.shape.ndim; i++)
        if (dt_array_stride(array, i) != usual.strides[i])
            return false;
    return true;
}

/* Make a tensor of its words; NULL if that fails. */
static dt_tensor *read_tensor(runner *at)
{
    char layout[WORD_SIZE];
    dt_wrap_options wrap = DT_WRAP_OPTIONS_INIT;
    int64_t strides[DT_MAX_NDIM];
    dt_array *array = NULL;
    dt_tensor *tensor = NULL;
    need_word(at, layout);
    wrap.dtype = read_dtype(at);
    wrap.data = at->data + read_integer(at);
    wrap.shape.ndim = (int)read_integer(at);
    for (int i = 0; i < wrap.shape.ndim; i++)
        wrap.shape.dims[i] = read_integer(at);
    for (int i = 0; i < wrap.shape.ndim; i++)
        strides[i] = read_integer(at);
    wrap.strides = strides;
    if (dt_array_wrap(at->world, &wrap, &array) != DT_OK)
        return NULL;
    tensor = !at->shares && has_usual_strides(array)
                 ? dt_distribute(at->mesh, layout, wrap.dtype, wrap.shape,
                                 array, DT_EVERYWHERE)
                 : spread(at, layout, array);
    dt_array_release(array);
    return tensor;
}

/* Read a tensor that is an argument, of which `kind` was read before: "-", "t"
 * or "g".  One that is overwritten is a copy of its leaf. */
static dt_tensor *read_input(runner *at, one_call *call, const char *kind)
{
    dt_tensor *tensor = kind[0] == '-' ? NULL : read_tensor(at);
    if (kind[0] != 'g')
        return tensor;
    tensor = dt_requires_grad(tensor);
    call->leaves[call->leaf_count++] = tensor;
    return call->variant == DT_VARIANT_IN_PLACE ? dt_clone(tensor) : tensor;
}

static dt_number read_number(runner *at)
{
    char kind[WORD_SIZE];
    need_word(at, kind);
    if (kind[0] == 'f')
        return dt_real(read_real(at));
    if (kind[0] == 'c') {
        const double real = read_real(at);
        return dt_complex_number(real, read_real(at));
    }
    const int64_t value = read_integer(at);
    return kind[0] == 'b' ? dt_truth(value != 0) : dt_integer(value);
}

static void read_argument(runner *at, one_call *call, int i)
{
    dt_argument *to = &call->arguments[i];
    char kind[WORD_SIZE], word[WORD_SIZE];
    need_word(at, kind);
    switch (kind[0]) {
    case 't':
    case 'g':
        to->kind = DT_ARG_TENSOR;
        to->as.tensor = read_input(at, call, kind);
        break;
    case 'l':
        to->kind = DT_ARG_TENSORS;
        to->count = (int)read_integer(at);
        for (int j = 0; j < to->count; j++) {
            need_word(at, word);
            call->lists[i][j] = read_input(at, call, word);
        }
        to->as.tensors = call->lists[i];
        break;
    case 'n':
        to->kind = DT_ARG_NUMBER;
        to->as.number = read_number(at);
        break;
    case 'm':
        to->kind = DT_ARG_NUMBERS;
        to->count = (int)read_integer(at);
        for (int j = 0; j < to->count; j++)
            call->numbers[i][j] = read_number(at);
        to->as.numbers = call->numbers[i];
        break;
    case 'i':
        to->kind = DT_ARG_INTEGER;
        to->as.integer = read_integer(at);
        break;
    case 'd':
        to->kind = DT_ARG_INTEGER;
        to->as.integer = read_dtype(at);
        break;
    case 'r':
        to->kind = DT_ARG_REAL;
        to->as.real = read_real(at);
        break;
    case 'v':
        to->kind = DT_ARG_INTEGERS;
        to->count = (int)read_integer(at);
        for (int j = 0; j < to->count; j++)
            call->integers[i][j] = read_integer(at);
        to->as.integers = call->integers[i];
        break;
    case 's':
        to->kind = DT_ARG_TEXT;
        need_word(at, call->texts[i]);
        to->as.text = call->texts[i];
        break;
    default:
        to->kind = DT_ARG_NONE;
    }
}

static void read_form(runner *at, one_call *call)
{
    char form[WORD_SIZE];
    need_word(at, form);
    call->differentiates = strncmp(form, "gradient", 8) == 0;
    call->variant = strcmp(form, "out") == 0   ? DT_VARIANT_OUT
                    : strstr(form, "in_place") ? DT_VARIANT_IN_PLACE
                                               : DT_VARIANT_NEW;
}

static void read_grads(runner *at, one_call *call)
{
    char word[WORD_SIZE];
    call->grad_count = (int)read_integer(at);
    for (int i = 0; i < call->grad_count; i++) {
        need_word(at, word);
        call->grads[i] = word[0] == '-' ? NULL : read_tensor(at);
    }
}

/* Read a call but for its number, which was read before; its mesh is made. */
static dt_status read_call(runner *at, one_call *call)
{
    char mesh[WORD_SIZE], word[WORD_SIZE];
    need_word(at, call->name);
    read_form(at, call);
    need_word(at, mesh);
    DT_TRY(dt_mesh_create(at->world, mesh, &at->mesh));
    at->shares = dt_mesh_size(at->mesh) == 1 || call->id % 2 == 1;
    call->count = (int)read_integer(at);
    for (int i = 0; i < call->count; i++)
        read_argument(at, call, i);
    if (call->variant == DT_VARIANT_OUT) {
        need_word(at, word);
        call->out = read_tensor(at);
    }
    if (call->differentiates)
        read_grads(at, call);
    return DT_OK;
}

/* ---- Writing ------------------------------------------------------------ */

static void write_calls(runner *at)
{
    const char *between = "";
    uint64_t bytes = 0;
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++) {
        const dt_trace_counter counter =
            dt_trace_count(at->world, (dt_collective)i);
        if (counter.calls == 0)
            continue;
        fprintf(at->lines, "%s%s:%llu", between,
                dt_collective_name((dt_collective)i),
                (unsigned long long)counter.calls);
        between = ",";
        bytes += counter.bytes_received;
    }
    fprintf(at->lines, "%s %llu", between[0] ? "" : "-",
            (unsigned long long)bytes);
}

static void write_result(runner *at, const dt_tensor *tensor)
{
    char layout[WORD_SIZE];
    if (!tensor) {
        fputs(" -", at->lines);
        return;
    }
    const dt_shape shape = dt_tensor_shape(tensor);
    dt_layout_format(dt_tensor_layout(tensor), layout, sizeof layout);
    fprintf(at->lines, " %s %s %d", dt_dtype_name(dt_tensor_dtype(tensor)),
            layout, shape.ndim);
    for (int i = 0; i < shape.ndim; i++)
        fprintf(at->lines, " %lld", (long long)shape.dims[i]);
    for (int i = 0; i < shape.ndim; i++)
        fprintf(at->lines, " %lld", (long long)dt_tensor_stride(tensor, i));
}

/* All ranks bring the whole together; rank 0 writes it. */
static dt_status write_elements(runner *at, dt_tensor *tensor)
{
    dt_tensor *whole = dt_full_tensor(tensor);
    dt_array *dense = NULL;
    if (!whole)
        return dt_world_error(at->world)->code;
    if (!at->elements)
        return DT_OK;
    DT_TRY(dt_array_contiguous(at->world, dt_tensor_local(whole), &dense));
    const size_t bytes = dt_array_bytes(dense);
    if (bytes > 0)
        fwrite(dt_array_const_data(dense), 1, bytes, at->elements);
    dt_array_release(dense);
    return DT_OK;
}

static void write_error(runner *at, int id, dt_status status)
{
    if (at->lines)
        fprintf(at->lines, "%d error %d %s\n", id, (int)status,
                dt_world_error(at->world)->message);
}

/* ---- Running ------------------------------------------------------------ */

/* Write the line and the elements of results, of which some may be NULL. */
static void write_results(runner *at, int id, dt_tensor *const *results,
                          int count)
{
    if (at->lines) {
        fprintf(at->lines, "%d ok ", id);
        write_calls(at);
        fprintf(at->lines, " %d", count);
        for (int i = 0; i < count; i++)
            write_result(at, results[i]);
        fputc('\n', at->lines);
    }
    for (int i = 0; i < count; i++)
        if (results[i] && write_elements(at, results[i]) != DT_OK) {
            fprintf(stderr,
                    "peer_ops: case %d: the result cannot be read: %s\n", id,
                    dt_world_error(at->world)->message);
            exit(1);
        }
}

/* Replace the results by the gradients of the leaves. */
static dt_status differentiate(runner *at, one_call *call, dt_tensor **results,
                               int *count)
{
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    dt_tensor *grads[MOST_RESULTS] = {NULL};
    dt_tensor *outputs[MOST_RESULTS] = {NULL};
    int outputs_count = 0;
    for (int i = 0; i < *count && i < call->grad_count; i++)
        if (call->grads[i] && dt_tensor_requires_grad(results[i])) {
            outputs[outputs_count] = results[i];
            grads[outputs_count++] = call->grads[i];
        }
    options.grads = grads;
    options.allow_unused = true;
    memset(results, 0, MOST_RESULTS * sizeof *results);
    *count = call->leaf_count;
    dt_trace_clear(at->world);
    if (outputs_count == 0)
        return DT_OK;
    return dt_grad(outputs, outputs_count, call->leaves, call->leaf_count,
                   &options, results);
}

static dt_status run_call(runner *at, one_call *call)
{
    dt_tensor *results[MOST_RESULTS] = {call->out};
    int count = 0;
    dt_trace_clear(at->world);
    dt_status status =
        dt_op_call(at->world, call->name, call->variant, call->arguments,
                   call->count, results, MOST_RESULTS, &count);
    if (status == DT_OK && call->differentiates)
        status = differentiate(at, call, results, &count);
    if (status == DT_OK)
        write_results(at, call->id, results, count);
    return status;
}

static void run_case(runner *at, int id)
{
    static const one_call empty;
    one_call call = empty;
    call.id = id;
    dt_scope *scope = dt_scope_open(at->world);
    dt_status status = read_call(at, &call);
    if (status == DT_OK)
        status = run_call(at, &call);
    if (status != DT_OK)
        write_error(at, id, status);
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(at->mesh);
    at->mesh = NULL;
}

/* Read a whole file, at an address that suits every dtype. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char *data = size < 0 ? NULL : malloc((size_t)size + 1);
    if (data && fread(data, 1, (size_t)size, file) != (size_t)size) {
        free(data);
        data = NULL;
    }
    fclose(file);
    return data;
}

static bool open_files(runner *at, const run_arguments *arguments)
{
    char path[1024];
    at->cases = fopen(arguments->cases, "r");
    at->data = read_file(arguments->data);
    if (dt_world_rank(at->world) != 0)
        return at->cases && at->data;
    snprintf(path, sizeof path, "%s.bin", arguments->out);
    at->lines = fopen(arguments->out, "w");
    at->elements = fopen(path, "wb");
    return at->cases && at->data && at->lines && at->elements;
}

static bool close_files(runner *at)
{
    bool good = true;
    if (at->cases)
        fclose(at->cases);
    if (at->lines)
        good = fclose(at->lines) == 0;
    if (at->elements)
        good = fclose(at->elements) == 0 && good;
    free(at->data);
    return good;
}

static dt_status program(dt_world *world, void *arg)
{
    runner at = {.world = world};
    char word[WORD_SIZE];
    const bool opened = open_files(&at, arg);
    while (opened && read_word(&at, word)) {
        run_case(&at, atoi(word));
        if (at.lines) { /* if a case kills us, these say which one */
            fflush(at.lines);
            fflush(at.elements);
        }
    }
    return close_files(&at) && opened ? DT_OK : DT_ERR_IO;
}

int main(int argc, char **argv)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    if (argc != 5) {
        fprintf(stderr, "usage: %s RANKS CASES DATA OUT\n", argv[0]);
        return 2;
    }
    run_arguments arguments = {atoi(argv[1]), argv[2], argv[3], argv[4]};
    options.transport = "threads";
    options.ranks = arguments.ranks;
    if (dt_world_run(&options, program, &arguments, &error) != DT_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    return 0;
}
