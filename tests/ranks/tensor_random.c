/* ranks: 1 2 3 4 6 7 8 */
/* tests/ranks/tensor_random.c - the same random numbers in every layout. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: rand */
#include <dtensor/trace.h>

#include "support/tensors.h"

enum { SEED = 20240917, DRAWS = 2 };

/* ---- What is drawn ------------------------------------------------------ */

typedef enum distribution { UNIFORM, NORMAL, RANDINT, RANDPERM } distribution;

/*
 * Two draws one after another from a fresh generator with the seed SEED, and
 * sums of their bits.  The sums were found on one rank; they are what every
 * number of ranks, mesh, layout and transport must give.
 */
typedef struct two_draws {
    distribution kind;
    dt_dtype dtype;
    dt_shape shape;
    uint64_t sums[DRAWS];
} two_draws;

static const two_draws samples[] = {
    {UNIFORM, DT_F32, {1, {37}}, {0x6273a5654a4c2fcf, 0x85dafcc53229cf0b}},
    {UNIFORM, DT_F32, {3, {5, 3, 4}}, {0x28f92456e2dfc255, 0x839644bc9e52469e}},
    {UNIFORM, DT_F64, {2, {7, 5}}, {0xf0dda52f0a11deea, 0xb8e53c851947c610}},
    {UNIFORM, DT_F16, {2, {3, 11}}, {0x3268233239995949, 0xc51859a682ce7fed}},
    {UNIFORM, DT_BF16, {1, {13}}, {0x83922234447da4be, 0xb05fec9ef0410d27}},
    {UNIFORM, DT_C64, {2, {4, 5}}, {0x814a6a39fa2d26c8, 0x3d098b861c83739e}},
    {UNIFORM, DT_F32, {0, {0}}, {0x4f77feef16d933dc, 0xfcd24633fe34f972}},
    {NORMAL, DT_F32, {2, {13, 3}}, {0xe03d3c56e04f7724, 0x7d3eb8bbdc9008ec}},
    {NORMAL, DT_F64, {3, {2, 7, 3}}, {0xf7116f4110216d28, 0x9a3797ff7e16fa38}},
    {NORMAL, DT_F16, {1, {29}}, {0xc48268d7289f01a5, 0x7218a509f99b1de0}},
    {NORMAL, DT_BF16, {2, {5, 5}}, {0xd3a5ef09741ad93b, 0xe9e31d9c50225053}},
    {NORMAL, DT_C64, {1, {9}}, {0x7007a3a085185df9, 0x940f2325c38a8f0d}},
    {RANDINT, DT_I64, {2, {6, 7}}, {0x09cee6775e7eb433, 0xfbb7768f64804bf7}},
    {RANDINT, DT_I32, {1, {41}}, {0xe28eb4e09677515a, 0x6bae5899fb0e3b9c}},
    {RANDINT, DT_I16, {2, {1, 17}}, {0x51c21c3571e843f4, 0xd896c2745eefb331}},
    {RANDINT, DT_I8, {3, {3, 3, 3}}, {0x59f3fece837ae5e1, 0x35f3a09a10a84513}},
    {RANDINT, DT_U8, {1, {8}}, {0x0b20f94d3b32ffb4, 0x19760e301f7d9a03}},
    {RANDINT, DT_F32, {1, {19}}, {0x8c6fa53dfcacca79, 0xf64b30e557f6d6c9}},
    {RANDPERM, DT_I64, {1, {31}}, {0xc936d12d4efe0fba, 0x72b7d21e6b32a55a}},
    {RANDPERM, DT_I32, {1, {1}}, {0x4d25767f9dce13f5, 0x4d25767f9dce13f5}},
};

static dt_tensor *draw(dt_mesh *mesh, const char *layout, const two_draws *of)
{
    dt_randint_options options = DT_RANDINT_OPTIONS_INIT;
    options.low = of->dtype == DT_U8 ? 0 : -100;
    options.high = 100;
    switch (of->kind) {
    case UNIFORM:
        return dt_rand(mesh, layout, of->dtype, of->shape);
    case NORMAL:
        return dt_randn(mesh, layout, of->dtype, of->shape);
    case RANDINT:
        return dt_randint(mesh, layout, of->dtype, of->shape, &options);
    default:
        return dt_randperm(mesh, layout, of->dtype, of->shape.dims[0]);
    }
}

/* FNV-1a. */
static uint64_t sum_of(const dt_array *array)
{
    const unsigned char *data = dt_array_const_data(array);
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < dt_array_bytes(array); i++)
        sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* The part of this rank, and the whole, are those of the sums. */
