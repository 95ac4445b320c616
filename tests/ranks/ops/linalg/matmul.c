/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/linalg/matmul.c - products: layouts of results, what is sent,
 * and numbers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ranks/ops/linalg/products.h"

/* ---- Which layouts results have ------------------------------------------ */

static void cut_columns_stay_cut(dt_world *world)
{
    fixture f = open_fixture(world);
    known k[] = {known_f32(&f, "R", DT_SHAPE(3, 5), 1),
                 known_f32(&f, "S(1)", DT_SHAPE(5, 2 * f.ranks + 1), 2)};
    start_counting(&f);
    dt_tensor *y = dt_matmul(k[0].tensor, k[1].tensor);
    check_silent(&f);
    check_layout(y, "S(1)");
    check_sum(y, "mk,kn->mn", k, "columns");
    forget(k, 2);
    close_without_errors(&f);
}

static void cut_rows_stay_cut(dt_world *world)
{
    fixture f = open_fixture(world);
    known k[] = {known_f32(&f, "S(0)", DT_SHAPE(2 * f.ranks + 1, 5), 1),
                 known_f32(&f, "R", DT_SHAPE(5, 4), 2)};
    start_counting(&f);
    dt_tensor *y = dt_matmul(k[0].tensor, k[1].tensor);
    check_silent(&f);
    check_layout(y, "S(0)");
    check_sum(y, "mk,kn->mn", k, "rows");
    forget(k, 2);
    close_without_errors(&f);
}

/* Uneven, and with fewer terms than ranks. */
static void cut_terms_give_partial_sums(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t terms_of[] = {2 * f.ranks + 1, f.ranks - 1, 1};
    for (size_t i = 0; i < COUNT_OF(terms_of); i++) {
        known k[] = {known_f32(&f, "S(1)", DT_SHAPE(3, terms_of[i]), 1),
                     known_f32(&f, "S(0)", DT_SHAPE(terms_of[i], 4), 2)};
        start_counting(&f);
        dt_tensor *y = dt_matmul(k[0].tensor, k[1].tensor);
        check_silent(&f);
        check_layout(y, "P(sum)");
        check_sum(y, "mk,kn->mn", k, "terms");
        forget(k, 2);
    }
    close_without_errors(&f);
}

/* A column-wise and a row-wise product: one all-reduce for both, or one
 * reduce-scatter. */
static void pair_of_products_sends_once(dt_world *world)
{
    fixture f = open_fixture(world);
    known k[] = {known_f32(&f, "R", DT_SHAPE(4, 3), 1),
                 known_f32(&f, "S(1)", DT_SHAPE(3, 2 * f.ranks + 1), 2),
                 known_f32(&f, "S(0)", DT_SHAPE(2 * f.ranks + 1, 5), 3)};
    start_counting(&f);
    dt_tensor *h = dt_matmul(k[0].tensor, k[1].tensor);
    dt_tensor *y = dt_matmul(h, k[2].tensor);
    check_silent(&f);
    dt_tensor *whole = dt_redistribute(y, "R");
    check_collectives(&f, DT_ALL_REDUCE, 1);
    check_sum(whole, "ab,bc,cd->ad", k, "a pair");
    start_counting(&f);
    dt_tensor *rows = dt_redistribute(y, "S(0)");
    check_collectives(&f, DT_REDUCE_SCATTER, 1);
    check_sum(rows, "ab,bc,cd->ad", k, "a pair, rows");
    forget(k, 3);
    close_without_errors(&f);
}

static void partial_factors_give_partial_products(dt_world *world)
{
    fixture f = open_fixture(world);
    known k[] = {known_f32(&f, "P(sum)", DT_SHAPE(4, 3), 1),
                 known_f32(&f, "R", DT_SHAPE(3, 5), 2)};
    start_counting(&f);
    dt_tensor *y = dt_matmul(k[0].tensor, k[1].tensor);
    check_silent(&f);
    check_layout(y, "P(sum)");
    check_sum(y, "mk,kn->mn", k, "partial");
    /* Of two, one is reduced first. */
    known both[] = {k[0], known_f32(&f, "P(sum)", DT_SHAPE(3, 5), 2)};
    y = dt_matmul(both[0].tensor, both[1].tensor);
    check_sum(y, "mk,kn->mn", both, "both partial");
    free(both[1].values);
    forget(k, 2);
    close_without_errors(&f);
}

