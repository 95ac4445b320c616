/* tests/ranks/tensor_values.h - tensors of which every element is known. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_TENSOR_VALUES_H
#define DT_TESTS_TENSOR_VALUES_H

#include "array/cast.h"
#include "ranks/comm_values.h"
#include "unit/layout/oracle.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MESHES_MAX = 8 };

/* Calls to other ranks so far, of any kind. */
static inline uint64_t calls_so_far(const dt_world *world)
{
    uint64_t calls = 0;
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        calls += dt_trace_count(world, (dt_collective)i).calls;
    return calls;
}

/* ---- Meshes ------------------------------------------------------------- */

/* Meshes that fit a world; all of them are released together. */
typedef struct mesh_list {
    int count;
    dt_mesh *meshes[MESHES_MAX];
} mesh_list;

static inline void add_mesh(dt_world *world, mesh_list *grids, const char *text)
{
    CHECK_OK(world, dt_mesh_create(world, text, &grids->meshes[grids->count]));
    grids->count += grids->meshes[grids->count] != NULL;
}

/* A mesh over the first `count` ranks, the last one first. */
static inline dt_mesh *backwards_mesh(dt_world *world, const char *text,
                                      int count)
{
    int ranks[64];
    dt_mesh *mesh = NULL;
    for (int i = 0; i < count; i++)
        ranks[i] = count - 1 - i;
    CHECK_OK(world, dt_mesh_create_from(world, text, ranks, count, &mesh));
    return mesh;
}

static inline mesh_list make_meshes(dt_world *world)
{
    mesh_list grids = {.count = 0};
    int size = dt_world_size(world);
    add_mesh(world, &grids, "x");
    add_mesh(world, &grids, "a=1,b,c=1");
    if (size > 2 && size % 2 == 0)
        add_mesh(world, &grids, "a=2,b");
    if (size > 3 && size % 3 == 0)
        add_mesh(world, &grids, "a=3,b");
    if (size % 8 == 0)
        add_mesh(world, &grids, "a=2,b=2,c");
    /* Ranks in another order; one of them outside. */
    grids.meshes[grids.count++] = backwards_mesh(world, "back", size);
    if (size > 1)
        grids.meshes[grids.count++] =
            backwards_mesh(world, size == 5 ? "a=2,b" : "a,b=1", size - 1);
    return grids;
}

static inline void release_meshes(mesh_list *grids)
{
    for (int i = 0; i < grids->count; i++)
        dt_mesh_release(grids->meshes[i]);
}

static inline void mesh_sizes(const dt_mesh *mesh, int *sizes)
{
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        sizes[i] = dt_mesh_dim_size(mesh, i);
}

/* ---- Elements ----------------------------------------------------------- */

/*
 * What the elements of a tensor are.  Wild ones may be any bits; tame ones are
 * small whole numbers, which every reduction of up to 100 of them keeps exact.
 */
typedef struct element_rule {
    uint64_t salt;
    bool tame;
} element_rule;

/* The bits of a number in a dtype. */
static inline uint64_t bits_of_number(dt_dtype dtype, double real,
                                      double imaginary)
{
    uint64_t bits = 0;
    if (dtype == DT_C64) {
        dti_c64 number = {(float)real, (float)imaginary};
        memcpy(&bits, &number, sizeof number);
    } else {
        dti_cast(&real, DT_F64, &bits, dtype, 1);
    }
    return bits;
}

static inline uint64_t element_bits(element_rule rule, dt_dtype dtype,
                                    int64_t index)
{
    uint64_t word = word_of(rule.salt, 0, index);
    if (!rule.tame)
        return bits_of(dtype, word);
    bool negative = dtype != DT_U8 && dtype != DT_BOOL;
    double low = negative ? -60 : 0;
    uint64_t range = dtype == DT_BOOL ? 2 : 121;
    return bits_of_number(dtype, low + (double)(word % range),
                          low + (double)((word >> 32) % range));
}

static inline size_t item_of(const dt_array *array)
{
    return dt_dtype_size(dt_array_dtype(array));
}

/* Step to the next index of a shape, in row-major order. */
static inline bool next_index(int64_t *index, dt_shape shape)
{
    for (int i = shape.ndim - 1; i >= 0; i--) {
        if (++index[i] < shape.dims[i])
            return true;
        index[i] = 0;
    }
    return false;
}

static inline int64_t row_major(const int64_t *index, dt_shape shape)
{
    int64_t at = 0;
    for (int i = 0; i < shape.ndim; i++)
        at = at * shape.dims[i] + index[i];
    return at;
}

