/* checkpoint/plan.c - which bytes of which file a rank writes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text/json.h"
#include "base/text/reader.h"
#include "base/world.h"
#include "checkpoint/list.h"
#include "checkpoint/values.h"

enum {
    page = 4096,      /* bytes at whose multiples replicas' shares end */
    small = 64 << 10, /* bytes that replicas do not share, but take in turn */
    most_piece = 4 << 20, /* bytes of a piece */
    most_files = 99999
};

static dt_status fail_memory(dt_world *world)
{
    return dti_fail_memory(world, sizeof(dti_save_plan), "the plan of a save");
}

/* ---- What is saved
 * ----------------------------------------------------------------- */

dt_array *dti_lone_array(dt_world *world, const dt_state_entry *entry)
{
    if (entry->kind == DT_STATE_ARRAY)
        return entry->array;
    return dt_tensor_mesh(entry->tensor) == dt_world_own_mesh(world)
               ? dt_tensor_local(entry->tensor)
               : NULL;
}

static bool has_elements(const dt_state_entry *entry)
{
    return entry->kind == DT_STATE_TENSOR || entry->kind == DT_STATE_ARRAY;
}

static dt_dtype dtype_of(const dt_state_entry *entry)
{
    return entry->kind == DT_STATE_TENSOR ? dt_tensor_dtype(entry->tensor)
                                          : dt_array_dtype(entry->array);
}

static dt_shape shape_of(const dt_state_entry *entry)
{
    return entry->kind == DT_STATE_TENSOR ? dt_tensor_shape(entry->tensor)
                                          : dt_array_shape(entry->array);
}

dt_status dti_save_check(dt_world *world, const dt_state *state,
                         const char *function)
{
    for (int64_t i = 0; i < dt_state_count(state); i++) {
        const dt_state_entry *entry = dt_state_at(state, i);
        if (!has_elements(entry))
            continue;
        if (strcmp(entry->name, "__metadata__") == 0)
            return dti_fail(world, DT_ERR_INVALID,
                            "%s: no tensor can be named \"__metadata__\" in a "
                            "safetensors file",
                            function);
        if (entry->kind == DT_STATE_TENSOR &&
            dt_spec_is_partial(dt_tensor_spec(entry->tensor)))
            return dti_fail(world, DT_ERR_INVALID,
                            "%s: tensor " DTI_QUOTED
                            " is partial; redistribute it first",
                            function, entry->name);
        if (entry->kind == DT_STATE_ARRAY && dt_array_is_meta(entry->array))
            return dti_fail(world, DT_ERR_INVALID,
                            "%s: array " DTI_QUOTED
                            " is a meta array, without elements",
                            function, entry->name);
    }
    return DT_OK;
}

/* Hash what the plan needs of a value.  Tensors of one rank are different on
 * all of them, but have one shape. */
static uint64_t hash_entry(dt_world *world, const dt_state_entry *entry,
                           uint64_t hash)
{
    hash = dti_hash_fold(hash, dti_hash_text(entry->name));
    if (!has_elements(entry))
        return hash;
    if (!dti_lone_array(world, entry))
        return dti_hash_fold(hash, dt_spec_hash(dt_tensor_spec(entry->tensor)));
    const dt_shape shape = shape_of(entry);
    hash = dti_hash_fold(hash, (uint64_t)dtype_of(entry) + 1);
    hash = dti_hash_fold(hash, (uint64_t)shape.ndim);
    for (int i = 0; i < shape.ndim; i++)
        hash = dti_hash_fold(hash, (uint64_t)shape.dims[i]);
    return hash;
}

uint64_t dti_save_plan_key(dt_world *world, const dti_plan_request *request)
{
    uint64_t hash = dti_hash_mix(request->file_bytes, request->values);
    for (int64_t i = 0; i < dt_state_count(request->state); i++)
        hash = hash_entry(world, dt_state_at(request->state, i), hash);
    return dti_hash_mix(hash, (uint64_t)dt_state_count(request->state));
}

/* ---- Tensors
 * ------------------------------------------------------------------------ */

