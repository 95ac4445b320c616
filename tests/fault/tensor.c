/* tests/fault/tensor.c - tensors without memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

#include <stdatomic.h>
#include <time.h>

#include "base/error.h"
#include "base/machine/clock.h"

/* Seconds after which a rank would notice by itself that another is missing. */
#define TIMEOUT 120.0

enum { RANKS = 3, ROWS = 50, COLUMNS = 7 };

/* ---- Programs ----------------------------------------------------------- */

static dt_status made(dt_world *world, const dt_tensor *tensor)
{
    if (tensor)
        return DT_OK;
    dt_status status = dt_world_error(world)->code;
    CHECK(status != DT_OK); /* a failure has a sentence */
    return status;
}

/* Tell the others of a failure in a call that is not collective, as programs
 * must; collective ones tell by themselves. */
static dt_status alone(dt_world *world, dt_status status)
{
    if (status != DT_OK)
        dt_world_poison(world);
    return status;
}

static dt_status made_alone(dt_world *world, const dt_tensor *tensor)
{
    return alone(world, made(world, tensor));
}

static dt_shape shape_of_all(void)
{
    return DT_SHAPE(ROWS, COLUMNS);
}

/* The whole, on the rank that has it. */
static dt_status whole_of(dt_world *world, int source, dt_array **out)
{
    if (source != DT_EVERYWHERE && source != dt_world_rank(world))
        return DT_OK;
    DT_TRY(dt_array_create(world, DT_F32, shape_of_all(), out));
    return dt_array_fill(world, *out, 1);
}

static dt_status distribute(dt_mesh *mesh, const char *layout, int source)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *whole = NULL;
    if (source != DT_EVERYWHERE)
        source %= dt_world_size(world);
    dt_status status = alone(world, whole_of(world, source, &whole));
    if (status == DT_OK)
        status = made(world, dt_distribute(mesh, layout, DT_F32, shape_of_all(),
                                           whole, source));
    dt_array_release(whole);
    return status;
}

static dt_status distributes(dt_mesh *mesh)
{
    DT_TRY(distribute(mesh, "S(0)", 1));
    DT_TRY(distribute(mesh, "S(1)", 0));
    DT_TRY(distribute(mesh, "_S(1,2)", 2));
    DT_TRY(distribute(mesh, "R", 1));
    DT_TRY(distribute(mesh, "P", 1));
    return distribute(mesh, "P(max)", 2);
}

static dt_status distributes_everywhere(dt_mesh *mesh)
{
    DT_TRY(distribute(mesh, "S(1)", DT_EVERYWHERE));
    return distribute(mesh, "P", DT_EVERYWHERE);
}

static dt_status from_parts(dt_mesh *mesh)
{
    static const char *const texts[] = {"S(0)", "R", "P"};
    dt_world *world = dt_mesh_world(mesh);
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    dt_array *part = NULL;
    dt_status status =
        alone(world, dt_array_create(world, DT_F64, DT_SHAPE(4, 3), &part));
    if (status == DT_OK)
        status = dt_array_fill(world, part, 2);
    for (int i = 0; i < 6 && status == DT_OK; i++) {
        options.check = i % 2;
        status =
            made(world, dt_from_local_with(mesh, texts[i / 2], part, &options));
        if (!options.check)
            alone(world, status);
    }
    dt_array_release(part);
    return status;
}

static dt_status to_parts(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *array = NULL;
    dt_spec *spec = NULL;
    dt_tensor *tensor = dt_ones(mesh, "S(0)", DT_F32, shape_of_all());
    DT_TRY(made_alone(world, tensor));
    DT_TRY(made_alone(world, dt_to_local(tensor)));
    DT_TRY(dt_tensor_disassemble(tensor, &array, &spec));
    dt_status status = made_alone(world, dt_tensor_assemble(spec, array));
    dt_array_release(array);
    dt_spec_release(spec);
    return status;
}

static dt_status use_boxes(dt_mesh *mesh, const char *layout)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_box box = {.ndim = 2, .offset = {3, 1}, .size = {20, 4}};
    dt_array *array = NULL;
    dt_tensor *tensor = dt_ones(mesh, layout, DT_F32, shape_of_all());
    DT_TRY(made_alone(world, tensor));
    DT_TRY(
        alone(world, dt_array_create(world, DT_F32, DT_SHAPE(20, 4), &array)));
    dt_status status = dt_tensor_get(tensor, &box, array);
    if (status == DT_OK)
        status = dt_tensor_put(tensor, &box, array);
    dt_array_release(array);
    return status;
}

