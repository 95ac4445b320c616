/* tests/ranks/redistribute_check.h - one redistribution, checked in all ways.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_REDISTRIBUTE_CHECK_H
#define DT_TESTS_REDISTRIBUTE_CHECK_H

#include <math.h>
#include <stdlib.h>

#include "array/cast.h"
#include "comm/comm.h"
#include "support/tensors.h"

/*
 * A tensor whose layout has no partial values has elements that are any bits,
 * or tame ones if they become partial.  Of a partial one, every rank of a
 * partial mesh dimension has addends of its own, none of them neutral; what
 * they combine to is found by brute force.
 */

enum { STEPS_MAX = 32, LAYOUTS_MAX = 512 };

/* One redistribution. */
typedef struct change {
    dt_mesh *mesh;
    dt_layout from;
    dt_mesh *to_mesh;
    dt_layout to;
    dt_dtype dtype;
    dt_shape shape;
    array_form form;
    dt_planner planner;
    dt_objective objective;
    size_t memory_cap;
    bool asynchronous;
    uint64_t salt;
} change;

/* ---- Numbers ------------------------------------------------------------ */

/* A number of any dtype: its parts, or its bits where bits are combined. */
typedef struct number {
    double real;
    double imaginary;
    uint64_t bits;
} number;

static inline number decode(dt_dtype dtype, uint64_t bits)
{
    number out = {.bits = bits};
    if (dtype == DT_C64) {
        dti_c64 both;
        memcpy(&both, &bits, sizeof both);
        out.real = both.real;
        out.imaginary = both.imaginary;
    } else {
        dti_cast(&bits, dtype, &out.real, DT_F64, 1);
    }
    return out;
}

static inline bool combines_bits(dt_reduce op, dt_dtype dtype)
{
    return dtype == DT_BOOL || op == DT_BAND || op == DT_BOR || op == DT_BXOR;
}

static inline uint64_t combine_bits(dt_reduce op, uint64_t a, uint64_t b)
{
    switch (op) {
    case DT_BAND:
    case DT_MIN:
    case DT_PRODUCT:
        return a & b;
    case DT_BXOR:
        return a ^ b;
    default:
        return a | b;
    }
}

static inline number combine(dt_reduce op, dt_dtype dtype, number a, number b)
{
    number out = a;
    if (combines_bits(op, dtype)) {
        out.bits = combine_bits(op, a.bits, b.bits);
    } else if (op == DT_PRODUCT) {
        out.real = a.real * b.real - a.imaginary * b.imaginary;
        out.imaginary = a.real * b.imaginary + a.imaginary * b.real;
    } else if (op == DT_MIN) {
        out.real = fmin(a.real, b.real);
    } else if (op == DT_MAX) {
        out.real = fmax(a.real, b.real);
    } else {
        out.real += b.real;
        out.imaginary += b.imaginary;
    }
    return out;
}

/* The size of the last place of 1 in a dtype. */
static inline double rounding_of(dt_dtype dtype)
{
    switch (dtype) {
    case DT_BF16:
        return 1.0 / 128;
    case DT_F16:
        return 1.0 / 1024;
    case DT_F64:
        return ldexp(1, -52);
    default:
        return ldexp(1, -23);
    }
}

static inline bool is_near(double a, double b, double rounding)
{
    return a == b || fabs(a - b) <= 4 * rounding * fmax(fabs(a), fabs(b));
}

/* Tell whether an element is the same number up to a few roundings; zeros have
 * any sign. */
static inline bool is_rounded(dt_dtype dtype, uint64_t bits, uint64_t wanted)
{
    number a = decode(dtype, bits), b = decode(dtype, wanted);
    dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    if (bits == wanted)
        return true;
    if (kind != DT_KIND_FLOAT && kind != DT_KIND_COMPLEX)
        return false;
    return is_near(a.real, b.real, rounding_of(dtype)) &&
           is_near(a.imaginary, b.imaginary, rounding_of(dtype));
}

/* ---- Addends ------------------------------------------------------------ */

/* The partial mesh dimensions of a layout. */
typedef struct partial_dims {
    int ranks;    /* that have addends of one element */
    int averaged; /* ranks along dimensions that are averages */
    dt_reduce op; /* sum if there are averages */
} partial_dims;

