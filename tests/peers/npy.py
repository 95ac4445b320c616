# tests/peers/npy.py - .npy files and printed arrays, compared with NumPy's.
# SPDX-License-Identifier: Apache-2.0
"""usage: npy.py DIRECTORY_OF_PROGRAMS

NumPy writes arrays of every dtype and many shapes; peer_npy reads them, writes
them again and prints them.  Files must come back byte for byte as NumPy writes
them, and texts be those of str()."""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SEED = int(os.environ.get("DT_TEST_SEED", "20260101"))
ROUNDS = int(os.environ.get("DT_PEERS_ROUNDS", "12"))
SHAPES = [(), (0,), (1,), (3,), (7,), (31,), (2, 0, 3), (1, 1), (2, 3), (5, 1),
          (3, 4, 5), (2, 2, 2, 2), (1000,), (1001,), (40, 30), (10, 11, 12),
          (2, 3, 1, 2, 1), (7, 200), (2, 600), (1, 1, 1, 1, 1, 1, 1, 2)]
DTYPES = ["f4", "f8", "f2", "i1", "i2", "i4", "i8", "u1", "?", "c8"]
random = np.random.default_rng(SEED)


def floats(shape, dtype):
    """Numbers of one of the ranges that NumPy prints differently."""
    count = int(np.prod(shape))
    kind = random.integers(10)
    if kind == 0:
        values = random.integers(-5, 6, count).astype("f8")
    elif kind == 1:
        values = random.standard_normal(count)
    elif kind == 2:
        values = random.standard_normal(count) * 10.0 ** random.integers(-12, 13)
    elif kind == 3:
        values = random.standard_normal(count) * 10.0 ** random.integers(
            -6, 7, count)
    elif kind == 4:
        values = random.choice([0.0, -0.0, 1.0, np.nan, np.inf, -np.inf, 0.5],
                               count)
    elif kind == 5:
        values = np.round(random.standard_normal(count) * 100, 1)
    elif kind == 6:
        values = random.integers(0, 2**40, count).astype("f8")
    elif kind == 7:
        values = np.full(count, random.standard_normal())
    elif kind == 8:
        values = random.choice([1e-5, 1e-4, 9.9999e-5, 1e8, 99999999.0, 1e16,
                                123456789.0, 0.1, 1 / 3, -2.5], count)
    else:  # any bits
        size = np.dtype(dtype).itemsize
        return np.frombuffer(random.bytes(count * size), dtype).reshape(shape)
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(dtype).reshape(shape)


def values(shape, dtype):
    count = int(np.prod(shape))
    if dtype == "?":
        return random.integers(0, 2, count).astype("?").reshape(shape)
    if dtype == "c8":
        parts = np.stack([floats((count,), "f4"), floats((count,), "f4")], 1)
        return np.ascontiguousarray(parts).view("c8").reshape(shape)
    if dtype[0] == "f":
        return floats(shape, dtype)
    limits = np.iinfo(dtype)
    high = int(limits.max) if random.integers(2) else min(100, limits.max)
    low = int(limits.min) if random.integers(2) else 0
    return random.integers(low, high, count, dtype=dtype,
                           endpoint=True).reshape(shape)


def write_cases(folder):
    """Arrays, each with the bytes and the text that must come back."""
    cases = []

    def add(array, text=True, written=None):
        path = folder / f"{len(cases)}.npy"
        np.save(path, array)
        cases.append((path, array if written is None else written, text))

    for dtype in DTYPES:
        for shape in SHAPES:
            for _ in range(ROUNDS):
                add(values(shape, dtype))
        square = values((4, 6), dtype)
        add(np.asfortranarray(square), written=square)
    # bf16 is two bytes of no type to NumPy, which prints them as bytes.  We
    # write it as ml_dtypes does.
    for shape in SHAPES:
        count = int(np.prod(shape))
        raw = np.frombuffer(random.bytes(2 * count), "V2").reshape(shape)
        add(raw, text=False)
    return cases


def main():
    program = pathlib.Path(sys.argv[1]) / "peer_npy"
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cases = write_cases(folder)
        listed = "".join(f"{path} {path}.out {path}.txt\n"
                         for path, _, _ in cases)
        run = subprocess.run([program], input=listed, text=True, check=True,
                             stderr=subprocess.PIPE)
        failures += len(run.stderr.splitlines())
        sys.stderr.write(run.stderr[:4000])
        expected = folder / "expected.npy"
        for path, array, has_text in cases:
            what = f"{array.dtype} {array.shape}"
            np.save(expected, array)
            wanted = expected.read_bytes()
            if not has_text:
                wanted = wanted.replace(b"'|V2'", b"'<V2'", 1)
            out = pathlib.Path(f"{path}.out")
            if not out.exists() or out.read_bytes() != wanted:
                failures += 1
                if failures < 20:
                    print(f"{what}: the file differs from NumPy's")
            text = pathlib.Path(f"{path}.txt")
            if has_text and text.exists() and text.read_text() != str(array):
                failures += 1
                if failures < 20:
                    print(f"{what}: printed\n{text.read_text()}\n"
                          f"not\n{array}")
    print(f"npy: {len(cases)} arrays against NumPy {np.__version__}, "
          f"{failures} differences (DT_TEST_SEED={SEED})")
    sys.exit(failures != 0)


main()
