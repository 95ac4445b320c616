/* tests/unit/layout/exhaustive.c - every layout of small meshes and tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "layout/part.h"
#include "unit/layout/oracle.h"
#include "unit/layout/specs.h"

/*
 * Each mesh dimension replicates, cuts any tensor dimension, plainly or
 * strided, or is partial, and mesh dimensions that cut the same tensor
 * dimension do so in every order; on sizes that divide, that do not, that are
 * smaller than the mesh, 1 and 0.  What every rank has and who has every
 * element is compared with what cutting lists of numbers gives.
 *
 * All of that takes minutes: DT_TEST_FULL=1.  Otherwise one case in SAMPLED is
 * taken, as the seed says, and fewer under a sanitizer.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SAMPLED 80
#else
#define SAMPLED 8
#endif

enum { MAX_MESH = 3, MAX_TENSOR = 3, MAX_RANKS = 8, MAX_SIZES = 8 };

/* A mesh: the ranks 1 to `count` of a world, the last one first.  Rank 0 is not
 * in it. */
typedef struct places {
    dt_world *world;
    dt_mesh *mesh;
    int ndim;
    int sizes[MAX_MESH];
    int count;
    char text[32];
} places;

/* A run through all cases of a mesh. */
typedef struct sweep {
    places on;
    int tensor_ndim;
    dt_placement choices[64]; /* of a mesh dimension */
    int choice_count;
    int extents[MAX_SIZES]; /* of a tensor dimension */
    int extent_count;
    unsigned long long state; /* of the numbers that say which are taken */
    unsigned sampled;
    long cases;
} sweep;

/* What the oracle says of one case. */
typedef struct expectation {
    int ndim;
    int extents[MAX_TENSOR];
    list has[MAX_RANKS][MAX_TENSOR];
    int replica[MAX_RANKS]; /* places of one replica have each element once */
    int replicas;
} expectation;

/* ---- One case ----------------------------------------------------------- */

static int rank_of(const places *on, int place)
{
    return on->count - place;
}

static void ask_oracle(const places *on, const dt_layout *layout,
                       const int *extents, int ndim, expectation *out)
{
    out->ndim = ndim;
    out->replicas = 1;
    memset(out->replica, 0, sizeof out->replica);
    memcpy(out->extents, extents, (size_t)ndim * sizeof *extents);
    for (int i = 0; i < on->ndim; i++) {
        bool cut = layout->placements[i].kind == DT_SHARD ||
                   layout->placements[i].kind == DT_STRIDED_SHARD;
        for (int place = 0; !cut && place < on->count; place++) {
            int coordinate[MAX_MESH];
            oracle_coordinate(on->sizes, on->ndim, place, coordinate);
            out->replica[place] += coordinate[i] * out->replicas;
        }
        out->replicas *= cut ? 1 : on->sizes[i];
    }
    for (int place = 0; place < on->count; place++) {
        int coordinate[MAX_MESH];
        oracle_coordinate(on->sizes, on->ndim, place, coordinate);
        for (int i = 0; i < ndim; i++)
            out->has[place][i] =
                oracle_indexes(layout, on->sizes, coordinate, i, extents[i]);
    }
}

/* Check the runs of a dimension: they give the list, and none could be
 * longer. */
static bool runs_are_right(const dt_spec *spec, int rank, int dim,
                           const list *has)
{
    int64_t local = 0;
    dt_run run = {0, -2, 0};
    while (local < has->count) {
        int64_t end = run.global + run.length;
        if (!dt_spec_run(spec, rank, dim, local, &run) || run.local != local ||
            run.length < 1 || run.length > has->count - local ||
            run.global == end)
            return false;
        for (int64_t i = 0; i < run.length; i++)
            if (has->items[local + i] != run.global + i)
                return false;
        local += run.length;
    }
    return !dt_spec_run(spec, rank, dim, local, &run) &&
           !dt_spec_run(spec, rank, dim, -1, &run);
}

/* Runs may be asked for from any index on. */
static bool indexes_are_right(const dt_spec *spec, int rank, int dim,
                              const list *has)
{
    for (int local = 0; local < has->count; local++) {
        dt_run run;
        if (!dt_spec_run(spec, rank, dim, local, &run) || run.local != local ||
            run.global != has->items[local])
            return false;
    }
    return true;
}

