/* ops/loss/classes.h - losses of items that have a class each. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_LOSS_CLASSES_H
#define DTI_OPS_LOSS_CLASSES_H

#include <dtensor/sys/op.h>

/*
 * self is (classes), (items, classes) or (items, classes, places...); target
 * has its dimensions but for that of classes, and holds one class for each;
 * weight, which may be absent, is (classes).
 */
typedef struct dti_classes {
    int self, target, weight; /* numbers of inputs */
    dt_reduction reduction;
    int64_t ignored; /* a class that does not count */
} dti_classes;

/* The dimension of self that classes are. */
static inline int dti_class_dim(int ndim)
{
    return ndim == 1 ? 0 : 1;
}

/* Find the inputs, which follow grad_output where the row has it, and read
 * reduction and ignore_index. */
dt_status dti_classes_read(const dt_operation *operation, dti_classes *out);

/* Check dtypes and shapes of self, target and weight. */
dt_status dti_classes_check(const dt_operation *operation,
                            const dti_classes *of);

/* The shape of target; that of the loss: the same, or none if it is reduced. */
dt_shape dti_classes_items(const dt_operation *operation,
                           const dti_classes *of);
dt_shape dti_classes_loss(const dt_operation *operation, const dti_classes *of);

/*
 * Write the rule: dimensions of items are of one kind, that of classes is of
 * another.  Inputs and results of `items`, a bit each, inputs first, have the
 * dimensions of items; those of `all` have them and the classes, as self does.
 */
typedef struct dti_classes_rule {
    dt_factor_kind item_kind, class_kind;
    unsigned items_in, items_out;
    unsigned all_in, all_out;
    bool weight_cut; /* weight is cut with the classes; or it is whole */
} dti_classes_rule;

void dti_classes_factors(const dt_operation *operation, const dti_classes *of,
                         const dti_classes_rule *rule, dt_factors *out);

/* Give the place of each item's class in this rank's part of a tensor that lies
 * as self is wanted, i64 and dense, as dti_index_locate.  The call owns it. */
dt_status dti_classes_places(const dt_operation *operation,
                             const dti_classes *of, const dt_spec *self,
                             dt_array **out);

/* Give the elements of a weight that places name, in f64; 1 without a weight; 0
 * where the place is none.  The call owns them. */
dt_status dti_classes_weights(const dt_operation *operation, dt_array *weight,
                              const dt_array *places, dt_array **out);

#endif