static inline partial_dims partial_dims_of(const dt_mesh *mesh,
                                           const dt_layout *layout)
{
    partial_dims out = {1, 1, DT_SUM};
    for (int i = 0; i < layout->ndim; i++) {
        int size = dt_mesh_dim_size(mesh, i);
        if (!dt_placement_is_partial(layout->placements[i]))
            continue;
        out.ranks *= size;
        if (layout->placements[i].op == DT_AVG)
            out.averaged *= size;
        else
            out.op = layout->placements[i].op;
    }
    return out;
}

/* Which of the addends of an element a rank has. */
static inline int addend_of(const dt_mesh *mesh, const dt_layout *layout)
{
    int at = 0;
    for (int i = 0; i < layout->ndim; i++)
        if (dt_placement_is_partial(layout->placements[i]))
            at = at * dt_mesh_dim_size(mesh, i) + dt_mesh_coordinate(mesh, i);
    return at;
}

static inline double factor_of(dt_dtype dtype, uint64_t word)
{
    static const double choice[] = {1, -1, 2};
    if (dtype == DT_U8)
        return word % 17 != 0;
    return choice[word % (dtype == DT_I8 ? 2 : 3)];
}

/* Addend number `addend` of an element: small enough that eight of them combine
 * without rounding. */
static inline uint64_t addend_bits(dt_dtype dtype, const partial_dims *partial,
                                   uint64_t salt, int addend, int64_t index)
{
    static const int real[] = {1, 0, -1, 0}, imaginary[] = {0, 1, 0, -1};
    uint64_t word = word_of(salt, addend, index), other = word >> 32;
    double low = dtype == DT_U8 ? 0 : -4;
    if (combines_bits(partial->op, dtype))
        return bits_of(dtype, word);
    if (partial->op == DT_PRODUCT && dtype == DT_C64)
        return bits_of_number(dtype, real[word % 4], imaginary[word % 4]);
    if (partial->op == DT_PRODUCT)
        return bits_of_number(dtype, factor_of(dtype, word), 0);
    return bits_of_number(dtype, partial->averaged * (low + (double)(word % 9)),
                          partial->averaged * (low + (double)(other % 9)));
}

static inline uint64_t source_bits(const change *of, int addend, int64_t index)
{
    partial_dims partial = partial_dims_of(of->mesh, &of->from);
    if (layout_is_partial(&of->from))
        return addend_bits(of->dtype, &partial, of->salt, addend, index);
    element_rule rule = {of->salt, layout_is_partial(&of->to)};
    return element_bits(rule, of->dtype, index);
}

/* The value of an element. */
static inline uint64_t value_bits(const change *of, int64_t index)
{
    partial_dims partial = partial_dims_of(of->mesh, &of->from);
    number sum = decode(of->dtype, source_bits(of, 0, index));
    for (int i = 1; i < partial.ranks; i++)
        sum = combine(partial.op, of->dtype, sum,
                      decode(of->dtype, source_bits(of, i, index)));
    if (!layout_is_partial(&of->from) || combines_bits(partial.op, of->dtype))
        return sum.bits;
    return bits_of_number(of->dtype, sum.real / partial.averaged,
                          sum.imaginary / partial.averaged);
}

static inline dt_array *value_array(const change *of)
{
    dt_array *out = new_array(dt_mesh_world(of->mesh), of->dtype, of->shape);
    size_t item = dt_dtype_size(of->dtype);
    char *data = dt_array_data(out);
    for (int64_t i = 0; i < dt_array_count(out); i++) {
        uint64_t bits = value_bits(of, i);
        memcpy(data + (size_t)i * item, &bits, item);
    }
    return out;
}

/* ---- Tensors ------------------------------------------------------------ */

static inline void fill_source(const change *of, dt_array *local)
{
    int64_t index[DT_MAX_NDIM] = {0}, global[DT_MAX_NDIM];
    int addend = addend_of(of->mesh, &of->from);
    local_lists lists = lists_of(of->mesh, &of->from, of->shape);
    if (dt_array_count(local) == 0)
        return;
    do {
        for (int i = 0; i < of->shape.ndim; i++)
            global[i] = lists.dims[i].items[index[i]];
        write_bits(local, index,
                   source_bits(of, addend, row_major(global, of->shape)));
    } while (next_index(index, lists.shape));
}

