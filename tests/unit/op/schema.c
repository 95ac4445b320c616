/* tests/unit/op/schema.c - schemas of operators, read strictly. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "op/schema.h"

static bool reads(const char *text, dti_schema *out)
{
    dt_error error;
    return CHECK_ERROR(&error, dti_schema_parse(text, out, &error), DT_OK,
                       NULL);
}

static void refuses(const char *text, const char *sentence)
{
    dt_error error;
    dti_schema schema;
    CHECK_ERROR(&error, dti_schema_parse(text, &schema, &error), DT_ERR_FORMAT,
                sentence);
}

static void reads_arguments(dt_world *world)
{
    dti_schema schema;
    (void)world;
    if (!reads("addmm(Tensor self, Tensor mat1, Tensor? mat2, *, "
               "Number beta=1, Number alpha=0.5) -> Tensor",
               &schema))
        return;
    CHECK_TEXT(schema.name, "addmm");
    CHECK_INT(schema.count, 5);
    CHECK_INT(schema.tensor_count, 3);
    CHECK_INT(schema.tensors[2], 2);
    CHECK_TEXT(schema.parameters[1].name, "mat1");
    CHECK(schema.parameters[1].type == DTI_TYPE_TENSOR);
    CHECK(schema.parameters[2].type == DTI_TYPE_OPTIONAL_TENSOR);
    CHECK(!schema.parameters[2].option && schema.parameters[3].option);
    CHECK_TEXT(schema.parameters[0].text, "");
    CHECK_TEXT(schema.parameters[4].text, "0.5");
    CHECK(schema.results == DTI_RESULT_ONE && schema.result_count == 1);
    CHECK_INT(dti_schema_find(&schema, "mat2*", 4), 2);
    CHECK_INT(dti_schema_find(&schema, "mat", 3), -1);
    CHECK_INT(dti_schema_find(&schema, "alphabet", 8), -1);
}

/* Every type of the table, and the kind of argument that it goes into. */
static void reads_every_type(dt_world *world)
{
    (void)world;
    for (int i = 0; i < DTI_TYPE_COUNT; i++) {
        char text[128];
        dti_schema schema;
        snprintf(text, sizeof text, "f(Tensor self, %s x) -> Tensor",
                 dti_types[i].name);
        if (!reads(text, &schema))
            continue;
        CHECKF((int)schema.parameters[1].type == i, "%s", text);
        CHECK(schema.parameters[1].decides == dti_types[i].decides);
        CHECK(dti_types[i].c_type[0] && dti_types[i].kind != DT_ARG_NONE);
    }
}

static void reads_results(dt_world *world)
{
    dti_schema schema;
    (void)world;
    reads("f(Tensor x)->(Tensor values,Tensor indices)", &schema);
    CHECK(schema.results == DTI_RESULTS_NAMED && schema.result_count == 2);
    CHECK_TEXT(schema.result_names[0], "values");
    CHECK_TEXT(schema.result_names[1], "indices");
    reads("f(Tensor x) -> Tensor[]", &schema);
    CHECK(schema.results == DTI_RESULT_LIST && schema.result_count == 0);
    reads("f() -> Tensor", &schema);
    CHECK(schema.count == 0 && schema.tensor_count == 0);
}

static void reads_what_decides(dt_world *world)
{
    dti_schema schema;
    (void)world;
    reads("f(Tensor x, int~ a, int b, float c, Number d, Dims e, Dtype? g, "
          "Text~ h) -> Tensor",
          &schema);
    const char *expected = "00100110";
    for (int i = 0; i < schema.count; i++)
        CHECKF(schema.parameters[i].decides == (expected[i] == '1'), "%s",
               schema.parameters[i].name);
}

/* In place: one result or a list goes to what comes first, x_out to x. */
static void reads_what_is_overwritten(dt_world *world)
{
    dti_schema schema;
    (void)world;
    reads("f(int a, Tensor x) -> Tensor", &schema);
    CHECK_INT(schema.overwrites[0], 0);
    CHECK(!dti_schema_only_in_place(&schema));
    reads("f(Tensor[] x, Number[] a) -> Tensor[]", &schema);
    CHECK_INT(schema.overwrites[0], 0);
    CHECK(schema.parameters[1].type == DTI_TYPE_NUMBERS);
    reads("f(Tensor x, int a, Tensor? y, Tensor z) -> "
          "(Tensor y_out, Tensor found, Tensor x_out, Tensor a_out)",
          &schema);
    CHECK_INT(schema.overwrites[0], 1);
    CHECK_INT(schema.overwrites[1], -1);
    CHECK_INT(schema.overwrites[2], 0);
    CHECK_INT(schema.overwrites[3], -1); /* no tensor */
    CHECK(!dti_schema_only_in_place(&schema));
    reads("f(Tensor[] x) -> ()", &schema);
    CHECK(schema.results == DTI_RESULTS_NONE && schema.result_count == 0);
    CHECK(dti_schema_only_in_place(&schema));
    reads("f(Tensor[] x) -> (Tensor norm)", &schema);
    CHECK(dti_schema_only_in_place(&schema));
}