/* Find a tensor that is listed already under another name. */
static bool find_same(const dti_save_plan *plan, const dt_state *state,
                      const dt_state_entry *entry, size_t *out)
{
    for (size_t i = 0; i < plan->count; i++) {
        const dt_state_entry *other =
            dt_state_at(state, plan->tensors[i].entry);
        if (other->kind == entry->kind &&
            (entry->kind == DT_STATE_TENSOR ? other->tensor == entry->tensor
                                            : other->array == entry->array)) {
            *out = i;
            return true;
        }
    }
    return false;
}

static dt_status add_alias(dt_world *world, dti_save_plan *plan,
                           const char *name, size_t tensor)
{
    if (strcmp(name, "format") == 0 || strcmp(name, DTI_VALUES_KEY) == 0)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_save: a tensor that is listed twice cannot have "
                        "\"%s\" as its second name; list that first",
                        name);
    char *copy = strdup(name);
    if (!copy ||
        !dti_list_reserve(&plan->aliases, plan->alias_count,
                          &plan->alias_capacity, sizeof *plan->aliases)) {
        free(copy);
        return fail_memory(world);
    }
    plan->aliases[plan->alias_count++] = (dti_plan_alias){copy, tensor};
    return DT_OK;
}

static dt_status add_tensor(dt_world *world, dti_save_plan *plan,
                            const dt_state_entry *entry, int64_t number)
{
    char *copy = strdup(entry->name);
    if (!copy || !dti_list_reserve(&plan->tensors, plan->count, &plan->capacity,
                                   sizeof *plan->tensors)) {
        free(copy);
        return fail_memory(world);
    }
    const dti_file_dtype *dtype = dti_file_dtype_of(dtype_of(entry));
    dti_plan_tensor *tensor = &plan->tensors[plan->count++];
    *tensor = (dti_plan_tensor){
        .form = {.name = copy, .dtype = dtype, .shape = shape_of(entry)},
        .entry = number};
    tensor->form.end = (uint64_t)dt_shape_count(tensor->form.shape) *
                       (uint64_t)dtype->bits / 8;
    if (!dti_lone_array(world, entry))
        tensor->spec = dt_spec_retain(dt_tensor_spec(entry->tensor));
    plan->bytes += tensor->form.end;
    return DT_OK;
}

/* Compare entries by what they hold, to find those that hold the same. */
static int compare_held(const void *a, const void *b)
{
    const dt_state_entry *x = *(const dt_state_entry *const *)a,
                         *y = *(const dt_state_entry *const *)b;
    const void *p = x->tensor ? (const void *)x->tensor : x->array;
    const void *q = y->tensor ? (const void *)y->tensor : y->array;
    return (p > q) - (p < q);
}

/* Tell whether two entries hold the same; true if memory is short. */
static bool may_repeat(const dt_state *state)
{
    const size_t count = (size_t)dt_state_count(state);
    const dt_state_entry **entries = malloc((count + 1) * sizeof *entries);
    size_t held = 0;
    bool repeats = !entries;
    for (size_t i = 0; entries && i < count; i++) {
        const dt_state_entry *entry = dt_state_at(state, (int64_t)i);
        if (has_elements(entry))
            entries[held++] = entry;
    }
    if (entries && held > 1)
        qsort(entries, held, sizeof *entries, compare_held);
    for (size_t i = 1; entries && i < held && !repeats; i++)
        repeats = compare_held(&entries[i - 1], &entries[i]) == 0;
    free(entries);
    return repeats;
}

static dt_status add_tensors(dt_world *world, dti_save_plan *plan,
                             const dt_state *state)
{
    const bool repeats = may_repeat(state);
    for (int64_t i = 0; i < dt_state_count(state); i++) {
        const dt_state_entry *entry = dt_state_at(state, i);
        size_t same;
        if (!has_elements(entry))
            continue;
        if (repeats && find_same(plan, state, entry, &same))
            DTI_TRY(add_alias(world, plan, entry->name, same));
        else
            DTI_TRY(add_tensor(world, plan, entry, i));
    }
    return DT_OK;
}

/* Aliases name tensors by their place, so these are sorted before. */
static int compare_tensors(const void *a, const void *b)
{
    const dti_plan_tensor *x = a, *y = b;
    const int order = dti_file_dtype_compare(x->form.dtype, y->form.dtype);
    return order ? order : strcmp(x->form.name, y->form.name);
}

