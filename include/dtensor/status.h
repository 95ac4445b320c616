/* dtensor/status.h - how calls answer: a code for programs, a sentence for
 * people. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_STATUS_H
#define DTENSOR_STATUS_H

#include <dtensor/export.h>

DT_EXTERN_C_BEGIN

/* One code per thing that a caller would do differently. */
typedef enum dt_status {
    DT_OK = 0,
    DT_ERR_INVALID,     /* an argument is wrong: fix the call */
    DT_ERR_NO_MEMORY,   /* memory, or the limit set for it, is used up */
    DT_ERR_UNSUPPORTED, /* a sensible request that cannot be served here */
    DT_ERR_NOT_FOUND,   /* the named thing does not exist */
    DT_ERR_COMM,        /* a transport failed */
    DT_ERR_PEER,        /* another rank failed, left or stalled */
    DT_ERR_DIVERGED,    /* ranks called different things */
    DT_ERR_IO,          /* the system refused to read or write */
    DT_ERR_FORMAT       /* a file or a text is not what it should be */
} dt_status;

/* Size of the sentence; fixed, so that lack of memory can be reported. */
#define DT_ERROR_SIZE 1024

/* A failure: its code, and a sentence that names the offending value. */
typedef struct dt_error {
    dt_status code;
    char message[DT_ERROR_SIZE];
} dt_error;

/*
 * Give the name of a status, such as "DT_ERR_INVALID".
 *
 * Not collective.  The text is static; an unknown code gives "unknown status".
 */
DT_API const char *dt_status_name(dt_status status);

/* Return from the calling function with the status of a call that failed. */
#define DT_TRY(call)                                                           \
    do {                                                                       \
        dt_status dt_try_status_ = (call);                                     \
        if (dt_try_status_ != DT_OK)                                           \
            return dt_try_status_;                                             \
    } while (0)

/*
 * Drop the status of a call on purpose; compilers warn when it is just not
 * used.  A failure stays recorded: dt_world_error returns it, and dt_main, or
 * who else runs the program, returns it unless the program reads or clears it.
 */
#define DT_IGNORE(call)                                                        \
    do {                                                                       \
        dt_status dt_ignored_status_ = (call);                                 \
        (void)dt_ignored_status_;                                              \
    } while (0)

DT_EXTERN_C_END

#endif
