/* tensor/view.c - views that had to be copied, and the tensors they view. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/view.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/log.h"
#include "base/scope.h"
#include "comm/comm.h"

/* ---- Making ------------------------------------------------------------- */

static dt_world *world_of(const dti_copied *copied)
{
    return copied->source_spec->mesh->world;
}

/* A copy shows what its parent shows: a rank that copies a stale one for itself
 * alone has a stale copy. */
static void inherit(dti_copied *copied)
{
    const dti_copied *parent = copied->parent;
    const dti_version *version = copied->version;
    copied->seen = parent ? parent->seen : version->count;
    copied->seen_alone = parent ? parent->seen_alone : version->alone;
    copied->recoveries =
        parent ? parent->recoveries : dti_comm_of(world_of(copied))->recoveries;
}

static dti_copied *retain(dti_copied *copied)
{
    if (copied)
        dti_reference_retain(&copied->reference);
    return copied;
}

/* The spec of a base, which operators read as a sum if it is masked. */
static dt_status find_source(const dt_tensor *base, dt_spec **out)
{
    dt_spec *spec = base->spec;
    const dt_layout layout = dti_layout_unmasked(&spec->layout);
    return dt_spec_create_with(spec->mesh, &layout, &spec->meta, out);
}

dt_status dti_copied_create(dt_tensor *base, const dti_copied *form,
                            dti_copied **out)
{
    dt_spec *source = NULL;
    dti_version *version = dti_version_of(base);
    if (!version)
        return DT_ERR_NO_MEMORY;
    DTI_TRY(find_source(base, &source));
    dti_copied *copied = malloc(sizeof *copied);
    if (!copied) {
        dt_spec_release(source);
        return dti_fail_memory(base->world, sizeof *copied, "a view");
    }
    *copied = *form;
    dti_reference_init(&copied->reference);
    dt_spec_retain(form->spec);
    dt_array_retain(form->local);
    dt_plan_retain(form->plan);
    copied->source_spec = source;
    copied->source = dt_array_retain(base->local);
    copied->parent = retain(base->copied);
    copied->version = dti_version_retain(version);
    inherit(copied);
    dti_live_add(DTI_LIVE_VIEW, 1);
    *out = copied;
    return DT_OK;
}

/* A chain is released by a loop, however long it is. */
void dti_copied_release(dti_copied *copied)
{
    while (copied && dti_reference_release(&copied->reference)) {
        dti_copied *parent = copied->parent;
        dt_plan_release(copied->plan);
        dti_version_release(copied->version);
        dt_array_release(copied->source);
        dt_spec_release(copied->source_spec);
        dt_array_release(copied->local);
        dt_spec_release(copied->spec);
        free(copied);
        dti_live_add(DTI_LIVE_VIEW, -1);
        copied = parent;
    }
}

/* ---- What programs see of a copy ---------------------------------------- */

static void release_shown(void *arg, void *data)
{
    (void)data;
    dt_array_release(arg);
}

static dt_status make_shown(dt_tensor *tensor)
{
    dt_array *local = tensor->local;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    if (local->count == 0 || !local->storage) {
        tensor->shown = dt_array_retain(local);
        return DT_OK;
    }
    options.data = dti_array_address(local);
    options.dtype = local->dtype;
    options.shape = local->shape;
    options.strides = local->strides;
    options.release = release_shown;
    options.release_arg = local;
    options.read_only = true;
    DTI_TRY(dt_array_wrap(tensor->world, &options, &tensor->shown));
    dt_array_retain(local);
    return DT_OK;
}

dt_status dti_tensor_relate(dt_tensor *view, dt_tensor *base,
                            dti_copied *copied)
{
    dti_version *version = dti_version_of(base);
    if (!version)
        return DT_ERR_NO_MEMORY;
    view->alone = view->alone || base->alone;
    dti_version_share(view, version);
    view->copied = retain(copied ? copied : base->copied);
    return view->copied ? make_shown(view) : DT_OK;
}

dt_status dti_tensor_turn(dt_tensor *tensor, dt_spec *spec, dt_array *local)
{
    /* They may be those that the tensor has: retained before released. */
    dt_spec_retain(spec);
    dt_spec_release(tensor->spec);
    tensor->spec = spec;
    dt_array_retain(local);
    dt_array_release(tensor->local);
    tensor->local = local;
    dt_array_release(tensor->mask);
    tensor->mask = NULL;
    dt_array_release(tensor->shown);
    tensor->shown = NULL;
    return tensor->copied ? make_shown(tensor) : DT_OK;
}

/* ---- Reading again ------------------------------------------------------ */

/* Tell whether a copy is read and written together with other ranks. */
static bool is_shared(const dti_copied *copied)
{
    return !copied->kind->alone && copied->source_spec->mesh->places->count > 1;
}

static const dti_copied *first_shared(const dti_copied *copied)
{
    while (copied && !is_shared(copied))
        copied = copied->parent;
    return copied;
}

