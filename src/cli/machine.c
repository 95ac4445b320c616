/* cli/machine.c - the machine that the command runs on. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/machine.h"

#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HUGE_PAGES "/sys/kernel/mm/transparent_hugepage/"

/* As /proc/cpuinfo names them: x86-64, then AArch64. */
static const char *const known_features[] = {
    "sse4_2",      "avx",         "f16c",        "fma",      "avx2",
    "avx_vnni",    "avx512f",     "avx512bw",    "avx512dq", "avx512vl",
    "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_tile", "amx_bf16",
    "asimd",       "asimdhp",     "sve",         "sve2",     "bf16",
};

/* The text after "key :" in a line, without its newline; NULL if another key.
 */
static char *value_of(char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0)
        return NULL;
    char *value = line + length + strspn(line + length, " \t");
    if (*value != ':')
        return NULL;
    value += 1 + strspn(value + 1, " \t");
    value[strcspn(value, "\n")] = 0;
    return value;
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (; (text = strstr(text, word)); text += length)
        if (text[-1] == ' ' && (text[length] == ' ' || !text[length]))
            return true;
    return false;
}

/* `flags` is the list of the system; there is a space before it. */
static void keep_features(const char *flags, dti_machine *out)
{
    size_t used = 0;
    out->features[0] = 0;
    for (size_t i = 0; i < sizeof known_features / sizeof *known_features; i++)
        if (has_word(flags, known_features[i]) && used < sizeof out->features)
            used += (size_t)snprintf(out->features + used,
                                     sizeof out->features - used, "%s%s",
                                     used ? " " : "", known_features[i]);
}

static void read_cpu(dti_machine *out)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char *line = NULL, *value;
    size_t room = 0;
    bool named = false;
    while (file && getline(&line, &room, file) > 0) {
        if (!named && (value = value_of(line, "model name"))) {
            snprintf(out->cpu, sizeof out->cpu, "%s", value);
            named = true;
        } else if ((value = value_of(line, "flags")) ||
                   (value = value_of(line, "Features"))) {
            keep_features(value - 1, out);
            break;
        }
    }
    free(line);
    if (file)
        fclose(file);
}

static void read_memory(dti_machine *out)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "MemTotal: %" SCNd64, &out->memory);
        sscanf(line, "MemAvailable: %" SCNd64, &out->available);
    }
    if (file)
        fclose(file);
    out->memory *= 1024;
    out->available *= 1024;
}

static void read_huge_pages(dti_machine *out)
{
    FILE *file = fopen(HUGE_PAGES "enabled", "r");
    if (file) {
        /* The chosen word is in brackets. */
        if (fscanf(file, "%*[^[][%15[^]]", out->huge_pages) != 1)
            snprintf(out->huge_pages, sizeof out->huge_pages, "unknown");
        fclose(file);
    }
    file = fopen(HUGE_PAGES "hpage_pmd_size", "r");
    if (file) {
        if (fscanf(file, "%" SCNd64, &out->huge_page) != 1)
            out->huge_page = 0;
        fclose(file);
    }
}

void dti_machine_read(dti_machine *out)
{
    cpu_set_t cores;
    *out = (dti_machine){
        .cpu = "unknown", .features = "unknown", .huge_pages = "unknown"};
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        out->cores = CPU_COUNT(&cores);
    read_cpu(out);
    read_memory(out);
    read_huge_pages(out);
}

const char *dti_machine_compiler(void)
{
#if defined(__clang__)
    return __VERSION__; /* begins with its name */
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#else
    return "unknown";
#endif
}
