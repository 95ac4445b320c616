/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_parts.c - a plain part A, a distributed part B and a
 * plain part C: gradients of all three are those of one rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/autograd.h>
#include <dtensor/redistribute.h>

#include "support/tensors.h"

/*
 *     A    x = 2 a, on each rank; dt_from_local
 *     B    z = (x w)^2; x is replicated asynchronously
 *     C    dt_to_local; the sum of z c
 *
 * so the gradient of a is 8 a w^2 c, of w 8 a^2 w c, and of c 4 a^2 w^2.
 */
enum { ROWS = 7, COLUMNS = 3, COUNT = ROWS * COLUMNS };

static const int64_t strides[] = {COLUMNS, 1};

/* How a local tensor is read where it enters or leaves: its layout, the layout
 * of gradients that is asked for, and what the gradient then has. */
typedef struct crossing {
    const char *layout, *grad_layout, *gradient;
} crossing;

static const crossing entries[][6] = {
    {{NULL, NULL, NULL}},
    {{"S(0)", NULL, "S(0)"},
     {"S(1)", NULL, "S(1)"},
     {"R", NULL, "R"},
     {"R", "P", "P"},
     {"P", NULL, "R"}},
    {{"S(0)S(1)", NULL, "S(0)S(1)"},
     {"S(1)R", "S(1)P", "S(1)P"},
     {"RR", NULL, "RR"},
     {"RR", "PP", "PP"},
     {"PS(0)", NULL, "RS(0)"}},
};

/* What c has is in `layout`; z is brought to `gradient`, which is that of c's
 * gradient. */
static const crossing exits[][5] = {
    {{NULL, NULL, NULL}},
    {{"S(0)", NULL, "S(0)"},
     {"S(1)", "S(1)", "S(1)"},
     {"R", "R", "R"},
     {"P", "P", "R"}},
    {{"S(0)R", NULL, "S(0)R"},
     {"S(1)S(0)", NULL, "S(1)S(0)"},
     {"RR", "RR", "RR"},
     {"PS(0)", "PS(0)", "RS(0)"}},
};

static const char *const weights[] = {NULL, "S(1)", "S(1)S(0)"};
static const char *const whole[] = {NULL, "R", "RR"};

static dt_tensor *make(dt_mesh *mesh, const char *layout, int salt)
{
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = operand_at(salt, i);
    return tensor_of(mesh, layout, DT_F32, DT_SHAPE(ROWS, COLUMNS), values);
}

/* A leaf on this rank's own mesh: the local part of a tensor. */
static dt_tensor *make_local(dt_mesh *mesh, const char *layout, int salt)
{
    return dt_requires_grad(dt_clone(dt_to_local(make(mesh, layout, salt))));
}

static dt_tensor *from_local(dt_mesh *mesh, const char *layout,
                             dt_tensor *local, const char *grad_layout)
{
    const dt_shape shape = DT_SHAPE(ROWS, COLUMNS);
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    options.shape = &shape;
    options.strides = strides;
    options.grad_layout = grad_layout;
    return dt_from_local_tensor(mesh, layout, local, &options);
}

static dt_tensor *replicate(dt_tensor *tensor)
{
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.layout = whole[dt_mesh_ndim(dt_tensor_mesh(tensor))];
    options.asynchronous = true;
    return dt_redistribute_with(tensor, &options);
}

static dt_tensor *leave(dt_tensor *tensor, const crossing *at)
{
    dt_to_local_options options = DT_TO_LOCAL_OPTIONS_INIT;
    options.grad_layout = at->grad_layout;
    return dt_to_local_with(dt_redistribute(tensor, at->gradient), &options);
}

static void check_gradients(dt_tensor *a, dt_tensor *w, dt_tensor *c)
{
    double by_a[COUNT], by_w[COUNT], by_c[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const double x = operand_at(0, i), v = operand_at(1, i),
                     k = operand_at(2, i);
        by_a[i] = 8 * x * v * v * k;
        by_w[i] = 8 * x * x * v * k;
        by_c[i] = 4 * x * x * v * v;
    }
    check_values(a, by_a, COUNT);
    check_values(w, by_w, COUNT);
    check_values(c, by_c, COUNT);
}

static void check_parts(dt_world *world, dt_mesh *mesh, const crossing *in,
                        const crossing *out)
{
    fixture f = open_fixture(world);
    dt_tensor *a = make_local(mesh, in->layout, 0);
    dt_tensor *w = dt_requires_grad(make(mesh, weights[dt_mesh_ndim(mesh)], 1));
    dt_tensor *c = make_local(mesh, out->layout, 2);
    dt_tensor *x = from_local(mesh, in->layout, dt_mul_scalar(a, dt_integer(2)),
                              in->grad_layout);
    dt_tensor *y = dt_mul(replicate(x), w);
    dt_tensor *z = leave(dt_mul(y, y), out);
    CHECK_OK(world, dt_backward(dt_sum(dt_mul(z, c), DT_DIMS(), false)));
    dt_tensor *by_a = from_local(mesh, in->gradient, dt_tensor_grad(a), NULL);
    dt_tensor *by_c = from_local(mesh, out->gradient, dt_tensor_grad(c), NULL);
    check_layout(dt_tensor_grad(w), weights[dt_mesh_ndim(mesh)]);
    if (dt_mesh_is_member(mesh))
        check_gradients(by_a, dt_tensor_grad(w), by_c);
    close_without_errors(&f);
}

/* Meshes of all ranks, and of all but one, along one dimension and two. */
static void gradients_of_all_parts(dt_world *world)
{
    mesh_list meshes = make_meshes(world);
    for (int i = 0; i < meshes.count; i++) {
        const int ndim = dt_mesh_ndim(meshes.meshes[i]);
        if (ndim > 2)
            continue;
        for (const crossing *in = entries[ndim]; in->layout; in++)
            for (const crossing *out = exits[ndim]; out->layout; out++)
                check_parts(world, meshes.meshes[i], in, out);
    }
    release_meshes(&meshes);
}

const dt_test dt_tests[] = {
    {"gradients of all parts", gradients_of_all_parts},
    {NULL, NULL},
};
