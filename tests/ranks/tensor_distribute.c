/* ranks: 1 2 3 4 6 7 8 */
/* tests/ranks/tensor_distribute.c - arrays spread over meshes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/trace.h>

#include "support/tensors.h"

/* ---- Every layout ------------------------------------------------------- */

/* One array to be spread. */
typedef struct spreading {
    dt_mesh *mesh;
    dt_layout layout;
    dt_dtype dtype;
    dt_shape shape;
    int source;
    array_form form;
    element_rule rule;
} spreading;

/* Tell whether two arrays have bytes in common. */
static bool share_memory(const dt_array *a, const dt_array *b)
{
    const char *data_a = dt_array_const_data(a);
    const char *data_b = dt_array_const_data(b);
    int64_t last = 0;
    for (int i = 0; i < dt_array_ndim(b); i++)
        last += (dt_array_extent(b, i) - 1) * dt_array_stride(b, i);
    return data_a && data_b &&
           data_a <
               data_b + (size_t)(last + 1) * dt_dtype_size(dt_array_dtype(b)) &&
           data_b < data_a + dt_array_bytes(a);
}

static bool has_whole(const dt_world *world, const spreading *of)
{
    return of->source == DT_EVERYWHERE || of->source == dt_world_rank(world);
}

/* What this rank gives: the whole, nothing, or something that is ignored. */
static dt_array *given_array(dt_world *world, const spreading *of)
{
    if (has_whole(world, of))
        return global_array(world, of->dtype, of->shape, of->form, of->rule);
    return of->rule.salt % 3 ? NULL : new_array(world, DT_I8, DT_SHAPE(2));
}

static void check_spreading(dt_world *world, const spreading *of)
{
    dt_scope *scope = dt_scope_open(world);
    dt_array *given = given_array(world, of);
    const char *layout = dt_layout_text(world, &of->layout);
    dt_tensor *tensor = dt_distribute(of->mesh, layout, of->dtype, of->shape,
                                      given, of->source);
    bool good = CHECKF(tensor, "%s", dt_world_error(world)->message);
    if (good) {
        CHECK(dt_shape_equal(dt_tensor_shape(tensor), of->shape));
        good = check_local(tensor, &of->layout, of->rule);
        good &= check_global(tensor, of->rule); /* collective */
    }
    if (has_whole(world, of)) {
        good &= check_box(given, of->shape, NULL, of->rule);
        if (tensor)
            good &= CHECK(!share_memory(dt_tensor_local(tensor), given));
    }
    check_case(good, of->mesh, layout, of->dtype, of->shape);
    dt_array_release(given);
    CHECK_OK(world, dt_scope_close(scope));
}

/* All layouts of a mesh of one dimension. */
static int list_layouts(int ndim, dt_dtype dtype, dt_layout *out)
{
    int count = 0;
    dt_placement placement = dt_replicate();
    out[count++] = dt_layout_of(&placement, 1);
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        if (has_reduction((dt_reduce)op, dtype)) {
            placement = dt_partial((dt_reduce)op);
            out[count++] = dt_layout_of(&placement, 1);
        }
    for (int dim = 0; dim < ndim; dim++) {
        placement = dt_shard(dim);
        out[count++] = dt_layout_of(&placement, 1);
        for (int factor = 1; factor <= 3; factor++) {
            placement = dt_strided_shard(dim, factor);
            out[count++] = dt_layout_of(&placement, 1);
        }
    }
    return count;
}

static void spreads_along_a_line(dt_world *world)
{
    int n = dt_world_size(world);
    const dt_shape shapes[] = {
        DT_SHAPE(),         DT_SHAPE(0),        DT_SHAPE(1),
        DT_SHAPE(n - 1),    DT_SHAPE(2 * n),    DT_SHAPE(13),
        DT_SHAPE(n + 1, 3), DT_SHAPE(1, 2 * n), DT_SHAPE(2, 5, 3),
        DT_SHAPE(1, 1, 7),  DT_SHAPE(3, 0, 2),
    };
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    unsigned salt = 0;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        dt_layout layouts[32];
        dt_dtype dtype = (dt_dtype)(i % DT_DTYPE_COUNT);
        int count = list_layouts(shapes[i].ndim, dtype, layouts);
        for (int j = 0; j < count; j++, salt++) {
            int source = (int)(salt % (unsigned)(n + 1)) - 1;
            check_spreading(
                world, &(spreading){mesh,
                                    layouts[j],
                                    dtype,
                                    shapes[i],
                                    source,
                                    (array_form)(salt % FORM_COUNT),
                                    {salt, layout_is_partial(&layouts[j])}});
        }
    }
    dt_mesh_release(mesh);
}

