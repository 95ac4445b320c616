/* examples/demo/plot.h - curves of losses, as text and as SVG. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DEMO_PLOT_H
#define DEMO_PLOT_H

#include <stdbool.h>
#include <stdio.h>

/* The losses of a run, by step. */
typedef struct curve {
    const char *name;
    const double *losses;
    int count;
} curve;

/* Draw a curve with characters. */
void plot_text(FILE *out, const curve *drawn);

/* Write one or more curves to an SVG file; false if it cannot be written. */
bool plot_svg(const char *path, const curve *curves, int count);

#endif
