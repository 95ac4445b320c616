/* comm/shm/shm.h - ranks that are processes of one machine. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_SHM_SHM_H
#define DTI_COMM_SHM_SHM_H

#include <dtensor/sys/transport.h>

extern const dt_transport dti_transport_shm;

/* What the launcher tells a rank in its environment. */
#define DTI_SHM_DESCRIPTOR "DT_SHM_DESCRIPTOR" /* of the segment */
#define DTI_SHM_RANK "DT_SHM_RANK"             /* which rank it is */
#define DTI_SHM_SIZE "DT_SHM_SIZE"             /* of how many */
#define DTI_SHM_RUN "DT_SHM_RUN"               /* in which run */

#endif