static dt_status boxes(dt_mesh *mesh)
{
    DT_TRY(use_boxes(mesh, "S(0)"));
    DT_TRY(use_boxes(mesh, "P"));
    DT_TRY(use_boxes(mesh, "MaskP(sum)"));
    return use_boxes(mesh, "R");
}

static dt_status give_back(dt_world *world, dt_tensor *const *inputs,
                           int input_count, dt_tensor **outputs,
                           int output_count, void *arg)
{
    (void)world;
    (void)input_count;
    (void)output_count;
    (void)arg;
    outputs[0] = inputs[0];
    return DT_OK;
}

static dt_status maps(dt_mesh *mesh)
{
    static const char *const rows[] = {"S(0)"};
    dt_world *world = dt_mesh_world(mesh);
    const dt_shape shapes[] = {shape_of_all()};
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    dt_tensor *in = dt_ones(mesh, "S(1)", DT_F32, shape_of_all()), *out = NULL;
    DT_TRY(made_alone(world, in));
    options.in_layouts = options.out_layouts = rows;
    options.out_shapes = shapes;
    options.redistribute = true;
    return dt_local_map(give_back, &in, 1, &out, 1, &options);
}

static dt_status factories(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_logspace_options logs = DT_LOGSPACE_OPTIONS_INIT;
    logs.steps = 5;
    DT_TRY(made_alone(world, dt_empty(mesh, "S(0)", DT_F32, shape_of_all())));
    DT_TRY(made_alone(world, dt_full(mesh, "P", DT_C64, shape_of_all(), 1)));
    DT_TRY(made_alone(world, dt_arange(mesh, "S(0)", DT_F32, 0, 9, 1)));
    DT_TRY(made_alone(world, dt_arange_int(mesh, "R", DT_I32, 0, 9, 1)));
    DT_TRY(made_alone(world, dt_linspace(mesh, "S(0)", DT_F32, 0, 9, 7)));
    DT_TRY(made_alone(world, dt_logspace(mesh, "S(0)", DT_F32, &logs)));
    DT_TRY(made_alone(world, dt_eye(mesh, "S(1)", DT_F32, 5, 6)));
    dt_tensor *like = dt_zeros(mesh, "P(max)", DT_F32, shape_of_all());
    DT_TRY(made_alone(world, like));
    DT_TRY(made_alone(world, dt_empty_like(like)));
    return made_alone(world, dt_ones_like(like));
}

static dt_status draws(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_mesh *part = NULL;
    dt_randint_options options = DT_RANDINT_OPTIONS_INIT;
    options.high = 10;
    DT_TRY(alone(world, dt_seed(world, 5)));
    DT_TRY(made_alone(world, dt_rand(mesh, "S(0)", DT_F32, shape_of_all())));
    DT_TRY(made_alone(world, dt_randn(mesh, "P", DT_F16, shape_of_all())));
    DT_TRY(made_alone(
        world, dt_randint(mesh, "S(1)", DT_I8, shape_of_all(), &options)));
    DT_TRY(made_alone(world, dt_randperm(mesh, "S(0)", DT_I64, 100)));
    DT_TRY(dt_mesh_create_from(world, "y", (int[]){0}, 1, &part));
    dt_status status =
        made_alone(world, dt_rand(part, "R", DT_F32, DT_SHAPE(3)));
    dt_mesh_release(part);
    return status;
}

/* Tensors whose parts do not lie in row-major order. */
static dt_status likes_with_strides(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *dense = NULL, *part = NULL;
    DT_TRY(
        alone(world, dt_array_create(world, DT_F32, DT_SHAPE(4, 3), &dense)));
    dt_status status =
        alone(world, dt_array_permute(world, dense, (int[]){1, 0}, &part));
    if (status == DT_OK) {
        dt_tensor *of = dt_from_local(mesh, "S(0)", part);
        status = made_alone(world, of);
        if (status == DT_OK)
            status = made_alone(world, dt_rand_like(of));
    }
    dt_array_release(part);
    dt_array_release(dense);
    return status;
}

typedef struct fault_program {
    const char *name;
    dt_status (*run)(dt_mesh *mesh);
} fault_program;

static const fault_program programs[] = {
    {"dt_distribute", distributes},
    {"dt_distribute from everywhere", distributes_everywhere},
    {"dt_from_local", from_parts},
    {"dt_to_local", to_parts},
    {"dt_tensor_get and dt_tensor_put", boxes},
    {"dt_local_map", maps},
    {"factories", factories},
    {"random numbers", draws},
    {"likes with strides", likes_with_strides},
};

