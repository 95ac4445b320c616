/* ranks: 1 2 3 4 7 */
/* tests/ranks/nn_loader.c - batches from files of tokens. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dtensor/data.h>

#include "support/tensors.h"

enum { TOKENS = 1000, BATCH = 5, LENGTH = 7 };

/* A file of numbers from 0 on, of some bytes each; unlinked by `remove_file`.
 */
typedef struct token_file {
    char path[64];
} token_file;

static token_file write_file(int bytes, int count)
{
    token_file made = {"/tmp/dtensor-tokens-XXXXXX"};
    const int number = mkstemp(made.path);
    FILE *file = number >= 0 ? fdopen(number, "wb") : NULL;
    if (!CHECK(file != NULL))
        return made;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < bytes; j++)
            fputc(j < 4 ? i >> 8 * j & 255 : 0, file);
    CHECK(fclose(file) == 0);
    return made;
}

static dt_loader_options small_options(void)
{
    dt_loader_options options = DT_LOADER_OPTIONS_INIT;
    options.batch = BATCH;
    options.length = LENGTH;
    options.token_bytes = 2;
    options.seed = 11;
    return options;
}

/* Read a batch; targets are the tokens after it. */
static bool read_batch(dt_loader *loader, double *values)
{
    double targets[BATCH * LENGTH];
    dt_tensor *tokens = NULL, *next = NULL;
    if (!CHECK(dt_loader_next(loader, &tokens, &next) == DT_OK))
        return false;
    read_tensor(tokens, values);
    read_tensor(next, targets);
    for (int i = 0; i < BATCH * LENGTH; i++)
        CHECK(targets[i] == values[i] + 1);
    return true;
}

static void check_sequences(const double *values)
{
    for (int i = 0; i < BATCH; i++)
        for (int j = 1; j < LENGTH; j++)
            CHECK(values[i * LENGTH + j] == values[i * LENGTH] + j);
}

/* Layouts have the same batches: those of a replicated one. */
static void shards_batches(dt_world *world)
{
    static const char *const layouts[] = {"R", "S(0)", "S(1)"};
    fixture f = open_fixture(world);
    const token_file file = write_file(2, TOKENS);
    const dt_loader_options options = small_options();
    double wanted[3][BATCH * LENGTH];
    for (int i = 0; i < 3; i++) {
        dt_loader *loader = NULL;
        CHECK_OK(world, dt_loader_open(f.mesh, layouts[i], file.path, &options,
                                       &loader));
        CHECK_INT(dt_loader_sequences(loader), (TOKENS - LENGTH) / LENGTH);
        start_counting(&f);
        for (int step = 0; step < 3; step++) {
            double values[BATCH * LENGTH];
            read_batch(loader, values);
            check_sequences(values);
            if (i == 0)
                memcpy(wanted[step], values, sizeof values);
            CHECK(memcmp(wanted[step], values, sizeof values) == 0);
        }
        CHECK_INT(dt_loader_position(loader), 3 * BATCH);
        dt_loader_close(loader);
    }
    unlink(file.path);
    close_without_errors(&f);
}

/* Count how often each sequence of an epoch is read, by its number. */
static void takes_each_sequence_once(dt_world *world)
{
    fixture f = open_fixture(world);
    const token_file file = write_file(4, TOKENS);
    dt_loader_options options = small_options();
    options.token_bytes = 4;
    dt_loader *loader = NULL;
    CHECK_OK(world,
             dt_loader_open(f.mesh, "S(0)", file.path, &options, &loader));
    const int64_t sequences = dt_loader_sequences(loader);
    int seen[2][TOKENS] = {{0}};
    int64_t first[2] = {TOKENS, TOKENS};
    double values[BATCH * LENGTH];
    for (int64_t i = 0; i < 2 * sequences;) {
        read_batch(loader, values);
        for (int row = 0; row < BATCH && i < 2 * sequences; row++, i++) {
            const int64_t start = (int64_t)values[row * LENGTH];
            const int64_t epoch = i / sequences;
            seen[epoch][start]++;
            if (start < first[epoch])
                first[epoch] = start;
        }
    }
    for (int epoch = 0; epoch < 2; epoch++)
        for (int64_t i = 0; i < sequences; i++)
            CHECK_INT(seen[epoch][first[epoch] + i * LENGTH], 1);
    dt_loader_close(loader);
    unlink(file.path);
    close_without_errors(&f);
}

