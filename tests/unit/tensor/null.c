/* tests/unit/tensor/null.c - what is not there can be asked what it is. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "support/check.h"

static void check_shape(dt_shape shape)
{
    CHECK_INT(shape.ndim, 0);
    for (int i = 0; i < DT_MAX_NDIM; i++)
        CHECK_INT(shape.dims[i], 0);
}

static void of_a_tensor(dt_world *world)
{
    dt_tensor *none = dt_neg(dt_neg(NULL));
    char text[8] = "unread";
    int64_t count = 0;
    dt_array *array = NULL;
    dt_spec *spec = NULL;
    (void)world;
    CHECK(none == NULL);
    CHECK(dt_tensor_world(none) == NULL);
    CHECK(dt_tensor_spec(none) == NULL);
    CHECK(dt_tensor_mesh(none) == NULL);
    CHECK(dt_tensor_layout(none) == NULL);
    CHECK_TEXT(dt_dtype_name(dt_tensor_dtype(none)), "invalid");
    CHECK_INT(dt_dtype_size(dt_tensor_dtype(none)), 0);
    check_shape(dt_tensor_shape(none));
    CHECK_INT(dt_tensor_ndim(none), 0);
    CHECK_INT(dt_tensor_dim(none, 0), 0);
    CHECK_INT(dt_tensor_stride(none, 0), 0);
    CHECK_INT(dt_tensor_count(none), 0);
    CHECK(dt_tensor_local(none) == NULL);
    CHECK(dt_tensor_mask(none) == NULL);
    CHECK_INT(dt_tensor_format(none, text, sizeof text), 0);
    CHECK_TEXT(text, "");
    CHECK_INT(dt_tensor_format(none, NULL, 0), 0);
    CHECK(dt_to_local(none) == NULL);
    CHECK_INT(dt_tensor_flatten(none, &array, &spec), DT_ERR_INVALID);
    CHECK_INT(dt_tensor_chunks(none, NULL, 0, &count), DT_ERR_INVALID);
    dt_print(none);
}

static void of_an_array(dt_world *world)
{
    dt_array *none = dt_tensor_local(NULL);
    char text[8] = "unread";
    CHECK_INT(dt_array_dtype(none), DT_DTYPE_COUNT);
    check_shape(dt_array_shape(none));
    CHECK_INT(dt_array_ndim(none), 0);
    CHECK_INT(dt_array_dim(none, 0), 0);
    CHECK_INT(dt_array_stride(none, 0), 0);
    CHECK_INT(dt_array_count(none), 0);
    CHECK_INT(dt_array_bytes(none), 0);
    CHECK(!dt_array_is_meta(none));
    CHECK(!dt_array_is_contiguous(none));
    CHECK(!dt_array_is_read_only(none));
    CHECK(dt_array_data(none) == NULL);
    CHECK(dt_array_const_data(none) == NULL);
    CHECK(!dt_array_equal(none, none));
    CHECK_INT(dt_array_format(none, text, sizeof text), 0);
    CHECK_TEXT(text, "");
    CHECK_FAILS(world, dt_array_wait(world, none), DT_ERR_INVALID, "NULL");
}

static void of_a_spec(dt_world *world)
{
    dt_spec *none = dt_tensor_spec(NULL);
    char text[8] = "unread";
    int dims[DT_MAX_NDIM];
    int64_t offset[DT_MAX_NDIM] = {0};
    dt_run run;
    (void)world;
    CHECK(dt_spec_mesh(none) == NULL);
    CHECK(dt_spec_layout(none) == NULL);
    CHECK(dt_spec_meta(none) == NULL);
    CHECK_INT(dt_spec_dtype(none), DT_DTYPE_COUNT);
    check_shape(dt_spec_shape(none));
    CHECK_INT(dt_spec_ndim(none), 0);
    CHECK_INT(dt_spec_count(none), 0);
    CHECK(dt_spec_hash(none) == 0);
    CHECK(!dt_spec_is_replicated(none) && !dt_spec_is_sharded(none));
    CHECK(!dt_spec_is_partial(none) && !dt_spec_is_strided(none));
    CHECK(!dt_spec_has_default_order(none));
    CHECK_INT(dt_spec_shards(none), 0);
    CHECK_INT(dt_spec_shards_of(none, 0), 0);
    CHECK_INT(dt_spec_cuts(none, 0, dims), 0);
    CHECK_INT(dt_spec_partial_dims(none, dims), 0);
    CHECK(!dt_spec_is_shardable(none, 0));
    CHECK(dt_shape_equal(dt_spec_local_shape(none, 0), DT_SHAPE(0)));
    CHECK(!dt_spec_offset(none, 0, offset));
    CHECK(!dt_spec_run(none, 0, 0, 0, &run));
    CHECK_INT(dt_spec_owners(none, offset, dims, DT_MAX_NDIM), 0);
    CHECK_INT(dt_spec_format(none, text, sizeof text), 0);
    CHECK_TEXT(text, "");
}

static void of_a_mesh(dt_world *world)
{
    dt_mesh *none = dt_tensor_mesh(NULL), *own = dt_world_own_mesh(world);
    char text[8] = "unread";
    int coordinate[DT_MAX_NDIM] = {0};
    CHECK(dt_mesh_world(none) == NULL);
    CHECK_INT(dt_mesh_ndim(none), 0);
    CHECK_INT(dt_mesh_size(none), 0);
    CHECK_INT(dt_mesh_dim_size(none, 0), 0);
    CHECK(dt_mesh_dim_name(none, 0) == NULL);
    CHECK(dt_mesh_ranks(none) == NULL);
    CHECK(dt_mesh_equal(none, none));
    CHECK(!dt_mesh_equal(none, own) && !dt_mesh_equal(own, none));
    CHECK_INT(dt_mesh_find_dim(none, "dp"), -1);
    CHECK_INT(dt_mesh_find_dim(own, NULL), -1);
    CHECK(!dt_mesh_is_member(none));
    CHECK_INT(dt_mesh_coordinate(none, 0), -1);
    CHECK(!dt_mesh_coordinate_of(none, 0, coordinate));
    CHECK_INT(dt_mesh_rank_at(none, coordinate), -1);
    CHECK_INT(dt_mesh_format(none, text, sizeof text), 0);
    CHECK_TEXT(text, "");
}

const dt_test dt_tests[] = {
    {"of a tensor", of_a_tensor},
    {"of an array", of_an_array},
    {"of a spec", of_a_spec},
    {"of a mesh", of_a_mesh},
    {NULL, NULL},
};
