/* ops/create/rand.c - tensors of random numbers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/create.h>

#include <inttypes.h>

#include "array/cast.h"
#include "base/handles.h"
#include "base/options.h"
#include "base/shape.h"
#include "base/world.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/factory.h"
#include "ops/helpers/place.h"
#include "ops/helpers/tables.h"
#include "ops/numbers.h"
#include "random/draw.h"
#include "random/keys.h"

/* The place of the argument `size`. */
enum { SIZE = 3 };

/* ---- Drawing ------------------------------------------------------------ */

/* Where a generator stood, and the key of what is drawn next. */
typedef struct drawing {
    dt_generator_state state;
    dti_random_key key;
} drawing;

/*
 * Take a key from the generator of the call, or from that of the mesh if it has
 * none.  Every rank counts the operation, whether it has elements or not.
 */
static dt_status take_key(const dt_operation *operation, dt_mesh *mesh,
                          drawing *out)
{
    const dt_argument *given = dti_argument(operation, "generator");
    dt_generator *generator =
        given->kind == DT_ARG_GENERATOR ? given->as.generator : NULL;
    if (!generator)
        generator = dt_mesh_generator(mesh);
    if (!generator)
        return dti_failure_of(operation->world);
    out->state = dt_generator_get_state(generator);
    out->key = dti_keys_next(operation->world, generator);
    return DT_OK;
}

/* Check a draw, and take its key. */
static dt_status begin(const dt_operation *operation, dt_mesh *mesh,
                       dti_draw *draw, drawing *at)
{
    DTI_TRY(dti_draw_check(operation->world, draw));
    DTI_TRY(take_key(operation, mesh, at));
    draw->key = at->key;
    return DT_OK;
}

static dt_status draw_tensor(dt_operation *operation, dti_draw draw)
{
    drawing at;
    const dti_recipe recipe = {
        .fill = dti_fill_drawn, .arg = &draw, .drawn = &at.state};
    dt_mesh *mesh = NULL;
    dt_shape shape;
    DTI_TRY(dti_place_mesh(operation, &mesh));
    DTI_TRY(dti_place_dtype(operation, &draw.dtype));
    DTI_TRY(dti_meta_shape(operation, SIZE, &shape));
    DTI_TRY(begin(operation, mesh, &draw, &at));
    return dti_factory_make(operation, shape, &recipe);
}

static dt_status draw_like(dt_operation *operation, dti_draw draw)
{
    drawing at;
    const dti_recipe recipe = {
        .fill = dti_fill_drawn, .arg = &draw, .drawn = &at.state};
    dt_mesh *mesh = operation->inputs[0]->spec->mesh;
    DTI_TRY(dti_factory_dtype_like(operation, &draw.dtype));
    DTI_TRY(begin(operation, mesh, &draw, &at));
    return dti_factory_make_like(operation, draw.dtype, false, &recipe);
}

/* ---- Operators ---------------------------------------------------------- */

/* What is drawn is the row's `data`, a dti_draw. */
static dt_status draw_row(dt_operation *operation)
{
    const dti_draw *draw = operation->op->data;
    return draw_tensor(operation, *draw);
}

static dt_status draw_row_like(dt_operation *operation)
{
    const dti_draw *draw = operation->op->data;
    return draw_like(operation, *draw);
}

static dti_draw integers(const dt_operation *operation)
{
    return (dti_draw){.kind = DTI_RANDINT,
                      .least = dti_argument_int(operation, "low"),
                      .end = dti_argument_int(operation, "high")};
}

static dt_status randint(dt_operation *operation)
{
    return draw_tensor(operation, integers(operation));
}

