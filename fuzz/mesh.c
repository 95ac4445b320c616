/* fuzz/mesh.c - texts that may be meshes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A world of twelve ranks, which have many meshes; kept from input to input. */
static dt_world *open_world(void)
{
    static dt_world *world;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "sim";
    options.ranks = 12;
    options.rank = 7;
    if (!world && dt_world_open(&options, &world, NULL) != DT_OK)
        abort();
    return world;
}

/* What can be read must hold together: the places of a mesh are as many as its
 * ranks, every rank stands where it is found, and it prints. */
static void check_mesh(const dt_mesh *mesh, int ranks)
{
    int places = 1;
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        places *= dt_mesh_dim_size(mesh, i);
    if (places != dt_mesh_size(mesh) || dt_mesh_size(mesh) > ranks)
        abort();
    for (int rank = 0; rank < ranks; rank++) {
        int coordinate[DT_MAX_NDIM];
        if (dt_mesh_coordinate_of(mesh, rank, coordinate) &&
            dt_mesh_rank_at(mesh, coordinate) != rank)
            abort();
    }
    char text[64];
    dt_mesh_format(mesh, text, sizeof text);
}

static void check_and_release(dt_mesh *mesh, int ranks)
{
    if (mesh)
        check_mesh(mesh, ranks);
    dt_mesh_release(mesh);
}

/* The text as sizes, as names of dimensions, and as a name of one; a failure
 * must leave a sentence. */
static void read_as_all(dt_world *world, const char *text)
{
    dt_mesh *base = NULL;
    dt_mesh *mesh = NULL;
    if (dt_mesh_create(world, text, &mesh) != DT_OK &&
        !dt_world_error(world)->message[0])
        abort();
    check_and_release(mesh, 12);
    if (dt_mesh_create(world, "a=2,b=3,dp=1,tp=2", &base) != DT_OK)
        abort();
    mesh = NULL;
    DT_IGNORE(dt_mesh_sub(base, text, &mesh));
    check_and_release(mesh, 12);
    mesh = NULL;
    DT_IGNORE(dt_mesh_flatten(base, text, NULL, &mesh));
    check_and_release(mesh, 12);
    mesh = NULL;
    DT_IGNORE(dt_mesh_flatten(base, "a,b", text, &mesh));
    check_and_release(mesh, 12);
    dt_mesh_release(base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    read_as_all(open_world(), text);
    free(text);
    return 0;
}
