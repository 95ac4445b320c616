/* dtensor/version.h - the version of the headers and of the library. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_VERSION_H
#define DTENSOR_VERSION_H

#include <dtensor/export.h>

DT_EXTERN_C_BEGIN

#define DT_VERSION_MAJOR 0
#define DT_VERSION_MINOR 1
#define DT_VERSION_PATCH 0
#define DT_VERSION_STRING "0.1.0"

/*
 * Return the version of the library in use, for example "0.1.0".
 *
 * Not collective.  The text is static.
 */
DT_API const char *dt_version(void);

DT_EXTERN_C_END

#endif
