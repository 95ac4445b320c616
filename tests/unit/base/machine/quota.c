/* tests/unit/base/machine/quota.c - cores that a control group may use. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/machine/quota.h"
#include "support/check.h"

static char root[] = "/tmp/dtensor-quota-XXXXXX";
static char paths[16][128];
static int path_count;

/* Write a file, or make a folder if there is no text. */
static void make(const char *name, const char *text)
{
    char *path = paths[path_count++];
    snprintf(path, sizeof paths[0], "%s/%s", root, name);
    if (!text) {
        CHECK(mkdir(path, 0700) == 0);
        return;
    }
    FILE *file = fopen(path, "w");
    if (CHECK(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

static void remove_all(void)
{
    while (path_count > 0)
        remove(paths[--path_count]);
    CHECK(rmdir(root) == 0);
}

static void quotas_limit_cores(dt_world *world)
{
    (void)world;
    CHECK(mkdtemp(root) != NULL);
    make("a", NULL);
    make("a/b", NULL);
    make("a/cpu.max", "600000 100000\n");
    make("a/b/cpu.max", "max 100000\n");
    make("cpu.max", "150000 100000\n");
    make("cpu", NULL);
    make("cpu/c", NULL);
    make("cpu/c/cpu.cfs_quota_us", "250000\n");
    make("cpu/c/cpu.cfs_period_us", "100000\n");
    make("cpu/cpu.cfs_quota_us", "-1\n");
    make("cpu/cpu.cfs_period_us", "100000\n");
    CHECK_INT(dti_quota_of_group(root, "0::/a/b\n", 8), 2);
    CHECK_INT(dti_quota_of_group(root, "0::/\n", 1), 1);
    CHECK_INT(dti_quota_of_group(root, "0::/none\n", 8), 2);
    CHECK(remove(paths[4]) == 0); /* cpu.max of the root */
    CHECK_INT(dti_quota_of_group(root, "0::/a/b\n", 8), 6);
    CHECK_INT(dti_quota_of_group(root, "0::/a/b\n", 4), 4);
    CHECK_INT(dti_quota_of_group(root, "0::/\n", 8), 8);
    CHECK_INT(dti_quota_of_group(root, "4:cpu,cpuacct:/c\n", 8), 3);
    CHECK_INT(dti_quota_of_group(root, "4:cpu:/\n", 8), 8);
    CHECK_INT(dti_quota_of_group(root, "3:cpuset:/c\n", 8), 8);
    CHECK_INT(dti_quota_of_group(root, "nonsense", 8), 8);
    remove_all();
}

const dt_test dt_tests[] = {
    {"quotas limit cores", quotas_limit_cores},
    {NULL, NULL},
};
