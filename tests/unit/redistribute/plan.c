/* tests/unit/redistribute/plan.c - plans as objects: kept, read, printed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/reference.h"
#include "unit/redistribute/planning.h"

/* A known plan is the same object. */
static void known_plans_are_kept(dt_world *world)
{
    grid on = open_grid(4, 0, "x=2,y=2");
    dt_shape shape = DT_SHAPE(8, 8);
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    (void)world;
    dt_plan *plan = plan_between(on.mesh, "S(0)R", "RS(1)", shape, NULL);
    dt_plan *same = plan_between(on.mesh, "S(0)R", "RS(1)", shape, NULL);
    CHECK(plan && plan == same);
    dt_plan_release(same);
    same = plan_between(on.mesh, "S(0)R", "RS(1)", shape, &options);
    CHECK(plan == same);
    dt_plan_release(same);
    /* Another for each other question. */
    const dt_plan_options others[] = {
        {sizeof options, DT_OBJECTIVE_BYTES, DT_PLANNER_SEARCH, 0, NULL},
        {sizeof options, DT_OBJECTIVE_TIME, DT_PLANNER_DIRECT, 0, NULL},
        {sizeof options, DT_OBJECTIVE_TIME, DT_PLANNER_SEARCH, 4096, NULL},
        {sizeof options, DT_OBJECTIVE_TIME, DT_PLANNER_SEARCH, 0, "mpi"},
    };
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        dt_plan *other =
            plan_between(on.mesh, "S(0)R", "RS(1)", shape, &others[i]);
        dt_plan *again =
            plan_between(on.mesh, "S(0)R", "RS(1)", shape, &others[i]);
        CHECK(other && other != plan && other == again);
        dt_plan_release(other);
        dt_plan_release(again);
    }
    dt_plan_release(plan);
    close_grid(&on);
}

/* Plans that nobody holds are forgotten after a while; those that somebody does
 * are not. */
static void few_plans_are_kept(dt_world *world)
{
    enum { MANY = 4000, HELD = 50 };
    grid on = open_grid(2, 0, "x");
    dt_plan *held[HELD];
    int64_t before = dti_live_count(DTI_LIVE_PLAN);
    (void)world;
    for (int i = 0; i < MANY; i++) {
        dt_plan *plan =
            plan_between(on.mesh, "S(0)", "R", DT_SHAPE(i + 1), NULL);
        if (i % (MANY / HELD) == 0)
            held[i / (MANY / HELD)] = dt_plan_retain(plan);
        dt_plan_release(plan);
    }
    int64_t kept = dti_live_count(DTI_LIVE_PLAN) - before;
    CHECKF(kept <= 1024 + HELD, "%lld plans are kept", (long long)kept);
    for (int i = 0; i < HELD; i++) {
        dt_plan *again = plan_between(on.mesh, "S(0)", "R",
                                      DT_SHAPE(i * (MANY / HELD) + 1), NULL);
        CHECK(again == held[i]);
        dt_plan_release(again);
        dt_plan_release(held[i]);
    }
    close_grid(&on);
}

/* A plan says what it is for, beyond the world's end too. */
static void plans_outlive_their_world(dt_world *world)
{
    grid on = open_grid(4, 0, "x");
    (void)world;
    dt_plan *plan = plan_between(on.mesh, "S(0)", "S(1)", DT_SHAPE(8, 8), NULL);
    CHECK(dt_plan_retain(plan) == plan);
    dt_plan_release(plan);
    dt_plan_release(NULL);
    CHECK(dt_plan_retain(NULL) == NULL);
    close_grid(&on);
    if (plan) {
        CHECK_INT(dt_plan_steps(plan), 1);
        CHECK_INT(dt_spec_count(dt_plan_from(plan)), 64);
    }
    dt_plan_release(plan);
}

