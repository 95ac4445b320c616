/* cli/commands/show.c - `dtensor show`: who has what of a tensor. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/spec.h>
#include <dtensor/sys/file.h>

#include "base/text/message.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/show/notes.h"
#include "cli/show/report.h"
#include "cli/show/svg.h"
#include "cli/show/text.h"
#include "cli/table.h"
#include "cli/tensor.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* What is asked for. */
typedef struct request {
    const char *mesh, *shape, *dtype, *layout;
    const char *svg, *color;
    int rank; /* INT_MAX for all */
    bool json, all;
} request;

/* ---- Arguments ---------------------------------------------------------- */

static bool read_color(const char *text)
{
    static const char *const names[] = {
        [DTI_LOOKS_AUTO] = "auto",
        [DTI_LOOKS_ALWAYS] = "always",
        [DTI_LOOKS_NEVER] = "never",
    };
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(text, names[i]) == 0) {
            dti_looks_set((dti_looks)i);
            return true;
        }
    dti_message_print(
        stderr,
        "dtensor show: --color takes auto, always or never, not \"%s\"\n",
        text);
    return false;
}

/* ---- Showing ------------------------------------------------------------ */

static void draw_to(const dt_spec *spec, const request *asked, FILE *stream)
{
    dti_blocks blocks;
    dti_blocks_make(&blocks, spec);
    dti_svg_draw(&blocks, asked->layout, asked->all, stream);
    dti_blocks_free(&blocks);
}

static int draw_svg(const dt_spec *spec, const request *asked)
{
    dt_file *file = NULL;
    dt_error error = {DT_OK, ""};
    if (strcmp(asked->svg, "-") == 0) {
        draw_to(spec, asked, stdout);
        return DTI_EXIT_OK;
    }
    dt_status status = dt_file_create(asked->svg, &file, &error);
    if (status == DT_OK) {
        FILE *stream = dt_file_stream(file);
        if (stream)
            draw_to(spec, asked, stream);
        status = dt_file_commit(file, &error);
    }
    if (status != DT_OK)
        dti_message_print(stderr, "dtensor show: %s\n", error.message);
    return status == DT_OK ? DTI_EXIT_OK : DTI_EXIT_FAILED;
}

static void write_json(const dt_spec *spec, const request *asked)
{
    const dt_mesh *mesh = dt_spec_mesh(spec);
    if (asked->rank != INT_MAX) {
        dti_report_json(spec, asked->rank, stdout);
        return;
    }
    for (int i = 0; i < dt_mesh_size(mesh); i++)
        dti_report_json(spec, dt_mesh_ranks(mesh)[i], stdout);
}

static void write_text(const dt_spec *spec, const request *asked)
{
    dti_page page = dti_page_of(stdout);
    dti_blocks blocks;
    page.all = asked->all;
    dti_notes_write_title(spec, asked->layout, stdout);
    putchar('\n');
    if (asked->rank != INT_MAX) {
        dti_report_rank(spec, asked->rank, stdout);
        return;
    }
    dti_blocks_make(&blocks, spec);
    dti_text_draw(&blocks, &page, stdout);
    dti_blocks_free(&blocks);
    putchar('\n');
    dti_report_table(spec, asked->all, stdout);
}

static int show_spec(const dt_spec *spec, const request *asked)
{
    int size = dt_mesh_size(dt_spec_mesh(spec));
    if (asked->rank != INT_MAX && asked->rank >= size) {
        dti_message_print(
            stderr,
            "dtensor show: rank %d is out of range for a mesh of %d rank%s\n",
            asked->rank, size, size == 1 ? "" : "s");
        return DTI_EXIT_USAGE;
    }
    if (asked->svg)
        return draw_svg(spec, asked);
    if (asked->json)
        write_json(spec, asked);
    else
        write_text(spec, asked);
    return DTI_EXIT_OK;
}