enum { PROGRAMS = sizeof programs / sizeof programs[0] };

/* Run a program on a mesh over all ranks; in the end all meet, so that each
 * hears of a failure. */
static dt_status run_in_world(dt_world *world, const fault_program *program)
{
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_status status =
        scope ? program->run(mesh) : alone(world, DT_ERR_NO_MEMORY);
    if (scope)
        DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
    if (status == DT_OK)
        status = dt_group_barrier(dt_world_group(world));
    return status;
}

/* ---- One rank ----------------------------------------------------------- */

/* Only what a program asks for fails; the world is there already. */
static void fails_alone(const fault_program *program)
{
    for (long nth = 1; nth <= FAULTS_MAX; nth++) {
        live_objects before = count_live();
        dt_world_options options = DT_WORLD_OPTIONS_INIT;
        dt_world *world = NULL;
        dt_error error = {DT_OK, ""};
        options.transport = "threads";
        CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_OK,
                    NULL);
        dt_fault_arm(nth);
        dt_status status = run_in_world(world, program);
        long refused = dt_fault_disarm();
        if (status != DT_OK)
            CHECKF(status == DT_ERR_NO_MEMORY &&
                       dt_world_error(world)->message[0],
                   "%s, request %ld: %s: \"%s\"", program->name, nth,
                   dt_status_name(status), dt_world_error(world)->message);
        /* Then it works, if it is only asked again. */
        if (status != DT_OK)
            CHECK_OK(world, dt_world_recover(world));
        CHECK_OK(world, run_in_world(world, program));
        DT_IGNORE(dt_world_close(world));
        check_live(&before, program->name, nth);
        if (!refused) {
            CHECKF(nth > 5, "%s: %ld requests", program->name, nth - 1);
            return;
        }
    }
    CHECKF(false, "%s: too many requests", program->name);
}

static void fails_on_one_rank(dt_world *world)
{
    (void)world;
    for (int i = 0; i < PROGRAMS; i++)
        fails_alone(&programs[i]);
}

/* ---- Several ranks ------------------------------------------------------ */

/* Where one rank lacks memory the others do not hang: all fail, and all can go
 * on. */
typedef struct recovery {
    const fault_program *program;
    atomic_int failed;
    atomic_int recovered;
} recovery;

/* Wait until all ranks have failed: they must hear of it before the one that
 * failed by itself calls anything else, and long before the time limit. */
static void wait_for_all(recovery *r)
{
    const struct timespec pause = {0, 100000};
    int64_t end = dti_clock_now() + (int64_t)(TIMEOUT / 2 * 1e9);
    while (r->failed < RANKS && dti_clock_now() < end)
        nanosleep(&pause, NULL);
    CHECKF(r->failed == RANKS, "%s: only %d of %d ranks hear of a failure",
           r->program->name, r->failed, RANKS);
}

static dt_status run_and_recover(dt_world *world, void *arg)
{
    recovery *r = arg;
    dt_status status = run_in_world(world, r->program);
    if (status == DT_OK)
        return DT_OK;
    dt_error error = *dt_world_error(world);
    atomic_fetch_add(&r->failed, 1);
    wait_for_all(r);
    if (dt_world_recover(world) == DT_OK &&
        dt_group_barrier(dt_world_group(world)) == DT_OK)
        atomic_fetch_add(&r->recovered, 1);
    return dti_fail_with(world, &error);
}

static dt_status run_ranks(void *arg, dt_error *error)
{
    recovery r = {.program = arg};
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    options.ranks = RANKS;
    options.timeout = TIMEOUT;
    dt_status status = dt_world_run(&options, run_and_recover, &r, error);
    CHECKF(r.failed == 0 || r.failed == RANKS, "%s: %d of %d ranks failed",
           r.program->name, r.failed, RANKS);
    CHECK_INT(r.recovered, r.failed);
    return status;
}

static void fails_among_ranks(dt_world *world)
{
    (void)world;
    for (int i = 0; i < PROGRAMS; i++) {
        fault_program program = programs[i];
        long nth = 1;
        while (nth <= FAULTS_MAX &&
               run_with_fault(program.name, run_ranks, &program, nth, false))
            nth++;
        CHECKF(nth > 20 && nth <= FAULTS_MAX, "%s: %ld requests", program.name,
               nth - 1);
    }
}

const dt_test dt_tests[] = {
    {"fails on one rank", fails_on_one_rank},
    {"fails among ranks", fails_among_ranks},
    {NULL, NULL},
};
