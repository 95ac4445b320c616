/* ops/linalg/einsum.c - sums of products of any number of tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "op/rule/equation.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"

static bool has(const dti_letters *in, char letter)
{
    return dti_letters_find(in, letter) >= 0;
}

/* ---- In which order ---------------------------------------------------- */

/* An equation of many tensors. */
typedef struct equation {
    int count;
    dti_letters *operands;
    dti_letters result;
    int64_t extents[128];
} equation;

/* Letters as bits, which sets of operands share. */
typedef uint64_t letter_set;

static letter_set bit_of(char letter)
{
    return (letter_set)1 << (letter >= 'a' ? letter - 'a' : letter - 'A' + 26);
}

static letter_set set_of(const dti_letters *letters)
{
    letter_set set = 0;
    for (int i = 0; i < letters->count; i++)
        set |= bit_of(letters->letters[i]);
    return set;
}

static int count_of(letter_set set)
{
    int count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

static double product_of(const equation *e, letter_set set)
{
    double product = 1;
    for (int c = 'A'; c <= 'z'; c++)
        if ((c <= 'Z' || c >= 'a') && (set & bit_of((char)c)))
            product *= (double)e->extents[c];
    return product;
}

/*
 * What a pair costs: a term for each combination of its letters, and what it
 * leaves has to be written, kept and read again.  What is left at the end is
 * the same in every order.
 */
static double cost_of(const equation *e, letter_set all, letter_set left)
{
    const double in_memory = 8; /* terms that take as long as an element */
    return product_of(e, all) + in_memory * product_of(e, left);
}

/* A pair to contract, by their numbers: the operands come first, then results
 * in the order that they are made in. */
typedef struct pair {
    int a, b;
} pair;

/*
 * The cheapest order of a few operands: for each set of operands, the cheapest
 * way to split it into two that are contracted last.
 */
enum { MOST_SEARCHED = 8, SETS = 1 << MOST_SEARCHED };

typedef struct search {
    letter_set letters[SETS]; /* of the result of a set */
    double costs[SETS];
    int splits[SETS]; /* one of the two; 0: there is no way */
} search;

/* Letters that a set of operands leaves: those that others have, or the
 * result. */
static letter_set left_over(const equation *e, int set)
{
    letter_set inside = 0, outside = set_of(&e->result);
    for (int i = 0; i < e->count; i++)
        if (set >> i & 1)
            inside |= set_of(&e->operands[i]);
        else
            outside |= set_of(&e->operands[i]);
    return inside & outside;
}

static void split_best(const equation *e, search *s, int set)
{
    s->letters[set] = left_over(e, set);
    s->splits[set] = 0;
    if (count_of(s->letters[set]) > DT_MAX_NDIM)
        return;
    for (int part = (set - 1) & set; part; part = (part - 1) & set) {
        const int rest = set & ~part;
        const bool single = !(part & (part - 1)), alone = !(rest & (rest - 1));
        if (part < rest || (!single && !s->splits[part]) ||
            (!alone && !s->splits[rest]))
            continue;
        const letter_set all = s->letters[part] | s->letters[rest];
        const double cost =
            s->costs[part] + s->costs[rest] + cost_of(e, all, s->letters[set]);
        if (s->splits[set] && cost >= s->costs[set])
            continue;
        s->splits[set] = part;
        s->costs[set] = cost;
    }
}

/* Write down the pairs of a set; gives the number of its result. */
static int write_pairs(const equation *e, const search *s, int set, pair *pairs,
                       int *count)
{
    if (!(set & (set - 1))) {
        int operand = 0;
        while (!(set >> operand & 1))
            operand++;
        return operand;
    }
    const int part = s->splits[set];
    const int x = write_pairs(e, s, set & ~part, pairs, count);
    const int y = write_pairs(e, s, part, pairs, count);
    pairs[*count] = x < y ? (pair){x, y} : (pair){y, x};
    return e->count + (*count)++;
}

static dt_status search_pairs(const dt_operation *operation, const equation *e,
                              pair *pairs, bool *found)
{
    search *s = malloc(sizeof *s);
    int count = 0;
    if (!s)
        return dti_fail_memory(operation->world, sizeof *s, "an equation");
    for (int set = 1; set < 1 << e->count; set++) {
        s->costs[set] = 0;
        if (set & (set - 1)) {
            split_best(e, s, set);
        } else {
            s->splits[set] = 0;
            s->letters[set] = left_over(e, set);
            for (int i = 0; i < e->count; i++)
                if (set == 1 << i)
                    s->letters[set] = set_of(&e->operands[i]);
        }
    }
    const int all = (1 << e->count) - 1;
    *found = s->splits[all] != 0;
    if (*found)
        write_pairs(e, s, all, pairs, &count);
    free(s);
    return DT_OK;
}

/* ---- Many operands: the cheapest pair next --------------------------------
 */

/* Letters that a pair leaves, with those of all others that are still there. */
static letter_set left_by(const letter_set *sets, const bool *gone, int count,
                          letter_set result, int a, int b)
{
    letter_set outside = result;
    for (int i = 0; i < count; i++)
        if (!gone[i] && i != a && i != b)
            outside |= sets[i];
    return (sets[a] | sets[b]) & outside;
}

static bool cheapest_pair(const equation *e, const letter_set *sets,
                          const bool *gone, int count, pair *out)
{
    double best = -1;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) {
            if (gone[a] || gone[b])
                continue;
            const letter_set left =
                left_by(sets, gone, count, set_of(&e->result), a, b);
            const double cost = cost_of(e, sets[a] | sets[b], left);
            if (count_of(left) > DT_MAX_NDIM || (best >= 0 && cost >= best))
                continue;
            best = cost;
            *out = (pair){a, b};
        }
    return best >= 0;
}

