/* tests/security/planted.c - a library that leaves a file where it is loaded.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void leave_mark(void)
{
    const char *name = getenv("PLANTED_MARK");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (file)
        fclose(file);
}