/* Every dtype with every source, from arrays of every form. */
static void spreads_every_dtype_from_everywhere(dt_world *world)
{
    static const char *const texts[] = {"S(0)", "S(1)", "R", "P(sum)"};
    int n = dt_world_size(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
        for (size_t i = 0; i < COUNT_OF(texts); i++)
            for (int source = DT_EVERYWHERE; source < n; source++) {
                spreading of = {
                    .mesh = mesh,
                    .dtype = (dt_dtype)dtype,
                    .shape = DT_SHAPE(n + 1, 5),
                    .source = source,
                    .form = (array_form)((source + dtype + 1) % FORM_COUNT),
                    .rule = {(uint64_t)dtype, texts[i][0] == 'P'},
                };
                CHECK_OK(world, dt_layout_parse(world, texts[i], &of.layout));
                check_spreading(world, &of);
            }
    dt_mesh_release(mesh);
}

/* Layouts, orders, shapes, dtypes and sources at random. */
static void spreads_over_grids(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_list grids = make_meshes(world);
    for (int i = 0; i < grids.count; i++)
        for (int round = 0; round < 150; round++) {
            spreading of = {.mesh = grids.meshes[i],
                            .dtype = draw_dtype(&state),
                            .shape = draw_shape(&state)};
            of.layout = draw_layout(of.mesh, of.shape.ndim, of.dtype, &state,
                                    DRAW_PARTIAL | DRAW_STRIDED);
            int who = below(&state, dt_mesh_size(of.mesh) + 1);
            of.source = who ? dt_mesh_ranks(of.mesh)[who - 1] : DT_EVERYWHERE;
            of.form = (array_form)below(&state, FORM_COUNT);
            of.rule = (element_rule){dt_test_random(&state) >> 1,
                                     layout_is_partial(&of.layout)};
            check_spreading(world, &of);
        }
    release_meshes(&grids);
}

/* All sets of replicas and shards, with all orders, of two mesh dimensions. */
static void spreads_in_every_order(dt_world *world)
{
    static const char *const texts[] = {
        "RR",
        "RS(0)",
        "RS(1)",
        "S(0)R",
        "S(0)[0]S(0)[1]",
        "S(0)[1]S(0)[0]",
        "S(0)S(1)",
        "S(1)R",
        "S(1)S(0)",
        "S(1)[0]S(1)[1]",
        "S(1)[1]S(1)[0]",
        "_S(0,2)S(0)",
        "S(0)_S(0,2)",
        "_S(1,3)_S(1,2)",
        "S(1)P",
        "P(max)S(0)",
        "PP",
        "P(avg)P",
        "P(product)R",
        "RP(product)",
    };
    int n = dt_world_size(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, n % 2 ? "a,b=1" : "a=2,b", &mesh));
    unsigned salt = 0;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int source = DT_EVERYWHERE; source < n; source++, salt++) {
            spreading of = {.mesh = mesh,
                            .dtype = salt % 2 ? DT_F64 : DT_F16,
                            .shape =
                                salt % 3 ? DT_SHAPE(13, 5) : DT_SHAPE(8, 4),
                            .source = source,
                            .form = (array_form)(salt % FORM_COUNT)};
            CHECK_OK(world, dt_layout_parse(world, texts[i], &of.layout));
            of.rule = (element_rule){salt, layout_is_partial(&of.layout)};
            check_spreading(world, &of);
        }
    dt_mesh_release(mesh);
}

