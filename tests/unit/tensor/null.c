/* tests/unit/tensor/null.c - what is not there can be asked what it is. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
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
    CHECK_INT(dt_tensor_extent(none, 0), 0);
    CHECK_INT(dt_tensor_stride(none, 0), 0);
    CHECK_INT(dt_tensor_count(none), 0);
    CHECK(dt_tensor_local(none) == NULL);
    CHECK(dt_tensor_mask(none) == NULL);
    CHECK_INT(dt_tensor_format(none, text, sizeof text), 0);
    CHECK_TEXT(text, "");
    CHECK_INT(dt_tensor_format(none, NULL, 0), 0);
    CHECK(dt_to_local(none) == NULL);
    CHECK_INT(dt_tensor_disassemble(none, &array, &spec), DT_ERR_INVALID);
    CHECK_INT(dt_tensor_shard_boxes(none, NULL, 0, &count), DT_ERR_INVALID);
    dt_tensor_print(none);
}

static void of_an_array(dt_world *world)
{
    dt_array *none = dt_tensor_local(NULL);
    char text[8] = "unread";
    (void)world;
    CHECK_INT(dt_array_dtype(none), DT_DTYPE_COUNT);
    check_shape(dt_array_shape(none));
    CHECK_INT(dt_array_ndim(none), 0);
    CHECK_INT(dt_array_extent(none, 0), 0);
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
}

/* Functions that would have to do something with it. */
static void refuses_arrays(dt_world *world)
{
    dt_array *none = NULL, *out = NULL, *some = NULL;
    dt_dlpack_managed *shown = NULL;
    dt_dlpack_legacy *legacy = NULL;
    const int order[] = {0};
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(1), &some));
    const dt_status found[] = {
        dt_array_wait(world, none),
        dt_array_slice(world, none, 0, 0, 1, 1, &out),
        dt_array_select(world, none, 0, 0, &out),
        dt_array_permute(world, none, order, &out),
        dt_array_expand(world, none, DT_SHAPE(1), &out),
        dt_array_reshape(world, none, DT_SHAPE(1), &out),
        dt_array_contiguous(world, none, &out),
        dt_array_clone(world, none, &out),
        dt_array_cast(world, none, DT_F64, &out),
        dt_array_copy(world, none, some),
        dt_array_copy(world, some, none),
        dt_array_fill(world, none, 1),
        dt_array_fill_int(world, none, 1),
        dt_array_to_dlpack(world, none, &shown),
        dt_array_to_dlpack_legacy(world, none, &legacy),
        dt_array_save_npy(world, none, "never-written.npy"),
        dt_array_save_npy(world, some, NULL),
        dt_array_load_npy(world, NULL, &out),
    };
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        CHECKF(found[i] == DT_ERR_INVALID, "call %d gave %s", (int)i,
               dt_status_name(found[i]));
    CHECK(strstr(dt_world_error(world)->message, "NULL") != NULL);
    CHECK(out == NULL);
    dt_array_release(some);
}

static void refuses_meshes_and_specs(dt_world *world)
{
    dt_mesh *own = dt_world_own_mesh(world), *mesh = NULL;
    dt_group *group = NULL;
    dt_spec *spec = NULL;
    dt_plan *plan = NULL;
    dt_layout layout = dt_layout_of(NULL, 0);
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(1));
    const dt_status found[] = {
        dt_mesh_create(world, NULL, &mesh),
        dt_mesh_sub(own, NULL, &mesh),
        dt_mesh_sub(NULL, "x", &mesh),
        dt_mesh_flatten(own, NULL, NULL, &mesh),
        dt_mesh_flatten(NULL, "x", NULL, &mesh),
        dt_mesh_group(NULL, 0, &group),
        dt_mesh_push(NULL),
        dt_spec_create(NULL, "R", DT_F32, DT_SHAPE(1), &spec),
        dt_spec_create(own, NULL, DT_F32, DT_SHAPE(1), &spec),
        dt_spec_create_with(NULL, &layout, &meta, &spec),
        dt_spec_with_layout(NULL, "R", &spec),
        dt_spec_with_meta(NULL, &meta, &spec),
        dt_spec_parse(NULL, "f32[1] R", &spec),
        dt_spec_parse(own, NULL, &spec),
        dt_plan_create(NULL, NULL, NULL, &plan),
        dt_handle_wait(NULL),
    };
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        CHECKF(found[i] == DT_ERR_INVALID, "call %d gave %s", (int)i,
               dt_status_name(found[i]));
    CHECK(dt_handle_test(NULL));
}

/* Check that the world has an error about NULL, and that a second NULL, which
 * follows from it, adds nothing. */
