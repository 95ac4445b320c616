/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/training/foreach.c - operators over lists of tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: total_norm */
#include <dtensor/sys/ops_training.h>

#include "support/tensors.h"

/* All ranks but the last; all of one. */
static dt_mesh *inner_mesh(dt_world *world)
{
    int ranks[64], size = dt_world_size(world);
    int count = size > 1 ? size - 1 : 1;
    dt_mesh *mesh = NULL;
    for (int i = 0; i < count; i++)
        ranks[i] = i;
    CHECK_OK(world, dt_mesh_create_from(world, "y", ranks, count, &mesh));
    return mesh;
}

static dt_tensor *numbers(dt_mesh *mesh, const char *layout, dt_shape shape)
{
    double values[ELEMENTS_MAX];
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        values[i] = value_at(i);
    return tensor_of(mesh, layout, DT_F32, shape, values);
}

/* Check that elements are `factor` times what numbers() gives, plus `more`. */
static void check_line(dt_tensor *tensor, double factor, double more)
{
    double wanted[ELEMENTS_MAX];
    if (!CHECK(tensor != NULL) || !dt_mesh_is_member(dt_tensor_mesh(tensor)))
        return;
    const int64_t count = dt_tensor_count(tensor);
    for (int64_t i = 0; i < count; i++)
        wanted[i] = factor * value_at(i) + more;
    check_values(tensor, wanted, count);
}

/* ---- In place ----------------------------------------------------------- */

static void writes_lists_in_place(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_mesh *inner = inner_mesh(world);
    dt_tensor *self[] = {numbers(f.mesh, "S(0)", DT_SHAPE(7, 3)),
                         numbers(inner, "S(1)", DT_SHAPE(2, 5)),
                         numbers(f.mesh, "R", DT_SHAPE())};
    dt_tensor *other[] = {numbers(f.mesh, "S(0)", DT_SHAPE(7, 3)),
                          numbers(inner, "S(1)", DT_SHAPE(2, 5)),
                          numbers(f.mesh, "R", DT_SHAPE())};
    const void *data = dt_array_const_data(dt_tensor_local(self[0]));
    const dt_number scalars[] = {dt_integer(2), dt_real(2), dt_integer(2)};
    start_counting(&f);
    CHECK_OK(world, dt_foreach_add_(self, 3, other, 3));
    dt_foreach_add_options options = DT_FOREACH_ADD_OPTIONS_INIT;
    options.alpha = dt_integer(2);
    CHECK_OK(world, dt_foreach_add_with_(self, 3, other, 3, &options));
    CHECK_OK(world, dt_foreach_mul_scalars_(self, 3, scalars, 3));
    CHECK_OK(world, dt_foreach_add_scalar_(self, 3, dt_real(0.5)));
    CHECK_OK(world, dt_foreach_neg_(self, 3));
    check_silent(&f);
    for (int i = 0; i < 3; i++)
        check_line(self[i], -8, -0.5);
    CHECK(dt_array_const_data(dt_tensor_local(self[0])) == data);
    /* These have no form in place of their own. */
    CHECK_OK(world, dt_foreach_maximum_(self, 3, self, 3));
    CHECK_OK(world, dt_foreach_minimum_(self, 3, self, 3));
    for (int i = 0; i < 3; i++)
        check_line(self[i], -8, -0.5);
    CHECK_OK(world, dt_foreach_copy_(self, 3, other, 3));
    for (int i = 0; i < 3; i++)
        check_line(self[i], 1, 0);
    CHECK_OK(world, dt_foreach_zero_(self, 3));
    for (int i = 0; i < 3; i++)
        check_line(self[i], 0, 0);
    dt_mesh_release(inner);
    close_fixture(&f);
}

