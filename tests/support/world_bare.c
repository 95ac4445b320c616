/* tests/support/world_bare.c - a world of one rank with nothing but base, and
 * BLAS for kernels. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/runner.h"

#include "base/world.h"
#include "kernel/gemm/blas.h"

dt_status dt_test_run(int ranks, dt_program program, void *arg, dt_error *error)
{
    if (ranks != 1)
        return dti_error_set(error, DT_ERR_INVALID,
                             "%d ranks for a test of one", ranks);
    dti_settings settings;
    dt_world *world = NULL;
    DT_TRY(dti_settings_read(NULL, &settings, error));
    DT_TRY(dti_blas_load(settings.texts[DTI_SET_BLAS], error));
    DT_TRY(dti_world_create(NULL, &settings, 0, 1, &world, error));
    dt_status status = program(world, arg);
    DT_IGNORE(dt_world_close(world));
    return status;
}
