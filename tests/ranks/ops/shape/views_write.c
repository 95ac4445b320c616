/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/shape/views_write.c - what is written to views and to bases.
 */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: join slice view */
#include <dtensor/sys/ops_training.h>

#include "support/tensors.h"

/*
 * A program means the same on any number of ranks.  Every rank runs it twice:
 * on a mesh, and on its own mesh, where every view shares memory.  After each
 * write both have the same elements.
 */

/* A tensor on a mesh, and the same on this rank alone. */
typedef struct twin {
    dt_tensor *many;
    dt_tensor *one;
} twin;

static twin make_twin(dt_mesh *mesh, const char *layout, dt_shape shape)
{
    dt_world *world = dt_mesh_world(mesh);
    const double count = (double)dt_shape_count(shape);
    dt_tensor *numbers =
        dt_arange(dt_world_own_mesh(world), "R", DT_F32, 1, count + 1, 1);
    twin made = {.one = dt_reshape(numbers, shape)};
    made.many = dt_distribute(mesh, layout, DT_F32, shape,
                              dt_tensor_local(made.one), DT_EVERYWHERE);
    CHECKF(made.many && made.one, "%s", dt_world_error(world)->message);
    return made;
}

/* The same, with strided local arrays on the mesh. */
static twin make_loose_twin(dt_mesh *mesh, const char *layout, dt_shape shape)
{
    twin made = make_twin(mesh, layout, shape);
    made.many = loosened(made.many);
    return made;
}

/* Check that both have the same elements; outside the mesh there are none. */
static bool check_twin(const char *layout, const char *what, twin at)
{
    bool equal = false;
    dt_world *world = dt_tensor_world(at.one);
    dt_tensor *full = dt_full_tensor(at.many);
    if (!CHECKF(full && at.one, "%s, %s: %s", layout, what,
                dt_world_error(world)->message))
        return false;
    if (!dt_mesh_is_member(dt_tensor_mesh(at.many)))
        return true;
    CHECK_OK(world, dt_tensor_equal(full, at.one, &equal));
    return CHECKF(equal, "%s, %s: other elements than on one rank", layout,
                  what);
}

/* ---- Views -------------------------------------------------------------- */

/* The views that are tried; of tensors of two dimensions that are not short. */
typedef dt_tensor *(*view_function)(dt_tensor *of);

static dt_tensor *pick(dt_status status, dt_tensor *const *pieces, int which)
{
    return status == DT_OK ? pieces[which] : NULL;
}

static dt_tensor *inner_rows(dt_tensor *of)
{
    return dt_slice(of, 0, 1, -1, 1);
}

static dt_tensor *inner_columns(dt_tensor *of)
{
    return dt_slice(of, 1, 1, -1, 1);
}

static dt_tensor *second_rows(dt_tensor *of)
{
    return dt_slice(of, 0, 0, 100, 2);
}

static dt_tensor *last_columns(dt_tensor *of)
{
    return dt_narrow(of, 1, -3, 2);
}

static dt_tensor *a_row(dt_tensor *of)
{
    return dt_select(of, 0, 2);
}

static dt_tensor *a_column(dt_tensor *of)
{
    return dt_select(of, -1, -1);
}

static dt_tensor *rows_of_split(dt_tensor *of)
{
    dt_tensor *pieces[8] = {NULL};
    return pick(dt_split(of, 2, 0, pieces, 8, NULL), pieces, 1);
}

static dt_tensor *columns_of_split(dt_tensor *of)
{
    dt_tensor *pieces[8] = {NULL};
    const int64_t rest = dt_tensor_extent(of, 1) - 3;
    const int64_t sizes[] = {1, 2, rest};
    return pick(dt_split_sizes(of, sizes, 3, 1, pieces, 8, NULL), pieces, 2);
}

static dt_tensor *rows_of_chunks(dt_tensor *of)
{
    dt_tensor *pieces[8] = {NULL};
    return pick(dt_chunk(of, 2, 0, pieces, 8, NULL), pieces, 0);
}

static dt_tensor *row_of_unbind(dt_tensor *of)
{
    dt_tensor *pieces[16] = {NULL};
    return pick(dt_unbind(of, 0, pieces, 16, NULL), pieces, 3);
}

static dt_tensor *a_diagonal(dt_tensor *of)
{
    return dt_diagonal(of, 1, 0, 1);
}

static dt_tensor *reshaped_across(dt_tensor *of)
{
    const int64_t rows = dt_tensor_extent(of, 0),
                  columns = dt_tensor_extent(of, 1);
    return dt_reshape(of, DT_SHAPE(columns, rows));
}