/* The default of one option. */
static const dt_argument *default_of(dti_schema *schema, const char *option)
{
    char text[160];
    snprintf(text, sizeof text, "f(Tensor self, *, %s) -> Tensor", option);
    reads(text, schema);
    return &schema->parameters[1].usual;
}

static void reads_defaults(dt_world *world)
{
    dti_schema schema;
    const dt_argument *usual = default_of(&schema, "Number a=2");
    (void)world;
    CHECK(usual->kind == DT_ARG_NUMBER && usual->as.number.as.integer == 2);
    CHECK(usual->as.number.kind == DT_KIND_SIGNED);
    usual = default_of(&schema, "Number a=-2.0");
    CHECK(usual->as.number.kind == DT_KIND_FLOAT);
    CHECK(usual->as.number.as.real == -2);
    usual = default_of(&schema, "Number a=true");
    CHECK(usual->as.number.kind == DT_KIND_BOOLEAN);
    usual = default_of(&schema, "int a=-100");
    CHECK(usual->kind == DT_ARG_INTEGER && usual->as.integer == -100);
    usual = default_of(&schema, "Dim dim=-1");
    CHECK(usual->kind == DT_ARG_INTEGER && usual->as.integer == -1);
    usual = default_of(&schema, "bool a = true");
    CHECK(usual->kind == DT_ARG_INTEGER && usual->as.integer == 1);
    usual = default_of(&schema, "bool a=false");
    CHECK(usual->kind == DT_ARG_INTEGER && usual->as.integer == 0);
    usual = default_of(&schema, "Dims dims=[]");
    CHECK(usual->kind == DT_ARG_INTEGERS && usual->count == 0);
    usual = default_of(&schema, "Tensor[] more=[]");
    CHECK(usual->kind == DT_ARG_TENSORS && usual->count == 0);
    usual = default_of(&schema, "Text a=\"a, b) -> c\"");
    CHECK(usual->kind == DT_ARG_TEXT);
    CHECK_TEXT(usual->as.text, "a, b) -> c");
    CHECK_TEXT(schema.parameters[1].text, "a, b) -> c");
    usual = default_of(&schema, "Dtype a=bf16");
    CHECK(usual->kind == DT_ARG_INTEGER && usual->as.integer == DT_BF16);
    CHECK(default_of(&schema, "Dtype? a=f64")->as.integer == DT_F64);
    CHECK(default_of(&schema, "Dtype? a=None")->kind == DT_ARG_NONE);
    CHECK(default_of(&schema, "Tensor? a=None")->kind == DT_ARG_NONE);
    CHECK(default_of(&schema, "Generator? a=None")->kind == DT_ARG_NONE);
    CHECK_TEXT(schema.parameters[1].text, "None");
}

static void reads_reals(dt_world *world)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0.0},          {"1", 1.0},
        {"-0.5", -0.5},      {"1e-05", 1e-05},
        {"1.5e3", 1500},     {"123456789012345", 123456789012345.0},
        {"0.1", 0.1},        {"2.2204e-10", 2.2204e-10},
        {"1e22", 1e22},      {"inf", HUGE_VAL},
        {"-inf", -HUGE_VAL}, {"7.", 7.0},
    };
    dti_schema schema;
    (void)world;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char option[64];
        snprintf(option, sizeof option, "float x=%s", cases[i].text);
        double value = default_of(&schema, option)->as.real;
        CHECKF(value == cases[i].value, "%s reads as %.17g", cases[i].text,
               value);
    }
}

/* A program that speaks another language reads the same numbers. */
static void reads_reals_in_any_locale(dt_world *world)
{
    dti_schema schema;
    (void)world;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        return;
    CHECK(default_of(&schema, "float x=0.25")->as.real == 0.25);
    setlocale(LC_NUMERIC, "C");
}

