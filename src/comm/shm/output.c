/* comm/shm/output.c - what ranks write, with the rank before each line. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm/shm/children.h"

/*
 * Every rank writes stdout and stderr into pipes of their own, the taps.  Whole
 * lines go on to the launcher's stdout or stderr, the sinks.  A tap is read
 * only while its sink is empty, and a sink is written only when it can take
 * something, so the launcher never sleeps in either.
 */
enum {
    LINE = 16 * 1024, /* a longer line is passed on in pieces */
    TAG = 16,         /* "[12345] " */
    PIECE = 4096,     /* a pipe that can be written takes as much at once */
};

typedef struct sink {
    int descriptor;
    bool broken; /* nobody reads it */
    size_t used;
    size_t written;
    char *text; /* room for LINE bytes that are all ends of lines */
} sink;

typedef struct tap {
    int rank;
    sink *to;
    int read_end; /* -1 once it is closed */
    int write_end;
    size_t used;
    char line[LINE];
} tap;

struct dti_output {
    size_t count;
    sink sinks[2];
    tap taps[];
};

static void close_end(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

void dti_output_release(dti_output *output)
{
    if (!output)
        return;
    for (size_t i = 0; i < output->count; i++) {
        close_end(&output->taps[i].read_end);
        close_end(&output->taps[i].write_end);
    }
    free(output->sinks[0].text);
    free(output->sinks[1].text);
    free(output);
}

static bool open_tap(dti_output *output, size_t number)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    tap *made = &output->taps[number];
    made->rank = (int)(number / 2);
    made->to = &output->sinks[number % 2];
    made->read_end = ends[0];
    made->write_end = ends[1];
    output->count++;
    return true;
}

dti_output *dti_output_create(int ranks)
{
    size_t count = 2 * (size_t)ranks;
    dti_output *output = calloc(1, sizeof *output + count * sizeof(tap));
    if (!output)
        return NULL;
    bool good = true;
    for (int i = 0; i < 2; i++) {
        output->sinks[i].descriptor = STDOUT_FILENO + i;
        output->sinks[i].text = malloc(LINE * (TAG + 1) + TAG);
        good = good && output->sinks[i].text;
    }
    while (good && output->count < count)
        good = open_tap(output, output->count);
    if (good)
        return output;
    dti_output_release(output);
    return NULL;
}

void dti_output_enter(const dti_output *output, int rank)
{
    for (int i = 0; i < 2; i++)
        dup2(output->taps[2 * rank + i].write_end, STDOUT_FILENO + i);
}

void dti_output_begin(dti_output *output)
{
    for (size_t i = 0; i < output->count; i++)
        close_end(&output->taps[i].write_end);
}

size_t dti_output_poll_count(const dti_output *output)
{
    return output->count + 2;
}

size_t dti_output_polls(dti_output *output, struct pollfd *polls)
{
    size_t count = 0;
    for (int i = 0; i < 2; i++)
        if (output->sinks[i].used)
            polls[count++] =
                (struct pollfd){output->sinks[i].descriptor, POLLOUT, 0};
    for (size_t i = 0; i < output->count; i++)
        if (output->taps[i].read_end >= 0 && !output->taps[i].to->used)
            polls[count++] =
                (struct pollfd){output->taps[i].read_end, POLLIN, 0};
    return count;
}

/* Put the first `bytes` of a tap's text into its sink, as one line. */
static void put_line(tap *from, const char *text, size_t bytes)
{
    sink *to = from->to;
    to->used += (size_t)snprintf(to->text + to->used, TAG, "[%d] ", from->rank);
    memcpy(to->text + to->used, text, bytes);
    to->used += bytes;
}

/* Pass on all whole lines; at the end of the text, or when it is full, what is
 * left is a line too. */
static void put_lines(tap *from, bool ended)
{
    char *begin = from->line;
    char *end = from->line + from->used;
    char *newline;
    while (begin < end &&
           (newline = memchr(begin, '\n', (size_t)(end - begin)))) {
        put_line(from, begin, (size_t)(newline + 1 - begin));
        begin = newline + 1;
    }
    from->used = (size_t)(end - begin);
    if (from->used && (ended || from->used == LINE)) {
        put_line(from, begin, from->used);
        from->to->text[from->to->used++] = '\n';
        from->used = 0;
    }
    memmove(from->line, begin, from->used);
}

static void read_tap(tap *from)
{
    ssize_t got =
        read(from->read_end, from->line + from->used, LINE - from->used);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got > 0)
        from->used += (size_t)got;
    else
        close_end(&from->read_end);
    put_lines(from, got <= 0);
    /* A rank whose text nobody reads shall notice, as it would without us. */
    if (from->to->broken) {
        from->to->used = 0;
        close_end(&from->read_end);
    }
}

static void write_sink(sink *to)
{
    size_t left = to->used - to->written;
    ssize_t put = write(to->descriptor, to->text + to->written,
                        left < PIECE ? left : PIECE);
    if (put < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    /* What a full disk does not take is lost, as it would be without us. */
    to->broken = put < 0 && errno == EPIPE;
    if (put > 0)
        to->written += (size_t)put;
    if (put < 0 || to->written == to->used)
        to->used = to->written = 0;
}

void dti_output_serve(dti_output *output, const struct pollfd *polls,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!polls[i].revents)
            continue;
        for (int s = 0; s < 2; s++)
            if (polls[i].events == POLLOUT &&
                polls[i].fd == output->sinks[s].descriptor)
                write_sink(&output->sinks[s]);
        for (size_t t = 0; t < output->count && polls[i].events == POLLIN; t++)
            if (polls[i].fd == output->taps[t].read_end &&
                !output->taps[t].to->used)
                read_tap(&output->taps[t]);
    }
}
