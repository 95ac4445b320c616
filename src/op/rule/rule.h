/* op/rule/rule.h - sharding rules, read from the texts of a row. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_RULE_RULE_H
#define DTI_OP_RULE_RULE_H

#include "op/schema.h"

/* The letters of one tensor: a dimension has one, or several in brackets. */
typedef struct dti_rule_item {
    int count;
    struct {
        int count;
        char letters[DT_MAX_NDIM];
    } dims[DT_MAX_NDIM];
    int ellipsis; /* how many dimensions stand before "..."; -1: there is none
                   */
} dti_rule_item;

/* What a letter is, or the dimensions that a parameter names. */
typedef struct dti_mark {
    char letter;   /* 0: a parameter's */
    int parameter; /* -1: a letter's */
    dt_factor_kind kind;
    dt_reduce reduce;
    bool gone; /* no result has it */
} dti_mark;

#define DTI_MAX_MARKS 8

typedef struct dti_rule {
    int in_count; /* one for each parameter that is a tensor or a list */
    dti_rule_item in[DT_MAX_FACTOR_MAPS];
    int out_count; /* one for each result; one for all of a list */
    dti_rule_item out[DT_MAX_FACTOR_MAPS];
    int mark_count;
    dti_mark marks[DTI_MAX_MARKS];
} dti_rule;

#define DTI_MAX_TERMS 8

/* Which partial inputs pass.  A bit stands for a tensor parameter. */
typedef struct dti_passes {
    int term_count;
    unsigned terms[DTI_MAX_TERMS]; /* of a linear operator: its products; 0: a
                                      constant */
    unsigned addends;              /* terms of their own, which nothing else
                                      multiplies or divides */
    unsigned increasing;           /* max gives max, and min gives min */
    unsigned decreasing;           /* max gives min, and min gives max */
    unsigned moved;
} dti_passes;

/* Read the texts of a row.  DT_ERR_FORMAT, and `error` says what is wrong. */
dt_status dti_rule_parse(const char *text, const dti_schema *schema,
                         dti_rule *out, dt_error *error);
dt_status dti_passes_parse(const dt_op *op, const dti_schema *schema,
                           dti_passes *out, dt_error *error);

/* Apply a rule to a call.  DT_ERR_INVALID: a tensor has not as many dimensions
 * as the rule says. */
dt_status dti_rule_apply(const dti_rule *rule, const dti_schema *schema,
                         const dt_operation *operation, dt_factors *out);

#endif
