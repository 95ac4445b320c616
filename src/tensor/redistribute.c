/* tensor/redistribute.c - tensors in another layout. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/boundary.h"

#include "base/error.h"
#include "redistribute/partial.h"
#include "redistribute/plan.h"
#include "tensor/remember.h"
#include "tensor/view.h"

/* What is redistributed: this rank's elements, in the dtype that is sent. */
typedef struct source {
    dt_spec *spec;
    dt_array *local;
} source;

static void free_source(source *from)
{
    dt_spec_release(from->spec);
    dt_array_release(from->local);
}

/* What is cast lies densely, in row-major order. */
static dt_status cast_source(source *from, dt_dtype dtype)
{
    dt_world *world = from->spec->mesh->world;
    const dt_meta meta = dt_meta_of(dtype, from->spec->meta.shape);
    dt_spec *spec = NULL;
    dt_array *local = NULL;
    if (from->spec->meta.dtype == dtype)
        return DT_OK;
    DTI_TRY(dt_spec_with_meta(from->spec, &meta, &spec));
    dt_status status = dt_array_cast(world, from->local, dtype, &local);
    if (status == DT_OK) {
        free_source(from);
        *from = (source){spec, local};
    } else {
        dt_spec_release(spec);
    }
    return status;
}

static dt_status find_target(const source *from,
                             const dt_redistribute_options *options,
                             dt_spec **out)
{
    dt_mesh *mesh = options->mesh ? options->mesh : from->spec->mesh;
    const dt_layout *layout = &from->spec->layout;
    if (mesh->world != from->spec->mesh->world)
        return dti_fail(from->spec->mesh->world, DT_ERR_INVALID,
                        "dt_redistribute: the mesh belongs to another world");
    if (options->layout)
        DTI_TRY(dti_layout_read(mesh->world, options->layout, &layout));
    DTI_TRY(dt_spec_create_with(mesh, layout, &from->spec->meta, out));
    return dti_partial_check(*out);
}

static dt_status find_plan(const source *from, dt_spec *to,
                           const dt_redistribute_options *options,
                           dt_plan **out)
{
    dt_plan_options wanted = DT_PLAN_OPTIONS_INIT;
    wanted.objective = options->objective;
    wanted.planner = options->planner;
    wanted.memory_cap = options->memory_cap;
    return dt_plan_create(from->spec, to, &wanted, out);
}

/* What moved lies densely, in row-major order; what did not stays as it is. */
static dt_status settle_strides(const dt_plan *plan, dt_spec **to)
{
    dt_spec *dense = NULL;
    dt_meta meta = dt_meta_of((*to)->meta.dtype, (*to)->meta.shape);
    if (dt_plan_steps(plan) == 0)
        return DT_OK;
    DTI_TRY(dt_spec_with_meta(*to, &meta, &dense));
    dt_spec_release(*to);
    *to = dense;
    return DT_OK;
}

/* A tensor of the target from what the plan gives this rank. */
static dt_tensor *make_target(dt_spec *to, dt_array *local)
{
    dt_tensor *result = NULL;
    dt_array *empty = NULL;
    if (to->member)
        return dti_tensor_make(to, local);
    if (dti_tensor_create_local(to, &empty) == DT_OK)
        result = dti_tensor_make(to, empty);
    dt_array_release(empty);
    return result;
}

/* The same, which shares the tensor's memory if nothing was moved nor cast. */
static dt_tensor *finish(dt_tensor *tensor, const source *from,
                         const dt_plan *plan, dt_spec **to, dt_array *local)
{
    const bool shares = dt_plan_steps(plan) == 0 && from->spec == tensor->spec;
    if (settle_strides(plan, to) != DT_OK)
        return NULL;
    dt_tensor *result = make_target(*to, local);
    if (result && shares && dti_tensor_relate(result, tensor, NULL) != DT_OK)
        return NULL;
    return result;
}

/* What is the same on all ranks, and needs no communication. */
static dt_status prepare(source *from, const dt_redistribute_options *options,
                         dt_spec **to, dt_plan **plan)
{
    DTI_TRY(dti_partial_check(from->spec));
    DTI_TRY(find_target(from, options, to));
    return find_plan(from, *to, options, plan);
}

