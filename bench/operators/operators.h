/* bench/operators/operators.h - calls of operators that are timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_OPERATORS_OPERATORS_H
#define BENCH_OPERATORS_OPERATORS_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/dtensor.h>

#include "bench/bench.h"

/*
 * What calls take.  The matrices are square, and f32 ones have as many bytes as
 * the case is named after: the side n is 32, 256 or 4096.  operands.c makes
 * them, and the peer by the same names.
 */
typedef enum bench_operand {
    OPERAND_NONE,
    OPERAND_A, /* normal */
    OPERAND_B,
    OPERAND_C,
    OPERAND_D,
    OPERAND_POSITIVE, /* uniform between 0.5 and 1.5 */
    OPERAND_UNIT,     /* uniform between 0 and 1 */
    OPERAND_TARGET,   /* the same again */
    OPERAND_ROW,      /* (n) */
    OPERAND_ROW2,
    OPERAND_COLUMN, /* (n, 1) */
    OPERAND_MASK,   /* bool */
    OPERAND_INDEX,  /* i64 below n */
    OPERAND_ROWS,   /* (n) of these */
    OPERAND_PLACES, /* (n * n) of these */
    OPERAND_BF16,
    OPERAND_F16,
    OPERAND_F64,
    OPERAND_I32,
    OPERAND_SHORT, /* (4n, n / 4): short rows */
    OPERAND_LONG,  /* (n * n) */
    OPERAND_LONG2,
    OPERAND_WEIGHT, /* (m, n), m at most 512 */
    OPERAND_OUTER,  /* (n, m) */
    OPERAND_BATCH,  /* (b, k, k) */
    OPERAND_BATCH2,
    OPERAND_QUERY, /* (b, h, l, d) */
    OPERAND_KEY,
    OPERAND_VALUE,
    OPERAND_LATEST,  /* (b, h, 1, d): one query */
    OPERAND_ONE,     /* (1, n) */
    OPERAND_FOUR,    /* (4, n) */
    OPERAND_SIXTEEN, /* (16, n) */
    OPERAND_ZEROS,   /* states of an optimiser */
    OPERAND_ZEROS2,
    OPERAND_STEP, /* f32 () */
    OPERAND_COUNT
} bench_operand;

extern const char *const bench_operand_names[OPERAND_COUNT];

/* Make an operand for a size in bytes; NULL on failure. */
dt_tensor *bench_operand_make(dt_mesh *mesh, bench_operand which, size_t bytes);

#define BENCH_MAX_OPERANDS 8

/*
 * A call: exactly one of the functions is set.  The peer knows it by its name.
 */
typedef struct bench_operator {
    const char *name;
    bench_operand takes[BENCH_MAX_OPERANDS]; /* A, and B if `two`, if not set */
    dt_tensor *(*one)(dt_tensor *self);
    dt_tensor *(*two)(dt_tensor *self, dt_tensor *other);
    dt_tensor *(*number)(dt_tensor *self, dt_number other); /* 1.5 */
    bool (*call)(dt_tensor *const *in); /* false if it failed */
    size_t at_most; /* bytes; 0: any.  What takes minutes is not timed. */
} bench_operator;

/* Rows that end with one without a name. */
typedef struct bench_family {
    const char *name;
    const bench_operator *operators;
} bench_family;

/* All families, ending with one without a name. */
extern const bench_family bench_families[];

/* How many threads compute, ours and the peer's. */
typedef struct bench_threads {
    int count;
    size_t least_bytes; /* of cases */
    /* The least ratio to one thread, by the names of family and case. */
    double (*bar)(const char *family, const char *name);
} bench_threads;

/* Time all families.  One thread is timed by the processor's time, so that
 * others on the machine take little part; several by the time that passes. */
dt_status bench_operators_run(bench_run *run, const bench_threads *threads);

/* Families of the files in bench/operators. */
extern const bench_operator bench_arithmetic[], bench_mixed[],
    bench_functions[], bench_activation[], bench_compare[], bench_cast[],
    bench_copy[], bench_reduce[], bench_order[], bench_softmax[], bench_norm[],
    bench_loss[], bench_embedding[], bench_index[], bench_product[],
    bench_attention[], bench_optimizer[], bench_random[];

/* Release a result as a program that is done with it does; false if there is
 * none. */
static inline bool bench_drop(dt_tensor *result)
{
    dt_tensor_release_early(result);
    return result != NULL;
}

#endif
