/* tests/unit/layout/format.c - specs as text, in and out. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "unit/layout/specs.h"

/* Check that a text is a spec that prints as `expected`, which is read as the
 * same spec. */
static void reads_as(grid *on, const char *text, const char *expected)
{
    char printed[1024];
    dt_spec *spec = NULL, *again = NULL;
    if (CHECK_OK(on->world, dt_spec_parse(on->mesh, text, &spec))) {
        CHECK_INT(dt_spec_format(spec, printed, sizeof printed),
                  (long long)strlen(expected));
        CHECK_TEXT(printed, expected);
        CHECK_OK(on->world, dt_spec_parse(on->mesh, printed, &again));
        CHECKF(spec == again, "%s is read as another", printed);
    }
    dt_spec_release(again);
    dt_spec_release(spec);
}

static void refuses(grid *on, const char *text, const char *sentence)
{
    dt_spec *spec = NULL;
    CHECK_FAILS(on->world, dt_spec_parse(on->mesh, text, &spec), DT_ERR_INVALID,
                sentence);
    CHECK(spec == NULL);
}

static void reads_specs(dt_world *unused)
{
    grid on = open_grid(4, 1, "dp=2,tp=2");
    (void)unused;
    reads_as(&on, "f32[1024, 512] S(0)R on dp=2,tp=2",
             "f32[1024, 512] S(0)R on dp=2,tp=2");
    reads_as(&on, "f32[1024,512]S(0)R", "f32[1024, 512] S(0)R on dp=2,tp=2");
    reads_as(&on, "bf16[] RP(max)", "bf16[] RP(max) on dp=2,tp=2");
    reads_as(&on, "bool[ 0 , 3 ] R,S(-1)", "bool[0, 3] RS(1) on dp=2,tp=2");
    reads_as(&on, "i64[7] S(0)[1]S(0)[0] on dp=2,tp",
             "i64[7] S(0)[1]S(0)[0] on dp=2,tp=2");
    reads_as(&on, "u8[7] _S(0,2)S(0) on  dp = 2 , tp=2 ",
             "u8[7] _S(0,2)S(0) on dp=2,tp=2");
    reads_as(&on, "c64[1, 1, 1, 1, 1, 1, 1, 1] S(7)S(7)",
             "c64[1, 1, 1, 1, 1, 1, 1, 1] S(7)[0]S(7)[1] on dp=2,tp=2");
    reads_as(&on, "float32[2] RR", "f32[2] RR on dp=2,tp=2");
    close_grid(&on);
}

static void reads_strides(dt_world *unused)
{
    grid on = open_grid(4, 1, "dp=2,tp=2");
    (void)unused;
    reads_as(&on, "f32[4, 2]{1, 4} S(0)R",
             "f32[4, 2]{1, 4} S(0)R on dp=2,tp=2");
    reads_as(&on, "f32[4, 2]{2, 1} S(0)R", "f32[4, 2] S(0)R on dp=2,tp=2");
    reads_as(&on, "f32[4, 2]{ 0,0 }S(0)R on dp=2,tp=2",
             "f32[4, 2]{0, 0} S(0)R on dp=2,tp=2");
    reads_as(&on, "f32[]{} RR", "f32[] RR on dp=2,tp=2");
    reads_as(&on, "f32[1, 0]{9223372036854775807, 5} RR",
             "f32[1, 0]{9223372036854775807, 5} RR on dp=2,tp=2");
    close_grid(&on);
}

static void refuses_wrong_metas(dt_world *unused)
{
    grid on = open_grid(4, 1, "dp=2,tp=2");
    (void)unused;
    refuses(&on, "", "expected a dtype and a shape, such as f32[4, 6],");
    refuses(&on, "S(0)R", "before \"S(0)R\"");
    refuses(&on, "f33[4] RR", "before \"f33[4] RR\"");
    refuses(&on, "f32", "expected \"[\" at the end");
    refuses(&on, "averylongdtypename[4] RR", "a dtype and a shape");
    refuses(&on, "f32[", "expected a number at the end");
    refuses(&on, "f32[4", "expected a comma or the end of the list");
    refuses(&on, "f32[4;5] RR", "the end of the list before");
    refuses(&on, "f32[4,] RR", "expected a number before \"] RR\"");
    refuses(&on, "f32[-4] RR", "expected a number before \"-4] RR\"");
    refuses(&on, "f32[9223372036854775808] RR", "a number exceeds");
    refuses(&on, "f32[9223372036854775807] RR", "too many elements");
    refuses(&on, "f32[1,1,1,1,1,1,1,1,1] RR", "more than 8 dimensions");
    refuses(&on, "f32[4, 2]{1} RR", "1 strides for 2 dimensions");
    refuses(&on, "f32[4, 2]{} RR", "0 strides for 2 dimensions");
    refuses(&on, "f32[4, 2]{1,1,1,1,1,1,1,1,1} RR", "more than 8 dimensions");
    refuses(&on, "f32[4, 2]{1, 2 RR", "the end of the list");
    refuses(&on, "f32[4, 2]{1, 9223372036854775807} RR",
            "stride 9223372036854775807 of dimension 1 is too large");
    close_grid(&on);
}

