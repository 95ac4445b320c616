/* ranks: 1 2 3 4 6 7 8 */
/* tests/ranks/tensor_partial.c - values made partial, and combined again. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "array/cast.h"
#include "support/tensors.h"

enum { VALUES = 64 };

/* ---- Values that are easily lost ---------------------------------------- */

/* Where the exponent of a float begins, and how many bits it has. */
typedef struct float_form {
    int mantissa;
    int exponent;
} float_form;

static float_form form_of(dt_dtype dtype)
{
    switch (dtype) {
    case DT_F64:
        return (float_form){52, 11};
    case DT_F16:
        return (float_form){10, 5};
    case DT_BF16:
        return (float_form){7, 8};
    default:
        return (float_form){23, 8};
    }
}

/* A float with these fields. */
static uint64_t float_bits(float_form form, bool negative, uint64_t exponent,
                           uint64_t mantissa)
{
    return (uint64_t)negative << (form.mantissa + form.exponent) |
           exponent << form.mantissa |
           (mantissa & ((UINT64_C(1) << form.mantissa) - 1));
}

/* Number i of the floats: zeros, the smallest, the largest, infinite ones, and
 * others with every bit of the mantissa in use. */
static uint64_t awkward_float(float_form form, int i, uint64_t word)
{
    uint64_t top = (UINT64_C(1) << form.exponent) - 1;
    bool negative = i % 2;
    switch (i / 2) {
    case 0:
        return float_bits(form, negative, 0, 0);
    case 1:
        return float_bits(form, negative, 0, 1);
    case 2:
        return float_bits(form, negative, 1, 0);
    case 3:
        return float_bits(form, negative, top - 1, UINT64_MAX);
    case 4:
        return float_bits(form, negative, top, 0);
    default: /* not so large that a few of them overflow */
        return float_bits(form, negative, 1 + (word >> 56) % (top - 8), word);
    }
}

static uint64_t awkward_bits(dt_dtype dtype, int i)
{
    uint64_t word = word_of(99, (int)dtype, i);
    if (dt_dtype_kind_of(dtype) == DT_KIND_FLOAT)
        return awkward_float(form_of(dtype), i, word);
    if (dtype == DT_C64)
        return awkward_float(form_of(DT_F32), i, word) |
               awkward_float(form_of(DT_F32), i / 3 % 32, word_of(98, 0, i))
                   << 32;
    return bits_of(dtype, word);
}

static dt_array *awkward_array(dt_world *world, dt_dtype dtype)
{
    dt_array *array = new_array(world, dtype, DT_SHAPE(VALUES));
    for (int64_t i = 0; i < VALUES; i++)
        write_bits(array, &i, awkward_bits(dtype, (int)i));
    return array;
}

/* ---- Which come back ---------------------------------------------------- */

/*
 * Tell whether a reduction keeps value number i.  Avg overflows where the sum
 * does, and rounds it unless two ranks, or four, add up equal numbers; f16 is
 * added up in f32, which is wide enough.  A complex product multiplies zeros
 * with what is infinite, and adds zeros of either sign.
 */
static bool is_kept(dt_reduce op, dt_dtype dtype, int ranks, int i)
{
    if (ranks == 1)
        return true;
    if (op == DT_AVG && dtype != DT_F16)
        return (ranks == 2 || ranks == 4) && i / 2 != 3 &&
               !(dtype == DT_C64 && i / 3 % 32 / 2 == 3);
    if (op == DT_PRODUCT && dtype == DT_C64)
        return i >= 10 && i / 3 % 32 >= 10;
    return true;
}

/* What avg makes of a float is off by one rounding for each rank at most. */
static void check_average(dt_dtype dtype, int ranks, const int64_t *index,
                          const dt_array *out)
{
    double value = 0, wanted = 0;
    uint64_t bits = read_bits(out, index);
    uint64_t given = awkward_bits(dtype, (int)*index);
    if (dtype == DT_C64 || *index < 10)
        return;
    dti_cast(&bits, dtype, &value, DT_F64, 1);
    dti_cast(&given, dtype, &wanted, DT_F64, 1);
    double ulp = ldexp(fabs(wanted), -form_of(dtype).mantissa);
    CHECKF(fabs(value - wanted) <= ranks * ulp, "avg of %s: %a, not %a",
           dt_dtype_name(dtype), value, wanted);
}