/* The tensor before. */
static inline dt_tensor *source_tensor(const change *of)
{
    dt_world *world = dt_mesh_world(of->mesh);
    dt_meta meta = dt_meta_of(of->dtype, of->shape);
    dt_spec *spec = NULL;
    dt_tensor *out = NULL;
    CHECK_OK(world, dt_spec_create_with(of->mesh, &of->from, &meta, &spec));
    if (!spec)
        return NULL;
    dt_shape shape = dt_spec_local_shape(spec, dt_world_rank(world));
    dt_array *local = new_array_in(world, of->dtype, shape, of->form);
    if (dt_mesh_is_member(of->mesh))
        fill_source(of, local);
    out = dt_tensor_assemble(spec, local);
    CHECKF(out, "%s", dt_world_error(world)->message);
    dt_array_release(local);
    dt_spec_release(spec);
    return out;
}

/* Check a tensor in a layout against its value.  Collective. */
static inline bool check_tensor(dt_tensor *tensor, const dt_layout *layout,
                                const dt_array *global, same_element same)
{
    if (!CHECKF(tensor, "no tensor"))
        return false;
    if (layout_is_partial(layout))
        return check_global_equals(tensor, global, same);
    return check_local_equals(tensor, layout, global, same);
}

/* Rounding may show where values become partial, or were. */
static inline same_element comparison_of(const change *of)
{
    return layout_is_partial(&of->from) || layout_is_partial(&of->to)
               ? is_rounded
               : NULL;
}

/* ---- Plans and calls ---------------------------------------------------- */

static inline dt_redistribute_options options_of(const change *of)
{
    dt_redistribute_options out = DT_REDISTRIBUTE_OPTIONS_INIT;
    out.mesh = of->to_mesh;
    out.layout = dt_layout_text(dt_mesh_world(of->mesh), &of->to);
    out.planner = of->planner;
    out.objective = of->objective;
    out.memory_cap = of->memory_cap;
    out.asynchronous = of->asynchronous;
    return out;
}

/* Give the plan of a change of a tensor; NULL, with the status, if there is
 * none. */
static inline dt_plan *plan_of(const change *of, dt_tensor *tensor,
                               dt_status *status)
{
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    dt_spec *from = dt_tensor_spec(tensor), *to = NULL;
    dt_plan *plan = NULL;
    *status =
        dt_spec_create_with(of->to_mesh, &of->to, dt_spec_meta(from), &to);
    options.planner = of->planner;
    options.objective = of->objective;
    options.memory_cap = of->memory_cap;
    if (*status == DT_OK)
        *status = dt_plan_create(from, to, &options, &plan);
    dt_spec_release(to);
    return plan;
}

/* What calls a step makes, as the trace counts them. */
static inline dt_collective call_of(const dt_world *world, dt_step_kind kind)
{
    if (kind == DT_STEP_ALL_REDUCE)
        return DT_ALL_REDUCE;
    if (kind == DT_STEP_REDUCE_SCATTER)
        return DT_REDUCE_SCATTER;
    if (kind == DT_STEP_ALL_GATHER &&
        dti_comm_of(world)->transport->takes_tiles)
        return DT_ALL_GATHER;
    return DT_ALL_TO_ALL;
}

static inline bool takes_part(const dt_plan *plan, const dt_plan_step *step)
{
    const dt_mesh *from = dt_spec_mesh(dt_plan_from(plan));
    const dt_mesh *to = dt_spec_mesh(dt_plan_to(plan));
    return step->group_size > 1 && (dt_mesh_is_member(from) ||
                                    (step->crosses && dt_mesh_is_member(to)));
}

/* Check the calls that were recorded against the steps of a plan, and what the
 * rank received that received most.  Collective over the world. */
static inline bool check_calls(dt_world *world, const dt_plan *plan)
{
    size_t count = 0, at = 0;
    const dt_trace_event *events = dt_trace_events(world, &count);
    dt_array *array = new_array(world, DT_I64, DT_SHAPE(STEPS_MAX));
    int64_t *received = dt_array_data(array);
    bool good = true;
    memset(received, 0, STEPS_MAX * sizeof *received);
    for (int i = 0; i < dt_plan_steps(plan); i++) {
        const dt_plan_step *step = dt_plan_step_at(plan, i);
        if (!takes_part(plan, step) || !(good = CHECK(at < count)))
            continue;
        good &= CHECK_TEXT(dt_collective_name(events[at].kind),
                           dt_collective_name(call_of(world, step->kind)));
        good &= CHECK_INT(events[at].group_size, step->group_size);
        received[i] = (int64_t)events[at].bytes_received;
        at++;
    }
    good &= CHECK_INT(count, at);
    CHECK_OK(world,
             dt_group_all_reduce(dt_world_group(world), DT_MAX, array, array));
    for (int i = 0; i < dt_plan_steps(plan); i++)
        good &= CHECKF(received[i] == dt_plan_step_at(plan, i)->bytes,
                       "step %d: %lld bytes received, not %lld", i,
                       (long long)received[i],
                       (long long)dt_plan_step_at(plan, i)->bytes);
    dt_array_release(array);
    return good;
}

