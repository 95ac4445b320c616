/* array/npy_header.c - reading and writing the header of a .npy file. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/npy.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "array/array.h"
#include "base/error.h"

static const char magic[6] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

/* NumPy's codes for dtypes; bf16 is none of its own, and its bytes pass as
 * void. */
static const char *const codes[DT_DTYPE_COUNT] = {
    [DT_F32] = "f4", [DT_F64] = "f8",  [DT_F16] = "f2", [DT_BF16] = "V2",
    [DT_I8] = "i1",  [DT_I16] = "i2",  [DT_I32] = "i4", [DT_I64] = "i8",
    [DT_U8] = "u1",  [DT_BOOL] = "b1", [DT_C64] = "c8",
};

dt_status dti_npy_locate(const void *bytes, size_t size, size_t *start,
                         size_t *end, dt_error *error)
{
    const unsigned char *prefix = bytes;
    if (size < DTI_NPY_PREFIX || memcmp(prefix, magic, sizeof magic) != 0)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "not a .npy file: wrong magic number");
    int major = prefix[6], minor = prefix[7];
    if (major < 1 || major > 3 || minor != 0)
        return dti_error_set(error, DT_ERR_UNSUPPORTED,
                             "version %d.%d of the .npy format is not "
                             "supported; expected 1.0, 2.0 or 3.0",
                             major, minor);
    *start = major == 1 ? 10 : 12;
    size_t length = (size_t)prefix[8] | (size_t)prefix[9] << 8;
    if (major > 1)
        length |= (size_t)prefix[10] << 16 | (size_t)prefix[11] << 24;
    if (length > DTI_NPY_MOST_HEADER)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "the .npy header has %zu bytes; the maximum is %d",
                             length, DTI_NPY_MOST_HEADER);
    *end = *start + length;
    return DT_OK;
}

/* A place in the text of a header, a Python dictionary. */
typedef struct header_cursor {
    const char *at;
    const char *end;
    const char *start;
    dt_error *error;
} header_cursor;

static dt_status fail_at(const header_cursor *cursor, const char *expected)
{
    return dti_error_set(cursor->error, DT_ERR_FORMAT,
                         "malformed .npy header: expected %s at byte %lld",
                         expected, (long long)(cursor->at - cursor->start));
}

static void skip_blanks(header_cursor *cursor)
{
    while (cursor->at < cursor->end && strchr(" \t\n\r", *cursor->at) &&
           *cursor->at)
        cursor->at++;
}

/* Take a character, blanks before it left out; false if it is not next. */
static bool take(header_cursor *cursor, char character)
{
    skip_blanks(cursor);
    if (cursor->at == cursor->end || *cursor->at != character)
        return false;
    cursor->at++;
    return true;
}

