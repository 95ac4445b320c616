/* examples/demo/demo.h - a small GPT: training it, and writing text with it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DEMO_DEMO_H
#define DEMO_DEMO_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtensor.h>

/* What the command line asks for. */
typedef struct settings {
    const char
        *mesh; /* "dp=2,tp=2"; a dimension without a size takes the rest */
    const char *text; /* file to learn from, one byte a token */
    const char *plan; /* parallel plan in JSON; NULL: the library's for GPT */
    bool sequence;    /* shard activations along the sequence too */
    int64_t width, layers, heads, context, batch;
    int64_t steps; /* to have made in the end; 0: do not train */
    double lr;
    const char *losses;  /* file to write losses to */
    const char *compare; /* file of losses of another run */
    const char *svg;     /* file to draw losses to */
    const char *folder; /* of checkpoints: continue from the latest, and save */
    int64_t every;      /* steps between checkpoints; 0: only the last */
    int64_t write;      /* characters to write at the end */
    bool report;        /* show what each module communicated */
} settings;

/* A model and all that its training needs. */
typedef struct trainer {
    const settings *asked;
    dt_world *world;
    dt_mesh *mesh;
    dt_module *model;
    dt_optimizer *optimizer;
    dt_data_parallel *buckets;
    dt_loader *loader;
    dt_state *state; /* of all of these: what checkpoints have */
    dt_array *flag;  /* whether to stop, for ranks to agree on */
    int64_t step;    /* steps made so far */
    double *losses;  /* by step */
    bool talks;      /* this is the rank that prints */
} trainer;

/* Create the model and open the text.  Collective. */
dt_status open_trainer(dt_world *world, const settings *asked, trainer *out);
void close_trainer(trainer *t);

/* Train until settings.steps steps are made, or until interrupted.  Collective.
 */
dt_status train(trainer *t);

/* Write some characters, one after another.  Collective. */
dt_status write_text(trainer *t, int64_t count);

/* The logits of tokens, (batch, time, vocabulary). */
dt_tensor *predict(trainer *t, dt_tensor *tokens);

/* Save a checkpoint, and load the latest.  Collective. */
dt_status save_checkpoint(trainer *t);
dt_status load_checkpoint(trainer *t);

/* Whether the user pressed Ctrl-C, on any rank.  Collective. */
dt_status was_interrupted(trainer *t, bool *out);

#endif