static bool part_is_right(const dt_spec *spec, int place, int rank,
                          const expectation *expected)
{
    int64_t offset[DT_MAX_NDIM];
    dti_part part;
    dt_shape shape = dt_spec_local_shape(spec, rank);
    dti_part_set(&part, spec, place);
    bool right = dt_spec_offset(spec, rank, offset) &&
                 shape.ndim == expected->ndim &&
                 dt_shape_equal(dti_part_shape(&part), shape) &&
                 dti_part_count(&part) == dt_shape_count(shape);
    for (int i = 0; right && i < expected->ndim; i++) {
        const list *has = &expected->has[place][i];
        int64_t first = has->count ? has->items[0] : expected->extents[i];
        right = shape.dims[i] == has->count && offset[i] == first &&
                runs_are_right(spec, rank, i, has) &&
                indexes_are_right(spec, rank, i, has);
    }
    return right;
}

static bool parts_are_right(const places *on, const dt_spec *spec,
                            const expectation *expected)
{
    int64_t offset[DT_MAX_NDIM];
    dt_run run;
    for (int place = 0; place < on->count; place++)
        if (!part_is_right(spec, place, rank_of(on, place), expected))
            return false;
    return !dt_spec_offset(spec, 0, offset) &&
           !dt_spec_run(spec, 0, 0, 0, &run) &&
           dt_shape_equal(dt_spec_local_shape(spec, 0), DT_SHAPE(0));
}

/* Check who has an element: every replica once. */
static bool owners_are_right(const places *on, const dt_spec *spec,
                             const expectation *expected, const int64_t *index)
{
    int found[MAX_RANKS], owners[MAX_RANKS], count = 0;
    int seen[MAX_RANKS] = {0};
    for (int place = 0; place < on->count; place++) {
        bool has = true;
        for (int i = 0; has && i < expected->ndim; i++)
            has = list_has(&expected->has[place][i], (int)index[i]);
        if (has) {
            owners[count++] = rank_of(on, place);
            seen[expected->replica[place]]++;
        }
    }
    for (int i = 0; i < expected->replicas; i++)
        if (seen[i] != 1)
            return false;
    return dt_spec_owners(spec, index, found, MAX_RANKS) == count &&
           memcmp(found, owners, (size_t)count * sizeof *found) == 0;
}

static bool all_owners_are_right(const places *on, const dt_spec *spec,
                                 const expectation *expected)
{
    int64_t index[MAX_TENSOR + 1] = {0};
    int64_t elements = 1;
    for (int i = 0; i < expected->ndim; i++)
        elements *= expected->extents[i];
    for (int64_t element = 0; element < elements; element++) {
        int64_t rest = element;
        for (int i = expected->ndim - 1; i >= 0; i--) {
            index[i] = rest % expected->extents[i];
            rest /= expected->extents[i];
        }
        if (!owners_are_right(on, spec, expected, index))
            return false;
    }
    for (int i = 0; i < expected->ndim; i++) { /* outside */
        int64_t inside = index[i];
        int found;
        index[i] = expected->extents[i];
        if (dt_spec_owners(spec, index, &found, 1) != 0)
            return false;
        index[i] = -1;
        if (dt_spec_owners(spec, index, &found, 1) != 0)
            return false;
        index[i] = inside;
    }
    return true;
}

static bool overlaps_are_right(const places *on, const dt_spec *spec,
                               const expectation *expected)
{
    dti_part parts[MAX_RANKS];
    for (int a = 0; a < on->count; a++)
        dti_part_set(&parts[a], spec, a);
    for (int a = 0; a < on->count; a++)
        for (int b = 0; b < on->count; b++) {
            int64_t shared = 1;
            for (int i = 0; i < expected->ndim; i++)
                shared *=
                    list_shared(&expected->has[a][i], &expected->has[b][i]);
            if (dti_overlap_count(&parts[a], &parts[b]) != shared)
                return false;
        }
    return true;
}

/* What was printed is read as the same spec. */
static bool text_is_right(const places *on, dt_spec *spec)
{
    char text[256];
    dt_spec *again = NULL;
    dt_spec_format(spec, text, sizeof text);
    bool right =
        dt_spec_parse(on->mesh, text, &again) == DT_OK && again == spec;
    dt_spec_release(again);
    return right;
}

