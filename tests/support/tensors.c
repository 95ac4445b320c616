/* tests/support/tensors.c - tensors of known elements, and checks of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tensors.h"

#include <math.h>
#include <stdlib.h>

/* ---- Fixture ------------------------------------------------------------ */

fixture open_fixture(dt_world *world)
{
    fixture f = {.world = world,
                 .mesh = mesh_of_all(world),
                 .scope = dt_scope_open(world),
                 .ranks = dt_world_size(world)};
    start_counting(&f);
    return f;
}

void close_fixture(fixture *f)
{
    DT_IGNORE(dt_scope_close(f->scope));
    dt_mesh_release(f->mesh);
}

void close_without_errors(fixture *f)
{
    CHECK_OK(f->world, dt_scope_close(f->scope));
    dt_mesh_release(f->mesh);
}

/* ---- Collectives -------------------------------------------------------- */

uint64_t calls_so_far(const dt_world *world)
{
    uint64_t calls = 0;
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        calls += dt_trace_count(world, (dt_collective)i).calls;
    return calls;
}

void start_counting(fixture *f)
{
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        f->counted[i] = dt_trace_count(f->world, (dt_collective)i).calls;
}

static long long calls_counted_of(const fixture *f, dt_collective kind)
{
    return (long long)(dt_trace_count(f->world, kind).calls - f->counted[kind]);
}

/* By the costs of MPI, an uneven gather of few elements is an all-to-all. */
static bool is_gather(const fixture *f, dt_collective kind)
{
    return kind == DT_ALL_GATHER ||
           (kind == DT_ALL_TO_ALL &&
            strcmp(dt_world_transport(f->world), "mpi") == 0);
}

long long gathers_counted(const fixture *f)
{
    long long calls = 0;
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        if (is_gather(f, (dt_collective)i))
            calls += calls_counted_of(f, (dt_collective)i);
    return calls;
}

long long calls_counted(const fixture *f)
{
    long long calls = 0;
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        calls += calls_counted_of(f, (dt_collective)i);
    return calls;
}

void check_silent(const fixture *f)
{
    CHECK_INT(calls_counted(f), 0);
}

void check_sent(const fixture *f)
{
    CHECK(f->ranks == 1 || calls_counted(f) > 0);
}

void check_collectives(const fixture *f, dt_collective kind, int calls)
{
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++) {
        const dt_collective one = (dt_collective)i;
        const long long wanted = f->ranks > 1 && one == kind ? calls : 0;
        const long long found = calls_counted_of(f, one);
        CHECKF(found == wanted, "%lld calls of %s, not %lld", found,
               dt_collective_name(one), wanted);
    }
}

void check_gathers(const fixture *f, int calls)
{
    const long long wanted = f->ranks > 1 ? calls : 0;
    CHECKF(gathers_counted(f) == wanted && calls_counted(f) == wanted,
           "%lld gathers of %lld calls, not %lld", gathers_counted(f),
           calls_counted(f), wanted);
}

/* ---- Tensors of small numbers ------------------------------------------- */

double value_at(int64_t i)
{
    return (double)((i * 37 + 11) % 23) - 9;
}

double operand_at(int salt, int64_t i)
{
    const int64_t number = (i * 7 + salt * 5) % 11 - 5;
    return (double)(number ? number : 6);
}

dt_array *array_of(dt_world *world, dt_dtype dtype, dt_shape shape,
                   const double *values)
{
    dt_array *wide = new_array(world, DT_F64, shape), *array = NULL;
    if (dt_array_count(wide) > 0)
        memcpy(dt_array_data(wide), values, dt_array_bytes(wide));
    CHECK_OK(world, dt_array_cast(world, wide, dtype, &array));
    dt_array_release(wide);
    return array;
}

/* What a rank holds of element i: ranks differ, and reduce to the value. */
static double partial_value(double value, const char *layout, int rank,
                            int ranks, int64_t i)
{
    const bool here = i % ranks == rank;
    if (strcmp(layout, "P(max)") == 0)
        return here ? value : value - 1 - rank;
    if (strcmp(layout, "P(min)") == 0)
        return here ? value : value + 1 + rank;
    if (strcmp(layout, "P(avg)") == 0)
        return value + 2 * rank - (ranks - 1);
    return rank == 0 ? value - ranks * (ranks - 1) / 2.0 : (double)rank;
}

