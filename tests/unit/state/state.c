/* tests/unit/state/state.c - named values: set, find, order, remove, nest. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "support/check.h"

/* The names of a state in order, separated by spaces. */
static const char *names_of(const dt_state *state, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int64_t i = 0; i < dt_state_count(state); i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " " : "",
                                 dt_state_at(state, i)->name);
    return out;
}

static void keeps_values_in_order(dt_world *world)
{
    dt_state *state = NULL;
    dt_array *array = NULL;
    int64_t integer = 0;
    double real = 0;
    char names[256];
    if (!CHECK_OK(world, dt_state_create(world, &state)))
        return;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(3), &array));
    dt_tensor *tensor =
        dt_zeros(dt_world_own_mesh(world), "R", DT_F32, DT_SHAPE(2));
    CHECK_OK(world, dt_state_set_text(state, "note", "caf\xc3\xa9"));
    CHECK_OK(world, dt_state_set_tensor(state, "w", tensor));
    CHECK_OK(world, dt_state_set_array(state, "a", array));
    CHECK_OK(world, dt_state_set_integer(state, "step", INT64_MIN));
    CHECK_OK(world, dt_state_set_real(state, "lr", 0.25));
    CHECK_INT(dt_state_count(state), 5);
    CHECK_TEXT(names_of(state, names, sizeof names), "note w a step lr");
    CHECK_TEXT(dt_state_text(state, "note"), "caf\xc3\xa9");
    CHECK(dt_state_tensor(state, "w") == tensor);
    CHECK(dt_state_array(state, "a") == array);
    CHECK_OK(world, dt_state_integer(state, "step", &integer));
    CHECK_OK(world, dt_state_real(state, "lr", &real));
    CHECK(integer == INT64_MIN && real == 0.25);
    /* A value that is set again stays where it is, whatever it becomes. */
    CHECK_OK(world, dt_state_set_integer(state, "w", 7));
    CHECK_TEXT(names_of(state, names, sizeof names), "note w a step lr");
    CHECK_OK(world, dt_state_real(state, "w", &real));
    CHECK(real == 7);
    CHECK(dt_state_find(state, "w")->tensor == NULL);
    CHECK(dt_state_at(state, 5) == NULL && dt_state_at(state, -1) == NULL);
    CHECK(dt_state_find(state, "none") == NULL);
    CHECK(dt_state_count(NULL) == 0 && dt_state_find(NULL, "w") == NULL);
    dt_array_release(array);
    dt_state_release(dt_state_retain(state));
    CHECK_OK(world, dt_array_fill(world, dt_state_array(state, "a"), 1));
    dt_state_release(state);
    dt_state_release(NULL);
}

static void removes_and_adds_again(dt_world *world)
{
    enum { COUNT = 100 };
    dt_state *state = NULL;
    char name[16];
    CHECK_OK(world, dt_state_create(world, &state));
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "n%d", i);
        CHECK_OK(world, dt_state_set_integer(state, name, i));
    }
    for (int i = 0; i < COUNT; i += 3) {
        snprintf(name, sizeof name, "n%d", i);
        CHECK_OK(world, dt_state_remove(state, name));
        CHECK(dt_state_find(state, name) == NULL);
    }
    CHECK_INT(dt_state_count(state), COUNT - 34);
    int64_t before = -1;
    for (int64_t i = 0; i < dt_state_count(state); i++) {
        const dt_state_entry *entry = dt_state_at(state, i);
        CHECK(entry->integer > before && entry->integer % 3 != 0);
        CHECK(dt_state_find(state, entry->name) == entry);
        before = entry->integer;
    }
    CHECK_OK(world, dt_state_set_integer(state, "n0", 1000));
    CHECK_INT(dt_state_at(state, COUNT - 34)->integer, 1000);
    CHECK_FAILS(world, dt_state_remove(state, "n3"), DT_ERR_NOT_FOUND, "n3");
    dt_state_release(state);
}

static void nests_under_a_prefix(dt_world *world)
{
    dt_state *inner = NULL, *outer = NULL, *back = NULL, *all = NULL;
    char names[256];
    CHECK_OK(world, dt_state_create(world, &inner));
    CHECK_OK(world, dt_state_create(world, &outer));
    CHECK_OK(world, dt_state_set_integer(inner, "weight", 1));
    CHECK_OK(world, dt_state_set_text(inner, "norm.kind", "rms"));
    CHECK_OK(world, dt_state_set_real(outer, "layers.00", 2));
    CHECK_OK(world, dt_state_nest(outer, "layers.0", inner));
    CHECK_OK(world, dt_state_nest(outer, NULL, inner));
    CHECK_TEXT(names_of(outer, names, sizeof names),
               "layers.00 layers.0.weight layers.0.norm.kind weight norm.kind");
    CHECK_OK(world, dt_state_below(outer, "layers.0", &back));
    CHECK_TEXT(names_of(back, names, sizeof names), "weight norm.kind");
    CHECK_TEXT(dt_state_text(back, "norm.kind"), "rms");
    CHECK_OK(world, dt_state_below(outer, "", &all));
    CHECK_INT(dt_state_count(all), dt_state_count(outer));
    dt_state_release(all);
    CHECK_OK(world, dt_state_below(outer, "layer", &all));
    CHECK_INT(dt_state_count(all), 0);
    CHECK_FAILS(world, dt_state_nest(outer, "x", outer), DT_ERR_INVALID,
                "itself");
    dt_state_release(all);
    dt_state_release(back);
    dt_state_release(outer);
    dt_state_release(inner);
}

