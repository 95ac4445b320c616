# tests/peers/family_matmul.py - more products, compared with PyTorch's.
# SPDX-License-Identifier: Apache-2.0
"""Tables of ops_families.py."""

import torch
from ops_calls import has_dtype
from ops_draw import (any_dtype, chance, draw, draw_alpha, extent, pick,
                      second_dtype)
from ops_named import INF, any_case, is_bool, is_empty, is_finite, named, zeros
from ops_small import small

SUMS = {"addmv", "addr", "addbmm", "inner", "vdot", "tensordot"}
ROUND = {"outer"}
ADDING = {"addmv", "addr", "addbmm"}


# ---- Arguments ---------------------------------------------------------------

def number_dtype():
    return any_dtype() if chance(15) else pick.choice(
        [torch.float32, torch.float64, torch.float16, torch.bfloat16,
         torch.int32, torch.int64, torch.uint8, torch.complex64])


def tensors(*shapes):
    dtype = number_dtype()
    return [draw(shape, dtype if chance(98) else any_dtype(), special="few")
            for shape in shapes]


def broadcast(shape):
    shape = [1 if chance(20) else size for size in shape]
    return shape[pick.randint(0, len(shape)):] if chance(25) else shape


def adding(kind):
    def made():
        b, m, k, n = extent(), extent(), extent(), extent()
        shapes = {"addmv": [[m], [m, k], [k]], "addr": [[m, n], [m], [n]],
                  "addbmm": [[m, n], [b, m, k], [b, k, n]]}[kind]
        shapes[0] = broadcast(shapes[0])
        if chance(4):
            pick.choice(shapes).append(2)
        return [*tensors(*shapes), draw_alpha(), draw_alpha()]
    return made


def draw_outer():
    dtype = any_dtype()
    shapes = [[extent()], [extent()]]
    if chance(4):
        shapes[0].append(2)
    return [draw(shapes[0], dtype), draw(shapes[1], second_dtype(dtype))]


def draw_inner():
    k = extent()
    a, b = ([extent() for _ in range(pick.randint(0, 2))] + [k]
            for _ in "ab")
    if chance(10):
        b = []
    if b and chance(4):
        b[-1] += 1
    return tensors(a, b)


def draw_vdot():
    k = extent()
    return tensors([k], [k + chance(4)])


def draw_tensordot():
    shared = [extent() for _ in range(pick.randint(0, 2))]
    a, b = ([*shared, *[extent() for _ in range(pick.randint(0, 2))]]
            for _ in "ab")
    orders = []
    for shape in (a, b):
        order = list(range(len(shape)))
        pick.shuffle(order)
        orders.append(order)
    dims = [[order.index(i) for i in range(len(shared))] for order in orders]
    if dims[0] and chance(4):
        dims[0][0] = pick.choice([9, dims[0][-1]])
    shapes = [[shape[i] for i in order]
              for shape, order in zip((a, b), orders)]
    return [*tensors(*shapes), *dims]


DRAW = {**{name: adding(name) for name in ADDING}, "outer": draw_outer,
        "inner": draw_inner, "vdot": draw_vdot, "tensordot": draw_tensordot}


# ---- Differences that are meant ----------------------------------------------

EXPLAINED = [
    ({"addmv"}, "shape|we refuse: .*the result has shape", is_empty,
     named("addmv", zeros("f32", 1), zeros("f32", 6, 0), zeros("f32", 0), 1, 1),
     "PyTorch does not broadcast self if there is nothing to multiply"),
    ({"addbmm"}, "we refuse: .*the result has shape",
     lambda case: case["form"] == "in_place",
     named("addbmm", lambda: torch.zeros(2, 2)[:1], zeros("f32", 1, 2, 3),
           zeros("f32", 1, 3, 2), 1, 1, form="in_place"),
     "PyTorch gives self the shape of the result, if its storage has room"),
    (ADDING, "we refuse: .*is not an integer", any_case,
     named("addmv", zeros("i64", 2), zeros("i64", 2, 2), zeros("i64", 2), 1,
           0.5),
     "PyTorch cuts off the fraction of alpha and beta, or refuses them"),
    (ADDING, "we refuse: .*is expanded",
     lambda case: case["form"] == "in_place",
     named("addmv", lambda: torch.zeros(1).expand(3), zeros("f32", 3, 4),
           zeros("f32", 4), 1, 1, form="in_place"),
     "PyTorch writes to elements that lie in one place, one after another"),
    (SUMS, "we refuse: .*all tensors must have the same dtype", any_case,
     named("addr", zeros("i16", 1, 2), zeros("u8", 5), zeros("u8", 2), 1, 1),
     "PyTorch promotes what addr is given, and of others compares dtypes only "
     "if there is something to multiply"),
    (SUMS, "we refuse: .*not supported for dtype bool", is_bool,
     named("addr", zeros("bool", 1, 3), zeros("bool", 6), zeros("bool", 3),
           True, True),
     "PyTorch multiplies bool in some products, and refuses it in others"),
    ({"addr"}, "PyTorch refuses: .*Boolean (alpha|beta)", any_case,
     named("addr", zeros("f32", 6, 3), zeros("f32", 6), zeros("f32", 3), 1,
           True),
     "true is 1, in all products"),
    (ADDING, "we refuse: .*cannot be stored in out, which is",
     lambda case: case["form"] == "out" and is_empty(case),
     named("addbmm", zeros("f32", 1, 1), zeros("f32", 0, 1, 2),
           zeros("f32", 0, 2, 1), 1, 1, form="out", out=zeros("i16", 1, 1)),
     "PyTorch looks at the dtype of out only if there is something to "
     "multiply"),
    (ADDING, ".*values.*nan", lambda case: case["form"] == "out"
     and case["out"].is_complex() and not is_finite(case),
     named("addbmm", lambda: torch.full((1, 1), INF), zeros("f32", 0, 1, 2),
           zeros("f32", 0, 2, 1), 1, 1, form="out", out=zeros("c64", 1, 1)),
     "PyTorch computes in the dtype of out: infinity times 1 is NaN there"),
    ({"addmv", "addbmm"}, ".*values",
     lambda case: case["args"][4] == 0 and (not is_finite(case)
                                            or has_dtype(case, "bf16", "f16")),
     named("addmv", zeros("bf16", 1),
           lambda: torch.full((1, 1), INF, dtype=torch.bfloat16),
           zeros("bf16", 1), 1, 0),
     "alpha of 0: PyTorch multiplies infinity by it, or does not; here "
     "products are not looked at then"),
]


# ---- Layouts -----------------------------------------------------------------

CALLS = {
    "addmv": lambda: [small(8), small(8, 4), small(4), 1, 1],
    "addr": lambda: [small(8, 4), small(8), small(4), 1, 1],
    "addbmm": lambda: [small(8, 6), small(4, 8, 4), small(4, 4, 6), 1, 1],
    "outer": lambda: [small(8), small(6)],
    "inner": lambda: [small(8, 4), small(6, 4)],
    "vdot": lambda: [small(8), small(8)],
    "tensordot": lambda: [small(8, 4, 3), small(4, 6), [1], [0]],
}
