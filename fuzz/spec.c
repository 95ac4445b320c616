/* fuzz/spec.c - texts that may be specs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RANKS = 12 };

/* Fail in a way that every fuzzer notices. */
static void require(int condition)
{
    if (!condition)
        abort();
}

/* Twelve ranks and meshes of them, kept from input to input. */
static dt_mesh *open_mesh(int number)
{
    static const char *const texts[] = {"x", "dp=2,tp=6", "a=2,b=3,c=2"};
    static dt_world *world;
    static dt_mesh *meshes[3];
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "sim";
    options.ranks = RANKS;
    options.rank = 7;
    if (!world)
        require(dt_world_open(&options, &world, NULL) == DT_OK);
    if (!meshes[number])
        require(dt_mesh_create(world, texts[number], &meshes[number]) == DT_OK);
    return meshes[number];
}

/* A part lies inside the tensor, and its runs are as long as it is.  Strided
 * shards may have as many runs as elements: a few are looked at. */
static void check_part(const dt_spec *spec, int rank)
{
    dt_shape whole = dt_spec_shape(spec);
    dt_shape part = dt_spec_local_shape(spec, rank);
    int64_t offset[DT_MAX_NDIM];
    require(part.ndim == whole.ndim && dt_spec_offset(spec, rank, offset));
    for (int dim = 0; dim < part.ndim; dim++) {
        dt_run run = {0, offset[dim], 0};
        int64_t local = 0;
        require(part.dims[dim] >= 0 && part.dims[dim] <= whole.dims[dim]);
        require(offset[dim] >= 0 && offset[dim] <= whole.dims[dim]);
        require((offset[dim] < whole.dims[dim]) == (part.dims[dim] > 0));
        for (int i = 0; i < 100 && local < part.dims[dim]; i++) {
            require(dt_spec_run(spec, rank, dim, local, &run));
            require(run.local == local && run.length > 0);
            require(run.length <= part.dims[dim] - local);
            require(run.global <= whole.dims[dim] - run.length);
            local += run.length;
        }
        require(!dt_spec_run(spec, rank, dim, part.dims[dim], &run));
    }
}

/* The last element is had by ranks whose parts are not empty. */
static void check_owners(const dt_spec *spec)
{
    int ranks[RANKS];
    int64_t index[DT_MAX_NDIM] = {0};
    if (dt_spec_count(spec) == 0)
        return;
    for (int dim = 0; dim < dt_spec_ndim(spec); dim++)
        index[dim] = dt_spec_shape(spec).dims[dim] - 1;
    int count = dt_spec_owners(spec, index, ranks, RANKS);
    require(count > 0 && count <= RANKS);
    for (int i = 0; i < count; i++)
        require(dt_shape_count(dt_spec_local_shape(spec, ranks[i])) > 0);
}

static void read_text(dt_mesh *mesh, const char *text)
{
    char printed[2048];
    dt_spec *spec = NULL, *again = NULL;
    if (dt_spec_parse(mesh, text, &spec) != DT_OK) {
        require(dt_world_error(dt_mesh_world(mesh))->message[0]);
        return;
    }
    require(dt_spec_format(spec, printed, sizeof printed) < sizeof printed);
    require(dt_spec_parse(mesh, printed, &again) == DT_OK);
    require(spec == again);
    for (int rank = 0; rank < RANKS; rank++)
        check_part(spec, rank);
    check_owners(spec);
    dt_spec_release(again);
    dt_spec_release(spec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (int i = 0; i < 3; i++)
        read_text(open_mesh(i), text);
    free(text);
    return 0;
}
