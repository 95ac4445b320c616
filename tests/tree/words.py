# tests/tree/words.py - what has no place in the tree.
# SPDX-License-Identifier: Apache-2.0
"""Refuse leftovers everywhere, and private language in what users meet: public
headers, error and log messages, README, manual page and list of operators."""
import re

from tree import Tree

REFUSED = [
    (r"(?<![\w.$}])/(home|root|Users|work)/\w", "a path of one machine"),
    (r"\b(TODO|FIXME|XXX|HACK)\b", "an unfinished place: finish it, or open an issue"),
    (r"[ \t]+$", "space at the end of a line"),
    (r"^(<<<<<<<|>>>>>>>)( |$)", "an unresolved merge"),
]
# The glossary: a word, and what the field says instead.
GLOSSARY = [
    (r"\b[Cc]uts?\b", "shard, split"),
    (r"\blies?\b", "has a layout, is on a mesh"),
    (r"\b[Tt]alks?\b", "communicate"),
    (r"\bthe wholes?\b(?=[.,;:)]|$)", "the global tensor"),
    (r"(?:^|[.;:,] +)[Gg]ives? (?:the|a|an|its|NULL)\b", "return"),
    (r"(?<!there )\b(?:is|are) none\b", "invalid, NULL, empty"),
    (r"(?<!reasons )\bbehind (?:the|it|them|itself|another|those)\b", "after"),
    (r"\b(?:is|are) not there\b", "missing, out of range"),
    (r"\bstands? twice\b", "is listed twice, duplicate"),
    (r"\bhears? (?:of|from)\b", "receive"),
    (r"\bnothing of anything\b", "0, false or NULL"),
    (r"\b[Nn]obody\b", "no rank, nothing"),
    (r"\b(?:with|has|have) (?:a|the|its|that) sentence\b", "error message"),
    (r"\bcould be had\b|\bcould not be had\b", "cannot allocate"),
]
TEXT = {".c", ".h", ".cpp", ".md", ".cmake", ".sh", ".py", ".in", ".json",
        ".txt", ".1", ".yml", ""}
APART = {"LICENSE", "tests/tree/words.py", "tests/tree/broken.py"}
FACE = {"README.md", "docs/dtensor.1", "docs/ops.md"}
FAILS = re.compile(r"\b\w*(?:fail|error_set|dti_log)\w*\s*\(")
STRING = re.compile(r'"(?:\\.|[^"\\])*"')
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def call_end(text, at):
    """The end of the arguments that begin with the bracket at `at`."""
    depth = 0
    while at < len(text):
        string = STRING.match(text, at)
        if string:
            at = string.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            break
    return at


def messages(text):
    """The strings in calls that record an error or write to the log."""
    text = re.sub(r"'(?:\\.|[^'\\])'", blank, COMMENT.sub(blank, text))
    for call in FAILS.finditer(text):
        inside = slice(call.end(), call_end(text, call.end() - 1))
        joined = re.sub(r'"\s*"', "", text[inside])
        for string in STRING.findall(joined):
            yield text.count("\n", 0, call.start()) + 1, string[1:-1]


def face(name, path):
    """What users meet in a file: (line, text) pairs."""
    if name in FACE:
        return enumerate(path.read_text().splitlines(), 1)
    text = path.read_text()
    if name.startswith("include/") and path.suffix == ".h":
        return ((text.count("\n", 0, m.start()) + 1,
                 " ".join(re.sub(r"^\s*/?\*+/?|\*/$", "", line).strip()
                          for line in m.group().splitlines()))
                for m in COMMENT.finditer(text))
    if name.startswith(("src/", "plugins/")) and path.suffix in (".c", ".h"):
        return messages(text)
    return ()


tree = Tree()
for path in tree.files("*", ".ci/*", "*/**/*"):
    name = tree.name(path)
    if (path.suffix not in TEXT or name in APART
            or name.startswith("fuzz/corpus/") or "__pycache__" in name):
        continue
    tree.checked += 1
    try:
        lines = path.read_text().splitlines()
    except UnicodeDecodeError:
        tree.complain(name, "not UTF-8")
        continue
    for number, line in enumerate(lines, 1):
        for pattern, reason in REFUSED:
            if re.search(pattern, line):
                tree.complain(f"{name}:{number}", f"{reason}: {line.strip()}")
    for number, text in face(name, path):
        for pattern, instead in GLOSSARY:
            found = re.search(pattern, text)
            if found:
                tree.complain(f"{name}:{number}", f'"{found.group().strip()}":'
                              f" say {instead}: {text.strip()[:120]}")
tree.end()
