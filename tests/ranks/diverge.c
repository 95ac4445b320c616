/* ranks: 1 2 3 4 7 */
/* tests/ranks/diverge.c - ranks that call different operators, or the same with
 * other arguments, are told which. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

/* The last rank calls something else. */
static bool is_odd(dt_world *world)
{
    return dt_world_rank(world) == dt_world_size(world) - 1;
}

/* Tell whether ranks could differ and would be told. */
static bool can_differ(const dt_world *world)
{
    return dt_world_size(world) > 1 && !dt_test_skip_uncompared(world);
}

/* What calls are made on: the same on all ranks. */
typedef struct given {
    dt_mesh *mesh;
    dt_tensor *x;     /* f32, (8, 8), sharded along dimension 0 */
    dt_tensor *y;     /* the same with other elements */
    dt_tensor *whole; /* f32, (8, 8), replicated */
} given;

static given make_given(dt_mesh *mesh)
{
    return (given){mesh, dt_rand(mesh, "S(0)", DT_F32, DT_SHAPE(8, 8)),
                   dt_rand(mesh, "S(0)", DT_F32, DT_SHAPE(8, 8)),
                   dt_ones(mesh, "R", DT_F32, DT_SHAPE(8, 8))};
}

/* ---- What is called ----------------------------------------------------- */

static void call_softmax(const given *on, bool odd)
{
    odd ? dt_log_softmax(on->x, 0) : dt_softmax(on->x, 0);
}

static void call_argmax(const given *on, bool odd)
{
    odd ? dt_argmin(on->x, 0, false) : dt_argmax(on->x, 0, false);
}

static void call_std(const given *on, bool odd)
{
    odd ? dt_var(on->x, DT_DIMS(0), false) : dt_std(on->x, DT_DIMS(0), false);
}

static void call_cumsum(const given *on, bool odd)
{
    odd ? dt_cumprod(on->x, 0) : dt_cumsum(on->x, 0);
}

static void call_topk(const given *on, bool odd)
{
    dt_tensor *values, *indices;
    DT_IGNORE(dt_topk(on->x, 2, 0, !odd, true, &values, &indices));
}

static void call_sort(const given *on, bool odd)
{
    dt_tensor *values, *indices;
    DT_IGNORE(dt_sort(on->x, 0, odd, &values, &indices));
}

static void call_norm(const given *on, bool odd)
{
    dt_norm(on->x, odd ? 1 : 2, DT_DIMS(0), false);
}

static void call_mean(const given *on, bool odd)
{
    odd ? dt_sum(on->x, DT_DIMS(0), false) : dt_mean(on->x, DT_DIMS(0), false);
}

static void call_masked_select(const given *on, bool odd)
{
    dt_tensor *high = dt_gt_scalar(on->x, dt_real(0.5));
    dt_tensor *low = dt_lt_scalar(on->x, dt_real(0.5));
    dt_masked_select(on->x, odd ? low : high);
}

static void call_matmul(const given *on, bool odd)
{
    odd ? dt_matmul(on->y, on->x) : dt_matmul(on->x, on->y);
}

static void call_add(const given *on, bool odd)
{
    odd ? dt_sub(on->x, on->y) : dt_add(on->x, on->y);
}

static void call_triu(const given *on, bool odd)
{
    odd ? dt_tril(on->x, 0) : dt_triu(on->x, 0);
}

static void call_rand(const given *on, bool odd)
{
    odd ? dt_randn(on->mesh, "S(0)", DT_F32, DT_SHAPE(4))
        : dt_rand(on->mesh, "S(0)", DT_F32, DT_SHAPE(4));
}

/* The generator of one rank is a draw ahead. */
static void call_ahead(const given *on, bool odd)
{
    dt_generator *generator = dt_mesh_generator(on->mesh);
    dt_generator_state state = dt_generator_get_state(generator);
    state.count += odd;
    dt_generator_set_state(generator, state);
    dt_rand(on->mesh, "R", DT_F32, DT_SHAPE(4));
}

static void call_dropout_ahead(const given *on, bool odd)
{
    dt_generator *generator = dt_mesh_generator(on->mesh);
    dt_generator_state state = dt_generator_get_state(generator);
    state.count += odd;
    dt_generator_set_state(generator, state);
    dt_dropout(on->x, 0.5, true);
}

static void call_mul(const given *on, bool odd)
{
    dt_mul_scalar(on->x, dt_integer(odd ? 3 : 2));
}

