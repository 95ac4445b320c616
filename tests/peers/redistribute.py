# tests/peers/redistribute.py - redistribution, compared with PyTorch's.
# SPDX-License-Identifier: Apache-2.0
"""usage: redistribute.py DIRECTORY_OF_PROGRAMS

PyTorch's DTensor redistributes tensors of random shapes, dtypes and placements
on gloo; peer_redistribute does the same with the same parts.  What every rank
has afterwards must be the same bytes, so must the whole, and we must not make
more calls than PyTorch does."""

import itertools
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as multiprocessing
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import (DTensor, Partial, Replicate, Shard,
                                      distribute_tensor)
from torch.distributed.tensor.debug import CommDebugMode

SEED = int(os.environ.get("DT_TEST_SEED", "20260101"))
CASES = int(os.environ.get("DT_PEERS_ROUNDS", "150"))  # for each world
MESHES = {2: [(2,)], 3: [(3,), (3, 1)], 4: [(4,), (2, 2)],
          6: [(6,), (2, 3), (3, 2)]}
DTYPES = {"f32": torch.float32, "f64": torch.float64, "i64": torch.int64,
          "i32": torch.int32, "u8": torch.uint8}
REDUCTIONS = ["sum", "max", "min", "product"]


def draw_placements(source, mesh, ndim, partial):
    """Letters for each mesh dimension: R, S0, P."""
    out = []
    for _ in mesh:
        kind = source.random()
        if partial and kind < 0.3:
            out.append("P" + partial)
        elif kind < 0.5 or ndim == 0:
            out.append("R")
        else:
            out.append(f"S{source.randrange(ndim)}")
    return out


def named_cases(size):
    """Cases that were somebody's bug."""
    if size == 4:  # pytorch#194457: a row was lost
        yield {"mesh": (2, 2), "dtype": "f32", "shape": (5, 3),
               "from": ["S0", "S0"], "to": ["R", "R"]}
        yield {"mesh": (2, 2), "dtype": "f32", "shape": (8, 8),
               "from": ["R", "S0"], "to": ["S0", "S0"]}


def draw_cases(size):
    source = random.Random(SEED * 100 + size)
    cases = list(named_cases(size))
    while len(cases) < CASES:
        mesh = source.choice(MESHES[size])
        ndim = source.choice([1, 2, 2, 3, 3])
        shape = tuple(source.choice([1, 2, 3, 4, 5, 6, 7, 8, 12])
                      for _ in range(ndim))
        partial = source.choice(REDUCTIONS + ["", "", ""])
        case = {"mesh": mesh, "dtype": source.choice(list(DTYPES)),
                "shape": shape,
                "from": draw_placements(source, mesh, ndim, partial),
                "to": draw_placements(source, mesh, ndim, "")}
        # What stays partial may, in both.
        for i, placement in enumerate(case["from"]):
            if placement[0] == "P" and source.random() < 0.2:
                case["to"][i] = placement
        if case["from"] != case["to"]:
            cases.append(case)
    return cases


def to_torch(placements):
    table = {"R": lambda p: Replicate(), "S": lambda p: Shard(int(p[1:])),
             "P": lambda p: Partial(p[1:])}
    return [table[p[0]](p) for p in placements]


def to_text(placements):
    table = {"R": lambda p: "R", "S": lambda p: f"S({p[1:]})",
             "P": lambda p: f"P({p[1:]})"}
    return "".join(table[p[0]](p) for p in placements)


def mesh_text(mesh):
    return ",".join(f"{name}={size}" for name, size in zip("abc", mesh))


def whole_of(case, number, addend):
    """A tensor of small whole numbers, which no reduction rounds."""
    source = torch.Generator().manual_seed(SEED + 1000 * number + addend)
    partial = [p[1:] for p in case["from"] if p[0] == "P"]
    if partial and partial[0] == "product":
        low, high = (1, 3)
    else:
        low, high = (0 if case["dtype"] == "u8" else -9, 10)
    values = torch.randint(low, high, case["shape"], generator=source)
    return values.to(DTYPES[case["dtype"]])


