/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/nn/group_norm.c - group norm, and back through it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

/* 4 batches of 12 channels in 4 groups of 3, with 5 elements each. */
enum {
    N = 4,
    C = 12,
    G = 4,
    D = C / G,
    HW = 5,
    ALL = N * C * HW,
    ROWS = N * G
};

typedef struct expected {
    double means[ROWS], rstds[ROWS];
    double out[ALL], grads[ALL], weights[C], biases[C];
} expected;

static double weight_at(int c)
{
    return 1 + c % 3;
}

static double grad_at(int i)
{
    return value_at(i + 7);
}

static void expect_row(int row, expected *out)
{
    const int start = row * D * HW, first = row % G * D;
    double mean = 0, squares = 0, a = 0, b = 0;
    for (int i = 0; i < D * HW; i++)
        mean += value_at(start + i) / (D * HW);
    for (int i = 0; i < D * HW; i++)
        squares += pow(value_at(start + i) - mean, 2) / (D * HW);
    const double rstd = 1 / sqrt(squares + 0.01);
    for (int i = 0; i < D * HW; i++) {
        const int c = first + i / HW;
        const double hat = (value_at(start + i) - mean) * rstd;
        const double g = grad_at(start + i);
        out->out[start + i] = hat * weight_at(c) + c;
        out->weights[c] += g * hat;
        out->biases[c] += g;
        a += g * weight_at(c) / (D * HW);
        b += g * weight_at(c) * hat / (D * HW);
    }
    for (int i = 0; i < D * HW; i++)
        out->grads[start + i] =
            rstd * (grad_at(start + i) * weight_at(first + i / HW) - a -
                    b * (value_at(start + i) - mean) * rstd);
    out->means[row] = mean;
    out->rstds[row] = rstd;
}

static void expect(expected *out)
{
    memset(out, 0, sizeof *out);
    for (int row = 0; row < ROWS; row++)
        expect_row(row, out);
}

static void check_near(dt_tensor *tensor, const double *wanted, int count)
{
    double found[ELEMENTS_MAX];
    if (read_tensor(tensor, found))
        for (int i = 0; i < count; i++)
            CHECKF(fabs(found[i] - wanted[i]) <= 1e-9 * (1 + fabs(wanted[i])),
                   "element %d is %.12g, not %.12g", i, found[i], wanted[i]);
}

typedef struct inputs {
    dt_tensor *x, *g, *w, *b;
} inputs;

static inputs make_inputs(dt_mesh *mesh, const char *layout)
{
    double values[ALL], grads[ALL], weights[C], biases[C];
    for (int i = 0; i < ALL; i++) {
        values[i] = value_at(i);
        grads[i] = grad_at(i);
    }
    for (int i = 0; i < C; i++) {
        weights[i] = weight_at(i);
        biases[i] = i;
    }
    const dt_shape shape = DT_SHAPE(N, C, HW);
    const char *whole = dt_mesh_ndim(mesh) == 1 ? "R" : "RR";
    return (inputs){.x = tensor_of(mesh, layout, DT_F64, shape, values),
                    .g = tensor_of(mesh, layout, DT_F64, shape, grads),
                    .w = tensor_of(mesh, whole, DT_F64, DT_SHAPE(C), weights),
                    .b = tensor_of(mesh, whole, DT_F64, DT_SHAPE(C), biases)};
}

/* How a call is to go: layouts of results, and calls of collectives. */
typedef struct wanted {
    const char *layout, *rows, *factors;
    int forward, back, back_alone;
} wanted;

static void check_back(dt_mesh *mesh, const inputs *in, dt_tensor *mean,
                       dt_tensor *rstd, const wanted *how,
                       const expected *numbers)
{
    dt_world *world = dt_mesh_world(mesh);
    const bool many = dt_mesh_size(mesh) > 1;
    const int64_t all[] = {1, 1, 1}, alone[] = {1, 0, 0};
    dt_tensor *gx = NULL, *gw = NULL, *gb = NULL;
    uint64_t calls = calls_so_far(world);
    CHECK_OK(world, dt_group_norm_backward(in->g, in->x, mean, rstd, in->w, N,
                                           C, HW, G, all, 3, &gx, &gw, &gb));
    CHECK_INT((long long)(calls_so_far(world) - calls), many ? how->back : 0);
    check_layout(gx, how->layout);
    check_layout(gw, how->factors);
    check_layout(gb, how->factors);
    check_near(gx, numbers->grads, ALL);
    check_near(gw, numbers->weights, C);
    check_near(gb, numbers->biases, C);
    calls = calls_so_far(world);
    CHECK_OK(world, dt_group_norm_backward(in->g, in->x, mean, rstd, in->w, N,
                                           C, HW, G, alone, 3, &gx, &gw, &gb));
    CHECK_INT((long long)(calls_so_far(world) - calls),
              many ? how->back_alone : 0);
    check_near(gx, numbers->grads, ALL);
    CHECK_INT(dt_tensor_count(gw), 0);
}

