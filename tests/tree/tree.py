# tests/tree/tree.py - what the checks of the tree have in common.
# SPDX-License-Identifier: Apache-2.0
"""Find files below a root, collect complaints, and end with a verdict."""

import pathlib
import sys


class Tree:
    def __init__(self):
        self.root = pathlib.Path(sys.argv[1]).resolve()
        self.complaints = 0
        self.checked = 0

    def files(self, *patterns):
        """Files by glob patterns, sorted.  What was built or is git's is left
        out, and not looked into: it may change meanwhile."""
        found = set()
        for pattern in patterns:
            first, _, rest = pattern.partition("/")
            for top in self.root.glob(first):
                if top.name not in ("build", ".git"):
                    found.update(top.glob(rest) if rest else [top])
        return sorted(p for p in found if p.is_file())

    def name(self, path):
        return path.relative_to(self.root).as_posix()

    def is_written(self, path):
        """Is it a header that `make ops` writes?"""
        return path.read_text().partition("\n")[0].endswith(
            "written by `make ops`. */")

    def complain(self, where, text):
        print(f"{where}: {text}", file=sys.stderr)
        self.complaints += 1

    def end(self):
        """Fail on complaints, and when there was nothing to check."""
        if self.checked == 0:
            self.complain(self.root, "nothing to check")
        sys.exit(1 if self.complaints else 0)
