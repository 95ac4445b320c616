/* tests/unit/base/settings.c - options over the environment over defaults. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/settings.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/world.h"
#include "support/check.h"

static const char *const names[] = {
    "DT_RANKS",      "DT_TRANSPORT",     "DT_TIMEOUT", "DT_MEMORY_LIMIT",
    "DT_HUGE_PAGES", "DT_PIN",           "DT_CPU",     "DT_LOG",
    "DT_SEED",       "DT_RANK",          "DT_DRY_RUN", "DT_BLAS",
    "DT_CHECK",      "DT_CHECK_HANDLES", "DT_VERIFY",  "DT_THREADS",
};
enum { NAMES = sizeof names / sizeof *names };

/* More than a setting has characters. */
#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
#define TOO_LONG ZEROS ZEROS ZEROS ZEROS

/* Forget what the caller's environment says; tests run in one process. */
static void clean_environment(void)
{
    for (int i = 0; i < NAMES; i++)
        unsetenv(names[i]);
}

static const dt_setting *listed(const dti_settings *settings, const char *name)
{
    for (int i = 0; i < DTI_SET_COUNT; i++)
        if (strcmp(settings->listed[i].name, name) == 0)
            return &settings->listed[i];
    CHECKF(false, "%s is not listed", name);
    return &settings->listed[0];
}

static void has_defaults(dt_world *world)
{
    (void)world;
    dti_settings settings;
    dt_error error;
    clean_environment();
    CHECK_ERROR(&error, dti_settings_read(NULL, &settings, &error), DT_OK,
                NULL);
    CHECK_INT(settings.ranks, 1);
    CHECK_TEXT(settings.transport, "threads");
    CHECK(settings.timeout == 300);
    CHECK_INT(settings.memory_limit, 0);
    CHECK(settings.huge_pages && !settings.check);
    CHECK_INT(settings.pin, DT_TRISTATE_INHERIT);
    CHECK_INT(settings.threads, 0);
    CHECK(settings.cores >= 1);
    CHECK_INT(settings.log_level, DT_LOG_WARNING);
    CHECK_INT(settings.seed, 0);
    CHECK_INT(settings.rank, 0);
    CHECK(!settings.dry_run && settings.report_to == -1);
    CHECK_INT(settings.verify_to, -1);
    /* The list is complete. */
    for (int i = 0; i < NAMES; i++) {
        const dt_setting *one = listed(&settings, names[i]);
        CHECK_INT(one->origin, DT_FROM_DEFAULT);
        CHECK(one->summary && one->summary[0] && one->value[0]);
    }
    CHECK_INT(DTI_SET_COUNT, NAMES);
}

static void reads_the_environment(dt_world *world)
{
    (void)world;
    dti_settings settings;
    dt_error error;
    clean_environment();
    setenv("DT_RANKS", "12", 1);
    setenv("DT_TRANSPORT", "sim", 1);
    setenv("DT_TIMEOUT", "0.25", 1);
    setenv("DT_MEMORY_LIMIT", "512Mi", 1);
    setenv("DT_HUGE_PAGES", "off", 1);
    setenv("DT_CHECK_HANDLES", "on", 1);
    setenv("DT_VERIFY", "7", 1);
    setenv("DT_PIN", "off", 1);
    setenv("DT_THREADS", "3", 1);
    setenv("DT_CPU", "portable", 1);
    setenv("DT_LOG", "debug", 1);
    setenv("DT_SEED", "18446744073709551615", 1);
    setenv("DT_RANK", "7", 1);
    setenv("DT_DRY_RUN", "on", 1);
    setenv("DT_BLAS", "/opt/a folder/libblas.so", 1);
    setenv("DT_CHECK", "on", 1);
    CHECK_ERROR(&error, dti_settings_read(NULL, &settings, &error), DT_OK,
                NULL);
    CHECK_INT(settings.ranks, 12);
    CHECK_TEXT(settings.transport, "sim");
    CHECK(settings.timeout == 0.25);
    CHECK_INT(settings.memory_limit, 512 << 20);
    CHECK(!settings.huge_pages && settings.pin == DT_TRISTATE_OFF);
    CHECK_INT(settings.threads, 3);
    CHECK_INT(settings.log_level, DT_LOG_DEBUG);
    CHECK(settings.seed == UINT64_MAX);
    CHECK_INT(settings.rank, 7);
    CHECK(settings.dry_run && settings.report_to == -1 && settings.check);
    for (int i = 0; i < NAMES; i++) {
        CHECK_INT(listed(&settings, names[i])->origin, DT_FROM_ENVIRONMENT);
        CHECK_TEXT(listed(&settings, names[i])->value, getenv(names[i]));
    }
    clean_environment();
}

