# tests/peers/family_complex.py - complex numbers and their parts.
# SPDX-License-Identifier: Apache-2.0
"""Of ops_families.py."""

import torch
from ops_calls import has_dtype
from ops_draw import broadcast_shapes, chance, draw, draw_shape, mostly, unary
from ops_named import named, zeros
from ops_small import matrix


def draw_pair():
    a, b = broadcast_shapes(2)
    dtype = mostly([torch.float32])
    return [draw(a, dtype),
            draw(b, mostly([torch.float32]) if chance(5) else dtype)]


DRAW = {
    "real_part": unary, "conj": unary, "conj_physical": unary, "angle": unary,
    "imag_part": lambda: [draw(draw_shape(), mostly([torch.complex64]))],
    "complex": draw_pair, "polar": draw_pair,
}
EXACT = {"real_part", "imag_part", "conj", "conj_physical", "complex"}
REFERENCE = {
    "real_part": lambda self: torch.real(self),
    "imag_part": lambda self: torch.imag(self),
    "conj": lambda self: torch.conj(self).resolve_conj(),
}


EXPLAINED = [
    ({"complex", "polar"}, "we refuse: .*expected f32",
     lambda case: has_dtype(case, "f64", "f16"),
     named("complex", zeros("f64", 2), zeros("f64", 2)),
     "there are no complex numbers of f64 and f16 here"),
    ({"conj_physical"}, "we refuse: .*is expanded",
     lambda case: case["form"] == "in_place" and not has_dtype(case, "c64"),
     named("conj_physical", lambda: torch.zeros(2).expand(3, 2),
           form="in_place"),
     "in place, PyTorch does not look at reals"),
]


# ---- Layouts -----------------------------------------------------------------

CALLS = {
    "conj": lambda: [matrix()],
    "conj_physical": lambda: [matrix()],
    "real_part": lambda: [matrix()],
    "angle": lambda: [matrix()],
}
LAYOUTS_LEFT_OUT = {
    name: "complex numbers are not distributed there"
    for name in ["imag_part", "complex", "polar"]
}
