/* checkpoint/match.c - which value of a checkpoint goes where. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/match.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/shape.h"
#include "base/text/writer.h"

enum { most_listed = 8, longest_name = 1 << 16 };

/* ---- Renaming
 * -----------------------------------------------------------------------------
 */

/* Match a name with a pattern; finds the text that the star stands for. */
static bool matches(const char *pattern, const char *name, const char **text,
                    size_t *size)
{
    const char *star = strchr(pattern, '*');
    const size_t length = strlen(name);
    *text = name;
    *size = 0;
    if (!star)
        return strcmp(pattern, name) == 0;
    const size_t before = (size_t)(star - pattern), after = strlen(star + 1);
    if (length < before + after || strncmp(pattern, name, before) != 0 ||
        strcmp(name + length - after, star + 1) != 0)
        return false;
    *text = name + before;
    *size = length - before - after;
    return true;
}

bool dti_rename(const dt_rename *rules, int count, const char *name, char *out,
                size_t size)
{
    for (int i = 0; i < count; i++) {
        const char *text;
        size_t length;
        if (!matches(rules[i].from, name, &text, &length))
            continue;
        const char *to = rules[i].to, *star = strchr(to, '*');
        if (star)
            snprintf(out, size, "%.*s%.*s%s", (int)(star - to), to, (int)length,
                     text, star + 1);
        else
            snprintf(out, size, "%s", to);
        return true;
    }
    return false;
}

/* ---- Names of the checkpoint
 * ---------------------------------------------------------------- */

/* A value of the checkpoint under the name that it has here. */
typedef struct named {
    char *name;
    dti_match what;
    bool used;
} named;

typedef struct naming {
    dt_world *world;
    const dt_saved *checkpoint;
    const dt_load_options *options;
    named *list;
    size_t count;
    dti_map names;
    char renamed[longest_name];
} naming;

static bool has_name(const void *value, const void *key)
{
    return strcmp(((const named *)value)->name, key) == 0;
}

static dt_status add_name(naming *all, const char *name, dti_match what)
{
    const bool renamed =
        dti_rename(all->options->renames, all->options->rename_count, name,
                   all->renamed, sizeof all->renamed);
    const char *here = renamed ? all->renamed : name;
    const uint64_t hash = dti_hash_text(here);
    if (dti_map_find(&all->names, hash, here, has_name))
        return dti_fail(all->world, DT_ERR_INVALID,
                        "dt_load: %s: two values of the checkpoint are named "
                        "\"%.200s\"%s",
                        all->checkpoint->path, here,
                        renamed ? " after renaming" : "");
    named *entry = &all->list[all->count];
    *entry = (named){.name = strdup(here), .what = what};
    if (!entry->name || dti_map_add(&all->names, hash, entry) != DT_OK) {
        free(entry->name);
        return dti_fail_memory(all->world, strlen(here), "a name");
    }
    all->count++;
    return DT_OK;
}

static dt_status add_names(naming *all)
{
    const dt_saved *checkpoint = all->checkpoint;
    const size_t most = checkpoint->count + checkpoint->value_count;
    all->list = calloc(most + 1, sizeof *all->list);
    if (!all->list)
        return dti_fail_memory(all->world, most * sizeof *all->list, "names");
    for (size_t i = 0; i < checkpoint->count; i++)
        DTI_TRY(add_name(all, checkpoint->tensors[i].face.name,
                         (dti_match){.tensor = &checkpoint->tensors[i]}));
    for (size_t i = 0; i < checkpoint->value_count; i++)
        DTI_TRY(add_name(all, checkpoint->values[i].name,
                         (dti_match){.value = &checkpoint->values[i]}));
    return DT_OK;
}

static void free_names(naming *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->list[i].name);
    free(all->list);
    dti_map_clear(&all->names);
}

/* ---- What does not fit
 * ------------------------------------------------------------------------ */

/* Three lists of complaints. */
enum { MISSING, UNEXPECTED, DIFFERENT, LISTS };

typedef struct complaints {
    char texts[LISTS][DT_ERROR_SIZE];
    dti_writer lists[LISTS];
    int counts[LISTS];
} complaints;

static void complain(complaints *all, int list, const char *name,
                     const char *why)
{
    if (all->counts[list]++ < most_listed)
        dti_put(&all->lists[list], "%s\"%.100s\"%s",
                all->counts[list] > 1 ? ", " : "", name, why);
}

