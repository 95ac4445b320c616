/* tests/unit/tensor/order.c - strides of pointwise results, worked out by hand.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <dtensor/dtensor.h>

#include "tensor/order.h"

enum { MOST_INPUTS = 3 };

/* Strides of a shape; a dimension that is missing in front has none. */
typedef struct input {
    dt_shape shape;
    int64_t strides[DT_MAX_NDIM];
} input;

typedef struct example {
    const char *why;
    dt_shape shape; /* of the result */
    int count;
    input inputs[MOST_INPUTS];
    int64_t strides[DT_MAX_NDIM]; /* of the result */
} example;

static const example examples[] = {
    {"row-major stays so",
     {2, {2, 3}},
     2,
     {{{2, {2, 3}}, {3, 1}}, {{2, {2, 3}}, {3, 1}}},
     {3, 1}},
    {"a transposed tensor", {2, {2, 3}}, 1, {{{2, {2, 3}}, {1, 2}}}, {1, 2}},
    {"two with the same strides",
     {3, {2, 3, 4}},
     2,
     {{{3, {2, 3, 4}}, {1, 8, 2}}, {{3, {2, 3, 4}}, {1, 8, 2}}},
     {1, 8, 2}},
    {"the first one decides",
     {2, {2, 3}},
     2,
     {{{2, {2, 3}}, {1, 2}}, {{2, {2, 3}}, {3, 1}}},
     {1, 2}},
    {"a number in front does not",
     {2, {2, 3}},
     2,
     {{{0, {0}}, {0}}, {{2, {2, 3}}, {1, 2}}},
     {1, 2}},
    {"a vector tells nothing of two dimensions",
     {3, {2, 3, 4}},
     2,
     {{{1, {4}}, {1}}, {{3, {2, 3, 4}}, {1, 8, 2}}},
     {1, 8, 2}},
    {"gaps are left out", {2, {2, 3}}, 1, {{{2, {2, 3}}, {2, 10}}}, {1, 2}},
    {"a repeated dimension stays between its neighbours",
     {3, {2, 3, 4}},
     1,
     {{{3, {2, 3, 4}}, {4, 0, 1}}},
     {12, 4, 1}},
    {"a repeated dimension is told by the next input",
     {2, {2, 3}},
     2,
     {{{2, {2, 3}}, {0, 1}}, {{2, {2, 3}}, {1, 2}}},
     {1, 2}},
    {"columns and rows: nothing is known",
     {2, {2, 3}},
     2,
     {{{2, {2, 1}}, {1, 1}}, {{2, {1, 3}}, {1, 1}}},
     {3, 1}},
    {"of equal strides the shorter dimension is inside",
     {2, {3, 2}},
     2,
     {{{2, {3, 2}}, {1, 1}}, {{1, {2}}, {1}}},
     {2, 1}},
    {"and so where it is the outer one",
     {2, {2, 3}},
     2,
     {{{2, {2, 3}}, {1, 1}}, {{1, {3}}, {1}}},
     {1, 2}},
    {"channels last",
     {4, {2, 3, 4, 5}},
     2,
     {{{4, {2, 3, 4, 5}}, {60, 1, 15, 3}}, {{4, {2, 3, 4, 5}}, {60, 1, 15, 3}}},
     {60, 1, 15, 3}},
    {"two that swap leave the one between in its place",
     {3, {2, 3, 4}},
     2,
     {{{3, {2, 3, 4}}, {1, 0, 2}}, {{3, {1, 3, 1}}, {3, 1, 1}}},
     {1, 2, 6}},
    {"no elements",
     {2, {0, 3}},
     2,
     {{{2, {0, 3}}, {3, 1}}, {{1, {3}}, {1}}},
     {3, 1}},
    {"one that is absent",
     {2, {2, 3}},
     3,
     {{{-1, {0}}, {0}}, {{2, {2, 3}}, {1, 2}}, {{-1, {0}}, {0}}},
     {1, 2}},
};

static void check_strides(const char *why, const dt_meta *meta,
                          const int64_t *expected)
{
    for (int i = 0; i < meta->shape.ndim; i++)
        CHECKF(meta->strides[i] == expected[i],
               "%s: stride %d is %lld instead of %lld", why, i,
               (long long)meta->strides[i], (long long)expected[i]);
}

static dt_meta meta_of(const input *from)
{
    dt_meta meta = {.dtype = DT_F32, .shape = from->shape};
    for (int i = 0; i < from->shape.ndim; i++)
        meta.strides[i] = from->strides[i];
    return meta;
}

static void orders_results(dt_world *world)
{
    (void)world;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const example *of = &examples[i];
        dt_meta metas[MOST_INPUTS], result = {.shape = of->shape};
        const dt_meta *inputs[MOST_INPUTS] = {NULL};
        for (int k = 0; k < of->count; k++) {
            metas[k] = meta_of(&of->inputs[k]);
            inputs[k] = of->inputs[k].shape.ndim < 0 ? NULL : &metas[k];
        }
        dti_meta_order(&result, inputs, of->count);
        check_strides(of->why, &result, of->strides);
    }
}

/* Copies keep dense strides, also those of extents of 1, and lose gaps. */
static void copies_keep_order(dt_world *world)
{
    dt_meta odd = {.shape = {3, {2, 1, 3}}, .strides = {1, 100, 2}};
    dt_meta gaps = {.shape = {2, {2, 3}}, .strides = {1, 4}};
    dt_meta repeated = {.shape = {2, {2, 3}}, .strides = {0, 0}};
    (void)world;
    dti_meta_keep_order(&odd);
    check_strides("dense", &odd, (const int64_t[]){1, 100, 2});
    dti_meta_make_dense(&odd);
    check_strides("made dense", &odd, (const int64_t[]){1, 6, 2});
    dti_meta_keep_order(&gaps);
    check_strides("with gaps", &gaps, (const int64_t[]){1, 2});
    dti_meta_keep_order(&repeated);
    check_strides("repeated", &repeated, (const int64_t[]){3, 1});
}

/* The local array has the order of the spec, whatever a rank has of it. */
static void local_arrays_follow(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_spec *spec = NULL;
    dt_array form;
    dt_meta meta = {
        .dtype = DT_F32, .shape = {3, {2, 3, 4}}, .strides = {1, 8, 2}};
    dt_layout layout = dt_layout_of(&(dt_placement){.kind = DT_REPLICATE}, 1);
    CHECK_OK(world, dt_mesh_create(world, "x=1", &mesh));
    CHECK_OK(world, dt_spec_create_with(mesh, &layout, &meta, &spec));
    dti_spec_form(spec, &form);
    CHECK(!form.contiguous);
    CHECK_INT(form.count, 24);
    for (int i = 0; i < 3; i++)
        CHECK_INT(form.strides[i], meta.strides[i]);
    dt_spec_release(spec);
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"results have the order of their inputs", orders_results},
    {"copies keep the order", copies_keep_order},
    {"local arrays follow the spec", local_arrays_follow},
    {NULL, NULL},
};
