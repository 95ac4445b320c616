/* layout/text.c - layouts as text, in and out. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/text/reader.h"
#include "layout/layout.h"

/*
 *     layout    = placement { [","] placement }
 *     placement = replicate | shard | strided | partial | masked
 *     replicate = "R" | "Replicate" [ "()" ]
 *     shard     = ( "S" | "Shard" ) "(" [ "dim=" ] dim ")" [order]
 *     strided   = "_S(" dim "," factor ")" [order]
 *     partial   = ( "P" | "Partial" ) [ "(" [reduction] ")" ]
 *     masked    = "MaskP" [ "(sum)" ]
 *     order     = "[" digits "]"
 *
 * with white space around every part.  The long names are those that PyTorch
 * prints; the short ones are what is written here.
 */

/* The same in one sentence, for the message about a text that is no layout. */
static const char grammar[] =
    "a layout has one placement for each mesh dimension, R or Replicate(), "
    "S(dim) or Shard(dim), P(op) or Partial(op), for example \"S(0)R\"";

/* ---- Reading ------------------------------------------------------------ */

static dt_status accept_or_fail(dti_reader *from, char wanted, const char *what)
{
    return dti_reader_accept(from, wanted) ? DT_OK
                                           : dti_reader_expected(from, what);
}

static dt_status read_dim(dti_reader *from, int *out)
{
    int64_t dim = 0;
    bool negative = dti_reader_accept(from, '-');
    DTI_TRY(dti_reader_number(from, "a dimension", INT_MAX, &dim));
    *out = (int)(negative ? -dim : dim);
    return DT_OK;
}

static dt_status read_order(dti_reader *from, int *out)
{
    int64_t order = 0;
    *out = -1;
    if (!dti_reader_accept(from, '['))
        return DT_OK;
    DTI_TRY(dti_reader_number(from, "a place in the order", DT_MAX_NDIM - 1,
                              &order));
    DTI_TRY(accept_or_fail(from, ']', "\"]\""));
    *out = (int)order;
    return DT_OK;
}

static dt_status read_shard(dti_reader *from, bool strided, dt_placement *out,
                            int *order)
{
    int dim = 0;
    int64_t factor = 1;
    DTI_TRY(accept_or_fail(from, '(', "\"(\""));
    if (dti_reader_accept_word(from, "dim"))
        DTI_TRY(accept_or_fail(from, '=', "\"=\""));
    DTI_TRY(read_dim(from, &dim));
    if (strided) {
        DTI_TRY(accept_or_fail(from, ',', "a comma"));
        DTI_TRY(dti_reader_number(from, "a factor", INT64_MAX, &factor));
    }
    DTI_TRY(accept_or_fail(from, ')', "\")\""));
    *out = strided ? dt_strided_shard(dim, factor) : dt_shard(dim);
    return read_order(from, order);
}

static dt_status read_reduction(dti_reader *from, dt_reduce *out)
{
    const char *names = "sum, avg, product, min, max, band, bor or bxor";
    *out = DT_SUM;
    if (!dti_reader_accept(from, '(') || dti_reader_accept(from, ')'))
        return DT_OK;
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        if (dti_reader_accept_word(from, dt_reduce_name((dt_reduce)op))) {
            *out = (dt_reduce)op;
            return accept_or_fail(from, ')', "\")\"");
        }
    return dti_reader_expected(from, names);
}

static dt_status read_partial(dti_reader *from, bool masked, dt_placement *out)
{
    dt_reduce op;
    DTI_TRY(read_reduction(from, &op));
    if (masked && op != DT_SUM)
        return dti_fail(from->world, DT_ERR_INVALID,
                        DTI_QUOTED ": a masked partial value must be a sum",
                        from->text);
    *out = masked ? dt_masked_partial() : dt_partial(op);
    return DT_OK;
}

static dt_status read_replicate(dti_reader *from, bool brackets,
                                dt_placement *out)
{
    *out = dt_replicate();
    if (!brackets || !dti_reader_accept(from, '('))
        return DT_OK;
    return accept_or_fail(from, ')', "\")\"");
}

