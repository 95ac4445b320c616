/* ranks: 1 2 3 4 6 7 8 */
/* tests/ranks/tensor_boxes.c - boxes of tensors, read, written and listed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <dtensor/trace.h>

#include "support/tensors.h"

/* ---- Boxes that ranks name ---------------------------------------------- */

typedef enum box_kind {
    BOX_NONE, /* NULL */
    BOX_EMPTY,
    BOX_WHOLE,
    BOX_RANDOM,
    BOX_KINDS = 6 /* random ones are more likely */
} box_kind;

/* The box of a rank in a round: every rank can tell. */
static box_kind draw_box(uint64_t round, int rank, dt_shape shape, dt_box *out)
{
    unsigned long long state = word_of(round, rank, 1);
    box_kind kind = (box_kind)below(&state, BOX_KINDS);
    if (kind > BOX_RANDOM)
        kind = BOX_RANDOM;
    *out = (dt_box){.ndim = shape.ndim};
    for (int i = 0; i < shape.ndim; i++) {
        int extent = (int)shape.dims[i];
        out->size[i] = extent;
        if (kind != BOX_RANDOM || extent == 0)
            continue;
        out->offset[i] = below(&state, extent + 1);
        out->size[i] = below(&state, extent - (int)out->offset[i] + 1);
    }
    if (kind == BOX_EMPTY && shape.ndim > 0) {
        int dim = below(&state, shape.ndim);
        out->offset[dim] = shape.dims[dim];
        out->size[dim] = 0;
    }
    return kind;
}

static dt_shape box_shape(const dt_box *box)
{
    return dt_shape_make(box->ndim, box->size);
}

/* ---- Reading ------------------------------------------------------------ */

static bool read_own_box(dt_tensor *tensor, uint64_t round, element_rule rule)
{
    dt_world *world = dt_tensor_world(tensor);
    dt_shape shape = dt_tensor_shape(tensor);
    dt_box box;
    box_kind kind = draw_box(round, dt_world_rank(world), shape, &box);
    dt_array *out =
        new_array_in(world, dt_tensor_dtype(tensor), box_shape(&box),
                     (array_form)(round % FORM_COUNT));
    bool wanted = kind != BOX_NONE && dt_array_count(out) > 0;
    bool good =
        CHECK_OK(world, dt_tensor_get(tensor, kind == BOX_NONE ? NULL : &box,
                                      wanted || round % 2 ? out : NULL));
    if (good && wanted && dt_mesh_is_member(dt_tensor_mesh(tensor)))
        good = check_box(out, shape, box.offset, rule);
    dt_array_release(out);
    return good;
}

static void reads_boxes(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_list grids = make_meshes(world);
    for (int i = 0; i < grids.count; i++)
        for (int round = 0; round < 80; round++) {
            dt_mesh *mesh = grids.meshes[i];
            dt_scope *scope = dt_scope_open(world);
            dt_dtype dtype = draw_dtype(&state);
            dt_shape shape = draw_shape(&state);
            dt_layout layout = draw_layout(mesh, shape.ndim, dtype, &state,
                                           DRAW_PARTIAL | DRAW_STRIDED);
            const char *text = dt_layout_text(world, &layout);
            element_rule rule = {dt_test_random(&state),
                                 layout_is_partial(&layout)};
            dt_array *whole =
                global_array(world, dtype, shape, FORM_DENSE, rule);
            dt_tensor *tensor =
                dt_distribute(mesh, text, dtype, shape, whole, DT_EVERYWHERE);
            bool good = CHECKF(tensor, "%s", dt_world_error(world)->message);
            for (int j = 0; good && j < 3; j++)
                read_own_box(tensor, dt_test_random(&state), rule);
            check_case(good, mesh, text, dtype, shape);
            dt_array_release(whole);
            CHECK_OK(world, dt_scope_close(scope));
        }
    release_meshes(&grids);
}

