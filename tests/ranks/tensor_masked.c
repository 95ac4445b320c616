/* ranks: 1 2 3 4 7 */
/* tests/ranks/tensor_masked.c - masked partial values, wherever they go. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>
#include <dtensor/local_map.h>
#include <dtensor/sys/op.h>

#include "support/tensors.h"

enum { ROWS = 11, WIDTH = 3, NAMED = 7 };

/* ---- An operator of its own --------------------------------------------- */

/* What a kernel may get wrong. */
typedef enum mask_fault { MASK_GOOD, MASK_SHAPE, MASK_DTYPE } mask_fault;

static dt_status rows_meta(dt_operation *operation)
{
    dt_meta meta =
        dt_meta_of(DT_F64, DT_SHAPE(operation->metas[1]->shape.dims[0],
                                    operation->metas[0]->shape.dims[1]));
    return dt_operation_add_result(operation, &meta);
}

static bool is_masked(const dt_spec *spec)
{
    const dt_layout *layout = dt_spec_layout(spec);
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_MASKED_PARTIAL)
            return true;
    return false;
}

static dt_status make_mask(dt_operation *operation, dt_array **out)
{
    mask_fault fault = (mask_fault)operation->arguments[2].as.integer;
    int64_t count = dt_array_extent(operation->out[0], 0);
    return dt_array_create(
        operation->world, fault == MASK_DTYPE ? DT_U8 : DT_BOOL,
        DT_SHAPE(fault == MASK_SHAPE ? count + 1 : count), out);
}

/* Rows of a table; where this rank has none, something else. */
static dt_status rows_kernel(dt_operation *operation)
{
    int64_t offset[DT_MAX_NDIM] = {0};
    const dt_array *table = operation->in[0], *by = operation->in[1];
    dt_array *mask = NULL;
    double *to = dt_array_data(operation->out[0]);
    const double *from = dt_array_const_data(table);
    dt_spec_offset(operation->in_specs[0], dt_world_rank(operation->world),
                   offset);
    if (is_masked(operation->out_specs[0])) {
        DT_TRY(make_mask(operation, &mask));
        operation->masks[0] = mask;
    }
    for (int64_t i = 0; i < dt_array_count(by); i++) {
        int64_t index = ((const int64_t *)dt_array_const_data(by))[i];
        int64_t row = index - offset[0];
        bool here = row >= 0 && row < dt_array_extent(table, 0);
        for (int64_t k = 0; k < WIDTH; k++)
            to[i * WIDTH + k] = here ? from[row * WIDTH + k] : 99;
        if (mask)
            ((unsigned char *)dt_array_data(mask))[i] = !here;
    }
    return DT_OK;
}

static const dt_op own_rows = {
    .size = sizeof(dt_op),
    .schema = "own_rows(Tensor table, Tensor indexes, int fault) -> Tensor",
    .rule = "vd,n->nd; v masked, d whole",
    .flags = DT_OP_OUT,
    .meta = rows_meta,
    .kernel = rows_kernel};

/* Processes keep one world for all tests, and its rows. */
static void register_row(dt_world *world)
{
    DT_IGNORE(dt_op_register(world, &own_rows));
    dt_check_forget(world);
}

/* ---- Looking up --------------------------------------------------------- */

/* What is looked up, and what that gives. */
typedef struct lookup {
    sample table;
    dt_tensor *by;
    dt_array *wanted;
} lookup;

/* Indexes of all ranks, in an order of no rank; others for another turn. */
static int64_t index_at(int64_t i, int turn)
{
    return (i * 5 + 2 + turn * 4) % ROWS;
}

static lookup open_lookup(dt_mesh *mesh, const char *layout, int turn)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *by = new_array(world, DT_I64, DT_SHAPE(NAMED));
    lookup at = {.table =
                     make_sample(mesh, layout, DT_F64, DT_SHAPE(ROWS, WIDTH)),
                 .wanted = new_array(world, DT_F64, DT_SHAPE(NAMED, WIDTH))};
    const double *from = dt_array_const_data(at.table.global);
    double *to = dt_array_data(at.wanted);
    for (int64_t i = 0; i < NAMED; i++) {
        int64_t row = index_at(i, turn);
        ((int64_t *)dt_array_data(by))[i] = row;
        memcpy(to + i * WIDTH, from + row * WIDTH, WIDTH * sizeof *to);
    }
    char whole[DT_MAX_NDIM + 1] = "RRRRRRRR";
    whole[dt_mesh_ndim(mesh)] = 0;
    at.by =
        dt_distribute(mesh, whole, DT_I64, DT_SHAPE(NAMED), by, DT_EVERYWHERE);
    dt_array_release(by);
    return at;
}

