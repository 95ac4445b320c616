/* dtensor/sys/op.h - operator rows, and adding operators to a world. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_OP_H
#define DTENSOR_SYS_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/array.h>
#include <dtensor/dtype.h>
#include <dtensor/number.h>
#include <dtensor/random.h>
#include <dtensor/shape.h>
#include <dtensor/spec.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/* ---- Arguments ---------------------------------------------------------- */

/* The kind of an argument, with the schema types that use it. */
typedef enum dt_argument_kind {
    DT_ARG_NONE,      /* an optional argument that is absent */
    DT_ARG_TENSOR,    /* Tensor, Tensor? */
    DT_ARG_TENSORS,   /* Tensor[], Tensor?[] */
    DT_ARG_NUMBER,    /* Number, which takes part in type promotion */
    DT_ARG_NUMBERS,   /* Number[] */
    DT_ARG_INTEGER,   /* int, bool, Dim, Dtype */
    DT_ARG_REAL,      /* float */
    DT_ARG_INTEGERS,  /* int[], Dims, Shape */
    DT_ARG_TEXT,      /* Text, Layout, Layout? */
    DT_ARG_GENERATOR, /* Generator? */
    DT_ARG_MESH,      /* Mesh, Mesh? */
    DT_ARG_ARRAY,     /* Array? */
    DT_ARG_FUNCTION   /* Function */
} dt_argument_kind;

/* A C function as an argument, for dt_local_map. */
struct dt_local_call;

/* One argument of a call.  Lists are borrowed during the call. */
typedef struct dt_argument {
    dt_argument_kind kind; /* selects the member of `as` */
    int count;             /* length of a list */
    union {
        dt_tensor *tensor;
        dt_tensor *const *tensors;
        dt_number number;
        const dt_number *numbers;
        int64_t integer;
        double real;
        const int64_t *integers;
        const char *text;
        dt_generator *generator;
        dt_mesh *mesh;
        dt_array *array;
        const struct dt_local_call *function;
    } as;
} dt_argument;

/* ---- Calls -------------------------------------------------------------- */

struct dt_op;
struct dt_schema;      /* internal */
struct dt_new_results; /* internal */

/* Where the results of a call are stored. */
typedef enum dt_variant {
    DT_VARIANT_NEW,      /* in new tensors */
    DT_VARIANT_IN_PLACE, /* in arguments of the call */
    DT_VARIANT_OUT       /* in results[0], which the caller supplies */
} dt_variant;

/*
 * One call, as the functions of a row see it.
 *
 * Input tensors are numbered in argument order.  A tensor list takes one number
 * per tensor.  An absent optional tensor takes one number and is NULL.
 */
typedef struct dt_operation {
    dt_world *world;
    const struct dt_op *op;         /* the row */
    const struct dt_schema *schema; /* parsed schema, internal */
    dt_variant variant;             /* where results are stored */
    const dt_argument *arguments;   /* all, in the order of the schema */
    int input_count;                /* number of input tensors */

    /* Global dtype, shape and strides of the inputs, for `meta`, `factors` and
     * `kernel`. */
    const dt_meta *const *metas;

    /* Global dtype, shape and strides of the results.  Set by `meta` with
     * dt_operation_add_result, read by the other functions. */
    int result_count;
    const dt_meta *results;

    /* Local arrays, for `kernel`; the specs say which shard of the global
     * tensor they are.  The arrays of `out` are allocated and uninitialised.
     * For a view they are NULL, and the kernel sets them. */
    dt_spec *const *in_specs;
    dt_array *const *in;
    dt_spec *const *out_specs;
    dt_array **out;
    /* Masks of masked partial results, set by the kernel: true for elements, or
     * rows of any number of first dimensions, that are to be zero on this rank.
     * Dispatch zeroes them after the kernel unless the row has
     * DT_OP_ZEROES_MASK. */
    dt_array **masks;
    uint64_t random_seed, random_offset; /* key of a random operator */

    /* Distributed tensors, for `compose`.  It stores the results of other
     * operators in `outputs`, at most output_room of them, and their number in
     * `result_count` if the schema returns a list.  If `variant` is
     * DT_VARIANT_IN_PLACE, it calls the other operators in place. */
    dt_tensor *const *inputs;
    dt_tensor **outputs;
    int output_room;

    bool *failed_everywhere; /* internal, for dt_operation_fail_everywhere */

    /* For the `kernel` of a view.  If the strides of the local array do not
     * allow the view although the global strides do, the kernel stores a
     * contiguous copy of in[0], of the same shape, here and returns a view of
     * that.  Dispatch writes the copy to in[0] when the view is written. */
    dt_array *copy;

    /* Internal, for dt_operation_add_result; NULL outside `meta`. */
    struct dt_new_results *new_results;

    struct dt_scratch *scratch; /* internal: arrays that the kernel made */
} dt_operation;

