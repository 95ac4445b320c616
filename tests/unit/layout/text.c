/* tests/unit/layout/text.c - layouts as text, in and out. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "unit/layout/specs.h"

/* Check that a text is a layout that prints as `expected`, which is the same
 * layout. */
static void reads_as(dt_world *world, const char *text, const char *expected)
{
    dt_layout layout = {.ndim = -1}, again;
    char printed[512];
    if (!CHECK_OK(world, dt_layout_parse(world, text, &layout)))
        return;
    CHECK_INT(dt_layout_format(&layout, printed, sizeof printed),
              (long long)strlen(expected));
    CHECK_TEXT(printed, expected);
    CHECK_OK(world, dt_layout_parse(world, printed, &again));
    CHECKF(dt_layout_equal(&layout, &again), "%s reads as another", printed);
}

static void refuses(dt_world *world, const char *text, const char *sentence)
{
    dt_layout layout = {.ndim = 77};
    CHECK_FAILS(world, dt_layout_parse(world, text, &layout), DT_ERR_INVALID,
                sentence);
    /* What is not understood is answered with the grammar and an example. */
    const char *message = dt_world_error(world)->message;
    if (strstr(message, "is expected"))
        CHECKF(strstr(message, "; a layout has one placement for each mesh "
                               "dimension, R or Replicate(), S(dim)") &&
                   strstr(message, ", for example \"S(0)R\""),
               "%s", message);
    CHECK_INT(layout.ndim, 77);
}

static void reads_placements(dt_world *world)
{
    dt_layout layout;
    CHECK_OK(world,
             dt_layout_parse(world, "RS(3)_S(1,12)P(min)MaskP", &layout));
    CHECK_INT(layout.ndim, 5);
    CHECK(dt_placement_equal(layout.placements[0], dt_replicate()));
    CHECK(dt_placement_equal(layout.placements[1], dt_shard(3)));
    CHECK(dt_placement_equal(layout.placements[2], dt_strided_shard(1, 12)));
    CHECK(dt_placement_equal(layout.placements[3], dt_partial(DT_MIN)));
    CHECK(dt_placement_equal(layout.placements[4], dt_masked_partial()));
    CHECK(dt_layout_has_default_order(&layout));
}

static void reads_texts(dt_world *world)
{
    reads_as(world, "R", "R");
    reads_as(world, "S(0)R", "S(0)R");
    reads_as(world, "RP(max)", "RP(max)");
    reads_as(world, "P", "P(sum)");
    reads_as(world, "PPR", "P(sum)P(sum)R");
    reads_as(world, "MaskP", "MaskP(sum)");
    reads_as(world, "MaskP(sum)MaskP", "MaskP(sum)MaskP(sum)");
    reads_as(world, "P(sum)P(avg)", "P(sum)P(avg)");
    reads_as(world, "P(product)P(product)", "P(product)P(product)");
    reads_as(world, "P(band)P(bor)P(bxor)", "P(band)P(bor)P(bxor)");
    reads_as(world, "S(-1)S(-2)", "S(-1)S(-2)");
    reads_as(world, "S(007)", "S(7)");
    reads_as(world, "S(-0)", "S(0)");
    reads_as(world, "S(2147483647)S(-2147483647)",
             "S(2147483647)S(-2147483647)");
    reads_as(world, "_S(0,9223372036854775807)", "_S(0,9223372036854775807)");
    reads_as(world, "_S(0,2)S(0)", "_S(0,2)S(0)");
    reads_as(world, "_S(0,1)", "_S(0,1)");
    reads_as(world, "RRRRRRRR", "RRRRRRRR");
}

/* As PyTorch writes and prints them. */
static void reads_long_names(dt_world *world)
{
    reads_as(world, "Shard(0)", "S(0)");
    reads_as(world, "Shard(dim=0)", "S(0)");
    reads_as(world, "Shard( dim = -1 ), Replicate()", "S(-1)R");
    reads_as(world, "Replicate", "R");
    reads_as(world, "Replicate( )R", "RR");
    reads_as(world, "Partial(sum)", "P(sum)");
    reads_as(world, "Partial(max), Shard(1)", "P(max)S(1)");
    reads_as(world, "Partial()Partial", "P(sum)P(sum)");
    reads_as(world, "P()", "P(sum)");
    reads_as(world, "Shard(0)[1]Shard(0)[0]", "S(0)[1]S(0)[0]");
    refuses(world, "Shard", "expected \"(\" at the end");
    refuses(world, "shard(0)", "S(dim) or Shard(dim)");
    refuses(world, "Shard(dim 0)", "expected \"=\" before \"0)\"");
    refuses(world, "Replicate(0)", "expected \")\" before \"0)\"");
    refuses(world, "R()", "before \"()\"");
    refuses(world, "Replicated", "before \"d\"");
    refuses(world, "Partial(mean)", "before \"mean)\"");
}