/* A limit that rounds to no nanosecond is not for ever. */
static void keeps_short_limits(dt_world *world)
{
    (void)world;
    static const char *const texts[] = {"1e-9", "1e-10", "4.9e-324"};
    dti_settings settings;
    dt_error error;
    clean_environment();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        setenv("DT_TIMEOUT", texts[i], 1);
        CHECK_ERROR(&error, dti_settings_read(NULL, &settings, &error), DT_OK,
                    NULL);
        CHECK_INT((int64_t)(settings.timeout * 1e9), 1);
    }
    clean_environment();
}

static void prefers_options(dt_world *world)
{
    (void)world;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dti_settings settings;
    dt_error error;
    clean_environment();
    setenv("DT_RANKS", "12", 1);
    setenv("DT_TIMEOUT", "not a number", 1);
    setenv("DT_LOG", "off", 1);
    setenv("DT_RANK", "5", 1);
    options.ranks = 3;
    options.rank = 2;
    options.transport = "sim";
    options.timeout = 0.3;
    options.memory_limit = 12345;
    options.log_level = DT_LOG_INFO;
    options.threads = 5;
    CHECK_ERROR(&error, dti_settings_read(&options, &settings, &error), DT_OK,
                NULL);
    CHECK_INT(settings.ranks, 3);
    CHECK_INT(settings.rank, 2);
    CHECK_TEXT(settings.transport, "sim");
    CHECK(settings.timeout == 0.3);
    CHECK_INT(settings.memory_limit, 12345);
    CHECK_INT(settings.log_level, DT_LOG_INFO);
    CHECK_INT(listed(&settings, "DT_RANKS")->origin, DT_FROM_OPTIONS);
    CHECK_TEXT(listed(&settings, "DT_RANKS")->value, "3");
    CHECK_TEXT(listed(&settings, "DT_LOG")->value, "info");
    CHECK_INT(listed(&settings, "DT_PIN")->origin, DT_FROM_DEFAULT);
    /* What the options leave open comes from the environment. */
    options.ranks = 0;
    options.log_level = DT_LOG_UNSET;
    CHECK_ERROR(&error, dti_settings_read(&options, &settings, &error), DT_OK,
                NULL);
    CHECK_INT(settings.ranks, 12);
    CHECK_INT(settings.log_level, DT_LOG_OFF);
    clean_environment();
}

static void refuses_nonsense(dt_world *world)
{
    (void)world;
    static const struct {
        const char *name, *value;
    } bad[] = {
        {"DT_RANKS", "0"},
        {"DT_RANKS", "-1"},
        {"DT_RANKS", "four"},
        {"DT_RANKS", "4x"},
        {"DT_RANKS", ""},
        {"DT_RANKS", "99999999999"},
        {"DT_TRANSPORT", ""},
        {"DT_TIMEOUT", "-1"},
        {"DT_TIMEOUT", "soon"},
        {"DT_TIMEOUT", "nan"},
        {"DT_TIMEOUT", "inf"},
        {"DT_TIMEOUT", "1 s"},
        {"DT_TIMEOUT", "1e11"},
        {"DT_MEMORY_LIMIT", "-5"},
        {"DT_MEMORY_LIMIT", "4Q"},
        {"DT_MEMORY_LIMIT", "Mi"},
        {"DT_MEMORY_LIMIT", "99999999999Ti"},
        {"DT_HUGE_PAGES", "yes"},
        {"DT_PIN", "1"},
        {"DT_THREADS", "0"},
        {"DT_THREADS", "two"},
        {"DT_THREADS", "1000000"},
        {"DT_CHECK", "yes"},
        {"DT_CHECK_HANDLES", "1"},
        {"DT_CPU", "z80"},
        {"DT_LOG", "loud"},
        {"DT_RANK", "first"},
        {"DT_RANK", "99999999999"},
        {"DT_DRY_RUN", "-1"},
        {"DT_VERIFY", "on"},
        {"DT_VERIFY", "-1"},
        {"DT_DRY_RUN", "3x"},
        {"DT_DRY_RUN", "yes"},
        {"DT_DRY_RUN", "99999999999"},
        {"DT_SEED", "-1"},
        {"DT_SEED", "+1"},
        {"DT_SEED", ""},
        {"DT_SEED", "0x10"},
        {"DT_SEED", "18446744073709551616"},
        {"DT_TRANSPORT", "a name that is far too long to be a transport"},
        {"DT_RANKS", TOO_LONG "4"},
        {"DT_BLAS", ""},
        {"DT_BLAS", "/" TOO_LONG},
    };
    dti_settings settings;
    dt_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        clean_environment();
        setenv(bad[i].name, bad[i].value, 1);
        CHECK_ERROR(&error, dti_settings_read(NULL, &settings, &error),
                    DT_ERR_INVALID, bad[i].name);
        if (strlen(bad[i].value) < DTI_SETTING_SIZE)
            CHECKF(strstr(error.message, bad[i].value) != NULL,
                   "%s does not name %s", error.message, bad[i].value);
        CHECK_INT(dti_settings_read(NULL, &settings, NULL), DT_ERR_INVALID);
    }
    clean_environment();
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.timeout = -2;
    CHECK_ERROR(&error, dti_settings_read(&options, &settings, &error),
                DT_ERR_INVALID, "DT_TIMEOUT");
    options.timeout = 0;
    options.size = 0;
    CHECK_ERROR(&error, dti_settings_read(&options, &settings, &error),
                DT_ERR_INVALID, "DT_WORLD_OPTIONS_INIT");
}