/*
 * Set dtype, shape and strides of the next result.
 *
 * Not collective.  DT_ERR_INVALID outside `meta`: a kernel cannot add results.
 */
DT_API DT_MUST_USE dt_status dt_operation_add_result(dt_operation *operation,
                                                     const dt_meta *meta);

/*
 * Fail with a message that begins with the operator's name; returns the code.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_operation_fail(const dt_operation *operation,
                                               dt_status code,
                                               const char *format, ...)
    DT_PRINTF(3, 4);

/*
 * Fail from a kernel in which every rank of the mesh fails in the same way, for
 * example because a replicated tensor has an invalid value.  The world stays
 * usable without dt_world_recover.
 *
 * Not collective, but every rank of the mesh must fail in this call, with this
 * function.  For an error that only some ranks detect use dt_operation_fail;
 * dispatch then tells the other ranks.
 */
DT_API DT_MUST_USE dt_status dt_operation_fail_everywhere(
    const dt_operation *operation, dt_status code, const char *format, ...)
    DT_PRINTF(3, 4);

/*
 * Return an argument of a call by its name in the schema:
 * dt_operation_argument(operation, "dim")->as.integer.
 *
 * Not collective.  Borrowed during the call.  NULL if the schema has no
 * argument of this name.
 */
DT_API const dt_argument *dt_operation_argument(const dt_operation *operation,
                                                const char *name);

/*
 * Convert a dimension that may be negative to one counted from the front.  A
 * 0-d tensor counts as having one dimension.
 *
 * Not collective.  DT_ERR_INVALID if the dimension is out of range.
 */
DT_API DT_MUST_USE dt_status dt_operation_dim(const dt_operation *operation,
                                              int64_t dim, int ndim, int *out);

/* ---- Sharding rules ----------------------------------------------------- */

/* What sharding a factor along one mesh dimension does to results that do not
 * have the factor.  Results that have it are sharded like the inputs. */
typedef enum dt_factor_kind {
    DT_FACTOR_FREE,    /* present in every result; sharding it shards them */
    DT_FACTOR_WHOLE,   /* cannot be sharded */
    DT_FACTOR_REDUCED, /* results without it become partial, by `reduce` */
    DT_FACTOR_MASKED,  /* results without it become masked partial; the kernel
                          sets the mask */
    DT_FACTOR_INSIDE   /* the kernel communicates along this factor; results
                          without it are replicated */
} dt_factor_kind;

/* Capacities of dt_factors. */
#define DT_MAX_FACTORS 32
#define DT_MAX_FACTOR_MAPS 8

/* One index of a rule, for example k in "mk,kn->mn". */
typedef struct dt_factor {
    int64_t size;        /* global extent */
    dt_factor_kind kind; /* what sharding it does */
    dt_reduce reduce;    /* if REDUCED: the reduction */
    bool others_whole; /* if REDUCED: inputs without the factor are replicated,
                          whatever the row says about partial inputs */
    int calls;         /* if INSIDE: collectives of the kernel; 0: one */
    bool exchanges; /* if INSIDE: the kernel sends elements of the inputs, each
                       to one rank */
} dt_factor;

