/* tensor/remember.c - what a call on a mesh tells the history of the mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/remember.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtensor/sys/op.h>

#include "base/text/writer.h"

/* ---- Arguments of several words ----------------------------------------- */

static void keep_word(dti_remembering *at, uint64_t word)
{
    at->call->words[at->call->count++] = word;
}

void dti_remember_none(dti_remembering *at, const char *name)
{
    dti_remember_fold(at, 0);
    dti_remember_head(at, name, DTI_FIELD_NONE, 0, 0);
}

void dti_remember_numbers(dti_remembering *at, const char *name,
                          const dt_number *values, int count)
{
    bool kept =
        dti_remember_head(at, name, DTI_FIELD_NUMBERS, count, 3 * count);
    dti_remember_fold(at, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        const uint64_t words[] = {(uint64_t)values[i].kind,
                                  dti_number_bits(values[i]),
                                  dti_real_bits(values[i].imaginary)};
        for (size_t k = 0; k < DTI_COUNT_OF(words); k++) {
            dti_remember_fold(at, words[k]);
            if (kept)
                keep_word(at, words[k]);
        }
    }
}

void dti_remember_integers(dti_remembering *at, const char *name,
                           const int64_t *values, int count)
{
    bool kept = dti_remember_head(at, name, DTI_FIELD_INTEGERS, count, count);
    dti_remember_fold(at, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        dti_remember_fold(at, (uint64_t)values[i]);
        if (kept)
            keep_word(at, (uint64_t)values[i]);
    }
}

void dti_remember_text(dti_remembering *at, const char *name, const char *text)
{
    size_t length = strlen(text);
    int words = (int)(length / sizeof(uint64_t)) + 1;
    dti_remember_fold(at, dti_hash_text(text));
    if (!dti_remember_head(at, name, DTI_FIELD_TEXT, (int)length, words))
        return;
    memcpy(at->call->words + at->call->count, text, length);
    at->call->count += words;
}

dti_service dti_remember_tensor(const char *name, const dt_tensor *tensor)
{
    const dt_mesh *mesh = tensor->spec->mesh;
    if (mesh->history) {
        dti_remembering at =
            dti_remember_begin(mesh->history, name, 0, dti_hash_text(name));
        dti_remember_input(&at, "tensor", tensor);
        dti_remember_end(&at);
    }
    return dti_serve(mesh, name);
}

dti_service dti_remember_result(const char *name, const dt_spec *spec)
{
    const dt_mesh *mesh = spec->mesh;
    if (mesh->history) {
        dti_remembering at =
            dti_remember_begin(mesh->history, name, 0, dti_hash_text(name));
        dti_remember_spec(&at, "result", spec);
        dti_remember_end(&at);
    }
    return dti_serve(mesh, name);
}

/* ---- In text ------------------------------------------------------------ */

/* The fewest digits that say which number it is. */
static void put_real(dti_writer *to, uint64_t bits)
{
    char text[40];
    double value;
    memcpy(&value, &bits, sizeof value);
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    dti_put(to, "%s", text);
}

/* `value` has one word, or two of a complex number. */
static void put_number(dti_writer *to, uint64_t kind, const uint64_t *value)
{
    if (kind == DT_KIND_FLOAT) {
        put_real(to, value[0]);
    } else if (kind == DT_KIND_COMPLEX) {
        put_real(to, value[0]);
        dti_put(to, " + ");
        put_real(to, value[1]);
        dti_put(to, "i");
    } else if (kind == DT_KIND_BOOLEAN) {
        dti_put(to, "%s", value[0] ? "true" : "false");
    } else {
        dti_put(to, "%" PRId64, (int64_t)value[0]);
    }
}

static void put_spec(dti_writer *to, dt_world *world, uint64_t hash)
{
    const dt_spec *spec = dti_specs_find_hash(world, hash);
    if (spec)
        dti_put(to, "%s", dti_spec_show(spec).text);
    else
        dti_put(to, "%s", hash ? "a tensor" : "none");
}