/* Sort tensors, and let aliases follow. */
static void sort_tensors(dti_save_plan *plan)
{
    /* The place before sorting is kept where offsets go afterwards. */
    for (size_t i = 0; i < plan->count; i++)
        plan->tensors[i].file = i;
    if (plan->count)
        qsort(plan->tensors, plan->count, sizeof *plan->tensors,
              compare_tensors);
    for (size_t a = 0; a < plan->alias_count; a++)
        for (size_t i = 0; i < plan->count; i++)
            if (plan->tensors[i].file == plan->aliases[a].tensor) {
                plan->aliases[a].tensor = i;
                break;
            }
}

/* ---- Files
 * ---------------------------------------------------------------------------
 */

static dt_status add_file(dt_world *world, dti_save_plan *plan, size_t first)
{
    if (!dti_list_reserve(&plan->files, plan->file_count, &plan->file_capacity,
                          sizeof *plan->files))
        return fail_memory(world);
    plan->files[plan->file_count++] = (dti_plan_file){.first = first};
    return DT_OK;
}

/* Put tensors into files; the last one's bytes of elements are `bytes`. */
static dt_status fill_files(dt_world *world, dti_save_plan *plan,
                            uint64_t file_bytes)
{
    DTI_TRY(add_file(world, plan, 0));
    for (size_t i = 0; i < plan->count; i++) {
        dti_file_tensor *form = &plan->tensors[i].form;
        dti_plan_file *file = &plan->files[plan->file_count - 1];
        if (file->count > 0 && file->bytes + form->end > file_bytes) {
            DTI_TRY(add_file(world, plan, i));
            file = &plan->files[plan->file_count - 1];
        }
        form->begin = file->bytes;
        form->end += file->bytes;
        file->bytes = form->end;
        file->count++;
        plan->tensors[i].file = plan->file_count - 1;
    }
    if (plan->file_count > most_files)
        return dti_fail(world, DT_ERR_INVALID,
                        "the state needs %zu files, more than %d; raise the "
                        "option file_bytes",
                        plan->file_count, most_files);
    return DT_OK;
}

/* Write what a header has of the tensors of a file. */
static bool write_json(const dti_save_plan *plan, dti_plan_file *file)
{
    FILE *stream = open_memstream(&file->json, &file->json_size);
    if (!stream)
        return false;
    for (size_t i = 0; i < file->count; i++)
        dti_header_put_tensor(stream, &plan->tensors[file->first + i].form);
    const bool good = !ferror(stream);
    return fclose(stream) == 0 && good;
}

/* Write the metadata of a file: what transformers expects, and other names of
 * its tensors. */
static bool write_metadata(const dti_save_plan *plan, dti_plan_file *file)
{
    FILE *stream = open_memstream(&file->metadata, &file->metadata_size);
    if (!stream)
        return false;
    fputs("\"format\":\"pt\"", stream);
    for (size_t i = 0; i < plan->alias_count; i++) {
        const dti_plan_alias *alias = &plan->aliases[i];
        if (alias->tensor - file->first >= file->count)
            continue;
        putc(',', stream);
        dti_json_quote(stream, alias->name);
        putc(':', stream);
        dti_json_quote(stream, plan->tensors[alias->tensor].form.name);
    }
    const bool good = !ferror(stream);
    return fclose(stream) == 0 && good;
}

static dt_status finish_files(dt_world *world, dti_save_plan *plan,
                              size_t values)
{
    for (size_t i = 0; i < plan->file_count; i++) {
        dti_plan_file *file = &plan->files[i];
        char name[64];
        if (plan->file_count == 1)
            snprintf(name, sizeof name, "model.safetensors");
        else
            snprintf(name, sizeof name, "model-%05zu-of-%05zu.safetensors",
                     i + 1, plan->file_count);
        file->name = strdup(name);
        if (!file->name || !write_json(plan, file) ||
            !write_metadata(plan, file))
            return fail_memory(world);
        file->data = dti_header_size(file->metadata_size + file->json_size +
                                     (i == 0 ? values : 0));
        file->bytes += file->data;
        if (file->data > DTI_HEADER_MOST)
            return dti_fail(world, DT_ERR_INVALID,
                            "the header of %s needs more than %d bytes; lower "
                            "the option file_bytes",
                            file->name, DTI_HEADER_MOST);
    }
    return DT_OK;
}