static dt_tensor *flattened(dt_tensor *of)
{
    return dt_flatten(of, 0, -1);
}

static dt_tensor *turned(dt_tensor *of)
{
    return dt_t(of);
}

static dt_tensor *with_one_more(dt_tensor *of)
{
    return dt_unsqueeze(of, 1);
}

static dt_tensor *seen_again(dt_tensor *of)
{
    return dt_contiguous(of);
}

/* Chains: copied views of copied views, and shared ones between them. */
static dt_tensor *rows_of_rows(dt_tensor *of)
{
    return inner_rows(inner_rows(of));
}

static dt_tensor *column_of_rows(dt_tensor *of)
{
    return a_column(dt_t(dt_t(inner_rows(of))));
}

static dt_tensor *diagonal_of_turned(dt_tensor *of)
{
    return a_diagonal(dt_t(inner_columns(of)));
}

static dt_tensor *end_of_flattened(dt_tensor *of)
{
    return dt_narrow(flattened(of), 0, 5, 7);
}

/* Strides do not allow a view of these: a copy on any number of ranks. */
static dt_tensor *copied_by_reshape(dt_tensor *of)
{
    return dt_reshape(dt_t(of), DT_SHAPE(-1));
}

static dt_tensor *copied_from_columns(dt_tensor *of)
{
    return dt_flatten(inner_columns(of), 0, -1);
}

static const struct {
    const char *name;
    view_function make;
} views[] = {
    {"inner rows", inner_rows},
    {"inner columns", inner_columns},
    {"every second row", second_rows},
    {"last columns", last_columns},
    {"a row", a_row},
    {"a column", a_column},
    {"rows of split", rows_of_split},
    {"columns of split_sizes", columns_of_split},
    {"rows of chunks", rows_of_chunks},
    {"a row of unbind", row_of_unbind},
    {"a diagonal", a_diagonal},
    {"reshaped across", reshaped_across},
    {"flattened", flattened},
    {"transposed", turned},
    {"unsqueezed", with_one_more},
    {"contiguous", seen_again},
    {"rows of rows", rows_of_rows},
    {"a column of rows", column_of_rows},
    {"a diagonal of columns", diagonal_of_turned},
    {"the end of all", end_of_flattened},
    {"a copy of what was transposed", copied_by_reshape},
    {"a copy of columns", copied_from_columns},
};

enum { VIEWS = (int)(sizeof views / sizeof *views) };

static twin view_twin(twin of, int which)
{
    return (twin){views[which].make(of.many), views[which].make(of.one)};
}

/* ---- Writes ------------------------------------------------------------- */

static dt_tensor *write_scaled(dt_tensor *to)
{
    return dt_mul_scalar_(to, dt_real(-2));
}

static dt_tensor *write_copy(dt_tensor *to)
{
    return dt_copy_(to, dt_mul_scalar(dt_clone(to), dt_real(5)));
}

static dt_tensor *write_number(dt_tensor *to)
{
    return dt_fill_scalar_(to, dt_real(77));
}

static dt_tensor *write_out(dt_tensor *to)
{
    return dt_mul_scalar_out(dt_clone(to), dt_real(3), to);
}

static dt_tensor *write_list(dt_tensor *to)
{
    return dt_foreach_neg_(&to, 1) == DT_OK ? to : NULL;
}

static dt_tensor *(*const writes[])(dt_tensor *to) = {
    write_scaled, write_copy, write_number, write_out, write_list};

enum { WRITES = (int)(sizeof writes / sizeof *writes) };

static void write_twin(const char *what, twin to, int which)
{
    dt_world *world = dt_tensor_world(to.one);
    CHECKF(writes[which](to.many) != NULL, "%s: %s", what,
           dt_world_error(world)->message);
    CHECK(writes[which](to.one) != NULL);
}

typedef twin (*twin_maker)(dt_mesh *mesh, const char *layout, dt_shape shape);

/* Write to a view, to its base and to the view again; after each, both are the
 * same as on one rank, and so is another view that overlaps. */
static void check_view(const char *layout, twin base, int which, int write)
{
    const char *name = views[which].name;
    twin view = view_twin(base, which);
    twin other = view_twin(base, (which + write + 1) % VIEWS);
    write_twin(name, view, write);
    check_twin(layout, name, base);
    write_twin(name, base, (write + 1) % WRITES);
    check_twin(layout, name, view);
    check_twin(layout, views[(which + write + 1) % VIEWS].name, other);
    write_twin(name, other, (write + 2) % WRITES);
    write_twin(name, view, (write + 3) % WRITES);
    check_twin(layout, name, other);
    check_twin(layout, name, base);
    check_twin(layout, name, view);
}

