/* tests/mpi/split.c - counts beyond an int, without the memory for them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <limits.h>
#include <stdint.h>

#include "mpi/split.h"

#define INT_LIMIT ((int64_t)INT_MAX)

/* Counts around every place where an int, or a number of pieces, ends. */
static const int64_t counts[] = {
    0,
    1,
    INT_LIMIT - 1,
    INT_LIMIT,
    INT_LIMIT + 1,
    2 * INT_LIMIT - 1,
    2 * INT_LIMIT,
    2 * INT_LIMIT + 1,
    INT64_C(1) << 32,
    (INT64_C(1) << 40) + 3,
    INT64_C(1) << 61,
    INT64_MAX,
};
enum { COUNTS = sizeof counts / sizeof *counts };

static const int limits[] = {1, 2, 7, 1000, INT_MAX - 1, INT_MAX};
enum { LIMITS = sizeof limits / sizeof *limits };

static void pieces_and_rest_make_the_whole(dt_world *world)
{
    (void)world;
    for (int i = 0; i < COUNTS; i++) {
        for (int l = 0; l < LIMITS; l++) {
            dti_split split = dti_split_count(counts[i], limits[l]);
            CHECK(split.rest >= 0 && split.rest < limits[l]);
            CHECK_INT(split.pieces * limits[l] + split.rest, counts[i]);
        }
    }
    dti_split split = dti_split_count(3 * INT_LIMIT + 5, INT_MAX);
    CHECK_INT(split.pieces, 3);
    CHECK_INT(split.rest, 5);
}

/* Cutting piece by piece covers everything and ends. */
static void pieces_follow_each_other(dt_world *world)
{
    const int64_t some[] = {0, 1, INT_LIMIT, INT_LIMIT + 1, 5 * INT_LIMIT - 3};
    (void)world;
    for (int i = 0; i < 5; i++) {
        int64_t left = some[i], steps = 0;
        while (left > 0) {
            int piece = dti_split_next(left, INT_MAX);
            CHECK(piece > 0 && piece <= left);
            left -= piece;
            steps++;
        }
        CHECK_INT(left, 0);
        CHECK_INT(steps, (some[i] + INT_LIMIT - 1) / INT_LIMIT);
    }
}

static void blocks_fit_up_to_the_limit(dt_world *world)
{
    int lengths[3], offsets[3];
    const int64_t uneven[] = {INT_LIMIT - 5, 0, 5};
    (void)world;
    CHECK(dti_split_blocks(uneven, INT_LIMIT, 3, INT_MAX, lengths, offsets));
    CHECK_INT(lengths[0], INT_MAX - 5);
    CHECK_INT(lengths[1], 0);
    CHECK_INT(lengths[2], 5);
    CHECK_INT(offsets[0], 0);
    CHECK_INT(offsets[1], INT_MAX - 5);
    CHECK_INT(offsets[2], INT_MAX - 5);
    CHECK(dti_split_blocks(NULL, 12, 3, 12, lengths, offsets));
    CHECK_INT(lengths[2], 4);
    CHECK_INT(offsets[2], 8);
}

/* Every block fits, but where they lie does not: the total decides. */
static void blocks_past_the_limit_do_not_fit(dt_world *world)
{
    int lengths[3], offsets[3];
    const int64_t uneven[] = {INT_LIMIT - 5, 0, 6};
    (void)world;
    CHECK(
        !dti_split_blocks(uneven, INT_LIMIT + 1, 3, INT_MAX, lengths, offsets));
    CHECK(!dti_split_blocks(NULL, 3 * (INT64_C(1) << 30), 3, INT_MAX, lengths,
                            offsets));
    CHECK(!dti_split_blocks(NULL, 15, 3, 14, lengths, offsets));
}

/* Windows over a block cover it once. */
static void windows_cover_a_block(dt_world *world)
{
    (void)world;
    for (int i = 0; i < COUNTS; i++) {
        int64_t width = counts[i] > (INT64_C(1) << 40) ? INT_LIMIT : 1000003;
        int64_t from = counts[i] - counts[i] % width;
        CHECK_INT(dti_split_window(counts[i], from, (int)width),
                  counts[i] % width);
        CHECK_INT(dti_split_window(counts[i], counts[i], (int)width), 0);
        if (counts[i] >= width)
            CHECK_INT(dti_split_window(counts[i], from - width, (int)width),
                      width);
    }
    CHECK_INT(dti_split_window(10, 4, 3), 3);
    CHECK_INT(dti_split_window(10, 9, 3), 1);
    CHECK_INT(dti_split_window(10, 12, 3), 0);
}

static void cuts_evenly(dt_world *world)
{
    int lengths[7], offsets[7];
    const int some[] = {0, 1, 6, 7, 8, 1000, INT_MAX};
    (void)world;
    for (int i = 0; i < 7; i++) {
        dti_split_even(some[i], 7, lengths, offsets);
        CHECK_INT(offsets[0], 0);
        for (int k = 0; k < 7; k++) {
            CHECK(lengths[k] - lengths[6] <= 1 && lengths[k] >= lengths[6]);
            CHECK_INT((int64_t)offsets[k] + lengths[k],
                      k < 6 ? offsets[k + 1] : some[i]);
        }
    }
}

const dt_test dt_tests[] = {
    {"pieces and rest make the whole", pieces_and_rest_make_the_whole},
    {"pieces follow each other", pieces_follow_each_other},
    {"blocks fit up to the limit", blocks_fit_up_to_the_limit},
    {"blocks past the limit do not fit", blocks_past_the_limit_do_not_fit},
    {"windows cover a block", windows_cover_a_block},
    {"cuts evenly", cuts_evenly},
    {NULL, NULL},
};
