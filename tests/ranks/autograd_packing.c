/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_packing.c - what calls save, in another form until the
 * backward pass. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/autograd.h>
#include <dtensor/memory.h>

#include "support/tensors.h"

enum { ROWS = 9, COLUMNS = 5, COUNT = ROWS * COLUMNS };

static dt_shape shape(void)
{
    return DT_SHAPE(ROWS, COLUMNS);
}

static dt_scope *open_packing(dt_world *world, const dt_packing *packing)
{
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.packing = packing;
    return dt_scope_open_with(world, &options);
}

static dt_tensor *sum_of(dt_tensor *tensor)
{
    return dt_sum(tensor, DT_DIMS(), false);
}

/* ---- A packing of a program --------------------------------------------- */

typedef struct pile {
    int packed, unpacked, released;
    bool refuses; /* to pack */
    bool loses;   /* what it packs */
    bool shrinks; /* what it unpacks */
} pile;

static dt_status put_on(dt_tensor *tensor, void *arg, void **packed)
{
    pile *p = arg;
    if (p->refuses)
        return DT_ERR_UNSUPPORTED;
    p->packed++;
    *packed = dt_tensor_retain(tensor);
    return DT_OK;
}

static dt_tensor *take_off(void *packed, void *arg)
{
    pile *p = arg;
    p->unpacked++;
    if (p->loses)
        return NULL;
    return p->shrinks ? dt_select(packed, 0, 0) : packed;
}

static void throw_away(void *packed, void *arg)
{
    ((pile *)arg)->released++;
    dt_tensor_release(packed);
}

static dt_packing packing_of(pile *p)
{
    dt_packing packing = DT_PACKING_INIT;
    packing.pack = put_on;
    packing.unpack = take_off;
    packing.release = throw_away;
    packing.arg = p;
    return packing;
}

/* ---- The same gradients ------------------------------------------------- */

/* The sum of (x w)^2 z: the gradient of x is 2 x w^2 z, and of w 2 x^2 w z. */
static void check_gradients(dt_tensor *x, dt_tensor *w)
{
    double by_x[COUNT], by_w[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const double a = operand_at(0, i), b = operand_at(1, i);
        by_x[i] = 2 * a * b * b * operand_at(2, i);
        by_w[i] = 2 * a * a * b * operand_at(2, i);
    }
    check_values(dt_tensor_grad(x), by_x, COUNT);
    check_values(dt_tensor_grad(w), by_w, COUNT);
}

static dt_tensor *make(dt_mesh *mesh, const char *layout, int salt)
{
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = operand_at(salt, i);
    return tensor_of(mesh, layout, DT_F32, shape(), values);
}

static void check_packing(dt_world *world, dt_mesh *mesh, const char *layout,
                          const dt_packing *packing)
{
    fixture f = open_fixture(world);
    dt_tensor *x = dt_requires_grad(make(mesh, layout, 0));
    dt_tensor *w = dt_requires_grad(make(mesh, layout, 1));
    dt_scope *scope = open_packing(world, packing);
    dt_tensor *product = dt_mul(dt_clone(x), dt_clone(w));
    dt_tensor *loss =
        sum_of(dt_mul(dt_mul(product, product), make(mesh, layout, 2)));
    CHECK_OK(world, dt_backward(loss));
    if (dt_mesh_is_member(mesh))
        check_gradients(x, w);
    CHECK_OK(world, dt_scope_close(scope));
    close_without_errors(&f);
}

static void gradients_are_the_same(dt_world *world)
{
    static const char *const layouts[][3] = {{"", "", ""},
                                             {"R", "S(0)", "P"},
                                             {"RR", "S(1)R", "RS(0)"},
                                             {"RRR", "S(0)RR", "RRS(1)"}};
    mesh_list meshes = make_meshes(world);
    for (int i = 0; i < meshes.count; i++) {
        dt_mesh *mesh = meshes.meshes[i];
        pile p = {0};
        const dt_packing all[] = {
            dt_packing_shard(dt_mesh_dim_name(mesh, dt_mesh_ndim(mesh) - 1)),
            dt_packing_shard(NULL), dt_packing_cast(DT_BF16),
            dt_packing_disk(NULL), packing_of(&p)};
        for (size_t k = 0; k < COUNT_OF(all); k++)
            for (int l = 0; l < 3; l++)
                check_packing(world, mesh, layouts[dt_mesh_ndim(mesh)][l],
                              &all[k]);
        CHECK(p.packed > 0);
        CHECK_INT(p.released, p.packed);
    }
    release_meshes(&meshes);
}

