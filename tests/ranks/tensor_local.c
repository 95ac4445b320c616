/* ranks: 1 2 3 4 6 7 */
/* tests/ranks/tensor_local.c - tensors from the parts of ranks, and back. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: boundary */
#include <dtensor/redistribute.h>
#include <dtensor/trace.h>

#include "support/tensors.h"

/* A mesh of two dimensions, the first one of size 2 if it can be. */
static dt_mesh *grid(dt_world *world)
{
    dt_mesh *mesh = NULL;
    bool even = dt_world_size(world) % 2 == 0;
    CHECK_OK(world, dt_mesh_create(world, even ? "a=2,b" : "a=1,b", &mesh));
    return mesh;
}

static void check_strides(const dt_tensor *tensor, dt_shape shape,
                          const int64_t *strides)
{
    if (!CHECKF(tensor, "there is no tensor"))
        return;
    CHECK(dt_shape_equal(dt_tensor_shape(tensor), shape));
    for (int i = 0; i < shape.ndim; i++)
        CHECKF(dt_tensor_stride(tensor, i) == strides[i],
               "dimension %d has stride %lld, not %lld", i,
               (long long)dt_tensor_stride(tensor, i), (long long)strides[i]);
}

/* ---- The whole that parts suggest --------------------------------------- */

static void behaviour_7_strides_of_the_whole(dt_world *world)
{
    int64_t n = dt_world_size(world);
    dt_mesh *mesh = mesh_of_all(world), *two = grid(world);
    int64_t a = dt_mesh_dim_size(two, 0), b = dt_mesh_dim_size(two, 1);
    dt_array *plain = new_array(world, DT_F32, DT_SHAPE(8, 4));
    dt_array *dense = new_array(world, DT_F32, DT_SHAPE(2, 4, 8));
    dt_array *ones = new_array(world, DT_F32, DT_SHAPE(1, 3, 1));
    dt_array *moved = NULL;
    CHECK_OK(world, dt_array_permute(world, dense, (int[]){1, 2, 0}, &moved));
    check_strides(dt_from_local(mesh, "S(1)", plain), DT_SHAPE(8, 4 * n),
                  (int64_t[]){4 * n, 1});
    check_strides(dt_from_local(mesh, "S(0)", plain), DT_SHAPE(8 * n, 4),
                  (int64_t[]){4, 1});
    check_strides(dt_from_local(mesh, "R", plain), DT_SHAPE(8, 4),
                  (int64_t[]){4, 1});
    check_strides(dt_from_local(mesh, "P", plain), DT_SHAPE(8, 4),
                  (int64_t[]){4, 1});
    /* Strides (8, 1, 32): those that are not smaller than the cut one's. */
    check_strides(dt_from_local(mesh, "S(1)", moved), DT_SHAPE(4, 8 * n, 2),
                  (int64_t[]){8 * n, 1, 32 * n});
    check_strides(dt_from_local(mesh, "S(0)", moved), DT_SHAPE(4 * n, 8, 2),
                  (int64_t[]){8, 1, 32 * n});
    check_strides(dt_from_local(mesh, "S(2)", moved), DT_SHAPE(4, 8, 2 * n),
                  (int64_t[]){8, 1, 32});
    /* Equal ones too. */
    check_strides(dt_from_local(mesh, "S(2)", ones), DT_SHAPE(1, 3, n),
                  (int64_t[]){3 * n, n, 1});
    check_strides(dt_from_local(two, "S(1)S(1)", plain), DT_SHAPE(8, 4 * a * b),
                  (int64_t[]){4 * a * b, 1});
    check_strides(dt_from_local(two, "S(1)S(0)", plain), DT_SHAPE(8 * b, 4 * a),
                  (int64_t[]){4 * a, 1});
    check_strides(dt_from_local(two, "S(1)S(0)", moved),
                  DT_SHAPE(4 * b, 8 * a, 2), (int64_t[]){8 * a, 1, 32 * a * b});
    dt_array_release(moved);
    dt_array_release(ones);
    dt_array_release(dense);
    dt_array_release(plain);
    dt_mesh_release(two);
    dt_mesh_release(mesh);
}

