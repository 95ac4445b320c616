/* ranks: 1 2 3 4 7 */
/* tests/ranks/op_memory.c - which tensors share memory, and what may be
 * written: the same on every rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dtensor/sys/op.h>

#include "support/tensors.h"

static dt_mesh *make_mesh(dt_world *world, const char *text)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, text, &mesh));
    return mesh;
}

/* A tensor whose last rank along the mesh has one row. */
static dt_tensor *with_a_short_part(dt_mesh *mesh, const char *layout)
{
    const int64_t ranks = dt_mesh_size(mesh);
    const int64_t rows = ranks > 1 ? 2 * ranks - 1 : 3;
    return dt_ones(mesh, layout, DT_F64, DT_SHAPE(3, rows));
}

static void check_all_are(dt_tensor *tensor, double value)
{
    dt_array *all = dt_tensor_local(dt_full_tensor(tensor));
    dt_array *dense = NULL;
    if (!CHECK(all))
        return;
    CHECK_OK(dt_tensor_world(tensor),
             dt_array_contiguous(dt_tensor_world(tensor), all, &dense));
    const double *data = dt_array_const_data(dense);
    for (int64_t i = 0; i < dt_array_count(dense); i++)
        CHECKF(data[i] == value, "element %lld is %g, not %g", (long long)i,
               data[i], value);
    dt_array_release(dense);
}

/* A part of one row is in order however the whole lies. */
static void copies_on_every_rank_or_none(dt_world *world)
{
    dt_mesh *mesh = make_mesh(world, "x");
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *of = with_a_short_part(mesh, "S(1)");
    dt_tensor *turned = dt_transpose(of, 0, 1);
    dt_tensor *copies[] = {dt_contiguous(turned), dt_flatten(turned, 0, 1)};
    dt_tensor *views[] = {dt_contiguous(of), dt_flatten(turned, 0, 0)};
    CHECK(dt_fill_scalar_(of, dt_real(2)));
    for (int i = 0; i < 2; i++) {
        check_all_are(copies[i], 1);
        check_all_are(views[i], 2);
    }
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Parts of which rank 0's has gaps in its rows and between them, as
 * dt_from_local takes them. */
static dt_tensor *with_gaps(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    const int64_t step = dt_world_rank(world) == 0 ? 2 : 1;
    dt_array *wide = NULL, *part = NULL;
    CHECK_OK(world,
             dt_array_create(world, DT_F32, DT_SHAPE(3, 4 * step - 2), &wide));
    CHECK_OK(world, dt_array_fill(world, wide, 1));
    CHECK_OK(world, dt_array_slice(world, wide, 1, 0, 2 * step, step, &part));
    dt_tensor *tensor = dt_from_local(mesh, "S(0)", part);
    dt_array_release(part);
    dt_array_release(wide);
    return tensor;
}

enum { VIEWS = 4 };

static dt_tensor *see(dt_tensor *of, int way)
{
    const dt_shape flat = DT_SHAPE(dt_shape_count(dt_tensor_shape(of)));
    switch (way) {
    case 0:
        return dt_flatten(of, 0, 1);
    case 1:
        return dt_reshape(of, flat);
    case 2:
        return dt_contiguous(of);
    default:
        return dt_view_as_real(dt_view_as_complex(of));
    }
}

/* Where the others see a tensor, a rank has to copy its part, and keeps the
 * copy equal to it without a call. */
static void check_with_gaps(dt_mesh *mesh, int way)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *of = with_gaps(mesh);
    dt_tensor *view = see(of, way), *local = dt_to_local(view);
    const uint64_t calls = calls_so_far(world);
    CHECK(dt_fill_scalar_(view, dt_real(2)) == view);
    CHECK_INT((long long)(calls_so_far(world) - calls), 0);
    check_all_are(dt_cast(of, DT_F64), 2);
    CHECK(dt_fill_scalar_(of, dt_real(3)) == of);
    check_all_are(dt_cast(view, DT_F64), 3);
    CHECK(dt_fill_scalar_(local, dt_real(4)) == local);
    check_all_are(dt_cast(of, DT_F64), 4);
    check_all_are(dt_cast(view, DT_F64), 4);
    CHECK(dt_array_is_read_only(dt_tensor_local(view)) ==
          (dt_world_rank(world) == 0));
    CHECK_OK(world, dt_scope_close(scope));
}