/* 74: addmm of a bias S(0), mat1 partial and mat2 S(1) gives S(1). */
static void adds_a_cut_bias(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t n = 64 * f.ranks;
    known k[] = {known_f32(&f, "P(sum)", DT_SHAPE(2, 9), 1),
                 known_f32(&f, "S(1)", DT_SHAPE(9, n), 2),
                 known_f32(&f, "S(0)", DT_SHAPE(n), 3)};
    dt_shape shape;
    start_counting(&f);
    dt_tensor *y = dt_addmm(k[2].tensor, k[0].tensor, k[1].tensor);
    check_collectives(&f, DT_ALL_REDUCE, 1);
    check_layout(y, "S(1)");
    double *sums = sum_terms("mk,kn->mn", k, &shape);
    for (int64_t i = 0; i < 2 * n; i++)
        sums[i] += k[2].values[i % n];
    check_exactly(y, shape, sums, "addmm");
    free(sums);
    forget(k, 3);
    close_without_errors(&f);
}

/* A bias that every rank has counts once where sums are partial. */
static void counts_a_bias_once(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t k_extent = 2 * f.ranks + 1;
    known k[] = {known_f32(&f, "S(2)", DT_SHAPE(2, 3, k_extent), 1),
                 known_f32(&f, "S(1)", DT_SHAPE(4, k_extent), 2),
                 known_f32(&f, "R", DT_SHAPE(4), 3)};
    dt_shape shape;
    start_counting(&f);
    dt_tensor *y = dt_linear(k[0].tensor, k[1].tensor, k[2].tensor);
    check_silent(&f);
    check_layout(y, "P(sum)");
    double *sums = sum_terms("abk,nk->abn", k, &shape);
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        sums[i] += k[2].values[i % 4];
    check_exactly(y, shape, sums, "row-wise linear");
    /* addmm likewise, with factors. */
    known a[] = {known_f32(&f, "S(1)", DT_SHAPE(3, k_extent), 4),
                 known_f32(&f, "S(0)", DT_SHAPE(k_extent, 4), 5)};
    dt_addmm_options options = DT_ADDMM_OPTIONS_INIT;
    options.beta = dt_real(0.5);
    options.alpha = dt_integer(-2);
    dt_tensor *z =
        dt_addmm_with(k[2].tensor, a[0].tensor, a[1].tensor, &options);
    check_layout(z, "P(sum)");
    free(sums);
    sums = sum_terms("mk,kn->mn", a, &shape);
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        sums[i] = -2 * sums[i] + 0.5 * k[2].values[i % 4];
    check_exactly(z, shape, sums, "addmm with factors");
    free(sums);
    forget(a, 2);
    forget(k, 3);
    close_without_errors(&f);
}

static void linear_by_columns_sends_nothing(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t n = 2 * f.ranks + 1;
    known k[] = {known_f32(&f, "R", DT_SHAPE(2, 3, 5), 1),
                 known_f32(&f, "S(0)", DT_SHAPE(n, 5), 2),
                 known_f32(&f, "S(0)", DT_SHAPE(n), 3)};
    dt_shape shape;
    start_counting(&f);
    dt_tensor *y = dt_linear(k[0].tensor, k[1].tensor, k[2].tensor);
    dt_tensor *bare = dt_linear(k[0].tensor, k[1].tensor, NULL);
    check_silent(&f);
    check_layout(y, "S(2)");
    check_layout(bare, "S(2)");
    check_sum(bare, "abk,nk->abn", k, "linear without bias");
    double *sums = sum_terms("abk,nk->abn", k, &shape);
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        sums[i] += k[2].values[i % n];
    check_exactly(y, shape, sums, "linear");
    free(sums);
    forget(k, 3);
    close_without_errors(&f);
}

/* 102: with implicit redistribution forbidden, S(0) times S(0) fails. */
static void strict_scopes_refuse_to_send(dt_world *world)
{
    fixture f = open_fixture(world);
    known k[] = {known_f32(&f, "S(0)", DT_SHAPE(4, 4), 1),
                 known_f32(&f, "S(0)", DT_SHAPE(4, 4), 2)};
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.mode = DT_SCOPE_STRICT;
    dt_scope *strict = dt_scope_open_with(world, &options);
    dt_tensor *y = dt_matmul(k[0].tensor, k[1].tensor);
    CHECK((y == NULL) == (f.ranks > 1));
    if (f.ranks > 1)
        CHECK(strstr(dt_world_error(world)->message, "matmul: ") != NULL);
    DT_IGNORE(dt_scope_close(strict));
    forget(k, 2);
    close_without_errors(&f);
}

/* ---- Numbers in every layout --------------------------------------------- */

static const char *const flat[] = {"R", "S(0)", "S(1)", "P(sum)"};

