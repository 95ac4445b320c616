/* dtensor/graph.h - programs as graphs: exported ones, and captured calls. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_GRAPH_H
#define DTENSOR_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/autograd.h>
#include <dtensor/dtype.h>
#include <dtensor/mesh.h>
#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * A graph: a program as a list of operators, each of which computes values from
 * earlier ones.  It has inputs, outputs, and a state: parameters, buffers and
 * constants.  A graph does not change once it is made; a dt_executor runs it.
 *
 * A graph belongs to its world and is released before the world closes.
 */
typedef struct dt_graph dt_graph;

/* ---- Exported programs --------------------------------------------------- */

/* Something in a file that cannot be run. */
typedef struct dt_graph_problem {
    dt_status code;
    const char *node;    /* "" if it is not about a node */
    const char *target;  /* what the node calls; "" likewise */
    const char *module;  /* qualified name of the node's module; "" likewise */
    const char *message; /* all of it, for people */
} dt_graph_problem;

/* Called for each problem; `problem` is borrowed during the call. */
typedef void (*dt_graph_problem_function)(void *arg,
                                          const dt_graph_problem *problem);

/* How dt_graph_load reads a file.  Zeros are the defaults. */
typedef struct dt_graph_load_options {
    size_t size;       /* sizeof(dt_graph_load_options) */
    const char *model; /* which of several models; NULL: the only one, or
                          "model" */
    /* Called for every problem, before the function fails; NULL: none. */
    dt_graph_problem_function on_problem;
    void *on_problem_arg; /* passed to on_problem */
    bool any_device;      /* accept tensors of other devices, as of the CPU */
    bool check_weights;   /* compare weights with their checksums too */
    /* Load a graph although operators are not supported: it can be described,
     * but not run. */
    bool keep_unsupported;
} dt_graph_load_options;

#define DT_GRAPH_LOAD_OPTIONS_INIT                                             \
    {                                                                          \
        sizeof(dt_graph_load_options), 0, 0, 0, false, false, false            \
    }

/*
 * Read a program that torch.export.save of PyTorch 2.9 or later wrote (.pt2).
 * Weights are used where they are in the file, which is mapped; the file must
 * not change while the graph or one of its arrays exists.
 *
 * Not collective.  The caller releases the graph.  `options` may be NULL.
 * DT_ERR_FORMAT if the file is damaged, DT_ERR_UNSUPPORTED if it holds what
 * cannot be run: the message has the first problems and the number of all;
 * options.on_problem gets each of them.
 */
DT_API DT_MUST_USE dt_status dt_graph_load(dt_world *world, const char *path,
                                           const dt_graph_load_options *options,
                                           dt_graph **out);

/* Add a reference; returns its argument.  Not collective.  NULL is allowed. */
DT_API dt_graph *dt_graph_retain(dt_graph *graph);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_graph_release(dt_graph *graph);

/* ---- Captured calls ------------------------------------------------------ */

/*
 * Call a function and record its calls of operators, redistributions and
 * creators of tensors as a graph, which a dt_executor runs.  `inputs` become
 * the inputs of the graph, what the function stores in `outputs` its outputs;
 * other tensors that it reads become constants of the graph, which share their
 * memory: a run sees the elements that they have then.
 *
 * Collective over the meshes that the function uses.  The function is carried
 * out, and `outputs` are its results; gradients are not recorded.  The caller
 * releases the graph.  The function must not read elements (dt_tensor_item,
 * dt_tensor_local and others, DT_ERR_INVALID), overwrite tensors, or call C
 * functions by dt_local_map (DT_ERR_UNSUPPORTED): a message names the call.
 * Random numbers are drawn anew in each run.
 */
DT_API DT_MUST_USE dt_status dt_graph_capture(
    dt_section_function function, dt_tensor *const *inputs, int input_count,
    dt_tensor **outputs, int output_count, void *arg, dt_graph **out);

/* ---- What a graph is made of --------------------------------------------- */

/* What a value is. */
typedef enum dt_graph_value_kind {
    DT_GRAPH_INPUT,     /* given to each run */
    DT_GRAPH_PARAMETER, /* learned weight */
    DT_GRAPH_BUFFER,    /* state of a module, which a run may change */
    DT_GRAPH_CONSTANT,  /* fixed when the program was exported */
    DT_GRAPH_RESULT     /* computed by a node */
} dt_graph_value_kind;

/* What an output is. */
typedef enum dt_graph_output_kind {
    DT_GRAPH_RETURNED,       /* returned to the caller */
    DT_GRAPH_BUFFER_WRITTEN, /* replaces a buffer after the run */
    DT_GRAPH_INPUT_WRITTEN   /* is written to an input after the run */
} dt_graph_output_kind;

/* Description of a value.  Texts are borrowed from the graph. */
typedef struct dt_graph_value {
    size_t size;              /* sizeof(dt_graph_value), set by the caller */
    const char *name;         /* in the program */
    dt_graph_value_kind kind; /* what it is */
    const char *path; /* qualified name of a parameter, buffer or constant; ""
                         for others */
    const char *type; /* dtype and shape, for example "f32[2, s1]", where s1 is
                         an extent that is not known before a run */
    dt_dtype dtype;   /* of its elements */
    dt_shape shape;   /* -1 where an extent is not known before a run */
    size_t bytes;     /* of its elements in the file; 0 if it has none */
} dt_graph_value;

