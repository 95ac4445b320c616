/* cli/units.c - bytes and seconds, as people write them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- Writing ------------------------------------------------------------ */

/* Digits behind the point, so that there are three in all. */
static int decimals(double value)
{
    return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

dti_figure dti_bytes(int64_t bytes)
{
    static const char *const names[] = {"B",   "KiB", "MiB", "GiB",
                                        "TiB", "PiB", "EiB"};
    dti_figure out;
    double value = (double)bytes;
    size_t at = 0;
    while (value >= 1023.5 && at + 1 < COUNT_OF(names)) {
        value /= 1024;
        at++;
    }
    bool whole = value == (double)(int64_t)value;
    snprintf(out.text, sizeof out.text, "%.*f %s", whole ? 0 : decimals(value),
             value, names[at]);
    return out;
}

dti_figure dti_seconds(double seconds)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    dti_figure out = {"0 s"};
    size_t at = 0;
    if (seconds <= 0)
        return out;
    while (seconds < 0.9995 * units[at].unit && at + 1 < COUNT_OF(units))
        at++;
    double value = seconds / units[at].unit;
    snprintf(out.text, sizeof out.text, "%.*f %s", decimals(value), value,
             units[at].name);
    return out;
}

dti_figure dti_times(double ratio)
{
    dti_figure out;
    snprintf(out.text, sizeof out.text, "%.*fx", decimals(ratio), ratio);
    return out;
}

/* ---- Reading ------------------------------------------------------------ */

/* How many bytes a unit has; 0 if there is none of that name. */
static size_t unit_bytes(const char *name)
{
    static const char letters[] = "KMGT";
    const char *letter = *name ? strchr(letters, *name) : NULL;
    if (!letter)
        return strcmp(name, "") == 0 || strcmp(name, "B") == 0 ? 1 : 0;
    bool binary = name[1] == 'i';
    const char *rest = name + (binary ? 2 : 1);
    size_t unit = 1;
    if (*rest && strcmp(rest, "B") != 0)
        return 0;
    for (const char *at = letters; at <= letter; at++)
        unit *= binary ? 1024 : 1000;
    return unit;
}

bool dti_bytes_read(const char *text, size_t *out)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (end == text || errno || strchr(text, '-'))
        return false;
    size_t unit = unit_bytes(end + strspn(end, " "));
    if (unit == 0 || number > SIZE_MAX / unit)
        return false;
    *out = (size_t)number * unit;
    return true;
}
