/* fuzz/layout.c - texts that may be layouts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Fail in a way that every fuzzer notices. */
static void require(int condition)
{
    if (!condition)
        abort();
}

/* Twelve ranks, kept from input to input; not for ever, as a world keeps every
 * text that it lends. */
static dt_world *open_world(void)
{
    static dt_world *world;
    static int uses;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "sim";
    options.ranks = 12;
    options.rank = 7;
    if (uses++ % 10000 == 0) {
        DT_IGNORE(dt_world_close(world));
        require(dt_world_open(&options, &world, NULL) == DT_OK);
    }
    return world;
}

/* What was read must survive being written and read again, and have one text.
 */
static void check_round_trip(dt_world *world, const dt_layout *layout)
{
    char text[1024];
    dt_layout again;
    require(dt_layout_format(layout, text, sizeof text) < sizeof text);
    require(dt_layout_parse(world, text, &again) == DT_OK);
    require(dt_layout_equal(layout, &again));
    require(strcmp(dt_layout_text(world, layout), text) == 0);
}

/* A layout that fits a mesh still says the same when it is checked again, and
 * in strided shards. */
static void check_on_mesh(dt_mesh *mesh, const dt_layout *layout)
{
    dt_layout checked = *layout, again, strided, back;
    if (dt_layout_check(mesh, 3, &checked) != DT_OK)
        return;
    again = checked;
    require(dt_layout_check(mesh, 3, &again) == DT_OK);
    require(dt_layout_equal(&checked, &again));
    if (dt_layout_from_strided(mesh, &checked, &back) != DT_OK)
        return;
    require(dt_layout_check(mesh, 3, &back) == DT_OK);
    require(dt_layout_to_strided(mesh, &back, &strided) == DT_OK);
    require(dt_layout_from_strided(mesh, &strided, &again) == DT_OK);
    require(dt_layout_equal(&back, &again));
}

static void read_text(dt_world *world, const char *text)
{
    static const char *const meshes[] = {"x", "a=2,b=6", "a=2,b=3,c=2"};
    dt_layout layout;
    if (dt_layout_parse(world, text, &layout) != DT_OK) {
        require(dt_world_error(world)->message[0]);
        return;
    }
    check_round_trip(world, &layout);
    for (int i = 0; i < 3; i++) {
        dt_mesh *mesh = NULL;
        require(dt_mesh_create(world, meshes[i], &mesh) == DT_OK);
        check_on_mesh(mesh, &layout);
        dt_mesh_release(mesh);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    read_text(open_world(), text);
    free(text);
    return 0;
}
