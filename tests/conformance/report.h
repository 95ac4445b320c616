/* tests/conformance/report.h - what was found, one line for each operator. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_REPORT_H
#define DT_TESTS_REPORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <dtensor/export.h>

#define REPORT_NAME 64
#define REPORT_TEXT 200

/* A set of texts, by their hashes. */
typedef struct text_set {
    int count;
    int capacity;
    uint64_t *hashes;
} text_set;

/* Add a text; false if it was there. */
bool text_set_add(text_set *to, const char *text);
void text_set_free(text_set *of);

/* What was found about one operator. */
typedef struct report_row {
    char name[REPORT_NAME];
    bool searched; /* for what is missing */
    long cases;
    text_set candidates;
    text_set missing;
    int wrong;
    int unexplained;
    int explained;
} report_row;

/* A line of explained.txt. */
typedef struct explanation {
    char name[REPORT_NAME];
    char placements[REPORT_TEXT];
    bool used;
} explanation;

/* Shared by all ranks. */
typedef struct report {
    pthread_mutex_t mutex;
    int shown; /* how many wrong cases of an operator are printed */
    bool silent;
    bool draws_others; /* than explained.txt is about, which may not need all */
    int count;
    report_row **rows;
    int explanation_count;
    explanation *explanations;
} report;

#define REPORT_INIT                                                            \
    {                                                                          \
        .mutex = PTHREAD_MUTEX_INITIALIZER, .shown = 5                         \
    }

/* Read explained.txt; false, with a sentence on stderr, if it cannot be. */
bool report_read_explanations(report *to, const char *path);

/* The row of an operator; made if there is none. */
report_row *report_row_of(report *to, const char *name);

void report_case(report *to, report_row *row);
void report_candidate(report *to, report_row *row, const char *text);
void report_wrong(report *to, report_row *row, const char *format, ...)
    DT_PRINTF(3, 4);
void report_missing(report *to, report_row *row, const char *placements,
                    const char *where);

/* Print the explanations of operators that were tried which nothing needed;
 * gives how many there are. */
int report_unused(const report *of);

/* Print a line for each operator and one for all; gives how many operators have
 * something wrong, missing or explained without need. */
int report_print(report *of);

void report_free(report *of);

#endif
