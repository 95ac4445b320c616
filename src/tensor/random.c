/* tensor/random.c - tensors of random numbers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/create.h>

#include <inttypes.h>

#include "array/cast.h"
#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "base/shape.h"
#include "base/world.h"
#include "random/draw.h"
#include "random/generator.h"
#include "tensor/create.h"

static void fill_draw(const void *arg, const dti_rows *rows, void *out)
{
    if (rows->rows == 1)
        dti_draw_run(arg, rows->global, rows->count, out);
    else
        dti_draw_rows(arg, rows->global, rows->count, rows->stride, rows->rows,
                      out);
}

static dt_status fill_random(const dt_spec *spec, dt_array *local,
                             const void *arg)
{
    return dti_fill_by_rows(spec, local, fill_draw, arg);
}

/* How many numbers of a recipe say where a generator stands. */
enum { GENERATOR_NUMBERS = 4 };

/* What is drawn next from a generator; how to set elements is not said. */
static dti_recipe recipe_from(const char *name, const dt_generator *generator)
{
    const dt_generator_state state = dt_generator_get_state(generator);
    return (dti_recipe){
        .name = name,
        .numbers = {{"generator seed", dt_integer((int64_t)state.seed)},
                    {"offset", dt_integer((int64_t)state.offset)},
                    {"stream", dt_integer((int64_t)state.stream)},
                    {"draws so far", dt_integer((int64_t)state.count)}}};
}

/*
 * Check a draw and take its key; `generator` may be NULL: that of the mesh.
 * Every rank counts the operation, whether it has elements or not.
 */
static bool prepare(const char *function, dt_mesh *mesh,
                    dt_generator *generator, dti_draw *draw, dti_recipe *recipe)
{
    if (!dti_handle_usable(generator, function) ||
        dti_draw_check(mesh->world, draw) != DT_OK)
        return false;
    if (!generator)
        generator = dt_mesh_generator(mesh);
    if (!generator)
        return false;
    *recipe = recipe_from(draw->kind == DTI_RANDINT   ? "randint"
                          : draw->kind == DTI_UNIFORM ? "rand"
                                                      : "randn",
                          generator);
    recipe->fill = fill_random;
    recipe->arg = draw;
    recipe->numbers[GENERATOR_NUMBERS].name = "low";
    recipe->numbers[GENERATOR_NUMBERS].value = dt_integer(draw->least);
    recipe->numbers[GENERATOR_NUMBERS + 1].name = "high";
    recipe->numbers[GENERATOR_NUMBERS + 1].value = dt_integer(draw->end);
    if (draw->kind != DTI_RANDINT)
        recipe->numbers[GENERATOR_NUMBERS].name = NULL;
    draw->key = dti_generator_next(generator);
    return true;
}

/* A random tensor, by the public function that is named. */
static dt_tensor *draw_tensor(const char *function, dt_generator *generator,
                              dt_mesh *mesh, const char *layout, dt_shape shape,
                              dti_draw *draw)
{
    dt_meta meta = dt_meta_of(draw->dtype, shape);
    dti_recipe recipe;
    if (dti_given(mesh, function, "mesh") != DT_OK)
        return NULL;
    if (!prepare(function, mesh, generator, draw, &recipe))
        return NULL;
    return dti_create(mesh, layout, &meta, &recipe);
}

static dt_tensor *draw_like(const char *function, dt_generator *generator,
                            const dt_tensor *tensor, dti_draw *draw)
{
    dti_recipe recipe;
    if (!prepare(function, tensor->spec->mesh, generator, draw, &recipe))
        return NULL;
    return dti_create_like(tensor, &recipe);
}

/* ---- Uniform and normal ------------------------------------------------- */

static dti_draw uniform(dt_dtype dtype)
{
    return (dti_draw){.kind = DTI_UNIFORM, .dtype = dtype, .high = 1};
}

static dti_draw normal(dt_dtype dtype)
{
    return (dti_draw){.kind = DTI_NORMAL, .dtype = dtype, .std = 1};
}

dt_tensor *dt_rand_from(dt_generator *generator, dt_mesh *mesh,
                        const char *layout, dt_dtype dtype, dt_shape shape)
{
    DTI_ENTRY();
    dti_draw draw = uniform(dtype);
    return draw_tensor(__func__, generator, mesh, layout, shape, &draw);
}

dt_tensor *dt_randn_from(dt_generator *generator, dt_mesh *mesh,
                         const char *layout, dt_dtype dtype, dt_shape shape)
{
    DTI_ENTRY();
    dti_draw draw = normal(dtype);
    return draw_tensor(__func__, generator, mesh, layout, shape, &draw);
}

dt_tensor *dt_rand(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                   dt_shape shape)
{
    DTI_ENTRY();
    dti_draw draw = uniform(dtype);
    return draw_tensor(__func__, NULL, mesh, layout, shape, &draw);
}

dt_tensor *dt_randn(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                    dt_shape shape)
{
    DTI_ENTRY();
    dti_draw draw = normal(dtype);
    return draw_tensor(__func__, NULL, mesh, layout, shape, &draw);
}

