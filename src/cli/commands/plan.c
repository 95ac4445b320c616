/* cli/commands/plan.c - `dtensor plan`: how a tensor would change hands. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/mesh.h>
#include <dtensor/plan.h>

#include "base/text/message.h"
#include "cli/command.h"
#include "cli/memory.h"
#include "cli/options.h"
#include "cli/plan/report.h"
#include "cli/tensor.h"
#include "cli/units.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *const name = "plan";

/* What is asked for. */
typedef struct request {
    const char *mesh, *to_mesh; /* to_mesh is NULL if it is the same */
    const char *shape, *dtype;
    const char *from, *to;
    const char *memory_cap, *objective, *transport;
    bool json;
} request;

/* The same, read. */
typedef struct wanted {
    dt_dtype dtype;
    dt_shape shape;
    int places, to_places;
    dt_plan_options options;
} wanted;

/* ---- Arguments ---------------------------------------------------------- */

/* Find a word in a list that ends with NULL; -1, which stderr then says, if it
 * is not there. */
static int find_word(const char *option, const char *const *words,
                     const char *text)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0)
            return i;
    dti_message_print(stderr, "dtensor %s: %s takes ", name, option);
    for (int i = 0; words[i]; i++)
        dti_message_print(stderr, "%s%s",
                          i == 0         ? ""
                          : words[i + 1] ? ", "
                                         : " or ",
                          words[i]);
    dti_message_print(stderr, ", not \"%s\"\n", text);
    return -1;
}

static bool read_options(const request *asked, dt_plan_options *out)
{
    static const char *const objectives[] = {
        [DT_OBJECTIVE_TIME] = "time", [DT_OBJECTIVE_BYTES] = "bytes", NULL};
    static const char *const transports[] = {"shm", "mpi", "threads", NULL};
    int objective = find_word("--objective", objectives, asked->objective);
    if (objective < 0 ||
        find_word("--transport", transports, asked->transport) < 0)
        return false;
    *out = (dt_plan_options)DT_PLAN_OPTIONS_INIT;
    out->objective = (dt_objective)objective;
    out->transport = asked->transport;
    if (!asked->memory_cap ||
        (dti_bytes_read(asked->memory_cap, &out->memory_cap) &&
         out->memory_cap > 0))
        return true;
    dti_message_print(
        stderr,
        "dtensor %s: --memory-cap takes bytes, such as 64Mi, not \"%s\"\n",
        name, asked->memory_cap);
    return false;
}

static bool read_request(const request *asked, wanted *out)
{
    if (!dti_read_shape(name, asked->shape, &out->shape) ||
        !dti_read_dtype(name, asked->dtype, &out->dtype) ||
        !read_options(asked, &out->options))
        return false;
    out->places = dti_count_places(name, asked->mesh);
    out->to_places =
        asked->to_mesh ? dti_count_places(name, asked->to_mesh) : out->places;
    return out->places && out->to_places;
}

/* ---- Planning ----------------------------------------------------------- */

/* The sentence of the library outlives the next failure. */
typedef struct reason {
    char text[sizeof((dt_error *)0)->message];
} reason;

/* Find the plan that PyTorch takes unless told otherwise; NULL and the reason
 * if it has none. */
static dt_plan *plan_usual(dt_spec *from, dt_spec *to, dt_plan_options options,
                           reason *why)
{
    dt_plan *plan = NULL;
    options.planner = DT_PLANNER_GREEDY;
    options.memory_cap = 0;
    if (!dt_mesh_equal(dt_spec_mesh(from), dt_spec_mesh(to))) {
        snprintf(why->text, sizeof why->text,
                 "it cannot redistribute between meshes");
        return NULL;
    }
    if (dt_plan_create(from, to, &options, &plan) == DT_OK)
        return plan;
    const dt_error *error = dt_world_error(dt_mesh_world(dt_spec_mesh(from)));
    snprintf(why->text, sizeof why->text, "%s", error->message);
    return NULL;
}

static dt_status show(dt_spec *from, dt_spec *to, const request *asked,
                      const wanted *want)
{
    dt_plan *plan = NULL;
    reason why = {""};
    DT_TRY(dt_plan_create(from, to, &want->options, &plan));
    dt_plan *usual = plan_usual(from, to, want->options, &why);
    dti_planned planned = {.plan = plan,
                           .usual = usual,
                           .reason = why.text,
                           .objective = want->options.objective,
                           .memory_cap = want->options.memory_cap,
                           .transport = want->options.transport};
    if (asked->json)
        dti_plan_print_json(&planned, stdout);
    else
        dti_plan_print(&planned, stdout);
    dt_plan_release(usual);
    dt_plan_release(plan);
    return DT_OK;
}

/* A mesh over the first ranks of the world. */
static dt_status make_mesh(dt_world *world, const char *text, int places,
                           dt_mesh **out)
{
    if (places == dt_world_size(world))
        return dt_mesh_create(world, text, out);
    int *ranks = dti_grow(NULL, (size_t)places, sizeof *ranks);
    for (int i = 0; i < places; i++)
        ranks[i] = i;
    dt_status status = dt_mesh_create_from(world, text, ranks, places, out);
    free(ranks);
    return status;
}