/* This rank's part of a tensor, as the oracle cuts it. */
static dt_array *own_part(const dt_mesh *mesh, const dt_layout *layout,
                          dt_dtype dtype, dt_shape shape, array_form form,
                          element_rule rule)
{
    dt_world *world = dt_mesh_world(mesh);
    int64_t index[DT_MAX_NDIM] = {0}, global[DT_MAX_NDIM];
    if (!dt_mesh_is_member(mesh))
        return new_array(world, dtype, shape);
    local_lists lists = lists_of(mesh, layout, shape);
    dt_array *local = new_array_in(world, dtype, lists.shape, form);
    if (dt_array_count(local) == 0)
        return local;
    do {
        for (int i = 0; i < shape.ndim; i++)
            global[i] = lists.dims[i].items[index[i]];
        write_bits(local, index,
                   element_bits(rule, dtype, row_major(global, shape)));
    } while (next_index(index, lists.shape));
    return local;
}

static void row_major_strides(dt_shape shape, int64_t *strides)
{
    int64_t stride = 1;
    for (int i = shape.ndim - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= shape.dims[i];
    }
}

/* Parts of any size, with the shape and strides of the whole. */
static void behaviour_8_uneven_parts(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_list grids = make_meshes(world);
    for (int i = 0; i < grids.count; i++)
        for (int round = 0; round < 60; round++) {
            dt_mesh *mesh = grids.meshes[i];
            dt_scope *scope = dt_scope_open(world);
            dt_dtype dtype = draw_dtype(&state);
            dt_shape shape = draw_shape(&state);
            dt_layout layout =
                draw_layout(mesh, shape.ndim, dtype, &state, DRAW_STRIDED);
            element_rule rule = {dt_test_random(&state), false};
            array_form form = (array_form)below(&state, FORM_COUNT);
            const char *text = dt_layout_text(world, &layout);
            dt_array *local = own_part(mesh, &layout, dtype, shape, form, rule);
            int64_t strides[DT_MAX_NDIM];
            row_major_strides(shape, strides);
            dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
            options.shape = &shape;
            options.strides = strides;
            options.check = below(&state, 2);
            dt_tensor *tensor = dt_from_local_with(mesh, text, local, &options);
            bool good = CHECKF(tensor, "%s", dt_world_error(world)->message);
            if (good) {
                if (dt_mesh_is_member(mesh))
                    CHECK(dt_tensor_local(tensor) == local);
                check_strides(tensor, shape, strides);
                good = check_local(tensor, &layout, rule);
                good &= check_global(tensor, rule);
            }
            check_case(good, mesh, text, dtype, shape);
            dt_array_release(local);
            CHECK_OK(world, dt_scope_close(scope));
        }
    release_meshes(&grids);
}

