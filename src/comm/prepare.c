/* comm/prepare.c - what a process does once, before its first world. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>

#include "base/log.h"
#include "comm/comm.h"
#include "kernel/gemm/blas.h"

dt_status dti_comm_prepare(const dti_settings *settings, dt_error *error)
{
    return dti_blas_load(settings->texts[DTI_SET_BLAS], error);
}

/* Products by plain loops are many times slower: that is worth a warning where
 * a library was found and not used, and a remark where there is none. */
static void remark_on_blas(dt_world *world)
{
    const dt_blas *blas = dt_blas_used();
    if (*blas->library || !*blas->reason)
        return;
    dti_log(world, dti_blas_refused() ? DT_LOG_WARNING : DT_LOG_INFO,
            "no BLAS library: matrix products use built-in loops, which are "
            "slower: %s",
            blas->reason);
}

static void remark_on_variable(void *arg, const char *name, const char *nearest)
{
    dt_world *world = arg;
    if (nearest)
        dti_log(world, DT_LOG_WARNING,
                "unknown environment variable %s; did you mean %s?", name,
                nearest);
    else
        dti_log(world, DT_LOG_WARNING,
                "unknown environment variable %s; `dtensor info` lists the "
                "known ones",
                name);
}

void dti_comm_remark(dt_world *world)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (world->rank != 0 || atomic_flag_test_and_set(&said))
        return;
    remark_on_blas(world);
    dti_settings_unknown(remark_on_variable, world);
}