/* Tell whether the base was written since, by a call that all ranks made. */
static bool is_stale(const dti_copied *copied)
{
    return copied->seen != copied->version->count ||
           copied->recoveries != dti_comm_of(world_of(copied))->recoveries;
}

/* The same of what this rank alone wrote. */
static bool is_stale_here(const dti_copied *copied)
{
    return copied->seen_alone != copied->version->alone;
}

static void mark_fresh(dti_copied *copied)
{
    copied->seen = copied->version->count;
    copied->seen_alone = copied->version->alone;
    copied->recoveries = dti_comm_of(world_of(copied))->recoveries;
}

static dt_status fail_written_alone(const dti_copied *copied,
                                    const char *function)
{
    return dti_fail(world_of(copied), DT_ERR_INVALID,
                    "%s: a copied view (%s of %s) is stale: rank %d has "
                    "written to its base through dt_to_local, which the other "
                    "ranks do not know; call %s again after such writes",
                    function, copied->op,
                    dti_spec_show(copied->source_spec).text,
                    world_of(copied)->rank, copied->op);
}

/* Make a chain fresh, its far end first, by a loop however long it is: on the
 * way there each copy notes who reads it. */
static dt_status refresh(dti_copied *copied)
{
    dti_copied *next = NULL;
    for (; copied && (is_stale(copied) || is_stale_here(copied));
         copied = copied->parent) {
        if (!is_stale(copied) && is_shared(copied))
            return fail_written_alone(copied, "reading");
        copied->reader = next;
        next = copied;
    }
    for (; next; next = next->reader) {
        DTI_TRY(dti_array_settle(world_of(next), next->source));
        DTI_TRY(next->kind->read(next));
        mark_fresh(next);
    }
    return DT_OK;
}

/* Fail if other ranks are needed to bring a tensor up to date; the message says
 * how, if that can be done at all. */
static dt_status check_fresh(const dt_tensor *tensor, const char *function)
{
    for (const dti_copied *at = tensor->copied; at; at = at->parent) {
        if (!is_shared(at) || (!is_stale(at) && !is_stale_here(at)))
            continue;
        if (!is_stale(at))
            return fail_written_alone(at, function);
        return dti_fail(tensor->world, DT_ERR_INVALID,
                        "%s: %s is a copied view (%s of %s) that is stale "
                        "because its base was written; call dt_tensor_refresh "
                        "on all ranks of its mesh first",
                        function, dti_spec_show(tensor->spec).text, at->op,
                        dti_spec_show(at->source_spec).text);
    }
    return DT_OK;
}

dt_array *dti_tensor_show(const dt_tensor *tensor, const char *function)
{
    if (DTI_UNLIKELY(tensor->world->capturing) &&
        dti_world_check_reading(tensor->world, function) != DT_OK)
        return NULL;
    if (!tensor->copied)
        return tensor->local;
    if (check_fresh(tensor, function) != DT_OK ||
        refresh(tensor->copied) != DT_OK)
        return NULL;
    return tensor->shown;
}

dt_status dti_copied_refresh(const dt_tensor *tensor)
{
    if (tensor->alone)
        DTI_TRY(check_fresh(tensor, "reading a local tensor"));
    return refresh(tensor->copied);
}

dt_status dt_tensor_refresh(dt_tensor *tensor)
{
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    return dti_collective_end_on(tensor->spec->mesh, dti_tensor_read(tensor));
}

/* ---- Writing through ---------------------------------------------------- */

static dt_status check_repeats(const dti_copied *copied, const char *function,
                               const char *argument)
{
    const dt_meta *meta = &copied->source_spec->meta;
    for (int i = 0; i < meta->shape.ndim; i++)
        if (meta->strides[i] == 0 && meta->shape.dims[i] > 1)
            return dti_fail(
                world_of(copied), DT_ERR_INVALID,
                "%s: %s is a copied view (%s) of a tensor whose dimension %d "
                "is expanded, which cannot be written; use dt_clone",
                function, argument, copied->op, i);
    return DT_OK;
}

/* Fail if a copy in the chain cannot be written back.  Copies of this rank
 * alone always can, and other ranks may have none. */
static dt_status check_chain(const dt_tensor *tensor, const char *function,
                             const char *argument)
{
    for (const dti_copied *at = tensor->copied; at; at = at->parent) {
        if (at->kind->alone)
            continue;
        if (tensor->alone && is_shared(at))
            return dti_fail(tensor->world, DT_ERR_INVALID,
                            "%s: %s is the local tensor of a copied view (%s "
                            "of %s), and a write would not reach the base; "
                            "write to the view itself, or use dt_clone",
                            function, argument, at->op,
                            dti_spec_show(at->source_spec).text);
        DTI_TRY(check_repeats(at, function, argument));
        if (at->kind->check)
            DTI_TRY(at->kind->check(at, function));
    }
    return DT_OK;
}

dt_status dti_write_check(const dt_tensor *tensor, const char *function,
                          const char *argument)
{
    return tensor->copied ? check_chain(tensor, function, argument) : DT_OK;
}

