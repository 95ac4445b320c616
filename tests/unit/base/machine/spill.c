/* tests/unit/base/machine/spill.c - a temporary file for bytes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/spill.h"

#include <string.h>

#include "support/check.h"

enum { BYTES = 10000 };

static void fill(char *data, int salt)
{
    for (int i = 0; i < BYTES; i++)
        data[i] = (char)(i * 7 + salt);
}

static void check_range(const dti_spill *spill, int64_t offset, int salt)
{
    char wanted[BYTES], found[BYTES];
    dt_error error;
    fill(wanted, salt);
    CHECK_INT(dti_spill_read(spill, offset, found, BYTES, &error), DT_OK);
    CHECK(memcmp(wanted, found, BYTES) == 0);
}

static int64_t write_range(dti_spill *spill, int salt)
{
    char data[BYTES];
    int64_t offset = -1;
    dt_error error;
    fill(data, salt);
    CHECK_INT(dti_spill_write(spill, data, BYTES, &offset, &error), DT_OK);
    return offset;
}

/* Ranges do not overlap; one that is free is used again, and all are when none
 * is left. */
static void ranges(dt_world *world)
{
    dti_spill *spill = NULL;
    dt_error error;
    int64_t offsets[3];
    (void)world;
    CHECK_INT(dti_spill_open("/tmp", &spill, &error), DT_OK);
    for (int i = 0; i < 3; i++)
        offsets[i] = write_range(spill, i);
    dti_spill_free(spill, offsets[1], BYTES);
    CHECK_INT(write_range(spill, 5), offsets[1]);
    check_range(spill, offsets[0], 0);
    check_range(spill, offsets[1], 5);
    check_range(spill, offsets[2], 2);
    CHECK_INT(write_range(spill, 6), (int64_t)3 * BYTES);
    dti_spill_free(spill, (int64_t)3 * BYTES, BYTES);
    for (int i = 0; i < 3; i++)
        dti_spill_free(spill, offsets[i], BYTES);
    char data[BYTES];
    CHECK_INT(dti_spill_read(spill, 0, data, BYTES, &error), DT_ERR_IO);
    CHECK_INT(write_range(spill, 7), 0);
    check_range(spill, 0, 7);
    dti_spill_close(spill);
}

static void errors(dt_world *world)
{
    dti_spill *spill = NULL;
    dt_error error;
    char folder[8000];
    (void)world;
    CHECK_INT(dti_spill_open("/dev/null", &spill, &error), DT_ERR_IO);
    CHECKF(strstr(error.message, "/dev/null: ") != NULL, "%s", error.message);
    memset(folder, 'a', sizeof folder);
    folder[sizeof folder - 1] = '\0';
    CHECK_INT(dti_spill_open(folder, &spill, &error), DT_ERR_IO);
    CHECK(spill == NULL);
    dti_spill_close(NULL);
}

const dt_test dt_tests[] = {
    {"ranges", ranges},
    {"errors", errors},
    {NULL, NULL},
};
