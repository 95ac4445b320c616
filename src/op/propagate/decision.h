/* op/propagate/decision.h - what a call does, worked out once for calls like
 * it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_PROPAGATE_DECISION_H
#define DTI_OP_PROPAGATE_DECISION_H

#include "base/text/writer.h"
#include "op/registry.h"
#include "redistribute/plan.h"
#include "tensor/tensor.h"

/* A call that is to be decided: what it is given, and what of that decides. */
typedef struct dti_request {
    dt_world *world;
    dti_operator *op;
    dt_variant variant;
    bool replicates; /* tensors of this rank's own mesh are taken as replicated
                      */
    const dt_argument *arguments;
    int input_count;
    dt_tensor *const *inputs;
    dt_tensor *out;          /* that is given; NULL but for DT_VARIANT_OUT */
    dt_generator *generator; /* of a random call that is decided */
    uint64_t hash;
    int word_count;
    const uint64_t *words; /* the values of arguments that decide */
} dti_request;

/* How an input comes to lie where it is wanted. */
typedef struct dti_input {
    dt_spec *given; /* of the tensor; retained; NULL if it is absent */
    dt_spec *from;  /* retained: the same, a mask read as a sum, on the mesh of
                       the call */
    dt_plan *plan;  /* retained; NULL: nothing is to be done */
} dti_input;

/*
 * The decision for calls of an operator with inputs of the same specs and with
 * the same words.  Never changes but for `used`.
 */
typedef struct dti_decision {
    const dti_operator *op;
    uint64_t hash;
    uint64_t agreed; /* a hash of all this that is the same on every rank */
    dt_variant variant;
    bool replicates;
    bool used;      /* since the last sweep */
    bool arranged;  /* some input has a plan */
    bool sends;     /* and it sends something */
    bool copies;    /* of a view: strides make the results copies */
    dt_mesh *mesh;  /* of the call; borrowed from a spec */
    dt_spec *out;   /* that is given; retained */
    double seconds; /* of all plans */
    int input_count;
    dti_input *inputs;
    dt_spec **in_specs; /* where inputs are wanted; retained; NULL: absent */
    const dt_meta **metas;
    int result_count;
    dt_spec **out_specs; /* retained */
    dt_array *forms;     /* of this rank's parts of results */
    dt_meta *results;
    int word_count;
    uint64_t *words;
} dti_decision;

/*
 * Decide about a call, from what is known or anew.
 *
 * Not collective, and the same on every rank.  Borrowed until the next call.
 * What is wrong with the call is found here.
 */
dt_status dti_decide(dti_operators *all, const dti_request *request,
                     const dti_decision **out);

/* The tensor that a result of a call is written to; NULL: a new one. */
static inline dt_tensor *dti_request_target(const dti_request *request,
                                            int result)
{
    const dti_schema *schema = &request->op->schema;
    if (request->variant == DT_VARIANT_OUT)
        return request->out;
    if (request->variant == DT_VARIANT_NEW || result >= DTI_MAX_RESULTS ||
        schema->overwrites[result] < 0)
        return NULL;
    return request->inputs[schema->overwrites[result]];
}

/* The first input whose elements are read. */
static inline int dti_first_read(const dt_op *op)
{
    return op->flags & DT_OP_NO_READ ? 1 : 0;
}

/* Tell whether a call overwrites tensors: what a view in place overwrites is
 * the tensor, not its elements. */
static inline bool dti_request_writes(const dti_request *request)
{
    return request->variant != DT_VARIANT_NEW &&
           !(request->op->op->flags & DT_OP_VIEW);
}

/* Decide about a call anew, whatever is known.  The caller frees it. */
dt_status dti_decide_anew(const dti_request *request, dti_decision **out);

void dti_decision_free(dti_decision *decision);

/* Write how a call is decided. */
dt_status dti_decide_aloud(const dti_request *request, dti_writer *out);

/* The name of the argument that an input is, for sentences. */
typedef struct dti_input_text {
    char text[DTI_NAME_SIZE + 16];
} dti_input_text;

dti_input_text dti_input_show(const dti_request *request, int input);

/* The argument that an input belongs to, and its place in that if it is a
 * list. */
const dti_parameter *dti_input_parameter(const dti_request *request, int input,
                                         int *place);

#endif
