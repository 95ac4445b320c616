# tests/tree/older.py - every structure that programs fill and that states its
# size is passed without its last field by tests/unit/ops/older.c; and public
# headers name nothing of the inside.
# SPDX-License-Identifier: Apache-2.0
import re

from tree import Tree

tree = Tree()
test = (tree.root / "tests/unit/ops/older.c").read_text()
aged = dict(re.findall(r"AGE\(\w+, (dt_\w+), (\w+)\);", test))
for path in tree.files("include/dtensor/**/*.h"):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    if found := re.search(r"\b(dti_\w+|DTI_\w+)", text):
        tree.complain(tree.name(path), f"names {found.group(1)}")
    for name, fields in re.findall(
            r"typedef struct (dt_\w+) \{\s*size_t size;(.*?)\n\} \1;", text,
            flags=re.S):
        tree.checked += 1
        last = re.findall(r"(\w+)\)?(?:\([^;]*\))?;", fields)[-1]
        # What is written from rows is tested from rows.
        if not tree.is_written(path) and aged.get(name) != last:
            tree.complain(tree.name(path), f"{name} without {last} is not in "
                          "tests/unit/ops/older.c")
tree.end()
