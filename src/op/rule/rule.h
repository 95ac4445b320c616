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
        bool optional; /* "m?" */
    } dims[DT_MAX_NDIM];
    int ellipsis; /* number of dimensions before "..."; -1: there is none */
} dti_rule_item;

/* When something holds: "if float", "unless train". */
typedef struct dti_condition {
    enum { DTI_ALWAYS, DTI_IF_FLOAT, DTI_IF_ARGUMENT } kind;
    int parameter; /* of DTI_IF_ARGUMENT */
    bool negated;
} dti_condition;

/* What a mark is about, and which one. */
typedef enum dti_target {
    DTI_TARGET_LETTER = 1,   /* 0 to 25 */
    DTI_TARGET_ELLIPSIS = 2, /* all that "..." matches */
    DTI_TARGET_DIMS = 4,     /* what a parameter names, by its number */
    DTI_TARGET_TENSOR = 8, /* number of a tensor parameter among the tensors */
    DTI_TARGET_RESULT = 16
} dti_target;

/* What a mark says. */
typedef enum dti_saying {
    DTI_SAYS_KIND = 1,
    DTI_SAYS_GONE = 2,      /* no result has it */
    DTI_SAYS_EXCHANGES = 4, /* see dt_factor */
    DTI_SAYS_ALONE = 8,     /* others_whole of dt_factor */
    DTI_SAYS_EQUAL = 16,    /* not sharded where extents differ */
    DTI_SAYS_UNREAD = 32,
    DTI_SAYS_CONSTANT = 64,
    DTI_SAYS_SELECTS = 128, /* results whose integer is 0 are replicated */
    DTI_SAYS_REDUCED = 256  /* has extent 1 where the kernel communicates */
} dti_saying;

typedef struct dti_mark {
    dti_target target;
    int number;
    unsigned says;       /* of dti_saying */
    dt_factor_kind kind; /* of DTI_SAYS_KIND, and its reduction */
    dt_reduce reduce;
    int calls; /* 0: not said */
    dti_condition condition;
} dti_mark;

#define DTI_MAX_MARKS 8
#define DTI_LETTERS 26

typedef struct dti_rule {
    int in_count; /* one for each parameter that is a tensor or a list */
    dti_rule_item in[DT_MAX_FACTOR_MAPS];
    int out_count; /* one for each result; one for all of a list */
    dti_rule_item out[DT_MAX_FACTOR_MAPS];
    int at[DTI_LETTERS]; /* parameter that says where a letter stands; -1 */
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
    dti_condition linear_if, monotone_if, permutes_if;
} dti_passes;

/* Read the texts of a row.  DT_ERR_FORMAT, and `error` says what is wrong. */
dt_status dti_rule_parse(const char *text, const dti_schema *schema,
                         dti_rule *out, dt_error *error);
dt_status dti_passes_parse(const dt_op *op, const dti_schema *schema,
                           dti_passes *out, dt_error *error);

/* Apply a rule to a call.  DT_ERR_INVALID if a tensor has another number of
 * dimensions than the rule says. */
dt_status dti_rule_apply(const dti_rule *rule, const dti_schema *schema,
                         const dt_operation *operation, dt_factors *out);

/* Tell whether a condition holds in a call. */
bool dti_condition_holds(const dti_condition *condition,
                         const dt_operation *operation);

/* Set no_linear, no_monotone and no_permutes where a condition does not hold in
 * a call, and `converted`, no_monotone and no_permutes where an input is
 * converted to the result's dtype in a way that partial values do not survive.
 */
void dti_passes_apply(const dti_passes *passes, const dti_schema *schema,
                      const dt_operation *operation, dt_factors *out);

#endif
