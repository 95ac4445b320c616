/* base/machine/quota.c - how much of the processor a control group may use. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/quota.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/*
 * In version 2 of control groups there is one hierarchy, and the quotas of the
 * group of a process and of all groups around it hold: for "0::/a/b" the files
 * are a/b/cpu.max, a/cpu.max and cpu.max below /sys/fs/cgroup.  In version 1
 * the controller cpu has a hierarchy of its own, in the folder cpu, and two
 * files for the two numbers.  A container sees its own group as the root.
 */

/* Read the first number of a file, and the second if there is one; others stay
 * as they are, as for the word "max". */
static void read_numbers(const char *folder, const char *name, long long *first,
                         long long *second)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (fscanf(file, "%lld %lld", first, second) < 1)
        *first = 0;
    fclose(file);
}

/* The quota of one group, whose files are in a folder. */
static int limit(const char *folder, int cores)
{
    long long quota = 0, period = 0, none;
    read_numbers(folder, "cpu.max", &quota, &period);
    if (!period) {
        read_numbers(folder, "cpu.cfs_quota_us", &quota, &none);
        read_numbers(folder, "cpu.cfs_period_us", &period, &none);
    }
    if (quota <= 0 || period <= 0)
        return cores;
    const long long whole = (quota + period - 1) / period;
    return whole < cores ? (int)whole : cores;
}

int dti_quota_of_group(const char *root, const char *line, int cores)
{
    char folder[PATH_MAX];
    const char *names = strchr(line, ':');
    const char *group = names ? strchr(names + 1, ':') : NULL;
    if (!group)
        return cores;
    const size_t length = (size_t)(group - names - 1);
    /* "cpu" is first in all names that it has: "cpu", "cpu,cpuacct". */
    const int former = length >= 3 && strncmp(names + 1, "cpu", 3) == 0 &&
                       (length == 3 || names[4] == ',');
    if (length > 0 && !former)
        return cores;
    snprintf(folder, sizeof folder, "%s%s%.*s", root, former ? "/cpu" : "",
             (int)strcspn(group + 1, "\n"), group + 1);
    for (;;) {
        cores = limit(folder, cores);
        char *last = strrchr(folder, '/');
        if (!last || (size_t)(last - folder) < strlen(root))
            return cores;
        *last = '\0';
    }
}

int dti_quota_cores(int cores)
{
    char line[PATH_MAX + 64];
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (!file)
        return cores;
    while (fgets(line, sizeof line, file))
        cores = dti_quota_of_group("/sys/fs/cgroup", line, cores);
    fclose(file);
    return cores;
}
