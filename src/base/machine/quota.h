/* base/machine/quota.h - how much of the processor a control group may use. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_MACHINE_QUOTA_H
#define DTI_BASE_MACHINE_QUOTA_H

/* Give `cores`, or fewer if the process may not use so many at once: a quota of
 * 150 ms in each 100 ms is two cores, of which one is not always there. */
int dti_quota_cores(int cores);

/* The same for the files of a control group below `root`, as in
 * /proc/self/cgroup: `line` is "0::/a/b" or "4:cpu,cpuacct:/a/b". */
int dti_quota_of_group(const char *root, const char *line, int cores);

#endif
