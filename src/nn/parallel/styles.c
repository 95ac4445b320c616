/* nn/parallel/styles.c - the styles: which parameters are sharded how. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/error.h"
#include "nn/create.h"
#include "nn/layers/layers.h"
#include "nn/parallel/parallel.h"

/* ---- Heads -------------------------------------------------------------- */

static int64_t chunk(int64_t extent, int ranks)
{
    return (extent + ranks - 1) / ranks;
}

static int ranks_of(const dt_style_use *use)
{
    return dt_mesh_dim_size(use->at.mesh, use->at.dim);
}

/*
 * How a linear layer of heads is sharded.  Take 7 heads of width 5 on 2 ranks:
 * chunks of 35 features are 18 and 17, which would divide a head, so the weight
 * is stored as (7, 5, in), of which the ranks have 4 and 3 heads.  On 7 ranks a
 * chunk is a head, and the weight stays (35, in).
 *
 * Heads of keys and values are sharded if each rank then has those that its
 * queries need: 8 queries and 4 keys on 2 ranks are 4 and 2; on 3 ranks they
 * are 3, 3, 2 and 2, 2, 0, which do not go together.
 */
typedef enum head_form { HEADS_FLAT, HEADS_SPLIT, HEADS_REPLICATED } head_form;

static head_form form_of(const dti_heads *heads, int64_t features, int ranks)
{
    const int64_t own = chunk(heads->count, ranks);
    const int64_t width = features / heads->count;
    if (own * heads->queries != chunk(heads->queries, ranks) * heads->count)
        return HEADS_REPLICATED;
    return chunk(features, ranks) == own * width ? HEADS_FLAT : HEADS_SPLIT;
}

/* The shape with dimension `dim` divided into heads and their width. */
static dt_shape split(dt_shape shape, int dim, int64_t heads)
{
    dt_shape out = shape;
    out.ndim++;
    for (int i = dim + 1; i < out.ndim; i++)
        out.dims[i] = shape.dims[i - 1];
    out.dims[dim] = heads;
    out.dims[dim + 1] = shape.dims[dim] / heads;
    return out;
}

/* Create a parameter whose dimension `dim` consists of heads. */
static dt_status place_heads(const dt_style_use *use, dt_module *module,
                             const char *name, int dim)
{
    const dti_heads heads = dti_linear_heads(module);
    dti_slot *slot = dti_module_slot(module, name);
    const char *layout = dim ? "S(1)" : "S(0)";
    dt_shape stored = slot->parameter->shape;
    const head_form form = form_of(&heads, stored.dims[dim], ranks_of(use));
    if (form == HEADS_REPLICATED)
        layout = "R";
    if (form == HEADS_SPLIT)
        stored = split(stored, dim, heads.count);
    return dti_slot_distribute(&use->at, module, slot, layout, stored);
}

/* ---- Linear layers and embeddings --------------------------------------- */

static dt_status place(const dt_style_use *use, dt_module *module,
                       const char *name, const char *layout)
{
    return dt_distribute_parameter(&use->at, module, name, layout);
}

static dt_status check_kind(const dt_style_use *use, dt_module *module)
{
    if (dti_is_linear(module) || dti_is_embedding(module))
        return DT_OK;
    return dti_fail(module->world, DT_ERR_UNSUPPORTED,
                    "style %s is for Linear and Embedding; %s is a %s",
                    use->rule.style->name, dti_module_show(module),
                    module->kind.name);
}

static dt_status colwise(const dt_style_use *use, dt_module *module)
{
    const bool heads = dti_linear_heads(module).side == DTI_SIDE_OUT;
    const bool has_bias = dti_module_slot(module, "bias") != NULL;
    if (dti_is_embedding(module))
        return place(use, module, "weight", "S(1)");
    DTI_TRY(heads ? place_heads(use, module, "weight", 0)
                  : place(use, module, "weight", "S(0)"));
    if (!has_bias)
        return DT_OK;
    return heads ? place_heads(use, module, "bias", 0)
                 : place(use, module, "bias", "S(0)");
}

static dt_status rowwise(const dt_style_use *use, dt_module *module)
{
    if (dti_is_embedding(module))
        return place(use, module, "weight", "S(0)");
    if (dti_linear_heads(module).side == DTI_SIDE_IN)
        return place_heads(use, module, "weight", 1);
    return place(use, module, "weight", "S(1)");
}

/* Inputs of a linear layer are sharded by features, or by heads if these have a
 * dimension; those of an embedding are replicated. */
static dt_status rowwise_input(const dt_style_use *use, dt_module *module,
                               dt_tensor **inputs, int count)
{
    dt_style_use by = *use;
    if (!by.rule.inputs)
        by.rule.inputs = dti_is_embedding(module)      ? "R"
                         : dti_linear_is_split(module) ? "S(-2)"
                                                       : "S(-1)";
    return dti_style_input(&by, module, inputs, count);
}

/* ---- The styles --------------------------------------------------------- */

const dt_style dt_colwise = {
    .size = sizeof(dt_style),
    .name = "colwise",
    .inputs = "R",
    .check = check_kind,
    .partition = colwise,
};

const dt_style dt_rowwise = {
    .size = sizeof(dt_style),
    .name = "rowwise",
    .outputs = "R",
    .check = check_kind,
    .partition = rowwise,
    .input = rowwise_input,
};

const dt_style dt_sequence_parallel = {
    .size = sizeof(dt_style),
    .name = "sequence_parallel",
    .inputs = "S(1)",
};

const dt_style dt_prepare_input = {
    .size = sizeof(dt_style),
    .name = "prepare_input",
};

const dt_style dt_prepare_output = {
    .size = sizeof(dt_style),
    .name = "prepare_output",
};

const dt_style dt_prepare_input_output = {
    .size = sizeof(dt_style),
    .name = "prepare_input_output",
};

const dt_style dt_replicate_module = {
    .size = sizeof(dt_style),
    .name = "replicate",
};
