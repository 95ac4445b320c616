/* cli/show/canvas.c - a page of characters that can be written anywhere. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "cli/memory.h"

/* One place: a character of UTF-8, and its background. */
struct dti_glyph {
    char bytes[5];
    short colour;
};

static void grow(dti_canvas *canvas, int height)
{
    size_t width = (size_t)canvas->width;
    if (height > canvas->room) {
        canvas->room = height > 2 * canvas->room ? height : 2 * canvas->room;
        canvas->glyphs = dti_grow(canvas->glyphs, (size_t)canvas->room * width,
                                  sizeof *canvas->glyphs);
    }
    for (size_t i = (size_t)canvas->height * width; i < (size_t)height * width;
         i++)
        canvas->glyphs[i] = (struct dti_glyph){" ", DTI_NO_COLOUR};
    canvas->height = height;
}

/* How many bytes the character has that begins here. */
static size_t length_of(const char *text)
{
    size_t length = 1;
    while (length < 4 && ((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return length;
}

void dti_canvas_put(dti_canvas *canvas, int x, int y, int colour,
                    const char *text)
{
    if (y >= canvas->height)
        grow(canvas, y + 1);
    for (; *text && x < canvas->width; x++) {
        struct dti_glyph *glyph =
            &canvas->glyphs[(size_t)y * (size_t)canvas->width + (size_t)x];
        size_t length = length_of(text);
        memcpy(glyph->bytes, text, length);
        glyph->bytes[length] = '\0';
        glyph->colour = (short)colour;
        text += length;
    }
}

void dti_canvas_repeat(dti_canvas *canvas, int x, int y, int colour,
                       const char *text, int times)
{
    for (int i = 0; i < times; i++)
        dti_canvas_put(canvas, x + i, y, colour, text);
}

static bool is_blank(const struct dti_glyph *glyph)
{
    return glyph->colour == DTI_NO_COLOUR && strcmp(glyph->bytes, " ") == 0;
}

static void print_line(const struct dti_glyph *line, int width, FILE *stream,
                       bool coloured)
{
    int colour = DTI_NO_COLOUR;
    for (int i = 0; i < width; i++) {
        if (coloured && line[i].colour != colour) {
            colour = line[i].colour;
            if (colour == DTI_NO_COLOUR)
                fputs("\033[0m", stream);
            else
                fprintf(stream, "\033[38;5;16;48;5;%dm", colour);
        }
        fputs(line[i].bytes, stream);
    }
    fputs(colour == DTI_NO_COLOUR ? "\n" : "\033[0m\n", stream);
}

void dti_canvas_print(dti_canvas *canvas, FILE *stream, bool coloured)
{
    for (int y = 0; y < canvas->height; y++) {
        const struct dti_glyph *line =
            canvas->glyphs + (size_t)y * (size_t)canvas->width;
        int width = canvas->width;
        while (width > 0 && is_blank(&line[width - 1]))
            width--;
        print_line(line, width, stream, coloured);
    }
    free(canvas->glyphs);
    *canvas = (dti_canvas){.width = canvas->width};
}