static void reads_orders(dt_world *world)
{
    reads_as(world, "S(0)S(0)", "S(0)[0]S(0)[1]");
    reads_as(world, "S(1)[1]S(1)[0]R", "S(1)[1]S(1)[0]R");
    reads_as(world, "S(1)[1]S(1)[2]S(1)[0]", "S(1)[1]S(1)[2]S(1)[0]");
    reads_as(world, "S(0)[0]", "S(0)");
    reads_as(world, "S(0)[0]S(1)[0]", "S(0)S(1)");
    reads_as(world, "S(0)[1]S(1)S(0)[0]S(1)", "S(0)[1]S(1)[0]S(0)[0]S(1)[1]");
    reads_as(world, "_S(0,2)[0]S(0)[1]", "_S(0,2)S(0)");
    reads_as(world, "_S(0,2)_S(0,2)S(1)[1]S(1)[0]",
             "_S(0,2)_S(0,2)S(1)[1]S(1)[0]");
    reads_as(world, "S(-1)[1]S(-1)[0]", "S(-1)[1]S(-1)[0]");
    reads_as(world, "S(0)[7]S(0)[6]S(0)[5]S(0)[4]S(0)[3]S(0)[2]S(0)[1]S(0)[0]",
             "S(0)[7]S(0)[6]S(0)[5]S(0)[4]S(0)[3]S(0)[2]S(0)[1]S(0)[0]");
}

static void reads_spaces_and_commas(dt_world *world)
{
    reads_as(world, " S(0) R ", "S(0)R");
    reads_as(world, "S(0),R", "S(0)R");
    reads_as(world, " S ( 0 ) , R\t,\nP ( max )", "S(0)RP(max)");
    reads_as(world, "_S ( - 1 , 3 ) [ 0 ]\v\f\r", "_S(-1,3)");
    reads_as(world, "MaskP ( sum ),MaskP", "MaskP(sum)MaskP(sum)");
}

static void refuses_what_is_no_placement(dt_world *world)
{
    refuses(world, "", "\"\": expected a placement at the end");
    refuses(world, " \t ", "expected a placement at the end");
    refuses(world, "X",
            "\"X\": expected a placement before \"X\"; a layout has one "
            "placement for each mesh dimension, R or Replicate(), S(dim) or "
            "Shard(dim), P(op) or Partial(op), for example \"S(0)R\"");
    refuses(world, "S(0)Q", "before \"Q\"");
    refuses(world, "r", "before \"r\"");
    refuses(world, "s(0)", "before \"s(0)\"");
    refuses(world, "Mask", "before \"Mask\"");
    refuses(world, ",R", "before \",R\"");
    refuses(world, "R,,R", "before \",R\"");
    refuses(world, "R,", "\"R,\": expected a placement at the end");
    refuses(world, "R , ", "expected a placement at the end");
    refuses(world, "R]", "before \"]\"");
    refuses(world, "R[0]", "before \"[0]\"");
    refuses(world, "P(sum)[0]", "before \"[0]\"");
    refuses(world, "RRRRRRRRR", "a layout has at most 8 placements");
}

static void refuses_wrong_shards(dt_world *world)
{
    refuses(world, "S", "\"S\": expected \"(\" at the end");
    refuses(world, "S0", "expected \"(\" before \"0\"");
    refuses(world, "S()", "expected a dimension before \")\"");
    refuses(world, "S(", "expected a dimension at the end");
    refuses(world, "S(x)", "expected a dimension before \"x)\"");
    refuses(world, "S(--1)", "expected a dimension before \"-1)\"");
    refuses(world, "S(+1)", "expected a dimension before \"+1)\"");
    refuses(world, "S(2147483648)", "a dimension exceeds 2147483647");
    refuses(world, "S(-99999999999999999999)", "a dimension exceeds");
    refuses(world, "S(0", "expected \")\" at the end");
    refuses(world, "S(0,2)", "expected \")\" before \",2)\"");
    refuses(world, "_S(0)", "expected a comma before \")\"");
    refuses(world, "_S(0,)", "expected a factor before \")\"");
    refuses(world, "_S(0,-2)", "expected a factor before \"-2)\"");
    refuses(world, "_S(0,9223372036854775808)",
            "a factor exceeds 9223372036854775807");
    refuses(world, "_R", "before \"_R\"");
    refuses(world, "S(0)[", "expected a place in the order at the end");
    refuses(world, "S(0)[-1]", "expected a place in the order before");
    refuses(world, "S(0)[0", "expected \"]\" at the end");
    refuses(world, "S(0)[0]]", "before \"]\"");
    refuses(world, "S(0)[8]", "a place in the order exceeds 7");
    refuses(world, "S(0)[9]", "a place in the order exceeds 7");
    refuses(world, "S(0)[70]", "a place in the order exceeds 7");
}

