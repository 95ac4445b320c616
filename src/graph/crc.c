/* graph/crc.c - the checksum of zip archives. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/crc.h"

/* Bytes that one step takes. */
enum { wide = 8 };

/*
 * tables[0][b] is the sum of the byte b; tables[k][b] that of b with k zero
 * bytes after it.  Eight bytes are so folded in at once: each is looked up in
 * the table of the bytes that follow it.
 */
typedef struct crc_tables {
    uint32_t rows[wide][256];
} crc_tables;

static void make_tables(crc_tables *out)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t sum = byte;
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xEDB88320) : 0);
        out->rows[0][byte] = sum;
    }
    for (int k = 1; k < wide; k++)
        for (int byte = 0; byte < 256; byte++) {
            const uint32_t before = out->rows[k - 1][byte];
            out->rows[k][byte] = before >> 8 ^ out->rows[0][before & 255];
        }
}

static uint32_t fold(const crc_tables *tables, uint32_t sum, const uint8_t *in)
{
    uint32_t folded = 0;
    for (int i = 0; i < wide; i++) {
        const uint32_t byte = i < 4 ? in[i] ^ (sum >> 8 * i & 255) : in[i];
        folded ^= tables->rows[wide - 1 - i][byte];
    }
    return folded;
}

uint32_t dti_crc32(const void *bytes, size_t size)
{
    const uint8_t *in = bytes;
    crc_tables tables;
    uint32_t sum = UINT32_MAX;
    make_tables(&tables);
    for (; size >= wide; size -= wide, in += wide)
        sum = fold(&tables, sum, in);
    for (; size > 0; size--, in++)
        sum = sum >> 8 ^ tables.rows[0][(sum ^ *in) & 255];
    return ~sum;
}