/* A rank that has the box itself reads it from itself. */
static void reads_what_is_near(dt_world *world)
{
    static const char *const texts[] = {"RR", "S(0)S(0)", "RS(0)", "S(0)R"};
    int n = dt_world_size(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, n % 2 ? "a,b=1" : "a=2,b", &mesh));
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        dt_tensor *tensor = dt_arange_int(mesh, texts[i], DT_I64, 0, 12 * n, 1);
        dt_array *local = dt_tensor_local(tensor);
        dt_array *out = new_array(world, DT_I64, dt_array_shape(local));
        dt_box box = {.ndim = 1, .size = {dt_array_count(local)}};
        CHECK(dt_spec_offset(dt_tensor_spec(tensor), dt_world_rank(world),
                             box.offset));
        dt_trace_clear(world);
        CHECK_OK(world, dt_tensor_get(tensor, &box, out));
        CHECK(dt_array_equal(local, out));
        dt_trace_counter counter = dt_trace_count(world, DT_ALL_TO_ALL);
        CHECK_INT(counter.calls, 1);
        CHECK_INT(counter.bytes_sent, 0);
        CHECK_INT(counter.bytes_received, 0);
        dt_array_release(out);
    }
    dt_mesh_release(mesh);
}

/* Halos: every rank reads its block and one element to each side. */
static void reads_halos(dt_world *world)
{
    int64_t n = dt_world_size(world), rank = dt_world_rank(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_tensor *tensor = dt_arange_int(mesh, "S(0)", DT_I32, 0, 3 * n, 1);
    int64_t begin = rank ? 3 * rank - 1 : 0;
    int64_t end = rank == n - 1 ? 3 * n : 3 * rank + 4;
    dt_box box = {.ndim = 1, .offset = {begin}, .size = {end - begin}};
    dt_array *out = new_array(world, DT_I32, DT_SHAPE(end - begin));
    CHECK_OK(world, dt_tensor_get(tensor, &box, out));
    for (int64_t i = begin; i < end; i++)
        CHECK_INT(((const int32_t *)dt_array_const_data(out))[i - begin], i);
    dt_array_release(out);
    dt_mesh_release(mesh);
}

/* ---- Writing ------------------------------------------------------------ */

/* What rank number `rank` of the world writes in a round. */
static element_rule rule_of(uint64_t round, int rank)
{
    return (element_rule){word_of(round, rank, 2), true};
}

/* Write all boxes into the whole as the ranks do: in the order of the mesh. */
static void write_model(dt_array *model, const dt_mesh *mesh, uint64_t round)
{
    dt_shape shape = dt_array_shape(model);
    dt_dtype dtype = dt_array_dtype(model);
    for (int i = 0; i < dt_mesh_size(mesh); i++) {
        int rank = dt_mesh_ranks(mesh)[i];
        int64_t index[DT_MAX_NDIM] = {0}, global[DT_MAX_NDIM];
        dt_box box;
        if (draw_box(round, rank, shape, &box) == BOX_NONE ||
            dt_shape_count(box_shape(&box)) == 0)
            continue;
        do {
            for (int j = 0; j < shape.ndim; j++)
                global[j] = box.offset[j] + index[j];
            write_bits(model, global,
                       element_bits(rule_of(round, rank), dtype,
                                    row_major(global, shape)));
        } while (next_index(index, box_shape(&box)));
    }
}

/* Check every element, and this rank's part: replicas must agree. */
static bool check_model(dt_tensor *tensor, const dt_layout *layout,
                        const dt_array *model)
{
    bool good = check_global_equals(tensor, model, NULL);
    if (!layout_is_partial(layout))
        good &= check_local_equals(tensor, layout, model, NULL);
    return good;
}

static bool write_own_box(dt_tensor *tensor, uint64_t round)
{
    dt_world *world = dt_tensor_world(tensor);
    int rank = dt_world_rank(world);
    dt_shape shape = dt_tensor_shape(tensor);
    dt_box box;
    box_kind kind = draw_box(round, rank, shape, &box);
    dt_array *in = new_array_in(world, dt_tensor_dtype(tensor), box_shape(&box),
                                (array_form)(round % FORM_COUNT));
    fill_box(in, shape, box.offset, rule_of(round, rank));
    bool given = kind != BOX_NONE && dt_array_count(in) > 0;
    bool good =
        CHECK_OK(world, dt_tensor_put(tensor, kind == BOX_NONE ? NULL : &box,
                                      given || round % 2 ? in : NULL));
    dt_array_release(in);
    return good;
}

/* Boxes of any layout, partial ones too; where they overlap, the last rank in
 * the order of the mesh wins on every replica. */
static void writes_boxes(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_list grids = make_meshes(world);
    for (int i = 0; i < grids.count; i++)
        for (int round = 0; round < 60; round++) {
            dt_mesh *mesh = grids.meshes[i];
            dt_scope *scope = dt_scope_open(world);
            dt_dtype dtype = draw_dtype(&state);
            dt_shape shape = draw_shape(&state);
            dt_layout layout = draw_layout(mesh, shape.ndim, dtype, &state,
                                           DRAW_PARTIAL | DRAW_STRIDED);
            const char *text = dt_layout_text(world, &layout);
            element_rule rule = {dt_test_random(&state), true};
            dt_array *model =
                global_array(world, dtype, shape, FORM_DENSE, rule);
            dt_tensor *tensor =
                dt_distribute(mesh, text, dtype, shape, model, DT_EVERYWHERE);
            bool good = CHECKF(tensor, "%s", dt_world_error(world)->message);
            for (int j = 0; tensor && j < 3; j++) {
                uint64_t salt = dt_test_random(&state);
                good &= write_own_box(tensor, salt);
                write_model(model, mesh, salt);
                good &= check_model(tensor, &layout, model);
            }
            check_case(good, mesh, text, dtype, shape);
            dt_array_release(model);
            CHECK_OK(world, dt_scope_close(scope));
        }
    release_meshes(&grids);
}

/* Addends of all ranks are replaced where something is written. */
static void writes_into_sums(dt_world *world)
{
    int n = dt_world_size(world), rank = dt_world_rank(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_array *part = new_array(world, DT_I64, DT_SHAPE(6));
    CHECK_OK(world, dt_array_fill_int(world, part, rank + 1));
    dt_tensor *tensor = dt_from_local(mesh, "P", part);
    dt_array *two = new_array(world, DT_I64, DT_SHAPE(2));
    CHECK_OK(world, dt_array_fill_int(world, two, 1000 + rank));
    dt_box box = {.ndim = 1, .offset = {3}, .size = {2}};
    CHECK_OK(world, dt_tensor_put(tensor, rank == n - 1 ? &box : NULL, two));
    const int64_t *data = dt_array_const_data(part);
    for (int i = 0; i < 6; i++) {
        bool written = i == 3 || i == 4;
        CHECK_INT(data[i], !written ? rank + 1 : rank == 0 ? 1000 + n - 1 : 0);
    }
    dt_array *out = new_array(world, DT_I64, DT_SHAPE(6));
    CHECK_OK(world,
             dt_tensor_get(tensor, &(dt_box){.ndim = 1, .size = {6}}, out));
    data = dt_array_const_data(out);
    for (int i = 0; i < 6; i++)
        CHECK_INT(data[i], i == 3 || i == 4 ? 1000 + n - 1 : n * (n + 1) / 2);
    dt_array_release(out);
    dt_array_release(two);
    dt_array_release(part);
    dt_mesh_release(mesh);
}

/* Blocks of one rank's part are moved to another place of the tensor. */
static void writes_from_the_own_part(dt_world *world)
{
    int64_t n = dt_world_size(world), rank = dt_world_rank(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_tensor *tensor = dt_arange_int(mesh, "S(0)", DT_I64, 0, 4 * n, 1);
    dt_box next = {.ndim = 1, .offset = {(rank + 1) % n * 4}, .size = {4}};
    CHECK_OK(world, dt_tensor_put(tensor, &next, dt_tensor_local(tensor)));
    const int64_t *data = dt_array_const_data(dt_tensor_local(tensor));
    for (int i = 0; i < 4; i++)
        CHECK_INT(data[i], (rank + n - 1) % n * 4 + i);
    dt_array *local = dt_tensor_local(tensor);
    CHECK_OK(world, dt_tensor_get(tensor, &next, local));
    for (int i = 0; i < 4; i++)
        CHECK_INT(data[i], rank * 4 + i);
    dt_mesh_release(mesh);
}

/* ---- What is refused ---------------------------------------------------- */

/* A call with something wrong on one rank. */
typedef struct mistake {
    const char *text; /* of the message */
    dt_box box;
    bool writes;
} mistake;

enum { MISTAKES = 12 };

static mistake make_mistake(dt_world *world, int which, dt_array **array)
{
    mistake bad = {"", {.ndim = 2, .size = {2, 2}}, which >= 8};
    dt_array *one = NULL;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    static float memory[4];
    *array = new_array(world, DT_F32, DT_SHAPE(2, 2));
    switch (which) {
    case 0:
        bad.box.ndim = 1;
        bad.text = "1 dimensions";
        return bad;
    case 1:
        bad.box.offset[1] = 3;
        bad.text = "dimension 1";
        return bad;
    case 2:
        bad.box.offset[0] = -1;
        bad.text = "dimension 0";
        return bad;
    case 3:
        bad.box.size[0] = -1;
        bad.text = "dimension 0";
        return bad;
    case 4:
        bad.box.size[1] = INT64_MAX;
        bad.text = "dimension 1";
        return bad;
    case 5: /* read-only */
        dt_array_release(*array);
        options.data = memory;
        options.shape = DT_SHAPE(2, 2);
        options.read_only = true;
        CHECK_OK(world, dt_array_wrap(world, &options, array));
        bad.text = "read-only";
        return bad;
    case 6: /* repeated */
        dt_array_release(*array);
        one = new_array(world, DT_F32, DT_SHAPE(1, 2));
        CHECK_OK(world, dt_array_expand(world, one, DT_SHAPE(2, 2), array));
        dt_array_release(one);
        bad.text = "is expanded";
        return bad;
    case 7:
    case 8: /* meta */
        dt_array_release(*array);
        CHECK_OK(world,
                 dt_array_create_meta(world, DT_F32, DT_SHAPE(2, 2), array));
        bad.text = "meta";
        return bad;
    case 9: /* NULL */
        dt_array_release(*array);
        *array = NULL;
        bad.text = "array";
        return bad;
    case 10: /* another dtype */
        dt_array_release(*array);
        *array = new_array(world, DT_F64, DT_SHAPE(2, 2));
        bad.text = "dtype";
        return bad;
    default: /* another shape */
        dt_array_release(*array);
        *array = new_array(world, DT_F32, DT_SHAPE(4));
        bad.text = "shape";
        return bad;
    }
}

static void mistakes_are_told_to_all(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    int n = dt_world_size(world), rank = dt_world_rank(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int which = 0; which < MISTAKES; which++) {
        bool is_bad = rank == which % n;
        dt_array *wrong = NULL;
        dt_array *right = new_array(world, DT_F32, DT_SHAPE(2, 2));
        mistake bad = make_mistake(world, which, &wrong);
        dt_tensor *tensor =
            dt_full(mesh, which % 2 ? "S(0)" : "P", DT_F32, DT_SHAPE(4, 4), 3);
        dt_box good = {.ndim = 2, .size = {2, 2}};
        const dt_box *box = is_bad ? &bad.box : &good;
        dt_array *array = is_bad ? wrong : right;
        CHECK_OK(world, dt_array_fill(world, right, 3));
        if (bad.writes)
            CHECK_FAILS(world, dt_tensor_put(tensor, box, array),
                        is_bad ? DT_ERR_INVALID : DT_ERR_PEER, bad.text);
        else
            CHECK_FAILS(world, dt_tensor_get(tensor, box, array),
                        is_bad ? DT_ERR_INVALID : DT_ERR_PEER, bad.text);
        CHECK_OK(world, dt_world_recover(world));
        /* The tensor is as it was. */
        CHECK_OK(world, dt_tensor_get(tensor, &good, right));
        for (int i = 0; i < 4; i++)
            CHECK(((const float *)dt_array_const_data(right))[i] == 3);
        dt_array_release(wrong);
        dt_array_release(right);
    }
    dt_mesh_release(mesh);
}

/* Parts that cannot be written, or read. */
static void parts_without_elements_are_refused(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    static float memory[4];
    dt_mesh *mesh = NULL;
    dt_array *read_only = NULL, *meta = NULL;
    dt_array *four = new_array(world, DT_F32, DT_SHAPE(4));
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    options.data = memory;
    options.shape = DT_SHAPE(4);
    options.read_only = true;
    CHECK_OK(world, dt_array_wrap(world, &options, &read_only));
    CHECK_OK(world, dt_array_create_meta(world, DT_F32, DT_SHAPE(4), &meta));
    dt_box box = {.ndim = 1, .size = {4}};
    CHECK_OK(world, dt_array_fill(world, four, 0));
    CHECK_FAILS(world,
                dt_tensor_put(dt_from_local(mesh, "R", read_only), &box, four),
                DT_ERR_INVALID, "read-only");
    CHECK_OK(world, dt_world_recover(world));
    CHECK_FAILS(world,
                dt_tensor_put(dt_from_local(mesh, "R", meta), &box, four),
                DT_ERR_INVALID, "meta");
    CHECK_OK(world, dt_world_recover(world));
    CHECK_FAILS(world,
                dt_tensor_get(dt_from_local(mesh, "R", meta), &box, four),
                DT_ERR_INVALID, "meta");
    CHECK_OK(world, dt_world_recover(world));
    CHECK_OK(world,
             dt_tensor_get(dt_from_local(mesh, "R", read_only), &box, four));
    CHECK_INT(dt_tensor_get(NULL, &box, four), DT_ERR_INVALID);
    CHECK_INT(dt_tensor_put(NULL, &box, four), DT_ERR_INVALID);
    dt_array_release(four);
    dt_array_release(meta);
    dt_array_release(read_only);
    dt_mesh_release(mesh);
}

/* ---- Chunks ------------------------------------------------------------- */

enum { CHUNKS_MAX = 2500, COVERED_MAX = 2500 };

/* How often each replica number holds each element. */
typedef struct coverage {
    int replicas;
    int seen[16][COVERED_MAX];
} coverage;

static void cover(coverage *of, const dt_shard_box *chunk, dt_shape shape)
{
    int64_t index[DT_MAX_NDIM] = {0}, global[DT_MAX_NDIM];
    dt_shape size = box_shape(&chunk->box);
    if (!CHECK(chunk->replica >= 0 && chunk->replica < of->replicas) ||
        !CHECK(dt_shape_count(size) > 0))
        return;
    do {
        for (int i = 0; i < shape.ndim; i++)
            global[i] = chunk->box.offset[i] + index[i];
        of->seen[chunk->replica][row_major(global, shape)]++;
    } while (next_index(index, size));
}

/* What a chunk says of this rank's array is true. */
static void check_chunk(const dt_tensor *tensor, const dt_shard_box *chunk,
                        element_rule rule)
{
    int64_t index[DT_MAX_NDIM] = {0}, global[DT_MAX_NDIM], local[DT_MAX_NDIM];
    dt_shape shape = dt_tensor_shape(tensor);
    do {
        for (int i = 0; i < shape.ndim; i++) {
            global[i] = chunk->box.offset[i] + index[i];
            local[i] = chunk->local[i] + index[i];
        }
        if (!CHECK(read_bits(dt_tensor_local(tensor), local) ==
                   element_bits(rule, dt_tensor_dtype(tensor),
                                row_major(global, shape))))
            return;
    } while (next_index(index, box_shape(&chunk->box)));
}

static void check_chunks(dt_tensor *tensor, const dt_layout *layout,
                         element_rule rule, dt_shard_box *chunks, coverage *of)
{
    dt_world *world = dt_tensor_world(tensor);
    const dt_spec *spec = dt_tensor_spec(tensor);
    const dt_mesh *mesh = dt_tensor_mesh(tensor);
    int64_t count = -1, again = -1;
    memset(of, 0, sizeof *of);
    of->replicas = 1;
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_REPLICATE)
            of->replicas *= dt_mesh_dim_size(mesh, i);
    for (int rank = 0; rank < dt_world_size(world); rank++) {
        CHECK_OK(world,
                 dt_spec_shard_boxes(spec, rank, chunks, CHUNKS_MAX, &count));
        CHECK(count <= CHUNKS_MAX);
        for (int64_t i = 0; i < count; i++)
            cover(of, &chunks[i], dt_tensor_shape(tensor));
    }
    for (int replica = 0; replica < of->replicas; replica++)
        for (int64_t i = 0; i < dt_tensor_count(tensor); i++)
            if (!CHECK_INT(of->seen[replica][i], 1))
                return;
    CHECK_OK(world, dt_tensor_shard_boxes(tensor, NULL, 0, &count));
    chunks[count / 2].replica = -5; /* where there is no room any more */
    CHECK_OK(world, dt_tensor_shard_boxes(tensor, chunks, count / 2, &again));
    CHECK_INT(again, count);
    CHECK_INT(chunks[count / 2].replica, -5);
    CHECK_OK(world, dt_tensor_shard_boxes(tensor, chunks, count, &again));
    for (int64_t i = 0; i < count; i++)
        check_chunk(tensor, &chunks[i], rule);
}

static void chunks_tile_the_tensor(dt_world *world)
{
    unsigned long long state = dt_test_seed() + 2;
    mesh_list grids = make_meshes(world);
    dt_shard_box *chunks = calloc(CHUNKS_MAX + 1, sizeof *chunks);
    coverage *of = malloc(sizeof *of);
    for (int i = 0; chunks && of && i < grids.count; i++)
        for (int round = 0; round < 40; round++) {
            dt_mesh *mesh = grids.meshes[i];
            dt_shape shape = draw_shape(&state);
            dt_layout layout =
                draw_layout(mesh, shape.ndim, DT_I16, &state, DRAW_STRIDED);
            element_rule rule = {(uint64_t)round, false};
            dt_array *whole =
                global_array(world, DT_I16, shape, FORM_DENSE, rule);
            dt_tensor *tensor =
                dt_distribute(mesh, dt_layout_text(world, &layout), DT_I16,
                              shape, whole, DT_EVERYWHERE);
            if (CHECK(tensor))
                check_chunks(tensor, &layout, rule, chunks, of);
            dt_array_release(whole);
        }
    free(of);
    free(chunks);
    release_meshes(&grids);
}

/* A checkpoint of a partial tensor is refused: nobody has its elements. */
static void behaviour_20_partial_tensors_have_no_chunks(dt_world *world)
{
    static const char *const texts[] = {"P", "P(max)", "P(avg)", "MaskP(sum)"};
    int64_t count = -1;
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        dt_tensor *tensor = dt_zeros(mesh, texts[i], DT_F32, DT_SHAPE(4));
        CHECK_FAILS(world, dt_tensor_shard_boxes(tensor, NULL, 0, &count),
                    DT_ERR_INVALID, "partial");
        CHECK_INT(count, -1);
    }
    CHECK_INT(dt_tensor_shard_boxes(NULL, NULL, 0, &count), DT_ERR_INVALID);
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"reads boxes", reads_boxes},
    {"reads what is near", reads_what_is_near},
    {"reads halos", reads_halos},
    {"writes boxes", writes_boxes},
    {"writes into sums", writes_into_sums},
    {"writes from the own part", writes_from_the_own_part},
    {"mistakes are told to all", mistakes_are_told_to_all},
    {"parts without elements are refused", parts_without_elements_are_refused},
    {"chunks tile the tensor", chunks_tile_the_tensor},
    {"4.1.20: partial tensors have no chunks",
     behaviour_20_partial_tensors_have_no_chunks},
    {NULL, NULL},
};