/* ---- Who writes what
 * ------------------------------------------------------------------- */

/* Tell whether a box of a tensor is consecutive in row-major order: after the
 * first dimension of several indexes, all dimensions are complete. */
static bool is_consecutive(const dt_box *box, dt_shape shape)
{
    bool several = false;
    for (int i = 0; i < box->ndim; i++) {
        if (several && box->size[i] != shape.dims[i])
            return false;
        several = several || box->size[i] > 1;
    }
    return true;
}

/* Tell whether the shard of every rank is consecutive. */
static dt_status check_shards(const dt_spec *spec, bool *out)
{
    const dt_mesh *mesh = dt_spec_mesh(spec);
    const int *ranks = dt_mesh_ranks(mesh);
    *out = true;
    for (int i = 0; i < dt_mesh_size(mesh) && *out; i++) {
        dt_shard_box box;
        int64_t count = 0;
        DTI_TRY(dt_spec_shard_boxes(spec, ranks[i], &box, 1, &count));
        *out = count == 0 ||
               (count == 1 && is_consecutive(&box.box, dt_spec_shape(spec)));
    }
    return DT_OK;
}

/* The number of the first element of a box in row-major order. */
static uint64_t first_of(const dt_box *box, dt_shape shape)
{
    uint64_t first = 0;
    for (int i = 0; i < shape.ndim; i++)
        first = first * (uint64_t)shape.dims[i] + (uint64_t)box->offset[i];
    return first;
}

/* Where share `number` of `count` of a range begins: at a page of the file, and
 * not before the range. */
static uint64_t share_begin(uint64_t offset, uint64_t bytes, uint64_t number,
                            uint64_t count)
{
    if (number == 0 || number == count)
        return number == 0 ? 0 : bytes;
    const uint64_t even = offset + bytes / count * number;
    const uint64_t aligned = even / page * page;
    return aligned > offset ? aligned - offset : 0;
}

/* Give this rank its share of the shard that it stores. */
static dt_status take_shard(const dti_save_plan *plan, dti_plan_tensor *tensor,
                            int rank, int turn)
{
    const dt_spec *spec = tensor->spec;
    const dt_shape shape = tensor->form.shape;
    const uint64_t item = (uint64_t)tensor->form.dtype->bits / 8;
    dt_shard_box box;
    int64_t count = 0;
    DTI_TRY(dt_spec_shard_boxes(spec, rank, &box, 1, &count));
    if (count == 0)
        return DT_OK;
    const uint64_t replicas = (uint64_t)dt_mesh_size(dt_spec_mesh(spec)) /
                              (uint64_t)dt_spec_shards(spec);
    const uint64_t first = first_of(&box.box, shape) * item;
    const uint64_t bytes =
        (uint64_t)dt_shape_count(dt_shape_make(shape.ndim, box.box.size)) *
        item;
    uint64_t begin = 0, end = bytes;
    if (bytes < small) {
        if ((uint64_t)box.replica != (uint64_t)turn % replicas)
            return DT_OK;
    } else {
        const uint64_t offset =
            plan->files[tensor->file].data + tensor->form.begin + first;
        begin = share_begin(offset, bytes, (uint64_t)box.replica, replicas);
        end = share_begin(offset, bytes, (uint64_t)box.replica + 1, replicas);
    }
    tensor->first = first + begin;
    tensor->local = begin;
    tensor->bytes = end - begin;
    return DT_OK;
}

/* Cut a tensor into pieces: as many indexes of one dimension as fit. */
static dti_pieces make_pieces(const dti_plan_tensor *tensor, int turn)
{
    const dt_shape shape = tensor->form.shape;
    const uint64_t bytes = tensor->form.end - tensor->form.begin;
    uint64_t share = bytes / (uint64_t)dt_mesh_size(dt_spec_mesh(tensor->spec));
    share = share < small ? small : share > most_piece ? most_piece : share;
    uint64_t row = (uint64_t)tensor->form.dtype->bits / 8;
    int dim = shape.ndim - 1;
    while (dim > 0 && row * (uint64_t)shape.dims[dim] <= share)
        row *= (uint64_t)shape.dims[dim--];
    dti_pieces pieces = {.dim = dim, .turn = turn, .count = 1};
    pieces.rows = row < share ? (int64_t)(share / row) : 1;
    pieces.inner = (shape.dims[dim] + pieces.rows - 1) / pieces.rows;
    for (int i = 0; i < dim; i++)
        pieces.count *= shape.dims[i];
    pieces.count *= pieces.inner;
    return pieces;
}

