/* tests/peers/npy.c - reads, writes and prints arrays for npy.py to compare. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

/* usage: peer_npy < LIST, where a line is IN OUT TEXT: read the file IN, write
 * it to OUT, and what dt_array_format makes of it to TEXT. */

static int write_text(const dt_array *array, const char *path)
{
    size_t length = dt_array_format(array, NULL, 0);
    char *text = malloc(length + 1);
    FILE *file = fopen(path, "wb");
    int good =
        text && file && dt_array_format(array, text, length + 1) == length;
    if (good)
        good = fwrite(text, 1, length, file) == length;
    if (file && fclose(file) != 0)
        good = 0;
    free(text);
    return good;
}

int main(void)
{
    dt_world *world = NULL;
    dt_error error;
    char in[512], out[512], text[512];
    if (dt_world_open(NULL, &world, &error) != DT_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    while (scanf("%511s %511s %511s", in, out, text) == 3) {
        dt_array *array = NULL;
        if (dt_array_load_npy(world, in, &array) != DT_OK ||
            dt_array_save_npy(world, array, out) != DT_OK ||
            !write_text(array, text))
            fprintf(stderr, "%s: %s\n", in, dt_world_error(world)->message);
        dt_array_release(array);
    }
    DT_IGNORE(dt_world_close(world));
    return 0;
}
