# tests/peers/family_embedding.py - what comes back to a table.
# SPDX-License-Identifier: Apache-2.0
"""See ops_families.py."""

from ops_calls import FLOATS
from ops_draw import any_dtype, chance, draw, draw_shape, extent, mostly, pick
from ops_small import indexes, named, small
import torch

aten = torch.ops.aten


def backward(grad, indices, rows, padding, scaled):
    if (grad.shape[:-1] != indices.shape or not grad.is_floating_point()
            or indices.dtype not in (torch.int64, torch.int32)):
        raise RuntimeError("arguments")
    out = (indices < 0) | (indices >= rows)
    if (out & (indices != padding)).any():
        raise IndexError("indices")
    # Where it is exact: halves are added up in themselves there.
    wide = torch.float64 if grad.dtype == torch.float64 else torch.float32
    return aten.embedding_dense_backward(
        grad.to(wide).contiguous(), indices.contiguous(), rows, padding,
        scaled).to(grad.dtype)


REFERENCE = {"embedding_dense_backward": backward}
NORMS = {"embedding_dense_backward"}


def bound(case, _):
    grad, indices, rows, padding, scaled = case["args"]
    return backward(grad.to(torch.float64).abs().nan_to_num(0, 0, 0), indices,
                    rows, padding, scaled)


BOUND = {"embedding_dense_backward": bound}


def draw_backward():
    rows, shape = pick.randint(1, 9), draw_shape(0, 3)
    dtype = pick.choice([torch.int64, torch.int64, torch.int32])
    indices = draw(shape, dtype if chance(96) else any_dtype(), low=0,
                   high=rows + (2 if chance(4) else 0))
    grad = draw(shape + [extent()] + [2] * chance(3), mostly(FLOATS))
    return [grad, indices, rows, pick.choice([-1, -1, 0, rows - 1]),
            chance(30)]


DRAW = {"embedding_dense_backward": draw_backward}
CALLS = {"embedding_dense_backward": lambda: [
    small(6, 4, 8), indexes(8, 6, 4), 8, pick.choice([-1, 2]),
    not pick.randrange(4)]}
LAYOUTS_EXPLAINED = [
    ({"embedding_dense_backward"}, "more: ",
     lambda case, _: case["args"][4],
     named("embedding_dense_backward", lambda: [
         small(6, 8), indexes(8, 6), 8, -1, True], "S(0)", "S(0)"),
     "all indexes are counted; PyTorch counts those of each rank for itself"),
]