static void close_lookup(lookup *at)
{
    dt_array_release(at->table.global);
    dt_array_release(at->wanted);
}

static dt_tensor *call_own(const lookup *at, mask_fault fault, dt_tensor *out)
{
    dt_tensor *result = out;
    dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = at->table.tensor},
        {.kind = DT_ARG_TENSOR, .as.tensor = at->by},
        {.kind = DT_ARG_INTEGER, .as.integer = fault},
    };
    dt_status status = dt_op_call(dt_tensor_world(at->by), "own_rows",
                                  out ? DT_VARIANT_OUT : DT_VARIANT_NEW,
                                  arguments, 3, &result, 1, NULL);
    return status == DT_OK ? result : NULL;
}

/* Ways to a masked partial value. */
typedef enum way { WAY_EMBEDDING, WAY_SELECT, WAY_GATHER, WAY_OWN, WAYS } route;

static dt_tensor *make_masked(const lookup *at, route way)
{
    dt_tensor *table = at->table.tensor;
    if (way == WAY_EMBEDDING)
        return dt_embedding(table, at->by);
    if (way == WAY_SELECT)
        return dt_index_select(table, 0, at->by);
    if (way == WAY_OWN)
        return call_own(at, MASK_GOOD, NULL);
    dt_tensor *by = dt_expand(dt_unsqueeze(at->by, 1), DT_SHAPE(NAMED, WIDTH));
    return dt_gather(table, 0, by);
}

/* Check what a tensor is; the array is the caller's. */
static void check_is(dt_tensor *tensor, const dt_array *wanted,
                     const char *what)
{
    CHECKF(tensor && check_global_equals(tensor, wanted, NULL),
           "%s gives something else", what);
}

/* ---- Out and in again --------------------------------------------------- */

static dt_status give_first(dt_world *world, dt_tensor *const *inputs,
                            int input_count, dt_tensor **outputs,
                            int output_count, void *arg)
{
    (void)world;
    (void)input_count;
    (void)output_count;
    (void)arg;
    outputs[0] = inputs[0];
    return DT_OK;
}

static dt_tensor *through_map(dt_tensor *tensor, const char *layout)
{
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    const char *layouts[] = {layout};
    const dt_shape shapes[] = {dt_tensor_shape(tensor)};
    dt_tensor *out = NULL;
    options.out_layouts = layouts;
    options.out_shapes = shapes;
    CHECK_OK(dt_tensor_world(tensor),
             dt_local_map(give_first, &tensor, 1, &out, 1, &options));
    return out;
}

static dt_tensor *through_pieces(dt_tensor *tensor)
{
    dt_array *array = NULL;
    dt_spec *spec = NULL;
    CHECK_OK(dt_tensor_world(tensor),
             dt_tensor_disassemble(tensor, &array, &spec));
    dt_tensor *out = dt_tensor_assemble(spec, array);
    dt_array_release(array);
    dt_spec_release(spec);
    return out;
}

/* What its array says is its value, with any text that says how it lies. */
static void check_boundary(dt_tensor *tensor, const dt_array *wanted)
{
    dt_world *world = dt_tensor_world(tensor);
    dt_mesh *mesh = dt_tensor_mesh(tensor);
    dt_layout sum = *dt_tensor_layout(tensor);
    const char *masked = dt_layout_text(world, &sum);
    for (int i = 0; i < sum.ndim; i++)
        if (dt_placement_is_partial(sum.placements[i]))
            sum.placements[i] = dt_partial(DT_SUM);
    const char *plain = dt_layout_text(world, &sum);
    dt_array *local = dt_tensor_local(tensor);
    dt_array *part = dt_tensor_local(dt_to_local(tensor));
    check_is(dt_from_local(mesh, plain, local), wanted, "its array");
    check_is(dt_from_local(mesh, plain, part), wanted, "dt_to_local");
    check_is(dt_from_local(mesh, masked, part), wanted, "its own layout");
    check_is(through_map(tensor, plain), wanted, "dt_local_map");
    check_is(through_pieces(tensor), wanted, "dt_tensor_disassemble");
    check_is(dt_redistribute(tensor, plain), wanted, "the plain sum");
    dt_tensor *same = dt_redistribute(tensor, masked);
    check_is(same, wanted, "what it is");
    CHECK(dt_tensor_mask(same) == dt_tensor_mask(tensor));
    check_is(tensor, wanted, "the tensor");
}

