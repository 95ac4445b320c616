/* base/text/nearest.c - which name was meant. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/nearest.h"

#include <string.h>

#define LONGEST 64

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/*
 * Levenshtein's distance: the fewest characters to insert, delete or replace.
 * `row` holds the distances from the first i characters of a to each beginning
 * of b.
 */
static int distance(const char *a, const char *b)
{
    int row[LONGEST + 1];
    int length = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; a[i - 1] && i <= LONGEST; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int replace = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = smaller(replace, 1 + smaller(row[j], row[j - 1]));
        }
    }
    return row[length];
}

const char *dti_nearer(const char *written, const char *best,
                       const char *candidate)
{
    int wrong = distance(written, candidate);
    if (wrong > (int)(strlen(candidate) + 1) / 2)
        return best;
    return best && distance(written, best) <= wrong ? best : candidate;
}
