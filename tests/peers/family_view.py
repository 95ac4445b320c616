# tests/peers/family_view.py - views, and copies of other shapes.
# SPDX-License-Identifier: Apache-2.0
"""Of ops_families.py."""

import torch
from ops_calls import aten, copy_out, has_dtype
from ops_draw import (any_dtype, chance, draw, draw_dim, draw_dims, draw_shape,
                      mostly, pick, unary)
from ops_named import any_case, is_empty, named, numbers, out_of_range, zeros
from ops_small import matrix, small


# ---- Random arguments --------------------------------------------------------

def any_tensor(least=0, most=4):
    return draw(draw_shape(least, most), any_dtype())


def draw_view_as():
    shape = draw_shape()
    other = [1] + shape if chance(50) else shape
    return [draw(shape, any_dtype()), draw(other, any_dtype())]


def draw_expand_as():
    shape = draw_shape()
    narrow = [1 if chance(30) else size for size in shape]
    if chance(30):
        narrow = narrow[pick.randint(0, len(narrow)):]
    return [draw(narrow, any_dtype()), draw(shape, any_dtype())]


def draw_movedim():
    tensor = any_tensor()
    source = draw_dims(tensor.dim())
    destination = pick.sample(range(tensor.dim()),
                              min(len(source), tensor.dim()))
    return [tensor, source, destination + [0] * chance(3)]


def draw_diagonal():
    tensor = any_tensor(0 if chance(5) else 2)
    ndim = tensor.dim()
    dims = (pick.sample(range(-ndim, ndim), 2) if ndim and not chance(5)
            else [draw_dim(ndim), draw_dim(ndim)])
    return [tensor, pick.randint(-4, 4), *dims]


def draw_repeats(least):
    def call():
        tensor = any_tensor(0, 3)
        count = pick.randint(max(0, tensor.dim() + least - chance(4)),
                             max(0, tensor.dim() + 1))
        return [tensor, [-1 if chance(2) else pick.randint(0, 3)
                         for _ in range(count)]]
    return call


def draw_interleave():
    tensor = any_tensor(1)
    return [tensor, -1 if chance(3) else pick.randint(0, 3),
            draw_dim(tensor.dim())]


def draw_triangle():
    return [any_tensor(0 if chance(5) else 2), pick.randint(-6, 6)]


def draw_roll():
    tensor = any_tensor()
    dims = draw_dims(tensor.dim()) if tensor.dim() else []
    count = (len(dims) or 1) + chance(4)
    return [tensor, [pick.randint(-9, 9) for _ in range(count)], dims]


def draw_flip():
    tensor = any_tensor()
    return [tensor, draw_dims(tensor.dim())]


def draw_pad():
    tensor = any_tensor()
    count = 2 * pick.randint(0, tensor.dim() + chance(3)) + chance(3)
    low = -1 if chance(30) else 0
    return [tensor, [pick.randint(low, 3) for _ in range(count)],
            pick.choice([0, 1, 2, 3.0, -4])]


def slice_of(shape, selects):
    """A dimension and what is cut out of it, with the shape that is left."""
    dim = pick.randrange(len(shape))
    size = shape[dim]
    if selects:
        index = pick.randrange(-size, size) if size else 0
        left = shape[:dim] + shape[dim + 1:]
        return [dim, index], left
    start, stop = sorted([pick.randint(0, size), pick.randint(0, size + 2)])
    step = pick.randint(1, 3)
    left = list(shape)
    left[dim] = len(range(size)[start:stop:step])
    return [dim, start, stop, step], left


def draw_scatter(selects):
    def call():
        shape, dtype = draw_shape(1), any_dtype()
        where, left = slice_of(shape, selects)
        if chance(4):
            left = left + [2]
        return [draw(shape, dtype),
                draw(left, dtype if chance(80) else any_dtype()), *where]
    return call


def draw_backward(selects):
    def call():
        shape = draw_shape(1)
        where, left = slice_of(shape, selects)
        return [draw(left, any_dtype()), shape, *where]
    return call


