/* graph/crc.h - the checksum of zip archives. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_CRC_H
#define DTI_GRAPH_CRC_H

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of bytes, by the polynomial of zlib. */
uint32_t dti_crc32(const void *bytes, size_t size);

#endif
