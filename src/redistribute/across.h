/* redistribute/across.h - from one mesh to another. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_ACROSS_H
#define DTI_REDISTRIBUTE_ACROSS_H

#include "redistribute/plan.h"

/* A layout in which partial values are combined. */
dt_layout dti_layout_combined(const dt_layout *layout);

#endif
