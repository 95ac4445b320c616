/* cli/commands/info.c - `dtensor info`: the build, the machine, the settings.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <dtensor/blas.h>
#include <dtensor/cpu.h>
#include <dtensor/settings.h>
#include <dtensor/sys/transport.h>
#include <dtensor/version.h>
#include <dtensor/world.h>

#include "base/text/message.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/machine.h"
#include "cli/options.h"
#include "cli/table.h"

static const char *const origins[] = {
    [DT_FROM_DEFAULT] = "default",
    [DT_FROM_ENVIRONMENT] = "environment",
    [DT_FROM_OPTIONS] = "options",
};

static double gibibytes(int64_t bytes)
{
    return (double)bytes / (1 << 30);
}

DT_PRINTF(3, 4)
static void add_line(dti_table *table, const char *name, const char *format,
                     ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dti_table_add(table, DTI_LOOK_STRONG, name);
    dti_table_add(table, DTI_LOOK_PLAIN, text);
}

/* For example "OpenBLAS 0.3.21, core Haswell, 1 thread, /usr/lib/...". */
static void show_blas(dti_table *table)
{
    const dt_blas *blas = dt_blas_used();
    char core[80] = "", threads[32] = "";
    if (!*blas->library) {
        add_line(table, "BLAS", "none: %s", blas->reason);
        return;
    }
    if (*blas->core)
        snprintf(core, sizeof core, "core %s, ", blas->core);
    if (blas->threads)
        snprintf(threads, sizeof threads, "%d thread%s, ", blas->threads,
                 blas->threads == 1 ? "" : "s");
    add_line(table, "BLAS", "%s%s%s%s%s", blas->version,
             *blas->version ? ", " : "", core, threads, blas->library);
}

static void show_machine(const dti_machine *machine)
{
    dti_table table = {.columns = 2};
    add_line(&table, "dtensor", "%s", dt_version());
    add_line(&table, "compiler", "%s", dti_machine_compiler());
    add_line(&table, "processor", "%s", machine->cpu);
    add_line(&table, "features", "%s", machine->features);
    add_line(&table, "kernels for", "%s", dt_cpu_name_used());
    show_blas(&table);
    add_line(&table, "cores", "%d", machine->cores);
    add_line(&table, "memory", "%.1f GiB, %.1f available",
             gibibytes(machine->memory), gibibytes(machine->available));
    add_line(&table, "huge pages", "%s, %lld KiB each", machine->huge_pages,
             (long long)machine->huge_page / 1024);
    dti_table_print(&table, stdout);
}

/* The file that a transport was loaded from; "" if it is part of the library.
 * NULL, with the reason, if it cannot be loaded. */
static const char *find_plugin(const dt_transport *transport, dt_error *error)
{
    const dt_transport *loaded = transport;
    Dl_info file;
    if (!transport->load)
        return "";
    if (transport->load(&loaded, error) != DT_OK)
        return NULL;
    return dladdr(loaded, &file) && file.dli_fname ? file.dli_fname : "";
}

static void show_transports(void)
{
    dti_table table = {.columns = 2, .indent = 2};
    dti_look_print(stdout, DTI_LOOK_STRONG, "\ntransports\n");
    const dt_transport *transport;
    for (size_t i = 0; (transport = dt_transport_at(i)); i++) {
        dt_error error;
        const char *plugin = find_plugin(transport, &error);
        char text[DT_ERROR_SIZE + 32];
        dti_table_add(&table, DTI_LOOK_PLAIN, transport->name);
        dti_table_add(&table, DTI_LOOK_FAINT, transport->summary);
        if (plugin && !*plugin)
            continue;
        snprintf(text, sizeof text, "%s%s",
                 plugin ? "plug-in " : "not available: ",
                 plugin ? plugin : error.message);
        dti_table_add(&table, DTI_LOOK_PLAIN, "");
        dti_table_add(&table, DTI_LOOK_PLAIN, text);
    }
    dti_table_print(&table, stdout);
}

