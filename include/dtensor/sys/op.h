/* dtensor/sys/op.h - operators: what they are, and how to add one. */
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

typedef enum dt_argument_kind {
    DT_ARG_NONE,     /* an optional one that is absent */
    DT_ARG_TENSOR,   /* Tensor, Tensor? */
    DT_ARG_TENSORS,  /* Tensor[], Tensor?[] */
    DT_ARG_NUMBER,   /* Number: its kind takes part in type promotion */
    DT_ARG_NUMBERS,  /* Number[] */
    DT_ARG_INTEGER,  /* int, bool, Dim, Dtype */
    DT_ARG_REAL,     /* float */
    DT_ARG_INTEGERS, /* int[], Dims, Shape */
    DT_ARG_TEXT,     /* Text */
    DT_ARG_GENERATOR /* Generator? */
} dt_argument_kind;

/* One argument of a call.  Lists are borrowed for the call. */
typedef struct dt_argument {
    dt_argument_kind kind;
    int count; /* of tensors, numbers or integers */
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
    } as;
} dt_argument;

/* ---- One call, as an operator's functions see it ------------------------ */

struct dt_op;
struct dti_schema;

/* Where the results of a call go. */
typedef enum dt_variant {
    DT_VARIANT_NEW,      /* to new tensors */
    DT_VARIANT_IN_PLACE, /* to tensors of the call */
    DT_VARIANT_OUT       /* to results[0], which is given */
} dt_variant;

/*
 * Tensors are numbered through all arguments in their order: a list takes as
 * many numbers as it has tensors, an optional one that is absent takes one, and
 * NULL stands for it.
 */
typedef struct dt_operation {
    dt_world *world;
    const struct dt_op *op;
    const struct dti_schema *schema; /* for the library: what was read of it */
    dt_variant variant;
    const dt_argument *arguments; /* all of the schema, in its order */
    int input_count;

    /* What the inputs are as wholes: for `meta`, `factors` and `kernel`. */
    const dt_meta *const *metas;

    /* What the results are as wholes: set by `meta` with
     * dt_operation_add_result, read by the others. */
    int result_count;
    const dt_meta *results;

    /* This rank's parts: for `kernel`.  Specs say which part of what they are.
     * `out` is there already, not set, unless the operator is a view: then the
     * kernel puts arrays there. */
    dt_spec *const *in_specs;
    dt_array *const *in;
    dt_spec *const *out_specs;
    dt_array **out;
    dt_array **masks; /* of masked partial results: put there by the kernel,
                         true for elements, or rows of any number of first
                         dimensions, that are set to zero after it, unless
                         it does that (DT_OP_ZEROES_MASK) */
    uint64_t random_seed, random_offset; /* of random operators: the key */

    /* Whole tensors: for `compose`, which puts results of other operators into
     * `outputs`, as many as there is room for, and their number into
     * `result_count` if it is a list.  If `variant` is DT_VARIANT_IN_PLACE, it
     * calls others in place. */
    dt_tensor *const *inputs;
    dt_tensor **outputs;
    int output_room;

    bool *failed_everywhere; /* for dt_operation_fail_everywhere */

    /* Of a view, for `kernel`: where the strides of this rank's part do not
     * allow it, although those of the global tensor do, the kernel puts a dense
     * copy of in[0] here, of the same shape, and views that.  The library
     * writes it back when the view is written. */
    dt_array *copy;
} dt_operation;

/* Say what the next result is.  Not collective. */
DT_API DT_MUST_USE dt_status dt_operation_add_result(dt_operation *operation,
                                                     const dt_meta *meta);

/*
 * Fail with a sentence that begins with the operator's name; gives the code.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_operation_fail(const dt_operation *operation,
                                               dt_status code,
                                               const char *format, ...)
    DT_PRINTF(3, 4);

/*
 * The same, from a kernel that fails alike on every rank of the mesh, for
 * example because a replicated tensor has a value that is not allowed: no rank
 * is told, and the world stays usable without dt_world_recover.
 *
 * Not collective, but every rank of the mesh fails in this call, by this
 * function.  What only some ranks can know is for dt_operation_fail, after
 * which dispatch tells the others.
 */
DT_API DT_MUST_USE dt_status dt_operation_fail_everywhere(
    const dt_operation *operation, dt_status code, const char *format, ...)
    DT_PRINTF(3, 4);

/*
 * Give a dimension counted from the front; DT_ERR_INVALID names it if a tensor
 * of `ndim` dimensions has none such.  A 0-d tensor counts as having one.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_operation_dim(const dt_operation *operation,
                                              int64_t dim, int ndim, int *out);

/* ---- Sharding rules ----------------------------------------------------- */

/* What cutting a factor along one mesh dimension does to results that do not
 * have it; those that have it are cut as inputs are. */
typedef enum dt_factor_kind {
    DT_FACTOR_FREE,    /* there are none: all have it */
    DT_FACTOR_WHOLE,   /* it cannot be cut */
    DT_FACTOR_REDUCED, /* they become partial, by `reduce` */
    DT_FACTOR_MASKED,  /* they become masked partial; the kernel makes the mask
                        */
    DT_FACTOR_INSIDE   /* the kernel talks to the others; they are whole */
} dt_factor_kind;