/* The factors that a dimension consists of, the slowest first.  Without factors
 * the dimension is never sharded, for example because it is broadcast. */
typedef struct dt_factor_dim {
    int count;
    int factors[DT_MAX_NDIM]; /* numbers of factors */
} dt_factor_dim;

/* The factors of each dimension of a tensor. */
typedef struct dt_factor_map {
    dt_factor_dim dims[DT_MAX_NDIM];
} dt_factor_map;

/* The sharding rule of one call.  If there are more tensors than maps, the last
 * map applies to the remaining tensors. */
typedef struct dt_factors {
    int count;
    dt_factor factors[DT_MAX_FACTORS]; /* the first `count` are used */
    int in_count;
    dt_factor_map in[DT_MAX_FACTOR_MAPS]; /* by input */
    int out_count;
    dt_factor_map out[DT_MAX_FACTOR_MAPS]; /* by result */
    /* Ignore the row's `linear` for this call, for example because an option
     * makes it wrong. */
    bool no_linear;
    bool no_monotone; /* ignore the row's `monotone` */
    bool no_permutes; /* ignore the row's `permutes` */
    /* The order of sums inside the kernel may depend on local extents: results
     * equal those of one rank except for rounding. */
    bool near_only;
    /* Bit set of inputs whose elements are not read.  They keep their layout,
     * and other inputs are redistributed to match them. */
    unsigned unread;
    /* Bit set of tensor arguments that are partial by no sum, although `linear`
     * says so, because their conversion to the result's dtype is not linear.
     * Set by dispatch. */
    unsigned converted;
    unsigned whole;    /* bit set of results that are always replicated */
    unsigned constant; /* bit set of results that are replicated if inputs are
                          partial */
} dt_factors;

/* ---- Gradients ---------------------------------------------------------- */

/*
 * One call whose gradients are wanted, as `backward` of a row sees it.
 *
 * Everything is borrowed during the call.  Tensors that `gradient` does not
 * name are NULL in `inputs`, `results` and `arguments`.
 */
typedef struct dt_backward_call {
    dt_world *world;
    const struct dt_op *op;       /* the row */
    const dt_argument *arguments; /* all, in the order of the schema */
    int input_count;              /* number of input tensors */
    dt_tensor *const *inputs;     /* those that were saved */
    dt_spec *const *in_specs;     /* of all inputs; NULL where one is absent */
    int result_count;             /* number of results */
    dt_tensor *const *results;    /* those that were saved */
    dt_spec *const *out_specs;    /* of all results */
    dt_tensor *const *grads;      /* gradients of the results: those that
                                     `gradient` names, or all */
    const bool *wanted;           /* inputs whose gradient is wanted */
    dt_tensor **gradients; /* to be set for these; NULL: zero.  Shape and dtype
                              may be those before broadcasting and promotion */
} dt_backward_call;

/* ---- Operators ---------------------------------------------------------- */

/* Flags of a row. */
typedef enum dt_op_flags {
    DT_OP_IN_PLACE = 1, /* has an in-place variant */
    DT_OP_OUT = 2,      /* has an out variant */
    /* Results are views of the first tensor: they share its memory, or are
     * copies that are kept equal to it. */
    DT_OP_VIEW = 4,
    DT_OP_RANDOM = 8,  /* takes a key from the generator */
    DT_OP_STRICT = 16, /* fails instead of redistributing inputs */
    /* The kernel may communicate: it runs on every rank of the mesh, and with
     * meta arrays too. */
    DT_OP_COMMUNICATES = 32,
    DT_OP_BY_HAND = 64,      /* the C function is hand-written */
    DT_OP_NO_READ = 128,     /* does not read the first tensor */
    DT_OP_ZEROES_MASK = 256, /* the kernel zeroes masked elements itself */
    DT_OP_NO_DIMS = 512,     /* dims may be DT_NO_DIMS */
    DT_OP_HELPER = 1024,     /* for other operators rather than programs */
    /* Creates tensors, or moves them between layouts or between the mesh and
     * this rank.  Its `compose` is not made of other operators, and compares
     * the call among the ranks itself. */
    DT_OP_BOUNDARY = 2048
} dt_op_flags;