static void behaviour_8_shape_and_strides_together(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    dt_array *local = new_array(world, DT_F32, DT_SHAPE(2, 3));
    dt_shape shape = DT_SHAPE(2 * dt_world_size(world), 3);
    dt_shape other = DT_SHAPE(2 * dt_world_size(world) + 50, 3);
    dt_shape many = {.ndim = DT_MAX_NDIM + 1};
    const int64_t strides[] = {3, 1}, negative[] = {3, -1};
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    options.shape = &shape;
    check_invalid(world, dt_from_local_with(mesh, "S(0)", local, &options),
                  "the shape only");
    options.strides = strides;
    CHECK(dt_from_local_with(mesh, "S(0)", local, &options));
    if (dt_world_size(world) > 1)
        check_invalid(world, dt_from_local_with(mesh, "S(1)", local, &options),
                      "the local array of rank");
    options.shape = NULL;
    check_invalid(world, dt_from_local_with(mesh, "S(0)", local, &options),
                  "strides only");
    options.shape = &other;
    check_invalid(world, dt_from_local_with(mesh, "S(0)", local, &options),
                  "the local array of rank");
    options.shape = &many;
    check_invalid(world, dt_from_local_with(mesh, "S(0)", local, &options),
                  "9");
    options.shape = &shape;
    options.strides = negative;
    check_invalid(world, dt_from_local_with(mesh, "S(0)", local, &options),
                  "negative");
    options.size = 1;
    check_invalid(world, dt_from_local_with(mesh, "S(0)", local, &options),
                  "DT_FROM_LOCAL_OPTIONS_INIT");
    check_invalid(world, dt_from_local(mesh, "S(0)", NULL), "NULL");
    check_invalid(world, dt_from_local(mesh, "S(0)R", local), "placements");
    check_invalid(world, dt_from_local(mesh, "S(2)", local), "S(2)");
    CHECK(!dt_from_local(NULL, "S(0)", local));
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_array_release(local);
    dt_mesh_release(mesh);
}

static void behaviour_9_negative_dimensions(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    dt_shape shape = DT_SHAPE(5, 4);
    dt_array *local = global_array(world, DT_I32, shape, FORM_DENSE,
                                   (element_rule){1, false});
    dt_tensor *last = dt_from_local(mesh, "S(-1)", local);
    dt_tensor *first =
        dt_distribute(mesh, "S(-2)", DT_I32, shape, local, DT_EVERYWHERE);
    dt_tensor *made = dt_zeros(mesh, "_S(-1,2)", DT_I32, shape);
    dt_tensor *moved = dt_redistribute(first, "S(-1)");
    if (CHECK(moved != NULL)) {
        CHECK_INT(dt_tensor_layout(moved)->placements[0].dim, 1);
        CHECK(dt_tensor_spec(moved) ==
              dt_tensor_spec(dt_redistribute(first, "S(1)")));
        check_global(moved, (element_rule){1, false});
    }
    if (CHECK(last && first && made)) {
        CHECK_INT(dt_tensor_layout(last)->placements[0].dim, 1);
        CHECK_INT(dt_tensor_layout(first)->placements[0].dim, 0);
        CHECK_INT(dt_tensor_layout(made)->placements[0].dim, 1);
        CHECK(dt_tensor_spec(first) ==
              dt_tensor_spec(dt_zeros(mesh, "S(0)", DT_I32, shape)));
    }
    dt_array_release(local);
    dt_mesh_release(mesh);
}

/* ---- Parts that are compared -------------------------------------------- */

/* What is wrong with the part of one rank. */
typedef enum wrong_part {
    WRONG_NOTHING,
    WRONG_DTYPE,
    WRONG_SHAPE,
    WRONG_STRIDES,
    WRONG_VALUES,
    WRONG_DIMENSIONS, /* fewer than the layout names */
    WRONG_NULL,
    WRONG_REDUCTION, /* a dtype that has no such */
    WRONG_COUNT
} wrong_part;

static dt_array *part_with(dt_world *world, wrong_part wrong)
{
    dt_shape shape = wrong == WRONG_SHAPE        ? DT_SHAPE(3, 5)
                     : wrong == WRONG_DIMENSIONS ? DT_SHAPE(3)
                                                 : DT_SHAPE(3, 4);
    dt_dtype dtype = wrong == WRONG_DTYPE       ? DT_F64
                     : wrong == WRONG_REDUCTION ? DT_I32
                                                : DT_F32;
    if (wrong == WRONG_NULL)
        return NULL;
    dt_array *array =
        new_array_in(world, dtype, shape,
                     wrong == WRONG_STRIDES ? FORM_REVERSED : FORM_DENSE);
    CHECK_OK(world, dt_array_fill(world, array, wrong == WRONG_VALUES ? 2 : 1));
    return array;
}

