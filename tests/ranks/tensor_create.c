/* ranks: 1 2 3 4 6 7 8 */
/* tests/ranks/tensor_create.c - tensors made from nothing, in every layout. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: full sequence like */
#include <math.h>

#include <dtensor/trace.h>

#include "array/cast.h"
#include "support/tensors.h"

/* ---- What is made ------------------------------------------------------- */

typedef enum factory {
    MAKE_ZEROS,
    MAKE_ONES,
    MAKE_FULL,
    MAKE_FULL_INT,
    MAKE_ARANGE,
    MAKE_ARANGE_INT,
    MAKE_LINSPACE,
    MAKE_LOGSPACE,
    MAKE_EYE,
    MAKE_COUNT
} factory;

/* What a factory is asked for; not all of it is used by each. */
typedef struct order_form {
    factory what;
    dt_dtype dtype;
    dt_shape shape;
    double value;
    int64_t integer;
    double start, end, step;
    int64_t steps;
} order_form;

static dt_tensor *make_ordered(dt_mesh *mesh, const char *layout,
                               const order_form *of)
{
    dt_logspace_options options = DT_LOGSPACE_OPTIONS_INIT;
    switch (of->what) {
    case MAKE_ZEROS:
        return dt_zeros(mesh, layout, of->dtype, of->shape);
    case MAKE_ONES:
        return dt_ones(mesh, layout, of->dtype, of->shape);
    case MAKE_FULL:
        return dt_full(mesh, layout, of->dtype, of->shape, of->value);
    case MAKE_FULL_INT:
        return dt_full_int(mesh, layout, of->dtype, of->shape, of->integer);
    case MAKE_ARANGE:
        return dt_arange(mesh, layout, of->dtype, of->start, of->end, of->step);
    case MAKE_ARANGE_INT:
        return dt_arange_int(mesh, layout, of->dtype, (int64_t)of->start,
                             (int64_t)of->end, (int64_t)of->step);
    case MAKE_LINSPACE:
        return dt_linspace(mesh, layout, of->dtype, of->start, of->end,
                           of->steps);
    case MAKE_LOGSPACE:
        options.start = of->start;
        options.end = of->end;
        options.steps = of->steps;
        options.base = 2;
        return dt_logspace(mesh, layout, of->dtype, &options);
    default:
        return dt_eye(mesh, layout, of->dtype, of->shape.dims[0],
                      of->shape.dims[1]);
    }
}

/* Element number `i`: by the book, in the order of operations that is
 * documented upstream too (evenly spaced numbers count from both ends). */
static uint64_t expected_bits(const order_form *of, int64_t i)
{
    double gap = (of->end - of->start) / (double)(of->steps - 1);
    double spaced = of->steps == 1 ? of->start
                    : i < of->steps / 2
                        ? of->start + gap * (double)i
                        : of->end - gap * (double)(of->steps - 1 - i);
    int64_t columns = of->shape.dims[1], integer;
    uint64_t bits = 0;
    switch (of->what) {
    case MAKE_ZEROS:
        return 0;
    case MAKE_ONES:
        return bits_of_number(of->dtype, 1, 0);
    case MAKE_FULL:
        return bits_of_number(of->dtype, of->value, 0);
    case MAKE_FULL_INT:
        dti_cast(&of->integer, DT_I64, &bits, of->dtype, 1);
        return bits;
    case MAKE_ARANGE_INT:
        integer = (int64_t)of->start + (int64_t)of->step * i;
        dti_cast(&integer, DT_I64, &bits, of->dtype, 1);
        return bits;
    case MAKE_ARANGE:
        return bits_of_number(of->dtype, of->start + of->step * (double)i, 0);
    case MAKE_LINSPACE:
        return bits_of_number(of->dtype, spaced, 0);
    case MAKE_LOGSPACE:
        return bits_of_number(of->dtype, pow(2, spaced), 0);
    default:
        return bits_of_number(of->dtype, i / columns == i % columns, 0);
    }
}

/* How many elements a range has, by counting. */
static int64_t count_range(double start, double end, double step)
{
    int64_t count = 0;
    while (step > 0 ? start + step * (double)count < end
                    : start + step * (double)count > end)
        count++;
    return count;
}