static bool has_partial_value(const char *layout)
{
    static const char *const layouts[] = {"P(sum)", "P(avg)", "P(max)",
                                          "P(min)"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        if (strcmp(layout, layouts[i]) == 0)
            return true;
    return false;
}

static dt_tensor *partial_tensor(dt_mesh *mesh, const char *layout,
                                 dt_dtype dtype, dt_shape shape,
                                 const double *values)
{
    dt_world *world = dt_mesh_world(mesh);
    const int64_t count = dt_shape_count(shape);
    double *mine = calloc((size_t)count + 1, sizeof *mine);
    for (int64_t i = 0; i < count; i++)
        mine[i] = partial_value(values[i], layout, dt_mesh_coordinate(mesh, 0),
                                dt_mesh_size(mesh), i);
    dt_array *local = array_of(world, dtype, shape, mine);
    dt_tensor *tensor = dt_from_local(mesh, layout, local);
    dt_array_release(local);
    free(mine);
    return tensor;
}

dt_tensor *tensor_of(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                     dt_shape shape, const double *values)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_tensor *tensor = NULL;
    if (has_partial_value(layout)) {
        tensor = partial_tensor(mesh, layout, dtype, shape, values);
    } else {
        dt_array *global = array_of(world, dtype, shape, values);
        tensor =
            dt_distribute(mesh, layout, dtype, shape, global, DT_EVERYWHERE);
        dt_array_release(global);
    }
    CHECKF(tensor != NULL, "%s", dt_world_error(world)->message);
    return tensor;
}

dt_tensor *make_tensor(fixture *f, const char *layout, dt_dtype dtype,
                       dt_shape shape)
{
    double values[ELEMENTS_MAX];
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        values[i] = value_at(i);
    dt_tensor *tensor = tensor_of(f->mesh, layout, dtype, shape, values);
    start_counting(f);
    return tensor;
}

dt_tensor *make_operand(fixture *f, const char *layout, dt_dtype dtype,
                        dt_shape shape, int salt)
{
    double values[ELEMENTS_MAX];
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        values[i] = operand_at(salt, i);
    dt_tensor *tensor = tensor_of(f->mesh, layout, dtype, shape, values);
    start_counting(f);
    return tensor;
}

bool read_tensor(dt_tensor *tensor, double *values)
{
    if (!CHECK(tensor != NULL))
        return false;
    dt_world *world = dt_tensor_world(tensor);
    dt_array *global = read_global(tensor), *wide = NULL;
    CHECK_OK(world, dt_array_cast(world, global, DT_F64, &wide));
    if (dt_array_count(wide) > 0)
        memcpy(values, dt_array_const_data(wide), dt_array_bytes(wide));
    dt_array_release(global);
    dt_array_release(wide);
    return true;
}

bool is_close(double value, double wanted)
{
    if (isnan(value) || isnan(wanted))
        return isnan(value) && isnan(wanted);
    return value == wanted || fabs(value - wanted) <= 1e-5 * fabs(wanted);
}

void check_values(dt_tensor *tensor, const double *wanted, int64_t count)
{
    double found[ELEMENTS_MAX];
    if (!read_tensor(tensor, found))
        return;
    CHECK_INT(dt_tensor_count(tensor), count);
    for (int64_t i = 0; i < count; i++)
        if (!CHECKF(is_close(found[i], wanted[i]),
                    "element %lld is %.9g, not %.9g", (long long)i, found[i],
                    wanted[i]))
            return;
}

/* ---- Tensors of any elements -------------------------------------------- */

sample make_sample(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                   dt_shape shape)
{
    static const element_rule counted = {.salt = 7, .tame = true};
    dt_world *world = dt_mesh_world(mesh);
    sample made;
    made.global = global_array(world, dtype, shape, FORM_DENSE, counted);
    made.tensor =
        dt_distribute(mesh, layout, dtype, shape, made.global, DT_EVERYWHERE);
    CHECKF(made.tensor != NULL, "%s", dt_world_error(world)->message);
    return made;
}

sample make_f32(fixture *f, const char *layout, dt_shape shape)
{
    sample made = make_sample(f->mesh, layout, DT_F32, shape);
    start_counting(f);
    return made;
}