static bool is_refused(wrong_part wrong, const char *layout)
{
    if (wrong == WRONG_VALUES)
        return layout[0] == 'R';
    /* A whole or partial part may have any number of dimensions. */
    return wrong != WRONG_NOTHING;
}

/* One rank after another has another part than the rest; all are told, and
 * nothing has to be recovered. */
static void behaviour_10_parts_are_compared(dt_world *world)
{
    static const char *const texts[] = {"S(1)", "R", "P(avg)"};
    int n = dt_world_size(world), rank = dt_world_rank(world);
    dt_mesh *mesh = mesh_of_all(world);
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    options.check = true;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int wrong = 0; wrong < WRONG_COUNT; wrong++)
            for (int bad = 0; bad < n; bad++) {
                dt_array *part = part_with(
                    world, rank == bad ? (wrong_part)wrong : WRONG_NOTHING);
                bool refused = is_refused((wrong_part)wrong, texts[i]) &&
                               (n > 1 || wrong == WRONG_NULL);
                if (n == 1 && wrong == WRONG_DIMENSIONS)
                    refused = texts[i][0] == 'S';
                if (n == 1 && wrong == WRONG_REDUCTION)
                    refused = texts[i][0] == 'P';
                dt_check_forget(world);
                dt_tensor *tensor =
                    dt_from_local_with(mesh, texts[i], part, &options);
                CHECKF((tensor != NULL) == !refused,
                       "%s, mistake %d of rank %d: %s", texts[i], wrong, bad,
                       dt_world_error(world)->message);
                CHECK_INT(dt_world_error(world)->code,
                          refused ? DT_ERR_INVALID : DT_OK);
                CHECK(!refused || dt_world_error(world)->message[0]);
                dt_array_release(part);
            }
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_mesh_release(mesh);
}

/* Without a check, nothing is sent: what differs is noticed when ranks next
 * compare what they called. */
static void behaviour_10_parts_are_believed(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    bool odd = dt_world_rank(world) % 2;
    dt_array *part = part_with(world, odd ? WRONG_SHAPE : WRONG_NOTHING);
    dt_trace_clear(world);
    CHECK(dt_from_local(mesh, "R", part));
    CHECK(dt_from_local(mesh, "S(1)", part));
    for (int kind = 0; kind < DT_COLLECTIVE_COUNT; kind++)
        CHECK_INT(dt_trace_count(world, (dt_collective)kind).calls, 0);
    if (dt_world_size(world) > 1 && !dt_test_skip_uncompared(world)) {
        CHECK_FAILS(world, dt_world_check(world), DT_ERR_DIVERGED,
                    "rank 0 called from_local(result=f32[3, 4] R), rank 1 "
                    "called from_local(result=f32[3, 5] R)");
        CHECK_OK(world, dt_world_recover(world));
    }
    dt_array_release(part);
    dt_mesh_release(mesh);
}

/* Replicas are those of one coordinate of what is cut. */
static void compares_replicas_only(dt_world *world)
{
    dt_mesh *mesh = grid(world);
    int row = dt_mesh_coordinate(mesh, 0), column = dt_mesh_coordinate(mesh, 1);
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    dt_array *part = new_array(world, DT_F64, DT_SHAPE(4));
    options.check = true;
    CHECK_OK(world, dt_array_fill(world, part, column));
    CHECK(dt_from_local_with(mesh, "RS(0)", part, &options));
    CHECK(dt_from_local_with(mesh, "RP", part, &options));
    CHECK((dt_mesh_dim_size(mesh, 1) == 1) ==
          !!dt_from_local_with(mesh, "S(0)R", part, &options));
    CHECK_OK(world, dt_array_fill(world, part, row));
    CHECK(dt_from_local_with(mesh, "S(0)R", part, &options));
    CHECK(dt_from_local_with(mesh, "PR", part, &options));
    CHECK((dt_mesh_dim_size(mesh, 0) == 1) ==
          !!dt_from_local_with(mesh, "RS(0)", part, &options));
    /* The bits are compared: zeros of different signs are not the same. */
    CHECK_OK(world, dt_array_fill(world, part, row ? -0.0 : 0.0));
    CHECK((dt_mesh_dim_size(mesh, 0) == 1) ==
          !!dt_from_local_with(mesh, "RR", part, &options));
    dt_array_release(part);
    dt_mesh_release(mesh);
}