/* An order at random. */
static order_form draw_order_form(unsigned long long *state)
{
    order_form of = {.what = (factory)below(state, MAKE_COUNT),
                     .dtype = draw_dtype(state),
                     .shape = draw_shape(state)};
    of.value = (below(state, 64) - 32) / 4.0;
    if (dt_dtype_kind_of(of.dtype) == DT_KIND_UNSIGNED)
        of.value = fabs(of.value); /* negative ones are refused */
    of.integer = below(state, 100) - 50;
    of.start = below(state, 40) - 20;
    of.step = (below(state, 2) ? 1 : -1) * (1 + below(state, 12)) / 4.0;
    if (of.what == MAKE_ARANGE_INT)
        of.step *= 4;
    of.end = of.start + of.step * below(state, 20);
    of.steps = below(state, 15);
    if (of.what == MAKE_LOGSPACE) {
        of.start /= 4;
        of.end /= 4;
    }
    if (of.what == MAKE_ARANGE || of.what == MAKE_ARANGE_INT)
        of.shape = DT_SHAPE(count_range(of.start, of.end, of.step));
    if (of.what == MAKE_LINSPACE || of.what == MAKE_LOGSPACE)
        of.shape = DT_SHAPE(of.steps);
    if (of.what == MAKE_EYE)
        of.shape = DT_SHAPE(below(state, 9), below(state, 9));
    return of;
}

static dt_array *expected_array(dt_world *world, const order_form *of)
{
    dt_array *array = new_array(world, of->dtype, of->shape);
    int64_t index[DT_MAX_NDIM] = {0};
    if (dt_array_count(array) > 0)
        do
            write_bits(array, index,
                       expected_bits(of, row_major(index, of->shape)));
        while (next_index(index, of->shape));
    return array;
}

/* Avg rounds, unless numbers are short. */
static bool combines_exactly(const dt_layout *layout, const order_form *of)
{
    for (int i = 0; i < layout->ndim; i++)
        if (dt_placement_is_partial(layout->placements[i]) &&
            layout->placements[i].op == DT_AVG)
            return of->what < MAKE_LINSPACE || of->what == MAKE_EYE;
    return true;
}

static void makes_every_layout(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_list grids = make_meshes(world);
    for (int i = 0; i < grids.count; i++)
        for (int round = 0; round < 200; round++) {
            dt_mesh *mesh = grids.meshes[i];
            dt_scope *scope = dt_scope_open(world);
            order_form of = draw_order_form(&state);
            dt_layout layout = draw_layout(mesh, of.shape.ndim, of.dtype,
                                           &state, DRAW_PARTIAL | DRAW_STRIDED);
            const char *text = dt_layout_text(world, &layout);
            dt_array *wanted = expected_array(world, &of);
            dt_trace_clear(world);
            dt_tensor *tensor = make_ordered(mesh, text, &of);
            bool good = CHECKF(tensor, "%s", dt_world_error(world)->message);
            for (int kind = 0; kind < DT_COLLECTIVE_COUNT; kind++)
                CHECK_INT(dt_trace_count(world, (dt_collective)kind).calls, 0);
            if (good) {
                CHECK(dt_shape_equal(dt_tensor_shape(tensor), of.shape));
                good = check_local_equals(tensor, &layout, wanted, NULL);
                if (combines_exactly(&layout, &of))
                    good &= check_global_equals(tensor, wanted, NULL);
            }
            check_case(good, mesh, text, of.dtype, of.shape);
            CHECKF(good, "factory %d", (int)of.what);
            dt_array_release(wanted);
            CHECK_OK(world, dt_scope_close(scope));
        }
    release_meshes(&grids);
}

/* Every factory with every dtype, once. */
static void makes_every_dtype(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    for (int what = 0; what < MAKE_COUNT; what++)
        for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++) {
            order_form of = {.what = (factory)what,
                             .dtype = (dt_dtype)dtype,
                             .shape = DT_SHAPE(11),
                             .value = 3.5,
                             .integer = -77,
                             .start = -5,
                             .end = 6,
                             .step = 1,
                             .steps = 11};
            if (what == MAKE_EYE)
                of.shape = DT_SHAPE(5, 7);
            dt_placement placement = dt_shard(0);
            dt_layout layout = dt_layout_of(&placement, 1);
            dt_array *wanted = expected_array(world, &of);
            dt_tensor *tensor = make_ordered(mesh, "S(0)", &of);
            if (CHECK(tensor)) {
                bool good = check_local_equals(tensor, &layout, wanted, NULL);
                check_case(good, mesh, "S(0)", of.dtype, of.shape);
            }
            dt_array_release(wanted);
        }
    dt_mesh_release(mesh);
}

