/* tools/ops/files.c - reading files, and what public headers declare. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "ops/rows.h"

char *read_file(const char *path)
{
    FILE *from = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0, capacity = 0;
    if (!from)
        return NULL;
    do {
        capacity = capacity * 2 + 65536;
        text = realloc(text, capacity);
        if (!text)
            abort();
        length += fread(text + length, 1, capacity - length - 1, from);
    } while (length + 1 == capacity);
    text[length] = '\0';
    fclose(from);
    return text;
}

const char *family_name(const char *family)
{
    const char *slash = strrchr(family, '/');
    return slash ? slash + 1 : family;
}

bool is_in_folder(const char *family, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(family, folder, length) == 0 && family[length] == '/';
}

/* Put spaces in place of comments. */
static void blank_comments(char *text)
{
    char *at = text;
    while ((at = strstr(at, "/*")) != NULL) {
        char *end = strstr(at + 2, "*/");
        end = end ? end + 2 : at + strlen(at);
        memset(at, ' ', (size_t)(end - at));
        at = end;
    }
}

/* The words of all public headers but ops.h and those in ops/ and sys/, without
 * comments. */
static char *read_headers(const char *root)
{
    char pattern[4096];
    char *all = NULL;
    size_t length = 0;
    glob_t found;
    FILE *to = open_memstream(&all, &length);
    snprintf(pattern, sizeof pattern, "%s/include/dtensor/*.h", root);
    if (!to || glob(pattern, 0, NULL, &found) != 0) {
        perror(pattern);
        exit(1);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = read_file(found.gl_pathv[i]);
        if (!text || strcmp(strrchr(found.gl_pathv[i], '/'), "/ops.h") == 0) {
            free(text);
            continue;
        }
        blank_comments(text);
        fputs(text, to);
        free(text);
    }
    globfree(&found);
    fclose(to);
    return all;
}

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool is_declared(const char *root, const char *name)
{
    static char *words; /* for the whole run */
    size_t length = strlen(name);
    if (!words)
        words = read_headers(root);
    for (const char *at = strstr(words, name); at; at = strstr(at + 1, name))
        if ((at == words || !is_word_character(at[-1])) &&
            !is_word_character(at[length]))
            return true;
    return false;
}
