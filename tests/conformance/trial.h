/* tests/conformance/trial.h - a sample with sizes and a dtype: one call, and
 * what it gives on one rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_TRIAL_H
#define DT_TESTS_TRIAL_H

#include "conformance/sample.h"
#include "conformance/values.h"
#include "op/propagate/propagate.h"
#include "op/registry.h"

#define MAX_INPUTS 16
#define MAX_RESULTS 16

/* How the letters of a sample are chosen. */
typedef enum draw {
    DRAW_UNEVEN,  /* parts of different sizes */
    DRAW_EVEN,    /* multiples of the ranks */
    DRAW_SMALLER, /* less than the ranks */
    DRAW_ZERO,    /* one of them is 0, the others uneven */
    DRAW_ONE,     /* one of them is 1, the others uneven */
    DRAW_RANDOM,
    DRAW_COUNT
} draw;

/*
 * A call.  Inputs are numbered through all arguments, as in dt_operation.  It
 * points into itself: not to be copied.
 */
typedef struct trial {
    dt_world *world;
    const dti_operator *op;
    const sample *from;
    dt_dtype dtype; /* that T stands for */
    specials special;
    unsigned long long salt; /* of specials */
    int64_t letters[SAMPLE_LETTERS];
    dt_generator *generator; /* retained */
    int input_count;
    input_facts inputs[MAX_INPUTS];
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    int64_t integers[DTI_MAX_ARGUMENTS][SAMPLE_LIST];
    dt_number numbers[DTI_MAX_ARGUMENTS][SAMPLE_LIST];
    dt_tensor *tensors[MAX_INPUTS]; /* of the call that is made */

    /* On one rank. */
    dt_status status;
    int result_count;
    dt_meta results[MAX_RESULTS];
    elements wholes[MAX_RESULTS];
    bool has_factors;
    dt_factors factors;
} trial;

/* What a sample is tried with. */
typedef struct trial_options {
    dt_dtype dtype; /* that T stands for */
    const int64_t *letters;
    specials special;        /* if all, some inputs have them */
    unsigned long long salt; /* which inputs, and which elements */
} trial_options;

/* The next number of a small generator, the same on every rank. */
unsigned long long draw_number(unsigned long long *state);

/* Choose sizes for letters, for this many ranks. */
void draw_letters(draw kind, unsigned letters, int ranks,
                  unsigned long long *random, int64_t *out);

/*
 * Make a call and run it on this rank alone.  False if it is too large or makes
 * no sense; free it in any case.
 *
 * Not collective.
 */
bool trial_make(dt_world *world, const dti_operator *op, const sample *from,
                const trial_options *with, trial *out);
void trial_free(trial *of);

/* Run it with these tensors, to new ones or in another form; results[0] is what
 * is given for DT_VARIANT_OUT.  Collective over their mesh. */
dt_status trial_call(trial *of, dt_variant form, dt_tensor *const *inputs,
                     dt_tensor **results, int *count);

/* How near results have to be with inputs in these layouts. */
nearness trial_nearness(const trial *of, const dt_layout *layouts);

/* The question of which layouts it runs in; `operation` and `metas` have room
 * for what it points to. */
dti_question trial_question(const trial *of, const dt_mesh *mesh,
                            const dt_layout *layouts, dt_operation *operation,
                            const dt_meta **metas);

/* Write the call, and the layouts of its inputs unless there are none. */
void trial_show(const trial *of, const dt_mesh *mesh, const dt_layout *layouts,
                char *text, size_t size);

#endif
