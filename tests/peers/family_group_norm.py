# tests/peers/family_group_norm.py - group norm, and back through it.
# SPDX-License-Identifier: Apache-2.0
"""See ops_families.py."""

from family_norm import without
from ops_calls import FLOATS
from ops_draw import any_dtype, chance, draw, extent, mostly, pick
from ops_named import INF, is_finite, named, numbers
from ops_small import draw_few, has_partial, named as lying, small
import torch

aten = torch.ops.aten


def dense(tensor):
    """PyTorch reads the weights of every stride as neighbours."""
    return None if tensor is None else tensor.contiguous()


def group_norm(self, weight, bias, n, c, hxw, group, eps):
    if group < 1 or c % group:
        raise RuntimeError("groups")
    return aten.native_group_norm(dense(self), dense(weight), dense(bias), n, c,
                                  hxw, group, eps)


def group_norm_backward(grad, self, mean, rstd, weight, n, c, hxw, group, mask):
    if group < 1 or c % group:
        raise RuntimeError("groups")
    results = aten.native_group_norm_backward(
        dense(grad), dense(self), dense(mean), dense(rstd),
        torch.ones(c, dtype=self.dtype) if weight is None else dense(weight),
        n, c, hxw, group, [True, True, True])
    return without(results, mask)


REFERENCE = {"group_norm": group_norm,
             "group_norm_backward": group_norm_backward}
NORMS = set(REFERENCE)


def sizes(case):
    return [t.to(torch.float64).abs().nan_to_num(0, 0, 0)
            for t in case["args"] if isinstance(t, torch.Tensor)]


def forward_bound(case, theirs):
    """x - mean loses digits."""
    size = sizes(case)[0]
    return theirs.abs().to(torch.float64) + 1 + (
        1e3 * size.max() if size.numel() else 0)


def backward_bound(case, theirs):
    grad, self, mean, rstd, *weight = [
        t.max() if t.numel() else torch.tensor(0.0) for t in sizes(case)]
    hat = 1 + (self + mean) * rstd
    weight = max([torch.tensor(1.0, dtype=torch.float64)] + weight)
    return theirs.abs().to(torch.float64) + grad * weight * (
        1 + rstd) * hat * hat * max(1, case["args"][1].numel() ** 0.5)


BOUND = {"group_norm": forward_bound, "group_norm_backward": backward_bound}


def draw_input(special):
    group = pick.choice([1, 2, 3, 4])
    c = group * pick.choice([1, 2, 3])
    shape = [extent(), c] + [extent() for _ in range(pick.randint(0, 2))]
    if 0 in shape and chance(80):
        shape = [size or 2 for size in shape]
    dtype = mostly(FLOATS)
    hxw = 1
    for size in shape[2:]:
        hxw *= size
    if chance(3):
        group += 1
    return draw(shape, dtype, special=special), [shape[0], c, hxw, group]


def draw_group_norm():
    self, extents = draw_input("few" if chance(20) else False)
    c = extents[1]
    other = self.dtype
    if other in FLOATS[2:] and chance(30):
        other = torch.float32
    weights = [draw([c + chance(2)], other if chance(98) else any_dtype(),
                    special=False) if chance(70) else None for _ in "wb"]
    return [self, *weights, *extents, pick.choice([1e-5, 1e-2])]


def draw_backward():
    self, extents = draw_input(False)
    n, c, _, group = extents
    statistics = [draw([n, group], self.dtype, special=False)
                  for _ in range(2)]
    if self.is_floating_point():
        statistics[1] = statistics[1].abs() + 0.5
    weight = draw([c], self.dtype, special=False) if chance(70) else None
    return [draw(list(self.shape), self.dtype if chance(98) else any_dtype(),
                 special=False), self, *statistics, weight, *extents,
            [int(chance(80)) for _ in range(3)]]


DRAW = {"group_norm": draw_group_norm, "group_norm_backward": draw_backward}
EXPLAINED = [
    ({"group_norm"}, ".*values", lambda case: not is_finite(case),
     named("group_norm", numbers("f32", [INF, INF, INF]), None, None, 1, 3, 1, 1,
           0.01),
     "the mean of infinity is infinity; PyTorch's running mean gives NaN"),
]


SHAPES = [(8, 8, 4), (4, 8, 6), (8, 4, 4, 4)]


def call_group_norm():
    shape = pick.choice(SHAPES)
    self = small(*shape)
    hxw = self[0, 0].numel()
    return [self, small(shape[1]), small(shape[1]), *shape[:2], hxw,
            pick.choice([2, 4]), 1e-5]


def call_backward():
    shape, group = pick.choice(SHAPES), pick.choice([2, 4])
    self = small(*shape)
    return [small(*shape), self, small(shape[0], group),
            small(shape[0], group, low=1), small(shape[1]), *shape[:2],
            self[0, 0].numel(), group, [1, 1, 1]]


CALLS = {"group_norm": call_group_norm, "group_norm_backward": call_backward}
PLACED = {"group_norm_backward": draw_few}
LAYOUTS_EXPLAINED = [
    ({"group_norm_backward"}, r"more: .*, not .*P\(.*", has_partial,
     lying("group_norm_backward",
           lambda: [small(4, 4, 3), small(4, 4, 3), small(4, 2),
                    small(4, 2, low=1), small(4), 4, 4, 3, 2, [1, 1, 1]],
           "R", "R", "R", "R", "P(sum)"),
     "a weight is whole; in PyTorch it may be partial for one result of three"),
]
