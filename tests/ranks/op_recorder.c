/* ranks: 1 2 3 4 7 */
/* tests/ranks/op_recorder.c - a recorder sees every call: operators, layouts,
 * local tensors, compositions as one call or as their parts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <dtensor/local_map.h>
#include <dtensor/ops.h>
#include <dtensor/redistribute.h>

#include "op/call/recorder.h"

#include "ranks/tensor_values.h"

enum { TEXT_SIZE = 2048 };

/* What a recorder was told, a line for each call. */
typedef struct notes {
    dt_world *world;
    bool whole;         /* compositions are one call */
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
    put(to, " ->");
    for (int i = 0; i < record->result_count; i++)
        put_tensor(to, record->results[i]);
    put(to, "\n");
    return DT_OK;
}

/* Call `body` with a recorder; what it is told must be `expected`. */
static void check_notes(dt_world *world, dt_mesh *mesh, bool whole,
                        void (*body)(dt_mesh *mesh, dt_tensor *x),
                        const char *expected)
{
    notes told = {.world = world, .whole = whole};
    const dti_recorder recorder = {takes_whole, note, &told};
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(6, 4));
    CHECK_OK(world, dti_recorder_set(world, &recorder, NULL));
    body(mesh, x);
    CHECK_OK(world, dti_recorder_set(world, NULL, NULL));
    CHECK_OK(world, dt_scope_close(scope));
    CHECKF(strcmp(told.text, expected) == 0, "told:\n%snot:\n%s", told.text,
           expected);
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
                "local_map R -> R\n");
    check_notes(world, mesh, false, cross,
                "redistribute S(0) -> R\n"
                "to_local R -> R\n"
                "from_local R -> R\n"
                "from_local - -> R\n"
                "redistribute S(0) -> R\n"
                "to_local R -> R\n"
                "to_local R -> R\n"
                "add R R -> R\n"
                "from_local - -> R\n");
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
    const dti_recorder recorder = {takes_whole, note, &told};
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
    {"failures are the call's", failures_are_the_calls},
    {"local tensors are checked", local_tensors_are_checked},
    {NULL, NULL},
};
