/* tests/support/tensors.h - tensors of known elements, and checks of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_TENSORS_H
#define DT_TESTS_TENSORS_H

#include "support/elements.h"
#include "support/layouts.h"

/* ---- Fixture ------------------------------------------------------------ */

/* A mesh of all ranks along one dimension, and a scope that everything made
 * with it belongs to. */
typedef struct fixture {
    dt_world *world;
    dt_mesh *mesh;
    dt_scope *scope;
    int64_t ranks;
    uint64_t counted[DT_COLLECTIVE_COUNT]; /* before start_counting */
} fixture;

fixture open_fixture(dt_world *world);

/* Errors were looked at where they happened. */
void close_fixture(fixture *f);

/* The same, and check that there were none. */
void close_without_errors(fixture *f);

/* ---- Collectives -------------------------------------------------------- */

/* The collectives of this rank so far, of all kinds. */
uint64_t calls_so_far(const dt_world *world);

/* Count collectives from here on.  What makes a tensor calls it at its end. */
void start_counting(fixture *f);

/* The collectives since then, of all kinds. */
long long calls_counted(const fixture *f);

/* Check that there was none; that there was one, which takes two ranks; that
 * there were so many of a kind on several ranks, and none of another. */
void check_silent(const fixture *f);
void check_sent(const fixture *f);
void check_collectives(const fixture *f, dt_collective kind, int calls);

/* The same of gathers, which the costs of a transport may make all-to-alls. */
long long gathers_counted(const fixture *f);
void check_gathers(const fixture *f, int calls);

/* ---- Tensors of small numbers ------------------------------------------- */

/* The most elements that a test reads or makes values of. */
enum { ELEMENTS_MAX = 2000 };

/* Element i of make_tensor: integers from -9 to 13. */
double value_at(int64_t i);

/* Element i of make_operand: integers from -5 to 6 but 0; of two salts, others.
 */
double operand_at(int salt, int64_t i);

/* An array of given values, in a dtype. */
dt_array *array_of(dt_world *world, dt_dtype dtype, dt_shape shape,
                   const double *values);

/*
 * A tensor of given values in any layout; the scope's.  In the layouts P(sum),
 * P(avg), P(max) and P(min) every rank has other partial values.
 */
dt_tensor *tensor_of(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                     dt_shape shape, const double *values);

dt_tensor *make_tensor(fixture *f, const char *layout, dt_dtype dtype,
                       dt_shape shape);
dt_tensor *make_operand(fixture *f, const char *layout, dt_dtype dtype,
                        dt_shape shape, int salt);

/* Read all elements of a tensor as doubles; false if it is NULL.  Collective.
 */
bool read_tensor(dt_tensor *tensor, double *values);

/* Tell whether a number is the other but for rounding; NaN is NaN. */
bool is_close(double value, double wanted);

/* Check all elements of a tensor by is_close.  Collective. */
void check_values(dt_tensor *tensor, const double *wanted, int64_t count);

/* ---- Tensors of any elements -------------------------------------------- */

/* A global array, and a tensor that has its elements; the scope's. */
typedef struct sample {
    dt_array *global;
    dt_tensor *tensor;
} sample;

sample make_sample(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                   dt_shape shape);
sample make_f32(fixture *f, const char *layout, dt_shape shape);

/*
 * The same tensor with other local arrays: the first part of each dimension of
 * larger ones, so that strides allow no two dimensions to be merged.  The
 * global strides stay row-major; programs make such tensors with dt_from_local.
 */
dt_tensor *loosened(dt_tensor *tensor);

/* Read all elements of a tensor, on every rank.  Collective. */
dt_array *read_global(dt_tensor *tensor);

/* Tells whether an element is what it should be. */
typedef bool (*same_element)(dt_dtype dtype, uint64_t bits, uint64_t wanted);

/* Check that a tensor has the elements of a rule, or of an array: the same
 * bits, if `same` is NULL.  Collective. */
bool check_global(dt_tensor *tensor, element_rule rule);
bool check_global_equals(dt_tensor *tensor, const dt_array *global,
                         same_element same);

/* Check that a tensor has the shape, the dtype and the elements of an array,
 * which is released.  Collective. */
bool check_equals(dt_tensor *tensor, dt_array *wanted);

/*
 * What a rank has that does not hold the value of a tensor that became partial;
 * false if it does: the first rank of a sum, a product or an exclusive or, and
 * all ranks of other reductions.
 */
bool has_neutral(const dt_mesh *mesh, const dt_layout *layout, dt_dtype dtype,
                 uint64_t *bits);

/*
 * Check that the local shard of a tensor has what a layout says, by the oracle.
 * The dimensions of the layout are counted from the front.
 */
bool check_local(const dt_tensor *tensor, const dt_layout *layout,
                 element_rule rule);
bool check_local_equals(const dt_tensor *tensor, const dt_layout *layout,
                        const dt_array *global, same_element same);

/* ---- What is known of a tensor ------------------------------------------ */

/* Check the layout; one rank has but one. */
void check_layout(const dt_tensor *tensor, const char *layout);
void check_dtype(const dt_tensor *tensor, dt_dtype dtype);
void check_shares_memory(const dt_tensor *a, const dt_tensor *b);

/* For CHECK_FAILS of a call that returns a tensor. */
dt_status status_of(dt_world *world, const dt_tensor *tensor);

/* Check that a call returned no tensor, with DT_ERR_INVALID and a message that
 * has a text; the error is cleared. */
void check_invalid(dt_world *world, const dt_tensor *tensor, const char *text);

/* Say which case failed. */
void check_case(bool good, const dt_mesh *mesh, const char *layout,
                dt_dtype dtype, dt_shape shape);

/* ---- Arrays as operators make them -------------------------------------- */

dt_array *reshaped(dt_world *world, dt_array *array, dt_shape shape);
dt_array *sliced(dt_world *world, dt_array *array, int dim, int64_t start,
                 int64_t stop, int64_t step);
dt_array *selected(dt_world *world, dt_array *array, int dim, int64_t index);
dt_array *permuted(dt_world *world, dt_array *array, const int *order);

#endif
