/* state/state.c - ordered lists of named values. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "state/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/hash.h"
#include "base/text/nearest.h"
#include "base/text/reader.h"
#include "base/text/utf8.h"

static const char *const kind_names[] = {
    [DT_STATE_TENSOR] = "a tensor",    [DT_STATE_ARRAY] = "an array",
    [DT_STATE_INTEGER] = "an integer", [DT_STATE_REAL] = "a real number",
    [DT_STATE_TEXT] = "a text",
};

/* ---- Creating and releasing ---------------------------------------------- */

dt_status dt_state_create(dt_world *world, dt_state **out)
{
    DTI_ENTRY();
    dt_state *state = calloc(1, sizeof *state);
    if (!state)
        return dti_fail_memory(world, sizeof *state, "a state");
    dti_reference_init(&state->reference);
    state->world = world;
    dti_live_add(DTI_LIVE_STATE, 1);
    dti_handle_made(world, DTI_LIVE_STATE, state);
    *out = state;
    return DT_OK;
}

dt_state *dt_state_retain(dt_state *state)
{
    if (!dti_handle_usable(state, __func__))
        return NULL;
    if (state)
        dti_reference_retain(&state->reference);
    return state;
}

/* Release what an entry holds. */
static void release_value(const dt_state_entry *entry)
{
    union {
        const char *text;
        char *memory;
    } own = {.text = entry->text};
    dt_tensor_release(entry->tensor);
    dt_array_release(entry->array);
    free(own.memory);
}

static void free_entry(dt_state_entry *entry)
{
    release_value(entry);
    free(entry);
}

void dt_state_release(dt_state *state)
{
    DTI_ENTRY();
    if (!dti_handle_usable(state, __func__) || !state ||
        !dti_reference_release(&state->reference))
        return;
    for (int64_t i = 0; i < state->count; i++)
        free_entry(state->entries[i]);
    free(state->entries);
    dti_map_clear(&state->names);
    dti_handle_gone(state);
    dti_handle_free(state);
    dti_live_add(DTI_LIVE_STATE, -1);
}

/* ---- Names ----------------------------------------------------------------
 */

static bool has_name(const void *value, const void *key)
{
    return strcmp(((const dt_state_entry *)value)->name, key) == 0;
}

static dt_state_entry *find(const dt_state *state, const char *name)
{
    return dti_map_find(&state->names, dti_hash_text(name), name, has_name);
}

/* Check a text that is given for a function's argument. */
static dt_status check_text(const dt_state *state, const char *function,
                            const char *argument, const char *text)
{
    if (!text)
        return dti_fail(state->world, DT_ERR_INVALID, "%s: %s is NULL",
                        function, argument);
    const size_t length = strlen(text), valid = dti_utf8_check(text, length);
    if (valid < length)
        return dti_fail(state->world, DT_ERR_INVALID,
                        "%s: %s " DTI_QUOTED " is not valid UTF-8: byte %zu",
                        function, argument, text, valid);
    return DT_OK;
}

static dt_status check_name(const dt_state *state, const char *function,
                            const char *name)
{
    DTI_TRY(check_text(state, function, "name", name));
    const size_t length = strlen(name);
    if (length == 0 || length > DT_STATE_NAME_MAX)
        return dti_fail(state->world, DT_ERR_INVALID,
                        "%s: name " DTI_QUOTED
                        " has %zu bytes; expected 1 to %d",
                        function, name, length, DT_STATE_NAME_MAX);
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return dti_fail(state->world, DT_ERR_INVALID,
                            "%s: name " DTI_QUOTED
                            " has a control character at byte %d",
                            function, name, (int)(c - name));
    return DT_OK;
}

/* ---- Setting ---------------------------------------------------------------
 */

static dt_status reserve(dt_state *state)
{
    if (state->count < state->capacity)
        return DT_OK;
    const int64_t capacity = state->capacity ? 2 * state->capacity : 16;
    dt_state_entry **larger =
        realloc(state->entries, (size_t)capacity * sizeof *larger);
    if (!larger)
        return dti_fail_memory(state->world, (size_t)capacity * sizeof *larger,
                               "a state");
    state->entries = larger;
    state->capacity = capacity;
    return DT_OK;
}

/* Add an entry with a name, the value of which is not set. */
static dt_status add(dt_state *state, const char *name, dt_state_entry **out)
{
    DTI_TRY(reserve(state));
    const size_t size = strlen(name) + 1;
    dt_state_entry *entry = calloc(1, sizeof *entry + size);
    if (!entry)
        return dti_fail_memory(state->world, sizeof *entry + size, "a state");
    entry->name = memcpy(entry + 1, name, size);
    if (dti_map_add(&state->names, dti_hash_text(name), entry) != DT_OK) {
        free(entry);
        return dti_fail_memory(state->world, sizeof *entry, "a state");
    }
    state->entries[state->count++] = entry;
    *out = entry;
    return DT_OK;
}