/* Rows that another rank has are zero, which is what a mask says. */
static void check_zeros(const dt_tensor *masked)
{
    const dt_array *mask = dt_tensor_mask(masked);
    const double *data = dt_array_const_data(dt_tensor_local(masked));
    if (!mask)
        return;
    const unsigned char *covered = dt_array_const_data(mask);
    const int64_t row = NAMED * WIDTH / dt_array_count(mask);
    for (int64_t i = 0; i < NAMED * WIDTH; i++)
        CHECK(!covered[i / row] || data[i] == 0);
}

static void leave_the_library_as_they_are(dt_world *world)
{
    fixture f = open_fixture(world);
    register_row(world);
    for (int way = 0; way < WAYS; way++) {
        lookup of = open_lookup(f.mesh, "S(0)", 0);
        dt_tensor *masked = make_masked(&of, (route)way);
        check_layout(masked, "MaskP(sum)");
        if (CHECK(masked != NULL)) {
            CHECK(dt_tensor_mask(masked) != NULL || f.ranks == 1);
            check_zeros(masked);
            check_boundary(masked, of.wanted);
        }
        close_lookup(&of);
    }
    close_fixture(&f);
}

static void leave_a_grid_as_they_are(dt_world *world)
{
    static const struct {
        const char *table, *gives;
    } cases[] = {
        {"S(0)S(0)", "MaskP(sum)MaskP(sum)"},
        {"PS(0)", "P(sum)MaskP(sum)"},
        {"RS(0)", "RMaskP(sum)"},
        {"S(0)R", "MaskP(sum)R"},
    };
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) != 4)
        return;
    CHECK_OK(world, dt_mesh_create(world, "dp=2,tp=2", &mesh));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dt_scope *scope = dt_scope_open(world);
        lookup of = open_lookup(mesh, cases[i].table, 0);
        dt_tensor *masked = make_masked(&of, WAY_EMBEDDING);
        check_layout(masked, cases[i].gives);
        if (CHECK(masked != NULL))
            check_boundary(masked, of.wanted);
        close_lookup(&of);
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
}

/* Every kind of partial value is what its arrays and its layout say. */
static void other_kinds_leave_as_they_are(dt_world *world)
{
    static const struct {
        const char *layout;
        dt_dtype dtype;
    } cases[] = {
        {"P(sum)", DT_F32}, {"P(avg)", DT_F64},     {"P(max)", DT_I16},
        {"P(min)", DT_F32}, {"P(product)", DT_F32}, {"P(band)", DT_U8},
        {"P(bor)", DT_I64}, {"P(bxor)", DT_I32},
    };
    fixture f = open_fixture(world);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *layout = cases[i].layout;
        sample of = make_sample(f.mesh, layout, cases[i].dtype, DT_SHAPE(5));
        dt_array *whole = NULL;
        dt_tensor *full = dt_full_tensor(of.tensor);
        CHECK_OK(world, dt_array_clone(world, dt_tensor_local(full), &whole));
        dt_tensor *part = dt_to_local(of.tensor);
        check_is(dt_from_local(f.mesh, layout, dt_tensor_local(part)), whole,
                 layout);
        check_is(through_map(of.tensor, layout), whole, layout);
        check_is(through_pieces(of.tensor), whole, layout);
        dt_array_release(whole);
        dt_array_release(of.global);
    }
    close_fixture(&f);
}

/* ---- Masks of kernels --------------------------------------------------- */

/* A mask that does not fit is an error, not memory that is overrun. */
static void masks_have_to_fit(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    fixture f = open_fixture(world);
    register_row(world);
    lookup of = open_lookup(f.mesh, "S(0)", 0);
    for (int fault = MASK_SHAPE; fault <= MASK_DTYPE && f.ranks > 1; fault++) {
        dt_check_forget(world);
        CHECK(!call_own(&of, (mask_fault)fault, NULL));
        CHECK(strstr(dt_world_error(world)->message, "the mask of result 0"));
        CHECK_OK(world, dt_world_recover(world));
    }
    close_lookup(&of);
    close_fixture(&f);
}

