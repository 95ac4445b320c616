# tests/peers/checkpoint.py - checkpoints that Python's safetensors reads, and
# files that it writes.
# SPDX-License-Identifier: Apache-2.0
"""usage: checkpoint.py DIRECTORY_OF_PROGRAMS

peer_checkpoint saves tensors of every dtype on some ranks; safetensors reads
them, file by file and by the index.  Files that safetensors wrote, one and
several with an index, are loaded by peer_checkpoint on other numbers of ranks."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

PROGRAM = pathlib.Path(sys.argv[1]) / "peer_checkpoint"
DTYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16,
          "bf16": torch.bfloat16, "i8": torch.int8, "i16": torch.int16,
          "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8,
          "bool": torch.bool, "c64": torch.complex64}
failed = 0


def complain(text):
    global failed
    failed += 1
    print(text)


def wanted(name):
    """The tensor that peer_checkpoint makes of a dtype."""
    i = torch.arange(35)
    numbers = i % 2 if name == "bool" else i % 13 if name == "u8" else i % 13 - 5
    return numbers.to(DTYPES[name]).reshape(7, 5)


def run(ranks, *arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, DT_RANKS=str(ranks)))
    if done.returncode or done.stdout:
        complain(f"{ranks} ranks, {arguments}: {done.stdout}")


def check_read(folder):
    """Read a checkpoint by its index, as Hugging Face's programs do."""
    index = json.loads((folder / "model.safetensors.index.json").read_text())
    tensors, size = {}, 0
    for file in sorted(set(index["weight_map"].values())):
        for name, tensor in load_file(folder / file).items():
            if index["weight_map"][name] != file:
                complain(f"{name} is in {file}")
            tensors[name] = tensor
            size += tensor.numel() * tensor.element_size()
        with safe_open(folder / file, "pt") as opened:
            if opened.metadata()["format"] != "pt":
                complain(f"metadata of {file}: {opened.metadata()}")
    if size != index["metadata"]["total_size"]:
        complain(f"total_size {index['metadata']['total_size']}, not {size}")
    if set(tensors) != {f"model.{name}" for name in DTYPES}:
        complain(f"names: {sorted(tensors)}")
    for name in DTYPES:
        if not torch.equal(tensors[f"model.{name}"], wanted(name)):
            complain(f"{name}: {tensors[f'model.{name}']}")


def main():
    tensors = {f"model.{name}": wanted(name) for name in DTYPES}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for ranks in 1, 3, 4:
            run(ranks, "save", folder / f"ours{ranks}")
            check_read(folder / f"ours{ranks}" / "step_00000012")
        save_file(tensors, folder / "one.safetensors", {"format": "pt"})
        (folder / "many").mkdir()
        names, places = sorted(tensors), {}
        for part in range(3):
            file = f"model-{part + 1:05}-of-00003.safetensors"
            own = {name: tensors[name] for name in names[part::3]}
            save_file(own, folder / "many" / file)
            places.update(dict.fromkeys(own, file))
        (folder / "many" / "model.safetensors.index.json").write_text(
            json.dumps({"metadata": {"total_size": 0}, "weight_map": places}))
        for ranks in 1, 2, 3:
            run(ranks, "load", folder / "one.safetensors")
            run(ranks, "load", folder / "many")
    print(f"{int(not failed)} passed, {failed} failed")
    sys.exit(failed > 0)


main()
