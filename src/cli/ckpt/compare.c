/* cli/ckpt/compare.c - how two checkpoints differ. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ckpt/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "cli/ckpt/progress.h"
#include "cli/ckpt/show.h"
#include "cli/memory.h"

enum { block = 1 << 20 };

/* A comparison under way. */
typedef struct comparison {
    dt_saved *a, *b;
    char *left, *right; /* buffers of a block */
    dti_progress progress;
    uint64_t done, total;
    dt_error *error;
} comparison;

/* Count elements that have other bits; -1 if they cannot be read. */
static int64_t count_different(comparison *at, const dt_saved_tensor *x,
                               const dt_saved_tensor *y)
{
    const int64_t count = dt_shape_count(x->shape);
    const size_t item = count ? (size_t)(x->bytes / (uint64_t)count) : 1;
    int64_t different = 0;
    for (uint64_t first = 0; first < x->bytes; first += block) {
        const uint64_t left = x->bytes - first;
        const size_t part = (size_t)(left < block ? left : block);
        if (dt_saved_read(at->a, x, first, part, at->left, at->error) !=
                DT_OK ||
            dt_saved_read(at->b, y, first, part, at->right, at->error) != DT_OK)
            return -1;
        if (memcmp(at->left, at->right, part) != 0)
            for (size_t i = 0; i < part; i += item ? item : 1)
                different +=
                    memcmp(at->left + i, at->right + i, item ? item : 1) != 0;
        at->done += part;
        dti_progress_show(&at->progress, at->done, at->total);
    }
    return different;
}

/* Compare a tensor of the first with that of the same name; 1 if they differ,
 * -1 if they cannot be read. */
static int compare_tensor(comparison *at, const dt_saved_tensor *x)
{
    const dt_saved_tensor *y = dt_saved_find(at->b, x->name);
    if (!y) {
        dti_message_print(stdout, "- %s\n", x->name);
        return 1;
    }
    if (strcmp(x->dtype_name, y->dtype_name) != 0 ||
        !dt_shape_equal(x->shape, y->shape)) {
        dti_message_print(stdout, "! %s: %s%s and %s%s\n", x->name,
                          x->dtype_name, dti_ckpt_shape(x->shape).text,
                          y->dtype_name, dti_ckpt_shape(y->shape).text);
        return 1;
    }
    const int64_t different = count_different(at, x, y);
    if (different > 0)
        dti_message_print(stdout,
                          "~ %s: %" PRId64 " of %" PRId64 " elements differ\n",
                          x->name, different, dt_shape_count(x->shape));
    return different > 0 ? 1 : (int)different;
}

static const dt_state_entry *find_value(const dt_saved *in, const char *name)
{
    for (int64_t i = 0; i < dt_saved_value_count(in); i++)
        if (strcmp(dt_saved_value_at(in, i)->name, name) == 0)
            return dt_saved_value_at(in, i);
    return NULL;
}

/* Compare numbers and texts; returns how many differ. */
static int64_t compare_values(const comparison *at)
{
    int64_t different = 0;
    for (int64_t i = 0; i < dt_saved_value_count(at->a); i++) {
        const dt_state_entry *x = dt_saved_value_at(at->a, i);
        const dt_state_entry *y = find_value(at->b, x->name);
        char *left = dti_ckpt_value(x), *right = y ? dti_ckpt_value(y) : NULL;
        if (!y)
            dti_message_print(stdout, "- %s\n", x->name);
        else if (strcmp(left, right) != 0)
            dti_message_print(stdout, "~ %s: %s and %s\n", x->name, left,
                              right);
        different += !y || strcmp(left, right) != 0;
        free(left);
        free(right);
    }
    for (int64_t i = 0; i < dt_saved_value_count(at->b); i++) {
        const char *name = dt_saved_value_at(at->b, i)->name;
        if (find_value(at->a, name))
            continue;
        dti_message_print(stdout, "+ %s\n", name);
        different++;
    }
    return different;
}

/* Compare all tensors; returns how many differ, -1 on failure. */
static int64_t compare_tensors(comparison *at)
{
    int64_t different = 0;
    for (int64_t i = 0; i < dt_saved_count(at->a); i++) {
        const int found = compare_tensor(at, dt_saved_at(at->a, i));
        if (found < 0)
            return -1;
        different += found;
    }
    for (int64_t i = 0; i < dt_saved_count(at->b); i++) {
        const char *name = dt_saved_at(at->b, i)->name;
        if (dt_saved_find(at->a, name))
            continue;
        dti_message_print(stdout, "+ %s\n", name);
        different++;
    }
    return different;
}

int64_t dti_ckpt_compare(dt_saved *a, dt_saved *b, dt_error *error)
{
    comparison at = {.a = a,
                     .b = b,
                     .left = dti_grow(NULL, block, 1),
                     .right = dti_grow(NULL, block, 1),
                     .progress = {.what = "diff"},
                     .error = error};
    for (int64_t i = 0; i < dt_saved_count(a); i++)
        at.total += dt_saved_at(a, i)->bytes;
    int64_t different = compare_tensors(&at);
    dti_progress_end(&at.progress);
    if (different >= 0)
        different += compare_values(&at);
    free(at.left);
    free(at.right);
    return different;
}