static void check_both(dt_mesh *mesh, const wanted *how)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_scope *scope = dt_scope_open(world);
    static _Thread_local expected numbers;
    expect(&numbers);
    const inputs in = make_inputs(mesh, how->layout);
    dt_tensor *y = NULL, *mean = NULL, *rstd = NULL;
    const uint64_t calls = calls_so_far(world);
    CHECK_OK(world, dt_group_norm(in.x, in.w, in.b, N, C, HW, G, 0.01, &y,
                                  &mean, &rstd));
    CHECK_INT((long long)(calls_so_far(world) - calls),
              dt_mesh_size(mesh) > 1 ? how->forward : 0);
    check_layout(y, how->layout);
    check_layout(mean, how->rows);
    check_layout(rstd, how->rows);
    check_near(y, numbers.out, ALL);
    check_near(mean, numbers.means, ROWS);
    check_near(rstd, numbers.rstds, ROWS);
    check_back(mesh, &in, mean, rstd, how, &numbers);
    CHECK_OK(world, dt_scope_close(scope));
}

/* Nothing is sent where rows stay whole, one small call where they are cut; and
 * another back where channels are, whose gradients are summed. */
static void every_cut(dt_world *world)
{
    fixture f = open_fixture(world);
    check_both(f.mesh, &(wanted){"R", "R", "R", 0, 0, 0});
    check_both(f.mesh, &(wanted){"S(0)", "S(0)", "P(sum)", 0, 0, 0});
    if ((C + f.ranks - 1) / f.ranks % D == 0)
        check_both(f.mesh, &(wanted){"S(1)", "S(1)", "S(0)", 0, 0, 0});
    check_both(f.mesh, &(wanted){"S(2)", "R", "R", 1, 2, 1});
    if (f.ranks <= D)
        check_both(f.mesh, &(wanted){"_S(1,4)", "R", "_S(0,4)", 1, 1, 1});
    close_fixture(&f);
}

static void meshes_of_two_dimensions(dt_world *world)
{
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) != 4)
        return;
    CHECK_OK(world, dt_mesh_create(world, "x=2,y=2", &mesh));
    check_both(mesh, &(wanted){"S(0)S(1)", "S(0)S(1)", "P(sum)S(0)", 0, 0, 0});
    check_both(mesh, &(wanted){"S(1)S(2)", "S(1)R", "S(0)R", 1, 2, 1});
    check_both(mesh, &(wanted){"S(0)S(2)", "S(0)R", "P(sum)R", 1, 2, 1});
    dt_mesh_release(mesh);
}

/* Groups that a plain cut parts are moved together. */
static void parted_groups(dt_world *world)
{
    fixture f = open_fixture(world);
    static _Thread_local expected numbers;
    expect(&numbers);
    if (f.ranks == 3) {
        const inputs in = make_inputs(f.mesh, "S(1)");
        dt_tensor *y = NULL, *mean = NULL, *rstd = NULL;
        CHECK_OK(world, dt_group_norm(in.x, in.w, in.b, N, C, HW, G, 0.01, &y,
                                      &mean, &rstd));
        check_near(y, numbers.out, ALL);
    }
    close_fixture(&f);
}

static void dtypes_and_absent_factors(dt_world *world)
{
    fixture f = open_fixture(world);
    const double ones[] = {1, 1, 1, 1};
    dt_tensor *x = make_tensor(&f, "S(0)", DT_BF16, DT_SHAPE(3, 4, 2));
    dt_tensor *w = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(4), ones);
    dt_tensor *plain = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(3, 4, 2));
    dt_tensor *y = NULL, *with = NULL, *mean = NULL, *rstd = NULL;
    CHECK_OK(world,
             dt_group_norm(x, w, NULL, 3, 4, 2, 2, 0.01, &y, &mean, &rstd));
    check_dtype(y, DT_BF16);
    check_dtype(mean, DT_F32);
    CHECK_OK(world,
             dt_group_norm(x, NULL, NULL, 3, 4, 2, 2, 0.01, &y, &mean, &rstd));
    check_dtype(rstd, DT_BF16);
    CHECK_OK(world, dt_group_norm(plain, NULL, NULL, 3, 4, 2, 2, 0.01, &y,
                                  &mean, &rstd));
    CHECK_OK(world, dt_group_norm(plain, w, NULL, 3, 4, 2, 2, 0.01, &with,
                                  &mean, &rstd));
    double numbers[24];
    if (read_tensor(y, numbers))
        check_values(with, numbers, 24);
    close_fixture(&f);
}

