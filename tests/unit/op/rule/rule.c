/* tests/unit/op/rule/rule.c - sharding rules, read and applied. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/rule/rule.h"

#include <string.h>

#include "support/check.h"

static dti_schema schema_of(const char *text)
{
    dti_schema schema;
    dt_error error;
    CHECK_ERROR(&error, dti_schema_parse(text, &schema, &error), DT_OK, NULL);
    return schema;
}

static const char product[] = "product(Tensor a, Tensor b) -> Tensor";
static const char fold[] = "fold(Tensor self, Dims dims, bool keep) -> Tensor";

static void reads_rules(dt_world *world)
{
    (void)world;
    dti_schema schema = schema_of(product);
    dti_rule rule;
    dt_error error;
    CHECK_ERROR(
        &error,
        dti_rule_parse("...mk, ...kn -> ...mn; k max", &schema, &rule, &error),
        DT_OK, NULL);
    CHECK_INT(rule.in_count, 2);
    CHECK_INT(rule.in[0].count, 2);
    CHECK_INT(rule.in[0].ellipsis, 0);
    CHECK_INT(rule.out[0].dims[1].letters[0], 'n');
    CHECK_INT(rule.mark_count, 1);
    CHECK_INT(rule.marks[0].kind, DT_FACTOR_REDUCED);
    CHECK_INT(rule.marks[0].reduce, DT_MAX);
    CHECK_ERROR(&error, dti_rule_parse("(ij)k,->ijk", &schema, &rule, &error),
                DT_OK, NULL);
    CHECK_INT(rule.in[0].dims[0].count, 2);
    CHECK_INT(rule.in[1].count, 0);
}

static void refuses_rules(dt_world *world)
{
    static const struct {
        const char *rule, *says;
    } cases[] = {
        {"mk,kn", "expected \"->\""},
        {"mk->m", "the number of tensors differs"},
        {"mk,kn->m,n", "the number of results differs"},
        {"m1,kn->mn", "expected a letter"},
        {"(mk,kn->mn", "missing closing bracket"},
        {"()k,kn->mn", "expected a letter"},
        {"......,k->", "twice in one tensor"},
        {"mk,kn->mn; k funny", "unknown mark"},
        {"mk,kn->mn; dims sum", "unknown argument"},
        {"mk,kn->mn; ", "a letter or an argument"},
        {"mk,kn->mn mn>", "expected a letter"},
        {"abcdefghi,k->k", "too many dimensions"},
    };
    dti_schema schema = schema_of(product);
    dti_rule rule;
    dt_error error;
    (void)world;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_ERROR(&error,
                    dti_rule_parse(cases[i].rule, &schema, &rule, &error),
                    DT_ERR_FORMAT, cases[i].says);
}

static void reads_what_passes(dt_world *world)
{
    dti_schema schema = schema_of(
        "affine(Tensor c, Tensor a, Tensor b, Number alpha) -> Tensor");
    dt_op op = {.linear = "c + a*b", .monotone = "c -b", .permutes = "a b"};
    dti_passes passes;
    dt_error error;
    (void)world;
    CHECK_ERROR(&error, dti_passes_parse(&op, &schema, &passes, &error), DT_OK,
                NULL);
    CHECK_INT(passes.term_count, 2);
    CHECK_INT(passes.terms[0], 1);
    CHECK_INT(passes.terms[1], 6);
    CHECK_INT(passes.addends, 1);
    CHECK_INT(passes.increasing, 1);
    CHECK_INT(passes.decreasing, 4);
    CHECK_INT(passes.moved, 6);
    op = (dt_op){.linear = "c + alpha"};
    CHECK_ERROR(&error, dti_passes_parse(&op, &schema, &passes, &error), DT_OK,
                NULL);
    CHECK_INT(passes.terms[1], 0); /* a constant */
    op = (dt_op){.linear = "c given b + a given b"};
    CHECK_ERROR(&error, dti_passes_parse(&op, &schema, &passes, &error), DT_OK,
                NULL);
    CHECK_INT(passes.terms[0], 1);
    CHECK_INT(passes.terms[1], 2);
    CHECK_INT(passes.addends, 0);
    op = (dt_op){.linear = "c given d"};
    CHECK_ERROR(&error, dti_passes_parse(&op, &schema, &passes, &error),
                DT_ERR_FORMAT, "unknown argument");
    op = (dt_op){.linear = "c + d"};
    CHECK_ERROR(&error, dti_passes_parse(&op, &schema, &passes, &error),
                DT_ERR_FORMAT, "unknown argument");
    op = (dt_op){.permutes = "-c"};
    CHECK_ERROR(&error, dti_passes_parse(&op, &schema, &passes, &error),
                DT_ERR_FORMAT, "unknown argument");
}

