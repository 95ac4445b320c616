/* tests/support/zip.c - zip archives in memory, as PyTorch writes them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/zip.h"

#include <stdlib.h>
#include <string.h>

/* Bit by bit: not the way that the library takes. */
static uint32_t sum_of(const uint8_t *bytes, size_t size)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xEDB88320) : 0);
    }
    return ~sum;
}

static void put(uint8_t **bytes, size_t *size, size_t *capacity,
                const void *from, size_t count)
{
    if (*size + count > *capacity) {
        *capacity = 2 * (*size + count);
        *bytes = realloc(*bytes, *capacity);
        if (!*bytes)
            abort();
    }
    if (count > 0)
        memcpy(*bytes + *size, from, count);
    *size += count;
}

static void put_data(zip *to, const void *from, size_t count)
{
    put(&to->bytes, &to->size, &to->capacity, from, count);
}

static void put_entry(zip *to, const void *from, size_t count)
{
    put(&to->directory, &to->directory_size, &to->directory_capacity, from,
        count);
}

/* Fields of `sizes` bytes each, a digit per field, after a mark. */
static size_t pack(uint8_t *out, const char *mark, const char *sizes,
                   const uint64_t *fields)
{
    size_t length = 4;
    memcpy(out, mark, 4);
    for (; *sizes; sizes++, fields++)
        for (int i = 0; i < *sizes - '0'; i++)
            out[length++] = (uint8_t)(*fields >> 8 * i);
    return length;
}

void zip_add(zip *to, const char *name, const void *data, size_t size)
{
    uint8_t header[64];
    const uint64_t length = strlen(name), begin = to->size;
    const uint64_t sum = sum_of(data, size);
    const uint64_t flags = size > 0 ? 0x808 : 0x800;
    const uint64_t padding = (64 - (begin + 30 + length + 4) % 64) % 64;
    const uint64_t local[] = {0, flags, 0, 0, 0, 0, 0, 0, length, padding + 4};
    put_data(to, header, pack(header, "PK\3\4", "2222244422", local));
    put_data(to, name, length);
    const uint8_t extra[4] = {'F', 'B', (uint8_t)padding, 0};
    put_data(to, extra, 4);
    for (uint64_t i = 0; i < padding; i++)
        put_data(to, "Z", 1);
    put_data(to, data, size);
    const uint64_t after[] = {sum, size, size};
    if (size > 0)
        put_data(to, header, pack(header, "PK\7\10", "444", after));
    const uint64_t entry[] = {0,    0,      flags, 0, 0, 0, sum, size,
                              size, length, 0,     0, 0, 0, 0,   begin};
    put_entry(to, header, pack(header, "PK\1\2", "2222224442222244", entry));
    put_entry(to, name, length);
    to->count++;
}

void zip_add_text(zip *to, const char *name, const char *text)
{
    zip_add(to, name, text, strlen(text));
}

void zip_finish(zip *to)
{
    uint8_t end[64];
    const uint64_t begin = to->size, size = to->directory_size;
    const uint64_t count = (uint64_t)to->count;
    to->directory_begin = to->size;
    put_data(to, to->directory, to->directory_size);
    const uint64_t wide_at = to->size;
    const uint64_t wide[] = {44, 0, 0, 0, 0, count, count, size, begin};
    put_data(to, end, pack(end, "PK\6\6", "822448888", wide));
    const uint64_t locator[] = {0, wide_at, 1};
    put_data(to, end, pack(end, "PK\6\7", "484", locator));
    const uint64_t last[] = {0, 0, count, count, size, begin, 0};
    put_data(to, end, pack(end, "PK\5\6", "2222442", last));
}

void zip_free(zip *archive)
{
    free(archive->bytes);
    free(archive->directory);
    memset(archive, 0, sizeof *archive);
}