/* Make the spec in a world that was opened for it. */
static int show_in(dt_world *world, const request *asked, dt_dtype dtype,
                   dt_shape shape)
{
    dt_mesh *mesh = NULL;
    dt_spec *spec = NULL;
    int code;
    dt_status status = dt_mesh_create(world, asked->mesh, &mesh);
    if (status == DT_OK && !dti_mesh_is_sized("show", asked->mesh)) {
        dt_mesh_release(mesh);
        return DTI_EXIT_USAGE;
    }
    if (status == DT_OK)
        status = dt_spec_create(mesh, asked->layout, dtype, shape, &spec);
    if (status == DT_OK)
        code = show_spec(spec, asked);
    else
        code = dti_fail_asked("show", dt_world_error(world));
    dt_spec_release(spec);
    dt_mesh_release(mesh);
    return code;
}

static int show_asked(const request *asked)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world;
    dt_error error = {DT_OK, ""};
    dt_dtype dtype;
    dt_shape shape;
    if (!dti_read_shape("show", asked->shape, &shape) ||
        !dti_read_dtype("show", asked->dtype, &dtype))
        return DTI_EXIT_USAGE;
    options.transport = "sim";
    options.ranks = dti_count_places("show", asked->mesh);
    if (options.ranks == 0)
        return DTI_EXIT_USAGE;
    if (dt_world_open(&options, &world, &error) != DT_OK)
        return dti_fail_asked("show", &error);
    int code = show_in(world, asked, dtype, shape);
    DT_IGNORE(dt_world_close(world));
    return code;
}

static const char *find_missing(const request *asked, int operands)
{
    if (!asked->mesh)
        return "a mesh is required, for example --mesh dp=2,tp=3";
    if (!asked->shape)
        return "a shape is required, for example --shape 7x10";
    if (operands == 0)
        return "a layout is required, for example \"S(0)S(1)\"";
    if (asked->json && asked->svg)
        return "--json and --svg cannot be combined";
    return NULL;
}

static int show(int argc, char **argv)
{
    request asked = {.dtype = "f32", .color = "auto", .rank = INT_MAX};
    int operands;
    const dti_option options[] = {
        {.name = "--mesh", .text = &asked.mesh},
        {.name = "--shape", .text = &asked.shape},
        {.name = "--dtype", .text = &asked.dtype},
        {.name = "--rank", .index = &asked.rank},
        {.name = "--all", .flag = &asked.all},
        {.name = "--svg", .text = &asked.svg},
        {.name = "--json", .flag = &asked.json},
        {.name = "--color", .text = &asked.color},
    };
    if (!dti_options_read(argc, argv, options, COUNT_OF(options), &operands) ||
        !read_color(asked.color))
        return DTI_EXIT_USAGE;
    const char *missing = find_missing(&asked, operands);
    if (operands > 1)
        dti_message_print(stderr, "dtensor show: unexpected argument \"%s\"\n",
                          argv[2]);
    else if (missing)
        dti_message_print(stderr, "dtensor show: %s\n", missing);
    if (operands > 1 || missing)
        return DTI_EXIT_USAGE;
    asked.layout = argv[1];
    return show_asked(&asked);
}

const dti_command dti_command_show = {
    .name = "show",
    .usage = "--mesh MESH --shape SHAPE LAYOUT [--dtype NAME] [--rank R] "
             "[--all] [--svg FILE] [--json] [--color WHEN]",
    .summary = "draw how a tensor is sharded over ranks",
    .help = "  --mesh MESH    ranks in a grid, for example dp=2,tp=3\n"
            "  --shape SHAPE  global shape: 7x10, or () for 0-d\n"
            "  --dtype NAME   element type: f32 (default), bf16, i64, ...\n"
            "  --rank R       show this rank only, with all its indexes\n"
            "  --all          every rank and every block, however many\n"
            "  --svg FILE     draw into a file instead; - is standard output\n"
            "  --json         one JSON object per line and rank\n"
            "  --color WHEN   auto (default: on a terminal), always or never\n"
            "\n"
            "A layout has one placement for each\n"
            "dimension of the mesh: \"S(0)S(1)\", \"RP(sum)\", \"_S(0,2)R\".\n"
            "A cell of the picture names the ranks that store it: 0,3 are two, "
            "0-3\n"
            "are four, 0-6/2 is every second one; 0+3 have partial values.\n",
    .run = show,
};
