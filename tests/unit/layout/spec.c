/* tests/unit/layout/spec.c - specs: one object for equal ones, and views. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/reference.h"
#include "layout/spec.h"
#include "unit/layout/specs.h"

/* ---- One object --------------------------------------------------------- */

static void gives_one_object_for_equal_specs(dt_world *unused)
{
    grid on = open_grid(8, 3, "x=2,y=4");
    dt_spec *first = spec_of(on.mesh, "S(0)P", DT_SHAPE(5, 6));
    dt_spec *spaced = spec_of(on.mesh, " S(0), P(sum)", DT_SHAPE(5, 6));
    dt_spec *with = NULL, *meta = NULL, *read = NULL;
    dt_meta same = dt_meta_of(DT_F32, DT_SHAPE(5, 6));
    (void)unused;
    CHECK(spaced == first);
    CHECK_OK(on.world,
             dt_spec_create_with(on.mesh, dt_spec_layout(first), &same, &with));
    CHECK_OK(on.world, dt_spec_with_meta(first, &same, &meta));
    CHECK_OK(on.world, dt_spec_parse(on.mesh, "f32[5, 6] S(0)P", &read));
    CHECK(with == first && meta == first && read == first);
    dt_spec_release(first);
    dt_spec_release(spaced);
    dt_spec_release(with);
    dt_spec_release(meta);
    /* The world keeps it although all but one were let go of. */
    CHECK(spec_of(on.mesh, "S(0)P", DT_SHAPE(5, 6)) == read);
    dt_spec_release(read);
    dt_spec_release(read);
    close_grid(&on);
}

static void gives_one_object_for_equal_meshes(dt_world *unused)
{
    static const int ranks[] = {0, 1, 2, 3};
    static const int turned[] = {0, 1, 3, 2};
    grid on = open_grid(4, 1, "x=2,y=2");
    dt_mesh *twin = NULL, *other = NULL, *renamed = NULL;
    (void)unused;
    CHECK_OK(on.world,
             dt_mesh_create_from(on.world, "x=2,y=2", ranks, 4, &twin));
    CHECK_OK(on.world,
             dt_mesh_create_from(on.world, "x=2,y=2", turned, 4, &other));
    CHECK_OK(on.world, dt_mesh_create(on.world, "x=2,z=2", &renamed));
    dt_spec *spec = spec_of(on.mesh, "S(0)R", DT_SHAPE(5));
    dt_spec *same = spec_of(twin, "S(0)R", DT_SHAPE(5));
    dt_spec *different = spec_of(other, "S(0)R", DT_SHAPE(5));
    dt_spec *third = spec_of(renamed, "S(0)R", DT_SHAPE(5));
    CHECK(spec == same && dt_spec_mesh(same) == on.mesh);
    CHECK(spec != different && spec != third && different != third);
    CHECK(dt_spec_hash(spec) != dt_spec_hash(different));
    CHECK(dt_spec_hash(spec) != dt_spec_hash(third));
    dt_spec_release(third);
    dt_spec_release(different);
    dt_spec_release(same);
    dt_spec_release(spec);
    dt_mesh_release(renamed);
    dt_mesh_release(other);
    dt_mesh_release(twin);
    close_grid(&on);
}

