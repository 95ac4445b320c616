/* unit/graph/size.c - sizes: read, computed, written. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <string.h>

#include "graph/size.h"

#define S1 "Symbol('s1', positive=True, integer=True)"
#define S2 "Symbol('s2', integer=True)"

/* A text, how it is written, and its value for s1 = 7, s2 = -3. */
static const struct {
    const char *text, *written;
    long long value;
} rows[] = {
    {"Integer(16)", "16", 16},
    {"Integer(-16)", "-16", -16},
    {"Integer(-9223372036854775808)", "-9223372036854775808", INT64_MIN},
    {S1, "s1", 7},
    {"Add(" S1 ", Integer(1))", "s1 + 1", 8},
    {"Add(" S1 ", " S2 ", Integer(1))", "s1 + s2 + 1", 5},
    {"Mul(Integer(2), Add(" S1 ", Integer(1)))", "2*(s1 + 1)", 16},
    {"Add(Mul(Integer(-1), " S1 "), Integer(3))", "(-1*s1) + 3", -4},
    {"FloorDiv(" S2 ", Integer(2))", "s2 // 2", -2},
    {"FloorDiv(" S1 ", FloorDiv(Integer(9), " S2 "))", "s1 // (9 // s2)", -3},
    {"CleanDiv(" S1 ", Integer(7))", "s1 // 7", 1},
    {"CeilDiv(" S1 ", Integer(2))", "ceil(s1, 2)", 4},
    {"CeilDiv(" S2 ", Integer(2))", "ceil(s2, 2)", -1},
    {"PythonMod(" S2 ", Integer(2))", "s2 % 2", 1},
    {"Mod(" S1 ", Integer(4))", "s1 % 4", 3},
    {"Min(" S1 ", Integer(3), " S2 ")", "min(min(s1, 3), s2)", -3},
    {"Max(" S1 ", Integer(30))", "max(s1, 30)", 30},
    {"Pow(" S1 ", Integer(2))", "s1**2", 49},
    {"Identity(" S1 ")", "s1", 7},
    {"Mul(Integer(3), Integer(4))", "12", 12},
};

static void computes(dt_world *world)
{
    dti_sizes sizes = {0};
    dti_arena arena = {0};
    int64_t symbols[2], values[64];
    int failed;
    dti_size read[sizeof rows / sizeof *rows];
    (void)world;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dt_error error = {DT_OK, ""};
        char text[128];
        dti_writer to = {text, sizeof text, 0};
        CHECKF(dti_size_parse(&sizes, &arena, rows[i].text,
                              strlen(rows[i].text), &read[i], &error) == DT_OK,
               "%s", error.message);
        dti_size_put(&to, &sizes, read[i]);
        CHECK_TEXT(text, rows[i].written);
    }
    CHECK_INT(sizes.symbol_count, 2);
    CHECK(sizes.count < 64);
    symbols[dti_sizes_symbol(&sizes, &arena, "s1", 2)] = 7;
    symbols[dti_sizes_symbol(&sizes, &arena, "s2", 2)] = -3;
    CHECK(dti_sizes_compute(&sizes, symbols, values, &failed));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_INT(dti_size_value(read[i], values), rows[i].value);
    dti_sizes_close(&sizes);
    dti_arena_free(&arena);
}

static void refuses(dt_world *world)
{
    static const struct {
        const char *text, *message;
        dt_status code;
    } faults[] = {
        {"", "expected a function at byte 0", DT_ERR_FORMAT},
        {"Integer(1", "expected \")\"", DT_ERR_FORMAT},
        {"Integer(x)", "an integer of 64 bits", DT_ERR_FORMAT},
        {"Integer(9223372036854775808)", "an integer of 64 bits",
         DT_ERR_FORMAT},
        {"Integer(1) ?", "expected the end", DT_ERR_FORMAT},
        {"Symbol(s1)", "a quoted name", DT_ERR_FORMAT},
        {"Symbol('s1', positive)", "a property", DT_ERR_FORMAT},
        {"FloorDiv(Integer(1))", "two operands", DT_ERR_FORMAT},
        {"Add()", "a function", DT_ERR_FORMAT},
        {"TruncToInt(Integer(1))", "computed by TruncToInt",
         DT_ERR_UNSUPPORTED},
    };
    char deep[2000] = "";
    dti_sizes sizes = {0};
    dti_arena arena = {0};
    dti_size size;
    dt_error error;
    (void)world;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        CHECK_ERROR(&error,
                    dti_size_parse(&sizes, &arena, faults[i].text,
                                   strlen(faults[i].text), &size, &error),
                    faults[i].code, faults[i].message);
    for (int i = 0; i < 200; i++)
        strcat(deep, "Add(");
    CHECK_ERROR(
        &error,
        dti_size_parse(&sizes, &arena, deep, strlen(deep), &size, &error),
        DT_ERR_FORMAT, "expected a function");
    dti_sizes_close(&sizes);
    dti_arena_free(&arena);
}

/* What overflows or divides by 0 is no size. */
static void notices_overflow(dt_world *world)
{
    static const char *const texts[] = {
        "Mul(" S1 ", Integer(9223372036854775807))",
        "FloorDiv(Integer(1), Add(" S1 ", Integer(-7)))",
        "Mod(Integer(1), Add(" S1 ", Integer(-7)))",
        "Pow(" S1 ", Integer(100))", "Pow(" S1 ", Integer(-1))"};
    (void)world;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dti_sizes sizes = {0};
        dti_arena arena = {0};
        dti_size size;
        dt_error error;
        int64_t symbols[] = {7}, values[8];
        int failed = -1;
        CHECK(dti_size_parse(&sizes, &arena, texts[i], strlen(texts[i]), &size,
                             &error) == DT_OK);
        CHECK(!dti_sizes_compute(&sizes, symbols, values, &failed));
        CHECK_INT(failed, sizes.count - 1);
        dti_sizes_close(&sizes);
        dti_arena_free(&arena);
    }
}

const dt_test dt_tests[] = {
    {"reads, computes and writes", computes},
    {"refuses faults", refuses},
    {"notices overflow", notices_overflow},
    {NULL, NULL},
};