static void multiplies_in_every_layout(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t sizes[] = {f.ranks + 1, f.ranks - 1, 1, 6};
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (size_t i = 0; i < COUNT_OF(flat); i++)
            for (size_t j = 0; j < COUNT_OF(flat); j++) {
                char what[64];
                const int64_t e = sizes[s];
                known k[] = {known_f32(&f, flat[i], DT_SHAPE(e, e + 1), 1),
                             known_f32(&f, flat[j], DT_SHAPE(e + 1, e + 2), 2)};
                snprintf(what, sizeof what, "%s times %s, %d", flat[i], flat[j],
                         (int)e);
                check_sum(dt_matmul(k[0].tensor, k[1].tensor), "mk,kn->mn", k,
                          what);
                check_sum(dt_mm(k[0].tensor, k[1].tensor), "mk,kn->mn", k,
                          what);
                forget(k, 2);
            }
    close_without_errors(&f);
}

static void multiplies_on_a_square_of_ranks(dt_world *world)
{
    static const char *const layouts[] = {
        "RR",       "RS(0)",    "RS(1)",      "S(0)R",
        "S(0)S(0)", "S(0)S(1)", "S(1)S(0)",   "S(1)S(1)",
        "P(sum)R",  "RP(sum)",  "S(0)P(sum)", "P(sum)S(1)"};
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) != 4)
        return;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=2", &mesh));
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (size_t j = 0; j < COUNT_OF(layouts); j++) {
            char what[64];
            dt_scope *scope = dt_scope_open(world);
            known k[] = {
                make_known(mesh, layouts[i], DT_F32, DT_SHAPE(5, 7), 1),
                make_known(mesh, layouts[j], DT_F32, DT_SHAPE(7, 3), 2)};
            snprintf(what, sizeof what, "%s times %s", layouts[i], layouts[j]);
            check_sum(dt_matmul(k[0].tensor, k[1].tensor), "mk,kn->mn", k,
                      what);
            forget(k, 2);
            CHECK_OK(world, dt_scope_close(scope));
        }
    dt_mesh_release(mesh);
}

static void multiplies_every_number_of_dimensions(dt_world *world)
{
    fixture f = open_fixture(world);
    const struct {
        const char *equation;
        dt_shape a, b;
    } cases[] = {
        {"k,k->", DT_SHAPE(5), DT_SHAPE(5)},
        {"mk,k->m", DT_SHAPE(4, 5), DT_SHAPE(5)},
        {"k,kn->n", DT_SHAPE(5), DT_SHAPE(5, 3)},
        {"bmk,k->bm", DT_SHAPE(3, 4, 5), DT_SHAPE(5)},
        {"k,bkn->bn", DT_SHAPE(5), DT_SHAPE(3, 5, 2)},
        {"bmk,kn->bmn", DT_SHAPE(3, 4, 5), DT_SHAPE(5, 2)},
        {"mk,bkn->bmn", DT_SHAPE(4, 5), DT_SHAPE(3, 5, 2)},
        {"bmk,bkn->bmn", DT_SHAPE(3, 4, 5), DT_SHAPE(3, 5, 2)},
        {"bmk,bkn->bmn", DT_SHAPE(1, 4, 5), DT_SHAPE(3, 5, 2)},
        {"abmk,bkn->abmn", DT_SHAPE(2, 1, 4, 5), DT_SHAPE(3, 5, 2)},
        {"abmk,abkn->abmn", DT_SHAPE(2, 3, 4, 5), DT_SHAPE(2, 1, 5, 2)},
        {"mk,kn->mn", DT_SHAPE(4, 0), DT_SHAPE(0, 3)},
        {"bmk,bkn->bmn", DT_SHAPE(0, 4, 5), DT_SHAPE(0, 5, 2)},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int cut = -1; cut < cases[i].a.ndim; cut++)
            for (int other = -1; other < cases[i].b.ndim; other++) {
                char first[16] = "R", second[16] = "R";
                if (cut >= 0)
                    snprintf(first, sizeof first, "S(%d)", cut);
                if (other >= 0)
                    snprintf(second, sizeof second, "S(%d)", other);
                known k[] = {known_f32(&f, first, cases[i].a, 1),
                             known_f32(&f, second, cases[i].b, 2)};
                check_sum(dt_matmul(k[0].tensor, k[1].tensor),
                          cases[i].equation, k, cases[i].equation);
                forget(k, 2);
            }
    close_without_errors(&f);
}

