# tests/tree/words.py - what has no place in the tree.
# SPDX-License-Identifier: Apache-2.0
import re

from tree import Tree

REFUSED = [
    (r"(?<![\w.$}])/(home|root|Users|work)/\w", "a path of one machine"),
    (r"\b(TODO|FIXME|XXX|HACK)\b", "an unfinished place: finish it, or open an issue"),
    (r"[ \t]+$", "space at the end of a line"),
    (r"^(<<<<<<<|>>>>>>>)( |$)", "an unresolved merge"),
]
TEXT = {".c", ".h", ".cpp", ".md", ".cmake", ".sh", ".py", ".in", ".json",
        ".txt", ".1", ".yml", ""}
APART = {"LICENSE", "tests/tree/words.py", "tests/tree/broken.py"}

tree = Tree()
for path in tree.files("*", ".ci/*", "*/**/*"):
    name = tree.name(path)
    if (path.suffix not in TEXT or name in APART
            or name.startswith("fuzz/corpus/") or "__pycache__" in name):
        continue
    tree.checked += 1
    try:
        lines = path.read_text().splitlines()
    except UnicodeDecodeError:
        tree.complain(name, "not UTF-8")
        continue
    for number, line in enumerate(lines, 1):
        for pattern, reason in REFUSED:
            if re.search(pattern, line):
                tree.complain(f"{name}:{number}", f"{reason}: {line.strip()}")
tree.end()
