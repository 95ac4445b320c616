# tests/tree/documentation.py - public functions say whether they are collective.
# SPDX-License-Identifier: Apache-2.0
import re

from tree import Tree

SAID = re.compile(r"\b(Not collective|Collective (over|as) )")

tree = Tree()
for path in tree.files("include/dtensor/**/*.h"):
    comment = ""
    inside = False
    declaration = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("/*"):
            comment = ""
            inside = True
        if inside:
            comment += re.sub(r"^[/ ]\*+/?|\*/$", "", line) + " "
            inside = "*/" not in line
        elif line.startswith("DT_API "):
            tree.checked += 1
            function = re.search(r"(dt_\w+)\(", line + "(")
            where = f"{tree.name(path)}:{number}"
            if not re.search(SAID, comment):
                name = function.group(1) if function else line
                tree.complain(where, f"{name}: collective or not? "
                              "The comment before it does not say")
            declaration = ";" not in line
        elif declaration:
            declaration = ";" not in line
        elif line.strip():
            comment = ""  # a comment speaks for the functions right below it
tree.end()
