/* verify/verify.h - verifying what a program brings. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_VERIFY_VERIFY_H
#define DTI_VERIFY_VERIFY_H

#include <dtensor/sys/verify.h>

/* What a verification found. */
typedef struct dti_verify_counts {
    int operators; /* that were verified */
    int wrong;     /* of these: operators with something wrong */
    int missing;   /* layouts that rules could allow */
} dti_verify_counts;

/* dt_op_verify that also counts.  Not collective. */
dt_status dti_verify(dt_world *world, const char *name,
                     const dt_verify_options *options, dti_verify_counts *out);

#endif
