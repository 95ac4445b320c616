/* fuzz/aten.c - lines that may be names of PyTorch's operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/ops/name.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Fail in a way that every fuzzer notices. */
static void require(int condition)
{
    if (!condition)
        abort();
}

/* A part of a name is letters of the line. */
static void check_part(const char *line, size_t length, const char *part,
                       int part_length)
{
    require(part_length >= 0 && part >= line &&
            part + part_length <= line + length);
    for (int i = 0; i < part_length; i++)
        require(part[i] == '_' || (part[i] >= '0' && part[i] <= '9') ||
                (part[i] >= 'A' && part[i] <= 'Z') ||
                (part[i] >= 'a' && part[i] <= 'z'));
}

/* A row of that name has it; its forms are had if it has these forms. */
static void check_row(const dti_aten_name *name)
{
    char text[512];
    int length =
        snprintf(text, sizeof text, "other.x %.*s%s%.*s", name->base_length,
                 name->base, name->overload_length ? "." : "",
                 name->overload_length, name->overload);
    if (length < 0 || (size_t)length >= sizeof text)
        return;
    require(dti_aten_match_row(name, &(dt_op){.schema = "x()", .aten = text}) ==
            DTI_ATEN_HAS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* As long as it is: what lies behind is not read. */
    char *line = malloc(size ? size : 1);
    dti_aten_name name;
    require(line != NULL);
    if (size)
        memcpy(line, data, size);
    if (dti_aten_read(line, size, &name) == DTI_ATEN_NAME) {
        require(name.base_length > 0);
        require(!name.any_overload || !name.overload_length);
        check_part(line, size, name.base, name.base_length);
        check_part(line, size, name.overload, name.overload_length);
        check_row(&name);
    }
    free(line);
    return 0;
}
