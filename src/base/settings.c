/* base/settings.c - settings from options, the environment and defaults. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/machine/cpu.h"
#include "base/options.h"
#include "base/text/nearest.h"

/* A setting: reads its text into place; false if the text makes no sense. */
typedef struct setting_row {
    const char *name;
    const char *fallback;
    const char *expects; /* for the message when the text is refused */
    const char *summary;
    bool (*read)(dti_settings *settings, const char *text);
    /* What the options say, as text; false if they leave it open. */
    bool (*option)(const dt_world_options *options, char *text);
} setting_row;

bool dti_parse_bytes(const char *text, size_t *out)
{
    static const struct {
        const char *suffix;
        unsigned shift; /* binary units; 0 with a factor for decimal ones */
        size_t factor;
    } units[] = {
        {"", 0, 1},    {"Ki", 10, 1},  {"Mi", 20, 1},     {"Gi", 30, 1},
        {"Ti", 40, 1}, {"K", 0, 1000}, {"M", 0, 1000000}, {"G", 0, 1000000000},
    };
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (end == text || errno || strchr(text, '-'))
        return false;
    for (size_t i = 0; i < DTI_COUNT_OF(units); i++) {
        if (strcmp(end, units[i].suffix) != 0)
            continue;
        size_t unit = units[i].factor << units[i].shift;
        if (number > SIZE_MAX / unit)
            return false;
        *out = (size_t)number * unit;
        return true;
    }
    return false;
}

static bool read_ranks(dti_settings *settings, const char *text)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < 1 || number > INT_MAX)
        return false;
    settings->ranks = (int)number;
    return true;
}

/* Whether the world has such a rank is seen when its size is known. */
static bool read_rank(dti_settings *settings, const char *text)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < INT_MIN || number > INT_MAX)
        return false;
    settings->rank = (int)number;
    return true;
}

static bool option_rank(const dt_world_options *options, char *text)
{
    snprintf(text, DTI_SETTING_SIZE, "%d", options->rank);
    return options->rank != 0;
}

/* More threads than any machine has cores are a mistake. */
#define MOST_THREADS 4096

static bool read_threads(dti_settings *settings, const char *text)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    settings->threads = 0;
    if (strcmp(text, "auto") == 0)
        return true;
    if (end == text || *end || errno || number < 1 || number > MOST_THREADS)
        return false;
    settings->threads = (int)number;
    return true;
}

static bool option_threads(const dt_world_options *options, char *text)
{
    snprintf(text, DTI_SETTING_SIZE, "%d", options->threads);
    return options->threads != 0;
}

static bool option_ranks(const dt_world_options *options, char *text)
{
    snprintf(text, DTI_SETTING_SIZE, "%d", options->ranks);
    return options->ranks != 0;
}

static bool read_transport(dti_settings *settings, const char *text)
{
    if (!*text || strlen(text) >= sizeof settings->transport)
        return false;
    strcpy(settings->transport, text);
    return true;
}

static bool option_transport(const dt_world_options *options, char *text)
{
    if (!options->transport)
        return false;
    snprintf(text, DTI_SETTING_SIZE, "%s", options->transport);
    return true;
}

/* In seconds: thirty years, which are few enough nanoseconds for 64 bits. */
#define LONGEST_TIMEOUT 1e9

static bool read_timeout(dti_settings *settings, const char *text)
{
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds >= 0 && seconds <= LONGEST_TIMEOUT))
        return false;
    /* The shortest limit is a nanosecond: less would round to none. */
    settings->timeout = seconds > 0 && seconds < 1e-9 ? 1e-9 : seconds;
    return true;
}

static bool option_timeout(const dt_world_options *options, char *text)
{
    snprintf(text, DTI_SETTING_SIZE, "%.17g", options->timeout);
    return options->timeout != 0;
}

static bool read_memory_limit(dti_settings *settings, const char *text)
{
    return dti_parse_bytes(text, &settings->memory_limit);
}

