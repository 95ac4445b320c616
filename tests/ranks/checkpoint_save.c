/* ranks: 1 2 3 4 7 */
/* tests/ranks/checkpoint_save.c - saving and loading states: what is kept, what
 * is refused, in the background. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtensor/sys/checkpoint.h>

#include "support/folders.h"
#include "support/tensors.h"

/* A fixture with a folder and a state of a few values. */
typedef struct saved {
    fixture f;
    char folder[FOLDER_SIZE];
    dt_state *state;
} saved;

static dt_state *new_state(dt_world *world)
{
    dt_state *state = NULL;
    CHECK_OK(world, dt_state_create(world, &state));
    return state;
}

static saved open_saved(dt_world *world)
{
    saved s = {.f = open_fixture(world)};
    make_folder(world, s.folder);
    s.state = new_state(world);
    CHECK_OK(world, dt_state_set_tensor(
                        s.state, "model.w",
                        make_operand(&s.f, "S(0)", DT_F32, DT_SHAPE(7, 3), 1)));
    CHECK_OK(world, dt_state_set_tensor(
                        s.state, "model.b",
                        make_operand(&s.f, "R", DT_BF16, DT_SHAPE(5), 2)));
    CHECK_OK(world, dt_state_set_integer(s.state, "step", 41));
    return s;
}

static void close_saved(saved *s)
{
    dt_state_release(s->state);
    remove_folder(s->f.world, s->folder);
    close_fixture(&s->f);
}

/* A state with tensors of the same names and shapes, all zeros, in a layout. */
static dt_state *zeros_like(const saved *s, const char *layout)
{
    dt_state *state = new_state(s->f.world);
    dt_world *world = s->f.world;
    CHECK_OK(world, dt_state_set_tensor(
                        state, "model.w",
                        dt_zeros(s->f.mesh, layout, DT_F32, DT_SHAPE(7, 3))));
    CHECK_OK(world, dt_state_set_tensor(
                        state, "model.b",
                        dt_zeros(s->f.mesh, "S(0)", DT_BF16, DT_SHAPE(5))));
    CHECK_OK(world, dt_state_set_integer(state, "step", 0));
    return state;
}

static void check_loaded(const dt_state *state, int salt)
{
    double wanted[21];
    for (int64_t i = 0; i < 21; i++)
        wanted[i] = operand_at(salt, i);
    check_values(dt_state_tensor(state, "model.w"), wanted, 21);
    for (int64_t i = 0; i < 5; i++)
        wanted[i] = operand_at(salt + 1, i);
    check_values(dt_state_tensor(state, "model.b"), wanted, 5);
}

static void comes_back(dt_world *world)
{
    saved s = open_saved(world);
    dt_state *state = zeros_like(&s, "S(1)");
    int64_t step = 0;
    CHECK_OK(world, dt_save(world, s.folder, 1000, s.state, NULL));
    CHECK_OK(world, dt_load(world, s.folder, state, NULL));
    check_loaded(state, 1);
    CHECK_OK(world, dt_state_integer(state, "step", &step));
    CHECK_INT(step, 41);
    CHECK_INT(count_names(s.folder, "step_"), 1);
    CHECK_INT(count_names(s.folder, "latest"), 1);
    CHECK_INT(count_names(s.folder, ""), 2);
    dt_state_release(state);
    close_saved(&s);
}

