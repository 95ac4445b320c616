/* verify/trial.h - a sample with sizes and a dtype: one call, and
 * what it gives on one rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_VERIFY_TRIAL_H
#define DTI_VERIFY_TRIAL_H

#include "base/text/writer.h"
#include "op/propagate/propagate.h"
#include "op/registry.h"
#include "verify/sample.h"
#include "verify/values.h"

#define DTI_TRIAL_INPUTS 16
#define DTI_TRIAL_RESULTS 16

/* How the letters of a sample are chosen. */
typedef enum dti_draw {
    DTI_DRAW_UNEVEN,  /* parts of different sizes */
    DTI_DRAW_EVEN,    /* multiples of the ranks */
    DTI_DRAW_SMALLER, /* less than the ranks */
    DTI_DRAW_ZERO,    /* one of them is 0, the others uneven */
    DTI_DRAW_ONE,     /* one of them is 1, the others uneven */
    DTI_DRAW_RANDOM,
    DTI_DRAW_COUNT
} dti_draw;

/*
 * A call.  Inputs are numbered through all arguments, as in dt_operation.  It
 * points into itself: not to be copied.
 */
typedef struct dti_trial {
    dt_world *world;
    const dti_operator *op;
    const dti_sample *from;
    dt_dtype dtype; /* that T stands for */
    dti_specials special;
    unsigned long long salt; /* of specials */
    int64_t letters[DTI_SAMPLE_LETTERS];
    int64_t most;            /* elements that an input may have */
    dt_generator *generator; /* retained */
    int input_count;
    dti_trial_input inputs[DTI_TRIAL_INPUTS];
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    int64_t integers[DTI_MAX_ARGUMENTS][DTI_SAMPLE_LIST];
    dt_number numbers[DTI_MAX_ARGUMENTS][DTI_SAMPLE_LIST];
    dt_tensor *tensors[DTI_TRIAL_INPUTS]; /* of the call that is made */

    /* On one rank. */
    dt_status status;
    dt_error error; /* if the call failed */
    int result_count;
    dt_meta results[DTI_TRIAL_RESULTS];
    dti_elements wholes[DTI_TRIAL_RESULTS];
    bool has_factors;
    dt_factors factors;
} dti_trial;

/* What a sample is tried with. */
typedef struct dti_trial_options {
    dt_dtype dtype; /* that T stands for */
    const int64_t *letters;
    dti_specials special;    /* if all, some inputs have them */
    unsigned long long salt; /* which inputs, and which elements */
    int64_t most;            /* elements of an input; 0: as usual */
} dti_trial_options;

/* The next number of a small generator, the same on every rank. */
unsigned long long dti_draw_number(unsigned long long *state);

/* Choose sizes for letters, for this many ranks. */
void dti_draw_letters(dti_draw kind, unsigned letters, int ranks,
                      unsigned long long *random, int64_t *out);

/* Make a call.  False if it is too large or makes no sense; free it in any
 * case.  Not collective. */
bool dti_trial_describe(dt_world *world, const dti_operator *op,
                        const dti_sample *from, const dti_trial_options *with,
                        dti_trial *out);

/*
 * Make a call and run it on this rank alone.  False if it is too large or makes
 * no sense; free it in any case.
 *
 * Not collective.
 */
bool dti_trial_make(dt_world *world, const dti_operator *op,
                    const dti_sample *from, const dti_trial_options *with,
                    dti_trial *out);
void dti_trial_free(dti_trial *of);

/* Run it with these tensors, to new ones or in another form; results[0] is what
 * is given for DT_VARIANT_OUT.  Collective over their mesh. */
dt_status dti_trial_call(dti_trial *of, dt_variant form,
                         dt_tensor *const *inputs, dt_tensor **results,
                         int *count);

/* The input that a result overwrites in place; -1: none. */
int dti_trial_overwritten(const dti_trial *of, int result);

/* Tell whether the call can be made in a form, with inputs that hold the
 * results in place. */
bool dti_trial_has_form(const dti_trial *of, dt_variant form);

/* An input on this rank alone.  It belongs to the innermost scope; NULL if it
 * is absent, or with an error of the world.  Not collective. */
dt_tensor *dti_trial_own_tensor(dt_world *world, const dti_trial_input *input);

/* How near results have to be with inputs in these layouts. */
dti_nearness dti_trial_nearness(const dti_trial *of, const dt_layout *layouts);

/* The question of which layouts it runs in; `operation` and `metas` have room
 * for what it points to. */
dti_question dti_trial_question(const dti_trial *of, const dt_mesh *mesh,
                                const dt_layout *layouts,
                                dt_operation *operation, const dt_meta **metas);

/* Write the call, and the layouts of its inputs unless `layouts` is NULL. */
void dti_trial_show(const dti_trial *of, const dt_mesh *mesh,
                    const dt_layout *layouts, dti_writer *to);

#endif
