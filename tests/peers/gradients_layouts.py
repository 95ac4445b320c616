# tests/peers/gradients_layouts.py - gradients of blocks of a transformer, and
# what they send, compared with DTensor's.
# SPDX-License-Identifier: Apache-2.0
"""usage: gradients_layouts.py DIRECTORY_OF_PROGRAMS

The blocks of tests/models/block.c (linear layers, MLP, attention, norm, a
transformer block, embedding, cross-entropy, a model of these) are run forward
and backward by DTensor of PyTorch, on gloo, and by peer_gradients_layouts, on 2
and 4 ranks, in the same layouts.  Gradients must have the values of PyTorch on
one rank, and the layout of their inputs; so must PyTorch's, partial placements and
OTHER_LAYOUTS apart.  What DTensor sends must be what the table there says of it,
and we may send no more."""

import json
import logging
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
try:
    import numpy as np
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import (Replicate, Shard,
                                          distribute_tensor)
    from torch.distributed.tensor.debug import CommDebugMode
    from torch.distributed.tensor.experimental import implicit_replication
    from torch.distributed.tensor.parallel import loss_parallel
    from torch.nn.attention import SDPBackend, sdpa_kernel
except ImportError as error:
    print(f"gradients_layouts: skipped: {error}")
    sys.exit(0)
from torch_ranks import run_ranks

SEED = int(os.environ.get("DT_TEST_SEED", "20260101"))
RANKS = [2, 4]
LIMIT = 1e-12  # of the largest element
# Gradients that have another layout there, and why.
OTHER_LAYOUTS = {
    ("embedding", "table"): "a table that is sharded by rows has a gradient of "
    "all rows on every rank",
}


# ---- What is computed --------------------------------------------------------

class Block:
    """A block by PyTorch; `move` redistributes, or does nothing to plain
    tensors."""

    def __init__(self, facts, move):
        self.enter = lambda x: move(x, facts["inside"])
        self.leave = lambda x: move(x, facts["stream"])
        self.whole = lambda x: move(x, "R" * (1 + ("dp" in facts["mesh"])))

    def linear(self, t):
        return self.leave(F.linear(self.enter(t["x"]), t["weight"], t["bias"]))

    def feed(self, x, t):
        hidden = F.gelu(F.linear(self.enter(x), t["w1"], t["b1"]))
        return self.leave(F.linear(hidden, t["w2"], t["b2"]))

    def mlp(self, t):
        return self.feed(t["x"], t)

    def attend(self, x, t):
        x = self.enter(x)
        batch, time, width = x.shape
        parts = [F.linear(x, t[name]).view(batch, time, 12, 2).transpose(1, 2)
                 for name in ("wq", "wk", "wv")]
        y = F.scaled_dot_product_attention(*parts, is_causal=True)
        y = y.transpose(1, 2).reshape(batch, time, width)
        return self.leave(F.linear(y, t["wo"]))

    def attention(self, t):
        return self.attend(t["x"], t)

    def norm(self, t):
        x = self.enter(t["x"])
        return self.leave(F.layer_norm(x, x.shape[-1:], t["weight"],
                                       t["bias"], 1e-5))

    def transformer(self, t):
        width = t["x"].shape[-1:]
        x = t["x"] + self.attend(F.layer_norm(
            t["x"], width, t["norm1"], t["norm1_bias"], 1e-5), t)
        return x + self.feed(F.layer_norm(
            x, width, t["norm2"], t["norm2_bias"], 1e-5), t)

    def embedding(self, t):
        return self.leave(F.embedding(t["tokens"], t["table"]))

    def mean_loss(self, t):
        return self.leave(F.cross_entropy(t["logits"], t["targets"]))

    def sum_loss(self, t):
        return self.leave(F.cross_entropy(t["logits"], t["targets"],
                                          reduction="sum"))

    def model(self, t):
        x = self.leave(F.embedding(t["tokens"], t["table"]))
        x = x + self.feed(x, t)
        logits = F.linear(self.enter(x), t["table"])
        logits = logits.view(-1, logits.shape[-1])
        return self.whole(F.cross_entropy(logits, t["targets"],
                                          reduction="sum"))


