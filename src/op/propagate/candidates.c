/* op/propagate/candidates.c - what may be done along one mesh dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "kernel/reduce/reduce.h"
#include "mesh/mesh.h"
#include "op/propagate/propagate.h"

/* ---- Which dimension has a factor --------------------------------------- */

/* The place of a factor in a dimension; -1: it has another. */
static int place_of(const dt_factor_dim *dim, int factor)
{
    for (int i = 0; i < dim->count; i++)
        if (dim->factors[i] == factor)
            return i;
    return -1;
}

/* The dimension that has a factor, and its place in it; -1: none has. */
static int find_factor(const dt_factor_map *map, int ndim, int factor,
                       int *place)
{
    for (int d = 0; d < ndim; d++)
        if ((*place = place_of(&map->dims[d], factor)) >= 0)
            return d;
    return -1;
}

static bool is_compound(const dt_factor_map *map)
{
    for (int d = 0; d < DT_MAX_NDIM; d++)
        if (map->dims[d].count > 1)
            return true;
    return false;
}

bool dti_factors_take_apart(const dt_factors *factors, int input)
{
    for (int i = 0; i < factors->out_count; i++)
        if (is_compound(&factors->out[i]))
            return true;
    return is_compound(dti_map_in(factors, input));
}

static bool input_has(const dti_question *q, int input, int factor)
{
    int place;
    const dt_meta *meta = q->operation->metas[input];
    return meta && find_factor(dti_map_in(q->factors, input), meta->shape.ndim,
                               factor, &place) >= 0;
}

/* Only inputs and results with low numbers have bits. */
static bool has_bit(unsigned bits, int number)
{
    return number < DT_MAX_FACTOR_MAPS && bits >> number & 1;
}

bool dti_is_unread(const dti_question *q, int input)
{
    return q->factors && has_bit(q->factors->unread, input);
}

bool dti_candidate_has(const dti_question *q, int result, int factor)
{
    int place;
    return find_factor(dti_map_out(q->factors, result),
                       q->operation->results[result].shape.ndim, factor,
                       &place) >= 0;
}

/* Tensor parameters that are there; and those of which one has a factor. */
static unsigned present(const dti_question *q)
{
    unsigned bits = 0;
    for (int i = 0; i < q->operation->input_count; i++)
        if (q->operation->metas[i])
            bits |= dti_parameter_bit(q, i);
    return bits;
}

static unsigned having(const dti_question *q, int factor)
{
    unsigned bits = 0;
    for (int i = 0; i < q->operation->input_count; i++)
        if (input_has(q, i, factor))
            bits |= dti_parameter_bit(q, i);
    return bits;
}

/* ---- Listing ------------------------------------------------------------ */

typedef struct list {
    const dti_question *question;
    int mesh_dim;
    dti_candidate *out;
    int *count;
} list;

static bool same_candidate(const dti_candidate *a, const dti_candidate *b)
{
    return a->kind == b->kind && a->factor == b->factor &&
           a->strided == b->strided && a->like == b->like &&
           a->partial == b->partial && a->in == b->in && a->out == b->out;
}

static void add(list *to, const dti_candidate *candidate)
{
    for (int i = 0; i < *to->count; i++)
        if (same_candidate(&to->out[i], candidate))
            return;
    if (*to->count < DTI_MAX_CANDIDATES)
        to->out[(*to->count)++] = *candidate;
}

static unsigned lowest_bit(unsigned bits)
{
    return bits & (~bits + 1);
}

/* Tensor parameters that are partial by an operation along the mesh
 * dimension. */
static unsigned lying_partial(const list *to, dt_reduce op)
{
    const dti_question *q = to->question;
    unsigned bits = 0;
    for (int i = 0; i < q->operation->input_count; i++) {
        const dt_placement *at = &q->layouts[i].placements[to->mesh_dim];
        if (q->operation->metas[i] && at->kind == DT_PARTIAL && at->op == op)
            bits |= dti_parameter_bit(q, i);
    }
    return bits;
}

