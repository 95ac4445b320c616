/* cli/show/colour.c - a colour for each rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/colour.h"

#include <math.h>

/* Turning by this angle spreads any number of hues evenly. */
#define GOLDEN_ANGLE 137.50776405003785

/* One channel of a hue in degrees, 0 to 1: red at 0, green at 8, blue at 4 of
 * twelve parts of the circle. */
static int channel(double part, double hue, double saturation, double light)
{
    double at = fmod(part + hue / 30, 12);
    double rise = fmin(fmin(at - 3, 9 - at), 1);
    double reach = saturation * fmin(light, 1 - light);
    return (int)lround(255 * (light - reach * fmax(-1, rise)));
}

dti_colour dti_colour_of_rank(int rank)
{
    static const double lights[] = {0.80, 0.74, 0.87};
    double hue = fmod(210 + rank * GOLDEN_ANGLE, 360);
    double light = lights[rank % 3];
    return (dti_colour){
        .red = channel(0, hue, 0.62, light),
        .green = channel(8, hue, 0.62, light),
        .blue = channel(4, hue, 0.62, light),
    };
}

/* The levels of a channel are 0, 95, 135, 175, 215 and 255. */
static int level(int value)
{
    return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
}

int dti_colour_of_terminal(dti_colour colour)
{
    return 16 + 36 * level(colour.red) + 6 * level(colour.green) +
           level(colour.blue);
}
