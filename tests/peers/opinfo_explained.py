# tests/peers/opinfo_explained.py - where OpInfo's samples show differences that
# are meant.
# SPDX-License-Identifier: Apache-2.0
"""Of opinfo.py, besides what ops.py explains.  An entry is: operators (None:
all), what the difference begins with, when, and why."""

from ops_calls import has_dtype
from ops_named import is_finite


def always(_case):
    return True


def in_place(case):
    return case["form"] == "in_place"


# One rank and PyTorch.
EXPLAINED = [
    ({"addr"}, "we refuse: addr: the result has shape ", in_place,
     "PyTorch gives self the shape of the result, in place"),
    ({"unfold_backward"}, "we refuse: .*the windows of shape ",
     lambda case: case["args"][0].shape[0] == 1,
     "PyTorch reads gradients of another shape than windows have, beyond "
     "their end"),
    ({"native_dropout_backward"}, "we refuse: .*expected a floating-point dtype and bool",
     lambda case: not case["args"][0].is_floating_point(),
     "gradients are floats; PyTorch multiplies integers"),
    ({"mul", "square"}, ".*values.*not nan",
     lambda case: has_dtype(case, "c64") and not is_finite(case),
     "products of c64 are computed in f64: what overflows and cancels in f32, "
     "as in PyTorch, does not become NaN"),
    ({"logaddexp"}, ".*values",
     lambda case: has_dtype(case, "c64"),
     "where exp(x) + exp(y) nearly cancels, f32 has few digits of it; of "
     "infinite numbers PyTorch makes NaN"),
    ({"polygamma"}, ".*values",
     lambda case: in_place(case) and has_dtype(case, "f32"),
     "differs by 1e-6 of the value, in f32"),
    ({"foreach_norm"}, "we refuse: .*expected a floating-point dtype",
     lambda case: has_dtype(case, "c64"), "complex norms are not there yet"),
    ({"where_scalar_self", "where_scalar_other"},
     "we refuse: .*not supported for dtype invalid", always,
     "a complex number beside f64 would be c128, which there is not"),
]
# 2x2 ranks and one.
LAYOUTS_EXPLAINED = [
    ({"slice"}, ".*values.*inf, not ", always,
     "the average of numbers near the largest overflows while it is summed"),
    ({"foreach_lerp_scalars"}, ".*values", always,
     "with weights up to 10, what a partial end loses by rounding grows"),
    ({"view", "view_as"}, "we refuse: view: self, .*must have layout ",
     always, "a view never communicates: reshape does"),
]
