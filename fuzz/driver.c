/* fuzz/driver.c - replay a corpus with any compiler. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * usage: fuzz_<name> FILE_OR_DIRECTORY...
 *
 * Every file is given to the parser as it is, cut short at each length (of the
 * first LENGTHS bytes), and CHANGED times with a few bytes changed at random,
 * from DT_TEST_SEED.  A crash or a sanitizer's report is the failure.
 */
#define LENGTHS 512
#define CHANGED 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t state;
static long inputs;

/* splitmix64 */
static uint64_t next(void)
{
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Parse a copy of exactly this size, so that reading past it is noticed. */
static void parse(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        exit(2);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void replay(uint8_t *data, size_t size)
{
    uint8_t *changed = malloc(size ? size : 1);
    if (!changed)
        exit(2);
    parse(data, size);
    for (size_t length = 0; length < size && length < LENGTHS; length++)
        parse(data, length);
    for (int i = 0; i < CHANGED && size > 0; i++) {
        memcpy(changed, data, size);
        for (uint64_t left = 1 + next() % 4; left > 0; left--)
            changed[next() % size] = (uint8_t)next();
        parse(changed, size);
    }
    free(changed);
    inputs++;
}

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    uint8_t *data = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (!data) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    rewind(file);
    size_t got = fread(data, 1, (size_t)size, file);
    fclose(file);
    replay(data, got);
    free(data);
}

static void replay_path(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        replay_file(path);
        return;
    }
    for (int i = 0; i < count; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            replay_file(name);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    const char *seed = getenv("DT_TEST_SEED");
    state = seed ? strtoull(seed, NULL, 10) : 1;
    for (int i = 1; i < argc; i++)
        replay_path(argv[i]);
    printf("%ld inputs\n%d passed, %d failed\n", inputs, inputs > 0,
           inputs == 0);
    return inputs == 0;
}
