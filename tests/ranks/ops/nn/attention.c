/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/nn/attention.c - attention: values, layouts, what is sent. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: attention_backward */
#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

typedef dt_scaled_dot_product_attention_options options;
typedef dt_scaled_dot_product_attention_forward_options forward_options;
typedef dt_scaled_dot_product_attention_backward_options backward_options;

#define USUAL DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT
#define USUAL_FORWARD DT_SCALED_DOT_PRODUCT_ATTENTION_FORWARD_OPTIONS_INIT
#define USUAL_BACKWARD DT_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD_OPTIONS_INIT

/* ---- By the definition --------------------------------------------------- */

/* Extents: queries are (batch, heads, length, width). */
typedef struct extents {
    int64_t batch, heads, key_heads, length, keys, width;
} extents;

/* Numbers between -1 and 1. */
static void fill_numbers(double *values, int64_t count, int salt)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = value_at(i * 5 + salt) / 16;
}

static dt_shape query_shape(const extents *e)
{
    return DT_SHAPE(e->batch, e->heads, e->length, e->width);
}

static dt_shape key_shape(const extents *e)
{
    return DT_SHAPE(e->batch, e->key_heads, e->keys, e->width);
}

/* What one query gives, with a mask of bool (length, keys) or none. */
static void attend(const extents *e, const double *query, const double *key,
                   const double *value, const double *mask, int64_t position,
                   bool causal, double *out)
{
    double sum = 0;
    for (int64_t d = 0; d < e->width; d++)
        out[d] = 0;
    for (int64_t j = 0; j < e->keys; j++) {
        double score = 0;
        if ((causal && j > position) ||
            (mask && mask[position * e->keys + j] == 0))
            continue;
        for (int64_t d = 0; d < e->width; d++)
            score += query[d] * key[j * e->width + d];
        const double weight = exp(score / sqrt((double)e->width));
        sum += weight;
        for (int64_t d = 0; d < e->width; d++)
            out[d] += weight * value[j * e->width + d];
    }
    for (int64_t d = 0; sum > 0 && d < e->width; d++)
        out[d] /= sum;
}

static void expect(const extents *e, const double *query, const double *key,
                   const double *value, const double *mask, bool causal,
                   double *out)
{
    const int64_t group = e->heads / e->key_heads;
    for (int64_t h = 0; h < e->batch * e->heads; h++) {
        const int64_t from = h / e->heads * e->key_heads + h % e->heads / group;
        for (int64_t i = 0; i < e->length; i++)
            attend(e, query + (h * e->length + i) * e->width,
                   key + from * e->keys * e->width,
                   value + from * e->keys * e->width, mask, i, causal,
                   out + (h * e->length + i) * e->width);
    }
}

static void check_near(dt_tensor *tensor, const double *wanted, int64_t count)
{
    double found[ELEMENTS_MAX];
    if (!read_tensor(tensor, found))
        return;
    CHECK_INT(dt_tensor_count(tensor), count);
    for (int64_t i = 0; i < count; i++)
        if (!CHECKF(fabs(found[i] - wanted[i]) <= 2e-6,
                    "element %lld is %.9g, not %.9g", (long long)i, found[i],
                    wanted[i]))
            return;
}

/* ---- Calls --------------------------------------------------------------- */

typedef struct inputs {
    dt_tensor *query, *key, *value;
    double queries[ELEMENTS_MAX], keys[ELEMENTS_MAX], values[ELEMENTS_MAX];
} inputs;

static void make_inputs(dt_mesh *mesh, const extents *e, const char *query,
                        const char *key, inputs *out)
{
    const int64_t in_query = dt_shape_count(query_shape(e)),
                  in_key = dt_shape_count(key_shape(e));
    fill_numbers(out->queries, in_query, 1);
    fill_numbers(out->keys, in_key, 2);
    fill_numbers(out->values, in_key, 3);
    out->query = tensor_of(mesh, query, DT_F32, query_shape(e), out->queries);
    out->key = tensor_of(mesh, key, DT_F32, key_shape(e), out->keys);
    out->value = tensor_of(mesh, key, DT_F32, key_shape(e), out->values);
}