static void show_settings(const dt_world *world)
{
    dti_table table = {.columns = 4, .indent = 2};
    size_t count;
    const dt_setting *settings = dt_world_settings(world, &count);
    dti_look_print(stdout, DTI_LOOK_STRONG, "\nsettings in effect\n");
    for (size_t i = 0; i < count; i++) {
        bool set = settings[i].origin != DT_FROM_DEFAULT;
        dti_look look = set ? DTI_LOOK_GOOD : DTI_LOOK_PLAIN;
        dti_table_add(&table, DTI_LOOK_PLAIN, settings[i].name);
        dti_table_add(&table, look, settings[i].value);
        dti_table_add(&table, look, origins[settings[i].origin]);
        dti_table_add(&table, DTI_LOOK_FAINT, settings[i].summary);
    }
    dti_table_print(&table, stdout);
}

static void write_blas(dti_json *json)
{
    const dt_blas *blas = dt_blas_used();
    dti_json_open(json, "blas", '{');
    dti_json_text(json, "library", blas->library);
    dti_json_text(json, "version", blas->version);
    dti_json_text(json, "core", blas->core);
    dti_json_integer(json, "threads", blas->threads);
    dti_json_text(json, "reason", blas->reason);
    dti_json_close(json, '}');
}

static void write_machine(dti_json *json, dti_machine *machine)
{
    dti_json_text(json, "version", dt_version());
    dti_json_text(json, "compiler", dti_machine_compiler());
    dti_json_text(json, "processor", machine->cpu);
    dti_json_open(json, "features", '[');
    char *rest = NULL;
    for (char *word = strtok_r(machine->features, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest))
        dti_json_text(json, NULL, word);
    dti_json_close(json, ']');
    dti_json_text(json, "kernels_for", dt_cpu_name_used());
    write_blas(json);
    dti_json_integer(json, "cores", machine->cores);
    dti_json_integer(json, "memory", machine->memory);
    dti_json_integer(json, "memory_available", machine->available);
    dti_json_text(json, "huge_pages", machine->huge_pages);
    dti_json_integer(json, "huge_page", machine->huge_page);
}

static void write_transports(dti_json *json)
{
    const dt_transport *transport;
    dti_json_open(json, "transports", '[');
    for (size_t i = 0; (transport = dt_transport_at(i)); i++) {
        dti_json_open(json, NULL, '{');
        dti_json_text(json, "name", transport->name);
        dti_json_text(json, "summary", transport->summary);
        dt_error error;
        const char *plugin = find_plugin(transport, &error);
        dti_json_text(json, "plugin", plugin ? plugin : "");
        dti_json_text(json, "missing", plugin ? "" : error.message);
        dti_json_close(json, '}');
    }
    dti_json_close(json, ']');
}

static void write_settings(dti_json *json, const dt_world *world)
{
    size_t count;
    const dt_setting *settings = dt_world_settings(world, &count);
    dti_json_open(json, "settings", '[');
    for (size_t i = 0; i < count; i++) {
        dti_json_open(json, NULL, '{');
        dti_json_text(json, "name", settings[i].name);
        dti_json_text(json, "value", settings[i].value);
        dti_json_text(json, "origin", origins[settings[i].origin]);
        dti_json_text(json, "summary", settings[i].summary);
        dti_json_close(json, '}');
    }
    dti_json_close(json, ']');
}

/* Runs on every rank that the environment asks for; the first one speaks. */
static dt_status show(dt_world *world, void *arg)
{
    const bool *as_json = arg;
    dti_machine machine;
    if (dt_world_rank(world) != 0)
        return DT_OK;
    dti_machine_read(&machine);
    if (!*as_json) {
        show_machine(&machine);
        show_transports();
        show_settings(world);
        return DT_OK;
    }
    dti_json json = {.stream = stdout};
    dti_json_open(&json, NULL, '{');
    write_machine(&json, &machine);
    write_transports(&json);
    write_settings(&json, world);
    dti_json_close(&json, '}');
    putchar('\n');
    return DT_OK;
}

static int info(int argc, char **argv)
{
    bool as_json = false;
    const dti_option options[] = {{.name = "--json", .flag = &as_json}};
    int operands;
    if (!dti_options_read(argc, argv, options, 1, &operands))
        return DTI_EXIT_USAGE;
    if (operands) {
        dti_message_print(stderr, "dtensor info: unexpected argument \"%s\"\n",
                          argv[1]);
        return DTI_EXIT_USAGE;
    }
    return dt_main(argc, argv, show, &as_json);
}

const dti_command dti_command_info = {
    .name = "info",
    .usage = "[--json]",
    .summary = "show the build, the machine and the settings in effect",
    .help = "  --json  write one JSON object\n",
    .run = info,
};
