# tests/peers/gradients_explained.py - where gradients differ from PyTorch's by
# intention.
# SPDX-License-Identifier: Apache-2.0
"""Of gradients.py, besides what ops.py explains.  An entry is: operators (None:
all), what the difference begins with, when, why and, where random arguments may not show it, a call that
does."""

import math

from ops_calls import has_dtype, tensors_of
from ops_named import named, numbers, zeros
import torch


def always(_case):
    return True


def in_place(case):
    return case["form"] == "in_place"


def f64(case):
    return has_dtype(case, "f64")


def broadcasts(case):
    self, target = case["args"][1:3] if case["name"].endswith(
        "backward") else case["args"][:2]
    return self.shape != target.shape


def divides_by_zero(case):
    """Is a variance that of as many elements as its correction?"""
    self, dims, _, correction = case["args"]
    count = 1
    for dim in dims or range(self.dim()):
        count *= self.shape[dim]
    return count <= correction


def has_equal(case):
    """Are there equal elements, of which any may be picked?"""
    self = case["args"][0]
    if case["name"] == "topk" and not case["args"][4]:
        return True  # in any order
    return self.unique().numel() < self.numel() or self.isnan().sum() > 1


def is_huge(case):
    return any(bool((t.abs() > 1e9).any()) for t in tensors_of(case))


def views_gaps(case):
    return not case["args"][0].is_contiguous()


def is_empty(case):
    return any(t.numel() == 0 for t in tensors_of(case))


def is_finite(case):
    return all(bool(t.isfinite().all()) for t in tensors_of(case))


def has_nan(case):
    return any(bool(t.isnan().any()) for t in tensors_of(case))


def of_one(case):
    """Is a norm that of single elements?"""
    return math.prod(case["args"][1]) == 1