static void refuses_faults(dt_world *world)
{
    (void)world;
    refuses(NULL, "the schema is NULL");
    refuses("", "expected the name of an operator at character 1");
    refuses("Add(Tensor x) -> Tensor", "expected the name of an operator");
    refuses("add_(Tensor x) -> Tensor", "a name that ends with \"_\"");
    refuses("f Tensor x) -> Tensor", "expected \"(\" at character 3");
    refuses("f(Tensor x -> Tensor",
            "expected a comma or \")\" at character 12");
    refuses("f(Tensor x, ) -> Tensor",
            "expected a type, such as Tensor or Dim,");
    refuses("f(tensor x) -> Tensor",
            "expected a type, such as Tensor or Dim, at character 3");
    refuses("f(Tensors x) -> Tensor", "a type");
    refuses("f(int? x) -> Tensor", "a type");
    refuses("f(Tensor) -> Tensor",
            "expected a space and a name at character 9");
    refuses("f(Tensor X) -> Tensor", "expected the name of an argument");
    refuses("f(Tensor x, Tensor x) -> Tensor",
            "duplicate argument name at character 20");
    refuses("f(Tensor x) Tensor", "expected \"->\"");
    refuses("f(Tensor x) -> ",
            "a result that is neither Tensor nor Tensor[] at character 16");
    refuses("f(Tensor x) -> int",
            "a result that is neither Tensor nor Tensor[]");
    refuses("f(Tensor x) -> Tensor y", "expected the end at character 23");
    refuses("f(Tensor x) -> (Tensor)", "expected the name of a result");
    refuses("f(Tensor x) -> (Tensor x)", "duplicate name");
    refuses("f(Tensor x) -> (Tensor y, Tensor y)", "duplicate name");
    refuses("f(Tensor x) -> (Tensor[] y)", "a result that is not a Tensor at");
    refuses("f(Tensor x) -> (Tensor y", "a comma or \")\"");
    refuses("f(float~ x) -> Tensor", "unnecessary \"~\"");
    refuses("f(Tensor abcdefghijkabcdefghijkabcdefghijkabcdefghijkabcd) -> "
            "Tensor",
            "48 or more");
}

static void refuses_defaults(dt_world *world)
{
    static const char *const options[][2] = {
        {"int a", "a default, as after \"*\","},
        {"int a=", "expected an integer at character 25"},
        {"int a=1.0", "an integer"},
        {"int a=9999999999999999999", "an integer"},
        {"int a=1234567890123456789012345", "24 or more"},
        {"Dim a=3000000000", "a dimension"},
        {"bool a=1", "true or false"},
        {"bool a=True", "true or false"},
        {"Number a=None", "a number, true or false"},
        {"Number a=1,", "a type"},
        {"float a=nan", "a number"},
        {"float a=0x1", "a number"},
        {"float a=.5", "a number"},
        {"float a=1e", "a number"},
        {"float a=1e99", "a number"},
        {"float a=1.2.3", "a number"},
        {"float a=1234567890123456", "a number"},
        {"Tensor a=None", "a default for a tensor"},
        {"Tensor? a=0", "expected None"},
        {"Dims a=[0]", "expected []"},
        {"Text a=none", "a text in quotes"},
        {"Text a=\"\"", "a text in quotes"},
        {"Text a=\"x", "a text in quotes"},
        {"Dtype a=float32", "a dtype"},
        {"Dtype a=None", "a dtype"},
        {"int a=1, *, int b=1", "a second \"*\""},
    };
    (void)world;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char text[160];
        snprintf(text, sizeof text, "f(Tensor self, *, %s) -> Tensor",
                 options[i][0]);
        refuses(text, options[i][1]);
    }
    refuses("f(Tensor self, int a=1) -> Tensor", "a default before \"*\"");
    refuses("f(Tensor self, *) -> Tensor", "expected a comma");
}

/* Limits: as many as there is room for, and one more. */
static void counts_to_the_limits(dt_world *world)
{
    char text[1024] = "f(", results[512] = "(";
    dti_schema schema;
    (void)world;
    for (int i = 0; i < DTI_MAX_ARGUMENTS; i++)
        sprintf(text + strlen(text), "%sTensor x%d", i ? ", " : "", i);
    for (int i = 0; i < DTI_MAX_RESULTS; i++)
        sprintf(results + strlen(results), "%sTensor y%d", i ? ", " : "", i);
    size_t arguments = strlen(text);
    sprintf(text + arguments, ") -> %s)", results);
    reads(text, &schema);
    CHECK_INT(schema.tensor_count, DTI_MAX_ARGUMENTS);
    CHECK_INT(schema.result_count, DTI_MAX_RESULTS);
    sprintf(text + arguments, ") -> %s, Tensor z)", results);
    refuses(text, "too many results");
    sprintf(text + arguments, ", Tensor z) -> Tensor");
    refuses(text, "too many arguments");
}

const dt_test dt_tests[] = {
    {"reads arguments", reads_arguments},
    {"reads every type", reads_every_type},
    {"reads results", reads_results},
    {"reads what decides", reads_what_decides},
    {"reads what is overwritten", reads_what_is_overwritten},
    {"reads defaults", reads_defaults},
    {"reads reals", reads_reals},
    {"reads reals in any locale", reads_reals_in_any_locale},
    {"refuses faults", refuses_faults},
    {"refuses defaults", refuses_defaults},
    {"counts to the limits", counts_to_the_limits},
    {NULL, NULL},
};
