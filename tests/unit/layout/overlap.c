/* tests/unit/layout/overlap.c - what parts of two layouts share. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "layout/part.h"
#include "unit/layout/oracle.h"
#include "unit/layout/specs.h"

/* Pairs of random layouts, on two meshes of one world; ten times as many with
 * DT_TEST_FULL=1. */
enum { PAIRS = 400, WORLD = 12, MAX_DIMS = 4, MAX_ELEMENTS = 10000 };

/* ---- Random sides ------------------------------------------------------- */

/* One of the two layouts. */
typedef struct side {
    dt_mesh *mesh;
    int ndim;
    int sizes[DT_MAX_NDIM];
    dt_layout layout;
    dt_spec *spec;
} side;

static unsigned long long state;

static int pick(int below)
{
    return (int)(dt_test_random(&state) % (unsigned)below);
}

/* A mesh of some of the ranks, in any order. */
static void pick_mesh(dt_world *world, side *out)
{
    static const int grids[][4] = {
        {1},    {2},    {5},       {12},      {2, 2},    {3, 2},
        {2, 5}, {1, 4}, {2, 2, 2}, {3, 1, 2}, {2, 3, 2}, {2, 2, 1, 3}};
    const int *sizes = grids[pick((int)COUNT_OF(grids))];
    char text[64];
    int ranks[WORLD], count = 1, length = 0;
    for (int i = 0; i < WORLD; i++)
        ranks[i] = i;
    for (int i = WORLD - 1; i > 0; i--) {
        int other = pick(i + 1), rank = ranks[i];
        ranks[i] = ranks[other];
        ranks[other] = rank;
    }
    for (out->ndim = 0; out->ndim < 4 && sizes[out->ndim]; out->ndim++) {
        out->sizes[out->ndim] = sizes[out->ndim];
        count *= sizes[out->ndim];
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "%s%c=%d",
                     out->ndim ? "," : "", 'a' + out->ndim, sizes[out->ndim]);
    }
    CHECK_OK(world, dt_mesh_create_from(world, text, ranks, count, &out->mesh));
}

/* Put the cuts of one dimension into any order, unless one is strided. */
static void pick_order(dt_world *world, dt_layout *layout, int dim)
{
    int order[DT_MAX_NDIM], count = 0;
    for (int i = 0; i < layout->ndim; i++) {
        const dt_placement *placement = &layout->placements[i];
        if (placement->dim != dim || !dt_placement_is_shard(*placement))
            continue;
        if (placement->kind == DT_STRIDED_SHARD)
            return;
        order[count++] = i;
    }
    for (int steps = pick(6); steps > 0; steps--)
        next_arrangement(order, count);
    CHECK_OK(world, dt_layout_set_order(world, layout, dim, order, count));
}

static void pick_layout(dt_world *world, int tensor_ndim, side *out)
{
    dt_placement placements[DT_MAX_NDIM];
    for (int i = 0; i < out->ndim; i++) {
        int dim = tensor_ndim ? pick(tensor_ndim) : 0;
        int kind = tensor_ndim ? pick(6) : 0;
        placements[i] = kind == 0   ? dt_replicate()
                        : kind == 1 ? dt_partial(DT_SUM)
                        : kind < 4  ? dt_shard(dim)
                                    : dt_strided_shard(dim, 1 + pick(6));
    }
    out->layout = dt_layout_of(placements, out->ndim);
    for (int dim = 0; dim < tensor_ndim; dim++)
        pick_order(world, &out->layout, dim);
}

static side pick_side(dt_world *world, dt_shape shape)
{
    side out = {.mesh = NULL};
    dt_meta meta = dt_meta_of(DT_U8, shape);
    pick_mesh(world, &out);
    pick_layout(world, shape.ndim, &out);
    CHECK_OK(world,
             dt_spec_create_with(out.mesh, &out.layout, &meta, &out.spec));
    return out;
}

static void release_side(side *of)
{
    dt_spec_release(of->spec);
    dt_mesh_release(of->mesh);
}

