/* tests/unit/base/text/json_reader.c - JSON is read strictly and exactly. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json_reader.h"

#include "support/check.h"

static dt_status skip_all(const char *text, size_t size, dt_error *error)
{
    dti_json_reader reader;
    dti_json_start(&reader, text, size, 4);
    dti_json_skip(&reader);
    return dti_json_finish(&reader, error);
}

static void accepts_what_is_valid(dt_world *world)
{
    (void)world;
    static const char *const valid[] = {"{}",
                                        " [ ] ",
                                        "null",
                                        "true",
                                        "false",
                                        "\"\"",
                                        "0",
                                        "-0",
                                        "1e5",
                                        "1E+5",
                                        "-1.25e-3",
                                        "[1,2,[3,{\"a\":[]}]]",
                                        "{\"a\":1,\"b\":{}}",
                                        "\"\\u00e9\\ud83d\\ude00\\n\\/\"",
                                        "\"\xc3\xa9\xf0\x9f\x98\x80\"",
                                        "\t\r\n1\n",
                                        "\"\\u0000\"",
                                        "[0.5, 10, -7]",
                                        "1e-400"};
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        dt_error error = {DT_OK, ""};
        CHECKF(skip_all(valid[i], strlen(valid[i]), &error) == DT_OK, "%s: %s",
               valid[i], error.message);
    }
}

static void rejects_what_is_not(dt_world *world)
{
    (void)world;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "byte 0: expected a value, found the end"},
        {"  ", "byte 2: expected a value, found the end"},
        {"{", "byte 1: expected a text"},
        {"[", "byte 1: expected a value"},
        {"[1", "byte 2: expected \",\" or \"]\", found the end"},
        {"[1,]", "byte 3: expected a value, found \"]\""},
        {"[1 2]", "byte 3: expected \",\" or \"]\""},
        {"[,1]", "byte 1: expected a value"},
        {"{\"a\"}", "byte 4: expected \":\""},
        {"{\"a\":1,}", "byte 7: expected a text"},
        {"{a:1}", "byte 1: expected a text"},
        {"{1:1}", "byte 1: expected a text"},
        {"[1]]", "byte 3: expected the end"},
        {"1 2", "byte 2: expected the end"},
        {"01", "byte 0: expected a valid number"},
        {"-", "byte 0: expected a valid number"},
        {"1.", "byte 0: expected a valid number"},
        {".5", "byte 0: expected a value"},
        {"+1", "byte 0: expected a value"},
        {"1e", "byte 0: expected a valid number"},
        {"1e+", "byte 0: expected a valid number"},
        {"0x10", "byte 1: expected the end"},
        {"NaN", "byte 0: expected a value"},
        {"Infinity", "byte 0: expected a value"},
        {"1e400", "byte 0: a number that does not fit a double"},
        {"tru", "byte 0: expected true or false"},
        {"nul", "byte 0: expected a value"},
        {"\"abc", "byte 4: expected the end of a text"},
        {"\"a\nb\"", "byte 2: control character 0a"},
        {"\"\\x\"", "byte 1: expected a valid escape"},
        {"\"\\u12g4\"", "byte 1: expected a valid escape"},
        {"\"\\ud800\"", "byte 1: expected a valid escape"},
        {"\"\\ud800\\u0041\"", "byte 1: expected a valid escape"},
        {"\"\\udc00\"", "byte 1: expected a valid escape"},
        {"\"\\ud83d\\ude0", "byte 1: expected a valid escape"},
        {"\"\\", "byte 1: expected a valid escape"},
        {"\"\xc3(\"", "byte 1: invalid UTF-8: c3"},
        {"\"\xed\xa0\x80\"", "byte 1: invalid UTF-8: ed"},
        {"\"a\xff\"", "byte 2: invalid UTF-8: ff"},
        {"\xef\xbb\xbf{}", "byte 0: expected a value"},
        {"// x\n1", "byte 0: expected a value"},
        {"'a'", "byte 0: expected a value"},
        {"[[[[[1]]]]]", "byte 4: more than 4 nested"},
        {"[{\"a\":[{\"b\":{}}]}]", "byte 12: more than 4 nested"},
    };
    dt_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_ERROR(&error,
                    skip_all(wrong[i].text, strlen(wrong[i].text), &error),
                    DT_ERR_FORMAT, wrong[i].message);
    CHECK_ERROR(&error, skip_all("\"a\0b\"", 5, &error), DT_ERR_FORMAT,
                "byte 2: control character 00");
    CHECK_ERROR(&error, skip_all("[1]\0", 4, &error), DT_ERR_FORMAT,
                "byte 3: expected the end");
}

static void integers_are_exact(dt_world *world)
{
    (void)world;
    static const struct {
        const char *text;
        int64_t value;
    } exact[] = {{"9223372036854775807", INT64_MAX},
                 {"-9223372036854775808", INT64_MIN},
                 {"9007199254740993", INT64_C(9007199254740993)},
                 {"0", 0},
                 {"-0", 0}};
    static const char *const wrong[] = {"9223372036854775808",
                                        "-9223372036854775809",
                                        "99999999999999999999999999",
                                        "1.0",
                                        "1e3",
                                        "true",
                                        "\"1\"",
                                        "[1]"};
    dti_json_reader reader;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        int64_t value = 77;
        dti_json_start(&reader, exact[i].text, strlen(exact[i].text), 4);
        CHECK(dti_json_read_integer(&reader, &value));
        CHECK_INT(dti_json_finish(&reader, NULL), DT_OK);
        CHECK(value == exact[i].value);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int64_t value;
        dti_json_start(&reader, wrong[i], strlen(wrong[i]), 4);
        CHECK(!dti_json_read_integer(&reader, &value));
        CHECK_INT(dti_json_finish(&reader, NULL), DT_ERR_FORMAT);
    }
}

static double read_real(const char *text)
{
    dti_json_reader reader;
    double value = NAN;
    dti_json_start(&reader, text, strlen(text), 4);
    dti_json_read_real(&reader, &value);
    CHECK_INT(dti_json_finish(&reader, NULL), DT_OK);
    return value;
}

/* Real numbers are those that strtod reads, whatever the locale. */
static void reals_are_rounded_once(dt_world *world)
{
    (void)world;
    unsigned long long random = dt_test_seed();
    static const char *const texts[] = {"0.1",
                                        "1e-05",
                                        "-2.5",
                                        "3",
                                        "1e22",
                                        "1e23",
                                        "9007199254740993",
                                        "2.2250738585072011e-308",
                                        "4.9e-324",
                                        "1.7976931348623157e308",
                                        "123456789012345678901234567890.5",
                                        "-0.0",
                                        "1e-999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const double got = read_real(texts[i]), want = strtod(texts[i], NULL);
        CHECKF(memcmp(&got, &want, sizeof got) == 0, "%s", texts[i]);
    }
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = dt_test_random(&random);
        double want;
        char text[64];
        memcpy(&want, &bits, sizeof want);
        if (!isfinite(want))
            continue;
        snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.5g", want);
        want = strtod(text, NULL);
        const double got = read_real(text);
        CHECKF(memcmp(&got, &want, sizeof got) == 0, "%s", text);
    }
}

