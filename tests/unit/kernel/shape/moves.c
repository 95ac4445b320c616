/* tests/unit/kernel/shape/moves.c - flip, repeat, triangle, compact and close.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "kernel/index/compact.h"
#include "kernel/pointwise/close.h"
#include "kernel/shape/flip.h"
#include "kernel/shape/repeat.h"
#include "kernel/shape/triangle.h"
#include "support/check.h"

enum { ROOM = 20000 };

static void number_bytes(unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)(i * 131 + i / 256 + 1);
}

/* ---- flip --------------------------------------------------------------- */

/* Rows of every length, at every alignment, beside bytes that stay. */
static void turns_rows(dt_world *world)
{
    (void)world;
    static unsigned char from[1024], out[1024];
    number_bytes(from, sizeof from);
    for (size_t item = 1; item <= 8; item *= 2)
        for (int64_t count = 1; count < 40; count++)
            for (size_t shift = 0; shift < 8; shift++) {
                dti_flip how = {.item = item,
                                .ndim = 1,
                                .dims = {count},
                                .from =
                                    from + shift + (size_t)(count - 1) * item,
                                .strides = {-1}};
                size_t bytes = (size_t)count * item;
                memset(out, 0, sizeof out);
                dti_flip_copy(&how, out + shift);
                bool good = out[shift + bytes] == 0;
                for (size_t i = 0; i < bytes; i++) {
                    size_t element = (size_t)count - 1 - i / item;
                    good = good && out[shift + i] ==
                                       from[shift + element * item + i % item];
                }
                CHECKF(good, "%d elements of %d bytes", (int)count, (int)item);
            }
}

static void turns_dimensions(dt_world *world)
{
    (void)world;
    int32_t from[2 * 3 * 4], out[2 * 3 * 4];
    for (int i = 0; i < 24; i++)
        from[i] = i;
    dti_flip how = {.item = 4,
                    .ndim = 3,
                    .dims = {2, 3, 4},
                    .from = from + 2 * 4,
                    .strides = {12, -4, 1}};
    dti_flip_copy(&how, out);
    for (int i = 0; i < 24; i++)
        CHECK_INT(out[i], i / 12 * 12 + (2 - i / 4 % 3) * 4 + i % 4);
}

/* ---- repeat ------------------------------------------------------------- */

static void repeats_blocks(dt_world *world)
{
    (void)world;
    static unsigned char data[ROOM], from[64];
    static const int64_t sizes[] = {1, 2, 3, 5};
    number_bytes(from, sizeof from);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int64_t times = 1; times < 40; times += 19) {
                const int64_t dims[] = {sizes[a], sizes[b]};
                const int64_t often[] = {times, 41 - times};
                int64_t wide = dims[1] * often[1];
                memset(data, 0, sizeof data);
                for (int64_t i = 0; i < dims[0]; i++)
                    memcpy(data + i * wide, from + i * dims[1],
                           (size_t)dims[1]);
                dti_repeat(data, 1, 2, dims, often);
                int64_t total = dims[0] * often[0] * wide;
                bool good = data[total] == 0;
                for (int64_t i = 0; i < total; i++)
                    good =
                        good && data[i] == from[i / wide % dims[0] * dims[1] +
                                                i % wide % dims[1]];
                CHECK(good);
            }
}

/* ---- triangle ----------------------------------------------------------- */

static void keeps_triangles(dt_world *world)
{
    (void)world;
    int16_t from[2 * 3 * 4], out[2 * 3 * 4];
    const int64_t limits[] = {0, 2, 4};
    for (int lower = 0; lower < 2; lower++) {
        dti_triangle how = {.item = 2,
                            .matrices = 2,
                            .rows = 3,
                            .columns = 4,
                            .limits = limits,
                            .lower = lower};
        for (int i = 0; i < 24; i++)
            from[i] = (int16_t)(i + 1);
        dti_triangle_copy(&how, from, out);
        dti_triangle_copy(&how, from, from);
        for (int i = 0; i < 24; i++) {
            bool below = i % 4 < limits[i / 4 % 3];
            CHECK_INT(out[i], below == (lower != 0) ? i + 1 : 0);
            CHECK_INT(from[i], out[i]);
        }
    }
}

/* ---- compact ------------------------------------------------------------ */