static void writes_through_gaps(dt_world *world)
{
    dt_mesh *mesh = make_mesh(world, "x");
    for (int way = 0; way < VIEWS; way++)
        check_with_gaps(mesh, way);
    dt_mesh_release(mesh);
}

/* Along a mesh dimension of one rank nothing has to be sent, and what others
 * have whole is not cut for it. */
static void shares_beside_a_dimension_of_one(dt_world *world)
{
    dt_mesh *mesh = make_mesh(world, "x,y=1");
    static const char *const layouts[] = {"RS(0)", "RS(1)", "RS(2)"};
    for (int dim = 0; dim < 3; dim++) {
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *of = dt_ones(mesh, layouts[dim], DT_F64, DT_SHAPE(7, 4, 6));
        dt_tensor *view = dt_narrow(of, dim, 0, 3);
        CHECK(dt_fill_scalar_(of, dt_real(3)));
        check_all_are(view, 3);
        CHECK(dt_fill_scalar_(view, dt_real(4)));
        check_all_are(dt_narrow(of, dim, 0, 3), 4);
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
}

/* A tensor that becomes another view of itself stays where it lies. */
static void moves_nothing_in_place(dt_world *world)
{
    dt_mesh *mesh = make_mesh(world, "x");
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *of = dt_ones(mesh, "S(0)", DT_F64, DT_SHAPE(1, 6));
    dt_spec *before = dt_tensor_spec(of);
    if (dt_world_size(world) > 1) {
        CHECK(!dt_squeeze_(of, DT_DIMS(0)));
        CHECK_FAILS(world, dt_scope_close(scope), DT_ERR_INVALID,
                    "must have layout");
        scope = dt_scope_open(world);
        of = dt_ones(mesh, "S(0)", DT_F64, DT_SHAPE(1, 6));
        CHECK(dt_tensor_spec(of) == before);
        CHECK(dt_tensor_ndim(dt_squeeze(of, DT_DIMS(0))) == 1);
    }
    dt_tensor *other = dt_ones(mesh, "S(1)", DT_F64, DT_SHAPE(1, 6));
    dt_tensor *same = dt_alias(other);
    CHECK(dt_squeeze_(other, DT_DIMS(0)) == other);
    CHECK_TEXT(dt_layout_text(world, dt_tensor_layout(other)), "S(0)");
    CHECK(dt_fill_scalar_(other, dt_real(5)));
    check_all_are(same, 5);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Ranks whose part is empty or has one of what is repeated refuse it too, and
 * nobody waits for anybody. */
static void refuses_what_repeats(dt_world *world)
{
    dt_mesh *mesh = make_mesh(world, "x");
    dt_argument two = {.kind = DT_ARG_NUMBER, .as.number = dt_real(2)};
    static const char *const layouts[] = {"R", "S(0)", "S(1)"};
    for (int i = 0; i < 3; i++) {
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *of = dt_ones(mesh, layouts[i], DT_F64, DT_SHAPE(1, 2));
        dt_tensor *wide = dt_expand(of, DT_SHAPE(3, 2)), *result = wide;
        dt_argument arguments[] = {{.kind = DT_ARG_TENSOR, .as.tensor = wide},
                                   two};
        CHECK_FAILS(world,
                    dt_op_call(world, "mul_scalar", DT_VARIANT_IN_PLACE,
                               arguments, 2, &result, 1, NULL),
                    DT_ERR_INVALID, "dimension 0 is expanded");
        arguments[0].as.tensor = dt_zeros_like(wide);
        CHECK_FAILS(world,
                    dt_op_call(world, "mul_scalar", DT_VARIANT_OUT, arguments,
                               2, &result, 1, NULL),
                    DT_ERR_INVALID, "dimension 0 is expanded");
        check_all_are(wide, 1);
        DT_IGNORE(dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
}

/* What is made like a tensor that repeats or has gaps does neither. */
static void is_dense_like_another(dt_world *world)
{
    dt_mesh *mesh = make_mesh(world, "x");
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *wide =
        dt_expand(dt_ones(mesh, "R", DT_F64, DT_SHAPE(1, 4)), DT_SHAPE(3, 4));
    dt_tensor *turned =
        dt_transpose(dt_ones(mesh, "R", DT_F64, DT_SHAPE(3, 4)), 0, 1);
    dt_tensor *gaps = dt_slice(turned, 0, 0, 4, 2);
    const struct {
        dt_tensor *like;
        int64_t first, second; /* strides */
    } cases[] = {
        {dt_empty_like(wide), 4, 1},  {dt_zeros_like(wide), 4, 1},
        {dt_rand_like(wide), 4, 1},   {dt_empty_like(turned), 1, 4},
        {dt_ones_like(turned), 1, 4}, {dt_empty_like(gaps), 1, 2},
        {dt_zeros_like(gaps), 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dt_tensor *like = cases[i].like;
        const dt_array *local = dt_tensor_local(like);
        CHECK_INT(dt_tensor_stride(like, 0), cases[i].first);
        CHECK_INT(dt_tensor_stride(like, 1), cases[i].second);
        CHECK_INT(dt_array_stride(local, 0), cases[i].first);
        CHECK_INT(dt_array_stride(local, 1), cases[i].second);
        CHECK(dt_fill_scalar_(like, dt_real(2)) == like);
    }
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* ---- Costs -------------------------------------------------------------- */

static void load_costs(dt_world *world, const char *text)
{
    char path[] = "/tmp/dt_test_costs_XXXXXX";
    const int file = dt_world_rank(world) == 0 ? mkstemp(path) : -1;
    if (dt_world_rank(world) == 0)
        CHECK(file >= 0 &&
              write(file, text, strlen(text)) == (ssize_t)strlen(text));
    CHECK_OK(world, dt_costs_load(world, path));
    if (file >= 0) {
        close(file);
        unlink(path);
    }
}

/* The layout that a call is said to give. */
static void explain(dt_tensor *a, dt_tensor *b, char *text, size_t size)
{
    char all[8192];
    size_t length = 0;
    const dt_argument arguments[] = {{.kind = DT_ARG_TENSOR, .as.tensor = a},
                                     {.kind = DT_ARG_TENSOR, .as.tensor = b}};
    CHECK_OK(dt_tensor_world(a),
             dt_explain(dt_tensor_world(a), "maximum", arguments, 2, all,
                        sizeof all, &length));
    const char *result = strstr(all, "result: ");
    snprintf(text, size, "%.*s", result ? (int)strcspn(result, "\n") : 0,
             result ? result : "");
}

/* A call that was decided before costs were told is decided again. */
static void heeds_costs(dt_world *world)
{
    if (dt_world_size(world) % 2)
        return;
    dt_mesh *mesh = make_mesh(world, "x,y=2");
    static const char *const files[] = {"", "x remote 1\ny remote 1e-12\n",
                                        "y remote 1\nx remote 1e-12\n"};
    for (int i = 0; i < 3; i++) {
        char said[300], is[300] = "result: ";
        dt_scope *scope = dt_scope_open(world);
        load_costs(world, files[i]);
        dt_tensor *a = dt_ones(mesh, "S(0)S(1)", DT_F32, DT_SHAPE(64, 512));
        dt_tensor *b = dt_ones(mesh, "S(1)S(0)", DT_F32, DT_SHAPE(64, 512));
        explain(a, b, said, sizeof said);
        dt_tensor *c = dt_maximum(a, b);
        dt_spec_format(dt_tensor_spec(c), is + strlen(is), 200);
        CHECKF(strncmp(said, is, strlen(said)) == 0, "\"%s\", not \"%s\"", is,
               said);
        CHECK_OK(world, dt_scope_close(scope));
    }
    load_costs(world, "");
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"copies on every rank or none", copies_on_every_rank_or_none},
    {"writes through gaps", writes_through_gaps},
    {"shares beside a dimension of one", shares_beside_a_dimension_of_one},
    {"moves nothing in place", moves_nothing_in_place},
    {"refuses what repeats", refuses_what_repeats},
    {"is dense like another", is_dense_like_another},
    {"heeds costs", heeds_costs},
    {NULL, NULL},
};