static void check_sample(dt_tensor *tensor, const dt_layout *layout,
                         const two_draws *of, int number)
{
    dt_array *whole = read_global(tensor);
    uint64_t sum = sum_of(whole);
    if (dt_mesh_is_member(dt_tensor_mesh(tensor)))
        CHECKF(sum == of->sums[number],
               "sample %d, draw %d: the sum is 0x%016llx, not 0x%016llx",
               (int)(of - samples), number, (unsigned long long)sum,
               (unsigned long long)of->sums[number]);
    check_local_equals(tensor, layout, whole, NULL);
    dt_array_release(whole);
}

static bool has_average(const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (dt_placement_is_partial(layout->placements[i]) &&
            layout->placements[i].op == DT_AVG)
            return true;
    return false;
}

/* A layout whose partial values combine exactly. */
static dt_layout draw_exact_layout(const dt_mesh *mesh, const two_draws *of,
                                   unsigned long long *state)
{
    dt_layout layout;
    do
        layout = draw_layout(mesh, of->shape.ndim, of->dtype, state,
                             DRAW_PARTIAL | DRAW_STRIDED);
    while (has_average(&layout));
    return layout;
}

/* Every sample in many layouts on every mesh: the same bits. */
static void the_same_everywhere(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_list grids = make_meshes(world);
    for (int i = 0; i < grids.count; i++)
        for (size_t j = 0; j < COUNT_OF(samples); j++)
            for (int round = 0; round < 4; round++) {
                dt_mesh *mesh = grids.meshes[i];
                dt_scope *scope = dt_scope_open(world);
                CHECK_OK(world, dt_seed(world, SEED));
                for (int k = 0; k < DRAWS; k++) {
                    dt_layout layout =
                        draw_exact_layout(mesh, &samples[j], &state);
                    const char *text = dt_layout_text(world, &layout);
                    dt_tensor *tensor = draw(mesh, text, &samples[j]);
                    if (CHECKF(tensor, "%s", dt_world_error(world)->message))
                        check_sample(tensor, &layout, &samples[j], k);
                }
                CHECK_OK(world, dt_scope_close(scope));
            }
    release_meshes(&grids);
}

/* On the mesh of one rank the numbers are the same too. */
static void the_same_alone(dt_world *world)
{
    for (size_t j = 0; j < COUNT_OF(samples); j++) {
        dt_mesh *own = dt_world_own_mesh(world);
        dt_placement whole = dt_replicate();
        dt_layout layout = dt_layout_of(&whole, 1);
        CHECK_OK(world, dt_seed(world, SEED));
        for (int k = 0; k < DRAWS; k++)
            check_sample(draw(own, "R", &samples[j]), &layout, &samples[j], k);
    }
}

/* ---- Numbered behaviours ------------------------------------------------ */

/* The sums of what every rank of a mesh holds. */
static void gather_sums(dt_tensor *tensor, uint64_t *out)
{
    dt_world *world = dt_tensor_world(tensor);
    dt_array *mine = new_array(world, DT_I64, DT_SHAPE(1));
    dt_array *all = new_array(world, DT_I64, DT_SHAPE(dt_world_size(world)));
    *(uint64_t *)dt_array_data(mine) = sum_of(dt_tensor_local(tensor));
    CHECK_OK(world,
             dt_group_all_gather(dt_world_group(world), mine, NULL, all));
    memcpy(out, dt_array_const_data(all), dt_array_bytes(all));
    dt_array_release(mine);
    dt_array_release(all);
}

static void behaviour_88_shards_differ_and_replicas_agree(dt_world *world)
{
    int n = dt_world_size(world), columns = n % 2 ? n : n / 2;
    uint64_t sums[64];
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, n % 2 ? "a=1,b" : "a=2,b", &mesh));
    gather_sums(dt_rand(mesh, "RR", DT_F32, DT_SHAPE(8 * n)), sums);
    for (int i = 1; i < n; i++)
        CHECK(sums[i] == sums[0]);
    gather_sums(dt_randn(mesh, "S(0)S(0)", DT_F32, DT_SHAPE(8 * n)), sums);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            CHECK(sums[i] != sums[j]);
    gather_sums(dt_rand(mesh, "RS(0)", DT_F32, DT_SHAPE(8 * n)), sums);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            CHECK((sums[i] == sums[j]) == (i % columns == j % columns));
    dt_mesh_release(mesh);
}

static void check_never_called(dt_world *world)
{
    for (int kind = 0; kind < DT_COLLECTIVE_COUNT; kind++)
        CHECKF(dt_trace_count(world, (dt_collective)kind).calls == 0,
               "%s was called", dt_collective_name((dt_collective)kind));
}