/* ---- Each packing ------------------------------------------------------- */

/* A replica is gathered where it is read, and takes a part of the memory. */
static void shards_are_gathered(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_packing packing = dt_packing_shard("x");
    dt_tensor *x = dt_requires_grad(make_operand(&f, "R", DT_F32, shape(), 0));
    dt_scope *scope = open_packing(world, &packing);
    start_counting(&f);
    dt_tensor *loss = sum_of(dt_exp(dt_neg(x)));
    check_silent(&f);
    char text[4096];
    CHECK_OK(world, dt_tensor_graph_format(loss, DT_GRAPH_TEXT, text,
                                           sizeof text, NULL));
    CHECKF((strstr(text, "saves the result (packed)") != NULL) == (f.ranks > 1),
           "%s", text);
    CHECK_OK(world, dt_backward(loss));
    check_gathers(&f, 1);
    CHECK_OK(world, dt_scope_close(scope));
    close_without_errors(&f);
}

/* The memory that 64 saved tensors of 64 KiB take. */
static size_t memory_with(dt_world *world, const dt_packing *packing)
{
    dt_memory_stats before, after;
    fixture f = open_fixture(world);
    dt_tensor *x =
        dt_requires_grad(dt_full(f.mesh, "R", DT_F32, DT_SHAPE(128, 128), 1));
    dt_scope *scope = open_packing(world, packing);
    dt_tensor *at = dt_tensor_retain(dt_neg(x));
    dt_memory_read(world, &before);
    for (int i = 0; i < 64; i++) {
        dt_scope *inner = dt_scope_open(world);
        dt_tensor *next = dt_tensor_retain(dt_tanh(at));
        dt_tensor_release(at);
        at = next;
        CHECK_OK(world, dt_scope_close(inner));
    }
    dt_memory_read(world, &after);
    CHECK_OK(world, dt_backward(sum_of(at)));
    dt_tensor_release(at);
    CHECK_OK(world, dt_scope_close(scope));
    close_without_errors(&f);
    return after.used - before.used;
}

static void packings_save_memory(dt_world *world)
{
    const size_t all = memory_with(world, NULL);
    const dt_packing shard = dt_packing_shard(NULL),
                     half = dt_packing_cast(DT_BF16),
                     disk = dt_packing_disk(NULL);
    const size_t ranks = (size_t)dt_world_size(world);
    CHECKF(all >= 64U * 65536, "%zu bytes", all);
    CHECKF(memory_with(world, &shard) < all / ranks + all / 8, "%zu of %zu",
           memory_with(world, &shard), all);
    CHECKF(memory_with(world, &half) < all * 5 / 8, "%zu of %zu",
           memory_with(world, &half), all);
    CHECKF(memory_with(world, &disk) < all / 8, "%zu of %zu",
           memory_with(world, &disk), all);
}

/* bf16 rounds 257 to 256. */
static void smaller_numbers_are_rounded(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_packing packing = dt_packing_cast(DT_BF16),
                     wrong = dt_packing_cast(DT_I32);
    dt_tensor *x = dt_requires_grad(dt_ones(f.mesh, "R", DT_F32, shape()));
    dt_tensor *factor = dt_full(f.mesh, "S(0)", DT_F32, shape(), 257);
    dt_tensor *index = dt_full(f.mesh, "R", DT_I64, shape(), 1);
    dt_scope *scope = open_packing(world, &packing);
    dt_tensor *y = dt_gather(dt_mul(x, factor), 1, index);
    CHECK_OK(world, dt_backward(sum_of(y)));
    double wanted[COUNT];
    for (int i = 0; i < COUNT; i++)
        wanted[i] = i % COLUMNS == 1 ? 256 * COLUMNS : 0;
    check_values(dt_tensor_grad(x), wanted, COUNT);
    dt_scope *inner = open_packing(world, &wrong);
    check_invalid(world, dt_mul(x, factor), "i32 is no floating-point dtype");
    DT_IGNORE(dt_scope_close(inner));
    CHECK_OK(world, dt_scope_close(scope));
    close_without_errors(&f);
}

