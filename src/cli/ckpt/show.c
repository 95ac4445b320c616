/* cli/ckpt/show.c - what a checkpoint has, as tables and as JSON. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ckpt/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "cli/json.h"
#include "cli/memory.h"
#include "cli/table.h"
#include "cli/units.h"

dti_ckpt_text dti_ckpt_shape(dt_shape shape)
{
    dti_ckpt_text out = {"["};
    size_t used = 1;
    for (int i = 0; i < shape.ndim; i++)
        used += (size_t)snprintf(out.text + used, sizeof out.text - used,
                                 "%s%" PRId64, i ? ", " : "", shape.dims[i]);
    snprintf(out.text + used, sizeof out.text - used, "]");
    return out;
}

char *dti_ckpt_value(const dt_state_entry *value)
{
    dti_text text;
    dti_text_open(&text);
    if (value->kind == DT_STATE_INTEGER)
        fprintf(text.stream, "%" PRId64, value->integer);
    else if (value->kind == DT_STATE_REAL)
        fprintf(text.stream, "%.17g", value->real);
    else
        dti_message_print(text.stream, "\"%s\"", value->text);
    return dti_text_close(&text);
}

/* ---- Lists
 * --------------------------------------------------------------------- */

static void write_tensor(const dt_saved_tensor *tensor)
{
    dti_json json = {.stream = stdout};
    dti_json_open(&json, NULL, '{');
    dti_json_text(&json, "name", tensor->name);
    dti_json_text(&json, "dtype", tensor->dtype_name);
    dti_json_open(&json, "shape", '[');
    for (int i = 0; i < tensor->shape.ndim; i++)
        dti_json_integer(&json, NULL, tensor->shape.dims[i]);
    dti_json_close(&json, ']');
    dti_json_integer(&json, "bytes", (int64_t)tensor->bytes);
    if (tensor->layout)
        dti_json_text(&json, "layout", tensor->layout);
    if (tensor->same)
        dti_json_text(&json, "same", tensor->same);
    dti_json_close(&json, '}');
    putchar('\n');
}

static void write_value(const dt_state_entry *value)
{
    dti_json json = {.stream = stdout};
    dti_json_open(&json, NULL, '{');
    dti_json_text(&json, "name", value->name);
    if (value->kind == DT_STATE_INTEGER)
        dti_json_integer(&json, "integer", value->integer);
    else if (value->kind == DT_STATE_REAL)
        dti_json_number(&json, "real", value->real);
    else
        dti_json_text(&json, "text", value->text);
    dti_json_close(&json, '}');
    putchar('\n');
}

/* Add a cell whose text somebody else wrote. */
static void add_quoted(dti_table *table, const char *quoted)
{
    dti_text text;
    dti_text_open(&text);
    dti_message_print(text.stream, "%s", quoted);
    char *shown = dti_text_close(&text);
    dti_table_add(table, DTI_LOOK_PLAIN, shown);
    free(shown);
}

/* How a tensor was laid out: what follows its dtype and shape. */
static const char *layout_of(const dt_saved_tensor *tensor)
{
    const char *end = tensor->layout ? strstr(tensor->layout, "] ") : NULL;
    return end ? end + 2 : "";
}

static void add_tensor(dti_table *table, const dt_saved_tensor *tensor)
{
    char same[300];
    add_quoted(table, tensor->name);
    dti_table_add(table, DTI_LOOK_PLAIN, tensor->dtype_name);
    dti_table_add(table, DTI_LOOK_PLAIN, dti_ckpt_shape(tensor->shape).text);
    dti_table_add(table, DTI_LOOK_PLAIN,
                  tensor->same ? "" : dti_bytes((int64_t)tensor->bytes).text);
    snprintf(same, sizeof same, "same as %.250s",
             tensor->same ? tensor->same : "");
    add_quoted(table, tensor->same ? same : layout_of(tensor));
}

void dti_ckpt_list(const dt_saved *saved, bool json)
{
    dti_table table = {.columns = 5, .right = {[3] = true}};
    static const char *const titles[] = {"NAME", "DTYPE", "SHAPE", "BYTES",
                                         "SAVED AS"};
    for (int i = 0; i < 5 && !json; i++)
        dti_table_add(&table, DTI_LOOK_STRONG, titles[i]);
    for (int64_t i = 0; i < dt_saved_count(saved); i++)
        if (json)
            write_tensor(dt_saved_at(saved, i));
        else
            add_tensor(&table, dt_saved_at(saved, i));
    for (int64_t i = 0; i < dt_saved_value_count(saved); i++) {
        const dt_state_entry *value = dt_saved_value_at(saved, i);
        static const char *const kinds[] = {"", "", "integer", "real", "text"};
        if (json) {
            write_value(value);
            continue;
        }
        char *shown = dti_ckpt_value(value);
        add_quoted(&table, value->name);
        dti_table_add(&table, DTI_LOOK_PLAIN, kinds[value->kind]);
        dti_table_add(&table, DTI_LOOK_PLAIN, shown);
        dti_table_add(&table, DTI_LOOK_PLAIN, "");
        dti_table_add(&table, DTI_LOOK_PLAIN, "");
        free(shown);
    }
    if (!json)
        dti_table_print(&table, stdout);
}

/* ---- Descriptions
 * ---------------------------------------------------------------- */

void dti_ckpt_describe(const dt_saved *saved)
{
    int64_t bytes = 0, count = 0;
    for (int64_t i = 0; i < dt_saved_count(saved); i++) {
        const dt_saved_tensor *tensor = dt_saved_at(saved, i);
        if (tensor->same)
            continue;
        bytes += (int64_t)tensor->bytes;
        count++;
    }
    dti_message_print(stdout, "path     %s\n", dt_saved_path(saved));
    if (dt_saved_step(saved) >= 0)
        printf("step     %" PRId64 "\nranks    %" PRId64 "\n",
               dt_saved_step(saved), dt_saved_ranks(saved));
    printf("tensors  %" PRId64 ", %s\n", count, dti_bytes(bytes).text);
    printf("values   %" PRId64 "\n", dt_saved_value_count(saved));
    for (int i = 0; i < dt_saved_file_count(saved); i++)
        dti_message_print(stdout, "%s  %s\n", i ? "       " : "files  ",
                          dt_saved_file(saved, i));
}

bool dti_ckpt_describe_tensor(const dt_saved *saved, const char *name)
{
    const dt_saved_tensor *tensor = dt_saved_find(saved, name);
    dt_saved_chunk chunk;
    if (!tensor)
        return false;
    dti_message_print(stdout, "name    %s\n", tensor->name);
    printf("dtype   %s\nshape   %s\nbytes   %" PRIu64 "\n", tensor->dtype_name,
           dti_ckpt_shape(tensor->shape).text, tensor->bytes);
    if (tensor->layout)
        dti_message_print(stdout, "saved   %s\n", tensor->layout);
    if (tensor->same)
        dti_message_print(stdout, "same    %s\n", tensor->same);
    if (dt_saved_chunks(saved, tensor, &chunk, 1) > 0)
        dti_message_print(stdout, "file    %s\noffset  %" PRIu64 "\n",
                          chunk.path, chunk.offset);
    return true;
}