static void refuses_wrong_reductions(dt_world *world)
{
    refuses(world, "P(mean)",
            "expected sum, avg, product, min, max, band, bor or bxor before "
            "\"mean)\"");
    refuses(world, "P(sum", "expected \")\" at the end");
    refuses(world, "P(summer)", "expected \")\" before \"mer)\"");
    refuses(world, "P(", "or bxor at the end");
    refuses(world, "MaskP(max)",
            "\"MaskP(max)\": a masked partial value must be a sum");
}

static void refuses_wrong_orders(dt_world *world)
{
    refuses(world, "S(0)[1]S(0)",
            "dimension 0 has an order for some of its shards only");
    refuses(world, "S(1)S(0)[0]S(1)[1]",
            "dimension 1 has an order for some of its shards only");
    refuses(world, "S(0)[0]S(0)[0]",
            "invalid order in S(0)[0]S(0)[0]: dimension 0 is sharded 2 times "
            "and must be numbered from 0 to 1, each once");
    refuses(world, "S(0)[1]", "dimension 0 is sharded 1 time and");
    refuses(world, "S(0)[1]S(0)[2]", "invalid order");
    refuses(world, "_S(0,2)[1]S(0)[0]",
            "has an order for strided shards of dimension 0; these are always "
            "applied from left to right");
}

static void refuses_no_text(dt_world *world)
{
    dt_spec *spec = NULL;
    dt_mesh *own = dt_world_own_mesh(world);
    refuses(world, NULL, "the layout is NULL");
    CHECK_FAILS(world, dt_spec_create(own, NULL, DT_F32, DT_SHAPE(1), &spec),
                DT_ERR_INVALID, "the layout is NULL");
}

/* Sentences are cut, never the memory after them. */
static void refuses_long_texts(dt_world *world)
{
    char text[4000];
    memset(text, 'R', sizeof text);
    text[sizeof text - 1] = '\0';
    refuses(world, text, "a layout has at most 8 placements");
    memset(text, '9', sizeof text - 1);
    memcpy(text, "S(", 2);
    refuses(world, text, "a dimension exceeds");
    memset(text + 2, '0', sizeof text - 3);
    memcpy(text + sizeof text - 3, "1)", 2);
    reads_as(world, text, "S(1)");
}

static void writes_into_small_rooms(dt_world *world)
{
    dt_layout layout;
    const char *whole = "S(0)[1]S(0)[0]_S(1,3)P(product)";
    size_t length = strlen(whole);
    CHECK_OK(world, dt_layout_parse(world, whole, &layout));
    CHECK_INT(dt_layout_format(&layout, NULL, 0), (long long)length);
    for (size_t size = 1; size <= length + 2; size++) {
        char text[64];
        memset(text, '#', sizeof text);
        CHECK_INT(dt_layout_format(&layout, text, size), (long long)length);
        size_t shown = size <= length ? size - 1 : length;
        CHECKF(strlen(text) == shown && memcmp(text, whole, shown) == 0,
               "in %zu bytes: %s", size, text);
        CHECKF(text[size] == '#', "%zu bytes and one more are written", size);
    }
}

/* The longest there is, so that buffers inside are known to hold it. */
static void writes_the_longest(dt_world *world)
{
    char text[1024];
    dt_placement long_ones[DT_MAX_NDIM];
    for (int i = 0; i < DT_MAX_NDIM; i++)
        long_ones[i] = dt_strided_shard(INT_MIN, INT64_MIN);
    dt_layout layout = dt_layout_of(long_ones, DT_MAX_NDIM);
    CHECK_INT(dt_layout_format(&layout, text, sizeof text), 36 * DT_MAX_NDIM);
    CHECK(dt_layout_text(world, &layout) == NULL);
    for (int i = 0; i < DT_MAX_NDIM; i++) {
        layout.placements[i] = dt_shard(INT_MIN);
        layout.order[i] = INT_MIN;
    }
    CHECK_INT(dt_layout_format(&layout, text, sizeof text), 27 * DT_MAX_NDIM);
    CHECK(dt_layout_text(world, &layout) == NULL);
}