/* Where an element lies, in elements from the first one. */
static inline int64_t place_of(const dt_array *array, const int64_t *index)
{
    int64_t at = 0;
    for (int i = 0; i < dt_array_ndim(array); i++)
        at += index[i] * dt_array_stride(array, i);
    return at;
}

static inline uint64_t read_bits(const dt_array *array, const int64_t *index)
{
    uint64_t bits = 0;
    size_t item = item_of(array);
    const char *data = dt_array_const_data(array);
    memcpy(&bits, data + (size_t)place_of(array, index) * item, item);
    return bits;
}

static inline void write_bits(dt_array *array, const int64_t *index,
                              uint64_t bits)
{
    size_t item = item_of(array);
    char *data = dt_array_data(array);
    memcpy(data + (size_t)place_of(array, index) * item, &bits, item);
}

/* Set an array of any strides to elements of a tensor of shape `whole`, from
 * an offset on (NULL: from the beginning). */
static inline void fill_box(dt_array *array, dt_shape whole,
                            const int64_t *offset, element_rule rule)
{
    int64_t index[DT_MAX_NDIM] = {0}, global[DT_MAX_NDIM];
    dt_shape shape = dt_array_shape(array);
    if (dt_array_count(array) == 0)
        return;
    do {
        for (int i = 0; i < shape.ndim; i++)
            global[i] = index[i] + (offset ? offset[i] : 0);
        write_bits(array, index,
                   element_bits(rule, dt_array_dtype(array),
                                row_major(global, whole)));
    } while (next_index(index, shape));
}

/* Check that an array has what fill_box would put there. */
static inline bool check_box(const dt_array *array, dt_shape whole,
                             const int64_t *offset, element_rule rule)
{
    int64_t index[DT_MAX_NDIM] = {0}, global[DT_MAX_NDIM];
    dt_shape shape = dt_array_shape(array);
    if (dt_array_count(array) == 0)
        return true;
    do {
        for (int i = 0; i < shape.ndim; i++)
            global[i] = index[i] + (offset ? offset[i] : 0);
        int64_t at = row_major(global, whole);
        uint64_t bits = read_bits(array, index);
        uint64_t wanted = element_bits(rule, dt_array_dtype(array), at);
        if (bits != wanted)
            return CHECKF(false, "element %lld of %s is %llx, not %llx",
                          (long long)at, dt_dtype_name(dt_array_dtype(array)),
                          (unsigned long long)bits, (unsigned long long)wanted);
    } while (next_index(index, shape));
    return true;
}

static inline dt_array *new_array(dt_world *world, dt_dtype dtype,
                                  dt_shape shape)
{
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, dtype, shape, &array));
    return array;
}

/* ---- Ways that an array lies -------------------------------------------- */

typedef enum array_form {
    FORM_DENSE,
    FORM_BACKWARDS, /* the last dimension varies slowest */
    FORM_STEPS,     /* every other element of a larger one */
    FORM_COUNT
} array_form;

/* An array of a shape that lies in a form, not set. */
static inline dt_array *new_array_in(dt_world *world, dt_dtype dtype,
                                     dt_shape shape, array_form form)
{
    dt_array *larger = NULL, *view = NULL;
    dt_shape outer = shape;
    int order[DT_MAX_NDIM];
    int last = shape.ndim - 1;
    if (form == FORM_DENSE || shape.ndim == 0)
        return new_array(world, dtype, shape);
    for (int i = 0; i <= last; i++) {
        order[i] = last - i;
        if (form == FORM_BACKWARDS)
            outer.dims[i] = shape.dims[last - i];
    }
    if (form == FORM_STEPS)
        outer.dims[last] = 2 * shape.dims[last] + 1;
    larger = new_array(world, dtype, outer);
    wipe(larger, 0x5a);
    if (form == FORM_BACKWARDS)
        CHECK_OK(world, dt_array_permute(world, larger, order, &view));
    else
        CHECK_OK(world, dt_array_slice(world, larger, last, 1,
                                       2 * shape.dims[last] + 1, 2, &view));
    dt_array_release(larger);
    return view;
}

/* The whole of a tensor as an array. */
static inline dt_array *whole_array(dt_world *world, dt_dtype dtype,
                                    dt_shape shape, array_form form,
                                    element_rule rule)
{
    dt_array *array = new_array_in(world, dtype, shape, form);
    fill_box(array, shape, NULL, rule);
    return array;
}

/* ---- Layouts ------------------------------------------------------------ */

