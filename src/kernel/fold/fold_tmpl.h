/* kernel/fold/fold_tmpl.h - the loops of all reductions, for one instruction
 * set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set; loops are plain, and the
 * compiler makes vectors of them.  All levels give the same bits.
 */
#include <stddef.h>
#include <string.h>

#include "array/cast.h"
#include "base/attributes.h"
#include "kernel/fold/fold_level.h"
#include "kernel/fold/key.h"
#include "kernel/math/f64.h"
#include "kernel/math/log_f32.h"

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define AS_IT_IS(x) (x)

/* ---- f32 ---------------------------------------------------------------- */

#define T float
#define A float
#define LOAD(x) AS_IT_IS(x)
#define COMBINE(a, b) ((a) + (b))
#define ROWS sum_rows_f32
#define MERGE sum_f32
#define ACROSS sum_across_f32
#define RUNS sum_runs_f32
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) ((x) == (x) ? (x) : 0.0f)
#define COMBINE(a, b) ((a) + (b))
#define ROWS number_rows_f32
#define MERGE number_f32
#define ACROSS number_across_f32
#define RUNS number_runs_f32
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) AS_IT_IS(x)
#define COMBINE(a, b) ((a) * (b))
#define ROWS product_rows_f32
#define MERGE product_f32
#define ACROSS product_across_f32
#define RUNS product_runs_f32
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) ((x) != 0 ? 1.0f : 0.0f)
#define COMBINE(a, b) ((a) + (b))
#define ROWS nonzero_rows_f32
#define MERGE nonzero_f32
#define ACROSS nonzero_across_f32
#define RUNS nonzero_runs_f32
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) dti_absolute_f32(x)
#define COMBINE(a, b) ((a) + (b))
#define ROWS abs_rows_f32
#define MERGE abs_f32
#define ACROSS abs_across_f32
#define RUNS abs_runs_f32
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) ((x) * (x))
#define COMBINE(a, b) ((a) + (b))
#define ROWS square_rows_f32
#define MERGE square_f32
#define ACROSS square_across_f32
#define RUNS square_runs_f32
#include "kernel/fold/fold_loops_tmpl.h"
#undef A

#define A int32_t
#define LOAD(x) dti_key_max_f32(x)
#define COMBINE(a, b) LARGER(a, b)
#define ROWS max_rows_f32
#define MERGE max_f32
#define ACROSS max_across_f32
#define RUNS max_runs_f32
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) dti_key_min_f32(x)
#define COMBINE(a, b) SMALLER(a, b)
#define ROWS min_rows_f32
#define MERGE min_f32
#define ACROSS min_across_f32
#define RUNS min_runs_f32
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) dti_key_max_f32(dti_absolute_f32(x))
#define COMBINE(a, b) LARGER(a, b)
#define ROWS abs_max_rows_f32
#define MERGE abs_max_f32
#define ACROSS abs_max_across_f32
#define RUNS abs_max_runs_f32
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) dti_key_min_f32(dti_absolute_f32(x))
#define COMBINE(a, b) SMALLER(a, b)
#define ROWS abs_min_rows_f32
#define MERGE abs_min_f32
#define ACROSS abs_min_across_f32
#define RUNS abs_min_runs_f32
#include "kernel/fold/fold_loops_tmpl.h"
#undef A
#undef T

/* ---- f64 ---------------------------------------------------------------- */

