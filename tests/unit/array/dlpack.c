/* unit/array/dlpack.c - arrays out and in by DLPack. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <stddef.h>
#include <string.h>

#include <dtensor/dlpack.h>

/* DLPack's own offsets, on machines of 64 bits. */
static void has_the_layout(dt_world *world)
{
    (void)world;
    if (sizeof(void *) != 8)
        return;
    CHECK_INT((long long)offsetof(dt_dlpack_tensor, device), 8);
    CHECK_INT((long long)offsetof(dt_dlpack_tensor, ndim), 16);
    CHECK_INT((long long)offsetof(dt_dlpack_tensor, dtype), 20);
    CHECK_INT((long long)offsetof(dt_dlpack_tensor, shape), 24);
    CHECK_INT((long long)offsetof(dt_dlpack_tensor, strides), 32);
    CHECK_INT((long long)offsetof(dt_dlpack_tensor, byte_offset), 40);
    CHECK_INT((long long)offsetof(dt_dlpack_managed, manager_ctx), 8);
    CHECK_INT((long long)offsetof(dt_dlpack_managed, deleter), 16);
    CHECK_INT((long long)offsetof(dt_dlpack_managed, flags), 24);
    CHECK_INT((long long)offsetof(dt_dlpack_managed, dl_tensor), 32);
    CHECK_INT((long long)offsetof(dt_dlpack_legacy, manager_ctx), 48);
    CHECK_INT((long long)offsetof(dt_dlpack_legacy, deleter), 56);
}

static void goes_out_and_comes_in(dt_world *world)
{
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++) {
        dt_array *array = NULL, *turned = NULL, *back = NULL;
        CHECK_OK(world, dt_array_create(world, (dt_dtype)dtype, DT_SHAPE(2, 3),
                                        &array));
        CHECK_OK(world, dt_array_fill(world, array, 1));
        CHECK_OK(world,
                 dt_array_permute(world, array, (const int[]){1, 0}, &turned));
        dt_dlpack_managed *managed = NULL;
        CHECK_OK(world, dt_array_to_dlpack(world, turned, &managed));
        CHECK_INT(managed->version.major, 1);
        CHECK_INT((long long)managed->flags, 0);
        CHECK_INT(managed->dl_tensor.strides[0], 1);
        CHECK_INT(managed->dl_tensor.strides[1], 3);
        CHECK_OK(world, dt_array_from_dlpack(world, managed, &back));
        dt_array_release(turned);
        CHECK(dt_array_data(back) == dt_array_data(array));
        dt_array_release(array);
        CHECK_INT(dt_array_dtype(back), dtype);
        CHECK_INT(dt_array_extent(back, 0), 3);
        CHECK_INT(dt_array_stride(back, 1), 3);
        CHECK(dt_array_equal(back, back));
        dt_array_release(back);
    }
}

static void goes_out_without_a_version(dt_world *world)
{
    dt_array *array = NULL, *back = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(0, 2), &array));
    dt_dlpack_legacy *legacy = NULL;
    CHECK_OK(world, dt_array_to_dlpack_legacy(world, array, &legacy));
    CHECK(legacy->dl_tensor.data == NULL);
    CHECK_OK(world, dt_array_from_dlpack_legacy(world, legacy, &back));
    CHECK(dt_shape_equal(dt_array_shape(back), DT_SHAPE(0, 2)));
    dt_array_release(back);
    CHECK_OK(world, dt_array_to_dlpack_legacy(world, array, &legacy));
    dt_array_release(array);
    legacy->deleter(legacy);
}

static void keeps_read_only(dt_world *world)
{
    float memory[2] = {1, 2};
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = memory;
    options.shape = DT_SHAPE(2);
    options.read_only = true;
    dt_array *array = NULL, *back = NULL;
    dt_dlpack_managed *managed = NULL;
    dt_dlpack_legacy *legacy = NULL;
    CHECK_OK(world, dt_array_wrap(world, &options, &array));
    CHECK_FAILS(world, dt_array_to_dlpack_legacy(world, array, &legacy),
                DT_ERR_UNSUPPORTED, "read-only");
    CHECK_OK(world, dt_array_to_dlpack(world, array, &managed));
    CHECK_INT((long long)managed->flags, DT_DLPACK_READ_ONLY);
    CHECK(managed->dl_tensor.data == memory);
    CHECK_OK(world, dt_array_from_dlpack(world, managed, &back));
    CHECK(dt_array_is_read_only(back));
    dt_array_release(back);
    dt_array_release(array);
    CHECK_OK(world, dt_array_create_meta(world, DT_F32, DT_SHAPE(2), &array));
    CHECK_FAILS(world, dt_array_to_dlpack(world, array, &managed),
                DT_ERR_INVALID, "a meta array");
    dt_array_release(array);
}

/* A tensor of another library; it counts how often it is deleted. */
typedef struct foreign {
    dt_dlpack_managed managed; /* first: the deleter is given it */
    int64_t shape[9];
    int64_t strides[9];
    int deleted;
    _Alignas(8) char memory[64];
} foreign;