/* Seeding sends nothing, and neither does the first draw.  Ranks outside the
 * mesh are not refused: they count along, for nothing else is shared. */
static void behaviour_90_seeding_sends_nothing(dt_world *world)
{
    int members = dt_world_size(world) > 1 ? dt_world_size(world) - 1 : 1;
    dt_mesh *mesh = reversed_mesh(world, "part", members);
    dt_mesh *all = mesh_of_all(world);
    dt_array *whole = new_array(world, DT_F32, DT_SHAPE(4));
    dt_trace_clear(world);
    CHECK_OK(world, dt_seed(world, 7));
    CHECK(dt_rand(mesh, "S(0)", DT_F32, DT_SHAPE(9)));
    CHECK(dt_rand(all, "S(0)", DT_F32, DT_SHAPE(9)));
    check_never_called(world);
    CHECK_INT(dt_generator_get_state(dt_mesh_generator(mesh)).count,
              dt_mesh_size(mesh) == dt_world_size(world) ? 2 : 1);
    CHECK_OK(world, dt_array_fill(world, whole, 1));
    uint64_t count = dt_generator_get_state(dt_world_generator(world)).count;
    CHECK(dt_distribute(all, "S(0)", DT_F32, DT_SHAPE(4), whole, 0));
    CHECK_INT(dt_generator_get_state(dt_world_generator(world)).count, count);
    dt_array_release(whole);
    dt_mesh_release(all);
    dt_mesh_release(mesh);
}

static void behaviour_91_generators_with_equal_seeds(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    dt_generator *own = NULL;
    uint64_t first = 0;
    CHECK_OK(world, dt_generator_create(world, 0, 0, &own));
    for (uint64_t seed = 11; seed < 13; seed++) {
        CHECK_OK(world, dt_seed(world, seed));
        dt_generator_seed(own, seed);
        for (int i = 0; i < 3; i++) {
            dt_shape shape = DT_SHAPE(17, 3);
            dt_randint_options options = DT_RANDINT_OPTIONS_INIT;
            dt_tensor *a = dt_rand(mesh, "S(0)", DT_F32, shape);
            dt_tensor *b = dt_rand_from(own, mesh, "S(0)", DT_F32, shape);
            CHECK(dt_array_equal(dt_tensor_local(a), dt_tensor_local(b)));
            a = dt_randn(mesh, "S(1)", DT_F64, shape);
            b = dt_randn_from(own, mesh, "S(1)", DT_F64, shape);
            CHECK(dt_array_equal(dt_tensor_local(a), dt_tensor_local(b)));
            options.high = 1000;
            a = dt_randint(mesh, "S(0)", DT_I32, shape, &options);
            options.generator = own;
            b = dt_randint_like(a, &options);
            CHECK(dt_array_equal(dt_tensor_local(a), dt_tensor_local(b)));
            dt_array *whole = read_global(dt_rand(mesh, "R", DT_F32, shape));
            (void)dt_rand_from(own, mesh, "R", DT_F32, shape);
            CHECK(seed == 11 ? i > 0 || (first = sum_of(whole)) != 0
                             : i > 0 || first != sum_of(whole));
            dt_array_release(whole);
        }
        CHECK_INT(dt_generator_get_state(own).count, 12);
        CHECK_INT(dt_generator_get_state(dt_world_generator(world)).count, 12);
    }
    dt_generator_release(own);
    dt_mesh_release(mesh);
}

/* Parameters that are made in their layouts: sharded twice (FSDP and TP), and
 * with replicas (HSDP and TP). */
static void behaviour_92_sharded_initialisation(dt_world *world)
{
    int n = dt_world_size(world);
    uint64_t sums[64];
    dt_mesh *mesh = NULL;
    dt_shape shape = DT_SHAPE(8 * n, 8 * n);
    CHECK_OK(world,
             dt_mesh_create(world, n % 2 ? "dp,tp=1" : "dp,tp=2", &mesh));
    gather_sums(dt_randn(mesh, "_S(0,2)S(0)", DT_F32, shape), sums);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            CHECK(sums[i] != sums[j]);
    gather_sums(dt_randn(mesh, "S(0)S(1)", DT_F32, shape), sums);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            CHECK(sums[i] != sums[j]);
    dt_mesh_release(mesh);
    if (n % 4 != 0)
        return;
    CHECK_OK(world, dt_mesh_create(world, "rep=2,shard,tp=2", &mesh));
    gather_sums(dt_randn(mesh, "RS(0)S(1)", DT_F32, shape), sums);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            CHECK((sums[i] == sums[j]) == (i % (n / 2) == j % (n / 2)));
    dt_mesh_release(mesh);
}

