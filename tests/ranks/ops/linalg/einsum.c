/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/linalg/einsum.c - sums of products that equations write. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: contract */
#include <dtensor/sys/ops_internal.h>

#include "ranks/ops/linalg/products.h"

/* ---- Equations ----------------------------------------------------------- */

typedef struct einsum_case {
    const char *equation; /* as given */
    const char *plain;    /* with a letter for each dimension */
    int count;
    dt_shape shapes[OPERANDS_MAX];
} einsum_case;

static void check_einsum(fixture *f, const einsum_case *one, int turn)
{
    known k[OPERANDS_MAX];
    dt_tensor *tensors[OPERANDS_MAX];
    for (int i = 0; i < one->count; i++) {
        char layout[16] = "R";
        const int choice = (turn + i * 2) % (one->shapes[i].ndim + 2);
        if (choice < one->shapes[i].ndim)
            snprintf(layout, sizeof layout, "S(%d)", choice);
        else if (choice > one->shapes[i].ndim)
            snprintf(layout, sizeof layout, "P(sum)");
        k[i] = known_f32(f, layout, one->shapes[i], i);
        tensors[i] = k[i].tensor;
    }
    check_sum(dt_einsum(one->equation, tensors, one->count), one->plain, k,
              one->equation);
    forget(k, one->count);
}

