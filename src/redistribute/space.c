/* redistribute/space.c - layouts as states of a search, and what lies between.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/space.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "redistribute/partial.h"

/* Meshes with more ranks than this are looked at in samples. */
#define ALL_RANKS 1024
/* Coordinates of a large mesh dimension that are looked at. */
#define SAMPLED 5

/* ---- Ranks -------------------------------------------------------------- */

/* The coordinates of a mesh dimension to look at, ascending: the first ones,
 * the middle and the last ones. */
static int sample_dim(int size, bool all, int *out)
{
    const int wanted[SAMPLED] = {0, 1, size / 2, size - 2, size - 1};
    int count = 0;
    if (all) {
        return size;
    }
    for (int i = 0; i < SAMPLED; i++)
        if (wanted[i] >= 0 && (count == 0 || wanted[i] > out[count - 1]))
            out[count++] = wanted[i];
    return count;
}

static void list_ranks(dti_space *space, bool all, int counts[],
                       int samples[][SAMPLED])
{
    const dt_mesh *mesh = space->mesh;
    for (int i = 0; i < space->ranks; i++) {
        int rest = i;
        int *coordinate = space->coordinates + i * mesh->dims.ndim;
        space->places[i] = 0;
        for (int j = mesh->dims.ndim - 1; j >= 0; j--) {
            assert(counts[j] > 0);
            int at = rest % counts[j];
            rest /= counts[j];
            coordinate[j] = all ? at : samples[j][at];
            space->places[i] += coordinate[j] * mesh->strides[j];
        }
    }
}

dt_status dti_space_open(dti_space *space, const dt_spec *spec)
{
    const dt_mesh *mesh = spec->mesh;
    int counts[DT_MAX_NDIM] = {0}, samples[DT_MAX_NDIM][SAMPLED] = {{0}};
    bool all = mesh->places->count <= ALL_RANKS;
    *space = (dti_space){.mesh = mesh,
                         .shape = spec->meta.shape,
                         .item = (int64_t)dt_dtype_size(spec->meta.dtype),
                         .ranks = 1};
    for (int i = 0; i < mesh->dims.ndim; i++) {
        counts[i] = sample_dim(mesh->dims.sizes[i], all, samples[i]);
        space->ranks *= counts[i];
    }
    size_t numbers = (size_t)space->ranks * (size_t)(mesh->dims.ndim + 1);
    space->places = malloc(numbers * sizeof *space->places);
    if (!space->places)
        return dti_fail_memory(mesh->world, numbers * sizeof *space->places,
                               "the ranks of a plan");
    space->coordinates = space->places + space->ranks;
    list_ranks(space, all, counts, samples);
    return DT_OK;
}

void dti_space_close(dti_space *space)
{
    free(space->places);
}

bool dti_space_has_all(const dti_space *space)
{
    return space->ranks == space->mesh->places->count;
}

/* ---- What ranks have ---------------------------------------------------- */

void dti_layout_cuts_of(const dt_mesh *mesh, const dt_layout *layout, int dim,
                        dti_cuts *out)
{
    int dims[DT_MAX_NDIM];
    out->count = dti_layout_cuts(layout, dim, dims);
    for (int i = 0; i < out->count; i++) {
        const dt_placement *placement = &layout->placements[dims[i]];
        out->list[i] = (dti_cut){
            .mesh_dim = dims[i],
            .parts = mesh->dims.sizes[dims[i]],
            .factor =
                placement->kind == DT_STRIDED_SHARD ? placement->factor : 1,
        };
    }
}

static bool is_strided(const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_STRIDED_SHARD)
            return true;
    return false;
}

static const int *coordinate_of(const dti_space *space, int i)
{
    return space->coordinates + i * space->mesh->dims.ndim;
}

