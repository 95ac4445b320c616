# tests/peers/family_index.py - elements named by indexes and masks.
# SPDX-License-Identifier: Apache-2.0
"""Of ops_families.py."""

import torch
import torch.nn.functional as functional
from ops_calls import FLOATS, aten, call_torch, has_dtype, tensors_of
from ops_draw import (any_dtype, chance, draw, draw_alpha, draw_dim,
                      draw_shape, extent, lay, mostly, pick, second_dtype,
                      unary)
from ops_named import any_case, is_empty, named, numbers, zeros
from ops_small import indexes, matrix, small

INTEGERS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8]


# ---- Indexes -----------------------------------------------------------------

def index_dtype():
    return any_dtype() if chance(4) else torch.int64


def unlike(shape, size, dim):
    """Indexes below a size, no two along a dimension the same."""
    wide = list(shape)
    if wide:
        wide[dim] = size
    order = torch.rand(wide).argsort(dim if wide else 0)
    return order.narrow(dim, 0, shape[dim]).contiguous() if wide else order * 0


def draw_index(shape, size, repeats, low=0):
    if not repeats and shape:
        return lay(unlike(shape, size, 0))
    high = size + (2 if chance(3) else 0)
    return draw(shape, torch.int64, low=low, high=high)


# ---- Along a dimension -------------------------------------------------------

def draw_scatter(repeats, dtypes=None, source=True):
    def call():
        shape = draw_shape(0, 3)
        dtype = mostly(dtypes) if dtypes else any_dtype()
        dim = draw_dim(len(shape))
        good = -len(shape) <= dim < len(shape)
        index = [pick.randint(0, s) if chance(30) else s for s in shape]
        if good:
            size = shape[dim]
            index[dim] = (extent() if size else 0) if repeats else (
                pick.randint(0, size))
            by = (draw(index, torch.int64, low=0,
                       high=size + (2 if chance(3) else 0)) if repeats
                  else lay(unlike(index, size, dim)))
        else:
            by = draw(index, torch.int64, low=0, high=1)
        if chance(4):
            by = by.to(any_dtype())
        put = [s + chance(15) for s in index]
        if chance(3) and put:
            put[-1] -= put[-1] > 0
        return [draw(shape, dtype), dim, by] + (
            [draw(put, second_dtype(dtype) if chance(8) else dtype)]
            if source else [])
    return call


def draw_reduce():
    return draw_scatter(True, FLOATS + INTEGERS)() + [
        pick.choice(["sum", "prod", "mean", "amax", "amin"]
                    + ["none"] * chance(4)), chance(60)]


def draw_slices(repeats, dtypes=None, source=True):
    def call():
        shape = draw_shape(1, 3)
        dtype = mostly(dtypes) if dtypes else any_dtype()
        dim = draw_dim(len(shape))
        good = -len(shape) <= dim < len(shape)
        size = shape[dim] if good else 1
        count = (extent() if size else 0) if repeats else pick.randint(0, size)
        by = draw_index([count], size, repeats)
        put = list(shape)
        if good:
            put[dim] = count
        if chance(3):
            put[-1] += 1
        return [draw(shape, dtype), dim, by] + (
            [draw(put, second_dtype(dtype) if chance(8) else dtype)]
            if source else [])
    return call


# ---- Of several dimensions ---------------------------------------------------

def draw_mask(shape):
    return draw([s + chance(1) for s in shape], torch.bool)


def draw_masks(shape):
    """One mask, or one and indexes of another dimension, one by one."""
    first = pick.randrange(len(shape))
    last = pick.randint(first + 1, len(shape))
    mask = draw_mask(shape[first:last])
    found = [None] * first + [mask]
    if last < len(shape) and chance(40):
        if chance(30):
            found.append(None)
        found.append(draw([int(mask.sum())], torch.int64, low=0,
                          high=max(1, shape[-1])))
    return found if len(found) <= len(shape) else [mask]


def draw_list(shape):
    """Indexes of some dimensions that broadcast."""
    if shape and chance(30):
        return draw_masks(shape)
    common, found = draw_shape(0, 2), []
    for size in shape:
        if chance(35):
            found.append(None)
            continue
        by = [1 if chance(15) else s for s in common]
        if size == 0:
            by = [0] if not by else [0] + by[1:]
        found.append(draw(by, torch.int64, low=-size if chance(30) else 0,
                          high=size + (2 if chance(2) else 0)))
    while found and found[-1] is None and chance(60):
        found.pop()
    return found


def draw_index_list():
    shape = draw_shape(1, 4)
    found = draw_list(shape)
    if all(one is None for one in found):
        found = [draw([3], torch.int64, low=0, high=max(1, shape[0]))]
    return [draw(shape, any_dtype()), found]


