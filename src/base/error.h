/* base/error.h - recording failures. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_ERROR_H
#define DTI_BASE_ERROR_H

#include <stdarg.h>

#include <dtensor/status.h>
#include <dtensor/world.h>

#include "base/attributes.h"

/* Pass a failure on; only while the function owns nothing. */
#define DTI_TRY(call) DT_TRY(call)

/*
 * Record a failure: it becomes the latest error of the world and, if there was
 * none yet, the first error of its innermost scope.  Gives `code`, so that a
 * failure is one statement: return dti_fail(world, DT_ERR_INVALID, "...").
 */
dt_status dti_fail(dt_world *world, dt_status code, const char *format, ...)
    DT_PRINTF(3, 4) DTI_COLD;

/* Record a failure that was described elsewhere; gives its code. */
dt_status dti_fail_with(dt_world *world, const dt_error *error) DTI_COLD;

/*
 * Say where the first failure of the innermost scope was: the text comes before
 * its message, which becomes the latest error too.  For example "the gradient
 * of mul" before "out of memory: ..." is "the gradient of mul: out of memory:
 * ...".
 */
void dti_fail_in(dt_world *world, const char *format, ...)
    DT_PRINTF(2, 3) DTI_COLD;

/* Fill an error where there is no world yet; `error` may be NULL. */
dt_status dti_error_set(dt_error *error, dt_status code, const char *format,
                        ...) DT_PRINTF(3, 4) DTI_COLD;

/* The message for memory that the system or the limit refused: `bytes` for
 * `what`, the limit, and how much of it is in use. */
dt_status dti_fail_memory(dt_world *world, size_t bytes,
                          const char *what) DTI_COLD;

/*
 * Record that an argument is NULL, which is none where an error was recorded
 * before: then NULL follows from that, and the first error stays.  Without a
 * world, NULL, the one that this thread runs has the error.  Returns
 * DT_ERR_INVALID.
 */
dt_status dti_fail_null(dt_world *world, const char *function,
                        const char *argument) DTI_COLD;

/* The code of the latest failure, for who was given NULL. */
dt_status dti_failure_of(const dt_world *world) DTI_COLD;

/* The analyzer of clang sees one file, and so not that failures fail. */
#ifdef __clang_analyzer__
#define dti_failed(call)                                                       \
    __extension__({                                                            \
        dt_status dti_failed_ = (call);                                        \
        __builtin_assume(dti_failed_ != DT_OK);                                \
        dti_failed_;                                                           \
    })
#define dti_fail(...) dti_failed(dti_fail(__VA_ARGS__))
#define dti_failure_of(world) dti_failed(dti_failure_of(world))
#define dti_fail_with(...) dti_failed(dti_fail_with(__VA_ARGS__))
#define dti_error_set(...) dti_failed(dti_error_set(__VA_ARGS__))
#define dti_fail_memory(...) dti_failed(dti_fail_memory(__VA_ARGS__))
#define dti_fail_null(...) dti_failed(dti_fail_null(__VA_ARGS__))
#endif

#endif
