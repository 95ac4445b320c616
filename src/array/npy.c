/* array/npy.c - arrays from and to .npy files. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtensor/sys/file.h>

#include "array/array.h"
#include "array/given.h"
#include "base/handles.h"
#include "base/world.h"

/* Elements that are gathered before they are written. */
enum { chunk = 4096 };

/* Read up to `size` bytes; fewer only at the end of the file.  -1 on errors. */
static int64_t read_bytes(int file, void *out, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t part = read(file, (char *)out + done, size - done);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return -1;
        if (part == 0)
            break;
        done += (size_t)part;
    }
    return (int64_t)done;
}

static dt_status fail_io(dt_world *world, const char *path, const char *doing)
{
    return dti_fail(world, DT_ERR_IO, "%s: %s while %s", path, strerror(errno),
                    doing);
}

/* Add the name of the file to a failure of the parser. */
static dt_status fail_parse(dt_world *world, const char *path,
                            const dt_error *error)
{
    return dti_fail(world, error->code, "%s: %s", path, error->message);
}

/* Read the header of an open file, which is then at its data. */
static dt_status read_header(dt_world *world, int file, const char *path,
                             dti_npy_header *out)
{
    dt_error error = {DT_OK, ""};
    char prefix[DTI_NPY_PREFIX];
    size_t start = 0, end = 0;
    int64_t got = read_bytes(file, prefix, sizeof prefix);
    if (got < 0)
        return fail_io(world, path, "reading it");
    if (dti_npy_locate(prefix, (size_t)got, &start, &end, &error) != DT_OK)
        return fail_parse(world, path, &error);
    if (end < sizeof prefix)
        return dti_fail(world, DT_ERR_FORMAT, "%s: the header is empty", path);
    char *header = malloc(end);
    if (!header)
        return dti_fail_memory(world, end, "the header of a .npy file");
    memcpy(header, prefix, sizeof prefix);
    dt_status status = DT_OK;
    got = read_bytes(file, header + sizeof prefix, end - sizeof prefix);
    if (got < 0)
        status = fail_io(world, path, "reading it");
    else if (dti_npy_parse(header, sizeof prefix + (size_t)got, out, &error))
        status = fail_parse(world, path, &error);
    free(header);
    return status;
}

static dt_status fail_short(dt_world *world, const char *path, size_t got,
                            size_t bytes)
{
    return dti_fail(world, DT_ERR_FORMAT,
                    "%s: the file is truncated: %zu bytes are missing of the "
                    "%zu bytes that its shape needs",
                    path, bytes - got, bytes);
}

/* Refuse a file that is too short before memory is taken for what it says. */
static dt_status check_length(dt_world *world, int file, const char *path,
                              const dti_npy_header *header, size_t bytes)
{
    struct stat found;
    if (fstat(file, &found) != 0)
        return fail_io(world, path, "reading its size");
    if (!S_ISREG(found.st_mode))
        return DT_OK;
    uint64_t all = (uint64_t)found.st_size;
    uint64_t got = all > header->data_offset ? all - header->data_offset : 0;
    return got < bytes ? fail_short(world, path, (size_t)got, bytes) : DT_OK;
}

/* Turn the bytes of each element around. */
static void swap_bytes(char *data, size_t bytes, size_t item)
{
    for (size_t at = 0; at < bytes; at += item)
        for (size_t i = 0; i < item / 2; i++) {
            char moved = data[at + i];
            data[at + i] = data[at + item - 1 - i];
            data[at + item - 1 - i] = moved;
        }
}

/* Make elements what this machine and this library expect. */
static void normalise(const dti_npy_header *header, char *data, size_t bytes)
{
    /* The parts of a complex number are turned around one by one. */
    size_t item =
        header->dtype == DT_C64 ? sizeof(float) : dt_dtype_size(header->dtype);
    if (header->swapped)
        swap_bytes(data, bytes, item);
    if (header->dtype == DT_BOOL)
        for (size_t i = 0; i < bytes; i++)
            data[i] = data[i] != 0;
}