static bool option_memory_limit(const dt_world_options *options, char *text)
{
    snprintf(text, DTI_SETTING_SIZE, "%zu", options->memory_limit);
    return options->memory_limit != 0;
}

static bool read_switch(const char *text, bool *out)
{
    *out = strcmp(text, "on") == 0;
    return *out || strcmp(text, "off") == 0;
}

static bool read_check(dti_settings *settings, const char *text)
{
    return read_switch(text, &settings->check);
}

static bool read_huge_pages(dti_settings *settings, const char *text)
{
    return read_switch(text, &settings->huge_pages);
}

static bool read_pin(dti_settings *settings, const char *text)
{
    bool on;
    settings->pin = DT_TRISTATE_INHERIT;
    if (strcmp(text, "auto") == 0)
        return true;
    if (!read_switch(text, &on))
        return false;
    settings->pin = on ? DT_TRISTATE_ON : DT_TRISTATE_OFF;
    return true;
}

static bool option_pin(const dt_world_options *options, char *text)
{
    static const char *const names[] = {
        [DT_TRISTATE_ON] = "on", [DT_TRISTATE_OFF] = "off"};
    if (options->pin != DT_TRISTATE_ON && options->pin != DT_TRISTATE_OFF)
        return false;
    strcpy(text, names[options->pin]);
    return true;
}

/* The level itself is read by dti_cpu_level_used, for the whole process. */
static bool read_cpu(dti_settings *settings, const char *text)
{
    (void)settings;
    for (int i = 0; i < DTI_CPU_LEVELS; i++)
        if (strcmp(text, dti_cpu_level_name((dti_cpu_level)i)) == 0)
            return true;
    return strcmp(text, "best") == 0;
}

/* The library itself is loaded by dti_blas_load, for the whole process. */
static bool read_blas(dti_settings *settings, const char *text)
{
    (void)settings;
    return *text != '\0';
}

/* strtoull takes a sign and makes a large number of it. */
static bool read_seed(dti_settings *settings, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (end == text || *end || errno || text[0] < '0' || text[0] > '9')
        return false;
    settings->seed = number;
    return true;
}

static bool read_check_handles(dti_settings *settings, const char *text)
{
    return read_switch(text, &settings->check_handles);
}

/* What debug builds do unasked. */
#ifdef NDEBUG
#define IN_DEBUG_BUILDS "off"
#else
#define IN_DEBUG_BUILDS "on"
#endif

static const char *const log_names[] = {
    [DT_LOG_OFF] = "off",
    [DT_LOG_WARNING] = "warning",
    [DT_LOG_INFO] = "info",
    [DT_LOG_DEBUG] = "debug",
};

static bool read_log(dti_settings *settings, const char *text)
{
    for (int i = DT_LOG_OFF; i <= DT_LOG_DEBUG; i++) {
        if (strcmp(text, log_names[i]) == 0) {
            settings->log_level = (dt_log_level)i;
            return true;
        }
    }
    return false;
}

static bool option_log(const dt_world_options *options, char *text)
{
    if (options->log_level <= DT_LOG_UNSET || options->log_level > DT_LOG_DEBUG)
        return false;
    strcpy(text, log_names[options->log_level]);
    return true;
}

/* The number of an open file. */
static bool read_descriptor(const char *text, int *out)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end || text[0] < '0' || text[0] > '9' ||
        number > INT_MAX)
        return false;
    *out = (int)number;
    return true;
}

static bool read_dry_run(dti_settings *settings, const char *text)
{
    settings->report_to = -1;
    if (read_switch(text, &settings->dry_run))
        return true;
    settings->dry_run = true;
    return read_descriptor(text, &settings->report_to);
}

static bool read_verify(dti_settings *settings, const char *text)
{
    settings->verify_to = -1;
    return strcmp(text, "off") == 0 ||
           read_descriptor(text, &settings->verify_to);
}

