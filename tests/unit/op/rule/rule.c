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
        {"mk,kn->mn; ", "a letter, \"...\" or an argument"},
        {"mk,kn->mn mn>", "expected a letter"},
        {"abcdefghi,k->k", "too many dimensions"},
        {"mk,kn->mn; k", "unknown mark"},
        {"mk,kn->mn; k unread", "does not fit what it is for"},
        {"mk,kn->mn; a sum", "does not fit what it is for"},
        {"mk,kn->mn; k calls", "takes a number from 1 to 9"},
        {"mk,kn->mn; k calls 12", "takes a number from 1 to 9"},
        {"mk,kn->mn; k at a", "takes an argument of type Dim"},
        {"mk,kn->mn; a at dim", "is for letters"},
        {"mk,kn->mn; keep sum", "names no dimensions"},
        {"mk,kn->mn; k sum if a", "a bool or an optional tensor"},
        {"mk,kn->mn; k sum if often", "unknown argument"},
        {"mk,kn->mn; k sum if keep m", "unexpected text"},
        {"m??k,kn->mn", "expected a letter"},
        {"mk,kn->mn; k sum, k sum, k sum, k sum, k sum, k sum, k sum, k sum, "
         "k sum",
         "too many marks"},
        {"(abcdefgh)(ijklmnop)(qrstuvwx)y?...,...->...", "DT_MAX_FACTORS"},
        {"(abcdefgh)(ijklmnop)(qrstuvwx),...->y...", "DT_MAX_FACTORS"},
    };
    dti_schema schema =
        schema_of("product(Tensor a, Tensor b, Dim dim, bool keep) -> Tensor");
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
    op = (dt_op){.linear = "c if float", .monotone = "-c unless float"};
    CHECK_ERROR(&error, dti_passes_parse(&op, &schema, &passes, &error), DT_OK,
                NULL);
    CHECK_INT(passes.linear_if.kind, DTI_IF_FLOAT);
    CHECK(passes.monotone_if.negated);
    CHECK_INT(passes.permutes_if.kind, DTI_ALWAYS);
    op = (dt_op){.linear = "c if alpha"};
    CHECK_ERROR(&error, dti_passes_parse(&op, &schema, &passes, &error),
                DT_ERR_FORMAT, "a bool or an optional tensor");
    op = (dt_op){.linear = "c if float a"};
    CHECK_ERROR(&error, dti_passes_parse(&op, &schema, &passes, &error),
                DT_ERR_FORMAT, "unexpected text");
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

/* ---- One call of a few tensors ------------------------------------------- */

#define MOST 4

/* A call with tensors of these shapes, as many as the schema has, and other
 * arguments. */
typedef struct call {
    const char *schema;
    int inputs, results;
    dt_shape in[MOST], out[MOST];
    dt_argument others[MOST]; /* after the tensors */
    dt_factors factors;
} call;

static dt_status apply_to(dt_world *world, const char *rule, call *of)
{
    dt_meta in[MOST], out[MOST];
    const dt_meta *metas[MOST];
    dt_argument arguments[2 * MOST] = {{.kind = DT_ARG_NONE}};
    for (int i = 0; i < of->inputs; i++) {
        in[i] = dt_meta_of(DT_F32, of->in[i]);
        metas[i] = &in[i];
        arguments[i].kind = DT_ARG_TENSOR;
    }
    for (int i = 0; i < of->results; i++)
        out[i] = dt_meta_of(DT_F32, of->out[i]);
    memcpy(&arguments[of->inputs], of->others, sizeof of->others);
    dt_operation operation = {.arguments = arguments,
                              .input_count = of->inputs,
                              .metas = metas,
                              .result_count = of->results,
                              .results = out};
    return apply(world, of->schema, rule, &operation, &of->factors);
}

/* The size of a dimension's only factor; 0: it has none. */
static int64_t size_at(const call *of, const dt_factor_map *map, int dim)
{
    const dt_factor_dim *at = &map->dims[dim];
    return at->count == 1 ? of->factors.factors[at->factors[0]].size : 0;
}

