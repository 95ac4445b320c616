/* cli/ckpt/progress.c - how far something is, on a terminal. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ckpt/progress.h"

#include <stdio.h>
#include <unistd.h>

enum { width = 40 };

bool dti_progress_show(void *arg, uint64_t done, uint64_t total)
{
    dti_progress *progress = arg;
    const int percent = total ? (int)((double)done / (double)total * 100) : 100;
    if (percent + 1 == progress->shown || !isatty(STDERR_FILENO))
        return true;
    progress->shown = percent + 1;
    fprintf(stderr, "\r%s  [", progress->what);
    for (int i = 0; i < width; i++)
        putc(i * 100 < percent * width ? '#' : ' ', stderr);
    fprintf(stderr, "] %3d %%", percent);
    return true;
}

void dti_progress_end(dti_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = 0;
}
