# tests/peers/ops_compare.py - are two results the same?
# SPDX-License-Identifier: Apache-2.0
"""Of ops.py and ops_layouts.py: dtypes, shapes and values of results."""

import torch
from ops_calls import (NAMES, OPERATORS, call_torch, has_dtype, run_torch,
                       tensors_of)

# How far values may be apart, in units of the last place of the dtype, times
# the sum of the absolute values of what was added up, where something was.
TOLERANCE = {"exact": 0, "round": 1, "function": 4, "sum": 8, "norm": 32}
EXACT = {"neg", "abs", "relu", "maximum", "minimum", "amax", "amin", "max_dim",
         "min_dim", "clone", "cast", "where", "embedding", "gather",
         "index_select", "cat", "stack", "split", "split_sizes", "chunk",
         "unbind", "slice", "narrow", "select", "topk", "view", "reshape",
         "flatten", "unflatten", "squeeze", "unsqueeze", "permute",
         "transpose", "t", "expand"}
ROUND = {"add", "sub", "mul", "div", "add_scalar", "sub_scalar", "mul_scalar",
         "div_scalar", "rsub_scalar", "sqrt", "square", "foreach_add",
         "foreach_mul_scalar", "amax_abs", "amin_abs"}
SUMS = {"sum", "mean", "contract", "einsum", "matmul", "mm", "mv", "dot", "bmm",
        "addmm", "baddbmm", "linear"}
NORMS = {"layer_norm", "rms_norm", "norm", "powsum", "prod", "softmax",
         "log_softmax"}

# Operators of which errors are relative to something else: functions of a case
# and of one of PyTorch's results.
BOUND = {}


def absolute(value):
    """The same argument with all signs gone, in f64."""
    if isinstance(value, torch.Tensor):
        return (value.abs() if value.is_complex()
                else value.to(torch.float64).abs()).to(torch.float64)
    if isinstance(value, list) and value and isinstance(value[0], torch.Tensor):
        return [absolute(one) for one in value]
    if isinstance(value, (float, complex)):
        return abs(value)
    return abs(value) if type(value) is int and value < 0 else value


def size_of(tensor):
    """Absolute values; of complex numbers, without a part that is infinite."""
    if not tensor.is_complex():
        return tensor.abs().to(torch.float64)
    return torch.view_as_real(tensor.resolve_conj()).to(
        torch.float64).abs().nan_to_num(0, 0, 0).sum(-1)


def bound_of(case, theirs):
    """What errors are relative to."""
    name = case["name"]
    if name in BOUND:
        return BOUND[name](case, theirs)
    if name in SUMS:
        parameters = OPERATORS[name]["parameters"]
        args = [absolute(a) if kind in ("Tensor", "Tensor?", "Tensor[]",
                                        "Number") else a
                for a, (kind, _, _) in zip(case["args"], parameters)]
        args = [None if p[0] == "Dtype?" else a
                for a, p in zip(args, parameters)]
        return call_torch({"name": name, "form": "new", "args": args})[0]
    if name == "gelu":  # PyTorch's 1 + erf(x) loses digits, of f64 as well
        return case["first"].abs().to(torch.float64)
    bound = size_of(theirs)
    if name in ("add", "sub", "add_scalar", "sub_scalar", "foreach_add",
                "rsub_scalar"):
        finite = [absolute(a).nan_to_num(0, 0, 0).max()
                  for a in tensors_of(case) if a.numel()]
        return bound + max([torch.tensor(0.0)] + finite)
    if name == "layer_norm" and theirs.dtype == torch.float64:
        # x - mean loses digits; of other dtypes `nearer` knows.
        size = absolute(case["args"][0]).nan_to_num(0, 0, 0)
        return bound + 1 + (1e3 * size.max() if size.numel() else 0)
    if name == "prod":  # every factor may round once
        return bound * max(1, case["first"].numel() / max(
            1, 32 * theirs.numel()))
    return bound + (name in ("layer_norm", "rms_norm", "log_softmax"))


def tolerance_of(case, dtype):
    name = case["name"]
    if not (dtype.is_floating_point or dtype.is_complex) or name in EXACT:
        if name != "abs" or not has_dtype(case, "c64"):
            return 0
    kind = ("round" if name in ROUND else "sum" if name in SUMS
            else "norm" if name in NORMS else "function")
    if dtype.is_complex:
        kind = "norm"
    computed = case.get("computed", dtype)  # before it was converted for out
    return TOLERANCE[kind] * max(
        torch.finfo(one).eps for one in (dtype, computed)
        if one.is_floating_point or one.is_complex)


def wide(value):
    """The same argument in f64."""
    if isinstance(value, torch.Tensor) and (value.is_floating_point()
                                            or value.is_complex()):
        return value.to(torch.complex128 if value.is_complex()
                        else torch.float64)
    return [wide(v) for v in value] if isinstance(value, list) else value