def draw_inputs(facts):
    """Elements of all inputs, by name."""
    made = {}
    for one in facts["inputs"]:
        made[one["name"]] = (
            torch.randint(facts["classes"], one["shape"])
            if one["dtype"] == "i64"
            else torch.randn(one["shape"], dtype=torch.float64) * (
                0.3 if len(one["shape"]) == 2 else 1))
    return made


def is_leaf(name, tensor):
    return tensor.is_floating_point() and name != "grad"


def backward(result, tensors):
    if "grad" in tensors:
        result.backward(tensors["grad"])
    else:
        result.backward()


def reference(facts, inputs):
    """The result and gradients of plain tensors."""
    tensors = {name: t.clone() for name, t in inputs.items()}
    leaves = {name: t.requires_grad_() for name, t in tensors.items()
              if is_leaf(name, t)}
    block = Block(facts, lambda x, layout: x)
    result = getattr(block, facts["kind"])(tensors)
    backward(result, tensors)
    return {"": result.detach().numpy(),
            **{name: t.grad.numpy() for name, t in leaves.items()}}


# ---- DTensor -----------------------------------------------------------------

def placements(layout):
    return [Replicate() if word == "R" else Shard(int(word[2:-1]))
            for word in re.findall(r"R|S\(\d\)", layout)]


def layout_of(tensor):
    return "".join("R" if p.is_replicate() else "P" if p.is_partial()
                   else f"S({p.dim})" for p in tensor.placements)


def uses_loss_parallel(facts):
    """Are logits sharded by classes?"""
    return facts["kind"] == "model" or "S(1)" in facts["inputs"][0]["layout"]


def run_block(facts, inputs, mesh):
    tensors = {one["name"]: distribute_tensor(
        inputs[one["name"]], mesh, placements(one["layout"]))
        for one in facts["inputs"]}
    leaves = {name: t.requires_grad_() for name, t in tensors.items()
              if is_leaf(name, t)}

    def move(x, layout):
        return x.redistribute(mesh, placements(layout))
    block = Block(facts, move)
    parallel = "loss" in facts["kind"] or facts["kind"] == "model"
    counters = [CommDebugMode(), CommDebugMode()]
    with loss_parallel() if parallel and uses_loss_parallel(
            facts) else warnings.catch_warnings():
        with counters[0]:
            result = getattr(block, facts["kind"])(tensors)
        with counters[1]:
            backward(result, tensors)
    return {"calls": [{str(k).rsplit(".", 1)[-1]: v for k, v in
                       c.get_comm_counts().items() if v} for c in counters],
            "layouts": {name: layout_of(t.grad) for name, t in leaves.items()},
            "values": {name: t.grad.full_tensor().tolist()
                       for name, t in leaves.items()}}


def run_rank(rank, size, table, inputs, folder):
    torch.set_num_threads(1)
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    dist.init_process_group("gloo", rank=rank, world_size=size,
                            init_method=f"file://{folder}/store{size}")
    meshes = {"tp": init_device_mesh("cpu", (size,), mesh_dim_names=("tp",))}
    if size == 4:
        meshes["dp=2,tp"] = init_device_mesh("cpu", (2, 2),
                                             mesh_dim_names=("dp", "tp"))
    found = {}
    for number, facts in enumerate(table):
        if facts["mesh"] not in meshes:
            continue
        # Attention by steps, which have rules; its mask is a plain tensor.
        with sdpa_kernel(SDPBackend.MATH), implicit_replication():
            found[number] = run_block(facts, inputs[facts["kind"]],
                                      meshes[facts["mesh"]])
    if rank == 0:
        (folder / f"torch{size}").write_text(json.dumps(found))
    dist.barrier()
    dist.destroy_process_group()


# ---- Ours --------------------------------------------------------------------

