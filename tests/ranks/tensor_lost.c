/* ranks: 1 2 3 4 7 */
/* tests/ranks/tensor_lost.c - tensors of which parts never came. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "ranks/lost.h"

enum { ROWS = 5, COLUMNS = 300 };

/* Check that a call gave no tensor, and why; counts as one of the ranks that
 * lack elements. */
#define CHECK_LOST(world, call)                                                \
    (dt_check_forget(world), CHECK((call) == NULL),                            \
     CHECK(dt_world_error(world)->code == DT_ERR_PEER),                        \
     CHECK(strstr(dt_world_error(world)->message, SENTENCE) != NULL))

/* A tensor of ones and threes, brought to all ranks while the last one fails;
 * that has made its own instead. */
static dt_tensor *redistribute(dt_world *world, dt_mesh *mesh)
{
    dt_tensor *given = dt_full(mesh, "S(0)", DT_F32, DT_SHAPE(ROWS, COLUMNS),
                               is_failing(world) ? 3 : 1);
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    dt_tensor *result;
    options.layout = "R";
    options.asynchronous = true;
    if (is_failing(world))
        result = dt_ones(mesh, "R", DT_F32, DT_SHAPE(ROWS, COLUMNS));
    else
        result = dt_redistribute_with(given, &options);
    CHECK(result != NULL);
    fail_last(world);
    return result;
}

static dt_mesh *make_mesh(dt_world *world)
{
    dt_mesh *mesh = NULL;
    char text[32];
    snprintf(text, sizeof text, "x=%d", dt_world_size(world));
    CHECK_OK(world, dt_mesh_create(world, text, &mesh));
    return mesh;
}

static bool left_out(dt_world *world)
{
    return SKIP_ON(world, "mpi", "a rank that fails ends the job") ||
           dt_world_size(world) == 1;
}

static dt_status read_first(dt_world *world, dt_tensor *const *inputs,
                            int input_count, dt_tensor **outputs,
                            int output_count, void *arg)
{
    (void)world;
    (void)input_count;
    (void)output_count;
    *(bool *)arg = true;
    outputs[0] = inputs[0];
    return DT_OK;
}

/* Functions that give a status. */
static void check_reads(dt_world *world, dt_tensor *lost)
{
    dt_array *out = NULL, *file = dt_tensor_local(lost);
    dt_box all = {2, {0, 0}, {ROWS, COLUMNS}};
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    const char *layouts[] = {"R"};
    bool called = false, equal = true;
    dt_tensor *outputs[1];
    char text[2 * DT_ERROR_SIZE];
    CHECK_OK(world,
             dt_array_create(world, DT_F32, DT_SHAPE(ROWS, COLUMNS), &out));
    CHECK_FAILS(world, dt_tensor_get(lost, &all, out), DT_ERR_PEER, SENTENCE);
    CHECK_FAILS(world, dt_array_save_npy(world, file, "never-written.npy"),
                DT_ERR_PEER, SENTENCE);
    CHECK_FAILS(world, dt_tensor_equal(lost, lost, &equal), DT_ERR_PEER,
                SENTENCE);
    options.out_layouts = layouts;
    options.arg = &called;
    CHECK_FAILS(world, dt_local_map(read_first, &lost, 1, outputs, 1, &options),
                DT_ERR_PEER, SENTENCE);
    CHECK(!called);
    dt_tensor_format(lost, text, sizeof text);
    CHECK(strstr(text, SENTENCE) != NULL);
    dt_array_release(out);
}

/* Operators, one that is composed among them.  A view does not read. */
static void check_operators(dt_world *world, dt_tensor *lost)
{
    dt_mesh *own = dt_tensor_mesh(lost);
    dt_tensor *good = dt_ones(own, "R", DT_F32, DT_SHAPE(ROWS, COLUMNS));
    dt_tensor *turned = dt_transpose(lost, 0, 1);
    dt_number number = dt_real(0);
    CHECK_LOST(world, dt_add(lost, good));
    CHECK_LOST(world, dt_add(good, lost));
    CHECK_LOST(world, dt_neg_(lost));
    CHECK_LOST(world, dt_copy_(good, lost));
    CHECK_LOST(world, dt_matmul(turned, good));
    CHECK_LOST(world, dt_norm(lost, 2, DT_DIMS(), false));
    CHECK_LOST(world, dt_softmax(lost, 1));
    CHECK(turned != NULL);
    CHECK_LOST(world, dt_neg(turned));
    dt_tensor *one = dt_slice(dt_slice(lost, 0, 0, 1, 1), 1, 0, 1, 1);
    CHECK(one != NULL);
    CHECK_FAILS(world, dt_tensor_item(one, &number), DT_ERR_PEER, SENTENCE);
    CHECK_LOST(world, dt_to_local(lost));
    CHECK_LOST(world, dt_full_tensor(lost));
    /* What never came has a shape all the same. */
    CHECK(dt_zeros_like(lost) != NULL);
    CHECK(dt_new_ones(lost, DT_SHAPE(2)) != NULL);
}

