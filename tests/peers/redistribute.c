/* tests/peers/redistribute.c - redistributes tensors for redistribute.py to
 * compare. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>
#include <dtensor/redistribute.h>
#include <dtensor/trace.h>

/* usage: DT_RANKS=N peer_redistribute FOLDER
 *
 * A line of FOLDER/cases is MESH DTYPE NDIM SIZE... FROM TO.  Rank R reads its
 * parts from FOLDER/in.R, one after another, and writes what becomes of them to
 * FOLDER/ours.R, the whole to FOLDER/whole.R, and the number of calls of each
 * case to FOLDER/calls.R. */

enum { MESHES = 16 };

/* The files of a rank, and the meshes it has met. */
typedef struct run {
    dt_world *world;
    FILE *cases, *in, *ours, *whole, *calls;
    int count;
    char texts[MESHES][64];
    dt_mesh *meshes[MESHES];
} run;

static FILE *open_file(const char *folder, const char *name, int rank,
                       const char *mode)
{
    char path[1024];
    if (rank < 0)
        snprintf(path, sizeof path, "%s/%s", folder, name);
    else
        snprintf(path, sizeof path, "%s/%s.%d", folder, name, rank);
    FILE *file = fopen(path, mode);
    if (!file)
        fprintf(stderr, "%s cannot be opened\n", path);
    return file;
}

static dt_mesh *mesh_of(run *r, const char *text)
{
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->texts[i], text) == 0)
            return r->meshes[i];
    if (r->count == MESHES ||
        dt_mesh_create(r->world, text, &r->meshes[r->count]) != DT_OK)
        return NULL;
    snprintf(r->texts[r->count], sizeof r->texts[0], "%s", text);
    return r->meshes[r->count++];
}

static dt_dtype dtype_of(const char *name)
{
    for (int i = 0; i < DT_DTYPE_COUNT; i++)
        if (strcmp(dt_dtype_name((dt_dtype)i), name) == 0)
            return (dt_dtype)i;
    return DT_F32;
}

static uint64_t count_calls(const dt_world *world)
{
    uint64_t calls = 0;
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        calls += dt_trace_count(world, (dt_collective)i).calls;
    return calls;
}

static void write_array(const dt_array *array, FILE *to)
{
    if (dt_array_count(array) > 0)
        fwrite(dt_array_const_data(array), 1, dt_array_bytes(array), to);
}

/* Redistribute one tensor; NULL if that fails. */
static dt_tensor *redistribute(run *r, dt_spec *spec, const char *to)
{
    dt_array *local = NULL;
    dt_shape shape = dt_spec_local_shape(spec, dt_world_rank(r->world));
    if (dt_array_create(r->world, dt_spec_dtype(spec), shape, &local) != DT_OK)
        return NULL;
    if (dt_array_count(local) > 0 &&
        fread(dt_array_data(local), 1, dt_array_bytes(local), r->in) !=
            dt_array_bytes(local))
        fprintf(stderr, "the input is too short\n");
    dt_tensor *tensor = dt_tensor_assemble(spec, local);
    dt_array_release(local);
    dt_trace_clear(r->world);
    return dt_redistribute(tensor, to);
}

static dt_status run_case(run *r, const char *mesh, const char *dtype,
                          dt_shape shape, const char *from, const char *to)
{
    dt_spec *spec = NULL;
    dt_scope *scope = dt_scope_open(r->world);
    dt_mesh *on = mesh_of(r, mesh);
    if (on)
        DT_IGNORE(dt_spec_create(on, from, dtype_of(dtype), shape, &spec));
    dt_tensor *result = spec ? redistribute(r, spec, to) : NULL;
    if (result) {
        fprintf(r->calls, "%llu\n", (unsigned long long)count_calls(r->world));
        write_array(dt_tensor_local(result), r->ours);
        dt_tensor *full = dt_full_tensor(result);
        if (full)
            write_array(dt_tensor_local(full), r->whole);
    }
    dt_spec_release(spec);
    return dt_scope_close(scope);
}

static dt_status run_cases(run *r)
{
    char mesh[64], dtype[16], from[64], to[64];
    int ndim;
    while (fscanf(r->cases, "%63s %15s %d", mesh, dtype, &ndim) == 3) {
        dt_shape shape = {ndim, {0}};
        for (int i = 0; i < ndim; i++) {
            long long size = 0;
            if (fscanf(r->cases, "%lld", &size) != 1)
                return DT_ERR_FORMAT;
            shape.dims[i] = size;
        }
        if (fscanf(r->cases, "%63s %63s", from, to) != 2)
            return DT_ERR_FORMAT;
        DT_TRY(run_case(r, mesh, dtype, shape, from, to));
    }
    return DT_OK;
}

static dt_status program(dt_world *world, void *folder)
{
    int rank = dt_world_rank(world);
    run r = {.world = world,
             .cases = open_file(folder, "cases", -1, "r"),
             .in = open_file(folder, "in", rank, "rb"),
             .ours = open_file(folder, "ours", rank, "wb"),
             .whole = open_file(folder, "whole", rank, "wb"),
             .calls = open_file(folder, "calls", rank, "w")};
    FILE *files[] = {r.cases, r.in, r.ours, r.whole, r.calls};
    bool good = true;
    for (int i = 0; i < 5; i++)
        good = good && files[i];
    dt_status status = good ? run_cases(&r) : DT_ERR_IO;
    for (int i = 0; i < 5; i++)
        if (files[i])
            fclose(files[i]);
    for (int i = 0; i < r.count; i++)
        dt_mesh_release(r.meshes[i]);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: peer_redistribute FOLDER\n");
        return 2;
    }
    return dt_main(argc, argv, program, argv[1]);
}
