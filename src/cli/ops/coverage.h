/* cli/ops/coverage.h - which of a list of ATen's names there are rows for. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_OPS_COVERAGE_H
#define DTI_CLI_OPS_COVERAGE_H

#include <stdbool.h>

#include <dtensor/world.h>

/*
 * Read a file of names, "-" for stdin, and say of each whether an operator of
 * the world has it.  Gives the exit status: DTI_EXIT_FAILED if one lacks, or
 * the file cannot be read; DTI_EXIT_USAGE if a line is no name.
 */
int dti_coverage_show(dt_world *world, const char *path, bool json);

#endif