static void are_never_read(dt_world *world)
{
    if (left_out(world))
        return;
    dt_mesh *mesh = make_mesh(world);
    dt_tensor *lost = redistribute(world, mesh);
    if (!is_failing(world))
        check_reads(world, lost);
    if (!is_failing(world))
        check_operators(world, lost);
    CHECK_OK(world, dt_world_recover(world));
    dt_mesh_release(mesh);
}

/* The first to hear of the failure is an operator. */
static void fail_when_first_used(dt_world *world)
{
    if (left_out(world))
        return;
    dt_mesh *mesh = make_mesh(world);
    dt_tensor *lost = redistribute(world, mesh);
    if (!is_failing(world))
        CHECK_LOST(world, dt_neg(lost));
    CHECK_OK(world, dt_world_recover(world));
    dt_mesh_release(mesh);
}

/* A tensor that was lost in a world that has recovered. */
static dt_tensor *lose(dt_world *world, dt_mesh *mesh)
{
    dt_tensor *lost = redistribute(world, mesh);
    if (!is_failing(world))
        CHECK_FAILS(world, dt_array_wait(world, dt_tensor_local(lost)),
                    DT_ERR_PEER, SENTENCE);
    CHECK_OK(world, dt_world_recover(world));
    return lost;
}

static const dt_dtype wide = DT_F64;

/* Where other ranks have what one lacks, all are told and nobody waits. */
static void are_never_sent(dt_world *world)
{
    if (left_out(world))
        return;
    dt_mesh *mesh = make_mesh(world);
    for (int way = 0; way < 4; way++) {
        dt_tensor *lost = lose(world, mesh);
        dt_tensor *rows = dt_from_local(mesh, "S(0)", dt_tensor_local(lost));
        dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
        options.layout = "R";
        options.forward_dtype = way == 1 ? &wide : NULL;
        dt_tensor *sum = dt_from_local(mesh, "P(sum)", dt_tensor_local(lost));
        CHECK(rows != NULL && sum != NULL);
        if (way < 2)
            CHECK_LOST(world, dt_redistribute_with(rows, &options));
        else if (way == 2)
            CHECK_LOST(world, dt_redistribute(sum, "S(1)"));
        else
            CHECK_LOST(world, dt_full_tensor(dt_cumsum(rows, 0)));
        CHECK_OK(world, dt_world_recover(world));
    }
    dt_mesh_release(mesh);
}

/* Ranks that only take are told by the only one that gives, be it one of them
 * or not. */
static void are_never_sent_to_another_mesh(dt_world *world)
{
    if (left_out(world))
        return;
    const int others = dt_world_size(world) - 1;
    int ranks[64];
    dt_mesh *mesh = make_mesh(world), *to = NULL, *first = NULL;
    for (int i = 0; i < others; i++)
        ranks[i] = i + 1;
    CHECK_OK(world, dt_mesh_create_from(world, "x", (int[]){0}, 1, &first));
    CHECK_OK(world, dt_mesh_create_from(world, "x", ranks, others, &to));
    for (int way = 0; way < 4; way++) {
        dt_tensor *lost = lose(world, mesh);
        dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
        options.layout = "R";
        options.mesh = way % 2 ? to : mesh;
        options.forward_dtype = way < 2 ? &wide : NULL;
        dt_tensor *given = dt_from_local(first, "R", dt_tensor_local(lost));
        CHECK_LOST(world, dt_redistribute_with(given, &options));
        /* To recover would tell them too. */
        CHECK_FAILS(world, dt_group_barrier(dt_world_group(world)), DT_ERR_PEER,
                    SENTENCE);
        CHECK_OK(world, dt_world_recover(world));
    }
    dt_mesh_release(first);
    dt_mesh_release(to);
    dt_mesh_release(mesh);
}

static void check_number(dt_world *world, dt_tensor *tensor, double value)
{
    dt_tensor *whole = dt_full(dt_tensor_mesh(tensor), "R", DT_F32,
                               DT_SHAPE(ROWS, COLUMNS), value);
    bool equal = false;
    CHECK_OK(world, dt_tensor_equal(tensor, whole, &equal));
    CHECK(equal);
}

enum { WRITES = 8 };