static dt_status choose_pairs(const dt_operation *operation, const equation *e,
                              pair *pairs, bool *found)
{
    const size_t room = 2 * (size_t)e->count;
    letter_set *sets = calloc(room, sizeof *sets);
    bool *gone = calloc(room, sizeof *gone);
    dt_status status = DT_OK;
    *found = true;
    if (!sets || !gone)
        status = dti_fail_memory(operation->world, room * sizeof *sets,
                                 "an equation");
    for (int i = 0; i < e->count && status == DT_OK; i++)
        sets[i] = set_of(&e->operands[i]);
    for (int i = 0; i + 1 < e->count && status == DT_OK && *found; i++) {
        const int count = e->count + i;
        *found = cheapest_pair(e, sets, gone, count, &pairs[i]);
        if (!*found)
            break;
        sets[count] = left_by(sets, gone, count, set_of(&e->result), pairs[i].a,
                              pairs[i].b);
        gone[pairs[i].a] = gone[pairs[i].b] = true;
    }
    free(gone);
    free(sets);
    return status;
}

/* ---- Carrying it out ----------------------------------------------------- */

/* Tensors and letters on the way: operands, then results of pairs. */
typedef struct evaluation {
    const dt_operation *operation;
    const equation *equation;
    dt_tensor **tensors;
    dti_letters *letters;
    bool *gone;
    int count;
} evaluation;

static char *write_letters(char *to, const dti_letters *letters)
{
    memcpy(to, letters->letters, (size_t)letters->count);
    return to + letters->count;
}

/* Letters that the next result has: the whole result's at the end, or those
 * that something else still needs, in the order that suits a product. */
static dti_letters letters_after(const evaluation *at, pair of, bool last)
{
    dti_letters out = {0};
    letter_set needed = set_of(&at->equation->result);
    if (last)
        return at->equation->result;
    for (int i = 0; i < at->count; i++)
        if (!at->gone[i] && i != of.a && i != of.b)
            needed |= set_of(&at->letters[i]);
    const dti_letters *a = &at->letters[of.a], *b = &at->letters[of.b];
    const struct {
        const dti_letters *from, *other;
        bool shared;
    } passes[] = {{a, b, true}, {a, b, false}, {b, a, false}};
    for (int p = 0; p < 3; p++)
        for (int i = 0; i < passes[p].from->count; i++) {
            const char letter = passes[p].from->letters[i];
            if ((needed & bit_of(letter)) &&
                has(passes[p].other, letter) == passes[p].shared)
                out.letters[out.count++] = letter;
        }
    return out;
}

/* Contract two tensors, or sum one up. */
static dt_status contract(const evaluation *at, pair of,
                          const dti_letters *result, dt_tensor **out)
{
    char text[3 * DT_MAX_NDIM + 4], *end = text;
    const bool two = of.b >= 0;
    end = write_letters(end, &at->letters[of.a]);
    if (two) {
        *end++ = ',';
        end = write_letters(end, &at->letters[of.b]);
    }
    *end++ = '-';
    *end++ = '>';
    end = write_letters(end, result);
    *end = '\0';
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = at->tensors[of.a]},
        {.kind = two ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = two ? at->tensors[of.b] : NULL},
        {.kind = DT_ARG_TEXT, .as.text = text}};
    return dt_op_call(at->operation->world, "contract", DT_VARIANT_NEW,
                      arguments, 3, out, 1, NULL);
}

