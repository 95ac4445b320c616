/* examples/demo/main.c - train a small GPT on a mesh of ranks, compare the
 * losses with those of another run, and write text with it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include "plot.h"

/* ---- Options ------------------------------------------------------------ */

typedef enum option_kind { TEXT, INTEGER, REAL, FLAG } option_kind;

typedef struct option {
    const char *name;
    option_kind kind;
    size_t offset; /* in settings */
    const char *help;
} option;

static const option options[] = {
    {"--mesh", TEXT, offsetof(settings, mesh), "mesh, such as dp=2,tp=2"},
    {"--text", TEXT, offsetof(settings, text), "file to learn from"},
    {"--plan", TEXT, offsetof(settings, plan), "parallel plan, a JSON file"},
    {"--sequence", FLAG, offsetof(settings, sequence),
     "shard activations along the sequence too"},
    {"--width", INTEGER, offsetof(settings, width), "width of the model"},
    {"--layers", INTEGER, offsetof(settings, layers), "number of blocks"},
    {"--heads", INTEGER, offsetof(settings, heads), "attention heads"},
    {"--context", INTEGER, offsetof(settings, context), "length of a sequence"},
    {"--batch", INTEGER, offsetof(settings, batch), "sequences in a batch"},
    {"--steps", INTEGER, offsetof(settings, steps), "steps to train in all"},
    {"--lr", REAL, offsetof(settings, lr), "highest learning rate"},
    {"--losses", TEXT, offsetof(settings, losses), "file to write losses to"},
    {"--compare", TEXT, offsetof(settings, compare),
     "file of losses of another run"},
    {"--svg", TEXT, offsetof(settings, svg), "file to draw losses to"},
    {"--folder", TEXT, offsetof(settings, folder),
     "checkpoints: continue from the latest, and save"},
    {"--every", INTEGER, offsetof(settings, every),
     "steps between checkpoints"},
    {"--report", FLAG, offsetof(settings, report),
     "show what each module communicated"},
    {"--write", INTEGER, offsetof(settings, write),
     "characters to write at the end"},
};

enum { OPTIONS = sizeof options / sizeof *options };

static int show_usage(void)
{
    printf("usage: demo [options]\n");
    for (int i = 0; i < OPTIONS; i++)
        printf("  %-12s %s\n", options[i].name, options[i].help);
    return 2;
}

/* Set a field from a text; false if that is no number. */
static bool set_field(const option *at, const char *text, settings *asked)
{
    void *field = (char *)asked + at->offset;
    char *end = NULL;
    if (at->kind == TEXT)
        *(const char **)field = text;
    else if (at->kind == FLAG)
        *(bool *)field = true;
    else if (at->kind == REAL)
        *(double *)field = strtod(text, &end);
    else
        *(int64_t *)field = strtoll(text, &end, 10);
    return !end || (end != text && !*end);
}

static bool read_options(int argc, char **argv, settings *asked)
{
    for (int i = 1; i < argc; i++) {
        const option *found = NULL;
        for (int j = 0; j < OPTIONS; j++)
            if (strcmp(argv[i], options[j].name) == 0)
                found = &options[j];
        if (!found || (found->kind != FLAG && i + 1 == argc))
            return false;
        if (!set_field(found, found->kind == FLAG ? "" : argv[++i], asked))
            return false;
    }
    return asked->steps >= 0 && asked->steps < 10000000;
}

/* ---- Losses ------------------------------------------------------------- */

static bool write_losses(const trainer *t)
{
    FILE *file = fopen(t->asked->losses, "w");
    for (int64_t i = 0; file && i < t->step; i++)
        fprintf(file, "%.17g\n", t->losses[i]);
    return file && fclose(file) == 0;
}

/* Read as many losses as this run has; returns how many there are. */
static int read_losses(const trainer *t, double *losses)
{
    FILE *file = fopen(t->asked->compare, "r");
    int count = 0;
    while (file && count < t->step && fscanf(file, "%lf", &losses[count]) == 1)
        count++;
    if (file)
        fclose(file);
    return count;
}

/* Print the largest difference of two runs. */
static void compare_losses(const trainer *t, const double *other, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest =
            fmax(largest, fabs(other[i] - t->losses[i]) / fabs(t->losses[i]));
    printf("Losses of the two runs differ by at most %.1e of their value, in "
           "%d steps.\n",
           largest, count);
}

static void show_losses(const trainer *t)
{
    const settings *asked = t->asked;
    double *other = calloc((size_t)t->step + 1, sizeof *other);
    const char *path = asked->compare ? asked->compare : "";
    const char *slash = strrchr(path, '/');
    const int count = other && *path ? read_losses(t, other) : 0;
    const curve drawn[] = {{"this run", t->losses, (int)t->step},
                           {slash ? slash + 1 : path, other, count}};
    const bool both = drawn[1].count > 0;
    if (!both)
        plot_text(stdout, &drawn[0]);
    if (asked->losses && !write_losses(t))
        perror(asked->losses);
    if (asked->compare && !both)
        perror(asked->compare);
    if (both)
        compare_losses(t, other, count);
    if (asked->svg && plot_svg(asked->svg, drawn, both ? 2 : 1))
        printf("The curves are in %s.\n", asked->svg);
    free(other);
}

/* ---- Communication ------------------------------------------------------ */

static dt_status show_report(const trainer *t)
{
    size_t length = 0;
    DT_TRY(dt_module_report(t->model, DT_REPORT_TEXT, NULL, 0, &length));
    char *text = malloc(length + 1);
    if (!text)
        return DT_ERR_NO_MEMORY;
    const dt_status status =
        dt_module_report(t->model, DT_REPORT_TEXT, text, length + 1, NULL);
    if (status == DT_OK)
        fputs(text, stdout);
    free(text);
    return status;
}

/* ---- The program -------------------------------------------------------- */

static dt_status run(trainer *t)
{
    const int64_t first = t->step;
    DT_TRY(train(t));
    if (t->talks && first == 0 && t->step > 1)
        show_losses(t);
    if (t->talks && t->asked->report)
        DT_TRY(show_report(t));
    return t->asked->write ? write_text(t, t->asked->write) : DT_OK;
}

static dt_status program(dt_world *world, void *arg)
{
    trainer t;
    dt_status status = open_trainer(world, arg, &t);
    if (status == DT_OK)
        status = run(&t);
    close_trainer(&t);
    return status;
}

int main(int argc, char **argv)
{
    settings asked = {.mesh = "dp",
                      .text = "examples/demo/sonnets.txt",
                      .width = 96,
                      .layers = 3,
                      .heads = 4,
                      .context = 64,
                      .batch = 16,
                      .steps = 200,
                      .lr = 3e-3};
    if (!read_options(argc, argv, &asked))
        return show_usage();
    return dt_main(argc, argv, program, &asked);
}