static void set_spans(dti_holdings *out, const dti_space *space, int dim,
                      const dti_cuts *cuts)
{
    int ndim = space->shape.ndim;
    for (int i = 0; i < space->ranks; i++) {
        dti_indexes indexes;
        dti_indexes_set(&indexes, space->shape.dims[dim], cuts,
                        coordinate_of(space, i));
        out->spans[i * ndim + dim] =
            (dti_span){indexes.depth ? indexes.maps[0].tail : 0, indexes.size};
    }
}

static void set_parts(dti_holdings *out, const dti_space *space, int dim,
                      const dti_cuts *cuts)
{
    for (int i = 0; i < space->ranks; i++) {
        out->parts[i].ndim = space->shape.ndim;
        dti_indexes_set(&out->parts[i].dims[dim], space->shape.dims[dim], cuts,
                        coordinate_of(space, i));
    }
}

static int64_t span_count(const dti_span *spans, int ndim)
{
    int64_t count = 1;
    for (int i = 0; i < ndim; i++)
        count *= spans[i].size;
    return count;
}

static int64_t held(const dti_space *space, const dti_holdings *of, int i)
{
    if (of->parts)
        return dti_part_count(&of->parts[i]);
    return span_count(of->spans + i * space->shape.ndim, space->shape.ndim);
}

dt_status dti_holdings_set(dti_holdings *out, const dti_space *space,
                           const dt_layout *layout)
{
    bool strided = is_strided(layout);
    int ndim = space->shape.ndim;
    size_t each = strided ? sizeof(dti_part) : (size_t)ndim * sizeof(dti_span);
    void *memory = malloc((size_t)space->ranks * each + 1);
    if (!memory)
        return dti_fail_memory(space->mesh->world, (size_t)space->ranks * each,
                               "a plan");
    *out = (dti_holdings){.spans = strided ? NULL : memory,
                          .parts = strided ? memory : NULL};
    for (int i = 0; strided && i < space->ranks; i++)
        out->parts[i].ndim = ndim;
    for (int dim = 0; dim < ndim; dim++) {
        dti_cuts cuts;
        dti_layout_cuts_of(space->mesh, layout, dim, &cuts);
        if (strided)
            set_parts(out, space, dim, &cuts);
        else
            set_spans(out, space, dim, &cuts);
    }
    for (int i = 0; i < space->ranks; i++) {
        int64_t count = held(space, out, i);
        if (count > out->largest)
            out->largest = count;
    }
    return DT_OK;
}

size_t dti_holdings_bytes(const dti_holdings *holdings, const dti_space *space)
{
    size_t ndim = (size_t)space->shape.ndim;
    size_t each = holdings->parts ? sizeof(dti_part) : ndim * sizeof(dti_span);
    return (size_t)space->ranks * each;
}

void dti_holdings_free(dti_holdings *holdings)
{
    free(holdings->spans);
    free(holdings->parts);
    *holdings = (dti_holdings){0};
}

/* ---- What is missing ---------------------------------------------------- */

static int64_t shared_spans(const dti_span *a, const dti_span *b, int ndim)
{
    int64_t count = 1;
    for (int i = 0; i < ndim; i++) {
        int64_t begin = a[i].begin > b[i].begin ? a[i].begin : b[i].begin;
        int64_t a_end = a[i].begin + a[i].size, b_end = b[i].begin + b[i].size;
        int64_t end = a_end < b_end ? a_end : b_end;
        if (end <= begin)
            return 0;
        count *= end - begin;
    }
    return count;
}

/* A rank's holdings as a part, wherever they are kept. */
static const dti_part *part_of(const dti_space *space, const dti_holdings *of,
                               int i, dti_part *room)
{
    if (of->parts)
        return &of->parts[i];
    assert(of->spans);
    const dti_span *spans = of->spans + i * space->shape.ndim;
    room->ndim = space->shape.ndim;
    for (int j = 0; j < room->ndim; j++)
        dti_indexes_set_range(&room->dims[j], space->shape.dims[j],
                              spans[j].begin, spans[j].size);
    return room;
}