/* What cannot be done to the last tensor is not done to the first. */
static void writes_all_or_nothing(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *self[] = {numbers(f.mesh, "S(0)", DT_SHAPE(7, 3)),
                         numbers(f.mesh, "S(0)", DT_SHAPE(4))};
    dt_tensor *other[] = {self[0], numbers(f.mesh, "R", DT_SHAPE(5))};
    CHECK_FAILS(world, dt_foreach_add_(self, 2, other, 2), DT_ERR_INVALID,
                "add: shapes (4,) and (5,) cannot be broadcast");
    check_line(self[0], 1, 0);
    CHECK_FAILS(
        world, dt_foreach_add_(self, 2, other, 1), DT_ERR_INVALID,
        "foreach_add: self has 2 elements but other has 1; they must be equal");
    const dt_number one = dt_integer(1);
    CHECK_FAILS(world, dt_foreach_add_scalars_(self, 2, &one, 1),
                DT_ERR_INVALID,
                "self has 2 elements but scalars has 1; they must be equal");
    if (f.ranks > 1) {
        self[1] = dt_redistribute(self[1], "P");
        CHECK_FAILS(world, dt_foreach_sqrt_(self, 2), DT_ERR_INVALID,
                    "the result would have layout ");
        check_line(self[0], 1, 0);
    }
    dt_tensor *whole = dt_ones(f.mesh, "R", DT_I32, DT_SHAPE(3));
    dt_tensor *mixed[] = {self[0], whole};
    CHECK_FAILS(world, dt_foreach_div_scalar_(mixed, 2, dt_integer(2)),
                DT_ERR_INVALID,
                "f32 and cannot be stored in self, which is i32");
    check_line(self[0], 1, 0);
    dt_tensor *results[2];
    int count = 0;
    CHECK_OK(world, dt_foreach_div_scalar(mixed, 2, dt_integer(2), results, 2,
                                          &count));
    CHECK_INT(count, 2);
    check_line(results[0], 0.5, 0);
    check_dtype(results[1], DT_F32);
    close_fixture(&f);
}

/* Memory that may only be read is found before anything is written. */
static void refuses_what_is_read_only(dt_world *world)
{
    static const float zeros[4];
    dt_mesh *own = dt_world_own_mesh(world);
    dt_array *array = NULL;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = (void *)(uintptr_t)zeros;
    options.dtype = DT_F32;
    options.shape = DT_SHAPE(2, 2);
    options.read_only = true;
    CHECK_OK(world, dt_array_wrap(world, &options, &array));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *self[] = {numbers(own, "R", DT_SHAPE(3)),
                         dt_from_local(own, "R", array)};
    CHECK_FAILS(world, dt_foreach_add_scalar_(self, 2, dt_integer(1)),
                DT_ERR_INVALID, "read-only");
    check_line(self[0], 1, 0);
    DT_IGNORE(dt_scope_close(scope));
    dt_array_release(array);
}

/* ---- Norms -------------------------------------------------------------- */

static double sum_of(int64_t count, double p)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += pow(fabs(value_at(i)), p);
    return sum;
}

/* As many all-reduces as there are meshes, however many tensors. */
static void norms_take_one_message(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *tensors[40], *norms[40];
    int count = 0;
    for (int i = 0; i < 40; i++)
        tensors[i] = numbers(f.mesh, i % 3 ? "S(0)" : "R", DT_SHAPE(i + 1, 2));
    start_counting(&f);
    CHECK_OK(world, dt_foreach_norm(tensors, 40, 2, norms, 40, &count));
    CHECK_INT(calls_counted(&f), f.ranks > 1);
    CHECK_INT(count, 40);
    for (int i = 0; i < 40; i++) {
        const double wanted = sqrt(sum_of(2 * (i + 1), 2));
        check_values(norms[i], &wanted, 1);
        CHECK(norms[i] && dt_tensor_ndim(norms[i]) == 0);
    }
    start_counting(&f);
    CHECK_OK(world, dt_foreach_norm(tensors, 2, HUGE_VAL, norms, 2, &count));
    CHECK_INT(calls_counted(&f), f.ranks > 1);
    /* Nothing is sent for what is replicated. */
    start_counting(&f);
    CHECK_OK(world, dt_foreach_norm(tensors, 1, 1, norms, 1, &count));
    check_silent(&f);
    close_fixture(&f);
}

/* A grid: tensors cut along either dimension, or both. */
static void norms_on_a_grid(dt_world *world)
{
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) != 4)
        return;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=2", &mesh));
    dt_scope *scope = dt_scope_open(world);
    static const char *const layouts[] = {"S(0)R", "RS(1)", "S(0)S(1)", "RR",
                                          "S(1)S(1)"};
    dt_tensor *tensors[5], *norms[5];
    int count = 0;
    for (int i = 0; i < 5; i++)
        tensors[i] = numbers(mesh, layouts[i], DT_SHAPE(5, 7));
    const double one = sqrt(sum_of(35, 2)), all = one * sqrt(5);
    CHECK_OK(world, dt_foreach_norm(tensors, 5, 2, norms, 5, &count));
    for (int i = 0; i < 5; i++)
        check_values(norms[i], &one, 1);
    check_values(dt_get_total_norm(tensors, 5, 2), &all, 1);
    const double largest = 13, mean = 5 * sum_of(35, 1);
    check_values(dt_get_total_norm(tensors, 5, HUGE_VAL), &largest, 1);
    check_values(dt_get_total_norm(tensors, 5, 1), &mean, 1);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Tensors on two meshes: what several ranks have counts once. */