static void sums_equations(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t m = f.ranks + 1;
    const einsum_case cases[] = {
        {"ij,jk", "ij,jk->ik", 2, {DT_SHAPE(m, 3), DT_SHAPE(3, 4)}},
        {" i j , j k -> k i ",
         "ij,jk->ki",
         2,
         {DT_SHAPE(m, 3), DT_SHAPE(3, 4)}},
        {"ij->ji", "ij->ji", 1, {DT_SHAPE(m, 3)}},
        {"ba", "ba->ab", 1, {DT_SHAPE(m, 3)}},
        {"bA", "bA->Ab", 1, {DT_SHAPE(m, 3)}},
        {"ij->", "ij->", 1, {DT_SHAPE(m, 3)}},
        {"ijk->k", "ijk->k", 1, {DT_SHAPE(2, m, 3)}},
        {"i,i->", "i,i->", 2, {DT_SHAPE(m), DT_SHAPE(m)}},
        {"i,i->i", "i,i->i", 2, {DT_SHAPE(m), DT_SHAPE(m)}},
        {"i,j->ji", "i,j->ji", 2, {DT_SHAPE(m), DT_SHAPE(4)}},
        {",ij->ij", ",ij->ij", 2, {DT_SHAPE(), DT_SHAPE(m, 3)}},
        {"ij,kl->ik", "ij,kl->ik", 2, {DT_SHAPE(m, 3), DT_SHAPE(4, 2)}},
        {"bij,bjk->bik",
         "bij,bjk->bik",
         2,
         {DT_SHAPE(3, m, 4), DT_SHAPE(3, 4, 2)}},
        {"bij,bjk->kbi",
         "bij,bjk->kbi",
         2,
         {DT_SHAPE(3, m, 4), DT_SHAPE(3, 4, 2)}},
        {"aibj,jckb->akic",
         "aibj,jckb->akic",
         2,
         {DT_SHAPE(2, m, 2, 3), DT_SHAPE(3, 2, 4, 2)}},
        {"aibj,cidj->dbca",
         "aibj,cidj->dbca",
         2,
         {DT_SHAPE(2, 3, 2, m), DT_SHAPE(3, 3, 2, m)}},
        {"ij,ij->j", "ij,ij->j", 2, {DT_SHAPE(m, 1), DT_SHAPE(m, 3)}},
        {"ij,jk->ik", "ij,jk->ik", 2, {DT_SHAPE(m, 3), DT_SHAPE(1, 4)}},
        {"...ij,...jk",
         "aij,ajk->aik",
         2,
         {DT_SHAPE(2, m, 3), DT_SHAPE(2, 3, 4)}},
        {"...i,...i->...",
         "abi,bi->ab",
         2,
         {DT_SHAPE(2, m, 3), DT_SHAPE(m, 3)}},
        {"...i,...i->...",
         "bi,abi->ab",
         2,
         {DT_SHAPE(m, 3), DT_SHAPE(2, m, 3)}},
        {"i...,...j->...ij", "ia,aj->aij", 2, {DT_SHAPE(2, m), DT_SHAPE(m, 3)}},
        {"...i->i", "abi->i", 1, {DT_SHAPE(2, m, 3)}},
        {"ij,jk,kl",
         "ij,jk,kl->il",
         3,
         {DT_SHAPE(m, 3), DT_SHAPE(3, 5), DT_SHAPE(5, 2)}},
        {"ab,bc,cd,da->",
         "ab,bc,cd,da->",
         4,
         {DT_SHAPE(m, 3), DT_SHAPE(3, 2), DT_SHAPE(2, 4), DT_SHAPE(4, m)}},
        {"bqhd,bkhd,h->bhqk",
         "bqhd,bkhd,h->bhqk",
         3,
         {DT_SHAPE(2, m, 2, 3), DT_SHAPE(2, 4, 2, 3), DT_SHAPE(2)}},
        {"a,a,a,a,a,a,a,a,a->a",
         "a,a,a,a,a,a,a,a,a->a",
         9,
         {DT_SHAPE(m), DT_SHAPE(m), DT_SHAPE(m), DT_SHAPE(m), DT_SHAPE(m),
          DT_SHAPE(m), DT_SHAPE(m), DT_SHAPE(m), DT_SHAPE(m)}},
        {"ii", "ii->", 1, {DT_SHAPE(m, m)}},
        {"ii->i", "ii->i", 1, {DT_SHAPE(m, m)}},
        {"iij->ji", "iij->ji", 1, {DT_SHAPE(m, m, 3)}},
        {"jiji,ik->kj",
         "jiji,ik->kj",
         2,
         {DT_SHAPE(2, m, 2, m), DT_SHAPE(m, 3)}},
        {"iii,i,jj->i",
         "iii,i,jj->i",
         3,
         {DT_SHAPE(m, m, m), DT_SHAPE(m), DT_SHAPE(2, 2)}},
        {"ij,jk->ik", "ij,jk->ik", 2, {DT_SHAPE(m, 0), DT_SHAPE(0, 4)}},
        {"ij->i", "ij->i", 1, {DT_SHAPE(m, 0)}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int turn = 0; turn < 6; turn++)
            check_einsum(&f, &cases[i], turn);
    close_without_errors(&f);
}

/* One tensor of integers is summed in i64, as by `sum`. */
static void sums_integers_wide(dt_world *world)
{
    fixture f = open_fixture(world);
    known k[] = {
        make_known(f.mesh, "S(1)", DT_I8, DT_SHAPE(2, f.ranks + 1, 3), 1)};
    dt_tensor *const tensors[] = {k[0].tensor};
    dt_tensor *y = dt_einsum("abc->ca", tensors, 1);
    check_sum(y, "abc->ca", k, "integers");
    CHECK(y != NULL && dt_tensor_dtype(y) == DT_I64);
    dt_tensor *moved = dt_einsum("abc->cab", tensors, 1);
    check_sum(moved, "abc->cab", k, "integers moved");
    CHECK(moved != NULL && dt_tensor_dtype(moved) == DT_I8);
    forget(k, 1);
    close_without_errors(&f);
}

/* Any letter can be cut, and nothing is sent if all tensors are cut alike. */
static void cuts_every_letter(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t m = f.ranks + 1;
    const struct {
        const char *a, *b, *result;
    } cases[] = {{"S(0)", "S(0)", "S(1)"},   /* b, a batch */
                 {"S(1)", "R", "S(2)"},      /* i, of the first alone */
                 {"S(2)", "S(1)", "P(sum)"}, /* j, which is summed */
                 {"R", "S(2)", "S(0)"}};     /* k, of the second alone */
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        known k[] = {known_f32(&f, cases[i].a, DT_SHAPE(m, m, m), 1),
                     known_f32(&f, cases[i].b, DT_SHAPE(m, m, m), 2)};
        dt_tensor *const tensors[] = {k[0].tensor, k[1].tensor};
        start_counting(&f);
        dt_tensor *y = dt_einsum("bij,bjk->kbi", tensors, 2);
        check_silent(&f);
        check_layout(y, cases[i].result);
        check_sum(y, "bij,bjk->kbi", k, cases[i].a);
        forget(k, 2);
    }
    close_without_errors(&f);
}

