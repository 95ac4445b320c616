# tests/peers/order.py - the order of dimensions in memory, compared with
# PyTorch's.
# SPDX-License-Identifier: Apache-2.0
"""usage: order.py DIRECTORY_OF_PROGRAMS

Pointwise operators are called with tensors that are permuted, sliced, broadcast
and expanded, by PyTorch in one process and by peer_ops on meshes of 1, 2, 3 and
2x2 ranks with random layouts, uneven and empty shards among them.  The strides
of results must be the same, and their values.

DT_TEST_SEED is the seed; DT_PEERS_ROUNDS how often each operator is tried on
each mesh."""

import os
import pathlib
import sys
import tempfile

from ops_calls import (SEED, Writer, run_ours, run_torch, show_case,
                       tensors_of)
from ops_compare import differ
from ops_draw import chance, pick
import ops_families  # what PyTorch calls the operators
import torch

ROUNDS = int(os.environ.get("DT_PEERS_ROUNDS", "12"))
MESHES = {1: ["a=1"], 2: ["a=2"], 3: ["a=3"], 4: ["a=4", "a=2,b=2"]}


def draw_shape():
    return [pick.choice([1, 2, 3, 4, 5, 7]) for _ in range(pick.randint(1, 5))]


def reduce_shape(shape):
    """One that broadcasts to it."""
    shape = [1 if chance(20) else extent for extent in shape]
    return shape[pick.randrange(len(shape)):] if chance(20) else shape


def draw_tensor(shape, dtype=torch.float32):
    """Permuted, with gaps and repetitions now and then."""
    order = list(range(len(shape)))
    if chance(80):
        pick.shuffle(order)
    room = [shape[i] + (chance(15) and shape[i] > 1) for i in order]
    expanded = [chance(10) for _ in shape]
    held = [1 if repeats else extent for extent, repeats in zip(room, expanded)]
    count = torch.Size(held).numel()
    tensor = (torch.arange(count) % 7 + 1).to(dtype).reshape(held)
    tensor = tensor.expand(room).permute([order.index(i)
                                          for i in range(len(shape))])
    return tensor[tuple(slice(0, extent) for extent in shape)]


def draw_second(shape, dtype=torch.float32):
    return draw_tensor(reduce_shape(shape), dtype)


def draw_like(tensor):
    """Another tensor with the same strides."""
    return tensor.clone() if tensor.is_contiguous() else torch.empty_strided(
        tensor.shape, tensor.stride(), dtype=tensor.dtype).fill_(2)


def unary(*more):
    return lambda: [draw_tensor(draw_shape()), *more]


def binary(*more):
    def draw():
        first = draw_tensor(draw_shape())
        second = (draw_like(first) if chance(30)
                  else draw_second(list(first.shape), pick.choice(
                      [torch.float32, torch.float32, torch.float16])))
        pair = [first, second] if chance(50) else [second, first]
        return [*pair, *more]
    return draw


def ternary(*more):
    def draw():
        shape = draw_shape()
        return [draw_tensor(shape), draw_second(shape), draw_second(shape),
                *more]
    return draw


def draw_where():
    shape = draw_shape()
    return [draw_second(shape, torch.bool), draw_tensor(shape),
            draw_second(shape)]


def draw_list(draw):
    def draw_all():
        calls = [draw() for _ in range(3)]
        return [[call[i] for call in calls]
                if isinstance(calls[0][i], torch.Tensor) else calls[0][i]
                for i in range(len(calls[0]))]
    return draw_all


DRAW = {"neg": unary(), "exp": unary(), "relu": unary(), "clone": unary(),
        "cast": unary(torch.float16), "isnan": unary(), "floor": unary(),
        "clamp": unary(0, 3), "add_scalar": unary(2, 1), "zero": unary(),
        "add": binary(1), "mul": binary(), "gt": binary(),
        "logical_and": binary(), "maximum": binary(), "atan2": binary(),
        "gelu_backward": binary("none"), "sigmoid_backward": binary(),
        "mse_loss": binary(0), "where": draw_where, "addcmul": ternary(2),
        "lerp_scalar": binary(0.5), "clamp_tensor": ternary(),
        "foreach_mul": draw_list(binary()),
        "foreach_sqrt": draw_list(unary())}
SAME_DTYPE = {"lerp_scalar", "gelu_backward", "sigmoid_backward", "mse_loss"}


def draw_layout(tensor, mesh):
    """A layout that repetitions allow."""
    dims = [i for i, stride in enumerate(tensor.stride()) if stride]
    return "".join(f"S({pick.choice(dims)})" if dims and chance(60) else "R"
                   for _ in mesh.split(","))


def draw_case(name, mesh):
    args = DRAW[name]()
    if name in SAME_DTYPE:
        args = [a.float() if isinstance(a, torch.Tensor) else a for a in args]
    case = {"name": name, "form": "new", "args": args, "mesh": mesh}
    case["layouts"] = [draw_layout(t, mesh) for t in tensors_of(case)]
    return case


def compare(program, ranks):
    cases = [draw_case(name, mesh) for mesh in MESHES[ranks] for name in DRAW
             for _ in range(ROUNDS)]
    theirs = [run_torch(case) for case in cases]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        writer = Writer(folder)
        for number, case in enumerate(cases):
            writer.case(number, case)
        writer.close()
        ours = run_ours(program, ranks, folder)
    failures = 0
    for number, case in enumerate(cases):
        text = differ(case, ours[number], theirs[number])
        if isinstance(theirs[number], Exception):
            text = f"PyTorch refuses: {theirs[number]}"
        if text:
            failures += 1
            print(f"order: {show_case(case)} on {case['mesh']} as "
                  f"{' '.join(case['layouts'])}: {text[:300]}")
    return len(cases), failures


def main():
    program = pathlib.Path(sys.argv[1]) / "peer_ops"
    torch.set_num_threads(1)
    torch.backends.mkldnn.enabled = False  # it refuses to broadcast
    cases = failures = 0
    for ranks in MESHES:
        tried, failed = compare(program, ranks)
        cases += tried
        failures += failed
    print(f"order: {cases} calls of {len(DRAW)} operators against PyTorch "
          f"{torch.__version__}, {failures} differ (DT_TEST_SEED={SEED})")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
