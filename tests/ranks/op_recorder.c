/* ranks: 1 2 3 4 7 */
/* tests/ranks/op_recorder.c - a recorder sees every call: operators, layouts,
 * local tensors, compositions as one call or as their parts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <dtensor/create.h>
#include <dtensor/local_map.h>
#include <dtensor/ops.h>
#include <dtensor/redistribute.h>

#include "op/call/recorder.h"

#include "support/tensors.h"

enum { TEXT_SIZE = 2048 };

/* What a recorder was told, a line for each call. */
typedef struct notes {
    dt_world *world;
    bool whole;         /* compositions are one call */
    bool arguments;     /* tell these too */
    const char *refuse; /* the operator whose record fails; or NULL */
    char text[TEXT_SIZE];
} notes;

static void put(notes *to, const char *text)
{
    strncat(to->text, text, TEXT_SIZE - 1 - strlen(to->text));
}

static void put_tensor(notes *to, const dt_tensor *tensor)
{
    put(to, " ");
    put(to, tensor ? dt_layout_text(to->world, dt_tensor_layout(tensor)) : "-");
}

/* A value of an argument that is no tensor. */
static void put_argument(notes *to, const dti_parameter *parameter,
                         const dt_argument *argument)
{
    char text[64] = "";
    switch (argument->kind) {
    case DT_ARG_TEXT:
        snprintf(text, sizeof text, "%s", argument->as.text);
        break;
    case DT_ARG_INTEGER:
        if (parameter->type == DTI_TYPE_DTYPE)
            snprintf(text, sizeof text, "%s",
                     dt_dtype_name((dt_dtype)argument->as.integer));
        else
            snprintf(text, sizeof text, "%d", (int)argument->as.integer);
        break;
    case DT_ARG_REAL:
        snprintf(text, sizeof text, "%g", argument->as.real);
        break;
    case DT_ARG_NUMBER:
        if (argument->as.number.kind == DT_KIND_FLOAT)
            snprintf(text, sizeof text, "%g", argument->as.number.as.real);
        else
            snprintf(text, sizeof text, "int %d",
                     (int)argument->as.number.as.integer);
        break;
    case DT_ARG_INTEGERS:
        snprintf(text, sizeof text, "[%d dims]", argument->count);
        break;
    default:
        snprintf(text, sizeof text, "%s",
                 argument->kind == DT_ARG_NONE ? "none" : "given");
        break;
    }
    put(to, " ");
    put(to, parameter->name);
    put(to, "=");
    put(to, text);
}

static void put_arguments(notes *to, const dti_record *record)
{
    const dti_schema *schema = &record->op->schema;
    for (int i = 0; i < schema->count; i++)
        if (record->arguments[i].kind != DT_ARG_TENSOR &&
            schema->parameters[i].type != DTI_TYPE_MESH)
            put_argument(to, &schema->parameters[i], &record->arguments[i]);
}

static bool takes_whole(void *arg, const dti_operator *op)
{
    (void)op;
    return ((notes *)arg)->whole;
}

static dt_status note(void *arg, const dti_record *record)
{
    static const char *const endings[] = {"", "_", "_out"};
    notes *to = arg;
    if (to->refuse && strcmp(to->refuse, record->op->schema.name) == 0)
        return dti_fail(to->world, DT_ERR_UNSUPPORTED, "%s is not recorded",
                        to->refuse);
    put(to, record->op->schema.name);
    put(to, endings[record->variant]);
    for (int i = 0; i < record->input_count; i++)
        put_tensor(to, record->inputs[i]);
    if (to->arguments)
        put_arguments(to, record);
    put(to, " ->");
    for (int i = 0; i < record->result_count; i++)
        put_tensor(to, record->results[i]);
    put(to, "\n");
    return DT_OK;
}

