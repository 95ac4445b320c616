# tests/peers/family_gradient.py - what gradients are made of.
# SPDX-License-Identifier: Apache-2.0
"""Of ops_families.py."""

import torch
from ops_calls import copy_out
from ops_draw import (any_dtype, broadcast_shapes, chance, draw, draw_dim,
                      draw_shape, pick, second_dtype)
from ops_named import any_case, named, numbers, out_of_range, zeros
from ops_small import indexes, small


# ---- Random arguments --------------------------------------------------------

def draw_sum():
    shape = draw_shape()
    size = [1 if chance(30) else extent for extent in shape]
    size = size[pick.randint(0, len(size)):] if chance(40) else size
    if chance(4):
        size = [3] + size
    return [draw(shape, any_dtype()), size]


def draw_expanded():
    shape = draw_shape()
    dims = pick.sample(range(len(shape)), pick.randint(0, len(shape)))
    gone, keepdim = dims or range(len(shape)), chance(50)
    left = [1 if i in gone else extent for i, extent in enumerate(shape)
            if keepdim or i not in gone]
    if chance(40):
        dims = [dim - len(shape) for dim in dims]
    return [draw(left, any_dtype()), shape, dims, keepdim]


def expand_reduced(self, size, dims, keepdim):
    """What autograd of PyTorch does inside itself with the gradient of a sum."""
    for dim in [] if keepdim else sorted(
            dim % len(size) for dim in dims or range(len(size))):
        self = self.unsqueeze(dim)
    return self.expand(size)


def diagonal_of(shape):
    """The offset and dimensions of a diagonal, and what shape it has."""
    dims = pick.sample(range(len(shape)), 2)
    if chance(40):
        dims[0] -= len(shape)
    offset = pick.randint(-4, 4)
    left = list(torch.empty(shape).diagonal(offset, *dims).shape)
    return [offset, *dims], left


def draw_diagonal(source):
    def call():
        shape, dtype = draw_shape(2), any_dtype()
        where, left = diagonal_of(shape)
        if chance(4):
            left[-1] += 1
        if not source:
            return [draw(left, dtype), shape, *where]
        return [draw(shape, dtype),
                draw(left, dtype if chance(80) else any_dtype()), *where]
    return call


def draw_embed():
    tensor = draw(draw_shape(0 if chance(4) else 1, 3), any_dtype())
    dims = pick.sample(range(tensor.dim() + 1), min(2, tensor.dim() + 1))
    dims = dims if len(dims) == 2 else [0, 1]
    if chance(4):
        dims[0] = draw_dim(tensor.dim())
    return [tensor, pick.randint(-3, 3), *dims]


def draw_selected():
    shape = [extent or 1 for extent in draw_shape()]
    dim, keepdim = draw_dim(len(shape)), chance(50)
    good = shape and -len(shape) <= dim < len(shape)
    left = list(shape)
    if good and keepdim:
        left[dim] = 1
    elif good:
        del left[dim]
    by = draw(left, torch.int64, low=0,
              high=(shape[dim] if good else 1) + chance(2))
    return [draw(left, any_dtype()), dim, by, shape, keepdim]


def draw_masked():
    shape, by = broadcast_shapes(2)
    dtype = any_dtype()
    mask = draw(by, any_dtype() if chance(4) else torch.bool)
    try:
        whole = list(torch.broadcast_shapes(shape, by))
    except RuntimeError:
        whole = shape
    source = list(whole) if chance(50) else [
        max(0, torch.Size(whole).numel() - chance(8))]
    return [draw(shape, dtype), mask,
            draw(source, second_dtype(dtype) if chance(8) else dtype)]


def draw_masked_backward():
    tensor, mask, source = draw_masked()
    mask = draw(list(tensor.shape), torch.bool)
    return [tensor, mask, [mask.numel() + pick.randint(0, 3)]]


def draw_unfold(back):
    def call():
        shape = draw_shape()
        dim = draw_dim(len(shape))
        good = shape and -len(shape) <= dim < len(shape)
        extent = shape[dim] if good else 1
        size, step = pick.randint(0, extent + chance(4)), pick.randint(1, 3)
        if not back:
            return [draw(shape, any_dtype()), dim, size, step]
        windows = list(shape) + [size]
        if good:
            windows[dim % len(shape)] = max(0, (extent - size) // step + 1)
        dtype = any_dtype()
        while dtype == torch.bool:
            dtype = any_dtype()
        return [draw(windows, dtype), shape, dim, size, step]
    return call


DRAW = {
    "unfold": draw_unfold(False), "unfold_backward": draw_unfold(True),
    "sum_to_size": draw_sum, "expand_reduced": draw_expanded,
    "diagonal_scatter": draw_diagonal(True),
    "diagonal_backward": draw_diagonal(False), "diag_embed": draw_embed,
    "value_selecting_reduction_backward": draw_selected,
    "masked_scatter": draw_masked,
    "masked_scatter_backward": draw_masked_backward,
}
EXACT = set(DRAW) - {"sum_to_size", "unfold_backward"}
SUMS = {"sum_to_size", "unfold_backward"}
REFERENCE = {
    "unfold": lambda self, dimension, size, step, out=None: copy_out(
        self.unfold(dimension, size, step).clone(), out),
    "sum_to_size": lambda self, size: self.sum_to_size(size),
    "expand_reduced": expand_reduced,
}


def saturates(case):
    """Does a float of src not fit into an integer of self?"""
    return out_of_range({"args": [case["args"][1], case["args"][0].dtype]})


EXPLAINED = [
    ({"diagonal_scatter"}, ".*values", saturates,
     named("diagonal_scatter", zeros("u8", 1, 1), numbers("f32", -3.0),
           0, 0, 1),
     "floats saturate, as in a cast"),
    ({"diagonal_backward"}, "we refuse: .*but the source has shape", any_case,
     named("diagonal_backward", zeros("f32", 1), [1, 3], -3, 0, 1),
     "PyTorch broadcasts to a diagonal of no elements"),
]


# ---- Layouts -----------------------------------------------------------------

CALLS = {
    "sum_to_size": lambda: [small(8, 4), pick.choice([[4], [8, 1], []])],
    "expand_reduced": lambda: [small(8), [8, 4], [1], False],
    "diagonal_scatter": lambda: [small(8, 4, 4), small(8, 4), 0, 1, 2],
    "diagonal_backward": lambda: [small(8, 4), [8, 4, 4], 0, 1, 2],
    "diag_embed": lambda: [small(8, 4), 0, -2, -1],
    "value_selecting_reduction_backward": lambda: [
        small(8), 1, indexes(4, 8), [8, 4], False],
}
LAYOUTS_LEFT_OUT = {
    **{name: "PyTorch has no rule for it"
       for name in ["masked_scatter", "unfold", "unfold_backward"]},
    "masked_scatter_backward": "PyTorch has no rule for masked_select",
}
