/* base/settings.h - settings from options, the environment and defaults. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_SETTINGS_H
#define DTI_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/settings.h>

/* One per row of the table in settings.c. */
typedef enum dti_setting_id {
    DTI_SET_RANKS,
    DTI_SET_RANK,
    DTI_SET_THREADS,
    DTI_SET_TRANSPORT,
    DTI_SET_TIMEOUT,
    DTI_SET_CHECK,
    DTI_SET_MEMORY_LIMIT,
    DTI_SET_HUGE_PAGES,
    DTI_SET_PIN,
    DTI_SET_CPU,
    DTI_SET_BLAS,
    DTI_SET_SEED,
    DTI_SET_LOG,
    DTI_SET_CHECK_HANDLES,
    DTI_SET_DRY_RUN,
    DTI_SET_VERIFY,
    DTI_SET_COUNT
} dti_setting_id;

#define DTI_SETTING_SIZE 256 /* of a text; DT_BLAS may be a path */
#define DTI_TRANSPORT_SIZE 32

/* The settings of one world: values ready for use, and their texts. */
typedef struct dti_settings {
    int ranks;
    int rank;    /* where neither a launcher nor threads say it */
    int threads; /* of a rank; 0: its share of the cores */
    int cores;   /* that the ranks of this machine may use */
    char transport[DTI_TRANSPORT_SIZE];
    double timeout; /* seconds; 0: for ever */
    bool check;     /* mpi compares the calls of ranks before each */
    size_t memory_limit;
    bool huge_pages;
    dt_tristate pin; /* inherited: who starts the ranks decides */
    uint64_t seed;   /* of random numbers */
    dt_log_level log_level;
    bool check_handles;
    bool dry_run;  /* tensors have no elements */
    int report_to; /* descriptor for the report of a dry run; -1: nobody asks */
    int verify_to; /* descriptor for the report of a verification; -1: none */
    dt_setting listed[DTI_SET_COUNT];
    char texts[DTI_SET_COUNT][DTI_SETTING_SIZE];
} dti_settings;

/* The options of a caller, which may be older, newer or NULL. */
dt_status dti_world_options_read(const dt_world_options *options,
                                 dt_world_options *out, dt_error *error);

/*
 * Work out the settings: options override the environment, which overrides
 * defaults.  A value that cannot be read is DT_ERR_INVALID, and `error` names
 * it.
 */
dt_status dti_settings_read(const dt_world_options *options, dti_settings *out,
                            dt_error *error);

/*
 * Call `tell` for each variable of the environment that begins with DT_ and
 * that nothing reads, with the known name that is nearest, or NULL.
 */
typedef void (*dti_unknown_function)(void *arg, const char *name,
                                     const char *nearest);
void dti_settings_unknown(dti_unknown_function tell, void *arg);

/* Copy settings; the list in the copy names the copy's own texts. */
void dti_settings_copy(dti_settings *to, const dti_settings *from);

/* Read a number of bytes such as "512Mi", "4G" or "1000". */
bool dti_parse_bytes(const char *text, size_t *out);

#endif