/* Numbers and texts of all kinds, arrays, tied tensors, generators. */
static void keeps_all_kinds(dt_world *world)
{
    saved s = open_saved(world);
    static const double reals[] = {0.1, -0.0, 5, 1e300, 4.9e-324};
    dt_state *back = zeros_like(&s, "R");
    dt_tensor *w = dt_state_tensor(s.state, "model.w");
    dt_generator *generator = NULL;
    dt_array *array = NULL, *other = NULL;
    double real = 0;
    char name[32];
    CHECK_OK(world, dt_generator_create(world, UINT64_MAX, 3, &generator));
    CHECK_OK(world, dt_state_set_generator(s.state, "rng", generator));
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(2, 2), &array));
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(2, 2), &other));
    CHECK_OK(world, dt_array_fill_int(world, array, INT64_MIN));
    CHECK_OK(world, dt_array_fill_int(world, other, 0));
    CHECK_OK(world, dt_state_set_array(s.state, "a", array));
    CHECK_OK(world, dt_state_set_tensor(s.state, "head.w", w));
    CHECK_OK(world,
             dt_state_set_text(s.state, "note", "a \"quoted\"\nline \xc3\xa9"));
    CHECK_OK(world, dt_state_set_real(s.state, "inf", -(double)INFINITY));
    CHECK_OK(world, dt_state_set_real(s.state, "nan", (double)NAN));
    CHECK_OK(world, dt_state_set_integer(s.state, "large", INT64_MIN));
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "real%d", i);
        CHECK_OK(world, dt_state_set_real(s.state, name, reals[i]));
        CHECK_OK(world, dt_state_set_real(back, name, 7));
    }
    CHECK_OK(world, dt_save(world, s.folder, 0, s.state, NULL));
    dt_generator_seed(generator, 1);
    CHECK_OK(world, dt_state_set_generator(back, "rng", generator));
    CHECK_OK(world, dt_state_set_array(back, "a", other));
    CHECK_OK(world, dt_state_set_tensor(
                        back, "head.w",
                        dt_zeros(s.f.mesh, "S(0)", DT_F32, DT_SHAPE(7, 3))));
    CHECK_OK(world, dt_state_set_text(back, "note", ""));
    CHECK_OK(world, dt_state_set_real(back, "inf", 0));
    CHECK_OK(world, dt_state_set_real(back, "nan", 0));
    CHECK_OK(world, dt_state_set_integer(back, "large", 0));
    CHECK_OK(world, dt_load(world, s.folder, back, NULL));
    check_loaded(back, 1);
    CHECK(dt_array_equal(array, other));
    CHECK_TEXT(dt_state_text(back, "note"), "a \"quoted\"\nline \xc3\xa9");
    CHECK(isinf(dt_state_find(back, "inf")->real));
    CHECK(isnan(dt_state_find(back, "nan")->real));
    CHECK(dt_state_find(back, "large")->integer == INT64_MIN);
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "real%d", i);
        CHECK_OK(world, dt_state_real(back, name, &real));
        CHECK(memcmp(&real, &reals[i], sizeof real) == 0);
    }
    CHECK_OK(world, dt_state_get_generator(back, "rng", generator));
    CHECK(dt_generator_get_state(generator).seed == UINT64_MAX);
    double wanted[21];
    for (int64_t i = 0; i < 21; i++)
        wanted[i] = operand_at(1, i);
    check_values(dt_state_tensor(back, "head.w"), wanted, 21);
    /* Tied tensors are stored once. */
    dt_saved *checkpoint = NULL;
    CHECK_INT(dt_saved_open(s.folder, &checkpoint, NULL), DT_OK);
    const dt_saved_tensor *tied = dt_saved_find(checkpoint, "head.w");
    CHECK(tied && tied->same && strcmp(tied->same, "model.w") == 0);
    dt_saved_close(checkpoint);
    dt_generator_release(generator);
    dt_array_release(array);
    dt_array_release(other);
    dt_state_release(back);
    close_saved(&s);
}

static void steps_are_replaced_on_request(dt_world *world)
{
    saved s = open_saved(world);
    dt_save_options options = DT_SAVE_OPTIONS_INIT;
    dt_state *state = zeros_like(&s, "S(0)");
    CHECK_OK(world, dt_save(world, s.folder, 3, s.state, NULL));
    dt_check_forget(world);
    CHECK(dt_save(world, s.folder, 3, state, NULL) != DT_OK);
    CHECK(strstr(dt_world_error(world)->message, "exists") != NULL);
    dt_world_clear_error(world);
    CHECK_OK(world, dt_load(world, s.folder, state, NULL));
    check_loaded(state, 1);
    dt_state_release(state);
    state = zeros_like(&s, "S(0)");
    options.overwrite = true;
    CHECK_OK(world, dt_save(world, s.folder, 3, state, &options));
    CHECK_OK(world, dt_load(world, s.folder, s.state, NULL));
    check_values(dt_state_tensor(s.state, "model.b"), (double[5]){0}, 5);
    CHECK_INT(count_names(s.folder, ""), 2);
    dt_state_release(state);
    close_saved(&s);
}