# Operators whose gradients are not compared, and why.
LEFT_OUT = {
    **{name: "PyTorch does not differentiate it" for name in
       ["floor_divide", "floor_divide_scalar", "bincount", "powsum",
        "foreach_copy",
        "group_norm_backward", "scaled_dot_product_attention_backward",
        "scaled_dot_product_attention_mask_backward"]},
}
# One rank and PyTorch.
EXPLAINED = [
    ({"acosh"}, ".*values.*: nan, not", always,
     "below 1 acosh is NaN, and so is its gradient; PyTorch's is that of "
     "acosh(-x)"),
    ({"polar"}, "gradient 0: .*values",
     lambda case: bool((case["args"][0] < 0).any()),
     "PyTorch has the other sign for absolute values below 0",
     named("polar", numbers("f32", -1.0), numbers("f32", 0.5))),
    ({"digamma", "polygamma"}, ".*values", f64,
     "PyTorch's trigamma has 10 digits, in f64 too"),
    ({"digamma", "polygamma"}, ".*values.*: -?inf, not", always,
     "at 0 and below, integers are poles, where PyTorch divides by the square "
     "of what rounding leaves of sin(pi x)"),
    ({"binary_cross_entropy_backward"}, ".*values", f64,
     "PyTorch adds 1e-12 to divisors"),
    ({"silu"}, ".*values",
     lambda case: in_place(case) and has_dtype(case, "c64"),
     "PyTorch differentiates silu of complex numbers in place alone, without "
     "conjugation",
     named("silu", numbers("c64", 1 + 2j), form="in_place")),
    ({"celu", "hardsigmoid"}, ".*values", f64,
     "PyTorch rounds 1 / alpha, or 1 / 6, to f32"),
    ({"smooth_l1_loss", "huber_loss", "mse_loss", "smooth_l1_loss_backward",
      "huber_loss_backward", "mse_loss_backward"}, ".*values", broadcasts,
     "PyTorch divides by the elements of target, not of the losses, if target "
     "is broadcast"),
    ({"var", "std", "var_mean", "std_mean"}, ".*values.*(nan|inf)",
     divides_by_zero,
     "numbers are divided by 0, and other parts of complex ones are infinite "
     "or NaN",
     named("var", numbers("c64", 1 + 2j), [0], False, 1.0)),
    ({"cumprod", "prod"}, ".*values",
     lambda case: has_dtype(case, "c64") and torch.float64 in case["args"],
     "of complex numbers that are made real PyTorch multiplies by the "
     "imaginary parts, too",
     named("cumprod", numbers("c64", 1 + 2j, 2 - 1j), 0, torch.float64)),
    ({"mode", "kthvalue", "median_dim", "nanmedian_dim", "topk", "sort"},
     ".*values", has_equal, "of equal elements any may be picked"),
    ({"selu", "elu", "celu", "hardtanh", "relu6", "softshrink", "hardshrink",
      "foreach_norm"}, ".*values.*not (nan|-?0.0)", has_nan,
     "the gradient of elements that are NaN is one or another in PyTorch, as "
     "arrays are contiguous or not"),
    (None, ".*values.*not nan",
     lambda case: has_dtype(case, "c64") and (
         not is_finite(case) or is_huge(case)),
     "of infinite and huge complex numbers PyTorch makes NaN"),
    ({"pow"}, "gradient 1: .*values.*not nan",
     lambda case: has_dtype(case, "c64"),
     "powers of 0 are 0, whatever the imaginary part of the exponent"),
    ({"atan2"}, ".*values", lambda case: has_dtype(case, "i64") and is_huge(case),
     "squares of integers wrap around in PyTorch",
     named("atan2", numbers("f32", 1.0),
           lambda: torch.tensor([1 << 62]))),
    ({"view", "view_as"}, "we refuse: .*strides.*do not allow", views_gaps,
     "PyTorch is given a dense copy as leaf"),
    (None, "we refuse: .*is expanded", in_place,
     "PyTorch is given a dense copy to overwrite"),
    ({"polygamma"}, ".*values.*not nan", lambda case: not is_finite(case),
     "at infinity it is 0; PyTorch's is NaN"),
    ({"pow_scalar"}, ".*values.*not nan", lambda case: case["args"][1] is False,
     "PyTorch does not know that False is 0, and 0 / 0 is NaN",
     named("pow_scalar", zeros("f32", 2), False)),
    ({"pow_base"}, ".*values.*not nan",
     lambda case: case["args"][0] == 0 and has_dtype(case, "c64"),
     "powers of 0 are 0, and so is their gradient; PyTorch multiplies by a "
     "logarithm", named("pow_base", 0, numbers("c64", 1 + 2j, 3 - 1j))),
    ({"kl_div"}, "gradient 1: .*values.*not nan", always,
     "for a target of 0 PyTorch divides 0 by 0",
     named("kl_div", numbers("f32", 1.0, 2.0), zeros("f32", 2), 1, False)),
    ({"group_norm"}, ".*values.*not nan", is_empty,
     "sums of no elements are 0",
     named("group_norm", zeros("f32", 2, 2, 0), numbers("f32", 1.0, 2.0), None,
           2, 2, 0, 1, 0.01)),
    ({"layer_norm"}, "gradient 0: .*values", of_one,
     "of one element it is 0 but for rounding"),
    ({"logcumsumexp"}, ".*values", f64,
     "positive and negative sums cancel; both have been rounded"),
    ({"embedding_dense_backward"}, "we refuse: .*scale_grad_by_freq", always,
     "PyTorch differentiates as if nothing were divided"),
    ({"addbmm", "addr"}, "we refuse: .*the result has shape", in_place,
     "PyTorch gives self the shape of the result, in place"),
]
# 2x2 ranks and PyTorch.
LAYOUTS_EXPLAINED = [
    (None, "we refuse: .*must have layout",
     lambda case: case["name"] in ("view", "view_as") or in_place(case),
     "a view never communicates: reshape does"),
    (None, "we refuse: .*the result would have layout", in_place,
     "what is overwritten keeps its layout"),
]