#define T double
#define A double
#define LOAD(x) AS_IT_IS(x)
#define COMBINE(a, b) ((a) + (b))
#define ROWS sum_rows_f64
#define MERGE sum_f64
#define ACROSS sum_across_f64
#define RUNS sum_runs_f64
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) ((x) == (x) ? (x) : 0.0)
#define COMBINE(a, b) ((a) + (b))
#define ROWS number_rows_f64
#define MERGE number_f64
#define ACROSS number_across_f64
#define RUNS number_runs_f64
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) AS_IT_IS(x)
#define COMBINE(a, b) ((a) * (b))
#define ROWS product_rows_f64
#define MERGE product_f64
#define ACROSS product_across_f64
#define RUNS product_runs_f64
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) ((x) != 0 ? 1.0 : 0.0)
#define COMBINE(a, b) ((a) + (b))
#define ROWS nonzero_rows_f64
#define MERGE nonzero_f64
#define ACROSS nonzero_across_f64
#define RUNS nonzero_runs_f64
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) dti_absolute_f64(x)
#define COMBINE(a, b) ((a) + (b))
#define ROWS abs_rows_f64
#define MERGE abs_f64
#define ACROSS abs_across_f64
#define RUNS abs_runs_f64
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) ((x) * (x))
#define COMBINE(a, b) ((a) + (b))
#define ROWS square_rows_f64
#define MERGE square_f64
#define ACROSS square_across_f64
#define RUNS square_runs_f64
#include "kernel/fold/fold_loops_tmpl.h"
#undef A

#define A int64_t
#define LOAD(x) dti_key_max_f64(x)
#define COMBINE(a, b) LARGER(a, b)
#define ROWS max_rows_f64
#define MERGE max_f64
#define ACROSS max_across_f64
#define RUNS max_runs_f64
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) dti_key_min_f64(x)
#define COMBINE(a, b) SMALLER(a, b)
#define ROWS min_rows_f64
#define MERGE min_f64
#define ACROSS min_across_f64
#define RUNS min_runs_f64
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) dti_key_max_f64(dti_absolute_f64(x))
#define COMBINE(a, b) LARGER(a, b)
#define ROWS abs_max_rows_f64
#define MERGE abs_max_f64
#define ACROSS abs_max_across_f64
#define RUNS abs_max_runs_f64
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) dti_key_min_f64(dti_absolute_f64(x))
#define COMBINE(a, b) SMALLER(a, b)
#define ROWS abs_min_rows_f64
#define MERGE abs_min_f64
#define ACROSS abs_min_across_f64
#define RUNS abs_min_runs_f64
#include "kernel/fold/fold_loops_tmpl.h"
#undef A
#undef T

/* ---- Integers: sums and products wrap around ----------------------------- */

#define T uint64_t
#define A uint64_t
#define LOAD(x) AS_IT_IS(x)
#define COMBINE(a, b) ((a) + (b))
#define ROWS sum_rows_i64
#define MERGE sum_i64
#define ACROSS sum_across_i64
#define RUNS sum_runs_i64
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) AS_IT_IS(x)
#define COMBINE(a, b) ((a) * (b))
#define ROWS product_rows_i64
#define MERGE product_i64
#define ACROSS product_across_i64
#define RUNS product_runs_i64
#include "kernel/fold/fold_loops_tmpl.h"
#undef A
#undef T

#define T int64_t
#define A int64_t
#define MAX_ROWS max_rows_i64
#define MAX_MERGE max_i64
#define MAX_ACROSS max_across_i64
#define MAX_RUNS max_runs_i64
#define MIN_ROWS min_rows_i64
#define MIN_MERGE min_i64
#define MIN_ACROSS min_across_i64
#define MIN_RUNS min_runs_i64
#include "kernel/fold/extremes_tmpl.h"

#define T int32_t
#define A int32_t
#define MAX_ROWS max_rows_i32
#define MAX_MERGE max_i32
#define MAX_ACROSS max_across_i32
#define MAX_RUNS max_runs_i32
#define MIN_ROWS min_rows_i32
#define MIN_MERGE min_i32
#define MIN_ACROSS min_across_i32
#define MIN_RUNS min_runs_i32
#include "kernel/fold/extremes_tmpl.h"

#define T int16_t
#define A int16_t
#define MAX_ROWS max_rows_i16
#define MAX_MERGE max_i16
#define MAX_ACROSS max_across_i16
#define MAX_RUNS max_runs_i16
#define MIN_ROWS min_rows_i16
#define MIN_MERGE min_i16
#define MIN_ACROSS min_across_i16
#define MIN_RUNS min_runs_i16
#include "kernel/fold/extremes_tmpl.h"