/* Nothing is sent where heads, batch or queries are cut, in whatever parts. */
static void cuts_silently(dt_world *world)
{
    static const extents all[] = {{3, 4, 4, 5, 7, 4},
                                  {2, 5, 5, 3, 2, 8},
                                  {4, 1, 1, 6, 6, 3},
                                  {1, 3, 3, 9, 5, 2}};
    static const char *const layouts[][2] = {
        {"S(0)", "S(0)"}, {"S(1)", "S(1)"}, {"S(2)", "R"}, {"R", "R"}};
    inputs in;
    double wanted[ELEMENTS_MAX];
    fixture f = open_fixture(world);
    for (int i = 0; i < 16; i++) {
        const extents *e = &all[i / 4];
        const int64_t count = dt_shape_count(query_shape(e));
        make_inputs(f.mesh, e, layouts[i % 4][0], layouts[i % 4][1], &in);
        for (int causal = 0; causal < 2; causal++) {
            options how = USUAL;
            how.is_causal = causal;
            expect(e, in.queries, in.keys, in.values, NULL, causal, wanted);
            start_counting(&f);
            dt_tensor *out = dt_scaled_dot_product_attention_with(
                in.query, in.key, in.value, &how);
            check_silent(&f);
            check_layout(out, layouts[i % 4][0]);
            check_near(out, wanted, count);
        }
    }
    close_fixture(&f);
}

/* The same bits, however batch and heads are cut. */
static void same_bits(dt_world *world)
{
    static const extents e = {3, 5, 5, 4, 6, 8};
    static const char *const layouts[] = {"R", "S(0)", "S(1)"};
    inputs in;
    double first[ELEMENTS_MAX], found[ELEMENTS_MAX];
    fixture f = open_fixture(world);
    for (int i = 0; i < 3; i++) {
        make_inputs(f.mesh, &e, layouts[i], layouts[i], &in);
        read_tensor(dt_scaled_dot_product_attention(in.query, in.key, in.value),
                    i ? found : first);
        CHECK(!i || memcmp(first, found, 480 * sizeof *found) == 0);
    }
    close_fixture(&f);
}

/* Heads of keys that serve several of queries. */
static void groups(dt_world *world)
{
    inputs in;
    double wanted[ELEMENTS_MAX];
    fixture f = open_fixture(world);
    const extents e = {2, 6 * f.ranks, 2 * f.ranks, 3, 4, 4};
    options how = USUAL;
    how.enable_gqa = true;
    make_inputs(f.mesh, &e, "S(1)", "S(1)", &in);
    expect(&e, in.queries, in.keys, in.values, NULL, false, wanted);
    start_counting(&f);
    dt_tensor *out =
        dt_scaled_dot_product_attention_with(in.query, in.key, in.value, &how);
    check_silent(&f);
    check_layout(out, "S(1)");
    check_near(out, wanted, dt_shape_count(query_shape(&e)));

    /* One head of keys for all: each rank has some of its group. */
    const extents one = {2, 2 * f.ranks, 1, 1, 4, 4};
    make_inputs(f.mesh, &one, "S(1)", "R", &in);
    expect(&one, in.queries, in.keys, in.values, NULL, false, wanted);
    start_counting(&f);
    out =
        dt_scaled_dot_product_attention_with(in.query, in.key, in.value, &how);
    check_silent(&f);
    check_near(out, wanted, dt_shape_count(query_shape(&one)));
    close_fixture(&f);
}

/* A mask follows where it is not broadcast. */
static void masks(dt_world *world)
{
    static const extents e = {2, 4, 4, 3, 5, 4};
    inputs in;
    double wanted[ELEMENTS_MAX], seen[15], added[15];
    fixture f = open_fixture(world);
    for (int i = 0; i < 15; i++) {
        seen[i] = i % 3 != 0 && i / 5 != 1;
        added[i] = seen[i] != 0 ? 0 : -(double)INFINITY;
    }
    make_inputs(f.mesh, &e, "S(1)", "S(1)", &in);
    expect(&e, in.queries, in.keys, in.values, seen, false, wanted);
    for (int additive = 0; additive < 2; additive++) {
        options how = USUAL;
        how.attn_mask = tensor_of(f.mesh, "R", additive ? DT_F32 : DT_BOOL,
                                  DT_SHAPE(3, 5), additive ? added : seen);
        start_counting(&f);
        dt_tensor *out = dt_scaled_dot_product_attention_with(in.query, in.key,
                                                              in.value, &how);
        check_silent(&f);
        check_layout(out, "S(1)");
        check_near(out, wanted, 96);
    }
    close_fixture(&f);
}

