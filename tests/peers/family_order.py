# tests/peers/family_order.py - sorting, and what is found in order.
# SPDX-License-Identifier: Apache-2.0
"""Tables of ops_families.py."""

import ops_small as small
from ops_calls import aten, tensors_of
from ops_draw import (along, any_dtype, chance, draw, draw_shape, lay, mostly,
                      pick, plain)
from ops_named import NAN, is_empty, named, numbers, zeros
import torch

INTEGERS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8]
REALS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


# ---- Arguments ---------------------------------------------------------------

def draw_sort():
    return [*along(), chance(50), chance(50)]


def draw_kth():
    tensor, dim = along(0, INTEGERS + REALS)
    size = tensor.shape[dim] if -tensor.dim() <= dim < tensor.dim() else 1
    return [tensor, pick.randint(1 - chance(4), max(size, 1) + chance(4)), dim,
            chance(50)]


def draw_choice():
    return [*along(0, INTEGERS + REALS), chance(50)]


def draw_lists():
    """A sorted list, or several, and elements."""
    dtype = mostly(INTEGERS + REALS)
    shape = draw_shape(1, 3)
    length = pick.choice([0, 1, 2, 5, 17])
    lists = [length] if chance(60) else shape[:-1] + [length]
    made = plain(lists, dtype)
    if not made.is_complex():
        made = made.sort(-1)[0]
    return [lay(made), draw(shape, dtype if chance(97) else any_dtype())]


# ---- PyTorch's side ----------------------------------------------------------

def sort_stably(self, dim, descending, stable=False):
    return torch.sort(self, dim=dim, descending=descending, stable=True)


def first_of_equals(function):
    """Which of equal elements it is, PyTorch does not say."""
    def run(self, *arguments):
        values, indexes = function(self, *arguments)
        dim, keepdim = arguments[-2:]
        if self.dim() == 0:
            return values, indexes
        whole = values if keepdim else values.unsqueeze(dim)
        same = (self == whole) | ((self != self) & (whole != whole))
        place = same.to(torch.int8).argmax(dim, keepdim)
        return values, place if self.numel() else indexes
    return run


def kth(self, k, dim, keepdim):
    """Number k is one of several equal ones."""
    values, indexes = torch.kthvalue(self, k, dim, keepdim)
    if self.dim() == 0 or not self.numel():
        return values, indexes
    order = torch.sort(self, dim=dim, stable=True)[1]
    place = order.select(dim, k - 1)
    return values, place.unsqueeze(dim) if keepdim else place


def middle(function, numbers):
    """The middle one of several equal ones; the first NaN."""
    def run(self, dim, keepdim):
        # Of tensors that repeat elements, PyTorch reads what lies behind them.
        values, indexes = function(self.contiguous(), dim, keepdim)
        if self.dim() == 0 or not self.numel():
            return values, indexes
        order = torch.sort(self, dim=dim, stable=True)[1]
        nan = self != self
        count = self.shape[dim] - nan.sum(dim, True)
        number = (count - 1).clamp(0) // 2
        place = order.gather(dim, number)
        if not numbers:
            first = nan.to(torch.int8).argmax(dim, True)
            place = torch.where(nan.any(dim, True), first, place)
        return values, place if keepdim else place.squeeze(dim)
    return run


ATEN = {"median_dim": "median", "nanmedian_dim": "nanmedian"}
REFERENCE = {
    "sort": sort_stably,
    "argsort": lambda *arguments, **options: sort_stably(
        *arguments, **options)[1],
    "kthvalue": kth,
    "median_dim": middle(torch.median, False),
    "nanmedian_dim": middle(torch.nanmedian, True),
    "mode": first_of_equals(torch.mode),
    "searchsorted": aten.searchsorted,
    "bucketize": aten.bucketize,
}
EXACT = {"sort", "argsort", "kthvalue", "median_dim", "nanmedian_dim", "median",
         "nanmedian", "mode", "searchsorted", "bucketize"}
DRAW = {
    "sort": draw_sort, "argsort": draw_sort, "kthvalue": draw_kth,
    "median_dim": draw_choice, "nanmedian_dim": draw_choice,
    "median": lambda: [draw(draw_shape(), mostly(INTEGERS + REALS))],
    "nanmedian": lambda: [draw(draw_shape(), mostly(INTEGERS + REALS))],
    "mode": draw_choice,
    "searchsorted": lambda: draw_lists() + [chance(30), chance(50)],
    "bucketize": lambda: (lambda a: [a[1], a[0].reshape(-1)[:1], chance(30),
                                     chance(50)])(draw_lists()),
}
EXPLAINED = [
    ({"searchsorted", "bucketize"}, ".*values",
     lambda case: any(bool((t != t).any()) for t in tensors_of(case)),
     named("searchsorted", numbers("f32", 1.0, NAN), numbers("f32", 0.0), False,
           True),
     "NaN in a list is larger than all numbers; PyTorch takes it for less"),
    ({"searchsorted", "bucketize"}, "we refuse: .*not supported for dtype (c64|bool)", is_empty,
     named("bucketize", zeros("c64", 0), zeros("c64", 1), False, True),
     "PyTorch looks at the dtype only if something is looked up"),
    ({"mode"}, ".*values",
     lambda case: any(bool((t != t).any()) for t in tensors_of(case)),
     named("mode", numbers("f64", NAN, 2.0, NAN, 1.0), 0, False),
     "NaN is equal to nothing, not to NaN, and comes last; PyTorch sorts by <, "
     "of which NaN makes no order"),
    ({"kthvalue", "median_dim", "nanmedian_dim", "mode"},
     "we refuse: .*not supported for dtype",
     lambda case: case["args"][0].dim() == 0 or is_empty(case),
     named("kthvalue", zeros("bool"), 1, 0, False),
     "PyTorch looks at the dtype only if there is something to compare"),
    ({"median", "nanmedian"}, "we refuse: .*(is empty|not supported)",
     lambda case: case["args"][0].numel() < 2,
     named("median", zeros("i8", 0)),
     "nothing has no middle element; PyTorch gives NaN, and of integers some "
     "number"),
]

CALLS = {
    "sort": small.along(False, True), "argsort": small.along(True, True),
    "kthvalue": lambda: [small.different(8, 4), 2, pick.choice([0, 1]), False],
    "median_dim": small.everywhere(False),
    "nanmedian_dim": small.everywhere(False),
    "median": lambda: [small.different(8, 4)],
    "nanmedian": lambda: [small.different(8, 4)],
    "mode": small.everywhere(True),
    "searchsorted": lambda: [torch.arange(8.0), small.small(8, 4), False, True],
    "bucketize": lambda: [small.small(8, 4), torch.arange(3.0), False, False],
}
LAYOUTS_EXPLAINED = [
    ({"topk"}, "(other|more): .*all-gather", small.any_case,
     small.named("topk", lambda: [small.different(8, 4), 2, 0, True, True],
                 "S(0) R"),
     "the first of each part are exchanged, not all elements"),
    ({"searchsorted", "bucketize"}, r"more: .*, not .*P\(m.*", small.has_partial,
     small.named("bucketize", lambda: [
         small.small(8, 4), torch.arange(3.0), False, False], "P(max)", "R"),
     "NaN is the least of partial values, and comes behind all numbers here"),
]
