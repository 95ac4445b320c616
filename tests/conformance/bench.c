/* tests/conformance/bench.c - placing inputs, comparing results, agreeing. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Thread_local char current_case[1024];

unsigned long long below(bench *on, unsigned long long limit)
{
    return draw_number(&on->random) % limit;
}

/* ---- Agreeing ----------------------------------------------------------- */

bool fault(bench *on, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (!on->why[0])
        vsnprintf(on->why, sizeof on->why, format, list);
    va_end(list);
    return false;
}

/* Say why, and let ranks that wait for this one know.  For what other ranks may
 * not see. */
static bool fault_here(bench *on, const char *what, int result)
{
    fault(on, "%s of result %d", what, result);
    dt_world_poison(on->on->world);
    return false;
}

#define NOBODY 1000
#define NOTICED 100

/* The least of a number over all ranks; after that all can go on.  -1 if a rank
 * had failed.  Collective over the world. */
static int least(bench *on, int number)
{
    int32_t *flag = dt_array_data(on->flag);
    *flag = number;
    return dt_group_all_reduce(dt_world_group(on->on->world), DT_MIN, on->flag,
                               on->flag) == DT_OK
               ? *(const int32_t *)dt_array_const_data(on->flag)
               : -1;
}

/* Find the lowest rank on which a case went wrong; NOBODY if there is none.
 * Ranks that only noticed that another failed come last. */
static int find_faulty(bench *on, bool good)
{
    dt_world *world = on->on->world;
    int number = dt_world_rank(world);
    if (dt_world_error(world)->code == DT_ERR_PEER)
        number += NOTICED;
    if (good)
        number = NOBODY;
    int out = least(on, number);
    if (out >= 0)
        return out;
    DT_IGNORE(dt_world_recover(world));
    return least(on, number);
}

void settle(bench *on, bool good, const dt_layout *layouts, const char *kind)
{
    report *to = on->on->report;
    int rank = dt_world_rank(on->on->world), faulty = find_faulty(on, good);
    if (rank == 0)
        report_case(to, on->row);
    if (faulty % NOTICED == rank && faulty < NOBODY && !good) {
        char text[1024];
        trial_show(on->at, on->mesh, layouts, text, sizeof text);
        report_wrong(to, on->row, "%s (%s, rank %d): %s", text, kind, rank,
                     on->why);
    }
    on->why[0] = '\0';
}

void meet(bench *on)
{
    least(on, 0);
}

/* ---- Inputs ------------------------------------------------------------- */

dt_dtype main_dtype(unsigned dtypes)
{
    static const dt_dtype best[] = {DT_F64, DT_F32, DT_I64, DT_I32};
    for (size_t i = 0; i < sizeof best / sizeof *best; i++)
        if (dtypes >> best[i] & 1)
            return best[i];
    for (int i = 0; i < DT_DTYPE_COUNT; i++)
        if (dtypes >> i & 1)
            return (dt_dtype)i;
    return DT_F32;
}

static bool is_float(dt_dtype dtype)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    return kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX;
}

int list_placements(const input_facts *input, bool strided, unsigned reductions,
                    dt_placement *out)
{
    int count = 0;
    out[count++] = dt_replicate();
    if (!input->present)
        return count;
    for (int d = 0; d < input->meta.shape.ndim; d++) {
        out[count++] = dt_shard(d);
        if (strided && input->meta.shape.dims[d] > 2)
            out[count++] = dt_strided_shard(d, 2);
    }
    if (input->special == SPECIALS_ALL)
        return count;
    /* Only floats have fractions. */
    if (input->proportional && !is_float(input->meta.dtype))
        reductions &= ~(1u << DT_SUM);
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        if (reductions >> op & 1 &&
            has_reduction((dt_reduce)op, input->meta.dtype))
            out[count++] = dt_partial((dt_reduce)op);
    return count;
}

/* The same elements in memory that is not dense. */
static dt_array *spread_array(dt_world *world, dt_array *array)
{
    dt_shape shape = dt_array_shape(array);
    dt_array *wide = NULL, *out = NULL;
    if (shape.ndim == 0)
        return dt_array_retain(array);
    int last = shape.ndim - 1;
    shape.dims[last] *= 2;
    if (dt_array_create(world, dt_array_dtype(array), shape, &wide) == DT_OK &&
        dt_array_slice(world, wide, last, 0, shape.dims[last], 2, &out) ==
            DT_OK)
        DT_IGNORE(dt_array_copy(world, array, out));
    dt_array_release(wide);
    return out;
}