/* Read one placement; `order` is -1 where none is given. */
static dt_status read_placement(dti_reader *from, dt_placement *out, int *order)
{
    *order = -1;
    if (dti_reader_accept_word(from, "_S"))
        return read_shard(from, true, out, order);
    if (dti_reader_accept_word(from, "Shard") || dti_reader_accept(from, 'S'))
        return read_shard(from, false, out, order);
    if (dti_reader_accept_word(from, "MaskP"))
        return read_partial(from, true, out);
    if (dti_reader_accept_word(from, "Partial") || dti_reader_accept(from, 'P'))
        return read_partial(from, false, out);
    if (dti_reader_accept_word(from, "Replicate"))
        return read_replicate(from, true, out);
    if (dti_reader_accept(from, 'R'))
        return read_replicate(from, false, out);
    return dti_reader_expected(from, "a placement");
}

/* Where a tensor dimension has any order, it is all there. */
static dt_status settle_order(dti_reader *from, const int *given,
                              dt_layout *layout)
{
    dti_layout_default_order(layout);
    for (int i = 0; i < layout->ndim; i++)
        for (int j = 0; j < layout->ndim; j++)
            if (given[i] >= 0 && given[j] < 0 &&
                dti_is_shard(&layout->placements[j]) &&
                layout->placements[j].dim == layout->placements[i].dim)
                return dti_fail(
                    from->world, DT_ERR_INVALID,
                    DTI_QUOTED
                    ": dimension %d has an order for some of its shards only",
                    from->text, layout->placements[i].dim);
    for (int i = 0; i < layout->ndim; i++)
        if (given[i] >= 0)
            layout->order[i] = given[i];
    return dti_layout_check_order(from->world, layout);
}

dt_status dt_layout_parse(dt_world *world, const char *text, dt_layout *out)
{
    dti_reader from = {
        .world = world, .text = text, .at = text, .grammar = grammar};
    dt_layout layout = {0};
    int given[DT_MAX_NDIM] = {0};
    if (!text)
        return dti_fail(world, DT_ERR_INVALID, "the layout is NULL");
    dti_reader_skip_space(&from);
    while (*from.at) {
        if (layout.ndim == DT_MAX_NDIM)
            return dti_fail(world, DT_ERR_INVALID,
                            DTI_QUOTED ": a layout has at most %d placements",
                            text, DT_MAX_NDIM);
        DTI_TRY(read_placement(&from, &layout.placements[layout.ndim],
                               &given[layout.ndim]));
        layout.ndim++;
        if (dti_reader_accept(&from, ',') && !*from.at)
            return dti_reader_expected(&from, "a placement");
    }
    if (layout.ndim == 0)
        return dti_reader_expected(&from, "a placement");
    DTI_TRY(settle_order(&from, given, &layout));
    *out = layout;
    return DT_OK;
}

/* ---- Writing ------------------------------------------------------------ */

static void put_placement(dti_writer *to, const dt_placement *placement)
{
    switch (placement->kind) {
    case DT_REPLICATE:
        dti_put(to, "R");
        return;
    case DT_SHARD:
        dti_put(to, "S(%d)", placement->dim);
        return;
    case DT_STRIDED_SHARD:
        dti_put(to, "_S(%d,%" PRId64 ")", placement->dim, placement->factor);
        return;
    case DT_PARTIAL:
        dti_put(to, "P(%s)", dt_reduce_name(placement->op));
        return;
    case DT_MASKED_PARTIAL:
        dti_put(to, "MaskP(sum)");
        return;
    }
    dti_put(to, "?");
}

/* Tell whether a tensor dimension is cut in an order: more than once, and
 * without strided shards, which have none. */
static bool has_order(const dt_layout *layout, int tensor_dim)
{
    int dims[DT_MAX_NDIM];
    int count = dti_layout_shards(layout, tensor_dim, dims);
    for (int i = 0; i < count; i++)
        if (layout->placements[dims[i]].kind == DT_STRIDED_SHARD)
            return false;
    return count > 1;
}

size_t dt_layout_format(const dt_layout *layout, char *text, size_t size)
{
    dti_writer to = {text, size, 0};
    if (size)
        text[0] = '\0';
    for (int i = 0; i < dti_layout_ndim(layout); i++) {
        const dt_placement *placement = &layout->placements[i];
        put_placement(&to, placement);
        if (dti_is_shard(placement) && has_order(layout, placement->dim))
            dti_put(&to, "[%d]", layout->order[i]);
    }
    return to.length;
}

dti_layout_show_text dti_layout_show(const dt_layout *layout)
{
    dti_layout_show_text out;
    dt_layout_format(layout, out.text, sizeof out.text);
    return out;
}
