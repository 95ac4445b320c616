/* tests/unit/ops/shape/view.c - views of every small shape and layout: nothing
 * is sent wherever some layout of the result needs nothing. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

#include "base/shape.h"
#include "layout/layout.h"
#include "layout/part.h"
#include "unit/mesh/sim.h"

/*
 * A view needs no communication if there is a layout of its shape in which
 * every rank has the elements that it has already.  Local elements are always
 * in row-major order, so it is enough to compare sets.  Here they are compared
 * by force, over all layouts of all shapes of a few elements; dt_view, which
 * fails instead of sending anything, must find a layout exactly then.
 */

enum { MOST_ELEMENTS = 64, MOST_RANKS = 8, MOST_LAYOUTS = 100000 };

/* The elements that each rank has, as bits. */
typedef struct owned {
    uint64_t ranks[MOST_RANKS];
} owned;

typedef struct placed {
    owned has;
    dt_layout layout;
    bool regular; /* factors of strided shards divide what they shard */
} placed;

/* All layouts of one shape on a mesh. */
typedef struct layouts {
    dt_shape shape;
    int count;
    placed *list;
} layouts;

/* ---- What ranks have ---------------------------------------------------- */

static uint64_t elements_of(const dt_spec *spec, int rank)
{
    const dt_shape shape = dt_spec_meta(spec)->shape;
    uint64_t bits = 0;
    dti_part part;
    dti_part_set(&part, spec, rank);
    const dt_shape local = dti_part_shape(&part);
    const int64_t count = dt_shape_count(local);
    for (int64_t i = 0; i < count; i++) {
        int64_t rest = i, run, flat = 0, stride = 1;
        for (int d = shape.ndim - 1; d >= 0; d--) {
            const int64_t at = rest % local.dims[d];
            rest /= local.dims[d];
            flat += stride * dti_indexes_at(&part.dims[d], at, &run);
            stride *= shape.dims[d];
        }
        bits |= UINT64_C(1) << flat;
    }
    return bits;
}

static owned owned_of(const dt_spec *spec)
{
    owned out = {{0}};
    const int ranks = dt_mesh_size(dt_spec_mesh(spec));
    for (int i = 0; i < ranks; i++)
        out.ranks[i] = elements_of(spec, i);
    return out;
}

/* ---- All layouts -------------------------------------------------------- */

/* Tell whether factors of strided shards divide what mesh dimensions to the
 * left leave to each rank. */
static bool is_regular(dt_mesh *mesh, const dt_layout *layout, dt_shape shape)
{
    dt_layout before = *layout;
    bool regular = true;
    for (int i = layout->ndim - 1; i >= 0; i--) {
        const dt_placement at = layout->placements[i];
        const dt_meta meta = dt_meta_of(DT_F32, shape);
        dt_spec *spec = NULL;
        before.placements[i] = dt_replicate();
        dti_layout_default_order(&before);
        if (at.kind != DT_STRIDED_SHARD)
            continue;
        CHECK_OK(dt_mesh_world(mesh),
                 dt_spec_create_with(mesh, &before, &meta, &spec));
        for (int r = 0; r < dt_mesh_size(mesh); r++)
            regular &=
                dt_spec_local_shape(spec, r).dims[at.dim] % at.factor == 0;
        dt_spec_release(spec);
    }
    return regular;
}

static void add_layout(dt_mesh *mesh, const dt_layout *layout, layouts *out)
{
    const dt_meta meta = dt_meta_of(DT_F32, out->shape);
    dt_spec *spec = NULL;
    if (!CHECK(out->count < MOST_LAYOUTS) ||
        !CHECK_OK(dt_mesh_world(mesh),
                  dt_spec_create_with(mesh, layout, &meta, &spec)))
        return;
    out->list[out->count++] =
        (placed){.has = owned_of(spec),
                 .layout = *dt_spec_layout(spec),
                 .regular = is_regular(mesh, layout, out->shape)};
    dt_spec_release(spec);
}

static bool has_strided(const dt_layout *layout, int dim)
{
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_STRIDED_SHARD &&
            layout->placements[i].dim == dim)
            return true;
    return false;
}

/* Add a layout, and if it shards a dimension twice by plain shards, the other
 * order. */
static void add_orders(dt_mesh *mesh, dt_layout *layout, layouts *out)
{
    add_layout(mesh, layout, out);
    for (int i = 0; i < layout->ndim; i++)
        for (int k = i + 1; k < layout->ndim; k++) {
            if (layout->placements[i].kind != DT_SHARD ||
                layout->placements[k].kind != DT_SHARD ||
                layout->placements[i].dim != layout->placements[k].dim ||
                has_strided(layout, layout->placements[i].dim))
                continue;
            dt_layout other = *layout;
            other.order[i] = layout->order[k];
            other.order[k] = layout->order[i];
            add_layout(mesh, &other, out);
        }
}

static void add_placements(dt_mesh *mesh, int mesh_dim, dt_layout *layout,
                           layouts *out)
{
    if (mesh_dim == dt_mesh_ndim(mesh)) {
        *layout = dt_layout_of(layout->placements, mesh_dim);
        add_orders(mesh, layout, out);
        return;
    }
    dt_placement *at = &layout->placements[mesh_dim];
    *at = dt_replicate();
    add_placements(mesh, mesh_dim + 1, layout, out);
    for (int d = 0; d < out->shape.ndim; d++) {
        *at = dt_shard(d);
        add_placements(mesh, mesh_dim + 1, layout, out);
        for (int64_t f = 2; f <= out->shape.dims[d]; f++) {
            *at = dt_strided_shard(d, f);
            add_placements(mesh, mesh_dim + 1, layout, out);
        }
    }
}

