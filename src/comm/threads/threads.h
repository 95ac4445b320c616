/* comm/threads/threads.h - ranks that are threads of one process. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_THREADS_THREADS_H
#define DTI_COMM_THREADS_THREADS_H

#include "comm/shared/fabric.h"

extern const dt_transport dti_transport_threads;

/* What the threads of one run share; each carrier holds a reference. */
typedef struct dti_threads dti_threads;

/* Make what `size` ranks share; NULL without memory. */
dti_threads *dti_threads_create(int size, int cores);

void dti_threads_release(dti_threads *threads);

/* Make the carrier of one rank, which is a dti_fabric. */
dt_status dti_threads_join(dti_threads *threads, dt_world *world,
                           void **carrier, dt_error *error);

#endif
