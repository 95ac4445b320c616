# tests/tree/covers.py - every family of operators has tests that one can find.
# SPDX-License-Identifier: Apache-2.0
"""A family is a file of `src/ops` with a table of rows.  Its tests are in
`tests/ranks/ops/<folder>/<family>.c`, or in files below `tests/ranks` that name
it after the licence: `covers: clamp where`, a comment of its own.

A file that is named for a family, or names it, calls one of its operators."""

import re

from tree import Tree

tree = Tree()


def read_families():
    """The operators of each family, and the folder that has it."""
    operators, folders = {}, {}
    for path in tree.files("src/ops/*/*.c"):
        text = path.read_text()
        if f"dti_ops_{path.stem}[]" in text:
            operators[path.stem] = re.findall(r'\.schema =\s*"(\w+)\(', text)
            folders[path.stem] = path.parent.name
    return operators, folders


def calls_one_of(text, names):
    """`dt_exp`, `dt_exp_`, `dt_exp_out`, `dt_exp_with` or "exp" by name."""
    return any(re.search(rf'\bdt_{name}(_with|_out)*_?\b|"{name}_?"', text)
               for name in names)


operators, folders = read_families()
covered = set()
for path in tree.files("tests/ranks/**/*.c"):
    text, name = path.read_text(), tree.name(path)
    line = re.search(r"^/\* covers:(.*?)\*/", text, re.MULTILINE | re.DOTALL)
    claimed = line.group(1).replace("*", " ").split() if line else []
    if name == f"tests/ranks/ops/{folders.get(path.stem)}/{path.stem}.c":
        if path.stem in claimed:
            tree.complain(name, f"covers {path.stem} by its name already")
        claimed.append(path.stem)
    for family in claimed:
        tree.checked += 1
        if family not in operators:
            tree.complain(name, f"covers {family}: src/ops has no such family")
        elif not calls_one_of(text, operators[family]):
            tree.complain(name, f"covers {family}, but calls none of "
                          + ", ".join(operators[family]))
        covered.add(family)
for family in sorted(set(operators) - covered):
    tree.complain(f"src/ops/{folders[family]}/{family}.c",
                  f"no test has its name or the line `covers: {family}`")
tree.end()
