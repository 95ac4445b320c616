/* tools/ops/groups.h - operators by what people look for. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPS_GROUPS_H
#define OPS_GROUPS_H

#include "ops/rows.h"

/* Operators that are declared in one header. */
typedef struct op_group {
    const char *name;   /* of its folder in src/ops, if it has one */
    const char *header; /* below include/dtensor; NULL: written by hand */
    const char *title;
} op_group;

/* In the order in which people look things up; ends with one without a name. */
extern const op_group groups[];

/*
 * The group of an operator: that of its folder, nn for src/ops/training.  What
 * gradients, optimizers and graphs call rather than programs is in "training"
 * (foreach_x, fused_x, amp_x, x_step) and "internal" (x_backward, and rows
 * flagged as DT_OP_HELPER).
 */
const op_group *group_of(const op_row *row);

/* The operators of a group in the order of its sections.  Begin with NULL;
 * returns the next one, NULL at the end. */
const op_row *next_in_group(const op_rows *rows, const op_group *group,
                            const op_row *last);

/* Tell whether the header of a group is in sys/. */
bool is_for_extenders(const op_group *group);

/* The title of the section that a family is; `scratch` has DTI_NAME_SIZE
 * characters. */
const char *section_title(const char *family, char *scratch);

/* What is written, for all groups or for one. */
typedef void write_rows(FILE *to, const op_rows *rows, const op_group *group);

write_rows write_umbrella, write_header, write_manual;             /* in git */
write_rows write_calls, write_numbers, write_names, write_options; /* not */
write_rows write_older;                                            /* nor */
write_rows write_json; /* nor this, which is installed */

#endif
