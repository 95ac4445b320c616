/* cli/machine.h - the machine that the command runs on. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_MACHINE_H
#define DTI_CLI_MACHINE_H

#include <stdint.h>

/* What the system says; text is "unknown" and numbers are 0 where it does not.
 */
typedef struct dti_machine {
    char cpu[128];       /* the processor's name */
    char features[256];  /* instruction sets that kernels look for */
    int cores;           /* that this process may run on */
    int64_t memory;      /* bytes */
    int64_t available;   /* bytes that can be had without swapping */
    char huge_pages[16]; /* "always", "madvise" or "never" */
    int64_t huge_page;   /* bytes */
} dti_machine;

void dti_machine_read(dti_machine *out);

/* The compiler that built the command. */
const char *dti_machine_compiler(void);

#endif