static void check_views(dt_mesh *mesh, const char *layout, dt_shape shape)
{
    static const twin_maker makers[] = {make_twin, make_loose_twin};
    for (int i = 0; i < 2 * VIEWS; i++) {
        dt_scope *scope = dt_scope_open(dt_mesh_world(mesh));
        check_view(layout, makers[i % 2](mesh, layout, shape), i / 2,
                   i / 2 % WRITES);
        CHECK_OK(dt_mesh_world(mesh), dt_scope_close(scope));
    }
}

/* Rows even, uneven and fewer than ranks. */
static void writes_through_views(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R", "P(sum)"};
    const int count = (int)(sizeof layouts / sizeof *layouts);
    dt_mesh *mesh = mesh_of_all(world);
    const int64_t rows = 2 * dt_world_size(world) + 3;
    for (int i = 0; i < count; i++) {
        check_views(mesh, layouts[i], DT_SHAPE(rows, 6));
        check_views(mesh, layouts[i], DT_SHAPE(5, 5));
    }
    dt_mesh_release(mesh);
}

/* ---- Other meshes ------------------------------------------------------- */

static void writes_on_two_dimensions(dt_world *world)
{
    static const char *const layouts[] = {"S(0)S(1)", "S(0)S(0)", "S(1)R",
                                          "P(sum)S(0)", "S(0)[1]S(0)[0]"};
    const int count = (int)(sizeof layouts / sizeof *layouts);
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) % 2 != 0)
        return;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b", &mesh));
    for (int i = 0; i < count; i++)
        check_views(mesh, layouts[i], DT_SHAPE(7, 6));
    dt_mesh_release(mesh);
}

/* The last rank makes the calls too, and has nothing. */
static void writes_outside_the_mesh(dt_world *world)
{
    dt_mesh *mesh = mesh_without_last(world);
    if (!mesh)
        return;
    check_views(mesh, "S(0)", DT_SHAPE(7, 5));
    check_views(mesh, "S(1)", DT_SHAPE(7, 5));
    dt_mesh_release(mesh);
}

/* ---- What else writes and reads ----------------------------------------- */

/* The program that showed the fault: v[1:-1] = x. */
static void assigns_to_a_slice(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t n = 3 * f.ranks + 1;
    twin v = make_twin(f.mesh, "S(0)", DT_SHAPE(n));
    twin x = make_twin(f.mesh, "S(0)", DT_SHAPE(n - 2));
    CHECK(dt_copy_(dt_slice(v.many, 0, 1, -1, 1), x.many) != NULL);
    CHECK(dt_copy_(dt_slice(v.one, 0, 1, -1, 1), x.one) != NULL);
    check_twin("S(0)", "v[1:-1] = x", v);
    close_fixture(&f);
}

/* Boxes are written to copied views, and to the tensors they view. */
static void puts_boxes(dt_world *world)
{
    fixture f = open_fixture(world);
    if (SKIP_ON(world, "sim", "there are no elements"))
        return;
    twin base = make_twin(f.mesh, "S(0)", DT_SHAPE(9, 4));
    twin view = view_twin(base, 0);
    dt_array *two = NULL;
    const dt_box box = {.ndim = 2, .offset = {2, 1}, .size = {3, 2}};
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(3, 2), &two));
    CHECK_OK(world, dt_array_fill(world, two, -5));
    CHECK_OK(world, dt_tensor_put(view.many, &box, two));
    CHECK_OK(world, dt_tensor_put(view.one, &box, two));
    check_twin("S(0)", "a box of a view", base);
    CHECK_OK(world, dt_tensor_put(base.many, &box, two));
    CHECK_OK(world, dt_tensor_put(base.one, &box, two));
    check_twin("S(0)", "a box of a base", view);
    CHECK(dt_neg_(base.many) != NULL);
    CHECK_OK(world, dt_tensor_get(view.many, &box, two));
    CHECK(*(const float *)dt_array_const_data(two) == 5);
    dt_array_release(two);
    close_fixture(&f);
}