/* Upstream compares over the world, and hangs here. */
static void compares_over_the_mesh_alone(dt_world *world)
{
    int members = dt_world_size(world) > 1 ? dt_world_size(world) - 1 : 1;
    dt_mesh *mesh = reversed_mesh(world, "x", members);
    if (dt_mesh_is_member(mesh)) {
        dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
        dt_array *part = part_with(world, WRONG_NOTHING);
        options.check = true;
        for (int i = 0; i < 3; i++)
            CHECK(
                dt_from_local_with(mesh, i % 2 ? "S(0)" : "R", part, &options));
        dt_array_release(part);
    }
    dt_mesh_release(mesh);
}

/* Without a layout local arrays are replicas, which a check compares. */
static void without_a_layout_is_replicated(dt_world *world)
{
    mesh_list grids = make_meshes(world);
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    dt_array *part = new_array(world, DT_I32, DT_SHAPE(2, 3));
    options.check = true;
    for (int i = 0; i < grids.count; i++) {
        dt_mesh *mesh = grids.meshes[i];
        CHECK_OK(world, dt_array_fill_int(world, part, 4));
        dt_tensor *alone = dt_from_local(dt_world_own_mesh(world), NULL, part);
        dt_tensor *made[] = {dt_from_local(mesh, NULL, part),
                             dt_from_local_with(mesh, NULL, part, &options),
                             dt_from_local_tensor(mesh, NULL, alone, &options)};
        for (size_t j = 0; j < COUNT_OF(made); j++) {
            CHECK(dt_spec_is_replicated(dt_tensor_spec(made[j])));
            CHECK(dt_shape_equal(dt_tensor_shape(made[j]), DT_SHAPE(2, 3)));
        }
        if (dt_mesh_size(mesh) < 2)
            continue;
        CHECK_OK(world, dt_array_fill_int(world, part, dt_world_rank(world)));
        const dt_tensor *differing =
            dt_from_local_with(mesh, NULL, part, &options);
        if (dt_mesh_is_member(mesh))
            check_invalid(world, differing, "requires ranks");
        else
            CHECK(differing != NULL);
    }
    dt_array_release(part);
    release_meshes(&grids);
}

/* ---- Out ---------------------------------------------------------------- */

static void shares_memory(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    int64_t n = dt_world_size(world);
    dt_array *part = new_array(world, DT_I64, DT_SHAPE(3));
    dt_tensor *tensor = dt_from_local(mesh, "S(0)", part);
    dt_tensor *local = dt_to_local(tensor);
    if (CHECK(tensor && local)) {
        int64_t *data = dt_array_data(part);
        for (int i = 0; i < 3; i++)
            data[i] = 10 * dt_world_rank(world) + i;
        CHECK(dt_array_const_data(dt_tensor_local(tensor)) == data);
        CHECK(dt_array_const_data(dt_tensor_local(local)) == data);
        CHECK(dt_tensor_mesh(local) == dt_world_own_mesh(world));
        CHECK(dt_shape_equal(dt_tensor_shape(local), DT_SHAPE(3)));
        CHECK(dt_spec_is_replicated(dt_tensor_spec(local)));
        dt_array *out = new_array(world, DT_I64, DT_SHAPE(3 * n));
        dt_box all = {.ndim = 1, .size = {3 * n}};
        CHECK_OK(world, dt_tensor_get(tensor, &all, out));
        for (int64_t i = 0; i < 3 * n; i++)
            CHECK_INT(((const int64_t *)dt_array_const_data(out))[i],
                      10 * (i / 3) + i % 3);
        dt_array_release(out);
        /* Reading what is on this rank's own mesh needs nobody else. */
        dt_array *own = new_array(world, DT_I64, DT_SHAPE(2));
        dt_box end = {.ndim = 1, .offset = {1}, .size = {2}};
        CHECK_OK(world, dt_tensor_get(local, &end, own));
        CHECK_INT(*(const int64_t *)dt_array_const_data(own), data[1]);
        dt_array_release(own);
    }
    dt_array_release(part);
    dt_mesh_release(mesh);
}

