/* ops/training/total_norm.c - norms of lists of tensors, and gradients clipped
 * by them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include <dtensor/ops.h>
#include <dtensor/redistribute.h>
#include <dtensor/sys/ops_internal.h>
#include <dtensor/sys/ops_training.h>

#include "base/error.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/reduce_backward.h"
#include "ops/helpers/scalar.h"
#include "ops/helpers/tables.h"

/*
 * The sum of powers of each tensor is a number that is partial along the mesh
 * dimensions that cut the tensor, and takes nothing to be sent.  These numbers
 * are put together before they are combined: one small all-reduce serves many
 * tensors.
 */

/* What norms are made of: how parts are combined, and what becomes of sums. */
typedef struct norm_kind {
    double p;
    dt_reduce op;
} norm_kind;

static dt_status kind_of(const dt_operation *operation, double p,
                         norm_kind *out)
{
    if (isnan(p))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "norm_type is NaN; expected a number");
    *out = (norm_kind){p, !isinf(p) ? DT_SUM : p > 0 ? DT_MAX : DT_MIN};
    return DT_OK;
}

/* The dtype that a norm is summed up in: squares of halves do not fit, and a
 * result of f64 is computed in it.  `dtype` is that of the result, DT_F32 if
 * nobody asked for one. */
static dt_dtype sum_dtype(const dt_tensor *tensor, dt_dtype dtype)
{
    const bool wide = tensor->spec->meta.dtype == DT_F64 || dtype == DT_F64;
    return wide ? DT_F64 : DT_F32;
}

static dt_status check_floats(const dt_operation *operation)
{
    const dt_argument *list = operation->arguments; /* the first */
    for (int i = 0; i < list->count; i++) {
        const dt_dtype dtype = list->as.tensors[i]->spec->meta.dtype;
        if (dt_dtype_kind_of(dtype) != DT_KIND_FLOAT)
            return dt_operation_fail(
                operation, DT_ERR_UNSUPPORTED,
                "tensors[%d] is %s; expected a floating-point dtype", i,
                dt_dtype_name(dtype));
    }
    return DT_OK;
}

/* ---- One tensor --------------------------------------------------------- */

/* The sum of powers of a tensor, or its extreme value: 0-d, perhaps partial. */
static dt_tensor *part_of(dt_tensor *tensor, norm_kind kind, dt_dtype wanted)
{
    const dt_dtype dtype = sum_dtype(tensor, wanted);
    dt_powsum_options options = DT_POWSUM_OPTIONS_INIT;
    options.dtype = &dtype;
    if (kind.op == DT_SUM)
        return dt_powsum_with(tensor, kind.p, DT_DIMS(), false, &options);
    dt_tensor *found = kind.op == DT_MAX
                           ? dt_amax_abs(tensor, DT_DIMS(), false)
                           : dt_amin_abs(tensor, DT_DIMS(), false);
    return dt_cast(found, dtype);
}

static dt_tensor *root_of(dt_tensor *sum, norm_kind kind)
{
    if (kind.op != DT_SUM || kind.p == 0 || kind.p == 1)
        return sum;
    return kind.p == 2 ? dt_sqrt(sum) : dt_pow_scalar(sum, dt_real(1 / kind.p));
}

/* The mesh dimensions along which a tensor is partial, as bits. */
static unsigned partial_dims(const dt_tensor *tensor)
{
    const dt_layout *layout = &tensor->spec->layout;
    unsigned bits = 0;
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind != DT_REPLICATE)
            bits |= 1u << i;
    return bits;
}

/* ---- foreach_norm ------------------------------------------------------- */

/* Numbers of one mesh and one dtype, which are combined together. */
typedef struct batch {
    int count;
    int *members;      /* places in the list */
    dt_tensor **parts; /* all parts of the list; those of the batch in order */
} batch;

static bool belong_together(const dt_tensor *a, const dt_tensor *b)
{
    return a->spec->meta.dtype == b->spec->meta.dtype &&
           dt_mesh_equal(a->spec->mesh, b->spec->mesh);
}