static dt_shape pick_shape(void)
{
    dt_shape shape = {.ndim = pick(MAX_DIMS + 1)};
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = pick(12) == 0 ? 0 : 1 + pick(shape.ndim > 2 ? 9 : 25);
    return shape;
}

/* ---- One pair of parts -------------------------------------------------- */

/* What a rank has, element by element: where it lies, or -1. */
typedef struct table {
    int local[MAX_DIMS][ORACLE_MAX];
} table;

static void fill_table(const side *of, dt_shape shape, int place, table *out)
{
    int coordinate[DT_MAX_NDIM];
    oracle_coordinate(of->sizes, of->ndim, place, coordinate);
    for (int dim = 0; dim < shape.ndim; dim++) {
        list has = oracle_indexes(&of->layout, of->sizes, coordinate, dim,
                                  (int)shape.dims[dim]);
        for (int i = 0; i < shape.dims[dim]; i++)
            out->local[dim][i] = -1;
        for (int i = 0; i < has.count; i++)
            out->local[dim][has.items[i]] = i;
    }
}

/* Take the elements of a box off the list of those that are shared. */
static bool strike_out(const dti_overlap *overlap, dt_shape shape,
                       const table *a, const table *b, unsigned char *shared,
                       long long *left)
{
    int64_t count = 1;
    for (int i = 0; i < shape.ndim; i++)
        count *= overlap->runs[i].length;
    for (int64_t k = 0; k < count; k++) {
        int64_t rest = k, element = 0, scale = 1;
        for (int i = shape.ndim - 1; i >= 0; i--) {
            const dti_shared_run *run = &overlap->runs[i];
            int64_t inside = rest % run->length;
            int64_t global = run->global + inside;
            rest /= run->length;
            if (global < 0 || global >= shape.dims[i] ||
                a->local[i][global] != run->a + inside ||
                b->local[i][global] != run->b + inside)
                return false;
            element += global * scale;
            scale *= shape.dims[i];
        }
        if (!shared[element])
            return false;
        shared[element] = 0;
        --*left;
    }
    return count > 0;
}

/* Mark the elements that both have. */
static long long mark_shared(dt_shape shape, const table *a, const table *b,
                             unsigned char *shared)
{
    long long count = 0;
    for (int64_t element = 0; element < dt_shape_count(shape); element++) {
        int64_t rest = element;
        bool both = true;
        for (int i = shape.ndim - 1; i >= 0; i--) {
            int64_t index = rest % shape.dims[i];
            rest /= shape.dims[i];
            both &= a->local[i][index] >= 0 && b->local[i][index] >= 0;
        }
        shared[element] = both;
        count += both;
    }
    return count;
}

/* Boxes come in row-major order of where they begin. */
static bool comes_after(const dti_shared_run *runs, const int64_t *before,
                        int ndim)
{
    for (int i = 0; i < ndim; i++)
        if (runs[i].global != before[i])
            return runs[i].global > before[i];
    return false;
}

static bool overlap_is_right(const dti_part *a, const dti_part *b,
                             const table *has_a, const table *has_b,
                             dt_shape shape)
{
    static unsigned char shared[MAX_ELEMENTS];
    int64_t before[MAX_DIMS] = {-1, -1, -1, -1};
    dti_overlap overlap;
    long long left = mark_shared(shape, has_a, has_b, shared);
    if (dti_overlap_count(a, b) != left)
        return false;
    dti_overlap_begin(&overlap, a, b);
    while (dti_overlap_next(&overlap)) {
        if (shape.ndim && !comes_after(overlap.runs, before, shape.ndim))
            return false;
        for (int i = 0; i < shape.ndim; i++)
            before[i] = overlap.runs[i].global;
        if (!strike_out(&overlap, shape, has_a, has_b, shared, &left))
            return false;
    }
    return left == 0;
}

/* ---- All pairs ---------------------------------------------------------- */

static void complain(const side *a, const side *b, int place_a, int place_b)
{
    char one[256], other[256];
    dt_spec_format(a->spec, one, sizeof one);
    dt_spec_format(b->spec, other, sizeof other);
    CHECKF(false, "place %d of %s and place %d of %s", place_a, one, place_b,
           other);
}

