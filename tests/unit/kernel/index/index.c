/* tests/unit/kernel/index/index.c - elements picked by their positions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "kernel/index/index.h"
#include "support/check.h"

enum { ROOM = 4096 };

/* What one call reads and writes. */
typedef struct scene {
    dti_picking picking;
    unsigned char from[ROOM * 8];
    int64_t positions[ROOM];
    unsigned char out[ROOM * 8 + 8];
    unsigned char mask[ROOM + 1];
} scene;

static int64_t count_of(const scene *at)
{
    int64_t count = 1;
    for (int i = 0; i < at->picking.ndim; i++)
        count *= at->picking.dims[i];
    return count;
}

/* Where an element and its position lie, by the definition. */
static void places(const scene *at, int64_t number, int64_t *from,
                   int64_t *position)
{
    int64_t places_at[2] = {0, 0};
    for (int i = at->picking.ndim - 1; i >= 0; i--) {
        int64_t index = number % at->picking.dims[i];
        number /= at->picking.dims[i];
        places_at[0] += index * at->picking.strides[i];
        places_at[1] += index * at->picking.position_strides[i];
    }
    *from = places_at[0];
    *position = at->positions[places_at[1]];
}

/* How many elements share a position at the end. */
static int64_t block_of(const scene *at)
{
    int64_t block = 1;
    for (int i = at->picking.ndim - 1;
         i >= 0 && at->picking.position_strides[i] == 0; i--)
        block *= at->picking.dims[i];
    return block;
}

static void check_scene(scene *at)
{
    int64_t count = count_of(at), block = block_of(at);
    size_t item = at->picking.item;
    memset(at->out, 0xaa, sizeof at->out);
    memset(at->mask, 0xaa, sizeof at->mask);
    at->picking.from = at->from;
    at->picking.positions = at->positions;
    dti_pick(&at->picking, at->out, at->mask);
    for (int64_t i = 0; i < count; i++) {
        int64_t from, position;
        unsigned char wanted[8] = {0};
        places(at, i, &from, &position);
        if (position >= 0)
            memcpy(wanted,
                   at->from +
                       (size_t)(from + position * at->picking.step) * item,
                   item);
        CHECKF(memcmp(at->out + (size_t)i * item, wanted, item) == 0,
               "element %lld of %d bytes", (long long)i, (int)item);
        CHECK_INT(at->mask[i / block], position < 0);
    }
    CHECK_INT(at->out[(size_t)count * item], 0xaa);
    CHECK_INT(at->mask[count ? count / block : 0], 0xaa);
    unsigned char first = at->out[0];
    at->out[0] = (unsigned char)~first;
    dti_pick(&at->picking, at->out, NULL);
    CHECK_INT(at->out[0], count ? first : (unsigned char)~first);
}

/* Sources of any bytes; positions below `extent`, some of them -1. */
static void set_scene(scene *at, unsigned long long *state, int64_t extent)
{
    for (size_t i = 0; i < sizeof at->from; i++)
        at->from[i] = (unsigned char)dt_test_random(state);
    for (size_t i = 0; i < ROOM; i++)
        at->positions[i] =
            (int64_t)(dt_test_random(state) % (unsigned)(extent + 1)) - 1;
}

/* Leave nothing elsewhere. */
static void bring_here(scene *at)
{
    at->picking.all_here = true;
    for (size_t i = 0; i < ROOM; i++)
        at->positions[i] = at->positions[i] < 0 ? 0 : at->positions[i];
}

/* Every size of elements, 0 to 4 dimensions, positions shared or not, and some
 * or none of them elsewhere. */
static void picks_by_definition(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    static scene at;
    (void)world;
    for (int round = 0; round < 400; round++) {
        memset(&at.picking, 0, sizeof at.picking);
        at.picking.item = (size_t)1 << round % 4;
        at.picking.ndim = (int)(dt_test_random(&state) % 5);
        at.picking.step = (int64_t)(dt_test_random(&state) % 7);
        set_scene(&at, &state, 20);
        if (dt_test_random(&state) % 2)
            bring_here(&at);
        int64_t dense = 1, dense_positions = 1;
        for (int i = at.picking.ndim - 1; i >= 0; i--) {
            int64_t extent = (int64_t)(dt_test_random(&state) % 5);
            bool shares = dt_test_random(&state) % 2;
            at.picking.dims[i] = extent;
            at.picking.position_strides[i] = shares ? 0 : dense_positions;
            dense_positions *= shares || extent == 0 ? 1 : extent;
            at.picking.strides[i] = dt_test_random(&state) % 3
                                        ? dense
                                        : (int64_t)(dt_test_random(&state) % 9);
            dense *= extent ? extent : 1;
        }
        check_scene(&at);
    }
}

/* Rows of a table, and the same rows of its transpose. */
static void picks_rows(dt_world *world)
{
    static scene at;
    unsigned long long state = dt_test_seed();
    (void)world;
    for (int round = 0; round < 2; round++) {
        at.picking = (dti_picking){.item = 4,
                                   .ndim = 2,
                                   .dims = {17, 13},
                                   .strides = {0, round ? 29 : 1},
                                   .step = round ? 1 : 13,
                                   .position_strides = {1, 0}};
        set_scene(&at, &state, 29);
        check_scene(&at);
    }
}

/* Columns of a table, which are all here: neighbours of each row. */
static void picks_columns(dt_world *world)
{
    static scene at;
    unsigned long long state = dt_test_seed();
    (void)world;
    for (int round = 0; round < 8; round++) {
        at.picking = (dti_picking){.item = (size_t)1 << round % 4,
                                   .ndim = 2,
                                   .dims = {11, 67},
                                   .strides = {29, round / 4},
                                   .step = 1,
                                   .position_strides = {round % 3 ? 67 : 0, 1}};
        set_scene(&at, &state, 29);
        bring_here(&at);
        check_scene(&at);
    }
}

/* Where nothing is to be picked, no source is needed. */
static void needs_no_source(dt_world *world)
{
    const int64_t positions[3] = {-1, -1, -1};
    unsigned char out[12], mask[3];
    const dti_picking picking = {.item = 4,
                                 .ndim = 1,
                                 .dims = {3},
                                 .positions = positions,
                                 .position_strides = {1}};
    (void)world;
    memset(out, 1, sizeof out);
    dti_pick(&picking, out, mask);
    for (int i = 0; i < 12; i++)
        CHECK_INT(out[i], 0);
    for (int i = 0; i < 3; i++)
        CHECK_INT(mask[i], 1);
}

const dt_test dt_tests[] = {
    {"elements come from where strides and positions say", picks_by_definition},
    {"rows of a table, dense or not", picks_rows},
    {"columns of a table, all here", picks_columns},
    {"without positions there need not be a source", needs_no_source},
    {NULL, NULL},
};