static void old_ones_are_removed(dt_world *world)
{
    saved s = open_saved(world);
    dt_save_options options = DT_SAVE_OPTIONS_INIT;
    options.keep = 2;
    for (int step = 1; step <= 5; step++) {
        CHECK_OK(world, dt_save(world, s.folder, step, s.state, &options));
        CHECK_INT(count_names(s.folder, "step_"), step < 2 ? step : 2);
    }
    /* The one that is saved stays, although others have higher steps. */
    CHECK_OK(world, dt_save(world, s.folder, 1, s.state, &options));
    CHECK_INT(count_names(s.folder, "step_00000001"), 1);
    CHECK_INT(count_names(s.folder, "step_"), 3);
    close_saved(&s);
}

static void what_does_not_fit_is_listed(dt_world *world)
{
    saved s = open_saved(world);
    dt_load_options options = DT_LOAD_OPTIONS_INIT;
    dt_state *state = new_state(world);
    CHECK_OK(world, dt_save(world, s.folder, 1, s.state, NULL));
    CHECK_OK(world, dt_state_set_tensor(
                        state, "model.w",
                        dt_zeros(s.f.mesh, "R", DT_F32, DT_SHAPE(3, 7))));
    CHECK_OK(world,
             dt_state_set_tensor(state, "other",
                                 dt_zeros(s.f.mesh, "R", DT_F32, DT_SHAPE(1))));
    CHECK_OK(world, dt_state_set_real(state, "step", 0));
    CHECK_FAILS(world, dt_load(world, s.folder, state, NULL), DT_ERR_INVALID,
                "1 missing in the checkpoint: \"other\"; 1 not expected: "
                "\"model.b\"; 2 different: \"model.w\" is F32");
    CHECK(strstr(dt_world_error(world)->message,
                 "\"step\" is an integer there and a real number here"));
    options.allow_missing = options.allow_unexpected = options.cast = true;
    CHECK_FAILS(world, dt_load(world, s.folder, state, &options),
                DT_ERR_INVALID, "1 different: \"model.w\"");
    CHECK_OK(world, dt_state_remove(state, "model.w"));
    CHECK_OK(world, dt_load(world, s.folder, state, &options));
    CHECK(dt_state_find(state, "step")->real == 41);
    dt_world_clear_error(world);
    dt_state_release(state);
    close_saved(&s);
}

static void elements_are_converted_on_request(dt_world *world)
{
    saved s = open_saved(world);
    dt_load_options options = DT_LOAD_OPTIONS_INIT;
    dt_state *state = zeros_like(&s, "S(1)");
    CHECK_OK(world, dt_save(world, s.folder, 1, s.state, NULL));
    CHECK_OK(world, dt_state_set_tensor(
                        state, "model.w",
                        dt_zeros(s.f.mesh, "S(1)", DT_F64, DT_SHAPE(7, 3))));
    CHECK_OK(world,
             dt_state_set_tensor(state, "model.b",
                                 dt_zeros(s.f.mesh, "R", DT_F16, DT_SHAPE(5))));
    CHECK_FAILS(world, dt_load(world, s.folder, state, NULL), DT_ERR_INVALID,
                "2 different");
    options.cast = options.verify = true;
    CHECK_OK(world, dt_load(world, s.folder, state, &options));
    check_loaded(state, 1);
    dt_world_clear_error(world);
    dt_state_release(state);
    close_saved(&s);
}