/* ---- Applied ------------------------------------------------------------ */

static dt_status apply(dt_world *world, const char *schema_text,
                       const char *text, dt_operation *operation,
                       dt_factors *out)
{
    dti_schema schema = schema_of(schema_text);
    dti_rule rule;
    dt_error error;
    dt_op op = {.schema = schema_text};
    CHECK_ERROR(&error, dti_rule_parse(text, &schema, &rule, &error), DT_OK,
                NULL);
    operation->world = world;
    operation->op = &op;
    dt_status status = dti_rule_apply(&rule, &schema, operation, out);
    operation->op = NULL;
    return status;
}

static void broadcasts(dt_world *world)
{
    dt_meta a = dt_meta_of(DT_F32, DT_SHAPE(4, 1, 6));
    dt_meta b = dt_meta_of(DT_F32, DT_SHAPE(5, 6));
    dt_meta c = dt_meta_of(DT_F32, DT_SHAPE(4, 5, 6));
    const dt_meta *metas[] = {&a, &b};
    dt_argument arguments[2] = {{.kind = DT_ARG_TENSOR},
                                {.kind = DT_ARG_TENSOR}};
    dt_operation operation = {.arguments = arguments,
                              .input_count = 2,
                              .metas = metas,
                              .result_count = 1,
                              .results = &c};
    dt_factors factors;
    CHECK_OK(world,
             apply(world, product, "...,...->...", &operation, &factors));
    CHECK_INT(factors.count, 3);
    CHECK_INT(factors.factors[1].size, 5);
    CHECK_INT(factors.in[0].dims[1].count, 0); /* broadcast */
    CHECK_INT(factors.in[1].dims[0].factors[0],
              factors.out[0].dims[1].factors[0]);
    CHECK_INT(factors.in[0].dims[2].factors[0],
              factors.in[1].dims[1].factors[0]);
    CHECK_FAILS(world,
                apply(world, product, "ab,...->...", &operation, &factors),
                DT_ERR_INVALID, "a has 3 dimensions; expected 2");
}

static void marks_dimensions(dt_world *world)
{
    dt_meta in = dt_meta_of(DT_F32, DT_SHAPE(4, 5, 6));
    dt_meta kept = dt_meta_of(DT_F32, DT_SHAPE(4, 1, 6));
    dt_meta gone = dt_meta_of(DT_F32, DT_SHAPE(4, 6));
    const dt_meta *metas[] = {&in};
    int64_t dims[] = {-2};
    dt_argument arguments[3] = {
        {.kind = DT_ARG_TENSOR},
        {.kind = DT_ARG_INTEGERS, .count = 1, .as.integers = dims}};
    dt_operation operation = {.arguments = arguments,
                              .input_count = 1,
                              .metas = metas,
                              .result_count = 1,
                              .results = &kept};
    dt_factors factors;
    CHECK_OK(world,
             apply(world, fold, "...->...; dims sum", &operation, &factors));
    CHECK_INT(factors.factors[1].kind, DT_FACTOR_REDUCED);
    CHECK_INT(factors.out[0].dims[1].count, 0);
    CHECK_INT(factors.out[0].dims[2].factors[0], 2);
    operation.results = &gone;
    CHECK_OK(world,
             apply(world, fold, "...->...; dims sum", &operation, &factors));
    CHECK_INT(factors.out[0].dims[1].factors[0], 2);
    arguments[1].count = 0; /* all of them */
    dt_meta none = dt_meta_of(DT_F32, DT_SHAPE());
    operation.results = &none;
    CHECK_OK(world,
             apply(world, fold, "...->...; dims max", &operation, &factors));
    for (int i = 0; i < 3; i++)
        CHECK_INT(factors.factors[i].reduce, DT_MAX);
    operation.results = &gone;
    CHECK_FAILS(world,
                apply(world, fold, "...->...; dims max", &operation, &factors),
                DT_ERR_INVALID, "result 0 has 2 dimensions");
}

const dt_test dt_tests[] = {
    {"reads rules", reads_rules},
    {"refuses rules", refuses_rules},
    {"reads what passes", reads_what_passes},
    {"broadcasts", broadcasts},
    {"marks dimensions", marks_dimensions},
    {NULL, NULL},
};
