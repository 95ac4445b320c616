/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/samples.c - calls from PyTorch's samples of operators that
 * once gave something else here. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/sys/ops_training.h>

#include "support/tensors.h"

/* ---- Tensors of which every element is known ---------------------------- */

/* A tensor of these values in a layout; a partial one has them on one rank,
 * so that sums are exact. */
static dt_tensor *distributed(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                              dt_shape shape, const double *values)
{
    dt_array *array = array_of(dt_mesh_world(mesh), dtype, shape, values);
    dt_tensor *tensor =
        dt_distribute(mesh, layout, dtype, shape, array, DT_EVERYWHERE);
    dt_array_release(array);
    return tensor;
}

/* Check all elements of a tensor; NaN is NaN. */
static void check_exactly(dt_world *world, dt_tensor *tensor, dt_shape shape,
                          const double *expected)
{
    if (!CHECK_OK(world, status_of(world, tensor)))
        return;
    CHECK(dt_shape_equal(dt_tensor_shape(tensor), shape));
    dt_tensor *wide = dt_full_tensor(dt_cast(tensor, DT_F64));
    const double *values = dt_array_const_data(dt_tensor_local(wide));
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        CHECKF(values[i] == expected[i] ||
                   (isnan(values[i]) && isnan(expected[i])),
               "element %d is %.17g, not %.17g", (int)i, values[i],
               expected[i]);
}

static const char *const layouts[] = {"R", "S(0)", "P(sum)"};

/* ---- Numbers ------------------------------------------------------------ */

/* 1e20 squared is infinite in f32. */
static void sums_norms_in_the_dtype_asked_for(dt_world *world)
{
    const double large[] = {3e20, 4e20}, norm[] = {5e20};
    fixture f = open_fixture(world);
    const dt_dtype dtype = DT_F64;
    dt_foreach_norm_options options = DT_FOREACH_NORM_OPTIONS_INIT;
    options.dtype = &dtype;
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *tensors[] = {
            distributed(f.mesh, layouts[i], DT_F32, DT_SHAPE(2), large)};
        dt_tensor *norms[1];
        int count = 0;
        CHECK_OK(world, dt_foreach_norm_with(tensors, 1, 2, &options, norms, 1,
                                             &count));
        CHECK(dt_tensor_dtype(norms[0]) == DT_F64);
        dt_tensor *error = dt_sub_scalar(norms[0], DT_NUMBER(norm[0]));
        check_exactly(world, dt_lt_scalar(dt_abs(error), DT_NUMBER(1e14)),
                      DT_SHAPE(), (const double[]){1});
    }
    close_fixture(&f);
}

static void keeps_nan_where_alpha_is_0(dt_world *world)
{
    const double some[] = {1, NAN, 2, INFINITY}, ones[] = {1, 1, 1, 1};
    const double rows[] = {1, 1, NAN, NAN, 1, 1, NAN, NAN};
    fixture f = open_fixture(world);
    dt_addr_options outer = DT_ADDR_OPTIONS_INIT;
    dt_baddbmm_options batched = DT_BADDBMM_OPTIONS_INIT;
    outer.alpha = batched.alpha = DT_NUMBER(0);
    for (int i = 0; i < 2; i++) {
        dt_tensor *vector =
            distributed(f.mesh, layouts[i], DT_F32, DT_SHAPE(4), some);
        dt_tensor *two = distributed(f.mesh, "R", DT_F32, DT_SHAPE(2), ones);
        dt_tensor *self = distributed(f.mesh, "R", DT_F32, DT_SHAPE(1), ones);
        check_exactly(world, dt_addr_with(self, vector, two, &outer),
                      DT_SHAPE(4, 2), rows);
        check_exactly(world,
                      dt_baddbmm_with(dt_view(self, DT_SHAPE(1, 1, 1)),
                                      dt_reshape(vector, DT_SHAPE(1, 4, 1)),
                                      dt_view(two, DT_SHAPE(1, 1, 2)),
                                      &batched),
                      DT_SHAPE(1, 4, 2), rows);
    }
    close_fixture(&f);
}

/* ---- Complex numbers ---------------------------------------------------- */

/* A tensor of c64, in a layout. */
static dt_tensor *complex_of(const fixture *f, const char *layout,
                             dt_shape shape, const double *real,
                             const double *imaginary)
{
    return dt_complex(distributed(f->mesh, layout, DT_F32, shape, real),
                      distributed(f->mesh, layout, DT_F32, shape, imaginary));
}

