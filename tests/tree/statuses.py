# tests/tree/statuses.py - a status that is dropped makes compilers warn.
# SPDX-License-Identifier: Apache-2.0
"""Every public function that returns a dt_status has the mark DT_MUST_USE."""

import re

from tree import Tree

FUNCTION = re.compile(r"^((?:\w+\s+)*?)dt_status\s+(dt_\w+)\s*\(", re.MULTILINE)

tree = Tree()
for path in tree.files("include/dtensor/**/*.h"):
    text = path.read_text()
    for match in FUNCTION.finditer(text):
        tree.checked += 1
        if "DT_MUST_USE" not in match.group(1).split():
            number = text.count("\n", 0, match.start()) + 1
            tree.complain(f"{tree.name(path)}:{number}",
                          f"{match.group(2)} returns a status without "
                          "DT_MUST_USE")
tree.end()
