/* graph/aten.c - the operators of PyTorch as rows of the registry. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/aten.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

/*
 * Rows name the overloads that they answer to, and their parameters mostly have
 * the names of ATen's.  Here is the rest: other names, defaults that are
 * positional in rows, overloads that are expressed by another row, and numbers
 * where ATen says Tensor.  Overloads of a row need no line if the names agree.
 */
#define REDUCED "dims=dim:[] keepdim:false"
#define SWAPPED "self=other other=self"

/* Sorted by overload; the forms of one are tried from top to bottom, then the
 * row that names it. */
static const dti_aten_form forms[] = {
    {"__and__.Scalar", "bitwise_and_scalar", ""},
    {"__and__.Tensor", "bitwise_and", ""},
    {"__or__.Scalar", "bitwise_or_scalar", ""},
    {"__or__.Tensor", "bitwise_or", ""},
    {"__xor__.Tensor", "bitwise_xor", ""},
    {"_assert_async.msg", "-", ""},
    {"_assert_scalar", "-", ""},
    {"_assert_tensor_metadata", "-", ""},
    {"_log_softmax", "log_softmax", "!half_to_float"},
    {"_softmax", "softmax", "!half_to_float"},
    {"_to_copy", "cast", "dtype:dtype"},
    {"_unsafe_view", "reshape", "shape=size"},
    {"add.Tensor", "add", ""},
    {"add.Tensor", "add_scalar", ""},
    {"add.Tensor", "add_scalar", SWAPPED " !alpha"},
    {"alias", "=", ""},
    {"alias_copy", "=", ""},
    {"all", "all", "dims:[] keepdim:false"},
    {"all.dim", "all", REDUCED},
    {"all.dims", "all", REDUCED},
    {"amax", "amax", REDUCED},
    {"amin", "amin", REDUCED},
    {"any", "any", "dims:[] keepdim:false"},
    {"any.dim", "any", REDUCED},
    {"any.dims", "any", REDUCED},
    {"arange", "arange", "start:0 step:1 dtype:dtype"},
    {"arange.start", "arange", "step:1 dtype:dtype"},
    {"arange.start_step", "arange", "step:1 dtype:dtype"},
    {"argmax", "argmax", "keepdim:false"},
    {"argmin", "argmin", "keepdim:false"},
    {"argsort", "argsort", "dim:-1 descending:false"},
    {"bitwise_and.Tensor", "bitwise_and_scalar", ""},
    {"cat", "cat", "dim:0"},
    {"chunk", "chunk", "pieces=chunks dim:0"},
    {"clamp", "clamp", ""},
    {"clamp", "clamp_min", "-max"},
    {"clamp", "clamp_max", "-min"},
    {"contiguous", "=", ""},
    {"detach", "=", ""},
    {"detach_", "=", ""},
    {"diagonal", "diagonal", "offset:0 dim1:0 dim2:1"},
    {"div.Tensor", "div_scalar", ""},
    {"dot", "dot", "other=tensor"},
    {"dropout", "=", "self=input !train -p"},
    {"einsum", "einsum", "operands=tensors -path"},
    {"empty.memory_format", "empty", "dtype:dtype"},
    {"eq.Tensor", "eq_scalar", ""},
    {"expand", "expand", "shape=size"},
    {"expand_copy", "expand", "shape=size"},
    {"flatten.using_ints", "flatten", "start=start_dim:0 end=end_dim:-1"},
    {"full", "full", "value=fill_value dtype:dtype"},
    {"full_like", "full_like", "value=fill_value"},
    {"gather", "gather", "-sparse_grad"},
    {"ge.Tensor", "ge_scalar", ""},
    {"gt.Tensor", "gt_scalar", ""},
    {"index_put", "index_put", "accumulate:false"},
    {"layer_norm", "layer_norm", "eps:1e-5"},
    {"le.Tensor", "le_scalar", ""},
    {"lift_fresh_copy", "=", ""},
    {"logsumexp", "logsumexp", REDUCED},
    {"lt.Tensor", "lt_scalar", ""},
    {"max", "amax", "dims:[] keepdim:false"},
    {"max.dim", "max_dim", "keepdim:false"},
    {"mean", "mean", "dims:[] keepdim:false"},
    {"mean.dim", "mean", REDUCED},
    {"min", "amin", "dims:[] keepdim:false"},
    {"min.dim", "min_dim", "keepdim:false"},
    {"mul.Tensor", "mul_scalar", ""},
    {"mul.Tensor", "mul_scalar", SWAPPED},
    {"native_group_norm", "group_norm", "n=N c=C hxw=HxW"},
    {"ne.Tensor", "ne_scalar", ""},
    {"new_full", "new_full", "value=fill_value"},
    {"ones", "ones", "dtype:dtype"},
    {"prod", "prod", "dims:[] keepdim:false"},
    {"prod.dim_int", "prod", REDUCED},
    {"rms_norm", "rms_norm", "eps:epsilon"},
    {"rsub.Scalar", "rsub_scalar", "!alpha"},
    {"scalar_tensor", "full", "value=s size:[] dtype:dtype"},
    {"slice.Tensor", "slice", "dim:0 start:0 stop=end:max step:1"},
    {"slice_copy.Tensor", "slice", "dim:0 start:0 stop=end:max step:1"},
    {"slice_scatter", "slice_scatter", "dim:0 start:0 stop=end:max step:1"},
    {"sort", "sort", "dim:-1 descending:false"},
    {"split.Tensor", "split", "size=split_size dim:0"},
    {"split.sizes", "split_sizes", "sizes=split_size dim:0"},
    {"split_copy.Tensor", "split", "size=split_size dim:0"},
    {"split_with_sizes", "split_sizes", "sizes=split_sizes dim:0"},
    {"split_with_sizes_copy", "split_sizes", "sizes=split_sizes dim:0"},
    {"squeeze", "squeeze", "dims:[]"},
    {"squeeze.dim", "squeeze", "dims=dim"},
    {"squeeze.dims", "squeeze", "dims=dim"},
    {"stack", "stack", "dim:0"},
    {"std.correction", "std", REDUCED},
    {"sub.Tensor", "sub_scalar", ""},
    {"sub.Tensor", "rsub_scalar", SWAPPED " !alpha"},
    {"sum", "sum", "dims:[] keepdim:false"},
    {"sum.dim_IntList", "sum", REDUCED},
    {"sym_constrain_range", "-", ""},
    {"sym_constrain_range_for_size", "-", ""},
    {"sym_numel", "-", ""},
    {"sym_size.int", "-", ""},
    {"sym_storage_offset", "-", ""},
    {"sym_stride.int", "-", ""},
    {"to.device", "cast", "dtype:dtype"},
    {"to.dtype", "cast", ""},
    {"to.dtype_layout", "cast", "dtype:dtype"},
    {"topk", "topk", "dim:-1 largest:true sorted:true"},
    {"tril", "tril", "diagonal:0"},
    {"triu", "triu", "diagonal:0"},
    {"type_as", "cast", "dtype:dtype -other"},
    {"unbind.int", "unbind", "dim:0"},
    {"var.correction", "var", REDUCED},
    {"var_mean.correction", "var_mean", REDUCED},
    {"view", "reshape", "shape=size"},
    {"view_copy", "reshape", "shape=size"},
    {"where.self", "where", ""},
    {"where.self", "where_scalar_other", ""},
    {"zeros", "zeros", "dtype:dtype"},
};

