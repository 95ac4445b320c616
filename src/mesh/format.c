/* mesh/format.c - printing meshes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/writer.h"
#include "mesh/mesh.h"

/* A mesh with more ranks than this is shown by the edges of its grid. */
#define SHOWN_RANKS 64
#define SHOWN_EDGE 3

/* How many coordinates to show at either end of a dimension: 0 is all. */
static int choose_edge(const dt_mesh *mesh)
{
    if (mesh->places->count <= SHOWN_RANKS)
        return 0;
    for (int edge = SHOWN_EDGE; edge > 1; edge--) {
        int64_t shown = 1;
        for (int i = 0; i < mesh->dims.ndim; i++) {
            int size = mesh->dims.sizes[i];
            shown *= size < 2 * edge ? size : 2 * edge;
        }
        if (shown <= SHOWN_RANKS)
            return edge;
    }
    return 1;
}

/* Put the ranks of the dimensions from `dim` on, from a place on. */
static void put_ranks(dti_writer *to, const dt_mesh *mesh, int edge, int dim,
                      int place)
{
    if (dim == mesh->dims.ndim) {
        dti_put(to, "%d", mesh->places->ranks[place]);
        return;
    }
    int size = mesh->dims.sizes[dim];
    bool cut = edge > 0 && size > 2 * edge;
    dti_put(to, "[");
    for (int i = 0; i < size; i++) {
        if (cut && i == edge) {
            dti_put(to, ", ...");
            i = size - edge;
        }
        dti_put(to, "%s", i ? ", " : "");
        put_ranks(to, mesh, edge, dim + 1, place + i * mesh->strides[dim]);
    }
    dti_put(to, "]");
}

size_t dt_mesh_format(const dt_mesh *mesh, char *text, size_t size)
{
    dti_writer to = {.size = size};
    to.text = text;
    dti_put(&to, "%s", "");
    if (!mesh)
        return 0;
    dti_put(&to, "mesh(");
    for (int i = 0; i < mesh->dims.ndim; i++)
        dti_put(&to, "%s%s=%d", i ? ", " : "", mesh->dims.names[i],
                mesh->dims.sizes[i]);
    dti_put(&to, ": ");
    put_ranks(&to, mesh, choose_edge(mesh), 0, 0);
    dti_put(&to, ")");
    return to.length;
}