static void gives_different_objects_for_different_specs(dt_world *unused)
{
    static const char *const texts[] = {
        "f32[4, 4] S(0)R",        "f64[4, 4] S(0)R",
        "f32[4, 5] S(0)R",        "f32[4] S(0)R",
        "f32[4, 4]{1, 4} S(0)R",  "f32[4, 4]{4, 0} S(0)R",
        "f32[4, 4] S(1)R",        "f32[4, 4] RS(0)",
        "f32[4, 4] RR",           "f32[4, 4] S(0)P",
        "f32[4, 4] S(0)P(max)",   "f32[4, 4] S(0)MaskP",
        "f32[4, 4] S(0)S(0)",     "f32[4, 4] S(0)[1]S(0)[0]",
        "f32[4, 4] _S(0,3)R",     "f32[4, 4] _S(0,5)R",
        "f32[4, 4] _S(0,3)S(0)",  "f32[4, 4] _S(1,3)R",
        "f32[4, 4] P(sum)P(avg)", "f32[4, 4] P(avg)P(sum)",
        "f32[0, 4] S(0)R",        "f32[] RR",
        "f32[4, 4, 1] S(0)R",     "i32[4, 4] S(0)R",
        "f32[1, 4, 4] S(0)R",     "f32[4, 4]{4, 2} S(0)R",
    };
    dt_spec *specs[COUNT_OF(texts)] = {NULL};
    grid on = open_grid(4, 1, "x=2,y=2");
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        CHECK_OK(on.world, dt_spec_parse(on.mesh, texts[i], &specs[i]));
        for (size_t j = 0; j < i; j++)
            CHECKF(specs[i] != specs[j] &&
                       dt_spec_hash(specs[i]) != dt_spec_hash(specs[j]),
                   "%s is %s", texts[i], texts[j]);
    }
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        dt_spec_release(specs[i]);
    close_grid(&on);
}

/* Whatever has the hash of a spec is still compared with it. */
static void compares_what_has_one_hash(dt_world *unused)
{
    grid on = open_grid(4, 1, "x=2,y=2");
    dt_mesh *renamed = NULL;
    dt_spec *spec = spec_of(on.mesh, "S(0)R", DT_SHAPE(4, 4));
    dt_meta dtype = *dt_spec_meta(spec), extent = dtype, stride = dtype;
    dt_layout placement = *dt_spec_layout(spec), order = placement;
    (void)unused;
    CHECK_OK(on.world, dt_mesh_create(on.world, "x=2,z=2", &renamed));
    dtype.dtype = DT_I32;
    extent.shape.dims[1] = 5;
    stride.strides[1] = 2;
    placement.placements[1] = dt_partial(DT_SUM);
    order.order[0] = 1;
    const dti_spec_key keys[] = {
        {on.mesh, dt_spec_layout(spec), &dtype, 0},
        {on.mesh, dt_spec_layout(spec), &extent, 0},
        {on.mesh, dt_spec_layout(spec), &stride, 0},
        {on.mesh, &placement, dt_spec_meta(spec), 0},
        {on.mesh, &order, dt_spec_meta(spec), 0},
        {renamed, dt_spec_layout(spec), dt_spec_meta(spec), 0},
        {on.mesh, dt_spec_layout(spec), dt_spec_meta(spec), 0},
    };
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        dti_spec_key key = keys[i];
        bool same = i == COUNT_OF(keys) - 1;
        key.hash = dt_spec_hash(spec);
        CHECKF(dti_specs_find(on.world, &key) == (same ? spec : NULL),
               "key %zu", i);
    }
    dt_spec_release(spec);
    dt_mesh_release(renamed);
    close_grid(&on);
}

/* Strided shards that spell an order are that order where both cut alike. */
static void says_with_an_order_what_it_can(dt_world *unused)
{
    static const struct {
        const char *given;
        int64_t rows;
        const char *kept;
    } rows[] = {
        {"_S(0,2)S(0)", 8, "S(0)[1]S(0)[0]"},
        {"_S(0,2)S(0)", 12, "S(0)[1]S(0)[0]"},
        {"_S(0,2)S(0)", 0, "S(0)[1]S(0)[0]"},
        {"_S(0,2)S(0)", 5, "_S(0,2)S(0)"},
        {"_S(0,2)S(0)", 6, "S(0)[1]S(0)[0]"},
        {"_S(0,2)R", 8, "_S(0,2)R"},
        {"_S(0,3)S(0)", 12, "_S(0,3)S(0)"},
        {"S(0)_S(0,2)", 8, "S(0)_S(0,2)"},
        {"_S(0,1)R", 5, "S(0)R"},
        {"_S(0,1)_S(0,1)", 5, "S(0)[0]S(0)[1]"},
        {"S(0)_S(0,1)", 5, "S(0)[0]S(0)[1]"},
        {"_S(0,2)_S(0,1)", 8, "S(0)[1]S(0)[0]"},
        {"_S(0,2)_S(1,1)", 8, "_S(0,2)S(1)"},
        {"_S(0,4)_S(0,1)", 5, "_S(0,4)S(0)"},
        {"_S(0,1)_S(0,4)", 5, "S(0)_S(0,4)"},
    };
    grid on = open_grid(4, 1, "x=2,y=2");
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[64];
        dt_shape shape = DT_SHAPE(rows[i].rows, 3);
        dt_spec *spec = spec_of(on.mesh, rows[i].given, shape);
        dt_spec *kept = spec_of(on.mesh, rows[i].kept, shape);
        dt_layout_format(dt_spec_layout(spec), text, sizeof text);
        CHECK_TEXT(text, rows[i].kept);
        CHECK(spec == kept);
        CHECK_INT(dt_spec_is_strided(spec), strchr(text, '_') != NULL);
        dt_spec_release(kept);
        dt_spec_release(spec);
    }
    close_grid(&on);
}

