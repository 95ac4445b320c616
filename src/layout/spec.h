/* layout/spec.h - what a spec is made of, and where specs are kept. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_LAYOUT_SPEC_H
#define DTI_LAYOUT_SPEC_H

#include <dtensor/spec.h>

#include "base/reference.h"
#include "layout/indexes.h"
#include "layout/layout.h"
#include "mesh/mesh.h"

/*
 * Everything is set when it is made; what lies below `count` is derived.  The
 * table of its world holds one reference, so that the last one to drop it is
 * the table or, after the world is closed, the user.
 */
struct dt_spec {
    dti_reference reference;
    uint64_t hash; /* of mesh, layout and meta */
    dt_mesh *mesh; /* retained */
    dt_layout layout;
    dt_meta meta;
    int64_t count; /* elements of the whole */
    dti_cuts cuts[DT_MAX_NDIM];
    bool sharded;
    bool partial;
    bool strided;
    bool default_order;
    bool member;          /* this rank is in the mesh */
    dt_shape local_shape; /* of this rank */
    int64_t local_offset[DT_MAX_NDIM];
};

/* What is asked for: a layout that was checked and is in canonical form. */
typedef struct dti_spec_key {
    dt_mesh *mesh;
    const dt_layout *layout;
    const dt_meta *meta;
    uint64_t hash;
} dti_spec_key;

/* Find a spec that the world keeps; NULL if it does not.  Borrowed. */
dt_spec *dti_specs_find(dt_world *world, const dti_spec_key *key);

/* Find a spec by its hash alone, for messages; NULL if the world does not keep
 * it.  Borrowed. */
const dt_spec *dti_specs_find_hash(dt_world *world, uint64_t hash);

/* Keep a spec, retained, for others to find. */
dt_status dti_specs_add(dt_world *world, dt_spec *spec);

/* A spec as a sentence shows it: "f32[4, 6] S(0)R". */
typedef struct dti_spec_text {
    char text[DTI_LAYOUT_TEXT_SIZE + 512];
} dti_spec_text;

dti_spec_text dti_spec_show(const dt_spec *spec);

#endif