static int64_t shared(const dti_space *space, const dti_holdings *a,
                      const dti_holdings *b, int i)
{
    dti_part room_a, room_b;
    int ndim = space->shape.ndim;
    if (a->spans && b->spans)
        return shared_spans(a->spans + i * ndim, b->spans + i * ndim, ndim);
    return dti_overlap_count(part_of(space, a, i, &room_a),
                             part_of(space, b, i, &room_b));
}

int64_t dti_holdings_missing(const dti_space *space, const dti_holdings *from,
                             const dti_holdings *to)
{
    int64_t most = 0;
    for (int i = 0; i < space->ranks; i++) {
        int64_t missing = held(space, to, i);
        if (missing > most)
            missing -= shared(space, from, to, i);
        if (missing > most)
            most = missing;
    }
    return most;
}

/* Empty parts have shapes too. */
bool dti_holdings_equal(const dti_space *space, const dti_holdings *a,
                        const dti_holdings *b)
{
    dti_part room_a, room_b;
    bool equal = dti_space_has_all(space);
    for (int i = 0; equal && i < space->ranks; i++)
        equal = dt_shape_equal(dti_part_shape(part_of(space, a, i, &room_a)),
                               dti_part_shape(part_of(space, b, i, &room_b))) &&
                held(space, a, i) == shared(space, a, b, i);
    return equal;
}

/* Runs that begin within so many bytes come together. */
#define NEAR_BYTES 128

int64_t dti_holdings_rows(const dti_space *space, const dti_holdings *from,
                          const dti_holdings *to)
{
    dti_part room_a, room_b;
    const dti_part *a = part_of(space, from, 0, &room_a);
    const dti_part *b = part_of(space, to, 0, &room_b);
    int64_t count = dti_part_count(b), run = 1;
    for (int i = b->ndim - 1; i >= 0 && count > 0; i--) {
        int64_t length;
        dti_indexes_at(&b->dims[i], 0, &length);
        run *= length;
        if (length < a->dims[i].size)
            break;
    }
    int64_t most = (dti_part_count(a) * space->item - 1) / NEAR_BYTES;
    int64_t rows = count > run ? count / run : 0;
    rows = rows < most ? rows : most;
    return rows > 1 ? rows - 1 : 0;
}

/* ---- Who talks to whom -------------------------------------------------- */

unsigned dti_layouts_parted(const dt_layout *from, const dt_layout *to)
{
    unsigned dims = 0;
    for (int i = 0; i < from->ndim && i < to->ndim; i++)
        if (dti_partial_has_one_holder(&to->placements[i]) &&
            !dti_is_partial(&from->placements[i]))
            dims |= 1u << i;
    return dims;
}

unsigned dti_layouts_apart(const dt_mesh *mesh, const dt_layout *from,
                           const dt_layout *to, int tensor_ndim)
{
    unsigned dims = 0;
    for (int dim = 0; dim < tensor_ndim; dim++) {
        dti_cuts a, b;
        int same = 0;
        dti_layout_cuts_of(mesh, from, dim, &a);
        dti_layout_cuts_of(mesh, to, dim, &b);
        while (same < a.count && same < b.count &&
               a.list[same].mesh_dim == b.list[same].mesh_dim &&
               a.list[same].factor == b.list[same].factor)
            same++;
        for (int i = same; i < a.count; i++)
            dims |= 1u << a.list[i].mesh_dim;
    }
    return dims & ~dti_layouts_parted(from, to);
}

int dti_mesh_ranks_along(const dt_mesh *mesh, unsigned dims)
{
    int ranks = 1;
    for (int i = 0; i < mesh->dims.ndim; i++)
        if (dims >> i & 1)
            ranks *= mesh->dims.sizes[i];
    return ranks;
}

/* Blocks that are counted one by one; from there on the rest is reckoned. */
#define COUNTED_BLOCKS 1024