/* Partial values give partial results. */
static void partial_values(dt_world *world)
{
    static const extents e = {2, 2, 2, 3, 4, 3};
    inputs in;
    fixture f = open_fixture(world);
    make_inputs(f.mesh, &e, "R", "R", &in);
    dt_tensor *value = make_tensor(&f, "P(sum)", DT_F32, key_shape(&e));
    dt_tensor *out = dt_scaled_dot_product_attention(in.query, in.key, value);
    check_silent(&f);
    check_layout(out, "P(sum)");
    double found[ELEMENTS_MAX], wanted[ELEMENTS_MAX];
    read_tensor(out, found);
    read_tensor(value, in.values);
    expect(&e, in.queries, in.keys, in.values, NULL, false, wanted);
    for (int i = 0; i < 36; i++)
        CHECK(fabs(found[i] - wanted[i]) < 1e-4);
    close_fixture(&f);
}

/* ---- Dropping ------------------------------------------------------------ */

/* With a matrix of ones and zeros for values, results are weights. */
static dt_tensor *weights_of(dt_mesh *mesh, const extents *e,
                             const char *layout, dt_generator *generator,
                             dt_tensor **key)
{
    inputs in;
    forward_options how = USUAL_FORWARD;
    dt_tensor *out = NULL, *sums = NULL;
    const bool queries = strcmp(layout, "S(2)") == 0;
    make_inputs(mesh, e, layout, queries ? "R" : layout, &in);
    for (int64_t i = 0; i < dt_shape_count(key_shape(e)); i++)
        in.values[i] = i % e->width == i / e->width % e->keys;
    in.value = tensor_of(mesh, queries ? "R" : layout, DT_F32, key_shape(e),
                         in.values);
    how.dropout_p = 0.25;
    how.generator = generator;
    CHECK_OK(dt_mesh_world(mesh),
             dt_scaled_dot_product_attention_forward_with(
                 in.query, in.key, in.value, &how, &out, &sums, key));
    return out;
}

static void drops_the_same_everywhere(dt_world *world)
{
    static const extents e = {3, 4, 4, 7, 5, 5};
    static const char *const layouts[] = {"R", "S(0)", "S(1)", "S(2)"};
    double first[ELEMENTS_MAX], found[ELEMENTS_MAX];
    fixture f = open_fixture(world);
    for (int i = 0; i < 4; i++) {
        dt_generator *generator = NULL;
        dt_tensor *key = NULL;
        CHECK_OK(world, dt_generator_create(world, 5, 0, &generator));
        read_tensor(weights_of(f.mesh, &e, layouts[i], generator, &key),
                    i ? found : first);
        check_layout(key, "R");
        int dropped = 0;
        for (int k = 0; k < 420; k++) {
            dropped += first[k] == 0;
            CHECK(!i || fabs(first[k] - found[k]) < 1e-6);
        }
        /* A quarter, within five standard deviations. */
        CHECKF(dropped > 60 && dropped < 150, "%d are dropped", dropped);
        dt_generator_release(generator);
    }
    close_fixture(&f);
}

/* ---- Gradients ----------------------------------------------------------- */

typedef struct gradients {
    dt_tensor *of[3];
} gradients;

