/* redistribute/cost_file.c - costs that a file says. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/reader.h"
#include "base/world.h"
#include "redistribute/cost.h"
#include "redistribute/plan.h"

/*
 *     file = { [ [ dimension ] price seconds ] [ "#" comment ] newline }
 *
 * A price without a dimension is the usual one; a dimension that is named
 * starts from what was usual before.
 */

static const struct {
    const char *name;
    size_t offset;
} fields[] = {
    {"call", offsetof(dti_prices, call)},
    {"message", offsetof(dti_prices, message)},
    {"remote", offsetof(dti_prices, remote)},
    {"local", offsetof(dti_prices, local)},
    {"combine", offsetof(dti_prices, combine)},
};

/* ---- Reading ------------------------------------------------------------ */

/* Longer than any line that means something. */
#define LINE_SIZE 160

/* A line of a file. */
typedef struct cost_line {
    dt_world *world;
    int number;
    char text[LINE_SIZE];
} cost_line;

static dt_status refuse(const cost_line *line, const char *why)
{
    return dti_fail(line->world, DT_ERR_FORMAT,
                    "cost table, line %d: " DTI_QUOTED ": %s", line->number,
                    line->text, why);
}

static double *find_price(dti_prices *prices, const char *name)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].name, name) == 0)
            return (double *)(void *)((char *)prices + fields[i].offset);
    return NULL;
}

/* The prices of a dimension, new ones if it has none. */
static dti_prices *prices_for(dti_costs *costs, const char *name)
{
    for (int i = 0; i < costs->count; i++)
        if (strcmp(costs->dims[i].name, name) == 0)
            return &costs->dims[i].prices;
    if (costs->count == DTI_PRICED_DIMS || strlen(name) >= DT_MESH_NAME_SIZE)
        return NULL;
    strcpy(costs->dims[costs->count].name, name);
    costs->dims[costs->count].prices = costs->usual;
    return &costs->dims[costs->count++].prices;
}

static dt_status set_price(const cost_line *line, dti_prices *prices,
                           const char *name, const char *number)
{
    char *end;
    double *price = find_price(prices, name);
    if (!price)
        return refuse(
            line,
            "unknown price; expected call, message, remote, local or combine");
    double seconds = strtod(number, &end);
    if (*end || end == number || !(seconds >= 0) || !isfinite(seconds))
        return refuse(line, "a price must be a nonnegative number of seconds");
    *price = seconds;
    return DT_OK;
}

static dt_status read_line(cost_line *line, dti_costs *costs)
{
    char words[LINE_SIZE], *rest = NULL, *word[4];
    int count = 0;
    memcpy(words, line->text, sizeof words);
    words[strcspn(words, "#")] = '\0';
    for (char *at = strtok_r(words, " \t\r", &rest); at && count < 4;
         at = strtok_r(NULL, " \t\r", &rest))
        word[count++] = at;
    if (count == 0)
        return DT_OK;
    if (count == 2)
        return set_price(line, &costs->usual, word[0], word[1]);
    if (count != 3)
        return refuse(
            line,
            "expected a price and seconds, optionally after a mesh dimension");
    dti_prices *prices = prices_for(costs, word[0]);
    if (!prices)
        return refuse(line,
                      "too many mesh dimensions, or a name that is too long");
    return set_price(line, prices, word[1], word[2]);
}

dt_status dti_costs_parse(dt_world *world, const char *text, dti_costs *out)
{
    cost_line line = {.world = world};
    dti_costs costs = *out;
    while (*text) {
        size_t length = strcspn(text, "\n");
        line.number++;
        if (length >= sizeof line.text)
            return dti_fail(world, DT_ERR_FORMAT,
                            "cost table, line %d: longer than %d characters",
                            line.number, LINE_SIZE - 1);
        memset(line.text, 0, sizeof line.text);
        memcpy(line.text, text, length);
        DTI_TRY(read_line(&line, &costs));
        text += length + (text[length] == '\n');
    }
    *out = costs;
    return DT_OK;
}

/* ---- Files -------------------------------------------------------------- */

/* Costs are short. */
#define FILE_SIZE 65536

static dt_status read_file(dt_world *world, const char *path, dti_costs *out)
{
    static const char failed[] = "the costs %s cannot be read: %s";
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!path)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_costs_load: the path is NULL");
    if (!file)
        return dti_fail(world, DT_ERR_IO, failed, path, strerror(errno));
    char *text = calloc(1, FILE_SIZE);
    dt_status status = DT_OK;
    if (!text)
        status = dti_fail_memory(world, FILE_SIZE, "the costs");
    else if (fread(text, 1, FILE_SIZE - 1, file) == FILE_SIZE - 1)
        status = dti_fail(world, DT_ERR_FORMAT, failed, path,
                          "the file is too large");
    else if (ferror(file))
        status = dti_fail(world, DT_ERR_IO, failed, path, strerror(errno));
    fclose(file);
    if (status == DT_OK)
        status = dti_costs_parse(world, text, out);
    free(text);
    return status;
}

dt_status dt_costs_load(dt_world *world, const char *path)
{
    dti_costs costs = *dti_costs_of(world->transport);
    dt_array *array = NULL;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    dt_status status = DT_OK;
    options.data = &costs;
    options.dtype = DT_U8;
    options.shape = DT_SHAPE((int64_t)sizeof costs);
    if (world->rank == 0)
        status = read_file(world, path, &costs);
    if (status == DT_OK)
        status = dt_array_wrap(world, &options, &array);
    if (status == DT_OK)
        status = dt_group_broadcast(dt_world_group(world), 0, array);
    else
        dt_world_poison(world);
    dt_array_release(array);
    if (status != DT_OK)
        return status;
    status = dti_plans_set_costs(world, &costs);
    if (status != DT_OK)
        dt_world_poison(world);
    return status;
}