/* Let every element be 2; `ones` are as large as the tensor. */
static dt_tensor *write_twos(dt_tensor *to, dt_tensor *ones, int way)
{
    const int64_t zeros[] = {0, COLUMNS - 1};
    dt_tensor *twos = dt_add(ones, ones), *first = dt_narrow(twos, 1, 0, 1);
    dt_mesh *mesh = dt_tensor_mesh(ones);
    switch (way) {
    case 0:
        return dt_fill_scalar_(to, dt_real(2));
    case 1:
        return dt_copy_(to, twos);
    case 2:
        return dt_add_out(ones, ones, to);
    case 3:
        return dt_add_(dt_zero_(to), twos);
    case 4:
        return dt_uniform_(to, 2, 2);
    case 5:
        return dt_matmul_out(dt_eye(mesh, "R", DT_F32, ROWS, ROWS), twos, to);
    case 6:
        return dt_cumsum_out(dt_constant_pad_nd(first, zeros, 2), 1, to);
    default:
        return dt_copy_(dt_transpose(to, 0, 1), dt_transpose(twos, 0, 1));
    }
}

/* A tensor that is overwritten is as good as new; also one that lies turned.
 * So is one that nobody has read: the call that was to bring it is under way
 * while it is written. */
static void come_back_when_written(dt_world *world)
{
    if (left_out(world))
        return;
    dt_mesh *mesh = make_mesh(world);
    dt_tensor *ones = dt_ones(mesh, "R", DT_F32, DT_SHAPE(ROWS, COLUMNS));
    for (int way = 0; way < WRITES; way++)
        for (int read = 0; read < 2; read++) {
            dt_tensor *lost = redistribute(world, mesh);
            if (read && !is_failing(world))
                CHECK_LOST(world, dt_neg(lost));
            if (read)
                CHECK_OK(world, dt_world_recover(world));
            CHECKF(write_twos(lost, ones, way) != NULL, "way %d: %s", way,
                   dt_world_error(world)->message);
            dt_check_forget(world);
            if (!read)
                CHECK_OK(world, dt_world_recover(world));
            check_number(world, lost, 2);
        }
    dt_mesh_release(mesh);
}

/* Boxes of all ranks that cover all rows, each of them some of the columns; or
 * all but one element. */
static void put_columns(dt_world *world, dt_tensor *to, bool whole)
{
    const int64_t n = dt_world_size(world), rank = dt_world_rank(world);
    const int64_t first = rank * COLUMNS / n, end = (rank + 1) * COLUMNS / n;
    dt_box box = {2, {0, first}, {ROWS, end - first}};
    dt_array *twos = NULL;
    if (!whole && rank == n - 1)
        box.size[0]--;
    CHECK_OK(world, dt_array_create(world, DT_F32,
                                    DT_SHAPE(box.size[0], box.size[1]), &twos));
    CHECK_OK(world, dt_array_fill(world, twos, 2));
    CHECK_OK(world, dt_tensor_put(to, &box, twos));
    dt_array_release(twos);
}

/* Boxes make a tensor whole again if they cover what a rank has. */
static void come_back_by_boxes(dt_world *world)
{
    if (left_out(world))
        return;
    dt_mesh *mesh = make_mesh(world);
    dt_tensor *lost = redistribute(world, mesh);
    if (!is_failing(world))
        CHECK_LOST(world, dt_neg(lost));
    CHECK_OK(world, dt_world_recover(world));
    put_columns(world, lost, false);
    if (!is_failing(world))
        CHECK_LOST(world, dt_neg(lost));
    CHECK_OK(world, dt_world_recover(world));
    put_columns(world, lost, true);
    check_number(world, lost, 2);
    dt_mesh_release(mesh);
}

/* Rows that only one rank puts; those that overlap do no harm. */
static void come_back_by_one_box(dt_world *world)
{
    if (left_out(world))
        return;
    dt_mesh *mesh = make_mesh(world);
    dt_tensor *lost = redistribute(world, mesh);
    dt_box all = {2, {0, 0}, {ROWS, COLUMNS}}, row = {2, {1, 0}, {1, COLUMNS}};
    const bool first = dt_world_rank(world) == 0;
    dt_array *twos = NULL;
    if (!is_failing(world))
        CHECK_LOST(world, dt_neg(lost));
    CHECK_OK(world, dt_world_recover(world));
    CHECK_OK(world,
             dt_array_create(world, DT_F32, DT_SHAPE(first ? ROWS : 1, COLUMNS),
                             &twos));
    CHECK_OK(world, dt_array_fill(world, twos, 2));
    CHECK_OK(world, dt_tensor_put(lost, first ? &all : &row, twos));
    check_number(world, lost, 2);
    dt_array_release(twos);
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"are never read", are_never_read},
    {"fail when first used", fail_when_first_used},
    {"are never sent", are_never_sent},
    {"are never sent to another mesh", are_never_sent_to_another_mesh},
    {"come back when written", come_back_when_written},
    {"come back by boxes", come_back_by_boxes},
    {"come back by one box", come_back_by_one_box},
    {NULL, NULL},
};