def draw_index_put():
    """Sets name no element twice; sums may."""
    shape, adds = draw_shape(1, 3), chance(60)
    dtype = mostly(FLOATS + INTEGERS)
    if adds:
        found = draw_list(shape)
        if all(one is None for one in found):
            found = [draw([3], torch.int64, low=0, high=max(1, shape[0]))]
    else:
        dim = pick.randrange(len(shape))
        count = pick.randint(0, shape[dim])
        found = [None] * dim + [lay(unlike([count], shape[dim], 0))]
    try:
        named_shape = list(aten.index(torch.zeros(shape), found).shape)
    except (RuntimeError, IndexError):
        named_shape = [2]
    put = [1 if chance(20) else s for s in named_shape]
    if chance(20):
        put = put[pick.randint(0, len(put)):]
    return [draw(shape, dtype), draw(put, second_dtype(dtype)
                                     if chance(6) else dtype), found, adds]


# ---- Others ------------------------------------------------------------------

def draw_one_hot():
    classes = pick.randint(1, 9)
    return [draw(draw_shape(), torch.int64, low=-1 if chance(2) else 0,
                 high=classes + (2 if chance(3) else 0)),
            -1 if chance(30) else classes]


def draw_along():
    shape = draw_shape(1, 3)
    dim = draw_dim(len(shape))
    by = [1 if chance(25) else s for s in shape]
    self = [1 if chance(20) else s for s in shape]
    size = 1
    if -len(shape) <= dim < len(shape):
        size = self[dim]
        by[dim] = extent() if size else 0
    return [draw(self, any_dtype()), draw(by, torch.int64, low=0,
                                          high=max(size, 1)), dim]


def draw_take():
    tensor = draw(draw_shape(), any_dtype())
    count = tensor.numel()
    by = draw_shape(0, 2) if count else [0]
    return [tensor, draw(by, torch.int64, low=-count if chance(30) else 0,
                         high=max(count, 1) + (2 if chance(3) else 0))]


def draw_put():
    tensor = draw(draw_shape(), mostly(FLOATS + INTEGERS))
    count, adds = tensor.numel(), chance(60)
    by = (draw_shape(0, 2) if count else [0]) if adds else [
        pick.randint(0, count)]
    index = (draw(by, torch.int64, low=0, high=max(count, 1)) if adds
             else unlike(by, count, 0))
    return [tensor, index, draw(by + [1] * chance(10), tensor.dtype), adds]


def draw_masked():
    shape = draw_shape()
    mask = [1 if chance(15) else s for s in shape]
    if chance(15):
        mask = mask[pick.randint(0, len(mask)):]
    return [draw(shape, any_dtype()),
            draw(mask, any_dtype() if chance(4) else torch.bool)]


def draw_close():
    shape, dtype = draw_shape(), any_dtype()
    a = draw(shape, dtype)
    b = a.clone() if chance(50) else draw(shape, dtype)
    if chance(5):
        b = draw(shape, any_dtype())
    return [a, b, pick.choice([1e-5, 0.0, 0.25] + [-1.0] * chance(3)),
            pick.choice([1e-8, 0.0, 2.5]), chance(40)]


DRAW = {
    "scatter": draw_scatter(False), "scatter_add": draw_scatter(True),
    "scatter_value": lambda: draw_scatter(True, source=False)() + [
        pick.choice([0, 1, 2, 2.5, 300, True])],
    "scatter_reduce": draw_reduce,
    "index_add": lambda: draw_slices(True, FLOATS + INTEGERS)() + [
        draw_alpha()],
    "index_copy": draw_slices(False),
    "index_fill_scalar": lambda: draw_slices(True, source=False)() + [
        pick.choice([0, 1, 2, 2.5, 300, True])],
    "index_fill": lambda: (lambda call: call + [
        draw([1] if chance(3) else [], call[0].dtype)])(
            draw_slices(True, source=False)()),
    "index": draw_index_list, "index_put": draw_index_put,
    "one_hot": draw_one_hot, "take_along_dim": draw_along, "take": draw_take,
    "put": draw_put, "masked_select": draw_masked, "nonzero": unary,
    "isclose": draw_close, "allclose": draw_close,
}
EXACT = set(DRAW) - {"scatter_add", "scatter_reduce", "index_add", "index_put",
                     "put"}
SUMS = {"scatter_add", "scatter_reduce", "index_add", "index_put", "put"}
ATEN = {"scatter_value": "scatter", "index_fill_scalar": "index_fill"}


def reference_index_put(self, values, indices, accumulate, **out):
    return aten.index_put(self, indices, values, accumulate, **out)


def as_tensor(function):
    return lambda *args, **options: torch.tensor(function(*args, **options))


REFERENCE = {
    "index_put": reference_index_put,
    "one_hot": functional.one_hot,
    "take_along_dim": torch.take_along_dim,
    "allclose": as_tensor(torch.allclose),
    "isclose": torch.isclose,
    "scatter_reduce": lambda self, dim, index, src, reduce, include_self,
    **out: aten.scatter_reduce(self, dim, index, src, reduce,
                               include_self=bool(include_self), **out),
}
IN_PLACE = {
    "index_put": lambda self, values, indices, accumulate: aten.index_put_(
        self, indices, values, accumulate),
}


def magnitude(value):
    """The same with signs gone, where it is not an index."""
    if isinstance(value, torch.Tensor) and (value.is_floating_point()
                                            or value.is_complex()):
        return value.abs().to(torch.float64)
    return abs(value) if isinstance(value, float) else value