/* What every plan has to say of itself. */
static inline bool check_plan(const dt_plan *plan)
{
    int64_t bytes = 0;
    double seconds = 0;
    for (int i = 0; i < dt_plan_steps(plan); i++) {
        bytes += dt_plan_step_at(plan, i)->bytes;
        seconds += dt_plan_step_at(plan, i)->seconds;
    }
    bool same = CHECK_INT(dt_plan_bytes(plan), bytes);
    bool close = CHECK(fabs(dt_plan_seconds(plan) - seconds) <= 1e-9 * seconds);
    bool bound = CHECKF(bytes >= dt_plan_lower_bound(plan),
                        "%lld bytes received, less than the bound %lld",
                        (long long)bytes, (long long)dt_plan_lower_bound(plan));
    return same && close && bound;
}

/* ---- One redistribution ------------------------------------------------- */

static inline void show_change(const change *of, bool good)
{
    static const char *const planners[] = {"search", "direct", "greedy"};
    char mesh[128], to_mesh[128], from[128], to[128];
    dt_mesh_format(of->mesh, mesh, sizeof mesh);
    dt_mesh_format(of->to_mesh, to_mesh, sizeof to_mesh);
    dt_layout_format(&of->from, from, sizeof from);
    dt_layout_format(&of->to, to, sizeof to);
    CHECKF(good,
           "%s (%d-d: %lld, %lld, %lld) %s on %s -> %s on %s, %s, objective "
           "%d, form %d, salt %llu",
           dt_dtype_name(of->dtype), of->shape.ndim,
           (long long)of->shape.dims[0], (long long)of->shape.dims[1],
           (long long)of->shape.dims[2], from, mesh, to, to_mesh,
           planners[of->planner], of->objective, of->form,
           (unsigned long long)of->salt);
}

/* Tell whether PyTorch's planner is not for this. */
static inline bool is_unusual(const change *of)
{
    const dt_layout *layouts[] = {&of->from, &of->to};
    for (int i = 0; i < 2; i++) {
        if (!dt_layout_has_default_order(layouts[i]))
            return true;
        for (int j = 0; j < layouts[i]->ndim; j++)
            if (layouts[i]->placements[j].kind == DT_STRIDED_SHARD)
                return true;
    }
    return false;
}

/* The way back. */
static inline change back_of(const change *of)
{
    change back = *of;
    back.mesh = of->to_mesh;
    back.from = of->to;
    back.to_mesh = of->mesh;
    back.to = of->from;
    return back;
}

/* Redistribute a tensor, and check what comes out and how.  Collective over
 * the world. */
static inline dt_tensor *check_step(const change *of, dt_tensor *tensor,
                                    const dt_array *global, same_element same,
                                    bool *good)
{
    dt_world *world = dt_mesh_world(of->mesh);
    dt_redistribute_options options = options_of(of);
    dt_status status;
    dt_scope *scope = dt_scope_open(world);
    dt_plan *plan = plan_of(of, tensor, &status);
    CHECK_INT(dt_scope_close(scope), status);
    if (status == DT_ERR_UNSUPPORTED && of->planner == DT_PLANNER_GREEDY) {
        *good = CHECK(is_unusual(of));
        return NULL;
    }
    if (!CHECKF(plan, "%s", dt_world_error(world)->message)) {
        *good = false;
        return NULL;
    }
    *good = check_plan(plan);
    dt_trace_clear(world);
    dt_trace_record(world, true);
    dt_tensor *out = dt_redistribute_with(tensor, &options);
    dt_trace_record(world, false);
    if (!CHECKF(out, "%s", dt_world_error(world)->message)) {
        *good = false;
    } else {
        /* Under a cap, messages go in pieces. */
        if (of->memory_cap == 0 || call_of(world, DT_STEP_ALL_GATHER) !=
                                       call_of(world, DT_STEP_DIRECT))
            *good &= check_calls(world, plan);
        *good &= check_tensor(out, &of->to, global, same);
    }
    dt_plan_release(plan);
    return out;
}