/* ---- Integers ----------------------------------------------------------- */

/* Check the numbers of a tensor of i64 against start + i step. */
static void check_range(dt_tensor *tensor, int64_t start, int64_t step,
                        int64_t count)
{
    if (!CHECK(tensor) || !CHECK_INT(dt_tensor_count(tensor), count))
        return;
    dt_array *out = read_global(tensor);
    const int64_t *data = dt_array_const_data(out);
    for (int64_t i = 0; i < count; i++)
        CHECK_INT(data[i],
                  (int64_t)((uint64_t)start + (uint64_t)i * (uint64_t)step));
    dt_array_release(out);
}

static void integers_are_exact(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    const int64_t big = INT64_C(1) << 53, huge = INT64_C(1) << 61;
    check_range(dt_arange_int(mesh, "S(0)", DT_I64, big - 2, big + 9, 1),
                big - 2, 1, 11);
    check_range(dt_arange_int(mesh, "S(0)", DT_I64, big + 9, big - 2, -3),
                big + 9, -3, 4);
    check_range(dt_arange_int(mesh, "R", DT_I64, INT64_MAX - 5, INT64_MAX, 1),
                INT64_MAX - 5, 1, 5);
    check_range(
        dt_arange_int(mesh, "S(0)", DT_I64, INT64_MIN + 5, INT64_MIN, -1),
        INT64_MIN + 5, -1, 5);
    /* From one end to the other: the distance does not fit. */
    check_range(dt_arange_int(mesh, "S(0)", DT_I64, INT64_MIN, INT64_MAX, huge),
                INT64_MIN, huge, 8);
    check_range(
        dt_arange_int(mesh, "S(0)", DT_I64, INT64_MAX, INT64_MIN, -huge),
        INT64_MAX, -huge, 8);
    check_range(
        dt_arange_int(mesh, "R", DT_I64, INT64_MAX, INT64_MIN, INT64_MIN),
        INT64_MAX, INT64_MIN, 2);
    check_range(dt_arange_int(mesh, "S(0)", DT_I64, 5, 5, 1), 5, 1, 0);
    check_range(dt_arange_int(mesh, "S(0)", DT_I64, 5, 5, -1), 5, -1, 0);
    check_range(dt_full_int(mesh, "S(0)", DT_I64, DT_SHAPE(5), INT64_MAX),
                INT64_MAX, 0, 5);
    check_range(dt_full_int(mesh, "P", DT_I64, DT_SHAPE(5), big + 1), big + 1,
                0, 5);
    check_range(dt_full_int_like(dt_zeros(mesh, "P", DT_I64, DT_SHAPE(5)),
                                 INT64_MIN + 1),
                INT64_MIN + 1, 0, 5);
    dt_mesh_release(mesh);
}

/* ---- Ends --------------------------------------------------------------- */

/* Both ends are hit, whatever the rounding between them. */
static void ends_are_exact(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    for (int64_t steps = 2; steps < 200; steps += 13) {
        dt_tensor *tensor = dt_linspace(mesh, "S(0)", DT_F64, 0.1, 0.7, steps);
        dt_array *out = read_global(tensor);
        const double *data = dt_array_const_data(out);
        CHECK(data[0] == 0.1 && data[steps - 1] == 0.7);
        for (int64_t i = 1; i < steps; i++)
            CHECK(data[i] > data[i - 1]);
        dt_array_release(out);
        dt_tensor_release_early(tensor);
    }
    dt_logspace_options options = DT_LOGSPACE_OPTIONS_INIT;
    options.start = -1;
    options.end = 3;
    options.steps = 5;
    dt_array *out =
        read_global(dt_logspace(mesh, "S(0)", DT_F64, &options)); /* of ten */
    for (int i = 0; i < 5; i++)
        CHECK(((const double *)dt_array_const_data(out))[i] == pow(10, i - 1));
    dt_array_release(out);
    dt_mesh_release(mesh);
}

