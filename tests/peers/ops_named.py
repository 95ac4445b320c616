# tests/peers/ops_named.py - which calls differ by intention: what entries of
# EXPLAINED are made of.
# SPDX-License-Identifier: Apache-2.0
"""Of ops.py and family_*.py: conditions on cases, and calls that are always
tried."""

import math

from ops_calls import DTYPES, has_dtype, tensors_of
from ops_compare import absolute
import torch

INF, NAN = math.inf, math.nan


def is_finite(case):
    """Are there no infinities, nor when two are multiplied?"""
    return all((absolute(t) < (250 if t.dtype == torch.float16 else 1e18)).all()
               for t in tensors_of(case))


def is_tiny(case):
    """Is there a number of which the square is 0?"""
    return any(((absolute(t) < 1e-18) & (t != 0)).any()
               for t in tensors_of(case))


def out_of_range(case):
    """Is a float converted that the integer dtype does not hold?"""
    self, dtype = case["args"]
    if dtype.is_floating_point or dtype.is_complex or dtype == torch.bool:
        return False
    real = (self.real if self.is_complex() else self).to(torch.float64)
    info = torch.iinfo(dtype)
    return bool(((real.trunc() < info.min) | (real.trunc() > info.max)
                 | ~real.isfinite()).any())


def is_narrowed(case):
    """Is there a number that the dtype of the result does not hold?"""
    self, dtype = case["args"][0], case["args"][-1]
    return dtype is not None and bool(
        (self.to(dtype).to(self.dtype) != self).any())


def is_bool(case):
    return has_dtype(case, "bool")


def is_empty(case):
    return any(t.numel() == 0 for t in tensors_of(case))


def wrong_out(case):
    """Has out, before the call, not the shape of the result?"""
    return case["form"] == "out" and case["resized"]


def any_case(_):
    return True


def named(name, *args, form="new", out=None):
    """A call that is always tried."""
    return lambda: {"name": name, "form": form, "args": [
        a() if callable(a) and not isinstance(a, torch.dtype) else a
        for a in args], **({"out": out()} if out else {})}


def zeros(dtype, *shape):
    return lambda: torch.zeros(shape, dtype=DTYPES[dtype])


def numbers(dtype, *values):
    return lambda: torch.tensor(values, dtype=DTYPES[dtype])
