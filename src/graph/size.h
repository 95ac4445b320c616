/* graph/size.h - sizes: numbers, or expressions over the symbols of a graph. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_SIZE_H
#define DTI_GRAPH_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/status.h>

#include "base/map.h"
#include "base/text/writer.h"
#include "graph/arena.h"

/* A size.  Zeros are the number 0. */
typedef struct dti_size {
    int expression; /* 1 + its index; 0: a number */
    int64_t number;
} dti_size;

typedef enum dti_size_op {
    DTI_SIZE_NUMBER,
    DTI_SIZE_SYMBOL,
    DTI_SIZE_ADD,
    DTI_SIZE_MUL,
    DTI_SIZE_MIN,
    DTI_SIZE_MAX,
    DTI_SIZE_FLOOR, /* quotient, rounded down */
    DTI_SIZE_CEIL,  /* quotient, rounded up */
    DTI_SIZE_MOD,   /* remainder with the sign of the divisor */
    DTI_SIZE_POW
} dti_size_op;

/* What a size is computed by; operands come before it in the table. */
typedef struct dti_expression {
    dti_size_op op;
    int a, b;       /* indexes of operands, or the symbol a */
    int64_t number; /* of DTI_SIZE_NUMBER */
} dti_expression;

/* A symbol: an extent of an input that is known when the graph runs. */
typedef struct dti_symbol {
    const char *name;
    int64_t min, max; /* what it may be */
    bool bound;       /* some input has it as an extent */
} dti_symbol;

/* The symbols and expressions of a graph.  Equal expressions are one. */
typedef struct dti_sizes {
    dti_symbol *symbols;
    int symbol_count, symbol_capacity;
    dti_expression *expressions;
    int count, capacity;
    dti_map known;
} dti_sizes;

/* Find a symbol by name, or add it; -1 without memory. */
int dti_sizes_symbol(dti_sizes *sizes, dti_arena *arena, const char *name,
                     size_t length);

/* Find or add an expression; -1 without memory.  Numbers are folded. */
int dti_sizes_add(dti_sizes *sizes, dti_arena *arena, dti_expression wanted);

/* Release what lies outside the arena. */
void dti_sizes_close(dti_sizes *sizes);

/*
 * Read an expression as PyTorch exports it, in the notation of sympy's srepr:
 * "Add(Symbol('s1', integer=True), Integer(1))".  DT_ERR_UNSUPPORTED if it has
 * a function that is not known here, DT_ERR_FORMAT if it cannot be read.
 */
dt_status dti_size_parse(dti_sizes *sizes, dti_arena *arena, const char *text,
                         size_t length, dti_size *out, dt_error *error);

/* Write a size, for example "2*s1 + 1". */
void dti_size_put(dti_writer *to, const dti_sizes *sizes, dti_size size);

/*
 * Compute all expressions from the values of symbols.  False if one overflows
 * or divides by 0: `failed` gets its index.
 */
bool dti_sizes_compute(const dti_sizes *sizes, const int64_t *symbols,
                       int64_t *values, int *failed);

/* The value of a size, given those of all expressions. */
static inline int64_t dti_size_value(dti_size size, const int64_t *values)
{
    return size.expression ? values[size.expression - 1] : size.number;
}

static inline dti_size dti_size_of(int64_t number)
{
    return (dti_size){0, number};
}

#endif
