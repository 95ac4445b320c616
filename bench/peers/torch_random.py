# bench/peers/torch_random.py - random numbers of PyTorch, timed.
# SPDX-License-Identifier: Apache-2.0
"""Told NAME:BYTES for each case, such as "normal-f32:4096"; prints NAME:BYTES
SECONDS.  Memory is filled in place, by one thread."""

import statistics
import sys
import time

import torch

DTYPES = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16,
          "i64": torch.int64}
FILLS = {
    "normal": lambda x: x.normal_(),
    "uniform": lambda x: x.uniform_(),
    "bernoulli": lambda x: x.bernoulli_(0.5),
    "randint": lambda x: x.random_(0, 1000),
}

# As bench/support/timing.c.
ROUND, TOTAL, MAX_BATCH = 0.5e-3, 20e-3, 2048
MIN_ROUNDS, MAX_ROUNDS, WARM_UPS = 5, 41, 3


def clamp(value, low, high):
    return int(min(max(value, low), high))


def time_round(fill, tensor, batch):
    begin = time.perf_counter()
    for _ in range(batch):
        fill(tensor)
    return (time.perf_counter() - begin) / batch


def time_fill(fill, tensor):
    estimate = time_round(fill, tensor, 1)
    for _ in range(WARM_UPS):
        batch = clamp(0.1 * ROUND / estimate, 1, MAX_BATCH)
        estimate = time_round(fill, tensor, batch)
    batch = clamp(ROUND / estimate, 1, MAX_BATCH)
    rounds = clamp(TOTAL / (estimate * batch), MIN_ROUNDS, MAX_ROUNDS)
    return statistics.median(time_round(fill, tensor, batch)
                             for _ in range(rounds))


torch.set_num_threads(1)
for order in sys.argv[1:]:
    name, size = order.split(":")
    kind, dtype = name.split("-")
    items = int(size) // DTYPES[dtype].itemsize
    memory = torch.zeros(items, dtype=DTYPES[dtype])
    print(f"{order} {time_fill(FILLS[kind], memory):.9f}", flush=True)