/* ---- Texts that a world keeps ------------------------------------------- */

static void keeps_one_text(dt_world *world)
{
    dt_layout layout, spaced;
    CHECK_OK(world, dt_layout_parse(world, "S(0)[1]S(0)[0]P", &layout));
    CHECK_OK(world, dt_layout_parse(world, " S(0)[1], S(0)[0] P", &spaced));
    const char *text = dt_layout_text(world, &layout);
    CHECK_TEXT(text, "S(0)[1]S(0)[0]P(sum)");
    CHECK(dt_layout_text(world, &spaced) == text);
}

/* Texts that were read are let go of; those that were lent are not. */
static void keeps_texts_until_it_closes(dt_world *world)
{
    enum { MANY = 5000 };
    static const char *texts[MANY];
    dt_mesh *own = dt_world_own_mesh(world);
    for (int i = 0; i < MANY; i++) {
        char other[64];
        dt_spec *spec = NULL;
        dt_layout layout =
            dt_layout_of((const dt_placement[]){dt_strided_shard(0, i + 1)}, 1);
        texts[i] = dt_layout_text(world, &layout);
        snprintf(other, sizeof other, " _S(0,%d)", i + 1);
        CHECK_OK(world, dt_spec_create(own, other, DT_F32, DT_SHAPE(3), &spec));
        dt_spec_release(spec);
    }
    for (int i = 0; i < MANY; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "_S(0,%d)", i + 1);
        CHECK_TEXT(texts[i], expected);
    }
}

/* A text is what it says, not where it lies: one buffer, many texts. */
static void reads_what_a_buffer_says_at_last(dt_world *world)
{
    char text[32], expected[32];
    dt_mesh *own = dt_world_own_mesh(world);
    for (int i = 0; i < 5000; i++) {
        dt_spec *spec = NULL;
        snprintf(text, sizeof text, i % 3 ? "_S(0,%d)" : "S(0)", i / 2 + 2);
        memcpy(expected, text, sizeof text);
        CHECK_OK(world, dt_spec_create(own, text, DT_F32, DT_SHAPE(3), &spec));
        dt_layout_format(dt_spec_layout(spec), text, sizeof text);
        CHECK_TEXT(text, expected);
        dt_spec_release(spec);
    }
}

/* What is not a layout has no text, and takes none from a layout. */
static void gives_no_text_to_what_is_no_layout(dt_world *world)
{
    grid on = open_grid(4, 0, "a=2,b=2");
    dt_placement wrong = {.kind = (dt_placement_kind)9};
    dt_layout none = dt_layout_of(&wrong, 1);
    CHECK(dt_layout_text(world, &none) == NULL);
    none = dt_layout_of(&wrong, 0);
    CHECK(dt_layout_text(world, &none) == NULL);
    CHECK(strstr(dt_world_error(world)->message, "a layout with 0 placements"));
    none = dt_layout_of((const dt_placement[]){dt_partial((dt_reduce)77)}, 1);
    CHECK(dt_layout_text(world, &none) == NULL);
    none = dt_layout_of((const dt_placement[]){dt_shard(0), dt_replicate()}, 2);
    none.order[1] = 1;
    CHECK(dt_layout_text(world, &none) == NULL);
    none = dt_layout_of(
        (const dt_placement[]){dt_strided_shard(0, 2), dt_shard(0)}, 2);
    none.order[0] = 1;
    none.order[1] = 0;
    CHECK(dt_layout_text(on.world, &none) == NULL);
    dt_spec_release(spec_of(on.mesh, "_S(0,2)S(0)", DT_SHAPE(5)));
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"reads placements", reads_placements},
    {"reads texts", reads_texts},
    {"reads long names", reads_long_names},
    {"reads orders", reads_orders},
    {"reads spaces and commas", reads_spaces_and_commas},
    {"refuses what is no placement", refuses_what_is_no_placement},
    {"refuses wrong shards", refuses_wrong_shards},
    {"refuses wrong reductions", refuses_wrong_reductions},
    {"refuses wrong orders", refuses_wrong_orders},
    {"refuses no text", refuses_no_text},
    {"refuses long texts", refuses_long_texts},
    {"writes into small rooms", writes_into_small_rooms},
    {"writes the longest", writes_the_longest},
    {"keeps one text", keeps_one_text},
    {"keeps texts until it closes", keeps_texts_until_it_closes},
    {"reads what a buffer says at last", reads_what_a_buffer_says_at_last},
    {"gives no text to what is no layout", gives_no_text_to_what_is_no_layout},
    {NULL, NULL},
};