static void check_combined(dt_tensor *tensor, dt_reduce op, int ranks)
{
    dt_world *world = dt_tensor_world(tensor);
    dt_dtype dtype = dt_tensor_dtype(tensor);
    dt_array *out = new_array(world, dtype, DT_SHAPE(VALUES));
    const dt_box box = {.ndim = 1, .size = {VALUES}};
    CHECK_OK(world, dt_tensor_get(tensor, &box, out));
    for (int64_t i = 0; i < VALUES; i++) {
        uint64_t bits = read_bits(out, &i);
        uint64_t wanted = awkward_bits(dtype, (int)i);
        if (is_kept(op, dtype, ranks, (int)i))
            CHECKF(bits == wanted, "%s of %s: value %d is %llx, not %llx",
                   dt_reduce_name(op), dt_dtype_name(dtype), (int)i,
                   (unsigned long long)bits, (unsigned long long)wanted);
        else if (op == DT_AVG)
            check_average(dtype, ranks, &i, out);
    }
    dt_array_release(out);
}

/* The part of this rank: the value, or what changes nothing. */
static void check_addends(const dt_tensor *tensor, const dt_layout *layout)
{
    dt_dtype dtype = dt_tensor_dtype(tensor);
    uint64_t neutral = 0;
    bool without = has_neutral(dt_tensor_mesh(tensor), layout, dtype, &neutral);
    for (int64_t i = 0; i < VALUES; i++) {
        uint64_t bits = read_bits(dt_tensor_local(tensor), &i);
        uint64_t wanted = without ? neutral : awkward_bits(dtype, (int)i);
        if (!CHECKF(bits == wanted, "%s: addend %d is %llx, not %llx",
                    dt_dtype_name(dtype), (int)i, (unsigned long long)bits,
                    (unsigned long long)wanted))
            return;
    }
}

static void make_and_combine(dt_mesh *mesh, const dt_layout *layout,
                             dt_dtype dtype, int source)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *array = awkward_array(world, dtype);
    int ranks = 1;
    dt_reduce op = DT_SUM;
    for (int i = 0; i < layout->ndim; i++)
        if (dt_placement_is_partial(layout->placements[i])) {
            if (layout->placements[i].op != DT_SUM)
                op = layout->placements[i].op;
            ranks *= dt_mesh_dim_size(mesh, i);
        }
    dt_tensor *tensor = dt_distribute(mesh, dt_layout_text(world, layout),
                                      dtype, DT_SHAPE(VALUES), array, source);
    if (CHECKF(tensor, "%s", dt_world_error(world)->message)) {
        check_addends(tensor, layout);
        check_combined(tensor, op, ranks);
    }
    dt_tensor_release_early(tensor);
    dt_array_release(array);
}

/* Upstream divides by the number of ranks; here one rank has the value of a
 * sum, so that nothing is rounded, and the others -0.0, which even keeps -0.0.
 */
static void behaviour_18_values_come_back(dt_world *world)
{
    int n = dt_world_size(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
        for (int op = 0; op < DT_REDUCE_COUNT; op++) {
            dt_placement placement = dt_partial((dt_reduce)op);
            dt_layout layout = dt_layout_of(&placement, 1);
            if (!has_reduction((dt_reduce)op, (dt_dtype)dtype))
                continue;
            for (int source = DT_EVERYWHERE; source < n; source++)
                make_and_combine(mesh, &layout, (dt_dtype)dtype, source);
        }
    dt_mesh_release(mesh);
}

static void values_come_back_from_grids(dt_world *world)
{
    static const char *const texts[] = {
        "PP",           "P(avg)P",     "PP(avg)", "RP",
        "P(max)P(max)", "P(product)R", "P(min)R", "RP(product)"};
    int n = dt_world_size(world);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, n % 2 ? "a,b=1" : "a=2,b", &mesh));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int source = DT_EVERYWHERE; source < n; source++) {
            dt_layout layout;
            CHECK_OK(world, dt_layout_parse(world, texts[i], &layout));
            make_and_combine(mesh, &layout, source % 2 ? DT_F64 : DT_BF16,
                             source);
        }
    dt_mesh_release(mesh);
}