static void refuse(dt_world *world, const dt_tensor *tensor, const char *text)
{
    CHECK(!tensor);
    CHECK_INT(dt_world_error(world)->code, DT_ERR_INVALID);
    CHECKF(strstr(dt_world_error(world)->message, text),
           "the message lacks \"%s\": %s", text,
           dt_world_error(world)->message);
    dt_check_forget(world);
}

static void refuses_what_makes_no_sense(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    dt_logspace_options logs = DT_LOGSPACE_OPTIONS_INIT;
    dt_check_forget(world);
    refuse(world, dt_arange(mesh, "R", DT_F32, 0, 1, 0), "steps of 0");
    refuse(world, dt_arange(mesh, "R", DT_F32, 1, 1, 0), "steps of 0");
    refuse(world, dt_arange(mesh, "R", DT_F32, 0, -5, 1), "from 0 to -5");
    refuse(world, dt_arange(mesh, "R", DT_F32, 0, -0.5, 1), "from 0 to -0.5");
    refuse(world, dt_arange(mesh, "R", DT_F32, 0, 0.5, -1), "from 0 to 0.5");
    refuse(world, dt_arange(mesh, "R", DT_F32, 0, (double)NAN, 1), "nan");
    refuse(world, dt_arange(mesh, "R", DT_F32, 0, (double)INFINITY, 1), "inf");
    refuse(world, dt_arange(mesh, "R", DT_F32, 0, 1e300, 1), "1e+300");
    refuse(world, dt_arange_int(mesh, "R", DT_I32, 0, 5, 0), "steps of 0");
    refuse(world, dt_arange_int(mesh, "R", DT_I32, 5, 0, 1), "from 5 to 0");
    refuse(world, dt_arange_int(mesh, "R", DT_I32, 0, 5, -1), "from 0 to 5");
    refuse(world, dt_arange_int(mesh, "R", DT_I64, INT64_MIN, INT64_MAX, 1),
           "");
    refuse(world, dt_linspace(mesh, "R", DT_F32, 0, 1, -1), "-1 elements");
    logs.steps = -1;
    refuse(world, dt_logspace(mesh, "R", DT_F32, &logs), "-1 elements");
    logs.size = 0;
    refuse(world, dt_logspace(mesh, "R", DT_F32, &logs),
           "DT_LOGSPACE_OPTIONS_INIT");
    refuse(world, dt_eye(mesh, "R", DT_F32, -1, 2), "-1");
    refuse(world, dt_zeros(mesh, "RR", DT_F32, DT_SHAPE(2)), "placements");
    refuse(world, dt_zeros(mesh, "S(1)", DT_F32, DT_SHAPE(2)), "S(1)");
    refuse(world, dt_ones(mesh, "R", DT_DTYPE_COUNT, DT_SHAPE(2)), "dtype");
    refuse(world, dt_full(mesh, "R", DT_F32, DT_SHAPE(-2), 1), "-2");
    refuse(world, dt_full(mesh, "R", DT_U8, DT_SHAPE(2), -2.5),
           "full: dtype u8 cannot represent -2.5");
    refuse(world, dt_full_int(mesh, "R", DT_I8, DT_SHAPE(2), 128), "i8");
    refuse(world, dt_full_like(dt_zeros(mesh, "R", DT_I32, DT_SHAPE(2)), 1e10),
           "full_like: dtype i32 cannot represent");
    refuse(world, dt_empty(mesh, "R", DT_F32, DT_SHAPE(INT64_MAX, INT64_MAX)),
           "");
    CHECK(!dt_zeros(NULL, "R", DT_F32, DT_SHAPE(2)));
    CHECK(!dt_arange(NULL, "R", DT_F32, 0, 1, 1));
    CHECK(!dt_arange_int(NULL, "R", DT_F32, 0, 1, 1));
    CHECK(!dt_linspace(NULL, "R", DT_F32, 0, 1, 1));
    CHECK(!dt_logspace(NULL, "R", DT_F32, &logs));
    CHECK(!dt_eye(NULL, "R", DT_F32, 1, 1));
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_mesh_release(mesh);
}

