# tests/tree/paths.py - files and headings that the documents name exist.
# SPDX-License-Identifier: Apache-2.0
"""A word in back quotes is a path if it ends as files do, or begins with a
folder of the tree or a room: `kernel/fold/fold.h`, `tests/ranks/`, `op/rule`.
It may begin at the root, in src, include or tests, or beside the document.  A
name alone is that of a file below the document's folder, or of a public header.
<something> stands for any name.

A link leads to a file, and to a heading of it if it has a `#`.  A document that
links to its own headings has a list of contents, which has all of them.

A row of a table that begins with one source file names, in its second column,
functions that this file has.

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


def headings(document):
    """The anchors of the chapters and sections, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    titles = re.findall(r"^##+ (.+)$", text, re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            for title in titles]


def check_links(document):
    name, own = tree.name(document), headings(document)
    contents = set()
    text = re.sub(r"`[^`\n]*`", "", document.read_text())
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if "://" in path:
            continue
        tree.checked += 1
        to = document.parent / path if path else document
        if not to.exists():
            tree.complain(name, f"there is no {path}")
        elif anchor and anchor not in headings(to):
            tree.complain(name, f"{tree.name(to.resolve())} has no heading #{anchor}")
        contents |= {anchor} if not path else set()
    for heading in own if contents else []:
        if heading not in contents:
            tree.complain(name, f"the contents lack #{heading}")


def check_functions(document, number, line):
    row = re.match(r"\| `([\w/.]+\.[ch])` \|([^|]*)\|", line)
    source = tree.root / row.group(1) if row else None
    if not source or not source.is_file():
        return
    text = source.read_text()
    for function in re.findall(r"`(\w+)`", row.group(2)):
        tree.checked += 1
        if not re.search(rf"\b{function}\b", text):
            tree.complain(f"{tree.name(document)}:{number}",
                          f"{row.group(1)} has no {function}")


for document in documents:
    check_links(document)
    for number, line in enumerate(document.read_text().splitlines(), 1):
        check_functions(document, number, line)
        for word in re.findall(r"`([^`]+)`", line):
            if not is_path(word) or word in EXAMPLES:
                continue
            tree.checked += 1
            if not is_there(word, document):
                tree.complain(f"{tree.name(document)}:{number}",
                              f"there is no {word}")
tree.end()
