/* tests/crash/disk.c - what a disk has after a loss of power. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "crash/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/check.h"

enum { NODES = 512, NAMES = 64 };

/* Bytes of a file. */
typedef struct bytes {
    char *data;
    long size;
} bytes;

/* A name in a folder; node -1: none. */
typedef struct entry {
    char name[128];
    int node;
} entry;

/* A file or a folder, as the program sees it and as it is on the disk. */
typedef struct node {
    bool folder;
    bytes seen, kept;
    entry seen_names[NAMES], kept_names[NAMES];
} node;

struct disk {
    node *nodes; /* the first is the folder itself */
    int count;
};

disk *new_disk(void)
{
    disk *model = calloc(1, sizeof *model);
    model->nodes = calloc(NODES, sizeof *model->nodes);
    model->nodes[0].folder = true;
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < NAMES; k++)
            model->nodes[i].seen_names[k].node =
                model->nodes[i].kept_names[k].node = -1;
    model->count = 1;
    return model;
}

void free_disk(disk *model)
{
    for (int i = 0; i < model->count; i++) {
        free(model->nodes[i].seen.data);
        free(model->nodes[i].kept.data);
    }
    free(model->nodes);
    free(model);
}

/* ---- Names
 * -------------------------------------------------------------------------- */

/* Find a name in a folder, or a free place for it. */
static entry *find(disk *model, int folder, const char *name)
{
    entry *names = model->nodes[folder].seen_names, *unused = NULL;
    for (int i = 0; i < NAMES; i++) {
        if (names[i].node >= 0 && strcmp(names[i].name, name) == 0)
            return &names[i];
        if (names[i].node < 0 && !unused)
            unused = &names[i];
    }
    CHECK(unused != NULL);
    snprintf(unused->name, sizeof unused->name, "%s", name);
    return unused;
}

/* Find the entry of a path; NULL for the folder itself. */
static entry *find_path(disk *model, const char *path)
{
    char part[256];
    int folder = 0;
    const char *slash;
    if (!*path)
        return NULL;
    while ((slash = strchr(path, '/'))) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        folder = find(model, folder, part)->node;
        if (!CHECKF(folder >= 0, "%s", path))
            return NULL;
        path = slash + 1;
    }
    return find(model, folder, path);
}

static node *node_at(disk *model, const char *path)
{
    const entry *found = find_path(model, path);
    if (!*path)
        return &model->nodes[0];
    CHECKF(found && found->node >= 0, "no %s", path);
    return found && found->node >= 0 ? &model->nodes[found->node] : NULL;
}

/* ---- Calls
 * ---------------------------------------------------------------------------
 */

static void make(disk *model, const char *path, bool folder)
{
    entry *name = find_path(model, path);
    if (!name || name->node >= 0 || !CHECK(model->count < NODES))
        return;
    name->node = model->count++;
    model->nodes[name->node].folder = folder;
}

static void resize(bytes *of, long size)
{
    of->data = realloc(of->data, (size_t)size + 1);
    if (size > of->size)
        memset(of->data + of->size, 0, (size_t)(size - of->size));
    of->size = size;
}

static void write_to(node *file, const call *made)
{
    if (!file)
        return;
    if (made->offset + made->bytes > file->seen.size)
        resize(&file->seen, made->offset + made->bytes);
    memcpy(file->seen.data + made->offset, made->data, (size_t)made->bytes);
}

static void sync_node(node *what)
{
    if (!what)
        return;
    memcpy(what->kept_names, what->seen_names, sizeof what->kept_names);
    resize(&what->kept, what->seen.size);
    if (what->seen.size)
        memcpy(what->kept.data, what->seen.data, (size_t)what->seen.size);
}

static void move(disk *model, const call *made, bool exchange)
{
    entry *from = find_path(model, made->path), *to;
    if (!CHECK(from != NULL))
        return;
    const int moved = from->node;
    from->node = -1;
    to = find_path(model, made->to);
    if (!CHECK(to != NULL))
        return;
    const int other = to->node;
    to->node = moved;
    if (exchange)
        find_path(model, made->path)->node = other;
}

void apply_call(disk *model, const call *made)
{
    entry *name;
    node *what;
    switch (made->kind) {
    case CALL_CREATE:
    case CALL_MKDIR:
        if (*made->path)
            make(model, made->path, made->kind == CALL_MKDIR);
        break;
    case CALL_WRITE:
        write_to(node_at(model, made->path), made);
        break;
    case CALL_SIZE:
        what = node_at(model, made->path);
        if (what)
            resize(&what->seen, made->bytes);
        break;
    case CALL_SYNC:
        sync_node(node_at(model, made->path));
        break;
    case CALL_RENAME:
    case CALL_EXCHANGE:
        move(model, made, made->kind == CALL_EXCHANGE);
        break;
    default:
        name = find_path(model, made->path);
        if (name)
            name->node = -1;
    }
}

/* ---- A real folder
 * ----------------------------------------------------------------------- */

void write_disk(const disk *model, bool names, const char *folder)
{
    /* Folders within the folder are one level deep. */
    for (int level = 0, at = 0; level < 2; level++) {
        for (int i = 0; i < (level ? NAMES : 1); i++) {
            const entry *tops =
                names ? model->nodes[0].seen_names : model->nodes[0].kept_names;
            if (level && tops[i].node < 0)
                continue;
            at = level ? tops[i].node : 0;
            const node *from = &model->nodes[at];
            if (!from->folder)
                continue;
            const entry *list = names ? from->seen_names : from->kept_names;
            for (int k = 0; k < NAMES; k++) {
                char path[512];
                if (list[k].node < 0)
                    continue;
                const node *what = &model->nodes[list[k].node];
                snprintf(path, sizeof path, "%.200s/%.127s%s%.127s", folder,
                         level ? tops[i].name : "", level ? "/" : "",
                         list[k].name);
                if (what->folder) {
                    CHECK(mkdir(path, 0777) == 0);
                    continue;
                }
                FILE *file = fopen(path, "w");
                CHECK(file && (!what->kept.size ||
                               fwrite(what->kept.data, (size_t)what->kept.size,
                                      1, file) == 1));
                if (file)
                    CHECK(fclose(file) == 0);
            }
        }
    }
}