static void texts_are_unescaped(dt_world *world)
{
    (void)world;
    static const char text[] =
        "[\"plain\", \"a\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u20ac"
        "\\ud83d\\ude00\", \"x\\u0000y\"]";
    static const char *const want[] = {"plain", "a\"\\/\b\f\n\r\t",
                                       "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"};
    dti_json_reader reader;
    dti_json_string got;
    dti_json_start(&reader, text, sizeof text - 1, 4);
    CHECK(dti_json_read_list(&reader));
    for (size_t i = 0; i < 3; i++) {
        CHECK(dti_json_next_item(&reader));
        CHECK(dti_json_read_string(&reader, &got));
        CHECK(dti_json_is(got, want[i]));
        char *copy = dti_json_copy(&reader, got);
        CHECK_TEXT(copy, want[i]);
        free(copy);
    }
    CHECK(dti_json_next_item(&reader) && dti_json_read_string(&reader, &got));
    CHECK(got.size == 3 && memcmp(got.text, "x\0y", 3) == 0);
    CHECK(!dti_json_next_item(&reader));
    CHECK(dti_json_copy(&reader, got) == NULL);
    CHECK_INT(dti_json_finish(&reader, NULL), DT_ERR_FORMAT);
}

/* Read an object of `count` names, of which `twice` comes again at the end. */
static dt_status read_names(int count, const char *twice, dt_error *error)
{
    char *text = malloc((size_t)count * 24 + 64);
    size_t used = (size_t)sprintf(text, "{");
    for (int i = 0; i < count; i++)
        used += (size_t)sprintf(text + used, "\"k%d\": [%d], ", i, i);
    used += (size_t)sprintf(text + used, "\"%s\": {\"k0\": 1}}", twice);
    dti_json_reader reader;
    dti_json_string key;
    int64_t value, seen = 0;
    dti_json_start(&reader, text, used, 4);
    dti_json_read_object(&reader);
    while (dti_json_next_key(&reader, &key)) {
        if (dti_json_peek(&reader) == DTI_JSON_OBJECT) {
            dti_json_skip(&reader);
            continue;
        }
        dti_json_read_list(&reader);
        while (dti_json_next_item(&reader))
            if (dti_json_read_integer(&reader, &value))
                CHECK_INT(value, seen);
        seen++;
    }
    const dt_status status = dti_json_finish(&reader, error);
    CHECK_INT(seen, count);
    free(text);
    return status;
}