static dt_shape reverse(dt_shape shape)
{
    dt_shape out = {shape.ndim, {0}};
    for (int i = 0; i < shape.ndim; i++)
        out.dims[i] = shape.dims[shape.ndim - 1 - i];
    return out;
}

/* See an array whose dimensions were read backwards the right way round. */
static dt_status turn(dt_world *world, dt_array *array, dt_array **out)
{
    int order[DT_MAX_NDIM];
    int ndim = dt_array_ndim(array);
    for (int i = 0; i < ndim; i++)
        order[i] = ndim - 1 - i;
    return dt_array_permute(world, array, order, out);
}

static dt_status read_array(dt_world *world, int file, const char *path,
                            dt_array **out)
{
    dti_npy_header header;
    DTI_TRY(read_header(world, file, path, &header));
    size_t bytes =
        (size_t)dt_shape_count(header.shape) * dt_dtype_size(header.dtype);
    DTI_TRY(check_length(world, file, path, &header, bytes));
    dt_shape shape = header.fortran ? reverse(header.shape) : header.shape;
    dt_array *array = NULL;
    DTI_TRY(dt_array_create(world, header.dtype, shape, &array));
    dti_array_prepare(array);
    dt_status status = DT_OK;
    void *data = dt_array_data(array);
    int64_t got = data ? read_bytes(file, data, bytes) : 0;
    if (got < 0) {
        status = fail_io(world, path, "reading it");
    } else if ((size_t)got < bytes) {
        status = fail_short(world, path, (size_t)got, bytes);
    } else if (data) {
        normalise(&header, data, bytes);
    }
    if (status == DT_OK && header.fortran) {
        status = turn(world, array, out);
    } else if (status == DT_OK) {
        *out = dt_array_retain(array);
    }
    dt_array_release(array);
    return status;
}

dt_status dt_array_load_npy(dt_world *world, const char *path, dt_array **out)
{
    DTI_ENTRY();
    DTI_TRY(dti_path_given(world, path, "dt_array_load_npy"));
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail_io(world, path, "opening it");
    dt_status status = read_array(world, file, path, out);
    close(file);
    return status;
}

/* Write the elements in row-major order. */
static void write_elements(dt_file *file, const dt_array *array)
{
    const char *data = dt_array_const_data(array);
    if (!data)
        return;
    if (array->contiguous) {
        DT_IGNORE(dt_file_write(file, data, dt_array_bytes(array)));
        return;
    }
    _Alignas(8) char gathered[chunk * 8];
    size_t item = dt_dtype_size(array->dtype);
    dt_status status = DT_OK;
    for (int64_t first = 0; first < array->count && status == DT_OK;
         first += chunk) {
        int64_t count =
            array->count - first < chunk ? array->count - first : chunk;
        dti_array_gather(array, first, count, gathered);
        status = dt_file_write(file, gathered, (size_t)count * item);
    }
}

dt_status dt_array_save_npy(dt_world *world, const dt_array *array,
                            const char *path)
{
    DTI_TRY(dti_array_given(world, array, "dt_array_save_npy"));
    DTI_TRY(dti_path_given(world, path, "dt_array_save_npy"));
    if (dt_array_is_meta(array))
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: a meta array has no elements to save", path);
    DTI_TRY(dti_array_settle(world, array));
    dt_file *file = NULL;
    dt_error error = {DT_OK, ""};
    if (dt_file_create(path, &file, &error) != DT_OK)
        return dti_fail_with(world, &error);
    char header[512];
    size_t length =
        dti_npy_write_header(array->dtype, array->shape, header, sizeof header);
    if (dt_file_write(file, header, length) == DT_OK)
        write_elements(file, array);
    return dt_file_commit(file, &error) == DT_OK ? DT_OK
                                                 : dti_fail_with(world, &error);
}
