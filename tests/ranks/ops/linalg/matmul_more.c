/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/linalg/matmul_more.c - products of vectors, of pairs of
 * dimensions, and what is added to products. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: matmul outer */
#include "ranks/ops/linalg/products.h"

/* Either vector may be sharded, and nothing is sent. */
static void outer_products(dt_world *world)
{
    fixture f = open_fixture(world);
    static const char *const layouts[][3] = {{"S(0)", "R", "S(0)"},
                                             {"R", "S(0)", "S(1)"},
                                             {"P(sum)", "R", "P(sum)"}};
    for (int i = 0; i < 3; i++) {
        known k[] = {known_f32(&f, layouts[i][0], DT_SHAPE(2 * f.ranks + 1), 1),
                     known_f32(&f, layouts[i][1], DT_SHAPE(f.ranks + 2), 2)};
        start_counting(&f);
        dt_tensor *y = dt_outer(k[0].tensor, k[1].tensor);
        check_silent(&f);
        check_layout(y, layouts[i][2]);
        check_sum(y, "m,n->mn", k, "outer");
        forget(k, 2);
    }
    known none[] = {known_f32(&f, "S(0)", DT_SHAPE(0), 1),
                    known_f32(&f, "S(0)", DT_SHAPE(3), 2)};
    check_sum(dt_outer(none[0].tensor, none[1].tensor), "m,n->mn", none,
              "outer of nothing");
    forget(none, 2);
    close_without_errors(&f);
}

/* What is added counts once where sums are partial. */
static void adds_to_products(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t n = 2 * f.ranks + 1;
    dt_shape shape;
    known v[] = {known_f32(&f, "S(1)", DT_SHAPE(3, n), 1),
                 known_f32(&f, "S(0)", DT_SHAPE(n), 2),
                 known_f32(&f, "R", DT_SHAPE(1), 3)};
    dt_addmv_options by = DT_ADDMV_OPTIONS_INIT;
    by.alpha = dt_integer(2);
    start_counting(&f);
    dt_tensor *y = dt_addmv_with(v[2].tensor, v[0].tensor, v[1].tensor, &by);
    check_silent(&f);
    check_layout(y, "P(sum)");
    double *sums = sum_terms("mk,k->m", v, &shape);
    for (int i = 0; i < 3; i++)
        sums[i] = 2 * sums[i] + v[2].values[0];
    check_exactly(y, shape, sums, "addmv");
    free(sums);
    forget(v, 3);

    known b[] = {known_f32(&f, "S(0)", DT_SHAPE(n, 2, 3), 1),
                 known_f32(&f, "S(0)", DT_SHAPE(n, 3, 4), 2),
                 known_f32(&f, "R", DT_SHAPE(2, 4), 3)};
    start_counting(&f);
    y = dt_addbmm(b[2].tensor, b[0].tensor, b[1].tensor);
    check_silent(&f);
    check_layout(y, "P(sum)");
    sums = sum_terms("bmk,bkn->mn", b, &shape);
    for (int i = 0; i < 8; i++)
        sums[i] += b[2].values[i];
    check_exactly(y, shape, sums, "addbmm");
    free(sums);
    forget(b, 3);
    close_without_errors(&f);
}

static void adds_outer_products(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t n = 2 * f.ranks + 1;
    dt_shape shape;
    known k[] = {known_f32(&f, "S(0)", DT_SHAPE(n), 1),
                 known_f32(&f, "R", DT_SHAPE(3), 2),
                 known_f32(&f, "S(0)", DT_SHAPE(n, 1), 3)};
    start_counting(&f);
    dt_tensor *y = dt_addr(k[2].tensor, k[0].tensor, k[1].tensor);
    check_silent(&f);
    check_layout(y, "S(0)");
    double *sums = sum_terms("m,n->mn", k, &shape);
    for (int64_t i = 0; i < 3 * n; i++)
        sums[i] += k[2].values[i / 3];
    check_exactly(y, shape, sums, "addr");
    free(sums);
    forget(k, 3);
    close_without_errors(&f);
}

static void sums_over_pairs(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t n = 2 * f.ranks + 1;
    known k[] = {known_f32(&f, "S(1)", DT_SHAPE(2, n, 3), 1),
                 known_f32(&f, "S(2)", DT_SHAPE(3, 4, n), 2)};
    const int64_t both[] = {1, -1}, others[] = {2, 0};
    start_counting(&f);
    dt_tensor *y = dt_tensordot(k[0].tensor, k[1].tensor, both, 2, others, 2);
    check_silent(&f);
    check_layout(y, "P(sum)");
    check_sum(y, "ank,kbn->ab", k, "tensordot");
    check_sum(dt_tensordot(k[0].tensor, k[1].tensor, both, 1, others, 1),
              "anc,dbn->acdb", k, "tensordot of one pair");
    forget(k, 2);

    known i[] = {known_f32(&f, "S(0)", DT_SHAPE(n, 3), 1),
                 known_f32(&f, "R", DT_SHAPE(2, 3), 2)};
    y = dt_inner(i[0].tensor, i[1].tensor);
    check_layout(y, "S(0)");
    check_sum(y, "mk,nk->mn", i, "inner");
    forget(i, 2);

    known v[] = {known_f32(&f, "S(0)", DT_SHAPE(n), 1),
                 known_f32(&f, "S(0)", DT_SHAPE(n), 2)};
    check_sum(dt_vdot(v[0].tensor, v[1].tensor), "k,k->", v, "vdot");
    forget(v, 2);
    close_without_errors(&f);
}

static void refuses(dt_world *world)
{
    fixture f = open_fixture(world);
    known k[] = {known_f32(&f, "R", DT_SHAPE(2, 3), 1),
                 known_f32(&f, "R", DT_SHAPE(4), 2)};
    const int64_t first[] = {0, 0}, far[] = {5};
    dt_scope *outer = f.scope;
    f.scope = dt_scope_open(world);
    check_refused(&f, dt_outer(k[0].tensor, k[1].tensor), DT_ERR_INVALID,
                  "expected two 1-d tensors");
    check_refused(&f, dt_addmv(k[1].tensor, k[0].tensor, k[1].tensor),
                  DT_ERR_INVALID, "cannot be multiplied");
    check_refused(
        &f, dt_addr(k[0].tensor, k[1].tensor, k[1].tensor), DT_ERR_INVALID,
        "self of shape (2, 3) cannot be broadcast to the result, (4, 4)");
    check_refused(&f, dt_inner(k[0].tensor, k[1].tensor), DT_ERR_INVALID,
                  "dimension 1 of self has extent 3");
    check_refused(&f,
                  dt_tensordot(k[0].tensor, k[0].tensor, first, 2, first, 2),
                  DT_ERR_INVALID, "listed twice");
    check_refused(&f, dt_tensordot(k[0].tensor, k[0].tensor, first, 1, far, 1),
                  DT_ERR_INVALID, "dimension 5");
    check_refused(&f, dt_tensordot(k[0].tensor, k[0].tensor, first, 2, far, 1),
                  DT_ERR_INVALID, "pairs");
    DT_IGNORE(dt_scope_close(f.scope));
    f.scope = outer;
    forget(k, 2);
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"outer products", outer_products},
    {"adds to products", adds_to_products},
    {"adds outer products", adds_outer_products},
    {"sums over pairs", sums_over_pairs},
    {"refuses", refuses},
    {NULL, NULL},
};
