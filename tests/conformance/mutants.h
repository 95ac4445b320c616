/* tests/conformance/mutants.h - operators that are wrong in one way each. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_MUTANTS_H
#define DT_TESTS_MUTANTS_H

#include <dtensor/dtensor.h>
#include <dtensor/sys/op.h>

/* What must be reported about a row.  A leak is wrong where objects are
 * counted: in debug builds. */
typedef enum verdict { GOOD, WRONG, MISSING, LEAKS } verdict;

typedef struct mutant {
    const char *name; /* what is wrong */
    verdict verdict;
    dt_op row; /* without its size */
} mutant;

extern const mutant mutants[];
extern const size_t mutant_count;

/* Release what the mutant that leaks left. */
void release_left(void);

#endif
