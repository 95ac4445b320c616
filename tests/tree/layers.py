# tests/tree/layers.py - rooms include the rooms that src/LAYERS allows, all of
# them and no others; so do the benchmarks.
# SPDX-License-Identifier: Apache-2.0
import re

from tree import Tree

tree = Tree()
allowed = {}
places = {}
for number, line in enumerate(
        (tree.root / "src/LAYERS").read_text().splitlines(), 1):
    if line.strip() and not line.startswith("#"):
        room, _, rooms = line.partition(":")
        for other in rooms.split():
            if other not in allowed:
                tree.complain(f"src/LAYERS:{number}",
                              f"{room} may include {other}, listed after it")
        allowed[room.strip()] = set(rooms.split())
        places[room.strip()] = number

for folder in sorted(p for p in (tree.root / "src").iterdir() if p.is_dir()):
    sources = [p for p in folder.rglob("*") if p.suffix in (".c", ".h")]
    if not sources:
        continue
    if folder.name not in allowed:
        tree.complain(tree.name(folder), "a room that src/LAYERS does not list")
    if not (folder / "README.md").is_file():
        tree.complain(tree.name(folder), "a room without README.md")

used = set()
for path in tree.files("src/**/*.c", "src/**/*.h", "bench/**/*.c",
                       "bench/**/*.h"):
    first, second = tree.name(path).split("/")[:2]
    room = second if first == "src" else first
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if not match:
            continue
        tree.checked += 1
        where = f"{tree.name(path)}:{number}"
        other, _, rest = match.group(1).partition("/")
        used.add((room, other))
        if not rest or other.startswith("."):
            tree.complain(where, f'"{match.group(1)}" is no path from src/')
        elif other != room and other not in allowed.get(room, ()):
            tree.complain(where, f"{room} may not include {other} (src/LAYERS)")

for room, others in allowed.items():
    for other in sorted(others):
        if (room, other) not in used:
            tree.complain(f"src/LAYERS:{places[room]}",
                          f"{room} may include {other}, and never does")
tree.end()
