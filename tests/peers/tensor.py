# tests/peers/tensor.py - how tensors lie on meshes, compared with PyTorch's.
# SPDX-License-Identifier: Apache-2.0
"""usage: tensor.py DIRECTORY_OF_PROGRAMS

DTensor of PyTorch, on gloo, and peer_tensor spread the same tensors: random
shapes and layouts on meshes of 2, 3, 4, 2x2 and 2x3 ranks.  On every rank the
printed layout, the shape, the offset and the elements must be the same; and the
global shape and strides that both find for parts.

Where the two differ by intention, this is compared instead:
* "_S(0,2)" is printed by PyTorch with a space.
* Strided shards that spell an order are printed as that order where both cut
  alike; PyTorch's own conversion says which order that is.
* A partial sum is the value on one rank, not a fraction of it on all: what the
  ranks' values combine to must be the same.
"""

import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from torch_ranks import run_ranks

try:
    import numpy as np
    import torch
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import (DTensor, Partial, Replicate, Shard,
                                          distribute_tensor)
    from torch.distributed.tensor._dtensor_spec import (DTensorSpec,
                                                        ShardOrderEntry,
                                                        TensorMeta)
    from torch.distributed.tensor._redistribute import redistribute_local_tensor
    from torch.distributed.tensor._utils import (
        compute_local_shape_and_global_offset)
    from torch.distributed.tensor.placement_types import _StridedShard
except ImportError as error:
    print(f"tensor: skipped: {error}")
    sys.exit(0)

SEED = int(os.environ.get("DT_TEST_SEED", "20260101"))
CASES = 60 * int(os.environ.get("DT_PEERS_ROUNDS", "3"))  # on each mesh
MESHES = {2: [(2,)], 3: [(3,)], 4: [(4,), (2, 2)], 6: [(2, 3)]}
EXTENTS = [0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13]
NAMES = "abc"
pick = random.Random(SEED)


# ---- Cases -------------------------------------------------------------------

def draw_shape(least):
    shape = [pick.choice(EXTENTS) for _ in range(pick.randint(least, 3))]
    if shape and 0 in shape and pick.randrange(3):
        shape = [extent or 2 for extent in shape]
    return shape


def draw_placements(mesh, ndim, kinds, op):
    """One placement for each mesh dimension, as text and numbers."""
    placements = []
    for _ in mesh:
        kind = pick.choice(kinds) if ndim else pick.choice("RP")
        if kind == "P" and "P" not in kinds:
            kind = "R"
        dim = pick.randrange(ndim) if ndim else 0
        if kind == "S":
            placements.append(["S", dim])
        elif kind == "_":
            placements.append(["_", dim, pick.randint(1, 4)])
        else:
            placements.append([kind, op])
    return placements


def draw_case(mesh):
    kind = pick.choice(["distribute"] * 5 + ["order"] * 2 + ["partial"] * 2
                       + ["from_local"] * 2)
    case = {"kind": kind, "mesh": mesh, "source": pick.choice([0, None])}
    if kind == "order":
        case["shape"] = draw_shape(1)
        case["placements"] = draw_placements(
            mesh, len(case["shape"]), "RSSSS", "")
        case["order"] = draw_order(case["placements"])
        return case
    case["shape"] = draw_shape(0)
    kinds = {"distribute": "RSS_", "partial": "RSP_P",
             "from_local": "RSSP"}[kind]
    op = pick.choice(["sum", "avg", "min", "max"])
    case["placements"] = draw_placements(mesh, len(case["shape"]), kinds, op)
    if any(placement[0] == "_" for placement in case["placements"]):
        case["source"] = None  # PyTorch scatters strided shards only if even
    if kind == "from_local":
        lying = list(range(len(case["shape"])))
        pick.shuffle(lying)
        case["lying"] = lying
    return case


def draw_order(placements):
    """For each tensor dimension the mesh dimensions that cut it, shuffled."""
    order = {}
    for mesh_dim, placement in enumerate(placements):
        if placement[0] == "S":
            order.setdefault(placement[1], []).append(mesh_dim)
    for mesh_dims in order.values():
        pick.shuffle(mesh_dims)
    return sorted(order.items())


def layout_text(case):
    """The layout as peer_tensor reads it."""
    text = ""
    order = dict(case.get("order", []))
    for mesh_dim, placement in enumerate(case["placements"]):
        if placement[0] == "S":
            text += f"S({placement[1]})"
            if placement[1] in order:
                text += f"[{order[placement[1]].index(mesh_dim)}]"
        elif placement[0] == "_":
            text += f"_S({placement[1]},{placement[2]})"
        else:
            text += "R" if placement[0] == "R" else f"P({placement[1]})"
    return text