/* The hash is the same whoever looks. */
static void hashes_alike_on_every_rank(dt_world *unused)
{
    uint64_t hash = 0;
    (void)unused;
    for (int rank = 0; rank < 6; rank++) {
        grid on = open_grid(6, rank, "x=2,y=3");
        dt_spec *spec = spec_of(on.mesh, "S(1)[1]S(1)[0]", DT_SHAPE(5, 7));
        CHECK(rank == 0 || dt_spec_hash(spec) == hash);
        hash = dt_spec_hash(spec);
        dt_spec_release(spec);
        close_grid(&on);
    }
}

/* ---- References --------------------------------------------------------- */

static void stays_bounded(dt_world *unused)
{
    enum { MANY = 20000, FEW = 5000 };
    int64_t before = dti_live_count(DTI_LIVE_SPEC);
    grid on = open_grid(4, 1, "x=2,y=2");
    (void)unused;
    dt_spec *used = spec_of(on.mesh, "S(0)R", DT_SHAPE(7, 7));
    for (int i = 0; i < MANY; i++)
        dt_spec_release(spec_of(on.mesh, "S(0)R", DT_SHAPE(i, 3)));
    if (before >= 0)
        CHECK(dti_live_count(DTI_LIVE_SPEC) - before < FEW);
    CHECK(spec_of(on.mesh, "S(0)R", DT_SHAPE(7, 7)) == used);
    dt_spec_release(used);
    dt_spec_release(used);
    close_grid(&on);
    CHECK_INT(dti_live_count(DTI_LIVE_SPEC), before);
}

/* Those in use stay one object, however many there are. */
static void keeps_all_that_are_used(dt_world *unused)
{
    enum { MANY = 12000 };
    grid on = open_grid(4, 1, "x=2,y=2");
    dt_spec **specs = calloc(MANY, sizeof *specs);
    int wrong = 0;
    (void)unused;
    if (!CHECK(specs != NULL))
        return;
    for (int i = 0; i < MANY; i++) {
        specs[i] = spec_of(on.mesh, "RS(0)", DT_SHAPE(i));
        dt_spec_release(spec_of(on.mesh, "RS(0)", DT_SHAPE(i, 2)));
    }
    for (int i = 0; i < MANY; i++) {
        dt_spec *again = spec_of(on.mesh, "RS(0)", DT_SHAPE(i));
        wrong += again != specs[i];
        dt_spec_release(again);
        dt_spec_release(specs[i]);
    }
    CHECK_INT(wrong, 0);
    free(specs);
    close_grid(&on);
}

