/* ranks: 1 2 3 4 6 7 */
/* tests/ranks/checkpoint_layouts.c - saved in every layout on one mesh, loaded
 * in every layout on every other. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "ranks/redistribute_check.h"
#include "support/folders.h"

/*
 * A state has one tensor for each layout of a mesh, of shapes and dtypes that
 * differ.  It is saved; then states with the same tensors in other layouts on
 * other meshes are loaded, one after another, so that over all of them every
 * tensor is loaded in every layout, or in some unless DT_TEST_FULL is set.
 */

static const dt_dtype dtypes[] = {DT_F32, DT_I64, DT_BF16, DT_BOOL,
                                  DT_U8,  DT_F64, DT_C64,  DT_F16,
                                  DT_I8,  DT_I32, DT_I16};

static dt_shape shape_of(int ndim, int which)
{
    static const int64_t extents[][3] = {{4, 8, 4},   {5, 3, 7}, {1, 6, 2},
                                         {37, 41, 5}, {2, 1, 5}, {3, 0, 2}};
    dt_shape out = {.ndim = ndim};
    for (int i = 0; i < ndim; i++)
        out.dims[i] = extents[which % COUNT_OF(extents)][i];
    return out;
}

/* Tensor number `i` of a state in a layout: its elements, or zeros. */
static dt_tensor *make_one(dt_mesh *mesh, const dt_layout *layout, int ndim,
                           int i, bool zeros)
{
    dt_world *world = dt_mesh_world(mesh);
    const dt_dtype dtype = dtypes[i % COUNT_OF(dtypes)];
    const dt_shape shape = shape_of(ndim, i);
    char text[256];
    dt_layout_format(layout, text, sizeof text);
    dt_array *global =
        global_array(world, dtype, shape, FORM_DENSE,
                     (element_rule){.salt = zeros ? 1000 : (uint64_t)i});
    dt_tensor *tensor =
        dt_distribute(mesh, text, dtype, shape, global, DT_EVERYWHERE);
    CHECKF(tensor != NULL, "%s", text);
    dt_array_release(global);
    return i % 3 == 1 ? loosened(tensor) : tensor;
}

/* Add a tensor for each of `count` numbers, in layouts from `shift` on. */
static dt_state *make_state(dt_mesh *mesh, const layout_list *layouts, int ndim,
                            int count, int shift, bool zeros)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_state *state = NULL;
    CHECK_OK(world, dt_state_create(world, &state));
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "layers.%d.weight", i);
        CHECK_OK(
            world,
            dt_state_set_tensor(
                state, name,
                make_one(mesh, &layouts->layouts[(i + shift) % layouts->count],
                         ndim, i, zeros)));
    }
    return state;
}

/* Check that a state has the elements of each number. */
static void check_state(const dt_state *state, const dt_mesh *mesh)
{
    for (int64_t i = 0; i < dt_state_count(state); i++) {
        dt_tensor *tensor = dt_state_at(state, i)->tensor;
        const bool good =
            check_global(tensor, (element_rule){.salt = (uint64_t)i});
        char text[256];
        dt_layout_format(dt_tensor_layout(tensor), text, sizeof text);
        check_case(good, mesh, text, dt_tensor_dtype(tensor),
                   dt_tensor_shape(tensor));
    }
}

static void load_on(dt_mesh *mesh, const char *folder, int ndim, int count)
{
    static _Thread_local layout_list layouts;
    dt_world *world = dt_mesh_world(mesh);
    list_all_layouts(mesh, ndim, DRAW_STRIDED, &layouts);
    const int rounds = wants_all() ? layouts.count : 2;
    for (int k = 0; k < rounds; k++) {
        dt_scope *scope = dt_scope_open(world);
        const int shift = wants_all() ? k : 1 + k * 5;
        dt_state *state = make_state(mesh, &layouts, ndim, count, shift, true);
        CHECK_OK(world, dt_load(world, folder, state, NULL));
        check_state(state, mesh);
        dt_state_release(state);
        CHECK_OK(world, dt_scope_close(scope));
    }
}

static void save_on(dt_mesh *mesh, const mesh_list *meshes, int ndim)
{
    static _Thread_local layout_list layouts;
    dt_world *world = dt_mesh_world(mesh);
    dt_save_options options = DT_SAVE_OPTIONS_INIT;
    char folder[FOLDER_SIZE];
    make_folder(world, folder);
    list_all_layouts(mesh, ndim, DRAW_STRIDED, &layouts);
    if (layouts.count > 40 && !wants_all())
        layouts.count = 40;
    dt_scope *scope = dt_scope_open(world);
    dt_state *state = make_state(mesh, &layouts, ndim, layouts.count, 0, false);
    options.file_bytes = ndim == 2 ? 5000 : 0;
    CHECK_OK(world, dt_save(world, folder, ndim, state, &options));
    check_state(state, mesh);
    dt_state_release(state);
    CHECK_OK(world, dt_scope_close(scope));
    for (int i = 0; i < meshes->count; i++)
        load_on(meshes->meshes[i], folder, ndim, layouts.count);
    remove_folder(world, folder);
}

static void every_layout_on_every_mesh(dt_world *world)
{
    mesh_list meshes = make_meshes(world);
    for (int i = 0; i < meshes.count; i++)
        for (int ndim = 1; ndim <= 3; ndim++)
            if (wants_all() || ndim == 1 + i % 3 || ndim == 2)
                save_on(meshes.meshes[i], &meshes, ndim);
    release_meshes(&meshes);
}

const dt_test dt_tests[] = {
    {"every layout on every mesh", every_layout_on_every_mesh},
    {NULL, NULL},
};
