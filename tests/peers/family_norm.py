# tests/peers/family_norm.py - what comes back through norms.
# SPDX-License-Identifier: Apache-2.0
"""See ops_families.py."""

from ops_calls import FLOATS
from ops_draw import any_dtype, chance, draw, draw_shape, mostly, pick
from ops_small import matrix_of, small
import torch

aten = torch.ops.aten


def without(results, mask):
    """What is not wanted has no elements here; PyTorch gives nothing."""
    return [result if wanted else torch.empty(0, dtype=result.dtype)
            for result, wanted in zip(results, mask)]


def layer_norm_backward(grad, self, shape, mean, rstd, weight, bias, mask):
    if len(mask) != 3 or grad.shape != self.shape or not all(
            t is None or t.is_floating_point()
            for t in (self, mean, rstd, weight, bias)):
        raise RuntimeError("arguments")
    ones = torch.ones(shape, dtype=self.dtype)
    results = aten.native_layer_norm_backward(
        grad, self, shape, mean.contiguous(), rstd.contiguous(),
        ones if weight is None else weight,
        ones if bias is None else bias, [True, True, True])
    return without(results, mask)


def rms_norm_backward(grad, self, shape, rstd, weight, mask):
    """By steps: _fused_rms_norm_backward of the CPU does the same."""
    if len(mask) != 2 or grad.shape != self.shape or list(
            self.shape[-len(shape):]) != shape or grad.dtype != self.dtype:
        raise RuntimeError("arguments")
    wide = torch.float64 if self.dtype == torch.float64 else torch.float32
    g, x, r = grad.to(wide), self.to(wide), rstd.to(wide)
    dims = list(range(self.dim() - len(shape), self.dim()))
    rows = list(range(self.dim() - len(shape)))
    gw = g if weight is None else g * weight.to(wide)
    hat = x * r
    made = r * (gw - hat * (gw * hat).mean(dims, True))
    factor = (g * hat).sum(rows) if rows else g * hat
    results = [made.to(self.dtype), factor.to(
        self.dtype if weight is None else weight.dtype)]
    return without(results, mask)


REFERENCE = {"layer_norm_backward": layer_norm_backward,
             "rms_norm_backward": rms_norm_backward}
NORMS = set(REFERENCE)


def bound(case, theirs):
    sizes = [t.to(torch.float64).abs().nan_to_num(0, 0, 0)
             for t in case["args"] if isinstance(t, torch.Tensor)]
    largest = [t.max() if t.numel() else torch.tensor(0.0) for t in sizes]
    grad, self, *others = largest
    rstd = others[1 if case["name"] == "layer_norm_backward" else 0]
    mean = others[0] if case["name"] == "layer_norm_backward" else 0
    hat = 1 + (self + mean) * rstd
    weight = max([torch.tensor(1.0, dtype=torch.float64)] + others[-2:])
    return theirs.abs().to(torch.float64) + grad * weight * (
        1 + rstd) * hat * hat * max(1, sizes[1].numel() ** 0.5)


BOUND = {"layer_norm_backward": bound, "rms_norm_backward": bound}


def draw_backward(centred):
    def made():
        shape = draw_shape(1, 3)
        count = pick.randint(1, len(shape))
        last = shape[-count:]
        dtype = mostly(FLOATS)
        while not dtype.is_floating_point:
            dtype = mostly(FLOATS)
        self = draw(shape, dtype, special=False)
        rows = shape[:-count] + [1] * count
        wide = dtype if dtype == torch.float64 else torch.float32
        statistics = [draw(rows, dtype if centred else wide, special=False)
                      for _ in range(1 + centred)]
        statistics[-1] = statistics[-1].abs() + 0.5
        weights = [draw(last, dtype, special=False) if chance(60) else None
                   for _ in range(1 + centred)]
        if chance(3):
            last = last[:-1] + [last[-1] + 1]
        mask = [int(chance(80))] + [int(chance(80)) for _ in weights]
        if centred and weights[1] is not None and weights[0] is None:
            weights[1] = None
        return [draw(shape, dtype if chance(98) else any_dtype(),
                     special=False), self, last, *statistics, *weights, mask]
    return made


DRAW = {"layer_norm_backward": draw_backward(True),
        "rms_norm_backward": draw_backward(False)}
EXPLAINED = []


def call_backward(centred):
    def made():
        self = matrix_of(6)
        rows = [self.shape[0], 1]
        statistics = [small(*rows, low=1) for _ in range(1 + centred)]
        weights = [small(6) for _ in range(1 + centred)]
        return [self.roll(1), self, [6], *statistics, *weights,
                [1] * (2 + centred)]
    return made


CALLS = {"layer_norm_backward": call_backward(True),
         "rms_norm_backward": call_backward(False)}
LAYOUTS_EXPLAINED = []