/* Strides of the part go along. */
static void keeps_strides_of_parts(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    dt_array *part = global_array(world, DT_I16, DT_SHAPE(3, 4), FORM_REVERSED,
                                  (element_rule){4, false});
    dt_tensor *local = dt_to_local(dt_from_local(mesh, "R", part));
    check_strides(local, DT_SHAPE(3, 4), (int64_t[]){1, 3});
    dt_tensor *like = dt_zeros_like(local);
    check_strides(like, DT_SHAPE(3, 4), (int64_t[]){1, 3});
    CHECK_INT(dt_array_stride(dt_tensor_local(like), 0), 1);
    CHECK_INT(dt_array_stride(dt_tensor_local(like), 1), 3);
    dt_array_release(part);
    dt_mesh_release(mesh);
}

static void takes_apart_and_puts_together(dt_world *world)
{
    unsigned long long state = dt_test_seed() + 1;
    mesh_list grids = make_meshes(world);
    for (int i = 0; i < grids.count; i++)
        for (int round = 0; round < 20; round++) {
            dt_mesh *mesh = grids.meshes[i];
            dt_dtype dtype = draw_dtype(&state);
            dt_shape shape = draw_shape(&state);
            dt_layout layout = draw_layout(mesh, shape.ndim, dtype, &state,
                                           DRAW_PARTIAL | DRAW_STRIDED);
            element_rule rule = {7, true};
            dt_array *whole =
                global_array(world, dtype, shape, FORM_DENSE, rule);
            dt_tensor *tensor =
                dt_distribute(mesh, dt_layout_text(world, &layout), dtype,
                              shape, whole, DT_EVERYWHERE);
            dt_array *array = NULL;
            dt_spec *spec = NULL;
            CHECK_OK(world, dt_tensor_disassemble(tensor, &array, &spec));
            CHECK(array == dt_tensor_local(tensor));
            CHECK(spec == dt_tensor_spec(tensor));
            dt_tensor_release_early(tensor);
            dt_tensor *again = dt_tensor_assemble(spec, array);
            if (CHECK(again)) {
                check_local(again, &layout, rule);
                check_global(again, rule);
            }
            dt_array_release(array);
            dt_spec_release(spec);
            dt_array_release(whole);
        }
    release_meshes(&grids);
}

static void unflatten_refuses(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    dt_spec *spec = NULL, *out = NULL;
    dt_array *wrong = new_array(world, DT_F32, DT_SHAPE(77)), *array = NULL;
    CHECK_OK(world, dt_spec_create(mesh, "S(0)", DT_F32, DT_SHAPE(6), &spec));
    check_invalid(world, dt_tensor_assemble(spec, wrong), "77");
    check_invalid(world, dt_tensor_assemble(spec, NULL), "NULL");
    dt_array_release(wrong);
    dt_shape local = dt_spec_local_shape(spec, dt_world_rank(world));
    wrong = new_array(world, DT_F64, local);
    check_invalid(world, dt_tensor_assemble(spec, wrong), "f64");
    CHECK(!dt_tensor_assemble(NULL, wrong));
    CHECK_INT(dt_tensor_disassemble(NULL, &array, &out), DT_ERR_INVALID);
    CHECK(!array && !out);
    CHECK(!dt_to_local(NULL));
    dt_array_release(wrong);
    dt_spec_release(spec);
    dt_mesh_release(mesh);
}

