/* dtensor/parallel.h - distributing modules over a mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_PARALLEL_H
#define DTENSOR_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/mesh.h>
#include <dtensor/module.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/* Where the elements of parameters come from. */
typedef enum dt_weights {
    /* Parameters without elements are drawn or computed in place: each rank
     * creates its own shard, nothing is sent, and the numbers are the same on
     * any mesh.  Others have the same elements on every rank. */
    DT_WEIGHTS_DRAWN,
    DT_WEIGHTS_EVERYWHERE, /* every rank has all elements; nothing is sent */
    DT_WEIGHTS_FROM_RANK   /* one rank has all elements, and sends shards */
} dt_weights;

/* How a module is being distributed, for functions that take part in it. */
typedef struct dt_distribution {
    dt_mesh *mesh;      /* over which */
    int dim;            /* mesh dimension of parallel styles */
    dt_weights weights; /* where elements come from */
    int source;         /* world rank, with DT_WEIGHTS_FROM_RANK */
    uint64_t seed;      /* of random numbers */
    void *arg;          /* of the options */
} dt_distribution;

/* Options of dt_distribute_module.  Zeros are the defaults. */
typedef struct dt_distribute_module_options {
    size_t size; /* sizeof(dt_distribute_module_options) */
    /* Distribute the parameters of a module, with dt_distribute_parameter.
     * Called with the module and with each below it, and its qualified name.
     * Parameters that it leaves alone are replicated.  NULL: all are. */
    dt_status (*partition)(const dt_distribution *at, const char *name,
                           dt_module *module);
    /* Change the inputs and the outputs of the module, in every call; may be
     * NULL. */
    dt_status (*input)(dt_module *module, dt_tensor **inputs, int count,
                       dt_mesh *mesh, void *arg);
    dt_status (*output)(dt_module *module, dt_tensor **outputs, int count,
                        dt_mesh *mesh, void *arg);
    void *arg;            /* passed to the functions */
    dt_weights weights;   /* where elements come from */
    int source;           /* world rank, with DT_WEIGHTS_FROM_RANK */
    const uint64_t *seed; /* of random numbers; NULL: that of the world */
} dt_distribute_module_options;

#define DT_DISTRIBUTE_MODULE_OPTIONS_INIT                                      \
    {                                                                          \
        sizeof(dt_distribute_module_options), 0, 0, 0, 0, DT_WEIGHTS_DRAWN, 0, \
            0                                                                  \
    }

/*
 * Create the parameters of a module and of those below it on a mesh.  Without
 * options all are replicated.
 *
 * Collective over the mesh.  `options` may be NULL.  Parameters that are on the
 * mesh already stay as they are.  DT_ERR_INVALID if the module was distributed
 * before.
 */
DT_API DT_MUST_USE dt_status
dt_distribute_module(dt_module *module, dt_mesh *mesh,
                     const dt_distribute_module_options *options);

/*
 * Create a parameter of a module on the mesh, in a layout, for example "RS(0)".
 * A single placement holds along the mesh dimension `at->dim`; the others
 * replicate.
 *
 * Collective over the mesh.  A parameter that is on the mesh already stays as
 * it is.
 */
DT_API DT_MUST_USE dt_status dt_distribute_parameter(const dt_distribution *at,
                                                     dt_module *module,
                                                     const char *name,
                                                     const char *layout);

/* ---- Parallel styles ---------------------------------------------------- */

/*
 * A style distributes the parameters of one module and redistributes its inputs
 * and outputs, along one mesh dimension.  A rule applies a style to the modules
 * whose names match a pattern:
 *
 *     static const dt_parallel_rule rules[] = {
 *         {.pattern = "layers.*.attn.w[qkv]", .style = &dt_colwise},
 *         {.pattern = "layers.*.attn.wo", .style = &dt_rowwise},
 *     };
 *     DT_TRY(dt_parallelize(model, mesh, rules, 2, NULL));
 */
typedef struct dt_style dt_style;

/*
 * A rule of a plan.  Layouts have one placement, along the mesh dimension of
 * the styles, or one for each mesh dimension; with one, the other mesh
 * dimensions keep theirs.  Lists of layouts are separated by ";", and "-"
 * leaves a tensor as it is: "R; -; S(1)".  NULL is the default of the style.
 */
typedef struct dt_parallel_rule {
    /* Names of modules: "*" is any part of a name between dots, "**" any
     * characters, "?" one, "[qkv]" one of these; "" is the module itself. */
    const char *pattern;
    const dt_style *style;    /* what is done with them */
    const char *inputs;       /* layouts to which inputs are redistributed */
    const char *inputs_from;  /* layouts of inputs that are local tensors, on
                                 this  rank's own mesh */
    const char *outputs;      /* layouts to which outputs are redistributed */
    const char *outputs_from; /* layouts of outputs that are local tensors */
    bool local_inputs;        /* the module takes local tensors */
    bool local_outputs;       /* the module returns local tensors */
    void *arg;                /* for styles of programs; must stay valid */
} dt_parallel_rule;

/* A style that is applied to a module. */
typedef struct dt_style_use {
    dt_distribution at;    /* mesh and mesh dimension */
    dt_parallel_rule rule; /* with copies of its texts */
} dt_style_use;

/* The functions of a style; all but the name may be NULL.  Programs write their
 * own styles. */
