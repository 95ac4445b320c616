/* ranks: 3 */
/* tests/conformance/mutation.c - operators that are wrong are found. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <string.h>

#include "base/reference.h"
#include "conformance/mutants.h"
#include "verify/verifier.h"

/* Add a row of a table, which does not say its size, to a world. */
static dt_status register_row(dt_world *world, const dt_op *row)
{
    dt_op sized = *row;
    sized.size = sizeof sized;
    return dt_op_register(world, &sized);
}

static void check_verdict(const char *test, const dti_report_row *row,
                          verdict wanted)
{
    if (wanted == LEAKS)
        wanted = dti_live_count(DTI_LIVE_ARRAY) < 0 ? GOOD : WRONG;
    CHECKF((row->wrong > 0) == (wanted == WRONG), "%s: %d wrong", test,
           row->wrong);
    if (wanted != WRONG)
        CHECKF((row->unexplained > 0) == (wanted == MISSING), "%s: %d missing",
               test, row->unexplained);
}

static void try_mutant(dt_world *world, dt_mesh *mesh, const mutant *of)
{
    char text[DTI_NAME_SIZE] = "";
    const char *name = text;
    dti_report report = DTI_REPORT_INIT;
    const dti_verifier with = {.world = world,
                               .report = &report,
                               .seed = dt_test_seed(),
                               .counts_objects = true};
    memcpy(text, of->row.schema, strcspn(of->row.schema, "("));
    CHECK_OK(world, register_row(world, &of->row));
    CHECK_OK(world, dti_verify_operators(&with, &name, 1, mesh));
    check_verdict(of->name, dti_report_row_of(&report, name), of->verdict);
    dti_report_free(&report);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    if (dt_world_rank(world) == 0)
        release_left();
}

/* All of them in one world, whose rows live as long as it does. */
static void finds_all(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x=3", &mesh));
    for (size_t i = 0; i < mutant_count; i++)
        try_mutant(world, mesh, &mutants[i]);
    dt_mesh_release(mesh);
}

/* The mutant with a verdict. */
static size_t first_with(verdict wanted)
{
    size_t out = 0;
    while (mutants[out].verdict != wanted)
        out++;
    return out;
}

/* One rank is enough: the search runs on each alone. */
static void explains(dt_world *world)
{
    static const char *const lines[] = {
        "missing_cut: * -> S(1): needed",
        "missing_cut: S(0) -> P(sum): not needed",
        "other: S(1) -> S(1): of an operator that is not searched", "# none",
        ""};
    dti_report to = DTI_REPORT_INIT;
    dti_text found = {0};
    const dti_verifier with = {
        .world = world, .report = &to, .seed = dt_test_seed()};
    dt_mesh *meshes[2] = {NULL, NULL};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        CHECK_INT(dti_report_explain(&to, lines[i]), DT_OK);
    CHECK_INT(dti_report_explain(&to, "no explanation"), DT_ERR_FORMAT);
    CHECK_OK(world, register_row(world, &mutants[first_with(MISSING)].row));
    CHECK_OK(world,
             dt_mesh_create_from(world, "x=2", (int[]){0, 1}, 2, &meshes[0]));
    CHECK_OK(world, dt_mesh_create(world, "x=3", &meshes[1]));
    CHECK_OK(world, dti_verify_missing(&with, "missing_cut", meshes, &found));
    CHECK_OK(world, dti_verify_add_missing(&with, "missing_cut", &found));
    const dti_report_row *row = dti_report_row_of(&to, "missing_cut");
    CHECK_INT(row->unexplained, 0);
    CHECK_INT(row->explained, 1);
    CHECK(to.explanations[0].used && !to.explanations[1].used &&
          !to.explanations[2].used);
    CHECK_INT(dti_report_unused(&to), 1);
    dti_text_free(&found);
    dti_report_free(&to);
    for (int i = 0; i < 2; i++)
        dt_mesh_release(meshes[i]);
}

const dt_test dt_tests[] = {
    {"finds what is wrong, and what is missing", finds_all},
    {"takes explanations, and tells which are not needed", explains},
    {NULL, NULL},
};