static void shares_elements_with_any_layout(dt_world *unused)
{
    int pairs = getenv("DT_TEST_FULL") ? 10 * PAIRS : PAIRS;
    dt_world *world = open_sim(WORLD, 5);
    (void)unused;
    state = dt_test_seed();
    for (int pair = 0; pair < pairs; pair++) {
        dt_shape shape = pick_shape();
        side a = pick_side(world, shape), b = pick_side(world, shape);
        for (int i = 0; i < dt_mesh_size(a.mesh); i++)
            for (int j = 0; j < dt_mesh_size(b.mesh); j++) {
                dti_part part_a, part_b;
                table has_a, has_b;
                dti_part_set(&part_a, a.spec, i);
                dti_part_set(&part_b, b.spec, j);
                fill_table(&a, shape, i, &has_a);
                fill_table(&b, shape, j, &has_b);
                if (!overlap_is_right(&part_a, &part_b, &has_a, &has_b, shape))
                    complain(&a, &b, i, j);
            }
        release_side(&a);
        release_side(&b);
    }
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* A box of the tensor that no mesh cut. */
static void shares_elements_with_boxes(dt_world *unused)
{
    dt_world *world = open_sim(WORLD, 5);
    (void)unused;
    state = dt_test_seed() + 1;
    for (int trial = 0; trial < PAIRS; trial++) {
        dt_shape shape = pick_shape();
        side a = pick_side(world, shape);
        int64_t offset[MAX_DIMS], size[MAX_DIMS];
        table has_a, in_box;
        dti_part part, box;
        int place = pick(dt_mesh_size(a.mesh));
        for (int i = 0; i < shape.ndim; i++) {
            int extent = (int)shape.dims[i];
            offset[i] = pick(extent + 1);
            size[i] = pick(extent - (int)offset[i] + 1);
            for (int k = 0; k < extent; k++)
                in_box.local[i][k] = k >= offset[i] && k < offset[i] + size[i]
                                         ? k - (int)offset[i]
                                         : -1;
        }
        dti_part_set(&part, a.spec, place);
        dti_part_set_box(&box, shape, offset, size);
        fill_table(&a, shape, place, &has_a);
        CHECK(dt_shape_equal(dti_part_shape(&box),
                             dt_shape_make(shape.ndim, size)));
        for (int i = 0; i < shape.ndim; i++)
            CHECK(dti_indexes_are_range(&box.dims[i]));
        if (!overlap_is_right(&part, &box, &has_a, &in_box, shape) ||
            !overlap_is_right(&box, &part, &in_box, &has_a, shape))
            complain(&a, &a, place, place);
        release_side(&a);
    }
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* Tell from the list whether indexes are neighbours, all of them. */
static void tells_ranges(dt_world *unused)
{
    dt_world *world = open_sim(WORLD, 5);
    int ranges = 0;
    (void)unused;
    state = dt_test_seed() + 2;
    for (int trial = 0; trial < 5 * PAIRS; trial++) {
        dt_shape shape = DT_SHAPE(pick(40));
        side a = pick_side(world, shape);
        int coordinate[DT_MAX_NDIM], place = pick(dt_mesh_size(a.mesh));
        dti_part part;
        oracle_coordinate(a.sizes, a.ndim, place, coordinate);
        list has = oracle_indexes(&a.layout, a.sizes, coordinate, 0,
                                  (int)shape.dims[0]);
        bool range = !has.count ||
                     has.items[has.count - 1] - has.items[0] == has.count - 1;
        dti_part_set(&part, a.spec, place);
        CHECK_INT(dti_indexes_are_range(&part.dims[0]), range);
        ranges += range;
        release_side(&a);
    }
    CHECK(ranges > 0 && ranges < 5 * PAIRS);
    CHECK_INT(dt_world_close(world), DT_OK);
}

const dt_test dt_tests[] = {
    {"shares elements with any layout", shares_elements_with_any_layout},
    {"shares elements with boxes", shares_elements_with_boxes},
    {"tells ranges", tells_ranges},
    {NULL, NULL},
};
