/* verify/close.c - verifying a program's rows and rules when its world closes.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "verify/verifier.h"
#include "verify/verify.h"

/*
 * `dtensor ops --verify` runs a program with DT_VERIFY set to a descriptor.
 * What is written there is the report, line by line, and at its end
 *
 *     {"verify": 1, "operators": 2, "wrong": 1, "missing": 0}
 *
 * or, if the rows could not be verified, {"verify": 0} after the error.
 */

static void write_line(void *arg, const char *line)
{
    fprintf(arg, "%s\n", line);
}

static void write_report(dt_world *world, FILE *stream)
{
    dt_verify_options options = DT_VERIFY_OPTIONS_INIT;
    dti_verify_counts counts;
    options.report = write_line;
    options.arg = stream;
    dt_status status = dti_verify(world, NULL, &options, &counts);
    if (status == DT_OK || counts.wrong) {
        fprintf(stream,
                "{\"verify\": 1, \"operators\": %d, \"wrong\": %d, "
                "\"missing\": %d}\n",
                counts.operators, counts.wrong, counts.missing);
        return;
    }
    fprintf(stream, "%s: %s\n{\"verify\": 0}\n", dt_status_name(status),
            dt_world_error(world)->message);
}

void dti_operators_verify(dt_world *world)
{
    int descriptor = dup(world->settings.verify_to);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (stream)
        write_report(world, stream);
    else if (descriptor >= 0)
        close(descriptor);
    if (!stream || fclose(stream) != 0)
        dti_log(world, DT_LOG_WARNING,
                "cannot write the report of a verification");
}