/* There and back. */
static inline bool check_change(const change *of)
{
    dt_world *world = dt_mesh_world(of->mesh);
    dt_scope *scope = dt_scope_open(world);
    dt_array *global = value_array(of);
    dt_tensor *source = source_tensor(of);
    bool good = true;
    const same_element same = comparison_of(of);
    change back = back_of(of);
    dt_tensor *there = check_step(of, source, global, same, &good);
    if (there) {
        bool good_back = true;
        check_step(&back, there, global, same, &good_back);
        good &= good_back;
        /* The source is what it was. */
        good &= check_tensor(source, &of->from, global,
                             layout_is_partial(&of->from) ? is_rounded : NULL);
    }
    show_change(of, good);
    dt_array_release(global);
    CHECK_OK(world, dt_scope_close(scope));
    return good;
}

/* ---- Lists of layouts --------------------------------------------------- */

typedef struct layout_list {
    int count;
    dt_layout layouts[LAYOUTS_MAX];
} layout_list;

/* Add a layout in all orders. */
static inline void add_orders(dt_world *world, layout_list *out,
                              const dt_layout *layout, int tensor_dim, int ndim)
{
    int dims[DT_MAX_NDIM], count = 0;
    bool strided = false;
    if (tensor_dim == ndim) {
        if (CHECK(out->count < LAYOUTS_MAX))
            out->layouts[out->count++] = *layout;
        return;
    }
    for (int i = 0; i < layout->ndim; i++) {
        const dt_placement *placement = &layout->placements[i];
        if (dt_placement_is_shard(*placement) && placement->dim == tensor_dim)
            dims[count++] = i;
        strided |= placement->kind == DT_STRIDED_SHARD;
    }
    dt_layout other = *layout;
    do {
        if (count > 1 && !strided)
            CHECK_OK(world, dt_layout_set_order(world, &other, tensor_dim, dims,
                                                count));
        add_orders(world, out, &other, tensor_dim + 1, ndim);
    } while (!strided && next_arrangement(dims, count));
}

/* All layouts of replicas, shards in all orders and, if asked for, sums and
 * strided shards. */
static inline void list_placements(const dt_mesh *mesh, int ndim, int kinds,
                                   dt_placement *placements, int at,
                                   layout_list *out)
{
    int mesh_ndim = dt_mesh_ndim(mesh);
    if (at == mesh_ndim) {
        dt_layout layout = dt_layout_of(placements, mesh_ndim);
        add_orders(dt_mesh_world(mesh), out, &layout, 0, ndim);
        return;
    }
    placements[at] = dt_replicate();
    list_placements(mesh, ndim, kinds, placements, at + 1, out);
    for (int dim = 0; dim < ndim; dim++) {
        placements[at] = dt_shard(dim);
        list_placements(mesh, ndim, kinds, placements, at + 1, out);
    }
    if (kinds & DRAW_PARTIAL) {
        placements[at] = dt_partial(DT_SUM);
        list_placements(mesh, ndim, kinds, placements, at + 1, out);
    }
    if ((kinds & DRAW_STRIDED) && ndim > 0) {
        int dim = ndim - 1;
        placements[at] = dt_strided_shard(dim, 2 + at);
        list_placements(mesh, ndim, kinds & ~DRAW_STRIDED, placements, at + 1,
                        out);
    }
}

static inline void list_all_layouts(const dt_mesh *mesh, int ndim, int kinds,
                                    layout_list *out)
{
    dt_placement placements[DT_MAX_NDIM];
    out->count = 0;
    list_placements(mesh, ndim, kinds, placements, 0, out);
}

/* Let the sums of a layout be another reduction that the dtype has; sums and
 * averages mix. */
static inline void draw_reduction(dt_layout *layout, dt_dtype dtype,
                                  unsigned long long *state)
{
    dt_reduce op;
    do
        op = (dt_reduce)below(state, DT_REDUCE_COUNT);
    while (!has_reduction(op, dtype));
    bool mixes = (op == DT_SUM || op == DT_AVG) && has_reduction(DT_AVG, dtype);
    for (int i = 0; i < layout->ndim; i++) {
        dt_reduce other = below(state, 2) ? DT_SUM : DT_AVG;
        if (dt_placement_is_partial(layout->placements[i]))
            layout->placements[i].op = mixes ? other : op;
    }
}

static inline bool wants_all(void)
{
    return getenv("DT_TEST_FULL") != NULL;
}

#endif