dt_tensor *place_input(bench *on, const input_facts *facts,
                       const dt_layout *layout, bool spread)
{
    dt_world *world = on->on->world;
    dt_spec *spec = NULL;
    dt_tensor *out = NULL;
    if (!facts->present)
        return NULL;
    if (dt_spec_create_with(on->mesh, layout, &facts->meta, &spec) != DT_OK) {
        fault(on, "%s", dt_world_error(world)->message);
        return NULL;
    }
    dt_array *array = input_part(facts, spec, dt_world_rank(world));
    dt_array *laid = spread ? spread_array(world, array) : NULL;
    out = dt_tensor_assemble(spec, laid ? laid : array);
    dt_array_release(laid);
    dt_array_release(array);
    dt_spec_release(spec);
    return out;
}

/* ---- Layouts ------------------------------------------------------------ */

/* Let some dimension be cut in another order. */
static void draw_order(bench *on, int ndim, dt_layout *layout)
{
    for (int d = 0; d < ndim; d++) {
        int dims[DT_MAX_NDIM], count = 0;
        for (int i = 0; i < layout->ndim; i++)
            if (dt_placement_is_shard(layout->placements[i]) &&
                layout->placements[i].dim == d)
                dims[count++] = i;
        if (count < 2 || below(on, 2))
            continue;
        int first = dims[0];
        memmove(dims, dims + 1, (size_t)(count - 1) * sizeof *dims);
        dims[count - 1] = first;
        DT_IGNORE(dt_layout_set_order(on->on->world, layout, d, dims, count));
    }
}

void draw_layout(bench *on, const dt_placement *list, int count,
                 int tensor_ndim, dt_layout *out)
{
    int ndim = dt_mesh_ndim(on->mesh);
    dt_scope *scope = dt_scope_open(on->on->world);
    dt_status status;
    do {
        dt_placement placements[DT_MAX_NDIM];
        for (int i = 0; i < ndim; i++)
            placements[i] = list[below(on, (unsigned)count)];
        *out = dt_layout_of(placements, ndim);
        draw_order(on, tensor_ndim, out);
        status = dt_layout_check(on->mesh, tensor_ndim, out);
    } while (status != DT_OK);
    DT_IGNORE(dt_scope_close(scope));
}

/* ---- Results ------------------------------------------------------------ */

/* Compare what partial values combine to.  Collective. */
static bool check_combined(bench *on, dt_tensor *result, int number)
{
    dt_tensor *full = dt_full_tensor(result);
    elements all;
    if (!full)
        return fault(on, "result %d is not combined: %s", number,
                     dt_world_error(on->on->world)->message);
    bool good = elements_read(on->on->world, dt_tensor_local(full), &all) &&
                is_part(&all, &on->at->wholes[number], NULL, 0, on->how);
    elements_free(&all);
    return good ||
           fault(on, "result %d, %s: %s", number,
                 dti_spec_show(dt_tensor_spec(result)).text, last_difference());
}

static bool check_local(bench *on, dt_tensor *result, int number)
{
    int rank = dt_world_rank(on->on->world);
    elements part;
    const dt_spec *spec = dt_tensor_spec(result);
    bool good = elements_read(on->on->world, dt_tensor_local(result), &part) &&
                is_part(&part, &on->at->wholes[number], spec, rank, on->how);
    elements_free(&part);
    return good || fault(on, "result %d, %s: %s", number,
                         dti_spec_show(spec).text, last_difference());
}

/* Compare a result with that of one rank.  Collective over the mesh. */
static bool check_result(bench *on, dt_tensor *result, int number)
{
    const dt_spec *spec = dt_tensor_spec(result);
    const dt_meta *wanted = &on->at->results[number];
    const dt_array *local = dt_tensor_local(result);
    int rank = dt_world_rank(on->on->world);
    if (dt_spec_dtype(spec) != wanted->dtype ||
        !dt_shape_equal(dt_spec_shape(spec), wanted->shape))
        return fault(on, "result %d is %s", number, dti_spec_show(spec).text);
    if (dt_array_dtype(local) != wanted->dtype ||
        !dt_shape_equal(dt_array_shape(local), dt_spec_local_shape(spec, rank)))
        return fault_here(on, "the part", number);
    return dt_spec_is_partial(spec) ? check_combined(on, result, number)
                                    : check_local(on, result, number);
}

bool check_results(bench *on, dt_tensor *const *results, int count)
{
    bool good = true;
    if (count != on->at->result_count)
        return fault(on, "%d results, not %d", count, on->at->result_count);
    for (int i = 0; i < count; i++)
        good &= check_result(on, results[i], i);
    return good;
}