/* Call `body` with a recorder; what it is told must be `expected`. */
static void check_told(notes told, dt_mesh *mesh,
                       void (*body)(dt_mesh *mesh, dt_tensor *x),
                       const char *expected)
{
    dt_world *world = told.world;
    const dti_recorder recorder = {
        .takes_whole = takes_whole, .record = note, .arg = &told};
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(6, 4));
    CHECK_OK(world, dti_recorder_set(world, &recorder, NULL));
    body(mesh, x);
    CHECK_OK(world, dti_recorder_set(world, NULL, NULL));
    CHECK_OK(world, dt_scope_close(scope));
    CHECKF(strcmp(told.text, expected) == 0, "told:\n%snot:\n%s", told.text,
           expected);
}

static void check_notes(dt_world *world, dt_mesh *mesh, bool whole,
                        void (*body)(dt_mesh *mesh, dt_tensor *x),
                        const char *expected)
{
    check_told((notes){.world = world, .whole = whole}, mesh, body, expected);
}

/* ---- Operators ---------------------------------------------------------- */

static void compute(dt_mesh *mesh, dt_tensor *x)
{
    dt_tensor *pieces[2] = {NULL};
    (void)mesh;
    dt_tensor *sum = dt_add(x, x);
    dt_mul_(sum, x);
    dt_exp_out(x, sum);
    DT_IGNORE(dt_max_dim(x, 1, false, &pieces[0], &pieces[1]));
    dt_sum(x, DT_DIMS(0), false);
}

static void operators_are_told(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    check_notes(world, mesh, true, compute,
                "add S(0) S(0) -> S(0)\n"
                "mul_ S(0) S(0) -> S(0)\n"
                "exp_out S(0) -> S(0)\n"
                "max_dim S(0) -> S(0) S(0)\n"
                "sum S(0) -> P(sum)\n");
    dt_mesh_release(mesh);
}

/* ---- The boundary ------------------------------------------------------- */

static dt_status twice(dt_world *world, dt_tensor *const *inputs,
                       int input_count, dt_tensor **outputs, int output_count,
                       void *arg)
{
    (void)world, (void)input_count, (void)output_count, (void)arg;
    outputs[0] = dt_add(inputs[0], inputs[0]);
    return DT_OK;
}

static void cross(dt_mesh *mesh, dt_tensor *x)
{
    const char *layout = "R";
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    dt_tensor *replicated = dt_redistribute(x, "R"), *out = NULL;
    dt_from_local_tensor(mesh, "R", dt_to_local(replicated), NULL);
    dt_from_local(mesh, "R", dt_tensor_local(replicated));
    dt_full_tensor(x);
    dt_distribute(mesh, "S(1)", DT_F32, dt_tensor_shape(x),
                  dt_tensor_local(replicated), DT_EVERYWHERE);
    DT_IGNORE(dt_tensor_put(replicated, NULL, NULL));
    options.out_layouts = &layout;
    DT_IGNORE(dt_local_map(twice, &replicated, 1, &out, 1, &options));
}

static void the_boundary_is_told(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    check_notes(world, mesh, true, cross,
                "redistribute S(0) -> R\n"
                "to_local R -> R\n"
                "from_local R -> R\n"
                "from_local - -> R\n"
                "full_tensor S(0) -> R\n"
                "distribute -> S(1)\n"
                "tensor_put_ R -> R\n"
                "local_map R -> R\n");
    check_notes(world, mesh, false, cross,
                "redistribute S(0) -> R\n"
                "to_local R -> R\n"
                "from_local R -> R\n"
                "from_local - -> R\n"
                "redistribute S(0) -> R\n"
                "to_local R -> R\n"
                "distribute -> S(1)\n"
                "tensor_put_ R -> R\n"
                "to_local R -> R\n"
                "add R R -> R\n"
                "from_local R -> R\n");
    dt_mesh_release(mesh);
}

/* ---- Factories ---------------------------------------------------------- */

