/* ops/calls.c - operators as functions of C; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

#include <dtensor/sys/op.h>

#include "base/error.h"
#include "op/call/dispatch.h"
#include "op/registry.h"

/* clang-format off */

/* The numbers of rows, through all tables. */
enum {
    OP_RELU = 0,
    OP_RELU6 = 1,
    OP_HARDTANH = 2,
    OP_THRESHOLD = 3,
    OP_SIGMOID = 4,
    OP_LOG_SIGMOID = 5,
    OP_SILU = 6,
    OP_GELU = 7,
    OP_MISH = 8,
    OP_SOFTPLUS = 9,
    OP_LEAKY_RELU = 10,
    OP_ELU = 11,
    OP_CELU = 12,
    OP_SELU = 13,
    OP_HARDSIGMOID = 14,
    OP_HARDSWISH = 15,
    OP_SOFTSIGN = 16,
    OP_HARDSHRINK = 17,
    OP_SOFTSHRINK = 18,
    OP_SIGMOID_BACKWARD = 19,
    OP_TANH_BACKWARD = 20,
    OP_SILU_BACKWARD = 21,
    OP_GELU_BACKWARD = 22,
    OP_MISH_BACKWARD = 23,
    OP_HARDSWISH_BACKWARD = 24,
    OP_HARDSIGMOID_BACKWARD = 25,
    OP_LOG_SIGMOID_BACKWARD = 26,
    OP_THRESHOLD_BACKWARD = 27,
    OP_LEAKY_RELU_BACKWARD = 28,
    OP_ELU_BACKWARD = 29,
    OP_SOFTPLUS_BACKWARD = 30,
    OP_HARDTANH_BACKWARD = 31,
    OP_HARDSHRINK_BACKWARD = 32,
    OP_SOFTSHRINK_BACKWARD = 33,
    OP_LOGIT_BACKWARD = 34,
    OP_ALIAS = 35,
    OP_DETACH = 36,
    OP_CONTIGUOUS = 37,
    OP_VIEW_AS = 38,
    OP_EXPAND_AS = 39,
    OP_MOVEDIM = 40,
    OP_VIEW_AS_REAL = 41,
    OP_VIEW_AS_COMPLEX = 42,
    OP_AMP_UNSCALE = 43,
    OP_AMP_FOREACH_NON_FINITE_CHECK_AND_UNSCALE = 44,
    OP_AMP_UPDATE_SCALE = 45,
    OP_MAX_DIM = 46,
    OP_MIN_DIM = 47,
    OP_ARGMAX = 48,
    OP_ARGMIN = 49,
    OP_ARGMAX_ALL = 50,
    OP_ARGMIN_ALL = 51,
    OP_SCALED_DOT_PRODUCT_ATTENTION = 52,
    OP_SCALED_DOT_PRODUCT_ATTENTION_FORWARD = 53,
    OP_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD = 54,
    OP_SCALED_DOT_PRODUCT_ATTENTION_MASK_BACKWARD = 55,
    OP_BITWISE_AND = 56,
    OP_BITWISE_AND_SCALAR = 57,
    OP_BITWISE_OR = 58,
    OP_BITWISE_OR_SCALAR = 59,
    OP_BITWISE_XOR = 60,
    OP_BITWISE_XOR_SCALAR = 61,
    OP_BITWISE_NOT = 62,
    OP_BITWISE_LEFT_SHIFT = 63,
    OP_BITWISE_LEFT_SHIFT_SCALAR = 64,
    OP_BITWISE_RIGHT_SHIFT = 65,
    OP_BITWISE_RIGHT_SHIFT_SCALAR = 66,
    OP_CLONE = 71,
    OP_CAST = 72,
    OP_CLAMP = 73,
    OP_CLAMP_MIN = 74,
    OP_CLAMP_MAX = 75,
    OP_CLAMP_TENSOR = 76,
    OP_CLAMP_MIN_TENSOR = 77,
    OP_CLAMP_MAX_TENSOR = 78,
    OP_MAXIMUM = 79,
    OP_MINIMUM = 80,
    OP_FMAX = 81,
    OP_FMIN = 82,
    OP_ISCLOSE = 83,
    OP_ALLCLOSE = 84,
    OP_MASKED_SELECT = 85,
    OP_NONZERO = 86,
    OP_EQ = 87,
    OP_NE = 88,
    OP_LT = 89,
    OP_LE = 90,
    OP_GT = 91,
    OP_GE = 92,
    OP_EQ_SCALAR = 93,
    OP_NE_SCALAR = 94,
    OP_LT_SCALAR = 95,
    OP_LE_SCALAR = 96,
    OP_GT_SCALAR = 97,
    OP_GE_SCALAR = 98,
    OP_LOGICAL_AND = 99,
    OP_LOGICAL_OR = 100,
    OP_LOGICAL_NOT = 101,
    OP_LOGICAL_XOR = 102,
    OP_ISNAN = 103,
    OP_ISINF = 104,
    OP_ISFINITE = 105,
    OP_ISPOSINF = 106,
    OP_ISNEGINF = 107,
    OP_SIGNBIT = 108,
    OP_REAL_PART = 109,
    OP_IMAG_PART = 110,
    OP_CONJ = 111,
    OP_CONJ_PHYSICAL = 112,
    OP_ANGLE = 113,
    OP_COMPLEX = 114,
    OP_POLAR = 115,
    OP_CONTRACT = 116,
    OP_NEW_EMPTY = 124,
    OP_NEW_ZEROS = 125,
    OP_NEW_ONES = 126,
    OP_NEW_FULL = 127,
    OP_CROSS_ENTROPY_FORWARD = 128,
    OP_CROSS_ENTROPY_BACKWARD = 129,
    OP_CROSS_ENTROPY_LOSS = 130,
    OP_DIAGONAL = 131,
    OP_DIAGONAL_SCATTER = 132,
    OP_DIAGONAL_BACKWARD = 133,
    OP_DIAG_EMBED = 134,
    OP_EINSUM = 135,
    OP_EMBEDDING = 136,
    OP_EMBEDDING_DENSE_BACKWARD = 137,
    OP_EQUAL = 138,
    OP_EXP = 139,
    OP_EXP2 = 140,
    OP_EXPM1 = 141,
    OP_LOG = 142,
    OP_LOG2 = 143,
    OP_LOG10 = 144,
    OP_LOG1P = 145,
    OP_SQRT = 146,
    OP_RSQRT = 147,
    OP_POW = 148,
    OP_POW_SCALAR = 149,
    OP_POW_BASE = 150,
    OP_LOGADDEXP = 151,
    OP_LOGADDEXP2 = 152,
    OP_XLOGY = 153,
    OP_ERF = 154,
    OP_ERFC = 155,
    OP_LOGIT = 156,
    OP_FILL_SCALAR = 157,
    OP_FILL = 158,
    OP_ZERO = 159,
    OP_COPY = 160,
    OP_FOREACH_ADD = 161,
    OP_FOREACH_ADD_TENSOR = 162,
    OP_FOREACH_ADD_SCALAR = 163,
    OP_FOREACH_ADD_SCALARS = 164,
    OP_FOREACH_SUB = 165,
    OP_FOREACH_SUB_SCALAR = 166,
    OP_FOREACH_SUB_SCALARS = 167,
    OP_FOREACH_MUL = 168,
    OP_FOREACH_MUL_TENSOR = 169,
    OP_FOREACH_MUL_SCALAR = 170,
    OP_FOREACH_MUL_SCALARS = 171,
    OP_FOREACH_DIV = 172,
    OP_FOREACH_DIV_TENSOR = 173,
    OP_FOREACH_DIV_SCALAR = 174,
    OP_FOREACH_DIV_SCALARS = 175,
    OP_FOREACH_MAXIMUM = 176,
    OP_FOREACH_MINIMUM = 177,
    OP_FOREACH_POW_SCALAR = 178,
    OP_FOREACH_POW_SCALARS = 179,
    OP_FOREACH_POW = 180,
    OP_FOREACH_POW_BASE = 181,
    OP_FOREACH_CLAMP_MIN = 182,
    OP_FOREACH_CLAMP_MIN_SCALARS = 183,
    OP_FOREACH_CLAMP_MAX = 184,
    OP_FOREACH_CLAMP_MAX_SCALARS = 185,
    OP_FOREACH_ADDCMUL = 186,
    OP_FOREACH_ADDCMUL_SCALARS = 187,
    OP_FOREACH_ADDCDIV = 188,
    OP_FOREACH_ADDCDIV_SCALARS = 189,
    OP_FOREACH_LERP = 190,
    OP_FOREACH_LERP_SCALAR = 191,
    OP_FOREACH_LERP_SCALARS = 192,
    OP_FOREACH_COPY = 193,
    OP_FOREACH_ZERO = 194,
    OP_FOREACH_NEG = 195,
    OP_FOREACH_ABS = 196,
    OP_FOREACH_SQRT = 197,
    OP_FOREACH_RSQRT = 198,
    OP_FOREACH_RECIPROCAL = 199,
    OP_FOREACH_EXP = 200,
    OP_FOREACH_LOG = 201,
    OP_FOREACH_TANH = 202,
    OP_FOREACH_SIGMOID = 203,
    OP_FOREACH_SIGN = 204,
    OP_FOREACH_FLOOR = 205,
    OP_FOREACH_CEIL = 206,
    OP_FOREACH_ROUND = 207,
    OP_FOREACH_TRUNC = 208,
    OP_FOREACH_FRAC = 209,
    OP_FOREACH_EXPM1 = 210,
    OP_FOREACH_LOG1P = 211,
    OP_FOREACH_LOG2 = 212,
    OP_FOREACH_LOG10 = 213,
    OP_FOREACH_SIN = 214,
    OP_FOREACH_COS = 215,
    OP_FOREACH_TAN = 216,
    OP_FOREACH_ASIN = 217,
    OP_FOREACH_ACOS = 218,
    OP_FOREACH_ATAN = 219,
    OP_FOREACH_SINH = 220,
    OP_FOREACH_COSH = 221,
    OP_FOREACH_ERF = 222,
    OP_FOREACH_ERFC = 223,
    OP_FUSED_ADAM = 224,
    OP_FUSED_ADAMW = 225,
    OP_FUSED_SGD = 226,
    OP_GATHER = 227,
    OP_INDEX_SELECT = 228,
    OP_ONE_HOT = 229,
    OP_TAKE_ALONG_DIM = 230,
    OP_TAKE = 231,
    OP_PUT = 232,
    OP_GLU = 233,
    OP_GLU_BACKWARD = 234,
    OP_SUM_TO_SIZE = 235,
    OP_VALUE_SELECTING_REDUCTION_BACKWARD = 236,
    OP_GROUP_NORM = 237,
    OP_GROUP_NORM_BACKWARD = 238,
    OP_HISTC = 239,
    OP_BINCOUNT = 240,
    OP_INDEX = 241,
    OP_INDEX_PUT = 242,
    OP_INDEX_ADD = 243,
    OP_INDEX_COPY = 244,
    OP_INDEX_FILL_SCALAR = 245,
    OP_INDEX_FILL = 246,
    OP_CAT = 247,
    OP_STACK = 248,
    OP_SPLIT = 249,
    OP_SPLIT_SIZES = 250,
    OP_CHUNK = 251,
    OP_UNBIND = 252,
    OP_LOGSUMEXP = 253,
    OP_MSE_LOSS = 254,
    OP_MSE_LOSS_BACKWARD = 255,
    OP_L1_LOSS = 256,
    OP_L1_LOSS_BACKWARD = 257,
    OP_SMOOTH_L1_LOSS = 258,
    OP_SMOOTH_L1_LOSS_BACKWARD = 259,
    OP_HUBER_LOSS = 260,
    OP_HUBER_LOSS_BACKWARD = 261,
    OP_BINARY_CROSS_ENTROPY = 262,
    OP_BINARY_CROSS_ENTROPY_BACKWARD = 263,
    OP_BINARY_CROSS_ENTROPY_WITH_LOGITS = 264,
    OP_BINARY_CROSS_ENTROPY_LOGITS_BACKWARD = 265,
    OP_KL_DIV = 266,
    OP_KL_DIV_BACKWARD = 267,
    OP_MASKED_SCATTER = 268,
    OP_MASKED_SCATTER_BACKWARD = 269,
    OP_MATMUL = 270,
    OP_MM = 271,
    OP_MV = 272,
    OP_DOT = 273,
    OP_BMM = 274,
    OP_ADDMM = 275,
    OP_BADDBMM = 276,
    OP_ADDMV = 277,
    OP_ADDR = 278,
    OP_ADDBMM = 279,
    OP_LINEAR = 280,
    OP_NLL_LOSS = 281,
    OP_NLL_LOSS_BACKWARD = 282,
    OP_LAYER_NORM = 283,
    OP_RMS_NORM = 284,
    OP_LAYER_NORM_BACKWARD = 285,
    OP_RMS_NORM_BACKWARD = 286,
    OP_ADAM_STEP = 287,
    OP_SGD_STEP = 288,
    OP_OUTER = 289,
    OP_INNER = 290,
    OP_VDOT = 291,
    OP_TENSORDOT = 292,
    OP_ADD = 293,
    OP_SUB = 294,
    OP_RSUB = 295,
    OP_MUL = 296,
    OP_DIV = 297,
    OP_ADD_SCALAR = 298,
    OP_SUB_SCALAR = 299,
    OP_RSUB_SCALAR = 300,
    OP_MUL_SCALAR = 301,
    OP_DIV_SCALAR = 302,
    OP_NEG = 303,
    OP_POSITIVE = 304,
    OP_ABS = 305,
    OP_RECIPROCAL = 306,
    OP_SQUARE = 307,
    OP_LERP = 308,
    OP_LERP_SCALAR = 309,
    OP_ADDCMUL = 310,
    OP_ADDCDIV = 311,
    OP_DROPOUT = 312,
    OP_NATIVE_DROPOUT = 313,
    OP_NATIVE_DROPOUT_BACKWARD = 314,
    OP_NORMAL = 315,
    OP_UNIFORM = 316,
    OP_BERNOULLI = 317,
    OP_BERNOULLI_TENSOR = 318,
    OP_BERNOULLI_SCALAR = 319,
    OP_EXPONENTIAL = 320,
    OP_LOG_NORMAL = 321,
    OP_GEOMETRIC = 322,
    OP_CAUCHY = 323,
    OP_RANDOM = 324,
    OP_MULTINOMIAL = 325,
    OP_TRUNC_NORMAL = 326,
    OP_SUM = 327,
    OP_MEAN = 328,
    OP_NANSUM = 329,
    OP_NANMEAN = 330,
    OP_COUNT_NONZERO = 331,
    OP_PROD = 332,
    OP_AMAX = 333,
    OP_AMIN = 334,
    OP_AMINMAX = 335,
    OP_ALL = 336,
    OP_ANY = 337,
    OP_POWSUM = 338,
    OP_AMAX_ABS = 339,
    OP_AMIN_ABS = 340,
    OP_NORM = 341,
    OP_REPEAT = 342,
    OP_TILE = 343,
    OP_REPEAT_INTERLEAVE = 344,
    OP_FLOOR = 345,
    OP_CEIL = 346,
    OP_TRUNC = 347,
    OP_ROUND = 348,
    OP_FRAC = 349,
    OP_SIGN = 350,
    OP_SGN = 351,
    OP_COPYSIGN = 352,
    OP_COPYSIGN_SCALAR = 353,
    OP_REMAINDER = 354,
    OP_REMAINDER_SCALAR = 355,
    OP_FMOD = 356,
    OP_FMOD_SCALAR = 357,
    OP_FLOOR_DIVIDE = 358,
    OP_FLOOR_DIVIDE_SCALAR = 359,
    OP_DIV_MODE = 360,
    OP_DIV_MODE_SCALAR = 361,
    OP_NAN_TO_NUM = 362,
    OP_CUMSUM = 363,
    OP_CUMPROD = 364,
    OP_CUMMAX = 365,
    OP_CUMMIN = 366,
    OP_LOGCUMSUMEXP = 367,
    OP_SCATTER = 368,
    OP_SCATTER_VALUE = 369,
    OP_SCATTER_ADD = 370,
    OP_SCATTER_REDUCE = 371,
    OP_SEARCHSORTED = 372,
    OP_BUCKETIZE = 373,
    OP_ROLL = 374,
    OP_FLIP = 375,
    OP_CONSTANT_PAD_ND = 376,
    OP_SLICE = 377,
    OP_NARROW = 378,
    OP_SELECT = 379,
    OP_SLICE_SCATTER = 380,
    OP_SELECT_SCATTER = 381,
    OP_SLICE_BACKWARD = 382,
    OP_SELECT_BACKWARD = 383,
    OP_SOFTMAX = 384,
    OP_SAFE_SOFTMAX = 385,
    OP_LOG_SOFTMAX = 386,
    OP_SOFTMAX_BACKWARD = 387,
    OP_LOG_SOFTMAX_BACKWARD = 388,
    OP_SORT = 389,
    OP_ARGSORT = 390,
    OP_TOPK = 391,
    OP_KTHVALUE = 392,
    OP_MEDIAN_DIM = 393,
    OP_NANMEDIAN_DIM = 394,
    OP_MEDIAN = 395,
    OP_NANMEDIAN = 396,
    OP_MODE = 397,
    OP_LGAMMA = 398,
    OP_DIGAMMA = 399,
    OP_POLYGAMMA = 400,
    OP_ERFINV = 401,
    OP_SPECIAL_NDTR = 402,
    OP_SPECIAL_ENTR = 403,
    OP_SPECIAL_XLOG1PY = 404,
    OP_FOREACH_NORM = 405,
    OP_GET_TOTAL_NORM = 406,
    OP_CLIP_GRADS_WITH_NORM = 407,
    OP_CLIP_GRAD_NORM = 408,
    OP_TRIL = 409,
    OP_TRIU = 410,
    OP_SIN = 411,
    OP_COS = 412,
    OP_TAN = 413,
    OP_ASIN = 414,
    OP_ACOS = 415,
    OP_ATAN = 416,
    OP_SINH = 417,
    OP_COSH = 418,
    OP_TANH = 419,
    OP_ASINH = 420,
    OP_ACOSH = 421,
    OP_ATANH = 422,
    OP_SINC = 423,
    OP_ATAN2 = 424,
    OP_HYPOT = 425,
    OP_DEG2RAD = 426,
    OP_RAD2DEG = 427,
    OP_UNFOLD = 428,
    OP_UNFOLD_BACKWARD = 429,
    OP_VAR = 430,
    OP_STD = 431,
    OP_VAR_MEAN = 432,
    OP_STD_MEAN = 433,
    OP_VIEW = 434,
    OP_RESHAPE = 435,
    OP_FLATTEN = 436,
    OP_UNFLATTEN = 437,
    OP_SQUEEZE = 438,
    OP_UNSQUEEZE = 439,
    OP_PERMUTE = 440,
    OP_TRANSPOSE = 441,
    OP_T = 442,
    OP_EXPAND = 443,
    OP_WHERE = 444,
    OP_WHERE_SCALAR_SELF = 445,
    OP_WHERE_SCALAR_OTHER = 446,
    OP_MASKED_FILL = 447,
    OP_MASKED_FILL_TENSOR = 448,
    OP_COUNT = 449
};

/* A world compares these with its rows when it opens. */
const char *const dti_op_names[OP_COUNT + 1] = {
    "relu",
    "relu6",
    "hardtanh",
    "threshold",
    "sigmoid",
    "log_sigmoid",
    "silu",
    "gelu",
    "mish",
    "softplus",
    "leaky_relu",
    "elu",
    "celu",
    "selu",
    "hardsigmoid",
    "hardswish",
    "softsign",
    "hardshrink",
    "softshrink",
    "sigmoid_backward",
    "tanh_backward",
    "silu_backward",
    "gelu_backward",
    "mish_backward",
    "hardswish_backward",
    "hardsigmoid_backward",
    "log_sigmoid_backward",
    "threshold_backward",
    "leaky_relu_backward",
    "elu_backward",
    "softplus_backward",
    "hardtanh_backward",
    "hardshrink_backward",
    "softshrink_backward",
    "logit_backward",
    "alias",
    "detach",
    "contiguous",
    "view_as",
    "expand_as",
    "movedim",
    "view_as_real",
    "view_as_complex",
    "amp_unscale",
    "amp_foreach_non_finite_check_and_unscale",
    "amp_update_scale",
    "max_dim",
    "min_dim",
    "argmax",
    "argmin",
    "argmax_all",
    "argmin_all",
    "scaled_dot_product_attention",
    "scaled_dot_product_attention_forward",
    "scaled_dot_product_attention_backward",
    "scaled_dot_product_attention_mask_backward",
    "bitwise_and",
    "bitwise_and_scalar",
    "bitwise_or",
    "bitwise_or_scalar",
    "bitwise_xor",
    "bitwise_xor_scalar",
    "bitwise_not",
    "bitwise_left_shift",
    "bitwise_left_shift_scalar",
    "bitwise_right_shift",
    "bitwise_right_shift_scalar",
    "redistribute",
    "to_local",
    "full_tensor",
    "from_local",
    "clone",
    "cast",
    "clamp",
    "clamp_min",
    "clamp_max",
    "clamp_tensor",
    "clamp_min_tensor",
    "clamp_max_tensor",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "isclose",
    "allclose",
    "masked_select",
    "nonzero",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "eq_scalar",
    "ne_scalar",
    "lt_scalar",
    "le_scalar",
    "gt_scalar",
    "ge_scalar",
    "logical_and",
    "logical_or",
    "logical_not",
    "logical_xor",
    "isnan",
    "isinf",
    "isfinite",
    "isposinf",
    "isneginf",
    "signbit",
    "real_part",
    "imag_part",
    "conj",
    "conj_physical",
    "angle",
    "complex",
    "polar",
    "contract",
    "empty_like",
    "zeros_like",
    "ones_like",
    "full_like",
    "rand_like",
    "randn_like",
    "randint_like",
    "new_empty",
    "new_zeros",
    "new_ones",
    "new_full",
    "cross_entropy_forward",
    "cross_entropy_backward",
    "cross_entropy_loss",
    "diagonal",
    "diagonal_scatter",
    "diagonal_backward",
    "diag_embed",
    "einsum",
    "embedding",
    "embedding_dense_backward",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
    "pow",
    "pow_scalar",
    "pow_base",
    "logaddexp",
    "logaddexp2",
    "xlogy",
    "erf",
    "erfc",
    "logit",
    "fill_scalar",
    "fill",
    "zero",
    "copy",
    "foreach_add",
    "foreach_add_tensor",
    "foreach_add_scalar",
    "foreach_add_scalars",
    "foreach_sub",
    "foreach_sub_scalar",
    "foreach_sub_scalars",
    "foreach_mul",
    "foreach_mul_tensor",
    "foreach_mul_scalar",
    "foreach_mul_scalars",
    "foreach_div",
    "foreach_div_tensor",
    "foreach_div_scalar",
    "foreach_div_scalars",
    "foreach_maximum",
    "foreach_minimum",
    "foreach_pow_scalar",
    "foreach_pow_scalars",
    "foreach_pow",
    "foreach_pow_base",
    "foreach_clamp_min",
    "foreach_clamp_min_scalars",
    "foreach_clamp_max",
    "foreach_clamp_max_scalars",
    "foreach_addcmul",
    "foreach_addcmul_scalars",
    "foreach_addcdiv",
    "foreach_addcdiv_scalars",
    "foreach_lerp",
    "foreach_lerp_scalar",
    "foreach_lerp_scalars",
    "foreach_copy",
    "foreach_zero",
    "foreach_neg",
    "foreach_abs",
    "foreach_sqrt",
    "foreach_rsqrt",
    "foreach_reciprocal",
    "foreach_exp",
    "foreach_log",
    "foreach_tanh",
    "foreach_sigmoid",
    "foreach_sign",
    "foreach_floor",
    "foreach_ceil",
    "foreach_round",
    "foreach_trunc",
    "foreach_frac",
    "foreach_expm1",
    "foreach_log1p",
    "foreach_log2",
    "foreach_log10",
    "foreach_sin",
    "foreach_cos",
    "foreach_tan",
    "foreach_asin",
    "foreach_acos",
    "foreach_atan",
    "foreach_sinh",
    "foreach_cosh",
    "foreach_erf",
    "foreach_erfc",
    "fused_adam",
    "fused_adamw",
    "fused_sgd",
    "gather",
    "index_select",
    "one_hot",
    "take_along_dim",
    "take",
    "put",
    "glu",
    "glu_backward",
    "sum_to_size",
    "value_selecting_reduction_backward",
    "group_norm",
    "group_norm_backward",
    "histc",
    "bincount",
    "index",
    "index_put",
    "index_add",
    "index_copy",
    "index_fill_scalar",
    "index_fill",
    "cat",
    "stack",
    "split",
    "split_sizes",
    "chunk",
    "unbind",
    "logsumexp",
    "mse_loss",
    "mse_loss_backward",
    "l1_loss",
    "l1_loss_backward",
    "smooth_l1_loss",
    "smooth_l1_loss_backward",
    "huber_loss",
    "huber_loss_backward",
    "binary_cross_entropy",
    "binary_cross_entropy_backward",
    "binary_cross_entropy_with_logits",
    "binary_cross_entropy_logits_backward",
    "kl_div",
    "kl_div_backward",
    "masked_scatter",
    "masked_scatter_backward",
    "matmul",
    "mm",
    "mv",
    "dot",
    "bmm",
    "addmm",
    "baddbmm",
    "addmv",
    "addr",
    "addbmm",
    "linear",
    "nll_loss",
    "nll_loss_backward",
    "layer_norm",
    "rms_norm",
    "layer_norm_backward",
    "rms_norm_backward",
    "adam_step",
    "sgd_step",
    "outer",
    "inner",
    "vdot",
    "tensordot",
    "add",
    "sub",
    "rsub",
    "mul",
    "div",
    "add_scalar",
    "sub_scalar",
    "rsub_scalar",
    "mul_scalar",
    "div_scalar",
    "neg",
    "positive",
    "abs",
    "reciprocal",
    "square",
    "lerp",
    "lerp_scalar",
    "addcmul",
    "addcdiv",
    "dropout",
    "native_dropout",
    "native_dropout_backward",
    "normal",
    "uniform",
    "bernoulli",
    "bernoulli_tensor",
    "bernoulli_scalar",
    "exponential",
    "log_normal",
    "geometric",
    "cauchy",
    "random",
    "multinomial",
    "trunc_normal",
    "sum",
    "mean",
    "nansum",
    "nanmean",
    "count_nonzero",
    "prod",
    "amax",
    "amin",
    "aminmax",
    "all",
    "any",
    "powsum",
    "amax_abs",
    "amin_abs",
    "norm",
    "repeat",
    "tile",
    "repeat_interleave",
    "floor",
    "ceil",
    "trunc",
    "round",
    "frac",
    "sign",
    "sgn",
    "copysign",
    "copysign_scalar",
    "remainder",
    "remainder_scalar",
    "fmod",
    "fmod_scalar",
    "floor_divide",
    "floor_divide_scalar",
    "div_mode",
    "div_mode_scalar",
    "nan_to_num",
    "cumsum",
    "cumprod",
    "cummax",
    "cummin",
    "logcumsumexp",
    "scatter",
    "scatter_value",
    "scatter_add",
    "scatter_reduce",
    "searchsorted",
    "bucketize",
    "roll",
    "flip",
    "constant_pad_nd",
    "slice",
    "narrow",
    "select",
    "slice_scatter",
    "select_scatter",
    "slice_backward",
    "select_backward",
    "softmax",
    "safe_softmax",
    "log_softmax",
    "softmax_backward",
    "log_softmax_backward",
    "sort",
    "argsort",
    "topk",
    "kthvalue",
    "median_dim",
    "nanmedian_dim",
    "median",
    "nanmedian",
    "mode",
    "lgamma",
    "digamma",
    "polygamma",
    "erfinv",
    "special_ndtr",
    "special_entr",
    "special_xlog1py",
    "foreach_norm",
    "get_total_norm",
    "clip_grads_with_norm",
    "clip_grad_norm",
    "tril",
    "triu",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sinc",
    "atan2",
    "hypot",
    "deg2rad",
    "rad2deg",
    "unfold",
    "unfold_backward",
    "var",
    "std",
    "var_mean",
    "std_mean",
    "view",
    "reshape",
    "flatten",
    "unflatten",
    "squeeze",
    "unsqueeze",
    "permute",
    "transpose",
    "t",
    "expand",
    "where",
    "where_scalar_self",
    "where_scalar_other",
    "masked_fill",
    "masked_fill_tensor",
    NULL,
};
const int dti_op_name_count = OP_COUNT;

/* A shape may say that it has more extents than it has room for; these stand
 * for it, which are too many too. */
static const int64_t too_many[DT_MAX_NDIM + 1];

static inline const int64_t *list_of(const dt_shape *shape)
{
    return (unsigned)shape->ndim <= DT_MAX_NDIM ? shape->dims : too_many;
}

static inline int list_count(const dt_shape *shape)
{
    return (unsigned)shape->ndim <= DT_MAX_NDIM ? shape->ndim
                                                : DT_MAX_NDIM + 1;
}

/* DT_NO_DIMS is told from an empty list. */
static inline int dims_count(const dt_dims *dims)
{
    return dims->ndim == -1 ? -1 : list_count(dims);
}

/* Options say another size than they have: tell the world of a tensor. */
static dt_status refuse_size(const dt_tensor *tensor, size_t given,
                             size_t expected, const char *initialiser)
{
    if (!tensor)
        return DT_ERR_INVALID;
    return dti_fail_size(dt_tensor_world(tensor), given, expected,
                         initialiser);
}

static inline dt_tensor *call_relu(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_RELU, variant, arguments, 1, out);
}

dt_tensor *dt_relu(dt_tensor *self)
{
    return call_relu(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_relu_(dt_tensor *self)
{
    return call_relu(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_relu_out(dt_tensor *self, dt_tensor *out)
{
    return call_relu(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_relu6(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_RELU6, variant, arguments, 1, out);
}

dt_tensor *dt_relu6(dt_tensor *self)
{
    return call_relu6(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_relu6_(dt_tensor *self)
{
    return call_relu6(DT_VARIANT_IN_PLACE, self, NULL);
}

static inline dt_tensor *call_hardtanh(dt_variant variant, dt_tensor *self,
                                       dt_number min_val, dt_number max_val,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = min_val},
        {.kind = DT_ARG_NUMBER, .as.number = max_val},
    };
    return dti_op_call_one(OP_HARDTANH, variant, arguments, 3, out);
}

dt_tensor *dt_hardtanh(dt_tensor *self)
{
    return call_hardtanh(DT_VARIANT_NEW, self,
                         (dt_number){DT_KIND_SIGNED, {-1}, 0},
                         (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_hardtanh_with(dt_tensor *self,
                            const dt_hardtanh_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_HARDTANH_OPTIONS_INIT");
        return NULL;
    }
    return call_hardtanh(DT_VARIANT_NEW, self, options->min_val,
                         options->max_val, NULL);
}

dt_tensor *dt_hardtanh_(dt_tensor *self)
{
    return call_hardtanh(DT_VARIANT_IN_PLACE, self,
                         (dt_number){DT_KIND_SIGNED, {-1}, 0},
                         (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_hardtanh_with_(dt_tensor *self,
                             const dt_hardtanh_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_HARDTANH_OPTIONS_INIT");
        return NULL;
    }
    return call_hardtanh(DT_VARIANT_IN_PLACE, self, options->min_val,
                         options->max_val, NULL);
}

dt_tensor *dt_hardtanh_out(dt_tensor *self, dt_tensor *out)
{
    return call_hardtanh(DT_VARIANT_OUT, self,
                         (dt_number){DT_KIND_SIGNED, {-1}, 0},
                         (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_hardtanh_with_out(dt_tensor *self,
                                const dt_hardtanh_options *options,
                                dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_HARDTANH_OPTIONS_INIT");
        return NULL;
    }
    return call_hardtanh(DT_VARIANT_OUT, self, options->min_val,
                         options->max_val, out);
}

static inline dt_tensor *call_threshold(dt_variant variant, dt_tensor *self,
                                        dt_number threshold, dt_number value,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = threshold},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_THRESHOLD, variant, arguments, 3, out);
}

dt_tensor *dt_threshold(dt_tensor *self, dt_number threshold,
                        dt_number value)
{
    return call_threshold(DT_VARIANT_NEW, self, threshold, value, NULL);
}

dt_tensor *dt_threshold_(dt_tensor *self, dt_number threshold,
                         dt_number value)
{
    return call_threshold(DT_VARIANT_IN_PLACE, self, threshold, value, NULL);
}

dt_tensor *dt_threshold_out(dt_tensor *self, dt_number threshold,
                            dt_number value, dt_tensor *out)
{
    return call_threshold(DT_VARIANT_OUT, self, threshold, value, out);
}

static inline dt_tensor *call_sigmoid(dt_variant variant, dt_tensor *self,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SIGMOID, variant, arguments, 1, out);
}

dt_tensor *dt_sigmoid(dt_tensor *self)
{
    return call_sigmoid(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_sigmoid_(dt_tensor *self)
{
    return call_sigmoid(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_sigmoid_out(dt_tensor *self, dt_tensor *out)
{
    return call_sigmoid(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_log_sigmoid(dt_variant variant, dt_tensor *self,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_LOG_SIGMOID, variant, arguments, 1, out);
}

dt_tensor *dt_log_sigmoid(dt_tensor *self)
{
    return call_log_sigmoid(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_log_sigmoid_out(dt_tensor *self, dt_tensor *out)
{
    return call_log_sigmoid(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_silu(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SILU, variant, arguments, 1, out);
}

dt_tensor *dt_silu(dt_tensor *self)
{
    return call_silu(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_silu_(dt_tensor *self)
{
    return call_silu(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_silu_out(dt_tensor *self, dt_tensor *out)
{
    return call_silu(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_gelu(dt_variant variant, dt_tensor *self,
                                   const char *approximate, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TEXT, .as.text = approximate},
    };
    return dti_op_call_one(OP_GELU, variant, arguments, 2, out);
}

dt_tensor *dt_gelu(dt_tensor *self)
{
    return call_gelu(DT_VARIANT_NEW, self, "none", NULL);
}

dt_tensor *dt_gelu_with(dt_tensor *self, const dt_gelu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_GELU_OPTIONS_INIT");
        return NULL;
    }
    return call_gelu(DT_VARIANT_NEW, self, options->approximate, NULL);
}

dt_tensor *dt_gelu_(dt_tensor *self)
{
    return call_gelu(DT_VARIANT_IN_PLACE, self, "none", NULL);
}

dt_tensor *dt_gelu_with_(dt_tensor *self, const dt_gelu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_GELU_OPTIONS_INIT");
        return NULL;
    }
    return call_gelu(DT_VARIANT_IN_PLACE, self, options->approximate, NULL);
}

dt_tensor *dt_gelu_out(dt_tensor *self, dt_tensor *out)
{
    return call_gelu(DT_VARIANT_OUT, self, "none", out);
}

dt_tensor *dt_gelu_with_out(dt_tensor *self, const dt_gelu_options *options,
                            dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_GELU_OPTIONS_INIT");
        return NULL;
    }
    return call_gelu(DT_VARIANT_OUT, self, options->approximate, out);
}

static inline dt_tensor *call_mish(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_MISH, variant, arguments, 1, out);
}

dt_tensor *dt_mish(dt_tensor *self)
{
    return call_mish(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_mish_(dt_tensor *self)
{
    return call_mish(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_mish_out(dt_tensor *self, dt_tensor *out)
{
    return call_mish(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_softplus(dt_variant variant, dt_tensor *self,
                                       double beta, double threshold,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = beta},
        {.kind = DT_ARG_REAL, .as.real = threshold},
    };
    return dti_op_call_one(OP_SOFTPLUS, variant, arguments, 3, out);
}

dt_tensor *dt_softplus(dt_tensor *self)
{
    return call_softplus(DT_VARIANT_NEW, self, 1, 20, NULL);
}

dt_tensor *dt_softplus_with(dt_tensor *self,
                            const dt_softplus_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SOFTPLUS_OPTIONS_INIT");
        return NULL;
    }
    return call_softplus(DT_VARIANT_NEW, self, options->beta,
                         options->threshold, NULL);
}

dt_tensor *dt_softplus_out(dt_tensor *self, dt_tensor *out)
{
    return call_softplus(DT_VARIANT_OUT, self, 1, 20, out);
}

dt_tensor *dt_softplus_with_out(dt_tensor *self,
                                const dt_softplus_options *options,
                                dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SOFTPLUS_OPTIONS_INIT");
        return NULL;
    }
    return call_softplus(DT_VARIANT_OUT, self, options->beta,
                         options->threshold, out);
}

static inline dt_tensor *call_leaky_relu(dt_variant variant, dt_tensor *self,
                                         double negative_slope,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = negative_slope},
    };
    return dti_op_call_one(OP_LEAKY_RELU, variant, arguments, 2, out);
}

dt_tensor *dt_leaky_relu(dt_tensor *self)
{
    return call_leaky_relu(DT_VARIANT_NEW, self, 0.01, NULL);
}

dt_tensor *dt_leaky_relu_with(dt_tensor *self,
                              const dt_leaky_relu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_LEAKY_RELU_OPTIONS_INIT");
        return NULL;
    }
    return call_leaky_relu(DT_VARIANT_NEW, self, options->negative_slope,
                           NULL);
}

dt_tensor *dt_leaky_relu_(dt_tensor *self)
{
    return call_leaky_relu(DT_VARIANT_IN_PLACE, self, 0.01, NULL);
}

dt_tensor *dt_leaky_relu_with_(dt_tensor *self,
                               const dt_leaky_relu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_LEAKY_RELU_OPTIONS_INIT");
        return NULL;
    }
    return call_leaky_relu(DT_VARIANT_IN_PLACE, self, options->negative_slope,
                           NULL);
}

dt_tensor *dt_leaky_relu_out(dt_tensor *self, dt_tensor *out)
{
    return call_leaky_relu(DT_VARIANT_OUT, self, 0.01, out);
}

dt_tensor *dt_leaky_relu_with_out(dt_tensor *self,
                                  const dt_leaky_relu_options *options,
                                  dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_LEAKY_RELU_OPTIONS_INIT");
        return NULL;
    }
    return call_leaky_relu(DT_VARIANT_OUT, self, options->negative_slope,
                           out);
}

static inline dt_tensor *call_elu(dt_variant variant, dt_tensor *self,
                                  double alpha, double scale,
                                  double input_scale, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = alpha},
        {.kind = DT_ARG_REAL, .as.real = scale},
        {.kind = DT_ARG_REAL, .as.real = input_scale},
    };
    return dti_op_call_one(OP_ELU, variant, arguments, 4, out);
}

dt_tensor *dt_elu(dt_tensor *self)
{
    return call_elu(DT_VARIANT_NEW, self, 1, 1, 1, NULL);
}

dt_tensor *dt_elu_with(dt_tensor *self, const dt_elu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ELU_OPTIONS_INIT");
        return NULL;
    }
    return call_elu(DT_VARIANT_NEW, self, options->alpha, options->scale,
                    options->input_scale, NULL);
}

dt_tensor *dt_elu_(dt_tensor *self)
{
    return call_elu(DT_VARIANT_IN_PLACE, self, 1, 1, 1, NULL);
}

dt_tensor *dt_elu_with_(dt_tensor *self, const dt_elu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ELU_OPTIONS_INIT");
        return NULL;
    }
    return call_elu(DT_VARIANT_IN_PLACE, self, options->alpha, options->scale,
                    options->input_scale, NULL);
}

dt_tensor *dt_elu_out(dt_tensor *self, dt_tensor *out)
{
    return call_elu(DT_VARIANT_OUT, self, 1, 1, 1, out);
}

dt_tensor *dt_elu_with_out(dt_tensor *self, const dt_elu_options *options,
                           dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ELU_OPTIONS_INIT");
        return NULL;
    }
    return call_elu(DT_VARIANT_OUT, self, options->alpha, options->scale,
                    options->input_scale, out);
}

static inline dt_tensor *call_celu(dt_variant variant, dt_tensor *self,
                                   double alpha, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = alpha},
    };
    return dti_op_call_one(OP_CELU, variant, arguments, 2, out);
}

dt_tensor *dt_celu(dt_tensor *self)
{
    return call_celu(DT_VARIANT_NEW, self, 1, NULL);
}

dt_tensor *dt_celu_with(dt_tensor *self, const dt_celu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CELU_OPTIONS_INIT");
        return NULL;
    }
    return call_celu(DT_VARIANT_NEW, self, options->alpha, NULL);
}

dt_tensor *dt_celu_(dt_tensor *self)
{
    return call_celu(DT_VARIANT_IN_PLACE, self, 1, NULL);
}

dt_tensor *dt_celu_with_(dt_tensor *self, const dt_celu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CELU_OPTIONS_INIT");
        return NULL;
    }
    return call_celu(DT_VARIANT_IN_PLACE, self, options->alpha, NULL);
}

static inline dt_tensor *call_selu(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SELU, variant, arguments, 1, out);
}

dt_tensor *dt_selu(dt_tensor *self)
{
    return call_selu(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_selu_(dt_tensor *self)
{
    return call_selu(DT_VARIANT_IN_PLACE, self, NULL);
}

static inline dt_tensor *call_hardsigmoid(dt_variant variant, dt_tensor *self,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_HARDSIGMOID, variant, arguments, 1, out);
}

dt_tensor *dt_hardsigmoid(dt_tensor *self)
{
    return call_hardsigmoid(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_hardsigmoid_(dt_tensor *self)
{
    return call_hardsigmoid(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_hardsigmoid_out(dt_tensor *self, dt_tensor *out)
{
    return call_hardsigmoid(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_hardswish(dt_variant variant, dt_tensor *self,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_HARDSWISH, variant, arguments, 1, out);
}

dt_tensor *dt_hardswish(dt_tensor *self)
{
    return call_hardswish(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_hardswish_(dt_tensor *self)
{
    return call_hardswish(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_hardswish_out(dt_tensor *self, dt_tensor *out)
{
    return call_hardswish(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_softsign(dt_variant variant, dt_tensor *self,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SOFTSIGN, variant, arguments, 1, out);
}

dt_tensor *dt_softsign(dt_tensor *self)
{
    return call_softsign(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_hardshrink(dt_variant variant, dt_tensor *self,
                                         double lambd, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = lambd},
    };
    return dti_op_call_one(OP_HARDSHRINK, variant, arguments, 2, out);
}

dt_tensor *dt_hardshrink(dt_tensor *self)
{
    return call_hardshrink(DT_VARIANT_NEW, self, 0.5, NULL);
}

dt_tensor *dt_hardshrink_with(dt_tensor *self,
                              const dt_hardshrink_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_HARDSHRINK_OPTIONS_INIT");
        return NULL;
    }
    return call_hardshrink(DT_VARIANT_NEW, self, options->lambd, NULL);
}

dt_tensor *dt_hardshrink_out(dt_tensor *self, dt_tensor *out)
{
    return call_hardshrink(DT_VARIANT_OUT, self, 0.5, out);
}

dt_tensor *dt_hardshrink_with_out(dt_tensor *self,
                                  const dt_hardshrink_options *options,
                                  dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_HARDSHRINK_OPTIONS_INIT");
        return NULL;
    }
    return call_hardshrink(DT_VARIANT_OUT, self, options->lambd, out);
}

static inline dt_tensor *call_softshrink(dt_variant variant, dt_tensor *self,
                                         double lambd, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = lambd},
    };
    return dti_op_call_one(OP_SOFTSHRINK, variant, arguments, 2, out);
}

dt_tensor *dt_softshrink(dt_tensor *self)
{
    return call_softshrink(DT_VARIANT_NEW, self, 0.5, NULL);
}

dt_tensor *dt_softshrink_with(dt_tensor *self,
                              const dt_softshrink_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SOFTSHRINK_OPTIONS_INIT");
        return NULL;
    }
    return call_softshrink(DT_VARIANT_NEW, self, options->lambd, NULL);
}

dt_tensor *dt_softshrink_out(dt_tensor *self, dt_tensor *out)
{
    return call_softshrink(DT_VARIANT_OUT, self, 0.5, out);
}

dt_tensor *dt_softshrink_with_out(dt_tensor *self,
                                  const dt_softshrink_options *options,
                                  dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SOFTSHRINK_OPTIONS_INIT");
        return NULL;
    }
    return call_softshrink(DT_VARIANT_OUT, self, options->lambd, out);
}

static inline dt_tensor *call_sigmoid_backward(dt_variant variant,
                                               dt_tensor *grad_output,
                                               dt_tensor *output,
                                               dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = output},
    };
    return dti_op_call_one(OP_SIGMOID_BACKWARD, variant, arguments, 2, out);
}

dt_tensor *dt_sigmoid_backward(dt_tensor *grad_output, dt_tensor *output)
{
    return call_sigmoid_backward(DT_VARIANT_NEW, grad_output, output, NULL);
}

dt_tensor *dt_sigmoid_backward_out(dt_tensor *grad_output, dt_tensor *output,
                                   dt_tensor *out)
{
    return call_sigmoid_backward(DT_VARIANT_OUT, grad_output, output, out);
}

static inline dt_tensor *call_tanh_backward(dt_variant variant,
                                            dt_tensor *grad_output,
                                            dt_tensor *output,
                                            dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = output},
    };
    return dti_op_call_one(OP_TANH_BACKWARD, variant, arguments, 2, out);
}

dt_tensor *dt_tanh_backward(dt_tensor *grad_output, dt_tensor *output)
{
    return call_tanh_backward(DT_VARIANT_NEW, grad_output, output, NULL);
}

dt_tensor *dt_tanh_backward_out(dt_tensor *grad_output, dt_tensor *output,
                                dt_tensor *out)
{
    return call_tanh_backward(DT_VARIANT_OUT, grad_output, output, out);
}

static inline dt_tensor *call_silu_backward(dt_variant variant,
                                            dt_tensor *grad_output,
                                            dt_tensor *self, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SILU_BACKWARD, variant, arguments, 2, out);
}

dt_tensor *dt_silu_backward(dt_tensor *grad_output, dt_tensor *self)
{
    return call_silu_backward(DT_VARIANT_NEW, grad_output, self, NULL);
}

dt_tensor *dt_silu_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                dt_tensor *out)
{
    return call_silu_backward(DT_VARIANT_OUT, grad_output, self, out);
}

static inline dt_tensor *call_gelu_backward(dt_variant variant,
                                            dt_tensor *grad_output,
                                            dt_tensor *self,
                                            const char *approximate,
                                            dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TEXT, .as.text = approximate},
    };
    return dti_op_call_one(OP_GELU_BACKWARD, variant, arguments, 3, out);
}

dt_tensor *dt_gelu_backward(dt_tensor *grad_output, dt_tensor *self)
{
    return call_gelu_backward(DT_VARIANT_NEW, grad_output, self, "none",
                              NULL);
}

dt_tensor *dt_gelu_backward_with(dt_tensor *grad_output, dt_tensor *self,
                                 const dt_gelu_backward_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(grad_output, options->size, sizeof *options,
                    "DT_GELU_BACKWARD_OPTIONS_INIT");
        return NULL;
    }
    return call_gelu_backward(DT_VARIANT_NEW, grad_output, self,
                              options->approximate, NULL);
}

dt_tensor *dt_gelu_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                dt_tensor *out)
{
    return call_gelu_backward(DT_VARIANT_OUT, grad_output, self, "none",
                              out);
}

dt_tensor *dt_gelu_backward_with_out(dt_tensor *grad_output, dt_tensor *self,
                                     const dt_gelu_backward_options *options,
                                     dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(grad_output, options->size, sizeof *options,
                    "DT_GELU_BACKWARD_OPTIONS_INIT");
        return NULL;
    }
    return call_gelu_backward(DT_VARIANT_OUT, grad_output, self,
                              options->approximate, out);
}

static inline dt_tensor *call_mish_backward(dt_variant variant,
                                            dt_tensor *grad_output,
                                            dt_tensor *self, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_MISH_BACKWARD, variant, arguments, 2, out);
}

dt_tensor *dt_mish_backward(dt_tensor *grad_output, dt_tensor *self)
{
    return call_mish_backward(DT_VARIANT_NEW, grad_output, self, NULL);
}

static inline dt_tensor *call_hardswish_backward(dt_variant variant,
                                                 dt_tensor *grad_output,
                                                 dt_tensor *self,
                                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_HARDSWISH_BACKWARD, variant, arguments, 2, out);
}

dt_tensor *dt_hardswish_backward(dt_tensor *grad_output, dt_tensor *self)
{
    return call_hardswish_backward(DT_VARIANT_NEW, grad_output, self, NULL);
}

static inline dt_tensor *call_hardsigmoid_backward(dt_variant variant,
                                                   dt_tensor *grad_output,
                                                   dt_tensor *self,
                                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_HARDSIGMOID_BACKWARD, variant, arguments, 2, out);
}

dt_tensor *dt_hardsigmoid_backward(dt_tensor *grad_output, dt_tensor *self)
{
    return call_hardsigmoid_backward(DT_VARIANT_NEW, grad_output, self,
                                     NULL);
}

dt_tensor *dt_hardsigmoid_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                       dt_tensor *out)
{
    return call_hardsigmoid_backward(DT_VARIANT_OUT, grad_output, self, out);
}

static inline dt_tensor *call_log_sigmoid_backward(dt_variant variant,
                                                   dt_tensor *grad_output,
                                                   dt_tensor *self,
                                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_LOG_SIGMOID_BACKWARD, variant, arguments, 2, out);
}

dt_tensor *dt_log_sigmoid_backward(dt_tensor *grad_output, dt_tensor *self)
{
    return call_log_sigmoid_backward(DT_VARIANT_NEW, grad_output, self,
                                     NULL);
}

static inline dt_tensor *call_threshold_backward(dt_variant variant,
                                                 dt_tensor *grad_output,
                                                 dt_tensor *self,
                                                 dt_number threshold,
                                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = threshold},
    };
    return dti_op_call_one(OP_THRESHOLD_BACKWARD, variant, arguments, 3, out);
}

dt_tensor *dt_threshold_backward(dt_tensor *grad_output, dt_tensor *self,
                                 dt_number threshold)
{
    return call_threshold_backward(DT_VARIANT_NEW, grad_output, self, threshold,
                                   NULL);
}

dt_tensor *dt_threshold_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                     dt_number threshold, dt_tensor *out)
{
    return call_threshold_backward(DT_VARIANT_OUT, grad_output, self, threshold,
                                   out);
}

static inline dt_tensor *call_leaky_relu_backward(dt_variant variant,
                                                  dt_tensor *grad_output,
                                                  dt_tensor *self,
                                                  double negative_slope,
                                                  bool self_is_result,
                                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = negative_slope},
        {.kind = DT_ARG_INTEGER, .as.integer = self_is_result},
    };
    return dti_op_call_one(OP_LEAKY_RELU_BACKWARD, variant, arguments, 4, out);
}

dt_tensor *dt_leaky_relu_backward(dt_tensor *grad_output, dt_tensor *self,
                                  double negative_slope, bool self_is_result)
{
    return call_leaky_relu_backward(DT_VARIANT_NEW, grad_output, self,
                                    negative_slope, self_is_result, NULL);
}

dt_tensor *dt_leaky_relu_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                      double negative_slope,
                                      bool self_is_result, dt_tensor *out)
{
    return call_leaky_relu_backward(DT_VARIANT_OUT, grad_output, self,
                                    negative_slope, self_is_result, out);
}

static inline dt_tensor *call_elu_backward(dt_variant variant,
                                           dt_tensor *grad_output, double alpha,
                                           double scale, double input_scale,
                                           bool is_result,
                                           dt_tensor *self_or_result,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_REAL, .as.real = alpha},
        {.kind = DT_ARG_REAL, .as.real = scale},
        {.kind = DT_ARG_REAL, .as.real = input_scale},
        {.kind = DT_ARG_INTEGER, .as.integer = is_result},
        {.kind = DT_ARG_TENSOR, .as.tensor = self_or_result},
    };
    return dti_op_call_one(OP_ELU_BACKWARD, variant, arguments, 6, out);
}

dt_tensor *dt_elu_backward(dt_tensor *grad_output, double alpha, double scale,
                           double input_scale, bool is_result,
                           dt_tensor *self_or_result)
{
    return call_elu_backward(DT_VARIANT_NEW, grad_output, alpha, scale,
                             input_scale, is_result, self_or_result, NULL);
}

dt_tensor *dt_elu_backward_out(dt_tensor *grad_output, double alpha,
                               double scale, double input_scale, bool is_result,
                               dt_tensor *self_or_result, dt_tensor *out)
{
    return call_elu_backward(DT_VARIANT_OUT, grad_output, alpha, scale,
                             input_scale, is_result, self_or_result, out);
}

static inline dt_tensor *call_softplus_backward(dt_variant variant,
                                                dt_tensor *grad_output,
                                                dt_tensor *self, double beta,
                                                double threshold,
                                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = beta},
        {.kind = DT_ARG_REAL, .as.real = threshold},
    };
    return dti_op_call_one(OP_SOFTPLUS_BACKWARD, variant, arguments, 4, out);
}

dt_tensor *dt_softplus_backward(dt_tensor *grad_output, dt_tensor *self,
                                double beta, double threshold)
{
    return call_softplus_backward(DT_VARIANT_NEW, grad_output, self, beta,
                                  threshold, NULL);
}

dt_tensor *dt_softplus_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                    double beta, double threshold,
                                    dt_tensor *out)
{
    return call_softplus_backward(DT_VARIANT_OUT, grad_output, self, beta,
                                  threshold, out);
}

static inline dt_tensor *call_hardtanh_backward(dt_variant variant,
                                                dt_tensor *grad_output,
                                                dt_tensor *self,
                                                dt_number min_val,
                                                dt_number max_val,
                                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = min_val},
        {.kind = DT_ARG_NUMBER, .as.number = max_val},
    };
    return dti_op_call_one(OP_HARDTANH_BACKWARD, variant, arguments, 4, out);
}

dt_tensor *dt_hardtanh_backward(dt_tensor *grad_output, dt_tensor *self,
                                dt_number min_val, dt_number max_val)
{
    return call_hardtanh_backward(DT_VARIANT_NEW, grad_output, self, min_val,
                                  max_val, NULL);
}

dt_tensor *dt_hardtanh_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                    dt_number min_val, dt_number max_val,
                                    dt_tensor *out)
{
    return call_hardtanh_backward(DT_VARIANT_OUT, grad_output, self, min_val,
                                  max_val, out);
}

static inline dt_tensor *call_hardshrink_backward(dt_variant variant,
                                                  dt_tensor *grad_output,
                                                  dt_tensor *self, double lambd,
                                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = lambd},
    };
    return dti_op_call_one(OP_HARDSHRINK_BACKWARD, variant, arguments, 3, out);
}

dt_tensor *dt_hardshrink_backward(dt_tensor *grad_output, dt_tensor *self,
                                  double lambd)
{
    return call_hardshrink_backward(DT_VARIANT_NEW, grad_output, self, lambd,
                                    NULL);
}

static inline dt_tensor *call_softshrink_backward(dt_variant variant,
                                                  dt_tensor *grad_output,
                                                  dt_tensor *self, double lambd,
                                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = lambd},
    };
    return dti_op_call_one(OP_SOFTSHRINK_BACKWARD, variant, arguments, 3, out);
}

dt_tensor *dt_softshrink_backward(dt_tensor *grad_output, dt_tensor *self,
                                  double lambd)
{
    return call_softshrink_backward(DT_VARIANT_NEW, grad_output, self, lambd,
                                    NULL);
}

dt_tensor *dt_softshrink_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                      double lambd, dt_tensor *out)
{
    return call_softshrink_backward(DT_VARIANT_OUT, grad_output, self, lambd,
                                    out);
}

static inline dt_tensor *call_logit_backward(dt_variant variant,
                                             dt_tensor *grad_output,
                                             dt_tensor *self, double eps,
                                             dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = eps},
    };
    return dti_op_call_one(OP_LOGIT_BACKWARD, variant, arguments, 3, out);
}

dt_tensor *dt_logit_backward(dt_tensor *grad_output, dt_tensor *self)
{
    return call_logit_backward(DT_VARIANT_NEW, grad_output, self, -1, NULL);
}

dt_tensor *dt_logit_backward_with(dt_tensor *grad_output, dt_tensor *self,
                                  const dt_logit_backward_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(grad_output, options->size, sizeof *options,
                    "DT_LOGIT_BACKWARD_OPTIONS_INIT");
        return NULL;
    }
    return call_logit_backward(DT_VARIANT_NEW, grad_output, self, options->eps,
                               NULL);
}

dt_tensor *dt_logit_backward_out(dt_tensor *grad_output, dt_tensor *self,
                                 dt_tensor *out)
{
    return call_logit_backward(DT_VARIANT_OUT, grad_output, self, -1, out);
}

dt_tensor *dt_logit_backward_with_out(dt_tensor *grad_output, dt_tensor *self,
                                      const dt_logit_backward_options *options,
                                      dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(grad_output, options->size, sizeof *options,
                    "DT_LOGIT_BACKWARD_OPTIONS_INIT");
        return NULL;
    }
    return call_logit_backward(DT_VARIANT_OUT, grad_output, self, options->eps,
                               out);
}

static inline dt_tensor *call_alias(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ALIAS, variant, arguments, 1, out);
}

dt_tensor *dt_alias(dt_tensor *self)
{
    return call_alias(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_detach(dt_variant variant, dt_tensor *self,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_DETACH, variant, arguments, 1, out);
}

dt_tensor *dt_detach(dt_tensor *self)
{
    return call_detach(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_detach_(dt_tensor *self)
{
    return call_detach(DT_VARIANT_IN_PLACE, self, NULL);
}

static inline dt_tensor *call_contiguous(dt_variant variant, dt_tensor *self,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_CONTIGUOUS, variant, arguments, 1, out);
}

dt_tensor *dt_contiguous(dt_tensor *self)
{
    return call_contiguous(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_view_as(dt_variant variant, dt_tensor *self,
                                      dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_VIEW_AS, variant, arguments, 2, out);
}

dt_tensor *dt_view_as(dt_tensor *self, dt_tensor *other)
{
    return call_view_as(DT_VARIANT_NEW, self, other, NULL);
}

static inline dt_tensor *call_expand_as(dt_variant variant, dt_tensor *self,
                                        dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_EXPAND_AS, variant, arguments, 2, out);
}

dt_tensor *dt_expand_as(dt_tensor *self, dt_tensor *other)
{
    return call_expand_as(DT_VARIANT_NEW, self, other, NULL);
}

static inline dt_tensor *call_movedim(dt_variant variant, dt_tensor *self,
                                      dt_dims source, dt_dims destination,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&source),
         .as.integers = list_of(&source)},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&destination),
         .as.integers = list_of(&destination)},
    };
    return dti_op_call_one(OP_MOVEDIM, variant, arguments, 3, out);
}

dt_tensor *dt_movedim(dt_tensor *self, dt_dims source, dt_dims destination)
{
    return call_movedim(DT_VARIANT_NEW, self, source, destination, NULL);
}

static inline dt_tensor *call_view_as_real(dt_variant variant, dt_tensor *self,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_VIEW_AS_REAL, variant, arguments, 1, out);
}

dt_tensor *dt_view_as_real(dt_tensor *self)
{
    return call_view_as_real(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_view_as_complex(dt_variant variant,
                                              dt_tensor *self,
                                              dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_VIEW_AS_COMPLEX, variant, arguments, 1, out);
}

dt_tensor *dt_view_as_complex(dt_tensor *self)
{
    return call_view_as_complex(DT_VARIANT_NEW, self, NULL);
}

static inline dt_status call_amp_unscale(dt_variant variant, dt_tensor *self,
                                         double inv_scale, dt_tensor **self_out,
                                         dt_tensor **found_inf)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = inv_scale},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_AMP_UNSCALE, variant, arguments,
                                        2, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (self_out)
        *self_out = results[0];
    if (found_inf)
        *found_inf = results[1];
    return DT_OK;
}

dt_status dt_amp_unscale(dt_tensor *self, double inv_scale,
                         dt_tensor **self_out, dt_tensor **found_inf)
{
    return call_amp_unscale(DT_VARIANT_NEW, self, inv_scale, self_out,
                            found_inf);
}

dt_status dt_amp_unscale_(dt_tensor *self, double inv_scale,
                          dt_tensor **found_inf)
{
    return call_amp_unscale(DT_VARIANT_IN_PLACE, self, inv_scale, NULL,
                            found_inf);
}

static inline dt_status call_amp_foreach_non_finite_check_and_unscale(dt_variant variant,
                                                                      dt_tensor *const *self,
                                                                      int self_count,
                                                                      dt_tensor *found_inf,
                                                                      dt_tensor *inv_scale)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = found_inf},
        {.kind = DT_ARG_TENSOR, .as.tensor = inv_scale},
    };
    return dti_op_call_many(OP_AMP_FOREACH_NON_FINITE_CHECK_AND_UNSCALE, variant, arguments, 3, NULL, 0,
                            NULL);
}

dt_status dt_amp_foreach_non_finite_check_and_unscale_(dt_tensor *const *self,
                                                       int self_count,
                                                       dt_tensor *found_inf,
                                                       dt_tensor *inv_scale)
{
    return call_amp_foreach_non_finite_check_and_unscale(DT_VARIANT_IN_PLACE,
                                                         self, self_count,
                                                         found_inf,
                                                         inv_scale);
}

static inline dt_status call_amp_update_scale(dt_variant variant,
                                              dt_tensor *self,
                                              dt_tensor *growth_tracker,
                                              dt_tensor *found_inf,
                                              double scale_growth_factor,
                                              double scale_backoff_factor,
                                              int64_t growth_interval,
                                              dt_tensor **self_out,
                                              dt_tensor **growth_tracker_out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = growth_tracker},
        {.kind = DT_ARG_TENSOR, .as.tensor = found_inf},
        {.kind = DT_ARG_REAL, .as.real = scale_growth_factor},
        {.kind = DT_ARG_REAL, .as.real = scale_backoff_factor},
        {.kind = DT_ARG_INTEGER, .as.integer = growth_interval},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_AMP_UPDATE_SCALE, variant, arguments,
                                        6, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (self_out)
        *self_out = results[0];
    if (growth_tracker_out)
        *growth_tracker_out = results[1];
    return DT_OK;
}

dt_status dt_amp_update_scale(dt_tensor *self, dt_tensor *growth_tracker,
                              dt_tensor *found_inf, double scale_growth_factor,
                              double scale_backoff_factor,
                              int64_t growth_interval, dt_tensor **self_out,
                              dt_tensor **growth_tracker_out)
{
    return call_amp_update_scale(DT_VARIANT_NEW, self, growth_tracker,
                                 found_inf, scale_growth_factor,
                                 scale_backoff_factor, growth_interval,
                                 self_out, growth_tracker_out);
}

dt_status dt_amp_update_scale_(dt_tensor *self, dt_tensor *growth_tracker,
                               dt_tensor *found_inf, double scale_growth_factor,
                               double scale_backoff_factor,
                               int64_t growth_interval)
{
    return call_amp_update_scale(DT_VARIANT_IN_PLACE, self, growth_tracker,
                                 found_inf, scale_growth_factor,
                                 scale_backoff_factor, growth_interval, NULL,
                                 NULL);
}

static inline dt_status call_max_dim(dt_variant variant, dt_tensor *self,
                                     int dim, bool keepdim, dt_tensor **values,
                                     dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_MAX_DIM, variant, arguments,
                                        3, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_max_dim(dt_tensor *self, int dim, bool keepdim, dt_tensor **values,
                     dt_tensor **indices)
{
    return call_max_dim(DT_VARIANT_NEW, self, dim, keepdim, values, indices);
}

static inline dt_status call_min_dim(dt_variant variant, dt_tensor *self,
                                     int dim, bool keepdim, dt_tensor **values,
                                     dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_MIN_DIM, variant, arguments,
                                        3, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_min_dim(dt_tensor *self, int dim, bool keepdim, dt_tensor **values,
                     dt_tensor **indices)
{
    return call_min_dim(DT_VARIANT_NEW, self, dim, keepdim, values, indices);
}

static inline dt_tensor *call_argmax(dt_variant variant, dt_tensor *self,
                                     int dim, bool keepdim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_ARGMAX, variant, arguments, 3, out);
}

dt_tensor *dt_argmax(dt_tensor *self, int dim, bool keepdim)
{
    return call_argmax(DT_VARIANT_NEW, self, dim, keepdim, NULL);
}

static inline dt_tensor *call_argmin(dt_variant variant, dt_tensor *self,
                                     int dim, bool keepdim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_ARGMIN, variant, arguments, 3, out);
}

dt_tensor *dt_argmin(dt_tensor *self, int dim, bool keepdim)
{
    return call_argmin(DT_VARIANT_NEW, self, dim, keepdim, NULL);
}

static inline dt_tensor *call_argmax_all(dt_variant variant, dt_tensor *self,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ARGMAX_ALL, variant, arguments, 1, out);
}

dt_tensor *dt_argmax_all(dt_tensor *self)
{
    return call_argmax_all(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_argmin_all(dt_variant variant, dt_tensor *self,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ARGMIN_ALL, variant, arguments, 1, out);
}

dt_tensor *dt_argmin_all(dt_tensor *self)
{
    return call_argmin_all(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_scaled_dot_product_attention(dt_variant variant,
                                                           dt_tensor *query,
                                                           dt_tensor *key,
                                                           dt_tensor *value,
                                                           dt_tensor *attn_mask,
                                                           double dropout_p,
                                                           bool is_causal,
                                                           double scale,
                                                           bool enable_gqa,
                                                           dt_generator *generator,
                                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = query},
        {.kind = DT_ARG_TENSOR, .as.tensor = key},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
        {.kind = attn_mask ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = attn_mask},
        {.kind = DT_ARG_REAL, .as.real = dropout_p},
        {.kind = DT_ARG_INTEGER, .as.integer = is_causal},
        {.kind = DT_ARG_REAL, .as.real = scale},
        {.kind = DT_ARG_INTEGER, .as.integer = enable_gqa},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_SCALED_DOT_PRODUCT_ATTENTION, variant, arguments, 9, out);
}

dt_tensor *dt_scaled_dot_product_attention(dt_tensor *query, dt_tensor *key,
                                           dt_tensor *value)
{
    return call_scaled_dot_product_attention(DT_VARIANT_NEW, query, key, value,
                                             0, 0, false, HUGE_VAL, false, 0,
                                             NULL);
}

dt_tensor *dt_scaled_dot_product_attention_with(dt_tensor *query,
                                                dt_tensor *key,
                                                dt_tensor *value,
                                                const dt_scaled_dot_product_attention_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(query, options->size, sizeof *options,
                    "DT_SCALED_DOT_PRODUCT_ATTENTION_OPTIONS_INIT");
        return NULL;
    }
    return call_scaled_dot_product_attention(DT_VARIANT_NEW, query, key, value,
                                             options->attn_mask,
                                             options->dropout_p,
                                             options->is_causal, options->scale,
                                             options->enable_gqa,
                                             options->generator, NULL);
}

static inline dt_status call_scaled_dot_product_attention_forward(dt_variant variant,
                                                                  dt_tensor *query,
                                                                  dt_tensor *key,
                                                                  dt_tensor *value,
                                                                  dt_tensor *attn_mask,
                                                                  double dropout_p,
                                                                  bool is_causal,
                                                                  double scale,
                                                                  bool enable_gqa,
                                                                  dt_generator *generator,
                                                                  dt_tensor **output,
                                                                  dt_tensor **logsumexp,
                                                                  dt_tensor **dropout_key)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = query},
        {.kind = DT_ARG_TENSOR, .as.tensor = key},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
        {.kind = attn_mask ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = attn_mask},
        {.kind = DT_ARG_REAL, .as.real = dropout_p},
        {.kind = DT_ARG_INTEGER, .as.integer = is_causal},
        {.kind = DT_ARG_REAL, .as.real = scale},
        {.kind = DT_ARG_INTEGER, .as.integer = enable_gqa},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    dt_tensor *results[3] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_SCALED_DOT_PRODUCT_ATTENTION_FORWARD, variant, arguments,
                                        9, results, 3, &count);
    if (status != DT_OK)
        return status;
    if (output)
        *output = results[0];
    if (logsumexp)
        *logsumexp = results[1];
    if (dropout_key)
        *dropout_key = results[2];
    return DT_OK;
}

dt_status dt_scaled_dot_product_attention_forward(dt_tensor *query,
                                                  dt_tensor *key,
                                                  dt_tensor *value,
                                                  dt_tensor **output,
                                                  dt_tensor **logsumexp,
                                                  dt_tensor **dropout_key)
{
    return call_scaled_dot_product_attention_forward(DT_VARIANT_NEW, query, key,
                                                     value, 0, 0, false,
                                                     HUGE_VAL, false, 0, output,
                                                     logsumexp, dropout_key);
}

dt_status dt_scaled_dot_product_attention_forward_with(dt_tensor *query,
                                                       dt_tensor *key,
                                                       dt_tensor *value,
                                                       const dt_scaled_dot_product_attention_forward_options *options,
                                                       dt_tensor **output,
                                                       dt_tensor **logsumexp,
                                                       dt_tensor **dropout_key)
{
    if (options->size != sizeof *options)
        return refuse_size(query, options->size, sizeof *options,
                           "DT_SCALED_DOT_PRODUCT_ATTENTION_FORWARD_OPTIONS_INIT");
    return call_scaled_dot_product_attention_forward(DT_VARIANT_NEW, query, key,
                                                     value, options->attn_mask,
                                                     options->dropout_p,
                                                     options->is_causal,
                                                     options->scale,
                                                     options->enable_gqa,
                                                     options->generator, output,
                                                     logsumexp, dropout_key);
}

static inline dt_status call_scaled_dot_product_attention_backward(dt_variant variant,
                                                                   dt_tensor *grad_out,
                                                                   dt_tensor *query,
                                                                   dt_tensor *key,
                                                                   dt_tensor *value,
                                                                   dt_tensor *out,
                                                                   dt_tensor *logsumexp,
                                                                   dt_tensor *dropout_key,
                                                                   dt_tensor *attn_mask,
                                                                   double dropout_p,
                                                                   bool is_causal,
                                                                   double scale,
                                                                   bool enable_gqa,
                                                                   dt_tensor **grad_query,
                                                                   dt_tensor **grad_key,
                                                                   dt_tensor **grad_value)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_out},
        {.kind = DT_ARG_TENSOR, .as.tensor = query},
        {.kind = DT_ARG_TENSOR, .as.tensor = key},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
        {.kind = DT_ARG_TENSOR, .as.tensor = out},
        {.kind = DT_ARG_TENSOR, .as.tensor = logsumexp},
        {.kind = dropout_key ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = dropout_key},
        {.kind = attn_mask ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = attn_mask},
        {.kind = DT_ARG_REAL, .as.real = dropout_p},
        {.kind = DT_ARG_INTEGER, .as.integer = is_causal},
        {.kind = DT_ARG_REAL, .as.real = scale},
        {.kind = DT_ARG_INTEGER, .as.integer = enable_gqa},
    };
    dt_tensor *results[3] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD, variant, arguments,
                                        12, results, 3, &count);
    if (status != DT_OK)
        return status;
    if (grad_query)
        *grad_query = results[0];
    if (grad_key)
        *grad_key = results[1];
    if (grad_value)
        *grad_value = results[2];
    return DT_OK;
}

dt_status dt_scaled_dot_product_attention_backward(dt_tensor *grad_out,
                                                   dt_tensor *query,
                                                   dt_tensor *key,
                                                   dt_tensor *value,
                                                   dt_tensor *out,
                                                   dt_tensor *logsumexp,
                                                   dt_tensor *dropout_key,
                                                   dt_tensor **grad_query,
                                                   dt_tensor **grad_key,
                                                   dt_tensor **grad_value)
{
    return call_scaled_dot_product_attention_backward(DT_VARIANT_NEW, grad_out,
                                                      query, key, value, out,
                                                      logsumexp, dropout_key, 0,
                                                      0, false, HUGE_VAL, false,
                                                      grad_query, grad_key,
                                                      grad_value);
}

dt_status dt_scaled_dot_product_attention_backward_with(dt_tensor *grad_out,
                                                        dt_tensor *query,
                                                        dt_tensor *key,
                                                        dt_tensor *value,
                                                        dt_tensor *out,
                                                        dt_tensor *logsumexp,
                                                        dt_tensor *dropout_key,
                                                        const dt_scaled_dot_product_attention_backward_options *options,
                                                        dt_tensor **grad_query,
                                                        dt_tensor **grad_key,
                                                        dt_tensor **grad_value)
{
    if (options->size != sizeof *options)
        return refuse_size(grad_out, options->size, sizeof *options,
                           "DT_SCALED_DOT_PRODUCT_ATTENTION_BACKWARD_OPTIONS_INIT");
    return call_scaled_dot_product_attention_backward(DT_VARIANT_NEW, grad_out,
                                                      query, key, value, out,
                                                      logsumexp, dropout_key,
                                                      options->attn_mask,
                                                      options->dropout_p,
                                                      options->is_causal,
                                                      options->scale,
                                                      options->enable_gqa,
                                                      grad_query, grad_key,
                                                      grad_value);
}

static inline dt_tensor *call_scaled_dot_product_attention_mask_backward(dt_variant variant,
                                                                         dt_tensor *grad_out,
                                                                         dt_tensor *query,
                                                                         dt_tensor *key,
                                                                         dt_tensor *value,
                                                                         dt_tensor *output,
                                                                         dt_tensor *logsumexp,
                                                                         dt_tensor *dropout_key,
                                                                         dt_tensor *attn_mask,
                                                                         double dropout_p,
                                                                         bool is_causal,
                                                                         double scale,
                                                                         bool enable_gqa,
                                                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_out},
        {.kind = DT_ARG_TENSOR, .as.tensor = query},
        {.kind = DT_ARG_TENSOR, .as.tensor = key},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
        {.kind = DT_ARG_TENSOR, .as.tensor = output},
        {.kind = DT_ARG_TENSOR, .as.tensor = logsumexp},
        {.kind = dropout_key ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = dropout_key},
        {.kind = attn_mask ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = attn_mask},
        {.kind = DT_ARG_REAL, .as.real = dropout_p},
        {.kind = DT_ARG_INTEGER, .as.integer = is_causal},
        {.kind = DT_ARG_REAL, .as.real = scale},
        {.kind = DT_ARG_INTEGER, .as.integer = enable_gqa},
    };
    return dti_op_call_one(OP_SCALED_DOT_PRODUCT_ATTENTION_MASK_BACKWARD, variant, arguments, 12, out);
}

dt_tensor *dt_scaled_dot_product_attention_mask_backward(dt_tensor *grad_out,
                                                         dt_tensor *query,
                                                         dt_tensor *key,
                                                         dt_tensor *value,
                                                         dt_tensor *output,
                                                         dt_tensor *logsumexp,
                                                         dt_tensor *dropout_key)
{
    return call_scaled_dot_product_attention_mask_backward(DT_VARIANT_NEW,
                                                           grad_out, query, key,
                                                           value, output,
                                                           logsumexp,
                                                           dropout_key, 0, 0,
                                                           false, HUGE_VAL,
                                                           false, NULL);
}

dt_tensor *dt_scaled_dot_product_attention_mask_backward_with(dt_tensor *grad_out,
                                                              dt_tensor *query,
                                                              dt_tensor *key,
                                                              dt_tensor *value,
                                                              dt_tensor *output,
                                                              dt_tensor *logsumexp,
                                                              dt_tensor *dropout_key,
                                                              const dt_scaled_dot_product_attention_mask_backward_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(grad_out, options->size, sizeof *options,
                    "DT_SCALED_DOT_PRODUCT_ATTENTION_MASK_BACKWARD_OPTIONS_INIT");
        return NULL;
    }
    return call_scaled_dot_product_attention_mask_backward(DT_VARIANT_NEW,
                                                           grad_out, query, key,
                                                           value, output,
                                                           logsumexp,
                                                           dropout_key,
                                                           options->attn_mask,
                                                           options->dropout_p,
                                                           options->is_causal,
                                                           options->scale,
                                                           options->enable_gqa,
                                                           NULL);
}

static inline dt_tensor *call_bitwise_and(dt_variant variant, dt_tensor *self,
                                          dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_BITWISE_AND, variant, arguments, 2, out);
}

dt_tensor *dt_bitwise_and(dt_tensor *self, dt_tensor *other)
{
    return call_bitwise_and(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_bitwise_and_(dt_tensor *self, dt_tensor *other)
{
    return call_bitwise_and(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_bitwise_and_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out)
{
    return call_bitwise_and(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_bitwise_and_scalar(dt_variant variant,
                                                 dt_tensor *self,
                                                 dt_number other,
                                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_BITWISE_AND_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_bitwise_and_scalar(dt_tensor *self, dt_number other)
{
    return call_bitwise_and_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_bitwise_and_scalar_(dt_tensor *self, dt_number other)
{
    return call_bitwise_and_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_bitwise_and_scalar_out(dt_tensor *self, dt_number other,
                                     dt_tensor *out)
{
    return call_bitwise_and_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_bitwise_or(dt_variant variant, dt_tensor *self,
                                         dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_BITWISE_OR, variant, arguments, 2, out);
}

dt_tensor *dt_bitwise_or(dt_tensor *self, dt_tensor *other)
{
    return call_bitwise_or(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_bitwise_or_(dt_tensor *self, dt_tensor *other)
{
    return call_bitwise_or(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_bitwise_or_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out)
{
    return call_bitwise_or(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_bitwise_or_scalar(dt_variant variant,
                                                dt_tensor *self,
                                                dt_number other,
                                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_BITWISE_OR_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_bitwise_or_scalar(dt_tensor *self, dt_number other)
{
    return call_bitwise_or_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_bitwise_or_scalar_(dt_tensor *self, dt_number other)
{
    return call_bitwise_or_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_bitwise_or_scalar_out(dt_tensor *self, dt_number other,
                                    dt_tensor *out)
{
    return call_bitwise_or_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_bitwise_xor(dt_variant variant, dt_tensor *self,
                                          dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_BITWISE_XOR, variant, arguments, 2, out);
}

dt_tensor *dt_bitwise_xor(dt_tensor *self, dt_tensor *other)
{
    return call_bitwise_xor(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_bitwise_xor_(dt_tensor *self, dt_tensor *other)
{
    return call_bitwise_xor(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_bitwise_xor_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out)
{
    return call_bitwise_xor(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_bitwise_xor_scalar(dt_variant variant,
                                                 dt_tensor *self,
                                                 dt_number other,
                                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_BITWISE_XOR_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_bitwise_xor_scalar(dt_tensor *self, dt_number other)
{
    return call_bitwise_xor_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_bitwise_xor_scalar_(dt_tensor *self, dt_number other)
{
    return call_bitwise_xor_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_bitwise_xor_scalar_out(dt_tensor *self, dt_number other,
                                     dt_tensor *out)
{
    return call_bitwise_xor_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_bitwise_not(dt_variant variant, dt_tensor *self,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_BITWISE_NOT, variant, arguments, 1, out);
}

dt_tensor *dt_bitwise_not(dt_tensor *self)
{
    return call_bitwise_not(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_bitwise_not_(dt_tensor *self)
{
    return call_bitwise_not(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_bitwise_not_out(dt_tensor *self, dt_tensor *out)
{
    return call_bitwise_not(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_bitwise_left_shift(dt_variant variant,
                                                 dt_tensor *self,
                                                 dt_tensor *other,
                                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_BITWISE_LEFT_SHIFT, variant, arguments, 2, out);
}

dt_tensor *dt_bitwise_left_shift(dt_tensor *self, dt_tensor *other)
{
    return call_bitwise_left_shift(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_bitwise_left_shift_(dt_tensor *self, dt_tensor *other)
{
    return call_bitwise_left_shift(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_bitwise_left_shift_out(dt_tensor *self, dt_tensor *other,
                                     dt_tensor *out)
{
    return call_bitwise_left_shift(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_bitwise_left_shift_scalar(dt_variant variant,
                                                        dt_tensor *self,
                                                        dt_number other,
                                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_BITWISE_LEFT_SHIFT_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_bitwise_left_shift_scalar(dt_tensor *self, dt_number other)
{
    return call_bitwise_left_shift_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_bitwise_left_shift_scalar_(dt_tensor *self, dt_number other)
{
    return call_bitwise_left_shift_scalar(DT_VARIANT_IN_PLACE, self, other,
                                          NULL);
}

dt_tensor *dt_bitwise_left_shift_scalar_out(dt_tensor *self, dt_number other,
                                            dt_tensor *out)
{
    return call_bitwise_left_shift_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_bitwise_right_shift(dt_variant variant,
                                                  dt_tensor *self,
                                                  dt_tensor *other,
                                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_BITWISE_RIGHT_SHIFT, variant, arguments, 2, out);
}

dt_tensor *dt_bitwise_right_shift(dt_tensor *self, dt_tensor *other)
{
    return call_bitwise_right_shift(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_bitwise_right_shift_(dt_tensor *self, dt_tensor *other)
{
    return call_bitwise_right_shift(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_bitwise_right_shift_out(dt_tensor *self, dt_tensor *other,
                                      dt_tensor *out)
{
    return call_bitwise_right_shift(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_bitwise_right_shift_scalar(dt_variant variant,
                                                         dt_tensor *self,
                                                         dt_number other,
                                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_BITWISE_RIGHT_SHIFT_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_bitwise_right_shift_scalar(dt_tensor *self, dt_number other)
{
    return call_bitwise_right_shift_scalar(DT_VARIANT_NEW, self, other,
                                           NULL);
}

dt_tensor *dt_bitwise_right_shift_scalar_(dt_tensor *self, dt_number other)
{
    return call_bitwise_right_shift_scalar(DT_VARIANT_IN_PLACE, self, other,
                                           NULL);
}

dt_tensor *dt_bitwise_right_shift_scalar_out(dt_tensor *self, dt_number other,
                                             dt_tensor *out)
{
    return call_bitwise_right_shift_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_clone(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_CLONE, variant, arguments, 1, out);
}

dt_tensor *dt_clone(dt_tensor *self)
{
    return call_clone(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_clone_out(dt_tensor *self, dt_tensor *out)
{
    return call_clone(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_cast(dt_variant variant, dt_tensor *self,
                                   dt_dtype dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dtype},
    };
    return dti_op_call_one(OP_CAST, variant, arguments, 2, out);
}

dt_tensor *dt_cast(dt_tensor *self, dt_dtype dtype)
{
    return call_cast(DT_VARIANT_NEW, self, dtype, NULL);
}

static inline dt_tensor *call_clamp(dt_variant variant, dt_tensor *self,
                                    dt_number min, dt_number max,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = min},
        {.kind = DT_ARG_NUMBER, .as.number = max},
    };
    return dti_op_call_one(OP_CLAMP, variant, arguments, 3, out);
}

dt_tensor *dt_clamp(dt_tensor *self, dt_number min, dt_number max)
{
    return call_clamp(DT_VARIANT_NEW, self, min, max, NULL);
}

dt_tensor *dt_clamp_(dt_tensor *self, dt_number min, dt_number max)
{
    return call_clamp(DT_VARIANT_IN_PLACE, self, min, max, NULL);
}

dt_tensor *dt_clamp_out(dt_tensor *self, dt_number min, dt_number max,
                        dt_tensor *out)
{
    return call_clamp(DT_VARIANT_OUT, self, min, max, out);
}

static inline dt_tensor *call_clamp_min(dt_variant variant, dt_tensor *self,
                                        dt_number min, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = min},
    };
    return dti_op_call_one(OP_CLAMP_MIN, variant, arguments, 2, out);
}

dt_tensor *dt_clamp_min(dt_tensor *self, dt_number min)
{
    return call_clamp_min(DT_VARIANT_NEW, self, min, NULL);
}

dt_tensor *dt_clamp_min_(dt_tensor *self, dt_number min)
{
    return call_clamp_min(DT_VARIANT_IN_PLACE, self, min, NULL);
}

dt_tensor *dt_clamp_min_out(dt_tensor *self, dt_number min, dt_tensor *out)
{
    return call_clamp_min(DT_VARIANT_OUT, self, min, out);
}

static inline dt_tensor *call_clamp_max(dt_variant variant, dt_tensor *self,
                                        dt_number max, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = max},
    };
    return dti_op_call_one(OP_CLAMP_MAX, variant, arguments, 2, out);
}

dt_tensor *dt_clamp_max(dt_tensor *self, dt_number max)
{
    return call_clamp_max(DT_VARIANT_NEW, self, max, NULL);
}

dt_tensor *dt_clamp_max_(dt_tensor *self, dt_number max)
{
    return call_clamp_max(DT_VARIANT_IN_PLACE, self, max, NULL);
}

dt_tensor *dt_clamp_max_out(dt_tensor *self, dt_number max, dt_tensor *out)
{
    return call_clamp_max(DT_VARIANT_OUT, self, max, out);
}

static inline dt_tensor *call_clamp_tensor(dt_variant variant, dt_tensor *self,
                                           dt_tensor *min, dt_tensor *max,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = min ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = min},
        {.kind = max ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = max},
    };
    return dti_op_call_one(OP_CLAMP_TENSOR, variant, arguments, 3, out);
}

dt_tensor *dt_clamp_tensor(dt_tensor *self, dt_tensor *min, dt_tensor *max)
{
    return call_clamp_tensor(DT_VARIANT_NEW, self, min, max, NULL);
}

dt_tensor *dt_clamp_tensor_(dt_tensor *self, dt_tensor *min, dt_tensor *max)
{
    return call_clamp_tensor(DT_VARIANT_IN_PLACE, self, min, max, NULL);
}

dt_tensor *dt_clamp_tensor_out(dt_tensor *self, dt_tensor *min, dt_tensor *max,
                               dt_tensor *out)
{
    return call_clamp_tensor(DT_VARIANT_OUT, self, min, max, out);
}

static inline dt_tensor *call_clamp_min_tensor(dt_variant variant,
                                               dt_tensor *self, dt_tensor *min,
                                               dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = min},
    };
    return dti_op_call_one(OP_CLAMP_MIN_TENSOR, variant, arguments, 2, out);
}

dt_tensor *dt_clamp_min_tensor(dt_tensor *self, dt_tensor *min)
{
    return call_clamp_min_tensor(DT_VARIANT_NEW, self, min, NULL);
}

dt_tensor *dt_clamp_min_tensor_(dt_tensor *self, dt_tensor *min)
{
    return call_clamp_min_tensor(DT_VARIANT_IN_PLACE, self, min, NULL);
}

dt_tensor *dt_clamp_min_tensor_out(dt_tensor *self, dt_tensor *min,
                                   dt_tensor *out)
{
    return call_clamp_min_tensor(DT_VARIANT_OUT, self, min, out);
}

static inline dt_tensor *call_clamp_max_tensor(dt_variant variant,
                                               dt_tensor *self, dt_tensor *max,
                                               dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = max},
    };
    return dti_op_call_one(OP_CLAMP_MAX_TENSOR, variant, arguments, 2, out);
}

dt_tensor *dt_clamp_max_tensor(dt_tensor *self, dt_tensor *max)
{
    return call_clamp_max_tensor(DT_VARIANT_NEW, self, max, NULL);
}

dt_tensor *dt_clamp_max_tensor_(dt_tensor *self, dt_tensor *max)
{
    return call_clamp_max_tensor(DT_VARIANT_IN_PLACE, self, max, NULL);
}

dt_tensor *dt_clamp_max_tensor_out(dt_tensor *self, dt_tensor *max,
                                   dt_tensor *out)
{
    return call_clamp_max_tensor(DT_VARIANT_OUT, self, max, out);
}

static inline dt_tensor *call_maximum(dt_variant variant, dt_tensor *self,
                                      dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_MAXIMUM, variant, arguments, 2, out);
}

dt_tensor *dt_maximum(dt_tensor *self, dt_tensor *other)
{
    return call_maximum(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_maximum_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_maximum(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_minimum(dt_variant variant, dt_tensor *self,
                                      dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_MINIMUM, variant, arguments, 2, out);
}

dt_tensor *dt_minimum(dt_tensor *self, dt_tensor *other)
{
    return call_minimum(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_minimum_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_minimum(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_fmax(dt_variant variant, dt_tensor *self,
                                   dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_FMAX, variant, arguments, 2, out);
}

dt_tensor *dt_fmax(dt_tensor *self, dt_tensor *other)
{
    return call_fmax(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_fmax_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_fmax(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_fmin(dt_variant variant, dt_tensor *self,
                                   dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_FMIN, variant, arguments, 2, out);
}

dt_tensor *dt_fmin(dt_tensor *self, dt_tensor *other)
{
    return call_fmin(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_fmin_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_fmin(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_isclose(dt_variant variant, dt_tensor *self,
                                      dt_tensor *other, double rtol,
                                      double atol, bool equal_nan,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
        {.kind = DT_ARG_REAL, .as.real = rtol},
        {.kind = DT_ARG_REAL, .as.real = atol},
        {.kind = DT_ARG_INTEGER, .as.integer = equal_nan},
    };
    return dti_op_call_one(OP_ISCLOSE, variant, arguments, 5, out);
}

dt_tensor *dt_isclose(dt_tensor *self, dt_tensor *other)
{
    return call_isclose(DT_VARIANT_NEW, self, other, 1e-05, 1e-08, false,
                        NULL);
}

dt_tensor *dt_isclose_with(dt_tensor *self, dt_tensor *other,
                           const dt_isclose_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ISCLOSE_OPTIONS_INIT");
        return NULL;
    }
    return call_isclose(DT_VARIANT_NEW, self, other, options->rtol,
                        options->atol, options->equal_nan, NULL);
}

static inline dt_tensor *call_allclose(dt_variant variant, dt_tensor *self,
                                       dt_tensor *other, double rtol,
                                       double atol, bool equal_nan,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
        {.kind = DT_ARG_REAL, .as.real = rtol},
        {.kind = DT_ARG_REAL, .as.real = atol},
        {.kind = DT_ARG_INTEGER, .as.integer = equal_nan},
    };
    return dti_op_call_one(OP_ALLCLOSE, variant, arguments, 5, out);
}

dt_tensor *dt_allclose(dt_tensor *self, dt_tensor *other)
{
    return call_allclose(DT_VARIANT_NEW, self, other, 1e-05, 1e-08, false,
                         NULL);
}

dt_tensor *dt_allclose_with(dt_tensor *self, dt_tensor *other,
                            const dt_allclose_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ALLCLOSE_OPTIONS_INIT");
        return NULL;
    }
    return call_allclose(DT_VARIANT_NEW, self, other, options->rtol,
                         options->atol, options->equal_nan, NULL);
}

static inline dt_tensor *call_masked_select(dt_variant variant, dt_tensor *self,
                                            dt_tensor *mask, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mask},
    };
    return dti_op_call_one(OP_MASKED_SELECT, variant, arguments, 2, out);
}

dt_tensor *dt_masked_select(dt_tensor *self, dt_tensor *mask)
{
    return call_masked_select(DT_VARIANT_NEW, self, mask, NULL);
}

static inline dt_tensor *call_nonzero(dt_variant variant, dt_tensor *self,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_NONZERO, variant, arguments, 1, out);
}

dt_tensor *dt_nonzero(dt_tensor *self)
{
    return call_nonzero(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_eq(dt_variant variant, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_EQ, variant, arguments, 2, out);
}

dt_tensor *dt_eq(dt_tensor *self, dt_tensor *other)
{
    return call_eq(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_eq_(dt_tensor *self, dt_tensor *other)
{
    return call_eq(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_eq_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_eq(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_ne(dt_variant variant, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_NE, variant, arguments, 2, out);
}

dt_tensor *dt_ne(dt_tensor *self, dt_tensor *other)
{
    return call_ne(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_ne_(dt_tensor *self, dt_tensor *other)
{
    return call_ne(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_ne_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_ne(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_lt(dt_variant variant, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LT, variant, arguments, 2, out);
}

dt_tensor *dt_lt(dt_tensor *self, dt_tensor *other)
{
    return call_lt(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_lt_(dt_tensor *self, dt_tensor *other)
{
    return call_lt(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_lt_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_lt(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_le(dt_variant variant, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LE, variant, arguments, 2, out);
}

dt_tensor *dt_le(dt_tensor *self, dt_tensor *other)
{
    return call_le(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_le_(dt_tensor *self, dt_tensor *other)
{
    return call_le(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_le_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_le(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_gt(dt_variant variant, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_GT, variant, arguments, 2, out);
}

dt_tensor *dt_gt(dt_tensor *self, dt_tensor *other)
{
    return call_gt(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_gt_(dt_tensor *self, dt_tensor *other)
{
    return call_gt(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_gt_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_gt(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_ge(dt_variant variant, dt_tensor *self,
                                 dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_GE, variant, arguments, 2, out);
}

dt_tensor *dt_ge(dt_tensor *self, dt_tensor *other)
{
    return call_ge(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_ge_(dt_tensor *self, dt_tensor *other)
{
    return call_ge(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_ge_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_ge(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_eq_scalar(dt_variant variant, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_EQ_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_eq_scalar(dt_tensor *self, dt_number other)
{
    return call_eq_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_eq_scalar_(dt_tensor *self, dt_number other)
{
    return call_eq_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_eq_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_eq_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_ne_scalar(dt_variant variant, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_NE_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_ne_scalar(dt_tensor *self, dt_number other)
{
    return call_ne_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_ne_scalar_(dt_tensor *self, dt_number other)
{
    return call_ne_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_ne_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_ne_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_lt_scalar(dt_variant variant, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_LT_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_lt_scalar(dt_tensor *self, dt_number other)
{
    return call_lt_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_lt_scalar_(dt_tensor *self, dt_number other)
{
    return call_lt_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_lt_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_lt_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_le_scalar(dt_variant variant, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_LE_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_le_scalar(dt_tensor *self, dt_number other)
{
    return call_le_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_le_scalar_(dt_tensor *self, dt_number other)
{
    return call_le_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_le_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_le_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_gt_scalar(dt_variant variant, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_GT_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_gt_scalar(dt_tensor *self, dt_number other)
{
    return call_gt_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_gt_scalar_(dt_tensor *self, dt_number other)
{
    return call_gt_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_gt_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_gt_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_ge_scalar(dt_variant variant, dt_tensor *self,
                                        dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_GE_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_ge_scalar(dt_tensor *self, dt_number other)
{
    return call_ge_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_ge_scalar_(dt_tensor *self, dt_number other)
{
    return call_ge_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_ge_scalar_out(dt_tensor *self, dt_number other, dt_tensor *out)
{
    return call_ge_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_logical_and(dt_variant variant, dt_tensor *self,
                                          dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LOGICAL_AND, variant, arguments, 2, out);
}

dt_tensor *dt_logical_and(dt_tensor *self, dt_tensor *other)
{
    return call_logical_and(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_logical_and_(dt_tensor *self, dt_tensor *other)
{
    return call_logical_and(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_logical_and_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out)
{
    return call_logical_and(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_logical_or(dt_variant variant, dt_tensor *self,
                                         dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LOGICAL_OR, variant, arguments, 2, out);
}

dt_tensor *dt_logical_or(dt_tensor *self, dt_tensor *other)
{
    return call_logical_or(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_logical_or_(dt_tensor *self, dt_tensor *other)
{
    return call_logical_or(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_logical_or_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out)
{
    return call_logical_or(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_logical_not(dt_variant variant, dt_tensor *self,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_LOGICAL_NOT, variant, arguments, 1, out);
}

dt_tensor *dt_logical_not(dt_tensor *self)
{
    return call_logical_not(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_logical_not_(dt_tensor *self)
{
    return call_logical_not(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_logical_not_out(dt_tensor *self, dt_tensor *out)
{
    return call_logical_not(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_logical_xor(dt_variant variant, dt_tensor *self,
                                          dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LOGICAL_XOR, variant, arguments, 2, out);
}

dt_tensor *dt_logical_xor(dt_tensor *self, dt_tensor *other)
{
    return call_logical_xor(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_logical_xor_(dt_tensor *self, dt_tensor *other)
{
    return call_logical_xor(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_logical_xor_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out)
{
    return call_logical_xor(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_isnan(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ISNAN, variant, arguments, 1, out);
}

dt_tensor *dt_isnan(dt_tensor *self)
{
    return call_isnan(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_isinf(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ISINF, variant, arguments, 1, out);
}

dt_tensor *dt_isinf(dt_tensor *self)
{
    return call_isinf(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_isfinite(dt_variant variant, dt_tensor *self,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ISFINITE, variant, arguments, 1, out);
}

dt_tensor *dt_isfinite(dt_tensor *self)
{
    return call_isfinite(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_isposinf(dt_variant variant, dt_tensor *self,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ISPOSINF, variant, arguments, 1, out);
}

dt_tensor *dt_isposinf(dt_tensor *self)
{
    return call_isposinf(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_isposinf_out(dt_tensor *self, dt_tensor *out)
{
    return call_isposinf(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_isneginf(dt_variant variant, dt_tensor *self,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ISNEGINF, variant, arguments, 1, out);
}

dt_tensor *dt_isneginf(dt_tensor *self)
{
    return call_isneginf(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_isneginf_out(dt_tensor *self, dt_tensor *out)
{
    return call_isneginf(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_signbit(dt_variant variant, dt_tensor *self,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SIGNBIT, variant, arguments, 1, out);
}

dt_tensor *dt_signbit(dt_tensor *self)
{
    return call_signbit(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_signbit_out(dt_tensor *self, dt_tensor *out)
{
    return call_signbit(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_real_part(dt_variant variant, dt_tensor *self,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_REAL_PART, variant, arguments, 1, out);
}

dt_tensor *dt_real_part(dt_tensor *self)
{
    return call_real_part(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_imag_part(dt_variant variant, dt_tensor *self,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_IMAG_PART, variant, arguments, 1, out);
}

dt_tensor *dt_imag_part(dt_tensor *self)
{
    return call_imag_part(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_conj(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_CONJ, variant, arguments, 1, out);
}

dt_tensor *dt_conj(dt_tensor *self)
{
    return call_conj(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_conj_physical(dt_variant variant, dt_tensor *self,
                                            dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_CONJ_PHYSICAL, variant, arguments, 1, out);
}

dt_tensor *dt_conj_physical(dt_tensor *self)
{
    return call_conj_physical(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_conj_physical_(dt_tensor *self)
{
    return call_conj_physical(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_conj_physical_out(dt_tensor *self, dt_tensor *out)
{
    return call_conj_physical(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_angle(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ANGLE, variant, arguments, 1, out);
}

dt_tensor *dt_angle(dt_tensor *self)
{
    return call_angle(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_angle_out(dt_tensor *self, dt_tensor *out)
{
    return call_angle(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_complex(dt_variant variant, dt_tensor *real,
                                      dt_tensor *imag, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = real},
        {.kind = DT_ARG_TENSOR, .as.tensor = imag},
    };
    return dti_op_call_one(OP_COMPLEX, variant, arguments, 2, out);
}

dt_tensor *dt_complex(dt_tensor *real, dt_tensor *imag)
{
    return call_complex(DT_VARIANT_NEW, real, imag, NULL);
}

dt_tensor *dt_complex_out(dt_tensor *real, dt_tensor *imag, dt_tensor *out)
{
    return call_complex(DT_VARIANT_OUT, real, imag, out);
}

static inline dt_tensor *call_polar(dt_variant variant, dt_tensor *abs,
                                    dt_tensor *angle, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = abs},
        {.kind = DT_ARG_TENSOR, .as.tensor = angle},
    };
    return dti_op_call_one(OP_POLAR, variant, arguments, 2, out);
}

dt_tensor *dt_polar(dt_tensor *abs, dt_tensor *angle)
{
    return call_polar(DT_VARIANT_NEW, abs, angle, NULL);
}

dt_tensor *dt_polar_out(dt_tensor *abs, dt_tensor *angle, dt_tensor *out)
{
    return call_polar(DT_VARIANT_OUT, abs, angle, out);
}

static inline dt_tensor *call_contract(dt_variant variant, dt_tensor *a,
                                       dt_tensor *b, const char *equation,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = a},
        {.kind = b ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = b},
        {.kind = DT_ARG_TEXT, .as.text = equation},
    };
    return dti_op_call_one(OP_CONTRACT, variant, arguments, 3, out);
}

dt_tensor *dt_contract(dt_tensor *a, dt_tensor *b, const char *equation)
{
    return call_contract(DT_VARIANT_NEW, a, b, equation, NULL);
}

static inline dt_tensor *call_new_empty(dt_variant variant, dt_tensor *self,
                                        dt_shape size, const dt_dtype *dtype,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&size),
         .as.integers = list_of(&size)},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NEW_EMPTY, variant, arguments, 3, out);
}

dt_tensor *dt_new_empty(dt_tensor *self, dt_shape size)
{
    return call_new_empty(DT_VARIANT_NEW, self, size, 0, NULL);
}

dt_tensor *dt_new_empty_with(dt_tensor *self, dt_shape size,
                             const dt_new_empty_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NEW_EMPTY_OPTIONS_INIT");
        return NULL;
    }
    return call_new_empty(DT_VARIANT_NEW, self, size, options->dtype, NULL);
}

static inline dt_tensor *call_new_zeros(dt_variant variant, dt_tensor *self,
                                        dt_shape size, const dt_dtype *dtype,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&size),
         .as.integers = list_of(&size)},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NEW_ZEROS, variant, arguments, 3, out);
}

dt_tensor *dt_new_zeros(dt_tensor *self, dt_shape size)
{
    return call_new_zeros(DT_VARIANT_NEW, self, size, 0, NULL);
}

dt_tensor *dt_new_zeros_with(dt_tensor *self, dt_shape size,
                             const dt_new_zeros_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NEW_ZEROS_OPTIONS_INIT");
        return NULL;
    }
    return call_new_zeros(DT_VARIANT_NEW, self, size, options->dtype, NULL);
}

static inline dt_tensor *call_new_ones(dt_variant variant, dt_tensor *self,
                                       dt_shape size, const dt_dtype *dtype,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&size),
         .as.integers = list_of(&size)},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NEW_ONES, variant, arguments, 3, out);
}

dt_tensor *dt_new_ones(dt_tensor *self, dt_shape size)
{
    return call_new_ones(DT_VARIANT_NEW, self, size, 0, NULL);
}

dt_tensor *dt_new_ones_with(dt_tensor *self, dt_shape size,
                            const dt_new_ones_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NEW_ONES_OPTIONS_INIT");
        return NULL;
    }
    return call_new_ones(DT_VARIANT_NEW, self, size, options->dtype, NULL);
}

static inline dt_tensor *call_new_full(dt_variant variant, dt_tensor *self,
                                       dt_shape size, dt_number value,
                                       const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&size),
         .as.integers = list_of(&size)},
        {.kind = DT_ARG_NUMBER, .as.number = value},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NEW_FULL, variant, arguments, 4, out);
}

dt_tensor *dt_new_full(dt_tensor *self, dt_shape size, dt_number value)
{
    return call_new_full(DT_VARIANT_NEW, self, size, value, 0, NULL);
}

dt_tensor *dt_new_full_with(dt_tensor *self, dt_shape size, dt_number value,
                            const dt_new_full_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NEW_FULL_OPTIONS_INIT");
        return NULL;
    }
    return call_new_full(DT_VARIANT_NEW, self, size, value, options->dtype,
                         NULL);
}

static inline dt_status call_cross_entropy_forward(dt_variant variant,
                                                   dt_tensor *self,
                                                   dt_tensor *target,
                                                   dt_tensor *weight,
                                                   int64_t reduction,
                                                   int64_t ignore_index,
                                                   double label_smoothing,
                                                   dt_tensor **output,
                                                   dt_tensor **logsumexp,
                                                   dt_tensor **total_weight)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_INTEGER, .as.integer = ignore_index},
        {.kind = DT_ARG_REAL, .as.real = label_smoothing},
    };
    dt_tensor *results[3] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_CROSS_ENTROPY_FORWARD, variant, arguments,
                                        6, results, 3, &count);
    if (status != DT_OK)
        return status;
    if (output)
        *output = results[0];
    if (logsumexp)
        *logsumexp = results[1];
    if (total_weight)
        *total_weight = results[2];
    return DT_OK;
}

dt_status dt_cross_entropy_forward(dt_tensor *self, dt_tensor *target,
                                   dt_tensor *weight, dt_tensor **output,
                                   dt_tensor **logsumexp,
                                   dt_tensor **total_weight)
{
    return call_cross_entropy_forward(DT_VARIANT_NEW, self, target, weight, 1,
                                      -100, 0, output, logsumexp,
                                      total_weight);
}

dt_status dt_cross_entropy_forward_with(dt_tensor *self, dt_tensor *target,
                                        dt_tensor *weight,
                                        const dt_cross_entropy_forward_options *options,
                                        dt_tensor **output,
                                        dt_tensor **logsumexp,
                                        dt_tensor **total_weight)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_CROSS_ENTROPY_FORWARD_OPTIONS_INIT");
    return call_cross_entropy_forward(DT_VARIANT_NEW, self, target, weight,
                                      options->reduction, options->ignore_index,
                                      options->label_smoothing, output,
                                      logsumexp, total_weight);
}

static inline dt_tensor *call_cross_entropy_backward(dt_variant variant,
                                                     dt_tensor *grad_output,
                                                     dt_tensor *self,
                                                     dt_tensor *target,
                                                     dt_tensor *weight,
                                                     dt_tensor *logsumexp,
                                                     dt_tensor *total_weight,
                                                     int64_t reduction,
                                                     int64_t ignore_index,
                                                     double label_smoothing,
                                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_TENSOR, .as.tensor = logsumexp},
        {.kind = DT_ARG_TENSOR, .as.tensor = total_weight},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_INTEGER, .as.integer = ignore_index},
        {.kind = DT_ARG_REAL, .as.real = label_smoothing},
    };
    return dti_op_call_one(OP_CROSS_ENTROPY_BACKWARD, variant, arguments, 9, out);
}

dt_tensor *dt_cross_entropy_backward(dt_tensor *grad_output, dt_tensor *self,
                                     dt_tensor *target, dt_tensor *weight,
                                     dt_tensor *logsumexp,
                                     dt_tensor *total_weight)
{
    return call_cross_entropy_backward(DT_VARIANT_NEW, grad_output, self,
                                       target, weight, logsumexp, total_weight,
                                       1, -100, 0, NULL);
}

dt_tensor *dt_cross_entropy_backward_with(dt_tensor *grad_output,
                                          dt_tensor *self, dt_tensor *target,
                                          dt_tensor *weight,
                                          dt_tensor *logsumexp,
                                          dt_tensor *total_weight,
                                          const dt_cross_entropy_backward_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(grad_output, options->size, sizeof *options,
                    "DT_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT");
        return NULL;
    }
    return call_cross_entropy_backward(DT_VARIANT_NEW, grad_output, self,
                                       target, weight, logsumexp, total_weight,
                                       options->reduction,
                                       options->ignore_index,
                                       options->label_smoothing, NULL);
}

static inline dt_tensor *call_cross_entropy_loss(dt_variant variant,
                                                 dt_tensor *self,
                                                 dt_tensor *target,
                                                 dt_tensor *weight,
                                                 int64_t reduction,
                                                 int64_t ignore_index,
                                                 double label_smoothing,
                                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_INTEGER, .as.integer = ignore_index},
        {.kind = DT_ARG_REAL, .as.real = label_smoothing},
    };
    return dti_op_call_one(OP_CROSS_ENTROPY_LOSS, variant, arguments, 6, out);
}

dt_tensor *dt_cross_entropy_loss(dt_tensor *self, dt_tensor *target,
                                 dt_tensor *weight)
{
    return call_cross_entropy_loss(DT_VARIANT_NEW, self, target, weight, 1,
                                   -100, 0, NULL);
}

dt_tensor *dt_cross_entropy_loss_with(dt_tensor *self, dt_tensor *target,
                                      dt_tensor *weight,
                                      const dt_cross_entropy_loss_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CROSS_ENTROPY_LOSS_OPTIONS_INIT");
        return NULL;
    }
    return call_cross_entropy_loss(DT_VARIANT_NEW, self, target, weight,
                                   options->reduction, options->ignore_index,
                                   options->label_smoothing, NULL);
}

static inline dt_tensor *call_diagonal(dt_variant variant, dt_tensor *self,
                                       int64_t offset, int dim1, int dim2,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = offset},
        {.kind = DT_ARG_INTEGER, .as.integer = dim1},
        {.kind = DT_ARG_INTEGER, .as.integer = dim2},
    };
    return dti_op_call_one(OP_DIAGONAL, variant, arguments, 4, out);
}

dt_tensor *dt_diagonal(dt_tensor *self, int64_t offset, int dim1, int dim2)
{
    return call_diagonal(DT_VARIANT_NEW, self, offset, dim1, dim2, NULL);
}

static inline dt_tensor *call_diagonal_scatter(dt_variant variant,
                                               dt_tensor *self, dt_tensor *src,
                                               int64_t offset, int dim1,
                                               int dim2, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
        {.kind = DT_ARG_INTEGER, .as.integer = offset},
        {.kind = DT_ARG_INTEGER, .as.integer = dim1},
        {.kind = DT_ARG_INTEGER, .as.integer = dim2},
    };
    return dti_op_call_one(OP_DIAGONAL_SCATTER, variant, arguments, 5, out);
}

dt_tensor *dt_diagonal_scatter(dt_tensor *self, dt_tensor *src, int64_t offset,
                               int dim1, int dim2)
{
    return call_diagonal_scatter(DT_VARIANT_NEW, self, src, offset, dim1, dim2,
                                 NULL);
}

dt_tensor *dt_diagonal_scatter_out(dt_tensor *self, dt_tensor *src,
                                   int64_t offset, int dim1, int dim2,
                                   dt_tensor *out)
{
    return call_diagonal_scatter(DT_VARIANT_OUT, self, src, offset, dim1, dim2,
                                 out);
}

static inline dt_tensor *call_diagonal_backward(dt_variant variant,
                                                dt_tensor *grad_output,
                                                dt_shape input_sizes,
                                                int64_t offset, int dim1,
                                                int dim2, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&input_sizes),
         .as.integers = list_of(&input_sizes)},
        {.kind = DT_ARG_INTEGER, .as.integer = offset},
        {.kind = DT_ARG_INTEGER, .as.integer = dim1},
        {.kind = DT_ARG_INTEGER, .as.integer = dim2},
    };
    return dti_op_call_one(OP_DIAGONAL_BACKWARD, variant, arguments, 5, out);
}

dt_tensor *dt_diagonal_backward(dt_tensor *grad_output, dt_shape input_sizes,
                                int64_t offset, int dim1, int dim2)
{
    return call_diagonal_backward(DT_VARIANT_NEW, grad_output, input_sizes,
                                  offset, dim1, dim2, NULL);
}

dt_tensor *dt_diagonal_backward_out(dt_tensor *grad_output,
                                    dt_shape input_sizes, int64_t offset,
                                    int dim1, int dim2, dt_tensor *out)
{
    return call_diagonal_backward(DT_VARIANT_OUT, grad_output, input_sizes,
                                  offset, dim1, dim2, out);
}

static inline dt_tensor *call_diag_embed(dt_variant variant, dt_tensor *self,
                                         int64_t offset, int dim1, int dim2,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = offset},
        {.kind = DT_ARG_INTEGER, .as.integer = dim1},
        {.kind = DT_ARG_INTEGER, .as.integer = dim2},
    };
    return dti_op_call_one(OP_DIAG_EMBED, variant, arguments, 4, out);
}

dt_tensor *dt_diag_embed(dt_tensor *self)
{
    return call_diag_embed(DT_VARIANT_NEW, self, 0, -2, -1, NULL);
}

dt_tensor *dt_diag_embed_with(dt_tensor *self,
                              const dt_diag_embed_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_DIAG_EMBED_OPTIONS_INIT");
        return NULL;
    }
    return call_diag_embed(DT_VARIANT_NEW, self, options->offset, options->dim1,
                           options->dim2, NULL);
}

dt_tensor *dt_diag_embed_out(dt_tensor *self, dt_tensor *out)
{
    return call_diag_embed(DT_VARIANT_OUT, self, 0, -2, -1, out);
}

dt_tensor *dt_diag_embed_with_out(dt_tensor *self,
                                  const dt_diag_embed_options *options,
                                  dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_DIAG_EMBED_OPTIONS_INIT");
        return NULL;
    }
    return call_diag_embed(DT_VARIANT_OUT, self, options->offset, options->dim1,
                           options->dim2, out);
}

static inline dt_tensor *call_einsum(dt_variant variant, const char *equation,
                                     dt_tensor *const *operands,
                                     int operands_count, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TEXT, .as.text = equation},
        {.kind = DT_ARG_TENSORS, .count = operands_count,
         .as.tensors = operands},
    };
    return dti_op_call_one(OP_EINSUM, variant, arguments, 2, out);
}

dt_tensor *dt_einsum(const char *equation, dt_tensor *const *operands,
                     int operands_count)
{
    return call_einsum(DT_VARIANT_NEW, equation, operands, operands_count,
                       NULL);
}

static inline dt_tensor *call_embedding(dt_variant variant, dt_tensor *weight,
                                        dt_tensor *indices, int64_t padding_idx,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = weight},
        {.kind = DT_ARG_TENSOR, .as.tensor = indices},
        {.kind = DT_ARG_INTEGER, .as.integer = padding_idx},
    };
    return dti_op_call_one(OP_EMBEDDING, variant, arguments, 3, out);
}

dt_tensor *dt_embedding(dt_tensor *weight, dt_tensor *indices)
{
    return call_embedding(DT_VARIANT_NEW, weight, indices, -1, NULL);
}

dt_tensor *dt_embedding_with(dt_tensor *weight, dt_tensor *indices,
                             const dt_embedding_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(weight, options->size, sizeof *options,
                    "DT_EMBEDDING_OPTIONS_INIT");
        return NULL;
    }
    return call_embedding(DT_VARIANT_NEW, weight, indices, options->padding_idx,
                          NULL);
}

static inline dt_tensor *call_embedding_dense_backward(dt_variant variant,
                                                       dt_tensor *grad_output,
                                                       dt_tensor *indices,
                                                       int64_t num_weights,
                                                       int64_t padding_idx,
                                                       bool scale_grad_by_freq,
                                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = indices},
        {.kind = DT_ARG_INTEGER, .as.integer = num_weights},
        {.kind = DT_ARG_INTEGER, .as.integer = padding_idx},
        {.kind = DT_ARG_INTEGER, .as.integer = scale_grad_by_freq},
    };
    return dti_op_call_one(OP_EMBEDDING_DENSE_BACKWARD, variant, arguments, 5, out);
}

dt_tensor *dt_embedding_dense_backward(dt_tensor *grad_output,
                                       dt_tensor *indices, int64_t num_weights,
                                       int64_t padding_idx,
                                       bool scale_grad_by_freq)
{
    return call_embedding_dense_backward(DT_VARIANT_NEW, grad_output, indices,
                                         num_weights, padding_idx,
                                         scale_grad_by_freq, NULL);
}

static inline dt_tensor *call_equal(dt_variant variant, dt_tensor *self,
                                    dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_EQUAL, variant, arguments, 2, out);
}

dt_tensor *dt_equal(dt_tensor *self, dt_tensor *other)
{
    return call_equal(DT_VARIANT_NEW, self, other, NULL);
}

static inline dt_tensor *call_exp(dt_variant variant, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_EXP, variant, arguments, 1, out);
}

dt_tensor *dt_exp(dt_tensor *self)
{
    return call_exp(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_exp_(dt_tensor *self)
{
    return call_exp(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_exp_out(dt_tensor *self, dt_tensor *out)
{
    return call_exp(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_exp2(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_EXP2, variant, arguments, 1, out);
}

dt_tensor *dt_exp2(dt_tensor *self)
{
    return call_exp2(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_exp2_(dt_tensor *self)
{
    return call_exp2(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_exp2_out(dt_tensor *self, dt_tensor *out)
{
    return call_exp2(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_expm1(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_EXPM1, variant, arguments, 1, out);
}

dt_tensor *dt_expm1(dt_tensor *self)
{
    return call_expm1(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_expm1_(dt_tensor *self)
{
    return call_expm1(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_expm1_out(dt_tensor *self, dt_tensor *out)
{
    return call_expm1(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_log(dt_variant variant, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_LOG, variant, arguments, 1, out);
}

dt_tensor *dt_log(dt_tensor *self)
{
    return call_log(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_log_(dt_tensor *self)
{
    return call_log(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_log_out(dt_tensor *self, dt_tensor *out)
{
    return call_log(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_log2(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_LOG2, variant, arguments, 1, out);
}

dt_tensor *dt_log2(dt_tensor *self)
{
    return call_log2(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_log2_(dt_tensor *self)
{
    return call_log2(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_log2_out(dt_tensor *self, dt_tensor *out)
{
    return call_log2(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_log10(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_LOG10, variant, arguments, 1, out);
}

dt_tensor *dt_log10(dt_tensor *self)
{
    return call_log10(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_log10_(dt_tensor *self)
{
    return call_log10(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_log10_out(dt_tensor *self, dt_tensor *out)
{
    return call_log10(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_log1p(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_LOG1P, variant, arguments, 1, out);
}

dt_tensor *dt_log1p(dt_tensor *self)
{
    return call_log1p(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_log1p_(dt_tensor *self)
{
    return call_log1p(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_log1p_out(dt_tensor *self, dt_tensor *out)
{
    return call_log1p(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_sqrt(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SQRT, variant, arguments, 1, out);
}

dt_tensor *dt_sqrt(dt_tensor *self)
{
    return call_sqrt(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_sqrt_(dt_tensor *self)
{
    return call_sqrt(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_sqrt_out(dt_tensor *self, dt_tensor *out)
{
    return call_sqrt(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_rsqrt(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_RSQRT, variant, arguments, 1, out);
}

dt_tensor *dt_rsqrt(dt_tensor *self)
{
    return call_rsqrt(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_rsqrt_(dt_tensor *self)
{
    return call_rsqrt(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_rsqrt_out(dt_tensor *self, dt_tensor *out)
{
    return call_rsqrt(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_pow(dt_variant variant, dt_tensor *self,
                                  dt_tensor *exponent, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = exponent},
    };
    return dti_op_call_one(OP_POW, variant, arguments, 2, out);
}

dt_tensor *dt_pow(dt_tensor *self, dt_tensor *exponent)
{
    return call_pow(DT_VARIANT_NEW, self, exponent, NULL);
}

dt_tensor *dt_pow_(dt_tensor *self, dt_tensor *exponent)
{
    return call_pow(DT_VARIANT_IN_PLACE, self, exponent, NULL);
}

dt_tensor *dt_pow_out(dt_tensor *self, dt_tensor *exponent, dt_tensor *out)
{
    return call_pow(DT_VARIANT_OUT, self, exponent, out);
}

static inline dt_tensor *call_pow_scalar(dt_variant variant, dt_tensor *self,
                                         dt_number exponent, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = exponent},
    };
    return dti_op_call_one(OP_POW_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_pow_scalar(dt_tensor *self, dt_number exponent)
{
    return call_pow_scalar(DT_VARIANT_NEW, self, exponent, NULL);
}

dt_tensor *dt_pow_scalar_(dt_tensor *self, dt_number exponent)
{
    return call_pow_scalar(DT_VARIANT_IN_PLACE, self, exponent, NULL);
}

dt_tensor *dt_pow_scalar_out(dt_tensor *self, dt_number exponent,
                             dt_tensor *out)
{
    return call_pow_scalar(DT_VARIANT_OUT, self, exponent, out);
}

static inline dt_tensor *call_pow_base(dt_variant variant, dt_number self,
                                       dt_tensor *exponent, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_NUMBER, .as.number = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = exponent},
    };
    return dti_op_call_one(OP_POW_BASE, variant, arguments, 2, out);
}

dt_tensor *dt_pow_base(dt_number self, dt_tensor *exponent)
{
    return call_pow_base(DT_VARIANT_NEW, self, exponent, NULL);
}

dt_tensor *dt_pow_base_out(dt_number self, dt_tensor *exponent,
                           dt_tensor *out)
{
    return call_pow_base(DT_VARIANT_OUT, self, exponent, out);
}

static inline dt_tensor *call_logaddexp(dt_variant variant, dt_tensor *self,
                                        dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LOGADDEXP, variant, arguments, 2, out);
}

dt_tensor *dt_logaddexp(dt_tensor *self, dt_tensor *other)
{
    return call_logaddexp(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_logaddexp_out(dt_tensor *self, dt_tensor *other,
                            dt_tensor *out)
{
    return call_logaddexp(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_logaddexp2(dt_variant variant, dt_tensor *self,
                                         dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_LOGADDEXP2, variant, arguments, 2, out);
}

dt_tensor *dt_logaddexp2(dt_tensor *self, dt_tensor *other)
{
    return call_logaddexp2(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_logaddexp2_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out)
{
    return call_logaddexp2(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_xlogy(dt_variant variant, dt_tensor *self,
                                    dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_XLOGY, variant, arguments, 2, out);
}

dt_tensor *dt_xlogy(dt_tensor *self, dt_tensor *other)
{
    return call_xlogy(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_xlogy_(dt_tensor *self, dt_tensor *other)
{
    return call_xlogy(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_xlogy_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_xlogy(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_erf(dt_variant variant, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ERF, variant, arguments, 1, out);
}

dt_tensor *dt_erf(dt_tensor *self)
{
    return call_erf(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_erf_(dt_tensor *self)
{
    return call_erf(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_erf_out(dt_tensor *self, dt_tensor *out)
{
    return call_erf(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_erfc(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ERFC, variant, arguments, 1, out);
}

dt_tensor *dt_erfc(dt_tensor *self)
{
    return call_erfc(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_erfc_(dt_tensor *self)
{
    return call_erfc(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_erfc_out(dt_tensor *self, dt_tensor *out)
{
    return call_erfc(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_logit(dt_variant variant, dt_tensor *self,
                                    double eps, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = eps},
    };
    return dti_op_call_one(OP_LOGIT, variant, arguments, 2, out);
}

dt_tensor *dt_logit(dt_tensor *self)
{
    return call_logit(DT_VARIANT_NEW, self, -1, NULL);
}

dt_tensor *dt_logit_with(dt_tensor *self, const dt_logit_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_LOGIT_OPTIONS_INIT");
        return NULL;
    }
    return call_logit(DT_VARIANT_NEW, self, options->eps, NULL);
}

dt_tensor *dt_logit_(dt_tensor *self)
{
    return call_logit(DT_VARIANT_IN_PLACE, self, -1, NULL);
}

dt_tensor *dt_logit_with_(dt_tensor *self, const dt_logit_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_LOGIT_OPTIONS_INIT");
        return NULL;
    }
    return call_logit(DT_VARIANT_IN_PLACE, self, options->eps, NULL);
}

dt_tensor *dt_logit_out(dt_tensor *self, dt_tensor *out)
{
    return call_logit(DT_VARIANT_OUT, self, -1, out);
}

dt_tensor *dt_logit_with_out(dt_tensor *self, const dt_logit_options *options,
                             dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_LOGIT_OPTIONS_INIT");
        return NULL;
    }
    return call_logit(DT_VARIANT_OUT, self, options->eps, out);
}

static inline dt_tensor *call_fill_scalar(dt_variant variant, dt_tensor *self,
                                          dt_number value, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_FILL_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_fill_scalar(dt_tensor *self, dt_number value)
{
    return call_fill_scalar(DT_VARIANT_NEW, self, value, NULL);
}

dt_tensor *dt_fill_scalar_(dt_tensor *self, dt_number value)
{
    return call_fill_scalar(DT_VARIANT_IN_PLACE, self, value, NULL);
}

dt_tensor *dt_fill_scalar_out(dt_tensor *self, dt_number value,
                              dt_tensor *out)
{
    return call_fill_scalar(DT_VARIANT_OUT, self, value, out);
}

static inline dt_tensor *call_fill(dt_variant variant, dt_tensor *self,
                                   dt_tensor *value, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
    };
    return dti_op_call_one(OP_FILL, variant, arguments, 2, out);
}

dt_tensor *dt_fill(dt_tensor *self, dt_tensor *value)
{
    return call_fill(DT_VARIANT_NEW, self, value, NULL);
}

dt_tensor *dt_fill_(dt_tensor *self, dt_tensor *value)
{
    return call_fill(DT_VARIANT_IN_PLACE, self, value, NULL);
}

dt_tensor *dt_fill_out(dt_tensor *self, dt_tensor *value, dt_tensor *out)
{
    return call_fill(DT_VARIANT_OUT, self, value, out);
}

static inline dt_tensor *call_zero(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ZERO, variant, arguments, 1, out);
}

dt_tensor *dt_zero(dt_tensor *self)
{
    return call_zero(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_zero_(dt_tensor *self)
{
    return call_zero(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_zero_out(dt_tensor *self, dt_tensor *out)
{
    return call_zero(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_copy(dt_variant variant, dt_tensor *self,
                                   dt_tensor *src, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
    };
    return dti_op_call_one(OP_COPY, variant, arguments, 2, out);
}

dt_tensor *dt_copy(dt_tensor *self, dt_tensor *src)
{
    return call_copy(DT_VARIANT_NEW, self, src, NULL);
}

dt_tensor *dt_copy_(dt_tensor *self, dt_tensor *src)
{
    return call_copy(DT_VARIANT_IN_PLACE, self, src, NULL);
}

dt_tensor *dt_copy_out(dt_tensor *self, dt_tensor *src, dt_tensor *out)
{
    return call_copy(DT_VARIANT_OUT, self, src, out);
}

static inline dt_status call_foreach_add(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor *const *other,
                                         int other_count, dt_number alpha,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = other_count, .as.tensors = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_many(OP_FOREACH_ADD, variant, arguments, 3, results,
                            room, count);
}

dt_status dt_foreach_add(dt_tensor *const *self, int self_count,
                         dt_tensor *const *other, int other_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_add(DT_VARIANT_NEW, self, self_count, other,
                            other_count, (dt_number){DT_KIND_SIGNED, {1}, 0},
                            results, room, count);
}

dt_status dt_foreach_add_with(dt_tensor *const *self, int self_count,
                              dt_tensor *const *other, int other_count,
                              const dt_foreach_add_options *options,
                              dt_tensor **results, int room, int *count)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_ADD_OPTIONS_INIT");
    return call_foreach_add(DT_VARIANT_NEW, self, self_count, other,
                            other_count, options->alpha,
                            results, room, count);
}

dt_status dt_foreach_add_(dt_tensor *const *self, int self_count,
                          dt_tensor *const *other, int other_count)
{
    return call_foreach_add(DT_VARIANT_IN_PLACE, self, self_count, other,
                            other_count, (dt_number){DT_KIND_SIGNED, {1}, 0},
                            NULL, 0, NULL);
}

dt_status dt_foreach_add_with_(dt_tensor *const *self, int self_count,
                               dt_tensor *const *other, int other_count,
                               const dt_foreach_add_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_ADD_OPTIONS_INIT");
    return call_foreach_add(DT_VARIANT_IN_PLACE, self, self_count, other,
                            other_count, options->alpha, NULL, 0, NULL);
}

static inline dt_status call_foreach_add_tensor(dt_variant variant,
                                                dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *other,
                                                dt_number alpha,
                                                dt_tensor **results, int room,
                                                int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_many(OP_FOREACH_ADD_TENSOR, variant, arguments, 3, results,
                            room, count);
}

dt_status dt_foreach_add_tensor(dt_tensor *const *self, int self_count,
                                dt_tensor *other, dt_tensor **results, int room,
                                int *count)
{
    return call_foreach_add_tensor(DT_VARIANT_NEW, self, self_count, other,
                                   (dt_number){DT_KIND_SIGNED, {1}, 0},
                                   results, room, count);
}

dt_status dt_foreach_add_tensor_with(dt_tensor *const *self, int self_count,
                                     dt_tensor *other,
                                     const dt_foreach_add_tensor_options *options,
                                     dt_tensor **results, int room,
                                     int *count)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_ADD_TENSOR_OPTIONS_INIT");
    return call_foreach_add_tensor(DT_VARIANT_NEW, self, self_count, other,
                                   options->alpha, results, room, count);
}

dt_status dt_foreach_add_tensor_(dt_tensor *const *self, int self_count,
                                 dt_tensor *other)
{
    return call_foreach_add_tensor(DT_VARIANT_IN_PLACE, self, self_count, other,
                                   (dt_number){DT_KIND_SIGNED, {1}, 0},
                                   NULL, 0, NULL);
}

dt_status dt_foreach_add_tensor_with_(dt_tensor *const *self, int self_count,
                                      dt_tensor *other,
                                      const dt_foreach_add_tensor_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_ADD_TENSOR_OPTIONS_INIT");
    return call_foreach_add_tensor(DT_VARIANT_IN_PLACE, self, self_count, other,
                                   options->alpha, NULL, 0, NULL);
}

static inline dt_status call_foreach_add_scalar(dt_variant variant,
                                                dt_tensor *const *self,
                                                int self_count, dt_number other,
                                                dt_tensor **results, int room,
                                                int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_many(OP_FOREACH_ADD_SCALAR, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_add_scalar(dt_tensor *const *self, int self_count,
                                dt_number other, dt_tensor **results, int room,
                                int *count)
{
    return call_foreach_add_scalar(DT_VARIANT_NEW, self, self_count, other,
                                   results, room, count);
}

dt_status dt_foreach_add_scalar_(dt_tensor *const *self, int self_count,
                                 dt_number other)
{
    return call_foreach_add_scalar(DT_VARIANT_IN_PLACE, self, self_count, other,
                                   NULL, 0, NULL);
}

static inline dt_status call_foreach_add_scalars(dt_variant variant,
                                                 dt_tensor *const *self,
                                                 int self_count,
                                                 const dt_number *scalars,
                                                 int scalars_count,
                                                 dt_tensor **results, int room,
                                                 int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBERS, .count = scalars_count, .as.numbers = scalars},
    };
    return dti_op_call_many(OP_FOREACH_ADD_SCALARS, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_add_scalars(dt_tensor *const *self, int self_count,
                                 const dt_number *scalars, int scalars_count,
                                 dt_tensor **results, int room, int *count)
{
    return call_foreach_add_scalars(DT_VARIANT_NEW, self, self_count, scalars,
                                    scalars_count, results, room, count);
}

dt_status dt_foreach_add_scalars_(dt_tensor *const *self, int self_count,
                                  const dt_number *scalars,
                                  int scalars_count)
{
    return call_foreach_add_scalars(DT_VARIANT_IN_PLACE, self, self_count,
                                    scalars, scalars_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_sub(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor *const *other,
                                         int other_count, dt_number alpha,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = other_count, .as.tensors = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_many(OP_FOREACH_SUB, variant, arguments, 3, results,
                            room, count);
}

dt_status dt_foreach_sub(dt_tensor *const *self, int self_count,
                         dt_tensor *const *other, int other_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_sub(DT_VARIANT_NEW, self, self_count, other,
                            other_count, (dt_number){DT_KIND_SIGNED, {1}, 0},
                            results, room, count);
}

dt_status dt_foreach_sub_with(dt_tensor *const *self, int self_count,
                              dt_tensor *const *other, int other_count,
                              const dt_foreach_sub_options *options,
                              dt_tensor **results, int room, int *count)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_SUB_OPTIONS_INIT");
    return call_foreach_sub(DT_VARIANT_NEW, self, self_count, other,
                            other_count, options->alpha,
                            results, room, count);
}

dt_status dt_foreach_sub_(dt_tensor *const *self, int self_count,
                          dt_tensor *const *other, int other_count)
{
    return call_foreach_sub(DT_VARIANT_IN_PLACE, self, self_count, other,
                            other_count, (dt_number){DT_KIND_SIGNED, {1}, 0},
                            NULL, 0, NULL);
}

dt_status dt_foreach_sub_with_(dt_tensor *const *self, int self_count,
                               dt_tensor *const *other, int other_count,
                               const dt_foreach_sub_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_SUB_OPTIONS_INIT");
    return call_foreach_sub(DT_VARIANT_IN_PLACE, self, self_count, other,
                            other_count, options->alpha, NULL, 0, NULL);
}

static inline dt_status call_foreach_sub_scalar(dt_variant variant,
                                                dt_tensor *const *self,
                                                int self_count, dt_number other,
                                                dt_tensor **results, int room,
                                                int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_many(OP_FOREACH_SUB_SCALAR, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_sub_scalar(dt_tensor *const *self, int self_count,
                                dt_number other, dt_tensor **results, int room,
                                int *count)
{
    return call_foreach_sub_scalar(DT_VARIANT_NEW, self, self_count, other,
                                   results, room, count);
}

dt_status dt_foreach_sub_scalar_(dt_tensor *const *self, int self_count,
                                 dt_number other)
{
    return call_foreach_sub_scalar(DT_VARIANT_IN_PLACE, self, self_count, other,
                                   NULL, 0, NULL);
}

static inline dt_status call_foreach_sub_scalars(dt_variant variant,
                                                 dt_tensor *const *self,
                                                 int self_count,
                                                 const dt_number *scalars,
                                                 int scalars_count,
                                                 dt_tensor **results, int room,
                                                 int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBERS, .count = scalars_count, .as.numbers = scalars},
    };
    return dti_op_call_many(OP_FOREACH_SUB_SCALARS, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_sub_scalars(dt_tensor *const *self, int self_count,
                                 const dt_number *scalars, int scalars_count,
                                 dt_tensor **results, int room, int *count)
{
    return call_foreach_sub_scalars(DT_VARIANT_NEW, self, self_count, scalars,
                                    scalars_count, results, room, count);
}

dt_status dt_foreach_sub_scalars_(dt_tensor *const *self, int self_count,
                                  const dt_number *scalars,
                                  int scalars_count)
{
    return call_foreach_sub_scalars(DT_VARIANT_IN_PLACE, self, self_count,
                                    scalars, scalars_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_mul(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor *const *other,
                                         int other_count, dt_tensor **results,
                                         int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = other_count, .as.tensors = other},
    };
    return dti_op_call_many(OP_FOREACH_MUL, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_mul(dt_tensor *const *self, int self_count,
                         dt_tensor *const *other, int other_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_mul(DT_VARIANT_NEW, self, self_count, other,
                            other_count, results, room, count);
}

dt_status dt_foreach_mul_(dt_tensor *const *self, int self_count,
                          dt_tensor *const *other, int other_count)
{
    return call_foreach_mul(DT_VARIANT_IN_PLACE, self, self_count, other,
                            other_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_mul_tensor(dt_variant variant,
                                                dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *other,
                                                dt_tensor **results, int room,
                                                int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_many(OP_FOREACH_MUL_TENSOR, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_mul_tensor(dt_tensor *const *self, int self_count,
                                dt_tensor *other, dt_tensor **results, int room,
                                int *count)
{
    return call_foreach_mul_tensor(DT_VARIANT_NEW, self, self_count, other,
                                   results, room, count);
}

dt_status dt_foreach_mul_tensor_(dt_tensor *const *self, int self_count,
                                 dt_tensor *other)
{
    return call_foreach_mul_tensor(DT_VARIANT_IN_PLACE, self, self_count, other,
                                   NULL, 0, NULL);
}

static inline dt_status call_foreach_mul_scalar(dt_variant variant,
                                                dt_tensor *const *self,
                                                int self_count, dt_number other,
                                                dt_tensor **results, int room,
                                                int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_many(OP_FOREACH_MUL_SCALAR, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_mul_scalar(dt_tensor *const *self, int self_count,
                                dt_number other, dt_tensor **results, int room,
                                int *count)
{
    return call_foreach_mul_scalar(DT_VARIANT_NEW, self, self_count, other,
                                   results, room, count);
}

dt_status dt_foreach_mul_scalar_(dt_tensor *const *self, int self_count,
                                 dt_number other)
{
    return call_foreach_mul_scalar(DT_VARIANT_IN_PLACE, self, self_count, other,
                                   NULL, 0, NULL);
}

static inline dt_status call_foreach_mul_scalars(dt_variant variant,
                                                 dt_tensor *const *self,
                                                 int self_count,
                                                 const dt_number *scalars,
                                                 int scalars_count,
                                                 dt_tensor **results, int room,
                                                 int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBERS, .count = scalars_count, .as.numbers = scalars},
    };
    return dti_op_call_many(OP_FOREACH_MUL_SCALARS, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_mul_scalars(dt_tensor *const *self, int self_count,
                                 const dt_number *scalars, int scalars_count,
                                 dt_tensor **results, int room, int *count)
{
    return call_foreach_mul_scalars(DT_VARIANT_NEW, self, self_count, scalars,
                                    scalars_count, results, room, count);
}

dt_status dt_foreach_mul_scalars_(dt_tensor *const *self, int self_count,
                                  const dt_number *scalars,
                                  int scalars_count)
{
    return call_foreach_mul_scalars(DT_VARIANT_IN_PLACE, self, self_count,
                                    scalars, scalars_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_div(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor *const *other,
                                         int other_count, dt_tensor **results,
                                         int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = other_count, .as.tensors = other},
    };
    return dti_op_call_many(OP_FOREACH_DIV, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_div(dt_tensor *const *self, int self_count,
                         dt_tensor *const *other, int other_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_div(DT_VARIANT_NEW, self, self_count, other,
                            other_count, results, room, count);
}

dt_status dt_foreach_div_(dt_tensor *const *self, int self_count,
                          dt_tensor *const *other, int other_count)
{
    return call_foreach_div(DT_VARIANT_IN_PLACE, self, self_count, other,
                            other_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_div_tensor(dt_variant variant,
                                                dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *other,
                                                dt_tensor **results, int room,
                                                int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_many(OP_FOREACH_DIV_TENSOR, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_div_tensor(dt_tensor *const *self, int self_count,
                                dt_tensor *other, dt_tensor **results, int room,
                                int *count)
{
    return call_foreach_div_tensor(DT_VARIANT_NEW, self, self_count, other,
                                   results, room, count);
}

dt_status dt_foreach_div_tensor_(dt_tensor *const *self, int self_count,
                                 dt_tensor *other)
{
    return call_foreach_div_tensor(DT_VARIANT_IN_PLACE, self, self_count, other,
                                   NULL, 0, NULL);
}

static inline dt_status call_foreach_div_scalar(dt_variant variant,
                                                dt_tensor *const *self,
                                                int self_count, dt_number other,
                                                dt_tensor **results, int room,
                                                int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_many(OP_FOREACH_DIV_SCALAR, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_div_scalar(dt_tensor *const *self, int self_count,
                                dt_number other, dt_tensor **results, int room,
                                int *count)
{
    return call_foreach_div_scalar(DT_VARIANT_NEW, self, self_count, other,
                                   results, room, count);
}

dt_status dt_foreach_div_scalar_(dt_tensor *const *self, int self_count,
                                 dt_number other)
{
    return call_foreach_div_scalar(DT_VARIANT_IN_PLACE, self, self_count, other,
                                   NULL, 0, NULL);
}

static inline dt_status call_foreach_div_scalars(dt_variant variant,
                                                 dt_tensor *const *self,
                                                 int self_count,
                                                 const dt_number *scalars,
                                                 int scalars_count,
                                                 dt_tensor **results, int room,
                                                 int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBERS, .count = scalars_count, .as.numbers = scalars},
    };
    return dti_op_call_many(OP_FOREACH_DIV_SCALARS, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_div_scalars(dt_tensor *const *self, int self_count,
                                 const dt_number *scalars, int scalars_count,
                                 dt_tensor **results, int room, int *count)
{
    return call_foreach_div_scalars(DT_VARIANT_NEW, self, self_count, scalars,
                                    scalars_count, results, room, count);
}

dt_status dt_foreach_div_scalars_(dt_tensor *const *self, int self_count,
                                  const dt_number *scalars,
                                  int scalars_count)
{
    return call_foreach_div_scalars(DT_VARIANT_IN_PLACE, self, self_count,
                                    scalars, scalars_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_maximum(dt_variant variant,
                                             dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *other,
                                             int other_count,
                                             dt_tensor **results, int room,
                                             int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = other_count, .as.tensors = other},
    };
    return dti_op_call_many(OP_FOREACH_MAXIMUM, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_maximum(dt_tensor *const *self, int self_count,
                             dt_tensor *const *other, int other_count,
                             dt_tensor **results, int room, int *count)
{
    return call_foreach_maximum(DT_VARIANT_NEW, self, self_count, other,
                                other_count, results, room, count);
}

dt_status dt_foreach_maximum_(dt_tensor *const *self, int self_count,
                              dt_tensor *const *other, int other_count)
{
    return call_foreach_maximum(DT_VARIANT_IN_PLACE, self, self_count, other,
                                other_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_minimum(dt_variant variant,
                                             dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *other,
                                             int other_count,
                                             dt_tensor **results, int room,
                                             int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = other_count, .as.tensors = other},
    };
    return dti_op_call_many(OP_FOREACH_MINIMUM, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_minimum(dt_tensor *const *self, int self_count,
                             dt_tensor *const *other, int other_count,
                             dt_tensor **results, int room, int *count)
{
    return call_foreach_minimum(DT_VARIANT_NEW, self, self_count, other,
                                other_count, results, room, count);
}

dt_status dt_foreach_minimum_(dt_tensor *const *self, int self_count,
                              dt_tensor *const *other, int other_count)
{
    return call_foreach_minimum(DT_VARIANT_IN_PLACE, self, self_count, other,
                                other_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_pow_scalar(dt_variant variant,
                                                dt_tensor *const *self,
                                                int self_count,
                                                dt_number exponent,
                                                dt_tensor **results, int room,
                                                int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBER, .as.number = exponent},
    };
    return dti_op_call_many(OP_FOREACH_POW_SCALAR, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_pow_scalar(dt_tensor *const *self, int self_count,
                                dt_number exponent, dt_tensor **results,
                                int room, int *count)
{
    return call_foreach_pow_scalar(DT_VARIANT_NEW, self, self_count, exponent,
                                   results, room, count);
}

dt_status dt_foreach_pow_scalar_(dt_tensor *const *self, int self_count,
                                 dt_number exponent)
{
    return call_foreach_pow_scalar(DT_VARIANT_IN_PLACE, self, self_count,
                                   exponent, NULL, 0, NULL);
}

static inline dt_status call_foreach_pow_scalars(dt_variant variant,
                                                 dt_tensor *const *self,
                                                 int self_count,
                                                 const dt_number *scalars,
                                                 int scalars_count,
                                                 dt_tensor **results, int room,
                                                 int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBERS, .count = scalars_count, .as.numbers = scalars},
    };
    return dti_op_call_many(OP_FOREACH_POW_SCALARS, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_pow_scalars(dt_tensor *const *self, int self_count,
                                 const dt_number *scalars, int scalars_count,
                                 dt_tensor **results, int room, int *count)
{
    return call_foreach_pow_scalars(DT_VARIANT_NEW, self, self_count, scalars,
                                    scalars_count, results, room, count);
}

dt_status dt_foreach_pow_scalars_(dt_tensor *const *self, int self_count,
                                  const dt_number *scalars,
                                  int scalars_count)
{
    return call_foreach_pow_scalars(DT_VARIANT_IN_PLACE, self, self_count,
                                    scalars, scalars_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_pow(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor *const *exponent,
                                         int exponent_count,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = exponent_count,
         .as.tensors = exponent},
    };
    return dti_op_call_many(OP_FOREACH_POW, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_pow(dt_tensor *const *self, int self_count,
                         dt_tensor *const *exponent, int exponent_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_pow(DT_VARIANT_NEW, self, self_count, exponent,
                            exponent_count, results, room, count);
}

dt_status dt_foreach_pow_(dt_tensor *const *self, int self_count,
                          dt_tensor *const *exponent, int exponent_count)
{
    return call_foreach_pow(DT_VARIANT_IN_PLACE, self, self_count, exponent,
                            exponent_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_pow_base(dt_variant variant,
                                              dt_number self,
                                              dt_tensor *const *exponent,
                                              int exponent_count,
                                              dt_tensor **results, int room,
                                              int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_NUMBER, .as.number = self},
        {.kind = DT_ARG_TENSORS, .count = exponent_count,
         .as.tensors = exponent},
    };
    return dti_op_call_many(OP_FOREACH_POW_BASE, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_pow_base(dt_number self, dt_tensor *const *exponent,
                              int exponent_count, dt_tensor **results, int room,
                              int *count)
{
    return call_foreach_pow_base(DT_VARIANT_NEW, self, exponent, exponent_count,
                                 results, room, count);
}

static inline dt_status call_foreach_clamp_min(dt_variant variant,
                                               dt_tensor *const *self,
                                               int self_count, dt_number min,
                                               dt_tensor **results, int room,
                                               int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBER, .as.number = min},
    };
    return dti_op_call_many(OP_FOREACH_CLAMP_MIN, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_clamp_min(dt_tensor *const *self, int self_count,
                               dt_number min, dt_tensor **results, int room,
                               int *count)
{
    return call_foreach_clamp_min(DT_VARIANT_NEW, self, self_count, min,
                                  results, room, count);
}

dt_status dt_foreach_clamp_min_(dt_tensor *const *self, int self_count,
                                dt_number min)
{
    return call_foreach_clamp_min(DT_VARIANT_IN_PLACE, self, self_count, min,
                                  NULL, 0, NULL);
}

static inline dt_status call_foreach_clamp_min_scalars(dt_variant variant,
                                                       dt_tensor *const *self,
                                                       int self_count,
                                                       const dt_number *scalars,
                                                       int scalars_count,
                                                       dt_tensor **results,
                                                       int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBERS, .count = scalars_count, .as.numbers = scalars},
    };
    return dti_op_call_many(OP_FOREACH_CLAMP_MIN_SCALARS, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_clamp_min_scalars(dt_tensor *const *self, int self_count,
                                       const dt_number *scalars,
                                       int scalars_count, dt_tensor **results,
                                       int room, int *count)
{
    return call_foreach_clamp_min_scalars(DT_VARIANT_NEW, self, self_count,
                                          scalars, scalars_count,
                                          results, room, count);
}

dt_status dt_foreach_clamp_min_scalars_(dt_tensor *const *self, int self_count,
                                        const dt_number *scalars,
                                        int scalars_count)
{
    return call_foreach_clamp_min_scalars(DT_VARIANT_IN_PLACE, self, self_count,
                                          scalars, scalars_count,
                                          NULL, 0, NULL);
}

static inline dt_status call_foreach_clamp_max(dt_variant variant,
                                               dt_tensor *const *self,
                                               int self_count, dt_number max,
                                               dt_tensor **results, int room,
                                               int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBER, .as.number = max},
    };
    return dti_op_call_many(OP_FOREACH_CLAMP_MAX, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_clamp_max(dt_tensor *const *self, int self_count,
                               dt_number max, dt_tensor **results, int room,
                               int *count)
{
    return call_foreach_clamp_max(DT_VARIANT_NEW, self, self_count, max,
                                  results, room, count);
}

dt_status dt_foreach_clamp_max_(dt_tensor *const *self, int self_count,
                                dt_number max)
{
    return call_foreach_clamp_max(DT_VARIANT_IN_PLACE, self, self_count, max,
                                  NULL, 0, NULL);
}

static inline dt_status call_foreach_clamp_max_scalars(dt_variant variant,
                                                       dt_tensor *const *self,
                                                       int self_count,
                                                       const dt_number *scalars,
                                                       int scalars_count,
                                                       dt_tensor **results,
                                                       int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_NUMBERS, .count = scalars_count, .as.numbers = scalars},
    };
    return dti_op_call_many(OP_FOREACH_CLAMP_MAX_SCALARS, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_clamp_max_scalars(dt_tensor *const *self, int self_count,
                                       const dt_number *scalars,
                                       int scalars_count, dt_tensor **results,
                                       int room, int *count)
{
    return call_foreach_clamp_max_scalars(DT_VARIANT_NEW, self, self_count,
                                          scalars, scalars_count,
                                          results, room, count);
}

dt_status dt_foreach_clamp_max_scalars_(dt_tensor *const *self, int self_count,
                                        const dt_number *scalars,
                                        int scalars_count)
{
    return call_foreach_clamp_max_scalars(DT_VARIANT_IN_PLACE, self, self_count,
                                          scalars, scalars_count,
                                          NULL, 0, NULL);
}

static inline dt_status call_foreach_addcmul(dt_variant variant,
                                             dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *tensor1,
                                             int tensor1_count,
                                             dt_tensor *const *tensor2,
                                             int tensor2_count, dt_number value,
                                             dt_tensor **results, int room,
                                             int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = tensor1_count, .as.tensors = tensor1},
        {.kind = DT_ARG_TENSORS, .count = tensor2_count, .as.tensors = tensor2},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_many(OP_FOREACH_ADDCMUL, variant, arguments, 4, results,
                            room, count);
}

dt_status dt_foreach_addcmul(dt_tensor *const *self, int self_count,
                             dt_tensor *const *tensor1, int tensor1_count,
                             dt_tensor *const *tensor2, int tensor2_count,
                             dt_tensor **results, int room, int *count)
{
    return call_foreach_addcmul(DT_VARIANT_NEW, self, self_count, tensor1,
                                tensor1_count, tensor2, tensor2_count,
                                (dt_number){DT_KIND_SIGNED, {1}, 0},
                                results, room, count);
}

dt_status dt_foreach_addcmul_with(dt_tensor *const *self, int self_count,
                                  dt_tensor *const *tensor1, int tensor1_count,
                                  dt_tensor *const *tensor2, int tensor2_count,
                                  const dt_foreach_addcmul_options *options,
                                  dt_tensor **results, int room, int *count)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_ADDCMUL_OPTIONS_INIT");
    return call_foreach_addcmul(DT_VARIANT_NEW, self, self_count, tensor1,
                                tensor1_count, tensor2, tensor2_count,
                                options->value, results, room, count);
}

dt_status dt_foreach_addcmul_(dt_tensor *const *self, int self_count,
                              dt_tensor *const *tensor1, int tensor1_count,
                              dt_tensor *const *tensor2, int tensor2_count)
{
    return call_foreach_addcmul(DT_VARIANT_IN_PLACE, self, self_count, tensor1,
                                tensor1_count, tensor2, tensor2_count,
                                (dt_number){DT_KIND_SIGNED, {1}, 0},
                                NULL, 0, NULL);
}

dt_status dt_foreach_addcmul_with_(dt_tensor *const *self, int self_count,
                                   dt_tensor *const *tensor1, int tensor1_count,
                                   dt_tensor *const *tensor2, int tensor2_count,
                                   const dt_foreach_addcmul_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_ADDCMUL_OPTIONS_INIT");
    return call_foreach_addcmul(DT_VARIANT_IN_PLACE, self, self_count, tensor1,
                                tensor1_count, tensor2, tensor2_count,
                                options->value, NULL, 0, NULL);
}

static inline dt_status call_foreach_addcmul_scalars(dt_variant variant,
                                                     dt_tensor *const *self,
                                                     int self_count,
                                                     dt_tensor *const *tensor1,
                                                     int tensor1_count,
                                                     dt_tensor *const *tensor2,
                                                     int tensor2_count,
                                                     const dt_number *scalars,
                                                     int scalars_count,
                                                     dt_tensor **results,
                                                     int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = tensor1_count, .as.tensors = tensor1},
        {.kind = DT_ARG_TENSORS, .count = tensor2_count, .as.tensors = tensor2},
        {.kind = DT_ARG_NUMBERS, .count = scalars_count, .as.numbers = scalars},
    };
    return dti_op_call_many(OP_FOREACH_ADDCMUL_SCALARS, variant, arguments, 4, results,
                            room, count);
}

dt_status dt_foreach_addcmul_scalars(dt_tensor *const *self, int self_count,
                                     dt_tensor *const *tensor1,
                                     int tensor1_count,
                                     dt_tensor *const *tensor2,
                                     int tensor2_count,
                                     const dt_number *scalars,
                                     int scalars_count, dt_tensor **results,
                                     int room, int *count)
{
    return call_foreach_addcmul_scalars(DT_VARIANT_NEW, self, self_count,
                                        tensor1, tensor1_count, tensor2,
                                        tensor2_count, scalars, scalars_count,
                                        results, room, count);
}

dt_status dt_foreach_addcmul_scalars_(dt_tensor *const *self, int self_count,
                                      dt_tensor *const *tensor1,
                                      int tensor1_count,
                                      dt_tensor *const *tensor2,
                                      int tensor2_count,
                                      const dt_number *scalars,
                                      int scalars_count)
{
    return call_foreach_addcmul_scalars(DT_VARIANT_IN_PLACE, self, self_count,
                                        tensor1, tensor1_count, tensor2,
                                        tensor2_count, scalars, scalars_count,
                                        NULL, 0, NULL);
}

static inline dt_status call_foreach_addcdiv(dt_variant variant,
                                             dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *tensor1,
                                             int tensor1_count,
                                             dt_tensor *const *tensor2,
                                             int tensor2_count, dt_number value,
                                             dt_tensor **results, int room,
                                             int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = tensor1_count, .as.tensors = tensor1},
        {.kind = DT_ARG_TENSORS, .count = tensor2_count, .as.tensors = tensor2},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_many(OP_FOREACH_ADDCDIV, variant, arguments, 4, results,
                            room, count);
}

dt_status dt_foreach_addcdiv(dt_tensor *const *self, int self_count,
                             dt_tensor *const *tensor1, int tensor1_count,
                             dt_tensor *const *tensor2, int tensor2_count,
                             dt_tensor **results, int room, int *count)
{
    return call_foreach_addcdiv(DT_VARIANT_NEW, self, self_count, tensor1,
                                tensor1_count, tensor2, tensor2_count,
                                (dt_number){DT_KIND_SIGNED, {1}, 0},
                                results, room, count);
}

dt_status dt_foreach_addcdiv_with(dt_tensor *const *self, int self_count,
                                  dt_tensor *const *tensor1, int tensor1_count,
                                  dt_tensor *const *tensor2, int tensor2_count,
                                  const dt_foreach_addcdiv_options *options,
                                  dt_tensor **results, int room, int *count)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_ADDCDIV_OPTIONS_INIT");
    return call_foreach_addcdiv(DT_VARIANT_NEW, self, self_count, tensor1,
                                tensor1_count, tensor2, tensor2_count,
                                options->value, results, room, count);
}

dt_status dt_foreach_addcdiv_(dt_tensor *const *self, int self_count,
                              dt_tensor *const *tensor1, int tensor1_count,
                              dt_tensor *const *tensor2, int tensor2_count)
{
    return call_foreach_addcdiv(DT_VARIANT_IN_PLACE, self, self_count, tensor1,
                                tensor1_count, tensor2, tensor2_count,
                                (dt_number){DT_KIND_SIGNED, {1}, 0},
                                NULL, 0, NULL);
}

dt_status dt_foreach_addcdiv_with_(dt_tensor *const *self, int self_count,
                                   dt_tensor *const *tensor1, int tensor1_count,
                                   dt_tensor *const *tensor2, int tensor2_count,
                                   const dt_foreach_addcdiv_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_ADDCDIV_OPTIONS_INIT");
    return call_foreach_addcdiv(DT_VARIANT_IN_PLACE, self, self_count, tensor1,
                                tensor1_count, tensor2, tensor2_count,
                                options->value, NULL, 0, NULL);
}

static inline dt_status call_foreach_addcdiv_scalars(dt_variant variant,
                                                     dt_tensor *const *self,
                                                     int self_count,
                                                     dt_tensor *const *tensor1,
                                                     int tensor1_count,
                                                     dt_tensor *const *tensor2,
                                                     int tensor2_count,
                                                     const dt_number *scalars,
                                                     int scalars_count,
                                                     dt_tensor **results,
                                                     int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = tensor1_count, .as.tensors = tensor1},
        {.kind = DT_ARG_TENSORS, .count = tensor2_count, .as.tensors = tensor2},
        {.kind = DT_ARG_NUMBERS, .count = scalars_count, .as.numbers = scalars},
    };
    return dti_op_call_many(OP_FOREACH_ADDCDIV_SCALARS, variant, arguments, 4, results,
                            room, count);
}

dt_status dt_foreach_addcdiv_scalars(dt_tensor *const *self, int self_count,
                                     dt_tensor *const *tensor1,
                                     int tensor1_count,
                                     dt_tensor *const *tensor2,
                                     int tensor2_count,
                                     const dt_number *scalars,
                                     int scalars_count, dt_tensor **results,
                                     int room, int *count)
{
    return call_foreach_addcdiv_scalars(DT_VARIANT_NEW, self, self_count,
                                        tensor1, tensor1_count, tensor2,
                                        tensor2_count, scalars, scalars_count,
                                        results, room, count);
}

dt_status dt_foreach_addcdiv_scalars_(dt_tensor *const *self, int self_count,
                                      dt_tensor *const *tensor1,
                                      int tensor1_count,
                                      dt_tensor *const *tensor2,
                                      int tensor2_count,
                                      const dt_number *scalars,
                                      int scalars_count)
{
    return call_foreach_addcdiv_scalars(DT_VARIANT_IN_PLACE, self, self_count,
                                        tensor1, tensor1_count, tensor2,
                                        tensor2_count, scalars, scalars_count,
                                        NULL, 0, NULL);
}

static inline dt_status call_foreach_lerp(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count,
                                          dt_tensor *const *tensors1,
                                          int tensors1_count,
                                          dt_tensor *const *weights,
                                          int weights_count,
                                          dt_tensor **results, int room,
                                          int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = tensors1_count,
         .as.tensors = tensors1},
        {.kind = DT_ARG_TENSORS, .count = weights_count, .as.tensors = weights},
    };
    return dti_op_call_many(OP_FOREACH_LERP, variant, arguments, 3, results,
                            room, count);
}

dt_status dt_foreach_lerp(dt_tensor *const *self, int self_count,
                          dt_tensor *const *tensors1, int tensors1_count,
                          dt_tensor *const *weights, int weights_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_lerp(DT_VARIANT_NEW, self, self_count, tensors1,
                             tensors1_count, weights, weights_count,
                             results, room, count);
}

dt_status dt_foreach_lerp_(dt_tensor *const *self, int self_count,
                           dt_tensor *const *tensors1, int tensors1_count,
                           dt_tensor *const *weights, int weights_count)
{
    return call_foreach_lerp(DT_VARIANT_IN_PLACE, self, self_count, tensors1,
                             tensors1_count, weights, weights_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_lerp_scalar(dt_variant variant,
                                                 dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *tensors1,
                                                 int tensors1_count,
                                                 dt_number weight,
                                                 dt_tensor **results, int room,
                                                 int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = tensors1_count,
         .as.tensors = tensors1},
        {.kind = DT_ARG_NUMBER, .as.number = weight},
    };
    return dti_op_call_many(OP_FOREACH_LERP_SCALAR, variant, arguments, 3, results,
                            room, count);
}

dt_status dt_foreach_lerp_scalar(dt_tensor *const *self, int self_count,
                                 dt_tensor *const *tensors1, int tensors1_count,
                                 dt_number weight, dt_tensor **results,
                                 int room, int *count)
{
    return call_foreach_lerp_scalar(DT_VARIANT_NEW, self, self_count, tensors1,
                                    tensors1_count, weight,
                                    results, room, count);
}

dt_status dt_foreach_lerp_scalar_(dt_tensor *const *self, int self_count,
                                  dt_tensor *const *tensors1,
                                  int tensors1_count, dt_number weight)
{
    return call_foreach_lerp_scalar(DT_VARIANT_IN_PLACE, self, self_count,
                                    tensors1, tensors1_count, weight,
                                    NULL, 0, NULL);
}

static inline dt_status call_foreach_lerp_scalars(dt_variant variant,
                                                  dt_tensor *const *self,
                                                  int self_count,
                                                  dt_tensor *const *tensors1,
                                                  int tensors1_count,
                                                  const dt_number *weight,
                                                  int weight_count,
                                                  dt_tensor **results, int room,
                                                  int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = tensors1_count,
         .as.tensors = tensors1},
        {.kind = DT_ARG_NUMBERS, .count = weight_count, .as.numbers = weight},
    };
    return dti_op_call_many(OP_FOREACH_LERP_SCALARS, variant, arguments, 3, results,
                            room, count);
}

dt_status dt_foreach_lerp_scalars(dt_tensor *const *self, int self_count,
                                  dt_tensor *const *tensors1,
                                  int tensors1_count, const dt_number *weight,
                                  int weight_count, dt_tensor **results,
                                  int room, int *count)
{
    return call_foreach_lerp_scalars(DT_VARIANT_NEW, self, self_count, tensors1,
                                     tensors1_count, weight, weight_count,
                                     results, room, count);
}

dt_status dt_foreach_lerp_scalars_(dt_tensor *const *self, int self_count,
                                   dt_tensor *const *tensors1,
                                   int tensors1_count, const dt_number *weight,
                                   int weight_count)
{
    return call_foreach_lerp_scalars(DT_VARIANT_IN_PLACE, self, self_count,
                                     tensors1, tensors1_count, weight,
                                     weight_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_copy(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor *const *src,
                                          int src_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = src_count, .as.tensors = src},
    };
    return dti_op_call_many(OP_FOREACH_COPY, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_foreach_copy(dt_tensor *const *self, int self_count,
                          dt_tensor *const *src, int src_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_copy(DT_VARIANT_NEW, self, self_count, src, src_count,
                             results, room, count);
}

dt_status dt_foreach_copy_(dt_tensor *const *self, int self_count,
                           dt_tensor *const *src, int src_count)
{
    return call_foreach_copy(DT_VARIANT_IN_PLACE, self, self_count, src,
                             src_count, NULL, 0, NULL);
}

static inline dt_status call_foreach_zero(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_ZERO, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_zero(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_zero(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_zero_(dt_tensor *const *self, int self_count)
{
    return call_foreach_zero(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_neg(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_NEG, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_neg(dt_tensor *const *self, int self_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_neg(DT_VARIANT_NEW, self, self_count,
                            results, room, count);
}

dt_status dt_foreach_neg_(dt_tensor *const *self, int self_count)
{
    return call_foreach_neg(DT_VARIANT_IN_PLACE, self, self_count,
                            NULL, 0, NULL);
}

static inline dt_status call_foreach_abs(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_ABS, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_abs(dt_tensor *const *self, int self_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_abs(DT_VARIANT_NEW, self, self_count,
                            results, room, count);
}

dt_status dt_foreach_abs_(dt_tensor *const *self, int self_count)
{
    return call_foreach_abs(DT_VARIANT_IN_PLACE, self, self_count,
                            NULL, 0, NULL);
}

static inline dt_status call_foreach_sqrt(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_SQRT, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_sqrt(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_sqrt(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_sqrt_(dt_tensor *const *self, int self_count)
{
    return call_foreach_sqrt(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_rsqrt(dt_variant variant,
                                           dt_tensor *const *self,
                                           int self_count, dt_tensor **results,
                                           int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_RSQRT, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_rsqrt(dt_tensor *const *self, int self_count,
                           dt_tensor **results, int room, int *count)
{
    return call_foreach_rsqrt(DT_VARIANT_NEW, self, self_count,
                              results, room, count);
}

dt_status dt_foreach_rsqrt_(dt_tensor *const *self, int self_count)
{
    return call_foreach_rsqrt(DT_VARIANT_IN_PLACE, self, self_count,
                              NULL, 0, NULL);
}

static inline dt_status call_foreach_reciprocal(dt_variant variant,
                                                dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor **results, int room,
                                                int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_RECIPROCAL, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_reciprocal(dt_tensor *const *self, int self_count,
                                dt_tensor **results, int room, int *count)
{
    return call_foreach_reciprocal(DT_VARIANT_NEW, self, self_count,
                                   results, room, count);
}

dt_status dt_foreach_reciprocal_(dt_tensor *const *self, int self_count)
{
    return call_foreach_reciprocal(DT_VARIANT_IN_PLACE, self, self_count,
                                   NULL, 0, NULL);
}

static inline dt_status call_foreach_exp(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_EXP, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_exp(dt_tensor *const *self, int self_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_exp(DT_VARIANT_NEW, self, self_count,
                            results, room, count);
}

dt_status dt_foreach_exp_(dt_tensor *const *self, int self_count)
{
    return call_foreach_exp(DT_VARIANT_IN_PLACE, self, self_count,
                            NULL, 0, NULL);
}

static inline dt_status call_foreach_log(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_LOG, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_log(dt_tensor *const *self, int self_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_log(DT_VARIANT_NEW, self, self_count,
                            results, room, count);
}

dt_status dt_foreach_log_(dt_tensor *const *self, int self_count)
{
    return call_foreach_log(DT_VARIANT_IN_PLACE, self, self_count,
                            NULL, 0, NULL);
}

static inline dt_status call_foreach_tanh(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_TANH, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_tanh(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_tanh(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_tanh_(dt_tensor *const *self, int self_count)
{
    return call_foreach_tanh(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_sigmoid(dt_variant variant,
                                             dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int room,
                                             int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_SIGMOID, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_sigmoid(dt_tensor *const *self, int self_count,
                             dt_tensor **results, int room, int *count)
{
    return call_foreach_sigmoid(DT_VARIANT_NEW, self, self_count,
                                results, room, count);
}

dt_status dt_foreach_sigmoid_(dt_tensor *const *self, int self_count)
{
    return call_foreach_sigmoid(DT_VARIANT_IN_PLACE, self, self_count,
                                NULL, 0, NULL);
}

static inline dt_status call_foreach_sign(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_SIGN, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_sign(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_sign(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_sign_(dt_tensor *const *self, int self_count)
{
    return call_foreach_sign(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_floor(dt_variant variant,
                                           dt_tensor *const *self,
                                           int self_count, dt_tensor **results,
                                           int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_FLOOR, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_floor(dt_tensor *const *self, int self_count,
                           dt_tensor **results, int room, int *count)
{
    return call_foreach_floor(DT_VARIANT_NEW, self, self_count,
                              results, room, count);
}

dt_status dt_foreach_floor_(dt_tensor *const *self, int self_count)
{
    return call_foreach_floor(DT_VARIANT_IN_PLACE, self, self_count,
                              NULL, 0, NULL);
}

static inline dt_status call_foreach_ceil(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_CEIL, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_ceil(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_ceil(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_ceil_(dt_tensor *const *self, int self_count)
{
    return call_foreach_ceil(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_round(dt_variant variant,
                                           dt_tensor *const *self,
                                           int self_count, dt_tensor **results,
                                           int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_ROUND, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_round(dt_tensor *const *self, int self_count,
                           dt_tensor **results, int room, int *count)
{
    return call_foreach_round(DT_VARIANT_NEW, self, self_count,
                              results, room, count);
}

dt_status dt_foreach_round_(dt_tensor *const *self, int self_count)
{
    return call_foreach_round(DT_VARIANT_IN_PLACE, self, self_count,
                              NULL, 0, NULL);
}

static inline dt_status call_foreach_trunc(dt_variant variant,
                                           dt_tensor *const *self,
                                           int self_count, dt_tensor **results,
                                           int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_TRUNC, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_trunc(dt_tensor *const *self, int self_count,
                           dt_tensor **results, int room, int *count)
{
    return call_foreach_trunc(DT_VARIANT_NEW, self, self_count,
                              results, room, count);
}

dt_status dt_foreach_trunc_(dt_tensor *const *self, int self_count)
{
    return call_foreach_trunc(DT_VARIANT_IN_PLACE, self, self_count,
                              NULL, 0, NULL);
}

static inline dt_status call_foreach_frac(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_FRAC, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_frac(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_frac(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_frac_(dt_tensor *const *self, int self_count)
{
    return call_foreach_frac(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_expm1(dt_variant variant,
                                           dt_tensor *const *self,
                                           int self_count, dt_tensor **results,
                                           int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_EXPM1, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_expm1(dt_tensor *const *self, int self_count,
                           dt_tensor **results, int room, int *count)
{
    return call_foreach_expm1(DT_VARIANT_NEW, self, self_count,
                              results, room, count);
}

dt_status dt_foreach_expm1_(dt_tensor *const *self, int self_count)
{
    return call_foreach_expm1(DT_VARIANT_IN_PLACE, self, self_count,
                              NULL, 0, NULL);
}

static inline dt_status call_foreach_log1p(dt_variant variant,
                                           dt_tensor *const *self,
                                           int self_count, dt_tensor **results,
                                           int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_LOG1P, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_log1p(dt_tensor *const *self, int self_count,
                           dt_tensor **results, int room, int *count)
{
    return call_foreach_log1p(DT_VARIANT_NEW, self, self_count,
                              results, room, count);
}

dt_status dt_foreach_log1p_(dt_tensor *const *self, int self_count)
{
    return call_foreach_log1p(DT_VARIANT_IN_PLACE, self, self_count,
                              NULL, 0, NULL);
}

static inline dt_status call_foreach_log2(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_LOG2, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_log2(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_log2(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_log2_(dt_tensor *const *self, int self_count)
{
    return call_foreach_log2(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_log10(dt_variant variant,
                                           dt_tensor *const *self,
                                           int self_count, dt_tensor **results,
                                           int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_LOG10, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_log10(dt_tensor *const *self, int self_count,
                           dt_tensor **results, int room, int *count)
{
    return call_foreach_log10(DT_VARIANT_NEW, self, self_count,
                              results, room, count);
}

dt_status dt_foreach_log10_(dt_tensor *const *self, int self_count)
{
    return call_foreach_log10(DT_VARIANT_IN_PLACE, self, self_count,
                              NULL, 0, NULL);
}

static inline dt_status call_foreach_sin(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_SIN, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_sin(dt_tensor *const *self, int self_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_sin(DT_VARIANT_NEW, self, self_count,
                            results, room, count);
}

dt_status dt_foreach_sin_(dt_tensor *const *self, int self_count)
{
    return call_foreach_sin(DT_VARIANT_IN_PLACE, self, self_count,
                            NULL, 0, NULL);
}

static inline dt_status call_foreach_cos(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_COS, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_cos(dt_tensor *const *self, int self_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_cos(DT_VARIANT_NEW, self, self_count,
                            results, room, count);
}

dt_status dt_foreach_cos_(dt_tensor *const *self, int self_count)
{
    return call_foreach_cos(DT_VARIANT_IN_PLACE, self, self_count,
                            NULL, 0, NULL);
}

static inline dt_status call_foreach_tan(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_TAN, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_tan(dt_tensor *const *self, int self_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_tan(DT_VARIANT_NEW, self, self_count,
                            results, room, count);
}

dt_status dt_foreach_tan_(dt_tensor *const *self, int self_count)
{
    return call_foreach_tan(DT_VARIANT_IN_PLACE, self, self_count,
                            NULL, 0, NULL);
}

static inline dt_status call_foreach_asin(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_ASIN, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_asin(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_asin(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_asin_(dt_tensor *const *self, int self_count)
{
    return call_foreach_asin(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_acos(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_ACOS, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_acos(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_acos(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_acos_(dt_tensor *const *self, int self_count)
{
    return call_foreach_acos(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_atan(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_ATAN, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_atan(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_atan(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_atan_(dt_tensor *const *self, int self_count)
{
    return call_foreach_atan(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_sinh(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_SINH, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_sinh(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_sinh(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_sinh_(dt_tensor *const *self, int self_count)
{
    return call_foreach_sinh(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_cosh(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_COSH, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_cosh(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_cosh(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_cosh_(dt_tensor *const *self, int self_count)
{
    return call_foreach_cosh(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_foreach_erf(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_ERF, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_erf(dt_tensor *const *self, int self_count,
                         dt_tensor **results, int room, int *count)
{
    return call_foreach_erf(DT_VARIANT_NEW, self, self_count,
                            results, room, count);
}

dt_status dt_foreach_erf_(dt_tensor *const *self, int self_count)
{
    return call_foreach_erf(DT_VARIANT_IN_PLACE, self, self_count,
                            NULL, 0, NULL);
}

static inline dt_status call_foreach_erfc(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, dt_tensor **results,
                                          int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
    };
    return dti_op_call_many(OP_FOREACH_ERFC, variant, arguments, 1, results,
                            room, count);
}

dt_status dt_foreach_erfc(dt_tensor *const *self, int self_count,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_erfc(DT_VARIANT_NEW, self, self_count,
                             results, room, count);
}

dt_status dt_foreach_erfc_(dt_tensor *const *self, int self_count)
{
    return call_foreach_erfc(DT_VARIANT_IN_PLACE, self, self_count,
                             NULL, 0, NULL);
}

static inline dt_status call_fused_adam(dt_variant variant,
                                        dt_tensor *const *self, int self_count,
                                        dt_tensor *const *grads,
                                        int grads_count,
                                        dt_tensor *const *exp_avgs,
                                        int exp_avgs_count,
                                        dt_tensor *const *exp_avg_sqs,
                                        int exp_avg_sqs_count,
                                        dt_tensor *const *max_exp_avg_sqs,
                                        int max_exp_avg_sqs_count,
                                        dt_tensor *const *state_steps,
                                        int state_steps_count, double lr,
                                        double beta1, double beta2,
                                        double weight_decay, double eps,
                                        bool amsgrad, bool maximize,
                                        dt_tensor *tensor_lr,
                                        dt_tensor *grad_scale,
                                        dt_tensor *found_inf)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = grads_count, .as.tensors = grads},
        {.kind = DT_ARG_TENSORS, .count = exp_avgs_count,
         .as.tensors = exp_avgs},
        {.kind = DT_ARG_TENSORS, .count = exp_avg_sqs_count,
         .as.tensors = exp_avg_sqs},
        {.kind = DT_ARG_TENSORS, .count = max_exp_avg_sqs_count,
         .as.tensors = max_exp_avg_sqs},
        {.kind = DT_ARG_TENSORS, .count = state_steps_count,
         .as.tensors = state_steps},
        {.kind = DT_ARG_REAL, .as.real = lr},
        {.kind = DT_ARG_REAL, .as.real = beta1},
        {.kind = DT_ARG_REAL, .as.real = beta2},
        {.kind = DT_ARG_REAL, .as.real = weight_decay},
        {.kind = DT_ARG_REAL, .as.real = eps},
        {.kind = DT_ARG_INTEGER, .as.integer = amsgrad},
        {.kind = DT_ARG_INTEGER, .as.integer = maximize},
        {.kind = tensor_lr ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = tensor_lr},
        {.kind = grad_scale ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = grad_scale},
        {.kind = found_inf ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = found_inf},
    };
    return dti_op_call_many(OP_FUSED_ADAM, variant, arguments, 16, NULL, 0,
                            NULL);
}

dt_status dt_fused_adam_(dt_tensor *const *self, int self_count,
                         dt_tensor *const *grads, int grads_count,
                         dt_tensor *const *exp_avgs, int exp_avgs_count,
                         dt_tensor *const *exp_avg_sqs, int exp_avg_sqs_count,
                         dt_tensor *const *max_exp_avg_sqs,
                         int max_exp_avg_sqs_count,
                         dt_tensor *const *state_steps,
                         int state_steps_count)
{
    return call_fused_adam(DT_VARIANT_IN_PLACE, self, self_count, grads,
                           grads_count, exp_avgs, exp_avgs_count, exp_avg_sqs,
                           exp_avg_sqs_count, max_exp_avg_sqs,
                           max_exp_avg_sqs_count, state_steps,
                           state_steps_count, 0.001, 0.9, 0.999, 0, 1e-08,
                           false, false, 0, 0, 0);
}

dt_status dt_fused_adam_with_(dt_tensor *const *self, int self_count,
                              dt_tensor *const *grads, int grads_count,
                              dt_tensor *const *exp_avgs, int exp_avgs_count,
                              dt_tensor *const *exp_avg_sqs,
                              int exp_avg_sqs_count,
                              dt_tensor *const *max_exp_avg_sqs,
                              int max_exp_avg_sqs_count,
                              dt_tensor *const *state_steps,
                              int state_steps_count,
                              const dt_fused_adam_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FUSED_ADAM_OPTIONS_INIT");
    return call_fused_adam(DT_VARIANT_IN_PLACE, self, self_count, grads,
                           grads_count, exp_avgs, exp_avgs_count, exp_avg_sqs,
                           exp_avg_sqs_count, max_exp_avg_sqs,
                           max_exp_avg_sqs_count, state_steps,
                           state_steps_count, options->lr, options->beta1,
                           options->beta2, options->weight_decay, options->eps,
                           options->amsgrad, options->maximize,
                           options->tensor_lr, options->grad_scale,
                           options->found_inf);
}

static inline dt_status call_fused_adamw(dt_variant variant,
                                         dt_tensor *const *self, int self_count,
                                         dt_tensor *const *grads,
                                         int grads_count,
                                         dt_tensor *const *exp_avgs,
                                         int exp_avgs_count,
                                         dt_tensor *const *exp_avg_sqs,
                                         int exp_avg_sqs_count,
                                         dt_tensor *const *max_exp_avg_sqs,
                                         int max_exp_avg_sqs_count,
                                         dt_tensor *const *state_steps,
                                         int state_steps_count, double lr,
                                         double beta1, double beta2,
                                         double weight_decay, double eps,
                                         bool amsgrad, bool maximize,
                                         dt_tensor *tensor_lr,
                                         dt_tensor *grad_scale,
                                         dt_tensor *found_inf)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = grads_count, .as.tensors = grads},
        {.kind = DT_ARG_TENSORS, .count = exp_avgs_count,
         .as.tensors = exp_avgs},
        {.kind = DT_ARG_TENSORS, .count = exp_avg_sqs_count,
         .as.tensors = exp_avg_sqs},
        {.kind = DT_ARG_TENSORS, .count = max_exp_avg_sqs_count,
         .as.tensors = max_exp_avg_sqs},
        {.kind = DT_ARG_TENSORS, .count = state_steps_count,
         .as.tensors = state_steps},
        {.kind = DT_ARG_REAL, .as.real = lr},
        {.kind = DT_ARG_REAL, .as.real = beta1},
        {.kind = DT_ARG_REAL, .as.real = beta2},
        {.kind = DT_ARG_REAL, .as.real = weight_decay},
        {.kind = DT_ARG_REAL, .as.real = eps},
        {.kind = DT_ARG_INTEGER, .as.integer = amsgrad},
        {.kind = DT_ARG_INTEGER, .as.integer = maximize},
        {.kind = tensor_lr ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = tensor_lr},
        {.kind = grad_scale ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = grad_scale},
        {.kind = found_inf ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = found_inf},
    };
    return dti_op_call_many(OP_FUSED_ADAMW, variant, arguments, 16, NULL, 0,
                            NULL);
}

dt_status dt_fused_adamw_(dt_tensor *const *self, int self_count,
                          dt_tensor *const *grads, int grads_count,
                          dt_tensor *const *exp_avgs, int exp_avgs_count,
                          dt_tensor *const *exp_avg_sqs, int exp_avg_sqs_count,
                          dt_tensor *const *max_exp_avg_sqs,
                          int max_exp_avg_sqs_count,
                          dt_tensor *const *state_steps,
                          int state_steps_count)
{
    return call_fused_adamw(DT_VARIANT_IN_PLACE, self, self_count, grads,
                            grads_count, exp_avgs, exp_avgs_count, exp_avg_sqs,
                            exp_avg_sqs_count, max_exp_avg_sqs,
                            max_exp_avg_sqs_count, state_steps,
                            state_steps_count, 0.001, 0.9, 0.999, 0.01, 1e-08,
                            false, false, 0, 0, 0);
}

dt_status dt_fused_adamw_with_(dt_tensor *const *self, int self_count,
                               dt_tensor *const *grads, int grads_count,
                               dt_tensor *const *exp_avgs, int exp_avgs_count,
                               dt_tensor *const *exp_avg_sqs,
                               int exp_avg_sqs_count,
                               dt_tensor *const *max_exp_avg_sqs,
                               int max_exp_avg_sqs_count,
                               dt_tensor *const *state_steps,
                               int state_steps_count,
                               const dt_fused_adamw_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FUSED_ADAMW_OPTIONS_INIT");
    return call_fused_adamw(DT_VARIANT_IN_PLACE, self, self_count, grads,
                            grads_count, exp_avgs, exp_avgs_count, exp_avg_sqs,
                            exp_avg_sqs_count, max_exp_avg_sqs,
                            max_exp_avg_sqs_count, state_steps,
                            state_steps_count, options->lr, options->beta1,
                            options->beta2, options->weight_decay, options->eps,
                            options->amsgrad, options->maximize,
                            options->tensor_lr, options->grad_scale,
                            options->found_inf);
}

static inline dt_status call_fused_sgd(dt_variant variant,
                                       dt_tensor *const *self, int self_count,
                                       dt_tensor *const *grads, int grads_count,
                                       dt_tensor *const *momentum_buffer_list,
                                       int momentum_buffer_list_count,
                                       double weight_decay, double momentum,
                                       double lr, double dampening,
                                       bool nesterov, bool maximize,
                                       bool is_first_step, dt_tensor *tensor_lr,
                                       dt_tensor *grad_scale,
                                       dt_tensor *found_inf)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_TENSORS, .count = grads_count, .as.tensors = grads},
        {.kind = DT_ARG_TENSORS, .count = momentum_buffer_list_count,
         .as.tensors = momentum_buffer_list},
        {.kind = DT_ARG_REAL, .as.real = weight_decay},
        {.kind = DT_ARG_REAL, .as.real = momentum},
        {.kind = DT_ARG_REAL, .as.real = lr},
        {.kind = DT_ARG_REAL, .as.real = dampening},
        {.kind = DT_ARG_INTEGER, .as.integer = nesterov},
        {.kind = DT_ARG_INTEGER, .as.integer = maximize},
        {.kind = DT_ARG_INTEGER, .as.integer = is_first_step},
        {.kind = tensor_lr ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = tensor_lr},
        {.kind = grad_scale ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = grad_scale},
        {.kind = found_inf ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = found_inf},
    };
    return dti_op_call_many(OP_FUSED_SGD, variant, arguments, 13, NULL, 0,
                            NULL);
}

dt_status dt_fused_sgd_(dt_tensor *const *self, int self_count,
                        dt_tensor *const *grads, int grads_count,
                        dt_tensor *const *momentum_buffer_list,
                        int momentum_buffer_list_count)
{
    return call_fused_sgd(DT_VARIANT_IN_PLACE, self, self_count, grads,
                          grads_count, momentum_buffer_list,
                          momentum_buffer_list_count, 0, 0, 0.001, 0, false,
                          false, false, 0, 0, 0);
}

dt_status dt_fused_sgd_with_(dt_tensor *const *self, int self_count,
                             dt_tensor *const *grads, int grads_count,
                             dt_tensor *const *momentum_buffer_list,
                             int momentum_buffer_list_count,
                             const dt_fused_sgd_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FUSED_SGD_OPTIONS_INIT");
    return call_fused_sgd(DT_VARIANT_IN_PLACE, self, self_count, grads,
                          grads_count, momentum_buffer_list,
                          momentum_buffer_list_count, options->weight_decay,
                          options->momentum, options->lr, options->dampening,
                          options->nesterov, options->maximize,
                          options->is_first_step, options->tensor_lr,
                          options->grad_scale, options->found_inf);
}

static inline dt_tensor *call_gather(dt_variant variant, dt_tensor *self,
                                     int dim, dt_tensor *index,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
    };
    return dti_op_call_one(OP_GATHER, variant, arguments, 3, out);
}

dt_tensor *dt_gather(dt_tensor *self, int dim, dt_tensor *index)
{
    return call_gather(DT_VARIANT_NEW, self, dim, index, NULL);
}

dt_tensor *dt_gather_out(dt_tensor *self, int dim, dt_tensor *index,
                         dt_tensor *out)
{
    return call_gather(DT_VARIANT_OUT, self, dim, index, out);
}

static inline dt_tensor *call_index_select(dt_variant variant, dt_tensor *self,
                                           int dim, dt_tensor *index,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
    };
    return dti_op_call_one(OP_INDEX_SELECT, variant, arguments, 3, out);
}

dt_tensor *dt_index_select(dt_tensor *self, int dim, dt_tensor *index)
{
    return call_index_select(DT_VARIANT_NEW, self, dim, index, NULL);
}

dt_tensor *dt_index_select_out(dt_tensor *self, int dim, dt_tensor *index,
                               dt_tensor *out)
{
    return call_index_select(DT_VARIANT_OUT, self, dim, index, out);
}

static inline dt_tensor *call_one_hot(dt_variant variant, dt_tensor *self,
                                      int64_t num_classes, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = num_classes},
    };
    return dti_op_call_one(OP_ONE_HOT, variant, arguments, 2, out);
}

dt_tensor *dt_one_hot(dt_tensor *self, int64_t num_classes)
{
    return call_one_hot(DT_VARIANT_NEW, self, num_classes, NULL);
}

static inline dt_tensor *call_take_along_dim(dt_variant variant,
                                             dt_tensor *self,
                                             dt_tensor *indices, int dim,
                                             dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = indices},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_TAKE_ALONG_DIM, variant, arguments, 3, out);
}

dt_tensor *dt_take_along_dim(dt_tensor *self, dt_tensor *indices, int dim)
{
    return call_take_along_dim(DT_VARIANT_NEW, self, indices, dim, NULL);
}

static inline dt_tensor *call_take(dt_variant variant, dt_tensor *self,
                                   dt_tensor *index, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
    };
    return dti_op_call_one(OP_TAKE, variant, arguments, 2, out);
}

dt_tensor *dt_take(dt_tensor *self, dt_tensor *index)
{
    return call_take(DT_VARIANT_NEW, self, index, NULL);
}

static inline dt_tensor *call_put(dt_variant variant, dt_tensor *self,
                                  dt_tensor *index, dt_tensor *source,
                                  bool accumulate, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = source},
        {.kind = DT_ARG_INTEGER, .as.integer = accumulate},
    };
    return dti_op_call_one(OP_PUT, variant, arguments, 4, out);
}

dt_tensor *dt_put(dt_tensor *self, dt_tensor *index, dt_tensor *source,
                  bool accumulate)
{
    return call_put(DT_VARIANT_NEW, self, index, source, accumulate, NULL);
}

static inline dt_tensor *call_glu(dt_variant variant, dt_tensor *self, int dim,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_GLU, variant, arguments, 2, out);
}

dt_tensor *dt_glu(dt_tensor *self)
{
    return call_glu(DT_VARIANT_NEW, self, -1, NULL);
}

dt_tensor *dt_glu_with(dt_tensor *self, const dt_glu_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_GLU_OPTIONS_INIT");
        return NULL;
    }
    return call_glu(DT_VARIANT_NEW, self, options->dim, NULL);
}

dt_tensor *dt_glu_out(dt_tensor *self, dt_tensor *out)
{
    return call_glu(DT_VARIANT_OUT, self, -1, out);
}

dt_tensor *dt_glu_with_out(dt_tensor *self, const dt_glu_options *options,
                           dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_GLU_OPTIONS_INIT");
        return NULL;
    }
    return call_glu(DT_VARIANT_OUT, self, options->dim, out);
}

static inline dt_tensor *call_glu_backward(dt_variant variant,
                                           dt_tensor *grad_output,
                                           dt_tensor *self, int dim,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_GLU_BACKWARD, variant, arguments, 3, out);
}

dt_tensor *dt_glu_backward(dt_tensor *grad_output, dt_tensor *self, int dim)
{
    return call_glu_backward(DT_VARIANT_NEW, grad_output, self, dim, NULL);
}

dt_tensor *dt_glu_backward_out(dt_tensor *grad_output, dt_tensor *self, int dim,
                               dt_tensor *out)
{
    return call_glu_backward(DT_VARIANT_OUT, grad_output, self, dim, out);
}

static inline dt_tensor *call_sum_to_size(dt_variant variant, dt_tensor *self,
                                          dt_shape size, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&size),
         .as.integers = list_of(&size)},
    };
    return dti_op_call_one(OP_SUM_TO_SIZE, variant, arguments, 2, out);
}

dt_tensor *dt_sum_to_size(dt_tensor *self, dt_shape size)
{
    return call_sum_to_size(DT_VARIANT_NEW, self, size, NULL);
}

static inline dt_tensor *call_value_selecting_reduction_backward(dt_variant variant,
                                                                 dt_tensor *grad,
                                                                 int dim,
                                                                 dt_tensor *indices,
                                                                 dt_shape sizes,
                                                                 bool keepdim,
                                                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = indices},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&sizes),
         .as.integers = list_of(&sizes)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_VALUE_SELECTING_REDUCTION_BACKWARD, variant, arguments, 5, out);
}

dt_tensor *dt_value_selecting_reduction_backward(dt_tensor *grad, int dim,
                                                 dt_tensor *indices,
                                                 dt_shape sizes,
                                                 bool keepdim)
{
    return call_value_selecting_reduction_backward(DT_VARIANT_NEW, grad, dim,
                                                   indices, sizes, keepdim,
                                                   NULL);
}

static inline dt_status call_group_norm(dt_variant variant, dt_tensor *input,
                                        dt_tensor *weight, dt_tensor *bias,
                                        int64_t n, int64_t c, int64_t hxw,
                                        int64_t group, double eps,
                                        dt_tensor **out, dt_tensor **mean,
                                        dt_tensor **rstd)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = bias ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = bias},
        {.kind = DT_ARG_INTEGER, .as.integer = n},
        {.kind = DT_ARG_INTEGER, .as.integer = c},
        {.kind = DT_ARG_INTEGER, .as.integer = hxw},
        {.kind = DT_ARG_INTEGER, .as.integer = group},
        {.kind = DT_ARG_REAL, .as.real = eps},
    };
    dt_tensor *results[3] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_GROUP_NORM, variant, arguments,
                                        8, results, 3, &count);
    if (status != DT_OK)
        return status;
    if (out)
        *out = results[0];
    if (mean)
        *mean = results[1];
    if (rstd)
        *rstd = results[2];
    return DT_OK;
}

dt_status dt_group_norm(dt_tensor *input, dt_tensor *weight, dt_tensor *bias,
                        int64_t n, int64_t c, int64_t hxw, int64_t group,
                        double eps, dt_tensor **out, dt_tensor **mean,
                        dt_tensor **rstd)
{
    return call_group_norm(DT_VARIANT_NEW, input, weight, bias, n, c, hxw,
                           group, eps, out, mean, rstd);
}

static inline dt_status call_group_norm_backward(dt_variant variant,
                                                 dt_tensor *grad_out,
                                                 dt_tensor *input,
                                                 dt_tensor *mean,
                                                 dt_tensor *rstd,
                                                 dt_tensor *weight, int64_t n,
                                                 int64_t c, int64_t hxw,
                                                 int64_t group,
                                                 const int64_t *output_mask,
                                                 int output_mask_count,
                                                 dt_tensor **grad_input,
                                                 dt_tensor **grad_weight,
                                                 dt_tensor **grad_bias)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_out},
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = DT_ARG_TENSOR, .as.tensor = mean},
        {.kind = DT_ARG_TENSOR, .as.tensor = rstd},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_INTEGER, .as.integer = n},
        {.kind = DT_ARG_INTEGER, .as.integer = c},
        {.kind = DT_ARG_INTEGER, .as.integer = hxw},
        {.kind = DT_ARG_INTEGER, .as.integer = group},
        {.kind = DT_ARG_INTEGERS, .count = output_mask_count,
         .as.integers = output_mask},
    };
    dt_tensor *results[3] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_GROUP_NORM_BACKWARD, variant, arguments,
                                        10, results, 3, &count);
    if (status != DT_OK)
        return status;
    if (grad_input)
        *grad_input = results[0];
    if (grad_weight)
        *grad_weight = results[1];
    if (grad_bias)
        *grad_bias = results[2];
    return DT_OK;
}

dt_status dt_group_norm_backward(dt_tensor *grad_out, dt_tensor *input,
                                 dt_tensor *mean, dt_tensor *rstd,
                                 dt_tensor *weight, int64_t n, int64_t c,
                                 int64_t hxw, int64_t group,
                                 const int64_t *output_mask,
                                 int output_mask_count, dt_tensor **grad_input,
                                 dt_tensor **grad_weight,
                                 dt_tensor **grad_bias)
{
    return call_group_norm_backward(DT_VARIANT_NEW, grad_out, input, mean, rstd,
                                    weight, n, c, hxw, group, output_mask,
                                    output_mask_count, grad_input, grad_weight,
                                    grad_bias);
}

static inline dt_tensor *call_histc(dt_variant variant, dt_tensor *self,
                                    int64_t bins, dt_number min, dt_number max,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = bins},
        {.kind = DT_ARG_NUMBER, .as.number = min},
        {.kind = DT_ARG_NUMBER, .as.number = max},
    };
    return dti_op_call_one(OP_HISTC, variant, arguments, 4, out);
}

dt_tensor *dt_histc(dt_tensor *self)
{
    return call_histc(DT_VARIANT_NEW, self, 100,
                      (dt_number){DT_KIND_SIGNED, {0}, 0},
                      (dt_number){DT_KIND_SIGNED, {0}, 0}, NULL);
}

dt_tensor *dt_histc_with(dt_tensor *self, const dt_histc_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_HISTC_OPTIONS_INIT");
        return NULL;
    }
    return call_histc(DT_VARIANT_NEW, self, options->bins, options->min,
                      options->max, NULL);
}

static inline dt_tensor *call_bincount(dt_variant variant, dt_tensor *self,
                                       dt_tensor *weights, int64_t minlength,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = weights ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weights},
        {.kind = DT_ARG_INTEGER, .as.integer = minlength},
    };
    return dti_op_call_one(OP_BINCOUNT, variant, arguments, 3, out);
}

dt_tensor *dt_bincount(dt_tensor *self, dt_tensor *weights)
{
    return call_bincount(DT_VARIANT_NEW, self, weights, 0, NULL);
}

dt_tensor *dt_bincount_with(dt_tensor *self, dt_tensor *weights,
                            const dt_bincount_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BINCOUNT_OPTIONS_INIT");
        return NULL;
    }
    return call_bincount(DT_VARIANT_NEW, self, weights, options->minlength,
                         NULL);
}

static inline dt_tensor *call_index(dt_variant variant, dt_tensor *self,
                                    dt_tensor *const *indices,
                                    int indices_count, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSORS, .count = indices_count, .as.tensors = indices},
    };
    return dti_op_call_one(OP_INDEX, variant, arguments, 2, out);
}

dt_tensor *dt_index(dt_tensor *self, dt_tensor *const *indices,
                    int indices_count)
{
    return call_index(DT_VARIANT_NEW, self, indices, indices_count, NULL);
}

dt_tensor *dt_index_out(dt_tensor *self, dt_tensor *const *indices,
                        int indices_count, dt_tensor *out)
{
    return call_index(DT_VARIANT_OUT, self, indices, indices_count, out);
}

static inline dt_tensor *call_index_put(dt_variant variant, dt_tensor *self,
                                        dt_tensor *values,
                                        dt_tensor *const *indices,
                                        int indices_count, bool accumulate,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = values},
        {.kind = DT_ARG_TENSORS, .count = indices_count, .as.tensors = indices},
        {.kind = DT_ARG_INTEGER, .as.integer = accumulate},
    };
    return dti_op_call_one(OP_INDEX_PUT, variant, arguments, 4, out);
}

dt_tensor *dt_index_put(dt_tensor *self, dt_tensor *values,
                        dt_tensor *const *indices, int indices_count,
                        bool accumulate)
{
    return call_index_put(DT_VARIANT_NEW, self, values, indices, indices_count,
                          accumulate, NULL);
}

dt_tensor *dt_index_put_(dt_tensor *self, dt_tensor *values,
                         dt_tensor *const *indices, int indices_count,
                         bool accumulate)
{
    return call_index_put(DT_VARIANT_IN_PLACE, self, values, indices,
                          indices_count, accumulate, NULL);
}

dt_tensor *dt_index_put_out(dt_tensor *self, dt_tensor *values,
                            dt_tensor *const *indices, int indices_count,
                            bool accumulate, dt_tensor *out)
{
    return call_index_put(DT_VARIANT_OUT, self, values, indices, indices_count,
                          accumulate, out);
}

static inline dt_tensor *call_index_add(dt_variant variant, dt_tensor *self,
                                        int dim, dt_tensor *index,
                                        dt_tensor *source, dt_number alpha,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = source},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_INDEX_ADD, variant, arguments, 5, out);
}

dt_tensor *dt_index_add(dt_tensor *self, int dim, dt_tensor *index,
                        dt_tensor *source)
{
    return call_index_add(DT_VARIANT_NEW, self, dim, index, source,
                          (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_index_add_with(dt_tensor *self, int dim, dt_tensor *index,
                             dt_tensor *source,
                             const dt_index_add_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_INDEX_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_index_add(DT_VARIANT_NEW, self, dim, index, source,
                          options->alpha, NULL);
}

dt_tensor *dt_index_add_(dt_tensor *self, int dim, dt_tensor *index,
                         dt_tensor *source)
{
    return call_index_add(DT_VARIANT_IN_PLACE, self, dim, index, source,
                          (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_index_add_with_(dt_tensor *self, int dim, dt_tensor *index,
                              dt_tensor *source,
                              const dt_index_add_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_INDEX_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_index_add(DT_VARIANT_IN_PLACE, self, dim, index, source,
                          options->alpha, NULL);
}

dt_tensor *dt_index_add_out(dt_tensor *self, int dim, dt_tensor *index,
                            dt_tensor *source, dt_tensor *out)
{
    return call_index_add(DT_VARIANT_OUT, self, dim, index, source,
                          (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_index_add_with_out(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *source,
                                 const dt_index_add_options *options,
                                 dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_INDEX_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_index_add(DT_VARIANT_OUT, self, dim, index, source,
                          options->alpha, out);
}

static inline dt_tensor *call_index_copy(dt_variant variant, dt_tensor *self,
                                         int dim, dt_tensor *index,
                                         dt_tensor *source, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = source},
    };
    return dti_op_call_one(OP_INDEX_COPY, variant, arguments, 4, out);
}

dt_tensor *dt_index_copy(dt_tensor *self, int dim, dt_tensor *index,
                         dt_tensor *source)
{
    return call_index_copy(DT_VARIANT_NEW, self, dim, index, source, NULL);
}

dt_tensor *dt_index_copy_(dt_tensor *self, int dim, dt_tensor *index,
                          dt_tensor *source)
{
    return call_index_copy(DT_VARIANT_IN_PLACE, self, dim, index, source,
                           NULL);
}

dt_tensor *dt_index_copy_out(dt_tensor *self, int dim, dt_tensor *index,
                             dt_tensor *source, dt_tensor *out)
{
    return call_index_copy(DT_VARIANT_OUT, self, dim, index, source, out);
}

static inline dt_tensor *call_index_fill_scalar(dt_variant variant,
                                                dt_tensor *self, int dim,
                                                dt_tensor *index,
                                                dt_number value,
                                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_INDEX_FILL_SCALAR, variant, arguments, 4, out);
}

dt_tensor *dt_index_fill_scalar(dt_tensor *self, int dim, dt_tensor *index,
                                dt_number value)
{
    return call_index_fill_scalar(DT_VARIANT_NEW, self, dim, index, value,
                                  NULL);
}

dt_tensor *dt_index_fill_scalar_(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_number value)
{
    return call_index_fill_scalar(DT_VARIANT_IN_PLACE, self, dim, index, value,
                                  NULL);
}

dt_tensor *dt_index_fill_scalar_out(dt_tensor *self, int dim, dt_tensor *index,
                                    dt_number value, dt_tensor *out)
{
    return call_index_fill_scalar(DT_VARIANT_OUT, self, dim, index, value,
                                  out);
}

static inline dt_tensor *call_index_fill(dt_variant variant, dt_tensor *self,
                                         int dim, dt_tensor *index,
                                         dt_tensor *value, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
    };
    return dti_op_call_one(OP_INDEX_FILL, variant, arguments, 4, out);
}

dt_tensor *dt_index_fill(dt_tensor *self, int dim, dt_tensor *index,
                         dt_tensor *value)
{
    return call_index_fill(DT_VARIANT_NEW, self, dim, index, value, NULL);
}

dt_tensor *dt_index_fill_(dt_tensor *self, int dim, dt_tensor *index,
                          dt_tensor *value)
{
    return call_index_fill(DT_VARIANT_IN_PLACE, self, dim, index, value,
                           NULL);
}

dt_tensor *dt_index_fill_out(dt_tensor *self, int dim, dt_tensor *index,
                             dt_tensor *value, dt_tensor *out)
{
    return call_index_fill(DT_VARIANT_OUT, self, dim, index, value, out);
}

static inline dt_tensor *call_cat(dt_variant variant, dt_tensor *const *tensors,
                                  int tensors_count, int dim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = tensors_count, .as.tensors = tensors},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_CAT, variant, arguments, 2, out);
}

dt_tensor *dt_cat(dt_tensor *const *tensors, int tensors_count, int dim)
{
    return call_cat(DT_VARIANT_NEW, tensors, tensors_count, dim, NULL);
}

dt_tensor *dt_cat_out(dt_tensor *const *tensors, int tensors_count, int dim,
                      dt_tensor *out)
{
    return call_cat(DT_VARIANT_OUT, tensors, tensors_count, dim, out);
}

static inline dt_tensor *call_stack(dt_variant variant,
                                    dt_tensor *const *tensors,
                                    int tensors_count, int dim,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = tensors_count, .as.tensors = tensors},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_STACK, variant, arguments, 2, out);
}

dt_tensor *dt_stack(dt_tensor *const *tensors, int tensors_count, int dim)
{
    return call_stack(DT_VARIANT_NEW, tensors, tensors_count, dim, NULL);
}

dt_tensor *dt_stack_out(dt_tensor *const *tensors, int tensors_count, int dim,
                        dt_tensor *out)
{
    return call_stack(DT_VARIANT_OUT, tensors, tensors_count, dim, out);
}

static inline dt_status call_split(dt_variant variant, dt_tensor *self,
                                   int64_t size, int dim, dt_tensor **results,
                                   int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = size},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_many(OP_SPLIT, variant, arguments, 3, results,
                            room, count);
}

dt_status dt_split(dt_tensor *self, int64_t size, int dim, dt_tensor **results,
                   int room, int *count)
{
    return call_split(DT_VARIANT_NEW, self, size, dim, results, room, count);
}

static inline dt_status call_split_sizes(dt_variant variant, dt_tensor *self,
                                         const int64_t *sizes, int sizes_count,
                                         int dim, dt_tensor **results, int room,
                                         int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = sizes_count, .as.integers = sizes},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_many(OP_SPLIT_SIZES, variant, arguments, 3, results,
                            room, count);
}

dt_status dt_split_sizes(dt_tensor *self, const int64_t *sizes, int sizes_count,
                         int dim, dt_tensor **results, int room, int *count)
{
    return call_split_sizes(DT_VARIANT_NEW, self, sizes, sizes_count, dim,
                            results, room, count);
}

static inline dt_status call_chunk(dt_variant variant, dt_tensor *self,
                                   int64_t pieces, int dim, dt_tensor **results,
                                   int room, int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = pieces},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_many(OP_CHUNK, variant, arguments, 3, results,
                            room, count);
}

dt_status dt_chunk(dt_tensor *self, int64_t pieces, int dim,
                   dt_tensor **results, int room, int *count)
{
    return call_chunk(DT_VARIANT_NEW, self, pieces, dim,
                      results, room, count);
}

static inline dt_status call_unbind(dt_variant variant, dt_tensor *self,
                                    int dim, dt_tensor **results, int room,
                                    int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_many(OP_UNBIND, variant, arguments, 2, results,
                            room, count);
}

dt_status dt_unbind(dt_tensor *self, int dim, dt_tensor **results, int room,
                    int *count)
{
    return call_unbind(DT_VARIANT_NEW, self, dim, results, room, count);
}

static inline dt_tensor *call_logsumexp(dt_variant variant, dt_tensor *self,
                                        dt_dims dims, bool keepdim,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_LOGSUMEXP, variant, arguments, 3, out);
}

dt_tensor *dt_logsumexp(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_logsumexp(DT_VARIANT_NEW, self, dims, keepdim, NULL);
}

dt_tensor *dt_logsumexp_out(dt_tensor *self, dt_dims dims, bool keepdim,
                            dt_tensor *out)
{
    return call_logsumexp(DT_VARIANT_OUT, self, dims, keepdim, out);
}

static inline dt_tensor *call_mse_loss(dt_variant variant, dt_tensor *self,
                                       dt_tensor *target, int64_t reduction,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
    };
    return dti_op_call_one(OP_MSE_LOSS, variant, arguments, 3, out);
}

dt_tensor *dt_mse_loss(dt_tensor *self, dt_tensor *target)
{
    return call_mse_loss(DT_VARIANT_NEW, self, target, 1, NULL);
}

dt_tensor *dt_mse_loss_with(dt_tensor *self, dt_tensor *target,
                            const dt_mse_loss_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_MSE_LOSS_OPTIONS_INIT");
        return NULL;
    }
    return call_mse_loss(DT_VARIANT_NEW, self, target, options->reduction,
                         NULL);
}

dt_tensor *dt_mse_loss_out(dt_tensor *self, dt_tensor *target,
                           dt_tensor *out)
{
    return call_mse_loss(DT_VARIANT_OUT, self, target, 1, out);
}

dt_tensor *dt_mse_loss_with_out(dt_tensor *self, dt_tensor *target,
                                const dt_mse_loss_options *options,
                                dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_MSE_LOSS_OPTIONS_INIT");
        return NULL;
    }
    return call_mse_loss(DT_VARIANT_OUT, self, target, options->reduction,
                         out);
}

static inline dt_tensor *call_mse_loss_backward(dt_variant variant,
                                                dt_tensor *grad_output,
                                                dt_tensor *self,
                                                dt_tensor *target,
                                                int64_t reduction,
                                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
    };
    return dti_op_call_one(OP_MSE_LOSS_BACKWARD, variant, arguments, 4, out);
}

dt_tensor *dt_mse_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                                dt_tensor *target, int64_t reduction)
{
    return call_mse_loss_backward(DT_VARIANT_NEW, grad_output, self, target,
                                  reduction, NULL);
}

static inline dt_tensor *call_l1_loss(dt_variant variant, dt_tensor *self,
                                      dt_tensor *target, int64_t reduction,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
    };
    return dti_op_call_one(OP_L1_LOSS, variant, arguments, 3, out);
}

dt_tensor *dt_l1_loss(dt_tensor *self, dt_tensor *target)
{
    return call_l1_loss(DT_VARIANT_NEW, self, target, 1, NULL);
}

dt_tensor *dt_l1_loss_with(dt_tensor *self, dt_tensor *target,
                           const dt_l1_loss_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_L1_LOSS_OPTIONS_INIT");
        return NULL;
    }
    return call_l1_loss(DT_VARIANT_NEW, self, target, options->reduction,
                        NULL);
}

static inline dt_tensor *call_l1_loss_backward(dt_variant variant,
                                               dt_tensor *grad_output,
                                               dt_tensor *self,
                                               dt_tensor *target,
                                               int64_t reduction,
                                               dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
    };
    return dti_op_call_one(OP_L1_LOSS_BACKWARD, variant, arguments, 4, out);
}

dt_tensor *dt_l1_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                               dt_tensor *target, int64_t reduction)
{
    return call_l1_loss_backward(DT_VARIANT_NEW, grad_output, self, target,
                                 reduction, NULL);
}

static inline dt_tensor *call_smooth_l1_loss(dt_variant variant,
                                             dt_tensor *self, dt_tensor *target,
                                             int64_t reduction, double beta,
                                             dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_REAL, .as.real = beta},
    };
    return dti_op_call_one(OP_SMOOTH_L1_LOSS, variant, arguments, 4, out);
}

dt_tensor *dt_smooth_l1_loss(dt_tensor *self, dt_tensor *target)
{
    return call_smooth_l1_loss(DT_VARIANT_NEW, self, target, 1, 1, NULL);
}

dt_tensor *dt_smooth_l1_loss_with(dt_tensor *self, dt_tensor *target,
                                  const dt_smooth_l1_loss_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SMOOTH_L1_LOSS_OPTIONS_INIT");
        return NULL;
    }
    return call_smooth_l1_loss(DT_VARIANT_NEW, self, target, options->reduction,
                               options->beta, NULL);
}

dt_tensor *dt_smooth_l1_loss_out(dt_tensor *self, dt_tensor *target,
                                 dt_tensor *out)
{
    return call_smooth_l1_loss(DT_VARIANT_OUT, self, target, 1, 1, out);
}

dt_tensor *dt_smooth_l1_loss_with_out(dt_tensor *self, dt_tensor *target,
                                      const dt_smooth_l1_loss_options *options,
                                      dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SMOOTH_L1_LOSS_OPTIONS_INIT");
        return NULL;
    }
    return call_smooth_l1_loss(DT_VARIANT_OUT, self, target, options->reduction,
                               options->beta, out);
}

static inline dt_tensor *call_smooth_l1_loss_backward(dt_variant variant,
                                                      dt_tensor *grad_output,
                                                      dt_tensor *self,
                                                      dt_tensor *target,
                                                      int64_t reduction,
                                                      double beta,
                                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_REAL, .as.real = beta},
    };
    return dti_op_call_one(OP_SMOOTH_L1_LOSS_BACKWARD, variant, arguments, 5, out);
}

dt_tensor *dt_smooth_l1_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                                      dt_tensor *target, int64_t reduction,
                                      double beta)
{
    return call_smooth_l1_loss_backward(DT_VARIANT_NEW, grad_output, self,
                                        target, reduction, beta, NULL);
}

static inline dt_tensor *call_huber_loss(dt_variant variant, dt_tensor *self,
                                         dt_tensor *target, int64_t reduction,
                                         double delta, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_REAL, .as.real = delta},
    };
    return dti_op_call_one(OP_HUBER_LOSS, variant, arguments, 4, out);
}

dt_tensor *dt_huber_loss(dt_tensor *self, dt_tensor *target)
{
    return call_huber_loss(DT_VARIANT_NEW, self, target, 1, 1, NULL);
}

dt_tensor *dt_huber_loss_with(dt_tensor *self, dt_tensor *target,
                              const dt_huber_loss_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_HUBER_LOSS_OPTIONS_INIT");
        return NULL;
    }
    return call_huber_loss(DT_VARIANT_NEW, self, target, options->reduction,
                           options->delta, NULL);
}

dt_tensor *dt_huber_loss_out(dt_tensor *self, dt_tensor *target,
                             dt_tensor *out)
{
    return call_huber_loss(DT_VARIANT_OUT, self, target, 1, 1, out);
}

dt_tensor *dt_huber_loss_with_out(dt_tensor *self, dt_tensor *target,
                                  const dt_huber_loss_options *options,
                                  dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_HUBER_LOSS_OPTIONS_INIT");
        return NULL;
    }
    return call_huber_loss(DT_VARIANT_OUT, self, target, options->reduction,
                           options->delta, out);
}

static inline dt_tensor *call_huber_loss_backward(dt_variant variant,
                                                  dt_tensor *grad_output,
                                                  dt_tensor *self,
                                                  dt_tensor *target,
                                                  int64_t reduction,
                                                  double delta,
                                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_REAL, .as.real = delta},
    };
    return dti_op_call_one(OP_HUBER_LOSS_BACKWARD, variant, arguments, 5, out);
}

dt_tensor *dt_huber_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                                  dt_tensor *target, int64_t reduction,
                                  double delta)
{
    return call_huber_loss_backward(DT_VARIANT_NEW, grad_output, self, target,
                                    reduction, delta, NULL);
}

static inline dt_tensor *call_binary_cross_entropy(dt_variant variant,
                                                   dt_tensor *self,
                                                   dt_tensor *target,
                                                   dt_tensor *weight,
                                                   int64_t reduction,
                                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
    };
    return dti_op_call_one(OP_BINARY_CROSS_ENTROPY, variant, arguments, 4, out);
}

dt_tensor *dt_binary_cross_entropy(dt_tensor *self, dt_tensor *target,
                                   dt_tensor *weight)
{
    return call_binary_cross_entropy(DT_VARIANT_NEW, self, target, weight, 1,
                                     NULL);
}

dt_tensor *dt_binary_cross_entropy_with(dt_tensor *self, dt_tensor *target,
                                        dt_tensor *weight,
                                        const dt_binary_cross_entropy_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BINARY_CROSS_ENTROPY_OPTIONS_INIT");
        return NULL;
    }
    return call_binary_cross_entropy(DT_VARIANT_NEW, self, target, weight,
                                     options->reduction, NULL);
}

dt_tensor *dt_binary_cross_entropy_out(dt_tensor *self, dt_tensor *target,
                                       dt_tensor *weight, dt_tensor *out)
{
    return call_binary_cross_entropy(DT_VARIANT_OUT, self, target, weight, 1,
                                     out);
}

dt_tensor *dt_binary_cross_entropy_with_out(dt_tensor *self, dt_tensor *target,
                                            dt_tensor *weight,
                                            const dt_binary_cross_entropy_options *options,
                                            dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BINARY_CROSS_ENTROPY_OPTIONS_INIT");
        return NULL;
    }
    return call_binary_cross_entropy(DT_VARIANT_OUT, self, target, weight,
                                     options->reduction, out);
}

static inline dt_tensor *call_binary_cross_entropy_backward(dt_variant variant,
                                                            dt_tensor *grad_output,
                                                            dt_tensor *self,
                                                            dt_tensor *target,
                                                            dt_tensor *weight,
                                                            int64_t reduction,
                                                            dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
    };
    return dti_op_call_one(OP_BINARY_CROSS_ENTROPY_BACKWARD, variant, arguments, 5, out);
}

dt_tensor *dt_binary_cross_entropy_backward(dt_tensor *grad_output,
                                            dt_tensor *self, dt_tensor *target,
                                            dt_tensor *weight)
{
    return call_binary_cross_entropy_backward(DT_VARIANT_NEW, grad_output, self,
                                              target, weight, 1, NULL);
}

dt_tensor *dt_binary_cross_entropy_backward_with(dt_tensor *grad_output,
                                                 dt_tensor *self,
                                                 dt_tensor *target,
                                                 dt_tensor *weight,
                                                 const dt_binary_cross_entropy_backward_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(grad_output, options->size, sizeof *options,
                    "DT_BINARY_CROSS_ENTROPY_BACKWARD_OPTIONS_INIT");
        return NULL;
    }
    return call_binary_cross_entropy_backward(DT_VARIANT_NEW, grad_output, self,
                                              target, weight,
                                              options->reduction, NULL);
}

static inline dt_tensor *call_binary_cross_entropy_with_logits(dt_variant variant,
                                                               dt_tensor *self,
                                                               dt_tensor *target,
                                                               dt_tensor *weight,
                                                               dt_tensor *pos_weight,
                                                               int64_t reduction,
                                                               dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = pos_weight ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = pos_weight},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
    };
    return dti_op_call_one(OP_BINARY_CROSS_ENTROPY_WITH_LOGITS, variant, arguments, 5, out);
}

dt_tensor *dt_binary_cross_entropy_with_logits(dt_tensor *self,
                                               dt_tensor *target,
                                               dt_tensor *weight,
                                               dt_tensor *pos_weight)
{
    return call_binary_cross_entropy_with_logits(DT_VARIANT_NEW, self, target,
                                                 weight, pos_weight, 1,
                                                 NULL);
}

dt_tensor *dt_binary_cross_entropy_with_logits_with(dt_tensor *self,
                                                    dt_tensor *target,
                                                    dt_tensor *weight,
                                                    dt_tensor *pos_weight,
                                                    const dt_binary_cross_entropy_with_logits_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BINARY_CROSS_ENTROPY_WITH_LOGITS_OPTIONS_INIT");
        return NULL;
    }
    return call_binary_cross_entropy_with_logits(DT_VARIANT_NEW, self, target,
                                                 weight, pos_weight,
                                                 options->reduction, NULL);
}

dt_tensor *dt_binary_cross_entropy_with_logits_out(dt_tensor *self,
                                                   dt_tensor *target,
                                                   dt_tensor *weight,
                                                   dt_tensor *pos_weight,
                                                   dt_tensor *out)
{
    return call_binary_cross_entropy_with_logits(DT_VARIANT_OUT, self, target,
                                                 weight, pos_weight, 1, out);
}

dt_tensor *dt_binary_cross_entropy_with_logits_with_out(dt_tensor *self,
                                                        dt_tensor *target,
                                                        dt_tensor *weight,
                                                        dt_tensor *pos_weight,
                                                        const dt_binary_cross_entropy_with_logits_options *options,
                                                        dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BINARY_CROSS_ENTROPY_WITH_LOGITS_OPTIONS_INIT");
        return NULL;
    }
    return call_binary_cross_entropy_with_logits(DT_VARIANT_OUT, self, target,
                                                 weight, pos_weight,
                                                 options->reduction, out);
}

static inline dt_tensor *call_binary_cross_entropy_logits_backward(dt_variant variant,
                                                                   dt_tensor *grad_output,
                                                                   dt_tensor *self,
                                                                   dt_tensor *target,
                                                                   dt_tensor *weight,
                                                                   dt_tensor *pos_weight,
                                                                   int64_t reduction,
                                                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = pos_weight ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = pos_weight},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
    };
    return dti_op_call_one(OP_BINARY_CROSS_ENTROPY_LOGITS_BACKWARD, variant, arguments, 6, out);
}

dt_tensor *dt_binary_cross_entropy_logits_backward(dt_tensor *grad_output,
                                                   dt_tensor *self,
                                                   dt_tensor *target,
                                                   dt_tensor *weight,
                                                   dt_tensor *pos_weight)
{
    return call_binary_cross_entropy_logits_backward(DT_VARIANT_NEW,
                                                     grad_output, self, target,
                                                     weight, pos_weight, 1,
                                                     NULL);
}

dt_tensor *dt_binary_cross_entropy_logits_backward_with(dt_tensor *grad_output,
                                                        dt_tensor *self,
                                                        dt_tensor *target,
                                                        dt_tensor *weight,
                                                        dt_tensor *pos_weight,
                                                        const dt_binary_cross_entropy_logits_backward_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(grad_output, options->size, sizeof *options,
                    "DT_BINARY_CROSS_ENTROPY_LOGITS_BACKWARD_OPTIONS_INIT");
        return NULL;
    }
    return call_binary_cross_entropy_logits_backward(DT_VARIANT_NEW,
                                                     grad_output, self, target,
                                                     weight, pos_weight,
                                                     options->reduction,
                                                     NULL);
}

static inline dt_tensor *call_kl_div(dt_variant variant, dt_tensor *self,
                                     dt_tensor *target, int64_t reduction,
                                     bool log_target, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_INTEGER, .as.integer = log_target},
    };
    return dti_op_call_one(OP_KL_DIV, variant, arguments, 4, out);
}

dt_tensor *dt_kl_div(dt_tensor *self, dt_tensor *target)
{
    return call_kl_div(DT_VARIANT_NEW, self, target, 1, false, NULL);
}

dt_tensor *dt_kl_div_with(dt_tensor *self, dt_tensor *target,
                          const dt_kl_div_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_KL_DIV_OPTIONS_INIT");
        return NULL;
    }
    return call_kl_div(DT_VARIANT_NEW, self, target, options->reduction,
                       options->log_target, NULL);
}

static inline dt_tensor *call_kl_div_backward(dt_variant variant,
                                              dt_tensor *grad_output,
                                              dt_tensor *self,
                                              dt_tensor *target,
                                              int64_t reduction,
                                              bool log_target,
                                              dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_INTEGER, .as.integer = log_target},
    };
    return dti_op_call_one(OP_KL_DIV_BACKWARD, variant, arguments, 5, out);
}

dt_tensor *dt_kl_div_backward(dt_tensor *grad_output, dt_tensor *self,
                              dt_tensor *target)
{
    return call_kl_div_backward(DT_VARIANT_NEW, grad_output, self, target, 1,
                                false, NULL);
}

dt_tensor *dt_kl_div_backward_with(dt_tensor *grad_output, dt_tensor *self,
                                   dt_tensor *target,
                                   const dt_kl_div_backward_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(grad_output, options->size, sizeof *options,
                    "DT_KL_DIV_BACKWARD_OPTIONS_INIT");
        return NULL;
    }
    return call_kl_div_backward(DT_VARIANT_NEW, grad_output, self, target,
                                options->reduction, options->log_target,
                                NULL);
}

static inline dt_tensor *call_masked_scatter(dt_variant variant,
                                             dt_tensor *self, dt_tensor *mask,
                                             dt_tensor *source,
                                             dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mask},
        {.kind = DT_ARG_TENSOR, .as.tensor = source},
    };
    return dti_op_call_one(OP_MASKED_SCATTER, variant, arguments, 3, out);
}

dt_tensor *dt_masked_scatter(dt_tensor *self, dt_tensor *mask,
                             dt_tensor *source)
{
    return call_masked_scatter(DT_VARIANT_NEW, self, mask, source, NULL);
}

dt_tensor *dt_masked_scatter_(dt_tensor *self, dt_tensor *mask,
                              dt_tensor *source)
{
    return call_masked_scatter(DT_VARIANT_IN_PLACE, self, mask, source,
                               NULL);
}

dt_tensor *dt_masked_scatter_out(dt_tensor *self, dt_tensor *mask,
                                 dt_tensor *source, dt_tensor *out)
{
    return call_masked_scatter(DT_VARIANT_OUT, self, mask, source, out);
}

static inline dt_tensor *call_masked_scatter_backward(dt_variant variant,
                                                      dt_tensor *grad_output,
                                                      dt_tensor *mask,
                                                      dt_shape sizes,
                                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = mask},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&sizes),
         .as.integers = list_of(&sizes)},
    };
    return dti_op_call_one(OP_MASKED_SCATTER_BACKWARD, variant, arguments, 3, out);
}

dt_tensor *dt_masked_scatter_backward(dt_tensor *grad_output, dt_tensor *mask,
                                      dt_shape sizes)
{
    return call_masked_scatter_backward(DT_VARIANT_NEW, grad_output, mask,
                                        sizes, NULL);
}

static inline dt_tensor *call_matmul(dt_variant variant, dt_tensor *self,
                                     dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_MATMUL, variant, arguments, 2, out);
}

dt_tensor *dt_matmul(dt_tensor *self, dt_tensor *other)
{
    return call_matmul(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_matmul_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_matmul(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_mm(dt_variant variant, dt_tensor *self,
                                 dt_tensor *mat2, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mat2},
    };
    return dti_op_call_one(OP_MM, variant, arguments, 2, out);
}

dt_tensor *dt_mm(dt_tensor *self, dt_tensor *mat2)
{
    return call_mm(DT_VARIANT_NEW, self, mat2, NULL);
}

dt_tensor *dt_mm_out(dt_tensor *self, dt_tensor *mat2, dt_tensor *out)
{
    return call_mm(DT_VARIANT_OUT, self, mat2, out);
}

static inline dt_tensor *call_mv(dt_variant variant, dt_tensor *self,
                                 dt_tensor *vec, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = vec},
    };
    return dti_op_call_one(OP_MV, variant, arguments, 2, out);
}

dt_tensor *dt_mv(dt_tensor *self, dt_tensor *vec)
{
    return call_mv(DT_VARIANT_NEW, self, vec, NULL);
}

dt_tensor *dt_mv_out(dt_tensor *self, dt_tensor *vec, dt_tensor *out)
{
    return call_mv(DT_VARIANT_OUT, self, vec, out);
}

static inline dt_tensor *call_dot(dt_variant variant, dt_tensor *self,
                                  dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_DOT, variant, arguments, 2, out);
}

dt_tensor *dt_dot(dt_tensor *self, dt_tensor *other)
{
    return call_dot(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_dot_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_dot(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_bmm(dt_variant variant, dt_tensor *self,
                                  dt_tensor *mat2, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mat2},
    };
    return dti_op_call_one(OP_BMM, variant, arguments, 2, out);
}

dt_tensor *dt_bmm(dt_tensor *self, dt_tensor *mat2)
{
    return call_bmm(DT_VARIANT_NEW, self, mat2, NULL);
}

dt_tensor *dt_bmm_out(dt_tensor *self, dt_tensor *mat2, dt_tensor *out)
{
    return call_bmm(DT_VARIANT_OUT, self, mat2, out);
}

static inline dt_tensor *call_addmm(dt_variant variant, dt_tensor *self,
                                    dt_tensor *mat1, dt_tensor *mat2,
                                    dt_number beta, dt_number alpha,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mat1},
        {.kind = DT_ARG_TENSOR, .as.tensor = mat2},
        {.kind = DT_ARG_NUMBER, .as.number = beta},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_ADDMM, variant, arguments, 5, out);
}

dt_tensor *dt_addmm(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2)
{
    return call_addmm(DT_VARIANT_NEW, self, mat1, mat2,
                      (dt_number){DT_KIND_SIGNED, {1}, 0},
                      (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addmm_with(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2,
                         const dt_addmm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDMM_OPTIONS_INIT");
        return NULL;
    }
    return call_addmm(DT_VARIANT_NEW, self, mat1, mat2, options->beta,
                      options->alpha, NULL);
}

dt_tensor *dt_addmm_(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2)
{
    return call_addmm(DT_VARIANT_IN_PLACE, self, mat1, mat2,
                      (dt_number){DT_KIND_SIGNED, {1}, 0},
                      (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addmm_with_(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2,
                          const dt_addmm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDMM_OPTIONS_INIT");
        return NULL;
    }
    return call_addmm(DT_VARIANT_IN_PLACE, self, mat1, mat2, options->beta,
                      options->alpha, NULL);
}

dt_tensor *dt_addmm_out(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2,
                        dt_tensor *out)
{
    return call_addmm(DT_VARIANT_OUT, self, mat1, mat2,
                      (dt_number){DT_KIND_SIGNED, {1}, 0},
                      (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_addmm_with_out(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2,
                             const dt_addmm_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDMM_OPTIONS_INIT");
        return NULL;
    }
    return call_addmm(DT_VARIANT_OUT, self, mat1, mat2, options->beta,
                      options->alpha, out);
}

static inline dt_tensor *call_baddbmm(dt_variant variant, dt_tensor *self,
                                      dt_tensor *batch1, dt_tensor *batch2,
                                      dt_number beta, dt_number alpha,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = batch1},
        {.kind = DT_ARG_TENSOR, .as.tensor = batch2},
        {.kind = DT_ARG_NUMBER, .as.number = beta},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_BADDBMM, variant, arguments, 5, out);
}

dt_tensor *dt_baddbmm(dt_tensor *self, dt_tensor *batch1, dt_tensor *batch2)
{
    return call_baddbmm(DT_VARIANT_NEW, self, batch1, batch2,
                        (dt_number){DT_KIND_SIGNED, {1}, 0},
                        (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_baddbmm_with(dt_tensor *self, dt_tensor *batch1,
                           dt_tensor *batch2,
                           const dt_baddbmm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BADDBMM_OPTIONS_INIT");
        return NULL;
    }
    return call_baddbmm(DT_VARIANT_NEW, self, batch1, batch2, options->beta,
                        options->alpha, NULL);
}

dt_tensor *dt_baddbmm_(dt_tensor *self, dt_tensor *batch1, dt_tensor *batch2)
{
    return call_baddbmm(DT_VARIANT_IN_PLACE, self, batch1, batch2,
                        (dt_number){DT_KIND_SIGNED, {1}, 0},
                        (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_baddbmm_with_(dt_tensor *self, dt_tensor *batch1,
                            dt_tensor *batch2,
                            const dt_baddbmm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BADDBMM_OPTIONS_INIT");
        return NULL;
    }
    return call_baddbmm(DT_VARIANT_IN_PLACE, self, batch1, batch2,
                        options->beta, options->alpha, NULL);
}

dt_tensor *dt_baddbmm_out(dt_tensor *self, dt_tensor *batch1, dt_tensor *batch2,
                          dt_tensor *out)
{
    return call_baddbmm(DT_VARIANT_OUT, self, batch1, batch2,
                        (dt_number){DT_KIND_SIGNED, {1}, 0},
                        (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_baddbmm_with_out(dt_tensor *self, dt_tensor *batch1,
                               dt_tensor *batch2,
                               const dt_baddbmm_options *options,
                               dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BADDBMM_OPTIONS_INIT");
        return NULL;
    }
    return call_baddbmm(DT_VARIANT_OUT, self, batch1, batch2, options->beta,
                        options->alpha, out);
}

static inline dt_tensor *call_addmv(dt_variant variant, dt_tensor *self,
                                    dt_tensor *mat, dt_tensor *vec,
                                    dt_number beta, dt_number alpha,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mat},
        {.kind = DT_ARG_TENSOR, .as.tensor = vec},
        {.kind = DT_ARG_NUMBER, .as.number = beta},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_ADDMV, variant, arguments, 5, out);
}

dt_tensor *dt_addmv(dt_tensor *self, dt_tensor *mat, dt_tensor *vec)
{
    return call_addmv(DT_VARIANT_NEW, self, mat, vec,
                      (dt_number){DT_KIND_SIGNED, {1}, 0},
                      (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addmv_with(dt_tensor *self, dt_tensor *mat, dt_tensor *vec,
                         const dt_addmv_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDMV_OPTIONS_INIT");
        return NULL;
    }
    return call_addmv(DT_VARIANT_NEW, self, mat, vec, options->beta,
                      options->alpha, NULL);
}

dt_tensor *dt_addmv_(dt_tensor *self, dt_tensor *mat, dt_tensor *vec)
{
    return call_addmv(DT_VARIANT_IN_PLACE, self, mat, vec,
                      (dt_number){DT_KIND_SIGNED, {1}, 0},
                      (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addmv_with_(dt_tensor *self, dt_tensor *mat, dt_tensor *vec,
                          const dt_addmv_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDMV_OPTIONS_INIT");
        return NULL;
    }
    return call_addmv(DT_VARIANT_IN_PLACE, self, mat, vec, options->beta,
                      options->alpha, NULL);
}

dt_tensor *dt_addmv_out(dt_tensor *self, dt_tensor *mat, dt_tensor *vec,
                        dt_tensor *out)
{
    return call_addmv(DT_VARIANT_OUT, self, mat, vec,
                      (dt_number){DT_KIND_SIGNED, {1}, 0},
                      (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_addmv_with_out(dt_tensor *self, dt_tensor *mat, dt_tensor *vec,
                             const dt_addmv_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDMV_OPTIONS_INIT");
        return NULL;
    }
    return call_addmv(DT_VARIANT_OUT, self, mat, vec, options->beta,
                      options->alpha, out);
}

static inline dt_tensor *call_addr(dt_variant variant, dt_tensor *self,
                                   dt_tensor *vec1, dt_tensor *vec2,
                                   dt_number beta, dt_number alpha,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = vec1},
        {.kind = DT_ARG_TENSOR, .as.tensor = vec2},
        {.kind = DT_ARG_NUMBER, .as.number = beta},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_ADDR, variant, arguments, 5, out);
}

dt_tensor *dt_addr(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2)
{
    return call_addr(DT_VARIANT_NEW, self, vec1, vec2,
                     (dt_number){DT_KIND_SIGNED, {1}, 0},
                     (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addr_with(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2,
                        const dt_addr_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDR_OPTIONS_INIT");
        return NULL;
    }
    return call_addr(DT_VARIANT_NEW, self, vec1, vec2, options->beta,
                     options->alpha, NULL);
}

dt_tensor *dt_addr_(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2)
{
    return call_addr(DT_VARIANT_IN_PLACE, self, vec1, vec2,
                     (dt_number){DT_KIND_SIGNED, {1}, 0},
                     (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addr_with_(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2,
                         const dt_addr_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDR_OPTIONS_INIT");
        return NULL;
    }
    return call_addr(DT_VARIANT_IN_PLACE, self, vec1, vec2, options->beta,
                     options->alpha, NULL);
}

dt_tensor *dt_addr_out(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2,
                       dt_tensor *out)
{
    return call_addr(DT_VARIANT_OUT, self, vec1, vec2,
                     (dt_number){DT_KIND_SIGNED, {1}, 0},
                     (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_addr_with_out(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2,
                            const dt_addr_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDR_OPTIONS_INIT");
        return NULL;
    }
    return call_addr(DT_VARIANT_OUT, self, vec1, vec2, options->beta,
                     options->alpha, out);
}

static inline dt_tensor *call_addbmm(dt_variant variant, dt_tensor *self,
                                     dt_tensor *batch1, dt_tensor *batch2,
                                     dt_number beta, dt_number alpha,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = batch1},
        {.kind = DT_ARG_TENSOR, .as.tensor = batch2},
        {.kind = DT_ARG_NUMBER, .as.number = beta},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_ADDBMM, variant, arguments, 5, out);
}

dt_tensor *dt_addbmm(dt_tensor *self, dt_tensor *batch1, dt_tensor *batch2)
{
    return call_addbmm(DT_VARIANT_NEW, self, batch1, batch2,
                       (dt_number){DT_KIND_SIGNED, {1}, 0},
                       (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addbmm_with(dt_tensor *self, dt_tensor *batch1, dt_tensor *batch2,
                          const dt_addbmm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDBMM_OPTIONS_INIT");
        return NULL;
    }
    return call_addbmm(DT_VARIANT_NEW, self, batch1, batch2, options->beta,
                       options->alpha, NULL);
}

dt_tensor *dt_addbmm_(dt_tensor *self, dt_tensor *batch1, dt_tensor *batch2)
{
    return call_addbmm(DT_VARIANT_IN_PLACE, self, batch1, batch2,
                       (dt_number){DT_KIND_SIGNED, {1}, 0},
                       (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addbmm_with_(dt_tensor *self, dt_tensor *batch1,
                           dt_tensor *batch2,
                           const dt_addbmm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDBMM_OPTIONS_INIT");
        return NULL;
    }
    return call_addbmm(DT_VARIANT_IN_PLACE, self, batch1, batch2, options->beta,
                       options->alpha, NULL);
}

dt_tensor *dt_addbmm_out(dt_tensor *self, dt_tensor *batch1, dt_tensor *batch2,
                         dt_tensor *out)
{
    return call_addbmm(DT_VARIANT_OUT, self, batch1, batch2,
                       (dt_number){DT_KIND_SIGNED, {1}, 0},
                       (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_addbmm_with_out(dt_tensor *self, dt_tensor *batch1,
                              dt_tensor *batch2,
                              const dt_addbmm_options *options,
                              dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDBMM_OPTIONS_INIT");
        return NULL;
    }
    return call_addbmm(DT_VARIANT_OUT, self, batch1, batch2, options->beta,
                       options->alpha, out);
}

static inline dt_tensor *call_linear(dt_variant variant, dt_tensor *input,
                                     dt_tensor *weight, dt_tensor *bias,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = DT_ARG_TENSOR, .as.tensor = weight},
        {.kind = bias ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = bias},
    };
    return dti_op_call_one(OP_LINEAR, variant, arguments, 3, out);
}

dt_tensor *dt_linear(dt_tensor *input, dt_tensor *weight, dt_tensor *bias)
{
    return call_linear(DT_VARIANT_NEW, input, weight, bias, NULL);
}

dt_tensor *dt_linear_out(dt_tensor *input, dt_tensor *weight, dt_tensor *bias,
                         dt_tensor *out)
{
    return call_linear(DT_VARIANT_OUT, input, weight, bias, out);
}

static inline dt_status call_nll_loss(dt_variant variant, dt_tensor *self,
                                      dt_tensor *target, dt_tensor *weight,
                                      int64_t reduction, int64_t ignore_index,
                                      dt_tensor **output,
                                      dt_tensor **total_weight)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_INTEGER, .as.integer = ignore_index},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_NLL_LOSS, variant, arguments,
                                        5, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (output)
        *output = results[0];
    if (total_weight)
        *total_weight = results[1];
    return DT_OK;
}

dt_status dt_nll_loss(dt_tensor *self, dt_tensor *target, dt_tensor *weight,
                      dt_tensor **output, dt_tensor **total_weight)
{
    return call_nll_loss(DT_VARIANT_NEW, self, target, weight, 1, -100, output,
                         total_weight);
}

dt_status dt_nll_loss_with(dt_tensor *self, dt_tensor *target,
                           dt_tensor *weight,
                           const dt_nll_loss_options *options,
                           dt_tensor **output, dt_tensor **total_weight)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_NLL_LOSS_OPTIONS_INIT");
    return call_nll_loss(DT_VARIANT_NEW, self, target, weight,
                         options->reduction, options->ignore_index, output,
                         total_weight);
}

static inline dt_tensor *call_nll_loss_backward(dt_variant variant,
                                                dt_tensor *grad_output,
                                                dt_tensor *self,
                                                dt_tensor *target,
                                                dt_tensor *weight,
                                                int64_t reduction,
                                                int64_t ignore_index,
                                                dt_tensor *total_weight,
                                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = target},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_INTEGER, .as.integer = reduction},
        {.kind = DT_ARG_INTEGER, .as.integer = ignore_index},
        {.kind = DT_ARG_TENSOR, .as.tensor = total_weight},
    };
    return dti_op_call_one(OP_NLL_LOSS_BACKWARD, variant, arguments, 7, out);
}

dt_tensor *dt_nll_loss_backward(dt_tensor *grad_output, dt_tensor *self,
                                dt_tensor *target, dt_tensor *weight,
                                int64_t reduction, int64_t ignore_index,
                                dt_tensor *total_weight)
{
    return call_nll_loss_backward(DT_VARIANT_NEW, grad_output, self, target,
                                  weight, reduction, ignore_index, total_weight,
                                  NULL);
}

static inline dt_status call_layer_norm(dt_variant variant, dt_tensor *input,
                                        dt_shape normalized_shape,
                                        dt_tensor *weight, dt_tensor *bias,
                                        double eps, dt_tensor **out,
                                        dt_tensor **mean, dt_tensor **rstd)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&normalized_shape),
         .as.integers = list_of(&normalized_shape)},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = bias ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = bias},
        {.kind = DT_ARG_REAL, .as.real = eps},
    };
    dt_tensor *results[3] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_LAYER_NORM, variant, arguments,
                                        5, results, 3, &count);
    if (status != DT_OK)
        return status;
    if (out)
        *out = results[0];
    if (mean)
        *mean = results[1];
    if (rstd)
        *rstd = results[2];
    return DT_OK;
}

dt_status dt_layer_norm(dt_tensor *input, dt_shape normalized_shape,
                        dt_tensor *weight, dt_tensor *bias, double eps,
                        dt_tensor **out, dt_tensor **mean, dt_tensor **rstd)
{
    return call_layer_norm(DT_VARIANT_NEW, input, normalized_shape, weight,
                           bias, eps, out, mean, rstd);
}

static inline dt_status call_rms_norm(dt_variant variant, dt_tensor *input,
                                      dt_shape normalized_shape,
                                      dt_tensor *weight, double eps,
                                      dt_tensor **out, dt_tensor **rstd)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&normalized_shape),
         .as.integers = list_of(&normalized_shape)},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_REAL, .as.real = eps},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_RMS_NORM, variant, arguments,
                                        4, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (out)
        *out = results[0];
    if (rstd)
        *rstd = results[1];
    return DT_OK;
}

dt_status dt_rms_norm(dt_tensor *input, dt_shape normalized_shape,
                      dt_tensor *weight, double eps, dt_tensor **out,
                      dt_tensor **rstd)
{
    return call_rms_norm(DT_VARIANT_NEW, input, normalized_shape, weight, eps,
                         out, rstd);
}

static inline dt_status call_layer_norm_backward(dt_variant variant,
                                                 dt_tensor *grad_out,
                                                 dt_tensor *input,
                                                 dt_shape normalized_shape,
                                                 dt_tensor *mean,
                                                 dt_tensor *rstd,
                                                 dt_tensor *weight,
                                                 dt_tensor *bias,
                                                 const int64_t *output_mask,
                                                 int output_mask_count,
                                                 dt_tensor **grad_input,
                                                 dt_tensor **grad_weight,
                                                 dt_tensor **grad_bias)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_out},
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&normalized_shape),
         .as.integers = list_of(&normalized_shape)},
        {.kind = DT_ARG_TENSOR, .as.tensor = mean},
        {.kind = DT_ARG_TENSOR, .as.tensor = rstd},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = bias ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = bias},
        {.kind = DT_ARG_INTEGERS, .count = output_mask_count,
         .as.integers = output_mask},
    };
    dt_tensor *results[3] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_LAYER_NORM_BACKWARD, variant, arguments,
                                        8, results, 3, &count);
    if (status != DT_OK)
        return status;
    if (grad_input)
        *grad_input = results[0];
    if (grad_weight)
        *grad_weight = results[1];
    if (grad_bias)
        *grad_bias = results[2];
    return DT_OK;
}

dt_status dt_layer_norm_backward(dt_tensor *grad_out, dt_tensor *input,
                                 dt_shape normalized_shape, dt_tensor *mean,
                                 dt_tensor *rstd, dt_tensor *weight,
                                 dt_tensor *bias, const int64_t *output_mask,
                                 int output_mask_count, dt_tensor **grad_input,
                                 dt_tensor **grad_weight,
                                 dt_tensor **grad_bias)
{
    return call_layer_norm_backward(DT_VARIANT_NEW, grad_out, input,
                                    normalized_shape, mean, rstd, weight, bias,
                                    output_mask, output_mask_count, grad_input,
                                    grad_weight, grad_bias);
}

static inline dt_status call_rms_norm_backward(dt_variant variant,
                                               dt_tensor *grad_out,
                                               dt_tensor *input,
                                               dt_shape normalized_shape,
                                               dt_tensor *rstd,
                                               dt_tensor *weight,
                                               const int64_t *output_mask,
                                               int output_mask_count,
                                               dt_tensor **grad_input,
                                               dt_tensor **grad_weight)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_out},
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&normalized_shape),
         .as.integers = list_of(&normalized_shape)},
        {.kind = DT_ARG_TENSOR, .as.tensor = rstd},
        {.kind = weight ? DT_ARG_TENSOR : DT_ARG_NONE, .as.tensor = weight},
        {.kind = DT_ARG_INTEGERS, .count = output_mask_count,
         .as.integers = output_mask},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_RMS_NORM_BACKWARD, variant, arguments,
                                        6, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (grad_input)
        *grad_input = results[0];
    if (grad_weight)
        *grad_weight = results[1];
    return DT_OK;
}

dt_status dt_rms_norm_backward(dt_tensor *grad_out, dt_tensor *input,
                               dt_shape normalized_shape, dt_tensor *rstd,
                               dt_tensor *weight, const int64_t *output_mask,
                               int output_mask_count, dt_tensor **grad_input,
                               dt_tensor **grad_weight)
{
    return call_rms_norm_backward(DT_VARIANT_NEW, grad_out, input,
                                  normalized_shape, rstd, weight, output_mask,
                                  output_mask_count, grad_input,
                                  grad_weight);
}

static inline dt_status call_adam_step(dt_variant variant, dt_tensor *self,
                                       dt_tensor *grad, dt_tensor *exp_avg,
                                       dt_tensor *exp_avg_sq,
                                       dt_tensor *max_exp_avg_sq, double step,
                                       double lr, double beta1, double beta2,
                                       double weight_decay, double eps,
                                       bool decoupled, bool maximize,
                                       dt_tensor **self_out,
                                       dt_tensor **exp_avg_out,
                                       dt_tensor **exp_avg_sq_out,
                                       dt_tensor **max_exp_avg_sq_out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = grad},
        {.kind = DT_ARG_TENSOR, .as.tensor = exp_avg},
        {.kind = DT_ARG_TENSOR, .as.tensor = exp_avg_sq},
        {.kind = max_exp_avg_sq ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = max_exp_avg_sq},
        {.kind = DT_ARG_REAL, .as.real = step},
        {.kind = DT_ARG_REAL, .as.real = lr},
        {.kind = DT_ARG_REAL, .as.real = beta1},
        {.kind = DT_ARG_REAL, .as.real = beta2},
        {.kind = DT_ARG_REAL, .as.real = weight_decay},
        {.kind = DT_ARG_REAL, .as.real = eps},
        {.kind = DT_ARG_INTEGER, .as.integer = decoupled},
        {.kind = DT_ARG_INTEGER, .as.integer = maximize},
    };
    dt_tensor *results[4] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_ADAM_STEP, variant, arguments,
                                        13, results, 4, &count);
    if (status != DT_OK)
        return status;
    if (self_out)
        *self_out = results[0];
    if (exp_avg_out)
        *exp_avg_out = results[1];
    if (exp_avg_sq_out)
        *exp_avg_sq_out = results[2];
    if (max_exp_avg_sq_out)
        *max_exp_avg_sq_out = results[3];
    return DT_OK;
}

dt_status dt_adam_step(dt_tensor *self, dt_tensor *grad, dt_tensor *exp_avg,
                       dt_tensor *exp_avg_sq, dt_tensor *max_exp_avg_sq,
                       double step, dt_tensor **self_out,
                       dt_tensor **exp_avg_out, dt_tensor **exp_avg_sq_out,
                       dt_tensor **max_exp_avg_sq_out)
{
    return call_adam_step(DT_VARIANT_NEW, self, grad, exp_avg, exp_avg_sq,
                          max_exp_avg_sq, step, 0.001, 0.9, 0.999, 0, 1e-08,
                          false, false, self_out, exp_avg_out, exp_avg_sq_out,
                          max_exp_avg_sq_out);
}

dt_status dt_adam_step_with(dt_tensor *self, dt_tensor *grad,
                            dt_tensor *exp_avg, dt_tensor *exp_avg_sq,
                            dt_tensor *max_exp_avg_sq, double step,
                            const dt_adam_step_options *options,
                            dt_tensor **self_out, dt_tensor **exp_avg_out,
                            dt_tensor **exp_avg_sq_out,
                            dt_tensor **max_exp_avg_sq_out)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_ADAM_STEP_OPTIONS_INIT");
    return call_adam_step(DT_VARIANT_NEW, self, grad, exp_avg, exp_avg_sq,
                          max_exp_avg_sq, step, options->lr, options->beta1,
                          options->beta2, options->weight_decay, options->eps,
                          options->decoupled, options->maximize, self_out,
                          exp_avg_out, exp_avg_sq_out, max_exp_avg_sq_out);
}

dt_status dt_adam_step_(dt_tensor *self, dt_tensor *grad, dt_tensor *exp_avg,
                        dt_tensor *exp_avg_sq, dt_tensor *max_exp_avg_sq,
                        double step)
{
    return call_adam_step(DT_VARIANT_IN_PLACE, self, grad, exp_avg, exp_avg_sq,
                          max_exp_avg_sq, step, 0.001, 0.9, 0.999, 0, 1e-08,
                          false, false, NULL, NULL, NULL, NULL);
}

dt_status dt_adam_step_with_(dt_tensor *self, dt_tensor *grad,
                             dt_tensor *exp_avg, dt_tensor *exp_avg_sq,
                             dt_tensor *max_exp_avg_sq, double step,
                             const dt_adam_step_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_ADAM_STEP_OPTIONS_INIT");
    return call_adam_step(DT_VARIANT_IN_PLACE, self, grad, exp_avg, exp_avg_sq,
                          max_exp_avg_sq, step, options->lr, options->beta1,
                          options->beta2, options->weight_decay, options->eps,
                          options->decoupled, options->maximize, NULL, NULL,
                          NULL, NULL);
}

static inline dt_status call_sgd_step(dt_variant variant, dt_tensor *self,
                                      dt_tensor *grad,
                                      dt_tensor *momentum_buffer, double lr,
                                      double momentum, double dampening,
                                      double weight_decay, bool nesterov,
                                      bool maximize, bool is_first_step,
                                      dt_tensor **self_out,
                                      dt_tensor **momentum_buffer_out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = grad},
        {.kind = momentum_buffer ? DT_ARG_TENSOR : DT_ARG_NONE,
         .as.tensor = momentum_buffer},
        {.kind = DT_ARG_REAL, .as.real = lr},
        {.kind = DT_ARG_REAL, .as.real = momentum},
        {.kind = DT_ARG_REAL, .as.real = dampening},
        {.kind = DT_ARG_REAL, .as.real = weight_decay},
        {.kind = DT_ARG_INTEGER, .as.integer = nesterov},
        {.kind = DT_ARG_INTEGER, .as.integer = maximize},
        {.kind = DT_ARG_INTEGER, .as.integer = is_first_step},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_SGD_STEP, variant, arguments,
                                        10, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (self_out)
        *self_out = results[0];
    if (momentum_buffer_out)
        *momentum_buffer_out = results[1];
    return DT_OK;
}

dt_status dt_sgd_step(dt_tensor *self, dt_tensor *grad,
                      dt_tensor *momentum_buffer, dt_tensor **self_out,
                      dt_tensor **momentum_buffer_out)
{
    return call_sgd_step(DT_VARIANT_NEW, self, grad, momentum_buffer, 0.001, 0,
                         0, 0, false, false, false, self_out,
                         momentum_buffer_out);
}

dt_status dt_sgd_step_with(dt_tensor *self, dt_tensor *grad,
                           dt_tensor *momentum_buffer,
                           const dt_sgd_step_options *options,
                           dt_tensor **self_out,
                           dt_tensor **momentum_buffer_out)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_SGD_STEP_OPTIONS_INIT");
    return call_sgd_step(DT_VARIANT_NEW, self, grad, momentum_buffer,
                         options->lr, options->momentum, options->dampening,
                         options->weight_decay, options->nesterov,
                         options->maximize, options->is_first_step, self_out,
                         momentum_buffer_out);
}

dt_status dt_sgd_step_(dt_tensor *self, dt_tensor *grad,
                       dt_tensor *momentum_buffer)
{
    return call_sgd_step(DT_VARIANT_IN_PLACE, self, grad, momentum_buffer,
                         0.001, 0, 0, 0, false, false, false, NULL, NULL);
}

dt_status dt_sgd_step_with_(dt_tensor *self, dt_tensor *grad,
                            dt_tensor *momentum_buffer,
                            const dt_sgd_step_options *options)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_SGD_STEP_OPTIONS_INIT");
    return call_sgd_step(DT_VARIANT_IN_PLACE, self, grad, momentum_buffer,
                         options->lr, options->momentum, options->dampening,
                         options->weight_decay, options->nesterov,
                         options->maximize, options->is_first_step, NULL,
                         NULL);
}

static inline dt_tensor *call_outer(dt_variant variant, dt_tensor *self,
                                    dt_tensor *vec2, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = vec2},
    };
    return dti_op_call_one(OP_OUTER, variant, arguments, 2, out);
}

dt_tensor *dt_outer(dt_tensor *self, dt_tensor *vec2)
{
    return call_outer(DT_VARIANT_NEW, self, vec2, NULL);
}

dt_tensor *dt_outer_out(dt_tensor *self, dt_tensor *vec2, dt_tensor *out)
{
    return call_outer(DT_VARIANT_OUT, self, vec2, out);
}

static inline dt_tensor *call_inner(dt_variant variant, dt_tensor *self,
                                    dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_INNER, variant, arguments, 2, out);
}

dt_tensor *dt_inner(dt_tensor *self, dt_tensor *other)
{
    return call_inner(DT_VARIANT_NEW, self, other, NULL);
}

static inline dt_tensor *call_vdot(dt_variant variant, dt_tensor *self,
                                   dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_VDOT, variant, arguments, 2, out);
}

dt_tensor *dt_vdot(dt_tensor *self, dt_tensor *other)
{
    return call_vdot(DT_VARIANT_NEW, self, other, NULL);
}

static inline dt_tensor *call_tensordot(dt_variant variant, dt_tensor *self,
                                        dt_tensor *other,
                                        const int64_t *dims_self,
                                        int dims_self_count,
                                        const int64_t *dims_other,
                                        int dims_other_count, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
        {.kind = DT_ARG_INTEGERS, .count = dims_self_count,
         .as.integers = dims_self},
        {.kind = DT_ARG_INTEGERS, .count = dims_other_count,
         .as.integers = dims_other},
    };
    return dti_op_call_one(OP_TENSORDOT, variant, arguments, 4, out);
}

dt_tensor *dt_tensordot(dt_tensor *self, dt_tensor *other,
                        const int64_t *dims_self, int dims_self_count,
                        const int64_t *dims_other, int dims_other_count)
{
    return call_tensordot(DT_VARIANT_NEW, self, other, dims_self,
                          dims_self_count, dims_other, dims_other_count,
                          NULL);
}

static inline dt_tensor *call_add(dt_variant variant, dt_tensor *self,
                                  dt_tensor *other, dt_number alpha,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_ADD, variant, arguments, 3, out);
}

dt_tensor *dt_add(dt_tensor *self, dt_tensor *other)
{
    return call_add(DT_VARIANT_NEW, self, other,
                    (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_add_with(dt_tensor *self, dt_tensor *other,
                       const dt_add_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_add(DT_VARIANT_NEW, self, other, options->alpha, NULL);
}

dt_tensor *dt_add_(dt_tensor *self, dt_tensor *other)
{
    return call_add(DT_VARIANT_IN_PLACE, self, other,
                    (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_add_with_(dt_tensor *self, dt_tensor *other,
                        const dt_add_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_add(DT_VARIANT_IN_PLACE, self, other, options->alpha, NULL);
}

dt_tensor *dt_add_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_add(DT_VARIANT_OUT, self, other,
                    (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_add_with_out(dt_tensor *self, dt_tensor *other,
                           const dt_add_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_OPTIONS_INIT");
        return NULL;
    }
    return call_add(DT_VARIANT_OUT, self, other, options->alpha, out);
}

static inline dt_tensor *call_sub(dt_variant variant, dt_tensor *self,
                                  dt_tensor *other, dt_number alpha,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_SUB, variant, arguments, 3, out);
}

dt_tensor *dt_sub(dt_tensor *self, dt_tensor *other)
{
    return call_sub(DT_VARIANT_NEW, self, other,
                    (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_sub_with(dt_tensor *self, dt_tensor *other,
                       const dt_sub_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_OPTIONS_INIT");
        return NULL;
    }
    return call_sub(DT_VARIANT_NEW, self, other, options->alpha, NULL);
}

dt_tensor *dt_sub_(dt_tensor *self, dt_tensor *other)
{
    return call_sub(DT_VARIANT_IN_PLACE, self, other,
                    (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_sub_with_(dt_tensor *self, dt_tensor *other,
                        const dt_sub_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_OPTIONS_INIT");
        return NULL;
    }
    return call_sub(DT_VARIANT_IN_PLACE, self, other, options->alpha, NULL);
}

dt_tensor *dt_sub_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_sub(DT_VARIANT_OUT, self, other,
                    (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_sub_with_out(dt_tensor *self, dt_tensor *other,
                           const dt_sub_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_OPTIONS_INIT");
        return NULL;
    }
    return call_sub(DT_VARIANT_OUT, self, other, options->alpha, out);
}

static inline dt_tensor *call_rsub(dt_variant variant, dt_tensor *self,
                                   dt_tensor *other, dt_number alpha,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_RSUB, variant, arguments, 3, out);
}

dt_tensor *dt_rsub(dt_tensor *self, dt_tensor *other)
{
    return call_rsub(DT_VARIANT_NEW, self, other,
                     (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_rsub_with(dt_tensor *self, dt_tensor *other,
                        const dt_rsub_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_RSUB_OPTIONS_INIT");
        return NULL;
    }
    return call_rsub(DT_VARIANT_NEW, self, other, options->alpha, NULL);
}

dt_tensor *dt_rsub_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_rsub(DT_VARIANT_OUT, self, other,
                     (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_rsub_with_out(dt_tensor *self, dt_tensor *other,
                            const dt_rsub_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_RSUB_OPTIONS_INIT");
        return NULL;
    }
    return call_rsub(DT_VARIANT_OUT, self, other, options->alpha, out);
}

static inline dt_tensor *call_mul(dt_variant variant, dt_tensor *self,
                                  dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_MUL, variant, arguments, 2, out);
}

dt_tensor *dt_mul(dt_tensor *self, dt_tensor *other)
{
    return call_mul(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_mul_(dt_tensor *self, dt_tensor *other)
{
    return call_mul(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_mul_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_mul(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_div(dt_variant variant, dt_tensor *self,
                                  dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_DIV, variant, arguments, 2, out);
}

dt_tensor *dt_div(dt_tensor *self, dt_tensor *other)
{
    return call_div(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_div_(dt_tensor *self, dt_tensor *other)
{
    return call_div(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_div_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_div(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_add_scalar(dt_variant variant, dt_tensor *self,
                                         dt_number other, dt_number alpha,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_ADD_SCALAR, variant, arguments, 3, out);
}

dt_tensor *dt_add_scalar(dt_tensor *self, dt_number other)
{
    return call_add_scalar(DT_VARIANT_NEW, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_add_scalar_with(dt_tensor *self, dt_number other,
                              const dt_add_scalar_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_add_scalar(DT_VARIANT_NEW, self, other, options->alpha,
                           NULL);
}

dt_tensor *dt_add_scalar_(dt_tensor *self, dt_number other)
{
    return call_add_scalar(DT_VARIANT_IN_PLACE, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_add_scalar_with_(dt_tensor *self, dt_number other,
                               const dt_add_scalar_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_add_scalar(DT_VARIANT_IN_PLACE, self, other, options->alpha,
                           NULL);
}

dt_tensor *dt_add_scalar_out(dt_tensor *self, dt_number other,
                             dt_tensor *out)
{
    return call_add_scalar(DT_VARIANT_OUT, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_add_scalar_with_out(dt_tensor *self, dt_number other,
                                  const dt_add_scalar_options *options,
                                  dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADD_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_add_scalar(DT_VARIANT_OUT, self, other, options->alpha, out);
}

static inline dt_tensor *call_sub_scalar(dt_variant variant, dt_tensor *self,
                                         dt_number other, dt_number alpha,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
        {.kind = DT_ARG_NUMBER, .as.number = alpha},
    };
    return dti_op_call_one(OP_SUB_SCALAR, variant, arguments, 3, out);
}

dt_tensor *dt_sub_scalar(dt_tensor *self, dt_number other)
{
    return call_sub_scalar(DT_VARIANT_NEW, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_sub_scalar_with(dt_tensor *self, dt_number other,
                              const dt_sub_scalar_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_sub_scalar(DT_VARIANT_NEW, self, other, options->alpha,
                           NULL);
}

dt_tensor *dt_sub_scalar_(dt_tensor *self, dt_number other)
{
    return call_sub_scalar(DT_VARIANT_IN_PLACE, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_sub_scalar_with_(dt_tensor *self, dt_number other,
                               const dt_sub_scalar_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_sub_scalar(DT_VARIANT_IN_PLACE, self, other, options->alpha,
                           NULL);
}

dt_tensor *dt_sub_scalar_out(dt_tensor *self, dt_number other,
                             dt_tensor *out)
{
    return call_sub_scalar(DT_VARIANT_OUT, self, other,
                           (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_sub_scalar_with_out(dt_tensor *self, dt_number other,
                                  const dt_sub_scalar_options *options,
                                  dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUB_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_sub_scalar(DT_VARIANT_OUT, self, other, options->alpha, out);
}

static inline dt_tensor *call_rsub_scalar(dt_variant variant, dt_tensor *self,
                                          dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_RSUB_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_rsub_scalar(dt_tensor *self, dt_number other)
{
    return call_rsub_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_rsub_scalar_out(dt_tensor *self, dt_number other,
                              dt_tensor *out)
{
    return call_rsub_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_mul_scalar(dt_variant variant, dt_tensor *self,
                                         dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_MUL_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_mul_scalar(dt_tensor *self, dt_number other)
{
    return call_mul_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_mul_scalar_(dt_tensor *self, dt_number other)
{
    return call_mul_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_mul_scalar_out(dt_tensor *self, dt_number other,
                             dt_tensor *out)
{
    return call_mul_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_div_scalar(dt_variant variant, dt_tensor *self,
                                         dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_DIV_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_div_scalar(dt_tensor *self, dt_number other)
{
    return call_div_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_div_scalar_(dt_tensor *self, dt_number other)
{
    return call_div_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_div_scalar_out(dt_tensor *self, dt_number other,
                             dt_tensor *out)
{
    return call_div_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_neg(dt_variant variant, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_NEG, variant, arguments, 1, out);
}

dt_tensor *dt_neg(dt_tensor *self)
{
    return call_neg(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_neg_(dt_tensor *self)
{
    return call_neg(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_neg_out(dt_tensor *self, dt_tensor *out)
{
    return call_neg(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_positive(dt_variant variant, dt_tensor *self,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_POSITIVE, variant, arguments, 1, out);
}

dt_tensor *dt_positive(dt_tensor *self)
{
    return call_positive(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_abs(dt_variant variant, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ABS, variant, arguments, 1, out);
}

dt_tensor *dt_abs(dt_tensor *self)
{
    return call_abs(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_abs_(dt_tensor *self)
{
    return call_abs(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_abs_out(dt_tensor *self, dt_tensor *out)
{
    return call_abs(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_reciprocal(dt_variant variant, dt_tensor *self,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_RECIPROCAL, variant, arguments, 1, out);
}

dt_tensor *dt_reciprocal(dt_tensor *self)
{
    return call_reciprocal(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_reciprocal_(dt_tensor *self)
{
    return call_reciprocal(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_reciprocal_out(dt_tensor *self, dt_tensor *out)
{
    return call_reciprocal(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_square(dt_variant variant, dt_tensor *self,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SQUARE, variant, arguments, 1, out);
}

dt_tensor *dt_square(dt_tensor *self)
{
    return call_square(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_square_(dt_tensor *self)
{
    return call_square(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_square_out(dt_tensor *self, dt_tensor *out)
{
    return call_square(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_lerp(dt_variant variant, dt_tensor *self,
                                   dt_tensor *end, dt_tensor *weight,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = end},
        {.kind = DT_ARG_TENSOR, .as.tensor = weight},
    };
    return dti_op_call_one(OP_LERP, variant, arguments, 3, out);
}

dt_tensor *dt_lerp(dt_tensor *self, dt_tensor *end, dt_tensor *weight)
{
    return call_lerp(DT_VARIANT_NEW, self, end, weight, NULL);
}

dt_tensor *dt_lerp_(dt_tensor *self, dt_tensor *end, dt_tensor *weight)
{
    return call_lerp(DT_VARIANT_IN_PLACE, self, end, weight, NULL);
}

dt_tensor *dt_lerp_out(dt_tensor *self, dt_tensor *end, dt_tensor *weight,
                       dt_tensor *out)
{
    return call_lerp(DT_VARIANT_OUT, self, end, weight, out);
}

static inline dt_tensor *call_lerp_scalar(dt_variant variant, dt_tensor *self,
                                          dt_tensor *end, dt_number weight,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = end},
        {.kind = DT_ARG_NUMBER, .as.number = weight},
    };
    return dti_op_call_one(OP_LERP_SCALAR, variant, arguments, 3, out);
}

dt_tensor *dt_lerp_scalar(dt_tensor *self, dt_tensor *end, dt_number weight)
{
    return call_lerp_scalar(DT_VARIANT_NEW, self, end, weight, NULL);
}

dt_tensor *dt_lerp_scalar_(dt_tensor *self, dt_tensor *end, dt_number weight)
{
    return call_lerp_scalar(DT_VARIANT_IN_PLACE, self, end, weight, NULL);
}

dt_tensor *dt_lerp_scalar_out(dt_tensor *self, dt_tensor *end, dt_number weight,
                              dt_tensor *out)
{
    return call_lerp_scalar(DT_VARIANT_OUT, self, end, weight, out);
}

static inline dt_tensor *call_addcmul(dt_variant variant, dt_tensor *self,
                                      dt_tensor *tensor1, dt_tensor *tensor2,
                                      dt_number value, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = tensor1},
        {.kind = DT_ARG_TENSOR, .as.tensor = tensor2},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_ADDCMUL, variant, arguments, 4, out);
}

dt_tensor *dt_addcmul(dt_tensor *self, dt_tensor *tensor1,
                      dt_tensor *tensor2)
{
    return call_addcmul(DT_VARIANT_NEW, self, tensor1, tensor2,
                        (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addcmul_with(dt_tensor *self, dt_tensor *tensor1,
                           dt_tensor *tensor2,
                           const dt_addcmul_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDCMUL_OPTIONS_INIT");
        return NULL;
    }
    return call_addcmul(DT_VARIANT_NEW, self, tensor1, tensor2, options->value,
                        NULL);
}

dt_tensor *dt_addcmul_(dt_tensor *self, dt_tensor *tensor1,
                       dt_tensor *tensor2)
{
    return call_addcmul(DT_VARIANT_IN_PLACE, self, tensor1, tensor2,
                        (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addcmul_with_(dt_tensor *self, dt_tensor *tensor1,
                            dt_tensor *tensor2,
                            const dt_addcmul_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDCMUL_OPTIONS_INIT");
        return NULL;
    }
    return call_addcmul(DT_VARIANT_IN_PLACE, self, tensor1, tensor2,
                        options->value, NULL);
}

dt_tensor *dt_addcmul_out(dt_tensor *self, dt_tensor *tensor1,
                          dt_tensor *tensor2, dt_tensor *out)
{
    return call_addcmul(DT_VARIANT_OUT, self, tensor1, tensor2,
                        (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_addcmul_with_out(dt_tensor *self, dt_tensor *tensor1,
                               dt_tensor *tensor2,
                               const dt_addcmul_options *options,
                               dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDCMUL_OPTIONS_INIT");
        return NULL;
    }
    return call_addcmul(DT_VARIANT_OUT, self, tensor1, tensor2, options->value,
                        out);
}

static inline dt_tensor *call_addcdiv(dt_variant variant, dt_tensor *self,
                                      dt_tensor *tensor1, dt_tensor *tensor2,
                                      dt_number value, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = tensor1},
        {.kind = DT_ARG_TENSOR, .as.tensor = tensor2},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_ADDCDIV, variant, arguments, 4, out);
}

dt_tensor *dt_addcdiv(dt_tensor *self, dt_tensor *tensor1,
                      dt_tensor *tensor2)
{
    return call_addcdiv(DT_VARIANT_NEW, self, tensor1, tensor2,
                        (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addcdiv_with(dt_tensor *self, dt_tensor *tensor1,
                           dt_tensor *tensor2,
                           const dt_addcdiv_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDCDIV_OPTIONS_INIT");
        return NULL;
    }
    return call_addcdiv(DT_VARIANT_NEW, self, tensor1, tensor2, options->value,
                        NULL);
}

dt_tensor *dt_addcdiv_(dt_tensor *self, dt_tensor *tensor1,
                       dt_tensor *tensor2)
{
    return call_addcdiv(DT_VARIANT_IN_PLACE, self, tensor1, tensor2,
                        (dt_number){DT_KIND_SIGNED, {1}, 0}, NULL);
}

dt_tensor *dt_addcdiv_with_(dt_tensor *self, dt_tensor *tensor1,
                            dt_tensor *tensor2,
                            const dt_addcdiv_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDCDIV_OPTIONS_INIT");
        return NULL;
    }
    return call_addcdiv(DT_VARIANT_IN_PLACE, self, tensor1, tensor2,
                        options->value, NULL);
}

dt_tensor *dt_addcdiv_out(dt_tensor *self, dt_tensor *tensor1,
                          dt_tensor *tensor2, dt_tensor *out)
{
    return call_addcdiv(DT_VARIANT_OUT, self, tensor1, tensor2,
                        (dt_number){DT_KIND_SIGNED, {1}, 0}, out);
}

dt_tensor *dt_addcdiv_with_out(dt_tensor *self, dt_tensor *tensor1,
                               dt_tensor *tensor2,
                               const dt_addcdiv_options *options,
                               dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ADDCDIV_OPTIONS_INIT");
        return NULL;
    }
    return call_addcdiv(DT_VARIANT_OUT, self, tensor1, tensor2, options->value,
                        out);
}

static inline dt_tensor *call_dropout(dt_variant variant, dt_tensor *self,
                                      double p, bool train,
                                      dt_generator *generator,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = p},
        {.kind = DT_ARG_INTEGER, .as.integer = train},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_DROPOUT, variant, arguments, 4, out);
}

dt_tensor *dt_dropout(dt_tensor *self, double p, bool train)
{
    return call_dropout(DT_VARIANT_NEW, self, p, train, 0, NULL);
}

dt_tensor *dt_dropout_with(dt_tensor *self, double p, bool train,
                           const dt_dropout_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_DROPOUT_OPTIONS_INIT");
        return NULL;
    }
    return call_dropout(DT_VARIANT_NEW, self, p, train, options->generator,
                        NULL);
}

dt_tensor *dt_dropout_(dt_tensor *self, double p, bool train)
{
    return call_dropout(DT_VARIANT_IN_PLACE, self, p, train, 0, NULL);
}

dt_tensor *dt_dropout_with_(dt_tensor *self, double p, bool train,
                            const dt_dropout_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_DROPOUT_OPTIONS_INIT");
        return NULL;
    }
    return call_dropout(DT_VARIANT_IN_PLACE, self, p, train, options->generator,
                        NULL);
}

static inline dt_status call_native_dropout(dt_variant variant,
                                            dt_tensor *input, double p,
                                            bool train, dt_generator *generator,
                                            dt_tensor **output,
                                            dt_tensor **mask)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = input},
        {.kind = DT_ARG_REAL, .as.real = p},
        {.kind = DT_ARG_INTEGER, .as.integer = train},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_NATIVE_DROPOUT, variant, arguments,
                                        4, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (output)
        *output = results[0];
    if (mask)
        *mask = results[1];
    return DT_OK;
}

dt_status dt_native_dropout(dt_tensor *input, double p, bool train,
                            dt_tensor **output, dt_tensor **mask)
{
    return call_native_dropout(DT_VARIANT_NEW, input, p, train, 0, output,
                               mask);
}

dt_status dt_native_dropout_with(dt_tensor *input, double p, bool train,
                                 const dt_native_dropout_options *options,
                                 dt_tensor **output, dt_tensor **mask)
{
    if (options->size != sizeof *options)
        return refuse_size(input, options->size, sizeof *options,
                           "DT_NATIVE_DROPOUT_OPTIONS_INIT");
    return call_native_dropout(DT_VARIANT_NEW, input, p, train,
                               options->generator, output, mask);
}

static inline dt_tensor *call_native_dropout_backward(dt_variant variant,
                                                      dt_tensor *grad_output,
                                                      dt_tensor *mask,
                                                      double scale,
                                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = mask},
        {.kind = DT_ARG_REAL, .as.real = scale},
    };
    return dti_op_call_one(OP_NATIVE_DROPOUT_BACKWARD, variant, arguments, 3, out);
}

dt_tensor *dt_native_dropout_backward(dt_tensor *grad_output, dt_tensor *mask,
                                      double scale)
{
    return call_native_dropout_backward(DT_VARIANT_NEW, grad_output, mask,
                                        scale, NULL);
}

dt_tensor *dt_native_dropout_backward_out(dt_tensor *grad_output,
                                          dt_tensor *mask, double scale,
                                          dt_tensor *out)
{
    return call_native_dropout_backward(DT_VARIANT_OUT, grad_output, mask,
                                        scale, out);
}

static inline dt_tensor *call_normal(dt_variant variant, dt_tensor *self,
                                     double mean, double std,
                                     dt_generator *generator, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = mean},
        {.kind = DT_ARG_REAL, .as.real = std},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_NORMAL, variant, arguments, 4, out);
}

dt_tensor *dt_normal(dt_tensor *self, double mean, double std)
{
    return call_normal(DT_VARIANT_NEW, self, mean, std, 0, NULL);
}

dt_tensor *dt_normal_with(dt_tensor *self, double mean, double std,
                          const dt_normal_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NORMAL_OPTIONS_INIT");
        return NULL;
    }
    return call_normal(DT_VARIANT_NEW, self, mean, std, options->generator,
                       NULL);
}

dt_tensor *dt_normal_(dt_tensor *self, double mean, double std)
{
    return call_normal(DT_VARIANT_IN_PLACE, self, mean, std, 0, NULL);
}

dt_tensor *dt_normal_with_(dt_tensor *self, double mean, double std,
                           const dt_normal_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NORMAL_OPTIONS_INIT");
        return NULL;
    }
    return call_normal(DT_VARIANT_IN_PLACE, self, mean, std, options->generator,
                       NULL);
}

static inline dt_tensor *call_uniform(dt_variant variant, dt_tensor *self,
                                      double from, double to,
                                      dt_generator *generator,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = from},
        {.kind = DT_ARG_REAL, .as.real = to},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_UNIFORM, variant, arguments, 4, out);
}

dt_tensor *dt_uniform(dt_tensor *self, double from, double to)
{
    return call_uniform(DT_VARIANT_NEW, self, from, to, 0, NULL);
}

dt_tensor *dt_uniform_with(dt_tensor *self, double from, double to,
                           const dt_uniform_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_UNIFORM_OPTIONS_INIT");
        return NULL;
    }
    return call_uniform(DT_VARIANT_NEW, self, from, to, options->generator,
                        NULL);
}

dt_tensor *dt_uniform_(dt_tensor *self, double from, double to)
{
    return call_uniform(DT_VARIANT_IN_PLACE, self, from, to, 0, NULL);
}

dt_tensor *dt_uniform_with_(dt_tensor *self, double from, double to,
                            const dt_uniform_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_UNIFORM_OPTIONS_INIT");
        return NULL;
    }
    return call_uniform(DT_VARIANT_IN_PLACE, self, from, to, options->generator,
                        NULL);
}

static inline dt_tensor *call_bernoulli(dt_variant variant, dt_tensor *self,
                                        dt_generator *generator,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_BERNOULLI, variant, arguments, 2, out);
}

dt_tensor *dt_bernoulli(dt_tensor *self)
{
    return call_bernoulli(DT_VARIANT_NEW, self, 0, NULL);
}

dt_tensor *dt_bernoulli_with(dt_tensor *self,
                             const dt_bernoulli_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BERNOULLI_OPTIONS_INIT");
        return NULL;
    }
    return call_bernoulli(DT_VARIANT_NEW, self, options->generator, NULL);
}

dt_tensor *dt_bernoulli_out(dt_tensor *self, dt_tensor *out)
{
    return call_bernoulli(DT_VARIANT_OUT, self, 0, out);
}

dt_tensor *dt_bernoulli_with_out(dt_tensor *self,
                                 const dt_bernoulli_options *options,
                                 dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BERNOULLI_OPTIONS_INIT");
        return NULL;
    }
    return call_bernoulli(DT_VARIANT_OUT, self, options->generator, out);
}

static inline dt_tensor *call_bernoulli_tensor(dt_variant variant,
                                               dt_tensor *self, dt_tensor *p,
                                               dt_generator *generator,
                                               dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = p},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_BERNOULLI_TENSOR, variant, arguments, 3, out);
}

dt_tensor *dt_bernoulli_tensor(dt_tensor *self, dt_tensor *p)
{
    return call_bernoulli_tensor(DT_VARIANT_NEW, self, p, 0, NULL);
}

dt_tensor *dt_bernoulli_tensor_with(dt_tensor *self, dt_tensor *p,
                                    const dt_bernoulli_tensor_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BERNOULLI_TENSOR_OPTIONS_INIT");
        return NULL;
    }
    return call_bernoulli_tensor(DT_VARIANT_NEW, self, p, options->generator,
                                 NULL);
}

dt_tensor *dt_bernoulli_tensor_(dt_tensor *self, dt_tensor *p)
{
    return call_bernoulli_tensor(DT_VARIANT_IN_PLACE, self, p, 0, NULL);
}

dt_tensor *dt_bernoulli_tensor_with_(dt_tensor *self, dt_tensor *p,
                                     const dt_bernoulli_tensor_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BERNOULLI_TENSOR_OPTIONS_INIT");
        return NULL;
    }
    return call_bernoulli_tensor(DT_VARIANT_IN_PLACE, self, p,
                                 options->generator, NULL);
}

static inline dt_tensor *call_bernoulli_scalar(dt_variant variant,
                                               dt_tensor *self, double p,
                                               dt_generator *generator,
                                               dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = p},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_BERNOULLI_SCALAR, variant, arguments, 3, out);
}

dt_tensor *dt_bernoulli_scalar(dt_tensor *self, double p)
{
    return call_bernoulli_scalar(DT_VARIANT_NEW, self, p, 0, NULL);
}

dt_tensor *dt_bernoulli_scalar_with(dt_tensor *self, double p,
                                    const dt_bernoulli_scalar_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BERNOULLI_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_bernoulli_scalar(DT_VARIANT_NEW, self, p, options->generator,
                                 NULL);
}

dt_tensor *dt_bernoulli_scalar_(dt_tensor *self, double p)
{
    return call_bernoulli_scalar(DT_VARIANT_IN_PLACE, self, p, 0, NULL);
}

dt_tensor *dt_bernoulli_scalar_with_(dt_tensor *self, double p,
                                     const dt_bernoulli_scalar_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BERNOULLI_SCALAR_OPTIONS_INIT");
        return NULL;
    }
    return call_bernoulli_scalar(DT_VARIANT_IN_PLACE, self, p,
                                 options->generator, NULL);
}

static inline dt_tensor *call_exponential(dt_variant variant, dt_tensor *self,
                                          double lambd, dt_generator *generator,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = lambd},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_EXPONENTIAL, variant, arguments, 3, out);
}

dt_tensor *dt_exponential(dt_tensor *self, double lambd)
{
    return call_exponential(DT_VARIANT_NEW, self, lambd, 0, NULL);
}

dt_tensor *dt_exponential_with(dt_tensor *self, double lambd,
                               const dt_exponential_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_EXPONENTIAL_OPTIONS_INIT");
        return NULL;
    }
    return call_exponential(DT_VARIANT_NEW, self, lambd, options->generator,
                            NULL);
}

dt_tensor *dt_exponential_(dt_tensor *self, double lambd)
{
    return call_exponential(DT_VARIANT_IN_PLACE, self, lambd, 0, NULL);
}

dt_tensor *dt_exponential_with_(dt_tensor *self, double lambd,
                                const dt_exponential_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_EXPONENTIAL_OPTIONS_INIT");
        return NULL;
    }
    return call_exponential(DT_VARIANT_IN_PLACE, self, lambd,
                            options->generator, NULL);
}

static inline dt_tensor *call_log_normal(dt_variant variant, dt_tensor *self,
                                         double mean, double std,
                                         dt_generator *generator,
                                         dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = mean},
        {.kind = DT_ARG_REAL, .as.real = std},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_LOG_NORMAL, variant, arguments, 4, out);
}

dt_tensor *dt_log_normal(dt_tensor *self, double mean, double std)
{
    return call_log_normal(DT_VARIANT_NEW, self, mean, std, 0, NULL);
}

dt_tensor *dt_log_normal_with(dt_tensor *self, double mean, double std,
                              const dt_log_normal_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_LOG_NORMAL_OPTIONS_INIT");
        return NULL;
    }
    return call_log_normal(DT_VARIANT_NEW, self, mean, std, options->generator,
                           NULL);
}

dt_tensor *dt_log_normal_(dt_tensor *self, double mean, double std)
{
    return call_log_normal(DT_VARIANT_IN_PLACE, self, mean, std, 0, NULL);
}

dt_tensor *dt_log_normal_with_(dt_tensor *self, double mean, double std,
                               const dt_log_normal_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_LOG_NORMAL_OPTIONS_INIT");
        return NULL;
    }
    return call_log_normal(DT_VARIANT_IN_PLACE, self, mean, std,
                           options->generator, NULL);
}

static inline dt_tensor *call_geometric(dt_variant variant, dt_tensor *self,
                                        double p, dt_generator *generator,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = p},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_GEOMETRIC, variant, arguments, 3, out);
}

dt_tensor *dt_geometric(dt_tensor *self, double p)
{
    return call_geometric(DT_VARIANT_NEW, self, p, 0, NULL);
}

dt_tensor *dt_geometric_with(dt_tensor *self, double p,
                             const dt_geometric_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_GEOMETRIC_OPTIONS_INIT");
        return NULL;
    }
    return call_geometric(DT_VARIANT_NEW, self, p, options->generator, NULL);
}

dt_tensor *dt_geometric_(dt_tensor *self, double p)
{
    return call_geometric(DT_VARIANT_IN_PLACE, self, p, 0, NULL);
}

dt_tensor *dt_geometric_with_(dt_tensor *self, double p,
                              const dt_geometric_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_GEOMETRIC_OPTIONS_INIT");
        return NULL;
    }
    return call_geometric(DT_VARIANT_IN_PLACE, self, p, options->generator,
                          NULL);
}

static inline dt_tensor *call_cauchy(dt_variant variant, dt_tensor *self,
                                     double median, double sigma,
                                     dt_generator *generator, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = median},
        {.kind = DT_ARG_REAL, .as.real = sigma},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_CAUCHY, variant, arguments, 4, out);
}

dt_tensor *dt_cauchy(dt_tensor *self, double median, double sigma)
{
    return call_cauchy(DT_VARIANT_NEW, self, median, sigma, 0, NULL);
}

dt_tensor *dt_cauchy_with(dt_tensor *self, double median, double sigma,
                          const dt_cauchy_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CAUCHY_OPTIONS_INIT");
        return NULL;
    }
    return call_cauchy(DT_VARIANT_NEW, self, median, sigma, options->generator,
                       NULL);
}

dt_tensor *dt_cauchy_(dt_tensor *self, double median, double sigma)
{
    return call_cauchy(DT_VARIANT_IN_PLACE, self, median, sigma, 0, NULL);
}

dt_tensor *dt_cauchy_with_(dt_tensor *self, double median, double sigma,
                           const dt_cauchy_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CAUCHY_OPTIONS_INIT");
        return NULL;
    }
    return call_cauchy(DT_VARIANT_IN_PLACE, self, median, sigma,
                       options->generator, NULL);
}

static inline dt_tensor *call_random(dt_variant variant, dt_tensor *self,
                                     int64_t from, int64_t to,
                                     dt_generator *generator, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = from},
        {.kind = DT_ARG_INTEGER, .as.integer = to},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_RANDOM, variant, arguments, 4, out);
}

dt_tensor *dt_random(dt_tensor *self, int64_t from, int64_t to)
{
    return call_random(DT_VARIANT_NEW, self, from, to, 0, NULL);
}

dt_tensor *dt_random_with(dt_tensor *self, int64_t from, int64_t to,
                          const dt_random_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_RANDOM_OPTIONS_INIT");
        return NULL;
    }
    return call_random(DT_VARIANT_NEW, self, from, to, options->generator,
                       NULL);
}

dt_tensor *dt_random_(dt_tensor *self, int64_t from, int64_t to)
{
    return call_random(DT_VARIANT_IN_PLACE, self, from, to, 0, NULL);
}

dt_tensor *dt_random_with_(dt_tensor *self, int64_t from, int64_t to,
                           const dt_random_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_RANDOM_OPTIONS_INIT");
        return NULL;
    }
    return call_random(DT_VARIANT_IN_PLACE, self, from, to, options->generator,
                       NULL);
}

static inline dt_tensor *call_multinomial(dt_variant variant, dt_tensor *self,
                                          int64_t num_samples, bool replacement,
                                          dt_generator *generator,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = num_samples},
        {.kind = DT_ARG_INTEGER, .as.integer = replacement},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_MULTINOMIAL, variant, arguments, 4, out);
}

dt_tensor *dt_multinomial(dt_tensor *self, int64_t num_samples,
                          bool replacement)
{
    return call_multinomial(DT_VARIANT_NEW, self, num_samples, replacement, 0,
                            NULL);
}

dt_tensor *dt_multinomial_with(dt_tensor *self, int64_t num_samples,
                               bool replacement,
                               const dt_multinomial_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_MULTINOMIAL_OPTIONS_INIT");
        return NULL;
    }
    return call_multinomial(DT_VARIANT_NEW, self, num_samples, replacement,
                            options->generator, NULL);
}

dt_tensor *dt_multinomial_out(dt_tensor *self, int64_t num_samples,
                              bool replacement, dt_tensor *out)
{
    return call_multinomial(DT_VARIANT_OUT, self, num_samples, replacement, 0,
                            out);
}

dt_tensor *dt_multinomial_with_out(dt_tensor *self, int64_t num_samples,
                                   bool replacement,
                                   const dt_multinomial_options *options,
                                   dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_MULTINOMIAL_OPTIONS_INIT");
        return NULL;
    }
    return call_multinomial(DT_VARIANT_OUT, self, num_samples, replacement,
                            options->generator, out);
}

static inline dt_tensor *call_trunc_normal(dt_variant variant, dt_tensor *self,
                                           double mean, double std, double a,
                                           double b, dt_generator *generator,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = mean},
        {.kind = DT_ARG_REAL, .as.real = std},
        {.kind = DT_ARG_REAL, .as.real = a},
        {.kind = DT_ARG_REAL, .as.real = b},
        {.kind = generator ? DT_ARG_GENERATOR : DT_ARG_NONE,
         .as.generator = generator},
    };
    return dti_op_call_one(OP_TRUNC_NORMAL, variant, arguments, 6, out);
}

dt_tensor *dt_trunc_normal(dt_tensor *self, double mean, double std, double a,
                           double b)
{
    return call_trunc_normal(DT_VARIANT_NEW, self, mean, std, a, b, 0, NULL);
}

dt_tensor *dt_trunc_normal_with(dt_tensor *self, double mean, double std,
                                double a, double b,
                                const dt_trunc_normal_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_TRUNC_NORMAL_OPTIONS_INIT");
        return NULL;
    }
    return call_trunc_normal(DT_VARIANT_NEW, self, mean, std, a, b,
                             options->generator, NULL);
}

dt_tensor *dt_trunc_normal_(dt_tensor *self, double mean, double std, double a,
                            double b)
{
    return call_trunc_normal(DT_VARIANT_IN_PLACE, self, mean, std, a, b, 0,
                             NULL);
}

dt_tensor *dt_trunc_normal_with_(dt_tensor *self, double mean, double std,
                                 double a, double b,
                                 const dt_trunc_normal_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_TRUNC_NORMAL_OPTIONS_INIT");
        return NULL;
    }
    return call_trunc_normal(DT_VARIANT_IN_PLACE, self, mean, std, a, b,
                             options->generator, NULL);
}

static inline dt_tensor *call_sum(dt_variant variant, dt_tensor *self,
                                  dt_dims dims, bool keepdim,
                                  const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_SUM, variant, arguments, 4, out);
}

dt_tensor *dt_sum(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_sum(DT_VARIANT_NEW, self, dims, keepdim, 0, NULL);
}

dt_tensor *dt_sum_with(dt_tensor *self, dt_dims dims, bool keepdim,
                       const dt_sum_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUM_OPTIONS_INIT");
        return NULL;
    }
    return call_sum(DT_VARIANT_NEW, self, dims, keepdim, options->dtype,
                    NULL);
}

dt_tensor *dt_sum_out(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor *out)
{
    return call_sum(DT_VARIANT_OUT, self, dims, keepdim, 0, out);
}

dt_tensor *dt_sum_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_sum_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SUM_OPTIONS_INIT");
        return NULL;
    }
    return call_sum(DT_VARIANT_OUT, self, dims, keepdim, options->dtype,
                    out);
}

static inline dt_tensor *call_mean(dt_variant variant, dt_tensor *self,
                                   dt_dims dims, bool keepdim,
                                   const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_MEAN, variant, arguments, 4, out);
}

dt_tensor *dt_mean(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_mean(DT_VARIANT_NEW, self, dims, keepdim, 0, NULL);
}

dt_tensor *dt_mean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                        const dt_mean_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_MEAN_OPTIONS_INIT");
        return NULL;
    }
    return call_mean(DT_VARIANT_NEW, self, dims, keepdim, options->dtype,
                     NULL);
}

dt_tensor *dt_mean_out(dt_tensor *self, dt_dims dims, bool keepdim,
                       dt_tensor *out)
{
    return call_mean(DT_VARIANT_OUT, self, dims, keepdim, 0, out);
}

dt_tensor *dt_mean_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                            const dt_mean_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_MEAN_OPTIONS_INIT");
        return NULL;
    }
    return call_mean(DT_VARIANT_OUT, self, dims, keepdim, options->dtype,
                     out);
}

static inline dt_tensor *call_nansum(dt_variant variant, dt_tensor *self,
                                     dt_dims dims, bool keepdim,
                                     const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NANSUM, variant, arguments, 4, out);
}

dt_tensor *dt_nansum(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_nansum(DT_VARIANT_NEW, self, dims, keepdim, 0, NULL);
}

dt_tensor *dt_nansum_with(dt_tensor *self, dt_dims dims, bool keepdim,
                          const dt_nansum_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NANSUM_OPTIONS_INIT");
        return NULL;
    }
    return call_nansum(DT_VARIANT_NEW, self, dims, keepdim, options->dtype,
                       NULL);
}

dt_tensor *dt_nansum_out(dt_tensor *self, dt_dims dims, bool keepdim,
                         dt_tensor *out)
{
    return call_nansum(DT_VARIANT_OUT, self, dims, keepdim, 0, out);
}

dt_tensor *dt_nansum_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              const dt_nansum_options *options,
                              dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NANSUM_OPTIONS_INIT");
        return NULL;
    }
    return call_nansum(DT_VARIANT_OUT, self, dims, keepdim, options->dtype,
                       out);
}

static inline dt_tensor *call_nanmean(dt_variant variant, dt_tensor *self,
                                      dt_dims dims, bool keepdim,
                                      const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_NANMEAN, variant, arguments, 4, out);
}

dt_tensor *dt_nanmean(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_nanmean(DT_VARIANT_NEW, self, dims, keepdim, 0, NULL);
}

dt_tensor *dt_nanmean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_nanmean_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NANMEAN_OPTIONS_INIT");
        return NULL;
    }
    return call_nanmean(DT_VARIANT_NEW, self, dims, keepdim, options->dtype,
                        NULL);
}

dt_tensor *dt_nanmean_out(dt_tensor *self, dt_dims dims, bool keepdim,
                          dt_tensor *out)
{
    return call_nanmean(DT_VARIANT_OUT, self, dims, keepdim, 0, out);
}

dt_tensor *dt_nanmean_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                               const dt_nanmean_options *options,
                               dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NANMEAN_OPTIONS_INIT");
        return NULL;
    }
    return call_nanmean(DT_VARIANT_OUT, self, dims, keepdim, options->dtype,
                        out);
}

static inline dt_tensor *call_count_nonzero(dt_variant variant, dt_tensor *self,
                                            dt_dims dims, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
    };
    return dti_op_call_one(OP_COUNT_NONZERO, variant, arguments, 2, out);
}

dt_tensor *dt_count_nonzero(dt_tensor *self, dt_dims dims)
{
    return call_count_nonzero(DT_VARIANT_NEW, self, dims, NULL);
}

dt_tensor *dt_count_nonzero_out(dt_tensor *self, dt_dims dims,
                                dt_tensor *out)
{
    return call_count_nonzero(DT_VARIANT_OUT, self, dims, out);
}

static inline dt_tensor *call_prod(dt_variant variant, dt_tensor *self,
                                   dt_dims dims, bool keepdim,
                                   const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_PROD, variant, arguments, 4, out);
}

dt_tensor *dt_prod(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_prod(DT_VARIANT_NEW, self, dims, keepdim, 0, NULL);
}

dt_tensor *dt_prod_with(dt_tensor *self, dt_dims dims, bool keepdim,
                        const dt_prod_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_PROD_OPTIONS_INIT");
        return NULL;
    }
    return call_prod(DT_VARIANT_NEW, self, dims, keepdim, options->dtype,
                     NULL);
}

dt_tensor *dt_prod_out(dt_tensor *self, dt_dims dims, bool keepdim,
                       dt_tensor *out)
{
    return call_prod(DT_VARIANT_OUT, self, dims, keepdim, 0, out);
}

dt_tensor *dt_prod_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                            const dt_prod_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_PROD_OPTIONS_INIT");
        return NULL;
    }
    return call_prod(DT_VARIANT_OUT, self, dims, keepdim, options->dtype,
                     out);
}

static inline dt_tensor *call_amax(dt_variant variant, dt_tensor *self,
                                   dt_dims dims, bool keepdim,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_AMAX, variant, arguments, 3, out);
}

dt_tensor *dt_amax(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_amax(DT_VARIANT_NEW, self, dims, keepdim, NULL);
}

dt_tensor *dt_amax_out(dt_tensor *self, dt_dims dims, bool keepdim,
                       dt_tensor *out)
{
    return call_amax(DT_VARIANT_OUT, self, dims, keepdim, out);
}

static inline dt_tensor *call_amin(dt_variant variant, dt_tensor *self,
                                   dt_dims dims, bool keepdim,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_AMIN, variant, arguments, 3, out);
}

dt_tensor *dt_amin(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_amin(DT_VARIANT_NEW, self, dims, keepdim, NULL);
}

dt_tensor *dt_amin_out(dt_tensor *self, dt_dims dims, bool keepdim,
                       dt_tensor *out)
{
    return call_amin(DT_VARIANT_OUT, self, dims, keepdim, out);
}

static inline dt_status call_aminmax(dt_variant variant, dt_tensor *self,
                                     dt_dims dims, bool keepdim,
                                     dt_tensor **min, dt_tensor **max)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_AMINMAX, variant, arguments,
                                        3, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (min)
        *min = results[0];
    if (max)
        *max = results[1];
    return DT_OK;
}

dt_status dt_aminmax(dt_tensor *self, dt_dims dims, bool keepdim,
                     dt_tensor **min, dt_tensor **max)
{
    return call_aminmax(DT_VARIANT_NEW, self, dims, keepdim, min, max);
}

static inline dt_tensor *call_all(dt_variant variant, dt_tensor *self,
                                  dt_dims dims, bool keepdim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_ALL, variant, arguments, 3, out);
}

dt_tensor *dt_all(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_all(DT_VARIANT_NEW, self, dims, keepdim, NULL);
}

dt_tensor *dt_all_out(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor *out)
{
    return call_all(DT_VARIANT_OUT, self, dims, keepdim, out);
}

static inline dt_tensor *call_any(dt_variant variant, dt_tensor *self,
                                  dt_dims dims, bool keepdim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_ANY, variant, arguments, 3, out);
}

dt_tensor *dt_any(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_any(DT_VARIANT_NEW, self, dims, keepdim, NULL);
}

dt_tensor *dt_any_out(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor *out)
{
    return call_any(DT_VARIANT_OUT, self, dims, keepdim, out);
}

static inline dt_tensor *call_powsum(dt_variant variant, dt_tensor *self,
                                     double p, dt_dims dims, bool keepdim,
                                     const dt_dtype *dtype, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = p},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_POWSUM, variant, arguments, 5, out);
}

dt_tensor *dt_powsum(dt_tensor *self, double p, dt_dims dims, bool keepdim)
{
    return call_powsum(DT_VARIANT_NEW, self, p, dims, keepdim, 0, NULL);
}

dt_tensor *dt_powsum_with(dt_tensor *self, double p, dt_dims dims, bool keepdim,
                          const dt_powsum_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_POWSUM_OPTIONS_INIT");
        return NULL;
    }
    return call_powsum(DT_VARIANT_NEW, self, p, dims, keepdim, options->dtype,
                       NULL);
}

static inline dt_tensor *call_amax_abs(dt_variant variant, dt_tensor *self,
                                       dt_dims dims, bool keepdim,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_AMAX_ABS, variant, arguments, 3, out);
}

dt_tensor *dt_amax_abs(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_amax_abs(DT_VARIANT_NEW, self, dims, keepdim, NULL);
}

static inline dt_tensor *call_amin_abs(dt_variant variant, dt_tensor *self,
                                       dt_dims dims, bool keepdim,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_AMIN_ABS, variant, arguments, 3, out);
}

dt_tensor *dt_amin_abs(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_amin_abs(DT_VARIANT_NEW, self, dims, keepdim, NULL);
}

static inline dt_tensor *call_norm(dt_variant variant, dt_tensor *self,
                                   double p, dt_dims dims, bool keepdim,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = p},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    return dti_op_call_one(OP_NORM, variant, arguments, 4, out);
}

dt_tensor *dt_norm(dt_tensor *self, double p, dt_dims dims, bool keepdim)
{
    return call_norm(DT_VARIANT_NEW, self, p, dims, keepdim, NULL);
}

static inline dt_tensor *call_repeat(dt_variant variant, dt_tensor *self,
                                     const int64_t *repeats, int repeats_count,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = repeats_count,
         .as.integers = repeats},
    };
    return dti_op_call_one(OP_REPEAT, variant, arguments, 2, out);
}

dt_tensor *dt_repeat(dt_tensor *self, const int64_t *repeats,
                     int repeats_count)
{
    return call_repeat(DT_VARIANT_NEW, self, repeats, repeats_count, NULL);
}

static inline dt_tensor *call_tile(dt_variant variant, dt_tensor *self,
                                   const int64_t *dims, int dims_count,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count, .as.integers = dims},
    };
    return dti_op_call_one(OP_TILE, variant, arguments, 2, out);
}

dt_tensor *dt_tile(dt_tensor *self, const int64_t *dims, int dims_count)
{
    return call_tile(DT_VARIANT_NEW, self, dims, dims_count, NULL);
}

static inline dt_tensor *call_repeat_interleave(dt_variant variant,
                                                dt_tensor *self,
                                                int64_t repeats, int dim,
                                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = repeats},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_REPEAT_INTERLEAVE, variant, arguments, 3, out);
}

dt_tensor *dt_repeat_interleave(dt_tensor *self, int64_t repeats, int dim)
{
    return call_repeat_interleave(DT_VARIANT_NEW, self, repeats, dim, NULL);
}

static inline dt_tensor *call_floor(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_FLOOR, variant, arguments, 1, out);
}

dt_tensor *dt_floor(dt_tensor *self)
{
    return call_floor(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_floor_(dt_tensor *self)
{
    return call_floor(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_floor_out(dt_tensor *self, dt_tensor *out)
{
    return call_floor(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_ceil(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_CEIL, variant, arguments, 1, out);
}

dt_tensor *dt_ceil(dt_tensor *self)
{
    return call_ceil(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_ceil_(dt_tensor *self)
{
    return call_ceil(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_ceil_out(dt_tensor *self, dt_tensor *out)
{
    return call_ceil(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_trunc(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_TRUNC, variant, arguments, 1, out);
}

dt_tensor *dt_trunc(dt_tensor *self)
{
    return call_trunc(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_trunc_(dt_tensor *self)
{
    return call_trunc(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_trunc_out(dt_tensor *self, dt_tensor *out)
{
    return call_trunc(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_round(dt_variant variant, dt_tensor *self,
                                    int64_t decimals, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = decimals},
    };
    return dti_op_call_one(OP_ROUND, variant, arguments, 2, out);
}

dt_tensor *dt_round(dt_tensor *self)
{
    return call_round(DT_VARIANT_NEW, self, 0, NULL);
}

dt_tensor *dt_round_with(dt_tensor *self, const dt_round_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ROUND_OPTIONS_INIT");
        return NULL;
    }
    return call_round(DT_VARIANT_NEW, self, options->decimals, NULL);
}

dt_tensor *dt_round_(dt_tensor *self)
{
    return call_round(DT_VARIANT_IN_PLACE, self, 0, NULL);
}

dt_tensor *dt_round_with_(dt_tensor *self, const dt_round_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ROUND_OPTIONS_INIT");
        return NULL;
    }
    return call_round(DT_VARIANT_IN_PLACE, self, options->decimals, NULL);
}

dt_tensor *dt_round_out(dt_tensor *self, dt_tensor *out)
{
    return call_round(DT_VARIANT_OUT, self, 0, out);
}

dt_tensor *dt_round_with_out(dt_tensor *self, const dt_round_options *options,
                             dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ROUND_OPTIONS_INIT");
        return NULL;
    }
    return call_round(DT_VARIANT_OUT, self, options->decimals, out);
}

static inline dt_tensor *call_frac(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_FRAC, variant, arguments, 1, out);
}

dt_tensor *dt_frac(dt_tensor *self)
{
    return call_frac(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_frac_(dt_tensor *self)
{
    return call_frac(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_frac_out(dt_tensor *self, dt_tensor *out)
{
    return call_frac(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_sign(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SIGN, variant, arguments, 1, out);
}

dt_tensor *dt_sign(dt_tensor *self)
{
    return call_sign(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_sign_(dt_tensor *self)
{
    return call_sign(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_sign_out(dt_tensor *self, dt_tensor *out)
{
    return call_sign(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_sgn(dt_variant variant, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SGN, variant, arguments, 1, out);
}

dt_tensor *dt_sgn(dt_tensor *self)
{
    return call_sgn(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_sgn_(dt_tensor *self)
{
    return call_sgn(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_sgn_out(dt_tensor *self, dt_tensor *out)
{
    return call_sgn(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_copysign(dt_variant variant, dt_tensor *self,
                                       dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_COPYSIGN, variant, arguments, 2, out);
}

dt_tensor *dt_copysign(dt_tensor *self, dt_tensor *other)
{
    return call_copysign(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_copysign_(dt_tensor *self, dt_tensor *other)
{
    return call_copysign(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_copysign_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_copysign(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_copysign_scalar(dt_variant variant,
                                              dt_tensor *self, dt_number other,
                                              dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_COPYSIGN_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_copysign_scalar(dt_tensor *self, dt_number other)
{
    return call_copysign_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_copysign_scalar_(dt_tensor *self, dt_number other)
{
    return call_copysign_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_copysign_scalar_out(dt_tensor *self, dt_number other,
                                  dt_tensor *out)
{
    return call_copysign_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_remainder(dt_variant variant, dt_tensor *self,
                                        dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_REMAINDER, variant, arguments, 2, out);
}

dt_tensor *dt_remainder(dt_tensor *self, dt_tensor *other)
{
    return call_remainder(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_remainder_(dt_tensor *self, dt_tensor *other)
{
    return call_remainder(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_remainder_out(dt_tensor *self, dt_tensor *other,
                            dt_tensor *out)
{
    return call_remainder(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_remainder_scalar(dt_variant variant,
                                               dt_tensor *self, dt_number other,
                                               dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_REMAINDER_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_remainder_scalar(dt_tensor *self, dt_number other)
{
    return call_remainder_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_remainder_scalar_(dt_tensor *self, dt_number other)
{
    return call_remainder_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_remainder_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out)
{
    return call_remainder_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_fmod(dt_variant variant, dt_tensor *self,
                                   dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_FMOD, variant, arguments, 2, out);
}

dt_tensor *dt_fmod(dt_tensor *self, dt_tensor *other)
{
    return call_fmod(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_fmod_(dt_tensor *self, dt_tensor *other)
{
    return call_fmod(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_fmod_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_fmod(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_fmod_scalar(dt_variant variant, dt_tensor *self,
                                          dt_number other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_FMOD_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_fmod_scalar(dt_tensor *self, dt_number other)
{
    return call_fmod_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_fmod_scalar_(dt_tensor *self, dt_number other)
{
    return call_fmod_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_fmod_scalar_out(dt_tensor *self, dt_number other,
                              dt_tensor *out)
{
    return call_fmod_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_floor_divide(dt_variant variant, dt_tensor *self,
                                           dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_FLOOR_DIVIDE, variant, arguments, 2, out);
}

dt_tensor *dt_floor_divide(dt_tensor *self, dt_tensor *other)
{
    return call_floor_divide(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_floor_divide_(dt_tensor *self, dt_tensor *other)
{
    return call_floor_divide(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_floor_divide_out(dt_tensor *self, dt_tensor *other,
                               dt_tensor *out)
{
    return call_floor_divide(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_floor_divide_scalar(dt_variant variant,
                                                  dt_tensor *self,
                                                  dt_number other,
                                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_FLOOR_DIVIDE_SCALAR, variant, arguments, 2, out);
}

dt_tensor *dt_floor_divide_scalar(dt_tensor *self, dt_number other)
{
    return call_floor_divide_scalar(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_floor_divide_scalar_(dt_tensor *self, dt_number other)
{
    return call_floor_divide_scalar(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_floor_divide_scalar_out(dt_tensor *self, dt_number other,
                                      dt_tensor *out)
{
    return call_floor_divide_scalar(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_div_mode(dt_variant variant, dt_tensor *self,
                                       dt_tensor *other,
                                       const char *rounding_mode,
                                       dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
        {.kind = DT_ARG_TEXT, .as.text = rounding_mode},
    };
    return dti_op_call_one(OP_DIV_MODE, variant, arguments, 3, out);
}

dt_tensor *dt_div_mode(dt_tensor *self, dt_tensor *other,
                       const char *rounding_mode)
{
    return call_div_mode(DT_VARIANT_NEW, self, other, rounding_mode, NULL);
}

dt_tensor *dt_div_mode_(dt_tensor *self, dt_tensor *other,
                        const char *rounding_mode)
{
    return call_div_mode(DT_VARIANT_IN_PLACE, self, other, rounding_mode,
                         NULL);
}

dt_tensor *dt_div_mode_out(dt_tensor *self, dt_tensor *other,
                           const char *rounding_mode, dt_tensor *out)
{
    return call_div_mode(DT_VARIANT_OUT, self, other, rounding_mode, out);
}

static inline dt_tensor *call_div_mode_scalar(dt_variant variant,
                                              dt_tensor *self, dt_number other,
                                              const char *rounding_mode,
                                              dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
        {.kind = DT_ARG_TEXT, .as.text = rounding_mode},
    };
    return dti_op_call_one(OP_DIV_MODE_SCALAR, variant, arguments, 3, out);
}

dt_tensor *dt_div_mode_scalar(dt_tensor *self, dt_number other,
                              const char *rounding_mode)
{
    return call_div_mode_scalar(DT_VARIANT_NEW, self, other, rounding_mode,
                                NULL);
}

dt_tensor *dt_div_mode_scalar_(dt_tensor *self, dt_number other,
                               const char *rounding_mode)
{
    return call_div_mode_scalar(DT_VARIANT_IN_PLACE, self, other, rounding_mode,
                                NULL);
}

dt_tensor *dt_div_mode_scalar_out(dt_tensor *self, dt_number other,
                                  const char *rounding_mode, dt_tensor *out)
{
    return call_div_mode_scalar(DT_VARIANT_OUT, self, other, rounding_mode,
                                out);
}

static inline dt_tensor *call_nan_to_num(dt_variant variant, dt_tensor *self,
                                         double nan, double posinf,
                                         double neginf, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_REAL, .as.real = nan},
        {.kind = DT_ARG_REAL, .as.real = posinf},
        {.kind = DT_ARG_REAL, .as.real = neginf},
    };
    return dti_op_call_one(OP_NAN_TO_NUM, variant, arguments, 4, out);
}

dt_tensor *dt_nan_to_num(dt_tensor *self)
{
    return call_nan_to_num(DT_VARIANT_NEW, self, 0, HUGE_VAL, -HUGE_VAL,
                           NULL);
}

dt_tensor *dt_nan_to_num_with(dt_tensor *self,
                              const dt_nan_to_num_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NAN_TO_NUM_OPTIONS_INIT");
        return NULL;
    }
    return call_nan_to_num(DT_VARIANT_NEW, self, options->nan, options->posinf,
                           options->neginf, NULL);
}

dt_tensor *dt_nan_to_num_(dt_tensor *self)
{
    return call_nan_to_num(DT_VARIANT_IN_PLACE, self, 0, HUGE_VAL, -HUGE_VAL,
                           NULL);
}

dt_tensor *dt_nan_to_num_with_(dt_tensor *self,
                               const dt_nan_to_num_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NAN_TO_NUM_OPTIONS_INIT");
        return NULL;
    }
    return call_nan_to_num(DT_VARIANT_IN_PLACE, self, options->nan,
                           options->posinf, options->neginf, NULL);
}

dt_tensor *dt_nan_to_num_out(dt_tensor *self, dt_tensor *out)
{
    return call_nan_to_num(DT_VARIANT_OUT, self, 0, HUGE_VAL, -HUGE_VAL,
                           out);
}

dt_tensor *dt_nan_to_num_with_out(dt_tensor *self,
                                  const dt_nan_to_num_options *options,
                                  dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_NAN_TO_NUM_OPTIONS_INIT");
        return NULL;
    }
    return call_nan_to_num(DT_VARIANT_OUT, self, options->nan, options->posinf,
                           options->neginf, out);
}

static inline dt_tensor *call_cumsum(dt_variant variant, dt_tensor *self,
                                     int dim, const dt_dtype *dtype,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_CUMSUM, variant, arguments, 3, out);
}

dt_tensor *dt_cumsum(dt_tensor *self, int dim)
{
    return call_cumsum(DT_VARIANT_NEW, self, dim, 0, NULL);
}

dt_tensor *dt_cumsum_with(dt_tensor *self, int dim,
                          const dt_cumsum_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CUMSUM_OPTIONS_INIT");
        return NULL;
    }
    return call_cumsum(DT_VARIANT_NEW, self, dim, options->dtype, NULL);
}

dt_tensor *dt_cumsum_(dt_tensor *self, int dim)
{
    return call_cumsum(DT_VARIANT_IN_PLACE, self, dim, 0, NULL);
}

dt_tensor *dt_cumsum_with_(dt_tensor *self, int dim,
                           const dt_cumsum_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CUMSUM_OPTIONS_INIT");
        return NULL;
    }
    return call_cumsum(DT_VARIANT_IN_PLACE, self, dim, options->dtype, NULL);
}

dt_tensor *dt_cumsum_out(dt_tensor *self, int dim, dt_tensor *out)
{
    return call_cumsum(DT_VARIANT_OUT, self, dim, 0, out);
}

dt_tensor *dt_cumsum_with_out(dt_tensor *self, int dim,
                              const dt_cumsum_options *options,
                              dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CUMSUM_OPTIONS_INIT");
        return NULL;
    }
    return call_cumsum(DT_VARIANT_OUT, self, dim, options->dtype, out);
}

static inline dt_tensor *call_cumprod(dt_variant variant, dt_tensor *self,
                                      int dim, const dt_dtype *dtype,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_CUMPROD, variant, arguments, 3, out);
}

dt_tensor *dt_cumprod(dt_tensor *self, int dim)
{
    return call_cumprod(DT_VARIANT_NEW, self, dim, 0, NULL);
}

dt_tensor *dt_cumprod_with(dt_tensor *self, int dim,
                           const dt_cumprod_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CUMPROD_OPTIONS_INIT");
        return NULL;
    }
    return call_cumprod(DT_VARIANT_NEW, self, dim, options->dtype, NULL);
}

dt_tensor *dt_cumprod_(dt_tensor *self, int dim)
{
    return call_cumprod(DT_VARIANT_IN_PLACE, self, dim, 0, NULL);
}

dt_tensor *dt_cumprod_with_(dt_tensor *self, int dim,
                            const dt_cumprod_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CUMPROD_OPTIONS_INIT");
        return NULL;
    }
    return call_cumprod(DT_VARIANT_IN_PLACE, self, dim, options->dtype,
                        NULL);
}

dt_tensor *dt_cumprod_out(dt_tensor *self, int dim, dt_tensor *out)
{
    return call_cumprod(DT_VARIANT_OUT, self, dim, 0, out);
}

dt_tensor *dt_cumprod_with_out(dt_tensor *self, int dim,
                               const dt_cumprod_options *options,
                               dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CUMPROD_OPTIONS_INIT");
        return NULL;
    }
    return call_cumprod(DT_VARIANT_OUT, self, dim, options->dtype, out);
}

static inline dt_status call_cummax(dt_variant variant, dt_tensor *self,
                                    int dim, dt_tensor **values,
                                    dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_CUMMAX, variant, arguments,
                                        2, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_cummax(dt_tensor *self, int dim, dt_tensor **values,
                    dt_tensor **indices)
{
    return call_cummax(DT_VARIANT_NEW, self, dim, values, indices);
}

static inline dt_status call_cummin(dt_variant variant, dt_tensor *self,
                                    int dim, dt_tensor **values,
                                    dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_CUMMIN, variant, arguments,
                                        2, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_cummin(dt_tensor *self, int dim, dt_tensor **values,
                    dt_tensor **indices)
{
    return call_cummin(DT_VARIANT_NEW, self, dim, values, indices);
}

static inline dt_tensor *call_logcumsumexp(dt_variant variant, dt_tensor *self,
                                           int dim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_LOGCUMSUMEXP, variant, arguments, 2, out);
}

dt_tensor *dt_logcumsumexp(dt_tensor *self, int dim)
{
    return call_logcumsumexp(DT_VARIANT_NEW, self, dim, NULL);
}

dt_tensor *dt_logcumsumexp_out(dt_tensor *self, int dim, dt_tensor *out)
{
    return call_logcumsumexp(DT_VARIANT_OUT, self, dim, out);
}

static inline dt_tensor *call_scatter(dt_variant variant, dt_tensor *self,
                                      int dim, dt_tensor *index, dt_tensor *src,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
    };
    return dti_op_call_one(OP_SCATTER, variant, arguments, 4, out);
}

dt_tensor *dt_scatter(dt_tensor *self, int dim, dt_tensor *index,
                      dt_tensor *src)
{
    return call_scatter(DT_VARIANT_NEW, self, dim, index, src, NULL);
}

dt_tensor *dt_scatter_(dt_tensor *self, int dim, dt_tensor *index,
                       dt_tensor *src)
{
    return call_scatter(DT_VARIANT_IN_PLACE, self, dim, index, src, NULL);
}

dt_tensor *dt_scatter_out(dt_tensor *self, int dim, dt_tensor *index,
                          dt_tensor *src, dt_tensor *out)
{
    return call_scatter(DT_VARIANT_OUT, self, dim, index, src, out);
}

static inline dt_tensor *call_scatter_value(dt_variant variant, dt_tensor *self,
                                            int dim, dt_tensor *index,
                                            dt_number value, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_SCATTER_VALUE, variant, arguments, 4, out);
}

dt_tensor *dt_scatter_value(dt_tensor *self, int dim, dt_tensor *index,
                            dt_number value)
{
    return call_scatter_value(DT_VARIANT_NEW, self, dim, index, value, NULL);
}

dt_tensor *dt_scatter_value_(dt_tensor *self, int dim, dt_tensor *index,
                             dt_number value)
{
    return call_scatter_value(DT_VARIANT_IN_PLACE, self, dim, index, value,
                              NULL);
}

dt_tensor *dt_scatter_value_out(dt_tensor *self, int dim, dt_tensor *index,
                                dt_number value, dt_tensor *out)
{
    return call_scatter_value(DT_VARIANT_OUT, self, dim, index, value, out);
}

static inline dt_tensor *call_scatter_add(dt_variant variant, dt_tensor *self,
                                          int dim, dt_tensor *index,
                                          dt_tensor *src, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
    };
    return dti_op_call_one(OP_SCATTER_ADD, variant, arguments, 4, out);
}

dt_tensor *dt_scatter_add(dt_tensor *self, int dim, dt_tensor *index,
                          dt_tensor *src)
{
    return call_scatter_add(DT_VARIANT_NEW, self, dim, index, src, NULL);
}

dt_tensor *dt_scatter_add_(dt_tensor *self, int dim, dt_tensor *index,
                           dt_tensor *src)
{
    return call_scatter_add(DT_VARIANT_IN_PLACE, self, dim, index, src,
                            NULL);
}

dt_tensor *dt_scatter_add_out(dt_tensor *self, int dim, dt_tensor *index,
                              dt_tensor *src, dt_tensor *out)
{
    return call_scatter_add(DT_VARIANT_OUT, self, dim, index, src, out);
}

static inline dt_tensor *call_scatter_reduce(dt_variant variant,
                                             dt_tensor *self, int dim,
                                             dt_tensor *index, dt_tensor *src,
                                             const char *reduce,
                                             bool include_self,
                                             dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_TENSOR, .as.tensor = index},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
        {.kind = DT_ARG_TEXT, .as.text = reduce},
        {.kind = DT_ARG_INTEGER, .as.integer = include_self},
    };
    return dti_op_call_one(OP_SCATTER_REDUCE, variant, arguments, 6, out);
}

dt_tensor *dt_scatter_reduce(dt_tensor *self, int dim, dt_tensor *index,
                             dt_tensor *src, const char *reduce)
{
    return call_scatter_reduce(DT_VARIANT_NEW, self, dim, index, src, reduce,
                               true, NULL);
}

dt_tensor *dt_scatter_reduce_with(dt_tensor *self, int dim, dt_tensor *index,
                                  dt_tensor *src, const char *reduce,
                                  const dt_scatter_reduce_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SCATTER_REDUCE_OPTIONS_INIT");
        return NULL;
    }
    return call_scatter_reduce(DT_VARIANT_NEW, self, dim, index, src, reduce,
                               options->include_self, NULL);
}

dt_tensor *dt_scatter_reduce_(dt_tensor *self, int dim, dt_tensor *index,
                              dt_tensor *src, const char *reduce)
{
    return call_scatter_reduce(DT_VARIANT_IN_PLACE, self, dim, index, src,
                               reduce, true, NULL);
}

dt_tensor *dt_scatter_reduce_with_(dt_tensor *self, int dim, dt_tensor *index,
                                   dt_tensor *src, const char *reduce,
                                   const dt_scatter_reduce_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SCATTER_REDUCE_OPTIONS_INIT");
        return NULL;
    }
    return call_scatter_reduce(DT_VARIANT_IN_PLACE, self, dim, index, src,
                               reduce, options->include_self, NULL);
}

dt_tensor *dt_scatter_reduce_out(dt_tensor *self, int dim, dt_tensor *index,
                                 dt_tensor *src, const char *reduce,
                                 dt_tensor *out)
{
    return call_scatter_reduce(DT_VARIANT_OUT, self, dim, index, src, reduce,
                               true, out);
}

dt_tensor *dt_scatter_reduce_with_out(dt_tensor *self, int dim,
                                      dt_tensor *index, dt_tensor *src,
                                      const char *reduce,
                                      const dt_scatter_reduce_options *options,
                                      dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SCATTER_REDUCE_OPTIONS_INIT");
        return NULL;
    }
    return call_scatter_reduce(DT_VARIANT_OUT, self, dim, index, src, reduce,
                               options->include_self, out);
}

static inline dt_tensor *call_searchsorted(dt_variant variant,
                                           dt_tensor *sorted_sequence,
                                           dt_tensor *self, bool out_int32,
                                           bool right, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = sorted_sequence},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = out_int32},
        {.kind = DT_ARG_INTEGER, .as.integer = right},
    };
    return dti_op_call_one(OP_SEARCHSORTED, variant, arguments, 4, out);
}

dt_tensor *dt_searchsorted(dt_tensor *sorted_sequence, dt_tensor *self)
{
    return call_searchsorted(DT_VARIANT_NEW, sorted_sequence, self, false,
                             false, NULL);
}

dt_tensor *dt_searchsorted_with(dt_tensor *sorted_sequence, dt_tensor *self,
                                const dt_searchsorted_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(sorted_sequence, options->size, sizeof *options,
                    "DT_SEARCHSORTED_OPTIONS_INIT");
        return NULL;
    }
    return call_searchsorted(DT_VARIANT_NEW, sorted_sequence, self,
                             options->out_int32, options->right, NULL);
}

dt_tensor *dt_searchsorted_out(dt_tensor *sorted_sequence, dt_tensor *self,
                               dt_tensor *out)
{
    return call_searchsorted(DT_VARIANT_OUT, sorted_sequence, self, false,
                             false, out);
}

dt_tensor *dt_searchsorted_with_out(dt_tensor *sorted_sequence, dt_tensor *self,
                                    const dt_searchsorted_options *options,
                                    dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(sorted_sequence, options->size, sizeof *options,
                    "DT_SEARCHSORTED_OPTIONS_INIT");
        return NULL;
    }
    return call_searchsorted(DT_VARIANT_OUT, sorted_sequence, self,
                             options->out_int32, options->right, out);
}

static inline dt_tensor *call_bucketize(dt_variant variant, dt_tensor *self,
                                        dt_tensor *boundaries, bool out_int32,
                                        bool right, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = boundaries},
        {.kind = DT_ARG_INTEGER, .as.integer = out_int32},
        {.kind = DT_ARG_INTEGER, .as.integer = right},
    };
    return dti_op_call_one(OP_BUCKETIZE, variant, arguments, 4, out);
}

dt_tensor *dt_bucketize(dt_tensor *self, dt_tensor *boundaries)
{
    return call_bucketize(DT_VARIANT_NEW, self, boundaries, false, false,
                          NULL);
}

dt_tensor *dt_bucketize_with(dt_tensor *self, dt_tensor *boundaries,
                             const dt_bucketize_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BUCKETIZE_OPTIONS_INIT");
        return NULL;
    }
    return call_bucketize(DT_VARIANT_NEW, self, boundaries, options->out_int32,
                          options->right, NULL);
}

dt_tensor *dt_bucketize_out(dt_tensor *self, dt_tensor *boundaries,
                            dt_tensor *out)
{
    return call_bucketize(DT_VARIANT_OUT, self, boundaries, false, false,
                          out);
}

dt_tensor *dt_bucketize_with_out(dt_tensor *self, dt_tensor *boundaries,
                                 const dt_bucketize_options *options,
                                 dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_BUCKETIZE_OPTIONS_INIT");
        return NULL;
    }
    return call_bucketize(DT_VARIANT_OUT, self, boundaries, options->out_int32,
                          options->right, out);
}

static inline dt_tensor *call_roll(dt_variant variant, dt_tensor *self,
                                   const int64_t *shifts, int shifts_count,
                                   dt_dims dims, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = shifts_count, .as.integers = shifts},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
    };
    return dti_op_call_one(OP_ROLL, variant, arguments, 3, out);
}

dt_tensor *dt_roll(dt_tensor *self, const int64_t *shifts, int shifts_count,
                   dt_dims dims)
{
    return call_roll(DT_VARIANT_NEW, self, shifts, shifts_count, dims, NULL);
}

dt_tensor *dt_roll_out(dt_tensor *self, const int64_t *shifts, int shifts_count,
                       dt_dims dims, dt_tensor *out)
{
    return call_roll(DT_VARIANT_OUT, self, shifts, shifts_count, dims, out);
}

static inline dt_tensor *call_flip(dt_variant variant, dt_tensor *self,
                                   const int64_t *dims, int dims_count,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count, .as.integers = dims},
    };
    return dti_op_call_one(OP_FLIP, variant, arguments, 2, out);
}

dt_tensor *dt_flip(dt_tensor *self, const int64_t *dims, int dims_count)
{
    return call_flip(DT_VARIANT_NEW, self, dims, dims_count, NULL);
}

dt_tensor *dt_flip_out(dt_tensor *self, const int64_t *dims, int dims_count,
                       dt_tensor *out)
{
    return call_flip(DT_VARIANT_OUT, self, dims, dims_count, out);
}

static inline dt_tensor *call_constant_pad_nd(dt_variant variant,
                                              dt_tensor *self,
                                              const int64_t *pad, int pad_count,
                                              dt_number value,
                                              dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = pad_count, .as.integers = pad},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_CONSTANT_PAD_ND, variant, arguments, 3, out);
}

dt_tensor *dt_constant_pad_nd(dt_tensor *self, const int64_t *pad,
                              int pad_count)
{
    return call_constant_pad_nd(DT_VARIANT_NEW, self, pad, pad_count,
                                (dt_number){DT_KIND_SIGNED, {0}, 0}, NULL);
}

dt_tensor *dt_constant_pad_nd_with(dt_tensor *self, const int64_t *pad,
                                   int pad_count,
                                   const dt_constant_pad_nd_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CONSTANT_PAD_ND_OPTIONS_INIT");
        return NULL;
    }
    return call_constant_pad_nd(DT_VARIANT_NEW, self, pad, pad_count,
                                options->value, NULL);
}

dt_tensor *dt_constant_pad_nd_out(dt_tensor *self, const int64_t *pad,
                                  int pad_count, dt_tensor *out)
{
    return call_constant_pad_nd(DT_VARIANT_OUT, self, pad, pad_count,
                                (dt_number){DT_KIND_SIGNED, {0}, 0}, out);
}

dt_tensor *dt_constant_pad_nd_with_out(dt_tensor *self, const int64_t *pad,
                                       int pad_count,
                                       const dt_constant_pad_nd_options *options,
                                       dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_CONSTANT_PAD_ND_OPTIONS_INIT");
        return NULL;
    }
    return call_constant_pad_nd(DT_VARIANT_OUT, self, pad, pad_count,
                                options->value, out);
}

static inline dt_tensor *call_slice(dt_variant variant, dt_tensor *self,
                                    int dim, int64_t start, int64_t stop,
                                    int64_t step, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = start},
        {.kind = DT_ARG_INTEGER, .as.integer = stop},
        {.kind = DT_ARG_INTEGER, .as.integer = step},
    };
    return dti_op_call_one(OP_SLICE, variant, arguments, 5, out);
}

dt_tensor *dt_slice(dt_tensor *self, int dim, int64_t start, int64_t stop,
                    int64_t step)
{
    return call_slice(DT_VARIANT_NEW, self, dim, start, stop, step, NULL);
}

static inline dt_tensor *call_narrow(dt_variant variant, dt_tensor *self,
                                     int dim, int64_t start, int64_t length,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = start},
        {.kind = DT_ARG_INTEGER, .as.integer = length},
    };
    return dti_op_call_one(OP_NARROW, variant, arguments, 4, out);
}

dt_tensor *dt_narrow(dt_tensor *self, int dim, int64_t start, int64_t length)
{
    return call_narrow(DT_VARIANT_NEW, self, dim, start, length, NULL);
}

static inline dt_tensor *call_select(dt_variant variant, dt_tensor *self,
                                     int dim, int64_t index, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = index},
    };
    return dti_op_call_one(OP_SELECT, variant, arguments, 3, out);
}

dt_tensor *dt_select(dt_tensor *self, int dim, int64_t index)
{
    return call_select(DT_VARIANT_NEW, self, dim, index, NULL);
}

static inline dt_tensor *call_slice_scatter(dt_variant variant, dt_tensor *self,
                                            dt_tensor *src, int dim,
                                            int64_t start, int64_t stop,
                                            int64_t step, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = start},
        {.kind = DT_ARG_INTEGER, .as.integer = stop},
        {.kind = DT_ARG_INTEGER, .as.integer = step},
    };
    return dti_op_call_one(OP_SLICE_SCATTER, variant, arguments, 6, out);
}

dt_tensor *dt_slice_scatter(dt_tensor *self, dt_tensor *src, int dim,
                            int64_t start, int64_t stop, int64_t step)
{
    return call_slice_scatter(DT_VARIANT_NEW, self, src, dim, start, stop, step,
                              NULL);
}

dt_tensor *dt_slice_scatter_out(dt_tensor *self, dt_tensor *src, int dim,
                                int64_t start, int64_t stop, int64_t step,
                                dt_tensor *out)
{
    return call_slice_scatter(DT_VARIANT_OUT, self, src, dim, start, stop, step,
                              out);
}

static inline dt_tensor *call_select_scatter(dt_variant variant,
                                             dt_tensor *self, dt_tensor *src,
                                             int dim, int64_t index,
                                             dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = src},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = index},
    };
    return dti_op_call_one(OP_SELECT_SCATTER, variant, arguments, 4, out);
}

dt_tensor *dt_select_scatter(dt_tensor *self, dt_tensor *src, int dim,
                             int64_t index)
{
    return call_select_scatter(DT_VARIANT_NEW, self, src, dim, index, NULL);
}

dt_tensor *dt_select_scatter_out(dt_tensor *self, dt_tensor *src, int dim,
                                 int64_t index, dt_tensor *out)
{
    return call_select_scatter(DT_VARIANT_OUT, self, src, dim, index, out);
}

static inline dt_tensor *call_slice_backward(dt_variant variant,
                                             dt_tensor *grad_output,
                                             dt_shape input_sizes, int dim,
                                             int64_t start, int64_t stop,
                                             int64_t step, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&input_sizes),
         .as.integers = list_of(&input_sizes)},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = start},
        {.kind = DT_ARG_INTEGER, .as.integer = stop},
        {.kind = DT_ARG_INTEGER, .as.integer = step},
    };
    return dti_op_call_one(OP_SLICE_BACKWARD, variant, arguments, 6, out);
}

dt_tensor *dt_slice_backward(dt_tensor *grad_output, dt_shape input_sizes,
                             int dim, int64_t start, int64_t stop,
                             int64_t step)
{
    return call_slice_backward(DT_VARIANT_NEW, grad_output, input_sizes, dim,
                               start, stop, step, NULL);
}

dt_tensor *dt_slice_backward_out(dt_tensor *grad_output, dt_shape input_sizes,
                                 int dim, int64_t start, int64_t stop,
                                 int64_t step, dt_tensor *out)
{
    return call_slice_backward(DT_VARIANT_OUT, grad_output, input_sizes, dim,
                               start, stop, step, out);
}

static inline dt_tensor *call_select_backward(dt_variant variant,
                                              dt_tensor *grad_output,
                                              dt_shape input_sizes, int dim,
                                              int64_t index, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&input_sizes),
         .as.integers = list_of(&input_sizes)},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = index},
    };
    return dti_op_call_one(OP_SELECT_BACKWARD, variant, arguments, 4, out);
}

dt_tensor *dt_select_backward(dt_tensor *grad_output, dt_shape input_sizes,
                              int dim, int64_t index)
{
    return call_select_backward(DT_VARIANT_NEW, grad_output, input_sizes, dim,
                                index, NULL);
}

dt_tensor *dt_select_backward_out(dt_tensor *grad_output, dt_shape input_sizes,
                                  int dim, int64_t index, dt_tensor *out)
{
    return call_select_backward(DT_VARIANT_OUT, grad_output, input_sizes, dim,
                                index, out);
}

static inline dt_tensor *call_softmax(dt_variant variant, dt_tensor *self,
                                      int dim, const dt_dtype *dtype,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_SOFTMAX, variant, arguments, 3, out);
}

dt_tensor *dt_softmax(dt_tensor *self, int dim)
{
    return call_softmax(DT_VARIANT_NEW, self, dim, 0, NULL);
}

dt_tensor *dt_softmax_with(dt_tensor *self, int dim,
                           const dt_softmax_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SOFTMAX_OPTIONS_INIT");
        return NULL;
    }
    return call_softmax(DT_VARIANT_NEW, self, dim, options->dtype, NULL);
}

static inline dt_tensor *call_safe_softmax(dt_variant variant, dt_tensor *self,
                                           int dim, const dt_dtype *dtype,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_SAFE_SOFTMAX, variant, arguments, 3, out);
}

dt_tensor *dt_safe_softmax(dt_tensor *self, int dim)
{
    return call_safe_softmax(DT_VARIANT_NEW, self, dim, 0, NULL);
}

dt_tensor *dt_safe_softmax_with(dt_tensor *self, int dim,
                                const dt_safe_softmax_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_SAFE_SOFTMAX_OPTIONS_INIT");
        return NULL;
    }
    return call_safe_softmax(DT_VARIANT_NEW, self, dim, options->dtype,
                             NULL);
}

static inline dt_tensor *call_log_softmax(dt_variant variant, dt_tensor *self,
                                          int dim, const dt_dtype *dtype,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_one(OP_LOG_SOFTMAX, variant, arguments, 3, out);
}

dt_tensor *dt_log_softmax(dt_tensor *self, int dim)
{
    return call_log_softmax(DT_VARIANT_NEW, self, dim, 0, NULL);
}

dt_tensor *dt_log_softmax_with(dt_tensor *self, int dim,
                               const dt_log_softmax_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_LOG_SOFTMAX_OPTIONS_INIT");
        return NULL;
    }
    return call_log_softmax(DT_VARIANT_NEW, self, dim, options->dtype, NULL);
}

static inline dt_tensor *call_softmax_backward(dt_variant variant,
                                               dt_tensor *grad_output,
                                               dt_tensor *output, int dim,
                                               dt_dtype input_dtype,
                                               dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = output},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = input_dtype},
    };
    return dti_op_call_one(OP_SOFTMAX_BACKWARD, variant, arguments, 4, out);
}

dt_tensor *dt_softmax_backward(dt_tensor *grad_output, dt_tensor *output,
                               int dim, dt_dtype input_dtype)
{
    return call_softmax_backward(DT_VARIANT_NEW, grad_output, output, dim,
                                 input_dtype, NULL);
}

static inline dt_tensor *call_log_softmax_backward(dt_variant variant,
                                                   dt_tensor *grad_output,
                                                   dt_tensor *output, int dim,
                                                   dt_dtype input_dtype,
                                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_output},
        {.kind = DT_ARG_TENSOR, .as.tensor = output},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = input_dtype},
    };
    return dti_op_call_one(OP_LOG_SOFTMAX_BACKWARD, variant, arguments, 4, out);
}

dt_tensor *dt_log_softmax_backward(dt_tensor *grad_output, dt_tensor *output,
                                   int dim, dt_dtype input_dtype)
{
    return call_log_softmax_backward(DT_VARIANT_NEW, grad_output, output, dim,
                                     input_dtype, NULL);
}

static inline dt_status call_sort(dt_variant variant, dt_tensor *self, int dim,
                                  bool descending, bool stable,
                                  dt_tensor **values, dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = descending},
        {.kind = DT_ARG_INTEGER, .as.integer = stable},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_SORT, variant, arguments,
                                        4, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_sort(dt_tensor *self, int dim, bool descending, dt_tensor **values,
                  dt_tensor **indices)
{
    return call_sort(DT_VARIANT_NEW, self, dim, descending, false, values,
                     indices);
}

dt_status dt_sort_with(dt_tensor *self, int dim, bool descending,
                       const dt_sort_options *options, dt_tensor **values,
                       dt_tensor **indices)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_SORT_OPTIONS_INIT");
    return call_sort(DT_VARIANT_NEW, self, dim, descending, options->stable,
                     values, indices);
}

static inline dt_tensor *call_argsort(dt_variant variant, dt_tensor *self,
                                      int dim, bool descending, bool stable,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = descending},
        {.kind = DT_ARG_INTEGER, .as.integer = stable},
    };
    return dti_op_call_one(OP_ARGSORT, variant, arguments, 4, out);
}

dt_tensor *dt_argsort(dt_tensor *self, int dim, bool descending)
{
    return call_argsort(DT_VARIANT_NEW, self, dim, descending, false, NULL);
}

dt_tensor *dt_argsort_with(dt_tensor *self, int dim, bool descending,
                           const dt_argsort_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_ARGSORT_OPTIONS_INIT");
        return NULL;
    }
    return call_argsort(DT_VARIANT_NEW, self, dim, descending, options->stable,
                        NULL);
}

static inline dt_status call_topk(dt_variant variant, dt_tensor *self,
                                  int64_t k, int dim, bool largest, bool sorted,
                                  dt_tensor **values, dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = k},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = largest},
        {.kind = DT_ARG_INTEGER, .as.integer = sorted},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_TOPK, variant, arguments,
                                        5, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_topk(dt_tensor *self, int64_t k, int dim, bool largest,
                  bool sorted, dt_tensor **values, dt_tensor **indices)
{
    return call_topk(DT_VARIANT_NEW, self, k, dim, largest, sorted, values,
                     indices);
}

static inline dt_status call_kthvalue(dt_variant variant, dt_tensor *self,
                                      int64_t k, int dim, bool keepdim,
                                      dt_tensor **values,
                                      dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = k},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_KTHVALUE, variant, arguments,
                                        4, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_kthvalue(dt_tensor *self, int64_t k, int dim, bool keepdim,
                      dt_tensor **values, dt_tensor **indices)
{
    return call_kthvalue(DT_VARIANT_NEW, self, k, dim, keepdim, values,
                         indices);
}

static inline dt_status call_median_dim(dt_variant variant, dt_tensor *self,
                                        int dim, bool keepdim,
                                        dt_tensor **values,
                                        dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_MEDIAN_DIM, variant, arguments,
                                        3, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_median_dim(dt_tensor *self, int dim, bool keepdim,
                        dt_tensor **values, dt_tensor **indices)
{
    return call_median_dim(DT_VARIANT_NEW, self, dim, keepdim, values,
                           indices);
}

static inline dt_status call_nanmedian_dim(dt_variant variant, dt_tensor *self,
                                           int dim, bool keepdim,
                                           dt_tensor **values,
                                           dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_NANMEDIAN_DIM, variant, arguments,
                                        3, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_nanmedian_dim(dt_tensor *self, int dim, bool keepdim,
                           dt_tensor **values, dt_tensor **indices)
{
    return call_nanmedian_dim(DT_VARIANT_NEW, self, dim, keepdim, values,
                              indices);
}

static inline dt_tensor *call_median(dt_variant variant, dt_tensor *self,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_MEDIAN, variant, arguments, 1, out);
}

dt_tensor *dt_median(dt_tensor *self)
{
    return call_median(DT_VARIANT_NEW, self, NULL);
}

static inline dt_tensor *call_nanmedian(dt_variant variant, dt_tensor *self,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_NANMEDIAN, variant, arguments, 1, out);
}

dt_tensor *dt_nanmedian(dt_tensor *self)
{
    return call_nanmedian(DT_VARIANT_NEW, self, NULL);
}

static inline dt_status call_mode(dt_variant variant, dt_tensor *self, int dim,
                                  bool keepdim, dt_tensor **values,
                                  dt_tensor **indices)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_MODE, variant, arguments,
                                        3, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (values)
        *values = results[0];
    if (indices)
        *indices = results[1];
    return DT_OK;
}

dt_status dt_mode(dt_tensor *self, int dim, bool keepdim, dt_tensor **values,
                  dt_tensor **indices)
{
    return call_mode(DT_VARIANT_NEW, self, dim, keepdim, values, indices);
}

static inline dt_tensor *call_lgamma(dt_variant variant, dt_tensor *self,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_LGAMMA, variant, arguments, 1, out);
}

dt_tensor *dt_lgamma(dt_tensor *self)
{
    return call_lgamma(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_lgamma_(dt_tensor *self)
{
    return call_lgamma(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_lgamma_out(dt_tensor *self, dt_tensor *out)
{
    return call_lgamma(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_digamma(dt_variant variant, dt_tensor *self,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_DIGAMMA, variant, arguments, 1, out);
}

dt_tensor *dt_digamma(dt_tensor *self)
{
    return call_digamma(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_digamma_(dt_tensor *self)
{
    return call_digamma(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_digamma_out(dt_tensor *self, dt_tensor *out)
{
    return call_digamma(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_polygamma(dt_variant variant, int64_t n,
                                        dt_tensor *self, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_INTEGER, .as.integer = n},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_POLYGAMMA, variant, arguments, 2, out);
}

dt_tensor *dt_polygamma(int64_t n, dt_tensor *self)
{
    return call_polygamma(DT_VARIANT_NEW, n, self, NULL);
}

dt_tensor *dt_polygamma_(int64_t n, dt_tensor *self)
{
    return call_polygamma(DT_VARIANT_IN_PLACE, n, self, NULL);
}

dt_tensor *dt_polygamma_out(int64_t n, dt_tensor *self, dt_tensor *out)
{
    return call_polygamma(DT_VARIANT_OUT, n, self, out);
}

static inline dt_tensor *call_erfinv(dt_variant variant, dt_tensor *self,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ERFINV, variant, arguments, 1, out);
}

dt_tensor *dt_erfinv(dt_tensor *self)
{
    return call_erfinv(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_erfinv_(dt_tensor *self)
{
    return call_erfinv(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_erfinv_out(dt_tensor *self, dt_tensor *out)
{
    return call_erfinv(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_special_ndtr(dt_variant variant, dt_tensor *self,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SPECIAL_NDTR, variant, arguments, 1, out);
}

dt_tensor *dt_special_ndtr(dt_tensor *self)
{
    return call_special_ndtr(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_special_ndtr_out(dt_tensor *self, dt_tensor *out)
{
    return call_special_ndtr(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_special_entr(dt_variant variant, dt_tensor *self,
                                           dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SPECIAL_ENTR, variant, arguments, 1, out);
}

dt_tensor *dt_special_entr(dt_tensor *self)
{
    return call_special_entr(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_special_entr_out(dt_tensor *self, dt_tensor *out)
{
    return call_special_entr(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_special_xlog1py(dt_variant variant,
                                              dt_tensor *self, dt_tensor *other,
                                              dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_SPECIAL_XLOG1PY, variant, arguments, 2, out);
}

dt_tensor *dt_special_xlog1py(dt_tensor *self, dt_tensor *other)
{
    return call_special_xlog1py(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_special_xlog1py_out(dt_tensor *self, dt_tensor *other,
                                  dt_tensor *out)
{
    return call_special_xlog1py(DT_VARIANT_OUT, self, other, out);
}

static inline dt_status call_foreach_norm(dt_variant variant,
                                          dt_tensor *const *self,
                                          int self_count, double ord,
                                          const dt_dtype *dtype,
                                          dt_tensor **results, int room,
                                          int *count)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_REAL, .as.real = ord},
        {.kind = dtype ? DT_ARG_INTEGER : DT_ARG_NONE,
         .as.integer = dtype ? (int64_t)*dtype : 0},
    };
    return dti_op_call_many(OP_FOREACH_NORM, variant, arguments, 3, results,
                            room, count);
}

dt_status dt_foreach_norm(dt_tensor *const *self, int self_count, double ord,
                          dt_tensor **results, int room, int *count)
{
    return call_foreach_norm(DT_VARIANT_NEW, self, self_count, ord, 0,
                             results, room, count);
}

dt_status dt_foreach_norm_with(dt_tensor *const *self, int self_count,
                               double ord,
                               const dt_foreach_norm_options *options,
                               dt_tensor **results, int room, int *count)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_FOREACH_NORM_OPTIONS_INIT");
    return call_foreach_norm(DT_VARIANT_NEW, self, self_count, ord,
                             options->dtype, results, room, count);
}

static inline dt_tensor *call_get_total_norm(dt_variant variant,
                                             dt_tensor *const *tensors,
                                             int tensors_count,
                                             double norm_type,
                                             bool error_if_nonfinite,
                                             dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = tensors_count, .as.tensors = tensors},
        {.kind = DT_ARG_REAL, .as.real = norm_type},
        {.kind = DT_ARG_INTEGER, .as.integer = error_if_nonfinite},
    };
    return dti_op_call_one(OP_GET_TOTAL_NORM, variant, arguments, 3, out);
}

dt_tensor *dt_get_total_norm(dt_tensor *const *tensors, int tensors_count,
                             double norm_type)
{
    return call_get_total_norm(DT_VARIANT_NEW, tensors, tensors_count,
                               norm_type, false, NULL);
}

dt_tensor *dt_get_total_norm_with(dt_tensor *const *tensors, int tensors_count,
                                  double norm_type,
                                  const dt_get_total_norm_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(tensors_count > 0 ? tensors[0] : NULL,
                    options->size, sizeof *options,
                    "DT_GET_TOTAL_NORM_OPTIONS_INIT");
        return NULL;
    }
    return call_get_total_norm(DT_VARIANT_NEW, tensors, tensors_count,
                               norm_type, options->error_if_nonfinite, NULL);
}

static inline dt_status call_clip_grads_with_norm(dt_variant variant,
                                                  dt_tensor *const *self,
                                                  int self_count,
                                                  double max_norm,
                                                  dt_tensor *total_norm)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_REAL, .as.real = max_norm},
        {.kind = DT_ARG_TENSOR, .as.tensor = total_norm},
    };
    return dti_op_call_many(OP_CLIP_GRADS_WITH_NORM, variant, arguments, 3, NULL, 0,
                            NULL);
}

dt_status dt_clip_grads_with_norm_(dt_tensor *const *self, int self_count,
                                   double max_norm, dt_tensor *total_norm)
{
    return call_clip_grads_with_norm(DT_VARIANT_IN_PLACE, self, self_count,
                                     max_norm, total_norm);
}

static inline dt_status call_clip_grad_norm(dt_variant variant,
                                            dt_tensor *const *self,
                                            int self_count, double max_norm,
                                            double norm_type,
                                            bool error_if_nonfinite,
                                            dt_tensor **total_norm)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = self_count, .as.tensors = self},
        {.kind = DT_ARG_REAL, .as.real = max_norm},
        {.kind = DT_ARG_REAL, .as.real = norm_type},
        {.kind = DT_ARG_INTEGER, .as.integer = error_if_nonfinite},
    };
    dt_tensor *results[1] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_CLIP_GRAD_NORM, variant, arguments,
                                        4, results, 1, &count);
    if (status != DT_OK)
        return status;
    if (total_norm)
        *total_norm = results[0];
    return DT_OK;
}

dt_status dt_clip_grad_norm_(dt_tensor *const *self, int self_count,
                             double max_norm, double norm_type,
                             dt_tensor **total_norm)
{
    return call_clip_grad_norm(DT_VARIANT_IN_PLACE, self, self_count, max_norm,
                               norm_type, false, total_norm);
}

dt_status dt_clip_grad_norm_with_(dt_tensor *const *self, int self_count,
                                  double max_norm, double norm_type,
                                  const dt_clip_grad_norm_options *options,
                                  dt_tensor **total_norm)
{
    if (options->size != sizeof *options)
        return refuse_size(self_count > 0 ? self[0] : NULL,
                           options->size, sizeof *options,
                           "DT_CLIP_GRAD_NORM_OPTIONS_INIT");
    return call_clip_grad_norm(DT_VARIANT_IN_PLACE, self, self_count, max_norm,
                               norm_type, options->error_if_nonfinite,
                               total_norm);
}

static inline dt_tensor *call_tril(dt_variant variant, dt_tensor *self,
                                   int64_t diagonal, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = diagonal},
    };
    return dti_op_call_one(OP_TRIL, variant, arguments, 2, out);
}

dt_tensor *dt_tril(dt_tensor *self, int64_t diagonal)
{
    return call_tril(DT_VARIANT_NEW, self, diagonal, NULL);
}

dt_tensor *dt_tril_(dt_tensor *self, int64_t diagonal)
{
    return call_tril(DT_VARIANT_IN_PLACE, self, diagonal, NULL);
}

dt_tensor *dt_tril_out(dt_tensor *self, int64_t diagonal, dt_tensor *out)
{
    return call_tril(DT_VARIANT_OUT, self, diagonal, out);
}

static inline dt_tensor *call_triu(dt_variant variant, dt_tensor *self,
                                   int64_t diagonal, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = diagonal},
    };
    return dti_op_call_one(OP_TRIU, variant, arguments, 2, out);
}

dt_tensor *dt_triu(dt_tensor *self, int64_t diagonal)
{
    return call_triu(DT_VARIANT_NEW, self, diagonal, NULL);
}

dt_tensor *dt_triu_(dt_tensor *self, int64_t diagonal)
{
    return call_triu(DT_VARIANT_IN_PLACE, self, diagonal, NULL);
}

dt_tensor *dt_triu_out(dt_tensor *self, int64_t diagonal, dt_tensor *out)
{
    return call_triu(DT_VARIANT_OUT, self, diagonal, out);
}

static inline dt_tensor *call_sin(dt_variant variant, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SIN, variant, arguments, 1, out);
}

dt_tensor *dt_sin(dt_tensor *self)
{
    return call_sin(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_sin_(dt_tensor *self)
{
    return call_sin(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_sin_out(dt_tensor *self, dt_tensor *out)
{
    return call_sin(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_cos(dt_variant variant, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_COS, variant, arguments, 1, out);
}

dt_tensor *dt_cos(dt_tensor *self)
{
    return call_cos(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_cos_(dt_tensor *self)
{
    return call_cos(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_cos_out(dt_tensor *self, dt_tensor *out)
{
    return call_cos(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_tan(dt_variant variant, dt_tensor *self,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_TAN, variant, arguments, 1, out);
}

dt_tensor *dt_tan(dt_tensor *self)
{
    return call_tan(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_tan_(dt_tensor *self)
{
    return call_tan(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_tan_out(dt_tensor *self, dt_tensor *out)
{
    return call_tan(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_asin(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ASIN, variant, arguments, 1, out);
}

dt_tensor *dt_asin(dt_tensor *self)
{
    return call_asin(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_asin_(dt_tensor *self)
{
    return call_asin(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_asin_out(dt_tensor *self, dt_tensor *out)
{
    return call_asin(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_acos(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ACOS, variant, arguments, 1, out);
}

dt_tensor *dt_acos(dt_tensor *self)
{
    return call_acos(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_acos_(dt_tensor *self)
{
    return call_acos(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_acos_out(dt_tensor *self, dt_tensor *out)
{
    return call_acos(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_atan(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ATAN, variant, arguments, 1, out);
}

dt_tensor *dt_atan(dt_tensor *self)
{
    return call_atan(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_atan_(dt_tensor *self)
{
    return call_atan(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_atan_out(dt_tensor *self, dt_tensor *out)
{
    return call_atan(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_sinh(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SINH, variant, arguments, 1, out);
}

dt_tensor *dt_sinh(dt_tensor *self)
{
    return call_sinh(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_sinh_(dt_tensor *self)
{
    return call_sinh(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_sinh_out(dt_tensor *self, dt_tensor *out)
{
    return call_sinh(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_cosh(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_COSH, variant, arguments, 1, out);
}

dt_tensor *dt_cosh(dt_tensor *self)
{
    return call_cosh(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_cosh_(dt_tensor *self)
{
    return call_cosh(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_cosh_out(dt_tensor *self, dt_tensor *out)
{
    return call_cosh(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_tanh(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_TANH, variant, arguments, 1, out);
}

dt_tensor *dt_tanh(dt_tensor *self)
{
    return call_tanh(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_tanh_(dt_tensor *self)
{
    return call_tanh(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_tanh_out(dt_tensor *self, dt_tensor *out)
{
    return call_tanh(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_asinh(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ASINH, variant, arguments, 1, out);
}

dt_tensor *dt_asinh(dt_tensor *self)
{
    return call_asinh(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_asinh_(dt_tensor *self)
{
    return call_asinh(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_asinh_out(dt_tensor *self, dt_tensor *out)
{
    return call_asinh(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_acosh(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ACOSH, variant, arguments, 1, out);
}

dt_tensor *dt_acosh(dt_tensor *self)
{
    return call_acosh(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_acosh_(dt_tensor *self)
{
    return call_acosh(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_acosh_out(dt_tensor *self, dt_tensor *out)
{
    return call_acosh(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_atanh(dt_variant variant, dt_tensor *self,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_ATANH, variant, arguments, 1, out);
}

dt_tensor *dt_atanh(dt_tensor *self)
{
    return call_atanh(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_atanh_(dt_tensor *self)
{
    return call_atanh(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_atanh_out(dt_tensor *self, dt_tensor *out)
{
    return call_atanh(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_sinc(dt_variant variant, dt_tensor *self,
                                   dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_SINC, variant, arguments, 1, out);
}

dt_tensor *dt_sinc(dt_tensor *self)
{
    return call_sinc(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_sinc_(dt_tensor *self)
{
    return call_sinc(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_sinc_out(dt_tensor *self, dt_tensor *out)
{
    return call_sinc(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_atan2(dt_variant variant, dt_tensor *self,
                                    dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_ATAN2, variant, arguments, 2, out);
}

dt_tensor *dt_atan2(dt_tensor *self, dt_tensor *other)
{
    return call_atan2(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_atan2_(dt_tensor *self, dt_tensor *other)
{
    return call_atan2(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_atan2_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_atan2(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_hypot(dt_variant variant, dt_tensor *self,
                                    dt_tensor *other, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_HYPOT, variant, arguments, 2, out);
}

dt_tensor *dt_hypot(dt_tensor *self, dt_tensor *other)
{
    return call_hypot(DT_VARIANT_NEW, self, other, NULL);
}

dt_tensor *dt_hypot_(dt_tensor *self, dt_tensor *other)
{
    return call_hypot(DT_VARIANT_IN_PLACE, self, other, NULL);
}

dt_tensor *dt_hypot_out(dt_tensor *self, dt_tensor *other, dt_tensor *out)
{
    return call_hypot(DT_VARIANT_OUT, self, other, out);
}

static inline dt_tensor *call_deg2rad(dt_variant variant, dt_tensor *self,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_DEG2RAD, variant, arguments, 1, out);
}

dt_tensor *dt_deg2rad(dt_tensor *self)
{
    return call_deg2rad(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_deg2rad_(dt_tensor *self)
{
    return call_deg2rad(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_deg2rad_out(dt_tensor *self, dt_tensor *out)
{
    return call_deg2rad(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_rad2deg(dt_variant variant, dt_tensor *self,
                                      dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_RAD2DEG, variant, arguments, 1, out);
}

dt_tensor *dt_rad2deg(dt_tensor *self)
{
    return call_rad2deg(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_rad2deg_(dt_tensor *self)
{
    return call_rad2deg(DT_VARIANT_IN_PLACE, self, NULL);
}

dt_tensor *dt_rad2deg_out(dt_tensor *self, dt_tensor *out)
{
    return call_rad2deg(DT_VARIANT_OUT, self, out);
}

static inline dt_tensor *call_unfold(dt_variant variant, dt_tensor *self,
                                     int dimension, int64_t size, int64_t step,
                                     dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dimension},
        {.kind = DT_ARG_INTEGER, .as.integer = size},
        {.kind = DT_ARG_INTEGER, .as.integer = step},
    };
    return dti_op_call_one(OP_UNFOLD, variant, arguments, 4, out);
}

dt_tensor *dt_unfold(dt_tensor *self, int dimension, int64_t size,
                     int64_t step)
{
    return call_unfold(DT_VARIANT_NEW, self, dimension, size, step, NULL);
}

dt_tensor *dt_unfold_out(dt_tensor *self, int dimension, int64_t size,
                         int64_t step, dt_tensor *out)
{
    return call_unfold(DT_VARIANT_OUT, self, dimension, size, step, out);
}

static inline dt_tensor *call_unfold_backward(dt_variant variant,
                                              dt_tensor *grad_in,
                                              dt_shape input_sizes, int dim,
                                              int64_t size, int64_t step,
                                              dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = grad_in},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&input_sizes),
         .as.integers = list_of(&input_sizes)},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGER, .as.integer = size},
        {.kind = DT_ARG_INTEGER, .as.integer = step},
    };
    return dti_op_call_one(OP_UNFOLD_BACKWARD, variant, arguments, 5, out);
}

dt_tensor *dt_unfold_backward(dt_tensor *grad_in, dt_shape input_sizes, int dim,
                              int64_t size, int64_t step)
{
    return call_unfold_backward(DT_VARIANT_NEW, grad_in, input_sizes, dim, size,
                                step, NULL);
}

dt_tensor *dt_unfold_backward_out(dt_tensor *grad_in, dt_shape input_sizes,
                                  int dim, int64_t size, int64_t step,
                                  dt_tensor *out)
{
    return call_unfold_backward(DT_VARIANT_OUT, grad_in, input_sizes, dim, size,
                                step, out);
}

static inline dt_tensor *call_var(dt_variant variant, dt_tensor *self,
                                  dt_dims dims, bool keepdim, double correction,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = DT_ARG_REAL, .as.real = correction},
    };
    return dti_op_call_one(OP_VAR, variant, arguments, 4, out);
}

dt_tensor *dt_var(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_var(DT_VARIANT_NEW, self, dims, keepdim, 1, NULL);
}

dt_tensor *dt_var_with(dt_tensor *self, dt_dims dims, bool keepdim,
                       const dt_var_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_VAR_OPTIONS_INIT");
        return NULL;
    }
    return call_var(DT_VARIANT_NEW, self, dims, keepdim, options->correction,
                    NULL);
}

dt_tensor *dt_var_out(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor *out)
{
    return call_var(DT_VARIANT_OUT, self, dims, keepdim, 1, out);
}

dt_tensor *dt_var_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_var_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_VAR_OPTIONS_INIT");
        return NULL;
    }
    return call_var(DT_VARIANT_OUT, self, dims, keepdim, options->correction,
                    out);
}

static inline dt_tensor *call_std(dt_variant variant, dt_tensor *self,
                                  dt_dims dims, bool keepdim, double correction,
                                  dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = DT_ARG_REAL, .as.real = correction},
    };
    return dti_op_call_one(OP_STD, variant, arguments, 4, out);
}

dt_tensor *dt_std(dt_tensor *self, dt_dims dims, bool keepdim)
{
    return call_std(DT_VARIANT_NEW, self, dims, keepdim, 1, NULL);
}

dt_tensor *dt_std_with(dt_tensor *self, dt_dims dims, bool keepdim,
                       const dt_std_options *options)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_STD_OPTIONS_INIT");
        return NULL;
    }
    return call_std(DT_VARIANT_NEW, self, dims, keepdim, options->correction,
                    NULL);
}

dt_tensor *dt_std_out(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor *out)
{
    return call_std(DT_VARIANT_OUT, self, dims, keepdim, 1, out);
}

dt_tensor *dt_std_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_std_options *options, dt_tensor *out)
{
    if (options->size != sizeof *options) {
        refuse_size(self, options->size, sizeof *options,
                    "DT_STD_OPTIONS_INIT");
        return NULL;
    }
    return call_std(DT_VARIANT_OUT, self, dims, keepdim, options->correction,
                    out);
}

static inline dt_status call_var_mean(dt_variant variant, dt_tensor *self,
                                      dt_dims dims, bool keepdim,
                                      double correction, dt_tensor **var,
                                      dt_tensor **mean)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = DT_ARG_REAL, .as.real = correction},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_VAR_MEAN, variant, arguments,
                                        4, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (var)
        *var = results[0];
    if (mean)
        *mean = results[1];
    return DT_OK;
}

dt_status dt_var_mean(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor **var, dt_tensor **mean)
{
    return call_var_mean(DT_VARIANT_NEW, self, dims, keepdim, 1, var, mean);
}

dt_status dt_var_mean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_var_mean_options *options, dt_tensor **var,
                           dt_tensor **mean)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_VAR_MEAN_OPTIONS_INIT");
    return call_var_mean(DT_VARIANT_NEW, self, dims, keepdim,
                         options->correction, var, mean);
}

static inline dt_status call_std_mean(dt_variant variant, dt_tensor *self,
                                      dt_dims dims, bool keepdim,
                                      double correction, dt_tensor **std,
                                      dt_tensor **mean)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
        {.kind = DT_ARG_INTEGER, .as.integer = keepdim},
        {.kind = DT_ARG_REAL, .as.real = correction},
    };
    dt_tensor *results[2] = {NULL};
    int count = 0;
    dt_status status = dti_op_call_many(OP_STD_MEAN, variant, arguments,
                                        4, results, 2, &count);
    if (status != DT_OK)
        return status;
    if (std)
        *std = results[0];
    if (mean)
        *mean = results[1];
    return DT_OK;
}

dt_status dt_std_mean(dt_tensor *self, dt_dims dims, bool keepdim,
                      dt_tensor **std, dt_tensor **mean)
{
    return call_std_mean(DT_VARIANT_NEW, self, dims, keepdim, 1, std, mean);
}

dt_status dt_std_mean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                           const dt_std_mean_options *options, dt_tensor **std,
                           dt_tensor **mean)
{
    if (options->size != sizeof *options)
        return refuse_size(self, options->size, sizeof *options,
                           "DT_STD_MEAN_OPTIONS_INIT");
    return call_std_mean(DT_VARIANT_NEW, self, dims, keepdim,
                         options->correction, std, mean);
}

static inline dt_tensor *call_view(dt_variant variant, dt_tensor *self,
                                   dt_shape shape, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&shape),
         .as.integers = list_of(&shape)},
    };
    return dti_op_call_one(OP_VIEW, variant, arguments, 2, out);
}

dt_tensor *dt_view(dt_tensor *self, dt_shape shape)
{
    return call_view(DT_VARIANT_NEW, self, shape, NULL);
}

static inline dt_tensor *call_reshape(dt_variant variant, dt_tensor *self,
                                      dt_shape shape, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&shape),
         .as.integers = list_of(&shape)},
    };
    return dti_op_call_one(OP_RESHAPE, variant, arguments, 2, out);
}

dt_tensor *dt_reshape(dt_tensor *self, dt_shape shape)
{
    return call_reshape(DT_VARIANT_NEW, self, shape, NULL);
}

static inline dt_tensor *call_flatten(dt_variant variant, dt_tensor *self,
                                      int start, int end, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = start},
        {.kind = DT_ARG_INTEGER, .as.integer = end},
    };
    return dti_op_call_one(OP_FLATTEN, variant, arguments, 3, out);
}

dt_tensor *dt_flatten(dt_tensor *self, int start, int end)
{
    return call_flatten(DT_VARIANT_NEW, self, start, end, NULL);
}

static inline dt_tensor *call_unflatten(dt_variant variant, dt_tensor *self,
                                        int dim, dt_shape sizes,
                                        dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&sizes),
         .as.integers = list_of(&sizes)},
    };
    return dti_op_call_one(OP_UNFLATTEN, variant, arguments, 3, out);
}

dt_tensor *dt_unflatten(dt_tensor *self, int dim, dt_shape sizes)
{
    return call_unflatten(DT_VARIANT_NEW, self, dim, sizes, NULL);
}

static inline dt_tensor *call_squeeze(dt_variant variant, dt_tensor *self,
                                      dt_dims dims, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
    };
    return dti_op_call_one(OP_SQUEEZE, variant, arguments, 2, out);
}

dt_tensor *dt_squeeze(dt_tensor *self, dt_dims dims)
{
    return call_squeeze(DT_VARIANT_NEW, self, dims, NULL);
}

dt_tensor *dt_squeeze_(dt_tensor *self, dt_dims dims)
{
    return call_squeeze(DT_VARIANT_IN_PLACE, self, dims, NULL);
}

static inline dt_tensor *call_unsqueeze(dt_variant variant, dt_tensor *self,
                                        int dim, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim},
    };
    return dti_op_call_one(OP_UNSQUEEZE, variant, arguments, 2, out);
}

dt_tensor *dt_unsqueeze(dt_tensor *self, int dim)
{
    return call_unsqueeze(DT_VARIANT_NEW, self, dim, NULL);
}

dt_tensor *dt_unsqueeze_(dt_tensor *self, int dim)
{
    return call_unsqueeze(DT_VARIANT_IN_PLACE, self, dim, NULL);
}

static inline dt_tensor *call_permute(dt_variant variant, dt_tensor *self,
                                      dt_dims dims, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = dims_count(&dims),
         .as.integers = list_of(&dims)},
    };
    return dti_op_call_one(OP_PERMUTE, variant, arguments, 2, out);
}

dt_tensor *dt_permute(dt_tensor *self, dt_dims dims)
{
    return call_permute(DT_VARIANT_NEW, self, dims, NULL);
}

static inline dt_tensor *call_transpose(dt_variant variant, dt_tensor *self,
                                        int dim0, int dim1, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGER, .as.integer = dim0},
        {.kind = DT_ARG_INTEGER, .as.integer = dim1},
    };
    return dti_op_call_one(OP_TRANSPOSE, variant, arguments, 3, out);
}

dt_tensor *dt_transpose(dt_tensor *self, int dim0, int dim1)
{
    return call_transpose(DT_VARIANT_NEW, self, dim0, dim1, NULL);
}

dt_tensor *dt_transpose_(dt_tensor *self, int dim0, int dim1)
{
    return call_transpose(DT_VARIANT_IN_PLACE, self, dim0, dim1, NULL);
}

static inline dt_tensor *call_t(dt_variant variant, dt_tensor *self,
                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
    };
    return dti_op_call_one(OP_T, variant, arguments, 1, out);
}

dt_tensor *dt_t(dt_tensor *self)
{
    return call_t(DT_VARIANT_NEW, self, NULL);
}

dt_tensor *dt_t_(dt_tensor *self)
{
    return call_t(DT_VARIANT_IN_PLACE, self, NULL);
}

static inline dt_tensor *call_expand(dt_variant variant, dt_tensor *self,
                                     dt_shape shape, dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS, .count = list_count(&shape),
         .as.integers = list_of(&shape)},
    };
    return dti_op_call_one(OP_EXPAND, variant, arguments, 2, out);
}

dt_tensor *dt_expand(dt_tensor *self, dt_shape shape)
{
    return call_expand(DT_VARIANT_NEW, self, shape, NULL);
}

static inline dt_tensor *call_where(dt_variant variant, dt_tensor *condition,
                                    dt_tensor *self, dt_tensor *other,
                                    dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = condition},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_WHERE, variant, arguments, 3, out);
}

dt_tensor *dt_where(dt_tensor *condition, dt_tensor *self, dt_tensor *other)
{
    return call_where(DT_VARIANT_NEW, condition, self, other, NULL);
}

dt_tensor *dt_where_out(dt_tensor *condition, dt_tensor *self, dt_tensor *other,
                        dt_tensor *out)
{
    return call_where(DT_VARIANT_OUT, condition, self, other, out);
}

static inline dt_tensor *call_where_scalar_self(dt_variant variant,
                                                dt_tensor *condition,
                                                dt_number self,
                                                dt_tensor *other,
                                                dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = condition},
        {.kind = DT_ARG_NUMBER, .as.number = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = other},
    };
    return dti_op_call_one(OP_WHERE_SCALAR_SELF, variant, arguments, 3, out);
}

dt_tensor *dt_where_scalar_self(dt_tensor *condition, dt_number self,
                                dt_tensor *other)
{
    return call_where_scalar_self(DT_VARIANT_NEW, condition, self, other,
                                  NULL);
}

static inline dt_tensor *call_where_scalar_other(dt_variant variant,
                                                 dt_tensor *condition,
                                                 dt_tensor *self,
                                                 dt_number other,
                                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = condition},
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_NUMBER, .as.number = other},
    };
    return dti_op_call_one(OP_WHERE_SCALAR_OTHER, variant, arguments, 3, out);
}

dt_tensor *dt_where_scalar_other(dt_tensor *condition, dt_tensor *self,
                                 dt_number other)
{
    return call_where_scalar_other(DT_VARIANT_NEW, condition, self, other,
                                   NULL);
}

static inline dt_tensor *call_masked_fill(dt_variant variant, dt_tensor *self,
                                          dt_tensor *mask, dt_number value,
                                          dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mask},
        {.kind = DT_ARG_NUMBER, .as.number = value},
    };
    return dti_op_call_one(OP_MASKED_FILL, variant, arguments, 3, out);
}

dt_tensor *dt_masked_fill(dt_tensor *self, dt_tensor *mask, dt_number value)
{
    return call_masked_fill(DT_VARIANT_NEW, self, mask, value, NULL);
}

dt_tensor *dt_masked_fill_(dt_tensor *self, dt_tensor *mask, dt_number value)
{
    return call_masked_fill(DT_VARIANT_IN_PLACE, self, mask, value, NULL);
}

static inline dt_tensor *call_masked_fill_tensor(dt_variant variant,
                                                 dt_tensor *self,
                                                 dt_tensor *mask,
                                                 dt_tensor *value,
                                                 dt_tensor *out)
{
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_TENSOR, .as.tensor = mask},
        {.kind = DT_ARG_TENSOR, .as.tensor = value},
    };
    return dti_op_call_one(OP_MASKED_FILL_TENSOR, variant, arguments, 3, out);
}

dt_tensor *dt_masked_fill_tensor(dt_tensor *self, dt_tensor *mask,
                                 dt_tensor *value)
{
    return call_masked_fill_tensor(DT_VARIANT_NEW, self, mask, value, NULL);
}

dt_tensor *dt_masked_fill_tensor_(dt_tensor *self, dt_tensor *mask,
                                  dt_tensor *value)
{
    return call_masked_fill_tensor(DT_VARIANT_IN_PLACE, self, mask, value,
                                   NULL);
}

/* clang-format on */
