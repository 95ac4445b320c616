/* base/version.c - which dtensor this is. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/version.h>

const char *dt_version(void)
{
    return DT_VERSION_STRING;
}