/* Put dimensions into the order of the result. */
static dt_status reorder(const evaluation *at, dt_tensor *tensor,
                         const dti_letters *letters, dt_tensor **out)
{
    const dti_letters *result = &at->equation->result;
    int64_t order[DT_MAX_NDIM];
    for (int i = 0; i < result->count; i++)
        order[i] = dti_letters_find(letters, result->letters[i]);
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = tensor},
        {.kind = DT_ARG_INTEGERS,
         .count = result->count,
         .as.integers = order}};
    return dt_op_call(at->operation->world, "permute", DT_VARIANT_NEW,
                      arguments, 2, out, 1, NULL);
}

/* Integers and bool are summed as `sum` does it: in i64. */
static dt_status sum_integers(const evaluation *at, dti_letters *letters,
                              dt_tensor **out)
{
    const dti_letters before = *letters;
    int64_t dims[DT_MAX_NDIM];
    int count = 0;
    letters->count = 0;
    for (int i = 0; i < before.count; i++)
        if (has(&at->equation->result, before.letters[i]))
            letters->letters[letters->count++] = before.letters[i];
        else
            dims[count++] = i;
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = at->tensors[0]},
        {.kind = DT_ARG_INTEGERS, .count = count, .as.integers = dims},
        {.kind = DT_ARG_INTEGER, .as.integer = 0}};
    return dt_op_call(at->operation->world, "sum", DT_VARIANT_NEW, arguments, 3,
                      out, 1, NULL);
}

/* See the diagonal of two dimensions with one letter, as the last one. */
static dt_status take_diagonal(const evaluation *at, int operand, int first,
                               int second)
{
    dti_letters *letters = &at->letters[operand];
    const dti_letters before = *letters;
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = at->tensors[operand]},
        {.kind = DT_ARG_INTEGER, .as.integer = 0},
        {.kind = DT_ARG_INTEGER, .as.integer = first},
        {.kind = DT_ARG_INTEGER, .as.integer = second}};
    DTI_TRY(dt_op_call(at->operation->world, "diagonal", DT_VARIANT_NEW,
                       arguments, 4, &at->tensors[operand], 1, NULL));
    letters->count = 0;
    for (int d = 0; d < before.count; d++)
        if (d != first && d != second)
            letters->letters[letters->count++] = before.letters[d];
    letters->letters[letters->count++] = before.letters[first];
    return DT_OK;
}

/* See diagonals of operands that have a letter twice. */
static dt_status take_diagonals(const evaluation *at)
{
    for (int i = 0; i < at->equation->count; i++)
        for (int d = 0; d < at->letters[i].count; d++) {
            const int first =
                dti_letters_find(&at->letters[i], at->letters[i].letters[d]);
            if (first == d)
                continue;
            DTI_TRY(take_diagonal(at, i, first, d));
            d = -1; /* the others have moved */
        }
    return DT_OK;
}

static dt_status evaluate_one(evaluation *at, dt_tensor **out)
{
    dt_tensor *tensor = at->tensors[0];
    const dt_dtype_kind kind = dt_dtype_kind_of(dt_tensor_dtype(tensor));
    dti_letters letters = at->letters[0];
    const bool sums = letters.count != at->equation->result.count;
    if (sums && (kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX))
        return contract(at, (pair){0, -1}, &at->equation->result, out);
    if (sums)
        DTI_TRY(sum_integers(at, &letters, &tensor));
    return reorder(at, tensor, &letters, out);
}

static dt_status evaluate_pairs(evaluation *at, const pair *pairs,
                                dt_tensor **out)
{
    const int operands = at->equation->count;
    for (int i = 0; i + 1 < operands; i++) {
        const bool last = i + 2 == operands;
        const pair of = pairs[i];
        at->letters[at->count] = letters_after(at, of, last);
        DTI_TRY(
            contract(at, of, &at->letters[at->count], &at->tensors[at->count]));
        /* What is no operand is needed no more. */
        at->gone[of.a] = at->gone[of.b] = true;
        if (of.a >= operands)
            dt_tensor_release_early(at->tensors[of.a]);
        if (of.b >= operands)
            dt_tensor_release_early(at->tensors[of.b]);
        at->count++;
    }
    *out = at->tensors[at->count - 1];
    return DT_OK;
}