/* Forward and backward, with dropping. */
static gradients differentiate(fixture *f, const extents *e, const char *layout,
                               dt_generator *generator, const inputs *in)
{
    forward_options how = USUAL_FORWARD;
    backward_options back = USUAL_BACKWARD;
    double grads[ELEMENTS_MAX];
    dt_tensor *out = NULL, *sums = NULL, *key = NULL;
    gradients found = {{NULL, NULL, NULL}};
    fill_numbers(grads, dt_shape_count(query_shape(e)), 4);
    dt_tensor *grad = tensor_of(f->mesh, layout, DT_F32, query_shape(e), grads);
    how.generator = generator;
    how.dropout_p = back.dropout_p = generator ? 0.25 : 0;
    how.is_causal = back.is_causal = true;
    how.enable_gqa = back.enable_gqa = true;
    start_counting(f);
    CHECK_OK(f->world,
             dt_scaled_dot_product_attention_forward_with(
                 in->query, in->key, in->value, &how, &out, &sums, &key));
    CHECK_OK(f->world, dt_scaled_dot_product_attention_backward_with(
                           grad, in->query, in->key, in->value, out, sums, key,
                           &back, &found.of[0], &found.of[1], &found.of[2]));
    check_silent(f);
    return found;
}

/* Nothing is sent, and gradients have the same bits, whatever is cut. */
static void gradients_in_all_layouts(dt_world *world)
{
    static const char *const layouts[] = {"R", "S(0)", "S(1)"};
    inputs in;
    double first[3][ELEMENTS_MAX], found[ELEMENTS_MAX];
    fixture f = open_fixture(world);
    const extents e = {3, 2 * f.ranks, f.ranks, 5, 6, 4};
    const int64_t counts[] = {dt_shape_count(query_shape(&e)),
                              dt_shape_count(key_shape(&e)),
                              dt_shape_count(key_shape(&e))};
    for (int i = 0; i < 3; i++) {
        dt_generator *generator = NULL;
        CHECK_OK(world, dt_generator_create(world, 5, 0, &generator));
        make_inputs(f.mesh, &e, layouts[i], layouts[i], &in);
        const gradients got = differentiate(&f, &e, layouts[i], generator, &in);
        for (int k = 0; k < 3; k++) {
            check_layout(got.of[k], layouts[i]);
            read_tensor(got.of[k], i ? found : first[k]);
            CHECK(!i || memcmp(first[k], found,
                               (size_t)counts[k] * sizeof *found) == 0);
        }
        dt_generator_release(generator);
    }
    close_fixture(&f);
}

/* Against differences of results by the definition. */
static void gradients_are_slopes(dt_world *world)
{
    inputs in;
    static const extents e = {1, 4, 2, 3, 4, 2};
    double found[ELEMENTS_MAX], grads[ELEMENTS_MAX], out[ELEMENTS_MAX];
    fixture f = open_fixture(world);
    make_inputs(f.mesh, &e, "R", "R", &in);
    fill_numbers(grads, 24, 4);
    const gradients got = differentiate(&f, &e, "R", NULL, &in);
    double *const inputs_of[] = {in.queries, in.keys, in.values};
    const int counts[] = {24, 16, 16};
    for (int k = 0; k < 3; k++) {
        read_tensor(got.of[k], found);
        for (int i = 0; i < counts[k]; i++) {
            const double before = inputs_of[k][i];
            double sums[2] = {0, 0};
            for (int side = 0; side < 2; side++) {
                inputs_of[k][i] = before + (side ? 1e-5 : -1e-5);
                expect(&e, in.queries, in.keys, in.values, NULL, true, out);
                for (int j = 0; j < 24; j++)
                    sums[side] += out[j] * grads[j];
            }
            inputs_of[k][i] = before;
            const double slope = (sums[1] - sums[0]) / 2e-5;
            CHECKF(fabs(found[i] - slope) < 1e-5, "%d, %d: %g, not %g", k, i,
                   found[i], slope);
        }
    }
    close_fixture(&f);
}

typedef dt_scaled_dot_product_attention_mask_backward_options mask_options;

#define USUAL_MASK DT_SCALED_DOT_PRODUCT_ATTENTION_MASK_BACKWARD_OPTIONS_INIT

/* The gradient of a mask that all heads share, and what the results, by their
 * gradients, come to. */