static void names_are_changed_by_rules(dt_world *world)
{
    saved s = open_saved(world);
    static const dt_rename rules[] = {{"model.w", "first"},
                                      {"model.*", "*.last"}};
    dt_load_options options = DT_LOAD_OPTIONS_INIT;
    dt_state *state = new_state(world);
    CHECK_OK(world, dt_save(world, s.folder, 1, s.state, NULL));
    CHECK_OK(world, dt_state_set_tensor(
                        state, "first",
                        dt_zeros(s.f.mesh, "R", DT_F32, DT_SHAPE(7, 3))));
    CHECK_OK(world, dt_state_set_tensor(
                        state, "b.last",
                        dt_zeros(s.f.mesh, "R", DT_BF16, DT_SHAPE(5))));
    CHECK_OK(world, dt_state_set_integer(state, "step", 0));
    options.renames = rules;
    options.rename_count = 2;
    CHECK_OK(world, dt_load(world, s.folder, state, &options));
    double wanted[5];
    for (int64_t i = 0; i < 5; i++)
        wanted[i] = operand_at(2, i);
    check_values(dt_state_tensor(state, "b.last"), wanted, 5);
    dt_state_release(state);
    close_saved(&s);
}

static void what_cannot_be_saved_is_named(dt_world *world)
{
    saved s = open_saved(world);
    const int64_t ranks = dt_world_size(world);
    CHECK_FAILS(world, dt_save(world, s.folder, -1, s.state, NULL),
                DT_ERR_INVALID, "step is -1");
    CHECK_FAILS(world, dt_save(world, "", 1, s.state, NULL), DT_ERR_INVALID,
                "folder is empty");
    dt_check_forget(world);
    CHECK(dt_save(world, "/nonexistent/folder", 1, s.state, NULL) != DT_OK);
    CHECK(strstr(dt_world_error(world)->message, "/nonexistent/folder"));
    dt_check_forget(world);
    CHECK(dt_load(world, "/nonexistent/folder", s.state, NULL) != DT_OK);
    CHECK(strstr(dt_world_error(world)->message, "no such file or folder"));
    CHECK_OK(world, dt_state_set_tensor(
                        s.state, "sum",
                        dt_zeros(s.f.mesh, "P(sum)", DT_F32, DT_SHAPE(4))));
    CHECK_FAILS(world, dt_save(world, s.folder, 1, s.state, NULL),
                DT_ERR_INVALID, "tensor \"sum\" is partial");
    CHECK_FAILS(world, dt_load(world, s.folder, s.state, NULL), DT_ERR_INVALID,
                "tensor \"sum\" is partial");
    CHECK_OK(world, dt_state_remove(s.state, "sum"));
    CHECK_OK(world,
             dt_state_set_tensor(s.state, "__metadata__",
                                 dt_zeros(s.f.mesh, "R", DT_F32, DT_SHAPE(4))));
    CHECK_FAILS(world, dt_save(world, s.folder, 1, s.state, NULL),
                DT_ERR_INVALID, "__metadata__");
    CHECK_OK(world, dt_state_remove(s.state, "__metadata__"));
    /* States that differ between ranks. */
    CHECK_OK(world, dt_state_set_integer(
                        s.state, dt_world_rank(world) == 1 ? "x" : "y", 1));
    if (ranks > 1)
        CHECK_FAILS(world, dt_save(world, s.folder, 1, s.state, NULL),
                    DT_ERR_INVALID, "states of ranks differ");
    CHECK_INT(count_names(s.folder, ""), 0);
    dt_world_clear_error(world);
    close_saved(&s);
}

/* Whoever has locked the folder saves alone. */
static void one_saves_at_a_time(dt_world *world)
{
    saved s = open_saved(world);
    int descriptor = -1;
    if (dt_world_rank(world) == 0) {
        descriptor = open(s.folder, O_RDONLY | O_DIRECTORY);
        CHECK(flock(descriptor, LOCK_EX) == 0);
    }
    dt_check_forget(world);
    CHECK(dt_save(world, s.folder, 1, s.state, NULL) != DT_OK);
    CHECK(strstr(dt_world_error(world)->message, "another save is under way"));
    dt_world_clear_error(world);
    if (descriptor >= 0)
        close(descriptor);
    CHECK_OK(world, dt_save(world, s.folder, 1, s.state, NULL));
    close_saved(&s);
}