static void refuses_wrong_equations(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_scope *outer = f.scope;
    known a = known_f32(&f, "R", DT_SHAPE(2, 3), 1);
    known b = known_f32(&f, "R", DT_SHAPE(3, 2), 2);
    dt_tensor *const both[] = {a.tensor, b.tensor};
    static const struct {
        const char *equation;
        int count;
        dt_status code;
        const char *text;
    } cases[] = {
        {"ij,jk", 1, DT_ERR_INVALID, "more operands than tensors"},
        {"ij", 2, DT_ERR_INVALID, "1 operands for 2 tensors"},
        {"ijk,jk", 2, DT_ERR_INVALID, "operand 0 has 3 letters"},
        {"ij,j$k", 2, DT_ERR_INVALID, "at position 4"},
        {"ij,jk-ik", 2, DT_ERR_INVALID, "missing \">\""},
        {"ij,jk->il", 2, DT_ERR_INVALID, "letter that no operand has"},
        {"ij,jk->ii", 2, DT_ERR_INVALID,
         "duplicate letter in the result at position 8"},
        {"ij,jk->i->k", 2, DT_ERR_INVALID, "unexpected text"},
        {"i..j,jk", 2, DT_ERR_INVALID, "at position 1"},
        {"...i...,jk", 2, DT_ERR_INVALID, "second"},
        {"ij,ij", 2, DT_ERR_INVALID,
         "'i' has extent 3 in operand 1, but 2 in an earlier one"},
        {"ii,jk", 2, DT_ERR_INVALID,
         "operand 0 has 'i' twice, for dimensions of extent 2 and 3"},
    };
    f.scope = dt_scope_open(world);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_refused(&f, dt_einsum(cases[i].equation, both, cases[i].count),
                      cases[i].code, cases[i].text);
    DT_IGNORE(dt_scope_close(f.scope));
    f.scope = outer;
    free(a.values);
    free(b.values);
    close_without_errors(&f);
}

/* ---- One contraction ------------------------------------------------------
 */

/* dt_einsum contracts pair by pair with dt_contract, which programs may call
 * too: sharded letters that are summed give sums, others shards. */
static void contracts(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t m = 2 * f.ranks + 1;
    known k[] = {known_f32(&f, "S(1)", DT_SHAPE(3, m), 1),
                 known_f32(&f, "S(0)", DT_SHAPE(m, 4), 2),
                 known_f32(&f, "S(2)", DT_SHAPE(3, 4, m), 3)};
    start_counting(&f);
    dt_tensor *product = dt_contract(k[0].tensor, k[1].tensor, "ij,jk->ki");
    dt_tensor *traced = dt_contract(k[2].tensor, NULL, "ijk->kj");
    check_silent(&f);
    check_layout(product, "P(sum)");
    check_layout(traced, "S(0)");
    check_sum(product, "ij,jk->ki", k, "a product");
    check_sum(traced, "ijk->kj", &k[2], "a sum");
    check_refused(&f, dt_contract(k[0].tensor, k[1].tensor, "ij,kj->ik"),
                  DT_ERR_INVALID, "contract: ");
    forget(k, 3);
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"sums equations", sums_equations},
    {"sums integers wide", sums_integers_wide},
    {"cuts every letter", cuts_every_letter},
    {"refuses wrong equations", refuses_wrong_equations},
    {"contracts one tensor or two", contracts},
    {NULL, NULL},
};