/*
 * An operator: a row of a table.
 *
 * `schema` has the name, arguments and results: "matmul(Tensor self, Tensor
 * other) -> Tensor".  Types are Tensor, Tensor?, Tensor[], Tensor?[], Number,
 * Number[], int, float, bool, Dim, Dims (empty: all dimensions; count -1:
 * none), int[], Shape, Dtype, Dtype?, Text, Reduction, ScatterReduction,
 * Rounding, Approximate, Generator?, Mesh, Mesh?, Layout, Layout?, Array? and
 * Function.  Arguments after "*" have defaults and are options in C.  Results
 * are "Tensor", "(Tensor values, Tensor indices)", "Tensor[]", or "()" for a
 * composition that is in-place only.  The values of float and Number arguments,
 * and of a type followed by
 * "~", do not influence shapes and layouts; all others may.
 *
 * In place, a single result overwrites the first tensor, and a list of results
 * (of a composition) the tensors of the first list.  Of several results, one
 * named "self_out" overwrites the argument `self`; one without such a name is
 * new.  An argument that is overwritten is never redistributed: if a result
 * cannot have its layout, or if two overwritten tensors share memory, the call
 * fails.  A kernel may find that such a result and its argument are the same
 * array; it must allow this element by element.  Results at the end may be
 * omitted, for example those of optional tensors that are absent.  A
 * composition none of whose results maps to an argument (or whose results are
 * "()") is in-place only.
 *
 * `rule` says how a call may be sharded along one mesh dimension.  Letters are
 * factors: "mk,kn->mn".
 * - "..." matches any number of dimensions, which are broadcast.
 * - "(ij)k->ijk" splits a dimension.  Sizes follow from dimensions that have a
 *   letter alone: in "b(gc)->bg", c is what g leaves.
 * - "m,n->(mn)" joins dimensions.  Uneven shards of m do not give shards of the
 *   joined dimension.
 * - "m?n?,mk,kn->mn": a dimension with "?" may be missing, the first one first.
 * A dimension of another extent than its factor, for example one that is
 * broadcast, is not sharded with it.  A factor that no result has is summed.
 *
 * After ";" follow marks, for a letter, for "...", for the dimensions of the
 * first tensor that an argument names (an empty list of Dims names all, a Shape
 * as many of the last as it has extents), for a tensor or for a result: "dims
 * sum, d whole, bias unread".  Several words may follow each other: "d at dim
 * masked".  For dimensions the marks are
 * - sum, max, min, product, band, bor, masked and inside: the dimensions are
 *   reduced so, and are absent from the results or have extent 1;
 * - alone: with these, inputs that lack the factor are replicated, whatever the
 *   row says about partial inputs; always so for "...";
 * - whole: cannot be sharded;
 * - gone: cannot be sharded, and absent from the results;
 * - across: like inside, but present in the results;
 * - moved: like across; the kernel sends elements to other ranks;
 * - calls 2: the number of collectives of the kernel, if it is not one;
 * - equal: cannot be sharded where the extents of inputs differ;
 * - at dim: where a letter stands among the dimensions of "...", by an argument
 *   of type Dim.  "...d->...; d at dim gone" is select.
 * For tensors they are
 * - unread: the elements are not read, and the layout does not matter;
 * - constant: a result that does not depend on partial inputs;
 * - reduced: has extent 1 where the kernel communicates;
 * - selects, of a list of integers: results whose integer is 0 are not
 * computed. A mark may hold "if train" or "unless train", of a bool or an
 * optional Tensor, and "if float": if a tensor of the call is floating-point or
 * complex.
 *
 * A tensor list has one item in the rule, for all its tensors.
 *
 * The following fields name arguments that may be partial.  They too may end
 * with a condition.  An argument that is converted to the dtype of the result
 * is partial only if the conversion keeps what the reduction gives; for example
 * no sum of integers that become floating-point, because integers wrap around.
 * - `linear`: "self*other", "input + mat1*mat2": sum and avg.  An argument that
 *   is not a tensor is a constant term.  In "self + tensor1 given tensor2",
 *   tensor2 multiplies or divides the term and is never partial.  If one term
 *   is partial all others must be: a tensor that is a term by itself is made
 *   partial, as its value on one rank and zeros on the others.  A factor is
 *   not, because 0*inf and 0/0 are NaN.
 * - `monotone`: "self other", "-self": max and min, of one argument at a time.
 *   "self if float" where integers would wrap around.
 * - `permutes`: "self other": any reduction, if all of these arguments have it,
 *   because elements are moved but not changed.
 *
 * Without `rule` and `factors`, inputs are replicated and a warning is logged.
 *
 * `gradient` has a clause for every tensor argument: "self: grad * other;
 * other: grad * self".  A clause may name arguments, results (`result`, or by
 * their names), `grad` (`grad_values` if there are several results), numbers,
 * texts in single quotes, operators with their arguments in order or by name, +
 * - * /, conj(x), shape(x), dtype(x) and zeros(x).  Tensors that it names,
 * except inside shape, dtype and zeros, are saved until the backward pass.
 * Several arguments before one colon get the results of one operator, in order.
 * "index: none" means that the argument has no gradient, "function(self)" that
 * `backward` computes it from the tensors in brackets, "none" alone that the
 * operator is not differentiable.  Gradients of broadcast and promoted
 * arguments are reduced to their shape and cast to their dtype afterwards.
 *
 * A row begins with its size, so that rows of a program that was compiled
 * against an older header can be registered: write `.size = sizeof(dt_op)` in a
 * designated initialiser, or start from DT_OP_INIT.  Rows of the library leave
 * it out.
 */