/* All rows of a list are written, of one call and of two. */
static void writes_lists(dt_world *world)
{
    fixture f = open_fixture(world);
    twin base = make_twin(f.mesh, "S(0)", DT_SHAPE(5, 3));
    dt_tensor *many[5] = {NULL}, *one[5] = {NULL};
    CHECK_OK(world, dt_unbind(base.many, 0, many, 5, NULL));
    CHECK_OK(world, dt_unbind(base.one, 0, one, 5, NULL));
    CHECK_OK(world, dt_foreach_mul_(many, 5, many, 5));
    CHECK_OK(world, dt_foreach_mul_(one, 5, one, 5));
    check_twin("S(0)", "rows squared", base);
    CHECK_OK(world, dt_split(base.many, 2, 0, many, 5, NULL));
    CHECK_OK(world, dt_split(base.one, 2, 0, one, 5, NULL));
    CHECK_OK(world, dt_foreach_neg_(many, 3));
    CHECK_OK(world, dt_foreach_neg_(one, 3));
    check_twin("S(0)", "pieces negated", base);
    close_fixture(&f);
}

/* One view is read where another of the same rows is written. */
static void reads_beside_writing(dt_world *world)
{
    fixture f = open_fixture(world);
    twin base = make_twin(f.mesh, "S(0)", DT_SHAPE(8, 3));
    dt_tensor *of[] = {base.many, base.one};
    for (int i = 0; i < 2; i++) {
        dt_tensor *late = dt_slice(of[i], 0, 1, 8, 1);
        dt_tensor *early = dt_slice(of[i], 0, 0, 7, 1);
        CHECK(dt_add_(late, early) != NULL);
        CHECK(dt_add_out(late, early, early) != NULL);
        CHECK(dt_mul_(of[i], dt_select(of[i], 0, 3)) != NULL);
    }
    check_twin("S(0)", "views of one another", base);
    close_fixture(&f);
}

/* A view outlives the scope of its base, which is released. */
static void outlives_its_base(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_scope *inner = dt_scope_open(world);
    twin view = view_twin(make_twin(f.mesh, "S(0)", DT_SHAPE(7, 4)), 0);
    dt_scope_keep(view.many);
    dt_scope_keep(view.one);
    CHECK_OK(world, dt_scope_close(inner));
    write_twin("a view alone", view, 0);
    check_twin("S(0)", "a view alone", view);
    close_fixture(&f);
}

/* Copies that were asked for are no views. */
static void leaves_copies_alone(dt_world *world)
{
    fixture f = open_fixture(world);
    twin base = make_twin(f.mesh, "S(0)", DT_SHAPE(7, 4));
    twin view = view_twin(base, 0);
    twin copy = {dt_clone(view.many), dt_clone(view.one)};
    write_twin("a copy", copy, 0);
    check_twin("S(0)", "a copy was written", base);
    write_twin("a base", base, 1);
    check_twin("S(0)", "a base was written", copy);
    close_fixture(&f);
}

/* ---- Errors ------------------------------------------------------------- */

/* Functions that are not collective fail on what is stale. */
static void refuses_stale_views(dt_world *world)
{
    fixture f = open_fixture(world);
    twin base = make_twin(f.mesh, "S(0)", DT_SHAPE(7, 4));
    dt_tensor *view = inner_rows(base.many), *local = dt_to_local(view);
    dt_array *array = NULL;
    dt_spec *spec = NULL;
    char text[64];
    CHECK(dt_tensor_local(view) && local);
    CHECK(dt_neg_(base.many) != NULL);
    if (f.ranks > 1) {
        const char *remedy = "call dt_tensor_refresh";
        CHECK_FAILS(world, (dt_tensor_local(view), dt_world_error(world)->code),
                    DT_ERR_INVALID, remedy);
        CHECK_FAILS(world, status_of(world, dt_to_local(view)), DT_ERR_INVALID,
                    remedy);
        CHECK_FAILS(world, dt_tensor_disassemble(view, &array, &spec),
                    DT_ERR_INVALID, remedy);
        CHECK_INT((long long)dt_tensor_format(view, text, sizeof text), 0);
        CHECK_FAILS(world, status_of(world, dt_neg(local)), DT_ERR_INVALID,
                    remedy);
    }
    CHECK_OK(world, dt_tensor_refresh(view));
    CHECK(dt_tensor_local(view) && dt_neg(local));
    CHECK(dt_tensor_format(view, text, sizeof text) > 0);
    close_fixture(&f);
}

