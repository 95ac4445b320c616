/* dtensor/module.h - modules: named trees of parameters with a forward
 * function. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_MODULE_H
#define DTENSOR_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/mesh.h>
#include <dtensor/shape.h>
#include <dtensor/state.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * A module has parameters, buffers and child modules, each with a name, and a
 * function that computes outputs from inputs.  dtensor/nn.h has layers and
 * models; programs write their own modules in the same way:
 *
 *     typedef struct pair {
 *         dt_module *up, *down;
 *     } pair;
 *
 *     static dt_tensor *forward(dt_module *module, dt_tensor *x)
 *     {
 *         const pair *self = dt_module_state(module);
 *         x = dt_relu(dt_module_call(self->up, x));
 *         return dt_module_call(self->down, x);
 *     }
 *
 *     static const dt_module_class pair_class = {
 *         .size = sizeof(dt_module_class),
 *         .name = "Pair",
 *         .state_size = sizeof(pair),
 *         .forward = forward,
 *     };
 *
 *     dt_module *module = dt_module_create(world, &pair_class);
 *     pair *self = dt_module_state(module);
 *     self->up = dt_module_add(module, "up", dt_nn_linear(world, 6, 8, NULL));
 *     self->down =
 *         dt_module_add(module, "down", dt_nn_linear(world, 8, 2, NULL));
 *
 * Its parameters are "up.weight", "up.bias", "down.weight" and "down.bias".
 * Parameters have a shape and a dtype but no elements until
 * dt_distribute_module or dt_parallelize (dtensor/parallel.h) creates them, so
 * that a model larger than the memory of one rank is created in shards.
 *
 * Functions that return a module return NULL on failure, and record the error;
 * a NULL module as an argument is passed on, so calls can be nested.  A new
 * module belongs to the innermost open scope.  dt_module_add gives it to its
 * parent instead, and dt_module_retain keeps it for the caller.
 */
typedef struct dt_module dt_module;

/*
 * A parameter or buffer of a module: a slot that holds a tensor.  Parallel
 * styles and programs may replace the tensor; optimisers and others that work
 * with parameters for longer than one step hold the slot, not the tensor.
 */
typedef struct dt_parameter dt_parameter;

/* Largest number of inputs, and of outputs, of a module. */
#define DT_MODULE_MAX_TENSORS 16

/* A kind of module.  Must stay valid while modules of the class exist. */
typedef struct dt_module_class {
    size_t size;       /* sizeof(dt_module_class) */
    const char *name;  /* for messages, for example "Linear" */
    size_t state_size; /* bytes of dt_module_state, zeros at first */
    /* Compute one output from one input.  Called by dt_module_call; NULL if the
     * class has forward_all.  Returns NULL on failure. */
    dt_tensor *(*forward)(dt_module *module, dt_tensor *input);
    /* Compute several outputs, or from several inputs, which are not NULL. */
    dt_status (*forward_all)(dt_module *module, dt_tensor *const *inputs,
                             int input_count, dt_tensor **outputs,
                             int output_count);
    /* Release what the state holds, besides children and parameters; may be
     * NULL. */
    void (*release)(dt_module *module);
} dt_module_class;

/* ---- Building ----------------------------------------------------------- */

/*
 * Create a module without parameters and children.
 *
 * Not collective, but the ranks that use a module must build it alike.  Belongs
 * to the innermost scope.
 */
DT_API dt_module *dt_module_create(dt_world *world,
                                   const dt_module_class *module_class);

/* Add a reference, so that a module outlives its scope; returns its argument.
 * Not collective.  NULL is allowed. */
DT_API dt_module *dt_module_retain(dt_module *module);

/* Drop a reference that dt_module_retain added.  Not collective.  NULL is
 * allowed. */
DT_API void dt_module_release(dt_module *module);

/*
 * Add a child, which its parent owns from then on; returns the child.
 *
 * Not collective.  The name must not contain "." and not be taken; NULL is the
 * number of children so far: "0", "1", ...  A module has one parent.  If the
 * child is NULL or cannot be added, NULL is returned and calls of the parent
 * fail.
 */
DT_API dt_module *dt_module_add(dt_module *parent, const char *name,
                                dt_module *child);

/* How the elements of a parameter are created.  Random numbers depend on the
 * seed and on the qualified name of the parameter only. */
typedef enum dt_init_kind {
    DT_INIT_ZEROS,    /* 0 */
    DT_INIT_ONES,     /* 1 */
    DT_INIT_UNIFORM,  /* uniformly distributed between a and b */
    DT_INIT_NORMAL,   /* normally distributed, with mean a and deviation b */
    DT_INIT_FUNCTION, /* by the function `make` */
} dt_init_kind;

typedef struct dt_init {
    dt_init_kind kind; /* selects which of the fields below are used */
    double a;          /* lower bound, or mean */
    double b;          /* upper bound, or standard deviation */
    /* Create the tensor in a layout; it must be the same on any mesh. */
    dt_tensor *(*make)(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                       dt_shape shape, const struct dt_init *init);
} dt_init;