/* Put together what belongs to part `first`, and take it from the list. */
static void gather(dt_tensor **list, int count, int first, batch *out)
{
    out->count = 0;
    for (int i = first; i < count; i++)
        if (list[i] &&
            (i == first || belong_together(out->parts[0], list[i]))) {
            out->members[out->count] = i;
            out->parts[out->count++] = list[i];
            list[i] = NULL;
        }
}

/* Combine a batch: what is replicated becomes partial for nothing. */
static dt_tensor *combine(const batch *of, norm_kind kind)
{
    dt_mesh *mesh = of->parts[0]->spec->mesh;
    unsigned dims = 0;
    for (int i = 0; i < of->count; i++)
        dims |= partial_dims(of->parts[i]);
    const char *partial = dti_layout_along(mesh, dims, kind.op);
    for (int i = 0; i < of->count; i++)
        of->parts[i] = dt_redistribute(of->parts[i], partial);
    dt_tensor *all = dt_stack(of->parts, of->count, 0);
    return root_of(dt_redistribute(all, dti_layout_along(mesh, 0, kind.op)),
                   kind);
}

/* Give the norms of a batch to the results. */
static dt_status give(const batch *of, norm_kind kind, dt_operation *operation)
{
    int given;
    dt_tensor *norms = combine(of, kind);
    if (dt_unbind(norms, 0, of->parts, of->count, &given) != DT_OK)
        return DT_ERR_INVALID;
    for (int i = 0; i < of->count; i++) {
        const int place = of->members[i];
        const dt_argument *dtype = dti_argument(operation, "dtype");
        const dt_tensor *self =
            dti_argument(operation, "self")->as.tensors[place];
        operation->outputs[place] =
            dt_cast(of->parts[i], dtype->kind == DT_ARG_NONE
                                      ? self->spec->meta.dtype
                                      : (dt_dtype)dtype->as.integer);
    }
    return DT_OK;
}

static dt_status give_all(dt_operation *operation, norm_kind kind,
                          dt_tensor **parts, batch *room)
{
    const dt_argument *list = dti_argument(operation, "self");
    const dt_argument *dtype = dti_argument(operation, "dtype");
    const dt_dtype wanted =
        dtype->kind == DT_ARG_NONE ? DT_F32 : (dt_dtype)dtype->as.integer;
    for (int i = 0; i < list->count; i++) {
        parts[i] = part_of(list->as.tensors[i], kind, wanted);
        if (!parts[i])
            return DT_ERR_INVALID; /* what failed said why */
    }
    for (int i = 0; i < list->count; i++) {
        if (!parts[i])
            continue;
        gather(parts, list->count, i, room);
        DTI_TRY(give(room, kind, operation));
    }
    operation->result_count = list->count;
    return DT_OK;
}

static dt_status foreach_norm(dt_operation *operation)
{
    const size_t count = (size_t)dti_argument(operation, "self")->count;
    const size_t bytes = count * (2 * sizeof(dt_tensor *) + sizeof(int));
    norm_kind kind = {0};
    DTI_TRY(kind_of(operation, dti_argument_real(operation, "ord"), &kind));
    DTI_TRY(check_floats(operation));
    dt_tensor **parts = malloc(bytes);
    if (!parts)
        return dti_fail_memory(operation->world, bytes, "norms");
    batch room = {.parts = parts + count};
    room.members = (int *)(parts + 2 * count);
    dt_status status = give_all(operation, kind, parts, &room);
    free(parts);
    return status;
}

/* The norm of each tensor whose gradient is wanted is computed again: those of
 * all are not kept. */
static dt_status foreach_norm_backward(dt_backward_call *call)
{
    const double p = call->arguments[1].as.real;
    for (int i = 0; i < call->input_count; i++) {
        dt_tensor *self = call->inputs[i];
        if (!call->wanted[i] || p == 0)
            continue;
        call->gradients[i] = dti_norm_gradient(
            self, p, dt_norm(self, p, DT_DIMS(), false), call->grads[i]);
        if (!call->gradients[i])
            return dti_failure_of(call->world);
    }
    return DT_OK;
}

/* ---- The norm of all ---------------------------------------------------- */

/* The mesh of a tensor that has the ranks of all others; NULL: there is none.
 */
