/* nn/train/loader.c - batches of sequences from a file of tokens. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtensor/array.h>
#include <dtensor/data.h>
#include <dtensor/spec.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "layout/layout.h"
#include "nn/train/shuffle.h"
#include "random/philox.h"
#include "tensor/tensor.h"

struct dt_loader {
    dt_world *world;
    dt_spec *spec; /* of a batch */
    dt_loader_options options;
    unsigned char *file; /* mapped */
    size_t file_size;
    int64_t tokens;    /* in the file */
    int64_t sequences; /* in an epoch */
    int64_t position;  /* sequences read so far */
};

/* ---- Opening and closing ------------------------------------------------ */

void dt_loader_close(dt_loader *loader)
{
    DTI_ENTRY();
    if (!dti_handle_usable(loader, __func__) || !loader)
        return;
    dti_handle_gone(loader);
    if (loader->file)
        munmap(loader->file, loader->file_size);
    dt_spec_release(loader->spec);
    dti_handle_free(loader);
    dti_live_add(DTI_LIVE_LOADER, -1);
}

static dt_status check_options(dt_world *world,
                               const dt_loader_options *options)
{
    if (options->batch < 1 || options->length < 1 || options->skip < 0)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_loader_open: batch is %lld, length %lld and skip "
                        "%lld; batch and length must be at least 1, skip at "
                        "least 0",
                        (long long)options->batch, (long long)options->length,
                        (long long)options->skip);
    if (options->batch > INT64_MAX / 4)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_loader_open: batch is %lld; it must be at most "
                        "2^61",
                        (long long)options->batch);
    const int bytes = options->token_bytes;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_loader_open: token_bytes is %d; expected 1, 2, 4 "
                        "or 8",
                        bytes);
    return DT_OK;
}

static dt_status fail_file(dt_world *world, const char *path)
{
    return dti_fail(world, DT_ERR_IO, "dt_loader_open: %s: %s", path,
                    strerror(errno));
}

static dt_status map_file(dt_loader *loader, const char *path)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail_file(loader->world, path);
    dt_status status = DT_OK;
    void *memory = MAP_FAILED;
    if (fstat(file, &about) != 0)
        status = fail_file(loader->world, path);
    else if (about.st_size > 0) {
        memory =
            mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0);
        if (memory == MAP_FAILED)
            status = fail_file(loader->world, path);
    }
    close(file);
    if (status == DT_OK && memory != MAP_FAILED) {
        loader->file = memory;
        loader->file_size = (size_t)about.st_size;
    }
    return status;
}

/*
 * Count tokens and sequences.  Every sequence needs the token after it as well,
 * and those of an epoch begin up to length - 1 tokens later than the file.
 */
static dt_status measure(dt_loader *loader, const char *path)
{
    const dt_loader_options *options = &loader->options;
    const int64_t bytes = (int64_t)loader->file_size - options->skip;
    if (bytes % options->token_bytes)
        return dti_fail(loader->world, DT_ERR_FORMAT,
                        "dt_loader_open: %s has %lld bytes after the first "
                        "%lld, which is no multiple of the %d bytes of a token",
                        path, (long long)bytes, (long long)options->skip,
                        options->token_bytes);
    loader->tokens = bytes > 0 ? bytes / options->token_bytes : 0;
    const int64_t spare = options->in_order ? 0 : options->length - 1;
    loader->sequences = (loader->tokens - 1 - spare) / options->length;
    if (loader->sequences < 1)
        return dti_fail(loader->world, DT_ERR_INVALID,
                        "dt_loader_open: %s has %lld tokens; sequences of "
                        "length %lld need at least %lld",
                        path, (long long)loader->tokens,
                        (long long)options->length,
                        (long long)(options->length + spare + 1));
    return DT_OK;
}

static dt_status describe_batch(dt_loader *loader, dt_mesh *mesh,
                                const char *text)
{
    const dt_layout *layout = NULL;
    DTI_TRY(dti_layout_read_on(mesh, text, &layout));
    const dt_loader_options *options = &loader->options;
    return dt_spec_create(mesh, dt_layout_text(loader->world, layout), DT_I64,
                          DT_SHAPE(options->batch, options->length),
                          &loader->spec);
}

static dt_status open_loader(dt_mesh *mesh, const char *layout,
                             const char *path, const dt_loader_options *options,
                             dt_loader **out)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_loader *loader = calloc(1, sizeof *loader);
    if (!loader)
        return dti_fail_memory(world, sizeof *loader, "a loader");
    loader->world = world;
    loader->options = *options;
    dti_live_add(DTI_LIVE_LOADER, 1);
    dti_handle_made(world, DTI_LIVE_LOADER, loader);
    dt_status status = describe_batch(loader, mesh, layout);
    if (status == DT_OK)
        status = map_file(loader, path);
    if (status == DT_OK)
        status = measure(loader, path);
    if (status == DT_OK)
        *out = loader;
    else
        dt_loader_close(loader);
    return status;
}

