/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/values.c - values that operators reject, and who knows. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/op.h>

#include "support/tensors.h"

/* A failed call, and the tensors that calls are made with. */
typedef struct values {
    dt_tensor *table;    /* f32 (4, 6), sharded along dimension 0 */
    dt_tensor *vector;   /* f32 (4,), sharded along dimension 0 */
    dt_tensor *rows;     /* f32 (3, 4) */
    dt_tensor *three;    /* f32 (3,), zeros */
    dt_tensor *far;      /* i64 (3,): 0 7 2 */
    dt_tensor *zero;     /* i64 (3,): 1 0 2 */
    dt_tensor *chance;   /* f32 (3,): 0.5 1.5 0.25 */
    dt_tensor *negative; /* f32 (3,): 1 -1 1 */
    dt_tensor *mask;     /* bool (4,), ones, sharded along dimension 0 */
} values;

static values make_values(const fixture *f)
{
    const double far[] = {0, 7, 2}, zero[] = {1, 0, 2};
    const double chance[] = {0.5, 1.5, 0.25}, negative[] = {1, -1, 1};
    const dt_shape three = DT_SHAPE(3);
    return (values){
        dt_zeros(f->mesh, "S(0)", DT_F32, DT_SHAPE(4, 6)),
        dt_zeros(f->mesh, "S(0)", DT_F32, DT_SHAPE(4)),
        dt_zeros(f->mesh, "R", DT_F32, DT_SHAPE(3, 4)),
        dt_zeros(f->mesh, "R", DT_F32, three),
        tensor_of(f->mesh, "R", DT_I64, three, far),
        tensor_of(f->mesh, "R", DT_I64, three, zero),
        tensor_of(f->mesh, "R", DT_F32, three, chance),
        tensor_of(f->mesh, "R", DT_F32, three, negative),
        dt_ones(f->mesh, "S(0)", DT_BOOL, DT_SHAPE(4)),
    };
}

static dt_tensor *call_embedding(const values *v)
{
    return dt_embedding(v->table, v->far);
}

static dt_tensor *call_index_select(const values *v)
{
    return dt_index_select(v->table, 0, v->far);
}

static dt_tensor *call_index_add(const values *v)
{
    return dt_index_add(v->vector, 0, v->far, v->three);
}

static dt_tensor *call_index(const values *v)
{
    dt_tensor *const by[] = {v->far};
    return dt_index(v->table, by, 1);
}

static dt_tensor *call_scatter(const values *v)
{
    return dt_scatter(v->vector, 0, v->far, v->three);
}

static dt_tensor *call_one_hot(const values *v)
{
    return dt_one_hot(v->far, 4);
}

static dt_tensor *call_loss(const values *v)
{
    return dt_cross_entropy_loss(v->rows, v->far, NULL);
}

static dt_tensor *call_entropy(const values *v)
{
    return dt_binary_cross_entropy(v->chance, v->three, NULL);
}

static dt_tensor *call_bernoulli(const values *v)
{
    return dt_bernoulli(v->chance);
}

static dt_tensor *call_multinomial(const values *v)
{
    return dt_multinomial(v->negative, 1, false);
}

static dt_tensor *call_remainder(const values *v)
{
    return dt_remainder(v->far, v->zero);
}

static dt_tensor *call_masked_scatter(const values *v)
{
    return dt_masked_scatter(v->vector, v->mask, v->three);
}

static const struct {
    dt_tensor *(*call)(const values *v);
    const char *sentence;
} calls[] = {
    {call_embedding, "embedding: index 7 is out of range for dimension 0"},
    {call_index_select,
     "index_select: index 7 is out of range for dimension 0"},
    {call_index_add, "index_add: index 7 is out of range for dimension 0"},
    {call_index, "index: index 7 is out of range for dimension 0"},
    {call_scatter, "scatter: index 7 is out of range for dimension 0"},
    {call_one_hot, "one_hot: index 7 is out of range"},
    {call_loss, "index 7 is out of range for dimension 1"},
    {call_entropy, "binary_cross_entropy: self has the element 1.5"},
    {call_bernoulli, "bernoulli: p is 1.5"},
    {call_multinomial, "multinomial: a row of self has weights"},
    {call_remainder, "remainder: division of i64 by zero"},
    {call_masked_scatter, "masked_scatter: the mask selects 4"},
};

/* Every rank sees the value, so that the world goes on without a recovery. */
static void fails_alike(dt_world *world)
{
    fixture f = open_fixture(world);
    const values v = make_values(&f);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        CHECK_FAILS(world, status_of(world, calls[i].call(&v)), DT_ERR_INVALID,
                    calls[i].sentence);
        CHECKF(!strstr(dt_world_error(world)->message, "dt_world_recover"),
               "%s", dt_world_error(world)->message);
        CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    }
    close_fixture(&f);
}

/* Only the last rank has the wrong index, and its message says what to do. */
static void says_how_to_go_on(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    fixture f = open_fixture(world);
    double indexes[14] = {0};
    indexes[2 * f.ranks - 1] = 9;
    dt_tensor *self = make_tensor(&f, "R", DT_F32, DT_SHAPE(4));
    dt_tensor *by = dt_redistribute(
        tensor_of(f.mesh, "R", DT_I64, DT_SHAPE(2 * f.ranks), indexes), "S(0)");
    dt_tensor *out = dt_index_select(self, 0, by);
    if (dt_mesh_coordinate(f.mesh, 0) == f.ranks - 1) {
        const char *message = dt_world_error(world)->message;
        CHECK(!out);
        CHECKF(!strstr(message, "dt_world_recover") == (f.ranks == 1), "%s",
               message);
    }
    if (f.ranks > 1)
        CHECK_OK(world, dt_world_recover(world));
    close_fixture(&f);
}

/* ---- A kernel of the program -------------------------------------------- */

static dt_status like_first(dt_operation *operation)
{
    return dt_operation_add_result(operation, operation->metas[0]);
}

static dt_status fail_alike(dt_operation *operation)
{
    return dt_operation_fail_everywhere(operation, DT_ERR_UNSUPPORTED, "no %d",
                                        3);
}

static const dt_op never = {.size = sizeof(dt_op),
                            .schema = "never(Tensor self) -> Tensor",
                            .about = "Fail.",
                            .rule = "...->...",
                            .meta = like_first,
                            .kernel = fail_alike};

static void fails_alike_by_a_kernel(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *out = NULL;
    const dt_argument self = {
        .kind = DT_ARG_TENSOR,
        .as.tensor = dt_zeros(f.mesh, "S(0)", DT_F32, DT_SHAPE(9))};
    CHECK_OK(world, dt_op_register(world, &never));
    CHECK_FAILS(
        world,
        dt_op_call(world, "never", DT_VARIANT_NEW, &self, 1, &out, 1, NULL),
        DT_ERR_UNSUPPORTED, "never: no 3");
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"what all ranks see fails alike, and the world stays usable", fails_alike},
    {"what one rank sees says how to go on", says_how_to_go_on},
    {"a kernel says that all ranks fail", fails_alike_by_a_kernel},
    {0},
};
