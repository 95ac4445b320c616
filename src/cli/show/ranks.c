/* cli/show/ranks.c - lists of ranks, and how they are written. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/ranks.h"

#include <stdbool.h>
#include <stdlib.h>

#include "cli/memory.h"

void dti_ranks_add(dti_ranks *ranks, int rank)
{
    if (ranks->count == ranks->room) {
        ranks->room = ranks->room ? 2 * ranks->room : 16;
        ranks->list =
            dti_grow(ranks->list, (size_t)ranks->room, sizeof *ranks->list);
    }
    ranks->list[ranks->count++] = rank;
}

static int compare(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

void dti_ranks_sort(dti_ranks *ranks)
{
    int kept = 0;
    if (ranks->count > 1)
        qsort(ranks->list, (size_t)ranks->count, sizeof *ranks->list, compare);
    for (int i = 0; i < ranks->count; i++)
        if (i == 0 || ranks->list[i] != ranks->list[kept - 1])
            ranks->list[kept++] = ranks->list[i];
    ranks->count = kept;
    ranks->together = 1;
}

void dti_ranks_free(dti_ranks *ranks)
{
    free(ranks->list);
    *ranks = (dti_ranks){0};
}

/* ---- Writing ------------------------------------------------------------ */

/* How many ranks from the first on are evenly spaced. */
static int count_even(const int *ranks, int count)
{
    int even = count < 2 ? count : 2;
    while (even < count && ranks[even] - ranks[even - 1] == ranks[1] - ranks[0])
        even++;
    return even;
}

/* Write evenly spaced ranks as one word. */
static void write_even(FILE *stream, const int *ranks, int count, char joint)
{
    int step = ranks[1] - ranks[0], last = ranks[count - 1];
    if (joint == '+' && step == 1)
        fprintf(stream, "%d+..+%d", ranks[0], last);
    else if (joint == '+')
        fprintf(stream, "%d+%d+..+%d", ranks[0], ranks[1], last);
    else if (step == 1)
        fprintf(stream, "%d-%d", ranks[0], last);
    else
        fprintf(stream, "%d-%d/%d", ranks[0], last, step);
}

/* Write ranks in order with a comma or a plus between words. */
static void write_list(FILE *stream, const int *ranks, int count, char joint,
                       int most)
{
    int shortest = joint == '+' ? 5 : 3;
    for (int i = 0, words = 0; i < count; words++) {
        if (i > 0)
            putc(joint, stream);
        if (words == most) {
            fputs("..", stream);
            return;
        }
        int even = count_even(ranks + i, count - i);
        if (even < shortest) {
            fprintf(stream, "%d", ranks[i++]);
            continue;
        }
        write_even(stream, ranks + i, even, joint);
        i += even;
    }
}

void dti_ranks_write(FILE *stream, const dti_ranks *ranks, int most)
{
    int together = ranks->together;
    if (together <= 1) {
        write_list(stream, ranks->list, ranks->count, ',', most);
        return;
    }
    for (int i = 0; i < ranks->count; i += together) {
        if (i > 0)
            putc(',', stream);
        if (i == most * together) {
            fputs("..", stream);
            return;
        }
        write_list(stream, ranks->list + i, together, '+', most);
    }
}