static double differentiate_mask(fixture *f, const extents *e,
                                 const char *layout, const double *mask,
                                 dt_tensor **out)
{
    inputs in;
    forward_options how = USUAL_FORWARD;
    mask_options back = USUAL_MASK;
    double grads[ELEMENTS_MAX], sum[1] = {0};
    dt_tensor *result = NULL, *sums = NULL, *key = NULL;
    make_inputs(f->mesh, e, layout, layout, &in);
    fill_numbers(grads, dt_shape_count(query_shape(e)), 4);
    dt_tensor *grad = tensor_of(f->mesh, layout, DT_F32, query_shape(e), grads);
    how.attn_mask = back.attn_mask =
        tensor_of(f->mesh, "R", DT_F32, DT_SHAPE(e->length, e->keys), mask);
    how.enable_gqa = back.enable_gqa = true;
    start_counting(f);
    CHECK_OK(f->world,
             dt_scaled_dot_product_attention_forward_with(
                 in.query, in.key, in.value, &how, &result, &sums, &key));
    *out = dt_scaled_dot_product_attention_mask_backward_with(
        grad, in.query, in.key, in.value, result, sums, NULL, &back);
    check_silent(f);
    read_tensor(dt_sum(dt_cast(dt_mul(result, grad), DT_F64), DT_DIMS(), false),
                sum);
    return sum[0];
}

/* Against differences; heads and batches that are cut give parts of a sum. */
static void gradients_of_masks(dt_world *world)
{
    static const char *const layouts[] = {"R", "S(0)", "S(1)"};
    enum { LENGTH = 3, KEYS = 4 };
    fixture f = open_fixture(world);
    const extents e = {3, 2 * f.ranks, f.ranks, LENGTH, KEYS, 2};
    double mask[LENGTH * KEYS], slopes[LENGTH * KEYS], found[LENGTH * KEYS];
    dt_tensor *out = NULL;
    fill_numbers(mask, LENGTH * KEYS, 9);
    for (int i = 0; i < LENGTH * KEYS; i++) {
        const double before = mask[i], step = 1.0 / 64;
        double sums[2];
        for (int side = 0; side < 2; side++) {
            mask[i] = before + (side ? step : -step);
            sums[side] = differentiate_mask(&f, &e, "R", mask, &out);
        }
        mask[i] = before;
        slopes[i] = (sums[1] - sums[0]) / (2 * step);
    }
    for (int i = 0; i < 3; i++) {
        differentiate_mask(&f, &e, layouts[i], mask, &out);
        check_layout(out, i ? "P(sum)" : "R");
        read_tensor(out, found);
        for (int k = 0; k < LENGTH * KEYS; k++)
            CHECKF(fabs(found[k] - slopes[k]) < 2e-3, "%d: %g, not %g", k,
                   found[k], slopes[k]);
    }
    close_fixture(&f);
}

static void refuses_masks_without_gradients(dt_world *world)
{
    inputs in;
    static const extents e = {1, 1, 1, 3, 4, 2};
    mask_options back = USUAL_MASK;
    fixture f = open_fixture(world);
    make_inputs(f.mesh, &e, "R", "R", &in);
    dt_tensor *sums = dt_zeros(f.mesh, "R", DT_F32, DT_SHAPE(1, 1, 3));
    CHECK_FAILS(
        world,
        status_of(world, dt_scaled_dot_product_attention_mask_backward_with(
                             in.query, in.query, in.key, in.value, in.query,
                             sums, NULL, &back)),
        DT_ERR_INVALID, "attn_mask is absent; only a floating-point mask");
    close_fixture(&f);
}

/* ---- Meshes of two dimensions -------------------------------------------- */

static void batch_and_heads(dt_world *world)
{
    static const extents e = {2, 6, 6, 3, 4, 4};
    inputs in;
    double wanted[ELEMENTS_MAX];
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) != 4)
        return;
    CHECK_OK(world, dt_mesh_create(world, "x=2,y=2", &mesh));
    dt_scope *scope = dt_scope_open(world);
    make_inputs(mesh, &e, "S(0)S(1)", "S(0)S(1)", &in);
    expect(&e, in.queries, in.keys, in.values, NULL, false, wanted);
    const uint64_t calls = calls_so_far(world);
    dt_tensor *out =
        dt_scaled_dot_product_attention(in.query, in.key, in.value);
    CHECK_INT((long long)(calls_so_far(world) - calls), 0);
    check_layout(out, "S(0)S(1)");
    check_near(out, wanted, dt_shape_count(query_shape(&e)));
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* ---- What is special ----------------------------------------------------- */

