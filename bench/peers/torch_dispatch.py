# bench/peers/torch_dispatch.py - an operator of PyTorch's DTensor, timed.
# SPDX-License-Identifier: Apache-2.0
"""Told add:BYTES; prints add:BYTES SECONDS.  Two square matrices of f32, of so
many bytes each, cut by rows on a mesh of this one process, are added, without
gradients: the median of rounds, after the first calls have filled caches."""

import math
import statistics
import sys
import tempfile
import time

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard

WARM_UPS, ROUNDS, BATCH = 200, 21, 200


def time_round(a, b):
    begin = time.perf_counter()
    for _ in range(BATCH):
        torch.add(a, b)
    return (time.perf_counter() - begin) / BATCH


def time_add(mesh, size):
    side = math.isqrt(size // 4)
    a, b = (DTensor.from_local(torch.ones(side, side), mesh, [Shard(0)])
            for _ in range(2))
    for _ in range(WARM_UPS):
        torch.add(a, b)
    return statistics.median(time_round(a, b) for _ in range(ROUNDS))


torch.set_num_threads(1)
with tempfile.TemporaryDirectory() as folder, torch.no_grad():
    dist.init_process_group("gloo", init_method=f"file://{folder}/store",
                            rank=0, world_size=1)
    mesh = init_device_mesh("cpu", (1,))
    for order in sys.argv[1:]:
        print(f"{order} {time_add(mesh, int(order.split(':')[1])):.9f}",
              flush=True)
    dist.destroy_process_group()
