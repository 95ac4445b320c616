/* tests/fault/array.c - arrays, views, files and meshes without memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

#include <stdio.h>
#include <unistd.h>

/* Something that is made of an array; `out` is released if it is made. */
typedef struct maker {
    const char *name;
    dt_status (*make)(dt_world *world, dt_array *from, dt_array **out);
} maker;

typedef struct setting {
    dt_world *world;
    dt_array *from; /* (6, 4) of f32 */
    const maker *maker;
} setting;

static dt_status create(dt_world *world, dt_array *from, dt_array **out)
{
    (void)from;
    return dt_array_create(world, DT_F64, DT_SHAPE(30, 1000), out);
}

static dt_status create_large(dt_world *world, dt_array *from, dt_array **out)
{
    (void)from;
    return dt_array_create(world, DT_F64, DT_SHAPE(5, 1000, 1000), out);
}

static dt_status create_meta(dt_world *world, dt_array *from, dt_array **out)
{
    (void)from;
    return dt_array_create_meta(world, DT_F64, DT_SHAPE(30, 1000), out);
}

static void count_release(void *arg, void *data)
{
    (void)data;
    ++*(int *)arg;
}

/* On failure the release function is not called. */
static dt_status wrap(dt_world *world, dt_array *from, dt_array **out)
{
    static float memory[10];
    static int released;
    (void)from;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = memory;
    options.shape = DT_SHAPE(10);
    options.release = count_release;
    options.release_arg = &released;
    int before = released;
    dt_status status = dt_array_wrap(world, &options, out);
    CHECK_INT(released, before);
    return status;
}

static dt_status slice(dt_world *world, dt_array *from, dt_array **out)
{
    return dt_array_slice(world, from, 0, 1, 5, 2, out);
}

static dt_status pick(dt_world *world, dt_array *from, dt_array **out)
{
    return dt_array_select(world, from, 1, 3, out);
}

static dt_status permute(dt_world *world, dt_array *from, dt_array **out)
{
    return dt_array_permute(world, from, (int[]){1, 0}, out);
}

static dt_status expand(dt_world *world, dt_array *from, dt_array **out)
{
    return dt_array_expand(world, from, DT_SHAPE(5, 6, 4), out);
}

static dt_status reshape(dt_world *world, dt_array *from, dt_array **out)
{
    return dt_array_reshape(world, from, DT_SHAPE(-1, 3), out);
}

static dt_status clone(dt_world *world, dt_array *from, dt_array **out)
{
    return dt_array_clone(world, from, out);
}

static dt_status cast(dt_world *world, dt_array *from, dt_array **out)
{
    return dt_array_cast(world, from, DT_BF16, out);
}

/* Of a transposed view, so that a copy is made. */
static dt_status contiguous(dt_world *world, dt_array *from, dt_array **out)
{
    dt_array *turned = NULL;
    DT_TRY(permute(world, from, &turned));
    dt_status status = dt_array_contiguous(world, turned, out);
    dt_array_release(turned);
    return status;
}

/* The two sides overlap: the source is copied first. */
static dt_status copy_overlapping(dt_world *world, dt_array *from,
                                  dt_array **out)
{
    dt_array *low = NULL, *high = NULL;
    dt_status status = dt_array_slice(world, from, 0, 0, 4, 1, &low);
    if (status == DT_OK)
        status = dt_array_slice(world, from, 0, 2, 6, 1, &high);
    if (status == DT_OK)
        status = dt_array_copy(world, low, high);
    dt_array_release(low);
    dt_array_release(high);
    *out = NULL;
    return status;
}

static const char *file_name(void)
{
    static char name[64];
    snprintf(name, sizeof name, "fault_array_%ld.npy", (long)getpid());
    return name;
}

static dt_status load(dt_world *world, dt_array *from, dt_array **out)
{
    (void)from;
    return dt_array_load_npy(world, file_name(), out);
}

static dt_status save(dt_world *world, dt_array *from, dt_array **out)
{
    *out = NULL;
    return dt_array_save_npy(world, from, file_name());
}