static void delete_foreign(dt_dlpack_managed *self)
{
    ((foreign *)self)->deleted++;
}

static void fill_foreign(foreign *tensor)
{
    *tensor = (foreign){.shape = {2, 3}, .strides = {3, 1}};
    tensor->managed = (dt_dlpack_managed){
        .version = {1, 9},
        .deleter = delete_foreign,
        .dl_tensor = {tensor->memory,
                      {1, 0},
                      2,
                      {0, 16, 1},
                      tensor->shape,
                      tensor->strides,
                      0},
    };
    for (int i = 0; i < 64; i++)
        tensor->memory[i] = (char)i;
}

static void sees_foreign_memory(dt_world *world)
{
    foreign tensor;
    dt_array *array = NULL;
    fill_foreign(&tensor);
    tensor.managed.dl_tensor.strides = NULL;
    tensor.managed.dl_tensor.byte_offset = 2;
    CHECK_OK(world, dt_array_from_dlpack(world, &tensor.managed, &array));
    CHECK(dt_array_data(array) == (void *)(tensor.memory + 2));
    CHECK_INT(dt_array_stride(array, 0), 3);
    CHECK_INT(tensor.deleted, 0);
    dt_array_release(array);
    CHECK_INT(tensor.deleted, 1);

    /* Elements at odd addresses are copied. */
    fill_foreign(&tensor);
    tensor.managed.dl_tensor.byte_offset = 1;
    tensor.strides[0] = 6;
    CHECK_OK(world, dt_array_from_dlpack(world, &tensor.managed, &array));
    CHECK_INT(tensor.deleted, 1);
    const int16_t *data = dt_array_const_data(array);
    CHECK_INT(data[0], 0x0201);
    CHECK_INT(data[3], 0x0e0d);
    dt_array_release(array);
    CHECK_INT(tensor.deleted, 1);

    /* A producer need not have a deleter. */
    fill_foreign(&tensor);
    tensor.managed.deleter = NULL;
    CHECK_OK(world, dt_array_from_dlpack(world, &tensor.managed, &array));
    dt_array_release(array);
}

static void refuses_what_it_cannot_see(dt_world *world)
{
    foreign tensor;
    dt_array *array = NULL;
    fill_foreign(&tensor);
    tensor.managed.version.major = 2;
    CHECK_FAILS(world, dt_array_from_dlpack(world, &tensor.managed, &array),
                DT_ERR_UNSUPPORTED, "version 2");
    fill_foreign(&tensor);
    tensor.managed.dl_tensor.device.type = 2;
    CHECK_FAILS(world, dt_array_from_dlpack(world, &tensor.managed, &array),
                DT_ERR_UNSUPPORTED, "device 2");
    fill_foreign(&tensor);
    tensor.managed.dl_tensor.dtype.lanes = 4;
    CHECK_FAILS(world, dt_array_from_dlpack(world, &tensor.managed, &array),
                DT_ERR_UNSUPPORTED, "4 lanes");
    fill_foreign(&tensor);
    tensor.managed.dl_tensor.ndim = 9;
    CHECK_FAILS(world, dt_array_from_dlpack(world, &tensor.managed, &array),
                DT_ERR_UNSUPPORTED, "9 dimensions");
    fill_foreign(&tensor);
    tensor.strides[1] = -1;
    CHECK_FAILS(world, dt_array_from_dlpack(world, &tensor.managed, &array),
                DT_ERR_UNSUPPORTED, "stride -1");
    fill_foreign(&tensor);
    tensor.strides[0] = INT64_MAX / 2;
    CHECK_FAILS(world, dt_array_from_dlpack(world, &tensor.managed, &array),
                DT_ERR_INVALID, "too large");
    for (int offset = 0; offset < 2; offset++) { /* seen, copied */
        fill_foreign(&tensor);
        tensor.managed.dl_tensor.byte_offset = (uint64_t)offset;
        tensor.strides[0] = INT64_MAX / 16;
        tensor.shape[0] = 20;
        CHECK_FAILS(world, dt_array_from_dlpack(world, &tensor.managed, &array),
                    DT_ERR_INVALID, "too large for shape");
    }
    fill_foreign(&tensor);
    tensor.shape[0] = -1;
    CHECK_FAILS(world, dt_array_from_dlpack(world, &tensor.managed, &array),
                DT_ERR_INVALID, "negative extent");
    CHECK_INT(tensor.deleted, 0);
    CHECK(array == NULL);
}

const dt_test dt_tests[] = {
    {"has the layout", has_the_layout},
    {"goes out and comes in", goes_out_and_comes_in},
    {"goes out without a version", goes_out_without_a_version},
    {"keeps read-only", keeps_read_only},
    {"sees foreign memory", sees_foreign_memory},
    {"refuses what it cannot see", refuses_what_it_cannot_see},
    {NULL, NULL},
};
