# tests/tree/files.py - the shape of a file: first lines, length, include order.
# SPDX-License-Identifier: Apache-2.0
import re

from tree import Tree

SPDX = "SPDX-License-Identifier: Apache-2.0"
LONGEST = 800
LONGEST_WRITTEN = 1600  # of a header that `make ops` writes

tree = Tree()


def check_ranks(name, line):
    """A rank test runs on these numbers of ranks at least."""
    numbers = set(re.findall(r"[0-9]+", line))
    if not line.startswith("/* ranks:") or not numbers >= {"1", "2", "3", "4", "7"}:
        tree.complain(f"{name}:1", "does not run on 1, 2, 3, 4 and 7 ranks")


def check_top(path, name, lines):
    """The first line names the file and says what it holds, then the licence."""
    if re.fullmatch(r"/\* ranks:[ 0-9]+\*/", lines[0]):
        lines = lines[1:]
    shown = re.sub(r"^(src|include|examples|tests)/", "", name)
    if not lines or not lines[0].startswith((f"/* {shown} - ", f"/* {name} - ")):
        tree.complain(f"{name}:1", f"does not begin with `/* {shown} - ...`")
        return
    end = next((i for i, line in enumerate(lines) if "*/" in line), 0)
    if end + 1 >= len(lines) or lines[end + 1] != f"/* {SPDX} */":
        tree.complain(f"{name}:{end + 2}", f"`/* {SPDX} */` belongs here")


def is_own(include, name):
    """May a .c file include this first, as the header that it implements?"""
    folder = re.sub(r"^(src|plugins|tests|tools)/(unit/)?", "", name).rpartition("/")[0]
    return not name.endswith(".h") and (
        include == '"support/check.h"' or include.startswith(f'"{folder}/')
        or (name.startswith(("src/", "tests/unit/"))
            and include.startswith("<dtensor/")))


def kind_of(include):
    if include.startswith("<dtensor/"):
        return 2
    return 1 if include.startswith("<") else 3


def check_includes(path, name, lines):
    """Own header, system, public headers, ours; each block sorted."""
    latest = (-1, "")
    depth = 0
    for number, line in enumerate(lines, 1):
        depth += bool(re.match(r"#\s*if(def)?\b", line))
        depth -= depth > 0 and line.startswith("#endif")
        match = re.match(r'#include (<[^>]+>|"[^"]+")', line)
        if not match:
            # Includes further down are templates and tables.
            if re.match(r"[a-z_]+ ", line):
                return
            continue
        if depth > 0 or match.group(1).endswith('_tmpl.h"'):
            continue
        this = (kind_of(match.group(1)), match.group(1))
        if latest[0] < 0 and is_own(match.group(1), name):
            this = (0, match.group(1))
        if this[0] < latest[0]:
            tree.complain(f"{name}:{number}",
                          f"{this[1]} after {latest[1]}: own header, system, "
                          "<dtensor/...>, ours")
        elif this[0] == latest[0] and this[1] < latest[1]:
            tree.complain(f"{name}:{number}", f"{this[1]} after {latest[1]}")
        latest = this


for path in tree.files("src/**/*.[ch]", "include/**/*.h", "tests/**/*.[ch]",
                       "tests/**/*.cpp", "fuzz/*.[ch]", "bench/**/*.[ch]",
                       "bench/**/*.cpp", "plugins/**/*.[ch]", "tools/**/*.[ch]",
                       "examples/*.c"):
    name = tree.name(path)
    text = path.read_text()
    lines = text.splitlines()
    tree.checked += 1
    if not lines:
        tree.complain(name, "empty")
        continue
    if re.fullmatch(r"tests/ranks/.+\.c", name):
        check_ranks(name, lines[0])
    check_top(path, name, lines)
    if not name.startswith("examples/"):  # they are programs of users
        check_includes(path, name, lines)
    longest = LONGEST_WRITTEN if tree.is_written(path) else LONGEST
    if len(lines) > longest:
        tree.complain(name, f"{len(lines)} lines; past {longest} it is two")
    if not text.endswith("\n") or text.endswith("\n\n"):
        tree.complain(name, "does not end with one newline")
tree.end()