/* Take a word that nothing continues. */
static bool take_word(header_cursor *cursor, const char *word)
{
    skip_blanks(cursor);
    size_t length = strlen(word);
    if ((size_t)(cursor->end - cursor->at) < length ||
        memcmp(cursor->at, word, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

/* Read a string without escapes into `out`; longer ones are cut short. */
static dt_status read_string(header_cursor *cursor, char *out, size_t size)
{
    skip_blanks(cursor);
    if (cursor->at == cursor->end ||
        (*cursor->at != '\'' && *cursor->at != '"'))
        return fail_at(cursor, "a string");
    char quote = *cursor->at++;
    size_t length = 0;
    for (; cursor->at < cursor->end && *cursor->at != quote; cursor->at++) {
        unsigned char character = (unsigned char)*cursor->at;
        if (character < ' ' || character == '\\')
            return fail_at(cursor, "the end of a string");
        if (length + 1 < size)
            out[length++] = *cursor->at;
    }
    out[length] = '\0';
    if (cursor->at == cursor->end)
        return fail_at(cursor, "the end of a string");
    cursor->at++;
    return DT_OK;
}

static dt_status read_extent(header_cursor *cursor, int64_t *out)
{
    skip_blanks(cursor);
    const char *start = cursor->at;
    int64_t value = 0;
    for (; cursor->at < cursor->end; cursor->at++) {
        int digit = *cursor->at - '0';
        if (digit < 0 || digit > 9)
            break;
        if (value > (INT64_MAX - digit) / 10)
            return fail_at(cursor, "an extent of at most 63 bits");
        value = value * 10 + digit;
    }
    if (cursor->at == start)
        return fail_at(cursor, "an extent");
    *out = value;
    return DT_OK;
}

/* "(2, 3)", "(2,)" or "()". */
static dt_status read_shape(header_cursor *cursor, dt_shape *out)
{
    dt_shape shape = {0, {0}};
    if (!take(cursor, '('))
        return fail_at(cursor, "a shape");
    bool comma = true;
    while (!take(cursor, ')')) {
        if (!comma)
            return fail_at(cursor, "a comma");
        if (shape.ndim == DT_MAX_NDIM)
            return dti_error_set(cursor->error, DT_ERR_UNSUPPORTED,
                                 "the array has more than %d dimensions",
                                 DT_MAX_NDIM);
        DTI_TRY(read_extent(cursor, &shape.dims[shape.ndim]));
        shape.ndim++;
        comma = take(cursor, ',');
    }
    if (shape.ndim == 1 && !comma)
        return fail_at(cursor, "a comma after the only extent");
    *out = shape;
    return DT_OK;
}

/* "<f4" and the like. */
static dt_status read_descr(header_cursor *cursor, dti_npy_header *out)
{
    skip_blanks(cursor);
    if (cursor->at < cursor->end && *cursor->at == '[')
        return dti_error_set(cursor->error, DT_ERR_UNSUPPORTED,
                             "arrays of records are not supported");
    char descr[32] = "";
    DTI_TRY(read_string(cursor, descr, sizeof descr));
    char order = descr[0];
    for (int i = 0; order && i < DT_DTYPE_COUNT; i++) {
        if (strcmp(descr + 1, codes[i]) != 0)
            continue;
        bool bytes = dt_dtype_size((dt_dtype)i) == 1 || i == DT_BF16;
        if (!strchr("<>=", order) && !(order == '|' && bytes))
            break;
        out->dtype = (dt_dtype)i;
        out->swapped = order == '>' && dt_dtype_size((dt_dtype)i) > 1;
        return DT_OK;
    }
    return dti_error_set(cursor->error, DT_ERR_UNSUPPORTED,
                         "elements of type '%s' are not supported", descr);
}

static dt_status read_order(header_cursor *cursor, bool *fortran)
{
    if (take_word(cursor, "True"))
        *fortran = true;
    else if (take_word(cursor, "False"))
        *fortran = false;
    else
        return fail_at(cursor, "True or False");
    return DT_OK;
}

enum { has_descr = 1, has_order = 2, has_shape = 4, has_all = 7 };

/* Read a key and its value; every key stands there once. */
static dt_status read_entry(header_cursor *cursor, int *seen,
                            dti_npy_header *out)
{
    char key[32];
    DTI_TRY(read_string(cursor, key, sizeof key));
    int bit = strcmp(key, "descr") == 0           ? has_descr
              : strcmp(key, "fortran_order") == 0 ? has_order
              : strcmp(key, "shape") == 0         ? has_shape
                                                  : 0;
    if (bit == 0 || (*seen & bit))
        return dti_error_set(cursor->error, DT_ERR_FORMAT,
                             "malformed .npy header: key '%s' %s", key,
                             bit ? "twice" : "is unknown");
    *seen |= bit;
    if (!take(cursor, ':'))
        return fail_at(cursor, "a colon");
    if (bit == has_descr)
        return read_descr(cursor, out);
    if (bit == has_order)
        return read_order(cursor, &out->fortran);
    return read_shape(cursor, &out->shape);
}

static dt_status read_dictionary(header_cursor *cursor, dti_npy_header *out)
{
    int seen = 0;
    if (!take(cursor, '{'))
        return fail_at(cursor, "a dictionary");
    bool comma = true;
    while (!take(cursor, '}')) {
        if (!comma)
            return fail_at(cursor, "a comma");
        DTI_TRY(read_entry(cursor, &seen, out));
        comma = take(cursor, ',');
    }
    skip_blanks(cursor);
    if (cursor->at != cursor->end)
        return fail_at(cursor, "its end");
    if (seen != has_all)
        return fail_at(cursor, "one of descr, fortran_order and shape");
    return DT_OK;
}

dt_status dti_npy_parse(const void *bytes, size_t size, dti_npy_header *out,
                        dt_error *error)
{
    size_t start = 0, end = 0;
    DTI_TRY(dti_npy_locate(bytes, size, &start, &end, error));
    if (end > size)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "the .npy file ends inside its header");
    const char *text = (const char *)bytes + start;
    header_cursor cursor = {text, (const char *)bytes + end, text, error};
    dti_npy_header header = {.data_offset = end};
    DTI_TRY(read_dictionary(&cursor, &header));
    int64_t item = (int64_t)dt_dtype_size(header.dtype);
    int64_t count = dt_shape_count(header.shape);
    if (count < 0 || count > INT64_MAX / item)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "the .npy header has shape %s, which is too large",
                             dti_shape_show(header.shape).text);
    *out = header;
    return DT_OK;
}

size_t dti_npy_write_header(dt_dtype dtype, dt_shape shape, char *out,
                            size_t size)
{
    const size_t start = 10;
    char order = dt_dtype_size(dtype) == 1 ? '|' : '<';
    int length = snprintf(out + start, size - start,
                          "{'descr': '%c%s', 'fortran_order': False, "
                          "'shape': %s, }",
                          order, codes[dtype], dti_shape_show(shape).text);
    size_t used = start + (size_t)length;
    size_t total = (used + 1 + 63) / 64 * 64;
    assert(length > 0 && total <= size);
    memset(out + used, ' ', total - used);
    out[total - 1] = '\n';
    memcpy(out, magic, sizeof magic);
    out[6] = 1;
    out[7] = 0;
    out[8] = (char)((total - start) & 0xff);
    out[9] = (char)((total - start) >> 8);
    return total;
}