/* What cannot reach the base is not written. */
static void refuses_to_lose_writes(dt_world *world)
{
    fixture f = open_fixture(world);
    twin base = make_twin(f.mesh, "S(0)", DT_SHAPE(4 * f.ranks, 4));
    dt_tensor *view = inner_rows(base.many), *local = dt_to_local(view);
    if (f.ranks > 1) {
        CHECK_FAILS(world, status_of(world, dt_neg_(local)), DT_ERR_INVALID,
                    "write to the view itself");
        CHECK(dt_array_is_read_only(dt_tensor_local(view)));
        CHECK(dt_array_is_read_only(dt_tensor_local(local)));
    } else {
        CHECK(dt_neg_(local) && dt_neg_(local));
    }
    check_twin("S(0)", "nothing was written", base);
    dt_tensor *row = make_twin(f.mesh, "S(1)", DT_SHAPE(1, 9)).many;
    dt_tensor *rows = inner_columns(dt_expand(row, DT_SHAPE(6, 9)));
    CHECK_FAILS(world, status_of(world, dt_neg_(rows)), DT_ERR_INVALID,
                "dimension 0 is expanded");
    if (f.ranks > 1)
        CHECK_FAILS(world, status_of(world, dt_neg_(dt_select(rows, 0, 0))),
                    DT_ERR_INVALID, "use dt_clone");
    close_fixture(&f);
}

/* What one rank writes through dt_to_local, a copied view does not see: this is
 * found when it is read, and a view that is taken again is right. */
static void notices_local_writes(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    fixture f = open_fixture(world);
    twin base = make_twin(f.mesh, "S(0)", DT_SHAPE(4 * f.ranks, 4));
    dt_tensor *view = inner_rows(base.many);
    CHECK(dt_neg_(dt_to_local(base.many)) && dt_neg_(base.one));
    check_twin("S(0)", "a base", base);
    if (f.ranks > 1) {
        CHECK_FAILS(world, (dt_tensor_local(view), dt_world_error(world)->code),
                    DT_ERR_INVALID, "call slice again after such writes");
        CHECK_FAILS(world, status_of(world, dt_neg(view)), DT_ERR_INVALID,
                    "through dt_to_local");
        CHECK_OK(world, dt_world_recover(world));
    }
    check_twin("S(0)", "taken again", view_twin(base, 0));
    CHECK(dt_neg_(base.many) && dt_neg_(base.one));
    check_twin("S(0)", "read again",
               (twin){view, dt_slice(base.one, 0, 1, -1, 1)});
    close_fixture(&f);
}

/* After a recovery ranks agree again that copies are to be read. */
static void reads_again_after_recovery(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    fixture f = open_fixture(world);
    twin base = make_twin(f.mesh, "S(0)", DT_SHAPE(4 * f.ranks, 4));
    twin view = view_twin(base, 0);
    if (dt_world_rank(world) == 0)
        dt_world_poison(world);
    dt_neg_(view.many);
    CHECK_OK(world, dt_world_recover(world));
    CHECK(dt_fill_scalar_(base.many, dt_real(3)) != NULL);
    CHECK(dt_fill_scalar_(base.one, dt_real(3)) != NULL);
    check_twin("S(0)", "a view after recovery", view);
    close_fixture(&f);
}

/* In strict scopes a view that was redistributed is not, behind one's back. */
static void is_strict_about_copies(dt_world *world)
{
    fixture f = open_fixture(world);
    twin base = make_twin(f.mesh, "S(1)", DT_SHAPE(4, 4 * f.ranks));
    twin view = {dt_flatten(base.many, 0, 1), dt_flatten(base.one, 0, 1)};
    CHECK(dt_neg_(base.many) && dt_neg_(base.one));
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.mode = DT_SCOPE_STRICT;
    dt_scope *strict = dt_scope_open_with(world, &options);
    if (f.ranks > 1 && dt_array_is_read_only(dt_tensor_local(view.many)))
        CHECK_FAILS(world, status_of(world, dt_neg(view.many)), DT_ERR_INVALID,
                    "redistributed implicitly");
    DT_IGNORE(dt_scope_close(strict));
    check_twin("S(1)", "outside the strict scope", view);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"writes through views", writes_through_views},
    {"writes on two dimensions", writes_on_two_dimensions},
    {"writes outside the mesh", writes_outside_the_mesh},
    {"assigns to a slice", assigns_to_a_slice},
    {"puts boxes", puts_boxes},
    {"writes lists", writes_lists},
    {"reads beside writing", reads_beside_writing},
    {"outlives its base", outlives_its_base},
    {"leaves copies alone", leaves_copies_alone},
    {"refuses stale views", refuses_stale_views},
    {"refuses to lose writes", refuses_to_lose_writes},
    {"notices local writes", notices_local_writes},
    {"reads again after recovery", reads_again_after_recovery},
    {"is strict about copies", is_strict_about_copies},
    {NULL, NULL},
};