static void call_roll(const given *on, bool odd)
{
    const int64_t shift = odd ? 2 : 1;
    dt_roll(on->x, &shift, 1, DT_DIMS(0));
}

static void call_select(const given *on, bool odd)
{
    dt_select(on->x, 0, odd ? 1 : 0);
}

static void call_narrow(const given *on, bool odd)
{
    dt_narrow(on->x, 0, odd ? 1 : 0, 3);
}

static void call_sum_dims(const given *on, bool odd)
{
    dt_sum(on->whole, DT_DIMS(odd), false);
}

static void call_redistribute(const given *on, bool odd)
{
    dt_redistribute(on->whole, odd ? "S(1)" : "S(0)");
}

static void call_full(const given *on, bool odd)
{
    dt_full(on->mesh, "R", DT_F32, DT_SHAPE(4), odd ? 0.2 : 0.1);
}

static void call_from_local(const given *on, bool odd)
{
    dt_array *local = NULL;
    dt_world *world = dt_mesh_world(on->mesh);
    if (dt_array_create(world, odd ? DT_I32 : DT_F32, DT_SHAPE(2), &local) !=
        DT_OK)
        return;
    dt_from_local(on->mesh, "S(0)", local);
    dt_array_release(local);
}

static void call_in_place(const given *on, bool odd)
{
    odd ? dt_mul_scalar(on->x, dt_integer(2))
        : dt_mul_scalar_(on->x, dt_integer(2));
}

/* One rank makes one call more. */
static void call_more(const given *on, bool odd)
{
    if (odd)
        dt_neg(on->whole);
    dt_abs(on->whole);
}

/* ---- Pairs -------------------------------------------------------------- */

typedef struct pair {
    const char *name;
    void (*call)(const given *on, bool odd);
    const char *even_text, *odd_text; /* in the message of every rank */
} pair;

static const pair pairs[] = {
    {"softmax", call_softmax, " called softmax(", " called log_softmax("},
    {"argmax", call_argmax, " called argmax(", " called argmin("},
    {"std", call_std, " called std(", " called var("},
    {"cumsum", call_cumsum, " called cumsum(", " called cumprod("},
    {"topk", call_topk, "topk(largest=true)", "topk(largest=false)"},
    {"sort", call_sort, "sort(descending=false)", "sort(descending=true)"},
    {"norm", call_norm, "norm(p=2)", "norm(p=1)"},
    {"mean", call_mean, " called mean(", " called sum("},
    {"masked_select", call_masked_select,
     "masked_select(mask=bool[8, 8] S(0) of",
     "masked_select(mask=bool[8, 8] S(0) of"},
    {"matmul", call_matmul, "matmul(self=f32[8, 8] S(0) of #1, other",
     "matmul(self=f32[8, 8] S(0) of #2, other"},
    {"add", call_add, " called add(", " called sub("},
    {"triu", call_triu, " called triu(", " called tril("},
    {"rand", call_rand, " called rand(", " called randn("},
    {"ahead", call_ahead, "rand(draws so far=2)", "rand(draws so far=3)"},
    {"dropout", call_dropout_ahead, "dropout(draws so far=2)",
     "dropout(draws so far=3)"},
    {"mul", call_mul, "mul_scalar(other=2)", "mul_scalar(other=3)"},
    {"roll", call_roll, "roll(shifts=[1])", "roll(shifts=[2])"},
    {"select", call_select, "select(index=0)", "select(index=1)"},
    {"narrow", call_narrow, "narrow(start=0)", "narrow(start=1)"},
    {"dims", call_sum_dims, "sum(dims=[0])", "sum(dims=[1])"},
    {"redistribute", call_redistribute, "redistribute(to=f32[8, 8] S(0))",
     "redistribute(to=f32[8, 8] S(1))"},
    {"full", call_full, "full(value=0.1)", "full(value=0.2)"},
    {"from_local", call_from_local, "from_local(result=f32",
     "from_local(result=i32"},
    {"in place", call_in_place, " called mul_scalar_(", " called mul_scalar("},
    {"more", call_more, " called abs(", " called neg("},
};

/* The message of a divergence names two ranks and both calls. */
static void check_message(dt_world *world, const pair *of)
{
    const dt_error *error = dt_world_error(world);
    char odd[32];
    snprintf(odd, sizeof odd, "rank %d called", dt_world_size(world) - 1);
    CHECKF(error->code == DT_ERR_DIVERGED &&
               strstr(error->message, of->even_text) &&
               strstr(error->message, of->odd_text) &&
               strstr(error->message, odd),
           "%s: %s: %s", of->name, dt_status_name(error->code), error->message);
}

