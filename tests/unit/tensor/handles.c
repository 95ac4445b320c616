/* tests/unit/tensor/handles.c - handles that are used after they were closed.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>
#include <dtensor/sys/op.h>

#include "support/check.h"

/* Everything that a world says. */
typedef struct remarks {
    char text[4096];
} remarks;

static void add_remark(void *arg, dt_log_level level, int rank,
                       const char *message)
{
    remarks *said = arg;
    size_t length = strlen(said->text);
    (void)level, (void)rank;
    snprintf(said->text + length, sizeof said->text - length, "%s\n", message);
}

static dt_world *open_checked(remarks *said)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_error error;
    memset(said, 0, sizeof *said);
    options.log = add_remark;
    options.log_arg = said;
    setenv("DT_CHECK_HANDLES", "on", 1);
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_OK, NULL);
    unsetenv("DT_CHECK_HANDLES");
    return world;
}

/* Check that the latest error names the function, what was misused, who created
 * it and who closed it; then forget the error. */
static void check_named(dt_world *world, const char *function, const char *kind,
                        const char *creator, const char *closer)
{
    char expected[256];
    snprintf(expected, sizeof expected,
             "%s: use of a closed %s, created by %s and closed by %s", function,
             kind, creator, closer);
    const dt_error *error = dt_world_error(world);
    CHECKF(error->code == DT_ERR_INVALID && strstr(error->message, expected),
           "\"%s\" instead of \"%s\"", error->message, expected);
    dt_world_clear_error(world);
}

static void tensors(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_mesh *mesh = dt_world_own_mesh(world);
    (void)unused;
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = dt_randn(mesh, "R", DT_F32, DT_SHAPE(2, 3));
    dt_tensor *sum = dt_add(x, x);
    dt_array *local = dt_tensor_local(sum);
    CHECK_OK(world, dt_scope_close(scope));
    /* New objects do not take the places of the old ones. */
    dt_tensor *more = dt_ones(mesh, "R", DT_F32, DT_SHAPE(2, 3));
    CHECK(more && more != x && more != sum);
    CHECK(dt_neg(sum) == NULL);
    check_named(world, "neg", "tensor", "dt_add", "dt_scope_close");
    CHECK(dt_mul(more, x) == NULL);
    check_named(world, "mul", "tensor", "dt_randn", "dt_scope_close");
    CHECK(dt_redistribute(x, "R") == NULL);
    check_named(world, "dt_redistribute", "tensor", "dt_randn",
                "dt_scope_close");
    CHECK(dt_tensor_local(sum) == NULL);
    check_named(world, "dt_tensor_local", "tensor", "dt_add", "dt_scope_close");
    CHECK(dt_array_const_data(local) == NULL);
    check_named(world, "dt_array_const_data", "array", "dt_add",
                "dt_scope_close");
    CHECK(dt_tensor_retain(x) == NULL);
    check_named(world, "dt_tensor_retain", "tensor", "dt_randn",
                "dt_scope_close");
    dt_tensor_release(x);
    check_named(world, "dt_tensor_release", "tensor", "dt_randn",
                "dt_scope_close");
    dt_tensor_release_early(more);
    dt_tensor_release_early(more);
    check_named(world, "dt_tensor_release_early", "tensor", "dt_ones",
                "dt_tensor_release_early");
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_TEXT(said.text, "");
}