/* What a killed save left is removed by the next. */
static void debris_is_removed(dt_world *world)
{
    saved s = open_saved(world);
    if (dt_world_rank(world) == 0) {
        char path[FOLDER_SIZE + 64];
        snprintf(path, sizeof path, "%s/step_00000007.tmp", s.folder);
        CHECK(mkdir(path, 0777) == 0);
        strcat(path, "/model.safetensors");
        FILE *file = fopen(path, "w");
        CHECK(file && fputs("half", file) >= 0 && fclose(file) == 0);
    }
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_check_forget(world);
    CHECK(dt_load(world, s.folder, s.state, NULL) != DT_OK);
    CHECK(strstr(dt_world_error(world)->message, "neither safetensors"));
    dt_world_clear_error(world);
    CHECK_OK(world, dt_save(world, s.folder, 8, s.state, NULL));
    CHECK_INT(count_names(s.folder, "step_"), 1);
    close_saved(&s);
}

static void in_the_background(dt_world *world)
{
    saved s = open_saved(world);
    dt_state *state = zeros_like(&s, "S(1)");
    bool done = false;
    CHECK_OK(world, dt_save_poll(world, &done));
    CHECK(done);
    CHECK_OK(world, dt_save_wait(world));
    for (int step = 1; step <= 3; step++) {
        CHECK_OK(world, dt_save_begin(world, s.folder, step, s.state, NULL));
        CHECK_FAILS(world, dt_save_begin(world, s.folder, step, s.state, NULL),
                    DT_ERR_INVALID, "a save is under way");
        CHECK_FAILS(world, dt_save(world, s.folder, step, s.state, NULL),
                    DT_ERR_INVALID, "a save is under way");
        dt_world_clear_error(world);
        /* The state may change at once. */
        CHECK_OK(world,
                 dt_array_fill(
                     world,
                     dt_tensor_local(dt_state_tensor(s.state, "model.w")), 99));
        done = false;
        if (step == 3)
            CHECK_OK(world, dt_save_wait(world));
        else
            while (!done)
                CHECK_OK(world, dt_save_poll(world, &done));
        CHECK_OK(world, dt_load(world, s.folder, state, NULL));
        check_loaded(state, 1);
        CHECK_OK(world, dt_load(world, s.folder, s.state, NULL));
    }
    CHECK_INT(count_names(s.folder, "step_"), 3);
    dt_state_release(state);
    close_saved(&s);
}

/* A failure in the background is returned later, on all ranks. */
static void a_failure_in_the_background(dt_world *world)
{
    saved s = open_saved(world);
    char gone[FOLDER_SIZE + 64];
    CHECK_OK(world, dt_save(world, s.folder, 1, s.state, NULL));
    CHECK_OK(world, dt_save_begin(world, s.folder, 2, s.state, NULL));
    snprintf(gone, sizeof gone, "%s/step_00000002.tmp", s.folder);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    if (dt_world_rank(world) == 0)
        remove_tree(gone);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_check_forget(world);
    CHECK(dt_save_wait(world) != DT_OK);
    dt_world_clear_error(world);
    CHECK_OK(world, dt_load(world, s.folder, s.state, NULL));
    check_loaded(s.state, 1);
    CHECK_OK(world, dt_save(world, s.folder, 2, s.state, NULL));
    CHECK_INT(count_names(s.folder, "step_"), 2);
    close_saved(&s);
}

/* An array whose elements differ from their neighbours, made quickly. */
static dt_array *numbered(dt_world *world, dt_shape shape)
{
    dt_array *array = new_array(world, DT_I16, shape);
    int16_t *data = dt_array_data(array);
    for (int64_t i = 0; i < dt_array_count(array); i++)
        data[i] = (int16_t)((uint64_t)i * 2654435761u >> 13);
    return array;
}

/* Save large tensors, at once or in the background, and load them in other
 * layouts: several blocks, shares of replicas, pieces. */