/* Set a value, whose references are taken over; not on failure. */
static dt_status set(dt_state *state, const char *name, dt_state_entry value)
{
    dt_state_entry *entry = find(state, name);
    if (!entry)
        DTI_TRY(add(state, name, &entry));
    const dt_state_entry old = *entry;
    value.name = old.name;
    *entry = value;
    release_value(&old);
    return DT_OK;
}

dt_status dt_state_set_tensor(dt_state *state, const char *name,
                              dt_tensor *tensor)
{
    DTI_TRY(dti_given(state, __func__, "state"));
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    DTI_TRY(check_name(state, __func__, name));
    const dt_state_entry value = {.kind = DT_STATE_TENSOR,
                                  .tensor = dt_tensor_retain(tensor)};
    const dt_status status = set(state, name, value);
    if (status != DT_OK)
        dt_tensor_release(tensor);
    return status;
}

dt_status dt_state_set_array(dt_state *state, const char *name, dt_array *array)
{
    DTI_TRY(dti_given(state, __func__, "state"));
    DTI_TRY(dti_given(array, __func__, "array"));
    DTI_TRY(check_name(state, __func__, name));
    const dt_state_entry value = {.kind = DT_STATE_ARRAY,
                                  .array = dt_array_retain(array)};
    const dt_status status = set(state, name, value);
    if (status != DT_OK)
        dt_array_release(array);
    return status;
}

dt_status dt_state_set_integer(dt_state *state, const char *name, int64_t value)
{
    DTI_TRY(dti_given(state, __func__, "state"));
    DTI_TRY(check_name(state, __func__, name));
    return set(state, name,
               (dt_state_entry){.kind = DT_STATE_INTEGER, .integer = value});
}

dt_status dt_state_set_real(dt_state *state, const char *name, double value)
{
    DTI_TRY(dti_given(state, __func__, "state"));
    DTI_TRY(check_name(state, __func__, name));
    return set(state, name,
               (dt_state_entry){.kind = DT_STATE_REAL, .real = value});
}

dt_status dt_state_set_text(dt_state *state, const char *name, const char *text)
{
    DTI_TRY(dti_given(state, __func__, "state"));
    DTI_TRY(check_name(state, __func__, name));
    DTI_TRY(check_text(state, __func__, "text", text));
    char *copy = strdup(text);
    if (!copy)
        return dti_fail_memory(state->world, strlen(text) + 1, "a text");
    const dt_status status =
        set(state, name, (dt_state_entry){.kind = DT_STATE_TEXT, .text = copy});
    if (status != DT_OK)
        free(copy);
    return status;
}

dt_status dt_state_remove(dt_state *state, const char *name)
{
    DTI_TRY(dti_given(state, __func__, "state"));
    DTI_TRY(check_text(state, __func__, "name", name));
    dt_state_entry *entry =
        dti_map_remove(&state->names, dti_hash_text(name), name, has_name);
    if (!entry)
        return dti_fail(state->world, DT_ERR_NOT_FOUND,
                        "dt_state_remove: no value is named " DTI_QUOTED, name);
    int64_t i = 0;
    while (state->entries[i] != entry)
        i++;
    state->count--;
    memmove(&state->entries[i], &state->entries[i + 1],
            (size_t)(state->count - i) * sizeof *state->entries);
    free_entry(entry);
    return DT_OK;
}

/* ---- Nesting ---------------------------------------------------------------
 */

/* Set a copy of an entry under a name. */
static dt_status set_copy(dt_state *state, const char *name,
                          const dt_state_entry *from)
{
    switch (from->kind) {
    case DT_STATE_TENSOR:
        return dt_state_set_tensor(state, name, from->tensor);
    case DT_STATE_ARRAY:
        return dt_state_set_array(state, name, from->array);
    case DT_STATE_INTEGER:
        return dt_state_set_integer(state, name, from->integer);
    case DT_STATE_REAL:
        return dt_state_set_real(state, name, from->real);
    default:
        return dt_state_set_text(state, name, from->text);
    }
}

dt_status dt_state_nest(dt_state *state, const char *prefix,
                        const dt_state *inner)
{
    DTI_TRY(dti_given(state, __func__, "state"));
    DTI_TRY(dti_given(inner, __func__, "inner"));
    if (state == inner)
        return dti_fail(state->world, DT_ERR_INVALID,
                        "dt_state_nest: inner is the state itself");
    const char *dot = prefix && *prefix ? "." : "";
    char name[2 * DT_STATE_NAME_MAX + 3];
    for (int64_t i = 0; i < inner->count; i++) {
        const dt_state_entry *entry = inner->entries[i];
        /* A prefix that is cut here makes a name that is too long. */
        snprintf(name, sizeof name, "%.*s%s%s", DT_STATE_NAME_MAX + 1,
                 prefix ? prefix : "", dot, entry->name);
        DTI_TRY(set_copy(state, name, entry));
    }
    return DT_OK;
}

