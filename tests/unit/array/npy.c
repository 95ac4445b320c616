/* unit/array/npy.c - .npy files, ours and NumPy's, whole and broken. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/npy.h"

/* A folder for the files of one test. */
typedef struct folder {
    char path[256];
    char file[300];
} folder;

static folder open_folder(void)
{
    folder made;
    const char *temporary = getenv("TMPDIR");
    snprintf(made.path, sizeof made.path, "%s/dt-npy-XXXXXX",
             temporary ? temporary : "/tmp");
    CHECK(mkdtemp(made.path) != NULL);
    snprintf(made.file, sizeof made.file, "%s/a.npy", made.path);
    return made;
}

/* Remove the folder, which must hold at most the one file. */
static void close_folder(const folder *made)
{
    unlink(made->file);
    CHECKF(rmdir(made->path) == 0, "files are left in %s", made->path);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size);
    if (file)
        fclose(file);
}

/* A file that NumPy 2.4 wrote, and how the array prints. */
typedef struct file_row {
    dt_dtype dtype;
    dt_shape shape;
    size_t size;
    const char *bytes;
    const char *text;
} file_row;

/* clang-format off */
static const file_row file_rows[] = {
    {DT_F32, {2, {2, 2}}, 144,
     "\223NUMPY\001\000v\000{'descr': '<f4', 'fortran_order': False,"
     " 'shape': (2, 2), }                                           "
     "               \012\000\000\200\077\000\000 @\000\000@\300\000"
     "\000\200\177",
     "[[ 1.   2.5]\n [-3.   inf]]"},
    {DT_I16, {1, {3}}, 134,
     "\223NUMPY\002\000t\000\000\000{'descr': '>i2', 'fortran_order'"
     ": False, 'shape': (3,), }                                     "
     "                     \012\000\001\377\376\001,",
     "[  1  -2 300]"},
    {DT_F64, {2, {2, 3}}, 176,
     "\223NUMPY\001\000v\000{'descr': '<f8', 'fortran_order': True, "
     "'shape': (2, 3), }                                            "
     "               \012\000\000\000\000\000\000\000\000\000\000"
     "\000\000\000\000\010@\000\000\000\000\000\000\360\077\000\000"
     "\000\000\000\000\020@\000\000\000\000\000\000\000@\000\000\000"
     "\000\000\000\024@",
     "[[0. 1. 2.]\n [3. 4. 5.]]"},
    {DT_C64, {1, {2}}, 144,
     "\223NUMPY\003\000t\000\000\000{'descr': '>c8', 'fortran_order'"
     ": False, 'shape': (2,), }                                     "
     "                     \012\077\200\000\000@\000\000\000\200\000"
     "\000\000\277\000\000\000",
     "[ 1.+2.j  -0.-0.5j]"},
    {DT_BOOL, {0, {0}}, 129,
     "\223NUMPY\001\000v\000{'descr': '|b1', 'fortran_order': False,"
     " 'shape': (), }                                               "
     "               \012\001",
     "True"},
    {DT_F16, {2, {0, 3}}, 128,
     "\223NUMPY\001\000v\000{'descr': '<f2', 'fortran_order': False,"
     " 'shape': (0, 3), }                                           "
     "               \012",
     "[]"},
    {DT_BF16, {1, {2}}, 132,
     "\223NUMPY\001\000v\000{'descr': '|V2', 'fortran_order': False,"
     " 'shape': (2,), }                                             "
     "               \012\200\077 \300",
     "[ 1.  -2.5]"},
    {DT_U8, {3, {1, 2, 1}}, 130,
     "\223NUMPY\001\000v\000{'descr': '|u1', 'fortran_order': False,"
     " 'shape': (1, 2, 1), }                                        "
     "               \012\007\377",
     "[[[  7]\n  [255]]]"},
};
/* clang-format on */

static void reads_files_of_numpy(dt_world *world)
{
    folder made = open_folder();
    for (size_t i = 0; i < sizeof file_rows / sizeof *file_rows; i++) {
        const file_row *row = &file_rows[i];
        write_file(made.file, row->bytes, row->size);
        dt_array *array = NULL;
        if (!CHECK_OK(world, dt_array_load_npy(world, made.file, &array)))
            continue;
        char text[200];
        dt_array_format(array, text, sizeof text);
        CHECK_INT(dt_array_dtype(array), row->dtype);
        CHECK(dt_shape_equal(dt_array_shape(array), row->shape));
        CHECK_TEXT(text, row->text);
        dt_array_release(array);
    }
    close_folder(&made);
}