static const setting_row rows[DTI_SET_COUNT] = {
    [DTI_SET_RANKS] = {.name = "DT_RANKS",
                       .fallback = "1",
                       .expects = "a whole number from 1",
                       .summary = "number of ranks",
                       .read = read_ranks,
                       .option = option_ranks},
    [DTI_SET_RANK] = {.name = "DT_RANK",
                      .fallback = "0",
                      .expects = "a whole number from 0",
                      .summary = "rank of this process; for sim only",
                      .read = read_rank,
                      .option = option_rank},
    [DTI_SET_THREADS] = {.name = "DT_THREADS",
                         .fallback = "auto",
                         .expects = "auto or a whole number from 1 to 4096",
                         .summary = "threads of a rank; auto: its share of the "
                                    "cores",
                         .read = read_threads,
                         .option = option_threads},
    [DTI_SET_TRANSPORT] = {.name = "DT_TRANSPORT",
                           .fallback = "threads",
                           .expects = "the name of a transport",
                           .summary = "how ranks communicate",
                           .read = read_transport,
                           .option = option_transport},
    [DTI_SET_TIMEOUT] = {.name = "DT_TIMEOUT",
                         .fallback = "300",
                         .expects = "seconds, 0 for no limit",
                         .summary =
                             "seconds to wait for another rank; 0: no limit",
                         .read = read_timeout,
                         .option = option_timeout},
    [DTI_SET_CHECK] = {.name = "DT_CHECK",
                       .fallback = "off",
                       .expects = "on or off",
                       .summary = "on mpi, compare the calls of the ranks; "
                                  "other transports always do",
                       .read = read_check},
    [DTI_SET_MEMORY_LIMIT] = {.name = "DT_MEMORY_LIMIT",
                              .fallback = "0",
                              .expects = "bytes, such as 512Mi or 4G",
                              .summary =
                                  "bytes of storage per rank; 0: no limit",
                              .read = read_memory_limit,
                              .option = option_memory_limit},
    [DTI_SET_HUGE_PAGES] = {.name = "DT_HUGE_PAGES",
                            .fallback = "on",
                            .expects = "on or off",
                            .summary = "use huge pages for large storage",
                            .read = read_huge_pages},
    [DTI_SET_PIN] = {.name = "DT_PIN",
                     .fallback = "auto",
                     .expects = "auto, on or off",
                     .summary = "pin ranks to cores if there are enough; auto: "
                                "not those of teams",
                     .read = read_pin,
                     .option = option_pin},
    [DTI_SET_CPU] = {.name = "DT_CPU",
                     .fallback = "best",
                     .expects = "best, portable, avx2 or avx512",
                     .summary = "highest instruction set to use",
                     .read = read_cpu},
    [DTI_SET_BLAS] = {.name = "DT_BLAS",
                      .fallback = "openblas",
                      .expects = "openblas, none or a library",
                      .summary = "CBLAS library for matrix products",
                      .read = read_blas},
    [DTI_SET_SEED] = {.name = "DT_SEED",
                      .fallback = "0",
                      .expects = "a whole number from 0 to 2^64 - 1",
                      .summary = "seed of random numbers",
                      .read = read_seed},
    [DTI_SET_LOG] = {.name = "DT_LOG",
                     .fallback = "warning",
                     .expects = "off, warning, info or debug",
                     .summary = "most verbose log level",
                     .read = read_log,
                     .option = option_log},
    [DTI_SET_CHECK_HANDLES] = {.name = "DT_CHECK_HANDLES",
                               .fallback = IN_DEBUG_BUILDS,
                               .expects = "on or off",
                               .summary = "detect use of closed handles",
                               .read = read_check_handles},
    [DTI_SET_DRY_RUN] =
        {.name = "DT_DRY_RUN",
         .fallback = "off",
         .expects = "on, off or a descriptor",
         .summary =
             "on sim, create meta tensors; a descriptor receives a report",
         .read = read_dry_run},
    [DTI_SET_VERIFY] = {.name = "DT_VERIFY",
                        .fallback = "off",
                        .expects = "off or a descriptor",
                        .summary = "verify the program's operators and rules; "
                                   "a descriptor receives a report",
                        .read = read_verify},
};

