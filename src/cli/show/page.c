/* cli/show/page.c - what a terminal can show. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/show/text.h"
#include "cli/table.h"

/* Where nobody says how wide a line is. */
#define USUAL_WIDTH 100
#define LEAST_WIDTH 20
#define MOST_WIDTH 1000

static int find_width(FILE *stream)
{
    const char *text = getenv("COLUMNS");
    struct winsize window;
    int width = text ? atoi(text) : 0;
    if (width <= 0 && isatty(fileno(stream)) &&
        ioctl(fileno(stream), TIOCGWINSZ, &window) == 0)
        width = window.ws_col;
    if (width <= 0)
        width = USUAL_WIDTH;
    if (width < LEAST_WIDTH)
        return LEAST_WIDTH;
    return width < MOST_WIDTH ? width : MOST_WIDTH;
}

/* Tell whether the locale that is in force writes UTF-8. */
static bool is_unicode(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
    }
    return false;
}

dti_page dti_page_of(FILE *stream)
{
    return (dti_page){
        .width = find_width(stream),
        .unicode = is_unicode(),
        .coloured = dti_look_shown(stream),
    };
}