/* Check numbers to seven digits. */
static void check_near(dt_world *world, dt_tensor *tensor, dt_shape shape,
                       const double *expected)
{
    const double all[] = {1, 1, 1, 1, 1, 1, 1, 1};
    if (!CHECK_OK(world, status_of(world, tensor)))
        return;
    dt_mesh *mesh = dt_tensor_mesh(tensor);
    dt_tensor *other = distributed(mesh, "R", DT_F32, shape, expected);
    check_exactly(world, dt_isclose(tensor, other), shape, all);
}

static void check_complex(dt_world *world, dt_tensor *tensor, dt_shape shape,
                          const double *real, const double *imaginary)
{
    if (!CHECK_OK(world, status_of(world, tensor)))
        return;
    CHECK(dt_tensor_dtype(tensor) == DT_C64);
    check_near(world, dt_real_part(tensor), shape, real);
    check_near(world, dt_imag_part(tensor), shape, imaginary);
}

/* x is (1 + 2i, 3 - i). */
static const double re[] = {1, 3}, im[] = {2, -1};

static void computes_with_complex_numbers(dt_world *world)
{
    const dt_number i = dt_complex_number(0, 1);
    const double minus_im[] = {-2, 1}, ones[] = {1, 1}, none[] = {0, 0};
    const double sum_re[] = {-1, 4}, sum_im[] = {3, 2};
    fixture f = open_fixture(world);
    dt_add_options scaled = DT_ADD_OPTIONS_INIT;
    scaled.alpha = i;
    for (size_t k = 0; k < COUNT_OF(layouts); k++) {
        dt_tensor *x = complex_of(&f, layouts[k], DT_SHAPE(2), re, im);
        dt_tensor *real =
            distributed(f.mesh, layouts[k], DT_F32, DT_SHAPE(2), re);
        check_complex(world, dt_mul_scalar(x, i), DT_SHAPE(2), minus_im, re);
        check_complex(world, dt_mul_scalar(real, i), DT_SHAPE(2), none, re);
        check_complex(world, dt_add_with(x, x, &scaled), DT_SHAPE(2), sum_re,
                      sum_im);
        check_exactly(world, dt_eq_scalar(x, dt_complex_number(3, -1)),
                      DT_SHAPE(2), (const double[]){0, 1});
        check_exactly(world, dt_ne_scalar(real, i), DT_SHAPE(2), ones);
        check_complex(world, dt_fill_scalar(x, i), DT_SHAPE(2), none, ones);
        CHECK_FAILS(world, status_of(world, dt_add_with(real, real, &scaled)),
                    DT_ERR_INVALID,
                    "add: alpha is a complex number, but the result would be "
                    "f32; use a c64 tensor");
        CHECK_FAILS(world, status_of(world, dt_fill_scalar(real, i)),
                    DT_ERR_INVALID, "f32");
        dt_tensor *wide = dt_zeros(f.mesh, "R", DT_F64, DT_SHAPE(2));
        CHECK_FAILS(world, status_of(world, dt_mul_scalar(wide, i)),
                    DT_ERR_UNSUPPORTED, "no dtype can represent both");
    }
    close_fixture(&f);
}

/* i x x^T + 2i x, where x is a column. */
static void scales_products_by_complex_numbers(dt_world *world)
{
    dt_addr_options options = DT_ADDR_OPTIONS_INIT;
    const double out_re[] = {-8, -3, -9, 8}, out_im[] = {-1, 11, 7, 14};
    fixture f = open_fixture(world);
    options.alpha = dt_complex_number(0, 1);
    options.beta = dt_complex_number(0, 2);
    for (int k = 0; k < 2; k++) {
        dt_tensor *x = complex_of(&f, layouts[k], DT_SHAPE(2), re, im);
        check_complex(world, dt_addr_with(x, x, x, &options), DT_SHAPE(2, 2),
                      out_re, out_im);
    }
    close_fixture(&f);
}

static void reduces_complex_numbers(dt_world *world)
{
    fixture f = open_fixture(world);
    for (int k = 0; k < 2; k++) {
        dt_tensor *x = complex_of(&f, layouts[k], DT_SHAPE(2), re, im);
        dt_tensor *y = complex_of(&f, "R", DT_SHAPE(2), im, re);
        check_complex(world, dt_vdot(x, y), DT_SHAPE(), (const double[]){-2},
                      (const double[]){5});
        check_near(world, dt_l1_loss(x, dt_mul_scalar(x, dt_integer(0))),
                   DT_SHAPE(), (const double[]){(sqrt(5) + sqrt(10)) / 2});
        check_complex(world, dt_logsumexp(x, DT_DIMS(), false), DT_SHAPE(),
                      (const double[]){2.8563948},
                      (const double[]){-0.9779503});
        dt_tensor *out = NULL, *rstd = NULL;
        CHECK_OK(world, dt_rms_norm(x, DT_SHAPE(2), NULL, 0, &out, &rstd));
        check_complex(world, out, DT_SHAPE(2),
                      (const double[]){0.36793103, 1.91051219},
                      (const double[]){1.31208999, -0.25268544});
        check_complex(world, rstd, DT_SHAPE(1), (const double[]){0.59842220},
                      (const double[]){0.11524559});
    }
    close_fixture(&f);
}