def source_tensor(case, number, mesh):
    """The DTensor before: every rank of a partial dimension has addends of its
    own."""
    addend = 0
    for i, placement in enumerate(case["from"]):
        if placement[0] == "P":
            addend = addend * mesh.size(i) + mesh.get_coordinate()[i]
    placements = to_torch(case["from"])
    flat = [Replicate() if p.is_partial() else p for p in placements]
    whole = whole_of(case, number, addend)
    local = distribute_tensor(whole, mesh, flat, src_data_rank=None).to_local()
    return DTensor.from_local(local.contiguous(), mesh, placements,
                              run_check=False, shape=whole.shape,
                              stride=whole.stride())


def run_torch(rank, size, folder):
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    torch.set_num_threads(1)
    logging.disable(logging.WARNING)  # of what it does less well
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet",
                            rank=rank, world_size=size)
    meshes = {m: init_device_mesh("cpu", m, mesh_dim_names=tuple("abc"[:len(m)]))
              for m in MESHES[size]}
    with open(f"{folder}/in.{rank}", "wb") as given, \
            open(f"{folder}/theirs.{rank}", "wb") as theirs, \
            open(f"{folder}/full.{rank}", "wb") as full, \
            open(f"{folder}/counts.{rank}", "w", encoding="ascii") as counts:
        for number, case in enumerate(draw_cases(size)):
            tensor = source_tensor(case, number, meshes[case["mesh"]])
            given.write(tensor.to_local().numpy().tobytes())
            with CommDebugMode() as counter:
                result = tensor.redistribute(placements=to_torch(case["to"]))
                local = result.to_local()
            counts.write(f"{counter.get_total_counts()}\n")
            theirs.write(local.contiguous().numpy().tobytes())
            full.write(result.full_tensor().contiguous().numpy().tobytes())
    dist.destroy_process_group()


def run_world(size, programs, folder):
    """Run all cases of a world both ways; gives cases, differences, calls."""
    cases = draw_cases(size)
    with open(folder / "cases", "w", encoding="ascii") as out:
        for case in cases:
            shape = " ".join(map(str, (len(case["shape"]),) + case["shape"]))
            out.write(f"{mesh_text(case['mesh'])} {case['dtype']} {shape} "
                      f"{to_text(case['from'])} {to_text(case['to'])}\n")
    multiprocessing.start_processes(run_torch, (size, folder), nprocs=size,
                                    start_method="fork")
    subprocess.run([programs / "peer_redistribute", folder], check=True,
                   env={**os.environ, "DT_RANKS": str(size)})
    failures = compare(cases, size, folder)
    theirs = read_counts(folder / "counts.0")
    ours = read_counts(folder / "calls.0")
    for case, a, b in zip(cases, theirs, ours):
        if b > a:
            failures += 1
            print(f"{case}: {b} calls, PyTorch makes {a}")
    return len(cases), failures, sum(theirs), sum(ours)


def read_counts(path):
    return [int(line) for line in path.read_text().split()]


def compare(cases, size, folder):
    """Compare file by file; where they differ, say which case begins it."""
    failures = 0
    for rank, (ours, theirs) in itertools.product(
            range(size), [("ours", "theirs"), ("whole", "full")]):
        a = (folder / f"{ours}.{rank}").read_bytes()
        b = (folder / f"{theirs}.{rank}").read_bytes()
        if a == b:
            continue
        failures += 1
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y),
                  min(len(a), len(b)))
        print(f"{size} ranks: {ours}.{rank} differs from byte {at} on "
              f"({len(a)} and {len(b)} bytes){whose(cases, at, ours)}")
    return failures


def whose(cases, at, kind):
    """The case that a byte of the wholes belongs to."""
    if kind != "whole":
        return ""
    for case in cases:
        count = torch.empty(case["shape"], dtype=DTYPES[case["dtype"]])
        at -= count.numel() * count.element_size()
        if at < 0:
            return f": {case}"
    return ""


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    total = failures = theirs = ours = 0
    for size in MESHES:
        with tempfile.TemporaryDirectory() as name:
            result = run_world(size, programs, pathlib.Path(name))
        total += result[0]
        failures += result[1]
        theirs += result[2]
        ours += result[3]
    print(f"redistribute: {total} tensors against PyTorch {torch.__version__}, "
          f"{failures} differences, {ours} calls for its {theirs} "
          f"(DT_TEST_SEED={SEED})")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