def case_line(number, case):
    kind = "distribute" if case["kind"] == "order" else case["kind"]
    mesh = ",".join(f"{NAMES[i]}={size}" for i, size in enumerate(case["mesh"]))
    words = [number, kind, mesh, layout_text(case), len(case["shape"]),
             *case["shape"], *case.get("lying", [])]
    return " ".join(map(str, words)) + "\n"


# ---- PyTorch's side ----------------------------------------------------------

def placements_of(case):
    made = []
    for placement in case["placements"]:
        if placement[0] == "S":
            made.append(Shard(placement[1]))
        elif placement[0] == "_":
            made.append(_StridedShard(placement[1], split_factor=placement[2]))
        elif placement[0] == "P":
            made.append(Partial(placement[1]))
        else:
            made.append(Replicate())
    return made


def numbers(shape):
    count = int(np.prod(shape))
    return torch.arange(count, dtype=torch.float64).reshape(tuple(shape))


def part_of(dtensor, mesh):
    """What a rank has, as peer_tensor writes it."""
    local = dtensor.to_local()
    shape, offset = compute_local_shape_and_global_offset(
        dtensor.shape, mesh, dtensor.placements)
    if list(shape) != list(local.shape):
        raise AssertionError(f"PyTorch computes {shape}, has {local.shape}")
    return [list(local.shape), list(offset), local.flatten().tolist()]


def order_texts(spec, dim):
    """How the cuts of one tensor dimension are printed as an order, by mesh
    dimension; nothing if PyTorch finds no order that they spell."""
    alone = tuple(p if getattr(p, "dim", None) == dim else Replicate()
                  for p in spec.placements)
    order = DTensorSpec._maybe_convert_StridedShard_to_shard_order(
        alone, spec.mesh)
    if not order:
        return {}
    mesh_dims = order[0].mesh_dims
    return {mesh_dim: f"S({dim})" + (f"[{i}]" if len(mesh_dims) > 1 else "")
            for i, mesh_dim in enumerate(mesh_dims)}


def layouts_of(spec):
    """Every way in which the layout may be printed.  A factor of 1 is not."""
    texts = [spec.format_shard_order_str(spec.placements, spec.shard_order)]
    dims = {p.dim for p in spec.placements if isinstance(p, _StridedShard)}
    for count in range(1, len(dims) + 1):
        for chosen in itertools.combinations(dims, count):
            parts = [str(p) for p in spec.placements]
            for dim in chosen:
                for mesh_dim, text in order_texts(spec, dim).items():
                    parts[mesh_dim] = text
            texts.append("".join(parts))
    return [re.sub(r"_S\((\d+),1\)", r"S(\1)", text.replace(", ", ","))
            for text in texts]


def run_distribute(case, mesh):
    placements = placements_of(case)
    made = distribute_tensor(numbers(case["shape"]), mesh, placements,
                             src_data_rank=case["source"])
    return {"layouts": layouts_of(made._spec),
            "lists": part_of(made, mesh)}


def run_order(case, mesh):
    """distribute_tensor takes no order yet; redistribution does."""
    whole = numbers(case["shape"])
    meta = TensorMeta(whole.shape, whole.stride(), whole.dtype)
    order = tuple(ShardOrderEntry(tensor_dim=dim, mesh_dims=tuple(mesh_dims))
                  for dim, mesh_dims in case["order"])
    spread = DTensorSpec(mesh, (Replicate(),) * mesh.ndim, tensor_meta=meta)
    wanted = DTensorSpec(mesh, tuple(placements_of(case)), tensor_meta=meta,
                         shard_order=order)
    local = redistribute_local_tensor(whole, spread, wanted)
    return {"layouts": layouts_of(wanted),
            "lists": [list(local.shape), None, local.flatten().tolist()]}


def run_partial(case, mesh):
    """The values of this rank, and which elements of the whole they are."""
    made = distribute_tensor(numbers(case["shape"]), mesh, placements_of(case),
                             src_data_rank=case["source"])
    whole = dict(case, placements=[["R"] if p[0] == "P" else p
                                   for p in case["placements"]])
    index = distribute_tensor(numbers(case["shape"]), mesh,
                              placements_of(whole), src_data_rank=None)
    return {"layouts": layouts_of(made._spec),
            "lists": part_of(made, mesh),
            "index": index.to_local().flatten().tolist()}


def run_from_local(case, mesh):
    lying = case["lying"]
    dense = torch.empty([case["shape"][dim] for dim in lying],
                        dtype=torch.float64)
    local = dense.permute([lying.index(dim) for dim in range(len(lying))])
    made = DTensor.from_local(local, mesh, placements_of(case), run_check=False)
    return {"layouts": layouts_of(made._spec),
            "lists": [list(made.shape), list(made.stride())]}


RUN = {"distribute": run_distribute, "order": run_order,
       "partial": run_partial, "from_local": run_from_local}