/* Return the rest of a name after a prefix and a dot; NULL if it does not begin
 * so. */
static const char *rest_after(const char *name, const char *prefix)
{
    const size_t length = strlen(prefix);
    if (length == 0)
        return name;
    return strncmp(name, prefix, length) == 0 && name[length] == '.' &&
                   name[length + 1]
               ? name + length + 1
               : NULL;
}

dt_status dt_state_below(const dt_state *state, const char *prefix,
                         dt_state **out)
{
    DTI_TRY(dti_given(state, __func__, "state"));
    dt_state *below = NULL;
    DTI_TRY(dt_state_create(state->world, &below));
    for (int64_t i = 0; i < state->count; i++) {
        const dt_state_entry *entry = state->entries[i];
        const char *name = rest_after(entry->name, prefix ? prefix : "");
        const dt_status status = name ? set_copy(below, name, entry) : DT_OK;
        if (status != DT_OK) {
            dt_state_release(below);
            return status;
        }
    }
    *out = below;
    return DT_OK;
}

/* ---- Reading ---------------------------------------------------------------
 */

int64_t dt_state_count(const dt_state *state)
{
    return state && dti_handle_readable(state, __func__) ? state->count : 0;
}

const dt_state_entry *dt_state_at(const dt_state *state, int64_t index)
{
    return index >= 0 && index < dt_state_count(state) ? state->entries[index]
                                                       : NULL;
}

const dt_state_entry *dt_state_find(const dt_state *state, const char *name)
{
    if (!state || !name || !dti_handle_readable(state, __func__))
        return NULL;
    return find(state, name);
}

static dt_status fail_missing(const dt_state *state, const char *function,
                              const char *name)
{
    const char *nearest = NULL;
    for (int64_t i = 0; i < state->count; i++)
        nearest = dti_nearer(name, nearest, state->entries[i]->name);
    return dti_fail(state->world, DT_ERR_NOT_FOUND,
                    "%s: no value is named " DTI_QUOTED "%s%s%s", function,
                    name, nearest ? "; did you mean \"" : "",
                    nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Find a value of a kind; integers are real numbers too. */
static dt_status get(const dt_state *state, const char *function,
                     const char *name, dt_state_kind kind,
                     const dt_state_entry **out)
{
    DTI_TRY(dti_given(state, function, "state"));
    DTI_TRY(check_text(state, function, "name", name));
    const dt_state_entry *entry = find(state, name);
    if (!entry)
        return fail_missing(state, function, name);
    if (entry->kind != kind &&
        !(kind == DT_STATE_REAL && entry->kind == DT_STATE_INTEGER))
        return dti_fail(state->world, DT_ERR_INVALID,
                        "%s: " DTI_QUOTED " is %s, not %s", function, name,
                        kind_names[entry->kind], kind_names[kind]);
    *out = entry;
    return DT_OK;
}

dt_tensor *dt_state_tensor(const dt_state *state, const char *name)
{
    const dt_state_entry *entry = NULL;
    const dt_status status =
        get(state, __func__, name, DT_STATE_TENSOR, &entry);
    return status == DT_OK ? entry->tensor : NULL;
}

dt_array *dt_state_array(const dt_state *state, const char *name)
{
    const dt_state_entry *entry = NULL;
    const dt_status status = get(state, __func__, name, DT_STATE_ARRAY, &entry);
    return status == DT_OK ? entry->array : NULL;
}

const char *dt_state_text(const dt_state *state, const char *name)
{
    const dt_state_entry *entry = NULL;
    const dt_status status = get(state, __func__, name, DT_STATE_TEXT, &entry);
    return status == DT_OK ? entry->text : NULL;
}

dt_status dt_state_integer(const dt_state *state, const char *name,
                           int64_t *out)
{
    const dt_state_entry *entry = NULL;
    DTI_TRY(get(state, __func__, name, DT_STATE_INTEGER, &entry));
    *out = entry->integer;
    return DT_OK;
}

dt_status dt_state_real(const dt_state *state, const char *name, double *out)
{
    const dt_state_entry *entry = NULL;
    DTI_TRY(get(state, __func__, name, DT_STATE_REAL, &entry));
    *out = entry->kind == DT_STATE_REAL ? entry->real : (double)entry->integer;
    return DT_OK;
}