static void check_told(dt_world *world, const char *function)
{
    char expected[64], message[DT_ERROR_SIZE];
    snprintf(expected, sizeof expected, "%s: ", function);
    snprintf(message, sizeof message, "%s", dt_world_error(world)->message);
    CHECKF(strstr(message, expected) == message && strstr(message, " is NULL"),
           "%s: %s", function, message);
    CHECK(dt_exp(NULL) == NULL);
    CHECK_TEXT(dt_world_error(world)->message, message);
    dt_world_clear_error(world);
}

static void is_told(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_group *group = NULL;
    dt_spec *spec = NULL;
    dt_randint_options range = DT_RANDINT_OPTIONS_INIT;
    dt_redistribute_options change = DT_REDISTRIBUTE_OPTIONS_INIT;
    dt_world_clear_error(world);
#define TOLD(function, call)                                                   \
    do {                                                                       \
        CHECK(!(call));                                                        \
        check_told(world, function);                                           \
    } while (0)
#define FAILS(function, call) TOLD(function, (call) == DT_OK)
    TOLD("dt_empty", dt_empty(NULL, "R", DT_F32, DT_SHAPE(1)));
    TOLD("dt_zeros", dt_zeros(NULL, "R", DT_F32, DT_SHAPE(1)));
    TOLD("dt_ones", dt_ones(NULL, "R", DT_F32, DT_SHAPE(1)));
    TOLD("dt_full", dt_full(NULL, "R", DT_F32, DT_SHAPE(1), 2));
    TOLD("dt_full_int", dt_full_int(NULL, "R", DT_F32, DT_SHAPE(1), 2));
    TOLD("dt_empty_like", dt_empty_like(NULL));
    TOLD("dt_zeros_like", dt_zeros_like(NULL));
    TOLD("dt_ones_like", dt_ones_like(NULL));
    TOLD("dt_full_like", dt_full_like(NULL, 2));
    TOLD("dt_full_int_like", dt_full_int_like(NULL, 2));
    TOLD("dt_rand", dt_rand(NULL, "R", DT_F32, DT_SHAPE(1)));
    TOLD("dt_randn", dt_randn(NULL, "R", DT_F32, DT_SHAPE(1)));
    TOLD("dt_rand_from", dt_rand_from(NULL, NULL, "R", DT_F32, DT_SHAPE(1)));
    TOLD("dt_randn_from", dt_randn_from(NULL, NULL, "R", DT_F32, DT_SHAPE(1)));
    TOLD("dt_rand_like", dt_rand_like(NULL));
    TOLD("dt_randn_like", dt_randn_like(NULL));
    TOLD("dt_randint_like", dt_randint_like(NULL, &range));
    TOLD("dt_randint", dt_randint(NULL, "R", DT_I64, DT_SHAPE(1), &range));
    TOLD("dt_randperm", dt_randperm(NULL, "R", DT_I64, 4));
    TOLD("dt_arange", dt_arange(NULL, "R", DT_F32, 0, 4, 1));
    TOLD("dt_eye", dt_eye(NULL, "R", DT_F32, 2, 2));
    TOLD("dt_linspace", dt_linspace(NULL, "R", DT_F32, 0, 4, 5));
    TOLD("dt_distribute",
         dt_distribute(NULL, "R", DT_F32, DT_SHAPE(1), NULL, 0));
    TOLD("dt_from_local", dt_from_local(NULL, "R", NULL));
    TOLD("dt_redistribute", dt_redistribute(NULL, "R"));
    TOLD("dt_to_local", dt_to_local(NULL));
    TOLD("dt_redistribute_with", dt_redistribute_with(NULL, &change));
    TOLD("dt_full_tensor", dt_full_tensor(NULL));
    TOLD("matmul", dt_matmul(NULL, NULL));
    FAILS("max_dim", dt_max_dim(NULL, 0, false, NULL, NULL));
    FAILS("dt_mesh_sub", dt_mesh_sub(NULL, "x", &mesh));
    FAILS("dt_mesh_flatten", dt_mesh_flatten(NULL, "x", NULL, &mesh));
    FAILS("dt_mesh_group_of", dt_mesh_group_of(NULL, NULL, 0, &group));
    FAILS("dt_mesh_push", dt_mesh_push(NULL));
    FAILS("dt_spec_create",
          dt_spec_create(NULL, "R", DT_F32, DT_SHAPE(1), &spec));
    FAILS("dt_handle_wait", dt_handle_wait(NULL));
#undef FAILS
#undef TOLD
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
    {"refuses arrays", refuses_arrays},
    {"of a spec", of_a_spec},
    {"of a mesh", of_a_mesh},
    {"refuses meshes and specs", refuses_meshes_and_specs},
    {"is told", is_told},
    {NULL, NULL},
};