static void has_batches_and_vectors(dt_world *world)
{
    call of = {.schema = product,
               .inputs = 2,
               .results = 1,
               .in = {DT_SHAPE(2, 1, 3, 4), DT_SHAPE(5, 4, 6)},
               .out = {DT_SHAPE(2, 5, 3, 6)}};
    static const char rule[] = "...m?k,...kn?->...m?n?";
    CHECK_OK(world, apply_to(world, rule, &of));
    CHECK_INT(size_at(&of, &of.factors.in[0], 0), 2);
    CHECK_INT(size_at(&of, &of.factors.in[0], 1), 0); /* broadcast */
    CHECK_INT(size_at(&of, &of.factors.in[1], 0), 5);
    CHECK_INT(size_at(&of, &of.factors.out[0], 3), 6);
    of.in[0] = DT_SHAPE(4);
    of.out[0] = DT_SHAPE(5, 6);
    CHECK_OK(world, apply_to(world, rule, &of));
    CHECK_INT(of.factors.in[0].dims[0].factors[0],
              of.factors.in[1].dims[1].factors[0]); /* k */
    CHECK_INT(size_at(&of, &of.factors.out[0], 1), 6);
    of.in[1] = DT_SHAPE(4);
    of.out[0] = DT_SHAPE();
    CHECK_OK(world, apply_to(world, rule, &of));
    CHECK_INT(of.factors.count, 1);
    CHECK_INT(of.factors.factors[0].kind, DT_FACTOR_REDUCED);
}

static void broadcasts_beside_letters(dt_world *world)
{
    call of = {.schema = "add(Tensor c, Tensor a, Tensor b) -> Tensor",
               .inputs = 3,
               .results = 1,
               .in = {DT_SHAPE(6), DT_SHAPE(3, 4), DT_SHAPE(4, 6)},
               .out = {DT_SHAPE(3, 6)}};
    CHECK_OK(world, apply_to(world, "m?n?,mk,kn->mn", &of));
    CHECK_INT(of.factors.in[0].dims[0].factors[0],
              of.factors.out[0].dims[1].factors[0]);
    of.in[0] = DT_SHAPE(3, 1);
    CHECK_OK(world, apply_to(world, "m?n?,mk,kn->mn", &of));
    CHECK_INT(size_at(&of, &of.factors.in[0], 0), 3);
    CHECK_INT(size_at(&of, &of.factors.in[0], 1), 0);
    of.in[0] = DT_SHAPE(2, 3, 6);
    CHECK_FAILS(world, apply_to(world, "m?n?,mk,kn->mn", &of), DT_ERR_INVALID,
                "c has 3 dimensions; expected 2");
}

static void stands_where_an_argument_says(dt_world *world)
{
    call of = {.schema = "pick(Tensor self, Tensor index, Dim dim) -> Tensor",
               .inputs = 2,
               .results = 1,
               .in = {DT_SHAPE(4, 5, 6), DT_SHAPE(7)},
               .out = {DT_SHAPE(4, 7, 6)},
               .others = {{.kind = DT_ARG_INTEGER, .as.integer = -2}}};
    static const char rule[] = "...d?,i?->...i?; d at dim masked, i at dim";
    CHECK_OK(world, apply_to(world, rule, &of));
    CHECK_INT(size_at(&of, &of.factors.in[0], 1), 5);
    CHECK_INT(of.factors.factors[of.factors.in[0].dims[1].factors[0]].kind,
              DT_FACTOR_MASKED);
    CHECK_INT(of.factors.in[1].dims[0].factors[0],
              of.factors.out[0].dims[1].factors[0]);
    of.in[0] = DT_SHAPE();
    of.out[0] = DT_SHAPE();
    of.others[0].as.integer = 0;
    CHECK_OK(world, apply_to(world, rule, &of));
    call windows = {.schema = "windows(Tensor self, Dim dim) -> Tensor",
                    .inputs = 1,
                    .results = 1,
                    .in = {DT_SHAPE(4, 5, 6)},
                    .out = {DT_SHAPE(4, 3, 6, 2)},
                    .others = {{.kind = DT_ARG_INTEGER, .as.integer = -2}}};
    CHECK_OK(world,
             apply_to(world, "...d->...ds; d at dim whole, s whole", &windows));
    CHECK_INT(size_at(&windows, &windows.factors.out[0], 2), 6);
    CHECK_INT(
        windows.factors.factors[windows.factors.out[0].dims[1].factors[0]].kind,
        DT_FACTOR_WHOLE);
    windows.others[0].as.integer = 3;
    CHECK_FAILS(world,
                apply_to(world, "...d->...ds; d at dim, s whole", &windows),
                DT_ERR_INVALID, "self has 3 dimensions");
}