static void reads_steps(dt_world *world)
{
    grid on = open_grid(4, 0, "x=2,y=2");
    char text[64];
    (void)world;
    dt_plan *plan =
        plan_between(on.mesh, "S(0)R", "S(1)R", DT_SHAPE(8, 6), NULL);
    if (plan && CHECK_INT(dt_plan_steps(plan), 1)) {
        const dt_plan_step *step = dt_plan_step_at(plan, 0);
        CHECK_INT(step->kind, DT_STEP_ALL_TO_ALL);
        CHECK_INT(step->group_size, 2);
        CHECK_INT(step->bytes, 48);
        CHECK_INT(step->messages, 1);
        CHECK(!step->crosses);
        CHECK(step->seconds > 0 && dt_plan_seconds(plan) == step->seconds);
        dt_layout_format(&step->from, text, sizeof text);
        CHECK_TEXT(text, "S(0)R");
        dt_layout_format(&step->to, text, sizeof text);
        CHECK_TEXT(text, "S(1)R");
        CHECK(!dt_plan_step_at(plan, 1) && !dt_plan_step_at(plan, -1));
        CHECK_INT(dt_plan_bytes(plan), 48);
        CHECK_INT(dt_plan_lower_bound(plan), 48);
        CHECK_INT(dt_plan_peak(plan), 192);
    }
    dt_plan_release(plan);
    close_grid(&on);
}

static void names_steps(dt_world *world)
{
    (void)world;
    CHECK_TEXT(dt_step_name(DT_STEP_SLICE), "slice");
    CHECK_TEXT(dt_step_name(DT_STEP_ALL_GATHER), "all-gather");
    CHECK_TEXT(dt_step_name(DT_STEP_ALL_TO_ALL), "all-to-all");
    CHECK_TEXT(dt_step_name(DT_STEP_PERMUTE), "permute");
    CHECK_TEXT(dt_step_name(DT_STEP_DIRECT), "direct");
    CHECK_TEXT(dt_step_name(DT_STEP_ALL_REDUCE), "all-reduce");
    CHECK_TEXT(dt_step_name(DT_STEP_REDUCE_SCATTER), "reduce-scatter");
    CHECK_TEXT(dt_step_name(DT_STEP_MAKE_PARTIAL), "make partial");
    CHECK(dt_step_name(DT_STEP_COUNT) != NULL);
}

/* The text names every step and is as long as it says, however little room
 * there is. */
static void writes_plans(dt_world *world)
{
    grid on = open_grid(4, 0, "x=2,y=2");
    char text[2048], part[2048];
    (void)world;
    dt_plan *plan =
        plan_between(on.mesh, "PS(0)", "S(1)R", DT_SHAPE(8, 6), NULL);
    size_t length = plan ? dt_plan_format(plan, text, sizeof text) : 0;
    CHECK(length == strlen(text));
    for (int i = 0; plan && i < dt_plan_steps(plan); i++)
        CHECK(strstr(text, dt_step_name(dt_plan_step_at(plan, i)->kind)));
    for (size_t room = 0; plan && room <= length + 1; room++) {
        memset(part, 'x', sizeof part);
        CHECK(dt_plan_format(plan, room ? part : NULL, room) == length);
        CHECK(part[room] == 'x');
        CHECK(room == 0 || strncmp(part, text, room - 1) == 0);
        CHECK(room == 0 ||
              strlen(part) == (room <= length ? room - 1 : length));
    }
    dt_plan_release(plan);
    close_grid(&on);
}

static void refuses_what_is_wrong(dt_world *world)
{
    grid on = open_grid(4, 0, "x=2,y=2"), other = open_grid(4, 0, "x=2,y=2");
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    dt_plan *plan = NULL;
    dt_spec *a = spec_of(on.mesh, "RR", DT_SHAPE(8, 6));
    dt_spec *wider = spec_of(on.mesh, "RR", DT_SHAPE(8, 7));
    dt_spec *masked = spec_of(on.mesh, "MaskP(sum)R", DT_SHAPE(8, 6));
    dt_spec *elsewhere = spec_of(other.mesh, "RR", DT_SHAPE(8, 6));
    dt_spec *whole = NULL;
    (void)world;
    CHECK_OK(on.world,
             dt_spec_create(on.mesh, "RR", DT_I32, DT_SHAPE(8, 6), &whole));
    CHECK_FAILS(on.world, dt_plan_create(a, wider, NULL, &plan), DT_ERR_INVALID,
                "shape or dtype");
    CHECK_FAILS(on.world, dt_plan_create(a, whole, NULL, &plan), DT_ERR_INVALID,
                "shape or dtype");
    CHECK_FAILS(on.world, dt_plan_create(a, elsewhere, NULL, &plan),
                DT_ERR_INVALID, "different worlds");
    CHECK_FAILS(on.world, dt_plan_create(a, masked, NULL, &plan),
                DT_ERR_UNSUPPORTED, "mask");
    options.size = 1;
    CHECK_FAILS(on.world, dt_plan_create(a, a, &options, &plan), DT_ERR_INVALID,
                "DT_PLAN_OPTIONS_INIT");
    CHECK(!plan);
    dt_spec_release(a);
    dt_spec_release(wider);
    dt_spec_release(masked);
    dt_spec_release(elsewhere);
    dt_spec_release(whole);
    close_grid(&on);
    close_grid(&other);
}