/* What a scope owns can only be released by who has retained it. */
static void releases_without_retain(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    (void)unused;
    dt_tensor *x =
        dt_ones(dt_world_own_mesh(world), "R", DT_F32, DT_SHAPE(2, 3));
    dt_tensor_release(x);
    const char *message = dt_world_error(world)->message;
    CHECKF(
        strstr(message, "dt_tensor_release: the tensor, created by dt_ones") &&
            strstr(message, "was not retained"),
        "%s", message);
    dt_world_clear_error(world);
    CHECK(dt_neg(x) != NULL);
    dt_tensor_release(dt_tensor_retain(x));
    CHECK(dt_neg(x) != NULL);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void scopes(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    (void)unused;
    dt_scope *outer = dt_scope_open(world);
    dt_scope *inner = dt_scope_open_with(world, &options);
    CHECK_OK(world, dt_scope_close(outer));
    CHECK_INT(dt_scope_close(inner), DT_ERR_INVALID);
    check_named(world, "dt_scope_close", "scope", "dt_scope_open_with",
                "dt_scope_close");
    CHECK_INT(dt_scope_close(outer), DT_ERR_INVALID);
    check_named(world, "dt_scope_close", "scope", "dt_scope_open",
                "dt_scope_close");
    CHECK_INT(dt_scope_error(outer)->code, DT_ERR_INVALID);
    check_named(world, "dt_scope_error", "scope", "dt_scope_open",
                "dt_scope_close");
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void arrays(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_array *array = NULL, *view = NULL, *other = NULL;
    (void)unused;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(4), &array));
    CHECK_OK(world, dt_array_slice(world, array, 0, 1, 3, 1, &view));
    dt_array_release(array);
    dt_array_release(array);
    check_named(world, "dt_array_release", "array", "dt_array_create",
                "dt_array_release");
    CHECK_INT(dt_array_fill(world, array, 1), DT_ERR_INVALID);
    check_named(world, "dt_array_fill", "array", "dt_array_create",
                "dt_array_release");
    CHECK(dt_array_data(array) == NULL);
    check_named(world, "dt_array_data", "array", "dt_array_create",
                "dt_array_release");
    CHECK_INT(dt_group_all_reduce(dt_world_group(world), DT_SUM, array, view),
              DT_ERR_INVALID);
    check_named(world, "all-reduce", "array", "dt_array_create",
                "dt_array_release");
    CHECK_OK(world, dt_array_fill(world, view, 1));
    dt_array_release(view);
    CHECK_INT(dt_array_clone(world, view, &other), DT_ERR_INVALID);
    check_named(world, "dt_array_clone", "array", "dt_array_slice",
                "dt_array_release");
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_TEXT(said.text, "");
}

#define CHECK_GETTER(world, function, array, expected)                         \
    CHECK(function(array) == (expected));                                      \
    check_named(world, #function, "array", "dt_array_create",                  \
                "dt_array_release")

/* A released array has what NULL has. */
static void getters_of_arrays(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_array *array = NULL;
    (void)unused;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(4), &array));
    CHECK_INT(dt_array_extent(array, 0), 4);
    dt_array_release(array);
    CHECK_GETTER(world, dt_array_dtype, array, DT_DTYPE_COUNT);
    CHECK_GETTER(world, dt_array_ndim, array, 0);
    CHECK_GETTER(world, dt_array_count, array, 0);
    CHECK_GETTER(world, dt_array_bytes, array, 0);
    CHECK_GETTER(world, dt_array_is_meta, array, false);
    CHECK_GETTER(world, dt_array_is_contiguous, array, false);
    CHECK_GETTER(world, dt_array_is_read_only, array, false);
    CHECK_INT(dt_array_shape(array).ndim, 0);
    check_named(world, "dt_array_shape", "array", "dt_array_create",
                "dt_array_release");
    CHECK_INT(dt_array_extent(array, 0), 0);
    check_named(world, "dt_array_extent", "array", "dt_array_create",
                "dt_array_release");
    CHECK_INT(dt_array_stride(array, 0), 0);
    check_named(world, "dt_array_stride", "array", "dt_array_create",
                "dt_array_release");
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_TEXT(said.text, "");
}

/* The world keeps plans for later; what a program has released is still not
 * its own any more. */
static void plans(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_mesh *mesh = dt_world_own_mesh(world);
    dt_plan *plan = NULL, *again = NULL;
    char text[64];
    (void)unused;
    dt_tensor *x = dt_ones(mesh, "R", DT_F32, DT_SHAPE(4));
    dt_spec *spec = dt_tensor_spec(x);
    CHECK_OK(world, dt_plan_create(spec, spec, NULL, &plan));
    CHECK(dt_plan_retain(plan) == plan);
    dt_plan_release(plan);
    CHECK(dt_plan_from(plan) == spec);
    dt_plan_release(plan);
    dt_plan_release(plan);
    check_named(world, "dt_plan_release", "plan", "dt_plan_create",
                "dt_plan_release");
    CHECK(dt_plan_retain(plan) == NULL);
    check_named(world, "dt_plan_retain", "plan", "dt_plan_create",
                "dt_plan_release");
    CHECK(dt_plan_to(plan) == NULL);
    check_named(world, "dt_plan_to", "plan", "dt_plan_create",
                "dt_plan_release");
    CHECK_INT(dt_plan_format(plan, text, sizeof text), 4);
    check_named(world, "dt_plan_format", "plan", "dt_plan_create",
                "dt_plan_release");
    CHECK_OK(world, dt_plan_create(spec, spec, NULL, &again));
    CHECK(dt_plan_from(again) == spec);
    dt_plan_release(again);
    CHECK(dt_plan_from(again) == NULL);
    check_named(world, "dt_plan_from", "plan", "dt_plan_create",
                "dt_plan_release");
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_TEXT(said.text, "");
}

