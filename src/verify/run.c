/* verify/run.c - placing inputs, comparing results, agreeing. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/shape.h"
#include "base/text/writer.h"

unsigned long long dti_run_draw(dti_run *on, unsigned long long limit)
{
    return dti_draw_number(&on->random) % limit;
}

/* ---- Agreeing ----------------------------------------------------------- */

void dti_run_end(dti_run *on, dt_status status)
{
    if (on->status != DT_OK)
        return;
    on->status = status;
    dt_world_poison(on->with->world);
}

bool dti_run_ended(dti_run *on)
{
    if (dt_world_error(on->with->world)->code == DT_ERR_NO_MEMORY)
        dti_run_end(on, DT_ERR_NO_MEMORY);
    return on->status != DT_OK;
}

bool dti_run_fault(dti_run *on, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (!on->why[0])
        vsnprintf(on->why, sizeof on->why, format, list);
    va_end(list);
    return false;
}

/* A number that no rank has, and what is added to the number of a rank that
 * only noticed that another failed. */
#define NOBODY 1000
#define NOTICED 100

/* The least of a number over all ranks; -1 if a rank had failed.  Collective
 * over the world. */
static int least(dti_run *on, int number)
{
    int32_t *flag = dt_array_data(on->flag);
    *flag = number;
    return dt_group_all_reduce(dt_world_group(on->with->world), DT_MIN,
                               on->flag, on->flag) == DT_OK
               ? *(const int32_t *)dt_array_const_data(on->flag)
               : -1;
}

/* The least of a number that is not negative, also after a failure, from which
 * the world recovers.  Ends the run if it cannot. */
static int agree_on(dti_run *on, int number)
{
    dt_world *world = on->with->world;
    int out = least(on, number);
    if (out < 0 && dt_world_recover(world) == DT_OK)
        out = least(on, number);
    if (out < 0)
        dti_run_end(on, dt_world_error(world)->code);
    return out;
}

/* Find the lowest rank on which a case went wrong; NOBODY if there is none.
 * Ranks that only noticed that another failed come last. */
static int find_faulty(dti_run *on, bool good)
{
    dt_world *world = on->with->world;
    int number = dt_world_rank(world);
    if (dt_world_error(world)->code == DT_ERR_PEER)
        number += NOTICED;
    return agree_on(on, good ? NOBODY : number);
}

/* Send the line of one rank to all, and report it.  Collective over the world.
 */
static void share_wrong(dti_run *on, int from, const dt_layout *layouts,
                        const char *kind)
{
    dt_world *world = on->with->world;
    char *line = dt_array_data(on->line);
    if (dt_world_rank(world) == from) {
        dti_writer to = {line, DTI_REPORT_LINE, 0};
        dti_trial_show(&on->trial, on->mesh, layouts, &to);
        dti_put(&to, " (%s, rank %d): %s", kind, from, on->why);
    }
    if (dt_group_broadcast(dt_world_group(world), from, on->line) != DT_OK)
        dti_run_end(on, dt_world_error(world)->code);
    else
        dti_report_wrong(on->with->report, on->row, line);
}

void dti_run_settle(dti_run *on, bool good, const dt_layout *layouts,
                    const char *kind)
{
    if (dti_run_ended(on))
        return;
    int faulty = find_faulty(on, good);
    if (on->status == DT_OK) {
        on->row->cases++;
        if (faulty < NOBODY)
            share_wrong(on, faulty % NOTICED, layouts, kind);
    }
    on->why[0] = '\0';
}

void dti_run_begin(dti_run *on, const dt_layout *layouts, const char *kind)
{
    if (!on->with->current)
        return;
    dti_writer to = {on->with->current, DTI_VERIFY_CURRENT, 0};
    dti_trial_show(&on->trial, on->mesh, layouts, &to);
    dti_put(&to, " (%s)", kind);
}