/* Tell whether a dtype has a reduction. */
static inline bool has_reduction(dt_reduce op, dt_dtype dtype)
{
    dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    bool real = kind == DT_KIND_FLOAT, complex = kind == DT_KIND_COMPLEX;
    if (op == DT_AVG)
        return real || complex;
    if (op == DT_MIN || op == DT_MAX)
        return !complex;
    if (op == DT_BAND || op == DT_BOR || op == DT_BXOR)
        return !real && !complex;
    return true;
}

static inline int below(unsigned long long *state, int limit)
{
    return (int)(dt_test_random(state) % (unsigned)limit);
}

/* What a random layout may have besides replicas and shards. */
enum { DRAW_PARTIAL = 1, DRAW_STRIDED = 2 };

static inline dt_placement draw_placement(unsigned long long *state, int ndim,
                                          dt_reduce op, int kinds)
{
    int kind = below(state, 8);
    if (kind < 2 && (kinds & DRAW_PARTIAL))
        return dt_partial(op);
    if (kind < 3 || ndim == 0)
        return dt_replicate();
    if (kind < 5 && (kinds & DRAW_STRIDED))
        return dt_strided_shard(below(state, ndim), 1 + below(state, 4));
    return dt_shard(below(state, ndim));
}

/* Let the mesh dimensions that cut a dimension do so in any order, unless
 * strided shards are among them. */
static inline void draw_order(dt_world *world, unsigned long long *state,
                              int tensor_dim, dt_layout *layout)
{
    int dims[DT_MAX_NDIM], count = 0;
    for (int i = 0; i < layout->ndim; i++) {
        const dt_placement *placement = &layout->placements[i];
        if (!dt_placement_is_shard(*placement) || placement->dim != tensor_dim)
            continue;
        if (placement->kind == DT_STRIDED_SHARD)
            return;
        int at = below(state, count + 1);
        memmove(dims + at + 1, dims + at, (size_t)(count - at) * sizeof *dims);
        dims[at] = i;
        count++;
    }
    if (count > 1)
        CHECK_OK(world,
                 dt_layout_set_order(world, layout, tensor_dim, dims, count));
}

/* A layout for tensors of `ndim` dimensions and a dtype, the same on all
 * ranks. */
static inline dt_layout draw_layout(const dt_mesh *mesh, int ndim,
                                    dt_dtype dtype, unsigned long long *state,
                                    int kinds)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_placement placements[DT_MAX_NDIM];
    dt_reduce op;
    do
        op = (dt_reduce)below(state, DT_REDUCE_COUNT);
    while (!has_reduction(op, dtype));
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        placements[i] = draw_placement(state, ndim, op, kinds);
    dt_layout layout = dt_layout_of(placements, dt_mesh_ndim(mesh));
    for (int i = 0; i < ndim; i++)
        draw_order(world, state, i, &layout);
    return layout;
}

/* A shape of up to three dimensions: even, uneven, less than the ranks, 1, 0.
 */
static inline dt_shape draw_shape(unsigned long long *state)
{
    static const int64_t extents[] = {0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13};
    dt_shape shape = {.ndim = below(state, 4)};
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = extents[below(state, COUNT_OF(extents))];
    /* Nothing to see in most empty ones. */
    if (dt_shape_count(shape) == 0 && below(state, 3))
        shape.dims[below(state, shape.ndim)] = 2;
    return shape;
}

static inline dt_dtype draw_dtype(unsigned long long *state)
{
    return (dt_dtype)below(state, DT_DTYPE_COUNT);
}

/* ---- Parts -------------------------------------------------------------- */

static inline bool layout_is_partial(const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (dt_placement_is_partial(layout->placements[i]))
            return true;
    return false;
}

/*
 * What a rank has that does not hold the value of a partial tensor; false if it
 * does: the first rank of a sum, a product or an exclusive or, and all ranks of
 * other reductions.
 */
static inline bool has_neutral(const dt_mesh *mesh, const dt_layout *layout,
                               dt_dtype dtype, uint64_t *bits)
{
    for (int i = 0; i < layout->ndim; i++) {
        dt_reduce op = layout->placements[i].op;
        if (!dt_placement_is_partial(layout->placements[i]) ||
            dt_mesh_coordinate(mesh, i) == 0)
            continue;
        if (op == DT_SUM)
            *bits = bits_of_number(dtype, -0.0, -0.0);
        else if (op == DT_PRODUCT)
            *bits = bits_of_number(dtype, 1, 0);
        else if (op == DT_BXOR)
            *bits = 0;
        else
            continue;
        return true;
    }
    return false;
}

/* What this rank has of each dimension, by the lists of the oracle. */
typedef struct local_lists {
    dt_shape shape; /* of the part */
    list dims[3];
} local_lists;