static void nothing_to_see(dt_world *world)
{
    static const extents none = {2, 2, 2, 3, 0, 4}, silent = {2, 2, 2, 0, 3, 4};
    inputs in;
    double zeros[ELEMENTS_MAX] = {0};
    fixture f = open_fixture(world);
    make_inputs(f.mesh, &none, "S(1)", "S(1)", &in);
    dt_tensor *out = NULL, *sums = NULL, *key = NULL;
    CHECK_OK(world, dt_scaled_dot_product_attention_forward(
                        in.query, in.key, in.value, &out, &sums, &key));
    check_values(out, zeros, 48);
    double found[ELEMENTS_MAX];
    read_tensor(sums, found);
    for (int i = 0; i < 12; i++)
        CHECK(found[i] == -(double)INFINITY);
    make_inputs(f.mesh, &silent, "S(1)", "S(1)", &in);
    out = dt_scaled_dot_product_attention(in.query, in.key, in.value);
    CHECK(out && dt_tensor_count(out) == 0);
    close_fixture(&f);
}

#define FAILS(f, call, wanted_code, text)                                      \
    do {                                                                       \
        dt_check_forget((f)->world);                                           \
        CHECK((call) == NULL);                                                 \
        CHECK_INT(dt_world_error((f)->world)->code, wanted_code);              \
        CHECKF(strstr(dt_world_error((f)->world)->message, text) != NULL,      \
               "%s", dt_world_error((f)->world)->message);                     \
    } while (0)

static void refuses(dt_world *world)
{
    static const extents e = {2, 4, 2, 3, 5, 4};
    inputs in;
    fixture f = open_fixture(world);
    make_inputs(f.mesh, &e, "R", "R", &in);
    options how = USUAL;
    FAILS(&f, dt_scaled_dot_product_attention(in.query, in.key, in.value),
          DT_ERR_INVALID, "enable_gqa");
    FAILS(&f, dt_scaled_dot_product_attention(in.key, in.query, in.query),
          DT_ERR_INVALID, "enable_gqa");
    how.enable_gqa = true;
    FAILS(
        &f,
        dt_scaled_dot_product_attention_with(in.key, in.query, in.query, &how),
        DT_ERR_INVALID, "must be a multiple");
    how.dropout_p = 1.5;
    FAILS(
        &f,
        dt_scaled_dot_product_attention_with(in.query, in.key, in.value, &how),
        DT_ERR_INVALID, "dropout_p is 1.5");
    how.dropout_p = 0;
    how.attn_mask = make_tensor(&f, "R", DT_F32, DT_SHAPE(3, 4));
    FAILS(
        &f,
        dt_scaled_dot_product_attention_with(in.query, in.key, in.value, &how),
        DT_ERR_INVALID,
        "attn_mask of shape (3, 4) cannot be broadcast to the scores, (2, 4, "
        "3, 5)");
    how.attn_mask = make_tensor(&f, "R", DT_I32, DT_SHAPE(3, 5));
    FAILS(
        &f,
        dt_scaled_dot_product_attention_with(in.query, in.key, in.value, &how),
        DT_ERR_INVALID, "attn_mask is i32");
    how.is_causal = true;
    FAILS(
        &f,
        dt_scaled_dot_product_attention_with(in.query, in.key, in.value, &how),
        DT_ERR_INVALID, "cannot be combined");
    dt_tensor *whole = make_tensor(&f, "R", DT_I32, DT_SHAPE(2, 3));
    FAILS(&f, dt_scaled_dot_product_attention(whole, whole, whole),
          DT_ERR_UNSUPPORTED, "expected a floating-point dtype");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"cuts silently", cuts_silently},
    {"same bits", same_bits},
    {"groups", groups},
    {"masks", masks},
    {"partial values", partial_values},
    {"drops the same everywhere", drops_the_same_everywhere},
    {"gradients in all layouts", gradients_in_all_layouts},
    {"gradients are slopes", gradients_are_slopes},
    {"gradients of masks are sums over heads", gradients_of_masks},
    {"only masks of floats have gradients", refuses_masks_without_gradients},
    {"batch and heads", batch_and_heads},
    {"nothing to see", nothing_to_see},
    {"refuses", refuses},
    {NULL, NULL},
};