static int compare(const void *a, const void *b)
{
    return memcmp(&((const placed *)a)->has, &((const placed *)b)->has,
                  sizeof(owned));
}

static layouts list_layouts(dt_mesh *mesh, dt_shape shape)
{
    static placed all[MOST_LAYOUTS];
    layouts out = {.shape = shape, .list = all};
    dt_layout layout = {.ndim = 0};
    add_placements(mesh, 0, &layout, &out);
    const size_t bytes = (size_t)out.count * sizeof *out.list;
    out.list = malloc(bytes);
    if (!CHECK(out.list != NULL))
        exit(1);
    memcpy(out.list, all, bytes);
    qsort(out.list, (size_t)out.count, sizeof *out.list, compare);
    return out;
}

/* ---- Comparing ---------------------------------------------------------- */

typedef struct tally {
    int views, missed, wrong;
} tally;

/* Tell whether some rank has nothing. */
static bool is_empty(dt_mesh *mesh, const placed *lies)
{
    for (int i = 0; i < dt_mesh_size(mesh); i++)
        if (lies->has.ranks[i] == 0)
            return true;
    return false;
}

/* Tell whether ranks have only what they had. */
static bool has_no_more(dt_mesh *mesh, const dt_spec *spec, const placed *lies)
{
    for (int i = 0; i < dt_mesh_size(mesh); i++)
        if (elements_of(spec, i) & ~lies->has.ranks[i])
            return false;
    return true;
}

/* Check one view. */
static void check_view(dt_mesh *mesh, const layouts *from, const placed *lies,
                       const layouts *to, tally *sum)
{
    dt_world *world = dt_mesh_world(mesh);
    const char *text = dt_layout_text(world, &lies->layout);
    dt_tensor *tensor = dt_empty(mesh, text, DT_F32, from->shape);
    const placed *can =
        bsearch(lies, to->list, (size_t)to->count, sizeof *lies, compare);
    dt_tensor *view = dt_view(tensor, to->shape);
    sum->views++;
    if (view) {
        if (!has_no_more(mesh, dt_tensor_spec(view), lies) && sum->wrong++ < 5)
            CHECKF(false, "%s %s viewed as %s: other elements in %s",
                   dti_shape_show(from->shape).text, text,
                   dti_shape_show(to->shape).text,
                   dt_layout_text(world, dt_tensor_layout(view)));
    } else if (can && lies->regular && !is_empty(mesh, lies) &&
               sum->missed++ < 40) {
        CHECKF(false, "%s %s viewed as %s could be %s",
               dti_shape_show(from->shape).text, text,
               dti_shape_show(to->shape).text,
               dt_layout_text(world, &can->layout));
    }
    dt_world_clear_error(world);
}

static void check_pair(dt_mesh *mesh, const layouts *from, const layouts *to,
                       tally *sum)
{
    dt_scope *scope = dt_scope_open(dt_mesh_world(mesh));
    for (int i = 0; i < from->count; i++)
        check_view(mesh, from, &from->list[i], to, sum);
    DT_IGNORE(dt_scope_close(scope));
}

/* The shapes of a number of elements, of at most three extents above 1. */
static int list_shapes(int64_t count, dt_shape *out)
{
    int found = 0;
    for (int64_t a = 2; a <= count; a++)
        for (int64_t b = 1; a * b <= count; b++) {
            if (count % (a * b) != 0)
                continue;
            const int64_t c = count / (a * b);
            if (b == 1 && c == 1)
                out[found++] = DT_SHAPE(a);
            else if (b > 1 && c == 1)
                out[found++] = DT_SHAPE(a, b);
            else if (b > 1)
                out[found++] = DT_SHAPE(a, b, c);
        }
    return found;
}

static void check_count(dt_mesh *mesh, int64_t count, tally *sum)
{
    dt_shape shapes[64];
    layouts all[64];
    const int found = list_shapes(count, shapes);
    for (int i = 0; i < found; i++)
        all[i] = list_layouts(mesh, shapes[i]);
    for (int i = 0; i < found; i++)
        for (int k = 0; k < found; k++)
            check_pair(mesh, &all[i], &all[k], sum);
    for (int i = 0; i < found; i++)
        free(all[i].list);
}

static void check_mesh(const char *text, int ranks, const int *counts)
{
    dt_world *world = open_sim(ranks, 0);
    dt_mesh *mesh = NULL;
    tally sum = {0};
    CHECK_OK(world, dt_mesh_create(world, text, &mesh));
    for (; *counts; counts++)
        check_count(mesh, *counts, &sum);
    CHECKF(sum.missed + sum.wrong == 0, "%s: %d views, %d sent, %d wrong", text,
           sum.views, sum.missed, sum.wrong);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void on_two_by_two(dt_world *unused)
{
    (void)unused;
    check_mesh("a=2,b=2", 4, (const int[]){4, 6, 8, 12, 15, 16, 24, 0});
}

static void on_three_by_two(dt_world *unused)
{
    (void)unused;
    check_mesh("a=3,b=2", 6, (const int[]){6, 12, 18, 20, 24, 0});
}

static void on_three_dimensions(dt_world *unused)
{
    (void)unused;
    check_mesh("a=2,b=2,c=2", 8, (const int[]){8, 12, 0});
}

const dt_test dt_tests[] = {
    {"2x2: views send nothing if they need not", on_two_by_two},
    {"3x2: views send nothing if they need not", on_three_by_two},
    {"2x2x2: views send nothing if they need not", on_three_dimensions},
    {NULL, NULL},
};