dt_tensor *dt_rand_like(dt_tensor *tensor)
{
    DTI_ENTRY();
    if (dti_given(tensor, __func__, "tensor") != DT_OK)
        return NULL;
    dti_draw draw = uniform(tensor->spec->meta.dtype);
    return draw_like(__func__, NULL, tensor, &draw);
}

dt_tensor *dt_randn_like(dt_tensor *tensor)
{
    DTI_ENTRY();
    if (dti_given(tensor, __func__, "tensor") != DT_OK)
        return NULL;
    dti_draw draw = normal(tensor->spec->meta.dtype);
    return draw_like(__func__, NULL, tensor, &draw);
}

/* ---- Integers ----------------------------------------------------------- */

/* Read the options into `out`, and what they ask for into `draw`. */
static bool integers(dt_world *world, dt_dtype dtype,
                     const dt_randint_options *options, dt_randint_options *out,
                     dti_draw *draw)
{
    dt_randint_options usual = DT_RANDINT_OPTIONS_INIT;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_RANDINT_OPTIONS_INIT");
    if (!options)
        return false;
    *out = *options;
    *draw = (dti_draw){.kind = DTI_RANDINT,
                       .dtype = dtype,
                       .least = options->low,
                       .end = options->high};
    return true;
}

dt_tensor *dt_randint(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                      dt_shape shape, const dt_randint_options *options)
{
    DTI_ENTRY();
    dt_randint_options read;
    dti_draw draw;
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    if (!integers(mesh->world, dtype, options, &read, &draw))
        return NULL;
    return draw_tensor(__func__, read.generator, mesh, layout, shape, &draw);
}

dt_tensor *dt_randint_like(dt_tensor *tensor, const dt_randint_options *options)
{
    DTI_ENTRY();
    dt_randint_options read;
    dti_draw draw;
    if (dti_given(tensor, __func__, "tensor") != DT_OK)
        return NULL;
    if (!integers(tensor->world, tensor->spec->meta.dtype, options, &read,
                  &draw))
        return NULL;
    return draw_like(__func__, read.generator, tensor, &draw);
}

/* ---- Permutations ------------------------------------------------------- */

/* All numbers in their random order, of which each rank takes its own. */
typedef struct permutation {
    dt_dtype dtype;
    const int64_t *numbers;
} permutation;

static void fill_permutation(const void *arg, int64_t first, int64_t count,
                             void *out)
{
    const permutation *of = arg;
    dti_cast(of->numbers + first, DT_I64, out, of->dtype, count);
}

static dt_status fill_permuted(const dt_spec *spec, dt_array *local,
                               const void *arg)
{
    return dti_fill_runs(spec, local, fill_permutation, arg);
}

/* Tell whether a dtype holds all numbers below `count`: the largest two tell,
 * for where a float has a gap, they are neighbours no more. */
static bool holds_numbers(dt_dtype dtype, int64_t count)
{
    _Alignas(8) char held[16];
    int64_t largest[2] = {count - 1, count - 2}, back[2];
    int numbers = count < 2 ? (int)count : 2;
    dti_cast(largest, DT_I64, held, dtype, numbers);
    dti_cast(held, dtype, back, DT_I64, numbers);
    for (int i = 0; i < numbers; i++)
        if (back[i] != largest[i])
            return false;
    return true;
}

static dt_tensor *permute(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                          int64_t count, dt_generator *generator)
{
    dti_recipe recipe = recipe_from("randperm", generator);
    const dti_random_key key = dti_generator_next(generator);
    dt_world *world = mesh->world;
    dt_array *numbers = NULL;
    dt_tensor *tensor = NULL;
    dt_meta meta = dt_meta_of(dtype, DT_SHAPE(count));
    if (world->settings.dry_run)
        return dti_create(mesh, layout, &meta, &recipe);
    if (dt_array_create(world, DT_I64, DT_SHAPE(count), &numbers) != DT_OK)
        return NULL;
    int64_t *all = dt_array_data(numbers);
    permutation of = {.dtype = dtype, .numbers = all};
    recipe.fill = fill_permuted;
    recipe.arg = &of;
    if (dti_random_permutation(world, key, count, all) == DT_OK)
        tensor = dti_create(mesh, layout, &meta, &recipe);
    dt_array_release(numbers);
    return tensor;
}

dt_tensor *dt_randperm(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                       int64_t count)
{
    DTI_ENTRY();
    int64_t checked;
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    if (dti_shape_check(mesh->world, dtype, DT_SHAPE(count), &checked) != DT_OK)
        return NULL;
    if (!holds_numbers(dtype, count)) {
        dti_fail(
            mesh->world, DT_ERR_INVALID,
            "dt_randperm: dtype %s cannot represent all numbers below %" PRId64,
            dt_dtype_name(dtype), count);
        return NULL;
    }
    dt_generator *generator = dt_mesh_generator(mesh);
    if (!generator)
        return NULL;
    return permute(mesh, layout, dtype, count, generator);
}
