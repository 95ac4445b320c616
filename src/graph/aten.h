/* graph/aten.h - the operators of PyTorch as rows of the registry. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_ATEN_H
#define DTI_GRAPH_ATEN_H

#include <stdbool.h>
#include <stddef.h>

#include "op/registry.h"

/* What becomes of an overload of ATen. */
typedef enum dti_aten_kind {
    DTI_ATEN_ROW,  /* a call of a row */
    DTI_ATEN_SAME, /* its first argument: nothing is computed */
    DTI_ATEN_NONE  /* nothing: a check, or a size, which is an expression */
} dti_aten_kind;

/*
 * One way to express an overload.  `map` says how the parameters of the row get
 * their arguments, where they do not have the name that ATen gives them:
 *
 *     "stop=end:max step:1 !alpha -path"
 *
 * parameter `stop` takes the argument `end`, or the largest integer if that is
 * absent; `step` is 1 if it is absent; `alpha` must be absent, 1 or false;
 * `path` is ignored.  Defaults are integers, reals, true, false, [] (an empty
 * list), max, dtype (that of the result) and epsilon (of that dtype).
 */
typedef struct dti_aten_form {
    const char *overload; /* "slice.Tensor"; "mm" for mm.default */
    const char *row;      /* "=": DTI_ATEN_SAME; "-": DTI_ATEN_NONE */
    const char *map;
} dti_aten_form;

/* How one parameter of a row gets its argument. */
typedef struct dti_aten_source {
    const char *name; /* of the argument of ATen */
    size_t length;
    const char *usual; /* the default; NULL if there is none */
    size_t usual_length;
} dti_aten_source;

/* The rows of a world by the overloads that they answer to. */
typedef struct dti_aten_index {
    dti_map names;
    struct dti_aten_entry *entries;
    int count;
} dti_aten_index;

dt_status dti_aten_open(dt_world *world, dti_aten_index *out);
void dti_aten_close(dti_aten_index *index);

/*
 * Find the ways to express an overload, in the order in which they are tried:
 * forms[0] to forms[n-1]; at most `capacity`.  Returns n, 0 if the overload is
 * not known.
 */
int dti_aten_find(const dti_aten_index *index, const char *overload,
                  dti_aten_form *forms, int capacity);

/* How a parameter of a form's row gets its argument. */
dti_aten_source dti_aten_source_of(const char *map, const char *parameter);

/* What a map says of an argument that no parameter takes: '!', '-' or 0. */
char dti_aten_mark_of(const char *map, const char *argument);

#endif