/* Upstream promises nothing on a CPU: each rank draws from its own seed.  Here
 * every rank draws its part of what one rank alone would draw. */
static void behaviour_92a_parts_of_what_one_rank_draws(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world), *own = dt_world_own_mesh(world);
    dt_placement cut = dt_shard(0);
    dt_layout layout = dt_layout_of(&cut, 1);
    for (uint64_t seed = 0; seed < 5; seed++) {
        CHECK_OK(world, dt_seed(world, seed));
        dt_tensor *alone = dt_randn(own, "R", DT_F32, DT_SHAPE(23, 2));
        CHECK_OK(world, dt_seed(world, seed));
        dt_tensor *spread = dt_randn(mesh, "S(0)", DT_F32, DT_SHAPE(23, 2));
        check_local_equals(spread, &layout, dt_tensor_local(alone), NULL);
    }
    dt_mesh_release(mesh);
}

/* ---- Meshes ------------------------------------------------------------- */

/* Some ranks draw on a mesh that the others do not know of: nothing is sent,
 * nobody waits, and the world's generator is where it was. */
static void draws_on_a_part_alone(dt_world *world)
{
    int members = dt_world_size(world) > 1 ? dt_world_size(world) - 1 : 1;
    dt_mesh *part = reversed_mesh(world, "part", members);
    dt_mesh *all = mesh_of_all(world);
    CHECK_OK(world, dt_seed(world, 3));
    dt_trace_clear(world);
    if (dt_mesh_is_member(part) && members < dt_world_size(world))
        for (int i = 0; i < 3; i++)
            CHECK(dt_rand(part, "S(0)", DT_F32, DT_SHAPE(11)));
    check_never_called(world);
    CHECK_INT(dt_generator_get_state(dt_world_generator(world)).count, 0);
    dt_array *after = read_global(dt_rand(all, "S(0)", DT_F32, DT_SHAPE(11)));
    CHECK_OK(world, dt_seed(world, 3));
    dt_array *fresh = read_global(dt_rand(all, "R", DT_F32, DT_SHAPE(11)));
    CHECK(dt_array_equal(after, fresh));
    dt_array_release(after);
    dt_array_release(fresh);
    dt_mesh_release(all);
    dt_mesh_release(part);
}

/* Meshes side by side draw the same numbers, unless they have streams. */
static void meshes_have_streams(dt_world *world)
{
    int n = dt_world_size(world), rank = dt_world_rank(world);
    uint64_t sums[64];
    dt_mesh *mesh = NULL, *row = NULL;
    CHECK_OK(world,
             dt_mesh_create(world, n % 2 ? "pp=1,tp" : "pp=2,tp", &mesh));
    CHECK_OK(world, dt_mesh_sub(mesh, "tp", &row));
    int columns = dt_mesh_dim_size(mesh, 1);
    CHECK_OK(world, dt_seed(world, 3));
    gather_sums(dt_rand(row, "R", DT_F32, DT_SHAPE(20)), sums);
    for (int i = 1; i < n; i++)
        CHECK(sums[i] == sums[0]);
    CHECK_OK(world, dt_mesh_set_stream(row, (uint64_t)(rank / columns) + 1));
    gather_sums(dt_rand(row, "R", DT_F32, DT_SHAPE(20)), sums);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            CHECK((sums[i] == sums[j]) == (i / columns == j / columns));
    dt_mesh_release(row);
    dt_mesh_release(mesh);
}

/* ---- Ranges ------------------------------------------------------------- */

static void integers_are_in_range(dt_world *world)
{
    static const int64_t ranges[][2] = {
        {0, 1}, {-3, 4}, {INT64_MIN, INT64_MAX}, {INT64_C(1) << 60, INT64_MAX}};
    dt_mesh *mesh = mesh_of_all(world);
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        dt_randint_options options = DT_RANDINT_OPTIONS_INIT;
        options.low = ranges[i][0];
        options.high = ranges[i][1];
        dt_tensor *tensor =
            dt_randint(mesh, "S(0)", DT_I64, DT_SHAPE(300), &options);
        dt_array *out = read_global(tensor);
        const int64_t *data = dt_array_const_data(out);
        int seen = 0;
        for (int j = 0; j < 300; j++) {
            CHECK(data[j] >= ranges[i][0] && data[j] < ranges[i][1]);
            if (i == 1)
                seen |= 1 << (data[j] + 3);
        }
        CHECK(i != 1 || seen == 127);
        dt_array_release(out);
    }
    dt_mesh_release(mesh);
}

