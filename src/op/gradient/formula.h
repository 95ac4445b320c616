/* op/gradient/formula.h - gradients of operators, read from the texts of rows.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_GRADIENT_FORMULA_H
#define DTI_OP_GRADIENT_FORMULA_H

#include "op/registry.h"

/*
 * The gradient of a row is a text with a clause for every tensor argument:
 *
 *     "self: grad * conj(other); other: grad * conj(self)"
 *     "input, weight, bias: norm_backward(grad, input, weight)"
 *     "self: scatter(zeros(self), dim, index, grad); index: none"
 *     "tensors: function()"       the row's `backward` computes it
 *     "self: function(self, result)"     and reads these
 *     "self: function(grad_out, self)"   and no other gradient
 *     "none"                      the operator is not differentiable
 *
 * It may name arguments, results (`result`, or by their names in the schema),
 * gradients of results (`grad`; `grad_values` if there are several results),
 * numbers, texts, other operators with their arguments in order or by name, and
 *
 *     + - * / and unary minus, of tensors and numbers
 *     conj(x)    the conjugate; x itself if it is real
 *     shape(x)   the global shape of a tensor
 *     dtype(x)   its dtype
 *     zeros(x)   zeros of the shape, dtype and layout of x
 *
 * A result whose gradient no clause names has none, like the statistics of a
 * norm, unless clauses name no gradient at all.
 *
 * Broadcasting and dtype promotion of inputs are undone after a formula, not in
 * it.  What the clauses name is what a call saves; a tensor inside shape, dtype
 * or zeros costs no memory.
 */

typedef enum dti_term_kind {
    DTI_TERM_LITERAL,  /* a number, text, true, false or none */
    DTI_TERM_ARGUMENT, /* an argument that is no tensor */
    DTI_TERM_INPUT,    /* a tensor argument, or a list of tensors */
    DTI_TERM_RESULT,   /* a result of the call */
    DTI_TERM_GRAD,     /* the gradient of a result */
    DTI_TERM_SHAPE,    /* of an input or a result: `of` */
    DTI_TERM_DTYPE,
    DTI_TERM_ZEROS,
    DTI_TERM_CONJ,   /* of the term first[0] */
    DTI_TERM_NUMBER, /* arithmetic of numbers, by `sign` */
    DTI_TERM_CALL    /* of an operator */
} dti_term_kind;

/* A tensor that a term is about. */
typedef struct dti_term_tensor {
    bool result; /* a result, not an argument */
    int number;  /* of the result, or of the parameter */
} dti_term_tensor;

/* A part of a formula.  Terms that it is made of have smaller numbers. */
typedef struct dti_term {
    dti_term_kind kind;
    bool tensor;         /* its value is a tensor */
    int number;          /* of the parameter, result or gradient */
    dti_term_tensor of;  /* of shape, dtype and zeros */
    char sign;           /* of arithmetic: + - * / or ~ for unary minus */
    dt_argument literal; /* texts are borrowed from `texts` of the formula */
    dti_operator *op;    /* that is called */
    bool scales;         /* the call is of mul_scalar */
    int count;           /* of terms below */
    int terms[DTI_MAX_ARGUMENTS]; /* in the order of the schema; -1: default */
} dti_term;

/* The gradients of some tensor arguments: the results of one term, or of the
 * row's function. */
typedef struct dti_clause {
    int target_count;
    int targets[DTI_MAX_RESULTS]; /* parameters */
    int term;                     /* -1: none, or by the row's function */
    bool by_function;
    uint32_t inputs;  /* parameters whose tensors it reads */
    uint32_t results; /* results that it reads */
    uint32_t grads;   /* results whose gradients it reads */
} dti_clause;

typedef struct dti_formula {
    bool differentiable; /* false: the row says "none" */
    uint32_t grads;      /* results that have a gradient */
    int clause_count;
    dti_clause clauses[DTI_MAX_ARGUMENTS];
    int clause_of[DTI_MAX_ARGUMENTS]; /* by parameter; -1 */
    int term_count;
    dti_term *terms;
    char *texts; /* a copy of the row's text, with the literals of terms */
} dti_formula;

/*
 * Read the gradient of an operator, once.  `out` receives NULL if the row says
 * nothing about gradients.
 *
 * Not collective.  Borrowed from the operator.  DT_ERR_INVALID if the text is
 * malformed; the message says where.
 */
dt_status dti_formula_of(dt_world *world, dti_operator *op,
                         const dti_formula **out);

/* Test whether a result has a gradient. */
static inline bool dti_formula_follows(const dti_formula *formula, int result)
{
    return result >= 32 || formula->grads >> result & 1;
}

/* NULL is allowed. */
void dti_formula_free(dti_formula *formula);

#endif
