/* tests/unit/tensor/format.c - what tensors are printed as. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/tensor.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dtensor/create.h>

#include "unit/layout/specs.h"

/* Check the text of a tensor, and that of every shorter buffer. */
static void check_format(const dt_tensor *tensor, const char *expected)
{
    char text[512];
    size_t length = strlen(expected);
    if (!CHECKF(tensor, "there is no tensor"))
        return;
    CHECK_INT(dt_tensor_format(tensor, NULL, 0), length);
    CHECK_INT(dt_tensor_format(tensor, text, sizeof text), length);
    CHECK_TEXT(text, expected);
    for (size_t size = 1; size <= length + 1; size++) {
        memset(text, '#', sizeof text);
        CHECK_INT(dt_tensor_format(tensor, text, size), length);
        CHECK(strncmp(text, expected, size - 1) == 0);
        CHECK_INT(text[size - 1], '\0');
        CHECK_INT(text[size], '#');
    }
}

static void shows_spec_and_part(dt_world *unused)
{
    grid on = open_grid(4, 3, "dp=2,tp=2");
    (void)unused;
    check_format(dt_ones(on.mesh, "S(0)S(1)", DT_F32, DT_SHAPE(4, 6)),
                 "f32[4, 6] S(0)S(1) on dp=2,tp=2\n"
                 "rank 3 has [2:4, 3:6]\n"
                 "[[1. 1. 1.]\n [1. 1. 1.]]");
    check_format(dt_full_int(on.mesh, "RP", DT_I64, DT_SHAPE(2), 7),
                 "i64[2] RP(sum) on dp=2,tp=2\n"
                 "rank 3 has [0:2]\n"
                 "[0 0]");
    check_format(dt_ones(on.mesh, "RR", DT_BOOL, DT_SHAPE()),
                 "bool[] RR on dp=2,tp=2\n"
                 "rank 3 has []\n"
                 "True");
    check_format(dt_zeros(on.mesh, "S(0)S(0)", DT_I8, DT_SHAPE(3)),
                 "i8[3] S(0)[0]S(0)[1] on dp=2,tp=2\n"
                 "rank 3 has [3:3]\n"
                 "[]");
    close_grid(&on);
}

static void shows_strided_parts(dt_world *unused)
{
    grid on = open_grid(2, 0, "x");
    (void)unused;
    check_format(dt_arange_int(on.mesh, "_S(0,2)", DT_I32, 0, 5, 1),
                 "i32[5] _S(0,2) on x=2\n"
                 "rank 0 has [3 of 5 from 0]\n"
                 "[0 1 3]");
    close_grid(&on);
}

static void shows_strangers(dt_world *unused)
{
    dt_world *world = open_sim(3, 2);
    dt_mesh *mesh = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create_from(world, "x", (int[]){0, 1}, 2, &mesh));
    check_format(dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(4)),
                 "f32[4] S(0) on x=2\n"
                 "rank 2 is not in the mesh");
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void shows_parts_without_elements(dt_world *world)
{
    dt_array *meta = NULL;
    CHECK_OK(world, dt_array_create_meta(world, DT_F16, DT_SHAPE(3, 2), &meta));
    check_format(dt_from_local(dt_world_own_mesh(world), "S(0)", meta),
                 "f16[3, 2] S(0) on self=1\n"
                 "rank 0 has [0:3, 0:2], without elements");
    dt_array_release(meta);
}

/* What dt_tensor_print writes to stdout, which is a file meanwhile. */
static void prints(dt_world *world)
{
    char text[256] = "";
    FILE *file = tmpfile();
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (!CHECK(file && kept >= 0))
        return;
    dup2(fileno(file), STDOUT_FILENO);
    dt_tensor_print(
        dt_ones(dt_world_own_mesh(world), "R", DT_F64, DT_SHAPE(2)));
    dt_tensor_print(NULL);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    rewind(file);
    CHECK(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    CHECK_TEXT(text, "f64[2] R on self=1\nrank 0 has [0:2]\n[1. 1.]\n");
}

const dt_test dt_tests[] = {
    {"shows spec and part", shows_spec_and_part},
    {"shows strided parts", shows_strided_parts},
    {"shows strangers", shows_strangers},
    {"shows parts without elements", shows_parts_without_elements},
    {"prints", prints},
    {NULL, NULL},
};
