/* ranks: 3 */
/* tests/conformance/gradient_mutation.c - gradients that are wrong are found.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <string.h>

#include <dtensor/dtensor.h>

#include "op/meta.h"
#include "verify/verifier.h"

/* Where a gradient must be reported. */
typedef enum verdict { NOWHERE, ON_ONE_RANK, ON_THE_MESH } verdict;

typedef struct mutant {
    const char *name; /* what is wrong */
    verdict verdict;
    dt_op row; /* without its size */
} mutant;

/* ---- Kernels ------------------------------------------------------------ */

/* The elements of an input in row-major order; the caller releases them. */
static dt_status read_input(const dt_operation *operation, int input,
                            dt_array **out)
{
    return dt_array_clone(operation->world, operation->in[input], out);
}

/* Rows of the first tensor, times a number for each row. */
static dt_status rows_kernel(dt_operation *operation)
{
    dt_array *self = NULL, *by = NULL;
    const dt_shape shape = dt_array_shape(operation->in[0]);
    DT_TRY(read_input(operation, 0, &self));
    dt_status status = read_input(operation, 1, &by);
    if (status == DT_OK) {
        const double *a = dt_array_const_data(self);
        const double *b = dt_array_const_data(by);
        double *to = dt_array_data(operation->out[0]);
        for (int64_t i = 0; i < dt_shape_count(shape); i++)
            to[i] = a[i] * b[i / shape.dims[1]];
    }
    dt_array_release(self);
    dt_array_release(by);
    return status;
}

static dt_status square_kernel(dt_operation *operation)
{
    dt_array *self = NULL;
    DT_TRY(read_input(operation, 0, &self));
    const double *a = dt_array_const_data(self);
    double *to = dt_array_data(operation->out[0]);
    for (int64_t i = 0; i < dt_array_count(operation->out[0]); i++)
        to[i] = a[i] * a[i];
    dt_array_release(self);
    return DT_OK;
}

/* ---- Gradients ---------------------------------------------------------- */

/* The gradient of the numbers of rows. */
static dt_tensor *sum_of_rows(const dt_backward_call *call)
{
    return dt_sum(dt_mul(call->grads[0], call->inputs[0]), DT_DIMS(1), false);
}

static dt_status finish(dt_backward_call *call, dt_tensor *gradient)
{
    call->gradients[1] = gradient;
    return gradient ? DT_OK : dt_world_error(call->world)->code;
}

static dt_status sum_rows(dt_backward_call *call)
{
    return finish(call, sum_of_rows(call));
}

/* Leave out the sum. */
static dt_status keep_rows(dt_backward_call *call)
{
    return finish(call, dt_mul(call->grads[0], call->inputs[0]));
}

/* Say that the sum of this rank's part is the sum of all. */
static dt_status sum_local_rows(dt_backward_call *call)
{
    dt_tensor *sum = sum_of_rows(call);
    if (!sum || !dt_spec_is_partial(dt_tensor_spec(sum)))
        return finish(call, sum);
    dt_spec *spec = NULL;
    const dt_layout whole =
        dti_layout_reduced(dt_spec_layout(dt_tensor_spec(sum)));
    DT_TRY(dt_spec_create_with(dt_tensor_mesh(sum), &whole,
                               dt_spec_meta(dt_tensor_spec(sum)), &spec));
    dt_tensor *out = dt_tensor_assemble(spec, dt_tensor_local(sum));
    dt_spec_release(spec);
    return finish(call, out);
}

/* ---- Rows --------------------------------------------------------------- */

#define ROWS(title)                                                            \
    .schema = title "(Tensor self, Tensor by) -> Tensor", .rule = "mn,m->mn",  \
    .meta = dti_meta_like_first, .kernel = rows_kernel,                        \
    .samples = "(T[m,n], T[m]); (T[m,m], T[m])", .dtypes = "f64"

#define SQUARE(title)                                                          \
    .schema = title "(Tensor self) -> Tensor", .rule = "...->...",             \
    .meta = dti_meta_like_first, .kernel = square_kernel,                      \
    .samples = "(T[m,n])", .dtypes = "f64"

static const mutant mutants[] = {
    {"a right square is right",
     NOWHERE,
     {SQUARE("right_square"), .gradient = "self: grad * self + grad * self"}},
    {"right rows are right",
     NOWHERE,
     {ROWS("right_rows"),
      .gradient = "self: grad * unsqueeze(by, 1); by: function(self)",
      .backward = sum_rows}},
    {"a term is dropped",
     ON_ONE_RANK,
     {SQUARE("dropped_term"), .gradient = "self: grad * self"}},
    {"the sign is wrong",
     ON_ONE_RANK,
     {SQUARE("wrong_sign"),
      .gradient =
          "self: grad * self - grad * self - grad * self - grad * self"}},
    {"the row says that there is no gradient",
     ON_ONE_RANK,
     {SQUARE("no_gradient"), .gradient = "none"}},
    {"the row says nothing", ON_ONE_RANK, {SQUARE("silent")}},
    {"the gradient of what is broadcast is not summed",
     ON_ONE_RANK,
     {ROWS("not_summed"),
      .gradient = "self: grad * unsqueeze(by, 1); by: function(self)",
      .backward = keep_rows}},
    {"the gradient of what is broadcast is not reduced",
     ON_THE_MESH,
     {ROWS("not_reduced"),
      .gradient = "self: grad * unsqueeze(by, 1); by: function(self)",
      .backward = sum_local_rows}},
};

/* ---- Tests -------------------------------------------------------------- */

static int wrong_on_one_rank(const dti_verifier *with, const char *name)
{
    dti_report report = DTI_REPORT_INIT;
    dti_verifier alone = *with;
    alone.report = &report;
    CHECK_OK(with->world, dti_verify_gradients(&alone, name));
    const int wrong = dti_report_row_of(&report, name)->wrong;
    dti_report_free(&report);
    return wrong;
}

static int wrong_on_mesh(const dti_verifier *with, const char *name,
                         dt_mesh *mesh)
{
    dti_report report = DTI_REPORT_INIT;
    dti_verifier many = *with;
    many.report = &report;
    CHECK_OK(with->world, dti_verify_operator(&many, name, mesh));
    const int wrong = dti_report_row_of(&report, name)->wrong;
    dti_report_free(&report);
    return wrong;
}

static void try_mutant(dt_world *world, dt_mesh *mesh, const mutant *of)
{
    char name[DTI_NAME_SIZE] = "";
    dt_op row = of->row;
    const dti_verifier with = {
        .world = world, .seed = dt_test_seed(), .full = true};
    memcpy(name, row.schema, strcspn(row.schema, "("));
    row.size = sizeof row;
    CHECK_OK(world, dt_op_register(world, &row));
    const int alone = wrong_on_one_rank(&with, name);
    const int many = wrong_on_mesh(&with, name, mesh);
    CHECKF((alone > 0) == (of->verdict == ON_ONE_RANK), "%s: %d wrong alone",
           of->name, alone);
    CHECKF((many > 0) == (of->verdict == ON_THE_MESH), "%s: %d wrong on a mesh",
           of->name, many);
}

static void finds_all(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x=3", &mesh));
    for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++)
        try_mutant(world, mesh, &mutants[i]);
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"finds gradients that are wrong", finds_all},
    {NULL, NULL},
};