static void make_constants(dt_mesh *mesh, dt_tensor *x)
{
    (void)x;
    dt_empty(mesh, "S(0)", DT_F32, DT_SHAPE(5, 3));
    dt_zeros(mesh, "R", DT_I64, DT_SHAPE(5));
    dt_ones(mesh, "P(sum)", DT_F32, DT_SHAPE());
    dt_full(mesh, "S(0)", DT_F32, DT_SHAPE(0), 2.5);
    dt_full_int(mesh, NULL, DT_F32, DT_SHAPE(5), 3);
}

static void make_sequences(dt_mesh *mesh, dt_tensor *x)
{
    dt_logspace_options logs = DT_LOGSPACE_OPTIONS_INIT;
    (void)x;
    logs.end = 2;
    logs.steps = 4;
    dt_arange(mesh, "S(0)", DT_F32, 0, 2.5, 0.5);
    dt_arange_int(mesh, "R", DT_I64, 9, 0, -2);
    dt_linspace(mesh, "S(0)", DT_F32, 0, 1, 7);
    dt_logspace(mesh, "R", DT_F32, &logs);
    dt_eye(mesh, "S(1)", DT_F32, 3, 5);
}

static void draw_numbers(dt_mesh *mesh, dt_tensor *x)
{
    dt_randint_options digits = DT_RANDINT_OPTIONS_INIT;
    (void)x;
    digits.high = 10;
    dt_rand(mesh, "S(0)", DT_F32, DT_SHAPE(5));
    dt_randn(mesh, "R", DT_F64, DT_SHAPE(5));
    dt_rand_from(dt_mesh_generator(mesh), mesh, "R", DT_F32, DT_SHAPE(5));
    dt_randn_from(dt_mesh_generator(mesh), mesh, "R", DT_F32, DT_SHAPE(5));
    dt_randint(mesh, "S(0)", DT_I64, DT_SHAPE(5), &digits);
    dt_randperm(mesh, "S(0)", DT_I64, 6);
}

static void make_others(dt_mesh *mesh, dt_tensor *x)
{
    dt_randint_options digits = DT_RANDINT_OPTIONS_INIT;
    dt_tensor *sum = dt_sum(x, DT_DIMS(0), false);
    (void)mesh;
    digits.high = 10;
    dt_empty_like(sum);
    dt_zeros_like(sum);
    dt_ones_like(x);
    dt_full_like(x, 2.5);
    dt_full_int_like(x, 3);
    dt_rand_like(x);
    dt_randn_like(x);
    dt_randint_like(x, &digits);
    dt_new_zeros(x, DT_SHAPE(5));
}

/* As one call and as parts: factories are made of no others. */
static void check_factories(dt_world *world, dt_mesh *mesh,
                            void (*body)(dt_mesh *mesh, dt_tensor *x),
                            const char *expected)
{
    notes told = {.world = world, .arguments = true};
    check_told(told, mesh, body, expected);
    told.whole = true;
    check_told(told, mesh, body, expected);
}

