# tests/peers/ops_families.py - what the files of families say of operators.
# SPDX-License-Identifier: Apache-2.0
"""A file family_<name>.py beside this one may have these tables:

ATEN                 names of ATen, where they are others
REFERENCE, IN_PLACE  functions of PyTorch, where one call is not enough
EXACT, ROUND, SUMS, NORMS  sets of names, and
BOUND                functions: how far values may be apart (ops_compare.py)
DRAW                 functions that give random arguments, for ops.py
EXPLAINED, LEFT_OUT  of ops.py
CALLS                functions that give small arguments, for ops_layouts.py
PLACED               functions of a mesh and tensors that give their placements,
                     where any will not do
LAYOUTS_EXPLAINED, LAYOUTS_LEFT_OUT  of ops_layouts.py

Importing this file makes known what is not only asked for here."""

import importlib
import pathlib

import ops_calls
import ops_compare
from ops_draw import DRAW

FAMILIES = [importlib.import_module(path.stem) for path in
            sorted(pathlib.Path(__file__).parent.glob("family_*.py"))]


def merge(table, name):
    """Add the tables of a name; an operator has one home."""
    for family in FAMILIES:
        for key, value in getattr(family, name, {}).items():
            assert key not in table, f"{key} is in {name} twice"
            table[key] = value
    return table


def left_out(name):
    return merge({}, name)


def calls():
    return merge({}, "CALLS")


def placed():
    return merge({}, "PLACED")


def explained(name):
    return [entry for family in FAMILIES for entry in getattr(family, name, [])]


merge(ops_calls.ATEN, "ATEN")
merge(ops_calls.REFERENCE, "REFERENCE")
merge(ops_calls.IN_PLACE, "IN_PLACE")
merge(ops_compare.BOUND, "BOUND")
for kind in ["EXACT", "ROUND", "SUMS", "NORMS"]:
    for family in FAMILIES:
        getattr(ops_compare, kind).update(getattr(family, kind, set()))
merge(DRAW, "DRAW")