dt_tensor *loosened(dt_tensor *tensor)
{
    dt_world *world = dt_tensor_world(tensor);
    dt_array *local = dt_tensor_local(tensor), *part = NULL;
    dt_shape larger = dt_array_shape(local);
    for (int i = 0; i < larger.ndim; i++)
        larger.dims[i] += i % 2 + 1;
    CHECK_OK(world,
             dt_array_create(world, dt_array_dtype(local), larger, &part));
    for (int i = 0; i < larger.ndim; i++) {
        dt_array *shorter = NULL;
        CHECK_OK(world,
                 dt_array_slice(world, part, i, 0,
                                dt_array_shape(local).dims[i], 1, &shorter));
        dt_array_release(part);
        part = shorter;
    }
    CHECK_OK(world, dt_array_copy(world, local, part));
    const dt_shape shape = dt_tensor_shape(tensor);
    const dt_meta meta = dt_meta_of(dt_tensor_dtype(tensor), shape);
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    options.shape = &shape;
    options.strides = meta.strides;
    dt_tensor *made = dt_from_local_with(
        dt_tensor_mesh(tensor), dt_layout_text(world, dt_tensor_layout(tensor)),
        part, &options);
    CHECKF(made != NULL, "%s", dt_world_error(world)->message);
    dt_array_release(part);
    return made;
}

dt_array *read_global(dt_tensor *tensor)
{
    dt_shape shape = dt_tensor_shape(tensor);
    dt_box box = {.ndim = shape.ndim};
    memcpy(box.size, shape.dims, sizeof box.size);
    dt_array *out =
        new_array(dt_tensor_world(tensor), dt_tensor_dtype(tensor), shape);
    wipe(out, 0xa5);
    CHECK_OK(dt_tensor_world(tensor), dt_tensor_get(tensor, &box, out));
    return out;
}

bool check_global(dt_tensor *tensor, element_rule rule)
{
    dt_array *out = read_global(tensor);
    bool good = !dt_mesh_is_member(dt_tensor_mesh(tensor)) ||
                check_box(out, dt_tensor_shape(tensor), NULL, rule);
    dt_array_release(out);
    return good;
}

/* Check element number `number`, which `where` has. */
static bool check_bits(dt_dtype dtype, uint64_t bits, uint64_t wanted,
                       same_element same, const char *where, int64_t number)
{
    return CHECKF(same ? same(dtype, bits, wanted) : bits == wanted,
                  "%s has %llx for element %lld, not %llx", where,
                  (unsigned long long)bits, (long long)number,
                  (unsigned long long)wanted);
}

bool check_global_equals(dt_tensor *tensor, const dt_array *global,
                         same_element same)
{
    dt_array *found = read_global(tensor);
    const dt_shape shape = dt_array_shape(found);
    int64_t index[DT_MAX_NDIM] = {0};
    bool good = true;
    if (dt_mesh_is_member(dt_tensor_mesh(tensor)) && dt_array_count(found) > 0)
        do
            good = check_bits(dt_array_dtype(found), read_bits(found, index),
                              read_bits(global, index), same, "the tensor",
                              row_major(index, shape));
        while (good && next_index(index, shape));
    dt_array_release(found);
    return good;
}

bool check_equals(dt_tensor *tensor, dt_array *wanted)
{
    bool good = CHECK(tensor != NULL) && CHECK(wanted != NULL) &&
                CHECK(dt_shape_equal(dt_tensor_shape(tensor),
                                     dt_array_shape(wanted))) &&
                CHECK(dt_tensor_dtype(tensor) == dt_array_dtype(wanted)) &&
                check_global_equals(tensor, wanted, NULL);
    dt_array_release(wanted);
    return good;
}

bool has_neutral(const dt_mesh *mesh, const dt_layout *layout, dt_dtype dtype,
                 uint64_t *bits)
{
    for (int i = 0; i < layout->ndim; i++) {
        dt_reduce op = layout->placements[i].op;
        if (!dt_placement_is_partial(layout->placements[i]) ||
            dt_mesh_coordinate(mesh, i) == 0)
            continue;
        if (op == DT_SUM)
            *bits = bits_of_number(dtype, -0.0, -0.0);
        else if (op == DT_PRODUCT)
            *bits = bits_of_number(dtype, 1, 0);
        else if (op == DT_BXOR)
            *bits = 0;
        else
            continue;
        return true;
    }
    return false;
}