static void check_case(sweep *of, const dt_layout *layout, const int *extents)
{
    const places *on = &of->on;
    expectation expected;
    dt_spec *spec = NULL;
    dt_meta meta = {.dtype = DT_I16};
    char text[128];
    meta.shape.ndim = of->tensor_ndim;
    for (int i = 0; i < of->tensor_ndim; i++)
        meta.shape.dims[i] = extents[i];
    meta = dt_meta_of(meta.dtype, meta.shape);
    dt_layout_format(layout, text, sizeof text);
    of->cases++;
    if (!CHECK_OK(on->world,
                  dt_spec_create_with(on->mesh, layout, &meta, &spec)))
        return;
    ask_oracle(on, layout, extents, of->tensor_ndim, &expected);
    const struct {
        const char *what;
        bool right;
    } checks[] = {
        {"parts", parts_are_right(on, spec, &expected)},
        {"owners", all_owners_are_right(on, spec, &expected)},
        {"overlaps", overlaps_are_right(on, spec, &expected)},
        {"text", text_is_right(on, spec)},
    };
    for (size_t i = 0; i < COUNT_OF(checks); i++)
        CHECKF(checks[i].right, "wrong %s: %s of %d dimensions %d %d %d on %s",
               checks[i].what, text, of->tensor_ndim, extents[0], extents[1],
               extents[2], on->text);
    dt_spec_release(spec);
}

/* ---- All cases ---------------------------------------------------------- */

/* A printed layout is read as itself. */
static void check_text(dt_world *world, const dt_layout *layout)
{
    char text[128];
    dt_layout again;
    dt_layout_format(layout, text, sizeof text);
    if (CHECK_OK(world, dt_layout_parse(world, text, &again)))
        CHECKF(dt_layout_equal(layout, &again), "%s is read as another", text);
}

static void try_extents(sweep *of, const dt_layout *layout)
{
    int shapes = 1;
    check_text(of->on.world, layout);
    for (int i = 0; i < of->tensor_ndim; i++)
        shapes *= of->extent_count;
    for (int shape = 0; shape < shapes; shape++) {
        int extents[MAX_TENSOR] = {0};
        int rest = shape;
        if (dt_test_random(&of->state) % of->sampled != 0)
            continue;
        for (int i = 0; i < of->tensor_ndim; i++) {
            extents[i] = of->extents[rest % of->extent_count];
            rest /= of->extent_count;
        }
        check_case(of, layout, extents);
    }
}

/* The mesh dimensions that cut a tensor dimension plainly, if all do that cut
 * it; there is one such dimension at most where there are several. */
static int list_cuts(const dt_layout *layout, int dim, int *out)
{
    int count = 0;
    for (int i = 0; i < layout->ndim; i++) {
        const dt_placement *placement = &layout->placements[i];
        if (placement->kind == DT_STRIDED_SHARD && placement->dim == dim)
            return 0;
        if (placement->kind == DT_SHARD && placement->dim == dim)
            out[count++] = i;
    }
    return count;
}

static void try_orders(sweep *of, dt_layout *layout)
{
    int order[MAX_MESH];
    for (int dim = 0; dim < of->tensor_ndim; dim++) {
        int count = list_cuts(layout, dim, order);
        if (count < 2)
            continue;
        do {
            CHECK_OK(of->on.world, dt_layout_set_order(of->on.world, layout,
                                                       dim, order, count));
            try_extents(of, layout);
        } while (next_arrangement(order, count));
        return;
    }
    try_extents(of, layout);
}

static bool kinds_mix(const dt_layout *layout)
{
    bool seen[DT_REDUCE_COUNT] = {false};
    int kinds = 0;
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_PARTIAL ||
            layout->placements[i].kind == DT_MASKED_PARTIAL)
            seen[layout->placements[i].op] = true;
    seen[DT_SUM] |= seen[DT_AVG];
    seen[DT_AVG] = false;
    for (int i = 0; i < DT_REDUCE_COUNT; i++)
        kinds += seen[i];
    return kinds <= 1;
}

static void try_placements(sweep *of)
{
    long layouts = 1;
    for (int i = 0; i < of->on.ndim; i++)
        layouts *= of->choice_count;
    for (long number = 0; number < layouts; number++) {
        dt_placement placements[MAX_MESH];
        long rest = number;
        for (int i = 0; i < of->on.ndim; i++) {
            placements[i] = of->choices[rest % of->choice_count];
            rest /= of->choice_count;
        }
        dt_layout layout = dt_layout_of(placements, of->on.ndim);
        if (kinds_mix(&layout))
            try_orders(of, &layout);
        else
            CHECK_FAILS(of->on.world,
                        dt_layout_check(of->on.mesh, of->tensor_ndim, &layout),
                        DT_ERR_INVALID, "mixes partial(");
    }
}

/* ---- What there is to choose -------------------------------------------- */

static void add_strided(sweep *of, int dim)
{
    bool seen[8] = {false};
    const int others[] = {1, 2, 3};
    for (int i = 0; i < 3; i++)
        seen[others[i]] = true;
    for (int i = 0; i < of->on.ndim; i++)
        seen[of->on.sizes[i]] = true;
    for (int factor = 1; factor < 8; factor++)
        if (seen[factor])
            of->choices[of->choice_count++] = dt_strided_shard(dim, factor);
}

