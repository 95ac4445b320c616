/* autograd/packing.h - ready-made packings. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_PACKING_H
#define DTI_AUTOGRAD_PACKING_H

/* Files of a world that saved tensors are written to. */
struct dti_disk;

/* Let go of a list of files, as the tape closes. */
void dti_disks_close(struct dti_disk *disks);

#endif
