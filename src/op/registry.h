/* op/registry.h - the operators of a world. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_REGISTRY_H
#define DTI_OP_REGISTRY_H

#include "base/map.h"
#include "base/world.h"
#include "op/rule/rule.h"

/* The tables of src/ops, each ending with a row without a schema, in the order
 * of their names; written by the build.  Their rows, counted through, are what
 * ops/numbers.h numbers. */
extern const dt_op *const dti_op_tables[];

/* Inputs that are named where a call is remembered. */
#define DTI_NAMED_INPUTS 3

/* A row whose texts were read. */
typedef struct dti_operator {
    const dt_op *op; /* &row */
    dt_op row;       /* a copy: the row of a program may be older */
    uint64_t hash;   /* of its name; the same on every rank */
    dti_schema schema;
    dti_passes passes;
    int decider_count; /* parameters whose values decide, or whose kind */
    int deciders[DTI_MAX_ARGUMENTS];
    /* The argument that each of the first inputs is, and 1 + its place if that
     * is a list. */
    const char *input_names[DTI_NAMED_INPUTS];
    int input_places[DTI_NAMED_INPUTS];
    int scalar_count; /* parameters with values that must agree among ranks */
    int scalars[DTI_MAX_ARGUMENTS];
    uint8_t scalar_fields[DTI_MAX_ARGUMENTS]; /* a dti_field each */
    bool has_rule;
    /* The rule, and that of `row`, by another: the row's function is not asked.
     */
    bool replaced;
    dti_rule rule;
    bool warned;                 /* that it has no rule */
    struct dti_formula *formula; /* its gradient, once that was read */
} dti_operator;

/* What a world keeps of operators, from the first call on.  Rows are read when
 * they are first used. */
typedef struct dti_operators {
    int count;
    int built_in; /* of the library; the rest was registered */
    int capacity;
    const dt_op **rows;
    dti_operator **read; /* NULL until then */
    dti_map names;       /* of those that were read, by name */
    dti_map decisions;
    size_t sweep_at;                     /* when there are so many */
    uint64_t hits, misses;               /* of decisions looked for */
    const struct dti_costs *costs;       /* by which they were decided */
    const struct dti_recorder *recorder; /* told of calls; or NULL */
} dti_operators;

/* What the world keeps, opened if it was not; NULL on failure. */
dti_operators *dti_operators_of(dt_world *world);

/* The operator with a number; NULL if its texts cannot be read. */
dti_operator *dti_operator_read(dt_world *world, dti_operators *all,
                                int number);

static inline dti_operator *dti_operator_at(dt_world *world, dti_operators *all,
                                            int number)
{
    dti_operator *known = all->read[number];
    return known ? known : dti_operator_read(world, all, number);
}

/* The operator of a call that dispatch describes: operation->op is its row. */
static inline const dti_operator *dti_operator_of(const dt_operation *operation)
{
    return (const dti_operator *)((const char *)operation->op -
                                  offsetof(dti_operator, row));
}

/* The rule of a call, by text and function.  `has` says whether there is one.
 */
dt_status dti_operator_factors(const dti_operator *op,
                               const dt_operation *operation, dt_factors *out,
                               bool *has);

/* The operator with a name.  DT_ERR_NOT_FOUND. */
dt_status dti_operator_find(dt_world *world, const char *name,
                            dti_operator **out);

/* Verify the rows and rules that the world was given, and write the report to
 * the descriptor of the setting DT_VERIFY.  The room `verify`, which is above
 * this one, defines it.  Not collective. */
void dti_operators_verify(dt_world *world);

/* Free all decisions. */
void dti_decisions_free(dti_map *decisions);

#endif