/* ---- Without a layout --------------------------------------------------- */

/* Every factory with a layout, in one order. */
static int make_all(dt_mesh *mesh, const char *layout, dt_tensor **out)
{
    dt_logspace_options powers = DT_LOGSPACE_OPTIONS_INIT;
    dt_randint_options range = DT_RANDINT_OPTIONS_INIT;
    dt_generator *generator = dt_mesh_generator(mesh);
    const dt_shape shape = DT_SHAPE(3, 5);
    int count = 0;
    powers.steps = 7;
    range.high = 100;
    CHECK_OK(dt_mesh_world(mesh), dt_seed(dt_mesh_world(mesh), 3));
    out[count++] = dt_zeros(mesh, layout, DT_F32, shape);
    out[count++] = dt_ones(mesh, layout, DT_F32, shape);
    out[count++] = dt_full(mesh, layout, DT_F32, shape, 2.5);
    out[count++] = dt_full_int(mesh, layout, DT_I64, shape, 7);
    out[count++] = dt_arange(mesh, layout, DT_F32, 0, 7, 1);
    out[count++] = dt_arange_int(mesh, layout, DT_I64, 0, 7, 1);
    out[count++] = dt_linspace(mesh, layout, DT_F32, 0, 1, 7);
    out[count++] = dt_logspace(mesh, layout, DT_F32, &powers);
    out[count++] = dt_eye(mesh, layout, DT_F32, 3, 5);
    out[count++] = dt_rand(mesh, layout, DT_F32, shape);
    out[count++] = dt_randn(mesh, layout, DT_F32, shape);
    out[count++] = dt_rand_from(generator, mesh, layout, DT_F32, shape);
    out[count++] = dt_randn_from(generator, mesh, layout, DT_F32, shape);
    out[count++] = dt_randint(mesh, layout, DT_I64, shape, &range);
    out[count++] = dt_randperm(mesh, layout, DT_I64, 7);
    return count;
}

enum { FACTORIES_MAX = 20 };

static void without_a_layout_is_replicated(dt_world *world)
{
    mesh_list grids = make_meshes(world);
    for (int i = 0; i < grids.count; i++) {
        dt_mesh *mesh = grids.meshes[i];
        dt_tensor *found[FACTORIES_MAX], *expected[FACTORIES_MAX];
        char layout[DT_MAX_NDIM + 1] = "";
        memset(layout, 'R', (size_t)dt_mesh_ndim(mesh));
        dt_scope *scope = dt_scope_open(world);
        int count = make_all(mesh, NULL, found);
        make_all(mesh, layout, expected);
        for (int j = 0; j < count; j++)
            CHECKF(
                found[j] && expected[j] &&
                    dt_tensor_spec(found[j]) == dt_tensor_spec(expected[j]) &&
                    dt_array_equal(dt_tensor_local(found[j]),
                                   dt_tensor_local(expected[j])),
                "factory %d on a mesh of %d dimensions", j, dt_mesh_ndim(mesh));
        dt_tensor *empty = dt_empty(mesh, NULL, DT_F32, DT_SHAPE(4));
        CHECK(dt_spec_is_replicated(dt_tensor_spec(empty)));
        CHECK_OK(world, dt_scope_close(scope));
    }
    release_meshes(&grids);
}

/* ---- Like another ------------------------------------------------------- */

static void like_a_partial_one_is_replicated(dt_world *world)
{
    dt_mesh *mesh = NULL;
    bool even = dt_world_size(world) % 2 == 0;
    CHECK_OK(world, dt_mesh_create(world, even ? "a=2,b" : "a=1,b", &mesh));
    dt_tensor *of = dt_ones(mesh, "S(1)P", DT_F32, DT_SHAPE(3, 5));
    dt_tensor *likes[] = {
        dt_zeros_like(of),        dt_ones_like(of), dt_full_like(of, 2.5),
        dt_full_int_like(of, 40), dt_rand_like(of), dt_randn_like(of),
    };
    static const float values[] = {0, 1, 2.5F, 40};
    dt_spec *spec = NULL;
    CHECK_OK(world,
             dt_spec_create(mesh, "S(1)R", DT_F32, DT_SHAPE(3, 5), &spec));
    for (size_t i = 0; i < COUNT_OF(likes); i++) {
        if (!CHECK(likes[i]))
            continue;
        CHECK(dt_tensor_spec(likes[i]) == spec);
        dt_array *out = read_global(likes[i]);
        for (int j = 0; i < COUNT_OF(values) && j < 15; j++)
            CHECK(((const float *)dt_array_const_data(out))[j] == values[i]);
        dt_array_release(out);
    }
    dt_tensor *empty = dt_empty_like(of);
    CHECK(empty && dt_tensor_spec(empty) == dt_tensor_spec(of));
    CHECK(empty && dt_tensor_local(empty) != dt_tensor_local(of));
    dt_spec_release(spec);
    dt_mesh_release(mesh);
}

