/* cli/options.c - reading the arguments of a subcommand. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/nearest.h"

/* The number of an option of one letter, as in "-n4"; NULL if there is none. */
static const char *attached_number(const char *text, const dti_option *option)
{
    const bool one_letter = option->number && strlen(option->name) == 2 &&
                            strncmp(text, option->name, 2) == 0;
    return one_letter && text[2] >= '0' && text[2] <= '9' ? text + 2 : NULL;
}

static const dti_option *find_option(const char *command, const char *text,
                                     const dti_option *options, size_t count)
{
    char name[64];
    const char *nearest = NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, options[i].name) == 0 ||
            attached_number(text, &options[i]))
            return &options[i];
        nearest = dti_nearer(name, nearest, options[i].name);
    }
    dti_message_print(stderr, "dtensor %s: there is no option %s", command,
                      name);
    if (nearest)
        dti_message_print(stderr, "; did you mean %s?\n", nearest);
    else
        dti_message_print(stderr, "; dtensor help %s lists them\n", command);
    return NULL;
}

static bool store(const char *command, const dti_option *option,
                  const char *value)
{
    if (option->text) {
        *option->text = value;
        return true;
    }
    char *end;
    int least = option->index ? 0 : 1;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end || errno || number < least || number > INT_MAX) {
        dti_message_print(
            stderr, "dtensor %s: %s takes a whole number from %d, not \"%s\"\n",
            command, option->name, least, value);
        return false;
    }
    *(option->index ? option->index : option->number) = (int)number;
    return true;
}

/* Read the option at argv[*at]; `*at` is then its last argument. */
static bool read_option(int argc, char **argv, int *at,
                        const dti_option *options, size_t count)
{
    const char *text = argv[*at];
    const dti_option *option = find_option(argv[0], text, options, count);
    if (!option)
        return false;
    const char *equals = strchr(text, '=');
    const char *value = equals ? equals + 1 : attached_number(text, option);
    if (option->flag) {
        if (value)
            dti_message_print(stderr, "dtensor %s: %s takes no value\n",
                              argv[0], option->name);
        *option->flag = true;
        return !value;
    }
    if (!value && *at + 1 == argc) {
        dti_message_print(stderr, "dtensor %s: %s needs a value\n", argv[0],
                          option->name);
        return false;
    }
    return store(argv[0], option, value ? value : argv[++*at]);
}

bool dti_options_read(int argc, char **argv, const dti_option *options,
                      size_t count, int *operands)
{
    bool ended = false;
    *operands = 0;
    for (int i = 1; i < argc; i++) {
        if (!ended && strcmp(argv[i], "--") == 0)
            ended = true;
        else if (ended || argv[i][0] != '-' || !argv[i][1])
            argv[++*operands] = argv[i];
        else if (!read_option(argc, argv, &i, options, count))
            return false;
    }
    return true;
}

/* Tell whether the value of an option is the next argument. */
static bool has_value_apart(const char *text, const dti_option *options,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, options[i].name) == 0)
            return !options[i].flag;
    return false;
}

int dti_options_find_program(int argc, char **argv, const dti_option *options,
                             size_t count)
{
    int at = 1;
    while (at < argc && argv[at][0] == '-') {
        if (strcmp(argv[at], "--") == 0)
            return at + 1;
        at += has_value_apart(argv[at], options, count) ? 2 : 1;
    }
    return at < argc ? at : argc;
}