dt_status dt_loader_open(dt_mesh *mesh, const char *layout, const char *path,
                         const dt_loader_options *options, dt_loader **out)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    dt_world *world = dt_mesh_world(mesh);
    if (!path)
        return dti_fail_null(world, __func__, "path");
    dt_loader_options usual = DT_LOADER_OPTIONS_INIT;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_LOADER_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    DTI_TRY(check_options(world, options));
    return dti_collective_end_on(mesh,
                                 open_loader(mesh, layout, path, options, out));
}

/* ---- Reading ------------------------------------------------------------ */

static int64_t read_token(const dt_loader *loader, int64_t number)
{
    const int bytes = loader->options.token_bytes;
    const unsigned char *at =
        loader->file + loader->options.skip + number * bytes;
    uint64_t token = 0;
    for (int i = bytes - 1; i >= 0; i--)
        token = token << 8 | at[i];
    return (int64_t)token;
}

/* The token at which a sequence begins. */
static int64_t find_start(const dt_loader *loader, int64_t sequence)
{
    const dt_loader_options *options = &loader->options;
    const int64_t epoch = sequence / loader->sequences;
    int64_t place = sequence % loader->sequences;
    int64_t first = 0;
    if (!options->in_order) {
        const uint64_t word =
            dti_philox(options->seed, UINT64_MAX, (uint64_t)epoch).words[0];
        first = (int64_t)(word % (uint64_t)options->length);
        place = dti_shuffle(options->seed, (uint64_t)epoch, loader->sequences,
                            place);
    }
    return first + place * options->length;
}

/* Fill a box of this rank's array with the tokens that are `ahead` later. */
static void fill_box(const dt_loader *loader, const dt_shard_box *box,
                     int64_t ahead, int64_t row_size, int64_t *elements)
{
    const int64_t *offset = box->box.offset, *size = box->box.size;
    for (int64_t i = 0; i < size[0]; i++) {
        const int64_t start =
            find_start(loader, loader->position + offset[0] + i);
        int64_t *row = elements + (box->local[0] + i) * row_size;
        for (int64_t j = 0; j < size[1]; j++)
            row[box->local[1] + j] =
                read_token(loader, start + offset[1] + j + ahead);
    }
}

static dt_status fill(const dt_loader *loader, int64_t ahead, dt_array *array)
{
    int64_t count = 0;
    const int rank = dt_world_rank(loader->world);
    DTI_TRY(dt_spec_shard_boxes(loader->spec, rank, NULL, 0, &count));
    const size_t bytes = (size_t)count * sizeof(dt_shard_box);
    dt_shard_box *boxes = malloc(bytes ? bytes : 1);
    if (!boxes)
        return dti_fail_memory(loader->world, bytes, "a list of boxes");
    dt_status status =
        dt_spec_shard_boxes(loader->spec, rank, boxes, count, &count);
    for (int64_t i = 0; i < count && status == DT_OK; i++)
        fill_box(loader, &boxes[i], ahead, dt_array_shape(array).dims[1],
                 dt_array_data(array));
    free(boxes);
    return status;
}

/* Make the tensor of the tokens that are `ahead` later. */
static dt_status make(const dt_loader *loader, int64_t ahead, dt_tensor **out)
{
    dt_array *array = NULL;
    DTI_TRY(dti_tensor_create_local(loader->spec, &array));
    dt_status status = DT_OK;
    if (!dt_array_is_meta(array))
        status = fill(loader, ahead, array);
    dt_tensor *tensor =
        status == DT_OK ? dt_tensor_assemble(loader->spec, array) : NULL;
    dt_array_release(array);
    if (status == DT_OK && !tensor)
        status = dti_failure_of(loader->world);
    *out = tensor;
    return status;
}

dt_status dt_loader_next(dt_loader *loader, dt_tensor **tokens,
                         dt_tensor **targets)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(loader, __func__, "loader"));
    DTI_TRY(dti_given(tokens, __func__, "tokens"));
    DTI_TRY(dti_given(targets, __func__, "targets"));
    dt_tensor *first = NULL;
    DTI_TRY(make(loader, 0, &first));
    DTI_TRY(make(loader, 1, targets));
    *tokens = first;
    loader->position += loader->options.batch;
    return DT_OK;
}

/* ---- Position ----------------------------------------------------------- */

int64_t dt_loader_sequences(const dt_loader *loader)
{
    return loader && dti_handle_readable(loader, __func__) ? loader->sequences
                                                           : 0;
}

int64_t dt_loader_position(const dt_loader *loader)
{
    return loader && dti_handle_readable(loader, __func__) ? loader->position
                                                           : 0;
}

dt_status dt_loader_get_state(const dt_loader *loader, dt_state *state)
{
    DTI_TRY(dti_given(loader, __func__, "loader"));
    return dt_state_set_integer(state, "position", loader->position);
}

dt_status dt_loader_set_state(dt_loader *loader, const dt_state *state)
{
    DTI_TRY(dti_given(loader, __func__, "loader"));
    int64_t position = 0;
    DTI_TRY(dt_state_integer(state, "position", &position));
    if (position < 0 || position > INT64_MAX / 2)
        return dti_fail(loader->world, DT_ERR_INVALID,
                        "dt_loader_set_state: position is %lld; it must be at "
                        "least 0 and at most 2^62",
                        (long long)position);
    loader->position = position;
    return DT_OK;
}