static void check_large(fixture *f, const char *folder, int round)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R", "S(2)"};
    const dt_shape shape = DT_SHAPE(37, 301, 517);
    dt_world *world = f->world;
    dt_state *state = new_state(world), *back = new_state(world);
    dt_array *global = numbered(world, shape);
    dt_load_options options = DT_LOAD_OPTIONS_INIT;
    options.verify = true;
    for (int i = 0; i < 4; i++) {
        CHECK_OK(world, dt_state_set_tensor(state, layouts[i],
                                            dt_distribute(f->mesh, layouts[i],
                                                          DT_I16, shape, global,
                                                          DT_EVERYWHERE)));
        CHECK_OK(world, dt_state_set_tensor(
                            back, layouts[i],
                            dt_zeros(f->mesh, layouts[(i + 1 + round) % 4],
                                     DT_I16, shape)));
    }
    if (round % 2 == 0) {
        CHECK_OK(world, dt_save(world, folder, round, state, NULL));
    } else {
        CHECK_OK(world, dt_save_begin(world, folder, round, state, NULL));
        CHECK_OK(world, dt_save_wait(world));
    }
    CHECK_OK(world, dt_load(world, folder, back, &options));
    for (int i = 0; i < 4; i++) {
        dt_array *got = read_global(dt_state_at(back, i)->tensor);
        CHECKF(dt_array_equal(got, global), "%s", layouts[i]);
        dt_array_release(got);
    }
    dt_array_release(global);
    dt_state_release(state);
    dt_state_release(back);
}

static void large_tensors_in(dt_world *world,
                             void (*make)(dt_world *world, char *path))
{
    char folder[FOLDER_SIZE];
    fixture f = open_fixture(world);
    make(world, folder);
    for (int round = 0; round < 2; round++)
        check_large(&f, folder, round);
    remove_folder(world, folder);
    close_without_errors(&f);
}

static void large_tensors(dt_world *world)
{
    large_tensors_in(world, make_folder);
}

/* Past the page cache, where the file system can. */
static void large_tensors_on_disk(dt_world *world)
{
    large_tensors_in(world, make_disk_folder);
}

/* The items of all ranks are every byte of every tensor, once. */
static void items_cover_everything(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_state *state = new_state(world);
    static const char *const layouts[] = {"S(0)", "R", "S(1)"};
    for (int i = 0; i < 3; i++)
        CHECK_OK(world, dt_state_set_tensor(state, layouts[i],
                                            dt_zeros(f.mesh, layouts[i], DT_F32,
                                                     DT_SHAPE(1003, 517))));
    for (int i = 0; i < 3; i++) {
        uint64_t bytes = 0, least = UINT64_MAX, most = 0;
        unsigned char *seen = calloc(1, 1003 * 517 * 4);
        for (int rank = 0; rank < dt_world_size(world); rank++) {
            dt_write_item items[64];
            int64_t count = 0;
            uint64_t own = 0;
            CHECK_OK(world,
                     dt_save_items(world, state, rank, items, 64, &count));
            if (!CHECK(count <= 64))
                break;
            for (int64_t k = 0; k < count; k++) {
                CHECK_INT(items[k].rank, rank);
                if (strcmp(items[k].name, layouts[i]) != 0)
                    continue;
                for (uint64_t b = 0; b < items[k].bytes; b++)
                    seen[items[k].first + b]++;
                own += items[k].bytes;
            }
            bytes += own;
            least = own < least ? own : least;
            most = own > most ? own : most;
        }
        CHECK(bytes == 1003 * 517 * 4);
        for (size_t b = 0; b < 1003 * 517 * 4; b++)
            if (seen[b] != 1)
                CHECKF(false, "%s: byte %zu is written %d times", layouts[i], b,
                       seen[b]);
        CHECKF(most - least <= bytes / 10, "%s: from %llu to %llu bytes",
               layouts[i], (unsigned long long)least, (unsigned long long)most);
        free(seen);
    }
    dt_state_release(state);
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"comes back", comes_back},
    {"keeps all kinds", keeps_all_kinds},
    {"steps are replaced on request", steps_are_replaced_on_request},
    {"old ones are removed", old_ones_are_removed},
    {"what does not fit is listed", what_does_not_fit_is_listed},
    {"elements are converted on request", elements_are_converted_on_request},
    {"names are changed by rules", names_are_changed_by_rules},
    {"what cannot be saved is named", what_cannot_be_saved_is_named},
    {"one saves at a time", one_saves_at_a_time},
    {"debris is removed", debris_is_removed},
    {"in the background", in_the_background},
    {"a failure in the background", a_failure_in_the_background},
    {"large tensors", large_tensors},
    {"large tensors on disk", large_tensors_on_disk},
    {"items cover everything", items_cover_everything},
    {NULL, NULL},
};