static void outlives_its_world(dt_world *unused)
{
    char text[64];
    int64_t offset[2];
    int owner = -1;
    dt_run run;
    grid on = open_grid(4, 1, "x=2,y=2");
    dt_spec *spec = spec_of(on.mesh, "S(0)S(1)", DT_SHAPE(4, 6));
    (void)unused;
    close_grid(&on);
    CHECK_INT(dt_spec_count(spec), 24);
    CHECK_INT(dt_mesh_size(dt_spec_mesh(spec)), 4);
    CHECK(dt_shape_equal(dt_spec_local_shape(spec, 2), DT_SHAPE(2, 3)));
    CHECK(dt_spec_offset(spec, 3, offset) && offset[0] == 2 && offset[1] == 3);
    CHECK(dt_spec_run(spec, 3, 1, 1, &run) && run.global == 4);
    CHECK_INT(dt_spec_owners(spec, (int64_t[]){3, 0}, &owner, 1), 1);
    CHECK_INT(owner, 2);
    dt_spec_format(spec, text, sizeof text);
    CHECK_TEXT(text, "f32[4, 6] S(0)S(1) on x=2,y=2");
    dt_spec_release(dt_spec_retain(spec));
    dt_spec_release(spec);
}

static void counts_references(dt_world *world)
{
    dt_mesh *own = dt_world_own_mesh(world);
    dt_spec *spec = spec_of(own, "R", DT_SHAPE(3));
    CHECK(dt_spec_retain(spec) == spec);
    dt_spec_release(spec);
    CHECK_INT(dt_spec_count(spec), 3);
    dt_spec_release(spec);
    dt_spec_release(NULL);
    CHECK(dt_spec_retain(NULL) == NULL);
}

static void *use_and_release(void *arg)
{
    dt_spec *spec = arg;
    for (int i = 0; i < 2000; i++) {
        dt_spec_retain(spec);
        CHECK(dt_spec_local_shape(spec, 0).dims[0] >= 0);
        dt_spec_release(spec);
    }
    dt_spec_release(spec);
    return NULL;
}

/* Other threads let go of specs while the world sweeps. */
static void is_released_by_any_thread(dt_world *unused)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    grid on = open_grid(4, 1, "x=2,y=2");
    (void)unused;
    for (int i = 0; i < THREADS; i++) {
        dt_spec *spec = spec_of(on.mesh, "S(0)R", DT_SHAPE(i % 2));
        CHECK(pthread_create(&threads[i], NULL, use_and_release, spec) == 0);
    }
    for (int i = 0; i < 10000; i++)
        dt_spec_release(spec_of(on.mesh, "RS(0)", DT_SHAPE(i)));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    close_grid(&on);
}

/* ---- What a spec is ----------------------------------------------------- */

static void tells_what_it_is(dt_world *unused)
{
    int dims[DT_MAX_NDIM];
    grid on = open_grid(24, 1, "w=1,x=2,y=3,z=4");
    dt_spec *spec =
        spec_of(on.mesh, "P(max)S(2)[1]RS(2)[0]", DT_SHAPE(5, 1, 7));
    (void)unused;
    CHECK(dt_spec_mesh(spec) == on.mesh);
    CHECK_INT(dt_spec_dtype(spec), DT_F32);
    CHECK(dt_shape_equal(dt_spec_shape(spec), DT_SHAPE(5, 1, 7)));
    CHECK_INT(dt_spec_ndim(spec), 3);
    CHECK_INT(dt_spec_count(spec), 35);
    CHECK_INT(dt_spec_meta(spec)->strides[0], 7);
    CHECK_INT(dt_spec_meta(spec)->strides[2], 1);
    CHECK_INT(dt_spec_layout(spec)->ndim, 4);
    CHECK(!dt_spec_is_replicated(spec));
    CHECK(dt_spec_is_sharded(spec));
    CHECK(dt_spec_is_partial(spec));
    CHECK(!dt_spec_has_default_order(spec));
    CHECK(!dt_spec_is_strided(spec));
    CHECK_INT(dt_spec_shards(spec), 8);
    CHECK_INT(dt_spec_shards_of(spec, 0), 1);
    CHECK_INT(dt_spec_shards_of(spec, 2), 8);
    CHECK_INT(dt_spec_shards_of(spec, 3), 0);
    CHECK_INT(dt_spec_shards_of(spec, -1), 0);
    CHECK_INT(dt_spec_cuts(spec, 2, dims), 2);
    CHECK(dims[0] == 3 && dims[1] == 1);
    CHECK_INT(dt_spec_cuts(spec, 0, dims), 0);
    CHECK_INT(dt_spec_cuts(spec, 3, dims), 0);
    CHECK_INT(dt_spec_cuts(spec, -1, dims), 0);
    CHECK_INT(dt_spec_partial_dims(spec, dims), 1);
    CHECK_INT(dims[0], 0);
    dt_spec_release(spec);
    close_grid(&on);
}

