# tests/tree/ops_json.py - ops.json describes every operator as docs/bindings.md
# promises.
# SPDX-License-Identifier: Apache-2.0
"""usage: ops_json.py ROOT OPS_JSON"""
import json
import re
import sys

from tree import Tree

KEYS = {"name", "schema", "about", "group", "header", "aten", "arguments",
        "results", "functions", "rule", "rule_kind", "linear", "monotone",
        "permutes", "gradient", "dtypes", "flags"}

tree = Tree()
with open(sys.argv[2], encoding="utf-8") as file:
    described = json.load(file)
manual = (tree.root / "docs/ops.md").read_text()
listed = re.findall(r"^\| `(\w+)\(", manual, re.M)
flags = set(re.findall(r"\bDT_OP_[A-Z_]+\b",
                       (tree.root / "include/dtensor/sys/op.h").read_text()))
declared = {}


def declares(header, function):
    """Does a header declare a function?"""
    if header not in declared:
        text = (tree.root / "include/dtensor" / header).read_text()
        declared[header] = set(re.findall(r"\b(dt_\w+)\(", text))
    return function in declared[header]


def schema_of(op):
    """The schema, written again from its parts."""
    parts, options = [], False
    for argument in op["arguments"]:
        if argument["option"] and not options:
            parts.append("*")
            options = True
        parts.append(f"{argument['type']} {argument['name']}")
    results = ", ".join(result["type"] + (f" {result['name']}" if result["name"] else "")
                        for result in op["results"])
    if not op["results"] or op["results"][0]["name"]:
        results = f"({results})"
    return f"{op['name']}({', '.join(parts)}) -> {results}"


def check(op):
    name = op["name"]
    if set(op) != KEYS:
        tree.complain(name, f"members {sorted(set(op) ^ KEYS)}")
        return
    plain = re.sub(r"=[^,)]*", "", op["schema"]).replace("~", "")
    if schema_of(op) != plain:
        tree.complain(name, f"{schema_of(op)} instead of {plain}")
    for argument in op["arguments"]:
        if argument["option"] != ("default" in argument):
            tree.complain(name, f"{argument['name']} is an option without default")
        if argument["option"] and not argument.get("about"):
            tree.complain(name, f"{argument['name']} is not described")
    for function in op["functions"]:
        if not declares(op["header"], function["name"]):
            tree.complain(name, f"{op['header']} does not declare {function['name']}")
    if not set(op["flags"]) <= flags:
        tree.complain(name, f"unknown flags in {op['flags']}")


if described["format"] != 1:
    tree.complain("ops.json", f"format {described['format']}")
if [op["name"] for op in described["operators"]] != listed:
    tree.complain("ops.json", "has other operators than docs/ops.md")
for op in described["operators"]:
    tree.checked += 1
    check(op)
tree.end()
