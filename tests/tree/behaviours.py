# tests/tree/behaviours.py - numbers of behaviours mean what the list says.
# SPDX-License-Identifier: Apache-2.0
"""Tests are named after rows of docs/behaviours.md: "4.1.5: ..." or, where the
chapter is clear, "46: ...".  Each such number is a row, which names the files
whose tests have it; each number in docs/design.md is a row, too."""

import re

from tree import Tree

tree = Tree()
LIST, DESIGN = "docs/behaviours.md", "docs/design.md"
ROW = re.compile(r"^\| (4\.\d)\.(\d+a?) \|.*\| ([^|]*) \|$", re.MULTILINE)

listed, chapters = {}, {}
for chapter, number, files in ROW.findall((tree.root / LIST).read_text()):
    listed[number] = set(re.findall(r"`([^`]+)`", files))
    chapters[number] = chapter

tested = {number: set() for number in listed}
for path in tree.files("tests/unit/**/*.c", "tests/ranks/**/*.c"):
    names = re.findall(r'\{"(?:(4\.\d)\.)?(\d+a?): ', path.read_text())
    for chapter, number in names:
        tree.checked += 1
        if number not in listed or chapter not in ("", chapters[number]):
            tree.complain(tree.name(path), f"{LIST} has no behaviour "
                          + ".".join(filter(None, (chapter, number))))
        else:
            tested[number].add(tree.name(path).removeprefix("tests/"))

for number, files in tested.items():
    if files != listed[number]:
        tree.complain(LIST, f"{chapters[number]}.{number} is tested by: "
                      + (", ".join(sorted(files)) or "none"))

for chapter, number in re.findall(r"\b(4\.\d)\.(\d+a?)",
                                  (tree.root / DESIGN).read_text()):
    if chapters.get(number) != chapter:
        tree.complain(DESIGN, f"{LIST} has no behaviour {chapter}.{number}")
tree.end()