/* ---- Strangers ---------------------------------------------------------- */

static void behaviour_16_strangers_have_nothing(dt_world *world)
{
    int members = dt_world_size(world) > 1 ? dt_world_size(world) - 1 : 1;
    dt_mesh *mesh = reversed_mesh(world, "x", members);
    bool member = dt_mesh_is_member(mesh);
    dt_array *part = new_array(world, DT_F32, DT_SHAPE(2, 3));
    CHECK_OK(world, dt_array_fill(world, part, 1));
    dt_tensor *tensors[] = {
        dt_from_local(mesh, "S(0)", part),
        dt_distribute(mesh, "S(1)", DT_F32, DT_SHAPE(2, 3), part, 0),
        dt_ones(mesh, "R", DT_F32, DT_SHAPE()),
        dt_rand(mesh, "S(0)", DT_F32, DT_SHAPE(2, 3)),
        dt_empty(mesh, "P", DT_F32, DT_SHAPE(5)),
    };
    for (size_t i = 0; i < COUNT_OF(tensors); i++) {
        dt_tensor *tensor = tensors[i];
        int64_t count = -1;
        if (!CHECKF(tensor, "%zu: %s", i, dt_world_error(world)->message))
            continue;
        dt_shape shape = dt_array_shape(dt_tensor_local(tensor));
        dt_array *out = new_array(world, DT_F32, dt_tensor_shape(tensor));
        dt_box box = {.ndim = dt_tensor_ndim(tensor)};
        memcpy(box.size, dt_tensor_shape(tensor).dims, sizeof box.size);
        CHECK_OK(world, dt_array_fill(world, out, -7));
        CHECK_OK(world, dt_tensor_put(tensor, &box, out));
        CHECK_OK(world, dt_tensor_get(tensor, NULL, NULL));
        if (!member) {
            CHECK(dt_shape_equal(shape, DT_SHAPE(0)));
            CHECK_OK(world, dt_tensor_get(tensor, &box, out));
            CHECK(dt_shape_equal(dt_tensor_shape(dt_to_local(tensor)),
                                 DT_SHAPE(0)));
            if (i != 4)
                CHECK_OK(world, dt_tensor_shard_boxes(tensor, NULL, 0, &count));
            CHECK_INT(count, i == 4 ? -1 : 0);
        } else {
            CHECK_OK(world, dt_tensor_get(tensor, &box, out));
        }
        CHECK(*(const float *)dt_array_const_data(out) == -7);
        CHECK(dt_zeros_like(tensor) && dt_empty_like(tensor));
        dt_array_release(out);
    }
    dt_array_release(part);
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"4.1.7: strides of the whole", behaviour_7_strides_of_the_whole},
    {"4.1.8: uneven parts", behaviour_8_uneven_parts},
    {"4.1.8: shape and strides together",
     behaviour_8_shape_and_strides_together},
    {"4.1.9: negative dimensions", behaviour_9_negative_dimensions},
    {"4.1.10: parts are compared", behaviour_10_parts_are_compared},
    {"4.1.10: parts are believed", behaviour_10_parts_are_believed},
    {"4.1.16: strangers have nothing", behaviour_16_strangers_have_nothing},
    {"compares replicas only", compares_replicas_only},
    {"compares over the mesh alone", compares_over_the_mesh_alone},
    {"without a layout is replicated", without_a_layout_is_replicated},
    {"shares memory", shares_memory},
    {"keeps strides of parts", keeps_strides_of_parts},
    {"takes apart and puts together", takes_apart_and_puts_together},
    {"unflatten refuses", unflatten_refuses},
    {NULL, NULL},
};