static void choose_placements(sweep *of, bool full)
{
    of->choice_count = 0;
    of->choices[of->choice_count++] = dt_replicate();
    for (int dim = 0; dim < of->tensor_ndim; dim++) {
        of->choices[of->choice_count++] = dt_shard(dim);
        add_strided(of, dim);
    }
    /* On three mesh dimensions a few kinds stand for all. */
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        if (full || of->on.ndim < 3 || op == DT_SUM || op == DT_MAX)
            of->choices[of->choice_count++] = dt_partial((dt_reduce)op);
    of->choices[of->choice_count++] = dt_masked_partial();
}

static void choose_extents(sweep *of)
{
    int count = of->on.count;
    const int few[] = {0, 1, 3, 5, 8};
    const int many[] = {0,         1,         count - 1,    count,
                        count + 1, 2 * count, 2 * count + 3};
    bool use_few = of->tensor_ndim == 3;
    const int *chosen = use_few ? few : many;
    of->extent_count = use_few ? (int)COUNT_OF(few) : (int)COUNT_OF(many);
    memcpy(of->extents, chosen, (size_t)of->extent_count * sizeof *chosen);
}

static places open_places(const int *sizes)
{
    places on = {.count = 1};
    int length = 0, ranks[MAX_RANKS];
    for (; on.ndim < MAX_MESH && sizes[on.ndim]; on.ndim++) {
        on.sizes[on.ndim] = sizes[on.ndim];
        on.count *= sizes[on.ndim];
        length += snprintf(on.text + length, sizeof on.text - (size_t)length,
                           "%s%c=%d", on.ndim ? "," : "", 'x' + on.ndim,
                           sizes[on.ndim]);
    }
    for (int place = 0; place < on.count; place++)
        ranks[place] = rank_of(&on, place);
    on.world = open_sim(on.count + 1, 2);
    CHECK_OK(on.world,
             dt_mesh_create_from(on.world, on.text, ranks, on.count, &on.mesh));
    return on;
}

/* All layouts of tensors of `least` to `most` dimensions on a mesh. */
static void try_tensors(int a, int b, int c, int least, int most)
{
    const int sizes[] = {a, b, c};
    bool full = getenv("DT_TEST_FULL") != NULL;
    sweep of = {.on = open_places(sizes), .state = dt_test_seed()};
    for (int ndim = least; ndim <= most; ndim++) {
        of.tensor_ndim = ndim;
        choose_placements(&of, full);
        choose_extents(&of);
        /* Few cases are all taken. */
        of.sampled = full || of.on.ndim * ndim < 2 ? 1 : SAMPLED;
        try_placements(&of);
    }
    printf("     %s: %ld cases\n", of.on.text, of.cases);
    dt_mesh_release(of.on.mesh);
    CHECK_INT(dt_world_close(of.on.world), DT_OK);
}

static void try_mesh(int a, int b, int c)
{
    try_tensors(a, b, c, 0, MAX_TENSOR);
}

static void mesh_2(dt_world *world)
{
    (void)world;
    try_mesh(2, 0, 0);
}

static void mesh_3(dt_world *world)
{
    (void)world;
    try_mesh(3, 0, 0);
}

static void mesh_4(dt_world *world)
{
    (void)world;
    try_mesh(4, 0, 0);
}

static void mesh_2x2(dt_world *world)
{
    (void)world;
    try_mesh(2, 2, 0);
}

static void mesh_2x3(dt_world *world)
{
    (void)world;
    try_mesh(2, 3, 0);
}

static void mesh_4x2(dt_world *world)
{
    (void)world;
    try_mesh(4, 2, 0);
}

static void mesh_2x2x2(dt_world *world)
{
    (void)world;
    try_tensors(2, 2, 2, 0, 2);
}

static void mesh_2x2x2_of_three(dt_world *world)
{
    (void)world;
    try_tensors(2, 2, 2, 3, 3);
}

const dt_test dt_tests[] = {
    {"all layouts on 2", mesh_2},
    {"all layouts on 3", mesh_3},
    {"all layouts on 4", mesh_4},
    {"all layouts on 2x2", mesh_2x2},
    {"all layouts on 2x3", mesh_2x3},
    {"all layouts on 4x2", mesh_4x2},
    {"all layouts on 2x2x2", mesh_2x2x2},
    {"all layouts of three dimensions on 2x2x2", mesh_2x2x2_of_three},
    {NULL, NULL},
};