/* Tell whether this rank calls together with others: those of both meshes. */
static bool is_shared(const dt_mesh *from, const dt_mesh *to)
{
    const bool gives = from->place >= 0, takes = to->place >= 0;
    return (gives || takes) &&
           (gives != takes || from->places->count > 1 || to->places->count > 1);
}

/* Tell the others of a failure that only this rank knows of. */
static dt_status end(const dt_tensor *tensor,
                     const dt_redistribute_options *options, dt_status status)
{
    const dt_mesh *from = tensor->spec->mesh;
    if (is_shared(from, options->mesh ? options->mesh : from))
        dti_collective_end(tensor->world, status);
    return status;
}

/* What else is wrong is wrong on all ranks, but memory may be short on one. */
static dt_status begin(const dt_tensor *tensor,
                       const dt_redistribute_options *options, dt_status status)
{
    return status == DT_ERR_NO_MEMORY ? end(tensor, options, status) : status;
}

static void remember_on(const dt_mesh *mesh, const dt_tensor *tensor,
                        const dt_spec *to,
                        const dt_redistribute_options *options)
{
    if (!mesh->history)
        return;
    dti_remembering at = dti_remember_begin(mesh->history, "redistribute", 0,
                                            dti_hash_text("redistribute"));
    /* Ranks of the other mesh need not count the calls on the tensor's. */
    if (mesh == tensor->spec->mesh)
        dti_remember_input(&at, "tensor", tensor);
    else
        dti_remember_spec(&at, "tensor", tensor->spec);
    dti_remember_spec(&at, "to", to);
    dti_remember_integer(&at, "objective", options->objective);
    dti_remember_integer(&at, "planner", options->planner);
    dti_remember_integer(&at, "memory_cap", options->memory_cap);
    dti_remember_integer(&at, "asynchronous", options->asynchronous);
    dti_remember_end(&at);
}

/* Note the call, and serve the mesh; between two meshes none is served, as
 * ranks of one need not have made the calls on the other.  Gives who was served
 * before. */
static dti_service remember(const dt_tensor *tensor, const dt_spec *to,
                            const dt_redistribute_options *options)
{
    const dt_mesh *mesh = tensor->spec->mesh;
    remember_on(mesh, tensor, to, options);
    if (mesh->hash == to->mesh->hash)
        return dti_serve(mesh, "redistribute");
    remember_on(to->mesh, tensor, to, options);
    return dti_comm_serve(tensor->world, (dti_service){"redistribute", NULL});
}

static dt_tensor *run(dt_tensor *tensor, source *from,
                      const dt_redistribute_options *options)
{
    dt_spec *to = NULL;
    dt_plan *plan = NULL;
    dt_array *local = NULL;
    dt_tensor *result = NULL;
    dt_status status = prepare(from, options, &to, &plan);
    if (begin(tensor, options, status) == DT_OK) {
        dti_service before = remember(tensor, to, options);
        status = dti_plan_run(plan, from->local, options->asynchronous, &local);
        dti_comm_serve(tensor->world, before);
        if (status == DT_OK) {
            result = finish(tensor, from, plan, &to, local);
            status = result ? DT_OK : DT_ERR_NO_MEMORY;
        }
        end(tensor, options, status);
    }
    dt_array_release(local);
    dt_plan_release(plan);
    dt_spec_release(to);
    return result;
}

/* Bring a view up to date, and wait for what is changed before anything is
 * sent.  It may be there on some ranks alone. */
static dt_status settle(const dt_tensor *tensor,
                        const dt_redistribute_options *options)
{
    dt_status status = dti_tensor_read(tensor);
    if (status == DT_OK && options->forward_dtype)
        status = dti_array_settle(tensor->world, tensor->local);
    return end(tensor, options, status);
}

dt_tensor *dti_redistribute(dt_tensor *tensor,
                            const dt_redistribute_options *options)
{
    source from = {.spec = dt_spec_retain(tensor->spec),
                   .local = dt_array_retain(tensor->local)};
    dt_tensor *result = NULL;
    dt_status status = settle(tensor, options);
    if (status == DT_OK && options->forward_dtype)
        status = cast_source(&from, *options->forward_dtype);
    if (begin(tensor, options, status) == DT_OK)
        result = run(tensor, &from, options);
    if (result && result->spec == tensor->spec)
        result->mask = dt_array_retain(tensor->mask);
    free_source(&from);
    return result;
}