/* What a parameter is for. */
typedef enum dt_parameter_kind {
    DT_PARAMETER,       /* trained */
    DT_BUFFER,          /* not trained, but part of the state */
    DT_BUFFER_TRANSIENT /* not trained and not part of the state */
} dt_parameter_kind;

/*
 * Add a parameter or buffer without elements.
 *
 * Not collective.  A module's own parameters are numbered from 0 in the order
 * in which they are added (dt_module_tensor).  Returns the slot, which the
 * module owns, or NULL on failure; then calls of the module fail.
 */
DT_API dt_parameter *dt_module_add_parameter(dt_module *module,
                                             const char *name,
                                             dt_parameter_kind kind,
                                             dt_dtype dtype, dt_shape shape,
                                             dt_init init);

/*
 * Use one parameter under two names: `name` becomes the parameter that `other`
 * names.  Both are qualified names below `module`, for example "head.weight"
 * and "embedding.weight".
 *
 * Not collective.  DT_ERR_NOT_FOUND if there is no such parameter,
 * DT_ERR_INVALID if dtypes or shapes differ.
 */
DT_API DT_MUST_USE dt_status dt_module_tie(dt_module *module, const char *name,
                                           const char *other);

/* ---- Calling ------------------------------------------------------------ */

/*
 * Compute the output of a module for one input.
 *
 * Collective over the mesh of its tensors.  The output belongs to the innermost
 * scope; what the module creates besides is released.  NULL if the input is
 * NULL or the module fails.  While it runs, messages and traces name the
 * module.
 */
DT_API dt_tensor *dt_module_call(dt_module *module, dt_tensor *input);

/*
 * Compute the outputs of a module for several inputs.
 *
 * Collective over the mesh of its tensors.  Optional inputs of a module come
 * last, and are left out by a smaller `input_count`.  On failure all outputs
 * are NULL.
 */
DT_API DT_MUST_USE dt_status dt_module_call_all(dt_module *module,
                                                dt_tensor *const *inputs,
                                                int input_count,
                                                dt_tensor **outputs,
                                                int output_count);

/* Functions that run before and after a module. */
typedef struct dt_module_hook {
    size_t size; /* sizeof(dt_module_hook) */
    /* See the inputs and replace those to be changed; may be NULL. */
    dt_status (*before)(dt_module *module, dt_tensor **inputs, int input_count,
                        void *arg);
    /* See the outputs and replace those to be changed; may be NULL. */
    dt_status (*after)(dt_module *module, dt_tensor *const *inputs,
                       int input_count, dt_tensor **outputs, int output_count,
                       void *arg);
    /* Release `arg` when the hook is removed; may be NULL. */
    void (*release)(void *arg);
    void *arg; /* passed to the functions */
} dt_module_hook;

#define DT_MODULE_HOOK_INIT                                                    \
    {                                                                          \
        sizeof(dt_module_hook), 0, 0, 0, 0                                     \
    }

/*
 * Add functions that run before and after every call of a module, after those
 * that it has.  `number`, which may be NULL, receives a number for
 * dt_module_remove_hook.
 *
 * Not collective, but all ranks must do the same.
 */
DT_API DT_MUST_USE dt_status dt_module_add_hook(dt_module *module,
                                                const dt_module_hook *hook,
                                                uint64_t *number);

/* Remove a hook.  Not collective.  DT_ERR_NOT_FOUND if the module has none of
 * this number. */
DT_API DT_MUST_USE dt_status dt_module_remove_hook(dt_module *module,
                                                   uint64_t number);

/*
 * Choose between training, the default, and evaluation, for a module and those
 * below it: dropout drops elements in training only.
 *
 * Not collective, but all ranks must do the same.
 */
DT_API void dt_module_train(dt_module *module, bool training);

/* ---- Properties --------------------------------------------------------- */

/* Not collective.  Returned pointers are borrowed.  A NULL module returns NULL,
 * "", false or 0. */
DT_API dt_world *dt_module_world(const dt_module *module);
DT_API const dt_module_class *dt_module_class_of(const dt_module *module);
DT_API void *dt_module_state(const dt_module *module);
DT_API bool dt_module_is_training(const dt_module *module);
DT_API dt_module *dt_module_parent(const dt_module *module);
DT_API const char *dt_module_name(const dt_module *module); /* in its parent */
DT_API int dt_module_child_count(const dt_module *module);
DT_API dt_module *dt_module_child(const dt_module *module, int number);

/*
 * Return the qualified name of a module in its tree, for example
 * "layers.0.attn"; "" for the root.
 *
 * Not collective.  Borrowed from the module until its tree changes.
 */
DT_API const char *dt_module_path(const dt_module *module);

/*
 * Return a module by its qualified name below `module`; "" is `module`.
 *
 * Not collective.  NULL, with an error that lists similar names, if there is
 * none.
 */
DT_API dt_module *dt_module_find(dt_module *module, const char *name);

/*
 * Return the tensor of a module's own parameter, by its number.
 *
 * Not collective.  Borrowed from the slot.  NULL, with an error, if the
 * parameter has no elements yet.
 */
DT_API dt_tensor *dt_module_tensor(const dt_module *module, int number);

