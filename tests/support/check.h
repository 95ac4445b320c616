/* tests/support/check.h - a small harness for tests that run on several ranks.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_CHECK_H
#define DT_TESTS_CHECK_H

#include <stdbool.h>

#include <dtensor/dtensor.h>

/*
 * A test file ends with its table:
 *
 *     const dt_test dt_tests[] = {
 *         {"copies a row", copies_a_row},
 *         {NULL, NULL},
 *     };
 *
 * Every function gets a world.  In tests/unit it is one rank; in tests/ranks it
 * runs on as many thread ranks as --ranks says, at the same time, or, with
 * --process, as one process of a world that any launcher started.  A failed
 * check is recorded and the test goes on, because a rank that jumps out breaks
 * the collective; a test that fails on one rank fails on all.  After each test
 * the harness checks that no object is left (debug builds), and an alarm
 * (DT_TEST_ALARM seconds, 0 for none) turns a hang into a failure.
 */
typedef struct dt_test {
    const char *name;
    void (*run)(dt_world *world);
} dt_test;

extern const dt_test dt_tests[];

/* Check a condition; records a failure with its place.  Gives the condition. */
#define CHECK(condition)                                                       \
    dt_check((condition), __FILE__, __LINE__, "%s", #condition)

/* Check a condition with a message that shows values. */
#define CHECKF(condition, ...)                                                 \
    dt_check((condition), __FILE__, __LINE__, __VA_ARGS__)

/* Check that a call succeeds; shows the world's sentence if it does not. */
#define CHECK_OK(world, call)                                                  \
    dt_check_status((world), (call), DT_OK, NULL, __FILE__, __LINE__, #call)

/* Check that a call fails with a code and a sentence that contains a text; NULL
 * is any sentence.  A failure that leaves no sentence in the world is refused:
 * earlier ones are forgotten first. */
#define CHECK_FAILS(world, call, code, text)                                   \
    (dt_check_forget(world), dt_check_status((world), (call), (code), (text),  \
                                             __FILE__, __LINE__, #call))

/* The same for a call that puts its sentence into a dt_error; `error` is its
 * address.  The code may be DT_OK. */
#define CHECK_ERROR(error, call, code, text)                                   \
    (dt_check_forget_error(error),                                             \
     dt_check_error((error), (call), (code), (text), __FILE__, __LINE__,       \
                    #call))

#define CHECK_INT(actual, expected)                                            \
    dt_check_int((actual), (expected), __FILE__, __LINE__, #actual)

#define CHECK_TEXT(actual, expected)                                           \
    dt_check_text((actual), (expected), __FILE__, __LINE__, #actual)

bool dt_check(bool condition, const char *file, int line, const char *format,
              ...) DT_PRINTF(4, 5);
bool dt_check_status(dt_world *world, dt_status actual, dt_status expected,
                     const char *text, const char *file, int line,
                     const char *call);
bool dt_check_error(const dt_error *error, dt_status actual, dt_status expected,
                    const char *text, const char *file, int line,
                    const char *call);
void dt_check_forget(dt_world *world);
void dt_check_forget_error(dt_error *error);
bool dt_check_int(long long actual, long long expected, const char *file,
                  int line, const char *expression);
bool dt_check_text(const char *actual, const char *expected, const char *file,
                   int line, const char *expression);

/*
 * Leave the test out if the world is carried by one of these transports, which
 * cannot do what the test needs; `why` says what that is, in a sentence that is
 * printed.  Gives whether to leave out:
 * if (SKIP_ON(world, "mpi sim", "...")) return;
 */
#define SKIP_ON(world, transports, why)                                        \
    dt_test_skip((world), (transports), (why))

bool dt_test_skip(const dt_world *world, const char *transports,
                  const char *why);

/* The same where the calls of ranks are not compared: on sim, and on mpi unless
 * DT_CHECK is on. */
bool dt_test_skip_uncompared(const dt_world *world);

/* The seed of this run: DT_TEST_SEED, or a fixed one; printed on failure. */
unsigned long long dt_test_seed(void);

/* The next number of a small generator, for sizes and values in tests. */
unsigned long long dt_test_random(unsigned long long *state);

#endif
