# tests/tree/macros.py - every public macro is used by tests/headers/macros.c.
# SPDX-License-Identifier: Apache-2.0
import re

from tree import Tree

tree = Tree()
used = set(re.findall(r"\bDT_\w+",
                      (tree.root / "tests/headers/macros.c").read_text()))
for path in tree.files("include/dtensor/**/*.h"):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r"\s*#\s*define\s+(\w+)", line)
        if not match:
            continue
        tree.checked += 1
        name = match.group(1)
        where = f"{tree.name(path)}:{number}"
        if re.match(r"DTENSOR_\w+_H$", name) or name.endswith("_"):
            continue  # guards, and macros that no program uses
        if not name.startswith("DT_"):
            tree.complain(where, f"{name} does not begin with DT_")
        elif (tree.is_written(path)
              and re.match(r"DT_\w+_OPTIONS_INIT$", name)):
            continue  # a program that is written from the same rows uses them
        elif name not in used:
            tree.complain(where, f"{name} is not in tests/headers/macros.c")
tree.end()