/* A parameter or buffer and its qualified name. */
typedef struct dt_named_parameter {
    const char *name;        /* for example "layers.0.attn.wq.weight" */
    dt_parameter *parameter; /* the slot */
} dt_named_parameter;

/*
 * List the parameters of a module and of those below it, in the order in which
 * they were added, the module's own before those of its children.  A parameter
 * with several names is listed once, by its first name.  dt_module_buffers
 * lists buffers, of both kinds.
 *
 * Not collective.  Borrowed from the module until its tree changes.  NULL if
 * there are none or memory runs out.
 */
DT_API const dt_named_parameter *dt_module_parameters(dt_module *module,
                                                      int *count);
DT_API const dt_named_parameter *dt_module_buffers(dt_module *module,
                                                   int *count);

/*
 * Return a parameter or buffer by its qualified name below `module`.
 *
 * Not collective.  Borrowed from its module.  NULL, with an error that lists
 * similar names, if there is none.
 */
DT_API dt_parameter *dt_module_parameter(dt_module *module, const char *name);

/* ---- State -------------------------------------------------------------- */

/*
 * Add the parameters and buffers of a module and of those below it to a state,
 * by their qualified names; transient buffers are left out.  A parameter with
 * several names is added by its first.  dt_save writes the state; dt_load reads
 * elements in place, and dt_module_set_state must follow.
 *
 * Collective over the meshes of the parameters.  Tensors share memory with the
 * parameters, except those that are stored in another shape, which are copies.
 */
DT_API DT_MUST_USE dt_status dt_module_get_state(dt_module *module,
                                                 dt_state *state);

/*
 * Set the parameters and buffers of a module to the values of a state: tensors
 * on any mesh, tensors on this rank's own mesh, or arrays, of which each rank
 * has all elements.  Parameters without elements become what the state has, to
 * be distributed later with DT_WEIGHTS_EVERYWHERE or DT_WEIGHTS_FROM_RANK.
 *
 * Collective over the meshes of the parameters.  DT_ERR_INVALID, before
 * anything is changed, if shapes differ or, if `strict` is set, names are
 * missing or unexpected; the message lists all of them.  A parameter with
 * several names needs one of them.
 */
DT_API DT_MUST_USE dt_status dt_module_set_state(dt_module *module,
                                                 const dt_state *state,
                                                 bool strict);

/* ---- Communication ------------------------------------------------------- */

/* How dt_module_report describes a module. */
typedef enum dt_report_style {
    DT_REPORT_TEXT, /* a table with a line for every module */
    DT_REPORT_JSON  /* a list of objects, one for every module */
} dt_report_style;

/*
 * Describe what a module and those below it have communicated since the totals
 * were cleared (dt_trace_clear): the collectives of each module and the bytes
 * that this rank received, forward and backward apart, beside the layouts of
 * its parameters.  For example:
 *
 *     module  parameters              forward            backward
 *     Pair    -                       -                  -
 *     up      weight S(0), bias S(0)  -                  1 all-reduce 32 B
 *     down    weight S(1), bias R     1 all-reduce 32 B  -
 *
 * Totals are kept by name: modules with the same path in two trees share them.
 * Writes at most `size` bytes including the terminating zero; `length`, which
 * may be NULL, receives the length of the full text.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_module_report(dt_module *module,
                                              dt_report_style style, char *text,
                                              size_t size, size_t *length);

/* ---- Parameters --------------------------------------------------------- */

/* Add and drop a reference.  Not collective.  NULL is allowed. */
DT_API dt_parameter *dt_parameter_retain(dt_parameter *parameter);
DT_API void dt_parameter_release(dt_parameter *parameter);

/* Not collective.  Returned pointers are borrowed.  The tensor has no elements
 * until the parameter is created; it is replaced by parallel styles.  Shape is
 * that of state dicts. */
DT_API dt_tensor *dt_parameter_tensor(const dt_parameter *parameter);
DT_API dt_shape dt_parameter_shape(const dt_parameter *parameter);
DT_API dt_dtype dt_parameter_dtype(const dt_parameter *parameter);
DT_API dt_parameter_kind dt_parameter_kind_of(const dt_parameter *parameter);
DT_API bool dt_parameter_is_created(const dt_parameter *parameter);
DT_API bool dt_parameter_is_frozen(const dt_parameter *parameter);

/*
 * Replace the tensor of a parameter.  It becomes a leaf unless the parameter is
 * frozen or a buffer.
 *
 * Not collective, but all ranks of the mesh must do the same.  The slot retains
 * the tensor.  DT_ERR_INVALID if shape or dtype are not those of the parameter,
 * or if the tensor was computed from a leaf.
 */
DT_API DT_MUST_USE dt_status dt_parameter_set(dt_parameter *parameter,
                                              dt_tensor *tensor);

/*
 * Stop or resume training a parameter.  No gradient is computed for a frozen
 * one.
 *
 * Not collective, but all ranks of the mesh must do the same.  The tensor is
 * replaced by one that shares its memory.
 */
DT_API DT_MUST_USE dt_status dt_parameter_freeze(dt_parameter *parameter,
                                                 bool frozen);

DT_EXTERN_C_END

#endif
