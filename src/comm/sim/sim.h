/* comm/sim/sim.h - one rank of a world of any size, in which nothing moves. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_SIM_SIM_H
#define DTI_COMM_SIM_SIM_H

#include <dtensor/sys/transport.h>

extern const dt_transport dti_transport_sim;

#endif
