/* tests/unit/work/ranks.c - several thread ranks with several threads each give
 * the bits of one thread each. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <string.h>

#include "array/array.h"
#include "base/hash.h"
#include "support/check.h"
#include "work/work.h"

enum { MOST_RANKS = 3, MOST_THREADS = 3, SIDE = 520 };

/* What each rank computed, as one number. */
typedef struct outcome {
    uint64_t hashes[MOST_RANKS];
    int slots; /* of rank 0 */
} outcome;

static uint64_t hash_of(dt_tensor *tensor)
{
    const dt_array *array = dt_tensor_local(tensor);
    if (!CHECK(array && (array->count == 0 || array->contiguous)))
        return 0;
    return array->count == 0 ? 1
                             : dti_hash_bytes(dt_array_const_data(array),
                                              dt_array_bytes(array));
}

/* Products, rows, sums, copies and numbers, sharded and not. */
static uint64_t compute(dt_mesh *mesh)
{
    dt_tensor *x = dt_randn(mesh, "S(0)", DT_F32, DT_SHAPE(SIDE, SIDE));
    dt_tensor *w = dt_randn(mesh, "R", DT_F32, DT_SHAPE(SIDE, SIDE));
    dt_tensor *y = dt_gelu(dt_matmul(x, w));
    dt_tensor *z = dt_softmax(dt_add(y, x), -1);
    dt_tensor *partial = dt_sum(dt_mul(z, x), DT_DIMS(), false);
    dt_tensor *turned = dt_contiguous(dt_transpose(w, 0, 1));
    const uint64_t parts[] = {
        hash_of(y), hash_of(z), hash_of(dt_redistribute(partial, "R")),
        hash_of(turned), hash_of(dt_redistribute(z, "S(1)"))};
    return dti_hash_bytes(parts, sizeof parts);
}

static dt_status program(dt_world *world, void *arg)
{
    outcome *out = arg;
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    out->hashes[dt_world_rank(world)] = compute(mesh);
    if (dt_world_rank(world) == 0)
        out->slots = dti_work_slots();
    dt_mesh_release(mesh);
    return dt_scope_close(scope);
}

static outcome run(int ranks, int threads)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    outcome out = {.slots = 0};
    dt_error error;
    options.transport = "threads";
    options.ranks = ranks;
    options.threads = threads;
    CHECK_ERROR(&error, dt_world_run(&options, program, &out, &error), DT_OK,
                NULL);
    CHECK_INT(out.slots, threads);
    return out;
}

static void threads_change_nothing(dt_world *world)
{
    (void)world;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        const outcome alone = run(ranks, 1);
        for (int threads = 2; threads <= MOST_THREADS; threads++) {
            const outcome helped = run(ranks, threads);
            CHECKF(memcmp(alone.hashes, helped.hashes, sizeof alone.hashes) ==
                       0,
                   "%d ranks with %d threads differ", ranks, threads);
        }
    }
}

const dt_test dt_tests[] = {
    {"threads change nothing", threads_change_nothing},
    {NULL, NULL},
};
