/* checkpoint/list.h - lists that grow. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_LIST_H
#define DTI_CHECKPOINT_LIST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Make space for one more element of `size` bytes in a list; `list` is the
 * address of the pointer to its elements.  False without memory, and the list
 * is unchanged.
 */
bool dti_list_reserve(void *list, size_t count, size_t *capacity, size_t size);

#endif