/* Number of inputs, of returned outputs, of parameters, buffers and constants
 * together, and of nodes; 0 for NULL.  Not collective. */
DT_API int dt_graph_input_count(const dt_graph *graph);
DT_API int dt_graph_output_count(const dt_graph *graph);
DT_API int dt_graph_state_count(const dt_graph *graph);
DT_API int dt_graph_node_count(const dt_graph *graph);

/*
 * Describe an input, a returned output, or a parameter, buffer or constant by
 * its index.
 *
 * Not collective.  DT_ERR_NOT_FOUND if there is none with this index.
 */
DT_API DT_MUST_USE dt_status dt_graph_input(const dt_graph *graph, int index,
                                            dt_graph_value *out);
DT_API DT_MUST_USE dt_status dt_graph_output(const dt_graph *graph, int index,
                                             dt_graph_value *out);
DT_API DT_MUST_USE dt_status dt_graph_state(const dt_graph *graph, int index,
                                            dt_graph_value *out);

/* Description of a node.  Texts are borrowed from the graph. */
typedef struct dt_graph_node {
    size_t size;          /* sizeof(dt_graph_node), set by the caller */
    const char *name;     /* in the program */
    const char *target;   /* what the program calls, for example
                             "torch.ops.aten.mm.default" */
    const char *row_name; /* name of the row of the registry; "" if the target
                             is not supported */
    const char *module;   /* qualified name of its module; "" for the root */
} dt_graph_node;

/*
 * Describe a node by its index.
 *
 * Not collective.  DT_ERR_NOT_FOUND if there is none with this index.
 */
DT_API DT_MUST_USE dt_status dt_graph_node_at(const dt_graph *graph, int index,
                                              dt_graph_node *out);

/*
 * Describe a graph as text, JSON or in the language of Graphviz.  Writes at
 * most `size` bytes including the terminating zero; `length`, which may be
 * NULL, receives the length of the full text.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_graph_format(const dt_graph *graph,
                                             dt_graph_style style, char *text,
                                             size_t size, size_t *length);

/* ---- Passes -------------------------------------------------------------- */

/*
 * Apply passes, which rewrite a graph so that it computes the same outputs with
 * less work: "constants" computes nodes that read constants only, "views"
 * leaves out views that change nothing, "dead_code" nodes whose results are not
 * read.  `names` are separated by spaces; NULL: all, in this order.
 *
 * Not collective.  The graph stays as it is.  The caller releases `out`.
 * DT_ERR_NOT_FOUND if no pass has a name.  dtensor/sys/pass.h describes how to
 * write passes.
 */
DT_API DT_MUST_USE dt_status dt_graph_optimize(dt_graph *graph,
                                               const char *names,
                                               dt_graph **out);

/* ---- Running ------------------------------------------------------------- */

/*
 * An executor: a graph on a mesh, with its state as tensors on this mesh.
 * Buffers that the program changes keep their values from one run to the next.
 * An executor belongs to its world and is released before the world closes.
 */
typedef struct dt_executor dt_executor;

/*
 * Create an executor.
 *
 * Collective over the mesh.  The state is replicated; parameters and constants
 * share the memory of the graph.  The caller releases the executor.
 * DT_ERR_UNSUPPORTED if nodes of the graph are not supported, or if the archive
 * has no elements of a parameter.
 */
DT_API DT_MUST_USE dt_status dt_executor_create(dt_graph *graph, dt_mesh *mesh,
                                                dt_executor **out);

/* Add a reference; returns its argument.  Not collective.  NULL is allowed. */
DT_API dt_executor *dt_executor_retain(dt_executor *executor);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_executor_release(dt_executor *executor);

/*
 * Run a graph: `inputs` in any layout on the mesh, of the dtypes and shapes
 * that the graph declares.  An extent that the graph leaves open may be any
 * within its range, the same wherever its symbol occurs.  The returned outputs
 * belong to the innermost scope; `capacity` is at least dt_graph_output_count.
 *
 * Collective over the mesh.  DT_ERR_INVALID names the input that does not fit;
 * nothing was computed then.  After another failure, buffers that the program
 * writes have their values from before the run or new ones.
 */
DT_API DT_MUST_USE dt_status dt_executor_run(dt_executor *executor,
                                             dt_tensor *const *inputs,
                                             int input_count,
                                             dt_tensor **outputs, int capacity);

/*
 * Return a parameter, buffer or constant by its qualified name.
 *
 * Not collective.  Borrowed from the executor, until the next run.  NULL, with
 * the error DT_ERR_NOT_FOUND, if there is none of this name.
 */
DT_API dt_tensor *dt_executor_state(const dt_executor *executor,
                                    const char *name);

/*
 * Replace a parameter, buffer or constant by a tensor on the mesh of the
 * executor, in any layout, of the same dtype and shape.  Tied parameters are
 * replaced together.
 *
 * Not collective, but all ranks must do the same.  The tensor is retained; a
 * buffer that the program writes is copied.
 */
DT_API DT_MUST_USE dt_status dt_executor_set_state(dt_executor *executor,
                                                   const char *name,
                                                   dt_tensor *tensor);

DT_EXTERN_C_END

#endif