dt_box dti_piece_box(const dti_plan_tensor *tensor, int64_t piece,
                     uint64_t *first)
{
    const dti_pieces *pieces = &tensor->pieces;
    const dt_shape shape = tensor->form.shape;
    dt_box box = {.ndim = shape.ndim};
    int64_t before = piece / pieces->inner;
    for (int i = shape.ndim - 1; i > pieces->dim; i--)
        box.size[i] = shape.dims[i];
    box.offset[pieces->dim] = piece % pieces->inner * pieces->rows;
    const int64_t left = shape.dims[pieces->dim] - box.offset[pieces->dim];
    box.size[pieces->dim] = left < pieces->rows ? left : pieces->rows;
    for (int i = pieces->dim - 1; i >= 0; i--) {
        box.offset[i] = before % shape.dims[i];
        box.size[i] = 1;
        before /= shape.dims[i];
    }
    *first = first_of(&box, shape) * (uint64_t)tensor->form.dtype->bits / 8;
    return box;
}

static dt_status share_work(dti_save_plan *plan, int rank)
{
    for (size_t i = 0; i < plan->count; i++) {
        dti_plan_tensor *tensor = &plan->tensors[i];
        const uint64_t bytes = tensor->form.end - tensor->form.begin;
        bool consecutive = true;
        if (!bytes)
            continue;
        if (!tensor->spec) {
            tensor->bytes = rank == 0 ? bytes : 0;
            continue;
        }
        DTI_TRY(check_shards(tensor->spec, &consecutive));
        tensor->exchanged = !consecutive;
        if (consecutive)
            DTI_TRY(take_shard(plan, tensor, rank, (int)(i & 0xffff)));
        else
            tensor->pieces = make_pieces(tensor, (int)(i & 0xffff));
    }
    return DT_OK;
}

/* ---- Plans
 * -------------------------------------------------------------------------------
 */

static dt_status fill(dt_world *world, dti_save_plan *plan,
                      const dti_plan_request *request)
{
    DTI_TRY(add_tensors(world, plan, request->state));
    sort_tensors(plan);
    DTI_TRY(fill_files(world, plan, request->file_bytes));
    DTI_TRY(finish_files(world, plan, request->values));
    return share_work(plan, request->rank);
}

bool dti_save_plan_fits(const dti_save_plan *plan, dt_world *world,
                        const dt_state *state)
{
    if (plan->alias_count || may_repeat(state))
        return false;
    for (size_t i = 0; i < plan->count; i++) {
        const dti_plan_tensor *tensor = &plan->tensors[i];
        const dt_state_entry *entry = dt_state_at(state, tensor->entry);
        if (!entry || !has_elements(entry) ||
            strcmp(entry->name, tensor->form.name) != 0)
            return false;
        const dt_spec *spec =
            dti_lone_array(world, entry) ? NULL : dt_tensor_spec(entry->tensor);
        if (spec != tensor->spec ||
            dtype_of(entry) != tensor->form.dtype->dtype ||
            !dt_shape_equal(shape_of(entry), tensor->form.shape))
            return false;
    }
    return true;
}

dt_status dti_save_plan_create(dt_world *world, const dti_plan_request *request,
                               dti_save_plan **out)
{
    dti_save_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return fail_memory(world);
    plan->key = dti_save_plan_key(world, request);
    const dt_status status = fill(world, plan, request);
    if (status == DT_OK)
        *out = plan;
    else
        dti_save_plan_free(plan);
    return status;
}

void dti_save_plan_free(dti_save_plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->tensors[i].form.name);
        dt_spec_release(plan->tensors[i].spec);
    }
    for (size_t i = 0; i < plan->file_count; i++) {
        free(plan->files[i].name);
        free(plan->files[i].metadata);
        free(plan->files[i].json);
    }
    for (size_t i = 0; i < plan->alias_count; i++)
        free(plan->aliases[i].name);
    free(plan->tensors);
    free(plan->files);
    free(plan->aliases);
    free(plan);
}