static void returns_to_a_position(dt_world *world)
{
    fixture f = open_fixture(world);
    const token_file file = write_file(2, TOKENS);
    const dt_loader_options options = small_options();
    double wanted[BATCH * LENGTH], values[BATCH * LENGTH];
    dt_loader *loader = NULL;
    dt_state *state = NULL;
    CHECK_OK(world,
             dt_loader_open(f.mesh, "S(0)", file.path, &options, &loader));
    CHECK_OK(world, dt_state_create(world, &state));
    read_batch(loader, values);
    CHECK_OK(world, dt_loader_get_state(loader, state));
    read_batch(loader, wanted);
    read_batch(loader, values);
    CHECK(memcmp(wanted, values, sizeof values) != 0);
    CHECK_OK(world, dt_loader_set_state(loader, state));
    read_batch(loader, values);
    CHECK(memcmp(wanted, values, sizeof values) == 0);
    CHECK_OK(world, dt_state_set_integer(state, "position", -1));
    CHECK_FAILS(world, dt_loader_set_state(loader, state), DT_ERR_INVALID,
                "position is -1");
    dt_state_release(state);
    dt_loader_close(loader);
    unlink(file.path);
    close_fixture(&f);
}

static void reads_in_order(dt_world *world)
{
    fixture f = open_fixture(world);
    const token_file file = write_file(1, 256);
    dt_loader_options options = small_options();
    options.token_bytes = 1;
    options.in_order = true;
    options.skip = 10;
    dt_loader *loader = NULL;
    CHECK_OK(world,
             dt_loader_open(f.mesh, "S(0)", file.path, &options, &loader));
    CHECK_INT(dt_loader_sequences(loader), (256 - 10 - 1) / LENGTH);
    double values[BATCH * LENGTH];
    read_batch(loader, values);
    for (int i = 0; i < BATCH * LENGTH; i++)
        CHECK(values[i] == 10 + i);
    dt_loader_close(loader);
    unlink(file.path);
    close_without_errors(&f);
}

static void check_open(fixture *f, const char *path,
                       const dt_loader_options *options, dt_status code,
                       const char *text)
{
    dt_loader *loader = NULL;
    CHECK_FAILS(f->world,
                dt_loader_open(f->mesh, "S(0)", path, options, &loader), code,
                text);
    CHECK(loader == NULL);
    CHECK_OK(f->world, dt_world_recover(f->world));
}

static void names_what_is_wrong(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that cannot open a file ends the job"))
        return;
    fixture f = open_fixture(world);
    const token_file file = write_file(1, 15);
    dt_loader_options options = small_options();
    check_open(&f, "/nowhere/tokens", &options, DT_ERR_IO, "/nowhere/tokens");
    check_open(&f, file.path, &options, DT_ERR_FORMAT, "15 bytes");
    options.token_bytes = 1;
    options.length = 8;
    check_open(&f, file.path, &options, DT_ERR_INVALID, "at least 16");
    options.token_bytes = 3;
    check_open(&f, file.path, &options, DT_ERR_INVALID, "token_bytes is 3");
    options.token_bytes = 1;
    options.batch = 0;
    check_open(&f, file.path, &options, DT_ERR_INVALID, "batch is 0");
    unlink(file.path);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"batches are the same in every layout", shards_batches},
    {"an epoch takes each sequence once", takes_each_sequence_once},
    {"a position is saved and restored", returns_to_a_position},
    {"sequences in the order of the file", reads_in_order},
    {"files and options that are wrong", names_what_is_wrong},
    {0},
};