/* A source that nobody may write to, all of one element, or wrapped. */
static void takes_arrays_that_cannot_be_written(dt_world *world)
{
    static const char *const texts[] = {"R", "S(0)", "P(max)", "P"};
    int source = dt_world_size(world) - 1;
    const int64_t memory[6] = {3, 3, 3, 3, 3, 3};
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int repeats = 0; repeats < 2; repeats++) {
            int64_t none = 0, one = 1;
            dt_array *whole = NULL,
                     *out = new_array(world, DT_I64, DT_SHAPE(6));
            dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
            union {
                const void *from;
                void *to;
            } data = {.from = memory};
            options.data = data.to;
            options.dtype = DT_I64;
            options.shape = DT_SHAPE(6);
            options.strides = repeats ? &none : &one;
            options.read_only = true;
            CHECK_OK(world, dt_array_wrap(world, &options, &whole));
            dt_tensor *tensor = dt_distribute(mesh, texts[i], DT_I64,
                                              DT_SHAPE(6), whole, source);
            if (CHECKF(tensor, "%s: %s", texts[i],
                       dt_world_error(world)->message)) {
                CHECK(!dt_array_is_read_only(dt_tensor_local(tensor)));
                CHECK_OK(world,
                         dt_tensor_get(tensor,
                                       &(dt_box){.ndim = 1, .size = {6}}, out));
                CHECK(memcmp(dt_array_data(out), memory, sizeof memory) == 0);
            }
            dt_array_release(out);
            dt_array_release(whole);
        }
    dt_mesh_release(mesh);
}

/* ---- What is sent ------------------------------------------------------- */

static void check_calls(dt_world *world, const char *layout, int source,
                        dt_collective only, int calls)
{
    for (int kind = 0; kind < DT_COLLECTIVE_COUNT; kind++) {
        int wanted = kind == (int)only ? calls : 0;
        int made = (int)dt_trace_count(world, (dt_collective)kind).calls;
        CHECKF(made == wanted, "%s from %d: %d calls of %s, not %d", layout,
               source, made, dt_collective_name((dt_collective)kind), wanted);
    }
}

/* Spread a tensor of (12, 4) f32 and leave what was sent in the trace. */
static void spread_and_count(dt_world *world, dt_mesh *mesh, const char *layout,
                             int source)
{
    dt_group *group = NULL;
    dt_array *whole = new_array(world, DT_F32, DT_SHAPE(12, 4));
    CHECK_OK(world, dt_array_fill(world, whole, 1));
    for (int i = 0; i < dt_mesh_ndim(mesh); i++) /* they are made only once */
        CHECK_OK(world, dt_mesh_group(mesh, i, &group));
    dt_trace_clear(world);
    CHECKF(dt_distribute(mesh, layout, DT_F32, DT_SHAPE(12, 4), whole, source),
           "%s: %s", layout, dt_world_error(world)->message);
    dt_array_release(whole);
}

static void behaviour_17_number_of_calls(dt_world *world)
{
    int n = dt_world_size(world), rank = dt_world_rank(world);
    bool several = n > 1;
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int source = 0; source < n; source++) {
        spread_and_count(world, mesh, "S(0)", source);
        check_calls(world, "S(0)", source, DT_SCATTER, several);
        spread_and_count(world, mesh, "S(1)", source);
        check_calls(world, "S(1)", source, DT_SCATTER, several);
        spread_and_count(world, mesh, "_S(0,2)", source);
        check_calls(world, "_S(0,2)", source, DT_SCATTER, several);
        spread_and_count(world, mesh, "R", source);
        check_calls(world, "R", source, DT_BROADCAST, several);
        spread_and_count(world, mesh, "P(max)", source);
        check_calls(world, "P(max)", source, DT_BROADCAST, several);
        spread_and_count(world, mesh, "P", source);
        dt_collective kind = rank == source ? DT_SEND : DT_RECEIVE;
        check_calls(world, "P", source, kind,
                    source != 0 && (rank == 0 || rank == source));
    }
    static const char *const texts[] = {"R", "S(0)", "P", "_S(1,2)"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        spread_and_count(world, mesh, texts[i], DT_EVERYWHERE);
        check_calls(world, texts[i], DT_EVERYWHERE, DT_BARRIER, 0);
    }
    dt_mesh_release(mesh);
}

/* The source sends each element at most once, however many ranks there are. */
static void sends_each_element_once(dt_world *world)
{
    static const char *const texts[] = {"S(0)S(1)", "S(1)S(0)", "S(0)R",
                                        "RS(1)", "S(0)[1]S(0)[0]"};
    int n = dt_world_size(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, n % 2 ? "a,b=1" : "a=2,b", &mesh));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int source = 0; source < n; source++) {
            uint64_t sent = 0;
            spread_and_count(world, mesh, texts[i], source);
            for (int kind = 0; kind < DT_COLLECTIVE_COUNT; kind++)
                sent += dt_trace_count(world, (dt_collective)kind).bytes_sent;
            CHECKF(sent <= 12 * 4 * 4, "%s from %d: rank %d sent %llu bytes",
                   texts[i], source, dt_world_rank(world),
                   (unsigned long long)sent);
        }
    dt_mesh_release(mesh);
}

