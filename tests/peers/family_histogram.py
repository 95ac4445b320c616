# tests/peers/family_histogram.py - how often elements occur.
# SPDX-License-Identifier: Apache-2.0
"""See ops_families.py."""

from ops_calls import FLOATS, has_dtype
from ops_draw import (any_dtype, chance, draw, draw_shape, extent, mostly,
                      pick)
from ops_named import any_case, is_empty, named, numbers, zeros
from ops_small import rows, small
import torch

aten = torch.ops.aten
INTEGERS = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]
REFERENCE = {
    "histc": torch.histc,
    "bincount": lambda self, weights, minlength: torch.bincount(
        self, weights, minlength),
    "safe_softmax": lambda self, dim, dtype: aten._safe_softmax(
        self, dim, dtype)}
EXACT = {"histc"}
NORMS = {"bincount", "safe_softmax"}


def draw_histc():
    low, high = pick.choice([(0, 0), (0, 0), (-2, 3), (0.5, 1.5), (-1, 0),
                             (1, 1), (2, 1) if chance(20) else (-4, 4)])
    return [draw(draw_shape(), mostly(FLOATS), special=chance(10)),
            pick.choice([1, 3, 10, 100, 0 if chance(20) else 7]), low, high]


def draw_bincount():
    count = extent()
    dtype = mostly(INTEGERS)
    weights = None
    if chance(60):
        weights = draw([count + chance(2)], any_dtype(), special=False)
    shape = [count] if chance(97) else [count, 2]
    return [draw(shape, dtype, low=-1 if chance(3) and dtype != torch.uint8
                 else 0, high=7), weights, pick.choice([0, 0, 3, 12])]


def draw_safe():
    shape = draw_shape(0, 3)
    self = draw(shape, mostly(FLOATS), special="few")
    if self.is_floating_point() and shape and chance(40):
        self = torch.where(torch.rand(self.shape) < 0.8,
                           torch.tensor(float("-inf"), dtype=self.dtype), self)
    bound = max(1, len(shape))
    return [self, pick.randrange(-bound, bound),
            torch.float32 if chance(15) else None]


DRAW = {"histc": draw_histc, "bincount": draw_bincount,
        "safe_softmax": draw_safe}


def bincount_bound(case, theirs):
    weights = case["args"][1]
    total = 0 if weights is None or not weights.numel() else (
        weights.abs().to(torch.float64).sum())
    return theirs.abs().to(torch.float64) + total


BOUND = {"bincount": bincount_bound}
EXPLAINED = [
    ({"histc"}, ".*values", lambda case: has_dtype(case, "f16", "bf16"),
     named("histc", numbers("bf16", 0.2, 0.7, 1.3, 2.9, 3.1), 100, 0, 0),
     "PyTorch rounds every step to the half type, and puts elements into bins "
     "that they are not in"),
    ({"bincount"}, "we refuse: .*weights is c64", any_case,
     named("bincount", numbers("i64", 1), numbers("c64", 1j), 0),
     "PyTorch drops the imaginary part, without a word"),
    ({"bincount"}, "we refuse: .*weights has shape", is_empty,
     named("bincount", zeros("i64", 0), zeros("f32", 1), 3),
     "PyTorch looks at weights only if something is counted"),
    ({"safe_softmax"}, "PyTorch refuses: .*isneginf", any_case,
     named("safe_softmax", zeros("c64", 2), -1, torch.float32),
     "what is converted is compared; PyTorch compares what is given"),
    ({"safe_softmax"}, "we refuse: .*pass a floating-point dtype", is_empty,
     named("safe_softmax", zeros("u8", 0, 3), -1, None),
     "PyTorch looks at the dtype only if there is something to compute"),
]
CALLS = {"safe_softmax": lambda: [small(rows(), 4), pick.choice([0, 1]), None]}
LAYOUTS_LEFT_OUT = {
    "histc": "PyTorch has no rule for it",
    "bincount": "PyTorch has no rule for it"}
LAYOUTS_EXPLAINED = []