static void permutations_have_every_number(dt_world *world)
{
    static const int64_t counts[] = {0, 1, 2, 5, 100, 1000};
    dt_mesh *mesh = mesh_of_all(world);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        static const char *const texts[] = {"R", "S(0)", "_S(0,2)", "P"};
        bool seen[1000] = {false};
        dt_tensor *tensor = dt_randperm(mesh, texts[i % 4], DT_I32, counts[i]);
        if (!CHECK(tensor))
            continue;
        dt_array *out = read_global(tensor);
        const int32_t *data = dt_array_const_data(out);
        for (int64_t j = 0; j < counts[i]; j++) {
            if (CHECK(data[j] >= 0 && data[j] < counts[i]))
                CHECK(!seen[data[j]]);
            seen[data[j]] = true;
        }
        dt_array_release(out);
    }
    dt_mesh_release(mesh);
}

static void refuse(dt_world *world, const dt_tensor *tensor, dt_status code,
                   const char *text)
{
    CHECK(!tensor);
    CHECK_INT(dt_world_error(world)->code, code);
    CHECKF(strstr(dt_world_error(world)->message, text),
           "the message lacks \"%s\": %s", text,
           dt_world_error(world)->message);
    dt_check_forget(world);
}

static void refuses_what_cannot_be_drawn(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    dt_randint_options options = DT_RANDINT_OPTIONS_INIT;
    dt_shape shape = DT_SHAPE(4);
    dt_check_forget(world);
    refuse(world, dt_rand(mesh, "R", DT_I32, shape), DT_ERR_UNSUPPORTED, "i32");
    refuse(world, dt_randn(mesh, "R", DT_BOOL, shape), DT_ERR_UNSUPPORTED,
           "bool");
    refuse(world, dt_randint(mesh, "R", DT_I32, shape, &options),
           DT_ERR_INVALID, "");
    options.high = -5;
    refuse(world, dt_randint(mesh, "R", DT_I32, shape, &options),
           DT_ERR_INVALID, "-5");
    options.size = 0;
    refuse(world, dt_randint(mesh, "R", DT_I32, shape, &options),
           DT_ERR_INVALID, "DT_RANDINT_OPTIONS_INIT");
    refuse(world, dt_randperm(mesh, "R", DT_I64, -1), DT_ERR_INVALID, "-1");
    refuse(world, dt_randperm(mesh, "RR", DT_I64, 5), DT_ERR_INVALID,
           "placements");
    refuse(world, dt_randperm(mesh, "R", DT_DTYPE_COUNT, 5), DT_ERR_INVALID,
           "dtype");
    /* The largest permutation that each of these holds. */
    static const struct {
        dt_dtype dtype;
        int64_t most;
    } holders[] = {{DT_I8, 128},    {DT_U8, 256},   {DT_BOOL, 2},
                   {DT_I16, 32768}, {DT_F16, 2049}, {DT_BF16, 257}};
    for (size_t i = 0; i < COUNT_OF(holders); i++) {
        dt_dtype dtype = holders[i].dtype;
        CHECK(dt_randperm(mesh, "S(0)", dtype, holders[i].most));
        refuse(world, dt_randperm(mesh, "S(0)", dtype, holders[i].most + 1),
               DT_ERR_INVALID, dt_dtype_name(dtype));
    }
    CHECK(!dt_rand(NULL, "R", DT_F32, shape));
    CHECK(!dt_randn_from(NULL, NULL, "R", DT_F32, shape));
    CHECK(!dt_randint(NULL, "R", DT_I32, shape, &options));
    CHECK(!dt_randperm(NULL, "R", DT_I32, 3));
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"the same everywhere", the_same_everywhere},
    {"the same alone", the_same_alone},
    {"4.7.88: shards differ and replicas agree",
     behaviour_88_shards_differ_and_replicas_agree},
    {"4.7.90: seeding sends nothing", behaviour_90_seeding_sends_nothing},
    {"4.7.91: generators with equal seeds",
     behaviour_91_generators_with_equal_seeds},
    {"4.7.92: sharded initialisation", behaviour_92_sharded_initialisation},
    {"4.7.92a: parts of what one rank draws",
     behaviour_92a_parts_of_what_one_rank_draws},
    {"draws on a part alone", draws_on_a_part_alone},
    {"meshes have streams", meshes_have_streams},
    {"integers are in range", integers_are_in_range},
    {"permutations have every number", permutations_have_every_number},
    {"refuses what cannot be drawn", refuses_what_cannot_be_drawn},
    {NULL, NULL},
};