static void calls_under_way(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_group *group = dt_world_group(world);
    dt_handle *handle = NULL;
    (void)unused;
    CHECK_OK(world, dt_group_barrier_async(group, &handle));
    /* To wait again is allowed, and so is to test. */
    CHECK_OK(world, dt_handle_wait(handle));
    CHECK_OK(world, dt_handle_wait(handle));
    CHECK(dt_handle_test(handle));
    dt_handle_release(handle);
    CHECK_INT(dt_handle_wait(handle), DT_ERR_INVALID);
    check_named(world, "dt_handle_wait", "handle", "dt_group_barrier_async",
                "dt_handle_release");
    CHECK(dt_handle_test(handle));
    check_named(world, "dt_handle_test", "handle", "dt_group_barrier_async",
                "dt_handle_release");
    dt_handle_release(handle);
    check_named(world, "dt_handle_release", "handle", "dt_group_barrier_async",
                "dt_handle_release");
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_TEXT(said.text, "");
}

/* Release a call twice that its line still keeps, on rank 0 of two. */
static dt_status release_under_way(dt_world *world, void *arg)
{
    dt_group *group = dt_world_group(world);
    dt_array *number = NULL;
    dt_handle *handle = NULL;
    (void)arg;
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(1), &number));
    DT_TRY(dt_array_fill(world, number, 7));
    if (dt_world_rank(world) == 0) {
        DT_TRY(dt_group_receive_async(group, 1, number, &handle));
        dt_handle_release(handle);
        dt_handle_release(handle);
        check_named(world, "dt_handle_release", "handle",
                    "dt_group_receive_async", "dt_handle_release");
    }
    DT_TRY(dt_group_barrier(group));
    if (dt_world_rank(world) == 1)
        DT_TRY(dt_group_send(group, 0, number));
    CHECK(*(const float *)dt_array_const_data(number) == 7);
    dt_array_release(number);
    return DT_OK;
}

static void calls_of_two_ranks(dt_world *unused)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    (void)unused;
    options.ranks = 2;
    setenv("DT_CHECK_HANDLES", "on", 1);
    CHECK_ERROR(&error, dt_world_run(&options, release_under_way, NULL, &error),
                DT_OK, NULL);
    unsetenv("DT_CHECK_HANDLES");
}

/* Groups live as long as their world. */
static void groups(dt_world *own)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_group *all = dt_world_group(world);
    CHECK_INT(dt_group_size(all), 1);
    CHECK_INT(dt_group_barrier(NULL), DT_ERR_INVALID);
    CHECK(strstr(dt_world_error(world)->message, "barrier: group is NULL"));
    dt_world_clear_error(world);
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_TEXT(said.text, "");
    dt_world_clear_error(own);
    CHECK_INT(dt_group_size(all), 0);
    check_named(own, "dt_group_size", "group", "dt_world_open",
                "dt_world_close");
    CHECK_INT(dt_group_barrier(all), DT_ERR_INVALID);
    check_named(own, "barrier", "group", "dt_world_open", "dt_world_close");
}

static void meshes_and_generators(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_mesh *mesh = NULL, *other = NULL;
    dt_generator *generator = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create(world, "x=1", &mesh));
    dt_tensor *x = dt_ones(mesh, "R", DT_F32, DT_SHAPE(4));
    CHECK_OK(world, dt_generator_create(world, 1, 2, &generator));
    dt_generator_release(generator);
    dt_generator_release(generator);
    check_named(world, "dt_generator_release", "generator",
                "dt_generator_create", "dt_generator_release");
    CHECK(dt_rand_from(generator, mesh, "R", DT_F32, DT_SHAPE(2)) == NULL);
    check_named(world, "dt_rand_from", "generator", "dt_generator_create",
                "dt_generator_release");
    dt_bernoulli_options drawn = DT_BERNOULLI_OPTIONS_INIT;
    drawn.generator = generator;
    CHECK(dt_bernoulli_with(x, &drawn) == NULL);
    check_named(world, "bernoulli", "generator", "dt_generator_create",
                "dt_generator_release");
    dt_tensor_release_early(x);
    dt_memory_trim(world);
    dt_mesh *another = NULL;
    CHECK_OK(world, dt_mesh_create(world, "y=1", &another));
    dt_mesh_release(another);
    dt_mesh_release(another);
    check_named(world, "dt_mesh_release", "mesh", "dt_mesh_create",
                "dt_mesh_release");
    CHECK_INT(dt_mesh_sub(another, "y", &other), DT_ERR_INVALID);
    check_named(world, "dt_mesh_sub", "mesh", "dt_mesh_create",
                "dt_mesh_release");
    CHECK(dt_zeros(another, "R", DT_F32, DT_SHAPE(2)) == NULL);
    check_named(world, "dt_zeros", "mesh", "dt_mesh_create", "dt_mesh_release");
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void worlds(dt_world *own)
{
    remarks said;
    dt_world *world = open_checked(&said);
    CHECK_INT(dt_world_close(world), DT_OK);
    dt_world_clear_error(own);
    CHECK_INT(dt_world_close(world), DT_ERR_INVALID);
    check_named(own, "dt_world_close", "world", "dt_world_open",
                "dt_world_close");
}

