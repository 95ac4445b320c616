/* examples/demo/train.c - the training loop, with a line of progress. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "demo.h"

dt_tensor *predict(trainer *t, dt_tensor *tokens)
{
    return dt_module_call(t->model, tokens);
}

static dt_schedule schedule_of(const settings *asked)
{
    return (dt_schedule){.kind = DT_SCHEDULE_COSINE,
                         .peak = asked->lr,
                         .end = asked->lr / 10,
                         .warmup = asked->steps / 10,
                         .steps = asked->steps};
}

/* One step: forward, backward, clip, update. */
static dt_status make_step(trainer *t, double *loss)
{
    const dt_schedule schedule = schedule_of(t->asked);
    dt_number value = dt_real(0);
    dt_tensor *tokens = NULL, *targets = NULL;
    DT_TRY(dt_loader_next(t->loader, &tokens, &targets));
    dt_tensor *error = dt_token_loss(predict(t, tokens), targets);
    DT_TRY(dt_backward(error));
    DT_TRY(dt_optimizer_clip(t->optimizer, 1, NULL));
    DT_TRY(
        dt_optimizer_set_lr(t->optimizer, dt_schedule_lr(&schedule, t->step)));
    DT_TRY(dt_optimizer_step(t->optimizer));
    DT_TRY(dt_optimizer_zero_grad(t->optimizer));
    if (!dt_array_is_meta(dt_tensor_local(error))) /* not in a dry run */
        DT_TRY(dt_tensor_item(error, &value));
    *loss = dt_number_real(value);
    return DT_OK;
}

static dt_status make_step_in_scope(trainer *t, double *loss)
{
    dt_scope *scope = dt_scope_open(t->world);
    const dt_status status = make_step(t, loss);
    const dt_status closed = dt_scope_close(scope);
    return status != DT_OK ? status : closed;
}

/* ---- Progress ----------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double megabytes_sent(const dt_world *world)
{
    uint64_t bytes = 0;
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        bytes += dt_trace_count(world, (dt_collective)i).bytes_sent;
    return 1e-6 * (double)bytes;
}

/* A line that is written over itself; nothing where stderr is no terminal. */
static void show(const trainer *t, double loss, double seconds, int64_t made,
                 double sent)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    if (!t->talks || !isatty(STDERR_FILENO))
        return;
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i * t->asked->steps < t->step * WIDTH ? '#' : '.';
    bar[WIDTH] = 0;
    const double tokens = (double)(t->asked->batch * t->asked->context * made);
    fprintf(stderr,
            "\r[%s] %lld/%lld  loss %.3f  %.0f tokens/s  %.1f MB sent a step ",
            bar, (long long)t->step, (long long)t->asked->steps, loss,
            tokens / seconds, sent / (double)made);
    if (t->step == t->asked->steps)
        fputc('\n', stderr);
}

/* ---- The loop ----------------------------------------------------------- */

static dt_status save_if_due(trainer *t)
{
    const settings *asked = t->asked;
    const bool is_due = t->step == asked->steps ||
                        (asked->every && t->step % asked->every == 0);
    return asked->folder && is_due ? save_checkpoint(t) : DT_OK;
}

/* Ctrl-C: save and end; the next run continues here. */
static dt_status end_early(trainer *t)
{
    if (t->talks)
        fprintf(stderr, "\nInterrupted after step %lld%s.\n",
                (long long)t->step,
                t->asked->folder ? "; saved, start again to continue" : "");
    return t->asked->folder ? save_checkpoint(t) : DT_OK;
}

dt_status train(trainer *t)
{
    const double start = now(), sent = megabytes_sent(t->world);
    const int64_t first = t->step;
    dt_module_train(t->model, true);
    while (t->step < t->asked->steps) {
        double *loss = &t->losses[t->step];
        bool stop = false;
        DT_TRY(make_step_in_scope(t, loss));
        t->step++;
        show(t, *loss, now() - start, t->step - first,
             megabytes_sent(t->world) - sent);
        DT_TRY(was_interrupted(t, &stop));
        if (stop)
            return end_early(t);
        DT_TRY(save_if_due(t));
    }
    if (t->talks && t->step > first)
        printf("%lld steps on %d ranks, mesh %s: loss %.3f to %.3f, %.1f s\n",
               (long long)(t->step - first), dt_world_size(t->world),
               t->asked->mesh, t->losses[first], t->losses[t->step - 1],
               now() - start);
    return DT_OK;
}