#define T int8_t
#define A int8_t
#define MAX_ROWS max_rows_i8
#define MAX_MERGE max_i8
#define MAX_ACROSS max_across_i8
#define MAX_RUNS max_runs_i8
#define MIN_ROWS min_rows_i8
#define MIN_MERGE min_i8
#define MIN_ACROSS min_across_i8
#define MIN_RUNS min_runs_i8
#include "kernel/fold/extremes_tmpl.h"

/* Also of bool: some byte is not 0 if the largest is not, none is 0 if the
 * least is not. */
#define T uint8_t
#define A uint8_t
#define MAX_ROWS max_rows_u8
#define MAX_MERGE max_u8
#define MAX_ACROSS max_across_u8
#define MAX_RUNS max_runs_u8
#define MIN_ROWS min_rows_u8
#define MIN_MERGE min_u8
#define MIN_ACROSS min_across_u8
#define MIN_RUNS min_runs_u8
#include "kernel/fold/extremes_tmpl.h"

/* ---- c64 ---------------------------------------------------------------- */

/* As on paper; see reduce_tmpl.h. */
static inline dti_c64 multiply(dti_c64 a, dti_c64 b)
{
    return (dti_c64){a.real * b.real - a.imaginary * b.imaginary,
                     a.real * b.imaginary + a.imaginary * b.real};
}

#define T dti_c64
#define A dti_c64
#define LOAD(x) AS_IT_IS(x)
#define COMBINE(a, b) multiply(a, b)
#define ROWS product_rows_c64
#define MERGE product_c64
#define ACROSS product_across_c64
#define RUNS product_runs_c64
#include "kernel/fold/fold_loops_tmpl.h"
#undef A
#undef T

/* ---- Powers -------------------------------------------------------------- */

static void power_f32(void *values, double power, int64_t count)
{
    float *x = values;
    const float p = (float)power;
    for (int64_t i = 0; i < count; i++)
        x[i] = pow_f32(dti_absolute_f32(x[i]), p);
}

static void power_f64(void *values, double power, int64_t count)
{
    double *x = values;
    for (int64_t i = 0; i < count; i++)
        x[i] = pow_f64(dti_absolute_f64(x[i]), power);
}