static void errors_of_disks_are_named(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails alone ends the job"))
        return;
    fixture f = open_fixture(world);
    const dt_packing packing = dt_packing_disk("/nowhere/at all");
    dt_tensor *x = dt_requires_grad(dt_ones(f.mesh, "R", DT_F32, shape()));
    dt_scope *scope = open_packing(world, &packing);
    CHECK(dt_exp(dt_neg(x)) == NULL);
    CHECK_INT(dt_world_error(world)->code, DT_ERR_IO);
    CHECK(strstr(dt_world_error(world)->message,
                 "/nowhere/at all: No such file or directory while creating a "
                 "temporary file") != NULL);
    CHECK_INT(dt_scope_close(scope), DT_ERR_IO);
    close_fixture(&f);
    CHECK_OK(world, dt_world_recover(world));
}

/* ---- What is packed ----------------------------------------------------- */

/* What three calls save is packed once; leaves are not, nor what an inner scope
 * leaves as it is. */
static void tensors_are_packed_once(dt_world *world)
{
    fixture f = open_fixture(world);
    pile p = {0};
    const dt_packing packing = packing_of(&p), none = DT_PACKING_INIT;
    dt_tensor *w = dt_requires_grad(dt_ones(f.mesh, "R", DT_F32, shape()));
    dt_tensor *x = make_operand(&f, "S(0)", DT_F32, shape(), 0);
    dt_scope *scope = open_packing(world, &packing);
    dt_tensor *sum = dt_add(dt_mul(x, w), dt_add(dt_mul(x, w), dt_mul(w, x)));
    CHECK_INT(p.packed, 1);
    dt_scope *inner = open_packing(world, &none);
    sum = dt_tensor_retain(
        dt_mul(sum, make_operand(&f, "S(0)", DT_F32, shape(), 1)));
    CHECK_OK(world, dt_scope_close(inner));
    CHECK_INT(p.packed, 1);
    CHECK_OK(world, dt_backward(sum_of(sum)));
    CHECK_INT(p.unpacked, 3);
    CHECK_INT(p.released, 1);
    double wanted[COUNT];
    for (int i = 0; i < COUNT; i++)
        wanted[i] = 3 * operand_at(0, i) * operand_at(1, i);
    check_values(dt_tensor_grad(w), wanted, COUNT);
    dt_tensor_release(sum);
    CHECK_OK(world, dt_scope_close(scope));
    close_without_errors(&f);
}

/* Two parts of a tensor are not taken for one another, nor what was written in
 * between. */
static void others_are_packed_apart(dt_world *world)
{
    static const char *const layouts[] = {"R", "S(0)", "S(1)"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        fixture f = open_fixture(world);
        const dt_packing packing = dt_packing_disk(NULL);
        dt_tensor *w =
            dt_requires_grad(dt_ones(f.mesh, "R", DT_F32, DT_SHAPE(COLUMNS)));
        dt_tensor *x = make_operand(&f, layouts[i], DT_F32, shape(), 0);
        dt_scope *scope = open_packing(world, &packing);
        dt_tensor *sum = NULL;
        double wanted[COLUMNS] = {0};
        for (int row = 0; row < ROWS; row++) {
            dt_scope *inner = dt_scope_open(world);
            dt_tensor *next = dt_mul(dt_select(x, 0, row), w);
            next = dt_tensor_retain(sum ? dt_add(sum, next) : next);
            dt_tensor_release(sum);
            sum = next;
            CHECK(dt_mul_scalar_(x, dt_real(2)) != NULL);
            CHECK_OK(world, dt_scope_close(inner));
            for (int k = 0; k < COLUMNS; k++)
                wanted[k] += operand_at(0, row * COLUMNS + k) * (1 << row);
        }
        CHECK_OK(world, dt_backward(sum_of(sum)));
        check_values(dt_tensor_grad(w), wanted, COLUMNS);
        dt_tensor_release(sum);
        CHECK_OK(world, dt_scope_close(scope));
        close_without_errors(&f);
    }
}