def run_ours(program, size, table, folder):
    """What is printed of each block, and the gradients."""
    run = subprocess.run([program, str(size), folder], text=True, check=True,
                         stdout=subprocess.PIPE)
    found = {}
    for line in run.stdout.splitlines():
        number, *calls_and_layouts = line.split(" ")
        names = [one["name"] for one in table[int(number)]["inputs"]]
        layouts = {name: re.sub(r"\[\d\]", "", layout) for name, layout
                   in zip(names, calls_and_layouts[2:]) if layout != "-"}
        found[int(number)] = {
            "calls": calls_and_layouts[:2], "layouts": layouts,
            "values": {name: np.load(folder / f"{number}.{name}.npy")
                       for name in layouts},
            "result": np.load(folder / f"{number}.npy")}
    return found


# ---- Comparing ---------------------------------------------------------------

def far(got, wanted):
    if got.shape != wanted.shape:
        return f"shape {got.shape}, not {wanted.shape}"
    apart = np.abs(got - wanted).max() / np.abs(wanted).max()
    return "" if apart <= LIMIT else f"differs by {apart:.3g}"


def count(words):
    return sum(int(word.split(":")[1]) for word in words.split(",")
               if word != "-")


def compare(facts, ours, theirs, wanted):
    """What is wrong, as texts."""
    texts = [far(ours["result"], wanted[""])]
    inputs = {one["name"]: one["layout"] for one in facts["inputs"]}
    for name, layout in theirs["layouts"].items():
        mine = ours["layouts"].get(name)
        if mine != inputs[name]:
            texts.append(f"{name}: layout {mine}, not {inputs[name]}")
        if mine != layout.replace("P", "R") and (
                facts["kind"], name) not in OTHER_LAYOUTS:
            texts.append(f"{name}: layout {mine}, not DTensor's {layout}")
        for who, values in ("ours", ours), ("DTensor's", theirs):
            text = far(np.array(values["values"][name]), wanted[name])
            texts.append(text and f"{name}, {who}: {text}")
    sent = [sum(calls.values()) for calls in theirs["calls"]]
    left = sum("P" in layout for layout in theirs["layouts"].values())
    mine = [count(words) for words in ours["calls"]]
    if [*sent, left] != facts["upstream"]:
        texts.append(f"DTensor sends {sent}, {left} left partial: "
                     f"{theirs['calls']}; the table has {facts['upstream']}")
    if mine != facts["ours"]:
        texts.append(f"we send {mine}: {ours['calls']}; the table has "
                     f"{facts['ours']}")
    if mine[0] > sent[0] or mine[1] > sent[1] + left:
        texts.append(f"we send {mine}, DTensor {sent} and {left} for what is "
                     "left partial")
    return [text for text in texts if text]


def main():
    program = pathlib.Path(sys.argv[1]) / "peer_gradients_layouts"
    torch.manual_seed(SEED)
    lines = subprocess.run([program, "--list"], text=True, check=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    table = [json.loads(line) for line in lines]
    inputs = {facts["kind"]: draw_inputs(facts) for facts in table}
    wanted = {facts["kind"]: reference(facts, inputs[facts["kind"]])
              for facts in table}
    runs = failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, tensors in inputs.items():
            for one, tensor in tensors.items():
                np.save(folder / f"{kind}.{one}.npy", tensor.detach().numpy())
        for size in RANKS:
            run_ranks("gradients_layouts", size, lambda rank: run_rank(
                rank, size, table, inputs, folder))
            theirs = json.loads((folder / f"torch{size}").read_text())
            ours = run_ours(program, size, table, folder)
            for number, facts in enumerate(table):
                if number not in ours:
                    continue
                runs += 1
                texts = compare(facts, ours[number], theirs[str(number)],
                                wanted[facts["kind"]])
                failures += bool(texts)
                for text in texts:
                    print(f"gradients_layouts: {facts['name']} on {size} ranks:"
                          f" {text}")
    print(f"gradients_layouts: {runs} blocks against PyTorch "
          f"{torch.__version__}, {failures} differences (DT_TEST_SEED={SEED})")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
