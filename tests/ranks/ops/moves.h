/* tests/ranks/ops/moves.h - operators that move elements, against arrays. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_OPS_MOVES_H
#define DT_TESTS_OPS_MOVES_H

#include <dtensor/dtensor.h>

#include "ranks/tensor_values.h"

static const element_rule counted = {.salt = 7, .tame = true};

static inline dt_mesh *line_mesh(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    return mesh;
}

/* An array of known elements, and a tensor that has them; the scope's. */
typedef struct sample {
    dt_array *whole;
    dt_tensor *tensor;
} sample;

static inline sample make_sample(dt_mesh *mesh, const char *layout,
                                 dt_dtype dtype, dt_shape shape)
{
    dt_world *world = dt_mesh_world(mesh);
    sample made;
    made.whole = whole_array(world, dtype, shape, FORM_DENSE, counted);
    made.tensor =
        dt_distribute(mesh, layout, dtype, shape, made.whole, DT_EVERYWHERE);
    CHECKF(made.tensor != NULL, "%s", dt_world_error(world)->message);
    return made;
}

/*
 * The same tensor with other local arrays: the first part of each dimension of
 * larger ones, so that strides allow no two dimensions to be merged.  The
 * global strides stay row-major; programs make such tensors with dt_from_local.
 */
static inline dt_tensor *loosened(dt_tensor *tensor)
{
    dt_world *world = dt_tensor_world(tensor);
    dt_array *local = dt_tensor_local(tensor), *part = NULL;
    dt_shape larger = dt_array_shape(local);
    for (int i = 0; i < larger.ndim; i++)
        larger.dims[i] += i % 2 + 1;
    CHECK_OK(world,
             dt_array_create(world, dt_array_dtype(local), larger, &part));
    for (int i = 0; i < larger.ndim; i++) {
        dt_array *shorter = NULL;
        CHECK_OK(world,
                 dt_array_slice(world, part, i, 0,
                                dt_array_shape(local).dims[i], 1, &shorter));
        dt_array_release(part);
        part = shorter;
    }
    CHECK_OK(world, dt_array_copy(world, local, part));
    const dt_shape shape = dt_tensor_shape(tensor);
    const dt_meta meta = dt_meta_of(dt_tensor_dtype(tensor), shape);
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    options.shape = &shape;
    options.strides = meta.strides;
    dt_tensor *made = dt_from_local_with(
        dt_tensor_mesh(tensor), dt_layout_text(world, dt_tensor_layout(tensor)),
        part, &options);
    CHECKF(made != NULL, "%s", dt_world_error(world)->message);
    dt_array_release(part);
    return made;
}

/* A mesh of all ranks but the last; NULL if there is no other. */
static inline dt_mesh *mesh_without_last(dt_world *world)
{
    int ranks[64];
    const int count = dt_world_size(world) - 1;
    dt_mesh *mesh = NULL;
    for (int i = 0; i < count; i++)
        ranks[i] = i;
    if (count > 0)
        CHECK_OK(world, dt_mesh_create_from(world, "x", ranks, count, &mesh));
    return mesh;
}

/* Check that a tensor has a layout; one rank has but one. */
static inline void check_layout(const dt_tensor *tensor, const char *layout)
{
    char text[256];
    if (!CHECK(tensor != NULL) || dt_spec_shards(dt_tensor_spec(tensor)) < 1)
        return;
    if (dt_mesh_size(dt_tensor_mesh(tensor)) == 1)
        return;
    dt_layout_format(dt_tensor_layout(tensor), text, sizeof text);
    CHECK_TEXT(text, layout);
}

/* Check that a tensor has the shape and the elements of an array, which is
 * released. */
static inline bool check_moved(dt_tensor *tensor, dt_array *view)
{
    dt_array *dense = NULL;
    bool good = CHECK(tensor != NULL) && CHECK(view != NULL);
    if (good) {
        dt_world *world = dt_tensor_world(tensor);
        good = CHECK_OK(world, dt_array_contiguous(world, view, &dense)) &&
               CHECK(dt_shape_equal(dt_tensor_shape(tensor),
                                    dt_array_shape(view))) &&
               CHECK(dt_tensor_dtype(tensor) == dt_array_dtype(view)) &&
               check_whole_of(tensor, dense);
    }
    dt_array_release(dense);
    dt_array_release(view);
    return good;
}

/* ---- Arrays as operators make them -------------------------------------- */

static inline dt_array *reshaped(dt_world *world, dt_array *whole,
                                 dt_shape shape)
{
    dt_array *dense = NULL, *view = NULL;
    CHECK_OK(world, dt_array_contiguous(world, whole, &dense));
    CHECK_OK(world, dt_array_reshape(world, dense, shape, &view));
    dt_array_release(dense);
    return view;
}

static inline dt_array *sliced(dt_world *world, dt_array *whole, int dim,
                               int64_t start, int64_t stop, int64_t step)
{
    dt_array *view = NULL;
    CHECK_OK(world,
             dt_array_slice(world, whole, dim, start, stop, step, &view));
    return view;
}

static inline dt_array *selected(dt_world *world, dt_array *whole, int dim,
                                 int64_t index)
{
    dt_array *view = NULL;
    CHECK_OK(world, dt_array_select(world, whole, dim, index, &view));
    return view;
}

static inline dt_array *permuted(dt_world *world, dt_array *whole,
                                 const int *order)
{
    dt_array *view = NULL;
    CHECK_OK(world, dt_array_permute(world, whole, order, &view));
    return view;
}

/* ---- One mesh dimension ------------------------------------------------- */

/* A test of one mesh dimension, of as many ranks as there are. */
typedef struct line {
    dt_world *world;
    dt_mesh *mesh;
    dt_scope *scope;
    int64_t ranks;
    uint64_t calls;
} line;

static inline line open_line(dt_world *world)
{
    return (line){.world = world,
                  .mesh = line_mesh(world),
                  .scope = dt_scope_open(world),
                  .ranks = dt_world_size(world)};
}

/* Errors were looked at when they came. */
static inline void close_line(line *at)
{
    DT_IGNORE(dt_scope_close(at->scope));
    dt_mesh_release(at->mesh);
}

static inline sample line_sample(line *at, const char *layout, dt_shape shape)
{
    sample made = make_sample(at->mesh, layout, DT_F32, shape);
    at->calls = calls_so_far(at->world);
    return made;
}

/* Check that nothing was sent since the sample was made. */
static inline void check_silent(const line *at)
{
    CHECK_INT((long long)(calls_so_far(at->world) - at->calls), 0);
}

/* Check that something was, which takes two ranks. */
static inline void check_sent(const line *at)
{
    CHECK(at->ranks == 1 || calls_so_far(at->world) > at->calls);
}

static inline void check_shares_memory(const dt_tensor *a, const dt_tensor *b)
{
    CHECK(a && b &&
          dt_array_const_data(dt_tensor_local(a)) ==
              dt_array_const_data(dt_tensor_local(b)));
}

/* Check that a call gave no tensor, and why.  The harness's macro wants a
 * status. */
static inline dt_status status_of(dt_world *world, const dt_tensor *tensor)
{
    return tensor ? DT_OK : dt_world_error(world)->code;
}

#endif
