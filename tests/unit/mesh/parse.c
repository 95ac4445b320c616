/* tests/unit/mesh/parse.c - texts that are meshes, and texts that are not. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "unit/mesh/sim.h"

/* Check that a text is a mesh over `ranks` ranks that prints as `expected`,
 * up to the colon. */
static void reads_as(int ranks, const char *text, const char *expected)
{
    char printed[512];
    dt_mesh *mesh = NULL;
    dt_world *world = open_sim(ranks, 0);
    if (CHECK_OK(world, dt_mesh_create(world, text, &mesh))) {
        dt_mesh_format(mesh, printed, sizeof printed);
        printed[strcspn(printed, ":")] = '\0';
        CHECK_TEXT(printed, expected);
    }
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* Check that a text is refused with a sentence. */
static void refuses(int ranks, const char *text, const char *sentence)
{
    dt_mesh *mesh = NULL;
    dt_world *world = open_sim(ranks, 0);
    CHECK_FAILS(world, dt_mesh_create(world, text, &mesh), DT_ERR_INVALID,
                sentence);
    CHECK(mesh == NULL);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void reads_texts(dt_world *world)
{
    (void)world;
    reads_as(4, "tp", "mesh(tp=4");
    reads_as(4, "dp=2,tp=2", "mesh(dp=2, tp=2");
    reads_as(12, "dp,tp=2", "mesh(dp=6, tp=2");
    reads_as(12, "a=2,b,c=3", "mesh(a=2, b=2, c=3");
    reads_as(6, "a=6,b", "mesh(a=6, b=1");
    reads_as(1, "a", "mesh(a=1");
    reads_as(1, "a=1,b=1,c", "mesh(a=1, b=1, c=1");
    reads_as(4, " \tdp = 2 ,\n tp\t=\r2 ", "mesh(dp=2, tp=2");
    reads_as(4, "a=0002,b=02", "mesh(a=2, b=2");
    reads_as(4, "2x2", "mesh(dim0=2, dim1=2");
    reads_as(24, " 2 x 3x4 ", "mesh(dim0=2, dim1=3, dim2=4");
    reads_as(4, "_=2,A_9z=2", "mesh(_=2, A_9z=2");
    reads_as(4, "a=2,A=2", "mesh(a=2, A=2");
    reads_as(256, "a=2,b=2,c=2,d=2,e=2,f=2,g=2,h",
             "mesh(a=2, b=2, c=2, d=2, e=2, f=2, g=2, h=2");
    reads_as(4, "a234567890123456789012345678901",
             "mesh(a234567890123456789012345678901=4");
}

static void refuses_wrong_numbers_of_ranks(dt_world *world)
{
    (void)world;
    refuses(4, "dp=2,tp=3", "\"dp=2,tp=3\" needs 6 ranks but has 4 ranks");
    refuses(4, "dp=2", "\"dp=2\" needs 2 ranks but has 4 ranks");
    refuses(1, "dp=2", "\"dp=2\" needs 2 ranks but has 1 rank");
    refuses(4, "dp=1", "\"dp=1\" needs 1 rank but has 4 ranks");
    refuses(4, "dp,tp=3", "\"dp,tp=3\" needs a multiple of 3 ranks but has 4");
    refuses(4, "dp,tp=8", "\"dp,tp=8\" needs a multiple of 8 ranks but has 4");
    refuses(4, "dp,tp",
            "\"dp,tp\": neither \"dp\" nor \"tp\" has a size; only one size "
            "can be computed");
    refuses(4, "a,b=4,c", "neither \"a\" nor \"c\" has a size");
}

static void refuses_wrong_sizes(dt_world *world)
{
    (void)world;
    refuses(4, "dp=0", "\"dp=0\": the size of \"dp\" must be at least 1");
    refuses(4, "dp=-1,tp=2", "without a size it is computed");
    refuses(4, "a=2147483648", "\"a=2147483648\": a size exceeds 2147483647");
    refuses(4, "a=99999999999999999999999999", "a size exceeds");
    refuses(4, "a=2147483647",
            "\"a=2147483647\" needs 2147483647 ranks but has 4 ranks");
    refuses(4, "a=65536,b=65536", "needs 4294967296 ranks but has 4 ranks");
    refuses(4, "a=2147483647,b=2147483647,c=2147483647",
            "has more than 9223372036854775807 ranks");
    refuses(4, "a,b=2147483647,c=2147483647,d=2147483647",
            "has more than 9223372036854775807 ranks");
    refuses(4, "a=65536,b=65536,c=65536,d=65536",
            "has more than 9223372036854775807 ranks");
}

static void refuses_what_is_no_mesh(dt_world *world)
{
    (void)world;
    refuses(4, "",
            "\"\": expected the name of a dimension at the end; a mesh is "
            "written like");
    refuses(4, "  ", "\"  \": expected the name of a dimension at the end");
    refuses(4, ",", "before \",\"");
    refuses(4, "a=4,",
            "at the end; a mesh is written like \"dp=2,tp=4\" or \"2x4\"");
    refuses(4, "a=2,,b",
            "\"a=2,,b\": expected the name of a dimension before \",b\"");
    refuses(4, "=4", "before \"=4\"");
    refuses(4, "4",
            "\"4\": expected the name of a dimension before \"4\"; a mesh is "
            "written like");
    refuses(4, "2a", "before \"2a\"");
    refuses(4, "2x", "\"2x\": expected a size at the end");
    refuses(4, "2xb", "expected a size before \"b\"");
    refuses(4, "2x2x", "expected a size at the end");
    refuses(4, "2x2,a=1", "expected \"x\" before \",a=1\"");
    refuses(4, "0x4", "the size of \"dim0\" must be at least 1");
    refuses(4, "2x3", "\"2x3\" needs 6 ranks but has 4 ranks");
    refuses(4, "2X2", "before \"2X2\"");
    refuses(1, "1x1x1x1x1x1x1x1x1", "a mesh has at most 8 dimensions");
    refuses(4, "a=", "\"a=\": expected a size at the end");
    refuses(4, "a=b", "\"a=b\": expected a size before \"b\"");
    refuses(4, "a=+4", "expected a size before \"+4\"");
    refuses(4, "a=-", "expected a size before \"-\"");
    refuses(4, "a=4.0", "\"a=4.0\": expected a comma before \".0\"");
    refuses(4, "a=4 4", "expected a comma before \"4\"");
    refuses(4, "a b", "expected a comma before \"b\"");
    refuses(4, "a-b", "expected a comma before \"-b\"");
    refuses(4, "a=2=2", "expected a comma before \"=2\"");
    refuses(4, "d\xc3\xa9", "expected a comma before");
    refuses(4, "a=2,a=2", "\"a=2,a=2\": duplicate dimension \"a\"");
    refuses(4, "a,b,c,d,e,f,g,h,i", "a mesh has at most 8 dimensions");
    refuses(4, "a2345678901234567890123456789012",
            "the name \"a2345678901234567890123456789012\" of a mesh dimension "
            "is longer than 31 characters");
}

static void cuts_long_texts_in_sentences(dt_world *world)
{
    char text[3000];
    dt_mesh *mesh = NULL;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    CHECK_FAILS(world, dt_mesh_create(world, text, &mesh), DT_ERR_INVALID,
                "is longer than 31 characters");
    memset(text, ' ', sizeof text - 2);
    text[sizeof text - 2] = '!';
    CHECK_FAILS(world, dt_mesh_create(world, text, &mesh), DT_ERR_INVALID,
                "before \"!\"");
}

const dt_test dt_tests[] = {
    {"reads texts", reads_texts},
    {"refuses wrong numbers of ranks", refuses_wrong_numbers_of_ranks},
    {"refuses wrong sizes", refuses_wrong_sizes},
    {"refuses what is no mesh", refuses_what_is_no_mesh},
    {"cuts long texts in sentences", cuts_long_texts_in_sentences},
    {NULL, NULL},
};