/* Make the calls of a pair; they may be told at once, or only when a later
 * collective compares. */
static void try_pair(dt_world *world, const pair *of, bool asks)
{
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_seed(world, 5));
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    given on = make_given(mesh);
    of->call(&on, is_odd(world));
    if (dt_world_error(world)->code == DT_OK) {
        if (asks)
            DT_IGNORE(dt_world_check(world));
        else
            dt_full_tensor(on.y);
    }
    check_message(world, of);
    DT_IGNORE(dt_scope_close(scope));
    CHECK_OK(world, dt_world_recover(world));
    dt_mesh_release(mesh);
}

static void names_both_calls(dt_world *world)
{
    if (!can_differ(world))
        return;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        try_pair(world, &pairs[i], true);
        try_pair(world, &pairs[i], false);
    }
}

/* ---- Older differences -------------------------------------------------- */

/* After a difference, all ranks make the same calls; then they communicate. */
static void go_on(const given *on, int calls)
{
    for (int i = 0; i < calls; i++)
        dt_neg(on->whole);
    dt_full_tensor(on->x);
}

static void says_from_which_call_on(dt_world *world)
{
    if (!can_differ(world))
        return;
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int calls = 1; calls < 50; calls += 24) {
        dt_scope *scope = dt_scope_open(world);
        given on = make_given(mesh);
        call_mul(&on, is_odd(world));
        go_on(&on, calls);
        const char *message = dt_world_error(world)->message;
        const char *since =
            calls < 30 ? "from call #4 of mesh x=" : "before call #2";
        const char *what = calls < 30 ? "mul_scalar(other=3)" : "called neg(";
        CHECKF(strstr(message, since) && strstr(message, what), "%d: %s", calls,
               message);
        CHECK_INT(dt_scope_close(scope), DT_ERR_DIVERGED);
        CHECK_OK(world, dt_world_recover(world));
    }
    dt_mesh_release(mesh);
}

