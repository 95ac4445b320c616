/* checkpoint/index.c - which file has which tensor, as Hugging Face writes it.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/json_reader.h"
#include "checkpoint/list.h"

/* Metadata may be anything. */
enum { depth = 16, longest_file = 255 };

/* Tell whether a name is that of a file in the same folder. */
static bool is_plain(dti_json_string file)
{
    return file.size > 0 && file.size <= longest_file &&
           !memchr(file.text, '/', file.size) && file.text[0] != '.';
}

static bool add(dti_json_reader *reader, dti_index *index, dti_json_string name,
                dti_json_string file)
{
    if (!dti_list_reserve(&index->entries, index->count, &index->capacity,
                          sizeof *index->entries))
        return dti_json_fail(reader, DT_ERR_NO_MEMORY,
                             "out of memory for an index");
    dti_index_entry *entry = &index->entries[index->count++];
    *entry = (dti_index_entry){dti_json_copy(reader, name),
                               dti_json_copy(reader, file)};
    return entry->name && entry->file;
}

static void read_map(dti_json_reader *reader, dti_index *index)
{
    dti_json_string name, file;
    dti_json_read_object(reader);
    while (dti_json_next_key(reader, &name)) {
        if (!dti_json_read_string(reader, &file))
            return;
        if (!is_plain(file)) {
            dti_json_fail(reader, DT_ERR_FORMAT,
                          "\"%.*s\" is no name of a file in the same folder",
                          (int)(file.size < 200 ? file.size : 200), file.text);
            return;
        }
        if (!add(reader, index, name, file))
            return;
    }
}

dt_status dti_index_parse(const void *text, size_t size, dti_index *out,
                          dt_error *error)
{
    dti_index index = {0};
    dti_json_reader reader;
    dti_json_string key;
    bool found = false;
    dti_json_start(&reader, text, size, depth);
    dti_json_read_object(&reader);
    while (dti_json_next_key(&reader, &key))
        if (dti_json_is(key, "weight_map")) {
            read_map(&reader, &index);
            found = true;
        } else {
            dti_json_skip(&reader);
        }
    if (!found)
        dti_json_fail(&reader, DT_ERR_FORMAT, "there is no weight_map");
    const dt_status status = dti_json_finish(&reader, error);
    if (status == DT_OK)
        *out = index;
    else
        dti_index_free(&index);
    return status;
}

void dti_index_free(dti_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        free(index->entries[i].name);
        free(index->entries[i].file);
    }
    free(index->entries);
    *index = (dti_index){0};
}