/* The same plan is found by every rank. */
static void ranks_agree(dt_world *world)
{
    static const char *const texts[] = {"RR",    "S(0)S(1)", "S(0)[1]S(0)[0]",
                                        "PS(0)", "S(1)R",    "R_S(0,2)"};
    (void)world;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++) {
            char first[2048], text[2048];
            for (int rank = 0; rank < 6; rank++) {
                grid on = open_grid(6, rank, "x=2,y=3");
                dt_plan *plan = plan_between(on.mesh, texts[i], texts[j],
                                             DT_SHAPE(7, 5), NULL);
                if (plan)
                    dt_plan_format(plan, rank ? text : first, sizeof text);
                if (plan && rank)
                    CHECK_TEXT(text, first);
                dt_plan_release(plan);
                close_grid(&on);
            }
        }
}

/* Many mesh dimensions have more layouts than a search looks at. */
static void finds_a_way_among_many(dt_world *world)
{
    static const char *const ways[][2] = {
        {"RRRRRR", "PPPPPP"},
        {"S(0)S(1)S(2)S(0)S(1)S(2)", "P(max)P(max)P(max)P(max)P(max)P(max)"},
        {"PPPPPP", "S(2)S(1)S(0)S(2)S(1)S(0)"},
        {"S(0)S(0)S(1)S(1)S(2)S(2)", "S(2)S(1)S(0)RRR"},
    };
    (void)world;
    grid on = open_grid(64, 5, "a=2,b=2,c=2,d=2,e=2,f=2");
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        dt_plan *plan = plan_between(on.mesh, ways[i][0], ways[i][1],
                                     DT_SHAPE(8, 8, 8), NULL);
        CHECK(plan);
        dt_plan_release(plan);
    }
    close_grid(&on);
}

static void refuses_options(dt_world *world)
{
    (void)world;
    grid on = open_grid(4, 0, "x=2,y=2");
    dt_spec *from = NULL, *to = NULL;
    dt_plan *plan = NULL;
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    CHECK_OK(on.world, dt_spec_create(on.mesh, "S(0)S(1)", DT_F32,
                                      DT_SHAPE(8, 8), &from));
    CHECK_OK(on.world,
             dt_spec_create(on.mesh, "S(1)S(0)", DT_F32, DT_SHAPE(8, 8), &to));
    options.transport = "carrier pigeon";
    CHECK_FAILS(on.world, dt_plan_create(from, to, &options, &plan),
                DT_ERR_INVALID, "carrier pigeon");
    options.transport = NULL;
    options.planner = (dt_planner)7;
    CHECK_FAILS(on.world, dt_plan_create(from, to, &options, &plan),
                DT_ERR_INVALID, "planner=7");
    options.planner = DT_PLANNER_GREEDY;
    options.memory_cap = 8;
    CHECK_FAILS(on.world, dt_plan_create(from, to, &options, &plan),
                DT_ERR_UNSUPPORTED, "more than the memory cap of 8");
    CHECK(plan == NULL);
    dt_spec_release(from);
    dt_spec_release(to);
    close_grid(&on);
}