/* ---- Shapes ------------------------------------------------------------- */

static void counts_negative_indexes_from_the_end(dt_world *world)
{
    const double values[] = {0, 1, 2, 3, 4, 5}, back[] = {-1, 0, -3, 2};
    const double taken[] = {2, 0, 3, 5}, spread[] = {2, 0, 0, 2, 5, 3, 3, 5};
    fixture f = open_fixture(world);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *self =
            distributed(f.mesh, layouts[i], DT_F64, DT_SHAPE(2, 3), values);
        for (int k = 0; k < 2; k++) {
            dt_tensor *index =
                distributed(f.mesh, layouts[k], DT_I64, DT_SHAPE(2, 2), back);
            check_exactly(world, dt_take_along_dim(self, index, 1),
                          DT_SHAPE(2, 2), taken);
            dt_tensor *row =
                distributed(f.mesh, layouts[k], DT_I64, DT_SHAPE(1, 4), back);
            check_exactly(world, dt_take_along_dim(self, row, -1),
                          DT_SHAPE(2, 4), spread);
        }
    }
    dt_tensor *self = distributed(f.mesh, "R", DT_F64, DT_SHAPE(6), values);
    dt_tensor *far =
        distributed(f.mesh, "R", DT_I64, DT_SHAPE(1), (const double[]){-7});
    CHECK_FAILS(world, status_of(world, dt_take_along_dim(self, far, 0)),
                DT_ERR_INVALID, "take_along_dim: index -7 is out of range");
    close_fixture(&f);
}

static void takes_no_dimension_for_itself(dt_world *world)
{
    const double values[] = {0, 1, 2, 0}, truth[] = {0, 1, 1, 0};
    fixture f = open_fixture(world);
    for (int i = 0; i < 2; i++) {
        dt_tensor *x =
            distributed(f.mesh, layouts[i], DT_F32, DT_SHAPE(4, 1), values);
        for (int keep = 0; keep < 2; keep++) {
            check_exactly(world, dt_any(x, DT_NO_DIMS, keep), DT_SHAPE(4, 1),
                          truth);
            check_exactly(world, dt_all(x, DT_NO_DIMS, keep), DT_SHAPE(4, 1),
                          truth);
        }
        check_exactly(world, dt_any(x, DT_DIMS(), false), DT_SHAPE(),
                      (const double[]){1});
        check_exactly(world, dt_squeeze(x, DT_NO_DIMS), DT_SHAPE(4, 1), values);
        check_exactly(world, dt_squeeze(x, DT_DIMS()), DT_SHAPE(4), values);
        CHECK_FAILS(world, status_of(world, dt_sum(x, DT_NO_DIMS, false)),
                    DT_ERR_INVALID, "sum: ");
        CHECK_FAILS(world, status_of(world, dt_norm(x, 2, DT_NO_DIMS, false)),
                    DT_ERR_INVALID, "norm: ");
    }
    close_fixture(&f);
}

/* The weights of one key are 1: values are given as they are. */
static void broadcasts_batches_of_attention(dt_world *world)
{
    const double query[] = {1, 2}, keys[] = {1, 0, 0, 1, 1, 1, 2, 2};
    const double values[] = {1, 2, 3, 4};
    fixture f = open_fixture(world);
    for (int i = 0; i < 2; i++) {
        dt_tensor *q = distributed(f.mesh, "R", DT_F32, DT_SHAPE(1, 2), query);
        dt_tensor *k =
            distributed(f.mesh, layouts[i], DT_F32, DT_SHAPE(4, 1, 1, 2), keys);
        dt_tensor *v = distributed(f.mesh, layouts[i], DT_F32,
                                   DT_SHAPE(4, 1, 1, 1), values);
        check_exactly(world, dt_scaled_dot_product_attention(q, k, v),
                      DT_SHAPE(4, 1, 1, 1), values);
        dt_tensor *wrong =
            distributed(f.mesh, "R", DT_F32, DT_SHAPE(2, 1, 1, 2), keys);
        CHECK_FAILS(
            world,
            status_of(world, dt_scaled_dot_product_attention(q, wrong, v)),
            DT_ERR_INVALID, "scaled_dot_product_attention: ");
    }
    close_fixture(&f);
}

