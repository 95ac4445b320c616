# tests/tree/functions.py - functions of src stay short.
# SPDX-License-Identifier: Apache-2.0
"""No function is longer than 60 lines, signature included, unless it is a flat
`switch`, a table in the form of code; nine of ten have at most 22."""

import re

from tree import Tree

LONGEST, NINE_OF_TEN = 60, 22

tree = Tree()


def functions(text):
    """Name, lines and body of each function: its braces are in column 1."""
    for match in re.finditer(r"^((?:[^\s#/}][^\n]*\n)(?:[ \t][^\n]*\n)*)"
                             r"\{\n(.*?)^\}$", text, re.DOTALL | re.MULTILINE):
        name = re.search(r"(\w+)\s*\(", match[1])
        if name:
            yield name[1], match[0].count("\n") + 1, match[2]


lengths = []
for path in tree.files("src/**/*.[ch]"):
    for name, lines, body in functions(path.read_text()):
        tree.checked += 1
        lengths.append(lines)
        if lines > LONGEST and not re.search(r"^    switch \(", body,
                                             re.MULTILINE):
            tree.complain(tree.name(path), f"{name} has {lines} lines; the "
                          f"maximum is {LONGEST}, but for a flat switch")
lengths.sort()
if lengths and lengths[len(lengths) * 9 // 10] > NINE_OF_TEN:
    tree.complain("src", f"one of ten functions has more than {NINE_OF_TEN} "
                  f"lines: {lengths[len(lengths) * 9 // 10]}")
tree.end()
