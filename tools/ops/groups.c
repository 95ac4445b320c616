/* tools/ops/groups.c - operators by what people look for. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/groups.h"

#include <ctype.h>
#include <string.h>

const op_group groups[] = {
    {"math", "ops/math.h", "Arithmetic and functions of elements"},
    {"reduce", "ops/reduce.h", "Reductions, scans and sorting"},
    {"linalg", "ops/linalg.h", "Linear algebra"},
    {"shape", "ops/shape.h", "Shapes, views and joining"},
    {"index", "ops/index.h", "Indexing, gathering and scattering"},
    {"nn", "ops/nn.h", "Layers of neural networks"},
    {"loss", "ops/loss.h", "Losses"},
    {"random", "ops/random.h", "Random numbers"},
    {"create", "ops/create.h", "Creating and filling"},
    {"training", "sys/ops_training.h", "Lists of tensors and optimizers"},
    {"internal", "sys/ops_internal.h", "Gradients, and parts of operators"},
    {"boundary", NULL, "Layouts and local tensors"},
    {NULL, NULL, NULL},
};

/* Sections, in order.  A family that is not listed comes after those that are,
 * and is titled by its name. */
static const struct {
    const char *family;
    const char *title;
} sections[] = {
    {"math/pointwise", "Arithmetic"},
    {"math/exponential", "Exponentials, logarithms, powers and roots"},
    {"math/trigonometric", "Trigonometric and hyperbolic functions"},
    {"math/rounding", "Rounding, signs and remainders"},
    {"math/clamp", "Minimum, maximum and clamping"},
    {"math/compare", "Comparisons and logic"},
    {"math/close", "Comparisons with a tolerance"},
    {"math/equal", "Comparisons of whole tensors"},
    {"math/where", "Choosing by a condition"},
    {"math/bitwise", "Bits of integers"},
    {"math/cast", "Copies and dtypes"},
    {"math/complex", "Complex numbers"},
    {"math/special", "Special functions"},
    {"reduce/reduce", "Sums, products, extremes and norms"},
    {"reduce/variance", "Variances and standard deviations"},
    {"reduce/logsumexp", "Logarithms of sums of exponentials"},
    {"reduce/arg", "Indices of extremes"},
    {"reduce/scan", "Cumulative sums, products and extremes"},
    {"reduce/sort", "Sorting, top k and medians"},
    {"reduce/histogram", "Histograms"},
    {"linalg/matmul", "Matrix products"},
    {"linalg/outer", "Outer, inner and tensor products"},
    {"linalg/einsum", "Einstein summation"},
    {"linalg/contract", "Contractions of two tensors"},
    {"linalg/diagonal", "Diagonals"},
    {"linalg/triangle", "Triangles"},
    {"shape/view", "Views with other dimensions"},
    {"shape/alias", "Aliases and orders of dimensions"},
    {"shape/join", "Joining and splitting"},
    {"shape/slice", "Slices"},
    {"shape/repeat", "Repeating"},
    {"shape/shift", "Rolling, flipping and padding"},
    {"shape/unfold", "Sliding windows"},
    {"index/gather", "Gathering"},
    {"index/scatter", "Scattering"},
    {"index/index", "Indexing by tensors"},
    {"index/index_add", "Writing along one dimension"},
    {"index/compact", "Elements selected by a mask"},
    {"index/masked_scatter", "Writing where a mask is true"},
    {"index/search", "Searching in sorted values"},
    {"nn/activation", "Activations"},
    {"nn/activation_backward", "Gradients of activations"},
    {"nn/glu", "Gated linear units"},
    {"nn/softmax", "Softmax"},
    {"nn/norm", "Layer norm and RMS norm"},
    {"nn/norm_backward", "Gradients of layer norm and RMS norm"},
    {"nn/group_norm", "Group norm"},
    {"nn/attention", "Attention"},
    {"nn/attention_backward", "Gradients of attention"},
    {"nn/embedding", "Embeddings"},
    {"loss/cross_entropy", "Cross-entropy"},
    {"loss/nll_loss", "Negative log-likelihood"},
    {"loss/loss", "Losses of single elements"},
    {"random/random", "Dropout and random numbers"},
    {"create/full", "Tensors of one number"},
    {"create/sequence", "Ranges and the identity matrix"},
    {"create/rand", "Tensors of random numbers"},
    {"create/like", "Tensors like others"},
    {"create/fill", "Filling and copying"},
    {"training/gradient", "Shapes of gradients"},
    {"training/foreach", "Lists of tensors"},
    {"training/total_norm", "Norms and clipping of gradients"},
    {"training/amp", "Scaled gradients"},
    {"training/fused", "Steps of optimizers over lists of tensors"},
    {"training/optimizer", "Steps of optimizers"},
    {"boundary/boundary", "Redistribution and local tensors"},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

bool is_for_extenders(const op_group *group)
{
    return strncmp(group->header, "sys/", 4) == 0;
}

static int section_of(const char *family)
{
    int i = 0;
    while (i < SECTIONS && strcmp(sections[i].family, family) != 0)
        i++;
    return i;
}

const char *section_title(const char *family, char *scratch)
{
    const int section = section_of(family);
    if (section < SECTIONS)
        return sections[section].title;
    strcpy(scratch, family_name(family));
    scratch[0] = (char)toupper((unsigned char)scratch[0]);
    return scratch;
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static const struct {
    const char *beginning, *ending;
    const char *group;
} groups_by_name[] = {
    {"foreach_", "", "training"},  {"fused_", "", "training"},
    {"amp_", "", "training"},      {"", "_step", "training"},
    {"", "_backward", "internal"},
};
enum { GROUPS_BY_NAME = sizeof groups_by_name / sizeof *groups_by_name };

/* The name of the group; NULL: that of the folder. */
static const char *group_by_name(const op_row *row)
{
    const char *name = row->schema.name;
    for (int i = 0; i < GROUPS_BY_NAME; i++) {
        const char *beginning = groups_by_name[i].beginning;
        if (strncmp(name, beginning, strlen(beginning)) == 0 &&
            ends_with(name, groups_by_name[i].ending))
            return groups_by_name[i].group;
    }
    if (row->op->flags & DT_OP_HELPER)
        return "internal";
    return is_in_folder(row->family, "training") ? "nn" : NULL;
}

const op_group *group_of(const op_row *row)
{
    const char *name = group_by_name(row);
    const op_group *group = groups;
    while (group->name && (name ? strcmp(group->name, name) != 0
                                : !is_in_folder(row->family, group->name)))
        group++;
    return group;
}

/* Compare rows by section, then by number. */
static bool comes_before(const op_row *row, const op_row *other)
{
    const int one = section_of(row->family), two = section_of(other->family);
    return one < two || (one == two && row < other);
}

const op_row *next_in_group(const op_rows *rows, const op_group *group,
                            const op_row *last)
{
    const op_row *next = NULL;
    for (int i = 0; i < rows->count; i++) {
        const op_row *row = &rows->list[i];
        if (group_of(row) == group && (!last || comes_before(last, row)) &&
            (!next || comes_before(row, next)))
            next = row;
    }
    return next;
}