#define DT_MAX_FACTORS 32
#define DT_MAX_FACTOR_MAPS 8

typedef struct dt_factor {
    int64_t size;
    dt_factor_kind kind;
    dt_reduce reduce;
    bool others_whole; /* if REDUCED: inputs without it are whole, whatever the
                          row says of partial ones */
    int calls;         /* if INSIDE: how often the kernel talks; 0: once */
    bool exchanges;    /* if INSIDE: of elements of the inputs, each of which
                          goes to one rank */
} dt_factor;

/* The factors that a dimension is made of, the major one first; none: it is
 * whole on every rank (broadcast, or of no concern). */
typedef struct dt_factor_dim {
    int count;
    int factors[DT_MAX_NDIM];
} dt_factor_dim;

typedef struct dt_factor_map {
    dt_factor_dim dims[DT_MAX_NDIM];
} dt_factor_map;

/* A rule for one call: of more tensors than there are maps, the last map is
 * that of all others. */
typedef struct dt_factors {
    int count;
    dt_factor factors[DT_MAX_FACTORS];
    int in_count;
    dt_factor_map in[DT_MAX_FACTOR_MAPS];
    int out_count;
    dt_factor_map out[DT_MAX_FACTOR_MAPS];
    bool no_linear; /* what the row says of partial inputs is not so here */
    bool no_monotone;
    bool no_permutes;
    bool near_only;    /* sums inside, whose order may depend on the extents of
                          parts: results are those of one rank but for rounding */
    unsigned unread;   /* inputs, a bit each, whose values do not matter: they
                          stay where they lie, and other inputs go there */
    unsigned whole;    /* results that are whole on every rank, always */
    unsigned constant; /* results that are whole if inputs are partial */
} dt_factors;

/* ---- Operators ---------------------------------------------------------- */

typedef enum dt_op_flags {
    DT_OP_IN_PLACE = 1, /* has a variant that overwrites tensors it is given */
    DT_OP_OUT = 2,      /* has a variant that writes to a given tensor */
    DT_OP_VIEW = 4,     /* results are views of the first tensor: they share its
                           memory, or are copies that are kept equal to it */
    DT_OP_RANDOM = 8,   /* takes a key from the generator */
    DT_OP_STRICT = 16,  /* its inputs are never redistributed: an error */
    DT_OP_COMMUNICATES = 32, /* the kernel may call other ranks: it runs on
                         every rank of the mesh, with meta arrays too */
    DT_OP_BY_HAND = 64,      /* its function in C is not written from the row */
    DT_OP_NO_READ = 128,     /* of the first tensor no element is read */
    DT_OP_ZEROES_MASK = 256, /* the kernel sets what it masks to zero itself */
    DT_OP_NO_DIMS = 512      /* its dims may be DT_NO_DIMS */
} dt_op_flags;

/*
 * An operator: a row of a table.
 *
 * `schema`: "matmul(Tensor self, Tensor other) -> Tensor".  Types: Tensor,
 * Tensor?, Tensor[], Tensor?[], Number, Number[], int, float, bool, Dim, Dims
 * (all if empty; none if their count is -1), int[], Shape, Dtype, Dtype?, Text,
 * Generator?.  Arguments after "*" have defaults and are options in C. Results:
 * "Tensor", "(Tensor values, Tensor indices)", "Tensor[]", and "()" of a
 * composition that works in place alone.  The values of float and Number, and
 * of a type followed by "~", do not decide about shapes and layouts; all others
 * do.
 *
 * In place, a single result overwrites the first tensor, and the tensors of a
 * list (of a composition) those of the first list.  Of several results, one
 * named "self_out" overwrites the argument `self`, and one whose name says no
 * such thing is new.  What is overwritten is never redistributed; where a
 * result cannot lie as it does, the call fails, and so it does if two such
 * tensors have memory in common.  A kernel may find that such a result is its
 * argument, element by element.  Results at the end may be left out, as those
 * of optional tensors that are absent.  A composition without a result that
 * becomes of an argument, as one with "()", works in place alone.
 *
 * `rule` says what may be cut, for one mesh dimension at a time, in letters
 * that stand for extents: "mk,kn->mn".  "..." are dimensions that are
 * broadcast, "(ij)k->ijk" takes one apart.  A letter that no result has is
 * summed.  Behind a ";" follow marks, "dims sum, d whole": what a letter, or
 * the dimensions that an argument names in the "..." of the first tensor, are.
 * Marks are sum, max, min, product, band, bor, masked and inside, for which the
 * named dimensions are gone from the results or of extent 1; whole; gone:
 * whole, and gone from the results; and across: inside, and not gone from the
 * results.  A list has one item for all its tensors.
 *
 * Partial inputs pass where these say so, in names of arguments:
 * `linear`: "self*other", "input + mat1*mat2": sums and averages; an argument
 * that is no tensor is a constant term; "self + tensor1 given tensor2" names
 * what multiplies or divides a term and never is partial itself.  If one term
 * is partial the others have to be: a tensor that is a whole term is made so,
 * as a value and zeros; a factor is not, since 0*inf and 0/0 are NaN.
 * `monotone`: "self other", "-self":
 * max and min, of one argument at a time; `permutes`: "self other": partial
 * values of every kind, if all of these have it: elements are moved, not
 * changed.
 *
 * Without any of `rule` and `factors`, inputs are replicated, with a warning.
 */