static dt_mesh *widest_mesh(const dt_argument *list)
{
    for (int i = 0; i < list->count; i++) {
        dt_mesh *mesh = list->as.tensors[i]->spec->mesh;
        bool holds = true;
        for (int k = 0; holds && k < list->count; k++)
            holds = dti_mesh_holds(mesh, list->as.tensors[k]->spec->mesh);
        if (holds)
            return mesh;
    }
    return NULL;
}

/* What this rank adds to the norm of all. */
typedef struct share {
    norm_kind kind;
    double value;
    dt_dtype dtype;
    bool meta; /* some tensor has no storage */
} share;

/* Tell whether this rank is the one that takes a number into account, of all
 * that have it; `dims` are those along which shares are combined. */
static bool counts(const dt_tensor *part, unsigned dims)
{
    const dt_mesh *mesh = part->spec->mesh;
    const unsigned alike = dims & ~partial_dims(part);
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        if (alike >> i & 1 && mesh->coordinate[i] != 0)
            return false;
    return mesh->place >= 0;
}

static void take(share *of, const dt_tensor *part, unsigned dims)
{
    const dt_reduce op = of->kind.op;
    if (part->spec->meta.dtype == DT_F64)
        of->dtype = DT_F64;
    of->meta |= part->spec->mesh->place >= 0 && !part->local->storage;
    if (of->meta || !counts(part, dims))
        return;
    const double value = dti_scalar_of(part->local);
    if (op == DT_SUM)
        of->value += value;
    else if (isnan(value) || (op == DT_MAX && value > of->value) ||
             (op == DT_MIN && value < of->value))
        of->value = value;
}

/* Combine the parts of all tensors over a mesh that has all their ranks: along
 * those dimensions that cut tensors, or all if tensors lie on other meshes. */
static dt_tensor *combine_all(dt_mesh *mesh, norm_kind kind,
                              dt_tensor *const *parts, int count)
{
    const unsigned every = UINT_MAX;
    unsigned dims = 0;
    share mine = {.kind = kind, .dtype = DT_F32};
    for (int i = 0; i < count; i++)
        dims |= dt_mesh_equal(parts[i]->spec->mesh, mesh)
                    ? partial_dims(parts[i])
                    : every;
    if (kind.op == DT_MIN)
        mine.value = HUGE_VAL;
    for (int i = 0; i < count; i++)
        take(&mine, parts[i], dims);
    const dti_scalar made = {mine.dtype, mine.value, mine.meta};
    return root_of(dti_scalar_combine(mesh, &made, dims, kind.op), kind);
}

/* The norm of all tensors of a list, replicated; NULL on failure. */
static dt_tensor *norm_of_all(dt_operation *operation, double p)
{
    const dt_argument *list = operation->arguments; /* the first */
    const size_t bytes = (size_t)list->count * sizeof(dt_tensor *);
    norm_kind kind = {0};
    dt_mesh *mesh = widest_mesh(list);
    if (kind_of(operation, p, &kind) != DT_OK ||
        check_floats(operation) != DT_OK)
        return NULL;
    if (!mesh) {
        DT_IGNORE(dt_operation_fail(operation, DT_ERR_INVALID,
                                    "the tensors are on several meshes, and "
                                    "none of these has all ranks"));
        return NULL;
    }
    dt_tensor **parts = malloc(bytes), *norm = NULL;
    bool good = parts;
    if (!parts)
        dti_fail_memory(operation->world, bytes, "norms");
    for (int i = 0; good && i < list->count; i++) {
        parts[i] = part_of(list->as.tensors[i], kind, DT_F32);
        good = parts[i];
    }
    if (good)
        norm = combine_all(mesh, kind, parts, list->count);
    free(parts);
    return norm;
}

/* Every rank has the norm, so that every rank fails alike. */
static dt_status check_finite(const dt_operation *operation,
                              const dt_tensor *norm, const dt_argument *asked)
{
    const double value = dti_scalar_read(norm);
    if (!asked->as.integer || isfinite(value))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "the total norm is %g, and error_if_nonfinite is set", value);
}

