/* examples/demo/plot.c - curves of losses, as text and as SVG. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "plot.h"

#include <math.h>

enum { ROWS = 10, COLUMNS = 64 };

typedef struct range {
    double low, high;
} range;

static range find_range(const curve *curves, int count)
{
    range found = {INFINITY, -INFINITY};
    for (int i = 0; i < count; i++)
        for (int j = 0; j < curves[i].count; j++) {
            found.low = fmin(found.low, curves[i].losses[j]);
            found.high = fmax(found.high, curves[i].losses[j]);
        }
    if (!(found.high > found.low))
        found.high = found.low + 1;
    return found;
}

/* The mean loss of the steps that one column shows. */
static double column_mean(const curve *drawn, int column)
{
    int first = column * drawn->count / COLUMNS;
    int end = (column + 1) * drawn->count / COLUMNS;
    if (end <= first)
        end = first + 1;
    double sum = 0;
    for (int i = first; i < end; i++)
        sum += drawn->losses[i];
    return sum / (end - first);
}

void plot_text(FILE *out, const curve *drawn)
{
    const range all = find_range(drawn, 1);
    const double step = (all.high - all.low) / ROWS;
    fprintf(out, "  loss\n");
    for (int row = ROWS; row >= 0; row--) {
        fprintf(out, "%6.2f |", all.low + row * step);
        for (int i = 0; i < COLUMNS; i++) {
            const long height =
                lround((column_mean(drawn, i) - all.low) / step);
            fputs(height == row ? "*" : " ", out);
        }
        fputc('\n', out);
    }
    fprintf(out, "       +");
    for (int i = 0; i < COLUMNS; i++)
        fputc('-', out);
    fprintf(out, "\n        0 %*d steps\n", COLUMNS - 8, drawn->count);
}

/* ---- SVG ---------------------------------------------------------------- */

enum {
    WIDTH = 720,
    HEIGHT = 400,
    LEFT = 60,
    TOP = 40,
    RIGHT = 20,
    BOTTOM = 50
};

static double place_x(int step, int count)
{
    const double width = WIDTH - LEFT - RIGHT;
    return LEFT + width * step / (count > 1 ? count - 1 : 1);
}

static double place_y(double loss, range all)
{
    const double height = HEIGHT - TOP - BOTTOM;
    return TOP + height * (all.high - loss) / (all.high - all.low);
}

static void draw_axes(FILE *file, range all, int steps)
{
    for (int i = 0; i <= 5; i++) {
        const double loss = all.low + (all.high - all.low) * i / 5;
        const double y = place_y(loss, all);
        fprintf(file,
                "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>\n"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.2f</text>\n",
                LEFT, y, WIDTH - RIGHT, LEFT - 8, y + 4, loss);
    }
    for (int i = 0; i <= 4; i++)
        fprintf(file,
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                place_x(steps * i / 4, steps + 1), HEIGHT - BOTTOM + 20,
                steps * i / 4);
    fprintf(file,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">step</text>\n"
            "<text x=\"%d\" y=\"%d\">loss</text>\n",
            (WIDTH + LEFT) / 2, HEIGHT - 10, 16, TOP - 18);
}

static void draw_curve(FILE *file, const curve *drawn, range all, int number)
{
    /* The second is drawn with dashes, so that the first shows below it. */
    static const char *const styles[] = {
        "stroke=\"#1f6feb\" stroke-width=\"4\" stroke-opacity=\"0.6\"",
        "stroke=\"#d1242f\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"",
        "stroke=\"#1a7f37\" stroke-width=\"1.5\" stroke-dasharray=\"2 3\""};
    const char *style = styles[number % 3];
    fprintf(file, "<polyline fill=\"none\" %s points=\"", style);
    for (int i = 0; i < drawn->count; i++)
        fprintf(file, "%.1f,%.1f ", place_x(i, drawn->count),
                place_y(drawn->losses[i], all));
    const int y = TOP + 16 + 22 * number;
    fprintf(
        file,
        "\"/>\n<path d=\"M%d %dh40\" %s/>\n<text x=\"%d\" y=\"%d\">%s</text>\n",
        WIDTH - 290, y, style, WIDTH - 240, y + 4, drawn->name);
}

bool plot_svg(const char *path, const curve *curves, int count)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    const range all = find_range(curves, count);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT);
    draw_axes(file, all, curves[0].count);
    for (int i = 0; i < count; i++)
        draw_curve(file, &curves[i], all, i);
    fprintf(file, "</svg>\n");
    return fclose(file) == 0;
}
