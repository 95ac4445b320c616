/* cli/ops/verify.h - verifying the operators and rules of a program. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_OPS_VERIFY_H
#define DTI_CLI_OPS_VERIFY_H

/* Run a program, whose arguments end with NULL, and print what the library
 * reports about its operators and rules.  Returns the exit status. */
int dti_ops_verify(char **argv);

#endif
