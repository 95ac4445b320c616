/* fuzz/settings.c - texts that may be settings. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LONGEST 64

/* "NAME=text" for the environment, which keeps the address. */
static char entries[DTI_SET_COUNT][LONGEST];

static void require(int condition)
{
    if (!condition)
        abort();
}

/* The names of the settings, from those that nobody set. */
static const dti_settings *defaults(void)
{
    static dti_settings settings;
    if (!settings.listed[0].name)
        require(dti_settings_read(NULL, &settings, NULL) == DT_OK);
    return &settings;
}

static void set(int id, const char *text, size_t length)
{
    const char *name = defaults()->listed[id].name;
    if (length > LONGEST - 1 - strlen(name) - 1)
        length = LONGEST - 1 - strlen(name) - 1;
    snprintf(entries[id], LONGEST, "%s=%.*s", name, (int)length, text);
    require(putenv(entries[id]) == 0);
}

/* Each line is the text of a setting; an empty one leaves it alone. */
static void set_all(const char *text)
{
    for (int i = 0; i < DTI_SET_COUNT; i++) {
        size_t length = strcspn(text, "\n");
        const char *fallback = defaults()->listed[i].value;
        if (length)
            set(i, text, length);
        else
            set(i, fallback, strlen(fallback));
        text += length + (text[length] != '\0');
    }
}

/* What is read is within its limits; a failure leaves a sentence. */
static void check(void)
{
    dti_settings settings;
    dt_error error = {DT_OK, ""};
    dt_status status = dti_settings_read(NULL, &settings, &error);
    require(status == error.code);
    require(status == DT_OK || (status == DT_ERR_INVALID && error.message[0]));
    if (status != DT_OK)
        return;
    require(settings.ranks >= 1 && settings.timeout >= 0);
    require(settings.transport[0] != '\0');
    require(settings.report_to >= -1);
    require(settings.dry_run || settings.report_to == -1);
    for (int i = 0; i < DTI_SET_COUNT; i++)
        require(strcmp(settings.listed[i].value, settings.texts[i]) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    set_all(text);
    check();
    free(text);
    return 0;
}
