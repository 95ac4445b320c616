/* comm/prepare.c - what a process does once, before its first world. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "comm/comm.h"
#include "comm/mpi/mpi.h"
#include "kernel/gemm/blas.h"
#include "work/work.h"

dt_status dti_comm_prepare(const dti_settings *settings, dt_error *error)
{
    return dti_blas_load(settings->texts[DTI_SET_BLAS], error);
}

/* The ranks of the world on this machine; those of sim are in no machine. */
static int count_neighbours(const dt_world *world,
                            const dt_transport *transport)
{
    if (!transport->moves_data)
        return 1;
    const bool mpi = strcmp(transport->name, dti_transport_mpi.name) == 0;
    return mpi ? dti_mpi_neighbours() : world->size;
}

dt_status dti_comm_open_work(dt_world *world, const dt_transport *transport,
                             dt_error *error)
{
    dti_settings *settings = &world->settings;
    world->neighbours = count_neighbours(world, transport);
    if (!settings->threads) {
        const int share = settings->cores / world->neighbours;
        settings->threads = share > 1 ? share : 1;
        snprintf(settings->texts[DTI_SET_THREADS], DTI_SETTING_SIZE, "%d",
                 settings->threads);
    }
    return dti_work_open(world, settings->threads, error);
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
