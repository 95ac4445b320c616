# tests/tree/paths.py - the files that the documents name exist.
# SPDX-License-Identifier: Apache-2.0
"""A word in back quotes is a path if it ends as files do, or begins with a
folder of the tree or a room: `kernel/fold/fold.h`, `tests/ranks/`, `op/rule`.
It may begin at the root, in src, include or tests, or beside the document.  A
name alone is that of a file below the document's folder, or of a public header.
<something> stands for any name.

What happened stays as it was: the CHANGELOG is not looked at, nor what is
built."""

import fnmatch
import re

from tree import Tree

ENDINGS = ("c", "h", "cpp", "py", "sh", "cmake", "txt", "md", "json")
BEGINNINGS = ("", "src/", "include/", "include/dtensor/", "tests/")
# Names that stand for a file that a reader is told to write.
EXAMPLES = {"thing.c", "commands/thing.c", "tests/<name>/launch.c"}

tree = Tree()
documents = [p for p in tree.files("*.md", "*/**/*.md")
             if p.name != "CHANGELOG.md"]
files = {tree.name(p) for p in tree.files("*", "*/**/*")}
folders = {name[:i] for name in files for i, c in enumerate(name) if c == "/"}
tops = {name for name in folders if "/" not in name}
rooms = {name.split("/")[1] for name in folders if name.startswith("src/")}


def is_path(word):
    if not re.fullmatch(r"[\w.<>/+-]+", word) or word.startswith(("/", "-", "_")):
        return False
    if word.split("/")[0] in ("build", "."):
        return False
    if re.search(r"[\w>]\.(%s)$" % "|".join(ENDINGS), word):
        return True
    first, slash, _ = word.partition("/")
    return slash != "" and first in tops | rooms


def exists(pattern):
    """A file, a folder, or a file but for its ending."""
    if "*" not in pattern:
        return (pattern in files or pattern in folders
                or any(f"{pattern}.{ending}" in files for ending in ENDINGS))
    return any(fnmatch.fnmatchcase(name, pattern) for name in files | folders)


def is_there(word, document):
    pattern = re.sub(r"<\w+>", "*", word.rstrip("/"))
    folder = tree.name(document).rpartition("/")[0]
    beside = folder + "/" if folder not in ("", "docs") else ""
    if "/" not in word:
        return any(fnmatch.fnmatchcase(name.rpartition("/")[2], pattern)
                   for name in files
                   if name.startswith((beside, "include/dtensor/")))
    return any(exists(top + pattern) for top in (*BEGINNINGS, beside))


for document in documents:
    for number, line in enumerate(document.read_text().splitlines(), 1):
        for word in re.findall(r"`([^`]+)`", line):
            if not is_path(word) or word in EXAMPLES:
                continue
            tree.checked += 1
            if not is_there(word, document):
                tree.complain(f"{tree.name(document)}:{number}",
                              f"there is no {word}")
tree.end()