def run_rank(rank, size, cases, folder):
    """Be one rank of PyTorch's: run all cases, write what it has."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=size,
                            init_method=f"file://{folder}/store{size}")
    meshes = {shape: init_device_mesh("cpu", shape,
                                      mesh_dim_names=tuple(NAMES[:len(shape)]))
              for shape in MESHES[size]}
    found = []
    for case in cases:
        try:
            found.append(RUN[case["kind"]](case, meshes[case["mesh"]]))
        except Exception as error:  # pylint: disable=broad-except
            found.append({"refused": f"{type(error).__name__}: {error}"})
    (folder / f"torch{size}.{rank}").write_text(json.dumps(found))
    dist.barrier()
    dist.destroy_process_group()


def run_torch(size, cases, folder):
    run_ranks("tensor", size,
              lambda rank: run_rank(rank, size, cases, folder))
    return [json.loads((folder / f"torch{size}.{rank}").read_text())
            for rank in range(size)]


# ---- Our side ----------------------------------------------------------------

def read_line(line):
    words = line.rstrip("\n").split("|")
    if words[1].startswith("error: "):
        return {"refused": words[1]}
    return {"layout": words[1],
            "lists": [[float(word) for word in part.split(",") if word]
                      for part in words[2:]]}


def run_ours(program, size, cases, folder):
    path = folder / f"cases{size}"
    path.write_text("".join(case_line(number, case)
                            for number, case in enumerate(cases)))
    subprocess.run([program, str(size), path, folder / f"ours{size}"],
                   check=True)
    return [[read_line(line) for line in
             (folder / f"ours{size}.{rank}").read_text().splitlines()]
            for rank in range(size)]


# ---- Comparing ---------------------------------------------------------------

def combine(case, theirs):
    """The whole that PyTorch's partial values stand for."""
    sizes, op = case["mesh"], next(
        (p[1] for p in case["placements"] if p[0] == "P"), "sum")
    parts = {}
    for rank, had in enumerate(theirs):
        at = np.unravel_index(rank, sizes)
        place = tuple(c for c, p in zip(at, case["placements"]) if p[0] != "P")
        parts.setdefault(place, []).append(had["lists"][2])
    reduce = {"sum": np.sum, "avg": np.mean, "min": np.min, "max": np.max}[op]
    whole = np.full(int(np.prod(case["shape"])), np.nan)
    for rank, had in enumerate(theirs):
        at = np.unravel_index(rank, sizes)
        place = tuple(c for c, p in zip(at, case["placements"]) if p[0] != "P")
        whole[np.array(had["index"], dtype=int)] = reduce(
            np.array(parts[place]), axis=0)
    return whole


def differences(case, ours, theirs):
    """What differs between the two, rank by rank."""
    if any("refused" in had for had in theirs):
        return []
    whole = combine(case, theirs) if case["kind"] == "partial" else None
    for rank, (mine, other) in enumerate(zip(ours, theirs)):
        if "refused" in mine:
            return [f"rank {rank}: {mine['refused']}"]
        if mine["layout"] not in other["layouts"]:
            return [f"rank {rank}: {mine['layout']}, not {other['layouts']}"]
        for name, a, b in zip(["shape", "offset or strides", "elements"],
                              mine["lists"], other["lists"]):
            skipped = b is None or (name == "elements" and whole is not None)
            if not skipped and a != [float(x) for x in b]:
                return [f"rank {rank}: {name} {a}, not {b}"]
        if whole is not None and not np.allclose(mine["lists"][3], whole,
                                                 rtol=1e-14, atol=0):
            return [f"rank {rank}: the whole is {mine['lists'][3]}, "
                    f"not {whole.tolist()}"]
    return []


def main():
    program = pathlib.Path(sys.argv[1]) / "peer_tensor"
    failures = refused = count = 0
    reasons = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for size, meshes in MESHES.items():
            cases = [draw_case(mesh) for mesh in meshes for _ in range(CASES)]
            theirs = run_torch(size, cases, folder)
            ours = run_ours(program, size, cases, folder)
            for number, case in enumerate(cases):
                their = [had[number] for had in theirs]
                count += 1
                why = next((h["refused"] for h in their if "refused" in h), "")
                refused += bool(why)
                if why:
                    reasons.setdefault(why.split("\n")[0][:100], case)
                for text in differences(case, [had[number] for had in ours],
                                        their):
                    failures += 1
                    if failures < 20:
                        print(f"{case}: {text}")
    for why, case in sorted(reasons.items()):
        print(f"tensor: PyTorch refuses, e.g. {layout_text(case)} of "
              f"{case['shape']} on {case['mesh']}: {why}")
    print(f"tensor: {count} cases against PyTorch {torch.__version__}, "
          f"{refused} of them refused there, {failures} differences "
          f"(DT_TEST_SEED={SEED})")
    sys.exit(failures != 0 or refused > count // 20)


main()