/* Use handles of a closed world where no world runs that could be told. */
static void *use_after_the_last_world(void *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_array *array = NULL;
    (void)unused;
    dt_tensor *x = dt_ones(dt_world_own_mesh(world), "R", DT_F32, DT_SHAPE(2));
    dt_group *all = dt_world_group(world);
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(2), &array));
    dt_array_release(array);
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK(dt_neg(x) == NULL);
    CHECK(dt_tensor_local(x) == NULL);
    CHECK(dt_redistribute(x, "R") == NULL);
    CHECK_INT(dt_group_barrier(all), DT_ERR_INVALID);
    CHECK_INT(dt_array_count(array), 0);
    dt_array_release(array);
    CHECK_INT(dt_world_close(world), DT_ERR_INVALID);
    return NULL;
}

static void after_the_last_world(dt_world *unused)
{
    pthread_t thread;
    (void)unused;
    if (CHECK(pthread_create(&thread, NULL, use_after_the_last_world, NULL) ==
              0))
        pthread_join(thread, NULL);
}

/* The tensor that an operator is to write is checked as its arguments are. */
static void outputs(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    (void)unused;
    dt_tensor *x = dt_ones(dt_world_own_mesh(world), "R", DT_F32, DT_SHAPE(2));
    dt_tensor *out = dt_empty_like(x);
    dt_tensor_release_early(out);
    CHECK(dt_neg_out(x, out) == NULL);
    check_named(world, "neg", "tensor", "dt_empty_like",
                "dt_tensor_release_early");
    const dt_argument argument = {.kind = DT_ARG_TENSOR, .as.tensor = x};
    CHECK_INT(
        dt_op_call(world, "neg", DT_VARIANT_OUT, &argument, 1, &out, 1, NULL),
        DT_ERR_INVALID);
    check_named(world, "neg", "tensor", "dt_empty_like",
                "dt_tensor_release_early");
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void lists_what_is_left(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_array *arrays[3] = {NULL};
    dt_generator *generator = NULL;
    (void)unused;
    for (int i = 0; i < 3; i++)
        CHECK_OK(world,
                 dt_array_create(world, DT_F32, DT_SHAPE(4), &arrays[i]));
    CHECK_OK(world, dt_generator_create(world, 1, 2, &generator));
    dt_array_release(arrays[1]);
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECKF(
        strstr(said.text,
               "closed with 2 arrays not released, created by dt_array_create"),
        "%s", said.text);
    CHECKF(strstr(said.text, "closed with 1 generator not released, created by "
                             "dt_generator_create"),
           "%s", said.text);
    dt_array_release(arrays[0]);
    dt_array_release(arrays[2]);
    dt_generator_release(generator);
}

/* Many more than are kept: what is old is forgotten, and nothing else. */
static void many(dt_world *unused)
{
    remarks said;
    dt_world *world = open_checked(&said);
    dt_array *array = NULL;
    (void)unused;
    for (int i = 0; i < 40000; i++) {
        DT_IGNORE(dt_array_create(world, DT_F32, DT_SHAPE(1), &array));
        dt_array_release(array);
    }
    dt_array_release(array);
    check_named(world, "dt_array_release", "array", "dt_array_create",
                "dt_array_release");
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_TEXT(said.text, "");
}

const dt_test dt_tests[] = {
    {"tensors", tensors},
    {"releases without retain", releases_without_retain},
    {"scopes", scopes},
    {"arrays", arrays},
    {"getters of arrays", getters_of_arrays},
    {"plans", plans},
    {"calls under way", calls_under_way},
    {"calls of two ranks", calls_of_two_ranks},
    {"groups", groups},
    {"meshes and generators", meshes_and_generators},
    {"worlds", worlds},
    {"after the last world", after_the_last_world},
    {"outputs", outputs},
    {"lists what is left", lists_what_is_left},
    {"many", many},
    {NULL, NULL},
};