static void repeats_single_indexes_of_products(dt_world *world)
{
    const double a[] = {2, 3}, b[] = {1, 10, 100, 1000};
    const int64_t first[] = {0}, second[] = {1};
    const double expected[] = {22, 2200, 33, 3300};
    fixture f = open_fixture(world);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *x =
            distributed(f.mesh, layouts[i], DT_F64, DT_SHAPE(1, 2), a);
        dt_tensor *y =
            distributed(f.mesh, layouts[i], DT_F64, DT_SHAPE(2, 2), b);
        check_exactly(world, dt_tensordot(x, y, first, 1, second, 1),
                      DT_SHAPE(2, 2), expected);
    }
    close_fixture(&f);
}

/* ---- Out ---------------------------------------------------------------- */

/* Ranks without any of a result write nothing. */
static void writes_to_fewer_rows_than_ranks(dt_world *world)
{
    const double values[] = {1, 2, 3, 4}, sums[] = {2, 4, 6, 8};
    fixture f = open_fixture(world);
    for (int i = 0; i < 2; i++) {
        dt_tensor *x =
            distributed(f.mesh, layouts[i], DT_F32, DT_SHAPE(2, 2), values);
        dt_tensor *out = dt_zeros(f.mesh, "S(0)", DT_F32, DT_SHAPE(2, 2));
        CHECK_OK(world, status_of(world, dt_add_out(x, x, out)));
        check_exactly(world, out, DT_SHAPE(2, 2), sums);
    }
    close_fixture(&f);
}

/* ---- What is refused ---------------------------------------------------- */

static void refuses_what_has_no_width(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = dt_zeros(f.mesh, "S(0)", DT_F32, DT_SHAPE(4));
    CHECK_FAILS(world, status_of(world, dt_cauchy_(x, 0, 0)), DT_ERR_INVALID,
                "scale is 0; it must be positive");
    CHECK_FAILS(world, status_of(world, dt_log_normal_(x, 0, 0)),
                DT_ERR_INVALID, "deviation is 0; it must be positive");
    CHECK_OK(world, status_of(world, dt_normal_(x, 1, 0)));
    close_fixture(&f);
}

static void rolls_along_dimensions_that_are_there(dt_world *world)
{
    const int64_t by[] = {1};
    fixture f = open_fixture(world);
    dt_tensor *x = dt_ones(f.mesh, "R", DT_F32, DT_SHAPE());
    check_exactly(world, dt_roll(x, by, 1, DT_DIMS()), DT_SHAPE(),
                  (const double[]){1});
    CHECK_FAILS(world, status_of(world, dt_roll(x, by, 1, DT_DIMS(0))),
                DT_ERR_INVALID, "roll: self is 0-d");
    close_fixture(&f);
}

static void names_the_step_that_failed(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x[] = {dt_zeros(f.mesh, "R", DT_F32, DT_SHAPE(4))};
    dt_tensor *grad[] = {dt_zeros(f.mesh, "P(sum)", DT_F32, DT_SHAPE(4))};
    dt_fused_sgd_options options = DT_FUSED_SGD_OPTIONS_INIT;
    options.grad_scale = dt_ones(f.mesh, "R", DT_F32, DT_SHAPE());
    CHECK_FAILS(world, dt_fused_sgd_with_(x, 1, grad, 1, NULL, 0, &options),
                DT_ERR_INVALID, "fused_sgd: grads[0] is f32[4] P(sum)");
    grad[0] = dt_zeros(f.mesh, "R", DT_I32, DT_SHAPE(4));
    CHECK_FAILS(world, dt_fused_sgd_with_(x, 1, grad, 1, NULL, 0, &options),
                DT_ERR_UNSUPPORTED, "fused_sgd: grads[0] is i32");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"sums norms in the dtype asked for", sums_norms_in_the_dtype_asked_for},
    {"keeps NaN where alpha is 0", keeps_nan_where_alpha_is_0},
    {"computes with complex numbers", computes_with_complex_numbers},
    {"scales products by complex numbers", scales_products_by_complex_numbers},
    {"reduces complex numbers", reduces_complex_numbers},
    {"counts negative indexes from the end",
     counts_negative_indexes_from_the_end},
    {"takes no dimension for itself", takes_no_dimension_for_itself},
    {"broadcasts batches of attention", broadcasts_batches_of_attention},
    {"repeats single indexes of products", repeats_single_indexes_of_products},
    {"writes to fewer rows than ranks", writes_to_fewer_rows_than_ranks},
    {"refuses what has no width", refuses_what_has_no_width},
    {"rolls along dimensions that are there",
     rolls_along_dimensions_that_are_there},
    {"names the step that failed", names_the_step_that_failed},
    {NULL, NULL},
};