static void dry_runs_on_sim_alone(dt_world *world)
{
    (void)world;
    dti_settings settings;
    dt_error error;
    clean_environment();
    setenv("DT_DRY_RUN", "12", 1);
    CHECK_ERROR(
        &error, dti_settings_read(NULL, &settings, &error), DT_ERR_INVALID,
        "DT_DRY_RUN needs the transport sim, but DT_TRANSPORT is threads");
    setenv("DT_TRANSPORT", "sim", 1);
    CHECK_ERROR(&error, dti_settings_read(NULL, &settings, &error), DT_OK,
                NULL);
    CHECK(settings.dry_run);
    CHECK_INT(settings.report_to, 12);
    clean_environment();
}

static void parses_bytes(dt_world *world)
{
    (void)world;
    static const struct {
        const char *text;
        size_t bytes;
    } good[] = {
        {"0", 0},
        {"17", 17},
        {"3K", 3000},
        {"3Ki", 3072},
        {"2M", 2000000},
        {"2Mi", 2097152},
        {"1G", 1000000000},
        {"4Gi", (size_t)4 << 30},
        {"5Ti", (size_t)5 << 40},
        {"18446744073709551615", SIZE_MAX},
        {"16383Ti", (size_t)16383 << 40},
    };
    size_t bytes;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        bytes = 1;
        CHECK(dti_parse_bytes(good[i].text, &bytes));
        CHECKF(bytes == good[i].bytes, "%s gives %zu", good[i].text, bytes);
    }
    static const char *const bad[] = {
        "",   "x",  "-1",   "1k",         "1 M", "1.5G", "18446744073709551616",
        "Gi", "-0", "1Gib", "16777216Ti",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECKF(!dti_parse_bytes(bad[i], &bytes), "\"%s\" was taken", bad[i]);
}

/* The list of a world points into the world, not into what it was made of. */
static void lists_those_of_a_world(dt_world *unused)
{
    (void)unused;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dti_settings settings;
    dt_world *world = NULL;
    dt_error error;
    size_t count = 0;
    clean_environment();
    options.memory_limit = 777216;
    CHECK_ERROR(&error, dti_settings_read(&options, &settings, &error), DT_OK,
                NULL);
    CHECK_ERROR(&error,
                dti_world_create(&options, &settings, 2, 5, &world, &error),
                DT_OK, NULL);
    memset(&settings, 'x', sizeof settings);
    const dt_setting *list = dt_world_settings(world, &count);
    CHECK_INT(count, NAMES);
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, "DT_MEMORY_LIMIT") == 0)
            CHECK_TEXT(list[i].value, "777216");
    CHECK_INT(dt_world_close(world), DT_OK);
}

const dt_test dt_tests[] = {
    {"has defaults", has_defaults},
    {"reads the environment", reads_the_environment},
    {"a limit is never too short to be one", keeps_short_limits},
    {"prefers options", prefers_options},
    {"refuses nonsense", refuses_nonsense},
    {"dry runs on sim alone", dry_runs_on_sim_alone},
    {"parses bytes", parses_bytes},
    {"lists those of a world", lists_those_of_a_world},
    {NULL, NULL},
};