DRAW = {
    "alias": unary, "detach": unary, "contiguous": unary,
    "view_as": draw_view_as, "expand_as": draw_expand_as,
    "movedim": draw_movedim, "diagonal": draw_diagonal,
    "view_as_real": lambda: [draw(draw_shape(), mostly([torch.complex64]))],
    "view_as_complex": lambda: [draw(
        draw_shape(0, 3) + [2 + chance(4)], mostly([torch.float32]))],
    "repeat": draw_repeats(0), "tile": draw_repeats(-1),
    "repeat_interleave": draw_interleave, "tril": draw_triangle,
    "triu": draw_triangle, "roll": draw_roll, "flip": draw_flip,
    "constant_pad_nd": draw_pad, "slice_scatter": draw_scatter(False),
    "select_scatter": draw_scatter(True),
    "slice_backward": draw_backward(False),
    "select_backward": draw_backward(True),
}
EXACT = set(DRAW)
REFERENCE = {
    "contiguous": lambda self: self.contiguous(),
    "detach": lambda self: self.detach(),
    "view_as": lambda self, other: self.view_as(other),
    "expand_as": lambda self, other: self.expand_as(other),
    "movedim": lambda self, source, destination: torch.movedim(
        self, source, destination),
    "tile": torch.tile,
    "tril": lambda self, diagonal, out=None: copy_out(
        torch.tril(self, diagonal), out),
    "triu": lambda self, diagonal, out=None: copy_out(
        torch.triu(self, diagonal), out),
    "repeat_interleave": lambda self, repeats, dim: torch.repeat_interleave(
        self, repeats, dim),
    "roll": lambda self, shifts, dims, **out: aten.roll(
        self, shifts, dims, **out),
    "constant_pad_nd": lambda self, pad, value, **out: aten.constant_pad_nd(
        self, pad, value, **out),
}


def saturates(case):
    """Does a float of src not fit into an integer of self?"""
    return out_of_range({"args": [case["args"][1], case["args"][0].dtype]})


EXPLAINED = [
    ({"detach"}, "PyTorch refuses: .*views in-place",
     lambda case: case["form"] == "in_place",
     named("detach", lambda: torch.zeros(2, 2)[0], form="in_place"),
     "there are no gradients that a view could keep"),
    ({"view_as_complex"}, "PyTorch refuses: .*(divisible by 2|stride 1)",
     any_case, named("view_as_complex", lambda: torch.zeros(2, 3).t()[:2].t()),
     "what lies apart is copied, as by reshape"),
    ({"view_as_complex"}, "we refuse: .*c64 elements are pairs of f32",
     lambda case: has_dtype(case, "f64", "f16"),
     named("view_as_complex", zeros("f64", 2, 2)),
     "there are no complex numbers of f64 and f16 here"),
    ({"tril", "triu"}, "we refuse: .*is expanded",
     lambda case: case["form"] == "in_place",
     named("tril", lambda: torch.zeros(3).expand(2, 3), 0, form="in_place"),
     "PyTorch writes to elements that lie in one place, one after another"),
    ({"repeat", "tile"}, "we refuse: .*repeats (is|has the element) -1", is_empty,
     named("repeat", zeros("f32", 3, 0), [0, -1]),
     "PyTorch lets a negative number pass where nothing is repeated"),
    ({"roll"}, "we refuse: .*dimension", is_empty,
     named("roll", zeros("f32", 0, 2), [1], [4]),
     "PyTorch looks at the dimensions only if there is something to roll"),
    ({"slice_scatter", "select_scatter"}, ".*values", saturates,
     named("select_scatter", zeros("u8", 2, 1), numbers("f32", -3.0), 0, 1),
     "floats saturate, as in a cast"),
]


# ---- Layouts -----------------------------------------------------------------

CALLS = {
    **{name: lambda: [matrix()] for name in
       ["alias", "detach", "contiguous"]},
    **{name: lambda: [matrix(), 1] for name in ["tril", "triu"]},
    "view_as": lambda: [small(8, 4), small(8, 4)],
    "expand_as": lambda: [small(8, 1), small(8, 4)],
    "movedim": lambda: [small(8, 4, 6), [0], [2]],
    "view_as_complex": lambda: [small(8, 4, 2)],
    "diagonal": lambda: [small(8, 4, 4), 0, 1, 2],
    "repeat": lambda: [small(8, 4), pick.choice([[1, 2], [2, 1], [2, 1, 1]])],
    "tile": lambda: [small(8, 4), pick.choice([[2], [2, 1]])],
    "repeat_interleave": lambda: [small(8, 4), 2, pick.choice([0, 1])],
    "roll": lambda: [small(8, 4), [1], [pick.choice([0, 1])]],
    "flip": lambda: [small(8, 4), [pick.choice([0, 1])]],
    "constant_pad_nd": lambda: [small(8, 4), pick.choice([[1, 1],
                                                          [0, 0, 1, 0]]), 0],
    "slice_scatter": lambda: [small(8, 4), small(8, 2), 1, 0, 4, 2],
    "select_scatter": lambda: [small(8, 4), small(4), 0, 3],
    "slice_backward": lambda: [small(8, 2), [8, 4], 1, 0, 4, 2],
    "select_backward": lambda: [small(4), [8, 4], 0, 3],
}
LAYOUTS_LEFT_OUT = {
    "view_as_real": "complex numbers are not distributed there",
}