/* ---- Rows by the overloads that they name -------------------------------- */

typedef struct dti_aten_entry {
    const char *text; /* of the row: names, separated by spaces */
    size_t length;
    const char *row; /* schema of the row, which its name begins */
} dti_aten_entry;

static bool is_named(const void *value, const void *key)
{
    const dti_aten_entry *entry = value;
    const char *name = key;
    return strncmp(name, entry->text, entry->length) == 0 &&
           !name[entry->length];
}

/* Count the names of a text. */
static int count_names(const char *text)
{
    int count = 0;
    if (!text)
        return 1;
    for (; *text; count++) {
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    return count;
}

static dt_status add_names(dt_world *world, dti_aten_index *index,
                           const dt_op *op)
{
    /* A row that says nothing has the name that ATen has. */
    const char *end = op->aten ? " " : "(";
    for (const char *at = op->aten ? op->aten : op->schema; *at;) {
        const size_t length = strcspn(at, end);
        dti_aten_entry *entry = &index->entries[index->count++];
        *entry = (dti_aten_entry){at, length, op->schema};
        if (dti_map_add(&index->names, dti_hash_bytes(at, length), entry) !=
            DT_OK)
            return dti_fail_memory(world, sizeof *entry, "names of operators");
        at += op->aten ? length : strlen(at);
        at += strspn(at, " ");
    }
    return DT_OK;
}

dt_status dti_aten_open(dt_world *world, dti_aten_index *out)
{
    const dt_op *op;
    int count = 0;
    for (int i = 0; (op = dt_op_at(world, i)); i++)
        count += count_names(op->aten);
    *out = (dti_aten_index){.count = 0};
    out->entries = calloc((size_t)count + 1, sizeof *out->entries);
    if (!out->entries)
        return dti_fail_memory(world, (size_t)count * sizeof *out->entries,
                               "names of operators");
    dt_status status = DT_OK;
    for (int i = 0; status == DT_OK && (op = dt_op_at(world, i)); i++)
        status = add_names(world, out, op);
    if (status != DT_OK)
        dti_aten_close(out);
    return status;
}

void dti_aten_close(dti_aten_index *index)
{
    dti_map_clear(&index->names);
    free(index->entries);
    index->entries = NULL;
}

/* ---- Finding ------------------------------------------------------------- */

static int find_first(const char *overload)
{
    int low = 0, high = DTI_COUNT_OF(forms);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (strcmp(forms[middle].overload, overload) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int dti_aten_find(const dti_aten_index *index, const char *overload,
                  dti_aten_form *out, int capacity)
{
    const int all = DTI_COUNT_OF(forms);
    int count = 0;
    for (int i = find_first(overload);
         i < all && strcmp(forms[i].overload, overload) == 0; i++)
        if (count < capacity)
            out[count++] = forms[i];
    const dti_aten_entry *entry =
        dti_map_find(&index->names, dti_hash_bytes(overload, strlen(overload)),
                     overload, is_named);
    if (entry && count < capacity)
        out[count++] = (dti_aten_form){overload, entry->row, ""};
    return count;
}

/* Find the item of a map whose text before "=", ":" or its end is a name. */
static const char *find_item(const char *map, const char *name)
{
    const size_t length = strlen(name);
    for (; *map; map += strspn(map, " ")) {
        if (strncmp(map, name, length) == 0 && strchr("=: ", map[length]))
            return map;
        map += strcspn(map, " ");
    }
    return NULL;
}

dti_aten_source dti_aten_source_of(const char *map, const char *parameter)
{
    const char *item = find_item(map, parameter);
    dti_aten_source source = {parameter, strlen(parameter), NULL, 0};
    if (!item)
        return source;
    item += source.length;
    if (*item == '=') {
        source.name = ++item;
        source.length = strcspn(item, ": ");
        item += source.length;
    }
    if (*item == ':') {
        source.usual = item + 1;
        source.usual_length = strcspn(item + 1, " ");
    }
    return source;
}

char dti_aten_mark_of(const char *map, const char *argument)
{
    const size_t length = strlen(argument);
    for (; *map; map += strspn(map, " ")) {
        if ((*map == '!' || *map == '-') &&
            strncmp(map + 1, argument, length) == 0 &&
            strchr(" ", map[1 + length]))
            return *map;
        map += strcspn(map, " ");
    }
    return 0;
}
