/* ops/math/special.c - the gamma function and its kin, and inverses. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- polygamma ----------------------------------------------------------- */

static dt_status polygamma_meta(dt_operation *operation)
{
    const int64_t order = dti_argument_int(operation, "n");
    if (order < 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "n is %lld; must not be negative",
                                 (long long)order);
    return dti_pointwise_meta(operation);
}

static dt_status polygamma_kernel(dt_operation *operation)
{
    const int64_t order = dti_argument_int(operation, "n");
    const dti_pointwise_input inputs[] = {
        dti_pointwise_array(operation, 0),
        dti_pointwise_number(dt_integer(order))};
    return dti_pointwise_run(operation,
                             order == 0   ? DTI_DIGAMMA
                             : order == 1 ? DTI_TRIGAMMA
                                          : DTI_POLYGAMMA,
                             inputs);
}

/* ---- Rows ---------------------------------------------------------------- */

const dt_op dti_ops_special[] = {
    {
        .schema = "lgamma(Tensor self) -> Tensor",
        .aten = "lgamma special_gammaln",
        .about = "Logarithm of the absolute value of the gamma function.",
        DTI_UNARY_OF_FLOATS(DTI_LOG_GAMMA),
        .gradient = "self: grad * digamma(self)",
        .dtypes = "float int bool",
    },
    {
        .schema = "digamma(Tensor self) -> Tensor",
        .aten = "digamma special_digamma special_psi",
        .about = "Derivative of lgamma.",
        DTI_UNARY_OF_FLOATS(DTI_DIGAMMA),
        .gradient = "self: grad * polygamma(1, self)",
        .dtypes = "float int bool",
    },
    {
        .schema = "polygamma(int n, Tensor self) -> Tensor",
        .aten = "polygamma special_polygamma",
        .about = "Derivative of order n of digamma.",
        .arguments = "n: order of the derivative",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = polygamma_meta,
        .kernel = polygamma_kernel,
        DTI_FUNCTION_OF_FLOATS(DTI_POLYGAMMA),
        .gradient = "self: grad * polygamma(n + 1, self)",
        .samples = "(1, T[m,n]>0); (2, T[m]>0); (0, T[]>0)",
        .dtypes = "float int bool",
    },
    {
        .schema = "erfinv(Tensor self) -> Tensor",
        .aten = "erfinv special_erfinv",
        .about =
            "Inverse of the error function: infinite at 1 and -1, NaN beyond.",
        .rule = "...->...",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_ERFINV),
        .gradient = "self: grad * 0.886226925452758 * exp(result * result)",
        .samples = "(T[m,n]>0<1); (T[m]>0<1); (T[]>0<1); (i32[m])",
        .dtypes = "float",
    },
    {
        .schema = "special_ndtr(Tensor self) -> Tensor",
        .about = "Cumulative distribution function of the normal distribution.",
        .rule = "...->...",
        .monotone = "self",
        .flags = DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_NDTR),
        .gradient = "self: grad * 0.3989422804014327 * exp(self * self / -2)",
        .samples = DTI_SAMPLES_OF_ONE,
        .dtypes = "float int bool",
    },
    {
        .schema = "special_entr(Tensor self) -> Tensor",
        .about = "-x log(x); 0 at 0, -infinity below.",
        .rule = "...->...",
        .flags = DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_ENTROPY),
        .gradient = "self: -grad * (log(self) + 1)",
        .samples = DTI_SAMPLES_POSITIVE,
        .dtypes = "float int bool",
    },
    {
        .schema = "special_xlog1py(Tensor self, Tensor other) -> Tensor",
        .about = "x log(1 + y); 0 where x is 0, unless y is NaN.",
        .rule = "...,...->...",
        .flags = DT_OP_OUT,
        DTI_POINTWISE_OF_FLOATS(DTI_XLOG1PY),
        .gradient =
            "self: masked_fill(special_xlog1py(grad, other), "
            "logical_and(eq_scalar(self, 0), le_scalar(other, -1)), 0); "
            "other: grad * self / (other + 1)",
        .samples = DTI_SAMPLES_SECOND_POSITIVE,
        .dtypes = "float int bool",
    },
    {0},
};
