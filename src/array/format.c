/* array/format.c - arrays as text, as NumPy's str() writes them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/array.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "array/array.h"
#include "array/cast.h"
#include "array/format_float.h"

/* NumPy's defaults. */
enum { threshold = 1000, edge_items = 3, line_width = 75 };

enum { word_size = 2 * DTI_FLOAT_TEXT };

/* Text that may be longer than its buffer.  Spaces wait until something
 * follows them on the line, because those at the end of a full one go. */
typedef struct text_sink {
    char *text;
    size_t size;
    size_t length;
    int spaces;
} text_sink;

static void put(text_sink *sink, char character)
{
    if (sink->length + 1 < sink->size)
        sink->text[sink->length] = character;
    sink->length++;
}

static void put_spaces(text_sink *sink)
{
    for (; sink->spaces > 0; sink->spaces--)
        put(sink, ' ');
}

static void put_text(text_sink *sink, const char *text)
{
    for (; *text; text++) {
        if (*text == ' ') {
            sink->spaces++;
            continue;
        }
        put_spaces(sink);
        put(sink, *text);
    }
}

static void put_lines(text_sink *sink, int lines, int indent)
{
    sink->spaces = 0;
    for (; lines > 0; lines--)
        put(sink, '\n');
    sink->spaces = indent;
}

/* What is printed, and how. */
typedef struct array_picture {
    const dt_array *array;
    const char *data;
    int64_t item;
    bool summarised;
    int width; /* of integers */
    dti_float_format real;
    dti_float_format imaginary;
} array_picture;

/* One element. */
typedef struct element {
    int64_t integer; /* of integers and bool */
    double real;
    double imaginary;
} element;

static element read_number(const array_picture *picture, int64_t offset)
{
    const char *bytes = picture->data + offset * picture->item;
    dt_dtype dtype = picture->array->dtype;
    element number = {0};
    if (dtype == DT_C64) {
        float parts[2];
        memcpy(parts, bytes, sizeof parts);
        number.real = (double)parts[0];
        number.imaginary = (double)parts[1];
    } else if (dt_dtype_kind_of(dtype) == DT_KIND_FLOAT) {
        dti_cast(bytes, dtype, &number.real, DT_F64, 1);
    } else {
        dti_cast(bytes, dtype, &number.integer, DT_I64, 1);
    }
    return number;
}

/* The index to show after `i`; the middle of long dimensions is left out. */
static int64_t next_shown(const array_picture *picture, int64_t extent,
                          int64_t i)
{
    bool skips = picture->summarised && extent > 2 * edge_items;
    return skips && i == edge_items - 1 ? extent - edge_items : i + 1;
}

typedef void (*visitor)(array_picture *picture, element number);

/* Call a function for each element that is shown. */
static void visit(array_picture *picture, int dim, int64_t offset, visitor call)
{
    if (dim == picture->array->shape.ndim) {
        call(picture, read_number(picture, offset));
        return;
    }
    int64_t extent = picture->array->shape.dims[dim];
    int64_t stride = picture->array->strides[dim];
    for (int64_t i = 0; i < extent; i = next_shown(picture, extent, i))
        visit(picture, dim + 1, offset + i * stride, call);
}

static void look(array_picture *picture, element number)
{
    char text[word_size];
    int width = snprintf(text, sizeof text, "%lld", (long long)number.integer);
    if (width > picture->width)
        picture->width = width;
    dti_float_format_look(&picture->real, number.real);
    dti_float_format_look(&picture->imaginary, number.imaginary);
}

static void measure(array_picture *picture, element number)
{
    dti_float_format_measure(&picture->real, number.real);
    dti_float_format_measure(&picture->imaginary, number.imaginary);
}

/* Put the j of an imaginary part before the spaces that follow it. */
static void add_j(char *text, size_t length)
{
    size_t end = length;
    while (end > 0 && text[end - 1] == ' ')
        end--;
    memmove(text + end + 1, text + end, length + 1 - end);
    text[end] = 'j';
}

static void write_number(const array_picture *picture, element number,
                         char *text)
{
    size_t length = 0;
    switch (dt_dtype_kind_of(picture->array->dtype)) {
    case DT_KIND_FLOAT:
        dti_float_format_write(&picture->real, number.real, text);
        return;
    case DT_KIND_COMPLEX:
        length = dti_float_format_write(&picture->real, number.real, text);
        text += length;
        length =
            dti_float_format_write(&picture->imaginary, number.imaginary, text);
        add_j(text, length);
        return;
    case DT_KIND_BOOLEAN:
        snprintf(text, word_size, "%s", number.integer ? " True" : "False");
        return;
    case DT_KIND_SIGNED:
    case DT_KIND_UNSIGNED:
        snprintf(text, word_size, "%*lld", picture->width,
                 (long long)number.integer);
        return;
    }
}

