# tests/peers/family_glu.py - gated linear units.
# SPDX-License-Identifier: Apache-2.0
"""See ops_families.py."""

from ops_calls import FLOATS
from ops_draw import any_dtype, chance, draw, draw_dim, draw_shape, mostly
from ops_draw import pick
from ops_named import INF, is_empty, is_finite, named, numbers, zeros
from ops_small import columns, rows, small
import torch

aten = torch.ops.aten
REFERENCE = {
    "glu": lambda self, dim, **out: aten.glu(self, dim, **out),
    "glu_backward": lambda grad, self, dim, **out: aten.glu_backward(
        grad, self, dim, **({"grad_input": out["out"]} if out else {}))}


def bound(case, theirs):
    """1 - sigmoid loses digits."""
    grad, self = (t.to(torch.float64).abs().nan_to_num(0, 0, 0)
                  for t in case["args"][:2])
    largest = [t.max() if t.numel() else torch.tensor(0.0)
               for t in (grad, self)]
    return theirs.abs().to(torch.float64) + largest[0] * (1 + largest[1])


BOUND = {"glu_backward": bound}


def draw_glu():
    shape = draw_shape(0 if chance(3) else 1, 4)
    dim = draw_dim(len(shape))
    if shape and -len(shape) <= dim < len(shape) and chance(96):
        shape[dim] *= 2
    return [draw(shape, mostly(FLOATS)), dim]


def draw_backward():
    self, dim = draw_glu()
    shape = list(self.shape)
    if shape and -len(shape) <= dim < len(shape):
        shape[dim] //= 2
    if shape and chance(3):
        shape[0] += 1
    return [draw(shape, self.dtype if chance(97) else any_dtype()), self, dim]


DRAW = {"glu": draw_glu, "glu_backward": draw_backward}
EXPLAINED = [
    ({"glu_backward"}, ".*values", lambda case: not is_finite(case),
     named("glu_backward", numbers("bf16", -INF), numbers("bf16", 1.0, 7.0), 0),
     "1 - sigmoid is no zero that infinity is multiplied by; PyTorch rounds "
     "the sigmoid to 1 before"),
    ({"glu_backward"}, "we refuse: .*grad_output is", is_empty,
     named("glu_backward", zeros("f32", 1, 2), zeros("f32", 0, 2), 0),
     "PyTorch takes one for any extent, none too"),
]


def call_glu():
    return [small(rows(), 2 * columns()), pick.choice([1, -1])]


def call_backward():
    self, dim = call_glu()
    return [small(self.shape[0], self.shape[1] // 2), self, dim]


CALLS = {"glu": call_glu, "glu_backward": call_backward}
LAYOUTS_EXPLAINED = []
