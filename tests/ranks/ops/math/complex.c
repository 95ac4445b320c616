/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/math/complex.c - complex numbers, and the parts they are made
 * of. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tensors.h"

enum { ROWS = 5, COLUMNS = 3, COUNT = ROWS * COLUMNS };

static const char *const layouts[] = {"R", "S(0)", "S(1)", "P"};

static dt_tensor *make_part(fixture *f, const char *layout, int sign)
{
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = sign * value_at(i + (sign < 0));
    dt_tensor *whole =
        tensor_of(f->mesh, "R", DT_F32, DT_SHAPE(ROWS, COLUMNS), values);
    dt_tensor *made = dt_redistribute(whole, layout);
    start_counting(f);
    return made;
}

/* Check a tensor against real parts times `real` and imaginary parts times
 * `imaginary`. */
static void check_pairs(dt_tensor *tensor, double real, double imaginary)
{
    double wanted[2 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        wanted[2 * i] = real * value_at(i);
        wanted[2 * i + 1] = imaginary * -value_at(i + 1);
    }
    check_dtype(tensor, DT_C64);
    check_values(dt_view_as_real(tensor), wanted, (int64_t)2 * COUNT);
}

static void makes_and_sees_parts(dt_world *world)
{
    fixture f = open_fixture(world);
    double real[COUNT], imaginary[COUNT];
    for (int i = 0; i < COUNT; i++) {
        real[i] = value_at(i);
        imaginary[i] = -value_at(i + 1);
    }
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        const char *layout = i == 3 ? "P(sum)" : layouts[i];
        dt_tensor *x = make_part(&f, layouts[i], 1);
        dt_tensor *y = make_part(&f, layouts[i], -1);
        dt_tensor *z = dt_complex(x, y);
        check_layout(z, layout);
        dt_tensor *first = dt_real_part(z), *second = dt_imag_part(z);
        dt_tensor *turned = dt_conj(z);
        check_silent(&f);
        check_layout(turned, layout);
        check_layout(second, layout);
        check_shares_memory(first, z);
        check_pairs(z, 1, 1);
        check_pairs(turned, 1, -1);
        check_values(first, real, COUNT);
        check_values(second, imaginary, COUNT);
        CHECK(dt_conj_physical_(z) == z);
        check_pairs(z, 1, -1);
    }
    close_fixture(&f);
}

/* A number is its absolute value, turned by its angle. */
static void turns_numbers(dt_world *world)
{
    fixture f = open_fixture(world);
    double angles[COUNT], wanted[COUNT];
    for (int i = 0; i < COUNT; i++) {
        angles[i] = atan2(-value_at(i + 1), value_at(i));
        wanted[i] = value_at(i) < 0 ? acos(-1) : 0;
    }
    for (int i = 0; i < 3; i++) {
        dt_tensor *x = make_part(&f, layouts[i], 1);
        dt_tensor *z = dt_complex(x, make_part(&f, layouts[i], -1));
        dt_tensor *angle = dt_angle(z);
        check_layout(angle, layouts[i]);
        check_dtype(angle, DT_F32);
        check_values(angle, angles, COUNT);
        dt_tensor *back =
            dt_view_as_real(dt_sub(dt_polar(dt_abs(z), angle), z));
        double rest[2 * COUNT];
        if (read_tensor(back, rest))
            for (int k = 0; k < 2 * COUNT; k++)
                CHECKF(fabs(rest[k]) < 1e-5, "part %d is off by %g", k,
                       rest[k]);
        check_values(dt_angle(x), wanted, COUNT);
    }
    close_fixture(&f);
}

static void leaves_reals_alone(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_part(&f, "S(0)", 1);
    check_shares_memory(dt_conj(x), x);
    check_shares_memory(dt_real_part(x), x);
    CHECK_FAILS(
        world, status_of(world, dt_imag_part(x)), DT_ERR_UNSUPPORTED,
        "imag_part: self is f32; expected c64, which has an imaginary part");
    dt_tensor *wide = dt_zeros(f.mesh, "R", DT_F64, DT_SHAPE(COLUMNS));
    CHECK_FAILS(world, status_of(world, dt_complex(wide, wide)),
                DT_ERR_UNSUPPORTED,
                "complex: the arguments are f64 and f64; expected f32");
    CHECK_FAILS(world, status_of(world, dt_polar(x, wide)), DT_ERR_INVALID,
                "polar: the arguments are f32 and f64");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"numbers are made of parts, which are seen", makes_and_sees_parts},
    {"numbers have angles", turns_numbers},
    {"reals are left alone", leaves_reals_alone},
    {NULL, NULL},
};