/* Every dtype that can be multiplied; halves hold such small sums. */
static void multiplies_every_dtype(dt_world *world)
{
    fixture f = open_fixture(world);
    for (int d = 0; d < DT_DTYPE_COUNT; d++) {
        const dt_dtype dtype = (dt_dtype)d;
        known k[] = {make_known(f.mesh, "S(1)", dtype, DT_SHAPE(3, 5), 1),
                     make_known(f.mesh, "S(0)", dtype, DT_SHAPE(5, 4), 2)};
        dt_check_forget(world);
        dt_tensor *y = dt_matmul(k[0].tensor, k[1].tensor);
        if (dtype == DT_BOOL) {
            CHECK(y == NULL);
            CHECK(dt_world_error(world)->code == DT_ERR_UNSUPPORTED);
            DT_IGNORE(dt_scope_close(f.scope));
            f.scope = dt_scope_open(world);
        } else if (dtype != DT_U8) { /* has no negative numbers */
            check_sum(y, "mk,kn->mn", k, dt_dtype_name(dtype));
        }
        forget(k, 2);
    }
    close_without_errors(&f);
}

/* ---- Other forms --------------------------------------------------------- */

static void adds_in_place(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t m = f.ranks + 1;
    known k[] = {known_f32(&f, "S(0)", DT_SHAPE(m, 3), 1),
                 known_f32(&f, "R", DT_SHAPE(3, 3), 2),
                 known_f32(&f, "S(0)", DT_SHAPE(m, 3), 3)};
    dt_shape shape;
    double *sums = sum_terms("mk,kn->mn", k, &shape);
    for (int64_t i = 0; i < 3 * m; i++)
        sums[i] += k[2].values[i];
    CHECK(dt_addmm_(k[2].tensor, k[0].tensor, k[1].tensor) == k[2].tensor);
    check_exactly(k[2].tensor, shape, sums, "addmm_");
    free(sums);
    forget(k, 3);
    close_without_errors(&f);
}

/* What beta 0 is multiplied by is not read. */
static void leaves_out_what_counts_nothing(dt_world *world)
{
    fixture f = open_fixture(world);
    known k[] = {known_f32(&f, "S(1)", DT_SHAPE(3, f.ranks + 1), 1),
                 known_f32(&f, "S(0)", DT_SHAPE(f.ranks + 1, 4), 2)};
    dt_addmm_options options = DT_ADDMM_OPTIONS_INIT;
    options.beta = dt_integer(0);
    dt_tensor *nan = dt_full(f.mesh, "R", DT_F32, DT_SHAPE(4), (double)NAN);
    check_sum(dt_addmm_with(nan, k[0].tensor, k[1].tensor, &options),
              "mk,kn->mn", k, "beta 0");
    forget(k, 2);
    close_without_errors(&f);
}

/* The result may lie where a factor does. */
static void writes_over_a_factor(dt_world *world)
{
    fixture f = open_fixture(world);
    known k[] = {known_f32(&f, "R", DT_SHAPE(9, 9), 1),
                 known_f32(&f, "R", DT_SHAPE(9, 9), 2)};
    dt_shape shape;
    double *once = sum_terms("mk,kn->mn", k, &shape);
    CHECK(dt_mm_out(k[0].tensor, k[1].tensor, k[0].tensor) == k[0].tensor);
    check_exactly(k[0].tensor, shape, once, "over the first");
    known twice[] = {{k[1].shape, k[1].tensor, k[1].values},
                     {k[1].shape, k[1].tensor, k[1].values}};
    double *square = sum_terms("mk,kn->mn", twice, &shape);
    CHECK(dt_matmul_out(k[1].tensor, k[1].tensor, k[1].tensor) == k[1].tensor);
    check_exactly(k[1].tensor, shape, square, "over both");
    /* And where a factor is what is added to. */
    known a = known_f32(&f, "R", DT_SHAPE(5, 5), 4);
    known two[] = {a, a};
    double *sums = sum_terms("mk,kn->mn", two, &shape);
    for (int64_t i = 0; i < 25; i++)
        sums[i] += a.values[i];
    CHECK(dt_addmm_(a.tensor, a.tensor, a.tensor) == a.tensor);
    check_exactly(a.tensor, shape, sums, "addmm_ of one tensor");
    free(sums);
    free(square);
    free(once);
    free(a.values);
    forget(k, 2);
    close_without_errors(&f);
}

/* Views are read where they lie. */
static void multiplies_views(dt_world *world)
{
    fixture f = open_fixture(world);
    known k[] = {known_f32(&f, "S(1)", DT_SHAPE(5, f.ranks + 1), 1),
                 known_f32(&f, "R", DT_SHAPE(4, 5), 2)};
    start_counting(&f);
    dt_tensor *y = dt_matmul(dt_t(k[0].tensor), dt_t(k[1].tensor));
    check_silent(&f);
    check_layout(y, "S(0)");
    check_sum(y, "km,nk->mn", k, "transposed");
    forget(k, 2);
    close_without_errors(&f);
}

