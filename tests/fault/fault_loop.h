/* tests/fault/fault_loop.h - letting one request for memory after another fail.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_FAULT_LOOP_H
#define DT_TESTS_FAULT_LOOP_H

#include <stdbool.h>

#include <dtensor/dtensor.h>

#include "base/reference.h"
#include "support/check.h"
#include "support/fault.h"

/* More requests than anything here makes. */
enum { FAULTS_MAX = 3000 };

/* Something that needs memory and gives all of it back.  On failure `error`
 * has the sentence. */
typedef dt_status (*fault_body)(void *arg, dt_error *error);

typedef struct live_objects {
    int64_t count[DTI_LIVE_COUNT];
} live_objects;

static inline live_objects count_live(void)
{
    live_objects live;
    for (int i = 0; i < DTI_LIVE_COUNT; i++)
        live.count[i] = dti_live_count((dti_live_kind)i);
    return live;
}

static inline void check_live(const live_objects *before, const char *name,
                              long nth)
{
    for (int i = 0; i < DTI_LIVE_COUNT; i++) {
        int64_t more = dti_live_count((dti_live_kind)i) - before->count[i];
        CHECKF(more == 0, "%s, request %ld: %lld of %s left", name, nth,
               (long long)more, dti_live_name((dti_live_kind)i));
    }
}

/* Run once with the nth request failing, or all from there on; false if there
 * are not so many. */
static inline bool run_with_fault(const char *name, fault_body body, void *arg,
                                  long nth, bool for_good)
{
    live_objects before = count_live();
    dt_error error = {DT_OK, ""};
    if (for_good)
        dt_fault_arm_from(nth);
    else
        dt_fault_arm(nth);
    dt_status status = body(arg, &error);
    long refused = dt_fault_disarm();
    check_live(&before, name, nth);
    if (refused == 0) {
        CHECKF(status == DT_OK, "%s: %s: %s", name, dt_status_name(status),
               error.message);
        return false;
    }
    /* Some requests can be done without. */
    if (status != DT_OK)
        CHECKF(status == DT_ERR_NO_MEMORY && error.message[0],
               "%s, request %ld: %s: \"%s\"", name, nth, dt_status_name(status),
               error.message);
    return true;
}

/* Let every request fail in turn, alone and with all after it.  At least
 * `least` failures must have been told: otherwise nothing was tested. */
static inline void fail_each(const char *name, fault_body body, void *arg,
                             long least)
{
    for (int for_good = 0; for_good < 2; for_good++) {
        long nth = 1;
        while (nth <= FAULTS_MAX &&
               run_with_fault(name, body, arg, nth, for_good))
            nth++;
        CHECKF(nth > least && nth <= FAULTS_MAX, "%s: %ld requests", name,
               nth - 1);
    }
}

#endif