static void refuses_wrong_layouts(dt_world *unused)
{
    char text[1000] = "f32[4] ";
    grid on = open_grid(4, 1, "dp=2,tp=2");
    (void)unused;
    refuses(&on, "f32[4]", "\"\": expected a placement at the end");
    refuses(&on, "f32[4] on dp=2,tp=2", "expected a placement before");
    refuses(&on, "f32[4] R",
            "R has 1 placement; expected one for each of the 2 dimensions of");
    refuses(&on, "f32[4] RS(1)", "shards dimension 1 of a tensor that has 1");
    refuses(&on, "f32[4] RX", "before \"X\"");
    refuses(&on, "f32[4] P(min)P(max)", "mixes partial(");
    memset(text + 7, ' ', sizeof text - 8);
    refuses(&on, text, "expected a placement at the end");
    memset(text + 7, 'R', sizeof text - 8);
    refuses(&on, text, "the layout is too long");
    refuses(&on, NULL, "dt_spec_parse: the text is NULL");
    close_grid(&on);
}

static void refuses_other_meshes(dt_world *unused)
{
    grid on = open_grid(4, 1, "dp=2,tp=2");
    (void)unused;
    refuses(&on, "f32[4] RR on tp=2,dp=2", "has another mesh than mesh(dp=2");
    refuses(&on, "f32[4] RR on dp=4,tp=1", "has another mesh");
    refuses(&on, "f32[4] RR on dp=4", "has another mesh");
    refuses(&on, "f32[4] RR on dp=2,tp=2,x=1", "has another mesh");
    refuses(&on, "f32[4] RR on dp=2,tp=3", "needs 6 ranks but has 4 ranks");
    refuses(&on, "f32[4] RR on ",
            "\"\": expected the name of a dimension at the end");
    refuses(&on, "f32[4] RR on dp=2,tp=2 x", "expected a comma");
    close_grid(&on);
}

static void writes_into_small_rooms(dt_world *unused)
{
    const char *whole = "f32[4, 2]{1, 4} S(0)R on dp=2,tp=2";
    size_t length = strlen(whole);
    grid on = open_grid(4, 1, "dp=2,tp=2");
    dt_spec *spec = NULL;
    (void)unused;
    CHECK_OK(on.world, dt_spec_parse(on.mesh, whole, &spec));
    CHECK_INT(dt_spec_format(spec, NULL, 0), (long long)length);
    for (size_t size = 1; size <= length + 2; size++) {
        char text[64];
        memset(text, '#', sizeof text);
        CHECK_INT(dt_spec_format(spec, text, size), (long long)length);
        size_t shown = size <= length ? size - 1 : length;
        CHECKF(strlen(text) == shown && memcmp(text, whole, shown) == 0,
               "in %zu bytes: %s", size, text);
        CHECKF(text[size] == '#', "%zu bytes and one more are written", size);
    }
    dt_spec_release(spec);
    close_grid(&on);
}

/* The longest text there is survives. */
static void writes_the_longest(dt_world *unused)
{
    char text[1024];
    dt_placement placements[DT_MAX_NDIM];
    dt_meta meta = dt_meta_of(DT_U8, DT_SHAPE(1, 1, 1, 1, 1, 1, 1, INT64_MAX));
    grid on = open_grid(2, 1,
                        "a234567890123456789012345678901=1,"
                        "b234567890123456789012345678901=1,"
                        "c234567890123456789012345678901=1,"
                        "d234567890123456789012345678901=1,"
                        "e234567890123456789012345678901=1,"
                        "f234567890123456789012345678901=1,"
                        "g234567890123456789012345678901=1,"
                        "h234567890123456789012345678901=2");
    dt_spec *spec = NULL;
    (void)unused;
    for (int i = 0; i < DT_MAX_NDIM; i++) {
        placements[i] = dt_strided_shard(7, INT64_MAX);
        meta.strides[i] = i == 7 ? 0 : INT64_MAX;
    }
    dt_layout layout = dt_layout_of(placements, DT_MAX_NDIM);
    CHECK_OK(on.world, dt_spec_create_with(on.mesh, &layout, &meta, &spec));
    CHECK(dt_spec_format(spec, text, sizeof text) > 600);
    reads_as(&on, text, text);
    dt_spec_release(spec);
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"reads specs", reads_specs},
    {"reads strides", reads_strides},
    {"refuses wrong metas", refuses_wrong_metas},
    {"refuses wrong layouts", refuses_wrong_layouts},
    {"refuses other meshes", refuses_other_meshes},
    {"writes into small rooms", writes_into_small_rooms},
    {"writes the longest", writes_the_longest},
    {NULL, NULL},
};
