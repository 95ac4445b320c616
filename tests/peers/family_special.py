# tests/peers/family_special.py - the gamma function and its kin, and inverses.
# SPDX-License-Identifier: Apache-2.0
"""Of ops_families.py."""

import torch
from ops_draw import any_dtype, binary, chance, draw, draw_shape, pick, unary
from ops_named import INF, named, numbers
from ops_small import has_partial, matrix, small
from ops_small import named as layout_named


def draw_erfinv():
    tensor = draw(draw_shape(), any_dtype())
    return [torch.tanh(tensor) if tensor.is_floating_point() and chance(80)
            else tensor]


def draw_order():
    return [-1 if chance(3) else pick.choice([0, 1, 1, 2, 3, 4]), unary()[0]]


DRAW = {
    "lgamma": unary, "digamma": unary, "polygamma": draw_order,
    "erfinv": draw_erfinv, "special_ndtr": unary, "special_entr": unary,
    "special_xlog1py": binary,
}
REFERENCE = {
    "polygamma": lambda n, self, out=None: torch.special.polygamma(
        n, self, out=out),
}
IN_PLACE = {
    "polygamma": lambda n, self: self.polygamma_(n),
}


def last(case):
    return case["args"][-1]


def with_size(case, theirs):
    """Errors of sums of what is as large as 1.  PyTorch's series are short: it
    has ten digits of f64."""
    short = case["name"] != "special_ndtr" and theirs.dtype == torch.float64
    return (theirs.abs().to(torch.float64) + 1) * (1e6 if short else 1)


BOUND = {name: with_size for name in ["lgamma", "digamma", "polygamma",
                                      "special_ndtr"]}


def has_pole(case):
    """Is there an integer below 0, or what rounding takes for one?"""
    wide = last(case).to(torch.float64)
    return bool(((wide < 0) & ((wide - wide.round()).abs() < 1e-3)).any())


EXPLAINED = [
    ({"polygamma"}, ".*values", has_pole,
     named("polygamma", 1, numbers("f32", -1.0)),
     "poles are infinite; PyTorch's sine of pi is not 0"),
    ({"polygamma"}, ".*values.* not nan",
     lambda case: bool(last(case).isinf().any()),
     named("polygamma", 2, numbers("f32", INF)),
     "far out derivatives are 0; PyTorch finds no number"),
]


# ---- Layouts -----------------------------------------------------------------

CALLS = {
    **{name: lambda: [matrix()] for name in
       ["lgamma", "digamma", "erfinv", "special_ndtr", "special_entr"]},
    "polygamma": lambda: [1, small(8, 4, low=1)],
    "special_xlog1py": lambda: [small(8, 4), small(8, 4, low=0)],
}
LAYOUTS_EXPLAINED = [
    ({"special_xlog1py"}, "more: .*, not .*P.* by", has_partial,
     layout_named("special_xlog1py", lambda: [small(8, 4), small(8, 4, low=0)],
                  "P(avg)", "R"),
     "0 times an infinite logarithm is 0, but not in parts"),
]
