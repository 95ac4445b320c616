/* dtensor/state.h - named values: what a program saves and loads. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_STATE_H
#define DTENSOR_STATE_H

#include <stdint.h>

#include <dtensor/array.h>
#include <dtensor/random.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * A state: an ordered list of names and values, for example
 *
 *     layers.0.weight   a tensor
 *     optimizer.step    an integer
 *
 * Modules, optimisers, generators and data loaders add their values; dt_save
 * writes them, and dt_load reads them: elements of tensors and arrays in place,
 * into the memory of those that are listed, numbers and texts into the state,
 * from which the program takes them.
 *
 * A name is valid UTF-8 without control characters, of 1 to DT_STATE_NAME_MAX
 * bytes.  Parts of nested names are separated by dots.  Tensors and arrays are
 * retained, texts are copied.  A state is used by the thread of its world.
 */
typedef struct dt_state dt_state;

/* Maximum length of a name, in bytes. */
#define DT_STATE_NAME_MAX 1000

/* What a value is. */
typedef enum dt_state_kind {
    DT_STATE_TENSOR,  /* a tensor */
    DT_STATE_ARRAY,   /* an array, which all ranks have alike */
    DT_STATE_INTEGER, /* a 64-bit integer */
    DT_STATE_REAL,    /* a double */
    DT_STATE_TEXT     /* a zero-terminated text in UTF-8 */
} dt_state_kind;

/* A name and its value; `kind` says which of the fields is set. */
typedef struct dt_state_entry {
    const char *name;   /* qualified by dots */
    dt_state_kind kind; /* of the value */
    dt_tensor *tensor;  /* NULL unless a tensor */
    dt_array *array;    /* NULL unless an array */
    int64_t integer;    /* 0 unless an integer */
    double real;        /* 0 unless a real number */
    const char *text;   /* NULL unless a text */
} dt_state_entry;

/*
 * Create an empty state.
 *
 * Not collective.  The caller releases the state.
 */
DT_API DT_MUST_USE dt_status dt_state_create(dt_world *world, dt_state **out);

/* Add a reference; returns its argument.  Not collective.  NULL is allowed. */
DT_API dt_state *dt_state_retain(dt_state *state);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_state_release(dt_state *state);

/* ---- Setting values ------------------------------------------------------ */

/*
 * Set a value.  A new name is added at the end; the value of an existing name
 * is replaced, and may become of another kind.
 *
 * Not collective.  DT_ERR_INVALID for an invalid name, a text that is not valid
 * UTF-8, and NULL; the state is then unchanged.
 */
DT_API DT_MUST_USE dt_status dt_state_set_tensor(dt_state *state,
                                                 const char *name,
                                                 dt_tensor *tensor);
DT_API DT_MUST_USE dt_status dt_state_set_array(dt_state *state,
                                                const char *name,
                                                dt_array *array);
DT_API DT_MUST_USE dt_status dt_state_set_integer(dt_state *state,
                                                  const char *name,
                                                  int64_t value);
DT_API DT_MUST_USE dt_status dt_state_set_real(dt_state *state,
                                               const char *name, double value);
DT_API DT_MUST_USE dt_status dt_state_set_text(dt_state *state,
                                               const char *name,
                                               const char *text);

/*
 * Set the state of a generator as four integers: name.seed, name.offset,
 * name.stream and name.count.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_state_set_generator(
    dt_state *state, const char *name, const dt_generator *generator);

/*
 * Remove a value.
 *
 * Not collective.  DT_ERR_NOT_FOUND if no value has this name.
 */
DT_API DT_MUST_USE dt_status dt_state_remove(dt_state *state, const char *name);

/*
 * Add all values of another state, with names that begin with `prefix` and a
 * dot: "weight" becomes "layers.0.weight".  NULL or "" is no prefix.
 *
 * Not collective.  Values whose names exist are replaced.  DT_ERR_INVALID if a
 * name becomes too long; values before it were added.
 */
DT_API DT_MUST_USE dt_status dt_state_nest(dt_state *state, const char *prefix,
                                           const dt_state *inner);

/*
 * Create a state of the values whose names begin with `prefix` and a dot, named
 * without both.  Tensors and arrays are shared.  It may be empty.
 *
 * Not collective.  The caller releases the state.
 */
DT_API DT_MUST_USE dt_status dt_state_below(const dt_state *state,
                                            const char *prefix, dt_state **out);

/* ---- Reading values ------------------------------------------------------ */

/* Return the number of values; 0 for NULL.  Not collective. */
DT_API int64_t dt_state_count(const dt_state *state);

/*
 * Return the value with this index, in the order in which names were added; or
 * with this name.  NULL if there is none.
 *
 * Not collective.  Borrowed from the state, until the value is set again or
 * removed.
 */
DT_API const dt_state_entry *dt_state_at(const dt_state *state, int64_t index);
DT_API const dt_state_entry *dt_state_find(const dt_state *state,
                                           const char *name);

/*
 * Return the value of a name.  NULL, with the error DT_ERR_NOT_FOUND, if there
 * is none, and with DT_ERR_INVALID if it is of another kind.
 *
 * Not collective.  Borrowed from the state.
 */
DT_API dt_tensor *dt_state_tensor(const dt_state *state, const char *name);
DT_API dt_array *dt_state_array(const dt_state *state, const char *name);
DT_API const char *dt_state_text(const dt_state *state, const char *name);

/*
 * Read a number.  dt_state_real accepts an integer too.
 *
 * Not collective.  DT_ERR_NOT_FOUND if no value has this name, DT_ERR_INVALID
 * if it is of another kind.
 */
DT_API DT_MUST_USE dt_status dt_state_integer(const dt_state *state,
                                              const char *name, int64_t *out);
DT_API DT_MUST_USE dt_status dt_state_real(const dt_state *state,
                                           const char *name, double *out);

/*
 * Restore a generator from the four integers that dt_state_set_generator set.
 *
 * Not collective, but all ranks that share tensors must do the same.  The
 * generator is unchanged on failure.
 */
DT_API DT_MUST_USE dt_status dt_state_get_generator(const dt_state *state,
                                                    const char *name,
                                                    dt_generator *generator);

DT_EXTERN_C_END

#endif