static void tells_kinds_of_layouts(dt_world *unused)
{
    static const struct {
        const char *layout;
        bool replicated, sharded, partial, default_order, strided;
    } rows[] = {
        {"RR", true, false, false, true, false},
        {"S(0)R", false, true, false, true, false},
        {"RP(min)", false, false, true, true, false},
        {"MaskPR", false, false, true, true, false},
        {"S(0)P", false, true, true, true, false},
        {"S(0)S(0)", false, true, false, true, false},
        {"S(0)[1]S(0)[0]", false, true, false, false, false},
        {"_S(0,2)R", false, true, false, true, true},
    };
    grid on = open_grid(4, 1, "x=2,y=2");
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        dt_spec *spec = spec_of(on.mesh, rows[i].layout, DT_SHAPE(7));
        CHECK_INT(dt_spec_is_replicated(spec), rows[i].replicated);
        CHECK_INT(dt_spec_is_sharded(spec), rows[i].sharded);
        CHECK_INT(dt_spec_is_partial(spec), rows[i].partial);
        CHECK_INT(dt_spec_has_default_order(spec), rows[i].default_order);
        CHECK_INT(dt_spec_is_strided(spec), rows[i].strided);
        dt_spec_release(spec);
    }
    close_grid(&on);
}

/* ---- Making one from another -------------------------------------------- */

static void keeps_the_order_with_another_meta(dt_world *unused)
{
    grid on = open_grid(4, 1, "x=2,y=2");
    dt_spec *spec = spec_of(on.mesh, "S(1)[1]S(1)[0]", DT_SHAPE(4, 8));
    dt_spec *other = NULL, *wanted = NULL;
    dt_meta meta = dt_meta_of(DT_BF16, DT_SHAPE(3, 5, 2));
    (void)unused;
    CHECK_OK(on.world, dt_spec_with_meta(spec, &meta, &other));
    CHECK_OK(on.world, dt_spec_create(on.mesh, "S(1)[1]S(1)[0]", DT_BF16,
                                      DT_SHAPE(3, 5, 2), &wanted));
    CHECK(other == wanted);
    CHECK(!dt_spec_has_default_order(other));
    dt_spec_release(other);
    dt_spec_release(wanted);
    other = NULL;
    meta = dt_meta_of(DT_F32, DT_SHAPE(4));
    CHECK_FAILS(on.world, dt_spec_with_meta(spec, &meta, &other),
                DT_ERR_INVALID, "shards dimension 1 of a tensor that has 1");
    CHECK(other == NULL);
    dt_spec_release(spec);
    close_grid(&on);
}

static void keeps_meta_with_another_layout(dt_world *unused)
{
    grid on = open_grid(4, 1, "x=2,y=2");
    dt_spec *spec = NULL, *other = NULL, *wanted = NULL;
    (void)unused;
    CHECK_OK(on.world, dt_spec_parse(on.mesh, "i8[4, 2]{1, 4} S(0)R", &spec));
    CHECK_OK(on.world, dt_spec_parse(on.mesh, "i8[4, 2]{1, 4} RS(1)", &wanted));
    CHECK_OK(on.world, dt_spec_with_layout(spec, "RS(-1)", &other));
    CHECK(other == wanted);
    dt_spec_release(other);
    other = NULL;
    CHECK_FAILS(on.world, dt_spec_with_layout(spec, "R", &other),
                DT_ERR_INVALID,
                "R has 1 placement; expected one for each of the 2 dimensions");
    CHECK_FAILS(on.world, dt_spec_with_layout(spec, "RX", &other),
                DT_ERR_INVALID, "before \"X\"");
    CHECK(other == NULL);
    dt_spec_release(wanted);
    dt_spec_release(spec);
    close_grid(&on);
}

