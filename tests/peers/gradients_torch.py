# tests/peers/gradients_torch.py - gradients of a call, as PyTorch computes them.
# SPDX-License-Identifier: Apache-2.0
"""Of gradients.py.  A case of ops_calls.py gets `leaves`, tensors among its
arguments that require a gradient, and `grads`, those of its results, None for a
result that PyTorch does not differentiate."""

from gradients_cases import CALLS, CONSTANTS, FIRST_ALONE
import ops_calls
from ops_calls import OPERATORS, tensors_of
from opinfo_capture import Recorder, Untranslatable, copy_tensor
import torch
from torch.utils._pytree import tree_map

DTYPES = {torch.float32, torch.float64, torch.complex64}
WIDE = {torch.float32: torch.float64, torch.float64: torch.float64,
        torch.complex64: torch.complex128}
NARROW = {torch.float32: torch.float32, torch.float64: torch.float32,
          torch.complex64: torch.complex64}
SAME = {dtype: dtype for dtype in DTYPES}
REFUSALS = (RuntimeError, IndexError, ValueError, TypeError,
            NotImplementedError)


class GradientRecorder(Recorder):
    """Keeps calls of ATen so that they can be made again, of tensors that are
    those of the case."""

    def begin(self, func, args, kwargs):
        again = tree_map(own, (args, kwargs))
        case = super().begin(func, *again)
        if case is not None:
            case["call"] = func, *again
        return case


def own(value):
    if not isinstance(value, torch.Tensor):
        return value
    try:
        return copy_tensor(value)
    except Untranslatable:
        return value


# ---- Calls -------------------------------------------------------------------

def call(case, swap):
    """The results of a case, with its arguments as `swap` returns them."""
    if "call" in case:
        func, args, kwargs = case["call"]
        args, kwargs = tree_map(swap, (args, kwargs))
        value = func(*args, **kwargs)
        value = args[0] if value is None else value
        return list(value) if isinstance(value, (tuple, list)) else [value]
    args = [tree_map(swap, value) for value in case["args"]]
    if case["name"] in CALLS:
        value = CALLS[case["name"]](*args)
        return list(value) if isinstance(value, (tuple, list)) else [value]
    return ops_calls.call_torch({**case, "args": args})


def run(case, leaves, dtypes):
    """Call with new leaves in place of these tensors; returns results and
    leaves."""
    made = {id(t): t.detach().clone().to(dtypes[t.dtype]).requires_grad_()
            for t in leaves}

    def swap(value):
        if isinstance(value, torch.dtype):
            return dtypes.get(value, value)
        if not isinstance(value, torch.Tensor):
            return value
        leaf = made.get(id(value))
        if leaf is not None:
            return leaf.clone() if case["form"] == "in_place" else leaf
        value = value.detach().clone()
        return value.to(dtypes.get(value.dtype, value.dtype))

    return call(case, swap), list(made.values())


def gradients(case, dtypes=None):
    """Of the leaves, None for those that results do not depend on; computed with
    other dtypes instead of those that `dtypes` names."""
    dtypes = dtypes or SAME
    results, leaves = run(case, case["leaves"], dtypes)
    pairs = [(r, g.to(r.dtype)) for r, g in zip(results, case["grads"])
             if g is not None]
    found = torch.autograd.grad([r for r, _ in pairs], leaves,
                                [g for _, g in pairs], allow_unused=True)
    return [None if g is None else plain(g) for g in found]


def plain(gradient):
    gradient = gradient.detach().resolve_conj().resolve_neg()
    return gradient.to_dense() if gradient.is_sparse else gradient


# ---- Which gradients ---------------------------------------------------------

def is_differentiated(result):
    return isinstance(result, torch.Tensor) and result.requires_grad and (
        result.dtype in DTYPES)


def seed_of(result):
    """A gradient that differs in every element."""
    return torch.randn(result.shape, dtype=result.dtype)


def seed(case, leaves):
    """Choose gradients of results; false if PyTorch has none for these leaves.
    An error of PyTorch is raised."""
    results, _ = run(case, leaves, SAME)
    grads = [seed_of(r) if is_differentiated(r) else None for r in results]
    if case["name"] in FIRST_ALONE:
        grads[1:] = [None] * (len(grads) - 1)
    if not leaves or all(grad is None for grad in grads):
        return False
    case.update(leaves=leaves, grads=grads)
    return True


def variables(case):
    """The tensors that may be leaves."""
    parameters = OPERATORS[case["name"]]["parameters"]
    for (_, name, _), value in zip(parameters, case["args"]):
        if name not in CONSTANTS:
            yield from (t for t in tensors_of({"args": [value]})
                        if t.dtype in DTYPES)


def differentiate(case):
    """Set leaves, gradients of results, and `theirs`, the gradients of PyTorch.
    What has no derivative there is no leaf.  False if there is nothing to
    compare; an error of PyTorch is raised."""
    leaves = list(variables(case))
    try:
        good = seed(case, leaves)
        case["theirs"] = gradients(case) if good else []
        return good
    except REFUSALS as error:
        if "derivative" not in str(error) or len(leaves) < 2:
            raise
    return differentiate_some(case, leaves)


def differentiate_some(case, leaves):
    """The same by those leaves that have a derivative."""
    good = []
    for leaf in leaves:
        try:
            if seed(case, [leaf]):
                gradients(case)
                good.append(leaf)
        except REFUSALS:
            continue
    if not good or not seed(case, good):
        return False
    case["theirs"] = gradients(case)
    return True