typedef struct dt_op {
    size_t size; /* sizeof(dt_op) */
    const char *schema;
    const char *aten;  /* ATen names, for example "add.Tensor add.Scalar"; NULL:
                          the operator's own name; "": ATen has none */
    const char *about; /* one sentence for the manual */
    const char *rule;
    const char *linear;
    const char *monotone;
    const char *permutes;
    unsigned flags; /* a combination of dt_op_flags */

    /* Check the call and set the results.  Required unless the row has
     * `compose`. */
    dt_status (*meta)(dt_operation *operation);

    /* Check argument values that do not influence shapes, in every call; `meta`
     * runs only when a decision is made.  Uses arguments, metas and results.
     * All ranks must come to the same conclusion.  Optional. */
    dt_status (*check)(const dt_operation *operation);

    /* Compute the rule of a call if a text cannot express it, or modify the
     * result of `rule`, which is already in `out`.  Returns DT_ERR_NOT_FOUND
     * without a message if this call has no rule. */
    dt_status (*factors)(const dt_operation *operation, dt_factors *out);

    /* Compute the local arrays of the results.  For an empty input, a reduction
     * stores its neutral element. */
    dt_status (*kernel)(dt_operation *operation);

    /* Alternative to all of these: call other operators. */
    dt_status (*compose)(dt_operation *operation);

    /* For a row with both `kernel` and `compose`: test whether a call is a
     * composition, for example because its shape depends on values.  Uses
     * inputs and arguments, and returns the same on every rank. */
    bool (*composes)(const dt_operation *operation);

    /* Floating-point operations of this rank, for predictions.  NULL: one per
     * element of the larger of inputs and results. */
    double (*work)(const dt_operation *operation);

    /* Data for the functions of the row.  May be NULL. */
    const void *data;

    /* Sample calls for tests, for example "(T[m,k], T[k,n]); (T[5], T[1])"; see
     * dtensor/sys/verify.h. */
    const char *samples;
    const char
        *dtypes; /* dtypes of T, for example "float int bool"; NULL: all */

    /* For a view: test whether the results are copies, because the global
     * strides do not allow a view, as reshape may find.  Uses arguments, metas
     * and results.  NULL: never. */
    bool (*copies)(const dt_operation *operation);

    /* What arguments mean where the name does not say it, for the header:
     * "alpha: multiplier of other; dim: dimension to split". */
    const char *arguments;

    /* How gradients of the results become gradients of the tensor arguments;
     * see above.  NULL: a composition is differentiated by the operators that
     * it calls, another row is not differentiable. */
    const char *gradient;

    /* Compute the gradients that `gradient` leaves to a function. */
    dt_status (*backward)(dt_backward_call *call);
} dt_op;

