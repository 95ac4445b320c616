/* ranks: 1 2 3 4 6 7 */
/* tests/ranks/redistribute_options.c - memory, dtypes, calls that do not wait.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/redistribute_check.h"

#include <dtensor/ops.h>

#include "tensor/tensor.h"

/* A mesh over all ranks: a grid if they make one. */
static dt_mesh *grid_of(dt_world *world)
{
    dt_mesh *mesh = NULL;
    int size = dt_world_size(world);
    bool grid = size > 2 && size % 2 == 0;
    CHECK_OK(world, dt_mesh_create(world, grid ? "a=2,b" : "a,b=1", &mesh));
    return mesh;
}

static dt_layout layout_of(dt_world *world, const char *text)
{
    dt_layout out;
    CHECK_OK(world, dt_layout_parse(world, text, &out));
    return out;
}

/* A change between layouts of f32 on one mesh. */
static change change_of(dt_mesh *mesh, const char *from, const char *to,
                        dt_shape shape)
{
    dt_world *world = dt_mesh_world(mesh);
    return (change){.mesh = mesh,
                    .from = layout_of(world, from),
                    .to_mesh = mesh,
                    .to = layout_of(world, to),
                    .dtype = DT_F32,
                    .shape = shape,
                    .salt = 7};
}

/* ---- Memory ------------------------------------------------------------- */

/* What all ranks have already is shared, of any strides. */
static void shares_memory_where_nothing_moves(dt_world *world)
{
    static const char *const texts[] = {"RR", "S(0)R", "RS(1)",
                                        "S(0)[1]S(0)[0]", "S(1)P(max)"};
    dt_mesh *mesh = grid_of(world);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int form = 0; form < FORM_COUNT; form++) {
            dt_scope *scope = dt_scope_open(world);
            change of = change_of(mesh, texts[i], texts[i], DT_SHAPE(6, 5));
            of.form = (array_form)form;
            dt_tensor *tensor = source_tensor(&of);
            dt_trace_clear(world);
            dt_tensor *same = dt_redistribute(tensor, texts[i]);
            CHECK_INT(dt_trace_count(world, DT_ALL_TO_ALL).calls, 0);
            if (CHECK(same)) {
                CHECK(dt_tensor_spec(same) == dt_tensor_spec(tensor));
                CHECK(dt_tensor_local(same) == dt_tensor_local(tensor));
            }
            CHECK_OK(world, dt_scope_close(scope));
        }
    dt_mesh_release(mesh);
}

/* A dimension of one rank says nothing. */
static void shares_memory_where_only_names_change(dt_world *world)
{
    static const char *const texts[] = {"RS(0)", "S(0)S(0)", "S(0)[1]S(0)[0]",
                                        "P(max)S(0)", "_S(0,3)S(0)"};
    dt_mesh *mesh = NULL, *other = NULL;
    CHECK_OK(world, dt_mesh_create(world, "one=1,all", &mesh));
    CHECK_OK(world, dt_mesh_create(world, "line", &other));
    dt_scope *scope = dt_scope_open(world);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++) {
            change of = change_of(mesh, texts[i], texts[j], DT_SHAPE(7, 2));
            dt_tensor *tensor = source_tensor(&of);
            dt_tensor *same = dt_redistribute(tensor, texts[j]);
            if (CHECK(same))
                CHECK(dt_tensor_local(same) == dt_tensor_local(tensor));
        }
    /* So it is with another mesh of the same ranks. */
    change of = change_of(mesh, "RS(0)", "RS(0)", DT_SHAPE(7, 2));
    dt_tensor *tensor = source_tensor(&of);
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.mesh = other;
    options.layout = "S(0)";
    dt_tensor *moved = dt_redistribute_with(tensor, &options);
    if (CHECK(moved)) {
        CHECK(dt_tensor_mesh(moved) == other);
        CHECK(dt_tensor_local(moved) == dt_tensor_local(tensor));
    }
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
    dt_mesh_release(other);
}

/* The bytes of the rank that has most. */
static int64_t largest_of(const dt_spec *spec)
{
    return dt_shape_count(dt_spec_local_shape(spec, 0)) *
           (int64_t)dt_dtype_size(dt_spec_dtype(spec));
}