/* Nothing is written behind what is kept. */
static void keeps_what_a_mask_says(dt_world *world)
{
    (void)world;
    enum { COUNT = 77 };
    static const size_t items[] = {1, 2, 4, 8, 3, 12, 20};
    unsigned char mask[COUNT], from[COUNT * 20], out[COUNT * 20 + 8];
    number_bytes(from, sizeof from);
    for (int step = 1; step < 90; step += 4)
        for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
            const size_t item = items[k];
            size_t at = 0;
            bool good = true;
            for (int i = 0; i < COUNT; i++)
                mask[i] = i % step == 0;
            memset(out, 0xee, sizeof out);
            dti_compact(from, item, mask, COUNT, out);
            for (int i = 0; i < COUNT; i++)
                if (mask[i]) {
                    good = good &&
                           memcmp(out + at, from + (size_t)i * item, item) == 0;
                    at += item;
                }
            CHECK(good && out[at] == 0xee);
            CHECK_INT(dti_compact_count(mask, COUNT), (long long)(at / item));
        }
}

/* What is kept goes back to where it was; what lies between stays. */
static void puts_back_what_a_mask_says(dt_world *world)
{
    (void)world;
    enum { COUNT = 77 };
    static const size_t items[] = {1, 2, 4, 8, 3, 12, 20};
    unsigned char mask[COUNT], from[COUNT * 20], kept[COUNT * 20];
    unsigned char out[COUNT * 20 + 8];
    number_bytes(from, sizeof from);
    for (int step = 1; step < 90; step += 4)
        for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
            const size_t item = items[k];
            bool good = true;
            for (int i = 0; i < COUNT; i++)
                mask[i] = i % step == step / 2;
            dti_compact(from, item, mask, COUNT, kept);
            memset(out, 0xee, sizeof out);
            dti_compact_undo(kept, item, mask, dti_compact_count(mask, COUNT),
                             out);
            for (size_t i = 0; i < COUNT * item + 8; i++) {
                const bool set = i < COUNT * item && mask[i / item];
                good = good && out[i] == (set ? from[i] : 0xee);
            }
            CHECK(good);
        }
}

static void writes_indexes(dt_world *world)
{
    (void)world;
    const unsigned char mask[] = {0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1};
    int64_t out[13];
    out[12] = -7;
    dti_compact_indexes(mask, DT_SHAPE(2, 2, 3), 10, 4, out);
    const int64_t want[] = {10, 0, 1, 10, 1, 0, 10, 1, 1, 11, 1, 2, -7};
    CHECK(memcmp(out, want, sizeof want) == 0);
    out[4] = -7;
    dti_compact_indexes(mask, DT_SHAPE(12), 5, 4, out);
    const int64_t flat[] = {6, 8, 9, 16, -7};
    CHECK(memcmp(out, flat, sizeof flat) == 0);
    out[8] = -7;
    dti_compact_indexes(mask, DT_SHAPE(3, 4), 0, 4, out);
    const int64_t pairs[] = {0, 1, 0, 3, 1, 0, 2, 3, -7};
    CHECK(memcmp(out, pairs, sizeof pairs) == 0);
}

/* ---- close -------------------------------------------------------------- */

static void compares(dt_world *world)
{
    (void)world;
    unsigned char out[6];
    const dti_close how = {.rtol = 0.5, .atol = 1};
    const dti_close nan = {.equal_nan = true};
    const double a[] = {1, 5, INFINITY, INFINITY, NAN, 5.5};
    const double b[] = {2, 2, INFINITY, 1, NAN, 3};
    dti_close_f64(&how, a, b, 6, out);
    CHECK(out[0] && !out[1] && out[2] && !out[3] && !out[4] && out[5]);
    dti_close_f64(&nan, a, b, 6, out);
    CHECK(!out[0] && out[2] && !out[3] && out[4]);
    const int64_t big[] = {INT64_MIN, INT64_MAX - 1, 3};
    const int64_t other[] = {INT64_MAX, INT64_MAX, 3};
    const dti_close exact = {.atol = 0.5};
    dti_close_i64(&exact, big, other, 3, out);
    CHECK(!out[0] && !out[1] && out[2]);
    const float c[] = {3, 4, 0, NAN}, d[] = {0, 0, 0, NAN};
    const dti_close five = {.atol = 5, .equal_nan = true};
    dti_close_c64(&five, c, d, 2, out);
    CHECK(out[0] && out[1]);
}

const dt_test dt_tests[] = {
    {"flip turns rows of every size and place", turns_rows},
    {"flip turns dimensions before the last", turns_dimensions},
    {"repeat doubles and copies blocks", repeats_blocks},
    {"triangles are copied and cut in place", keeps_triangles},
    {"compact keeps elements, and writes no others", keeps_what_a_mask_says},
    {"what was kept is put back", puts_back_what_a_mask_says},
    {"indexes of what is kept, of one to three dimensions", writes_indexes},
    {"numbers are close, infinite, NaN or far apart", compares},
    {NULL, NULL},
};
