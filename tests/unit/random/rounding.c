/* tests/unit/random/rounding.c - bits do not follow the caller's rounding. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fenv.h>
#include <float.h>

#include "base/machine/float.h"
#include "unit/random/draws.h"

enum { COUNT = 301, ROWS = 40, LENGTH = 7 };

typedef struct numbers {
    unsigned char run[COUNT * DRAW_ITEM];
    unsigned char rows[ROWS * LENGTH * DRAW_ITEM];
} numbers;

/* Check parameters and draw, as a caller does. */
static void draw_all(dt_world *world, dti_draw draw, dti_cpu_level level,
                     numbers *out)
{
    memset(out, 0, sizeof *out);
    CHECK_OK(world, dti_draw_check(world, &draw));
    dti_draw_run_at(level, &draw, 3, COUNT, out->run);
    dti_draw_rows_at(level, &draw, 1, LENGTH, 19, ROWS, out->rows);
}

static void set_upward(void)
{
    fesetround(FE_UPWARD);
}

static void set_downward(void)
{
    fesetround(FE_DOWNWARD);
}

static void set_toward_zero(void)
{
    fesetround(FE_TOWARDZERO);
}

/* As programs built with -ffast-math have it; nothing elsewhere. */
static void set_small_to_zero(void)
{
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

static void keeps_its_bits(dt_world *world)
{
    static void (*const modes[])(void) = {set_upward, set_downward,
                                          set_toward_zero, set_small_to_zero};
    static numbers wanted, found;
    int cursor = 0;
    dti_draw draw;
    fenv_t usual;
    fegetenv(&usual);
    while (draw_next(world, &cursor, &draw))
        for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
            draw_all(world, draw, (dti_cpu_level)level, &wanted);
            for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
                modes[i]();
                const int mode = fegetround();
                draw_all(world, draw, (dti_cpu_level)level, &found);
                CHECK_INT(fegetround(), mode);
                fesetenv(&usual);
                CHECKF(memcmp(&wanted, &found, sizeof found) == 0,
                       "%s, mode %zu, %s", draw_name(&draw), i,
                       dti_cpu_level_name((dti_cpu_level)level));
            }
        }
}

const dt_test dt_tests[] = {
    {"the same bits in every rounding mode", keeps_its_bits},
    {0},
};