/* Ranks that recover begin anew, and what they compute is right. */
static void recovers(dt_world *world)
{
    if (!can_differ(world))
        return;
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    given on = make_given(mesh);
    dt_tensor_retain(on.whole);
    call_mul(&on, is_odd(world));
    CHECK_FAILS(world, dt_world_check(world), DT_ERR_DIVERGED,
                "mul_scalar(other=3)");
    CHECK_FAILS(world, dt_world_check(world), DT_ERR_DIVERGED,
                "mul_scalar(other=2)");
    CHECK_OK(world, dt_world_recover(world));
    CHECK_OK(world, dt_world_check(world));
    dt_tensor *sum =
        dt_sum(dt_redistribute(on.whole, "S(0)"), DT_DIMS(), false);
    dt_tensor *total = dt_full_tensor(sum);
    if (CHECK(total != NULL))
        CHECK(*(const float *)dt_array_const_data(dt_tensor_local(total)) ==
              64);
    CHECK_OK(world, dt_world_check(world));
    dt_tensor_release(on.whole);
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* ---- Meshes of several dimensions, and smaller ones --------------------- */

/* On a mesh (dp, tp) only groups along tp communicate: the two ranks of one
 * differ and are told, the others are not concerned. */
static void compares_along_one_dimension(dt_world *world)
{
    if (dt_world_size(world) != 4 || !can_differ(world))
        return;
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    int rank = dt_world_rank(world);
    CHECK_OK(world, dt_mesh_create(world, "dp=2,tp=2", &mesh));
    dt_tensor *x = dt_ones(mesh, "RS(0)", DT_F32, DT_SHAPE(4));
    dt_tensor *y = dt_mul_scalar(x, dt_integer(rank == 3 ? 3 : 2));
    dt_tensor *all = dt_redistribute(y, "RR");
    if (rank < 2) {
        CHECK(all != NULL);
    } else {
        const char *message = dt_world_error(world)->message;
        CHECK(all == NULL);
        CHECKF(strstr(message, "rank 2 called mul_scalar(other=2)") &&
                   strstr(message, "rank 3 called mul_scalar(other=3)") &&
                   strstr(message, "from call #2 of mesh dp=2,tp=2"),
               "%s", message);
    }
    CHECK_OK(world, dt_world_recover(world));
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Replicas along dp that never communicate are compared when asked. */
static void checks_what_never_communicates(dt_world *world)
{
    if (dt_world_size(world) != 4 || !can_differ(world))
        return;
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    int rank = dt_world_rank(world);
    CHECK_OK(world, dt_mesh_create(world, "dp=2,tp=2", &mesh));
    dt_tensor *x = dt_ones(mesh, "RS(0)", DT_F32, DT_SHAPE(4));
    dt_tensor *y = dt_mul_scalar(x, dt_integer(rank >= 2 ? 3 : 2));
    CHECK(dt_redistribute(y, "RR") != NULL);
    CHECK_FAILS(world, dt_world_check(world), DT_ERR_DIVERGED,
                "rank 0 called mul_scalar(other=2), rank 2 called "
                "mul_scalar(other=3)");
    CHECK_OK(world, dt_world_recover(world));
    CHECK_INT(dt_scope_close(scope), DT_ERR_DIVERGED);
    dt_mesh_release(mesh);
}

/* Stages of a pipeline, on sub-meshes side by side, call what they like; the
 * ranks of one stage call the same. */
static void lets_sub_meshes_differ(dt_world *world)
{
    if (dt_world_size(world) != 4 || !can_differ(world))
        return;
    dt_mesh *mesh = NULL, *stage = NULL;
    dt_scope *scope = dt_scope_open(world);
    int rank = dt_world_rank(world);
    CHECK_OK(world, dt_mesh_create(world, "pp=2,tp=2", &mesh));
    CHECK_OK(world, dt_mesh_sub(mesh, "tp", &stage));
    dt_tensor *x = dt_ones(stage, "S(0)", DT_F32, DT_SHAPE(4));
    dt_tensor *y = rank < 2 ? dt_exp(x) : dt_mul_scalar(x, dt_integer(rank));
    if (rank < 2)
        CHECK(dt_full_tensor(dt_neg(y)) != NULL);
    CHECK_FAILS(world, dt_world_check(world), DT_ERR_DIVERGED,
                "rank 2 called mul_scalar(other=2), rank 3 called "
                "mul_scalar(other=3)");
    CHECK_OK(world, dt_world_recover(world));
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(stage);
    dt_mesh_release(mesh);
}

/* ---- What may differ ---------------------------------------------------- */

/* Each rank computes something else with its part. */
static dt_status scale_by_rank(dt_world *world, dt_tensor *const *inputs,
                               int input_count, dt_tensor **outputs,
                               int output_count, void *arg)
{
    (void)input_count;
    (void)output_count;
    (void)arg;
    outputs[0] = dt_mul_scalar(inputs[0], dt_integer(dt_world_rank(world)));
    if (is_odd(world))
        outputs[0] = dt_neg(outputs[0]);
    return outputs[0] ? DT_OK : DT_ERR_INVALID;
}

static void lets_local_functions_differ(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    const char *layouts[] = {"S(0)"};
    dt_tensor *out = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_tensor *x =
        dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(2 * dt_world_size(world)));
    options.out_layouts = layouts;
    CHECK_OK(world, dt_local_map(scale_by_rank, &x, 1, &out, 1, &options));
    if (is_odd(world))
        CHECK(dt_neg(dt_to_local(x)) != NULL);
    CHECK(dt_full_tensor(out) != NULL);
    CHECK_OK(world, dt_world_check(world));
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* ---- Modules ------------------------------------------------------------ */

static void names_modules(dt_world *world)
{
    if (!can_differ(world))
        return;
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    given on = make_given(mesh);
    CHECK(dt_world_set_module(world, "encoder.3") == NULL);
    call_mul(&on, is_odd(world));
    CHECK_TEXT(dt_world_set_module(world, NULL), "encoder.3");
    CHECK_FAILS(world, dt_world_check(world), DT_ERR_DIVERGED,
                "mul_scalar(other=3) in encoder.3");
    CHECK_OK(world, dt_world_recover(world));
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"names both calls", names_both_calls},
    {"says from which call on", says_from_which_call_on},
    {"recovers", recovers},
    {"compares along one dimension", compares_along_one_dimension},
    {"checks what never communicates", checks_what_never_communicates},
    {"lets sub-meshes differ", lets_sub_meshes_differ},
    {"lets local functions differ", lets_local_functions_differ},
    {"names modules", names_modules},
    {NULL, NULL},
};
