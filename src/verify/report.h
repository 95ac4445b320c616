/* verify/report.h - what a verification found, by operator. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_VERIFY_REPORT_H
#define DTI_VERIFY_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/world.h>

#define DTI_REPORT_NAME 64
#define DTI_REPORT_TEXT 200
#define DTI_REPORT_LINE 2048

/* A text that grows. */
typedef struct dti_text {
    char *data; /* NULL while it is empty */
    size_t length;
    size_t capacity;
} dti_text;

/* Append bytes; false with an error of the world, without memory. */
bool dti_text_add(dt_world *world, dti_text *to, const char *bytes,
                  size_t length);
void dti_text_free(dti_text *of);

/* A set of texts, by their hashes. */
typedef struct dti_text_set {
    int count;
    int capacity;
    uint64_t *hashes;
} dti_text_set;

/* Add a text; false if the set has it, or with an error of the world. */
bool dti_text_set_add(dt_world *world, dti_text_set *to, const char *text);
void dti_text_set_free(dti_text_set *of);

/* What was found about one operator. */
typedef struct dti_report_row {
    char name[DTI_REPORT_NAME];
    bool searched; /* for missing rules */
    long cases;
    dti_text_set candidates;
    dti_text_set missing;
    int wrong;
    int unexplained;
    int explained;
    char first[DTI_REPORT_LINE]; /* the first wrong case */
} dti_report_row;

/* Why an operator's rule leaves out a layout. */
typedef struct dti_explanation {
    char name[DTI_REPORT_NAME];
    char placements[DTI_REPORT_TEXT];
    bool used;
} dti_explanation;

/* Every rank has a report of its own, with the same contents. */
typedef struct dti_report {
    int shown; /* how many wrong cases of an operator are told */
    /* Receives each line about a wrong or missing rule; NULL: nobody does. */
    void (*tell)(void *arg, const char *line);
    void *arg;
    int count;
    dti_report_row **rows;
    int explanation_count;
    int explanation_capacity;
    dti_explanation *explanations;
} dti_report;

#define DTI_REPORT_INIT                                                        \
    {                                                                          \
        .shown = 5                                                             \
    }

/*
 * Add an explanation, "operator: placements: reason"; an empty line and one
 * that begins with "#" add nothing.  DT_ERR_FORMAT if it is none,
 * DT_ERR_NO_MEMORY.
 */
dt_status dti_report_explain(dti_report *to, const char *line);

/* The row of an operator, created if there is none; NULL without memory. */
dti_report_row *dti_report_row_of(dti_report *to, const char *name);

/* Add a wrong case. */
void dti_report_wrong(dti_report *to, dti_report_row *row, const char *text);

/* Add placements that a rule does not allow, with the call that shows it;
 * without memory, an error of the world. */
void dti_report_missing(dt_world *world, dti_report *to, dti_report_row *row,
                        const char *placements, const char *where);

/* Add a wrong gradient, with the call that shows it, unless it is known or an
 * explanation has it in the place of placements; without memory, an error of
 * the world. */
void dti_report_gradient(dt_world *world, dti_report *to, dti_report_row *row,
                         const char *what, const char *where);

/* Tell the explanations of operators that were searched which nothing needed;
 * returns how many there are. */
int dti_report_unused(const dti_report *of);

/* Write the line about an operator. */
void dti_report_show(const dti_report_row *row, char *text, size_t size);

void dti_report_free(dti_report *of);

#endif