/* Who a rank reads from: ranks that are where it is along some mesh dimensions.
 */
typedef struct reading {
    const dti_space *space;
    const dt_layout *from;
    const dt_layout *to;
    unsigned parted;
    const int *coordinate;
} reading;

/* The cuts of a dimension before, and what the rank wants of it. */
static void look_at_dim(const reading *of, int dim, dti_cuts *cuts,
                        dti_indexes *wanted)
{
    const dti_space *space = of->space;
    dti_cuts after;
    dti_layout_cuts_of(space->mesh, of->from, dim, cuts);
    dti_layout_cuts_of(space->mesh, of->to, dim, &after);
    dti_indexes_set(wanted, space->shape.dims[dim], &after, of->coordinate);
}

/* Tell whether a rank reads nothing: another one has the value. */
static bool reads_nothing(const reading *of)
{
    for (int i = 0; i < of->from->ndim; i++)
        if (of->parted >> i & 1 && of->coordinate[i] > 0 &&
            !dti_is_shard(&of->from->placements[i]))
            return true;
    return false;
}

static bool reads_from(const reading *of, const dti_cuts *cuts,
                       const int *coordinate)
{
    for (int i = 0; i < cuts->count; i++) {
        int dim = cuts->list[i].mesh_dim;
        if (of->parted >> dim & 1 && coordinate[dim] != of->coordinate[dim])
            return false;
    }
    return true;
}

/* Count the blocks of `cuts` that wanted indexes lie in and are read. */
static int64_t count_blocks(const reading *of, const dti_cuts *cuts,
                            const dti_indexes *wanted)
{
    int64_t count = 0, seen = 0;
    int64_t run;
    for (int64_t at = 0; at < wanted->size; at += run, seen++) {
        if (seen == COUNTED_BLOCKS)
            return count * (wanted->size / at);
        int coordinate[DT_MAX_NDIM];
        dti_indexes block;
        int64_t index = dti_indexes_at(wanted, at, &run);
        int64_t place =
            dti_indexes_find(wanted->extent, cuts, index, coordinate);
        int64_t length;
        dti_indexes_set(&block, wanted->extent, cuts, coordinate);
        dti_indexes_at(&block, place, &length);
        run = length < run ? length : run;
        count += reads_from(of, cuts, coordinate);
    }
    return count;
}

static int count_peers(const reading *of)
{
    int64_t blocks = 1;
    bool own = true;
    if (reads_nothing(of))
        return 0;
    for (int dim = 0; dim < of->space->shape.ndim; dim++) {
        dti_cuts cuts;
        dti_part x = {.ndim = 1}, y = {.ndim = 1};
        look_at_dim(of, dim, &cuts, &x.dims[0]);
        dti_indexes_set(&y.dims[0], x.dims[0].extent, &cuts, of->coordinate);
        own = own && dti_overlap_count(&x, &y) > 0;
        blocks *= count_blocks(of, &cuts, &x.dims[0]);
        if (blocks > 1 << 20)
            return 1 << 20;
    }
    return (int)(blocks - (own && blocks > 0));
}

int dti_layouts_messages(const dti_space *space, const dt_layout *from,
                         const dt_layout *to)
{
    const int probes[] = {0, space->ranks / 2, space->ranks - 1};
    int most = 0;
    reading of = {space, from, to, dti_layouts_parted(from, to), NULL};
    for (int i = 0; i < 3; i++) {
        of.coordinate = coordinate_of(space, probes[i]);
        int peers = count_peers(&of);
        if (peers > most)
            most = peers;
    }
    return most;
}

/* The most combinations of blocks that are gone through. */
#define COMBINED_BLOCKS 64

/* Go to the next coordinate along the cuts that are not of parted dimensions;
 * false after the last one. */