typedef struct dt_op {
    const char *schema;
    const char *aten;  /* ATen's names for it: "add.Tensor add.Scalar" */
    const char *about; /* one sentence for the manual */
    const char *rule;
    const char *linear;
    const char *monotone;
    const char *permutes;
    unsigned flags;

    /* Check the call and say what the results are.  Needed but by
     * compositions. */
    dt_status (*meta)(dt_operation *operation);

    /* Check, in every call, the values that do not decide, which `meta` is not
     * asked about again; from arguments, metas and results.  What is wrong is
     * wrong on every rank, and nothing was sent.  May be NULL. */
    dt_status (*check)(const dt_operation *operation);

    /* Give the rule of this call, where a text cannot say it; or change what
     * `rule` gave, which is there already.  DT_ERR_NOT_FOUND without a
     * sentence: there is none for this call. */
    dt_status (*factors)(const dt_operation *operation, dt_factors *out);

    /* Compute this rank's parts of the results.  An empty part of a reduction
     * gives what changes nothing. */
    dt_status (*kernel)(dt_operation *operation);

    /* Instead of all these: call other operators. */
    dt_status (*compose)(dt_operation *operation);

    /* Of a row that has both, `kernel` and `compose`: tell whether a call is a
     * composition, as those are whose shape depends on values; from inputs and
     * arguments.  The same on every rank. */
    bool (*composes)(const dt_operation *operation);

    /* Floating-point operations of this rank's part, for predictions; may be
     * NULL: one for each element of the larger side. */
    double (*work)(const dt_operation *operation);

    /* What the functions of the row want to know of it; theirs.  May be NULL.
     */
    const void *data;

    /* Calls to try it with: "(T[m,k], T[k,n]); (T[5], T[1])", see
     * tests/conformance/README.md. */
    const char *samples;
    const char *dtypes; /* of T: "float", "float int bool"; all if NULL */

    /* Of a view: tell whether the results are copies nevertheless, because the
     * strides of the global tensor do not allow a view, as those of reshape may
     * not; from arguments, metas and results.  May be NULL: never. */
    bool (*copies)(const dt_operation *operation);
} dt_op;

/*
 * Add an operator to a world.
 *
 * Not collective, but every rank adds the same ones.  The row lives as long as
 * the world.  DT_ERR_INVALID if there is one of that name, or a text in the row
 * cannot be read.
 */
DT_API DT_MUST_USE dt_status dt_op_register(dt_world *world, const dt_op *op);

/*
 * Give the row of an operator by its number, from 0 on: those of the library by
 * families, then those that were added.
 *
 * Not collective.  Borrowed.  NULL behind the last.
 */
DT_API const dt_op *dt_op_at(dt_world *world, int number);

/*
 * Give an operator another rule, in the world alone, in place of its text and
 * its function.
 *
 * Not collective, but every rank sets the same one.  The text lives as long as
 * the world.  DT_ERR_INVALID if it is no rule for this operator, or if the
 * operator has none of its own because it calls others.
 */
DT_API DT_MUST_USE dt_status dt_op_set_rule(dt_world *world, const char *name,
                                            const char *rule);

/*
 * Call an operator by its name.
 *
 * Collective over the mesh of its tensors.  Arguments in the order of the
 * schema, options included.  Results belong to the innermost scope; `room` is
 * how many fit, and `count` gets how many there are.  A NULL tensor gives
 * DT_ERR_INVALID and keeps the first error.
 */
DT_API DT_MUST_USE dt_status dt_op_call(dt_world *world, const char *name,
                                        dt_variant variant,
                                        const dt_argument *arguments,
                                        int argument_count, dt_tensor **results,
                                        int room, int *count);

/*
 * Check a call: fail as dt_op_call would before it sends and writes anything.
 *
 * Not collective but where this rank's memory alone cannot be written, which
 * the others are told.  `out` is given for DT_VARIANT_OUT.  For compositions
 * that change several tensors: check all calls, then make them.  A call of a
 * composition is not checked further than its arguments.
 */
DT_API DT_MUST_USE dt_status dt_op_check(dt_world *world, const char *name,
                                         dt_variant variant,
                                         const dt_argument *arguments,
                                         int argument_count, dt_tensor *out);

/*
 * Write what an operator would do with these arguments: the candidates for each
 * mesh dimension, what they cost, which one is taken and what is sent; at most
 * `size` bytes with the final zero.  `length` gets that of the whole text.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_explain(dt_world *world, const char *name,
                                        const dt_argument *arguments,
                                        int argument_count, char *text,
                                        size_t size, size_t *length);

DT_EXTERN_C_END

#endif