/* Write a number that is a whole array. */
static void write_alone(const array_picture *picture, element number,
                        char *text)
{
    dt_dtype dtype = picture->array->dtype;
    switch (dt_dtype_kind_of(dtype)) {
    case DT_KIND_FLOAT:
        dti_float_write_alone(dtype, number.real, false, false, text);
        return;
    case DT_KIND_COMPLEX: {
        bool pair = number.real != 0 || signbit(number.real);
        if (pair) {
            *text++ = '(';
            text +=
                dti_float_write_alone(DT_F32, number.real, false, true, text);
        }
        text +=
            dti_float_write_alone(DT_F32, number.imaginary, pair, true, text);
        snprintf(text, 3, pair ? "j)" : "j");
        return;
    }
    case DT_KIND_BOOLEAN:
        snprintf(text, word_size, "%s", number.integer ? "True" : "False");
        return;
    case DT_KIND_SIGNED:
    case DT_KIND_UNSIGNED:
        snprintf(text, word_size, "%lld", (long long)number.integer);
        return;
    }
}

/* Put a word on the line, or on the next if it does not fit. */
static int put_word(text_sink *sink, const char *word, int column, int indent,
                    int width)
{
    int length = (int)strlen(word);
    if (column + length > width && column > indent) {
        put_lines(sink, 1, indent);
        column = indent;
    }
    put_text(sink, word);
    return column + length;
}

static void put_row(const array_picture *picture, int64_t offset,
                    text_sink *sink)
{
    const int ndim = picture->array->shape.ndim;
    const int width = line_width - ndim;
    int64_t extent = picture->array->shape.dims[ndim - 1];
    int64_t stride = picture->array->strides[ndim - 1];
    int column = ndim;
    for (int64_t i = 0; i < extent;) {
        char word[word_size];
        write_number(picture, read_number(picture, offset + i * stride), word);
        column = put_word(sink, word, column, ndim, width);
        int64_t next = next_shown(picture, extent, i);
        if (next < extent) {
            sink->spaces++;
            column++;
        }
        if (next > i + 1) {
            column = put_word(sink, "...", column, ndim, width) + 1;
            sink->spaces++;
        }
        i = next;
    }
}

static void put_dim(const array_picture *picture, int dim, int64_t offset,
                    text_sink *sink)
{
    const int ndim = picture->array->shape.ndim;
    put_text(sink, "[");
    if (dim == ndim - 1) {
        put_row(picture, offset, sink);
    } else {
        int64_t extent = picture->array->shape.dims[dim];
        int64_t stride = picture->array->strides[dim];
        for (int64_t i = 0; i < extent;) {
            put_dim(picture, dim + 1, offset + i * stride, sink);
            int64_t next = next_shown(picture, extent, i);
            if (next > i + 1) {
                put_lines(sink, ndim - dim - 1, dim + 1);
                put_text(sink, "...");
            }
            if (next < extent)
                put_lines(sink, ndim - dim - 1, dim + 1);
            i = next;
        }
    }
    put_spaces(sink);
    put_text(sink, "]");
}

static void put_array(const dt_array *array, text_sink *sink)
{
    array_picture picture = {.array = array,
                             .data = dt_array_const_data(array),
                             .item = (int64_t)dt_dtype_size(array->dtype),
                             .summarised = array->count > threshold};
    dt_dtype part = array->dtype == DT_C64 ? DT_F32 : array->dtype;
    picture.real.dtype = part;
    picture.imaginary.dtype = part;
    picture.imaginary.plus = true;
    if (array->shape.ndim == 0) {
        char word[word_size];
        write_alone(&picture, read_number(&picture, 0), word);
        put_text(sink, word);
        return;
    }
    visit(&picture, 0, 0, look);
    visit(&picture, 0, 0, measure);
    put_dim(&picture, 0, 0, sink);
}

/* Put what an array without elements to show is. */
static void put_kind(const dt_array *array, const char *what, text_sink *sink)
{
    put_text(sink, what);
    put_text(sink, dt_dtype_name(array->dtype));
    put_text(sink, " ");
    put_text(sink, dti_shape_show(array->shape).text);
}

size_t dt_array_format(const dt_array *array, char *text, size_t size)
{
    text_sink sink = {text, size, 0, 0};
    if (!array) {
        put_text(&sink, "");
    } else if (dt_array_is_meta(array)) {
        put_kind(array, "<meta ", &sink);
        put_text(&sink, ">");
    } else if (array->count == 0) {
        put_text(&sink, "[]");
    } else if (!dt_array_const_data(array)) {
        put_kind(array, "<lost ", &sink);
        put_text(&sink, ": ");
        put_text(&sink, dti_array_loss(array)->message);
        put_text(&sink, ">");
    } else {
        put_array(array, &sink);
    }
    if (size > 0)
        text[sink.length < size ? sink.length : size - 1] = '\0';
    return sink.length;
}
