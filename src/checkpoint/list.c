/* checkpoint/list.c - lists that grow. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/list.h"

#include <stdlib.h>
#include <string.h>

bool dti_list_reserve(void *list, size_t count, size_t *capacity, size_t size)
{
    void *elements;
    if (count < *capacity)
        return true;
    const size_t more = *capacity ? 2 * *capacity : 16;
    memcpy(&elements, list, sizeof elements);
    elements = realloc(elements, more * size);
    if (!elements)
        return false;
    memcpy(list, &elements, sizeof elements);
    *capacity = more;
    return true;
}