struct dt_style {
    size_t size;      /* sizeof(dt_style) */
    const char *name; /* for messages and for plans in JSON */
    /* Default lists of layouts, for rules that have none. */
    const char *inputs;
    const char *outputs;
    /* Check that the style fits a module, before anything is changed. */
    dt_status (*check)(const dt_style_use *use, dt_module *module);
    /* Create the parameters of a module with dt_distribute_parameter; those
     * that it leaves alone are replicated. */
    dt_status (*partition)(const dt_style_use *use, dt_module *module);
    /* Change the inputs and outputs of a call.  NULL: by the rule. */
    dt_status (*input)(const dt_style_use *use, dt_module *module,
                       dt_tensor **inputs, int count);
    dt_status (*output)(const dt_style_use *use, dt_module *module,
                        dt_tensor **outputs, int count);
};

/*
 * Styles.  Along the mesh dimension,
 *
 * - dt_colwise shards the output features of a linear layer, or the columns of
 *   an embedding.  Inputs are replicated; outputs are sharded along their last
 *   dimension.
 * - dt_rowwise shards the input features of a linear layer, or the rows (the
 *   vocabulary) of an embedding.  Inputs of a linear layer are sharded along
 *   their last dimension, those of an embedding replicated; outputs are
 *   replicated, after an all-reduce.  With outputs "S(1)" it is a
 *   reduce-scatter.
 * - dt_sequence_parallel replicates parameters, and shards inputs along
 *   dimension 1, the sequence; for norms and dropout.
 * - dt_prepare_input, dt_prepare_output and dt_prepare_input_output change
 *   inputs and outputs as the rule says, and no parameter.
 * - dt_replicate_module replicates parameters.
 *
 * Any number of ranks is possible.  Features, vocabularies and heads of queries
 * that the ranks do not divide are sharded unevenly, heads never apart.  Heads
 * of keys and values that do not go with those of queries are replicated; each
 * rank then takes those that its queries need.
 */
extern DT_API const dt_style dt_colwise, dt_rowwise, dt_sequence_parallel,
    dt_prepare_input, dt_prepare_output, dt_prepare_input_output,
    dt_replicate_module;

/* Options of dt_parallelize.  Zeros are the defaults. */
typedef struct dt_parallelize_options {
    size_t size;        /* sizeof(dt_parallelize_options) */
    const char *dim;    /* mesh dimension of the styles; NULL: "tp", or the last
                           if there is none of this name */
    dt_weights weights; /* where elements come from */
    int source;         /* world rank, with DT_WEIGHTS_FROM_RANK */
    const uint64_t *seed; /* of random numbers; NULL: that of the world */
} dt_parallelize_options;

#define DT_PARALLELIZE_OPTIONS_INIT                                            \
    {                                                                          \
        sizeof(dt_parallelize_options), 0, DT_WEIGHTS_DRAWN, 0, 0              \
    }

/*
 * Apply a plan to a module: create its parameters on a mesh as the styles say,
 * and let calls redistribute inputs and outputs.  Parameters that no style
 * shards are replicated.  Along the other mesh dimensions parameters are
 * replicated and activations stay as they are: with a batch in "S(0)" along
 * "dp", this is data parallel and tensor parallel.
 *
 * Collective over the mesh.  `options` may be NULL.  Parameters that are on the
 * mesh already stay as they are.  DT_ERR_NOT_FOUND, before anything is changed,
 * if a pattern matches no module.
 */
DT_API DT_MUST_USE dt_status
dt_parallelize(dt_module *module, dt_mesh *mesh, const dt_parallel_rule *rules,
               int count, const dt_parallelize_options *options);

/*
 * The same with a plan in a JSON file: an object of patterns, each with the
 * name of a style, or an object with "style" and the lists of the rule.
 *
 *     {"layers.*.attn.w[qkv]": "colwise",
 *      "layers.*.attn.wo": {"style": "rowwise", "outputs": "S(1)"}}
 *
 * Names are those of Hugging Face: colwise, rowwise, sequence_parallel,
 * replicate, colwise_rep or colwise_gather_output (colwise with replicated
 * outputs), rowwise_rep or rowwise_split_input (rowwise with inputs that are
 * replicated before they are sharded), local_colwise, local_rowwise,
 * embedding_rowwise; and prepare_input, prepare_output, prepare_input_output.
 *
 * Collective over the mesh.  Every rank reads the file.  DT_ERR_IO or
 * DT_ERR_FORMAT if that fails.
 */
DT_API DT_MUST_USE dt_status
dt_parallelize_file(dt_module *module, dt_mesh *mesh, const char *path,
                    const dt_parallelize_options *options);

/*
 * Return the rules that make a model of dt_nn_gpt or dt_nn_llama tensor
 * parallel, with the vocabulary sharded in the embedding, the head and the
 * logits; `sequence` shards activations between blocks along the sequence too.
 *
 * Not collective.  The rules are static.
 */
DT_API const dt_parallel_rule *dt_gpt_rules(bool sequence, int *count);
DT_API const dt_parallel_rule *dt_llama_rules(bool sequence, int *count);

/*
 * Redistribute a tensor as a rule says: a layout with one placement changes the
 * mesh dimension of the styles only.  A tensor on this rank's own mesh becomes
 * one on the mesh, with the layout `from`.
 *
 * Collective over the mesh.
 */
DT_API dt_tensor *dt_redistribute_along(const dt_distribution *at,
                                        dt_tensor *tensor, const char *from,
                                        const char *layout);

DT_EXTERN_C_END

#endif