/* NaN is still NaN, though its payload is not kept. */
static void nan_stays_nan(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int op = 0; op <= DT_MAX; op++) {
        dt_placement placement = dt_partial((dt_reduce)op);
        dt_layout layout = dt_layout_of(&placement, 1);
        dt_array *out = new_array(world, DT_F32, DT_SHAPE(3));
        dt_tensor *tensor = dt_full(mesh, dt_layout_text(world, &layout),
                                    DT_F32, DT_SHAPE(3), (double)NAN);
        CHECK_OK(world,
                 dt_tensor_get(tensor, &(dt_box){.ndim = 1, .size = {3}}, out));
        for (int i = 0; i < 3; i++)
            CHECK(isnan(((const float *)dt_array_const_data(out))[i]));
        dt_array_release(out);
    }
    dt_mesh_release(mesh);
}

/* ---- What ranks hold combines ------------------------------------------- */

/* Ranks with different addends: whole numbers, which every dtype adds up. */
static void addends_are_combined(dt_world *world)
{
    int n = dt_world_size(world), rank = dt_world_rank(world);
    static const int64_t first[] = {3, 5, 2, 7, 1, 6, 4};
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int op = 0; op < DT_REDUCE_COUNT; op++) {
        dt_dtype dtype = op == DT_AVG ? DT_F64 : DT_I64;
        dt_placement placement = dt_partial((dt_reduce)op);
        dt_layout layout = dt_layout_of(&placement, 1);
        dt_array *local = new_array(world, dtype, DT_SHAPE());
        dt_array *out = new_array(world, DT_I64, DT_SHAPE());
        dt_array *got = new_array(world, dtype, DT_SHAPE());
        int64_t wanted = first[0];
        for (int i = 1; i < n; i++) {
            int64_t next = first[i % 7];
            switch ((dt_reduce)op) {
            case DT_PRODUCT:
                wanted *= next;
                break;
            case DT_MIN:
                wanted = next < wanted ? next : wanted;
                break;
            case DT_MAX:
                wanted = next > wanted ? next : wanted;
                break;
            case DT_BAND:
                wanted &= next;
                break;
            case DT_BOR:
                wanted |= next;
                break;
            case DT_BXOR:
                wanted ^= next;
                break;
            default:
                wanted += next;
            }
        }
        CHECK_OK(world, dt_array_fill_int(world, local, first[rank % 7]));
        dt_tensor *tensor =
            dt_from_local(mesh, dt_layout_text(world, &layout), local);
        CHECK_OK(world, dt_tensor_get(tensor, &(dt_box){.ndim = 0}, got));
        if (op == DT_AVG) {
            double average = *(const double *)dt_array_const_data(got);
            CHECK(average == (double)wanted / n);
        } else {
            CHECK_INT(*(const int64_t *)dt_array_const_data(got), wanted);
        }
        /* Reading changes nothing. */
        CHECK_OK(world, dt_array_copy(world, local, out));
        CHECK_INT(*(const int64_t *)dt_array_const_data(out), first[rank % 7]);
        dt_array_release(got);
        dt_array_release(out);
        dt_array_release(local);
    }
    dt_mesh_release(mesh);
}

/* The kinds that a dtype does not have are refused, by every constructor. */
static void refuses_reductions_of_other_dtypes(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
        for (int op = 0; op < DT_REDUCE_COUNT; op++) {
            dt_placement placement = dt_partial((dt_reduce)op);
            dt_layout layout = dt_layout_of(&placement, 1);
            const char *text = dt_layout_text(world, &layout);
            dt_array *local = new_array(world, (dt_dtype)dtype, DT_SHAPE(2));
            wipe(local, 0);
            bool has = has_reduction((dt_reduce)op, (dt_dtype)dtype);
            dt_check_forget(world);
            CHECK(has == !!dt_zeros(mesh, text, (dt_dtype)dtype, DT_SHAPE(2)));
            CHECK(has == !!dt_empty(mesh, text, (dt_dtype)dtype, DT_SHAPE(2)));
            CHECK(has == !!dt_from_local(mesh, text, local));
            CHECK(has == !!dt_distribute(mesh, text, (dt_dtype)dtype,
                                         DT_SHAPE(2), local, DT_EVERYWHERE));
            CHECK_INT(dt_world_error(world)->code,
                      has ? DT_OK : DT_ERR_INVALID);
            dt_array_release(local);
        }
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"4.1.18: values come back", behaviour_18_values_come_back},
    {"values come back from grids", values_come_back_from_grids},
    {"NaN stays NaN", nan_stays_nan},
    {"addends are combined", addends_are_combined},
    {"refuses reductions of other dtypes", refuses_reductions_of_other_dtypes},
    {NULL, NULL},
};