static dt_status plan_between(dt_mesh *mesh, dt_mesh *to_mesh,
                              const request *asked, const wanted *want)
{
    dt_spec *from = NULL, *to = NULL;
    dt_status status =
        dt_spec_create(mesh, asked->from, want->dtype, want->shape, &from);
    if (status == DT_OK)
        status =
            dt_spec_create(to_mesh, asked->to, want->dtype, want->shape, &to);
    if (status == DT_OK)
        status = show(from, to, asked, want);
    dt_spec_release(from);
    dt_spec_release(to);
    return status;
}

static bool are_sized(const request *asked)
{
    return dti_mesh_is_sized(name, asked->mesh) &&
           (!asked->to_mesh || dti_mesh_is_sized(name, asked->to_mesh));
}

/* Plan in a world that was opened for it; gives the exit status. */
static int plan_in(dt_world *world, const request *asked, const wanted *want)
{
    dt_mesh *mesh = NULL, *to_mesh = NULL;
    dt_status status = make_mesh(world, asked->mesh, want->places, &mesh);
    if (status == DT_OK && asked->to_mesh)
        status = make_mesh(world, asked->to_mesh, want->to_places, &to_mesh);
    bool sized = status != DT_OK || are_sized(asked);
    if (status == DT_OK && sized)
        status = plan_between(mesh, to_mesh ? to_mesh : mesh, asked, want);
    dt_mesh_release(to_mesh);
    dt_mesh_release(mesh);
    if (status != DT_OK)
        return dti_fail_asked(name, dt_world_error(world));
    return sized ? DTI_EXIT_OK : DTI_EXIT_USAGE;
}

static int plan_asked(const request *asked)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    dt_world *world;
    wanted want;
    if (!read_request(asked, &want))
        return DTI_EXIT_USAGE;
    options.transport = "sim";
    options.ranks = want.places > want.to_places ? want.places : want.to_places;
    if (dt_world_open(&options, &world, &error) != DT_OK)
        return dti_fail_asked(name, &error);
    int code = plan_in(world, asked, &want);
    DT_IGNORE(dt_world_close(world));
    return code;
}

static const char *find_missing(const request *asked, int operands)
{
    if (!asked->mesh)
        return "a mesh is required, for example --mesh dp=2,tp=4";
    if (!asked->shape)
        return "a shape is required, for example --shape 8192x8192";
    if (operands < 2)
        return "two layouts are required, for example \"S(0)R\" \"RS(1)\"";
    return NULL;
}

static int plan(int argc, char **argv)
{
    request asked = {.dtype = "f32", .objective = "time", .transport = "shm"};
    int operands;
    const dti_option options[] = {
        {.name = "--mesh", .text = &asked.mesh},
        {.name = "--to-mesh", .text = &asked.to_mesh},
        {.name = "--shape", .text = &asked.shape},
        {.name = "--dtype", .text = &asked.dtype},
        {.name = "--memory-cap", .text = &asked.memory_cap},
        {.name = "--objective", .text = &asked.objective},
        {.name = "--transport", .text = &asked.transport},
        {.name = "--json", .flag = &asked.json},
    };
    if (!dti_options_read(argc, argv, options, COUNT_OF(options), &operands))
        return DTI_EXIT_USAGE;
    const char *missing = find_missing(&asked, operands);
    if (operands > 2)
        dti_message_print(stderr, "dtensor %s: unexpected argument \"%s\"\n",
                          name, argv[3]);
    else if (missing)
        dti_message_print(stderr, "dtensor %s: %s\n", name, missing);
    if (operands > 2 || missing)
        return DTI_EXIT_USAGE;
    asked.from = argv[1];
    asked.to = argv[2];
    return plan_asked(&asked);
}

const dti_command dti_command_plan = {
    .name = "plan",
    .usage = "--mesh MESH --shape SHAPE FROM TO [--dtype NAME] [--to-mesh "
             "MESH] [--memory-cap BYTES] [--objective WHAT] [--transport NAME] "
             "[--json]",
    .summary = "show the steps and the cost of a redistribution",
    .help =
        "  --mesh MESH         ranks in a grid, for example dp=2,tp=4\n"
        "  --shape SHAPE       global shape: 8192x8192\n"
        "  --dtype NAME        element type: f32 (default), bf16, i64, ...\n"
        "  --to-mesh MESH      mesh of the second layout; both meshes "
        "start\n"
        "                      at rank 0\n"
        "  --memory-cap BYTES  limit of temporary memory per rank, for example "
        "64Mi\n"
        "  --objective WHAT    least time (default) or fewest bytes\n"
        "  --transport NAME    transport to predict: shm (default), mpi, "
        "threads\n"
        "  --json              write one JSON object\n"
        "\n"
        "Nothing is run.  Bytes are those of the rank that receives most.  The "
        "plan\n"
        "that PyTorch takes by default is shown for comparison.\n",
    .run = plan,
};
