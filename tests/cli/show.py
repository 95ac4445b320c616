# tests/cli/show.py - `dtensor show --json` against sets of indexes, and its SVG.
# SPDX-License-Identifier: Apache-2.0
#
# usage: show.py DTENSOR
import itertools
import json
import math
import os
import random
import subprocess
import sys
import xml.etree.ElementTree

dtensor = sys.argv[1]
seed = int(os.environ.get("DT_TEST_SEED", "7"))
random.seed(seed)


def show(mesh, shape, layout, *options):
    text = ",".join(f"m{i}={size}" for i, size in enumerate(mesh))
    size = "x".join(map(str, shape)) or "()"
    return subprocess.run(
        [dtensor, "show", "--mesh", text, "--shape", size, layout, *options],
        check=True, stdout=subprocess.PIPE, text=True).stdout


def cut(indexes, parts):
    """Blocks of equal length, rounded up."""
    length = math.ceil(len(indexes) / parts)
    return [indexes[i * length:(i + 1) * length] for i in range(parts)]


def random_layout(mesh, ndim):
    """Text, and for each tensor dimension its cuts: (mesh dimension, factor)."""
    kinds = [random.choice("SSS_RP" if ndim else "RP") for _ in mesh]
    dims = [random.randrange(ndim) if ndim else 0 for _ in mesh]
    words, cuts = [], []
    factors = [random.choice([1, 2, 3, 5]) for _ in mesh]
    for dim in range(ndim):
        here = [i for i in range(len(mesh)) if kinds[i] in "S_" and dims[i] == dim]
        if all(kinds[i] == "S" for i in here):
            random.shuffle(here)
        cuts.append([(i, factors[i] if kinds[i] == "_" else 1) for i in here])
    for i, kind in enumerate(kinds):
        if kind == "S":
            order = [at for at, _ in cuts[dims[i]]]
            plain = all(kinds[at] == "S" for at in order)
            words.append(f"S({dims[i]})" + (f"[{order.index(i)}]" if plain else ""))
        elif kind == "_":
            words.append(f"_S({dims[i]},{factors[i]})")
        else:
            words.append({"R": "R", "P": "P(max)"}[kind])
    return "".join(words), cuts


def part_of(coordinate, mesh, extent, cuts):
    indexes = list(range(extent))
    for dim, factor in cuts:
        indexes = sum((cut(piece, mesh[dim])[coordinate[dim]]
                       for piece in cut(indexes, factor)), [])
    return indexes


def check(mesh, shape, layout, cuts):
    ranks = [json.loads(line) for line in
             show(mesh, shape, layout, "--json", "--dtype", "f64").splitlines()]
    places = list(itertools.product(*map(range, mesh)))
    assert [rank["rank"] for rank in ranks] == list(range(len(places)))
    for rank, place in zip(ranks, places):
        assert rank["coordinate"] == list(place), rank
        parts = [part_of(place, mesh, extent, cuts[i])
                 for i, extent in enumerate(shape)]
        runs = [sum((list(range(first, first + length)) for first, length in runs), [])
                for runs in rank["runs"]]
        assert runs == parts, (rank, parts)
        assert rank["shape"] == [len(part) for part in parts], rank
        assert rank["offset"] == [part[0] if part else extent
                                  for part, extent in zip(parts, shape)], rank
        assert rank["elements"] == math.prod(rank["shape"]), rank
        assert rank["bytes"] == 8 * rank["elements"], rank
        for ends in rank["runs"]:
            assert all(a + b < c for (a, b), (c, _) in zip(ends, ends[1:])), rank
    whole = {dim for dims in cuts for dim, _ in dims}
    copies = math.prod(size for i, size in enumerate(mesh) if i not in whole)
    total = sum(rank["elements"] for rank in ranks)
    assert total == copies * math.prod(shape), (total, copies)


def check_svg(mesh, shape, layout, *options):
    root = xml.etree.ElementTree.fromstring(show(mesh, shape, layout, "--svg", "-", *options))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    space = {"svg": "http://www.w3.org/2000/svg"}
    width, height = float(root.get("width")), float(root.get("height"))
    assert width > 0 and height > 0
    texts = root.findall(".//svg:text", space)
    assert texts[0].text.startswith("f32[")
    labels = [cell.text for cell in root.findall(".//svg:text[@class='cell']", space)]
    titles = [title.text for title in root.findall(".//svg:title", space)]
    assert [title.partition(": ")[0] for title in titles] == labels
    return titles


def expand(label):
    """The ranks that a label names; None if it leaves some out."""
    if ".." in label:
        return None
    ranks = set()
    for word in label.replace("+", ",").split(","):
        ends, _, step = word.partition("/")
        first, _, last = ends.partition("-")
        ranks |= set(range(int(first), int(last or first) + 1, int(step or 1)))
    return ranks


def check_owners(mesh, shape, layout, cuts):
    """The cells of the picture name the ranks that have their indexes."""
    cells = check_svg(mesh, shape, layout)
    if not 1 <= len(shape) <= 2 or 0 in shape:
        return
    owners = {}
    for rank, place in enumerate(itertools.product(*map(range, mesh))):
        for index in itertools.product(*(part_of(place, mesh, extent, cuts[i])
                                         for i, extent in enumerate(shape))):
            owners.setdefault(index, set()).add(rank)
    drawn = set()
    for title in cells:
        label, _, ranges = title.partition(": ")
        spans = [word.split()[-1].split("..") for word in ranges.split(",")]
        box = [range(int(ends[0]), int(ends[-1]) + 1) for ends in spans]
        ranks = expand(label)
        for index in itertools.product(*box):
            assert index not in drawn, index
            drawn.add(index)
            assert ranks is None or owners[index] == ranks, (title, owners[index])
    assert len(drawn) == math.prod(shape)


for _ in range(120):
    mesh = [random.randint(1, 4) for _ in range(random.randint(1, 3))]
    shape = [random.choice([0, 1, 2, 3, 5, 7, 8, 12, 13, 31])
             for _ in range(random.randint(0, 3))]
    layout, cuts = random_layout(mesh, len(shape))
    try:
        check(mesh, shape, layout, cuts)
        check_owners(mesh, shape, layout, cuts)
        show(mesh, shape, layout)
    except Exception:
        print(f"mesh {mesh} shape {shape} layout {layout}; DT_TEST_SEED={seed}",
              file=sys.stderr)
        raise

titles = check_svg([2, 2], [9], "_S(0,2)R")
assert titles == ["0,1: dim 0 0..2", "2,3: dim 0 3..4", "0,1: dim 0 5..6",
                  "2,3: dim 0 7..8"], titles
assert len(check_svg([64], [128], "S(0)")) == 64
assert len(check_svg([90], [90, 2, 2], "S(0)")) == 16
assert len(check_svg([90], [90, 2, 2], "S(0)", "--all")) == 90
assert len(check_svg([100000], [100000], "S(0)")) <= 4096