/* ---- Refusing ----------------------------------------------------------- */

static void refuses_wrong_metas(dt_world *unused)
{
    grid on = open_grid(4, 1, "x=2,y=2");
    dt_spec *spec = NULL;
    dt_shape many = {.ndim = DT_MAX_NDIM + 1};
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(4, 4));
    dt_layout layout =
        dt_layout_of((const dt_placement[]){dt_replicate(), dt_replicate()}, 2);
    (void)unused;
    CHECK_FAILS(on.world,
                dt_spec_create(on.mesh, "RR", (dt_dtype)99, DT_SHAPE(1), &spec),
                DT_ERR_INVALID, "invalid dtype 99");
    CHECK_FAILS(on.world,
                dt_spec_create(on.mesh, "RR", DT_F32, DT_SHAPE(2, -1), &spec),
                DT_ERR_INVALID, "shape (2, -1) has a negative extent");
    CHECK_FAILS(on.world,
                dt_spec_create(on.mesh, "RR", DT_F32,
                               DT_SHAPE(2, INT64_MAX, INT64_MAX), &spec),
                DT_ERR_INVALID, "too many elements");
    CHECK_FAILS(on.world,
                dt_spec_create(on.mesh, "RR", DT_F32,
                               DT_SHAPE(0, INT64_MAX, 3, INT64_MIN), &spec),
                DT_ERR_INVALID, "negative extent");
    CHECK_FAILS(on.world, dt_spec_create(on.mesh, "RR", DT_F32, many, &spec),
                DT_ERR_INVALID, "a shape of 9 dimensions");
    many.ndim = -1;
    CHECK_FAILS(on.world, dt_spec_create(on.mesh, "RR", DT_F32, many, &spec),
                DT_ERR_INVALID, "a shape of -1 dimensions");
    meta.strides[1] = -1;
    CHECK_FAILS(on.world, dt_spec_create_with(on.mesh, &layout, &meta, &spec),
                DT_ERR_INVALID,
                "stride -1 of dimension 1 is negative, which is not supported");
    meta.strides[1] = INT64_MAX;
    CHECK_FAILS(on.world, dt_spec_create_with(on.mesh, &layout, &meta, &spec),
                DT_ERR_INVALID,
                "stride 9223372036854775807 of dimension 1 is too large for "
                "shape (4, 4)");
    CHECK(spec == NULL);
    close_grid(&on);
}

static void describes_metas(dt_world *world)
{
    dt_meta meta = dt_meta_of(DT_I64, DT_SHAPE(3, 0, 1, 5));
    const int64_t expected[] = {5, 5, 5, 1};
    (void)world;
    CHECK_INT(meta.dtype, DT_I64);
    CHECK(dt_shape_equal(meta.shape, DT_SHAPE(3, 0, 1, 5)));
    for (int i = 0; i < 4; i++)
        CHECK_INT(meta.strides[i], expected[i]);
    CHECK_INT(dt_meta_of(DT_F32, DT_SHAPE()).shape.ndim, 0);
}

const dt_test dt_tests[] = {
    {"gives one object for equal specs", gives_one_object_for_equal_specs},
    {"gives one object for equal meshes", gives_one_object_for_equal_meshes},
    {"gives different objects for different specs",
     gives_different_objects_for_different_specs},
    {"compares what has one hash", compares_what_has_one_hash},
    {"says with an order what it can", says_with_an_order_what_it_can},
    {"hashes alike on every rank", hashes_alike_on_every_rank},
    {"stays bounded", stays_bounded},
    {"keeps all that are used", keeps_all_that_are_used},
    {"outlives its world", outlives_its_world},
    {"counts references", counts_references},
    {"is released by any thread", is_released_by_any_thread},
    {"tells what it is", tells_what_it_is},
    {"tells kinds of layouts", tells_kinds_of_layouts},
    {"keeps the order with another meta", keeps_the_order_with_another_meta},
    {"keeps meta with another layout", keeps_meta_with_another_layout},
    {"refuses wrong metas", refuses_wrong_metas},
    {"describes metas", describes_metas},
    {NULL, NULL},
};