static void splits_by_what_is_known(dt_world *world)
{
    call of = {.schema = "norm(Tensor self) -> (Tensor out, Tensor mean)",
               .inputs = 1,
               .results = 2,
               .in = {DT_SHAPE(2, 12)},
               .out = {DT_SHAPE(2, 12), DT_SHAPE(2, 3)}};
    static const char rule[] = "b(gc)->b(gc),bg; c across, mean constant";
    CHECK_OK(world, apply_to(world, rule, &of));
    CHECK_INT(of.factors.in[0].dims[1].count, 2);
    CHECK_INT(of.factors.factors[of.factors.in[0].dims[1].factors[1]].size, 4);
    CHECK_INT(of.factors.constant, 2);
    of.out[1] = DT_SHAPE(2, 1); /* g says nothing */
    CHECK_OK(world, apply_to(world, rule, &of));
    CHECK_INT(size_at(&of, &of.factors.in[0], 1), 12);
    of.out[1] = DT_SHAPE(2, 5); /* is no divisor */
    CHECK_OK(world, apply_to(world, rule, &of));
    CHECK_INT(of.factors.in[0].dims[1].count, 0);
}

static void marks_all_dimensions(dt_world *world)
{
    call of = {.schema = product,
               .inputs = 2,
               .results = 1,
               .in = {DT_SHAPE(4, 5), DT_SHAPE(5)},
               .out = {DT_SHAPE()}};
    CHECK_OK(world, apply_to(world, "...,...->...; ... sum", &of));
    CHECK_INT(of.factors.factors[0].kind, DT_FACTOR_REDUCED);
    CHECK(of.factors.factors[0].others_whole);
    of.out[0] = DT_SHAPE(4, 5); /* nothing is summed */
    CHECK_OK(world, apply_to(world, "...,...->...; ... sum", &of));
    CHECK_INT(of.factors.factors[0].kind, DT_FACTOR_FREE);
    of.in[1] = DT_SHAPE(4, 1);
    CHECK_OK(world, apply_to(world, "...,...->...; ... equal", &of));
    CHECK_INT(of.factors.factors[0].kind, DT_FACTOR_FREE);
    CHECK_INT(of.factors.factors[1].kind, DT_FACTOR_WHOLE);
    CHECK_FAILS(world, apply_to(world, "ab,...->...b", &of), DT_ERR_INVALID,
                "result 0 has 2 dimensions");
}