/* Check what a change takes from the pool against what its plan says. */
static void check_peak(const change *of)
{
    dt_world *world = dt_mesh_world(of->mesh);
    dt_scope *scope = dt_scope_open(world);
    dt_redistribute_options options = options_of(of);
    dt_tensor *tensor = source_tensor(of);
    dt_memory_stats before, after;
    dt_status status;
    dt_scope *inner = dt_scope_open(world);
    dt_plan *plan = plan_of(of, tensor, &status);
    CHECK_INT(dt_scope_close(inner), status);
    bool packs = !dti_comm_of(world)->transport->takes_tiles;
    int64_t source = largest_of(dt_tensor_spec(tensor));
    bool tight = of->memory_cap && of->memory_cap < 4096;
    bool good = CHECKF(plan || tight, "%s", dt_world_error(world)->message);
    if (plan) {
        int64_t target = largest_of(dt_plan_to(plan));
        int64_t beside = of->memory_cap    ? (int64_t)of->memory_cap
                         : source > target ? source
                                           : target;
        good &= CHECKF(of->planner == DT_PLANNER_GREEDY ||
                           dt_plan_peak(plan) <= source + target + beside,
                       "a peak of %lld with %lld and %lld",
                       (long long)dt_plan_peak(plan), (long long)source,
                       (long long)target);
        dt_memory_reset_peak(world);
        dt_memory_read(world, &before);
        good &= CHECK(dt_redistribute_with(tensor, &options));
        dt_memory_read(world, &after);
        int64_t taken = (int64_t)(after.peak - before.used) + source;
        good &= CHECKF(packs || taken <= dt_plan_peak(plan),
                       "%lld bytes held, the peak is %lld", (long long)taken,
                       (long long)dt_plan_peak(plan));
    }
    show_change(of, good);
    dt_plan_release(plan);
    CHECK_OK(world, dt_scope_close(scope));
}

/* Sizes are such that the pool's classes add nothing. */
static void takes_no_more_memory_than_promised(dt_world *world)
{
    static const char *const texts[] = {
        "RR",
        "S(0)R",
        "RS(0)",
        "S(0)S(1)",
        "S(1)S(0)",
        "S(0)[0]S(0)[1]",
        "S(1)[1]S(1)[0]",
        "PR",
        "RP",
        "PS(0)",
        "PP",
        "S(1)P(max)",
    };
    int size = dt_world_size(world);
    if (size == 3 || size == 6)
        return;
    dt_mesh *mesh = grid_of(world);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++)
            for (int cap = 0; cap < 3; cap++) {
                change of =
                    change_of(mesh, texts[i], texts[j], DT_SHAPE(32, 32));
                of.planner = (dt_planner)((i + j) % 2);
                of.objective = (dt_objective)(i % 2);
                of.memory_cap = (size_t[]){0, 4096, 3072}[cap];
                check_peak(&of);
            }
    dt_mesh_release(mesh);
}

/* Without room for anything beside source and target. */
static void obeys_a_small_cap(dt_world *world)
{
    static const char *const texts[] = {
        "RR", "S(0)R", "RS(0)", "S(0)S(1)", "S(1)S(0)", "S(0)[1]S(0)[0]"};
    dt_mesh *mesh = grid_of(world);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++) {
            change of = change_of(mesh, texts[i], texts[j], DT_SHAPE(7, 5));
            of.memory_cap = 1;
            of.objective = (dt_objective)(j % 2);
            check_change(&of);
            dt_scope *scope = dt_scope_open(world);
            dt_status status;
            dt_tensor *tensor = source_tensor(&of);
            dt_plan *plan = plan_of(&of, tensor, &status);
            if (CHECK(plan))
                CHECK(dt_plan_peak(plan) <= largest_of(dt_plan_from(plan)) +
                                                largest_of(dt_plan_to(plan)));
            dt_plan_release(plan);
            CHECK_OK(world, dt_scope_close(scope));
        }
    dt_mesh_release(mesh);
}

/* Some things cannot be done without an intermediate: all ranks are told, and
 * go on. */