/* Which call made a tensor: " of #3", or of its results one: " of #3.1". */
static void put_birth(dti_writer *to, uint64_t born)
{
    if (!born)
        return;
    dti_put(to, " of #%" PRIu64, born / DTI_BORN_RESULTS);
    if (born % DTI_BORN_RESULTS)
        dti_put(to, ".%" PRIu64, born % DTI_BORN_RESULTS);
}

/* A text between quotes; what is not printed is shown as "?". */
static void put_text(dti_writer *to, const uint64_t *words, int length)
{
    const char *text = (const char *)words;
    dti_put(to, "\"");
    for (int i = 0; i < length; i++)
        dti_put(to, "%c", text[i] >= ' ' && text[i] < 127 ? text[i] : '?');
    dti_put(to, "\"");
}

static void put_list(dti_writer *to, dti_field field, const uint64_t *words,
                     int count)
{
    dti_put(to, "[");
    for (int i = 0; i < count; i++) {
        dti_put(to, "%s", i ? ", " : "");
        if (field == DTI_FIELD_NUMBERS)
            put_number(to, words[3 * i], &words[3 * i + 1]);
        else
            dti_put(to, "%" PRId64, (int64_t)words[i]);
    }
    dti_put(to, "]");
}

/* Words of an argument's value. */
static int value_words(dti_field field, int count)
{
    switch (field) {
    case DTI_FIELD_NONE:
        return 0;
    case DTI_FIELD_TENSOR:
    case DTI_FIELD_COMPLEX:
        return 2;
    case DTI_FIELD_NUMBERS:
        return 3 * count;
    case DTI_FIELD_INTEGERS:
        return count;
    case DTI_FIELD_TEXT:
        return count / (int)sizeof(uint64_t) + 1;
    default:
        return 1;
    }
}

static void put_value(dti_writer *to, dt_world *world, dti_field field,
                      int count, const uint64_t *value)
{
    switch (field) {
    case DTI_FIELD_NONE:
        dti_put(to, "none");
        break;
    case DTI_FIELD_SPEC:
        put_spec(to, world, value[0]);
        break;
    case DTI_FIELD_TENSOR:
        put_spec(to, world, value[0]);
        put_birth(to, value[1]);
        break;
    case DTI_FIELD_INTEGER:
        put_number(to, DT_KIND_SIGNED, value);
        break;
    case DTI_FIELD_REAL:
        put_real(to, value[0]);
        break;
    case DTI_FIELD_BOOLEAN:
        put_number(to, DT_KIND_BOOLEAN, value);
        break;
    case DTI_FIELD_COMPLEX:
        put_number(to, DT_KIND_COMPLEX, value);
        break;
    case DTI_FIELD_DTYPE:
        dti_put(to, "%s", dt_dtype_name((dt_dtype)value[0]));
        break;
    case DTI_FIELD_NUMBERS:
    case DTI_FIELD_INTEGERS:
        put_list(to, field, value, count);
        break;
    case DTI_FIELD_TEXT:
        put_text(to, value, count);
        break;
    }
}

void dti_remember_describe(dt_world *world, const dti_past_call *call,
                           dti_history_line *out)
{
    static const char *const forms[] = {[DT_VARIANT_NEW] = "",
                                        [DT_VARIANT_IN_PLACE] = "_",
                                        [DT_VARIANT_OUT] = "_out"};
    dti_writer to = {out->arguments, sizeof out->arguments, 0};
    snprintf(out->name, sizeof out->name, "%s%s", (const char *)call->subject,
             forms[call->form]);
    for (int i = 0; i < call->count;) {
        const char *name = (const char *)(uintptr_t)call->words[i];
        dti_field field = (dti_field)(call->words[i + 1] & 0xff);
        int count = (int)(call->words[i + 1] >> 8);
        dti_put(&to, "%s%s", i ? "\n" : "", name);
        if (field == DTI_FIELD_TENSOR && count > 0)
            dti_put(&to, "[%d]", count - 1);
        dti_put(&to, "=");
        put_value(&to, world, field, count, &call->words[i + 2]);
        i += 2 + value_words(field, count);
    }
    if (call->cut)
        dti_put(&to, "%shash of all=%016" PRIx64, call->count ? "\n" : "",
                call->hash);
}