dt_status dti_write_check_memory(const dt_tensor *tensor)
{
    DTI_TRY(dti_array_check_writable(tensor->world, tensor->local));
    for (const dti_copied *at = tensor->copied; at; at = at->parent)
        DTI_TRY(dti_array_check_writable(tensor->world, at->source));
    return DT_OK;
}

/*
 * A copy that is overwritten as a whole need not be read first; that is told by
 * the copy that all ranks have and its number of elements, so that all ranks
 * do the same.
 */
static dt_status begin_copies(const dt_tensor *tensor, bool blind)
{
    const dti_copied *shared = first_shared(tensor->copied);
    const bool whole =
        blind && shared && shared->spec->count == tensor->spec->count;
    return refresh(whole ? shared->parent : tensor->copied);
}

dt_status dti_write_begin(const dt_tensor *tensor, bool blind)
{
    return tensor->copied ? begin_copies(tensor, blind) : DT_OK;
}

dt_status dti_write_end(const dt_tensor *tensor)
{
    for (dti_copied *at = tensor->copied; at; at = at->parent) {
        DTI_TRY(dti_array_settle(tensor->world, at->source));
        DTI_TRY(at->kind->write(at));
        mark_fresh(at);
    }
    return DT_OK;
}

/* Tell whether two pieces of one array are different indexes of a dimension. */
static bool are_apart(const dti_copied *a, const dti_copied *b)
{
    return !a->plan && !b->plan && a->source == b->source && a->dim == b->dim &&
           (a->first + a->spec->meta.shape.dims[a->dim] <= b->first ||
            b->first + b->spec->meta.shape.dims[b->dim] <= a->first);
}

bool dti_copies_overlap(const dt_tensor *a, const dt_tensor *b)
{
    const dti_copied *one = first_shared(a->copied);
    const dti_copied *other = first_shared(b->copied);
    if (!a->version || a->version != b->version || one == other)
        return false;
    return !one || !other || !are_apart(one, other);
}

/* ---- A base that was redistributed -------------------------------------- */

/* Copy elements, unless this rank has none. */
static dt_status copy(const dti_copied *copied, const dt_array *from,
                      dt_array *to)
{
    if (!copied->spec->member || dt_array_is_meta(to) || dt_array_is_meta(from))
        return DT_OK;
    return dt_array_copy(world_of(copied), from, to);
}

/* In strict scopes nothing is redistributed unless the program says so. */
static dt_status check_mode(const dti_copied *copied, const dt_plan *plan,
                            const char *what)
{
    dt_world *world = world_of(copied);
    const dt_scope_mode mode = dti_scope_mode(world);
    if (dt_plan_bytes(plan) == 0)
        return DT_OK;
    if (mode == DT_SCOPE_STRICT)
        return dti_fail(
            world, DT_ERR_INVALID,
            "%s: a copied view (%s of %s) would be redistributed implicitly, "
            "which this scope does not allow; redistribute its base to %s "
            "before %s",
            what, copied->op, dti_spec_show(copied->source_spec).text,
            dti_layout_show(&copied->spec->layout).text, copied->op);
    if (mode == DT_SCOPE_WARN)
        dti_log(world, DT_LOG_WARNING,
                "%s: redistributing a copied view (%s of %s) implicitly", what,
                copied->op, dti_spec_show(copied->source_spec).text);
    return DT_OK;
}

static dt_status run_plan(const dti_copied *copied, dt_plan *plan,
                          dt_array *from, dt_array *to)
{
    dt_array *moved = NULL;
    DTI_TRY(dti_plan_run(plan, from, false, &moved));
    dt_status status = copy(copied, moved, to);
    dt_array_release(moved);
    return status;
}

static dt_status read_moved(const dti_copied *copied)
{
    DTI_TRY(check_mode(copied, copied->plan, "reading"));
    return run_plan(copied, copied->plan, copied->source, copied->local);
}

static dt_status find_way_back(const dti_copied *copied, dt_plan **out)
{
    return dt_plan_create(copied->plan->to, copied->plan->from, NULL, out);
}

static dt_status write_moved(const dti_copied *copied)
{
    dt_plan *back = NULL;
    DTI_TRY(find_way_back(copied, &back));
    dt_status status = run_plan(copied, back, copied->local, copied->source);
    dt_plan_release(back);
    return status;
}

static dt_status check_moved(const dti_copied *copied, const char *what)
{
    dt_plan *back = NULL;
    DTI_TRY(find_way_back(copied, &back));
    dt_status status = check_mode(copied, back, what);
    dt_plan_release(back);
    return status;
}

const dti_copied_kind dti_copied_moved = {
    .read = read_moved, .write = write_moved, .check = check_moved};

/* ---- A part that was copied by this rank alone -------------------------- */

static dt_status read_alone(const dti_copied *copied)
{
    return copy(copied, copied->source, copied->local);
}

static dt_status write_alone(const dti_copied *copied)
{
    return copy(copied, copied->local, copied->source);
}

const dti_copied_kind dti_copied_alone = {
    .read = read_alone, .write = write_alone, .alone = true};