static void refuses_what_does_not_fit(dt_world *world)
{
    dt_mesh *mesh = grid_of(world);
    change of = change_of(mesh, "P(avg)P", "S(0)S(1)", DT_SHAPE(8, 8));
    of.dtype = DT_BF16; /* sums and averages are combined one by one */
    of.memory_cap = 8;
    if (dt_mesh_dim_size(mesh, 1) > 1) {
        dt_redistribute_options options = options_of(&of);
        dt_scope *scope = dt_scope_open(world);
        CHECK(!dt_redistribute_with(source_tensor(&of), &options));
        CHECK_INT(dt_scope_close(scope), DT_ERR_UNSUPPORTED);
    }
    of.memory_cap = 0;
    check_change(&of);
    dt_mesh_release(mesh);
}

/* ---- Calls that do not wait --------------------------------------------- */

enum { UNDER_WAY = 12 };

/* Results that are read in another order than they were asked for. */
static void several_are_under_way(dt_world *world)
{
    static const char *const texts[] = {"RR",       "S(0)R", "RS(1)",
                                        "S(1)S(0)", "PR",    "S(0)P"};
    dt_mesh *mesh = grid_of(world);
    change of[UNDER_WAY];
    dt_tensor *results[UNDER_WAY];
    dt_scope *scope = dt_scope_open(world);
    for (int i = 0; i < UNDER_WAY; i++) {
        of[i] = change_of(mesh, texts[i % COUNT_OF(texts)],
                          texts[(5 * i + 1) % COUNT_OF(texts)],
                          i % 2 ? DT_SHAPE(9, 11) : DT_SHAPE(70, 60));
        of[i].asynchronous = true;
        of[i].salt = (uint64_t)i;
        of[i].form = (array_form)(i % FORM_COUNT);
        dt_redistribute_options options = options_of(&of[i]);
        dt_tensor *source = source_tensor(&of[i]);
        results[i] = dt_redistribute_with(source, &options);
        CHECKF(results[i], "%s", dt_world_error(world)->message);
        /* The call holds on to what it reads. */
        dt_tensor_release_early(source);
    }
    for (int i = 0; i < UNDER_WAY; i++) {
        int at = (5 * i + 3) % UNDER_WAY;
        dt_array *whole = value_array(&of[at]);
        check_tensor(results[at], &of[at].to, whole, comparison_of(&of[at]));
        dt_array_release(whole);
    }
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* A result goes on before anybody looked at it; some are never looked at. */
static void goes_on_without_waiting(dt_world *world)
{
    static const char *const texts[] = {"S(0)R", "RS(0)", "S(1)S(0)",
                                        "RR",    "S(0)P", "S(0)S(1)"};
    dt_mesh *mesh = grid_of(world);
    change of = change_of(mesh, "S(1)R", "RR", DT_SHAPE(33, 21));
    of.dtype = DT_I32;
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *tensor = source_tensor(&of);
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.asynchronous = true;
    for (int i = 0; i < 30; i++) {
        options.layout = texts[i % COUNT_OF(texts)];
        tensor = dt_redistribute_with(tensor, &options);
        options.layout = texts[i * 7 % 3];
        dt_tensor_release_early(dt_redistribute_with(tensor, &options));
    }
    tensor = dt_redistribute(tensor, "RR");
    dt_array *whole = value_array(&of);
    check_tensor(tensor, &of.to, whole, is_rounded);
    dt_array_release(whole);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Writing into a source waits for those who read it. */
static void may_write_the_source_again(dt_world *world)
{
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) == 1)
        return;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    change of = change_of(mesh, "S(0)", "R", DT_SHAPE(90, 40));
    of.asynchronous = true;
    dt_redistribute_options options = options_of(&of);
    dt_array *whole = value_array(&of);
    for (int i = 0; i < 20; i++) {
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *source = source_tensor(&of);
        dt_tensor *result = dt_redistribute_with(source, &options);
        wipe(dt_tensor_local(source), 0x77);
        check_tensor(result, &of.to, whole, false);
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_array_release(whole);
    dt_mesh_release(mesh);
}

/* ---- Dtypes ------------------------------------------------------------- */

/* 40: what is sent is in the new dtype, and so is the result. */
static void behaviour_40_casts_before_it_sends(dt_world *world)
{
    int size = dt_world_size(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    change of = change_of(mesh, "S(0)", "R", DT_SHAPE(4 * size, 3));
    dt_redistribute_options options = options_of(&of);
    options.forward_dtype = &(dt_dtype){DT_BF16};
    dt_tensor *source = source_tensor(&of);
    dt_trace_clear(world);
    dt_tensor *result = dt_redistribute_with(source, &options);
    dt_array *whole = value_array(&of), *wanted = NULL;
    CHECK_OK(world, dt_array_cast(world, whole, DT_BF16, &wanted));
    if (CHECK(result)) {
        CHECK_INT(dt_tensor_dtype(result), DT_BF16);
        check_tensor(result, &of.to, wanted, NULL);
    }
    uint64_t received = dt_trace_count(world, DT_ALL_GATHER).bytes_received +
                        dt_trace_count(world, DT_ALL_TO_ALL).bytes_received;
    CHECK_INT(received, 2 * 12 * (size - 1));
    CHECK_INT(dt_tensor_dtype(source), DT_F32);
    /* Also where nothing moves; and to what it is already. */
    options.layout = NULL;
    result = dt_redistribute_with(source, &options);
    if (CHECK(result))
        check_tensor(result, &of.from, wanted, NULL);
    options.forward_dtype = &(dt_dtype){DT_F32};
    result = dt_redistribute_with(source, &options);
    CHECK(result && dt_tensor_local(result) == dt_tensor_local(source));
    dt_array_release(whole);
    dt_array_release(wanted);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* What was cast is an array of its own: what repeated elements no longer does,
 * and what lay turned lies in rows, as the strides say. */
static void casts_lie_densely(dt_world *world)
{
    const int64_t n = 2 * dt_world_size(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.forward_dtype = &(dt_dtype){DT_F64};
    dt_tensor *row = dt_ones(mesh, "R", DT_F32, DT_SHAPE(1, 4));
    dt_tensor *wide =
        dt_redistribute_with(dt_expand(row, DT_SHAPE(3, 4)), &options);
    CHECK(wide && dt_add_scalar_(wide, dt_integer(1)) == wide);
    dt_tensor *columns = dt_ones(mesh, "S(1)", DT_F32, DT_SHAPE(3, n));
    dt_tensor *turned =
        dt_redistribute_with(dt_transpose(columns, 0, 1), &options);
    CHECK_INT(dt_tensor_stride(turned, 0), 3);
    CHECK_INT(dt_tensor_stride(turned, 1), 1);
    CHECK(dt_view(turned, DT_SHAPE(3 * n)) != NULL);
    CHECK(dt_view(dt_transpose(turned, 0, 1), DT_SHAPE(3 * n)) == NULL);
    CHECK_FAILS(world, dt_scope_close(scope), DT_ERR_UNSUPPORTED, "strides");
    /* Every rank has said so: nobody has to recover. */
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_mesh_release(mesh);
}

/* Addends are cast one by one. */
static void casts_addends(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    change of = change_of(mesh, "P", "S(1)", DT_SHAPE(3, 7));
    dt_redistribute_options options = options_of(&of);
    options.forward_dtype = &(dt_dtype){DT_F64};
    dt_tensor *result = dt_redistribute_with(source_tensor(&of), &options);
    change wide = of;
    wide.dtype = DT_F64;
    dt_array *whole = value_array(&wide);
    check_tensor(result, &of.to, whole, false);
    dt_array_release(whole);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* ---- Strides, wholes ---------------------------------------------------- */

/* 38: what comes out lies densely, in the order that the spec says. */
static void behaviour_38_lies_densely(dt_world *world)
{
    static const char *const texts[] = {"S(0)", "S(1)", "S(2)", "R"};
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++) {
            dt_scope *scope = dt_scope_open(world);
            change of = change_of(mesh, texts[i], texts[j], DT_SHAPE(3, 5, 7));
            of.form = FORM_STRIDED;
            dt_tensor *result = dt_redistribute(source_tensor(&of), texts[j]);
            if (i != j && dt_world_size(world) > 1 && CHECK(result))
                CHECK(dt_array_is_contiguous(dt_tensor_local(result)));
            CHECK_OK(world, dt_scope_close(scope));
        }
    dt_mesh_release(mesh);
}

/* A tensor whose first dimension varies fastest: what moves becomes row-major,
 * what stays keeps its strides. */
static void strides_follow_the_elements(dt_world *world)
{
    static const char *const texts[] = {"S(0)", "S(1)", "R", "P(max)"};
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(6, 5));
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    meta.strides[0] = 1;
    meta.strides[1] = 6;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++) {
            dt_scope *scope = dt_scope_open(world);
            change of = change_of(mesh, texts[i], texts[j], meta.shape);
            of.form = FORM_REVERSED;
            dt_tensor *tensor = source_tensor(&of), *result = NULL;
            dt_spec *spec = NULL;
            CHECK_OK(world, dt_spec_create_with(mesh, &of.from, &meta, &spec));
            tensor = dt_tensor_assemble(spec, dt_tensor_local(tensor));
            result = dt_redistribute(tensor, texts[j]);
            dt_array *whole = value_array(&of);
            if (CHECK(result)) {
                bool moved = dt_world_size(world) > 1 && i != j;
                CHECK_INT(dt_tensor_stride(result, 0), moved ? 5 : 1);
                CHECK_INT(dt_tensor_stride(result, 1), moved ? 1 : 6);
                check_tensor(result, &of.to, whole, is_rounded);
            }
            dt_array_release(whole);
            dt_spec_release(spec);
            CHECK_OK(world, dt_scope_close(scope));
        }
    dt_mesh_release(mesh);
}

/* 42: the whole tensor, on every rank. */
static void behaviour_42_gives_the_whole(dt_world *world)
{
    static const char *const texts[] = {
        "RR", "S(0)R", "S(1)[1]S(1)[0]", "_S(0,2)S(0)", "PS(1)", "P(avg)P"};
    mesh_list grids = {.count = 0};
    int size = dt_world_size(world);
    grids.meshes[grids.count++] = grid_of(world);
    if (size > 1)
        grids.meshes[grids.count++] = reversed_mesh(world, "a,b=1", size - 1);
    for (int i = 0; i < grids.count; i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++) {
            dt_scope *scope = dt_scope_open(world);
            change of =
                change_of(grids.meshes[i], texts[j], "RR", DT_SHAPE(7, 9));
            dt_array *whole = value_array(&of);
            dt_tensor *full = dt_full_tensor(source_tensor(&of));
            bool member = dt_mesh_is_member(of.mesh);
            if (CHECKF(full, "%s", dt_world_error(world)->message)) {
                CHECK(dt_mesh_size(dt_tensor_mesh(full)) == 1);
                CHECK_INT(dt_tensor_count(full), member ? 63 : 0);
            }
            if (full && member)
                check_tensor(full, &(dt_layout){.ndim = 1}, whole,
                             comparison_of(&of));
            dt_array_release(whole);
            CHECK_OK(world, dt_scope_close(scope));
        }
    release_meshes(&grids);
}

/* Ways to see the result of a call that may be under way. */
static dt_tensor *see(dt_tensor *tensor, int way)
{
    switch (way) {
    case 0:
        return dt_view(tensor, dt_tensor_shape(tensor));
    case 1:
        return dt_transpose(dt_transpose(tensor, 0, 1), 0, 1);
    case 2:
        return dt_detach(tensor);
    default:
        return tensor;
    }
}

/* A view does not wait; who reads it does, and what leaves by dt_to_local or
 * dt_full_tensor is read like that. */
static void behaviour_42_views_of_what_is_under_way(dt_world *world)
{
    dt_mesh *mesh = grid_of(world);
    change of = change_of(mesh, "S(1)R", "RR", DT_SHAPE(33, 21));
    of.dtype = DT_I32;
    dt_array *whole = value_array(&of);
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.asynchronous = true;
    options.layout = "RR";
    for (int way = 0; way < 8; way++) {
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *seen =
            see(dt_redistribute_with(source_tensor(&of), &options), way % 4);
        if (!CHECK(seen != NULL))
            break;
        dt_tensor *local = way < 4 ? dt_to_local(seen) : dt_full_tensor(seen);
        if (CHECK(local != NULL))
            check_tensor(local, &(dt_layout){.ndim = 1}, whole, NULL);
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_array_release(whole);
    dt_mesh_release(mesh);
}

/* ---- Refusals ----------------------------------------------------------- */

/* All ranks are told the same, nobody waits, and the world is as good as
 * before. */
static void check_refusal(dt_tensor *tensor,
                          const dt_redistribute_options *options,
                          dt_status code, const char *text)
{
    dt_world *world = dt_tensor_world(tensor);
    dt_scope *scope = dt_scope_open(world);
    CHECK(!dt_redistribute_with(tensor, options));
    CHECK_FAILS(world, dt_scope_close(scope), code, text);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
}

static void refuses_what_is_wrong(dt_world *world)
{
    static const char *const wrong[] = {
        "",    "S(0)",    "S(0)S(2)",       "RX",
        "RRR", "PP(max)", "S(0)[0]S(0)[0]", "S(-3)R"};
    dt_mesh *mesh = grid_of(world);
    dt_scope *scope = dt_scope_open(world);
    change of = change_of(mesh, "S(0)R", "RR", DT_SHAPE(6, 5));
    dt_tensor *tensor = source_tensor(&of);
    dt_redistribute_options options = options_of(&of);
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        options.layout = wrong[i];
        check_refusal(tensor, &options, DT_ERR_INVALID, NULL);
    }
    options.layout = "MaskP(sum)R";
    check_refusal(tensor, &options, DT_ERR_UNSUPPORTED, "mask");
    options.layout = "P(bxor)R";
    check_refusal(tensor, &options, DT_ERR_INVALID, "bxor");
    options.layout = "RR";
    options.size = 3;
    check_refusal(tensor, &options, DT_ERR_INVALID, "OPTIONS_INIT");
    options = options_of(&of);
    dt_scope *inner = dt_scope_open(world);
    CHECK(!dt_redistribute(NULL, "RR"));
    CHECK(!dt_full_tensor(NULL));
    CHECK(!dt_redistribute_with(NULL, &options));
    CHECK_FAILS(world, dt_scope_close(inner), DT_ERR_INVALID, "tensor is NULL");
    CHECK(dt_redistribute_with(tensor, &options));
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* What is cast must have the reduction still. */
static void refuses_a_dtype_without_the_reduction(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    change of = change_of(mesh, "P(avg)", "R", DT_SHAPE(6, 5));
    dt_redistribute_options options = options_of(&of);
    dt_tensor *tensor = source_tensor(&of);
    options.forward_dtype = &(dt_dtype){DT_I64};
    check_refusal(tensor, &options, DT_ERR_INVALID, "avg");
    options.forward_dtype = &(dt_dtype){(dt_dtype)99};
    check_refusal(tensor, &options, DT_ERR_INVALID, NULL);
    options.forward_dtype = &(dt_dtype){DT_F64};
    CHECK(dt_redistribute_with(tensor, &options));
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Gradients are no integers, and complex ones not real. */
static void refuses_a_dtype_of_gradients(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    change of = change_of(mesh, "S(0)", "R", DT_SHAPE(6, 5));
    dt_redistribute_options options = options_of(&of);
    dt_tensor *tensor = source_tensor(&of);
    options.backward_dtype = &(dt_dtype){DT_I64};
    check_refusal(tensor, &options, DT_ERR_INVALID, "backward_dtype is i64");
    options.backward_dtype = &(dt_dtype){DT_BF16};
    CHECK(dt_redistribute_with(tensor, &options));
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void refuses_a_mesh_of_another_world(dt_world *world)
{
    dt_world_options other = DT_WORLD_OPTIONS_INIT;
    dt_world *far = NULL;
    dt_mesh *mesh = NULL, *away = NULL;
    dt_error error;
    other.transport = "sim";
    other.ranks = 4;
    CHECK_ERROR(&error, dt_world_open(&other, &far, &error), DT_OK, NULL);
    CHECK_OK(far, dt_mesh_create(far, "x", &away));
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    change of = change_of(mesh, "S(0)", "R", DT_SHAPE(6, 5));
    dt_redistribute_options options = options_of(&of);
    options.mesh = away;
    check_refusal(source_tensor(&of), &options, DT_ERR_INVALID, "world");
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(away);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(far), DT_OK);
}

/* Ranks whose rows lie apart by different amounts have one tensor all the
 * same. */
static void padding_is_a_rank_s_own(dt_world *world)
{
    int rank = dt_world_rank(world), size = dt_world_size(world);
    dt_mesh *mesh = NULL;
    dt_array *padded = NULL, *part = NULL;
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    CHECK_OK(world,
             dt_array_create(world, DT_F32, DT_SHAPE(3, 5 + rank), &padded));
    CHECK_OK(world, dt_array_fill(world, padded, rank));
    CHECK_OK(world, dt_array_slice(world, padded, 1, 0, 4, 1, &part));
    dt_tensor *tensor = dt_from_local(mesh, "S(0)", part);
    dt_tensor *whole = dt_full_tensor(tensor);
    if (CHECK(whole)) {
        const float *data = dt_array_const_data(dt_tensor_local(whole));
        CHECK_INT(dt_tensor_extent(whole, 0), 3 * size);
        for (int i = 0; i < 3 * size * 4; i++)
            CHECK(data[i] == (float)(i / 12));
    }
    dt_array_release(part);
    dt_array_release(padded);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Without elements every step that sends nothing works. */
static void meta_arrays_have_layouts(dt_world *world)
{
    static const char *const texts[] = {"R", "S(0)", "S(1)", "P", "P(max)"};
    int size = dt_world_size(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        dt_scope *scope = dt_scope_open(world);
        dt_array *local = NULL;
        CHECK_OK(world,
                 dt_array_create_meta(world, DT_F32,
                                      DT_SHAPE(2 * size, 3 * size), &local));
        dt_tensor *moved =
            dt_redistribute(dt_from_local(mesh, "R", local), texts[i]);
        if (CHECK(moved)) {
            CHECK(dt_array_is_meta(dt_tensor_local(moved)));
            CHECK_INT(dt_tensor_extent(moved, 0), 2 * size);
        }
        dt_array_release(local);
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
}

static void refuses_nothing_as_a_layout(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    CHECK(!dt_redistribute(dt_ones(mesh, "R", DT_F32, DT_SHAPE(3)), NULL));
    CHECK_INT(dt_scope_close(scope), DT_ERR_INVALID);
    CHECK(!dt_redistribute(NULL, "R"));
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"padding is a rank's own", padding_is_a_rank_s_own},
    {"meta arrays have layouts", meta_arrays_have_layouts},
    {"refuses nothing as a layout", refuses_nothing_as_a_layout},
    {"shares memory where nothing moves", shares_memory_where_nothing_moves},
    {"shares memory where only names change",
     shares_memory_where_only_names_change},
    {"takes no more memory than promised", takes_no_more_memory_than_promised},
    {"obeys a small cap", obeys_a_small_cap},
    {"refuses what does not fit", refuses_what_does_not_fit},
    {"several are under way", several_are_under_way},
    {"goes on without waiting", goes_on_without_waiting},
    {"may write the source again", may_write_the_source_again},
    {"4.2.40: casts before it sends", behaviour_40_casts_before_it_sends},
    {"casts lie densely", casts_lie_densely},
    {"casts addends", casts_addends},
    {"4.2.38: lies densely", behaviour_38_lies_densely},
    {"strides follow the elements", strides_follow_the_elements},
    {"4.2.42: gives the whole", behaviour_42_gives_the_whole},
    {"4.2.42: views of what is under way",
     behaviour_42_views_of_what_is_under_way},
    {"refuses what is wrong", refuses_what_is_wrong},
    {"refuses a dtype without the reduction",
     refuses_a_dtype_without_the_reduction},
    {"refuses a dtype of gradients", refuses_a_dtype_of_gradients},
    {"refuses a mesh of another world", refuses_a_mesh_of_another_world},
    {NULL, NULL},
};