bool check_local_equals(const dt_tensor *tensor, const dt_layout *layout,
                        const dt_array *global, same_element same)
{
    const dt_array *local = dt_tensor_local(tensor);
    const dt_dtype dtype = dt_array_dtype(local);
    const dt_mesh *mesh = dt_tensor_mesh(tensor);
    const dt_shape shape = dt_tensor_shape(tensor);
    int64_t index[DT_MAX_NDIM] = {0}, place[DT_MAX_NDIM];
    uint64_t neutral = 0;
    if (!dt_mesh_is_member(mesh))
        return CHECK(dt_shape_equal(dt_array_shape(local), DT_SHAPE(0)));
    const local_lists lists = lists_of(mesh, layout, shape);
    bool good = CHECK(dt_shape_equal(dt_array_shape(local), lists.shape)) &&
                CHECK(dtype == dt_tensor_dtype(tensor));
    if (!good || dt_array_count(local) == 0)
        return good;
    const bool without = has_neutral(mesh, layout, dtype, &neutral);
    do {
        for (int i = 0; i < shape.ndim; i++)
            place[i] = lists.dims[i].items[index[i]];
        good = check_bits(dtype, read_bits(local, index),
                          without ? neutral : read_bits(global, place), same,
                          "the local shard", row_major(place, shape));
    } while (good && next_index(index, lists.shape));
    return good;
}

bool check_local(const dt_tensor *tensor, const dt_layout *layout,
                 element_rule rule)
{
    dt_array *global =
        global_array(dt_tensor_world(tensor), dt_tensor_dtype(tensor),
                     dt_tensor_shape(tensor), FORM_DENSE, rule);
    bool good = check_local_equals(tensor, layout, global, NULL);
    dt_array_release(global);
    return good;
}

/* ---- What is known of a tensor ------------------------------------------ */

void check_layout(const dt_tensor *tensor, const char *layout)
{
    char text[256];
    if (!CHECK(tensor != NULL) || dt_spec_shards(dt_tensor_spec(tensor)) < 1)
        return;
    if (dt_mesh_size(dt_tensor_mesh(tensor)) == 1)
        return;
    dt_layout_format(dt_tensor_layout(tensor), text, sizeof text);
    CHECK_TEXT(text, layout);
}

void check_dtype(const dt_tensor *tensor, dt_dtype dtype)
{
    if (CHECK(tensor != NULL))
        CHECK_TEXT(dt_dtype_name(dt_tensor_dtype(tensor)),
                   dt_dtype_name(dtype));
}

void check_shares_memory(const dt_tensor *a, const dt_tensor *b)
{
    CHECK(a && b &&
          dt_array_const_data(dt_tensor_local(a)) ==
              dt_array_const_data(dt_tensor_local(b)));
}

dt_status status_of(dt_world *world, const dt_tensor *tensor)
{
    return tensor ? DT_OK : dt_world_error(world)->code;
}

void check_invalid(dt_world *world, const dt_tensor *tensor, const char *text)
{
    const dt_error *error = dt_world_error(world);
    CHECK(!tensor);
    CHECK_INT(error->code, DT_ERR_INVALID);
    CHECKF(strstr(error->message, text), "the message lacks \"%s\": %s", text,
           error->message);
    dt_check_forget(world);
}

void check_case(bool good, const dt_mesh *mesh, const char *layout,
                dt_dtype dtype, dt_shape shape)
{
    char text[256];
    dt_mesh_format(mesh, text, sizeof text);
    CHECKF(good, "%s of %s (%d-d: %lld, %lld, %lld) on %s", layout,
           dt_dtype_name(dtype), shape.ndim, (long long)shape.dims[0],
           (long long)shape.dims[1], (long long)shape.dims[2], text);
}

/* ---- Arrays as operators make them -------------------------------------- */

dt_array *reshaped(dt_world *world, dt_array *array, dt_shape shape)
{
    dt_array *dense = NULL, *view = NULL;
    CHECK_OK(world, dt_array_contiguous(world, array, &dense));
    CHECK_OK(world, dt_array_reshape(world, dense, shape, &view));
    dt_array_release(dense);
    return view;
}

dt_array *sliced(dt_world *world, dt_array *array, int dim, int64_t start,
                 int64_t stop, int64_t step)
{
    dt_array *view = NULL;
    CHECK_OK(world,
             dt_array_slice(world, array, dim, start, stop, step, &view));
    return view;
}

dt_array *selected(dt_world *world, dt_array *array, int dim, int64_t index)
{
    dt_array *view = NULL;
    CHECK_OK(world, dt_array_select(world, array, dim, index, &view));
    return view;
}

dt_array *permuted(dt_world *world, dt_array *array, const int *order)
{
    dt_array *view = NULL;
    CHECK_OK(world, dt_array_permute(world, array, order, &view));
    return view;
}