static bool next_coordinate(const reading *of, const dti_cuts *cuts,
                            int *coordinate)
{
    for (int i = 0; i < cuts->count; i++) {
        const dti_cut *cut = &cuts->list[i];
        if (of->parted >> cut->mesh_dim & 1)
            continue;
        if (++coordinate[cut->mesh_dim] < cut->parts)
            return true;
        coordinate[cut->mesh_dim] = 0;
    }
    return false;
}

/* Count the wanted indexes of a dimension that are with those whom the rank
 * reads from.  Cuts behind the last one of a parted dimension do not matter. */
static int64_t count_read(const reading *of, int dim)
{
    dti_cuts cuts;
    dti_part wanted = {.ndim = 1}, block = {.ndim = 1};
    int coordinate[DT_MAX_NDIM];
    int64_t count = 0, blocks = 1;
    look_at_dim(of, dim, &cuts, &wanted.dims[0]);
    while (cuts.count > 0 &&
           !(of->parted >> cuts.list[cuts.count - 1].mesh_dim & 1))
        cuts.count--;
    if (cuts.count == 0)
        return wanted.dims[0].size;
    for (int i = 0; i < cuts.count; i++) {
        int mesh_dim = cuts.list[i].mesh_dim;
        bool parted = of->parted >> mesh_dim & 1;
        coordinate[mesh_dim] = parted ? of->coordinate[mesh_dim] : 0;
        blocks *= parted ? 1 : cuts.list[i].parts;
    }
    if (blocks > COMBINED_BLOCKS)
        return wanted.dims[0].size;
    do {
        dti_indexes_set(&block.dims[0], wanted.dims[0].extent, &cuts,
                        coordinate);
        count += dti_overlap_count(&block, &wanted);
    } while (next_coordinate(of, &cuts, coordinate));
    return count;
}

int64_t dti_layouts_taken(const dti_space *space, const dt_layout *from,
                          const dti_holdings *a, const dt_layout *to,
                          const dti_holdings *b)
{
    int64_t most = 0;
    reading of = {space, from, to, dti_layouts_parted(from, to), NULL};
    if (!of.parted)
        return dti_holdings_missing(space, a, b);
    for (int i = 0; i < space->ranks; i++) {
        int64_t taken = 1;
        of.coordinate = coordinate_of(space, i);
        if (reads_nothing(&of))
            continue;
        for (int dim = 0; dim < space->shape.ndim; dim++)
            taken *= count_read(&of, dim);
        if (taken > most)
            taken -= shared(space, a, b, i);
        if (taken > most)
            most = taken;
    }
    return most;
}

/* ---- Changing layouts --------------------------------------------------- */

bool dti_layout_is_last(const dt_layout *layout, int mesh_dim)
{
    int dims[DT_MAX_NDIM];
    int count =
        dti_layout_shards(layout, layout->placements[mesh_dim].dim, dims);
    return layout->order[mesh_dim] == count - 1;
}

/* Those behind it in the order move up. */
void dti_layout_uncut(dt_layout *layout, int mesh_dim)
{
    const dt_placement was = layout->placements[mesh_dim];
    int place = layout->order[mesh_dim];
    layout->placements[mesh_dim] = dt_replicate();
    layout->order[mesh_dim] = 0;
    for (int i = 0; dti_is_shard(&was) && i < layout->ndim; i++)
        if (dti_is_shard(&layout->placements[i]) &&
            layout->placements[i].dim == was.dim && layout->order[i] > place)
            layout->order[i]--;
}

void dti_layout_cut(dt_layout *layout, int mesh_dim, const dt_placement *as)
{
    int dims[DT_MAX_NDIM];
    layout->order[mesh_dim] = dti_layout_shards(layout, as->dim, dims);
    layout->placements[mesh_dim] = *as;
}

dt_layout dti_layout_without_ones(const dt_mesh *mesh, const dt_layout *layout)
{
    dt_layout out = *layout;
    for (int i = 0; i < out.ndim; i++)
        if (mesh->dims.sizes[i] == 1)
            dti_layout_uncut(&out, i);
    return out;
}