/*
 * Those of a term that may be partial by an operation: what lies so, and
 * addends.  An addend that is replicated or cut is made partial, as its value
 * on one rank and -0.0 on others, which adds nothing; a factor would multiply
 * by it, and -0.0 * inf is NaN where one rank gives inf.  Example:
 *
 *     addcmul(P, R, R), "self + tensor1*tensor2": self is reduced
 *     addcmul(R, P, R): self is made partial, nothing is sent
 */
static unsigned partial_of_term(const list *to, dt_reduce op, unsigned term)
{
    return term & (lying_partial(to, op) | to->question->passes->addends) &
           ~to->question->factors->converted;
}

/*
 * A sum over a cut factor: products without the factor are added on every rank,
 * so that one tensor of each has to be partial.  False if that cannot be.
 */
static bool make_terms_partial(const list *to, int factor, unsigned *partial)
{
    const dti_question *q = to->question;
    const dti_passes *passes = q->passes;
    unsigned there = present(q), with = having(q, factor);
    if (q->factors->factors[factor].others_whole)
        return true;
    if (q->factors->no_linear || passes->term_count == 0)
        return with == there;
    for (int i = 0; i < passes->term_count; i++) {
        unsigned term = passes->terms[i] & there;
        unsigned able = partial_of_term(to, DT_SUM, term);
        if (!passes->terms[i])
            return false;
        if (!term || (passes->terms[i] & with))
            continue;
        if (!able)
            return false;
        *partial |= lowest_bit(able);
    }
    return true;
}

/* Tell whether cutting a factor says something for every result. */
static bool results_follow(const dti_question *q, int factor)
{
    if (q->factors->factors[factor].kind != DT_FACTOR_FREE)
        return true;
    for (int i = 0; i < q->operation->result_count; i++)
        if (!dti_candidate_has(q, i, factor) && !has_bit(q->factors->whole, i))
            return false;
    return true;
}

static void add_cut(list *to, int factor)
{
    const dti_question *q = to->question;
    const dt_factor *at = &q->factors->factors[factor];
    dti_candidate cut = {.kind = DTI_CUT, .factor = factor, .in = DT_SUM};
    if (at->kind == DT_FACTOR_WHOLE || !results_follow(q, factor))
        return;
    if (at->kind == DT_FACTOR_REDUCED) {
        bool sums = at->reduce == DT_SUM;
        cut.out = at->reduce;
        if (sums ? !make_terms_partial(to, factor, &cut.partial)
                 : having(q, factor) != present(q) && !at->others_whole)
            return;
    }
    add(to, &cut);
    for (int i = 0; i < q->operation->input_count; i++) {
        const dt_placement *lies = &q->layouts[i].placements[to->mesh_dim];
        if (lies->kind != DT_STRIDED_SHARD || !q->operation->metas[i])
            continue;
        const dt_factor_dim *dim = &dti_map_in(q->factors, i)->dims[lies->dim];
        if (place_of(dim, factor) >= 0) {
            cut.strided = lies->factor;
            cut.like = i;
            add(to, &cut);
        }
    }
}

/* Tell whether no product has two of these tensors. */
static bool are_apart(const dti_passes *passes, unsigned partial)
{
    for (int i = 0; i < passes->term_count; i++) {
        unsigned of_term = passes->terms[i] & partial;
        if (of_term != lowest_bit(of_term))
            return false;
    }
    return true;
}

/* One tensor of each product is partial; of an average, of one at least.  One
 * of all has to lie so: what is made partial is made so beside another.  A
 * tensor of several products is partial in all of them. */
static void add_linear(list *to, dt_reduce op, int term, unsigned partial)
{
    const dti_passes *passes = to->question->passes;
    unsigned there = present(to->question);
    if (term == passes->term_count) {
        if (partial & lying_partial(to, op) && are_apart(passes, partial))
            add(to, &(dti_candidate){.kind = DTI_PARTIAL,
                                     .partial = partial,
                                     .in = op,
                                     .out = op});
        return;
    }
    unsigned left = passes->terms[term] & there;
    if (op == DT_AVG || (passes->terms[term] && !left))
        add_linear(to, op, term + 1, partial);
    left = partial_of_term(to, op, left);
    for (; left; left &= left - 1)
        add_linear(to, op, term + 1, partial | lowest_bit(left));
}