def nearer(case, ours, theirs, place):
    """Where are our values nearer to those of PyTorch in f64 than its own?"""
    if case["form"] != "new":
        return torch.zeros_like(ours, dtype=torch.bool)
    args = [torch.float64 if isinstance(a, torch.dtype) else wide(a)
            for a in case["args"]]
    exact = run_torch({**case, "args": args})
    if isinstance(exact, Exception):
        return torch.zeros_like(ours, dtype=torch.bool)
    exact = exact[place]
    if exact.is_complex():
        exact = torch.view_as_real(exact)
    return (ours - exact).abs() <= (theirs - exact).abs()


def values_differ(case, ours, theirs, place=0):
    """Where they do, as a text; nothing if they are as good as equal."""
    if ours.is_complex():
        pairs = [torch.view_as_real(t.resolve_conj()) for t in (ours, theirs)]
    else:
        pairs = ours, theirs
    a, b = (t.to(torch.float64) if t.is_floating_point() else t for t in pairs)
    if a.dtype == torch.float64:
        good = (a == b) | (a.isnan() & b.isnan())
    else:
        good = a == b
    tolerance = tolerance_of(case, theirs.dtype)
    if not good.all() and tolerance:
        bound = bound_of(case, theirs)
        if ours.is_complex():
            bound = bound.unsqueeze(-1)
        info = torch.finfo(theirs.dtype)
        room = tolerance * bound.nan_to_num(0, 0, 0) + info.tiny * (
            1 if case["name"] in SUMS | {"prod"} else 2 * info.eps)
        good = good | ((a - b).abs() <= room.expand(a.shape).to(a.dtype))
        if ours.is_complex():
            good = good.all(-1, keepdim=True).expand(good.shape)
    if not good.all() and tolerance:
        good = good | nearer(case, a, b, place)
    if good.all():
        return ""
    bad = (~(a == b) & ~good).nonzero()[0].tolist()
    return (f"{int((~good).sum())} of {good.numel()} values, at {bad}: "
            f"{a[tuple(bad)].item()!r}, not {b[tuple(bad)].item()!r}")


def topk_differs(case, ours, theirs):
    """Which of equal elements are taken is not said by PyTorch."""
    self, _, dim, largest, _ = case["args"]
    if self.dim() == 0:
        return values_differ(case, ours[0], theirs[0])
    order = theirs[0].sort(dim, descending=largest)[0]
    taken = torch.gather(self, dim, ours[1])
    return (values_differ(case, ours[0], order)
            or values_differ(case, taken, ours[0]))


def dropout_differs(case, ours, theirs):
    """Which elements are taken is chance; what becomes of them is not."""
    self, p, train = case["args"][:3]
    if not train or p in (0.0, 1.0):
        return values_differ(case, ours[0], theirs[0])
    self = case["first"]
    kept = (self / (1 - p)).to(self.dtype)
    zero = ours[0] == 0
    if self.numel() > 500 and abs(zero.float().mean() - p) > 0.08:
        return f"{zero.float().mean()} of the elements are 0, not {p}"
    gone = zero | (~self.isfinite() & ours[0].isnan())  # 0 times infinity
    return values_differ(case, ours[0], torch.where(gone, ours[0], kept))


def keeps_order(case):
    """Whether strides of results follow from those of inputs, element by
    element."""
    name = case["name"]
    if case.get("asks_order"):
        return False
    return case["form"] == "new" and name not in ("tril", "triu") and (
        OPERATORS[name]["pointwise"] or name in ("fill", "glu")
        or name.startswith("foreach_") or name.endswith("_like")
        or "loss" in name or "binary_cross_entropy" in name
        or "kl_div" in name or "dropout" in name)


def strides_differ(ours, theirs):
    """Whether elements lie in another order; extents of 1 have no strides."""
    return theirs.numel() > 0 and any(
        a != b and extent > 1
        for a, b, extent in zip(ours, theirs.stride(), theirs.shape))


def differ(case, ours, theirs):
    """What differs, as a text."""
    if "died" in ours:
        return f"we die: {ours['died']}"
    if "error" in ours or isinstance(theirs, Exception):
        if "error" in ours and isinstance(theirs, Exception):
            return ""
        if "error" in ours:
            return f"we refuse: {ours['error']}"
        return f"PyTorch refuses: {type(theirs).__name__}: {theirs}"
    mine = ours["results"]
    if len(mine) != len(theirs):
        return f"{len(mine)} results, not {len(theirs)}"
    for a, b in zip(mine, theirs):
        if a.dtype != b.dtype:
            return f"dtype {NAMES[a.dtype]}, not {NAMES.get(b.dtype, b.dtype)}"
        if a.shape != b.shape:
            return f"shape {list(a.shape)}, not {list(b.shape)}"
    if keeps_order(case):
        for strides, b in zip(ours["strides"], theirs):
            if strides_differ(strides, b):
                return f"strides {strides}, not {list(b.stride())}"
    if case["name"] == "topk":
        return topk_differs(case, mine, theirs)
    if case["name"] == "dropout":
        return dropout_differs(case, mine, theirs)
    for place, (a, b) in enumerate(zip(mine, theirs)):
        text = values_differ(case, a, b, place)
        if text:
            return text
    return ""
