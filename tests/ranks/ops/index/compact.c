/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/index/compact.c - results whose shape depends on values. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tensors.h"

/* A mask of which element i is true if a hash of it says so. */
static dt_array *make_mask(dt_world *world, dt_shape shape, int percent)
{
    dt_array *whole = new_array(world, DT_BOOL, shape);
    unsigned char *data = dt_array_data(whole);
    for (int64_t i = 0; i < dt_array_count(whole); i++)
        data[i] = (int)(word_of(5, 0, i) % 100) < percent;
    return whole;
}

static int64_t count_true(const dt_array *mask)
{
    const unsigned char *data = dt_array_const_data(mask);
    int64_t total = 0;
    for (int64_t i = 0; i < dt_array_count(mask); i++)
        total += data[i];
    return total;
}

/* What masked_select should make, by its definition. */
static dt_array *kept(dt_world *world, const dt_array *from,
                      const dt_array *mask)
{
    dt_array *out =
        new_array(world, dt_array_dtype(from), DT_SHAPE(count_true(mask)));
    int64_t index[DT_MAX_NDIM] = {0}, at = 0;
    if (dt_array_count(from) > 0)
        do
            if (read_bits(mask, index)) {
                write_bits(out, &at, read_bits(from, index));
                at++;
            }
        while (next_index(index, dt_array_shape(from)));
    return out;
}

/* And nonzero. */
static dt_array *places(dt_world *world, const dt_array *mask)
{
    dt_shape shape = dt_array_shape(mask);
    dt_array *out =
        new_array(world, DT_I64, DT_SHAPE(count_true(mask), shape.ndim));
    int64_t index[DT_MAX_NDIM] = {0}, *to = dt_array_data(out);
    if (dt_array_count(mask) > 0)
        do
            for (int i = 0; read_bits(mask, index) && i < shape.ndim; i++)
                *to++ = index[i];
        while (next_index(index, shape));
    return out;
}

static void check_mask(dt_mesh *mesh, const char *self, const char *mask,
                       dt_shape shape, int percent)
{
    dt_world *world = dt_mesh_world(mesh);
    sample made = make_sample(mesh, self, DT_F32, shape);
    dt_array *whole = make_mask(world, shape, percent);
    dt_tensor *by =
        dt_distribute(mesh, mask, DT_BOOL, shape, whole, DT_EVERYWHERE);
    check_equals(dt_masked_select(made.tensor, by),
                 kept(world, made.global, whole));
    check_equals(dt_nonzero(by), places(world, whole));
    dt_array_release(whole);
    dt_array_release(made.global);
}

static void selects_from_any_layout(dt_world *world)
{
    static const char *const layouts[] = {"R", "S(0)", "S(1)", "_S(0,2)", "P"};
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    const dt_shape shapes[] = {DT_SHAPE(4 * n + 1, 3), DT_SHAPE(n, 7),
                               DT_SHAPE(1, 5), DT_SHAPE(0, 4)};
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (size_t k = 0; k < 4; k++)
            for (size_t s = 0; s < COUNT_OF(shapes); s++)
                for (int percent = 0; percent <= 100; percent += 50)
                    check_mask(f.mesh, layouts[i], layouts[k], shapes[s],
                               percent);
    close_fixture(&f);
}

static void selects_on_grids(dt_world *world)
{
    static const char *const layouts[] = {
        "S(0)S(0)", "S(0)R", "RS(0)", "S(1)S(0)", "PR", "S(0)[1]S(0)[0]"};
    if (dt_world_size(world) != 4)
        return;
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=2", &mesh));
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (size_t k = 0; k < 4; k++)
            check_mask(mesh, layouts[i], layouts[k], DT_SHAPE(7, 5), 40);
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Replicas know all; ranks that hold rows tell each other how many they
 * keep. */
static void sends_little(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    dt_shape shape = DT_SHAPE(8 * n, 16);
    sample made = make_f32(&f, "R", shape);
    dt_array *whole = make_mask(world, shape, 30);
    dt_tensor *by =
        dt_distribute(f.mesh, "R", DT_BOOL, shape, whole, DT_EVERYWHERE);
    start_counting(&f);
    check_layout(dt_masked_select(made.tensor, by), "R");
    check_layout(dt_nonzero(by), "R");
    check_silent(&f);
    dt_tensor *rows = dt_redistribute(made.tensor, "S(0)");
    dt_tensor *cut = dt_redistribute(by, "S(0)");
    start_counting(&f);
    check_layout(dt_masked_select(rows, cut), "S(0)");
    CHECK(calls_counted(&f) <= 4);
    check_sent(&f);
    dt_array_release(whole);
    dt_array_release(made.global);
    close_fixture(&f);
}

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    dt_tensor *x = dt_ones(f.mesh, "S(1)", DT_F32, DT_SHAPE(3, 4));
    dt_tensor *mask = dt_ones(f.mesh, "R", DT_BOOL, DT_SHAPE(3, 5));
    CHECK_FAILS(world, status_of(world, dt_masked_select(x, x)), DT_ERR_INVALID,
                "masked_select: mask is f32");
    CHECK_FAILS(
        world, status_of(world, dt_masked_select(x, mask)), DT_ERR_INVALID,
        "shapes of self, (3, 4), and mask, (3, 5), cannot be broadcast");
    dt_tensor *own =
        dt_ones(dt_world_own_mesh(world), "R", DT_BOOL, DT_SHAPE(3, 4));
    if (f.ranks > 1)
        CHECK_FAILS(world, status_of(world, dt_masked_select(x, own)),
                    DT_ERR_INVALID, "is on a different mesh than self");
    options.mode = DT_SCOPE_STRICT;
    dt_scope *strict = dt_scope_open_with(world, &options);
    if (f.ranks > 1)
        CHECK_FAILS(world, status_of(world, dt_nonzero(x)), DT_ERR_INVALID,
                    "would be redistributed implicitly");
    DT_IGNORE(dt_scope_close(strict));
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"elements and places come from any layout", selects_from_any_layout},
    {"elements and places come from grids", selects_on_grids},
    {"replicas send nothing, others counts and what moves", sends_little},
    {"errors name what is wrong", says_what_is_wrong},
    {NULL, NULL},
};