static void factories_are_told(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    check_factories(
        world, mesh, make_constants,
        "empty layout=S(0) dtype=f32 size=[2 dims] -> S(0)\n"
        "zeros layout=R dtype=i64 size=[1 dims] -> R\n"
        "ones layout=P(sum) dtype=f32 size=[0 dims] -> P(sum)\n"
        "full layout=S(0) dtype=f32 size=[1 dims] value=2.5 -> S(0)\n"
        "full layout=none dtype=f32 size=[1 dims] value=int 3 -> R\n");
    check_factories(
        world, mesh, make_sequences,
        "arange layout=S(0) dtype=f32 start=0 end=2.5 step=0.5 -> S(0)\n"
        "arange layout=R dtype=i64 start=int 9 end=int 0 step=int -2 -> R\n"
        "linspace layout=S(0) dtype=f32 start=0 end=1 steps=7 -> S(0)\n"
        "logspace layout=R dtype=f32 start=0 end=2 steps=4 base=10 -> R\n"
        "eye layout=S(1) dtype=f32 rows=3 columns=5 -> S(1)\n");
    check_factories(
        world, mesh, draw_numbers,
        "rand layout=S(0) dtype=f32 size=[1 dims] generator=none -> S(0)\n"
        "randn layout=R dtype=f64 size=[1 dims] generator=none -> R\n"
        "rand layout=R dtype=f32 size=[1 dims] generator=given -> R\n"
        "randn layout=R dtype=f32 size=[1 dims] generator=given -> R\n"
        "randint layout=S(0) dtype=i64 size=[1 dims] low=0 high=10 "
        "generator=none -> S(0)\n"
        "randperm layout=S(0) dtype=i64 count=6 generator=none -> S(0)\n");
    check_factories(
        world, mesh, make_others,
        "sum S(0) dims=[1 dims] keepdim=0 dtype=none -> P(sum)\n"
        "empty_like P(sum) dtype=none -> P(sum)\n"
        "zeros_like P(sum) dtype=none -> R\n"
        "ones_like S(0) dtype=none -> S(0)\n"
        "full_like S(0) value=2.5 dtype=none -> S(0)\n"
        "full_like S(0) value=int 3 dtype=none -> S(0)\n"
        "rand_like S(0) dtype=none generator=none -> S(0)\n"
        "randn_like S(0) dtype=none generator=none -> S(0)\n"
        "randint_like S(0) low=0 high=10 dtype=none generator=none -> S(0)\n"
        "new_zeros S(0) size=[1 dims] dtype=none -> R\n");
    dt_mesh_release(mesh);
}

/* ---- Failures ----------------------------------------------------------- */

/* The status of a call that returns a tensor. */
static dt_status tell(dt_world *world, const dt_tensor *tensor)
{
    return tensor ? DT_OK : dt_world_error(world)->code;
}

static void failures_are_the_calls(dt_world *world)
{
    dt_mesh *mesh = NULL;
    notes told = {.world = world, .whole = true, .refuse = "add"};
    const dti_recorder recorder = {
        .takes_whole = takes_whole, .record = note, .arg = &told};
    const dti_recorder *before = &recorder;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(6, 4));
    dt_tensor *other = dt_ones(mesh, "R", DT_F32, DT_SHAPE(5));
    CHECK_OK(world, dti_recorder_set(world, &recorder, &before));
    CHECK(before == NULL);
    CHECK_FAILS(world, tell(world, dt_add(x, x)), DT_ERR_UNSUPPORTED,
                "add is not recorded");
    CHECK_FAILS(world, tell(world, dt_mul(x, other)), DT_ERR_INVALID, "mul");
    CHECK_INT(strlen(told.text), 0); /* what fails is not told */
    CHECK_OK(world, dti_recorder_set(world, NULL, &before));
    CHECK(before == &recorder);
    CHECK(dt_add(x, x) != NULL);
    dt_mesh_release(mesh);
}

/* A local tensor must be on this rank's own mesh. */
static void local_tensors_are_checked(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(6, 4));
    dt_tensor *made = dt_from_local_tensor(mesh, "S(0)", dt_to_local(x), NULL);
    CHECK_TEXT(dt_layout_text(world, dt_tensor_layout(made)), "S(0)");
    /* Memory is shared. */
    CHECK(dt_array_const_data(dt_tensor_local(made)) ==
          dt_array_const_data(dt_tensor_local(x)));
    if (dt_world_size(world) > 1)
        CHECK_FAILS(world,
                    tell(world, dt_from_local_tensor(mesh, "S(0)", x, NULL)),
                    DT_ERR_INVALID, "own mesh");
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"operators are told", operators_are_told},
    {"the boundary is told", the_boundary_is_told},
    {"factories are told", factories_are_told},
    {"failures are the call's", failures_are_the_calls},
    {"local tensors are checked", local_tensors_are_checked},
    {NULL, NULL},
};