/* Choose the text of one setting and say where it comes from. */
static dt_setting_origin
choose_text(const setting_row *row, const dt_world_options *options, char *text)
{
    if (row->option && row->option(options, text))
        return DT_FROM_OPTIONS;
    const char *found = secure_getenv(row->name);
    snprintf(text, DTI_SETTING_SIZE, "%s", found ? found : row->fallback);
    return found ? DT_FROM_ENVIRONMENT : DT_FROM_DEFAULT;
}

static dt_status check_dry_run(const dti_settings *settings, dt_error *error)
{
    if (!settings->dry_run || strcmp(settings->transport, "sim") == 0)
        return DT_OK;
    return dti_error_set(
        error, DT_ERR_INVALID,
        "DT_DRY_RUN needs the transport sim, but DT_TRANSPORT is %s",
        settings->transport);
}

dt_status dti_world_options_read(const dt_world_options *options,
                                 dt_world_options *out, dt_error *error)
{
    *out = (dt_world_options)DT_WORLD_OPTIONS_INIT;
    return options ? dti_options_copy(options, out, sizeof *out,
                                      "DT_WORLD_OPTIONS_INIT", error)
                   : DT_OK;
}

dt_status dti_settings_read(const dt_world_options *options, dti_settings *out,
                            dt_error *error)
{
    dt_world_options read;
    DTI_TRY(dti_world_options_read(options, &read, error));
    out->cores = dti_cpu_cores();
    for (int i = 0; i < DTI_SET_COUNT; i++) {
        const setting_row *row = &rows[i];
        dt_setting_origin origin = choose_text(row, &read, out->texts[i]);
        /* A text that fills its place was cut. */
        if (strlen(out->texts[i]) == DTI_SETTING_SIZE - 1 ||
            !row->read(out, out->texts[i]))
            return dti_error_set(error, DT_ERR_INVALID,
                                 "%s is \"%s\"; expected %s", row->name,
                                 out->texts[i], row->expects);
        out->listed[i] = (dt_setting){.name = row->name,
                                      .summary = row->summary,
                                      .value = out->texts[i],
                                      .origin = origin};
    }
    return check_dry_run(out, error);
}

/* ---- Variables that nobody reads ---------------------------------------- */

/* Read elsewhere: the plug-in of MPI is no part of a world. */
static const char *const other_names[] = {
    "DT_MPI_PLUGIN",
    "DT_MPI_ORDER",
    "DT_MPI_LIMIT",
};

/* What a launcher tells its processes, and what tests read. */
static const char *const other_prefixes[] = {"DT_SHM_", "DT_TEST_"};

/* Tell whether a name is read; `nearest` is then of no use. */
static bool is_known(const char *name, const char **nearest)
{
    for (size_t i = 0; i < DTI_COUNT_OF(other_prefixes); i++)
        if (strncmp(name, other_prefixes[i], strlen(other_prefixes[i])) == 0)
            return true;
    for (size_t i = 0; i < DTI_SET_COUNT + DTI_COUNT_OF(other_names); i++) {
        const char *known =
            i < DTI_SET_COUNT ? rows[i].name : other_names[i - DTI_SET_COUNT];
        if (strcmp(name, known) == 0)
            return true;
        *nearest = dti_nearer(name, *nearest, known);
    }
    return false;
}

void dti_settings_unknown(dti_unknown_function tell, void *arg)
{
    for (char **variable = environ; variable && *variable; variable++) {
        char name[64];
        const char *nearest = NULL;
        const size_t length = strcspn(*variable, "=");
        if (strncmp(*variable, "DT_", 3) != 0 || length >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, *variable);
        if (!is_known(name, &nearest))
            tell(arg, name, nearest);
    }
}

void dti_settings_copy(dti_settings *to, const dti_settings *from)
{
    *to = *from;
    for (int i = 0; i < DTI_SET_COUNT; i++)
        to->listed[i].value = to->texts[i];
}
