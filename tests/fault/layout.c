/* tests/fault/layout.c - specs and texts of layouts without memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

/* What the world keeps is its own: each time there is a world that keeps
 * nothing yet. */
typedef struct fixture {
    dt_world *world;
    dt_mesh *mesh;
} fixture;

static fixture open_fixture(void)
{
    fixture made = {NULL, NULL};
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error;
    options.transport = "sim";
    options.ranks = 4;
    CHECK_ERROR(&error, dt_world_open(&options, &made.world, &error), DT_OK,
                NULL);
    CHECK_OK(made.world, dt_mesh_create(made.world, "x=2,y=2", &made.mesh));
    return made;
}

static void close_fixture(fixture *made)
{
    dt_mesh_release(made->mesh);
    DT_IGNORE(dt_world_close(made->world));
}

/* Give the failure to the loop, then try again: what failed must not be in the
 * way. */
typedef dt_status (*constructor)(fixture *in);

static void fails_and_recovers(const char *name, constructor make, long least)
{
    for (int for_good = 0; for_good < 2; for_good++)
        for (long nth = 1;; nth++) {
            live_objects before = count_live();
            fixture in = open_fixture();
            if (for_good)
                dt_fault_arm_from(nth);
            else
                dt_fault_arm(nth);
            dt_check_forget(in.world);
            dt_status status = make(&in);
            long refused = dt_fault_disarm();
            if (refused)
                CHECKF(status == DT_ERR_NO_MEMORY &&
                           dt_world_error(in.world)->message[0],
                       "%s, request %ld: %s: \"%s\"", name, nth,
                       dt_status_name(status),
                       dt_world_error(in.world)->message);
            CHECK_OK(in.world, make(&in));
            close_fixture(&in);
            check_live(&before, name, nth);
            if (!refused) {
                CHECKF(nth > least, "%s: %ld requests", name, nth - 1);
                break;
            }
        }
}

static dt_status create(fixture *in)
{
    dt_spec *spec = NULL;
    dt_status status =
        dt_spec_create(in->mesh, "S(0)R", DT_F32, DT_SHAPE(5), &spec);
    CHECK((spec == NULL) == (status != DT_OK));
    dt_spec_release(spec);
    return status;
}

static dt_status create_with(fixture *in)
{
    const dt_placement placements[] = {dt_shard(0), dt_shard(0)};
    dt_layout layout = dt_layout_of(placements, 2);
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(5));
    dt_spec *spec = NULL;
    dt_status status = dt_spec_create_with(in->mesh, &layout, &meta, &spec);
    CHECK((spec == NULL) == (status != DT_OK));
    dt_spec_release(spec);
    return status;
}

static dt_status parse(fixture *in)
{
    dt_spec *spec = NULL;
    dt_status status =
        dt_spec_parse(in->mesh, "f32[4, 2]{1, 4} S(0)R on x=2,y=2", &spec);
    CHECK((spec == NULL) == (status != DT_OK));
    dt_spec_release(spec);
    return status;
}

static dt_status make_others(fixture *in)
{
    dt_spec *spec = NULL, *layout = NULL, *meta = NULL;
    dt_meta other = dt_meta_of(DT_F64, DT_SHAPE(6));
    dt_status status =
        dt_spec_create(in->mesh, "RR", DT_F32, DT_SHAPE(5), &spec);
    if (status == DT_OK)
        status = dt_spec_with_layout(spec, "RS(0)", &layout);
    if (status == DT_OK)
        status = dt_spec_with_meta(layout, &other, &meta);
    dt_spec_release(spec);
    dt_spec_release(layout);
    dt_spec_release(meta);
    return status;
}

/* Enough for the tables to grow more than once. */
static dt_status create_many(fixture *in)
{
    dt_status status = DT_OK;
    for (int i = 0; i < 40 && status == DT_OK; i++) {
        dt_spec *spec = NULL;
        dt_layout layout = dt_layout_of(
            (const dt_placement[]){dt_strided_shard(0, i + 2), dt_replicate()},
            2);
        const char *text = dt_layout_text(in->world, &layout);
        if (!text)
            return dt_world_error(in->world)->code;
        status = dt_spec_create(in->mesh, text, DT_F32, DT_SHAPE(5), &spec);
        dt_spec_release(spec);
    }
    return status;
}

static void makes_specs(dt_world *world)
{
    (void)world;
    fails_and_recovers("dt_spec_create", create, 4);
    fails_and_recovers("dt_spec_create_with", create_with, 2);
    fails_and_recovers("dt_spec_parse", parse, 2);
}

static void makes_specs_from_specs(dt_world *world)
{
    (void)world;
    fails_and_recovers("dt_spec_with", make_others, 7);
}

static void keeps_many(dt_world *world)
{
    (void)world;
    fails_and_recovers("dt_layout_text", create_many, 80);
}

const dt_test dt_tests[] = {
    {"makes specs", makes_specs},
    {"makes specs from specs", makes_specs_from_specs},
    {"keeps many", keeps_many},
    {NULL, NULL},
};
