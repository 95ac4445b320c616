/* tools/ops/reads.c - the arguments that functions of rows read by name. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ops/rows.h"

/*
 * ops/helpers/arguments.h has the readers, as in
 *
 *     dti_argument_dim(operation, "dim", ndim, &dim)
 *
 * A name is a text in the brackets after the reader.  It must be an argument of
 * a row of the same file.
 */
static const char reader[] = "dti_argument";

static bool is_argument(const op_rows *rows, const char *family,
                        const char *name, size_t length)
{
    for (int i = 0; i < rows->count; i++)
        if (strcmp(rows->list[i].family, family) == 0 &&
            dti_schema_find(&rows->list[i].schema, name, length) >= 0)
            return true;
    return false;
}

/* Check the names in brackets; returns how many no row has. */
static int check_call(const op_rows *rows, const char *family, const char *at)
{
    int depth = 0, wrong = 0;
    do {
        depth += (*at == '(') - (*at == ')');
        if (*at != '"')
            continue;
        const char *name = at + 1;
        at = strchr(name, '"');
        if (!at)
            break;
        const size_t length = (size_t)(at - name);
        if (!is_argument(rows, family, name, length)) {
            fprintf(stderr, "src/ops/%s.c: no row has an argument \"%.*s\"\n",
                    family, (int)length, name);
            wrong++;
        }
    } while (depth > 0 && *++at);
    return wrong;
}

static int check_family(const op_rows *rows, const char *family,
                        const char *root)
{
    char path[4096];
    int wrong = 0;
    snprintf(path, sizeof path, "%s/src/ops/%s.c", root, family);
    char *text = read_file(path);
    for (const char *at = text; at && (at = strstr(at, reader)) != NULL;) {
        while (isalnum((unsigned char)*at) || *at == '_')
            at++;
        if (*at == '(')
            wrong += check_call(rows, family, at);
    }
    free(text);
    return wrong;
}

int check_reads(const op_rows *rows, const char *root)
{
    int wrong = 0;
    for (int i = 0; i < rows->count; i++)
        if (i == 0 || rows->list[i].family != rows->list[i - 1].family)
            wrong += check_family(rows, rows->list[i].family, root);
    return wrong;
}
