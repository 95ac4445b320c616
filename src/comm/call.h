/* comm/call.h - what a call is, told as numbers and as words. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_CALL_H
#define DTI_COMM_CALL_H

#include <dtensor/sys/transport.h>

/* Fold what must agree among the members of a line into the fingerprint of the
 * calls before.  `size` is the number of members. */
uint64_t dti_call_fingerprint(uint64_t before, const dt_call *call, int size);

/* Count a call against the budgets of the scopes that are open.  If one does
 * not allow it, the call fails and the others are told. */
dt_status dti_call_spend(const dt_call *call, const dt_line *line);

/* When a call was begun, and its event in the trace; zeros if nobody keeps
 * that. */
typedef struct dti_call_time {
    bool asynchronous;
    int64_t began;
    size_t event;
} dti_call_time;

/* Report a call to the trace. */
void dti_call_trace(const dt_call *call, const dt_line *line,
                    dti_call_time *time);

/*
 * What is told of a call to other ranks: flat, so that it may lie in memory
 * shared between processes.
 */
typedef struct dti_call_record {
    uint8_t kind;
    uint8_t op;
    uint8_t dtype;
    uint8_t has_counts;
    int32_t root;
    int64_t count;
    uint64_t counts_hash; /* 0 without counts */
    char origin[40];      /* "" if nobody said */
} dti_call_record;

void dti_call_write_record(const dt_call *call, int size, dti_call_record *out);

/* Put a call into words: "all-reduce(sum) of 4 f32 for matmul". */
void dti_call_describe(const dti_call_record *record, char *text, size_t size);

#endif
