# tests/peers/family_create.py - tensors made like others, and set.
# SPDX-License-Identifier: Apache-2.0
"""Of ops_families.py."""

import torch
from ops_draw import (any_dtype, chance, draw, draw_shape, pick, second_dtype,
                      unary)
from ops_named import named, numbers, out_of_range, zeros
import ops_small
from ops_small import matrix, small


def number():
    return pick.choice([0, 1, 2, -3, 7, 2.5, -0.5, True, False, 300,
                        float("inf")])


def a_dtype():
    return any_dtype() if chance(40) else None


def draw_copy():
    shape, dtype = draw_shape(), any_dtype()
    source = [1 if chance(20) else s for s in shape]
    if chance(15):
        source = source[pick.randint(0, len(source)):]
    if chance(3):
        source = [2] + source
    return [draw(shape, dtype), draw(source, second_dtype(dtype))]


DRAW = {
    "fill_scalar": lambda: unary() + [number()],
    "fill": lambda: (lambda call: call + [
        draw([2] if chance(4) else [], second_dtype(call[0].dtype))])(unary()),
    "zero": unary, "copy": draw_copy,
    "new_zeros": lambda: unary() + [draw_shape(), a_dtype()],
    "new_ones": lambda: unary() + [draw_shape(), a_dtype()],
    "new_full": lambda: unary() + [draw_shape(), number(), a_dtype()],
    "new_empty": lambda: unary() + [[0] + draw_shape(0, 2), a_dtype()],
}
EXACT = set(DRAW)
ATEN = {"fill_scalar": "fill"}
REFERENCE = {
    "new_full": lambda self, size, value, dtype: self.new_full(
        size, value, dtype=dtype or self.dtype),
}


def saturates(case):
    """Does a float not fit into an integer of self?"""
    return out_of_range({"args": [case["args"][1], case["args"][0].dtype]})


EXPLAINED = [
    (set(DRAW), "we refuse: .*is expanded",
     lambda case: case["form"] == "in_place",
     named("zero", lambda: torch.ones(1).expand(3), form="in_place"),
     "PyTorch writes to elements that lie in one place, one after another"),
    ({"copy", "fill"}, ".*values", saturates,
     named("copy", zeros("u8", 1), numbers("f32", -3.0)),
     "floats saturate, as in a cast"),
]

LAYOUTS_EXPLAINED = [
    ({"zero"}, "other: .* by -, not .* by 0", ops_small.has_partial,
     ops_small.named("zero", lambda: [small(8, 4)], "P(min)"),
     "parts of every kind that are zero combine to zero"),
    ({"fill_scalar", "fill"}, "other: .* by -, not .* by 0",
     ops_small.has_partial,
     ops_small.named("fill_scalar", lambda: [small(8, 4), 3], "P(sum)"),
     "what is filled stays where it lies and reads back as the number"),
    ({"new_zeros", "new_ones", "new_full"}, "other: .* by -, not .* by 0",
     ops_small.has_partial,
     ops_small.named("new_full", lambda: [small(8, 4), [8, 4], 2, None],
                     "P(sum) S(1)"),
     "as with zeros_like: in PyTorch a number that every rank of a sum has "
     "reads back as a multiple"),
]

CALLS = {
    "fill_scalar": lambda: [matrix(), 3], "zero": lambda: [matrix()],
    "fill": lambda: [matrix(), small()],
    "copy": lambda: (lambda a: [a, a.roll(1)])(matrix()),
    "new_zeros": lambda: (lambda a: [a, list(a.shape), None])(matrix()),
    "new_ones": lambda: (lambda a: [a, list(a.shape), None])(matrix()),
    "new_full": lambda: (lambda a: [a, list(a.shape), 2, None])(matrix()),
    "new_empty": lambda: [small(0, 4), [0, 4], None],
}