static void total_norm_of_several_meshes(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_mesh *inner = inner_mesh(world);
    dt_tensor *tensors[] = {numbers(inner, "S(0)", DT_SHAPE(7)),
                            numbers(f.mesh, "S(0)", DT_SHAPE(9)),
                            numbers(inner, "R", DT_SHAPE(5)),
                            numbers(f.mesh, "R", DT_SHAPE(3))};
    const double wanted =
        sqrt(sum_of(7, 2) + sum_of(9, 2) + sum_of(5, 2) + sum_of(3, 2));
    start_counting(&f);
    dt_tensor *norm = dt_get_total_norm(tensors, 4, 2);
    CHECK_INT(calls_counted(&f), f.ranks > 1);
    check_values(norm, &wanted, 1);
    CHECK(norm &&
          (f.ranks == 1 || dt_mesh_equal(dt_tensor_mesh(norm), f.mesh)));

    dt_tensor *given = NULL;
    start_counting(&f);
    CHECK_OK(world, dt_clip_grad_norm_(tensors, 4, 1, 2, &given));
    CHECK_INT(calls_counted(&f), f.ranks > 1);
    check_values(given, &wanted, 1);
    for (int i = 0; i < 4; i++)
        check_line(tensors[i], 1 / (wanted + 1e-6), 0);
    /* What is small stays. */
    CHECK_OK(world, dt_clip_grad_norm_(tensors, 4, 2, 2, NULL));
    for (int i = 0; i < 4; i++)
        check_line(tensors[i], 1 / (wanted + 1e-6), 0);
    CHECK_OK(world, dt_clip_grads_with_norm_(tensors, 4, 1, norm));
    for (int i = 0; i < 4; i++)
        check_line(tensors[i], 1 / (wanted * wanted), 0);
    dt_mesh_release(inner);
    close_fixture(&f);
}

static void says_what_is_wrong_with_norms(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *tensors[] = {numbers(f.mesh, "S(0)", DT_SHAPE(7)),
                            dt_full(f.mesh, "S(0)", DT_F32, DT_SHAPE(5), NAN)};
    dt_tensor *whole = dt_ones(f.mesh, "R", DT_I32, DT_SHAPE(3)), *norm = NULL;
    dt_clip_grad_norm_options options = DT_CLIP_GRAD_NORM_OPTIONS_INIT;
    options.error_if_nonfinite = true;
    CHECK_FAILS(world,
                dt_clip_grad_norm_with_(tensors, 2, 1, 2, &options, &norm),
                DT_ERR_INVALID, "clip_grad_norm: the total norm is");
    check_line(tensors[0], 1, 0);
    CHECK_FAILS(world, dt_clip_grad_norm_(tensors, 1, -1, 2, &norm),
                DT_ERR_INVALID, "max_norm is -1");
    CHECK_FAILS(world, dt_clip_grad_norm_(tensors, 1, 1, NAN, &norm),
                DT_ERR_INVALID, "norm_type is NaN; expected a number");
    CHECK_FAILS(world, status_of(world, dt_get_total_norm(&whole, 1, 2)),
                DT_ERR_UNSUPPORTED, "tensors[0] is i32");
    if (f.ranks > 1) {
        int rank = 1;
        dt_mesh *inner = inner_mesh(world), *second = NULL;
        CHECK_OK(world, dt_mesh_create_from(world, "y", &rank, 1, &second));
        dt_tensor *apart[] = {numbers(second, "R", DT_SHAPE(3)),
                              numbers(inner, "R", DT_SHAPE(3))};
        dt_status status = status_of(world, dt_get_total_norm(apart, 2, 2));
        CHECK(f.ranks > 2 ? status == DT_OK : status == DT_ERR_INVALID);
        dt_mesh_release(second);
        dt_mesh_release(inner);
    }
    /* NaN goes where everything goes. */
    CHECK_OK(world, dt_clip_grad_norm_(tensors, 2, 1, 2, &norm));
    const double nan = NAN;
    check_values(norm, &nan, 1);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"writes lists in place", writes_lists_in_place},
    {"writes all or nothing", writes_all_or_nothing},
    {"refuses what is read-only", refuses_what_is_read_only},
    {"norms take one message", norms_take_one_message},
    {"norms on a grid", norms_on_a_grid},
    {"total norm of several meshes", total_norm_of_several_meshes},
    {"says what is wrong with norms", says_what_is_wrong_with_norms},
    {NULL, NULL},
};
