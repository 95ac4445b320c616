/* tests/peers/tensor.c - spreads tensors and says what every rank has, for
 * tensor.py to compare. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

/*
 * usage: peer_tensor RANKS CASES OUT
 *
 * A line of CASES is ID KIND MESH LAYOUT NDIM and as many extents.  KIND is
 *
 * distribute  a tensor of f64, whose elements count from 0, spread from rank 0
 * partial     the same, and then the whole is read
 * from_local  the extents are those of every rank's part; as many numbers
 *             follow, the order in which its dimensions lie in memory
 *
 * Rank r writes to OUT.r a line for each: ID, the layout, and lists of numbers,
 * with "|" between them.  The lists are shape, offset and elements of its part;
 * of the whole for `partial`; global shape and strides for `from_local`.
 */

typedef struct run_arguments {
    int ranks;
    const char *cases;
    const char *out;
} run_arguments;

typedef struct one_case {
    int id;
    char kind[16];
    char mesh[64];
    char layout[128];
    dt_shape shape;
    int order[DT_MAX_NDIM];
} one_case;

static bool read_case(FILE *file, one_case *out)
{
    memset(out, 0, sizeof *out);
    if (fscanf(file, "%d %15s %63s %127s %d", &out->id, out->kind, out->mesh,
               out->layout, &out->shape.ndim) != 5)
        return false;
    for (int i = 0; i < out->shape.ndim; i++) {
        long long extent;
        if (fscanf(file, "%lld", &extent) != 1)
            return false;
        out->shape.dims[i] = extent;
    }
    if (strcmp(out->kind, "from_local") == 0)
        for (int i = 0; i < out->shape.ndim; i++)
            if (fscanf(file, "%d", &out->order[i]) != 1)
                return false;
    return true;
}

/* ---- What is written ---------------------------------------------------- */

static void write_list(FILE *file, const int64_t *numbers, int count)
{
    fputc('|', file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%lld", i ? "," : "", (long long)numbers[i]);
}

static void write_elements(FILE *file, const dt_array *array)
{
    const double *data = dt_array_const_data(array);
    fputc('|', file);
    for (int64_t i = 0; i < dt_array_count(array); i++)
        fprintf(file, "%s%.17g", i ? "," : "", data[i]);
}

static void write_layout(FILE *file, const one_case *of,
                         const dt_tensor *tensor)
{
    char text[256];
    dt_layout_format(dt_tensor_layout(tensor), text, sizeof text);
    fprintf(file, "%d|%s", of->id, text);
}

static void write_part(FILE *file, const dt_tensor *tensor)
{
    int64_t offset[DT_MAX_NDIM];
    dt_array *local = dt_tensor_local(tensor);
    dt_shape shape = dt_array_shape(local);
    dt_spec_offset(dt_tensor_spec(tensor),
                   dt_world_rank(dt_tensor_world(tensor)), offset);
    write_list(file, shape.dims, shape.ndim);
    write_list(file, offset, shape.ndim);
    write_elements(file, local);
}

/* ---- The cases ---------------------------------------------------------- */

static dt_status distribute(FILE *file, dt_mesh *mesh, const one_case *of)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *whole = NULL;
    bool partial = strcmp(of->kind, "partial") == 0;
    DT_TRY(dt_array_create(world, DT_F64, of->shape, &whole));
    double *data = dt_array_data(whole);
    for (int64_t i = 0; i < dt_array_count(whole); i++)
        data[i] = (double)i;
    dt_tensor *tensor =
        dt_distribute(mesh, of->layout, DT_F64, of->shape,
                      dt_world_rank(world) == 0 ? whole : NULL, 0);
    if (tensor && partial) {
        dt_box box = {.ndim = of->shape.ndim};
        memcpy(box.size, of->shape.dims, sizeof box.size);
        DT_IGNORE(dt_array_fill(world, whole, -1));
        if (dt_tensor_get(tensor, &box, whole) != DT_OK)
            tensor = NULL;
    }
    if (tensor) {
        write_layout(file, of, tensor);
        write_part(file, tensor);
        if (partial)
            write_elements(file, whole);
    }
    dt_array_release(whole);
    return tensor ? DT_OK : dt_world_error(world)->code;
}

static dt_status from_local(FILE *file, dt_mesh *mesh, const one_case *of)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *dense = NULL, *part = NULL;
    dt_shape lying = of->shape;
    int place[DT_MAX_NDIM] = {0};
    for (int i = 0; i < lying.ndim; i++) {
        lying.dims[i] = of->shape.dims[of->order[i]];
        place[of->order[i]] = i;
    }
    DT_TRY(dt_array_create(world, DT_F64, lying, &dense));
    dt_status status = dt_array_permute(world, dense, place, &part);
    if (status == DT_OK) {
        dt_tensor *tensor = dt_from_local(mesh, of->layout, part);
        status = tensor ? DT_OK : dt_world_error(world)->code;
        if (tensor) {
            const dt_meta *meta = dt_spec_meta(dt_tensor_spec(tensor));
            write_layout(file, of, tensor);
            write_list(file, meta->shape.dims, meta->shape.ndim);
            write_list(file, meta->strides, meta->shape.ndim);
        }
    }
    dt_array_release(part);
    dt_array_release(dense);
    return status;
}

static dt_status run_case(dt_world *world, FILE *file, const one_case *of)
{
    dt_mesh *mesh = NULL;
    dt_scope *scope = dt_scope_open(world);
    dt_status status = dt_mesh_create(world, of->mesh, &mesh);
    if (status == DT_OK)
        status = strcmp(of->kind, "from_local") == 0
                     ? from_local(file, mesh, of)
                     : distribute(file, mesh, of);
    if (status != DT_OK)
        fprintf(file, "%d|error: %s", of->id, dt_world_error(world)->message);
    fputc('\n', file);
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
    return DT_OK;
}

static dt_status program(dt_world *world, void *arg)
{
    const run_arguments *arguments = arg;
    char path[1024];
    one_case of;
    snprintf(path, sizeof path, "%s.%d", arguments->out, dt_world_rank(world));
    FILE *cases = fopen(arguments->cases, "r");
    FILE *out = fopen(path, "w");
    dt_status status = cases && out ? DT_OK : DT_ERR_IO;
    while (status == DT_OK && read_case(cases, &of))
        status = run_case(world, out, &of);
    if (cases)
        fclose(cases);
    if (out && fclose(out) != 0)
        status = DT_ERR_IO;
    return status;
}

int main(int argc, char **argv)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    if (argc != 4) {
        fprintf(stderr, "usage: %s RANKS CASES OUT\n", argv[0]);
        return 2;
    }
    run_arguments arguments = {atoi(argv[1]), argv[2], argv[3]};
    options.transport = "threads";
    options.ranks = arguments.ranks;
    if (dt_world_run(&options, program, &arguments, &error) != DT_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    return 0;
}