def bound(case, theirs):
    """What is added up, without signs."""
    if not theirs.is_floating_point() and not theirs.is_complex():
        return theirs.abs().to(torch.float64)
    args = [magnitude(a) for a in case["args"]]
    if case["name"] == "scatter_reduce" and args[4] == "mean":
        args[4] = "sum"
    if case["name"] == "index_add":
        args[4] = abs(args[4])
    return call_torch({"name": case["name"], "form": "new", "args": args})[0]


BOUND = {name: bound for name in ["scatter_add", "scatter_reduce", "index_add",
                                  "index_put", "put"]}
REPEATS = {"scatter", "scatter_value", "scatter_add", "scatter_reduce",
           "index_add", "index_copy", "index_fill", "index_fill_scalar",
           "index_put"}
EXPLAINED = [
    ({"index", "index_put"}, "we refuse: .*has no out variant",
     lambda case: case["form"] == "out" and has_dtype(case, "bool"),
     named("index", zeros("f32", 2), lambda: [torch.tensor([True, False])],
           form="out", out=zeros("f32", 1)),
     "what a mask names is a composition, which has no form out"),
    ({"isclose", "allclose"}, ".*values",
     lambda case: has_dtype(case, "f16", "bf16"),
     named("isclose", numbers("bf16", 2.515625), numbers("bf16", 0.0087890625),
           0.0, 2.5, False),
     "PyTorch rounds the difference of halves before it compares"),
    ({"scatter", "scatter_value", "scatter_add", "scatter_reduce"},
     "we refuse: .*the indexes are", is_empty,
     named("scatter", zeros("f32", 4), 0, zeros("f64", 0), zeros("f32", 0)),
     "PyTorch looks at the dtype of indexes only if there are any"),
    ({"scatter_value", "index_fill_scalar"}, "we refuse: .*cannot (represent|be stored)",
     is_empty,
     named("scatter_value", zeros("u8", 4), 0, zeros("i64", 0), 300),
     "PyTorch looks at the number only if it is put somewhere"),
    ({"index_add"}, "we refuse: .*cannot be applied to dtype", any_case,
     named("index_add", zeros("i32", 4, 5), 1, zeros("i64", 1),
           zeros("i32", 4, 1), 0.5),
     "PyTorch cuts off the fraction of alpha, or does not look at it"),
    ({"index", "index_fill", "index_fill_scalar", "index_copy", "index_add"},
     "we refuse: .*is out of range for dimension", is_empty,
     named("index_fill_scalar", zeros("f32", 4, 0), 0,
           lambda: torch.tensor([4]), 1),
     "PyTorch looks at indexes only if something is taken or put"),
    ({"index", "index_put"}, "we refuse: .*does not match self from dimension",
     lambda case: any(t.dtype == torch.bool and t.dim() > 1
                      for t in tensors_of(case)),
     named("index", zeros("f32", 2, 2, 3), lambda: [
         torch.tensor([[True, False], [False, True]]), None,
         torch.tensor([5, 7])]),
     "PyTorch counts a mask as one index, and drops those behind the last "
     "dimension"),
    (REPEATS, "we refuse: .*is expanded",
     lambda case: case["form"] == "in_place",
     named("index_put", lambda: torch.zeros(1).expand(3), zeros("f32", 3),
           lambda: [torch.tensor([0, 1, 2])], True, form="in_place"),
     "PyTorch writes to elements that lie in one place, one after another"),
]


# ---- Layouts -----------------------------------------------------------------

def scatter_call():
    dim = pick.choice([0, 1])
    return [small(8, 4), dim, unlike([8, 4], [8, 4][dim], dim), small(8, 4)]


def slices_call():
    dim = pick.choice([0, 1])
    shape = [8, 4]
    by = unlike([4], shape[dim], 0)
    shape[dim] = 4
    return [small(8, 4), dim, by, small(*shape)]


CALLS = {
    "scatter": scatter_call, "scatter_add": scatter_call,
    "scatter_value": lambda: scatter_call()[:3] + [2],
    "scatter_reduce": lambda: scatter_call() + ["sum", True],
    "index_add": lambda: slices_call() + [1], "index_copy": slices_call,
    "index_fill_scalar": lambda: slices_call()[:3] + [2],
    "index_fill": lambda: slices_call()[:3] + [small()],
    "index": lambda: [small(8, 4), pick.choice([[indexes(8, 6)],
                                                [None, indexes(4, 6)]])],
    "index_put": lambda: [small(8, 4), small(4, 4), [unlike([4], 8, 0)], True],
    "one_hot": lambda: [indexes(4, 8, 4), 4],
    "take_along_dim": lambda: [small(8, 4), indexes(4, 8, 4), 1],
    "take": lambda: [small(8, 4), indexes(8, 6)],
    "put": lambda: [small(8, 4), unlike([4], 8, 0), small(4), True],
    "isclose": lambda: (lambda a: [a, a.roll(1), 0.0, 0.5, False])(matrix()),
}
LAYOUTS_LEFT_OUT = {
    "allclose": "its result is no tensor there",
    "masked_select": "PyTorch has no rule for it",
    "nonzero": "PyTorch has no rule for it",
}
