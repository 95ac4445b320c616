/* cli/ops/name.h - names of PyTorch's operators, and rows that have them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_OPS_NAME_H
#define DTI_CLI_OPS_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/sys/op.h>

/* A name of ATen, as "add_.Tensor": lies in the text that it was read from. */
typedef struct dti_aten_name {
    const char *base; /* "add_" */
    int base_length;
    const char *overload; /* "Tensor"; of no length for the default one */
    int overload_length;
    bool any_overload; /* the text says none */
} dti_aten_name;

/* What a line of a list may be. */
typedef enum dti_aten_line {
    DTI_ATEN_NAME,
    DTI_ATEN_NOTHING, /* blank, or a comment */
    DTI_ATEN_WRONG    /* not a name of ATen */
} dti_aten_line;

/*
 * Read a line: "aten::add.Tensor", "aten.add.Tensor", "torch.ops.aten.add",
 * "add.Tensor" or "add", perhaps with the brackets of a schema, spaces around,
 * and a comment behind "#".
 */
dti_aten_line dti_aten_read(const char *line, size_t length,
                            dti_aten_name *out);

/* How a row has a name, from worst to best. */
typedef enum dti_aten_match {
    DTI_ATEN_OTHER,        /* not at all */
    DTI_ATEN_OVERLOAD,     /* it has another overload */
    DTI_ATEN_LACKS_FORM,   /* the form in place, or out, is not there */
    DTI_ATEN_HAS_OUT,      /* by its form out */
    DTI_ATEN_HAS_IN_PLACE, /* by its form in place */
    DTI_ATEN_HAS           /* by itself */
} dti_aten_match;

/* Tell how a row has a name. */
dti_aten_match dti_aten_match_row(const dti_aten_name *name, const dt_op *op);

#endif
