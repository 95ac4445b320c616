/* tests/unit/redistribute/greedy.c - the plans that PyTorch makes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/redistribute/planning.h"

/* A plan as PyTorch's tests write it: layouts with arrows between them. */
static void write_plan(const dt_plan *plan, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < dt_plan_steps(plan); i++) {
        const dt_plan_step *step = dt_plan_step_at(plan, i);
        if (i == 0)
            used += dt_layout_format(&step->from, text, size);
        CHECK(used + 2 < size);
        text[used++] = '-';
        text[used++] = '>';
        used += dt_layout_format(&step->to, text + used, size - used);
    }
}

/* Check the steps that the greedy planner takes on a mesh of twos. */
static void check_steps(int mesh_ndim, const char *from, const char *to,
                        const char *wanted)
{
    static const char *const meshes[] = {"x=2", "x=2,y=2", "x=2,y=2,z=2"};
    char text[1024];
    grid on = open_grid(1 << mesh_ndim, 0, meshes[mesh_ndim - 1]);
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    options.planner = DT_PLANNER_GREEDY;
    dt_plan *plan =
        plan_between(on.mesh, from, to, DT_SHAPE(8, 8, 8), &options);
    if (plan) {
        write_plan(plan, text, sizeof text);
        CHECK_TEXT(text, wanted);
    }
    dt_plan_release(plan);
    close_grid(&on);
}

static void behaviour_29_one_dimension_at_a_time(dt_world *world)
{
    (void)world;
    check_steps(2, "S(0)S(1)", "S(0)S(0)", "S(0)S(1)->S(0)[0]S(0)[1]");
    check_steps(2, "S(0)S(1)", "S(1)S(0)", "S(0)S(1)->S(0)R->S(1)R->S(1)S(0)");
    check_steps(2, "S(0)S(0)", "S(1)S(1)",
                "S(0)[0]S(0)[1]->S(0)R->S(1)R->S(1)[0]S(1)[1]");
    check_steps(2, "S(0)S(2)", "S(1)S(0)", "S(0)S(2)->S(0)R->S(1)R->S(1)S(0)");
    check_steps(2, "S(1)S(1)", "S(1)S(2)", "S(1)[0]S(1)[1]->S(1)S(2)");
}

static void behaviour_31_inner_cuts_are_undone_first(dt_world *world)
{
    (void)world;
    check_steps(2, "S(0)S(0)", "RS(0)", "S(0)[0]S(0)[1]->S(0)R->RR->RS(0)");
    check_steps(2, "S(0)S(0)", "S(0)R", "S(0)[0]S(0)[1]->S(0)R");
    check_steps(2, "RS(0)", "S(0)S(0)", "RS(0)->RR->S(0)R->S(0)[0]S(0)[1]");
}

static void behaviour_32_the_plan_in_text(dt_world *world)
{
    (void)world;
    check_steps(3, "S(0)S(0)S(0)", "RS(0)S(0)",
                "S(0)[0]S(0)[1]S(0)[2]->S(0)[0]S(0)[1]R->S(0)RR->RRR->RS(0)R->"
                "RS(0)[0]S(0)[1]");
}

static void one_mesh_dimension(dt_world *world)
{
    (void)world;
    check_steps(1, "S(0)", "R", "S(0)->R");
    check_steps(1, "S(0)", "S(2)", "S(0)->S(2)");
    check_steps(1, "P", "S(1)", "P(sum)->S(1)");
    check_steps(1, "P", "R", "P(sum)->R");
    check_steps(1, "R", "S(1)", "R->S(1)");
    check_steps(1, "R", "R", "");
}

/* Values become partial at the end, when others have been combined. */
static void partial_values_come_last(dt_world *world)
{
    (void)world;
    check_steps(1, "S(0)", "P", "S(0)->R->P(sum)");
    check_steps(1, "P(max)", "P", "P(max)->R->P(sum)");
    check_steps(2, "RP", "P(product)R", "RP(sum)->RR->P(product)R");
    check_steps(2, "PS(0)", "PR", "P(sum)S(0)->P(sum)R");
    check_steps(2, "PP", "S(0)S(0)",
                "P(sum)P(sum)->S(0)P(sum)->S(0)[0]S(0)[1]");
}

/* What it does not know it refuses. */
static void refuses_orders(dt_world *world)
{
    static const char *const texts[] = {"S(0)[1]S(0)[0]", "_S(0,3)R",
                                        "R_S(1,2)"};
    grid on = open_grid(4, 0, "x=2,y=2");
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    (void)world;
    options.planner = DT_PLANNER_GREEDY;
    dt_spec *usual = spec_of(on.mesh, "S(0)R", DT_SHAPE(8, 8));
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        dt_plan *plan = NULL;
        dt_spec *other = spec_of(on.mesh, texts[i], DT_SHAPE(8, 8));
        CHECK_FAILS(on.world, dt_plan_create(usual, other, &options, &plan),
                    DT_ERR_UNSUPPORTED, "greedy");
        CHECK_FAILS(on.world, dt_plan_create(other, usual, &options, &plan),
                    DT_ERR_UNSUPPORTED, "greedy");
        CHECK(!plan);
        dt_spec_release(other);
    }
    dt_spec_release(usual);
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"4.2.29: one dimension at a time", behaviour_29_one_dimension_at_a_time},
    {"4.2.31: inner cuts are undone first",
     behaviour_31_inner_cuts_are_undone_first},
    {"4.2.32: the plan in text", behaviour_32_the_plan_in_text},
    {"one mesh dimension", one_mesh_dimension},
    {"partial values come last", partial_values_come_last},
    {"refuses orders", refuses_orders},
    {NULL, NULL},
};