#define DT_OP_INIT                                                             \
    {                                                                          \
        sizeof(dt_op), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   \
            0, 0, 0, 0                                                         \
    }

/*
 * Add an operator to a world.
 *
 * Not collective, but all ranks must add the same operators.  The row is
 * copied; its texts and `data` must stay valid as long as the world.
 * DT_ERR_INVALID if an operator of this name exists or a text of the row is
 * malformed.
 */
DT_API DT_MUST_USE dt_status dt_op_register(dt_world *world, const dt_op *op);

/*
 * Return the row of an operator by number, from 0: first the operators of the
 * library, by family, then registered ones.
 *
 * Not collective.  Borrowed.  NULL after the last, and if memory is short.
 */
DT_API const dt_op *dt_op_at(dt_world *world, int number);

/*
 * Return the default of an argument of an operator by name:
 * dt_op_default(world, "hardtanh", "min_val", &argument) sets kind
 * DT_ARG_NUMBER and the number -1. DT_ARG_NONE means that the argument is
 * absent by default.
 *
 * Not collective.  A text in `out` is borrowed from the world.
 * DT_ERR_NOT_FOUND if there is no such operator or argument, or if the argument
 * has no default.
 */
DT_API DT_MUST_USE dt_status dt_op_default(dt_world *world, const char *name,
                                           const char *argument,
                                           dt_argument *out);

/*
 * Replace the rule of an operator in one world; it is used instead of the row's
 * `rule` and `factors`.
 *
 * Not collective, but all ranks must set the same rule.  The text must stay
 * valid as long as the world.  DT_ERR_INVALID if the rule is malformed or does
 * not match the operator, if the operator is a composition, and in a function
 * that an operator calls, such as a kernel.
 */
DT_API DT_MUST_USE dt_status dt_op_set_rule(dt_world *world, const char *name,
                                            const char *rule);

/*
 * Call an operator by name.
 *
 * Collective over the mesh of its tensors.  Arguments are in schema order,
 * including options; those omitted at the end, and options of kind DT_ARG_NONE,
 * have their defaults.  Results belong to the innermost scope.  At most
 * `capacity` results are stored, and `count` receives the number of results.  A
 * NULL tensor fails with DT_ERR_INVALID and keeps the first error.
 */
DT_API DT_MUST_USE dt_status dt_op_call(dt_world *world, const char *name,
                                        dt_variant variant,
                                        const dt_argument *arguments,
                                        int argument_count, dt_tensor **results,
                                        int capacity, int *count);

/*
 * Check a call: fail like dt_op_call would before it sends or writes anything.
 *
 * Not collective, unless this rank's memory cannot be written; the other ranks
 * are told then.  `out` is used with DT_VARIANT_OUT.  For compositions that
 * modify several tensors: check all calls, then make them.  Of a call of a
 * composition only the arguments are checked.
 */
DT_API DT_MUST_USE dt_status dt_op_check(dt_world *world, const char *name,
                                         dt_variant variant,
                                         const dt_argument *arguments,
                                         int argument_count, dt_tensor *out);

/*
 * Describe what an operator would do with these arguments: the candidates for
 * each mesh dimension with their costs, which one is chosen, and what is sent.
 * Writes at most `size` bytes including the terminating zero; `length` receives
 * the length of the full text.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_explain(dt_world *world, const char *name,
                                        const dt_argument *arguments,
                                        int argument_count, char *text,
                                        size_t size, size_t *length);

DT_EXTERN_C_END

#endif
