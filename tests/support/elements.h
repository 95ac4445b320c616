/* tests/support/elements.h - arrays of which every element is known by its
 * bits.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_ELEMENTS_H
#define DT_TESTS_ELEMENTS_H

#include <stdint.h>
#include <string.h>

#include "support/check.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- Bits of one element ------------------------------------------------ */

/* A random word: number `index` of those of a rank, in a test with a salt. */
uint64_t word_of(uint64_t salt, int rank, int64_t index);

/* The bits of an element of a dtype that a word gives; any bits but for bool.
 */
uint64_t bits_of(dt_dtype dtype, uint64_t word);

/* The bits of a number in a dtype. */
uint64_t bits_of_number(dt_dtype dtype, double real, double imaginary);

/*
 * What the elements of a tensor are.  Wild ones may be any bits; tame ones are
 * small integers, which every reduction of up to 100 of them keeps exact.
 */
typedef struct element_rule {
    uint64_t salt;
    bool tame;
} element_rule;

/* Element `index` in row-major order. */
uint64_t element_bits(element_rule rule, dt_dtype dtype, int64_t index);

/* ---- Indexes ------------------------------------------------------------ */

/* Step to the next index of a shape, in row-major order; false after the last.
 */
bool next_index(int64_t *index, dt_shape shape);

/* The number of an index in row-major order. */
int64_t row_major(const int64_t *index, dt_shape shape);

/* An element of an array of any strides. */
uint64_t read_bits(const dt_array *array, const int64_t *index);
void write_bits(dt_array *array, const int64_t *index, uint64_t bits);

/* ---- Arrays ------------------------------------------------------------- */

/* An array that is not set; NULL, and a failed check, if it cannot be made. */
dt_array *new_array(dt_world *world, dt_dtype dtype, dt_shape shape);

/* Set every byte: what a call must overwrite, or must not see. */
void wipe(dt_array *array, int byte);

typedef enum array_form {
    FORM_DENSE,
    FORM_REVERSED, /* the last dimension has the largest stride */
    FORM_STRIDED,  /* every second element of a larger array */
    FORM_COUNT
} array_form;

/* The same in a form. */
dt_array *new_array_in(dt_world *world, dt_dtype dtype, dt_shape shape,
                       array_form form);

/* An array that has all elements of a tensor. */
dt_array *global_array(dt_world *world, dt_dtype dtype, dt_shape shape,
                       array_form form, element_rule rule);

/* Set an array of any strides to elements of a tensor of the shape `global`,
 * from an offset on (NULL: from the beginning). */
void fill_box(dt_array *array, dt_shape global, const int64_t *offset,
              element_rule rule);

/* Check that an array has what fill_box would put there. */
bool check_box(const dt_array *array, dt_shape global, const int64_t *offset,
               element_rule rule);

#endif