/* ---- Overwritten -------------------------------------------------------- */

/* A tensor that was masked is a sum from then on. */
static void check_sum(dt_tensor *tensor, const dt_array *wanted,
                      const char *what)
{
    if (!CHECKF(tensor != NULL, "%s: nothing came", what))
        return;
    check_layout(tensor, "P(sum)");
    CHECK(dt_tensor_mask(tensor) == NULL ||
          dt_mesh_size(dt_tensor_mesh(tensor)) == 1);
    check_is(tensor, wanted, what);
}

static dt_array *filled(dt_world *world, double value)
{
    dt_array *array = new_array(world, DT_F64, DT_SHAPE(NAMED, WIDTH));
    CHECK_OK(world, dt_array_fill(world, array, value));
    return array;
}

static void change_in_place(dt_world *world)
{
    fixture f = open_fixture(world);
    register_row(world);
    lookup a = open_lookup(f.mesh, "S(0)", 0);
    lookup b = open_lookup(f.mesh, "S(0)", 1);
    dt_array *twice = NULL, *threes = filled(world, 3), *zeros = NULL;
    CHECK_OK(world, dt_array_clone(world, a.wanted, &twice));
    for (int64_t i = 0; i < NAMED * WIDTH; i++)
        ((double *)dt_array_data(twice))[i] *= 2;
    zeros = filled(world, 0);
    for (int way = 0; way < WAYS; way++) {
        dt_tensor *x = make_masked(&a, (route)way),
                  *y = make_masked(&a, (route)way);
        uint64_t calls = calls_so_far(world);
        CHECK(dt_mul_scalar_(x, dt_integer(2)) == x);
        CHECK(dt_add_(y, y) == y);
        CHECK_INT((long long)(calls_so_far(world) - calls), 0);
        check_sum(x, twice, "mul_");
        check_sum(y, twice, "add_");
        x = make_masked(&a, (route)way);
        check_sum(dt_fill_scalar_(x, dt_integer(3)), threes, "fill_");
        check_sum(dt_zero_(make_masked(&a, (route)way)), zeros, "zero_");
        check_sum(
            dt_copy_(make_masked(&a, (route)way), make_masked(&b, (route)way)),
            b.wanted, "copy_");
    }
    dt_array_release(twice);
    dt_array_release(threes);
    dt_array_release(zeros);
    close_lookup(&a);
    close_lookup(&b);
    close_fixture(&f);
}

/* To ask whether a call would work changes nothing; one rank may ask alone. */
static void stay_when_asked(dt_world *world)
{
    fixture f = open_fixture(world);
    lookup of = open_lookup(f.mesh, "S(0)", 0);
    dt_tensor *masked = dt_embedding(of.table.tensor, of.by);
    const dt_spec *spec = dt_tensor_spec(masked);
    const dt_array *mask = dt_tensor_mask(masked);
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = masked}};
    if (dt_world_rank(world) == 0)
        CHECK_OK(world, dt_op_check(world, "neg", DT_VARIANT_IN_PLACE,
                                    arguments, 1, NULL));
    CHECK(dt_tensor_spec(masked) == spec);
    CHECK(dt_tensor_mask(masked) == mask);
    check_is(masked, of.wanted, "what was asked about");
    close_lookup(&of);
    close_fixture(&f);
}

/* The result of an operator goes to a tensor that another mask was made for,
 * or to a sum that had none. */
static void take_results(dt_world *world)
{
    fixture f = open_fixture(world);
    register_row(world);
    lookup a = open_lookup(f.mesh, "S(0)", 0);
    lookup b = open_lookup(f.mesh, "S(0)", 1);
    dt_tensor *to = dt_embedding(a.table.tensor, a.by);
    uint64_t calls = calls_so_far(world);
    CHECK(dt_index_select_out(b.table.tensor, 0, b.by, to) == to);
    CHECK_INT((long long)(calls_so_far(world) - calls), 0);
    check_sum(to, b.wanted, "index_select to a masked tensor");
    to = dt_embedding(a.table.tensor, a.by);
    CHECK(call_own(&b, MASK_GOOD, to) == to);
    check_sum(to, b.wanted, "own_rows to a masked tensor");
    to = dt_ones(f.mesh, "P", DT_F64, DT_SHAPE(NAMED, WIDTH));
    CHECK(call_own(&b, MASK_GOOD, to) == to);
    check_sum(to, b.wanted, "own_rows to a sum");
    to = dt_ones(f.mesh, "R", DT_F64, DT_SHAPE(NAMED, WIDTH));
    CHECK(call_own(&b, MASK_GOOD, to) == to);
    check_layout(to, "R");
    check_is(to, b.wanted, "own_rows to a whole");
    close_lookup(&a);
    close_lookup(&b);
    close_fixture(&f);
}

