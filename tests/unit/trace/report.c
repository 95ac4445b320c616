/* tests/unit/trace/report.c - what a dry run tells the command. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/report.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/world.h"
#include "support/check.h"
#include "trace/trace.h"

static void call(dt_world *world, dt_collective kind, int ranks, size_t bytes)
{
    dt_trace_event event = {.kind = kind,
                            .group_size = ranks,
                            .peers = ranks - 1,
                            .bytes_sent = bytes,
                            .bytes_received = 2 * bytes};
    dti_trace_keep(world, &event);
}

/* Read what a report writes, through a pipe. */
static void read_report(dt_world *world, char *text, size_t size)
{
    int ends[2];
    ssize_t length = 0;
    text[0] = '\0';
    if (!CHECK(pipe(ends) == 0))
        return;
    dti_report_write(world, ends[1]);
    close(ends[1]);
    length = read(ends[0], text, size - 1);
    close(ends[0]);
    text[length > 0 ? length : 0] = '\0';
}

static void adds_calls_up(dt_world *world)
{
    char text[2048];
    dt_error error;
    CHECK_ERROR(&error, dti_trace_open(world, &error), DT_OK, NULL);
    call(world, DT_BARRIER, 8, 0);
    dti_trace_op_begin(world, "a \"b\"");
    dti_trace_op_work(world, 1e12, 0.5);
    call(world, DT_SEND, 2, 10);
    call(world, DT_SEND, 2, 20);
    call(world, DT_SEND, 8, 1);
    dti_trace_op_end(world);
    dti_trace_op_begin(world, "idle");
    dti_trace_op_end(world);
    read_report(world, text, sizeof text);
    CHECK_TEXT(
        text,
        "{\"dry_run\": 1, \"ranks\": 1, \"rank\": 0, \"peak\": 0, "
        "\"complete\": true}\n"
        "{\"operator\": null, \"calls\": 0, \"flops\": 0, \"bytes\": 0}\n"
        "{\"operator\": \"a \\\"b\\\"\", \"calls\": 1, \"flops\": "
        "1000000000000, \"bytes\": 0.5}\n"
        "{\"operator\": \"idle\", \"calls\": 1, \"flops\": 0, \"bytes\": 0}\n"
        "{\"operator\": null, \"kind\": \"barrier\", \"ranks\": 8, \"calls\": "
        "1, \"peers\": 7, \"sent\": 0, \"received\": 0}\n"
        "{\"operator\": \"a \\\"b\\\"\", \"kind\": \"send\", \"ranks\": 2, "
        "\"calls\": 2, \"peers\": 2, \"sent\": 30, \"received\": 60}\n"
        "{\"operator\": \"a \\\"b\\\"\", \"kind\": \"send\", \"ranks\": 8, "
        "\"calls\": 1, \"peers\": 7, \"sent\": 1, \"received\": 2}\n");
}

/* The report says so itself where it can; a remark where it cannot. */
static char remark[256];

static void note(void *arg, dt_log_level level, int rank, const char *message)
{
    (void)arg;
    (void)level;
    (void)rank;
    strncpy(remark, message, sizeof remark - 1);
}

static void tells_when_it_is_lost(dt_world *world)
{
    dt_error error;
    CHECK_ERROR(&error, dti_trace_open(world, &error), DT_OK, NULL);
    int full = open("/dev/full", O_WRONLY);
    if (full < 0)
        return;
    world->log = note;
    dti_report_write(world, full);
    close(full);
    world->log = NULL;
    CHECK_TEXT(
        remark,
        "cannot write the report of the dry run: No space left on device");
}

const dt_test dt_tests[] = {
    {"adds calls up", adds_calls_up},
    {"tells when it is lost", tells_when_it_is_lost},
    {NULL, NULL},
};