static inline local_lists lists_of(const dt_mesh *mesh, const dt_layout *layout,
                                   dt_shape shape)
{
    local_lists lists = {.shape = shape};
    int sizes[DT_MAX_NDIM], coordinate[DT_MAX_NDIM];
    mesh_sizes(mesh, sizes);
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        coordinate[i] = dt_mesh_coordinate(mesh, i);
    for (int i = 0; i < shape.ndim; i++) {
        lists.dims[i] =
            oracle_indexes(layout, sizes, coordinate, i, (int)shape.dims[i]);
        lists.shape.dims[i] = lists.dims[i].count;
    }
    return lists;
}

/*
 * Check that a tensor's local array is this rank's part of an array, found by
 * cutting lists.  The dimensions of the layout are counted from the front.
 */
static inline bool check_local_of(const dt_tensor *tensor,
                                  const dt_layout *layout,
                                  const dt_array *whole)
{
    const dt_array *local = dt_tensor_local(tensor);
    const dt_mesh *mesh = dt_tensor_mesh(tensor);
    dt_shape shape = dt_tensor_shape(tensor);
    int64_t index[DT_MAX_NDIM] = {0}, global[DT_MAX_NDIM];
    uint64_t neutral = 0;
    if (!dt_mesh_is_member(mesh))
        return CHECK(dt_shape_equal(dt_array_shape(local), DT_SHAPE(0)));
    local_lists lists = lists_of(mesh, layout, shape);
    if (!CHECK(dt_shape_equal(dt_array_shape(local), lists.shape)) ||
        !CHECK(dt_array_dtype(local) == dt_tensor_dtype(tensor)))
        return false;
    if (dt_array_count(local) == 0)
        return true;
    bool without = has_neutral(mesh, layout, dt_array_dtype(local), &neutral);
    do {
        for (int i = 0; i < shape.ndim; i++)
            global[i] = lists.dims[i].items[index[i]];
        uint64_t wanted = without ? neutral : read_bits(whole, global);
        uint64_t bits = read_bits(local, index);
        if (bits != wanted)
            return CHECKF(false, "the part has %llx for element %lld, not %llx",
                          (unsigned long long)bits,
                          (long long)row_major(global, shape),
                          (unsigned long long)wanted);
    } while (next_index(index, lists.shape));
    return true;
}

static inline bool check_local(const dt_tensor *tensor, const dt_layout *layout,
                               element_rule rule)
{
    dt_array *whole =
        whole_array(dt_tensor_world(tensor), dt_tensor_dtype(tensor),
                    dt_tensor_shape(tensor), FORM_DENSE, rule);
    bool good = check_local_of(tensor, layout, whole);
    dt_array_release(whole);
    return good;
}

/* Read the whole of a tensor, on every rank. */
static inline dt_array *read_whole(dt_tensor *tensor)
{
    dt_shape shape = dt_tensor_shape(tensor);
    dt_box box = {.ndim = shape.ndim};
    memcpy(box.size, shape.dims, sizeof box.size);
    dt_array *out =
        new_array(dt_tensor_world(tensor), dt_tensor_dtype(tensor), shape);
    wipe(out, 0xa5);
    CHECK_OK(dt_tensor_world(tensor), dt_tensor_get(tensor, &box, out));
    return out;
}

/* Check that the whole of a tensor has the bits of an array. */
static inline bool check_whole_of(dt_tensor *tensor, const dt_array *whole)
{
    dt_array *out = read_whole(tensor);
    bool good =
        !dt_mesh_is_member(dt_tensor_mesh(tensor)) ||
        dt_array_count(out) == 0 ||
        CHECK(memcmp(dt_array_const_data(out), dt_array_const_data(whole),
                     dt_array_bytes(out)) == 0);
    dt_array_release(out);
    return good;
}

static inline bool check_whole(dt_tensor *tensor, element_rule rule)
{
    dt_array *out = read_whole(tensor);
    bool good = !dt_mesh_is_member(dt_tensor_mesh(tensor)) ||
                check_box(out, dt_tensor_shape(tensor), NULL, rule);
    dt_array_release(out);
    return good;
}

/* Say which case failed. */
static inline void check_case(bool good, const dt_mesh *mesh,
                              const char *layout, dt_dtype dtype,
                              dt_shape shape)
{
    char text[256];
    dt_mesh_format(mesh, text, sizeof text);
    CHECKF(good, "%s of %s (%d-d: %lld, %lld, %lld) on %s", layout,
           dt_dtype_name(dtype), shape.ndim, (long long)shape.dims[0],
           (long long)shape.dims[1], (long long)shape.dims[2], text);
}

#endif