static void names_come_once(dt_world *world)
{
    (void)world;
    static const int counts[] = {1, 15, 16, 17, 40, 1000, 50000};
    dt_error error;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char last[16];
        snprintf(last, sizeof last, "k%d", counts[i] - 1);
        CHECK_ERROR(&error, read_names(counts[i], "other", &error), DT_OK,
                    NULL);
        CHECK_ERROR(&error, read_names(counts[i], "k0", &error), DT_ERR_FORMAT,
                    "duplicate name \"k0\"");
        CHECK_ERROR(&error, read_names(counts[i], last, &error), DT_ERR_FORMAT,
                    "duplicate name");
        /* An escape does not hide it. */
        CHECK_ERROR(&error, read_names(counts[i], "\\u006b0", &error),
                    DT_ERR_FORMAT, "duplicate name \"k0\"");
    }
}

/* After a failure nothing goes on, and the first failure stays. */
static void the_first_failure_stays(dt_world *world)
{
    (void)world;
    static const char text[] = "{\"a\": 1, \"b\": 2}";
    dti_json_reader reader;
    dti_json_string key;
    dt_error error;
    int64_t value;
    dti_json_start(&reader, text, sizeof text - 1, 4);
    CHECK(dti_json_read_object(&reader) && dti_json_next_key(&reader, &key));
    CHECK(dti_json_read_integer(&reader, &value));
    CHECK(!dti_json_fail(&reader, DT_ERR_UNSUPPORTED, "version %d", 7));
    CHECK(!dti_json_next_key(&reader, &key));
    CHECK(!dti_json_read_list(&reader) && !dti_json_skip(&reader));
    CHECK(dti_json_peek(&reader) == DTI_JSON_NOTHING);
    CHECK(!dti_json_accept_null(&reader));
    CHECK_ERROR(&error, dti_json_finish(&reader, &error), DT_ERR_UNSUPPORTED,
                "byte 6: version 7");
}

const dt_test dt_tests[] = {
    {"accepts what is valid", accepts_what_is_valid},
    {"rejects what is not", rejects_what_is_not},
    {"integers are exact", integers_are_exact},
    {"reals are rounded once", reals_are_rounded_once},
    {"texts are unescaped", texts_are_unescaped},
    {"names come once", names_come_once},
    {"the first failure stays", the_first_failure_stays},
    {NULL, NULL},
};