/* Ranks outside the mesh do nothing, and need not call. */
static void leaves_others_alone(dt_world *world)
{
    int members = dt_world_size(world) - 1;
    if (members == 0)
        return;
    dt_mesh *mesh = reversed_mesh(world, "x", members);
    if (dt_mesh_is_member(mesh)) {
        dt_array *whole = global_array(world, DT_I32, DT_SHAPE(7), FORM_DENSE,
                                       (element_rule){1, false});
        dt_tensor *tensor =
            dt_distribute(mesh, "S(0)", DT_I32, DT_SHAPE(7), whole, 0);
        if (CHECK(tensor))
            check_global(tensor, (element_rule){1, false});
        dt_array_release(whole);
    }
    dt_mesh_release(mesh);
}

/* Without a layout every rank gets a copy. */
static void spreads_copies_without_a_layout(dt_world *world)
{
    const element_rule rule = {2, false};
    const dt_shape shape = DT_SHAPE(3, 5);
    mesh_list grids = make_meshes(world);
    dt_array *whole = global_array(world, DT_I32, shape, FORM_DENSE, rule);
    for (int i = 0; i < grids.count; i++)
        for (int source = DT_EVERYWHERE; source < 1; source++) {
            dt_tensor *tensor = dt_distribute(grids.meshes[i], NULL, DT_I32,
                                              shape, whole, source);
            if (!CHECK(dt_spec_is_replicated(dt_tensor_spec(tensor))))
                continue;
            if (dt_mesh_is_member(grids.meshes[i]))
                check_box(dt_tensor_local(tensor), shape, NULL, rule);
        }
    dt_array_release(whole);
    release_meshes(&grids);
}

/* ---- What is refused ---------------------------------------------------- */

/* What is the same on all ranks is refused before anything is sent, and the
 * world goes on. */
static void behaviour_17_refusals(dt_world *world)
{
    dt_mesh *mesh = NULL, *part = NULL;
    int first = 0, size = dt_world_size(world);
    dt_shape shape = DT_SHAPE(4, 3);
    dt_array *whole = new_array(world, DT_I32, shape);
    CHECK_OK(world, dt_array_fill(world, whole, 0));
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    CHECK_OK(world, dt_mesh_create_from(world, "x", &first, 1, &part));
    check_invalid(world, dt_distribute(mesh, "RR", DT_I32, shape, whole, 0),
                  "placements");
    check_invalid(world, dt_distribute(mesh, "S(2)", DT_I32, shape, whole, 0),
                  "S(2)");
    check_invalid(world, dt_distribute(mesh, "S(-3)", DT_I32, shape, whole, 0),
                  "S(-3)");
    check_invalid(world, dt_distribute(mesh, "T", DT_I32, shape, whole, 0),
                  "T");
    check_invalid(world, dt_distribute(mesh, "P(avg)", DT_I32, shape, whole, 0),
                  "avg");
    check_invalid(world, dt_distribute(mesh, "R", DT_I32, shape, whole, size),
                  "source");
    check_invalid(world, dt_distribute(mesh, "R", DT_I32, shape, whole, -2),
                  "source");
    check_invalid(
        world, dt_distribute(mesh, "R", DT_I32, DT_SHAPE(-1), whole, 0), "-1");
    check_invalid(world,
                  dt_distribute(mesh, "R", DT_DTYPE_COUNT, shape, whole, 0),
                  "dtype");
    if (size > 1)
        check_invalid(world,
                      dt_distribute(part, "R", DT_I32, shape, whole, size - 1),
                      "not in the mesh");
    CHECK(!dt_distribute(NULL, "R", DT_I32, shape, whole, 0));
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_array_release(whole);
    dt_mesh_release(part);
    dt_mesh_release(mesh);
}

/* What the source may have instead of the whole. */
static dt_array *wrong_array(dt_world *world, int which)
{
    dt_array *array = NULL;
    if (which == 0)
        return NULL;
    if (which == 1)
        return new_array(world, DT_F32, DT_SHAPE(6));
    if (which == 2)
        return new_array(world, DT_F64, DT_SHAPE(3, 2));
    CHECK_OK(world, dt_array_create_meta(world, DT_F64, DT_SHAPE(6), &array));
    return array;
}