/* What we write of the same elements is the same file, bf16's mark apart. */
static void writes_files_as_numpy(dt_world *world)
{
    folder made = open_folder();
    for (size_t i = 0; i < sizeof file_rows / sizeof *file_rows; i++) {
        const file_row *row = &file_rows[i];
        bool plain = strstr(row->bytes + 10, "False") && row->bytes[6] == 1 &&
                     row->dtype != DT_BF16;
        if (!plain)
            continue;
        write_file(made.file, row->bytes, row->size);
        dt_array *array = NULL;
        CHECK_OK(world, dt_array_load_npy(world, made.file, &array));
        CHECK_OK(world, dt_array_save_npy(world, array, made.file));
        dt_array_release(array);
        char bytes[256];
        FILE *file = fopen(made.file, "rb");
        size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
        if (file)
            fclose(file);
        CHECK_INT((long long)size, (long long)row->size);
        CHECK(memcmp(bytes, row->bytes, row->size) == 0);
    }
    close_folder(&made);
}

static void comes_back_as_it_was(dt_world *world)
{
    static const dt_shape shapes[] = {
        {0, {0}},    {1, {1}},         {1, {9999}},
        {2, {0, 7}}, {3, {31, 7, 23}}, {8, {1, 2, 1, 3, 1, 2, 1, 5}}};
    unsigned long long state = dt_test_seed();
    folder made = open_folder();
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            dt_array *array = NULL, *turned = NULL, *back = NULL;
            CHECK_OK(world, dt_array_create(world, (dt_dtype)dtype, shapes[i],
                                            &array));
            unsigned char *data = dt_array_data(array);
            for (size_t k = 0; k < dt_array_bytes(array); k++)
                data[k] = dt_test_random(&state) & 1;
            int order[DT_MAX_NDIM];
            for (int k = 0; k < shapes[i].ndim; k++)
                order[k] = shapes[i].ndim - 1 - k;
            CHECK_OK(world, dt_array_permute(world, array, order, &turned));
            CHECK_OK(world, dt_array_save_npy(world, turned, made.file));
            CHECK_OK(world, dt_array_load_npy(world, made.file, &back));
            CHECK(dt_array_equal(turned, back));
            dt_array_release(back);
            dt_array_release(turned);
            dt_array_release(array);
        }
    close_folder(&made);
}

/* Headers that are refused, and why. */
static const struct {
    const char *header;
    dt_status status;
    const char *sentence;
} bad_headers[] = {
    {"", DT_ERR_FORMAT, "header is empty"},
    {"xxxx", DT_ERR_FORMAT, "a dictionary"},
    {"{}", DT_ERR_FORMAT, "expected one of"},
    {"{'descr': '<f4', 'fortran_order': False}", DT_ERR_FORMAT,
     "expected one of"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (1,)}",
     DT_ERR_FORMAT, "'shape' twice"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
     DT_ERR_FORMAT, "'x' is unknown"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", DT_ERR_FORMAT,
     "its end"},
    {"{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}", DT_ERR_FORMAT,
     "a comma"},
    {"{'descr' '<f4', 'fortran_order': False, 'shape': (1,)}", DT_ERR_FORMAT,
     "a colon"},
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", DT_ERR_FORMAT,
     "True or False"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1)}", DT_ERR_FORMAT,
     "a comma after the only extent"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': 1}", DT_ERR_FORMAT,
     "a shape"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", DT_ERR_FORMAT,
     "an extent"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2", DT_ERR_FORMAT,
     "a comma"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", DT_ERR_FORMAT,
     "an extent"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': "
     "(99999999999999999999,)}",
     DT_ERR_FORMAT, "63 bits"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': "
     "(4294967296, 4294967296)}",
     DT_ERR_FORMAT, "too large"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': "
     "(4611686018427387904,)}",
     DT_ERR_FORMAT, "too large"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,)}",
     DT_ERR_FORMAT, "4000000000000 bytes that its shape needs"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': "
     "(1, 1, 1, 1, 1, 1, 1, 1, 1)}",
     DT_ERR_UNSUPPORTED, "more than 8 dimensions"},
    {"{'descr': '<u2', 'fortran_order': False, 'shape': (1,)}",
     DT_ERR_UNSUPPORTED, "'<u2'"},
    {"{'descr': '|f4', 'fortran_order': False, 'shape': (1,)}",
     DT_ERR_UNSUPPORTED, "'|f4'"},
    {"{'descr': '', 'fortran_order': False, 'shape': (1,)}", DT_ERR_UNSUPPORTED,
     "''"},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
     DT_ERR_UNSUPPORTED, "records"},
    {"{'descr': '<f4\\x00', 'fortran_order': False, 'shape': (1,)}",
     DT_ERR_FORMAT, "end of a string"},
    {"{'descr': '<f4", DT_ERR_FORMAT, "end of a string"},
    {"{\"descr\": \"<f4\", 'fortran_order': True, 'shape': ( 2 , 3 , ) , }  \n",
     DT_ERR_FORMAT, "24 bytes are missing of the 24"},
};