void dti_run_wrong(dti_run *on, const char *format, ...)
{
    char text[DTI_REPORT_LINE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    dti_report_wrong(on->with->report, on->row, text);
}

void dti_run_meet(dti_run *on)
{
    if (!dti_run_ended(on))
        agree_on(on, 0);
}

bool dti_run_agrees(dti_run *on, uint64_t number)
{
    const int own = (int)(number % INT32_MAX), turned = INT32_MAX - own;
    const bool lowest = agree_on(on, own) == own;
    const bool highest = agree_on(on, turned) == turned;
    return lowest && highest;
}

/* ---- Inputs ------------------------------------------------------------- */

dt_dtype dti_main_dtype(unsigned dtypes)
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

int dti_trial_placements(const dti_trial_input *input, bool strided,
                         unsigned reductions, dt_placement *out)
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
    if (input->special == DTI_SPECIALS_ALL)
        return count;
    /* Only floats have fractions. */
    if (input->proportional && !is_float(input->meta.dtype))
        reductions &= ~(1u << DT_SUM);
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        if (reductions >> op & 1 &&
            dti_has_reduction((dt_reduce)op, input->meta.dtype))
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

dt_tensor *dti_run_place(dti_run *on, const dti_trial_input *facts,
                         const dt_layout *layout, bool spread)
{
    dt_world *world = on->with->world;
    dt_spec *spec = NULL;
    dt_array *array = NULL, *laid = NULL;
    dt_tensor *out = NULL;
    if (!facts->present)
        return NULL;
    if (dt_spec_create_with(on->mesh, layout, &facts->meta, &spec) == DT_OK)
        array = dti_trial_input_part(facts, spec, dt_world_rank(world));
    if (array && spread)
        laid = spread_array(world, array);
    if (array)
        out = dt_tensor_assemble(spec, laid ? laid : array);
    if (!out)
        dti_run_fault(on, "%s", dt_world_error(world)->message);
    dt_array_release(laid);
    dt_array_release(array);
    dt_spec_release(spec);
    return out;
}

/* ---- Layouts ------------------------------------------------------------ */

/* Let some dimension be cut in another order. */
static void draw_order(dti_run *on, int ndim, dt_layout *layout)
{
    for (int d = 0; d < ndim; d++) {
        int dims[DT_MAX_NDIM], count = 0;
        for (int i = 0; i < layout->ndim; i++)
            if (dt_placement_is_shard(layout->placements[i]) &&
                layout->placements[i].dim == d)
                dims[count++] = i;
        if (count < 2 || dti_run_draw(on, 2))
            continue;
        int first = dims[0];
        memmove(dims, dims + 1, (size_t)(count - 1) * sizeof *dims);
        dims[count - 1] = first;
        DT_IGNORE(dt_layout_set_order(on->with->world, layout, d, dims, count));
    }
}

void dti_run_draw_layout(dti_run *on, const dt_placement *list, int count,
                         int tensor_ndim, dt_layout *out)
{
    int ndim = dt_mesh_ndim(on->mesh);
    dt_scope *scope = dt_scope_open(on->with->world);
    dt_status status;
    do {
        dt_placement placements[DT_MAX_NDIM];
        for (int i = 0; i < ndim; i++)
            placements[i] = list[dti_run_draw(on, (unsigned)count)];
        *out = dt_layout_of(placements, ndim);
        draw_order(on, tensor_ndim, out);
        status = dt_layout_check(on->mesh, tensor_ndim, out);
    } while (status != DT_OK);
    DT_IGNORE(dt_scope_close(scope));
}

/* ---- Results ------------------------------------------------------------ */

/* Compare the global tensor that partial values reduce to.  Collective. */
static bool check_reduced(dti_run *on, dt_tensor *tensor,
                          const dti_expected *wanted)
{
    dt_tensor *full = dt_full_tensor(tensor);
    dti_difference how = {""};
    dti_elements all;
    if (!full)
        return dti_run_fault(on, "%s %d cannot be reduced: %s", wanted->what,
                             wanted->number,
                             dt_world_error(on->with->world)->message);
    bool good =
        dti_elements_read(on->with->world, dt_tensor_local(full), &all) &&
        dti_elements_match(&all, wanted->whole, NULL, 0, on->how, &how);
    dti_elements_free(&all);
    return good ||
           dti_run_fault(on, "%s %d, %s: %s", wanted->what, wanted->number,
                         dti_spec_show(dt_tensor_spec(tensor)).text, how.text);
}

static bool check_local(dti_run *on, dt_tensor *tensor,
                        const dti_expected *wanted)
{
    int rank = dt_world_rank(on->with->world);
    const dt_spec *spec = dt_tensor_spec(tensor);
    dti_difference how = {""};
    dti_elements part;
    bool good =
        dti_elements_read(on->with->world, dt_tensor_local(tensor), &part) &&
        dti_elements_match(&part, wanted->whole, spec, rank, on->how, &how);
    dti_elements_free(&part);
    return good ||
           dti_run_fault(on, "%s %d, %s: %s", wanted->what, wanted->number,
                         dti_spec_show(spec).text, how.text);
}

/* Report a local tensor that other ranks need not see, and let those that wait
 * for this rank know. */
static bool fault_here(dti_run *on, const dti_expected *wanted,
                       const dt_array *local)
{
    dti_run_fault(on, "%s %d has the local tensor %s%s", wanted->what,
                  wanted->number, dt_dtype_name(dt_array_dtype(local)),
                  dti_shape_show(dt_array_shape(local)).text);
    dt_world_poison(on->with->world);
    return false;
}

bool dti_run_check_tensor(dti_run *on, dt_tensor *tensor,
                          const dti_expected *wanted)
{
    const dt_spec *spec = dt_tensor_spec(tensor);
    const dt_meta *meta = wanted->meta;
    const dt_array *local = dt_tensor_local(tensor);
    int rank = dt_world_rank(on->with->world);
    if (dt_spec_dtype(spec) != meta->dtype ||
        !dt_shape_equal(dt_spec_shape(spec), meta->shape))
        return dti_run_fault(on, "%s %d is %s instead of %s%s", wanted->what,
                             wanted->number, dti_spec_show(spec).text,
                             dt_dtype_name(meta->dtype),
                             dti_shape_show(meta->shape).text);
    if (dt_array_dtype(local) != meta->dtype ||
        !dt_shape_equal(dt_array_shape(local), dt_spec_local_shape(spec, rank)))
        return fault_here(on, wanted, local);
    return dt_spec_is_partial(spec) ? check_reduced(on, tensor, wanted)
                                    : check_local(on, tensor, wanted);
}

bool dti_run_check_results(dti_run *on, dt_tensor *const *results, int count)
{
    bool good = true;
    if (count != on->trial.result_count)
        return dti_run_fault(on, "%d results instead of %d", count,
                             on->trial.result_count);
    for (int i = 0; i < count; i++) {
        const dti_expected wanted = {"result", i, &on->trial.results[i],
                                     &on->trial.wholes[i]};
        good &= dti_run_check_tensor(on, results[i], &wanted);
    }
    return good;
}