static dt_status find_pairs(const dt_operation *operation, const equation *e,
                            pair *pairs)
{
    bool found = false;
    if (e->count <= MOST_SEARCHED)
        DTI_TRY(search_pairs(operation, e, pairs, &found));
    else
        DTI_TRY(choose_pairs(operation, e, pairs, &found));
    if (!found)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "every order of products has an intermediate "
                                 "result of more than %d dimensions",
                                 DT_MAX_NDIM);
    return DT_OK;
}

/* Lists of an evaluation, in one piece of memory. */
static void *take_lists(const dt_operation *operation, evaluation *at,
                        pair **pairs)
{
    const size_t room = 2 * (size_t)operation->input_count;
    const size_t each = sizeof *at->tensors + sizeof *at->letters +
                        sizeof **pairs + sizeof *at->gone;
    char *lists = calloc(room, each);
    if (!lists) {
        dti_fail_memory(operation->world, room * each, "an equation");
        return NULL;
    }
    at->tensors = (dt_tensor **)(void *)lists;
    at->letters = (dti_letters *)(void *)(at->tensors + room);
    *pairs = (pair *)(void *)(at->letters + room);
    at->gone = (bool *)(*pairs + room);
    return lists;
}

static dt_status read_equation(const dt_operation *operation, equation *e)
{
    const int count = operation->input_count;
    const size_t bytes = (size_t)count * (sizeof(dt_shape) + sizeof(int));
    dt_shape *shapes = malloc(bytes);
    dt_error error = {0};
    if (!shapes)
        return dti_fail_memory(operation->world, bytes, "an equation");
    int *ndims = (int *)(void *)(shapes + count);
    for (int i = 0; i < count; i++) {
        shapes[i] = dt_tensor_shape(operation->inputs[i]);
        ndims[i] = shapes[i].ndim;
    }
    dt_status status =
        dti_equation_parse(dti_argument_text(operation, "equation"), ndims,
                           count, e->operands, &e->result, &error);
    if (status == DT_OK)
        status = dti_equation_extents(e->operands, shapes, count, e->extents,
                                      &error);
    free(shapes);
    if (status != DT_OK)
        return dt_operation_fail(operation, status, "%s", error.message);
    return DT_OK;
}

static dt_status evaluate(const dt_operation *operation, evaluation *at,
                          equation *e, pair *pairs, dt_tensor **out)
{
    e->count = operation->input_count;
    e->operands = at->letters;
    DTI_TRY(read_equation(operation, e));
    DTI_TRY(take_diagonals(at));
    if (e->count == 1)
        return evaluate_one(at, out);
    DTI_TRY(find_pairs(operation, e, pairs));
    return evaluate_pairs(at, pairs, out);
}

static dt_status einsum_compose(dt_operation *operation)
{
    equation e;
    pair *pairs = NULL;
    evaluation at = {.operation = operation,
                     .equation = &e,
                     .count = operation->input_count};
    void *lists = take_lists(operation, &at, &pairs);
    if (!lists)
        return DT_ERR_NO_MEMORY;
    memcpy(at.tensors, operation->inputs,
           (size_t)operation->input_count * sizeof *at.tensors);
    dt_status status =
        evaluate(operation, &at, &e, pairs, &operation->outputs[0]);
    free(lists);
    return status;
}

/* ---- The row ------------------------------------------------------------ */

/* A product of two may be a partial sum, which the third one multiplies in
 * parts: the same result if it is finite. */
const dt_op dti_ops_einsum[] = {
    {
        .schema = "einsum(Text equation, Tensor[] operands) -> Tensor",
        .about =
            "Sum of products of any number of tensors by an equation; pairs "
            "are contracted in the order that takes the fewest operations.",
        .compose = einsum_compose,
        .samples = "(\"mk,kn->mn\", [T[m,k], T[k,n]]); "
                   "(\"ij,jk,kl\", [T[m,3]~, T[3,k]~, T[k,n]~]); "
                   "(\"ij->ji\", [T[m,n]]); (\"ij->j\", [T[m,n]]); "
                   "(\"...i,...i->...\", [T[2,m,n], T[m,n]])",
        .dtypes = "float int complex",
    },
    {0},
};
