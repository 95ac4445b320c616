/* layout/world.c - the specs and the texts of layouts that a world keeps. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/map.h"
#include "layout/spec.h"

/* Specs that nobody uses are kept until there are this many. */
#define IDLE_SPECS 4096
/* Texts that were read are kept until there are this many. */
#define KEPT_TEXTS 1024
/* Addresses at which texts are looked for first; a prime, so that they
 * spread. */
#define RECENT_TEXTS 61

/* A text and the layout that it says. */
typedef struct layout_text {
    bool lent; /* given to the user: it stays until the world closes */
    dt_layout layout;
    char text[];
} layout_text;

typedef struct layouts {
    dti_map texts;
    /* What was last read from addresses, most of which are string literals and
     * say the same again. */
    layout_text *recent[RECENT_TEXTS];
    dti_map specs;
    size_t sweep_texts_at; /* when there are so many */
    size_t sweep_specs_at;
    uint64_t hits, misses; /* of specs that were looked for */
} layouts;

static void free_texts(dti_map *texts)
{
    size_t cursor = 0;
    for (void *text; (text = dti_map_next(texts, &cursor));)
        free(text);
    dti_map_clear(texts);
}

static void sweep_texts(layouts *kept)
{
    size_t cursor = 0;
    for (layout_text *row; (row = dti_map_next(&kept->texts, &cursor));)
        if (!row->lent) {
            dti_map_drop(&kept->texts, &cursor);
            free(row);
        }
    memset(kept->recent, 0, sizeof kept->recent);
    kept->sweep_texts_at = kept->texts.count + KEPT_TEXTS;
}

/* Let go of specs that nobody uses.  Those in use stay: equal specs must be
 * one. */
static void sweep_specs(layouts *kept)
{
    size_t cursor = 0;
    for (dt_spec *spec; (spec = dti_map_next(&kept->specs, &cursor));)
        if (atomic_load(&spec->reference.count) == 1) {
            dti_map_drop(&kept->specs, &cursor);
            dt_spec_release(spec);
        }
    kept->sweep_specs_at = kept->specs.count + IDLE_SPECS;
}

static void close_layouts(dt_world *world, void *state)
{
    layouts *kept = state;
    size_t cursor = 0;
    (void)world;
    for (void *spec; (spec = dti_map_next(&kept->specs, &cursor));)
        dt_spec_release(spec);
    dti_map_clear(&kept->specs);
    free_texts(&kept->texts);
    free(kept);
}

static dt_cache_counter count_specs(const void *state)
{
    const layouts *kept = state;
    return (dt_cache_counter){kept->specs.count, kept->hits, kept->misses};
}

static dt_status clear_layouts(dt_world *world, void *state)
{
    layouts *kept = state;
    (void)world;
    sweep_texts(kept);
    sweep_specs(kept);
    kept->hits = kept->misses = 0;
    return DT_OK;
}

static const dti_room_functions functions = {
    .close = close_layouts, .count = count_specs, .clear = clear_layouts};

/* What the world keeps of layouts, empty at first; NULL without memory. */
static layouts *open_layouts(dt_world *world)
{
    layouts *kept = dti_world_room(world, DTI_ROOM_LAYOUT);
    if (kept)
        return kept;
    kept = calloc(1, sizeof *kept);
    if (kept) {
        kept->sweep_texts_at = KEPT_TEXTS;
        kept->sweep_specs_at = IDLE_SPECS;
        dti_world_attach(world, DTI_ROOM_LAYOUT, kept, &functions);
    } else {
        dti_fail_memory(world, sizeof *kept, "the layouts of a world");
    }
    return kept;
}

/* ---- Texts -------------------------------------------------------------- */

static bool text_matches(const void *value, const void *key)
{
    return strcmp(((const layout_text *)value)->text, key) == 0;
}

/* Keep a text with what it says. */
static dt_status add_text(dt_world *world, layouts *kept, uint64_t hash,
                          const char *text, const dt_layout *layout,
                          layout_text **out)
{
    size_t length = strlen(text) + 1;
    layout_text *row = malloc(sizeof *row + length);
    if (!row)
        return dti_fail_memory(world, sizeof *row + length, "a layout");
    row->lent = false;
    row->layout = *layout;
    memcpy(row->text, text, length);
    if (kept->texts.count >= kept->sweep_texts_at)
        sweep_texts(kept);
    if (dti_map_add(&kept->texts, hash, row) != DT_OK) {
        free(row);
        return dti_fail_memory(world, length, "the layouts of a world");
    }
    *out = row;
    return DT_OK;
}