/* Out to another library and back in. */
static dt_status pass_dlpack(dt_world *world, dt_array *from, dt_array **out)
{
    dt_dlpack_managed *managed = NULL;
    DT_TRY(dt_array_to_dlpack(world, from, &managed));
    dt_status status = dt_array_from_dlpack(world, managed, out);
    if (status != DT_OK)
        managed->deleter(managed);
    return status;
}

static dt_status pass_dlpack_legacy(dt_world *world, dt_array *from,
                                    dt_array **out)
{
    dt_dlpack_legacy *managed = NULL;
    DT_TRY(dt_array_to_dlpack_legacy(world, from, &managed));
    dt_status status = dt_array_from_dlpack_legacy(world, managed, out);
    if (status != DT_OK)
        managed->deleter(managed);
    return status;
}

static const maker makers[] = {
    {"create", create},
    {"create a large one", create_large},
    {"create meta", create_meta},
    {"wrap", wrap},
    {"slice", slice},
    {"select", pick},
    {"permute", permute},
    {"expand", expand},
    {"reshape", reshape},
    {"clone", clone},
    {"cast", cast},
    {"contiguous", contiguous},
    {"load", load},
    {"pass DLPack", pass_dlpack},
    {"pass DLPack without versions", pass_dlpack_legacy},
};

/* These do without memory, or need none at all. */
static const maker users[] = {
    {"copy overlapping", copy_overlapping},
    {"save", save},
};

static dt_status run_maker(void *arg, dt_error *error)
{
    setting *s = arg;
    dt_array *out = NULL;
    dt_memory_trim(s->world); /* nothing comes from what was kept */
    dt_check_forget(s->world);
    dt_status status = s->maker->make(s->world, s->from, &out);
    CHECKF(status == DT_OK || !out, "%s: an output in spite of a failure",
           s->maker->name);
    *error = *dt_world_error(s->world);
    dt_array_release(out);
    return status;
}

static void makes_arrays(dt_world *world)
{
    setting s = {.world = world};
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(6, 4), &s.from));
    CHECK_OK(world, dt_array_fill(world, s.from, 3));
    CHECK_OK(world, dt_array_save_npy(world, s.from, file_name()));
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        s.maker = &makers[i];
        fail_each(makers[i].name, run_maker, &s, 1);
    }
    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        s.maker = &users[i];
        fail_each(users[i].name, run_maker, &s, 0);
    }
    dt_array_release(s.from);
    remove(file_name());
}

/* ---- Meshes ------------------------------------------------------------- */

static dt_status make_meshes(void *arg, dt_error *error)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_mesh *mesh = NULL, *sub = NULL, *flat = NULL;
    dt_group *group = NULL;
    (void)arg;
    options.transport = "sim";
    options.ranks = 24;
    options.rank = 17;
    DT_TRY(dt_world_open(&options, &world, error));
    dt_status status = dt_mesh_create(world, "pp=2,dp=3,tp=4", &mesh);
    if (status == DT_OK)
        status = dt_mesh_sub(mesh, "dp,tp", &sub);
    if (status == DT_OK)
        status = dt_mesh_flatten(mesh, "dp,tp", "all", &flat);
    if (status == DT_OK)
        status = dt_mesh_group(mesh, 1, &group);
    if (status == DT_OK)
        status = dt_mesh_group_of(mesh, (int[]){0, 2}, 2, &group);
    if (status == DT_OK)
        status = dt_mesh_push(mesh);
    if (status == DT_OK && !dt_world_own_mesh(world))
        status = dt_world_error(world)->code;
    if (status != DT_OK)
        *error = *dt_world_error(world);
    dt_mesh_release(mesh);
    dt_mesh_release(sub);
    dt_mesh_release(flat);
    DT_IGNORE(dt_world_close(world));
    return status;
}

static void makes_meshes(dt_world *world)
{
    (void)world;
    fail_each("dt_mesh_create", make_meshes, NULL, 8);
}

const dt_test dt_tests[] = {
    {"makes arrays", makes_arrays},
    {"makes meshes", makes_meshes},
    {NULL, NULL},
};
