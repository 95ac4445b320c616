# bench/peers/torch_autograd.py - gradients in PyTorch, timed.
# SPDX-License-Identifier: Apache-2.0
"""Told plain:BYTES or dtensor:BYTES; prints the same and SECONDS.  A chain of
1,000 calls, mul by a parameter and tanh in turn, forward and backward, on square
matrices of f32, of so many bytes each: plain tensors, or cut by rows on a mesh of
this one process.  The median of rounds, after the first have filled caches."""

import math
import statistics
import sys
import tempfile
import time

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard

PARAMETERS, WARM_UPS = 500, 2
ROUNDS = {"plain": 21, "dtensor": 7}


def run_chain(value, parameters, grad):
    begin = time.perf_counter()
    for parameter in parameters:
        value = torch.tanh(torch.mul(value, parameter))
    value.backward(grad)
    del value
    return time.perf_counter() - begin


def time_chain(kind, mesh, size):
    side = math.isqrt(size // 4)

    def make(number):
        whole = torch.full((side, side), number)
        return whole if kind == "plain" else DTensor.from_local(whole, mesh, [Shard(0)])

    parameters = [make(1.0).requires_grad_() for _ in range(PARAMETERS)]
    times = [run_chain(make(0.5), parameters, make(1.0))
             for _ in range(WARM_UPS + ROUNDS[kind])]
    return statistics.median(times[WARM_UPS:])


torch.set_num_threads(1)
with tempfile.TemporaryDirectory() as folder:
    dist.init_process_group("gloo", init_method=f"file://{folder}/store",
                            rank=0, world_size=1)
    mesh = init_device_mesh("cpu", (1,))
    for order in sys.argv[1:]:
        kind, size = order.split(":")
        print(f"{order} {time_chain(kind, mesh, int(size)):.9f}", flush=True)
    dist.destroy_process_group()