/* Find the row of a text; a text that has none is read first. */
static dt_status find_text(dt_world *world, layouts *kept, const char *text,
                           layout_text **out)
{
    dt_layout layout;
    uint64_t hash = dti_hash_text(text);
    *out = dti_map_find(&kept->texts, hash, text, text_matches);
    if (*out)
        return DT_OK;
    DTI_TRY(dt_layout_parse(world, text, &layout));
    return add_text(world, kept, hash, text, &layout, out);
}

/* The same, fast where the text that was read from this address before is still
 * there. */
static dt_status read_text(dt_world *world, const char *text, layout_text **out)
{
    layouts *kept = open_layouts(world);
    if (!kept)
        return DT_ERR_NO_MEMORY;
    if (!text)
        return dti_fail(world, DT_ERR_INVALID, "the layout is NULL");
    layout_text **recent = &kept->recent[(uintptr_t)text % RECENT_TEXTS];
    if (!*recent || !text_matches(*recent, text)) {
        layout_text *row = NULL;
        DTI_TRY(find_text(world, kept, text, &row));
        *recent = row;
    }
    *out = *recent;
    return DT_OK;
}

dt_status dti_layout_read(dt_world *world, const char *text,
                          const dt_layout **out)
{
    layout_text *row = NULL;
    DTI_TRY(read_text(world, text, &row));
    *out = &row->layout;
    return DT_OK;
}

dt_status dti_layout_read_on(const dt_mesh *mesh, const char *text,
                             const dt_layout **out)
{
    if (text)
        return dti_layout_read(mesh->world, text, out);
    const dt_layout replicated = dti_layout_replicated(mesh->dims.ndim);
    return dti_layout_read(mesh->world, dti_layout_show(&replicated).text, out);
}

/* What is no layout, such as a wrong order, is not what its text says. */
const char *dt_layout_text(dt_world *world, const dt_layout *layout)
{
    layout_text *row = NULL;
    if (layout->ndim < 1 || layout->ndim > DT_MAX_NDIM) {
        dti_fail(world, DT_ERR_INVALID, "a layout with %d placements",
                 layout->ndim);
        return NULL;
    }
    dti_layout_show_text show = dti_layout_show(layout);
    if (read_text(world, show.text, &row) != DT_OK)
        return NULL;
    if (!dt_layout_equal(layout, &row->layout)) {
        dti_fail(world, DT_ERR_INVALID,
                 "a layout like %s with an invalid order", show.text);
        return NULL;
    }
    row->lent = true;
    return row->text;
}

/* ---- Specs -------------------------------------------------------------- */

static bool meta_equal(const dt_meta *a, const dt_meta *b)
{
    if (a->dtype != b->dtype || a->shape.ndim != b->shape.ndim)
        return false;
    for (int i = 0; i < a->shape.ndim; i++)
        if (a->shape.dims[i] != b->shape.dims[i] ||
            a->strides[i] != b->strides[i])
            return false;
    return true;
}

static bool spec_matches(const void *value, const void *key)
{
    const dt_spec *spec = value;
    const dti_spec_key *wanted = key;
    return meta_equal(&spec->meta, wanted->meta) &&
           dt_layout_equal(&spec->layout, wanted->layout) &&
           (spec->mesh == wanted->mesh ||
            dt_mesh_equal(spec->mesh, wanted->mesh));
}

dt_spec *dti_specs_find(dt_world *world, const dti_spec_key *key)
{
    layouts *kept = dti_world_room(world, DTI_ROOM_LAYOUT);
    if (!kept)
        return NULL;
    dt_spec *spec = dti_map_find(&kept->specs, key->hash, key, spec_matches);
    kept->hits += spec != NULL;
    return spec;
}

static bool has_hash(const void *value, const void *key)
{
    return ((const dt_spec *)value)->hash == *(const uint64_t *)key;
}

const dt_spec *dti_specs_find_hash(dt_world *world, uint64_t hash)
{
    layouts *kept = dti_world_room(world, DTI_ROOM_LAYOUT);
    return kept ? dti_map_find(&kept->specs, hash, &hash, has_hash) : NULL;
}

dt_status dti_specs_add(dt_world *world, dt_spec *spec)
{
    layouts *kept = open_layouts(world);
    if (!kept)
        return DT_ERR_NO_MEMORY;
    kept->misses++;
    if (kept->specs.count >= kept->sweep_specs_at)
        sweep_specs(kept);
    if (dti_map_add(&kept->specs, spec->hash, spec) != DT_OK)
        return dti_fail_memory(world, sizeof spec, "the specs of a world");
    dt_spec_retain(spec);
    return DT_OK;
}