static dt_status cube(dt_world *world, dt_tensor *const *inputs,
                      int input_count, dt_tensor **outputs, int output_count,
                      void *arg)
{
    (void)input_count, (void)output_count, (void)arg;
    outputs[0] = dt_mul(inputs[0], dt_mul(inputs[0], inputs[0]));
    return outputs[0] ? DT_OK : dt_world_error(world)->code;
}

/* What a section runs again with is packed, what its calls save is not. */
static void inputs_of_sections_are_packed(dt_world *world)
{
    fixture f = open_fixture(world);
    pile p = {0};
    const dt_packing packing = packing_of(&p);
    dt_tensor *x =
        dt_requires_grad(make_operand(&f, "S(0)", DT_F32, shape(), 0));
    dt_scope *scope = open_packing(world, &packing);
    dt_tensor *y = dt_neg(x), *z = NULL;
    CHECK_OK(world, dt_checkpoint(cube, &y, 1, &z, 1, NULL));
    CHECK_INT(p.packed, 1);
    CHECK_OK(world, dt_backward(sum_of(z)));
    double wanted[COUNT];
    for (int i = 0; i < COUNT; i++)
        wanted[i] = -3 * operand_at(0, i) * operand_at(0, i);
    check_values(dt_tensor_grad(x), wanted, COUNT);
    CHECK_OK(world, dt_scope_close(scope));
    close_without_errors(&f);
    CHECK_INT(p.released, p.packed);
}

/* The gradient of x^3 is 3 x^2, and of that 6 x. */
static void gradients_of_gradients(dt_world *world)
{
    const dt_packing all[] = {dt_packing_shard(NULL), dt_packing_disk(NULL)};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        fixture f = open_fixture(world);
        dt_tensor *x =
            dt_requires_grad(make_operand(&f, "R", DT_F32, shape(), 0));
        dt_tensor *first = NULL, *second = NULL;
        dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
        options.differentiable = true;
        dt_scope *scope = open_packing(world, &all[i]);
        dt_tensor *y = dt_clone(x);
        dt_tensor *loss = sum_of(dt_mul(y, dt_mul(y, y)));
        CHECK_OK(world, dt_grad(&loss, 1, &x, 1, &options, &first));
        dt_tensor *again = sum_of(first);
        CHECK_OK(world, dt_grad(&again, 1, &x, 1, NULL, &second));
        double wanted[COUNT];
        for (int k = 0; k < COUNT; k++)
            wanted[k] = 6 * operand_at(0, k);
        check_values(second, wanted, COUNT);
        CHECK_OK(world, dt_scope_close(scope));
        close_without_errors(&f);
    }
}

static void functions_may_fail(dt_world *world)
{
    fixture f = open_fixture(world);
    pile p = {.refuses = true};
    const dt_packing packing = packing_of(&p);
    dt_tensor *x = dt_requires_grad(dt_ones(f.mesh, "R", DT_F32, shape()));
    dt_scope *scope = open_packing(world, &packing);
    CHECK(dt_exp(x) == NULL);
    CHECK(strstr(dt_world_error(world)->message, "`pack` of a packing failed "
                                                 "with DT_ERR_UNSUPPORTED"));
    DT_IGNORE(dt_scope_close(scope));
    p.refuses = false;
    scope = open_packing(world, &packing);
    p.loses = true;
    CHECK_FAILS(world, dt_backward(sum_of(dt_exp(x))), DT_ERR_INVALID,
                "`unpack` of a packing returned no tensor");
    p.loses = false;
    p.shrinks = true;
    CHECK_FAILS(world, dt_backward(sum_of(dt_exp(x))), DT_ERR_INVALID,
                "`unpack` of a packing returned f32[5]");
    DT_IGNORE(dt_scope_close(scope));
    close_fixture(&f);
    CHECK_INT(p.released, p.packed);
}

const dt_test dt_tests[] = {
    {"gradients are the same", gradients_are_the_same},
    {"shards are gathered", shards_are_gathered},
    {"packings save memory", packings_save_memory},
    {"smaller numbers are rounded", smaller_numbers_are_rounded},
    {"errors of disks are named", errors_of_disks_are_named},
    {"tensors are packed once", tensors_are_packed_once},
    {"others are packed apart", others_are_packed_apart},
    {"inputs of sections are packed", inputs_of_sections_are_packed},
    {"gradients of gradients", gradients_of_gradients},
    {"functions may fail", functions_may_fail},
    {NULL, NULL},
};
