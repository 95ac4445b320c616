/* dtensor/status.h - status codes and error messages. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_STATUS_H
#define DTENSOR_STATUS_H

#include <dtensor/export.h>

DT_EXTERN_C_BEGIN

/* One code for each thing that a caller would handle differently. */
typedef enum dt_status {
    DT_OK = 0,          /* success */
    DT_ERR_INVALID,     /* an argument is invalid: fix the call */
    DT_ERR_NO_MEMORY,   /* memory, or the limit set for it, is exhausted */
    DT_ERR_UNSUPPORTED, /* a valid request that is not supported here */
    DT_ERR_NOT_FOUND,   /* no object has the given name */
    DT_ERR_COMM,        /* a transport failed */
    DT_ERR_PEER,        /* another rank failed, ended or stalled */
    DT_ERR_DIVERGED,    /* ranks made different calls */
    DT_ERR_IO,          /* a file cannot be read or written */
    DT_ERR_FORMAT       /* a file or text is malformed */
} dt_status;

/* Size of an error message.  Fixed, so that lack of memory can be reported. */
#define DT_ERROR_SIZE 1024

/* An error: its code, and a message that names the offending value. */
typedef struct dt_error {
    dt_status code;              /* DT_OK: no error */
    char message[DT_ERROR_SIZE]; /* zero-terminated text */
} dt_error;

/*
 * Return the name of a status, for example "DT_ERR_INVALID".
 *
 * Not collective.  The text is static; "unknown status" for other values.
 */
DT_API const char *dt_status_name(dt_status status);

/* Call a function, and return its status from the calling function if it
 * failed. */
#define DT_TRY(call)                                                           \
    do {                                                                       \
        dt_status dt_try_status_ = (call);                                     \
        if (dt_try_status_ != DT_OK)                                           \
            return dt_try_status_;                                             \
    } while (0)

/*
 * Ignore the status of a call on purpose; without it compilers warn.  The error
 * stays recorded: dt_world_error returns it, and so does dt_main or whatever
 * runs the program, unless the program reads or clears it.
 */
#define DT_IGNORE(call)                                                        \
    do {                                                                       \
        dt_status dt_ignored_status_ = (call);                                 \
        (void)dt_ignored_status_;                                              \
    } while (0)

DT_EXTERN_C_END

#endif
