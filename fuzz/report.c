/* fuzz/report.c - lines that may be those of a dry run's report. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The command is no library: what it reads with is compiled in here. */
#include "cli/json_line.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What can be read has keys and values that end inside the line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dti_json_object object;
    char *line = malloc(size + 1);
    if (!line)
        return 0;
    memcpy(line, data, size);
    line[size] = '\0';
    if (dti_json_read(line, &object)) {
        if (object.count < 0 || object.count > DTI_JSON_MEMBERS)
            abort();
        for (int i = 0; i < object.count; i++) {
            const dti_json_member *member = &object.members[i];
            double number;
            int64_t integer;
            if (member->key + strlen(member->key) > line + size ||
                member->value + strlen(member->value) > line + size)
                abort();
            (void)dti_json_get_text(&object, member->key);
            if (dti_json_get_integer(&object, member->key, &integer) &&
                !dti_json_get_number(&object, member->key, &number))
                abort();
        }
    }
    free(line);
    return 0;
}