/* Boxes of several ranks, which overwrite what was masked there. */
static void are_put_into(dt_world *world)
{
    fixture f = open_fixture(world);
    lookup of = open_lookup(f.mesh, "S(0)", 0);
    int rank = dt_world_rank(world);
    dt_tensor *to = dt_embedding(of.table.tensor, of.by);
    dt_box box = {.ndim = 2, .offset = {rank % NAMED, 0}, .size = {1, WIDTH}};
    dt_array *row = new_array(world, DT_F64, DT_SHAPE(1, WIDTH));
    CHECK_OK(world, dt_array_fill(world, row, 7));
    for (int64_t i = 0; i < NAMED * WIDTH; i++)
        if (i / WIDTH < f.ranks)
            ((double *)dt_array_data(of.wanted))[i] = 7;
    CHECK_OK(world, dt_tensor_put(to, &box, row));
    check_sum(to, of.wanted, "dt_tensor_put");
    dt_array_release(row);
    close_lookup(&of);
    close_fixture(&f);
}

/* ---- Seen otherwise ----------------------------------------------------- */

/* Views share memory and send nothing; what is written there counts. */
static void are_seen_as_sums(dt_world *world)
{
    fixture f = open_fixture(world);
    lookup of = open_lookup(f.mesh, "S(0)", 0);
    dt_tensor *masked = dt_embedding(of.table.tensor, of.by);
    start_counting(&f);
    dt_tensor *views[] = {dt_detach(masked), dt_alias(masked),
                          dt_view(masked, DT_SHAPE(NAMED * WIDTH)),
                          dt_slice(masked, 0, 0, NAMED, 1)};
    for (size_t i = 0; i < COUNT_OF(views); i++) {
        check_layout(views[i], "P(sum)");
        check_shares_memory(views[i], masked);
    }
    check_silent(&f);
    dt_array *fives = filled(world, 5);
    CHECK(dt_fill_scalar_(views[2], dt_integer(5)) == views[2]);
    check_is(views[0], fives, "a view of what was filled");
    check_is(masked, fives, "what a view was filled of");
    check_layout(dt_empty_like(masked), "P(sum)");
    check_layout(dt_zeros_like(masked), "R");
    CHECK(dt_unsqueeze_(masked, 0) == masked);
    check_layout(masked, "P(sum)");
    CHECK(dt_tensor_mask(masked) == NULL);
    dt_array_release(fives);
    close_lookup(&of);
    close_fixture(&f);
}

/* Nothing but an operator makes a mask. */
static void are_made_by_operators(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *sum = dt_ones(f.mesh, "P", DT_F64, DT_SHAPE(4));
    CHECK(!dt_redistribute(sum, "MaskP(sum)"));
    CHECK_INT(dt_world_error(world)->code, DT_ERR_UNSUPPORTED);
    dt_check_forget(world);
    /* One without a mask is a sum. */
    dt_array *ones = new_array(world, DT_F64, DT_SHAPE(4));
    CHECK_OK(world, dt_array_fill(world, ones, 1));
    check_is(dt_ones(f.mesh, "MaskP(sum)", DT_F64, DT_SHAPE(4)), ones,
             "dt_ones");
    check_is(dt_distribute(f.mesh, "MaskP(sum)", DT_F64, DT_SHAPE(4), ones,
                           DT_EVERYWHERE),
             ones, "dt_distribute");
    dt_array_release(ones);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"leave the library as they are", leave_the_library_as_they_are},
    {"leave a grid as they are", leave_a_grid_as_they_are},
    {"other kinds leave as they are", other_kinds_leave_as_they_are},
    {"masks have to fit", masks_have_to_fit},
    {"change in place", change_in_place},
    {"stay when asked whether a call would work", stay_when_asked},
    {"take results", take_results},
    {"are put into", are_put_into},
    {"are seen as sums", are_seen_as_sums},
    {"are made by operators", are_made_by_operators},
    {NULL, NULL},
};