const dti_fold_table LOOPS = {
    [DTI_FOLD_SUM] =
        {
            [DT_F32] = {sum_rows_f32, sum_f32, sum_across_f32, sum_runs_f32,
                        NULL},
            [DT_F64] = {sum_rows_f64, sum_f64, sum_across_f64, sum_runs_f64,
                        NULL},
            [DT_I64] = {sum_rows_i64, sum_i64, sum_across_i64, sum_runs_i64,
                        NULL},
        },
    [DTI_FOLD_NUMBER_SUM] =
        {
            [DT_F32] = {number_rows_f32, number_f32, number_across_f32,
                        number_runs_f32, NULL},
            [DT_F64] = {number_rows_f64, number_f64, number_across_f64,
                        number_runs_f64, NULL},
        },
    [DTI_FOLD_PRODUCT] =
        {
            [DT_F32] = {product_rows_f32, product_f32, product_across_f32,
                        product_runs_f32, NULL},
            [DT_F64] = {product_rows_f64, product_f64, product_across_f64,
                        product_runs_f64, NULL},
            [DT_I64] = {product_rows_i64, product_i64, product_across_i64,
                        product_runs_i64, NULL},
            [DT_C64] = {product_rows_c64, product_c64, product_across_c64,
                        product_runs_c64, NULL},
        },
    [DTI_FOLD_MAX] =
        {
            [DT_F32] = {max_rows_f32, max_f32, max_across_f32, max_runs_f32,
                        NULL},
            [DT_F64] = {max_rows_f64, max_f64, max_across_f64, max_runs_f64,
                        NULL},
            [DT_I8] = {max_rows_i8, max_i8, max_across_i8, max_runs_i8, NULL},
            [DT_I16] = {max_rows_i16, max_i16, max_across_i16, max_runs_i16,
                        NULL},
            [DT_I32] = {max_rows_i32, max_i32, max_across_i32, max_runs_i32,
                        NULL},
            [DT_I64] = {max_rows_i64, max_i64, max_across_i64, max_runs_i64,
                        NULL},
            [DT_U8] = {max_rows_u8, max_u8, max_across_u8, max_runs_u8, NULL},
            [DT_BOOL] = {max_rows_u8, max_u8, max_across_u8, max_runs_u8, NULL},
        },
    [DTI_FOLD_MIN] =
        {
            [DT_F32] = {min_rows_f32, min_f32, min_across_f32, min_runs_f32,
                        NULL},
            [DT_F64] = {min_rows_f64, min_f64, min_across_f64, min_runs_f64,
                        NULL},
            [DT_I8] = {min_rows_i8, min_i8, min_across_i8, min_runs_i8, NULL},
            [DT_I16] = {min_rows_i16, min_i16, min_across_i16, min_runs_i16,
                        NULL},
            [DT_I32] = {min_rows_i32, min_i32, min_across_i32, min_runs_i32,
                        NULL},
            [DT_I64] = {min_rows_i64, min_i64, min_across_i64, min_runs_i64,
                        NULL},
            [DT_U8] = {min_rows_u8, min_u8, min_across_u8, min_runs_u8, NULL},
            [DT_BOOL] = {min_rows_u8, min_u8, min_across_u8, min_runs_u8, NULL},
        },
    [DTI_FOLD_ALL] = {[DT_BOOL] = {min_rows_u8, min_u8, min_across_u8,
                                   min_runs_u8, NULL}},
    [DTI_FOLD_ANY] = {[DT_BOOL] = {max_rows_u8, max_u8, max_across_u8,
                                   max_runs_u8, NULL}},
    [DTI_FOLD_NONZERO] =
        {
            [DT_F32] = {nonzero_rows_f32, nonzero_f32, nonzero_across_f32,
                        nonzero_runs_f32, NULL},
            [DT_F64] = {nonzero_rows_f64, nonzero_f64, nonzero_across_f64,
                        nonzero_runs_f64, NULL},
        },
    [DTI_FOLD_ABS_SUM] =
        {
            [DT_F32] = {abs_rows_f32, abs_f32, abs_across_f32, abs_runs_f32,
                        NULL},
            [DT_F64] = {abs_rows_f64, abs_f64, abs_across_f64, abs_runs_f64,
                        NULL},
        },
    [DTI_FOLD_SQUARE_SUM] =
        {
            [DT_F32] = {square_rows_f32, square_f32, square_across_f32,
                        square_runs_f32, NULL},
            [DT_F64] = {square_rows_f64, square_f64, square_across_f64,
                        square_runs_f64, NULL},
        },
    /* Powers are taken before. */
    [DTI_FOLD_POWER_SUM] =
        {
            [DT_F32] = {sum_rows_f32, sum_f32, sum_across_f32, sum_runs_f32,
                        power_f32},
            [DT_F64] = {sum_rows_f64, sum_f64, sum_across_f64, sum_runs_f64,
                        power_f64},
        },
    [DTI_FOLD_ABS_MAX] =
        {
            [DT_F32] = {abs_max_rows_f32, abs_max_f32, abs_max_across_f32,
                        abs_max_runs_f32, NULL},
            [DT_F64] = {abs_max_rows_f64, abs_max_f64, abs_max_across_f64,
                        abs_max_runs_f64, NULL},
        },
    [DTI_FOLD_ABS_MIN] =
        {
            [DT_F32] = {abs_min_rows_f32, abs_min_f32, abs_min_across_f32,
                        abs_min_runs_f32, NULL},
            [DT_F64] = {abs_min_rows_f64, abs_min_f64, abs_min_across_f64,
                        abs_min_runs_f64, NULL},
        },
};

#undef LOOPS
#undef LARGER
#undef SMALLER
#undef AS_IT_IS