/* ---- What is refused ----------------------------------------------------- */

static void refuses_what_does_not_fit(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_scope *outer = f.scope;
    known a = known_f32(&f, "R", DT_SHAPE(2, 3), 1);
    known v = known_f32(&f, "R", DT_SHAPE(4), 2),
          s = known_f32(&f, "R", DT_SHAPE(), 3);
    known d = make_known(f.mesh, "R", DT_F64, DT_SHAPE(3, 2), 4);
    known i = make_known(f.mesh, "R", DT_I32, DT_SHAPE(3, 3), 5);
    dt_addmm_options options = DT_ADDMM_OPTIONS_INIT;
    options.beta = dt_real(0.5);
    f.scope = dt_scope_open(world);
    check_refused(&f, dt_matmul(a.tensor, a.tensor), DT_ERR_INVALID,
                  "matmul: shapes (2, 3) and (2, 3)");
    check_refused(&f, dt_matmul(a.tensor, v.tensor), DT_ERR_INVALID, "(4,)");
    check_refused(&f, dt_matmul(s.tensor, v.tensor), DT_ERR_INVALID, "is 0-d");
    check_refused(&f, dt_matmul(a.tensor, d.tensor), DT_ERR_INVALID,
                  "f32 and f64");
    check_refused(&f, dt_mm(a.tensor, v.tensor), DT_ERR_INVALID, "mat2");
    check_refused(&f, dt_bmm(a.tensor, a.tensor), DT_ERR_INVALID,
                  "3 dimensions");
    check_refused(&f, dt_dot(a.tensor, v.tensor), DT_ERR_INVALID, "self");
    check_refused(&f, dt_linear(a.tensor, a.tensor, v.tensor), DT_ERR_INVALID,
                  "bias has shape (4,)");
    check_refused(
        &f, dt_addmm(v.tensor, a.tensor, dt_t(a.tensor)), DT_ERR_INVALID,
        "self of shape (4,) cannot be broadcast to the result, (2, 2)");
    check_refused(&f, dt_addmm_with(i.tensor, i.tensor, i.tensor, &options),
                  DT_ERR_INVALID, "beta is not an integer");
    DT_IGNORE(dt_scope_close(f.scope));
    f.scope = outer;
    free(a.values);
    free(v.values);
    free(s.values);
    free(d.values);
    free(i.values);
    close_without_errors(&f);
}

/* ---- Predictions --------------------------------------------------------- */

static void reports_its_work(dt_world *world)
{
    fixture f = open_fixture(world);
    size_t count = 0;
    double flops = 0;
    dt_scope *scope = f.scope;
    dt_array *meta = NULL;
    CHECK_OK(world, dt_array_create_meta(world, DT_F32, DT_SHAPE(8, 8), &meta));
    dt_tensor *a = dt_from_local(f.mesh, "R", meta);
    start_counting(&f);
    CHECK(dt_matmul(a, a) != NULL);
    const dt_trace_operator *all = dt_trace_operators(world, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, "matmul") == 0)
            flops = all[i].flops;
    CHECKF(flops == 2 * 8 * 8 * 8, "%g", flops);
    dt_array_release(meta);
    f.scope = scope;
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"cut columns stay cut", cut_columns_stay_cut},
    {"cut rows stay cut", cut_rows_stay_cut},
    {"cut terms give partial sums", cut_terms_give_partial_sums},
    {"93, 94: a pair of products sends once", pair_of_products_sends_once},
    {"partial factors give partial products",
     partial_factors_give_partial_products},
    {"74: adds a cut bias", adds_a_cut_bias},
    {"counts a bias once", counts_a_bias_once},
    {"93: linear by columns sends nothing", linear_by_columns_sends_nothing},
    {"102: strict scopes refuse to send", strict_scopes_refuse_to_send},
    {"multiplies in every layout", multiplies_in_every_layout},
    {"multiplies on a square of ranks", multiplies_on_a_square_of_ranks},
    {"multiplies every number of dimensions",
     multiplies_every_number_of_dimensions},
    {"multiplies every dtype", multiplies_every_dtype},
    {"adds in place", adds_in_place},
    {"leaves out what counts nothing", leaves_out_what_counts_nothing},
    {"writes over a factor", writes_over_a_factor},
    {"multiplies views", multiplies_views},
    {"refuses what does not fit", refuses_what_does_not_fit},
    {"reports its work", reports_its_work},
    {NULL, NULL},
};