/* The largest of what is least is not the least of what is largest: partial
 * values pass through a reduction only if it is what combines the results. */
static bool reduces_otherwise(const dti_question *q, dt_reduce op)
{
    for (int f = 0; f < q->factors->count; f++)
        if (q->factors->factors[f].kind == DT_FACTOR_REDUCED &&
            q->factors->factors[f].reduce != op)
            return true;
    return false;
}

static void add_monotone(list *to, dt_reduce op, unsigned bits, dt_reduce gives)
{
    bits &= lying_partial(to, op);
    if (reduces_otherwise(to->question, gives))
        return;
    for (; bits; bits &= bits - 1)
        add(to, &(dti_candidate){.kind = DTI_PARTIAL,
                                 .partial = lowest_bit(bits),
                                 .in = op,
                                 .out = gives});
}

static void add_partial(list *to, dt_reduce op)
{
    const dti_question *q = to->question;
    const dti_passes *passes = q->passes;
    bool ordered = op == DT_MAX || op == DT_MIN;
    unsigned moved = passes->moved & present(q);
    if (moved & lying_partial(to, op) && !q->factors->no_permutes)
        add(to,
            &(dti_candidate){
                .kind = DTI_PARTIAL, .partial = moved, .in = op, .out = op});
    if ((op == DT_SUM || op == DT_AVG) && passes->term_count &&
        !q->factors->no_linear)
        add_linear(to, op, 0, 0);
    if (ordered && !q->factors->no_monotone) {
        add_monotone(to, op, passes->increasing, op);
        add_monotone(to, op, passes->decreasing,
                     op == DT_MAX ? DT_MIN : DT_MAX);
    }
}

void dti_candidates_list(const dti_question *question, int mesh_dim,
                         dti_candidate *out, int *count)
{
    list to = {question, mesh_dim, out, count};
    *count = 0;
    add(&to, &(dti_candidate){.kind = DTI_WHOLE});
    if (!question->factors)
        return;
    for (int f = 0; f < question->factors->count; f++)
        add_cut(&to, f);
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        if (lying_partial(&to, (dt_reduce)op))
            add_partial(&to, (dt_reduce)op);
}

/* ---- What a candidate means --------------------------------------------- */

static const dti_candidate *choice(const dti_propagation *at,
                                   const dti_proposal *chosen, int mesh_dim)
{
    return &at->candidates[mesh_dim][chosen->choice[mesh_dim]];
}