/* A group that has NaN is NaN, and others are not. */
static void unknown_and_empty(dt_world *world)
{
    fixture f = open_fixture(world);
    const double values[] = {1, NAN, 3, 4, 5, 6, 7, 9};
    const double means[] = {NAN, 3.5, 5.5, 8};
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(2, 4), values);
    dt_tensor *y = NULL, *mean = NULL, *rstd = NULL;
    CHECK_OK(world,
             dt_group_norm(x, NULL, NULL, 2, 4, 1, 2, 0.01, &y, &mean, &rstd));
    check_values(mean, means, 4);
    x = make_tensor(&f, "R", DT_F32, DT_SHAPE(0, 4, 3));
    CHECK_OK(world,
             dt_group_norm(x, NULL, NULL, 0, 4, 3, 2, 0.01, &y, &mean, &rstd));
    CHECK_INT(dt_tensor_count(y), 0);
    CHECK(mean && dt_shape_equal(dt_tensor_shape(mean), DT_SHAPE(0, 2)));
    close_fixture(&f);
}

static void refused(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t two[] = {1, 1}, all[] = {1, 1, 1};
    dt_tensor *x = make_tensor(&f, "R", DT_F32, DT_SHAPE(2, 4, 3));
    dt_tensor *w = make_tensor(&f, "R", DT_F32, DT_SHAPE(3));
    dt_tensor *h = make_tensor(&f, "R", DT_F16, DT_SHAPE(4));
    dt_tensor *i = make_tensor(&f, "R", DT_I32, DT_SHAPE(2, 4));
    dt_tensor *r = make_tensor(&f, "R", DT_F32, DT_SHAPE(2, 2));
    dt_tensor *a = NULL, *b = NULL, *c = NULL;
    CHECK_FAILS(world, dt_group_norm(x, NULL, NULL, 2, 4, 3, 3, 0, &a, &b, &c),
                DT_ERR_INVALID,
                "4 channels cannot be divided into 3 groups of equal size");
    CHECK_FAILS(world, dt_group_norm(x, NULL, NULL, 2, 4, 3, 0, 0, &a, &b, &c),
                DT_ERR_INVALID,
                "4 channels cannot be divided into 0 groups of equal size");
    CHECK_FAILS(world, dt_group_norm(x, NULL, NULL, 2, 4, 2, 2, 0, &a, &b, &c),
                DT_ERR_INVALID, "hxw is 2; expected 3");
    CHECK_FAILS(world, dt_group_norm(w, NULL, NULL, 3, 1, 1, 1, 0, &a, &b, &c),
                DT_ERR_INVALID,
                "expected at least 2 dimensions, batch and channels");
    CHECK_FAILS(world, dt_group_norm(x, w, NULL, 2, 4, 3, 2, 0, &a, &b, &c),
                DT_ERR_INVALID, "group_norm: weight is (3,); expected (4,)");
    CHECK_FAILS(
        world, dt_group_norm(x, NULL, h, 2, 4, 3, 2, 0, &a, &b, &c),
        DT_ERR_UNSUPPORTED,
        "input is f32 but bias is f16; these dtypes cannot be combined");
    CHECK_FAILS(world, dt_group_norm(i, NULL, NULL, 2, 4, 1, 2, 0, &a, &b, &c),
                DT_ERR_UNSUPPORTED, "not supported for dtype i32");
    CHECK_FAILS(world,
                dt_group_norm_backward(x, x, r, r, NULL, 2, 4, 3, 2, two, 2, &a,
                                       &b, &c),
                DT_ERR_INVALID, "output_mask has 2 elements");
    CHECK_FAILS(world,
                dt_group_norm_backward(x, x, x, r, NULL, 2, 4, 3, 2, all, 3, &a,
                                       &b, &c),
                DT_ERR_INVALID, "mean is (2, 4, 3); expected (2, 2)");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"every cut", every_cut},
    {"meshes of two dimensions", meshes_of_two_dimensions},
    {"parted groups", parted_groups},
    {"dtypes and absent factors", dtypes_and_absent_factors},
    {"unknown and empty", unknown_and_empty},
    {"refused", refused},
    {NULL, NULL},
};
