# tests/peers/graph.py - programs that PyTorch exports, run by `dtensor model`.
# SPDX-License-Identifier: Apache-2.0
"""usage: graph.py DIRECTORY_OF_PROGRAMS

The models of export_models.py are exported by the PyTorch that is installed, in
every dialect; `dtensor model run` computes their outputs, which must be those
of PyTorch but for rounding."""

import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np

warnings.filterwarnings("ignore")

import export_models  # noqa: E402

# Training IR of this one writes in place, which is refused.
REFUSED = {"llama-decode-training"}
# Later calls of these depend on earlier ones; a command has none.
STATEFUL = {"llama-decode", "buffers"}


def run(command, archive, folder, stem, outputs):
    inputs = sorted(folder.glob(f"{stem}.in*.npy"))
    results = [folder / f"result{i}.npy" for i in range(outputs)]
    done = subprocess.run(
        [command, "model", "run", archive, "--input",
         ",".join(map(str, inputs)), "--output", ",".join(map(str, results))],
        capture_output=True, text=True)
    return done, results


def compare(command, folder, archive, name, call):
    """The largest difference over the largest element, of all outputs."""
    wanted = sorted(folder.glob(f"{name}.{call}.out*.npy"))
    done, results = run(command, archive, folder, f"{name}.{call}", len(wanted))
    if done.returncode:
        return done.stderr.strip()
    worst = 0.0
    for path, result in zip(wanted, results):
        a, b = np.load(path), np.load(result)
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{b.dtype}{b.shape} instead of {a.dtype}{a.shape}"
        worst = max(worst, float(np.abs(a - b).max() / np.abs(a).max()))
    return None if worst < 4e-6 else f"differs by {worst:g} of the largest"


def main():
    command = pathlib.Path(sys.argv[1]) / "dtensor"
    failed = compared = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        export_models.write_all(folder)
        for archive in sorted(folder.glob("*.pt2")):
            name = archive.stem.rpartition("-")[0]
            calls = sorted({p.name.split(".")[1]
                            for p in folder.glob(f"{name}.*.in0.npy")})
            if archive.stem in REFUSED:
                continue
            for call in calls[:1] if name in STATEFUL else calls:
                compared += 1
                if fault := compare(command, folder, archive, name, call):
                    failed += 1
                    print(f"{archive.stem}, call {call}: {fault}")
    print(f"{compared} calls compared, {failed} differ")
    sys.exit(failed > 0)


main()
