/* op/propagate/propagate.h - which layouts an operator runs in. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_PROPAGATE_PROPAGATE_H
#define DTI_OP_PROPAGATE_PROPAGATE_H

#include "layout/spec.h"
#include "op/rule/rule.h"

/* A call, and where its inputs lie. */
typedef struct dti_question {
    const dti_passes *passes;
    const dt_operation *operation; /* metas and results are set */
    const dt_factors *factors;     /* NULL: nothing may be cut */
    int tensor_count;              /* tensor parameters */
    const dt_mesh *mesh;
    const dt_layout *layouts; /* of the inputs; no masks in them */
    const dt_layout *targets[DTI_MAX_RESULTS]; /* that results must have; NULL:
                                                  any */
    unsigned keeps; /* inputs that must stay where they are, as bits */
} dti_question;

typedef enum dti_candidate_kind {
    DTI_WHOLE,  /* everything is replicated */
    DTI_CUT,    /* a factor is cut */
    DTI_PARTIAL /* inputs are partial, and so are results */
} dti_candidate_kind;

/* What may be done along one mesh dimension. */
typedef struct dti_candidate {
    dti_candidate_kind kind;
    int factor;       /* that is cut */
    int64_t strided;  /* by a strided shard, of this factor in an input; 0:
                         plainly */
    int like;         /* that input */
    unsigned partial; /* tensor parameters that are partial */
    dt_reduce in;     /* how */
    dt_reduce out;    /* how results are, if partial */
} dti_candidate;

#define DTI_MAX_CANDIDATES 64
#define DTI_PROPOSALS 4

/* A candidate for each mesh dimension. */
typedef struct dti_proposal {
    int choice[DT_MAX_NDIM];
    double seconds; /* of what inputs need, estimated */
    double talking; /* of what kernels send */
    int astray;     /* inputs that are not read and lie elsewhere */
    int changed;    /* others that have to change along a mesh dimension */
    int partial;    /* mesh dimensions along which results are partial */
} dti_proposal;

typedef struct dti_propagation {
    dti_question question;
    int counts[DT_MAX_NDIM];
    dti_candidate candidates[DT_MAX_NDIM][DTI_MAX_CANDIDATES];
    int proposal_count; /* the best one first */
    dti_proposal proposals[DTI_PROPOSALS];
} dti_propagation;

/*
 * Find the best proposals.  There is always one, unless a target or an input
 * that must stay rules all out.
 */
void dti_propagate(const dti_question *question, dti_propagation *out);

/* List what may be done along a mesh dimension. */
void dti_candidates_list(const dti_question *question, int mesh_dim,
                         dti_candidate *out, int *count);

/* Return why a candidate cannot follow the choices for the mesh dimensions
 * before `mesh_dim`; NULL if it can. */
const char *dti_candidate_misfit(const dti_propagation *at,
                                 const dti_proposal *chosen, int mesh_dim,
                                 const dti_candidate *candidate);

/* Tell whether a dimension of an input or of a result has several factors. */
bool dti_factors_take_apart(const dt_factors *factors, int input);

/* Tell whether the values of an input do not matter. */
bool dti_is_unread(const dti_question *question, int input);

/* What a proposal costs beside others.  One that moves no input costs nothing,
 * however much its kernel sends: where a result lies then depends on where the
 * inputs lie, not on how large they are, and strict scopes have it, too.  What
 * is whole is cut where it lies, which moves nothing. */
double dti_proposal_cost(const dti_proposal *proposal);

/* Tell whether a result has a factor. */
bool dti_candidate_has(const dti_question *question, int result, int factor);

/* Where an input, or a result, has to lie along a mesh dimension.  What is not
 * read stays where it is, wherever it would best be. */
dt_placement dti_candidate_in(const dti_propagation *at,
                              const dti_proposal *chosen, int mesh_dim,
                              const dti_candidate *candidate, int input);
dt_placement dti_candidate_wish(const dti_propagation *at,
                                const dti_proposal *chosen, int mesh_dim,
                                const dti_candidate *candidate, int input);
dt_placement dti_candidate_out(const dti_propagation *at,
                               const dti_proposal *chosen, int mesh_dim,
                               const dti_candidate *candidate, int result);

/* Add to a proposal what the inputs cost to lie as a candidate wants them, how
 * many change, and whether results become partial. */
void dti_candidate_price(const dti_propagation *at, const dti_proposal *chosen,
                         int mesh_dim, const dti_candidate *candidate,
                         dti_proposal *to);

/* The layout that a proposal gives to an input or a result. */
dt_layout dti_proposal_in(const dti_propagation *at,
                          const dti_proposal *proposal, int input);
dt_layout dti_proposal_out(const dti_propagation *at,
                           const dti_proposal *proposal, int result);

/* The map of an input or a result; of many, the last map is that of the rest.
 */
static inline const dt_factor_map *dti_map_in(const dt_factors *factors,
                                              int input)
{
    int last = factors->in_count - 1;
    return &factors->in[input < last ? input : last];
}

static inline const dt_factor_map *dti_map_out(const dt_factors *factors,
                                               int result)
{
    int last = factors->out_count - 1;
    return &factors->out[result < last ? result : last];
}

/* The bit of the tensor parameter that an input belongs to: a list is the last
 * one. */
static inline unsigned dti_parameter_bit(const dti_question *question,
                                         int input)
{
    int last = question->tensor_count - 1;
    return 1u << (input < last ? input : last);
}

#endif