static dt_status get_total_norm(dt_operation *operation)
{
    dt_tensor *norm =
        norm_of_all(operation, dti_argument_real(operation, "norm_type"));
    if (!norm)
        return DT_ERR_INVALID; /* what failed said why */
    operation->outputs[0] = norm;
    return check_finite(operation, norm,
                        dti_argument(operation, "error_if_nonfinite"));
}

/* ---- Clipping ----------------------------------------------------------- */

/* Multiply all tensors so that the norm, if it was larger, becomes `most`; a
 * product by 1 changes nothing. */
static dt_status clip(dt_operation *operation, const dt_tensor *norm,
                      double most)
{
    const dt_argument *list = dti_argument(operation, "self");
    for (int i = 0; i < list->count; i++)
        DTI_TRY(dti_scalar_check(operation, norm, "total_norm",
                                 list->as.tensors[i]->spec->mesh));
    const double factor = most / (dti_scalar_read(norm) + 1e-6);
    return dt_foreach_mul_scalar_(list->as.tensors, list->count,
                                  dt_real(factor >= 1 ? 1 : factor));
}

static dt_status check_most(const dt_operation *operation, double most)
{
    if (most >= 0)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "max_norm is %g; must not be negative", most);
}

static dt_status clip_grads_with_norm(dt_operation *operation)
{
    const double most = dti_argument_real(operation, "max_norm");
    DTI_TRY(check_most(operation, most));
    return clip(operation, dti_argument(operation, "total_norm")->as.tensor,
                most);
}

static dt_status clip_grad_norm(dt_operation *operation)
{
    const double most = dti_argument_real(operation, "max_norm");
    DTI_TRY(check_most(operation, most));
    dt_tensor *norm =
        norm_of_all(operation, dti_argument_real(operation, "norm_type"));
    if (!norm)
        return DT_ERR_INVALID; /* what failed said why */
    operation->outputs[0] = norm;
    DTI_TRY(check_finite(operation, norm,
                         dti_argument(operation, "error_if_nonfinite")));
    return clip(operation, norm, most);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_total_norm[] = {
    {
        .schema = "foreach_norm(Tensor[] self, float ord, *, "
                  "Dtype? dtype=None) -> Tensor[]",
        .aten = "_foreach_norm.Scalar",
        .about = "Norm of each tensor of a list, with one small all-reduce per "
                 "mesh.",
        .compose = foreach_norm,
        .gradient = "self: function(self)",
        .backward = foreach_norm_backward,
        .samples = "([T[m,n], T[n], T[]], 2); ([T[m,n]], 1); "
                   "([T[3,n], T[m]], 3, dtype=f64); ([T[m], T[n]], 0); "
                   "([T[3,4], T[5]], inf)",
        .dtypes = "float",
    },
    {
        .schema = "get_total_norm(Tensor[] tensors, float norm_type, *, "
                  "bool error_if_nonfinite=false) -> Tensor",
        .aten = "",
        .about = "Norm of all elements of all tensors of a list, in f32, or "
                 "f64 if one of them is f64.  Tensors may be on different "
                 "meshes if one mesh has all ranks of the others; the norm is "
                 "on that mesh.  Only one small all-reduce is sent.",
        .compose = get_total_norm,
        .gradient = "none",
        .samples = "([T[m,n], T[n], T[]], 2); ([T[m,n]], 1); "
                   "([T[3,n], T[m]], 3); ([T[3,4], T[5]], inf)",
        .dtypes = "float",
    },
    {
        .schema = "clip_grads_with_norm(Tensor[] self, float max_norm, "
                  "Tensor total_norm) -> ()",
        .aten = "",
        .about = "Multiply all tensors of a list by max_norm / total_norm if "
                 "that is below 1.",
        .flags = DT_OP_IN_PLACE,
        .compose = clip_grads_with_norm,
        .gradient = "none",
    },
    {
        .schema = "clip_grad_norm(Tensor[] self, float max_norm, "
                  "float norm_type, *, bool error_if_nonfinite=false) -> "
                  "(Tensor total_norm)",
        .aten = "",
        .about = "Multiply all tensors of a list by max_norm / total_norm if "
                 "that is below 1, and return the norm like get_total_norm.",
        .flags = DT_OP_IN_PLACE,
        .compose = clip_grad_norm,
        .gradient = "none",
    },
    {0},
};
