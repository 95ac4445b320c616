# bench/peers/torch_redistribute.py - PyTorch's DTensor in another layout, timed.
# SPDX-License-Identifier: Apache-2.0
"""Told redistribute:BYTES; prints redistribute:BYTES SECONDS.  A square matrix
of f32, of so many bytes, goes from row blocks to column blocks between two
processes over gloo, each with one thread: the slowest process of each round,
the median of the rounds."""

import math
import statistics
import sys
import tempfile
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard

RANKS, WARM_UPS, ROUNDS = 2, 3, 5


def time_round(tensor):
    dist.barrier()
    begin = time.perf_counter()
    tensor.redistribute(placements=[Shard(1)])
    seconds = torch.tensor(time.perf_counter() - begin)
    dist.all_reduce(seconds, op=dist.ReduceOp.MAX)
    return seconds.item()


def run(rank, store, orders):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{store}/store",
                            rank=rank, world_size=RANKS)
    mesh = init_device_mesh("cpu", (RANKS,))
    for order in orders:
        side = math.isqrt(int(order.split(":")[1]) // 4)
        tensor = DTensor.from_local(torch.ones(side // RANKS, side), mesh,
                                    [Shard(0)])
        for _ in range(WARM_UPS):
            time_round(tensor)
        seconds = statistics.median(time_round(tensor) for _ in range(ROUNDS))
        if rank == 0:
            print(f"{order} {seconds:.9f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(run, args=(folder, sys.argv[1:]), nprocs=RANKS)