static void marks_under_a_condition(dt_world *world)
{
    call of = {.schema = "keep(Tensor self, Shape last, bool off) -> Tensor",
               .inputs = 1,
               .results = 1,
               .in = {DT_SHAPE(4, 5)},
               .out = {DT_SHAPE(4, 5)}};
    const int64_t last[] = {5};
    static const char rule[] =
        "...->...; last across calls 2, ... whole if off, self unread unless "
        "float";
    of.others[0] =
        (dt_argument){.kind = DT_ARG_INTEGERS, .count = 1, .as.integers = last};
    of.others[1] = (dt_argument){.kind = DT_ARG_INTEGER, .as.integer = 0};
    CHECK_OK(world, apply_to(world, rule, &of));
    CHECK_INT(of.factors.factors[0].kind, DT_FACTOR_FREE);
    CHECK_INT(of.factors.factors[1].kind, DT_FACTOR_INSIDE);
    CHECK_INT(of.factors.factors[1].calls, 2);
    CHECK_INT(of.factors.unread, 0);
    of.others[1].as.integer = 1;
    CHECK_OK(world, apply_to(world, rule, &of));
    CHECK_INT(of.factors.factors[0].kind, DT_FACTOR_WHOLE);
}

/* Results of a list have one map; self is split into 5 and 0. */
static void compares_results_of_a_list(dt_world *world)
{
    call of = {.schema = "split(Tensor self) -> Tensor[]",
               .inputs = 1,
               .results = 2,
               .in = {DT_SHAPE(5, 4)},
               .out = {DT_SHAPE(5, 4), DT_SHAPE(0, 4)}};
    CHECK_OK(world, apply_to(world, "...->...", &of));
    CHECK_INT(size_at(&of, &of.factors.out[0], 0), 0);
    CHECK_INT(size_at(&of, &of.factors.out[0], 1), 4);
}

/* What passes when an input is converted to the result's dtype. */
static void converts(dt_world *world)
{
    static const struct {
        dt_dtype from, to;
        bool linear, monotone, permutes;
    } cases[] = {
        {DT_F32, DT_F32, true, true, true},
        {DT_F32, DT_F64, true, true, true},
        {DT_I32, DT_F32, false, true, false},
        {DT_I64, DT_I32, true, false, false},
        {DT_I32, DT_I64, false, true, false},
        {DT_BOOL, DT_BOOL, true, true, true},
        {DT_BOOL, DT_I64, false, true, false},
        {DT_F32, DT_I32, false, false, false},
        {DT_C64, DT_F32, true, true, false},
        {DT_F32, DT_C64, true, false, false}, /* infinity times 0i is NaN */
    };
    dti_schema schema = schema_of("cast(Tensor self, Dtype dtype) -> Tensor");
    dt_op op = {.linear = "self", .monotone = "self", .permutes = "self"};
    dti_passes passes;
    dt_error error;
    (void)world;
    CHECK_ERROR(&error, dti_passes_parse(&op, &schema, &passes, &error), DT_OK,
                NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dt_meta in = dt_meta_of(cases[i].from, DT_SHAPE(2));
        dt_meta out = dt_meta_of(cases[i].to, DT_SHAPE(2));
        const dt_meta *metas[] = {&in};
        dt_argument arguments[2] = {{.kind = DT_ARG_TENSOR}};
        dt_operation operation = {.arguments = arguments,
                                  .input_count = 1,
                                  .metas = metas,
                                  .result_count = 1,
                                  .results = &out};
        dt_factors factors = {0};
        dti_passes_apply(&passes, &schema, &operation, &factors);
        CHECK_INT(factors.converted, !cases[i].linear);
        CHECK_INT(factors.no_monotone, !cases[i].monotone);
        CHECK_INT(factors.no_permutes, !cases[i].permutes);
    }
}

const dt_test dt_tests[] = {
    {"reads rules", reads_rules},
    {"refuses rules", refuses_rules},
    {"reads what passes", reads_what_passes},
    {"broadcasts", broadcasts},
    {"marks dimensions", marks_dimensions},
    {"has batches and vectors", has_batches_and_vectors},
    {"broadcasts beside letters", broadcasts_beside_letters},
    {"stands where an argument says", stands_where_an_argument_says},
    {"splits by what is known", splits_by_what_is_known},
    {"marks all dimensions", marks_all_dimensions},
    {"marks under a condition", marks_under_a_condition},
    {"compares results of a list", compares_results_of_a_list},
    {"converts", converts},
    {NULL, NULL},
};