static void rejects_what_is_invalid(dt_world *world)
{
    char longest[DT_STATE_NAME_MAX + 2];
    int64_t integer = 0;
    dt_state *state = NULL, *outer = NULL;
    memset(longest, 'x', sizeof longest);
    longest[DT_STATE_NAME_MAX + 1] = '\0';
    CHECK_OK(world, dt_state_create(world, &state));
    CHECK_OK(world, dt_state_create(world, &outer));
    CHECK_FAILS(world, dt_state_set_integer(state, "", 1), DT_ERR_INVALID,
                "0 bytes");
    CHECK_FAILS(world, dt_state_set_integer(state, longest, 1), DT_ERR_INVALID,
                "1001 bytes");
    CHECK_OK(world, dt_state_set_integer(state, longest + 1, 1));
    CHECK_FAILS(world, dt_state_nest(outer, "p", state), DT_ERR_INVALID,
                "1002 bytes");
    CHECK_FAILS(world, dt_state_nest(outer, longest, state), DT_ERR_INVALID,
                "bytes");
    CHECK_FAILS(world, dt_state_set_integer(state, "a\nb", 1), DT_ERR_INVALID,
                "control character at byte 1");
    CHECK_FAILS(world, dt_state_set_integer(state, "a\xff", 1), DT_ERR_INVALID,
                "not valid UTF-8: byte 1");
    CHECK_FAILS(world, dt_state_set_text(state, "t", "\xed\xa0\x80"),
                DT_ERR_INVALID, "not valid UTF-8: byte 0");
    CHECK_FAILS(world, dt_state_set_text(state, "t", NULL), DT_ERR_INVALID,
                "text is NULL");
    CHECK_FAILS(world, dt_state_set_integer(state, NULL, 1), DT_ERR_INVALID,
                "name is NULL");
    CHECK_INT(dt_state_count(state), 1);
    CHECK_OK(world, dt_state_set_text(state, "weight", "x"));
    CHECK_FAILS(world, dt_state_integer(state, "weight", &integer),
                DT_ERR_INVALID, "\"weight\" is a text, not an integer");
    CHECK_FAILS(world, dt_state_integer(state, "wieght", &integer),
                DT_ERR_NOT_FOUND, "did you mean \"weight\"?");
    dt_world_clear_error(world);
    CHECK(dt_state_tensor(state, "weight") == NULL);
    CHECK_INT(dt_world_error(world)->code, DT_ERR_INVALID);
    dt_world_clear_error(world);
    dt_state_release(outer);
    dt_state_release(state);
}

static void holds_generators(dt_world *world)
{
    dt_generator *generator = NULL;
    dt_state *state = NULL;
    const dt_generator_state wanted = {UINT64_MAX, 5, UINT64_C(1) << 63, 9};
    CHECK_OK(world, dt_state_create(world, &state));
    CHECK_OK(world, dt_generator_create(world, 1, 2, &generator));
    dt_generator_set_state(generator, wanted);
    CHECK_OK(world, dt_state_set_generator(state, "rng", generator));
    dt_generator_seed(generator, 3);
    CHECK_OK(world, dt_state_get_generator(state, "rng", generator));
    const dt_generator_state got = dt_generator_get_state(generator);
    CHECK(memcmp(&got, &wanted, sizeof got) == 0);
    CHECK_OK(world, dt_state_remove(state, "rng.count"));
    dt_generator_seed(generator, 3);
    CHECK_FAILS(world, dt_state_get_generator(state, "rng", generator),
                DT_ERR_NOT_FOUND, "rng.count");
    CHECK_INT((long long)dt_generator_get_state(generator).seed, 3);
    dt_generator_release(generator);
    dt_state_release(state);
}

const dt_test dt_tests[] = {
    {"keeps values in order", keeps_values_in_order},
    {"removes and adds again", removes_and_adds_again},
    {"nests under a prefix", nests_under_a_prefix},
    {"rejects what is invalid", rejects_what_is_invalid},
    {"holds generators", holds_generators},
    {NULL, NULL},
};