/* Numbers of bytes are numbers, whatever the steps are. */
static void counts_many_bytes(dt_world *world)
{
    static const char *const texts[] = {"RR",      "S(0)S(0)",       "P(avg)P",
                                        "RP(max)", "S(0)[1]S(0)[0]", "S(0)P"};
    const int64_t most = (INT64_C(1) << 60) / 4;
    grid on = open_grid(4, 0, "x=2,y=2");
    (void)world;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++) {
            dt_plan *plan = plan_between(on.mesh, texts[i], texts[j],
                                         DT_SHAPE(most / 4), NULL);
            if (!CHECK(plan))
                continue;
            CHECK(dt_plan_bytes(plan) >= dt_plan_lower_bound(plan));
            CHECK(dt_plan_lower_bound(plan) >= 0);
            CHECK(dt_plan_peak(plan) >= most / 4);
            dt_plan_release(plan);
        }
    dt_spec *from = NULL, *to = NULL;
    dt_plan *plan = NULL;
    dt_shape more = DT_SHAPE(most / 4 + 1);
    CHECK_OK(on.world, dt_spec_create(on.mesh, "RR", DT_F32, more, &from));
    CHECK_OK(on.world, dt_spec_create(on.mesh, "RP", DT_F32, more, &to));
    CHECK_FAILS(on.world, dt_plan_create(from, to, NULL, &plan),
                DT_ERR_UNSUPPORTED, "bytes times 4 ranks exceed 2^60");
    dt_spec_release(from);
    dt_spec_release(to);
    close_grid(&on);
}

/* Some ranks take all there is from every other one, in many runs. */
static void counts_bytes_of_many_ranks(dt_world *world)
{
    const int64_t most = (INT64_C(1) << 60) / 1024;
    const struct {
        const char *to;
        dt_shape shape; /* of `most` bytes */
    } cases[] = {{"S(0)", DT_SHAPE(1, most / 4)},
                 {"S(0)", DT_SHAPE(most / 4, 1)},
                 {"S(1)", DT_SHAPE(most / 8, 2)}};
    grid on = open_grid(1024, 0, "x=1024");
    (void)world;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dt_plan *plan =
            plan_between(on.mesh, "P", cases[i].to, cases[i].shape, NULL);
        if (!CHECK(plan))
            continue;
        CHECK(dt_plan_bytes(plan) >= dt_plan_lower_bound(plan));
        CHECK(dt_plan_bytes(plan) >= most / 2);
        CHECK(dt_plan_seconds(plan) > 0);
        dt_plan_release(plan);
    }
    close_grid(&on);
}

static void compares_steps(dt_world *world)
{
    grid on = open_grid(4, 0, "x=4");
    const dt_shape shape = DT_SHAPE(8, 6), other = DT_SHAPE(16, 4);
    dt_plan *gather = plan_between(on.mesh, "S(0)", "R", shape, NULL);
    dt_plan *again = plan_between(on.mesh, "S(0)", "R", other, NULL);
    dt_plan *turn = plan_between(on.mesh, "S(0)", "S(1)", shape, NULL);
    dt_plan *nothing = plan_between(on.mesh, "R", "R", shape, NULL);
    (void)world;
    CHECK(dt_plan_same_steps(gather, gather));
    CHECK(dt_plan_same_steps(gather, again));
    CHECK(!dt_plan_same_steps(gather, turn));
    CHECK(!dt_plan_same_steps(gather, nothing));
    CHECK(dt_plan_same_steps(nothing, nothing));
    dt_plan_release(gather);
    dt_plan_release(again);
    dt_plan_release(turn);
    dt_plan_release(nothing);
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"finds a way among many", finds_a_way_among_many},
    {"refuses options", refuses_options},
    {"counts many bytes", counts_many_bytes},
    {"counts bytes of many ranks", counts_bytes_of_many_ranks},
    {"known plans are kept", known_plans_are_kept},
    {"few plans are kept", few_plans_are_kept},
    {"plans outlive their world", plans_outlive_their_world},
    {"reads steps", reads_steps},
    {"names steps", names_steps},
    {"writes plans", writes_plans},
    {"refuses what is wrong", refuses_what_is_wrong},
    {"ranks agree", ranks_agree},
    {"compares steps", compares_steps},
    {NULL, NULL},
};
