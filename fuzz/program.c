/* fuzz/program.c - the JSON of an exported program, from any bytes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/world.h>

#include "base/hash.h"
#include "graph/crc.h"
#include "graph/program/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Fail in a way that every fuzzer notices. */
static void require(int condition)
{
    if (!condition)
        abort();
}

/* An archive with this program and no weights. */
static dti_archive *make_archive(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"archive_format", "archive_version",
                                        "models/model.json"};
    dti_archive *archive = calloc(1, sizeof *archive);
    require(archive != NULL);
    dti_reference_init(&archive->reference);
    archive->count = 3;
    archive->records = calloc(3, sizeof *archive->records);
    require(archive->records != NULL);
    for (int i = 0; i < 3; i++) {
        dti_archive_record *record = &archive->records[i];
        record->name = strdup(names[i]);
        record->data = i < 2 ? (const uint8_t *)(i ? "0" : "pt2") : bytes;
        record->size = i < 2 ? strlen((const char *)record->data) : size;
        record->sum = dti_crc32(record->data, record->size);
        require(dti_map_add(&archive->names, dti_hash_text(record->name),
                            record) == DT_OK);
    }
    return archive;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const dt_graph_load_options options = DT_GRAPH_LOAD_OPTIONS_INIT;
    static dt_world *world;
    dt_graph *graph = NULL;
    if (!world)
        require(dt_world_open(NULL, &world, NULL) == DT_OK);
    dti_archive *archive = make_archive(bytes, size);
    dt_status status =
        dti_graph_load_from(world, archive, "fuzz", &options, &graph);
    if (status == DT_OK) {
        size_t length;
        require(dt_graph_format(graph, DT_GRAPH_JSON, NULL, 0, &length) ==
                DT_OK);
    } else {
        require(dt_world_error(world)->message[0] != '\0');
    }
    dt_graph_release(graph);
    dti_archive_release(archive);
    return 0;
}