/* A wrong array is the source's failure; the others hear of it, and all go
 * on. */
static void a_wrong_array_is_told_to_all(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    static const char *const texts[] = {"R", "S(0)", "P(max)", "P"};
    int n = dt_world_size(world), rank = dt_world_rank(world);
    element_rule rule = {5, true};
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int round = 0; round < 16; round++) {
        const char *layout = texts[round % 4];
        int source = round * 7 % n;
        dt_array *wrong = rank == source ? wrong_array(world, round / 4) : NULL;
        dt_check_forget(world);
        dt_tensor *tensor =
            dt_distribute(mesh, layout, DT_F64, DT_SHAPE(6), wrong, source);
        dt_status code = dt_world_error(world)->code;
        if (rank == source) {
            CHECK(!tensor);
            CHECK_INT(code, DT_ERR_INVALID);
        } else if (tensor) {
            /* Nothing was sent to this rank; it hears of it soon. */
            CHECK(layout[0] == 'P' && layout[1] == '\0' && rank != 0);
            CHECK_FAILS(world, dt_group_barrier(dt_world_group(world)),
                        DT_ERR_PEER, "dt_distribute");
        } else {
            CHECK_INT(code, DT_ERR_PEER);
            CHECK(strstr(dt_world_error(world)->message, "dt_distribute"));
        }
        CHECK_OK(world, dt_world_recover(world));
        dt_array_release(wrong);
        dt_array *whole =
            global_array(world, DT_F64, DT_SHAPE(6), FORM_DENSE, rule);
        tensor =
            dt_distribute(mesh, layout, DT_F64, DT_SHAPE(6), whole, source);
        if (CHECK(tensor))
            check_global(tensor, rule);
        dt_array_release(whole);
    }
    dt_mesh_release(mesh);
}

/* Where every rank has the array, each finds out alone. */
static void a_wrong_array_everywhere_is_refused(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int which = 0; which < 4; which++) {
        dt_array *wrong = wrong_array(world, which);
        dt_check_forget(world);
        CHECK(!dt_distribute(mesh, "S(0)", DT_F64, DT_SHAPE(6), wrong,
                             DT_EVERYWHERE));
        CHECK_INT(dt_world_error(world)->code, DT_ERR_INVALID);
        dt_array_release(wrong);
        CHECK_OK(world, dt_world_recover(world));
    }
    dt_mesh_release(mesh);
}

/* On a rank's own mesh nobody waits, and nobody has to hear of a mistake. */
static void mistakes_on_an_own_mesh_stay_there(dt_world *world)
{
    dt_mesh *mesh = NULL, *own = dt_world_own_mesh(world);
    dt_array *six = new_array(world, DT_F64, DT_SHAPE(6));
    const dt_box behind = {.ndim = 1, .offset = {4}, .size = {6}};
    const int rank = dt_world_rank(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    if (rank == 0) {
        dt_tensor *few = dt_zeros(own, "R", DT_F64, DT_SHAPE(6));
        CHECK(!dt_distribute(own, "R", DT_F64, DT_SHAPE(5), six, rank));
        CHECK(
            !dt_distribute(own, "R", DT_F64, DT_SHAPE(5), six, DT_EVERYWHERE));
        CHECK_FAILS(world, dt_tensor_get(few, &behind, six), DT_ERR_INVALID,
                    "box");
        CHECK_FAILS(world, dt_tensor_put(few, &behind, six), DT_ERR_INVALID,
                    "box");
    }
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_array_release(six);
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"spreads along a line", spreads_along_a_line},
    {"spreads every dtype from everywhere",
     spreads_every_dtype_from_everywhere},
    {"spreads over grids", spreads_over_grids},
    {"spreads in every order", spreads_in_every_order},
    {"takes arrays that cannot be written",
     takes_arrays_that_cannot_be_written},
    {"4.1.17: number of calls", behaviour_17_number_of_calls},
    {"4.1.17: refusals", behaviour_17_refusals},
    {"sends each element once", sends_each_element_once},
    {"leaves others alone", leaves_others_alone},
    {"spreads copies without a layout", spreads_copies_without_a_layout},
    {"a wrong array is told to all", a_wrong_array_is_told_to_all},
    {"a wrong array everywhere is refused",
     a_wrong_array_everywhere_is_refused},
    {"mistakes on an own mesh stay there", mistakes_on_an_own_mesh_stay_there},
    {NULL, NULL},
};