/* Layout with order, strides and dtype are those of the other. */
static void like_another_keeps_the_rest(dt_world *world)
{
    unsigned long long state = dt_test_seed() + 3;
    mesh_list grids = make_meshes(world);
    for (int i = 0; i < grids.count; i++)
        for (int round = 0; round < 20; round++) {
            dt_mesh *mesh = grids.meshes[i];
            dt_shape shape = draw_shape(&state);
            dt_layout layout =
                draw_layout(mesh, shape.ndim, DT_F64, &state, DRAW_STRIDED);
            dt_tensor *of =
                dt_empty(mesh, dt_layout_text(world, &layout), DT_F64, shape);
            dt_tensor *full = dt_full_like(of, -0.0);
            dt_array *wanted = new_array(world, DT_F64, shape);
            CHECK_OK(world, dt_array_fill(world, wanted, -0.0));
            if (CHECK(full)) {
                CHECK(dt_tensor_spec(full) == dt_tensor_spec(of));
                check_local_equals(full, &layout, wanted, NULL);
            }
            dt_array_release(wanted);
        }
    release_meshes(&grids);
}

/* Parts lie as the strides of the whole say; elements are where they belong. */
static void like_another_with_strides(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    dt_array *part =
        new_array_in(world, DT_F32, DT_SHAPE(2, 3, 4), FORM_REVERSED);
    CHECK_OK(world, dt_array_fill(world, part, 0));
    dt_tensor *of = dt_from_local(mesh, "S(0)", part);
    dt_generator_state before = {.seed = 5};
    dt_generator_set_state(dt_world_generator(world), before);
    dt_tensor *strided = dt_rand_like(of);
    dt_generator_set_state(dt_world_generator(world), before);
    dt_tensor *plain = dt_rand(mesh, "S(0)", DT_F32, dt_tensor_shape(of));
    if (CHECK(strided && plain)) {
        CHECK(dt_tensor_spec(strided) == dt_tensor_spec(of));
        for (int i = 0; i < 3; i++)
            CHECK_INT(dt_array_stride(dt_tensor_local(strided), i),
                      dt_array_stride(part, i));
        CHECK(dt_array_equal(dt_tensor_local(strided), dt_tensor_local(plain)));
    }
    dt_array_release(part);
    dt_mesh_release(mesh);
}

static void like_nothing_is_nothing(dt_world *world)
{
    dt_randint_options options = DT_RANDINT_OPTIONS_INIT;
    (void)world;
    CHECK(!dt_empty_like(NULL));
    CHECK(!dt_zeros_like(NULL));
    CHECK(!dt_ones_like(NULL));
    CHECK(!dt_full_like(NULL, 1));
    CHECK(!dt_full_int_like(NULL, 1));
    CHECK(!dt_rand_like(NULL));
    CHECK(!dt_randn_like(NULL));
    CHECK(!dt_randint_like(NULL, &options));
}

const dt_test dt_tests[] = {
    {"makes every layout", makes_every_layout},
    {"makes every dtype", makes_every_dtype},
    {"integers are exact", integers_are_exact},
    {"ends are exact", ends_are_exact},
    {"refuses what makes no sense", refuses_what_makes_no_sense},
    {"without a layout is replicated", without_a_layout_is_replicated},
    {"like a partial one is replicated", like_a_partial_one_is_replicated},
    {"like another keeps the rest", like_another_keeps_the_rest},
    {"like another with strides", like_another_with_strides},
    {"like nothing is nothing", like_nothing_is_nothing},
    {NULL, NULL},
};