static dt_status randint_like(dt_operation *operation)
{
    return draw_like(operation, integers(operation));
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

/* Make the tensor from all numbers, which take memory of their own. */
static dt_status permute(dt_operation *operation, const drawing *at,
                         int64_t count, dt_dtype dtype)
{
    dt_world *world = operation->world;
    dt_array *numbers = NULL;
    DTI_TRY(dti_scratch_create(operation, DT_I64, DT_SHAPE(count), &numbers));
    int64_t *all = dt_array_data(numbers);
    const permutation of = {.dtype = dtype, .numbers = all};
    const dti_recipe recipe = {
        .fill = fill_permuted, .arg = &of, .drawn = &at->state};
    DTI_TRY(dti_random_permutation(world, at->key, count, all));
    return dti_factory_make(operation, DT_SHAPE(count), &recipe);
}

static dt_status randperm(dt_operation *operation)
{
    const int64_t count = dti_argument_int(operation, "count");
    int64_t checked;
    dt_dtype dtype;
    dt_mesh *mesh = NULL;
    drawing at;
    DTI_TRY(dti_place_mesh(operation, &mesh));
    DTI_TRY(dti_place_dtype(operation, &dtype));
    DTI_TRY(
        dti_shape_check(operation->world, dtype, DT_SHAPE(count), &checked));
    if (!holds_numbers(dtype, count))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "dtype %s cannot represent all numbers below %" PRId64,
            dt_dtype_name(dtype), count);
    DTI_TRY(take_key(operation, mesh, &at));
    if (operation->world->settings.dry_run)
        return dti_factory_make(operation, DT_SHAPE(count),
                                &(dti_recipe){.drawn = &at.state});
    return permute(operation, &at, count, dtype);
}

/* ---- Functions ---------------------------------------------------------- */

/* Call an operator that draws reals, for its C function. */
static dt_tensor *call_drawn(const char *function, int number,
                             dt_generator *generator, dt_mesh *mesh,
                             const char *layout, dt_dtype dtype,
                             const dt_shape *shape)
{
    const dt_argument arguments[] = {
        dti_arg_mesh(mesh), dti_arg_layout(layout), dti_arg_integer(dtype),
        dti_arg_shape(shape), dti_arg_generator(generator)};
    if (!dti_handle_usable(generator, function))
        return NULL;
    return dti_factory_call(function, number, arguments);
}

dt_tensor *dt_rand_from(dt_generator *generator, dt_mesh *mesh,
                        const char *layout, dt_dtype dtype, dt_shape shape)
{
    DTI_ENTRY();
    return call_drawn(__func__, OP_RAND, generator, mesh, layout, dtype,
                      &shape);
}

dt_tensor *dt_randn_from(dt_generator *generator, dt_mesh *mesh,
                         const char *layout, dt_dtype dtype, dt_shape shape)
{
    DTI_ENTRY();
    return call_drawn(__func__, OP_RANDN, generator, mesh, layout, dtype,
                      &shape);
}

dt_tensor *dt_rand(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                   dt_shape shape)
{
    DTI_ENTRY();
    return call_drawn(__func__, OP_RAND, NULL, mesh, layout, dtype, &shape);
}

dt_tensor *dt_randn(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                    dt_shape shape)
{
    DTI_ENTRY();
    return call_drawn(__func__, OP_RANDN, NULL, mesh, layout, dtype, &shape);
}

dt_tensor *dt_rand_like(dt_tensor *tensor)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_tensor(tensor), dti_arg_none(),
                                     dti_arg_none()};
    return dti_factory_call(__func__, OP_RAND_LIKE, arguments);
}

dt_tensor *dt_randn_like(dt_tensor *tensor)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_tensor(tensor), dti_arg_none(),
                                     dti_arg_none()};
    return dti_factory_call(__func__, OP_RANDN_LIKE, arguments);
}

/* Return options with their defaults, in `usual` or as they were given; NULL on
 * failure. */
static const dt_randint_options *read_options(dt_world *world,
                                              const char *function,
                                              const dt_randint_options *options,
                                              dt_randint_options *usual)
{
    options = dti_options_read(world, options, usual, sizeof *usual,
                               "DT_RANDINT_OPTIONS_INIT");
    return options && dti_handle_usable(options->generator, function) ? options
                                                                      : NULL;
}

dt_tensor *dt_randint(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                      dt_shape shape, const dt_randint_options *options)
{
    DTI_ENTRY();
    dt_randint_options usual = DT_RANDINT_OPTIONS_INIT;
    if (dti_given(mesh, __func__, "mesh") != DT_OK)
        return NULL;
    options = read_options(mesh->world, __func__, options, &usual);
    if (!options)
        return NULL;
    const dt_argument arguments[] = {dti_arg_mesh(mesh),
                                     dti_arg_layout(layout),
                                     dti_arg_integer(dtype),
                                     dti_arg_shape(&shape),
                                     dti_arg_integer(options->low),
                                     dti_arg_integer(options->high),
                                     dti_arg_generator(options->generator)};
    return dti_factory_call(__func__, OP_RANDINT, arguments);
}