static dt_status fail_complaints(naming *all, const complaints *what)
{
    static const char *const titles[LISTS] = {"missing in the checkpoint",
                                              "not expected", "different"};
    char text[DT_ERROR_SIZE];
    dti_writer to = {text, sizeof text, 0};
    text[0] = '\0';
    for (int i = 0; i < LISTS; i++) {
        if (!what->counts[i])
            continue;
        dti_put(&to, "%s%d %s: %s", to.length ? "; " : "", what->counts[i],
                titles[i], what->texts[i]);
        if (what->counts[i] > most_listed)
            dti_put(&to, " and %d more", what->counts[i] - most_listed);
    }
    return dti_fail(all->world, DT_ERR_INVALID, "dt_load: %s: %s",
                    all->checkpoint->path, text);
}

/* Compare shape and dtype of a tensor; writes what differs. */
static bool fits_tensor(const naming *all, const dti_open_tensor *from,
                        const dt_state_entry *to, char *why, size_t size)
{
    const bool tensor = to->kind == DT_STATE_TENSOR;
    const dt_shape shape =
        tensor ? dt_tensor_shape(to->tensor) : dt_array_shape(to->array);
    const dt_dtype dtype =
        tensor ? dt_tensor_dtype(to->tensor) : dt_array_dtype(to->array);
    if (dt_shape_equal(shape, from->face.shape) &&
        (from->face.dtype == dtype ||
         (all->options->cast && from->face.dtype != DT_DTYPE_COUNT)))
        return true;
    snprintf(why, size, " is %s%.180s there and %s%.180s here",
             from->face.dtype_name, dti_shape_show(from->face.shape).text,
             dt_dtype_name(dtype), dti_shape_show(shape).text);
    return false;
}

static bool fits(const naming *all, const dti_match *from,
                 const dt_state_entry *to, char *why, size_t size)
{
    static const char *const kinds[] = {"a tensor", "an array", "an integer",
                                        "a real number", "a text"};
    const bool elements =
        to->kind == DT_STATE_TENSOR || to->kind == DT_STATE_ARRAY;
    if (from->tensor && elements)
        return fits_tensor(all, from->tensor, to, why, size);
    if (from->value && !elements &&
        (from->value->kind == to->kind ||
         (all->options->cast && to->kind == DT_STATE_REAL &&
          from->value->kind == DT_STATE_INTEGER)))
        return true;
    snprintf(why, size, " is %s there and %s here",
             from->tensor ? "a tensor" : kinds[from->value->kind],
             kinds[to->kind]);
    return false;
}

static void match_entry(naming *all, const dt_state_entry *entry,
                        complaints *what, dti_match *out)
{
    char why[512] = "";
    named *found = dti_map_find(&all->names, dti_hash_text(entry->name),
                                entry->name, has_name);
    *out = (dti_match){0};
    if (!found) {
        if (!all->options->allow_missing)
            complain(what, MISSING, entry->name, "");
        return;
    }
    found->used = true;
    if (fits(all, &found->what, entry, why, sizeof why))
        *out = found->what;
    else
        complain(what, DIFFERENT, entry->name, why);
}

static dt_status match_all(naming *all, const dt_state *state, dti_match *out)
{
    complaints what = {.counts = {0}};
    DTI_TRY(add_names(all));
    for (int i = 0; i < LISTS; i++)
        what.lists[i] = (dti_writer){what.texts[i], sizeof what.texts[i], 0};
    for (int64_t i = 0; i < dt_state_count(state); i++)
        match_entry(all, dt_state_at(state, i), &what, &out[i]);
    for (size_t i = 0; i < all->count && !all->options->allow_unexpected; i++) {
        const named *entry = &all->list[i];
        const bool again = entry->what.tensor && entry->what.tensor->face.same;
        if (!entry->used && !again)
            complain(&what, UNEXPECTED, entry->name, "");
    }
    if (what.counts[MISSING] || what.counts[UNEXPECTED] ||
        what.counts[DIFFERENT])
        return fail_complaints(all, &what);
    return DT_OK;
}

dt_status dti_match_state(dt_world *world, const dt_saved *checkpoint,
                          const dt_state *state, const dt_load_options *options,
                          dti_match **out)
{
    const size_t count = (size_t)dt_state_count(state) + 1;
    dti_match *list = calloc(count, sizeof *list);
    naming *all = calloc(1, sizeof *all);
    dt_status status = DT_OK;
    if (all && list) {
        all->world = world;
        all->checkpoint = checkpoint;
        all->options = options;
        status = match_all(all, state, list);
        free_names(all);
    } else {
        status = dti_fail_memory(world, count * sizeof *list, "a load");
    }
    free(all);
    if (status == DT_OK)
        *out = list;
    else
        free(list);
    return status;
}
