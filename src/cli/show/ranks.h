/* cli/show/ranks.h - lists of ranks, and how they are written. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_SHOW_RANKS_H
#define DTI_CLI_SHOW_RANKS_H

#include <stdio.h>

/* Ranks, `together` at a time: ranks that are together hold one value.  Start
 * from zeros; 0 counts as 1. */
typedef struct dti_ranks {
    int *list;
    int count, room;
    int together;
} dti_ranks;

void dti_ranks_add(dti_ranks *ranks, int rank);

/* Put them in order, each once and alone. */
void dti_ranks_sort(dti_ranks *ranks);

/*
 * Write them: "0,3", "0-3" for all from 0 to 3, "0-6/2" for every second one.
 * Those that are together are joined: "0+3", "0+1+..+7".  After `most` of these
 * words, ".." stands for the rest.
 */
void dti_ranks_write(FILE *stream, const dti_ranks *ranks, int most);

void dti_ranks_free(dti_ranks *ranks);

#endif