static void refuses_bad_headers(dt_world *world)
{
    folder made = open_folder();
    for (size_t i = 0; i < sizeof bad_headers / sizeof *bad_headers; i++) {
        char bytes[300] = "\223NUMPY\001";
        size_t length = strlen(bad_headers[i].header);
        bytes[8] = (char)length;
        memcpy(bytes + 10, bad_headers[i].header, length);
        /* Two bytes more, so that an empty header is not a short file. */
        write_file(made.file, bytes, 10 + (length ? length : 2));
        dt_array *array = NULL;
        CHECK_FAILS(world, dt_array_load_npy(world, made.file, &array),
                    bad_headers[i].status, bad_headers[i].sentence);
        CHECK(array == NULL);
    }
    close_folder(&made);
}

static void refuses_files_cut_short(dt_world *world)
{
    folder made = open_folder();
    const file_row *row = &file_rows[0];
    for (size_t size = 0; size < row->size; size++) {
        dt_array *array = NULL;
        write_file(made.file, row->bytes, size);
        CHECK_FAILS(world, dt_array_load_npy(world, made.file, &array),
                    DT_ERR_FORMAT, made.file);
    }
    char bytes[256];
    memcpy(bytes, row->bytes, row->size);
    dt_array *array = NULL;
    bytes[6] = 4;
    write_file(made.file, bytes, row->size);
    CHECK_FAILS(world, dt_array_load_npy(world, made.file, &array),
                DT_ERR_UNSUPPORTED, "version 4.0");
    bytes[6] = 2;
    memset(bytes + 8, 0xff, 4);
    write_file(made.file, bytes, row->size);
    CHECK_FAILS(world, dt_array_load_npy(world, made.file, &array),
                DT_ERR_FORMAT, "4294967295 bytes");
    close_folder(&made);
}

static void reports_files_that_cannot_be_used(dt_world *world)
{
    folder made = open_folder();
    dt_array *array = NULL;
    CHECK_FAILS(world, dt_array_load_npy(world, made.file, &array), DT_ERR_IO,
                "opening it");
    CHECK_FAILS(world, dt_array_load_npy(world, made.path, &array), DT_ERR_IO,
                "reading it");
    CHECK_OK(world, dt_array_create(world, DT_U8, DT_SHAPE(3), &array));
    CHECK_OK(world, dt_array_fill(world, array, 1));
    char nowhere[400];
    snprintf(nowhere, sizeof nowhere, "%s/none/a.npy", made.path);
    CHECK_FAILS(world, dt_array_save_npy(world, array, nowhere), DT_ERR_IO,
                "creating a temporary file in its directory");
    CHECK_FAILS(world, dt_array_save_npy(world, array, made.path), DT_ERR_IO,
                "Is a directory");
    char beside[400];
    snprintf(beside, sizeof beside, "%s.%ld-0.tmp", made.path, (long)getpid());
    CHECK(access(beside, F_OK) != 0);
    dt_array_release(array);
    CHECK_OK(world, dt_array_create_meta(world, DT_U8, DT_SHAPE(3), &array));
    CHECK_FAILS(world, dt_array_save_npy(world, array, made.file),
                DT_ERR_INVALID, "a meta array");
    dt_array_release(array);
    close_folder(&made);
}

const dt_test dt_tests[] = {
    {"reads files of numpy", reads_files_of_numpy},
    {"writes files as numpy", writes_files_as_numpy},
    {"comes back as it was", comes_back_as_it_was},
    {"refuses bad headers", refuses_bad_headers},
    {"refuses files cut short", refuses_files_cut_short},
    {"reports files that cannot be used", reports_files_that_cannot_be_used},
    {NULL, NULL},
};