/* Into how many parts the mesh dimensions before this one cut a factor. */
static int64_t parts_before(const dti_propagation *at,
                            const dti_proposal *chosen, int mesh_dim,
                            int factor)
{
    int64_t parts = 1;
    for (int i = 0; i < mesh_dim; i++) {
        const dti_candidate *taken = choice(at, chosen, i);
        if (taken->kind == DTI_CUT && taken->factor == factor)
            parts *= at->question.mesh->dims.sizes[i];
    }
    return parts;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static int64_t pieces_of(const dti_propagation *at, const dti_proposal *chosen,
                         int mesh_dim, const dti_candidate *candidate);

/* The mesh dimension before `mesh_dim`, from `from` on, that cuts a factor;
 * `mesh_dim` if none does. */
static int next_cut(const dti_propagation *at, const dti_proposal *chosen,
                    int from, int mesh_dim, int factor)
{
    for (; from < mesh_dim; from++) {
        const dti_candidate *taken = choice(at, chosen, from);
        if (taken->kind == DTI_CUT && taken->factor == factor)
            break;
    }
    return from;
}

/* The most that mesh dimensions before this one leave to a rank of a factor;
 * `even` is cleared if some ranks have less. */
static int64_t most_left(const dti_propagation *at, const dti_proposal *chosen,
                         int mesh_dim, int factor, bool *even)
{
    const dti_question *q = &at->question;
    int64_t left = q->factors->factors[factor].size;
    int i = next_cut(at, chosen, 0, mesh_dim, factor);
    for (; i < mesh_dim; i = next_cut(at, chosen, i + 1, mesh_dim, factor)) {
        const int64_t parts = q->mesh->dims.sizes[i];
        const int64_t pieces = pieces_of(at, chosen, i, choice(at, chosen, i));
        *even &= left % (pieces * parts) == 0;
        left = pieces * divide_up(left / pieces, parts);
    }
    return left;
}

/* The extents before a place, as far as earlier mesh dimensions left them;
 * `even` is cleared if they are not the same on all ranks. */
static int64_t major_extent(const dti_propagation *at,
                            const dti_proposal *chosen, int mesh_dim,
                            const dt_factor_dim *dim, int place, bool *even)
{
    int64_t extent = 1;
    for (int i = 0; i < place; i++)
        extent *= most_left(at, chosen, mesh_dim, dim->factors[i], even);
    return extent;
}

/*
 * Into how many pieces a strided shard takes the factor that it cuts: what its
 * factor in the input is more than the extents before.  For example, (24, 3) in
 * _S(0,4)S(0) on 3x2 is viewed as (12, 2, 3), so ((12 2) 3) -> (12 2 3):
 * _S(0,4) cuts each of 4 pieces of 12, and the result is in _S(0,4)S(0), too.
 * In (2, 12) in R_S(1,4) that is flattened, (2 12) -> ((2 12)), it cuts each of
 * 4 pieces of 12, and with the 2 before the result is in R_S(0,8).
 */
static int64_t pieces_of(const dti_propagation *at, const dti_proposal *chosen,
                         int mesh_dim, const dti_candidate *candidate)
{
    const dti_question *q = &at->question;
    bool even = true;
    int place = 0;
    if (!candidate->strided)
        return 1;
    const dt_factor_map *map = dti_map_in(q->factors, candidate->like);
    const int dim = find_factor(map, DT_MAX_NDIM, candidate->factor, &place);
    const int64_t major =
        major_extent(at, chosen, mesh_dim, &map->dims[dim], place, &even);
    return major > 0 && candidate->strided > major ? candidate->strided / major
                                                   : 1;
}

/* The shard that a cut gives to a tensor; replicated if it has no such factor.
 */
static dt_placement shard_of(const dti_propagation *at,
                             const dti_proposal *chosen, int mesh_dim,
                             const dti_candidate *candidate,
                             const dt_factor_map *map, int ndim)
{
    int place, dim = find_factor(map, ndim, candidate->factor, &place);
    if (dim < 0)
        return dt_replicate();
    bool even = true;
    const int64_t factor =
        pieces_of(at, chosen, mesh_dim, candidate) *
        major_extent(at, chosen, mesh_dim, &map->dims[dim], place, &even);
    return factor > 1 ? dt_strided_shard(dim, factor) : dt_shard(dim);
}

dt_placement dti_candidate_in(const dti_propagation *at,
                              const dti_proposal *chosen, int mesh_dim,
                              const dti_candidate *candidate, int input)
{
    const dti_question *q = &at->question;
    if (dti_is_unread(q, input) && q->operation->metas[input])
        return q->layouts[input].placements[mesh_dim];
    return dti_candidate_wish(at, chosen, mesh_dim, candidate, input);
}

dt_placement dti_candidate_wish(const dti_propagation *at,
                                const dti_proposal *chosen, int mesh_dim,
                                const dti_candidate *candidate, int input)
{
    const dti_question *q = &at->question;
    const dt_meta *meta = q->operation->metas[input];
    if (!meta || candidate->kind == DTI_WHOLE)
        return dt_replicate();
    if (candidate->partial & dti_parameter_bit(q, input))
        return dt_partial(candidate->in);
    if (candidate->kind == DTI_PARTIAL)
        return dt_replicate();
    return shard_of(at, chosen, mesh_dim, candidate,
                    dti_map_in(q->factors, input), meta->shape.ndim);
}

dt_placement dti_candidate_out(const dti_propagation *at,
                               const dti_proposal *chosen, int mesh_dim,
                               const dti_candidate *candidate, int result)
{
    const dti_question *q = &at->question;
    if (candidate->kind == DTI_WHOLE || has_bit(q->factors->whole, result))
        return dt_replicate();
    if (candidate->kind == DTI_PARTIAL)
        return has_bit(q->factors->constant, result)
                   ? dt_replicate()
                   : dt_partial(candidate->out);
    const dt_factor_kind kind = q->factors->factors[candidate->factor].kind;
    switch (dti_candidate_has(q, result, candidate->factor) ? DT_FACTOR_FREE
                                                            : kind) {
    case DT_FACTOR_REDUCED:
        return dt_partial(candidate->out);
    case DT_FACTOR_MASKED:
        return dt_masked_partial();
    case DT_FACTOR_INSIDE:
        return dt_replicate();
    default:
        return shard_of(at, chosen, mesh_dim, candidate,
                        dti_map_out(q->factors, result),
                        q->operation->results[result].shape.ndim);
    }
}

/* ---- Whether it fits ---------------------------------------------------- */

/* A cut of one factor of several, with what comes after it. */
typedef struct inner_cut {
    const dti_propagation *at;
    const dti_proposal *chosen;
    int mesh_dim;
    const dti_candidate *candidate;
    int64_t minor; /* what is left of the factors after it, at most */
} inner_cut;

static bool keeps_rows(const inner_cut *cut, int from, int64_t left);

/* See keeps_rows: the last cut, or one before it and the rest. */
static bool keeps_pieces(const inner_cut *cut, int i, int64_t pieces,
                         int64_t rows)
{
    const int64_t parts = cut->at->question.mesh->dims.sizes[i];
    const int64_t block = divide_up(rows, parts);
    if (i == cut->mesh_dim)
        return cut->minor == 0 ||
               parts * block - rows <= (parts - 1) / cut->minor;
    return keeps_rows(cut, i + 1, pieces * block) &&
           (block == 0 || rows % block == 0 ||
            keeps_rows(cut, i + 1, pieces * (rows % block)));
}

/*
 * Tell whether shards of the factor are shards of the factor with those after
 * it.  If p ranks shard n rows of k elements, rows are in blocks of b = n/p
 * rounded up, and elements in blocks of nk/p rounded up.  These are bk where
 * k(pb - n) < p, so wherever n divides or k is 1, and for example where 4 ranks
 * have 7 rows of 2: 2, 2, 2 and 1.  `left` rows are sharded by mesh dimensions
 * from `from` on, which may leave less to the last rank.  Pieces of strided
 * shards are equal, and each is sharded so.
 */
static bool keeps_rows(const inner_cut *cut, int from, int64_t left)
{
    const int i = next_cut(cut->at, cut->chosen, from, cut->mesh_dim,
                           cut->candidate->factor);
    const dti_candidate *candidate =
        i == cut->mesh_dim ? cut->candidate : choice(cut->at, cut->chosen, i);
    const int64_t pieces = pieces_of(cut->at, cut->chosen, i, candidate);
    return left % pieces == 0 && keeps_pieces(cut, i, pieces, left / pieces);
}

/* Tell whether a strided shard of a dimension begins inside a factor.  If it
 * begins where the factor does, the plain cut of that is the same; if it begins
 * where the factor ends, that of the next is: _S(0,4) of ((4 6)) cuts 6. */
static bool begins_inside(const dti_propagation *at, const dti_proposal *chosen,
                          int mesh_dim, const dti_candidate *candidate)
{
    const dt_factor_map *map =
        dti_map_in(at->question.factors, candidate->like);
    bool even = true;
    int place = 0;
    const int dim = find_factor(map, DT_MAX_NDIM, candidate->factor, &place);
    const int64_t major =
        major_extent(at, chosen, mesh_dim, &map->dims[dim], place, &even);
    if (map->dims[dim].count == 1)
        return true;
    if (major == 0 || candidate->strided <= major ||
        candidate->strided % major != 0)
        return false;
    return place == map->dims[dim].count - 1 ||
           candidate->strided / major <
               most_left(at, chosen, mesh_dim, candidate->factor, &even);
}

/* Factors before one of several are cut into equal parts, because a strided
 * shard has one factor on all ranks; itself so that its shards are those of the
 * dimension. */
static bool fits_map(const dti_propagation *at, const dti_proposal *chosen,
                     int mesh_dim, const dt_factor_map *map, int ndim,
                     const dti_candidate *candidate)
{
    int place, dim = find_factor(map, ndim, candidate->factor, &place);
    if (dim < 0 || map->dims[dim].count == 1)
        return true;
    const dt_factor_dim *factors = &map->dims[dim];
    inner_cut cut = {at, chosen, mesh_dim, candidate, .minor = 1};
    bool even = true, any = true;
    major_extent(at, chosen, mesh_dim, factors, place, &even);
    for (int i = place + 1; i < factors->count; i++)
        cut.minor *= most_left(at, chosen, mesh_dim, factors->factors[i], &any);
    return even &&
           keeps_rows(&cut, 0,
                      at->question.factors->factors[candidate->factor].size);
}

static bool fits_maps(const dti_propagation *at, const dti_proposal *chosen,
                      int mesh_dim, const dti_candidate *candidate)
{
    const dti_question *q = &at->question;
    for (int i = 0; i < q->operation->input_count; i++) {
        const dt_meta *meta = q->operation->metas[i];
        if (meta && !fits_map(at, chosen, mesh_dim, dti_map_in(q->factors, i),
                              meta->shape.ndim, candidate))
            return false;
        if (i >= q->factors->in_count)
            break; /* the others have the same map */
    }
    for (int i = 0; i < q->operation->result_count; i++) {
        if (!fits_map(at, chosen, mesh_dim, dti_map_out(q->factors, i),
                      q->operation->results[i].shape.ndim, candidate))
            return false;
        if (i >= q->factors->out_count)
            break;
    }
    return true;
}

/* Tell whether an input lies as a candidate wants it, cut. */
static bool is_cut_already(const dti_propagation *at,
                           const dti_proposal *chosen, int mesh_dim,
                           const dti_candidate *candidate)
{
    const dti_question *q = &at->question;
    for (int i = 0; i < q->operation->input_count; i++) {
        dt_placement wanted =
            dti_candidate_wish(at, chosen, mesh_dim, candidate, i);
        if (dti_is_shard(&wanted) &&
            dt_placement_equal(wanted, q->layouts[i].placements[mesh_dim]))
            return true;
    }
    return false;
}

static bool mixes(const dti_propagation *at, const dti_proposal *chosen,
                  int mesh_dim, const dti_candidate *candidate)
{
    const dti_question *q = &at->question;
    for (int k = 0; k < mesh_dim; k++) {
        const dti_candidate *taken = choice(at, chosen, k);
        for (int i = 0; i < q->operation->input_count; i++) {
            dt_placement a = dti_candidate_in(at, chosen, k, taken, i);
            dt_placement b =
                dti_candidate_in(at, chosen, mesh_dim, candidate, i);
            if (dti_is_partial(&a) && dti_is_partial(&b) &&
                !dti_partials_mix(&a, &b) && !dti_is_unread(q, i))
                return false;
            if (i >= q->tensor_count)
                break; /* the others of a list are partial alike */
        }
        for (int i = 0; i < q->operation->result_count; i++) {
            dt_placement a = dti_candidate_out(at, chosen, k, taken, i);
            dt_placement b =
                dti_candidate_out(at, chosen, mesh_dim, candidate, i);
            if (dti_is_partial(&a) && dti_is_partial(&b) &&
                !dti_partials_mix(&a, &b))
                return false;
            if (i >= DT_MAX_FACTOR_MAPS)
                break; /* the others of a list lie alike */
        }
    }
    return true;
}

/* Tell whether a dtype has what a placement combines it by. */
static bool can_combine(const dt_placement *placement, dt_dtype dtype)
{
    return !dti_is_partial(placement) ||
           dti_reduce_supports(placement->op, dtype);
}

static bool dtypes_combine(const dti_propagation *at,
                           const dti_proposal *chosen, int mesh_dim,
                           const dti_candidate *candidate)
{
    const dt_operation *operation = at->question.operation;
    for (int i = 0; candidate->partial && i < operation->input_count; i++) {
        dt_placement in = dti_candidate_in(at, chosen, mesh_dim, candidate, i);
        if (operation->metas[i] &&
            !can_combine(&in, operation->metas[i]->dtype))
            return false;
    }
    for (int i = 0; i < operation->result_count; i++) {
        dt_placement out =
            dti_candidate_out(at, chosen, mesh_dim, candidate, i);
        if (!can_combine(&out, operation->results[i].dtype))
            return false;
    }
    return true;
}

/* What is overwritten becomes a sum if it is one with a mask. */
static bool fits_target(dt_placement lies, dt_placement wanted)
{
    return dt_placement_equal(lies, wanted) ||
           (dti_is_partial(&lies) && dti_is_partial(&wanted) &&
            lies.op == DT_SUM && wanted.op == DT_SUM);
}

static bool meets_target(const dti_propagation *at, const dti_proposal *chosen,
                         int mesh_dim, const dti_candidate *candidate)
{
    const dti_question *q = &at->question;
    const int results = q->operation->result_count;
    for (int i = 0; q->keeps >> i; i++)
        if (q->keeps >> i & 1 &&
            !dt_placement_equal(
                dti_candidate_in(at, chosen, mesh_dim, candidate, i),
                q->layouts[i].placements[mesh_dim]))
            return false;
    for (int i = 0; i < results && i < DTI_MAX_RESULTS; i++)
        if (q->targets[i] &&
            !fits_target(dti_candidate_out(at, chosen, mesh_dim, candidate, i),
                         q->targets[i]->placements[mesh_dim]))
            return false;
    return true;
}

/* Tell whether a given tensor that a result goes to is cut there. */
static bool is_target_cut(const dti_question *q, int mesh_dim)
{
    for (int i = 0; i < q->operation->result_count && i < DTI_MAX_RESULTS; i++)
        if (q->targets[i] &&
            (q->targets[i]->placements[mesh_dim].kind == DT_SHARD ||
             q->targets[i]->placements[mesh_dim].kind == DT_STRIDED_SHARD))
            return true;
    return false;
}

const char *dti_candidate_misfit(const dti_propagation *at,
                                 const dti_proposal *chosen, int mesh_dim,
                                 const dti_candidate *candidate)
{
    const dti_question *q = &at->question;
    if (!meets_target(at, chosen, mesh_dim, candidate))
        return "a tensor that is overwritten has another layout";
    if (!dtypes_combine(at, chosen, mesh_dim, candidate))
        return "the dtype does not support this reduction";
    if (!mixes(at, chosen, mesh_dim, candidate))
        return "partial values of different reductions cannot be combined";
    if (candidate->kind != DTI_CUT)
        return NULL;
    int64_t parts = parts_before(at, chosen, mesh_dim, candidate->factor) *
                    q->mesh->dims.sizes[mesh_dim];
    if (candidate->strided && !begins_inside(at, chosen, mesh_dim, candidate))
        return "no piece of this factor begins there";
    if (!fits_maps(at, chosen, mesh_dim, candidate))
        return "the shards would not be of equal size";
    /* Propagation never chooses empty shards, except those of a tensor that a
     * result is written to, and those that an input has already. */
    if (q->factors->factors[candidate->factor].size >= parts ||
        is_target_cut(q, mesh_dim) ||
        is_cut_already(at, chosen, mesh_dim, candidate))
        return NULL;
    return "some ranks would be empty";
}