dt_tensor *dt_randint_like(dt_tensor *tensor, const dt_randint_options *options)
{
    DTI_ENTRY();
    dt_randint_options usual = DT_RANDINT_OPTIONS_INIT;
    if (dti_given(tensor, __func__, "tensor") != DT_OK)
        return NULL;
    options = read_options(tensor->world, __func__, options, &usual);
    if (!options)
        return NULL;
    const dt_argument arguments[] = {
        dti_arg_tensor(tensor), dti_arg_integer(options->low),
        dti_arg_integer(options->high), dti_arg_none(),
        dti_arg_generator(options->generator)};
    return dti_factory_call(__func__, OP_RANDINT_LIKE, arguments);
}

dt_tensor *dt_randperm(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                       int64_t count)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_mesh(mesh), dti_arg_layout(layout),
                                     dti_arg_integer(dtype),
                                     dti_arg_integer(count), dti_arg_none()};
    return dti_factory_call(__func__, OP_RANDPERM, arguments);
}

/* ---- Rows --------------------------------------------------------------- */

static const dti_draw uniform = {.kind = DTI_UNIFORM, .high = 1};
static const dti_draw normal = {.kind = DTI_NORMAL, .std = 1};

const dt_op dti_ops_rand[] = {
    {
        .schema = "rand(Mesh mesh, Layout? layout, Dtype dtype, Shape size, *, "
                  "Generator? generator=None) -> Tensor",
        .aten = "rand rand.generator",
        .about = "Create a tensor of numbers uniform on [0, 1); the same in "
                 "every layout.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY | DT_OP_RANDOM,
        .compose = draw_row,
        .data = &uniform,
        .gradient = "none",
    },
    {
        .schema = "randn(Mesh mesh, Layout? layout, Dtype dtype, Shape size, "
                  "*, Generator? generator=None) -> Tensor",
        .aten = "randn randn.generator",
        .about = "Create a tensor of normal numbers with mean 0 and variance "
                 "1; the same in every layout.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY | DT_OP_RANDOM,
        .compose = draw_row,
        .data = &normal,
        .gradient = "none",
    },
    {
        .schema = "randint(Mesh mesh, Layout? layout, Dtype dtype, Shape size, "
                  "int low, int high, *, Generator? generator=None) -> Tensor",
        .aten = "randint.low randint.low_generator",
        .about = "Create a tensor of integers from `low` to below `high`; the "
                 "same in every layout.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY | DT_OP_RANDOM,
        .compose = randint,
        .gradient = "none",
    },
    {
        .schema = "randperm(Mesh mesh, Layout? layout, Dtype dtype, "
                  "int count, *, Generator? generator=None) -> Tensor",
        .aten = "randperm randperm.generator",
        .about = "Random permutation of the integers from 0 to `count` - 1.",
        .arguments = "count: number of elements",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY | DT_OP_RANDOM,
        .compose = randperm,
        .gradient = "none",
    },
    {
        .schema = "rand_like(Tensor self, *, Dtype? dtype=None, "
                  "Generator? generator=None) -> Tensor",
        .about = "Create a tensor of numbers uniform on [0, 1), like another; "
                 "the same in every layout.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND | DT_OP_BOUNDARY | DT_OP_RANDOM,
        .compose = draw_row_like,
        .data = &uniform,
        .gradient = "none",
        .samples = "(T[m,n]); (T[m,3], dtype=f16); (T[])",
        .dtypes = "float",
    },
    {
        .schema = "randn_like(Tensor self, *, Dtype? dtype=None, "
                  "Generator? generator=None) -> Tensor",
        .about = "Create a tensor of normal numbers with mean 0 and variance "
                 "1, like another; the same in every layout.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND | DT_OP_BOUNDARY | DT_OP_RANDOM,
        .compose = draw_row_like,
        .data = &normal,
        .gradient = "none",
        .samples = "(T[m,n]); (T[m,3], dtype=f16); (T[])",
        .dtypes = "float",
    },
    {
        .schema = "randint_like(Tensor self, int low, int high, *, "
                  "Dtype? dtype=None, Generator? generator=None) -> Tensor",
        .aten = "randint_like.low_dtype",
        .about = "Create a tensor of integers from `low` to below `high`, like "
                 "another; the same in every layout.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND | DT_OP_BOUNDARY | DT_OP_RANDOM,
        .compose = randint_like,
        .gradient = "none",
        .samples = "(T[m,n], 0, 9); (T[m,3], 1, 5, dtype=i64); (T[], 0, 2)",
        .dtypes = "float int",
    },
    {0},
};
